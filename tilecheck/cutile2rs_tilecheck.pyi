"""Compiles generated cuTile Rust source text to Tile IR, in process: no rustc, no GPU, no driver."""

from typing import Final, Literal, TypedDict, final

__all__ = ["CUTILE_VERSION", "Artifact", "TileCheckError", "compile"]

CUTILE_VERSION: Final[str]
"""The version of the `cutile` crate that compiles."""

class SpecDict(TypedDict):
    """What is known about one array argument (a name for type checkers only).

    A divisor of 1 says nothing. Divisors are taken as given, not clamped. The compiler looks up the n-th *dynamic*
    extent's or stride's divisor at index n, not at its dimension: put the dynamic ones first.
    """

    shape_div: list[int]
    """Divisor of each extent, in elements."""
    stride_div: list[int]
    """Divisor of each stride, in elements."""
    stride_one: list[bool]
    """Whether each stride is known to be 1. Not what makes it a constant: that is `strides`."""
    base_ptr_div: int
    """Divisor of the base address, in bytes."""
    extents: list[int]
    """Each extent where it is constant, -1 where it is known at launch."""
    elements_disjoint: bool
    """Whether no two elements share memory."""

class Hints(TypedDict, total=False):
    """Entry hints for the target (a name for type checkers only); they override those written on the entry."""

    occupancy: int
    num_cta_in_cga: int
    num_worker_warps_per_cta: int
    min_ctas_per_sm: int
    max_divisibility: int
    """Caps every divisor of `spec_args` where given. Where an array has no `spec_args`, it is *assumed*."""

@final
class Artifact:
    """What a compilation makes."""

    @property
    def ir_text(self) -> str:
        """Tile IR as text, in cutile's own syntax (`tileirdisasm` prints the bytecode in NVIDIA's)."""
    @property
    def bytecode(self) -> bytes:
        """Tile IR as bytecode: what `tileiras` and `tileirdisasm` read."""

class TileCheckError(Exception):
    """cuTile Rust refused the text, or panicked. `str()` of it is the message and its place."""

    message: str
    kind: Literal["parse", "compile", "bytecode", "panic"]
    file: str | None
    """Which text: `module`, or the path of a support module; None where the compiler names no place."""
    line: int | None
    """Counted from 1, in the text given."""
    column: int | None
    """In characters, counted from 0."""

def compile(
    source: str,
    *,
    module: str,
    entry: str,
    generics: list[str],
    strides: list[tuple[str, list[int]]],
    spec_args: list[tuple[str, SpecDict]],
    scalar_hints: list[tuple[str, int]],
    hints: Hints,
    target: str,
    bytecode_version: str | None = None,
    support: list[tuple[str, str]] = [],
) -> Artifact:
    """Compiles one entry of a kernel module for one set of generic arguments.

    `source` is the text of a file with `#[cutile::module] pub mod <module> { .. }` somewhere in it; `generics` are the
    entry's generic arguments in order ("f32", "128", "true"); `strides` gives each array parameter's strides, -1 where
    a stride is only known at launch; `scalar_hints` gives divisors of integer and pointer parameters; `target` is
    "sm_90" or the like. `bytecode_version` is "13.2" to "13.5" (None: "13.4", the newest that cuTile Python 1.7 writes;
    sm_90 needs 13.3). `support` is the modules that the kernel uses beside `cutile::core`: pairs of a module path
    ("cutile2rs_support::tile") and the text of a file that holds it, each with those that it uses in turn; at most 24.

    Raises TileCheckError. Releases the GIL; may be called from many threads at once.
    """

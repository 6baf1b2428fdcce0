"""The host side of the output crate: what makes its kernels callable from C, Rust and Python.

Nearly all of it is the crate ``runtime/``, the same in every output. What depends on the kernels is small: their tables, a
static and a C symbol each, and the C header.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from cutile2rs.backend import names
from cutile2rs.backend.support import module_path
from cutile2rs.ir.core import ParamInfo
from cutile2rs.lowering.driver import Lowered
from cutile2rs.lowering.options import Options

RESERVED = frozenset({"support", "support_text", "ffi", "python"})
"""Names in the crate's root that no module of kernels can have."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """One kernel's names: in Python, as a Rust static, and in C."""

    kernel: str
    static: str
    symbol: str


class Symbols:
    """Hands out names that are unique in the crate (C) or in their module (Rust)."""

    def __init__(self) -> None:
        self._all = names.Unique()

    def of_module(self, rust_module: str, kernels: Sequence[str]) -> list[Symbol]:
        """The names of a module's kernels, in their order."""
        unique = names.Unique({"MODULE", "KERNELS"})
        found = []
        for kernel in kernels:
            function = names.function(kernel.replace("<locals>", "").replace(".", "_"))
            static = unique(function.upper())
            found.append(Symbol(kernel, static, self._all(f"cutile2rs_{rust_module}_{static.lower()}")))
        return found


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a launcher's struct."""

    name: str
    kind: str
    about: str


@dataclass(frozen=True, slots=True)
class Launcher:
    """A kernel's struct of arguments."""

    kernel: str
    file: str
    line: int
    hints: str
    struct: str
    static: str
    fields: list[Field]


def launchers(kernels: Sequence[tuple[Lowered, Options]], symbols: Sequence[Symbol], file: str) -> list[Launcher]:
    """The structs of a module's kernels."""
    unique = names.Unique()
    found = []
    for (lowered, options), symbol in zip(kernels, symbols, strict=True):
        struct = unique("".join(part.capitalize() for part in symbol.static.split("_") if part) or "Kernel")
        own = ", ".join(f"{name} {value}" for name, value in options.known.items())
        fields = names.Unique({"self"})
        found.append(
            Launcher(
                symbol.kernel, file, lowered.kernel.node.lineno, f" Compile options of its own: {own}." if own else "",
                struct, symbol.static, [_field(p, fields) for p in lowered.params],
            )
        )  # fmt: skip
    return found


def _field(p: ParamInfo, unique: names.Unique) -> Field:
    plain = re.sub(r"__+", "_", re.sub(r"[^a-z0-9_]", "", p.name.lower())).strip("_") or "argument"
    name = f"{plain}_" if plain in names.RUST_KEYWORDS or plain[0].isdigit() else plain
    rank = f" of rank {p.rank}" if p.rank else ""
    match p.kind:
        case "constant":
            declared = p.constant_kind if p.constant_kind in ("int", "float", "bool") else "any"
            return Field(unique(name), declared, f"`{p.name}`: a constant that the kernel is compiled for.")
        case "array":
            return Field(unique(name), "array", f"`{p.name}`: an array{rank}.")
        case "list":
            return Field(unique(name), "list", f"`{p.name}`: a list of arrays{rank}.")
        case _:
            return Field(unique(name), "scalar", f"`{p.name}`: a number.")


@cache
def runtime_files() -> dict[str, str]:
    """Every file of the runtime crate by its path in an output."""
    return dict(sorted(_walk(files("cutile2rs.rust_templates").joinpath("runtime"), "runtime/")))


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for item in sorted(folder.iterdir(), key=lambda i: i.name):
        if item.is_dir():
            if item.name not in ("target", "__pycache__"):
                yield from _walk(item, f"{prefix}{item.name}/")
        elif item.name.endswith((".rs", ".toml")):
            yield prefix + item.name, item.read_text(encoding="utf-8")


def support_sources(support: Mapping[str, str]) -> list[tuple[str, str]]:
    """Rust path and file, relative to ``src/``, of each module of device helpers."""
    stems = sorted(p.removeprefix("support/src/") for p in support if p.startswith("support/src/"))
    return [(module_path(name), f"../support/src/{name}") for name in stems]


def digest(kernel: str, support: Mapping[str, str]) -> str:
    """SHA-256 of a module's Rust, of the helpers and of the compile step: what a cubin was made of."""
    state = hashlib.sha256(kernel.encode())
    for path in sorted(support):
        state.update(support[path].encode())
    for path, text in sorted(runtime_files().items()):
        if path.startswith("runtime/src/compiler/") or path == "runtime/Cargo.toml":
            state.update(text.encode())
    return state.hexdigest()


@cache
def dtype_codes() -> list[tuple[str, int]]:
    """Name and code of each element type, as the runtime has them."""
    text = runtime_files()["runtime/src/dtype.rs"]
    enum = text[text.index("pub enum DType {") :].partition("}")[0]
    return [(name.upper(), int(code)) for name, code in re.findall(r"(\w+) = (\d+),", enum)]

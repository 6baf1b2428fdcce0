"""Pieces that bodies of Rust entries, their arguments and what launches know of those are put together from."""

from __future__ import annotations

TOKEN = "let token: Token = new_token_unordered();\n"
ALONG = """\
let i: Tile<i32, { [T] }> = iota(shape![T]);
let at: Tile<u64, { [T] }> = exti(i);
let zero: Tile<E, { [T] }> = splat_int(0, shape![T]);
"""


def tensor(rank: int, dtype: str = "E") -> str:
    """The type of an array parameter."""
    return f"&Tensor<{dtype}, {{ [{', '.join(['-1'] * rank)}] }}>"


def aligned(rank: int, dtype: str = "f32", divisor: int = 4) -> str:
    """A row-major array: base, extents and strides are multiples of 16 bytes."""
    last = 1 << (rank - 1)
    if rank == 1:
        return f"A1{dtype}_1i{divisor}t1_p16"
    return f"A{rank}{dtype}_{last - 1:x}v{divisor}l0_{last:x}t1_{2 * last - 1:x}i{divisor}_p16"


def trusting(call: str, checked: bool) -> str:
    """A call of a helper, `unsafe` where it checks nothing."""
    return call if checked else f"unsafe {{ {call} }}"


def unknown(rank: int, dtype: str = "f32") -> str:
    """An array of which nothing is known."""
    return f"A{rank}{dtype}_{(1 << rank) - 1:x}l0"


def located(array: str, rank: int, indices: list[str], checked: bool) -> str:
    """Pointers to elements of an array of several axes, as kernels find them: axis by axis."""
    lines = []
    for k, index in enumerate(indices):
        before, plus = (f"{array}_in & ", f"{array}_at + ") if k else ("", "")
        within = f"{before}within({array}_{k}, {array}.shape()[{k}])"
        lines += [f"let {array}_{k}: Tile<u64, {{ [T] }}> = {index};"]
        lines += [f"let {array}_in: Tile<bool, {{ [T] }}> = {within};"] * checked
        lines += [f"let stride: i32 = strides_{rank}d(raw_strides({array})).{k};"]
        lines += [f"let {array}_at: Tile<u64, {{ [T] }}> = {plus}along({array}_{k}, stride);"]
    lines += [f"let {array}_all: PointerTile<*mut E, {{ [T] }}> = elements({array}, {array}_at);"]
    return "\n".join(lines) + "\n"

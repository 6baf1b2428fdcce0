"""Extents and strides that a loop's gathers and scatters use, widened before the loop.

cuTile moves what does not change out of a loop (``_passes/code_motion.py``); here a gather is one call, and its parts stay
inside. tileiras moves them itself, so that this shows in one case: where the array is also gathered from after the loop,
which then shares the widened numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cutile2rs.ir.core import Array, Op

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter

_BY_POINTER = frozenset({"load_ptr", "store_ptr", "atomic_rmw", "atomic_cas"})


def widen_before(e: Emitter, loop: Op) -> None:
    """Write the widened extents and strides of the arrays that ``loop``, a statement of the kernel itself, shares with what
    follows it. Their names are good to the end of the kernel."""
    ops = e.entry.body.ops
    if e.loops or loop not in ops:
        return
    after = {a.name for op in ops[ops.index(loop) + 1 :] for a in _arrays(op)}
    for array in dict.fromkeys(_arrays(loop)):
        if array.name in after and array.name not in e.widened:
            e.widened[array.name] = _widen(e, loop, array)


def _arrays(op: Op) -> Iterator[Array]:
    """The parameters that an operation, or one in its blocks, reaches by pointer and checks the bounds of."""
    if op.opcode in _BY_POINTER and op.attrs["check_bounds"] and not op.attrs.get("located"):
        array: Array = op.attrs["array"]
        if array.root is None:
            yield array
    for block in op.blocks:
        for inner in block.ops:
            yield from _arrays(inner)


def _widen(e: Emitter, loop: Op, array: Array) -> list[str]:
    rust, rank = e.arrays[array.name], array.rank
    strides = f"strides_{rank}d(raw_strides({rust}))"
    numbers = [(f"extent_{k}", f"{rust}.shape()[{k}]") for k in range(rank)]
    numbers += [(f"stride_{k}", strides if rank == 1 else f"{strides}.{k}") for k in range(rank)]
    names = []
    for what, number in numbers:
        names.append(e.fresh(f"{rust}_{what}", loop))
        e.statement(f"let {names[-1]}: Tile<u64, {{ [] }}>", f"widen({number}, shape![])")
        e.reserved = e.reserved | {names[-1]}
    return names

"""The Rust of ``ct.argmax`` and ``ct.argmin``: the extreme value, then the first place that holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutile2rs.backend.forms import Text
from cutile2rs.ir.core import Op, TileType
from cutile2rs.ir.expr import Expr, Lit

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter


#: The steps for floats, whether NaNs come last or first.
_STEPS = {
    False: ("holding_float", "first_place"),
    True: ("holding_float_nan_first", "first_place_nan_first"),
}


def emit(e: Emitter, op: Op) -> None:
    """An ``argreduce`` operation."""
    e.flush()
    e.comment(op)
    x, places = (e.operand(v).text for v in op.operands)
    t, axis, name = op.operands[0].type, op.attrs["axis"], op.attrs["fn"]
    assert isinstance(t, TileType)
    element, rest = e.element(t), (*t.shape[:axis], *t.shape[axis + 1 :])
    kept: tuple[Expr, ...] = (*t.shape[:axis], Lit(1), *t.shape[axis + 1 :])
    best, wide = e.fresh("best", op), e.fresh("best_wide", op)
    e.statement(f"let {best}: Tile<{element}, {{ [{e.dims(rest)}] }}>", f"reduce_{name}({x}, {axis}i32)")
    spread = f"{best}.reshape({_shape(e, kept)})"
    if t.shape[axis] != Lit(1):
        spread += f".broadcast({_shape(e, t.shape)})"
    e.statement(f"let {wide}: Tile<{element}, {{ [{e.dims(t.shape)}] }}>", spread)
    is_float = e.category(t.dtype) == "float"
    holding, place = _STEPS[op.attrs["nan"]] if is_float else ("holding", "first_place")
    holds = e.fresh("holding", op)
    e.statement(f"let {holds}: Tile<i32, {{ [{e.dims(t.shape)}] }}>", f"{holding}({x}, {wide}, {places})")
    first = e.fresh("first", op)
    e.statement(f"let {first}: Tile<i32, {{ [{e.dims(rest)}] }}>", f"reduce_min({holds}, {axis}i32)")
    e.finish(op, Text(f"{place}({first})"))


def _shape(e: Emitter, shape: tuple[Expr, ...]) -> str:
    return f"shape![{e.dims(shape)}]"

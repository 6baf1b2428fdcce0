"""The Rust of casts between integers and booleans. A cast from or to a float is one operation, with a row in the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cutile2rs.backend.forms import Text
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Op, TileType
from cutile2rs.ir.expr import Expr, Lit, fn

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter


def emit(e: Emitter, op: Op) -> None:
    """A ``cast`` operation."""
    src, dst = op.operands[0].type, op.result.type
    assert isinstance(src, TileType) and isinstance(dst, TileType)
    if "float" in (e.category(src.dtype), e.category(dst.dtype)):
        e.form(op)
    elif e.path.dtype_of(dst.dtype) == Lit(dt.BOOL):
        _truth(e, op, src)
    else:
        e.flush_unrelated(op)
        [text] = e.take(op.operands)
        x = e.scalar_tile(op, op.operands[0], text) if e.is_scalar(src) else text.text
        e.finish(op, resize(e, x, e.path.dtype_of(src.dtype), e.path.dtype_of(dst.dtype)))


def resize(e: Emitter, x: str, src: Expr, dst: Expr) -> Text:
    """An integer tile in another width or sign. Where only the launch knows the widths, constants choose the operation,
    and the compiler keeps that one."""
    before, after = fn("bits", src), fn("bits", dst)
    wider, same, narrower = f"exti({x})", f"bitcast({x})", f"truncate({x}, overflow::None)"
    if isinstance(before, Lit) and isinstance(after, Lit):
        return Text(wider if after.value > before.value else same if after == before else narrower)
    for dtype in (src, dst):
        e.generics.dtype(dtype)  # so that its width is called after it
    low, high = e.generics.int(before), e.generics.int(after)
    return Text(f"if {low} < {high} {{ {wider} }} else if {low} == {high} {{ {same} }} else {{ {narrower} }}")


def traits(e: Emitter, dst: TileType) -> dict[str, Any]:
    """What the table's rows for casts ask."""
    return {"to_float": e.category(dst.dtype) == "float"}


def _truth(e: Emitter, op: Op, src: TileType) -> None:
    """Whether an integer is not 0."""
    e.flush_unrelated(op)
    [text] = e.take(op.operands)
    if e.is_scalar(src):
        e.place(op, Text(f"{text.at(2)} != 0i32", 1), True)
        return
    e.comment(op)
    zero = e.fresh("zero", op)
    e.statement(f"let {zero}: {e.type(src)}", f"splat_int(0, {e.shape(src)})")
    e.finish(op, Text(f"ne_tile({text.text}, {zero})"))

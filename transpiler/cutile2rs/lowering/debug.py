"""What a kernel says of its own values and of its place among kernels (``cuda/tile/_ir/ops.py``): assumptions, assertions,
waiting for the kernel before."""

from __future__ import annotations

from cutile2rs.ir.core import TokenType
from cutile2rs.ir.expr import Lit, fn
from cutile2rs.lowering.arith import BOOL
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.static import expect_const, expect_tile, is_none
from cutile2rs.lowering.values import PyValue, Static, Tile


@lowering("assume_divisible")
def assume_divisible(ctx: Ctx, x: PyValue, divisor: PyValue) -> PyValue:
    """``ct.assume_divisible_by``: the integer scalar, known from here on to be a multiple. A constant stays what it is."""
    t, by = expect_tile(ctx, x, "x"), expect_const(ctx, divisor, "divisor")
    if t.shape:
        raise ctx.refuse("ct.assume_divisible_by takes a scalar")
    ctx.path.require(fn("is_integral", t.dtype), "ct.assume_divisible_by takes an integer")
    ctx.path.require(fn("ge", by, Lit(1)), "the divisor must be positive")
    if t.const is not None:
        ctx.path.require(fn("eq", fn("mod", t.const, by), Lit(0)), "the constant is not divisible")
        return t
    if ctx.same(by, Lit(1)):
        return t
    ctx.const_names.setdefault(by, "divisor")
    return Tile(t.type, ctx.emit("assume", [ctx.value(t)], [t.type], divisor=by).result)


@lowering("assertion")
def assertion(ctx: Ctx, cond: PyValue, message: PyValue) -> PyValue:
    """``ct.assert_``: checked where the kernel runs; its message is a literal."""
    t = expect_tile(ctx, cond, "the condition")
    if ctx.dtype(t.dtype) != BOOL:
        ctx.path.require(fn("is_bool", t.dtype), "the condition of ct.assert_ must be a bool")
    if not is_none(message) and not (isinstance(message, Static) and isinstance(message.value, str)):
        raise ctx.refuse("the message of ct.assert_ must be a string literal")
    text = message.value if isinstance(message, Static) and message.value is not None else ""
    ctx.emit("assert", [ctx.value(t)], [], message=text)
    return Static(None)


@lowering("grid_dependency")
def grid_dependency(ctx: Ctx, op: str) -> PyValue:
    """``ct.grid_dependency_control_..``: ordered with all of memory."""
    ctx.emit(op, [], [TokenType()])
    return Static(None)

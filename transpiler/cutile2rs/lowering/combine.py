"""The functions that reductions and scans combine two elements with (``cuda/tile/_ir/ops.py``: _make_reduce_scan_body).

cuTile Rust 0.5 takes such a function as a closure, but then only along axis 0 and, for a reduction, with a result of rank 0
and the identity 0; the others are spelled out. A reduction that is plainly a sum, product, maximum or minimum needs no closure.
"""

from __future__ import annotations

from collections.abc import Callable

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import MEMORY, Block, Op, TileType, Value, has_effect
from cutile2rs.ir.expr import Expr, Lit, fn, show
from cutile2rs.lowering import arith, calls
from cutile2rs.lowering.context import Ctx, concrete
from cutile2rs.lowering.static import expect_const, expect_tile
from cutile2rs.lowering.values import FunctionValue, PyValue, Tile

Combine = Callable[[Tile, Tile], Tile]


def body_of(ctx: Ctx, dtype: Expr, combine: Combine, hints: tuple[str, str] = ("left", "right")) -> Block:
    """A block with two 0-d parameters that yields what ``combine`` makes of them."""
    element = TileType(ctx.dtype(dtype))
    with ctx.nested() as block:
        block.params = [Value(element, hint) for hint in hints]
        left, right = (Tile(element, v) for v in block.params)
        result = ctx.value(combine(left, right))
        block.ops.append(Op("yield", [result], [], source=ctx.source))
    for op in block.walk():
        if op.opcode in MEMORY or has_effect(op):
            raise ctx.refuse("the function of a reduction or scan cannot access memory")
        if op.opcode in ("if", "for", "loop"):
            raise ctx.refuse("the function of a reduction or scan cannot loop or branch", "use ct.where")
        if op.opcode in ("reduce", "scan"):
            raise ctx.refuse("the function of a reduction or scan cannot reduce or scan itself")
    return block


def user_body(ctx: Ctx, what: str, dtype: Expr, func: PyValue) -> Block:
    """The body that a Python function makes."""

    def combine(left: Tile, right: Tile) -> Tile:
        result = expect_tile(ctx, calls.call(ctx, func, [left, right], {}), f"what the {what}'s function returns")
        if result.shape:
            raise ctx.refuse(f"the {what}'s function must return a scalar")
        return arith.implicit_cast(ctx, result, dtype, f"the {what}'s function returns another dtype")

    hints = [p.arg for p in func.node.args.args] if isinstance(func, FunctionValue) else []
    return body_of(ctx, dtype, combine, (hints[0], hints[1]) if len(hints) == 2 else ("left", "right"))


def plain(body: Block) -> str | None:
    """``add``, ``mul``, ``max`` or ``min``, if the body does just that to its parameters in order."""
    if len(body.ops) != 2:
        return None
    op, end = body.ops
    if (
        op.opcode not in ("add", "mul", "max", "min")
        or op.attrs
        or op.operands != body.params
        or end.operands != op.results
    ):
        return None
    return op.opcode


def identity_of(ctx: Ctx, identity: PyValue, dtype: Expr) -> Lit:
    """The identity as the dtype stores it; it must be known when the kernel is converted."""
    expect_const(ctx, identity, "the identity")
    t = arith.astype(ctx, expect_tile(ctx, identity, "the identity"), dtype)
    value = arith.exact(ctx, t)
    if isinstance(t.const, Lit) and t.const.value in (0, 1, float("inf"), float("-inf")):
        return t.const  # every dtype has these
    if isinstance(t.const, Lit) and t.const.value in range(-128, 128) and not ctx.is_float(dtype):
        ctx.prefer(fn("is_integral", dtype), f"only integer `{show(dtype)}` is converted here")
        if ctx.category(dtype) == "int":
            return t.const  # every integer dtype has these bits
    if isinstance(value, Lit):
        return value
    raise ctx.refuse(f"an identity that only the launch knows ({show(value)}) has no rule", code="C2R401")


def is_identity(ctx: Ctx, value: Lit, op: str, dtype: Expr) -> bool:
    """Whether a value is the identity that cuTile Rust writes for this operation."""
    if op in ("add", "mul"):
        return value == Lit(type(value.value)(op == "mul"))
    if ctx.category(dtype) == "float":
        return value == Lit(float("-inf" if op == "max" else "inf"))
    d = concrete(ctx.dtype(dtype))
    return d is not None and dt.is_integral(d) and value == Lit(dt.int_range(d)[op == "min"])

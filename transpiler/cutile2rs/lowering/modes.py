"""Rounding modes and flush_to_zero: which operations take which (``cuda/tile/_ir/ops_utils.py``: check_rd_and_ftz)."""

from __future__ import annotations

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.expr import Expr, Lit, fn
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.oracle import Illegal

_BASIC = frozenset({"zero", "negative_inf", "positive_inf"})
#: The rounding modes that operations take besides their own, and the operations that can flush subnormals to zero.
_ROUNDINGS = {
    "add": _BASIC, "sub": _BASIC, "mul": _BASIC, "truediv": _BASIC | {"full", "approx"}, "sqrt": _BASIC | {"approx"},
    "tanh": frozenset({"approx"}), "exp": frozenset({"approx"}),
}  # fmt: skip
_FLUSHING = frozenset({"add", "sub", "mul", "truediv", "max", "min", "exp2", "sqrt", "rsqrt"})


def check_mode(ctx: Ctx, op: str, dtype: Expr, rounding: str | None, ftz: bool) -> None:
    """Whether an operation takes a rounding mode and flush_to_zero on this dtype (``check_rd_and_ftz``)."""
    if rounding is not None:
        if rounding not in _ROUNDINGS.get(op, ()):
            raise Illegal(f"cuTile does not support this rounding mode for `{op}`")
        ctx.path.require(fn("is_unrestricted_float", dtype), "a rounding mode needs a floating-point dtype")
    if ftz and op not in _FLUSHING:
        raise Illegal(f"cuTile does not support flush_to_zero for `{op}`")
    if rounding in ("approx", "full") or ftz:
        ctx.path.require(fn("eq", dtype, Lit(dt.FLOAT32)), "this rounding mode or flush_to_zero needs float32")

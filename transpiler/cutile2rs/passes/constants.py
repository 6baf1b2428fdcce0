"""Constants that only the launch knows, or whose dtype only it knows: settles what their Rust form depends on.

No cuTile pass stands behind this one: Python knows both when it compiles. It runs last, so that only constants that are
still used decide anything.
"""

from __future__ import annotations

import math

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Entry, Op, TileType
from cutile2rs.ir.expr import Expr, Lit, fn, kind, show
from cutile2rs.lowering.oracle import NoRule, PathState


def settle_constants(entry: Entry, path: PathState) -> None:
    """Decide truth values and the kind of the dtype of each constant; write integers given to floats as floats."""
    for op in entry.body.walk():
        if op.opcode == "const":
            _settle(op, path)


def _settle(op: Op, path: PathState) -> None:
    t = op.result.type
    assert isinstance(t, TileType)
    value, dtype = path.simplify(op.attrs["value"]), path.dtype_of(t.dtype)
    finite = not isinstance(value, Lit) or not isinstance(value.value, float) or math.isfinite(value.value)
    if not finite and path.settled(fn("is_float", dtype)) is False:
        raise NoRule(f"the constant {show(value)} in `{show(dtype)}`, which is no floating-point dtype here")
    if not isinstance(value, Lit) and (kind(value) == "bool" or dtype == Lit(dt.BOOL)):
        value = Lit(path.decide(value if kind(value) == "bool" else fn("bool", value)))
    if isinstance(value, Lit) and value != Lit(math.nan):
        if not isinstance(dtype, Lit):
            _settle_literal(value, dtype, path)
    else:
        value = _symbolic(value, dtype, path)
    op.attrs["value"] = value


def _settle_literal(value: Lit, dtype: Expr, path: PathState) -> None:
    """A literal in a generic dtype must mean the same in each that it can be. (NaN has no literal.)"""
    if isinstance(value.value, float):
        path.prefer(
            fn("is_float", dtype), f"the constant {value.value} has an entry for a floating-point `{show(dtype)}` only"
        )
    path.prefer(fn("is_plain", value, dtype), f"the constant {value.value} has no entry for this `{show(dtype)}`")


def _symbolic(value: Expr, dtype: Expr, path: PathState) -> Expr:
    if not isinstance(dtype, Lit):
        name, shown = show(value), show(dtype)
        if path.settled(fn("is_integral", dtype)) is not True:
            path.prefer(
                fn("is_unrestricted_float", dtype), f"`{name}` has an entry for a floating-point `{shown}` only"
            )
        if path.settled(fn("is_float", dtype)) is True:
            path.prefer(fn("ne", dtype, Lit(dt.FLOAT64)), f"`{name}` has no entry for a float64 `{shown}`")
            # f16 and bf16 constants have one form, f32 ones another.
            path.decide(fn("eq", fn("bits", dtype), Lit(16)))
        else:
            path.prefer(fn("is_integral", dtype), f"`{name}` has no entry for a bool `{shown}`")
        dtype = path.dtype_of(dtype)
    if path.settled(fn("is_float", dtype)) is True and kind(value) != "float":
        return fn("float", value)
    return value

"""What a cast between dtypes that only the launch knows needs to know of them."""

from __future__ import annotations

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.expr import Expr, Fn, distinct_params, fn, show
from cutile2rs.lowering.context import Ctx, concrete

_QUANTIZED = (dt.INT8, dt.UINT8, dt.INT16, dt.UINT16)


def settle_cast(ctx: Ctx, src: Expr, dst: Expr, implicit: bool = False) -> None:
    """Decide as much about two dtypes as a cast between them needs: any cast from or to a float is one operation.

    Equal dtypes come first: then there is no cast. The first cast between unequal ones may be any. Of later ones the
    commoner case gets the entry: data cast to an integer (but for few bits, to which floats are quantized), and data
    stored without a cast from an integer, are integers; any other cast is between floats.
    """
    if "float" in (ctx.category(src), ctx.category(dst)) or are_integers(ctx, src, dst):
        return
    first = not ctx.path.mixed and (concrete(src) is None or concrete(dst) is None)
    if first:
        if ctx.path.decide(fn("eq", src, dst)):
            return
        # An index that is cast to a fixed dtype says nothing of the data.
        ctx.path.mixed = concrete(src) is None and concrete(dst) is None
    # In a kernel with many paths nothing says which arrays were the first to differ.
    first = first or ctx.path.forks is not None
    if ctx.category(dst) is None and _settle_target(ctx, src, dst, implicit, first):
        return
    if ctx.category(src) is None and not implicit and (first or concrete(dst) in _QUANTIZED):
        ctx.is_float(src)
    if ctx.category(src) is None:
        ctx.prefer(fn("not", fn("is_float", src)), f"only integer `{show(src)}` is converted here")
    if "float" in (ctx.category(src), ctx.category(dst)):
        return
    if ctx.category(dst) is None:
        ctx.prefer(fn("is_integral", dst), f"only integer `{show(dst)}` is converted here")


def are_integers(ctx: Ctx, a: Expr, b: Expr) -> bool:
    """Whether two dtypes are integers: then one entry serves all widths. Only kernels with many paths ask so; in others,
    equal dtypes have an entry without a cast."""
    if ctx.path.forks is None or (concrete(a) is not None and concrete(b) is not None):
        return False
    known, other = (a, b) if ctx.category(a) == "int" else (b, a)
    if ctx.category(known) != "int" or (ctx.category(other) is None and concrete(known) is None):
        return False
    return ctx.path.decide(fn("is_integral", other))


def _settle_target(ctx: Ctx, src: Expr, dst: Expr, implicit: bool, first: bool) -> bool:
    """Decide what is cast to, as far as the cast needs it; whether that is all it needs. ``first``: no arrays of different
    dtypes have met before, so this cast may be what the kernel is for."""
    if implicit and ctx.category(src) == "bool" and ctx.path.decide(fn("is_bool", dst)):
        return True
    if implicit and isinstance(dst, Fn) and len(distinct_params(dst)) == 1:
        return ctx.is_float(dst)  # positions that meet an array's elements: frequencies, or more positions
    if implicit and ctx.category(src) in ("int", "bool"):
        ctx.prefer(fn("is_integral", dst), f"only integer `{show(dst)}` is converted here")
        return False
    # An index or a count is stored as what the caller likes.
    return ctx.is_float(dst) if first or ctx.category(src) == "int" else ctx.prefer_float(dst)

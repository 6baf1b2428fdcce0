"""Parameters that a path never reads: what they take up in the launch's argument list, which their use cannot show."""

from __future__ import annotations

from dataclasses import replace

from cutile2rs.ir.core import Array, ParamInfo, TileType, Value
from cutile2rs.ir.expr import Expr, Param, fn
from cutile2rs.lowering import arrays
from cutile2rs.lowering.context import Ctx

#: How many parameters that a kernel never reads may each be an int or an array; further ones are ints.
MAX_FORMS = 2


def settle(ctx: Ctx, info: ParamInfo) -> ParamInfo:
    """What a parameter takes up in the launch's argument list, at the end of a path that may not have shown it."""
    if info.kind in ("array", "list"):
        return _array(ctx, info)
    if info.kind != "scalar":
        return info
    number = is_number(info.name)
    if info.name not in ctx.scalars:
        if not (info.number or info.annotated is not None or _is_passed_as_number(ctx, info)):
            is_array = fn("is_array", Param(f"form({info.name})", "str"))
            ctx.path.require(is_array, _no_form(info, "a number or an array"), always=True)
            ctx.arrays[info.name] = Array(info.name, 0, Param(f"dtype({info.name})", "dtype"), len(ctx.arrays))
            return _array(ctx, info)
        assert info.dtype is not None
        ctx.scalars[info.name] = Value(TileType(info.dtype), info.name)
    ctx.path.require(number, f"`{info.name}` is a number in the kernel", always=True)
    return info


def _is_passed_as_number(ctx: Ctx, info: ParamInfo) -> bool:
    """Which of both a parameter is that the kernel does not compute with."""
    number = is_number(info.name)
    asked = sum(1 for e, _ in ctx.path.taken if isinstance(e, Param) and e.name.startswith("scalar("))
    return ctx.path.decide(number) if asked < MAX_FORMS else ctx.path.prefer(number, _no_form(info, "a number"))


def _no_form(info: ParamInfo, allowed: str) -> str:
    return f"`{info.name}` is not used by the kernel; it is converted as {allowed}"


def is_number(name: str) -> Expr:
    """What an entry asks of a parameter that is a number in it."""
    return Param(f"scalar({name})", "bool")


def _array(ctx: Ctx, info: ParamInfo) -> ParamInfo:
    """An array, as far as the path shows one: where it reads none, or only some of its launches do, a launch may pass a
    stand-in of any rank."""
    array = ctx.arrays[info.name]
    if array.rank == 0 and not array.is_list and not any(op.attrs.get("array") is array for op in ctx.block.walk()):
        array.rank, array.unused = min(array.ranks, default=1), True
        return replace(info, kind="array", rank=array.rank, open=True)
    rank = arrays.rank_of(ctx, array)
    shown = arrays.has_rank(info.name, info.kind, rank)
    always = shown in ctx.path.required or ctx.path.settled(shown) is True
    return replace(info, rank=rank, open=not always and not array.is_list)

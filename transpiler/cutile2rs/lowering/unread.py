"""Parameters that a path never reads: what they take up in the launch's argument list, which their use cannot show."""

from __future__ import annotations

from dataclasses import replace

from cutile2rs.ir.core import Array, ParamInfo, TileType, Value
from cutile2rs.ir.expr import Expr, Param
from cutile2rs.lowering import arrays
from cutile2rs.lowering.context import Ctx

#: How many parameters that a kernel never reads may each be an int or an array; further ones are ints.
MAX_FORMS = 2
#: The ranks that an array which the kernel never mentions may have, ...
STAND_IN_RANKS = (1, 2, 3, 4)
#: ... where so few answers were given on the way, and where more were.
FEW_ANSWERS = 6
USUAL_RANKS = STAND_IN_RANKS[:3]


def settle(ctx: Ctx, info: ParamInfo) -> ParamInfo:
    """What a parameter takes up in the launch's argument list, at the end of a path that may not have shown it."""
    if info.kind in ("array", "list"):
        return replace(info, rank=_rank_at_end(ctx, ctx.arrays[info.name]))
    if info.kind != "scalar":
        return info
    number = is_number(info.name)
    if info.name not in ctx.scalars:
        if not (info.number or info.annotated is not None or _is_passed_as_number(ctx, info)):
            rank = _stand_in_rank(ctx, info)
            ctx.arrays[info.name] = Array(info.name, rank, Param(f"dtype({info.name})", "dtype"), len(ctx.arrays))
            return replace(info, kind="array", rank=rank)
        assert info.dtype is not None
        ctx.scalars[info.name] = Value(TileType(info.dtype), info.name)
    ctx.path.require(number, f"`{info.name}` is a number in the kernel", always=True)
    return info


def _is_passed_as_number(ctx: Ctx, info: ParamInfo) -> bool:
    """Which of both a parameter is that the kernel does not compute with."""
    number = is_number(info.name)
    asked = sum(1 for e, _ in ctx.path.taken if isinstance(e, Param) and e.name.startswith("scalar("))
    return ctx.path.decide(number) if asked < MAX_FORMS else ctx.path.prefer(number, _no_form(info, "a number"))


def _stand_in_rank(ctx: Ctx, info: ParamInfo) -> int:
    """The rank of an array that the kernel never mentions. Each is an entry of its own: where there are many ways through
    the kernel, fewer are made."""
    ranks = STAND_IN_RANKS if len(ctx.path.taken) < FEW_ANSWERS else USUAL_RANKS
    for rank in ranks[:-1]:
        if ctx.path.decide(arrays.has_rank(info.name, "array", rank)):
            return rank
    allowed = f"a number or an array of rank {' or '.join(map(str, ranks))}"
    ctx.path.prefer(arrays.has_rank(info.name, "array", ranks[-1]), _no_form(info, allowed))
    return ranks[-1]


def _no_form(info: ParamInfo, allowed: str) -> str:
    return f"`{info.name}` is not used by the kernel; it is converted as {allowed}"


def is_number(name: str) -> Expr:
    """What an entry asks of a parameter that is a number in it."""
    return Param(f"scalar({name})", "bool")


def _rank_at_end(ctx: Ctx, array: Array) -> int:
    """An array's rank at the end of a path. For one that was not used on it, a launch may pass a stand-in: an array of the
    rank that it has where it is used, or an empty one of rank 1."""
    if array.rank == 0 and array.ranks and not array.is_list:
        array.ranks = tuple(r for r in dict.fromkeys((*array.ranks, 1)) if r >= array.least)
        guessed, rank = array.guessed, arrays.rank_of(ctx, array)
        array.guessed = guessed
        array.unused = True
        return rank
    return arrays.rank_of(ctx, array)

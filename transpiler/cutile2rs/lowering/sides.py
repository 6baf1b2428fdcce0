"""What only launches on some sides of constant branches must fulfil. A side is what holds on it, outer conditions first."""

from __future__ import annotations

from functools import reduce

from cutile2rs.ir.expr import Expr, Fn, fn

Side = tuple[Expr, ...]


def implied(side: Side, condition: Expr) -> Expr:
    """That a condition holds for launches on this side; where it is no side, for all."""
    return reduce(lambda e, fact: fn("bitor", fn("not", fact), e), side, condition)


def joined(sides: tuple[Side, ...], side: Side) -> tuple[Side, ...]:
    """These sides and one more; both sides of one branch are the whole that it stands in."""
    if any(side[: len(known)] == known for known in sides):
        return sides
    if side and (opposite := (*side[:-1], fn("not", side[-1]))) in sides:
        return joined(tuple(known for known in sides if known != opposite), side[:-1])
    return (*(known for known in sides if known[: len(side)] != side), side)


#: What is asked of a dtype, or of two, that an entry's text depends on.
_CATEGORIES = frozenset({"eq", "not", "is_float", "is_integral", "is_bool", "is_signed", "is_unrestricted_float"})


def shapes_text(condition: Expr) -> bool:
    """Whether an entry's text depends on a fact: the category of a dtype, a rank, or that two things are one. What one side
    asks of these holds for the whole entry."""
    return isinstance(condition, Fn) and condition.op in _CATEGORIES

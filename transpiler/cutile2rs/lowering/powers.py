"""What holds of every power of two. Sizes of tiles are such, and much of what kernels ask of one has one answer for all:
``n + n == n``, ``n % 2 == 0 or n == 1``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from cutile2rs.ir.expr import EvalError, Expr, Param, distinct_params, evaluate, fn

#: Constants that are sizes fit into 31 bits (`const N: i32` in Rust).
_POWERS = tuple(1 << k for k in range(31))


def truth(condition: Expr, known: Mapping[Expr, bool]) -> bool | None:
    """The truth of a condition on one number that is known to be a power of two; None where that varies, or for others."""
    names = distinct_params(condition)
    if len(names) != 1 or names[0].kind != "int" or not known.get(fn("is_pow2", names[0])):
        return None
    return _of_all(condition, names[0])


@cache
def _of_all(condition: Expr, number: Param) -> bool | None:
    found: set[bool] = set()
    for value in _POWERS:
        try:
            found.add(bool(evaluate(condition, {number.name: value})))
        except EvalError:
            return None
        if len(found) > 1:
            return None
    return found.pop()

"""How unusual the launches of a path are, by their dtypes: kernels with very many paths get entries for the usual ones.

As a rule all arrays of floats that a launch passes have one dtype, and all arrays of integers. The measure is how many
arrays depart from that.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.expr import Expr, Fn, Param, distinct_params
from cutile2rs.lowering.dtype_tables import table

#: Questions about a dtype of which either answer is usual.
_OPEN = frozenset({"eq", "ne", "bits"})

#: What the floats of a launch are as a rule; bfloat16 differs from float16 in no fact that splits paths.
_MAIN = (dt.FLOAT16, dt.FLOAT32)
#: What an array may be that departs from the rule, the most usual first, ...
_OTHERS = (dt.FLOAT32, dt.FLOAT16, dt.BFLOAT16, dt.INT32, dt.INT64, dt.BOOL, dt.FLOAT8_E4M3FN, dt.INT8)
#: ... where so many may.
_DEPARTURES = 2

_Domains = tuple[tuple[dt.DType, ...], ...]


def is_departure(condition: Expr) -> bool:
    """Whether a launch departs from the rule for which a condition does not hold: others ask first for the kind of dtype that
    their use of an array suggests."""
    names = distinct_params(condition)
    return len(names) == 1 and names[0].kind == "dtype" and isinstance(condition, Fn) and condition.op not in _OPEN


@cache
def rarity(names: tuple[Param, ...], domains: _Domains, relations: tuple[Expr, ...]) -> int:
    """The least number of dtypes that depart from the rule in a launch for which all relations hold. ``domains`` are the
    dtypes that each parameter may have."""
    return min(_departures(names, domains, relations, main) for main in _MAIN)


def _departures(names: tuple[Param, ...], domains: _Domains, relations: tuple[Expr, ...], main: dt.DType) -> int:
    usual = {p: _usual(domain, main) for p, domain in zip(names, domains, strict=True)}
    forced = sum(1 for d in usual.values() if dt.is_float(d) and d != main)
    for n in range(_DEPARTURES + 1):
        if any(_holds(relations, {**usual, **other}) for other in _others(names, domains, usual, n)):
            return forced + n
    return forced + _DEPARTURES + 1


def _usual(domain: tuple[dt.DType, ...], main: dt.DType) -> dt.DType:
    return next((d for d in (main, *_OTHERS) if d in domain), domain[0] if domain else main)


def _others(
    names: tuple[Param, ...], domains: _Domains, usual: dict[Param, dt.DType], n: int
) -> Iterator[dict[Param, dt.DType]]:
    """All ways in which ``n`` parameters depart from what is usual."""
    possible = {
        p: [d for d in _OTHERS if d in domain and d != usual[p]] for p, domain in zip(names, domains, strict=True)
    }
    for chosen in combinations(names, n):
        for dtypes in product(*(possible[p] for p in chosen)):
            yield dict(zip(chosen, dtypes, strict=True))


def _holds(relations: tuple[Expr, ...], dtypes: dict[Param, dt.DType]) -> bool:
    for relation in relations:
        names = distinct_params(relation)
        if table(relation, names)(tuple([dtypes[p] for p in names])) is not True:
            return False
    return True

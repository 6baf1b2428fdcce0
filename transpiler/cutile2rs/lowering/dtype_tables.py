"""What an expression of dtypes can be, over all dtypes that its parameters may have; computed once for all paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.expr import EvalError, Expr, Param, distinct_params, evaluate, substitute

_UNDEFINED = object()


@cache
def values(
    e: Expr, names: tuple[Param, ...], domains: tuple[tuple[dt.DType, ...], ...], relations: tuple[Expr, ...]
) -> frozenset[Any]:
    """Up to two values of a dtype expression; other paths ask the same."""
    result: set[Any] = set()
    known = table(e, names)
    for combination in combinations_of(names, domains, relations):
        value = known(combination)
        if value is not _UNDEFINED:
            result.add(value)
            if len(result) > 1:
                break
    return frozenset(result)


def combinations_of(
    names: tuple[Param, ...], domains: tuple[tuple[dt.DType, ...], ...], relations: tuple[Expr, ...]
) -> Iterator[tuple[dt.DType, ...]]:
    """The dtypes that these parameters may have together."""
    return iter(_related(names, domains, relations)) if relations else product(*domains)


@cache
def _related(
    names: tuple[Param, ...], domains: tuple[tuple[dt.DType, ...], ...], relations: tuple[Expr, ...]
) -> tuple[tuple[dt.DType, ...], ...]:
    """The combinations for which all relations hold; other paths ask for the same."""
    found: Iterable[tuple[dt.DType, ...]] = product(*domains)
    for relation in relations:
        at = tuple(map(names.index, distinct_params(relation)))
        known = table(relation, distinct_params(relation))
        found = [c for c in found if known(tuple([c[i] for i in at])) is True]
    return tuple(found)


class _Table:
    """The values of a dtype expression by its parameters' dtypes, computed when first asked for."""

    def __init__(self, e: Expr, size: int):
        self._e = e
        self._names = [f"${i}" for i in range(size)]
        self._values: dict[tuple[dt.DType, ...], Any] = {}

    def __call__(self, combination: tuple[dt.DType, ...]) -> Any:
        if combination not in self._values:
            try:
                self._values[combination] = evaluate(self._e, dict(zip(self._names, combination, strict=True)))
            except EvalError:
                self._values[combination] = _UNDEFINED
        return self._values[combination]


_TABLES: dict[Expr, _Table] = {}


def table(e: Expr, names: tuple[Param, ...]) -> _Table:
    """The shared table of an expression: the same for all arrays, whatever their names."""
    mapping: dict[Expr, Expr] = {p: Param(f"${i}", "dtype") for i, p in enumerate(names)}
    canonical = substitute(e, mapping)
    if canonical not in _TABLES:
        _TABLES[canonical] = _Table(canonical, len(names))
    return _TABLES[canonical]

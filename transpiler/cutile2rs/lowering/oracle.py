"""Decisions over constants and dtypes: each undecided one splits the kernel into entries.

The evaluator is a deterministic function of the kernel and of a list of answers. When it asks something that neither the
literals nor the answers so far decide, the oracle takes the first branch and remembers to run again with the other one.
So an entry's predicate is exactly the list of answers that led to its body; entries are exclusive and exhaustive by
construction, except for launches that cuTile itself refuses, which no entry admits.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.expr import FALSE, TRUE, EvalError, Expr, Fn, Lit, Param, evaluate, fn, params, substitute

MAX_ENTRIES = 64
_MAX_ENUMERATION = 5000


class Illegal(Exception):
    """cuTile itself rejects every launch on this path, with this reason; the path makes no entry."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.node: object = None
        self.file: str | None = None


class NoRule(Exception):
    """Launches on this path are legal in cuTile, but there is no rule for what they need; the path makes no entry."""


@dataclass(slots=True)
class PathState:
    """What is known on one path: answers given so far, the values they fix and what they leave possible."""

    answers: list[bool]
    taken: list[tuple[Expr, bool]] = field(default_factory=list)
    required: list[Expr] = field(default_factory=list)
    known: dict[Expr, bool] = field(default_factory=dict)
    fixed: dict[Param, Expr] = field(default_factory=dict)
    relations: list[Expr] = field(default_factory=list)
    domains: dict[Param, tuple[dt.DType, ...]] = field(default_factory=dict)
    pending: list[list[bool]] = field(default_factory=list)
    _resolved: dict[Expr, Expr] = field(default_factory=dict)
    _truths: dict[Expr, bool | None] = field(default_factory=dict)

    def predicate(self) -> tuple[Expr, ...]:
        """The conjunction under which this path is taken."""
        parts = [e if answer else fn("not", e) for e, answer in self.taken] + self.required
        return tuple(dict.fromkeys(parts))

    def simplify(self, e: Expr) -> Expr:
        """The expression with everything known on this path put in."""
        return substitute(e, self.fixed) if self.fixed else e

    def domain(self, p: Param) -> tuple[dt.DType, ...]:
        """The dtypes a dtype parameter may still have on this path."""
        return self.domains.get(p, dt.ALL)

    def dtype_of(self, e: Expr) -> Expr:
        """A dtype expression, as a literal once only one value is left."""
        e = self.simplify(e)
        if isinstance(e, Lit):
            return e
        if e not in self._resolved:
            self._resolved[e] = self._resolve(e)
        return self._resolved[e]

    def _resolve(self, e: Expr) -> Expr:
        values = self._values(e)
        if len(values) == 1:
            return Lit(next(iter(values)))
        if isinstance(e, Fn):
            for p in dict.fromkeys(params(e)):
                if self._values(fn("eq", e, p)) == {True}:
                    return p
        return e

    def decide(self, condition: Expr) -> bool:
        """The truth of ``condition`` on this path; splits the path where nothing decides it."""
        settled = self.settled(condition)
        if settled is not None:
            return settled
        condition = self.simplify(condition)
        position = len(self.taken)
        if position < len(self.answers):
            answer = self.answers[position]
        else:
            answer = True
            self.pending.append([*self.answers, False])
            self.answers = [*self.answers, True]
        self.taken.append((condition, answer))
        self._learn(condition, answer)
        return answer

    def require(self, condition: Expr, reason: str) -> None:
        """Only launches for which ``condition`` holds stay on this path; cuTile rejects the others with ``reason``."""
        settled = self.settled(condition)
        if settled is True:
            return
        if settled is False:
            raise Illegal(reason)
        condition = self.simplify(condition)
        self.required.append(condition)
        self._learn(condition, True)

    def settled(self, condition: Expr) -> bool | None:
        """The truth of ``condition`` where it is already decided, else None; never splits the path."""
        try:
            condition = self.simplify(condition)
        except EvalError as error:
            raise Illegal(str(error)) from error
        if isinstance(condition, Lit):
            return bool(condition.value)
        if condition in self.known:
            return self.known[condition]
        if not _over_dtypes(condition):
            return None
        if condition not in self._truths:
            values = self._values(condition)
            if not values:
                raise Illegal("no dtypes are left")
            self._truths[condition] = bool(next(iter(values))) if len(values) == 1 else None
        return self._truths[condition]

    def _values(self, e: Expr) -> set[Any]:
        result: set[Any] = set()
        for bindings in self._assignments(e):
            try:
                result.add(evaluate(e, bindings))
            except EvalError:
                continue
            if len(result) > 1:
                break
        return result

    def _assignments(self, e: Expr) -> Iterator[dict[str, Any]]:
        names = list(dict.fromkeys(params(e)))
        size = 1
        for p in names:
            size *= len(self.domain(p)) if p.kind == "dtype" else _MAX_ENUMERATION
        if size > _MAX_ENUMERATION:
            return
        relevant = [r for r in self.relations if set(params(r)) <= set(names)]
        for combination in itertools.product(*(self.domain(p) for p in names)):
            bindings = {p.name: v for p, v in zip(names, combination, strict=True)}
            if all(_holds(r, bindings) for r in relevant):
                yield bindings

    def _learn(self, condition: Expr, answer: bool) -> None:
        self._resolved.clear()
        self._truths.clear()
        fact = condition if answer else fn("not", condition)
        self.known[condition] = answer
        self.known[fact] = True
        self.known[fn("not", fact)] = False
        if isinstance(fact, Fn) and fact.op == "eq":
            self._fix(*fact.args)
        if isinstance(fact, Fn) and fact.op == "is_none":
            self._fix(fact.args[0], Lit(None))
        if isinstance(fact, Param):
            self.fixed[fact] = TRUE
        if isinstance(fact, Fn) and fact.op == "not" and isinstance(fact.args[0], Param):
            self.fixed[fact.args[0]] = FALSE
        if _over_dtypes(fact):
            self._narrow(fact)

    def _fix(self, left: Expr, right: Expr) -> None:
        if isinstance(right, Param) and not isinstance(left, Param):
            left, right = right, left
        if isinstance(left, Param) and left not in self.fixed and left not in set(params(right)):
            if left.kind == "dtype" and isinstance(right, Param):
                shared = tuple(d for d in self.domain(right) if d in self.domain(left))
                self.domains[right] = shared
            self.fixed = {p: substitute(e, {left: right}) for p, e in self.fixed.items()}
            self.fixed[left] = right

    def _narrow(self, fact: Expr) -> None:
        names = list(dict.fromkeys(params(fact)))
        if len(names) == 1:
            [p] = names
            self.domains[p] = tuple(d for d in self.domain(p) if _holds(fact, {p.name: d}))
        else:
            self.relations.append(fact)
            possible = list(self._assignments(fact))
            for p in names:
                seen = {b[p.name] for b in possible}
                if possible:
                    self.domains[p] = tuple(d for d in self.domain(p) if d in seen)


def _over_dtypes(e: Expr) -> bool:
    found = list(params(e))
    return bool(found) and all(p.kind == "dtype" for p in found)


def _holds(e: Expr, bindings: dict[str, Any]) -> bool:
    try:
        return bool(evaluate(e, bindings))
    except EvalError:
        return False

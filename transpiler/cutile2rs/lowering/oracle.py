"""Decisions over constants and dtypes: each undecided one splits the kernel into entries.

The evaluator is a deterministic function of the kernel and of a list of answers. When it asks something that neither the
literals nor the answers so far decide, the oracle takes the first branch and remembers to run again with the other one.
So an entry's predicate is exactly the list of answers that led to its body; entries are exclusive and exhaustive by
construction, except for launches that cuTile itself refuses, which no entry admits, and for those that are refused here
with a reason (:meth:`PathState.prefer`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from math import prod
from typing import Any

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.expr import (
    FALSE,
    TRUE,
    EvalError,
    Expr,
    Fn,
    Lit,
    Param,
    distinct_params,
    fn,
    kind,
    show,
    substitute,
)
from cutile2rs.lowering import dtype_tables, powers
from cutile2rs.lowering.forking import canonical
from cutile2rs.lowering.rarity import is_departure, rarity
from cutile2rs.lowering.sides import Side, implied, joined, shapes_text

#: A kernel with more ways through its dtypes and constants than this gets entries for the first ones.
MAX_ENTRIES = 256
TOO_MANY = "this combination of dtypes and constants has no entry: the kernel has too many, and others are more usual"
_MAX_ENUMERATION = 5000


class Illegal(Exception):
    """cuTile itself rejects every launch on this path, with this reason; the path makes no entry."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.node: object = None
        self.file: str | None = None


class NoRule(Exception):
    """Launches on this path are legal in cuTile, but there is no rule for what they need; the path makes no entry."""


#: A condition and whether it holds.
Fact = tuple[Expr, bool]


@dataclass(frozen=True, slots=True)
class Alternative:
    """A branch not taken because another is preferred: how to take it, when it applies, and what to say if it never is."""

    facts: tuple[Fact, ...]
    predicate: tuple[Expr, ...]
    reason: str
    rarity: int = 0
    """How unusual the launches of this kind are."""


@dataclass(slots=True)
class PathState:
    """What is known on one path: answers given so far, the values they fix and what they leave possible."""

    given: tuple[Fact, ...]
    """The answers that make this path another one than those before."""
    taken: list[Fact] = field(default_factory=list)
    required: list[Expr] = field(default_factory=list)
    known: dict[Expr, bool] = field(default_factory=dict)
    fixed: dict[Expr, Expr] = field(default_factory=dict)
    relations: list[Expr] = field(default_factory=list)
    domains: dict[Param, tuple[dt.DType, ...]] = field(default_factory=dict)
    pending: list[Alternative] = field(default_factory=list)
    alternatives: list[Alternative] = field(default_factory=list)
    mixed: bool = False
    """Whether two arrays are known to differ in dtype here; from then on promotions are written generically."""
    forks: frozenset[Expr] | None = None
    """Constant conditions that split paths although constant branches may stay branches; None: all of them do."""
    usual: frozenset[Expr] = frozenset()
    """What launches need not be for it to be usual ones: cuTile may reject those that are."""
    assumed: list[Expr] = field(default_factory=list)
    """What holds on the sides of the constant branches that are being read."""
    _decided: dict[Expr, tuple[Expr, ...]] = field(default_factory=dict)
    """For what was decided on a side of a constant branch: the sides that it is required on."""
    _sides: dict[Expr, tuple[Side, ...]] = field(default_factory=dict)
    """Of what only some sides require: which."""
    _local: list[tuple[Expr, str]] = field(default_factory=list)
    """What the sides that are being read require of their launches, and why."""
    _initial: dict[Param, tuple[dt.DType, ...]] = field(default_factory=dict)
    _simplified: dict[Expr, Expr] = field(default_factory=dict)
    _resolved: dict[Expr, Expr] = field(default_factory=dict)
    _truths: dict[Expr, bool | None] = field(default_factory=dict)
    _categories: dict[Expr, str | None] = field(default_factory=dict)

    def predicate(self) -> tuple[Expr, ...]:
        """The conjunction under which this path is taken."""
        parts = [e if answer else fn("not", e) for e, answer in self.facts] + self.required
        return tuple(dict.fromkeys(parts))

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What is decided so far, and what was given and has not been asked for yet."""
        return tuple(dict.fromkeys((*self.taken, *self.given)))

    def simplify(self, e: Expr) -> Expr:
        """The expression with everything known on this path put in."""
        if isinstance(e, Lit) or not self.fixed:
            return e
        known = self._simplified.get(e)
        if known is None:
            known = self._simplified[e] = substitute(e, self.fixed)
        return known

    def domain(self, p: Param) -> tuple[dt.DType, ...]:
        """The dtypes a dtype parameter may still have on this path."""
        return self.domains.get(p, dt.ARRAYS)

    def limit(self, p: Param, domain: tuple[dt.DType, ...]) -> None:
        """What a dtype parameter may be at all, if nothing is known of it yet."""
        if p not in self.domains:
            self.domains[p] = self._initial[p] = domain

    def may_branch(self, condition: Expr) -> bool:
        """Whether a branch on a constant may stay a branch: on numbers alone, which no dtype depends on."""
        if self.forks is None or self.settled(condition) is not None or canonical(condition) in self.forks:
            return False
        return all(p.kind in ("int", "bool", "float") for p in distinct_params(condition))

    @contextmanager
    def assuming(self, fact: Expr) -> Iterator[None]:
        """One side of a constant branch. What is decided on it stays decided after it, in this entry as a whole."""
        mixed, local = self.mixed, len(self._local)
        told = len(self.taken), len(self.required)
        before = dict(self.known), dict(self.fixed), list(self.relations), dict(self.domains)
        self.assumed.append(fact)
        self._learn(fact, True)
        try:
            yield
        finally:
            self.assumed.pop()
            self.mixed = mixed
            del self._local[local:]
            if told == (len(self.taken), len(self.required)):
                self.known, self.fixed, self.relations, domains = before
                self.domains = {**self._initial, **domains}
                self._forget()
            else:
                self._learn_anew()

    def _learn_anew(self) -> None:
        self.known, self.fixed, self.relations, self.domains = {}, {}, [], dict(self._initial)
        for condition, answer in self.taken:
            self._learn(condition, answer)
        for fact in (*self.required, *self.assumed):
            self._learn(fact, True)

    def _forget(self) -> None:
        """What follows from what is known must be asked anew."""
        self._simplified.clear()
        self._resolved.clear()
        self._truths.clear()
        self._categories.clear()

    def category(self, e: Expr) -> str | None:
        """float, int or bool where that is known of a dtype, else None."""
        if e not in self._categories:
            tests = (("float", "is_float"), ("int", "is_integral"), ("bool", "is_bool"))
            self._categories[e] = next((name for name, test in tests if self.settled(fn(test, e)) is True), None)
        return self._categories[e]

    def dtype_of(self, e: Expr) -> Expr:
        """A dtype expression, as a literal once only one value is left, or as the parameter that it always equals."""
        e = self.simplify(e)
        if isinstance(e, Lit):
            return e
        if e not in self._resolved:
            self._resolved[e] = self._resolve(e)
        return self._resolved[e]

    def _resolve(self, e: Expr) -> Expr:
        values = self._values(e)
        if values is not None and len(values) == 1:
            return Lit(next(iter(values)))
        if isinstance(e, Fn):
            for p in distinct_params(e):
                if self._values(fn("eq", e, p)) == frozenset({True}):
                    return p
        return e

    def decide(self, condition: Expr) -> bool:
        """The truth of ``condition`` on this path; splits the path where nothing decides it."""
        settled = self.settled(condition)
        if settled is not None:
            return settled
        condition = self.simplify(condition)
        if self.assumed:
            self._decided[condition] = tuple(self.assumed)
        if condition not in dict(self.given):
            against = (*self.predicate(), fn("not", condition))
            self.pending.append(
                Alternative((*self.facts, (condition, False)), against, TOO_MANY, self._rarity(condition))
            )
        return self._answer(condition)

    def _rarity(self, condition: Expr) -> int:
        """How unusual launches are that would be on this path but for a condition, which does not hold."""
        if self.forks is None:
            return 0
        fact = fn("not", condition)
        names = distinct_params(fact)
        asks_dtypes = bool(names) and all(p.kind == "dtype" for p in names)
        relations = [*self.relations, fact] if asks_dtypes else self.relations
        asked = {p: self.domain(p) for r in relations for p in distinct_params(r)}
        domains = {**self.domains, **asked}
        denied = (e for e, answer in (*self.taken, (condition, False)) if not answer and e not in self.usual)
        departures = sum(map(is_departure, denied))
        return departures + rarity(tuple(domains), tuple(domains.values()), tuple(relations))

    def prefer(self, condition: Expr, reason: str, always: bool = False) -> bool:
        """Like :meth:`decide`, but launches for which it does not hold get an entry only if cuTile rejects all those
        for which it does. Else they are refused with ``reason``: no one needs a float kernel's integer twin.

        On one side of a constant branch, launches that take the other one get an entry in any case, unless ``always``."""
        settled = self.settled(condition)
        if settled is not None:
            return settled
        if self.assumed and not always:
            return self.decide(condition)
        condition = self.simplify(condition)
        if condition not in dict(self.given):
            against = (*self.predicate(), fn("not", condition))
            self.alternatives.append(Alternative((*self.facts, (condition, False)), against, reason, int(always)))
        return self._answer(condition)

    def _answer(self, condition: Expr) -> bool:
        answer = dict(self.given).get(condition, True)
        self.taken.append((condition, answer))
        self._learn(condition, answer)
        for required, reason in self._local:
            if self._refuted(required):
                raise Illegal(reason)
        if not answer and any(map(self._refuted, self.required)):
            raise Illegal("cuTile rejects all launches on this path")
        return answer

    def _refuted(self, condition: Expr) -> bool:
        """Whether what one side requires cannot hold, by what is decided since."""
        condition = self.simplify(condition)
        return condition == FALSE or self._values(condition) in (frozenset(), frozenset({False}))

    def require(self, condition: Expr, reason: str, always: bool = False, split: bool = True) -> None:
        """Only launches for which ``condition`` holds stay on this path; cuTile rejects the others with ``reason``.

        Of a constant branch's side, only launches that take it must, or all (``always``); ``split``: others get an entry."""
        settled = self.settled(condition)
        if settled is True:
            self._confirm(self.simplify(condition))
            return
        if settled is False:
            raise Illegal(reason)
        condition = self.simplify(condition)
        if always or not self.assumed:
            self.required.append(condition)
            self._learn(condition, True)
        elif split and shapes_text(condition):
            if not self.decide(condition):
                raise Illegal(reason)
        else:
            before = self._sides.get(condition, ())
            after = self._sides[condition] = joined(before, tuple(self.assumed))
            gone = {implied(side, condition) for side in before}
            self.required = [e for e in self.required if e not in gone] + [implied(side, condition) for side in after]
            self._truths.clear()
            self._categories.clear()
            self.known[condition] = True  # until this side ends
            self._local.append((condition, reason))

    def _confirm(self, condition: Expr) -> None:
        """Note that what was decided on one side of a constant branch is required elsewhere too. Where all launches require
        it, those for which it does not hold need no path."""
        where = self._decided.get(condition)
        if not where:
            return
        here = tuple(self.assumed)
        if where[: len(here)] == here:
            where = here
        elif where[:-1] == here[:-1] and where[-1] == fn("not", here[-1]):
            where = here[:-1]
        self._decided[condition] = where
        if not where:
            self.pending = [a for a in self.pending if a.facts[-1] != (condition, False)]

    def settled(self, condition: Expr) -> bool | None:
        """The truth of ``condition`` where it is already decided, else None; never splits the path."""
        if condition not in self._truths:
            self._truths[condition] = self._settle(condition)
        return self._truths[condition]

    def _settle(self, condition: Expr) -> bool | None:
        if condition in self.known:  # as it was asked before something was put in
            return self.known[condition]
        try:
            condition = self.simplify(condition)
        except EvalError as error:
            raise Illegal(str(error)) from error
        if isinstance(condition, Lit):
            return bool(condition.value)
        if condition in self.known:
            return self.known[condition]
        values = self._values(condition)
        if values is None:
            return powers.truth(condition, self.known)
        if not values:
            raise Illegal("no dtypes are left")
        return bool(next(iter(values))) if len(values) == 1 else None

    def _values(self, e: Expr) -> frozenset[Any] | None:
        """Up to two values that a dtype expression can have here; None if it cannot be enumerated."""
        names = distinct_params(e)
        if not names or any(p.kind != "dtype" for p in names):
            return None
        domains = tuple(self.domain(p) for p in names)
        if prod(map(len, domains)) > _MAX_ENUMERATION:
            return None
        return dtype_tables.values(e, names, domains, self._relevant(names))

    def _relevant(self, names: tuple[Param, ...]) -> tuple[Expr, ...]:
        own = set(names)
        return tuple(r for r in self.relations if own.issuperset(distinct_params(r)))

    def _learn(self, condition: Expr, answer: bool) -> None:
        self._forget()
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
        names = distinct_params(fact)
        if names and all(p.kind == "dtype" for p in names):
            self._narrow(fact, names)

    def _fix(self, left: Expr, right: Expr) -> None:
        if isinstance(right, Param) and not isinstance(left, Param):
            left, right = right, left
        if isinstance(left, Param) and left not in self.fixed and left not in distinct_params(right):
            if left.kind == "dtype" and isinstance(right, Param):
                self.domains[right] = tuple(d for d in self.domain(right) if d in self.domain(left))
            self._replace(left, right)
        elif kind(left) == kind(right) and kind(left) in ("int", "dtype"):
            # Two ways to compute one size (or dtype) are one from here on: the longer one is written as the shorter.
            if not isinstance(left, Fn) or (isinstance(right, Fn) and len(show(right)) > len(show(left))):
                left, right = right, left
            if isinstance(left, Fn) and substitute(right, {left: Lit(0)}) == right:
                self._replace(left, right)

    def _replace(self, left: Expr, right: Expr) -> None:
        self.fixed = {p: substitute(e, {left: right}) for p, e in self.fixed.items()}
        self.fixed[left] = right

    def _narrow(self, fact: Expr, names: tuple[Param, ...]) -> None:
        if len(names) == 1:
            table = dtype_tables.table(fact, names)
            self.domains[names[0]] = tuple(d for d in self.domain(names[0]) if table((d,)) is True)
            return
        self.relations.append(fact)
        domains = tuple(self.domain(p) for p in names)
        if prod(map(len, domains)) > _MAX_ENUMERATION:
            return
        possible = list(dtype_tables.combinations_of(names, domains, self._relevant(names)))
        for i, p in enumerate(names):
            seen = {c[i] for c in possible}
            if possible:
                self.domains[p] = tuple(d for d in self.domain(p) if d in seen)
        # Dtypes that are equal in all that is left are one generic: rustc has to see that they are.
        for i, j in combinations(range(len(names)), 2):
            if possible and all(c[i] == c[j] for c in possible):
                self._fix(names[j], names[i])

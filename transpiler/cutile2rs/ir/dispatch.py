"""Choosing the entry of a launch: the table that verification, the C ABI and the Python wrapper share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cutile2rs.ir.dtypes import DType
from cutile2rs.ir.expr import EvalError, evaluate, from_json


class NoEntry(LookupError):
    """No entry serves this launch; the message says why."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen entry and the values of its generics, as cuTile Rust's compiler takes them."""

    entry: Mapping[str, Any]
    generics: list[str]


def holds(predicate: list[Any], bindings: Mapping[str, Any]) -> bool:
    """Whether every part of a conjunction is true; a part that cannot be evaluated is not."""
    try:
        return all(bool(evaluate(from_json(part), bindings)) for part in predicate)
    except EvalError:
        return False


def choose(kernel: Mapping[str, Any], bindings: Mapping[str, Any]) -> Choice:
    """The entry of a manifest's kernel for constants by name and dtypes as ``dtype(x)``."""
    _check_constants(kernel, bindings)
    serving = [e for e in kernel["entries"] if any(holds(p, bindings) for p in e["predicates"])]
    if not serving:
        raise NoEntry(_reason(kernel, bindings))
    if len(serving) > 1:
        raise NoEntry(f"internal error: {len(serving)} entries serve this launch")
    [entry] = serving
    return Choice(entry, [_generic(g, bindings) for g in entry["generics"]])


def _check_constants(kernel: Mapping[str, Any], bindings: Mapping[str, Any]) -> None:
    """A constant of another type than it is declared with is none that the entries were made for.

    cuTile does not look at the annotation: 2.5 for a ``Constant[int]`` stays 2.5 there, and promotes as a float.
    """
    for param in kernel["params"]:
        name, declared = param["name"], param.get("constant_kind", "any")
        if declared == "any" or name not in bindings:
            continue
        given = type(bindings[name]).__name__
        if given != declared:
            raise NoEntry(
                f"`{name}` is declared Constant[{declared}], but {bindings[name]!r} is passed: no entry serves that"
            )


def _reason(kernel: Mapping[str, Any], bindings: Mapping[str, Any]) -> str:
    for refused in kernel["refused"]:
        if holds(refused["predicate"], bindings):
            return str(refused["reason"])
    return "no entry serves this combination of dtypes and constants"


def _generic(generic: Mapping[str, Any], bindings: Mapping[str, Any]) -> str:
    try:
        value = evaluate(from_json(generic["value"]), bindings)
    except EvalError as error:
        raise NoEntry(f"{generic['name']} has no value: {error}") from error
    if isinstance(value, DType):
        return value.rust
    if not -(2**31) <= int(value) < 2**31:
        raise NoEntry(f"{generic['name']} = {value} does not fit a 32-bit const generic")
    return str(int(value))

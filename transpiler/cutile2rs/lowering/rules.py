"""The rules table: which constructs are known, their parameters, what lowers them, and the Rust of each IR operation.

The rows are data (``rules/*.toml``). This module reads them and binds a call's arguments to a row's parameters.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from cutile2rs.ir.expr import Lit
from cutile2rs.lowering.values import External, PyValue, Static, loose

#: ``lower`` of the rows that only say why a construct has no rule, whatever its arguments.
MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a construct. ``kind``: positional, any or keyword (only)."""

    name: str
    kind: str
    default: PyValue | None


@dataclass(frozen=True, slots=True)
class Rule:
    """One construct: its Python name, its parameters, and the lowering that it calls with fixed arguments."""

    python: str
    signature: str
    lower: str
    args: Mapping[str, Any]
    family: str
    note: str

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters, read off the signature when first asked for: most rows are not used in a run."""
        return _parse_signature(self.signature)


@dataclass(frozen=True, slots=True)
class RustForm:
    """The Rust of one IR operation: chosen by ``when`` (attributes and operand traits), ``nest`` if it may stand inside
    another expression, ``tiles`` if Rust scalars must become 0-d tiles for it."""

    op: str
    when: Mapping[str, Any]
    text: str
    nest: bool
    family: str
    tiles: bool = False


class BindError(ValueError):
    """A call does not fit the construct's parameters."""


def _default(node: ast.expr) -> PyValue:
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, (bool, int, float)):
            return loose(Lit(value))
        return Static(value)
    return External(ast.unparse(node).replace("ct.", "cuda.tile.", 1))


@cache
def _parse_signature(text: str) -> tuple[Parameter, ...]:
    function = ast.parse(f"def f({text}): pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    a = function.args
    positional = [*a.posonlyargs, *a.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(a.defaults)) + list(a.defaults)
    result = [
        Parameter(p.arg, "positional" if p in a.posonlyargs else "any", None if d is None else _default(d))
        for p, d in zip(positional, defaults, strict=True)
    ]
    for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True):
        result.append(Parameter(p.arg, "keyword", None if d is None else _default(d)))
    return tuple(result)


@cache
def _tables() -> tuple[dict[str, Rule], dict[str, list[RustForm]]]:
    rules: dict[str, Rule] = {}
    forms: dict[str, list[RustForm]] = {}
    folder = files("cutile2rs.rules")
    for path in sorted((p for p in folder.iterdir() if p.name.endswith(".toml")), key=lambda p: p.name):
        family = path.name.removesuffix(".toml")
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        for row in data.get("rule", []):
            names = row["python"] if isinstance(row["python"], list) else [row["python"]]
            for python in names:
                if python in rules:
                    raise ValueError(f"two rules for {python}")
                rules[python] = Rule(
                    python, row["signature"], row["lower"], row.get("args", {}), family, row.get("note", "")
                )  # fmt: skip
        for row in data.get("rust", []):
            for op in row["op"] if isinstance(row["op"], list) else [row["op"]]:
                form = RustForm(
                    op, row.get("when", {}), row["text"].replace("{op}", op), row.get("nest", False), family,
                    row.get("tiles", False),
                )  # fmt: skip
                forms.setdefault(op, []).append(form)
    return rules, forms


def rule_for(python: str) -> Rule | None:
    """The rule of a construct by its dotted Python name."""
    return _tables()[0].get(python)


def all_rules() -> list[Rule]:
    """Every rule, in the order of the tables."""
    return list(_tables()[0].values())


def rust_forms(op: str) -> list[RustForm]:
    """The Rust forms of an IR operation, most specific first as written."""
    return _tables()[1].get(op, [])


def all_rust_forms() -> list[RustForm]:
    """Every Rust form."""
    return [f for forms in _tables()[1].values() for f in forms]


def bind(rule: Rule, args: list[PyValue], kwargs: dict[str, PyValue]) -> dict[str, PyValue]:
    """Arguments by parameter name, defaults filled in."""
    bound: dict[str, PyValue] = {}
    parameters = rule.parameters
    positional = [p for p in parameters if p.kind != "keyword"]
    if len(args) > len(positional):
        raise BindError(f"{rule.python} takes at most {len(positional)} positional arguments, {len(args)} given")
    for p, v in zip(positional, args, strict=False):
        bound[p.name] = v
    by_name = {p.name: p for p in parameters if p.kind != "positional"}
    for name, v in kwargs.items():
        if name not in by_name:
            raise BindError(f"{rule.python} has no keyword parameter `{name}`")
        if name in bound:
            raise BindError(f"{rule.python} got two values for `{name}`")
        bound[name] = v
    for p in parameters:
        if p.name not in bound:
            if p.default is None:
                raise BindError(f"{rule.python} needs an argument for `{p.name}`")
            bound[p.name] = p.default
    return bound

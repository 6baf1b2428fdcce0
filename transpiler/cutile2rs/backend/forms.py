"""Choosing the Rust of an operation from the rules table and filling it in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cutile2rs.lowering.rules import RustForm, rust_forms

_PRECEDENCE = {"*": 7, "/": 7, "%": 7, "+": 6, "-": 6, "<<": 5, ">>": 5, "&": 4, "^": 3, "|": 2, "==": 1, "!=": 1, "<": 1,
               "<=": 1, ">": 1, ">=": 1}  # fmt: skip
ATOM = 10
_INFIX = re.compile(r"^\{0\} (\S+) (\{1\}|true)$")
_MARKERS = {
    None: "rounding::NearestEven", "zero": "rounding::Zero", "negative_inf": "rounding::NegativeInf",
    "positive_inf": "rounding::PositiveInf", "approx": "rounding::Approx", "full": "rounding::Full",
    "nearest_away": "rounding::NearestAway", "nearest_int_to_zero": "rounding::NearestIntToZero",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Text:
    """Rust text of an expression and how tightly it binds."""

    text: str
    precedence: int = ATOM

    def at(self, precedence: int) -> str:
        """The text where something binding at least this tightly is needed."""
        return self.text if self.precedence >= precedence else f"({self.text})"


def choose(op: str, traits: Mapping[str, Any]) -> RustForm | None:
    """The first form whose conditions all hold; ``"*"`` means: present."""
    for form in rust_forms(op):
        if all((traits.get(k) is not None) if v == "*" else traits.get(k) == v for k, v in form.when.items()):
            return form
    return None


def fill(form: RustForm, operands: list[Text], traits: Mapping[str, Any]) -> Text:
    """The form with operands and attributes put in, parenthesised where precedence asks. ``{rest}``: further operands."""
    infix = _INFIX.match(form.text)
    if infix:
        p = _PRECEDENCE[infix.group(1)]
        right = operands[1].at(p + 1) if infix.group(2) != "true" else "true"
        # Rust's comparisons do not chain, so their left side needs parentheses at the same level too.
        return Text(f"{operands[0].at(p if p > 1 else 2)} {infix.group(1)} {right}", p)
    marks = {
        "rounding": _MARKERS[traits.get("rounding")],
        "ftz": f"ftz::{'Enabled' if traits.get('ftz') else 'Disabled'}",
    }

    def put(match: re.Match[str]) -> str:
        key = match.group(1)
        if key == "rest":
            named = max(map(int, re.findall(r"\{(\d)\}", form.text)), default=-1)
            return ", ".join(o.text for o in operands[named + 1 :])
        if key.isdigit():
            after = form.text[match.end() :]
            tight = after.startswith(".") or _in_infix(form.text, match)
            return operands[int(key)].at(ATOM if tight else 0)
        return marks[key] if key in marks else str(traits[key])

    return Text(re.sub(r"\{(\w+)\}", put, form.text))


def _in_infix(text: str, match: re.Match[str]) -> bool:
    around = text[max(0, match.start() - 3) : match.start()] + text[match.end() : match.end() + 3]
    return bool(re.search(r" [-+*/&|^] ", around))

"""Each pass on small kernels: the IR before and after it, as recorded in ``cases/PASS.txt``.

A case is a ``[case NAME]`` line, Python, ``[before]``, IR, ``[after]``, IR. ``CUTILE2RS_UPDATE=1 pytest tests/passes``
records the IR anew; read the difference before you commit it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from cutile2rs.passes import PASSES

from tests.kernels import body_text, lowered_from

CASES = Path(__file__).parent / "cases"
ORDER = [name for name, _ in PASSES]


@dataclass(frozen=True)
class Case:
    """One case of a file."""

    file: Path
    name: str
    python: str
    before: str
    after: str


def _read(file: Path) -> list[Case]:
    cases = []
    for part in re.split(r"^\[case ", file.read_text(encoding="utf-8"), flags=re.M)[1:]:
        name, _, rest = part.partition("]\n")
        python, _, rest = rest.partition("[before]\n")
        before, _, after = rest.partition("[after]\n")
        cases.append(Case(file, name, python.strip() + "\n", before.strip() + "\n", after.strip() + "\n"))
    return cases


ALL = [case for file in sorted(CASES.glob("*.txt")) for case in _read(file)]


def _body(python: str, stop_after: str) -> str:
    """The body of the kernel's first entry: the one for arrays of one dtype, where that matters."""
    return body_text(lowered_from(python, stop_after).entries[0])


def _made(case: Case) -> tuple[str, str]:
    position = ORDER.index(case.file.stem)
    previous = ORDER[position - 1] if position else "none"
    return _body(case.python, previous), _body(case.python, case.file.stem)


@pytest.mark.parametrize("case", ALL, ids=lambda c: f"{c.file.stem}-{c.name}")
def test_case(case: Case) -> None:
    before, after = _made(case)
    if os.environ.get("CUTILE2RS_UPDATE"):
        text = case.file.read_text(encoding="utf-8")
        start = text.index(f"[case {case.name}]")
        end = text.find("\n[case ", start)
        block = f"[case {case.name}]\n{case.python}[before]\n{before}[after]\n{after}"
        case.file.write_text(text[:start] + block + (text[end:] if end >= 0 else ""), encoding="utf-8")
        return
    assert before == case.before
    assert after == case.after


def test_every_pass_that_rewrites_has_cases() -> None:
    assert {c.file.stem for c in ALL} >= {"dce", "token_order", "fma", "code_motion", "cse"}

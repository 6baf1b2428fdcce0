"""Diagnostics as text, JSON lines and SARIF."""

from __future__ import annotations

import json

import pytest
from cutile2rs.diagnostics import (
    CODES,
    CutileError,
    Diagnostic,
    Severity,
    Span,
    error,
    render_json_lines,
    render_text,
    sorted_diagnostics,
    to_sarif,
    warning,
)

SOURCE = "first\n\tx = foo(b)\né = '日本' + bad\nlong(\n    1,\n    2,\n    3,\n    4,\n    5,\n    6)\n"


def render(diagnostic: Diagnostic) -> str:
    return render_text([diagnostic], lambda _file: SOURCE)


def test_text() -> None:
    found = error("C2R201", "no `foo`", Span("a.py", 2, 6, 2, 12), help="use `bar`\nor `baz`", notes=["see line 1"])
    assert render(found) == (
        "error[C2R201]: no `foo`\n"
        " --> a.py:2:6\n"
        "  |\n"
        "2 |     x = foo(b)\n"
        "  |         ^^^^^^\n"
        "  |\n"
        "  = help: use `bar`\n"
        "          or `baz`\n"
        "  = note: see line 1\n"
    )


def test_wide_characters() -> None:
    text = render(warning("C2R103", "wide", Span("a.py", 3, 12, 3, 15)))
    assert text.splitlines()[-2:] == ["3 | é = '日本' + bad", "  |              ^^^"]
    assert text.startswith("warning[C2R103]")


def test_many_lines() -> None:
    lines = render(error("C2R201", "m", Span("a.py", 4, 1, 10, 7))).splitlines()
    assert lines[3:5] == [" 4 | long(", "   | ^^^^^"]
    assert "..." in lines
    assert lines[-2:] == ["10 |     6)", "   |     ^^"]


def test_no_span_and_missing_file() -> None:
    assert render_text([error("C2R001", "no such file: x", help="check")]) == (
        "error[C2R001]: no such file: x\n = help: check\n"
    )
    located = error("C2R201", "m", Span("/nowhere/a.py", 4, 1, 4, 2))
    assert render_text([located]) == "error[C2R201]: m\n --> /nowhere/a.py:4:1\n"
    assert render(error("C2R201", "m", Span("a.py", 99, 1, 99, 2))).count("\n") == 2


def test_control_characters_are_shown_harmless() -> None:
    text = render_text([error("C2R201", "a\x1b[31mb", Span("a.py", 1, 1, 1, 2))], lambda _file: "\x1b]0;x\x07\u202e")
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "\u202e" not in text


def test_colour() -> None:
    plain = error("C2R201", "m", Span("a.py", 1, 1, 1, 2))
    assert "\x1b[1;31merror[C2R201]" in render_text([plain], lambda _file: SOURCE, colour=True)


def test_json_lines() -> None:
    lines = render_json_lines([error("C2R201", "é", Span("a.py", 1, 2, 3, 4)), error("C2R001", "m")]).splitlines()
    first, second = (json.loads(line) for line in lines)
    assert first["span"] == {"file": "a.py", "line": 1, "col": 2, "end_line": 3, "end_col": 4}
    assert second["span"] is None
    assert second["severity"] == "error"


def test_sarif() -> None:
    found = [error("C2R201", "m", Span("dir/a b.py", 1, 2, 3, 4), help="h"), warning("C2R103", "n")]
    log = json.loads(json.dumps(to_sarif(found, "1.0")))
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["C2R103", "C2R201"]
    first, second = run["results"]
    assert first["ruleIndex"] == 1
    assert first["message"]["text"] == "m\nhelp: h"
    location = first["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "dir/a%20b.py"
    assert location["region"] == {"startLine": 1, "startColumn": 2, "endLine": 3, "endColumn": 4}
    assert second["level"] == "warning"
    assert "locations" not in second


def test_codes() -> None:
    assert all(len(code) == 6 and code.startswith("C2R") and text for code, text in CODES.items())
    with pytest.raises(ValueError, match="C2R000"):
        error("C2R000", "m")


def test_order_and_repetition() -> None:
    a = error("C2R201", "m", Span("a.py", 2, 1, 2, 2))
    b = error("C2R201", "m", Span("a.py", 1, 1, 1, 2))
    c = error("C2R001", "m")
    assert sorted_diagnostics([a, b, c, a]) == [c, b, a]


def test_exit_kinds() -> None:
    assert error("C2R001", "m").is_input_error
    assert not error("C2R201", "m").is_input_error
    assert not warning("C2R103", "m").is_error
    assert CutileError(error("C2R001", "m")).diagnostic.severity is Severity.ERROR

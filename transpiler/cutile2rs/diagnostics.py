"""Diagnostics: located messages with stable codes, and their text, JSON and SARIF forms.

Columns are 1-based and count characters, not bytes; `Span.end_col` points one past the last character.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

CODES: dict[str, str] = {
    # Input
    "C2R001": "path does not exist",
    "C2R002": "folder holds no Python file",
    "C2R003": "file is not UTF-8",
    "C2R004": "Python syntax error",
    "C2R005": "file cannot be read",
    "C2R006": "no kernel found",
    "C2R007": "kernel not found",
    "C2R008": "wrong command line",
    # Front end
    "C2R101": "kernel captures variables of its enclosing function",
    "C2R102": "kernel is not a plain function",
    "C2R103": "kernel is defined again later",
    "C2R104": "decorator between the kernel and its function",
    "C2R105": "kernel options are not keyword arguments",
    "C2R106": "name cannot be resolved",
    # Inference of parameters and types
    "C2R201": "unsupported construct",
    "C2R202": "rank or kind of a parameter cannot be inferred",
    "C2R203": "helper functions call each other recursively",
    "C2R204": "tile shape is not a power of two",
    "C2R205": "type error in kernel",
    # Specialization
    "C2R301": "value must be constant",
    # Rules
    "C2R401": "no rule for this construct",
    # Output
    "C2R501": "output folder holds foreign files",
    "C2R502": "output cannot be written",
    # Verification
    "C2R601": "broken line in launches file",
    "C2R602": "launch names an unknown kernel",
    "C2R603": "kernel differs from the Python original",
    "C2R604": "verification tool is missing",
    # Host side
    "C2R701": "host code cannot be rewritten",
    "C2R702": "host code uses cuda.tile as a value",
    "C2R703": "crate cannot be built",
    "C2R704": "launches cannot be recorded",
    "C2R705": "kernels cannot be timed",
    # Tool
    "C2R901": "internal error",
}
"""Every diagnostic code with its one-line description."""


class Severity(StrEnum):
    """How bad a diagnostic is; the values are SARIF's levels."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of source text: 1-based lines and character columns, `end_col` exclusive."""

    file: str
    line: int
    col: int
    end_line: int
    end_col: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.col}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message about the input, located where possible."""

    code: str
    severity: Severity
    message: str
    span: Span | None = None
    help: str | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"unregistered diagnostic code {self.code!r}")

    @property
    def is_error(self) -> bool:
        """Whether this diagnostic makes the command fail."""
        return self.severity is Severity.ERROR

    @property
    def is_input_error(self) -> bool:
        """Whether this diagnostic means unusable input or usage (exit status 2), not an unsupported construct (1)."""
        return self.is_error and (self.code[:4] in ("C2R0", "C2R5", "C2R9") or self.code in ("C2R601", "C2R602"))


def error(
    code: str, message: str, span: Span | None = None, *, help: str | None = None, notes: Iterable[str] = ()
) -> Diagnostic:
    """A diagnostic of severity error."""
    return Diagnostic(code, Severity.ERROR, message, span, help, tuple(notes))


def warning(
    code: str, message: str, span: Span | None = None, *, help: str | None = None, notes: Iterable[str] = ()
) -> Diagnostic:
    """A diagnostic of severity warning."""
    return Diagnostic(code, Severity.WARNING, message, span, help, tuple(notes))


class CutileError(Exception):
    """Carries a diagnostic up to the place that collects them."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def sorted_diagnostics(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Without repetitions, by file and position; those without a span come first."""

    def key(diagnostic: Diagnostic) -> tuple[bool, str, int, int, str, str]:
        span = diagnostic.span
        place = (True, span.file, span.line, span.col) if span else (False, "", 0, 0)
        return (*place, diagnostic.code, diagnostic.message)

    return sorted(dict.fromkeys(diagnostics), key=key)


# ---------------------------------------------------------------------------------------------------------------
# Terminal text

Sources = Callable[[str], str | None]
"""Gives the text of a file, or None."""

_TAB = 4
_MAX_EXCERPT_LINES = 6
_COLOURS = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m", Severity.NOTE: "\x1b[1;36m"}
_BLUE, _BOLD, _RESET = "\x1b[1;34m", "\x1b[1m", "\x1b[0m"


def read_source(file: str) -> str | None:
    """The text of a file on disk with undecodable bytes replaced, or None if there is no such file."""
    try:
        text = Path(file).read_bytes().decode("utf-8-sig", errors="replace")
    except OSError:
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def render_text(diagnostics: Iterable[Diagnostic], sources: Sources = read_source, *, colour: bool = False) -> str:
    """All diagnostics as terminal text, a blank line between two; empty if there are none."""
    cache: dict[str, list[str] | None] = {}

    def lines_of(file: str) -> list[str] | None:
        if file not in cache:
            text = sources(file)
            cache[file] = None if text is None else text.split("\n")
        return cache[file]

    return "\n".join(_render_one(diagnostic, lines_of, colour) for diagnostic in diagnostics)


def _render_one(diagnostic: Diagnostic, lines_of: Callable[[str], list[str] | None], colour: bool) -> str:
    def paint(style: str, text: str) -> str:
        return f"{style}{text}{_RESET}" if colour else text

    tone = _COLOURS[diagnostic.severity]
    head = paint(tone, f"{diagnostic.severity}[{diagnostic.code}]") + paint(_BOLD, f": {_visible(diagnostic.message)}")
    out, margin = [head], ""
    span = diagnostic.span
    if span is not None:
        margin = " " * len(str(span.end_line))
        out.append(f"{margin}{paint(_BLUE, '-->')} {_visible(str(span))}")
        lines = lines_of(span.file)
        if lines is not None and 1 <= span.line <= len(lines):
            bar = paint(_BLUE, "|")
            out.append(f"{margin} {bar}")
            for number, text, carets in _excerpt(span, lines):
                if number is None:
                    out.append(paint(_BLUE, "..."))
                    continue
                out.append(f"{paint(_BLUE, str(number).rjust(len(margin)))} {bar} {text}".rstrip())
                if carets:
                    out.append(f"{margin} {bar} {paint(tone, carets)}")
    if diagnostic.help or diagnostic.notes:
        out.append(f"{margin} {paint(_BLUE, '|')}" if span is not None else "")
    extra = [("help", diagnostic.help)] if diagnostic.help else []
    extra += [("note", note) for note in diagnostic.notes]
    for label, text in extra:
        first, *rest = text.split("\n")
        out.append(f"{margin} {paint(_BLUE, '=')} {paint(_BOLD, label)}: {_visible(first)}")
        out.extend(f"{margin}         {_visible(line)}" for line in rest)
    return "\n".join(line for line in out if line) + "\n"


def _excerpt(span: Span, lines: list[str]) -> list[tuple[int | None, str, str]]:
    """Line number, text and carets of each line to show; number None stands for left-out lines."""
    last = min(max(span.end_line, span.line), len(lines))
    numbers: list[int | None] = list(range(span.line, last + 1))
    if len(numbers) > _MAX_EXCERPT_LINES:
        numbers = [*numbers[: _MAX_EXCERPT_LINES - 2], None, last]
    rows: list[tuple[int | None, str, str]] = []
    for number in numbers:
        if number is None:
            rows.append((None, "", ""))
            continue
        line = lines[number - 1]
        body = len(line) - len(line.lstrip())
        start = span.col - 1 if number == span.line else body
        end = span.end_col - 1 if number == span.end_line else len(line.rstrip())
        start = min(start, len(line))
        before, under = _display(line[:start]), _display(line[start:end])
        width = max(_width(under), 1 if number == span.line else 0)
        rows.append((number, _display(line), " " * _width(before) + "^" * width if width else ""))
    return rows


def _visible(text: str) -> str:
    """Control and direction-changing characters made harmless, so that a source cannot drive the terminal."""
    if text.isascii() and text.isprintable():
        return text
    return "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(c) in ("Cc", "Cf") else c for c in text)


def _display(line: str) -> str:
    return _visible(line.replace("\t", " " * _TAB))


def _width(text: str) -> int:
    """Terminal cells that a text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(bool(unicodedata.combining(c)) for c in text)


# ---------------------------------------------------------------------------------------------------------------
# Machine-readable forms


def to_json(diagnostic: Diagnostic) -> dict[str, object]:
    """A diagnostic as plain data."""
    span = diagnostic.span
    place = {"file": span.file, "line": span.line, "col": span.col} if span else None
    if span is not None and place is not None:
        place |= {"end_line": span.end_line, "end_col": span.end_col}
    return {
        "code": diagnostic.code,
        "severity": str(diagnostic.severity),
        "message": diagnostic.message,
        "span": place,
        "help": diagnostic.help,
        "notes": list(diagnostic.notes),
    }


def render_json_lines(diagnostics: Iterable[Diagnostic]) -> str:
    """One JSON object a line."""
    return "".join(json.dumps(to_json(diagnostic), ensure_ascii=False) + "\n" for diagnostic in diagnostics)


def to_sarif(diagnostics: Iterable[Diagnostic], version: str = "0") -> dict[str, object]:
    """A SARIF 2.1.0 log with one run."""
    found = list(diagnostics)
    used = sorted({diagnostic.code for diagnostic in found})
    rules = [{"id": code, "shortDescription": {"text": CODES[code]}} for code in used]
    driver = {"name": "cutile2rs", "version": version, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_sarif_result(diagnostic, used.index(diagnostic.code)) for diagnostic in found],
            }
        ],
    }


def _sarif_result(diagnostic: Diagnostic, rule_index: int) -> dict[str, object]:
    from urllib.parse import quote

    text = diagnostic.message
    if diagnostic.help:
        text += f"\nhelp: {diagnostic.help}"
    text += "".join(f"\nnote: {note}" for note in diagnostic.notes)
    result: dict[str, object] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule_index,
        "level": str(diagnostic.severity),
        "message": {"text": text},
    }
    span = diagnostic.span
    if span is not None:
        path = Path(span.file)
        uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
        region = {
            "startLine": span.line,
            "startColumn": span.col,
            "endLine": span.end_line,
            "endColumn": span.end_col,
        }
        result["locations"] = [{"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}]
    return result

"""What a benchmark found: a table, JSON, and a plot."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from cutile2rs.diagnostics import CutileError, error

Row = dict[str, Any]


def write(rows: Sequence[Row], json_path: Path | None, plot: Path | None) -> None:
    """Writes the files that were asked for. Raises CutileError where that fails."""
    try:
        for path, text in ((json_path, to_json(rows)), (plot, to_svg(rows) if plot else "")):
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise CutileError(error("C2R705", f"cannot write {problem.filename}: {problem.strerror}")) from problem


def to_json(rows: Sequence[Row]) -> str:
    """All rows with a summary: one object."""
    return json.dumps({"summary": totals(rows), "rows": list(rows)}, indent=1) + "\n"


def totals(rows: Sequence[Row]) -> dict[str, Any]:
    """Counts, and geometric means: device time Python to Rust (above 1: Rust is faster), submit time Rust to Python."""
    compared = [row for row in rows if "error" not in row]
    good = _timed(rows)
    return {
        "launches": len(rows),
        "errors": len(rows) - len(compared),
        "not_timed": len(compared) - len(good),
        "bit_equal": sum(bool(row["bit_equal"]) for row in compared),
        "not_deterministic": sum(not row["deterministic"] for row in compared),
        "device_ratio": geometric_mean(row["device_ratio"] for row in good),
        "device_ratio_least": min((row["device_ratio"] for row in good), default=None),
        "submit_ratio": geometric_mean(row["submit_ratio"] for row in good),
    }


def _timed(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if "device_ratio" in row]


def geometric_mean(values: Iterable[float]) -> float | None:
    """The geometric mean; None of nothing."""
    logs = [math.log(value) for value in values if value > 0]
    return math.exp(sum(logs) / len(logs)) if logs else None


def summary(rows: Sequence[Row]) -> str:
    """A table, one line a kernel, and the totals."""
    head = (
        "kernel",
        "launches",
        "errors",
        "bit-equal",
        "device P/R",
        "least",
        "submit R/P",
        "P us",
        "R us",
        "first P ms",
        "R ms",
    )
    lines = [head, *(_line(name, found) for name, found in _by_kernel(rows).items())]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    text = [
        "  ".join(cell.ljust(width) if not column else cell.rjust(width)
                  for column, (cell, width) in enumerate(zip(line, widths, strict=True))).rstrip()
        for line in lines
    ]  # fmt: skip
    found = totals(rows)
    compared = [row for row in rows if "error" not in row]
    text.append(
        f"\n{found['bit_equal']} of {found['launches']} launches bit-equal, {found['errors']} errors; device time "
        f"Python/Rust {_number(found['device_ratio'])} (least {_number(found['device_ratio_least'])}), submit time "
        f"Rust/Python {_number(found['submit_ratio'])}"
    )
    for field in ("error", "timing_error"):
        text += [f"line {row['line']}, {row['kernel']}: {row[field]}" for row in rows if field in row][:20]
    wrong = [row for row in compared if not row["bit_equal"]]
    text += [f"line {row['line']}, {row['kernel']}: different bits{_excuse(row)}" for row in wrong[:20]]
    return "\n".join(text)


def _excuse(row: Row) -> str:
    return "" if row["deterministic"] else " (the original's differ from launch to launch too)"


def _by_kernel(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(f"{row['module'].rpartition('.')[2]}.{row['kernel']}", []).append(row)
    return dict(sorted(found.items()))


def _line(name: str, rows: Sequence[Row]) -> tuple[str, ...]:
    compared = [row for row in rows if "error" not in row]
    good = _timed(rows)

    def mean(field: str, side: str) -> str:
        return _number(geometric_mean(row[field][side] for row in good), 2)

    return (
        name, str(len(rows)), str(len(rows) - len(compared) or ""),
        str(sum(bool(row["bit_equal"]) for row in compared)),
        _number(geometric_mean(row["device_ratio"] for row in good)),
        _number(min((row["device_ratio"] for row in good), default=None)),
        _number(geometric_mean(row["submit_ratio"] for row in good)),
        mean("device_us", "python"), mean("device_us", "rust"), mean("first_ms", "python"), mean("first_ms", "rust"),
    )  # fmt: skip


def _number(value: float | None, places: int = 4) -> str:
    return "-" if value is None else f"{value:.{places}f}"


_ROW, _LEFT, _WIDTH = 16, 360, 480


def to_svg(rows: Sequence[Row]) -> str:
    """Each kernel's device time ratios (points, Python to Rust) and their mean (line), around the line of equality."""
    kernels = {name: [r["device_ratio"] for r in _timed(found)] for name, found in _by_kernel(rows).items()}
    values = [value for ratios in kernels.values() for value in ratios]
    low, high = min([0.9, *values]), max([1.1, *values])
    height = _ROW * (len(kernels) + 3)

    def x(value: float) -> float:
        return _LEFT + _WIDTH * float(value - low) / float(high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDTH + 40}" height="{height}" font-family="sans-serif" '
        'font-size="11">',
        f'<rect width="{_LEFT + _WIDTH + 40}" height="{height}" fill="white"/>',
        f'<text x="{_LEFT}" y="12">device time, Python / Rust (right of 1: Rust is faster)</text>',
        f'<line x1="{x(1):.1f}" y1="18" x2="{x(1):.1f}" y2="{height - _ROW}" stroke="#888"/>',
    ]
    for number, (name, ratios) in enumerate(kernels.items()):
        y = _ROW * (number + 2)
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        parts += [f'<circle cx="{x(v):.1f}" cy="{y}" r="2.5" fill="#36c" fill-opacity="0.5"/>' for v in ratios]
        mean = geometric_mean(ratios)
        if mean is not None:
            parts.append(
                f'<line x1="{x(mean):.1f}" y1="{y - 6}" x2="{x(mean):.1f}" y2="{y + 6}" stroke="#c33" stroke-width="2"/>'
            )
    for value in (low, 1.0, high):
        parts.append(f'<text x="{x(value):.1f}" y="{height - 3}" text-anchor="middle">{value:.3g}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"

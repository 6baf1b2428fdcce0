"""Launch files: one recorded launch a line, as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

Hint = int | dict[str, int]


class LaunchFileError(Exception):
    """A launch file has a line that is not a launch."""


@dataclass(frozen=True)
class Launch:
    """One launch: a kernel, the signature it is compiled for (in its mangled symbol) and its options."""

    line: int  # 0-based line of the launch file
    module: str
    kernel: str
    symbol: str
    hints: dict[str, Hint | None]
    grid: tuple[int, ...]
    shapes: tuple[tuple[int, ...] | None, ...]


def read_launches(path: Path) -> list[Launch]:
    """All launches of a file; blank lines count as lines but are skipped."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LaunchFileError(f"{path}: {error}") from error
    return [parse_launch(content, line, str(path)) for line, content in enumerate(text.split("\n")) if content.strip()]


def parse_launch(content: str, line: int, source: str = "launches") -> Launch:
    """The launch that one line of JSON describes; `line` is 0-based, messages count from 1."""
    where = f"{source}:{line + 1}"
    try:
        record = json.loads(content)
    except json.JSONDecodeError as error:
        raise LaunchFileError(f"{where}:{error.colno}: not JSON: {error.msg}") from error
    except RecursionError as error:
        raise LaunchFileError(f"{where}: nested too deeply") from error
    if not isinstance(record, dict):
        raise LaunchFileError(f"{where}: a launch is a JSON object, not {_kind(record)}")
    texts = [_text(record, name, where) for name in ("module", "kernel", "symbol")]
    return Launch(
        line, texts[0], texts[1], texts[2], _hints(record, where), _grid(record, where), _shapes(record, where)
    )


def _kind(value: object) -> str:
    return "null" if value is None else type(value).__name__


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _text(record: dict[str, object], name: str, where: str) -> str:
    if name not in record:
        raise LaunchFileError(f"{where}: the field '{name}' is missing")
    value = record[name]
    if not isinstance(value, str) or not value:
        raise LaunchFileError(f"{where}: '{name}' must be a non-empty string, not {_kind(value)}")
    return value


def _hints(record: dict[str, object], where: str) -> dict[str, Hint | None]:
    value = record.get("hints", {})
    if not isinstance(value, dict):
        raise LaunchFileError(f"{where}: 'hints' must be an object, not {_kind(value)}")
    for name, hint in value.items():
        is_table = isinstance(hint, dict) and hint and all(_is_int(entry) for entry in hint.values())
        if not (hint is None or _is_int(hint) or is_table):
            raise LaunchFileError(f"{where}: hint '{name}' must be an integer or a table of integers by target")
    return dict(value)


def _grid(record: dict[str, object], where: str) -> tuple[int, ...]:
    value = record.get("grid", [])
    if not isinstance(value, list) or not all(_is_int(size) for size in value):
        raise LaunchFileError(f"{where}: 'grid' must be a list of integers")
    return tuple(value)


def _shapes(record: dict[str, object], where: str) -> tuple[tuple[int, ...] | None, ...]:
    value = record.get("shapes", [])
    if not isinstance(value, list):
        raise LaunchFileError(f"{where}: 'shapes' must be a list, not {_kind(value)}")
    shapes: list[tuple[int, ...] | None] = []
    for shape in value:
        if shape is None:
            shapes.append(None)
        elif isinstance(shape, list) and all(_is_int(size) for size in shape):
            shapes.append(tuple(shape))
        else:
            raise LaunchFileError(f"{where}: each of 'shapes' must be a list of integers or null")
    return tuple(shapes)

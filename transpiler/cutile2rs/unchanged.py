"""Skipping a conversion whose outcome already lies in the output folder.

A conversion that had nothing to report leaves a stamp: digests of the tool, of every source that was read and of every
file that was written, and the modules that were looked for and not there. A later conversion whose stamp would be the
same is done. The stamp names no place outside the user's packages, so that it is the same on every machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from cutile2rs import __version__
from cutile2rs.diagnostics import Diagnostic
from cutile2rs.frontend.project import Project, input_files, module_name

STAMP = ".cutile2rs-stamp.json"
_DATA = ("cutile2rs", "cutile2rs.rules", "cutile2rs.rust_templates", "cutile2rs.fallback")


@dataclass(slots=True)
class ConvertResult:
    """What a conversion did: its diagnostics, and counts of kernels and of their entries."""

    diagnostics: list[Diagnostic]
    kernels_converted: int = 0
    kernels_total: int = 0
    entries: int = 0


def recorded(paths: Sequence[Path], out: Path) -> ConvertResult | None:
    """The result of the conversion that ``out`` holds, if converting ``paths`` would make the same again."""
    try:
        stamp: dict[str, Any] = json.loads((out / STAMP).read_text(encoding="utf-8"))
        roots, asked = _asked(paths)
        current = (
            stamp["tool"] == tool_digest()
            and stamp["asked"] == asked
            and all(_digest((roots[int(root)] / path).read_bytes()) == seen for root, path, seen in stamp["imported"])
            and not any(_is_module(roots[int(root)] / path) for root, path in stamp["missing"])
            and stamp["output"] == output_digest(out, stamp["files"])
        )
        return ConvertResult([], **stamp["counts"]) if current else None
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError):
        return None


def record(paths: Sequence[Path], out: Path, project: Project, written: Iterable[str], result: ConvertResult) -> None:
    """Leave the stamp of a conversion that has just been written to ``out``."""
    roots, asked = _asked(paths)
    own = {module.path.resolve() for module in project.modules.values()}
    imported = [m for m in project.loaded() if m.path.resolve() not in own]
    try:
        stamp = {
            "tool": tool_digest(),
            "asked": asked,
            "imported": [[*_under(roots, m.path), _digest(m.path.read_bytes())] for m in imported],
            "missing": sorted(_under(roots, place) for place in project.missing),
            "files": sorted(written),
            "output": output_digest(out, sorted(written)),
            "counts": {n: getattr(result, n) for n in ("kernels_converted", "kernels_total", "entries")},
        }
        (out / STAMP).write_text(json.dumps(stamp, indent=1) + "\n", encoding="utf-8")
    except (OSError, LookupError):
        return  # only speed is lost


def forget(out: Path) -> None:
    """Remove the stamp: what follows may not be finished."""
    (out / STAMP).unlink(missing_ok=True)


@cache
def tool_digest() -> str:
    """Digest of the tool: its version, its code and its data."""
    digest = hashlib.sha256(__version__.encode())
    for package in _DATA:
        for name, text in sorted(_texts(files(package), package)):
            digest.update(f"\0{name}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()


def _texts(folder: Traversable, name: str) -> Iterable[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _texts(entry, f"{name}/{entry.name}")
        elif entry.name.endswith((".py", ".toml", ".j2", ".rs")):
            yield f"{name}/{entry.name}", entry.read_bytes()


def _asked(paths: Sequence[Path]) -> tuple[list[Path], list[list[str]]]:
    """The roots of the user's packages, and for each file asked for the number of its root, its module and its digest.

    The order of the arguments only decides the names of modules that would be called alike, so it only counts then.
    """
    found = [(*module_name(file), file) for path in paths for file in input_files(path)]
    if len({name for name, _, _ in found}) == len(found):
        found.sort(key=lambda module: module[0])
    roots = list(dict.fromkeys(root for _, root, _ in found))
    return roots, [[str(roots.index(root)), name, _digest(file.read_bytes())] for name, root, file in found]


def _under(roots: list[Path], path: Path) -> list[str]:
    """A path as the number of its root and what follows it."""
    path = path.absolute()
    index = next((k for k, root in enumerate(roots) if path.is_relative_to(root)), None)
    if index is None:
        raise LookupError(path)
    return [str(index), path.relative_to(roots[index]).as_posix()]


def _is_module(place: Path) -> bool:
    return (place / "__init__.py").is_file() or place.with_name(f"{place.name}.py").is_file()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def output_digest(out: Path, names: Iterable[str]) -> str:
    """Digest of files of an output, with their names. Raises OSError for one that is not there."""
    digest = hashlib.sha256()
    for name in names:
        data = (out / name).read_bytes()
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()

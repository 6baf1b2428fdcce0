"""Writing the output folder: only over our own files, unless told otherwise."""

from __future__ import annotations

import json
from pathlib import Path

from cutile2rs.diagnostics import CutileError, error
from cutile2rs.unchanged import STAMP

#: What building the crate and its cubins leaves in the folder, and our own stamp; neither a conversion's nor foreign.
BUILT = ("target", "Cargo.lock", "prebuilt", STAMP)
#: What importing the Python package leaves.
CACHE = "__pycache__"


def check(out: Path, force: bool) -> None:
    """Refuse a folder that holds files which a conversion did not write."""
    if out.exists() and not out.is_dir():
        raise CutileError(error("C2R502", f"{out} exists and is not a folder"))
    foreign = sorted(_files(out) - _ours(out))
    if foreign and not force:
        shown = ", ".join(foreign[:3]) + (" and others" if len(foreign) > 3 else "")
        raise CutileError(
            error("C2R501", f"{out} holds files that cutile2rs did not write: {shown}",
                  help="choose another folder, or pass --force to write into this one")
        )  # fmt: skip


def write(out: Path, files: dict[str, str]) -> None:
    """Write the files; those that an earlier conversion wrote and this one does not are removed."""
    try:
        for stale in sorted(_ours(out) - set(files)):
            (out / stale).unlink(missing_ok=True)
        for path, text in files.items():
            target = out / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or target.read_bytes() != text.encode("utf-8"):
                target.write_bytes(text.encode("utf-8"))
        _remove_empty(out)
    except OSError as problem:
        raise CutileError(error("C2R502", f"cannot write {problem.filename or out}: {problem.strerror}")) from problem


def _files(out: Path) -> set[str]:
    if not out.is_dir():
        return set()
    found = (p.relative_to(out) for p in out.rglob("*") if p.is_file())
    return {p.as_posix() for p in found if p.parts[0] not in BUILT and CACHE not in p.parts}


def _ours(out: Path) -> set[str]:
    try:
        data = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
        return set(data["files"]) if str(data["tool"]).startswith("cutile2rs ") else set()
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _remove_empty(out: Path) -> None:
    for folder in sorted((p for p in out.rglob("*") if p.is_dir()), reverse=True):
        if folder.relative_to(out).parts[0] not in BUILT and not any(folder.iterdir()):
            folder.rmdir()

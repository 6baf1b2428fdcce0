"""`cutile2rs record`: runs a program and collects the launches that it makes."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cutile2rs.diagnostics import CutileError, error

HOOK = Path(__file__).parent / "hook"


@dataclass(frozen=True, slots=True)
class Recording:
    """How a recorded program ended, and how many distinct launches it made."""

    status: int
    launches: int


def record(command: Sequence[str], out: Path) -> Recording:
    """Runs a command with recording on in every Python process of it, and writes the distinct launches to `out`.

    Raises CutileError if the command cannot be started or the file cannot be written.
    """
    with tempfile.TemporaryDirectory(prefix="cutile2rs-") as folder:
        before = os.environ.get("PYTHONPATH")
        path = os.pathsep.join([str(HOOK), *([before] if before else [])])
        try:
            done = subprocess.run(
                list(command), env={**os.environ, "PYTHONPATH": path, "CUTILE2RS_RECORD": folder}, check=False
            )
        except OSError as problem:
            raise CutileError(error("C2R704", f"cannot run {command[0]}: {problem.strerror or problem}")) from problem
        files = sorted(Path(folder).glob("*.jsonl"), key=lambda file: (file.stat().st_mtime_ns, file.name))
        lines = dict.fromkeys(line for file in files for line in file.read_text(encoding="utf-8").splitlines())
    if lines:
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        except OSError as problem:
            raise CutileError(error("C2R704", f"cannot write {out}: {problem.strerror or problem}")) from problem
    return Recording(done.returncode, len(lines))

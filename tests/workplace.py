"""What several tests need: where things are, and running the tool as its users do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilegym_scope import tilegym_folder

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "golden"
EXAMPLE_LAUNCHES = ROOT / "examples" / "tilegym_launches.jsonl"
_SHARED_LAUNCHES = ROOT.parent / "shared" / "launches" / "tilegym_ops.jsonl"

__all__ = [
    "EXAMPLE_LAUNCHES", "GOLDEN", "ROOT", "Done", "cargo_environment", "convert", "cutile2rs", "launches_file",
    "read_rows", "run", "tilegym_folder", "tree", "verify", "write_rows",
]  # fmt: skip


@dataclass(frozen=True)
class Done:
    """A finished command."""

    status: int
    out: str
    err: str


def run(command: Sequence[str | Path], *, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> Done:
    """Run a command; `env` is added to the environment."""
    parts = [str(part) for part in command]
    full = {**os.environ, **(env or {})}
    done = subprocess.run(parts, cwd=cwd, env=full, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


def cutile2rs(*args: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> Done:
    """Run the command line in a process of its own. Whatever happens, there must be no traceback."""
    done = run([sys.executable, "-m", "cutile2rs.cli", *args], cwd=cwd, env=env)
    assert "Traceback" not in done.out + done.err, done.out + done.err
    assert "C2R901" not in done.out + done.err, done.out + done.err
    return done


def convert(sources: Iterable[Path], out: Path) -> Path:
    """Convert what must convert without a word, and give the output folder."""
    done = cutile2rs("convert", *sources, "-o", out)
    assert (done.status, done.err) == (0, ""), done.err
    return out


def verify(out: Path, launches: Path, *archs: str, jobs: int = 1) -> list[dict[str, Any]]:
    """Verify an output folder: the rows of `--json`."""
    verdicts = out.with_name(f"{out.name}-verdicts.jsonl")
    options = [option for arch in archs for option in ("--arch", arch)]
    done = cutile2rs("verify", out, "--launches", launches, "--json", verdicts, "-j", str(jobs), *options)
    assert done.status in (0, 1), done.err
    return read_rows(verdicts)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSON lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """Write a JSON lines file."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def launches_file() -> Path:
    """The recorded launches of TileGym's kernels: the best file that is at hand."""
    given = os.environ.get("CUTILE2RS_LAUNCHES")
    if given:
        return Path(given)
    return _SHARED_LAUNCHES if _SHARED_LAUNCHES.exists() else EXAMPLE_LAUNCHES


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path there."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def cargo_environment() -> dict[str, str]:
    """What building a crate that uses cutile needs, with the target folder that all of them share."""
    done = run([sys.executable, "-c", "import build_env, json; print(json.dumps(build_env.environment()))"],
               env={"PYTHONPATH": str(ROOT / "transpiler" / "cutile2rs" / "host" / "runtime")})  # fmt: skip
    assert done.status == 0, done.err
    found: dict[str, str] = json.loads(done.out)
    return {"CARGO_TARGET_DIR": str(ROOT / "build" / "target")} | found

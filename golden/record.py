"""Records what cutile2rs makes of each golden kernel: `ir.txt`, the text of `explain`, and `kernel.rs`.

    .venv/bin/python golden/record.py [NAME...]

The tests compare the recorded text with what the tool makes then. `make golden` runs this; read the difference
(`git diff golden`) before it is committed: it says what a change of the converter does to Rust.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cutile2rs import pipeline
from cutile2rs.diagnostics import CutileError, render_text
from cutile2rs.frontend import load_project

GOLDEN = Path(__file__).resolve().parent


def folders() -> list[Path]:
    """The folders of the golden kernels."""
    return sorted(path.parent for path in GOLDEN.glob("*/input.py"))


def made(folder: Path, out: Path) -> dict[str, str]:
    """The texts to record for a golden kernel, by file name. The crate is written to `out`."""
    source = folder / "input.py"
    result = pipeline.convert([source], out, False)
    if result.diagnostics:
        raise ValueError(render_text(result.diagnostics))
    [kernel_rs] = out.glob("src/**/kernel.rs")
    [module] = load_project([source])[0].modules.values()
    parts = [pipeline.explain(source, name, None, None).rstrip("\n") + "\n" for name in module.kernels]
    return {"ir.txt": "\n".join(parts), "kernel.rs": kernel_rs.read_text(encoding="utf-8")}


def main(names: Sequence[str]) -> int:
    """Record the named kernels, or all; what does not convert is reported, and the others are recorded."""
    status = 0
    for folder in [GOLDEN / name for name in names] or folders():
        with tempfile.TemporaryDirectory() as scratch:
            try:
                texts = made(folder, Path(scratch) / "out")
            except (ValueError, CutileError) as problem:
                print(f"{folder.name} is not recorded\n{problem}", file=sys.stderr)
                status = 1
                continue
            for name, text in texts.items():
                (folder / name).write_text(text, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

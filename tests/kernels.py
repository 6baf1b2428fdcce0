"""Kernels from text, for tests: what the front end, the evaluator and the passes make of a few lines of Python."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from cutile2rs.backend import names
from cutile2rs.backend.crate import KernelOutput
from cutile2rs.frontend import KernelDef, load_project
from cutile2rs.ir.core import Block, Entry
from cutile2rs.ir.printer import entry_text
from cutile2rs.lowering.driver import Lowered, lower
from cutile2rs.lowering.oracle import PathState
from cutile2rs.passes import run_passes
from cutile2rs.pipeline import convert_kernel

HEADER = "import math\nimport cuda.tile as ct\n\n"


def kernel_from(text: str) -> KernelDef:
    """The only kernel of a module text; ``ct`` and ``math`` are imported for it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample.py"
        path.write_text(HEADER + text, encoding="utf-8")
        project, diagnostics = load_project([path])
        assert not diagnostics, diagnostics
        [module] = project.modules.values()
        [kernel] = module.kernels.values()
        module.scope  # noqa: B018  read everything while the file is there
        return kernel


def lowered_from(text: str, stop_after: str | None = None) -> Lowered:
    """The kernel's paths after the passes up to ``stop_after`` (all by default, ``none`` for none)."""

    def passes(entry: Entry, path: PathState) -> None:
        run_passes(entry, path, stop_after)

    return lower(kernel_from(text), passes)


def converted_from(text: str) -> KernelOutput:
    """The kernel as Rust."""
    return convert_kernel(kernel_from(text), names.Unique())


def body_text(entry: Entry) -> str:
    """The IR of an entry's body alone."""
    lines = entry_text(entry).splitlines()
    start = next(i for i, line in enumerate(lines) if not line.startswith(("entry", "  when", "  param")))
    return "\n".join(line[2:] for line in lines[start:]) + "\n"


def opcodes(block: Block) -> list[str]:
    """The operations of a block and of its nested blocks, in program order."""
    return [op.opcode for op in block.walk()]


def only_entry(text: str, stop_after: str | None = None) -> Entry:
    """The single entry of a kernel."""
    [entry] = lowered_from(text, stop_after).entries
    return entry


Check = Callable[[str], None]

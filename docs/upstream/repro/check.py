"""Runs the reproductions beside it and prints what each does: `python docs/upstream/repro/check.py [NAME ..]`.

A reproduction starts with comment lines, `//#` in Rust and `#:` in Python, which together are TOML: whether rustc accepts
the text, and the cases. A Rust case is an entry of the module, compiled by cutile's run-time compiler through
`cutile2rs_tilecheck`; a Python reproduction is a script of its own, whose output is its one case.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from cutile2rs_tilecheck import SpecDict

FOLDER = Path(__file__).resolve().parent
OUTCOMES = {
    "ir": "compiles to bytecode",
    "assembled": "compiles, and tileiras accepts the bytecode",
    "assembler": "compiles, but tileiras refuses the bytecode",
    "compile": "refused by the compiler",
    "bytecode": "compiles, but cannot be written as bytecode",
    "panic": "the compiler panics",
    "script": "a script's output",
}


@dataclass(frozen=True)
class Case:
    """One thing that a reproduction shows."""

    file: Path
    settings: dict[str, Any]

    @property
    def name(self) -> str:
        """Reproduction, entry and generics: `i16_operators::wrong_add<i16>`."""
        generics = ",".join(self.settings.get("generics", []))
        return f"{self.file.stem}::{self.settings['entry']}" + (f"<{generics}>" if generics else "")

    @property
    def expected(self) -> str:
        """The recorded outcome, one of OUTCOMES."""
        return str(self.settings.get("outcome", "script" if self.file.suffix == ".py" else "ir"))

    def differences(self, outcome: str, text: str) -> list[str]:
        """How what happened differs from what is recorded; empty if it does not."""
        found = [] if outcome == self.expected else [f"the outcome is {outcome!r}, not {self.expected!r}"]
        found += [f"no {part!r}" for part in self.settings.get("has", []) if part not in text]
        found += [f"there is {part!r}" for part in self.settings.get("lacks", []) if part in text]
        return found

    def bytecode(self) -> tuple[str, bytes]:
        """The Tile IR of a Rust case, as text and as bytecode."""
        # Not at the top, so that reading the headers needs no toolchain.
        import cutile2rs_tilecheck as tilecheck

        get = self.settings.get
        artifact = tilecheck.compile(
            code(self.file),
            module="repro",
            entry=self.settings["entry"],
            generics=get("generics", []),
            strides=list(get("strides", {}).items()),
            spec_args=[(name, self._spec(known)) for name, known in get("spec", {}).items()],
            scalar_hints=[],
            hints={},
            target="sm_90",
        )
        return artifact.ir_text, artifact.bytecode

    @staticmethod
    def _spec(known: dict[str, Any]) -> SpecDict:
        """What is known of an array; its extents are dynamic."""
        return cast("SpecDict", {"extents": [-1] * len(known["shape_div"]), **known})

    def run(self) -> tuple[str, str]:
        """What happens now: the outcome, and the IR or the message."""
        if self.file.suffix == ".py":
            done = subprocess.run([sys.executable, str(self.file)], capture_output=True, text=True, check=False)
            return "script", done.stdout + done.stderr
        import cutile2rs_tilecheck as tilecheck
        from cutile2rs.verify.sass import run_tileiras
        from cutile2rs.verify.toolchain import ToolError

        try:
            ir, bytecode = self.bytecode()
        except tilecheck.TileCheckError as error:
            return error.kind, str(error)
        if self.expected not in ("assembler", "assembled"):
            return "ir", ir
        try:
            run_tileiras(bytecode, "sm_90")
        except ToolError as error:
            return "assembler", f"{ir}\n{error}"
        return "assembled", ir


def _split(file: Path) -> tuple[str, str]:
    mark = "#:" if file.suffix == ".py" else "//#"
    lines = file.read_text(encoding="utf-8").splitlines()
    head = [line.removeprefix(mark) for line in lines if line.startswith(mark)]
    return "\n".join(head), "\n".join(line for line in lines if not line.startswith(mark)).strip() + "\n"


def header(file: Path) -> dict[str, Any]:
    """What the comment lines at the top say."""
    return tomllib.loads(_split(file)[0])


def code(file: Path) -> str:
    """The reproduction itself, without those lines."""
    return _split(file)[1]


def cases(file: Path) -> list[Case]:
    """The cases of one reproduction."""
    return [Case(file, settings) for settings in header(file)["case"]]


def reproductions() -> list[Path]:
    """All reproductions, by name."""
    return sorted({*FOLDER.glob("*.rs"), *FOLDER.glob("*.py")} - {Path(__file__).resolve()})


def main(names: list[str]) -> int:
    """Print each case; the status is 1 if one is not as recorded. Slow ones run only when named."""
    status = 0
    for file in reproductions():
        if file.stem not in names if names else header(file).get("slow", False):
            continue
        for case in cases(file):
            outcome, text = case.run()
            changed = case.differences(outcome, text)
            status |= bool(changed)
            print(f"== {case.name}: {OUTCOMES[outcome]}{' (NOT AS RECORDED)' if changed else ''}\n{text.strip()}\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The documents say what is so."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from cutile2rs.diagnostics import CODES, error

from tests.workplace import ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def cells(path: Path, columns: int) -> list[tuple[str, ...]]:
    """The rows of a document's tables with that many columns, without heads and rules."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| `")]
    return [tuple(cell.strip() for cell in row) for row in rows if len(row) == columns]


def test_diagnostics_table() -> None:
    want = [(f"`{code}`", text, "2" if error(code, "").is_input_error else "1") for code, text in CODES.items()]
    assert cells(ROOT / "docs" / "diagnostics.md", 3) == want


def test_python_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    stated = [*project["dependencies"], *extras["verify"], *extras["build"], *extras["dev"]]
    want = [re.fullmatch(r"([\w.\[\]-]+?)([=<>].*)", text) for text in stated]
    listed = [row[:2] for row in cells(ROOT / "docs" / "dependencies.md", 3)]
    assert listed == [(f"`{found[1]}`", found[2]) for found in want if found]


def test_python_dependencies_are_pinned() -> None:
    lines = (ROOT / "docs" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    names = [re.sub(r"\[.*", "", row[0].strip("`")) for row in cells(ROOT / "docs" / "dependencies.md", 3)]
    lowered = {name.lower() for name in pins}
    assert [name for name in names if name not in lowered] == []
    assert pins["cuda-tile"] == "1.7.0"
    assert pins["tilegym"] == "1.5.1"


def test_rust_dependencies() -> None:
    found: dict[str, str] = {}
    templates = ("support/Cargo.toml", "runtime/Cargo.toml", "Cargo.toml.j2")
    for manifest in ("tilecheck/Cargo.toml", *(f"rust_templates/{name}" for name in templates)):
        crate = tomllib.loads((ROOT / manifest).read_text(encoding="utf-8"))
        for name, value in crate["dependencies"].items():
            found[f"`{name}`"] = value if isinstance(value, str) else value.get("version", "path")
    assert {row[0]: row[1] for row in cells(ROOT / "docs" / "dependencies.md", 4)} == found


def test_outputs_have_the_versions_that_are_tested() -> None:
    """What `Cargo.lock` of an output says of crates from the registry is what tilecheck's says."""
    files = (ROOT / "rust_templates" / "Cargo.lock", ROOT / "tilecheck" / "Cargo.lock")
    packages = (tomllib.loads(file.read_text(encoding="utf-8"))["package"] for file in files)
    theirs, tested = ({(p["name"], p["version"], p["checksum"]) for p in found if "source" in p} for found in packages)
    assert theirs == tested and len(theirs) > 100


def test_first_screen_is_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first = text.split("```sh\n")[1].split("```")[0]
    assert [line.split("#")[0].strip() for line in first.splitlines()] == ["make demo", "make test"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test", "setup", "golden", "bench", "clean"):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_ci_runs_the_second() -> None:
    script = ROOT / ".ci" / "run"
    lines = [line for line in script.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert lines[0] == "set -euo pipefail"
    assert lines[-1] == "exec make test"
    assert script.stat().st_mode & 0o111


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.name))
def test_links_and_paths(path: Path) -> None:
    """What a document links to or names as a path of the repository is there."""
    text = path.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    assert [link for link in links if not (path.parent / link).exists()] == []
    tops = "docs|examples|golden|tests|rules|rust_templates|tilecheck|benchmarks|transpiler"
    named = re.findall(rf"(?:^|[\s`(])((?:{tops})/[\w./-]+)", text)
    gone = [name for name in named if "NAME" not in name and not (ROOT / name.rstrip(".")).exists()]
    assert gone == []

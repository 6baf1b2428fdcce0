"""What docs/upstream says of other people's software is still so. If a test fails after an upgrade, something was fixed there:
remove its page and its reproduction, and simplify what works around it."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from cutile2rs.verify.sass import compare

from docs.upstream.repro import check
from tests.workplace import ROOT, cargo_environment, run

FULL = bool(os.environ.get("CUTILE2RS_FULL"))
PAGES = ROOT / "docs" / "upstream"
FILES = check.reproductions()
RUST = [file for file in FILES if file.suffix == ".rs"]
VERSION = "0.5.0"
HEADINGS = ["What happens", "Reproduction", "Cause", "Expected", "What cutile2rs does"]


def squeezed(text: str) -> str:
    """Without indentation, empty lines, and the attribute that pages leave out."""
    lines = [line.strip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line not in ("", "#[cutile::entry()]")) + "\n"


@pytest.mark.toolchain
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_reproductions_do_what_is_recorded(file: Path) -> None:
    if check.header(file).get("slow") and not FULL:
        pytest.skip("slow: set CUTILE2RS_FULL")
    changed = {}
    for case in check.cases(file):
        outcome, text = case.run()
        if differences := case.differences(outcome, text):
            changed[case.name] = [*differences, text]
    assert not changed


@pytest.mark.toolchain
def test_a_loop_index_assumption_changes_machine_code() -> None:
    cases = {case.settings["entry"]: case for case in check.cases(check.FOLDER / "loop_index_assumption.rs")}
    assumed, opaque = (cases[entry].bytecode()[1] for entry in ("wrong_assumption", "workaround_opaque"))
    assert not compare(assumed, opaque, "sm_90").equal


@pytest.mark.toolchain
@pytest.mark.skipif(not FULL, reason="slow: set CUTILE2RS_FULL")
def test_rustc_accepts_what_is_recorded(tmp_path: Path) -> None:
    """Each module is an example of one crate, so that one with errors does not hide the others'."""
    for folder in ("src", "examples"):
        (tmp_path / folder).mkdir()
    (tmp_path / "src" / "lib.rs").touch()
    shutil.copy(ROOT / "tilecheck" / "Cargo.lock", tmp_path)
    package = '[package]\nname = "repro"\nversion = "0.0.0"\nedition = "2024"\n'
    manifest = f'{package}\n[dependencies]\ncutile = "={VERSION}"\n\n[workspace]\n'
    (tmp_path / "Cargo.toml").write_text(manifest, encoding="utf-8")
    for file in RUST:
        (tmp_path / "examples" / file.name).write_text(check.code(file) + "\nfn main() {}\n", encoding="utf-8")
    done = run(["cargo", "check", "--examples", "--keep-going"], cwd=tmp_path, env=cargo_environment())
    refused = set(re.findall(r'could not compile `repro` \(example "(\w+)"\)', done.err))
    assert refused == {file.stem for file in RUST if check.header(file)["rustc"] == "refuses"}, done.err


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_page_shows_the_reproduction(file: Path) -> None:
    page = (PAGES / f"{file.stem}.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", page, re.MULTILINE)
    assert headings == [heading for heading in HEADINGS if heading != "Cause" or "Cause" in headings]
    assert f"(repro/{file.name})" in page and f"check.py {file.stem}\n" in page
    blocks = re.findall(r"```(?:rust|python)\n(.*?)```", page, re.DOTALL)
    assert blocks
    for function in (function for block in blocks for function in block.split("\n\n")):
        assert squeezed(function) in squeezed(check.code(file)), function


def test_every_page_is_listed() -> None:
    readme = (PAGES / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[.+\]\((\w+)\.md\) \| \[`(.+)`\]\(repro/(.+)\) \|$", readme, re.MULTILINE)
    assert sorted(rows) == [(file.stem, file.name, file.name) for file in FILES]
    assert {path.stem for path in PAGES.glob("*.md")} == {file.stem for file in FILES} | {"README"}
    for row in rows:
        title = (PAGES / f"{row[0]}.md").read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        assert f"| [{title}]({row[0]}.md) |" in readme


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_headers_are_complete(file: Path) -> None:
    header = check.header(file)
    assert header.keys() <= {"rustc", "slow", "case"}
    assert file.suffix == ".py" or header["rustc"] in ("accepts", "refuses")
    known = {"entry", "is", "outcome", "has", "lacks", "generics", "strides", "spec"}
    for case in check.cases(file):
        assert case.settings.keys() <= known and case.expected in check.OUTCOMES
        assert case.settings["is"] in ("wrong", "contrast", "workaround") and case.settings["has"]
        assert case.settings["entry"].startswith(case.settings["is"])
    entries = {case.settings["entry"] for case in check.cases(file)}
    assert file.suffix == ".py" or entries == set(
        re.findall(r"entry\(\)\]\s+pub (?:unsafe )?fn (\w+)", check.code(file))
    )

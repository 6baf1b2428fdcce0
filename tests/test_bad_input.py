"""Bad input through the command line: a located diagnostic and an exit status, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.workplace import GOLDEN, Done, convert, cutile2rs, read_rows, write_rows

HEAD = "import cuda.tile as ct\n\n\n"
GOOD = """
@ct.kernel
def good(x, y, T: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (T,)) + 1)
"""


def source(folder: Path, *parts: str, name: str = "kernels.py") -> Path:
    """A module written from parts, with the import that all need in front."""
    path = folder / name
    path.write_text(HEAD + "\n\n".join(dedent(part).strip("\n") + "\n" for part in parts), encoding="utf-8")
    return path


def refusal(path: Path, tmp_path: Path) -> Done:
    """Convert what must be refused; nothing is written then."""
    done = cutile2rs("convert", path, "-o", tmp_path / "out")
    assert done.out == "" or done.out.startswith("converted 0 of ")
    assert not (tmp_path / "out").exists()
    return done


def place(path: Path, needle: str, width: int | None = None) -> str:
    """How a diagnostic shows the first occurrence of a text in a file: the location, the line and the carets."""
    lines = path.read_text(encoding="utf-8").splitlines()
    number, line = next((number, line) for number, line in enumerate(lines, 1) if needle in line)
    column = line.index(needle)
    margin = " " * len(str(number))
    carets = " " * column + "^" * (len(needle) if width is None else width)
    return f"{margin}--> {path}:{number}:{column + 1}\n{margin} |\n{number} | {line}\n{margin} | {carets}\n"


def test_syntax_error(tmp_path: Path) -> None:
    path = source(tmp_path, "def broken(:\n    pass")
    done = refusal(path, tmp_path)
    assert done.status == 2
    assert done.err.startswith("error[C2R004]: ")
    assert f"--> {path}:4:12\n" in done.err
    assert "4 | def broken(:\n" in done.err


def test_syntax_error_does_not_stop_other_files(tmp_path: Path) -> None:
    source(tmp_path, "def broken(:\n    pass", name="bad.py")
    source(tmp_path, GOOD, name="fine.py")
    done = cutile2rs("convert", tmp_path, "-o", tmp_path / "out")
    assert done.status == 2
    assert done.err.count("error[") == 1
    assert done.out.startswith("converted 1 of 1 kernel (")


def test_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "latin.py"
    path.write_bytes(HEAD.encode() + "# caf\xe9\n".encode("latin-1"))
    done = refusal(path, tmp_path)
    assert done.status == 2
    assert done.err.startswith("error[C2R003]: ")
    assert f"--> {path}:4:6\n" in done.err


def test_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    done = refusal(tmp_path / "nothing", tmp_path)
    assert done.status == 2
    assert done.err.startswith(f"error[C2R002]: no Python file in {tmp_path / 'nothing'}\n")


def test_missing_path(tmp_path: Path) -> None:
    done = refusal(tmp_path / "nowhere.py", tmp_path)
    assert done.status == 2
    assert done.err.startswith(f"error[C2R001]: no such file or folder: {tmp_path / 'nowhere.py'}\n")


def test_no_kernel(tmp_path: Path) -> None:
    done = refusal(source(tmp_path, "x = 1"), tmp_path)
    assert done.status == 2
    assert done.err.startswith("error[C2R006]: ")


@pytest.mark.parametrize(
    ("statement", "code", "needle"),
    [
        ("t = ct.load(x, (0,), (T,)) @ 3", "C2R205", "ct.load(x, (0,), (T,)) @ 3"),
        ("ct.store(y, (0,), ct.no_such_thing(1))", "C2R", "ct.no_such_thing"),
        ("with x:\n        pass", "C2R201", "with x:"),
        ("yield 1", "C2R201", "yield 1"),
        ("t = [i for i in x]", "C2R201", "[i for i in x]"),
    ],
    ids=["operator", "function", "with", "yield", "comprehension"],
)
def test_unsupported_construct(statement: str, code: str, needle: str, tmp_path: Path) -> None:
    """The kernel is refused at the place; its neighbours still convert."""
    head = "@ct.kernel\ndef bad(x, y, T: ct.Constant[int]):\n    ct.store(y, (0,), ct.load(x, (0,), (T,)))\n"
    bad = f"{head}    {statement}\n"
    path = source(tmp_path, GOOD, bad, GOOD.replace("good", "fine"))
    done = cutile2rs("convert", path, "-o", tmp_path / "out")
    assert done.status == 1
    assert done.out.startswith("converted 2 of 3 kernels (")
    assert done.err.startswith(f"error[{code}")
    assert done.err.count("error[") == 1
    assert place(path, needle).rsplit("^" * len(needle), 1)[0] in done.err
    kernel_rs = (tmp_path / "out" / "src" / "kernels" / "kernel.rs").read_text(encoding="utf-8")
    assert "fn good" in kernel_rs
    assert "fn fine" in kernel_rs
    assert "fn bad" not in kernel_rs


def test_rank_cannot_be_inferred(tmp_path: Path) -> None:
    path = source(tmp_path, "@ct.kernel\ndef unclear(lonely):\n    n = len(lonely)")
    done = refusal(path, tmp_path)
    assert done.status == 1
    assert done.err.startswith("error[C2R202]: the rank of array `lonely` cannot be inferred")
    assert place(path, "lonely") in done.err
    assert "= help: index it with a tuple" in done.err


def test_two_ranks(tmp_path: Path) -> None:
    body = "    a = ct.load(x, (0,), (4,))\n    b = ct.load(x, (0, 0), (4, 4))"
    done = refusal(source(tmp_path, f"@ct.kernel\ndef torn(x):\n{body}"), tmp_path)
    assert done.status == 1
    assert done.err.startswith("error[C2R202]: array `x` is used with 1 and 2 indices\n")


def test_recursive_helpers(tmp_path: Path) -> None:
    path = source(
        tmp_path,
        "def ping(v):\n    return pong(v)",
        "def pong(v):\n    return ping(v)",
        "@ct.kernel\ndef loops(x, T: ct.Constant[int]):\n    ct.store(x, (0,), ping(ct.load(x, (0,), (T,))))",
    )
    done = refusal(path, tmp_path)
    assert done.status == 1
    assert done.err.startswith("error[C2R203]: ")
    assert "ping" in done.err
    assert f"--> {path}:" in done.err


def test_tile_shape_is_no_power_of_two(tmp_path: Path) -> None:
    path = source(tmp_path, "@ct.kernel\ndef odd(x, y):\n    ct.store(y, (0,), ct.load(x, (0,), (100,)))", GOOD)
    done = cutile2rs("convert", path, "-o", tmp_path / "out")
    assert done.status == 1
    assert done.err.startswith("error[C2R204]: ")
    assert "100" in done.err
    assert f"--> {path}:6:" in done.err
    assert "6 |     ct.store(y, (0,), ct.load(x, (0,), (100,)))\n" in done.err
    assert done.out.startswith("converted 1 of 2 kernels")


def test_several_problems_in_order(tmp_path: Path) -> None:
    """Every kernel's problem is reported, in the order of the source."""
    first = "@ct.kernel\ndef one(x, y):\n    ct.store(y, (0,), ct.load(x, (0,), (100,)))"
    second = "@ct.kernel\ndef two(lonely):\n    n = len(lonely)"
    done = refusal(source(tmp_path, first, second), tmp_path)
    assert done.status == 1
    heads = [line[:13] for line in done.err.splitlines() if line.startswith("error")]
    assert heads == ["error[C2R204]", "error[C2R202]"]


def test_check_gives_the_same_as_json(tmp_path: Path) -> None:
    path = source(tmp_path, "@ct.kernel\ndef unclear(lonely):\n    n = len(lonely)")
    done = cutile2rs("check", path, "--format", "json")
    assert (done.status, done.err) == (1, "")
    [line] = done.out.splitlines()
    found = json.loads(line)
    assert (found["code"], found["severity"]) == ("C2R202", "error")
    assert found["span"] == {"file": str(path), "line": 5, "col": 13, "end_line": 5, "end_col": 19}


def test_foreign_files(tmp_path: Path) -> None:
    """An output folder with files of others is left alone; with --force they stay, and ours are added."""
    path, out = source(tmp_path, GOOD), tmp_path / "out"
    (out / "sub").mkdir(parents=True)
    (out / "sub" / "diary.txt").write_text("mine")
    done = cutile2rs("convert", path, "-o", out)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"error[C2R501]: {out} holds files that cutile2rs did not write: sub/diary.txt\n")
    assert "= help: choose another folder, or pass --force" in done.err
    assert [p.name for p in out.rglob("*")] == ["sub", "diary.txt"]
    done = cutile2rs("convert", path, "-o", out, "--force")
    assert (done.status, done.err) == (0, "")
    assert (out / "sub" / "diary.txt").read_text() == "mine"
    assert (out / "manifest.json").is_file()


def test_output_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    done = cutile2rs("convert", source(tmp_path, GOOD), "-o", tmp_path / "out")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error[C2R502]: ")
    assert (tmp_path / "out").read_text() == "mine"


def test_a_changed_file_of_ours_is_written_again(tmp_path: Path) -> None:
    path = source(tmp_path, GOOD)
    kernel = convert([path], tmp_path / "out") / "src" / "kernels" / "kernel.rs"
    text = kernel.read_text(encoding="utf-8")
    kernel.write_text("// spoilt")
    convert([path], tmp_path / "out")
    assert kernel.read_text(encoding="utf-8") == text


def test_explain_unknown_kernel(tmp_path: Path) -> None:
    done = cutile2rs("explain", f"{source(tmp_path, GOOD)}::bad")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error[C2R007]: there is no kernel `bad`")


@pytest.fixture(scope="module")
def crate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return convert([GOLDEN / "derived_shape" / "input.py"], tmp_path_factory.mktemp("verify") / "out")


@pytest.fixture
def launch() -> dict[str, Any]:
    return read_rows(GOLDEN / "derived_shape" / "launches.jsonl")[0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{broken", "not JSON"),
        ("[1]", "a launch is a JSON object"),
        ('{"module": "input"}', "the field 'kernel' is missing"),
        ('{"module": "input", "kernel": 3, "symbol": "s"}', "'kernel' must be a non-empty string"),
    ],
)
def test_broken_launch_line(line: str, message: str, crate: Path, launch: dict[str, Any], tmp_path: Path) -> None:
    launches = tmp_path / "launches.jsonl"
    launches.write_text(f"{json.dumps(launch)}\n{line}\n")
    done = cutile2rs("verify", crate, "--launches", launches)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error[C2R601]: ")
    assert f"{launches}:2" in done.err
    assert message in done.err


def test_launch_of_an_unknown_kernel(crate: Path, launch: dict[str, Any], tmp_path: Path) -> None:
    launches = write_rows(tmp_path / "launches.jsonl", [launch, launch | {"kernel": "absent"}])
    done = cutile2rs("verify", crate, "--launches", launches)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error[C2R602]: line 2: `absent` of input is not in ")


def test_broken_symbol(crate: Path, launch: dict[str, Any], tmp_path: Path) -> None:
    """A symbol that cuTile cannot read is the file's fault, not the tool's."""
    launches = write_rows(tmp_path / "launches.jsonl", [launch | {"symbol": "add_pairs_Kt1_Z9"}])
    done = cutile2rs("verify", crate, "--launches", launches)
    assert done.status in (1, 2)
    assert "add_pairs_Kt1_Z9" in done.out + done.err


def test_empty_launches_file(crate: Path, tmp_path: Path) -> None:
    launches = write_rows(tmp_path / "launches.jsonl", [])
    done = cutile2rs("verify", crate, "--launches", launches)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"error[C2R601]: no launch in {launches}\n")


def test_verify_without_a_crate(tmp_path: Path) -> None:
    done = cutile2rs("verify", tmp_path, "--launches", GOLDEN / "matmul" / "launches.jsonl")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"error[C2R001]: {tmp_path} is no output of `cutile2rs convert`")

"""The command line against a pipeline made of stubs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from cutile2rs import cli
from cutile2rs.diagnostics import CutileError, Diagnostic, Span, error, warning
from typer.testing import CliRunner

UNSUPPORTED = error("C2R401", "no rule for `ct.foo`", Span("a.py", 1, 5, 1, 8))
BAD_INPUT = error("C2R004", "syntax error")
REMARK = warning("C2R103", "defined again")


@dataclass
class Result:
    diagnostics: list[Diagnostic] = field(default_factory=list)
    kernels_converted: int = 1
    kernels_total: int = 1
    entries: int = 2


@dataclass
class Rule:
    construct: str
    rust: str
    family: str
    notes: str = ""


class Stub:
    """Pipeline and verifier that give what they are told to, and record how they were called."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.result: Any = None

    def _answer(self, *call: Any) -> Any:
        self.calls.append(call)
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result

    def convert(self, paths: list[Path], out: Path, force: bool) -> Any:
        return self._answer("convert", paths, out, force)

    def check(self, paths: list[Path]) -> Any:
        return self._answer("check", paths)

    def explain(self, path: Path, kernel: str, pass_name: str | None, entry: str | None) -> Any:
        return self._answer("explain", path, kernel, pass_name, entry)

    def rules_table(self) -> Any:
        return self._answer("rules")

    def verify_output(self, *args: Any) -> Iterator[Any]:
        return iter(self._answer("verify", *args))


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Stub:
    made = Stub()
    monkeypatch.setattr(cli, "_pipeline", lambda: made)
    monkeypatch.setattr(cli, "_verifier", lambda: made)
    monkeypatch.delenv(cli.DEBUG_VARIABLE, raising=False)
    return made


def run(*args: object) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command."""
    result = CliRunner().invoke(cli.app, [str(arg) for arg in args])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result.exit_code, result.stdout, result.stderr


def test_convert(stub: Stub) -> None:
    stub.result = Result([REMARK])
    status, out, err = run("convert", "a.py", "b", "-o", "out", "--force")
    assert (status, out) == (0, "converted 1 of 1 kernel (2 entries) to out\n")
    assert "warning[C2R103]" in err
    assert stub.calls == [("convert", [Path("a.py"), Path("b")], Path("out"), True)]


@pytest.mark.parametrize(
    ("result", "status"),
    [
        (Result([UNSUPPORTED], 1, 2), 1),
        (Result([], 1, 2), 1),
        (Result([UNSUPPORTED, BAD_INPUT], 1, 2), 2),
        (Result([error("C2R501", "foreign")], 0, 1), 2),
        (Result([], 0, 0), 2),
    ],
)
def test_convert_status(stub: Stub, result: Result, status: int) -> None:
    stub.result = result
    assert run("convert", "a.py", "-o", "out")[0] == status


def test_check_text(stub: Stub) -> None:
    stub.result = [UNSUPPORTED, REMARK]
    status, out, err = run("check", "a.py")
    assert status == 1
    assert out.index("C2R103") < out.index("error[C2R401]: no rule for `ct.foo`\n --> a.py:1:5")
    assert err == "1 error, 1 warning\n"


def test_check_json(stub: Stub) -> None:
    stub.result = [UNSUPPORTED, BAD_INPUT]
    status, out, err = run("check", "a.py", "--format", "json")
    assert (status, err) == (2, "")
    assert [json.loads(line)["code"] for line in out.splitlines()] == ["C2R004", "C2R401"]


def test_check_sarif(stub: Stub) -> None:
    stub.result = []
    status, out, _ = run("check", "a.py", "--format", "sarif")
    assert status == 0
    assert json.loads(out)["runs"][0]["results"] == []


def test_explain(stub: Stub, tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("")
    stub.result = "kernel k"
    assert run("explain", f"{file}::k", "--pass", "fma", "--entry", "e")[:2] == (0, "kernel k\n")
    assert stub.calls == [("explain", file, "k", "fma", "e")]
    stub.result = CutileError(error("C2R007", "no kernel `q`"))
    assert run("explain", f"{file}::q")[0] == 2
    assert run("explain", f"{file}.no::q")[2].startswith("error[C2R001]")


@pytest.mark.parametrize("target", ["a.py", "::k", "a.py::"])
def test_explain_usage(stub: Stub, target: str) -> None:
    status, _, err = run("explain", target)
    assert status == 2
    assert "expected FILE::KERNEL" in err


def test_rules(stub: Stub) -> None:
    stub.result = [Rule("ct.gather", "gather(x, [i])", "memory", "[bold]"), Rule("a + b", "a + b", "arith")]
    status, out, _ = run("rules")
    assert status == 0
    assert "ct.gather" in out
    assert "[i]" in out
    assert "[bold]" in out


def row(line: int, verdict: str, **more: object) -> dict[str, object]:
    return {
        "line": line,
        "module": "m",
        "kernel": "k",
        "arch": "sm_90",
        "entry": "e",
        "verdict": verdict,
        "detail": "",
    } | more


@pytest.fixture
def verify_args(tmp_path: Path) -> list[object]:
    launches = tmp_path / "l.jsonl"
    launches.write_text("")
    return ["verify", tmp_path, "--launches", launches]


def test_verify_fine(stub: Stub, verify_args: list[object], tmp_path: Path) -> None:
    stub.result = [row(0, "identical"), row(1, "ir-equal")]
    status, out, _ = run(*verify_args, "--arch", "sm_90", "--arch", "sm_100a", "-j", "3", "--keep", "k", "--json", "j")
    assert status == 0
    assert out.endswith("2 of 2 launches equal\n")
    want = ("verify", tmp_path, tmp_path / "l.jsonl", ["sm_90", "sm_100a"], Path("k"), Path("j"), 3, False)
    assert stub.calls == [want]


def test_verify_different(stub: Stub, verify_args: list[object]) -> None:
    rows = [row(0, "identical"), row(1, "unsupported"), row(2, "different", detail="mulf | addf", kernel="k2[x]")]
    stub.result = rows
    status, out, _ = run(*verify_args)
    assert status == 1
    assert "first different: line 2, m::k2[x], sm_90, entry e\nmulf | addf\n" in out
    assert "1 of 3 launches equal" in out
    assert any(line.split() == ["m", "k2[x]", "1", "1"] for line in out.splitlines())


@pytest.mark.parametrize("more", [["--arch", "h100"], ["-j", "0"], ["-j", "x"], ["--launches", "/nowhere"]])
def test_verify_usage(stub: Stub, verify_args: list[object], more: list[str]) -> None:
    stub.result = []
    assert run(*verify_args, *more)[0] == 2


def test_verify_nothing(stub: Stub, verify_args: list[object]) -> None:
    stub.result = []
    assert run(*verify_args)[0] == 2
    assert run("verify", "/nowhere", *verify_args[2:])[2] == "error[C2R001]: no such folder: /nowhere\n"


def test_internal_error(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    stub.result = KeyError("oops\nmore")
    status, out, err = run("check", "a.py")
    assert (status, out) == (2, "")
    assert err.startswith("error[C2R901]: internal error: KeyError: 'oops\\nmore'\n")
    assert "CUTILE2RS_DEBUG=1" in err
    monkeypatch.setenv(cli.DEBUG_VARIABLE, "1")
    with pytest.raises(KeyError):
        CliRunner().invoke(cli.app, ["check", "a.py"], catch_exceptions=False)


@pytest.mark.parametrize("command", ["convert", "check", "explain", "rules", "verify"])
def test_help_has_example(command: str) -> None:
    status, out, _ = run(command, "--help")
    assert status == 0
    assert f"Example:\n    cutile2rs {command}" in out


@pytest.mark.parametrize("args", [[], ["frob"], ["convert", "a.py"], ["check"], ["check", "a", "--format", "xml"]])
def test_usage(args: list[str]) -> None:
    assert run(*args)[0] == 2


def test_version() -> None:
    assert run("--version")[1].startswith("cutile2rs ")


def test_help_imports_little() -> None:
    heavy = "{'rich', 'jinja2', 'libcst', 'cutile2rs.frontend', 'importlib.metadata'}"
    code = f"import sys, cutile2rs.cli; sys.exit(', '.join({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""


def test_verify_what_is_launched(stub: Stub, verify_args: list[object]) -> None:
    stub.result = [row(0, "identical")]
    assert run(*verify_args, "--launched")[0] == 0
    assert stub.calls[0][-1] is True

"""The run gives every launch its verdict, in order, whatever goes wrong with one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cutile2rs.verify.export import Exporter, ExportError
from cutile2rs.verify.launches import Launch
from cutile2rs.verify.run import Result, RustArtifact, Unsupported, verify

Export = Callable[..., bytes]

SOURCE = """\
import cuda.tile as ct

@ct.kernel
def k(a, b, N: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(b, (i,), ct.load(a, (i,), (N,)) * 2.0)

@ct.kernel
def broken(a):
    ct.store(a, (0,), ct.no_such_thing())

@ct.kernel
def unsliceable(a):
    helper(a)
"""
ARRAYS = "A1f32_1i16t1_p16_A1f32_1i16t1_p16"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A converter's output folder with one reference module."""
    (tmp_path / "out" / "reference").mkdir(parents=True)
    (tmp_path / "out" / "reference" / "m.py").write_text(SOURCE)
    return tmp_path / "out"


def launch(line: int, kernel: str = "k", parameters: str = f"{ARRAYS}_I64") -> Launch:
    """A launch of a kernel in that module."""
    return Launch(line, "m", kernel, f"{kernel}_Kt1_{parameters}", {}, (1, 1, 1), ())


@pytest.mark.toolchain
def test_verdicts_in_order(out: Path, tmp_path: Path, export: Export) -> None:
    source = SOURCE.split("@ct.kernel")[1]
    same = "\n@ct.kernel" + source.replace("def k", "def entry_k")
    programs = {
        0: export(same, "entry_k", f"{ARRAYS}_I64"),
        1: export(same.replace("2.0", "3.0"), "entry_k", f"{ARRAYS}_I64"),
    }

    def compile_rust(item: Launch, arch: str) -> RustArtifact:
        if item.line == 2:
            raise Unsupported("no rule for 'ct.k'")
        if item.line == 3:
            raise ValueError("bad text")
        return RustArtifact("entry_k", programs.get(item.line, b"not bytecode"), "")

    launches = [
        launch(0), launch(1), launch(2), launch(3), launch(4), launch(5, "broken", "A1f32_1i16t1_p16"),
        launch(6, "unsliceable", "A1f32_1i16t1_p16"), launch(7, parameters="nonsense"),
    ]  # fmt: skip
    results = list(verify(out, launches, ["sm_90"], tmp_path / "keep", 2, compile_rust))
    assert [result["line"] for result in results] == list(range(8))
    assert [result["verdict"] for result in results] == [
        "identical", "different", "unsupported", "error", "error", "error", "error", "error",
    ]  # fmt: skip
    details = [result["detail"] for result in results]
    assert "2.000000e+00" in details[1] and "3.000000e+00" in details[1] and "machine code" in details[1]
    assert details[2] == "no rule for 'ct.k'" and details[3] == "Rust: bad text"
    assert details[4].startswith("the assembler refuses the Rust kernel")
    assert "no_such_thing" in details[5] and "helper" in details[6] and details[7].startswith("Python: ValueError")
    assert results[0]["entry"] == "entry_k" and results[2]["entry"] == ""
    assert (tmp_path / "keep" / "00001.sm_90.rust.tilebc").read_bytes() == programs[1]
    assert (tmp_path / "keep" / "00001.sm_90.python.tilebc").is_file()


@pytest.mark.toolchain
def test_targets_of_a_launch_follow_each_other(out: Path) -> None:
    def compile_rust(item: Launch, arch: str) -> RustArtifact:
        raise Unsupported(arch)

    results: Iterator[Result] = verify(out, [launch(0), launch(4)], ["sm_80", "sm_90"], None, 2, compile_rust)
    assert [(result["line"], result["detail"]) for result in results] == [
        (0, "sm_80"), (0, "sm_90"), (4, "sm_80"), (4, "sm_90"),
    ]  # fmt: skip


@pytest.mark.toolchain
def test_a_broken_worker_is_started_again(tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text("import os\nprint('noise')\nos._exit(3)\n")
    (tmp_path / "m.py").write_text("print('noise')\n" + SOURCE)
    with Exporter() as exporter:
        with pytest.raises(ExportError, match="worker"):
            exporter.export(tmp_path / "dies.py", "k", "k_Kt1_I1", {}, "sm_90")
        symbol = f"k_Kt1_{ARRAYS}_I64"
        assert exporter.export(tmp_path / "m.py", "k", symbol, {"occupancy": {"default": 2}}, "sm_90").bytecode
        with pytest.raises(ExportError) as error:
            exporter.export(tmp_path / "m.py", "SOURCE", "k_Kt1_I1", {}, "sm_90")
        assert error.value.kind == "AttributeError"


@pytest.mark.toolchain
def test_a_slow_worker_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(60)\n")
    with Exporter(timeout=0.5) as exporter, pytest.raises(ExportError, match="no answer in time"):
        exporter.export(tmp_path / "slow.py", "k", "k_Kt1_I1", {}, "sm_90")

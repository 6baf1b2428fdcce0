"""The golden kernels: what is recorded is what the tool makes, it is good Rust, and it is the same machine code."""

from __future__ import annotations

import sys
from pathlib import Path

import make_launches
import pytest
import record

from tests.workplace import GOLDEN, cargo_environment, convert, read_rows, run, verify

FOLDERS = record.folders()
each_kernel = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.name))


def test_there_are_enough() -> None:
    assert len(FOLDERS) >= 10
    for folder in FOLDERS:
        names = {path.name for path in folder.iterdir()}
        assert names >= {"input.py", "launches.toml", "launches.jsonl", "ir.txt", "kernel.rs"}, folder.name


@each_kernel
def test_recorded_text(folder: Path, tmp_path: Path) -> None:
    for name, text in record.made(folder, tmp_path / "out").items():
        assert (folder / name).read_text(encoding="utf-8") == text, f"{folder.name}/{name}: see `make golden`"


@each_kernel
def test_rustfmt_clean(folder: Path, tmp_path: Path) -> None:
    out = convert([folder / "input.py"], tmp_path / "out")
    done = run(["rustfmt", "--check", "--edition", "2024", "src/lib.rs"], cwd=out)
    assert (done.status, done.out, done.err) == (0, "", "")


@pytest.mark.toolchain
@each_kernel
def test_recorded_launches(folder: Path) -> None:
    done = run([sys.executable, GOLDEN / "make_launches.py", "--print", folder / "launches.toml"])
    assert done.status == 0, done.err
    assert (folder / "launches.jsonl").read_text(encoding="utf-8") == done.out


@pytest.mark.toolchain
@each_kernel
def test_identical_machine_code(folder: Path, tmp_path: Path) -> None:
    launches = folder / "launches.jsonl"
    rows = verify(convert([folder / "input.py"], tmp_path / "out"), launches, "sm_90")
    want = [(line, row["kernel"], "sm_90") for line, row in enumerate(read_rows(launches))]
    assert 2 <= len(want) <= 4
    assert [(row["line"], row["kernel"], row["arch"]) for row in rows] == want
    assert [row["detail"] for row in rows if row["verdict"] != "identical"] == []


@pytest.mark.toolchain
def test_crate_is_clean(tmp_path: Path) -> None:
    """All golden kernels as one crate, and the crates that come with it, with the versions that come locked with it."""
    out = convert([GOLDEN], tmp_path / "golden")
    done = run(["cargo", "fmt", "--all", "--check"], cwd=out)
    assert (done.status, done.out, done.err) == (0, "", "")
    command = ["cargo", "clippy", "--quiet", "--locked", "--workspace", "--all-features", "--all-targets"]
    done = run([*command, "--", "-D", "warnings"], cwd=out, env=cargo_environment())
    assert (done.status, done.err) == (0, "")


def test_launch_text() -> None:
    """What a line of `launches.toml` stands for: extents 16, strides 16 bytes, as cuTile's launcher looks at them."""
    line, _ = make_launches.launch(
        {"kernel": "k", "grid": [3, 2], "args": ["float16[6, 32, 20]", "float32[5]", "int32", 7, True, 0.5]}
    )
    assert line["symbol"] == "k_Kt1_A3f16_1v8_2i16_3l0_4t1_p16_A1f32_1t1_p16_Si32_I7_B1_F3fe0000000000000"
    assert line["shapes"] == [[6, 32, 20], [5], None, None, None, None]
    assert (line["module"], line["grid"], line["hints"]) == ("input", [3, 2], {})

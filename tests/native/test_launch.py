"""Launches as the driver sees them, with a driver that only pretends: parameters, streams, devices, caches, threads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cutile2rs.prebuild import prebuild
from cutile2rs.verify.toolchain import tool

from tests.native.conftest import Library, Script
from tests.workplace import write_rows

pytestmark = pytest.mark.toolchain

_PRELUDE = """
import json, os, sys, threading, time
import _native
from tests.native.arrays import Array, Tensor
add = _native.kernel("launch_sample:add_scaled")
rows = _native.kernel("launch_sample:sum_rows")
x, out = Tensor((64,), (1,)), Tensor((48,), (1,), address=8192)
args = (x, out, 40, 0.5, 32)
def raised(work):
    try:
        work()
    except Exception as problem:
        return [type(problem).__name__, problem.code, str(problem)]
"""


def _log(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_parameters_are_laid_out_as_cutile_python_does(script: Script, tmp_path: Path) -> None:
    """Per array its address, extents and strides, constant ones too; scalars in place; constants take no slot."""
    log = tmp_path / "log"
    text = "add.launch(77, (2, 3), args); add.with_hints({}).launch(0, (5,), args)"
    done = script(
        _PRELUDE + text, FAKE_CUDA_LOG=str(log), FAKE_CUDA_WORDS="8", CUTILE2RS_TILEIRAS=str(tool("tileiras"))
    )
    assert done.status == 0, done.err
    first, second = _log(log)
    half = int.from_bytes(b"\x00\x00\x00\x3f", "little")
    assert first == {
        "kernel": first["kernel"], "grid": [2, 3, 1], "block": [1, 1, 1], "shared": 0, "stream": 77, "device": 0,
        "words": [4096, 64, 1, 8192, 48, 1, 40, half],
    }  # fmt: skip
    assert first["kernel"].startswith("add_scaled") and first["kernel"].endswith("_entry")
    assert (second["grid"], second["stream"], second["words"]) == ([5, 1, 1], 0, first["words"])


def test_a_list_is_a_table_of_rows(script: Script, tmp_path: Path) -> None:
    log = tmp_path / "log"
    text = """
matrices = [Tensor((4, 32), (32, 1)), Tensor((5, 32), (64, 1), address=12288)]
rows.launch(0, (4,), (matrices, Tensor((2, 4), (4, 1), address=16384), 32))
"""
    done = script(
        _PRELUDE + text, FAKE_CUDA_LOG=str(log), FAKE_CUDA_WORDS="7", CUTILE2RS_TILEIRAS=str(tool("tileiras"))
    )
    assert done.status == 0, done.err
    [launch] = _log(log)
    assert launch["words"][1:] == [2, 16384, 2, 4, 4, 1]


def test_each_device_is_made_current(script: Script, tmp_path: Path) -> None:
    log = tmp_path / "log"
    text = """
def on(device):
    return (Tensor((64,), (1,), device=device), Tensor((64,), (1,), device=device), 40, 0.5, 32)
for device in (1, 0, 1):
    add.launch(0, (1,), on(device))
"""
    done = script(_PRELUDE + text, FAKE_CUDA_LOG=str(log), CUTILE2RS_TILEIRAS=str(tool("tileiras")))
    assert done.status == 0, done.err
    assert [launch["device"] for launch in _log(log)] == [1, 0, 1]


def test_what_is_compiled_once_is_not_compiled_again(script: Script, tmp_path: Path) -> None:
    """In a process: the assembler may go away. In the next: the folder on disk has it."""
    cache = tmp_path / "cache"
    assembler = tmp_path / "tileiras"
    assembler.symlink_to(tool("tileiras"))
    text = """
add.launch(0, (1,), args)
os.unlink(sys.argv[1])
add.launch(0, (9,), (Tensor((128,), (1,)), out, 7, 0.25, 32))
add.launch(0, (9,), (Tensor((100,), (1,)), out, 7, 0.25, 32)) if len(sys.argv) > 2 else None
"""
    environment = {"CUTILE2RS_CACHE": str(cache), "CUTILE2RS_TILEIRAS": str(assembler)}
    done = script(_PRELUDE + text, assembler, **environment)
    assert done.status == 0, done.err
    [kept] = cache.glob("*.cubin")
    assert kept.read_bytes().startswith(b"\x7fELF")
    stamp = kept.stat().st_mtime_ns
    assembler.symlink_to(tool("tileiras"))
    done = script(_PRELUDE + text, assembler, "other extents", **environment)
    assert done.status == 1 and "No such file" in done.err  # an extent that is no multiple of 16 is compiled for itself
    assert kept.stat().st_mtime_ns == stamp


@pytest.fixture
def launches(library: Library, tmp_path: Path) -> Path:
    """A recorded launch of the sample."""
    symbol = "add_scaled_Kt1_A1f32_1i16t1_p16_A1f32_1i16t1_p16_Si32_Sf32_I32"
    row = {"module": "launch_sample", "kernel": "add_scaled", "symbol": symbol, "hints": {}, "grid": [1], "shapes": []}
    other = {**row, "module": "elsewhere"}
    return write_rows(tmp_path / "launches.jsonl", [row, other])


def test_prebuilt_cubins_need_no_compiler(library: Library, launches: Path, script: Script) -> None:
    made = prebuild(library.out, launches, ["sm_90"], 1)
    assert (len(made.cubins), made.failed, made.others) == (1, [], 1)
    folder = library.out / "prebuilt"
    text = """
start = time.perf_counter()
add.launch(0, (1,), args)
first = time.perf_counter() - start
print(json.dumps([first, raised(lambda: add.launch(0, (1,), (Tensor((60,), (1,)), *args[1:])))]))
"""
    environment = {"CUTILE2RS_PREBUILT": str(folder), "CUTILE2RS_TILEIRAS": "/no/such/file"}
    done = script(_PRELUDE + text, **environment)
    assert done.status == 0, done.err
    seconds, (kind, code, message) = json.loads(done.out)
    assert seconds < 0.2
    assert (kind, code) == ("RuntimeError", -13) and "CUTILE2RS_TILEIRAS" in message
    # Of another text, cubins are not taken.
    index = json.loads((folder / "index.json").read_text())
    (folder / "index.json").write_text(json.dumps({**index, "modules": {"launch_sample": "0" * 64}}))
    done = script(_PRELUDE + "print(json.dumps(raised(lambda: add.launch(0, (1,), args))))", **environment)
    assert json.loads(done.out)[1] == -13


def test_an_old_assembler_is_named(script: Script, tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 13.1, V13.1.9'\n")
    old.chmod(0o755)
    done = script(
        _PRELUDE + "print(json.dumps(raised(lambda: add.launch(0, (1,), args))))", CUTILE2RS_TILEIRAS=str(old)
    )
    kind, code, message = json.loads(done.out)
    assert (kind, code) == ("RuntimeError", -14) and "release 13.1, which is too old" in message


_MISTAKES = """
print(json.dumps([raised(work) for work in (
    lambda: add.launch(0, (0,), args),
    lambda: add.launch(0, (1 << 24,), args),
    lambda: add.launch(0, (1,), args[:3]),
    lambda: add.launch(0, (1,), (Tensor((4, 4), (4, 1)), *args[1:])),
    lambda: add.launch(0, (1,), (Tensor((4,), (1,), dtype="complex64"), *args[1:])),
    lambda: add.launch(0, (1,), (Tensor((2**31,), (1,)), *args[1:])),
    lambda: add.launch(0, (1,), (*args[:4], 33)),
    lambda: _native.kernel("launch_sample:nothing"),
)]))
kinds = []
for work in (
    lambda: add.launch(0, (1,), (None, *args[1:])),
    lambda: add.launch(0, (1,), (object(), *args[1:])),
    lambda: add.launch(0, (1,), ("x", *args[1:])),
    lambda: add.launch(0, (1,), ((1, 2), *args[1:])),
    lambda: add.launch(0, (1,), (Tensor((4,), (1,), device=-1), *args[1:])),
    lambda: add.launch(0, (1,), (*args[:4], 2**70)),
    lambda: add.launch(0, (1, 1, 1, 1), args),
    lambda: add.launch(0, [1], args),
    lambda: add.launch(0, (1.0,), args),
    lambda: rows.launch(0, (1,), ([], out, 32)),
):
    try:
        work()
    except Exception as problem:
        kinds.append(type(problem).__name__)
print(json.dumps(kinds))
"""


def test_mistakes_raise_what_python_expects(script: Script) -> None:
    done = script(_PRELUDE + _MISTAKES)
    assert done.status == 0, done.err
    coded, kinds = map(json.loads, done.out.splitlines())
    assert [(kind, code) for kind, code, _ in coded] == [
        ("ValueError", -10), ("ValueError", -10), ("TypeError", -20), ("ValueError", -8), ("TypeError", -2),
        ("ValueError", -9), ("ValueError", -7), ("ValueError", -21),
    ]  # fmt: skip
    assert kinds == [
        "TypeError", "TypeError", "TypeError", "TypeError", "TypeError", "OverflowError", "ValueError", "TypeError",
        "TypeError", "TypeError",
    ]  # fmt: skip


_MANY = """
import resource
def memory():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
interface = (Array((64,)), Array((48,), address=8192), 40, 0.5, 32)
for _ in range(2000):
    add.launch(0, (1,), args); add.launch(0, (1,), interface)
before = memory()
for _ in range(50000):
    add.launch(0, (1,), args); add.launch(0, (1,), interface)
print(memory() - before)
"""


def test_launches_take_no_memory(script: Script) -> None:
    done = script(_PRELUDE + _MANY, CUTILE2RS_TILEIRAS=str(tool("tileiras")))
    assert done.status == 0, done.err
    assert int(done.out) < 1 << 20


_THREADS = """
start = threading.Barrier(8)
def work(number):
    start.wait()
    for turn in range(50):
        add.launch(1000 + number, (number + 1,), (Tensor((16 * (number % 2) + 8,), (1,)), out, number, 0.5, 32))
threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
for t in threads: t.start()
for t in threads: t.join()
"""


def test_eight_threads_on_eight_streams(script: Script, tmp_path: Path) -> None:
    log = tmp_path / "log"
    done = script(
        _PRELUDE + _THREADS, FAKE_CUDA_LOG=str(log), FAKE_CUDA_WORDS="8", CUTILE2RS_TILEIRAS=str(tool("tileiras"))
    )
    assert done.status == 0, done.err
    seen = [(launch["stream"] - 1000, launch["grid"][0] - 1, launch["words"][6]) for launch in _log(log)]
    assert sorted(seen) == sorted((n, n, n) for n in range(8) for _ in range(50))

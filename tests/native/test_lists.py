"""Tables of lists of arrays on the device: kept while they do not change, and right whatever the order things run in.

The pretended driver runs what is submitted late, the last stream first, and overwrites what is freed: a launch that reads a
table before it is written, or after it is overwritten or freed, logs something else than what it was launched with.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cutile2rs.verify.toolchain import tool

from tests.native.conftest import Script

pytestmark = pytest.mark.toolchain

_PRELUDE = """
import ctypes, json, os, random, sys, threading
import _native
from tests.native.arrays import Tensor
rows = _native.kernel("launch_sample:sum_rows")
driver = ctypes.CDLL("libcuda.so.1")
ALLOCATED, FREED, COPIED = range(3)
lock, expected = threading.Lock(), []

def launch(stream, addresses, device=0):
    matrices = [Tensor((4, 32), (32, 1), address=a, device=device) for a in addresses]
    out = Tensor((len(matrices), 4), (4, 1), address=16384, device=device)
    rows.launch(stream, (len(addresses),), (matrices, out, 32))
    with lock:
        expected.append([stream, device, [n for a in addresses for n in (a, 4, 32, 32, 1)]])

def counts():
    return [driver.fake_count(kind) for kind in (ALLOCATED, FREED, COPIED)]

def addresses(number):
    return [4096 + 16 * number, 8192 + 16 * number]
"""

_EPILOGUE = """
driver.fake_run()
print(json.dumps([counts(), expected]))
"""


def _run(script: Script, tmp_path: Path, text: str) -> tuple[list[int], list[Any], list[Any]]:
    """Numbers of calls, and what was launched and what ran: each as stream, device and table."""
    log = tmp_path / "log"
    environment = {
        "FAKE_CUDA_LOG": str(log), "FAKE_CUDA_TABLE": "0:5", "FAKE_CUDA_LATE": "1",
        "CUTILE2RS_TILEIRAS": str(tool("tileiras")),
    }  # fmt: skip
    done = script(_PRELUDE + text + _EPILOGUE, **environment)
    assert done.status == 0, done.err
    counts, expected = json.loads(done.out)
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return counts, sorted(expected), sorted([line["stream"], line["device"], line["table"]] for line in lines)


def test_a_list_that_does_not_change_is_written_once(script: Script, tmp_path: Path) -> None:
    text = "for turn in range(50):\n    launch(5, addresses(turn % 3))"
    counts, expected, ran = _run(script, tmp_path, text)
    assert counts == [3, 0, 3]
    assert len(ran) == 50 and ran == expected


def test_lists_that_change_overwrite_others(script: Script, tmp_path: Path) -> None:
    """Of a stream a mebibyte is kept, 2048 tables of the smallest size; a place is written again in the stream's order."""
    text = """
for turn in range(2500):
    launch(5, addresses(turn))
    launch(5, addresses(0))
"""
    counts, expected, ran = _run(script, tmp_path, text)
    assert counts == [2048, 0, 2500]
    assert len(ran) == 5000 and ran == expected


def test_streams_share_no_table(script: Script, tmp_path: Path) -> None:
    """The last stream runs first here: it cannot rely on what another writes."""
    text = """
for turn in range(4):
    for stream in (5, 6, 7):
        launch(stream, addresses(turn % 2))
"""
    counts, expected, ran = _run(script, tmp_path, text)
    assert counts == [6, 0, 6] and ran == expected


def test_a_handle_that_comes_back_is_another_stream(script: Script, tmp_path: Path) -> None:
    text = "launch(5, addresses(0)); driver.fake_renew(5); launch(5, addresses(0)); launch(5, addresses(0))"
    counts, expected, ran = _run(script, tmp_path, text)
    assert counts == [2, 0, 2] and ran == expected


def test_devices_share_no_table(script: Script, tmp_path: Path) -> None:
    text = "for device in (0, 1, 0, 1):\n    launch(0, addresses(0), device)"
    counts, expected, ran = _run(script, tmp_path, text)
    assert counts == [2, 0, 2] and ran == expected
    assert [device for _, device, _ in ran] == [0, 0, 1, 1]


def test_streams_are_bounded(script: Script, tmp_path: Path) -> None:
    """Those beyond the 64th, and the handle of a thread's default stream, make a table a launch, and free it."""
    text = "for stream in (*range(1000, 1070), 2):\n    launch(stream, addresses(0)); launch(stream, addresses(0))"
    counts, expected, ran = _run(script, tmp_path, text)
    assert counts == [64 + 7 * 2, 7 * 2, 64 + 7 * 2] and ran == expected


def test_a_large_table_is_not_kept(script: Script, tmp_path: Path) -> None:
    text = "launch(5, [4096] * 1700); launch(5, [4096] * 1700); launch(5, [4096] * 1600); launch(5, [4096] * 1600)"
    counts, expected, ran = _run(script, tmp_path, text)
    assert counts == [3, 2, 3] and ran == expected


def test_a_graph_has_its_own_table(script: Script, tmp_path: Path) -> None:
    """Its table is not the kept one, which is overwritten meanwhile; graphs may run again and again, and share tables."""
    text = """
launch(5, addresses(0))
for graph in range(2):
    driver.fake_capture(5, 1)
    launch(5, addresses(0))
    launch(5, addresses(1))
    driver.fake_capture(5, 0)
captured = expected[-4:]
for turn in range(2500):
    launch(5, addresses(turn + 2))
launch(5, addresses(0))
driver.fake_run()
driver.fake_replay()
driver.fake_replay()
expected += captured
"""
    counts, expected, ran = _run(script, tmp_path, text)
    assert counts == [2048 + 2, 0, 2502 + 2] and ran == expected


def test_another_thread_may_capture_meanwhile(script: Script, tmp_path: Path) -> None:
    """Whoever captures forbids others what is not in a stream's order: launches that are not captured need none of that."""
    text = """
launch(6, addresses(0))
driver.fake_capture(5, 1)
thread = threading.Thread(target=lambda: [launch(6, addresses(n)) for n in range(3)])
thread.start(); thread.join()
launch(5, addresses(1))
driver.fake_capture(5, 0)
driver.fake_run()
driver.fake_replay()
"""
    counts, expected, ran = _run(script, tmp_path, text)
    assert counts == [3 + 1, 0, 3 + 1] and len(ran) == 5 and ran == expected


def test_threads_on_one_stream(script: Script, tmp_path: Path) -> None:
    text = """
launch(5, addresses(0))
def work(seed):
    rng = random.Random(seed)
    for turn in range(600):
        launch(5, addresses(rng.randrange(3000)))
threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
for t in threads: t.start()
for t in threads: t.join()
"""
    counts, expected, ran = _run(script, tmp_path, text)
    assert counts[0] <= 2048 and counts[1] == 0
    assert len(ran) == 4801 and ran == expected


_MEMORY = """
import resource
def memory():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
lists = [[Tensor((4, 32), (32, 1), address=a) for a in addresses(n)] for n in range(4)]
out = Tensor((2, 4), (4, 1), address=16384)
def many(count):
    for turn in range(count):
        rows.launch(5, (2,), (lists[turn % 4], out, 32))
many(2000)
before = memory()
many(50000)
print(memory() - before)
"""


def test_lists_take_no_memory(script: Script) -> None:
    done = script(_PRELUDE + _MEMORY, CUTILE2RS_TILEIRAS=str(tool("tileiras")))
    assert done.status == 0, done.err
    assert int(done.out) < 1 << 20

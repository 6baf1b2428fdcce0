"""The C symbols take anything without falling over, and say by a code what is wrong with it."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from cutile2rs.backend import host

from tests.native.conftest import Library, Script
from tests.workplace import run

pytestmark = pytest.mark.toolchain

_PRELUDE = """
import ctypes, json, random, sys

class Tensor(ctypes.Structure):
    _fields_ = [("ptr", ctypes.c_uint64), ("ndim", ctypes.c_int32), ("shape", ctypes.c_int64 * 5),
                ("strides", ctypes.c_int64 * 5), ("dtype", ctypes.c_int32)]

class Value(ctypes.Union):
    _fields_ = [("integer", ctypes.c_int64), ("number", ctypes.c_double), ("pointer", ctypes.c_void_p)]

class Arg(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int32), ("count", ctypes.c_int32), ("value", Value)]

class Options(ctypes.Structure):
    _fields_ = [(n, ctypes.c_int32) for n in ("occupancy", "num_ctas", "num_worker_warps", "opt_level")]

library = ctypes.CDLL(sys.argv[1])
library.cutile2rs_last_error.restype = ctypes.c_char_p
library.cutile2rs_code_name.restype = ctypes.c_char_p
Grid = ctypes.c_int32 * 3

def tensor(shape=(64,), strides=(1,), dtype=0, ptr=4096, ndim=None):
    t = Tensor(ptr=ptr, ndim=len(shape) if ndim is None else ndim, dtype=dtype)
    for k in range(min(5, len(shape))):
        t.shape[k], t.strides[k] = shape[k], strides[k]
    return t

def arg(value):
    if value is None:
        return Arg(kind=0)
    if isinstance(value, Tensor):
        return Arg(kind=1, count=1, value=Value(pointer=ctypes.addressof(value)))
    if isinstance(value, list):
        array = (Tensor * len(value))(*value)
        keep.append(array)
        return Arg(kind=2, count=len(value), value=Value(pointer=ctypes.addressof(array)))
    if isinstance(value, bool):
        return Arg(kind=5, value=Value(integer=value))
    return Arg(kind=4, value=Value(number=value)) if isinstance(value, float) else Arg(kind=3, value=Value(integer=value))

keep = []

def call(symbol, values, grid=(1, 1, 1), options=None, device=0, stream=0, count=None):
    keep.append(values)
    args = (Arg * max(1, len(values)))(*[v if isinstance(v, Arg) else arg(v) for v in values])
    answer = getattr(library, symbol)(
        args, len(values) if count is None else count, None if grid is None else Grid(*grid),
        None if options is None else ctypes.byref(options), device, ctypes.c_uint64(stream))
    if len(keep) > 64:
        del keep[:]
    return answer

ADD, ROWS = "cutile2rs_launch_sample_add_scaled", "cutile2rs_launch_sample_sum_rows"
good = [tensor(), tensor(), 64, 0.5, 32]
"""

_CASES = """
t = tensor
found = {
    "fine": call(ADD, good),
    "null arguments": getattr(library, ADD)(None, 5, Grid(1, 1, 1), None, 0, ctypes.c_uint64(0)),
    "null grid": call(ADD, good, grid=None),
    "null tensor": call(ADD, [Arg(kind=1, count=1), *good[1:]]),
    "too few": call(ADD, good, count=4),
    "negative count": call(ADD, good, count=-1),
    "huge count": call(ADD, good, count=2**31 - 1),
    "no such kind": call(ADD, [Arg(kind=99), *good[1:]]),
    "negative kind": call(ADD, [Arg(kind=-1), *good[1:]]),
    "none": call(ADD, [None, *good[1:]]),
    "text": call(ADD, [Arg(kind=6), *good[1:]]),
    "number for an array": call(ADD, [3, *good[1:]]),
    "list for an array": call(ADD, [[t()], *good[1:]]),
    "array for a constant": call(ADD, [*good[:4], t()]),
    "dtype 20": call(ADD, [t(dtype=20), *good[1:]]),
    "dtype -1": call(ADD, [t(dtype=-1), *good[1:]]),
    "rank 6": call(ADD, [t(ndim=6), *good[1:]]),
    "rank -1": call(ADD, [t(ndim=-1), *good[1:]]),
    "rank 2": call(ADD, [t((8, 8), (8, 1)), *good[1:]]),
    "negative extent": call(ADD, [t((-1,)), *good[1:]]),
    "huge extent": call(ADD, [t((2**31,)), *good[1:]]),
    "negative stride": call(ADD, [t((4,), (-1,)), *good[1:]]),
    "huge stride": call(ADD, [t((4,), (2**40,)), *good[1:]]),
    "read with stride 0": call(ADD, [t((4,), (0,)), *good[1:]]),
    "stored to with stride 0": call(ROWS, [[t((4, 4), (4, 1))], t((4, 4), (0, 1)), 32]),
    "huge scalar": call(ADD, [t(), t(), 2**31, 0.5, 32]),
    "grid 0": call(ADD, good, grid=(1, 0, 1)),
    "grid -1": call(ADD, good, grid=(-1, 1, 1)),
    "grid 2**24": call(ADD, good, grid=(1, 1, 2**24)),
    "constant 33": call(ADD, [*good[:4], 33]),
    "constant true": call(ADD, [*good[:4], True]),
    "constant 32.0": call(ADD, [*good[:4], 32.0]),
    "empty list": call(ROWS, [Arg(kind=2, count=0), t((4, 4), (4, 1)), 32]),
    "mixed list": call(ROWS, [[t((4, 4), (4, 1)), t((4, 4), (4, 1), dtype=1)], t((4, 4), (4, 1)), 32]),
    "mixed ranks": call(ROWS, [[t((4, 4), (4, 1)), t()], t((4, 4), (4, 1)), 32]),
    "no folder": library.cutile2rs_set_prebuilt(None),
    "wrong folder": library.cutile2rs_set_prebuilt(b"/no/such/folder"),
}
print(json.dumps({k: library.cutile2rs_code_name(v).decode() for k, v in found.items()}))
"""

CODES = {
    "fine": "no driver",
    "null arguments": "null pointer",
    "null grid": "null pointer",
    "null tensor": "null pointer",
    "too few": "wrong argument count",
    "negative count": "wrong argument count",
    "huge count": "wrong argument count",
    "no such kind": "invalid arguments",
    "negative kind": "invalid arguments",
    "none": "invalid arguments",
    "text": "invalid arguments",
    "number for an array": "invalid arguments",
    "list for an array": "invalid arguments",
    "array for a constant": "invalid arguments",
    "dtype 20": "unsupported dtype",
    "dtype -1": "unsupported dtype",
    "rank 6": "wrong rank",
    "rank -1": "wrong rank",
    "rank 2": "wrong rank",
    "negative extent": "size out of range",
    "huge extent": "size out of range",
    "negative stride": "size out of range",
    "huge stride": "size out of range",
    "read with stride 0": "no driver",
    "stored to with stride 0": "overlapping array",
    "huge scalar": "size out of range",
    "grid 0": "bad grid",
    "grid -1": "bad grid",
    "grid 2**24": "bad grid",
    "constant 33": "no entry",
    "constant true": "no entry",
    "constant 32.0": "no entry",
    "empty list": "invalid arguments",
    "mixed list": "invalid arguments",
    "mixed ranks": "invalid arguments",
    "no folder": "null pointer",
    "wrong folder": "bad prebuilt",
}


def test_each_mistake_has_its_code(library: Library, script: Script) -> None:
    done = script(_PRELUDE + _CASES, library.file, gpu=False)
    assert done.status == 0, done.err
    assert json.loads(done.out) == CODES


_GPU_CASES = """
found = {
    "device 2": call(ADD, good, device=2),
    "device -1": call(ADD, good, device=-1),
    "device 64": call(ADD, good, device=64),
    "occupancy 33": call(ADD, good, options=Options(33, -1, -1, -1)),
    "no assembler": call(ADD, good),
}
texts = {}
for name, code in found.items():
    texts[name] = library.cutile2rs_code_name(code).decode()
print(json.dumps([texts, library.cutile2rs_last_error().decode()]))
"""


def test_with_a_driver(library: Library, script: Script) -> None:
    done = script(_PRELUDE + _GPU_CASES, library.file, CUTILE2RS_TILEIRAS="/no/such/file")
    assert done.status == 0, done.err
    codes, text = json.loads(done.out)
    assert codes == {
        "device 2": "no device", "device -1": "no device", "device 64": "no device", "occupancy 33": "invalid arguments",
        "no assembler": "tileiras missing",
    }  # fmt: skip
    assert "CUTILE2RS_TILEIRAS names /no/such/file" in text and "pip install 'cuda-tile[tileiras]'" in text


_FUZZ = """
rng = random.Random(3)
symbols = sys.argv[2].split(",")
wild = (0, 1, -1, 2, 5, 16, 17, 64, 2**31 - 1, 2**31, -(2**31), 2**40, 2**63 - 1, -(2**63))

def some_tensor():
    rank = rng.choice((0, 1, 1, 2, 2, 2, 3, 4, 5, 6, -1, 2**31 - 1)) if rng.random() < 0.5 else rng.choice((1, 2))
    dtype = rng.choice((0, 0, 0, 1, 2, 3, 8, 19, 20, -5, 2**31 - 1))
    t = Tensor(ptr=rng.choice((0, 8, 4096, 2**64 - 1)), ndim=rank, dtype=dtype)
    for k in range(5):
        t.shape[k] = rng.choice(wild) if rng.random() < 0.2 else rng.choice((1, 4, 64))
        t.strides[k] = rng.choice(wild) if rng.random() < 0.2 else (1, 64, 4096, 2**18, 2**24)[k]
    return t

def some_value():
    return rng.choice((some_tensor, some_tensor, some_tensor, lambda: [some_tensor() for _ in range(rng.randint(1, 4))],
        lambda: rng.choice(wild), lambda: rng.choice((0.5, float("nan"), -1e300)), lambda: rng.random() < 0.5, lambda: None,
        lambda: Arg(kind=rng.choice((-7, 0, 1, 2, 6, 7, 8, 2**31 - 1)), count=rng.choice((-1, 0, 1)))))()

seen = {}
for _ in range(int(sys.argv[3])):
    values = [some_value() for _ in range(rng.choice((0, 1, 3, 4, 5, 5, 5, 6, 9)))]
    if rng.random() < 0.5:
        values = list(good)
        values[rng.randrange(5)] = some_value()
    grid = None if rng.random() < 0.05 else tuple(rng.choice((1, 1, 1, 0, -1, 2**24, 2**31 - 1)) for _ in range(3))
    options = None if rng.random() < 0.7 else Options(*(rng.choice((-1, 0, 1, 2, 99, -5)) for _ in range(4)))
    code = call(rng.choice(symbols), values, grid, options, rng.choice((0, 1, -1, 2**31 - 1)), rng.choice((0, 7)))
    text = library.cutile2rs_last_error().decode()
    name = library.cutile2rs_code_name(code).decode()
    assert code < 0 and name != "unknown code" and text.startswith(name + ": "), (code, name, text)
    seen[name] = seen.get(name, 0) + 1
print(json.dumps(seen))
"""


def test_garbage(library: Library, script: Script) -> None:
    """Thousands of calls, few of them sensible: each gets a code with a text, and none of them is a panic."""
    symbols = re.findall(r"cutile2rs_kernel (\w+);", (library.out / "include/cutile2rs.h").read_text(encoding="utf-8"))
    assert len(symbols) == len(list(library.kernels()))
    done = script(_PRELUDE + _FUZZ, library.file, ",".join(symbols), "20000", gpu=False)
    assert done.status == 0, done.err[-2000:]
    seen = json.loads(done.out)
    assert "panic" not in seen
    assert seen.keys() >= {"no driver", "no entry", "wrong rank", "size out of range", "bad grid", "unsupported dtype"}


def test_the_header_is_c_and_says_what_rust_has(library: Library) -> None:
    header = library.out / "include/cutile2rs.h"
    compiler = shutil.which("gcc") or shutil.which("clang") or "cc"
    source = (
        '#include "cutile2rs.h"\n#include <stddef.h>\n'
        "_Static_assert(sizeof(cutile2rs_tensor) == 104 && offsetof(cutile2rs_tensor, dtype) == 96, \"tensor\");\n"
        "_Static_assert(sizeof(cutile2rs_arg) == 16 && offsetof(cutile2rs_arg, value) == 8, \"argument\");\n"
        "_Static_assert(CUTILE2RS_F32 == 0 && CUTILE2RS_F8E4M3FN == 7, \"codes\");\n"
        "int32_t f(void) { return cutile2rs_launch_sample_add_scaled(0, 0, 0, 0, 0, 0); }\n"
    )  # fmt: skip
    file = library.file.with_name("header.c")
    file.write_text(source, encoding="utf-8")
    done = run([compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{header.parent}", file])
    assert (done.status, done.err) == (0, "")
    assert dict(host.dtype_codes())["F4E2M1FNX2"] == 6

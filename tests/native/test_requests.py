"""What a launch is compiled as: the same as what verification compiles, which is what cuTile Python would assume."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cutile2rs.pipeline import convert_in_memory
from cutile2rs.prebuild import key, prebuild
from cutile2rs.verify.api import RustSide
from cutile2rs.verify.launches import read_launches
from cutile2rs.verify.toolchain import run_tool

from tests.native.arrays import Array, standing_in
from tests.native.conftest import Library, Script
from tests.workplace import convert, launches_file, write_rows

pytestmark = pytest.mark.toolchain


def _hints(kernel: dict[str, Any], launch: Any, target: str) -> dict[str, Any]:
    """A launch's options as its Python host hands them over: all of them, for one target."""
    both = {**kernel["hints"], **launch.hints}
    return {name: v.get(target, v.get("default")) if isinstance(v, dict) else v for name, v in both.items()}


def _text(bytecode: bytes) -> str:
    """Tile IR as text: cuTile Rust writes a program's constants in varying order into bytecode."""
    return run_tool("tileirdisasm", ["{in}"], bytecode).decode()


@pytest.mark.parametrize("target", ["sm_80", "sm_90", "sm_100"])
def test_recorded_launches_make_the_requests_that_are_verified(library: Library, native: Any, target: str) -> None:
    from cuda.tile.compilation._name_mangling import demangle_kernel_name

    rust = RustSide(library.out)
    compared: set[str] = set()
    count = 0
    for launch in read_launches(launches_file()):
        if not rust.holds(launch):
            continue
        kernel = dict(rust.kernel(launch))
        _, signature = demangle_kernel_name(launch.symbol)
        args = tuple(standing_in(c) for c in signature.parameters)
        request = rust.request(launch, target)
        found = native.kernel(f"{launch.module}:{launch.kernel}")
        hints = _hints(kernel, launch, target)
        assert found.request(args, target, hints) == key(request), launch.symbol
        if not launch.hints and not kernel["unknown_hints"]:
            assert found.request(args, target) == key(request), launch.symbol
        count += 1
        if target == "sm_90" and launch.kernel not in compared:
            compared.add(launch.kernel)
            assert _text(found.bytecode(args, target, hints)) == _text(rust.compile_request(request).bytecode), (
                launch.symbol
            )
    assert count > 20 and (compared or target != "sm_90")


def test_cubins_made_ahead_are_those_of_launches(native: Any, tmp_path: Path) -> None:
    """A record's symbol does not say that an extent is 1; its shapes do."""
    out = convert([Path(__file__).parent / "kernels" / "launch_sample.py"], tmp_path / "out")
    symbol = "add_scaled_Kt1_A1f32_1t1_p16_A1f32_1i16t1_p16_Si32_Sf32_I32"
    row = {"module": "launch_sample", "kernel": "add_scaled", "symbol": symbol, "hints": {}, "grid": [1]}
    launches = write_rows(tmp_path / "launches.jsonl", [{**row, "shapes": [[1], [64], None, None, None]}])
    args = (Array((1,)), Array((64,)), 64, 0.5, 32)
    made = prebuild(out, launches, ["sm_90"], 1)
    assert [*made.cubins] == [native.kernel("launch_sample:add_scaled").request(args, "sm_90")]


_MEASURE = """
import json, random, sys
import cuda.tile as ct
from cuda.tile._cext import CallingConvention, get_parameter_constraints_from_pyargs as constraints
from cutile2rs.verify.binding import ListArg, arguments_of, assumed, bind
from tests.native.arrays import TYPESTR, Array
import _native

@ct.kernel
def one(x): pass

rng = random.Random(11)
launched, listed = CallingConvention.cutile_python_v2(), CallingConvention.cutile_python_v1()
kernel = _native.kernel("launch_sample:add_scaled")
seen = {}

def array(rank, dtype):
    shape = [rng.choice((0, 1, 1, 2, 3, 16, 17, 48)) for _ in range(rank)]
    strides, least = [0] * rank, 1
    for k in rng.sample(range(rank), rank):
        strides[k] = rng.choice((least, least, least, least + 1, 0, 1, 2, 16, 2 * least)) if rng.random() < 0.4 else least
        least *= max(shape[k], 1)
    strides = [min(s, 2**31 - 1) for s in strides]  # larger ones are refused
    return Array(shape, strides, dtype, rng.choice((0, 4096, 4100, 4104, 24)))

for _ in range(int(sys.argv[1])):
    dtype, rank = rng.choice(sorted(TYPESTR)), rng.choice((0, 1, 2, 3, 5, 6, 8))
    many = rng.random() < 0.3
    arrays = [array(rank, dtype) for _ in range(rng.choice((1, 2, 3)))] if many else array(rank, dtype)
    [found] = constraints(one, (arrays,), listed if many else launched)
    [argument] = arguments_of([found], ["x"])
    element = argument.element if isinstance(argument, ListArg) else argument
    theirs = _native.assumed(arrays)
    bound = bind([element], {}, "sm_90")
    [(_, strides)], [(_, spec)] = bound.strides, bound.spec_args
    ours = [strides, spec["extents"], spec["shape_div"], spec["stride_div"], spec["base_ptr_div"], element.disjoint]
    if many:  # of rows no extent is taken as a constant
        theirs[1] = ours[1]
    assert theirs == ours, (many, found, theirs, ours)
    seen[json.dumps(ours)] = True
print(len(seen))
"""


def test_assumptions_are_those_of_cutile_python(script: Script) -> None:
    """Thousands of arrays and lists: cuTile Python's signature for each, and the runtime's assumptions."""
    done = script(_MEASURE, "6000")
    assert done.status == 0, done.err[-3000:]
    assert int(done.out) > 300


def test_an_annotated_parameter_is_refused(tmp_path: Path) -> None:
    """64-bit scalars and the like: no entry is made for them, so no launch must look as if."""
    source = tmp_path / "wide.py"
    source.write_text(
        "import cuda.tile as ct\n\n@ct.kernel\ndef fill(x, n: ct.ScalarInt64, T: ct.Constant[int]):\n"
        "    ct.store(x, (ct.bid(0),), ct.full((T,), n, ct.int32))\n"
    )
    files = convert_in_memory([source]).files
    assert json.loads(files["src/wide/tables.jsonl"])["params"][1] == ["n", "annotated"]


def test_options(native: Any) -> None:
    kernel = native.kernel("launch_sample:add_scaled")
    args = (Array((64,)), Array((64,)), 64, 0.5, 32)
    own = kernel.request(args, "sm_90")
    assert own.endswith(" occupancy=2 sm_90 O3")
    assert kernel.request(args, "sm_90", {}).endswith("/16 sm_90 O3")
    several = {"occupancy": 8, "num_ctas": 2, "num_worker_warps": 4, "opt_level": 1}
    assert kernel.request(args, "sm_100", several).endswith(" occupancy=8 num_ctas=2 num_worker_warps=4 sm_100 O1")
    for bad in ({"occupancy": 33}, {"num_ctas": 3}, {"num_worker_warps": 64}, {"opt_level": 4}, {"fast": 1}):
        with pytest.raises((TypeError, ValueError)):
            kernel.request(args, "sm_90", bad)

"""`cutile2rs record`: the distinct launches of a program, whatever becomes of the program."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from cutile2rs.verify.launches import read_launches

from tests.host.conftest import KERNELS
from tests.workplace import Done, cutile2rs

ARRAY = """
import sys
import cuda.tile as ct
from cuda.tile import launch

class Array:
    def __init__(self, shape, kind="<f2", address=256):
        self.__cuda_array_interface__ = {"shape": shape, "typestr": kind, "data": (address, False), "version": 3,
                                         "strides": None}

def attempt(function, *args):
    try:
        function(*args)
    except RuntimeError as problem:  # there is no GPU
        assert "context" in str(problem), problem
"""
PROGRAM = (
    ARRAY
    + """
@ct.kernel(occupancy=2)
def shift(x, y, N: ct.Constant[int], by):
    pass

for n in (4, 4, 8):
    for by in (1.5, 2.5):
        attempt(launch, 0, (n,), shift, (Array((64, n)), Array((3,), "<i4", 260), n, by))
plain = shift.replace_hints(occupancy=None)
wide = shift.replace_hints(num_ctas=ct.ByTarget(sm_90=2, default=1), opt_level=2)
for kernel in (plain, wide):
    attempt(ct.launch, 0, (1, 2), kernel, (Array((64, 4)), Array((3,)), 4, 1))
attempt(ct.tune.exhaustive_search.__globals__["_benchmark"], 0, (5,), shift, (Array((64, 4)), Array((3,)), 4, 1), True)
attempt(launch, 0, (1,), shift, (object(),))  # which no signature describes
"""
)


def recorded(
    folder: Path, program: str, *args: str, env: dict[str, str] | None = None
) -> tuple[Done, list[dict[str, Any]]]:
    """What a program's recording ends with, and its rows."""
    script, out = folder / "script.py", folder / "out.jsonl"
    script.write_text(program)
    done = cutile2rs("record", "-o", out, "--", sys.executable, script, *args, env=env)
    return done, [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []


def test_distinct_launches_with_symbol_hints_grid_and_shapes(tmp_path: Path) -> None:
    done, rows = recorded(tmp_path, PROGRAM)
    assert done.status == 0, done.err
    assert done.out.strip() == f"recorded 5 launches to {tmp_path / 'out.jsonl'}"
    assert rows[0] == {
        "module": "script", "kernel": "shift", "symbol": "shift_Kt1_A2f16_1i16l0_2t1_p16_A1i32_1t1_I4_Sf32",
        "hints": {"occupancy": 2}, "grid": [4, 1, 1], "shapes": [[64, 4], [3], None, None],
        "scalars": [None, None, None, 1.5],
    }  # fmt: skip
    assert [(row["grid"], row["hints"]) for row in rows[1:]] == [
        ([8, 1, 1], {"occupancy": 2}),
        ([1, 2, 1], {"occupancy": None}),
        ([1, 2, 1], {"num_ctas": {"sm_90": 2, "default": 1}, "occupancy": 2, "opt_level": 2}),
        ([5, 1, 1], {"occupancy": 2}),
    ]
    assert [launch.symbol for launch in read_launches(tmp_path / "out.jsonl")] == [row["symbol"] for row in rows]


def test_a_failing_program_is_recorded_up_to_its_failure(tmp_path: Path) -> None:
    done, rows = recorded(tmp_path, PROGRAM + "sys.exit(5)\n")
    assert done.status == 1 and "the program ended with status 5" in done.err and len(rows) == 5


def test_nothing_to_record(tmp_path: Path) -> None:
    done, rows = recorded(tmp_path, "import json\n")
    assert done.status == 1 and rows == []
    assert "C2R704" in done.err and "made no launch that could be recorded" in done.err
    done = cutile2rs("record", "-o", tmp_path / "x", "--", "/no/such/program")
    assert done.status == 1 and "cannot run /no/such/program: No such file or directory" in done.err


def test_all_processes_and_modules_of_a_program(tmp_path: Path) -> None:
    """Kernels of imported modules are named by them, and a child process records as well, each launch once."""
    program = ARRAY + (
        "import subprocess\n"
        "from pack import aliases, helpers\n"
        "attempt(aliases.by_name, (Array((16,)), Array((16,)), 16))\n"
        "attempt(helpers.run_on, aliases.copy, 0, (Array((32,)), Array((16,)), 16))\n"
        "if len(sys.argv) == 1:\n"
        "    subprocess.run([sys.executable, __file__, 'child'], check=True)\n"
    )
    done, rows = recorded(tmp_path, program, env={"PYTHONPATH": str(KERNELS)})
    assert done.status == 0, done.err
    assert [(row["module"], row["kernel"], row["shapes"][0]) for row in rows] == [
        ("pack.aliases", "copy", [16]), ("pack.aliases", "copy", [32]),
    ]  # fmt: skip
    assert "scalars" not in rows[0]


def test_the_programs_own_sitecustomize_runs(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("import os\nos.environ['OWN'] = 'ran'\n")
    program = (
        PROGRAM
        + "import os\nassert os.environ['OWN'] == 'ran'\nimport sitecustomize\nassert 'site' in sitecustomize.__file__\n"
    )
    path = os.pathsep.join([str(tmp_path / "site"), str(KERNELS)])
    done, rows = recorded(tmp_path, program, env={"PYTHONPATH": path})
    assert done.status == 0, done.err
    assert len(rows) == 5


@pytest.mark.toolchain
def test_a_recorded_launch_can_be_verified(tmp_path: Path) -> None:
    """The row is one that `verify` takes; the kernel's launch is of the converted crate's."""
    program = (
        ARRAY + "from pack.plain import double\nattempt(launch, 0, (2,), double, (Array((64,)), Array((64,)), 16))\n"
    )
    done, rows = recorded(tmp_path, program, env={"PYTHONPATH": str(KERNELS)})
    assert done.status == 0 and len(rows) == 1
    out = tmp_path / "crate"
    assert cutile2rs("convert", KERNELS / "pack", "-o", out).status == 0
    done = cutile2rs("verify", out, "--launches", tmp_path / "out.jsonl", "-j", "1")
    assert done.status == 0 and "1 of 1 launch equal" in done.out

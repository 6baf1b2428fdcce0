"""The machine code of each kernel of ``kernels/memory_sample.py`` is Python's."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from cutile2rs.pipeline import convert
from cutile2rs.verify.api import verify_output

pytestmark = pytest.mark.toolchain
ROOT = Path(__file__).parents[2]
SAMPLE = Path(__file__).parent / "kernels" / "memory_sample.py"
ROWS, FLAT = "float16[64, 512]", "float32[4096]"
LAUNCHES: list[tuple[str, list[Any]]] = [
    ("count_tiles", ["float16[64, 512]", "float16[64, 128]", 128, 3, True, True]),
    ("count_tiles", ["float16[64, 500]", "float16[64, 128]", 128, 9, True, False]),
    ("count_tiles", ["float16[64, 512]", "float16[64, 128]", 128, 3, False, True]),
    ("shape_numbers", ["int32[64, 500]", "int32[128]", 128]),
    ("bias_of_either_rank", ["float16[64, 128]", "float16[128]", "float16[64, 128]", 128, 1]),
    ("bias_of_either_rank", ["float16[64, 128]", "float16[64, 128]", "float16[64, 128]", 128, 2]),
    ("bias_of_either_rank", ["float16[64, 128]", "float16[1]", "float16[64, 128]", 128, 0]),
    ("bias_of_either_rank", ["float16[64, 128]", "float16[4, 4, 4]", "float16[64, 128]", 128, 0]),
    ("spin_lock", ["int32[512]", "float32[512]", "float32[512]", 128]),
    ("atomics", ["int32[512, 8]", "int32[512, 8]", "int32[512]", 128]),
    ("atomics", ["uint32[512, 8]", "uint32[512, 8]", "uint32[512]", 128]),
    ("picked_rows", ["expanded float16[64, 512]", "int32[64]", ROWS, 16, 64]),
    ("slices", ["expanded float16[64, 512]", "int32[64]", ROWS, 16, 64]),
    ("flagged", ["expanded float32[512]", "int32[4]", "expanded float32[512]", 128]),
    ("flagged", ["float32[512]", "int32[4]", "float32[512]", 128]),
    ("tiled", ["float32[64, 500]", "float32[64, 128]", "float32[64, 128]", 128]),
    ("picked_rows", [ROWS, "int32[64]", ROWS, 16, 64]),
    ("slices", [ROWS, "int32[64]", ROWS, 16, 64]),
    ("slices", [ROWS, "int64[64]", ROWS, 16, 64]),
    ("sliced_elements", [FLAT, "int32", FLAT, 128]),
    ("raw_memory", [FLAT, FLAT, 128]),
    ("raw_memory", ["float32[64, 64]", FLAT, 128]),
    ("list_of_arrays", [["float16[64, 512]"], ["float16[64, 512]"], 128]),
    ("list_of_arrays", [["float16[63, 511]"], ["float16[63, 511]"], 128]),
    ("dependent", [FLAT, "float32[128]", FLAT, "int32", 128, True]),
    ("dependent", [FLAT, "float32[128]", FLAT, "int32", 128, False]),
]


def _line(kernel: str, arguments: list[Any]) -> dict[str, Any]:
    """A launch; an argument in a list stands for a list of such arrays."""
    from cuda.tile.compilation import CallingConvention, KernelSignature, ListConstraint

    sys.path.insert(0, str(ROOT / "golden"))
    from make_launches import argument

    constraints = [
        ListConstraint(argument(a[0])[0], alias_groups=(), elements_may_alias=False)
        if isinstance(a, list)
        else _expanded(a.removeprefix("expanded "))
        if isinstance(a, str) and a.startswith("expanded ")
        else argument(a)[0]
        for a in arguments
    ]
    plain = KernelSignature(constraints, CallingConvention.cutile_python_v1())
    symbol = plain.with_mangled_symbol(kernel).symbol
    return {"module": SAMPLE.stem, "kernel": kernel, "symbol": symbol, "hints": {}, "grid": [4, 1, 1]}


def _expanded(text: str) -> Any:
    """An array whose elements are all the same one: its strides are 0."""
    import cuda.tile as ct
    from cuda.tile.compilation import ArrayConstraint
    from make_launches import argument

    plain = argument(text)[0]
    return ArrayConstraint(
        plain.dtype, plain.ndim, index_dtype=ct.int32, stride_lower_bound_incl=[0] * plain.ndim, alias_groups=(),
        may_alias_internally=True, shape_divisible_by=plain.shape_divisible_by, base_addr_divisible_by=16,
    )  # fmt: skip


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("memory") / "out"
    result = convert([SAMPLE], out, True)
    assert not result.diagnostics
    return out


@pytest.mark.parametrize("index", range(len(LAUNCHES)), ids=lambda i: f"{i}-{LAUNCHES[i][0]}")
def test_identical(output: Path, tmp_path: Path, index: int) -> None:
    launches = tmp_path / "launches.jsonl"
    launches.write_text(json.dumps(_line(*LAUNCHES[index])) + "\n", encoding="utf-8")
    [result] = verify_output(output, launches, ["sm_90"], None, None, 1)
    assert result["verdict"] == "identical", result["detail"]


def test_an_array_that_is_read_has_the_rank_that_it_is_read_by(output: Path, tmp_path: Path) -> None:
    launches = tmp_path / "launches.jsonl"
    arguments = ["float16[64, 128]", "float16[4, 4, 4]", "float16[64, 128]", 128, 1]
    launches.write_text(json.dumps(_line("bias_of_either_rank", arguments)) + "\n", encoding="utf-8")
    [result] = verify_output(output, launches, ["sm_90"], None, None, 1)
    assert result["verdict"] == "unsupported"


def test_loops_do_not_store_to_an_array_that_overlaps_itself(output: Path, tmp_path: Path) -> None:
    """cuTile would keep such stores in order."""
    launches = tmp_path / "launches.jsonl"
    arguments = [ROWS, "int32[64]", "expanded float16[64, 512]", 16, 64]
    launches.write_text(json.dumps(_line("slices", arguments)) + "\n", encoding="utf-8")
    [result] = verify_output(output, launches, ["sm_90"], None, None, 1)
    assert result["verdict"] == "unsupported"
    assert result["detail"] == "`y` may overlap with itself, and is stored to in a loop"

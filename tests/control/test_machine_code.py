"""The machine code of each kernel of ``kernels/`` is Python's."""

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
SAMPLES = sorted((Path(__file__).parent / "kernels").glob("*_sample.py"))
X, H = "float32[4096]", "float16[4096]"
N64, N32 = "int64[64]", "int32[64]"
WIDE = "float32[8, 16, 64, 64]"
LAUNCHES: list[tuple[str, list[Any]]] = [
    ("early_return", [X, X, "int32", 128]),
    ("causal", [X, X, "int32", 128]),
    ("left_early", [X, X, "int32", 128]),
    ("counted", [X, X, "int32", 128, 1]),
    ("counted", [X, X, "int32", 128, 24]),
    ("rotated", [X, X, "int32", 128]),
    ("both_sides", [X, X, "int32", 128]),
    ("until_small", [X, X, "int32", 128]),
    ("ordered", [X, "int32", 128]),
    ("unrolled", [X, X, 128]),
    ("wide", [X, X, "int32", 128]),
    ("counted_by_data", [X, "int32[4]", X, 128]),
    ("counted_by_data", [X, "int64[4]", X, 128]),
    ("mixed_carry", [X, H, X, "int32", 128]),
    ("mixed_carry", [H, X, X, "int32", 64]),
    ("return_from_loops", [X, X, "int32", 128]),
    ("both_go_on", [X, X, "int32", "int32", 128]),
    ("stores_in_branches", [X, X, "int32", 128]),
    ("jumps", [X, X, "int32", 128, 6]),
    ("wide_conditions", [X, N64, X, 128]),
    ("wide_conditions", [X, N32, X, 128]),
    ("returned_wide", [X, N64, X, 128]),
    ("returned_wide", [X, N32, X, 128]),
    ("ordered_results", [X, X, "int32", 128]),
    ("nested_results", [X, X, "int32", 128]),
    ("remainders", [X, X, "int32", "int32", 128]),
    ("scattered", ["float32[8, 16, 64, 8]", WIDE, "int32", 64]),
    ("scattered", ["float16[8, 16, 64, 8]", WIDE, "int32", 64]),
    ("scalar_carry", [X, X, "int32", "float32", 128]),
    ("while_both", [X, X, "int32", "int32", 128]),
    ("returns_in_helper", [X, X, "int32", 128]),
    ("returns_in_helper", [H, H, "int32", 64]),
    ("one_element", ["float32[64, 64]", "float32[64, 64]", "int32"]),
    ("sum_of_earlier", ["float32[1000]", N32, "float32[64]", "float32[1000]", 128]),
]


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("control") / "out"
    result = convert(SAMPLES, out, True)
    assert not result.diagnostics
    return out


@pytest.mark.parametrize("index", range(len(LAUNCHES)), ids=lambda i: f"{i}-{LAUNCHES[i][0]}")
def test_identical(output: Path, tmp_path: Path, index: int) -> None:
    sys.path.insert(0, str(ROOT / "golden"))
    from make_launches import launch

    kernel, arguments = LAUNCHES[index]
    [module] = [s.stem for s in SAMPLES if f"def {kernel}(" in s.read_text(encoding="utf-8")]
    line, _ = launch({"module": module, "kernel": kernel, "args": arguments, "grid": [4]})
    launches = tmp_path / "launches.jsonl"
    launches.write_text(json.dumps(line) + "\n", encoding="utf-8")
    [result] = verify_output(output, launches, ["sm_90"], None, None, 1)
    assert result["verdict"] == "identical", result["detail"]

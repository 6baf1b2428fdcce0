"""The machine code of each kernel of ``kernels/`` is Python's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cutile2rs.pipeline import convert
from cutile2rs.verify.api import verify_output
from make_launches import launch

pytestmark = pytest.mark.toolchain
KERNELS = Path(__file__).parent / "kernels"
SQUARE16, SQUARE32, SQUARE8 = "float16[64, 64]", "float32[64, 64]", "float8_e4m3fn[64, 64]"
LAUNCHES: dict[str, list[tuple[str, list[Any]]]] = {
    "number_sample": [
        ("module_numbers", ["float32[64]", "float32[64]", 64]),
        ("module_numbers", ["bfloat16[64]", "float32[64]", 64]),
        *(("float_constant", [f"{d}[64]", "float32[64]", 64, 0.1]) for d in ("float32", "float16", "bfloat16")),
        ("double_constant", ["float64[64]", "float64[64]", 64, 0.1]),
        ("not_a_number", ["float32[64]", "float32[64]", 64]),
        ("not_a_number", ["float16[64]", "float32[64]", 64]),
        ("small_integers", ["int16[64]", "uint8[64]", "int8[64]", 64, 5]),
        *(("to_int32", [f"{d}[64]", "int32[64]", 64]) for d in ("bool_", "int8", "uint16", "int32", "int64")),
        ("flag_constant", ["float32[64]", "bool_[64]", 64, True]),
        ("casts", ["float32[64]", "float32[64]", 64]),
        ("arithmetic", ["float32[64]", "float32[64]", 64, "int32", "float32"]),
        ("modes", ["float32[64]", "float32[64]", 64]),
    ],
    "reduction_sample": [
        ("axes", ["float32[16, 8, 32]", "float32[16, 8, 32]", 16, 8, 32]),
        ("axes", ["float16[8, 4, 16]", "float16[8, 4, 16]", 8, 4, 16]),
        ("counted", ["float32[8, 64]", "int32[8]", 64]),
        ("rounded", ["float32[1, 512]", "float32[1, 1]", 512]),
        ("by_function", ["float32[1, 256]", "float32[1]", 256, "float32"]),
        ("by_function_on_integers", ["int32[512]", "int32[1]", 512, "int32"]),
        ("in_a_loop", ["float32[1024]", "float32[1]", 128, "int32"]),
        *(("running", ["float32[64, 64]", "float32[64, 64]", m, n]) for m, n in ((64, 64), (2, 16), (16, 2))),
        *(("running_along_the_row", [f"float32[{m}, 128]"] * 2 + [m, 128]) for m in (1, 4)),
        *(
            ("where_best", [f"{d}[64, 48]", "int32[64, 64]", "int32[16]", 4, 64])
            for d in ("float32", "bfloat16", "int64")
        ),
        ("best_by_hand", ["float32[4, 64]", "int32[4]", 64]),
        ("repeatedly_best", ["float16[64, 32]", "int32[64, 4]", 32, 4]),
        *(("of_any_numbers", [f"{d}[4, 64]", f"{d}[4]", 64]) for d in ("int8", "uint16", "float16", "int32")),
        ("by_function_along", ["float16[4, 64, 2]", "float32[4, 2]", 64, "float32"]),
        ("running_inside", ["float32[2, 8, 32]", "float32[2, 8, 32]", 8, 32]),
    ],
    "product_sample": [
        ("product", [SQUARE16, SQUARE16, SQUARE32, 64]),
        ("product", [SQUARE8, SQUARE8, SQUARE16, 64]),
        ("fast_product", [SQUARE8, SQUARE8, SQUARE32, 64]),
        ("integer_product", ["uint8[64, 64]", "int8[64, 64]", "int32[64, 64]", 64]),
        ("batched_product", ["float16[4, 16, 32]", "float16[1, 32, 16]", "float32[4, 16, 16]"]),
        ("promoted_product", ["bfloat16[64, 64]", "bfloat16[64, 64]", SQUARE32, 64]),
        ("promoted_product", [SQUARE16, SQUARE32, SQUARE32, 32]),
        ("parts", ["float16[16, 16]", "float16[16, 16]", 16, "int32"]),
        ("turned", ["float32[4, 8, 16]", "float32[16, 4, 8]"]),
        ("numbers_as_tile", ["float32[2, 2]", "int32", "float32"]),
        ("bytes_of", ["float32[64]", "uint8[256]", 64]),
    ],
}
#: What only later GPUs have.
BLACKWELL: list[tuple[str, list[Any]]] = [
    ("scaled_product", ["float8_e4m3fn[128, 128]", "float8_e8m0fnu[128, 4]", "float8_e4m3fn[128, 128]",
                        "float8_e8m0fnu[4, 128]", "float32[128, 128]", 128]),
    ("packed_float4", ["float32[64, 64]", "uint8[64, 32]"]),
]  # fmt: skip
ALL = [(stem, i, "sm_90") for stem, rows in LAUNCHES.items() for i in range(len(rows))]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reductions")
    for stem in LAUNCHES:
        result = convert([KERNELS / f"{stem}.py"], folder / stem, True)
        assert not result.diagnostics
    return folder


def _verdict(out: Path, stem: str, row: tuple[str, list[Any]], arch: str, folder: Path) -> tuple[str, str]:
    line, _ = launch({"module": stem, "kernel": row[0], "grid": [1, 1, 1], "args": row[1]})
    launches = folder / "launches.jsonl"
    launches.write_text(json.dumps(line) + "\n", encoding="utf-8")
    [result] = verify_output(out, launches, [arch], None, None, 1)
    return str(result["verdict"]), str(result["detail"])


@pytest.mark.parametrize(("stem", "index", "arch"), ALL, ids=lambda v: str(v))
def test_identical(outputs: Path, tmp_path: Path, stem: str, index: int, arch: str) -> None:
    verdict, detail = _verdict(outputs / stem, stem, LAUNCHES[stem][index], arch, tmp_path)
    assert verdict == "identical", detail


@pytest.mark.parametrize("row", BLACKWELL, ids=lambda row: str(row[0]))
def test_identical_on_later_gpus(outputs: Path, tmp_path: Path, row: tuple[str, list[Any]]) -> None:
    verdict, detail = _verdict(outputs / "product_sample", "product_sample", row, "sm_100", tmp_path)
    assert verdict == "identical", detail

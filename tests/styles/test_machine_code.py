"""Kernels in the styles that others write them in: each launch's machine code is Python's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cutile2rs.pipeline import convert
from cutile2rs.verify.api import verify_output
from cutile2rs.verify.run import Result
from make_launches import launch

pytestmark = pytest.mark.toolchain
KERNELS = Path(__file__).parent / "kernels"
H, W, F = "float16[64, 1000]", "float32[64, 1000]", "float32[1024]"
_EPILOGUE = [H, "float16[1000]", H, H, "float32[64]", H, "float32", "float32"]
_PARTS = ["float16[128, 96]", "float16[128, 96]", "float32[128, 32]", "int32"]
LAUNCHES: dict[str, list[tuple[str, list[Any]]]] = {
    "losses": [
        ("cross_entropy_online", ["bfloat16[64, 1024]", "int32[64]", "float32[64]", "float32[64]", "int32", "int32",
                                  "float32", 256]),
        ("cross_entropy_backward", [H, "int64[64]", "float32[64]", "float32[64]", "int32", 256]),
        ("group_norm", ["float16[4, 32, 64]", "float16[32]", "float16[32]", "float16[4, 32, 64]", "float32[4, 2]",
                        "float32[4, 2]", "float32", 16, 64, True]),
        ("layer_norm_two_pass", [W, "float32[1000]", "float32[1000]", W, "float32", 256]),
        ("jsd", ["float16[1024]", "float16[1024]", F, "float16[1024]", "float32", 256]),
        ("instance_norm", ["float16[4, 32, 100]", "float16[4, 32, 100]", 1e-5, 100, 128]),
        ("instance_norm", ["float32[4, 32, 128]", "float32[4, 32, 128]", 1e-5, 128, 128]),
        ("rms_norm_residual", [H, H, "float16[1000]", H, "float32", "float32", 1024]),
    ],
    "attention": [
        ("causal", [*["float16[2, 8, 200, 64]", "float16[2, 2, 200, 64]", "float16[2, 2, 200, 64]"],
                    "float16[2, 8, 200, 64]", "float32", "int32", 8, 64, 32, 64, 4, True, False]),
        ("paged_decode", ["float16[2, 4, 16, 64]", "float16[32, 16, 4, 64]", "float16[32, 16, 4, 64]", "int32[2, 16]",
                          "int32[2]", "float16[2, 4, 16, 64]", "float32", 16, 64, 16]),
        ("sum_of_pages", ["float16[64, 64]", "int32[4, 16]", "float16[4, 64]", "int32", 64]),
        ("sum_of_pages", ["float16[64, 64]", "int64[4, 16]", "float32[4, 64]", "int32", 64]),
        ("slope_bias", ["float32[64, 64]", "float32[8]", "float16[64, 64]", 32, 64]),
        ("slope_bias", ["float32[64, 64]", "int32[8]", "float32[64, 64]", 32, 64]),
        ("rope_interleaved", ["float16[128, 64]", "float32[128, 32]", "float16[128, 64]", 16, 64]),
    ],
    "numbers": [
        ("dropout_philox", [F, F, "int32", "float32", 128, 3]),
        ("embedding_grad", ["int64[64]", "float16[64, 64]", "float32[1000, 64]", 16, 64, -1]),
        ("histogram", [F, "int32[64]", "float32", "float32", 64, 128]),
        ("topk_repeat", ["float16[64, 128]", "float32[64, 4]", "int32[64, 4]", 128, 4]),
        ("quant_direct", ["float16[1024]", "int8[1024]", 128]),
        ("dequant_int4", ["int32[1024]", "float32[64]", "int32[64]", "float16[2048]", 32, 128]),
        ("conv1d_causal", [H, "float16[64, 4]", "float16[64]", H, 4, 128, True]),
        ("bmm_epilogue", [*["float16[4, 128, 128]"] * 2, "float16[128]", "float16[4, 128, 128]", 64, 64, 32, 1, True]),
        ("collatz", ["int32[1024]", "int32[1024]"]),
        ("segment_sum", [F, "int32[9]", "float32[8]", 128]),
        ("cast_copy", [H.replace("64, ", ""), "int8[1000]", 64]),
        ("own_sum", ["int32[64, 64]", "int32[64]", 64]),
        ("own_sum", ["float16[64, 64]", "float16[64]", 64]),
        ("cast_copy", ["int32[1000]", "int64[1000]", 64]),
        ("cast_copy", ["int64[1000]", "float16[1000]", 64]),
        ("low_rank_add", ["float16[64, 16]", "float16[16, 64]", "float16[64, 64]", "float32", 32, 16, 32]),
        ("low_rank_add", ["bfloat16[64, 16]", "bfloat16[16, 64]", "float32[64, 64]", "float32", 32, 16, 32]),
        ("weighted_skips", [*["float16[1024]"] * 7, 64]),
        ("weighted_skips", [*["float16[1024]", F] * 2, *["bfloat16[1024]"] * 2, F, 64]),
        ("weighted_skips", ["float16[1024]", F, F, *["float16[1024]"] * 4, 64]),
        ("top_one", [H, "float16[64]", "int64[64]", 128]),
        ("top_one", [H, "float32[64]", "float32[64]", 128]),
        *(("experts", [f"{d}[64]", "int32[64]", f"{o}[64]", 16]) for d, o in (("int16", "int32"), ("float32", "float32"))),
        ("powers", [F, "int32[1024]", F, "int32", 128]),
        ("powers", ["float16[1024]", "float32[1024]", F, "float32", 128]),
        ("integer_scores", ["int8[64, 64]", "int8[64, 64]", "int32[64, 64]", 32]),
        ("integer_scores", ["float16[64, 64]", "float16[64, 64]", "float32[64, 64]", 32]),
        ("within_limits", [F, F, 128]),
        ("masked_by_infinity", ["float16[1024]", "float16[1024]", 128]),
    ],
    "language": [
        ("enum", [F, 64, 1]),
        ("varargs", [F, 64]),
        ("runtime_if", [F, F, "int32", 64]),
        ("chain", [F, "int32", 64]),
        ("hinted", [F, F, "int32", "int64", 64, 100]),
        ("extents_only", [F, "float16[3, 5]", 64]),
        ("persist", [F, F, "int32", 64]),
        ("run_time_flag", [F, F, "bool_", 64]),
        ("run_time_flag", [F, F, "int32", 64]),
        ("instances", ["float32[64, 64]", "float32[64, 64]", "int32", 64]),
        *(("plain_flag", [F, F, d, "int32", 64]) for d in ("bool_", "int32")),
        ("optional_numbers", [F, F, "float32", "int32", "float32", 64, True, False]),
        ("optional_numbers", [F, F, "float32", "float32", "float32[8, 8]", 64, False, False]),
    ],
    "guarded": [
        ("affine", [F, F, 3, True]),
        ("affine", [F, F, 3, False]),
        ("affine", ["float16[1000]", "float16[1000]", 1, True]),
        ("counted_bits", [F, F, 50]),
    ],
    "flags": [
        ("row_epilogue", [*_EPILOGUE, True, True, True, True, True, False, 2, 4, 128]),
        ("row_epilogue", [*_EPILOGUE, False, False, False, False, False, False, 0, 1, 128]),
        ("row_epilogue", [H, "float32[1000]", W, H, "float32[64]", "bfloat16[64, 1000]", "float32", "float32",
                          True, False, True, False, True, True, 3, 1, 64]),
        ("row_epilogue", [*_EPILOGUE, False, True, False, True, False, True, 1, 4, 64]),
        ("scores_of_parts", [*_PARTS, 64, 0, 32, True, False, True, False, False]),
        ("scores_of_parts", [*_PARTS, 64, -1, 32, False, True, False, True, True]),
        ("scores_of_parts", [*_PARTS, 64, 32, 32, True, False, True, False, True]),
    ],
}  # fmt: skip
ROWS = [(module, *row) for module, rows in LAUNCHES.items() for row in rows]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    """The verdict of each launch."""
    folder = tmp_path_factory.mktemp("styles")
    result = convert(sorted(KERNELS.glob("*.py")), folder / "out", True)
    assert not result.diagnostics
    lines = [launch({"module": m, "kernel": k, "args": a, "grid": [4]})[0] for m, k, a in ROWS]
    launches = folder / "launches.jsonl"
    launches.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return list(verify_output(folder / "out", launches, ["sm_90"], None, None, 1))


@pytest.mark.parametrize("index", range(len(ROWS)), ids=lambda i: f"{ROWS[i][0]}-{ROWS[i][1]}-{i}")
def test_identical(results: list[Result], index: int) -> None:
    assert results[index]["verdict"] == "identical", results[index]["detail"]

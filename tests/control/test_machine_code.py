"""The machine code of each kernel of ``kernels/control_sample.py`` is Python's."""

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
SAMPLE = Path(__file__).parent / "kernels" / "control_sample.py"
X = "float32[4096]"
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
]


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("control") / "out"
    result = convert([SAMPLE], out, True)
    assert not result.diagnostics
    return out


@pytest.mark.parametrize("index", range(len(LAUNCHES)), ids=lambda i: f"{i}-{LAUNCHES[i][0]}")
def test_identical(output: Path, tmp_path: Path, index: int) -> None:
    sys.path.insert(0, str(ROOT / "golden"))
    from make_launches import launch

    kernel, arguments = LAUNCHES[index]
    line, _ = launch({"module": SAMPLE.stem, "kernel": kernel, "args": arguments, "grid": [4]})
    launches = tmp_path / "launches.jsonl"
    launches.write_text(json.dumps(line) + "\n", encoding="utf-8")
    [result] = verify_output(output, launches, ["sm_90"], None, None, 1)
    assert result["verdict"] == "identical", result["detail"]

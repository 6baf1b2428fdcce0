"""TileGym's own kernels: all in scope convert, and recorded launches are the same machine code.

One launch a kernel on sm_90; with CUTILE2RS_FULL=1 every launch of the launches file, on sm_90 and sm_100. The file
is `CUTILE2RS_LAUNCHES`, else the project's shared recordings where they are at hand, else
`examples/tilegym_launches.jsonl`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tilegym_scope import scope_files

from tests.workplace import EXAMPLE_LAUNCHES, convert, cutile2rs, launches_file, read_rows, verify, write_rows

FULL = bool(os.environ.get("CUTILE2RS_FULL"))
KERNELS = {
    "softmax": [
        "_softmax_kernel",
        "_softmax_kernel_multi_wave_full_row_reg_cached_ldg",
        "_softmax_kernel_tma",
        "_softmax_kernel_chunked",
    ],
    "silu_and_mul": ["_silu_and_mul_kernel_row_wise", "_silu_and_mul_backward_kernel_row_wise"],
    "swiglu": ["_swiglu_forward_kernel", "_swiglu_backward_kernel"],
    "activation.gelu": ["_gelu_kernel", "_gelu_kernel_backward"],
    "activation.relu": ["_relu_fwd_kernel"],
    "activation.geglu": ["_geglu_fwd_kernel", "_geglu_bwd_kernel"],
    "rms_norm": [
        "_rms_norm_kernel_multi_wave_cached",
        "_rms_norm_kernel_gather",
        "_rms_norm_kernel_static_persistent",
        "_rms_bwd_kernel",
    ],
}
NAMES = [(f"tilegym.ops.cutile.{module}", kernel) for module, kernels in KERNELS.items() for kernel in kernels]


@pytest.fixture(scope="module")
def crate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return convert(scope_files(), tmp_path_factory.mktemp("corpus") / "out")


def in_scope(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The launches of kernels in scope."""
    return [row for row in rows if (row["module"], row["kernel"]) in NAMES]


def first_of_each(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first launch of each kernel: the fixed part that is verified every time."""
    first: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        first.setdefault((row["module"], row["kernel"]), row)
    return list(first.values())


def test_every_kernel_converts(tmp_path: Path) -> None:
    done = cutile2rs("convert", *scope_files(), "-o", tmp_path / "out")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"converted {len(NAMES)} of {len(NAMES)} kernels (")


def test_nothing_is_refused(crate: Path) -> None:
    """Every kernel in scope is in the manifest, with entries."""
    manifest = json.loads((crate / "manifest.json").read_text(encoding="utf-8"))
    kernels = [(module["module"], kernel) for module in manifest["modules"] for kernel in module["kernels"]]
    assert sorted((module, kernel["kernel"]) for module, kernel in kernels) == sorted(NAMES)
    assert [kernel["kernel"] for _, kernel in kernels if not kernel["entries"]] == []


def test_reference_is_verbatim(crate: Path) -> None:
    for path in scope_files():
        inside = "tilegym" + str(path).rpartition("/tilegym")[2]
        assert (crate / "reference" / inside).read_bytes() == path.read_bytes()


@pytest.mark.toolchain
def test_examples_are_identical(crate: Path, tmp_path: Path) -> None:
    """The launches that come with the project: at least one a kernel, all verified."""
    rows = read_rows(EXAMPLE_LAUNCHES)
    assert {(row["module"], row["kernel"]) for row in rows} == set(NAMES)
    assert_identical(crate, rows if FULL else first_of_each(rows), ["sm_90"], tmp_path)


@pytest.mark.toolchain
def test_recorded_launches_are_identical(crate: Path, tmp_path: Path) -> None:
    rows = in_scope(read_rows(launches_file()))
    assert rows
    assert_identical(crate, rows if FULL else first_of_each(rows), ["sm_90", "sm_100"] if FULL else ["sm_90"], tmp_path)


def assert_identical(crate: Path, launches: list[dict[str, Any]], archs: list[str], tmp_path: Path) -> None:
    """Verify launches; every verdict must be `identical`."""
    rows = verify(crate, write_rows(tmp_path / "launches.jsonl", launches), *archs, jobs=2 if FULL else 1)
    want = [(line, row["kernel"], arch) for line, row in enumerate(launches) for arch in archs]
    assert [(row["line"], row["kernel"], row["arch"]) for row in rows] == want
    assert [row for row in rows if row["verdict"] != "identical"] == []

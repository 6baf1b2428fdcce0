"""What `ct.launch` compiles is more than a recorded symbol says where an extent is 1, and the Rust kernel is that too."""

from __future__ import annotations

import dataclasses
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from cutile2rs.verify.api import RustSide, verify_output
from cutile2rs.verify.convention import as_launched
from cutile2rs.verify.launches import Launch, read_launches

from tests.workplace import convert, write_rows

pytestmark = pytest.mark.toolchain
ROOT = Path(__file__).parents[2]
SAMPLE = Path(__file__).parent / "kernels" / "single_rows.py"
LAUNCHES: list[tuple[str, list[Any]]] = [
    ("shifted_columns", ["float32[1, 640]", "float32[1, 1]", "float32[1, 640]", 128]),
    ("shifted_columns", ["float16[40, 640]", "float16[40, 1]", "float16[40, 640]", 128]),
    ("shifted_columns", ["float16[1, 50]", "float16[1, 1]", "float16[7, 50]", 64]),
    ("picked_cells", ["float32[1, 999]", "int32[999]", "float32[999, 1]", 64]),
    ("picked_cells", ["bfloat16[64, 1]", "int64[64]", "bfloat16[64, 1]", 64]),
    ("last_rows", ["float32[1, 256]", "float32[1, 256]", 128]),
    ("last_rows", ["float32[9, 256]", "float32[1, 256]", 128]),
    ("folded_layers", ["float16[1, 24, 512]", "float16[512]", 64]),
    ("folded_layers", ["int8[1, 1, 512]", "int8[512]", 64]),
    ("row_of", ["float32[63, 511]", "float32[4, 511]", 64, 3]),
    ("row_of", ["float16[63, 512]", "float16[1, 512]", 64, 0]),
]


def row(kernel: str, arguments: list[Any]) -> dict[str, Any]:
    """A launch as it is recorded."""
    from cuda.tile.compilation import CallingConvention, KernelSignature

    sys.path.insert(0, str(ROOT / "golden"))
    from make_launches import argument

    made = [argument(text) for text in arguments]
    plain = KernelSignature([constraint for constraint, _ in made], CallingConvention.cutile_python_v1())
    return {
        "module": SAMPLE.stem, "kernel": kernel, "symbol": plain.with_mangled_symbol(kernel).symbol, "hints": {},
        "grid": [4, 1, 1], "shapes": [shape for _, shape in made],
    }  # fmt: skip


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return convert([SAMPLE], tmp_path_factory.mktemp("launched") / "out")


def read(folder: Path, rows: list[dict[str, Any]]) -> list[Launch]:
    return read_launches(write_rows(folder / "launches.jsonl", rows))


@pytest.mark.parametrize(("arch", "launched"), [("sm_90", True), ("sm_100", True), ("sm_90", False)])
def test_identical(output: Path, tmp_path: Path, arch: str, launched: bool) -> None:
    launches = write_rows(tmp_path / "launches.jsonl", [row(*launch) for launch in LAUNCHES])
    found = list(verify_output(output, launches, [arch], None, None, 1, launched=launched))
    assert [(r["kernel"], r["verdict"], r["detail"]) for r in found if r["verdict"] != "identical"] == []
    assert len(found) == len(LAUNCHES)


def test_extents_of_one_are_in_the_types_of_views(output: Path, tmp_path: Path) -> None:
    [launch] = read(tmp_path, [row(*LAUNCHES[1])])
    rust = RustSide(output)
    views = [
        sorted(set(re.findall(r"tensor_view<([^>]*)>", rust.compile(given, "sm_90").ir_text)))
        for given in (launch, as_launched(launch))
    ]
    assert views[0] == ["?x?xf16, strides=[1,1]", "?x?xf16, strides=[?,1]"]
    assert views[1] == ["?x1xf16, strides=[1,?]", "?x?xf16, strides=[?,1]"]


@pytest.mark.parametrize(
    ("recorded", "shape", "launched"),
    [
        ("k_Kt1_A2f16_1v8l0_2t1_p16", (1, 50), "k_Kt2_A2f16_1s1v8l0_2t1_p16"),
        ("k_Kt1_A2f32_3t1_p16", (40, 1), "k_Kt2_A2f32_2s1_3t1_p16"),
        ("k_Kt1_A2f16_1v8l0_2t1_p16", (2, 50), "k_Kt1_A2f16_1v8l0_2t1_p16"),
        ("k_Kt1_A2f16_1v8l0_2t1_p16", None, "k_Kt1_A2f16_1v8l0_2t1_p16"),
        ("k_Kt1_A6f32_3fl0_p16", (1, 1, 1, 1, 1, 1), "k_Kt1_A6f32_3fl0_p16"),
    ],
)  # the symbols are those of `cuda.tile`'s own `KernelSignature.from_kernel_args` for such arrays
def test_symbols(recorded: str, shape: tuple[int, ...] | None, launched: str) -> None:
    launch = Launch(0, "m", "k", recorded, {}, (1, 1, 1), (shape,))
    assert as_launched(launch) == dataclasses.replace(launch, symbol=launched)

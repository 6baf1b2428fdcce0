"""Kernels that a function defines, and names added to an imported module, are cut out too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from cutile2rs.verify.export import Exporter
from cutile2rs.verify.slicing import ReferenceTree, SliceError, slice_kernel, write_slice
from cutile2rs.verify.tileir import canonical_ir

WritePackage = Callable[[dict[str, str]], ReferenceTree]

FACTORY = """\
    import cuda.tile as ct
    import wrapping

    def twice(tile):
        return tile * 2.0
    ct.twice = twice


    def make(occupancy: int, *, num_ctas: int = 1):
        @wrapping.cached
        @ct.kernel(
            occupancy=occupancy,
            num_ctas=num_ctas,
        )
        def double(x, y, N: ct.Constant[int]):
            ct.store(y, (ct.bid(0),), ct.twice(ct.load(x, (ct.bid(0),), (N,))))

        return double
"""
PLAIN = """\
    import cuda.tile as ct

    @ct.kernel
    def double(x, y, N: ct.Constant[int]):
        ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (N,)) * 2.0)
"""
SYMBOL = "double_Kt1_A1f32_1i16t1_p16_A1f32_1i16t1_p16_I64"


def test_line_numbers_stay(package: WritePackage) -> None:
    lines = slice_kernel(package({"made.py": FACTORY}), "made", "double").splitlines()
    want = [line.removeprefix("    ") for line in FACTORY.splitlines()]
    assert lines[10:16] == want[10:16]
    assert lines[3:6] == want[3:6]


@pytest.mark.toolchain
def test_options_come_from_the_launch(package: WritePackage, tmp_path: Path, exporter: Exporter) -> None:
    tree = package({"made.py": FACTORY, "plain.py": PLAIN})
    made, plain = (
        exporter.export(write_slice(tree, module, "double", tmp_path), "double", SYMBOL, {"occupancy": 3}, "sm_90")
        for module in ("made", "plain")
    )
    assert canonical_ir(made.bytecode, "sm_90").text == canonical_ir(plain.bytecode, "sm_90").text


def test_twice_from_one_tree(package: WritePackage) -> None:
    tree = package({"made.py": FACTORY})
    assert slice_kernel(tree, "made", "double") == slice_kernel(tree, "made", "double")


def test_no_options(package: WritePackage) -> None:
    text = slice_kernel(
        package({"made.py": FACTORY.replace("=occupancy", "=2").replace("=num_ctas", "=1")}), "made", "double"
    )
    assert "\nif True:\n" in text


def test_a_closure_is_refused(package: WritePackage) -> None:
    tree = package({"made.py": FACTORY.replace("(ct.bid(0),), ct.twice", "(occupancy,), ct.twice")})
    with pytest.raises(SliceError, match="'double' uses 'occupancy' of the function around it"):
        slice_kernel(tree, "made", "double")

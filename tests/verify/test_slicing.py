"""Kernels are cut out of their packages whole, and nothing else comes along."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from cutile2rs.verify.export import Exporter
from cutile2rs.verify.slicing import ReferenceTree, SliceError, slice_kernel, write_slice

WritePackage = Callable[[dict[str, str]], ReferenceTree]

KERNEL = """\
    import torch
    import cuda.tile as ct
    from .helpers import scale as times
    from . import consts
    from pkg.decorate import experimental_kernel

    _OCCUPANCY = 2
    UNUSED = torch.zeros(3)


    def launch(x: torch.Tensor):
        return torch.empty_like(x)


    @experimental_kernel("new")
    @ct.kernel(occupancy=_OCCUPANCY)
    def copy(x, y, N: ct.Constant[int]):
        i = ct.bid(0)
        steps = ct.arange(N, dtype=torch.int32)
        ct.store(y, (i,), times(ct.load(x, (i,), (N,)), steps) + consts.BIAS)
"""
FILES = {
    "pkg/__init__.py": "",
    "pkg/ops/__init__.py": "",
    "pkg/ops/kernels.py": KERNEL,
    "pkg/ops/helpers.py": """\
        import torch
        import cuda.tile as ct
        from ..config import FACTOR

        _OCCUPANCY = 3.0

        def scale(tile, steps):
            launch = tile * FACTOR * _OCCUPANCY  # a local of a name that the module has too
            return launch + ct.astype(steps, ct.float32)

        def launch():
            return torch.zeros(1)
        """,
    "pkg/ops/consts.py": "BIAS = 0.5\nOTHER = undefined_elsewhere\n",
    "pkg/config.py": "BASE = 2\nFACTOR = BASE * 1.5\n",
}


def names_of(text: str) -> set[str]:
    """The functions that a slice defines."""
    return {node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)}


def test_takes_what_the_kernel_needs_and_no_more(package: WritePackage) -> None:
    text = slice_kernel(package(FILES), "pkg.ops.kernels", "copy")
    assert names_of(text) == {"copy", "scale"}
    assert "import torch" not in text and "zeros" not in text and "experimental" not in text
    assert "FACTOR = BASE * 1.5" in text and "BASE = 2" in text and "OTHER" not in text


def test_keeps_line_numbers(package: WritePackage) -> None:
    text = slice_kernel(package(FILES), "pkg.ops.kernels", "copy")
    original = FILES["pkg/ops/kernels.py"].split("\n")
    for number, line in enumerate(text.split("\n"), 1):
        if "def copy" in line or "ct.store" in line:
            assert original[number - 1].strip() == line.strip()


def test_renames_on_a_clash(package: WritePackage) -> None:
    text = slice_kernel(package(FILES), "pkg.ops.kernels", "copy")
    assert "_OCCUPANCY = 2" in text
    assert "_OCCUPANCY__pkg_ops_helpers = 3.0" in text
    assert "launch = tile * FACTOR * _OCCUPANCY__pkg_ops_helpers" in text


@pytest.mark.toolchain
def test_exports(package: WritePackage, tmp_path: Path, exporter: Exporter) -> None:
    path = write_slice(package(FILES), "pkg.ops.kernels", "copy", tmp_path)
    symbol = "copy_Kt1_A1f32_1i16t1_p16_A1f32_1i16t1_p16_I64"
    artifact = exporter.export(path, "copy", symbol, {"occupancy": 4}, "sm_90")
    assert artifact.bytecode.startswith(b"\x7fTileIR") and artifact.opt_level == 3


def test_foreign_names_used_at_import_come_first(package: WritePackage) -> None:
    tree = package(
        {
            "p/__init__.py": "from .b import power\n",
            "p/a.py": """\
                import cuda.tile as ct
                import p.c as tools
                from p import power
                from .d import *

                SIZE = power(3) + tools.EXTRA

                @ct.kernel
                def k(x):
                    ct.store(x, (0,), ct.full((SIZE, ), STAR, ct.float32))
                """,
            "p/b.py": "import math\ndef power(n):\n    return int(math.pow(2, n))\n",
            "p/c.py": "EXTRA: int = 8\nEXTRA += 1\n",
            "p/d.py": "STAR = 1.0\n",
        }
    )
    scope: dict[str, object] = {}
    exec(slice_kernel(tree, "p.a", "k").replace("@ct.kernel", ""), scope)
    assert scope["SIZE"] == 17 and scope["STAR"] == 1.0


def test_classes_and_mutated_tables(package: WritePackage) -> None:
    tree = package(
        {
            "m.py": """\
                from __future__ import annotations
                import cuda.tile as ct
                from dataclasses import dataclass
                from enum import IntEnum

                class Mode(IntEnum):
                    FAST = 1

                @dataclass(frozen=True)
                class Config:
                    size: int = 4
                    mode: Mode = Mode.FAST

                TABLE = {}
                TABLE["a"] = 1
                TABLE.update(b=2)

                @ct.kernel
                def k(x, c: "ct.Constant[Config]"):
                    y = TABLE
                """
        }
    )
    scope: dict[str, object] = {"__name__": __name__}
    exec(slice_kernel(tree, "m", "k").replace("@ct.kernel", ""), scope)
    assert scope["TABLE"] == {"a": 1, "b": 2} and "Config" in scope and "Mode" in scope


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("ct.store(x, (0,), absent)", "'absent', which 'k' needs, is not defined"),
        ("other(x)", "cannot follow 'other' into 'p.b'"),
        ("triton_like(x)", "comes from 'triton', which a slice cannot import"),
        ("gone(x)", "'p.nothing': it is not among the reference sources"),
        ("helpers.lost(x)", "'p.b' has no 'lost'"),
    ],
)
def test_missing_names_are_located(package: WritePackage, body: str, message: str) -> None:
    source = (
        "import cuda.tile as ct\nfrom .b import other\nfrom triton import triton_like\nfrom .nothing import gone\n"
        f"from . import b as helpers\n@ct.kernel\ndef k(x):\n    {body}\n"
    )
    tree = package({"p/__init__.py": "", "p/a.py": source, "p/b.py": "x = 1\n"})
    with pytest.raises(SliceError, match=r"a\.py:") as error:
        slice_kernel(tree, "p.a", "k")
    assert message in str(error.value)


def test_missing_module_and_kernel(package: WritePackage) -> None:
    tree = package({"a.py": "x = 1\n"})
    with pytest.raises(SliceError, match="module 'b' is not among"):
        slice_kernel(tree, "b", "k")
    with pytest.raises(SliceError, match="'k', which the request needs"):
        slice_kernel(tree, "a", "k")

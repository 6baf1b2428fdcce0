"""What the verification tests share: small packages on disk, and their kernels' bytecode."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cutile2rs.verify.export import Exporter
from cutile2rs.verify.slicing import ReferenceTree, write_slice

WritePackage = Callable[[dict[str, str]], ReferenceTree]
Export = Callable[..., bytes]


@pytest.fixture
def package(tmp_path: Path) -> WritePackage:
    """Write modules, given by path, under a reference root."""

    def write(files: dict[str, str]) -> ReferenceTree:
        root = tmp_path / "reference"
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(content))
        return ReferenceTree(root)

    return write


@pytest.fixture(scope="session")
def exporter() -> Iterator[Exporter]:
    """One worker for all tests."""
    with Exporter() as worker:
        yield worker


@pytest.fixture
def export(tmp_path: Path, exporter: Exporter) -> Export:
    """Bytecode of the kernel `name` in a source text; its parameters as in the mangled name."""
    count = 0

    def make(source: str, name: str, parameters: str, arch: str = "sm_90") -> bytes:
        nonlocal count
        count += 1
        root = tmp_path / f"source{count}"
        root.mkdir()
        (root / "k.py").write_text("import cuda.tile as ct\n" + textwrap.dedent(source))
        path = write_slice(ReferenceTree(root), "k", name, root)
        return exporter.export(path, name, f"{name}_Kt1_{parameters}", {}, arch).bytecode

    return make

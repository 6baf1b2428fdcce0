"""TileGym's host modules: every wrapper imports, registers its operators, and launches nothing but Rust kernels."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import pytest
from cutile2rs.frontend import load_project
from cutile2rs.host.package import Package, make_package
from tilegym_scope import tilegym_folder

from tests.host.test_rewriting import unchanged
from tests.workplace import ROOT, run

PROGRAM = """
import importlib, json, sys
from tests.host import stubs

stubs.install("torch", "numpy", "transformers", "cffi")
import tilegym
from tilegym.backend import dispatcher, selector
selector.get_available_backends().discard("cutile-rs")
before = {name: dict(found) for name, found in dispatcher._REGISTRY.items()}
import tilegym_rs
from tilegym_rs._cutile2rs import info, library, Kernel
operators = tilegym_rs.register()
tilegym.set_backend("cutile-rs")
wrong = [name for name in operators
         if not dispatcher._REGISTRY[name]["cutile-rs"].__module__.startswith("tilegym_rs.")
         or dispatcher._REGISTRY[name].get("cutile") is not before[name].get("cutile")]
kernels = {}
for full in info.KERNELS:
    module, _, qualname = full.partition(":")
    found = importlib.import_module("tilegym_rs" + module.removeprefix("tilegym"))
    if "<locals>" not in qualname:
        for part in qualname.split("."):
            found = getattr(found, part)
        kernels[full] = type(found) is Kernel and found.name == full
replaced = [name for name, found in before.items() if "cutile-rs" in found and name in operators]
print(json.dumps({"replaced": replaced, "operators": operators, "wrong": wrong, "kernels": kernels,
                  "loaded": library._loaded is not None,
                  "before": sorted(name for name, found in before.items() if "cutile" in found)}))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> tuple[Package, Path]:
    """The package for all of TileGym's operators, as if every kernel were converted, and where it was written."""
    project, _ = load_project([tilegym_folder() / "ops" / "cutile"])
    kernels = {name: module.kernels for name, module in project.modules.items()}
    made = make_package(project, kernels)
    out = tmp_path_factory.mktemp("corpus")
    for path, text in made.files(kernels).items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_bytes(text.encode())
    return made, out / "python"


def test_every_wrapper_imports_and_registers(package: tuple[Package, Path]) -> None:
    made, folder = package
    done = run([sys.executable, "-c", PROGRAM], env={"PYTHONPATH": f"{folder}:{ROOT}"})
    assert done.status == 0, done.err
    told = json.loads(done.out.splitlines()[-1])
    assert "matmul" in told["replaced"]  # TileGym has a few operators of that backend itself, where there is cargo
    assert told["wrong"] == [] and told["loaded"] is False
    assert set(told["operators"]) == set(told["before"]) and len(told["operators"]) >= 48
    assert len(told["kernels"]) > 60 and all(told["kernels"].values())
    assert made.diagnostics == []


def test_the_rest_stays_byte_for_byte(package: tuple[Package, Path]) -> None:
    made, folder = package
    assert len(made.wrappers) > 35
    for wrapper in made.wrappers:
        size = len(wrapper.module.path.read_bytes())
        if wrapper.edits:  # a package's `__init__` may need none
            assert len(unchanged(wrapper)) > 0.8 * size
        assert (folder.parent / wrapper.path).read_bytes() == wrapper.text.encode()


def test_no_launch_of_the_original_is_left(package: tuple[Package, Path]) -> None:
    """Looked for with another resolver of names than the one that rewrites."""
    from libcst import parse_module
    from libcst.metadata import MetadataWrapper, QualifiedNameProvider

    made, _ = package
    names = {"cuda.tile.launch", "cuda.tile.tune.exhaustive_search", "cuda.tile.kernel"}
    for wrapper in made.wrappers[:12]:
        ast.parse(wrapper.text)
        found = MetadataWrapper(parse_module(wrapper.text), unsafe_skip_copy=True).resolve(QualifiedNameProvider)
        left = {one.name for qualified in found.values() for one in (qualified() if callable(qualified) else qualified)}
        imported = {"cuda.tile.tune.exhaustive_search"} if "import exhaustive_search" in wrapper.text else set()
        assert left & names <= imported, wrapper.name

"""What host code's names refer to, by Python's scopes: compared with libcst's resolver on the standard library's modules."""

from __future__ import annotations

import ast
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from cutile2rs.frontend.scope import Import
from cutile2rs.host.references import references

LIBRARY = Path(sysconfig.get_path("stdlib"))
Place = tuple[int, int]
MODULES = (
    "shelve",
    "genericpath",
    "rlcompleter",
    "chunk",
    "netrc",
    "sched",
    "secrets",
    "cmd",
    "queue",
    "bisect",
    "contextvars",
)


def path_of(item: Import) -> str:
    """An import's path as libcst names it."""
    return item.module if item.name is None else f"{item.module}.{item.name}"


def ours(text: str) -> dict[Place, str]:
    """The references that are certain, by where they start; annotations are no host code."""
    found = references(ast.parse(text), path_of, lambda name: None, ())
    return {(one.node.lineno, one.node.col_offset): one.dotted for one in found if one.certain}


def theirs(text: str) -> dict[Place, str]:
    """The same from libcst: names and chains that can only be one import."""
    import libcst as cst
    from libcst import metadata

    wrapper = metadata.MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    names: Any = wrapper.resolve(metadata.QualifiedNameProvider)
    places: Any = wrapper.resolve(metadata.PositionProvider)
    parents: Any = wrapper.resolve(metadata.ParentNodeProvider)
    skipped = (cst.Import, cst.ImportFrom, cst.Annotation)
    found = {}
    for node, given in names.items():
        if not isinstance(node, (cst.Name, cst.Attribute)) or isinstance(parents.get(node), cst.Attribute):
            continue
        around: Any = node
        base: Any = node
        while around in parents and not isinstance(around, skipped):
            around = parents[around]
        while isinstance(base, cst.Attribute):
            base = base.value
        qualified = list(given() if callable(given) else given)
        sources = {one.source for one in qualified}
        if isinstance(around, skipped) or not isinstance(base, cst.Name) or len(qualified) != 1:
            continue
        if sources == {metadata.QualifiedNameSource.IMPORT}:
            start = places[node].start
            found[(start.line, start.column)] = qualified[0].name
    return found


@pytest.mark.parametrize("name", [name for name in MODULES if (LIBRARY / f"{name}.py").exists()])
def test_agrees_with_libcst(name: str) -> None:
    text = (LIBRARY / f"{name}.py").read_text(encoding="utf-8")
    assert ours(text) == theirs(text)


SCOPES = """
import cuda.tile as ct
try:
    import other as maybe
except ImportError:
    maybe = None
if ct:
    import cuda.tile as two
else:
    two = 3
def f(a, ct=ct.launch, *, b=ct.launch): ct.launch
def g():
    global late
    late = 1
    return ct.launch, late.x
late = ct
class C:
    ct = 1
    x = ct.launch
    def h(self): return ct.launch
[ct.launch for ct in ct.launch if ct.launch]
lambda ct: ct.launch
maybe.x, two.launch
tile = ct
def m(v):
    match v:
        case {"k": ct, **rest}: ct.launch
    for tile in v: tile.launch
def n():
    try: pass
    except E as ct: ct.launch
    with v as tile: tile.launch
def o(): tile.launch; ct.x = 1; ct.launch = 2
"""


def test_scopes() -> None:
    found = references(ast.parse(SCOPES), path_of, lambda name: None, ())
    seen = [(one.node.lineno, ast.unparse(one.node), one.dotted, one.certain, one.stored) for one in found]
    assert seen == [
        (7, "ct", "cuda.tile", True, False),
        (11, "ct.launch", "cuda.tile.launch", True, False),
        (11, "ct.launch", "cuda.tile.launch", True, False),
        (15, "ct.launch", "cuda.tile.launch", True, False),
        (15, "late.x", "cuda.tile.x", False, False),
        (16, "ct", "cuda.tile", True, False),
        (20, "ct.launch", "cuda.tile.launch", True, False),
        (21, "ct.launch", "cuda.tile.launch", True, False),
        (23, "maybe.x", "other.x", True, False),
        (23, "two.launch", "cuda.tile.launch", False, False),
        (24, "ct", "cuda.tile", True, False),
        (33, "tile.launch", "cuda.tile.launch", True, False),
        (33, "ct.x", "cuda.tile.x", True, True),
        (33, "ct.launch", "cuda.tile.launch", True, True),
    ]


def test_star_imports() -> None:
    tree = ast.parse("launch(1)\ndef f(launch): launch(2)\n")
    found = references(tree, path_of, {"launch": "cuda.tile.launch"}.get, ())
    assert [(one.node.lineno, one.dotted) for one in found] == [(1, "cuda.tile.launch")]

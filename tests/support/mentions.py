"""The functions of Rust that the converter may write: those that the rules and the backend name."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.workplace import ROOT

#: A name that is called, but no method, macro, type, variant or attribute. NUL stands for what a Python expression puts there.
_CALLED = re.compile(r"(?<![\w.:!\0])(?<!#\[)([a-z_\0][\w\0]*)(?:::<[^>]*>)?\(")


def in_rules() -> set[str]:
    """Functions that the Rust forms of `rules/` call."""
    found: set[str] = set()
    for path in sorted((ROOT / "rules").glob("*.toml")):
        for text in _strings(tomllib.loads(path.read_text(encoding="utf-8"))):
            found |= set(_CALLED.findall(re.sub(r"\{\w*\}", "\0", text)))
    return {name.replace("\0", r"\w*") for name in found if name.strip("\0_")}


def in_backend() -> set[str]:
    """Functions that texts in `backend/` call: whole names, or regular expressions where part of one is computed."""
    found: set[str] = set()
    for path in sorted((ROOT / "transpiler" / "cutile2rs" / "backend").glob("*.py")):
        if path.name != "support.py":  # the crate's own text
            for text in _texts(path):
                found |= set(_CALLED.findall(text))
    computed = {"dtype"}  # names of the specialization IR, `dtype(x)`
    return {name.replace("\0", r"\w*") for name in found - computed if name.strip("\0_")}


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def _texts(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parts = {id(d) for d in map(_docstring, ast.walk(tree)) if d is not None}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts |= {id(part) for part in node.values}
            yield "".join(str(p.value) if isinstance(p, ast.Constant) else "\0" for p in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.value


def _docstring(node: ast.AST) -> ast.Constant | None:
    if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and node.body:
        first = node.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            return first.value
    return None

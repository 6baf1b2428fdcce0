"""What a kernel parameter's annotation says: cuTile reads those in ``typing.Annotated`` (``_annotated_function.py``)."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from cutile2rs.frontend import Constant, Module
from cutile2rs.ir import dtypes as dt

#: Names of ``cuda.tile`` that stand for ``Annotated[T, ...]``, with what is in it.
_ALIASES = {
    "cuda.tile.Constant": "cuda.tile.ConstantAnnotation",
    "cuda.tile.ScalarInt64": "cuda.tile.ScalarAnnotation",
    "cuda.tile.IndexedWithInt64": "cuda.tile.ArrayAnnotation",
}
_ANNOTATED = ("typing.Annotated", "typing_extensions.Annotated")
_KINDS = ("int", "float", "bool", "str")
_NUMBERS = {"int": dt.INT32, "float": dt.FLOAT32, "bool": dt.BOOL}


@dataclass(frozen=True, slots=True)
class Annotation:
    """``constant``: the kind of a constant parameter (``any``: not said), None for other parameters. ``dtype``: the one that
    a number is passed in, surely if ``exact``. ``missing``: what of the annotation has no rule."""

    constant: str | None = None
    dtype: dt.DType | None = None
    exact: bool = False
    missing: str = ""


def read_annotation(module: Module, node: ast.expr | None) -> Annotation:
    """The meaning of a parameter's annotation, aliases followed."""
    if node is None:
        return Annotation()
    node, module = _expand(module, node)
    inner = node.slice if isinstance(node, ast.Subscript) else None
    path = _path(module, node.value if isinstance(node, ast.Subscript) else node)
    if path in _NUMBERS and inner is None:
        return Annotation(dtype=_NUMBERS[path])
    if path in ("tuple", "typing.Tuple") and inner is not None:
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        constant = any(read_annotation(module, p).constant is not None for p in parts)
        return Annotation(missing="a tuple of constants as a parameter") if constant else Annotation()
    if path in _ANNOTATED and isinstance(inner, ast.Tuple):
        return _annotated(module, inner.elts[0], inner.elts[1:])
    if path in _ALIASES:
        return _meaning(module, _ALIASES[path], path, inner, None)
    return Annotation()


def _path(module: Module, node: ast.expr) -> str | None:
    path = module.qualify(node)
    if path is None and isinstance(node, ast.Name) and module.resolve_expr(node) is None:
        return node.id  # a built-in name
    return path


def _annotated(module: Module, inner: ast.expr, metadata: list[ast.expr]) -> Annotation:
    for node in metadata:
        call, owner = _expand(module, node)
        if isinstance(call, ast.Call):
            path = owner.qualify(call.func) or ""
            found = _meaning(module, path, path, inner, call)
            if found != Annotation():
                return found
    return read_annotation(module, inner)


def _meaning(module: Module, path: str, shown: str, inner: ast.expr | None, call: ast.Call | None) -> Annotation:
    if path == "cuda.tile.ConstantAnnotation":
        kind = "any" if inner is None else ast.unparse(inner)
        if kind.startswith(("tuple[", "Tuple[", "typing.Tuple[")):
            return Annotation(missing="a tuple of constants as a parameter")
        return Annotation(constant=kind if kind in _KINDS else "any")
    if path == "cuda.tile.ScalarAnnotation":
        dtypes = [module.qualify(k.value) for k in call.keywords] if call is not None else ["cuda.tile.int64"]
        wide = dtypes == ["cuda.tile.int64"]
        return Annotation(dtype=dt.INT64 if wide else dt.INT32, exact=True)
    if path == "cuda.tile.ArrayAnnotation" and (call is None or call.keywords):
        return Annotation(missing=f"`{shown}`: arrays with int64 indices or static extents")
    if path == "cuda.tile.ListAnnotation":
        return Annotation(missing=f"`{shown}`: lists of such arrays")
    return Annotation()


def _expand(module: Module, node: ast.expr) -> tuple[ast.expr, Module]:
    """What an annotation stands for where it is a string or a module's own name for another one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return node, module
    if isinstance(node, ast.IfExp) and (holds := module.truth(node.test)) is not None:
        return _expand(module, node.body if holds else node.orelse)
    if isinstance(node, (ast.Name, ast.Attribute)):
        found = module.resolve_expr(node)
        if isinstance(found, Constant):
            return _expand(found.module, found.expr)
    return node, module

"""Dispatch tables as the crate's runtime reads them: a line of JSON a kernel, every expression once.

The same table is in ``manifest.json``, spelled out; ``rust_templates/runtime/src/table.rs`` reads this form. An expression is
an index into ``nodes``, where its parts come before it.
"""

from __future__ import annotations

import ast
import json
from typing import Any

from cutile2rs.backend.kernel import RustEntry
from cutile2rs.frontend import KernelDef
from cutile2rs.ir.dtypes import DType
from cutile2rs.ir.expr import Expr, Fn, Lit, Param
from cutile2rs.lowering.driver import Lowered
from cutile2rs.lowering.options import Options

#: Annotations that change how an argument is passed (64-bit numbers, fixed strides). Entries are made for the plain forms.
_WIDER = frozenset(
    f"cuda.tile.{name}"
    for name in ("ScalarInt64", "Scalar", "IndexedWithInt64", "ArrayAnnotation", "ListAnnotation", "ScalarAnnotation")
)


class _Nodes:
    """Expressions by index."""

    def __init__(self) -> None:
        self.list: list[Any] = []
        self._known: dict[Expr, int] = {}

    def __call__(self, e: Expr) -> int:
        index = self._known.get(e)
        if index is None:
            node = self._node(e)
            index = self._known[e] = len(self.list)
            self.list.append(node)
        return index

    def _node(self, e: Expr) -> Any:
        if isinstance(e, Fn):
            return [e.op, *map(self, e.args)]
        if isinstance(e, Param):
            return {"p": e.name}
        return _literal(e)


def _literal(e: Lit) -> Any:
    value = e.value
    if isinstance(value, DType):
        return {"d": value.name}
    if isinstance(value, float):
        return {"f": repr(value)}
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return {"i": str(value)}
    return value


def table_line(
    lowered: Lowered, entries: list[RustEntry], refused: list[tuple[tuple[Expr, ...], str]], options: Options
) -> str:
    """A kernel's table, with the final newline."""
    nodes = _Nodes()
    reasons: dict[str, int] = {}
    wider = annotated(lowered.kernel)
    data = {
        "kernel": lowered.kernel.qualname,
        "params": [
            [p.name, "annotated"]
            if p.name in wider
            else [p.name, p.kind, p.constant_kind if p.kind == "constant" else p.rank or None]
            for p in lowered.params
        ],
        "hints": options.known,
        "unknown_hints": options.unknown,
        "entries": [
            [
                e.name,
                e.params,
                [[nodes(part) for part in predicate] for predicate in e.predicates],
                [[g.name, nodes(g.value)] for g in e.generics],
            ]
            for e in entries
        ],
        "refused": [
            [[nodes(part) for part in predicate], reasons.setdefault(reason, len(reasons))]
            for predicate, reason in refused
        ],
        "reasons": list(reasons),
        "nodes": nodes.list,
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def annotated(kernel: KernelDef) -> frozenset[str]:
    """Parameters whose annotation asks for more than the plain form."""
    module = kernel.module
    found = set()
    for p in kernel.params:
        for node in ast.walk(p.annotation) if p.annotation is not None else ():
            if isinstance(node, (ast.Name, ast.Attribute)) and module.qualify(node) in _WIDER:
                found.add(p.name)
    return frozenset(found)

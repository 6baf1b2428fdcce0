"""The text form of the IR: what ``cutile2rs explain`` prints and golden files record."""

from __future__ import annotations

from collections.abc import Iterator

from cutile2rs.ir.core import Array, ArrayType, Block, Entry, Op, TileType, Type, Value, ViewType
from cutile2rs.ir.expr import Fn, Lit, Param, show


class _Names:
    def __init__(self) -> None:
        self.names: dict[Value, str] = {}
        self.taken: dict[str, int] = {}

    def __getitem__(self, v: Value) -> str:
        if v not in self.names:
            base = v.hint or ""
            n = self.taken.get(base, 0)
            self.taken[base] = n + 1
            self.names[v] = f"%{base}" if base and n == 0 else f"%{base}.{n}" if base else f"%{n}"
        return self.names[v]


def type_text(t: Type) -> str:
    """``tile<f32, [T, 1]>``, ``i32`` for a scalar, ``token``."""
    if isinstance(t, ArrayType):
        return "array"
    if isinstance(t, ViewType):
        return "view"
    if not isinstance(t, TileType):
        return "token"
    d = t.dtype.value.rust if isinstance(t.dtype, Lit) else show(t.dtype)
    return f"tile<{d}, [{', '.join(map(show, t.shape))}]>" if t.shape else d


def entry_text(entry: Entry) -> str:
    """One entry: name, predicate, parameters and body."""
    lines = [f"entry {entry.name}"]
    lines += [f"  when {show(p)}" for p in entry.predicate]
    for p in entry.params:
        lines.append(f"  param {p.name}: {_param_text(p.kind, p.rank, p.constant_kind)}")
    names = _Names()
    for v in entry.scalars.values():
        names[v]
    lines += [f"  {line}" for line in _block_lines(entry.body, names)]
    return "\n".join(lines) + "\n"


def _param_text(kind: str, rank: int, constant_kind: str | None) -> str:
    return (
        f"{kind} of rank {rank}"
        if kind in ("array", "list")
        else f"constant {constant_kind}"
        if kind == "constant"
        else "scalar"
    )


def _block_lines(block: Block, names: _Names) -> Iterator[str]:
    for op in block.ops:
        yield _op_line(op, names)
        for i, inner in enumerate(op.blocks):
            if op.opcode in ("if", "static_if"):
                yield "then:" if i == 0 else "else:"
            if inner.params:
                yield f"  do ({', '.join(f'{names[p]}: {type_text(p.type)}' for p in inner.params)})"
            for line in _block_lines(inner, names):
                yield "  " + line


def _op_line(op: Op, names: _Names) -> str:
    operands = [names[v] for v in op.operands]
    attrs = [f"{k}={_attr_text(v)}" for k, v in op.attrs.items() if v is not None and v is not False]
    if op.token is not None:
        attrs.append(f"token={names[op.token]}")
    if op.view is not None:
        attrs.append(f"view={names[op.view]}")
    head = f"{op.opcode}({', '.join(operands + attrs)})"
    if not op.results:
        return head
    results = ", ".join(names[r] for r in op.results)
    types = ", ".join(type_text(r.type) for r in op.results)
    return f"{results} = {head} : {types}"


def _attr_text(v: object) -> str:
    if isinstance(v, Array):
        return v.name
    if isinstance(v, (Lit, Param, Fn)):
        return show(v)
    if isinstance(v, TileType):
        return type_text(v)
    if isinstance(v, tuple):
        return "[" + ", ".join(map(_attr_text, v)) + "]"
    return str(v)

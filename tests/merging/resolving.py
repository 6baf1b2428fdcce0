"""What an entry with constant branches is for one launch: each branch replaced by the side that is taken, and casts between
dtypes that are one left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cutile2rs.frontend import KernelDef
from cutile2rs.ir.core import Block, Entry, Op, TileType, Type, Value, replace_inputs
from cutile2rs.ir.expr import EvalError, Expr, evaluate, show
from cutile2rs.lowering.driver import Facts, Lowered, infer_params
from cutile2rs.lowering.driver import _read as read
from cutile2rs.lowering.oracle import PathState
from cutile2rs.passes import run_passes
from cutile2rs.passes.dce import eliminate_dead_code


class LaunchPath(PathState):
    """The path of one launch: what is asked is answered as it is for that launch."""

    bindings: dict[str, Any]

    def decide(self, condition: Expr) -> bool:
        known = self.settled(condition)
        if known is not None:
            return known
        condition = self.simplify(condition)
        answer = bool(evaluate(condition, self.bindings))
        self.taken.append((condition, answer))
        self._learn(condition, answer)
        return answer

    def prefer(self, condition: Expr, reason: str, always: bool = False) -> bool:
        return self.decide(condition)


def own_entry(kernel: KernelDef, bindings: dict[str, Any]) -> Entry:
    """What the kernel is for one launch, with no branch on a constant left."""
    path = LaunchPath(())
    path.bindings = bindings
    entry = read(Lowered(kernel, infer_params(kernel, Facts())), path)
    run_passes(entry, path)
    return entry


def holds(predicate: tuple[Expr, ...], bindings: Mapping[str, Any]) -> bool:
    """Whether an entry serves a launch."""
    try:
        return all(bool(evaluate(p, bindings)) for p in predicate)
    except EvalError:
        return False


def resolve(entry: Entry, bindings: Mapping[str, Any]) -> None:
    """Take the sides that a launch takes, and drop what is not needed then."""
    mapping: dict[Value, Value] = {}
    _block(entry.body, bindings, mapping)
    for op in entry.body.walk():
        replace_inputs(op, {v: _final(v, mapping) for v in op.inputs()})
    eliminate_dead_code(entry)


def _block(block: Block, bindings: Mapping[str, Any], mapping: dict[Value, Value]) -> None:
    ops: list[Op] = []
    for op in block.ops:
        for inner in op.blocks:
            _block(inner, bindings, mapping)
        if op.opcode == "static_if":
            side = op.blocks[0 if evaluate(op.attrs["condition"], bindings) else 1]
            ops += side.ops[:-1]
            mapping.update(zip(op.results, side.ops[-1].operands, strict=True))
        elif op.opcode == "cast" and _is_nothing(op, bindings):
            mapping[op.result] = op.operands[0]
        else:
            ops.append(op)
    block.ops = ops


def _is_nothing(cast: Op, bindings: Mapping[str, Any]) -> bool:
    """Whether both dtypes are one in this launch: Rust's `convert_tile` is then no operation."""
    before, after = cast.operands[0].type, cast.result.type
    assert isinstance(before, TileType) and isinstance(after, TileType)
    return _number(before.dtype, bindings) == _number(after.dtype, bindings)


def _final(v: Value, mapping: dict[Value, Value]) -> Value:
    while v in mapping:
        v = mapping[v]
    return v


def lines(entry: Entry, bindings: Mapping[str, Any]) -> list[str]:
    """The body's operations, for a launch: values by the order in which they are made, types as numbers. A constant stands
    where it is used: where it is made says nothing."""
    return list(_lines(entry.body, bindings, {}, 0))


def _lines(block: Block, bindings: Mapping[str, Any], names: dict[Value, str], depth: int) -> Iterator[str]:
    def name(v: Value) -> str:
        return names.setdefault(v, f"%{sum(n.startswith('%') for n in names.values())}")

    for op in block.ops:
        if op.opcode == "const":
            names[op.result] = f"{_number(op.attrs['value'], bindings)}: {_type(op.result.type, bindings)}"
            continue
        operands = [name(v) for v in op.operands] + [f"token {name(op.token)}" for _ in (1,) if op.token is not None]
        attrs = [f"{k}={_value(v, bindings)}" for k, v in sorted(op.attrs.items()) if isinstance(v, (str, int, tuple))]
        results = [f"{name(r)}: {_type(r.type, bindings)}" for r in op.results]
        yield f"{'  ' * depth}{', '.join(results)} = {op.opcode}({', '.join(operands + attrs)})"
        for inner in op.blocks:
            for p in inner.params:
                name(p)
            yield from _lines(inner, bindings, names, depth + 1)


def _value(v: Any, bindings: Mapping[str, Any]) -> str:
    if isinstance(v, tuple):
        return f"({', '.join(_value(i, bindings) for i in v)})"
    return str(v) if isinstance(v, (str, int)) or v is None else _number(v, bindings)


def _number(e: Expr, bindings: Mapping[str, Any]) -> str:
    try:
        return str(evaluate(e, bindings))
    except EvalError:
        return show(e)


def _type(t: Type, bindings: Mapping[str, Any]) -> str:
    if isinstance(t, TileType):
        return f"{_number(t.dtype, bindings)}[{', '.join(_number(d, bindings) for d in t.shape)}]"
    return type(t).__name__

"""The Rust of reductions and scans by a function: a closure. Plain ones have rows in the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutile2rs.backend import constants
from cutile2rs.backend.argreduce import emit as emit_places
from cutile2rs.backend.forms import Text
from cutile2rs.ir.core import Block, Op, TileType, Value
from cutile2rs.ir.expr import Lit

__all__ = ["emit", "emit_places"]

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter


def emit(e: Emitter, op: Op) -> None:
    """A ``reduce`` or ``scan`` operation."""
    if not op.blocks:
        e.form(op)
        return
    e.flush()
    e.comment(op)
    body = op.blocks[0]
    for v in _captured(body):
        if e.is_scalar(v.type):
            e.tiles[v] = e.scalar_tile(op, v)
    spelled = "identity" in op.attrs
    arguments = [_turned(e, op) if spelled else e.operand(op.operands[0]).text, "0i32"]
    if op.opcode == "scan" or spelled:
        arguments.append(f"reverse::{'Reverse' if op.attrs.get('reverse', True) else 'Forward'}")
    identity = e.fresh("identity", op)
    element = e.element(body.params[0].type)
    e.statement(f"let {identity}: Tile<{element}, {{ [] }}>", "splat_int(0, shape![])")
    closure = _closure(e, op, body)
    e.tiles.clear()
    if spelled:
        _last(e, op, f"scan_with({', '.join([*arguments, identity, closure])})")
        return
    e.finish(op, Text(f"{op.opcode}_with({', '.join([*arguments, identity, closure])})"))


def _axes(op: Op) -> tuple[tuple[int, ...], TileType]:
    """The axes of a reduced tile with the one to reduce in front, and its type."""
    t, axis = op.operands[0].type, op.attrs["axis"]
    assert isinstance(t, TileType)
    return (axis, *(i for i in range(len(t.shape)) if i != axis)), t


def _turned(e: Emitter, op: Op) -> str:
    """The tile to reduce, with the axis in front."""
    order, t = _axes(op)
    x = e.operand(op.operands[0]).text
    if order[0] == 0:
        return x
    name = e.fresh("turned", op)
    dims = e.dims(tuple(t.shape[i] for i in order))
    e.statement(f"let {name}: Tile<{e.element(t)}, {{ [{dims}] }}>", f"permute({x}, const_array!{list(order)})")
    return name


def _last(e: Emitter, op: Op, scan: str) -> None:
    """A reduction as the last of the running values, beside which its identity changes nothing."""
    order, t = _axes(op)
    shape, element = tuple(t.shape[i] for i in order), e.element(t)
    running, first, last = (e.fresh(n, op) for n in ("running", "first", "last"))
    e.statement(f"let {running}: Tile<{element}, {{ [{e.dims(shape)}] }}>", scan)
    e.statement(f"let {first}: Tile<i32, {{ [] }}>", "splat_int(0, shape![])")
    where = ", ".join([first] * len(shape))
    e.statement(
        f"let {last}: Tile<{element}, {{ [{e.dims((Lit(1), *shape[1:]))}] }}>", f"extract({running}, [{where}])"
    )
    rest = e.dims(shape[1:])
    e.statement(f"let {last}: Tile<{element}, {{ [{rest}] }}>", f"reshape({last}, shape![{rest}])")
    neutral = e.fresh("neutral", op)
    value = constants.literal(e, op.attrs["identity"], e.path.dtype_of(t.dtype), TileType(t.dtype, shape[1:]))
    e.statement(f"let {neutral}: Tile<{element}, {{ [{rest}] }}>", value)
    e.finish(op, Text(f"with_identity({last}, {neutral})"))


def _captured(body: Block) -> list[Value]:
    """Values from outside that the function uses."""
    own = {*body.params, *(r for op in body.ops for r in op.results)}
    return [v for v in dict.fromkeys(v for op in body.ops for v in op.operands) if v not in own]


def _closure(e: Emitter, op: Op, body: Block) -> str:
    """The function: in one line if it is one expression. Its elements, numbers and booleans too, are 0-d tiles."""
    params = [e.bind(p, op) for p in body.params]
    saved, e.lines, source = e.lines, [], e.source
    e.indent, e.in_closure = e.indent + 4, True
    longer = len(body.ops) > 2
    e.closure_end = None if longer else body.ops[-1]
    if longer:
        # The DSL takes them for scalars; a conversion to their own type, which emits nothing, makes them tiles.
        for name, p in zip(params, body.params, strict=True):
            e.statement(f"let {name}: {e.type(p.type)}", f"convert_tile({name})")
    for inner in body.ops[:-1]:
        e.op(inner)
    if longer:
        e.flush()  # for the same reason the result needs a variable with its type
    result = e.pending.pop().text if e.pending else e.operand(body.ops[-1].operands[0])
    e.indent, e.in_closure, e.closure_end = e.indent - 4, False, None
    lines, e.lines, e.source = e.lines, saved, source
    head = f"|{', '.join(params)}|"
    if not lines:
        return f"{head} {result.text}"
    return "\n".join([f"{head} {{", *lines, f"{' ' * (e.indent + 4)}{result.text}", f"{' ' * e.indent}}}"])

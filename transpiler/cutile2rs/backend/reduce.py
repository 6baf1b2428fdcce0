"""The Rust of reductions and scans by a function: a closure. Plain ones have rows in the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutile2rs.backend.forms import Text
from cutile2rs.ir.core import Block, Op, Value

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
    arguments = [e.operand(op.operands[0]).text, "0i32"]
    if op.opcode == "scan":
        arguments.append(f"reverse::{'Reverse' if op.attrs['reverse'] else 'Forward'}")
    identity = e.fresh("identity", op)
    element = e.element(body.params[0].type)
    e.statement(f"let {identity}: Tile<{element}, {{ [] }}>", "splat_int(0, shape![])")
    closure = _closure(e, op, body)
    e.tiles.clear()
    e.finish(op, Text(f"{op.opcode}_with({', '.join([*arguments, identity, closure])})"))


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

"""The Rust of loops and branches: carried values are ``let mut`` variables around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutile2rs.backend.forms import Text
from cutile2rs.ir.core import Block, Op, Value
from cutile2rs.lowering.oracle import NoRule

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter
    from cutile2rs.backend.liveness import Liveness


def emit_for(e: Emitter, op: Op) -> None:
    """``for i in range(start, stop, step)`` with its carried variables."""
    body = op.blocks[0]
    start, stop, step = e.take(op.operands[:3])
    e.comment(op)
    variables = _declare(e, op, op.operands[3:], body.params[1:])
    for p, r, name in zip(body.params[1:], op.results, variables, strict=True):
        e.names[p] = e.names[r] = name
        e.holders[name] = r if e.live.last_use.get(r, 0) else p
    induction = body.params[0]
    name = e.bind(induction, op)
    e.line(f"for {name} in {_range(e, op, start, stop, step)} {{")
    _body(e, body, variables)
    e.line("}")


def _declare(e: Emitter, op: Op, initial: list[Value], params: list[Value]) -> list[str]:
    """One ``let mut`` a carried variable; an initial value that is used only here is written right into it."""
    variables = []
    for v, p in zip(initial, params, strict=True):
        if v in e.names and (v in e.mutable or _continues(e, op, v)):
            variables.append(e.names[v])
            continue
        text = e.operand(v)
        name = e.carried_name(v, p, op)
        e.statement(f"let mut {name}: {e.type(p.type)}", text.text)
        variables.append(name)
    return variables


def _continues(e: Emitter, op: Op, v: Value) -> bool:
    """Whether an enclosing loop's variable can simply go on being updated in this loop: nothing else reads it."""
    return any(e.names[v] in t for t in e.targets) and e.live.uses.get(v) == 1


def initial_values(block: Block, live: Liveness) -> set[Value]:
    """Values that only start a loop-carried variable of the same name: they are declared ``let mut`` in its place."""
    made = {r for op in block.ops for r in op.results}
    found: set[Value] = set()
    for op in block.ops:
        if op.opcode == "for":
            pairs = zip(op.operands[3:], op.blocks[0].params[1:], strict=True)
            found |= {v for v, p in pairs if v in made and live.uses.get(v) == 1 and v.hint is not None and v.hint == p.hint}
    return found


def _range(e: Emitter, op: Op, start: Text, stop: Text, step: Text) -> str:
    # Where cutile knows a bound of the range, it assumes it of the index; cuTile Python does not, and machine code differs.
    span = f"{_hidden(e, start)}..{_hidden(e, stop)}"
    return span if step.text == "1i32" else f"({span}).step_by({step.at(9)} as usize)"


def _hidden(e: Emitter, bound: Text) -> str:
    """A bound of a range; a constant is hidden from cutile's analysis."""
    constants = {g.name for g in e.generics.declared}
    known = bound.text.removesuffix("i32").lstrip("-").isdigit() or bound.text in constants
    return f"opaque({bound.text})" if known else bound.at(2)


def _body(e: Emitter, body: Block, variables: list[str]) -> None:
    e.targets.append(variables)
    e.plan_assignments(body, variables)
    saved = dict(e.holders)
    e.indent += 4
    source = e.source
    e.block(body)
    e.source = source
    e.indent -= 4
    e.holders = saved
    e.targets.pop()


def emit_jump(e: Emitter, op: Op) -> None:
    """The end of a body: carried variables that were not assigned on the way are assigned now."""
    e.flush()
    names = e.targets[-1]
    moves = [(n, e.operand(v).text) for n, v in zip(names, op.operands, strict=True) if e.operand(v).text != n]
    for i, (_, value) in enumerate(moves):
        if value in {n for n, _ in moves[:i]}:
            raise NoRule("carried variables that swap their values")
    for name, value in moves:
        e.line(f"{name} = {value};")


def emit_if(e: Emitter, op: Op) -> None:
    """A run-time branch: its results are variables that both sides assign."""
    [condition] = e.take(op.operands)
    e.comment(op)
    variables = []
    then, otherwise = op.blocks
    for i, r in enumerate(op.results):
        side = _outside(e, otherwise.ops[-1].operands[i]) or _outside(e, then.ops[-1].operands[i])
        if side is None:
            raise NoRule("a branch that defines a variable on both sides")
        name = e.carried_name(r, r, op)
        e.statement(f"let mut {name}: {e.type(r.type)}", side)
        variables.append(name)
    e.line(f"if {condition.text} {{")
    _body(e, then, variables)
    if any(o.opcode != "yield" for o in otherwise.ops) or _moves(e, otherwise, variables):
        e.line("} else {")
        _body(e, otherwise, variables)
    e.line("}")
    for r, name in zip(op.results, variables, strict=True):
        e.names[r] = name
        e.holders[name] = r


def _outside(e: Emitter, v: Value) -> str | None:
    """The text of a value that exists before the branch."""
    return e.operand(v).text if v in e.names or v in e.inline else None


def _moves(e: Emitter, block: Block, variables: list[str]) -> bool:
    last = block.ops[-1]
    return any(_outside(e, v) != n for v, n in zip(last.operands, variables, strict=True))



"""Variables of loops and branches: their declarations, what they hold, and which value is computed right into which.

The text compiler carries every variable from outside that a loop assigns, and a branch yields those and its own. A value is
``let``; a carried one or a result of a branch is a ``let mut`` around the loop or the branch.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cutile2rs.backend import moves, names
from cutile2rs.ir.core import Block, Op, TileType, TokenType, Type, Value, carried_params, initial_operands, is_loop
from cutile2rs.lowering.oracle import NoRule

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter

_ASSIGNED = re.compile(r"^ *(\w+) =", re.MULTILINE)


def assigned(lines: list[str]) -> set[str]:
    """The variables that lines of Rust assign (declarations do not count)."""
    return set(_ASSIGNED.findall("\n".join(lines)))


def declare(
    e: Emitter,
    op: Op,
    initial: Value | None,
    like: Value,
    unread: bool,
    avoid: set[str],
    taken: set[str],
    changes: bool = True,
) -> str:
    """``let mut`` with an initial value; one that nothing reads may be anything. ``avoid``: names read after this line;
    ``taken``: variables of the same loop or branch; ``changes``: whether it is assigned at all."""
    if initial is None or initial in e.placeholders:
        text, unread = anything(e, like.type), True
    else:
        text = e.operand(initial).text
    if initial is not None and text not in taken and _is_renewed(e, op, initial, like, text):
        name, e.holders[text] = text, like
    else:
        reserved, e.reserved = e.reserved, e.reserved | (avoid - {text}) | taken
        name = e.carried_name(initial or like, like, op)
        e.reserved = reserved
    if changes:
        e.variables.add(name)
    if unread:
        e.line("#[allow(unused_assignments)]")
    e.statement(f"let {'mut ' if changes else ''}{name}: {e.type(like.type)}", text)
    return name


def _is_renewed(e: Emitter, op: Op, initial: Value, like: Value, text: str) -> bool:
    """Whether ``let mut x: T = x;`` may stand before a branch: within it, ``x`` is what it was until it is assigned."""
    if op.opcode != "if" or text != names.local(like.hint or "") or any(text in t for t in e.targets):
        return False
    return e.live.is_dead(initial, e.live.end(op), e.excluded)


def anything(e: Emitter, t: Type) -> str:
    """A value that nothing reads."""
    if isinstance(t, TokenType):
        return "new_token_unordered()"
    if not isinstance(t, TileType):
        raise NoRule("an array that depends on a run-time condition")
    if e.is_scalar(t):
        return "0i32" if e.type(t) == "i32" else "false"
    return f"splat_int(0, {e.shape(t)})"


def plan(e: Emitter, body: Block, variables: list[str], held: list[Value | None]) -> None:
    """Values that may be computed right into the variable that the block's end assigns them to: what that variable holds
    when the block starts is not needed after them."""
    last = body.ops[-1]
    if last.opcode == "return":
        return
    makers = {r: op for op in body.ops for r in op.results}
    for name, v, old in zip(variables, last.operands, held, strict=True):
        maker = makers.get(v)
        if not name or maker is None or v in e.assign_to or last.operands.count(v) != 1:
            continue
        if not maker.operands and not maker.blocks:
            continue  # not written in the order of operations
        position = e.live.at(maker) if is_loop(maker) else e.live.end(maker)
        if old is None or e.live.is_dead(old, position, e.excluded):
            e.assign_to[v] = name
            if is_loop(maker):
                _plan_initial(e, makers, maker, v, name, old)


def _plan_initial(e: Emitter, makers: dict[Value, Op], loop: Op, r: Value, name: str, old: Value | None) -> None:
    """The initial value of a loop's variable too, if nothing else reads it."""
    v = initial_operands(loop)[loop.results.index(r)]
    maker = makers.get(v)
    if maker is None or maker.blocks or not maker.operands or e.live.uses.get(v) != 1 or v in e.assign_to:
        return
    if old is None or e.live.is_dead(old, e.live.at(maker), e.excluded):
        e.assign_to[v] = name


def write_block(e: Emitter, block: Block, variables: list[str]) -> None:
    """What stands between braces."""
    holders, known, source = dict(e.holders), set(e.variables), e.source
    e.targets.append([n for n in variables if n])
    e.indent += 4
    e.block(block)
    e.indent -= 4
    e.targets.pop()
    e.holders, e.variables, e.source = holders, known, source


def is_known(e: Emitter, v: Value) -> bool:
    """Whether cutile's analysis knows a number: a constant, or what is computed from constants alone."""
    maker = e.live.makers.get(v)
    if maker is None or maker.blocks:
        return False
    return maker.opcode == "const" or (bool(maker.operands) and all(is_known(e, o) for o in maker.operands))


def content(e: Emitter, name: str) -> Value | None:
    """The value that a variable holds now; None where nothing reads it."""
    holder = e.holders.get(name)
    return None if holder is None or any(holder in loop.results for loop, _ in e.loops) else holder


def is_read(e: Emitter, loop: Op, jump: str, i: int) -> bool:
    """Whether anything reads the i-th carried variable after a jump."""
    inside, after = (bool(e.live.uses.get(v)) for v in (carried_params(loop)[i], loop.results[i]))
    return (inside and jump == "continue") or (after and (jump == "break" or loop.opcode == "for"))


def needed_moves(e: Emitter, names: list[str], values: list[Value], read: list[bool]) -> list[moves.Move]:
    """Which variable is assigned which text; what nothing reads afterwards is not assigned."""
    return [
        (name, e.operand(v).text, v)
        for name, v, wanted in zip(names, values, read, strict=True)
        if wanted and v not in e.placeholders and e.operand(v).text != name
    ]

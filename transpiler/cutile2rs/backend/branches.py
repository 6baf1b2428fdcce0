"""The Rust of run-time branches.

A jump must not stand in a branch that assigns a variable which the loop does not carry: the text compiler hands that
variable to the jump too. Such a branch has no rule.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cutile2rs.backend import layout, moves
from cutile2rs.backend.forms import Text
from cutile2rs.backend.structure import has_jump, jump_of
from cutile2rs.backend.variables import (
    anything,
    assigned,
    content,
    declare,
    is_known,
    is_read,
    needed_moves,
    plan,
    write_block,
)
from cutile2rs.ir.core import Block, Op, TokenType, Value
from cutile2rs.ir.expr import Expr, Fn, Lit, Param, fn, kind
from cutile2rs.lowering.oracle import NoRule

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter

#: A variable and the value that it holds before a branch; no name: the result is the value of the branch itself.
Result = tuple[str, "Value | None"]

_DECLARED = re.compile(r"^ *let (?:mut )?\(?((?:\w+(?:, )?)+)", re.MULTILINE)


def emit_if(e: Emitter, op: Op) -> None:
    """A run-time branch. Each result is a variable that both sides leave it in, or (one of them) the branch's value."""
    [condition] = e.take(op.operands)
    if is_known(e, op.operands[0]) and any(has_jump(b) for b in op.blocks):
        condition = Text(f"opaque_flag({condition.text})")
    _emit(e, op, condition)


def emit_static_if(e: Emitter, op: Op) -> None:
    """A branch on constants, which the text compiler resolves."""
    e.flush()
    _emit(e, op, Text(_constant(e, e.path.simplify(op.attrs["condition"]))))


_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def _constant(e: Emitter, condition: Expr) -> str:
    """A condition on constants as Rust, over const generics."""
    if isinstance(condition, Fn) and condition.op == "not" and isinstance(condition.args[0], Param):
        return f"{e.generics.int(fn('int', condition.args[0]))} == 0"
    if isinstance(condition, Fn) and condition.op in _COMPARISONS and all(map(_is_plain, condition.args)):
        left, right = map(e.generics.int, condition.args)
        return f"{left} {_COMPARISONS[condition.op]} {right}"
    if isinstance(condition, Fn) and condition.op == "bool" and kind(condition.args[0]) == "int":
        return f"{e.generics.int(condition.args[0])} != 0"
    return f"{e.generics.int(fn('int', condition))} != 0"


def _is_plain(e: Expr) -> bool:
    """A parameter or a literal that is no negative number."""
    return kind(e) == "int" and (isinstance(e, Param) or (isinstance(e, Lit) and e.value >= 0))


def _emit(e: Emitter, op: Op, condition: Text) -> None:
    e.comment(op)
    results = _results(e, op, moves.identifiers(condition.text))
    value = next((r for r, (name, _) in zip(op.results, results, strict=True) if not name), None)
    start = len(e.lines)
    e.branches.append(results)
    e.excluded.append(e.live.spans[id(op.blocks[1])])
    _side(e, op.blocks[0], results)
    e.excluded.pop()
    if op.opcode == "if":
        _keep_order(e, op, [name for name, _ in results], start, len(e.lines))
    middle = len(e.lines)
    _side(e, op.blocks[1], results)
    if len(e.lines) > middle:
        e.lines.insert(middle, " " * e.indent + "} else {")
    e.branches.pop()
    e.line("}" if value is None else "};")
    if e.loops and any(has_jump(b, frozenset({"continue", "break"})) for b in op.blocks):
        _check_captures(e, e.lines[start:])
    head = "if"
    if value is not None:
        value.hint = value.hint or ("condition" if e.type(value.type) == "bool" else "chosen")
        head = f"let {e.bind(value, op.blocks[1].ops[-1])}: {e.type(value.type)} = if"
    if value is not None and len(f"{' ' * e.indent}{head} {condition.text}") > layout.WIDTH:
        head = head.removesuffix(" = if")
        e.lines[start:] = [
            f"{' ' * e.indent}{head} =",
            *layout.opening(e.indent + 4, f"if {condition.text}"),
            *(part for line in e.lines[start:] for part in layout.deeper(line)),
        ]
    else:
        e.lines[start:start] = layout.opening(e.indent, f"{head} {condition.text}")
    if value is not None:
        _join_lines(e, start)
    for r, (name, _) in zip(op.results, results, strict=True):
        if name:
            e.names[r] = name
            e.holders[name] = r


def emit_yield(e: Emitter, op: Op) -> None:
    """The end of a branch's side: its results are assigned; one of them may be the value of the branch."""
    results = [(n, v, old) for (n, old), v in zip(e.branches[-1], op.operands, strict=True)]
    values = [v for n, v, _ in results if not n]
    changed = [(n, v) for n, v, old in results if n and v is not old]
    if values and not changed and values[0] not in e.placeholders:
        e.line(e.take(values)[0].text)
        return
    e.flush()
    moves.assign(e, op, needed_moves(e, [n for n, _ in changed], [v for _, v in changed], [True] * len(changed)))
    for v in values:
        e.line(anything(e, v.type) if v in e.placeholders else e.operand(v).text)


def _join_lines(e: Emitter, start: int) -> None:
    """``let x: T = if c { a } else { b };`` in one line, or its right side in one, where rustfmt would have it so."""
    pieces = [line.strip() for line in e.lines[start:]]
    if len(pieces) != 5 or pieces[2] != "} else {":
        return
    left, _, right = " ".join(pieces).partition(" = ")
    pad = " " * e.indent
    if len(f"{pad}{left} = {right}") <= layout.WIDTH:
        e.lines[start:] = [f"{pad}{left} = {right}"]
    elif len(f"{pad}    {right}") <= layout.WIDTH:
        e.lines[start:] = [f"{pad}{left} =", f"{pad}    {right}"]


def _side(e: Emitter, block: Block, results: list[Result]) -> None:
    jump = block.ops[-1].opcode
    if jump == "yield":
        plan(e, block, [name for name, _ in results], [old for _, old in results])
    elif jump != "return":
        loop, variables = e.loops[-1]
        read = [n if is_read(e, loop, jump, i) else "" for i, n in enumerate(variables)]
        plan(e, block, read, [content(e, n) for n in variables])
    write_block(e, block, [name for name, _ in results])


def _results(e: Emitter, op: Op, mentioned: set[str]) -> list[Result]:
    """Where each result of a branch is to be. ``mentioned``: names that its condition reads after they are declared."""
    found = [_existing(e, op, i) for i in range(len(op.results))]
    for i, place in enumerate(found):
        if place is not None and any(p is not None and p[0] == place[0] for p in found[:i]):
            found[i] = None
    free = [i for i, place in enumerate(found) if place is None]
    sides = [[b.ops[-1].operands[i] for b in reversed(op.blocks) if jump_of(b) is None] for i in range(len(op.results))]
    known = {i: next((v for v in sides[i] if v in e.names or v in e.inline), None) for i in free}
    value = _branch_value(op, free, known)
    results: list[Result] = []
    for i, place in enumerate(found):
        if i == value:
            place = ("", None)
        elif place is None:
            later = {e.operand(v).text for j in free if j > i for v in sides[j] if v in e.names}
            taken = {p[0] for p in (*results, *found) if p is not None and p[0]}
            changes = any(v is not known[i] for v in sides[i])
            name = declare(e, op, known[i], op.results[i], False, mentioned | later, taken, changes)
            place = name, known[i]
        results.append(place)
    return results


def _branch_value(op: Op, free: list[int], known: dict[int, Value | None]) -> int | None:
    """The result that is the value of the branch itself. The text compiler puts it last among the branch's results, and
    their order shows in the machine code (that of tokens does not); so it must be last among Python's too."""
    tiles = [i for i, r in enumerate(op.results) if not isinstance(r.type, TokenType)]
    fitting = [i for i in free if i not in tiles or i == tiles[-1]]
    computed = [i for i in fitting if known[i] is None]
    return fitting[0] if len(free) == 1 and fitting else computed[0] if computed else None


def _keep_order(e: Emitter, op: Op, variables: list[str], start: int, middle: int) -> None:
    """The text compiler orders results by name, those that the first side assigns before those that only the second does;
    Python orders all by name. What only the second side assigns is assigned to itself in the first."""
    named = zip(variables, op.results, strict=True)
    wanted = [n for n, r in named if n in e.variables and not isinstance(r.type, TokenType)]
    first = assigned(e.lines[start:middle])
    order = sorted(first & set(wanted)) + sorted(set(wanted) - first)
    late = [n for n in wanted if n not in first]
    if order != wanted and sorted(wanted) == wanted:
        e.lines[start:start] = [f"{' ' * (e.indent + 4)}{n} = {n};" for n in late]


def _existing(e: Emitter, op: Op, i: int) -> Result | None:
    """A variable that can take a result of a branch: the one that it is to end up in anyway, or one that holds what a
    side gives and that nothing else reads afterwards."""
    target = e.assign_to.get(op.results[i])
    if target is not None:
        return target, content(e, target)
    for v in (b.ops[-1].operands[i] for b in reversed(op.blocks)):
        name = e.names.get(v, "")
        if name in e.variables and e.holders.get(name) is v and e.live.is_dead(v, e.live.end(op), e.excluded):
            return name, v
    return None


def _check_captures(e: Emitter, lines: list[str]) -> None:
    """Refuse a branch with a jump that assigns, from outside, what its loop does not carry."""
    text = "\n".join(lines)
    declared = {n for names in _DECLARED.findall(text) for n in names.split(", ")}
    captured = assigned(lines) - declared - set(e.loops[-1][1])
    if captured:
        raise NoRule(f"a jump inside a branch that assigns {', '.join(sorted(captured))}")

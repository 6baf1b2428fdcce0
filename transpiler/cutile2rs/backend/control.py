"""The Rust of loops, branches and jumps: carried values and results of branches are ``let mut`` variables around them.

The text compiler carries every variable from outside that a loop assigns, and a branch yields those and its own. So a jump
must not stand in a branch that assigns a variable which the loop does not carry; such a branch has no rule.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import TYPE_CHECKING

from cutile2rs.backend import layout, moves, names
from cutile2rs.backend.forms import Text
from cutile2rs.backend.structure import has_jump, is_while, jump_of
from cutile2rs.ir.core import Block, Op, TileType, TokenType, Type, Value, carried_params, initial_operands, is_loop
from cutile2rs.ir.expr import Lit
from cutile2rs.lowering.oracle import NoRule

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter
    from cutile2rs.backend.liveness import Liveness

#: A variable and the value that it holds before a branch; no name: the result is the value of the branch itself.
Result = tuple[str, "Value | None"]

_ASSIGNED = re.compile(r"^ *(\w+) =", re.MULTILINE)
_DECLARED = re.compile(r"^ *let (?:mut )?\(?((?:\w+(?:, )?)+)", re.MULTILINE)


# -- loops -------------------------------------------------------------------------------------------------------------


def emit_for(e: Emitter, op: Op) -> None:
    """``for i in range(start, stop, step)`` with its carried variables."""
    body = op.blocks[0]
    induction = body.params[0]
    if e.type(induction.type) != "i32":
        raise NoRule("a loop over a range of int64")
    start, stop, step = e.take(op.operands[:3])
    e.comment(op)
    span = _range(e, op, start, stop, step)
    variables = _enter(e, op, moves.identifiers(span))
    saved = dict(e.holders)
    e.targets.append(variables)
    name = e.bind(induction, op)
    name = name if e.live.uses.get(induction) else f"_{name.lstrip('_')}"
    e.targets.pop()
    e.line(f"for {name} in {span} {{")
    _loop_body(e, op, variables, body, len(e.lines))
    e.line("}")
    e.holders = saved
    _leave(e, op, variables)


def emit_loop(e: Emitter, op: Op) -> None:
    """``while condition``, or a ``loop`` that its jumps leave."""
    e.flush()
    if not has_jump(op.blocks[0], frozenset({"break"})):
        raise NoRule("a loop that only a return leaves")
    e.comment(op)
    variables = _enter(e, op, set())
    header = is_while(op)
    if header is None:
        e.line("loop {")
        _loop_body(e, op, variables, op.blocks[0], len(e.lines))
    else:
        _while(e, op, header, variables)
    e.line("}")
    _leave(e, op, variables)


def _while(e: Emitter, op: Op, header: Op, variables: list[str]) -> None:
    """A ``while``; where its condition needs lines of its own, a ``loop`` that starts with a ``break``. Both must give
    the branch that Python's has, its sides not exchanged: only so does tileiras see a counting loop."""
    body, start = op.blocks[0], len(e.lines)
    split = body.ops.index(header)
    saved = dict(e.holders)
    e.targets.append(variables)
    e.indent += 4
    for o in body.ops[:split]:
        e.op(o)
    [condition] = e.take(header.operands)
    e.indent -= 4
    e.targets.pop()
    pad = " " * e.indent
    if len(e.lines) == start:
        e.lines.append(f"{pad}while {condition.text} {{")
    else:
        e.lines.insert(start, f"{pad}loop {{")
        e.lines += [f"{pad}    if {condition.text} {{", f"{pad}    }} else {{", f"{pad}        break;", f"{pad}    }}"]
    _loop_body(e, op, variables, Block(body.params, body.ops[split + 1 :]), start + 1)
    e.holders = saved


def _loop_body(e: Emitter, op: Op, variables: list[str], body: Block, start: int) -> None:
    """The body of a loop; ``start`` is the line after its head."""
    e.loops.append((op, variables))
    assumed = {o.operands[0]: o.result for o in op.blocks[0].ops if o.opcode == "assume_divisor"}
    _plan(e, body, variables, [assumed.get(p, p) for p in carried_params(op)])
    _block(e, body, variables)
    e.loops.pop()
    assigned = set(_ASSIGNED.findall("\n".join(e.lines[start:])))
    unchanged = [n for n in variables if n not in assigned]
    if unchanged:
        # The text compiler carries only what is assigned; whether a value is carried changes machine code.
        pad = " " * (e.indent + 4)
        e.lines[start:start] = [f"{pad}// Python's loop carries this too.", *(f"{pad}{n} = {n};" for n in unchanged)]


def _enter(e: Emitter, op: Op, mentioned: set[str]) -> list[str]:
    """The variables that carry a loop's values, each with its initial value in it. ``mentioned``: names that the loop's
    head reads after they are declared."""
    inits, params = initial_operands(op), carried_params(op)
    variables: list[str] = []
    pairs: list[moves.Move] = []
    for i, (v, p, r) in enumerate(zip(inits, params, op.results, strict=True)):
        target = e.assign_to.get(r)
        if target is not None and target not in variables:
            if v not in e.placeholders and e.operand(v).text != target:
                pairs.append((target, e.operand(v).text, v))
            name = target
        elif v in e.names and e.names[v] not in variables and (v in e.mutable or _may_go_on(e, op, v)):
            name = e.names[v]
        else:
            p.hint = p.hint or r.hint or "result"
            later = {e.operand(o).text for o in inits[i + 1 :] if o not in e.placeholders}
            unread = op.opcode == "loop" and not e.live.uses.get(p)
            name = _declare(e, op, v, p, unread, mentioned | later | {m[1] for m in pairs}, set(variables))
        variables.append(name)
    moves.assign(e, op, pairs)
    for p, r, name in zip(params, op.results, variables, strict=True):
        e.names[p] = name
        e.holders[name] = p if e.live.uses.get(p) else r
    return variables


def _leave(e: Emitter, op: Op, variables: list[str]) -> None:
    for r, name in zip(op.results, variables, strict=True):
        e.names[r] = name
        e.holders[name] = r


def _may_go_on(e: Emitter, op: Op, v: Value) -> bool:
    """Whether a variable that holds ``v`` can simply go on being updated: nothing else reads ``v`` from here on."""
    name = e.names[v]
    return name in e.variables and e.holders.get(name) is v and e.live.is_dead(v, e.live.at(op), e.excluded)


def initial_values(block: Block, live: Liveness, planned: Container[Value]) -> set[Value]:
    """Values that only start a loop-carried variable of the same name: they are declared ``let mut`` in its place."""
    made = {r for op in block.ops for r in op.results if not op.blocks and op.opcode != "dummy"}
    found: set[Value] = set()
    for op in block.ops:
        if is_loop(op):
            for v, p, r in zip(initial_operands(op), carried_params(op), op.results, strict=True):
                named = v.hint is not None and v.hint == p.hint
                if v in made and named and live.uses.get(v) == 1 and v not in planned and r not in planned:
                    found.add(v)
    return found


def _range(e: Emitter, op: Op, start: Text, stop: Text, step: Text) -> str:
    # Where cutile knows a bound of the range, it assumes it of the index; cuTile Python does not, and machine code differs.
    lower, upper = (
        f"opaque({text.text})" if _is_known(e, v) else text.at(2)
        for text, v in zip((start, stop), op.operands[:2], strict=True)
    )
    return f"{lower}..{upper}" if step.text == "1i32" else f"({lower}..{upper}).step_by({step.at(9)} as usize)"


def _is_known(e: Emitter, v: Value) -> bool:
    """Whether cutile's analysis knows a number: a constant, or what is computed from constants alone."""
    maker = e.live.makers.get(v)
    if maker is None or maker.blocks:
        return False
    return maker.opcode == "const" or (bool(maker.operands) and all(_is_known(e, o) for o in maker.operands))


# -- variables and blocks ----------------------------------------------------------------------------------------------


def _declare(
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
        text, unread = _anything(e, like.type), True
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


def _anything(e: Emitter, t: Type) -> str:
    if isinstance(t, TokenType):
        return "new_token_unordered()"
    if not isinstance(t, TileType):
        raise NoRule("an array that depends on a run-time condition")
    if e.is_scalar(t):
        return "0i32" if e.type(t) == "i32" else "false"
    return f"splat_int(0, {e.shape(t)})"


def _plan(e: Emitter, body: Block, variables: list[str], held: list[Value | None]) -> None:
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


def _block(e: Emitter, block: Block, variables: list[str]) -> None:
    """What stands between braces."""
    holders, known, source = dict(e.holders), set(e.variables), e.source
    e.targets.append([n for n in variables if n])
    e.indent += 4
    e.block(block)
    e.indent -= 4
    e.targets.pop()
    e.holders, e.variables, e.source = holders, known, source


# -- jumps -------------------------------------------------------------------------------------------------------------


def emit_jump(e: Emitter, op: Op) -> None:
    """``continue`` and ``break``: the variables that were not assigned on the way are assigned now."""
    e.flush()
    loop, variables = e.loops[-1]
    read = [_is_read(e, loop, op.opcode, i) for i in range(len(variables))]
    moves.assign(e, op, _moves(e, variables, op.operands, read))
    if op is not loop.blocks[0].ops[-1] or op.opcode == "break":
        e.line(f"{op.opcode};")


def _is_read(e: Emitter, loop: Op, jump: str, i: int) -> bool:
    """Whether anything reads the i-th carried variable after a jump."""
    inside, after = (bool(e.live.uses.get(v)) for v in (carried_params(loop)[i], loop.results[i]))
    return (inside and jump == "continue") or (after and (jump == "break" or loop.opcode == "for"))


def emit_yield(e: Emitter, op: Op) -> None:
    """The end of a branch's side: its results are assigned; one of them may be the value of the branch."""
    results = [(n, v, old) for (n, old), v in zip(e.branches[-1], op.operands, strict=True)]
    values = [v for n, v, _ in results if not n]
    assigned = [(n, v) for n, v, old in results if n and v is not old]
    if values and not assigned and values[0] not in e.placeholders:
        e.line(e.take(values)[0].text)
        return
    e.flush()
    moves.assign(e, op, _moves(e, [n for n, _ in assigned], [v for _, v in assigned], [True] * len(assigned)))
    for v in values:
        e.line(_anything(e, v.type) if v in e.placeholders else e.operand(v).text)


def _moves(e: Emitter, names: list[str], values: list[Value], read: list[bool]) -> list[moves.Move]:
    """Which variable is assigned which text; what nothing reads afterwards is not assigned."""
    return [
        (name, e.operand(v).text, v)
        for name, v, wanted in zip(names, values, read, strict=True)
        if wanted and v not in e.placeholders and e.operand(v).text != name
    ]


def emit_return(e: Emitter, op: Op) -> None:
    """An early return, inside a loop; at the end of the body there is nothing to write."""
    e.flush()
    if e.loops:
        e.line("return;")


def emit_dummy(e: Emitter, op: Op) -> None:
    """A value that nothing reads."""
    e.placeholders.add(op.result)


def emit_assume(e: Emitter, op: Op) -> None:
    """What is known of a carried integer at the start of an iteration."""
    e.flush()
    name = e.names[op.operands[0]]
    divisor = op.attrs["divisor"]
    text = e.generics.int(divisor)
    if not isinstance(divisor, Lit):
        e.line(f"if {text} > 1 {{")
        e.indent += 4
    e.line(f"// SAFETY: `{name}` starts as such a multiple, and only multiples are added to it.")
    e.line(f"{name} = unsafe {{ assume_div_by::<_, {text}>({name}) }};")
    if not isinstance(divisor, Lit):
        e.indent -= 4
        e.line("}")
    e.names[op.result] = name
    e.holders[name] = op.result


# -- branches ----------------------------------------------------------------------------------------------------------


def emit_if(e: Emitter, op: Op) -> None:
    """A run-time branch. Each result is a variable that both sides leave it in, or (one of them) the branch's value."""
    [condition] = e.take(op.operands)
    if _is_known(e, op.operands[0]) and any(has_jump(b) for b in op.blocks):
        condition = Text(f"opaque_flag({condition.text})")
    e.comment(op)
    results = _results(e, op, moves.identifiers(condition.text))
    value = next((r for r, (name, _) in zip(op.results, results, strict=True) if not name), None)
    start = len(e.lines)
    e.branches.append(results)
    e.excluded.append(e.live.spans[id(op.blocks[1])])
    _side(e, op.blocks[0], results)
    e.excluded.pop()
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
    e.lines.insert(start, f"{' ' * e.indent}{head} {condition.text} {{")
    if value is not None:
        _join_lines(e, start)
    for r, (name, _) in zip(op.results, results, strict=True):
        if name:
            e.names[r] = name
            e.holders[name] = r


def _join_lines(e: Emitter, start: int) -> None:
    """``let x: T = if c { a } else { b };`` in one line, where rustfmt would have it so."""
    pieces = [line.strip() for line in e.lines[start:]]
    line = " " * e.indent + " ".join(pieces)
    if len(pieces) == 5 and len(line) <= layout.WIDTH and pieces[2] == "} else {":
        e.lines[start:] = [line]


def _side(e: Emitter, block: Block, results: list[Result]) -> None:
    jump = block.ops[-1].opcode
    if jump == "yield":
        _plan(e, block, [name for name, _ in results], [old for _, old in results])
    elif jump != "return":
        loop, variables = e.loops[-1]
        read = [n if _is_read(e, loop, jump, i) else "" for i, n in enumerate(variables)]
        _plan(e, block, read, [_content(e, n) for n in variables])
    _block(e, block, [name for name, _ in results])


def _content(e: Emitter, name: str) -> Value | None:
    """The value that a variable holds now; None where nothing reads it."""
    holder = e.holders.get(name)
    return None if holder is None or any(holder in loop.results for loop, _ in e.loops) else holder


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
            name = _declare(e, op, known[i], op.results[i], False, mentioned | later, taken, changes)
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
    first = set(_ASSIGNED.findall("\n".join(e.lines[start:middle])))
    order = sorted(first & set(wanted)) + sorted(set(wanted) - first)
    late = [n for n in wanted if n not in first]
    if order != wanted and sorted(wanted) == wanted:
        e.lines[start:start] = [f"{' ' * (e.indent + 4)}{n} = {n};" for n in late]


def _existing(e: Emitter, op: Op, i: int) -> Result | None:
    """A variable that can take a result of a branch: the one that it is to end up in anyway, or one that holds what a
    side gives and that nothing else reads afterwards."""
    target = e.assign_to.get(op.results[i])
    if target is not None:
        return target, _content(e, target)
    for v in (b.ops[-1].operands[i] for b in reversed(op.blocks)):
        name = e.names.get(v, "")
        if name in e.variables and e.holders.get(name) is v and e.live.is_dead(v, e.live.end(op), e.excluded):
            return name, v
    return None


def _check_captures(e: Emitter, lines: list[str]) -> None:
    """Refuse a branch with a jump that assigns, from outside, what its loop does not carry."""
    text = "\n".join(lines)
    declared = {n for names in _DECLARED.findall(text) for n in names.split(", ")}
    captured = set(_ASSIGNED.findall(text)) - declared - set(e.loops[-1][1])
    if captured:
        raise NoRule(f"a jump inside a branch that assigns {', '.join(sorted(captured))}")

"""The Rust of loops and of the jumps in them."""

from __future__ import annotations

from collections.abc import Container
from itertools import count
from typing import TYPE_CHECKING

from cutile2rs.backend import moves
from cutile2rs.backend.forms import Text
from cutile2rs.backend.structure import has_jump, is_while
from cutile2rs.backend.variables import assigned, declare, is_known, is_read, needed_moves, plan, write_block
from cutile2rs.ir.core import Block, Op, TokenType, Value, carried_params, initial_operands, is_loop
from cutile2rs.ir.expr import Lit
from cutile2rs.lowering.oracle import NoRule

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter
    from cutile2rs.backend.liveness import Liveness


def emit_for(e: Emitter, op: Op) -> None:
    """``for i in range(start, stop, step)`` with its carried variables."""
    body = op.blocks[0]
    induction = body.params[0]
    wide = e.type(induction.type) != "i32"
    if wide:
        span = _wide_range(e, op)
    else:
        texts = e.take(op.operands[:3])
        e.comment(op)
        span = _range(e, op, *texts)
    variables = _enter(e, op, moves.identifiers(span))
    saved = dict(e.holders)
    e.targets.append(variables)
    name = e.bind(induction, op)
    index = name if e.live.uses.get(induction) else f"_{name.lstrip('_')}"
    e.targets.pop()
    if wide and index == name:
        index = e.fresh(f"{name}_scalar", op)
    e.line(f"for {index} in {span} {{")
    if index.endswith("_scalar"):
        e.line(f"    let {name}: {e.type(induction.type)} = scalar_to_tile({index});")
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
    plan(e, body, variables, [assumed.get(p, p) for p in carried_params(op)])
    write_block(e, body, variables)
    e.loops.pop()
    changed = assigned(e.lines[start:])
    unchanged = [n for n in variables if n not in changed]
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
            if isinstance(p.type, TokenType):
                p.hint = behind(p.hint, variables)
            later = {e.operand(o).text for o in inits[i + 1 :] if o not in e.placeholders}
            unread = op.opcode == "loop" and not e.live.uses.get(p)
            name = declare(e, op, v, p, unread, mentioned | later | {m[1] for m in pairs}, set(variables))
        variables.append(name)
    moves.assign(e, op, pairs)
    for p, r, name in zip(params, op.results, variables, strict=True):
        e.names[p] = name
        e.holders[name] = p if e.live.uses.get(p) else r
    return variables


def behind(hint: str, variables: list[str]) -> str:
    """A token's name that sorts after the loop's variables so far: the text compiler carries variables in the order of
    their names, cuTile carries tokens last, in an order of their own."""
    last = max(variables, default="")
    return next(name for n in count() if (name := f"{'z' * n}_{hint}" if n else hint) > last)


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
        f"opaque({text.text})" if is_known(e, v) else text.at(2)
        for text, v in zip((start, stop), op.operands[:2], strict=True)
    )
    return f"{lower}..{upper}" if step.text == "1i32" else f"({lower}..{upper}).step_by({step.at(9)} as usize)"


def _wide_range(e: Emitter, op: Op) -> str:
    """A range of int64. The text compiler gives a step of that type only to a literal."""
    e.flush()
    e.comment(op)
    step, induction = op.attrs.get("step"), op.blocks[0].params[0]
    if not isinstance(step, Lit):
        raise NoRule("a loop over a range of int64 with a step that only the launch knows")
    bounds = []
    for v, what in zip(op.operands[:2], ("from", "to"), strict=True):
        bounds.append(e.fresh(f"{induction.hint or 'range'}_{what}", op))
        e.statement(f"let {bounds[-1]}: i64", f"tile_to_scalar({e.operand(v).text})")
    return f"({bounds[0]}..{bounds[1]}).step_by({step.value})"


# -- jumps -------------------------------------------------------------------------------------------------------------


def emit_jump(e: Emitter, op: Op) -> None:
    """``continue`` and ``break``: the variables that were not assigned on the way are assigned now."""
    e.flush()
    loop, variables = e.loops[-1]
    read = [is_read(e, loop, op.opcode, i) for i in range(len(variables))]
    moves.assign(e, op, needed_moves(e, variables, op.operands, read))
    if op is not loop.blocks[0].ops[-1] or op.opcode == "break":
        e.line(f"{op.opcode};")


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

"""Early exits of ``for`` loops (cuTile: ``_passes/for_loop_return.py``, then ``_passes/for_loop_break.py``).

Tile IR's ``for`` cannot be left early. A ``return`` in one becomes a flag and a ``break``, with a ``return`` under the flag
after the loop; a ``break`` becomes a flag, under which the remaining iterations do nothing.
"""

from __future__ import annotations

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Block, Entry, Op, TileType, Value, carried_params
from cutile2rs.ir.expr import FALSE, TRUE, Lit

_BOOL = TileType(Lit(dt.BOOL))


def lower_for_exits(entry: Entry) -> None:
    """Rewrite every ``return`` and ``break`` inside a ``for`` loop."""
    _lower_returns(entry.body, False)
    _lower_breaks(entry.body)


def _has_jump(block: Block, opcode: str) -> bool:
    """Whether a block jumps so itself; loops inside it have jumps of their own."""
    return any(
        op.opcode == opcode or (op.opcode == "if" and any(_has_jump(inner, opcode) for inner in op.blocks))
        for op in block.ops
    )


def _flag(op: Op, hint: str, ops: list[Op]) -> tuple[Value, Value]:
    """A carried flag, false at first: its value inside the loop and after it. The constants go before the loop.

    Its name sorts after the other variables': by name, the text compiler gives them the order that cuTile gives them.
    """
    if any((p.hint or "") > hint for p in carried_params(op)):
        hint = f"z_{hint}"
    init, inside, after = Value(_BOOL), Value(_BOOL, hint), Value(_BOOL, hint)
    ops.append(Op("const", [], [init], {"value": FALSE}, source=op.source))
    op.operands.append(init)
    op.blocks[0].params.append(inside)
    op.results.append(after)
    return inside, after


def _true(op: Op, ops: list[Op]) -> Value:
    value = Value(_BOOL)
    ops.append(Op("const", [], [value], {"value": TRUE}, source=op.source))
    return value


def _lower_returns(block: Block, in_for: bool) -> None:
    ops: list[Op] = []
    for op in block.ops:
        for inner in op.blocks:
            _lower_returns(inner, in_for or op.opcode == "for")
        if not (op.opcode == "for" or (op.opcode == "loop" and in_for)) or not _has_jump(op.blocks[0], "return"):
            ops.append(op)
            continue
        carried = list(carried_params(op))
        inside, after = _flag(op, "returning", ops)
        _return_to_break(op.blocks[0], carried, inside, _true(op, ops))
        leave = Block(ops=[Op("return", [], [], source=op.source)])
        stay = Block(ops=[Op("yield", [], [], source=op.source)])
        ops += [op, Op("if", [after], [], blocks=[leave, stay], source=op.source)]
    block.ops = ops


def _return_to_break(block: Block, carried: list[Value], inside: Value, true: Value) -> None:
    for i, op in enumerate(block.ops):
        if op.opcode == "return":
            block.ops[i] = Op("break", [*carried, true], [], source=op.source)
        elif op.opcode in ("break", "continue"):
            op.operands = [*op.operands, inside]
        elif op.opcode == "if":
            for inner in op.blocks:
                _return_to_break(inner, carried, inside, true)


def _lower_breaks(block: Block) -> None:
    ops: list[Op] = []
    for op in block.ops:
        for inner in op.blocks:
            _lower_breaks(inner)
        if op.opcode == "for" and _has_jump(op.blocks[0], "break"):
            inside, _ = _flag(op, "stopped", ops)
            _break_to_continue(op.blocks[0], inside, _true(op, ops))
            skip = Block(ops=[Op("continue", list(carried_params(op)), [], source=op.source)])
            stay = Block(ops=[Op("yield", [], [], source=op.source)])
            op.blocks[0].ops.insert(0, Op("if", [inside], [], blocks=[skip, stay], source=op.source))
        ops.append(op)
    block.ops = ops


def _break_to_continue(block: Block, inside: Value, true: Value) -> None:
    for i, op in enumerate(block.ops):
        if op.opcode == "break":
            block.ops[i] = Op("continue", [*op.operands, true], [], source=op.source)
        elif op.opcode == "continue":
            op.operands = [*op.operands, inside]
        elif op.opcode == "if":
            for inner in op.blocks:
                _break_to_continue(inner, inside, true)

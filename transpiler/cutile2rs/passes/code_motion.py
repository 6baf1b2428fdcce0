"""Loop-invariant code motion (cuTile: ``_passes/code_motion.py``), in one pass whatever the nesting.

An operation without effects moves out of every loop body whose values it does not need. A loop or branch moves as a whole
where nothing in it must stay. Runs after token order, so that a load moves only past what it does not depend on.

The view that a memory operation works on is an operation of its own in cuTile, which moves too. Here it becomes one where it
moves.

Loops can be split only once this is done; where none is, the text keeps to Python's order. The compile step moves what it is
made of, operation by operation (``runtime/src/compiler/hoist.rs``): a line of the text is several, of which some may move.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from cutile2rs.ir.arrays import VIEWING
from cutile2rs.ir.core import (
    Array,
    Block,
    Entry,
    Op,
    TileType,
    Value,
    ViewType,
    has_effect,
    initial_operands,
    is_loop,
    is_placeholder,
)
from cutile2rs.ir.expr import Expr
from cutile2rs.lowering.forking import MustFork


class Mobility(IntEnum):
    """How a block may move: not at all, only together with its loop, or freely."""

    IMMOVABLE = 0
    WITH_LOOP = 1
    FREE = 2


@dataclass(slots=True)
class _Level:
    ops: list[Op]
    is_loop_body: bool
    mobility: Mobility = Mobility.FREE
    min_depth: int = 0


@dataclass(slots=True)
class _Needs:
    must_stay: bool
    max_outside: int = 0

    def add(self, needed: int, depth: int) -> None:
        if needed >= depth:
            self.must_stay = True
        else:
            self.max_outside = max(self.max_outside, needed)


def hoist_loop_invariants(entry: Entry) -> None:
    """Move every invariant operation before its loop; `entry.put_back` undoes it."""
    entry.put_back = _places(entry.body)
    depths: dict[Value, int] = dict.fromkeys(entry.scalars.values(), 0)
    _split_views(entry.body)
    _hoist(entry.body, [], depths, False)
    _join_views(entry.body)


def _places(body: Block) -> Callable[[], None]:
    """What puts all operations back to where they are now, and what moving changes in them."""
    blocks = [(body, list(body.ops))]
    ops: list[tuple[Op, list[Value], list[Value], list[Block]]] = []
    for op in body.walk():
        ops.append((op, list(op.operands), list(op.results), list(op.blocks)))
        blocks += [(block, list(block.ops)) for block in op.blocks]

    def put_back() -> None:
        for block, held in blocks:
            block.ops = held
        for op, operands, results, inner in ops:
            op.operands, op.results, op.blocks, op.view = operands, results, inner, None

    return put_back


#: What of a memory operation says how its view is made.
_VIEW_ATTRS = ("array", "order", "padding", "sparse", "steps")


def _split_views(block: Block) -> None:
    ops: list[Op] = []
    for op in block.ops:
        if op.opcode in VIEWING:
            array: Array = op.attrs["array"]
            attrs = {k: op.attrs[k] for k in _VIEW_ATTRS if k in op.attrs} | {"tile": _tile(op)}
            op.view = Value(ViewType(), f"{array.name}_view")
            ops.append(
                Op("view", op.operands[-1:] if array.root is not None else [], [op.view], attrs, source=op.source)
            )
        for inner in op.blocks:
            _split_views(inner)
        ops.append(op)
    block.ops = ops


def _tile(op: Op) -> TileType:
    """The type of the tiles that a memory operation's view has."""
    if op.opcode == "num_tiles":
        return TileType(op.attrs["array"].dtype, op.attrs["shape"])
    t = op.result.type if op.opcode == "load_view" else op.operands[0].type
    assert isinstance(t, TileType)
    return t


def _join_views(block: Block) -> None:
    """Views that did not move are again part of their operations, which then stand next to them."""
    ops: list[Op] = []
    for op in block.ops:
        if op.view is not None and ops and op.view in ops[-1].results:
            ops.pop()
            op.view = None
        for inner in op.blocks:
            _join_views(inner)
        ops.append(op)
    block.ops = ops


def _hoist(block: Block, stack: list[_Level], depths: dict[Value, int], is_loop_body: bool) -> _Level:
    stack.append(_Level([], is_loop_body))
    _move(block.ops, stack, depths, None)
    block.ops = stack[-1].ops
    return stack.pop()


def _move(ops: list[Op], stack: list[_Level], depths: dict[Value, int], side: Expr | None) -> None:
    """Move each operation to its place: here, or before a loop. ``side``: the condition of the constant branch that they
    stand in."""
    depth = len(stack) - 1
    for op in ops:
        if op.opcode == "static_if":
            _move_sides(op, stack, depths)
            continue
        if op.opcode == "dummy" and side is not None:
            stack[depth].ops.append(op)
            continue
        needs = _Needs(must_stay=not stack[depth].is_loop_body)
        _gather_needs(op, stack, depths, depth, needs)
        target = depth
        if not needs.must_stay:
            while target > needs.max_outside and stack[target].is_loop_body:
                target -= 1
        stack[target].min_depth = max(stack[target].min_depth, needs.max_outside)
        if target < depth and side is not None and op.opcode == "load_ptr":
            raise MustFork(side)  # only the launches that take this side may read there
        stack[target].ops.append(op)
        for r in op.results:
            depths[r] = target


def _move_sides(op: Op, stack: list[_Level], depths: dict[Value, int]) -> None:
    """A constant branch is no block of its own once it is compiled: what moves, moves out of its sides too, and what only
    chooses between moved values moves with them."""
    depth = len(stack) - 1
    condition: Expr = op.attrs["condition"]
    here = stack[depth].ops
    for block in op.blocks:
        stack[depth].ops = []
        _move(block.ops[:-1], stack, depths, condition)
        block.ops = [*stack[depth].ops, block.ops[-1]]
    stack[depth].ops = here
    moved: list[tuple[int, Value]] = []
    for i, r in enumerate(op.results):
        found = {depths[b.ops[-1].operands[i]] for b in op.blocks if not is_placeholder(b.ops[-1].operands[i], b)}
        if len(found) > 1 and stack[depth].is_loop_body:
            raise MustFork(condition)  # whether a use of it moves depends on the launch
        depths[r] = max(found, default=depth)
        if depths[r] < depth:
            moved.append((i, r))
    for target in sorted({depths[r] for _, r in moved}):
        stack[target].ops.append(_choice(op, [(i, r) for i, r in moved if depths[r] == target]))
    kept = [i for i, r in enumerate(op.results) if depths[r] == depth]
    op.results = [op.results[i] for i in kept]
    for block in op.blocks:
        block.ops[-1].operands = [block.ops[-1].operands[i] for i in kept]
    if kept or any(len(b.ops) > 1 for b in op.blocks):
        here.append(op)


def _choice(op: Op, results: list[tuple[int, Value]]) -> Op:
    """A constant branch that only says which values some of its results are."""
    blocks = []
    for b in op.blocks:
        ops: list[Op] = []
        operands = []
        for i, r in results:
            v = b.ops[-1].operands[i]
            if is_placeholder(v, b):
                v = Value(r.type)
                ops.append(Op("dummy", [], [v], source=op.source))
            operands.append(v)
        blocks.append(Block([], [*ops, Op("yield", operands, [], source=op.source)]))
    return Op("static_if", [], [r for _, r in results], dict(op.attrs), blocks, op.source)


def _gather_needs(op: Op, stack: list[_Level], depths: dict[Value, int], depth: int, needs: _Needs) -> None:
    here = stack[-1]
    if is_loop(op) or (op.opcode in ("reduce", "scan") and op.blocks):
        depths.update(dict.fromkeys(op.blocks[0].params, depth + 1))
        inner = _hoist(op.blocks[0], stack, depths, True)
        if inner.mobility == Mobility.IMMOVABLE:
            here.mobility = Mobility.IMMOVABLE
            needs.must_stay = True
        for v in initial_operands(op) if is_loop(op) else op.operands:
            needs.add(depths[v], depth)
        needs.add(inner.min_depth, depth)
    elif op.opcode == "if":
        needs.add(depths[op.operands[0]], depth)
        for branch in op.blocks:
            inner = _hoist(branch, stack, depths, False)
            needs.add(inner.min_depth, depth)
            if inner.mobility != Mobility.FREE:
                here.mobility = min(here.mobility, inner.mobility)
                needs.must_stay = True
    elif has_effect(op):
        here.mobility = Mobility.IMMOVABLE
        needs.must_stay = True
    else:
        if op.opcode in ("continue", "break"):
            here.mobility = min(here.mobility, Mobility.WITH_LOOP)
        if op.opcode in ("continue", "break", "yield"):
            needs.must_stay = True
        for v in op.inputs():
            needs.add(depths[v], depth)

"""Changes to constant branches: an operation that depends on one becomes one on each side; what a side makes is read after it.

No launch sees a difference: a branch on the same condition as one before takes the same side.
"""

from __future__ import annotations

from cutile2rs.ir.core import Block, Entry, Op, Value, static_branches
from cutile2rs.ir.expr import Expr
from cutile2rs.passes.uses import Uses

#: Constant branches that choose a value, outer ones first, each with the side that is taken.
Through = tuple[tuple[Op, int], ...]


def split(body: Block, op: Op, condition: Expr) -> tuple[Op, Op]:
    """Replace an operation by a branch on a constant condition, with the operation on each side. Returns the two."""
    copies = [
        Op(op.opcode, list(op.operands), [_like(r) for r in op.results], dict(op.attrs), [], op.source) for _ in "ab"
    ]
    blocks = [Block([], [o, Op("yield", list(o.results), [], source=op.source)]) for o in copies]
    branch = Op("static_if", [], list(op.results), {"condition": condition}, blocks, op.source)
    block = next(b for b in _blocks(body) if op in b.ops)
    block.ops[block.ops.index(op)] = branch
    return copies[0], copies[1]


def export(v: Value, through: Through) -> Value:
    """A value that a side of branches makes, as it is read after them by launches that take that side."""
    for branch, side in reversed(through):
        block = branch.blocks[side]
        yielded = block.ops[-1].operands
        if v in yielded:
            v = branch.results[yielded.index(v)]
        elif any(v in op.results for op in block.walk()):
            v = _yield(branch, side, v)
    return v


def drop_unread(entry: Entry) -> None:
    """Launches that take a side of a branch need not compute what only others read after it."""
    uses = Uses(entry)
    for branch in static_branches(entry.body):
        for side, block in enumerate(branch.blocks):
            for i, r in enumerate(branch.results):
                if not uses.is_read(r, branch, side):
                    block.ops[-1].operands[i] = _placeholder(branch, side, r)


def _yield(branch: Op, side: int, v: Value) -> Value:
    result = _like(v)
    branch.results.append(result)
    branch.blocks[side].ops[-1].operands.append(v)
    branch.blocks[1 - side].ops[-1].operands.append(_placeholder(branch, 1 - side, v))
    return result


def _placeholder(branch: Op, side: int, like: Value) -> Value:
    """A value that no launch reads, in place of one that only the other side makes."""
    found = Value(like.type)
    branch.blocks[side].ops.insert(-1, Op("dummy", [], [found], source=branch.source))
    return found


def _like(v: Value) -> Value:
    return Value(v.type, v.hint)


def _blocks(block: Block) -> list[Block]:
    return [block, *(inner for op in block.ops for b in op.blocks for inner in _blocks(b))]

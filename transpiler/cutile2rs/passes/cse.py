"""Merges equal constants, index extensions and casts: Python's text repeats them at every use, readable Rust should not.

tileiras merges them anyway, so machine code does not change; FMA contraction, which counts uses, has run before. Block
numbers must be merged here: cutile puts an assumption on each, which keeps tileiras from merging what is computed of them.
"""

from __future__ import annotations

from cutile2rs.ir.core import Array, Block, Entry, Op, TileType, Value, replace_inputs
from cutile2rs.ir.expr import Fn, Lit, Param

_BLOCK_NUMBERS = frozenset({"bid", "num_blocks"})
_MERGED = frozenset({"const", "index", "cast", "iota", "view"}) | _BLOCK_NUMBERS


def merge_equal(entry: Entry) -> None:
    """Replace each repetition by its first occurrence in the same or an enclosing block."""
    _merge(entry.body, {}, {})


def _merge(block: Block, seen: dict[object, Op], mapping: dict[Value, Value]) -> None:
    seen = dict(seen)
    ops: list[Op] = []
    for op in _with_block_numbers(block.ops):
        replace_inputs(op, mapping)
        if op.opcode in _MERGED:
            key = (op.opcode, tuple(map(id, op.operands)), op.result.type, _attrs(op))
            first = seen.get(key)
            if first is not None and (
                op.opcode in _BLOCK_NUMBERS or op.result.hint is None or first.result.hint in (None, op.result.hint)
            ):
                mapping[op.result] = first.result
                first.result.hint = first.result.hint or op.result.hint
                continue
            seen.setdefault(key, op)
        for inner in op.blocks:
            _merge(inner, seen, mapping)
        ops.append(op)
    block.ops = ops


def _with_block_numbers(ops: list[Op]) -> list[Op]:
    """Block numbers of the sides of constant branches stand before those: what comes after may ask for them too."""
    found: list[Op] = []
    for op in ops:
        if op.opcode == "static_if":
            for block in op.blocks:
                inner = _with_block_numbers(block.ops)
                found += [o for o in inner if o.opcode in _BLOCK_NUMBERS]
                block.ops = [o for o in inner if o.opcode not in _BLOCK_NUMBERS]
        found.append(op)
    return found


def _attrs(op: Op) -> tuple[tuple[str, object], ...]:
    return tuple(
        (k, v if isinstance(v, (Lit, Param, Fn, Array, TileType)) else repr(v)) for k, v in sorted(op.attrs.items())
    )

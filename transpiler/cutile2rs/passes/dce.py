"""Dead code elimination (cuTile: ``_passes/dce.py``): drops unused operations, carried variables and branch results."""

from __future__ import annotations

from cutile2rs.ir.core import TERMINATORS, Block, Entry, Op, Value, has_effect


def eliminate_dead_code(entry: Entry) -> None:
    """Remove every operation that no effect depends on."""
    used: set[Value] = set()
    while _mark(entry.body, used, None):
        pass
    _prune(entry.body, used)


def _kept(op: Op, used: set[Value]) -> bool:
    if has_effect(op) or any(r in used for r in op.results):
        return True
    return any(has_effect(inner) or inner.opcode == "break" for block in op.blocks for inner in block.walk())


def _mark(block: Block, used: set[Value], parent: Op | None) -> bool:
    before = len(used)
    for op in reversed(block.ops):
        if op.opcode in TERMINATORS:
            _mark_terminator(op, used, parent)
        elif _kept(op, used):
            _mark_op(op, used)
    return len(used) != before


def _mark_terminator(op: Op, used: set[Value], parent: Op | None) -> None:
    if parent is None:
        return
    if parent.opcode == "if":
        used.update(v for v, r in zip(op.operands, parent.results, strict=True) if r in used)
    elif parent.opcode == "for":
        params = parent.blocks[0].params[1:]
        pairs = zip(op.operands, params, parent.results, strict=True)
        used.update(v for v, p, r in pairs if p in used or r in used)
    else:
        used.update(op.operands)


def _mark_op(op: Op, used: set[Value]) -> None:
    if op.opcode == "for":
        used.update(op.operands[:3])
        params = op.blocks[0].params[1:]
        while True:
            count = len(used)
            _mark(op.blocks[0], used, op)
            pairs = zip(op.operands[3:], params, op.results, strict=True)
            used.update(v for v, p, r in pairs if p in used or r in used)
            if len(used) == count:
                return
    used.update(op.inputs())
    for block in op.blocks:
        _mark(block, used, op)


def _prune(block: Block, used: set[Value]) -> None:
    kept: list[Op] = []
    for op in block.ops:
        if op.opcode not in TERMINATORS and not _kept(op, used):
            continue
        if op.opcode == "for":
            body = op.blocks[0]
            mask = [p in used or r in used for p, r in zip(body.params[1:], op.results, strict=True)]
            op.operands = [*op.operands[:3], *_select(op.operands[3:], mask)]
            op.results = _select(op.results, mask)
            body.params = [body.params[0], *_select(body.params[1:], mask)]
            _prune_terminators(body, "continue", mask)
        elif op.opcode == "if":
            mask = [r in used for r in op.results]
            op.results = _select(op.results, mask)
            for b in op.blocks:
                _prune_terminators(b, "yield", mask)
        for b in op.blocks:
            _prune(b, used)
        kept.append(op)
    block.ops = kept


def _prune_terminators(block: Block, opcode: str, mask: list[bool]) -> None:
    last = block.ops[-1]
    if last.opcode == opcode:
        last.operands = _select(last.operands, mask)


def _select(values: list[Value], mask: list[bool]) -> list[Value]:
    return [v for v, keep in zip(values, mask, strict=True) if keep]

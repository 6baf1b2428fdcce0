"""Integers that are one constant on all ways (cuTile: ``_passes/dataflow_analysis.py``, ``_passes/materialize_constants.py``).

A variable that a loop carries but never changes is such a value; where a branch gives the same number from both sides, its
result is one. Their uses become uses of the constant. What a launch's signature fixes, strides of 1, is not known here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cutile2rs.ir.core import (
    Block,
    Entry,
    Op,
    TileType,
    Value,
    carried_params,
    initial_operands,
    is_loop,
    is_placeholder,
    replace_inputs,
    static_branches,
)
from cutile2rs.ir.expr import Expr, fn, kind
from cutile2rs.lowering.forking import MustFork
from cutile2rs.lowering.oracle import PathState

#: Operations that hand on their operand's value.
_SAME = frozenset({"broadcast", "reshape", "permute", "expand"})


def materialize_constants(entry: Entry, path: PathState) -> None:
    """Put the constants at the entry's start and use them."""
    flow = _Flow(path)
    while flow.changed:
        flow.changed = False
        flow.block(entry.body, None, None)
    flow.check(entry.body)
    mapping: dict[Value, Value] = {}
    made: list[Op] = []
    for v in _variables(entry.body):
        constant = flow.known.get(v)
        if constant is not None:
            mapping[v] = Value(v.type)
            made.append(Op("const", [], [mapping[v]], {"value": constant}))
    for op in entry.body.walk():
        replace_inputs(op, mapping)
    entry.body.ops[:0] = made


def _variables(body: Block) -> list[Value]:
    """Every value that is not a constant itself, in program order."""
    found: list[Value] = []
    for op in body.walk():
        if is_loop(op):
            found += carried_params(op)
        if op.opcode != "const":
            found += op.results
    return found


@dataclass(slots=True)
class _Flow:
    """The constant that each value is; None where it is none, or not always the same."""

    path: PathState
    known: dict[Value, Expr | None] = field(default_factory=dict)
    changed: bool = True

    def join(self, v: Value, constant: Expr | None) -> None:
        if v in self.known:
            constant = constant if self.known[v] == constant else None
            if self.known[v] == constant:
                return
        self.known[v] = constant
        self.changed = True

    def block(self, block: Block, loop: Op | None, branch: Op | None) -> None:
        for op in block.ops:
            if is_loop(op):
                for init, p, r in zip(initial_operands(op), carried_params(op), op.results, strict=True):
                    self.join(p, self.known.get(init))
                    if op.opcode == "for":
                        self.join(r, self.known.get(init))
                self.block(op.blocks[0], op, None)
            elif op.opcode in ("if", "static_if"):
                for inner in op.blocks:
                    self.block(inner, loop, op)
            elif op.opcode in ("continue", "break") and loop is not None:
                self._jump(op, loop)
            elif op.opcode == "yield" and branch is not None:
                for v, r in zip(op.operands, branch.results, strict=True):
                    if branch.opcode == "if" or not is_placeholder(v, block):
                        self.join(r, self.known.get(v))
            else:
                for r in op.results:
                    self.join(r, self._computed(op, r))

    def check(self, body: Block) -> None:
        """A constant on one side of a constant branch would be one from there on, in the launches that take that side."""
        for op in static_branches(body):
            for v, r in ((v, r) for b in op.blocks for v, r in zip(b.ops[-1].operands, op.results, strict=True)):
                if self.known.get(v) is not None and self.known.get(r) is None:
                    raise MustFork(op.attrs["condition"])

    def _jump(self, op: Op, loop: Op) -> None:
        for v, p, r in zip(op.operands, carried_params(loop), loop.results, strict=True):
            if op.opcode == "continue":
                self.join(p, self.known.get(v))
            if op.opcode == "break" or loop.opcode == "for":
                self.join(r, self.known.get(v))

    def _computed(self, op: Op, r: Value) -> Expr | None:
        if not isinstance(r.type, TileType) or self.path.settled(fn("is_float", r.type.dtype)) is not False:
            return None
        if op.opcode in _SAME:
            return self.known.get(op.operands[0])
        if op.opcode != "const" or r.type.shape:
            return None
        constant = self.path.simplify(op.attrs["value"])
        return constant if kind(constant) in ("int", "bool") else None

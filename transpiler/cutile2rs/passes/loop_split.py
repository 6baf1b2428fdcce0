"""Loop splitting (cuTile: ``_passes/loop_split.py``): ``if j >= bound`` on the induction variable makes two loops.

The first runs to the bound without the branch's one side, the second from the bound on without the other. It needs a step
of 1, a bound from outside the loop, and exactly one such branch directly in the loop's body.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cutile2rs.ir.core import Block, Entry, Op, Value, initial_operands, replace_inputs
from cutile2rs.ir.expr import Expr, Lit, fn
from cutile2rs.lowering.forking import MustFork
from cutile2rs.lowering.oracle import PathState

_FLIPPED = {"ge": "le", "gt": "lt", "le": "ge", "lt": "gt"}
#: For each comparison: whether the bound itself belongs to the first loop, and the side that the first loop keeps.
_SPLIT = {"ge": (False, 1), "gt": (True, 1), "le": (True, 0), "lt": (False, 0)}


@dataclass(frozen=True, slots=True)
class _Condition:
    comparison: str
    bound: Value


def split_loops(entry: Entry, path: PathState) -> None:
    """Split every loop that cuTile splits. Where that depends on a step that only the launch knows, the path splits too.
    Where there is none, what code motion moved goes back."""
    finder = _Finder(path, dict.fromkeys(entry.scalars.values(), 0))
    finder.block(entry.body, 0, None)
    single = {loop: next(iter(found.items())) for loop, found in finder.found.items() if len(found) == 1}
    if single:
        _apply(entry.body, single)
    elif entry.put_back is not None:
        entry.put_back()
    entry.put_back = None


@dataclass(slots=True)
class _Finder:
    path: PathState
    depths: dict[Value, int]
    constants: dict[Value, Expr] = field(default_factory=dict)
    found: dict[Op, dict[Op, _Condition]] = field(default_factory=dict)

    def block(self, block: Block, depth: int, loop: Op | None) -> None:
        """Note every branch on a comparison of ``loop``'s induction variable with something from outside."""
        self._ops(block.ops, depth, loop, {}, None)

    def _ops(
        self, ops: list[Op], depth: int, loop: Op | None, conditions: dict[Value, _Condition], side: Expr | None
    ) -> None:
        """``side``: the condition of the constant branch that these operations stand in. Where one is compiled, they stand
        in the loop itself."""
        for op in ops:
            if op.opcode in _FLIPPED and loop is not None:
                self._comparison(op, loop.blocks[0].params[0], depth, conditions)
            elif op.opcode == "const":
                self.constants[op.result] = op.attrs["value"]
            elif op.opcode == "if":
                condition = conditions.get(op.operands[0])
                if condition is not None and loop is not None and self._is_unit_step(loop):
                    if side is not None:
                        raise MustFork(side)
                    self.found.setdefault(loop, {})[op] = condition
            for inner in op.blocks:
                if op.opcode == "static_if":
                    self._ops(inner.ops, depth, loop, conditions, op.attrs["condition"])
                    continue
                self.depths.update(dict.fromkeys(inner.params, depth + 1))
                self.block(inner, depth + 1, op if op.opcode == "for" else None)
            self.depths.update(dict.fromkeys(op.results, depth))

    def _comparison(self, op: Op, induction: Value, depth: int, conditions: dict[Value, _Condition]) -> None:
        left, right = op.operands
        if left is induction and self.depths[right] < depth:
            conditions[op.result] = _Condition(op.opcode, right)
        elif right is induction and self.depths[left] < depth:
            conditions[op.result] = _Condition(_FLIPPED[op.opcode], left)

    def _is_unit_step(self, loop: Op) -> bool:
        step = self.constants.get(loop.operands[2])
        return step is not None and self.path.decide(fn("eq", step, Lit(1)))


def _apply(block: Block, splits: dict[Op, tuple[Op, _Condition]]) -> None:
    ops: list[Op] = []
    for op in block.ops:
        for inner in op.blocks:
            _apply(inner, splits)
        if op in splits:
            ops += _split(op, *splits[op])
        else:
            ops.append(op)
    block.ops = ops


def _split(loop: Op, branch: Op, condition: _Condition) -> list[Op]:
    start, stop, step = loop.operands[:3]
    bound = condition.bound
    belongs_to_first, first_side = _SPLIT[condition.comparison]
    ops: list[Op] = []

    def compute(opcode: str, *operands: Value) -> Value:
        result = Value(start.type)
        ops.append(Op(opcode, list(operands), [result], source=loop.source))
        return result

    if belongs_to_first:
        one = Value(start.type)
        ops.append(Op("const", [], [one], {"value": Lit(1)}, source=loop.source))
        bound = compute("add", bound, one)
    first_stop = compute("min", stop, bound)
    second_start = compute("max", start, bound)
    between = [Value(r.type, r.hint) for r in loop.results]
    first = _clone_loop(loop, [start, first_stop, step, *initial_operands(loop)], between, branch, first_side)
    second = _clone_loop(loop, [second_start, stop, step, *between], loop.results, branch, 1 - first_side)
    return [*ops, first, second]


def _clone_loop(loop: Op, operands: list[Value], results: list[Value], branch: Op, side: int) -> Op:
    mapping: dict[Value, Value] = {}
    body = Block(_fresh(loop.blocks[0].params, mapping))
    for op in loop.blocks[0].ops:
        if op is not branch:
            body.ops.append(_clone(op, mapping))
            continue
        for kept in branch.blocks[side].ops:
            if kept.opcode == "yield":
                mapping.update(zip(branch.results, (mapping.get(v, v) for v in kept.operands), strict=True))
            else:
                body.ops.append(_clone(kept, mapping))
        if body.ops and body.ops[-1].opcode == "continue":
            break
    return replace(loop, operands=operands, results=results, blocks=[body])


def _fresh(values: list[Value], mapping: dict[Value, Value]) -> list[Value]:
    for v in values:
        mapping[v] = Value(v.type, v.hint)
    return [mapping[v] for v in values]


def _clone(op: Op, mapping: dict[Value, Value]) -> Op:
    copy = replace(op, attrs=dict(op.attrs))
    replace_inputs(copy, mapping)
    copy.blocks = []
    for block in op.blocks:
        inner = Block(_fresh(block.params, mapping))
        inner.ops = [_clone(o, mapping) for o in block.ops]
        copy.blocks.append(inner)
    copy.results = _fresh(op.results, mapping)
    return copy

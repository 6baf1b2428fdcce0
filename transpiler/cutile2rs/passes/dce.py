"""Dead code elimination (cuTile: ``_passes/dce.py``): drops unused operations, carried variables and branch results.

A graph says what each value needs; a loop or branch takes part in it as a value of its own. A carried variable stays as long
as it is read in the body or after the loop; where only one of both holds, a placeholder stands for what is dropped.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cutile2rs.ir.core import Block, Entry, Op, Value, carried_params, has_effect, initial_operands, is_loop

#: A node of the graph: a value, or a loop or branch by its operation.
Node = Value | Op


def eliminate_dead_code(entry: Entry) -> None:
    """Remove every operation that no effect depends on."""
    graph = _Graph()
    graph.block(entry.body, _Place(None, None, None))
    used = graph.reachable()
    _prune(entry.body, used, [], [])


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a block stands: its innermost loop, the operation that its ``yield`` belongs to, the innermost of both."""

    loop: Op | None
    target: Op | None
    control: Op | None


@dataclass(slots=True)
class _Graph:
    needs: dict[Node, list[Node]] = field(default_factory=dict)
    roots: list[Node] = field(default_factory=list)

    def reachable(self) -> set[Node]:
        used: set[Node] = set(self.roots)
        pending = list(used)
        while pending:
            for need in self.needs.get(pending.pop(), ()):
                if need not in used:
                    used.add(need)
                    pending.append(need)
        return used

    def block(self, block: Block, place: _Place) -> None:
        for op in block.ops:
            if is_loop(op):
                self._loop(op, place)
            elif op.opcode in ("continue", "break"):
                self._jump(op, place)
            elif op.opcode == "yield":
                assert place.target is not None
                for r, v in zip(place.target.results, op.operands, strict=True):
                    self.needs[r].append(v)
            elif op.blocks:
                self._branch(op, place)
            else:
                self._plain(op, place)

    def _plain(self, op: Op, place: _Place) -> None:
        needs: list[Node] = [*op.inputs()]
        if place.control is not None:
            needs.append(place.control)
        if has_effect(op):
            self.roots += needs
        for r in op.results:
            self.needs[r] = needs

    def _enter(self, op: Op, place: _Place) -> list[Node]:
        self.needs[op] = [] if place.control is None else [place.control]
        return self.needs[op]

    def _loop(self, op: Op, place: _Place) -> None:
        needs = self._enter(op, place)
        for init, p, r in zip(initial_operands(op), carried_params(op), op.results, strict=True):
            self.needs[p] = [init, op]
            # A `for` loop may run zero times: the initial value is then the result.
            self.needs[r] = [op, init] if op.opcode == "for" else [op]
        if op.opcode == "for":
            needs += op.operands[:3]
        self.block(op.blocks[0], _Place(op, None, op))

    def _jump(self, op: Op, place: _Place) -> None:
        loop = place.loop
        assert loop is not None and place.control is not None
        # The loop needs the innermost branch around the jump: if it stays, so do all its jumps.
        self.needs[loop].append(place.control)
        if op.opcode == "continue":
            for p, v in zip(carried_params(loop), op.operands, strict=True):
                self.needs[p].append(v)
        if op.opcode == "break" or loop.opcode == "for":
            for r, v in zip(loop.results, op.operands, strict=True):
                self.needs[r].append(v)

    def _branch(self, op: Op, place: _Place) -> None:
        needs = self._enter(op, place)
        needs += op.operands
        for r in op.results:
            self.needs[r] = [op]
        for block in op.blocks:
            self.block(block, _Place(place.loop, op, op))


def _prune(block: Block, used: set[Node], loop_mask: list[bool], branch_mask: list[bool]) -> None:
    kept: list[Op] = []
    for op in block.ops:
        if is_loop(op):
            if op not in used:
                continue
            mask = [p in used or r in used for p, r in zip(carried_params(op), op.results, strict=True)]
            bounds = 3 if op.opcode == "for" else 0
            inits = _placeholders(_select(initial_operands(op), mask), used, op, kept)
            _prune(op.blocks[0], used, mask, [])
            params = op.blocks[0].params
            first = params[: len(params) - len(mask)]
            op.blocks[0].params = [*first, *_select(carried_params(op), mask)]
            op.operands = [*op.operands[:bounds], *inits]
            op.results = _select(op.results, mask)
        elif op.opcode in ("continue", "break"):
            op.operands = _placeholders(_select(op.operands, loop_mask), used, op, kept)
        elif op.opcode == "yield":
            op.operands = _select(op.operands, branch_mask)
        elif op.blocks:
            if op not in used:
                continue
            mask = [r in used for r in op.results]
            for inner in op.blocks:
                _prune(inner, used, loop_mask, mask)
            op.results = _select(op.results, mask)
        elif not has_effect(op) and not any(r in used for r in op.results):
            continue
        kept.append(op)
    block.ops = kept


def _placeholders(values: list[Value], used: set[Node], op: Op, kept: list[Op]) -> list[Value]:
    """The values, with a placeholder for each whose operation is dropped."""
    found = []
    for v in values:
        if v not in used:
            v = Value(v.type)
            kept.append(Op("dummy", [], [v], source=op.source))
        found.append(v)
    return found


def _select(values: list[Value], mask: list[bool]) -> list[Value]:
    return [v for v, keep in zip(values, mask, strict=True) if keep]

"""Where each value is used last, so that a later value may take over its name as Python rebinding does."""

from __future__ import annotations

from cutile2rs.ir.core import Block, Entry, Op, Value, is_loop


class Liveness:
    """Positions of operations in program order, and the last position at which each value is needed."""

    def __init__(self, entry: Entry):
        self.position: dict[int, int] = {}
        self.last_use: dict[Value, int] = {}
        self.uses: dict[Value, int] = {}
        self.consumer: dict[Value, Op] = {}
        self.makers: dict[Value, Op] = {}
        self.all_uses: dict[Value, list[int]] = {}
        self.spans: dict[int, tuple[int, int]] = {}
        self._counter = 0
        self._depth: dict[Value, int] = {}
        self._walk(entry.body, [])

    def _walk(self, block: Block, loops: list[tuple[int, list[Value]]]) -> None:
        for op in block.ops:
            self._counter += 1
            self.position[id(op)] = self._counter
            for v in op.inputs():
                self.uses[v] = self.uses.get(v, 0) + 1
                self.consumer[v] = op
                self._use(v, loops)
            for r in op.results:
                self._depth[r] = len(loops)
                self.makers[r] = op
            for inner in op.blocks:
                for p in inner.params:
                    self._depth[p] = len(loops) + 1
                entered: list[Value] = []
                start = self._counter
                self._walk(inner, [*loops, (start, entered)] if is_loop(op) else loops)
                self._counter += 1
                self.spans[id(inner)] = (start, self._counter)
                for v in entered:
                    self._at(v)

    def _use(self, v: Value, loops: list[tuple[int, list[Value]]]) -> None:
        self._at(v)
        # A value from outside a loop is needed until the loop ends: the next iteration reads it again.
        for _, entered in loops[self._depth.get(v, 0) :]:
            entered.append(v)

    def _at(self, v: Value) -> None:
        self.last_use[v] = max(self.last_use.get(v, 0), self._counter)
        self.all_uses.setdefault(v, []).append(self._counter)

    def is_dead(self, v: Value, after: int, excluded: list[tuple[int, int]]) -> bool:
        """Whether nothing reads a value after a position, but for what stands in blocks that are then not run."""
        return all(p <= after or any(a < p <= b for a, b in excluded) for p in self.all_uses.get(v, ()))

    def end(self, op: Op) -> int:
        """The last position inside an operation."""
        return max([self.at(op), *(self.spans[id(b)][1] for b in op.blocks)])

    def extend(self, values: list[Value], op: Op) -> None:
        """Keep values alive up to an operation: an expression that waits still mentions them."""
        for v in values:
            self.last_use[v] = max(self.last_use.get(v, 0), self.at(op))
            self.all_uses.setdefault(v, []).append(self.at(op))

    def at(self, op: Op) -> int:
        """The position of an operation."""
        return self.position[id(op)]

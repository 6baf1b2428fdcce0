"""Who makes a value and how often it is used, as cuTile sees it: with every constant branch resolved.

Which sides are taken differs from launch to launch. What an operation sees is the same for all launches that come to it, or
:class:`MustFork` is raised.
"""

from __future__ import annotations

from cutile2rs.ir.core import Block, Entry, Op, Value
from cutile2rs.ir.expr import Expr
from cutile2rs.lowering.forking import MustFork, canonical

#: The sides of constant branches that an operation stands in: a condition (of it and its opposite always the same one) and
#: the side on which it holds (0) or does not (1).
Sides = tuple[tuple[Expr, int], ...]


class Uses:
    """Makers and uses of an entry's values. ``at`` is where the one who asks stands."""

    def __init__(self, entry: Entry):
        self.at: Sides = ()
        self.makers: dict[Value, Op] = {}
        self._sites: dict[Value, list[Sides]] = {}
        self._sides: dict[int, Sides] = {}
        self._yielded: dict[Value, list[tuple[Value, Sides]]] = {}
        self._chosen: dict[Value, Op] = {}
        self._read(entry.body, ())

    def _read(self, block: Block, sides: Sides) -> None:
        for op in block.ops:
            if sides:
                self._sides[id(op)] = sides
            for v in op.inputs():
                self._sites.setdefault(v, []).append(sides)
            if op.opcode == "static_if":
                self._read_sides(op, sides)
                continue
            self.makers.update(dict.fromkeys(op.results, op))
            for inner in op.blocks:
                self._read(inner, sides)

    def _read_sides(self, op: Op, sides: Sides) -> None:
        for i, block in enumerate(op.blocks):
            inside = (*sides, side_of(op, i))
            self._read(Block([], block.ops[:-1]), inside)
            for v, r in zip(block.ops[-1].operands, op.results, strict=True):
                self._yielded.setdefault(v, []).append((r, inside))
        self._chosen.update(dict.fromkeys(op.results, op))

    def come_to(self, op: Op) -> None:
        """Ask from where an operation stands."""
        self.at = self._sides.get(id(op), ())

    def uses(self, v: Value) -> int:
        """How often a value is used: 0, 1, or 2 for more."""
        if v not in self._yielded and not any(self._sites.get(v, ())):
            return min(len(self._sites.get(v, ())), 2)
        here = dict(self.at)
        sure, unsure = 0, None
        for site in self._all_sites(v, ()):
            if any(here.get(c, i) != i for c, i in site):
                continue
            open_condition = next((c for c, _ in site if c not in here), None)
            sure += open_condition is None
            unsure = unsure or open_condition
        if unsure is not None and sure < 2:
            raise MustFork(unsure)
        return min(sure, 2)

    def seen(self, v: Value) -> tuple[Value, list[tuple[Op, int]]]:
        """What a value is here, and the branches that choose it, outer ones first, each with the side taken."""
        here = dict(self.at)
        through: list[tuple[Op, int]] = []
        while (choice := self._chosen.get(v)) is not None:
            condition, inverted = side_of(choice, 0)
            if condition not in here:
                break
            side = here[condition] ^ inverted
            v = choice.blocks[side].ops[-1].operands[choice.results.index(v)]
            through.append((choice, side))
        return v, through

    def maker(self, v: Value) -> Op | None:
        """What makes a value, as far as that is decided here."""
        return self.makers.get(self.seen(v)[0])

    def is_read(self, v: Value, choice: Op, side: int) -> bool:
        """Whether launches that take a side of a constant branch read a result of it."""
        taken = side_of(choice, side)
        return any(all(c != taken[0] or i == taken[1] for c, i in site) for site in self._all_sites(v, ()))

    def is_used_once(self, v: Value) -> bool:
        """Whether a value has one use in all."""
        return v not in self._yielded and len(self._sites.get(v, ())) == 1

    def _all_sites(self, v: Value, through: Sides) -> list[Sides]:
        found = [(*through, *site) for site in self._sites.get(v, ())]
        for r, inside in self._yielded.get(v, ()):
            found += self._all_sites(r, (*through, *inside))
        return found

    def answer(self, condition: Expr) -> bool | None:
        """Whether a condition holds here, if a constant branch around says so."""
        same = canonical(condition)
        side = dict(self.at).get(same)
        return None if side is None else (side == 0) == (same == condition)

    def choice(self, v: Value) -> Op | None:
        """The constant branch that a value is a result of."""
        return self._chosen.get(v)


def side_of(branch: Op, side: int) -> tuple[Expr, int]:
    """A side of a constant branch, as :data:`Sides` name it."""
    condition: Expr = branch.attrs["condition"]
    same = canonical(condition)
    return same, side if same == condition else 1 - side

"""What a variable is where paths join: cuTile's ``PhiState`` (``cuda/tile/_ir/ir.py``) over our values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cutile2rs.ir.core import Op, TileType, Value
from cutile2rs.ir.expr import Expr, Lit
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.values import (
    Ambiguous,
    ArrayShape,
    ArrayValue,
    PyValue,
    RangeValue,
    Sequence,
    Split,
    Tile,
    Unbound,
)


def undefined(name: str) -> Unbound:
    """A variable that has no value at all on some path."""
    return Unbound(f"`{name}` is not assigned on every path to this point", undefined=True)


@dataclass(slots=True)
class Phi:
    """Joins what a variable may hold. Its value is a template: the common structure, with a tile of the common type, and
    the common constant if there is one, in place of each tile. It is :class:`Unbound` where there is no common type."""

    name: str
    constants: bool = True
    value: PyValue | None = None

    def add(self, ctx: Ctx, v: PyValue, eager: bool = False, loose: bool = True) -> None:
        """One more value. ``eager``: values of different types are an error now, not where the variable is used."""
        known = self.value
        if isinstance(v, (Split, Ambiguous)):
            self._split(v)
        elif isinstance(known, Ambiguous):
            self.value = v if isinstance(v, Unbound) else known
        elif known is None:
            self.value = self._template(ctx, v, loose)
        elif isinstance(v, Unbound):
            if eager and not isinstance(known, Unbound):
                raise ctx.refuse(f"`{self.name}`: {v.reason}", code=v.code)
            self.value = v
        elif not isinstance(known, Unbound):
            joined = self._join(ctx, known, v)
            if isinstance(joined, Unbound) and eager:
                raise ctx.refuse(joined.reason, "give it one type on all paths, with a cast if need be", joined.code)
            self.value = joined

    def _split(self, v: Split | Ambiguous) -> None:
        """A value that a constant branch decides on: undefined on another way, it is undefined in all launches."""
        if not isinstance(self.value, Unbound):
            self.value = Ambiguous(v.condition)

    @property
    def is_valid(self) -> bool:
        """Whether there is a common type."""
        return self.value is not None and not isinstance(self.value, (Unbound, Ambiguous))

    def _template(self, ctx: Ctx, v: PyValue, loose: bool) -> PyValue:
        if isinstance(v, Tile):
            const = v.const if self.constants else None
            return Tile(
                TileType(ctx.dtype(v.dtype), v.shape), const=const, loose=loose and v.loose and const is not None
            )
        if isinstance(v, Sequence):
            return v.like(self._template(ctx, i, loose) for i in v.items)
        return v

    def _join(self, ctx: Ctx, a: PyValue, b: PyValue) -> PyValue:
        if isinstance(a, Tile) and isinstance(b, Tile):
            return self._join_tiles(ctx, a, b)
        if isinstance(a, Sequence) and isinstance(b, Sequence) and len(a.items) == len(b.items) and a.cls == b.cls:
            items = tuple(self._join(ctx, x, y) for x, y in zip(a.items, b.items, strict=True))
            return next((i for i in items if isinstance(i, Unbound)), a.like(items))
        if a is b or a == b:
            return a
        if isinstance(a, (ArrayValue, ArrayShape, RangeValue)) and type(a) is type(b):
            return Unbound(f"`{self.name}` is one of two arrays or ranges, as a run-time condition says", "C2R401")
        return Unbound(f"the type of `{self.name}` depends on the path taken")

    def _join_tiles(self, ctx: Ctx, a: Tile, b: Tile) -> PyValue:
        if not same_type(ctx, a, b):
            return Unbound(f"the type of `{self.name}` depends on the path taken")
        same = a.const is not None and b.const is not None and _same_constant(ctx, a.const, b.const)
        return Tile(a.type, const=a.const if same else None, loose=same and a.loose and b.loose)


def same_type(ctx: Ctx, a: Tile, b: Tile) -> bool:
    """Whether two tiles have one type on this path (splitting it where that depends on the launch)."""
    return (
        len(a.shape) == len(b.shape)
        and ctx.same(a.dtype, b.dtype)
        and all(ctx.same(x, y) for x, y in zip(a.shape, b.shape, strict=True))
    )


def _same_constant(ctx: Ctx, a: Expr, b: Expr) -> bool:
    a, b = ctx.path.simplify(a), ctx.path.simplify(b)
    return a == b if isinstance(a, Lit) and isinstance(b, Lit) else ctx.same(a, b)


def tiles(v: PyValue) -> Iterator[Tile]:
    """The tiles in a value, depth first."""
    if isinstance(v, Tile):
        yield v
    elif isinstance(v, Sequence):
        for i in v.items:
            yield from tiles(i)


def fill(template: PyValue, values: Callable[[Tile], Value], constants: bool = True) -> PyValue:
    """The template with an IR value for each tile; with ``constants``, its constants stay constants."""
    if isinstance(template, Tile):
        value = values(template)
        return template if constants and template.const is not None else Tile(template.type, value)
    if isinstance(template, Sequence):
        return template.like(fill(i, values, constants) for i in template.items)
    return template


def new_results(op: Op) -> Callable[[Tile], Value]:
    """For :func:`fill`: each tile becomes one more result of an operation."""

    def make(t: Tile) -> Value:
        op.results.append(Value(t.type))
        return op.results[-1]

    return make


def operands(ctx: Ctx, template: PyValue, v: PyValue) -> list[Value]:
    """The IR values of a template's tiles as ``v`` has them; placeholders where ``v`` is undefined."""
    if isinstance(v, Unbound):
        return [ctx.emit("dummy", [], [t.type]).result for t in tiles(template)]
    return [ctx.value(t) for t in tiles(v)]


def name_tiles(v: PyValue, name: str) -> None:
    """Remember a variable's name as the name of the IR values that it holds."""
    for t in tiles(v):
        if t.value is not None and t.value.hint is None and name.isidentifier():
            t.value.hint = name

"""Branches on constants that stay branches: one entry then serves both sides, and Rust's compiler takes the right one.

cuTile Python resolves such a branch when it compiles a launch, and so does cuTile Rust. Both sides are read here, each under
its assumption. Where keeping the branch could change what either compiler makes of the rest of the kernel (a variable that
is a constant on one side, a side that jumps, ...), :class:`MustFork` says so, and each side gets entries of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cutile2rs.ir.core import UNIVERSAL, Block, Op, Value
from cutile2rs.ir.expr import Expr, fn, kind
from cutile2rs.lowering import control
from cutile2rs.lowering.context import Ctx, Refusal
from cutile2rs.lowering.forking import MustFork
from cutile2rs.lowering.oracle import Illegal, NoRule
from cutile2rs.lowering.phi import name_tiles, undefined
from cutile2rs.lowering.values import (
    Ambiguous,
    ArrayShape,
    ArrayValue,
    FunctionValue,
    PyValue,
    Sequence,
    Split,
    Static,
    Tile,
    Unbound,
    loose,
)

#: Refusals that say that cuTile rejects what is read.
_REJECTED = ("C2R202", "C2R205")


def resolve(ctx: Ctx, v: PyValue) -> PyValue:
    """What a variable holds here, where that depends on a constant branch before."""
    v = settled(ctx, v)
    if isinstance(v, (Split, Ambiguous)):
        raise MustFork(v.condition)
    return v


def settled(ctx: Ctx, v: PyValue) -> PyValue:
    """What a variable holds here, as far as that is decided."""
    while isinstance(v, Split):
        taken = ctx.path.settled(v.condition)
        if taken is None:
            return v
        v = v.then if taken else v.otherwise
    return v


def branch(
    ctx: Ctx, condition: Expr, names: list[str], then: Callable[[], control.Flow], otherwise: Callable[[], control.Flow]
) -> control.Flow:
    """An ``if`` statement on a constant. ``names`` are the variables that its sides assign."""
    frame = ctx.frame
    before = dict(frame.names)
    first = _side(ctx, condition, condition, then)
    after_first, frame.names = frame.names, dict(before)
    if first is None:
        return _only(ctx, fn("not", condition), otherwise)
    second = _side(ctx, condition, fn("not", condition), otherwise)
    after_second, frame.names = frame.names, before
    if second is None:
        ctx.path.require(condition, "cuTile rejects the other side of a branch")
        ctx.block.ops += first.ops
        frame.names = after_first
        return control.NEXT
    join = _Join(ctx, condition, first, second)
    for name in names:
        a, b = (n.get(name) or undefined(name) for n in (after_first, after_second))
        frame.names[name] = join.value(a, b)
        name_tiles(frame.names[name], name)
    join.finish()
    return control.NEXT


def choose(ctx: Ctx, condition: Expr, then: Callable[[], PyValue], otherwise: Callable[[], PyValue]) -> PyValue:
    """``then() if condition else otherwise()``."""
    values: list[PyValue] = []
    blocks: list[Block] = []
    for fact, side in ((condition, then), (fn("not", condition), otherwise)):
        block = _side(ctx, condition, fact, partial(_valued, side, values))
        if block is None:
            raise MustFork(condition)
        blocks.append(block)
    truths = [v.const for v in values if isinstance(v, Tile) and v.const is not None and not v.shape]
    if len(truths) == 2 and all(kind(e) == "bool" for e in truths) and not any(b.ops for b in blocks):
        return loose(_select(condition, *truths))
    join = _Join(ctx, condition, *blocks)
    joined = join.value(*values)
    if isinstance(joined, Split):
        raise MustFork(condition)
    join.finish()
    return joined


def _valued(side: Callable[[], PyValue], values: list[PyValue]) -> control.Flow:
    values.append(side())
    return control.NEXT


def _select(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """``then if condition else otherwise``, of truth values."""
    if then == condition:
        return fn("bitor", condition, otherwise)
    if otherwise == condition:
        return fn("bitand", condition, then)
    return fn("bitor", fn("bitand", condition, then), fn("bitand", fn("not", condition), otherwise))


def _only(ctx: Ctx, fact: Expr, side: Callable[[], control.Flow]) -> control.Flow:
    """The one side that cuTile accepts."""
    ctx.path.require(fact, "cuTile rejects the other side of a branch")
    return side()


def _side(ctx: Ctx, condition: Expr, fact: Expr, side: Callable[[], control.Flow]) -> Block | None:
    """What one side does; None if cuTile rejects every launch that takes it."""
    loop = ctx.frame.loop
    jumps = len(loop.jumps) if loop is not None else 0
    try:
        with ctx.nested() as block, ctx.path.assuming(fact):
            flow = side()
    except Illegal:
        return None
    except NoRule as hole:
        raise MustFork(condition) from hole
    except Refusal as refusal:
        if refusal.code in _REJECTED:
            return None
        raise MustFork(condition) from refusal
    leaves = loop is not None and len(loop.jumps) > jumps
    if flow.kind != "next" or leaves or any(op.opcode in UNIVERSAL | {"return"} for op in block.walk()):
        raise MustFork(condition)
    return block


class _Join:
    """Makes the branch's operation: what one side defines and is read after the branch is a result of it."""

    def __init__(self, ctx: Ctx, condition: Expr, then: Block, otherwise: Block):
        self.ctx = ctx
        self.condition = condition
        self.blocks = (then, otherwise)
        self.own = tuple({r for op in b.ops for r in op.results} for b in self.blocks)
        self.yields: tuple[list[Value | None], list[Value | None]] = ([], [])
        self.results: list[Value] = []

    def value(self, a: PyValue, b: PyValue) -> PyValue:
        """What a variable is after the branch: one thing, or two as the condition says."""
        joined = self._joined(a, b)
        return joined if joined is not None else Split(self.condition, self._export(a, 0), self._export(b, 1))

    def _joined(self, a: PyValue, b: PyValue) -> PyValue | None:
        if a is b or (not isinstance(a, Tile) and a == b):
            return a
        if isinstance(a, Unbound) and isinstance(b, Unbound):
            return a
        if isinstance(a, Sequence) and isinstance(b, Sequence) and len(a.items) == len(b.items) and a.cls == b.cls:
            items = [self._joined(x, y) for x, y in zip(a.items, b.items, strict=True)]
            return None if any(i is None for i in items) else a.like(i for i in items if i is not None)
        if not isinstance(a, Tile) or not isinstance(b, Tile) or not self._same_type(a, b):
            return None
        if a.const is not None or b.const is not None:
            same = a.const is not None and b.const is not None and a.loose == b.loose
            simplify = self.ctx.path.simplify
            return a if same and a.const and b.const and simplify(a.const) == simplify(b.const) else None
        return Tile(a.type, self._result(a, a.value, b.value))

    def _same_type(self, a: Tile, b: Tile) -> bool:
        path = self.ctx.path
        if tuple(map(path.simplify, a.shape)) != tuple(map(path.simplify, b.shape)):
            return False
        return path.dtype_of(a.dtype) == path.dtype_of(b.dtype) or path.decide(fn("eq", a.dtype, b.dtype))

    def _result(self, like: Tile, then: Value | None, otherwise: Value | None) -> Value:
        self.yields[0].append(then)
        self.yields[1].append(otherwise)
        self.results.append(Value(like.type))
        return self.results[-1]

    def _export(self, v: PyValue, side: int) -> PyValue:
        """A value of one side, to be read after the branch where the same condition holds."""
        if isinstance(v, Tile):
            if v.value not in self.own[side]:
                return v
            values = [v.value, None] if side == 0 else [None, v.value]
            return Tile(v.type, self._result(v, *values), v.const, v.loose)
        if isinstance(v, Sequence):
            return v.like(self._export(i, side) for i in v.items)
        if isinstance(v, Split):
            return Split(v.condition, self._export(v.then, side), self._export(v.otherwise, side))
        if isinstance(v, (ArrayValue, ArrayShape)):
            owner = v if isinstance(v, ArrayValue) else v.owner
            if owner.handle is None or owner.handle not in self.own[side]:
                return v
        elif isinstance(v, (Static, Unbound, FunctionValue, Ambiguous)):
            return v
        raise MustFork(self.condition)

    def finish(self) -> None:
        """Emit the branch, if it does anything."""
        if not self.results and not any(b.ops for b in self.blocks):
            return
        for block, values in zip(self.blocks, self.yields, strict=True):
            operands = []
            for v, r in zip(values, self.results, strict=True):
                if v is None:
                    v = Value(r.type)
                    block.ops.append(Op("dummy", [], [v], source=self.ctx.source))
                operands.append(v)
            block.ops.append(Op("yield", operands, [], source=self.ctx.source))
        attrs = {"condition": self.condition}
        op = Op("static_if", [], self.results, attrs, list(self.blocks), self.ctx.source)
        self.ctx.block.ops.append(op)

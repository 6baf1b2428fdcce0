"""The state of reading one path through a kernel: where operations go, what is decided, where we are in the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Array, Block, Op, Source, TileType, Type, Value
from cutile2rs.ir.expr import Expr, Fn, Lit, Param, fn, show
from cutile2rs.lowering.oracle import NoRule, PathState
from cutile2rs.lowering.values import Frame, Tile

#: What Python passes for a number: an int or a float, unless its annotation says otherwise.
SCALARS = (dt.INT32, dt.FLOAT32)
#: ... such as `bool`: callers pass a bool, or 0 or 1.
FLAGS = (dt.BOOL, dt.INT32)


class Refusal(Exception):
    """Something has no rule (or is plainly wrong): located by the node being read when it was raised."""

    def __init__(self, code: str, message: str, help_text: str | None = None, node: ast.AST | None = None):
        super().__init__(message)
        self.code, self.message, self.help, self.node = code, message, help_text, node
        self.file: str | None = None


@dataclass(slots=True)
class Ctx:
    """Everything a lowering function may read or write."""

    path: PathState
    arrays: dict[str, Array]
    block: Block
    frame: Frame
    source: Source | None = None
    node: ast.AST | None = None
    terminated: bool = False
    call_stack: tuple[str, ...] = ()
    const_names: dict[Expr, str] = field(default_factory=dict)
    scalars: dict[str, Value] = field(default_factory=dict)
    annotated: dict[Expr, dt.DType] = field(default_factory=dict)
    """The dtype that a run-time scalar's annotation says, by the parameter that stands for its dtype."""
    host: bool = False
    """Whether what is read runs in CPython before cuTile compiles: module-level code, the argument of ct.static_eval."""

    def emit(
        self,
        opcode: str,
        operands: list[Value],
        types: list[Type],
        blocks: list[Block] | None = None,
        **attrs: Any,
    ) -> Op:
        """Append an operation to the current block."""
        op = Op(opcode, operands, [Value(t) for t in types], attrs, blocks or [], self.source)
        self.block.ops.append(op)
        return op

    def tile(self, opcode: str, operands: list[Value], type_: TileType, **attrs: Any) -> Tile:
        """Append an operation with one tile result and wrap that result."""
        return Tile(type_, self.emit(opcode, operands, [type_], **attrs).result)

    def value(self, t: Tile) -> Value:
        """The SSA value of a tile; a constant becomes a ``const`` operation here (a later use may be out of its scope)."""
        if t.value is not None:
            return t.value
        assert t.const is not None
        return self.emit("const", [], [t.type], value=t.const).result

    @contextmanager
    def nested(self) -> Iterator[Block]:
        """Emit into a new block; the caller puts it into its operation."""
        saved, self.block = self.block, Block()
        ended, self.terminated = self.terminated, False
        try:
            yield self.block
        finally:
            self.block, self.terminated = saved, ended

    def scalar(self, name: str, dtype: Expr) -> Tile:
        """A run-time scalar parameter. Python passes ints as i32 and floats as f32; which it is, its use decides."""
        if name not in self.scalars:
            assert isinstance(dtype, Param)
            self.path.limit(dtype, FLAGS if self.annotated.get(dtype) == dt.BOOL else SCALARS)
            self.scalars[name] = Value(TileType(dtype), name)
            if dtype in self.annotated:
                self.settle_scalar(dtype, None)
        v = self.scalars[name]
        assert isinstance(v.type, TileType)
        return Tile(TileType(self.dtype(v.type.dtype)), v)

    def settle_scalars(self) -> None:
        """At the end of a path: fix every scalar's dtype and put it into the predicate. One that is read but changes nothing
        may be of any."""
        used = {v for op in self.block.walk() for v in op.inputs()}
        for v in self.scalars.values():
            assert isinstance(v.type, TileType)
            parameter = v.type.dtype
            if not isinstance(parameter, Param) or v not in used:
                continue
            if self.may_stay_open(parameter):
                int_or_float = [fn("eq", parameter, Lit(d)) for d in SCALARS]
                self.path.required.append(fn("bitor", *int_or_float))
            else:
                self.settle_scalar(parameter, None)
                own = self.dtype(parameter)
                self.path.required.append(fn("eq", parameter, own))
                v.type = TileType(own)

    def may_stay_open(self, dtype: Expr) -> bool:
        """Whether a run-time scalar may be an int or a float in one entry: where it meets floats, both become those. Only
        kernels with many paths ask so; in others, each has an entry without a cast."""
        d = self.dtype(dtype)
        return self.path.forks is not None and isinstance(d, Param) and self.path.domain(d) == SCALARS

    def settle_scalar(self, dtype: Expr, met: dt.DType | None, likely: dt.DType = dt.INT32) -> None:
        """Decide which dtype a run-time scalar has: the one of its annotation, or one that what it meets makes as good as
        certain (``met``). Else it may be either, a scale or a size; ``likely`` is which most launches pass."""
        d = self.dtype(dtype)
        if isinstance(d, Param) and self.path.domain(d) == FLAGS:
            self.path.decide(fn("eq", d, Lit(dt.BOOL)))
        if not isinstance(d, Param) or self.path.domain(d) != SCALARS:
            return
        expected = self.annotated.get(d, met)
        if expected is None:
            self.path.decide(fn("eq", d, Lit(likely if self.path.forks is not None else dt.INT32)))
        else:
            kind = "an int" if expected == dt.INT32 else "a float"
            reason = "as it is annotated" if d in self.annotated else "here"
            self.prefer(fn("eq", d, Lit(expected)), f"only {kind} is converted as `{show(d)}`, {reason}", True)

    # -- questions -------------------------------------------------------------------------------------------------

    def same(self, a: Expr, b: Expr) -> bool:
        """Whether two symbolic dimensions or constants are equal; splits the path where it depends on the launch."""
        a, b = self.path.simplify(a), self.path.simplify(b)
        return a == b or self.path.decide(fn("eq", a, b))

    def is_one(self, e: Expr) -> bool | None:
        """Whether a dimension is 1, if that is known without splitting."""
        e = self.path.simplify(e)
        return e == Lit(1) if isinstance(e, Lit) else self.path.settled(fn("eq", e, Lit(1)))

    def dtype(self, e: Expr) -> Expr:
        """A dtype expression with what the path knows."""
        return self.path.dtype_of(e)

    def category(self, e: Expr) -> str | None:
        """float, int or bool where the path knows it, else None."""
        return self.path.category(e)

    def is_float(self, e: Expr) -> bool:
        """Whether a dtype is floating-point; splits the path where it depends on the launch."""
        return self.path.decide(fn("is_float", e))

    def prefer_float(self, e: Expr) -> bool:
        """Whether a dtype is floating-point, where an integer would make a second entry that hardly anyone launches: it
        is made only if cuTile rejects the floating-point one. Data that meets an integer tile is an integer as a rule."""
        if isinstance(e, Fn) and e.op == "promote" and any(_is_integer(a) for a in e.args):
            return not self.prefer(fn("not", fn("is_float", e)), f"only integer `{show(e)}` is converted here")
        return self.prefer(fn("is_float", e), f"only floating-point `{show(e)}` is converted here")

    def prefer(self, condition: Expr, reason: str, always: bool = False) -> bool:
        """:meth:`PathState.prefer` with the place in the source."""
        settled = self.path.settled(condition)
        return self.path.prefer(condition, f"{reason} (line {self.line})", always) if settled is None else settled

    @property
    def line(self) -> int:
        """The line of the source that is being read, for reasons."""
        return int(getattr(self.node, "lineno", 0))

    def no_rule(self, message: str) -> NoRule:
        """Why the launches on this path have no entry, with the place in the source; other launches may have one."""
        return NoRule(f"{message} (line {self.line})")

    # -- refusals --------------------------------------------------------------------------------------------------

    def refuse(
        self, message: str, help_text: str | None = None, code: str = "C2R205", node: ast.AST | None = None
    ) -> Refusal:
        """A refusal located at the node being read."""
        return Refusal(code, message, help_text, node or self.node)


def _is_integer(e: Expr) -> bool:
    d = concrete(e)
    return d is not None and dt.is_integral(d)


def concrete(e: Expr) -> dt.DType | None:
    """The dtype, if the expression is one literal dtype."""
    return e.value if isinstance(e, Lit) and isinstance(e.value, dt.DType) else None

"""The specialization IR: typed, structured, in SSA form; one operation of Tile IR is one operation here.

A memory operation (load, store, gather, scatter, atomic) stays one operation. Shapes and dtypes are symbolic
(:mod:`cutile2rs.ir.expr`), so one body serves every launch that its entry's predicate admits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.expr import Expr, Lit


@dataclass(frozen=True, slots=True)
class TileType:
    """A tile: element dtype and shape, both symbolic. Rank 0 is a scalar."""

    dtype: Expr
    shape: tuple[Expr, ...] = ()

    def is_scalar_of(self, dtype: dt.DType) -> bool:
        """Whether this is a 0-d tile of exactly ``dtype``."""
        return not self.shape and self.dtype == Lit(dtype)


@dataclass(frozen=True, slots=True)
class TokenType:
    """A memory-order token."""


@dataclass(frozen=True, slots=True)
class ArrayType:
    """An array that is no parameter: a slice of another one, an item of a list."""

    dtype: Expr
    rank: int


@dataclass(frozen=True, slots=True)
class ViewType:
    """A view of an array as tiles."""


Type = TileType | TokenType | ArrayType | ViewType


@dataclass(frozen=True, slots=True)
class Source:
    """The statement an operation came from: where it stands and its text (header line only for compound ones)."""

    file: str
    line: int
    text: str


@dataclass(eq=False, slots=True)
class Value:
    """An SSA value. ``hint`` is the Python variable it was last assigned to, if any."""

    type: Type
    hint: str | None = None


@dataclass(eq=False, slots=True)
class Array:
    """An array as memory operations name it. ``alias`` is its bit in alias sets: a slice has its parent's, all items of a
    list share one. The rank of a parameter is 0 until its use on this path shows it."""

    name: str
    rank: int
    dtype: Expr
    alias: int
    is_list: bool = False
    root: Array | None = None
    """The parameter that a slice or an item of a list belongs to; None for a parameter itself."""
    ranks: tuple[int, ...] = ()
    """The ranks that a parameter may have, as far as is known before its use shows it."""
    least: int = 0
    """The least rank that indexing the shape shows."""
    guessed: bool = False
    """Whether the rank was asked for before a use showed it."""
    unused: bool = False
    """Whether the path does not read the array at all."""
    pending: list[Op] = field(default_factory=list)
    """Operations on a negative axis, to be completed when the rank is known."""

    @property
    def memory(self) -> Array:
        """The parameter that stands for this array in the order of memory operations."""
        return self.root or self


@dataclass(eq=False, slots=True)
class Op:
    """One operation. ``token`` is the input token of a memory operation, set by the token-order pass; ``view`` the view that
    it works on, where code motion has made that elsewhere."""

    opcode: str
    operands: list[Value]
    results: list[Value]
    attrs: dict[str, Any] = field(default_factory=dict)
    blocks: list[Block] = field(default_factory=list)
    source: Source | None = None
    token: Value | None = None
    view: Value | None = None

    def inputs(self) -> Iterator[Value]:
        """All values read by the operation itself (not by its nested blocks)."""
        yield from self.operands
        if self.token is not None:
            yield self.token
        if self.view is not None:
            yield self.view

    @property
    def result(self) -> Value:
        """The first result."""
        return self.results[0]


@dataclass(eq=False, slots=True)
class Block:
    """A straight line of operations with parameters; its last operation may be a terminator."""

    params: list[Value] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)

    def walk(self) -> Iterator[Op]:
        """Every operation, parents before children, in program order."""
        for op in self.ops:
            yield op
            for block in op.blocks:
                yield from block.walk()


#: Operations that end a block.
TERMINATORS = frozenset({"continue", "break", "yield", "return"})
#: Memory operations and their effect on the array they touch.
LOADS = frozenset({"load_view", "load_ptr"})
STORES = frozenset({"store_view", "store_ptr"})
ATOMICS = frozenset({"atomic_rmw", "atomic_cas", "atomic_view"})
MEMORY = LOADS | STORES | ATOMICS
#: Operations other than these that are ordered with all of memory.
UNIVERSAL = frozenset({"print", "gdc_wait", "gdc_launch_dependents"})
#: Memory orders that see what others released, and that release what was done before.
ACQUIRE = frozenset({"ACQUIRE", "ACQ_REL"})
RELEASE = frozenset({"RELEASE", "ACQ_REL"})


def has_effect(op: Op) -> bool:
    """Whether the operation must stay even if no result is used (as cuTile's ``has_observable_effect``)."""
    if op.opcode == "load_view":
        return op.attrs.get("memory_order") == "ACQUIRE"
    return op.opcode in STORES | ATOMICS | UNIVERSAL | {"assert", "return"}


def acquires(op: Op) -> bool:
    """Whether what comes after the operation sees what others did before."""
    return op.opcode == "gdc_wait" or op.attrs.get("memory_order") in ACQUIRE


def is_placeholder(v: Value, block: Block) -> bool:
    """Whether nothing reads a value that a block ends with: it is there for the other side of a branch."""
    return any(op.opcode == "dummy" and v in op.results for op in block.ops)


def static_branches(body: Block) -> Iterator[Op]:
    """The branches on constants that are still branches, inner ones after outer ones."""
    return (op for op in body.walk() if op.opcode == "static_if")


def jumps(block: Block) -> bool:
    """Whether a block ends with a jump out of its branch."""
    return bool(block.ops) and block.ops[-1].opcode in ("continue", "break", "return")


def is_loop(op: Op) -> bool:
    """Whether the operation is a ``for`` over a range or a ``loop`` that only a ``break`` ends."""
    return op.opcode in ("for", "loop")


def initial_operands(loop: Op) -> list[Value]:
    """The initial values of a loop's carried variables (a ``for`` has start, stop and step before them)."""
    return loop.operands[3:] if loop.opcode == "for" else loop.operands


def carried_params(loop: Op) -> list[Value]:
    """The carried variables inside a loop's body (a ``for`` has its induction variable before them)."""
    return loop.blocks[0].params[1:] if loop.opcode == "for" else loop.blocks[0].params


def replace_inputs(op: Op, mapping: dict[Value, Value]) -> None:
    """Rewrite the operation's own inputs through ``mapping``."""
    op.operands = [mapping.get(v, v) for v in op.operands]
    if op.token is not None:
        op.token = mapping.get(op.token, op.token)
    if op.view is not None:
        op.view = mapping.get(op.view, op.view)


@dataclass(slots=True)
class ParamInfo:
    """A kernel parameter. ``kind``: array, list (of arrays), scalar, constant. ``rank`` (0: it differs from entry to entry)
    and ``dtype`` for arrays, lists and scalars. ``number``: the text computes with it somewhere."""

    name: str
    kind: str
    rank: int = 0
    dtype: Expr | None = None
    constant_kind: str | None = None
    ranks: tuple[int, ...] = ()
    annotated: dt.DType | None = None
    exact: bool = False
    number: bool = False
    line: int = 0
    open: bool = False
    """Whether launches that do not read this array may pass one of another rank."""


@dataclass(slots=True)
class Entry:
    """One body of a kernel with the predicate under which it is chosen (a conjunction)."""

    name: str
    predicate: tuple[Expr, ...]
    params: list[ParamInfo]
    arrays: list[Array]
    scalars: dict[str, Value]
    body: Block
    const_names: dict[Expr, str] = field(default_factory=dict)
    put_back: Callable[[], None] | None = None
    """Undoes code motion: every operation stands again where the source has it."""

"""What a Python expression in a kernel can be while it is read: a tile (scalars are 0-d tiles), or something static."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Array, TileType, Value
from cutile2rs.ir.expr import Expr, Lit, kind

if TYPE_CHECKING:
    from cutile2rs.frontend import Module
    from cutile2rs.lowering.control import LoopScope


@dataclass(eq=False, slots=True)
class Tile:
    """A numeric value. ``const`` is its compile-time value, if any; a ``loose`` constant has no dtype of its own yet."""

    type: TileType
    value: Value | None = None
    const: Expr | None = None
    loose: bool = False

    @property
    def dtype(self) -> Expr:
        """Element dtype (symbolic)."""
        return self.type.dtype

    @property
    def shape(self) -> tuple[Expr, ...]:
        """Shape (symbolic)."""
        return self.type.shape


@dataclass(frozen=True, slots=True)
class Static:
    """None, a string, Ellipsis, a full slice or any other plain constant object."""

    value: Any


@dataclass(frozen=True, slots=True)
class DTypeValue:
    """A dtype as a value (``ct.float32``, ``x.dtype``)."""

    dtype: Expr


@dataclass(frozen=True, slots=True)
class External:
    """A name of an outside module, fully dotted: ``cuda.tile.gather``, ``cuda.tile.PaddingMode.ZERO``, ``math.inf``."""

    path: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """A tuple (or list) of values; with ``cls``, an instance of a frozen dataclass."""

    items: tuple[PyValue, ...]
    cls: UserClass | None = None

    def like(self, items: Iterable[PyValue]) -> Sequence:
        """Other items of the same kind of thing."""
        return Sequence(tuple(items), self.cls)


@dataclass(frozen=True, slots=True)
class Keywords:
    """What a helper's ``**name`` parameter holds."""

    items: Mapping[str, PyValue]


@dataclass(frozen=True, slots=True)
class RangeValue:
    """``range(start, stop, step)``."""

    start: Tile
    stop: Tile
    step: Tile


@dataclass(frozen=True, slots=True)
class ArrayValue:
    """An array. A slice or an item of a list has a ``handle``, the value that stands for it in the IR, and its own extents
    and strides."""

    array: Array
    handle: Value | None = None
    shape: tuple[Tile, ...] = ()
    strides: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class ArrayShape:
    """``x.shape`` or ``x.strides`` (``what``) of an array."""

    owner: ArrayValue
    what: str


@dataclass(frozen=True, slots=True)
class ListValue:
    """A parameter that is a list of arrays; ``handle`` stands for its table in the IR."""

    array: Array
    handle: Value
    length: Value


@dataclass(frozen=True, slots=True)
class TiledView:
    """``x.tiled_view(...)``: an array cut into tiles. ``steps`` only where they differ from the tile's shape."""

    owner: ArrayValue
    shape: tuple[Expr, ...]
    padding: str
    steps: tuple[Expr, ...] | None


@dataclass(frozen=True, slots=True)
class RawMemory:
    """``x.get_raw_memory()``."""

    owner: ArrayValue


@dataclass(frozen=True, slots=True)
class IndexSlice:
    """``ct.Slice(start, length)``."""

    start: Tile
    length: Tile


@dataclass(frozen=True, slots=True)
class LazyScalar:
    """A run-time scalar parameter whose dtype is not decided yet: one that is never read needs no decision."""

    name: str
    dtype: Expr


@dataclass(frozen=True, slots=True)
class UserModule:
    """A module of the user's package."""

    module: Module


@dataclass(frozen=True, slots=True)
class UserClass:
    """A class of the user's package: a namespace of constants, or a frozen dataclass."""

    module: Module
    node: ast.ClassDef


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A helper function, a nested one with the frame it closes over, or a lambda."""

    module: Module
    node: ast.FunctionDef | ast.Lambda
    closure: Frame | None = None
    receiver: PyValue | None = None
    """The instance whose method it is."""


@dataclass(frozen=True, slots=True)
class Method:
    """A bound method: ``receiver`` becomes the first argument of the construct ``path``."""

    receiver: PyValue
    path: str


@dataclass(frozen=True, slots=True)
class Formatted:
    """An f-string: literal pieces, and values with their format specifications."""

    pieces: tuple[str | tuple[PyValue, str | None], ...]


@dataclass(frozen=True, slots=True)
class Unbound:
    """A variable that has no value here, and why; ``code`` tells what cuTile rejects (C2R205) from what has no rule.
    ``undefined``: there is a way here on which it is not assigned at all."""

    reason: str
    code: str = "C2R205"
    undefined: bool = False


@dataclass(frozen=True, slots=True)
class Split:
    """A variable that holds one thing or another after a constant branch, as the branch's condition says."""

    condition: Expr
    then: PyValue
    otherwise: PyValue


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A variable whose value where paths join depends on a constant branch: no entry with that branch may read it."""

    condition: Expr


PyValue = (
    Tile | Static | DTypeValue | External | Sequence | Keywords | RangeValue | ArrayValue | ArrayShape | UserModule
    | FunctionValue | Method | Unbound | LazyScalar | UserClass | Formatted | ListValue | TiledView | RawMemory | IndexSlice
    | Split | Ambiguous
)  # fmt: skip


@dataclass(slots=True)
class Frame:
    """Local variables of one function activation."""

    module: Module
    function: str
    names: dict[str, PyValue] = field(default_factory=dict)
    parent: Frame | None = None
    local_names: frozenset[str] = frozenset()
    order: dict[str, int] = field(default_factory=dict)
    before: int | None = None
    """At module level: only what stands above this line is defined yet."""
    is_helper: bool = False
    loop: LoopScope | None = None
    """The innermost loop that is being read."""

    def lookup(self, name: str) -> PyValue | None:
        """The value of a local or enclosing-function variable."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.names:
                return frame.names[name]
            if name in frame.local_names:
                return Unbound(f"`{name}` is not assigned on every path to this point")
            frame = frame.parent
        return None


_KIND_DTYPE = {"int": dt.INT32, "float": dt.FLOAT32, "bool": dt.BOOL}


def loose(e: Expr) -> Tile:
    """A weakly typed constant, as a Python literal is. ``e`` must be of kind int, float or bool."""
    own = dt.dtype_of_literal(e.value) if isinstance(e, Lit) else None
    return Tile(TileType(Lit(own or _KIND_DTYPE[kind(e)])), const=e, loose=True)


def representative(t: Tile) -> Lit:
    """A literal of the same category as a weakly typed constant, to ask promotion rules about it."""
    if isinstance(t.const, Lit):
        return t.const
    assert t.const is not None
    return Lit({"int": 1, "float": 1.0, "bool": True}[kind(t.const)])


def describe(v: PyValue) -> str:
    """A short name of a value's type, for messages."""
    names: dict[type, str] = {
        Tile: "a tile", DTypeValue: "a dtype", Sequence: "a tuple", RangeValue: "a range", ArrayValue: "an array",
        ArrayShape: "a shape", UserModule: "a module", UserClass: "a class", FunctionValue: "a function",
        Method: "a method", Unbound: "undefined",
        LazyScalar: "a scalar", Formatted: "a formatted string", ListValue: "a list of arrays", TiledView: "a tiled view",
        RawMemory: "raw memory", IndexSlice: "a slice of an index",
        Keywords: "keyword arguments",
    }  # fmt: skip
    if isinstance(v, Tile) and not v.shape:
        return "a constant" if v.const is not None else "a scalar"
    if isinstance(v, Static):
        return repr(v.value)
    if isinstance(v, External):
        return f"`{v.path}`"
    return names[type(v)]

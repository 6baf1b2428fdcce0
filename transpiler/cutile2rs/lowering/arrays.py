"""Arrays as values: their rank, extents and strides, slices, items of lists, tiled views and raw memory.

The text of a kernel shows an array's rank by use. Where it shows one rank, that is a fact of the kernel; where it shows
several (different branches over constants) or none, the rank is decided on the path, as everything else that depends on
the launch.
"""

from __future__ import annotations

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Array, ArrayType, TileType
from cutile2rs.ir.expr import Expr, Lit, Param, fn
from cutile2rs.lowering import arith
from cutile2rs.lowering.context import Ctx, concrete
from cutile2rs.lowering.oracle import Illegal, NoRule
from cutile2rs.lowering.params import WrongKind
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.static import (
    expect_axis,
    expect_const,
    expect_enum,
    expect_int,
    expect_shape,
    expect_tile,
    is_none,
    items_of,
)
from cutile2rs.lowering.values import (
    ArrayShape,
    ArrayValue,
    DTypeValue,
    ListValue,
    Method,
    PyValue,
    RawMemory,
    Sequence,
    Static,
    Tile,
    TiledView,
    describe,
)

UINT64 = Lit(dt.UINT64)


def has_rank(name: str, kind: str, rank: int) -> Expr:
    """Whether a parameter takes up an array (or a list of arrays) of this rank in the launch's argument list."""
    return fn("eq", Param(f"form({name})", "str"), Lit(f"{kind} {rank}"))


def _has_rank(array: Array, rank: int) -> Expr:
    return has_rank(array.name, "list" if array.is_list else "array", rank)


def expect_array(ctx: Ctx, v: PyValue, rank: int | None = None) -> ArrayValue:
    """An array; ``rank`` is what this use of it says."""
    if isinstance(v, Tile):
        check_kind(ctx, v, "array")
    if not isinstance(v, ArrayValue):
        raise ctx.refuse(f"an array is expected here, not {describe(v)}")
    if rank is not None:
        _use_rank(ctx, v.array, rank)
    return v


def check_kind(ctx: Ctx, v: PyValue, kind: str) -> None:
    """Read the kernel again if ``v`` is a parameter that its text made look like something else than ``kind``."""
    if isinstance(v, (ArrayValue, ListValue)) and v.array.root is None:
        raise WrongKind(v.array.name, kind)
    for name, scalar in ctx.scalars.items():
        if isinstance(v, Tile) and v.value is scalar:
            raise WrongKind(name, kind)


def _use_rank(ctx: Ctx, array: Array, rank: int) -> None:
    owner = array.memory
    if owner.rank == 0:
        # A launch that does not come here may pass a stand-in of any rank. Those of rank 1, as empty ones are, may be of any
        # dtype too: they get entries in which the array is not read.
        others = {r for r in (*owner.ranks, 1) if r >= owner.least and r != rank}
        stand_ins = any(ctx.path.settled(_has_rank(owner, r)) is not False for r in others)
        ctx.path.require(_has_rank(owner, rank), f"`{owner.name}` does not have {rank} dimensions", split=stand_ins)
        _set_rank(owner, rank)
    else:
        ctx.path.require(_has_rank(owner, owner.rank), "", split=False)
    if array is not owner and array.rank == 0:
        array.rank = owner.rank
    if rank != array.rank:
        low, high = sorted((rank, array.rank))
        raise ctx.refuse(
            f"array `{array.name}` is used with {low} and {high} indices", "one array has one rank", "C2R202"
        )


def _set_rank(owner: Array, rank: int) -> None:
    if rank < owner.least:
        raise Illegal("shape index out of range")
    owner.rank = rank
    for op in owner.pending:
        op.attrs["axis"] += rank
    owner.pending.clear()


def rank_of(ctx: Ctx, array: Array) -> int:
    """The rank; where no use has shown it yet, one path for each that it may be."""
    owner = array.memory
    if owner.rank == 0:
        owner.guessed = True
        if not owner.ranks:
            raise ctx.refuse(
                f"the rank of array `{owner.name}` cannot be inferred from its use",
                "index it with a tuple (`ct.load(x, (i, j), ...)`), or unpack its shape", "C2R202",
            )  # fmt: skip
        *others, last = owner.ranks
        rank = next((r for r in others if ctx.path.decide(_has_rank(owner, r))), last)
        ctx.path.require(_has_rank(owner, rank), f"`{owner.name}` does not have {rank} dimensions")
        _set_rank(owner, rank)
    array.rank = array.rank or owner.rank
    return array.rank


# -- attributes --------------------------------------------------------------------------------------------------------


def attribute(ctx: Ctx, v: ArrayValue | TiledView | RawMemory, name: str) -> PyValue:
    """``x.shape``, ``x.dtype``, or a method."""
    owner = v if isinstance(v, ArrayValue) else v.owner
    if name == "dtype":
        return DTypeValue(ctx.dtype(owner.array.dtype))
    if isinstance(v, ArrayValue):
        if name in ("shape", "strides"):
            return ArrayShape(v, name)
        if name == "ndim":
            return arith.loose(Lit(rank_of(ctx, v.array)))
        return Method(v, f"cuda.tile.Array.{name}")
    if isinstance(v, TiledView):
        if name == "tile_shape":
            return Sequence(tuple(arith.loose(d) for d in v.shape))
        if name == "traversal_steps":
            return Sequence(tuple(arith.loose(d) for d in v.steps or box_of(ctx, v)))
        return Method(v, f"cuda.tile.TiledView.{name}")
    return Method(v, f"cuda.tile.RawArrayMemory.{name}")


def box_of(ctx: Ctx, v: TiledView) -> tuple[Expr, ...]:
    """The shape of a view's tiles as the array sees it: a 0-d tile is one element."""
    return v.shape or (Lit(1),) * rank_of(ctx, v.owner.array)


def extent(ctx: Ctx, owner: ArrayValue, what: str, axis: int) -> Tile:
    """``x.shape[axis]`` or ``x.strides[axis]``: a run-time i32."""
    if owner.handle is not None:
        return (owner.shape if what == "shape" else owner.strides)[axis]
    return ctx.tile("extent", [], TileType(arith.INT32), array=owner.array, what=what, axis=axis)


def extents(ctx: Ctx, v: ArrayShape, count: int | None = None) -> Sequence:
    """All of ``x.shape`` or ``x.strides``; ``count`` is how many the code expects."""
    if count is not None and v.owner.array.rank == 0:
        _use_rank(ctx, v.owner.array, count)
    return Sequence(tuple(extent(ctx, v.owner, v.what, i) for i in range(rank_of(ctx, v.owner.array))))


def shape_item(ctx: Ctx, v: ArrayShape, index: PyValue) -> PyValue:
    """``x.shape[i]`` or ``x.shape[i:j]``."""
    if isinstance(index, Static) and isinstance(index.value, slice):
        return Sequence(extents(ctx, v).items[index.value])
    i = expect_int(ctx, index, "the index of a shape")
    owner = v.owner.array.memory
    if owner.rank == 0:
        found = extent(ctx, v.owner, v.what, i)
        if i < 0:
            owner.pending.append(ctx.block.ops[-1])
        owner.least = max(owner.least, i + 1, -i)
        return found
    rank = rank_of(ctx, v.owner.array)
    if not -rank <= i < rank:
        raise Illegal("shape index out of range")
    return extent(ctx, v.owner, v.what, i % rank)


# -- slices ------------------------------------------------------------------------------------------------------------


@lowering("array_slice")
def array_slice(ctx: Ctx, self: PyValue, axis: PyValue, start: PyValue, stop: PyValue) -> PyValue:
    """``x.slice(axis, start, stop)``: the same strides, a base further on, and one other extent."""
    parent = expect_array(ctx, self)
    rank = rank_of(ctx, parent.array)
    at = expect_axis(ctx, axis, rank)
    first, last = expect_tile(ctx, start, "start"), expect_tile(ctx, stop, "stop")
    for bound in (first, last):
        _expect_signed(ctx, bound)
        if bound.const is not None:
            ctx.path.require(fn("ge", bound.const, Lit(0)), "the bounds of a slice must not be negative")
    offset = arith.binary(ctx, "mul", first, extent(ctx, parent, "strides", at))
    offset = arith.astype(ctx, offset, UINT64)
    size = arith.astype(ctx, arith.binary(ctx, "sub", last, first), arith.INT32)
    shape = [extent(ctx, parent, "shape", i) for i in range(rank)]
    shape[at] = _static_size(ctx, size) if size.const is not None else nonnegative(ctx, size)
    derived = Array(parent.array.name, rank, parent.array.dtype, parent.array.alias, root=parent.array.memory)
    handles = [parent.handle] if parent.handle is not None else []
    operands = [ctx.value(offset), *(ctx.value(t) for t in shape if t.const is None), *handles]
    op = ctx.emit(
        "array_slice", operands, [ArrayType(ctx.dtype(derived.dtype), rank)],
        array=derived, parent=parent.array, sizes=tuple(t.const for t in shape),
    )  # fmt: skip
    strides = tuple(extent(ctx, parent, "strides", i) for i in range(rank))
    return ArrayValue(derived, op.result, tuple(shape), strides)


def _expect_signed(ctx: Ctx, t: Tile) -> None:
    if t.shape:
        raise Illegal("the bounds of a slice must be scalars")
    ctx.path.require(fn("is_integral", t.dtype), "the bounds of a slice must be integers")
    ctx.path.require(fn("is_signed", t.dtype), "the bounds of a slice must be signed integers")


def _static_size(ctx: Ctx, size: Tile) -> Tile:
    assert size.const is not None
    ctx.path.require(fn("ge", size.const, Lit(0)), "a slice must not stop before it starts")
    if not ctx.path.decide(fn("gt", size.const, Lit(0))):
        raise NoRule("a slice of constant size 0")
    return arith.typed_const(ctx, ctx.path.simplify(size.const), arith.INT32)


def nonnegative(ctx: Ctx, t: Tile) -> Tile:
    """A number that is known not to be negative."""
    return ctx.tile("nonnegative", [ctx.value(t)], t.type)


# -- lists -------------------------------------------------------------------------------------------------------------


def list_parameter(ctx: Ctx, array: Array) -> ListValue:
    """A list-of-arrays parameter: a table with one row an array, and its length."""
    table = ctx.emit("list_table", [], [ArrayType(ctx.dtype(array.dtype), 0), TileType(arith.INT32)], array=array)
    table.results[1].hint = f"{array.name}_len"
    return ListValue(array, *table.results)


def list_length(ctx: Ctx, v: ListValue) -> Tile:
    """``len(xs)``."""
    return Tile(TileType(arith.INT32), v.length)


def list_item(ctx: Ctx, v: ListValue, index: PyValue) -> PyValue:
    """``xs[i]``: extents and strides come from the table, except strides that the launch makes constant."""
    if isinstance(index, (Static, Sequence)):
        check_kind(ctx, v, "scalar")
    i = expect_tile(ctx, index, "the index of a list")
    if i.shape:
        raise Illegal("the index of a list must be a scalar")
    ctx.path.require(fn("is_integral", i.dtype), "the index of a list must be an integer")
    rank = rank_of(ctx, v.array)
    item = Array(v.array.name, rank, v.array.dtype, v.array.alias, root=v.array)
    constants = [_constant_stride(ctx, v.array, axis, rank) for axis in range(rank)]
    numbers = [TileType(arith.INT32)] * (rank + constants.count(None))
    operands = [v.handle, ctx.value(arith.astype(ctx, i, arith.INT32))]
    op = ctx.emit(
        "list_item", operands, [ArrayType(ctx.dtype(item.dtype), rank), *numbers], array=item, strides=tuple(constants)
    )
    made = iter(Tile(TileType(arith.INT32), r) for r in op.results[1:])
    shape = tuple(next(made) for _ in range(rank))
    strides = tuple(next(made) if c is None else arith.typed_const(ctx, c, arith.INT32) for c in constants)
    return ArrayValue(item, op.result, shape, strides)


def _constant_stride(ctx: Ctx, array: Array, axis: int, rank: int) -> Expr | None:
    """A stride that all arrays of a list have and the launch knows: 1 along the last axis as a rule, unknown elsewhere."""
    p = Param(f"stride({array.name},{axis})", "any")
    if axis == rank - 1:
        if ctx.path.decide(fn("eq", p, Lit(1))):
            return Lit(1)
        ctx.prefer(fn("is_none", p), f"the arrays in `{array.name}` have a constant last stride other than 1")
    elif not ctx.prefer(fn("is_none", p), f"the arrays in `{array.name}` have a constant stride along axis {axis}"):
        ctx.path.require(fn("kind_int", p), "a stride is an int")
        return Param(p.name, "int")
    return None


# -- views -------------------------------------------------------------------------------------------------------------


@lowering("tiled_view")
def tiled_view(
    ctx: Ctx, self: PyValue, tile_shape: PyValue, padding_mode: PyValue, traversal_steps: PyValue
) -> PyValue:
    """``x.tiled_view(shape)``: nothing is done until it is used."""
    dims = expect_shape(ctx, tile_shape, "tile_shape")
    owner = expect_array(ctx, self, len(dims) or None)
    padding = expect_enum(ctx, padding_mode, "PaddingMode", "padding_mode")
    view = TiledView(owner, dims, padding, None)
    if is_none(traversal_steps):
        return view
    steps = tuple(expect_const(ctx, i, "traversal_steps") for i in items_of(ctx, traversal_steps))
    for s in steps:
        ctx.path.require(fn("gt", s, Lit(0)), "traversal_steps must be positive")
    if len(steps) != len(box_of(ctx, view)):
        raise Illegal("traversal_steps does not match the array's rank")
    same = all(ctx.same(a, b) for a, b in zip(steps, box_of(ctx, view), strict=True))
    return view if same else TiledView(owner, dims, padding, tuple(ctx.path.simplify(s) for s in steps))


@lowering("raw_memory")
def raw_memory(ctx: Ctx, self: PyValue) -> PyValue:
    """``x.get_raw_memory()``: the array's elements by their offset from its base."""
    return RawMemory(expect_array(ctx, self))


def element_dtype(ctx: Ctx, array: Array) -> Expr:
    """The element type, with what the path knows."""
    return ctx.dtype(array.dtype)


def is_int(ctx: Ctx, t: Tile) -> bool:
    """Whether a tile is exactly i32."""
    return concrete(ctx.dtype(t.dtype)) == dt.INT32

"""Constructs that make tiles or change their shape (``cuda/tile/_ir/ops.py``)."""

from __future__ import annotations

from cutile2rs.ir.core import TileType
from cutile2rs.ir.expr import Expr, Lit, fn
from cutile2rs.lowering import arith, arrays
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.static import (
    expect_axis,
    expect_const,
    expect_dtype,
    expect_int,
    expect_shape,
    expect_tile,
    is_none,
    items_of,
)
from cutile2rs.lowering.values import ArrayShape, External, ListValue, PyValue, Sequence, Static, Tile


def product(ctx: Ctx, dims: tuple[Expr, ...]) -> Expr:
    """Number of elements."""
    total: Expr = Lit(1)
    for d in dims:
        total = arith.fold(ctx, "mul", total, d)
    return total


@lowering("full")
def full(ctx: Ctx, shape: PyValue, fill_value: PyValue, dtype: PyValue) -> PyValue:
    """``ct.full``: a constant tile, or a scalar cast and broadcast."""
    dims, d = expect_shape(ctx, shape), expect_dtype(ctx, dtype, "dtype")
    fill = expect_tile(ctx, fill_value, "fill_value")
    if fill.const is not None:
        return constant_tile(ctx, fill.const, TileType(d, dims))
    return arith.broadcast_to(ctx, arith.astype(ctx, fill, d), dims)


def constant_tile(ctx: Ctx, value: Expr, type_: TileType) -> Tile:
    """A tile whose elements are all ``value``; a 0-d one stays a constant."""
    scalar = arith.astype(ctx, arith.loose(ctx.path.simplify(value)), type_.dtype)
    if not type_.shape:
        return scalar
    assert scalar.const is not None
    return ctx.tile("const", [], TileType(scalar.dtype, type_.shape), value=scalar.const)


@lowering("filled")
def filled(ctx: Ctx, value: int, shape: PyValue, dtype: PyValue) -> PyValue:
    """``ct.zeros`` and ``ct.ones``."""
    return constant_tile(ctx, Lit(value), TileType(expect_dtype(ctx, dtype, "dtype"), expect_shape(ctx, shape)))


@lowering("arange")
def arange(ctx: Ctx, size: PyValue, dtype: PyValue, start: PyValue, step: PyValue) -> PyValue:
    """``ct.arange``: an iota, multiplied and shifted where asked."""
    [n] = expect_shape(ctx, size, "size")
    d = expect_dtype(ctx, dtype, "dtype")
    own = d if ctx.category(d) == "int" or (ctx.category(d) is None and not ctx.is_float(d)) else arith.INT32
    result = arith.astype(ctx, ctx.tile("iota", [], TileType(own, (n,))), d)
    for op, v, neutral in (("mul", step, 1), ("add", start, 0)):
        t = expect_tile(ctx, v, "start and step")
        if not (t.const is not None and ctx.path.simplify(t.const) == Lit(neutral)):
            result = arith.binary(ctx, op, result, arith.astype(ctx, t, d))
    return result


@lowering("reshape")
def reshape(ctx: Ctx, x: PyValue, shape: PyValue) -> PyValue:
    """``ct.reshape``; one dimension may be -1."""
    t = expect_tile(ctx, x, "x")
    dims = [expect_const(ctx, i, "shape") for i in items_of(ctx, shape)]
    unknown = [i for i, d in enumerate(dims) if isinstance(d, Lit) and d.value == -1]
    if len(unknown) > 1:
        raise Illegal("only one dimension can be -1")
    total = product(ctx, t.shape)
    if unknown:
        known = product(ctx, tuple(d for i, d in enumerate(dims) if i != unknown[0]))
        dims[unknown[0]] = _divide(ctx, total, known)
    elif product(ctx, tuple(dims)) != total and sorted(map(repr, _core(dims))) != sorted(map(repr, _core(t.shape))):
        ctx.path.require(fn("eq", product(ctx, tuple(dims)), total), "reshape changes the number of elements")
    return arith.reshape_to(ctx, t, tuple(dims))


def _core(dims: list[Expr] | tuple[Expr, ...]) -> list[Expr]:
    """Dimensions other than 1: two shapes with the same ones have the same number of elements."""
    return [d for d in dims if d != Lit(1)]


def _divide(ctx: Ctx, total: Expr, known: Expr) -> Expr:
    if known == Lit(1):
        return total
    ctx.path.require(fn("eq", arith.fold(ctx, "mod", total, known), Lit(0)), "cannot reshape")
    return arith.fold(ctx, "floordiv", total, known)


@lowering("broadcast_to")
def broadcast_to(ctx: Ctx, x: PyValue, shape: PyValue) -> PyValue:
    """``ct.broadcast_to``."""
    return arith.broadcast_to(ctx, expect_tile(ctx, x, "x"), expect_shape(ctx, shape))


@lowering("expand_dims")
def expand_dims(ctx: Ctx, x: PyValue, axis: PyValue) -> PyValue:
    """``ct.expand_dims``."""
    t = expect_tile(ctx, x, "x")
    at = expect_axis(ctx, axis, len(t.shape) + 1)
    return arith.reshape_to(ctx, t, (*t.shape[:at], Lit(1), *t.shape[at:]))


def subscript_tile(ctx: Ctx, t: Tile, index: PyValue) -> Tile:
    """``x[:, None]``: only new axes, full slices and one Ellipsis."""
    keys = items_of(ctx, index)
    full_slice, ellipsis = Static(slice(None)), Static(...)
    if any(k not in (full_slice, ellipsis, Static(None)) for k in keys):
        raise ctx.refuse("a tile takes only `None`, `:` and `...` as subscripts", "use ct.extract to read elements")
    new_rank = len(t.shape) + sum(1 for k in keys if is_none(k))
    if Static(...) in keys:
        at = keys.index(ellipsis)
        fill = new_rank - (len(keys) - 1)
        keys = (*keys[:at], *([full_slice] * fill), *keys[at + 1 :])
    dims = list(t.shape)
    for i, k in enumerate(keys):
        if is_none(k):
            dims.insert(i, Lit(1))
    return arith.reshape_to(ctx, t, tuple(dims))


@lowering("permute")
def permute(ctx: Ctx, x: PyValue, axes: PyValue) -> PyValue:
    """``ct.permute``."""
    t = expect_tile(ctx, x, "x")
    order = tuple(expect_axis(ctx, a, len(t.shape)) for a in items_of(ctx, axes))
    if sorted(order) != list(range(len(t.shape))):
        raise Illegal("the axes are no permutation of the tile's axes")
    return permute_to(ctx, t, order)


def permute_to(ctx: Ctx, t: Tile, order: tuple[int, ...]) -> Tile:
    """The tile with its axes in another order."""
    return ctx.tile("permute", [ctx.value(t)], TileType(t.dtype, tuple(t.shape[a] for a in order)), axes=order)


@lowering("transpose")
def transpose(ctx: Ctx, x: PyValue, axis0: PyValue, axis1: PyValue) -> PyValue:
    """``ct.transpose``: of two axes, by default of a matrix."""
    t = expect_tile(ctx, x, "x")
    rank = len(t.shape)
    if is_none(axis0) != is_none(axis1) or rank < 2:
        raise Illegal("transpose takes both axes or none, and a tile of rank 2 or more")
    if is_none(axis0):
        if rank != 2:
            raise Illegal("transpose needs its axes for a tile of rank other than 2")
        a0, a1 = 0, 1
    else:
        a0, a1 = expect_axis(ctx, axis0, rank), expect_axis(ctx, axis1, rank)
    order = list(range(rank))
    order[a0], order[a1] = order[a1], order[a0]
    return permute_to(ctx, t, tuple(order))


@lowering("bid")
def bid(ctx: Ctx, op: str, axis: PyValue) -> PyValue:
    """``ct.bid`` and ``ct.num_blocks``."""
    at = expect_int(ctx, axis, "axis")
    if at not in (0, 1, 2):
        raise Illegal("axis must be 0, 1 or 2")
    return ctx.tile(op, [], TileType(arith.INT32), axis=at)


@lowering("len")
def length(ctx: Ctx, x: PyValue) -> PyValue:
    """``len`` of a tuple, of an array's shape or of a list of arrays."""
    if isinstance(x, Sequence):
        return arith.loose(Lit(len(x.items)))
    if isinstance(x, ArrayShape):
        return arith.loose(Lit(arrays.rank_of(ctx, x.owner.array)))
    if isinstance(x, ListValue):
        return arrays.list_length(ctx, x)
    raise ctx.refuse("len() is known here for tuples and lists of arrays only")


def constant_of_path(path: str) -> Lit | None:
    """Numbers of the ``math`` module and of numpy."""
    import math

    module, _, name = path.rpartition(".")
    if module in ("math", "numpy", "torch") and name in ("inf", "nan", "pi", "e", "tau"):
        return Lit(getattr(math, name))
    return None


def as_value(v: PyValue) -> PyValue:
    """Turn an outside name that denotes a number into that number."""
    if isinstance(v, External) and (found := constant_of_path(v.path)) is not None:
        return arith.loose(found)
    return v

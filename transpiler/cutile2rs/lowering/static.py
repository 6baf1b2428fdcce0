"""Reading values that must be known at compile time: shapes, axes, enum members, flags."""

from __future__ import annotations

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.expr import Expr, Lit, fn, kind
from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.values import DTypeValue, External, PyValue, Sequence, Static, Tile, describe

_TORCH_NAMES = {"bool": "bool_", "half": "float16", "float": "float32", "double": "float64", "int": "int32",
                "long": "int64", "short": "int16"}  # fmt: skip
_DTYPE_MODULES = ("cuda.tile", "torch", "numpy", "jax.numpy", "ml_dtypes")


def expect_tile(ctx: Ctx, v: PyValue, what: str) -> Tile:
    """A numeric value."""
    if isinstance(v, Tile):
        return v
    raise ctx.refuse(f"{what} must be a tile or a number, not {describe(v)}")


def expect_const(ctx: Ctx, v: PyValue, what: str) -> Expr:
    """A compile-time number, symbolic or literal."""
    if isinstance(v, Tile) and v.const is not None and not v.shape:
        return ctx.path.simplify(v.const)
    raise ctx.refuse(f"{what} must be a compile-time constant, not {describe(v)}", code="C2R301")


def expect_int(ctx: Ctx, v: PyValue, what: str) -> int:
    """A literal int, after everything the path knows; a symbolic one is refused (it would need one entry a value)."""
    e = expect_const(ctx, v, what)
    if isinstance(e, Lit) and isinstance(e.value, int):
        return int(e.value)
    raise ctx.refuse(
        f"{what} must be known when the kernel is converted, but it depends on a Constant parameter",
        "compare the parameter with the values it takes (`if AXIS == 0: ...`), so that each gets its own entry",
        "C2R301",
    )


def expect_flag(ctx: Ctx, v: PyValue, what: str) -> bool:
    """A compile-time bool; a symbolic one splits the path."""
    e = expect_const(ctx, v, what)
    return ctx.path.decide(e if kind(e) == "bool" else fn("bool", e))


def is_none(v: PyValue) -> bool:
    """Whether the value is None."""
    return isinstance(v, Static) and v.value is None


def optional_int(ctx: Ctx, v: PyValue, what: str) -> int | None:
    """An int or None."""
    return None if is_none(v) else expect_int(ctx, v, what)


def expect_enum(ctx: Ctx, v: PyValue, enum: str, what: str) -> str:
    """The member name of a ``cuda.tile`` enum."""
    prefix = f"cuda.tile.{enum}."
    if isinstance(v, External) and v.path.startswith(prefix):
        return v.path[len(prefix) :]
    raise ctx.refuse(f"{what} must be a member of ct.{enum}, not {describe(v)}")


def optional_enum(ctx: Ctx, v: PyValue, enum: str, what: str) -> str | None:
    """An enum member's name or None."""
    return None if is_none(v) else expect_enum(ctx, v, enum, what)


def expect_dtype(ctx: Ctx, v: PyValue, what: str) -> Expr:
    """A dtype: cuTile's, torch's or numpy's object of that name."""
    if isinstance(v, DTypeValue):
        return ctx.dtype(v.dtype)
    if isinstance(v, External):
        found = dtype_of_path(v.path)
        if found is not None:
            return Lit(found)
    raise ctx.refuse(f"{what} must be a dtype, not {describe(v)}")


def dtype_of_path(path: str) -> dt.DType | None:
    """The dtype that a dotted outside name denotes (``cuda.tile.float32``, ``torch.bfloat16``), if any."""
    module, _, name = path.rpartition(".")
    if module not in _DTYPE_MODULES:
        return None
    if module == "torch":
        name = _TORCH_NAMES.get(name, name)
    return dt.BY_NAME.get(name)


def items_of(ctx: Ctx, v: PyValue) -> tuple[PyValue, ...]:
    """The items of a tuple, or the value alone."""
    return v.items if isinstance(v, Sequence) else (v,)


def expect_shape(ctx: Ctx, v: PyValue, what: str = "shape") -> tuple[Expr, ...]:
    """A tile shape: symbolic ints, each a power of two (a symbolic one is required to be at dispatch)."""
    shape = tuple(expect_const(ctx, i, what) for i in items_of(ctx, v))
    for d in shape:
        if isinstance(d, Lit) and (not isinstance(d.value, int) or d.value <= 0 or d.value & (d.value - 1)):
            raise ctx.refuse(
                f"{what}: {d.value} is not a power of two", "cuTile tiles have power-of-two sizes", "C2R204"
            )
        if not isinstance(d, Lit):
            ctx.path.require(fn("is_pow2", d), "a tile size is not a power of two")
    return shape


def expect_axis(ctx: Ctx, v: PyValue, rank: int, what: str = "axis") -> int:
    """An axis, normalised to be non-negative."""
    axis = expect_int(ctx, v, what)
    if not -rank <= axis < rank:
        raise Illegal(f"{what} {axis} is out of range for rank {rank}")
    return axis % rank


def truth(ctx: Ctx, e: Expr) -> bool:
    """The truth value of a constant, splitting the path where it depends on the launch."""
    if kind(e) == "none":
        return False
    return ctx.path.decide(e if kind(e) == "bool" else fn("bool", e))

"""Python that runs on the host before cuTile compiles: module-level constants, ``ct.static_eval`` and ``ct.static_assert``.

There ``math`` and more builtins can be called than in device code, and nothing may be emitted.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from types import MappingProxyType

from cutile2rs.frontend.names import CUDA_TILE, PUBLIC
from cutile2rs.ir import limits
from cutile2rs.ir.expr import Lit, kind
from cutile2rs.lowering import arith, expressions
from cutile2rs.lowering.context import Ctx, Refusal
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.static import expect_const, expect_dtype, is_none, items_of
from cutile2rs.lowering.values import PyValue, Static, loose


def value(ctx: Ctx, node: ast.expr, reason: str) -> PyValue:
    """The value of an expression that the host evaluates; ``reason`` says what is wrong if it needs a run-time operation."""
    saved, ctx.host = ctx.host, True
    try:
        with ctx.nested() as block:
            v = expressions.evaluate(ctx, node)
    finally:
        ctx.host = saved
    if block.ops:
        raise ctx.refuse(reason, code="C2R301", node=node)
    return v


def _static_eval(ctx: Ctx, node: ast.Call) -> PyValue:
    if len(node.args) != 1 or node.keywords:
        raise ctx.refuse("ct.static_eval takes one expression")
    return value(ctx, node.args[0], "this value is not known at compile time")


def _static_assert(ctx: Ctx, node: ast.Call) -> PyValue:
    """Launches for which it fails are rejected by cuTile too. Only then does cuTile evaluate the message."""
    if len(node.args) not in (1, 2) or node.keywords:
        raise ctx.refuse("ct.static_assert takes a condition and a message, both positional")
    condition = expect_const(
        ctx, value(ctx, node.args[0], "the condition is not known at compile time"), "the condition"
    )
    if kind(condition) != "bool":
        raise Illegal("the condition of ct.static_assert must be a bool")
    message = f": {ast.unparse(node.args[1])}" if len(node.args) == 2 else ""
    ctx.path.require(condition, f"ct.static_assert fails{message}")
    return Static(None)


#: Calls whose arguments the host evaluates; cuTile recognises them in the syntax.
STATIC_CALLS: dict[str, Callable[[Ctx, ast.Call], PyValue]] = {
    "cuda.tile.static_eval": _static_eval,
    "cuda.tile.static_assert": _static_assert,
}


@lowering("static_call")
def static_call(ctx: Ctx, **arguments: PyValue) -> PyValue:
    """A call of :data:`STATIC_CALLS` by another name than its own, which cuTile refuses too."""
    raise ctx.refuse("this function must be called directly by its name, as ct.static_eval(...)")


@lowering("host_math")
def host_math(ctx: Ctx, op: str, **arguments: PyValue) -> PyValue:
    """A function of the ``math`` module, or a builtin that only the host has, on constants."""
    if not ctx.host:
        raise ctx.refuse(
            "cuTile cannot call this function in device code", "use ct.static_eval(...), or a module-level constant"
        )
    args = [expect_const(ctx, v, name) for name, v in arguments.items() if not is_none(v)]
    return loose(arith.fold(ctx, op, *args))


@lowering("host_log")
def host_log(ctx: Ctx, x: PyValue, base: PyValue) -> PyValue:
    """``math.log``, with its optional base."""
    number = host_math(ctx, "log", x=x)
    return (
        number
        if is_none(base)
        else loose(
            arith.fold(
                ctx, "truediv", expect_const(ctx, number, "x"), expect_const(ctx, host_math(ctx, "log", x=base), "base")
            )
        )
    )


@lowering("extremum")
def extremum(ctx: Ctx, op: str, x: PyValue, y: PyValue, z: PyValue, w: PyValue) -> PyValue:
    """``min`` and ``max``: of two values; the host also takes more, or a tuple."""
    values = [v for v in (x, y, z, w) if not is_none(v)]
    if len(values) != 2 and not ctx.host:
        raise ctx.refuse(f"cuTile's {op}() takes two values")
    found, *rest = values if len(values) > 1 else items_of(ctx, x)
    for v in rest:
        found = _binary(ctx, op, found, v)
    return found


def _binary(ctx: Ctx, op: str, x: PyValue, y: PyValue) -> PyValue:
    from cutile2rs.lowering.elementwise import binary

    return binary(ctx, op, x, y)


LIMITS = {"torch.finfo": limits.finfo, "torch.iinfo": limits.iinfo}


@lowering("dtype_limits")
def dtype_limits(ctx: Ctx, path: str, dtype: PyValue) -> PyValue:
    """``torch.finfo`` and ``torch.iinfo``: their numbers, by name."""
    if not ctx.host:
        raise ctx.refuse("cuTile cannot call this function in device code", "use a module-level constant")
    found = expect_dtype(ctx, dtype, "the argument")
    numbers = LIMITS[path](found.value) if isinstance(found, Lit) else None
    if numbers is None:
        raise ctx.refuse(f"{path} of this dtype has no rule", code="C2R401")
    return Static(MappingProxyType(numbers))


def missing(ctx: Ctx, path: str) -> Refusal:
    """Why a construct has no rule: cuTile has no such thing, or it is a hole."""
    module, _, name = path.rpartition(".")
    if path.startswith(f"{CUDA_TILE}.") and path.removeprefix(f"{CUDA_TILE}.").split(".")[0] not in PUBLIC:
        return ctx.refuse(f"cuda-tile 1.7 has no `ct.{path.removeprefix(CUDA_TILE + '.')}`")
    is_builtin = module == "builtins" and hasattr(builtins, name) and name != "print"
    if not ctx.host and (is_builtin or module == "math"):
        shown = name if module == "builtins" else path
        return ctx.refuse(
            f"cuTile cannot call {shown}() in device code", "use ct.static_eval(...), or a module-level constant"
        )
    if module == "builtins" and not hasattr(builtins, name):
        return ctx.refuse(f"the name `{name}` is not defined")
    shown = path.removeprefix("operator.").removeprefix("builtins.")
    return ctx.refuse(
        f"no rule for `{shown}`", "`cutile2rs rules` lists the constructs that are converted", code="C2R401"
    )

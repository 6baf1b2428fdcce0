"""Reading expressions: one handler a syntax node, each emitting operations in Python's evaluation order."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import MappingProxyType

from cutile2rs.frontend import bindings as b
from cutile2rs.ir.expr import Expr, Lit, fn
from cutile2rs.lowering import arrays, calls, classes, control, host, keywords, merging, shape, unroll
from cutile2rs.lowering.context import Ctx, Refusal
from cutile2rs.lowering.oracle import Illegal
from cutile2rs.lowering.static import dtype_of_path, expect_const, expect_int, is_none, truth
from cutile2rs.lowering.values import (
    ArrayShape,
    ArrayValue,
    DTypeValue,
    External,
    Formatted,
    FunctionValue,
    Keywords,
    LazyScalar,
    ListValue,
    Method,
    PyValue,
    RawMemory,
    Sequence,
    Static,
    Tile,
    TiledView,
    Unbound,
    UserClass,
    UserModule,
    describe,
    loose,
)

BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.MatMult: "@",
}  # fmt: skip
_UNARY = {ast.USub: "-x", ast.UAdd: "+x", ast.Not: "not x", ast.Invert: "~x"}
_COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def evaluate(ctx: Ctx, node: ast.expr) -> PyValue:
    """The value of an expression; a refusal below is located at the innermost node that raised it."""
    handler = _HANDLERS.get(type(node))
    saved, ctx.node = ctx.node, node
    try:
        if handler is None:
            raise ctx.refuse(f"`{type(node).__name__}` expressions are not supported in kernels", code="C2R201")
        return handler(ctx, node)
    except (Refusal, Illegal) as problem:
        if problem.file is None:
            problem.file, problem.node = ctx.frame.module.file, problem.node or node
        raise
    finally:
        ctx.node = saved


def _constant(ctx: Ctx, node: ast.Constant) -> PyValue:
    value = node.value
    return loose(Lit(value)) if isinstance(value, (bool, int, float)) else Static(value)


def _name(ctx: Ctx, node: ast.Name) -> PyValue:
    found = ctx.frame.lookup(node.id)
    found = None if found is None else merging.resolve(ctx, found)
    if isinstance(found, Unbound):
        raise ctx.refuse(found.reason, code=found.code)
    if isinstance(found, LazyScalar):
        return ctx.scalar(found.name, found.dtype)
    if found is not None:
        return found
    return global_name(ctx, node.id)


def global_name(ctx: Ctx, name: str) -> PyValue:
    """A module-level name or a builtin."""
    binding = ctx.frame.module.resolve(name, ctx.frame.before)
    if binding is None:
        return External(f"builtins.{name}")
    return from_binding(ctx, name, binding)


def from_binding(ctx: Ctx, name: str, binding: b.Binding) -> PyValue:
    """The value of what a module-level name stands for."""
    match binding:
        case b.ExternalModule(dotted):
            return External(dotted)
        case b.ExternalName():
            return shape.as_value(External(binding.dotted))
        case b.UserModule(module):
            return UserModule(module)
        case b.Function(module, node):
            return FunctionValue(module, node)
        case b.Class(module, class_node):
            return UserClass(module, class_node)
        case b.Constant(module, expr, _, line):
            return calls.module_constant(ctx, module, expr, line)
        case b.Unknown(reason):
            raise ctx.refuse(reason, code="C2R106")
        case _:
            raise ctx.refuse(f"`{name}` cannot be used inside a kernel", code="C2R201")


def _attribute(ctx: Ctx, node: ast.Attribute) -> PyValue:
    return attribute(ctx, evaluate(ctx, node.value), node.attr)


def attribute(ctx: Ctx, v: PyValue, name: str) -> PyValue:
    """``v.name``."""
    if isinstance(v, External):
        return shape.as_value(External(f"{v.path}.{name}"))
    if isinstance(v, UserModule):
        found = v.module.attribute(name)
        if found is not None:
            return from_binding(ctx, name, found)
    if isinstance(v, Keywords) and name == "get":
        return Method(v, "builtins.dict.get")
    if isinstance(v, UserClass):
        return classes.class_attribute(ctx, v, name)
    if isinstance(v, Sequence) and v.cls is not None:
        return classes.instance_attribute(ctx, v, v.cls, name)
    if isinstance(v, (ArrayValue, TiledView, RawMemory)):
        return arrays.attribute(ctx, v, name)
    if isinstance(v, Tile) and not (v.loose and v.const is not None):
        if name == "dtype":
            return DTypeValue(ctx.dtype(v.dtype))
        if name == "shape":
            return Sequence(tuple(loose(d) for d in v.shape))
        if name == "ndim":
            return loose(Lit(len(v.shape)))
        return Method(v, f"cuda.tile.{'Tile.' if name == 'item' else ''}{name}")
    if isinstance(v, Static) and isinstance(v.value, MappingProxyType) and name in v.value:
        return loose(Lit(v.value[name]))
    if isinstance(v, Tile) and ctx.host and name == "bit_length":
        return Method(v, "builtins.int.bit_length")
    raise ctx.refuse(f"{describe(v)} has no attribute `{name}` here", code="C2R205")


def _subscript(ctx: Ctx, node: ast.Subscript) -> PyValue:
    v, index = evaluate(ctx, node.value), evaluate(ctx, node.slice)
    if isinstance(v, ArrayShape):
        return arrays.shape_item(ctx, v, index)
    if isinstance(v, ListValue):
        return arrays.list_item(ctx, v, index)
    if isinstance(v, Keywords):
        return keywords.item(ctx, v, index)
    if isinstance(v, Sequence):
        if isinstance(index, Static) and isinstance(index.value, slice):
            return Sequence(v.items[index.value])
        i = expect_int(ctx, index, "the index of a tuple")
        if not -len(v.items) <= i < len(v.items):
            raise ctx.refuse(f"the tuple has {len(v.items)} items, there is no item {i}", code="C2R205")
        return v.items[i]
    if isinstance(v, Tile):
        return shape.subscript_tile(ctx, v, index)
    raise ctx.refuse(f"{describe(v)} cannot be subscripted here", code="C2R205")


def _slice(ctx: Ctx, node: ast.Slice) -> PyValue:
    def bound(e: ast.expr | None) -> int | None:
        return None if e is None else expect_int(ctx, evaluate(ctx, e), "a slice bound")

    return Static(slice(bound(node.lower), bound(node.upper), bound(node.step)))


def _sequence(ctx: Ctx, node: ast.Tuple | ast.List) -> PyValue:
    items: list[PyValue] = []
    for e in node.elts:
        if isinstance(e, ast.Starred):
            items.extend(unpack(ctx, evaluate(ctx, e.value)))
        else:
            items.append(evaluate(ctx, e))
    return Sequence(tuple(items))


def unpack(ctx: Ctx, v: PyValue, count: int | None = None) -> tuple[PyValue, ...]:
    """The items of something iterable at compile time."""
    if isinstance(v, ArrayShape):
        v = arrays.extents(ctx, v, count)
    if not isinstance(v, Sequence):
        raise ctx.refuse(f"{describe(v)} cannot be unpacked", code="C2R205")
    if count is not None and len(v.items) != count:
        raise ctx.refuse(f"{len(v.items)} values cannot be unpacked into {count} names", code="C2R205")
    return v.items


def _binop(ctx: Ctx, node: ast.BinOp) -> PyValue:
    left = evaluate(ctx, node.left)
    return operator(ctx, BINARY[type(node.op)], left, evaluate(ctx, node.right))


def operator(ctx: Ctx, symbol: str, left: PyValue, right: PyValue) -> PyValue:
    """A binary operator on two values."""
    if symbol == "+" and isinstance(left, Sequence) and isinstance(right, Sequence):
        return Sequence(left.items + right.items)
    return calls.construct(ctx, f"operator.{symbol}", [left, right], {})


def _unaryop(ctx: Ctx, node: ast.UnaryOp) -> PyValue:
    return calls.construct(ctx, f"operator.{_UNARY[type(node.op)]}", [evaluate(ctx, node.operand)], {})


def _compare(ctx: Ctx, node: ast.Compare) -> PyValue:
    left = evaluate(ctx, node.left)
    return _compare_chain(ctx, left, list(zip(node.ops, node.comparators, strict=True)))


def _compare_chain(ctx: Ctx, left: PyValue, rest: list[tuple[ast.cmpop, ast.expr]]) -> PyValue:
    (op, node), *more = rest
    right = evaluate(ctx, node)
    result = compare(ctx, op, left, right)
    if not more:
        return result
    return control.choose(ctx, result, lambda: _compare_chain(ctx, right, more), lambda: result)


def compare(ctx: Ctx, op: ast.cmpop, left: PyValue, right: PyValue) -> PyValue:
    """One comparison; of dtypes, enums, strings and None at compile time."""
    if isinstance(op, (ast.Is, ast.IsNot)):
        return loose(_negate(_same_object(ctx, left, right), isinstance(op, ast.IsNot)))
    if isinstance(op, (ast.In, ast.NotIn)):
        right = keywords.names(right) if isinstance(right, Keywords) else right
        found = any(truth(ctx, _equal_const(ctx, left, item)) for item in unpack(ctx, right))
        return loose(Lit(found is isinstance(op, ast.In)))
    if isinstance(left, Tile) and isinstance(right, Tile):
        return calls.construct(ctx, f"operator.{_COMPARE[type(op)]}", [left, right], {})
    if isinstance(op, (ast.Eq, ast.NotEq)):
        return loose(_negate(_equal_const(ctx, left, right), isinstance(op, ast.NotEq)))
    raise ctx.refuse(f"{describe(left)} and {describe(right)} cannot be ordered", code="C2R205")


def _negate(e: Expr, yes: bool) -> Expr:
    return fn("not", e) if yes else e


def _same_object(ctx: Ctx, left: PyValue, right: PyValue) -> Expr:
    if is_none(left) or is_none(right):
        return Lit(is_none(left) and is_none(right))
    return _equal_const(ctx, left, right)


def _equal_const(ctx: Ctx, left: PyValue, right: PyValue) -> Expr:
    a, c = _dtype_of(left), _dtype_of(right)
    if a is not None and c is not None:
        return fn("eq", ctx.dtype(a), ctx.dtype(c))
    if isinstance(left, Tile) and isinstance(right, Tile):
        return fn("eq", expect_const(ctx, left, "the operand"), expect_const(ctx, right, "the operand"))
    if isinstance(left, Sequence) and isinstance(right, Sequence):
        return Lit(
            len(left.items) == len(right.items)
            and all(truth(ctx, _equal_const(ctx, x, y)) for x, y in zip(left.items, right.items, strict=True))
        )
    return Lit(left == right)


def _dtype_of(v: PyValue) -> Expr | None:
    if isinstance(v, DTypeValue):
        return v.dtype
    if isinstance(v, External) and (found := dtype_of_path(v.path)) is not None:
        return Lit(found)
    return None


def _boolop(ctx: Ctx, node: ast.BoolOp) -> PyValue:
    return _boolop_chain(ctx, isinstance(node.op, ast.And), node.values)


def _boolop_chain(ctx: Ctx, conjunction: bool, values: list[ast.expr]) -> PyValue:
    first = control.as_condition(ctx, evaluate(ctx, values[0]))
    if len(values) == 1:
        return first

    def rest() -> PyValue:
        return _boolop_chain(ctx, conjunction, values[1:])

    return (
        control.choose(ctx, first, rest, lambda: first)
        if conjunction
        else control.choose(ctx, first, lambda: first, rest)
    )


def _ifexp(ctx: Ctx, node: ast.IfExp) -> PyValue:
    cond = control.as_condition(ctx, evaluate(ctx, node.test))
    return control.choose(ctx, cond, lambda: evaluate(ctx, node.body), lambda: evaluate(ctx, node.orelse))


def _call(ctx: Ctx, node: ast.Call) -> PyValue:
    callee = evaluate(ctx, node.func)
    if isinstance(callee, External) and callee.path in host.STATIC_CALLS:
        return host.STATIC_CALLS[callee.path](ctx, node)
    comprehension = unroll.comprehension(ctx, node)
    if comprehension is not None:
        return comprehension
    args: list[PyValue] = []
    for a in node.args:
        if isinstance(a, ast.Starred):
            args.extend(unpack(ctx, evaluate(ctx, a.value)))
        else:
            args.append(evaluate(ctx, a))
    kwargs: dict[str, PyValue] = {}
    for k in node.keywords:
        more = keywords.spread(ctx, evaluate(ctx, k.value)) if k.arg is None else {k.arg: evaluate(ctx, k.value)}
        if twice := kwargs.keys() & more:
            raise ctx.refuse(f"`{min(twice)}` is given twice", code="C2R205")
        kwargs.update(more)
    return calls.call(ctx, callee, args, kwargs)


def _joined_str(ctx: Ctx, node: ast.JoinedStr) -> PyValue:
    pieces: list[str | tuple[PyValue, str | None]] = []
    for part in node.values:
        if isinstance(part, ast.Constant):
            pieces.append(str(part.value))
        elif isinstance(part, ast.FormattedValue):
            if part.conversion != -1 and not ctx.host:
                raise ctx.refuse("cuTile has no `!r`, `!s` and `!a` in f-strings", code="C2R205")
            spec = None if part.format_spec is None else ast.unparse(part.format_spec)[2:-1]
            pieces.append((evaluate(ctx, part.value), spec))
    return Formatted(tuple(pieces))


def _lambda(ctx: Ctx, node: ast.Lambda) -> PyValue:
    return FunctionValue(ctx.frame.module, node, ctx.frame)


_HANDLERS: dict[type[ast.expr], Callable[..., PyValue]] = {
    ast.Constant: _constant, ast.Name: _name, ast.Attribute: _attribute, ast.Subscript: _subscript, ast.Slice: _slice,
    ast.Tuple: _sequence, ast.List: _sequence, ast.BinOp: _binop, ast.UnaryOp: _unaryop, ast.Compare: _compare,
    ast.BoolOp: _boolop, ast.IfExp: _ifexp, ast.Call: _call, ast.Lambda: _lambda, ast.JoinedStr: _joined_str,
}  # fmt: skip

"""Symbolic constants: what Python's JIT knows when it compiles one launch, kept as expressions over the kernel's parameters.

An expression is built from literals, parameters (``TILE``, ``dtype(x)``) and pure functions with Python's own semantics.
It is evaluated at dispatch time to pick an entry (predicates) and to compute const generics (derived constants).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, Self

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.dtypes import DType
from cutile2rs.ir.functions import FUNCTIONS as FUNCTIONS
from cutile2rs.ir.functions import EvalError as EvalError


class _Interned:
    """Base of expressions: two that are equal are one object, so that comparing and hashing them, which a conversion does
    all the time, cost next to nothing. They never change."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class Lit(_Interned):
    """A known value: int, float, bool, str, None or a :class:`DType`."""

    __slots__ = ("value",)
    value: Any

    def __new__(cls, value: Any) -> Lit:
        # 1 == 1.0 == True in Python, but they are different constants here; 0.0 and -0.0 too.
        key = (type(value), repr(value) if isinstance(value, float) else value)
        known = _LITERALS.get(key)
        if known is None:
            known = _LITERALS[key] = object.__new__(cls)
            known.value = value
        return known

    def __reduce__(self) -> tuple[Any, ...]:
        return Lit, (self.value,)

    def __repr__(self) -> str:
        return f"Lit({self.value!r})"


class Param(_Interned):
    """A value known only at launch. ``kind``: int, float, bool, str, any (constants), dtype (of an array or scalar)."""

    __slots__ = ("kind", "name")
    name: str
    kind: str

    def __new__(cls, name: str, kind: str) -> Param:
        known = _PARAMS.get((name, kind))
        if known is None:
            known = _PARAMS[name, kind] = object.__new__(cls)
            known.name, known.kind = name, kind
        return known

    def __reduce__(self) -> tuple[Any, ...]:
        return Param, (self.name, self.kind)

    def __repr__(self) -> str:
        return f"Param({self.name!r}, {self.kind!r})"


class Fn(_Interned):
    """A pure function of symbolic constants; ``op`` is a key of the function table."""

    __slots__ = ("args", "op")
    op: str
    args: tuple[Expr, ...]

    def __new__(cls, op: str, args: tuple[Expr, ...]) -> Fn:
        known = _FUNCTIONS.get((op, args))
        if known is None:
            known = _FUNCTIONS[op, args] = object.__new__(cls)
            known.op, known.args = op, args
        return known

    def __reduce__(self) -> tuple[Any, ...]:
        return Fn, (self.op, self.args)

    def __repr__(self) -> str:
        return f"Fn({self.op!r}, {self.args!r})"


_LITERALS: dict[tuple[type, Any], Lit] = {}
_PARAMS: dict[tuple[str, str], Param] = {}
_FUNCTIONS: dict[tuple[str, tuple[Any, ...]], Fn] = {}

Expr = Lit | Param | Fn

TRUE, FALSE = Lit(True), Lit(False)


_BOOL_RESULT = frozenset(
    "eq ne lt le gt ge not bool is_none isnan isinf isfinite is_float is_unrestricted_float is_integral is_arithmetic is_bool "
    "is_restricted is_signed promotable implicit_cast_ok literal_cast_ok is_pow2 is_plain is_array kind_int kind_bool "
    "kind_float literal_fits is_float_cast is_mma is_matmul is_mma_fast is_mma_scaled is_scale_block is_reducible "
    "is_short".split()
)
_FLOAT_RESULT = frozenset(
    "truediv float exp log log2 log10 log1p expm1 sqrt sin cos tan sinh cosh tanh rsqrt atan2 fpow fabs erf".split()
)
_INT_RESULT = frozenset(
    "int floor ceil trunc round gcd isqrt bit_length bits f32_bits float_bits f64_low_bits f64_high_bits invert lshift "
    "rshift".split()
)
_DTYPE_RESULT = frozenset("promote promote_float promote_literal promote_literal_float accumulator".split())


def lit(value: Any) -> Lit:
    """The literal ``value``."""
    return Lit(value)


@lru_cache(maxsize=65536)
def fn(op: str, *args: Expr) -> Expr:
    """``op(*args)``, folded where all arguments are known and simplified by identities that hold for Python ints."""
    if all(isinstance(a, Lit) for a in args):
        try:
            return Lit(FUNCTIONS[op](*(a.value for a in args if isinstance(a, Lit))))
        except EvalError:
            raise
        except (ArithmeticError, ValueError, TypeError) as error:
            raise EvalError(str(error)) from error
    return _simplify(op, args)


def where(condition: Expr, value: Expr, default: int) -> Expr:
    """``value`` where ``condition`` holds, and ``default`` elsewhere, where ``value`` need not exist."""
    return value if condition == TRUE else Fn("where", (condition, value, Lit(default)))


def _simplify(op: str, args: tuple[Expr, ...]) -> Expr:
    if op in ("add", "mul") and isinstance(args[0], Lit) and kind(args[1]) == "int" and args[0] == _IDENTITY[op]:
        return args[1]
    if op in _IDENTITY and args[1] == _IDENTITY[op] and kind(args[0]) == "int":
        return args[0]
    if op in ("eq", "le", "ge") and args[0] == args[1] and kind(args[0]) != "float":
        return TRUE
    if op in ("ne", "lt", "gt") and args[0] == args[1] and kind(args[0]) != "float":
        return FALSE
    if op in ("promote", "promote_float") and args[0] == args[1] and op == "promote":
        return args[0]
    if op in ("int", "float", "bool", "pos") and kind(args[0]) == op:
        return args[0]
    if op in ("min", "max") and args[0] == args[1]:
        return args[0]
    if op in _WHOLE_DIVISIONS and kind(args[1]) == "int" and (times := _multiple(args[0], args[1])) is not None:
        return Lit(0 if op == "mod" else times)
    if op == "f32_bits" and isinstance(args[0], Fn) and args[0].op == "round_to" and args[0].args[1] == Lit(dt.FLOAT32):
        return fn(op, args[0].args[0])
    if op == "not" and isinstance(args[0], Fn):
        inner = args[0]
        if inner.op == "not":
            return inner.args[0]
        if inner.op in NEGATED and kind(inner.args[0]) != "float":
            return fn(NEGATED[inner.op], *inner.args)
    return Fn(op, args)


def _multiple(e: Expr, unit: Expr) -> int | None:
    """How many times another one an expression is, where it is so whatever that one is."""
    if e == unit:
        return 1
    if not isinstance(e, Fn) or e.op not in ("add", "sub", "mul"):
        return None
    left, right = e.args
    if e.op == "mul":
        number, other = (left, right) if isinstance(left, Lit) else (right, left)
        times = _multiple(other, unit)
        return None if times is None or not isinstance(number, Lit) or kind(number) != "int" else number.value * times
    first, second = _multiple(left, unit), _multiple(right, unit)
    if first is None or second is None:
        return None
    return first + second if e.op == "add" else first - second


#: Divisions of whole numbers. Where they have no value (by zero), cuTile rejects the launch.
_WHOLE_DIVISIONS = frozenset({"floordiv", "mod", "cdiv"})
#: Functions that have no value where the second argument is zero.
DIVISIONS = frozenset({"floordiv", "mod", "cdiv", "truediv"})
_IDENTITY: dict[str, Lit] = {"add": Lit(0), "sub": Lit(0), "mul": Lit(1), "floordiv": Lit(1)}
NEGATED = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


def kind(e: Expr) -> str:
    """The Python kind of an expression's value: int, float, bool, str, none, dtype or any (unknown)."""
    if isinstance(e, Lit):
        return _kind_of_value(e.value)
    if isinstance(e, Param):
        return e.kind
    if e.op in _BOOL_RESULT:
        return "bool"
    if e.op in _FLOAT_RESULT:
        return "float"
    if e.op in _INT_RESULT:
        return "int"
    if e.op in _DTYPE_RESULT:
        return "dtype"
    if e.op in ("round_to", "where"):
        return kind(e.args[e.op == "where"])
    kinds = {kind(a) for a in e.args}
    if kinds == {"bool"} and e.op in ("bitand", "bitor", "bitxor", "min", "max"):
        return "bool"
    if "float" in kinds:
        return "float"
    return "any" if "any" in kinds else "int"


def _kind_of_value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, DType):
        return "dtype"
    for python_type, name in ((bool, "bool"), (int, "int"), (float, "float"), (str, "str")):
        if isinstance(value, python_type):
            return name
    return "any"


def params(e: Expr) -> Iterator[Param]:
    """Every parameter the expression depends on, in order of appearance, repeats included."""
    if isinstance(e, Param):
        yield e
    elif isinstance(e, Fn):
        for a in e.args:
            yield from params(a)


@cache
def distinct_params(e: Expr) -> tuple[Param, ...]:
    """The parameters the expression depends on, each once, in order of appearance."""
    return tuple(dict.fromkeys(params(e)))


def evaluate(e: Expr, bindings: Mapping[str, Any]) -> Any:
    """The value under ``bindings`` (parameter name to value). Raises :class:`EvalError` where Python would raise."""
    if isinstance(e, Lit):
        return e.value
    if isinstance(e, Param):
        if e.name not in bindings:
            raise EvalError(f"no value for {e.name}")
        return bindings[e.name]
    if e.op == "where":
        return evaluate(e.args[1 if evaluate(e.args[0], bindings) else 2], bindings)
    try:
        return FUNCTIONS[e.op](*(evaluate(a, bindings) for a in e.args))
    except EvalError:
        raise
    except (ArithmeticError, ValueError, TypeError) as error:
        raise EvalError(str(error)) from error


def substitute(e: Expr, mapping: Mapping[Expr, Expr]) -> Expr:
    """The expression with parameters, or whole functions of them, replaced; folded again."""
    if isinstance(e, Param):
        return mapping.get(e, e)
    if isinstance(e, Fn):
        folded = fn(e.op, *(substitute(a, mapping) for a in e.args))
        return mapping.get(folded, folded)
    return e


_INFIX = {
    "add": "+", "sub": "-", "mul": "*", "floordiv": "//", "truediv": "/", "mod": "%", "pow": "**", "eq": "==", "ne": "!=",
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lshift": "<<", "rshift": ">>", "bitand": "&", "bitor": "|", "bitxor": "^",
}  # fmt: skip


def show(e: Expr) -> str:
    """Readable text, in Python's notation."""
    if isinstance(e, Lit):
        return repr(e.value)
    if isinstance(e, Param):
        return e.name
    if e.op in _INFIX and len(e.args) == 2:
        left, right = (f"({show(a)})" if isinstance(a, Fn) and a.op in _INFIX else show(a) for a in e.args)
        return f"{left} {_INFIX[e.op]} {right}"
    if e.op == "not":
        return f"not {show(e.args[0])}"
    return f"{e.op}({', '.join(show(a) for a in e.args)})"


def to_json(e: Expr) -> Any:
    """JSON form: literals as themselves, ``{"param": name, "kind": kind}``, ``{"dtype": name}``, ``[op, args...]``."""
    if isinstance(e, Lit):
        if isinstance(e.value, DType):
            return {"dtype": e.value.name}
        if isinstance(e.value, float) and not math.isfinite(e.value):
            return {"float": repr(e.value)}
        return e.value
    if isinstance(e, Param):
        return {"param": e.name, "kind": e.kind}
    return [e.op, *(to_json(a) for a in e.args)]


def from_json(data: Any) -> Expr:
    """Inverse of :func:`to_json`."""
    if isinstance(data, list):
        return Fn(data[0], tuple(from_json(a) for a in data[1:]))
    if isinstance(data, dict):
        if "dtype" in data:
            return Lit(dt.BY_NAME[data["dtype"]])
        if "float" in data:
            return Lit(float(data["float"]))
        return Param(data["param"], data["kind"])
    return Lit(data)

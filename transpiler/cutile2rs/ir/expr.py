"""Symbolic constants: what Python's JIT knows when it compiles one launch, kept as expressions over the kernel's parameters.

An expression is built from literals, parameters (``TILE``, ``dtype(x)``) and pure functions with Python's own semantics.
It is evaluated at dispatch time to pick an entry (predicates) and to compute const generics (derived constants).
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, Self

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir import floats
from cutile2rs.ir.dtypes import DType


class EvalError(ValueError):
    """A symbolic constant has no value under the given bindings (cuTile would raise for that launch)."""


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


def _cdiv(a: int, b: int) -> int:
    return -(-a // b)


def _promote(a: DType, b: DType, force_float: bool = False) -> DType:
    result = dt.promote(a, b, force_float)
    if result is None:
        raise EvalError(f"no implicit promotion of {a} and {b}")
    return result


def _promote_literal(d: DType, value: object, force_float: bool = False) -> DType:
    own = dt.dtype_of_literal(value)
    if own is None:
        raise EvalError(f"{value} fits no integer dtype")
    return dt.promote_literal(d, dt.category_of_literal(value), own, force_float)


def _literal_fits(value: int, d: DType) -> bool:
    """Whether an integer literal is in the range of the integer dtype that it meets."""
    if not dt.is_integral(d) or isinstance(value, bool):
        return True
    low, high = dt.int_range(d)
    return low <= value <= high


def _implicit_cast_ok(src: DType, dst: DType) -> bool:
    return dt.promote(src, dst) == dst


def _literal_cast_ok(value: object, dst: DType) -> bool:
    category = dt.category_of_literal(value)
    if dst == dt.BOOL:
        return category <= dt.Category.INTEGRAL and value in (0, 1)
    if category > dst.category:
        return False
    if category == dt.Category.INTEGRAL and dt.is_integral(dst):
        low, high = dt.int_range(dst)
        return isinstance(value, int) and low <= value <= high
    return True


def _f32_bits(value: float) -> int:
    """Bits of the nearest f32, as a signed 32-bit integer (how a float constant travels as a const generic)."""
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        packed = struct.pack("<f", math.copysign(math.inf, value))
    return int(struct.unpack("<i", packed)[0])


def _f64_half(value: float, high: bool) -> int:
    """One half of the bits of an f64, as a signed 32-bit integer."""
    return int(struct.unpack("<ii", struct.pack("<d", value))[high])


def _is_plain(value: bool | int | float, d: DType) -> bool:
    """Whether a Rust literal of this value means the same in ``d``: the DSL turns other literals into 0 silently."""
    if dt.is_integral(d):
        return not isinstance(value, float) and -(1 << (d.bits - 1)) <= value < 1 << (d.bits - 1)
    return value == 0 or dt.is_arithmetic(d)


def _is_pow2(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def _power_of_two(value: int) -> int:
    """The largest power of two that divides a number, as far as cuTile assumes it: at most 1024, and 1 for 0."""
    return min(value & -value, 1024) or 1


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "floordiv": operator.floordiv,
    "truediv": operator.truediv, "mod": operator.mod, "pow": operator.pow, "neg": operator.neg, "pos": operator.pos,
    "lshift": operator.lshift, "rshift": operator.rshift, "bitand": operator.and_, "bitor": operator.or_,
    "bitxor": operator.xor, "invert": operator.invert, "cdiv": _cdiv, "min": min, "max": max, "abs": abs,
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
    "not": operator.not_, "int": int, "float": float, "bool": bool, "is_none": lambda x: x is None,
    "exp": math.exp, "exp2": lambda x: 2**x, "log": math.log, "log2": math.log2, "sqrt": math.sqrt, "sin": math.sin,
    "cos": math.cos, "tan": math.tan, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "floor": math.floor,
    "ceil": math.ceil, "rsqrt": lambda x: x**-0.5, "isnan": math.isnan, "atan2": math.atan2, "log10": math.log10,
    "log1p": math.log1p, "expm1": math.expm1, "fpow": math.pow, "fabs": math.fabs, "trunc": math.trunc, "round": round,
    "isinf": math.isinf, "isfinite": math.isfinite, "gcd": math.gcd, "isqrt": math.isqrt, "erf": math.erf,
    "promote": _promote, "promote_float": lambda a, b: _promote(a, b, True),
    "promote_literal": _promote_literal, "promote_literal_float": lambda d, v: _promote_literal(d, v, True),
    "is_float": dt.is_float, "is_unrestricted_float": dt.is_unrestricted_float, "is_integral": dt.is_integral,
    "is_arithmetic": dt.is_arithmetic, "is_bool": lambda d: d == dt.BOOL,
    "is_restricted": lambda d: d.category == dt.Category.RESTRICTED_FLOAT,
    "is_signed": lambda d: d.signed, "bits": lambda d: d.bits,
    "promotable": lambda a, b: dt.promote(a, b) is not None, "implicit_cast_ok": _implicit_cast_ok,
    "literal_cast_ok": _literal_cast_ok, "literal_fits": _literal_fits, "f32_bits": _f32_bits,
    "is_pow2": _is_pow2, "power_of_two": _power_of_two, "round_to": floats.round_to, "is_plain": _is_plain,
    "is_float_cast": dt.is_float_cast, "is_mma": dt.is_mma,
    "is_matmul": lambda d: d in dt.ACCUMULATORS, "accumulator": dt.accumulator,
    "is_mma_fast": lambda d: d in (dt.FLOAT8_E4M3FN, dt.FLOAT8_E5M2), "is_scale_block": dt.is_scale_block,
    "is_mma_scaled": lambda d, scale, acc: scale in dt.SCALE_BLOCKS.get(d, {}) and acc == dt.FLOAT32,
    "is_reducible": lambda d: dt.is_unrestricted_float(d) or (dt.is_integral(d) and d.bits >= 32),
    "float_bits": floats.to_bits,
    "f64_low_bits": lambda x: _f64_half(x, False), "f64_high_bits": lambda x: _f64_half(x, True),
    "kind_int": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "kind_bool": lambda v: isinstance(v, bool), "kind_float": lambda v: isinstance(v, float),
    "is_short": lambda d: dt.is_integral(d) and d.bits == 16,
}  # fmt: skip

_BOOL_RESULT = frozenset(
    "eq ne lt le gt ge not bool is_none isnan isinf isfinite is_float is_unrestricted_float is_integral is_arithmetic is_bool "
    "is_restricted is_signed promotable implicit_cast_ok literal_cast_ok is_pow2 is_plain kind_int kind_bool kind_float "
    "literal_fits is_float_cast is_mma is_matmul is_mma_fast is_mma_scaled is_scale_block is_reducible "
    "is_short".split()
)
_FLOAT_RESULT = frozenset(
    "truediv float exp log log2 log10 log1p expm1 sqrt sin cos tan sinh cosh tanh rsqrt atan2 fpow fabs erf".split()
)
_INT_RESULT = frozenset(
    "int floor ceil trunc round gcd isqrt bits f32_bits float_bits f64_low_bits f64_high_bits invert lshift rshift".split()
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
    if op == "f32_bits" and isinstance(args[0], Fn) and args[0].op == "round_to" and args[0].args[1] == Lit(dt.FLOAT32):
        return fn(op, args[0].args[0])
    if op == "not" and isinstance(args[0], Fn):
        inner = args[0]
        if inner.op == "not":
            return inner.args[0]
        if inner.op in NEGATED and kind(inner.args[0]) != "float":
            return fn(NEGATED[inner.op], *inner.args)
    return Fn(op, args)


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

"""The runtime chooses entries, and values of their generics, exactly as `cutile2rs.ir.dispatch` does."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from typing import Any

import pytest
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.dispatch import NoEntry, choose
from cutile2rs.ir.dtypes import DType
from cutile2rs.ir.expr import FUNCTIONS, Fn, Lit, from_json
from cutile2rs.verify.api import bindings_of
from cutile2rs.verify.launches import read_launches

from tests.native.conftest import Library
from tests.workplace import launches_file

_MUTANTS = 12

pytestmark = pytest.mark.toolchain


def _plain(value: Any) -> Any:
    return (value.name,) if isinstance(value, DType) else value


def _theirs(table: Any, bindings: dict[str, Any]) -> tuple[str, list[str], list[str]] | None:
    try:
        found: tuple[str, list[str], list[str]] = table.choose({n: _plain(v) for n, v in bindings.items()})
    except ValueError as refused:
        assert getattr(refused, "code", None) == -7, refused
        return None
    return found


def _ours(kernel: dict[str, Any], bindings: dict[str, Any]) -> tuple[str, list[str], list[str]] | None:
    try:
        choice = choose(kernel, bindings)
    except NoEntry:
        return None
    return choice.entry["name"], list(choice.entry["params"]), choice.generics


def _recorded(library: Library) -> Iterator[tuple[dict[str, Any], str, dict[str, Any]]]:
    """Each recorded launch of the library's kernels: kernel, table, bindings."""
    from cuda.tile.compilation._name_mangling import demangle_kernel_name

    tables = {(m["module"], k["kernel"]): (k, line) for m, k, line in library.kernels()}
    for launch in read_launches(launches_file()):
        if (launch.module, launch.kernel) in tables:
            kernel, line = tables[launch.module, launch.kernel]
            _, signature = demangle_kernel_name(launch.symbol)
            yield kernel, line, bindings_of(kernel, signature.parameters)


def _mutated(rng: random.Random, bindings: dict[str, Any]) -> dict[str, Any]:
    changed = dict(bindings)
    for name in rng.sample(sorted(bindings), k=min(len(bindings), rng.choice((1, 1, 2, 4)))):
        value = bindings[name]
        if isinstance(value, DType):
            changed[name] = rng.choice(dt.ALL)
        elif isinstance(value, bool):
            changed[name] = rng.choice((True, False, 1))
        elif isinstance(value, int):
            changed[name] = rng.choice((0, 1, -1, 3, 16, 1024, value + 1, value * 2, 2**31, True, 2.0, None))
        elif isinstance(value, float):
            changed[name] = rng.choice((0.0, -0.0, 1.5, math.inf, math.nan, 1e300, 2, None))
        elif isinstance(value, str):
            changed[name] = rng.choice(("array 1", "array 2", "int32", "float32", "list 2", "constant"))
    return changed


def test_every_recorded_launch_and_variants_of_it(library: Library, native: Any) -> None:
    rng = random.Random(5)
    tables: dict[str, Any] = {}
    served = refused = 0
    for kernel, line, bindings in _recorded(library):
        table = tables.setdefault(line, native.Table(line))
        expected = _ours(kernel, bindings)
        assert expected is not None and _theirs(table, bindings) == expected, (kernel["kernel"], bindings)
        for _ in range(_MUTANTS):
            variant = _mutated(rng, bindings)
            expected = _ours(kernel, variant)
            assert _theirs(table, variant) == expected, (kernel["kernel"], variant)
            served, refused = served + (expected is not None), refused + (expected is None)
    assert min(served, refused) > 50, (served, refused)


def test_a_constant_is_of_the_kind_it_is_declared_with(library: Library, native: Any) -> None:
    kernel, line, bindings = next(b for b in _recorded(library) if any(type(v) is int for v in b[2].values()))
    declared = next(p["name"] for p in kernel["params"] if p.get("constant_kind") == "int")
    with pytest.raises(ValueError, match="is declared Constant") as refused:
        native.Table(line).choose({n: _plain(v) for n, v in {**bindings, declared: 2.0}.items()})
    assert refused.value.code == -7  # type: ignore[attr-defined]


_VALUES: tuple[Any, ...] = (
    0, 1, -1, 2, 3, 7, -8, 31, 64, 1000, 2**31 - 1, -(2**31), 2**53 + 1, 2**63, True, False, 0.0, -0.0, 0.5, -1.5, 2.0,
    1e-45, 3.4e38, 448.0, 65504.0, 65520.0, 1e300, math.inf, -math.inf, math.nan, None, "zero", "array 2", "list 1",
    dt.FLOAT32, dt.FLOAT16, dt.BFLOAT16, dt.INT32, dt.INT8, dt.UINT8, dt.INT64, dt.BOOL, dt.FLOAT64,
    dt.FLOAT8_E4M3FN, dt.FLOAT8_E5M2, dt.FLOAT8_E8M0FNU, dt.TFLOAT32, dt.FLOAT4_E2M1FN, dt.FLOAT8_E5M3FNU,
)  # fmt: skip


_UNARY = frozenset(
    """neg pos invert not int float bool is_none exp exp2 log log2 sqrt sin cos tan sinh cosh tanh floor ceil rsqrt isnan log10
    log1p expm1 fabs trunc round isinf isfinite isqrt erf abs is_float is_unrestricted_float is_integral is_arithmetic is_bool
    is_restricted is_signed bits f32_bits is_pow2 power_of_two is_matmul accumulator is_mma_fast is_reducible f64_low_bits
    f64_high_bits bit_length is_array kind_int kind_bool kind_float is_short""".split()
)


def _arity(name: str) -> int:
    """How many arguments a function of the table takes."""
    return (
        1 if name in _UNARY else {"is_float_cast": 3, "is_mma": 3, "is_mma_scaled": 3, "is_scale_block": 4}.get(name, 2)
    )


def _table_of(name: str, count: int) -> str:
    """A table with an entry for each kind of number that a function of the constants `a0`, .. may have: it serves where the
    function has that kind and the value of `want`."""
    nodes: list[Any] = [*({"p": f"a{i}"} for i in range(count)), [name, *range(count)], {"p": "want"}]
    nodes.append(["eq", count, count + 1])
    kinds = ("int", "float", "bool")
    nodes += [[f"kind_{kind}", count] for kind in kinds]
    entries = [[kind, [], [[count + 3 + k, count + 2]], []] for k, kind in enumerate(kinds)]
    data = {
        "kernel": "k", "params": [], "hints": {}, "unknown_hints": [], "entries": entries, "refused": [], "reasons": [],
        "nodes": nodes,
    }  # fmt: skip
    return json.dumps(data)


_DTYPES = {
    **dict.fromkeys(
        """is_float is_unrestricted_float is_integral is_short is_arithmetic is_bool is_restricted is_signed bits is_matmul
        accumulator is_mma_fast is_reducible promote_literal promote_literal_float""".split(), (0,)
    ),
    **dict.fromkeys("promote promote_float promotable implicit_cast_ok is_float_cast is_scale_block".split(), (0, 1)),
    **dict.fromkeys("literal_cast_ok literal_fits is_plain round_to float_bits".split(), (1,)),
    **dict.fromkeys("is_mma is_mma_scaled".split(), (0, 1, 2)),
}  # fmt: skip
"""The positions in which functions are given dtypes; anything else there is a mistake of the converter's."""
_ANYTHING = frozenset("eq ne not bool is_none kind_int kind_bool kind_float".split())


def _in_place(name: str, values: tuple[Any, ...]) -> bool:
    """Whether dtypes are where they belong, and numbers elsewhere."""
    if name in _ANYTHING:
        return True
    numbers: tuple[type, ...] = {"is_float_cast": (str, type(None)), "is_scale_block": (int,), "is_array": (str,)}.get(
        name, (bool, int, float)
    )
    places = _DTYPES.get(name, ())
    return all(isinstance(v, DType if i in places else numbers) for i, v in enumerate(values))


def _python(name: str, values: tuple[Any, ...]) -> Any:
    """A function's value; None where Python has none, or one beyond what the runtime represents."""
    if name in ("pow", "lshift", "exp2") and any(isinstance(v, int) and abs(v) > 100 for v in values):
        return None
    if name == "round_to" and isinstance(values[0], float) and abs(values[0]) >= 2.0**120:
        return None
    if name == "truediv" and any(isinstance(v, int) and abs(v) > 2**53 for v in values):
        return None
    try:
        found = FUNCTIONS[name](*values)
    except Exception:  # whatever Python raises, there is no value
        return None
    return None if isinstance(found, int) and abs(found) >= 2**120 else found


def test_each_function_has_pythons_value(native: Any) -> None:
    """All functions, on all kinds of values: where Python has a number, the runtime has it, and of the same kind."""
    rng = random.Random(7)
    compared, wrong = dict.fromkeys(FUNCTIONS, 0), []
    for name in FUNCTIONS:
        count = _arity(name)
        table = native.Table(_table_of(name, count))
        drawn = (tuple(rng.choice(_VALUES) for _ in range(count)) for _ in range(4000))
        for values in [(v,) for v in _VALUES] if count == 1 else drawn:
            if not _in_place(name, values):
                continue
            wanted = _python(name, values)
            if isinstance(wanted, DType):
                compared[name] += 1  # seen through predicates only
            if not isinstance(wanted, (bool, int, float)) or math.isnan(wanted):
                continue
            bindings = {f"a{i}": _plain(v) for i, v in enumerate(values)} | {"want": wanted}
            compared[name] += 1
            found = _theirs(table, bindings)
            if found is None or found[0] != type(wanted).__name__:
                wrong.append((name, values, wanted))
    assert wrong == [], "".join(f"{w}\n" for w in wrong[:: len(wrong) // 40 + 1])
    assert [name for name, times in compared.items() if times == 0] == []


def test_tables_say_what_the_manifest_says(library: Library) -> None:
    """Each expression of a table is the manifest's, in other words."""
    for _, kernel, line in library.kernels():
        table = json.loads(line)
        expressions: list[Any] = []
        for node in table["nodes"]:
            if isinstance(node, list):
                expressions.append(Fn(node[0], tuple(expressions[i] for i in node[1:])))
            elif isinstance(node, dict):
                [(tag, value)] = node.items()
                known = {"d": lambda v: Lit(dt.BY_NAME[v]), "f": lambda v: Lit(float(v)), "i": lambda v: Lit(int(v))}
                expressions.append(value if tag == "p" else known[tag](value))
            else:
                expressions.append(Lit(node))
        for entry, (name, parameters, predicates, generics) in zip(kernel["entries"], table["entries"], strict=True):
            assert (name, parameters) == (entry["name"], entry["params"])
            wanted = [[_nameless(from_json(part)) for part in p] for p in entry["predicates"]]
            assert [[expressions[i] for i in p] for p in predicates] == wanted
            assert [[n, expressions[i]] for n, i in generics] == [
                [g["name"], _nameless(from_json(g["value"]))] for g in entry["generics"]
            ]
        assert len(table["refused"]) == len(kernel["refused"])


def _nameless(e: Any) -> Any:
    """An expression with parameters as their names alone: a table does not keep their kinds."""
    if isinstance(e, Fn):
        return Fn(e.op, tuple(_nameless(a) for a in e.args))
    return e if isinstance(e, Lit) else e.name

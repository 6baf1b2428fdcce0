"""Symbolic constants: folding, Python's semantics, JSON, and promotion as cuTile defines it."""

from __future__ import annotations

import math

import pytest
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.expr import EvalError, Expr, Fn, Lit, Param, evaluate, fn, from_json, kind, show, substitute, to_json
from cutile2rs.lowering import powers
from cutile2rs.lowering.sides import implied, joined
from hypothesis import given
from hypothesis import strategies as st

N, M = Param("N", "int"), Param("M", "int")
INTS = st.integers(-50, 50)


@given(a=INTS, b=INTS)
def test_folding_and_evaluation_agree_with_python(a: int, b: int) -> None:
    for op, python in (("add", a + b), ("sub", a - b), ("mul", a * b), ("eq", a == b), ("lt", a < b)):
        assert fn(op, Lit(a), Lit(b)) == Lit(python)
        assert evaluate(fn(op, N, M), {"N": a, "M": b}) == python
    if b:
        assert evaluate(fn("floordiv", N, M), {"N": a, "M": b}) == a // b
        assert evaluate(fn("mod", N, M), {"N": a, "M": b}) == a % b
        assert evaluate(fn("cdiv", N, M), {"N": a, "M": b}) == math.ceil(a / b)


def test_literals_of_different_types_differ() -> None:
    assert len({Lit(1), Lit(1.0), Lit(True)}) == 3
    assert Lit(0.0) != Lit(-0.0)


def test_identities_of_integers_are_simplified_and_those_of_floats_are_not() -> None:
    assert fn("mul", N, Lit(1)) == N
    assert fn("add", Lit(0), N) == N
    assert fn("eq", N, N) == Lit(True)
    x = Param("X", "float")
    assert fn("add", x, Lit(0.0)) == Fn("add", (x, Lit(0.0)))
    assert fn("eq", x, x) == Fn("eq", (x, x))
    assert fn("not", fn("lt", N, M)) == fn("ge", N, M)
    assert fn("not", fn("lt", x, x)).op == "not"  # type: ignore[union-attr]


def test_what_python_raises_has_no_value() -> None:
    with pytest.raises(EvalError):
        evaluate(fn("floordiv", N, M), {"N": 1, "M": 0})
    with pytest.raises(EvalError):
        fn("promote", Lit(dt.FLOAT16), Lit(dt.BFLOAT16))


@pytest.mark.parametrize(
    "e", [fn("cdiv", N, M), Lit(dt.FLOAT32), Lit(-math.inf), Lit(None), fn("f32_bits", Param("E", "float"))]
)
def test_json_round_trip(e: Expr) -> None:
    assert from_json(to_json(e)) == e


def test_text_and_kind() -> None:
    assert show(fn("mul", fn("add", N, Lit(1)), M)) == "(N + 1) * M"
    assert (kind(fn("truediv", N, M)), kind(fn("eq", N, M)), kind(fn("add", N, M))) == ("float", "bool", "int")
    assert substitute(fn("add", N, M), {M: Lit(2)}) == fn("add", N, Lit(2))


def test_promotion_follows_cutile() -> None:
    assert dt.promote(dt.FLOAT16, dt.FLOAT32) == dt.FLOAT32
    assert dt.promote(dt.FLOAT16, dt.BFLOAT16) is None
    assert dt.promote(dt.INT32, dt.FLOAT16) == dt.FLOAT16
    assert dt.promote(dt.INT32, dt.UINT8) is None
    assert dt.promote(dt.INT32, dt.INT64, force_float=True) == dt.FLOAT32
    assert dt.promote_literal(dt.INT32, dt.Category.FLOAT, dt.FLOAT32) == dt.FLOAT32
    assert dt.promote_literal(dt.BFLOAT16, dt.Category.FLOAT, dt.FLOAT32) == dt.BFLOAT16


@pytest.mark.toolchain
def test_promotion_table_equals_cutiles_own() -> None:
    from cuda.tile import _datatype

    for a in dt.ALL:
        for b in dt.ALL:
            for force in (False, True):
                try:
                    expected = _datatype.promote_dtypes(
                        getattr(_datatype, a.name), getattr(_datatype, b.name), force
                    ).name
                except Exception:
                    expected = None
                ours = dt.promote(a, b, force)
                assert (None if ours is None else ours.name) == expected, (a, b, force)


@pytest.mark.parametrize(
    ("e", "expected"),
    [
        (fn("floordiv", fn("add", N, N), N), Lit(2)),
        (fn("cdiv", fn("sub", fn("mul", Lit(5), N), N), N), Lit(4)),
        (fn("mod", fn("add", fn("mul", N, Lit(3)), N), N), Lit(0)),
        (fn("floordiv", fn("add", M, M), M), Lit(2)),
    ],
)
def test_multiples_divide(e: Expr, expected: Lit) -> None:
    assert e == expected


def test_what_is_no_multiple_stays_a_division() -> None:
    for numerator in (fn("add", N, M), fn("mul", N, M), fn("add", N, Lit(1))):
        assert fn("floordiv", numerator, N) == Fn("floordiv", (numerator, N))


def test_powers_of_two() -> None:
    known = {fn("is_pow2", N): True}
    assert powers.truth(fn("eq", fn("add", N, N), N), known) is False
    assert powers.truth(fn("gt", N, Lit(0)), known) is True
    assert powers.truth(fn("gt", N, Lit(1)), known) is None
    assert powers.truth(fn("gt", fn("floordiv", Lit(8), fn("sub", N, Lit(1))), Lit(0)), known) is None
    assert powers.truth(fn("gt", N, Lit(0)), {}) is None
    assert powers.truth(fn("eq", fn("add", N, M), N), known) is None


def test_sides_of_a_branch_join() -> None:
    a, b = Param("A", "bool"), Param("B", "bool")
    sides = joined(joined((), (a, b)), (a, fn("not", b)))
    assert sides == ((a,),)
    assert joined(sides, (a, b)) == sides
    assert joined(joined(sides, (fn("not", a), b)), (fn("not", a), fn("not", b))) == ((),)
    assert joined(((a, b),), (a,)) == ((a,),)
    assert implied((a, b), fn("gt", N, Lit(0))) == fn(
        "bitor", fn("not", b), fn("bitor", fn("not", a), fn("gt", N, Lit(0)))
    )

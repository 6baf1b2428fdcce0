"""What is refused, with its code: what cuTile itself rejects (C2R205), and holes that are never guessed (C2R401)."""

from __future__ import annotations

import pytest
from cutile2rs.lowering.context import Refusal

from tests.kernels import converted_from

_F = "a = ct.load(x, (0,), (16,)).astype(ct.float32)\n    "
_I = "a = ct.load(x, (0,), (16,)).astype(ct.int32)\n    "
_M = "a = ct.load(x, (0, 0), (16, 16)).astype(ct.float32)\n    "
REJECTED: dict[str, str] = {
    "no_such_name": _F + "ct.store(x, (0,), ct.sigmoid(a))",
    "math_in_device_code": _F + "ct.store(x, (0,), a * math.log(2))",
    "round_in_device_code": _F + "ct.store(x, (0,), a * round(2.5))",
    "isinstance": _F + "ct.store(x, (0,), a * isinstance(3, int))",
    "hasattr": _F + "ct.store(x, (0,), a * hasattr(a, 'dtype'))",
    "length_of_a_tile": _F + "ct.store(x, (0,), a * len(a))",
    "three_to_max": _F + "ct.store(x, (0,), a * max(1, 2, 3))",
    "integer_assertion": _F + "ct.static_assert(1)\n    ct.store(x, (0,), a)",
    "failing_assertion": _F + "ct.static_assert(a.shape[0] == 8, f'{a.shape}')\n    ct.store(x, (0,), a)",
    "float_of_nonsense": _F + "ct.store(x, (0,), a * float('x'))",
    "constructor_of_a_tile": _F + "ct.store(x, (0,), ct.float32(a))",
    "literal_out_of_range": "a = ct.load(x, (0,), (16,)).astype(ct.int8)\n    ct.store(x, (0,), a + 300)",
    "rounding_to_int": _F + "ct.store(x, (0,), a.astype(ct.int32, rounding_mode=ct.RoundingMode.RZ))",
    "nearest_to_e8m0": _F + "ct.store(x, (0,), a.astype(ct.float8_e8m0fnu))",
    "bitcast_of_bool": _F + "ct.store(x, (0,), ct.bitcast(a > 0, ct.int8))",
    "integer_power": _I + "ct.store(x, (0,), a ** a)",
    "float_cdiv": _F + "ct.store(x, (0,), ct.cdiv(a, 2))",
    "float_divmod": _F + "q, r = divmod(a, 2)\n    ct.store(x, (0,), q)",
    "invert_of_a_constant_bool": _I + "ct.store(x, (0,), ct.where(~True, a, a))",
    "repeated_axis": _M + "ct.store(x, (0,), ct.sum(a, axis=(0, 0)))",
    "rounding_mode_of_a_product": _F + "ct.store(x, (0,), ct.prod(a, rounding_mode=ct.RoundingMode.APPROX))",
    "branch_in_a_reduction": _F + "ct.store(x, (0,), ct.reduce(a, 0, lambda p, q: p if p > q else q, 0.0))",
    "reduction_to_another_dtype": _I + "ct.store(x, (0,), ct.reduce(a, 0, lambda p, q: p * 2.0 + q, 0))",
    "mma_of_two_dtypes": _M + "ct.store(x, (0, 0), ct.mma(a, a.astype(ct.float16), a))",
    "matmul_of_int32": "a = ct.load(x, (0, 0), (16, 16)).astype(ct.int32)\n    ct.store(x, (0, 0), a @ a)",
    "cat_of_two_dtypes": _F + "ct.store(x, (0,), ct.cat((a, a.astype(ct.float16)), 0))",
    "item_of_many": _F + "ct.store(x, (0,), a.item())",
    "extract_beyond": _F + "ct.store(x, (0,), ct.extract(a, (2,), (8,)))",
    "three_in_astile": _F + "ct.store(x, (0,), ct.astile((1, 2, 3), dtype=ct.float32))",
    "transpose_of_a_row": _F + "ct.store(x, (0,), ct.transpose(a))",
}  # fmt: skip
HOLES: dict[str, str] = {
    "two_tiles_at_once": _F + "b = ct.reduce((a, a), 0, lambda p, q, r, s: (p + r, q + s), (0.0, 0.0))\n    "
                         "ct.store(x, (0,), b[0])",
    "different_constants": _F + "ct.store(x, (0,), ct.astile((1, 2), dtype=ct.float32))",
    "tfloat32_constant": _M + "a = a.astype(ct.tfloat32)\n    b = ct.full((16, 16), 0.5, ct.tfloat32)\n    "
                         "ct.store(x, (0, 0), ct.mma(a, b, ct.zeros((16, 16), ct.float32)))",
}  # fmt: skip


def _refusal(body: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        converted_from(f"@ct.kernel\ndef k(x):\n    {body}\n")
    return caught.value


@pytest.mark.parametrize("name", REJECTED)
def test_what_cutile_rejects(name: str) -> None:
    refusal = _refusal(REJECTED[name])
    assert refusal.code == "C2R205", refusal.message
    assert refusal.node is not None


@pytest.mark.parametrize("name", HOLES)
def test_holes(name: str) -> None:
    refusal = _refusal(HOLES[name])
    assert refusal.code == "C2R401", refusal.message

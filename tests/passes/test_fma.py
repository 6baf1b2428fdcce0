"""Contraction on the entries of a kernel whose arrays differ in dtype: casts stand between products and sums there."""

from __future__ import annotations

from tests.kernels import lowered_from, opcodes

KERNEL = """@ct.kernel
def k(x, y):
    i = ct.arange(16, dtype=ct.int32)
    a = ct.gather(x, i).astype(ct.float32)
    b = ct.gather(y, i)
    p = a * a
    q = a * b
    ct.scatter(x, i, (p - q * b).astype(x.dtype))
    OTHER
"""


def _fused(text: str) -> list[int]:
    return [opcodes(e.body).count("fma") for e in lowered_from(text).entries]


def test_a_shared_first_product_keeps_the_second_from_fusing() -> None:
    """As cuTile does it, also where a cast stands before the subtraction, if it does nothing. In float64 it does something:
    the first operand is then no product."""
    counts = _fused(KERNEL.replace("OTHER", "ct.scatter(y, i, p.astype(y.dtype))"))
    assert counts == [0, 0, 1]


def test_a_first_product_of_one_use_is_fused() -> None:
    """The same kernel without the second use."""
    counts = _fused(KERNEL.replace("OTHER", "pass"))
    assert len(counts) > 1
    assert set(counts) == {1}

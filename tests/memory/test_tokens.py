"""Memory order around atomics and ordered accesses: who waits for whom after the token-order pass."""

from __future__ import annotations

from cutile2rs.ir.core import MEMORY, Op, Value

from tests.kernels import lowered_from

LOCK = """
@ct.kernel
def k(lock, x, y, n: ct.Constant[int]):
    i = ct.arange(4, dtype=ct.int32)
    ct.atomic_cas(lock, 0, 0, 1, memory_order=ct.MemoryOrder.ACQUIRE)
    a = ct.gather(x, i).astype(ct.float32)
    ct.scatter(y, i, a.astype(y.dtype))
    ct.atomic_xchg(lock, 0, 0, memory_order=ct.MemoryOrder.RELEASE)
"""


def _accesses(text: str) -> tuple[list[Op], dict[Value, Op]]:
    entry = lowered_from(text, "token_order").entries[0]
    ops = list(entry.body.walk())
    return [op for op in ops if op.opcode in MEMORY], {r: op for op in ops for r in op.results}


def _waits_for(v: Value | None, makers: dict[Value, Op]) -> set[str]:
    """The operations whose tokens are joined in a token: opcode and array."""
    assert v is not None
    op = makers[v]
    if op.opcode == "join_tokens":
        return {name for o in op.operands for name in _waits_for(o, makers)}
    return {f"{op.opcode} {op.attrs['array'].name}"} if op.opcode in MEMORY else {op.opcode}


def test_acquire_and_release() -> None:
    (cas, load, store, xchg), makers = _accesses(LOCK)
    assert _waits_for(cas.token, makers) == {"make_token"}
    assert _waits_for(load.token, makers) == {"make_token", "atomic_cas lock"}
    assert _waits_for(store.token, makers) == {"make_token", "atomic_cas lock"}
    assert _waits_for(xchg.token, makers) == {"make_token", "atomic_cas lock", "load_ptr x", "store_ptr y"}


def test_relaxed_atomics_chain_on_their_array_alone() -> None:
    text = """
@ct.kernel
def k(x, y):
    i = ct.arange(4, dtype=ct.int32)
    ct.atomic_add(x, i, 1.0, memory_order=ct.MemoryOrder.RELAXED)
    ct.atomic_add(x, i, 2.0, memory_order=ct.MemoryOrder.RELAXED)
    ct.scatter(y, i, 1.0)
"""
    (first, second, store), makers = _accesses(text)
    assert _waits_for(first.token, makers) == {"make_token"}
    assert second.token is first.results[-1]
    assert _waits_for(store.token, makers) == {"make_token"}


def test_a_slice_is_ordered_with_its_array() -> None:
    text = """
@ct.kernel
def k(x, n):
    i = ct.arange(4, dtype=ct.int32)
    ct.scatter(x.slice(0, n, n + 4), i, 1.0)
    ct.scatter(x, i, 2.0)
"""
    (first, second), makers = _accesses(text)
    assert second.token is first.results[-1]
    assert makers[first.results[-1]] is first


def test_a_loop_carries_what_it_acquires() -> None:
    text = """
@ct.kernel
def k(x, y, n):
    i = ct.arange(4, dtype=ct.int32)
    for j in range(n):
        ct.atomic_add(x, i, 1.0)
    ct.scatter(y, i, 1.0)
"""
    (atomic, store), makers = _accesses(text)
    loop = next(op for op in makers.values() if op.opcode == "for")
    assert len(loop.results) == 3  # x's last operation, x's last store, the last acquiring one
    assert _waits_for(store.token, makers) == {"make_token", "for"}
    assert atomic.token is not None

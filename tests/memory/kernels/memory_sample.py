"""Kernels whose machine code the tests compare: one for each way to reach memory that has a rule of its own."""

import cuda.tile as ct


@ct.kernel
def count_tiles(x, y, T: ct.Constant[int], LATENCY: ct.Constant[int], CHECK: ct.Constant[bool], TMA: ct.Constant[bool]):
    row = ct.bid(0)
    acc = ct.zeros((1, T), dtype=ct.float32)
    for j in range(ct.num_tiles(x, axis=1, shape=(1, T))):
        t = ct.load(x, (row, j), (1, T), latency=LATENCY, check_bounds=CHECK, allow_tma=TMA)
        acc = acc + ct.astype(t, ct.float32)
    ct.store(y, (row, 0), ct.astype(acc, y.dtype), latency=LATENCY)


@ct.kernel
def shape_numbers(x, y, T: ct.Constant[int]):
    i = ct.arange(T, dtype=ct.int32)
    s = x.strides[0] + x.strides[-1] * 3 + x.shape[-1] - x.shape[-2] + x.ndim + len(x.shape)
    v = ct.load(x, (0, 0), (1, T))
    ct.scatter(y, i, i * s + v.reshape((T,)))


@ct.kernel
def bias_of_either_rank(x, bias, y, T: ct.Constant[int], MODE: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (1, T))
    if MODE == 1:
        t = t + ct.load(bias, (0,), (T,))
    elif MODE == 2:
        t = t + ct.load(bias, (i, 0), (1, T))
    ct.store(y, (i, 0), t)


@ct.kernel
def spin_lock(locks, x, y, T: ct.Constant[int]):
    b = ct.bid(0)
    old = ct.atomic_cas(locks, b % 2, 0, 1, memory_order=ct.MemoryOrder.ACQUIRE)
    i = ct.arange(T, dtype=ct.int32)
    ct.scatter(y, i, ct.gather(x, i) + ct.gather(y, i))
    ct.atomic_xchg(locks, b % 2, old * 0, memory_order=ct.MemoryOrder.RELEASE)


@ct.kernel
def atomics(x, y, z, T: ct.Constant[int]):
    i = ct.bid(0) * T + ct.arange(T, dtype=ct.int32)
    v = ct.gather(x, (i, 0))
    ct.scatter(z, i, ct.atomic_add(y, (i, 0), v, memory_order=ct.MemoryOrder.RELAXED))
    ct.atomic_or(y, (i, 1), v, check_bounds=False)
    ct.atomic_max(y, (i, 2), v, memory_scope=ct.MemoryScope.SYS)


@ct.kernel
def flagged(x, flag, y, T: ct.Constant[int]):
    b = ct.bid(0)
    f = ct.load(flag, (b,), (), memory_order=ct.MemoryOrder.ACQUIRE, memory_scope=ct.MemoryScope.DEVICE)
    ct.store(y, (b,), ct.load(x, (b,), (T,)) + f.astype(x.dtype))
    ct.store(flag, (b,), f, memory_order=ct.MemoryOrder.RELEASE, memory_scope=ct.MemoryScope.DEVICE)


@ct.kernel
def tiled(x, y, z, T: ct.Constant[int]):
    r = ct.bid(0)
    v = x.tiled_view((1, T), padding_mode=ct.PaddingMode.ZERO)
    acc = ct.zeros((1, T), dtype=x.dtype)
    for j in range(v.num_tiles(1)):
        acc = acc + v.load((r, j))
    y.tiled_view((1, T)).store((r, 0), acc)
    z.tiled_view((1, T)).atomic_store_add((r % 2, 0), acc)


@ct.kernel
def picked_rows(x, rows, y, T: ct.Constant[int], U: ct.Constant[int]):
    at = ct.load(rows, (ct.bid(0),), (T,))
    where = (at, ct.Slice(ct.bid(1) * U, U))
    t = ct.load_advanced_indexing(x, where, padding_mode=ct.PaddingMode.ZERO)
    ct.store_advanced_indexing(y, where, t)


@ct.kernel
def slices(x, off, y, T: ct.Constant[int], D: ct.Constant[int]):
    g = ct.bid(0)
    start, stop = ct.load(off, (g,), ()), ct.load(off, (g + 1,), ())
    part = x.slice(axis=0, start=start, stop=stop)
    left, right = part.slice(axis=1, start=0, stop=D), part.slice(1, D, 2 * D)
    out = y.slice(0, start, stop)
    for j in range(ct.num_tiles(left, 0, (T, D))):
        a = ct.load(left, (j, 0), (T, D))
        b = ct.load(right, (j, 0), (T, D), padding_mode=ct.PaddingMode.ZERO)
        ct.store(out, (j, 0), a * b)


@ct.kernel
def sliced_elements(x, n, y, T: ct.Constant[int]):
    part = x.slice(0, n, n + 7)
    i = ct.arange(T, dtype=ct.int32)
    v = ct.gather(part, i)
    ct.scatter(y.slice(0, n, y.shape[0]), i, v + part.shape[0].astype(v.dtype))
    ct.atomic_add(y.slice(0, 2 * n, y.shape[0]), i, ct.gather(part, i, mask=i < 5, check_bounds=False))


@ct.kernel
def raw_memory(x, y, T: ct.Constant[int]):
    i = ct.bid(0) * T + ct.arange(T, dtype=ct.int32)
    v = x.get_raw_memory().load_offset(i, mask=i < 300)
    out = y.get_raw_memory()
    out.store_offset(i, v, mask=i < 300)
    out.atomic_add_offset(i + 1, v)


@ct.kernel
def list_of_arrays(xs, ys, T: ct.Constant[int]):
    g = ct.bid(0)
    for k in range(len(xs)):
        x, y = xs[k], ys[k]
        rows, cols = x.shape
        for j in range(ct.cdiv(cols, T)):
            ct.store(y, (g, j), ct.load(x, (g, j), (1, T)) + 1)


@ct.kernel
def dependent(x, w, y, n: int, T: ct.Constant[int], EARLY: ct.Constant[bool]):
    g = ct.load(w, (0,), (T,))
    acc = ct.zeros((T,), ct.float32)
    for i in range(n):
        if i == 1:
            ct.grid_dependency_control_wait()
        acc += ct.load(x, (i,), (T,)) * g
        ct.store(y, (i,), acc)
    if EARLY:
        ct.grid_dependency_control_launch_dependents()
    ct.store(y, (ct.bid(0),), acc + ct.load(y, (ct.bid(0),), (T,)))

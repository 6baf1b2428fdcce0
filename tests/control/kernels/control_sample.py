"""Small kernels with every kind of loop, branch and jump, one idea each."""

import cuda.tile as ct

Number = ct.Constant[int]


def scaled(v, n):
    """A helper with an early return."""
    if n > 3:
        return v * 2.0
    return v + 1.0


def first_large(v, n):
    """A helper that returns from a loop."""
    for i in range(n):
        v = v * 2.0
        if i == 9:
            return v, i
    return v, n


@ct.kernel
def early_return(x, y, n: int, T: Number):
    b = ct.bid(0)
    if b >= n:
        return
    ct.store(y, (b,), ct.load(x, (b,), (T,)) * 2.0)


@ct.kernel
def causal(x, y, n: int, T: Number):
    b = ct.bid(0)
    acc = ct.zeros((T,), ct.float32)
    for j in range(n):
        a = ct.load(x, (j,), (T,))
        if j >= b:
            a = a * 3.0
        acc = acc + a
    ct.store(y, (b,), acc)


@ct.kernel
def left_early(x, y, n: int, T: Number):
    b = ct.bid(0)
    acc = ct.zeros((T,), ct.float32)
    for j in range(n):
        i = 0
        while i < 5:
            acc = acc + ct.load(x, (j + i,), (T,))
            i += 1
            if i * j == 12:
                break
        if j * b == 100:
            break
        elif j * b == 50:
            acc = acc * 2.0
            continue
        acc = acc + 5.0
    ct.store(y, (b,), acc)


@ct.kernel
def counted(x, y, n: int, T: Number, STEP: Number):
    b = ct.bid(0)
    acc = ct.zeros((T,), ct.float32)
    i = 0
    while i < n:
        acc = scaled(acc, n) * ct.load(x, (i,), (T,))
        i += STEP
    ct.store(y, (b,), acc)


@ct.kernel
def rotated(x, y, n: int, T: Number):
    a = ct.zeros((T,), ct.float32)
    b = ct.load(x, (ct.bid(0),), (T,))
    i, j = 0, 1
    for _ in range(n):
        a, b = b, a
        i, j = j, i + j
    ct.store(y, (i,), a)
    ct.store(y, (j,), b)


@ct.kernel
def both_sides(x, y, n: int, T: Number):
    b = ct.bid(0)
    if b > n:
        a = ct.load(x, (b,), (T,))
        c = a * 2.0
        i = 3
    else:
        a = ct.load(x, (b + 1,), (T,))
        c = a + 1.0
        i = n
    d = a * 0.5 if b > n and n > 4 else c
    ct.store(y, (b,), d)
    ct.store(y, (b + i,), c)


@ct.kernel
def until_small(x, y, n: int, T: Number):
    a = ct.load(x, (ct.bid(0),), (T,))
    flag = False
    while ct.max(a) > 0.5:
        if flag:
            a = a * 0.25
        flag = not flag
    while True:
        v, i = first_large(a, n)
        if i < n:
            break
        a = v
    ct.store(y, (i,), v)


@ct.kernel
def ordered(y, n: int, T: Number):
    acc = ct.zeros((T,), ct.float32)
    for i in range(n):
        if i % 3 == 1:
            ct.store(y, (i,), acc)
        else:
            acc = acc + ct.load(y, (i + 1,), (T,))
    ct.store(y, (ct.bid(0),), acc)


@ct.kernel
def unrolled(x, y, T: Number):
    b = ct.bid(0)
    tiles = tuple(
        ct.load(x, (b + i * j,), (T,)) for i in ct.static_iter((1, 2)) for j in ct.static_iter(range(1, i + 1))
    )
    total = ct.zeros((T,), ct.float32)
    for i, (t, u) in ct.static_iter(enumerate(zip(tiles, tiles[1:], strict=False))):
        total = total + t * u * (i + 1)
    ct.store(y, (b,), total)


@ct.kernel
def wide(x, y, n: int, T: Number):
    acc = ct.zeros((T,), ct.float32)
    stop = ct.int64(n) * 3
    for i in range(ct.int64(n), stop, 5):
        for j in range(i, stop):
            acc = acc + ct.load(x, (j,), (T,))
    ct.store(y, (ct.bid(0),), acc)


@ct.kernel
def counted_by_data(x, n, y, T: Number):
    acc = ct.zeros((T,), ct.float32)
    for i in range(max(0, ct.gather(n, ct.bid(0)) - 1)):
        acc = acc + ct.load(x, (i,), (T,))
    ct.store(y, (ct.bid(0),), acc)


@ct.kernel
def sum_of_earlier(x, ready, sums, y, T: Number):
    i = ct.bid(0)
    t = ct.load(x, (i,), (T,), padding_mode=ct.PaddingMode.ZERO)
    ct.scatter(sums, i, ct.sum(t))
    before = ct.sum(t) * 0.0
    k = i - 1
    while k >= 0:
        while ct.atomic_cas(ready, k, 1, 1, memory_order=ct.MemoryOrder.ACQUIRE) != 1:
            pass
        before = before + ct.gather(sums, k)
        k = k - 1
    ct.store(y, (i,), t + before)

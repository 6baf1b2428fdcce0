"""Small kernels in other styles of control flow: values of several dtypes carried and branched on, jumps in branches."""

import cuda.tile as ct

Number = ct.Constant[int]


@ct.kernel
def mixed_carry(x, h, y, n: int, T: Number):
    b = ct.bid(0)
    total = ct.zeros((T,), ct.float32)
    last = ct.load(h, (b,), (T,))
    count = ct.zeros((T,), ct.int32)
    for i in range(n):
        t = ct.load(x, (b + i,), (T,))
        if i * 3 > n:
            j = i
            while j < n:
                total = total + t * last
                if j * b > 40:
                    last = ct.load(h, (j,), (T,))
                j += 7
            count = count + 1
        else:
            for k in range(4):
                total = total + ct.load(h, (k,), (T,))
                count = count + k
    ct.store(y, (b,), total + count)


@ct.kernel
def return_from_loops(x, y, n: int, T: Number):
    b = ct.bid(0)
    acc = ct.zeros((T,), ct.float32)
    for i in range(n):
        t = ct.load(x, (i,), (T,))
        if i * b == 77:
            ct.store(y, (b,), acc)
            return
        j = 0
        while j < i:
            if j * b > 1000:
                return
            acc = acc + t
            j += 2
    ct.store(y, (b,), acc * 2.0)


@ct.kernel
def both_go_on(x, y, n: int, m: int, T: Number):
    b = ct.bid(0)
    acc = ct.load(x, (b,), (T,))
    if b > n:
        if b > m:
            return
        acc = acc * 2.0
    else:
        if b == m:
            ct.store(y, (b,), acc)
            return
        acc = acc + 1.0
    ct.store(y, (b,), acc)


@ct.kernel
def stores_in_branches(x, y, n: int, T: Number):
    b = ct.bid(0)
    for i in range(n):
        t = ct.load(x, (i,), (T,))
        if i % 3 == 0:
            ct.store(y, (i,), t)
            ct.store(y, (i + n,), t * 2.0)
        elif i % 3 == 1:
            ct.store(y, (b,), t)
            if b > 5:
                ct.store(y, (b + 1,), t + 1.0)
        else:
            t = t + ct.load(y, (i,), (T,))
        ct.store(y, (i + 2 * n,), t)


@ct.kernel
def jumps(x, y, n: int, T: Number, N: Number):
    b = ct.bid(0)
    acc = ct.zeros((T,), ct.float32)
    low = ct.zeros((T,), ct.float16)
    for i in range(N):
        if i == b:
            continue
        for j in range(i, n):
            if j % 5 == 4:
                continue
            t = ct.load(x, (i * n + j,), (T,))
            if ct.max(t) > 3.0:
                low = ct.astype(t, ct.float16)
                break
            acc = acc + t
        acc = acc * 0.5
    ct.store(y, (b,), acc + low)


@ct.kernel
def wide_conditions(x, lengths, y, T: Number):
    b = ct.bid(0)
    n = ct.load(lengths, (b,), (1,)).item()
    if n <= 0:
        return
    acc = ct.zeros((T,), ct.float32)
    i = 0
    odd = n % 2 == 1
    while i < n:
        t = ct.load(x, (i,), (T,))
        if odd and i > 3:
            acc = acc + t
        elif not odd or n == 17:
            acc = acc - t
        odd = not odd
        i += 1
    ct.store(y, (b,), acc)


@ct.kernel
def returned_wide(x, lengths, y, T: Number):
    b = ct.bid(0)
    n = ct.load(lengths, (0,), (1,)).item()
    if b + n >= 100:
        return
    flag = b < 7
    ct.store(y, (b,), ct.load(x, (b,), (T,)))
    if flag:
        return
    ct.store(y, (b,), ct.load(x, (b + 1,), (T,)))


@ct.kernel
def ordered_results(x, y, n: int, T: Number):
    b = ct.bid(0)
    m = ct.zeros((T,), ct.float32)
    z = ct.load(x, (b,), (T,))
    for i in range(n):
        t = ct.load(x, (i,), (T,))
        if i > b:
            a = t * 2.0
            m = m + t
            w = t + z
        else:
            a = t + 1.0
            w = t - z
        z = z * w
        m = m + a
    ct.store(y, (b,), m + z)


@ct.kernel
def nested_results(x, y, n: int, T: Number):
    b = ct.bid(0)
    Z = ct.load(x, (b,), (T,))
    a = ct.load(x, (b + 1,), (T,))
    if b > n:
        if b > 2 * n:
            a = a + Z
            d = a * 2.0
        else:
            Z = Z * 3.0
            d = Z
        c = d + 1.0
    else:
        c = a
        d = Z
        if b * b > n:
            Z = c * 5.0
    ct.store(y, (b,), Z + a * c - d)


@ct.kernel
def remainders(x, y, n: int, m: int, T: Number):
    b = ct.bid(0)
    acc = ct.zeros((T,), ct.float32)
    for i in range(b, n, 3):
        row = i // m
        column = i % m
        acc = acc + ct.load(x, (row,), (T,)) * ct.load(x, (column,), (T,))
    ct.store(y, (b,), acc)


@ct.kernel
def scattered(x, y, n: int, T: Number):
    b, c = ct.bid(0), ct.bid(1)
    lanes = ct.arange(T, dtype=ct.int32)
    v = ct.gather(x, (b, c, lanes, n))
    for i in range(n):
        v = v + ct.gather(x, (i, lanes, b, c))
    ct.scatter(y, (c, b, n, lanes), v)


@ct.kernel
def scalar_carry(x, y, n: int, s: float, T: Number):
    b = ct.bid(0)
    scale = s
    best = 0
    acc = ct.load(x, (b,), (T,))
    for i in range(n):
        top = ct.max(acc)
        if top > scale:
            scale = scale * 0.5
            best = i
        else:
            scale = scale + top
        acc = acc * scale
    ct.store(y, (best,), acc)


@ct.kernel
def while_both(x, y, n: int, m: int, T: Number):
    b = ct.bid(0)
    i = b
    acc = ct.zeros((T,), ct.float32)
    while (i < n and i * 2 < m) or i == 5:
        acc = acc + ct.load(x, (i,), (T,))
        i = i + 1 if i % 2 == 0 else i + 3
        if i == m:
            break
    ct.store(y, (b,), acc)


@ct.kernel
def one_element(x, y, n: int):
    b = ct.bid(0)
    s = ct.gather(x, (b, n))
    for i in range(n):
        s = s * 0.5 + ct.gather(x, (i, b))
    ct.scatter(y, (b, 3), s)


def column_total(x, y, n, T):
    row = ct.bid(0)
    if row >= n:
        return
    total = ct.full((T,), 0.0, ct.float32)
    for j in range(n):
        total = ct.maximum(total, ct.load(x, (j,), (T,)).astype(ct.float32))
    ct.store(y, (row,), total.astype(y.dtype))


@ct.kernel
def returns_in_helper(x, y, n: int, T: Number):
    """To Python the helper is a loop, which the loop in it must not leave: it reads memory."""
    column_total(x, y, n, T)

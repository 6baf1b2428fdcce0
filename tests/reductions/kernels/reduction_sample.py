"""Kernels with reductions and scans whose machine code the tests compare."""

import math

import cuda.tile as ct

ConstInt = ct.Constant[int]


@ct.kernel
def axes(x, o, A: ConstInt, B: ConstInt, C: ConstInt):
    a = ct.load(x, index=(0, 0, 0), shape=(A, B, C))
    columns = ct.sum(a, axis=(0, -1))
    planes = ct.max(a, axis=(1, 2), keepdims=True) + ct.prod(a, axis=0)
    rows = ct.min(a, axis=1, keepdims=True) + ct.sum(a)
    ct.store(o, index=(0, 0, 0), tile=a + columns[None, :, None] + planes + rows)


@ct.kernel
def counted(x, o, N: ConstInt):
    a = ct.load(x, index=(0, 0), shape=(8, N))
    ct.store(o, index=(0,), tile=ct.sum(a > 0, axis=1))


@ct.kernel
def rounded(x, o, N: ConstInt):
    a = ct.load(x, index=(0, 0), shape=(1, N))
    any_positive = ct.max(ct.reshape(a, (N,)) > 0)
    total = ct.sum(a, axis=1, keepdims=True, flush_to_zero=True, rounding_mode=ct.RoundingMode.RZ)
    ct.store(o, index=(0, 0), tile=total + any_positive)


def hypotenuse(a, b):
    return ct.sqrt(a * a + b * b)


@ct.kernel
def by_function(x, o, N: ConstInt, f: float):
    a = ct.load(x, index=(0, 0), shape=(1, N))

    def biggest(p, q):
        return ct.maximum(p, q)

    b = ct.reduce(a, 1, biggest, -math.inf) + ct.reduce(a, -1, hypotenuse, 0)
    ct.store(o, index=(0,), tile=b + ct.reduce(a, 1, lambda p, q: ct.where(p > q, p * f, q) + 1, 0.0))


@ct.kernel
def by_function_on_integers(x, o, N: ConstInt, n: int):
    a = ct.load(x, index=(0,), shape=(N,)).astype(ct.int32)
    b = ct.reduce(a, 0, lambda p, q: p ^ q, 0) + ct.reduce(a, 0, lambda p, q: (p | q) & 65535, 0)
    ct.store(o, index=(0,), tile=b + ct.reduce(a, 0, lambda p, q: ct.where(p > n, p - 3, q), 0))


@ct.kernel
def in_a_loop(x, o, N: ConstInt, n: int):
    acc = ct.zeros((1,), ct.float32)
    for i in range(n):
        a = ct.load(x, index=(i,), shape=(N,)).astype(ct.float32)
        acc = acc + ct.reduce(a, 0, lambda p, q: p * 0.25 + q, 0.0)
    ct.store(o, index=(0,), tile=acc)


@ct.kernel
def running(x, o, M: ConstInt, N: ConstInt):
    a = ct.load(x, index=(0, 0), shape=(M, N)).astype(ct.float32)
    b = ct.cumsum(a, axis=0) + ct.cumprod(a, axis=0, reverse=True)
    ct.store(o, index=(0, 0), tile=b + ct.scan(a, 0, lambda p, q: ct.maximum(p, q), -math.inf))


@ct.kernel
def running_along_the_row(x, o, M: ConstInt, N: ConstInt):
    a = ct.load(x, index=(0, 0), shape=(M, N)).astype(ct.float32)
    ct.store(o, index=(0, 0), tile=ct.cumsum(a, axis=1, flush_to_zero=True))


@ct.kernel
def where_best(x, o, p, M: ConstInt, N: ConstInt):
    a = ct.load(x, index=(ct.bid(0), 0), shape=(M, N), padding_mode=ct.PaddingMode.ZERO)
    rows, columns = ct.argmax(a, 1, keepdims=True), ct.argmin(a, axis=0)
    ct.store(o, index=(ct.bid(0), 0), tile=rows + columns)
    ct.scatter(p, ct.bid(0), ct.argmax(a, propagate_nan=True))


@ct.kernel
def best_by_hand(x, o, N: ConstInt):
    a = ct.load(x, index=(0, 0), shape=(4, N))
    places = ct.where(a == ct.max(a, 1, keepdims=True), ct.arange(N, dtype=ct.int32), N)
    ct.store(o, index=(0,), tile=ct.min(places, 1))


@ct.kernel
def repeatedly_best(x, o, E: ConstInt, K: ConstInt):
    a = ct.load(x, index=(ct.bid(0), 0), shape=(2, E)).astype(ct.float32)
    for k in range(K):
        best = ct.argmax(a, 1, keepdims=True)
        ct.store(o, index=(ct.bid(0), k), tile=best)
        a = ct.where(ct.arange(E, dtype=ct.int32)[None, :] == best, -math.inf, a)


@ct.kernel
def of_any_numbers(x, o, N: ConstInt):
    a = ct.load(x, index=(0, 0), shape=(4, N))
    ct.store(o, index=(0,), tile=ct.max(a, 1) - ct.min(a, 1) + ct.sum(a, 1))


@ct.kernel
def by_function_along(x, o, N: ConstInt, f: float):
    a = ct.load(x, index=(0, 0, 0), shape=(4, N, 2)).astype(ct.float32)
    b = ct.reduce(a, 1, lambda p, q: ct.maximum(p, q) + ct.log(1 + ct.exp(-abs(p - q))) * f, -math.inf)
    ct.store(o, index=(0, 0), tile=b + ct.max(a, (0, 1), propagate_nan=True))


@ct.kernel
def running_inside(x, o, M: ConstInt, N: ConstInt):
    a = ct.load(x, index=(0, 0, 0), shape=(2, M, N)).astype(ct.float32)
    b = ct.cumsum(a, axis=1) + ct.cumprod(a, axis=-1, reverse=True)
    ct.store(o, index=(0, 0, 0), tile=b + ct.scan(a, 2, lambda p, q: ct.maximum(p, q), -math.inf))

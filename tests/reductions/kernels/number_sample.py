"""Kernels on constants, casts and arithmetic whose machine code the tests compare."""

import math

import cuda.tile as ct

ConstInt = ct.Constant[int]
ConstFloat = ct.Constant[float]
INV_LN2 = 1.0 / math.log(2)
WIDEST = max(1, round(2.6), 3) + math.floor(2.5)


@ct.kernel
def module_numbers(x, o, N: ConstInt):
    a = ct.load(x, index=(0,), shape=(N,))
    scale = ct.static_eval(math.log(N) / math.sqrt(N))
    ct.static_assert(math.log2(N) == 6, f"{N} is not 64, {x.dtype}")
    a = ct.where(a > 0, a * INV_LN2, -math.inf) + float("1.5") + int("3")
    ct.store(o, index=(0,), tile=a * scale + WIDEST)


@ct.kernel
def float_constant(x, o, N: ConstInt, E: ConstFloat):
    a = ct.load(x, index=(0,), shape=(N,))
    half = ct.float16(E) * 3.3
    ct.store(o, index=(0,), tile=ct.maximum(a * E + 1, -E) + ct.float32(half) / 7)


@ct.kernel
def double_constant(x, o, N: ConstInt, E: ConstFloat):
    a = ct.load(x, index=(0,), shape=(N,)).astype(ct.float64)
    ct.store(o, index=(0,), tile=a * E + 0.1)


@ct.kernel
def not_a_number(x, o, N: ConstInt):
    a = ct.load(x, index=(0,), shape=(N,))
    ct.store(o, index=(0,), tile=ct.where(a > 0, a, float("nan")))


@ct.kernel
def small_integers(x, y, z, N: ConstInt, K: ConstInt):
    a = ct.load(x, index=(0,), shape=(N,)).astype(ct.int16)
    b = ct.load(y, index=(0,), shape=(N,)).astype(ct.uint8)
    c = ct.load(z, index=(0,), shape=(N,)).astype(ct.int8)
    ct.store(x, index=(0,), tile=ct.where(a > K, ~a, a * K) >> 1)
    ct.store(y, index=(0,), tile=b ^ K)
    ct.store(z, index=(0,), tile=c + K + ct.full((N,), 200, ct.uint8).astype(ct.int8))


@ct.kernel
def to_int32(x, o, N: ConstInt):
    a = ct.load(x, index=(0,), shape=(N,))
    ct.store(o, index=(0,), tile=ct.astype(a, ct.int32) + 3)


@ct.kernel
def flag_constant(x, o, N: ConstInt, FLAG: ct.Constant[bool]):
    a = ct.load(x, index=(0,), shape=(N,)) > 0
    ct.store(o, index=(0,), tile=ct.bitwise_not(a) ^ FLAG)


@ct.kernel
def casts(x, o, N: ConstInt):
    a = ct.load(x, index=(0,), shape=(N,)).astype(ct.float32)
    b = ct.astype(a, ct.float16, rounding_mode=ct.RoundingMode.RZ) + a.astype(ct.float8_e4m3fn).astype(ct.float16)
    c = b.astype(ct.int64).astype(ct.int32) + a.astype(ct.bool_).astype(ct.int32) + (a > 0).astype(ct.int32)
    d = ct.bitcast(c, ct.float32) + ct.astype(ct.astype(a, ct.tfloat32), ct.float32)
    ct.store(o, index=(0,), tile=d + c.astype(ct.bool_).astype(ct.float32))


@ct.kernel
def arithmetic(x, o, N: ConstInt, n: int, f: float):
    a = ct.load(x, index=(0,), shape=(N,)).astype(ct.float32)
    i = ct.arange(N, dtype=ct.int32, start=n, step=3)
    q, r = divmod(i, 7)
    b = a % 3 + a**2 + a**0.5 + 2.0**a + a**i + ct.atan2(a, a)
    if 0 < n < 10:
        b = b + ct.where(i == 1, 1.0, f)
    ct.store(o, index=(0,), tile=b + q * r + (i % n) + min(n, 5) + ct.float32(n))


@ct.kernel
def modes(x, o, N: ConstInt):
    a = ct.load(x, index=(0,), shape=(N,)).astype(ct.float32)
    b = ct.add(a, 1.5, rounding_mode=ct.RoundingMode.RZ) * ct.sub(a, a, flush_to_zero=True)
    c = ct.truediv(a, b, rounding_mode=ct.RoundingMode.FULL) + ct.maximum(a, b, propagate_nan=True)
    ct.store(o, index=(0,), tile=ct.mul(a, b, rounding_mode=ct.RoundingMode.RZ) + ct.tanh(c))

"""Numbers in bits, rows by index, loops that end by data: random numbers, quantization, histograms, scans."""

import math

import cuda.tile as ct
import torch
from cuda.tile import bid, kernel, load, store
from cuda.tile import float32 as f32
from cuda.tile import int32 as i32

Int = ct.Constant[int]
F = ct.Constant[float]
B = ct.Constant[bool]
PHILOX_A = 0xD2511F53
PHILOX_B = 0xCD9E8D57
KEY_A, KEY_B = 0x9E3779B9, 0xBB67AE85
TABLE = (3, 5, 7)
ZERO = ct.PaddingMode.ZERO


def mulhi(a, b):
    p = a.astype(ct.uint64) * ct.uint64(b)
    return (p >> 32).astype(ct.uint32), (p & 0xFFFFFFFF).astype(ct.uint32)


def philox_round(c0, c1, c2, c3, k0, k1):
    h0, l0 = mulhi(c0, PHILOX_A)
    h1, l1 = mulhi(c2, PHILOX_B)
    return h1 ^ c1 ^ k0, l1, h0 ^ c3 ^ k1, l0


@kernel
def dropout_philox(x, out, seed: int, p: float, T: Int, ROUNDS: Int):
    i = bid(0)
    o = i * T + ct.arange(T, dtype=i32)
    c0 = o.astype(ct.uint32)
    c1 = ct.zeros((T,), ct.uint32)
    c2 = ct.zeros((T,), ct.uint32)
    c3 = ct.zeros((T,), ct.uint32)
    k0 = ct.full((T,), seed, ct.uint32)
    k1 = ct.full((T,), 0, ct.uint32)
    for _ in ct.static_iter(range(ROUNDS)):
        c0, c1, c2, c3 = philox_round(c0, c1, c2, c3, k0, k1)
        k0 = k0 + ct.uint32(KEY_A)
        k1 = k1 + ct.uint32(KEY_B)
    u = (c0 >> 8).astype(f32) * (1.0 / 16777216.0)
    v = ct.gather(x, o)
    keep = u >= p
    ct.scatter(out, o, ct.where(keep, v / (1 - p), 0.0).astype(out.dtype))


@kernel
def embedding_grad(ids, g, table, T: Int, D: Int, PAD: Int):
    b = bid(0)
    idx = load(ids, (b,), (T,))
    d = ct.arange(D, dtype=i32)
    v = load(g, (b, 0), (T, D), padding_mode=ZERO).astype(f32)
    v = ct.where((idx != PAD)[:, None], v, 0)
    ct.atomic_add(table, (idx[:, None], d[None, :]), v)


@kernel
def histogram(x, h, lo: float, hi: float, BINS: Int, T: Int):
    v = load(x, (bid(0),), (T,))
    k = ct.floor((v - lo) / (hi - lo) * BINS).astype(i32)
    k = ct.minimum(ct.maximum(k, 0), BINS - 1)
    one = ct.ones((T,), i32)
    ct.atomic_add(h, k, one)


@kernel
def topk_repeat(x, vals, idx, T: Int, K: Int):
    r = bid(0)
    v = load(x, (r, 0), (1, T)).astype(f32).reshape((T,))
    pos = ct.arange(T, dtype=i32)
    for k in range(K):
        m = ct.max(v)
        hit = ct.where(v == m, pos, T)
        at = ct.min(hit)
        ct.scatter(vals, (r, k), m.astype(vals.dtype))
        ct.scatter(idx, (r, k), at)
        v = ct.where(pos == at, -math.inf, v)


@kernel
def quant_direct(x, q, T: Int):
    v = load(x, (bid(0),), (T,))
    store(q, (bid(0),), (v * 127).astype(ct.int8))


@kernel
def dequant_int4(q, s, z, out, G: Int, T: Int):
    b = bid(0)
    w = load(q, (b,), (T,))
    lo = w & 0xF
    hi = (w >> 4) & 0xF
    st = ct.gather(s, (b * T + ct.arange(T, dtype=i32)) // G)
    zt = ct.gather(z, (b * T + ct.arange(T, dtype=i32)) // G)
    both = ct.cat(((lo - zt)[:, None], (hi - zt)[:, None]), 1).astype(f32) * st[:, None]
    store(out, (b,), both.reshape((2 * T,)).astype(out.dtype))


@kernel
def conv1d_causal(x, w, b, out, K: Int, T: Int, ACT: B):
    d, t = bid(0), bid(1)
    pos = t * T + ct.arange(T, dtype=i32)
    acc = ct.full((T,), 0.0, f32) + ct.gather(b, d).astype(f32)
    for k in ct.static_iter(range(K)):
        acc = acc + ct.gather(x, (d, pos - (K - 1) + k)).astype(f32) * ct.gather(w, (d, k)).astype(f32)
    if ACT:
        acc = acc / (1.0 + ct.exp(-acc))
    ct.scatter(out, (d, pos), acc.astype(out.dtype))


def act(x, kind: int = 0, alpha=0.01):
    if kind == 0:
        return ct.maximum(x, 0)
    elif kind == 1:
        return ct.where(x > 0, x, alpha * x)
    return x * (1 / (1 + ct.exp(-x)))


@kernel
def bmm_epilogue(a, b, bias, c, TM: Int, TN: Int, TK: Int, KIND: Int, TRANS: B):
    z, m, n = bid(0), bid(1), bid(2)
    acc = ct.zeros((TM, TN), dtype=f32)
    for k in range(ct.num_tiles(a, axis=2, shape=(1, TM, TK))):
        at = load(a, (z, m, k), (1, TM, TK), padding_mode=ZERO).reshape((TM, TK))
        if TRANS:
            bt = load(b, (z, n, k), (1, TN, TK), padding_mode=ZERO).reshape((TN, TK)).transpose()
        else:
            bt = load(b, (z, k, n), (1, TK, TN), padding_mode=ZERO).reshape((TK, TN))
        acc = ct.mma(at, bt, acc)
    acc = acc + load(bias, (n,), (TN,), padding_mode=ZERO).astype(f32)
    acc = act(acc, kind=KIND, alpha=0.2)
    store(c, (z, m, n), acc.astype(c.dtype)[None])


@kernel
def collatz(x, out):
    n = ct.gather(x, bid(0))
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps = steps + 1
        if steps > 1000:
            break
    ct.scatter(out, bid(0), steps)


@kernel
def segment_sum(x, starts, out, T: Int):
    s = bid(0)
    a, b = ct.gather(starts, s), ct.gather(starts, s + 1)
    acc = ct.zeros((T,), f32)
    o = ct.arange(T, dtype=i32)
    for i in range(a, b, T):
        k = i + o
        acc += ct.where(k < b, ct.gather(x, k), 0.0)
    ct.scatter(out, s, ct.sum(acc))


@ct.kernel
def top_one(x, value, index, T: Int):
    t = ct.load(x, (ct.bid(0), 0), (1, T)).astype(ct.float32)
    best = ct.max(t, axis=1, keepdims=True)
    at = ct.min(ct.where(t == best, ct.arange(T, dtype=ct.int32)[None, :], T), axis=1)
    ct.store(value, (ct.bid(0),), best.reshape((1,)).astype(value.dtype))
    ct.store(index, (ct.bid(0),), at.astype(index.dtype))


@ct.kernel
def cast_copy(x, y, T: Int):
    store(y, (bid(0),), load(x, (bid(0),), (T,)).astype(y.dtype))


@ct.kernel
def low_rank_add(x, a, y, scale: float, M: Int, K: Int, N: Int):
    t = ct.matmul(load(x, (bid(0), 0), (M, K)), load(a, (0, bid(1)), (K, N))) * scale
    store(y, (bid(0), bid(1)), load(y, (bid(0), bid(1)), (M, N)) + t.astype(y.dtype))


@ct.kernel
def own_sum(x, y, T: Int):
    t = load(x, (bid(0), 0), (1, T))
    store(y, (bid(0),), ct.reduce(t, 1, lambda a, b: a + b, 0))


@ct.kernel
def weighted_skips(x, w, y, v, z, u, out, T: ct.Constant[int]):
    """A float32 sum of products, each in a dtype of its own: a cast stands before the sum, or none."""
    at = (ct.bid(0),)
    total = ct.full((T,), 0.5, ct.float32)
    total = total + ct.load(x, at, (T,)) * ct.load(w, at, (T,))
    total = total + ct.load(y, at, (T,)) * ct.load(v, at, (T,))
    total = total + ct.load(z, at, (T,)) * ct.load(u, at, (T,))
    ct.store(out, at, total.astype(out.dtype))


@ct.kernel
def experts(x, idx, y, E: ct.Constant[int]):
    i = ct.bid(0) * E + ct.arange(E, dtype=ct.int32)
    t = ct.gather(x, i, padding_value=0)
    ct.scatter(y, i, t % 3 + ct.gather(idx, i) // E)


@ct.kernel
def powers(x, y, z, n, T: ct.Constant[int]):
    t = ct.load(x, (ct.bid(0),), (T,))
    ct.store(z, (ct.bid(0),), (t ** ct.load(y, (ct.bid(0),), (T,)) + t**n).astype(z.dtype))


@ct.kernel
def integer_scores(a, b, c, T: ct.Constant[int]):
    x, y = ct.load(a, (ct.bid(0), 0), (T, T)), ct.load(b, (0, ct.bid(1)), (T, T))
    ct.store(c, (ct.bid(0), ct.bid(1)), ct.mma(x, y, ct.full((T, T), 0, c.dtype)))


@ct.kernel
def masked_by_infinity(x, y, T: ct.Constant[int]):
    t = ct.load(x, (ct.bid(0),), (T,))
    ct.store(y, (ct.bid(0),), ct.where(t == t, t, ct.full((T,), -float("inf"), x.dtype)))


LOWEST = torch.finfo(torch.float32).min
STEPS = torch.iinfo(torch.int8).max
NARROW = torch.finfo(torch.float8_e4m3fn)
LARGEST = NARROW.max + NARROW.eps


@ct.kernel
def within_limits(x, y, T: ct.Constant[int]):
    t = ct.load(x, (ct.bid(0),), (T,))
    t = ct.where(t > 0, t / STEPS, LOWEST)
    ct.store(y, (ct.bid(0),), ct.minimum(t, LARGEST))

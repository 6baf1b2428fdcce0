"""Attention, with paged keys and values, and rotary embeddings: helpers, options, masks, transposed loads."""

from math import inf as INFINITY
from math import log

import cuda.tile as ct

Int = ct.Constant[int]
B = ct.Constant[bool]
INV_LN2 = 1 / log(2)


def load_kv(array, batch, head, j, T, D, transpose=False, latency=None):
    if transpose:
        t = ct.load(array, index=(batch, head, 0, j), shape=(1, 1, D, T), order=(0, 1, 3, 2), latency=2)
        return ct.reshape(t, (D, T))
    t = ct.load(array, index=(batch, head, j, 0), shape=(1, 1, T, D), latency=4)
    return t.reshape((T, D))


def online(acc, m, total, scores, v):
    m_new = ct.maximum(m, ct.max(scores, axis=-1, keepdims=True))
    p = ct.exp2(scores - m_new, flush_to_zero=True)
    alpha = ct.exp2(m - m_new, flush_to_zero=True)
    total = total * alpha + ct.sum(p, axis=-1, keepdims=True)
    acc = acc * alpha
    acc = ct.mma(p.astype(v.dtype), v, acc)
    return acc, m_new, total


@ct.kernel(occupancy=ct.ByTarget(sm_100=2, default=1))
def causal(q, k, v, o, scale: float, pos: int, H: Int, TM: Int, TN: Int, D: Int, GROUP: Int, CAUSAL: B, EVEN: B):
    bx, by = ct.bid(0), ct.bid(1)
    b, h = by // H, by % H
    hk = h // GROUP
    s = scale * INV_LN2
    rows = bx * TM + ct.arange(TM, dtype=ct.int32)
    rows = (rows + pos)[:, None]
    cols = ct.arange(TN, dtype=ct.int32)[None, :]
    m = ct.full((TM, 1), -INFINITY, dtype=ct.float32)
    total = ct.full((TM, 1), 0.0, dtype=ct.float32)
    acc = ct.full((TM, D), 0.0, dtype=ct.float32)
    qt = ct.load(q, index=(b, h, bx, 0), shape=(1, 1, TM, D)).reshape((TM, D))
    seq = k.shape[2]
    end = pos + (bx + 1) * TM
    if CAUSAL:
        first = (pos + bx * TM) // TN
        first = min(first, seq // TN)
        stop = ct.cdiv(min(end, seq), TN)
    else:
        stop = ct.cdiv(seq, TN)
        first = seq // TN
    for j in range(stop):
        kt = load_kv(k, b, hk, j, TN, D, transpose=True)
        qk = ct.full((TM, TN), 0.0, dtype=ct.float32)
        qk = ct.mma(qt, kt, qk)
        if (CAUSAL or not EVEN) and j >= first:
            offs = j * TN + cols
            mask = ct.full((TM, TN), True, dtype=ct.bool_)
            if not EVEN:
                mask = mask & (offs < seq)
            if CAUSAL:
                mask = mask & (rows >= offs)
            mask = ct.where(mask, 0.0, -INFINITY)
            qk = qk + mask
        acc, m, total = online(acc, m, total, qk * s, load_kv(v, b, hk, j, TN, D))
    acc = ct.truediv(acc, total, flush_to_zero=True, rounding_mode=ct.RoundingMode.APPROX)
    ct.store(o, index=(b, h, bx, 0), tile=acc.reshape((1, 1, TM, D)).astype(o.dtype))


@ct.kernel
def paged_decode(q, kc, vc, table, lens, o, scale: float, PAGE: Int, D: Int, G: Int):
    b, h = ct.bid(0), ct.bid(1)
    n = ct.gather(lens, b)
    qt = ct.load(q, (b, h, 0, 0), (1, 1, G, D)).reshape((G, D))
    m = ct.full((G, 1), -1e30, ct.float32)
    total = ct.zeros((G, 1), ct.float32)
    acc = ct.zeros((G, D), ct.float32)
    offs = ct.arange(PAGE, dtype=ct.int32)
    for p in range(ct.cdiv(n, PAGE)):
        page = ct.load(table, (b, p), (1, 1)).item()
        kt = ct.load(kc, (page, 0, h, 0), (1, PAGE, 1, D)).reshape((PAGE, D))
        vt = ct.load(vc, (page, 0, h, 0), (1, PAGE, 1, D)).reshape((PAGE, D))
        sc = ct.mma(qt, kt.transpose(), ct.zeros((G, PAGE), ct.float32)) * (scale * INV_LN2)
        sc = ct.where((p * PAGE + offs < n)[None, :], sc, -1e30)
        acc, m, total = online(acc, m, total, sc, vt)
    ct.store(o, (b, h, 0, 0), (acc / total).astype(o.dtype).reshape((1, 1, G, D)))


@ct.kernel
def rope_interleaved(x, freqs, out, T: Int, D: Int):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (T, D)).astype(ct.float32).reshape((T, D // 2, 2))
    re, im = ct.extract(t, (0, 0, 0), (T, D // 2, 1)), ct.extract(t, (0, 0, 1), (T, D // 2, 1))
    f = ct.load(freqs, (i, 0), (T, D // 2))[:, :, None]
    c, s = ct.cos(f), ct.sin(f)
    y = ct.cat((re * c - im * s, re * s + im * c), axis=2)
    ct.store(out, (i, 0), y.reshape((T, D)).astype(out.dtype))


@ct.kernel
def sum_of_pages(pages, table, out, n: int, SIZE: Int):
    total = ct.zeros((SIZE,), ct.float32)
    for i in range(n):
        page = ct.gather(table, (ct.bid(0), i))
        total += ct.load(pages, (page, 0), (1, SIZE)).reshape((SIZE,))
    ct.store(out, (ct.bid(0), 0), total.reshape((1, SIZE)).astype(out.dtype))


@ct.kernel
def slope_bias(scores, slopes, out, M: Int, N: Int):
    at = ct.bid(0), ct.bid(1)
    rows = ct.bid(0) * M + ct.arange(M, dtype=ct.int32)[:, None]
    distance = rows - ct.arange(N, dtype=ct.int32)[None, :]
    bias = ct.gather(slopes, ct.bid(2)) * distance
    ct.store(out, at, (ct.load(scores, at, (M, N)) + bias).astype(out.dtype))

"""Losses and normalisations: online softmax, two passes over a row, group statistics, options as constants."""

from __future__ import annotations

import math

import cuda.tile as ct
from cuda.tile import Constant
from cuda.tile import PaddingMode as Pad

ConstInt = Constant[int]
LOG2E = 1.0 / math.log(2)
NEG_INF = -math.inf
EPS: float = 1e-6


@ct.kernel(occupancy=2)
def cross_entropy_online(logits, targets, loss, lse, n_cols: int, ignore_index: int, smoothing: float, BLOCK: ConstInt):
    row = ct.bid(0)
    target = ct.gather(targets, row).astype(ct.int32)
    m = ct.full((), NEG_INF, ct.float32)
    s = ct.zeros((), ct.float32)
    total = ct.zeros((), dtype=ct.float32)
    cols = ct.arange(BLOCK, dtype=ct.int32)
    for start in range(0, n_cols, BLOCK):
        offs = start + cols
        x = ct.gather(logits, (row, offs), padding_value=NEG_INF).astype(ct.float32)
        mi = ct.max(x)
        m_new = max(m, mi)
        s = s * ct.exp2((m - m_new) * LOG2E) + ct.sum(ct.exp2((x - m_new) * LOG2E))
        total += ct.sum(ct.where(offs < n_cols, x, 0.0))
        m = m_new
    norm = m + ct.log(s)
    picked = ct.gather(logits, (row, target)).astype(ct.float32)
    nll = norm - picked
    smooth = norm - total / n_cols
    value = (1.0 - smoothing) * nll + smoothing * smooth
    if target == ignore_index:
        value = 0.0
    ct.scatter(loss, row, value)
    ct.scatter(lse, row, norm)


@ct.kernel
def cross_entropy_backward(logits, targets, lse, grad_out, n_cols: int, BLOCK: ConstInt):
    row, chunk = ct.bid(0), ct.bid(1)
    offs = chunk * BLOCK + ct.arange(BLOCK, dtype=ct.int32)
    x = ct.gather(logits, (row, offs), padding_value=0).astype(ct.float32)
    p = ct.exp(x - ct.gather(lse, row))
    t = ct.gather(targets, row)
    g = ct.where(offs == t, p - 1.0, p) * ct.gather(grad_out, row)
    ct.scatter(logits, (row, offs), g.astype(logits.dtype))


@ct.kernel
def group_norm(x, w, b, out, mean_out, rstd_out, eps: float, GROUP: ConstInt, SIZE: ConstInt, HAS_BIAS: Constant[bool]):
    n, g = ct.bid(0), ct.bid(1)
    t = ct.load(x, (n, g, 0), (1, GROUP, SIZE), padding_mode=Pad.ZERO).astype(ct.float32)
    t = ct.reshape(t, (GROUP, SIZE))
    count = GROUP * SIZE
    mean = ct.sum(t) / count
    c = t - mean
    var = ct.sum(c * c) / count
    rstd = 1.0 / ct.sqrt(var + eps)
    wt = ct.load(w, (g,), (GROUP,)).astype(ct.float32)
    y = c * rstd * wt[:, None]
    if HAS_BIAS:
        y = y + ct.load(b, (g,), (GROUP,)).astype(ct.float32)[:, None]
    ct.store(out, (n, g, 0), y.reshape((1, GROUP, SIZE)).astype(out.dtype))
    ct.scatter(mean_out, (n, g), mean)
    ct.scatter(rstd_out, (n, g), rstd)


@ct.kernel
def layer_norm_two_pass(X, W, B, Y, eps: float, TILE: ConstInt):
    r = ct.bid(0)
    N = X.shape[1]
    blocks = ct.num_tiles(X, axis=1, shape=(1, TILE))
    acc = ct.zeros((1, TILE), ct.float32)
    for j in range(blocks):
        acc += ct.load(X, index=(r, j), shape=(1, TILE), padding_mode=Pad.ZERO).astype(ct.float32)
    mean = ct.sum(acc, axis=1, keepdims=True) / N
    acc2 = ct.zeros((1, TILE), ct.float32)
    for j in range(blocks):
        v = ct.load(X, index=(r, j), shape=(1, TILE), padding_mode=Pad.ZERO).astype(ct.float32)
        inside = (j * TILE + ct.arange(TILE, dtype=ct.int32)) < N
        d = ct.where(inside[None, :], v - mean, 0)
        acc2 = acc2 + d * d
    rstd = ct.rsqrt(ct.sum(acc2, axis=1, keepdims=True) / N + eps)
    for j in range(blocks):
        v = ct.load(X, index=(r, j), shape=(1, TILE), padding_mode=Pad.ZERO).astype(ct.float32)
        w = ct.load(W, index=(j,), shape=(TILE,), padding_mode=Pad.ZERO)
        bb = ct.load(B, index=(j,), shape=(TILE,), padding_mode=Pad.ZERO)
        ct.store(Y, index=(r, j), tile=((v - mean) * rstd * w + bb).astype(Y.dtype))


@ct.kernel
def jsd(x, y, loss, dx, beta: float, T: ConstInt):
    i = ct.bid(0)
    a = ct.load(x, (i,), (T,)).astype(ct.float32)
    b = ct.load(y, (i,), (T,)).astype(ct.float32)
    P, Q = ct.exp(b), ct.exp(a)
    if beta == 0.0:
        v = P * (b - a)
        d = -P
    elif beta == 1.0:
        v = Q * (a - b)
        d = v + Q
    else:
        M = beta * P + (1 - beta) * Q
        lm = ct.log(M)
        v = beta * P * (b - lm) + (1 - beta) * Q * (a - lm)
        d = (1 - beta) * Q * (a - lm)
    ct.store(loss, (i,), v)
    ct.store(dx, (i,), d.astype(dx.dtype))


@ct.kernel
def rms_norm_residual(x, res, w, out, eps: float, offset: float, T: ConstInt):
    i = ct.bid(0)
    v = ct.load(x, (i, 0), (1, T), padding_mode=Pad.ZERO) + ct.load(res, (i, 0), (1, T), padding_mode=Pad.ZERO)
    ct.store(res, (i, 0), v)
    f = ct.astype(v, ct.float32)
    ms = ct.sum(f * f, axis=1, keepdims=True) * (1.0 / x.shape[1])
    y = f * ct.rsqrt(ms + eps) * (offset + ct.load(w, (0,), (T,), padding_mode=Pad.ZERO).astype(ct.float32))
    ct.store(out, (i, 0), y.astype(out.dtype))


@ct.kernel
def instance_norm(x, y, eps: ct.Constant[float], COUNT: ConstInt, SIZE: ConstInt):
    at = ct.bid(0), ct.bid(1), 0
    t = ct.load(x, at, (1, 1, SIZE), padding_mode=Pad.ZERO).astype(ct.float32)
    share = 1.0 / COUNT
    mean = ct.sum(t) * share
    var = ct.sum(t * t) * share - mean * mean
    ct.store(y, at, ((t - mean) * ct.rsqrt(var + eps)).astype(y.dtype))

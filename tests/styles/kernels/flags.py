"""Kernels with many options, each a constant: more ways through them than entries could be made for."""

import cuda.tile as ct

Flag = ct.Constant[bool]
Number = ct.Constant[int]


def activate(x, kind):
    """One of three activations, or none."""
    if kind == 1:
        y = ct.maximum(x, 0.0)
    elif kind == 2:
        y = x * (1.0 / (1.0 + ct.exp(-x)))
    elif kind == 3:
        y = ct.tanh(x)
    else:
        y = x
    return y


@ct.kernel
def row_epilogue(
    x, bias, gate, residual, stats, out, cap, scale,
    HAS_BIAS: Flag, HAS_GATE: Flag, HAS_RESIDUAL: Flag, HAS_CAP: Flag, WRITE_STATS: Flag, NEGATE: Flag,
    KIND: Number, GROUP: Number, TILE: Number,
):  # fmt: skip
    row = ct.bid(0)
    group = row // GROUP if GROUP > 1 else row
    total = ct.full((TILE,), 0.0, dtype=ct.float32)
    for j in range(ct.cdiv(x.shape[1], TILE)):
        v = ct.load(x, index=(row, j), shape=(1, TILE), padding_mode=ct.PaddingMode.ZERO).reshape((TILE,))
        v = v.astype(ct.float32)
        if HAS_BIAS:
            b = ct.load(bias, index=(j,), shape=(TILE,), padding_mode=ct.PaddingMode.ZERO)
            v = ct.maximum(v, b.astype(ct.float32))
        v = activate(v, KIND)
        if HAS_CAP:
            v = ct.minimum(v, cap)
        if HAS_GATE:
            g = ct.load(gate, index=(group, j), shape=(1, TILE), padding_mode=ct.PaddingMode.ZERO).reshape((TILE,))
            v = ct.where(g.astype(ct.float32) > 0.0, v, 0.0)
        if NEGATE or not HAS_CAP:
            v = -v
        if HAS_RESIDUAL:
            r = ct.load(residual, index=(row, j), shape=(1, TILE), padding_mode=ct.PaddingMode.ZERO).reshape((TILE,))
            v = v + r.astype(ct.float32)
        total = ct.maximum(total, v)
        ct.store(out, index=(row, j), tile=v.reshape((1, TILE)).astype(out.dtype))
    if WRITE_STATS:
        peak = ct.max(total, 0)
        if HAS_CAP:
            peak = peak * scale
        ct.scatter(stats, row, peak.astype(stats.dtype))


@ct.kernel
def scores_of_parts(
    q, k, out, n: int, MAIN: Number, REST: Number, ROWS: Number,
    SCALE: Flag, SQUARE: Flag, HALVE: Flag, SHIFT: Flag, CLIP: Flag,
):  # fmt: skip
    """A part of each row that there may be none of: what it is read by has then no value."""
    block = ct.bid(0)
    if block * ROWS >= n:
        return
    main = ct.load(q, (block, 0), (ROWS, MAIN))
    rest = None
    if REST > 0:
        rest = ct.load(q, (block, MAIN // REST), (ROWS, REST))
    total = ct.full((ROWS, ROWS), 0.0, ct.float32)
    for i in range(ct.cdiv(n, ROWS)):
        score = ct.mma(main, ct.transpose(ct.load(k, (i, 0), (ROWS, MAIN))), ct.full((ROWS, ROWS), 0.0, ct.float32))
        if REST > 0:
            score = ct.mma(rest, ct.transpose(ct.load(k, (i, MAIN // REST), (ROWS, REST))), score)
        if SCALE:
            score = score * 0.125
        if SQUARE:
            score = score * score
        if HALVE:
            score = ct.maximum(score, score * 0.5)
        if SHIFT:
            score = score + 1.0
        if CLIP:
            score = ct.minimum(score, 4.0)
        total = total + score
    ct.store(out, (block, 0), total.astype(out.dtype))

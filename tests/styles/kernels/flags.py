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

"""Softmax of each row, one block a row; the row fits into one tile."""

import cuda.tile as ct


@ct.kernel
def row_softmax(scores, weights, TILE: ct.Constant[int]):
    row = ct.bid(0)
    values = ct.load(scores, index=(row, 0), shape=(1, TILE), padding_mode=ct.PaddingMode.NEG_INF)
    values = values.astype(ct.float32)
    # The largest value is taken off first, so that no exponential overflows.
    shifted = values - ct.max(values, axis=1, keepdims=True)
    powers = ct.exp(shifted)
    total = ct.sum(powers, axis=1, keepdims=True)
    ct.store(weights, index=(row, 0), tile=(powers / total).astype(weights.dtype))

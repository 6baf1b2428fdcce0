"""Log of the sum of exponentials of each row, in one pass: the maximum and the sum are corrected as the row goes by."""

import math

import cuda.tile as ct


@ct.kernel
def row_logsumexp(x, out, TILE: ct.Constant[int]):
    row = ct.bid(0)
    peak = ct.full((1, 1), -math.inf, dtype=ct.float32)
    total = ct.zeros((1, 1), dtype=ct.float32)
    for j in range(ct.num_tiles(x, axis=1, shape=(1, TILE))):
        part = ct.load(x, index=(row, j), shape=(1, TILE), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
        new_peak = ct.maximum(peak, ct.max(part, axis=1, keepdims=True))
        total = total * ct.exp(peak - new_peak) + ct.sum(ct.exp(part - new_peak), axis=1, keepdims=True)
        peak = new_peak
    ct.store(out, index=(row,), tile=ct.reshape(peak + ct.log(total), (1,)))

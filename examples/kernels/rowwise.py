"""A kernel for the Rust examples: out[i, j] = x[i, j] * (j + 1) / sum of row i."""

import cuda.tile as ct


@ct.kernel
def weigh_rows(x, out, TILE: ct.Constant[int]):
    row = ct.bid(0)
    values = ct.load(x, (row, 0), (1, TILE), padding_mode=ct.PaddingMode.ZERO)
    weights = ct.astype(ct.arange(TILE, dtype=ct.int32) + 1, ct.float32)
    total = ct.sum(values, 1, keepdims=True)
    ct.store(out, (row, 0), values * ct.reshape(weights, (1, TILE)) / total)

"""Matrix product: each block makes one tile of the result, stepping along K."""

import cuda.tile as ct


@ct.kernel
def matmul(a, b, c, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    steps = ct.num_tiles(a, axis=1, shape=(TM, TK))
    total = ct.full((TM, TN), 0, dtype=ct.float32)
    for k in range(steps):
        left = ct.load(a, (i, k), (TM, TK), padding_mode=ct.PaddingMode.ZERO)
        right = ct.load(b, (k, j), (TK, TN), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(left, right, total)
    ct.store(c, (i, j), total.astype(c.dtype))

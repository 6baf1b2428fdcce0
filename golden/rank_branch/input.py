"""Mean of each row. A constant decides whether a block works on a vector or on a matrix."""

import cuda.tile as ct


@ct.kernel
def row_means(data, means, ROWS: ct.Constant[int], COLS: ct.Constant[int]):
    block = ct.bid(0)
    tile = ct.load(data, (block, 0), (ROWS, COLS), padding_mode=ct.PaddingMode.ZERO)
    if ROWS == 1:
        # Rank 1 from here on.
        tile = ct.reshape(tile, (COLS,))
        total = ct.sum(tile, axis=0, keepdims=True)
    else:
        total = ct.sum(tile, axis=1)
    ct.store(means, (block,), total / data.shape[1])

"""`alpha * x + y` by a fixed number of blocks, each of which walks over every `num_blocks`-th tile."""

import cuda.tile as ct


@ct.kernel(occupancy=2)
def axpy(alpha, x, y, out, TILE: ct.Constant[int]):
    tiles = ct.cdiv(x.shape[0], TILE)
    for i in range(ct.bid(0), tiles, ct.num_blocks(0)):
        left = ct.load(x, index=(i,), shape=(TILE,))
        right = ct.load(y, index=(i,), shape=(TILE,))
        result = alpha * left + right
        ct.store(out, index=(i,), tile=result.astype(out.dtype))

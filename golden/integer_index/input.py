"""A batch of matrices transposed by a flat grid: the block's number is taken apart with `//` and `%`."""

import cuda.tile as ct


@ct.kernel
def transpose_flat(x, out, TILE: ct.Constant[int]):
    across = ct.cdiv(x.shape[2], TILE)
    down = ct.cdiv(x.shape[1], TILE)
    block = ct.bid(0)
    batch = block // (down * across)
    place = block % (down * across)
    i = place // across
    j = place % across
    tile = ct.load(x, (batch, i, j), (1, TILE, TILE))
    ct.store(out, (batch, j, i), ct.permute(tile, (0, 2, 1)))


@ct.kernel
def rotate_digits(x, out, SHIFT: ct.Constant[int], TILE: ct.Constant[int]):
    at = ct.bid(0) * TILE + ct.arange(TILE, dtype=ct.int32)
    moved = (at - SHIFT) % x.shape[0]
    value = ct.gather(x, moved)
    ct.scatter(out, at, (value // 10) * 10 + (value % 10 - SHIFT) % 10)

"""Sums of neighbours: a tile twice as long as the result, folded in pairs."""

import cuda.tile as ct


@ct.kernel
def add_pairs(x, out, TILE: ct.Constant[int]):
    i = ct.bid(0)
    both = ct.load(x, index=(i,), shape=(2 * TILE,), padding_mode=ct.PaddingMode.ZERO)
    pairs = ct.reshape(both, (TILE, 2))
    ct.store(out, index=(i,), tile=ct.sum(pairs, axis=1))

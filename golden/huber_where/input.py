"""Huber loss: a parabola near zero, straight lines outside; entries marked as missing count nothing."""

import cuda.tile as ct


@ct.kernel
def huber(predicted, wanted, present, loss, DELTA: ct.Constant[float], TILE: ct.Constant[int]):
    i = ct.bid(0)
    guess = ct.load(predicted, (i,), (TILE,)).astype(ct.float32)
    truth = ct.load(wanted, (i,), (TILE,)).astype(ct.float32)
    difference = guess - truth
    size = ct.maximum(difference, -difference)
    inside = 0.5 * difference * difference
    outside = DELTA * (size - 0.5 * DELTA)
    cost = ct.where(size <= DELTA, inside, outside)
    counted = (ct.load(present, (i,), (TILE,)) != 0) & (difference == difference)
    ct.store(loss, (i,), ct.where(counted, cost, 0.0))

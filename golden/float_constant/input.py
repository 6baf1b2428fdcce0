"""Leaky ReLU, cut off above. Both slopes are constants of the kernel."""

import cuda.tile as ct

CEILING = 6.0


@ct.kernel
def leaky_relu(x, out, SLOPE: ct.Constant[float], TILE: ct.Constant[int]):
    i = ct.bid(0)
    value = ct.load(x, (i,), (TILE,)).astype(ct.float32)
    leaked = ct.maximum(value, 0.0) + SLOPE * ct.minimum(value, 0.0)
    ct.store(out, (i,), ct.minimum(leaked, CEILING).astype(out.dtype))

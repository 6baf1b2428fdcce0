"""Square root of a sum of squares: what is narrower than float32 is widened first, and rounded once at the end."""

import cuda.tile as ct


@ct.kernel
def hypotenuse(a, b, out, TILE: ct.Constant[int]):
    i = ct.bid(0)
    x = ct.load(a, (i,), (TILE,))
    y = ct.load(b, (i,), (TILE,))
    if a.dtype == ct.float32:
        ct.store(out, (i,), ct.sqrt(x * x + y * y))
    else:
        wide_x = ct.astype(x, ct.float32)
        wide_y = ct.astype(y, ct.float32)
        length = ct.sqrt(wide_x * wide_x + wide_y * wide_y)
        ct.store(out, (i,), ct.astype(length, out.dtype))

"""A gated product whose arithmetic lives in a module next door."""

import cuda.tile as ct

from .gates import gate


@ct.kernel
def gated(value, control, out, ROWS: ct.Constant[int], COLS: ct.Constant[int]):
    place = (ct.bid(0), ct.bid(1))
    shape = (ROWS, COLS)
    v = ct.load(value, place, shape)
    c = ct.load(control, place, shape)
    ct.store(out, place, gate(v, c).astype(out.dtype))

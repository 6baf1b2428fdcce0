"""Kernels made by calls, in functions and in classes."""

import functools; import cuda.tile as ct

quick = functools.partial(ct.kernel, occupancy=8)


def body(x, y, SIZE: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (SIZE,)))


one = ct.kernel(body, occupancy=2)
two = ct.kernel(num_ctas=4)(body)
three = one.replace_hints(occupancy=3)


@quick
def four(x, y, SIZE: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (SIZE,)))


class Box:
    @staticmethod
    @ct.kernel
    def five(x, y, SIZE: ct.Constant[int]):
        i = ct.bid(0)
        ct.store(y, (i,), ct.load(x, (i,), (SIZE,)))


def make(occupancy):
    @ct.kernel(occupancy=occupancy)
    def six(x, y, SIZE: ct.Constant[int]):
        i = ct.bid(0)
        ct.store(y, (i,), ct.load(x, (i,), (SIZE,)))

    return six


def rebuilt(kernel, **hints):
    return ct.kernel(**hints)(kernel._pyfunc)

import cuda.tile as ct
from cuda.tile.tune import exhaustive_search
from tilegym.backend import register_impl

BACKEND = "cutile"


@ct.kernel
def copy(x, y, SIZE: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (SIZE,)))


def search(args, **more):
    return exhaustive_search(
        [1, 2, 4], 5, lambda c: (c,), copy, lambda c: (*args, c), lambda c: {"occupancy": c}, quiet=True, **more
    )


def by_config(args):
    kernels = {c: copy.replace_hints(occupancy=c) for c in (1, 2)}
    return ct.tune.exhaustive_search([1, 2], 5, lambda c: (c,), lambda c: kernels[c], lambda c: (*args, c), quiet=True)


@register_impl("search", backend="cutile")
def operator(args):
    return search(args)


@register_impl("other", BACKEND)
def other(args):
    return by_config(args)

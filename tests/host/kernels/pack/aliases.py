import functools
import operator

import cuda.tile
import cuda.tile as ct
from cuda.tile import kernel as kern, launch as go

start = ct.launch
tile = ct


@kern
def copy(x, y, SIZE: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (SIZE,)))


def by_name(args):
    go(1, (1,), copy, args)


def by_module(args):
    cuda.tile.launch(2, (1,), copy, args)


def by_alias(args):
    start(3, (1,), copy, args)


def by_module_alias(args):
    tile.launch(4, (1,), copy, args)


def by_local_import(args):
    from cuda.tile import launch

    launch(5, (1,), copy, args)


def by_partial(args):
    functools.partial(ct.launch, 6, (1,))(copy, args)


def by_default(args, run=ct.launch):
    run(7, (1,), copy, args)


def by_lambda(args):
    (lambda grid: go(8, grid, copy, args))((1,))


def by_comprehension(args):
    [ct.launch(stream, (1,), k, args) for stream, k in [(9, copy)]]


def by_value(args):
    operator.call(ct.launch, 10, (1,), copy, args) if hasattr(operator, "call") else go(10, (1,), copy, args)


def not_ours(go, ct):
    """Parameters hide the imports."""
    return go(1), ct.launch(2), [go.x for go in ct]


class Runner:
    launch = staticmethod(ct.launch)

    def __call__(self, args):
        self.launch(11, (1,), copy, args)

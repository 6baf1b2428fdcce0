"""Kernels whose arrays may have one row or one column only."""

import cuda.tile as ct


@ct.kernel
def shifted_columns(x, column, y, T: ct.Constant[int]):
    row = ct.bid(0)
    shift = ct.load(column, (row, 0), (1, 1))
    for step in range(ct.num_tiles(x, axis=1, shape=(1, T))):
        tile = ct.load(x, (row, step), (1, T), padding_mode=ct.PaddingMode.ZERO)
        ct.store(y, (row, step), tile - shift)


@ct.kernel
def picked_cells(x, places, out, T: ct.Constant[int]):
    place = ct.load(places, (ct.bid(0),), (T,))
    width = x.shape[1]
    cells = ct.gather(x, (place // width, place % width))
    ct.scatter(out, (place, ct.bid(1)), cells * x.shape[0])


@ct.kernel
def last_rows(x, out, T: ct.Constant[int]):
    part = x.slice(axis=0, start=x.shape[0] - 1, stop=x.shape[0])
    ct.store(out, (0, ct.bid(0)), ct.load(part, (0, ct.bid(0)), (1, T)))


@ct.kernel
def folded_layers(x, out, T: ct.Constant[int]):
    total = ct.zeros((T,), dtype=ct.float32)
    for layer in range(x.shape[0]):
        for row in range(x.shape[1]):
            tile = ct.load(x, (layer, row, ct.bid(0)), (1, 1, T), allow_tma=False)
            total += ct.reshape(tile, (T,)).astype(ct.float32)
    ct.store(out, (ct.bid(0),), total.astype(out.dtype))


@ct.kernel
def row_of(x, out, T: ct.Constant[int], N: ct.Constant[int]):
    part = x.slice(axis=0, start=N, stop=N + 1)
    ct.store(out, (0, ct.bid(0)), ct.load(part, (0, ct.bid(0)), (1, T)))

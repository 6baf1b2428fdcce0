"""Copies rows of a table to the places that two index arrays name; indices out of range read zero and write nothing."""

import cuda.tile as ct


@ct.kernel
def move_rows(table, source, target, out, COUNT: ct.Constant[int], WIDTH: ct.Constant[int]):
    first = ct.bid(0) * COUNT
    entries = first + ct.arange(COUNT, dtype=ct.int32)
    rows_in = ct.gather(source, entries, padding_value=-1)
    rows_out = ct.gather(target, entries, padding_value=-1)
    columns = ct.arange(WIDTH, dtype=ct.int32)
    values = ct.gather(table, (rows_in[:, None], columns[None, :]), padding_value=0)
    ct.scatter(out, (rows_out[:, None], columns[None, :]), values)

#!/usr/bin/env python
# A comment before the docstring: é ü 漢字
"""A kernel, and its launch."""

from __future__ import annotations

import cuda.tile as ct

from . import consts
from .consts import (
    TILE,  # kept as it is
)


@ct.kernel(occupancy=2)
def double(x, y, SIZE: ct.Constant[int]):
    """Doubles."""
    i = ct.bid(0)
    t = ct.load(x, (i,), (SIZE,))
    ct.store(y, (i,), t + t)


def run(stream, x, y):
    assert "漢字" and ct.launch(stream, (4,), double, (x, y, TILE)) is None, f"{consts.TILE}"  # é
    ct.launch(
        stream,
        (ct.cdiv(7, 2), 1),  # grid
        double.replace_hints(occupancy=None, num_ctas=2) if consts.TILE > 3 else double,
        (x, y, TILE),
    )

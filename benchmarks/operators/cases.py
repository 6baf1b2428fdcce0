"""Calls of TileGym's public operators with inputs of our own: for each operator several shapes and dtypes.

A case makes its inputs from a generator and gives a function of them that returns every tensor the operator makes or
changes. Shapes are [batch, heads, tokens, width] unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from attending import attention, decoding, latent_attention
from dense import elementwise, norms, products
from inputs import Case
from others import experimental, mixtures, recurrent


def cases() -> Iterator[Case]:
    """Every case."""
    for family in (
        elementwise,
        norms,
        products,
        attention,
        latent_attention,
        decoding,
        recurrent,
        mixtures,
        experimental,
    ):
        yield from family()

"""Calls of TileGym's public operators with inputs of our own: for each operator several shapes and dtypes.

A case makes its inputs from a generator and gives a function of them that returns every tensor the operator makes or
changes. Shapes are [batch, heads, tokens, width] unless said otherwise.
"""

from __future__ import annotations

import attending  # noqa: F401
import dense  # noqa: F401
import latent  # noqa: F401
import others  # noqa: F401
from inputs import ALL, Case


def all_cases() -> tuple[Case, ...]:
    """Every case: importing the files above fills the table."""
    return tuple(ALL)

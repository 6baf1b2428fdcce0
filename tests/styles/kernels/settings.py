"""Constants of another module."""

import enum

HALF = 0.5


class Mode(enum.IntEnum):
    """Numbers with names."""

    A = 0
    B = 1

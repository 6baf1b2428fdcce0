"""Functions that kernels share."""

import cuda.tile as ct


def sigmoid(x):
    return 1.0 / (1.0 + ct.exp(-x))


def gate(value, control):
    """`value` let through as far as `control` says."""
    opened = sigmoid(control.astype(ct.float32))
    return value.astype(ct.float32) * opened

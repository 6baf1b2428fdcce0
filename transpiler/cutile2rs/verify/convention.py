"""What `ct.launch` compiles for a recorded launch.

`cuda.tile` 1.7 has two calling conventions. The first is that of recorded symbols. Launches use the second, in which an extent
of 1 is a constant of the program (seen in the symbols of the bytecode that `CUDA_TILE_DUMP_BYTECODE` writes): the same kernel
gets other machine code. A record's `shapes` say which extents those are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from cutile2rs.verify.launches import Launch

MOST_LOOKED_AT = 5
"""Of arrays of a higher rank, `cuda.tile` looks at no size (`TMA_MAX_NDIM` in its launcher)."""


def as_launched(launch: Launch) -> Launch:
    """The launch with the symbol that `ct.launch` compiles the kernel for. Needs cuda.tile.

    Rows of a list stay as they are: records do not tell their extents one by one.
    """
    from cuda.tile.compilation import CallingConvention, KernelSignature
    from cuda.tile.compilation._name_mangling import demangle_kernel_name

    name, signature = demangle_kernel_name(launch.symbol)
    shapes = (*launch.shapes, *[None] * len(signature.parameters))
    parameters = [_known(parameter, shape) for parameter, shape in zip(signature.parameters, shapes, strict=False)]
    if parameters == list(signature.parameters):
        return launch
    made = KernelSignature(parameters, CallingConvention.cutile_python_v2()).with_mangled_symbol(name)
    return dataclasses.replace(launch, symbol=str(made.symbol))


def _known(parameter: Any, shape: Sequence[int] | None) -> Any:
    """An array's constraint with the extents of 1 as constants; anything else as it is."""
    if shape is None or len(shape) > MOST_LOOKED_AT or getattr(parameter, "ndim", None) != len(shape) or 1 not in shape:
        return parameter
    fields = {field.name: getattr(parameter, field.name) for field in dataclasses.fields(parameter)}
    known = zip(fields["shape_constant"], shape, strict=True)
    constants = [1 if extent == 1 else constant for constant, extent in known]
    return type(parameter)(**{**fields, "shape_constant": constants})

"""Launches of kernels that no launch is known of: arguments drawn from the kinds of the parameters and their names.

`variants` in signatures.py starts from a recorded launch; this starts from a kernel's row in the manifest. A name says
what an ordinary caller would pass (`eps` a number, `target` an array of integers, `BLOCK_M` a power of two), and now
and then something else is passed. Most draws are not legal: the caller asks cuTile Python. The same seed gives the same
launches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from make_launches import launch

FLOATS = ("float16", "bfloat16", "float32")
ODD_DTYPES = ("float32", "int32", "float8_e4m3fn")
INTEGERS = ("int32", "int32", "int64")
SCALARS = ("int32", "int32", "float32", "float32", "int64")
"""Python passes 64 bits only where an annotation asks for them, which is rare."""
EXTENTS = (1, 2, 16, 32, 64, 100, 128, 256)
LAST_EXTENTS = (64, 128, 256)
TILES = (16, 32, 64, 128)
"""Larger tiles make the assembler run for minutes, and show nothing else."""
SMALL_TILES = (1, 2, 4, 8, 16, 32, 64, 128)
COUNTS = (0, 1, 2, 3, 4, 8, 16, 64, 100, 128)
NUMBERS = (1e-6, 0.1, 0.5, 1.0)
ANYTHING = (True, False, 1, 0, 16, 64, 128, 1e-6, 32)

_INTEGER_ARRAY = re.compile("idx|ind|target|label|ptr|len|mask|pos|id|size|off|table|seq", re.IGNORECASE)
_FLOAT_SCALAR = re.compile("eps|scale|alpha|beta|gamma|smooth|p$|temp|float|rate", re.IGNORECASE)
_TILE = re.compile("block|tile|size|dim|b[mnk]|width|cols|^d$|head", re.IGNORECASE)


def drawn(module: str, kernel: Mapping[str, Any], seed: int | str) -> Iterator[dict[str, Any]]:
    """Launches of a kernel, given its row in a manifest, without end; a list `varied` says what was drawn."""
    random = Random(f"{seed}:{module}:{kernel['kernel']}")
    hints = dict.fromkeys(kernel["unknown_hints"], 1)
    while True:
        arguments = _arguments(kernel["params"], random)
        row = {"module": module, "kernel": kernel["kernel"], "grid": [1], "args": arguments, "hints": hints}
        line, _ = launch(row)
        yield {**line, "varied": [repr(argument) for argument in arguments]}


def _arguments(parameters: list[Mapping[str, Any]], random: Random) -> list[Any]:
    """One argument a parameter. Dtypes and tiles of one launch tend to be the same, as those of real launches are."""
    common = random.choice(FLOATS)
    mixed = random.random() < 0.3
    odd = random.random() < 0.3
    tile = random.choice(TILES)
    rank = random.choice((1, 2, 2, 3))
    found: list[Any] = []
    for parameter in parameters:
        name, kind = parameter["name"], parameter["kind"]
        if kind == "constant":
            found.append(_constant(name, parameter["constant_kind"], tile, random))
        elif kind == "scalar":
            usual = "float32" if _FLOAT_SCALAR.search(name) else "int32"
            found.append(usual if random.random() < 0.9 else random.choice(SCALARS))
        else:
            dtype = _dtype(name, random.choice(FLOATS) if mixed else common, odd, random)
            array = f"{dtype}{_shape(parameter.get('rank') or rank, random)}"
            found.append(f"list {array}" if kind == "list" else array)
    return found


def _dtype(name: str, usual: str, odd: bool, random: Random) -> str:
    if _INTEGER_ARRAY.search(name) and random.random() < 0.5:
        return random.choice(INTEGERS)
    return random.choice(ODD_DTYPES) if odd and random.random() < 0.3 else usual


def _shape(rank: int, random: Random) -> list[int]:
    shape = [random.choice(EXTENTS) for _ in range(rank)]
    return [*shape[:-1], random.choice(LAST_EXTENTS)] if random.random() < 0.6 else shape


def _constant(name: str, kind: str, tile: int, random: Random) -> Any:
    if kind == "bool":
        return random.random() < 0.5
    if kind == "float":
        return random.choice(NUMBERS)
    if kind == "int":
        if not _TILE.search(name):
            return random.choice(COUNTS)
        return tile if random.random() < 0.6 else random.choice(SMALL_TILES)
    return random.choice(ANYTHING)

"""Makes launches files without a GPU: from `launches.toml`, written by hand, the `launches.jsonl` that `verify` reads.

    .venv/bin/python golden/make_launches.py                  # every golden kernel, each launch checked with cuTile
    .venv/bin/python golden/make_launches.py examples/tilegym_launches.toml

Each `[[launch]]` has `kernel`, `grid`, `args`, and where needed `module` (default `input`) and `hints`. Arguments come
in the kernel's order: `"float16[256, 1000]"` is a contiguous array of that shape at an aligned address, the same after
`list ` a list of such arrays, `"int32"` a scalar, any other value a constant. What the launch is specialised for follows
from that in the way cuTile's own launcher derives it: which extents and strides are multiples of 16 (elements, bytes),
which strides are 1.
"""

from __future__ import annotations

import importlib
import io
import json
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cuda.tile as ct
from cuda.tile.compilation import (
    ArrayConstraint,
    CallingConvention,
    KernelSignature,
    ListConstraint,
    ScalarConstraint,
    export_kernel,
)

GOLDEN = Path(__file__).resolve().parent
ALIGNMENT = 16
_ARRAY = re.compile(r"(list )?(\w+)\[([\d, ]+)\]")


def array(dtype_name: str, shape: Sequence[int]) -> ArrayConstraint:
    """What cuTile assumes of a contiguous, aligned array."""
    dtype = getattr(ct, dtype_name)
    strides = [1] * len(shape)
    for axis in range(len(shape) - 1, 0, -1):
        strides[axis - 1] = strides[axis] * shape[axis]
    in_16_bytes = max(1, ALIGNMENT * 8 // dtype.bitwidth)
    return ArrayConstraint(
        dtype,
        len(shape),
        index_dtype=ct.int32,
        stride_lower_bound_incl=[None if stride == 1 else 0 for stride in strides],
        alias_groups=(),
        may_alias_internally=False,
        stride_constant=[1 if stride == 1 else None for stride in strides],
        stride_divisible_by=[in_16_bytes if stride % in_16_bytes == 0 else 1 for stride in strides],
        shape_divisible_by=[ALIGNMENT if extent % ALIGNMENT == 0 else 1 for extent in shape],
        base_addr_divisible_by=ALIGNMENT,
    )


def argument(value: Any) -> tuple[Any, list[int] | None]:
    """The constraint that an argument of `launches.toml` stands for, and its shape if it is an array."""
    if not isinstance(value, str):
        return value, None
    found = _ARRAY.fullmatch(value)
    if found is None:
        return ScalarConstraint(getattr(ct, value)), None
    shape = [int(extent) for extent in found[3].split(",")]
    if found[1]:
        return ListConstraint(array(found[2], shape), alias_groups=(), elements_may_alias=True), None
    return array(found[2], shape), shape


def launch(row: Mapping[str, Any]) -> tuple[dict[str, Any], KernelSignature]:
    """One line of a launches file, and the signature in it."""
    pairs = [argument(value) for value in row["args"]]
    plain = KernelSignature([constraint for constraint, _ in pairs], CallingConvention.cutile_python_v1())
    signature = plain.with_mangled_symbol(row["kernel"])
    line = {
        "module": row.get("module", "input"),
        "kernel": row["kernel"],
        "symbol": signature.symbol,
        "hints": row.get("hints", {}),
        "grid": row["grid"],
        "shapes": [shape for _, shape in pairs],
    }
    return line, signature


def check(folder: Path, line: Mapping[str, Any], signature: KernelSignature) -> None:
    """Compile a launch of a golden kernel with cuTile Python, which raises where either is not valid."""
    module = importlib.import_module(f"{folder.name}.input")
    kernel = getattr(module, line["kernel"])
    if line["hints"]:
        kernel = kernel.replace_hints(**line["hints"])
    export_kernel(kernel, [signature], io.BytesIO(), gpu_code="sm_90", output_format="tileir_bytecode")


def make(source: Path) -> str:
    """The launches file of a `launches.toml`."""
    text = ""
    for row in tomllib.loads(source.read_text(encoding="utf-8"))["launch"]:
        line, signature = launch(row)
        if source.parent.parent == GOLDEN:
            check(source.parent, line, signature)
        text += json.dumps(line, separators=(",", ":")) + "\n"
    return text


def main(arguments: Sequence[str]) -> None:
    """Write the launches file beside each `launches.toml`; with `--print`, only print it."""
    sys.path.insert(0, str(GOLDEN))
    sys.dont_write_bytecode = True
    names = [name for name in arguments if name != "--print"]
    for source in [Path(name).resolve() for name in names] or sorted(GOLDEN.glob("*/launches.toml")):
        text = make(source)
        if "--print" in arguments:
            print(text, end="")
        else:
            source.with_suffix(".jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

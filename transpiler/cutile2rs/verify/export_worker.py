"""Worker process: exports Python kernels to Tile IR bytecode, one JSON request and one JSON answer a line.

Run as `python export_worker.py`. It imports cuda.tile once and each slice once; nothing of the converter is needed.
"""

from __future__ import annotations

import base64
import importlib.util
import io
import json
import os
import sys
from types import FunctionType, ModuleType
from typing import Any

_slices: dict[str, ModuleType] = {}


def _load(path: str) -> ModuleType:
    if path not in _slices:
        name = f"cutile2rs_slice_{len(_slices)}"
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise ImportError(f"cannot load {path}")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # dataclasses look their module up
        spec.loader.exec_module(module)
        _slices[path] = module
    return _slices[path]


def _class_of(module: ModuleType, qualname: str) -> Any:
    value: Any = module
    for part in qualname.split("."):
        value = getattr(value, part)
    return value


def prepared(path: str, name: str, symbol: str, hints: dict[str, Any]) -> tuple[Any, Any]:
    """The kernel of a slice with its hints, and the signature that a symbol encodes."""
    import cuda.tile
    from cuda.tile.compilation._name_mangling import _demangle_kernel_name

    ct: Any = cuda.tile
    module = _load(path)
    kernel: Any = getattr(module, name)
    if isinstance(kernel, FunctionType):
        kernel = ct.kernel(kernel)  # made a kernel by a call; a launch's hints are complete then
    if not isinstance(kernel, ct.kernel):
        raise TypeError(f"'{name}' is not a cuTile kernel")

    def class_of(module_name: str, qualname: str) -> Any:
        return _class_of(module, qualname)

    _, signature = _demangle_kernel_name(symbol, None, class_of, class_of)
    given = {key: ct.ByTarget(**hint) if isinstance(hint, dict) else hint for key, hint in hints.items()}
    return (kernel.replace_hints(**given) if given else kernel), signature


def export(request: dict[str, Any]) -> dict[str, Any]:
    """Answer one request: the bytecode of one launch, and the options that belong to it."""
    from cuda.tile.compilation import export_kernel

    kernel, signature = prepared(request["slice"], request["kernel"], request["symbol"], request["hints"])
    bytecode = io.BytesIO()
    export_kernel(kernel, [signature], bytecode, gpu_code=request["arch"], output_format="tileir_bytecode")
    return {
        "ok": True,
        "bytecode": base64.b64encode(bytecode.getvalue()).decode(),
        "opt_level": kernel._compiler_options.opt_level_for_target(request["arch"]),
    }


def answer(line: str) -> dict[str, Any]:
    """The answer to one request line; any failure is an answer too."""
    try:
        return export(json.loads(line))
    except Exception as error:
        return {"ok": False, "kind": type(error).__name__, "message": str(error) or repr(error)}


def main() -> None:
    """Serve until the input ends. What kernels' modules print goes to the error stream."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        replies.write(json.dumps(answer(line)) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()

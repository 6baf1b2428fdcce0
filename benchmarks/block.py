"""A transformer's layer of TileGym's operators, on random numbers: a program to record, and to run on either backend.

    cutile2rs record -o launches.jsonl -- python benchmarks/block.py
    cutile2rs bench OUT --launches launches.jsonl --json times.json --plot times.svg
    PYTHONPATH=OUT/python python benchmarks/block.py --package tilegym_rs

Prints a digest of the result: both backends print the same one.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("TILEGYM_DISABLE_AUTOTUNE", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent / "operators"))

import tilegym
import torch
from inputs import Inputs, operators

TOKENS, HEADS, HEAD, INNER, WORDS = 384, 8, 64, 1024, 2048
WIDTH = HEADS * HEAD


class Layer:
    """Weights, and what is computed with them."""

    def __init__(self, inputs: Inputs, dtype: torch.dtype) -> None:
        def weight(rows: int, columns: int) -> torch.Tensor:
            return inputs.normal(rows, columns, dtype=dtype, scale=rows**-0.5)

        self._ops = operators()
        self._norms = [inputs.normal(WIDTH, dtype=dtype) for _ in range(2)]
        self._qkv, self._out = [weight(WIDTH, WIDTH) for _ in range(3)], weight(WIDTH, WIDTH)
        self._gate, self._up, self._down = weight(WIDTH, INNER), weight(WIDTH, INNER), weight(INNER, WIDTH)
        self._words = weight(WIDTH, WORDS)
        self._cos, self._sin = (inputs.uniform(1, TOKENS, HEAD, dtype=dtype) for _ in range(2))

    def __call__(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """What goes on to the next layer, and probabilities of words."""
        ops: Any = self._ops
        x = x + self._attend(ops.rms_norm(x, None, self._norms[0], 1e-6))
        h = ops.rms_norm(x, None, self._norms[1], 1e-6)
        h = ops.get_swiglu()(ops.matmul(h, self._gate), ops.matmul(h, self._up))
        x = x + ops.matmul(h, self._down)
        return x, ops.softmax(ops.matmul(x, self._words))

    def _attend(self, h: torch.Tensor) -> torch.Tensor:
        ops: Any = self._ops
        q, k, v = (
            ops.matmul(h, weight).reshape(1, TOKENS, HEADS, HEAD).transpose(1, 2).contiguous() for weight in self._qkv
        )
        turned = ops.apply_rope_base(q, k, self._cos, self._sin)
        attended = ops.fmha(turned[0], turned[1], v, is_causal=True)
        return ops.matmul(attended.transpose(1, 2).reshape(TOKENS, WIDTH).contiguous(), self._out)


def main() -> None:
    """Run the layer a few times over its own result."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--package", help="the converted package to run instead of the originals")
    parser.add_argument("--steps", type=int, default=2)
    options = parser.parse_args()
    if options.package:
        importlib.import_module(options.package).register()
    tilegym.set_backend("cutile-rs" if options.package else "cutile")
    digest = hashlib.sha256()
    for dtype in (torch.float16, torch.bfloat16):
        inputs = Inputs(3)
        layer, x = Layer(inputs, dtype), inputs.normal(TOKENS, WIDTH, dtype=dtype)
        for _ in range(options.steps):
            x, words = layer(x)
        for tensor in (x, words):
            digest.update(tensor.detach().view(torch.int16).cpu().numpy().tobytes())
    print(digest.hexdigest())


if __name__ == "__main__":
    main()

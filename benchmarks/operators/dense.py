"""Elementwise operators, norms and products."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import torch
from inputs import FLOATS, HALF, Call, Inputs, cases

PLANES = ((256, 1024), (1000, 777), (4096, 4096))
EVEN = tuple(shape for shape in PLANES if shape[1] % 2 == 0)
NORMS = ((512, 1024), (1000, 3072))
HEADS = ((32, 8, 128, 64), (8, 8, 77, 128))
PRODUCTS = ((512, 512, 512), (1000, 768, 320), (4096, 4096, 4096))
BATCHES = ((4, 256, 256, 256), (3, 200, 136, 72))


@cases("softmax", PLANES, FLOATS)
@cases("softmax", EVEN, FLOATS, {"tma": {"use_tma": True}})
def softmax(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int, **options: Any) -> Call:
    x = inputs.normal(rows, width, dtype=dtype)
    return lambda: ops.softmax(x, **options)


@cases("relu", PLANES, FLOATS)
def relu(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int) -> Call:
    x = inputs.normal(rows, width, dtype=dtype)
    return lambda: ops.relu(x)


@cases("gelu", PLANES, FLOATS, {"": {"approximate": "tanh"}, "exact": {}})
def gelu(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int, **options: Any) -> Call:
    x = inputs.normal(rows, width, dtype=dtype)
    return lambda: ops.gelu(x, **options)


@cases("silu_and_mul", EVEN, FLOATS)
def silu_and_mul(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int) -> Call:
    x = inputs.normal(rows, width, dtype=dtype)
    return lambda: ops.silu_and_mul(x)


@cases("geglu", EVEN, FLOATS)
def geglu(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int) -> Call:
    x = inputs.normal(rows, width, dtype=dtype)
    return lambda: ops.geglu(x)


@cases("transpose", EVEN, FLOATS)
def transpose(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int) -> Call:
    x = inputs.normal(rows, width, dtype=dtype)
    return lambda: ops.transpose(x)


@cases("dropout", PLANES, FLOATS)
def dropout(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int) -> Call:
    x = inputs.normal(rows, width, dtype=dtype)
    return lambda: ops.dropout(x, 1234, 0.3)


@cases("get_swiglu", PLANES, FLOATS)
def swiglu(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int) -> Call:
    a, b = (inputs.normal(1, rows, width, dtype=dtype) for _ in range(2))
    return lambda: ops.get_swiglu()(a, b)


@cases("get_swiglu_module", ((128, 256, 512), (77, 192, 384)), FLOATS)
def swiglu_module(
    inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int, hidden: int, inner: int
) -> Call:
    """The layer around it: three products of PyTorch's, so its kernel is a small part of the time."""
    config = SimpleNamespace(hidden_size=hidden, intermediate_size=inner, hidden_act="silu")
    x = inputs.normal(1, tokens, hidden, dtype=dtype)
    sizes = {"gate_proj": (inner, hidden), "up_proj": (inner, hidden), "down_proj": (hidden, inner)}
    weights = {part: inputs.normal(*size, dtype=dtype, scale=0.05) for part, size in sizes.items()}
    module = module_of(dtype, weights, config)
    return lambda: module(ops.get_swiglu_module())(x)


def module_of(dtype: torch.dtype, weights: dict[str, torch.Tensor], *args: Any, **named: Any) -> Callable[[Any], Any]:
    """Makes a module of a class, with these weights by the names of its parts, and once: not while a graph is captured.

    Which class it is depends on the backend of the moment.
    """

    @cache
    def made(kind: Any) -> Any:
        module = kind(*args, **named).to("cuda", dtype)
        with torch.no_grad():
            for part, weight in weights.items():
                (getattr(module, part) if part else module).weight.copy_(weight)
        return module

    return made


@cases("apply_rope_base", HEADS, FLOATS)
def rope(
    inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, heads: int, kv_heads: int, tokens: int, width: int
) -> Call:
    q, k = (inputs.normal(2, n, tokens, width, dtype=dtype) for n in (heads, kv_heads))
    cos, sin = (inputs.uniform(1, tokens, width, dtype=dtype) for _ in range(2))
    return lambda: ops.apply_rope_base(q.clone(), k.clone(), cos, sin)


@cases("get_apply_rope_func", HEADS, FLOATS)
def model_rope(
    inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, heads: int, kv_heads: int, tokens: int, width: int
) -> Call:
    q, k = (inputs.normal(2, n, tokens, width, dtype=dtype) for n in (heads, kv_heads))
    cos, sin = (inputs.uniform(1, tokens, width, dtype=dtype) for _ in range(2))
    return lambda: ops.get_apply_rope_func("llama")(q.clone(), k.clone(), cos, sin)


def normed(inputs: Inputs, dtype: torch.dtype, rows: int, width: int) -> list[torch.Tensor]:
    """Rows, and two vectors of their width."""
    return [inputs.normal(rows, width, dtype=dtype), *(inputs.normal(width, dtype=dtype) for _ in range(2))]


@cases("rms_norm", NORMS, FLOATS, {"": {"mode": None}, "persistent": {"mode": "static_persistent"}})
def rms(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int, **options: Any) -> Call:
    x, w, _ = normed(inputs, dtype, rows, width)
    return lambda: ops.rms_norm(x, None, w, 1e-6, **options)


@cases("rms_norm", NORMS, FLOATS, {"backward": {}})
def rms_backward(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int) -> Call:
    x, w, _ = normed(inputs, dtype, rows, width)
    grad = x.detach().clone()

    def call() -> Any:
        a, b = x.clone().requires_grad_(), w.clone().requires_grad_()
        ops.rms_norm(a, None, b, 1e-6).backward(grad)
        return a.grad, b.grad

    return call


@cases("get_rms_norm_module", NORMS, FLOATS)
def rms_module(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int) -> Call:
    x, w, _ = normed(inputs, dtype, rows, width)
    module = module_of(dtype, {"": w}, width, eps=1e-6)
    return lambda: module(ops.get_rms_norm_module())(x)


@cases("layer_norm", NORMS, FLOATS)
def layer(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int) -> Call:
    x, w, b = normed(inputs, dtype, rows, width)
    return lambda: ops.layer_norm(x, 1, 2, w, b, 1e-5)


@cases("layer_norm_legacy", NORMS, FLOATS)
def legacy(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int) -> Call:
    x, w, b = normed(inputs, dtype, rows, width)
    return lambda: ops.layer_norm_legacy(x, None, w, b, 1e-5)


@cases("persistent_layer_norm", NORMS, FLOATS)
def persistent(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int) -> Call:
    x, w, b = normed(inputs, dtype, rows, width)
    return lambda: ops.persistent_layer_norm(x, None, w, b, 1e-5)


@cases("matmul", PRODUCTS, FLOATS, {"": {"static_persistent": False}, "persistent": {"static_persistent": True}})
def matmul(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, m: int, n: int, k: int, **options: Any) -> Call:
    a, b = inputs.normal(m, k, dtype=dtype), inputs.normal(k, n, dtype=dtype)
    return lambda: ops.matmul(a, b, **options)


@cases("bmm", BATCHES, FLOATS)
def bmm(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, batch: int, m: int, n: int, k: int) -> Call:
    a, b = inputs.normal(batch, m, k, dtype=dtype), inputs.normal(batch, k, n, dtype=dtype)
    return lambda: ops.bmm(a, b)


@cases("bmm", BATCHES, FLOATS, {"transposed": {"transpose_b": True, "static_persistent": False}})
def bmm_transposed(
    inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, batch: int, m: int, n: int, k: int, **options: Any
) -> Call:
    a, b = inputs.normal(batch, m, k, dtype=dtype), inputs.normal(batch, n, k, dtype=dtype)
    return lambda: ops.bmm(a, b, **options)


@cases("group_gemm", ((1,), (4,)))
def grouped(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, times: int) -> Call:
    """Groups of three products of different sizes, once and several times over."""
    sizes = ((256, 512, 128), (384, 256, 128), (128, 128, 128)) * times
    a = [inputs.normal(m, k, dtype=dtype) for m, _, k in sizes]
    b = [inputs.normal(k, n, dtype=dtype) for _, n, k in sizes]
    return lambda: ops.group_gemm(a, b)


@cases(
    "linear_gluact_linear",
    ((256, 512, 1024), (100, 256, 512)),
    HALF,
    {act: {"act_type": act} for act in ("silu", "gelu")},
)
def gated(
    inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int, inner: int, **options: Any
) -> Call:
    x = inputs.normal(rows, width, dtype=dtype)
    act_weight, plain = (inputs.normal(inner, width, dtype=dtype, scale=0.05) for _ in range(2))
    last = inputs.normal(width, inner, dtype=dtype, scale=0.05)
    return lambda: ops.linear_gluact_linear(x, act_weight, plain, last, **options)


@cases("w8a8_block_fp8_matmul", ((256, 256, 512), (384, 512, 1024)))
def quantised(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, m: int, n: int, k: int) -> Call:
    a, b = (inputs.normal(rows, k, dtype=torch.float8_e4m3fn) for rows in (m, n))
    scales, blocks = inputs.uniform(m, k // 128), inputs.uniform(n // 128, k // 128)
    return lambda: ops.w8a8_block_fp8_matmul(a, b, scales, blocks, [128, 128], output_dtype=dtype)

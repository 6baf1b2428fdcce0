"""Attention with keys and values of its own, in one pass and in decoding."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import torch
from inputs import Call, Inputs, cases

SHAPES = ((8, 8, 256, 64), (8, 2, 300, 128))
"""Heads, heads of keys and values, tokens, width."""
TOKENS = ((1024,), (777,))
"""Of keys and values, in decoding."""


def qkv(
    inputs: Inputs, dtype: torch.dtype, heads: int, kv_heads: int, tokens: int, kv_tokens: int, width: int
) -> list[torch.Tensor]:
    """Queries, keys, values."""
    sizes = ((heads, tokens), (kv_heads, kv_tokens), (kv_heads, kv_tokens))
    return [inputs.normal(2, h, t, width, dtype=dtype) for h, t in sizes]


@cases("fmha", SHAPES, options={"": {"is_causal": True}, "full": {"is_causal": False}})
def plain(
    inputs: Inputs,
    ops: SimpleNamespace,
    dtype: torch.dtype,
    heads: int,
    kv_heads: int,
    tokens: int,
    width: int,
    **options: Any,
) -> Call:
    q, k, v = qkv(inputs, dtype, heads, kv_heads, tokens, tokens, width)
    return lambda: ops.fmha(q, k, v, **options)


@cases("fmha_backward", SHAPES)
def backward(
    inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, heads: int, kv_heads: int, tokens: int, width: int
) -> Call:
    q, k, v = qkv(inputs, dtype, heads, heads, tokens, tokens, width)
    grad = inputs.normal(2, heads, tokens, width, dtype=dtype)

    def call() -> Any:
        leaves = [t.clone().requires_grad_() for t in (q, k, v)]
        out = ops.fmha_backward(*leaves, is_causal=True)
        out.backward(grad)
        return [out.detach(), *(t.grad for t in leaves)]

    return call


@cases("fmha_variant", SHAPES)
def variant(
    inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, heads: int, kv_heads: int, tokens: int, width: int
) -> Call:
    q, k, v = qkv(inputs, dtype, heads, kv_heads, tokens, tokens, width)
    return lambda: ops.fmha_variant(q, k, v, is_causal=True)


@cases("fmha_varlen", SHAPES)
def lengths(
    inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, heads: int, kv_heads: int, tokens: int, width: int
) -> Call:
    q, k, v = qkv(inputs, dtype, heads, kv_heads, tokens, tokens, width)
    taken = torch.tensor([tokens, tokens // 2], dtype=torch.int32, device="cuda")
    return lambda: ops.fmha_varlen(q, k, v, is_causal=True, q_lens=taken, kv_lens=taken)


@cases("gemma_attention", SHAPES)
def gemma(
    inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, heads: int, kv_heads: int, tokens: int, width: int
) -> Call:
    q, k, v = qkv(inputs, dtype, heads, kv_heads, tokens, tokens, width)
    return lambda: ops.gemma_attention(q, k, v, scaling=0.1, window_size=64, soft_cap=30.0)


@cases("attention_sink", SHAPES)
def sink(
    inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, heads: int, kv_heads: int, tokens: int, width: int
) -> Call:
    """[batch, tokens, heads of keys, queries a head, width]."""
    q = inputs.normal(2, tokens, kv_heads, heads // kv_heads, width, dtype=dtype)
    k, v = (inputs.normal(2, tokens, kv_heads, width, dtype=dtype) for _ in range(2))
    sinks = inputs.normal(heads, dtype=dtype)
    start = torch.zeros(1, dtype=torch.int64, device="cuda")
    return lambda: ops.attention_sink(q, k, v, sinks, 0.125, None, start)


@cases("swa_attention", ((256, 64), (200, 128)))
def sliding(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int, window: int) -> Call:
    q, k, v = qkv(inputs, dtype, 8, 2, tokens, tokens, 64)
    return lambda: ops.swa_attention(q, k, v, window)


@cases("fmha_decode", TOKENS)
def decode(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int) -> Call:
    q, k, v = qkv(inputs, dtype, 32, 8, 1, tokens, 128)
    return lambda: ops.fmha_decode(q, k, v, 0.088)


@cases("gemma_attention_decode", TOKENS)
def gemma_decode(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int) -> Call:
    q, k, v = qkv(inputs, dtype, 16, 8, 1, tokens, 256)
    return lambda: ops.gemma_attention_decode(q, k, v, scaling=0.0625, soft_cap=50.0)


@cases("attention_sink_decode", TOKENS)
def sink_decode(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int) -> Call:
    q = inputs.normal(2, 1, 8, 8, 64, dtype=dtype)
    k, v = (inputs.normal(2, tokens, 8, 64, dtype=dtype) for _ in range(2))
    sinks = inputs.normal(64, dtype=dtype)
    start = torch.full((1,), tokens - 1, dtype=torch.int64, device="cuda")
    return lambda: ops.attention_sink_decode(q, k, v, sinks, 0.125, None, start)


@cases("splitk_reduce", TOKENS)
def reduce(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int) -> Call:
    parts, lse = inputs.normal(2, 32, 8, 128, dtype=dtype), inputs.normal(2, 32, 8, dtype=torch.float32)
    out = torch.empty(2, 32, 128, dtype=dtype, device="cuda")
    return lambda: ops.splitk_reduce(parts, lse, out, tokens).clone()

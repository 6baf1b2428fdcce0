"""Attention of every kind, in one pass and in decoding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from inputs import HALF, Call, Case, Inputs, name, operators


def _qkv(inputs: Inputs, dtype: torch.dtype, heads: int, kv_heads: int, q: int, kv: int, width: int) -> list[Any]:
    return [inputs.normal(2, h, t, width, dtype=dtype) for h, t in ((heads, q), (kv_heads, kv), (kv_heads, kv))]


def attention() -> Iterator[Case]:
    ops = operators()

    for dtype in HALF:
        for heads, kv_heads, tokens, width in ((8, 8, 256, 64), (8, 2, 300, 128)):
            what = f"{heads}/{kv_heads}x{tokens}x{width} {name(dtype)}"
            shape = (heads, kv_heads, tokens, tokens, width)

            def plain(inputs: Inputs, s: tuple[int, ...] = shape, d: Any = dtype, causal: bool = True) -> Call:
                q, k, v = _qkv(inputs, d, *s)
                return lambda: ops.fmha(q, k, v, is_causal=causal)

            def full(inputs: Inputs, make: Callable[..., Call] = plain) -> Call:
                return make(inputs, causal=False)

            def backward(inputs: Inputs, s: tuple[int, ...] = shape, d: Any = dtype) -> Call:
                q, k, v = _qkv(inputs, d, s[0], s[0], *s[2:])
                grad = inputs.normal(2, s[0], s[2], s[4], dtype=d)

                def call() -> Any:
                    leaves = [t.clone().requires_grad_() for t in (q, k, v)]
                    out = ops.fmha_backward(*leaves, is_causal=True)
                    out.backward(grad)
                    return [out.detach(), *(t.grad for t in leaves)]

                return call

            def variant(inputs: Inputs, s: tuple[int, ...] = shape, d: Any = dtype) -> Call:
                q, k, v = _qkv(inputs, d, *s)
                return lambda: ops.fmha_variant(q, k, v, is_causal=True)

            def lengths(inputs: Inputs, s: tuple[int, ...] = shape, d: Any = dtype) -> Call:
                q, k, v = _qkv(inputs, d, *s)
                taken = torch.tensor([s[2], s[2] // 2], dtype=torch.int32, device="cuda")
                return lambda: ops.fmha_varlen(q, k, v, is_causal=True, q_lens=taken, kv_lens=taken)

            def gemma(inputs: Inputs, s: tuple[int, ...] = shape, d: Any = dtype) -> Call:
                q, k, v = _qkv(inputs, d, *s)
                return lambda: ops.gemma_attention(q, k, v, scaling=0.1, window_size=64, soft_cap=30.0)

            def sink(inputs: Inputs, s: tuple[int, ...] = shape, d: Any = dtype) -> Call:
                q = inputs.normal(2, s[2], s[1], s[0] // s[1], s[4], dtype=d)
                k, v = (inputs.normal(2, s[2], s[1], s[4], dtype=d) for _ in range(2))
                sinks = inputs.normal(s[0], dtype=d)
                start = torch.zeros(1, dtype=torch.int64, device="cuda")
                return lambda: ops.attention_sink(q, k, v, sinks, 0.125, None, start)

            yield Case("fmha", what, plain)
            yield Case("fmha", what + " full", full)
            yield Case("fmha_backward", what, backward)
            yield Case("fmha_variant", what, variant)
            yield Case("fmha_varlen", what, lengths)
            yield Case("gemma_attention", what, gemma)
            yield Case("attention_sink", what, sink)
    for tokens, window in ((256, 64), (200, 128)):

        def sliding(inputs: Inputs, tokens: int = tokens, window: int = window) -> Call:
            q, k, v = _qkv(inputs, torch.float16, 8, 2, tokens, tokens, 64)
            return lambda: ops.swa_attention(q, k, v, window)

        yield Case("swa_attention", f"{tokens} tokens, window {window}", sliding)


def latent_attention() -> Iterator[Case]:
    ops = operators()

    for dtype in HALF:
        for tokens in (128, 200):

            def dense(inputs: Inputs, t: int = tokens, d: Any = dtype) -> Call:
                q, k, v = (inputs.normal(1, 16, t, 128, dtype=d) for _ in range(3))
                qpe, kpe = inputs.normal(1, 16, t, 64, dtype=d), inputs.normal(1, 1, t, 64, dtype=d)
                return lambda: ops.mla(q, k, v, qpe, kpe, True, 0.07)

            yield Case("mla", f"{tokens} tokens {name(dtype)}", dense)

        def sparse(inputs: Inputs, d: Any = dtype) -> Call:
            q, k, v = (inputs.normal(1, h, 128, 128, dtype=d) for h in (16, 1, 1))
            qpe, kpe = inputs.normal(1, 16, 128, 64, dtype=d), inputs.normal(1, 1, 128, 64, dtype=d)
            order = torch.argsort(inputs.uniform(128, 128), dim=-1)[:, :64].to(torch.int32)
            indices = order.reshape(1, 128, 1, 64).contiguous()
            return lambda: ops.sparse_mla(q, k, v, indices, qpe, kpe)

        yield Case("sparse_mla", name(dtype), sparse)
        for tokens in (1024, 777):

            def decode(inputs: Inputs, t: int = tokens, d: Any = dtype, split: bool = False) -> Call:
                q, qpe = inputs.normal(2, 32, 512, dtype=d), inputs.normal(2, 32, 64, dtype=d)
                kv, kpe = inputs.normal(2, t, 512, dtype=d), inputs.normal(2, t, 64, dtype=d)
                call = ops.mla_decoding_split_kv if split else ops.mla_decoding
                return lambda: call(q, qpe, kv, kpe, 0.05)

            def decode_split(inputs: Inputs, make: Callable[..., Call] = decode) -> Call:
                return make(inputs, split=True)

            yield Case("mla_decoding", f"{tokens} tokens {name(dtype)}", decode)
            yield Case("mla_decoding_split_kv", f"{tokens} tokens {name(dtype)}", decode_split)


def decoding() -> Iterator[Case]:
    ops = operators()

    for dtype in HALF:
        for tokens in (1024, 777):
            what = f"{tokens} tokens {name(dtype)}"

            def decode(inputs: Inputs, t: int = tokens, d: Any = dtype) -> Call:
                q, k, v = _qkv(inputs, d, 32, 8, 1, t, 128)
                return lambda: ops.fmha_decode(q, k, v, 0.088)

            def gemma(inputs: Inputs, t: int = tokens, d: Any = dtype) -> Call:
                q, k, v = _qkv(inputs, d, 16, 8, 1, t, 256)
                return lambda: ops.gemma_attention_decode(q, k, v, scaling=0.0625, soft_cap=50.0)

            def sink(inputs: Inputs, t: int = tokens, d: Any = dtype) -> Call:
                q = inputs.normal(2, 1, 8, 8, 64, dtype=d)
                k, v = (inputs.normal(2, t, 8, 64, dtype=d) for _ in range(2))
                sinks = inputs.normal(64, dtype=d)
                start = torch.full((1,), t - 1, dtype=torch.int64, device="cuda")
                return lambda: ops.attention_sink_decode(q, k, v, sinks, 0.125, None, start)

            def reduce(inputs: Inputs, t: int = tokens, d: Any = dtype) -> Call:
                parts, lse = inputs.normal(2, 32, 8, 128, dtype=d), inputs.normal(2, 32, 8, dtype=torch.float32)
                out = torch.empty(2, 32, 128, dtype=d, device="cuda")
                return lambda: ops.splitk_reduce(parts, lse, out, t).clone()

            yield Case("fmha_decode", what, decode)
            yield Case("gemma_attention_decode", what, gemma)
            yield Case("attention_sink_decode", what, sink)
            yield Case("splitk_reduce", what, reduce)

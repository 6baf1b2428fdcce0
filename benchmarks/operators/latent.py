"""Attention whose keys and values share a latent vector."""

from __future__ import annotations

from types import SimpleNamespace

import torch
from inputs import Call, Inputs, cases

TOKENS = ((1024,), (777,))


@cases("mla", ((128,), (200,)))
def dense(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int) -> Call:
    q, k, v = (inputs.normal(1, 16, tokens, 128, dtype=dtype) for _ in range(3))
    qpe, kpe = (inputs.normal(1, h, tokens, 64, dtype=dtype) for h in (16, 1))
    return lambda: ops.mla(q, k, v, qpe, kpe, True, 0.07)


@cases("sparse_mla", ((128,), (256,)))
def sparse(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int) -> Call:
    q, k, v = (inputs.normal(1, h, tokens, 128, dtype=dtype) for h in (16, 1, 1))
    qpe, kpe = (inputs.normal(1, h, tokens, 64, dtype=dtype) for h in (16, 1))
    order = torch.argsort(inputs.uniform(tokens, tokens), dim=-1)[:, :64].to(torch.int32)
    indices = order.reshape(1, tokens, 1, 64).contiguous()
    return lambda: ops.sparse_mla(q, k, v, indices, qpe, kpe)


@cases("mla_decoding", TOKENS)
def decode(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int) -> Call:
    q, qpe = (inputs.normal(2, 32, width, dtype=dtype) for width in (512, 64))
    kv, kpe = (inputs.normal(2, tokens, width, dtype=dtype) for width in (512, 64))
    return lambda: ops.mla_decoding(q, qpe, kv, kpe, 0.05)


@cases("mla_decoding_split_kv", TOKENS)
def decode_split(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int) -> Call:
    q, qpe = (inputs.normal(2, 32, width, dtype=dtype) for width in (512, 64))
    kv, kpe = (inputs.normal(2, tokens, width, dtype=dtype) for width in (512, 64))
    return lambda: ops.mla_decoding_split_kv(q, qpe, kv, kpe, 0.05)

"""Recurrences, mixtures of experts, and what TileGym calls experimental."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import torch
from inputs import Call, Inputs, cases

TOKENS = ((128,), (256,))
EXPERTS = ((64, 8), (300, 16))
"""Tokens, experts."""
LOSSES = ((128, 256), (256, 512))
STREAMS = ((128, 4, 1024), (64, 8, 2048))
"""Batch, residual streams, width."""


def delta(inputs: Inputs, rule: Any, dtype: torch.dtype, tokens: int) -> Call:
    q, k, v = (inputs.normal(2, tokens, 4, 64, dtype=dtype, scale=0.1) for _ in range(3))
    g, beta = -inputs.uniform(2, tokens, 4), inputs.uniform(2, tokens, 4, dtype=dtype)
    return lambda: rule(q, k, v, g, beta, output_final_state=True, use_qk_l2norm_in_kernel=True)


@cases("recurrent_gated_delta_rule", TOKENS)
def delta_recurrent(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int) -> Call:
    return delta(inputs, ops.recurrent_gated_delta_rule, dtype, tokens)


@cases("chunk_gated_delta_rule", TOKENS)
def delta_chunked(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int) -> Call:
    return delta(inputs, ops.chunk_gated_delta_rule, dtype, tokens)


def mamba(inputs: Inputs, dtype: torch.dtype, tokens: int) -> tuple[torch.Tensor, ...]:
    x = inputs.normal(2, tokens, 8, 64, dtype=dtype)
    a, skip = -inputs.uniform(8), inputs.uniform(8)
    b, c = (inputs.normal(2, tokens, 1, 64, dtype=dtype) for _ in range(2))
    dt = inputs.uniform(2, tokens, 8)
    return x, a, b, c, skip, dt, torch.zeros(2, 8, 64, 64, dtype=torch.float32, device="cuda")


@cases("mamba2_chunk_forward", TOKENS)
def mamba_forward(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int) -> Call:
    given = mamba(inputs, dtype, tokens)
    return lambda: ops.mamba2_chunk_forward(*given)


@cases("mamba2_chunk_backward", TOKENS)
def mamba_backward(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int) -> Call:
    given = mamba(inputs, dtype, tokens)
    dout, dstate = inputs.normal(2, tokens, 8, 64, dtype=dtype), torch.zeros_like(given[-1])
    return lambda: ops.mamba2_chunk_backward(*given, dout, dstate)


@cases("moe_align_block_size", EXPERTS, (None,))
def align(inputs: Inputs, ops: SimpleNamespace, dtype: None, tokens: int, experts: int) -> Call:
    chosen = inputs.integers(experts, tokens, 2)
    return lambda: ops.moe_align_block_size(chosen, 128, experts)[:3]


@cases("invoke_fused_moe_kernel", EXPERTS)
def fused(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int, experts: int) -> Call:
    import cuda.tile as ct

    a, b = inputs.normal(tokens, 256, dtype=dtype), inputs.normal(experts, 512, 256, dtype=dtype, scale=0.1)
    weights, chosen = inputs.uniform(tokens, 2), inputs.integers(experts, tokens, 2)
    found = ops.moe_align_block_size_torch(chosen, 64, experts)
    order, owners, padded = (torch.as_tensor(v, dtype=torch.int32, device="cuda") for v in found[:3])
    config = {"TILE_SIZE_M": 64, "TILE_SIZE_N": 128, "TILE_SIZE_K": 64, "GROUP_SIZE_M": 8}
    kind = ct.float16 if dtype == torch.float16 else ct.bfloat16

    def call() -> Any:
        c = torch.zeros(tokens, 2, 512, dtype=dtype, device="cuda")
        ops.invoke_fused_moe_kernel(
            a, b, c, None, None, weights, chosen, order, owners, padded.reshape(-1), False, 2, config,
            compute_type=kind, use_fp8_w8a8=False,
        )  # fmt: skip
        return c

    return call


@cases("moe_actgrad_bwd", EXPERTS)
def actgrad(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, tokens: int, experts: int) -> Call:
    inner, hidden = 128, 256
    counts = torch.full((experts,), tokens // experts, dtype=torch.int64, device="cuda")
    counts[0] += tokens - int(counts.sum())
    most = int(counts.max())  # else the operator asks the device, and waits, in every call
    offset = torch.zeros(experts + 1, dtype=torch.int32, device="cuda")
    offset[1:] = counts.cumsum(0)
    dout, h = inputs.normal(tokens, hidden, dtype=dtype), inputs.normal(tokens, 2 * inner, dtype=dtype)
    w2, scores = inputs.normal(experts, inner, hidden, dtype=dtype, scale=0.1), inputs.uniform(tokens)
    order = torch.arange(tokens, device="cuda").to(torch.int32)

    def call() -> Any:
        dh, a = torch.zeros_like(h), torch.zeros(tokens, inner, dtype=dtype, device="cuda")
        ds = torch.zeros(tokens, device="cuda")
        ops.moe_actgrad_bwd(dout, h, w2, dh, ds, None, None, a, scores, offset, order, order, "swiglu", most)
        return dh, a, ds

    return call


@cases("nvfp4_quantize", LOSSES)
def quantise(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int) -> Call:
    x = inputs.normal(rows, width, dtype=dtype)
    return lambda: ops.nvfp4_quantize(x)


@cases("fused_linear_cross_entropy", LOSSES)
def loss(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, rows: int, width: int) -> Call:
    x, w = inputs.normal(rows, width, dtype=dtype), inputs.normal(1000, width, dtype=dtype, scale=0.05)
    target = inputs.integers(1000, rows, dtype=torch.int64)
    return lambda: ops.fused_linear_cross_entropy(x, w, target)


@cases("mhc_gemm_rms_scale", STREAMS, (torch.bfloat16,))
def scaled(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, batch: int, n: int, width: int) -> Call:
    x = inputs.normal(batch, n * width, dtype=dtype)
    w = inputs.normal(n * width, n * n + 2 * n, dtype=dtype, scale=0.05)
    bias = inputs.normal(n * n + 2 * n, dtype=torch.float32)
    return lambda: ops.mhc_gemm_rms_scale(x, w, n, 0.5, 0.5, 0.5, bias)


@cases("mhc_apply_residual", STREAMS, (torch.bfloat16,))
def residual(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, batch: int, n: int, width: int) -> Call:
    x, f = inputs.normal(batch, n * width, dtype=dtype), inputs.normal(batch, width, dtype=dtype)
    y = inputs.normal(batch, n * n + 2 * n, dtype=torch.float32)
    return lambda: ops.mhc_apply_residual(x, f, y, n)


@cases("mhc_sinkhorn", STREAMS, (torch.float32,))
def sinkhorn(inputs: Inputs, ops: SimpleNamespace, dtype: torch.dtype, batch: int, n: int, width: int) -> Call:
    y = inputs.normal(batch, n * n + 2 * n, dtype=dtype)
    return lambda: ops.mhc_sinkhorn(y.clone(), n)

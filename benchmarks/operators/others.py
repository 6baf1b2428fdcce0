"""Recurrences, mixtures of experts, and what TileGym calls experimental."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from inputs import HALF, Call, Case, Inputs, name, operators


def recurrent() -> Iterator[Case]:
    ops = operators()

    for dtype in HALF:
        for tokens in (128, 256):
            what = f"{tokens} tokens {name(dtype)}"

            def delta(inputs: Inputs, t: int = tokens, d: Any = dtype, chunked: bool = False) -> Call:
                q, k, v = (inputs.normal(2, t, 4, 64, dtype=d, scale=0.1) for _ in range(3))
                g, beta = -inputs.uniform(2, t, 4), inputs.uniform(2, t, 4, dtype=d)
                call = ops.chunk_gated_delta_rule if chunked else ops.recurrent_gated_delta_rule
                return lambda: call(q, k, v, g, beta, output_final_state=True, use_qk_l2norm_in_kernel=True)

            def delta_chunked(inputs: Inputs, make: Callable[..., Call] = delta) -> Call:
                return make(inputs, chunked=True)

            def mamba(inputs: Inputs, t: int = tokens, d: Any = dtype, backward: bool = False) -> Call:
                x = inputs.normal(2, t, 8, 64, dtype=d)
                a, skip = -inputs.uniform(8), inputs.uniform(8)
                b, c = (inputs.normal(2, t, 1, 64, dtype=d) for _ in range(2))
                dt = inputs.uniform(2, t, 8)
                state = torch.zeros(2, 8, 64, 64, dtype=torch.float32, device="cuda")
                if not backward:
                    return lambda: ops.mamba2_chunk_forward(x, a, b, c, skip, dt, state)
                dout, dstate = inputs.normal(2, t, 8, 64, dtype=d), torch.zeros_like(state)
                return lambda: ops.mamba2_chunk_backward(x, a, b, c, skip, dt, state, dout, dstate)

            def mamba_backward(inputs: Inputs, make: Callable[..., Call] = mamba) -> Call:
                return make(inputs, backward=True)

            yield Case("recurrent_gated_delta_rule", what, delta)
            yield Case("chunk_gated_delta_rule", what, delta_chunked)
            yield Case("mamba2_chunk_forward", what, mamba)
            yield Case("mamba2_chunk_backward", what, mamba_backward)


def mixtures() -> Iterator[Case]:
    ops = operators()

    for tokens, experts in ((64, 8), (300, 16)):

        def align(inputs: Inputs, t: int = tokens, e: int = experts) -> Call:
            chosen = inputs.integers(e, t, 2)
            return lambda: ops.moe_align_block_size(chosen, 128, e)[:3]

        yield Case("moe_align_block_size", f"{tokens} tokens, {experts} experts", align)
        for dtype in HALF:

            def fused(inputs: Inputs, t: int = tokens, e: int = experts, d: Any = dtype) -> Call:
                import cuda.tile as ct

                a, b = inputs.normal(t, 256, dtype=d), inputs.normal(e, 512, 256, dtype=d, scale=0.1)
                weights, chosen = inputs.uniform(t, 2), inputs.integers(e, t, 2)
                order, owners, padded, *_ = ops.moe_align_block_size_torch(chosen, 64, e)
                order, owners, padded = (
                    torch.as_tensor(v, dtype=torch.int32, device="cuda") for v in (order, owners, padded)
                )
                config = {"TILE_SIZE_M": 64, "TILE_SIZE_N": 128, "TILE_SIZE_K": 64, "GROUP_SIZE_M": 8}
                kind = ct.float16 if d == torch.float16 else ct.bfloat16

                def call() -> Any:
                    c = torch.zeros(t, 2, 512, dtype=d, device="cuda")
                    ops.invoke_fused_moe_kernel(
                        a, b, c, None, None, weights, chosen, order, owners, padded.reshape(-1), False, 2, config,
                        compute_type=kind, use_fp8_w8a8=False,
                    )  # fmt: skip
                    return c

                return call

            def actgrad(inputs: Inputs, t: int = tokens, e: int = experts, d: Any = dtype) -> Call:
                inner, hidden = 128, 256
                counts = torch.full((e,), t // e, dtype=torch.int64, device="cuda")
                counts[0] += t - int(counts.sum())
                offset = torch.zeros(e + 1, dtype=torch.int32, device="cuda")
                offset[1:] = counts.cumsum(0)
                dout, h = inputs.normal(t, hidden, dtype=d), inputs.normal(t, 2 * inner, dtype=d)
                w2, scores = inputs.normal(e, inner, hidden, dtype=d, scale=0.1), inputs.uniform(t)
                order = torch.randperm(t, device="cuda").to(torch.int32) * 0 + torch.arange(t, device="cuda").int()

                def call() -> Any:
                    dh, a = torch.zeros_like(h), torch.zeros(t, inner, dtype=d, device="cuda")
                    ds = torch.zeros(t, device="cuda")
                    ops.moe_actgrad_bwd(
                        dout, h, w2, dh, ds, None, None, a, scores, offset, order, order, "swiglu",
                    )  # fmt: skip
                    return dh, a, ds

                return call

            what = f"{tokens} tokens, {experts} experts, {name(dtype)}"
            yield Case("invoke_fused_moe_kernel", what, fused)
            yield Case("moe_actgrad_bwd", what, actgrad)


def experimental() -> Iterator[Case]:
    ops = operators()

    for dtype in HALF:
        for rows, width in ((128, 256), (256, 512)):

            def quantise(inputs: Inputs, s: tuple[int, int] = (rows, width), d: Any = dtype) -> Call:
                x = inputs.normal(*s, dtype=d)
                return lambda: ops.nvfp4_quantize(x)

            def loss(inputs: Inputs, s: tuple[int, int] = (rows, width), d: Any = dtype) -> Call:
                x, w = inputs.normal(*s, dtype=d), inputs.normal(1000, s[1], dtype=d, scale=0.05)
                target = inputs.integers(1000, s[0], dtype=torch.int64)
                return lambda: ops.fused_linear_cross_entropy(x, w, target)

            what = f"{rows}x{width} {name(dtype)}"
            yield Case("nvfp4_quantize", what, quantise)
            yield Case("fused_linear_cross_entropy", what, loss)
    for batch, n, width in ((128, 4, 1024), (64, 8, 2048)):

        def scaled(inputs: Inputs, s: tuple[int, int, int] = (batch, n, width)) -> Call:
            x = inputs.normal(s[0], s[1] * s[2], dtype=torch.bfloat16)
            w = inputs.normal(s[1] * s[2], s[1] * s[1] + 2 * s[1], dtype=torch.bfloat16, scale=0.05)
            bias = inputs.normal(s[1] * s[1] + 2 * s[1], dtype=torch.float32)
            return lambda: ops.mhc_gemm_rms_scale(x, w, s[1], 0.5, 0.5, 0.5, bias)

        def residual(inputs: Inputs, s: tuple[int, int, int] = (batch, n, width)) -> Call:
            x, f = (
                inputs.normal(s[0], s[1] * s[2], dtype=torch.bfloat16),
                inputs.normal(s[0], s[2], dtype=torch.bfloat16),
            )
            y = inputs.normal(s[0], s[1] * s[1] + 2 * s[1], dtype=torch.float32)
            return lambda: ops.mhc_apply_residual(x, f, y, s[1])

        def sinkhorn(inputs: Inputs, s: tuple[int, int, int] = (batch, n, width)) -> Call:
            y = inputs.normal(s[0], s[1] * s[1] + 2 * s[1], dtype=torch.float32)
            return lambda: ops.mhc_sinkhorn(y.clone(), s[1])

        what = f"{batch}x{n}x{width}"
        yield Case("mhc_gemm_rms_scale", what, scaled)
        yield Case("mhc_apply_residual", what, residual)
        yield Case("mhc_sinkhorn", what, sinkhorn)

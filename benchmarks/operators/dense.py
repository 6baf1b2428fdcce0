"""Elementwise operators, norms and products."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from inputs import FLOATS, HALF, Call, Case, Inputs, name, operators


def elementwise() -> Iterator[Case]:
    ops = operators()

    for dtype in FLOATS:
        for rows, width in ((256, 1024), (1000, 777), (4096, 4096)):
            what = f"{rows}x{width} {name(dtype)}"

            def unary(call: Callable[..., Any], rows: int = rows, width: int = width, dtype: Any = dtype) -> Any:
                def make(inputs: Inputs) -> Call:
                    x = inputs.normal(rows, width, dtype=dtype)
                    return lambda: call(x)

                return make

            yield Case("softmax", what, unary(ops.softmax))
            yield Case("relu", what, unary(ops.relu))
            yield Case("gelu", what, unary(lambda x: ops.gelu(x, approximate="tanh")))
            yield Case("gelu", what + " exact", unary(ops.gelu))
            if width % 2 == 0:
                yield Case("softmax", what + " tma", unary(lambda x: ops.softmax(x, use_tma=True)))
                yield Case("silu_and_mul", what, unary(ops.silu_and_mul))
                yield Case("geglu", what, unary(ops.geglu))
                yield Case("transpose", what, unary(ops.transpose))
            yield Case("dropout", what, unary(lambda x: ops.dropout(x, 1234, 0.3)))

            def swiglu(inputs: Inputs, rows: int = rows, width: int = width, dtype: Any = dtype) -> Call:
                a, b = (inputs.normal(1, rows, width, dtype=dtype) for _ in range(2))
                return lambda: ops.get_swiglu()(a, b)

            yield Case("get_swiglu", what, swiglu)
    for dtype in FLOATS:
        for heads, kv_heads, tokens, width in ((32, 8, 128, 64), (8, 8, 77, 128)):

            def rope(inputs: Inputs, s: tuple[int, ...] = (heads, kv_heads, tokens, width), d: Any = dtype) -> Call:
                q, k = inputs.normal(2, s[0], s[2], s[3], dtype=d), inputs.normal(2, s[1], s[2], s[3], dtype=d)
                cos, sin = (inputs.uniform(1, s[2], s[3], dtype=d) for _ in range(2))
                return lambda: ops.apply_rope_base(q.clone(), k.clone(), cos, sin)

            def model_rope(
                inputs: Inputs, s: tuple[int, ...] = (heads, kv_heads, tokens, width), d: Any = dtype
            ) -> Call:
                q, k = inputs.normal(2, s[0], s[2], s[3], dtype=d), inputs.normal(2, s[1], s[2], s[3], dtype=d)
                cos, sin = (inputs.uniform(1, s[2], s[3], dtype=d) for _ in range(2))
                return lambda: ops.get_apply_rope_func("llama")(q.clone(), k.clone(), cos, sin)

            what = f"{heads}/{kv_heads}x{tokens}x{width} {name(dtype)}"
            yield Case("apply_rope_base", what, rope)
            yield Case("get_apply_rope_func", what, model_rope)


def norms() -> Iterator[Case]:
    ops = operators()

    for dtype in FLOATS:
        for rows, width in ((512, 1024), (1000, 3072)):
            what = f"{rows}x{width} {name(dtype)}"

            def inputs_of(inputs: Inputs, rows: int = rows, width: int = width, dtype: Any = dtype) -> list[Any]:
                return [
                    inputs.normal(rows, width, dtype=dtype),
                    inputs.normal(width, dtype=dtype),
                    inputs.normal(width, dtype=dtype),
                ]

            def rms(inputs: Inputs, make: Any = inputs_of, mode: str | None = None) -> Call:
                x, w, _ = make(inputs)
                return lambda: ops.rms_norm(x, None, w, 1e-6, mode=mode)

            def rms_persistent(inputs: Inputs, make: Callable[..., Call] = rms) -> Call:
                return make(inputs, mode="static_persistent")

            def rms_backward(inputs: Inputs, make: Any = inputs_of) -> Call:
                x, w, grad = make(inputs)
                grad = x.detach().clone()

                def call() -> Any:
                    a, b = x.clone().requires_grad_(), w.clone().requires_grad_()
                    ops.rms_norm(a, None, b, 1e-6).backward(grad)
                    return a.grad, b.grad

                return call

            def rms_module(inputs: Inputs, make: Any = inputs_of, width: int = width, dtype: Any = dtype) -> Call:
                x, w, _ = make(inputs)
                module = ops.get_rms_norm_module()(width, eps=1e-6).to("cuda", dtype)
                with torch.no_grad():
                    module.weight.copy_(w)
                return lambda: module(x)

            def layer(inputs: Inputs, make: Any = inputs_of) -> Call:
                x, w, b = make(inputs)
                return lambda: ops.layer_norm(x, 1, 2, w, b, 1e-5)

            def legacy(inputs: Inputs, make: Any = inputs_of) -> Call:
                x, w, b = make(inputs)
                return lambda: ops.layer_norm_legacy(x, None, w, b, 1e-5)

            def persistent(inputs: Inputs, make: Any = inputs_of) -> Call:
                x, w, b = make(inputs)
                return lambda: ops.persistent_layer_norm(x, None, w, b, 1e-5)

            yield Case("rms_norm", what, rms)
            yield Case("rms_norm", what + " persistent", rms_persistent)
            yield Case("rms_norm", what + " backward", rms_backward)
            yield Case("get_rms_norm_module", what, rms_module)
            yield Case("layer_norm", what, layer)
            yield Case("layer_norm_legacy", what, legacy)
            yield Case("persistent_layer_norm", what, persistent)


def products() -> Iterator[Case]:
    ops = operators()

    for dtype in FLOATS:
        for m, n, k in ((512, 512, 512), (1000, 768, 320), (4096, 4096, 4096)):
            what = f"{m}x{n}x{k} {name(dtype)}"

            def matmul(
                inputs: Inputs, s: tuple[int, int, int] = (m, n, k), d: Any = dtype, fixed: bool = False
            ) -> Call:
                a, b = inputs.normal(s[0], s[2], dtype=d), inputs.normal(s[2], s[1], dtype=d)
                return lambda: ops.matmul(a, b, static_persistent=fixed)

            def matmul_persistent(inputs: Inputs, make: Callable[..., Call] = matmul) -> Call:
                return make(inputs, fixed=True)

            yield Case("matmul", what, matmul)
            yield Case("matmul", what + " persistent", matmul_persistent)
        for batch, m, n, k in ((4, 256, 256, 256), (3, 200, 136, 72)):
            what = f"{batch}x{m}x{n}x{k} {name(dtype)}"

            def bmm(inputs: Inputs, s: tuple[int, ...] = (batch, m, n, k), d: Any = dtype) -> Call:
                a, b = inputs.normal(s[0], s[1], s[3], dtype=d), inputs.normal(s[0], s[3], s[2], dtype=d)
                return lambda: ops.bmm(a, b)

            def bmm_transposed(inputs: Inputs, s: tuple[int, ...] = (batch, m, n, k), d: Any = dtype) -> Call:
                a, b = inputs.normal(s[0], s[1], s[3], dtype=d), inputs.normal(s[0], s[2], s[3], dtype=d)
                return lambda: ops.bmm(a, b, transpose_b=True, static_persistent=False)

            yield Case("bmm", what, bmm)
            yield Case("bmm", what + " transposed", bmm_transposed)
    for dtype in HALF:

        def grouped(inputs: Inputs, d: Any = dtype) -> Call:
            sizes = ((256, 512, 128), (384, 256, 128), (128, 128, 128))
            a = [inputs.normal(m, k, dtype=d) for m, _, k in sizes]
            b = [inputs.normal(k, n, dtype=d) for _, n, k in sizes]
            return lambda: ops.group_gemm(a, b)

        def gated(inputs: Inputs, d: Any = dtype, act: str = "silu") -> Call:
            x = inputs.normal(256, 512, dtype=d)
            act_weight, plain = (inputs.normal(1024, 512, dtype=d, scale=0.05) for _ in range(2))
            last = inputs.normal(512, 1024, dtype=d, scale=0.05)
            return lambda: ops.linear_gluact_linear(x, act_weight, plain, last, act_type=act)

        def gated_gelu(inputs: Inputs, make: Callable[..., Call] = gated) -> Call:
            return make(inputs, act="gelu")

        def quantised(inputs: Inputs, d: Any = dtype) -> Call:
            a, b = (inputs.normal(256, 512, dtype=torch.float8_e4m3fn) for _ in range(2))
            scales, blocks = inputs.uniform(256, 4), inputs.uniform(2, 4)
            return lambda: ops.w8a8_block_fp8_matmul(a, b, scales, blocks, [128, 128], output_dtype=d)

        yield Case("group_gemm", name(dtype), grouped)
        yield Case("linear_gluact_linear", f"silu {name(dtype)}", gated)
        yield Case("linear_gluact_linear", f"gelu {name(dtype)}", gated_gelu)
        yield Case("w8a8_block_fp8_matmul", name(dtype), quantised)

"""The Rust of reductions, products, casts, constants and shapes, by the lines that matter."""

from __future__ import annotations

import pytest
from cutile2rs.backend.crate import ModuleOutput, kernel_file

from tests.kernels import converted_from

CASES: dict[str, tuple[str, list[str]]] = {
    "module_constant": (
        "L = 1 / math.log(2)\n@ct.kernel\ndef k(x):\n    a = ct.load(x, (0,), (4,)).astype(ct.float32)\n"
        "    ct.store(x, (0,), a * L)",
        ["splat_float(1.442695, shape![4])"],
    ),
    "float_constant": (
        "@ct.kernel\ndef k(x, E: ct.Constant[float]):\n    a = ct.load(x, (0,), (4,)).astype(ct.float32)\n"
        "    ct.store(x, (0,), a + ct.exp(E))",
        ["const EXP_E_BITS: i32", "splat_bits(EXP_E_BITS, shape![4])"],
    ),
    "half_constant": (
        "@ct.kernel\ndef k(x, E: ct.Constant[float]):\n    a = ct.load(x, (0,), (4,)).astype(ct.bfloat16)\n"
        "    ct.store(x, (0,), a + E)",
        ["bitcast(splat_half_bits(E_BITS, shape![4]))"],
    ),
    "double_constant": (
        "@ct.kernel\ndef k(x, E: ct.Constant[float]):\n    a = ct.load(x, (0,), (4,)).astype(ct.float64)\n"
        "    ct.store(x, (0,), a + E)",
        ["splat_double_bits(E_LOW_BITS, E_HIGH_BITS, shape![4])"],
    ),
    "literals_are_rounded_twice": (
        "@ct.kernel\ndef k(x):\n    ct.store(x, (0,), ct.full((4,), 0.1, ct.float64))",
        ["splat_float(0.10000000149011612, shape![4])"],
    ),
    "unsigned_literal": (
        "@ct.kernel\ndef k(x):\n    ct.store(x, (0,), ct.full((4,), 4000000000, ct.uint32))",
        ["splat_int(-294967296, shape![4])"],
    ),
    "byte_float_literal": (
        "@ct.kernel\ndef k(x):\n    ct.store(x, (0,), ct.full((4,), 1.5, ct.float8_e4m3fn))",
        ["splat_int(60, shape![4])"],
    ),
    "integer_cast_of_unknown_width": (
        "@ct.kernel\ndef k(x, y):\n    ct.store(y, (0,), ct.load(x, (0,), (4,)).astype(ct.int32).astype(ct.float32))",
        ["if BITS_X < 32 {", "exti(x_tile)", "bitcast(x_tile)", "truncate(x_tile, overflow::None)"],
    ),
    "truth": (
        "@ct.kernel\ndef k(x):\n    a = ct.load(x, (0,), (4,)).astype(ct.int32)\n"
        "    ct.store(x, (0,), ct.where(a, 1.0, 2.0))",
        ["splat_int(0, shape![4])", "ne_tile("],
    ),
    "sixteen_bits": (
        "@ct.kernel\ndef k(x):\n    a = ct.load(x, (0,), (4,)).astype(ct.int16)\n"
        "    ct.store(x, (0,), ct.where(a < a, a + a, ~a))",
        ["cmpi(a, a, predicate::LessThan)", "addi_wrap(a, a, overflow::None)", "xori(a, "],
    ),
    "reduction_of_axes": (
        "@ct.kernel\ndef k(x):\n    a = ct.load(x, (0, 0, 0), (2, 4, 8)).astype(ct.float32)\n"
        "    ct.store(x, (0, 0, 0), ct.sum(a, axis=(0, -1), keepdims=True))",
        ["reduce_sum(a, 0i32)", "reduce_sum(sum, 1i32)", ".reshape(shape![1, 4, 1])"],
    ),
    "plain_function": (
        "@ct.kernel\ndef k(x):\n    a = ct.load(x, (0, 0), (4, 8)).astype(ct.float32)\n"
        "    ct.store(x, (0, 0), ct.reduce(a, 1, lambda p, q: ct.minimum(p, q), math.inf, keepdims=True))",
        ["reduce_min(a, 1i32)"],
    ),
    "closure": (
        "@ct.kernel\ndef k(x):\n    a = ct.load(x, (0,), (8,)).astype(ct.float32)\n"
        "    ct.store(x, (0,), ct.reduce(a, 0, lambda p, q: p * 0.5 + q, 0))",
        ["reduce_with(a, 0i32, identity, |p, q| {", "fma(p, half, q, rounding::NearestEven, ftz::Disabled)"],
    ),
    "scan": (
        "@ct.kernel\ndef k(x):\n    a = ct.load(x, (0, 0), (1, 8)).astype(ct.float32)\n"
        "    ct.store(x, (0, 0), ct.cumsum(a, axis=1, reverse=True))",
        ["cumsum(a.reshape(shape![8]), 0i32, reverse::Reverse)", "scan_value.reshape(shape![1, 8])"],
    ),
    "scan_inside": (
        "@ct.kernel\ndef k(x):\n    a = ct.load(x, (0, 0, 0), (2, 4, 8)).astype(ct.float32)\n"
        "    ct.store(x, (0, 0, 0), ct.cumsum(a, axis=2))",
        ["permute(a, const_array![2, 0, 1])", "0i32, reverse::Forward)", "permute(scan_value, const_array![1, 2, 0])"],
    ),
    "argmin": (
        "@ct.kernel\ndef k(x):\n    a = ct.load(x, (0, 0), (4, 8)).astype(ct.float32)\n"
        "    ct.store(x, (0, 0), ct.argmin(a, 1, keepdims=True).astype(ct.float32))",
        ["let best: Tile<f32, { [4] }> = reduce_min(a, 1i32);",
         "best.reshape(shape![4, 1]).broadcast(shape![4, 8]);", "holding_float(a, best_wide, ", "first_place(first)"],
    ),
    "function_along_an_axis": (
        "@ct.kernel\ndef k(x):\n    a = ct.load(x, (0, 0), (4, 8)).astype(ct.float32)\n"
        "    ct.store(x, (0, 0), ct.reduce(a, 1, lambda p, q: p * q, 2.0, keepdims=True))",
        ["let turned: Tile<f32, { [8, 4] }> = permute(a, const_array![1, 0]);",
         "scan_with(turned, 0i32, reverse::Reverse, identity, |p, q| p * q);", "extract(running, [first, first]);",
         "let neutral: Tile<f32, { [4] }> = splat_float(2.0, shape![4]);", "with_identity(last, neutral)"],
    ),
    "product_of_mixed_bytes": (
        "@ct.kernel\ndef k(x):\n    a = ct.load(x, (0, 0), (16, 16)).astype(ct.int8)\n"
        "    ct.store(x, (0, 0), ct.mma(a, a.astype(ct.uint8), ct.zeros((16, 16), ct.int32)))",
        ["signedness::Signed, signedness::Unsigned"],
    ),
    "matmul_accumulates_in_float32": (
        "@ct.kernel\ndef k(x):\n    a = ct.load(x, (0, 0), (16, 16)).astype(ct.bfloat16)\n"
        "    ct.store(x, (0, 0), a @ a)",
        ["let mma_value: Tile<f32, { [16, 16] }> = mmaf(a, a, zero);",
         "Tile<bf16, { [16, 16] }> = convert_tile(mma_value);"],
    ),
    "two_constant_indices": (
        "@ct.kernel\ndef k(x):\n    a = ct.load(x, (0, 0), (8, 8)).astype(ct.float32)\n"
        "    ct.store(x, (0, 0), ct.extract(a, (0, 1), (4, 4)))",
        ["scalar_tile: Tile<i32, { [] }> = scalar_to_tile(0i32);", "scalar_tile_1: Tile<i32, { [] }> = scalar_to_tile(1i32);",
         "extract(a, [scalar_tile, scalar_tile_1])"],
    ),
    "float_parameter": (
        "@ct.kernel\ndef k(x, f: float):\n    a = ct.load(x, (0,), (4,)).astype(ct.float32)\n"
        "    ct.store(x, (0,), a * f * 2.0)",
        ["f: f32", "let f_tile: Tile<f32, { [] }> = scalar_to_tile(f);"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_rust(name: str) -> None:
    python, wanted = CASES[name]
    text = kernel_file(ModuleOutput("sample", "sample", "reference/sample.py", "", [converted_from(f"{python}\n")]))
    for fragment in wanted:
        assert fragment in text, text


def test_flags_that_only_the_launch_knows_make_two_entries() -> None:
    python = (
        "@ct.kernel\ndef k(x, F: ct.Constant[bool]):\n    a = ct.load(x, (0,), (4,)).astype(ct.float32) > 0\n"
        "    ct.store(x, (0,), a ^ F)\n"
    )
    done = converted_from(python)
    texts = ["\n".join(e.lines) for e in done.entries]
    assert any("splat_int(1, shape![4])" in t for t in texts) and any("splat_int(0, shape![4])" in t for t in texts)

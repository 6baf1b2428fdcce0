"""The Rust of memory operations, by the lines that matter."""

from __future__ import annotations

import pytest

from tests.kernels import converted_from

CASES: dict[str, tuple[str, list[str]]] = {
    "num_tiles": (
        "def k(x, T: ct.Constant[int]):\n    n = ct.num_tiles(x, 1, (1, T))\n    ct.store(x, (0, n), ct.zeros((1, T), dtype=x.dtype))",  # noqa: E501
        ["view_undetermined(x, shape![1, T])", "let n: i32 = num_tiles(&x_view, 1i32);"],
    ),
    "latency": (
        "def k(x, L: ct.Constant[int]):\n    ct.store(x, (0,), ct.load(x, (1,), (4,), latency=L), latency=3)",
        ["const_array![L]", "const_array![3]"],
    ),
    "strides": (
        "def k(x):\n    ct.store(x, (0, x.strides[1]), ct.zeros((1, 4), dtype=x.dtype))",
        ["let x_stride_1: i32 = strides_2d(raw_strides(x)).1;"],
    ),
    "order": (
        "def k(x):\n    o = (1, 0)\n    ct.store(x, (0, 0), ct.load(x, (1, 1), (4, 8), order=o), order='F')",
        ["view_undetermined_ordered(x, shape![4, 8], const_array![1, 0])"],
    ),
    "atomic": (
        "def k(x):\n    i = ct.arange(4, dtype=ct.int32)\n    old = ct.atomic_add(x, i, 1.0)\n    ct.scatter(x, i, old)",
        ["offsets_1d(x, i_u64)", "atomic::AddF", "ordering::AcqRel", "scope::Device", "let (old, x_token)"],
    ),
    "one_element_in_a_loop": (
        "def k(x, y, n: int):\n    r = ct.bid(0)\n    s = 0.0\n    for i in range(n):\n"
        "        s = s + ct.gather(x, (r, i))\n    ct.scatter(x, (r, 0), s)",
        [
            "let x_inside_tile: Tile<bool, { [] }> = within(r_index, x.shape()[0]);",
            "let x_inside: bool = is_true(x_inside_tile);",
            "let x_inside: bool = x_inside & is_true(within_tile);",
            "let x_inside_tile: Tile<bool, { [] }> = scalar_to_tile(x_inside);",
        ],
    ),
    "assertion": (
        "def k(x, n: int):\n    ct.assert_(n > 0, 'a \"few\"')\n    m = ct.assume_divisible_by(n, 8)\n"
        "    ct.scatter(x, m, 1.0)",
        ["unreachable_code)]", 'cuda_tile_assert!(gt_value, "a \\"few\\"");',
         "let m: i32 = unsafe { assume_div_by::<_, 8>(n) };"],
    ),
    "unused_result": (
        "def k(x, y):\n    i = ct.arange(4, dtype=ct.int32)\n    ct.atomic_max(x, i, ct.gather(y, i), check_bounds=False)",
        ["atomic::Umax", "offsets_1d_unchecked(x, i_u64)", "turns bounds checks off", "let (_x_old, _x_token)"],
    ),
    "memory_order": (
        "def k(x):\n    t = ct.load(x, (0,), (4,), memory_order=ct.MemoryOrder.ACQUIRE, memory_scope=ct.MemoryScope.SYS)\n"
        "    ct.store(x, (1,), t)",
        ["load_view_raw(", "ordering::Acquire", "scope::System"],
    ),
    "slice": (
        "def k(x, n):\n    s = x.slice(0, n, n + 8)\n    ct.store(s, (0, 0), ct.zeros((4, 4), dtype=x.dtype))",
        [
            "let x_base: PointerTile<*mut EX, { [] }> = get_tensor_base(x);",
            "let s_extents: Shape<{ [-1, -1] }>", "let s_strides = raw_strides(x);",
            "part_view_undetermined(s_base, s_extents, s_strides, shape![4, 4])",
        ],
    ),
    "static_slice": (
        "def k(x):\n    s = x.slice(1, 4, 12)\n    ct.store(s, (0, 0), ct.zeros((4, 4), dtype=x.dtype))",
        ["let s_extents: Shape<{ [-1, 8] }>", "assume_div_by::<_, S_BASE_DIV>(s_base)"],
    ),
    "list": (
        "def k(xs):\n    x = xs[ct.bid(0)]\n    ct.store(x, (0, 0), ct.zeros((4, 4), dtype=ct.float32))",
        ["xs: *mut i64,", "xs_len: i32,", "list_view(xs_base, xs_len, const_array![5], shape![1, 8])",
         "record_extent(x_record, 1i32, const_array![EXTENT_DIV_XS_0])"],
    ),
    "tiled_view": (
        "def k(x):\n    v = x.tiled_view((4,), traversal_steps=(2,))\n    ct.store(x, (0,), v.load((1,)))",
        ["use cutile::tileir::*;", "StridedView<EX, { [4] }, { [2] }, { [0] }>", "make_strided_view(x, shape![4], padding::None)"],  # noqa: E501
    ),
    "sparse": (
        "def k(x):\n    i = ct.arange(4, dtype=ct.int32)\n    t = ct.load_advanced_indexing(x, (i, ct.Slice(8, 16)))\n"
        "    ct.store_advanced_indexing(x, (i + 4, ct.Slice(0, 16)), t)",
        ["GatherScatterView<EX, { [4, 16] }, 0>", "(i, 8i32)"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_rust(name: str) -> None:
    python, wanted = CASES[name]
    done = converted_from(f"@ct.kernel\n{python}\n")
    from cutile2rs.backend.crate import ModuleOutput, kernel_file

    text = kernel_file(ModuleOutput("sample", "sample", "reference/sample.py", "", [done]))
    for fragment in wanted:
        assert fragment in text, text


def test_what_cutile_rejects_makes_no_entry() -> None:
    from cutile2rs.lowering.context import Refusal

    for python, reason in {
        "ct.store(x, (0,), ct.zeros((4,), dtype=x.dtype), latency=11)": "latency must be between 1 and 10",
        "ct.load(x, (0,), (4,), memory_order=ct.MemoryOrder.RELEASE)": "memory order RELEASE is not allowed here",
        "ct.load(x, (0,), (4,), memory_order=ct.MemoryOrder.ACQUIRE)": "a memory scope goes with every memory order",
        "ct.store(x.slice(0, 5, 2), (0,), ct.zeros((4,), dtype=x.dtype))": "must not stop before it starts",
        "ct.store(x, (1.5,), ct.zeros((4,), dtype=x.dtype))": "an index must be an integer",
    }.items():
        with pytest.raises(Refusal, match=reason):
            converted_from(f"@ct.kernel\ndef k(x):\n    {python}\n")

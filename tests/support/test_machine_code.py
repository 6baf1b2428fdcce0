"""Each family of helpers gives the machine code that cuTile Python gives for the same kernel.

A case says a kernel twice, in Python and as the body of a Rust entry. Dtypes and constants of the Rust entry are its
`generics`, arrays and scalars its `arguments`; what a launch knows of those is in `parameters`, as cuTile mangles it.
"""

from __future__ import annotations

import struct
import textwrap
from collections.abc import Callable

import pytest
from cutile2rs.backend.support import PADDINGS

from tests.support.conftest import Same
from tests.support.pieces import ALONG, TOKEN, aligned, located, tensor, trusting, unknown

pytestmark = pytest.mark.toolchain


def test_operations(same: Same) -> None:
    python = """\
        def k(a, b, o, T: ct.Constant[int]):
            i = ct.arange(T, dtype=ct.int32)
            q = ct.truediv(ct.gather(a, i), ct.gather(b, i), rounding_mode=ct.RoundingMode.FULL)
            ct.scatter(o, i, ct.cumsum(q, 0))
        """
    body = """\
        let x: Tile<E, { [T] }> = gather_1d(a, at, zero, token, const_array![0]);
        let y: Tile<E, { [T] }> = gather_1d(b, at, zero, token, const_array![0]);
        let q: Tile<E, { [T] }> = divide(x, y, rounding::Full, ftz::Disabled);
        let sum: Tile<E, { [T] }> = cumsum(q, 0i32, reverse::Forward);
        let _t: Token = scatter_1d(o, at, sum, token, const_array![0]);
        """
    parameters = "_".join([aligned(1)] * 3) + "_I256"
    arguments = {name: tensor(1) for name in "abo"}
    assert same(python, parameters, {"E": "f32", "T": "256"}, arguments, TOKEN + ALONG, body).equal


def test_wrapping_operations(same: Same) -> None:
    python = """\
        def k(a, b, o, T: ct.Constant[int]):
            i = ct.arange(T, dtype=ct.int32)
            x = ct.gather(a, i)
            y = ct.gather(b, i)
            ct.scatter(o, i, ct.astype((x + y) * (x - y) << x, ct.int8))
        """
    body = """\
        let x: Tile<E, { [T] }> = gather_1d(a, at, zero, token, const_array![0]);
        let y: Tile<E, { [T] }> = gather_1d(b, at, zero, token, const_array![0]);
        let plus: Tile<E, { [T] }> = addi_wrap(x, y, overflow::None);
        let minus: Tile<E, { [T] }> = subi_wrap(x, y, overflow::None);
        let times: Tile<E, { [T] }> = muli_wrap(plus, minus, overflow::None);
        let moved: Tile<E, { [T] }> = shli_wrap(times, x, overflow::None);
        let low: Tile<i8, { [T] }> = truncate(moved, overflow::None);
        let _t: Token = scatter_1d(o, at, low, token, const_array![0]);
        """
    parameters = "_".join([aligned(1, "i16", 8)] * 2 + [aligned(1, "i8", 16)]) + "_I256"
    arguments = {"a": tensor(1), "b": tensor(1), "o": tensor(1, "i8")}
    assert same(python, parameters, {"E": "i16", "T": "256"}, arguments, TOKEN + ALONG, body).equal


def test_arithmetic(same: Same) -> None:
    python = """\
        def k(a, o, n, T: ct.Constant[int]):
            i = ct.arange(T, dtype=ct.int32)
            d = i - n
            x = ct.gather(a, d % 7 + d // 5 + ct.cdiv(d, 3))
            ct.scatter(o, i + (n // 3 + n % 5 + -n), x)
        """
    body = """\
        let d: Tile<i32, { [T] }> = i - n.broadcast(shape![T]);
        let seven: Tile<i32, { [T] }> = splat_int(7, shape![T]);
        let five: Tile<i32, { [T] }> = splat_int(5, shape![T]);
        let three: Tile<i32, { [T] }> = splat_int(3, shape![T]);
        let from: Tile<i32, { [T] }> = floor_mod_tile(d, seven) + floor_div_tile(d, five) + ceil_div_tile(d, three);
        let from: Tile<u64, { [T] }> = exti(from);
        let x: Tile<E, { [T] }> = gather_1d(a, from, zero, token, const_array![0]);
        let far: i32 = floor_div(n, 3i32) + floor_mod(n, 5i32) + negate(n);
        let to: Tile<i32, { [T] }> = i + far.broadcast(shape![T]);
        let to: Tile<u64, { [T] }> = exti(to);
        let _t: Token = scatter_1d(o, to, x, token, const_array![0]);
        """
    arguments = {"a": tensor(1), "o": tensor(1), "n": "i32"}
    parameters = f"{aligned(1)}_{aligned(1)}_Si32_I64"
    assert same(python, parameters, {"E": "f32", "T": "64"}, arguments, TOKEN + ALONG, body).equal


def test_hidden_loop_bound(same: Same) -> None:
    python = """\
        def k(a, o, N: ct.Constant[int], T: ct.Constant[int]):
            for row in range(ct.bid(0), N, ct.num_blocks(0)):
                x = ct.load(a, (row, 0), (1, T))
                ct.store(o, (row, 0), x * 2.0)
        """
    body = """\
        let a_view: Partition<E, { [1, T] }> = view_undetermined(a, shape![1, T]);
        let o_view: Partition<E, { [1, T] }> = view_undetermined(o, shape![1, T]);
        let first: i32 = get_tile_block_id().0;
        let step: i32 = get_num_tile_blocks().0;
        for row in (first..opaque(N)).step_by(step as usize) {
            let x: Tile<E, { [1, T] }> = load_view(&a_view, [row, 0i32], token, const_array![0]);
            let two: Tile<E, { [1, T] }> = splat_float(2.0, shape![1, T]);
            let _t: Token = store_view(&o_view, x * two, [row, 0i32], token, const_array![0]);
        }
        """
    arguments = {"a": tensor(2), "o": tensor(2)}
    generics = {"E": "f32", "N": "1000", "T": "256"}
    assert same(python, f"{aligned(2)}_{aligned(2)}_I1000_I256", generics, arguments, TOKEN, body).equal


def test_constants(same: Same) -> None:
    python = """\
        def k(a, o, n, T: ct.Constant[int], EPS: ct.Constant[float]):
            i = ct.arange(T, dtype=ct.int32)
            x = ct.gather(a, (n, i), padding_value=-1.5)
            r = ct.rsqrt(ct.sum(x * x, 0) + EPS)
            ct.scatter(o, (ct.bid(0), i), ct.where(i < 3, x * r, 0.0))
        """
    read = """\
        let pad: Tile<E, { [T] }> = splat_float(-1.5, shape![T]);
        let (x, _t): (Tile<E, { [T] }>, Token) =
            unsafe { load_elements_where(a_all, a_in, pad, token, const_array![0]) };
        let x: Tile<E, { [T] }> = convert_tile(x);
        let sum: Tile<E, { [] }> = reduce_sum(x * x, 0i32);
        let r: Tile<E, { [] }> = rsqrt(sum + splat_bits(EPS, shape![]), ftz::Disabled);
        let three: Tile<i32, { [T] }> = splat_int(3, shape![T]);
        let kept: Tile<E, { [T] }> = select(lt_tile(i, three), x * expand(r, shape![T]), zero);
        """
    write = "let _t: Token = unsafe { store_elements_where(o_all, o_in, kept, token, const_array![0]) };\n"
    first = located("a", 2, ["index(n, shape![T])", "at"], checked=True)
    second = located("o", 2, ["index(get_tile_block_id().0, shape![T])", "at"], checked=True)
    [bits] = struct.unpack("<i", struct.pack("<f", 1e-5))
    arguments = {"a": tensor(2), "o": tensor(2), "n": "i32"}
    parameters = f"{aligned(2)}_{aligned(2)}_Si32_I128_F3ee4f8b588e368f1"
    generics = {"E": "f32", "T": "128", "EPS": str(bits)}
    assert same(python, parameters, generics, arguments, TOKEN + ALONG, first, read, second, write).equal


@pytest.mark.parametrize(
    ("rank", "checked", "masked", "array"),
    [
        (1, True, False, aligned), (1, True, True, unknown), (1, False, False, unknown), (1, False, True, aligned),
        (2, True, True, aligned), (2, False, True, unknown), (3, False, False, aligned),
        (3, True, False, unknown), (4, False, True, aligned), (5, True, True, aligned),
    ],
)  # fmt: skip
def test_gather_and_scatter(same: Same, rank: int, checked: bool, masked: bool, array: Callable[[int], str]) -> None:
    options = f", check_bounds={checked}" + ", mask=i < n" * masked
    where = ["n", "ct.bid(0)", "ct.bid(1)", "ct.bid(2)"][: rank - 1]
    python = f"""\
        def k(a, o, n, T: ct.Constant[int]):
            i = ct.arange(T, dtype=ct.int32)
            x = ct.gather(a, ({", ".join([*where, "i"])},), padding_value=1, latency=3{options})
            ct.scatter(o, ({", ".join([*where[::-1], "i"])},), x{options})
        """
    blocks = (f"get_tile_block_id().{axis}" for axis in range(3))
    indices = [f"index({which}, shape![T])" for which in ["n", *blocks][: rank - 1]]
    lets = """\
        let mask: Tile<bool, { [T] }> = lt_tile(i, n.broadcast(shape![T]));
        let one: Tile<E, { [T] }> = splat_int(1, shape![T]);
        """
    body = _of_several_axes(rank, indices, checked, masked) if rank > 1 else _of_one_axis(checked, masked)
    arguments = {"a": tensor(rank), "o": tensor(rank), "n": "i32"}
    parameters = f"{array(rank)}_{array(rank)}_Si32_I64"
    assert same(python, parameters, {"E": "f32", "T": "64"}, arguments, TOKEN + ALONG, lets, body).equal


def _of_one_axis(checked: bool, masked: bool) -> str:
    suffix, mask = "1d" + "_unchecked" * (not checked) + "_masked" * masked, "mask, " * masked
    load = f"gather_{suffix}(a, at, one, {mask}token, const_array![3])"
    store = f"scatter_{suffix}(o, at, x, {mask}token, const_array![0])"
    return f"""\
        let x: Tile<E, {{ [T] }}> = {trusting(load, checked)};
        let _t: Token = {trusting(store, checked)};
        """


def _of_several_axes(rank: int, indices: list[str], checked: bool, masked: bool) -> str:
    where = "_where" * (checked or masked)
    a_mask, o_mask = (
        "".join([f"{array}_in" * checked, " & " * (checked and masked), "mask" * masked, ", " * (checked or masked)])
        for array in "ao"
    )
    read = f"""\
        let (x, _t): (Tile<E, {{ [T] }}>, Token) =
            unsafe {{ load_elements{where}(a_all, {a_mask}one, token, const_array![3]) }};
        let x: Tile<E, {{ [T] }}> = convert_tile(x);
        """
    write = f"let _t: Token = unsafe {{ store_elements{where}(o_all, {o_mask}x, token, const_array![0]) }};\n"
    first, second = (
        located(array, rank, [*which, "at"], checked) for array, which in (("a", indices), ("o", indices[::-1]))
    )
    return "".join([first, textwrap.dedent(read), second, write])


def test_elements_and_tokens(same: Same) -> None:
    """Atomics are core's own operations, on pointers from here."""
    python = """\
        def k(a, o, T: ct.Constant[int]):
            i = ct.arange(T, dtype=ct.int32)
            x = ct.gather(a, i)
            ct.atomic_add(o, (ct.bid(0), i), x)
            ct.atomic_max(o, (ct.bid(1), i), x, check_bounds=False)
        """
    read = """\
        let (x, read): (Tile<E, { [T] }>, Token) = gather_1d_token(a, at, zero, token, const_array![0]);
        let x: Tile<E, { [T] }> = convert_tile(x);
        """
    add = """\
        let before: Token = join_tokens(&[token, read]);
        let (_old, added): (Tile<E, { [T] }>, Token) = unsafe {
            atomic_rmw_tko(o_all, x, atomic::Add, ordering::AcqRel, scope::Device, Some(o_in), Some(before))
        };
        """
    most = """\
        let (_old, _t): (Tile<E, { [T] }>, Token) = unsafe {
            atomic_rmw_tko(o_all, x, atomic::Max, ordering::AcqRel, scope::Device, None, Some(added))
        };
        """
    first = located("o", 2, ["index(get_tile_block_id().0, shape![T])", "at"], checked=True)
    second = located("o", 2, ["index(get_tile_block_id().1, shape![T])", "at"], checked=False)
    arguments = {"a": tensor(1), "o": tensor(2)}
    parameters = f"{aligned(1, 'i32')}_{aligned(2, 'i32')}_I64"
    body = (read, first, add, second, most)
    assert same(python, parameters, {"E": "i32", "T": "64"}, arguments, TOKEN + ALONG, *body).equal


@pytest.mark.parametrize(
    ("checked", "tma", "latency"), [(True, None, None), (True, False, 3), (False, None, 4), (False, False, None)]
)
def test_tiles(same: Same, checked: bool, tma: bool | None, latency: int | None) -> None:
    options = f"latency={latency}, allow_tma={tma}, check_bounds={checked}"
    python = f"""\
        def k(a, o, T: ct.Constant[int], U: ct.Constant[int]):
            i = ct.bid(0)
            x = ct.load(a, (i, 0), (T, U), {options})
            ct.store(o, (i, 1), x + x, {options})
        """
    suffix = "_unchecked" * (not checked) + "_no_tma" * (tma is False)
    load = f"load_view{suffix}(&a_view, [i, 0i32], token, const_array![{latency or 0}])"
    store = f"store_view{suffix}(&o_view, x + x, [i, 1i32], token, const_array![{latency or 0}])"
    body = f"""\
        let i: i32 = get_tile_block_id().0;
        let a_view: Partition<E, {{ [T, U] }}> = view_undetermined(a, shape![T, U]);
        let o_view: Partition<E, {{ [T, U] }}> = view_undetermined(o, shape![T, U]);
        let x: Tile<E, {{ [T, U] }}> = {trusting(load, checked)};
        let _t: Token = {trusting(store, checked)};
        """
    arguments, generics = {"a": tensor(2), "o": tensor(2)}, {"E": "f16", "T": "16", "U": "64"}
    parameters = f"{aligned(2, 'f16', 8)}_{aligned(2, 'f16', 8)}_I16_I64"
    assert same(python, parameters, generics, arguments, TOKEN, body).equal


@pytest.mark.parametrize(("name", "mode"), [padding[:2] for padding in PADDINGS])
@pytest.mark.parametrize("part", [False, True])
def test_views(same: Same, name: str, mode: str, part: bool) -> None:
    """Of parameters, the axes in another order for every second mode, and of slices."""
    ordered = not part and mode in ("ZERO", "NAN", "NEG_INF")
    python = f"""\
        def k(a, o, n, m, T: ct.Constant[int], U: ct.Constant[int]):
            x = ct.load(a{".slice(0, n, m)" * part}, (ct.bid(0), 0), (T, U), padding_mode=ct.PaddingMode.{mode}
                        {", order=(1, 0)" * ordered})
            ct.store(o, (ct.bid(0), 0), x)
        """
    whole = f"""\
        let a_view: Partition<E, {{ [T, U] }}> =
            view_{name}{"_ordered" * ordered}(a, shape![T, U]{", const_array![1, 0]" * ordered});
        """
    slice_ = f"""\
        let strides = raw_strides(a);
        let (row, _): (i32, i32) = strides_2d(strides);
        let start: Tile<i32, {{ [] }}> = scalar_to_tile(n * row);
        let start: Tile<i64, {{ [] }}> = exti(start);
        let base: PointerTile<*mut E, {{ [] }}> = addptr_tile(get_tensor_base(a), start);
        let rows: i32 = unsafe {{ assume_bounds_lower::<_, 0>(m - n) }};
        let extents: Shape<{{ [-1, -1] }}> = Shape::<{{ [-1, -1] }}> {{ dims: &[rows, a.shape()[1]] }};
        let a_view: Partition<E, {{ [T, U] }}> = part_view_{name}(base, extents, strides, shape![T, U]);
        """
    body = """\
        let i: i32 = get_tile_block_id().0;
        let x: Tile<E, { [T, U] }> = load_view(&a_view, [i, 0i32], token, const_array![0]);
        let o_view: Partition<E, { [T, U] }> = view_undetermined(o, shape![T, U]);
        let _t: Token = store_view(&o_view, x, [i, 0i32], token, const_array![0]);
        """
    arguments = {"a": tensor(2), "o": tensor(2), "n": "i32", "m": "i32"}
    generics = {"E": "f16", "T": "16", "U": "64"}
    parameters = f"{aligned(2, 'f16', 8)}_{aligned(2, 'f16', 8)}_Si32_Si32_I16_I64"
    assert same(python, parameters, generics, arguments, TOKEN, slice_ if part else whole, body).equal


def test_elements_of_parts(same: Same) -> None:
    python = """\
        def k(a, o, n, m, T: ct.Constant[int]):
            i = ct.arange(T, dtype=ct.int32)
            rows = a.slice(0, n, m)
            x = ct.gather(rows, (ct.bid(0), i))
            ct.scatter(o, i, x)
        """
    body = """\
        let strides = raw_strides(a);
        let (row, _): (i32, i32) = strides_2d(strides);
        let start: Tile<i32, { [] }> = scalar_to_tile(n * row);
        let start: Tile<i64, { [] }> = exti(start);
        let base: PointerTile<*mut E, { [] }> = addptr_tile(get_tensor_base(a), start);
        let rows: i32 = unsafe { assume_bounds_lower::<_, 0>(m - n) };
        let extents: Shape<{ [-1, -1] }> = Shape::<{ [-1, -1] }> { dims: &[rows, a.shape()[1]] };
        let which: Tile<u64, { [T] }> = index(get_tile_block_id().0, shape![T]);
        let place: (Tile<u64, { [T] }>, Tile<bool, { [T] }>) = part_offsets_2d(extents, strides, which, at);
        let offset: Tile<u64, { [T] }> = convert_tile(place.0);
        let inside: Tile<bool, { [T] }> = convert_tile(place.1);
        let all: PointerTile<*mut E, { [T] }> = part_elements(base, offset);
        let (x, _t): (Tile<E, { [T] }>, Token) =
            unsafe { load_elements_where(all, inside, zero, token, const_array![0]) };
        let x: Tile<E, { [T] }> = convert_tile(x);
        let _t: Token = scatter_1d(o, at, x, token, const_array![0]);
        """
    arguments = {"a": tensor(2), "o": tensor(1), "n": "i32", "m": "i32"}
    parameters = f"{aligned(2)}_{aligned(1)}_Si32_Si32_I64"
    assert same(python, parameters, {"E": "f32", "T": "64"}, arguments, TOKEN + ALONG, body).equal


def test_lists(same: Same) -> None:
    python = """\
        def k(xs, o, T: ct.Constant[int]):
            x = ct.load(xs[ct.bid(0)], (ct.bid(1),), (T,))
            ct.store(o, (ct.bid(0),), x)
        """
    body = """\
        let table: PointerTile<*mut i64, { [] }> = pointer_to_tile(xs);
        let list: Partition<i64, { [1, 4] }> = list_view(table, xs_len, const_array![3], shape![1, 4]);
        let (i, j, _) = get_tile_block_id();
        let record: Tile<i64, { [1, 4] }> = list_record(&list, i);
        let base: PointerTile<*mut E, { [] }> = int_to_ptr(record_word(record, 0i32));
        let base: PointerTile<*mut E, { [] }> = unsafe { assume_div_by::<_, 16>(base) };
        let extent: i32 = unsafe { record_extent(record, 1i32, const_array![8]) };
        let extents: Shape<{ [-1] }> = Shape::<{ [-1] }> { dims: &[extent] };
        let strides: Array<{ [1] }> = Array::<{ [1] }> { dims: &[] };
        let x_view: Partition<E, { [T] }> = part_view_undetermined(base, extents, strides, shape![T]);
        let x: Tile<E, { [T] }> = load_view(&x_view, [j], token, const_array![0]);
        let o_view: Partition<E, { [T] }> = view_undetermined(o, shape![T]);
        let _t: Token = store_view(&o_view, x, [i], token, const_array![0]);
        """
    arguments = {"xs": "*mut i64", "xs_len": "i32", "o": tensor(1)}
    parameters = f"L{aligned(1, 'f16', 8)}_{aligned(1, 'f16', 8)}_I64"
    assert same(python, parameters, {"E": "f16", "T": "64"}, arguments, TOKEN, body).equal


def test_a_difference_is_seen(same: Same) -> None:
    """The other tests' eyes."""
    python = """\
        def k(a, o, T: ct.Constant[int]):
            i = ct.arange(T, dtype=ct.int32)
            ct.scatter(o, i, ct.gather(a, i))
        """
    body = """\
        let x: Tile<E, { [T] }> = gather_1d(a, at, zero, token, const_array![0]);
        let _t: Token = scatter_1d(o, at, x + x, token, const_array![0]);
        """
    arguments = {"a": tensor(1), "o": tensor(1)}
    assert not same(
        python, f"{aligned(1)}_{aligned(1)}_I64", {"E": "f32", "T": "64"}, arguments, TOKEN + ALONG, body
    ).equal

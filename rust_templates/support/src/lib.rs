//! Device helpers that kernels made by cutile2rs share.
//!
//! cuTile Rust inlines every call, so a helper costs nothing. All of them live in one module, [`tile`], because names of device functions
//! share one flat scope. A function with `#[cuda_tile::variadic_op]` exists for tiles of rank 0 to 6: `N` is the rank.
//!
//! Three rules shape the interfaces:
//! - A marker (`rounding::Full`, `padding::Zero`, `tma::Disabled`, ..) is read from the text of the call of an *operation*. A helper cannot
//!   pass one on; so what needs a marker is either declared here as an operation, or has the marker's name in its own name.
//! - A number known at compile time can be passed on in an `Array`: `const_array![3]`.
//! - Memory operations take a token and give one, in the order that the caller states.

#[cutile::module]
pub mod tile {
    use cutile::core::*;

    // ---- What Tile IR has and `cutile::core` does not declare ---------------------------------------------------------------------------

    /// A tile filled with a float: `let x: Tile<E, { [T] }> = splat_float(-1.5, shape![T]);`. The value must be a literal, its negation,
    /// `f64::INFINITY` or `f64::NEG_INFINITY`; `E` must be a float type.
    #[cuda_tile::op(name = "cuda_tile.constant", params = [], attribute_params = ["value:dense"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_float<E: ElementType, const S: [i32; N]>(
        value: f64,
        shape: Shape<S>,
    ) -> Tile<E, S> {
        unreachable!()
    }

    /// A tile filled with an integer. The value must be a literal or its negation; `E` is any type, also a float or `bool` (0 or 1). Write a
    /// value above the signed maximum of `E`'s width as the negative number with the same bits: larger ones silently become 0.
    #[cuda_tile::op(name = "cuda_tile.constant", params = [], attribute_params = ["value:dense"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_int<E: ElementType, const S: [i32; N]>(value: i64, shape: Shape<S>) -> Tile<E, S> {
        unreachable!()
    }

    /// `ct.truediv` with any rounding mode, `rounding::Full` among them (core's `divf` lacks it).
    #[cuda_tile::op(name = "cuda_tile.divf", params = ["lhs", "rhs"], static_params = ["rounding={NearestEven: rounding_mode=#cuda_tile.rounding<nearest_even>, PositiveInf: rounding_mode=#cuda_tile.rounding<positive_inf>, NegativeInf: rounding_mode=#cuda_tile.rounding<negative_inf>, Zero: rounding_mode=#cuda_tile.rounding<zero>, Approx: rounding_mode=#cuda_tile.rounding<approx>, Full: rounding_mode=#cuda_tile.rounding<full>}", "ftz={Enabled: flush_to_zero=unit}"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn divide<E: ElementType, const S: [i32; N], R: rounding::Mode, F: ftz::Mode>(
        lhs: Tile<E, S>,
        rhs: Tile<E, S>,
        rounding: R,
        ftz: F,
    ) -> Tile<E, S> {
        unreachable!()
    }

    /// Keeps the low bits (core's `trunci` cannot say that overflow is fine): `let y: Tile<i32, S> = truncate(x, overflow::None);`
    #[cuda_tile::op(name = "cuda_tile.trunci", params = ["from"], static_params = ["overflow={None: overflow=#cuda_tile.overflow<none>}"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn truncate<EIn: ElementType, EOut: ElementType, const S: [i32; N], O: overflow::Mode>(
        from: Tile<EIn, S>,
        overflow: O,
    ) -> Tile<EOut, S> {
        unreachable!()
    }

    /// Wrapping `+` for the integer types whose operator cuTile Rust refuses (`i16`, `u16`): `addi_wrap(x, y, overflow::None)`.
    #[cuda_tile::op(name = "cuda_tile.addi", params = ["lhs", "rhs"], static_params = ["overflow={None: overflow=#cuda_tile.overflow<none>}"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn addi_wrap<E: ElementType, const S: [i32; N], O: overflow::Mode>(
        lhs: Tile<E, S>,
        rhs: Tile<E, S>,
        overflow: O,
    ) -> Tile<E, S> {
        unreachable!()
    }

    /// Wrapping `-` for the integer types whose operator cuTile Rust refuses (`i16`, `u16`): `subi_wrap(x, y, overflow::None)`.
    #[cuda_tile::op(name = "cuda_tile.subi", params = ["lhs", "rhs"], static_params = ["overflow={None: overflow=#cuda_tile.overflow<none>}"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn subi_wrap<E: ElementType, const S: [i32; N], O: overflow::Mode>(
        lhs: Tile<E, S>,
        rhs: Tile<E, S>,
        overflow: O,
    ) -> Tile<E, S> {
        unreachable!()
    }

    /// Wrapping `*` for the integer types whose operator cuTile Rust refuses (`i16`, `u16`): `muli_wrap(x, y, overflow::None)`.
    #[cuda_tile::op(name = "cuda_tile.muli", params = ["lhs", "rhs"], static_params = ["overflow={None: overflow=#cuda_tile.overflow<none>}"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn muli_wrap<E: ElementType, const S: [i32; N], O: overflow::Mode>(
        lhs: Tile<E, S>,
        rhs: Tile<E, S>,
        overflow: O,
    ) -> Tile<E, S> {
        unreachable!()
    }

    /// Wrapping `<<` for the integer types whose operator cuTile Rust refuses (`i16`, `u16`): `shli_wrap(x, y, overflow::None)`.
    #[cuda_tile::op(name = "cuda_tile.shli", params = ["lhs", "rhs"], static_params = ["overflow={None: overflow=#cuda_tile.overflow<none>}"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn shli_wrap<E: ElementType, const S: [i32; N], O: overflow::Mode>(
        lhs: Tile<E, S>,
        rhs: Tile<E, S>,
        overflow: O,
    ) -> Tile<E, S> {
        unreachable!()
    }

    /// `ct.cumsum(x, 0)`: a running sum along axis 0, for any `E` (core's `scan_sum` wants an identity of type `E`). Whatever `dim` says, cuTile Rust
    /// 0.5 scans along axis 0.
    #[cuda_tile::op(name = "cuda_tile.scan", params = ["operand"])]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn cumsum<E: ElementType, const S: [i32; N], R: reverse::Mode>(
        operand: Tile<E, S>,
        dim: i32,
        reverse: R,
    ) -> Tile<E, S> {
        unreachable!()
    }

    /// An array's strides as the compiler keeps them, to be handed on: to `strides_2d` for the numbers, to `make_tensor_view` for another array with
    /// the same strides. Bind it without a type: `let strides = raw_strides(a);` (its type has -1 where a stride is only known at launch,
    /// and `dims` has just those).
    #[cuda_tile::variadic_op(N = 6)]
    #[cuda_tile::compiler_op(name = "return_type_meta_field", type_meta_field = "strides")]
    pub fn raw_strides<'s, E: ElementType, const S: [i32; N]>(
        array: &Tensor<E, S>,
    ) -> Array<'s, S> {
        unreachable!()
    }

    // ---- Integers as Python means them --------------------------------------------------------------------------------------------------

    /// `a // b` on scalars: rounds towards minus infinity (Rust's `/` truncates).
    pub fn floor_div(a: i32, b: i32) -> i32 {
        let left: Tile<i32, { [] }> = scalar_to_tile(a);
        let right: Tile<i32, { [] }> = scalar_to_tile(b);
        let quotient: Tile<i32, { [] }> = divi(left, right, rounding::NegativeInf);
        tile_to_scalar(quotient)
    }

    /// `a % b` on scalars: the result has the sign of `b` (Rust's `%` has that of `a`).
    pub fn floor_mod(a: i32, b: i32) -> i32 {
        let left: Tile<i32, { [] }> = scalar_to_tile(a);
        let right: Tile<i32, { [] }> = scalar_to_tile(b);
        let remainder: Tile<i32, { [] }> = floor_mod_tile(left, right);
        tile_to_scalar(remainder)
    }

    /// `-a` on a scalar.
    pub fn negate(a: i32) -> i32 {
        let value: Tile<i32, { [] }> = scalar_to_tile(a);
        let negated: Tile<i32, { [] }> = negi(value, overflow::None);
        tile_to_scalar(negated)
    }

    /// The same number, of which the compiler knows nothing. A loop to a bound that it knows would get an `assume` on its index that Python's
    /// loop has not: `for i in 0i32..opaque(N)`.
    pub fn opaque(a: i32) -> i32 {
        let value: Tile<i32, { [] }> = scalar_to_tile(a);
        let one: Tile<i32, { [1] }> = reshape(value, shape![1]);
        let value: Tile<i32, { [] }> = reshape(one, shape![]);
        tile_to_scalar(value)
    }

    /// `x // y` on tiles of signed integers.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn floor_div_tile<E: ElementType, const S: [i32; N]>(
        x: Tile<E, S>,
        y: Tile<E, S>,
    ) -> Tile<E, S> {
        let quotient: Tile<E, S> = divi(x, y, rounding::NegativeInf);
        quotient
    }

    /// `ct.cdiv(x, y)` on tiles of integers: rounds up.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn ceil_div_tile<E: ElementType, const S: [i32; N]>(
        x: Tile<E, S>,
        y: Tile<E, S>,
    ) -> Tile<E, S> {
        let quotient: Tile<E, S> = divi(x, y, rounding::PositiveInf);
        quotient
    }

    /// `x % y` on tiles of integers: the result has the sign of `y`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn floor_mod_tile<E: ElementType, const S: [i32; N]>(
        x: Tile<E, S>,
        y: Tile<E, S>,
    ) -> Tile<E, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let remainder: Tile<E, S> = remi(x, y);
        let zero: Tile<E, S> = splat_int(0, shape);
        let remainder_negative: Tile<bool, S> = cmpi(remainder, zero, predicate::LessThan);
        let divisor_negative: Tile<bool, S> = cmpi(y, zero, predicate::LessThan);
        let signs_differ: Tile<bool, S> = remainder_negative ^ divisor_negative;
        let inexact: Tile<bool, S> = cmpi(remainder, zero, predicate::NotEqual);
        let fix: Tile<bool, S> = signs_differ & inexact;
        let fixed: Tile<E, S> = remainder + y;
        let result: Tile<E, S> = select(fix, fixed, remainder);
        result
    }

    // ---- From scalars and 0-d tiles to tiles --------------------------------------------------------------------------------------------

    /// A 0-d tile, broadcast.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn expand<E: ElementType, const S: [i32; N]>(
        value: Tile<E, { [] }>,
        shape: Shape<S>,
    ) -> Tile<E, S> {
        let ones_shape: Shape<{ [1; N] }> = Shape::<{ [1; N] }> { dims: &[1i32; N] };
        let ones: Tile<E, { [1; N] }> = reshape(value, ones_shape);
        let result: Tile<E, S> = broadcast(ones, shape);
        result
    }

    /// A scalar index as `gather_*` and `scatter_*` want it: sign-extended to 64 bits, then broadcast.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn index<const S: [i32; N]>(value: i32, shape: Shape<S>) -> Tile<u64, S> {
        let narrow: Tile<i32, { [] }> = scalar_to_tile(value);
        let wide: Tile<u64, { [] }> = exti(narrow);
        let result: Tile<u64, S> = expand(wide, shape);
        result
    }

    /// A tile filled with the float whose bits are given: a float constant passed as a `const X: i32`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_bits<const S: [i32; N]>(bits: i32, shape: Shape<S>) -> Tile<f32, S> {
        let bits: Tile<i32, { [] }> = scalar_to_tile(bits);
        let value: Tile<f32, { [] }> = bitcast(bits);
        let result: Tile<f32, S> = expand(value, shape);
        result
    }

    /// A tile filled with the double whose two halves are given, the low one first.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn splat_double_bits<const S: [i32; N]>(
        low: i32,
        high: i32,
        shape: Shape<S>,
    ) -> Tile<f64, S> {
        let low: Tile<i32, { [] }> = scalar_to_tile(low);
        let low: Tile<u32, { [] }> = bitcast(low);
        let low: Tile<u64, { [] }> = exti(low);
        let high: Tile<i32, { [] }> = scalar_to_tile(high);
        let high: Tile<u64, { [] }> = exti(high);
        let width: Tile<u64, { [] }> = splat_int(32, shape![]);
        let bits: Tile<u64, { [] }> = high << width;
        let bits: Tile<u64, { [] }> = bits | low;
        let value: Tile<f64, { [] }> = bitcast(bits);
        let result: Tile<f64, S> = expand(value, shape);
        result
    }

    // ---- Elements of an array -----------------------------------------------------------------------------------------------------------
    // As `ct.gather` and `ct.scatter` address them: indices are 64 bits wide, sign-extended, compared unsigned (so that a negative one is out
    // of bounds).

    /// A scalar extent or stride, widened to 64 bits and broadcast.
    #[doc(hidden)]
    #[cuda_tile::variadic_op(N = 6)]
    pub fn widen<const S: [i32; N]>(value: i32, shape: Shape<S>) -> Tile<u64, S> {
        let narrow: Tile<i32, { [] }> = scalar_to_tile(value);
        let wide: Tile<u64, { [] }> = exti(narrow);
        let result: Tile<u64, S> = expand(wide, shape);
        result
    }

    /// The address of the element at `offset` (in elements, a scalar) from the base of an array: where an `array.slice` begins.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn address<E: ElementType, const A: [i32; N]>(
        array: &Tensor<E, A>,
        offset: i32,
    ) -> PointerTile<*mut E, { [] }> {
        let narrow: Tile<i32, { [] }> = scalar_to_tile(offset);
        let wide: Tile<i64, { [] }> = exti(narrow);
        let base: PointerTile<*mut E, { [] }> = get_tensor_base(array);
        let result: PointerTile<*mut E, { [] }> = addptr_tile(base, wide);
        result
    }

    /// Pointers to the elements of an array at `offset` (in elements) from its base.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn elements<E: ElementType, const A: [i32; M], const S: [i32; N]>(
        array: &Tensor<E, A>,
        offset: Tile<u64, S>,
    ) -> PointerTile<*mut E, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let ones_shape: Shape<{ [1; N] }> = Shape::<{ [1; N] }> { dims: &[1i32; N] };
        let base: PointerTile<*mut E, { [] }> = get_tensor_base(array);
        let one: PointerTile<*mut E, { [1; N] }> = reshape_ptr(base, ones_shape);
        let all: PointerTile<*mut E, S> = broadcast_ptr(one, shape);
        let result: PointerTile<*mut E, S> = addptr_tile(all, offset);
        result
    }

    /// `array.strides` of a rank-1 array, in elements, from `raw_strides(array)`; constants where they are known.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn strides_1d<const C: [i32; N]>(raw: Array<C>) -> i32 {
        let d0: i32 = 0;
        let s0: i32 = if C[0] == -1 { raw.dims[d0] } else { C[0] };
        s0
    }

    /// Offsets of elements of a rank-1 array from its base, and whether each is in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn offsets_1d<E: ElementType, const S: [i32; N]>(
        array: &Tensor<E, { [-1] }>,
        index_0: Tile<u64, S>,
    ) -> (Tile<u64, S>, Tile<bool, S>) {
        let extents: Shape<{ [-1] }> = get_tensor_shape_meta(array);
        let raw = raw_strides(array);
        let strides: i32 = strides_1d(raw);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let extent_0: Tile<u64, S> = widen(extents[0], shape);
        let inside: Tile<bool, S> = lt_tile(index_0, extent_0);
        let stride_0: Tile<u64, S> = widen(strides, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        (offset, inside)
    }

    /// Offsets of elements of a rank-1 array from its base, in bounds or not.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn offsets_1d_unchecked<E: ElementType, const S: [i32; N]>(
        array: &Tensor<E, { [-1] }>,
        index_0: Tile<u64, S>,
    ) -> Tile<u64, S> {
        let raw = raw_strides(array);
        let strides: i32 = strides_1d(raw);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let stride_0: Tile<u64, S> = widen(strides, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        offset
    }

    /// `array.strides` of a rank-2 array, in elements, from `raw_strides(array)`; constants where they are known.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn strides_2d<const C: [i32; N]>(raw: Array<C>) -> (i32, i32) {
        let d0: i32 = 0;
        let d1: i32 = if C[0] == -1 { d0 + 1 } else { d0 };
        let s0: i32 = if C[0] == -1 { raw.dims[d0] } else { C[0] };
        let s1: i32 = if C[1] == -1 { raw.dims[d1] } else { C[1] };
        (s0, s1)
    }

    /// Offsets of elements of a rank-2 array from its base, and whether each is in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn offsets_2d<E: ElementType, const S: [i32; N]>(
        array: &Tensor<E, { [-1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
    ) -> (Tile<u64, S>, Tile<bool, S>) {
        let extents: Shape<{ [-1, -1] }> = get_tensor_shape_meta(array);
        let raw = raw_strides(array);
        let strides: (i32, i32) = strides_2d(raw);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let extent_0: Tile<u64, S> = widen(extents[0], shape);
        let inside: Tile<bool, S> = lt_tile(index_0, extent_0);
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let extent_1: Tile<u64, S> = widen(extents[1], shape);
        let inside_1: Tile<bool, S> = lt_tile(index_1, extent_1);
        let inside: Tile<bool, S> = inside & inside_1;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        (offset, inside)
    }

    /// Offsets of elements of a rank-2 array from its base, in bounds or not.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn offsets_2d_unchecked<E: ElementType, const S: [i32; N]>(
        array: &Tensor<E, { [-1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
    ) -> Tile<u64, S> {
        let raw = raw_strides(array);
        let strides: (i32, i32) = strides_2d(raw);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        offset
    }

    /// `array.strides` of a rank-3 array, in elements, from `raw_strides(array)`; constants where they are known.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn strides_3d<const C: [i32; N]>(raw: Array<C>) -> (i32, i32, i32) {
        let d0: i32 = 0;
        let d1: i32 = if C[0] == -1 { d0 + 1 } else { d0 };
        let d2: i32 = if C[1] == -1 { d1 + 1 } else { d1 };
        let s0: i32 = if C[0] == -1 { raw.dims[d0] } else { C[0] };
        let s1: i32 = if C[1] == -1 { raw.dims[d1] } else { C[1] };
        let s2: i32 = if C[2] == -1 { raw.dims[d2] } else { C[2] };
        (s0, s1, s2)
    }

    /// Offsets of elements of a rank-3 array from its base, and whether each is in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn offsets_3d<E: ElementType, const S: [i32; N]>(
        array: &Tensor<E, { [-1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
    ) -> (Tile<u64, S>, Tile<bool, S>) {
        let extents: Shape<{ [-1, -1, -1] }> = get_tensor_shape_meta(array);
        let raw = raw_strides(array);
        let strides: (i32, i32, i32) = strides_3d(raw);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let extent_0: Tile<u64, S> = widen(extents[0], shape);
        let inside: Tile<bool, S> = lt_tile(index_0, extent_0);
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let extent_1: Tile<u64, S> = widen(extents[1], shape);
        let inside_1: Tile<bool, S> = lt_tile(index_1, extent_1);
        let inside: Tile<bool, S> = inside & inside_1;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        let extent_2: Tile<u64, S> = widen(extents[2], shape);
        let inside_2: Tile<bool, S> = lt_tile(index_2, extent_2);
        let inside: Tile<bool, S> = inside & inside_2;
        let stride_2: Tile<u64, S> = widen(strides.2, shape);
        let offset_2: Tile<u64, S> = index_2 * stride_2;
        let offset: Tile<u64, S> = offset + offset_2;
        (offset, inside)
    }

    /// Offsets of elements of a rank-3 array from its base, in bounds or not.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn offsets_3d_unchecked<E: ElementType, const S: [i32; N]>(
        array: &Tensor<E, { [-1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
    ) -> Tile<u64, S> {
        let raw = raw_strides(array);
        let strides: (i32, i32, i32) = strides_3d(raw);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        let stride_2: Tile<u64, S> = widen(strides.2, shape);
        let offset_2: Tile<u64, S> = index_2 * stride_2;
        let offset: Tile<u64, S> = offset + offset_2;
        offset
    }

    /// `array.strides` of a rank-4 array, in elements, from `raw_strides(array)`; constants where they are known.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn strides_4d<const C: [i32; N]>(raw: Array<C>) -> (i32, i32, i32, i32) {
        let d0: i32 = 0;
        let d1: i32 = if C[0] == -1 { d0 + 1 } else { d0 };
        let d2: i32 = if C[1] == -1 { d1 + 1 } else { d1 };
        let d3: i32 = if C[2] == -1 { d2 + 1 } else { d2 };
        let s0: i32 = if C[0] == -1 { raw.dims[d0] } else { C[0] };
        let s1: i32 = if C[1] == -1 { raw.dims[d1] } else { C[1] };
        let s2: i32 = if C[2] == -1 { raw.dims[d2] } else { C[2] };
        let s3: i32 = if C[3] == -1 { raw.dims[d3] } else { C[3] };
        (s0, s1, s2, s3)
    }

    /// Offsets of elements of a rank-4 array from its base, and whether each is in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn offsets_4d<E: ElementType, const S: [i32; N]>(
        array: &Tensor<E, { [-1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
    ) -> (Tile<u64, S>, Tile<bool, S>) {
        let extents: Shape<{ [-1, -1, -1, -1] }> = get_tensor_shape_meta(array);
        let raw = raw_strides(array);
        let strides: (i32, i32, i32, i32) = strides_4d(raw);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let extent_0: Tile<u64, S> = widen(extents[0], shape);
        let inside: Tile<bool, S> = lt_tile(index_0, extent_0);
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let extent_1: Tile<u64, S> = widen(extents[1], shape);
        let inside_1: Tile<bool, S> = lt_tile(index_1, extent_1);
        let inside: Tile<bool, S> = inside & inside_1;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        let extent_2: Tile<u64, S> = widen(extents[2], shape);
        let inside_2: Tile<bool, S> = lt_tile(index_2, extent_2);
        let inside: Tile<bool, S> = inside & inside_2;
        let stride_2: Tile<u64, S> = widen(strides.2, shape);
        let offset_2: Tile<u64, S> = index_2 * stride_2;
        let offset: Tile<u64, S> = offset + offset_2;
        let extent_3: Tile<u64, S> = widen(extents[3], shape);
        let inside_3: Tile<bool, S> = lt_tile(index_3, extent_3);
        let inside: Tile<bool, S> = inside & inside_3;
        let stride_3: Tile<u64, S> = widen(strides.3, shape);
        let offset_3: Tile<u64, S> = index_3 * stride_3;
        let offset: Tile<u64, S> = offset + offset_3;
        (offset, inside)
    }

    /// Offsets of elements of a rank-4 array from its base, in bounds or not.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn offsets_4d_unchecked<E: ElementType, const S: [i32; N]>(
        array: &Tensor<E, { [-1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
    ) -> Tile<u64, S> {
        let raw = raw_strides(array);
        let strides: (i32, i32, i32, i32) = strides_4d(raw);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        let stride_2: Tile<u64, S> = widen(strides.2, shape);
        let offset_2: Tile<u64, S> = index_2 * stride_2;
        let offset: Tile<u64, S> = offset + offset_2;
        let stride_3: Tile<u64, S> = widen(strides.3, shape);
        let offset_3: Tile<u64, S> = index_3 * stride_3;
        let offset: Tile<u64, S> = offset + offset_3;
        offset
    }

    /// `array.strides` of a rank-5 array, in elements, from `raw_strides(array)`; constants where they are known.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn strides_5d<const C: [i32; N]>(raw: Array<C>) -> (i32, i32, i32, i32, i32) {
        let d0: i32 = 0;
        let d1: i32 = if C[0] == -1 { d0 + 1 } else { d0 };
        let d2: i32 = if C[1] == -1 { d1 + 1 } else { d1 };
        let d3: i32 = if C[2] == -1 { d2 + 1 } else { d2 };
        let d4: i32 = if C[3] == -1 { d3 + 1 } else { d3 };
        let s0: i32 = if C[0] == -1 { raw.dims[d0] } else { C[0] };
        let s1: i32 = if C[1] == -1 { raw.dims[d1] } else { C[1] };
        let s2: i32 = if C[2] == -1 { raw.dims[d2] } else { C[2] };
        let s3: i32 = if C[3] == -1 { raw.dims[d3] } else { C[3] };
        let s4: i32 = if C[4] == -1 { raw.dims[d4] } else { C[4] };
        (s0, s1, s2, s3, s4)
    }

    /// Offsets of elements of a rank-5 array from its base, and whether each is in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn offsets_5d<E: ElementType, const S: [i32; N]>(
        array: &Tensor<E, { [-1, -1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
    ) -> (Tile<u64, S>, Tile<bool, S>) {
        let extents: Shape<{ [-1, -1, -1, -1, -1] }> = get_tensor_shape_meta(array);
        let raw = raw_strides(array);
        let strides: (i32, i32, i32, i32, i32) = strides_5d(raw);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let extent_0: Tile<u64, S> = widen(extents[0], shape);
        let inside: Tile<bool, S> = lt_tile(index_0, extent_0);
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let extent_1: Tile<u64, S> = widen(extents[1], shape);
        let inside_1: Tile<bool, S> = lt_tile(index_1, extent_1);
        let inside: Tile<bool, S> = inside & inside_1;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        let extent_2: Tile<u64, S> = widen(extents[2], shape);
        let inside_2: Tile<bool, S> = lt_tile(index_2, extent_2);
        let inside: Tile<bool, S> = inside & inside_2;
        let stride_2: Tile<u64, S> = widen(strides.2, shape);
        let offset_2: Tile<u64, S> = index_2 * stride_2;
        let offset: Tile<u64, S> = offset + offset_2;
        let extent_3: Tile<u64, S> = widen(extents[3], shape);
        let inside_3: Tile<bool, S> = lt_tile(index_3, extent_3);
        let inside: Tile<bool, S> = inside & inside_3;
        let stride_3: Tile<u64, S> = widen(strides.3, shape);
        let offset_3: Tile<u64, S> = index_3 * stride_3;
        let offset: Tile<u64, S> = offset + offset_3;
        let extent_4: Tile<u64, S> = widen(extents[4], shape);
        let inside_4: Tile<bool, S> = lt_tile(index_4, extent_4);
        let inside: Tile<bool, S> = inside & inside_4;
        let stride_4: Tile<u64, S> = widen(strides.4, shape);
        let offset_4: Tile<u64, S> = index_4 * stride_4;
        let offset: Tile<u64, S> = offset + offset_4;
        (offset, inside)
    }

    /// Offsets of elements of a rank-5 array from its base, in bounds or not.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn offsets_5d_unchecked<E: ElementType, const S: [i32; N]>(
        array: &Tensor<E, { [-1, -1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
    ) -> Tile<u64, S> {
        let raw = raw_strides(array);
        let strides: (i32, i32, i32, i32, i32) = strides_5d(raw);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        let stride_2: Tile<u64, S> = widen(strides.2, shape);
        let offset_2: Tile<u64, S> = index_2 * stride_2;
        let offset: Tile<u64, S> = offset + offset_2;
        let stride_3: Tile<u64, S> = widen(strides.3, shape);
        let offset_3: Tile<u64, S> = index_3 * stride_3;
        let offset: Tile<u64, S> = offset + offset_3;
        let stride_4: Tile<u64, S> = widen(strides.4, shape);
        let offset_4: Tile<u64, S> = index_4 * stride_4;
        let offset: Tile<u64, S> = offset + offset_4;
        offset
    }

    // ---- Gather and scatter -------------------------------------------------------------------------------------------------------------
    // `latency` is a hint from 1 to 10: `const_array![3]`; `const_array![0]` gives none.

    /// `ct.gather` from a rank-1 array: `padding` where an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_1d<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1] }>,
        index_0: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) = offsets_1d(array, index_0);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_1d`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_1d_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1] }>,
        index_0: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) = offsets_1d(array, index_0);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather` from a rank-1 array with `mask=`: `padding` where it is false or an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_1d_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1] }>,
        index_0: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) = offsets_1d(array, index_0);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_1d_masked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_1d_masked_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1] }>,
        index_0: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) = offsets_1d(array, index_0);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather(.., check_bounds=False)` from a rank-1 array.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_1d_unchecked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1] }>,
        index_0: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let offset: Tile<u64, S> = offsets_1d_unchecked(array, index_0);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_1d_unchecked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_1d_unchecked_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1] }>,
        index_0: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let offset: Tile<u64, S> = offsets_1d_unchecked(array, index_0);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather(.., check_bounds=False)` from a rank-1 array with `mask=`: `padding` where it is false.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_1d_unchecked_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1] }>,
        index_0: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let offset: Tile<u64, S> = offsets_1d_unchecked(array, index_0);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_1d_unchecked_masked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_1d_unchecked_masked_token<
        E: ElementType,
        const S: [i32; N],
        const L: i32,
    >(
        array: &Tensor<E, { [-1] }>,
        index_0: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let offset: Tile<u64, S> = offsets_1d_unchecked(array, index_0);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter` to a rank-1 array: nothing is written where an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn scatter_1d<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1] }>,
        index_0: Tile<u64, S>,
        value: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) = offsets_1d(array, index_0);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter` to a rank-1 array with `mask=`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn scatter_1d_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1] }>,
        index_0: Tile<u64, S>,
        value: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) = offsets_1d(array, index_0);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter(.., check_bounds=False)` to a rank-1 array.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn scatter_1d_unchecked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1] }>,
        index_0: Tile<u64, S>,
        value: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let offset: Tile<u64, S> = offsets_1d_unchecked(array, index_0);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter(.., check_bounds=False)` to a rank-1 array with `mask=`.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn scatter_1d_unchecked_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1] }>,
        index_0: Tile<u64, S>,
        value: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let offset: Tile<u64, S> = offsets_1d_unchecked(array, index_0);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather` from a rank-2 array: `padding` where an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_2d<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) = offsets_2d(array, index_0, index_1);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_2d`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_2d_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) = offsets_2d(array, index_0, index_1);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather` from a rank-2 array with `mask=`: `padding` where it is false or an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_2d_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) = offsets_2d(array, index_0, index_1);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_2d_masked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_2d_masked_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) = offsets_2d(array, index_0, index_1);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather(.., check_bounds=False)` from a rank-2 array.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_2d_unchecked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let offset: Tile<u64, S> = offsets_2d_unchecked(array, index_0, index_1);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_2d_unchecked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_2d_unchecked_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let offset: Tile<u64, S> = offsets_2d_unchecked(array, index_0, index_1);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather(.., check_bounds=False)` from a rank-2 array with `mask=`: `padding` where it is false.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_2d_unchecked_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let offset: Tile<u64, S> = offsets_2d_unchecked(array, index_0, index_1);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_2d_unchecked_masked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_2d_unchecked_masked_token<
        E: ElementType,
        const S: [i32; N],
        const L: i32,
    >(
        array: &Tensor<E, { [-1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let offset: Tile<u64, S> = offsets_2d_unchecked(array, index_0, index_1);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter` to a rank-2 array: nothing is written where an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn scatter_2d<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        value: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) = offsets_2d(array, index_0, index_1);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter` to a rank-2 array with `mask=`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn scatter_2d_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        value: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) = offsets_2d(array, index_0, index_1);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter(.., check_bounds=False)` to a rank-2 array.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn scatter_2d_unchecked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        value: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let offset: Tile<u64, S> = offsets_2d_unchecked(array, index_0, index_1);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter(.., check_bounds=False)` to a rank-2 array with `mask=`.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn scatter_2d_unchecked_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        value: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let offset: Tile<u64, S> = offsets_2d_unchecked(array, index_0, index_1);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather` from a rank-3 array: `padding` where an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_3d<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_3d(array, index_0, index_1, index_2);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_3d`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_3d_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_3d(array, index_0, index_1, index_2);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather` from a rank-3 array with `mask=`: `padding` where it is false or an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_3d_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_3d(array, index_0, index_1, index_2);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_3d_masked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_3d_masked_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_3d(array, index_0, index_1, index_2);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather(.., check_bounds=False)` from a rank-3 array.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_3d_unchecked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let offset: Tile<u64, S> = offsets_3d_unchecked(array, index_0, index_1, index_2);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_3d_unchecked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_3d_unchecked_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let offset: Tile<u64, S> = offsets_3d_unchecked(array, index_0, index_1, index_2);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather(.., check_bounds=False)` from a rank-3 array with `mask=`: `padding` where it is false.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_3d_unchecked_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let offset: Tile<u64, S> = offsets_3d_unchecked(array, index_0, index_1, index_2);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_3d_unchecked_masked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_3d_unchecked_masked_token<
        E: ElementType,
        const S: [i32; N],
        const L: i32,
    >(
        array: &Tensor<E, { [-1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let offset: Tile<u64, S> = offsets_3d_unchecked(array, index_0, index_1, index_2);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter` to a rank-3 array: nothing is written where an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn scatter_3d<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        value: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_3d(array, index_0, index_1, index_2);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter` to a rank-3 array with `mask=`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn scatter_3d_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        value: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_3d(array, index_0, index_1, index_2);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter(.., check_bounds=False)` to a rank-3 array.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn scatter_3d_unchecked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        value: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let offset: Tile<u64, S> = offsets_3d_unchecked(array, index_0, index_1, index_2);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter(.., check_bounds=False)` to a rank-3 array with `mask=`.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn scatter_3d_unchecked_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        value: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let offset: Tile<u64, S> = offsets_3d_unchecked(array, index_0, index_1, index_2);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather` from a rank-4 array: `padding` where an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_4d<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_4d(array, index_0, index_1, index_2, index_3);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_4d`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_4d_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_4d(array, index_0, index_1, index_2, index_3);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather` from a rank-4 array with `mask=`: `padding` where it is false or an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_4d_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_4d(array, index_0, index_1, index_2, index_3);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_4d_masked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_4d_masked_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_4d(array, index_0, index_1, index_2, index_3);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather(.., check_bounds=False)` from a rank-4 array.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_4d_unchecked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let offset: Tile<u64, S> = offsets_4d_unchecked(array, index_0, index_1, index_2, index_3);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_4d_unchecked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_4d_unchecked_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let offset: Tile<u64, S> = offsets_4d_unchecked(array, index_0, index_1, index_2, index_3);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather(.., check_bounds=False)` from a rank-4 array with `mask=`: `padding` where it is false.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_4d_unchecked_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let offset: Tile<u64, S> = offsets_4d_unchecked(array, index_0, index_1, index_2, index_3);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_4d_unchecked_masked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_4d_unchecked_masked_token<
        E: ElementType,
        const S: [i32; N],
        const L: i32,
    >(
        array: &Tensor<E, { [-1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let offset: Tile<u64, S> = offsets_4d_unchecked(array, index_0, index_1, index_2, index_3);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter` to a rank-4 array: nothing is written where an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn scatter_4d<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        value: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_4d(array, index_0, index_1, index_2, index_3);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter` to a rank-4 array with `mask=`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn scatter_4d_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        value: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_4d(array, index_0, index_1, index_2, index_3);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter(.., check_bounds=False)` to a rank-4 array.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn scatter_4d_unchecked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        value: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let offset: Tile<u64, S> = offsets_4d_unchecked(array, index_0, index_1, index_2, index_3);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter(.., check_bounds=False)` to a rank-4 array with `mask=`.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn scatter_4d_unchecked_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        value: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let offset: Tile<u64, S> = offsets_4d_unchecked(array, index_0, index_1, index_2, index_3);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather` from a rank-5 array: `padding` where an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_5d<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_5d(array, index_0, index_1, index_2, index_3, index_4);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_5d`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_5d_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_5d(array, index_0, index_1, index_2, index_3, index_4);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather` from a rank-5 array with `mask=`: `padding` where it is false or an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_5d_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_5d(array, index_0, index_1, index_2, index_3, index_4);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_5d_masked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn gather_5d_masked_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_5d(array, index_0, index_1, index_2, index_3, index_4);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather(.., check_bounds=False)` from a rank-5 array.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_5d_unchecked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let offset: Tile<u64, S> =
            offsets_5d_unchecked(array, index_0, index_1, index_2, index_3, index_4);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_5d_unchecked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_5d_unchecked_token<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
        padding: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let offset: Tile<u64, S> =
            offsets_5d_unchecked(array, index_0, index_1, index_2, index_3, index_4);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.gather(.., check_bounds=False)` from a rank-5 array with `mask=`: `padding` where it is false.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_5d_unchecked_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let offset: Tile<u64, S> =
            offsets_5d_unchecked(array, index_0, index_1, index_2, index_3, index_4);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result.0
    }

    /// [`gather_5d_unchecked_masked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn gather_5d_unchecked_masked_token<
        E: ElementType,
        const S: [i32; N],
        const L: i32,
    >(
        array: &Tensor<E, { [-1, -1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
        padding: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let offset: Tile<u64, S> =
            offsets_5d_unchecked(array, index_0, index_1, index_2, index_3, index_4);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: (Tile<E, S>, Token) = unsafe {
            load_ptr_tko(
                elements,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(padding),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter` to a rank-5 array: nothing is written where an index is out of bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn scatter_5d<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
        value: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_5d(array, index_0, index_1, index_2, index_3, index_4);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: only elements in bounds are touched.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(inside),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter` to a rank-5 array with `mask=`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn scatter_5d_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
        value: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let (offset, inside): (Tile<u64, S>, Tile<bool, S>) =
            offsets_5d(array, index_0, index_1, index_2, index_3, index_4);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        let allowed: Tile<bool, S> = inside & mask;
        // SAFETY: only elements in bounds are touched.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(allowed),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter(.., check_bounds=False)` to a rank-5 array.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn scatter_5d_unchecked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
        value: Tile<E, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let offset: Tile<u64, S> =
            offsets_5d_unchecked(array, index_0, index_1, index_2, index_3, index_4);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                None,
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    /// `ct.scatter(.., check_bounds=False)` to a rank-5 array with `mask=`.
    ///
    /// # Safety
    ///
    /// Every index must be in bounds where the mask is true.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn scatter_5d_unchecked_masked<E: ElementType, const S: [i32; N], const L: i32>(
        array: &Tensor<E, { [-1, -1, -1, -1, -1] }>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
        value: Tile<E, S>,
        mask: Tile<bool, S>,
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        let offset: Tile<u64, S> =
            offsets_5d_unchecked(array, index_0, index_1, index_2, index_3, index_4);
        let elements: PointerTile<*mut E, S> = elements(array, offset);
        // SAFETY: the caller vouches for the indices.
        let result: Token = unsafe {
            store_ptr_tko(
                elements,
                value,
                ordering::Weak,
                None::<scope::TileBlock>,
                Some(mask),
                Some(token),
                Latency::<L>,
            )
        };
        result
    }

    // ---- Tiled views of an array --------------------------------------------------------------------------------------------------------
    // What `ct.load` and `ct.store` make of an array first. A store takes `view_undetermined`, as does a load without `padding_mode`.

    /// The array cut into tiles of `shape`; `PaddingMode.UNDETERMINED` where a tile overhangs.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn view_undetermined<'a, E: ElementType, const A: [i32; N], const S: [i32; N]>(
        array: &'a Tensor<E, A>,
        shape: Shape<S>,
    ) -> Partition<'a, E, S> {
        let token: Token = get_tensor_token(array);
        // SAFETY: a view touches no memory; what loads and stores through it states its order.
        let view: Partition<E, S> =
            unsafe { make_partition_view(array, shape, padding::None, dim_map::Identity, token) };
        view
    }

    /// [`view_undetermined`] with `order=`: `view_undetermined_ordered(a, shape![M, N], const_array![1, 0])`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn view_undetermined_ordered<
        'a,
        E: ElementType,
        const A: [i32; N],
        const S: [i32; N],
        const I: [i32; N],
    >(
        array: &'a Tensor<E, A>,
        shape: Shape<S>,
        order: Array<I>,
    ) -> Partition<'a, E, S> {
        let token: Token = get_tensor_token(array);
        // SAFETY: a view touches no memory; what loads and stores through it states its order.
        let view: Partition<E, S> =
            unsafe { make_partition_view(array, shape, padding::None, order, token) };
        view
    }

    /// The array cut into tiles of `shape`; `PaddingMode.ZERO` where a tile overhangs.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn view_zero<'a, E: ElementType, const A: [i32; N], const S: [i32; N]>(
        array: &'a Tensor<E, A>,
        shape: Shape<S>,
    ) -> Partition<'a, E, S> {
        let token: Token = get_tensor_token(array);
        // SAFETY: a view touches no memory; what loads and stores through it states its order.
        let view: Partition<E, S> =
            unsafe { make_partition_view(array, shape, padding::Zero, dim_map::Identity, token) };
        view
    }

    /// [`view_zero`] with `order=`: `view_zero_ordered(a, shape![M, N], const_array![1, 0])`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn view_zero_ordered<
        'a,
        E: ElementType,
        const A: [i32; N],
        const S: [i32; N],
        const I: [i32; N],
    >(
        array: &'a Tensor<E, A>,
        shape: Shape<S>,
        order: Array<I>,
    ) -> Partition<'a, E, S> {
        let token: Token = get_tensor_token(array);
        // SAFETY: a view touches no memory; what loads and stores through it states its order.
        let view: Partition<E, S> =
            unsafe { make_partition_view(array, shape, padding::Zero, order, token) };
        view
    }

    /// The array cut into tiles of `shape`; `PaddingMode.NEG_ZERO` where a tile overhangs.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn view_neg_zero<'a, E: ElementType, const A: [i32; N], const S: [i32; N]>(
        array: &'a Tensor<E, A>,
        shape: Shape<S>,
    ) -> Partition<'a, E, S> {
        let token: Token = get_tensor_token(array);
        // SAFETY: a view touches no memory; what loads and stores through it states its order.
        let view: Partition<E, S> = unsafe {
            make_partition_view(array, shape, padding::NegZero, dim_map::Identity, token)
        };
        view
    }

    /// [`view_neg_zero`] with `order=`: `view_neg_zero_ordered(a, shape![M, N], const_array![1, 0])`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn view_neg_zero_ordered<
        'a,
        E: ElementType,
        const A: [i32; N],
        const S: [i32; N],
        const I: [i32; N],
    >(
        array: &'a Tensor<E, A>,
        shape: Shape<S>,
        order: Array<I>,
    ) -> Partition<'a, E, S> {
        let token: Token = get_tensor_token(array);
        // SAFETY: a view touches no memory; what loads and stores through it states its order.
        let view: Partition<E, S> =
            unsafe { make_partition_view(array, shape, padding::NegZero, order, token) };
        view
    }

    /// The array cut into tiles of `shape`; `PaddingMode.NAN` where a tile overhangs.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn view_nan<'a, E: ElementType, const A: [i32; N], const S: [i32; N]>(
        array: &'a Tensor<E, A>,
        shape: Shape<S>,
    ) -> Partition<'a, E, S> {
        let token: Token = get_tensor_token(array);
        // SAFETY: a view touches no memory; what loads and stores through it states its order.
        let view: Partition<E, S> =
            unsafe { make_partition_view(array, shape, padding::Nan, dim_map::Identity, token) };
        view
    }

    /// [`view_nan`] with `order=`: `view_nan_ordered(a, shape![M, N], const_array![1, 0])`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn view_nan_ordered<
        'a,
        E: ElementType,
        const A: [i32; N],
        const S: [i32; N],
        const I: [i32; N],
    >(
        array: &'a Tensor<E, A>,
        shape: Shape<S>,
        order: Array<I>,
    ) -> Partition<'a, E, S> {
        let token: Token = get_tensor_token(array);
        // SAFETY: a view touches no memory; what loads and stores through it states its order.
        let view: Partition<E, S> =
            unsafe { make_partition_view(array, shape, padding::Nan, order, token) };
        view
    }

    /// The array cut into tiles of `shape`; `PaddingMode.POS_INF` where a tile overhangs.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn view_pos_inf<'a, E: ElementType, const A: [i32; N], const S: [i32; N]>(
        array: &'a Tensor<E, A>,
        shape: Shape<S>,
    ) -> Partition<'a, E, S> {
        let token: Token = get_tensor_token(array);
        // SAFETY: a view touches no memory; what loads and stores through it states its order.
        let view: Partition<E, S> =
            unsafe { make_partition_view(array, shape, padding::PosInf, dim_map::Identity, token) };
        view
    }

    /// [`view_pos_inf`] with `order=`: `view_pos_inf_ordered(a, shape![M, N], const_array![1, 0])`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn view_pos_inf_ordered<
        'a,
        E: ElementType,
        const A: [i32; N],
        const S: [i32; N],
        const I: [i32; N],
    >(
        array: &'a Tensor<E, A>,
        shape: Shape<S>,
        order: Array<I>,
    ) -> Partition<'a, E, S> {
        let token: Token = get_tensor_token(array);
        // SAFETY: a view touches no memory; what loads and stores through it states its order.
        let view: Partition<E, S> =
            unsafe { make_partition_view(array, shape, padding::PosInf, order, token) };
        view
    }

    /// The array cut into tiles of `shape`; `PaddingMode.NEG_INF` where a tile overhangs.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn view_neg_inf<'a, E: ElementType, const A: [i32; N], const S: [i32; N]>(
        array: &'a Tensor<E, A>,
        shape: Shape<S>,
    ) -> Partition<'a, E, S> {
        let token: Token = get_tensor_token(array);
        // SAFETY: a view touches no memory; what loads and stores through it states its order.
        let view: Partition<E, S> =
            unsafe { make_partition_view(array, shape, padding::NegInf, dim_map::Identity, token) };
        view
    }

    /// [`view_neg_inf`] with `order=`: `view_neg_inf_ordered(a, shape![M, N], const_array![1, 0])`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn view_neg_inf_ordered<
        'a,
        E: ElementType,
        const A: [i32; N],
        const S: [i32; N],
        const I: [i32; N],
    >(
        array: &'a Tensor<E, A>,
        shape: Shape<S>,
        order: Array<I>,
    ) -> Partition<'a, E, S> {
        let token: Token = get_tensor_token(array);
        // SAFETY: a view touches no memory; what loads and stores through it states its order.
        let view: Partition<E, S> =
            unsafe { make_partition_view(array, shape, padding::NegInf, order, token) };
        view
    }

    #[doc(hidden)]
    #[cuda_tile::op(name = "cuda_tile.load_view_tko")]
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn load_tile_op<
        E: ElementType,
        const S: [i32; N],
        V,
        O: ordering::LoadMode,
        Sc: scope::Mode,
        T: tma::Mode,
    >(
        view: &V,
        index: [i32; N],
        token: Option<Token>,
        memory_ordering: O,
        memory_scope: Sc,
        tma: T,
        latency: Option<i32>,
        shape: Shape<S>,
    ) -> (Tile<E, S>, Token) {
        unreachable!()
    }

    #[doc(hidden)]
    #[cuda_tile::op(name = "cuda_tile.store_view_tko")]
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn store_tile_op<
        E: ElementType,
        const S: [i32; N],
        V,
        O: ordering::StoreMode,
        Sc: scope::Mode,
        T: tma::Mode,
    >(
        view: &V,
        value: Tile<E, S>,
        index: [i32; N],
        token: Option<Token>,
        memory_ordering: O,
        memory_scope: Sc,
        tma: T,
        latency: Option<i32>,
    ) -> Token {
        unreachable!()
    }

    #[doc(hidden)]
    #[cuda_tile::op(name = "cuda_tile.load_view_tko")]
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn load_inside_op<
        E: ElementType,
        const S: [i32; N],
        V,
        O: ordering::LoadMode,
        Sc: scope::Mode,
        T: tma::Mode,
    >(
        view: &V,
        index: [i32; N],
        token: Option<Token>,
        memory_ordering: O,
        memory_scope: Sc,
        tma: T,
        latency: Option<i32>,
        inbounds: [i32; N],
        shape: Shape<S>,
    ) -> (Tile<E, S>, Token) {
        unreachable!()
    }

    #[doc(hidden)]
    #[cuda_tile::op(name = "cuda_tile.store_view_tko")]
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn store_inside_op<
        E: ElementType,
        const S: [i32; N],
        V,
        O: ordering::StoreMode,
        Sc: scope::Mode,
        T: tma::Mode,
    >(
        view: &V,
        value: Tile<E, S>,
        index: [i32; N],
        token: Option<Token>,
        memory_ordering: O,
        memory_scope: Sc,
        tma: T,
        latency: Option<i32>,
        inbounds: [i32; N],
    ) -> Token {
        unreachable!()
    }

    /// `ct.load`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn load_view<'a, E: ElementType, const S: [i32; N], const L: i32>(
        view: &Partition<'a, E, S>,
        index: [i32; N],
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        // SAFETY: an overhanging tile is padded, or not written there.
        if L > 0 {
            let hinted: (Tile<E, S>, Token) = unsafe {
                load_tile_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Enabled,
                    Some(L),
                    shape,
                )
            };
            hinted.0
        } else {
            let plain: (Tile<E, S>, Token) = unsafe {
                load_tile_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Enabled,
                    None,
                    shape,
                )
            };
            plain.0
        }
    }

    /// [`load_view`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn load_view_token<'a, E: ElementType, const S: [i32; N], const L: i32>(
        view: &Partition<'a, E, S>,
        index: [i32; N],
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        // SAFETY: an overhanging tile is padded, or not written there.
        if L > 0 {
            let hinted: (Tile<E, S>, Token) = unsafe {
                load_tile_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Enabled,
                    Some(L),
                    shape,
                )
            };
            hinted
        } else {
            let plain: (Tile<E, S>, Token) = unsafe {
                load_tile_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Enabled,
                    None,
                    shape,
                )
            };
            plain
        }
    }

    /// `ct.store`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn store_view<'a, E: ElementType, const S: [i32; N], const L: i32>(
        view: &Partition<'a, E, S>,
        value: Tile<E, S>,
        index: [i32; N],
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        // SAFETY: an overhanging tile is padded, or not written there.
        if L > 0 {
            let hinted: Token = unsafe {
                store_tile_op(
                    view,
                    value,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Enabled,
                    Some(L),
                )
            };
            hinted
        } else {
            let plain: Token = unsafe {
                store_tile_op(
                    view,
                    value,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Enabled,
                    None,
                )
            };
            plain
        }
    }

    /// `ct.load` with `check_bounds=False`.
    ///
    /// # Safety
    ///
    /// The whole tile must lie in the array.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn load_view_unchecked<'a, E: ElementType, const S: [i32; N], const L: i32>(
        view: &Partition<'a, E, S>,
        index: [i32; N],
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        // SAFETY: the caller vouches for the index; `S`, which is never 0, says so for every axis.
        if L > 0 {
            let hinted: (Tile<E, S>, Token) = unsafe {
                load_inside_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Enabled,
                    Some(L),
                    S,
                    shape,
                )
            };
            hinted.0
        } else {
            let plain: (Tile<E, S>, Token) = unsafe {
                load_inside_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Enabled,
                    None,
                    S,
                    shape,
                )
            };
            plain.0
        }
    }

    /// [`load_view_unchecked`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    ///
    /// # Safety
    ///
    /// The whole tile must lie in the array.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn load_view_unchecked_token<'a, E: ElementType, const S: [i32; N], const L: i32>(
        view: &Partition<'a, E, S>,
        index: [i32; N],
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        // SAFETY: the caller vouches for the index; `S`, which is never 0, says so for every axis.
        if L > 0 {
            let hinted: (Tile<E, S>, Token) = unsafe {
                load_inside_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Enabled,
                    Some(L),
                    S,
                    shape,
                )
            };
            hinted
        } else {
            let plain: (Tile<E, S>, Token) = unsafe {
                load_inside_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Enabled,
                    None,
                    S,
                    shape,
                )
            };
            plain
        }
    }

    /// `ct.store` with `check_bounds=False`.
    ///
    /// # Safety
    ///
    /// The whole tile must lie in the array.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn store_view_unchecked<'a, E: ElementType, const S: [i32; N], const L: i32>(
        view: &Partition<'a, E, S>,
        value: Tile<E, S>,
        index: [i32; N],
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        // SAFETY: the caller vouches for the index; `S`, which is never 0, says so for every axis.
        if L > 0 {
            let hinted: Token = unsafe {
                store_inside_op(
                    view,
                    value,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Enabled,
                    Some(L),
                    S,
                )
            };
            hinted
        } else {
            let plain: Token = unsafe {
                store_inside_op(
                    view,
                    value,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Enabled,
                    None,
                    S,
                )
            };
            plain
        }
    }

    /// `ct.load` with `allow_tma=False`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn load_view_no_tma<'a, E: ElementType, const S: [i32; N], const L: i32>(
        view: &Partition<'a, E, S>,
        index: [i32; N],
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        // SAFETY: an overhanging tile is padded, or not written there.
        if L > 0 {
            let hinted: (Tile<E, S>, Token) = unsafe {
                load_tile_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Disabled,
                    Some(L),
                    shape,
                )
            };
            hinted.0
        } else {
            let plain: (Tile<E, S>, Token) = unsafe {
                load_tile_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Disabled,
                    None,
                    shape,
                )
            };
            plain.0
        }
    }

    /// [`load_view_no_tma`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn load_view_no_tma_token<'a, E: ElementType, const S: [i32; N], const L: i32>(
        view: &Partition<'a, E, S>,
        index: [i32; N],
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        // SAFETY: an overhanging tile is padded, or not written there.
        if L > 0 {
            let hinted: (Tile<E, S>, Token) = unsafe {
                load_tile_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Disabled,
                    Some(L),
                    shape,
                )
            };
            hinted
        } else {
            let plain: (Tile<E, S>, Token) = unsafe {
                load_tile_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Disabled,
                    None,
                    shape,
                )
            };
            plain
        }
    }

    /// `ct.store` with `allow_tma=False`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn store_view_no_tma<'a, E: ElementType, const S: [i32; N], const L: i32>(
        view: &Partition<'a, E, S>,
        value: Tile<E, S>,
        index: [i32; N],
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        // SAFETY: an overhanging tile is padded, or not written there.
        if L > 0 {
            let hinted: Token = unsafe {
                store_tile_op(
                    view,
                    value,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Disabled,
                    Some(L),
                )
            };
            hinted
        } else {
            let plain: Token = unsafe {
                store_tile_op(
                    view,
                    value,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Disabled,
                    None,
                )
            };
            plain
        }
    }

    /// `ct.load` with `check_bounds=False`, `allow_tma=False`.
    ///
    /// # Safety
    ///
    /// The whole tile must lie in the array.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn load_view_unchecked_no_tma<
        'a,
        E: ElementType,
        const S: [i32; N],
        const L: i32,
    >(
        view: &Partition<'a, E, S>,
        index: [i32; N],
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Tile<E, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        // SAFETY: the caller vouches for the index; `S`, which is never 0, says so for every axis.
        if L > 0 {
            let hinted: (Tile<E, S>, Token) = unsafe {
                load_inside_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Disabled,
                    Some(L),
                    S,
                    shape,
                )
            };
            hinted.0
        } else {
            let plain: (Tile<E, S>, Token) = unsafe {
                load_inside_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Disabled,
                    None,
                    S,
                    shape,
                )
            };
            plain.0
        }
    }

    /// [`load_view_unchecked_no_tma`] that also gives the token of the access. Use the tile through `convert_tile(tile)`, see the crate's page.
    ///
    /// # Safety
    ///
    /// The whole tile must lie in the array.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn load_view_unchecked_no_tma_token<
        'a,
        E: ElementType,
        const S: [i32; N],
        const L: i32,
    >(
        view: &Partition<'a, E, S>,
        index: [i32; N],
        token: Token,
        latency: Array<{ [L] }>,
    ) -> (Tile<E, S>, Token) {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        // SAFETY: the caller vouches for the index; `S`, which is never 0, says so for every axis.
        if L > 0 {
            let hinted: (Tile<E, S>, Token) = unsafe {
                load_inside_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Disabled,
                    Some(L),
                    S,
                    shape,
                )
            };
            hinted
        } else {
            let plain: (Tile<E, S>, Token) = unsafe {
                load_inside_op(
                    view,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Disabled,
                    None,
                    S,
                    shape,
                )
            };
            plain
        }
    }

    /// `ct.store` with `check_bounds=False`, `allow_tma=False`.
    ///
    /// # Safety
    ///
    /// The whole tile must lie in the array.
    #[cuda_tile::variadic_op(N = 6)]
    pub unsafe fn store_view_unchecked_no_tma<
        'a,
        E: ElementType,
        const S: [i32; N],
        const L: i32,
    >(
        view: &Partition<'a, E, S>,
        value: Tile<E, S>,
        index: [i32; N],
        token: Token,
        latency: Array<{ [L] }>,
    ) -> Token {
        // SAFETY: the caller vouches for the index; `S`, which is never 0, says so for every axis.
        if L > 0 {
            let hinted: Token = unsafe {
                store_inside_op(
                    view,
                    value,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Disabled,
                    Some(L),
                    S,
                )
            };
            hinted
        } else {
            let plain: Token = unsafe {
                store_inside_op(
                    view,
                    value,
                    index,
                    Some(token),
                    ordering::Weak,
                    scope::TileBlock,
                    tma::Disabled,
                    None,
                    S,
                )
            };
            plain
        }
    }

    // ---- Arrays that are no parameters: `array.slice`, items of lists --------------------------------------------------------------------

    /// [`view_undetermined`] of an array given by its parts: `base` from [`address`] or [`record_word`], `extents` bound as
    /// `let extents: Shape<{ [-1, -1] }> = Shape::<{ [-1, -1] }> { dims: &[n, m] };`, `strides` from [`raw_strides`] or bound as `extents` are
    /// (`Array`, with the constant in the type where one is known, and only the others in `dims`).
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_view_undetermined<
        'a,
        E: ElementType,
        const D: [i32; N],
        const C: [i32; N],
        const S: [i32; N],
    >(
        base: PointerTile<*mut E, { [] }>,
        extents: Shape<D>,
        strides: Array<C>,
        shape: Shape<S>,
    ) -> Partition<'a, E, S> {
        let token: Token = new_token_unordered();
        // SAFETY: neither touches memory; what loads and stores through the view states its order.
        let array: Tensor<E, D> = unsafe { make_tensor_view(base, extents, strides, token) };
        let view: Partition<E, S> =
            unsafe { make_partition_view(&array, shape, padding::None, dim_map::Identity, token) };
        view
    }

    /// [`view_zero`] of an array given by its parts: `base` from [`address`] or [`record_word`], `extents` bound as
    /// `let extents: Shape<{ [-1, -1] }> = Shape::<{ [-1, -1] }> { dims: &[n, m] };`, `strides` from [`raw_strides`] or bound as `extents` are
    /// (`Array`, with the constant in the type where one is known, and only the others in `dims`).
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_view_zero<
        'a,
        E: ElementType,
        const D: [i32; N],
        const C: [i32; N],
        const S: [i32; N],
    >(
        base: PointerTile<*mut E, { [] }>,
        extents: Shape<D>,
        strides: Array<C>,
        shape: Shape<S>,
    ) -> Partition<'a, E, S> {
        let token: Token = new_token_unordered();
        // SAFETY: neither touches memory; what loads and stores through the view states its order.
        let array: Tensor<E, D> = unsafe { make_tensor_view(base, extents, strides, token) };
        let view: Partition<E, S> =
            unsafe { make_partition_view(&array, shape, padding::Zero, dim_map::Identity, token) };
        view
    }

    /// [`view_neg_zero`] of an array given by its parts: `base` from [`address`] or [`record_word`], `extents` bound as
    /// `let extents: Shape<{ [-1, -1] }> = Shape::<{ [-1, -1] }> { dims: &[n, m] };`, `strides` from [`raw_strides`] or bound as `extents` are
    /// (`Array`, with the constant in the type where one is known, and only the others in `dims`).
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_view_neg_zero<
        'a,
        E: ElementType,
        const D: [i32; N],
        const C: [i32; N],
        const S: [i32; N],
    >(
        base: PointerTile<*mut E, { [] }>,
        extents: Shape<D>,
        strides: Array<C>,
        shape: Shape<S>,
    ) -> Partition<'a, E, S> {
        let token: Token = new_token_unordered();
        // SAFETY: neither touches memory; what loads and stores through the view states its order.
        let array: Tensor<E, D> = unsafe { make_tensor_view(base, extents, strides, token) };
        let view: Partition<E, S> = unsafe {
            make_partition_view(&array, shape, padding::NegZero, dim_map::Identity, token)
        };
        view
    }

    /// [`view_nan`] of an array given by its parts: `base` from [`address`] or [`record_word`], `extents` bound as
    /// `let extents: Shape<{ [-1, -1] }> = Shape::<{ [-1, -1] }> { dims: &[n, m] };`, `strides` from [`raw_strides`] or bound as `extents` are
    /// (`Array`, with the constant in the type where one is known, and only the others in `dims`).
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_view_nan<
        'a,
        E: ElementType,
        const D: [i32; N],
        const C: [i32; N],
        const S: [i32; N],
    >(
        base: PointerTile<*mut E, { [] }>,
        extents: Shape<D>,
        strides: Array<C>,
        shape: Shape<S>,
    ) -> Partition<'a, E, S> {
        let token: Token = new_token_unordered();
        // SAFETY: neither touches memory; what loads and stores through the view states its order.
        let array: Tensor<E, D> = unsafe { make_tensor_view(base, extents, strides, token) };
        let view: Partition<E, S> =
            unsafe { make_partition_view(&array, shape, padding::Nan, dim_map::Identity, token) };
        view
    }

    /// [`view_pos_inf`] of an array given by its parts: `base` from [`address`] or [`record_word`], `extents` bound as
    /// `let extents: Shape<{ [-1, -1] }> = Shape::<{ [-1, -1] }> { dims: &[n, m] };`, `strides` from [`raw_strides`] or bound as `extents` are
    /// (`Array`, with the constant in the type where one is known, and only the others in `dims`).
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_view_pos_inf<
        'a,
        E: ElementType,
        const D: [i32; N],
        const C: [i32; N],
        const S: [i32; N],
    >(
        base: PointerTile<*mut E, { [] }>,
        extents: Shape<D>,
        strides: Array<C>,
        shape: Shape<S>,
    ) -> Partition<'a, E, S> {
        let token: Token = new_token_unordered();
        // SAFETY: neither touches memory; what loads and stores through the view states its order.
        let array: Tensor<E, D> = unsafe { make_tensor_view(base, extents, strides, token) };
        let view: Partition<E, S> = unsafe {
            make_partition_view(&array, shape, padding::PosInf, dim_map::Identity, token)
        };
        view
    }

    /// [`view_neg_inf`] of an array given by its parts: `base` from [`address`] or [`record_word`], `extents` bound as
    /// `let extents: Shape<{ [-1, -1] }> = Shape::<{ [-1, -1] }> { dims: &[n, m] };`, `strides` from [`raw_strides`] or bound as `extents` are
    /// (`Array`, with the constant in the type where one is known, and only the others in `dims`).
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_view_neg_inf<
        'a,
        E: ElementType,
        const D: [i32; N],
        const C: [i32; N],
        const S: [i32; N],
    >(
        base: PointerTile<*mut E, { [] }>,
        extents: Shape<D>,
        strides: Array<C>,
        shape: Shape<S>,
    ) -> Partition<'a, E, S> {
        let token: Token = new_token_unordered();
        // SAFETY: neither touches memory; what loads and stores through the view states its order.
        let array: Tensor<E, D> = unsafe { make_tensor_view(base, extents, strides, token) };
        let view: Partition<E, S> = unsafe {
            make_partition_view(&array, shape, padding::NegInf, dim_map::Identity, token)
        };
        view
    }

    /// Pointers to elements at `offset` (in elements) from `base`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_elements<E: ElementType, const S: [i32; N]>(
        base: PointerTile<*mut E, { [] }>,
        offset: Tile<u64, S>,
    ) -> PointerTile<*mut E, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let ones_shape: Shape<{ [1; N] }> = Shape::<{ [1; N] }> { dims: &[1i32; N] };
        let one: PointerTile<*mut E, { [1; N] }> = reshape_ptr(base, ones_shape);
        let all: PointerTile<*mut E, S> = broadcast_ptr(one, shape);
        let result: PointerTile<*mut E, S> = addptr_tile(all, offset);
        result
    }

    /// The extents of an array given by its parts; constants where they are known.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_extents_1d<const D: [i32; N]>(extents: Shape<D>) -> i32 {
        let d0: i32 = 0;
        let e0: i32 = if D[0] == -1 { extents.dims[d0] } else { D[0] };
        e0
    }

    /// [`offsets_1d`] of an array given by its parts.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_offsets_1d<const D: [i32; M], const C: [i32; M], const S: [i32; N]>(
        extents: Shape<D>,
        strides: Array<C>,
        index_0: Tile<u64, S>,
    ) -> (Tile<u64, S>, Tile<bool, S>) {
        let extents: i32 = part_extents_1d(extents);
        let strides: i32 = strides_1d(strides);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let extent_0: Tile<u64, S> = widen(extents, shape);
        let inside: Tile<bool, S> = lt_tile(index_0, extent_0);
        let stride_0: Tile<u64, S> = widen(strides, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        (offset, inside)
    }

    /// [`offsets_1d_unchecked`] of an array given by its parts.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_offsets_1d_unchecked<const C: [i32; M], const S: [i32; N]>(
        strides: Array<C>,
        index_0: Tile<u64, S>,
    ) -> Tile<u64, S> {
        let strides: i32 = strides_1d(strides);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let stride_0: Tile<u64, S> = widen(strides, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        offset
    }

    /// The extents of an array given by its parts; constants where they are known.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_extents_2d<const D: [i32; N]>(extents: Shape<D>) -> (i32, i32) {
        let d0: i32 = 0;
        let d1: i32 = if D[0] == -1 { d0 + 1 } else { d0 };
        let e0: i32 = if D[0] == -1 { extents.dims[d0] } else { D[0] };
        let e1: i32 = if D[1] == -1 { extents.dims[d1] } else { D[1] };
        (e0, e1)
    }

    /// [`offsets_2d`] of an array given by its parts.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_offsets_2d<const D: [i32; M], const C: [i32; M], const S: [i32; N]>(
        extents: Shape<D>,
        strides: Array<C>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
    ) -> (Tile<u64, S>, Tile<bool, S>) {
        let extents: (i32, i32) = part_extents_2d(extents);
        let strides: (i32, i32) = strides_2d(strides);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let extent_0: Tile<u64, S> = widen(extents.0, shape);
        let inside: Tile<bool, S> = lt_tile(index_0, extent_0);
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let extent_1: Tile<u64, S> = widen(extents.1, shape);
        let inside_1: Tile<bool, S> = lt_tile(index_1, extent_1);
        let inside: Tile<bool, S> = inside & inside_1;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        (offset, inside)
    }

    /// [`offsets_2d_unchecked`] of an array given by its parts.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_offsets_2d_unchecked<const C: [i32; M], const S: [i32; N]>(
        strides: Array<C>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
    ) -> Tile<u64, S> {
        let strides: (i32, i32) = strides_2d(strides);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        offset
    }

    /// The extents of an array given by its parts; constants where they are known.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_extents_3d<const D: [i32; N]>(extents: Shape<D>) -> (i32, i32, i32) {
        let d0: i32 = 0;
        let d1: i32 = if D[0] == -1 { d0 + 1 } else { d0 };
        let d2: i32 = if D[1] == -1 { d1 + 1 } else { d1 };
        let e0: i32 = if D[0] == -1 { extents.dims[d0] } else { D[0] };
        let e1: i32 = if D[1] == -1 { extents.dims[d1] } else { D[1] };
        let e2: i32 = if D[2] == -1 { extents.dims[d2] } else { D[2] };
        (e0, e1, e2)
    }

    /// [`offsets_3d`] of an array given by its parts.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_offsets_3d<const D: [i32; M], const C: [i32; M], const S: [i32; N]>(
        extents: Shape<D>,
        strides: Array<C>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
    ) -> (Tile<u64, S>, Tile<bool, S>) {
        let extents: (i32, i32, i32) = part_extents_3d(extents);
        let strides: (i32, i32, i32) = strides_3d(strides);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let extent_0: Tile<u64, S> = widen(extents.0, shape);
        let inside: Tile<bool, S> = lt_tile(index_0, extent_0);
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let extent_1: Tile<u64, S> = widen(extents.1, shape);
        let inside_1: Tile<bool, S> = lt_tile(index_1, extent_1);
        let inside: Tile<bool, S> = inside & inside_1;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        let extent_2: Tile<u64, S> = widen(extents.2, shape);
        let inside_2: Tile<bool, S> = lt_tile(index_2, extent_2);
        let inside: Tile<bool, S> = inside & inside_2;
        let stride_2: Tile<u64, S> = widen(strides.2, shape);
        let offset_2: Tile<u64, S> = index_2 * stride_2;
        let offset: Tile<u64, S> = offset + offset_2;
        (offset, inside)
    }

    /// [`offsets_3d_unchecked`] of an array given by its parts.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_offsets_3d_unchecked<const C: [i32; M], const S: [i32; N]>(
        strides: Array<C>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
    ) -> Tile<u64, S> {
        let strides: (i32, i32, i32) = strides_3d(strides);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        let stride_2: Tile<u64, S> = widen(strides.2, shape);
        let offset_2: Tile<u64, S> = index_2 * stride_2;
        let offset: Tile<u64, S> = offset + offset_2;
        offset
    }

    /// The extents of an array given by its parts; constants where they are known.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_extents_4d<const D: [i32; N]>(extents: Shape<D>) -> (i32, i32, i32, i32) {
        let d0: i32 = 0;
        let d1: i32 = if D[0] == -1 { d0 + 1 } else { d0 };
        let d2: i32 = if D[1] == -1 { d1 + 1 } else { d1 };
        let d3: i32 = if D[2] == -1 { d2 + 1 } else { d2 };
        let e0: i32 = if D[0] == -1 { extents.dims[d0] } else { D[0] };
        let e1: i32 = if D[1] == -1 { extents.dims[d1] } else { D[1] };
        let e2: i32 = if D[2] == -1 { extents.dims[d2] } else { D[2] };
        let e3: i32 = if D[3] == -1 { extents.dims[d3] } else { D[3] };
        (e0, e1, e2, e3)
    }

    /// [`offsets_4d`] of an array given by its parts.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_offsets_4d<const D: [i32; M], const C: [i32; M], const S: [i32; N]>(
        extents: Shape<D>,
        strides: Array<C>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
    ) -> (Tile<u64, S>, Tile<bool, S>) {
        let extents: (i32, i32, i32, i32) = part_extents_4d(extents);
        let strides: (i32, i32, i32, i32) = strides_4d(strides);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let extent_0: Tile<u64, S> = widen(extents.0, shape);
        let inside: Tile<bool, S> = lt_tile(index_0, extent_0);
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let extent_1: Tile<u64, S> = widen(extents.1, shape);
        let inside_1: Tile<bool, S> = lt_tile(index_1, extent_1);
        let inside: Tile<bool, S> = inside & inside_1;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        let extent_2: Tile<u64, S> = widen(extents.2, shape);
        let inside_2: Tile<bool, S> = lt_tile(index_2, extent_2);
        let inside: Tile<bool, S> = inside & inside_2;
        let stride_2: Tile<u64, S> = widen(strides.2, shape);
        let offset_2: Tile<u64, S> = index_2 * stride_2;
        let offset: Tile<u64, S> = offset + offset_2;
        let extent_3: Tile<u64, S> = widen(extents.3, shape);
        let inside_3: Tile<bool, S> = lt_tile(index_3, extent_3);
        let inside: Tile<bool, S> = inside & inside_3;
        let stride_3: Tile<u64, S> = widen(strides.3, shape);
        let offset_3: Tile<u64, S> = index_3 * stride_3;
        let offset: Tile<u64, S> = offset + offset_3;
        (offset, inside)
    }

    /// [`offsets_4d_unchecked`] of an array given by its parts.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_offsets_4d_unchecked<const C: [i32; M], const S: [i32; N]>(
        strides: Array<C>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
    ) -> Tile<u64, S> {
        let strides: (i32, i32, i32, i32) = strides_4d(strides);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        let stride_2: Tile<u64, S> = widen(strides.2, shape);
        let offset_2: Tile<u64, S> = index_2 * stride_2;
        let offset: Tile<u64, S> = offset + offset_2;
        let stride_3: Tile<u64, S> = widen(strides.3, shape);
        let offset_3: Tile<u64, S> = index_3 * stride_3;
        let offset: Tile<u64, S> = offset + offset_3;
        offset
    }

    /// The extents of an array given by its parts; constants where they are known.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_extents_5d<const D: [i32; N]>(extents: Shape<D>) -> (i32, i32, i32, i32, i32) {
        let d0: i32 = 0;
        let d1: i32 = if D[0] == -1 { d0 + 1 } else { d0 };
        let d2: i32 = if D[1] == -1 { d1 + 1 } else { d1 };
        let d3: i32 = if D[2] == -1 { d2 + 1 } else { d2 };
        let d4: i32 = if D[3] == -1 { d3 + 1 } else { d3 };
        let e0: i32 = if D[0] == -1 { extents.dims[d0] } else { D[0] };
        let e1: i32 = if D[1] == -1 { extents.dims[d1] } else { D[1] };
        let e2: i32 = if D[2] == -1 { extents.dims[d2] } else { D[2] };
        let e3: i32 = if D[3] == -1 { extents.dims[d3] } else { D[3] };
        let e4: i32 = if D[4] == -1 { extents.dims[d4] } else { D[4] };
        (e0, e1, e2, e3, e4)
    }

    /// [`offsets_5d`] of an array given by its parts.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_offsets_5d<const D: [i32; M], const C: [i32; M], const S: [i32; N]>(
        extents: Shape<D>,
        strides: Array<C>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
    ) -> (Tile<u64, S>, Tile<bool, S>) {
        let extents: (i32, i32, i32, i32, i32) = part_extents_5d(extents);
        let strides: (i32, i32, i32, i32, i32) = strides_5d(strides);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let extent_0: Tile<u64, S> = widen(extents.0, shape);
        let inside: Tile<bool, S> = lt_tile(index_0, extent_0);
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let extent_1: Tile<u64, S> = widen(extents.1, shape);
        let inside_1: Tile<bool, S> = lt_tile(index_1, extent_1);
        let inside: Tile<bool, S> = inside & inside_1;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        let extent_2: Tile<u64, S> = widen(extents.2, shape);
        let inside_2: Tile<bool, S> = lt_tile(index_2, extent_2);
        let inside: Tile<bool, S> = inside & inside_2;
        let stride_2: Tile<u64, S> = widen(strides.2, shape);
        let offset_2: Tile<u64, S> = index_2 * stride_2;
        let offset: Tile<u64, S> = offset + offset_2;
        let extent_3: Tile<u64, S> = widen(extents.3, shape);
        let inside_3: Tile<bool, S> = lt_tile(index_3, extent_3);
        let inside: Tile<bool, S> = inside & inside_3;
        let stride_3: Tile<u64, S> = widen(strides.3, shape);
        let offset_3: Tile<u64, S> = index_3 * stride_3;
        let offset: Tile<u64, S> = offset + offset_3;
        let extent_4: Tile<u64, S> = widen(extents.4, shape);
        let inside_4: Tile<bool, S> = lt_tile(index_4, extent_4);
        let inside: Tile<bool, S> = inside & inside_4;
        let stride_4: Tile<u64, S> = widen(strides.4, shape);
        let offset_4: Tile<u64, S> = index_4 * stride_4;
        let offset: Tile<u64, S> = offset + offset_4;
        (offset, inside)
    }

    /// [`offsets_5d_unchecked`] of an array given by its parts.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn part_offsets_5d_unchecked<const C: [i32; M], const S: [i32; N]>(
        strides: Array<C>,
        index_0: Tile<u64, S>,
        index_1: Tile<u64, S>,
        index_2: Tile<u64, S>,
        index_3: Tile<u64, S>,
        index_4: Tile<u64, S>,
    ) -> Tile<u64, S> {
        let strides: (i32, i32, i32, i32, i32) = strides_5d(strides);
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        let stride_0: Tile<u64, S> = widen(strides.0, shape);
        let offset: Tile<u64, S> = index_0 * stride_0;
        let stride_1: Tile<u64, S> = widen(strides.1, shape);
        let offset_1: Tile<u64, S> = index_1 * stride_1;
        let offset: Tile<u64, S> = offset + offset_1;
        let stride_2: Tile<u64, S> = widen(strides.2, shape);
        let offset_2: Tile<u64, S> = index_2 * stride_2;
        let offset: Tile<u64, S> = offset + offset_2;
        let stride_3: Tile<u64, S> = widen(strides.3, shape);
        let offset_3: Tile<u64, S> = index_3 * stride_3;
        let offset: Tile<u64, S> = offset + offset_3;
        let stride_4: Tile<u64, S> = widen(strides.4, shape);
        let offset_4: Tile<u64, S> = index_4 * stride_4;
        let offset: Tile<u64, S> = offset + offset_4;
        offset
    }

    /// A list-of-arrays parameter, seen as its records: base address, extents, strides, 64 bits each, so 1 + 2 * rank wide. `shape` is one record, its
    /// width rounded up to a power of two: `let v: Partition<i64, { [1, 8] }> = list_view(base, length, const_array![5], shape![1, 8]);`, with
    /// `let base: PointerTile<*mut i64, { [] }> = pointer_to_tile(list);`.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn list_view<'a, const W: i32, const S: [i32; N]>(
        base: PointerTile<*mut i64, { [] }>,
        length: i32,
        width: Array<{ [W] }>,
        shape: Shape<S>,
    ) -> Partition<'a, i64, S> {
        let extents: Shape<{ [-1, W] }> = Shape::<{ [-1, W] }> { dims: &[length] };
        let strides: Array<{ [W, 1] }> = Array::<{ [W, 1] }> { dims: &[] };
        let view: Partition<i64, S> = part_view_undetermined(base, extents, strides, shape);
        view
    }

    /// Record `i` of a list.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn list_record<'a, const S: [i32; N]>(
        view: &Partition<'a, i64, S>,
        i: i32,
    ) -> Tile<i64, S> {
        let shape: Shape<S> = Shape::<S> { dims: &[] };
        // SAFETY: the index is in bounds as Python's was.
        let result: (Tile<i64, S>, Token) = unsafe {
            load_tile_op(
                view,
                [i, 0i32],
                None,
                ordering::Weak,
                scope::TileBlock,
                tma::Enabled,
                None,
                shape,
            )
        };
        result.0
    }

    /// Word `k` of a record. The base address is word 0: `let base: PointerTile<*mut E, { [] }> = int_to_ptr(record_word(record, 0i32));`
    #[cuda_tile::variadic_op(N = 6)]
    pub fn record_word<const S: [i32; N]>(record: Tile<i64, S>, k: i32) -> Tile<i64, { [] }> {
        let zero: Tile<i32, { [] }> = scalar_to_tile(0i32);
        let column: Tile<i32, { [] }> = scalar_to_tile(k);
        let one: Tile<i64, { [1, 1] }> = extract(record, [zero, column]);
        let word: Tile<i64, { [] }> = reshape(one, shape![]);
        word
    }

    /// Word `k` of a record as a number: extents begin at 1, strides at 1 + rank.
    #[cuda_tile::variadic_op(N = 6)]
    pub fn record_number<const S: [i32; N]>(record: Tile<i64, S>, k: i32) -> i32 {
        let word: Tile<i64, { [] }> = record_word(record, k);
        let narrow: Tile<i32, { [] }> = truncate(word, overflow::None);
        tile_to_scalar(narrow)
    }
}

//# rustc = "refuses"
//# [[case]]
//# entry = "wrong_method"
//# is = "wrong"
//# outcome = "compile"
//# has = ["method `strides` not found"]
//# strides = { a = [-1, 1] }
//# [[case]]
//# entry = "contrast_shape"
//# is = "contrast"
//# has = ["addi %5, %5"]
//# strides = { a = [-1, 1] }
//# [[case]]
//# entry = "workaround_declared"
//# is = "workaround"
//# has = ["addi"]
//# strides = { a = [-1, 1] }

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cuda_tile::variadic_op(N = 6)]
    #[cuda_tile::compiler_op(name = "return_type_meta_field", type_meta_field = "strides")]
    pub fn raw_strides<'s, E: ElementType, const S: [i32; N]>(
        array: &Tensor<E, S>,
    ) -> Array<'s, S> {
        unreachable!()
    }

    pub fn first<const C: [i32; 2]>(strides: Array<C>) -> i32 {
        strides.dims[0]
    }

    #[cutile::entry()]
    pub fn wrong_method(a: &Tensor<f32, { [-1, -1] }>) {
        let s: i32 = a.strides()[0];
    }

    #[cutile::entry()]
    pub fn contrast_shape(a: &Tensor<f32, { [-1, -1] }>) {
        let n: i32 = a.shape()[0];
        let m: i32 = n + n;
    }

    #[cutile::entry()]
    pub fn workaround_declared(a: &Tensor<f32, { [-1, -1] }>) {
        let strides = raw_strides(a);
        let s: i32 = first(strides);
        let t: i32 = s + s;
    }
}

//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_extent"
//# is = "wrong"
//# has = ["%5 = assume bounded<0, ?>, %2", "assume div_by<16>, %5"]
//# strides = { a = [-1, 1] }
//# spec = { a = { shape_div = [16, 1], stride_div = [1, 1], stride_one = [false, true], base_ptr_div = 16, elements_disjoint = true } }
//# [[case]]
//# entry = "wrong_stride"
//# is = "wrong"
//# has = ["%7 = assume bounded<0, ?>, %4"]
//# lacks = ["assume div_by<16>, %7"]
//# strides = { a = [1, -1] }
//# spec = { a = { shape_div = [1, 1], stride_div = [1, 16], stride_one = [true, false], base_ptr_div = 16, elements_disjoint = true } }
//# [[case]]
//# entry = "contrast_dynamic"
//# is = "contrast"
//# has = ["%5 = assume bounded<0, ?>, %1", "assume div_by<16>, %5", "shape = [%6, %7]"]
//# strides = { a = [-1, 1] }
//# spec = { a = { shape_div = [16, 1], stride_div = [1, 1], stride_one = [false, true], base_ptr_div = 16, elements_disjoint = true } }

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    #[cutile::entry()]
    pub fn wrong_extent(a: &Tensor<f32, { [16, -1] }>) {
        let v: Partition<f32, { [16, 4] }> = a.partition(shape![16, 4]);
    }

    #[cutile::entry()]
    pub fn wrong_stride(a: &Tensor<f32, { [-1, -1] }>) {
        let v: Partition<f32, { [4, 4] }> = a.partition(shape![4, 4]);
    }

    #[cutile::entry()]
    pub fn contrast_dynamic(a: &Tensor<f32, { [-1, -1] }>) {
        let v: Partition<f32, { [16, 4] }> = a.partition(shape![16, 4]);
    }
}

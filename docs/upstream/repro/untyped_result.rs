//# rustc = "accepts"
//# [[case]]
//# entry = "wrong_statement"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Failed to determine typeck return type for inlined function call"]
//# strides = { a = [1] }
//# [[case]]
//# entry = "wrong_let"
//# is = "wrong"
//# outcome = "compile"
//# has = ["Failed to determine typeck return type for inlined function call"]
//# strides = { a = [1] }
//# [[case]]
//# entry = "contrast_tensor"
//# is = "contrast"
//# has = ["addi"]
//# strides = { a = [1] }
//# [[case]]
//# entry = "workaround_typed"
//# is = "workaround"
//# has = ["addi"]
//# strides = { a = [1] }

#[cutile::module]
pub mod repro {
    use cutile::core::*;

    pub fn of_partition(view: &Partition<f32, { [4] }>, n: i32) -> i32 {
        n + 1i32
    }

    pub fn of_tensor(array: &Tensor<f32, { [-1] }>, n: i32) -> i32 {
        n + 1i32
    }

    #[cutile::entry()]
    pub fn wrong_statement(a: &Tensor<f32, { [-1] }>, n: i32) {
        let v: Partition<f32, { [4] }> = a.partition(shape![4]);
        of_partition(&v, n);
    }

    #[cutile::entry()]
    pub fn wrong_let(a: &Tensor<f32, { [-1] }>, n: i32) {
        let v: Partition<f32, { [4] }> = a.partition(shape![4]);
        let m = of_partition(&v, n);
    }

    #[cutile::entry()]
    pub fn contrast_tensor(a: &Tensor<f32, { [-1] }>, n: i32) {
        of_tensor(a, n);
        let m = of_tensor(a, n);
    }

    #[cutile::entry()]
    pub fn workaround_typed(a: &Tensor<f32, { [-1] }>, n: i32) {
        let v: Partition<f32, { [4] }> = a.partition(shape![4]);
        let _: i32 = of_partition(&v, n);
    }
}

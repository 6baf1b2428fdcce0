#: [[case]]
#: entry = "wrong_uint32"
#: is = "wrong"
#: has = [
#:   "uint32: refused: 'cuda_tile.divi' op rounding mode 'negative_inf' is not allowed with 'unsigned' flag",
#:   "uint8: refused: 'cuda_tile.divi' op rounding mode 'negative_inf' is not allowed with 'unsigned' flag",
#:   "int32: assembled",
#: ]

import io

import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel


@ct.kernel
def floor_divide(a, b):
    x = ct.load(a, (0,), (8,))
    ct.store(b, (0,), x // x)


for dtype in (ct.uint32, ct.uint8, ct.int32):
    array = ArrayConstraint(
        dtype, 1, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False,
        stride_constant=[1],
    )  # fmt: skip
    signature = KernelSignature([array, array], CallingConvention.cutile_python_v1())
    try:
        export_kernel(floor_divide, [signature], io.BytesIO(), gpu_code="sm_90", output_format="cubin")
        print(f"{dtype.name}: assembled")
    except ct.TileError as error:
        print(f"{dtype.name}: refused: {str(error).splitlines()[1]}")

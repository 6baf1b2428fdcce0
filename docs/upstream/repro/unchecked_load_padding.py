#: [[case]]
#: entry = "wrong_padded"
#: is = "wrong"
#: has = [
#:   "padded: refused: failed to compile Tile IR program",
#:   "padded, no TMA: refused: failed to compile Tile IR program",
#:   "unpadded: assembled",
#:   "checked: assembled",
#: ]

import io

import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel


@ct.kernel
def padded(a, b):
    x = ct.load(a, (0,), (8,), padding_mode=ct.PaddingMode.ZERO, check_bounds=False)
    ct.store(b, (0,), x)


@ct.kernel
def padded_without_tma(a, b):
    x = ct.load(a, (0,), (8,), padding_mode=ct.PaddingMode.ZERO, check_bounds=False, allow_tma=False)
    ct.store(b, (0,), x)


@ct.kernel
def unpadded(a, b):
    ct.store(b, (0,), ct.load(a, (0,), (8,), check_bounds=False))


@ct.kernel
def checked(a, b):
    ct.store(b, (0,), ct.load(a, (0,), (8,), padding_mode=ct.PaddingMode.ZERO))


array = ArrayConstraint(
    ct.float32, 1, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False,
    stride_constant=[1],
)  # fmt: skip
signature = KernelSignature([array, array], CallingConvention.cutile_python_v1())
kernels = {"padded": padded, "padded, no TMA": padded_without_tma, "unpadded": unpadded, "checked": checked}
for name, kernel in kernels.items():
    try:
        export_kernel(kernel, [signature], io.BytesIO(), gpu_code="sm_90", output_format="cubin")
        print(f"{name}: assembled")
    except ct.TileError as error:
        print(f"{name}: refused: {str(error).splitlines()[1]}")

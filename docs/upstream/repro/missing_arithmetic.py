#: [[case]]
#: entry = "wrong_internal_error"
#: is = "wrong"
#: has = [
#:   "int32 power: InternalError: Internal error: Missing binary arithmetic implementation for pow, int",
#:   "float32 cdiv: InternalError: Internal error: Missing binary arithmetic implementation for cdiv, float",
#:   "float32 power: exported",
#:   "int32 cdiv: exported",
#: ]

import io

import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel


@ct.kernel
def power(a, b):
    x = ct.load(a, (0,), (8,))
    ct.store(b, (0,), x**x)


@ct.kernel
def cdiv(a, b):
    x = ct.load(a, (0,), (8,))
    ct.store(b, (0,), ct.cdiv(x, x))


for dtype in (ct.int32, ct.float32):
    array = ArrayConstraint(
        dtype, 1, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False,
        stride_constant=[1],
    )  # fmt: skip
    signature = KernelSignature([array, array], CallingConvention.cutile_python_v1())
    for name, kernel in {"power": power, "cdiv": cdiv}.items():
        try:
            export_kernel(kernel, [signature], io.BytesIO(), gpu_code="sm_90", output_format="tileir_bytecode")
            print(f"{dtype.name} {name}: exported")
        except ct.TileError as error:
            print(f"{dtype.name} {name}: {type(error).__name__}: {str(error).splitlines()[0]}")

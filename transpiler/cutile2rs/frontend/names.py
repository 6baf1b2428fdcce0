"""Names that the front end knows without reading cuTile's source: cuda.tile's public names and module paths."""

from __future__ import annotations

CUDA_TILE = "cuda.tile"
KERNEL = "cuda.tile.kernel"
LAUNCH = "cuda.tile.launch"
TUNE = "cuda.tile.tune.exhaustive_search"

MODULES = frozenset({"cuda", CUDA_TILE, "cuda.tile.tune", "cuda.tile.compilation"})
"""External names known to be modules, so that `from cuda import tile` is the module `cuda.tile`."""

_PRIVATE = ("_stub", "_datatype", "_execution", "_memory_model", "_numeric_semantics", "_by_target", "_cext")
"""Private modules of cuda.tile that define its public names."""

_PUBLIC = """
    launch ByTarget MemoryOrder MemoryScope PaddingMode RoundingMode DType bfloat16 bool_ float4_e2m1fn float8_e4m3fn
    float8_e5m2 float8_e8m0fnu float8_e5m3fnu float16 float32 float64 foreign_pointer_dtype int8 int16 int32 int64
    tfloat32 uint8 uint16 uint32 uint64 TileCompilerExecutionError TileCompilerTimeoutError TileError
    TileInternalError TileRecursionError TileStaticAssertionError TileStaticEvalError TileSyntaxError TileTypeError
    TileUnsupportedFeatureError TileValueError StaticException Array ArrayAnnotation Constant ConstantAnnotation
    IndexedWithInt64 ListAnnotation Scalar ScalarInt64 Slice Tile TiledView abs add arange argmax argmin assert_
    assume_divisible_by astile astype atan2 atomic_add atomic_and atomic_cas atomic_max atomic_min atomic_or
    atomic_xchg atomic_xor bitwise_and bitwise_lshift bitwise_not bitwise_or bitwise_rshift bitwise_xor bid bitcast
    broadcast_to cat cdiv ceil cos cosh cumprod cumsum divmod ensure_constant equal exp exp2 expand_dims extract
    floor floordiv full gather greater greater_equal insert less less_equal load load_advanced_indexing log log2
    matmul max maximum min minimum mma mma_scaled mod mul negative isnan not_equal num_blocks num_tiles ones
    pack_to_bytes permute pow printf print prod reduce reshape rsqrt scan scatter sin sinh sqrt static_assert
    static_eval static_exception static_iter store store_advanced_indexing sub sum tan tanh transpose truediv
    unpack_from_bytes where zeros grid_dependency_control_wait grid_dependency_control_launch_dependents
    compiler_timeout tune function kernel compilation
"""
PUBLIC = frozenset(_PUBLIC.split())
"""`cuda.tile.__all__` of cuda-tile 1.7.0: what `from cuda.tile import *` binds."""


def canonical(dotted: str) -> str:
    """The public path of a cuda.tile name that was reached through a private module; other paths unchanged."""
    if dotted.startswith("cuda.tile._"):
        parts = dotted.split(".")
        if len(parts) >= 4 and parts[2] in _PRIVATE and parts[3] in PUBLIC:
            return ".".join(["cuda", "tile", *parts[3:]])
    elif dotted.startswith("cuda.tile.tune._tune."):
        return dotted.replace("._tune.", ".", 1)
    return dotted

#: slow = true
#: [[case]]
#: entry = "wrong_two_cubins"
#: is = "wrong"
#: has = ["sm_100: more than one cubin of one bytecode"]

import io
import subprocess
import sys
import tempfile
from pathlib import Path

import cuda.tile as ct
import nvidia
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature, export_kernel


@ct.kernel
def attention(q, k, v, o):
    queries = ct.load(q, (ct.bid(0), 0), (128, 64))
    top = ct.full((128, 1), -1e30, ct.float32)
    total = ct.zeros((128, 1), ct.float32)
    acc = ct.zeros((128, 64), ct.float32)
    for j in range(ct.num_tiles(k, 0, (64, 64))):
        keys = ct.load(k, (j, 0), (64, 64)).transpose()
        scores = ct.mma(queries, keys, ct.zeros((128, 64), ct.float32))
        new_top = ct.maximum(top, ct.max(scores, 1, keepdims=True))
        weights = ct.exp2(scores - new_top)
        shrink = ct.exp2(top - new_top)
        total = total * shrink + ct.sum(weights, 1, keepdims=True)
        acc = ct.mma(weights.astype(q.dtype), ct.load(v, (j, 0), (64, 64)), acc * shrink)
        top = new_top
    ct.store(o, (ct.bid(0), 0), (acc / total).astype(o.dtype))


array = ArrayConstraint(
    ct.float16, 2, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False,
    stride_constant=[None, 1], base_addr_divisible_by=16,
)  # fmt: skip
signature = KernelSignature([array] * 4, CallingConvention.cutile_python_v1())
target = sys.argv[1] if len(sys.argv) > 1 else "sm_100"
assembler = next(Path(folder) / "cu13" / "bin" / "tileiras" for folder in nvidia.__path__)
with tempfile.TemporaryDirectory() as folder:
    bytecode, cubin = Path(folder) / "bytecode", Path(folder) / "cubin"
    stream = io.BytesIO()
    export_kernel(attention, [signature], stream, gpu_code=target, output_format="tileir_bytecode")
    bytecode.write_bytes(stream.getvalue())
    seen = set()
    for runs in range(1, 33):
        subprocess.run([assembler, "--gpu-name", target, "-O3", "-o", cubin, bytecode], check=True)
        seen.add(cubin.read_bytes())
        if len(seen) > 1:
            print(f"{target}: more than one cubin of one bytecode (after {runs} runs)")
            break
    else:
        print(f"{target}: the same cubin {runs} times")

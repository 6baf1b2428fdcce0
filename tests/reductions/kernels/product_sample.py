"""Kernels with matrix products and changes of shape whose machine code the tests compare."""

import cuda.tile as ct

ConstInt = ct.Constant[int]


@ct.kernel
def product(x, y, o, N: ConstInt):
    a = ct.load(x, index=(0, 0), shape=(N, N))
    b = ct.load(y, index=(0, 0), shape=(N, N))
    ct.store(o, index=(0, 0), tile=ct.mma(a, b, ct.zeros((N, N), o.dtype)))


@ct.kernel
def fast_product(x, y, o, N: ConstInt):
    a = ct.load(x, index=(0, 0), shape=(N, N))
    b = ct.load(y, index=(0, 0), shape=(N, N))
    ct.store(o, index=(0, 0), tile=ct.mma(a, b, ct.zeros((N, N), ct.float32), use_fast_acc=True))


@ct.kernel
def integer_product(x, y, o, N: ConstInt):
    a = ct.load(x, index=(0, 0), shape=(N, N))
    b = ct.load(y, index=(0, 0), shape=(N, N))
    ct.store(o, index=(0, 0), tile=ct.mma(a, b, ct.zeros((N, N), ct.int32)))


@ct.kernel
def batched_product(x, y, o):
    a = ct.load(x, index=(0, 0, 0), shape=(4, 16, 32))
    b = ct.load(y, index=(0, 0, 0), shape=(1, 32, 16))
    ct.store(o, index=(0, 0, 0), tile=ct.mma(a, b, ct.zeros((4, 16, 16), ct.float32)))


@ct.kernel
def promoted_product(x, y, o, N: ConstInt):
    a = ct.load(x, index=(0, 0), shape=(N, N))
    b = ct.load(y, index=(0, 0), shape=(N, N))
    v = ct.load(x, index=(0, 0), shape=(1, N)).reshape((N,))
    ct.store(o, index=(0, 0), tile=(a @ b).astype(ct.float32) + ct.matmul(v, b).astype(ct.float32))


@ct.kernel
def parts(x, o, N: ConstInt, n: int):
    a = ct.load(x, index=(0, 0), shape=(N, N))
    b = ct.extract(a, (0, 1), shape=(N // 2, N // 2))
    c = a.extract((1, n), shape=())
    ct.store(o, index=(0, 0), tile=ct.cat((ct.cat((b, b), 0), ct.cat((b, b * c), 0)), axis=-1))


@ct.kernel
def turned(x, o):
    a = ct.load(x, index=(0, 0, 0), shape=(4, 8, 16))
    b = ct.permute(a, (2, 0, -2)) + a.transpose(0, 2).transpose(1, 2)
    ct.store(
        o, index=(0, 0, 0), tile=b + ct.broadcast_to(ct.expand_dims(ct.arange(8, dtype=ct.float32), 0), (16, 4, 8))
    )


@ct.kernel
def numbers_as_tile(o, n: int, f: float):
    ct.store(o, index=(0, 0), tile=ct.astile(((n, 1), (f, f)), dtype=ct.float32) + ct.astile((2, 2), dtype=ct.float32))


@ct.kernel
def bytes_of(x, o, N: ConstInt):
    a = ct.load(x, index=(0,), shape=(N,)).astype(ct.float32)
    b = ct.unpack_from_bytes(ct.pack_to_bytes(a), ct.int16)
    ct.store(o, index=(0,), tile=ct.pack_to_bytes(b))


@ct.kernel
def scaled_product(x, xs, y, ys, o, N: ConstInt):
    a = ct.load(x, index=(0, 0), shape=(N, N))
    b = ct.load(y, index=(0, 0), shape=(N, N))
    p = ct.load(xs, index=(0, 0), shape=(N, N // 32))
    q = ct.load(ys, index=(0, 0), shape=(N // 32, N))
    ct.store(o, index=(0, 0), tile=ct.mma_scaled(a, p, b, q, ct.zeros((N, N), ct.float32)))


@ct.kernel
def packed_float4(x, o):
    a = ct.load(x, index=(0, 0), shape=(64, 64)).astype(ct.float32)
    ct.store(o, index=(0, 0), tile=ct.reshape(ct.pack_to_bytes(ct.astype(a, ct.float4_e2m1fn)), (64, 32)))

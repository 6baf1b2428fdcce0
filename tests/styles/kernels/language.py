"""Python that kernels are written in: classes of constants, helpers of every form, branches, early ends."""

from dataclasses import dataclass, replace
from enum import IntEnum

import cuda.tile as ct
import settings
from settings import HALF, Mode

Int = ct.Constant[int]
ConstBool = ct.Constant[bool]


class Act(IntEnum):
    RELU = 0
    SILU = 1


class Cfg:
    TILE = 64
    EPS = 1e-5


def many(*args):
    t = args[0]
    for a in ct.static_iter(args[1:]):
        t = t + a
    return t


@ct.kernel()
def enum(x, T: Int, A: Int):
    t = ct.load(x, (ct.bid(0),), (T,))
    if A == Act.RELU:
        t = ct.maximum(t, 0)
    elif A == Act.SILU:
        t = t / (1 + ct.exp(-t))
    ct.store(x, (ct.bid(0),), t + Mode.B + HALF + settings.HALF + Cfg.EPS)


@ct.kernel
def varargs(x, T: Int):
    t = ct.load(x, (ct.bid(0),), (T,))
    ct.store(x, (ct.bid(0),), many(t, t, t))


@ct.kernel
def chain(x, n: int, T: Int):
    i = ct.arange(T, dtype=ct.int32)
    m = (i >= 0) & (i < n)
    ok = 0 < n <= 100
    t = ct.gather(x, i, mask=m)
    if ok and not (n == 50):
        t = t + 1
    elif n > 200 or n == 150:
        t = t - 1
    ct.scatter(x, i, t, mask=m)


@ct.kernel
def runtime_if(x, y, n: int, T: Int):
    t = ct.load(x, (0,), (T,))
    if ct.bid(0) % 2 == 0:
        a = t * 2
        k = 1
        if n > 4:
            k = n
    else:
        a = t + 1
        k = 2
    ct.store(y, (ct.bid(0),), a * k)


@ct.kernel
def persist(x, y, n: int, T: Int):
    for b in range(ct.bid(0), n, ct.num_blocks(0)):
        t = ct.load(x, (b,), (T,))
        ct.store(y, (b,), t * 2)
        ct.store(x, (b,), t)


@ct.kernel
def hinted(x, y, n: int, big: ct.ScalarInt64, T: Int, LIMIT: Int):
    if LIMIT > 4096:
        raise ct.static_exception(ValueError("too many"))
    m = ct.assume_divisible_by(n, 16)
    ct.assert_(m < LIMIT, "in range")
    o = ct.arange(T, dtype=ct.int32) + m
    ct.scatter(y, o + big, ct.gather(x, o))


@ct.kernel
def extents_only(x, like, T: Int):
    t = ct.load(x, (0,), (T,))
    ct.store(x, (0,), t * ct.float32(like.shape[-1] + like.ndim))


@ct.kernel
def optional_numbers(x, y, cap, scale, unused, T: Int, CAP: ConstBool, SCALE: ConstBool):
    t = ct.load(x, (ct.bid(0),), (T,)).astype(ct.float32)
    if CAP:
        t = cap * ct.tanh(t / cap)
    if SCALE:
        t = t * scale
    ct.store(y, (ct.bid(0),), t.astype(y.dtype))


@ct.kernel
def run_time_flag(x, y, double: bool, T: Int):
    t = ct.load(x, (ct.bid(0),), (T,))
    if double:
        t = t * 2
    ct.store(y, (ct.bid(0),), t)


@dataclass(frozen=True, eq=False)
class Rows:
    """Where a block reads."""

    row: int
    width: int
    scale: float = 2.0

    def load(self, a):
        return ct.load(a, (self.row, 0), (1, 64)) * self.scale + self.width

    def next(self, by=1):
        return replace(self, row=self.row + by)


@ct.kernel
def instances(x, y, n: int, T: Int):
    at = Rows(ct.bid(0), T)
    acc = ct.zeros((1, 64), ct.float32)
    for i in range(n):
        acc = acc + at.load(x)
        at = at.next(by=i + 1)
    at = Rows(row=0, width=T, scale=1.0) if n > 5 else replace(at, scale=1.0)
    ct.store(y, (at.row, 0), acc)


@ct.kernel
def plain_flag(x, y, causal, n, T: Int):
    lo = ct.bid(0) if causal else 0
    acc = ct.zeros((T,), ct.float32)
    for j in range(lo, n):
        acc += ct.load(x, (j,), (T,)).astype(ct.float32)
        if causal and j == ct.bid(0):
            acc *= 2.0
    ct.store(y, (ct.bid(0),), acc.astype(y.dtype))

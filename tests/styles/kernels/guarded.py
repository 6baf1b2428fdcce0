"""A module that can be read without cuTile; classes whose constants build on each other; keyword arguments handed on."""

from enum import IntEnum

try:
    import cuda.tile as ct

    HAVE_TILE = True
except ImportError:
    ct = None
    HAVE_TILE = False

Int = ct.Constant[int] if HAVE_TILE else int
if not HAVE_TILE:
    Flag = bool
else:
    Flag = ct.Constant[bool]


def power_above(n):
    found = 1
    while found < n:
        found *= 2
    return found


def first_multiple(steps, of):
    for step in steps:
        if step % of:
            continue
        return step
    return 1


def bits_of(n):
    return 1 << (n - 1).bit_length()


class Sizes:
    STEP = power_above(first_multiple((5, 20, 12), 4))
    TILE = STEP * 2


class Rows:
    LEAST = 1e-5

    @staticmethod
    def unit(t, n):
        return t * ct.rsqrt(ct.sum(t * t) / n + Rows.LEAST)


class Part(IntEnum):
    SCALE = 1
    SHIFT = 2
    BOTH = SCALE | SHIFT


def line(t, /, *, scale=1.0, **more):
    t = t * scale
    return t + more["shift"] if "shift" in more else t


def clipped(t, **settings):
    return ct.minimum(line(t, **settings), settings.get("limit", 8.0))


if HAVE_TILE:

    @ct.kernel
    def affine(x, y, PARTS: Int, CLIP: Flag):
        t = ct.load(x, (ct.bid(0),), (Sizes.TILE,))
        if PARTS == Part.BOTH:
            t = clipped(t, scale=2.0, shift=0.5, limit=3.0) if CLIP else line(t, scale=2.0, shift=0.5)
        elif PARTS == Part.SCALE:
            t = clipped(t, scale=2.0)
        ct.store(y, (ct.bid(0),), t)

    @ct.kernel
    def counted_bits(x, y, N: Int):
        t = ct.load(x, (ct.bid(0),), (ct.static_eval(bits_of(N)),))
        t = Rows.unit(t, N) * ct.static_eval(N.bit_length())
        ct.store(y, (ct.bid(0),), t)

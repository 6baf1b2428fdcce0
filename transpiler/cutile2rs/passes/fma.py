"""FMA contraction (cuTile: ``_passes/rewrite_patterns.py``).

A float product with one use, feeding an addition or subtraction of the same rounding and flush-to-zero mode, becomes one
fused operation. The left product wins if both operands are products. tileiras does not contract, so bits depend on this.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from math import prod

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Block, Entry, Op, TileType, Value
from cutile2rs.ir.expr import Expr, Fn, Lit, distinct_params, fn, kind
from cutile2rs.lowering import dtype_tables
from cutile2rs.lowering.forking import MustFork
from cutile2rs.lowering.oracle import PathState
from cutile2rs.passes import choices
from cutile2rs.passes.choices import Through
from cutile2rs.passes.uses import Uses

#: Operations that may do nothing, as the launch's dtypes and sizes say.
_IDENTITIES = frozenset({"cast", "broadcast", "reshape"})

#: How many sums of an entry are made on both sides of a branch, before the paths split after all.
MAX_SPLITS = 64

#: Whether two dtypes are equal may be asked so often before only the commoner answer is followed.
FEW_DTYPES = 4
#: The most combinations of dtypes that are looked through.
_MAX_ENUMERATION = 5000


@dataclass(frozen=True, slots=True)
class _Fusion:
    """A product to be fused into its sum: which operand it is, and the branches that choose it."""

    product: Op
    side: int
    through: Through


def contract_fma(entry: Entry, path: PathState) -> None:
    """Fuse every product that cuTile fuses. Where that depends on the launch's dtypes or sizes, the path splits; where it
    depends on which side of a constant branch the launch takes, the sum is made on both sides of such a branch."""
    uses = Uses(entry)
    fused: set[int] = set()
    fusions: dict[int, _Fusion] = {}
    pending = [op for op in entry.body.walk() if op.opcode in ("add", "sub")]
    pending.reverse()
    splits = 0
    while pending:
        op = pending.pop()
        uses.come_to(op)
        try:
            _try(op, path, uses, fused, fusions)
        except MustFork as must:
            if splits == MAX_SPLITS or not (path.may_branch(must.condition) or _asks_dtypes(must.condition)):
                raise
            splits += 1
            pending += reversed(choices.split(entry.body, op, must.asked))
            uses = Uses(entry)
    _rewrite(entry.body, fused, fusions)
    if any(f.through for f in fusions.values()):
        choices.drop_unread(entry)


def _mode(op: Op) -> tuple[object, object]:
    return op.attrs.get("rounding"), op.attrs.get("ftz", False)


def _try(op: Op, path: PathState, uses: Uses, fused: set[int], fusions: dict[int, _Fusion]) -> None:
    for v in op.operands:
        _refuse_choice(v, path, uses)
    for side in (0, 1):
        # A product of several uses is not fused, but keeps the other operand from being: it counts where that is one.
        shared = side == 0 and _chain_to_product(op.operands[1], path, uses)
        found = _product(op.operands[side], path, uses, shared)
        if found is None:
            continue
        product, identities, through = found
        # As in cuTile, the first operand that is a product decides, even if it then cannot be fused.
        if (
            _mode(product) == _mode(op)
            and id(product) not in fused
            and all(uses.uses(o.result) == 1 for o in (product, *identities))
        ):
            # What other launches need stays.
            fused.update(id(o) for o in takewhile(lambda o: uses.is_used_once(o.result), (*identities, product)))
            fused.add(id(op))
            fusions[id(op)] = _Fusion(product, side, tuple(through))
        return


def _product(v: Value, path: PathState, uses: Uses, shared: bool) -> tuple[Op, list[Op], list[tuple[Op, int]]] | None:
    """The float product that defines ``v``, with the operations in between that do nothing for this launch and the constant
    branches in between that choose it.

    ``shared``: operations of several uses are looked through as well.
    """
    if not _reaches_product(v, path, uses):
        return None
    v, through = uses.seen(v)
    maker = uses.makers.get(v)
    identities: list[Op] = []
    while maker is not None and maker.opcode in _IDENTITIES and (shared or uses.uses(v) == 1):
        before, choosing = uses.seen(maker.operands[0])
        inner = uses.makers.get(before)
        if inner is None or not (shared or uses.uses(before) == 1):
            return None
        if not _chain_to_product(before, path, uses, shared):
            return None
        if not _is_identity(maker, path, uses):
            return None
        identities.append(maker)
        through += choosing
        v, maker = before, inner
    if maker is None or maker.opcode != "mul":
        return None
    assert isinstance(maker.result.type, TileType)
    unrestricted = path.decide(fn("is_unrestricted_float", maker.result.type.dtype))
    return (maker, identities, through) if unrestricted else None


def _chain_to_product(v: Value, path: PathState, uses: Uses, shared: bool = False) -> bool:
    if not _reaches_product(v, path, uses):
        return False
    op = uses.maker(v)
    while op is not None and op.opcode in _IDENTITIES:
        if not shared and uses.uses(op.operands[0]) != 1:
            return False
        op = uses.maker(op.operands[0])
    return True


def _reaches_product(v: Value, path: PathState, uses: Uses) -> bool:
    """Whether a value is a float product, but for operations that may do nothing."""
    op = uses.maker(v)
    while op is not None and op.opcode in _IDENTITIES:
        op = uses.maker(op.operands[0])
    if op is None or op.opcode != "mul":
        return False
    assert isinstance(op.result.type, TileType)
    return path.settled(fn("is_unrestricted_float", op.result.type.dtype)) is not False


def _refuse_choice(v: Value, path: PathState, uses: Uses) -> None:
    """Where launches choose an operand, it must not be a product on one side: they would fuse it."""
    v, _ = uses.seen(v)
    while (maker := uses.makers.get(v)) is not None and maker.opcode in _IDENTITIES:
        v, _ = uses.seen(maker.operands[0])
    choice = uses.choice(v)
    if choice is not None:
        for block in choice.blocks:
            yielded = block.ops[-1].operands[choice.results.index(v)]
            _refuse_choice(yielded, path, uses)
            if _reaches_product(yielded, path, uses):
                raise MustFork(choice.attrs["condition"])


def _is_identity(op: Op, path: PathState, uses: Uses) -> bool:
    """Whether a cast or broadcast changes nothing for this launch (cuTile then never emits it)."""
    before, after = op.operands[0].type, op.result.type
    assert isinstance(before, TileType) and isinstance(after, TileType)
    if len(before.shape) != len(after.shape) or op.attrs.get("rounding") is not None:
        return False
    pairs: list[tuple[Expr, Expr]] = [(before.dtype, after.dtype), *zip(before.shape, after.shape, strict=True)]
    unequal = [(path.simplify(a), path.simplify(b)) for a, b in pairs]
    if any(isinstance(a, Lit) and isinstance(b, Lit) and a != b for a, b in unequal):
        return False
    return all(a == b or _equal(path, uses, a, b) for a, b in unequal)


def _equal(path: PathState, uses: Uses, a: Expr, b: Expr) -> bool:
    """Where arrays of different dtypes have met, only the commoner case gets an entry, that they are the same: if both are
    promoted and only float64 makes them differ, or if much was asked of dtypes before. Not for the latter if one comes from
    a dtype that the kernel names: a float32 sum of float16 products is as common as one of float32 products.

    Else the path splits; in kernels with many paths the sum becomes a branch on whether two dtypes are the same."""
    condition = fn("eq", a, b)
    settled = path.settled(condition)
    if settled is not None:
        return settled
    asked = sum(1 for e, _ in path.taken if isinstance(e, Fn) and e.op == "eq" and kind(e.args[0]) == "dtype")
    many = path.forks is None and asked >= FEW_DTYPES and not (_names_dtype(a) or _names_dtype(b))
    rare = isinstance(a, Fn) and isinstance(b, Fn) and _differ_rarely(path, condition)
    if path.mixed and (many or rare) and not isinstance(a, Lit) and not isinstance(b, Lit):
        return path.prefer(
            condition, "this mixture of dtypes has no entry: a cast stands between a product and its sum"
        )
    if path.forks is None or not _asks_dtypes(condition):
        return path.decide(condition)
    here = uses.answer(condition)
    if here is None:
        raise MustFork(condition)
    return here


def _differ_rarely(path: PathState, equal: Expr) -> bool:
    """Whether two dtypes are the same in all launches without float64."""
    names = distinct_params(equal)
    domains = tuple(tuple(d for d in path.domain(p) if d != dt.FLOAT64) for p in names)
    if any(p.kind != "dtype" for p in names) or prod(map(len, domains)) > _MAX_ENUMERATION:
        return False
    relations = tuple(r for r in path.relations if set(names).issuperset(distinct_params(r)))
    return dtype_tables.values(equal, names, domains, relations) == frozenset({True})


def _names_dtype(e: Expr) -> bool:
    """Whether a dtype comes from one that the kernel itself names."""
    return isinstance(e, Lit) or (isinstance(e, Fn) and any(map(_names_dtype, e.args)))


def _asks_dtypes(condition: Expr) -> bool:
    return all(p.kind == "dtype" for p in distinct_params(condition))


def _fused(op: Op, fusion: _Fusion) -> list[Op]:
    ops: list[Op] = []
    a, b = (_as_dtype(choices.export(v, fusion.through), op, ops) for v in fusion.product.operands)
    acc = op.operands[1 - fusion.side]
    if op.opcode == "sub":
        target = a if fusion.side == 1 else acc
        negated = Value(target.type)
        ops.append(Op("neg", [target], [negated], source=op.source))
        if fusion.side == 1:
            a = negated
        else:
            acc = negated
    ops.append(Op("fma", [a, b, acc], op.results, dict(op.attrs), source=op.source))
    return ops


def _as_dtype(v: Value, op: Op, ops: list[Op]) -> Value:
    """A factor in the sum's dtype: where these are only equal on the side of a branch, a cast that is no operation says so."""
    t, wanted = v.type, op.result.type
    assert isinstance(t, TileType) and isinstance(wanted, TileType)
    if t.dtype == wanted.dtype:
        return v
    ops.append(Op("cast", [v], [Value(TileType(wanted.dtype, t.shape))], {"rounding": None}, source=op.source))
    return ops[-1].result


def _rewrite(block: Block, fused: set[int], fusions: dict[int, _Fusion]) -> None:
    ops: list[Op] = []
    for op in block.ops:
        for inner in op.blocks:
            _rewrite(inner, fused, fusions)
        if id(op) in fusions:
            ops += _fused(op, fusions[id(op)])
        elif id(op) not in fused:
            ops.append(op)
    block.ops = ops

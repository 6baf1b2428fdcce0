"""What cuTile knows and assumes of integers that loops carry.

Its ``_passes/dataflow_analysis.py`` and ``_passes/propagate_divby.py`` are the source.

A carried integer all of whose values are multiples of some power of two is assumed to be one at the start of each iteration;
so are the base address and the extent of a slice. tileiras uses that, so machine code depends on it. What a launch's
signature says of extents, strides and addresses stands as a symbol (``extent_div(x,0)``) until a launch is served.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.arrays import parts_needed, viewed
from cutile2rs.ir.core import (
    Array,
    ArrayType,
    Block,
    Entry,
    Op,
    TileType,
    Value,
    carried_params,
    initial_operands,
    is_loop,
    is_placeholder,
    replace_inputs,
    static_branches,
)
from cutile2rs.ir.expr import Expr, Fn, Lit, Param, fn
from cutile2rs.lowering.forking import MustFork
from cutile2rs.lowering.oracle import PathState

#: A common divisor: the greatest one of these products, each a number and symbolic factors. None of them: zero, which
#: everything divides.
Fact = frozenset[tuple[int, tuple[Expr, ...]]]

ONE: Fact = frozenset({(1, ())})
MAX_DIVISOR = 1024
#: Operations that hand their operand's divisor on.
_SAME = frozenset({"broadcast", "reshape", "permute", "expand", "neg", "abs", "nonnegative"})


def assume_divisors(entry: Entry, path: PathState) -> None:
    """Insert the assumptions at the start of loop bodies, and note those on slices."""
    analysis = _analysis(entry.body, path, None)
    _check_sides(entry.body, analysis)
    _insert(entry.body, analysis, {})
    _note_slices(entry, analysis)


def _analysis(body: Block, path: PathState, taken: tuple[Expr, int] | None) -> _Analysis:
    analysis = _Analysis(path, taken)
    while True:
        before = dict(analysis.facts)
        analysis.block(body, None, None)
        if analysis.facts == before:
            return analysis


def _check_sides(body: Block, analysis: _Analysis) -> None:
    """What one side of a constant branch knows of an integer is known in the launches that take that side. That must not
    change what is assumed anywhere."""
    unclear = {
        op.attrs["condition"]: None
        for op in static_branches(body)
        for block in op.blocks
        for v, r in zip(block.ops[-1].operands, op.results, strict=True)
        if not is_placeholder(v, block) and analysis.of(v) != analysis.of(r)
    }
    for condition in unclear:
        for side in (0, 1):
            known = _analysis(body, analysis.path, (condition, side))
            if any(known.of(v) != analysis.of(v) for v in _assumed(body)):
                raise MustFork(condition)


def _assumed(body: Block) -> Iterator[Value]:
    """The values of which something is assumed."""
    for op in body.walk():
        if is_loop(op):
            yield from carried_params(op)
        elif op.opcode in ("array_slice", "nonnegative"):
            yield op.result


def _note_slices(entry: Entry, analysis: _Analysis) -> None:
    """Note on slices that are viewed, and on their extents, what they are assumed to be multiples of: only for a view does
    cuTile assume anything of them. A slice whose extents nothing asks for gets none."""
    assumed = viewed(entry.body)
    for op in entry.body.walk():
        if op.opcode == "array_slice":
            if op.result in assumed:
                assumed.update(op.operands[1:])
            if "extents" not in parts_needed(entry.body, op.result):
                op.operands = [op.operands[0], *(v for v in op.operands if isinstance(v.type, ArrayType))]
    for op in entry.body.walk():
        if op.opcode in ("array_slice", "nonnegative"):
            found = divisor(analysis.of(op.result), analysis.path) if op.result in assumed else Lit(1)
            op.attrs["divisor"] = found
            name = f"{op.result.hint or 'slice'}_{'base_' if op.opcode == 'array_slice' else ''}div"
            entry.const_names.setdefault(found, name)


def _normal(products: set[tuple[int, tuple[Expr, ...]]]) -> Fact:
    """Without products that others divide; plain numbers combined."""
    plain = math.gcd(*(n for n, factors in products if not factors))
    found = {p for p in products if p[1]} | ({(plain, ())} if plain else set())
    return frozenset(p for p in found if not any(q != p and _divides(q, p) for q in found))


def _divides(a: tuple[int, tuple[Expr, ...]], b: tuple[int, tuple[Expr, ...]]) -> bool:
    rest = list(b[1])
    for factor in a[1]:
        if factor not in rest:
            return False
        rest.remove(factor)
    return b[0] % a[0] == 0


def _product(a: Fact, b: Fact) -> Fact:
    return _normal({(m * n, tuple(sorted(x + y, key=repr))) for m, x in a for n, y in b})


def _of_constant(e: Expr) -> Fact:
    if isinstance(e, Lit):
        return _normal({(abs(int(e.value)), ())}) if isinstance(e.value, int) else ONE
    if isinstance(e, Fn) and e.op == "mul":
        return _product(_of_constant(e.args[0]), _of_constant(e.args[1]))
    return frozenset({(1, (e,))})


@dataclass(slots=True)
class _Analysis:
    path: PathState
    taken: tuple[Expr, int] | None
    """A constant branch and the only side of it that counts."""
    facts: dict[Value, Fact] = field(default_factory=dict)

    def of(self, v: Value) -> Fact:
        return self.facts.get(v, ONE)

    def join(self, v: Value, fact: Fact) -> None:
        self.facts[v] = _normal(set(self.facts[v] | fact)) if v in self.facts else fact

    def block(self, block: Block, loop: Op | None, branch: Op | None) -> None:
        for op in block.ops:
            if is_loop(op):
                for init, p, r in zip(initial_operands(op), carried_params(op), op.results, strict=True):
                    self.join(p, self.of(init))
                    if op.opcode == "for":
                        self.join(r, self.of(init))
                self.block(op.blocks[0], op, None)
            elif op.opcode in ("if", "static_if"):
                for inner in op.blocks:
                    self.block(inner, loop, op)
            elif op.opcode in ("continue", "break") and loop is not None:
                self._jump(op, loop)
            elif op.opcode == "yield" and branch is not None:
                if self.taken is not None and self.taken == (
                    branch.attrs.get("condition"),
                    1 - branch.blocks.index(block),
                ):
                    continue
                for v, r in zip(op.operands, branch.results, strict=True):
                    if branch.opcode == "if" or not is_placeholder(v, block):
                        self.join(r, self.of(v))
            else:
                for r in op.results:
                    self.join(r, self._computed(op, r))

    def _of_row(self, op: Op, r: Value) -> Fact:
        """An extent or a stride that a list's table says, in the order of the results."""
        array: Array = op.attrs["array"]
        rank, at = array.rank, op.results.index(r) - 1
        if at < rank:
            return _known("extent_div", array, at)
        dynamic = [k for k, s in enumerate(op.attrs["strides"]) if s is None]
        return _known("stride_div", array, dynamic[at - rank])

    def _jump(self, op: Op, loop: Op) -> None:
        for v, p, r in zip(op.operands, carried_params(loop), loop.results, strict=True):
            if op.opcode == "continue":
                self.join(p, self.of(v))
            if op.opcode == "break" or loop.opcode == "for":
                self.join(r, self.of(v))

    def _address(self, op: Op, array: Array) -> Fact:
        """What the address of a slice or of an item of a list is a multiple of, in bytes."""
        if op.opcode != "array_slice":
            return _known("base_div", array)
        parent: Array = op.attrs["parent"]
        base = _known("base_div", parent) if parent.root is None else self.of(op.operands[-1])
        size = fn("floordiv", fn("bits", self.path.dtype_of(array.dtype)), Lit(8))
        return _normal(set(base | _product(self.of(op.operands[0]), _of_constant(size))))

    def _computed(self, op: Op, r: Value) -> Fact:
        if isinstance(r.type, ArrayType):
            return self._address(op, op.attrs["array"])
        if op.opcode == "extent":
            what = "extent_div" if op.attrs["what"] == "shape" else "stride_div"
            return _known(what, op.attrs["array"], op.attrs["axis"])
        if op.opcode == "list_item":
            return self._of_row(op, r)
        if not isinstance(r.type, TileType) or self.path.settled(fn("is_integral", r.type.dtype)) is not True:
            return ONE
        if op.opcode == "assume":
            return _of_constant(self.path.simplify(op.attrs["divisor"]))
        if op.opcode == "const":
            return _of_constant(self.path.simplify(op.attrs["value"]))
        if op.opcode in ("add", "sub"):
            return _normal(set(self.of(op.operands[0]) | self.of(op.operands[1])))
        if op.opcode == "mul":
            return _product(self.of(op.operands[0]), self.of(op.operands[1]))
        if op.opcode in _SAME:
            return self.of(op.operands[0])
        if op.opcode == "cast":
            source, bits = op.operands[0].type, fn("bits", self.path.dtype_of(r.type.dtype))
            if isinstance(source, TileType) and self.path.settled(fn("is_integral", source.dtype)):
                return _normal(set(_of_constant(fn("lshift", Lit(1), bits)) | self.of(op.operands[0])))
        return ONE


def _known(what: str, array: Array, axis: int | None = None) -> Fact:
    """What the launch says of an array's address, or of an extent or a stride."""
    owner = array.memory.name
    name = f"{what}({owner})" if axis is None else f"{what}({owner},{axis})"
    return frozenset({(1, (Param(name, "int"),))})


def divisor(fact: Fact, path: PathState) -> Expr:
    """The power of two that is assumed, at most 1024; 1 for none."""
    found: Expr = Lit(0)
    for number, factors in sorted(fact, key=repr):
        product: Expr = Lit(number)
        for factor in factors:
            product = fn("mul", product, factor)
        found = product if found == Lit(0) else fn("gcd", found, product)
    return path.simplify(fn("power_of_two", found))


def _insert(block: Block, analysis: _Analysis, mapping: dict[Value, Value]) -> None:
    for op in block.ops:
        replace_inputs(op, mapping)
        for inner in op.blocks:
            assumed = _assume(op, inner, analysis, mapping) if is_loop(op) else []
            _insert(inner, analysis, mapping)
            inner.ops[:0] = assumed


def _assume(loop: Op, body: Block, analysis: _Analysis, mapping: dict[Value, Value]) -> list[Op]:
    ops = []
    for p in carried_params(loop):
        if isinstance(p.type, TileType) and p.type.dtype != Lit(dt.BOOL):
            found = divisor(analysis.of(p), analysis.path)
            if not isinstance(found, Lit) or found.value > 1:
                mapping[p] = Value(p.type, p.hint)
                ops.append(Op("assume_divisor", [p], [mapping[p]], {"divisor": found}, source=loop.source))
    return ops

"""Control flow as Rust can write it, after the passes: no loop that runs once, no code beside a jump, no early return.

Nothing here changes what is computed, in which order, or what the machine code is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Block, Entry, Op, TileType, Value, carried_params, initial_operands, replace_inputs
from cutile2rs.ir.expr import NEGATED, Expr, Lit
from cutile2rs.lowering.oracle import PathState
from cutile2rs.passes.dce import eliminate_dead_code

_JUMPS = frozenset({"continue", "break", "return"})
_RETURN = frozenset({"return"})


def structure(entry: Entry, path: PathState) -> None:
    """Rewrite an entry's control flow for Rust."""
    _literal_steps(entry.body, path)
    s = _Structure(entry)
    s.inline_single_loops(entry.body)
    *ops, end = entry.body.ops
    if _is_guardable(ops):
        entry.body.ops = [*s.guard(ops), end]
    else:
        # From inside a loop, Rust's text compiler can return.
        inner = Block([], [*ops, Op("break", [], [], source=end.source)])
        entry.body.ops = [Op("loop", [], [], blocks=[inner]), end]
    s.flatten(entry.body)
    s.substitute(entry.body)
    eliminate_dead_code(entry)


def _literal_steps(body: Block, path: PathState) -> None:
    """The step of a loop over int64 becomes a number on the loop: only a literal step gets that type in Rust."""
    makers = {r: op for op in body.walk() for r in op.results}
    for op in body.walk():
        if op.opcode == "for" and path.dtype_of(_dtype(op.operands[2])) == Lit(dt.INT64):
            step = makers.get(op.operands[2])
            if step is not None and step.opcode == "const":
                op.attrs["step"] = path.simplify(step.attrs["value"])
                op.operands[2] = op.operands[0]


def _dtype(v: Value) -> Expr:
    assert isinstance(v.type, TileType)
    return v.type.dtype


def jump_of(block: Block) -> str | None:
    """The jump that a block ends with, if it ends with one."""
    last = block.ops[-1].opcode if block.ops else "yield"
    return last if last in _JUMPS else None


def is_while(loop: Op) -> Op | None:
    """The branch at the start of a loop that leaves it with the variables as they are: the condition of a ``while``."""
    header = next((op for op in loop.blocks[0].ops if op.blocks), None)
    if (
        header is None
        or header.opcode != "if"
        or header.results
        or [o.opcode for o in header.blocks[0].ops] != ["yield"]
    ):
        return None
    *dummies, leave = header.blocks[1].ops
    unused = [d.result for d in dummies if d.opcode == "dummy"]
    if leave.opcode != "break" or len(unused) != len(dummies):
        return None
    params = {o.result: o.operands[0] for o in loop.blocks[0].ops if o.opcode == "assume_divisor"}
    unchanged = all(
        params.get(v, v) is p or v in unused for v, p in zip(leave.operands, carried_params(loop), strict=True)
    )
    return header if unchanged else None


def has_jump(block: Block, opcodes: frozenset[str] = _JUMPS) -> bool:
    """Whether a block, with the branches in it but not the loops, jumps."""
    return any(
        op.opcode in opcodes or (op.opcode == "if" and any(has_jump(b, opcodes) for b in op.blocks)) for op in block.ops
    )


def _first_return(ops: list[Op]) -> int | None:
    """Where the first branch with a return in it is."""
    return next((i for i, op in enumerate(ops) if op.opcode == "if" and has_jump(Block([], [op]), _RETURN)), None)


def _is_guardable(ops: list[Op]) -> bool:
    """Whether of each branch with a return in it, one side always returns: then the other one can take up the rest."""
    at = _first_return(ops)
    if at is None:
        return True
    sides = ops[at].blocks if jump_of(ops[at].blocks[0]) == "return" else ops[at].blocks[::-1]
    if jump_of(sides[0]) != "return":
        return False
    return _is_guardable(sides[0].ops[:-1]) and _is_guardable([*sides[1].ops[:-1], *ops[at + 1 :]])


@dataclass(slots=True)
class _Structure:
    entry: Entry
    mapping: dict[Value, Value] = field(default_factory=dict)
    uses: dict[Value, int] = field(default_factory=dict)
    makers: dict[Value, Op] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for op in self.entry.body.walk():
            for v in op.inputs():
                self.uses[v] = self.uses.get(v, 0) + 1
            self.makers.update(dict.fromkeys(op.results, op))

    def substitute(self, block: Block) -> None:
        """Replace the values that others stand for now."""
        final = {v: self._final(v) for v in self.mapping}
        for op in block.walk():
            replace_inputs(op, final)

    def _final(self, v: Value) -> Value:
        while v in self.mapping:
            v = self.mapping[v]
        return v

    def replace(self, old: list[Value], new: list[Value]) -> None:
        """Let ``new`` stand for ``old``; a value without a name takes the one of what it stands for."""
        for a, b in zip(old, new, strict=True):
            self.mapping[a] = b
            b.hint = b.hint or a.hint

    def inline_single_loops(self, block: Block) -> None:
        """A loop whose only jump is the ``break`` at its end is no loop."""
        ops: list[Op] = []
        for op in block.ops:
            for inner in op.blocks:
                self.inline_single_loops(inner)
            body = op.blocks[0].ops if op.opcode == "loop" else []
            if (
                body
                and body[-1].opcode == "break"
                and not has_jump(Block([], body[:-1]), frozenset({"break", "continue"}))
            ):
                self.replace(carried_params(op), initial_operands(op))
                self.replace(op.results, body[-1].operands)
                for o in body[:-1]:
                    if o.opcode == "assume_divisor":
                        self.replace(o.results, o.operands)
                    else:
                        ops.append(o)
            else:
                ops.append(op)
        block.ops = ops

    # -- early returns -------------------------------------------------------------------------------------------------

    def guard(self, ops: list[Op]) -> list[Op]:
        """Operations that the end of the kernel follows, without early returns: what a return skips goes into the other
        side of its branch."""
        at = _first_return(ops)
        if at is None:
            return ops
        before, op, rest = ops[:at], ops[at], ops[at + 1 :]
        ends = [jump_of(b) == "return" for b in op.blocks]
        leave, stay = op.blocks if ends[0] else op.blocks[::-1]
        self.replace(op.results, stay.ops[-1].operands)
        leaving = self.guard(leave.ops[:-1])
        staying = self.guard([*stay.ops[:-1], *rest])
        sides = [leaving, staying] if ends[0] else [staying, leaving]
        condition = op.operands[0]
        if not any(sides):
            return before
        if not sides[0] and self.turns_round(condition, before):
            sides = sides[::-1]
        blocks = [Block([], [*side, Op("yield", [], [], source=op.source)]) for side in sides]
        return [*before, Op("if", [condition], [], {}, blocks, op.source)]

    # -- jumps from one side of a branch -------------------------------------------------------------------------------

    def flatten(self, block: Block) -> None:
        """Where one side of a branch jumps, the other side goes on after the branch."""
        ops: list[Op] = []
        pending = block.ops
        while pending:
            op, *pending = pending
            if op.opcode == "loop":
                self._flatten_loop(op)
            else:
                for inner in op.blocks:
                    self.flatten(inner)
            sides = [jump_of(b) is not None for b in op.blocks] if op.opcode == "if" else []
            if sides.count(True) != 1:
                ops.append(op)
                continue
            leave, stay = (op.blocks[0], op.blocks[1]) if sides[0] else (op.blocks[1], op.blocks[0])
            self.replace(op.results, stay.ops[-1].operands)
            nothing = Block([], [Op("yield", [], [], source=op.source)])
            blocks = [leave, nothing] if sides[0] else [nothing, leave]
            ops.append(Op("if", op.operands, [], blocks=blocks, source=op.source))
            pending = [*stay.ops[:-1], *pending]
        block.ops = ops

    def _flatten_loop(self, loop: Op) -> None:
        """The condition of a ``while`` stays as it is."""
        header = is_while(loop)
        body = loop.blocks[0]
        if header is None:
            self.flatten(body)
            return
        i = body.ops.index(header)
        rest = Block([], body.ops[i + 1 :])
        self.flatten(rest)
        body.ops = [*body.ops[: i + 1], *rest.ops]

    def turns_round(self, condition: Value, ops: list[Op]) -> bool:
        """Whether an integer comparison among ``ops`` could be turned into its opposite. Any other condition stays as it is:
        machine code would show the operation that inverts it."""
        maker = self.makers.get(condition)
        if maker is None or maker not in ops or maker.opcode not in NEGATED or condition.hint is not None:
            return False
        t = maker.operands[0].type
        exact = isinstance(t, TileType) and isinstance(t.dtype, Lit) and not dt.is_float(t.dtype.value)
        if not exact or self.uses.get(condition) != 1:
            return False
        maker.opcode = NEGATED[maker.opcode]
        return True

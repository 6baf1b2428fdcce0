"""Whether two instruction streams are the same up to which registers hold the values.

The rule. Both streams must have the same instructions, immediates, labels and guards at the same places; only the
numbers of registers may differ, and those of named barriers, these by one fixed exchange for the whole stream (barrier
0 stays). At each place a table says which register of the right holds the value of a register of the left. Both
programs start from the same state, so it starts with each register as its own partner; an instruction's results become
partners, and what a write destroys has none; where control flow joins, only partners that all ways agree on stay. Each
register read must be read on the right as its partner: then equal instructions work on equal values throughout, and
the programs do the same. What an instruction reads and writes, implied registers of wide operands included, is
nvdisasm's own life-range analysis. Where the flow of control or an operand is not understood, the streams count as
different.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cutile2rs.verify.listing import Instruction, Listing, Register

_Partners = dict[Register, Register]
_Table = dict[Register, Register | None]  # registers whose partner is another register or none
_OPAQUE = re.compile(r"(BRXU|JMX|JMXU|JMP|RPCMOV|BMOV|CALL\.ABS|RET\.ABS)\b")


@dataclass(frozen=True)
class Mismatch:
    """The first instruction, by place, at which the streams part."""

    index: int
    left: str
    right: str
    reason: str


class _Refused(Exception):
    pass


def first_mismatch(left: Listing, right: Listing) -> Mismatch | None:
    """None if the streams are the same up to the choice of registers. Both listings need life ranges."""
    pairs: list[_Pair] = []
    for index in range(max(len(left.instructions), len(right.instructions))):
        if index >= len(left.instructions) or index >= len(right.instructions):
            texts = [side.instructions[index].text if index < len(side.instructions) else "" for side in (left, right)]
            return Mismatch(index, texts[0], texts[1], "one stream is longer")
        one, other = left.instructions[index], right.instructions[index]
        try:
            pairs.append(_Pair(one, other))
        except _Refused as refusal:
            return Mismatch(index, one.text, other.text, str(refusal))
    try:
        _check_barriers(left, right)
        successors = _successors(left)
        if successors != _successors(right):
            raise _Refused("the flow of control differs")
    except _Refused as refusal:
        return Mismatch(0, "", "", str(refusal))
    return _simulate(pairs, successors)


class _Pair:
    """Two instructions that may correspond, and which registers of theirs do."""

    def __init__(self, left: Instruction, right: Instruction) -> None:
        if left.shape != right.shape:
            raise _Refused("the instructions differ")
        self.left, self.right = left, right
        partner: _Partners = {}
        for one, other in zip(left.tokens, right.tokens, strict=True):
            if partner.setdefault(one, other) != other:
                raise _Refused("one register on the left is two on the right")
        self.reads = _match(left.reads, right.reads, left.tokens, partner)
        self.writes = _match(left.writes, right.writes, left.tokens, partner)
        for one, other in partner.items():
            if one not in self.reads and one not in self.writes:
                self.reads[one] = other  # shown but not followed by nvdisasm: take it as read


def _match(left: set[Register], right: set[Register], tokens: list[Register], partner: _Partners) -> _Partners:
    """Partners of all registers, those of wide operands through the operand's first register."""
    table: _Partners = {}
    for name, number in left:
        bases = [base for kind, base in tokens if kind == name and base <= number]
        if not bases:
            # A register that the text does not show cannot be renamed.
            table[name, number] = (name, number)
            continue
        first = max(bases)
        if any((name, between) not in left for between in range(first + 1, number)):
            raise _Refused("an operand's registers are not consecutive")
        kind, base = partner[name, first]
        table[name, number] = (kind, base + number - first)
    if set(table.values()) != right:
        raise _Refused("the registers read or written do not correspond")
    return table


def _check_barriers(left: Listing, right: Listing) -> None:
    """Named barriers must correspond one to one, and be named by number only if any has another number."""
    there: dict[int, int] = {0: 0}
    back: dict[int, int] = {0: 0}
    for one, other in zip(left.instructions, right.instructions, strict=True):
        if one.barrier is None or other.barrier is None:
            continue
        if there.setdefault(one.barrier, other.barrier) != other.barrier:
            raise _Refused("one barrier on the left is two on the right")
        if back.setdefault(other.barrier, one.barrier) != one.barrier:
            raise _Refused("one barrier on the right is two on the left")
    if all(one == other for one, other in there.items()):
        return
    for instruction in left.instructions:
        if instruction.opcode.startswith(("BAR", "B2R", "UBAR")) and instruction.barrier is None:
            raise _Refused("a barrier that is not named by its number")


def _successors(listing: Listing) -> list[list[int]]:
    count = len(listing.instructions)
    after_calls = [
        index + 1 for index, instruction in enumerate(listing.instructions) if instruction.opcode.startswith("CALL")
    ]
    barriers: dict[str, list[int]] = {}
    targets: list[list[int]] = []
    for instruction in listing.instructions:
        found = [listing.labels[label] for label in instruction.labels if label in listing.labels]
        targets.append(found)
        if match := re.search(r"\bBSSY\S* (B\d+)", instruction.text):
            barriers.setdefault(match[1], []).extend(found)
    result: list[list[int]] = []
    for index, instruction in enumerate(listing.instructions):
        opcode, found = instruction.opcode, list(targets[index])
        if _OPAQUE.match(opcode):
            raise _Refused(f"'{opcode}' is not followed")
        if opcode.startswith("BRX") and not found:
            raise _Refused("the targets of a jump through a table are not known")
        kind = opcode.split(".")[0]
        if (kind in ("BRA", "CALL", "BSSY") or (kind == "WARPSYNC" and instruction.labels)) and not found:
            raise _Refused(f"the target of '{instruction.text}' is not known")
        if opcode.startswith("BSYNC"):
            found += barriers.get(instruction.text.split()[-1], [])
        if opcode.startswith("RET"):
            found += after_calls
        if not _ends(instruction):
            found.append(index + 1)
        result.append(sorted({target for target in found if target < count}))
    return result


def _ends(instruction: Instruction) -> bool:
    """Whether control never goes on to the next instruction."""
    return instruction.text == "EXIT" or re.fullmatch(r"BRA `\([^)]*\)", instruction.text) is not None


def _simulate(pairs: list[_Pair], successors: list[list[int]]) -> Mismatch | None:
    tables: list[_Table | None] = [None] * len(pairs)
    tables[0] = {}
    pending = [0]
    while pending:  # to the fixed point first: a partner once lost stays lost
        index = pending.pop()
        table = tables[index]
        assert table is not None
        after = _after(pairs[index], table)
        for target in successors[index]:
            known = tables[target]
            merged = after if known is None else _agreed(known, after)
            if known is None or merged != known:
                tables[target] = merged
                pending.append(target)
    for index, (pair, table) in enumerate(zip(pairs, tables, strict=True)):
        if table is None:
            table = {}  # not reached: must be the same as it stands
        for one, other in pair.reads.items():
            if table.get(one, one) != other:
                return Mismatch(index, pair.left.text, pair.right.text, f"{_shown(one)} and {_shown(other)} differ")
    return None


def _agreed(first: _Table, second: _Table) -> _Table:
    agreed: _Table = {}
    for register in first.keys() | second.keys():
        one, other = first.get(register, register), second.get(register, register)
        if one != other:
            agreed[register] = None
        elif one != register:
            agreed[register] = one
    return agreed


def _after(pair: _Pair, table: _Table) -> _Table:
    """The table behind an instruction.

    Under a guard the old value may stay. nvdisasm marks such a write as a read too if the old value is used later,
    and reads are checked; else the old value is dead.
    """
    if not table and all(one == other for one, other in pair.writes.items()):
        return table
    overwritten = set(pair.writes.values())
    after: _Table = {one: None if other in overwritten else other for one, other in table.items()}
    for other in overwritten:
        if other not in table:
            after[other] = None
    for one, other in pair.writes.items():
        if one == other:
            after.pop(one, None)
        else:
            after[one] = other
    return after


def _shown(register: Register) -> str:
    return f"{register[0]}{register[1]}"

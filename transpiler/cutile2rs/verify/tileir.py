"""Canonical Tile IR: what is left of a kernel when differences are removed that do not change what it means.

Removed, and nothing else:
- names of values and of the entry, source locations, spacing;
- pure operations whose results nothing uses, and repetitions of a pure operation (`make_token` among them);
- the order of pure operations in a block: each stands before the first operation that needs it;
- where constants, `iota`, reshapes, broadcasts, partition views and block ids stand: in the outermost block possible;
- `assume bounded<0, ?>` on block ids and counts; multiplication by 1; a reshape or broadcast to the same type;
- hints for other targets, and whether a hint is given by default or for the target.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

from cutile2rs.verify.tileir_parse import Kernel, Operation, Region, TileIrError, Value, disassemble, parse

__all__ = ["CanonicalIr", "IrDifference", "TileIrError", "canonical_ir", "canonicalize", "first_difference"]

_BLOCK_IDS = frozenset({"get_tile_block_id", "get_num_tile_blocks"})
# Always the same wherever they stand, and free.
_MOVABLE = _BLOCK_IDS | {"constant", "iota", "reshape", "broadcast", "make_partition_view", "make_token"}
_PURE_NAMES = """
    absf absi addf addi andi assume bitcast cat ceil cmpf cmpi cos cosh divf divi exp exp2 extract exti floor fma ftof
    ftoi get_index_space_shape get_tensor_shape int_to_ptr itof join_tokens log log2 make_strided_view
    make_tensor_view maxf maxi minf mini mmaf mmai mulf mulhii muli negf negi offset ori permute pow ptr_to_int
    ptr_to_ptr reduce remf remi rsqrt scan select shli shri sin sinh sqrt subf subi tan tanh trunci xori
"""
_PURE = _MOVABLE | frozenset(_PURE_NAMES.split())
_HINTS = re.compile(r" ?optimization_hints ?= ?<([^>]*)>")


@dataclass(frozen=True)
class CanonicalOp:
    """One line of canonical text, and the source line that it came from."""

    text: str
    line: int | None


@dataclass(frozen=True)
class CanonicalIr:
    """A canonical kernel."""

    operations: tuple[CanonicalOp, ...]

    @property
    def text(self) -> str:
        """The whole text; equal texts are equal kernels."""
        return "\n".join(operation.text for operation in self.operations) + "\n"


@dataclass(frozen=True)
class IrDifference:
    """The first place where two canonical kernels part."""

    index: int
    left: tuple[CanonicalOp, ...]
    right: tuple[CanonicalOp, ...]

    def render(self, left_title: str = "Python", right_title: str = "Rust", width: int = 100) -> str:
        """The operations side by side, source lines in front."""
        rows = [(_cell(left, width), _cell(right, width)) for left, right in zip_longest(self.left, self.right)]
        column = max([len(left_title), *(len(left) for left, _ in rows)])
        lines = [f"{left_title:<{column}} | {right_title}"]
        return "\n".join(lines + [f"{left:<{column}} | {right}".rstrip() for left, right in rows])


def _cell(operation: CanonicalOp | None, width: int) -> str:
    if operation is None:
        return ""
    text = f"{operation.line}: {operation.text}" if operation.line is not None else operation.text
    return text if len(text) <= width else text[: width - 3] + "..."


def canonical_ir(bytecode: bytes, arch: str) -> CanonicalIr:
    """The canonical form of a kernel's bytecode for one target."""
    return canonicalize(disassemble(bytecode), arch)


def canonicalize(text: str, arch: str) -> CanonicalIr:
    """The canonical form of Tile IR text for one target."""
    others, kernels = parse(text)
    operations = [CanonicalOp(line, None) for line in others]
    for kernel in kernels:
        _simplify(kernel.body)
        operations += _Printer(kernel, arch).operations
    return CanonicalIr(tuple(operations))


def first_difference(left: CanonicalIr, right: CanonicalIr, context: int = 4) -> IrDifference | None:
    """The first operations that differ and the next few, or None if the kernels are equal."""
    for index, (one, other) in enumerate(zip_longest(left.operations, right.operations)):
        if one is None or other is None or one.text != other.text:
            window = slice(index, index + context)
            return IrDifference(index, left.operations[window], right.operations[window])
    return None


class _Simplifier:
    """Replaces values by equal ones that were there before."""

    def __init__(self) -> None:
        self.replaced: dict[Value, Value] = {}
        self.tables: dict[Region, dict[tuple[object, ...], Operation]] = {}

    def run(self, region: Region) -> None:
        self.tables[region] = {}
        kept: list[Operation] = []
        for operation in region.operations:
            operation.operands = [self.replaced.get(value, value) for value in operation.operands]
            if (same := _identity(operation)) is not None:
                self.replaced[operation.results[0]] = same
                continue
            if operation.name in _PURE and not operation.regions and self._merge(operation):
                continue
            kept.append(operation)
            for inner in operation.regions:
                self.run(inner)
        region.operations = kept

    def _merge(self, operation: Operation) -> bool:
        if operation.name in _MOVABLE:
            homes = [home for value in operation.operands if (home := _home(value)) is not None]
            operation.home = max(homes, key=lambda home: home.depth) if homes else _root(operation.home)
        key = (operation.name, *operation.text, *(id(value) for value in operation.operands))
        region: Region | None = operation.home
        while region is not None:
            if (earlier := self.tables[region].get(key)) is not None:
                self.replaced.update(zip(operation.results, earlier.results, strict=True))
                return True
            region = region.parent
        self.tables[operation.home][key] = operation
        return False


def _simplify(body: Region) -> None:
    _Simplifier().run(body)


def _home(value: Value) -> Region | None:
    return value.operation.home if value.operation is not None else value.region


def _root(region: Region) -> Region:
    while region.parent is not None:
        region = region.parent
    return region


def _identity(operation: Operation) -> Value | None:
    """The operand that an operation only passes on, if it does."""
    operands = operation.operands
    if operation.name == "assume" and re.fullmatch(r"assume bounded<0, \?>, ", operation.text[0]):
        source = operands[0].operation
        return operands[0] if source is not None and source.name in _BLOCK_IDS else None
    if operation.name == "muli" and len(operands) == 2:
        if _is_one(operands[1]):
            return operands[0]
        return operands[1] if _is_one(operands[0]) else None
    if operation.name in ("reshape", "broadcast") and len(operands) == 1:
        before, arrow, after = operation.text[1].removeprefix(" : ").partition(" -> ")
        return operands[0] if arrow and before == after else None
    return None


def _is_one(value: Value) -> bool:
    source = value.operation
    return source is not None and source.name == "constant" and "".join(source.text).startswith(_ONES)


_ONES = tuple(f"constant <i{bits}: 1> : " for bits in (8, 16, 32, 64))


class _Printer:
    def __init__(self, kernel: Kernel, arch: str) -> None:
        self.arch = arch
        self.names: dict[Value, str] = {}
        self.done: set[Operation] = set()
        self.operations: list[CanonicalOp] = []
        header = self._fill(kernel.header, kernel.body.arguments)
        self.operations.append(CanonicalOp(header + " {", None))
        self._print_region(kernel.body, 1)
        self.operations.append(CanonicalOp("}", None))

    def _print_region(self, region: Region, indent: int) -> None:
        for operation in region.operations:
            if operation.name not in _PURE:
                self._print_needed(operation, region, indent)
                self._print(operation, indent)

    def _print_needed(self, operation: Operation, region: Region, indent: int) -> None:
        """Print the pure operations of `region` that `operation` needs and that are not there yet."""
        pending = [(operation, iter(list(_needs(operation))))]
        while pending:
            user, needs = pending[-1]
            value = next(needs, None)
            if value is None:
                pending.pop()
                if pending:
                    self._print(user, indent)
                continue
            source = value.operation
            if source is not None and source.home is region and source.name in _PURE and source not in self.done:
                self.done.add(source)
                pending.append((source, iter(list(_needs(source)))))

    def _print(self, operation: Operation, indent: int) -> None:
        space = "  " * indent
        text = self._fill(operation.text, operation.operands)
        results = ", ".join(self._name(value) for value in operation.results)
        head = f"{space}{results} = {text}" if results else space + text
        if not operation.regions:
            self.operations.append(CanonicalOp(head, operation.line))
            return
        for index, region in enumerate(operation.regions):
            start = head if index == 0 else f"{space}}} else"
            if region.argument_text:
                start += " " + self._fill(region.argument_text, region.arguments)
            self.operations.append(CanonicalOp(start + " {", operation.line))
            self._print_region(region, indent + 1)
        self.operations.append(CanonicalOp(space + "}", None))

    def _fill(self, text: list[str], values: list[Value]) -> str:
        joined = "".join(
            piece + (self._name(values[index]) if index < len(values) else "") for index, piece in enumerate(text)
        )
        return _HINTS.sub(lambda match: _hints(match[1], self.arch), joined)

    def _name(self, value: Value) -> str:
        return self.names.setdefault(value, f"%{len(self.names)}")


def _needs(operation: Operation) -> Iterable[Value]:
    """The values from outside that an operation, its regions included, depends on, in order of use."""
    inside = set(operation.regions)
    for value in operation.operands:
        if _home(value) not in inside:
            yield value
    seen: set[Operation] = set()
    for region in operation.regions:
        yield from _region_needs(region, operation, seen)


def _region_needs(region: Region, outer: Operation, seen: set[Operation]) -> Iterable[Value]:
    for operation in region.operations:
        if operation.name not in _PURE:
            yield from _outside(operation, outer, seen)
            for inner in operation.regions:
                yield from _region_needs(inner, outer, seen)


def _outside(operation: Operation, outer: Operation, seen: set[Operation]) -> Iterable[Value]:
    for value in operation.operands:
        if not _is_within(_home(value), outer):
            yield value
        elif (source := value.operation) is not None and source.name in _PURE and source not in seen:
            seen.add(source)
            yield from _outside(source, outer, seen)
            for inner in source.regions:
                yield from _region_needs(inner, outer, seen)


def _is_within(region: Region | None, outer: Operation) -> bool:
    while region is not None:
        if region.owner is outer:
            return True
        region = region.parent
    return False


def _hints(text: str, arch: str) -> str:
    """The hints that hold for `arch`; one given for it goes before the default."""
    tables = {
        name: dict(re.findall(r"(\w+) = ([^,}]+)", body)) for name, body in re.findall(r"(\w+) = \{([^}]*)\}", text)
    }
    merged = {**tables.get("default", {}), **tables.get(arch, {})}
    entries = ", ".join(f"{name} = {value.strip()}" for name, value in sorted(merged.items()))
    return f" hints = {{{entries}}}" if entries else ""

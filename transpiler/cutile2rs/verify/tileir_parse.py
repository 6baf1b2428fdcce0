"""Tile IR text, as `tileirdisasm -g` prints it, read into operations."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cutile2rs.verify.toolchain import ToolError, run_tool

_VALUE = r"%[\w.$-]+(?:#\d+)?"
_RESULTS = re.compile(rf"({_VALUE}(?::\d+)?(?:, {_VALUE}(?::\d+)?)*) = (.*)", re.DOTALL)
_LOCATION = re.compile(r" ?loc\((#loc\d*|unknown)\)")
_LOCATION_DEFINITION = re.compile(r"(#loc\d*) = (.*)")
_LINE_NUMBER = re.compile(r'"[^"]*":(\d+):\d+')


class TileIrError(Exception):
    """Tile IR text is not of the form that the reader knows."""


@dataclass(eq=False)
class Value:
    """A result of an operation, or an argument of a region."""

    operation: Operation | None
    region: Region | None
    index: int = 0


@dataclass(eq=False)
class Region:
    """A block of operations in an operation, or the whole kernel."""

    owner: Operation | None
    parent: Region | None
    depth: int
    operations: list[Operation] = field(default_factory=list)
    arguments: list[Value] = field(default_factory=list)
    argument_text: list[str] = field(default_factory=list)  # text around the arguments


@dataclass(eq=False)
class Operation:
    """One operation; `text` stands around the operands, in order. Inline region arguments count as operands."""

    name: str
    text: list[str]
    operands: list[Value]
    home: Region
    results: list[Value] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    line: int | None = None


@dataclass
class Kernel:
    """One entry: its header's text around the arguments, and its body."""

    header: list[str]
    body: Region


def disassemble(bytecode: bytes) -> str:
    """Tile IR text of bytecode, with source locations where the bytecode has them."""
    try:
        return run_tool("tileirdisasm", ["-g", "{in}"], bytecode).decode()
    except UnicodeDecodeError as error:
        raise ToolError("tileirdisasm: the text is not UTF-8") from error


def parse(text: str) -> tuple[list[str], list[Kernel]]:
    """Lines outside entries (globals and the like) and the entries."""
    return _Parser(text).parse()


class _Parser:
    def __init__(self, text: str) -> None:
        self.lines = [line.strip() for line in text.split("\n") if line.strip()]
        self.location_lines = _location_lines(self.lines)
        self.position = 0
        self.scopes: list[dict[str, Value]] = []

    def parse(self) -> tuple[list[str], list[Kernel]]:
        others: list[str] = []
        kernels: list[Kernel] = []
        while self.position < len(self.lines):
            line = self.lines[self.position]
            if line.startswith("entry @"):
                kernels.append(self._kernel())
            else:
                if not line.startswith("#"):
                    others.append(_LOCATION.sub("", line))
                self.position += 1
        return others, kernels

    def _kernel(self) -> Kernel:
        line = self._next()
        if not line.endswith("{"):
            raise TileIrError(f"an entry without a body: {line[:200]}")
        line = re.sub(r"^entry @(\"[^\"]*\"|[^\s(]+)", "entry", _LOCATION.sub("", line))
        body = Region(None, None, 0)
        self.scopes.append({})
        header, _ = self._split(line[:-1].rstrip(), body, re.findall(rf"({_VALUE}): ", line))
        self._body(body)
        self.scopes.pop()
        if not self._next().startswith("}"):
            raise TileIrError("an entry does not end")
        return Kernel(header, body)

    def _next(self) -> str:
        if self.position >= len(self.lines):
            raise TileIrError("the text ends early")
        self.position += 1
        return self.lines[self.position - 1]

    def _body(self, region: Region) -> None:
        """Operations up to the closing brace, which stays."""
        while True:
            if self.position >= len(self.lines):
                raise TileIrError("a region does not end")
            if self.lines[self.position].startswith("}"):
                return
            region.operations.append(self._operation(region))

    def _operation(self, home: Region) -> Operation:
        line = self._next()
        names: list[str] = []
        if match := _RESULTS.fullmatch(line):
            names, line = match[1].split(", "), match[2]
        match = re.match(r"[\w.]+", line)
        if match is None:
            raise TileIrError(f"not an operation: {line[:200]}")
        operation = Operation(match[0], [], [], home, line=self._source_line(line))
        line = re.sub(r"\s+", " ", _LOCATION.sub("", line)).strip()
        opens = line.endswith("{")
        first = Region(operation, home, home.depth + 1)
        self.scopes.append({})
        inline = _inline_arguments(line) if match[0] in ("for", "loop") else []
        operation.text, operation.operands = self._split(line[:-1].rstrip() if opens else line, first, inline)
        if not opens and self.position < len(self.lines) and self.lines[self.position].startswith("("):
            header = _LOCATION.sub("", self._next())
            if not header.endswith("{"):
                raise TileIrError(f"a region without a body: {header[:200]}")
            first.argument_text, _ = self._split(header[:-1].rstrip(), first, re.findall(rf"({_VALUE}): ", header))
            opens = True
        if opens:
            self._regions(operation, first)
        self.scopes.pop()
        self._define(operation, names)
        return operation

    def _regions(self, operation: Operation, region: Region) -> None:
        while True:
            operation.regions.append(region)
            self._body(region)
            closing = self._next()
            if closing.startswith("} else {"):
                region = Region(operation, operation.home, operation.home.depth + 1)
                self.scopes.pop()
                self.scopes.append({})
                continue
            if _LOCATION.sub("", closing).strip() != "}":
                raise TileIrError(f"unexpected text after a region: {closing[:200]}")
            operation.line = self._source_line(closing)
            return

    def _define(self, operation: Operation, names: list[str]) -> None:
        for name in names:
            base, _, count = name.partition(":")
            for index in range(int(count or 1)):
                value = Value(operation, None, len(operation.results))
                operation.results.append(value)
                self.scopes[-1][f"{base}#{index}" if count else base] = value
                if index == 0:
                    self.scopes[-1][base] = value

    def _split(self, text: str, region: Region, arguments: list[str]) -> tuple[list[str], list[Value]]:
        """Text around the values in `text`, and the values; the names in `arguments` define region arguments."""
        for name in arguments:
            value = Value(None, region, len(region.arguments))
            region.arguments.append(value)
            self.scopes[-1][name] = value
        own = set(arguments)
        pieces: list[str] = []
        values: list[Value] = []
        end = 0
        for match in re.finditer(_VALUE, text):
            # An initial value may have the name of the argument it starts: `iter_values(%x = %x)`.
            outer = match[0] in own and match[0] in _initial_names(text, match.start())
            pieces.append(text[end : match.start()])
            values.append(self._look_up(match[0], skip_inner=outer))
            end = match.end()
        return [*pieces, text[end:]], values

    def _look_up(self, name: str, *, skip_inner: bool) -> Value:
        for scope in reversed(self.scopes[:-1] if skip_inner else self.scopes):
            if name in scope:
                return scope[name]
        raise TileIrError(f"'{name}' is not defined")

    def _source_line(self, line: str) -> int | None:
        found = _LOCATION.findall(line)
        return self.location_lines.get(found[-1]) if found else None


def _initial_names(text: str, start: int) -> list[str]:
    return re.findall(rf"^{_VALUE}", text[start:]) if text[:start].endswith(" = ") else []


def _inline_arguments(line: str) -> list[str]:
    arguments = re.findall(rf"^for ({_VALUE}) in ", line)
    _, _, values = line.partition("iter_values(")
    return arguments + re.findall(rf"({_VALUE}) = ", values)


def _location_lines(lines: list[str]) -> dict[str, int]:
    """Source line of each location alias, followed through the aliases it is made of."""
    definitions = {match[1]: match[2] for line in lines if (match := _LOCATION_DEFINITION.fullmatch(line))}

    def line_of(alias: str, depth: int = 0) -> int | None:
        text = definitions.get(alias, "")
        if match := _LINE_NUMBER.search(text):
            return int(match[1])
        for inner in re.findall(r"#loc\d*", text):
            if depth < 50 and (line := line_of(inner, depth + 1)) is not None:
                return line
        return None

    return {alias: line for alias in definitions if (line := line_of(alias)) is not None}

"""Machine code as `nvdisasm` lists it: instructions with the registers that each reads and writes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cutile2rs.verify.toolchain import run_tool

Register = tuple[str, int]  # class ("R", "P", "UR", "UP") and number

_INSTRUCTION = re.compile(r"\s*/\*[0-9a-f]+\*/\s+(.*?)\s*;\s*(?://\s*(\|.*))?")
_LABEL = re.compile(r"(\.L_x_\d+|\$[^\s:]+):")
_TOKEN = re.compile(r"\b(UR|UP|R|P)(\d+)\b")
_BARRIER = re.compile(r"(BAR\.[A-Z_.]+ )(0x[0-9a-f]+)(?=,|$)")
_REFERENCE = re.compile(r"`\(([^)]*)\)")
_CLASSES = ("R", "P", "UR", "UP")


@dataclass
class Instruction:
    """One instruction: its text with registers cut out, those registers in order, and what it reads and writes."""

    text: str
    shape: str
    tokens: list[Register]
    labels: list[str]  # labels referred to
    reads: set[Register] = field(default_factory=set)
    writes: set[Register] = field(default_factory=set)
    barrier: int | None = None  # number of the named barrier, cut out of the shape

    @property
    def opcode(self) -> str:
        """Name with its suffixes, without guard and operands."""
        return next(word for word in self.text.split() if not word.startswith(("@", "{")))


@dataclass
class Listing:
    """The code of a cubin; labels give the index of the instruction that follows."""

    instructions: list[Instruction]
    labels: dict[str, int]


def list_code(cubin: bytes, *, life_ranges: bool = False) -> Listing:
    """Disassemble a cubin; with `life_ranges`, reads and writes are filled in (slower)."""
    flags = ["-lrm", "narrow"] if life_ranges else []
    return parse_listing(run_tool("nvdisasm", ["-c", *flags, "{in}"], cubin).decode(), life_ranges=life_ranges)


def parse_listing(text: str, *, life_ranges: bool = False) -> Listing:
    """Read nvdisasm's text. Kernel names are cut out, labels are numbered by their place."""
    lines = text.split("\n")
    kernels = re.findall(r"^\s*\.section\s+\.text\.(\S+?),", text, re.MULTILINE)
    listing = Listing([], {})
    columns: list[tuple[str, int, int]] = []
    for line in lines:
        if match := _LABEL.match(line):
            listing.labels[_plain(match[1], kernels)] = len(listing.instructions)
        elif match := _INSTRUCTION.match(line):
            instruction = _instruction(match[1], kernels)
            if life_ranges:
                _read_marks(instruction, line, columns)
            listing.instructions.append(instruction)
        elif life_ranges and "# 0" in line and "// |" in line:
            columns = _columns(line)
    for instruction in listing.instructions:
        for label in instruction.labels:
            place = listing.labels.get(label)
            shown = f"L{place}" if place is not None else label
            instruction.text = instruction.text.replace(f"`({label})", f"`({shown})")
            instruction.shape = instruction.shape.replace(f"`({label})", f"`({shown})")
    return listing


def _instruction(text: str, kernels: list[str]) -> Instruction:
    branch_targets = re.findall(r"BRANCH_TARGETS ([^\"]*)", text)
    text = re.sub(r'\(\*"[^"]*"\*\)', "", text)
    text = re.sub(r"\s+", " ", text).strip()
    text = _plain(text, kernels)
    references = _REFERENCE.findall(text)
    outside = _REFERENCE.sub("`", text)  # names of labels hold no registers
    tokens = [(match[1], int(match[2])) for match in _TOKEN.finditer(outside)]
    pieces = iter(references)
    shape = re.sub("`", lambda _: f"`({next(pieces)})", _TOKEN.sub(lambda match: f"<{match[1]}>", outside))
    barrier: int | None = None
    if match := _BARRIER.search(shape):
        barrier = int(match[2], 16)
        shape = shape[: match.start(2)] + "<BAR>" + shape[match.end(2) :]
    for targets in branch_targets:
        references += re.findall(r"\.L_x_\d+", targets)
    return Instruction(text, shape, tokens, references, barrier=barrier)


def _plain(text: str, kernels: list[str]) -> str:
    """The text without the kernels' own names."""
    for index, kernel in enumerate(kernels):
        text = text.replace(kernel, f"<kernel {index}>")
    return text


def _columns(header: str) -> list[tuple[str, int, int]]:
    """For each register class, the first column of its marks and the column after the last."""
    found: list[tuple[str, int, int]] = []
    start = header.index("// |") + 4
    for name in _CLASSES:
        end = header.find("|", start)
        if end < 0:
            break  # this program uses no register of the remaining classes
        section = header[start:end]
        if "# " in section:
            first = start + section.index("# ") + 2
            found.append((name, first, first + len(header[first:end].rstrip())))
        start = end + 1
    return found


def _read_marks(instruction: Instruction, line: str, columns: list[tuple[str, int, int]]) -> None:
    for name, first, last in columns:
        for number, mark in enumerate(line[first:last]):
            if mark in "vx":
                instruction.reads.add((name, number))
            if mark in "^x":
                instruction.writes.add((name, number))

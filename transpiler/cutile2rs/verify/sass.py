"""Machine code of two Tile IR programs, compared.

Code counts as the same in one of these ways, tried in this order (`SassResult.how`):
- `bytecode`: the assembler's inputs are the same bytes;
- `exact`: code, constants, relocations and launch attributes of the cubins are the same bytes, names apart;
- `registers`: they differ in which registers hold the values and in nothing else (the rule: `registers.py`);
- `set`: the assembler made the same machine code of both (from sm_100 on, up to registers) in one of several runs each.
The last two exist because the assembler is not deterministic. From sm_100 on it chooses registers anew in most runs, and
of some programs it makes now longer, now shorter code (7,944 or 8,176 instructions of one recurrence). Up to sm_90 that
is rare (two variants of one program, in six runs each of both sides), so `registers` is not tried there.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from cutile2rs.verify.cubin import CodeImage, code_image
from cutile2rs.verify.listing import Listing, list_code
from cutile2rs.verify.registers import Mismatch, first_mismatch
from cutile2rs.verify.toolchain import run_tool, tool

_FIRST_UNSTEADY = 100
_RUNS_OF_A_SET = 4


@dataclass(frozen=True)
class SassResult:
    """Whether two programs have the same machine code, how that was seen, and where they first differ."""

    equal: bool
    how: str
    first_difference: str | None = None


class Assembler:
    """Runs tileiras, and keeps what it made: in memory, and in a folder if one is given."""

    def __init__(self, cache: Path | None = None) -> None:
        self._folder = cache
        self._memory: dict[str, bytes] = {}
        self._lock = threading.Lock()

    def assemble(self, bytecode: bytes, arch: str, opt_level: int = 3) -> bytes:
        """The cubin of one program."""
        key = _cache_key(bytecode, arch, opt_level)
        with self._lock:
            known = self._memory.get(key)
        path = self._folder / f"{key}.cubin" if self._folder is not None else None
        if known is None and path is not None and path.is_file():
            known = path.read_bytes()
        if known is None:
            known = run_tileiras(bytecode, arch, opt_level)
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                partial = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
                partial.write_bytes(known)
                partial.replace(path)
        with self._lock:
            self._memory[key] = known
        return known


def run_tileiras(bytecode: bytes, arch: str, opt_level: int = 3, *, fixed_layout: bool = False) -> bytes:
    """Assemble with the flags of cuda.tile, less `--lineinfo`, which adds sections and leaves the code alone."""
    arguments = ["--gpu-name", arch, f"-O{opt_level}", "-o", "{out}", "{in}"]
    return run_tool("tileiras", arguments, bytecode, fixed_layout=fixed_layout)


def _cache_key(bytecode: bytes, arch: str, opt_level: int) -> str:
    """Key of the program without names and source locations: its plain text says all else, and exactly."""
    text = run_tool("tileirdisasm", ["{in}"], bytecode).decode()
    text = re.sub(r"^(\s*entry @)\S+?\(", r"\1kernel(", text, flags=re.MULTILINE)
    assembler = os.stat(tool("tileiras"))
    content = f"{assembler.st_size} {assembler.st_mtime_ns} {arch} {opt_level}\n{text}"
    return hashlib.sha256(content.encode()).hexdigest()


def is_steady(arch: str) -> bool:
    """Whether the assembler makes the same code of the same program nearly each time (up to sm_90 it does)."""
    match = re.fullmatch(r"sm_(\d+)[af]?", arch)
    return match is not None and int(match[1]) < _FIRST_UNSTEADY


def compare(left: bytes, right: bytes, arch: str, opt_level: int = 3, assembler: Assembler | None = None) -> SassResult:
    """Compare the machine code of two programs for one target; raises ToolError if one does not assemble."""
    if left == right:
        return SassResult(True, "bytecode")
    assembler = assembler or Assembler()
    cubins = (assembler.assemble(left, arch, opt_level), assembler.assemble(right, arch, opt_level))
    steady = is_steady(arch)
    images = (code_image(cubins[0]), code_image(cubins[1]))
    if images[0] == images[1]:
        return SassResult(True, "exact")
    codes = (_code(cubins[0], steady), _code(cubins[1], steady))
    mismatch = None if steady else first_mismatch(codes[0].listing, codes[1].listing)
    if not steady and mismatch is None and images[0].properties == images[1].properties:
        return SassResult(True, "registers")
    alike = _histogram(codes[0].listing) == _histogram(codes[1].listing)
    if (alike or not steady) and _sets_meet((left, right), codes, arch, opt_level):
        return SassResult(True, "set")
    return SassResult(False, "set", _difference(images, codes[0].listing, codes[1].listing, mismatch))


@dataclass(frozen=True)
class _Code:
    """What the assembler made in one run."""

    image: CodeImage
    listing: Listing

    def is_same(self, other: _Code, steady: bool) -> bool:
        """The same bytes, or where the assembler is not steady the same but for registers."""
        if self.image == other.image:
            return True
        if steady or self.image.properties != other.image.properties:
            return False
        return _histogram(self.listing) == _histogram(other.listing) and not first_mismatch(self.listing, other.listing)


def _code(cubin: bytes, steady: bool) -> _Code:
    return _Code(code_image(cubin), list_code(cubin, life_ranges=not steady))


def _sets_meet(programs: tuple[bytes, bytes], codes: tuple[_Code, _Code], arch: str, opt_level: int) -> bool:
    """Whether some code is among what the assembler makes of either program in several runs. Where it is not steady, that
    may be longer in one run than in another."""
    steady = is_steady(arch)
    seen = ([codes[0]], [codes[1]])
    for run in range(_RUNS_OF_A_SET):
        for side, program in enumerate(programs):
            code = _code(run_tileiras(program, arch, opt_level, fixed_layout=run == 0), steady)
            if any(code.is_same(other, steady) for other in seen[1 - side]):
                return True
            seen[side].append(code)
    return False


def _histogram(listing: Listing) -> Counter[str]:
    return Counter(instruction.opcode for instruction in listing.instructions)


def _difference(
    images: tuple[CodeImage, CodeImage], left: Listing, right: Listing, mismatch: Mismatch | None = None
) -> str:
    counts = f"{len(left.instructions)} and {len(right.instructions)} instructions"
    if mismatch is not None:
        return f"{counts}; at {mismatch.index}, {mismatch.reason}: {mismatch.left} | {mismatch.right}"
    for index, (one, other) in enumerate(zip(left.instructions, right.instructions, strict=False)):
        if one.text != other.text:
            return f"{counts}; at {index}: {one.text} | {other.text}"
    if len(left.instructions) != len(right.instructions):
        return f"{counts}; one goes on where the other ends"
    names = [name for name, part in sorted(dict(images[0].parts).items()) if dict(images[1].parts).get(name) != part]
    return f"{counts}, the same in text; these parts differ: {', '.join(names) or 'names of sections'}"

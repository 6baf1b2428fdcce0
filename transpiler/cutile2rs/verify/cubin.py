"""What of a cubin decides how its kernel runs, apart from names: code, constants, launch properties."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

_NOBITS, _RELA = 8, 4
# Attributes of the file-wide `.nv.info` whose value starts with the index of a function's symbol.
_SIZED = 4


class CubinError(Exception):
    """The assembler's output is not an ELF file of the expected form."""


#: Where an assertion stands in the source; its message begins with it.
_ASSERTED = re.compile(rb"[^\0]*:\d+: (?=tile block: \[)")


@dataclass(frozen=True)
class _Section:
    name: str
    kind: int
    size: int
    data: bytes


@dataclass(frozen=True)
class CodeImage:
    """The parts of a cubin that decide how it runs, under names free of the kernel's own; equal means same code."""

    parts: tuple[tuple[str, object], ...]

    @property
    def text(self) -> bytes:
        """The machine code of all functions."""
        return b"".join(part for name, part in self.parts if name.startswith(".text.") and isinstance(part, bytes))

    @property
    def properties(self) -> tuple[tuple[str, object], ...]:
        """All but the machine code and the register count."""
        return tuple((name, part) for name, part in self.parts if not name.startswith(".text.") and name != ".nv.info")


def code_image(cubin: bytes) -> CodeImage:
    """Code, constants, relocations, shared memory, launch attributes and host code of a cubin.

    Not part of it: debug information, the places of assertions, the note of the tool's version, and the `.nv.merc`
    copies (intermediate code for other chips of the family).
    """
    try:
        sections = _sections(cubin)
        symbols = _symbols(sections)
    except (struct.error, ValueError, IndexError, UnicodeDecodeError) as error:
        raise CubinError(f"not a readable cubin: {error}") from error
    kernels = [section.name.removeprefix(".text.") for section in sections if section.name.startswith(".text.")]
    if not kernels:
        raise CubinError("the cubin holds no code")

    def plain(name: str) -> str:
        for index, kernel in enumerate(kernels):
            name = name.replace(kernel, f"<kernel {index}>")
        return name

    parts: list[tuple[str, object]] = []
    for section in sections:
        name = section.name
        if name.startswith((".text.", ".nv.constant", ".nv.info.")):
            parts.append((plain(name), section.data))
        elif name == ".nv.info":
            parts.append((name, _attributes(section.data, [plain(symbol) for symbol in symbols])))
        elif name.startswith((".rela.text", ".rela.nv.constant")) and section.kind == _RELA:
            parts.append((plain(name), _relocations(section.data, [plain(symbol) for symbol in symbols])))
        elif name.startswith((".nv.shared", ".nv.local", ".nv.global")):
            data = _ASSERTED.sub(b"", section.data)
            parts.append((plain(name), (section.size - len(section.data) + len(data), data)))
        elif name == ".nv.host":
            parts += _host(section.data, kernels)
    return CodeImage(tuple(sorted(parts, key=lambda part: part[0])))


def _host(embedded: bytes, kernels: list[str]) -> list[tuple[str, object]]:
    """The code that the driver runs on the host when a launch's arguments change: it writes the tensor maps that the kernel
    reads. An object file of its own, whose only names that are the kernel's own stand among its constants."""
    try:
        sections = _sections(embedded)
        symbols = _symbols(sections)
    except (struct.error, ValueError, IndexError, UnicodeDecodeError) as error:
        raise CubinError(f"not a readable object file in .nv.host: {error}") from error
    parts: list[tuple[str, object]] = []
    for section in sections:
        name = f".nv.host{section.name}"
        if section.name.startswith((".text", ".ltext", ".data")):
            parts.append((name, section.data))
        elif section.name.startswith((".rela.text", ".rela.ltext", ".rela.data")) and section.kind == _RELA:
            parts.append((name, _relocations(section.data, symbols)))
        elif section.name.startswith((".rodata", ".lrodata")):
            data = section.data
            for index, kernel in enumerate(kernels):
                data = data.replace(kernel.encode(), f"<kernel {index}>".encode())
            parts.append((name, data))
        elif section.name.startswith((".bss", ".lbss")):
            parts.append((name, section.size))
    return parts


def _sections(cubin: bytes) -> list[_Section]:
    if cubin[:5] != b"\x7fELF\x02":
        raise ValueError("no 64-bit ELF header")
    (table,) = struct.unpack_from("<Q", cubin, 40)
    count, names_index = struct.unpack_from("<HH", cubin, 60)
    headers = [struct.unpack_from("<IIQQQQIIQQ", cubin, table + 64 * index) for index in range(count)]
    names = cubin[headers[names_index][4] :]
    return [
        _Section(
            _string(names, header[0]), header[1], header[5],
            b"" if header[1] == _NOBITS else cubin[header[4] : header[4] + header[5]],
        )
        for header in headers
    ]  # fmt: skip


def _string(table: bytes, start: int) -> str:
    return table[start : table.index(b"\0", start)].decode()


def _symbols(sections: list[_Section]) -> list[str]:
    by_name = {section.name: section.data for section in sections}
    table, names = by_name.get(".symtab", b""), by_name.get(".strtab", b"\0")
    found: list[str] = []
    for offset in range(0, len(table), 24):
        name, _, _, section, _, _ = struct.unpack_from("<IBBHQQ", table, offset)
        found.append(_string(names, name) or (sections[section].name if section < len(sections) else ""))
    return found


def _relocations(data: bytes, symbols: list[str]) -> tuple[tuple[int, int, str, int], ...]:
    return tuple(
        (offset, info & 0xFFFFFFFF, symbols[info >> 32], addend)
        for offset, info, addend in struct.iter_unpack("<QQq", data)
    )


def _attributes(data: bytes, symbols: list[str]) -> tuple[tuple[int, str, bytes], ...]:
    """File-wide attributes (registers, stack sizes), by function name rather than symbol number."""
    found: list[tuple[int, str, bytes]] = []
    offset = 0
    while offset + 4 <= len(data):
        form, attribute, value = struct.unpack_from("<BBH", data, offset)
        offset += 4
        if form != _SIZED:
            found.append((attribute, "", value.to_bytes(2, "little")))
            continue
        payload = data[offset : offset + value]
        offset += value
        index = int.from_bytes(payload[:4], "little")
        owner = symbols[index] if value == 8 and index < len(symbols) else ""
        found.append((attribute, owner, payload[4:] if owner else payload))
    return tuple(sorted(found))

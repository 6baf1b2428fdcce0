"""Changes of a text as replaced ranges: whatever is outside them stays as it is, byte for byte."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cutile2rs.frontend.source import char_col

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Characters `start` up to `end` (exclusive) of the old text become `text`; an insertion has `start == end`."""

    start: int
    end: int
    text: str


class RawText:
    """A source file as it is on disk, with its line ends and byte order mark, addressed by positions of `ast`.

    The front end reads files with line ends made uniform, which keeps lines and columns, but not offsets.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        first = 1 if text.startswith("\ufeff") else 0
        self._starts = [first, *(found.end() for found in _LINE_END.finditer(text))]

    @classmethod
    def read(cls, path: Path) -> RawText:
        """The file's text; raises OSError or UnicodeDecodeError."""
        return cls(path.read_bytes().decode("utf-8"))

    def offset(self, line: int, column: int) -> int:
        """The offset of a line (from 1) and a UTF-8 byte column (from 0), as `ast` gives them."""
        start = self._starts[line - 1]
        end = self._starts[line] if line < len(self._starts) else len(self.text)
        return start + char_col(self.text[start:end], column)

    def range(self, node: ast.expr | ast.stmt | ast.alias) -> tuple[int, int]:
        """Where a node starts and ends."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def line_end(self, offset: int) -> str:
        """How the line at an offset ends, or the file's first line if that one ends with the file."""
        found = _LINE_END.search(self.text, offset) or _LINE_END.search(self.text)
        return found.group() if found else "\n"

    def holds(self, node: ast.expr) -> bool:
        """Whether the node's text is really that node: positions inside f-strings are wrong before Python 3.12."""
        start, end = self.range(node)
        try:
            found = ast.parse(f"({self.text[start:end]})", mode="eval").body
        except SyntaxError:
            return False
        return ast.unparse(found) == ast.unparse(node)


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made. Ranges must not overlap; insertions at one place keep their order."""
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < position:
            raise ValueError(f"edits overlap at offset {edit.start}")
        pieces += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*pieces, text[position:]])

"""Source text: reading, parsing, positions, and the text of statements."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path

from ..diagnostics import CutileError, Span, error


def read_text(path: Path) -> str:
    """The file's text with line ends as `\\n`; raises CutileError if it cannot be read or is not UTF-8."""
    try:
        data = path.read_bytes()
    except OSError as exc:
        raise CutileError(error("C2R005", f"cannot read {path}: {exc.strerror or exc}")) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        before = data[: exc.start]
        line = before.count(b"\n") + 1
        col = len(before.rpartition(b"\n")[2].decode("utf-8-sig", errors="replace")) + 1
        byte = data[exc.start]
        raise CutileError(
            error(
                "C2R003",
                f"file is not UTF-8: byte 0x{byte:02x} at offset {exc.start}",
                Span(str(path), line, col, line, col + 1),
                help="save the file as UTF-8",
            )
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse(text: str, path: Path) -> ast.Module:
    """The syntax tree; raises CutileError with a located diagnostic."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, filename=str(path))
    except SyntaxError as exc:
        line, col = exc.lineno or 1, exc.offset or 1
        end_line, end_col = exc.end_lineno or line, exc.end_offset or 0
        if (end_line, end_col) <= (line, col):
            end_line, end_col = line, col + 1
        span = Span(str(path), line, max(col, 1), end_line, end_col)
        raise CutileError(error("C2R004", f"syntax error: {exc.msg}", span)) from None
    except ValueError as exc:
        raise CutileError(error("C2R004", f"syntax error: {exc}", Span(str(path), 1, 1, 1, 2))) from None
    except (RecursionError, MemoryError):
        raise CutileError(error("C2R004", "source is nested too deeply", Span(str(path), 1, 1, 1, 2))) from None


def char_col(line: str, byte_offset: int) -> int:
    """The 0-based character column of a UTF-8 byte offset, as ast gives it."""
    if line.isascii():
        return byte_offset
    return len(line.encode()[:byte_offset].decode(errors="replace"))


def span_between(file: str, lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> Span:
    """A span from ast positions (1-based line, 0-based byte offset)."""
    (line, col), (end_line, end_col) = start, end
    return Span(file, line, char_col(lines[line - 1], col) + 1, end_line, char_col(lines[end_line - 1], end_col) + 1)


def node_start(node: ast.stmt | ast.expr) -> tuple[int, int]:
    """Where the node starts, in ast's positions."""
    return node.lineno, node.col_offset


def node_end(node: ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias) -> tuple[int, int]:
    """Where the node ends, in ast's positions."""
    return node.end_lineno or 0, node.end_col_offset or 0


def name_span(file: str, lines: list[str], node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
    """The span of the name in a `def` or `class` statement."""
    line = lines[node.lineno - 1]
    start = char_col(line, node.col_offset)
    keyword = {"AsyncFunctionDef": "async", "FunctionDef": "def"}.get(type(node).__name__, "class")
    found = line.find(node.name, start + len(keyword))
    col = found if found >= 0 else start
    return Span(file, node.lineno, col + 1, node.lineno, col + len(node.name) + 1)


def text_between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """Verbatim text between two ast positions, continuation lines dedented by the first line's indentation."""
    (line, col), (end_line, end_col) = start, end
    first = lines[line - 1]
    begin = char_col(first, col)
    stop = char_col(lines[end_line - 1], end_col)
    if line == end_line:
        return first[begin:stop]
    indent = len(first) - len(first.lstrip())
    middle = [_dedent(text, indent) for text in lines[line : end_line - 1]]
    return "\n".join([first[begin:].rstrip(), *middle, _dedent(lines[end_line - 1][:stop], indent)])


def _dedent(text: str, indent: int) -> str:
    return text[min(indent, len(text) - len(text.lstrip())) :].rstrip()


def statement_text(lines: list[str], node: ast.stmt) -> str:
    """A simple statement verbatim; of a compound statement only its header, up to the colon."""
    anchor = _header_anchor(node)
    if anchor is None:
        return text_between(lines, node_start(node), node_end(node))
    return text_between(lines, node_start(node), _colon_after(lines, anchor))


def _header_anchor(node: ast.stmt) -> tuple[int, int] | None:
    """A position in a compound statement's header after which only `)`, `,`, comments and the colon follow."""
    match node:
        case ast.For() | ast.AsyncFor():
            return node_end(node.iter)
        case ast.While() | ast.If():
            return node_end(node.test)
        case ast.With() | ast.AsyncWith():
            last = node.items[-1]
            return node_end(last.optional_vars or last.context_expr)
        case ast.Match():
            return node_end(node.subject)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            args = node.args
            parts: list[ast.expr | ast.arg] = [*args.posonlyargs, *args.args, *args.kwonlyargs, *args.defaults]
            parts += [part for part in [*args.kw_defaults, args.vararg, args.kwarg, node.returns] if part is not None]
            ends = [node_end(part) for part in [*parts, *getattr(node, "type_params", ())]]
            return max([node_start(node), *ends])
        case ast.ClassDef():
            heads = [*node.bases, *node.keywords, *getattr(node, "type_params", ())]
            return max([node_start(node), *(node_end(part) for part in heads)])
        case ast.Try():
            return node_start(node)
    return node_start(node) if isinstance(node, getattr(ast, "TryStar", ())) else None


def _colon_after(lines: list[str], anchor: tuple[int, int]) -> tuple[int, int]:
    """The ast position just after the first colon at or after `anchor` that is not in a comment."""
    line, col = anchor
    start = char_col(lines[line - 1], col)
    while line <= len(lines):
        text = lines[line - 1]
        code = text[start:].partition("#")[0]
        found = code.find(":")
        if found >= 0:
            return line, len(text[: start + found + 1].encode())
        line, start = line + 1, 0
    return anchor

"""Renames functions, parameters and variables of Python modules, changes their comments; compares Rust up to names."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence, Set

Place = tuple[int, int]


def own_names(tree: ast.Module) -> set[str]:
    """The names that a module gives to functions, their parameters and variables; methods stay, as attributes do."""
    names: set[str] = set()
    methods: set[str] = {"self", "cls"}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.ClassDef):
            methods |= {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
    return {name for name in names - methods if not name.startswith("__")}


def mapping(texts: Sequence[str], taken: Set[str]) -> dict[str, str]:
    """New names for the own names of all modules, the same in each, and none of them in `taken`.

    Letters move on in the alphabet, all of a name by the same number. So names stay as long as they were (where lines
    break depends on that), capitals and underscores stay, and no two names become one.
    """
    names: dict[str, str] = {}
    for name in sorted({name for text in texts for name in own_names(ast.parse(text))}):
        candidates = (_shifted(name, step) for step in range(1, 26))
        names[name] = next(new for new in candidates if new not in taken and new not in names.values())
    return names


def _shifted(name: str, step: int) -> str:
    def move(letter: str, first: str) -> str:
        return chr(ord(first) + (ord(letter) - ord(first) + step) % 26)

    return "".join(move(c, "a") if "a" <= c <= "z" else move(c, "A") if "A" <= c <= "Z" else c for c in name)


def identifiers(text: str) -> set[str]:
    """Every identifier in a text, comments and strings included."""
    return set(re.findall(r"[A-Za-z_]\w*", text))


def renamed(text: str, names: Mapping[str, str]) -> str:
    """The module with new names and other comments. Attributes and keyword arguments of foreign functions stay."""
    places = dict(_places(ast.parse(text), names))
    lines = text.splitlines(keepends=True)
    pieces: list[str] = []
    at: Place = (1, 0)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        new = f"# remark {token.start[0]}" if token.type == tokenize.COMMENT else places.get(token.start)
        if new is not None and token.string:
            pieces += [_between(lines, at, token.start), new]
            at = token.end
    return "".join([*pieces, _between(lines, at, (len(lines), len(lines[-1])))])


def _between(lines: list[str], start: Place, end: Place) -> str:
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1] : end[1]]
    return "".join([lines[start[0] - 1][start[1] :], *lines[start[0] : end[0] - 1], lines[end[0] - 1][: end[1]]])


def _places(tree: ast.Module, names: Mapping[str, str]) -> Iterator[tuple[Place, str]]:
    """Position of each name token to replace, and what to put there."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) if name in names:
                yield (node.lineno, node.col_offset), names[name]
            case ast.arg(arg=name) if name in names:
                yield (node.lineno, node.col_offset), names[name]
            case ast.alias(name=name) if name in names:
                yield (node.lineno, node.col_offset), names[name]
            case ast.FunctionDef(name=name) if name in names:
                yield (node.lineno, node.col_offset + len("def ")), names[name]
            case ast.Call(func=ast.Name(id=name), keywords=keywords) if name in names:
                for word in keywords:
                    if word.arg is not None and word.arg in names:
                        yield (word.lineno, word.col_offset), names[word.arg]


_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_]")
_NUMBER = re.compile(r"(_\d+|_)$")
_TOKEN = re.compile(r"\"(?:\\.|[^\"\\])*\"|[A-Za-z_]\w*|\d[\w.]*|\S")


def rust_tokens(text: str) -> list[str]:
    """The tokens of Rust text without comments, and without the commas that are there only where a line is broken."""
    tokens = _TOKEN.findall(_COMMENT.sub("", text))
    following = [*tokens[1:], ""]
    return [t for t, after in zip(tokens, following, strict=True) if not (t == "," and after in (")", "]", "}", ">"))]


def difference(left: str, right: str, new_names: Mapping[str, str] | None = None) -> str | None:
    """Where two Rust texts differ by more than the names of things; None where they do not.

    At each place in the text old and new identifiers correspond one to one, by Rust's scopes. With `new_names`, the new
    one is also the old one with such a name replaced in it (`row_max` in `row_max_cast`, `x` in `EX`), or is the old
    one: only a number that was put behind a name to tell it from another may come and go.
    """
    names = _Names(new_names)
    a, b = rust_tokens(left), rust_tokens(right)
    for position, (x, y) in enumerate(zip(a, b, strict=False)):
        if not names.agree(x, y):
            around = slice(max(0, position - 8), position + 9)
            return f"token {position}:\n  {' '.join(a[around])}\n  {' '.join(b[around])}"
    return None if len(a) == len(b) else f"{len(a)} tokens against {len(b)}"


def _forms(name: str) -> list[str]:
    """What an identifier may be called in Rust."""
    plain = name.strip("_")
    camel = "".join(part[:1].upper() + part[1:] for part in plain.split("_"))
    return [name, plain, plain.upper(), plain.lower(), camel]


def _replaced(a: str, b: str, forms: Sequence[tuple[str, str]]) -> bool:
    """Whether `b` is `a` with some parts replaced by their new forms; a long name may end within a form, at a `_`."""
    if not a or not b:
        return a == b
    if a[0] == b[0] and _replaced(a[1:], b[1:], forms):
        return True
    return any(
        (a.startswith(old) and b.startswith(new) and _replaced(a[len(old) :], b[len(new) :], forms))
        or (old.startswith(f"{a}_") and new.startswith(f"{b}_"))
        for old, new in forms
    )


class _Names:
    """Which old identifier is which new one, while two texts are read token by token.

    `let` binds from its semicolon on (what stands right of `=` still sees the name that is shadowed), `for` within the
    block that follows; a block ends what is bound in it. A function starts afresh.
    """

    def __init__(self, new_names: Mapping[str, str] | None) -> None:
        pairs = (new_names or {}).items()
        self.forms = {form for old, new in pairs for form in zip(_forms(old), _forms(new), strict=True)}
        self.any_name = new_names is None
        self.right: set[tuple[str, str]] = set()
        self.there: dict[str, str] = {}
        self.back: dict[str, str] = {}
        self.outer: list[tuple[dict[str, str], dict[str, str]]] = []
        self.pending: list[tuple[str, int, list[tuple[str, str]]]] = []
        self.in_pattern = False

    def agree(self, x: str, y: str) -> bool:
        """Take the next token of each side; whether they correspond."""
        if not (_NAME.match(x) and _NAME.match(y)):
            self._punctuation(x)
            return x == y
        if x == "fn":
            self.there, self.back = {}, {}
        if x in ("let", "for"):
            self.pending.append((";" if x == "let" else "{", len(self.outer), []))
            self.in_pattern = True
        elif self.in_pattern and x == "in":
            self.in_pattern = False
        elif self.in_pattern and x != "mut":
            self.pending[-1][2].append((x, y))
            return self._may_become(x, y)
        known = self.there.setdefault(x, y) == y and self.back.setdefault(y, x) == x
        return known and self._may_become(x, y)

    def _may_become(self, x: str, y: str) -> bool:
        if self.any_name or (x, y) in self.right:
            return True
        a, b = _NUMBER.sub("", x), _NUMBER.sub("", y)
        fine = a == b or _replaced(a, b, [pair for pair in self.forms if pair[0] and pair[0].split("_")[0] in a])
        if fine:
            self.right.add((x, y))
        return fine

    def _punctuation(self, token: str) -> None:
        if token in (":", "=", ";"):
            self.in_pattern = False
        if token == "}" and self.outer:
            self.there, self.back = self.outer.pop()
        due = self.pending and self.pending[-1][:2] == (token, len(self.outer))
        if token == "{":
            self.outer.append((dict(self.there), dict(self.back)))
        for x, y in self.pending.pop()[2] if due else ():
            self.back.pop(self.there.get(x, ""), None)
            self.there.pop(self.back.get(y, ""), None)
            self.there[x], self.back[y] = y, x

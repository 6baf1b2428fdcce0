"""Line layout as rustfmt does it with ``use_small_heuristics = "Max"``: only the width of 100 columns breaks a line."""

from __future__ import annotations

import re

WIDTH = 100
_CLOSURE = re.compile(r"(\w+\(.*\|\w+, \w+\|) ([^{].*)\)")


def split_call(text: str) -> tuple[str, list[str], str] | None:
    """``head(`` , top-level arguments and ``)`` of a call that ends the text; None if it is none."""
    if not text.endswith(")"):
        return None
    depth = 0
    for i in range(len(text) - 1, -1, -1):
        if text[i] in ")]}":
            depth += 1
        elif text[i] in "([{":
            depth -= 1
            if depth == 0:
                return (text[: i + 1], split_arguments(text[i + 1 : -1]), ")") if i and text[i] == "(" else None
    return None


def split_arguments(text: str) -> list[str]:
    """Comma-separated parts, commas inside brackets not counted."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c in "([{<":
            depth += 1
        elif c in ")]}>" and not (c == ">" and text[i - 1] in "-="):
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    tail = text[start:].strip()
    return [*parts, tail] if tail else parts


def split_methods(text: str) -> list[str]:
    """``x``, ``.f(...)``, ``.g(...)`` of a chain of method calls on a name or on something in parentheses; the text alone if
    it is none."""
    if not re.match(r"\w+\.\w+\(|\(", text) or split_call(text) is None:
        return [text]
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if depth == 0 and c == "." and text[i + 1].isalpha():
            parts.append(text[start:i])
            start = i
        elif depth == 0 and c == " ":
            return [text]  # an operator stands beside it
    return [*parts, text[start:]]


def statement(indent: int, left: str, right: str) -> list[str]:
    """``left = right;`` in one line, with the right side on the next one, or with one argument a line."""
    pad = " " * indent
    line = f"{pad}{left} = {right};"
    if "\n" in right:
        lines = line.split("\n")
        if len(lines[0]) <= WIDTH - 3:  # as rustfmt reckons
            return lines
        return [f"{pad}{left} =", *(part for inner in f"{pad}{right};".split("\n") for part in deeper(inner))]
    long_type = re.fullmatch(r"(let (?:mut )?\w+: \w+)<(.*)>", left) if len(f"{pad}{left} =") > WIDTH else None
    if long_type is not None:
        types = [f"{pad}    {t}," for t in split_arguments(long_type[2])]
        return [f"{pad}{long_type[1]}<", *types, *statement(indent, ">", right)]
    if right.startswith("if ") and " } else if " in right:
        return _choice(indent, left, right)
    if len(line) <= WIDTH:
        return [line]
    below = f"{pad}    {right};"
    if len(below) <= WIDTH:
        return [f"{pad}{left} =", below]
    closure = _CLOSURE.fullmatch(right)
    if closure is not None:
        first = f"{pad}{left} = {closure[1]} {{"
        if len(first) <= WIDTH - 3:
            return [first, *_expression(indent + 4, closure[2]), f"{pad}}});"]
        inner = [f"{pad}    {closure[1]} {{", *_expression(indent + 8, closure[2]), f"{pad}    }});"]
        return [f"{pad}{left} =", *inner]
    if right.startswith("unsafe { ") and right.endswith(" }"):
        return [f"{pad}{left} = unsafe {{", *_expression(indent + 4, right[len("unsafe { ") : -2]), f"{pad}}};"]
    receiver, *methods = split_methods(right)
    if len(methods) > 1 or (methods and receiver.startswith("(")):
        if len(f"{pad}{left} = {receiver}") <= WIDTH and len(methods) > 1:
            return [f"{pad}{left} = {receiver}", *(f"{pad}    {m}" for m in methods[:-1]), f"{pad}    {methods[-1]};"]
        chain = [f"{pad}        {m}" for m in methods]
        return [f"{pad}{left} =", f"{pad}    {receiver}", *chain[:-1], f"{chain[-1]};"]
    call = split_call(right)
    if call is None:
        return [f"{pad}{left} =", below]
    head, args, close = call
    if len(f"{pad}{left} = {head}") > WIDTH:
        return [f"{pad}{left} =", f"{pad}    {head}", *(f"{pad}        {a}," for a in args), f"{pad}    {close};"]
    return [f"{pad}{left} = {head}", *(f"{pad}    {a}," for a in args), f"{pad}{close};"]


def opening(indent: int, head: str) -> list[str]:
    """The head of a block with its brace, which has a line of its own where it would be the one thing that does not fit."""
    line = " " * indent + head
    return [line, " " * indent + "{"] if WIDTH - len(" {") < len(line) <= WIDTH else [f"{line} {{"]


def _choice(indent: int, left: str, right: str) -> list[str]:
    """``left = if ...;``: where the condition's brace does not fit it gets its own line, else all moves to the next one."""
    pad = " " * indent
    first, *others = _chain(indent, right)
    line = f"{pad}{left} = {first}"
    if len(line) <= WIDTH:
        return [line, *others]
    if len(line) - len(" {") <= WIDTH:
        return [line.removesuffix(" {"), f"{pad}{{", *others]
    first, *others = _chain(indent + 4, right)
    return [f"{pad}{left} =", f"{pad}    {first}", *others]


def deeper(line: str) -> list[str]:
    """A line one level deeper; an assignment that is whole and then too wide is laid out again."""
    deeper = f"    {line}"
    left, equals, right = deeper.strip().removesuffix(";").partition(" = ")
    is_statement = bool(equals) and deeper.endswith(";") and not deeper.lstrip().startswith("//")
    if len(deeper) <= WIDTH or not is_statement:
        return [deeper]
    return statement(len(deeper) - len(deeper.lstrip()), left, right)


def _chain(indent: int, text: str) -> list[str]:
    """``if a { x } else if b { y } else { z }``, which rustfmt never leaves in one line."""
    lines: list[str] = []
    for i, part in enumerate(text.split(" } else ")):
        head, _, value = part.partition("{ ")
        lines.append(f"{head}{{" if i == 0 else f"{' ' * indent}}} else {head}{{")
        lines += _expression(indent + 4, value.removesuffix(" }"))
    return [*lines, f"{' ' * indent}}};"]


def _expression(indent: int, text: str) -> list[str]:
    """An expression as the value of a block: in one line, or with one argument a line."""
    pad = " " * indent
    call = split_call(text)
    if len(pad) + len(text) <= WIDTH or call is None:
        return [pad + text]
    head, args, close = call
    return [pad + head, *(f"{pad}    {a}," for a in args), pad + close]


def wrap_comment(indent: int, text: str) -> list[str]:
    """A comment, its lines cut at the width (never mid-word)."""
    pad = " " * indent + "// "
    lines: list[str] = []
    for source in text.splitlines():
        current = ""
        for word in source.rstrip().split(" "):
            if current and len(pad) + len(current) + 1 + len(word) > WIDTH:
                lines.append(current)
                current = "    " + word
            else:
                current = f"{current} {word}" if current else word
        lines.append(current)
    return [(pad + line).rstrip() for line in lines]


def signature(indent: int, head: str, generics: list[str], params: list[str], tail: str) -> list[str]:
    """A function signature: in one line, with one parameter a line, or with one generic a line too."""
    pad = " " * indent
    angle = f"<{', '.join(generics)}>" if generics else ""
    line = f"{pad}{head}{angle}({', '.join(params)}) {tail}"
    if len(line) <= WIDTH:
        return [line]
    inner = [f"{pad}    {p}," for p in params]
    first = f"{pad}{head}{angle}("
    if len(first) <= WIDTH - 3:  # as rustfmt reckons
        return [first, *inner, f"{pad}) {tail}"]
    return [f"{pad}{head}<", *(f"{pad}    {g}," for g in generics), f"{pad}>(", *inner, f"{pad}) {tail}"]

"""Assigning several variables at once, as a jump does: no assignment may overwrite what a later one still reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cutile2rs.ir.core import Op, Value

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter

#: A variable, the text assigned to it, the value that the text stands for.
Move = tuple[str, str, Value]


def identifiers(text: str) -> set[str]:
    """The names in a piece of Rust."""
    return set(re.findall(r"[A-Za-z_]\w*", text))


def assign(e: Emitter, op: Op, moves: list[Move]) -> None:
    """Write the assignments in an order that keeps their meaning; a cycle (``a, b = b, a``) takes a temporary."""
    pending = list(moves)
    while pending:
        ready = next((m for m in pending if not any(m[0] in identifiers(o[1]) for o in pending if o is not m)), None)
        if ready is None:
            name = pending[0][0]
            reader = next(m for m in pending[1:] if name in identifiers(m[1]))
            kept = e.fresh(f"{name}_before", op)
            e.statement(f"let {kept}: {e.type(reader[2].type)}", name)
            pending = [(n, re.sub(rf"\b{name}\b", kept, text), v) for n, text, v in pending]
            continue
        pending.remove(ready)
        e.statement(ready[0], ready[1])

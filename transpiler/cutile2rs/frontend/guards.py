"""Which statements under `if` and `try` run: what the text alone can tell, given that the module's kernels exist."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace

from .names import CUDA_TILE, PUBLIC, canonical
from .scope import Event, Scope, imports_of

Truth = Callable[[ast.expr, int], bool | None]
"""Whether a condition that stands at a line holds; None if that cannot be told."""

_PLAIN = (ast.Constant, ast.Name, ast.Attribute, ast.Subscript)


def taken(scope: Scope, events: Iterable[Event], truth: Truth) -> list[Event]:
    """The events that may happen, without the guards that are known to let them through."""
    found = (_pass(scope, event, truth) if event.guards else event for event in events)
    return [event for event in found if event is not None]


def _pass(scope: Scope, event: Event, truth: Truth) -> Event | None:
    open_guards: list[str] = []
    for guard in event.guards:
        word, _, line = guard.partition(":")
        runs = _runs(scope, word, int(line), truth)
        if runs is False:
            return None
        if runs is None:
            open_guards.append(guard)
    return replace(event, guards=tuple(open_guards))


def _runs(scope: Scope, word: str, line: int, truth: Truth) -> bool | None:
    if word in ("if", "else"):
        holds = truth(scope.tests[line], line)
        return None if holds is None else holds is (word == "if")
    if line in scope.tries and succeeds(scope.tries[line]):
        return word in ("try", "try-else")
    return None


def succeeds(body: list[ast.stmt]) -> bool:
    """Whether the body of a `try` cannot fail where the module's kernels exist, which need cuda.tile: it imports that."""
    imports = [statement for statement in body if isinstance(statement, (ast.Import, ast.ImportFrom))]
    rest = [statement for statement in body if statement not in imports]
    plain = all(isinstance(s, ast.Assign) and isinstance(s.value, _PLAIN) for s in rest)
    return plain and all(map(_is_there, imports)) and any(_names_cuda_tile(s) for s in imports)


def _is_there(statement: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(statement, ast.Import):
        tops = {alias.name.partition(".")[0] for alias in statement.names if not alias.name.startswith(CUDA_TILE)}
        return tops <= sys.stdlib_module_names and all(alias.name in (CUDA_TILE, *tops) for alias in statement.names)
    return not statement.level and all(
        f"{found.module}.{found.name}" == CUDA_TILE
        or canonical(f"{found.module}.{found.name}").removeprefix(f"{CUDA_TILE}.") in PUBLIC
        for found in imports_of(statement)
    )


def _names_cuda_tile(statement: ast.Import | ast.ImportFrom) -> bool:
    return any(f"{found.module}.{found.name or ''}".startswith(CUDA_TILE) for found in imports_of(statement)) or any(
        alias.name.startswith(CUDA_TILE) for alias in statement.names
    )

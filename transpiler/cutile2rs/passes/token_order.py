"""Memory order (cuTile: ``_passes/token_order.py``): gives each memory operation its input token.

Loads follow the last store to their array; stores follow the last operation on it. An operation that releases follows the
last operations on all arrays; what comes after one that acquires follows it. Arrays are assumed not to alias (a launch
whose signature says otherwise has no entry). Tokens of arrays touched inside loops and branches are carried.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from cutile2rs.ir.core import (
    ACQUIRE,
    ATOMICS,
    LOADS,
    MEMORY,
    RELEASE,
    STORES,
    Array,
    Block,
    Entry,
    Op,
    TokenType,
    Value,
    is_loop,
)

LOAD, STORE = 1, 2
#: The key of the last token that acquired. Other keys: an array (None: all of memory, as for printing) and a role.
ACQUIRED = (None, "acquire")
Key = tuple[Array | None, str]
#: Tokens by key; a key that is asked for and missing becomes the entry's first token, as in cuTile.
Tokens = defaultdict[Key, Value]
#: Operations other than loads, stores and atomics that are ordered with all of memory.
UNIVERSAL = frozenset({"print"})


@dataclass(slots=True)
class Effects:
    """What a block does to each array, LOAD or STORE, in order of first touch, and whether it acquires."""

    arrays: dict[Array | None, int] = field(default_factory=dict)
    acquires: bool = False

    def add(self, array: Array | None, effect: int) -> None:
        """Note an access."""
        self.arrays[array] = max(self.arrays.get(array, 0), effect)

    def merge(self, other: Effects) -> None:
        """Note everything that another block does."""
        for array, effect in other.arrays.items():
            self.add(array, effect)
        self.acquires |= other.acquires

    def carried(self) -> list[Key]:
        """The tokens that must be carried in and out."""
        keys: list[Key] = [
            (array, role)
            for array, effect in self.arrays.items()
            for role in (("op",) if effect == LOAD else ("op", "store"))
        ]
        return [*keys, ACQUIRED] if self.acquires else keys


def order_tokens(entry: Entry) -> None:
    """Thread tokens through the entry's body; the root token is made at its start."""
    root = Value(TokenType(), "token")
    _block(entry.body, defaultdict(lambda: root), None, None)
    entry.body.ops.insert(0, Op("make_token", [], [root]))


def effects_of(block: Block) -> Effects:
    """What a block, with everything nested in it, does to memory."""
    effects = Effects()
    for op in block.walk():
        if op.opcode in MEMORY:
            effects.add(_array(op), LOAD if op.opcode in LOADS else STORE)
            effects.acquires |= op.attrs.get("memory_order") in ACQUIRE
        elif op.opcode in UNIVERSAL:
            effects.add(None, STORE)
    return effects


def _array(op: Op) -> Array:
    array: Array = op.attrs["array"]
    return array.memory


@dataclass(slots=True)
class _Loop:
    effects: Effects
    parallel: set[int]
    before: Tokens


def _block(block: Block, tokens: Tokens, loop: _Loop | None, branch: Effects | None) -> None:
    """Rewrite a block; ``tokens`` is updated in place as it goes."""
    ops: list[Op] = []
    for op in block.ops:
        if op.opcode in LOADS:
            _load(op, tokens, ops)
        elif loop is not None and id(op) in loop.parallel:
            _parallel_store(op, tokens, ops, loop)
        elif op.opcode in STORES | ATOMICS | UNIVERSAL:
            _store(op, tokens, ops)
        else:
            if is_loop(op):
                _loop(op, tokens)
            elif op.opcode == "if":
                _if(op, tokens, loop)
            elif op.opcode in ("continue", "break") and loop is not None:
                op.operands += [tokens[key] for key in loop.effects.carried()]
            elif op.opcode == "yield" and branch is not None:
                op.operands += [tokens[key] for key in branch.carried()]
            ops.append(op)
    block.ops = ops


def _input(op: Op, key: Key, tokens: Tokens, ops: list[Op]) -> Value:
    """The token that an operation waits for: that of ``key``, joined with all others that its memory order asks for."""
    releases = op.attrs.get("memory_order") in RELEASE
    found = [tokens[key]]
    for other, token in tokens.items():
        overlaps = other[1] == key[1] and (other[0] == key[0] or other[0] is None or key[0] is None)
        if token not in found and (other == ACQUIRED or overlaps or (releases and other[1] == "op")):
            found.append(token)
    return found[0] if len(found) == 1 else _join(found, op, ops)


def _join(tokens: list[Value], op: Op, ops: list[Op]) -> Value:
    joined = _token(_array(op) if op.opcode in MEMORY else None)
    ops.append(Op("join_tokens", tokens, [joined], source=op.source))
    return joined


def _token(array: Array | None) -> Value:
    return Value(TokenType(), f"{array.name}_token" if array is not None else "token")


def _load(op: Op, tokens: Tokens, ops: list[Op]) -> None:
    array = _array(op)
    op.token = _input(op, (array, "store"), tokens, ops)
    ops.append(op)
    result = op.results[-1]
    tokens[array, "op"] = _join([tokens[array, "op"], result], op, ops)
    if op.attrs.get("memory_order") in ACQUIRE:
        tokens[ACQUIRED] = result


def _store(op: Op, tokens: Tokens, ops: list[Op]) -> None:
    array = _array(op) if op.opcode in MEMORY else None
    op.token = _input(op, (array, "op"), tokens, ops)
    ops.append(op)
    result = op.results[-1]
    result.hint = f"{array.name}_token" if array is not None else "token"
    tokens[array, "op"] = tokens[array, "store"] = result
    if op.opcode in ATOMICS and op.attrs["memory_order"] in ACQUIRE:
        tokens[ACQUIRED] = result


def _parallel_store(op: Op, tokens: Tokens, ops: list[Op], loop: _Loop) -> None:
    array = _array(op)
    op.token = loop.before[array, "op"]
    if ACQUIRED in tokens and op.token is not tokens[ACQUIRED]:
        op.token = _join([op.token, tokens[ACQUIRED]], op, ops)
    ops.append(op)
    result = op.results[-1]
    result.hint = f"{array.name}_token"
    tokens[array, "op"] = tokens[array, "store"] = _join([tokens[array, "op"], result], op, ops)


def _loop(op: Op, tokens: Tokens) -> None:
    body = op.blocks[0]
    effects = effects_of(body)
    inside, before = tokens.copy(), tokens.copy()
    for key in effects.carried():
        op.operands.append(before[key])
        param, result = _token(key[0]), _token(key[0])
        body.params.append(param)
        op.results.append(result)
        inside[key], tokens[key] = param, result
    _block(body, inside, _Loop(effects, parallel_stores(op), before), None)


def _if(op: Op, tokens: Tokens, loop: _Loop | None) -> None:
    merged = Effects()
    for block in op.blocks:
        merged.merge(effects_of(block))
    for block in op.blocks:
        _block(block, tokens.copy(), loop, merged)
    for key in merged.carried():
        op.results.append(_token(key[0]))
        tokens[key] = op.results[-1]


def parallel_stores(loop: Op) -> set[int]:
    """Identities of tile stores that may run in any order over the iterations of a for loop: the only access to their
    array in the body, with the induction variable itself as an index."""
    body = loop.blocks[0]
    if loop.opcode != "for" or None in effects_of(body).arrays:
        return set()
    nested = {a for op in body.ops for block in op.blocks for a in effects_of(block).arrays}
    direct: dict[Array, list[Op]] = {}
    for op in body.ops:
        if op.opcode in MEMORY:
            direct.setdefault(_array(op), []).append(op)
    return {
        id(ops[0])
        for array, ops in direct.items()
        if len(ops) == 1
        and _is_partition_store(ops[0])
        and array not in nested
        and body.params[0] in ops[0].operands[1:]
    }


def _is_partition_store(op: Op) -> bool:
    return op.opcode == "store_view" and op.attrs.get("sparse") is None and op.attrs.get("steps") is None

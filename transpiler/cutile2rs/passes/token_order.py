"""Memory order (cuTile: ``_passes/token_order.py``): gives each memory operation its input token.

Loads follow the last store to their array; stores follow the last operation on it. An operation that releases follows the
last operations on all arrays; what comes after one that acquires follows it. Arrays are assumed not to alias each other (a
launch whose signature says otherwise has no entry), nor themselves where a loop's stores may run in any order. Tokens of
arrays touched inside loops and branches are carried.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from cutile2rs.ir.core import (
    ATOMICS,
    LOADS,
    MEMORY,
    RELEASE,
    STORES,
    UNIVERSAL,
    Array,
    Block,
    Entry,
    Op,
    TokenType,
    Value,
    acquires,
    is_loop,
    jumps,
    static_branches,
)
from cutile2rs.ir.expr import Expr, Param, fn
from cutile2rs.lowering.forking import MustFork
from cutile2rs.lowering.oracle import PathState

LOAD, STORE = 1, 2
#: The key of the last token that acquired. Other keys: an array (None: all of memory, as for printing) and a role.
ACQUIRED = (None, "acquire")
Key = tuple[Array | None, str]
#: Tokens by key; a key that is asked for and missing becomes the entry's first token, as in cuTile.
Tokens = defaultdict[Key, Value]


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


def order_tokens(entry: Entry, path: PathState) -> None:
    """Thread tokens through the entry's body; the root token is made at its start."""
    _check_carried(entry)
    _require_disjoint(entry, path)
    root = Value(TokenType(), "token")
    _block(entry.body, defaultdict(lambda: root), None, None)
    entry.body.ops.insert(0, Op("make_token", [], [root]))


def effects_of(block: Block) -> Effects:
    """What a block, with everything nested in it, does to memory."""
    effects = Effects()
    for op in block.walk():
        if op.opcode in MEMORY:
            effects.add(_array(op), LOAD if op.opcode in LOADS else STORE)
        elif op.opcode in UNIVERSAL:
            effects.add(None, STORE)
        effects.acquires |= acquires(op)
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
            elif op.opcode == "static_if":
                _sides(op, tokens, loop)
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
    if acquires(op):
        tokens[ACQUIRED] = result


def _store(op: Op, tokens: Tokens, ops: list[Op]) -> None:
    array = _array(op) if op.opcode in MEMORY else None
    op.token = _input(op, (array, "op"), tokens, ops)
    ops.append(op)
    result = op.results[-1]
    result.hint = f"{array.name}_token" if array is not None else "token"
    tokens[array, "op"] = tokens[array, "store"] = result
    if op.opcode in ATOMICS | UNIVERSAL and acquires(op):
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


def _sides(op: Op, tokens: Tokens, loop: _Loop | None) -> None:
    """A constant branch, of which one side is compiled in its place: a token that both leave alone is not touched."""
    after = [tokens.copy() for _ in op.blocks]
    for block, inside in zip(op.blocks, after, strict=True):
        _block(block, inside, loop, None)
    for key in dict.fromkeys(key for inside in after for key in inside):
        found = [inside[key] for inside in after]
        if found[0] is found[1]:
            tokens[key] = found[0]
            continue
        for block, token in zip(op.blocks, found, strict=True):
            block.ops[-1].operands.append(token)
        op.results.append(_token(key[0]))
        tokens[key] = op.results[-1]


def _require_disjoint(entry: Entry, path: PathState) -> None:
    """cuTile lets stores run in any order only where no two elements of the array share memory."""
    for loop in filter(is_loop, entry.body.walk()):
        parallel = parallel_stores(loop)
        for name in dict.fromkeys(_array(op).name for op in loop.blocks[0].walk() if id(op) in parallel):
            path.prefer(
                fn("not", Param(f"overlaps({name})", "bool")),
                f"`{name}` may overlap with itself, and is stored to in a loop",
            )


def _check_carried(entry: Entry) -> None:
    """Loops and branches must carry the same tokens in all launches, whatever sides of constant branches they take; only
    those of arrays that are never stored to end unused. An operation that acquires or releases waits for, or holds up, what
    was done to all arrays: which those are must not depend on a side either."""
    if any(acquires(op) or op.attrs.get("memory_order") in RELEASE for op in entry.body.walk()):
        for branch in static_branches(entry.body):
            if effects_of(Block([], [branch])).arrays:
                raise MustFork(branch.attrs["condition"])
    stored = {array for array, effect in effects_of(entry.body).arrays.items() if effect == STORE}
    for op in entry.body.walk():
        for block in op.blocks if _carries(op) else []:
            always = _certain(block)
            for inner in static_branches(block):
                for array, effect in effects_of(Block([], [inner])).arrays.items():
                    if array in stored and effect > always.arrays.get(array, 0):
                        raise MustFork(inner.attrs["condition"])


def _carries(op: Op) -> bool:
    """Whether an operation hands tokens on: of a branch, one side of which jumps, nothing is left but the jump."""
    return is_loop(op) or (op.opcode == "if" and not any(map(jumps, op.blocks)))


def _certain(block: Block) -> Effects:
    """What a block does to memory whatever sides of its constant branches are taken."""
    effects = Effects()
    for op in block.ops:
        if op.opcode == "static_if":
            then, otherwise = (_certain(b).arrays for b in op.blocks)
            for array in then.keys() & otherwise.keys():
                effects.add(array, min(then[array], otherwise[array]))
            continue
        effects.merge(effects_of(Block([], [Op(op.opcode, [], [], op.attrs)])))
        for inner in op.blocks:
            effects.merge(_certain(inner))
    return effects


#: The sides of constant branches that something stands in.
Sides = dict[Expr, int]


def parallel_stores(loop: Op) -> set[int]:
    """Identities of tile stores that may run in any order over the iterations of a for loop: the only access to their
    array in the body, with the induction variable itself as an index."""
    body = loop.blocks[0]
    if loop.opcode != "for" or None in effects_of(body).arrays:
        return set()
    accesses: dict[Array | None, list[tuple[Op, Sides]]] = {}
    for array, op, sides in _accesses(body, {}):
        accesses.setdefault(array, []).append((op, sides))
    found: set[int] = set()
    for touched in accesses.values():
        for op, sides in touched:
            if _is_partition_store(op) and body.params[0] in op.operands[1:] and _is_alone(op, sides, touched):
                found.add(id(op))
    return found


def _accesses(block: Block, sides: Sides) -> Iterator[tuple[Array | None, Op, Sides]]:
    """Every access to memory; one in a nested loop or branch by that."""
    for op in block.ops:
        if op.opcode == "static_if":
            for i, inner in enumerate(op.blocks):
                yield from _accesses(inner, {**sides, op.attrs["condition"]: i})
        elif op.opcode in MEMORY:
            yield _array(op), op, sides
        else:
            for array in effects_of(Block([], [op])).arrays if op.blocks else ():
                yield array, op, sides


def _is_alone(op: Op, sides: Sides, touched: list[tuple[Op, Sides]]) -> bool:
    """Whether a store is the only one of these accesses, in every launch that comes to it."""
    others = [s for o, s in touched if o is not op and all(sides.get(c, i) == i for c, i in s.items())]
    for other in others:
        undecided = next((c for c in other if c not in sides), None)
        if undecided is None:
            return False
    if others:
        raise MustFork(next(c for c in others[0] if c not in sides))
    return True


def _is_partition_store(op: Op) -> bool:
    return op.opcode == "store_view" and op.attrs.get("sparse") is None and op.attrs.get("steps") is None

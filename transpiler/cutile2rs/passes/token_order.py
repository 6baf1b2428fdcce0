"""Memory order (cuTile: ``_passes/token_order.py``): gives each memory operation its input token.

Loads follow the last store to their array; stores follow the last operation on it. Arrays are assumed not to alias
(a launch whose signature says otherwise has no entry). Tokens of arrays touched inside loops and branches are carried.
"""

from __future__ import annotations

from dataclasses import dataclass

from cutile2rs.ir.core import ATOMICS, LOADS, MEMORY, STORES, Array, Block, Entry, Op, TokenType, Value

LOAD, STORE = 1, 2
Effects = dict[Array, int]
Key = tuple[Array, str]


def order_tokens(entry: Entry) -> None:
    """Thread tokens through the entry's body; the root token is made at its start."""
    root = Value(TokenType(), "token")
    _Orderer(root).block(entry.body, {}, None, None)
    entry.body.ops.insert(0, Op("make_token", [], [root]))


def effects_of(block: Block) -> Effects:
    """What a block, with everything nested in it, does to each array: LOAD or STORE, in order of first touch."""
    effects: Effects = {}
    for op in block.walk():
        if op.opcode in MEMORY:
            array = op.attrs["array"]
            effects[array] = max(effects.get(array, 0), LOAD if op.opcode in LOADS else STORE)
    return effects


@dataclass(slots=True)
class _Loop:
    effects: Effects
    parallel: set[int]
    before: dict[Key, Value]


class _Orderer:
    def __init__(self, root: Value):
        self.root = root

    def get(self, tokens: dict[Key, Value], array: Array, role: str) -> Value:
        return tokens.get((array, role), self.root)

    def block(self, block: Block, tokens: dict[Key, Value], loop: _Loop | None, branch: Effects | None) -> None:
        """Rewrite a block; ``tokens`` is updated in place as it goes."""
        ops: list[Op] = []
        for op in block.ops:
            if op.opcode in LOADS:
                self._load(op, tokens, ops)
            elif op.opcode in STORES | ATOMICS:
                self._store(op, tokens, ops, loop)
            elif op.opcode == "for":
                self._for(op, tokens)
                ops.append(op)
            elif op.opcode == "if":
                self._if(op, tokens, loop)
                ops.append(op)
            else:
                if op.opcode in ("continue", "break") and loop is not None:
                    op.operands += self._exits(loop.effects, tokens)
                elif op.opcode == "yield" and branch is not None:
                    op.operands += self._exits(branch, tokens)
                ops.append(op)
        block.ops = ops

    def _load(self, op: Op, tokens: dict[Key, Value], ops: list[Op]) -> None:
        array = op.attrs["array"]
        op.token = self.get(tokens, array, "store")
        ops.append(op)
        joined = Value(TokenType(), f"{array.name}_token")
        ops.append(Op("join_tokens", [self.get(tokens, array, "op"), op.results[-1]], [joined], source=op.source))
        tokens[array, "op"] = joined

    def _store(self, op: Op, tokens: dict[Key, Value], ops: list[Op], loop: _Loop | None) -> None:
        array = op.attrs["array"]
        result = op.results[-1]
        result.hint = f"{array.name}_token"
        if loop is not None and id(op) in loop.parallel:
            op.token = loop.before.get((array, "op"), self.root)
            joined = Value(TokenType(), f"{array.name}_token")
            join = Op("join_tokens", [self.get(tokens, array, "op"), result], [joined], source=op.source)
            ops += [op, join]
            result = joined
        else:
            op.token = self.get(tokens, array, "op")
            ops.append(op)
        tokens[array, "op"] = tokens[array, "store"] = result

    def _for(self, op: Op, tokens: dict[Key, Value]) -> None:
        effects = effects_of(op.blocks[0])
        inside, before = dict(tokens), dict(tokens)
        for array, effect in effects.items():
            for role in ("op",) if effect == LOAD else ("op", "store"):
                op.operands.append(self.get(tokens, array, role))
                param, result = (Value(TokenType(), f"{array.name}_token") for _ in range(2))
                op.blocks[0].params.append(param)
                op.results.append(result)
                inside[array, role], tokens[array, role] = param, result
        self.block(op.blocks[0], inside, _Loop(effects, parallel_stores(op), before), None)

    def _if(self, op: Op, tokens: dict[Key, Value], loop: _Loop | None) -> None:
        merged: Effects = {}
        for block in op.blocks:
            for array, effect in effects_of(block).items():
                merged[array] = max(merged.get(array, 0), effect)
        for block in op.blocks:
            self.block(block, dict(tokens), loop, merged)
        for array, effect in merged.items():
            for role in ("op",) if effect == LOAD else ("op", "store"):
                op.results.append(Value(TokenType(), f"{array.name}_token"))
                tokens[array, role] = op.results[-1]

    def _exits(self, effects: Effects, tokens: dict[Key, Value]) -> list[Value]:
        return [
            self.get(tokens, array, role)
            for array, effect in effects.items()
            for role in (("op",) if effect == LOAD else ("op", "store"))
        ]


def parallel_stores(loop: Op) -> set[int]:
    """Identities of tile stores that may run in any order over the iterations of a for loop: the only access to their
    array in the body, with the induction variable itself as an index."""
    body = loop.blocks[0]
    nested = {a for op in body.ops for block in op.blocks for a in effects_of(block)}
    direct: dict[Array, list[Op]] = {}
    for op in body.ops:
        if op.opcode in MEMORY:
            direct.setdefault(op.attrs["array"], []).append(op)
    return {
        id(ops[0])
        for array, ops in direct.items()
        if len(ops) == 1 and ops[0].opcode == "store_view" and array not in nested and body.params[0] in ops[0].operands[1:]
    }

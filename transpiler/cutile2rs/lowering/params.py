"""What each kernel parameter is, as its use in the text shows: an array, a list of arrays, a scalar or a constant.

This is where the evaluator starts from. It follows values exactly, so what it then sees counts more: the rank that a use
has, and that a parameter is used as an array after all (:class:`WrongKind`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from cutile2rs.frontend import Function, Module

#: Methods and functions whose first argument is an array, with the parameter that shows its rank.
_RANK_FROM = {
    "cuda.tile.load": ("index", 1), "cuda.tile.store": ("index", 1), "cuda.tile.gather": ("indices", 1),
    "cuda.tile.scatter": ("indices", 1), "cuda.tile.num_tiles": ("shape", 2), "cuda.tile.atomic_add": ("indices", 1),
    "cuda.tile.atomic_max": ("indices", 1), "cuda.tile.atomic_min": ("indices", 1), "cuda.tile.atomic_xchg": ("indices", 1),
    "cuda.tile.atomic_cas": ("indices", 1), "cuda.tile.atomic_and": ("indices", 1), "cuda.tile.atomic_or": ("indices", 1),
    "cuda.tile.atomic_xor": ("indices", 1), "cuda.tile.load_advanced_indexing": ("indices", 1),
    "cuda.tile.store_advanced_indexing": ("indices", 1),
}  # fmt: skip
#: The same for methods of arrays and of their tiled views.
_VIEW_METHODS = {
    "tiled_view": ("tile_shape", 0), "load": ("index", 0), "store": ("index", 0), "atomic_store_add": ("index", 0),
    "atomic_store_max": ("index", 0), "atomic_store_min": ("index", 0), "atomic_store_and": ("index", 0),
    "atomic_store_or": ("index", 0), "atomic_store_xor": ("index", 0),
}  # fmt: skip
_ARRAY_ATTRIBUTES = frozenset({"shape", "strides", "dtype", "ndim", "slice", "tiled_view", "get_raw_memory"})


#: The ranks for which a kernel that only addresses an array's raw memory is converted: any would do.
RAW_RANKS = frozenset({1, 2, 3})


class WrongKind(Exception):
    """A parameter is used as what it was not taken for."""

    def __init__(self, name: str, kind: str):
        super().__init__(name)
        self.name, self.kind = name, kind


@dataclass(slots=True)
class Use:
    """What the text shows of one parameter."""

    is_array: bool = False
    is_list: bool = False
    is_raw: bool = False
    is_number: bool = False
    is_flag: bool = False
    ranks: set[int] = field(default_factory=set)
    min_rank: int = 0

    @property
    def candidates(self) -> tuple[int, ...]:
        """The ranks that the text suggests; raw memory may be of any."""
        ranks = self.ranks or (RAW_RANKS if self.is_raw else frozenset())
        return tuple(sorted(r for r in ranks if r >= self.min_rank))


def uses_of(
    module: Module,
    node: ast.FunctionDef,
    seen: frozenset[str] = frozenset(),
    lengths: Mapping[str, int | None] = MappingProxyType({}),
) -> dict[str, Use]:
    """For each parameter of a function, how it is used there and in the helpers that it is handed to. ``lengths``: how
    many indices each argument of this call stands for, if it is an index."""
    names = [p.arg for p in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return _Reader(module, node, names, seen, lengths).uses


#: A parameter that an expression may be: the array itself or a slice of it, or (True) an item of a list.
Owner = tuple[str, bool]


class _Reader:
    """Collects the uses of a function's parameters, under whatever local names."""

    def __init__(
        self,
        module: Module,
        node: ast.FunctionDef,
        names: list[str],
        seen: frozenset[str],
        lengths: Mapping[str, int | None],
    ):
        self.module, self.seen = module, seen
        self.uses = {n: Use() for n in names}
        self.aliases: dict[str, set[Owner]] = {n: {(n, False)} for n in names}
        self.tuples: dict[str, set[int | None]] = {name: {length} for name, length in lengths.items()}
        nodes = list(ast.walk(node))
        while self._bind_locals(nodes):
            pass
        for n in nodes:
            self._note(n)

    def _bind_locals(self, nodes: list[ast.AST]) -> bool:
        """One round over all assignments; whether it found a new alias."""
        before = sum(map(len, self.aliases.values()))
        for n in nodes:
            if isinstance(n, ast.Assign):
                for target, value in _pairs(n):
                    self._bind(target, value)
                    self.tuples.setdefault(target, set()).add(self._length(value))
            elif isinstance(n, ast.NamedExpr):
                self._bind(n.target.id, n.value)
            elif isinstance(n, ast.For) and isinstance(n.target, ast.Name):
                self._bind(n.target.id, n.iter)
        return sum(map(len, self.aliases.values())) > before

    def _bind(self, name: str, value: ast.expr) -> None:
        found = self.owners(value)
        if found:
            self.aliases.setdefault(name, set()).update(found)

    def owners(self, node: ast.expr) -> set[Owner]:
        """The parameters that an expression may be, or be a slice or an item of."""
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id, set())
        if isinstance(node, ast.IfExp):
            return self.owners(node.body) | self.owners(node.orelse)
        if isinstance(node, ast.Subscript):
            return {(name, True) for name, _ in self.owners(node.value)}
        if isinstance(node, (ast.Tuple, ast.List)):
            return {o for e in node.elts for o in self.owners(e)}
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in ("slice", "tiled_view", "get_raw_memory"):
                return self.owners(node.func.value)
            if len(node.args) == 1 and self.module.qualify(node.func) == "cuda.tile.static_iter":
                return self.owners(node.args[0])
        return set()

    def _length(self, index: ast.expr | None) -> int | None:
        """How many indices an index expression stands for, if that is plain."""
        if isinstance(index, (ast.Tuple, ast.List)):
            return None if any(isinstance(e, ast.Starred) for e in index.elts) else len(index.elts)
        if isinstance(index, ast.Name):
            found = self.tuples.get(index.id, {None})
            return next(iter(found)) if len(found) == 1 else None
        if isinstance(index, ast.Call):
            path = self.module.qualify(index.func)
            return 1 if path is not None and path.startswith("cuda.tile.") else None
        return 1 if isinstance(index, (ast.Constant, ast.BinOp, ast.UnaryOp)) else None

    def _note(self, n: ast.AST) -> None:
        for operand in _operands(n):
            for name, is_item in self.owners(operand):
                self.uses[name].is_number |= not is_item
        for operand in _conditions(n):
            for name, is_item in self.owners(operand):
                self.uses[name].is_flag |= not is_item
        if isinstance(n, ast.Attribute) and n.attr in _ARRAY_ATTRIBUTES:
            self._seen_as_array(n.value, None)
            for name, _ in self.owners(n.value):
                self.uses[name].is_raw |= n.attr == "get_raw_memory"
        elif isinstance(n, ast.Assign) and isinstance(n.targets[0], (ast.Tuple, ast.List)):
            if isinstance(n.value, ast.Attribute) and n.value.attr in ("shape", "strides"):
                self._seen_as_array(n.value.value, len(n.targets[0].elts))
        elif isinstance(n, ast.Subscript):
            self._subscript(n)
        elif isinstance(n, ast.Call):
            self._call(n)

    def _seen_as_array(self, node: ast.expr, rank: int | None) -> None:
        for name, is_item in self.owners(node):
            use = self.uses[name]
            use.is_list |= is_item
            use.is_array |= not is_item
            if rank is not None:
                use.ranks.add(rank)

    def _subscript(self, n: ast.Subscript) -> None:
        if isinstance(n.value, ast.Attribute) and n.value.attr in ("shape", "strides"):
            if isinstance(n.slice, ast.Constant) and isinstance(n.slice.value, int):
                for name, _ in self.owners(n.value.value):
                    self.uses[name].min_rank = max(self.uses[name].min_rank, n.slice.value + 1)
            return
        for name, is_item in self.owners(n.value):
            self.uses[name].is_list |= not is_item

    def _call(self, call: ast.Call) -> None:
        """What a construct takes is a tile or a number, but for the array that some take first."""
        path = self.module.qualify(call.func)
        if path in _RANK_FROM and call.args:
            self._seen_as_array(call.args[0], self._length(_argument(call, *_RANK_FROM[path])))
        elif isinstance(call.func, ast.Attribute) and call.func.attr in _VIEW_METHODS:
            self._seen_as_array(call.func.value, self._length(_argument(call, *_VIEW_METHODS[call.func.attr])))
        elif isinstance(call.func, ast.Name) and call.func.id == "len" and call.args:
            for name, _ in self.owners(call.args[0]):
                self.uses[name].is_list = True
        if path is not None and path.startswith("cuda.tile."):
            arguments = call.args[path in _RANK_FROM :]
            owners = [self.owners(a) for a in (*arguments, *(k.value for k in call.keywords if k.arg != "array"))]
            for name, is_item in (o for found in owners for o in found):
                self.uses[name].is_number |= not is_item
        callee = self.module.resolve_expr(call.func)
        if isinstance(callee, Function) and callee.node.name not in self.seen:
            self._handed_on(call, callee)

    def _handed_on(self, call: ast.Call, callee: Function) -> None:
        own = [p.arg for p in (*callee.node.args.posonlyargs, *callee.node.args.args)]
        given = [*zip(own, call.args, strict=False), *((k.arg, k.value) for k in call.keywords if k.arg is not None)]
        pairs = [(p, self.owners(a)) for p, a in given]
        if not any(owners for _, owners in pairs):
            return
        lengths = {p: self._length(a) for p, a in given}
        inner = uses_of(callee.module, callee.node, self.seen | {callee.node.name}, lengths)
        for parameter, owners in pairs:
            for name, is_item in owners if parameter in inner else ():
                found, use = inner[parameter], self.uses[name]
                use.is_array |= found.is_array and not is_item
                use.is_list |= found.is_list or (found.is_array and is_item)
                use.is_raw |= found.is_raw
                use.is_number |= found.is_number and not is_item
                use.is_flag |= found.is_flag and not is_item
                use.ranks |= found.ranks
                use.min_rank = max(use.min_rank, found.min_rank)


def _operands(node: ast.AST) -> list[ast.expr]:
    """What a node computes with, if it is an operator that takes numbers and tiles but no arrays."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.UnaryOp):
        return [] if isinstance(node.op, ast.Not) else [node.operand]
    if isinstance(node, ast.AugAssign):
        return [node.value]
    if isinstance(node, ast.Compare) and not any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
        return [node.left, *node.comparators]
    return []


def _conditions(node: ast.AST) -> list[ast.expr]:
    """What is asked for its truth."""
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        return [node.test]
    if isinstance(node, ast.BoolOp):
        return node.values
    return [node.operand] if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else []


def _pairs(node: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """Variables and what they are assigned, tuples taken apart."""
    for target in node.targets:
        if isinstance(target, ast.Name):
            yield target.id, node.value
        elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(node.value, (ast.Tuple, ast.List)):
            pairs = zip(target.elts, node.value.elts, strict=False)
            if len(target.elts) == len(node.value.elts):
                yield from ((t.id, v) for t, v in pairs if isinstance(t, ast.Name))


def _argument(call: ast.Call, keyword: str, position: int) -> ast.expr | None:
    index = next((k.value for k in call.keywords if k.arg == keyword), None)
    return call.args[position] if index is None and len(call.args) > position else index

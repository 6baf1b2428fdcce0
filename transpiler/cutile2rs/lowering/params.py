"""What each kernel parameter is: an array (and its rank), a scalar or a constant, as its use in the text shows."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from cutile2rs.frontend import Function, KernelDef, Module
from cutile2rs.lowering.context import Refusal

#: Methods and functions whose first argument is an array, with the parameter that shows its rank.
_RANK_FROM = {
    "cuda.tile.load": ("index", 1), "cuda.tile.store": ("index", 1), "cuda.tile.gather": ("indices", 1),
    "cuda.tile.scatter": ("indices", 1), "cuda.tile.num_tiles": ("shape", 2), "cuda.tile.atomic_add": ("indices", 1),
    "cuda.tile.atomic_max": ("indices", 1), "cuda.tile.atomic_min": ("indices", 1), "cuda.tile.atomic_xchg": ("indices", 1),
    "cuda.tile.atomic_cas": ("indices", 1), "cuda.tile.atomic_and": ("indices", 1), "cuda.tile.atomic_or": ("indices", 1),
    "cuda.tile.atomic_xor": ("indices", 1),
}  # fmt: skip
_ARRAY_ATTRIBUTES = frozenset({"shape", "strides", "dtype", "ndim"})


@dataclass(slots=True)
class Use:
    """What the text shows of one parameter."""

    is_array: bool = False
    ranks: set[int] | None = None
    min_rank: int = 0


def uses_of(module: Module, node: ast.FunctionDef, seen: frozenset[str] = frozenset()) -> dict[str, Use]:
    """For each parameter of a function, how it is used there and in the helpers that it is handed to."""
    names = [p.arg for p in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    uses = {n: Use() for n in names}
    tuples = _tuple_lengths(node)
    for n in ast.walk(node):
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id in uses:
            if n.attr in _ARRAY_ATTRIBUTES:
                uses[n.value.id].is_array = True
        elif isinstance(n, ast.Assign):
            _unpacked_shape(n, uses)
        elif isinstance(n, ast.Subscript):
            _indexed_shape(n, uses)
        elif isinstance(n, ast.Call):
            _call(module, n, uses, tuples, seen)
    return uses


def _tuple_lengths(node: ast.FunctionDef) -> dict[str, int]:
    """Variables that are always assigned tuples of one length: an index built up front."""
    lengths: dict[str, set[int]] = {}
    for n in ast.walk(node):
        if isinstance(n, ast.Assign) and len(n.targets) == 1 and isinstance(n.targets[0], ast.Name):
            length = len(n.value.elts) if isinstance(n.value, ast.Tuple) else 1
            lengths.setdefault(n.targets[0].id, set()).add(length)
    return {name: next(iter(found)) for name, found in lengths.items() if len(found) == 1}


def _shape_owner(node: ast.expr, uses: dict[str, Use]) -> Use | None:
    if isinstance(node, ast.Attribute) and node.attr in ("shape", "strides") and isinstance(node.value, ast.Name):
        return uses.get(node.value.id)
    return None


def _unpacked_shape(node: ast.Assign, uses: dict[str, Use]) -> None:
    use = _shape_owner(node.value, uses)
    if use is not None and isinstance(node.targets[0], (ast.Tuple, ast.List)):
        use.ranks = (use.ranks or set()) | {len(node.targets[0].elts)}


def _indexed_shape(node: ast.Subscript, uses: dict[str, Use]) -> None:
    use = _shape_owner(node.value, uses)
    if use is not None and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
        use.min_rank = max(use.min_rank, node.slice.value + 1)


def _call(module: Module, call: ast.Call, uses: dict[str, Use], tuples: dict[str, int], seen: frozenset[str]) -> None:
    path = module.qualify(call.func)
    if path in _RANK_FROM:
        if call.args and isinstance(call.args[0], ast.Name) and call.args[0].id in uses:
            use = uses[call.args[0].id]
            use.is_array = True
            keyword, position = _RANK_FROM[path]
            index = next((k.value for k in call.keywords if k.arg == keyword), None)
            if index is None and len(call.args) > position:
                index = call.args[position]
            rank = _length(index, tuples)
            if rank is not None:
                use.ranks = (use.ranks or set()) | {rank}
        return
    callee = module.resolve_expr(call.func)
    if isinstance(callee, Function) and callee.node.name not in seen:
        _handed_on(module, call, callee, uses, seen | {callee.node.name})


def _length(index: ast.expr | None, tuples: dict[str, int]) -> int | None:
    if isinstance(index, (ast.Tuple, ast.List)):
        return len(index.elts)
    if isinstance(index, ast.Name):
        return tuples.get(index.id, 1)
    return None if index is None or isinstance(index, ast.Starred) else 1


def _handed_on(module: Module, call: ast.Call, callee: Function, uses: dict[str, Use], seen: frozenset[str]) -> None:
    handed = [(i, a.id) for i, a in enumerate(call.args) if isinstance(a, ast.Name) and a.id in uses]
    keywords = [(k.arg, k.value.id) for k in call.keywords if isinstance(k.value, ast.Name) and k.value.id in uses]
    if not handed and not keywords:
        return
    inner = uses_of(callee.module, callee.node, seen)
    names = [p.arg for p in (*callee.node.args.posonlyargs, *callee.node.args.args)]
    pairs = [(names[i], own) for i, own in handed if i < len(names)] + [(k, own) for k, own in keywords if k in inner]
    for parameter, own in pairs:
        found, use = inner[parameter], uses[own]
        use.is_array |= found.is_array
        if found.ranks:
            use.ranks = (use.ranks or set()) | found.ranks
        use.min_rank = max(use.min_rank, found.min_rank)


def constant_kind(module: Module, annotation: ast.expr | None) -> str | None:
    """The kind of a ``ct.Constant[...]`` parameter (``any`` for a bare one); None for other annotations."""
    if annotation is None:
        return None
    node, owner = _expand_alias(module, annotation)
    if isinstance(node, ast.Subscript) and owner.qualify(node.value) in ("cuda.tile.Constant", "cuda.tile.ConstantAnnotation"):
        inner = ast.unparse(node.slice)
        return inner if inner in ("int", "float", "bool", "str") else "any"
    return "any" if owner.qualify(node) == "cuda.tile.Constant" else None


def _expand_alias(module: Module, annotation: ast.expr) -> tuple[ast.expr, Module]:
    from cutile2rs.frontend import Constant

    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = ast.parse(annotation.value, mode="eval").body
    if isinstance(annotation, (ast.Name, ast.Attribute)):
        found = module.resolve_expr(annotation)
        if isinstance(found, Constant):
            return found.expr, found.module
    return annotation, module


def rank_of(kernel: KernelDef, name: str, use: Use, node: ast.AST) -> int:
    """The one rank that the uses of an array show."""
    ranks = {r for r in use.ranks or set() if r >= use.min_rank}
    if len(ranks) == 1:
        return next(iter(ranks))
    if not ranks:
        raise Refusal(
            "C2R202", f"the rank of array `{name}` cannot be inferred from its use",
            "index it with a tuple (`ct.load(x, (i, j), ...)`), or unpack its shape", node,
        )  # fmt: skip
    shown = " and ".join(str(r) for r in sorted(ranks))
    raise Refusal("C2R202", f"array `{name}` is used with {shown} indices", "one array has one rank", node)

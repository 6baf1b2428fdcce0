"""From a kernel to its entries: reads the body once for every way its decisions over constants and dtypes can go."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from cutile2rs.frontend import KernelDef
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Array, Block, Entry, Op, ParamInfo, TileType, Value
from cutile2rs.ir.expr import EvalError, Expr, Fn, Lit, Param, fn
from cutile2rs.lowering import (
    arrays,
    atomics,
    debug,
    elementwise,
    expressions,
    matmul,
    memory,
    memory_views,
    params,
    reduction,
    scan,
    shape,
    statements,
    subtiles,
)
from cutile2rs.lowering.annotations import read_annotation
from cutile2rs.lowering.context import Ctx, Refusal
from cutile2rs.lowering.oracle import MAX_ENTRIES, Alternative, Illegal, NoRule, PathState
from cutile2rs.lowering.values import ArrayValue, Frame, LazyScalar, PyValue, Static, loose

#: Modules whose import registers their lowering functions.
REGISTERED = (arrays, atomics, debug, elementwise, matmul, memory, memory_views, reduction, scan, shape, subtiles)

#: How many parameters that a kernel never reads may each be an int or an array; further ones are ints.
MAX_FORMS = 2
#: The ranks that an array which the kernel never mentions may have, ...
STAND_IN_RANKS = (1, 2, 3, 4)
#: ... where so few answers were given on the way.
FEW_ANSWERS = 6

#: The ranks for which a kernel is converted that never shows the rank of an array, only that it is one.
ANY_RANKS = (1, 2, 3, 4)


@dataclass(slots=True)
class Path:
    """One finished path: its entry, or why cuTile rejects the launches on it."""

    state: PathState
    entry: Entry | None
    rejected: Refusal | None = None
    unsupported: bool = False


@dataclass(slots=True)
class Lowered:
    """A kernel's paths in the order of their decisions."""

    kernel: KernelDef
    params: list[ParamInfo]
    paths: list[Path] = field(default_factory=list)
    refused: list[Alternative] = field(default_factory=list)
    left_out: list[Alternative] = field(default_factory=list)
    shown: dict[str, set[int]] = field(default_factory=dict)
    """The ranks of arrays that their uses show."""
    guessed: dict[str, set[int]] = field(default_factory=dict)
    """The ranks that paths took for granted (none: they could not), where no use came first."""
    unclear: set[str] = field(default_factory=set)
    """Arrays of which paths used but an extent, a stride or the dtype: any rank would do."""

    @property
    def entries(self) -> list[Entry]:
        """The entries of the paths that cuTile accepts."""
        return [p.entry for p in self.paths if p.entry is not None]


@dataclass(slots=True)
class Facts:
    """What reading a kernel has shown of its parameters that the text alone does not."""

    kinds: dict[str, str] = field(default_factory=dict)
    ranks: dict[str, tuple[int, ...]] = field(default_factory=dict)


def infer_params(kernel: KernelDef, facts: Facts) -> list[ParamInfo]:
    """Kind and dtype of each parameter, and the ranks that an array may have."""
    module = kernel.module
    uses = params.uses_of(module, kernel.node)
    nodes = _parameter_nodes(kernel.node)
    result = []
    for p in kernel.params:
        line, use = nodes[p.name].lineno, uses[p.name]
        annotation = read_annotation(module, p.annotation)
        if annotation.missing:
            raise Refusal("C2R401", f"there is no rule for {annotation.missing}", None, nodes[p.name])
        if annotation.constant is not None:
            result.append(ParamInfo(p.name, "constant", constant_kind=annotation.constant, line=line))
            continue
        kind = facts.kinds.get(p.name) or ("array" if use.is_array else "list" if use.is_list else "scalar")
        ranks = () if kind == "scalar" else facts.ranks.get(p.name, use.candidates)
        if annotation.exact and kind != "scalar":
            raise Refusal("C2R202", f"`{p.name}` is annotated as a number and used as {kind}", None, nodes[p.name])
        dtype: Expr = Param(f"dtype({p.name})", "dtype")
        info = ParamInfo(
            p.name, kind, 0, dtype, ranks=ranks, annotated=annotation.dtype, exact=annotation.exact,
            number=use.is_number, line=line,
        )  # fmt: skip
        result.append(info)
    return result


def _parameter_nodes(node: ast.FunctionDef) -> dict[str, ast.arg]:
    return {p.arg: p for p in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}


def lower(kernel: KernelDef, run_passes: object = None) -> Lowered:
    """All entries of a kernel. ``run_passes(entry, path)`` is applied to each path while it can still be split.

    The kernel is read again where the first reading shows that a parameter is something else than its text suggested.
    """
    facts = Facts()
    while True:
        try:
            lowered = _lower(kernel, facts, run_passes)
        except params.WrongKind as wrong:
            if wrong.name in facts.kinds:
                raise Refusal(
                    "C2R202",
                    f"`{wrong.name}` is used both as {facts.kinds[wrong.name]} and as {wrong.kind}",
                    None,
                    kernel.node,
                ) from wrong
            facts.kinds[wrong.name] = wrong.kind
            continue
        if not _learn_ranks(lowered, facts):
            break
    if not lowered.entries:
        raise _reason(lowered)
    _settle_ranks(lowered)
    return lowered


def _reason(lowered: Lowered) -> Refusal:
    """Why a kernel has no entry: rather what has no rule than what cuTile rejects."""
    rejected = [(p.unsupported, p.rejected) for p in lowered.paths if p.rejected is not None]
    return next((r for unsupported, r in rejected if unsupported), rejected[0][1])


def _lower(kernel: KernelDef, facts: Facts, run_passes: object) -> Lowered:
    lowered = Lowered(kernel, infer_params(kernel, facts))
    alternatives: dict[tuple[bool, ...], Alternative] = {}
    explored: set[tuple[bool, ...]] = set()
    start: tuple[bool, ...] | None = ()
    while start is not None:
        explored.add(start)
        _explore(lowered, list(start), run_passes, alternatives)
        start = _next_alternative(lowered, alternatives, explored)
    lowered.refused = [a for answers, a in alternatives.items() if answers not in explored] + lowered.left_out
    return lowered


def _learn_ranks(lowered: Lowered, facts: Facts) -> bool:
    """Whether a path had to guess a rank, or could not, that the uses on other paths show to be another one."""
    changed = False
    for name, shown in lowered.shown.items():
        guessed = lowered.guessed.get(name)
        if name not in facts.ranks and guessed is not None and not (guessed and shown <= guessed):
            facts.ranks[name] = tuple(sorted(shown))
            changed = True
    for name in lowered.unclear:
        if name not in facts.ranks and name not in lowered.shown:
            facts.ranks[name] = ANY_RANKS
            changed = True
    return changed


def _settle_ranks(lowered: Lowered) -> None:
    """An array that has one rank in all entries has it as a fact of the kernel, which no entry need ask for."""
    settled: set[Expr] = set()
    for i, info in enumerate(lowered.params):
        ranks = {p.rank for e in lowered.entries for p in e.params if p.name == info.name and p.kind == info.kind}
        if info.kind in ("array", "list") and len(ranks) == 1:
            [rank] = ranks
            lowered.params[i] = replace(info, rank=rank)
            settled.add(arrays.has_rank(info.name, info.kind, rank))
    for path in lowered.paths:
        path.state.required = [e for e in path.state.required if e not in settled]
        if path.entry is not None:
            path.entry.predicate = path.state.predicate()


def _explore(
    lowered: Lowered, start: list[bool], run_passes: object, alternatives: dict[tuple[bool, ...], Alternative]
) -> None:
    """Read every path that begins with these answers."""
    pending = [Alternative(tuple(start), (), "")]
    while pending and len(lowered.paths) < MAX_ENTRIES:
        state = PathState(list(pending.pop().answers))
        lowered.paths.append(_path(lowered, state, run_passes))
        alternatives.update({a.answers: a for a in state.alternatives})
        pending.extend(reversed(state.pending))
    lowered.left_out += pending


def _path(lowered: Lowered, state: PathState, run_passes: object) -> Path:
    kernel = lowered.kernel
    try:
        entry = _read(lowered, state)
        if callable(run_passes):
            run_passes(entry, state)
        entry.predicate = state.predicate()
        return Path(state, entry)
    except Illegal as illegal:
        problem = Refusal("C2R205", str(illegal), None, illegal.node)  # type: ignore[arg-type]
        problem.file = illegal.file
        return Path(state, None, problem)
    except Refusal as refusal:
        if refusal.code in ("C2R202", "C2R205"):
            return Path(state, None, refusal)
        if not state.taken:
            raise  # nothing is decided yet: every launch comes here
        return Path(state, None, refusal, unsupported=True)
    except EvalError as error:  # a constant that was computed before is undefined on this path, as it is in Python
        return Path(state, None, Refusal("C2R205", str(error), None, kernel.node))
    except NoRule as hole:
        return Path(state, None, Refusal("C2R401", str(hole), None, kernel.node), unsupported=True)


def _next_alternative(
    lowered: Lowered, alternatives: dict[tuple[bool, ...], Alternative], explored: set[tuple[bool, ...]]
) -> tuple[bool, ...] | None:
    """The deepest branch not taken whose preferred side gave no entry at all."""
    legal = [tuple(p.state.answers) for p in lowered.paths if p.entry is not None]
    for answers in sorted(alternatives, key=len, reverse=True):
        preferred = (*answers[:-1], True)
        if answers not in explored and not any(a[: len(preferred)] == preferred for a in legal):
            return answers
    return None


def _read(lowered: Lowered, state: PathState) -> Entry:
    names: dict[str, PyValue] = {}
    kernel = lowered.kernel
    node = kernel.node
    locals_ = statements.local_names(node)
    enclosing = Frame(kernel.module, "<enclosing>")
    frame = Frame(kernel.module, node.name, names, enclosing, frozenset(locals_), locals_)
    ctx = Ctx(state, {}, Block(), frame, node=node)
    enclosing.names.update({n: expressions.from_binding(ctx, n, b) for n, b in kernel.local.items()})
    for info in lowered.params:
        names[info.name] = _parameter(ctx, info)
    try:
        flow = statements.run(ctx, node.body)
        if flow.kind == "return" and flow.value != Static(None):
            raise Illegal("a kernel cannot return a value")
        ctx.block.ops.append(Op("return", [], []))
        ctx.settle_scalars()
        infos = []
        for info in lowered.params:
            ctx.node = _parameter_nodes(node)[info.name]
            infos.append(_settle_unused(ctx, info))
    finally:
        for a in ctx.arrays.values():
            if a.guessed and not a.ranks and not a.is_list:
                lowered.unclear.add(a.name)
            if a.guessed:
                lowered.guessed.setdefault(a.name, set()).update(a.ranks)
            elif a.rank and not a.unused:
                lowered.shown.setdefault(a.name, set()).add(a.rank)
    return Entry(node.name, (), infos, list(ctx.arrays.values()), ctx.scalars, ctx.block, ctx.const_names)


def _parameter(ctx: Ctx, info: ParamInfo) -> PyValue:
    if info.kind == "constant":
        return _constant(ctx, info)
    assert info.dtype is not None
    if info.kind == "scalar":
        if info.annotated is not None:
            ctx.annotated[info.dtype] = info.annotated
        if info.exact and isinstance(info.dtype, Param):
            assert info.annotated is not None
            ctx.path.domains[info.dtype] = (info.annotated,)
        return LazyScalar(info.name, info.dtype)
    array = Array(info.name, info.rank, info.dtype, len(ctx.arrays), info.kind == "list", ranks=info.ranks)
    ctx.arrays[info.name] = array
    return arrays.list_parameter(ctx, array) if array.is_list else ArrayValue(array)


def _settle_unused(ctx: Ctx, info: ParamInfo) -> ParamInfo:
    """What a parameter that this path never reads takes up in the launch's argument list: its use cannot show that."""
    if info.kind in ("array", "list"):
        return replace(info, rank=_rank_at_end(ctx, ctx.arrays[info.name]))
    if info.kind != "scalar" or info.name in ctx.scalars:
        return info
    form = Param(f"form({info.name})", "str")
    is_number = fn("eq", form, Lit(info.annotated.name)) if info.exact and info.annotated else fn("is_number", form)
    if info.annotated is not None or info.number:
        ctx.path.require(is_number, f"`{info.name}` is not used by the kernel; it is converted as a number")
        return _unused_scalar(ctx, info)
    unused = sum(1 for e, _ in ctx.path.taken if isinstance(e, Fn) and e.op == "is_number")
    if ctx.path.decide(is_number) if unused < MAX_FORMS else ctx.path.prefer(is_number, _no_form(info, "a number")):
        return _unused_scalar(ctx, info)
    rank = _stand_in_rank(ctx, info)
    ctx.arrays[info.name] = Array(info.name, rank, Param(f"dtype({info.name})", "dtype"), len(ctx.arrays))
    return replace(info, kind="array", rank=rank)


def _stand_in_rank(ctx: Ctx, info: ParamInfo) -> int:
    """The rank of an array that the kernel never mentions. Each is an entry of its own: where there are many ways through
    the kernel, only one is made."""
    ranks = STAND_IN_RANKS if len(ctx.path.taken) < FEW_ANSWERS else STAND_IN_RANKS[:1]
    for rank in ranks[:-1]:
        if ctx.path.decide(arrays.has_rank(info.name, "array", rank)):
            return rank
    allowed = f"a number or an array of rank {' or '.join(map(str, ranks))}"
    ctx.path.prefer(arrays.has_rank(info.name, "array", ranks[-1]), _no_form(info, allowed))
    return ranks[-1]


def _no_form(info: ParamInfo, allowed: str) -> str:
    return f"`{info.name}` is not used by the kernel; it is converted as {allowed}"


def _unused_scalar(ctx: Ctx, info: ParamInfo) -> ParamInfo:
    """A number that this path never reads is 32 bits of the argument list, whether an int or a float."""
    ctx.scalars[info.name] = Value(TileType(Lit(info.annotated or dt.INT32)), info.name)
    return info


def _rank_at_end(ctx: Ctx, array: Array) -> int:
    """An array's rank at the end of a path. For one that was not used on it, a launch may pass a stand-in: an array of the
    rank that it has where it is used, or an empty one of rank 1."""
    if array.rank == 0 and array.ranks and not array.is_list:
        array.ranks = tuple(r for r in dict.fromkeys((*array.ranks, 1)) if r >= array.least)
        guessed, rank = array.guessed, arrays.rank_of(ctx, array)
        array.guessed = guessed
        array.unused = True
        return rank
    return arrays.rank_of(ctx, array)


def _constant(ctx: Ctx, info: ParamInfo) -> PyValue:
    """A constant's value: symbolic; one of unknown kind is told apart by its kinds."""
    kind = info.constant_kind or "any"
    if kind in ("int", "float", "bool"):
        return loose(Param(info.name, kind))
    p = Param(info.name, "any")
    if ctx.path.decide(fn("is_none", p)):
        return Static(None)
    for test, name in (("kind_int", "int"), ("kind_bool", "bool"), ("kind_float", "float")):
        if ctx.path.decide(fn(test, p)):
            return loose(Param(info.name, name))
    raise Illegal(f"constant `{info.name}` is neither a number nor None")

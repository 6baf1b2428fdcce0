"""From a kernel to its entries: reads the body once for every way its decisions over constants and dtypes can go."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from cutile2rs.frontend import KernelDef
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Array, Block, Entry, Op, ParamInfo
from cutile2rs.ir.expr import EvalError, Expr, Param, fn
from cutile2rs.lowering import (
    argreduce,
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
    unread,
)
from cutile2rs.lowering.annotations import read_annotation
from cutile2rs.lowering.context import Ctx, Refusal
from cutile2rs.lowering.forking import MustFork
from cutile2rs.lowering.oracle import MAX_ENTRIES, Alternative, Fact, Illegal, NoRule, PathState
from cutile2rs.lowering.rarity import is_departure
from cutile2rs.lowering.values import ArrayValue, Frame, LazyScalar, PyValue, Static, loose

#: Modules whose import registers their lowering functions.
REGISTERED = (
    argreduce, arrays, atomics, debug, elementwise, matmul, memory, memory_views, reduction, scan, shape, subtiles,
)  # fmt: skip

#: A kernel with more paths than this is read again with its constant branches kept as branches, wherever they can be.
MAX_FORKED = 16

#: Of such a kernel, paths of unusual launches get entries only as long as it has no more than this.
MAX_RARE = 64

#: A kernel with fewer paths than this gets entries for unlikely launches too, as long as it has no more than MAX_UNLIKELY.
FEW = 6
MAX_UNLIKELY = 12

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
    forks: frozenset[Expr] | None = None
    """As in :class:`PathState`."""


@dataclass(frozen=True, slots=True)
class _Pending:
    """A path to be read: how rarely a launch takes it, what makes it another path, the constant branches that split it."""

    rarity: int
    alternative: Alternative
    forks: frozenset[Expr] | None
    usual: frozenset[Expr] = frozenset()
    """As in :class:`PathState`."""


class _TooManyPaths(Exception):
    """The kernel has so many paths that its constant branches should stay branches."""


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
        flag = dt.BOOL if use.is_flag and not use.is_number and annotation.dtype is None else None
        info = ParamInfo(
            p.name, kind, 0, dtype, ranks=ranks, annotated=annotation.dtype or flag, exact=annotation.exact,
            number=use.is_number, line=line,
        )  # fmt: skip
        result.append(info)
    return result


def _parameter_nodes(node: ast.FunctionDef) -> dict[str, ast.arg]:
    return {p.arg: p for p in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}


def lower(kernel: KernelDef, run_passes: object = None, forks: frozenset[Expr] | None = None) -> Lowered:
    """All entries of a kernel. ``run_passes(entry, path)`` is applied to each path while it can still be split.

    The kernel is read again where the first reading shows that a parameter is something else than its text suggested, or
    that there are many paths. ``forks``: as in :class:`PathState`, at first.
    """
    facts = Facts(forks=forks)
    while True:
        try:
            lowered = _lower(kernel, facts, run_passes)
        except _TooManyPaths:
            facts.forks = frozenset()
            continue
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
    alternatives: dict[tuple[Fact, ...], Alternative] = {}
    explored: set[tuple[Fact, ...]] = set()
    start: tuple[Fact, ...] | None = ()
    most = MAX_ENTRIES
    while start is not None:
        explored.add(start)
        _explore(lowered, start, run_passes, alternatives, facts.forks, most)
        start = _next_alternative(lowered, alternatives, explored)
        if start is None and len(lowered.paths) < FEW and facts.forks is None:
            most = MAX_UNLIKELY
            left = (f for f in sorted(alternatives, key=len) if f not in explored and not alternatives[f].rarity)
            start = next(left, None)
    lowered.refused = [a for facts, a in alternatives.items() if facts not in explored] + lowered.left_out
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
    """What a parameter is in all entries, an array of one rank or a number, is a fact of the kernel: no entry asks for it."""
    settled: set[Expr] = set()
    for i, info in enumerate(lowered.params):
        if info.kind == "scalar":
            if all(p.kind == "scalar" for e in lowered.entries for p in e.params if p.name == info.name):
                settled.add(unread.is_number(info.name))
            else:
                lowered.params[i] = replace(info, kind="either")
        seen = [p for e in lowered.entries for p in e.params if p.name == info.name and p.kind == info.kind]
        rank = seen[0].rank if seen else 0
        if info.kind in ("array", "list") and seen and all(p.rank == rank and not p.open for p in seen):
            lowered.params[i] = replace(info, rank=rank)
            settled.add(arrays.has_rank(info.name, info.kind, rank))
    for path in lowered.paths:
        path.state.required = [e for e in path.state.required if e not in settled]
        if path.entry is not None:
            path.entry.predicate = path.state.predicate()


def _explore(
    lowered: Lowered,
    start: tuple[Fact, ...],
    run_passes: object,
    alternatives: dict[tuple[Fact, ...], Alternative],
    forks: frozenset[Expr] | None,
    most: int,
) -> None:
    """Read every path on which these facts hold, up to ``most`` of the kernel's."""
    pending = [_Pending(0, Alternative(start, (), ""), forks)]
    usual: int | None = None
    while pending and len(lowered.paths) < most:
        if forks is None and len(lowered.paths) >= MAX_FORKED:
            raise _TooManyPaths
        # The latest of those that the most usual launches need.
        least = min(p.rarity for p in pending)
        if usual is not None and least > usual and len(lowered.paths) >= MAX_RARE:
            break
        this = pending.pop(max(i for i, p in enumerate(pending) if p.rarity == least))
        path, known = _path_with_branches(lowered, this, run_passes)
        lowered.paths.append(path)
        alternatives.update({a.facts: a for a in path.state.alternatives})
        pending += reversed(_following(path, this, known))
        usual = min((a.rarity for a in path.state.pending), default=usual) if usual is None else min(usual, least)
    lowered.left_out += [p.alternative for p in pending]


def _following(path: Path, this: _Pending, known: frozenset[Expr] | None) -> list[_Pending]:
    """What a path leaves to be read. Where cuTile rejects it, the dtype that was taken for usual last may be why: another
    one is no more unusual then than the path."""
    following = [_Pending(a.rarity, a, known, this.usual) for a in path.state.pending]
    if path.entry is None and not path.unsupported:
        doubtful = [i for i, a in enumerate(path.state.pending) if is_departure(a.facts[-1][0])]
        for i in doubtful[-1:]:
            alternative = path.state.pending[i]
            following[i] = _Pending(this.rarity, alternative, known, this.usual | {alternative.facts[-1][0]})
    return following


def _path_with_branches(lowered: Lowered, this: _Pending, run_passes: object) -> tuple[Path, frozenset[Expr] | None]:
    """A path, with as many constant branches kept as can be; and those that cannot be."""
    forks = this.forks
    while True:
        state = PathState(this.alternative.facts, forks=forks, mixed=forks is not None, usual=this.usual)
        try:
            return _path(lowered, state, run_passes), forks
        except MustFork as must:
            forks = (forks or frozenset()) | {must.condition}


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
    lowered: Lowered, alternatives: dict[tuple[Fact, ...], Alternative], explored: set[tuple[Fact, ...]]
) -> tuple[Fact, ...] | None:
    """The deepest branch not taken whose preferred side gave no entry at all."""
    legal = [set(p.state.facts) for p in lowered.paths if p.entry is not None]
    for facts in sorted(alternatives, key=len, reverse=True):
        *before, (condition, _) = facts
        preferred = {*before, (condition, True)}
        if facts not in explored and not any(preferred <= path for path in legal):
            return facts
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
            infos.append(unread.settle(ctx, info))
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
            ctx.path.limit(info.dtype, (info.annotated,))
        return LazyScalar(info.name, info.dtype)
    array = Array(info.name, info.rank, info.dtype, len(ctx.arrays), info.kind == "list", ranks=info.ranks)
    ctx.arrays[info.name] = array
    return arrays.list_parameter(ctx, array) if array.is_list else ArrayValue(array)


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

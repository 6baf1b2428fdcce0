"""From a kernel to its entries: reads the body once for every way its decisions over constants and dtypes can go."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cutile2rs.frontend import KernelDef
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Array, Block, Entry, Op, ParamInfo, TileType, Value
from cutile2rs.ir.expr import Fn, Lit, Param, fn
from cutile2rs.lowering import elementwise, expressions, matmul, memory, params, reduction, shape, statements
from cutile2rs.lowering.context import Ctx, Refusal
from cutile2rs.lowering.oracle import MAX_ENTRIES, Alternative, Illegal, NoRule, PathState
from cutile2rs.lowering.values import ArrayValue, Frame, LazyScalar, PyValue, Static, loose

#: Modules whose import registers their lowering functions.
REGISTERED = (elementwise, matmul, memory, reduction, shape)

#: How many parameters that a kernel never reads may each be an int or an array; further ones are ints.
MAX_FORMS = 2


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

    @property
    def entries(self) -> list[Entry]:
        """The entries of the paths that cuTile accepts."""
        return [p.entry for p in self.paths if p.entry is not None]


def infer_params(kernel: KernelDef) -> list[ParamInfo]:
    """Kind, rank and dtype of each parameter. Raises :class:`Refusal` where the text does not show them."""
    module = kernel.module
    uses = params.uses_of(module, kernel.node)
    nodes = {p.arg: p for p in (*kernel.node.args.posonlyargs, *kernel.node.args.args, *kernel.node.args.kwonlyargs)}
    result = []
    for p in kernel.params:
        node, use = nodes[p.name], uses[p.name]
        kind = params.constant_kind(module, p.annotation)
        if kind is not None:
            result.append(ParamInfo(p.name, "constant", constant_kind=kind, line=node.lineno))
        elif use.is_array:
            rank = params.rank_of(kernel, p.name, use, node)
            result.append(ParamInfo(p.name, "array", rank, Param(f"dtype({p.name})", "dtype"), line=node.lineno))
        else:
            result.append(ParamInfo(p.name, "scalar", 0, Param(f"dtype({p.name})", "dtype"), line=node.lineno))
    return result


def lower(kernel: KernelDef, run_passes: object = None) -> Lowered:
    """All entries of a kernel. ``run_passes(entry, path)`` is applied to each path while it can still be split."""
    lowered = Lowered(kernel, infer_params(kernel))
    alternatives: dict[tuple[bool, ...], Alternative] = {}
    explored: set[tuple[bool, ...]] = set()
    start: tuple[bool, ...] | None = ()
    while start is not None:
        explored.add(start)
        _explore(lowered, list(start), run_passes, alternatives)
        start = _next_alternative(lowered, alternatives, explored)
    lowered.refused = [a for answers, a in alternatives.items() if answers not in explored]
    if not lowered.entries:
        raise next(p.rejected for p in lowered.paths if p.rejected is not None)
    return lowered


def _explore(
    lowered: Lowered, start: list[bool], run_passes: object, alternatives: dict[tuple[bool, ...], Alternative]
) -> None:
    """Read every path that begins with these answers."""
    kernel = lowered.kernel
    pending = [start]
    while pending:
        state = PathState(pending.pop())
        lowered.paths.append(_path(lowered, state, run_passes))
        alternatives.update({a.answers: a for a in state.alternatives})
        pending.extend(reversed(state.pending))
        if len(lowered.paths) > MAX_ENTRIES:
            raise Refusal(
                "C2R201", f"the kernel splits into more than {MAX_ENTRIES} entries",
                "make fewer decisions over constants and dtypes, or write separate kernels", kernel.node,
            )  # fmt: skip


def _path(lowered: Lowered, state: PathState, run_passes: object) -> Path:
    kernel = lowered.kernel
    try:
        entry = _read(kernel, lowered.params, state)
        if callable(run_passes):
            run_passes(entry, state)
        entry.predicate = state.predicate()
        return Path(state, entry)
    except Illegal as illegal:
        problem = Refusal("C2R205", str(illegal), None, illegal.node)  # type: ignore[arg-type]
        problem.file = illegal.file
        return Path(state, None, problem)
    except Refusal as refusal:
        if refusal.code != "C2R205":
            raise
        return Path(state, None, refusal)
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


def _read(kernel: KernelDef, infos: list[ParamInfo], state: PathState) -> Entry:
    arrays: dict[str, Array] = {}
    names: dict[str, PyValue] = {}
    node = kernel.node
    locals_ = statements.local_names(node)
    enclosing = Frame(kernel.module, "<enclosing>")
    frame = Frame(kernel.module, node.name, names, enclosing, frozenset(locals_), locals_)
    ctx = Ctx(state, arrays, Block(), frame, node=node)
    enclosing.names.update({n: expressions.from_binding(ctx, n, b) for n, b in kernel.local.items()})
    for info in infos:
        names[info.name] = _parameter(ctx, info, arrays)
    flow = statements.run(ctx, node.body)
    if flow.kind == "return" and flow.value != Static(None):
        raise Illegal("a kernel cannot return a value")
    ctx.block.ops.append(Op("return", [], []))
    infos = [_settle_unused(ctx, info) for info in infos]
    return Entry(node.name, (), infos, list(ctx.arrays.values()), ctx.scalars, ctx.block, ctx.const_names)


def _parameter(ctx: Ctx, info: ParamInfo, arrays: dict[str, Array]) -> PyValue:
    if info.kind == "array":
        assert info.dtype is not None
        arrays[info.name] = Array(info.name, info.rank, info.dtype, len(arrays))
        return ArrayValue(arrays[info.name])
    if info.kind == "scalar":
        assert info.dtype is not None
        return LazyScalar(info.name, info.dtype)
    return _constant(ctx, info)


def _settle_unused(ctx: Ctx, info: ParamInfo) -> ParamInfo:
    """What a parameter that this path never reads takes up in the launch's argument list: its use cannot show that."""
    if info.kind != "scalar" or info.name in ctx.scalars:
        return info
    form = Param(f"form({info.name})", "str")
    reason = f"`{info.name}` is not used by the kernel; it is converted as an int or as an array of rank 1"
    unused = sum(1 for e, _ in ctx.path.taken if isinstance(e, Fn) and str(e.args[0]).startswith("Param(name='form("))
    if ctx.path.decide(fn("eq", form, Lit("int32"))) if unused < MAX_FORMS else True:
        ctx.path.require(fn("eq", form, Lit("int32")), reason)
        ctx.scalars[info.name] = Value(TileType(Lit(dt.INT32)), info.name)
        return info
    ctx.path.prefer(fn("eq", form, Lit("array 1")), reason)
    ctx.arrays[info.name] = Array(info.name, 1, Param(f"dtype({info.name})", "dtype"), len(ctx.arrays))
    return replace(info, kind="array", rank=1)


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



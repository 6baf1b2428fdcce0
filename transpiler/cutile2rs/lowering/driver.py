"""From a kernel to its entries: reads the body once for every way its decisions over constants and dtypes can go."""

from __future__ import annotations

from dataclasses import dataclass, field

from cutile2rs.frontend import KernelDef
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Array, Block, Entry, Op, ParamInfo, TileType, Value
from cutile2rs.ir.expr import Lit, Param, fn
from cutile2rs.lowering import elementwise, matmul, memory, params, reduction, shape, statements
from cutile2rs.lowering.context import Ctx, Refusal
from cutile2rs.lowering.oracle import MAX_ENTRIES, Illegal, NoRule, PathState
from cutile2rs.lowering.values import ArrayValue, Frame, PyValue, Static, Tile, loose

#: Modules whose import registers their lowering functions.
REGISTERED = (elementwise, matmul, memory, reduction, shape)

SCALAR_DTYPES = (dt.INT32, dt.FLOAT32, dt.INT64, dt.BOOL)


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
    pending: list[list[bool]] = [[]]
    while pending:
        state = PathState(pending.pop())
        try:
            entry = _read(kernel, lowered.params, state)
            if callable(run_passes):
                run_passes(entry, state)
            entry.predicate = state.predicate()
            lowered.paths.append(Path(state, entry))
        except Illegal as illegal:
            problem = Refusal("C2R205", str(illegal), None, illegal.node)  # type: ignore[arg-type]
            problem.file = illegal.file
            lowered.paths.append(Path(state, None, problem))
        except Refusal as refusal:
            if refusal.code != "C2R205":
                raise
            lowered.paths.append(Path(state, None, refusal))
        except NoRule as hole:
            lowered.paths.append(Path(state, None, Refusal("C2R401", str(hole), None, kernel.node), unsupported=True))
        pending.extend(reversed(state.pending))
        if len(lowered.paths) > MAX_ENTRIES:
            raise Refusal(
                "C2R201", f"the kernel splits into more than {MAX_ENTRIES} entries",
                "make fewer decisions over constants and dtypes, or write separate kernels", kernel.node,
            )  # fmt: skip
    if not lowered.entries:
        raise next(p.rejected for p in lowered.paths if p.rejected is not None)
    return lowered


def _read(kernel: KernelDef, infos: list[ParamInfo], state: PathState) -> Entry:
    arrays: dict[str, Array] = {}
    scalars: dict[str, Value] = {}
    names: dict[str, PyValue] = {}
    node = kernel.node
    locals_ = statements.local_names(node)
    frame = Frame(kernel.module, node.name, names, None, frozenset(locals_), locals_)
    ctx = Ctx(state, arrays, Block(), frame, node=node)
    for info in infos:
        names[info.name] = _parameter(ctx, info, arrays, scalars)
    flow = statements.run(ctx, node.body)
    if flow.kind == "return" and flow.value != Static(None):
        raise Illegal("a kernel cannot return a value")
    ctx.block.ops.append(Op("return", [], []))
    return Entry(node.name, (), infos, list(arrays.values()), scalars, ctx.block, ctx.const_names)


def _parameter(ctx: Ctx, info: ParamInfo, arrays: dict[str, Array], scalars: dict[str, Value]) -> PyValue:
    if info.kind == "array":
        assert info.dtype is not None
        arrays[info.name] = Array(info.name, info.rank, info.dtype, len(arrays))
        return ArrayValue(arrays[info.name])
    if info.kind == "scalar":
        return _scalar(ctx, info, scalars)
    return _constant(ctx, info)


def _scalar(ctx: Ctx, info: ParamInfo, scalars: dict[str, Value]) -> Tile:
    assert info.dtype is not None
    for d in SCALAR_DTYPES:
        if ctx.path.decide(fn("eq", info.dtype, Lit(d))):
            scalars[info.name] = Value(TileType(Lit(d)), info.name)
            return Tile(TileType(Lit(d)), scalars[info.name])
    raise Illegal(f"scalar `{info.name}` has a dtype that no launch gives")


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



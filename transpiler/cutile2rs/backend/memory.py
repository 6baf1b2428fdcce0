"""The Rust of loads, stores, gathers, scatters and atomics: calls of the support module, with explicit tokens.

What the support module has no function for (memory orders, slices and items of lists, raw memory, atomics) is written
with the operations of ``cutile::core``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutile2rs.backend import arrays
from cutile2rs.backend.arrays import Parts
from cutile2rs.backend.forms import Text
from cutile2rs.ir.core import Array, Op, TileType, Value
from cutile2rs.ir.expr import Expr
from cutile2rs.lowering.oracle import NoRule

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter

_UNCHECKED = "// SAFETY: the Python kernel turns bounds checks off here; its caller answers for the indices."
_INSIDE = "// SAFETY: only elements in bounds are touched."
_ORDERED = "// SAFETY: an overhanging tile is padded, or not written there; the token states the order."
_RAW = "// SAFETY: the Python kernel addresses raw memory here; its caller answers for the offsets."
#: What a line says that makes a view of a kind that ``cutile::core`` has no name for.
RAW_VIEW = "// SAFETY: a strided or sparse view"
_VIEW = f"{RAW_VIEW} touches no memory; what loads and stores through it states its order."

_ORDERINGS = {"WEAK": "Weak", "RELAXED": "Relaxed", "ACQUIRE": "Acquire", "RELEASE": "Release", "ACQ_REL": "AcqRel"}
_SCOPES = {"NONE": "TileBlock", "BLOCK": "TileBlock", "DEVICE": "Device", "SYS": "System"}
_MODES = {"add": "Add", "addf": "AddF", "and": "And", "or": "Or", "xor": "Xor", "max": "Max", "min": "Min",
          "umax": "Umax", "umin": "Umin", "xchg": "Xchg"}  # fmt: skip
_MARKERS = {"UNDETERMINED": "None", "ZERO": "Zero", "NEG_ZERO": "NegZero", "NAN": "Nan", "POS_INF": "PosInf",
            "NEG_INF": "NegInf"}  # fmt: skip


def emit(e: Emitter, op: Op) -> None:
    """One memory operation."""
    e.flush()
    e.comment(op)
    if op.opcode in ("load_ptr", "store_ptr"):
        _pointer(e, op)
    elif op.opcode in ("load_view", "store_view"):
        _view(e, op)
    elif op.opcode == "atomic_view":
        _atomic_view(e, op)
    else:
        _atomic(e, op)


def _latency(e: Emitter, op: Op) -> str:
    latency: Expr | None = op.attrs["latency"]
    return "0" if latency is None else e.generics.int(e.path.simplify(latency))


def _token(e: Emitter, op: Op) -> str:
    assert op.token is not None
    return e.operand(op.token).text


def _as_tile(e: Emitter, op: Op, v: Value) -> str:
    return e.scalar_tile(op, v) if e.is_scalar(v.type) else e.operand(v).text


# -- elements by pointer -----------------------------------------------------------------------------------------------


def _pointer(e: Emitter, op: Op) -> None:
    """A gather or scatter."""
    parts, operands = arrays.parts_of(e, op)
    raw = op.attrs.get("raw", False)
    if raw or not parts.is_parameter or op.attrs.get("located"):
        _pointer_by_parts(e, op, parts, operands)
        return
    # A parameter of one axis: the elements of others have been located, axis by axis.
    index, *rest = operands
    masks, [value] = (rest[:1], rest[1:]) if op.attrs["masked"] else ([], rest)
    name = "gather_1d" if op.opcode == "load_ptr" else "scatter_1d"
    name += "" if op.attrs["check_bounds"] else "_unchecked"
    name += "_masked" if masks else ""
    args = [parts.rust, e.operand(index).text, *(_as_tile(e, op, v) for v in (value, *masks))]
    _finish(e, op, name, [*args, _token(e, op), f"const_array![{_latency(e, op)}]"])


def _pointer_by_parts(e: Emitter, op: Op, parts: Parts, operands: list[Value]) -> None:
    is_load = op.opcode == "load_ptr"
    pointer, mask, rest = _address(e, op, parts, operands)
    token, latency = _token(e, op), f"const_array![{_latency(e, op)}]"
    where = ["_where", mask] if mask else [""]
    safety = _RAW if op.attrs.get("raw") else _INSIDE if op.attrs["check_bounds"] else _UNCHECKED
    value = [_as_tile(e, op, v) for v in rest]
    if is_load and not value:  # masked-off elements are undefined
        mask_argument = f"Some({mask})" if mask else "None"
        order = "ordering::Weak, None::<scope::TileBlock>"
        call = f"load_ptr_tko({pointer}, {order}, {mask_argument}, None, Some({token}), Latency::<{_latency(e, op)}>)"
        _finish_core(e, op, call, safety)
        return
    name = f"{'load' if is_load else 'store'}_elements{where[0]}"
    _finish_core(
        e, op, f"{name}({', '.join([pointer, *where[1:], *value, token, latency])})", safety, by_helper=is_load
    )


def _address(e: Emitter, op: Op, parts: Parts, operands: list[Value]) -> tuple[str, str, list[Value]]:
    """Pointers to the elements that an operation touches, the mask if there is one, and the operands after these."""
    array: Array = op.attrs["array"]
    raw, checked, masked = op.attrs.get("raw", False), op.attrs["check_bounds"], op.attrs.get("masked", False)
    located = op.attrs.get("located", False)
    count = 1 + checked if located else 1 if raw or parts.is_parameter else array.rank
    where, rest = operands[:count], operands[count:]
    type_ = where[0].type
    assert isinstance(type_, TileType)
    dims = e.dims(type_.shape)
    name = array.name
    if raw or located:
        offset, inside = e.operand(where[0]).text, _as_tile(e, op, where[1]) if located and checked else ""
    else:
        offset, inside = _offset(e, op, parts, where, dims)
    if masked:
        mask, *rest = rest
        text = _as_tile(e, op, mask)
        inside = f"{inside} & {text}" if inside else text
    pointer = e.fresh(f"{name}_elements", op)
    call = f"elements({parts.rust}, {offset})" if parts.is_parameter else f"part_elements({parts.base}, {offset})"
    e.statement(f"let {pointer}: PointerTile<*mut {arrays.element(e, array)}, {{ [{dims}] }}>", call)
    return pointer, inside, rest


def _offset(e: Emitter, op: Op, parts: Parts, where: list[Value], dims: str) -> tuple[str, str]:
    """The offset of the elements at the indices, and whether each is in bounds (nothing where that is not checked)."""
    name, indices = op.attrs["array"].name, ", ".join(e.operand(v).text for v in where)
    checked = op.attrs["check_bounds"]
    if parts.is_parameter:  # of one axis, see above
        helper, owner = "offsets_1d", parts.rust
    else:
        helper = f"part_offsets_{len(where)}d"
        owner = f"{parts.extents}, {parts.strides}" if checked else parts.strides
    if not checked:
        offset = e.fresh(f"{name}_offset", op)
        e.statement(f"let {offset}: Tile<u64, {{ [{dims}] }}>", f"{helper}_unchecked({owner}, {indices})")
        return offset, ""
    both = e.fresh(f"{name}_where", op)
    types = f"(Tile<u64, {{ [{dims}] }}>, Tile<bool, {{ [{dims}] }}>)"
    e.statement(f"let {both}: {types}", f"{helper}({owner}, {indices})")
    offset, inside = e.fresh(f"{name}_offset", op), e.fresh(f"{name}_inside", op)
    # A tile out of a tuple keeps the helper's type names; a conversion to its own type renames it.
    e.statement(f"let {offset}: Tile<u64, {{ [{dims}] }}>", f"convert_tile({both}.0)")
    e.statement(f"let {inside}: Tile<bool, {{ [{dims}] }}>", f"convert_tile({both}.1)")
    return offset, inside


def emit_axis(e: Emitter, op: Op) -> None:
    """What an index says along one axis of an array: whether it is in bounds, and how far it is from the base."""
    array, axis = op.attrs["array"], op.attrs["axis"]
    rust = e.arrays[array.name]
    e.flush()
    e.comment(op)
    index = e.operand(op.operands[0]).text
    if op.opcode == "within":
        call = Text(f"within({index}, {rust}.shape()[{axis}])")
        if e.is_scalar(op.result.type):
            e.finish(op, call)
        else:
            e.place(op, call, True)
        return
    stride = e.fresh(f"{rust}_stride_{axis}", op)
    e.statement(f"let {stride}: i32", f"strides_{array.rank}d(raw_strides({rust})).{axis}")
    e.place(op, Text(f"along({index}, {stride})"), True)


def _atomic(e: Emitter, op: Op) -> None:
    """A read-modify-write of elements."""
    parts, operands = arrays.parts_of(e, op)
    pointer, mask, rest = _address(e, op, parts, operands)
    values = [_as_tile(e, op, v) for v in rest]
    mode = [f"atomic::{_MODES[op.attrs['mode']]}"] if op.opcode == "atomic_rmw" else []
    args = [pointer, *values, *mode, *_order(op), f"Some({mask})" if mask else "None", f"Some({_token(e, op)})"]
    safety = _RAW if op.attrs.get("raw") else _INSIDE if op.attrs["check_bounds"] else _UNCHECKED
    _finish_core(e, op, f"{op.opcode}_tko({', '.join(args)})", safety)


def _order(op: Op) -> list[str]:
    order, scope = op.attrs.get("memory_order", "WEAK"), op.attrs.get("memory_scope", "NONE")
    return [f"ordering::{_ORDERINGS[order]}", f"scope::{_SCOPES[scope]}"]


# -- tiles by view -----------------------------------------------------------------------------------------------------


def _view(e: Emitter, op: Op) -> None:
    """A load or store of a tile."""
    parts, operands = arrays.parts_of(e, op)
    is_load = op.opcode == "load_view"
    tile = op.results[0] if is_load else operands[0]
    assert isinstance(tile.type, TileType)
    index = [e.operand(v).text for v in (operands if is_load else operands[1:])]
    view = _view_of(e, op, parts, tile.type)
    value = [] if is_load else [_as_tile(e, op, tile)]
    plain = op.attrs.get("sparse") is None and op.attrs.get("steps") is None
    if plain and "memory_order" not in op.attrs:
        name = "load_view" if is_load else "store_view"
        name += "" if op.attrs["check_bounds"] else "_unchecked"
        name += "_no_tma" if op.attrs["allow_tma"] is False else ""
        latency = f"const_array![{_latency(e, op)}]"
        _finish(e, op, name, [f"&{view}", *value, f"[{', '.join(index)}]", _token(e, op), latency])
        return
    where = f"({', '.join(index)})" if op.attrs.get("sparse") is not None else f"[{', '.join(index)}]"
    checked = op.attrs["check_bounds"]
    latency = _latency(e, op)
    args = [
        f"&{view}", *value, where, f"Some({_token(e, op)})", *_order(op),
        "tma::Disabled" if op.attrs["allow_tma"] is False else "tma::Enabled",
        "None" if latency == "0" else f"Some({latency})",
        f"[{', '.join(['false' if checked else 'true'] * len(index))}]",
    ]  # fmt: skip
    name = "load_view_raw" if is_load else "store_view_raw"
    args += [e.shape(tile.type)] if is_load else []
    _finish_core(e, op, f"{name}({', '.join(args)})", _ORDERED if checked else _UNCHECKED)


def emit_view(e: Emitter, op: Op) -> None:
    """A view that is made before the loop with the operations on it."""
    e.flush()
    e.comment(op)
    parts, _ = arrays.parts_of(e, op)
    e.names[op.result] = _make_view(e, op, parts, op.attrs["tile"])
    e.holders[e.names[op.result]] = op.result


def _view_of(e: Emitter, op: Op, parts: Parts, t: TileType) -> str:
    """The view that an operation works on."""
    return _make_view(e, op, parts, t) if op.view is None else e.names[op.view]


def _make_view(e: Emitter, op: Op, parts: Parts, t: TileType) -> str:
    """The view, in a variable of its own."""
    name = e.fresh(f"{parts.rust}_view", op)
    order: tuple[int, ...] = op.attrs["order"]
    dtype = arrays.element(e, op.attrs["array"])
    padding = op.attrs.get("padding", "UNDETERMINED")
    sparse, steps = op.attrs.get("sparse"), op.attrs.get("steps")
    shape, dims = e.shape(t), e.dims(t.shape)
    identity = order == tuple(range(len(order)))
    if sparse is None and steps is None:
        suffix = padding.lower() + ("" if identity else "_ordered")
        owner = parts.rust if parts.is_parameter else f"{parts.base}, {parts.extents}, {parts.strides}"
        more = "" if identity else f", const_array![{', '.join(map(str, order))}]"
        prefix = "" if parts.is_parameter else "part_"
        text = f"{prefix}view_{suffix}({owner}, {shape}{more})"
        e.statement(f"let {name}: Partition<{dtype}, {{ [{dims}] }}>", text)
        return name
    if not parts.is_parameter:
        raise NoRule("a strided or sparse view of a slice or of an item of a list")
    e.line(_VIEW)
    marker = f"padding::{_MARKERS[padding]}"
    if sparse is not None:
        type_ = f"GatherScatterView<{dtype}, {{ [{dims}] }}, {sparse}>"
        e.statement(f"let {name}: {type_}", f"unsafe {{ make_gather_scatter_view({parts.rust}, {shape}, {marker}) }}")
        return name
    assert steps is not None
    type_ = f"StridedView<{dtype}, {{ [{dims}] }}, {{ [{e.dims(steps)}] }}, {{ [{', '.join(map(str, order))}] }}>"
    e.statement(f"let {name}: {type_}", f"unsafe {{ make_strided_view({parts.rust}, {shape}, {marker}) }}")
    return name


def emit_num_tiles(e: Emitter, op: Op) -> None:
    """``ct.num_tiles``: a question to a view."""
    e.flush()
    e.comment(op)
    if op.attrs["steps"] is not None:
        raise NoRule("the number of tiles of a view whose traversal steps differ from its tiles")
    parts, _ = arrays.parts_of(e, op)
    type_ = TileType(op.attrs["array"].dtype, op.attrs["shape"])
    view = _view_of(e, op, parts, type_)
    e.let(op, op.result, Text(f"num_tiles(&{view}, {op.attrs['axis']}i32)"))


def _atomic_view(e: Emitter, op: Op) -> None:
    """An atomic reduction into the tiles of a view."""
    parts, [value, *index] = arrays.parts_of(e, op)
    assert isinstance(value.type, TileType)
    view = _view_of(e, op, parts, value.type)
    where = f"[{', '.join(e.operand(v).text for v in index)}]"
    args = [f"&{view}", _as_tile(e, op, value), where, f"atomic::{_MODES[op.attrs['mode']]}", *_order(op)]
    _finish_core(e, op, f"atomic_red_view_raw({', '.join(args)}, Some({_token(e, op)}))", _INSIDE)


# -- results -----------------------------------------------------------------------------------------------------------


def _finish(e: Emitter, op: Op, name: str, args: list[str]) -> None:
    """Bind the results of a support function that are used: the tile, the token, or both."""
    token_used = e.live.uses.get(op.results[-1], 0) > 0
    is_load = len(op.results) == 2
    unsafe = "_unchecked" in name
    if is_load and token_used:
        name += "_token"
    call = f"{name}({', '.join(args)})"
    if unsafe:
        e.line(_UNCHECKED)
        call = f"unsafe {{ {call} }}"
    if is_load and token_used:
        tile, token = op.results
        first = e.fresh(f"{tile.hint or e.temporary(tile, op)}_loaded", op)
        e.statement(f"let ({first}, {e.bind(token, op)}): ({e.type(tile.type)}, Token)", call)
        # A tile out of a tuple keeps the helper's type names; a conversion to its own type renames it and emits nothing.
        e.let(op, tile, Text(f"convert_tile({first})"))
    elif is_load:
        e.let_scalar_aware(op, op.results[0], call)
    else:
        _finish_token(e, op, call, token_used)


def _finish_token(e: Emitter, op: Op, call: str, used: bool) -> None:
    if used:
        e.let(op, op.results[-1], Text(call))
        return
    # The text compiler infers a helper's type from its `let`; a bare call statement is refused for some helpers.
    array: Array = op.attrs["array"]
    e.statement(f"let {e.fresh(f'_{e.arrays[array.name]}_token', op)}: Token", call)


def _finish_core(e: Emitter, op: Op, call: str, safety: str, by_helper: bool = False) -> None:
    """Bind the results of an operation of ``cutile::core``, or of a helper like one, which always gives all of them."""
    e.line(safety)
    call = f"unsafe {{ {call} }}"
    used = [e.live.uses.get(r, 0) > 0 for r in op.results]
    if len(op.results) == 1:
        _finish_token(e, op, call, used[0])
        return
    tile, token = op.results
    assert isinstance(tile.type, TileType)
    dtype = e.generics.dtype(e.path.dtype_of(tile.type.dtype))
    type_ = f"Tile<{dtype}, {{ [{e.dims(tile.type.shape)}] }}>"
    wanted = tile.hint or e.temporary(tile, op)
    scalar = e.is_scalar(tile.type)
    if not used[0]:
        first = e.fresh(f"_{wanted}", op)
    elif by_helper:
        first = e.fresh(f"{wanted}_loaded", op)
    elif scalar or tile in e.assign_to:
        first = e.fresh(f"{wanted}_tile", op)
    else:
        first = e.bind(tile, op)
    second = e.bind(token, op) if used[1] else e.fresh(f"_{e.arrays[op.attrs['array'].name]}_token", op)
    e.statement(f"let ({first}, {second}): ({type_}, Token)", call)
    if used[0] and scalar:
        if by_helper:  # see below
            renamed = e.fresh(f"{wanted}_tile", op)
            e.statement(f"let {renamed}: {type_}", f"convert_tile({first})")
            first = renamed
        e.let(op, tile, Text(f"{'is_true' if dtype == 'bool' else 'tile_to_scalar'}({first})"))
    elif used[0] and (by_helper or tile in e.assign_to):
        # A tile out of a helper's tuple keeps the helper's type names; a conversion to its own type renames it.
        e.let(op, tile, Text(f"convert_tile({first})" if by_helper else first))

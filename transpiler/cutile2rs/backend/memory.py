"""The Rust of loads, stores, gathers and scatters: calls of the support module, with explicit tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutile2rs.backend.forms import Text
from cutile2rs.ir.core import Array, Op, TileType, Value
from cutile2rs.lowering.oracle import NoRule

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter

_PADDING = {"UNDETERMINED": "undetermined", "ZERO": "zero", "NEG_ZERO": "neg_zero", "NAN": "nan", "POS_INF": "pos_inf",
            "NEG_INF": "neg_inf"}  # fmt: skip
_UNCHECKED = "// SAFETY: the Python kernel turns bounds checks off here; its caller answers for the indices."


def emit(e: Emitter, op: Op) -> None:
    """One memory operation."""
    e.flush()
    e.comment(op)
    if op.opcode in ("load_ptr", "store_ptr"):
        _pointer(e, op)
    elif op.opcode in ("load_view", "store_view"):
        _view(e, op)
    else:
        raise NoRule(f"no Rust form of `{op.opcode}`")


def _latency(op: Op) -> str:
    return f"const_array![{op.attrs['latency'] or 0}]"


def _token(e: Emitter, op: Op) -> str:
    assert op.token is not None
    return e.operand(op.token).text


def _pointer(e: Emitter, op: Op) -> None:
    array: Array = op.attrs["array"]
    rank = array.rank
    where, rest = op.operands[:rank], op.operands[rank:]
    masks, [value] = (rest[:1], rest[1:]) if op.attrs["masked"] else ([], rest)
    name = f"{'gather' if op.opcode == 'load_ptr' else 'scatter'}_{rank}d"
    name += "" if op.attrs["check_bounds"] else "_unchecked"
    name += "_masked" if masks else ""
    args = [e.arrays[array.name], *(e.operand(v).text for v in where), _as_tile(e, op, value), *(e.operand(v).text for v in masks)]
    _finish(e, op, name, [*args, _token(e, op), _latency(op)])


def _as_tile(e: Emitter, op: Op, v: Value) -> str:
    return e.scalar_tile(op, v) if e.is_scalar(v.type) else e.operand(v).text


def _view(e: Emitter, op: Op) -> None:
    array: Array = op.attrs["array"]
    is_load = op.opcode == "load_view"
    tile = op.results[0] if is_load else op.operands[0]
    assert isinstance(tile.type, TileType)
    index = op.operands if is_load else op.operands[1:]
    view = _make_view(e, op, array, tile.type)
    name = "load_view" if is_load else "store_view"
    name += "" if op.attrs["check_bounds"] else "_unchecked"
    name += "_no_tma" if op.attrs["allow_tma"] is False else ""
    where = f"[{', '.join(e.operand(v).text for v in index)}]"
    value = [] if is_load else [_as_tile(e, op, tile)]
    _finish(e, op, name, [f"&{view}", *value, where, _token(e, op), _latency(op)])


def _make_view(e: Emitter, op: Op, array: Array, t: TileType) -> str:
    """The partition view, in a variable of its own."""
    padding = _PADDING[op.attrs.get("padding", "UNDETERMINED")]
    order = op.attrs["order"]
    ordered = "" if order == tuple(range(array.rank)) else f", const_array![{', '.join(map(str, order))}]"
    suffix = "_ordered" if ordered else ""
    element = e.generics.dtype(e.path.dtype_of(array.dtype))
    text = f"view_{padding}{suffix}({e.arrays[array.name]}, {e.shape(t)}{ordered})"
    name = e.fresh(f"{e.arrays[array.name]}_view", op)
    e.statement(f"let {name}: Partition<{element}, {{ [{e.dims(t.shape)}] }}>", text)
    return name


def _finish(e: Emitter, op: Op, name: str, args: list[str]) -> None:
    """Bind the results that are used: the tile, the token, or both."""
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
        first = e.fresh(f"{e.bind(tile, op)}_loaded", op)
        e.statement(f"let ({first}, {e.bind(token, op)}): ({e.type(tile.type)}, Token)", call)
        # A tile out of a tuple keeps the helper's type names; a conversion to its own type renames it and emits nothing.
        e.let(op, tile, Text(f"convert_tile({first})"))
    elif is_load:
        e.let_scalar_aware(op, op.results[0], call)
    elif token_used:
        e.let(op, op.results[0], Text(call))
    else:
        # The text compiler infers a helper's type from its `let`; a bare call statement is refused for some helpers.
        array: Array = op.attrs["array"]
        e.statement(f"let {e.fresh(f'_{e.arrays[array.name]}_token', op)}: Token", call)

"""The Rust of arrays that are no parameters: slices and items of lists, as a base, extents and strides; and of extents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutile2rs.backend.forms import Text
from cutile2rs.ir.arrays import parts_needed
from cutile2rs.ir.core import Array, Op, Value
from cutile2rs.ir.expr import Expr, Lit, Param

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter

_NOT_NEGATIVE = "// SAFETY: an extent is never negative."
_VOUCHED = "// SAFETY: the launch vouches for it: the divisor comes from what it says of its arrays."


@dataclass(slots=True)
class Parts:
    """The Rust variables that make up an array; ``rust`` is the parameter's own name, if it is one."""

    rust: str
    base: str = ""
    extents: str = ""
    strides: str = ""

    @property
    def is_parameter(self) -> bool:
        """Whether the array is a kernel parameter, a ``&Tensor``."""
        return not self.base


def parts_of(e: Emitter, op: Op) -> tuple[Parts, list[Value]]:
    """The array of a memory operation, and the operation's operands without the array's handle."""
    array: Array = op.attrs["array"]
    if array.root is None:
        return Parts(e.arrays[array.name]), op.operands
    return e.parts[op.operands[-1]], op.operands[:-1]


def element(e: Emitter, array: Array) -> str:
    """The Rust element type."""
    return e.generics.dtype(e.path.dtype_of(array.dtype))


def held(e: Emitter, wanted: str, op: Op, holder: Value) -> str:
    """A variable that lives as long as the array that it is a part of."""
    name = e.fresh(wanted, op)
    e.holders[name] = holder
    return name


def emit_extent(e: Emitter, op: Op) -> None:
    """``x.shape[k]`` and ``x.strides[k]`` of a parameter."""
    array, axis = op.attrs["array"], op.attrs["axis"]
    rust = e.arrays[array.name]
    e.flush_unrelated(op)
    if op.attrs["what"] == "shape":
        e.place(op, Text(f"{rust}.shape()[{axis}]"), True)
        return
    strides = f"strides_{array.rank}d(raw_strides({rust}))"
    e.place(op, Text(strides if array.rank == 1 else f"{strides}.{axis}"), False)


def emit_nonnegative(e: Emitter, op: Op) -> None:
    """A number that cuTile assumes not to be negative."""
    [text] = e.take(op.operands)
    e.flush()
    e.comment(op)
    e.line(_NOT_NEGATIVE)
    call = f"unsafe {{ assume_bounds_lower::<_, 0>({text.text}) }}"
    if op.attrs["divisor"] == Lit(1):
        e.let(op, op.result, Text(call))
        return
    name = e.fresh(op.result.hint or e.temporary(op.result, op), op)
    e.statement(f"let {name}: i32", call)
    e.line(_VOUCHED)
    e.let(op, op.result, Text(f"unsafe {{ assume_div_by::<_, {e.generics.int(op.attrs['divisor'])}>({name}) }}"))


def emit_slice(e: Emitter, op: Op) -> None:
    """``x.slice(...)``: an offset base; the other extents and the strides are the parent's."""
    e.flush()
    e.comment(op)
    array, parent, handle = op.attrs["array"], op.attrs["parent"], op.result
    dtype = element(e, array)
    operands = list(op.operands)
    of = Parts(e.arrays[parent.name]) if parent.root is None else e.parts[operands.pop()]
    offset, *dynamic = (e.operand(v).text for v in operands)
    name, needed = handle.hint or f"{of.rust}_slice", parts_needed(e.entry.body, handle)
    pointer = f"PointerTile<*mut {dtype}, {{ [] }}>"
    base = of.base
    if of.is_parameter:
        base = e.fresh(f"{of.rust}_base", op)
        e.statement(f"let {base}: {pointer}", f"get_tensor_base({of.rust})")
    made = Parts(of.rust, held(e, f"{name}_base", op, handle), strides=of.strides)
    e.statement(f"let {made.base}: {pointer}", f"addptr_tile({base}, {offset})")
    if op.attrs["divisor"] != Lit(1):
        e.line(_VOUCHED)
        divisor = e.generics.int(op.attrs["divisor"])
        e.statement(f"let {made.base}: {pointer}", f"unsafe {{ assume_div_by::<_, {divisor}>({made.base}) }}")
    if "extents" in needed:
        made.extents = held(e, f"{name}_extents", op, handle)
        _extents(e, made.extents, op.attrs["sizes"], dynamic)
    if not of.is_parameter:  # the parent's strides are this array's too: they live as long as both
        uses = e.live.last_use
        uses[op.operands[-1]] = max(uses.get(op.operands[-1], 0), uses.get(handle, 0))
    elif "strides" in needed:
        made.strides = held(e, f"{name}_strides", op, handle)
        e.statement(f"let {made.strides}", f"raw_strides({of.rust})")
    e.parts[handle] = made


def _extents(e: Emitter, name: str, sizes: tuple[Expr | None, ...], dynamic: list[str]) -> None:
    dims = ", ".join("-1" if s is None else e.generics.int(e.path.simplify(s)) for s in sizes)
    shape = f"Shape<{{ [{dims}] }}>"
    e.statement(f"let {name}: {shape}", f"Shape::<{{ [{dims}] }}> {{ dims: &[{', '.join(dynamic)}] }}")


def emit_table(e: Emitter, op: Op) -> None:
    """The table of a list of arrays, and its length."""
    e.flush()
    array: Array = op.attrs["array"]
    rust = e.arrays[array.name]
    table, length = op.results
    e.names[length] = f"{rust}_len"
    if not e.live.uses.get(table):
        return
    width = 1 + 2 * array.rank
    box = 1 << (width - 1).bit_length()
    base, view = e.fresh(f"{rust}_base", op), held(e, f"{rust}_table", op, table)
    e.statement(f"let {base}: PointerTile<*mut i64, {{ [] }}>", f"pointer_to_tile({rust})")
    text = f"list_view({base}, {rust}_len, const_array![{width}], shape![1, {box}])"
    e.statement(f"let {view}: Partition<i64, {{ [1, {box}] }}>", text)
    e.names[table] = view


def emit_item(e: Emitter, op: Op) -> None:
    """``xs[i]``: its record read, and from that the array's parts."""
    e.flush()
    e.comment(op)
    array, handle = op.attrs["array"], op.results[0]
    rust, dtype, rank = e.arrays[array.name], element(e, array), array.rank
    view, index = (e.operand(v).text for v in op.operands)
    box = 1 << (2 * rank).bit_length()
    name = handle.hint or f"{rust}_item"
    record = e.fresh(f"{name}_record", op)
    e.statement(f"let {record}: Tile<i64, {{ [1, {box}] }}>", f"list_record(&{view}, {index})")
    strides: tuple[Expr | None, ...] = op.attrs["strides"]
    needed = parts_needed(e.entry.body, handle)
    made = Parts(rust)
    if "base" in needed:
        made.base = held(e, f"{name}_base", op, handle)
        pointer = f"PointerTile<*mut {dtype}, {{ [] }}>"
        e.statement(f"let {made.base}: {pointer}", f"int_to_ptr(record_word({record}, 0i32))")
        e.line(_VOUCHED)
        assumed = f"assume_div_by::<_, {_divisor(e, array, 0)}>({made.base})"
        e.statement(f"let {made.base}: {pointer}", f"unsafe {{ {assumed} }}")
    words = [*range(1, 1 + rank), *(1 + rank + k for k in range(rank) if strides[k] is None)]
    numbers: dict[int, str] = {}
    for word, v in zip(words, op.results[1:], strict=True):
        if ("extents" if word <= rank else "strides") in needed or e.live.uses.get(v):
            numbers[word] = _number(e, op, record, word, v)
    if "extents" in needed:
        made.extents = held(e, f"{name}_extents", op, handle)
        _extents(e, made.extents, (None,) * rank, [numbers[1 + k] for k in range(rank)])
    if "strides" in needed:
        made.strides = held(e, f"{name}_strides", op, handle)
        known = ", ".join("-1" if s is None else e.generics.int(e.path.simplify(s)) for s in strides)
        dims = ", ".join(numbers[word] for word in words[rank:])
        e.statement(f"let {made.strides}: Array<{{ [{known}] }}>", f"Array::<{{ [{known}] }}> {{ dims: &[{dims}] }}")
    e.parts[handle] = made


def _number(e: Emitter, op: Op, record: str, word: int, v: Value) -> str:
    """An extent or a stride out of a record, with what is known of it."""
    array: Array = op.attrs["array"]
    v.hint = v.hint or f"{array.name}_{'extent' if word <= array.rank else 'stride'}_{(word - 1) % array.rank}"
    name = e.bind(v, op)
    e.line(_VOUCHED)
    call = f"record_extent({record}, {word}i32, const_array![{_divisor(e, array, word)}])"
    e.statement(f"let {name}: i32", f"unsafe {{ {call} }}")
    return name


def _divisor(e: Emitter, array: Array, word: int) -> str:
    rank = array.rank
    what = "base_div" if word == 0 else "extent_div" if word <= rank else "stride_div"
    axis = "" if word == 0 else f",{(word - 1) % rank}"
    return e.generics.int(Param(f"{what}({array.name}{axis})", "int"))


_EMITTERS = {
    "extent": emit_extent, "nonnegative": emit_nonnegative, "array_slice": emit_slice, "list_table": emit_table,
    "list_item": emit_item,
}  # fmt: skip
OPCODES = tuple(_EMITTERS)


def emit(e: Emitter, op: Op) -> None:
    """Operations on arrays as a whole."""
    _EMITTERS[op.opcode](e, op)

"""Writes one entry as a Rust function: a line a value, the Python statement above each group of lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cutile2rs.backend import arrays, branches, casts, constants, forms, hints, layout, loops, memory, names, reduce
from cutile2rs.backend.arrays import Parts
from cutile2rs.backend.forms import Text
from cutile2rs.backend.generics import Generics
from cutile2rs.backend.liveness import Liveness
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import MEMORY, Block, Entry, Op, Source, TileType, TokenType, Type, Value
from cutile2rs.ir.expr import Expr, Lit, fn
from cutile2rs.lowering.oracle import NoRule, PathState

#: Longer expressions are not nested. Names count as if all had one length, so that a renamed kernel gives the same
#: lines; only what would not fit a line at all is left out for its real length.
MAX_NESTED = 44
MAX_NESTED_COLUMNS = 64
_NAME = re.compile(r"(?<!\w)[A-Za-z_]\w*(?![(<!:\w])")
#: What an unnamed value is called by its operation, and what is put after the name of the value that it is made from.
_NOUNS = {"mul": "product", "add": "total", "sub": "difference", "truediv": "quotient", "expand": "wide"}
_SUFFIXES = {
    "cast": "cast", "index": "index", "expand": "wide", "broadcast": "wide", "reshape": "reshaped", "nonnegative": "extent",
}  # fmt: skip


def weight(text: str) -> int:
    """The length of an expression if each of its names had six letters."""
    return len(_NAME.sub("______", text))


def nestable(text: str) -> bool:
    """Whether an expression is short enough to stand inside another."""
    return weight(text) <= MAX_NESTED and len(text) <= MAX_NESTED_COLUMNS


@dataclass(slots=True)
class Pending:
    """A nestable expression not written yet; it goes into its consumer or gets a line of its own."""

    value: Value
    text: Text
    op: Op
    mentions: list[Value]


@dataclass(slots=True)
class Emitter:
    """State while writing one entry."""

    entry: Entry
    path: PathState
    generics: Generics
    live: Liveness
    lines: list[str] = field(default_factory=list)
    indent: int = 8
    names: dict[Value, str] = field(default_factory=dict)
    holders: dict[str, Value] = field(default_factory=dict)
    pending: list[Pending] = field(default_factory=list)
    source: Source | None = None
    inline: dict[Value, Text] = field(default_factory=dict)
    assign_to: dict[Value, str] = field(default_factory=dict)
    targets: list[list[str]] = field(default_factory=list)
    mentioned: list[Value] = field(default_factory=list)
    mutable: set[Value] = field(default_factory=set)
    reserved: set[str] = field(default_factory=set)
    arrays: dict[str, str] = field(default_factory=dict)
    parts: dict[Value, Parts] = field(default_factory=dict)
    variables: set[str] = field(default_factory=set)
    """Names that are declared ``let mut``."""
    loops: list[tuple[Op, list[str]]] = field(default_factory=list)
    branches: list[list[branches.Result]] = field(default_factory=list)
    excluded: list[tuple[int, int]] = field(default_factory=list)
    """Positions in the other sides of the branches that are being written: what stands there is not run after this."""
    placeholders: set[Value] = field(default_factory=set)
    tiles: dict[Value, str] = field(default_factory=dict)
    """Rust scalars from outside a closure, as the 0-d tiles that they are in it."""
    in_closure: bool = False
    closure_end: Op | None = None
    """The ``yield`` of a closure that is one expression, however long."""
    scratch: dict[str, int] = field(default_factory=dict)
    """Names that are no IR values, with the position of the operation that they belong to."""

    # -- types -----------------------------------------------------------------------------------------------------

    def is_scalar(self, t: Type) -> bool:
        """Whether a value of this type is a plain Rust i32 or bool."""
        if self.in_closure or not isinstance(t, TileType) or t.shape:
            return False
        return self.path.dtype_of(t.dtype) in (Lit(dt.INT32), Lit(dt.BOOL))

    def type(self, t: Type) -> str:
        """The Rust type."""
        if isinstance(t, TokenType):
            return "Token"
        assert isinstance(t, TileType)
        element = self.generics.dtype(self.path.dtype_of(t.dtype))
        return element if self.is_scalar(t) else f"Tile<{element}, {{ [{self.dims(t.shape)}] }}>"

    def element(self, t: Type) -> str:
        """The Rust type of one element."""
        assert isinstance(t, TileType)
        return self.generics.dtype(self.path.dtype_of(t.dtype))

    def unpack(self, v: Value, parameter: str) -> None:
        """A run-time scalar parameter as the body uses it: i32 and bool as they are, others as 0-d tiles."""
        if not self.is_scalar(v.type) and self.live.uses.get(v, 0):
            self.names[v] = f"{parameter}_tile"
            self.holders[self.names[v]] = v
            self.statement(f"let {self.names[v]}: {self.type(v.type)}", f"scalar_to_tile({parameter})")

    def dims(self, shape: tuple[Expr, ...]) -> str:
        """Dimensions, comma separated."""
        return ", ".join(self.generics.extent(self.path.simplify(d)) for d in shape)

    def shape(self, t: TileType) -> str:
        """The shape as the DSL's macro writes it."""
        return f"shape![{self.dims(t.shape)}]"

    def category(self, e: Expr) -> str | None:
        """float, int or bool, where the path knows."""
        for name, test in (("float", "is_float"), ("int", "is_integral"), ("bool", "is_bool")):
            if self.path.settled(fn(test, e)) is True:
                return name
        return None

    # -- operands --------------------------------------------------------------------------------------------------

    def operand(self, v: Value) -> Text:
        """The text of a value that has been written."""
        if v in self.tiles:
            return Text(self.tiles[v])
        return self.inline[v] if v in self.inline else Text(self.names[v])

    def take(self, values: list[Value]) -> list[Text]:
        """Texts of operands; the pending expressions that are exactly the tail of what waits are nested."""
        wanted = [v for v in values if any(p.value is v for p in self.pending)]
        tail = self.pending[len(self.pending) - len(wanted) :] if wanted else []
        fits = [p.value for p in tail] == wanted and sum(weight(p.text.text) for p in tail) <= MAX_NESTED
        if not fits:
            self.flush()
            self.mentioned = list(values)
            return [self.operand(v) for v in values]
        del self.pending[len(self.pending) - len(wanted) :]
        self.mentioned = [*values, *(v for p in tail for v in p.mentions)]
        nested = {p.value: p.text for p in tail}
        self.flush()
        return [nested[v] if v in nested else self.operand(v) for v in values]

    def flush(self) -> None:
        """Give every waiting expression a line."""
        waiting, self.pending = self.pending, []
        for p in waiting:
            self.let(p.op, p.value, p.text)

    def scalar_tile(self, op: Op, v: Value, text: Text | None = None) -> str:
        """A Rust scalar as a 0-d tile, in a variable: rustc cannot infer the conversion inside an expression."""
        text = text or self.operand(v)
        assert isinstance(v.type, TileType)
        base = text.text if text.text.isidentifier() else "scalar"
        name = self.fresh(f"{base}_tile", op)
        self.comment(op)
        element = self.generics.dtype(self.path.dtype_of(v.type.dtype))
        self.statement(f"let {name}: Tile<{element}, {{ [] }}>", f"scalar_to_tile({text.text})")
        return name

    # -- lines -----------------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """One line at the current indentation."""
        self.lines.append(" " * self.indent + text if text else "")

    def comment(self, op: Op) -> None:
        """The Python statement, once for each group of lines that come from it."""
        if op.source is not None and op.source != self.source:
            self.source = op.source
            self.lines += layout.wrap_comment(self.indent, " ".join(op.source.text.split()))

    def let(self, op: Op, v: Value, text: Text, type_: str | None = None) -> None:
        """``let name: Type = text;``, or an assignment to the variable that carries the value."""
        self.comment(op)
        if v in self.assign_to:
            name = self.names[v] = self.assign_to[v]
            self.holders[name] = v
            self.lines += layout.statement(self.indent, name, text.text)
            return
        name = self.bind(v, op)
        mut = "mut " if v in self.mutable else ""
        if mut:
            self.variables.add(name)
        self.lines += layout.statement(self.indent, f"let {mut}{name}: {type_ or self.type(v.type)}", text.text)

    def bind(self, v: Value, op: Op | None) -> str:
        """A name for a value: its Python variable's, shadowing an earlier value that is no longer needed."""
        wanted = names.local(v.hint or self.temporary(v, op))
        position = self.live.at(op) if op is not None else 0
        name, n = wanted, 0
        while self._is_taken(name, position):
            n += 1
            name = f"{wanted}_{n}"
        self.names[v] = name
        self.holders[name] = v
        self.variables.discard(name)
        return name

    def fresh(self, wanted: str, op: Op) -> str:
        """A name for something that is no IR value (a view, a scratch variable); it may be shadowed by the next operation."""
        position = self.live.at(op)
        name, n = names.local(wanted), 0
        while self._is_taken(name, position) or self.scratch.get(name) == position:
            n += 1
            name = f"{wanted}_{n}"
        self.scratch[name] = position
        return name

    def carried_name(self, initial: Value, carried: Value, op: Op) -> str:
        """The name of a new loop-carried variable: its initial value's if that ends here, so that Python's name stays."""
        wanted = names.local(carried.hint or initial.hint or "carried")
        name = self.fresh(wanted, op)
        self.holders[name] = carried
        return name

    def statement(self, left: str, right: str) -> None:
        """``left = right;`` laid out."""
        self.lines += layout.statement(self.indent, left, right)

    def let_scalar_aware(self, op: Op, v: Value, call: str) -> None:
        """Bind a tile result; a 0-d i32 or bool becomes a Rust scalar."""
        if self.is_scalar(v.type):
            self._unwrap(op, Text(call))
        else:
            self.let(op, v, Text(call))

    def _is_taken(self, name: str, position: int) -> bool:
        """Whether binding ``name`` now would hide something: a parameter, a value still needed, a variable that an
        enclosing loop carries."""
        return name in self.reserved or any(name in t for t in self.targets) or self._is_held(name, position)

    def _is_held(self, name: str, position: int) -> bool:
        holder = self.holders.get(name)
        return holder is not None and self.live.last_use.get(holder, 0) > position

    def temporary(self, v: Value, op: Op | None) -> str:
        """A speaking name for an unnamed value."""
        if op is None:
            return "value"
        if op.opcode in MEMORY:
            what = {"atomic_rmw": "old", "atomic_cas": "old"}.get(op.opcode, "tile")
            return f"{self.arrays[op.attrs['array'].name]}_{'read' if isinstance(v.type, TokenType) else what}"
        if op.opcode in ("within", "along"):
            what = "inside" if op.opcode == "within" else "offset"
            return f"{self.arrays[op.attrs['array'].name]}_{what}_{op.attrs['axis']}"
        if op.opcode == "extent":
            what = "stride" if op.attrs["what"] == "strides" else "extent"
            return f"{self.arrays[op.attrs['array'].name]}_{what}_{op.attrs['axis']}"
        if op.opcode == "reduce":
            return {"add": "sum", "mul": "prod", "max": "maximum", "min": "minimum"}.get(op.attrs["fn"], "total")
        if not op.operands:
            return constants.temporary(op)
        base = self.operand(op.operands[0]).text if op.operands[0] in self.names else ""
        suffix = _SUFFIXES.get(op.opcode)
        if op.opcode == "cast" and isinstance(v.type, TileType) and isinstance(v.type.dtype, Lit):
            suffix = v.type.dtype.value.rust
        if suffix is not None and base.isidentifier():
            return f"{base}_{suffix}"
        return _NOUNS.get(op.opcode, f"{op.opcode}_value")

    # -- operations ------------------------------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        """Every operation of a block."""
        self.mutable |= loops.initial_values(block, self.live, self.assign_to)
        for op in block.ops:
            self.op(op)
        self.flush()

    def op(self, op: Op) -> None:
        """One operation."""
        if op.opcode == "const":
            constants.emit(self, op)
        elif op.opcode in MEMORY:
            memory.emit(self, op)
        elif op.opcode in _SPECIAL:
            _SPECIAL[op.opcode](self, op)
        else:
            self.form(op)

    def traits(self, op: Op) -> dict[str, Any]:
        """What the rules table's conditions and placeholders can refer to."""
        result = op.result.type
        traits: dict[str, Any] = {k: v for k, v in op.attrs.items() if not isinstance(v, tuple)}
        traits["repr"] = "scalar" if self.is_scalar(result) else "tile"
        if isinstance(result, TileType):
            traits["shape"] = self.shape(result)
        if op.operands and isinstance(op.operands[0].type, TileType):
            first = op.operands[0].type
            traits["category"] = self.category(first.dtype)
            traits["source"] = "scalar" if self.is_scalar(first) else "tile"
            traits["operators"] = self.has_operators(first)
            if op.opcode == "cast" and isinstance(result, TileType):
                traits.update(casts.traits(self, result))
        if "axes" in op.attrs:
            traits["axes"] = ", ".join(map(str, op.attrs["axes"]))
        return traits

    def form(self, op: Op) -> None:
        """An operation by its row in the rules table."""
        traits = self.traits(op)
        form = forms.choose(op.opcode, traits)
        if form is None:
            raise NoRule(f"no Rust form of `{op.opcode}` for these operands")
        self.flush_unrelated(op)
        scalar_form = traits["repr"] == "scalar" and traits.get("source", "scalar") == "scalar" and not form.tiles
        texts = self.take(op.operands)
        nest = form.nest
        if not scalar_form and "source" not in form.when and any(self.is_scalar(v.type) for v in op.operands):
            nest = False  # the names of the converted scalars are good for this operation only
            texts = [
                Text(self.scalar_tile(op, v, t)) if self.is_scalar(v.type) else t
                for t, v in zip(texts, op.operands, strict=True)
            ]
        text = forms.fill(form, texts, traits)
        if traits["repr"] == "scalar" and not scalar_form:
            self._unwrap(op, text)
            return
        self.place(op, text, nest)

    def has_operators(self, t: TileType) -> bool:
        """Whether cuTile Rust has operators on these tiles: not on 16-bit integers."""
        d = self.path.dtype_of(t.dtype)
        if isinstance(d, Lit):
            return d.value.bits != 16 or dt.is_float(d.value)
        return self.path.settled(fn("is_float", d)) is not False

    def finish(self, op: Op, text: Text) -> None:
        """Bind the tile that an expression gives; a 0-d i32 or bool becomes a Rust scalar."""
        if self.is_scalar(op.result.type):
            self._unwrap(op, text)
        else:
            self.place(op, text, False)

    def flush_unrelated(self, op: Op) -> None:
        """Write out what waits for another statement."""
        if any(p.op.source != op.source for p in self.pending):
            self.flush()

    def _unwrap(self, op: Op, text: Text) -> None:
        """A 0-d tile result that the rest of the body uses as a Rust scalar."""
        assert isinstance(op.result.type, TileType)
        element = self.generics.dtype(self.path.dtype_of(op.result.type.dtype))
        self.comment(op)
        tile = self.fresh((op.result.hint or op.opcode) + "_tile", op)
        self.lines += layout.statement(self.indent, f"let {tile}: Tile<{element}, {{ [] }}>", text.text)
        unwrap = "is_true" if element == "bool" else "tile_to_scalar"
        self.place(op, Text(f"{unwrap}({tile})"), element == "bool")

    def place(self, op: Op, text: Text, nest: bool) -> None:
        """Let an expression wait for its only consumer, or write it out."""
        v = op.result
        if (
            nest
            and v.hint is None
            and self.live.uses.get(v, 0) == 1
            and v not in self.assign_to
            and (nestable(text.text) or self.live.consumer[v] is self.closure_end)
        ):
            self.live.extend(self.mentioned, self.live.consumer[v])
            self.pending.append(Pending(v, text, op, self.mentioned))
        else:
            self.let(op, v, text)


def _make_token(e: Emitter, op: Op) -> None:
    e.line(f"let {e.bind(op.result, op)}: Token = new_token_unordered();")


def _join_tokens(e: Emitter, op: Op) -> None:
    e.flush()
    tokens = list(dict.fromkeys(e.operand(v).text for v in op.operands))
    e.let(op, op.result, Text(f"join_tokens(&[{', '.join(tokens)}])" if len(tokens) > 1 else tokens[0]))


_SPECIAL: dict[str, Callable[[Emitter, Op], None]] = {
    "cast": casts.emit, "reduce": reduce.emit, "scan": reduce.emit, "argreduce": reduce.emit_places,
    "for": loops.emit_for, "loop": loops.emit_loop, "if": branches.emit_if, "static_if": branches.emit_static_if,
    "continue": loops.emit_jump,
    "break": loops.emit_jump, "yield": branches.emit_yield, "return": loops.emit_return, "dummy": loops.emit_dummy,
    "assume_divisor": loops.emit_assume, "assume": hints.emit_assume, "assert": hints.emit_assert,
    **dict.fromkeys(("gdc_wait", "gdc_launch_dependents"), hints.emit_grid_dependency),
    "make_token": _make_token, "join_tokens": _join_tokens, "num_tiles": memory.emit_num_tiles, "view": memory.emit_view,
    "within": memory.emit_axis, "along": memory.emit_axis,
    **dict.fromkeys(arrays.OPCODES, arrays.emit),
}  # fmt: skip

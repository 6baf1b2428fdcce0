"""An entry's generics: which dtypes, constants and derived constants its body mentions, and under what names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial, reduce

from cutile2rs.backend import names
from cutile2rs.ir import dtypes as dt
from cutile2rs.ir.core import Entry
from cutile2rs.ir.expr import DIVISIONS, Expr, Fn, Lit, Param, fn, kind, show, where
from cutile2rs.lowering.oracle import Illegal, PathState


@dataclass(frozen=True, slots=True)
class Generic:
    """One generic parameter. ``kind``: dtype or int; ``value`` is computed at dispatch."""

    name: str
    kind: str
    value: Expr


class Generics:
    """Collects generics as the body is written; declared in the order: array dtypes, other dtypes, constants, derived."""

    def __init__(self, entry: Entry, path: PathState):
        self._entry = entry
        self._path = path
        # cuTile Rust takes a constant `E` for the element type of everything it calls.
        self._unique = names.Unique({"E"})
        self._dtypes: dict[Expr, str] = {}
        self._named: dict[Expr, str] = {}
        self._ints: dict[Expr, str] = {}
        self._sided: frozenset[Expr] | None = None
        for array in entry.arrays:
            if not isinstance(array.dtype, Lit):
                self.dtype(array.dtype)

    def dtype(self, e: Expr) -> str:
        """The Rust element type of a dtype expression."""
        if isinstance(e, Lit):
            assert isinstance(e.value, dt.DType)
            return e.value.rust
        if e not in self._named:
            self._named[e] = next(
                (n for other, n in self._dtypes.items() if self._same(e, other)), None
            ) or self._declare(e)
        return self._named[e]

    def _same(self, left: Expr, right: Expr) -> bool:
        """Whether two dtypes are equal on this path: rustc has to see that they are, so they are one generic."""
        try:
            return self._path.settled(fn("eq", left, right)) is True
        except Illegal:  # no launch comes here
            return False

    def _declare(self, e: Expr) -> str:
        self._dtypes[e] = self._unique(_dtype_name(e), "")
        return self._dtypes[e]

    def extent(self, e: Expr) -> str:
        """The Rust text of a tile's extent. For launches that skip all that needs such a tile it may be any number: what
        is left of it there, and does nothing, gets one that is allowed."""
        legal = fn("is_pow2", e)
        return self.int(where(legal, e, 1) if legal in self._only_on_sides() else e)

    def int(self, e: Expr) -> str:
        """The Rust text of an integer constant: a literal or a const generic."""
        if isinstance(e, Lit):
            return str(int(e.value))
        defined = [c for c in (fn("ne", d, Lit(0)) for d in _divisors(e)) if c in self._only_on_sides()]
        if defined:
            e = where(reduce(partial(fn, "bitand"), dict.fromkeys(defined)), e, 0)
        if e not in self._ints:
            self._ints[e] = self._unique(self._int_name(e))
        return self._ints[e]

    def _only_on_sides(self) -> frozenset[Expr]:
        """What only launches that take a certain side of a constant branch must fulfil."""
        if self._sided is None:
            found = map(_on_side, self._path.required)
            self._sided = frozenset(e for e in found if e is not None) - {*self._path.required}
        return self._sided

    def _int_name(self, e: Expr) -> str:
        if isinstance(e, Fn) and e.op == "where":
            return f"{self._int_name(e.args[1])}_OR_{show(e.args[2])}"
        if isinstance(e, Param):
            return names.const_generic(e.name if e.name.isidentifier() else _plain(e))
        hint = self._entry.const_names.get(e)
        if hint is not None:
            return names.const_generic(hint)
        assert isinstance(e, Fn)
        if e.op == "int" and isinstance(e.args[0], Param):
            return names.const_generic(e.args[0].name)
        if e.op == "bits" and e.args[0] in self._named:
            of = _array_of(e.args[0]) if isinstance(e.args[0], Param) else self._named[e.args[0]].removeprefix("E")
            return f"BITS_{names.const_generic(of)}"
        return _derived_name(e)

    @property
    def declared(self) -> list[Generic]:
        """The generics in their order of declaration."""
        order = {p.name: i for i, p in enumerate(self._entry.params)}

        def rank(e: Expr) -> tuple[bool, int]:
            return isinstance(e, Fn), order.get(e.name, 0) if isinstance(e, Param) else 0

        types = [Generic(n, "dtype", e) for e, n in sorted(self._dtypes.items(), key=lambda i: isinstance(i[0], Fn))]
        return types + [Generic(n, "int", e) for e, n in sorted(self._ints.items(), key=lambda i: rank(i[0]))]


def _on_side(required: Expr) -> Expr | None:
    """The condition in a requirement of the form "not on this side, or the condition holds"."""
    if not isinstance(required, Fn) or required.op != "bitor":
        return None
    return _on_side(required.args[1]) or required.args[1]


def _divisors(e: Expr) -> Iterator[Expr]:
    """What an expression divides by."""
    if isinstance(e, Fn):
        if e.op in DIVISIONS:
            yield e.args[1]
        for a in e.args:
            yield from _divisors(a)


#: Functions that give a float constant's bits, and how a const generic that holds them is called.
_BITS = {"f32_bits": "BITS", "float_bits": "BITS", "f64_low_bits": "LOW_BITS", "f64_high_bits": "HIGH_BITS"}


def _array_of(e: Param) -> str:
    """The parameter whose dtype it is."""
    return e.name.removeprefix("dtype(").removesuffix(")")


def _dtype_name(e: Expr) -> str:
    if isinstance(e, Param):
        return names.type_generic(_array_of(e))
    return "EAccumulator" if isinstance(e, Fn) and e.op == "accumulator" else "ECommon"


def _derived_name(e: Fn) -> str:
    """A name from the expression: ``cdiv(N, TILE)`` gives ``CDIV_N_TILE``."""
    if e.op == "int" and kind(e.args[0]) == "bool":
        return _plain(e.args[0])
    if e.op in _BITS:
        value = e.args[0]
        value = value.args[0] if isinstance(value, Fn) and value.op == "round_to" else value
        return f"{_plain(value)}_{_BITS[e.op]}"
    return _plain(e)


def _plain(e: Expr) -> str:
    text = show(e)
    words = {"+": "PLUS", "-": "MINUS", "*": "TIMES", "//": "DIV", "/": "OVER", "%": "MOD"}
    parts = [words.get(w, w) for w in text.replace("(", " ").replace(")", " ").replace(",", " ").split()]
    cleaned = ["".join(c if c.isalnum() or c == "_" else "_" for c in p).strip("_").upper() for p in parts]
    name = "_".join(p for p in cleaned if p)[:48].strip("_")
    return name if name and not name[0].isdigit() else f"C{name}"

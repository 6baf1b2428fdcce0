"""A kernel's entries as Rust functions, equal ones folded."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cutile2rs.backend import layout, names
from cutile2rs.backend.emit import Emitter
from cutile2rs.backend.generics import Generic, Generics
from cutile2rs.backend.liveness import Liveness
from cutile2rs.backend.structure import structure
from cutile2rs.ir.core import Array, Entry
from cutile2rs.ir.expr import Expr, show
from cutile2rs.lowering.oracle import PathState


@dataclass(slots=True)
class RustEntry:
    """One Rust entry function: its body (with its head, once it is named), its generics, the predicates of the paths
    that it serves, the names of its parameters and their declarations."""

    name: str
    lines: list[str]
    generics: list[Generic]
    predicates: list[tuple[Expr, ...]]
    params: list[str]
    declared: list[str]
    unused: bool
    """Whether the body leaves a parameter alone: an entry takes all that Python's kernel takes."""


def write_entry(entry: Entry, path: PathState) -> RustEntry:
    """The Rust function of one entry; it gets its name and head by :func:`name_entries`."""
    structure(entry, path)
    generics = Generics(entry, path)
    emitter = Emitter(entry, path, generics, Liveness(entry))
    params: list[tuple[str, str]] = []
    unique = names.Unique()
    for info in entry.params:
        if info.kind != "constant":
            params.append((info.name, unique(names.local(info.name))))
    emitter.arrays = dict(params)
    for name, v in entry.scalars.items():
        emitter.names[v] = emitter.arrays[name]
        emitter.unpack(v, emitter.arrays[name])
    emitter.reserved = {n for _, n in params} | {f"{emitter.arrays[a.name]}_len" for a in entry.arrays if a.is_list}
    emitter.block(entry.body)
    arrays = {a.name: a for a in entry.arrays}
    declared: list[str] = []
    for name, rust in params:
        if name in arrays:
            declared += _declared(rust, arrays[name], emitter)
        else:
            declared.append(f"{rust}: {emitter.element(entry.scalars[name].type)}")
    rust_names = [name for _, name in params]
    text = "\n".join(emitter.lines)
    unused = not all(re.search(rf"\b{name}\b", text) for name in rust_names)
    return RustEntry("", emitter.lines, generics.declared, [path.predicate()], rust_names, declared, unused)


def _declared(rust: str, array: Array, emitter: Emitter) -> list[str]:
    """An array parameter; a list of arrays is the address of its table and its length."""
    if array.is_list:
        return [f"{rust}: *mut i64", f"{rust}_len: i32"]
    element = emitter.generics.dtype(emitter.path.dtype_of(array.dtype))
    return [f"{rust}: &Tensor<{element}, {{ [{', '.join(['-1'] * array.rank)}] }}>"]


def fold(entries: list[RustEntry]) -> list[RustEntry]:
    """Entries with one text become one, chosen by any of their predicates."""
    folded: dict[tuple[str, ...], RustEntry] = {}
    for e in entries:
        key = (*e.declared, *e.lines, *(f"{g.name}={show(g.value)}" for g in e.generics))
        if key in folded:
            folded[key].predicates += e.predicates
        else:
            folded[key] = e
    return list(folded.values())


def name_entries(kernel: str, entries: list[RustEntry], unique: names.Unique) -> None:
    """Give entries their names: the kernel's for the first, numbered after it for the others."""
    for i, e in enumerate(entries):
        e.name = unique(names.function(kernel) if i == 0 else f"{names.function(kernel)}_v{i + 1}")
        generics = [f"{g.name}: ElementType" if g.kind == "dtype" else f"const {g.name}: i32" for g in e.generics]
        head = layout.signature(4, f"pub unsafe fn {e.name}", generics, e.declared, "{")
        e.lines = [*head, *e.lines, "    }"]

"""The support crate of an output: plain files of ``rust_templates/support/`` as they are, templates rendered.

A helper goes to the file of its family (the table in ``src/lib.rs``): ``src/x.rs`` holds ``#[cutile::module] pub mod x``, and
``tile`` in ``src/lib.rs`` hands on all of them. What repeats with small changes is a template, ``x.rs.j2``, with the pattern in
it once; what changes is said here. A name with ``{rank}`` in it stands for one file a rank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from jinja2 import Environment, StrictUndefined

#: Ranks of arrays; those of tiles are the macros' business.
RANKS = range(1, 6)

#: Name here, of ``ct.PaddingMode``, and of cuTile Rust.
PADDINGS = (
    ("undetermined", "UNDETERMINED", "None"),
    ("zero", "ZERO", "Zero"),
    ("neg_zero", "NEG_ZERO", "NegZero"),
    ("nan", "NAN", "Nan"),
    ("pos_inf", "POS_INF", "PosInf"),
    ("neg_inf", "NEG_INF", "NegInf"),
)


#: Operations for which cuTile Rust lacks the operator on some types.
WRAPPING = (("addi", "+"), ("subi", "-"), ("muli", "*"), ("shli", "<<"))


def _element_accesses() -> Iterator[dict[str, Any]]:
    """Gathers of one axis, gathers that also give their token, and scatters: checked or not, masked or not."""
    for unchecked, masked in ((False, False), (False, True), (True, False), (True, True)):
        checks = "1d" + "_unchecked" * unchecked
        suffix = checks + "_masked" * masked
        how = _with("`check_bounds=False`" * unchecked, "`mask=`" * masked)
        promise = "Every index must be in bounds" + " where the mask is true" * masked + "."
        mask = "mask" * masked if unchecked else "inside & mask" if masked else "inside"
        where, where_mask = ("_where", f"{mask}, ") if mask else ("", "")
        common = {
            "checks": checks,
            "unsafe": "unsafe " * unchecked,
            "located": "offset: Tile<u64, S>" if unchecked else "(offset, inside): (Tile<u64, S>, Tile<bool, S>)",
            "why": "the caller vouches for the indices" if unchecked else "only elements in bounds are touched",
        }
        mask_parameter = ",\n        mask: Tile<bool, S>" * masked
        load = {
            "parameters": "padding: Tile<E, S>" + mask_parameter,
            "call": f"load_elements{where}(elements, {where_mask}padding, token, latency)",
        }
        store = {
            "parameters": "value: Tile<E, S>" + mask_parameter,
            "call": f"store_elements{where}(elements, {where_mask}value, token, latency)",
        }
        pair = "(Tile<E, S>, Token)"

        padded = ": `padding` where nothing may be read." if where else "."
        gather = f"`ct.gather`{how} from a rank-1 array{padded}"
        yield common | load | {
            "name": f"gather_{suffix}", "doc": _doc(gather, promise, unchecked),
            "type": pair, "gives": "Tile<E, S>", "result": "result.0",
        }  # fmt: skip
        also = f"[`gather_{suffix}`] that also gives the token of the access: see the crate's page for the tile."
        yield common | load | {
            "name": f"gather_{suffix}_token", "doc": _doc(also, promise, unchecked),
            "type": pair, "gives": pair, "result": "result",
        }  # fmt: skip
        scatter = f"`ct.scatter`{how} to a rank-1 array" + (": nothing is written elsewhere." if where else ".")
        yield common | store | {
            "name": f"scatter_{suffix}", "doc": _doc(scatter, promise, unchecked),
            "type": "Token", "gives": "Token", "result": "result",
        }  # fmt: skip


def _tile_accesses() -> Iterator[dict[str, Any]]:
    """Loads and stores of whole tiles: checked or not, by the tensor memory accelerator or not."""
    for unchecked, tma in ((False, True), (False, False), (True, True), (True, False)):
        suffix = "_unchecked" * unchecked + "_no_tma" * (not tma)
        how = _with("`check_bounds=False`" * unchecked, "`allow_tma=False`" * (not tma))
        promise = "The whole tile must lie in the array."
        also = f"[`load_view{suffix}`] that also gives the token of the access: see the crate's page for the tile."
        trusted = "the caller vouches for the index; `S`, which is never 0, says so for every axis"
        yield {
            "suffix": suffix,
            "load": _doc(f"`ct.load`{how}.", promise, unchecked),
            "load_token": _doc(also, promise, unchecked),
            "store": _doc(f"`ct.store`{how}.", promise, unchecked),
            "unsafe": "unsafe " * unchecked,
            "op": "inside_op" if unchecked else "overhang_op",
            "inbounds": ", S" * unchecked,
            "tma": "Enabled" if tma else "Disabled",
            "why": trusted if unchecked else "an overhanging tile is padded, or not written there",
        }


def _orders() -> Iterator[dict[str, str]]:
    """Views with an array's axes in their order, and in another."""
    generics = ["'a", "E: ElementType", "const D: [i32; N]", "const C: [i32; N]", "const S: [i32; N]"]
    yield {
        "suffix": "", "how": "", "generic": "", "parameter": "", "axes": "dim_map::Identity",
        "part_generics": ", ".join(generics),
    }  # fmt: skip
    yield {
        "suffix": "_ordered", "how": ", with `order=`: `const_array![1, 0]`", "generic": ", const I: [i32; N]",
        "parameter": "\n        order: Array<I>,", "axes": "order",
        "part_generics": "".join(f"\n        {g}," for g in (*generics, "const I: [i32; N]")) + "\n    ",
    }  # fmt: skip


def _with(*arguments: str) -> str:
    given = " and ".join(a for a in arguments if a)
    return f" with {given}" if given else ""


def _doc(text: str, promise: str, unsafe: bool) -> str:
    """A documentation comment, with its `# Safety` section if the function is unsafe."""
    lines = [text, "", "# Safety", "", promise] if unsafe else [text]
    return "\n    ".join(f"/// {line}".rstrip() for line in lines)


def _tuple(items: Iterable[str]) -> str:
    listed = list(items)
    return listed[0] if len(listed) == 1 else f"({', '.join(listed)})"


def _known_numbers(rank: int) -> str:
    """Reads ``raw`` (extents or strides): its type says -1 where a number is only known at launch, ``dims`` has just those."""
    lines = ["let d0: i32 = 0;"]
    lines += [f"let d{k}: i32 = if C[{k - 1}] == -1 {{ d{k - 1} + 1 }} else {{ d{k - 1} }};" for k in range(1, rank)]
    lines += [f"let n{k}: i32 = if C[{k}] == -1 {{ raw.dims[d{k}] }} else {{ C[{k}] }};" for k in range(rank)]
    return "\n        ".join([*lines, _tuple(f"n{k}" for k in range(rank))])


def _offsets(rank: int) -> Iterator[dict[str, Any]]:
    """Offsets into arrays given by their parts, and into parameters of one axis: checked or not. (Offsets into parameters of
    several axes are made axis by axis, with `within` and `along`.)"""
    numbers, item = _tuple(["i32"] * rank), ".%d" if rank > 1 else "%.0s"
    for parts, checked in ((False, True), (False, False), (True, True), (True, False))[2 * (rank > 1) :]:
        extents, raw = (
            (f"part_extents_{rank}d(extents)", "strides") if parts else ("get_tensor_shape_meta(array)", "raw")
        )
        lines = [f"let extents: {numbers if parts else 'Shape<{ [-1] }>'} = {extents};"] * checked
        lines += ["let raw = raw_strides(array);"] * (not parts)
        lines += [f"let strides: {numbers} = strides_{rank}d({raw});"]
        yield {
            "name": "part_" * parts + f"offsets_{rank}d" + "_unchecked" * (not checked),
            "whose": "an array given by its parts" if parts else "an array",
            "checked": checked,
            "generics": ("const D: [i32; M], " * checked + "const C: [i32; M]" if parts else "E: ElementType") + ", ",
            "parameters": "extents: Shape<D>,\n        " * checked + "strides: Array<C>"
            if parts
            else "array: &Tensor<E, { [-1] }>",
            "numbers": "\n        ".join(lines),
            "extent": f"widen(extents{item if parts else '[%d]'}, shape)",
            "stride": f"widen(strides{item}, shape)",
        }


def _rank_values(rank: int) -> dict[str, Any]:
    return {
        "rank": rank,
        "axes": range(rank),
        "offsets": list(_offsets(rank)),
        "index_parameters": ",\n        ".join(f"index_{k}: Tile<u64, S>" for k in range(rank)),
        "numbers": _tuple(["i32"] * rank),
        "known_numbers": _known_numbers(rank),
    }


@cache
def support_files() -> dict[str, str]:
    """Every file of the crate by its path in an output."""
    jinja = Environment(
        trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined, keep_trailing_newline=True, optimized=False
    )
    shared = {
        "paddings": PADDINGS,
        "orders": list(_orders()),
        "wrapping": WRAPPING,
        "elements": list(_element_accesses()),
        "accesses": list(_tile_accesses()),
        "declared": (("overhang_op", "may overhang", ""), ("inside_op", "is inside", "        inbounds: [i32; N],\n")),
        "latencies": (("if L > 0", "Some(L)"), ("} else", "None")),
    }
    found: dict[str, str] = {}

    def walk(folder: Traversable, prefix: str) -> None:
        for item in sorted(folder.iterdir(), key=lambda i: i.name):
            path = prefix + item.name
            if item.is_dir():
                if item.name not in ("target", "__pycache__"):
                    walk(item, f"{path}/")
            elif path.endswith(".j2"):
                template = jinja.from_string(item.read_text(encoding="utf-8"))
                name = path.removesuffix(".j2")
                if "{rank}" in name:
                    found.update((name.replace("{rank}", str(r)), template.render(_rank_values(r))) for r in RANKS)
                else:
                    found[name] = template.render(shared)
            elif path.endswith((".rs", ".toml")):
                found[path] = item.read_text(encoding="utf-8")

    walk(files("cutile2rs.rust_templates").joinpath("support"), "support/")
    return dict(sorted(found.items()))


@cache
def functions(text: str) -> frozenset[str]:
    """Names of the functions that a Rust text defines."""
    return frozenset(re.findall(r"\bfn (\w+)", text))


@cache
def _names() -> frozenset[str]:
    return frozenset().union(*(functions(text) for path, text in support_files().items() if path.endswith(".rs")))


def uses_support(kernel: str) -> bool:
    """Whether a kernel's text names any function of the crate: an import of nothing is a warning."""
    return not _names().isdisjoint(re.findall(r"\w+", kernel))


def used_modules(kernel: str, sources: Mapping[str, str]) -> list[tuple[str, str]]:
    """The support modules that a kernel's text needs, as ``tilecheck`` takes them: path and text. ``sources`` are the
    ``.rs`` files of an output's ``support/src/`` by name. The others may stay away: each costs time to read."""
    words = set(re.findall(r"\w+", kernel))
    wanted = [name for name, text in sources.items() if not words.isdisjoint(functions(text))]
    used = {"lib.rs"}
    while wanted:
        name = wanted.pop()
        if name not in used:
            used.add(name)
            wanted += [f"{module}.rs" for module in re.findall(r"^    use crate::(\w+)::", sources[name], re.MULTILINE)]
    return [(module_path(name), sources[name]) for name in sorted(used)]


def module_path(file: str) -> str:
    """The Rust path of the module in a file of ``support/src/``."""
    stem = file.removesuffix(".rs")
    return "cutile2rs_support::tile" if stem == "lib" else f"cutile2rs_support::{stem}::{stem}"

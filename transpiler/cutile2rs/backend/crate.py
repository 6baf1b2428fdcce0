"""The files of the output crate, as a mapping from relative path to text."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined, Template

from cutile2rs import __version__
from cutile2rs.backend import host, memory
from cutile2rs.backend.kernel import RustEntry
from cutile2rs.backend.support import support_files, uses_support
from cutile2rs.backend.tables import table_line
from cutile2rs.ir.expr import Expr, show, to_json
from cutile2rs.lowering.driver import Lowered
from cutile2rs.lowering.options import Options

MANIFEST_FORMAT = 1


@dataclass(slots=True)
class KernelOutput:
    """One converted kernel."""

    lowered: Lowered
    entries: list[RustEntry]
    refused: list[tuple[tuple[Expr, ...], str]]
    options: Options


@dataclass(slots=True)
class ModuleOutput:
    """One Python module with its converted kernels."""

    module: str
    rust_module: str
    reference: str
    sha256: str
    kernels: list[KernelOutput] = field(default_factory=list)


@cache
def _environment() -> Environment:
    return Environment(trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined, keep_trailing_newline=True)


def render(template: str, **values: Any) -> str:
    """A template of ``rust_templates/`` filled in."""
    return _template(template).render(**values)


@cache
def _template(name: str) -> Template:
    return _environment().from_string(files("cutile2rs.rust_templates").joinpath(name).read_text(encoding="utf-8"))


def kernel_file(module: ModuleOutput) -> str:
    """``kernel.rs`` of a module."""
    kernels = [
        {
            "name": k.lowered.kernel.qualname,
            "file": module.reference.removeprefix("reference/"),
            "line": k.lowered.kernel.node.lineno,
            "entries": [{"when": _when(e), "lines": e.lines} for e in k.entries],
        }
        for k in module.kernels
    ]
    lines = [line for k in module.kernels for e in k.entries for line in e.lines]
    return render(
        "kernel.rs.j2",
        module=module.module,
        rust_module=module.rust_module,
        kernels=kernels,
        raw_views=any(memory.RAW_VIEW in line for line in lines),
        helpers=uses_support("\n".join(lines)),
        unused=any(e.unused for k in module.kernels for e in k.entries),
        # For rustc, what follows an assertion is never reached: its macro only means something to the text compiler.
        asserts=any("cuda_tile_assert!" in line for line in lines),
    )


def _when(entry: RustEntry) -> list[str]:
    lines: list[str] = []
    for predicate in entry.predicates:
        conditions = [show(p) for p in predicate]
        text = "When " + " and ".join(f"`{c}`" for c in conditions) + "." if conditions else "Serves every launch."
        lines.append(text if not lines else f"Or {text[0].lower()}{text[1:]}")
    return [piece for line in lines for piece in _wrap(line)]


def _wrap(text: str, width: int = 110) -> list[str]:
    lines: list[str] = []
    current = ""
    for word in text.split(" "):
        if current and len(current) + 1 + len(word) > width:
            lines.append(current)
            current = word
        else:
            current = f"{current} {word}" if current else word
    return [*lines, current]


def manifest(modules: list[ModuleOutput], paths: list[str]) -> str:
    """``manifest.json``: what there is, which entry serves which launch, and every file of the output."""
    data = {
        "format": MANIFEST_FORMAT,
        "tool": f"cutile2rs {__version__}",
        "modules": [_module_json(m) for m in modules],
        "files": sorted([*paths, "manifest.json"]),
    }
    return _laid_out(data, depth=6) + "\n"


def _laid_out(value: Any, depth: int, indent: str = "") -> str:
    """JSON with a line for each item down to a depth, and one line for all of what is deeper: an entry is a line.

    The standard library indents everything or nothing, and its indenting encoder is a hundred times slower.
    """
    if depth == 0 or not value or not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    deeper = indent + " "
    if isinstance(value, dict):
        items = [f"{json.dumps(k, ensure_ascii=False)}: {_laid_out(v, depth - 1, deeper)}" for k, v in value.items()]
    else:
        items = [_laid_out(v, depth - 1, deeper) for v in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{deeper}" + f",\n{deeper}".join(items) + f"\n{indent}{closing}"


def _module_json(m: ModuleOutput) -> dict[str, Any]:
    return {
        "module": m.module,
        "rust_module": m.rust_module,
        "reference": m.reference,
        "sha256": m.sha256,
        "kernels": [_kernel_json(k) for k in m.kernels],
    }


def _kernel_json(k: KernelOutput) -> dict[str, Any]:
    return {
        "kernel": k.lowered.kernel.name,
        "qualname": k.lowered.kernel.qualname,
        "hints": k.options.known,
        "unknown_hints": k.options.unknown,
        "params": [
            {"name": p.name, "kind": p.kind}
            | (
                {"rank": p.rank or None}
                if p.kind in ("array", "list")
                else {"constant_kind": p.constant_kind}
                if p.kind == "constant"
                else {}
            )
            for p in k.lowered.params
        ],
        "entries": [
            {
                "name": e.name,
                "params": e.params,
                "predicates": [[to_json(part) for part in predicate] for predicate in e.predicates],
                "generics": [{"name": g.name, "kind": g.kind, "value": to_json(g.value)} for g in e.generics],
            }
            for e in k.entries
        ],
        "refused": [{"predicate": [to_json(part) for part in p], "reason": reason} for p, reason in k.refused],
    }


def crate_files(modules: list[ModuleOutput], others: dict[str, str], crate_name: str) -> dict[str, str]:
    """Every file of the output by relative path; ``others`` are those that are not of the crate."""
    modules = sorted(modules, key=lambda m: m.rust_module)
    symbols = host.Symbols()
    named = [(m, symbols.of_module(m.rust_module, [k.lowered.kernel.qualname for k in m.kernels])) for m in modules]
    support = support_files()
    out = {
        "Cargo.toml": render("Cargo.toml.j2", crate_name=crate_name),
        "Cargo.lock": files("cutile2rs.rust_templates").joinpath("Cargo.lock").read_text(encoding="utf-8"),
        "rustfmt.toml": render("rustfmt.toml.j2"),
        "include/cutile2rs.h": render(
            "cutile2rs.h.j2", dtypes=host.dtype_codes(), modules=[{"module": m.module, "symbols": s} for m, s in named]
        ),
        "src/lib.rs": render("lib.rs.j2", modules=[m.rust_module for m in modules]),
        "src/ffi.rs": render("root_ffi.rs.j2"),
        "src/python.rs": render("python.rs.j2"),
        "src/support_text.rs": render("support_text.rs.j2", sources=host.support_sources(support)),
        **support,
        **host.runtime_files(),
        **others,
    }
    for m, names in named:
        out |= {f"src/{m.rust_module}/{name}": text for name, text in _module_files(m, names, support).items()}
    out["manifest.json"] = manifest(modules, list(out))
    return dict(sorted(out.items()))


def _module_files(m: ModuleOutput, symbols: list[host.Symbol], support: dict[str, str]) -> dict[str, str]:
    kernel = kernel_file(m)
    values = {"module": m.module, "rust_module": m.rust_module, "symbols": symbols}
    return {
        "mod.rs": render("mod.rs.j2", **values, digest=host.digest(kernel, support)),
        "ffi.rs": render("ffi.rs.j2", **values),
        "kernel.rs": kernel,
        "launch.rs": render(
            "launch.rs.j2",
            module=m.module,
            launchers=host.launchers(
                [(k.lowered, k.options) for k in m.kernels], symbols, m.reference.removeprefix("reference/")
            ),
        ),
        "tables.jsonl": "".join(table_line(k.lowered, k.entries, k.refused, k.options) for k in m.kernels),
    }


def digest(text: str) -> str:
    """SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()

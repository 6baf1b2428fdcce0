"""The whole flow on one page: sources -> kernels -> entries -> passes -> Rust -> files.

Each step is a pure function of text.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from cutile2rs import output, unchanged
from cutile2rs.backend import crate, host, names
from cutile2rs.backend.kernel import RustEntry, fold, name_entries, write_entry
from cutile2rs.diagnostics import CutileError, Diagnostic, error, sorted_diagnostics
from cutile2rs.frontend import KernelDef, Module, Project, load_project
from cutile2rs.host.package import make_package
from cutile2rs.ir.expr import EvalError, Expr, show
from cutile2rs.ir.printer import entry_text
from cutile2rs.lowering import rules
from cutile2rs.lowering.context import Refusal
from cutile2rs.lowering.driver import Lowered, lower
from cutile2rs.lowering.options import options_of
from cutile2rs.lowering.oracle import Illegal, NoRule
from cutile2rs.passes import run_passes
from cutile2rs.unchanged import ConvertResult


@dataclass(slots=True)
class Conversion:
    """A conversion in memory: the crate's files by relative path, and the project they were made of."""

    result: ConvertResult
    project: Project
    files: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A row of ``cutile2rs rules``."""

    construct: str
    rust: str
    family: str
    notes: str


def convert(paths: list[Path], out: Path, force: bool = False) -> ConvertResult:
    """Convert files and folders into a crate at ``out``. Nothing is written if the input could not be read at all."""
    output.check(out, force)
    conversion = convert_in_memory(paths)
    result = conversion.result
    if conversion.files:
        unchanged.forget(out)
        output.write(out, conversion.files)
        if not result.diagnostics:
            unchanged.record(paths, out, conversion.project, conversion.files, result)
    return result


def convert_in_memory(paths: list[Path]) -> Conversion:
    """The conversion itself: text in, text out."""
    with _without_collection():
        return _convert(paths)


@contextmanager
def _without_collection() -> Iterator[None]:
    """No garbage collection meanwhile: a conversion is short, and looking through all its trees is a tenth of its time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            # Everything made meanwhile counts as old, so that enabling does not start with a look through all of it.
            gc.freeze()
            gc.unfreeze()
            gc.enable()


def _convert(paths: list[Path]) -> Conversion:
    project, diagnostics = load_project(paths)
    modules = sorted(project.modules.values(), key=lambda m: m.name)
    result = ConvertResult(diagnostics)
    rust_names = _rust_modules(modules)
    outputs = [_module(m, rust_names[m.name], result) for m in modules]
    outputs = [o for o in outputs if o.kernels]
    result.diagnostics = sorted_diagnostics([*result.diagnostics, *(d for m in modules for d in m.diagnostics)])
    if not outputs:
        return Conversion(result, project)
    references = _references(project)  # before the host side reads more modules
    kernels = {o.module: {k.lowered.kernel.qualname: k.lowered.kernel for k in o.kernels} for o in outputs}
    package = make_package(project, kernels)
    result.diagnostics = sorted_diagnostics([*result.diagnostics, *package.diagnostics])
    others = {**references, **package.files(kernels)}
    return Conversion(result, project, crate.crate_files(outputs, others, "cutile2rs-kernels"))


def check(paths: list[Path]) -> list[Diagnostic]:
    """Diagnostics of a conversion, with nothing written."""
    return convert_in_memory(paths).result.diagnostics


def _module(module: Module, rust_module: str, result: ConvertResult) -> crate.ModuleOutput:
    reference = _reference_path(module)
    converted = crate.ModuleOutput(module.name, rust_module, reference, crate.digest(module.text))
    unique = names.Unique({rust_module})
    for kernel in module.kernels.values():
        result.kernels_total += 1
        try:
            done = convert_kernel(kernel, unique)
        except Refusal as refusal:
            result.diagnostics.append(diagnostic(refusal, kernel))
            continue
        result.kernels_converted += 1
        result.entries += len(done.entries)
        converted.kernels.append(done)
    result.kernels_total += len(module.rejected_kernels)
    return converted


def convert_kernel(kernel: KernelDef, unique: names.Unique) -> crate.KernelOutput:
    """A kernel's entries as Rust. Raises :class:`Refusal` where the kernel has no rule."""
    lowered = lower(kernel, run_passes)
    entries: list[RustEntry] = []
    refused: list[tuple[tuple[Expr, ...], str]] = []
    for path in lowered.paths:
        if path.entry is None:
            if path.unsupported:
                refused.append((path.state.predicate(), _why(path.rejected)))
            continue
        try:
            entries.append(write_entry(path.entry, path.state))
        except NoRule as hole:
            refused.append((path.state.predicate(), str(hole)))
        except (Illegal, EvalError):
            continue  # the decisions contradict each other: no launch is on this path
    if not entries:
        raise Refusal("C2R401", refused[0][1] if refused else "no entry could be written", None, kernel.node)
    refused += [(a.predicate, a.reason) for a in lowered.refused]
    entries = fold(entries)
    name_entries(kernel.name, entries, unique)
    return crate.KernelOutput(lowered, entries, refused, options_of(kernel))


def _why(refusal: Refusal | None) -> str:
    """A refusal as the reason of a path: its text, with its line where that is not in it."""
    line = getattr(refusal.node, "lineno", None) if refusal is not None else None
    text = str(refusal)
    return text if line is None or "(line " in text else f"{text} (line {line})"


def diagnostic(refusal: Refusal, kernel: KernelDef) -> Diagnostic:
    """A refusal as a located diagnostic."""
    module = kernel.module
    span = None
    if isinstance(refusal.node, (ast.stmt, ast.expr, ast.arg)):
        owner = module
        if refusal.file is not None and refusal.file != module.file:
            owner = next((m for m in module.project.loaded() if m.file == refusal.file), module)
        span = owner.span(refusal.node)
    return error(
        refusal.code, refusal.message, span, help=refusal.help, notes=[f"kernel `{kernel.qualname}` is not converted"]
    )


def explain(path: Path, kernel: str, pass_name: str | None = None, entry: str | None = None) -> str:
    """Parameters, entries with their predicates, generics, and each body after a named pass (all passes by default)."""
    project, diagnostics = load_project([path])
    for d in diagnostics:
        if d.is_error:
            raise CutileError(d)
    [module] = project.modules.values()
    found = [k for k in module.kernels.values() if kernel in (k.name, k.qualname)]
    if not found:
        raise CutileError(error("C2R007", f"there is no kernel `{kernel}` in {path}"))
    try:
        lowered = lower(found[0], lambda e, state: run_passes(e, state, pass_name))
        converted = convert_kernel(found[0], names.Unique())
    except Refusal as refusal:
        raise CutileError(diagnostic(refusal, found[0])) from refusal
    return _explanation(lowered, converted, entry)


def _explanation(lowered: Lowered, converted: crate.KernelOutput, entry: str | None) -> str:
    by_predicate = {p: e for e in converted.entries for p in e.predicates}
    blocks = []
    for found in lowered.entries:
        rust = by_predicate.get(found.predicate)
        found.name = rust.name if rust is not None else found.name
        if entry in (None, found.name):
            generics = "".join(f"  generic {g.name} = {show(g.value)}\n" for g in rust.generics) if rust else ""
            head, _, body = entry_text(found).partition("\n")
            blocks.append(f"{head}\n{generics}{body}")
    if not blocks:
        raise CutileError(error("C2R007", f"the kernel has no entry `{entry}`"))
    if entry is None and converted.refused:
        blocks.append("".join(f"refused when {' and '.join(map(show, p))}\n  {why}\n" for p, why in converted.refused))
    return "\n".join(blocks)


def rules_table() -> list[RuleRow]:
    """Every construct with its rule, then every IR operation with its Rust."""
    rows = [RuleRow(f"{r.python}({r.signature})", f"lowering `{r.lower}`", r.family, r.note) for r in rules.all_rules()]
    for f in rules.all_rust_forms():
        when = ", ".join(f"{k}={v}" for k, v in f.when.items())
        rows.append(RuleRow(f"ir.{f.op}", f.text, f.family, when))
    return rows


def _rust_modules(modules: Iterable[Module]) -> dict[str, str]:
    """A Rust module name for each Python module: its last component, with the parents' where that is not unique."""
    unique = names.Unique(set(host.RESERVED))
    return {m.name: unique(names.function(m.name.rsplit(".", 1)[-1])) for m in modules}


def _reference_path(module: Module) -> str:
    tail = "/__init__.py" if module.is_package else ".py"
    return "reference/" + module.name.replace(".", "/") + tail


def _references(project: Project) -> dict[str, str]:
    """Verbatim copies of every module that was read: what verification slices the Python kernels from."""
    return {_reference_path(m): m.text for m in project.loaded()}

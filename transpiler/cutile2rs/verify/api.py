"""Verification as the CLI calls it: the output folder's Rust against its reference Python, launch by launch."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutile2rs.backend.support import used_modules
from cutile2rs.diagnostics import CutileError, error
from cutile2rs.ir.dispatch import NoEntry, choose
from cutile2rs.ir.dtypes import BY_NAME
from cutile2rs.verify.binding import ArrayArg, Binding, BindingError, ListArg, arguments_of, assumed, bind, opt_level
from cutile2rs.verify.convention import as_launched
from cutile2rs.verify.launches import Launch, LaunchFileError, read_launches
from cutile2rs.verify.run import Result, RustArtifact, Unsupported, verify

SUPPORT = "support/src"


def verify_output(
    out: Path, launches_file: Path, archs: Sequence[str], keep: Path | None, json_path: Path | None, jobs: int,
    launched: bool = False,
) -> Iterator[Result]:  # fmt: skip
    """Verdicts in the order of the launches. Writes them as JSON lines too, where asked. ``launched``: of what `ct.launch`
    compiles, which may be more than the recorded symbol says."""
    rust = RustSide(out)
    try:
        launches = read_launches(launches_file)
    except LaunchFileError as problem:
        raise CutileError(error("C2R601", str(problem), help="a launches file has one JSON object a line")) from problem
    for launch in launches:
        rust.kernel(launch)
    if launched:
        launches = [as_launched(launch) for launch in launches]
    results = verify(out, launches, archs, keep, jobs, rust.compile)
    if json_path is None:
        yield from results
        return
    with json_path.open("w", encoding="utf-8") as sink:
        for result in results:
            sink.write(json.dumps(result, ensure_ascii=False) + "\n")
            sink.flush()  # a run that is given up leaves what it found
            yield result


@dataclass(frozen=True)
class Request:
    """Everything that decides the machine code of a launch."""

    module: str
    """The Rust module."""
    entry: str
    generics: list[str]
    binding: Binding
    arch: str
    opt_level: int


class RustSide:
    """The generated crate as a compiler of launches: manifest look-up, then cutile's compiler on the kernel's text."""

    def __init__(self, out: Path) -> None:
        self._out = out
        try:
            manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
            self._modules = {m["module"]: m for m in manifest["modules"]}
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise CutileError(
                error("C2R001", f"{out} is no output of `cutile2rs convert`: {problem}", help="convert into it first")
            ) from problem
        self._texts: dict[str, str] = {}

    def holds(self, launch: Launch) -> bool:
        """Whether the output has the kernel of a launch."""
        return bool(self._kernels(launch))

    def _kernels(self, launch: Launch) -> list[Mapping[str, Any]]:
        module = self._modules.get(launch.module, {"kernels": []})
        return [k for k in module["kernels"] if launch.kernel in (k["kernel"], k["qualname"])]

    def kernel(self, launch: Launch) -> Mapping[str, Any]:
        """The manifest's kernel of a launch. Raises :class:`CutileError` if there is none."""
        kernels = self._kernels(launch)
        if not kernels:
            raise CutileError(
                error("C2R602", f"line {launch.line + 1}: `{launch.kernel}` of {launch.module} is not in {self._out}",
                      help="the launches file must name kernels that were converted")
            )  # fmt: skip
        return dict(kernels[0])

    def compile(self, launch: Launch, arch: str) -> RustArtifact:
        """Bytecode of the entry that serves a launch. Raises :class:`Unsupported` where none does."""
        return self.compile_request(self.request(launch, arch))

    def request(self, launch: Launch, arch: str) -> Request:
        """The entry that serves a launch, and what to compile it with. Raises :class:`Unsupported` where none does."""
        from cuda.tile.compilation._name_mangling import demangle_kernel_name

        kernel = self.kernel(launch)
        _, signature = demangle_kernel_name(launch.symbol)
        try:
            choice = choose(kernel, bindings_of(kernel, signature.parameters))
            names = list(choice.entry["params"])
            hints = hints_of(kernel, launch)
            bound = bind(arguments_of(signature.parameters, names), hints, arch)
        except (NoEntry, BindingError) as reason:
            raise Unsupported(str(reason)) from reason
        module = self._modules[launch.module]["rust_module"]
        return Request(module, choice.entry["name"], choice.generics, bound, arch, opt_level(hints, arch))

    def compile_request(self, request: Request) -> RustArtifact:
        """Bytecode of a request."""
        import cutile2rs_tilecheck as tilecheck

        text, bound = self._text(f"src/{request.module}/kernel.rs"), request.binding
        made = tilecheck.compile(
            text, module=request.module, entry=request.entry, generics=request.generics,
            strides=bound.strides, spec_args=bound.spec_args, scalar_hints=bound.scalar_hints, hints=bound.hints,
            target=request.arch, support=self._support(text),
        )  # fmt: skip
        return RustArtifact(request.entry, made.bytecode, made.ir_text)

    def _support(self, kernel: str) -> list[tuple[str, str]]:
        """The support modules that a kernel's text uses."""
        names = sorted(path.name for path in (self._out / SUPPORT).glob("*.rs"))
        return used_modules(kernel, {name: self._text(f"{SUPPORT}/{name}") for name in names})

    def _text(self, path: str) -> str:
        if path not in self._texts:
            self._texts[path] = (self._out / path).read_text(encoding="utf-8")
        return self._texts[path]


def hints_of(kernel: Mapping[str, Any], launch: Launch) -> dict[str, Any]:
    """The options that a launch compiles with: the kernel's own, replaced by the launch's."""
    missing = sorted(set(kernel["unknown_hints"]) - launch.hints.keys())
    if missing:
        raise Unsupported(f"the kernel's options {', '.join(missing)} are known only to its running host")
    return {**kernel["hints"], **launch.hints}


def bindings_of(kernel: Mapping[str, Any], constraints: Sequence[Any]) -> dict[str, Any]:
    """What entries are chosen by, from a launch's signature: constants by name, ``dtype(x)`` of arrays and scalars, and
    ``form(x)``, what a parameter takes up in the argument list, and ``scalar(x)``, whether it is a number.

    Raises :class:`NoEntry` for a launch that needs what no entry assumes: arrays that overlap each other.
    """
    bindings: dict[str, Any] = {}
    for param, constraint in zip(kernel["params"], constraints, strict=True):
        name, what = param["name"], type(constraint).__name__
        if param["kind"] in ("array", "list") and what != f"{param['kind'].capitalize()}Constraint":
            passed = what.removesuffix("Constraint").lower()
            raise NoEntry(f"`{name}` is a {param['kind']} in the kernel, but a {passed} here")
        if param["kind"] == "scalar" and what not in ("ScalarConstraint", "ConstantConstraint"):
            raise NoEntry(f"`{name}` is a number in the kernel, but no number here")
        bindings[f"scalar({name})"] = what == "ScalarConstraint"
        if what == "ConstantConstraint":
            bindings |= {name: constraint.value, f"form({name})": "constant"}
        elif what in ("ArrayConstraint", "ListConstraint"):
            bindings |= _array_bindings(name, param, constraint)
        elif what == "ScalarConstraint":
            bindings |= {f"dtype({name})": BY_NAME.get(constraint.dtype.name), f"form({name})": constraint.dtype.name}
        else:
            raise NoEntry(f"`{name}` is passed as {what.removesuffix('Constraint').lower()}, which has no rule")
    return bindings


def _array_bindings(name: str, param: Mapping[str, Any], constraint: Any) -> dict[str, Any]:
    """What a launch says of an array, or of all arrays in a list: dtype, rank, constant strides, divisors."""
    [argument] = arguments_of([constraint], [name])
    assert isinstance(argument, (ArrayArg, ListArg))
    array, form = (argument, "array") if isinstance(argument, ArrayArg) else (argument.element, "list")
    _check_array(name, param, constraint if form == "array" else constraint.element)
    bindings: dict[str, Any] = {
        f"dtype({name})": BY_NAME.get((constraint if form == "array" else constraint.element).dtype.name),
        f"form({name})": f"{form} {array.rank}",
        f"base_div({name})": assumed(array.base_div),
        f"overlaps({name})": not array.disjoint,
    }
    for k, stride in enumerate(array.stride_const):
        bindings |= {
            f"stride({name},{k})": stride,
            f"extent_div({name},{k})": assumed(array.shape_div[k]),
            f"stride_div({name},{k})": assumed(array.stride_div[k] if stride is None else stride),
        }
    return bindings


def _check_array(name: str, param: Mapping[str, Any], constraint: Any) -> None:
    if param["kind"] in ("array", "list") and param["rank"] not in (None, constraint.ndim):
        raise NoEntry(f"`{name}` has {constraint.ndim} dimensions, the kernel uses {param['rank']}")
    if constraint.alias_groups != ():
        raise NoEntry(f"`{name}` may overlap with other arrays")

"""The command line: `cutile2rs convert | check | explain | rules | verify | build | record | bench`.

Exit status: 0 all fine, 1 something unsupported or different, 2 usage or input error. Heavy imports happen inside the
commands, so that `--help` stays quick.
"""

from __future__ import annotations

import functools
import io
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated, NoReturn, ParamSpec, Protocol, TextIO, TypeVar, cast

import typer

from .diagnostics import (
    CutileError,
    Diagnostic,
    error,
    render_json_lines,
    render_text,
    sorted_diagnostics,
    to_sarif,
)
from .host import commands
from .terminal import GOOD_VERDICTS, Row, plain, print_table, print_verdicts, with_progress
from .terminal import plural as _plural

FINE, UNSUPPORTED, USAGE = 0, 1, 2
DEBUG_VARIABLE = "CUTILE2RS_DEBUG"

app = typer.Typer(
    name="cutile2rs",
    help="Convert cuTile Python GPU kernels to cuTile Rust, and prove that the machine code is the same.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

P = ParamSpec("P")
R = TypeVar("R")


class ConvertResult(Protocol):
    """What `pipeline.convert` gives."""

    @property
    def diagnostics(self) -> Sequence[Diagnostic]: ...
    @property
    def kernels_converted(self) -> int: ...
    @property
    def kernels_total(self) -> int: ...
    @property
    def entries(self) -> int: ...


class RuleRow(Protocol):
    """One row of `pipeline.rules_table`."""

    @property
    def construct(self) -> str: ...
    @property
    def rust(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def notes(self) -> str: ...


class Pipeline(Protocol):
    """The functions of `cutile2rs.pipeline` that the commands call."""

    def convert(self, paths: list[Path], out: Path, force: bool) -> ConvertResult: ...
    def check(self, paths: list[Path]) -> list[Diagnostic]: ...
    def explain(self, path: Path, kernel: str, pass_name: str | None, entry: str | None) -> str: ...
    def rules_table(self) -> Sequence[RuleRow]: ...


class Verifier(Protocol):
    """The function of `cutile2rs.verify.api` that `verify` calls; its result yields one row a launch and arch."""

    def verify_output(
        self,
        out: Path,
        launches_file: Path,
        archs: list[str],
        keep: Path | None,
        json_path: Path | None,
        jobs: int,
        launched: bool,
    ) -> Iterable[Row]: ...


class Format(StrEnum):
    """Forms of diagnostics."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


def _pipeline() -> Pipeline:
    return cast(Pipeline, import_module("cutile2rs.pipeline"))


def _verifier() -> Verifier:
    return cast(Verifier, import_module("cutile2rs.verify.api"))


def tool_version() -> str:
    """The installed version."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("cutile2rs")
    except PackageNotFoundError:
        return "0"


def _colour(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def _show(diagnostics: Iterable[Diagnostic], stream: TextIO) -> None:
    stream.write(render_text(diagnostics, colour=_colour(stream)))


def exit_status(diagnostics: Iterable[Diagnostic]) -> int:
    """The exit status that diagnostics call for."""
    found = list(diagnostics)
    if any(diagnostic.is_input_error for diagnostic in found):
        return USAGE
    return UNSUPPORTED if any(diagnostic.is_error for diagnostic in found) else FINE


def _guarded(command: Callable[P, int]) -> Callable[P, None]:
    """Ends a command with its exit status, and turns every exception into a diagnostic."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            status = command(*args, **kwargs)
        except CutileError as exc:
            _show([exc.diagnostic], sys.stderr)
            status = exit_status([exc.diagnostic]) or USAGE
        except (BrokenPipeError, KeyboardInterrupt):
            raise
        except Exception as exc:
            if type(exc).__module__.startswith(("typer", "click")):
                raise
            if os.environ.get(DEBUG_VARIABLE):
                raise
            text = " ".join(str(exc).split())[:300]
            hint = f"set {DEBUG_VARIABLE}=1 for the traceback, and please report this"
            _show([error("C2R901", f"internal error: {type(exc).__name__}: {text}", help=hint)], sys.stderr)
            status = USAGE
        raise typer.Exit(status)

    return run


def _usage(message: str) -> CutileError:
    return CutileError(error("C2R008", message))


def _require(path: Path, what: str) -> None:
    if not path.exists():
        raise CutileError(error("C2R001", f"no such {what}: {path}"))


Sources = Annotated[list[Path], typer.Argument(metavar="SRC", help="Python files or folders.", show_default=False)]


@app.callback(invoke_without_command=True)
def _top(show_version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    if show_version:
        typer.echo(f"cutile2rs {tool_version()}")
        raise typer.Exit(FINE)


@app.command()
@_guarded
def convert(
    src: Sources,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="Folder to write the crate to.")],
    force: Annotated[bool, typer.Option("--force", help="Write although OUT holds foreign files.")] = False,
    prebuild: Annotated[
        Path | None, typer.Option("--prebuild", metavar="FILE", help="Make cubins for these launches, too.")
    ] = None,
    arch: Annotated[
        list[str] | None, typer.Option("--arch", metavar="ARCH", help="Target of --prebuild; may be repeated.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Cubins made at a time.")] = 1,
) -> int:
    """Convert kernels to a Rust crate.

    \b
    Example:
      cutile2rs convert kernels/softmax.py -o build/softmax
      cutile2rs convert kernels/ -o build/kernels --prebuild launches.jsonl --arch sm_90
    """
    if prebuild is not None:
        _require(prebuild, "launches file")
    from .unchanged import recorded  # needs little, so that it is quick where nothing has changed

    result = recorded(src, out) or _pipeline().convert(src, out, force)
    found = sorted_diagnostics(result.diagnostics)
    _show(found, sys.stderr)
    status = exit_status(found)
    if result.kernels_total == 0 and status == FINE:
        _show([error("C2R006", "no kernel found in the given files")], sys.stderr)
        return USAGE
    done = f"{result.kernels_converted} of {_plural(result.kernels_total, 'kernel', 'kernels')}"
    typer.echo(f"converted {done} ({_plural(result.entries, 'entry', 'entries')}) to {out}")
    if result.kernels_converted < result.kernels_total:
        status = max(status, UNSUPPORTED)
    return status if prebuild is None else max(status, _prebuild(out, prebuild, arch or ["sm_90"], jobs))


def _prebuild(out: Path, launches: Path, archs: list[str], jobs: int) -> int:
    from .prebuild import prebuild

    made = prebuild(out, launches, archs, jobs)
    for launch, arch, reason in made.failed:
        typer.echo(f"no cubin for line {launch.line + 1} ({launch.kernel}, {arch}): {reason}", err=True)
    others = f", {_plural(made.others, 'launch', 'launches')} of other kernels left out" if made.others else ""
    typer.echo(f"prebuilt {_plural(len(made.cubins), 'cubin', 'cubins')}{others}")
    return UNSUPPORTED if made.failed else FINE


@app.command()
@_guarded
def check(
    src: Sources,
    form: Annotated[Format, typer.Option("--format", help="How to print diagnostics.")] = Format.TEXT,
) -> int:
    """Report what cannot be converted, and write nothing.

    \b
    Example:
      cutile2rs check kernels/ --format sarif > kernels.sarif
    """
    found = sorted_diagnostics(_pipeline().check(src))
    match form:
        case Format.JSON:
            sys.stdout.write(render_json_lines(found))
        case Format.SARIF:
            sys.stdout.write(json.dumps(to_sarif(found, tool_version()), ensure_ascii=False, indent=2) + "\n")
        case Format.TEXT:
            _show(found, sys.stdout)
            errors = sum(diagnostic.is_error for diagnostic in found)
            warnings = _plural(len(found) - errors, "warning", "warnings")
            typer.echo(f"{_plural(errors, 'error', 'errors')}, {warnings}", err=True)
    return exit_status(found)


@app.command()
@_guarded
def explain(
    target: Annotated[str, typer.Argument(metavar="FILE::KERNEL", help="A kernel of a file.", show_default=False)],
    pass_name: Annotated[str | None, typer.Option("--pass", metavar="NAME", help="Stop after this pass.")] = None,
    entry: Annotated[str | None, typer.Option("--entry", metavar="NAME", help="Only this entry.")] = None,
) -> int:
    """Print a kernel's parameters, entries, generics and IR.

    \b
    Example:
      cutile2rs explain kernels/softmax.py::softmax_kernel --pass fma
    """
    file, separator, kernel = target.rpartition("::")
    if not (file and separator and kernel):
        raise _usage(f"expected FILE::KERNEL, got {target!r}")
    _require(Path(file), "file")
    text = _pipeline().explain(Path(file), kernel, pass_name, entry)
    typer.echo(text, nl=not text.endswith("\n"))
    return FINE


@app.command()
@_guarded
def rules() -> int:
    """Print the table of conversion rules.

    \b
    Example:
      cutile2rs rules | grep ct.gather
    """
    from rich.table import Table

    table = Table("construct", "Rust", "family", "notes", box=None, header_style="bold", pad_edge=False)
    for row in _pipeline().rules_table():
        table.add_row(*(plain(cell) for cell in (row.construct, row.rust, row.family, row.notes)))
    print_table(table)
    return FINE


@app.command()
@_guarded
def verify(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder that convert wrote.", show_default=False)],
    launches: Annotated[Path, typer.Option("--launches", metavar="FILE.jsonl", help="Recorded launches.")],
    arch: Annotated[list[str] | None, typer.Option("--arch", metavar="ARCH", help="May be repeated [sm_90].")] = None,
    keep: Annotated[Path | None, typer.Option("--keep", metavar="DIR", help="Keep the Tile IR here.")] = None,
    json_path: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="One line a launch and arch.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", min=1, help="Parallel jobs.")] = os.cpu_count() or 1,
    launched: Annotated[
        bool, typer.Option("--launched", help="As ct.launch compiles: extents of 1 that `shapes` tell are constants.")
    ] = False,
) -> int:
    """Compare the machine code of the Rust kernels with that of the Python ones.

    \b
    Example:
      cutile2rs verify build/softmax --launches launches.jsonl --arch sm_90 --arch sm_100 -j 4
    """
    archs = arch or ["sm_90"]
    for name in archs:
        if not re.fullmatch(r"sm_\d+[a-z]?", name):
            raise _usage(f"expected an architecture such as sm_90, got {name!r}")
    _require(out, "folder")
    _require(launches, "file")
    rows = list(with_progress(_verifier().verify_output(out, launches, archs, keep, json_path, jobs, launched)))
    if not rows:
        raise CutileError(error("C2R601", f"no launch in {launches}"))
    print_verdicts(rows)
    return FINE if all(row["verdict"] in GOOD_VERDICTS for row in rows) else UNSUPPORTED


def _terminated(number: int, _: object) -> NoReturn:
    """End as on an error, so that what was started is ended too."""
    sys.exit(128 + number)


commands.add(app, _guarded)


def main() -> None:
    """Entry point of the `cutile2rs` command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    signal.signal(signal.SIGTERM, _terminated)
    app()


if __name__ == "__main__":
    main()

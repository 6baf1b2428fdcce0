"""The commands of the host side: `build`, `record`, `bench`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from cutile2rs.diagnostics import CutileError, error, render_text

FINE, FAILED, USAGE = 0, 1, 2
Guard = Callable[[Callable[..., int]], Callable[..., None]]

Out = Annotated[Path, typer.Argument(metavar="OUT", help="Folder that convert wrote.", show_default=False)]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", metavar="N", min=1, help="Parallel jobs of cargo.")]


def build(
    out: Out,
    release: Annotated[bool, typer.Option("--release/--debug", help="Optimise the host code.")] = True,
    jobs: Jobs = None,
) -> int:
    """Build the Python extension module of a converted crate.

    \b
    Example:
      cutile2rs build build/softmax
    """
    from .runtime.build import BuildError, built

    _require(out / "Cargo.toml", f"{out} holds no crate: it is not a folder that convert wrote")
    try:
        library = built(out.resolve(), release=release, jobs=jobs)
    except BuildError as problem:
        message, _, log = str(problem).partition("\n")
        raise CutileError(error("C2R703", message, notes=[log] if log else [])) from problem
    typer.echo(f"built {library}")
    return FINE


def record(
    command: Annotated[list[str], typer.Argument(metavar="-- COMMAND...", help="The program.", show_default=False)],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE.jsonl", help="File to write launches to.")],
) -> int:
    """Run a program and record the distinct kernel launches that it makes.

    A GPU is needed only as far as the program needs one: a launch is recorded before it is made.

    \b
    Example:
      cutile2rs record -o launches.jsonl -- python train.py --steps 3
    """
    from .record import record as run

    done = run(command, out)
    if done.status != 0:
        typer.echo(f"the program ended with status {done.status}", err=True)
    if done.launches == 0:
        hint = "the program must import cuda.tile in a Python that reads PYTHONPATH (no -I, -E or -S)"
        sys.stderr.write(render_text([error("C2R704", "the program made no launch that could be recorded", help=hint)]))
        return FAILED
    typer.echo(f"recorded {done.launches} launches to {out}")
    return FINE if done.status == 0 else FAILED


def bench(
    out: Out,
    launches: Annotated[Path, typer.Option("--launches", metavar="FILE.jsonl", help="Recorded launches.")],
    json_path: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write all figures here.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.svg", help="Draw the ratios here.")] = None,
    kernel: Annotated[list[str] | None, typer.Option("--kernel", help="Only this kernel; may be repeated.")] = None,
    pairs: Annotated[int, typer.Option("--pairs", metavar="N", min=1, help="Alternated pairs of measurements.")] = 20,
    each: Annotated[int | None, typer.Option("--each", metavar="N", min=1, help="Launches of each kernel.")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Start no launch after this time.")] = None,
    scalar: Annotated[int, typer.Option("--scalar", help="Integer scalars that the file does not give.")] = 1,
) -> int:
    """Time the Python and the Rust kernels on this machine's GPU, and compare their results bit by bit.

    \b
    Example:
      cutile2rs bench build/softmax --launches launches.jsonl --json times.json --plot times.svg
    """
    from .bench import report
    from .bench.run import Options, Row, run

    _require(out / "manifest.json", f"{out} is not a folder that convert wrote")
    _require(launches, f"no such file: {launches}")
    options = Options(pairs, scalar, tuple(kernel or ()), each, seconds)

    def save(rows: list[Row]) -> None:
        report.write(rows, json_path, None)  # after each launch: a run that is ended from outside leaves what it had

    rows = run(out.resolve(), launches, options, typer.echo, save)
    report.write(rows, json_path, plot)
    typer.echo(report.summary(rows))
    return FINE if all(row.get("bit_equal") and "timing_error" not in row for row in rows) else FAILED


def _require(path: Path, message: str) -> None:
    if not path.exists():
        raise CutileError(error("C2R001", message))


def add(app: typer.Typer, guarded: Guard) -> None:
    """Adds the commands to the command line."""
    for command in (build, record, bench):
        app.command()(guarded(command))

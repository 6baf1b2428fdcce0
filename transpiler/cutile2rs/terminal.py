"""Tables and counters of the command line."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

import typer

VERDICTS = ("identical", "ir-equal", "different", "unsupported", "error")
GOOD_VERDICTS = ("identical", "ir-equal")
_PIPED_WIDTH = 400

Row = Mapping[str, object]
"""One verified launch: line, module, kernel, arch, entry, verdict, detail."""


def plural(number: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many}"


def with_progress(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, with a counter on the terminal while they come in."""
    if not sys.stderr.isatty():
        yield from rows
        return
    from rich.console import Console

    with Console(stderr=True).status("verifying") as status:
        for number, row in enumerate(rows, 1):
            status.update(f"verified {plural(number, 'launch', 'launches')}")
            yield row


def print_verdicts(rows: Sequence[Row]) -> None:
    """A table of verdicts, a line a kernel, and the worst of what is not equal."""
    from rich.table import Table

    counts: dict[tuple[str, str], dict[str, int]] = {}
    for row in rows:
        tally = counts.setdefault((str(row["module"]), str(row["kernel"])), dict.fromkeys(VERDICTS, 0))
        verdict = str(row["verdict"])
        tally[verdict] = tally.get(verdict, 0) + 1
    table = Table("module", "kernel", box=None, header_style="bold", pad_edge=False)
    for name in ("launches", *VERDICTS):
        table.add_column(name, justify="right")
    for (module, kernel), tally in sorted(counts.items()):
        cells = [str(tally[name] or "") for name in VERDICTS]
        table.add_row(plain(module), plain(kernel), str(sum(tally.values())), *cells)
    print_table(table)
    bad = [row for row in rows if row["verdict"] not in GOOD_VERDICTS]
    if bad:
        worst = min(bad, key=lambda row: (row["verdict"] != "different", row["verdict"] != "error"))
        place = f"line {worst['line']}, {worst['module']}::{worst['kernel']}, {worst['arch']}"
        if worst.get("entry"):
            place += f", entry {worst['entry']}"
        typer.echo(f"\nfirst {worst['verdict']}: {place}\n{worst.get('detail') or ''}".rstrip())
    good = len(rows) - len(bad)
    typer.echo(f"\n{good} of {plural(len(rows), 'launch', 'launches')} equal")


def plain(text: object) -> str:
    """Text with rich's markup made harmless."""
    from rich.markup import escape

    return escape(str(text))


def print_table(table: object) -> None:
    """A rich table on standard output."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else _PIPED_WIDTH, highlight=False).print(table)

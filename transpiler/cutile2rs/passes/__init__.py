"""The passes in their order, which is cuTile Python's own (``cuda/tile/_compile.py``: ``_transform_ir``)."""

from __future__ import annotations

from collections.abc import Callable

from cutile2rs.ir.core import Entry
from cutile2rs.lowering.oracle import PathState
from cutile2rs.passes.code_motion import hoist_loop_invariants
from cutile2rs.passes.constants import settle_constants
from cutile2rs.passes.cse import merge_equal
from cutile2rs.passes.dce import eliminate_dead_code
from cutile2rs.passes.divisibility import assume_divisors
from cutile2rs.passes.fma import contract_fma
from cutile2rs.passes.for_exits import lower_for_exits
from cutile2rs.passes.loop_split import split_loops
from cutile2rs.passes.materialize import materialize_constants
from cutile2rs.passes.token_order import order_tokens

Pass = Callable[[Entry, PathState], None]

PASSES: tuple[tuple[str, Pass], ...] = (
    ("for_exits", lambda entry, path: lower_for_exits(entry)),
    ("dce", lambda entry, path: eliminate_dead_code(entry)),
    ("materialize", materialize_constants),
    ("divisibility", assume_divisors),
    ("token_order", order_tokens),
    ("fma", contract_fma),
    ("code_motion", lambda entry, path: hoist_loop_invariants(entry)),
    ("loop_split", split_loops),
    ("cse", lambda entry, path: merge_equal(entry)),
    ("dce_final", lambda entry, path: eliminate_dead_code(entry)),
    ("constants", settle_constants),
)


def run_passes(entry: Entry, path: PathState, stop_after: str | None = None) -> None:
    """Run the passes, all of them or up to and including ``stop_after``."""
    if stop_after == "none":
        return
    for name, run in PASSES:
        run(entry, path)
        if name == stop_after:
            return

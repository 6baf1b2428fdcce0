"""Why a branch on a constant cannot stay a branch."""

from __future__ import annotations

from functools import lru_cache

from cutile2rs.ir.expr import Expr, fn, show


class MustFork(Exception):
    """A branch on this constant cannot be kept as a branch in one entry: each side needs entries of its own."""

    def __init__(self, condition: Expr):
        super().__init__(show(condition))
        self.asked = condition
        """As the branch has it; ``condition`` is the same for its opposite."""
        self.leaves_helper = False
        """Whether a helper's result depends on it: it is not enough to read the statement that calls it for each side."""
        self.condition = canonical(condition)


@lru_cache(maxsize=4096)
def canonical(condition: Expr) -> Expr:
    """One of a condition and its opposite, the same for both."""
    return min(condition, fn("not", condition), key=show)

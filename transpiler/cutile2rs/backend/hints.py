"""The Rust of what a kernel says of its own values."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cutile2rs.backend.forms import Text
from cutile2rs.ir.core import Op

if TYPE_CHECKING:
    from cutile2rs.backend.emit import Emitter


def emit_assume(e: Emitter, op: Op) -> None:
    """``ct.assume_divisible_by``."""
    e.flush()
    e.comment(op)
    [value] = e.take(op.operands)
    e.line("// SAFETY: the Python kernel makes the same promise.")
    divisor = e.generics.int(op.attrs["divisor"])
    e.place(op, Text(f"unsafe {{ assume_div_by::<_, {divisor}>({value.text}) }}"), False)


def emit_assert(e: Emitter, op: Op) -> None:
    """``ct.assert_``."""
    e.flush()
    e.comment(op)
    [value] = e.take(op.operands)
    message = json.dumps(op.attrs["message"], ensure_ascii=False)
    e.line(f"cuda_tile_assert!({value.text}, {message});")

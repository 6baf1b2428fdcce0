"""The Rust of what a kernel says of its own values and of its place among kernels."""

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


_GDC = {
    "gdc_wait": "// SAFETY: the token orders what depends on the kernel before after this.",
    "gdc_launch_dependents": "// SAFETY: the Python kernel lets its dependents start here too.",
}


def emit_grid_dependency(e: Emitter, op: Op) -> None:
    """``ct.grid_dependency_control_..``."""
    e.flush()
    e.comment(op)
    assert op.token is not None
    e.line(_GDC[op.opcode])
    used = e.live.uses.get(op.result, 0) > 0
    name = e.bind(op.result, op) if used else e.fresh("_token", op)
    e.statement(f"let {name}: Token", f"unsafe {{ {op.opcode}_tko(Some({e.operand(op.token).text})) }}")

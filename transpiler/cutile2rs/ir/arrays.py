"""What is used of an array that is no parameter: a slice, an item of a list."""

from __future__ import annotations

from cutile2rs.ir.core import ArrayType, Block, Op, Value

#: Operations that make a view of the array that they work on.
VIEWING = frozenset({"view", "load_view", "store_view", "num_tiles", "atomic_view"})


def parts_needed(body: Block, handle: Value) -> set[str]:
    """Which parts of an array its uses need: base, extents, strides. A slice of it needs its base and its strides."""
    found: set[str] = set()
    for op in body.walk():
        if handle in op.operands:
            found |= {"base"} | _needed_by(op, body)
    return found


def _needed_by(op: Op, body: Block) -> set[str]:
    if op.opcode == "array_slice":
        return {"strides"} & parts_needed(body, op.result)
    if op.attrs.get("raw"):
        return set()
    checked = op.opcode in VIEWING or op.attrs["check_bounds"]
    return {"extents", "strides"} if checked else {"strides"}


def viewed(body: Block) -> set[Value]:
    """The arrays (by their handles) of which some view is made."""
    last = (op.operands[-1] for op in body.walk() if op.opcode in VIEWING and op.operands)
    return {v for v in last if isinstance(v.type, ArrayType)}

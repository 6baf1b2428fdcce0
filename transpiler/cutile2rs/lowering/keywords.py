"""A helper's ``**name`` parameter: what can be asked of it, and handing it on."""

from __future__ import annotations

from collections.abc import Mapping

from cutile2rs.lowering.context import Ctx
from cutile2rs.lowering.registry import lowering
from cutile2rs.lowering.values import Keywords, PyValue, Sequence, Static, describe


def spread(ctx: Ctx, v: PyValue) -> Mapping[str, PyValue]:
    """What ``**v`` gives a call."""
    if not isinstance(v, Keywords):
        raise ctx.refuse(f"{describe(v)} cannot stand after `**`", code="C2R205")
    return v.items


def names(v: Keywords) -> Sequence:
    """The names, as ``in`` looks through them."""
    return Sequence(tuple(map(Static, v.items)))


def _key(ctx: Ctx, key: PyValue) -> str:
    if not isinstance(key, Static) or not isinstance(key.value, str):
        raise ctx.refuse(f"keyword arguments are looked up by strings, not by {describe(key)}", code="C2R205")
    return key.value


def item(ctx: Ctx, v: Keywords, key: PyValue) -> PyValue:
    """``v[key]``."""
    name = _key(ctx, key)
    if name not in v.items:
        raise ctx.refuse(f"no keyword argument `{name}` is given", code="C2R205")
    return v.items[name]


@lowering("keyword_or")
def keyword_or(ctx: Ctx, v: Keywords, key: PyValue, default: PyValue) -> PyValue:
    """``v.get(key, default)``."""
    return v.items.get(_key(ctx, key), default)

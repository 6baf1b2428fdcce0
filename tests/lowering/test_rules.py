"""The tables of constructs can be read."""

from __future__ import annotations

from cutile2rs.lowering.rules import all_rules


def test_every_signature_can_be_read() -> None:
    """Signatures are read when a construct is first used; here all are."""
    names = {rule.python: [p.name for p in rule.parameters] for rule in all_rules()}
    assert len(names) > 100
    assert names["cuda.tile.gather"] == ["array", "indices", "mask", "padding_value", "check_bounds", "latency"]

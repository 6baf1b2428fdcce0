"""Launch files are read strictly, and errors say where."""

from __future__ import annotations

from pathlib import Path

import pytest
from cutile2rs.verify.launches import LaunchFileError, parse_launch, read_launches

GOOD = (
    '{"module":"m","kernel":"k","symbol":"k_Kt1_I2","hints":{"occupancy":{"sm_80":2,"default":4}},"grid":[1,1,1],'
    '"shapes":[[64],null]}'
)


def test_reads_lines_in_order(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    path.write_text(f"{GOOD}\n\n{GOOD}\n")
    launches = read_launches(path)
    assert [launch.line for launch in launches] == [0, 2]
    assert launches[0].hints == {"occupancy": {"sm_80": 2, "default": 4}}
    assert launches[0].shapes == ((64,), None) and launches[0].grid == (1, 1, 1)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "f:3:2: not JSON"),
        ("[]", "f:3: a launch is a JSON object, not list"),
        ('{"module":"m"}', "f:3: the field 'kernel' is missing"),
        (GOOD.replace('"m"', "3"), "'module' must be a non-empty string, not int"),
        (GOOD.replace("[1,1,1]", '"x"'), "'grid' must be a list of integers"),
        (GOOD.replace("[64]", "[true]"), "each of 'shapes'"),
        (GOOD.replace('"default":4', '"default":"x"'), "hint 'occupancy'"),
    ],
)
def test_errors_are_located(line: str, message: str) -> None:
    with pytest.raises(LaunchFileError) as error:
        parse_launch(line, 2, "f")
    assert message in str(error.value)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(LaunchFileError, match=r"none\.jsonl"):
        read_launches(tmp_path / "none.jsonl")

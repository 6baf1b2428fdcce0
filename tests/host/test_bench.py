"""`cutile2rs bench`: arguments for recorded launches, rows whatever happens, and the report."""

from __future__ import annotations

import importlib
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import cuda.tile
import pytest
from cutile2rs.host.bench import report
from cutile2rs.host.bench.arguments import ArrayPlan, Recorded, ValuePlan, arrays, fake, plan
from cutile2rs.host.hook.recorder import describe, signature_of
from cutile2rs.verify.launches import read_launches

from tests.host.conftest import KERNELS, purge
from tests.host.test_launching import Array
from tests.workplace import cutile2rs, launches_file

ct: Any = cuda.tile
FAKE = Path(__file__).parent / "fake_gpu"


def kernel_for(name: str, parameters: Any) -> Any:
    """A kernel whose parameters are constants where the signature's are."""
    constant = {i for i, one in enumerate(parameters) if type(one).__name__ == "ConstantConstraint"}
    listed = ", ".join(f"p{i}{': ct.Constant' if i in constant else ''}" for i in range(len(parameters)))
    space = {"ct": ct}
    exec(f"def {name}({listed}): pass", space)
    return ct.kernel(space[name])


def test_arguments_have_the_recorded_signature() -> None:
    """Of every recorded launch: extents, strides, addresses and constants give the very symbol again."""
    from cuda.tile.compilation import demangle_kernel_name

    seen = 0
    for launch in read_launches(launches_file()):
        symbol = launch.symbol.replace("bf16", "f16")  # which the array interface has no code for
        name, signature = demangle_kernel_name(symbol)
        plans = plan(signature.parameters, Recorded(launch.shapes))
        args = tuple(fake(one) for one in plans)
        assert signature_of(kernel_for(name, signature.parameters), args).symbol == symbol
        seen += 1
    assert seen >= 30


@pytest.mark.parametrize(
    ("shape", "strides", "address"),
    [
        ((64, 48), None, 256), ((64, 48), (512, 4), 256), ((64, 48), (4, 256), 256), ((64, 48), (196, 4), 256),
        ((64, 48), (0, 4), 256), ((3, 5, 7), None, 260), ((7, 1), (4, 4), 256), ((5,), (12,), 256), ((), None, 256),
        ((4, 0), None, 256), ((16, 16), (8, 128), 256),
    ],
)  # fmt: skip
def test_odd_layouts(shape: tuple[int, ...], strides: tuple[int, ...] | None, address: int) -> None:
    """An array of any layout is replaced by one with the same signature; its storage is large enough."""
    array = Array(shape)
    array.__cuda_array_interface__ |= {"strides": strides, "data": (address, False)}
    kernel = kernel_for("odd", [None])
    wanted = signature_of(kernel, (array,))
    [one] = plan(wanted.parameters, Recorded([shape]))
    assert isinstance(one, ArrayPlan) and one.shape == shape
    assert signature_of(kernel, (fake(one),)).symbol == wanted.symbol
    last = one.offset + sum(max(n - 1, 0) * s for n, s in zip(one.shape, one.strides, strict=True))
    assert one.storage > last or 0 in shape


def test_scalars_and_lists_are_taken_from_the_record() -> None:
    def body(xs, n, f, b):  # type: ignore[no-untyped-def]
        pass

    args = ([Array((32, 16)), Array((16, 32))], 5, 2.5, True)
    kernel = ct.kernel(body)
    row = describe(kernel, (3,), args)
    assert (row["scalars"], row["lists"]) == ([None, 5, 2.5, True], [[[32, 16], [16, 32]], None, None, None])
    parameters = signature_of(kernel, args).parameters
    given = plan(parameters, Recorded(row["shapes"], row["scalars"], row["lists"]))
    assert [one.shape for one in arrays(given)] == [(32, 16), (16, 32)]
    assert given[1:] == [ValuePlan(5), ValuePlan(2.5), ValuePlan(True)]
    chosen = plan(parameters, Recorded(row["shapes"]), scalar=9)
    assert chosen[1:] == [ValuePlan(9), ValuePlan(0.5), ValuePlan(True)]


@pytest.fixture
def launches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A launch of each of several kernels of the example, and one of a kernel that is not there."""
    monkeypatch.syspath_prepend(str(KERNELS))
    pack = {name: importlib.import_module(f"pack.{name}") for name in ("plain", "aliases", "made")}
    made = pack["made"]
    kernels = [pack["plain"].double, pack["aliases"].copy, made.one, made.four, made.make(5), made.Box.five]
    kernels.append(pack["plain"].double)
    rows = [describe(kernel, (4, 1), (Array((64,)), Array((64,)), 16)) for kernel in kernels]
    rows.append(rows[0] | {"kernel": "missing"})
    rows.append(rows[0] | {"shapes": []})
    file = tmp_path / "launches.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    purge("pack")
    return file


@pytest.mark.toolchain
def test_one_row_a_launch_whatever_happens(converted: Path, launches: Path, tmp_path: Path) -> None:
    env = {"CUTILE2RS_NATIVE": str(FAKE / "native.py"), "PYTHONPATH": str(FAKE)}
    files = [tmp_path / "out" / name for name in ("times.json", "times.svg")]
    done = cutile2rs("bench", converted, "--launches", launches, "--pairs", "2", "--json", files[0], "--plot", files[1],
                     env=env)  # fmt: skip
    assert done.status == 1, done.err
    found = json.loads(files[0].read_text())
    rows = found["rows"]
    assert [row["line"] for row in rows] == list(range(1, 10))
    good, wrong, refused, fatal, crash, static, again, missing, shapeless = rows
    for row in (good, again):
        assert row["bit_equal"] and row["deterministic"] and row["changed"] and row["symbol_made"]
        assert row["device_by"] == "graph" and row["gpu"] == "pretended"
        assert row["device_us"]["rust"] >= 0 and row["submit_ratio"] > 0 and row["first_ms"]["python"] >= 0
    assert wrong["bit_equal"] is False and wrong["deterministic"] is True and "error" not in wrong
    assert wrong["timing_error"] == "ValueError: no more" and "device_ratio" not in wrong
    assert refused["error"] == "ValueError: no entry for this launch"
    assert "gone" in fatal["error"] and "fatal" not in fatal
    assert crash["error"].startswith("the worker ended with status 3")
    assert static["error"].startswith("the original cannot be cut out: ")
    assert missing["error"] == "the kernel is not in the output"
    assert shapeless["error"] == "ArgumentError: the shape of array argument 0 is not recorded"
    assert found["summary"] | {"device_ratio": 0, "device_ratio_least": 0, "submit_ratio": 0} == {
        "launches": 9, "errors": 6, "not_timed": 1, "bit_equal": 2, "not_deterministic": 0,
        "device_ratio": 0, "device_ratio_least": 0,
        "submit_ratio": 0,
    }  # fmt: skip
    assert "2 of 9 launches bit-equal, 6 errors" in done.out
    assert "double: bit-equal, device " in done.out and "copy: DIFFERENT, not timed: ValueError: no more" in done.out
    assert done.out.splitlines()[-1] == "line 2, copy: different bits"
    assert len(ElementTree.parse(files[1]).getroot()) > 5


@pytest.mark.toolchain
def test_choosing_launches(converted: Path, launches: Path, tmp_path: Path) -> None:
    env = {"CUTILE2RS_NATIVE": str(FAKE / "native.py"), "PYTHONPATH": str(FAKE)}
    times = tmp_path / "times.json"
    args = ("bench", converted, "--launches", launches, "--pairs", "1", "--json", times)
    done = cutile2rs(*args, "--kernel", "double", "--each", "2", env=env)
    assert done.status == 0, done.err
    assert [row["line"] for row in json.loads(times.read_text())["rows"]] == [1, 7]
    done = cutile2rs(*args, "--seconds", "0", env=env)
    assert "time is up: 9 of 9 launches are not measured" in done.out


def test_without_a_gpu_bench_says_what_is_missing(converted: Path, launches: Path) -> None:
    done = cutile2rs("bench", converted, "--launches", launches, env={"CUTILE2RS_NATIVE": "/nowhere.so"})
    assert done.status == 1
    assert "C2R705" in done.err and "bench needs a GPU, PyTorch, cuda.tile, and a library" in done.err
    for out, file in (("/nowhere", launches), (converted, "/nowhere")):
        done = cutile2rs("bench", out, "--launches", file)
        assert done.status == 2 and "C2R001" in done.err


def _row(kernel: str, device: float, submit: float) -> dict[str, Any]:
    return {
        "line": 1, "module": "a.b", "kernel": kernel, "bit_equal": True, "deterministic": True, "device_ratio": device,
        "submit_ratio": submit, "device_us": {"python": 2.0 * device, "rust": 2.0}, "first_ms": {"python": 9.0, "rust": 3.0},
    }  # fmt: skip


def test_report() -> None:
    rows = [_row("k<1>", 1.0, 0.5), _row("k<1>", 4.0, 2.0), {"line": 3, "module": "m", "kernel": "x", "error": "E: no"}]
    assert report.totals(rows) == {
        "launches": 3, "errors": 1, "not_timed": 0, "bit_equal": 2, "not_deterministic": 0, "device_ratio": pytest.approx(2.0),
        "device_ratio_least": 1.0, "submit_ratio": pytest.approx(1.0),
    }  # fmt: skip
    table = report.summary(rows).splitlines()
    assert table[1].split() == ["b.k<1>", "2", "2", "2.0000", "1.0000", "1.0000", "4.00", "2.00", "9.00", "3.00"]
    assert table[2].split() == ["m.x", "1", "1", "0", *["-"] * 7]
    assert table[-1] == "line 3, x: E: no"
    texts = [one.text for one in ElementTree.fromstring(report.to_svg(rows)).iter() if one.text and one.text.strip()]
    assert "b.k<1>" in texts and "4" in texts
    assert report.geometric_mean([]) is None

"""What wrapper modules do when they run: every way to make and to launch a kernel reaches the Rust library."""

from __future__ import annotations

import copy
import statistics
import sys
from typing import Any

import cuda.tile
import pytest

from tests.host.conftest import Import
from tests.host.stubs import Native

ct: Any = cuda.tile


class Stream:
    """A stream as PyTorch has it."""

    cuda_stream = 77


def test_importing_loads_no_library(wrapper: Import) -> None:
    wrapper("plain")
    assert wrapper("_cutile2rs.library")._loaded is None


def test_launches_carry_stream_grid_arguments_and_hints(wrapper: Import, native: Native) -> None:
    plain = wrapper("plain")
    plain.run(Stream(), "x", "y")
    assert native.launches == [
        ("pack.plain:double", 77, (4,), ("x", "y", 16), {"occupancy": 2}),
        ("pack.plain:double", 77, (4, 1), ("x", "y", 16), {"num_ctas": 2}),
    ]


def test_a_kernel_is_looked_up_once(wrapper: Import, native: Native) -> None:
    plain = wrapper("plain")
    for _ in range(3):
        wrapper("_cutile2rs").launch(0, (1,), plain.double, (1, 2, 3))
    assert native.made == ["pack.plain:double"] and len(native.launches) == 3


def test_launch_under_any_alias(wrapper: Import, native: Native) -> None:
    aliases = wrapper("aliases")
    ways = [name for name in vars(aliases) if name.startswith("by_")]
    for name in ways:
        getattr(aliases, name)(("a", "b", 1))
    aliases.Runner()(("a", "b", 1))
    assert [launch[1] for launch in native.launches] == list(range(1, 12))
    assert {(name, grid, args) for name, _, grid, args, _ in native.launches} == {
        ("pack.aliases:copy", (1,), ("a", "b", 1))
    }


def test_hidden_names_are_left_alone(wrapper: Import) -> None:
    class Other(list[Any]):
        launch = staticmethod(lambda value: -value)

    assert wrapper("aliases").not_ours(lambda value: value, Other()) == (1, -2, [])


def test_kernels_made_in_every_way(wrapper: Import, native: Native) -> None:
    made, launch = wrapper("made"), wrapper("_cutile2rs").launch
    six = [made.make(n) for n in (5, 6)]
    for kernel in (made.one, made.two, made.three, made.four, made.Box.five, *six):
        launch(0, (1,), kernel, ())
    assert [(name, hints) for name, _, _, _, hints in native.launches] == [
        ("pack.made:one", {"occupancy": 2}),
        ("pack.made:two", {"num_ctas": 4}),
        ("pack.made:one", {"occupancy": 3}),
        ("pack.made:four", {"occupancy": 8}),
        ("pack.made:Box.five", {}),
        ("pack.made:make.<locals>.six", {"occupancy": 5}),
        ("pack.made:make.<locals>.six", {"occupancy": 6}),
    ]


def test_kernels_that_other_code_makes_of_a_converted_function(wrapper: Import, native: Native) -> None:
    made = wrapper("made")
    tile_kernel = made.rebuilt(made.Box.five, occupancy=7)
    assert type(tile_kernel) is ct.kernel
    wrapper("_cutile2rs").launch(0, (1,), tile_kernel, ("a",))
    wrapper("_cutile2rs").launch(0, (1,), tile_kernel, ("a",))
    assert native.launches == [("pack.made:Box.five", 0, (1,), ("a",), {"occupancy": 7})] * 2
    assert native.made == ["pack.made:Box.five"]


def test_imports_reach_wrappers_and_originals(wrapper: Import, native: Native) -> None:
    user = wrapper("user")
    assert user.run(("a", "b", 1)) == 48
    assert [(name, stream) for name, stream, *_ in native.launches] == [
        ("pack.plain:double", 21), ("pack.made:two", 22), ("pack.plain:double", 23), ("pack.plain:double", 23),
        ("pack.aliases:copy", 1),
    ]  # fmt: skip
    assert user.consts is user.c is sys.modules["pack.consts"]
    assert user.double is wrapper("plain").double and user.names is wrapper("aliases")


def test_a_kernel_passes_for_the_original(wrapper: Import) -> None:
    double: Any = wrapper("plain").double
    assert isinstance(double, ct.kernel) and callable(double)
    assert double._pyfunc.__name__ == "double" and double._pyfunc.__doc__ == "Doubles."
    for copied in (copy.copy(double), copy.deepcopy(double)):
        assert type(copied) is type(double) and copied.name == double.name and copied.native_hints == {"occupancy": 2}
    double.note = "kept"
    assert double.note == "kept"
    with pytest.raises(TypeError, match="cannot be called directly"):
        double(1)


@pytest.mark.parametrize(
    "hints", [{"occupancy": 0}, {"occupancy": 33}, {"num_ctas": 3}, {"opt_level": 4}, {"num_worker_warps": 5},
              {"occupancy": ct.ByTarget(sm_90=40)}, {"unknown": 1}]
)  # fmt: skip
def test_hints_are_refused_as_by_the_original(wrapper: Import, hints: dict[str, Any]) -> None:
    double = wrapper("plain").double
    original = ct.kernel(double._pyfunc, occupancy=2)
    with pytest.raises((TypeError, ValueError)) as wanted:
        original.replace_hints(**hints)
    with pytest.raises((TypeError, ValueError)) as found:
        double.replace_hints(**hints)
    assert found.type is wanted.type


def test_hints_by_target(wrapper: Import, native: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    hints = wrapper("_cutile2rs.hints")
    monkeypatch.setattr(hints, "architecture", lambda: "sm_90")
    assert hints.for_native({"occupancy": ct.ByTarget(sm_90=4, default=2), "opt_level": ct.ByTarget(sm_80=1)}) == {
        "occupancy": 4
    }
    assert hints.for_native({"occupancy": ct.ByTarget(sm_100=4, default=2), "opt_level": 3}) == {"occupancy": 2}
    assert hints.for_native({"occupancy": ct.ByTarget(sm_100=4), "opt_level": 0, "num_ctas": None}) == {"opt_level": 0}


class Array:
    """A device array that has no memory."""

    def __init__(self, shape: tuple[int, ...], kind: str = "<f4") -> None:
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": kind, "data": (4096, False), "version": 3, "strides": None,
        }  # fmt: skip


def _raised(wrapper: Import, native: Native, grid: Any, args: Any) -> BaseException:
    native.problem = RuntimeError("the library says no")
    with pytest.raises(Exception) as found:
        wrapper("_cutile2rs").launch(0, grid, wrapper("plain").double, args)
    return found.value


@pytest.mark.parametrize(
    ("grid", "args"),
    [((1, 1, 1, 1), ()), ([1], ()), ((1,), [1]), ((-1,), ()), ((1, 1 << 40), ()), (("a",), ()), ((1.5,), ())],
)
def test_errors_of_form_are_those_of_the_original(wrapper: Import, native: Native, grid: Any, args: Any) -> None:
    found = _raised(wrapper, native, grid, args)
    with pytest.raises((TypeError, ValueError, OverflowError)) as wanted:
        ct.launch(0, grid, ct.kernel(wrapper("plain").double._pyfunc), args)
    assert type(found) is wanted.type and found.__cause__ is native.problem
    assert str(found).split(",")[-1] == str(wanted.value).split(",")[-1] or isinstance(args, list)


@pytest.mark.parametrize(
    ("args", "kind", "message"),
    [
        ((1,), TypeError, "Kernel expects 3 arguments but 1 was given"),
        (
            (Array((4,)), object(), 16),
            TypeError,
            "Invalid kernel argument #1: Objects of type 'object' are not supported.",
        ),
        ((Array((4,)), Array((4,)), object()), TypeError, "Invalid kernel argument #2"),
        ((Array((4,)), Array((4,)), 3), ct.TileTypeError, "power of two"),
        ((Array((4, 4)), Array((4,)), 16), ct.TileTypeError, "double"),
        ((Array((4,), "<i4"), 1, 16), ct.TileTypeError, "double"),
    ],
)
@pytest.mark.toolchain
def test_errors_of_meaning_are_those_of_the_original(
    wrapper: Import, native: Native, args: Any, kind: type, message: str
) -> None:
    """The first three come from cuTile Python's launch, the others from its compiler."""
    found = _raised(wrapper, native, (1,), args)
    assert type(found) is kind and message in str(found)
    assert found.__cause__ is native.problem


@pytest.mark.toolchain
def test_errors_of_launches_that_the_original_takes(wrapper: Import, native: Native) -> None:
    found = _raised(wrapper, native, (1,), (Array((4,)), Array((4,)), 16))
    assert type(found) is wrapper("_cutile2rs.errors").LaunchError
    assert str(found) == "kernel pack.plain:double: the library says no"

    class Coded(ValueError):
        code = -7

    native.problem = Coded("no entry")
    with pytest.raises(RuntimeError, match="no entry") as refused:
        wrapper("_cutile2rs").launch(0, (1,), wrapper("plain").double, (Array((4,)), Array((4,)), 16))
    assert vars(refused.value) == {"code": -7}


def test_errors_of_the_machine_are_not_asked_about(wrapper: Import, native: Native) -> None:
    """The arguments are wrong too, but what stands in the way is the driver."""

    class Coded(RuntimeError):
        code = -11

    native.problem = Coded("no driver")
    with pytest.raises(RuntimeError, match=r"kernel pack.plain:double: no driver") as found:
        wrapper("_cutile2rs").launch(0, (1,), wrapper("plain").double, (1,))
    assert type(found.value) is wrapper("_cutile2rs.errors").LaunchError and vars(found.value) == {"code": -11}


def test_streams(wrapper: Import, native: Native) -> None:
    launch, double = wrapper("_cutile2rs").launch, wrapper("plain").double

    class Protocol:
        def __cuda_stream__(self) -> tuple[int, int]:
            return 0, 5

    class Pointer:
        ptr = 6

    for stream in (4, Protocol(), Pointer(), Stream()):
        launch(stream, (1,), double, ())
    assert [launch[1] for launch in native.launches] == [4, 5, 6, 77]
    with pytest.raises(TypeError, match="Unsupported stream type 'str'"):
        launch("s", (1,), double, ())


def test_unconverted_kernels_are_launched_by_cutile_with_a_warning(
    wrapper: Import, native: Native, monkeypatch: pytest.MonkeyPatch
) -> None:
    launched = []
    monkeypatch.setattr(ct, "launch", lambda *args: launched.append(args))

    @ct.kernel
    def foreign(x):  # type: ignore[no-untyped-def]
        pass

    launch = wrapper("_cutile2rs").launch
    with pytest.warns(RuntimeWarning, match="foreign` was not converted"):
        launch(0, (1,), foreign, (1,))
    launch(0, (1,), foreign, (2,))  # warns once
    assert launched == [(0, (1,), foreign, (1,)), (0, (1,), foreign, (2,))] and native.launches == []
    with pytest.raises(NotImplementedError, match="dependent"):
        launch(0, (1,), wrapper("plain").double, (), programmatic_dependent_launch=True)


def test_tuning_launches_and_returns_what_the_original_does(wrapper: Import, native: Native) -> None:
    result = wrapper("tuned").search(("a", "b"))
    assert isinstance(result, ct.tune.TuningResult)
    assert {m.config for m in result.successes} == {1, 2, 4} and result.failures == ()
    assert result.best.mean_us == min(m.mean_us for m in result.successes)
    for config in (1, 2, 4):
        wanted = ("pack.tuned:copy", 5, (config,), ("a", "b", config), {"occupancy": config})
        assert native.launches.count(wanted) >= 8
    assert len(result.summary().splitlines()) >= 4
    by_config = wrapper("tuned").by_config(("a", "b"))
    assert by_config.best.config in (1, 2)


def test_tuning_measures_until_it_is_sure(wrapper: Import, native: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times that are made up: mean and margin are those of the samples, and only contenders are measured for long."""
    tune = wrapper("_cutile2rs.tune")
    times = {1: [100.0, 300.0], 2: [200.0], **{n: [10.0 + n] for n in range(3, 9)}}
    taken: dict[int, list[float]] = {n: [] for n in times}

    class Timer:
        stream = 0

        def __call__(self, run: Any) -> float:
            before = len(native.launches)
            run()
            [config] = native.launches[before][2]
            taken[config].append(times[config][len(taken[config]) % len(times[config])])
            return taken[config][-1]

    monkeypatch.setattr(tune, "timer_for", lambda *args: Timer())
    tuned = wrapper("tuned")
    result = tune.exhaustive_search(list(times), 0, lambda n: (n,), tuned.copy, lambda n: (), quiet=True)
    rows = {row.config: row for row in result.successes}
    assert result.best.config == 3 and result.best.mean_us == 13.0 and result.best.error_margin_us == 0.0
    assert rows[2].num_samples == tune.MINIMUM
    measured = taken[1][tune.WARM_UP :]
    assert rows[1].num_samples == len(measured) and rows[1].mean_us == pytest.approx(statistics.fmean(measured))
    margin = 1.96 * statistics.stdev(measured) / len(measured) ** 0.5
    assert rows[1].error_margin_us == pytest.approx(margin) and len(measured) == tune.MINIMUM


def test_tuning_notes_failures(wrapper: Import, native: Native, monkeypatch: pytest.MonkeyPatch) -> None:
    tune = wrapper("_cutile2rs.tune")
    real = tune.launch

    def launch(stream: Any, grid: Any, kernel: Any, args: Any) -> None:
        if grid == (2,):
            raise ValueError("two is bad")
        real(stream, grid, kernel, args)

    monkeypatch.setattr(tune, "launch", launch)
    result = wrapper("tuned").search(())
    assert result.failures == ((2, ValueError, "two is bad"),)
    native.problem = ImportError("all are bad")
    with pytest.raises(
        ValueError, match=r"No valid config found in search space[.]\nConfig: 1\nImportError: all are bad"
    ):
        wrapper("tuned").search(())
    with pytest.raises(ValueError, match="Search space is empty"):
        tune.exhaustive_search([], 0, None, None, None)


def test_registrations_name_the_converted_backend(wrapper: Import) -> None:
    wrapper("tuned")
    registry = sys.modules["tilegym.backend"].registry
    assert {name: list(found) for name, found in registry.items()} == {"search": ["cutile-rs"], "other": ["cutile-rs"]}

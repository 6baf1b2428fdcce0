"""The text of wrapper modules: what changes, and that nothing else does."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from cutile2rs import pipeline
from cutile2rs.frontend import load_project
from cutile2rs.host.edits import Edit, RawText, apply
from cutile2rs.host.package import Package, Wrapper, make_package

from tests.host.conftest import KERNELS
from tests.workplace import tree


def package_of(*paths: Path) -> Package:
    """The package of files all of whose kernels count as converted."""
    project, _ = load_project(list(paths))
    return make_package(project, {name: module.kernels for name, module in project.modules.items()})


def unchanged(wrapper: Wrapper) -> bytes:
    """The bytes outside the changed ranges, which have to be the same in the original file and in the wrapper."""
    before, after = wrapper.module.path.read_bytes().decode(), wrapper.text
    kept, left, position, shift = "", "", 0, 0
    for edit in sorted(wrapper.edits):
        kept += before[position : edit.start]
        left += after[position + shift : edit.start + shift]
        assert after[edit.start + shift :].startswith(edit.text)
        shift += len(edit.text) - (edit.end - edit.start)
        position = edit.end
    kept += before[position:]
    left += after[position + shift :]
    assert kept.encode() == left.encode() and before != after
    return kept.encode()


def written(folder: Path, name: str, text: str) -> Path:
    """A source file."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return file


def test_only_listed_ranges_change() -> None:
    package = package_of(KERNELS / "pack")
    assert [w.name.rpartition(".")[2] for w in package.wrappers] == [
        "aliases", "helpers", "made", "plain", "tuned", "user",
    ]  # fmt: skip
    for wrapper in package.wrappers:
        assert len(unchanged(wrapper)) > 0.5 * len(wrapper.original.encode())


def test_edited_ranges_are_kernels_launches_imports_and_backends() -> None:
    package = package_of(KERNELS / "pack")
    found = {w.original[e.start : e.end] for w in package.wrappers for e in w.edits}
    assert found == {
        "", "ct.kernel", "kern", "ct.launch", "go", "cuda.tile.launch", "tile.launch", "launch", "exhaustive_search",
        "ct.tune.exhaustive_search", '"cutile"', ".", ".consts", "pack.aliases", "pack.plain", "pack.helpers",
        "from pack import consts, made", "from . import helpers, consts as c",
    }  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_and_byte_order_mark_stay(tmp_path: Path, end: str) -> None:
    text = "\ufeff" + (KERNELS / "pack" / "plain.py").read_text(encoding="utf-8").replace("\n", end)
    file = written(
        tmp_path,
        "plain.py",
        text.replace("from . import consts", "import consts").replace("from .consts", "from consts"),
    )
    [wrapper] = package_of(file).wrappers
    assert wrapper.name == "plain_rs.plain"
    assert wrapper.text.startswith("\ufeff#!/usr/bin/env python" + end)
    assert wrapper.text.count("\r\n") == (wrapper.text.count("\n") if end == "\r\n" else 0)
    assert (
        f"import annotations{end}{end}from . import _cutile2rs as _c2r{end}import cuda.tile as ct{end}" in wrapper.text
    )
    assert f'@_c2r.kernel("plain:double")(occupancy=2){end}def double(' in wrapper.text


def test_runtime_is_imported_after_docstring_and_future_imports(tmp_path: Path) -> None:
    head = "import cuda.tile as ct\n@ct.kernel\ndef k(x, S: ct.Constant[int]):\n    ct.store(x, (0,), ct.load(x, (0,), (S,)))\n"
    line = "from . import _cutile2rs as _c2r"
    for number, (before, expected) in enumerate([
        ("", f"{line}\nimport cuda.tile"),
        ('"""D."""\n', f'"""D."""\n{line}\nimport cuda.tile'),
        ('"""D."""; ', f'"""D."""; {line}; import cuda.tile'),
        ("from __future__ import annotations; ", f"from __future__ import annotations; {line}; import cuda.tile"),
        ("try:\n    import numpy\nexcept ImportError:\n    pass\n", f"{line}\ntry:"),
    ]):  # fmt: skip
        [wrapper] = package_of(written(tmp_path, f"m{number}.py", before + head)).wrappers
        assert wrapper.text.startswith(expected)
        ast.parse(wrapper.text)


def test_names_of_the_user_are_not_taken(tmp_path: Path) -> None:
    text = "import cuda.tile as ct\n_c2r = 3\ndef f(k, a):\n    ct.launch(_c2r, (1,), k, a)\n"
    package = package_of(written(tmp_path, "m.py", text + "@ct.kernel\ndef k(x):\n    pass\n"))
    assert "    _c2r_.launch(_c2r, (1,), k, a)\n" in package.wrappers[0].text


def test_what_cannot_be_rewritten_is_told_and_left_out(tmp_path: Path) -> None:
    kernel = "import cuda.tile as ct\n@ct.kernel\ndef k(x):\n    pass\n"
    for number, (text, code, message) in enumerate([
        ("getattr(ct, 'launch')(0, (1,), k, ())\n", "C2R701", "`launch` of `cuda.tile` is looked up by a string"),
        ("from cuda.tile._cext import launch_extended\nlaunch_extended(0)\n", "C2R701",
         "`cuda.tile._cext.launch_extended` has no counterpart for Rust kernels"),
        ("import m\nif m:\n    from cuda.tile import launch\nelse:\n    from m import launch\nlaunch(0, (1,), k, ())\n",
         "C2R701", "`launch` may be `cuda.tile.launch` or something else"),
    ]):  # fmt: skip
        package = package_of(written(tmp_path, f"m{number}.py", kernel + text))
        assert [(d.code, d.message) for d in package.diagnostics] == [(code, message)]
        assert package.diagnostics[0].span is not None and package.diagnostics[0].span.line > 4
        assert package.wrappers == []
        assert package.files({}) == {}


def test_module_as_a_value_is_a_warning(tmp_path: Path) -> None:
    text = (
        "import cuda.tile as ct\n@ct.kernel\ndef k(x):\n    pass\ndef f(g, n):\n    g(ct)\n    return getattr(ct, n)\n"
    )
    package = package_of(written(tmp_path, "m.py", text))
    assert [(d.code, d.is_error, d.span and d.span.line) for d in package.diagnostics] == [("C2R702", False, 6)]
    assert len(package.wrappers) == 1


def test_importers_of_a_module_that_stays_out_import_the_original(tmp_path: Path) -> None:
    written(tmp_path, "p/__init__.py", "")
    kernel = "import cuda.tile as ct\n@ct.kernel\ndef k(x):\n    pass\n"
    bad = written(tmp_path, "p/bad.py", kernel + "getattr(ct, 'launch')(0, (1,), k, ())\n")
    good = written(tmp_path, "p/good.py", kernel + "from .bad import k as other\n")
    package = package_of(bad, good)
    [wrapper] = package.wrappers
    assert "from p.bad import k as other\n" in wrapper.text


def test_a_module_that_patches_launch_stays_the_original(tmp_path: Path) -> None:
    written(tmp_path, "p/__init__.py", "")
    patch = written(
        tmp_path, "p/patch.py", "import cuda.tile as ct\nold = ct.launch\ndef new(*a):\n    old(*a)\nct.launch = new\n"
    )
    use = written(
        tmp_path, "p/use.py", "import cuda.tile as ct\nfrom .patch import new\n@ct.kernel\ndef k(x):\n    pass\n"
    )
    package = package_of(patch, use)
    assert [w.name for w in package.wrappers] == ["p_rs.use"]
    assert "from p.patch import new\n" in package.wrappers[0].text


def test_several_top_packages_share_one(tmp_path: Path) -> None:
    kernel = "import cuda.tile as ct\n@ct.kernel\ndef k(x):\n    pass\n"
    files = [written(tmp_path, "a.py", kernel + "import b\nb.k\n"), written(tmp_path, "b.py", kernel)]
    package = package_of(*files)
    assert [w.name for w in package.wrappers] == ["kernels_rs.a", "kernels_rs.b"]
    assert package.wrappers[0].text.endswith("import b, kernels_rs.b\nkernels_rs.b.k\n")
    assert "from .. import" not in package.wrappers[0].text and "from . import _cutile2rs" in package.wrappers[0].text


def test_star_imports_are_resolved(tmp_path: Path) -> None:
    text = "from cuda.tile import *\n@kernel\ndef k(x):\n    pass\ndef f(a):\n    launch(0, (1,), k, a)\n"
    [wrapper] = package_of(written(tmp_path, "m.py", text)).wrappers
    assert '@_c2r.kernel("m:k")\n' in wrapper.text and "    _c2r.launch(0, (1,), k, a)\n" in wrapper.text


def test_only_converted_kernels_become_rust_kernels(tmp_path: Path) -> None:
    good = "@ct.kernel\ndef good(x, S: ct.Constant[int]):\n    ct.store(x, (0,), ct.load(x, (0,), (S,)))\n"
    bad = "@ct.kernel\ndef bad(x):\n    open(x)\n"
    out = tmp_path / "out"
    result = pipeline.convert([written(tmp_path, "m.py", f"import cuda.tile as ct\n{good}{bad}")], out)
    assert (result.kernels_converted, result.kernels_total) == (1, 2)
    text = (out / "python/m_rs/m.py").read_text()
    assert '@_c2r.kernel("m:good")\ndef good' in text and "@ct.kernel\ndef bad" in text
    assert 'KERNELS: tuple[str, ...] = (\n    "m:good",\n)' in (out / "python/m_rs/_cutile2rs/info.py").read_text()


def test_outputs_are_the_same_every_time_and_may_be_written_again(converted: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    pipeline.convert([KERNELS / "pack"], again)
    files = tree(again)
    assert files == {path: data for path, data in tree(converted).items() if "__pycache__" not in path}
    (again / "python/pack_rs/__pycache__").mkdir()
    (again / "python/pack_rs/__pycache__/plain.pyc").write_bytes(b"")
    pipeline.convert([KERNELS / "pack"], again)  # what importing leaves behind is not foreign


def test_edits_must_not_overlap() -> None:
    assert apply("abcdef", [Edit(4, 5, "X"), Edit(1, 1, "-"), Edit(1, 3, "")]) == "a-dXf"
    with pytest.raises(ValueError, match="overlap at offset 2"):
        apply("abcdef", [Edit(1, 3, ""), Edit(2, 4, "")])


def test_positions_are_those_of_characters() -> None:
    raw = RawText("é = 'ü'; f(x)\r\ny\r\n")
    [_, call] = ast.parse("é = 'ü'; f(x)\ny\n").body[:2]
    start, end = raw.range(call)
    assert raw.text[start:end] == "f(x)"
    assert raw.line_end(0) == "\r\n" and RawText("x").line_end(0) == "\n"

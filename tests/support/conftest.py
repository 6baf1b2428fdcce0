"""What the support crate's tests share: where cutile's own functions are, and the two compilers."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cutile2rs.backend.support import support_files, used_modules
from cutile2rs.verify.export import Exporter
from cutile2rs.verify.sass import SassResult, compare
from cutile2rs.verify.slicing import ReferenceTree, write_slice

from tests.workplace import ROOT, run

ARCH = "sm_90"
Same = Callable[..., SassResult]

_KERNEL = """\
#[cutile::module]
pub mod kernels {
    use cutile::core::*;
    use cutile2rs_support::tile::*;

    #[cutile::entry()]
    pub unsafe fn k<%s>(%s) {
%s
    }
}
"""


@pytest.fixture(scope="session")
def core_functions() -> frozenset[str]:
    """Functions that cutile declares for kernels."""
    done = run(["cargo", "metadata", "--offline", "--locked", "--format-version", "1"], cwd=ROOT / "tilecheck")
    assert done.status == 0, done.err
    [manifest] = [p["manifest_path"] for p in json.loads(done.out)["packages"] if p["name"] == "cutile"]
    sources = [Path(manifest).with_name("src") / name for name in ("_core.rs", "_tileir.rs")]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    return frozenset(re.findall(r"\bpub (?:unsafe )?fn (\w+)", text))


@pytest.fixture(scope="session")
def exporter() -> Iterator[Exporter]:
    """One worker for all tests."""
    with Exporter() as worker:
        yield worker


@pytest.fixture
def same(tmp_path: Path, exporter: Exporter) -> Same:
    """Compare the machine code of a Python kernel `k` with that of a Rust body that says the same."""
    sources = {
        path.removeprefix("support/src/"): text for path, text in support_files().items() if path.endswith(".rs")
    }

    def check(
        python: str, parameters: str, generics: dict[str, str], arguments: dict[str, str], *body: str
    ) -> SassResult:
        import cutile2rs_tilecheck as tilecheck
        from cuda.tile.compilation._name_mangling import demangle_kernel_name
        from cutile2rs.verify.binding import arguments_of, bind

        (tmp_path / "k.py").write_text(f"import cuda.tile as ct\n\n@ct.kernel\n{textwrap.dedent(python)}")
        path = write_slice(ReferenceTree(tmp_path), "k", "k", tmp_path)
        symbol = f"k_Kt1_{parameters}"
        left = exporter.export(path, "k", symbol, {}, ARCH)
        _, signature = demangle_kernel_name(symbol)
        names = [name for name in arguments if not name.endswith("_len")]
        bound = bind(arguments_of(signature.parameters, names), {}, ARCH)
        declared = (f"const {n}: i32" if n.isupper() and n != "E" else f"{n}: ElementType" for n in generics)
        listed = ", ".join(f"{name}: {type_}" for name, type_ in arguments.items())
        lines = "".join(textwrap.dedent(piece) for piece in body)
        text = _KERNEL % (", ".join(declared), listed, textwrap.indent(lines, " " * 8))
        right = tilecheck.compile(
            text, module="kernels", entry="k", generics=list(generics.values()), strides=bound.strides,
            spec_args=bound.spec_args, scalar_hints=bound.scalar_hints, hints=bound.hints, target=ARCH,
            support=used_modules(text, sources),
        )  # fmt: skip
        return compare(left.bytecode, right.bytecode, ARCH, left.opt_level)

    return check

"""Cubins made ahead of time, for the launches of a file: ``prebuilt/`` of an output.

``index.json`` there says which cubin serves which request. A request's key is one line of text, which the crate's runtime
writes too (``Request::key`` in ``rust_templates/runtime/src/bind.rs``); it looks its launches up before it compiles.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from cutile2rs.backend import host
from cutile2rs.diagnostics import CutileError, error
from cutile2rs.verify.api import Request, RustSide
from cutile2rs.verify.convention import as_launched
from cutile2rs.verify.launches import Launch, LaunchFileError, read_launches
from cutile2rs.verify.run import Unsupported
from cutile2rs.verify.sass import run_tileiras

FOLDER = "prebuilt"
INDEX_FORMAT = 1


@dataclass(slots=True)
class Prebuilt:
    """What was made: cubins by key; and launches with targets that nothing could be made for, with the reason."""

    cubins: dict[str, str] = field(default_factory=dict)
    failed: list[tuple[Launch, str, str]] = field(default_factory=list)
    others: int = 0
    """Launches of kernels that the output does not hold."""


def prebuild(
    out: Path, launches_file: Path, archs: Sequence[str], jobs: int, note: Callable[[int, int], None] | None = None
) -> Prebuilt:
    """Fill ``prebuilt/`` of an output with cubins for each launch and target. What was there before is replaced.

    ``note`` is told how many requests of how many are done. Raises :class:`CutileError` for a file that is no launches file.
    """
    rust = RustSide(out)
    try:
        launches = read_launches(launches_file)
    except LaunchFileError as problem:
        raise CutileError(error("C2R601", str(problem), help="a launches file has one JSON object a line")) from problem
    made = Prebuilt()
    requests: dict[str, tuple[Launch, Request]] = {}
    for launch in launches:
        if not rust.holds(launch):
            made.others += 1
            continue
        for arch in archs:
            try:
                request = rust.request(as_launched(launch), arch)
            except Unsupported as reason:
                made.failed.append((launch, arch, str(reason)))
            else:
                requests.setdefault(key(request), (launch, request))
    folder = out / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)

    def build(item: tuple[str, tuple[Launch, Request]]) -> str | Exception:
        name = hashlib.sha256(item[0].encode()).hexdigest()[:24] + ".cubin"
        request = item[1][1]
        try:
            bytecode = rust.compile_request(request).bytecode
            (folder / name).write_bytes(run_tileiras(bytecode, request.arch, request.opt_level))
        except Exception as problem:  # of two compilers: whatever it is, this launch has no cubin
            return problem
        return name

    with ThreadPoolExecutor(jobs) as pool:
        for done, (item, name) in enumerate(zip(requests.items(), pool.map(build, requests.items()), strict=True)):
            if isinstance(name, str):
                made.cubins[item[0]] = name
            else:
                made.failed.append((item[1][0], item[1][1].arch, str(name)))
            if note is not None:
                note(done + 1, len(requests))
    index = {"format": INDEX_FORMAT, "modules": _digests(out, requests), "cubins": dict(sorted(made.cubins.items()))}
    (folder / "index.json").write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")
    return made


def _digests(out: Path, requests: dict[str, tuple[Launch, Request]]) -> dict[str, str]:
    """Of each module that cubins were made of, what its text was."""
    support = {f"support/{p.relative_to(out / 'support').as_posix()}": p for p in (out / "support").rglob("*")}
    texts = {name: path.read_text(encoding="utf-8") for name, path in support.items() if path.is_file()}
    modules = sorted({request.module for _, request in requests.values()})
    return {m: host.digest((out / f"src/{m}/kernel.rs").read_text(encoding="utf-8"), texts) for m in modules}


def key(request: Request) -> str:
    """The line of text by which the runtime finds a cubin."""
    parts = [f"{request.module}::{request.entry}<{','.join(request.generics)}>"]
    for (name, strides), (_, spec) in zip(request.binding.strides, request.binding.spec_args, strict=True):
        columns = (strides, spec["extents"], spec["shape_div"], spec["stride_div"], [spec["base_ptr_div"]])
        parts.append(f"{name}:" + "/".join(",".join(map(str, column)) for column in columns))
    hints = request.binding.hints
    named = (
        ("occupancy", hints.get("occupancy")),
        ("num_ctas", hints.get("num_cta_in_cga")),
        ("num_worker_warps", hints.get("num_worker_warps_per_cta")),
    )
    parts += [f"{name}={value}" for name, value in named if value is not None]
    return " ".join([*parts, request.arch, f"O{request.opt_level}"])

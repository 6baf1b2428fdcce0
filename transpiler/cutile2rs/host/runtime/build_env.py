"""Prints the `export` lines that building cutile needs, found from the packages of the Python that runs this file.

    eval "$(.venv/bin/python transpiler/cutile2rs/host/runtime/build_env.py)"

Standard library only. The Python that runs it must have `cuda-tile[tileiras]` (cuda.h, tileiras), `nvidia-curand`
(curand.h) and `libclang` (for bindgen) installed.
"""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

NEEDED = "cuda-tile[tileiras], nvidia-curand and libclang"
"""The PyPI packages that bring what is looked for."""


def package_folder(name: str) -> Path | None:
    """The folder of an installed package, found without importing it (None where it is not installed)."""
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def compiler_include() -> Path | None:
    """gcc's own include folder (stddef.h): the PyPI libclang brings none, and bindgen needs one."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    answer = subprocess.run([gcc, "-print-file-name=include"], capture_output=True, text=True, check=False)
    folder = Path(answer.stdout.strip())
    return folder if folder.is_absolute() else None


def environment() -> dict[str, str]:
    """The variables to set. Those already set by the caller win, so that a system CUDA or clang can be used."""
    found: dict[str, str] = {}
    toolkit = package_folder("nvidia.cu13")
    if toolkit is not None:
        found["CUDA_TOOLKIT_PATH"] = str(toolkit)
    clang = package_folder("clang")
    if clang is not None and (clang / "native").is_dir():
        found["LIBCLANG_PATH"] = str(clang / "native")
        include = compiler_include()
        if include is not None:
            found["BINDGEN_EXTRA_CLANG_ARGS"] = f"-I{include}"
    return found | {name: os.environ[name] for name in found if os.environ.get(name)}


def missing(variables: dict[str, str]) -> list[str]:
    """What neither `environment()` found nor the caller has set."""
    return sorted({"CUDA_TOOLKIT_PATH", "LIBCLANG_PATH"} - variables.keys() - os.environ.keys())


def main() -> int:
    """Prints the lines; the exit status is 1 where something was not found."""
    variables = environment()
    for name, value in variables.items():
        print(f"export {name}={shlex.quote(value)}")
    for name in missing(variables):
        print(f"build_env: {name} not found: install {NEEDED}", file=sys.stderr)
    return 1 if missing(variables) else 0


if __name__ == "__main__":
    raise SystemExit(main())

"""The text side of slicing: verbatim statements, renamed names, stand-ins for torch and for whole modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cutile2rs.ir.dtypes import ALL, DType
from cutile2rs.ir.limits import finfo, iinfo

# torch's (and numpy's) names of data types, and cuda.tile's
_DTYPES = {
    "bool": "bool_", "bool_": "bool_", "uint8": "uint8", "uint16": "uint16", "uint32": "uint32", "uint64": "uint64",
    "int8": "int8", "int16": "int16", "short": "int16", "int32": "int32", "int": "int32", "int64": "int64",
    "long": "int64", "float16": "float16", "half": "float16", "bfloat16": "bfloat16", "float32": "float32",
    "float": "float32", "float64": "float64", "double": "float64", "float8_e4m3fn": "float8_e4m3fn",
    "float8_e5m2": "float8_e5m2", "float8_e8m0fnu": "float8_e8m0fnu",
}  # fmt: skip
_NUMPY_ONLY_ABSENT = frozenset({"int", "long", "float", "double", "half", "short"})


def _shim_expression(package: str) -> str:
    dtypes = {name: tile for name, tile in _DTYPES.items() if package == "torch" or name not in _NUMPY_ONLY_ABSENT}
    extra = "Tensor=object, dtype=object, device=object" if package == "torch" else "ndarray=object, dtype=object"
    if package == "torch":
        extra += "".join(f", {name}={_limits(limits)}" for name, limits in (("finfo", finfo), ("iinfo", iinfo)))
    return (
        f"(lambda module, tile: (module.__dict__.update({{name: getattr(tile, native) for name, native in {dtypes!r}"
        f'.items()}}, {extra}, **{{name: getattr(__import__("math"), name) for name in ("pi", "e", "inf", "nan")}}), '
        f'module)[1])(__import__("types").ModuleType("{package}"), __import__("cuda.tile", fromlist=["tile"]))'
    )


def _limits(of: Callable[[DType], Mapping[str, int | float] | None]) -> str:
    """A stand-in for `torch.finfo` or `torch.iinfo`, from the same table that the converter reads."""
    known = {d.name: dict(found) for d in ALL if (found := of(d)) is not None}
    return f'lambda d: __import__("types").SimpleNamespace(**{known!r}[d.name])'


def shim_line(local: str, module: str, attribute: str | None) -> str:
    """One line that binds `local` to a module or a name in it; torch and numpy are stand-ins with their dtypes."""
    root = module.split(".")[0]
    if root in ("torch", "numpy"):
        suffix = "".join(f".{part}" for part in [*module.split(".")[1:], *([attribute] if attribute else [])])
        return f"{local} = {_shim_expression(root)}{suffix}"
    if attribute is not None:
        return f"from {module} import {attribute}" + (f" as {local}" if local != attribute else "")
    if "." in module or local != module:
        return f"import {module} as {local}"
    # `import a` may stand for `import a.b` too; cuda.tile is the one such package a kernel needs.
    return "import cuda.tile" if module == "cuda" else f"import {module}"


@dataclass(frozen=True)
class Member:
    """A used member of a sliced module: the name it has in the slice, or the dotted name of a module."""

    name: str
    is_module: bool


def namespace_lines(local: str, module: str, members: Mapping[str, Mapping[str, Member]]) -> list[str]:
    """Lines that bind `local` to a module object holding the used members of a sliced module."""
    lines = [f'{local} = __import__("types").ModuleType("{module}")']
    for name, member in members.get(module, {}).items():
        if member.is_module:
            lines += namespace_lines(f"{local}.{name}", member.name, members)
        else:
            lines.append(f"{local}.{name} = {member.name}")
    return lines


class Renaming:
    """Gives each thing one name in the slice: its own where that is free, else with its module's name behind."""

    def __init__(self) -> None:
        self._owner: dict[str, Hashable] = {}
        self._name: dict[Hashable, str] = {}

    def reserve(self, name: str, meaning: Hashable, *, alias: bool = False) -> None:
        """Keep `name` for `meaning`, as the kernel's own module has it; an alias is not what it is called."""
        self._owner[name] = meaning
        if not alias:
            self._name.setdefault(meaning, name)

    def knows(self, meaning: Hashable) -> bool:
        """Whether `meaning` has its name already."""
        return meaning in self._name

    def of(self, meaning: Hashable, wanted: str) -> str:
        """The name of `meaning` in the slice, chosen at the first call."""
        if meaning not in self._name:
            name = wanted
            if name in self._owner:
                name = f"{wanted}__{str(getattr(meaning, 'module', 'other')).replace('.', '_')}"
            while name in self._owner:
                name += "_"
            self.reserve(name, meaning)
        return self._name[meaning]


def statement_text(
    lines: Sequence[str], statement: ast.stmt, renamed: Mapping[str, str], nodes: Iterable[ast.Name] = ()
) -> tuple[int, list[str]]:
    """First line number and verbatim text of a statement, kept decorators included, with free names renamed."""
    assert statement.end_lineno is not None and statement.end_col_offset is not None
    decorators = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    block = [line.encode() for line in lines[first - 1 : statement.end_lineno]]
    block[-1] = block[-1][: statement.end_col_offset]
    if not decorators and statement.col_offset:
        block[0] = block[0][statement.col_offset :]
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        if node.id in renamed:
            row = node.lineno - first
            shift = statement.col_offset if row == 0 and not decorators else 0
            start, end = node.col_offset - shift, (node.end_col_offset or 0) - shift
            block[row] = block[row][:start] + renamed[node.id].encode() + block[row][end:]
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and statement.name in renamed:
        row = statement.lineno - first
        header = rf"\b(def|class)\s+{re.escape(statement.name)}\b".encode()
        block[row] = re.sub(header, rf"\1 {renamed[statement.name]}".encode(), block[row], count=1)
    return first, [line.decode() for line in block]


@dataclass
class SliceText:
    """The lines of a slice: those before the kernel's module, those of it by line number, and those after."""

    head: list[str] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)
    _placed: dict[int, list[str]] = field(default_factory=dict)

    def place(self, line: int, text: str) -> None:
        """Put a one-line statement on line `line`, beside others already there."""
        self._placed.setdefault(line, []).append(text)

    def place_block(self, first: int, lines: list[str]) -> None:
        """Put the lines of a statement on the lines that they had."""
        for offset, line in enumerate(lines):
            if line or offset == 0:
                self._placed.setdefault(first + offset, []).append(line)

    def render(self) -> str:
        """The whole text; the module's lines stay where they were if the head fits above them."""
        last = max(self._placed, default=0)
        body = ["; ".join(self._placed.get(number, [])) for number in range(1, last + 1)]
        free = next((index for index, line in enumerate(body) if line), len(body))
        gap = max(0, free - len(self.head)) if len(self.head) <= free else 0
        return "\n".join([*self.head, *[""] * gap, *body[free:], *self.tail]) + "\n"

"""Machine code is equal when it is, and never when it is not."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from cutile2rs.verify import sass
from cutile2rs.verify.cubin import CodeImage, CubinError, code_image
from cutile2rs.verify.listing import Instruction, Listing, Register, parse_listing
from cutile2rs.verify.registers import Mismatch, first_mismatch
from cutile2rs.verify.sass import Assembler, compare, is_steady, run_tileiras

Export = Callable[..., bytes]

KERNEL = """
@ct.kernel
def k(a, b, c):
    i = ct.bid(0)
    x = ct.load(a, (i,), (256,))
    y = ct.load(b, (i,), (256,))
    ct.store(c, (i,), (x - y) / 3.0)
"""
PARAMETERS = "A1f32_1i16t1_p16_A1f32_1i16t1_p16_A1f32_1i16t1_p16"


@pytest.mark.toolchain
@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100", "sm_120"])
def test_renamed_variables_and_kernel_are_equal(export: Export, arch: str) -> None:
    left = export(KERNEL, "k", PARAMETERS, arch)
    renamed = KERNEL.replace("def k", "\n\ndef other_name").replace("x", "first").replace("y", "second")
    right = export(renamed, "other_name", PARAMETERS, arch)
    assert left != right
    result = compare(left, right, arch)
    assert result.equal and result.how == "exact" and result.first_difference is None
    # and not only because the assembler ran once
    assert code_image(run_tileiras(left, arch)) == code_image(run_tileiras(right, arch))


@pytest.mark.toolchain
@pytest.mark.parametrize("arch", ["sm_90", "sm_100"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("3.0", "3.5"),
        ("(x - y)", "(x + y)"),
        ("(x - y)", "(y - x)"),
        ("ct.load(b", "ct.load(a"),
        ("ct.store(c", "ct.store(b"),
    ],
)
def test_changed_kernels_are_different(export: Export, arch: str, old: str, new: str) -> None:
    left = export(KERNEL, "k", PARAMETERS, arch)
    result = compare(left, export(KERNEL.replace(old, new), "k", PARAMETERS, arch), arch)
    assert not result.equal and result.first_difference


TENSOR_MAPS = """
@ct.kernel
def k(a, b):
    ct.store(b, (ct.bid(0), 0), ct.load(a, (ct.bid(0), 0), (64, 64)))
"""


@pytest.mark.toolchain
def test_host_code_is_compared(export: Export) -> None:
    """It writes the tensor maps through which the kernel loads; the kernel's own name stands in it."""
    matrix = "A2f16_1v8l0_2t1_3i16_p16"
    left, right = (
        run_tileiras(export(TENSOR_MAPS.replace("def k", f"def {name}"), name, f"{matrix}_{matrix}"), "sm_90")
        for name in ("k", "a_much_longer_name")
    )
    host = dict(code_image(left).parts)[".nv.host.ltext"]
    assert isinstance(host, bytes) and len(host) > 100
    assert code_image(left) == code_image(right)
    at = left.index(host) + len(host) // 2
    changed = code_image(left[:at] + bytes([left[at] ^ 1]) + left[at + 1 :])
    assert changed != code_image(left) and changed.text == code_image(left).text


@pytest.mark.toolchain
def test_changed_signature_is_different(export: Export) -> None:
    right = export(KERNEL, "k", PARAMETERS.replace("p16", "p4", 1))
    assert not compare(export(KERNEL, "k", PARAMETERS), right, "sm_90").equal


@pytest.mark.toolchain
def test_cubins_are_kept(export: Export, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("cubins")
    bytecode = export(KERNEL, "k", PARAMETERS)
    first = Assembler(folder).assemble(bytecode, "sm_90")
    assert [path.read_bytes() for path in folder.iterdir()] == [first]
    assert Assembler(folder).assemble(bytecode, "sm_90") == first


def test_which_targets_are_steady() -> None:
    assert [is_steady(arch) for arch in ("sm_80", "sm_90", "sm_100", "sm_120")] == [True, True, False, False]


def test_not_a_cubin() -> None:
    with pytest.raises(CubinError):
        code_image(b"\x7fELF\x02 and then nothing")


def stream(*lines: tuple[str, str, str]) -> Listing:
    """Instructions given as text, registers read and registers written; a text ending in `:` is a label."""
    source = "".join(f"{text}\n" if text.endswith(":") else f" /*0000*/ {text} ;\n" for text, _, _ in lines)
    listing = parse_listing("\t.section\t.text.kern,\n" + source)
    marks = [line for line in lines if not line[0].endswith(":")]
    for instruction, (_, reads, writes) in zip(listing.instructions, marks, strict=True):
        instruction.reads, instruction.writes = _registers(reads), _registers(writes)
    return listing


def _registers(names: str) -> set[Register]:
    return {(name.rstrip("0123456789"), int(name.lstrip("URP"))) for name in names.split()}


def renamed(lines: tuple[tuple[str, str, str], ...], **names: str) -> Listing:
    """The stream with registers renamed throughout."""

    def rename(text: str) -> str:
        return re.sub(r"\bU?[RP]\d+\b", lambda match: names.get(match[0], match[0]), text)

    return stream(*((rename(text), rename(reads), rename(writes)) for text, reads, writes in lines))


SUBTRACT = (
    ("LDC R2, c[0x0][0x10]", "", "R2"),
    ("LDC R3, c[0x0][0x14]", "", "R3"),
    ("IADD3 R4, R2, -R3, RZ", "R2 R3", "R4"),
    ("STG [R4], R2", "R4 R2", ""),
    ("EXIT", "", ""),
)


def test_other_registers_are_the_same_program() -> None:
    assert first_mismatch(stream(*SUBTRACT), renamed(SUBTRACT, R2="R9", R4="R2")) is None


def test_renaming_does_not_hide_a_swapped_operand() -> None:
    swapped = list(SUBTRACT)
    swapped[2] = ("IADD3 R4, R3, -R2, RZ", "R2 R3", "R4")
    mismatch = first_mismatch(stream(*SUBTRACT), stream(*swapped))
    assert mismatch is not None and mismatch.index == 2


def test_renaming_does_not_hide_another_register() -> None:
    other = list(SUBTRACT)
    other[3] = ("STG [R4], R3", "R4 R3", "")
    mismatch = first_mismatch(stream(*SUBTRACT), stream(*other))
    assert mismatch is not None and mismatch.index == 3


def test_a_destroyed_value_has_no_partner() -> None:
    left = (
        ("LDC R2, c[0x0][0x10]", "", "R2"),
        ("LDC R5, c[0x0][0x14]", "", "R5"),
        ("STG [R5], R2", "R5 R2", ""),
        ("EXIT", "", ""),
    )
    right = (
        ("LDC R2, c[0x0][0x10]", "", "R2"),
        ("LDC R2, c[0x0][0x14]", "", "R2"),
        ("STG [R2], R2", "R2", ""),
        ("EXIT", "", ""),
    )
    assert first_mismatch(stream(*left), stream(*right)) is not None


def test_wide_operands_move_as_one() -> None:
    wide = (
        ("LDG.64 R4, [R2]", "R2", "R4 R5"),
        ("STG [R2], R5", "R2 R5", ""),
        ("EXIT", "", ""),
    )
    moved = (("LDG.64 R8, [R2]", "R2", "R8 R9"), ("STG [R2], R9", "R2 R9", ""), wide[2])
    wrong_half = (moved[0], ("STG [R2], R8", "R2 R8", ""), wide[2])
    assert first_mismatch(stream(*wide), stream(*moved)) is None
    assert first_mismatch(stream(*wide), stream(*wrong_half)) is not None


def loop(first: str, second: str) -> Listing:
    """A loop whose body moves a value between two registers; the other is set before it."""
    return stream(
        (f"LDC {first}, c[0x0][0x10]", "", first),
        (".L_x_1:", "", ""),
        (f"IADD3 {second}, {first}, 0x1, RZ", first, second),
        (f"IMAD.MOV {first}, RZ, RZ, {second}", second, first),
        ("@P0 BRA `(.L_x_1)", "P0", ""),
        (f"STG [{first}], {second}", f"{first} {second}", ""),
        ("EXIT", "", ""),
    )


def test_loops_agree_on_all_ways() -> None:
    assert first_mismatch(loop("R2", "R3"), loop("R7", "R2")) is None
    left = stream(
        ("LDC R2, c[0x0][0x10]", "", "R2"), ("LDC R3, c[0x0][0x14]", "", "R3"), (".L_x_1:", "", ""),
        ("STG [R2], R3", "R2 R3", ""), ("IADD3 R2, R3, 0x1, RZ", "R3", "R2"), ("@P0 BRA `(.L_x_1)", "P0", ""),
        ("EXIT", "", ""),
    )  # fmt: skip
    right = stream(
        ("LDC R2, c[0x0][0x10]", "", "R2"), ("LDC R3, c[0x0][0x14]", "", "R3"), (".L_x_1:", "", ""),
        ("STG [R2], R3", "R2 R3", ""), ("IADD3 R4, R3, 0x1, RZ", "R3", "R4"), ("@P0 BRA `(.L_x_1)", "P0", ""),
        ("EXIT", "", ""),
    )  # fmt: skip
    mismatch = first_mismatch(left, right)
    assert mismatch is not None and mismatch.index == 2  # right only in the first round


def test_barriers_are_exchanged_as_a_whole() -> None:
    def barriers(one: str, two: str) -> Listing:
        return stream(
            ("BAR.SYNC.DEFER_BLOCKING 0x1, 0x100", "", ""),
            (f"BAR.ARV {one}, 0x100", "", ""),
            (f"BAR.ARV {two}, 0x100", "", ""),
            ("EXIT", "", ""),
        )

    left = barriers("0x2", "0x1")
    assert first_mismatch(left, barriers("0x3", "0x1")) is None
    assert first_mismatch(left, barriers("0x1", "0x1")) is not None
    assert first_mismatch(left, barriers("0x0", "0x1")) is not None
    assert first_mismatch(left, barriers("0x2", "0x2")) is not None


def test_unknown_jumps_are_different() -> None:
    jump = (("BRX R2 -0x100", "R2", ""), ("EXIT", "", ""))
    assert first_mismatch(stream(*jump), stream(*jump)) is not None


def test_constants_stay_in_the_shape() -> None:
    instruction: Instruction = stream(("@!P1 IADD3 R4, R2, 0x10, RZ", "P1 R2", "R4")).instructions[0]
    assert instruction.shape == "@!<P> IADD3 <R>, <R>, 0x10, RZ"
    assert instruction.tokens == [("P", 1), ("R", 4), ("R", 2)] and instruction.opcode == "IADD3"


def test_a_listing_without_the_last_register_class_has_its_other_columns() -> None:
    from cutile2rs.verify.listing import _columns

    header = "x // |   # 0123  | # 01  |"
    assert [(name, last - first) for name, first, last in _columns(header)] == [("R", 4), ("P", 2)]


def _assembler_of(monkeypatch: pytest.MonkeyPatch, codes: dict[bytes, list[bytes]]) -> None:
    """An assembler that makes the given codes of each program in turn, the last one for ever."""

    def run(program: bytes, *_: object, **__: object) -> bytes:
        left = codes[program]
        return left.pop(0) if len(left) > 1 else left[0]

    def listing(code: bytes, **_: object) -> Listing:
        return Listing([Instruction("NOP", "NOP", [], [])] * len(code), {})

    monkeypatch.setattr(sass, "run_tileiras", run)
    monkeypatch.setattr(sass, "_cache_key", lambda bytecode, *_: bytecode.decode())
    monkeypatch.setattr(sass, "code_image", lambda code: CodeImage(((".text.k", code),)))
    monkeypatch.setattr(sass, "list_code", listing)
    monkeypatch.setattr(sass, "first_mismatch", lambda one, other: Mismatch(0, "x", "y", "differ"))


def test_code_of_varying_length_is_compared_as_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    _assembler_of(monkeypatch, {b"left": [b"xx", b"xx", b"xxx"], b"right": [b"yyy", b"yyy", b"xx"]})
    assert compare(b"left", b"right", "sm_100").how == "set"
    _assembler_of(monkeypatch, {b"left": [b"xx", b"xxx"], b"right": [b"yyy", b"yy"]})
    assert not compare(b"left", b"right", "sm_100").equal
    # a steady assembler makes code of one length
    _assembler_of(monkeypatch, {b"left": [b"xx"], b"right": [b"yyy", b"xx"]})
    assert not compare(b"left", b"right", "sm_90").equal

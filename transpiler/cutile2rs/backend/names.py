"""Rust identifiers for Python names. All functions of the DSL, of the support module and of the module itself share one
flat scope with local variables, so a name that any of them uses gets an underscore."""

from __future__ import annotations

import keyword
import re
from functools import cache

from cutile2rs.backend.support import functions, support_files

RUST_KEYWORDS = frozenset(
    """as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut
    pub ref return self Self static struct super trait true type union unsafe use where while abstract become box do
    final gen macro override priv try typeof unsized virtual yield""".split()
)
#: Names that ``cutile::core`` brings into scope (functions, modules and types that a local could hide).
CORE_NAMES = frozenset(
    """absf absi add addf addi addptr addptr_tile alloca andi assume_bounds assume_div_by atan2 atomic atomic_cas_tko
    atomic_rmw_tko bitcast broadcast broadcast_ptr broadcast_scalar cat ceil ceil_div cmp_ordering cmpf cmpi constant
    const_array convert_scalar convert_tile core coord cos cosh dim_map divf divi entry eq_tile exp exp2 exp_with_rounding
    exti extract fast_acc floor fma fpowf fpowi ftof ftoi ftz ge_tile get_global get_index_space_shape
    get_num_tile_blocks get_partition_token get_shape_dim get_tensor_base get_tensor_shape get_tensor_token
    get_tile_block_id gt_tile insert int_to_ptr iota itof join_tokens le_tile load_ptr_tko load_tensor load_tile
    load_view_raw load_view_tko log log2 lt_tile make_partition_view make_tensor_view max max_tile maxf maxi min min_tile
    minf mini mma mmaf mmaf_scaled mmai mulf mulhii muli nan ne_tile negf negi new_token_unordered noti num_tiles
    ordering ori overflow pack padding permute pow predicate print_tko program_id num_programs ptr_to_int reduce
    reduce_max reduce_min reduce_prod reduce_sum remf remi reshape reshape_ptr reverse rounding rsqrt saturating
    scalar_to_tile scan scan_sum scope select shape shli shri signedness sin sinh sqrt store_ptr_tko store_tile
    store_view_raw subf subi tan tanh tanh_with_rounding tile_to_scalar tma true_div trunci unpack xori f16 bf16 f32 f64
    i8 i16 i32 i64 u8 u16 u32 u64 bool tf32 str usize""".split()
)


@cache
def support_names() -> frozenset[str]:
    """Functions of the support module."""
    return frozenset(name for text in support_files().values() for name in functions(text))


def is_reserved(name: str) -> bool:
    """Whether a local variable must not have this name."""
    return name in RUST_KEYWORDS or name in CORE_NAMES or name in support_names()


def local(name: str) -> str:
    """A local variable's name: the Python one where Rust and the DSL allow it."""
    name = name if name.isascii() else "".join(c if c.isascii() else f"u{ord(c):x}" for c in name)
    if name == "_" or is_reserved(name):
        return f"{name}_"
    return name


def const_generic(name: str) -> str:
    """A const generic's name: upper case, as Rust's lints want."""
    plain = local(name).strip("_").upper() or "C"
    return plain if not plain[0].isdigit() else f"C{plain}"


def type_generic(name: str) -> str:
    """A dtype generic's name for an array: ``input`` gives ``EInput``."""
    ascii_name = local(name)
    return "E" + "".join(part[:1].upper() + part[1:] for part in ascii_name.split("_") if part)


def function(name: str) -> str:
    """An entry's name: the kernel's, without leading underscores."""
    plain = local(name.lstrip("_") or name)
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", plain).lower()
    return f"{snake}_kernel" if is_reserved(snake) or keyword.iskeyword(snake) else snake


class Unique:
    """Hands out names, each once: ``x``, ``x_1``, ``x_2``."""

    def __init__(self, taken: set[str] | None = None):
        self.taken = set(taken or ())

    def __call__(self, wanted: str, separator: str = "_") -> str:
        name, n = wanted, 0
        while name in self.taken:
            n += 1
            name = f"{wanted}{separator}{n}"
        self.taken.add(name)
        return name

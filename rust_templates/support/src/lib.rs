//! Device helpers that kernels made by cutile2rs share: `use cutile2rs_support::tile::*;` in a kernel's module.
//!
//! cuTile Rust inlines every call, so a helper costs nothing. A function with `#[cuda_tile::variadic_op]` exists for tiles of rank 0 to 6:
//! `N` is the rank. Each file holds one `#[cutile::module]` of its own name, and [`tile`] hands on all of them; names of device functions
//! share one flat scope, so each is used once.
//!
//! | file | holds |
//! |---|---|
//! | `operations` | operations that `cutile::core` does not declare |
//! | `arithmetic` | `//`, `%` and the like as Python means them |
//! | `constants` | tiles made of literals, of scalars and of 0-d tiles |
//! | `arrays` | what arrays of any rank share: strides, pointers to elements, loads and stores through those |
//! | `array_1d` .. | extents and strides of one rank, offsets of elements |
//! | `gather_1d` | `ct.gather` and `ct.scatter` of one axis |
//! | `views` | tiled views of arrays, of slices and of items of lists |
//! | `tiles` | `ct.load` and `ct.store` through views |
//! | `lists` | items of lists of arrays |
//! | `places` | where a tile's largest or smallest element is |
//!
//! Four rules shape the interfaces:
//! - A marker (`rounding::Full`, `padding::Zero`, `tma::Disabled`, ..) is read from the text of the call of an *operation*. A helper cannot
//!   pass one on; so what needs a marker is either declared here as an operation, or has the marker's name in its own name.
//! - A number known at compile time can be passed on in an `Array`: `const_array![3]`. A memory operation's `latency` is a hint from 1 to 10
//!   passed so, and `const_array![0]` gives none.
//! - Memory operations take a token and give one, in the order that the caller states.
//! - A tile in a tuple that a helper returns has forgotten its generic type. `let x: Tile<E, { [T] }> = convert_tile(x);`, which emits
//!   nothing, reminds it.

// `#[cutile::module]` must stand on a module with its text, so each file holds one more `mod`.
#![allow(clippy::module_inception)]
// rustc does not see the bodies of functions that exist for several ranks; cuTile Rust's own compiler does.
#![allow(unused_imports)]

mod arithmetic;
mod array_1d;
mod array_2d;
mod array_3d;
mod array_4d;
mod array_5d;
mod arrays;
mod constants;
mod gather_1d;
mod lists;
mod operations;
mod places;
mod tiles;
mod views;

#[cutile::module]
pub mod tile {
    pub use crate::arithmetic::arithmetic::*;
    pub use crate::array_1d::array_1d::*;
    pub use crate::array_2d::array_2d::*;
    pub use crate::array_3d::array_3d::*;
    pub use crate::array_4d::array_4d::*;
    pub use crate::array_5d::array_5d::*;
    pub use crate::arrays::arrays::*;
    pub use crate::constants::constants::*;
    pub use crate::gather_1d::gather_1d::*;
    pub use crate::lists::lists::*;
    pub use crate::operations::operations::*;
    pub use crate::places::places::*;
    pub use crate::tiles::tiles::*;
    pub use crate::views::views::*;
}

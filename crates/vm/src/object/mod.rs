//! Layouts of the heap object types.
//!
//! Each type has a `#[repr(C)]` cell (`RArray`) and a one-word handle (`Array`). A cell shows the values it holds
//! through `trace` (its class word excepted, which the collector knows) and frees what it owns when dropped.
//! Methods that Ruby sees live in `corelib`.

mod array;
mod cow_buf;
mod data;
mod float;
mod handle;
mod hash;
pub mod hashing;
pub mod integer;
mod string;

pub use array::{Array, RArray, TempArray, normalize_index};
pub use cow_buf::{OutOfMemory, SharedBytes};
pub use data::{Data, NativeData, RData};
pub use float::{Float, RFloat};
pub use hash::{Hash, HashEntry, RHash};
pub use integer::{Bignum, Int, RBignum, TooBig};
pub use string::{Chilled, CodeRange, RString, Str};

//! Layouts of the heap object types.
//!
//! Each type has a `#[repr(C)]` cell (`RArray`) and a one-word handle (`Array`). A cell shows the values it holds
//! through `trace` (its class word excepted, which the collector knows) and frees what it owns when dropped.
//! Methods that Ruby sees live in `corelib`.

mod array;
pub mod binding;
pub mod cdata;
pub(crate) mod ceiling;
mod complex;
pub(crate) mod cow_buf;
pub mod cref;
mod data;
mod dispatch;
pub mod env;
pub mod exception;
pub mod float;
pub mod growing;
mod handle;
pub(crate) mod hash;
pub mod hashing;
pub mod ids;
pub mod integer;
pub mod ivars;
mod matchdata;
pub mod members;
#[allow(clippy::module_inception)]
pub mod object;
pub mod proc;
mod range;
mod rational;
mod regexp;
mod string;
pub(crate) mod strukt;

pub use array::{Array, RArray, TempArray, normalize_index};
pub use binding::{Binding, BindingParts, Home};
pub use cdata::{CData, CDataHooks, DigestStep, RCData, digest_step};
pub use ceiling::{fits, under_this_ceiling};
pub use complex::{Complex, RComplex};
pub use cow_buf::{Grow, OutOfMemory, SharedBytes, copied, is_out_of_memory, panic_text, room};
pub use cref::Cref;
pub(crate) use data::TELLS_STORES;
pub use data::{Data, NativeData, RData};
pub(crate) use dispatch::{layout_memory_size, long_generation, many, release_layout, trace_layout, trace_part};
pub use env::Env;
pub(crate) use env::REnv;
pub use exception::Exception;
pub(crate) use float::float_offset;
pub use float::{Float, RFloat};
pub(crate) use handle::{handle, other_layout};
pub use hash::{Hash, HashEntry, RHash, fast_eql, fast_hash};
pub use integer::{Bignum, Int, RBignum, TooBig};
pub use matchdata::{MatchData, RMatch, Span};
pub use object::Object;
pub use proc::Proc;
pub use range::{RRange, Range};
pub use rational::{RRational, Rational, lowest_terms};
pub use regexp::{Compiled, RRegexp, Regexp, RegexpState};
pub(crate) use string::INTERNED as INTERNED_STRING;
pub use string::{Chilled, CodeRange, RString, Str};
pub use strukt::Struct;

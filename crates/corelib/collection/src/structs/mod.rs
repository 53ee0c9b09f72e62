//! Struct and Data: classes of records. Layout is `vm::object::strukt`; the members of a class lie in its `extra`
//! slot as an Array of the member symbols (frozen) and the `keyword_init` setting.

mod data;
mod members;
mod record;
mod strukt;

pub use data::DATA;
pub use members::members_of;
pub use strukt::STRUCT;

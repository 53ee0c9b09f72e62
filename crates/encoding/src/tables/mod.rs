//! Generated data. Each file says what it holds; nothing here computes.

pub(crate) mod case;
pub(crate) mod cjk;
mod cjk_rare;
pub(crate) mod single_byte;

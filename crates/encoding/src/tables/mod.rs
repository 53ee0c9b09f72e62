//! Generated data. Each file says what it holds; nothing here computes.

pub(crate) mod case;
pub(crate) mod cjk;
mod cjk_rare;
pub(crate) mod emoji;
pub(crate) mod emoji_exchange;
pub(crate) mod single_byte;

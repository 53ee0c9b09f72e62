//! Libraries that are native in CRuby: one folder per library. `require` finds them without a file; nothing of a
//! library runs before it is required.

pub mod bigdecimal;
pub mod console;
pub mod coverage;
pub mod date;
pub mod digest;
pub mod escape;
pub mod json;
pub mod objspace;
pub mod pathname;
pub mod prism;
pub mod pstore;
pub mod psych;
pub mod pure;
pub mod rdiscount;
pub mod ripper;
pub mod socket;
pub mod stringio;
pub mod strscan;
pub mod zlib;

pub use pure::announce_error_helpers;
use rubellite_vm::Ctx;

/// Makes every library known to `require`.
pub fn register_all(ctx: &mut Ctx) {
    for register in LIBRARIES {
        register(ctx);
    }
}

const LIBRARIES: &[fn(&mut Ctx)] = &[
    bigdecimal::register,
    console::register,
    coverage::register,
    date::register,
    digest::register,
    escape::register,
    json::register,
    objspace::register,
    pathname::register,
    pstore::register,
    prism::register,
    psych::register,
    pure::register,
    rdiscount::register,
    ripper::register,
    socket::register,
    stringio::register,
    strscan::register,
    zlib::register,
];

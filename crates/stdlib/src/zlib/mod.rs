//! `zlib`: deflate and inflate streams, gzip files, checksums.

use rubellite_vm::Ctx;

pub fn register(_ctx: &mut Ctx) {}

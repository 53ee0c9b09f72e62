//! `openssl`, the part that needs no OpenSSL: digests, HMAC, key derivation, comparison in constant time, random bytes. They
//! stand on `digest` and `securerandom`. Ciphers, keys, certificates and TLS are absent: their constants do not exist.

use rubellite_core_load as load;
use rubellite_vm::Ctx;

pub fn register(ctx: &mut Ctx) {
    load::register(ctx, "openssl", |ctx| ctx.run_internal(include_str!("openssl.rb"), "openssl").map(drop));
}

//! Signatures of what a digest has read, and their verification.

use super::evp::{EVP_MD, EVP_MD_CTX};
use super::pkey::{EVP_PKEY, EVP_PKEY_CTX, sized};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

unsafe extern "C" {
    safe fn EVP_PKEY_CTX_get0_pkey(ctx: &EVP_PKEY_CTX) -> Option<&EVP_PKEY>;
    safe fn EVP_MD_CTX_get_pkey_ctx(ctx: &EVP_MD_CTX) -> Option<&EVP_PKEY_CTX>;
    fn EVP_DigestSignInit(
        ctx: &EVP_MD_CTX,
        pkey: *mut *mut EVP_PKEY_CTX,
        md: Option<&EVP_MD>,
        engine: *mut c_void,
        key: &EVP_PKEY,
    ) -> c_int;
    fn EVP_DigestVerifyInit(
        ctx: &EVP_MD_CTX,
        pkey: *mut *mut EVP_PKEY_CTX,
        md: Option<&EVP_MD>,
        engine: *mut c_void,
        key: &EVP_PKEY,
    ) -> c_int;
    fn EVP_DigestSignUpdate(ctx: &EVP_MD_CTX, data: *const c_void, len: usize) -> c_int;
    fn EVP_DigestSignFinal(ctx: &EVP_MD_CTX, out: *mut u8, len: *mut usize) -> c_int;
    fn EVP_DigestSign(ctx: &EVP_MD_CTX, out: *mut u8, out_len: *mut usize, data: *const u8, len: usize) -> c_int;
    fn EVP_DigestVerify(
        ctx: &EVP_MD_CTX,
        signature: *const u8,
        signature_len: usize,
        data: *const u8,
        len: usize,
    ) -> c_int;
}

/// The context of the key that signs, for options.
pub fn begin<'a>(ctx: &'a EVP_MD_CTX, md: Option<&EVP_MD>, key: &EVP_PKEY) -> Option<&'a EVP_PKEY_CTX> {
    let mut pkey = null_mut();
    // SAFETY: the place is ours; what is stored there belongs to the context.
    unsafe { if EVP_DigestSignInit(ctx, &mut pkey, md, null_mut(), key) == 1 { pkey.as_ref() } else { None } }
}

pub fn begin_verifying<'a>(ctx: &'a EVP_MD_CTX, md: Option<&EVP_MD>, key: &EVP_PKEY) -> Option<&'a EVP_PKEY_CTX> {
    let mut pkey = null_mut();
    // SAFETY: as above.
    unsafe { if EVP_DigestVerifyInit(ctx, &mut pkey, md, null_mut(), key) == 1 { pkey.as_ref() } else { None } }
}

/// Begins anew with the same key.
pub fn begin_again(ctx: &EVP_MD_CTX) -> bool {
    let key = EVP_MD_CTX_get_pkey_ctx(ctx).and_then(|ctx| EVP_PKEY_CTX_get0_pkey(ctx));
    // SAFETY: the context of the key is not asked for.
    key.is_some_and(|key| unsafe { EVP_DigestSignInit(ctx, null_mut(), ctx.md(), null_mut(), key) == 1 })
}

pub fn update(ctx: &EVP_MD_CTX, data: &[u8]) -> bool {
    // SAFETY: so many bytes are there.
    unsafe { EVP_DigestSignUpdate(ctx, data.as_ptr().cast(), data.len()) == 1 }
}

pub fn finish(ctx: &EVP_MD_CTX) -> Option<Vec<u8>> {
    let mut out = vec![0; 64];
    let mut len = out.len();
    // SAFETY: so many bytes have room.
    let done = unsafe { EVP_DigestSignFinal(ctx, out.as_mut_ptr(), &mut len) == 1 };
    out.truncate(len);
    done.then_some(out)
}

pub fn sign(ctx: &EVP_MD_CTX, data: &[u8]) -> Option<Vec<u8>> {
    // SAFETY: lengths as `sized` passes them, and the data's.
    sized(|out, len| unsafe { EVP_DigestSign(ctx, out, len, data.as_ptr(), data.len()) })
}

pub fn verify(ctx: &EVP_MD_CTX, signature: &[u8], data: &[u8]) -> c_int {
    // SAFETY: so many bytes are there.
    unsafe { EVP_DigestVerify(ctx, signature.as_ptr(), signature.len(), data.as_ptr(), data.len()) }
}

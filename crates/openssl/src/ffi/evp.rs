//! Digests, ciphers, key derivation, random bytes.

use super::{Owned, Text, foreign};
use std::ffi::{c_char, c_double, c_int, c_uint, c_ulong, c_void};
use std::ptr::{null, null_mut};

foreign! {
    EVP_MD "OpenSSL/EVP_MD" EVP_MD_free;
    EVP_MD_CTX "OpenSSL/Digest" EVP_MD_CTX_free;
    EVP_CIPHER "OpenSSL/EVP_CIPHER" EVP_CIPHER_free;
    EVP_CIPHER_CTX "OpenSSL/Cipher" EVP_CIPHER_CTX_free;
}

pub const CTRL_AEAD_SET_IVLEN: c_int = 0x9;
pub const CTRL_AEAD_GET_TAG: c_int = 0x10;
pub const CTRL_AEAD_SET_TAG: c_int = 0x11;
const FLAG_AEAD: c_ulong = 0x20_0000;
const NAMES_DIGEST: c_int = 1;
const NAMES_CIPHER: c_int = 2;
pub const MAX_BLOCK: usize = 32;

unsafe extern "C" {
    pub safe fn EVP_get_digestbyname(name: Text) -> Option<&'static EVP_MD>;
    pub safe fn EVP_MD_up_ref(md: &EVP_MD) -> c_int;
    fn EVP_MD_fetch(library: *mut c_void, name: Text, properties: *const c_char) -> Option<Owned<EVP_MD>>;
    pub safe fn EVP_MD_CTX_new() -> Option<Owned<EVP_MD_CTX>>;
    pub safe fn EVP_MD_CTX_copy_ex(to: &EVP_MD_CTX, from: &EVP_MD_CTX) -> c_int;
    pub safe fn EVP_MD_CTX_get0_md(ctx: &EVP_MD_CTX) -> Option<&EVP_MD>;
    pub safe fn EVP_MD_get0_name(md: &EVP_MD) -> Option<Text<'_>>;
    pub safe fn EVP_MD_get_size(md: &EVP_MD) -> c_int;
    pub safe fn EVP_MD_get_block_size(md: &EVP_MD) -> c_int;
    fn EVP_DigestInit_ex(ctx: &EVP_MD_CTX, md: &EVP_MD, engine: *mut c_void) -> c_int;
    fn EVP_DigestUpdate(ctx: &EVP_MD_CTX, bytes: *const c_void, len: usize) -> c_int;
    fn EVP_DigestFinal_ex(ctx: &EVP_MD_CTX, out: *mut u8, len: *mut c_uint) -> c_int;
    pub safe fn EVP_md5() -> &'static EVP_MD;

    pub safe fn EVP_get_cipherbyname(name: Text) -> Option<&'static EVP_CIPHER>;
    fn EVP_CIPHER_fetch(library: *mut c_void, name: Text, properties: *const c_char) -> Option<Owned<EVP_CIPHER>>;
    pub safe fn EVP_CIPHER_up_ref(cipher: &EVP_CIPHER) -> c_int;
    pub safe fn EVP_CIPHER_get0_name(cipher: &EVP_CIPHER) -> Option<Text<'_>>;
    safe fn EVP_CIPHER_get_flags(cipher: &EVP_CIPHER) -> c_ulong;
    pub safe fn EVP_CIPHER_CTX_new() -> Option<Owned<EVP_CIPHER_CTX>>;
    pub safe fn EVP_CIPHER_CTX_copy(to: &EVP_CIPHER_CTX, from: &EVP_CIPHER_CTX) -> c_int;
    pub safe fn EVP_CIPHER_CTX_get0_cipher(ctx: &EVP_CIPHER_CTX) -> Option<&EVP_CIPHER>;
    pub safe fn EVP_CIPHER_CTX_get_block_size(ctx: &EVP_CIPHER_CTX) -> c_int;
    pub safe fn EVP_CIPHER_CTX_get_key_length(ctx: &EVP_CIPHER_CTX) -> c_int;
    pub safe fn EVP_CIPHER_CTX_get_iv_length(ctx: &EVP_CIPHER_CTX) -> c_int;
    pub safe fn EVP_CIPHER_CTX_set_key_length(ctx: &EVP_CIPHER_CTX, len: c_int) -> c_int;
    pub safe fn EVP_CIPHER_CTX_set_padding(ctx: &EVP_CIPHER_CTX, padding: c_int) -> c_int;
    fn EVP_CIPHER_CTX_ctrl(ctx: &EVP_CIPHER_CTX, command: c_int, number: c_int, memory: *mut c_void) -> c_int;
    fn EVP_CipherInit_ex(
        ctx: &EVP_CIPHER_CTX,
        cipher: Option<&EVP_CIPHER>,
        engine: *mut c_void,
        key: *const u8,
        iv: *const u8,
        enc: c_int,
    ) -> c_int;
    fn EVP_CipherUpdate(ctx: &EVP_CIPHER_CTX, out: *mut u8, out_len: *mut c_int, bytes: *const u8, len: c_int)
    -> c_int;
    fn EVP_CipherFinal_ex(ctx: &EVP_CIPHER_CTX, out: *mut u8, out_len: *mut c_int) -> c_int;
    fn EVP_BytesToKey(
        cipher: &EVP_CIPHER,
        md: &EVP_MD,
        salt: *const u8,
        data: *const u8,
        len: c_int,
        count: c_int,
        key: *mut u8,
        iv: *mut u8,
    ) -> c_int;
    fn OBJ_NAME_do_all_sorted(kind: c_int, f: unsafe extern "C" fn(*const OBJ_NAME, *mut c_void), arg: *mut c_void);

    fn PKCS5_PBKDF2_HMAC(
        pass: *const u8,
        pass_len: c_int,
        salt: *const u8,
        salt_len: c_int,
        rounds: c_int,
        md: &EVP_MD,
        len: c_int,
        out: *mut u8,
    ) -> c_int;
    fn EVP_PBE_scrypt(
        pass: *const u8,
        pass_len: usize,
        salt: *const u8,
        salt_len: usize,
        n: u64,
        r: u64,
        p: u64,
        memory: u64,
        out: *mut u8,
        len: usize,
    ) -> c_int;

    fn RAND_bytes(out: *mut u8, len: c_int) -> c_int;
    fn RAND_add(bytes: *const c_void, len: c_int, entropy: c_double);
    pub safe fn RAND_status() -> c_int;
    fn RAND_load_file(name: Text, max: std::ffi::c_long) -> c_int;
    pub safe fn RAND_write_file(name: Text) -> c_int;

    fn EVP_default_properties_is_fips_enabled(library: *mut c_void) -> c_int;
    fn EVP_default_properties_enable_fips(library: *mut c_void, enable: c_int) -> c_int;
}

#[repr(C)]
struct OBJ_NAME {
    kind: c_int,
    alias: c_int,
    name: *const c_char,
    data: *const c_char,
}

unsafe extern "C" fn push_name(name: *const OBJ_NAME, list: *mut c_void) {
    // SAFETY: the library passes a living entry, and the list that `names` has given it.
    unsafe {
        let text = std::ffi::CStr::from_ptr((*name).name);
        (*list.cast::<Vec<Vec<u8>>>()).push(text.to_bytes().to_vec());
    }
}

fn names(kind: c_int) -> Vec<Vec<u8>> {
    let mut list: Vec<Vec<u8>> = Vec::new();
    // SAFETY: the function is called with the list, before the call returns.
    unsafe { OBJ_NAME_do_all_sorted(kind, push_name, (&raw mut list).cast()) };
    list
}

pub fn digest_names() -> Vec<Vec<u8>> {
    names(NAMES_DIGEST)
}

pub fn cipher_names() -> Vec<Vec<u8>> {
    names(NAMES_CIPHER)
}

pub fn fetch_digest(name: Text) -> Option<Owned<EVP_MD>> {
    // SAFETY: the library's default context and properties.
    unsafe { EVP_MD_fetch(null_mut(), name, null()) }
}

pub fn fetch_cipher(name: Text) -> Option<Owned<EVP_CIPHER>> {
    // SAFETY: as above.
    unsafe { EVP_CIPHER_fetch(null_mut(), name, null()) }
}

impl EVP_MD {
    /// One more reference.
    pub fn share(&self) -> Option<Owned<EVP_MD>> {
        // SAFETY: the count has been raised for it.
        if EVP_MD_up_ref(self) == 1 { unsafe { Owned::from_raw(std::ptr::from_ref(self).cast_mut()) } } else { None }
    }
}

impl EVP_CIPHER {
    pub fn share(&self) -> Option<Owned<EVP_CIPHER>> {
        if EVP_CIPHER_up_ref(self) != 1 {
            return None;
        }
        // SAFETY: the count has been raised for it.
        unsafe { Owned::from_raw(std::ptr::from_ref(self).cast_mut()) }
    }

    pub fn authenticates(&self) -> bool {
        EVP_CIPHER_get_flags(self) & FLAG_AEAD != 0
    }
}

impl EVP_MD_CTX {
    pub fn begin(&self, md: &EVP_MD) -> bool {
        // SAFETY: no engine.
        unsafe { EVP_DigestInit_ex(self, md, null_mut()) == 1 }
    }

    pub fn update(&self, bytes: &[u8]) -> bool {
        // SAFETY: so many bytes are there.
        unsafe { EVP_DigestUpdate(self, bytes.as_ptr().cast(), bytes.len()) == 1 }
    }

    pub fn finish(&self) -> Option<Vec<u8>> {
        let mut out = vec![0; EVP_MD_get_size(EVP_MD_CTX_get0_md(self)?).max(64) as usize];
        let mut len = 0;
        // SAFETY: the longest digest has room.
        let done = unsafe { EVP_DigestFinal_ex(self, out.as_mut_ptr(), &mut len) == 1 };
        out.truncate(len as usize);
        done.then_some(out)
    }

    pub fn md(&self) -> Option<&EVP_MD> {
        EVP_MD_CTX_get0_md(self)
    }
}

impl EVP_CIPHER_CTX {
    /// `EVP_CipherInit_ex`; key and IV have the lengths that the cipher asks for.
    pub fn begin(&self, cipher: Option<&EVP_CIPHER>, key: Option<&[u8]>, iv: Option<&[u8]>, enc: c_int) -> bool {
        let at = |bytes: Option<&[u8]>| bytes.map_or(null(), <[u8]>::as_ptr);
        // SAFETY: the callers have compared the lengths with the cipher's.
        unsafe { EVP_CipherInit_ex(self, cipher, null_mut(), at(key), at(iv), enc) == 1 }
    }

    /// Appends the output for these bytes.
    pub fn update(&self, bytes: &[u8], out: &mut Vec<u8>) -> bool {
        for piece in bytes.chunks(1 << 30) {
            if !self.update_piece(piece, out) {
                return false;
            }
        }
        !bytes.is_empty() || self.update_piece(bytes, out)
    }

    fn update_piece(&self, bytes: &[u8], out: &mut Vec<u8>) -> bool {
        out.reserve(bytes.len() + MAX_BLOCK);
        let mut len = 0;
        let place = out.spare_capacity_mut().as_mut_ptr().cast::<u8>();
        // SAFETY: so many bytes are there, and room for a block more of output.
        let done = unsafe { EVP_CipherUpdate(self, place, &mut len, bytes.as_ptr(), bytes.len() as c_int) == 1 };
        if done {
            // SAFETY: so many were written.
            unsafe { out.set_len(out.len() + len.max(0) as usize) };
        }
        done
    }

    /// Takes in data that is authenticated and not encrypted.
    pub fn authenticate(&self, bytes: &[u8]) -> bool {
        let mut len = 0;
        let piece = |bytes: &[u8], len: &mut c_int| {
            // SAFETY: so many bytes are there; without a place for output they are authenticated alone.
            unsafe { EVP_CipherUpdate(self, null_mut(), len, bytes.as_ptr(), bytes.len() as c_int) == 1 }
        };
        if bytes.is_empty() {
            piece(bytes, &mut len)
        } else {
            bytes.chunks(1 << 30).all(|bytes| piece(bytes, &mut len))
        }
    }

    /// Tells how long the message will be (CCM).
    pub fn announce(&self, message: c_int) -> bool {
        let mut len = 0;
        // SAFETY: without input and output the length alone is taken.
        unsafe { EVP_CipherUpdate(self, null_mut(), &mut len, null(), message) == 1 }
    }

    pub fn finish(&self) -> Option<Vec<u8>> {
        let mut out = vec![0; MAX_BLOCK];
        let mut len = 0;
        // SAFETY: the longest block has room.
        let done = unsafe { EVP_CipherFinal_ex(self, out.as_mut_ptr(), &mut len) == 1 };
        out.truncate(len.max(0) as usize);
        done.then_some(out)
    }

    pub fn set_number(&self, command: c_int, number: c_int) -> bool {
        // SAFETY: the commands for lengths take a number alone.
        unsafe { EVP_CIPHER_CTX_ctrl(self, command, number, null_mut()) > 0 }
    }

    pub fn set_tag(&self, tag: &[u8]) -> bool {
        // SAFETY: so many bytes are read.
        unsafe { EVP_CIPHER_CTX_ctrl(self, CTRL_AEAD_SET_TAG, tag.len() as c_int, tag.as_ptr().cast_mut().cast()) > 0 }
    }

    pub fn tag(&self, len: usize) -> Option<Vec<u8>> {
        let mut tag = vec![0; len];
        // SAFETY: so many bytes are written.
        let done = unsafe {
            EVP_CIPHER_CTX_ctrl(self, CTRL_AEAD_GET_TAG, c_int::try_from(len).ok()?, tag.as_mut_ptr().cast()) > 0
        };
        done.then_some(tag)
    }

    pub fn cipher(&self) -> Option<&EVP_CIPHER> {
        EVP_CIPHER_CTX_get0_cipher(self)
    }
}

/// A key and an IV of the longest lengths there are.
pub fn bytes_to_key(
    cipher: &EVP_CIPHER,
    md: &EVP_MD,
    salt: Option<&[u8]>,
    data: &[u8],
    rounds: c_int,
) -> ([u8; 64], [u8; 16]) {
    let (mut key, mut iv) = ([0; 64], [0; 16]);
    let salt = salt.map_or(null(), <[u8]>::as_ptr);
    // SAFETY: a salt has eight bytes; the places are as long as they can be.
    unsafe {
        EVP_BytesToKey(cipher, md, salt, data.as_ptr(), data.len() as c_int, rounds, key.as_mut_ptr(), iv.as_mut_ptr())
    };
    (key, iv)
}

pub fn pbkdf2(pass: &[u8], salt: &[u8], rounds: c_int, md: &EVP_MD, out: &mut [u8]) -> bool {
    // SAFETY: lengths as given.
    unsafe {
        PKCS5_PBKDF2_HMAC(
            pass.as_ptr(),
            pass.len() as c_int,
            salt.as_ptr(),
            salt.len() as c_int,
            rounds,
            md,
            out.len() as c_int,
            out.as_mut_ptr(),
        ) == 1
    }
}

pub fn scrypt(pass: &[u8], salt: &[u8], [n, r, p]: [u64; 3], out: &mut [u8]) -> bool {
    // SAFETY: lengths as given.
    unsafe {
        EVP_PBE_scrypt(
            pass.as_ptr(),
            pass.len(),
            salt.as_ptr(),
            salt.len(),
            n,
            r,
            p,
            u64::MAX,
            out.as_mut_ptr(),
            out.len(),
        ) == 1
    }
}

/// 1: done; 0: failed; -1: not supported.
pub fn random(out: &mut [u8]) -> c_int {
    // SAFETY: so many bytes are written.
    unsafe { RAND_bytes(out.as_mut_ptr(), out.len() as c_int) }
}

pub fn add_random(bytes: &[u8], entropy: f64) {
    // SAFETY: so many bytes are read.
    unsafe { RAND_add(bytes.as_ptr().cast(), bytes.len() as c_int, entropy) }
}

pub fn load_random(name: Text) -> bool {
    // SAFETY: the whole file.
    unsafe { RAND_load_file(name, -1) != 0 }
}

pub fn fips() -> bool {
    // SAFETY: the default library context.
    unsafe { EVP_default_properties_is_fips_enabled(null_mut()) == 1 }
}

pub fn set_fips(on: bool) -> bool {
    // SAFETY: as above.
    unsafe { EVP_default_properties_enable_fips(null_mut(), on.into()) == 1 }
}

//! Big numbers.

use super::{Owned, OwnedText, Text, foreign};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

foreign! {
    BIGNUM "OpenSSL/BN" BN_clear_free;
    BN_CTX "OpenSSL/BN_CTX" BN_CTX_free;
}

pub type Big = Owned<BIGNUM>;

unsafe extern "C" {
    pub safe fn BN_new() -> Option<Big>;
    pub safe fn BN_CTX_new() -> Option<Owned<BN_CTX>>;
    pub safe fn BN_dup(a: &BIGNUM) -> Option<Big>;
    pub safe fn BN_copy<'a>(to: &'a BIGNUM, from: &BIGNUM) -> Option<&'a BIGNUM>;
    pub safe fn BN_set_negative(a: &BIGNUM, negative: c_int);
    pub safe fn BN_is_negative(a: &BIGNUM) -> c_int;
    pub safe fn BN_is_zero(a: &BIGNUM) -> c_int;
    pub safe fn BN_is_one(a: &BIGNUM) -> c_int;
    pub safe fn BN_is_odd(a: &BIGNUM) -> c_int;
    pub safe fn BN_num_bits(a: &BIGNUM) -> c_int;
    pub safe fn BN_cmp(a: &BIGNUM, b: &BIGNUM) -> c_int;
    pub safe fn BN_ucmp(a: &BIGNUM, b: &BIGNUM) -> c_int;
    pub safe fn BN_add(r: &BIGNUM, a: &BIGNUM, b: &BIGNUM) -> c_int;
    pub safe fn BN_sub(r: &BIGNUM, a: &BIGNUM, b: &BIGNUM) -> c_int;
    pub safe fn BN_mul(r: &BIGNUM, a: &BIGNUM, b: &BIGNUM, ctx: &BN_CTX) -> c_int;
    pub safe fn BN_sqr(r: &BIGNUM, a: &BIGNUM, ctx: &BN_CTX) -> c_int;
    pub safe fn BN_div(quotient: Option<&BIGNUM>, rest: Option<&BIGNUM>, a: &BIGNUM, b: &BIGNUM, ctx: &BN_CTX)
    -> c_int;
    pub safe fn BN_exp(r: &BIGNUM, a: &BIGNUM, b: &BIGNUM, ctx: &BN_CTX) -> c_int;
    pub safe fn BN_gcd(r: &BIGNUM, a: &BIGNUM, b: &BIGNUM, ctx: &BN_CTX) -> c_int;
    pub safe fn BN_mod_sqr(r: &BIGNUM, a: &BIGNUM, b: &BIGNUM, ctx: &BN_CTX) -> c_int;
    pub safe fn BN_mod_add(r: &BIGNUM, a: &BIGNUM, b: &BIGNUM, m: &BIGNUM, ctx: &BN_CTX) -> c_int;
    pub safe fn BN_mod_sub(r: &BIGNUM, a: &BIGNUM, b: &BIGNUM, m: &BIGNUM, ctx: &BN_CTX) -> c_int;
    pub safe fn BN_mod_mul(r: &BIGNUM, a: &BIGNUM, b: &BIGNUM, m: &BIGNUM, ctx: &BN_CTX) -> c_int;
    pub safe fn BN_mod_exp(r: &BIGNUM, a: &BIGNUM, b: &BIGNUM, m: &BIGNUM, ctx: &BN_CTX) -> c_int;
    safe fn BN_mod_inverse<'a>(r: &'a BIGNUM, a: &BIGNUM, m: &BIGNUM, ctx: &BN_CTX) -> Option<&'a BIGNUM>;
    safe fn BN_mod_sqrt<'a>(r: &'a BIGNUM, a: &BIGNUM, m: &BIGNUM, ctx: &BN_CTX) -> Option<&'a BIGNUM>;
    pub safe fn BN_set_bit(a: &BIGNUM, bit: c_int) -> c_int;
    pub safe fn BN_clear_bit(a: &BIGNUM, bit: c_int) -> c_int;
    pub safe fn BN_mask_bits(a: &BIGNUM, bit: c_int) -> c_int;
    pub safe fn BN_is_bit_set(a: &BIGNUM, bit: c_int) -> c_int;
    pub safe fn BN_lshift(r: &BIGNUM, a: &BIGNUM, n: c_int) -> c_int;
    pub safe fn BN_rshift(r: &BIGNUM, a: &BIGNUM, n: c_int) -> c_int;
    pub safe fn BN_rand(r: &BIGNUM, bits: c_int, top: c_int, bottom: c_int) -> c_int;
    pub safe fn BN_rand_range(r: &BIGNUM, range: &BIGNUM) -> c_int;
    fn BN_generate_prime_ex(
        r: &BIGNUM,
        bits: c_int,
        safe: c_int,
        add: Option<&BIGNUM>,
        rem: Option<&BIGNUM>,
        cb: *mut c_void,
    ) -> c_int;
    fn BN_check_prime(a: &BIGNUM, ctx: &BN_CTX, cb: *mut c_void) -> c_int;
    pub safe fn BN_get_flags(a: &BIGNUM, flags: c_int) -> c_int;
    pub safe fn BN_set_flags(a: &BIGNUM, flags: c_int);
    pub safe fn BN_bn2dec(a: &BIGNUM) -> Option<OwnedText>;
    pub safe fn BN_bn2hex(a: &BIGNUM) -> Option<OwnedText>;
    fn BN_dec2bn(a: *mut *mut BIGNUM, text: Text) -> c_int;
    fn BN_hex2bn(a: *mut *mut BIGNUM, text: Text) -> c_int;
    fn BN_bin2bn(bytes: *const u8, len: c_int, r: *mut BIGNUM) -> *mut BIGNUM;
    fn BN_lebin2bn(bytes: *const u8, len: c_int, r: *mut BIGNUM) -> *mut BIGNUM;
    fn BN_mpi2bn(bytes: *const u8, len: c_int, r: *mut BIGNUM) -> *mut BIGNUM;
    fn BN_bn2mpi(a: &BIGNUM, out: *mut u8) -> c_int;
    fn BN_bn2bin(a: &BIGNUM, out: *mut u8) -> c_int;
    fn BN_bn2lebinpad(a: &BIGNUM, out: *mut u8, len: c_int) -> c_int;
}

impl BIGNUM {
    fn raw(&self) -> *mut BIGNUM {
        std::ptr::from_ref(self).cast_mut()
    }

    /// The magnitude, most significant byte first.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = vec![0; BN_num_bits(self).max(0) as usize / 8 + 1];
        // SAFETY: so many bytes and one more are there.
        let len = unsafe { BN_bn2bin(self, out.as_mut_ptr()) };
        out.truncate(len as usize);
        out
    }

    /// The magnitude in words, least significant first.
    pub fn words(&self) -> Vec<u64> {
        let mut bytes = vec![0u8; (BN_num_bits(self).max(0) as usize / 64 + 1) * 8];
        // SAFETY: so many bytes are there.
        unsafe { BN_bn2lebinpad(self, bytes.as_mut_ptr(), bytes.len() as c_int) };
        bytes.chunks_exact(8).map(|word| word.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte))).collect()
    }

    pub fn mpi(&self) -> Vec<u8> {
        // SAFETY: without a place the length alone is told.
        let len = unsafe { BN_bn2mpi(self, null_mut()) };
        let mut out = vec![0; len.max(0) as usize];
        // SAFETY: so many bytes are there.
        unsafe { BN_bn2mpi(self, out.as_mut_ptr()) };
        out
    }

    pub fn set_bytes(&self, bytes: &[u8]) -> bool {
        // SAFETY: so many bytes are there.
        !unsafe { BN_bin2bn(bytes.as_ptr(), bytes.len() as c_int, self.raw()) }.is_null()
    }

    pub fn set_little_endian(&self, bytes: &[u8]) -> bool {
        // SAFETY: so many bytes are there.
        !unsafe { BN_lebin2bn(bytes.as_ptr(), bytes.len() as c_int, self.raw()) }.is_null()
    }

    pub fn set_mpi(&self, bytes: &[u8]) -> bool {
        // SAFETY: so many bytes are there.
        !unsafe { BN_mpi2bn(bytes.as_ptr(), bytes.len() as c_int, self.raw()) }.is_null()
    }

    pub fn set_decimal(&self, text: Text) -> bool {
        // SAFETY: the number is there and takes the value.
        unsafe { BN_dec2bn(&mut self.raw(), text) != 0 }
    }

    pub fn set_hexadecimal(&self, text: Text) -> bool {
        // SAFETY: as above.
        unsafe { BN_hex2bn(&mut self.raw(), text) != 0 }
    }

    pub fn generate_prime(&self, bits: c_int, safe: bool, add: Option<&BIGNUM>, rem: Option<&BIGNUM>) -> bool {
        // SAFETY: nobody is told of the progress.
        unsafe { BN_generate_prime_ex(self, bits, safe.into(), add, rem, null_mut()) == 1 }
    }

    /// 1: it is a prime; 0: it is none; less: failed.
    pub fn check_prime(&self, ctx: &BN_CTX) -> c_int {
        // SAFETY: as above.
        unsafe { BN_check_prime(self, ctx, null_mut()) }
    }
}

pub extern "C" fn mod_inverse(r: &BIGNUM, a: &BIGNUM, m: &BIGNUM, ctx: &BN_CTX) -> c_int {
    BN_mod_inverse(r, a, m, ctx).is_some().into()
}

pub extern "C" fn mod_sqrt(r: &BIGNUM, a: &BIGNUM, m: &BIGNUM, ctx: &BN_CTX) -> c_int {
    BN_mod_sqrt(r, a, m, ctx).is_some().into()
}

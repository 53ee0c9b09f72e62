//! Keys: making, reading and writing them, signatures, encryption, agreement.

use super::bio::BIO;
use super::bn::{BIGNUM, BN_CTX};
use super::evp::{EVP_CIPHER, EVP_MD};
use super::{Owned, Text, der, foreign};
use std::ffi::{c_char, c_int, c_long, c_uint, c_void};
use std::ptr::{null, null_mut};

foreign! {
    EVP_PKEY "OpenSSL/EVP_PKEY" EVP_PKEY_free;
    EVP_PKEY_CTX "OpenSSL/EVP_PKEY_CTX" EVP_PKEY_CTX_free;
    RSA "OpenSSL/RSA" RSA_free;
    DSA "OpenSSL/DSA" DSA_free;
    DH "OpenSSL/DH" DH_free;
    EC_KEY "OpenSSL/EC_KEY" EC_KEY_free;
    EC_GROUP "OpenSSL/ec_group" EC_GROUP_free;
    EC_POINT "OpenSSL/EC_POINT" EC_POINT_clear_free;
    OSSL_DECODER_CTX "OpenSSL/DECODER" OSSL_DECODER_CTX_free;
}

der! {
    RSA d2i_RSAPublicKey i2d_RSAPublicKey;
    DH d2i_DHparams i2d_DHparams;
}

pub const RSA_TYPE: c_int = 6;
pub const DSA_TYPE: c_int = 116;
pub const DH_TYPE: c_int = 28;
pub const EC_TYPE: c_int = 408;
pub const KEYMGMT_TYPE: c_int = -1;
const HMAC_TYPE: c_int = 855;
const HKDF_TYPE: c_int = 1036;
const PSS_PADDING: c_int = 6;
/// What is read of a key's text.
pub const PARAMETERS: c_int = 0x84;
pub const PUBLIC: c_int = PARAMETERS | 2;
pub const KEYPAIR: c_int = PUBLIC | 1;

type PasswordFn = unsafe extern "C" fn(*mut c_char, c_int, c_int, *mut c_void) -> c_int;

unsafe extern "C" {
    fn EVP_PKEY_new_raw_private_key(
        kind: c_int,
        engine: *mut c_void,
        key: *const u8,
        len: usize,
    ) -> Option<Owned<EVP_PKEY>>;
    fn EVP_PKEY_new_raw_private_key_ex(
        library: *mut c_void,
        kind: Text,
        properties: *const c_char,
        key: *const u8,
        len: usize,
    ) -> Option<Owned<EVP_PKEY>>;
    fn EVP_PKEY_new_raw_public_key_ex(
        library: *mut c_void,
        kind: Text,
        properties: *const c_char,
        key: *const u8,
        len: usize,
    ) -> Option<Owned<EVP_PKEY>>;
    fn EVP_PKEY_get_raw_private_key(key: &EVP_PKEY, out: *mut u8, len: *mut usize) -> c_int;
    fn EVP_PKEY_get_raw_public_key(key: &EVP_PKEY, out: *mut u8, len: *mut usize) -> c_int;
    pub safe fn EVP_PKEY_up_ref(key: &EVP_PKEY) -> c_int;
    safe fn EVP_PKEY_new() -> Option<Owned<EVP_PKEY>>;
    pub safe fn EVP_PKEY_dup(key: &EVP_PKEY) -> Option<Owned<EVP_PKEY>>;
    pub safe fn EVP_PKEY_get_id(key: &EVP_PKEY) -> c_int;
    pub safe fn EVP_PKEY_get_base_id(key: &EVP_PKEY) -> c_int;
    pub safe fn EVP_PKEY_eq(a: &EVP_PKEY, b: &EVP_PKEY) -> c_int;
    pub safe fn EVP_PKEY_missing_parameters(key: &EVP_PKEY) -> c_int;
    pub safe fn EVP_PKEY_get0_type_name(key: &EVP_PKEY) -> Option<Text<'_>>;
    pub safe fn EVP_PKEY_get0_provider(key: &EVP_PKEY) -> Option<&super::conf::OSSL_PROVIDER>;
    pub safe fn EVP_PKEY_get0_RSA(key: &EVP_PKEY) -> Option<&RSA>;
    pub safe fn EVP_PKEY_get0_DSA(key: &EVP_PKEY) -> Option<&DSA>;
    pub safe fn EVP_PKEY_get0_DH(key: &EVP_PKEY) -> Option<&DH>;
    pub safe fn EVP_PKEY_get0_EC_KEY(key: &EVP_PKEY) -> Option<&EC_KEY>;
    fn EVP_PKEY_assign(key: &EVP_PKEY, kind: c_int, part: *mut c_void) -> c_int;
    fn EVP_PKEY_print_private(out: &BIO, key: &EVP_PKEY, indent: c_int, options: *mut c_void) -> c_int;
    fn EVP_PKEY_print_public(out: &BIO, key: &EVP_PKEY, indent: c_int, options: *mut c_void) -> c_int;
    fn EVP_PKEY_print_params(out: &BIO, key: &EVP_PKEY, indent: c_int, options: *mut c_void) -> c_int;
    pub safe fn i2d_PrivateKey_bio(out: &BIO, key: &EVP_PKEY) -> c_int;
    pub safe fn i2d_PUBKEY_bio(out: &BIO, key: &EVP_PKEY) -> c_int;
    pub safe fn PEM_write_bio_PUBKEY(out: &BIO, key: &EVP_PKEY) -> c_int;
    fn PEM_write_bio_PrivateKey_traditional(
        out: &BIO,
        key: &EVP_PKEY,
        cipher: Option<&EVP_CIPHER>,
        pass: *const u8,
        len: c_int,
        ask: PasswordFn,
        data: *mut c_void,
    ) -> c_int;
    fn PEM_write_bio_PKCS8PrivateKey(
        out: &BIO,
        key: &EVP_PKEY,
        cipher: Option<&EVP_CIPHER>,
        pass: *const c_char,
        len: c_int,
        ask: PasswordFn,
        data: *mut c_void,
    ) -> c_int;
    fn i2d_PKCS8PrivateKey_bio(
        out: &BIO,
        key: &EVP_PKEY,
        cipher: Option<&EVP_CIPHER>,
        pass: *const c_char,
        len: c_int,
        ask: PasswordFn,
        data: *mut c_void,
    ) -> c_int;
    fn PEM_def_callback(buffer: *mut c_char, len: c_int, writing: c_int, data: *mut c_void) -> c_int;
    fn PEM_read_bio_RSAPublicKey(
        bio: &BIO,
        out: *mut c_void,
        ask: *mut c_void,
        data: *mut c_void,
    ) -> Option<Owned<RSA>>;
    fn d2i_RSAPublicKey_bio(bio: &BIO, out: *mut c_void) -> Option<Owned<RSA>>;
    fn PEM_ASN1_read_bio(
        d2i: unsafe extern "C" fn(*mut c_void, *mut *const u8, c_long) -> *mut c_void,
        name: Text,
        bio: &BIO,
        out: *mut c_void,
        ask: *mut c_void,
        data: *mut c_void,
    ) -> *mut c_void;
    fn d2i_DSAPublicKey(out: *mut c_void, at: *mut *const u8, len: c_long) -> *mut c_void;
    fn d2i_ECPKParameters(out: *mut c_void, at: *mut *const u8, len: c_long) -> *mut EC_GROUP;
    fn i2d_ECPKParameters(group: &EC_GROUP, out: *mut *mut u8) -> c_int;
    pub safe fn PEM_write_bio_DHparams(out: &BIO, dh: &DH) -> c_int;
    pub safe fn PEM_write_bio_ECPKParameters(out: &BIO, group: &EC_GROUP) -> c_int;
    fn PEM_read_bio_ECPKParameters(
        bio: &BIO,
        out: *mut c_void,
        ask: *mut c_void,
        data: *mut c_void,
    ) -> Option<Owned<EC_GROUP>>;
    pub safe fn ECPKParameters_print(out: &BIO, group: &EC_GROUP, indent: c_int) -> c_int;

    fn OSSL_DECODER_CTX_new_for_pkey(
        key: *mut *mut EVP_PKEY,
        input: Text,
        structure: *const c_char,
        kind: *const c_char,
        selection: c_int,
        library: *mut c_void,
        properties: *const c_char,
    ) -> Option<Owned<OSSL_DECODER_CTX>>;
    fn OSSL_DECODER_CTX_set_pem_password_cb(ctx: &OSSL_DECODER_CTX, ask: PasswordFn, data: *mut c_void) -> c_int;
    fn OSSL_DECODER_from_bio(ctx: &OSSL_DECODER_CTX, bio: &BIO) -> c_int;

    safe fn EVP_PKEY_gettable_params(key: &EVP_PKEY) -> Option<&OSSL_PARAM>;
    fn EVP_PKEY_get_params(key: &EVP_PKEY, params: *mut OSSL_PARAM) -> c_int;

    fn EVP_PKEY_CTX_new(key: &EVP_PKEY, engine: *mut c_void) -> Option<Owned<EVP_PKEY_CTX>>;
    fn EVP_PKEY_CTX_new_id(kind: c_int, engine: *mut c_void) -> Option<Owned<EVP_PKEY_CTX>>;
    fn EVP_PKEY_CTX_new_from_name(
        library: *mut c_void,
        name: Text,
        properties: *const c_char,
    ) -> Option<Owned<EVP_PKEY_CTX>>;
    pub safe fn EVP_PKEY_CTX_ctrl_str(ctx: &EVP_PKEY_CTX, name: Text, value: Text) -> c_int;
    fn EVP_PKEY_CTX_set_app_data(ctx: &EVP_PKEY_CTX, data: *mut c_void);
    fn EVP_PKEY_CTX_get_app_data(ctx: *mut EVP_PKEY_CTX) -> *mut c_void;
    fn EVP_PKEY_CTX_set_cb(ctx: &EVP_PKEY_CTX, f: unsafe extern "C" fn(*mut EVP_PKEY_CTX) -> c_int);
    fn EVP_PKEY_CTX_get_keygen_info(ctx: *mut EVP_PKEY_CTX, at: c_int) -> c_int;
    pub safe fn EVP_PKEY_paramgen_init(ctx: &EVP_PKEY_CTX) -> c_int;
    pub safe fn EVP_PKEY_keygen_init(ctx: &EVP_PKEY_CTX) -> c_int;
    fn EVP_PKEY_paramgen(ctx: &EVP_PKEY_CTX, key: *mut *mut EVP_PKEY) -> c_int;
    fn EVP_PKEY_keygen(ctx: &EVP_PKEY_CTX, key: *mut *mut EVP_PKEY) -> c_int;
    pub safe fn EVP_PKEY_sign_init(ctx: &EVP_PKEY_CTX) -> c_int;
    pub safe fn EVP_PKEY_verify_init(ctx: &EVP_PKEY_CTX) -> c_int;
    pub safe fn EVP_PKEY_verify_recover_init(ctx: &EVP_PKEY_CTX) -> c_int;
    pub safe fn EVP_PKEY_encrypt_init(ctx: &EVP_PKEY_CTX) -> c_int;
    pub safe fn EVP_PKEY_decrypt_init(ctx: &EVP_PKEY_CTX) -> c_int;
    pub safe fn EVP_PKEY_derive_init(ctx: &EVP_PKEY_CTX) -> c_int;
    pub safe fn EVP_PKEY_derive_set_peer(ctx: &EVP_PKEY_CTX, peer: &EVP_PKEY) -> c_int;
    pub safe fn EVP_PKEY_param_check(ctx: &EVP_PKEY_CTX) -> c_int;
    pub safe fn EVP_PKEY_check(ctx: &EVP_PKEY_CTX) -> c_int;
    pub safe fn EVP_PKEY_public_check(ctx: &EVP_PKEY_CTX) -> c_int;
    pub safe fn EVP_PKEY_CTX_set_signature_md(ctx: &EVP_PKEY_CTX, md: &EVP_MD) -> c_int;
    safe fn EVP_PKEY_CTX_set_rsa_padding(ctx: &EVP_PKEY_CTX, padding: c_int) -> c_int;
    safe fn EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx: &EVP_PKEY_CTX, len: c_int) -> c_int;
    safe fn EVP_PKEY_CTX_set_rsa_mgf1_md(ctx: &EVP_PKEY_CTX, md: &EVP_MD) -> c_int;
    safe fn EVP_PKEY_CTX_set_hkdf_md(ctx: &EVP_PKEY_CTX, md: &EVP_MD) -> c_int;
    fn EVP_PKEY_CTX_set1_hkdf_salt(ctx: &EVP_PKEY_CTX, bytes: *const u8, len: c_int) -> c_int;
    fn EVP_PKEY_CTX_set1_hkdf_key(ctx: &EVP_PKEY_CTX, bytes: *const u8, len: c_int) -> c_int;
    fn EVP_PKEY_CTX_add1_hkdf_info(ctx: &EVP_PKEY_CTX, bytes: *const u8, len: c_int) -> c_int;
    fn EVP_PKEY_sign(ctx: &EVP_PKEY_CTX, out: *mut u8, out_len: *mut usize, data: *const u8, len: usize) -> c_int;
    fn EVP_PKEY_verify(
        ctx: &EVP_PKEY_CTX,
        signature: *const u8,
        signature_len: usize,
        data: *const u8,
        len: usize,
    ) -> c_int;
    fn EVP_PKEY_verify_recover(
        ctx: &EVP_PKEY_CTX,
        out: *mut u8,
        out_len: *mut usize,
        data: *const u8,
        len: usize,
    ) -> c_int;
    fn EVP_PKEY_encrypt(ctx: &EVP_PKEY_CTX, out: *mut u8, out_len: *mut usize, data: *const u8, len: usize) -> c_int;
    fn EVP_PKEY_decrypt(ctx: &EVP_PKEY_CTX, out: *mut u8, out_len: *mut usize, data: *const u8, len: usize) -> c_int;
    fn EVP_PKEY_derive(ctx: &EVP_PKEY_CTX, out: *mut u8, out_len: *mut usize) -> c_int;

    fn RSA_get0_key(rsa: &RSA, n: *mut *const BIGNUM, e: *mut *const BIGNUM, d: *mut *const BIGNUM);
    fn RSA_get0_factors(rsa: &RSA, p: *mut *const BIGNUM, q: *mut *const BIGNUM);
    fn RSA_get0_crt_params(rsa: &RSA, dmp1: *mut *const BIGNUM, dmq1: *mut *const BIGNUM, iqmp: *mut *const BIGNUM);
    fn DSA_get0_pqg(dsa: &DSA, p: *mut *const BIGNUM, q: *mut *const BIGNUM, g: *mut *const BIGNUM);
    fn DSA_get0_key(dsa: &DSA, public: *mut *const BIGNUM, private: *mut *const BIGNUM);
    fn DH_get0_pqg(dh: &DH, p: *mut *const BIGNUM, q: *mut *const BIGNUM, g: *mut *const BIGNUM);
    fn DH_get0_key(dh: &DH, public: *mut *const BIGNUM, private: *mut *const BIGNUM);

    pub safe fn EC_KEY_new() -> Option<Owned<EC_KEY>>;
    pub safe fn EC_KEY_new_by_curve_name(nid: c_int) -> Option<Owned<EC_KEY>>;
    pub safe fn EC_KEY_set_group(key: &EC_KEY, group: &EC_GROUP) -> c_int;
    pub safe fn EC_KEY_set_asn1_flag(key: &EC_KEY, flag: c_int);
    pub safe fn EC_KEY_set_conv_form(key: &EC_KEY, form: c_int);
    pub safe fn EC_KEY_generate_key(key: &EC_KEY) -> c_int;
    pub safe fn EC_KEY_get0_group(key: &EC_KEY) -> Option<&EC_GROUP>;
    pub safe fn EC_KEY_get0_private_key(key: &EC_KEY) -> Option<&BIGNUM>;
    pub safe fn EC_KEY_get0_public_key(key: &EC_KEY) -> Option<&EC_POINT>;
    pub safe fn EC_GROUP_dup(group: &EC_GROUP) -> Option<Owned<EC_GROUP>>;
    pub safe fn EC_GROUP_new_by_curve_name(nid: c_int) -> Option<Owned<EC_GROUP>>;
    pub safe fn EC_GROUP_new_curve_GFp(p: &BIGNUM, a: &BIGNUM, b: &BIGNUM, ctx: &BN_CTX) -> Option<Owned<EC_GROUP>>;
    pub safe fn EC_GROUP_new_curve_GF2m(p: &BIGNUM, a: &BIGNUM, b: &BIGNUM, ctx: &BN_CTX) -> Option<Owned<EC_GROUP>>;
    pub safe fn EC_GROUP_cmp(a: &EC_GROUP, b: &EC_GROUP, ctx: &BN_CTX) -> c_int;
    pub safe fn EC_GROUP_get0_generator(group: &EC_GROUP) -> Option<&EC_POINT>;
    pub safe fn EC_GROUP_set_generator(
        group: &EC_GROUP,
        generator: &EC_POINT,
        order: &BIGNUM,
        cofactor: &BIGNUM,
    ) -> c_int;
    pub safe fn EC_GROUP_get_order(group: &EC_GROUP, out: &BIGNUM, ctx: &BN_CTX) -> c_int;
    pub safe fn EC_GROUP_get_cofactor(group: &EC_GROUP, out: &BIGNUM, ctx: &BN_CTX) -> c_int;
    pub safe fn EC_GROUP_get_curve_name(group: &EC_GROUP) -> c_int;
    pub safe fn EC_GROUP_get_asn1_flag(group: &EC_GROUP) -> c_int;
    pub safe fn EC_GROUP_set_asn1_flag(group: &EC_GROUP, flag: c_int);
    pub safe fn EC_GROUP_get_point_conversion_form(group: &EC_GROUP) -> c_int;
    pub safe fn EC_GROUP_set_point_conversion_form(group: &EC_GROUP, form: c_int);
    pub safe fn EC_GROUP_get_degree(group: &EC_GROUP) -> c_int;
    safe fn EC_GROUP_get_seed_len(group: &EC_GROUP) -> usize;
    fn EC_GROUP_get0_seed(group: &EC_GROUP) -> *const u8;
    fn EC_GROUP_set_seed(group: &EC_GROUP, bytes: *const u8, len: usize) -> usize;
    fn EC_get_builtin_curves(out: *mut Curve, len: usize) -> usize;
    pub safe fn EC_POINT_new(group: &EC_GROUP) -> Option<Owned<EC_POINT>>;
    pub safe fn EC_POINT_dup(point: &EC_POINT, group: &EC_GROUP) -> Option<Owned<EC_POINT>>;
    fn EC_POINT_oct2point(group: &EC_GROUP, point: &EC_POINT, bytes: *const u8, len: usize, ctx: &BN_CTX) -> c_int;
    fn EC_POINT_point2oct(
        group: &EC_GROUP,
        point: &EC_POINT,
        form: c_int,
        out: *mut u8,
        len: usize,
        ctx: &BN_CTX,
    ) -> usize;
    fn EC_POINT_bn2point(
        group: &EC_GROUP,
        number: &BIGNUM,
        out: *mut EC_POINT,
        ctx: &BN_CTX,
    ) -> Option<Owned<EC_POINT>>;
    pub safe fn EC_POINT_cmp(group: &EC_GROUP, a: &EC_POINT, b: &EC_POINT, ctx: &BN_CTX) -> c_int;
    pub safe fn EC_POINT_is_at_infinity(group: &EC_GROUP, point: &EC_POINT) -> c_int;
    pub safe fn EC_POINT_is_on_curve(group: &EC_GROUP, point: &EC_POINT, ctx: &BN_CTX) -> c_int;
    pub safe fn EC_POINT_invert(group: &EC_GROUP, point: &EC_POINT, ctx: &BN_CTX) -> c_int;
    pub safe fn EC_POINT_set_to_infinity(group: &EC_GROUP, point: &EC_POINT) -> c_int;
    pub safe fn EC_POINT_add(group: &EC_GROUP, out: &EC_POINT, a: &EC_POINT, b: &EC_POINT, ctx: &BN_CTX) -> c_int;
    pub safe fn EC_POINT_mul(
        group: &EC_GROUP,
        out: &EC_POINT,
        n: Option<&BIGNUM>,
        q: &EC_POINT,
        m: &BIGNUM,
        ctx: &BN_CTX,
    ) -> c_int;
}

#[repr(C)]
struct Curve {
    nid: c_int,
    comment: *const c_char,
}

/// Number and comment of each curve of the library.
pub fn curves() -> Vec<(c_int, Option<Vec<u8>>)> {
    // SAFETY: without a place the number alone is told.
    let count = unsafe { EC_get_builtin_curves(null_mut(), 0) };
    let mut list: Vec<Curve> = (0..count).map(|_| Curve { nid: 0, comment: null() }).collect();
    // SAFETY: so many places are there.
    unsafe { EC_get_builtin_curves(list.as_mut_ptr(), count) };
    // SAFETY: comments are static texts.
    let text = |at: *const c_char| (!at.is_null()).then(|| unsafe { std::ffi::CStr::from_ptr(at) }.to_bytes().to_vec());
    list.iter().map(|curve| (curve.nid, text(curve.comment))).collect()
}

// -- passwords ----------------------------------------------------------------------------

/// Where the password of a text comes from. Without either the library asks at the terminal.
pub struct Password<'a> {
    pub given: Option<Vec<u8>>,
    /// Told whether it is for writing.
    pub ask: Option<&'a mut dyn FnMut(bool) -> Option<Vec<u8>>>,
}

unsafe extern "C" fn password(buffer: *mut c_char, len: c_int, writing: c_int, data: *mut c_void) -> c_int {
    // SAFETY: the library passes what was given to it with this function: a living `Password`.
    let source = unsafe { &mut *data.cast::<Password>() };
    let answer = match (&source.given, &mut source.ask) {
        (Some(given), _) => Some(given.clone()),
        (None, Some(ask)) => ask(writing != 0),
        // SAFETY: the library's own function with the library's own buffer.
        (None, None) => return unsafe { PEM_def_callback(buffer, len, writing, null_mut()) },
    };
    match answer {
        Some(text) if text.len() <= len.max(0) as usize => {
            // SAFETY: so many bytes have room.
            unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast(), text.len()) };
            text.len() as c_int
        }
        _ => -1,
    }
}

/// The longest password there is.
pub const PASSWORD_MAX: usize = 1024;

/// The key in a text, of which `input` says whether it is DER or PEM.
pub fn read(bytes: &[u8], input: Text, selection: c_int, source: &mut Password) -> Option<Owned<EVP_PKEY>> {
    let bio = super::bio::Source::new(bytes)?;
    let mut key = null_mut();
    // SAFETY: the place is ours until the context is gone.
    let ctx = unsafe { OSSL_DECODER_CTX_new_for_pkey(&mut key, input, null(), null(), selection, null_mut(), null()) }?;
    let source = std::ptr::from_mut(source).cast();
    // SAFETY: the source lives until the context is gone.
    if selection == KEYPAIR && unsafe { OSSL_DECODER_CTX_set_pem_password_cb(&ctx, password, source) } != 1 {
        return None;
    }
    let mut position = 0;
    loop {
        // SAFETY: context and stream live.
        if unsafe { OSSL_DECODER_from_bio(&ctx, &bio) } == 1 || bio.ended() {
            break;
        }
        let now = bio.position();
        if now <= position {
            break;
        }
        super::err::clear();
        position = now;
    }
    drop(ctx);
    // SAFETY: the library has stored a key there, which is ours, or nothing.
    unsafe { Owned::from_raw(key) }
}

/// How a private key is written.
pub enum Form {
    Traditional,
    Pkcs8Pem,
    Pkcs8Der,
}

pub fn write(out: &BIO, key: &EVP_PKEY, form: Form, cipher: Option<&EVP_CIPHER>, source: &mut Password) -> bool {
    let data = std::ptr::from_mut(source).cast();
    // SAFETY: the source lives until the call returns; no password is given otherwise.
    unsafe {
        match form {
            Form::Traditional => PEM_write_bio_PrivateKey_traditional(out, key, cipher, null(), 0, password, data) == 1,
            Form::Pkcs8Pem => PEM_write_bio_PKCS8PrivateKey(out, key, cipher, null(), 0, password, data) == 1,
            Form::Pkcs8Der => i2d_PKCS8PrivateKey_bio(out, key, cipher, null(), 0, password, data) == 1,
        }
    }
}

// -- keys ---------------------------------------------------------------------------------

impl EVP_PKEY {
    /// One more reference.
    pub fn share(&self) -> Option<Owned<EVP_PKEY>> {
        // SAFETY: the count has been raised for it.
        if EVP_PKEY_up_ref(self) == 1 { unsafe { Owned::from_raw(std::ptr::from_ref(self).cast_mut()) } } else { None }
    }

    pub fn print(&self) -> Option<Vec<u8>> {
        let forms = [EVP_PKEY_print_private, EVP_PKEY_print_public, EVP_PKEY_print_params];
        // SAFETY: no options are given.
        forms.into_iter().find_map(|print| super::bio::written(|out| unsafe { print(out, self, 0, null_mut()) == 1 }))
    }

    pub fn raw_private(&self) -> Option<Vec<u8>> {
        // SAFETY: lengths as `sized` passes them.
        sized(|out, len| unsafe { EVP_PKEY_get_raw_private_key(self, out, len) })
    }

    pub fn raw_public(&self) -> Option<Vec<u8>> {
        // SAFETY: as above.
        sized(|out, len| unsafe { EVP_PKEY_get_raw_public_key(self, out, len) })
    }
}

/// The output of a function that tells how long it is when it is called without a place for it.
pub(super) fn sized(mut call: impl FnMut(*mut u8, *mut usize) -> c_int) -> Option<Vec<u8>> {
    let mut len = 0;
    if call(null_mut(), &mut len) <= 0 {
        return None;
    }
    let mut out = vec![0; len];
    if call(out.as_mut_ptr(), &mut len) <= 0 {
        return None;
    }
    out.truncate(len);
    Some(out)
}

pub fn hmac_key(key: &[u8]) -> Option<Owned<EVP_PKEY>> {
    // SAFETY: so many bytes are there.
    unsafe { EVP_PKEY_new_raw_private_key(HMAC_TYPE, null_mut(), key.as_ptr(), key.len()) }
}

pub fn from_raw_private(kind: Text, key: &[u8]) -> Option<Owned<EVP_PKEY>> {
    // SAFETY: so many bytes are there; the default library context.
    unsafe { EVP_PKEY_new_raw_private_key_ex(null_mut(), kind, null(), key.as_ptr(), key.len()) }
}

pub fn from_raw_public(kind: Text, key: &[u8]) -> Option<Owned<EVP_PKEY>> {
    // SAFETY: as above.
    unsafe { EVP_PKEY_new_raw_public_key_ex(null_mut(), kind, null(), key.as_ptr(), key.len()) }
}

/// A part that makes a key of a kind of its own.
///
/// # Safety
/// `KIND` is this type's.
pub unsafe trait Part: super::Foreign {
    const KIND: c_int;
}

// SAFETY: they are.
unsafe impl Part for RSA {
    const KIND: c_int = RSA_TYPE;
}
// SAFETY: as above.
unsafe impl Part for DSA {
    const KIND: c_int = DSA_TYPE;
}
// SAFETY: as above.
unsafe impl Part for DH {
    const KIND: c_int = DH_TYPE;
}
// SAFETY: as above.
unsafe impl Part for EC_KEY {
    const KIND: c_int = EC_TYPE;
}

pub fn of_part<T: Part>(part: Owned<T>) -> Option<Owned<EVP_PKEY>> {
    let key = EVP_PKEY_new()?;
    let raw = part.into_raw();
    // SAFETY: the key takes the part over when the call succeeds.
    unsafe {
        if EVP_PKEY_assign(&key, T::KIND, raw.cast()) != 1 {
            drop(Owned::from_raw(raw));
            return None;
        }
    }
    Some(key)
}

/// The RSA public key of the older form, as DER or PEM.
pub fn read_rsa_public(bytes: &[u8]) -> Option<Owned<RSA>> {
    let (der, pem) = (super::bio::Source::new(bytes)?, super::bio::Source::new(bytes)?);
    // SAFETY: a new structure is made; nobody is asked for a password.
    unsafe {
        d2i_RSAPublicKey_bio(&der, null_mut())
            .or_else(|| PEM_read_bio_RSAPublicKey(&pem, null_mut(), null_mut(), null_mut()))
    }
}

/// The DSA public key of the older form in PEM.
pub fn read_dsa_public(bytes: &[u8]) -> Option<Owned<DSA>> {
    let bio = super::bio::Source::new(bytes)?;
    // SAFETY: a new structure of the type that the function makes.
    unsafe {
        Owned::from_raw(
            PEM_ASN1_read_bio(
                d2i_DSAPublicKey,
                Text::from(c"DSA PUBLIC KEY"),
                &bio,
                null_mut(),
                null_mut(),
                null_mut(),
            )
            .cast(),
        )
    }
}

pub fn read_group(bytes: &[u8]) -> Option<Owned<EC_GROUP>> {
    let pem = super::bio::Source::new(bytes)?;
    let mut at = bytes.as_ptr();
    // SAFETY: so many bytes are there; a new structure is made; nobody is asked for a password.
    unsafe {
        PEM_read_bio_ECPKParameters(&pem, null_mut(), null_mut(), null_mut())
            .or_else(|| Owned::from_raw(d2i_ECPKParameters(null_mut(), &mut at, bytes.len() as c_long)))
    }
}

impl EC_GROUP {
    pub fn der(&self) -> Option<Vec<u8>> {
        // SAFETY: without a place the length alone is told.
        let len = unsafe { i2d_ECPKParameters(self, null_mut()) };
        let mut out = vec![0; usize::try_from(len).ok().filter(|len| *len > 0)?];
        let mut at = out.as_mut_ptr();
        // SAFETY: so many bytes are written.
        (unsafe { i2d_ECPKParameters(self, &mut at) } > 0).then_some(out)
    }

    pub fn seed(&self) -> Option<&[u8]> {
        let len = EC_GROUP_get_seed_len(self);
        // SAFETY: so many bytes belong to the group.
        (len > 0).then(|| unsafe { std::slice::from_raw_parts(EC_GROUP_get0_seed(self), len) })
    }

    pub fn set_seed(&self, seed: &[u8]) -> bool {
        // SAFETY: so many bytes are there.
        unsafe { EC_GROUP_set_seed(self, seed.as_ptr(), seed.len()) == seed.len() }
    }
}

pub fn set_octets(group: &EC_GROUP, point: &EC_POINT, bytes: &[u8], ctx: &BN_CTX) -> bool {
    // SAFETY: so many bytes are there.
    unsafe { EC_POINT_oct2point(group, point, bytes.as_ptr(), bytes.len(), ctx) == 1 }
}

pub fn octets(group: &EC_GROUP, point: &EC_POINT, form: c_int, ctx: &BN_CTX) -> Option<Vec<u8>> {
    // SAFETY: without a place the length alone is told.
    let len = unsafe { EC_POINT_point2oct(group, point, form, null_mut(), 0, ctx) };
    let mut out = vec![0; len];
    // SAFETY: so many bytes are written.
    (len > 0 && unsafe { EC_POINT_point2oct(group, point, form, out.as_mut_ptr(), len, ctx) } == len).then_some(out)
}

pub fn point_of(group: &EC_GROUP, number: &BIGNUM, ctx: &BN_CTX) -> Option<Owned<EC_POINT>> {
    // SAFETY: a new point is made.
    unsafe { EC_POINT_bn2point(group, number, null_mut(), ctx) }
}

/// The numbers of a key, by their names.
pub fn number<'a>(key: &'a EVP_PKEY, name: &str) -> Option<&'a BIGNUM> {
    let (mut first, mut second, mut third) = (null(), null(), null());
    let places: [*mut *const BIGNUM; 3] = [&raw mut first, &raw mut second, &raw mut third];
    let [a, b, c] = places;
    // SAFETY: the places are ours; what is stored there belongs to the key, or is null.
    unsafe {
        match (EVP_PKEY_get_base_id(key), name) {
            (RSA_TYPE, "n" | "e" | "d") => RSA_get0_key(EVP_PKEY_get0_RSA(key)?, a, b, c),
            (RSA_TYPE, "p" | "q") => RSA_get0_factors(EVP_PKEY_get0_RSA(key)?, a, b),
            (RSA_TYPE, _) => RSA_get0_crt_params(EVP_PKEY_get0_RSA(key)?, a, b, c),
            (DSA_TYPE, "p" | "q" | "g") => DSA_get0_pqg(EVP_PKEY_get0_DSA(key)?, a, b, c),
            (DSA_TYPE, _) => DSA_get0_key(EVP_PKEY_get0_DSA(key)?, a, b),
            (DH_TYPE, "p" | "q" | "g") => DH_get0_pqg(EVP_PKEY_get0_DH(key)?, a, b, c),
            (DH_TYPE, _) => DH_get0_key(EVP_PKEY_get0_DH(key)?, a, b),
            _ => return None,
        }
        let found = match name {
            "n" | "p" | "pub_key" | "dmp1" => first,
            "e" | "q" | "priv_key" | "dmq1" => second,
            _ => third,
        };
        found.as_ref()
    }
}

/// A parameter as providers pass it.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct OSSL_PARAM {
    key: *const c_char,
    kind: c_uint,
    data: *mut c_void,
    size: usize,
    returned: usize,
}

const PARAM_END: OSSL_PARAM = OSSL_PARAM { key: null(), kind: 0, data: null_mut(), size: 0, returned: 0 };
const UNMODIFIED: usize = usize::MAX;

/// The value of a parameter.
pub enum Param {
    /// Least significant byte first.
    Number(Vec<u8>),
    Text(Vec<u8>),
    Octets(Vec<u8>),
}

/// A parameter of the key by its name. The error is the step that failed, or the whole message.
pub fn param(key: &EVP_PKEY, name: &std::ffi::CStr) -> Result<Param, String> {
    let known = EVP_PKEY_gettable_params(key).ok_or("EVP_PKEY_gettable_params")?;
    let mut at = std::ptr::from_ref(known);
    // SAFETY: the list ends with an entry without a key; keys are static texts.
    let found = unsafe {
        loop {
            if (*at).key.is_null() {
                return Err(format!("unrecognized OSSL_PARAM key: {}", name.to_string_lossy()));
            }
            if std::ffi::CStr::from_ptr((*at).key) == name {
                break *at;
            }
            at = at.add(1);
        }
    };
    let mut asked = [OSSL_PARAM { data: null_mut(), size: 0, returned: UNMODIFIED, ..found }, PARAM_END];
    // SAFETY: without a place for the value its size alone is told.
    if unsafe { EVP_PKEY_get_params(key, asked.as_mut_ptr()) } != 1 {
        return Err("EVP_PKEY_get_params".to_string());
    }
    if asked[0].returned == UNMODIFIED {
        return Err("OSSL_PARAM_modified".to_string());
    }
    // A text ends with a NUL that its size does not count.
    let size = asked[0].returned;
    let mut value = vec![0u8; size.max(1) + 1];
    asked[0] = OSSL_PARAM {
        data: value.as_mut_ptr().cast(),
        size: if found.kind < 3 { size.max(1) } else { value.len() },
        returned: UNMODIFIED,
        ..found
    };
    // SAFETY: so many bytes have room.
    if unsafe { EVP_PKEY_get_params(key, asked.as_mut_ptr()) } != 1 {
        return Err("EVP_PKEY_get_params".to_string());
    }
    value.truncate(asked[0].returned.min(value.len()));
    match found.kind {
        1 | 2 => Ok(Param::Number(value)),
        4 => Ok(Param::Text(value)),
        5 => Ok(Param::Octets(value)),
        other => Err(format!("unsupported OSSL_PARAM data type {other} for key {}", name.to_string_lossy())),
    }
}

// -- operations ---------------------------------------------------------------------------

pub fn context(key: &EVP_PKEY) -> Option<Owned<EVP_PKEY_CTX>> {
    // SAFETY: no engine.
    unsafe { EVP_PKEY_CTX_new(key, null_mut()) }
}

pub fn context_named(name: Text) -> Option<Owned<EVP_PKEY_CTX>> {
    // SAFETY: the default library context.
    unsafe { EVP_PKEY_CTX_new_from_name(null_mut(), name, null()) }
}

impl EVP_PKEY_CTX {
    pub fn sign(&self, data: &[u8]) -> Option<Vec<u8>> {
        // SAFETY: lengths as `sized` passes them, and the data's.
        sized(|out, len| unsafe { EVP_PKEY_sign(self, out, len, data.as_ptr(), data.len()) })
    }

    pub fn verify(&self, signature: &[u8], data: &[u8]) -> c_int {
        // SAFETY: so many bytes are there.
        unsafe { EVP_PKEY_verify(self, signature.as_ptr(), signature.len(), data.as_ptr(), data.len()) }
    }

    pub fn recover(&self, data: &[u8]) -> Option<Vec<u8>> {
        // SAFETY: as `sign`.
        sized(|out, len| unsafe { EVP_PKEY_verify_recover(self, out, len, data.as_ptr(), data.len()) })
    }

    pub fn encrypt(&self, data: &[u8]) -> Option<Vec<u8>> {
        // SAFETY: as `sign`.
        sized(|out, len| unsafe { EVP_PKEY_encrypt(self, out, len, data.as_ptr(), data.len()) })
    }

    pub fn decrypt(&self, data: &[u8]) -> Option<Vec<u8>> {
        // SAFETY: as `sign`.
        sized(|out, len| unsafe { EVP_PKEY_decrypt(self, out, len, data.as_ptr(), data.len()) })
    }

    pub fn derive(&self) -> Option<Vec<u8>> {
        // SAFETY: as `sign`.
        sized(|out, len| unsafe { EVP_PKEY_derive(self, out, len) })
    }

    /// Signatures with PSS padding.
    pub fn set_pss(&self, salt: c_int, mask: &EVP_MD) -> bool {
        EVP_PKEY_CTX_set_rsa_padding(self, PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(self, salt) == 1
            && EVP_PKEY_CTX_set_rsa_mgf1_md(self, mask) == 1
    }
}

/// Who is told of the progress of making a key: a function of the numbers that the library gives, which says whether to
/// go on.
pub type Progress<'a> = dyn FnMut(&[c_int]) -> bool + 'a;

unsafe extern "C" fn progress(ctx: *mut EVP_PKEY_CTX) -> c_int {
    // SAFETY: the context lives, and its data is what `generate` has set.
    unsafe {
        let told = EVP_PKEY_CTX_get_app_data(ctx).cast::<&mut Progress>();
        let count = EVP_PKEY_CTX_get_keygen_info(ctx, -1).max(0);
        let numbers: Vec<c_int> = (0..count).map(|at| EVP_PKEY_CTX_get_keygen_info(ctx, at)).collect();
        (*told)(&numbers).into()
    }
}

/// A key, or its parameters.
pub fn generate(ctx: &EVP_PKEY_CTX, parameters: bool, mut told: &mut Progress) -> Option<Owned<EVP_PKEY>> {
    let mut key = null_mut();
    // SAFETY: the function lives until the call returns; what is stored in the place is ours.
    unsafe {
        EVP_PKEY_CTX_set_app_data(ctx, (&raw mut told).cast());
        EVP_PKEY_CTX_set_cb(ctx, progress);
        let done = if parameters { EVP_PKEY_paramgen(ctx, &mut key) } else { EVP_PKEY_keygen(ctx, &mut key) };
        EVP_PKEY_CTX_set_app_data(ctx, null_mut());
        if done > 0 { Owned::from_raw(key) } else { None }
    }
}

/// A key of a key. The error is the step that failed.
pub fn hkdf(md: &EVP_MD, salt: &[u8], key: &[u8], info: &[u8], mut out: Vec<u8>) -> Result<Vec<u8>, &'static str> {
    // SAFETY: no engine.
    let ctx = unsafe { EVP_PKEY_CTX_new_id(HKDF_TYPE, null_mut()) }.ok_or("EVP_PKEY_CTX_new_id")?;
    let need = |result: c_int, step: &'static str| if result > 0 { Ok(()) } else { Err(step) };
    need(EVP_PKEY_derive_init(&ctx), "EVP_PKEY_derive_init")?;
    need(EVP_PKEY_CTX_set_hkdf_md(&ctx, md), "EVP_PKEY_CTX_set_hkdf_md")?;
    let mut len = out.len();
    // SAFETY: so many bytes are there.
    unsafe {
        need(EVP_PKEY_CTX_set1_hkdf_salt(&ctx, salt.as_ptr(), salt.len() as c_int), "EVP_PKEY_CTX_set_hkdf_salt")?;
        need(EVP_PKEY_CTX_set1_hkdf_key(&ctx, key.as_ptr(), key.len() as c_int), "EVP_PKEY_CTX_set_hkdf_key")?;
        need(EVP_PKEY_CTX_add1_hkdf_info(&ctx, info.as_ptr(), info.len() as c_int), "EVP_PKEY_CTX_set_hkdf_info")?;
        need(EVP_PKEY_derive(&ctx, out.as_mut_ptr(), &mut len), "EVP_PKEY_derive")?;
    }
    out.truncate(len);
    Ok(out)
}

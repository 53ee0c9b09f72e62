//! Certificates, requests, revocation lists, their parts, and stores that verify them.

use super::asn1::{ASN1_INTEGER, ASN1_OBJECT, ASN1_OCTET_STRING, ASN1_STRING, ASN1_TIME, ASN1_TYPE, X509_ALGOR};
use super::bio::BIO;
use super::conf::CONF;
use super::evp::EVP_MD;
use super::pkey::EVP_PKEY;
use super::stack::{OwnedStack, Stack};
use super::{Owned, OwnedText, Text, borrowed, der, foreign};
use std::cell::UnsafeCell;
use std::ffi::{c_char, c_int, c_long, c_ulong, c_void};
use std::ptr::null_mut;

foreign! {
    X509 "OpenSSL/X509" X509_free;
    X509_REQ "OpenSSL/X509/REQ" X509_REQ_free;
    X509_CRL "OpenSSL/X509/CRL" X509_CRL_free;
    X509_REVOKED "OpenSSL/X509/REV" X509_REVOKED_free;
    X509_EXTENSION "OpenSSL/X509/EXTENSION" X509_EXTENSION_free;
    X509_ATTRIBUTE "OpenSSL/X509/ATTRIBUTE" X509_ATTRIBUTE_free;
    X509_NAME "OpenSSL/X509/NAME" X509_NAME_free;
    X509_STORE "OpenSSL/X509/STORE" X509_STORE_free;
    X509_STORE_CTX "OpenSSL/X509/STORE_CTX" X509_STORE_CTX_free;
    NETSCAPE_SPKI "OpenSSL/NETSCAPE_SPKI" NETSCAPE_SPKI_free;
}

borrowed! {
    X509_NAME_ENTRY;
    X509_VERIFY_PARAM;
    X509_LOOKUP;
    X509_LOOKUP_METHOD;
}

der! {
    X509 d2i_X509 i2d_X509;
    X509_REQ d2i_X509_REQ i2d_X509_REQ;
    X509_CRL d2i_X509_CRL i2d_X509_CRL;
    X509_REVOKED d2i_X509_REVOKED i2d_X509_REVOKED;
    X509_EXTENSION d2i_X509_EXTENSION i2d_X509_EXTENSION;
    X509_ATTRIBUTE d2i_X509_ATTRIBUTE i2d_X509_ATTRIBUTE;
    X509_NAME d2i_X509_NAME i2d_X509_NAME;
    NETSCAPE_SPKI d2i_NETSCAPE_SPKI i2d_NETSCAPE_SPKI;
}

const FILETYPE_PEM: c_int = 1;

type Read<T> = unsafe extern "C" fn(&BIO, *mut *mut T, *mut c_void, *mut c_void) -> Option<Owned<T>>;

/// A type that has a form in PEM.
///
/// # Safety
/// The functions are the library's own for this type.
pub unsafe trait Pem: super::Der + 'static {
    const READ: Read<Self>;
    const WRITE: extern "C" fn(&BIO, &Self) -> c_int;

    /// The next one in the stream.
    fn read_pem(bio: &BIO) -> Option<Owned<Self>> {
        // SAFETY: a new structure is made; nobody is asked for a password.
        unsafe { Self::READ(bio, null_mut(), null_mut(), null_mut()) }
    }

    /// One in DER, or else the first one in PEM.
    fn read(bytes: &[u8]) -> Option<Owned<Self>> {
        Self::decode_stream(bytes).or_else(|| {
            // Which header is missing is told of the first error in the queue alone.
            super::err::clear();
            Self::read_pem(&*super::bio::Source::new(bytes)?)
        })
    }

    fn pem(&self) -> Option<Vec<u8>> {
        super::bio::written(|out| Self::WRITE(out, self) == 1)
    }
}

macro_rules! pem {
    ($($name:ident $read:ident $write:ident;)*) => {$(
        unsafe extern "C" {
            fn $read(bio: &BIO, out: *mut *mut $name, ask: *mut c_void, data: *mut c_void) -> Option<Owned<$name>>;
            safe fn $write(bio: &BIO, this: &$name) -> c_int;
        }
        // SAFETY: they are.
        unsafe impl Pem for $name {
            const READ: Read<$name> = $read;
            const WRITE: extern "C" fn(&BIO, &$name) -> c_int = $write;
        }
    )*};
}

pem! {
    X509 PEM_read_bio_X509 PEM_write_bio_X509;
    X509_REQ PEM_read_bio_X509_REQ PEM_write_bio_X509_REQ;
    X509_CRL PEM_read_bio_X509_CRL PEM_write_bio_X509_CRL;
}

unsafe extern "C" {
    pub safe fn X509_new() -> Option<Owned<X509>>;
    pub safe fn X509_dup(x: &X509) -> Option<Owned<X509>>;
    pub safe fn X509_up_ref(x: &X509) -> c_int;
    pub safe fn X509_print(out: &BIO, x: &X509) -> c_int;
    pub safe fn X509_get_version(x: &X509) -> c_long;
    pub safe fn X509_set_version(x: &X509, version: c_long) -> c_int;
    pub safe fn X509_get_serialNumber(x: &X509) -> Option<&ASN1_INTEGER>;
    pub safe fn X509_set_serialNumber(x: &X509, serial: &ASN1_INTEGER) -> c_int;
    pub safe fn X509_get0_tbs_sigalg(x: &X509) -> Option<&X509_ALGOR>;
    pub safe fn X509_get_subject_name(x: &X509) -> Option<&X509_NAME>;
    pub safe fn X509_set_subject_name(x: &X509, name: &X509_NAME) -> c_int;
    pub safe fn X509_get_issuer_name(x: &X509) -> Option<&X509_NAME>;
    pub safe fn X509_set_issuer_name(x: &X509, name: &X509_NAME) -> c_int;
    pub safe fn X509_get0_notBefore(x: &X509) -> Option<&ASN1_TIME>;
    pub safe fn X509_set1_notBefore(x: &X509, time: Option<&ASN1_TIME>) -> c_int;
    pub safe fn X509_get0_notAfter(x: &X509) -> Option<&ASN1_TIME>;
    pub safe fn X509_set1_notAfter(x: &X509, time: Option<&ASN1_TIME>) -> c_int;
    pub safe fn X509_get_pubkey(x: &X509) -> Option<Owned<EVP_PKEY>>;
    pub safe fn X509_set_pubkey(x: &X509, key: &EVP_PKEY) -> c_int;
    pub safe fn X509_sign(x: &X509, key: &EVP_PKEY, md: Option<&EVP_MD>) -> c_int;
    pub safe fn X509_verify(x: &X509, key: &EVP_PKEY) -> c_int;
    pub safe fn X509_check_private_key(x: &X509, key: &EVP_PKEY) -> c_int;
    pub safe fn X509_cmp(a: &X509, b: &X509) -> c_int;
    pub safe fn X509_get_ext_count(x: &X509) -> c_int;
    pub safe fn X509_get_ext(x: &X509, at: c_int) -> Option<&X509_EXTENSION>;
    pub safe fn X509_delete_ext(x: &X509, at: c_int) -> Option<Owned<X509_EXTENSION>>;
    pub safe fn X509_add_ext(x: &X509, extension: &X509_EXTENSION, at: c_int) -> c_int;
    fn i2d_re_X509_tbs(x: &X509, out: *mut *mut u8) -> c_int;

    pub safe fn X509_REQ_new() -> Option<Owned<X509_REQ>>;
    pub safe fn X509_REQ_dup(x: &X509_REQ) -> Option<Owned<X509_REQ>>;
    pub safe fn X509_REQ_print(out: &BIO, x: &X509_REQ) -> c_int;
    pub safe fn X509_REQ_get_version(x: &X509_REQ) -> c_long;
    pub safe fn X509_REQ_set_version(x: &X509_REQ, version: c_long) -> c_int;
    pub safe fn X509_REQ_get_subject_name(x: &X509_REQ) -> Option<&X509_NAME>;
    pub safe fn X509_REQ_set_subject_name(x: &X509_REQ, name: &X509_NAME) -> c_int;
    fn X509_REQ_get0_signature(x: &X509_REQ, signature: *mut *const c_void, algorithm: *mut *const X509_ALGOR);
    pub safe fn X509_REQ_get_pubkey(x: &X509_REQ) -> Option<Owned<EVP_PKEY>>;
    pub safe fn X509_REQ_set_pubkey(x: &X509_REQ, key: &EVP_PKEY) -> c_int;
    pub safe fn X509_REQ_sign(x: &X509_REQ, key: &EVP_PKEY, md: Option<&EVP_MD>) -> c_int;
    pub safe fn X509_REQ_verify(x: &X509_REQ, key: &EVP_PKEY) -> c_int;
    pub safe fn X509_REQ_get_attr_count(x: &X509_REQ) -> c_int;
    pub safe fn X509_REQ_get_attr(x: &X509_REQ, at: c_int) -> Option<&X509_ATTRIBUTE>;
    pub safe fn X509_REQ_delete_attr(x: &X509_REQ, at: c_int) -> Option<Owned<X509_ATTRIBUTE>>;
    pub safe fn X509_REQ_add1_attr(x: &X509_REQ, attribute: &X509_ATTRIBUTE) -> c_int;

    pub safe fn X509_CRL_new() -> Option<Owned<X509_CRL>>;
    pub safe fn X509_CRL_dup(x: &X509_CRL) -> Option<Owned<X509_CRL>>;
    pub safe fn X509_CRL_print(out: &BIO, x: &X509_CRL) -> c_int;
    pub safe fn X509_CRL_get_version(x: &X509_CRL) -> c_long;
    pub safe fn X509_CRL_set_version(x: &X509_CRL, version: c_long) -> c_int;
    fn X509_CRL_get0_signature(x: &X509_CRL, signature: *mut *const c_void, algorithm: *mut *const X509_ALGOR);
    pub safe fn X509_CRL_get_issuer(x: &X509_CRL) -> Option<&X509_NAME>;
    pub safe fn X509_CRL_set_issuer_name(x: &X509_CRL, name: &X509_NAME) -> c_int;
    pub safe fn X509_CRL_get0_lastUpdate(x: &X509_CRL) -> Option<&ASN1_TIME>;
    pub safe fn X509_CRL_set1_lastUpdate(x: &X509_CRL, time: Option<&ASN1_TIME>) -> c_int;
    pub safe fn X509_CRL_get0_nextUpdate(x: &X509_CRL) -> Option<&ASN1_TIME>;
    pub safe fn X509_CRL_set1_nextUpdate(x: &X509_CRL, time: Option<&ASN1_TIME>) -> c_int;
    pub safe fn X509_CRL_get_REVOKED(x: &X509_CRL) -> Option<&Stack<X509_REVOKED>>;
    fn X509_CRL_add0_revoked(x: &X509_CRL, revoked: *mut X509_REVOKED) -> c_int;
    fn X509_CRL_get0_by_serial(x: &X509_CRL, found: *mut *mut X509_REVOKED, serial: &ASN1_INTEGER) -> c_int;
    pub safe fn X509_CRL_sort(x: &X509_CRL) -> c_int;
    pub safe fn X509_CRL_sign(x: &X509_CRL, key: &EVP_PKEY, md: Option<&EVP_MD>) -> c_int;
    pub safe fn X509_CRL_verify(x: &X509_CRL, key: &EVP_PKEY) -> c_int;
    pub safe fn X509_CRL_get_ext_count(x: &X509_CRL) -> c_int;
    pub safe fn X509_CRL_get_ext(x: &X509_CRL, at: c_int) -> Option<&X509_EXTENSION>;
    pub safe fn X509_CRL_delete_ext(x: &X509_CRL, at: c_int) -> Option<Owned<X509_EXTENSION>>;
    pub safe fn X509_CRL_add_ext(x: &X509_CRL, extension: &X509_EXTENSION, at: c_int) -> c_int;

    pub safe fn X509_REVOKED_new() -> Option<Owned<X509_REVOKED>>;
    pub safe fn X509_REVOKED_dup(x: &X509_REVOKED) -> Option<Owned<X509_REVOKED>>;
    pub safe fn X509_REVOKED_get0_serialNumber(x: &X509_REVOKED) -> Option<&ASN1_INTEGER>;
    pub safe fn X509_REVOKED_set_serialNumber(x: &X509_REVOKED, serial: &ASN1_INTEGER) -> c_int;
    pub safe fn X509_REVOKED_get0_revocationDate(x: &X509_REVOKED) -> Option<&ASN1_TIME>;
    pub safe fn X509_REVOKED_set_revocationDate(x: &X509_REVOKED, time: Option<&ASN1_TIME>) -> c_int;
    pub safe fn X509_REVOKED_get_ext_count(x: &X509_REVOKED) -> c_int;
    pub safe fn X509_REVOKED_get_ext(x: &X509_REVOKED, at: c_int) -> Option<&X509_EXTENSION>;
    pub safe fn X509_REVOKED_delete_ext(x: &X509_REVOKED, at: c_int) -> Option<Owned<X509_EXTENSION>>;
    pub safe fn X509_REVOKED_add_ext(x: &X509_REVOKED, extension: &X509_EXTENSION, at: c_int) -> c_int;

    pub safe fn X509_EXTENSION_new() -> Option<Owned<X509_EXTENSION>>;
    pub safe fn X509_EXTENSION_dup(x: &X509_EXTENSION) -> Option<Owned<X509_EXTENSION>>;
    pub safe fn X509_EXTENSION_set_object(x: &X509_EXTENSION, object: &ASN1_OBJECT) -> c_int;
    pub safe fn X509_EXTENSION_get_object(x: &X509_EXTENSION) -> Option<&ASN1_OBJECT>;
    pub safe fn X509_EXTENSION_set_data(x: &X509_EXTENSION, data: &ASN1_OCTET_STRING) -> c_int;
    pub safe fn X509_EXTENSION_get_data(x: &X509_EXTENSION) -> Option<&ASN1_STRING>;
    pub safe fn X509_EXTENSION_set_critical(x: &X509_EXTENSION, critical: c_int) -> c_int;
    pub safe fn X509_EXTENSION_get_critical(x: &X509_EXTENSION) -> c_int;
    pub safe fn X509V3_EXT_print(out: &BIO, x: &X509_EXTENSION, flags: c_ulong, indent: c_int) -> c_int;
    fn X509V3_EXT_nconf(conf: *const CONF, ctx: *mut V3, name: Text, value: Text) -> Option<Owned<X509_EXTENSION>>;
    fn X509V3_set_ctx(
        ctx: *mut V3,
        issuer: *const X509,
        subject: *const X509,
        request: *const X509_REQ,
        crl: *const X509_CRL,
        flags: c_int,
    );
    fn X509V3_set_nconf(ctx: *mut V3, conf: *const CONF);

    pub safe fn X509_ATTRIBUTE_new() -> Option<Owned<X509_ATTRIBUTE>>;
    pub safe fn X509_ATTRIBUTE_dup(x: &X509_ATTRIBUTE) -> Option<Owned<X509_ATTRIBUTE>>;
    pub safe fn X509_ATTRIBUTE_set1_object(x: &X509_ATTRIBUTE, object: &ASN1_OBJECT) -> c_int;
    pub safe fn X509_ATTRIBUTE_get0_object(x: &X509_ATTRIBUTE) -> Option<&ASN1_OBJECT>;
    pub safe fn X509_ATTRIBUTE_count(x: &X509_ATTRIBUTE) -> c_int;
    pub safe fn X509_ATTRIBUTE_get0_type(x: &X509_ATTRIBUTE, at: c_int) -> Option<&ASN1_TYPE>;
    fn X509_ATTRIBUTE_set1_data(x: &X509_ATTRIBUTE, kind: c_int, data: *const c_void, len: c_int) -> c_int;

    pub safe fn X509_NAME_new() -> Option<Owned<X509_NAME>>;
    pub safe fn X509_NAME_dup(x: &X509_NAME) -> Option<Owned<X509_NAME>>;
    fn X509_NAME_add_entry_by_txt(
        x: &X509_NAME,
        field: Text,
        kind: c_int,
        bytes: *const u8,
        len: c_int,
        at: c_int,
        set: c_int,
    ) -> c_int;
    fn X509_NAME_oneline(x: &X509_NAME, buffer: *mut c_char, size: c_int) -> Option<OwnedText>;
    pub safe fn X509_NAME_print_ex(out: &BIO, x: &X509_NAME, indent: c_int, flags: c_ulong) -> c_int;
    pub safe fn X509_NAME_entry_count(x: &X509_NAME) -> c_int;
    pub safe fn X509_NAME_get_entry(x: &X509_NAME, at: c_int) -> Option<&X509_NAME_ENTRY>;
    pub safe fn X509_NAME_ENTRY_get_object(x: &X509_NAME_ENTRY) -> Option<&ASN1_OBJECT>;
    pub safe fn X509_NAME_ENTRY_get_data(x: &X509_NAME_ENTRY) -> Option<&ASN1_STRING>;
    pub safe fn X509_NAME_cmp(a: &X509_NAME, b: &X509_NAME) -> c_int;
    fn X509_NAME_hash_ex(x: &X509_NAME, library: *mut c_void, properties: *const c_char, done: *mut c_int) -> c_ulong;
    pub safe fn X509_NAME_hash_old(x: &X509_NAME) -> c_ulong;

    pub safe fn X509_STORE_new() -> Option<Owned<X509_STORE>>;
    pub safe fn X509_STORE_up_ref(store: &X509_STORE) -> c_int;
    pub safe fn X509_STORE_get0_param(store: &X509_STORE) -> Option<&X509_VERIFY_PARAM>;
    pub safe fn X509_STORE_set_purpose(store: &X509_STORE, purpose: c_int) -> c_int;
    pub safe fn X509_STORE_set_trust(store: &X509_STORE, trust: c_int) -> c_int;
    pub safe fn X509_STORE_set_default_paths(store: &X509_STORE) -> c_int;
    pub safe fn X509_STORE_add_cert(store: &X509_STORE, cert: &X509) -> c_int;
    pub safe fn X509_STORE_add_crl(store: &X509_STORE, crl: &X509_CRL) -> c_int;
    fn X509_STORE_set_verify_cb(store: &X509_STORE, f: unsafe extern "C" fn(c_int, *mut X509_STORE_CTX) -> c_int);
    safe fn X509_STORE_add_lookup<'a>(store: &'a X509_STORE, method: &X509_LOOKUP_METHOD) -> Option<&'a X509_LOOKUP>;
    safe fn X509_LOOKUP_file() -> &'static X509_LOOKUP_METHOD;
    safe fn X509_LOOKUP_hash_dir() -> &'static X509_LOOKUP_METHOD;
    fn X509_LOOKUP_ctrl(
        lookup: &X509_LOOKUP,
        command: c_int,
        text: Text,
        number: c_long,
        out: *mut *mut c_char,
    ) -> c_int;
    pub safe fn X509_VERIFY_PARAM_get_flags(param: &X509_VERIFY_PARAM) -> c_ulong;
    pub safe fn X509_VERIFY_PARAM_set_flags(param: &X509_VERIFY_PARAM, flags: c_ulong) -> c_int;
    pub safe fn X509_VERIFY_PARAM_clear_flags(param: &X509_VERIFY_PARAM, flags: c_ulong) -> c_int;
    pub safe fn X509_VERIFY_PARAM_set_time(param: &X509_VERIFY_PARAM, time: i64);

    pub safe fn X509_STORE_CTX_new() -> Option<Owned<X509_STORE_CTX>>;
    fn X509_STORE_CTX_init(
        ctx: &X509_STORE_CTX,
        store: *const X509_STORE,
        cert: *const X509,
        chain: *const Stack<X509>,
    ) -> c_int;
    pub safe fn X509_verify_cert(ctx: &X509_STORE_CTX) -> c_int;
    pub safe fn X509_STORE_CTX_get0_store(ctx: &X509_STORE_CTX) -> Option<&X509_STORE>;
    pub safe fn X509_STORE_CTX_get0_chain(ctx: &X509_STORE_CTX) -> Option<&Stack<X509>>;
    pub safe fn X509_STORE_CTX_get_error(ctx: &X509_STORE_CTX) -> c_int;
    pub safe fn X509_STORE_CTX_set_error(ctx: &X509_STORE_CTX, error: c_int);
    pub safe fn X509_STORE_CTX_get_error_depth(ctx: &X509_STORE_CTX) -> c_int;
    pub safe fn X509_STORE_CTX_get_current_cert(ctx: &X509_STORE_CTX) -> Option<&X509>;
    pub safe fn X509_STORE_CTX_get0_current_crl(ctx: &X509_STORE_CTX) -> Option<&X509_CRL>;
    pub safe fn X509_STORE_CTX_get0_param(ctx: &X509_STORE_CTX) -> Option<&X509_VERIFY_PARAM>;
    pub safe fn X509_STORE_CTX_set_purpose(ctx: &X509_STORE_CTX, purpose: c_int) -> c_int;
    pub safe fn X509_STORE_CTX_set_trust(ctx: &X509_STORE_CTX, trust: c_int) -> c_int;
    pub safe fn X509_STORE_CTX_set_time(ctx: &X509_STORE_CTX, flags: c_ulong, time: i64);
    pub safe fn X509_verify_cert_error_string(error: c_long) -> Option<Text<'static>>;

    pub safe fn X509_get_default_cert_area() -> Text<'static>;
    pub safe fn X509_get_default_cert_dir() -> Text<'static>;
    pub safe fn X509_get_default_cert_file() -> Text<'static>;
    pub safe fn X509_get_default_cert_dir_env() -> Text<'static>;
    pub safe fn X509_get_default_cert_file_env() -> Text<'static>;
    pub safe fn X509_get_default_private_dir() -> Text<'static>;

    pub safe fn NETSCAPE_SPKI_new() -> Option<Owned<NETSCAPE_SPKI>>;
    fn NETSCAPE_SPKI_b64_decode(text: *const u8, len: c_int) -> Option<Owned<NETSCAPE_SPKI>>;
    pub safe fn NETSCAPE_SPKI_b64_encode(spki: &NETSCAPE_SPKI) -> Option<OwnedText>;
    pub safe fn NETSCAPE_SPKI_print(out: &BIO, spki: &NETSCAPE_SPKI) -> c_int;
    pub safe fn NETSCAPE_SPKI_get_pubkey(spki: &NETSCAPE_SPKI) -> Option<Owned<EVP_PKEY>>;
    pub safe fn NETSCAPE_SPKI_set_pubkey(spki: &NETSCAPE_SPKI, key: &EVP_PKEY) -> c_int;
    pub safe fn NETSCAPE_SPKI_sign(spki: &NETSCAPE_SPKI, key: &EVP_PKEY, md: Option<&EVP_MD>) -> c_int;
    pub safe fn NETSCAPE_SPKI_verify(spki: &NETSCAPE_SPKI, key: &EVP_PKEY) -> c_int;
}

impl X509 {
    /// One more reference.
    pub fn share(&self) -> Option<Owned<X509>> {
        // SAFETY: the count has been raised for it.
        if X509_up_ref(self) == 1 { unsafe { Owned::from_raw(std::ptr::from_ref(self).cast_mut()) } } else { None }
    }

    /// What is signed.
    pub fn tbs(&self) -> Option<Vec<u8>> {
        // SAFETY: without a place the length alone is told.
        let len = unsafe { i2d_re_X509_tbs(self, null_mut()) };
        let mut out = vec![0; usize::try_from(len).ok().filter(|len| *len > 0)?];
        let mut at = out.as_mut_ptr();
        // SAFETY: so many bytes are written.
        (unsafe { i2d_re_X509_tbs(self, &mut at) } > 0).then_some(out)
    }
}

impl X509_REQ {
    pub fn algorithm(&self) -> Option<&X509_ALGOR> {
        let mut algorithm = std::ptr::null();
        // SAFETY: the place is ours; what is stored there belongs to the request.
        unsafe {
            X509_REQ_get0_signature(self, null_mut(), &mut algorithm);
            algorithm.as_ref()
        }
    }
}

impl X509_CRL {
    pub fn algorithm(&self) -> Option<&X509_ALGOR> {
        let mut algorithm = std::ptr::null();
        // SAFETY: as above.
        unsafe {
            X509_CRL_get0_signature(self, null_mut(), &mut algorithm);
            algorithm.as_ref()
        }
    }

    pub fn add(&self, revoked: Owned<X509_REVOKED>) -> bool {
        let raw = revoked.into_raw();
        // SAFETY: the list takes it over when the call succeeds.
        unsafe {
            let done = X509_CRL_add0_revoked(self, raw) == 1;
            if !done {
                drop(Owned::from_raw(raw));
            }
            done
        }
    }

    pub fn clear(&self) {
        if let Some(list) = X509_CRL_get_REVOKED(self) {
            // SAFETY: the list owns its items.
            while unsafe { list.pop() }.is_some() {}
        }
    }

    pub fn by_serial(&self, serial: &ASN1_INTEGER) -> Option<&X509_REVOKED> {
        let mut found = null_mut();
        // SAFETY: the place is ours; what is stored there belongs to the list.
        unsafe { if X509_CRL_get0_by_serial(self, &mut found, serial) == 0 { None } else { found.as_ref() } }
    }
}

impl X509_NAME {
    pub fn add(&self, field: Text, kind: c_int, bytes: &[u8], at: c_int, set: c_int) -> bool {
        // SAFETY: so many bytes are there.
        unsafe { X509_NAME_add_entry_by_txt(self, field, kind, bytes.as_ptr(), bytes.len() as c_int, at, set) == 1 }
    }

    pub fn line(&self) -> Option<OwnedText> {
        // SAFETY: a new text is made.
        unsafe { X509_NAME_oneline(self, null_mut(), 0) }
    }

    pub fn hash(&self) -> c_ulong {
        // SAFETY: the default library context; nobody asks whether it went well.
        unsafe { X509_NAME_hash_ex(self, null_mut(), std::ptr::null(), null_mut()) }
    }
}

impl X509_ATTRIBUTE {
    pub fn add(&self, value: &ASN1_TYPE) -> bool {
        // SAFETY: the value's own type and content.
        unsafe { X509_ATTRIBUTE_set1_data(self, super::asn1::ASN1_TYPE_get(value), value.value(), -1) == 1 }
    }
}

/// The library's context for extensions: larger than any version's.
#[repr(C)]
struct V3(UnsafeCell<[u64; 32]>);

/// What extensions refer to.
pub struct Subjects<'a> {
    pub issuer: Option<&'a X509>,
    pub subject: Option<&'a X509>,
    pub request: Option<&'a X509_REQ>,
    pub crl: Option<&'a X509_CRL>,
}

/// An extension of its name and the text of its value.
pub fn extension(subjects: &Subjects, conf: Option<&CONF>, name: Text, value: Text) -> Option<Owned<X509_EXTENSION>> {
    fn at<T>(part: Option<&T>) -> *const T {
        part.map_or(std::ptr::null(), std::ptr::from_ref)
    }
    let ctx = V3(UnsafeCell::new([0; 32]));
    let raw = std::ptr::from_ref(&ctx).cast_mut();
    // SAFETY: the context is large enough, and all that it refers to lives until the call returns.
    unsafe {
        X509V3_set_ctx(raw, at(subjects.issuer), at(subjects.subject), at(subjects.request), at(subjects.crl), 0);
        X509V3_set_nconf(raw, at(conf));
        X509V3_EXT_nconf(at(conf), raw, name, value)
    }
}

impl X509_STORE {
    pub fn share(&self) -> Option<Owned<X509_STORE>> {
        if X509_STORE_up_ref(self) != 1 {
            return None;
        }
        // SAFETY: the count has been raised for it.
        unsafe { Owned::from_raw(std::ptr::from_ref(self).cast_mut()) }
    }

    /// Has `f` asked about each certificate.
    pub fn ask(&self, f: unsafe extern "C" fn(c_int, *mut X509_STORE_CTX) -> c_int) {
        // SAFETY: the function keeps to the library's contract.
        unsafe { X509_STORE_set_verify_cb(self, f) }
    }

    /// The step that failed.
    pub fn add_file(&self, path: Text) -> Result<(), &'static str> {
        self.add(path, X509_LOOKUP_file(), 1, "X509_LOOKUP_load_file")
    }

    pub fn add_dir(&self, path: Text) -> Result<(), &'static str> {
        self.add(path, X509_LOOKUP_hash_dir(), 2, "X509_LOOKUP_add_dir")
    }

    fn add(
        &self,
        path: Text,
        method: &X509_LOOKUP_METHOD,
        command: c_int,
        step: &'static str,
    ) -> Result<(), &'static str> {
        let lookup = X509_STORE_add_lookup(self, method).ok_or("X509_STORE_add_lookup")?;
        // SAFETY: the commands take a path and the type of the files.
        let done = unsafe { X509_LOOKUP_ctrl(lookup, command, path, FILETYPE_PEM.into(), null_mut()) };
        if done == 1 { Ok(()) } else { Err(step) }
    }
}

/// A verification with what it refers to.
pub struct Verification {
    pub ctx: Owned<X509_STORE_CTX>,
    _store: Owned<X509_STORE>,
    _cert: Option<Owned<X509>>,
    _chain: Option<OwnedStack<X509>>,
}

impl Verification {
    pub fn new(
        store: Owned<X509_STORE>,
        cert: Option<Owned<X509>>,
        chain: Option<OwnedStack<X509>>,
    ) -> Option<Verification> {
        let ctx = X509_STORE_CTX_new()?;
        let at = cert.as_ref().map_or(null_mut(), Owned::as_ptr);
        let list = chain.as_ref().map_or(std::ptr::null(), |chain| std::ptr::from_ref::<Stack<X509>>(chain));
        // SAFETY: all of them live as long as the context, which is the first field and so dropped first.
        let done = unsafe { X509_STORE_CTX_init(&ctx, &*store, at, list) == 1 };
        done.then_some(Verification { ctx, _store: store, _cert: cert, _chain: chain })
    }
}

pub fn spki_of_base64(text: &[u8]) -> Option<Owned<NETSCAPE_SPKI>> {
    // SAFETY: so many bytes are there.
    unsafe { NETSCAPE_SPKI_b64_decode(text.as_ptr(), text.len() as c_int) }
}

/// The beginning of the library's structure, which its headers show: the signed part, which holds key and challenge.
#[repr(C)]
struct SpkiHead {
    spkac: *const SpkacHead,
}

#[repr(C)]
struct SpkacHead {
    key: *const c_void,
    challenge: *const ASN1_STRING,
}

impl NETSCAPE_SPKI {
    pub fn challenge(&self) -> Option<&ASN1_STRING> {
        // SAFETY: the structures are public and begin so.
        unsafe { (*(*std::ptr::from_ref(self).cast::<SpkiHead>()).spkac).challenge.as_ref() }
    }
}

//! OCSP.

use super::asn1::{ASN1_INTEGER, ASN1_OBJECT, ASN1_OCTET_STRING, ASN1_TIME};
use super::evp::EVP_MD;
use super::pkey::EVP_PKEY;
use super::stack::{OwnedStack, Stack};
use super::x509::{X509, X509_EXTENSION, X509_STORE};
use super::{Owned, Text, borrowed, der, foreign};
use std::ffi::{c_int, c_long, c_ulong};
use std::ptr::{null, null_mut};

foreign! {
    OCSP_REQUEST "OpenSSL/OCSP/REQUEST" OCSP_REQUEST_free;
    OCSP_RESPONSE "OpenSSL/OCSP/RESPONSE" OCSP_RESPONSE_free;
    OCSP_BASICRESP "OpenSSL/OCSP/BASICRESP" OCSP_BASICRESP_free;
    OCSP_SINGLERESP "OpenSSL/OCSP/SINGLERESP" OCSP_SINGLERESP_free;
    OCSP_CERTID "OpenSSL/OCSP/CERTID" OCSP_CERTID_free;
}

borrowed! { OCSP_ONEREQ; }

der! {
    OCSP_REQUEST d2i_OCSP_REQUEST i2d_OCSP_REQUEST;
    OCSP_RESPONSE d2i_OCSP_RESPONSE i2d_OCSP_RESPONSE;
    OCSP_BASICRESP d2i_OCSP_BASICRESP i2d_OCSP_BASICRESP;
    OCSP_SINGLERESP d2i_OCSP_SINGLERESP i2d_OCSP_SINGLERESP;
    OCSP_CERTID d2i_OCSP_CERTID i2d_OCSP_CERTID;
}

pub const NOCERTS: c_ulong = 1;
pub const REVOKED: c_int = 1;

type Sign<T> = unsafe extern "C" fn(&T, &X509, &EVP_PKEY, Option<&EVP_MD>, *const Stack<X509>, c_ulong) -> c_int;
type Verify<T> = unsafe extern "C" fn(&T, *const Stack<X509>, &X509_STORE, c_ulong) -> c_int;

unsafe extern "C" {
    pub safe fn OCSP_REQUEST_new() -> Option<Owned<OCSP_REQUEST>>;
    fn OCSP_request_add1_nonce(request: &OCSP_REQUEST, bytes: *const u8, len: c_int) -> c_int;
    pub safe fn OCSP_check_nonce(request: &OCSP_REQUEST, response: &OCSP_BASICRESP) -> c_int;
    fn OCSP_request_add0_id(request: &OCSP_REQUEST, id: *mut OCSP_CERTID) -> *mut OCSP_ONEREQ;
    pub safe fn OCSP_request_onereq_count(request: &OCSP_REQUEST) -> c_int;
    safe fn OCSP_request_onereq_get0(request: &OCSP_REQUEST, at: c_int) -> Option<&OCSP_ONEREQ>;
    safe fn OCSP_onereq_get0_id(one: &OCSP_ONEREQ) -> Option<&OCSP_CERTID>;
    fn OCSP_request_sign(
        this: &OCSP_REQUEST,
        cert: &X509,
        key: &EVP_PKEY,
        md: Option<&EVP_MD>,
        certs: *const Stack<X509>,
        flags: c_ulong,
    ) -> c_int;
    fn OCSP_request_verify(this: &OCSP_REQUEST, certs: *const Stack<X509>, store: &X509_STORE, flags: c_ulong)
    -> c_int;
    pub safe fn OCSP_request_is_signed(request: &OCSP_REQUEST) -> c_int;
    pub safe fn OCSP_RESPONSE_new() -> Option<Owned<OCSP_RESPONSE>>;
    pub safe fn OCSP_response_create(status: c_int, response: Option<&OCSP_BASICRESP>) -> Option<Owned<OCSP_RESPONSE>>;
    pub safe fn OCSP_response_status(response: &OCSP_RESPONSE) -> c_int;
    pub safe fn OCSP_response_status_str(status: c_long) -> Option<Text<'static>>;
    pub safe fn OCSP_response_get1_basic(response: &OCSP_RESPONSE) -> Option<Owned<OCSP_BASICRESP>>;
    pub safe fn OCSP_BASICRESP_new() -> Option<Owned<OCSP_BASICRESP>>;
    pub safe fn OCSP_copy_nonce(response: &OCSP_BASICRESP, request: &OCSP_REQUEST) -> c_int;
    fn OCSP_basic_add1_nonce(response: &OCSP_BASICRESP, bytes: *const u8, len: c_int) -> c_int;
    pub safe fn OCSP_basic_add1_status<'a>(
        response: &'a OCSP_BASICRESP,
        id: &OCSP_CERTID,
        status: c_int,
        reason: c_int,
        revoked: Option<&ASN1_TIME>,
        this: Option<&ASN1_TIME>,
        next: Option<&ASN1_TIME>,
    ) -> Option<&'a OCSP_SINGLERESP>;
    pub safe fn OCSP_SINGLERESP_add_ext(single: &OCSP_SINGLERESP, extension: &X509_EXTENSION, at: c_int) -> c_int;
    pub safe fn OCSP_SINGLERESP_get_ext_count(single: &OCSP_SINGLERESP) -> c_int;
    pub safe fn OCSP_SINGLERESP_get_ext(single: &OCSP_SINGLERESP, at: c_int) -> Option<&X509_EXTENSION>;
    pub safe fn OCSP_SINGLERESP_get0_id(single: &OCSP_SINGLERESP) -> Option<&OCSP_CERTID>;
    fn OCSP_single_get0_status(
        single: &OCSP_SINGLERESP,
        reason: *mut c_int,
        revoked: *mut *const ASN1_TIME,
        this: *mut *const ASN1_TIME,
        next: *mut *const ASN1_TIME,
    ) -> c_int;
    pub safe fn OCSP_resp_count(response: &OCSP_BASICRESP) -> c_int;
    pub safe fn OCSP_resp_get0(response: &OCSP_BASICRESP, at: c_int) -> Option<&OCSP_SINGLERESP>;
    pub safe fn OCSP_resp_find(response: &OCSP_BASICRESP, id: &OCSP_CERTID, last: c_int) -> c_int;
    fn OCSP_basic_sign(
        this: &OCSP_BASICRESP,
        cert: &X509,
        key: &EVP_PKEY,
        md: Option<&EVP_MD>,
        certs: *const Stack<X509>,
        flags: c_ulong,
    ) -> c_int;
    fn OCSP_basic_verify(this: &OCSP_BASICRESP, certs: *const Stack<X509>, store: &X509_STORE, flags: c_ulong)
    -> c_int;
    pub safe fn OCSP_check_validity(
        this: Option<&ASN1_TIME>,
        next: Option<&ASN1_TIME>,
        slack: c_long,
        most: c_long,
    ) -> c_int;
    pub safe fn OCSP_CERTID_dup(id: &OCSP_CERTID) -> Option<Owned<OCSP_CERTID>>;
    pub safe fn OCSP_cert_to_id(md: Option<&EVP_MD>, subject: &X509, issuer: &X509) -> Option<Owned<OCSP_CERTID>>;
    pub safe fn OCSP_id_cmp(a: &OCSP_CERTID, b: &OCSP_CERTID) -> c_int;
    pub safe fn OCSP_id_issuer_cmp(a: &OCSP_CERTID, b: &OCSP_CERTID) -> c_int;
    fn OCSP_id_get0_info(
        name: *mut *const ASN1_OCTET_STRING,
        md: *mut *const ASN1_OBJECT,
        key: *mut *const ASN1_OCTET_STRING,
        serial: *mut *const ASN1_INTEGER,
        id: &OCSP_CERTID,
    ) -> c_int;
    fn X509_gmtime_adj(to: *mut ASN1_TIME, seconds: c_long) -> Option<Owned<ASN1_TIME>>;
}

/// What can be signed and verified.
///
/// # Safety
/// The functions are the library's own for this type.
pub unsafe trait Signs: Sized + 'static {
    const SIGN: Sign<Self>;
    const VERIFY: Verify<Self>;

    fn sign(
        &self,
        cert: &X509,
        key: &EVP_PKEY,
        md: Option<&EVP_MD>,
        certs: Option<&OwnedStack<X509>>,
        flags: c_ulong,
    ) -> bool {
        let list = certs.map_or(null(), |list| std::ptr::from_ref::<Stack<X509>>(list));
        // SAFETY: all of them live until the call returns.
        unsafe { Self::SIGN(self, cert, key, md, list, flags) != 0 }
    }

    fn verify(&self, certs: &OwnedStack<X509>, store: &X509_STORE, flags: c_ulong) -> bool {
        // SAFETY: as above.
        unsafe { Self::VERIFY(self, std::ptr::from_ref::<Stack<X509>>(certs), store, flags) > 0 }
    }
}

// SAFETY: they are.
unsafe impl Signs for OCSP_REQUEST {
    const SIGN: Sign<OCSP_REQUEST> = OCSP_request_sign;
    const VERIFY: Verify<OCSP_REQUEST> = OCSP_request_verify;
}
// SAFETY: they are.
unsafe impl Signs for OCSP_BASICRESP {
    const SIGN: Sign<OCSP_BASICRESP> = OCSP_basic_sign;
    const VERIFY: Verify<OCSP_BASICRESP> = OCSP_basic_verify;
}

/// The library reads sixteen bytes where it is told of none: a nonce without bytes is a random one, too.
fn nonce(bytes: Option<&[u8]>) -> (*const u8, c_int) {
    bytes.filter(|bytes| !bytes.is_empty()).map_or((null(), -1), |bytes| (bytes.as_ptr(), bytes.len() as c_int))
}

impl OCSP_REQUEST {
    /// A random one without bytes.
    pub fn add_nonce(&self, bytes: Option<&[u8]>) -> bool {
        let (at, len) = nonce(bytes);
        // SAFETY: so many bytes are there.
        unsafe { OCSP_request_add1_nonce(self, at, len) == 1 }
    }

    pub fn add(&self, id: Owned<OCSP_CERTID>) -> bool {
        let raw = id.into_raw();
        // SAFETY: the request takes it over when the call succeeds.
        unsafe {
            let done = !OCSP_request_add0_id(self, raw).is_null();
            if !done {
                drop(Owned::from_raw(raw));
            }
            done
        }
    }

    pub fn id(&self, at: c_int) -> Option<&OCSP_CERTID> {
        OCSP_onereq_get0_id(OCSP_request_onereq_get0(self, at)?)
    }
}

impl OCSP_BASICRESP {
    pub fn add_nonce(&self, bytes: Option<&[u8]>) -> bool {
        let (at, len) = nonce(bytes);
        // SAFETY: so many bytes are there.
        unsafe { OCSP_basic_add1_nonce(self, at, len) == 1 }
    }
}

/// What is said of one certificate.
pub struct Status<'a> {
    pub status: c_int,
    pub reason: c_int,
    pub revoked: Option<&'a ASN1_TIME>,
    pub this: Option<&'a ASN1_TIME>,
    pub next: Option<&'a ASN1_TIME>,
}

impl OCSP_SINGLERESP {
    pub fn status(&self) -> Option<Status<'_>> {
        let (mut reason, mut revoked, mut this, mut next) = (-1, null(), null(), null());
        // SAFETY: the places are ours; what is stored there belongs to the response, or is null.
        unsafe {
            let status = OCSP_single_get0_status(self, &mut reason, &mut revoked, &mut this, &mut next);
            (status >= 0).then_some(Status {
                status,
                reason,
                revoked: revoked.as_ref(),
                this: this.as_ref(),
                next: next.as_ref(),
            })
        }
    }
}

/// Hashes of the issuer's name and key, their function, and the serial number.
pub struct Identity<'a> {
    pub name: Option<&'a ASN1_OCTET_STRING>,
    pub md: Option<&'a ASN1_OBJECT>,
    pub key: Option<&'a ASN1_OCTET_STRING>,
    pub serial: Option<&'a ASN1_INTEGER>,
}

impl OCSP_CERTID {
    pub fn identity(&self) -> Identity<'_> {
        let (mut name, mut md, mut key, mut serial) = (null(), null(), null(), null());
        // SAFETY: as above.
        unsafe {
            OCSP_id_get0_info(&mut name, &mut md, &mut key, &mut serial, self);
            Identity { name: name.as_ref(), md: md.as_ref(), key: key.as_ref(), serial: serial.as_ref() }
        }
    }
}

/// The time this number of seconds from now.
pub fn from_now(seconds: c_long) -> Option<Owned<ASN1_TIME>> {
    // SAFETY: a new one is made.
    unsafe { X509_gmtime_adj(null_mut(), seconds) }
}

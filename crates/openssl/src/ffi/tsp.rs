//! Time stamps.

use super::asn1::{ASN1_BIT_STRING, ASN1_INTEGER, ASN1_OBJECT, ASN1_OCTET_STRING, ASN1_STRING, ASN1_TIME, X509_ALGOR};
use super::bio::BIO;
use super::evp::EVP_MD;
use super::pkcs::PKCS7;
use super::pkey::EVP_PKEY;
use super::stack::{OwnedStack, Stack};
use super::x509::{X509, X509_STORE};
use super::{Owned, borrowed, der, foreign};
use std::ffi::{c_int, c_long, c_void};
use std::ptr::null_mut;

foreign! {
    TS_REQ "OpenSSL/Timestamp/Request" TS_REQ_free;
    TS_RESP "OpenSSL/Timestamp/Response" TS_RESP_free;
    TS_TST_INFO "OpenSSL/Timestamp/TokenInfo" TS_TST_INFO_free;
    TS_RESP_CTX "OpenSSL/Timestamp/Factory" TS_RESP_CTX_free;
    TS_VERIFY_CTX "OpenSSL/Timestamp/VERIFY_CTX" TS_VERIFY_CTX_free;
}

borrowed! {
    TS_MSG_IMPRINT;
    TS_STATUS_INFO;
}

der! {
    TS_REQ d2i_TS_REQ i2d_TS_REQ;
    TS_RESP d2i_TS_RESP i2d_TS_RESP;
    TS_TST_INFO d2i_TS_TST_INFO i2d_TS_TST_INFO;
}

const V_NULL: c_int = 5;
const VERIFY_SIGNATURE: c_int = 1;

unsafe extern "C" {
    pub safe fn TS_REQ_new() -> Option<Owned<TS_REQ>>;
    pub safe fn TS_REQ_get_version(request: &TS_REQ) -> c_long;
    pub safe fn TS_REQ_set_version(request: &TS_REQ, version: c_long) -> c_int;
    pub safe fn TS_REQ_get_cert_req(request: &TS_REQ) -> c_int;
    pub safe fn TS_REQ_set_cert_req(request: &TS_REQ, wanted: c_int) -> c_int;
    pub safe fn TS_REQ_get_msg_imprint(request: &TS_REQ) -> Option<&TS_MSG_IMPRINT>;
    pub safe fn TS_MSG_IMPRINT_get_algo(imprint: &TS_MSG_IMPRINT) -> Option<&X509_ALGOR>;
    pub safe fn TS_MSG_IMPRINT_get_msg(imprint: &TS_MSG_IMPRINT) -> Option<&ASN1_OCTET_STRING>;
    fn TS_MSG_IMPRINT_set_msg(imprint: &TS_MSG_IMPRINT, bytes: *const u8, len: c_int) -> c_int;
    pub safe fn TS_REQ_get_policy_id(request: &TS_REQ) -> Option<&ASN1_OBJECT>;
    pub safe fn TS_REQ_set_policy_id(request: &TS_REQ, policy: &ASN1_OBJECT) -> c_int;
    pub safe fn TS_REQ_get_nonce(request: &TS_REQ) -> Option<&ASN1_INTEGER>;
    pub safe fn TS_REQ_set_nonce(request: &TS_REQ, nonce: &ASN1_INTEGER) -> c_int;
    pub safe fn TS_REQ_print_bio(out: &BIO, request: &TS_REQ) -> c_int;
    fn X509_ALGOR_set0(algorithm: &X509_ALGOR, object: *mut ASN1_OBJECT, kind: c_int, value: *mut c_void) -> c_int;

    pub safe fn TS_RESP_get_status_info(response: &TS_RESP) -> Option<&TS_STATUS_INFO>;
    pub safe fn TS_STATUS_INFO_get0_status(info: &TS_STATUS_INFO) -> Option<&ASN1_INTEGER>;
    pub safe fn TS_STATUS_INFO_get0_failure_info(info: &TS_STATUS_INFO) -> Option<&ASN1_BIT_STRING>;
    pub safe fn TS_STATUS_INFO_get0_text(info: &TS_STATUS_INFO) -> Option<&Stack<ASN1_STRING>>;
    pub safe fn ASN1_BIT_STRING_get_bit(bits: &ASN1_BIT_STRING, at: c_int) -> c_int;
    pub safe fn TS_RESP_get_token(response: &TS_RESP) -> Option<&PKCS7>;
    pub safe fn TS_RESP_get_tst_info(response: &TS_RESP) -> Option<&TS_TST_INFO>;
    pub safe fn TS_TST_INFO_dup(info: &TS_TST_INFO) -> Option<Owned<TS_TST_INFO>>;
    pub safe fn TS_RESP_print_bio(out: &BIO, response: &TS_RESP) -> c_int;

    pub safe fn TS_TST_INFO_get_version(info: &TS_TST_INFO) -> c_long;
    pub safe fn TS_TST_INFO_get_policy_id(info: &TS_TST_INFO) -> Option<&ASN1_OBJECT>;
    pub safe fn TS_TST_INFO_get_msg_imprint(info: &TS_TST_INFO) -> Option<&TS_MSG_IMPRINT>;
    pub safe fn TS_TST_INFO_get_serial(info: &TS_TST_INFO) -> Option<&ASN1_INTEGER>;
    pub safe fn TS_TST_INFO_get_time(info: &TS_TST_INFO) -> Option<&ASN1_TIME>;
    pub safe fn TS_TST_INFO_get_ordering(info: &TS_TST_INFO) -> c_int;
    pub safe fn TS_TST_INFO_get_nonce(info: &TS_TST_INFO) -> Option<&ASN1_INTEGER>;
    pub safe fn TS_TST_INFO_print_bio(out: &BIO, info: &TS_TST_INFO) -> c_int;

    fn TS_REQ_to_TS_VERIFY_CTX(request: &TS_REQ, ctx: *mut TS_VERIFY_CTX) -> Option<Owned<TS_VERIFY_CTX>>;
    fn TS_VERIFY_CTX_set_certs(ctx: &TS_VERIFY_CTX, certs: *mut Stack<X509>) -> *mut c_void;
    fn TS_VERIFY_CTX_set_store(ctx: &TS_VERIFY_CTX, store: *mut X509_STORE) -> *mut c_void;
    safe fn TS_VERIFY_CTX_add_flags(ctx: &TS_VERIFY_CTX, flags: c_int) -> c_int;
    safe fn TS_RESP_verify_response(ctx: &TS_VERIFY_CTX, response: &TS_RESP) -> c_int;

    pub safe fn TS_RESP_CTX_new() -> Option<Owned<TS_RESP_CTX>>;
    pub safe fn TS_RESP_CTX_set_signer_cert(ctx: &TS_RESP_CTX, cert: &X509) -> c_int;
    pub safe fn TS_RESP_CTX_set_signer_key(ctx: &TS_RESP_CTX, key: &EVP_PKEY) -> c_int;
    fn TS_RESP_CTX_set_certs(ctx: &TS_RESP_CTX, certs: *const Stack<X509>) -> c_int;
    pub safe fn TS_RESP_CTX_set_def_policy(ctx: &TS_RESP_CTX, policy: &ASN1_OBJECT) -> c_int;
    pub safe fn TS_RESP_CTX_add_md(ctx: &TS_RESP_CTX, md: &EVP_MD) -> c_int;
    fn TS_RESP_CTX_set_serial_cb(
        ctx: &TS_RESP_CTX,
        f: unsafe extern "C" fn(*mut TS_RESP_CTX, *mut c_void) -> *mut ASN1_INTEGER,
        data: *mut c_void,
    );
    fn TS_RESP_CTX_set_time_cb(
        ctx: &TS_RESP_CTX,
        f: unsafe extern "C" fn(*mut TS_RESP_CTX, *mut c_void, *mut c_long, *mut c_long) -> c_int,
        data: *mut c_void,
    );
    safe fn TS_RESP_create_response(ctx: &TS_RESP_CTX, request: &BIO) -> Option<Owned<TS_RESP>>;
}

impl TS_MSG_IMPRINT {
    pub fn set_algorithm(&self, object: Owned<ASN1_OBJECT>) -> bool {
        let Some(algorithm) = TS_MSG_IMPRINT_get_algo(self) else { return false };
        let raw = object.into_raw();
        // SAFETY: the algorithm takes the identifier over when the call succeeds.
        unsafe {
            let done = X509_ALGOR_set0(algorithm, raw, V_NULL, null_mut()) == 1;
            if !done {
                drop(Owned::from_raw(raw));
            }
            done
        }
    }

    pub fn set_message(&self, bytes: &[u8]) -> bool {
        // SAFETY: so many bytes are copied.
        unsafe { TS_MSG_IMPRINT_set_msg(self, bytes.as_ptr(), bytes.len() as c_int) == 1 }
    }
}

/// Whether the response answers the request and is signed by somebody whom the store trusts. `None`: no context could
/// be made.
pub fn verify(response: &TS_RESP, request: &TS_REQ, store: Owned<X509_STORE>, certs: OwnedStack<X509>) -> Option<bool> {
    // SAFETY: a new context is made, which takes certificates and store over.
    unsafe {
        let ctx = TS_REQ_to_TS_VERIFY_CTX(request, null_mut())?;
        TS_VERIFY_CTX_set_certs(&ctx, certs.into_raw());
        TS_VERIFY_CTX_set_store(&ctx, store.into_raw());
        TS_VERIFY_CTX_add_flags(&ctx, VERIFY_SIGNATURE);
        Some(TS_RESP_verify_response(&ctx, response) == 1)
    }
}

impl TS_RESP_CTX {
    pub fn set_certs(&self, certs: &OwnedStack<X509>) -> bool {
        // SAFETY: they are copied.
        unsafe { TS_RESP_CTX_set_certs(self, std::ptr::from_ref::<Stack<X509>>(certs)) == 1 }
    }
}

struct Stamp {
    serial: Option<Owned<ASN1_INTEGER>>,
    time: c_long,
}

unsafe extern "C" fn serial_of(_ctx: *mut TS_RESP_CTX, data: *mut c_void) -> *mut ASN1_INTEGER {
    // SAFETY: `create` gives the data to the context; the library takes the number over.
    unsafe { (*data.cast::<Stamp>()).serial.take().map_or(null_mut(), Owned::into_raw) }
}

unsafe extern "C" fn time_of(
    _ctx: *mut TS_RESP_CTX,
    data: *mut c_void,
    seconds: *mut c_long,
    micros: *mut c_long,
) -> c_int {
    // SAFETY: as above; the places are the library's.
    unsafe {
        *seconds = (*data.cast::<Stamp>()).time;
        *micros = 0;
    }
    1
}

/// The response to a request, which is read of the stream.
pub fn create(ctx: &TS_RESP_CTX, request: &BIO, serial: Owned<ASN1_INTEGER>, time: c_long) -> Option<Owned<TS_RESP>> {
    let mut stamp = Stamp { serial: Some(serial), time };
    let data: *mut c_void = (&raw mut stamp).cast();
    // SAFETY: the functions are called before the call returns, with the data.
    unsafe {
        TS_RESP_CTX_set_serial_cb(ctx, serial_of, data);
        TS_RESP_CTX_set_time_cb(ctx, time_of, data);
        TS_RESP_create_response(ctx, request)
    }
}

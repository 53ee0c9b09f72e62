//! TLS: contexts, connections, sessions, and who is asked during an operation.
//!
//! The library calls functions of its context in the middle of an operation. While one runs, its connection's extra
//! data points to an [`Asked`], which answers them (`with_asked`); without one each has an answer that refuses.
//! Sessions that a context drops are collected in a list of the context's own (`dropped`), for it may drop them where
//! nobody can be asked.

use super::bio::BIO;
use super::err;
use super::pkey::{DH, EVP_PKEY, EVP_PKEY_get0_DH};
use super::session::SSL_SESSION;
use super::stack::{OwnedStack, Stack};
use super::x509::{X509, X509_NAME, X509_STORE, X509_STORE_CTX};
use super::{Owned, Text, borrowed, foreign};
use std::ffi::{c_char, c_int, c_long, c_uint, c_void};
use std::ptr::{null, null_mut};
use std::sync::{Mutex, OnceLock, PoisonError};

foreign! {
    SSL_CTX "OpenSSL/SSL/CTX" SSL_CTX_free;
    SSL "OpenSSL/SSL" SSL_free;
}

borrowed! {
    SSL_METHOD;
    SSL_CIPHER;
}

const MODE_ENABLE_PARTIAL_WRITE: c_long = 1;
const MODE_ACCEPT_MOVING_WRITE_BUFFER: c_long = 2;
const MODE_RELEASE_BUFFERS: c_long = 0x10;
const MODE_SEND_FALLBACK_SCSV: c_long = 0x80;
pub const ERROR_WANT_READ: c_int = 2;
pub const ERROR_WANT_WRITE: c_int = 3;
pub const ERROR_SYSCALL: c_int = 5;
pub const ERROR_ZERO_RETURN: c_int = 6;
const CERTIFICATE_VERIFY_FAILED: u64 = 134;
const LIBRARY_SSL: u64 = 20;
const INDEX_SSL: c_int = 0;
const INDEX_SSL_CTX: c_int = 1;
const CB_HANDSHAKE_START: c_int = 0x10;
const TLSEXT_ERR_OK: c_int = 0;
const TLSEXT_ERR_ALERT_FATAL: c_int = 2;
const BIO_SET_FD: c_int = 104;

mod ctrl {
    use std::ffi::c_int;
    pub const EXTRA_CHAIN_CERT: c_int = 14;
    pub const SESS_NUMBER: c_int = 20;
    pub const MODE: c_int = 33;
    pub const SET_SESS_CACHE_SIZE: c_int = 42;
    pub const GET_SESS_CACHE_SIZE: c_int = 43;
    pub const SET_SESS_CACHE_MODE: c_int = 44;
    pub const GET_SESS_CACHE_MODE: c_int = 45;
    pub const SET_TLSEXT_SERVERNAME_CB: c_int = 53;
    pub const SET_TLSEXT_HOSTNAME: c_int = 55;
    pub const CHAIN: c_int = 88;
    pub const SET_GROUPS_LIST: c_int = 92;
    pub const SET_SIGALGS_LIST: c_int = 98;
    pub const SET_CLIENT_SIGALGS_LIST: c_int = 102;
    pub const GET_PEER_TMP_KEY: c_int = 109;
    pub const SET_DH_AUTO: c_int = 118;
    pub const SET_MIN_PROTO_VERSION: c_int = 123;
    pub const SET_MAX_PROTO_VERSION: c_int = 124;
}

type VerifyFn = unsafe extern "C" fn(c_int, *mut X509_STORE_CTX) -> c_int;
type ExFree = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void, c_int, c_long, *mut c_void);
type AlpnFn = unsafe extern "C" fn(*mut SSL, *mut *const u8, *mut u8, *const u8, c_uint, *mut c_void) -> c_int;
type NpnFn = unsafe extern "C" fn(*mut SSL, *mut *mut u8, *mut u8, *const u8, c_uint, *mut c_void) -> c_int;

unsafe extern "C" {
    safe fn TLS_method() -> &'static SSL_METHOD;
    safe fn SSL_CTX_new(method: &SSL_METHOD) -> Option<Owned<SSL_CTX>>;
    fn SSL_CTX_ctrl(ctx: &SSL_CTX, command: c_int, number: c_long, memory: *mut c_void) -> c_long;
    fn SSL_CTX_callback_ctrl(ctx: &SSL_CTX, command: c_int, f: *const c_void) -> c_long;
    pub safe fn SSL_CTX_get_options(ctx: &SSL_CTX) -> u64;
    pub safe fn SSL_CTX_set_options(ctx: &SSL_CTX, options: u64) -> u64;
    pub safe fn SSL_CTX_clear_options(ctx: &SSL_CTX, options: u64) -> u64;
    fn SSL_CTX_set_cert_store(ctx: &SSL_CTX, store: *mut X509_STORE);
    pub safe fn SSL_CTX_use_certificate(ctx: &SSL_CTX, cert: &X509) -> c_int;
    pub safe fn SSL_CTX_use_PrivateKey(ctx: &SSL_CTX, key: &EVP_PKEY) -> c_int;
    pub safe fn SSL_CTX_check_private_key(ctx: &SSL_CTX) -> c_int;
    pub safe fn SSL_CTX_add_client_CA(ctx: &SSL_CTX, cert: &X509) -> c_int;
    pub safe fn SSL_CTX_load_verify_file(ctx: &SSL_CTX, file: Text) -> c_int;
    pub safe fn SSL_CTX_load_verify_dir(ctx: &SSL_CTX, dir: Text) -> c_int;
    fn SSL_CTX_set_verify(ctx: &SSL_CTX, mode: c_int, f: VerifyFn);
    pub safe fn SSL_CTX_set_verify_depth(ctx: &SSL_CTX, depth: c_int);
    pub safe fn SSL_CTX_set_timeout(ctx: &SSL_CTX, seconds: c_long) -> c_long;
    pub safe fn SSL_CTX_set_post_handshake_auth(ctx: &SSL_CTX, on: c_int);
    fn SSL_CTX_set_client_cert_cb(
        ctx: &SSL_CTX,
        f: unsafe extern "C" fn(*mut SSL, *mut *mut X509, *mut *mut EVP_PKEY) -> c_int,
    );
    fn SSL_CTX_set_tmp_dh_callback(ctx: &SSL_CTX, f: unsafe extern "C" fn(*mut SSL, c_int, c_int) -> *const DH);
    fn SSL_CTX_set_next_protos_advertised_cb(
        ctx: &SSL_CTX,
        f: unsafe extern "C" fn(*mut SSL, *mut *const u8, *mut c_uint, *mut c_void) -> c_int,
        arg: *mut c_void,
    );
    fn SSL_CTX_set_next_proto_select_cb(ctx: &SSL_CTX, f: NpnFn, arg: *mut c_void);
    fn SSL_CTX_set_alpn_protos(ctx: &SSL_CTX, bytes: *const u8, len: c_uint) -> c_int;
    fn SSL_CTX_set_alpn_select_cb(ctx: &SSL_CTX, f: AlpnFn, arg: *mut c_void);
    fn SSL_CTX_set_session_id_context(ctx: &SSL_CTX, bytes: *const u8, len: c_uint) -> c_int;
    fn SSL_CTX_sess_set_get_cb(
        ctx: &SSL_CTX,
        f: unsafe extern "C" fn(*mut SSL, *const u8, c_int, *mut c_int) -> *mut SSL_SESSION,
    );
    fn SSL_CTX_sess_set_new_cb(ctx: &SSL_CTX, f: unsafe extern "C" fn(*mut SSL, *mut SSL_SESSION) -> c_int);
    fn SSL_CTX_sess_set_remove_cb(ctx: &SSL_CTX, f: unsafe extern "C" fn(*mut SSL_CTX, *mut SSL_SESSION));
    fn SSL_CTX_set_keylog_callback(ctx: &SSL_CTX, f: unsafe extern "C" fn(*const SSL, *const c_char));
    pub safe fn SSL_CTX_get_ciphers(ctx: &SSL_CTX) -> Option<&Stack<SSL_CIPHER>>;
    pub safe fn SSL_CTX_set_cipher_list(ctx: &SSL_CTX, list: Text) -> c_int;
    pub safe fn SSL_CTX_set_ciphersuites(ctx: &SSL_CTX, list: Text) -> c_int;
    fn SSL_CTX_set0_tmp_dh_pkey(ctx: &SSL_CTX, key: *mut EVP_PKEY) -> c_int;
    pub safe fn SSL_CTX_get_security_level(ctx: &SSL_CTX) -> c_int;
    pub safe fn SSL_CTX_set_security_level(ctx: &SSL_CTX, level: c_int);
    pub safe fn SSL_CTX_add_session(ctx: &SSL_CTX, session: &SSL_SESSION) -> c_int;
    pub safe fn SSL_CTX_remove_session(ctx: &SSL_CTX, session: &SSL_SESSION) -> c_int;
    pub safe fn SSL_CTX_flush_sessions(ctx: &SSL_CTX, time: c_long);
    fn SSL_CTX_set_ex_data(ctx: *mut SSL_CTX, index: c_int, data: *mut c_void) -> c_int;
    fn SSL_CTX_get_ex_data(ctx: *const SSL_CTX, index: c_int) -> *mut c_void;
    pub safe fn SSL_CIPHER_get_name(cipher: &SSL_CIPHER) -> Option<Text<'_>>;
    pub safe fn SSL_CIPHER_get_version(cipher: &SSL_CIPHER) -> Option<Text<'_>>;
    fn SSL_CIPHER_get_bits(cipher: &SSL_CIPHER, algorithm: *mut c_int) -> c_int;

    pub safe fn SSL_new(ctx: &SSL_CTX) -> Option<Owned<SSL>>;
    fn SSL_ctrl(ssl: &SSL, command: c_int, number: c_long, memory: *mut c_void) -> c_long;
    pub safe fn SSL_set_SSL_CTX<'a>(ssl: &'a SSL, ctx: &SSL_CTX) -> Option<&'a SSL_CTX>;
    fn SSL_set_info_callback(ssl: &SSL, f: unsafe extern "C" fn(*const SSL, c_int, c_int));
    fn SSL_set_ex_data(ssl: *const SSL, index: c_int, data: *mut c_void) -> c_int;
    fn SSL_get_ex_data(ssl: *const SSL, index: c_int) -> *mut c_void;
    safe fn SSL_set_fd(ssl: &SSL, fd: c_int) -> c_int;
    safe fn SSL_get_rbio(ssl: &SSL) -> Option<&BIO>;
    fn BIO_ctrl(bio: *const BIO, command: c_int, number: c_long, memory: *mut c_void) -> c_long;
    pub safe fn SSL_connect(ssl: &SSL) -> c_int;
    pub safe fn SSL_accept(ssl: &SSL) -> c_int;
    pub safe fn SSL_shutdown(ssl: &SSL) -> c_int;
    fn SSL_read(ssl: &SSL, out: *mut c_void, len: c_int) -> c_int;
    fn SSL_write(ssl: &SSL, bytes: *const c_void, len: c_int) -> c_int;
    safe fn SSL_get_error(ssl: &SSL, result: c_int) -> c_int;
    safe fn SSL_is_server(ssl: &SSL) -> c_int;
    pub safe fn SSL_get_certificate(ssl: &SSL) -> Option<&X509>;
    pub safe fn SSL_get1_peer_certificate(ssl: &SSL) -> Option<Owned<X509>>;
    pub safe fn SSL_get_peer_cert_chain(ssl: &SSL) -> Option<&Stack<X509>>;
    pub safe fn SSL_get_version(ssl: &SSL) -> Option<Text<'_>>;
    pub safe fn SSL_get_current_cipher(ssl: &SSL) -> Option<&SSL_CIPHER>;
    pub safe fn SSL_state_string(ssl: &SSL) -> Option<Text<'_>>;
    pub safe fn SSL_state_string_long(ssl: &SSL) -> Option<Text<'_>>;
    pub safe fn SSL_pending(ssl: &SSL) -> c_int;
    pub safe fn SSL_session_reused(ssl: &SSL) -> c_int;
    pub safe fn SSL_set_session(ssl: &SSL, session: &SSL_SESSION) -> c_int;
    pub safe fn SSL_get1_session(ssl: &SSL) -> Option<Owned<SSL_SESSION>>;
    pub safe fn SSL_get_verify_result(ssl: &SSL) -> c_long;
    fn SSL_get_finished(ssl: &SSL, out: *mut c_void, len: usize) -> usize;
    fn SSL_get_peer_finished(ssl: &SSL, out: *mut c_void, len: usize) -> usize;
    pub safe fn SSL_get_client_CA_list(ssl: &SSL) -> Option<&Stack<X509_NAME>>;
    fn SSL_get0_next_proto_negotiated(ssl: &SSL, out: *mut *const u8, len: *mut c_uint);
    fn SSL_get0_alpn_selected(ssl: &SSL, out: *mut *const u8, len: *mut c_uint);
    fn SSL_export_keying_material(
        ssl: &SSL,
        out: *mut u8,
        len: usize,
        label: *const u8,
        label_len: usize,
        context: *const u8,
        context_len: usize,
        use_context: c_int,
    ) -> c_int;
    safe fn SSL_get_servername(ssl: &SSL, kind: c_int) -> Option<Text<'_>>;
    safe fn SSL_get_ex_data_X509_STORE_CTX_idx() -> c_int;
    fn X509_STORE_CTX_get_ex_data(ctx: *const X509_STORE_CTX, index: c_int) -> *mut c_void;
    safe fn X509_STORE_CTX_get_error_depth(ctx: &X509_STORE_CTX) -> c_int;
    fn CRYPTO_get_ex_new_index(
        class: c_int,
        number: c_long,
        memory: *mut c_void,
        new: *mut c_void,
        dup: *mut c_void,
        free: Option<ExFree>,
    ) -> c_int;

    pub safe fn SSL_SESSION_get_protocol_version(session: &SSL_SESSION) -> c_int;
    pub safe fn SSL_SESSION_get_time(session: &SSL_SESSION) -> c_long;
    pub safe fn SSL_SESSION_set_time(session: &SSL_SESSION, time: c_long) -> c_long;
    pub safe fn SSL_SESSION_get_timeout(session: &SSL_SESSION) -> c_long;
    pub safe fn SSL_SESSION_set_timeout(session: &SSL_SESSION, seconds: c_long) -> c_long;
    pub safe fn SSL_SESSION_print(out: &BIO, session: &SSL_SESSION) -> c_int;
}

// -- extra data ---------------------------------------------------------------------------

pub(super) fn index_of(class: c_int, free: Option<ExFree>) -> c_int {
    // SAFETY: the function frees what is stored there.
    unsafe { CRYPTO_get_ex_new_index(class, 0, null_mut(), null_mut(), null_mut(), free) }
}

/// Where a connection keeps who is asked.
fn asked_index() -> c_int {
    static INDEX: OnceLock<c_int> = OnceLock::new();
    *INDEX.get_or_init(|| index_of(INDEX_SSL, None))
}

/// Where a context keeps what is its own.
fn own_index() -> c_int {
    static INDEX: OnceLock<c_int> = OnceLock::new();
    *INDEX.get_or_init(|| index_of(INDEX_SSL_CTX, Some(free_own)))
}

/// What a context has beside the library's state.
#[derive(Default)]
struct Own {
    dropped: Mutex<Vec<Owned<SSL_SESSION>>>,
    /// Protocols to be offered by the older extension, in its form.
    offered: Mutex<Vec<u8>>,
}

unsafe extern "C" fn free_own(
    _parent: *mut c_void,
    data: *mut c_void,
    _ad: *mut c_void,
    _index: c_int,
    _number: c_long,
    _memory: *mut c_void,
) {
    if !data.is_null() {
        // SAFETY: it is the box that `SSL_CTX::create` has made.
        drop(unsafe { Box::from_raw(data.cast::<Own>()) });
    }
}

/// Who is asked in the middle of an operation.
pub trait Asked {
    /// Whether the certificate that is looked at is accepted; `hostname`: it is the server's own, whose name counts.
    fn verify(&mut self, accepted: bool, ctx: &X509_STORE_CTX, hostname: bool) -> bool;
    fn server_name(&mut self, ssl: &SSL, name: &[u8]) -> bool;
    fn select(&mut self, offered: &[u8], newer: bool) -> Option<Vec<u8>>;
    fn client_certificate(&mut self) -> Option<(Owned<X509>, Owned<EVP_PKEY>)>;
    fn parameters(&mut self, export: c_int, bits: c_int) -> Option<Owned<EVP_PKEY>>;
    fn find_session(&mut self, id: &[u8]) -> Option<Owned<SSL_SESSION>>;
    fn new_session(&mut self, session: Owned<SSL_SESSION>);
    fn log_key(&mut self, line: &[u8]);
    fn renegotiates(&mut self);
}

struct Answers<'a> {
    asked: &'a mut dyn Asked,
    /// What the library still points to after an answer.
    selected: Vec<u8>,
    parameters: Option<Owned<EVP_PKEY>>,
}

/// Runs an operation of the connection during which `asked` is asked.
pub fn with_asked<R>(ssl: &SSL, asked: &mut dyn Asked, f: impl FnOnce() -> R) -> R {
    let mut answers = Answers { asked, selected: Vec::new(), parameters: None };
    // SAFETY: what is stored there is taken away again before `answers` ends.
    unsafe {
        let before = SSL_get_ex_data(ssl, asked_index());
        SSL_set_ex_data(ssl, asked_index(), (&raw mut answers).cast());
        let result = f();
        SSL_set_ex_data(ssl, asked_index(), before);
        result
    }
}

/// Who answers for the connection now.
///
/// # Safety
/// The connection lives, and the result is used before the callback returns.
unsafe fn answers<'a>(ssl: *const SSL) -> Option<&'a mut Answers<'a>> {
    // SAFETY: as the caller says, and by `with_asked`.
    unsafe { SSL_get_ex_data(ssl, asked_index()).cast::<Answers>().as_mut() }
}

unsafe extern "C" fn verify_by_connection(accepted: c_int, ctx: *mut X509_STORE_CTX) -> c_int {
    // SAFETY: the library passes a living context of a living connection.
    unsafe {
        let ssl: *const SSL = X509_STORE_CTX_get_ex_data(ctx, SSL_get_ex_data_X509_STORE_CTX_idx()).cast();
        let Some(answers) = answers(ssl) else { return 0 };
        let ctx = &*ctx;
        let hostname = accepted != 0 && SSL_is_server(&*ssl) == 0 && X509_STORE_CTX_get_error_depth(ctx) == 0;
        answers.asked.verify(accepted != 0, ctx, hostname).into()
    }
}

unsafe extern "C" fn server_name(ssl: *mut SSL, _alert: *mut c_int, _arg: *mut c_void) -> c_int {
    // SAFETY: the library passes a living connection.
    unsafe {
        let Some(name) = SSL_get_servername(&*ssl, 0) else { return TLSEXT_ERR_OK };
        let done = answers(ssl).is_some_and(|answers| answers.asked.server_name(&*ssl, name.bytes()));
        if done { TLSEXT_ERR_OK } else { TLSEXT_ERR_ALERT_FATAL }
    }
}

/// Has the answer to `offered` stored at `out`.
///
/// # Safety
/// The connection lives, and both places are there.
unsafe fn select(
    ssl: *mut SSL,
    out: *mut *const u8,
    len: *mut u8,
    offered: *const u8,
    count: c_uint,
    newer: bool,
) -> c_int {
    // SAFETY: as the caller says; so many bytes are offered, and the answer lives until the operation ends.
    unsafe {
        let Some(answers) = answers(ssl) else { return TLSEXT_ERR_ALERT_FATAL };
        let offered = if count == 0 { &[] } else { std::slice::from_raw_parts(offered, count as usize) };
        let Some(selected) = answers.asked.select(offered, newer) else { return TLSEXT_ERR_ALERT_FATAL };
        answers.selected = selected;
        *out = answers.selected.as_ptr();
        *len = answers.selected.len() as u8;
        TLSEXT_ERR_OK
    }
}

unsafe extern "C" fn select_newer(
    ssl: *mut SSL,
    out: *mut *const u8,
    len: *mut u8,
    offered: *const u8,
    count: c_uint,
    _arg: *mut c_void,
) -> c_int {
    // SAFETY: the library passes what the function asks for.
    unsafe { select(ssl, out, len, offered, count, true) }
}

unsafe extern "C" fn select_older(
    ssl: *mut SSL,
    out: *mut *mut u8,
    len: *mut u8,
    offered: *const u8,
    count: c_uint,
    _arg: *mut c_void,
) -> c_int {
    // SAFETY: as above; the library does not write to the answer.
    unsafe { select(ssl, out.cast(), len, offered, count, false) }
}

unsafe extern "C" fn offer_older(_ssl: *mut SSL, out: *mut *const u8, len: *mut c_uint, arg: *mut c_void) -> c_int {
    // SAFETY: the argument is the context's own part, which lives as long; the list is not changed after the set-up.
    unsafe {
        let own = &*arg.cast::<Own>();
        let offered = own.offered.lock().unwrap_or_else(PoisonError::into_inner);
        *out = offered.as_ptr();
        *len = offered.len() as c_uint;
    }
    TLSEXT_ERR_OK
}

unsafe extern "C" fn client_certificate(ssl: *mut SSL, cert: *mut *mut X509, key: *mut *mut EVP_PKEY) -> c_int {
    // SAFETY: the library passes a living connection and takes over what is stored.
    unsafe {
        let Some((found, private)) = answers(ssl).and_then(|answers| answers.asked.client_certificate()) else {
            return 0;
        };
        *cert = found.into_raw();
        *key = private.into_raw();
        1
    }
}

unsafe extern "C" fn parameters(ssl: *mut SSL, export: c_int, bits: c_int) -> *const DH {
    // SAFETY: the library passes a living connection; the key lives until the operation ends.
    unsafe {
        let Some(answers) = answers(ssl) else { return null() };
        answers.parameters = answers.asked.parameters(export, bits);
        answers.parameters.as_ref().and_then(|key| EVP_PKEY_get0_DH(key)).map_or(null(), std::ptr::from_ref)
    }
}

unsafe extern "C" fn find_session(ssl: *mut SSL, id: *const u8, len: c_int, copy: *mut c_int) -> *mut SSL_SESSION {
    // SAFETY: the library passes a living connection and so many bytes, and takes over the session: `copy` says that no
    // count is raised.
    unsafe {
        let id = if len > 0 { std::slice::from_raw_parts(id, len as usize) } else { &[] };
        *copy = 0;
        answers(ssl).and_then(|answers| answers.asked.find_session(id)).map_or(null_mut(), Owned::into_raw)
    }
}

unsafe extern "C" fn new_session(ssl: *mut SSL, session: *mut SSL_SESSION) -> c_int {
    // SAFETY: the library passes living structures.
    unsafe {
        if let (Some(answers), Some(session)) = (answers(ssl), (*session).share()) {
            answers.asked.new_session(session);
        }
    }
    0
}

unsafe extern "C" fn drop_session(ctx: *mut SSL_CTX, session: *mut SSL_SESSION) {
    // SAFETY: the library passes living structures; the context's own part lives as long.
    unsafe {
        let own = SSL_CTX_get_ex_data(ctx, own_index()).cast::<Own>().as_ref();
        if let (Some(own), Some(session)) = (own, (*session).share()) {
            own.dropped.lock().unwrap_or_else(PoisonError::into_inner).push(session);
        }
    }
}

unsafe extern "C" fn log_key(ssl: *const SSL, line: *const c_char) {
    // SAFETY: the library passes a living connection and a text.
    unsafe {
        if let Some(answers) = answers(ssl) {
            answers.asked.log_key(std::ffi::CStr::from_ptr(line).to_bytes());
        }
    }
}

unsafe extern "C" fn information(ssl: *const SSL, what: c_int, _value: c_int) {
    // SAFETY: the library passes a living connection.
    unsafe {
        if what & CB_HANDSHAKE_START != 0
            && SSL_is_server(&*ssl) != 0
            && let Some(answers) = answers(ssl)
        {
            answers.asked.renegotiates();
        }
    }
}

// -- contexts -----------------------------------------------------------------------------

impl SSL_CTX {
    pub fn create() -> Option<Owned<SSL_CTX>> {
        let ctx = SSL_CTX_new(TLS_method())?;
        ctx.number(ctrl::MODE, MODE_ENABLE_PARTIAL_WRITE | MODE_ACCEPT_MOVING_WRITE_BUFFER | MODE_RELEASE_BUFFERS);
        ctx.set_automatic_parameters(true);
        let own = Box::into_raw(Box::<Own>::default());
        // SAFETY: the context takes the box over, and frees it at its end.
        unsafe {
            if SSL_CTX_set_ex_data(ctx.as_ptr(), own_index(), own.cast()) != 1 {
                drop(Box::from_raw(own));
                return None;
            }
        }
        Some(ctx)
    }

    fn own(&self) -> Option<&Own> {
        // SAFETY: what is stored there lives as long as the context.
        unsafe { SSL_CTX_get_ex_data(self, own_index()).cast::<Own>().as_ref() }
    }

    /// The sessions that were dropped since it was asked last.
    pub fn dropped(&self) -> Vec<Owned<SSL_SESSION>> {
        self.own()
            .map_or(Vec::new(), |own| std::mem::take(&mut *own.dropped.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    fn number(&self, command: c_int, number: c_long) -> c_long {
        // SAFETY: these commands take a number.
        unsafe { SSL_CTX_ctrl(self, command, number, null_mut()) }
    }

    fn text(&self, command: c_int, text: Text) -> bool {
        // SAFETY: these commands take a text.
        unsafe { SSL_CTX_ctrl(self, command, 0, text.bytes().as_ptr().cast_mut().cast()) == 1 }
    }

    pub fn set_automatic_parameters(&self, on: bool) {
        self.number(ctrl::SET_DH_AUTO, on.into());
    }

    pub fn set_fallback(&self) {
        self.number(ctrl::MODE, MODE_SEND_FALLBACK_SCSV);
    }

    pub fn set_min_version(&self, version: c_int) -> bool {
        self.number(ctrl::SET_MIN_PROTO_VERSION, version.into()) == 1
    }

    pub fn set_max_version(&self, version: c_int) -> bool {
        self.number(ctrl::SET_MAX_PROTO_VERSION, version.into()) == 1
    }

    pub fn cache_mode(&self) -> c_long {
        self.number(ctrl::GET_SESS_CACHE_MODE, 0)
    }

    pub fn set_cache_mode(&self, mode: c_long) {
        self.number(ctrl::SET_SESS_CACHE_MODE, mode);
    }

    pub fn cache_size(&self) -> c_long {
        self.number(ctrl::GET_SESS_CACHE_SIZE, 0)
    }

    pub fn set_cache_size(&self, size: c_long) {
        self.number(ctrl::SET_SESS_CACHE_SIZE, size);
    }

    /// Number `at` of the counts of sessions, from how many there are on.
    pub fn count(&self, at: c_int) -> c_long {
        self.number(ctrl::SESS_NUMBER + at, 0)
    }

    pub fn set_groups(&self, list: Text) -> bool {
        self.text(ctrl::SET_GROUPS_LIST, list)
    }

    pub fn set_signature_algorithms(&self, list: Text) -> bool {
        self.text(ctrl::SET_SIGALGS_LIST, list)
    }

    pub fn set_client_signature_algorithms(&self, list: Text) -> bool {
        self.text(ctrl::SET_CLIENT_SIGALGS_LIST, list)
    }

    pub fn set_store(&self, store: Owned<X509_STORE>) {
        // SAFETY: the context takes the store over.
        unsafe { SSL_CTX_set_cert_store(self, store.into_raw()) }
    }

    pub fn add_chain(&self, cert: Owned<X509>) -> bool {
        let raw = cert.into_raw();
        // SAFETY: the context takes the certificate over when the call succeeds.
        unsafe {
            let done = SSL_CTX_ctrl(self, ctrl::EXTRA_CHAIN_CERT, 0, raw.cast()) == 1;
            if !done {
                drop(Owned::from_raw(raw));
            }
            done
        }
    }

    /// The chain of the certificate that was set last.
    pub fn set_chain(&self, chain: OwnedStack<X509>) -> bool {
        // SAFETY: the context takes the list over.
        unsafe { SSL_CTX_ctrl(self, ctrl::CHAIN, 0, chain.into_raw().cast()) == 1 }
    }

    pub fn set_parameters(&self, key: Owned<EVP_PKEY>) -> bool {
        let raw = key.into_raw();
        // SAFETY: the context takes the key over when the call succeeds.
        unsafe {
            let done = SSL_CTX_set0_tmp_dh_pkey(self, raw) == 1;
            if !done {
                drop(Owned::from_raw(raw));
            }
            done
        }
    }

    pub fn set_protocols(&self, list: &[u8]) -> bool {
        // SAFETY: so many bytes are copied.
        unsafe { SSL_CTX_set_alpn_protos(self, list.as_ptr(), list.len() as c_uint) == 0 }
    }

    pub fn set_older_protocols(&self, list: Vec<u8>) {
        if let Some(own) = self.own() {
            *own.offered.lock().unwrap_or_else(PoisonError::into_inner) = list;
            // SAFETY: the argument lives as long as the context.
            unsafe {
                SSL_CTX_set_next_protos_advertised_cb(self, offer_older, std::ptr::from_ref(own).cast_mut().cast())
            };
        }
    }

    pub fn set_session_context(&self, id: &[u8]) -> bool {
        // SAFETY: so many bytes are copied.
        unsafe { SSL_CTX_set_session_id_context(self, id.as_ptr(), id.len() as c_uint) == 1 }
    }

    pub fn set_verify(&self, mode: c_int) {
        // SAFETY: the functions below keep to the library's contracts.
        unsafe { SSL_CTX_set_verify(self, mode, verify_by_connection) }
    }

    /// Has the functions of this kind asked.
    pub fn ask(&self, what: Question) {
        // SAFETY: as above.
        unsafe {
            match what {
                Question::ClientCertificate => SSL_CTX_set_client_cert_cb(self, client_certificate),
                Question::Parameters => SSL_CTX_set_tmp_dh_callback(self, parameters),
                Question::Protocol => SSL_CTX_set_alpn_select_cb(self, select_newer, null_mut()),
                Question::OlderProtocol => SSL_CTX_set_next_proto_select_cb(self, select_older, null_mut()),
                Question::FindSession => SSL_CTX_sess_set_get_cb(self, find_session),
                Question::NewSession => SSL_CTX_sess_set_new_cb(self, new_session),
                Question::DropSession => SSL_CTX_sess_set_remove_cb(self, drop_session),
                Question::KeyLog => SSL_CTX_set_keylog_callback(self, log_key),
                Question::ServerName => {
                    SSL_CTX_callback_ctrl(self, ctrl::SET_TLSEXT_SERVERNAME_CB, server_name as *const c_void);
                }
            }
        }
    }
}

/// What a context may ask for.
pub enum Question {
    ClientCertificate,
    Parameters,
    Protocol,
    OlderProtocol,
    FindSession,
    NewSession,
    DropSession,
    KeyLog,
    ServerName,
}

/// Bits of the cipher's key, and of what its algorithm takes.
pub fn bits(cipher: &SSL_CIPHER) -> (c_int, c_int) {
    let mut algorithm = 0;
    // SAFETY: the place is ours.
    let bits = unsafe { SSL_CIPHER_get_bits(cipher, &mut algorithm) };
    (bits, algorithm)
}

// -- connections --------------------------------------------------------------------------

/// How an operation on a connection ended.
pub struct Outcome {
    pub result: c_int,
    /// One of the numbers of `ERROR_`; 0: it went well.
    pub error: c_int,
    pub errno: i32,
}

impl SSL {
    /// A connection that tells when a handshake begins.
    pub fn create(ctx: &SSL_CTX) -> Option<Owned<SSL>> {
        let ssl = SSL_new(ctx)?;
        // SAFETY: the function keeps to the library's contract.
        unsafe { SSL_set_info_callback(&ssl, information) };
        Some(ssl)
    }

    pub fn started(&self) -> bool {
        SSL_get_rbio(self).is_some()
    }

    /// The descriptor for the next operations, which stays its owner's.
    pub fn set_descriptor(&self, mut fd: c_int) -> bool {
        match SSL_get_rbio(self) {
            // SAFETY: the command reads a descriptor; the stream is a socket's.
            Some(bio) => unsafe { BIO_ctrl(bio, BIO_SET_FD, 0, (&raw mut fd).cast()) == 1 },
            None => SSL_set_fd(self, fd) == 1,
        }
    }

    /// Runs one operation with an empty queue of errors.
    pub fn run(&self, operation: impl FnOnce(&SSL) -> c_int) -> Outcome {
        err::clear();
        // SAFETY: errno is the thread's own.
        unsafe { *libc::__errno_location() = 0 };
        let result = operation(self);
        // SAFETY: as above.
        let errno = unsafe { *libc::__errno_location() };
        Outcome { result, error: SSL_get_error(self, result), errno }
    }

    /// Reads behind what is in `out` already, at most so many bytes.
    pub fn read(&self, out: &mut Vec<u8>, len: usize) -> c_int {
        out.reserve(len);
        let place = out.spare_capacity_mut().as_mut_ptr().cast();
        // SAFETY: so many bytes have room; what was written is counted.
        unsafe {
            let read = SSL_read(self, place, c_int::try_from(len).unwrap_or(c_int::MAX));
            if read > 0 {
                out.set_len(out.len() + read as usize);
            }
            read
        }
    }

    pub fn write(&self, bytes: &[u8]) -> c_int {
        // SAFETY: so many bytes are there.
        unsafe { SSL_write(self, bytes.as_ptr().cast(), c_int::try_from(bytes.len()).unwrap_or(c_int::MAX)) }
    }

    pub fn set_host(&self, name: Option<Text>) -> bool {
        let name = name.map_or(null_mut(), |name| name.bytes().as_ptr().cast_mut());
        // SAFETY: the command takes a text or none.
        unsafe { SSL_ctrl(self, ctrl::SET_TLSEXT_HOSTNAME, 0, name.cast()) == 1 }
    }

    fn message(&self, get: unsafe extern "C" fn(&SSL, *mut c_void, usize) -> usize) -> Option<Vec<u8>> {
        let mut out = vec![0u8; 128];
        // SAFETY: so many bytes have room.
        let len = unsafe { get(self, out.as_mut_ptr().cast(), out.len()) };
        out.truncate(len);
        (len > 0).then_some(out)
    }

    pub fn finished(&self) -> Option<Vec<u8>> {
        self.message(SSL_get_finished)
    }

    pub fn peer_finished(&self) -> Option<Vec<u8>> {
        self.message(SSL_get_peer_finished)
    }

    fn protocol_by(&self, get: unsafe extern "C" fn(&SSL, *mut *const u8, *mut c_uint)) -> Option<&[u8]> {
        let (mut at, mut len) = (null(), 0);
        // SAFETY: both places are ours; what is stored there belongs to the connection.
        unsafe {
            get(self, &mut at, &mut len);
            (len > 0 && !at.is_null()).then(|| std::slice::from_raw_parts(at, len as usize))
        }
    }

    pub fn protocol(&self) -> Option<&[u8]> {
        self.protocol_by(SSL_get0_alpn_selected)
    }

    pub fn older_protocol(&self) -> Option<&[u8]> {
        self.protocol_by(SSL_get0_next_proto_negotiated)
    }

    pub fn export(&self, label: &[u8], context: Option<&[u8]>, len: usize) -> Option<Vec<u8>> {
        let mut out = vec![0; len];
        let bytes = context.unwrap_or(&[]);
        // SAFETY: lengths as given.
        let done = unsafe {
            SSL_export_keying_material(
                self,
                out.as_mut_ptr(),
                len,
                label.as_ptr(),
                label.len(),
                bytes.as_ptr(),
                bytes.len(),
                context.is_some().into(),
            )
        };
        (done == 1).then_some(out)
    }

    /// The peer's key of this handshake.
    pub fn peer_key(&self) -> Option<Owned<EVP_PKEY>> {
        let mut key: *mut EVP_PKEY = null_mut();
        // SAFETY: the command stores a key that is ours.
        unsafe {
            if SSL_ctrl(self, ctrl::GET_PEER_TMP_KEY, 0, (&raw mut key).cast()) == 1 {
                Owned::from_raw(key)
            } else {
                None
            }
        }
    }
}

/// Whether the last error says that a certificate was refused.
pub fn refused_certificate() -> bool {
    let code = err::last();
    err::library_of(code) == LIBRARY_SSL && err::reason_of(code) == CERTIFICATE_VERIFY_FAILED
}

//! PKCS12 and PKCS7.

use super::asn1::{
    ASN1_INTEGER, ASN1_OBJECT, ASN1_OCTET_STRING, ASN1_TIME, ASN1_TYPE, ASN1_TYPE_get, OBJ_obj2nid, X509_ALGOR,
};
use super::bio::{BIO, Source};
use super::evp::{EVP_CIPHER, EVP_MD};
use super::pkey::EVP_PKEY;
use super::stack::{OwnedStack, Stack};
use super::x509::{Pem, X509, X509_CRL, X509_NAME, X509_STORE};
use super::{Der, Owned, Text, der, foreign};
use std::ffi::{c_char, c_int, c_long, c_void};
use std::ptr::{null, null_mut};

foreign! {
    PKCS12 "OpenSSL/PKCS12" PKCS12_free;
    PKCS7 "OpenSSL/PKCS7" PKCS7_free;
    PKCS7_SIGNER_INFO "OpenSSL/PKCS7/SIGNER_INFO" PKCS7_SIGNER_INFO_free;
    PKCS7_RECIP_INFO "OpenSSL/PKCS7/RECIP_INFO" PKCS7_RECIP_INFO_free;
}

der! {
    PKCS12 d2i_PKCS12 i2d_PKCS12;
    PKCS7 d2i_PKCS7 i2d_PKCS7;
    PKCS7_SIGNER_INFO d2i_PKCS7_SIGNER_INFO i2d_PKCS7_SIGNER_INFO;
    PKCS7_RECIP_INFO d2i_PKCS7_RECIP_INFO i2d_PKCS7_RECIP_INFO;
}

pub const DATA: c_int = 21;
pub const SIGNED: c_int = 22;
pub const ENVELOPED: c_int = 23;
pub const SIGNED_AND_ENVELOPED: c_int = 24;
pub const DIGEST: c_int = 25;
pub const ENCRYPTED: c_int = 26;
const SIGNING_TIME: c_int = 52;
const UTC_TIME: c_int = 23;
const SET_DETACHED: c_int = 1;
const GET_DETACHED: c_int = 2;
const BIO_FLUSH: c_int = 11;

unsafe extern "C" {
    pub safe fn PKCS12_new() -> Option<Owned<PKCS12>>;
    fn PKCS12_create(
        pass: *const c_char,
        name: *const c_char,
        key: *const EVP_PKEY,
        cert: *const X509,
        chain: *const Stack<X509>,
        key_nid: c_int,
        cert_nid: c_int,
        rounds: c_int,
        mac_rounds: c_int,
        kind: c_int,
    ) -> Option<Owned<PKCS12>>;
    fn PKCS12_parse(
        p12: &PKCS12,
        pass: *const c_char,
        key: *mut *mut EVP_PKEY,
        cert: *mut *mut X509,
        chain: *mut *mut Stack<X509>,
    ) -> c_int;
    fn PKCS12_set_mac(
        p12: &PKCS12,
        pass: *const u8,
        len: c_int,
        salt: *const u8,
        salt_len: c_int,
        rounds: c_int,
        md: Option<&EVP_MD>,
    ) -> c_int;

    pub safe fn PKCS7_new() -> Option<Owned<PKCS7>>;
    pub safe fn PKCS7_dup(p7: &PKCS7) -> Option<Owned<PKCS7>>;
    fn PEM_read_bio_PKCS7(bio: &BIO, out: *mut *mut PKCS7, ask: *mut c_void, data: *mut c_void)
    -> Option<Owned<PKCS7>>;
    safe fn PEM_write_bio_PKCS7(bio: &BIO, this: &PKCS7) -> c_int;
    fn SMIME_read_PKCS7(bio: &BIO, content: *mut *mut BIO) -> Option<Owned<PKCS7>>;
    pub safe fn SMIME_write_PKCS7(out: &BIO, p7: &PKCS7, data: Option<&BIO>, flags: c_int) -> c_int;
    fn PKCS7_sign(
        cert: &X509,
        key: &EVP_PKEY,
        certs: *const Stack<X509>,
        data: &BIO,
        flags: c_int,
    ) -> Option<Owned<PKCS7>>;
    fn PKCS7_encrypt(certs: *const Stack<X509>, data: &BIO, cipher: &EVP_CIPHER, flags: c_int) -> Option<Owned<PKCS7>>;
    fn PKCS7_verify(
        p7: &PKCS7,
        certs: *const Stack<X509>,
        store: &X509_STORE,
        data: Option<&BIO>,
        out: &BIO,
        flags: c_int,
    ) -> c_int;
    pub safe fn PKCS7_decrypt(p7: &PKCS7, key: &EVP_PKEY, cert: Option<&X509>, out: &BIO, flags: c_int) -> c_int;
    pub safe fn PKCS7_set_type(p7: &PKCS7, kind: c_int) -> c_int;
    fn PKCS7_ctrl(p7: &PKCS7, command: c_int, number: c_long, memory: *mut c_void) -> c_long;
    pub safe fn PKCS7_set_cipher(p7: &PKCS7, cipher: &EVP_CIPHER) -> c_int;
    fn PKCS7_add_signer(p7: &PKCS7, signer: *mut PKCS7_SIGNER_INFO) -> c_int;
    pub safe fn PKCS7_get_signer_info(p7: &PKCS7) -> Option<&Stack<PKCS7_SIGNER_INFO>>;
    fn PKCS7_add_recipient_info(p7: &PKCS7, recipient: *mut PKCS7_RECIP_INFO) -> c_int;
    pub safe fn PKCS7_add_certificate(p7: &PKCS7, cert: &X509) -> c_int;
    pub safe fn PKCS7_add_crl(p7: &PKCS7, crl: &X509_CRL) -> c_int;
    safe fn PKCS7_content_new(p7: &PKCS7, kind: c_int) -> c_int;
    fn PKCS7_dataInit(p7: &PKCS7, bio: *mut BIO) -> *mut BIO;
    fn PKCS7_dataFinal(p7: &PKCS7, bio: *mut BIO) -> c_int;
    fn PKCS7_print_ctx(out: &BIO, p7: &PKCS7, indent: c_int, ctx: *mut c_void) -> c_int;
    pub safe fn PKCS7_SIGNER_INFO_new() -> Option<Owned<PKCS7_SIGNER_INFO>>;
    pub safe fn PKCS7_SIGNER_INFO_set(info: &PKCS7_SIGNER_INFO, cert: &X509, key: &EVP_PKEY, md: &EVP_MD) -> c_int;
    safe fn PKCS7_get_signed_attribute(info: &PKCS7_SIGNER_INFO, nid: c_int) -> Option<&ASN1_TYPE>;
    pub safe fn PKCS7_RECIP_INFO_new() -> Option<Owned<PKCS7_RECIP_INFO>>;
    pub safe fn PKCS7_RECIP_INFO_set(info: &PKCS7_RECIP_INFO, cert: &X509) -> c_int;
    pub safe fn PKCS7_cert_from_signer_info<'a>(p7: &'a PKCS7, info: &PKCS7_SIGNER_INFO) -> Option<&'a X509>;
    fn BIO_write(bio: *mut BIO, bytes: *const c_void, len: c_int) -> c_int;
    fn BIO_ctrl(bio: *const BIO, command: c_int, number: c_long, memory: *mut c_void) -> c_long;
    fn BIO_free_all(bio: *mut BIO);
}

// SAFETY: they are this type's.
unsafe impl Pem for PKCS7 {
    const READ: unsafe extern "C" fn(&BIO, *mut *mut PKCS7, *mut c_void, *mut c_void) -> Option<Owned<PKCS7>> =
        PEM_read_bio_PKCS7;
    const WRITE: extern "C" fn(&BIO, &PKCS7) -> c_int = PEM_write_bio_PKCS7;
}

fn stack<T: super::Foreign>(list: Option<&OwnedStack<T>>) -> *const Stack<T> {
    list.map_or(null(), |list| std::ptr::from_ref::<Stack<T>>(list))
}

fn text(text: Option<Text>) -> *const c_char {
    text.map_or(null(), |text| text.bytes().as_ptr().cast())
}

// -- PKCS12 -----------------------------------------------------------------------------

/// What a PKCS12 structure is made of.
pub struct Parts<'a> {
    pub pass: Option<Text<'a>>,
    pub name: Option<Text<'a>>,
    pub key: &'a EVP_PKEY,
    pub cert: &'a X509,
    pub chain: Option<&'a OwnedStack<X509>>,
    pub key_nid: c_int,
    pub cert_nid: c_int,
    pub rounds: c_int,
    pub mac_rounds: c_int,
    pub kind: c_int,
}

pub fn create(parts: &Parts) -> Option<Owned<PKCS12>> {
    // SAFETY: all of them live; they are copied.
    unsafe {
        PKCS12_create(
            text(parts.pass),
            text(parts.name),
            parts.key,
            parts.cert,
            stack(parts.chain),
            parts.key_nid,
            parts.cert_nid,
            parts.rounds,
            parts.mac_rounds,
            parts.kind,
        )
    }
}

pub type Contents = (Option<Owned<EVP_PKEY>>, Option<Owned<X509>>, Option<OwnedStack<X509>>);

/// Key, certificate and further certificates.
pub fn parse(p12: &PKCS12, pass: Option<Text>) -> Option<Contents> {
    let (mut key, mut cert, mut chain) = (null_mut(), null_mut(), null_mut());
    // SAFETY: the places are ours; what is stored there when the call succeeds is ours, too.
    unsafe {
        if PKCS12_parse(p12, text(pass), &mut key, &mut cert, &mut chain) != 1 {
            return None;
        }
        Some((Owned::from_raw(key), Owned::from_raw(cert), OwnedStack::from_raw(chain)))
    }
}

/// The library reads eight bytes where it is told of none: a salt without bytes is a random one, too.
pub fn set_mac(p12: &PKCS12, pass: &[u8], salt: Option<&[u8]>, rounds: c_int, md: Option<&EVP_MD>) -> bool {
    let (at, len) =
        salt.filter(|salt| !salt.is_empty()).map_or((null(), 0), |salt| (salt.as_ptr(), salt.len() as c_int));
    // SAFETY: so many bytes are there.
    unsafe { PKCS12_set_mac(p12, pass.as_ptr(), pass.len() as c_int, at, len, rounds, md) == 1 }
}

// -- PKCS7 ------------------------------------------------------------------------------

// The beginnings of the library's structures, as its headers show them.

#[repr(C)]
struct Head {
    asn1: *mut u8,
    length: c_long,
    state: c_int,
    detached: c_int,
    kind: *const ASN1_OBJECT,
    content: *const c_void,
}

#[repr(C)]
struct Signed {
    version: *const ASN1_INTEGER,
    digests: *const c_void,
    certs: *const Stack<X509>,
    crls: *const Stack<X509_CRL>,
    signers: *const Stack<PKCS7_SIGNER_INFO>,
    /// What follows differs: contents, or encrypted data.
    next: *const c_void,
    /// Of what is signed and enveloped alone.
    recipients: *const Stack<PKCS7_RECIP_INFO>,
}

#[repr(C)]
struct Enveloped {
    version: *const ASN1_INTEGER,
    recipients: *const Stack<PKCS7_RECIP_INFO>,
}

#[repr(C)]
struct Who {
    issuer: *const X509_NAME,
    serial: *const ASN1_INTEGER,
}

#[repr(C)]
struct SignerHead {
    version: *const ASN1_INTEGER,
    who: *const Who,
    digest: *const X509_ALGOR,
    attributes: *const c_void,
    signature_algorithm: *const X509_ALGOR,
    signature: *const ASN1_OCTET_STRING,
    further: *const c_void,
    key: *mut EVP_PKEY,
}

#[repr(C)]
struct RecipientHead {
    version: *const ASN1_INTEGER,
    who: *const Who,
    algorithm: *const X509_ALGOR,
    key: *const ASN1_OCTET_STRING,
    cert: *mut X509,
}

impl PKCS7 {
    fn head(&self) -> &Head {
        // SAFETY: the structure is public and begins so.
        unsafe { &*std::ptr::from_ref(self).cast::<Head>() }
    }

    pub fn has_content(&self) -> bool {
        !self.head().content.is_null()
    }

    pub fn kind(&self) -> c_int {
        // SAFETY: the identifier belongs to the structure.
        unsafe { self.head().kind.as_ref() }.map_or(0, |kind| OBJ_obj2nid(kind))
    }

    fn signed(&self) -> Option<&Signed> {
        if !matches!(self.kind(), SIGNED | SIGNED_AND_ENVELOPED) {
            return None;
        }
        // SAFETY: the content of these kinds begins so, and belongs to the structure.
        unsafe { self.head().content.cast::<Signed>().as_ref() }
    }

    pub fn certs(&self) -> Option<&Stack<X509>> {
        // SAFETY: the list belongs to the structure.
        unsafe { self.signed()?.certs.as_ref() }
    }

    pub fn crls(&self) -> Option<&Stack<X509_CRL>> {
        // SAFETY: as above.
        unsafe { self.signed()?.crls.as_ref() }
    }

    pub fn recipients(&self) -> Option<&Stack<PKCS7_RECIP_INFO>> {
        // SAFETY: the content of these kinds begins so; the list belongs to the structure.
        unsafe {
            match self.kind() {
                ENVELOPED => self.head().content.cast::<Enveloped>().as_ref()?.recipients.as_ref(),
                SIGNED_AND_ENVELOPED => self.signed()?.recipients.as_ref(),
                _ => None,
            }
        }
    }

    pub fn detached(&self) -> bool {
        // SAFETY: the command takes nothing.
        unsafe { PKCS7_ctrl(self, GET_DETACHED, 0, null_mut()) != 0 }
    }

    pub fn set_detached(&self, on: bool) -> bool {
        // SAFETY: the command takes a number.
        unsafe { PKCS7_ctrl(self, SET_DETACHED, on.into(), null_mut()) != 0 }
    }

    pub fn print(&self, out: &BIO) -> bool {
        // SAFETY: the default style.
        unsafe { PKCS7_print_ctx(out, self, 0, null_mut()) == 1 }
    }

    pub fn add_signer(&self, signer: Owned<PKCS7_SIGNER_INFO>) -> bool {
        let raw = signer.into_raw();
        // SAFETY: the structure takes it over when the call succeeds.
        unsafe {
            let done = PKCS7_add_signer(self, raw) == 1;
            if !done {
                drop(Owned::from_raw(raw));
            }
            done
        }
    }

    pub fn add_recipient(&self, recipient: Owned<PKCS7_RECIP_INFO>) -> bool {
        let raw = recipient.into_raw();
        // SAFETY: as above.
        unsafe {
            let done = PKCS7_add_recipient_info(self, raw) == 1;
            if !done {
                drop(Owned::from_raw(raw));
            }
            done
        }
    }

    pub fn verify(
        &self,
        certs: Option<&OwnedStack<X509>>,
        store: &X509_STORE,
        data: Option<&BIO>,
        out: &BIO,
        flags: c_int,
    ) -> bool {
        // SAFETY: all of them live until the call returns.
        unsafe { PKCS7_verify(self, stack(certs), store, data, out, flags) == 1 }
    }

    /// Fills the structure. The error is the step that failed.
    pub fn fill(&self, data: &[u8]) -> Result<(), &'static str> {
        if self.kind() == SIGNED && PKCS7_content_new(self, DATA) != 1 {
            return Err("PKCS7_content_new");
        }
        // SAFETY: a new stream is made, which is freed here; so many bytes are there.
        unsafe {
            let out = PKCS7_dataInit(self, null_mut());
            if out.is_null() {
                return Err("PKCS7_dataInit");
            }
            let len = data.len() as c_int;
            let outcome = if len > 0 && BIO_write(out, data.as_ptr().cast(), len) != len {
                Err("BIO_write")
            } else if BIO_ctrl(out, BIO_FLUSH, 0, null_mut()) <= 0 {
                Err("BIO_flush")
            } else if PKCS7_dataFinal(self, out) != 1 {
                Err("PKCS7_dataFinal")
            } else {
                Ok(())
            };
            BIO_free_all(out);
            outcome
        }
    }
}

/// A message in S/MIME with its content, when that stands beside it.
pub fn read_smime(text: &[u8]) -> Option<(Owned<PKCS7>, Option<Owned<BIO>>)> {
    let bio = Source::new(text)?;
    let mut content = null_mut();
    // SAFETY: the place is ours, and so is what is stored there.
    unsafe {
        let p7 = SMIME_read_PKCS7(&bio, &mut content);
        let content = Owned::from_raw(content);
        Some((p7?, content))
    }
}

pub fn sign(
    cert: &X509,
    key: &EVP_PKEY,
    certs: Option<&OwnedStack<X509>>,
    data: &BIO,
    flags: c_int,
) -> Option<Owned<PKCS7>> {
    // SAFETY: all of them live until the call returns.
    unsafe { PKCS7_sign(cert, key, stack(certs), data, flags) }
}

pub fn encrypt(certs: &OwnedStack<X509>, data: &BIO, cipher: &EVP_CIPHER, flags: c_int) -> Option<Owned<PKCS7>> {
    // SAFETY: as above.
    unsafe { PKCS7_encrypt(stack(Some(certs)), data, cipher, flags) }
}

/// Issuer and serial number.
fn issuer<'a>(who: *const Who) -> Option<(&'a X509_NAME, &'a ASN1_INTEGER)> {
    // SAFETY: they belong to a structure that the callers borrow.
    unsafe {
        let who = who.as_ref()?;
        Some((who.issuer.as_ref()?, who.serial.as_ref()?))
    }
}

impl PKCS7_SIGNER_INFO {
    fn head(&self) -> *mut SignerHead {
        std::ptr::from_ref(self).cast_mut().cast()
    }

    pub fn who(&self) -> Option<(&X509_NAME, &ASN1_INTEGER)> {
        // SAFETY: the structure is public and begins so.
        issuer(unsafe { (*self.head()).who })
    }

    /// A copy with the same key.
    pub fn copy(&self) -> Option<Owned<PKCS7_SIGNER_INFO>> {
        let copy = PKCS7_SIGNER_INFO::decode(&self.encode()?)?;
        // SAFETY: as above; the copy gets a reference of its own.
        unsafe {
            if let Some(key) = (*self.head()).key.as_ref() {
                (*copy.head()).key = key.share()?.into_raw();
            }
        }
        Some(copy)
    }

    /// When it was signed; `None` without that attribute. The inner one: it is no UTCTime.
    pub fn signed_at(&self) -> Option<Option<&ASN1_TIME>> {
        let found = PKCS7_get_signed_attribute(self, SIGNING_TIME)?;
        if ASN1_TYPE_get(found) != UTC_TIME {
            return Some(None);
        }
        // SAFETY: the value of this type is a time that belongs to the attribute.
        Some(unsafe { found.value().cast::<ASN1_TIME>().as_ref() })
    }
}

impl PKCS7_RECIP_INFO {
    fn head(&self) -> *mut RecipientHead {
        std::ptr::from_ref(self).cast_mut().cast()
    }

    pub fn who(&self) -> Option<(&X509_NAME, &ASN1_INTEGER)> {
        // SAFETY: the structure is public and begins so.
        issuer(unsafe { (*self.head()).who })
    }

    pub fn key(&self) -> Option<&ASN1_OCTET_STRING> {
        // SAFETY: as above.
        unsafe { (*self.head()).key.as_ref() }
    }

    /// A copy with the same certificate.
    pub fn copy(&self) -> Option<Owned<PKCS7_RECIP_INFO>> {
        let copy = PKCS7_RECIP_INFO::decode(&self.encode()?)?;
        // SAFETY: as above; the copy gets a reference of its own.
        unsafe {
            if let Some(cert) = (*self.head()).cert.as_ref() {
                (*copy.head()).cert = cert.share()?.into_raw();
            }
        }
        Some(copy)
    }
}

//! ASN.1: object identifiers, strings, numbers and times.

use super::bio::BIO;
use super::bn::{BIGNUM, Big};
use super::stack::{LooseStack, Stack};
use super::{Owned, Text, borrowed, der, foreign};
use std::ffi::{c_char, c_int, c_long, c_void};
use std::ptr::null_mut;

foreign! {
    ASN1_OBJECT "OpenSSL/ASN1_OBJECT" ASN1_OBJECT_free;
    ASN1_STRING "OpenSSL/ASN1_STRING" ASN1_STRING_free;
    ASN1_INTEGER "OpenSSL/ASN1_INTEGER" ASN1_INTEGER_free;
    ASN1_ENUMERATED "OpenSSL/ASN1_ENUMERATED" ASN1_ENUMERATED_free;
    ASN1_BIT_STRING "OpenSSL/ASN1_BIT_STRING" ASN1_BIT_STRING_free;
    ASN1_OCTET_STRING "OpenSSL/ASN1_OCTET_STRING" ASN1_OCTET_STRING_free;
    ASN1_NULL "OpenSSL/ASN1_NULL" ASN1_NULL_free;
    ASN1_TIME "OpenSSL/ASN1_TIME" ASN1_TIME_free;
    ASN1_TYPE "OpenSSL/ASN1_TYPE" ASN1_TYPE_free;
}

borrowed! { X509_ALGOR; }

der! {
    ASN1_OBJECT d2i_ASN1_OBJECT i2d_ASN1_OBJECT;
    ASN1_INTEGER d2i_ASN1_INTEGER i2d_ASN1_INTEGER;
    ASN1_ENUMERATED d2i_ASN1_ENUMERATED i2d_ASN1_ENUMERATED;
    ASN1_BIT_STRING d2i_ASN1_BIT_STRING i2d_ASN1_BIT_STRING;
    ASN1_NULL d2i_ASN1_NULL i2d_ASN1_NULL;
    ASN1_TIME d2i_ASN1_TIME i2d_ASN1_TIME;
    ASN1_TYPE d2i_ASN1_TYPE i2d_ASN1_TYPE;
}

pub const UNDEF: c_int = 0;
pub const CONSTRUCTED: c_int = 0x20;
const STRING_FLAG_BITS_LEFT: c_long = 8;

unsafe extern "C" {
    pub safe fn OBJ_obj2nid(object: &ASN1_OBJECT) -> c_int;
    pub safe fn OBJ_nid2sn(nid: c_int) -> Option<Text<'static>>;
    pub safe fn OBJ_nid2ln(nid: c_int) -> Option<Text<'static>>;
    pub safe fn OBJ_sn2nid(name: Text) -> c_int;
    pub safe fn OBJ_ln2nid(name: Text) -> c_int;
    pub safe fn OBJ_txt2nid(name: Text) -> c_int;
    pub safe fn OBJ_txt2obj(name: Text, numeric: c_int) -> Option<Owned<ASN1_OBJECT>>;
    pub safe fn OBJ_create(oid: Text, short: Text, long: Text) -> c_int;
    safe fn OBJ_length(object: &ASN1_OBJECT) -> usize;
    fn OBJ_get0_data(object: &ASN1_OBJECT) -> *const u8;
    fn OBJ_obj2txt(out: *mut c_char, len: c_int, object: &ASN1_OBJECT, numeric: c_int) -> c_int;

    fn ASN1_STRING_get0_data(string: *const c_void) -> *const u8;
    fn ASN1_STRING_length(string: *const c_void) -> c_int;
    fn ASN1_STRING_type(string: *const c_void) -> c_int;
    fn ASN1_STRING_set(string: *const c_void, bytes: *const c_void, len: c_int) -> c_int;
    pub safe fn ASN1_STRING_print(out: &BIO, string: &ASN1_STRING) -> c_int;
    pub safe fn ASN1_OCTET_STRING_new() -> Option<Owned<ASN1_OCTET_STRING>>;
    pub safe fn ASN1_INTEGER_to_BN(number: &ASN1_INTEGER, to: Option<&BIGNUM>) -> Option<Big>;
    pub safe fn ASN1_ENUMERATED_to_BN(number: &ASN1_ENUMERATED, to: Option<&BIGNUM>) -> Option<Big>;
    fn BN_to_ASN1_INTEGER(number: &BIGNUM, to: *mut ASN1_INTEGER) -> Option<Owned<ASN1_INTEGER>>;
    fn ASN1_TIME_to_tm(time: &ASN1_TIME, tm: *mut libc::tm) -> c_int;
    fn ASN1_UTCTIME_adj(to: *mut c_void, time: i64, days: c_int, seconds: c_long) -> Option<Owned<ASN1_TIME>>;
    fn ASN1_GENERALIZEDTIME_adj(to: *mut c_void, time: i64, days: c_int, seconds: c_long) -> Option<Owned<ASN1_TIME>>;
    fn X509_time_adj_ex(to: *mut c_void, days: c_int, seconds: c_long, time: *mut i64) -> Option<Owned<ASN1_TIME>>;
    fn ASN1_get_object(at: *mut *const u8, len: *mut c_long, tag: *mut c_int, class: *mut c_int, max: c_long) -> c_int;

    fn d2i_ASN1_SET_ANY(out: *mut c_void, at: *mut *const u8, len: c_long) -> *mut c_void;
    fn i2d_ASN1_SET_ANY(set: *const c_void, out: *mut *mut u8) -> c_int;
    fn X509_ALGOR_get0(
        object: *mut *const ASN1_OBJECT,
        kind: *mut c_int,
        value: *mut *const c_void,
        algorithm: &X509_ALGOR,
    );
    pub safe fn ASN1_TYPE_get(value: &ASN1_TYPE) -> c_int;
}

/// What the library calls a string: bytes with a type. Numbers and times are strings, too.
///
/// # Safety
/// The type is the library's `ASN1_STRING` under another name.
pub unsafe trait Bytes {
    fn bytes(&self) -> &[u8] {
        let this = std::ptr::from_ref(self).cast::<c_void>();
        // SAFETY: by the trait's contract; the bytes belong to the structure.
        unsafe {
            let (data, len) = (ASN1_STRING_get0_data(this), ASN1_STRING_length(this));
            if data.is_null() || len <= 0 { &[] } else { std::slice::from_raw_parts(data, len as usize) }
        }
    }

    fn kind(&self) -> c_int {
        // SAFETY: by the trait's contract.
        unsafe { ASN1_STRING_type(std::ptr::from_ref(self).cast()) }
    }

    fn set(&self, bytes: &[u8]) -> bool {
        // SAFETY: by the trait's contract; so many bytes are copied.
        unsafe { ASN1_STRING_set(std::ptr::from_ref(self).cast(), bytes.as_ptr().cast(), bytes.len() as c_int) == 1 }
    }
}

// SAFETY: it is.
unsafe impl Bytes for ASN1_STRING {}
// SAFETY: it is.
unsafe impl Bytes for ASN1_INTEGER {}
// SAFETY: it is.
unsafe impl Bytes for ASN1_BIT_STRING {}
// SAFETY: it is.
unsafe impl Bytes for ASN1_OCTET_STRING {}
// SAFETY: it is.
unsafe impl Bytes for ASN1_TIME {}

/// The beginning of the library's `ASN1_STRING`, which its headers show.
#[repr(C)]
struct StringHead {
    length: c_int,
    kind: c_int,
    data: *mut u8,
    flags: c_long,
}

impl ASN1_BIT_STRING {
    /// How many bits of the last byte do not count.
    pub fn unused_bits(&self) -> c_int {
        // SAFETY: the structure is public and begins so.
        let flags = unsafe { (*std::ptr::from_ref(self).cast::<StringHead>()).flags };
        if flags & STRING_FLAG_BITS_LEFT != 0 { (flags & 7) as c_int } else { 0 }
    }
}

impl ASN1_OBJECT {
    /// The identifier as numbers with dots.
    pub fn dotted(&self) -> Option<Vec<u8>> {
        let mut out = vec![0u8; 128];
        // SAFETY: so many bytes are there.
        let mut len = unsafe { OBJ_obj2txt(out.as_mut_ptr().cast(), out.len() as c_int, self, 1) };
        if len >= out.len() as c_int {
            out.resize(usize::try_from(len).ok()?.checked_add(1)?, 0);
            // SAFETY: as above.
            len = unsafe { OBJ_obj2txt(out.as_mut_ptr().cast(), c_int::try_from(out.len()).ok()?, self, 1) };
        }
        out.truncate(usize::try_from(len).ok().filter(|len| *len > 0)?);
        Some(out)
    }

    pub fn content(&self) -> &[u8] {
        let len = OBJ_length(self);
        // SAFETY: so many bytes belong to it.
        unsafe {
            let data = OBJ_get0_data(self);
            if data.is_null() { &[] } else { std::slice::from_raw_parts(data, len) }
        }
    }
}

impl ASN1_TYPE {
    /// The value as the library's generic functions take it.
    pub fn value(&self) -> *const c_void {
        #[repr(C)]
        struct Head {
            kind: c_int,
            value: *const c_void,
        }
        // SAFETY: the structure is public and begins so.
        unsafe { (*std::ptr::from_ref(self).cast::<Head>()).value }
    }
}

pub fn number_of(number: &BIGNUM) -> Option<Owned<ASN1_INTEGER>> {
    // SAFETY: a new one is made.
    unsafe { BN_to_ASN1_INTEGER(number, null_mut()) }
}

/// Year, month, day, hour, minute and second.
pub fn parts(time: &ASN1_TIME) -> Option<[i64; 6]> {
    // SAFETY: all fields are numbers or a pointer, for which zero is a value.
    let mut tm: libc::tm = unsafe { std::mem::zeroed() };
    // SAFETY: the place is ours.
    if unsafe { ASN1_TIME_to_tm(time, &mut tm) } != 1 {
        return None;
    }
    Some([tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec].map(i64::from))
}

pub fn utc_time(days: c_int, seconds: i64) -> Option<Owned<ASN1_TIME>> {
    // SAFETY: a new one is made.
    unsafe { ASN1_UTCTIME_adj(null_mut(), seconds, days, 0) }
}

pub fn generalized_time(days: c_int, seconds: i64) -> Option<Owned<ASN1_TIME>> {
    // SAFETY: a new one is made.
    unsafe { ASN1_GENERALIZEDTIME_adj(null_mut(), seconds, days, 0) }
}

/// A time of the type that certificates use for it.
pub fn time(days: c_int, mut seconds: i64) -> Option<Owned<ASN1_TIME>> {
    // SAFETY: a new one is made; the seconds are read.
    unsafe { X509_time_adj_ex(null_mut(), days, 0, &mut seconds) }
}

/// The beginning of an element.
pub struct Head {
    pub len: usize,
    pub tag: c_int,
    pub class: c_int,
    /// Bytes of the beginning itself.
    pub own: usize,
    pub constructed: bool,
    pub indefinite: bool,
}

pub fn head(bytes: &[u8]) -> Option<Head> {
    let (mut at, mut len, mut tag, mut class) = (bytes.as_ptr(), 0, 0, 0);
    // SAFETY: so many bytes are there.
    let flags = unsafe { ASN1_get_object(&mut at, &mut len, &mut tag, &mut class, bytes.len() as c_long) };
    if flags & 0x80 != 0 {
        return None;
    }
    let own = at as usize - bytes.as_ptr() as usize;
    Some(Head {
        len: usize::try_from(len).ok()?,
        tag,
        class,
        own,
        constructed: flags & CONSTRUCTED != 0,
        indefinite: flags & 1 != 0,
    })
}

/// A SET of anything; the items are the list's.
pub struct AnySet(super::stack::OwnedStack<ASN1_TYPE>);

impl std::ops::Deref for AnySet {
    type Target = Stack<ASN1_TYPE>;

    fn deref(&self) -> &Stack<ASN1_TYPE> {
        &self.0
    }
}

pub fn decode_set(bytes: &[u8]) -> Option<AnySet> {
    let mut at = bytes.as_ptr();
    // SAFETY: so many bytes are there; the list and its items are new.
    let raw = unsafe { d2i_ASN1_SET_ANY(null_mut(), &mut at, bytes.len() as c_long) };
    // SAFETY: as above; the list's type is an owned list of these.
    (!raw.is_null())
        .then(|| AnySet(unsafe { std::mem::transmute::<*mut c_void, super::stack::OwnedStack<ASN1_TYPE>>(raw) }))
}

pub fn encode_set(set: &LooseStack<ASN1_TYPE>) -> Option<Vec<u8>> {
    let raw = std::ptr::from_ref::<Stack<ASN1_TYPE>>(set).cast();
    // SAFETY: without a place the length alone is told.
    let len = unsafe { i2d_ASN1_SET_ANY(raw, null_mut()) };
    let mut out = vec![0; usize::try_from(len).ok().filter(|len| *len > 0)?];
    let mut at = out.as_mut_ptr();
    // SAFETY: so many bytes are written.
    (unsafe { i2d_ASN1_SET_ANY(raw, &mut at) } > 0).then_some(out)
}

pub fn algorithm(algorithm: &X509_ALGOR) -> Option<&ASN1_OBJECT> {
    let mut object = std::ptr::null();
    // SAFETY: the place is ours; the others are not asked for.
    unsafe { X509_ALGOR_get0(&mut object, null_mut(), null_mut(), algorithm) };
    // SAFETY: the object belongs to the algorithm.
    unsafe { object.as_ref() }
}

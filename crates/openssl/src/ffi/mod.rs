//! What is called of libcrypto and libssl, declared so that calls are safe.
//!
//! A structure of the library is an opaque type that is only ever seen behind a reference or as an [`Owned`], which
//! frees it. A function whose only demands are pointers to living structures takes references and is a `safe fn`:
//! `Option<&T>` and `Option<Owned<T>>` are nullable pointers. Functions that take buffers by address and length are
//! declared unsafe and wrapped beside their declaration in a function that takes slices. So this folder is where the
//! library's contracts are kept, and the files that make Ruby's classes are free of them.
//!
//! The structures change behind shared references, as C does it: they count as cells. They are used with the VM lock
//! held, or by one thread that has taken them out of their object, or they are ones that the library says may be read
//! by several threads (keys, certificates, contexts and stores once they are set up).

#![allow(non_snake_case, non_camel_case_types)]

pub mod asn1;
pub mod bio;
pub mod bn;
pub mod conf;
pub mod err;
pub mod evp;

pub mod ocsp;
pub mod pkcs;
pub mod pkey;

pub mod session;
pub mod sign;
pub mod ssl;
pub mod stack;
pub mod tsp;
pub mod verifier;
pub mod x509;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// A structure of the library that somebody owns.
///
/// # Safety
/// `free` gives up one reference, or the structure, and may be called from any thread.
pub unsafe trait Foreign: Sized {
    /// What error messages call an object that holds one.
    const NAME: &'static str;

    /// # Safety
    /// The pointer is not used afterwards by whoever gives it up.
    unsafe fn free(this: *mut Self);
}

/// Declares opaque structures and how they are freed.
macro_rules! foreign {
    ($($name:ident $text:literal $free:ident;)*) => {$(
        #[repr(C)]
        pub struct $name(std::cell::UnsafeCell<[u8; 0]>, std::marker::PhantomData<*mut u8>);

        // SAFETY: the function is the library's own for this type.
        unsafe impl $crate::ffi::Foreign for $name {
            const NAME: &'static str = $text;

            unsafe fn free(this: *mut $name) {
                unsafe extern "C" {
                    fn $free(this: *mut $name);
                }
                // SAFETY: as the caller says.
                unsafe { $free(this) }
            }
        }
    )*};
}

/// Declares structures that others own.
macro_rules! borrowed {
    ($($name:ident;)*) => {$(
        #[repr(C)]
        pub struct $name(std::cell::UnsafeCell<[u8; 0]>, std::marker::PhantomData<*mut u8>);
    )*};
}

pub(crate) use {borrowed, foreign};

/// A reference to a structure that is given up when this is dropped. As an argument or a result of a function it is the
/// pointer.
#[repr(transparent)]
pub struct Owned<T: Foreign>(NonNull<T>, PhantomData<T>);

// SAFETY: see the head of this file.
unsafe impl<T: Foreign> Send for Owned<T> {}
// SAFETY: as above.
unsafe impl<T: Foreign> Sync for Owned<T> {}

impl<T: Foreign> Owned<T> {
    /// The structure's address; whoever takes it gives up the reference.
    pub fn into_raw(self) -> *mut T {
        let raw = self.0.as_ptr();
        std::mem::forget(self);
        raw
    }

    /// # Safety
    /// The pointer is a living structure, of which one reference becomes this one's, or null.
    pub unsafe fn from_raw(raw: *mut T) -> Option<Owned<T>> {
        NonNull::new(raw).map(|raw| Owned(raw, PhantomData))
    }

    pub fn as_ptr(&self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T: Foreign> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: it lives until it is freed below.
        unsafe { self.0.as_ref() }
    }
}

impl<T: Foreign> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the reference is this one's.
        unsafe { T::free(self.0.as_ptr()) }
    }
}

/// A C string as an argument or a result.
#[repr(transparent)]
#[derive(Copy, Clone)]
pub struct Text<'a>(NonNull<c_char>, PhantomData<&'a CStr>);

impl<'a> Text<'a> {
    pub fn bytes(self) -> &'a [u8] {
        // SAFETY: it is made of a `CStr`, or by a function whose result ends with a NUL and lives as long.
        unsafe { CStr::from_ptr(self.0.as_ptr()) }.to_bytes()
    }

    pub fn lossy(self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }
}

impl<'a> From<&'a CStr> for Text<'a> {
    fn from(text: &'a CStr) -> Text<'a> {
        Text(NonNull::from(text).cast(), PhantomData)
    }
}

/// A C string that the library has allocated.
#[repr(transparent)]
pub struct OwnedText(NonNull<c_char>);

impl OwnedText {
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: it ends with a NUL and lives until it is dropped.
        unsafe { CStr::from_ptr(self.0.as_ptr()) }.to_bytes()
    }
}

impl Drop for OwnedText {
    fn drop(&mut self) {
        // SAFETY: the library's allocator has made it, and nobody else has it.
        unsafe { CRYPTO_free(self.0.as_ptr().cast(), c"".as_ptr(), 0) }
    }
}

unsafe extern "C" {
    pub fn CRYPTO_free(memory: *mut c_void, file: *const c_char, line: c_int);
    fn CRYPTO_memcmp(a: *const c_void, b: *const c_void, len: usize) -> c_int;
    /// The first function would make a structure where the library cannot; it is not called.
    fn ASN1_d2i_bio(new: *const c_void, read: ReadDer<c_void>, input: &bio::BIO, out: *mut *mut c_void) -> *mut c_void;
    fn OPENSSL_init_ssl(options: u64, settings: *const c_void) -> c_int;
    pub safe fn OpenSSL_version(what: c_int) -> Text<'static>;
    pub safe fn OpenSSL_version_num() -> std::ffi::c_ulong;
}

/// Whether two slices of one length are the same, in a time that depends on the length alone.
pub fn same(a: &[u8], b: &[u8]) -> bool {
    // SAFETY: so many bytes are there on both sides.
    a.len() == b.len() && unsafe { CRYPTO_memcmp(a.as_ptr().cast(), b.as_ptr().cast(), a.len()) } == 0
}

/// `OPENSSL_INIT_NO_ATEXIT`: the library frees nothing when the process ends, while native threads may still be in a
/// handshake.
const NO_CLEANUP: u64 = 0x0008_0000;

/// Makes the library ready; further calls do nothing.
pub fn init() -> bool {
    // SAFETY: no settings are given.
    unsafe { OPENSSL_init_ssl(NO_CLEANUP, std::ptr::null()) == 1 }
}

type ReadDer<T> = unsafe extern "C" fn(*mut *mut T, *mut *const u8, std::ffi::c_long) -> *mut T;

/// A type that has a form in DER.
///
/// # Safety
/// The functions are the library's own for this type.
pub unsafe trait Der: Foreign {
    const D2I: ReadDer<Self>;
    const I2D: unsafe extern "C" fn(*const Self, *mut *mut u8) -> c_int;

    /// The structure at the beginning of the bytes.
    fn decode(bytes: &[u8]) -> Option<Owned<Self>> {
        let mut at = bytes.as_ptr();
        // SAFETY: so many bytes are there; a new structure is made.
        unsafe { Owned::from_raw(Self::D2I(std::ptr::null_mut(), &mut at, bytes.len() as _)) }
    }

    /// The same through a stream, whose errors tell what is missing at the end.
    fn decode_stream(bytes: &[u8]) -> Option<Owned<Self>> {
        let source = bio::Source::new(bytes)?;
        // SAFETY: the function is the library's own for this type, and makes a new structure. What lies behind its
        // pointers does not change how it is called.
        unsafe {
            let read = std::mem::transmute::<ReadDer<Self>, ReadDer<c_void>>(Self::D2I);
            Owned::from_raw(ASN1_d2i_bio(std::ptr::null(), read, &source, std::ptr::null_mut()).cast())
        }
    }

    fn encode(&self) -> Option<Vec<u8>> {
        // SAFETY: the structure lives; without a place for the output the length alone is told.
        let len = unsafe { Self::I2D(self, std::ptr::null_mut()) };
        if len < 0 {
            return None;
        }
        let mut der = vec![0; len as usize];
        let mut at = der.as_mut_ptr();
        // SAFETY: so many bytes are written.
        let written = unsafe { Self::I2D(self, &mut at) };
        der.truncate(usize::try_from(written).ok()?);
        Some(der)
    }
}

/// Declares the DER functions of types.
macro_rules! der {
    ($($name:ident $d2i:ident $i2d:ident;)*) => {$(
        unsafe extern "C" {
            fn $d2i(out: *mut *mut $name, at: *mut *const u8, len: std::ffi::c_long) -> *mut $name;
            fn $i2d(this: *const $name, at: *mut *mut u8) -> std::ffi::c_int;
        }
        // SAFETY: they are.
        unsafe impl $crate::ffi::Der for $name {
            const D2I: unsafe extern "C" fn(*mut *mut $name, *mut *const u8, std::ffi::c_long) -> *mut $name = $d2i;
            const I2D: unsafe extern "C" fn(*const $name, *mut *mut u8) -> std::ffi::c_int = $i2d;
        }
    )*};
}

pub(crate) use der;

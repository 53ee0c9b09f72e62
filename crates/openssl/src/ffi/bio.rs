//! Memory streams: how texts in PEM come and go.

use super::{Owned, Text, foreign};
use std::ffi::{c_char, c_int, c_long, c_void};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::{null, null_mut};

foreign! {
    BIO "OpenSSL/BIO" BIO_free;
}

#[repr(C)]
struct BIO_METHOD([u8; 0]);

unsafe extern "C" {
    fn BIO_new(method: *const BIO_METHOD) -> Option<Owned<BIO>>;
    fn BIO_s_mem() -> *const BIO_METHOD;
    fn BIO_ctrl(bio: *const BIO, command: c_int, number: c_long, memory: *mut c_void) -> c_long;
    fn BIO_new_mem_buf(bytes: *const c_void, len: c_int) -> Option<Owned<BIO>>;
    pub safe fn BIO_new_file(name: Text, mode: Text) -> Option<Owned<BIO>>;
}

const CTRL_EOF: c_int = 2;
const CTRL_INFO: c_int = 3;
const CTRL_TELL: c_int = 133;

/// A stream that gives bytes and then ends.
pub struct Source<'a>(Owned<BIO>, PhantomData<&'a [u8]>);

impl<'a> Source<'a> {
    pub fn new(bytes: &'a [u8]) -> Option<Source<'a>> {
        let len = c_int::try_from(bytes.len()).ok()?;
        // SAFETY: so many bytes are there for as long as the stream.
        unsafe { BIO_new_mem_buf(bytes.as_ptr().cast(), len) }.map(|bio| Source(bio, PhantomData))
    }
}

impl Deref for Source<'_> {
    type Target = BIO;

    fn deref(&self) -> &BIO {
        &self.0
    }
}

impl BIO {
    /// An empty one to write to.
    pub fn memory() -> Option<Owned<BIO>> {
        // SAFETY: the method is static.
        unsafe { BIO_new(BIO_s_mem()) }
    }

    /// How much was read of it.
    pub fn position(&self) -> c_long {
        // SAFETY: the command takes nothing.
        unsafe { BIO_ctrl(self, CTRL_TELL, 0, null_mut()) }
    }

    pub fn ended(&self) -> bool {
        // SAFETY: the command takes nothing.
        unsafe { BIO_ctrl(self, CTRL_EOF, 0, null_mut()) == 1 }
    }

    /// What was written to it.
    pub fn written(&self) -> Vec<u8> {
        let mut at: *const c_char = null();
        // SAFETY: the command stores the address of what the stream holds and says how much that is.
        let len = unsafe { BIO_ctrl(self, CTRL_INFO, 0, (&raw mut at).cast()) };
        if len <= 0 || at.is_null() {
            return Vec::new();
        }
        // SAFETY: as above; it is copied at once.
        unsafe { std::slice::from_raw_parts(at.cast::<u8>(), len as usize) }.to_vec()
    }
}

/// What a function writes to a memory stream; `None` when it fails.
pub fn written(write: impl FnOnce(&BIO) -> bool) -> Option<Vec<u8>> {
    let bio = BIO::memory()?;
    write(&bio).then(|| bio.written())
}

//! Sessions of TLS.

use super::bio::BIO;
use super::x509::Pem;
use super::{Owned, der, foreign};
use std::ffi::{c_int, c_uint, c_void};

foreign! {
    SSL_SESSION "OpenSSL/SSL/Session" SSL_SESSION_free;
}

der! {
    SSL_SESSION d2i_SSL_SESSION i2d_SSL_SESSION;
}

unsafe extern "C" {
    pub safe fn SSL_SESSION_up_ref(session: &SSL_SESSION) -> c_int;
    fn PEM_read_bio_SSL_SESSION(
        bio: &BIO,
        out: *mut *mut SSL_SESSION,
        ask: *mut c_void,
        data: *mut c_void,
    ) -> Option<Owned<SSL_SESSION>>;
    fn SSL_SESSION_get_id(session: &SSL_SESSION, len: *mut c_uint) -> *const u8;
    safe fn PEM_write_bio_SSL_SESSION(bio: &BIO, this: &SSL_SESSION) -> c_int;
}

// SAFETY: they are this type's.
unsafe impl Pem for SSL_SESSION {
    const READ: unsafe extern "C" fn(
        &BIO,
        *mut *mut SSL_SESSION,
        *mut c_void,
        *mut c_void,
    ) -> Option<Owned<SSL_SESSION>> = PEM_read_bio_SSL_SESSION;
    const WRITE: extern "C" fn(&BIO, &SSL_SESSION) -> c_int = PEM_write_bio_SSL_SESSION;
}

impl SSL_SESSION {
    pub fn share(&self) -> Option<Owned<SSL_SESSION>> {
        if SSL_SESSION_up_ref(self) != 1 {
            return None;
        }
        // SAFETY: the count has been raised for it.
        unsafe { Owned::from_raw(std::ptr::from_ref(self).cast_mut()) }
    }

    pub fn id(&self) -> &[u8] {
        let mut len = 0;
        // SAFETY: so many bytes belong to the session.
        unsafe {
            let at = SSL_SESSION_get_id(self, &mut len);
            if at.is_null() || len == 0 { &[] } else { std::slice::from_raw_parts(at, len as usize) }
        }
    }
}

//! Who is asked about each certificate of a verification that no connection has begun. The library calls one function
//! for every store; who answers lies in the store's extra data, and only while the library's own code runs: whoever is
//! asked may run Ruby, which switches threads, and these find nobody there.

use super::ssl::index_of;
use super::x509::{X509_STORE, X509_STORE_CTX, X509_STORE_CTX_get0_store};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

const INDEX_STORE: c_int = 4;

unsafe extern "C" {
    fn X509_STORE_get_ex_data(store: *const X509_STORE, index: c_int) -> *mut c_void;
    fn X509_STORE_set_ex_data(store: *const X509_STORE, index: c_int, data: *mut c_void) -> c_int;
}

pub type Verifier<'a> = dyn FnMut(bool, &X509_STORE_CTX) -> bool + 'a;

fn index() -> c_int {
    static INDEX: OnceLock<c_int> = OnceLock::new();
    *INDEX.get_or_init(|| index_of(INDEX_STORE, None))
}

/// Runs verifications against a store during which `asked` is asked.
pub fn with_verifier<R>(store: &X509_STORE, mut asked: &mut Verifier, f: impl FnOnce() -> R) -> R {
    // SAFETY: what is stored there is taken away again before `asked` ends.
    unsafe {
        X509_STORE_set_ex_data(store, index(), (&raw mut asked).cast());
        let result = f();
        X509_STORE_set_ex_data(store, index(), null_mut());
        result
    }
}

/// The callback of every store.
pub unsafe extern "C" fn verify_by_store(accepted: c_int, ctx: *mut X509_STORE_CTX) -> c_int {
    // SAFETY: the library passes a living context; what is stored there is `with_verifier`'s, and nobody else finds it
    // meanwhile.
    unsafe {
        let ctx = &*ctx;
        let Some(store) = X509_STORE_CTX_get0_store(ctx) else { return accepted };
        let found = X509_STORE_get_ex_data(store, index());
        let Some(asked) = found.cast::<&mut Verifier>().as_mut() else { return accepted };
        X509_STORE_set_ex_data(store, index(), null_mut());
        let answer = asked(accepted != 0, ctx);
        X509_STORE_set_ex_data(store, index(), found);
        answer.into()
    }
}

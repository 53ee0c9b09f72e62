//! Extensions in C: Ruby's C interface.
//!
//! Extensions are compiled from their sources with the headers in `include/ruby-4.0.0`, which are our own. Their values
//! are the VM's: immediates have CRuby's bits, objects never move, stacks are scanned conservatively; there are no
//! handles and no copies. The shim (`shim/`, C) has a function for every declaration. What it does not do itself it
//! asks of the functions here, `rbl_x` for `rb_x`. `state` is the border and says what holds there;
//! `docs/extensions.md` is the guide.
//!
//! What lives elsewhere: the methods and objects themselves (`vm`), where files are found (`corelib`), the command's
//! list of exported symbols (`build.rs` of `rubellite`).

mod altstack;
mod asked;
mod barrier;
mod call;
mod check;
mod collection;
mod data;
mod define;
mod digest;
mod encoding;
mod exits;
mod frames;
mod io;
mod lesser;
mod load;
mod object;
mod opened;
mod overflow;
mod own;
mod regexp;
mod state;
mod text;
mod thread;
mod thread_events;
mod variable;
mod watch;

use rubellite_core_load as loader;
use rubellite_vm::object::Str;
use rubellite_vm::{Ctx, Extension, Value};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::{CString, c_char};

// `FUNCTIONS`: every function of the headers, and whether it is implemented.
include!(concat!(env!("OUT_DIR"), "/functions.rs"));

/// Makes `require` load extensions.
pub fn register(ctx: &mut Ctx) {
    loader::set_native_loader(ctx, loader::NativeLoader { accepts: load::has_mark, load: load::load });
}

/// Texts that C code got as C strings and may keep.
struct Texts {
    all: RefCell<HashMap<Vec<u8>, CString>>,
    /// The last ones asked for, each where its length and its ends say.
    recent: Box<[Cell<Recent>]>,
}

/// The bytes of a key of `Texts::all`, which lie still, and their C string.
#[derive(Clone, Copy)]
struct Recent {
    bytes: *const u8,
    len: usize,
    text: *const c_char,
}

const RECENT: usize = 1024;

impl Default for Texts {
    fn default() -> Texts {
        let empty = Recent { bytes: std::ptr::NonNull::dangling().as_ptr(), len: 0, text: c"".as_ptr() };
        Texts { all: RefCell::default(), recent: vec![Cell::new(empty); RECENT].into() }
    }
}

impl Extension for Texts {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// The text as a C string, which stays.
pub(crate) fn keep_text(ctx: &Ctx, string: Value) -> *const c_char {
    let Some(string) = Str::try_of(string) else { return std::ptr::null() };
    keep_bytes(ctx, string.bytes(ctx))
}

/// The bytes up to a NUL as a C string, which stays.
pub(crate) fn keep_bytes(ctx: &Ctx, bytes: &[u8]) -> *const c_char {
    let texts = ctx.extension::<Texts>();
    let ends = |at: usize| usize::from(bytes.get(at).copied().unwrap_or(0));
    let len = bytes.len();
    let place =
        len + ends(0) * 7 + ends(len / 2) * 31 + ends(len.wrapping_sub(1)) * 131 + ends(len.wrapping_sub(2)) * 61;
    let place = &texts.recent[place % RECENT];
    let recent = place.get();
    // SAFETY: the bytes of a key, which is never taken out, or none.
    if unsafe { std::slice::from_raw_parts(recent.bytes, recent.len) } == bytes {
        return recent.text;
    }
    let mut all = texts.all.borrow_mut();
    if !all.contains_key(bytes) {
        let text = CString::new(bytes.split(|byte| *byte == 0).next().unwrap_or_default()).unwrap_or_default();
        all.insert(bytes.to_vec(), text);
    }
    let Some((bytes, text)) = all.get_key_value(bytes) else { return c"".as_ptr() };
    place.set(Recent { bytes: bytes.as_ptr(), len, text: text.as_ptr() });
    text.as_ptr()
}

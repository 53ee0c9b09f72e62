//! Extensions in C: Ruby's C interface.
//!
//! Extensions are compiled from their sources with the headers in `include/ruby-4.0.0`, which are our own. Their values are the VM's:
//! immediates have CRuby's bits, objects never move, stacks are scanned conservatively; there are no handles and no copies. The shim
//! (`shim/`, C) has a function for every declaration. What it does not do itself it asks of the functions here, `rbl_x` for `rb_x`.
//! `state` is the border and says what holds there; `docs/extensions.md` is the guide.
//!
//! What lives elsewhere: the methods and objects themselves (`vm`), where files are found (`corelib`), the command's list of exported
//! symbols (`build.rs` of `rubellite`).

mod barrier;
mod call;
mod collection;
mod data;
mod define;
mod encoding;
mod exits;
mod frames;
mod io;
mod load;
mod object;
mod regexp;
mod state;
mod text;
mod thread;
mod turns;

use rubellite_core_load as loader;
use rubellite_vm::object::Str;
use rubellite_vm::{Ctx, Extension, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CString, c_char};

// `FUNCTIONS`: every function of the headers, and whether it is implemented.
include!(concat!(env!("OUT_DIR"), "/functions.rs"));

/// Makes `require` load extensions.
pub fn register(ctx: &mut Ctx) {
    loader::set_native_loader(ctx, loader::NativeLoader { accepts: load::has_mark, load: load::load });
}

/// Texts that C code got as C strings and may keep.
#[derive(Default)]
struct Texts(RefCell<HashMap<Vec<u8>, CString>>);

impl Extension for Texts {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// The text as a C string, which stays.
pub(crate) fn keep_text(ctx: &mut Ctx, string: Value) -> *const c_char {
    let Some(string) = Str::try_of(string) else { return std::ptr::null() };
    let bytes = string.bytes(ctx).to_vec();
    let mut texts = ctx.extension::<Texts>().0.borrow_mut();
    texts.entry(bytes.clone()).or_insert_with(|| CString::new(bytes.split(|byte| *byte == 0).next().unwrap_or_default()).unwrap_or_default()).as_ptr()
}

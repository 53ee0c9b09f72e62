//! Loading of extensions: the mark, the VM that owns the interface, and `Init_x`.
//!
//! The interface is a process's: its variables (`rb_cObject`) and those of the extensions exist once. So the first VM
//! that loads an extension owns it, and others are refused.

use crate::state::{Call, cross};
use rubellite_vm::{Ctx, Extension, Result, Unwind, Value};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// `RUBELLITE_ABI_VERSION` of the headers.
const ABI_VERSION: c_uint = 3;

/// The VM that owns the interface; 0: none yet.
static OWNER: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" {
    fn rbl_c_fill(fatal: Value) -> Value;
    fn rbl_enter(function: unsafe extern "C" fn(Value) -> Value, argument: Value, out: *mut Value) -> c_int;
    fn rbl_enter_init(function: unsafe extern "C" fn()) -> c_int;
    fn rbl_enter_open(path: *const c_char, handle: &mut *mut c_void) -> c_int;
}

#[cold]
fn load_error(ctx: &mut Ctx, path: &[u8], message: &str) -> Unwind {
    let class = ctx.error_class("LoadError");
    let text = format!("{message} - {}", String::from_utf8_lossy(path));
    let exception = ctx.new_error(class, &text);
    let (name, path) =
        (ctx.intern("@path"), rubellite_vm::object::Str::utf8(ctx, &String::from_utf8_lossy(path)).value());
    ctx.ivar_set(exception, name, path);
    ctx.raise(exception)
}

/// The message of the last failure of the loader.
fn loader_message() -> String {
    // SAFETY: a C string of the loader's, read before it is called again, or null.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() { "cannot load".into() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}

/// Whether the file is an extension that was compiled with our headers: it names the mark or has the note. Nothing of
/// it is run.
pub fn has_mark(path: &[u8]) -> bool {
    let Ok(bytes) = std::fs::read(std::ffi::OsStr::from_bytes(path)) else { return false };
    bytes.starts_with(b"\x7fELF")
        && (find(&bytes, b"\0rubellite_abi_version\0").is_some() || noted_version(&bytes).is_some())
}

/// The version in the note that the headers put into every object.
fn noted_version(bytes: &[u8]) -> Option<c_uint> {
    let head: Vec<u8> =
        [10u32, 4, 1].iter().flat_map(|number| number.to_ne_bytes()).chain(*b"Rubellite\0\0\0").collect();
    let at = find(bytes, &head)? + head.len();
    bytes.get(at..at + 4).and_then(|number| number.try_into().ok()).map(c_uint::from_ne_bytes)
}

fn find(text: &[u8], pattern: &[u8]) -> Option<usize> {
    // SAFETY: both slices are valid for their lengths.
    let at = unsafe { libc::memmem(text.as_ptr().cast(), text.len(), pattern.as_ptr().cast(), pattern.len()) };
    (!at.is_null()).then(|| at as usize - text.as_ptr() as usize)
}

/// Takes the interface on for this VM.
fn claim(ctx: &mut Ctx, path: &[u8]) -> Result<()> {
    let vm = std::ptr::from_ref(ctx.vm()) as usize;
    match OWNER.compare_exchange(0, vm, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => {
            crate::check::begin();
            crate::frames::join_reports();
            crate::data::install_hooks(crate::digest::step);
            make_opaque(ctx)?;
            let fatal = ctx.error_class("fatal").value();
            // SAFETY: a function of the shim that defines the interface's variables.
            cross(ctx, Call::NONE, Value::NIL, |out| unsafe { rbl_enter(rbl_c_fill, fatal, out) }).map(drop)
        }
        Err(owner) if owner == vm => Ok(()),
        Err(_) => Err(load_error(ctx, path, "extensions in C are another VM's in this process")),
    }
}

/// What is data in CRuby and a plain object here.
fn make_opaque(ctx: &mut Ctx) -> Result<()> {
    for name in ["Enumerator", "Enumerator::Yielder", "Enumerator::Generator", "Enumerator::Producer"] {
        ctx.named_class(name)?.make_opaque(ctx);
    }
    let object = ctx.named_class("Object")?;
    for name in ["ARGF", "ENV"] {
        let name = ctx.intern(name);
        if ctx.visible_const(object, name, Some(true))?.is_none() {
            continue;
        }
        let found = ctx.const_get(object, name, true)?;
        if found.has_tag(rubellite_vm::Tag::Object)
            && let Some(class) = rubellite_vm::Class::singleton_class(ctx, found)
        {
            class.make_opaque(ctx);
        }
    }
    Ok(())
}

/// `Init_` and the file's name without extension.
fn init_name(path: &[u8]) -> CString {
    let file = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let stem = file.split(|byte| *byte == b'.').next().unwrap_or_default();
    CString::new([b"Init_", stem].concat()).unwrap_or_default()
}

/// Files whose static constructors were left by an exit, and the thread for which the loader opens one.
#[derive(Default)]
struct Opened {
    failed: RefCell<BTreeSet<CString>>,
    by: Cell<Option<u64>>,
}

impl Extension for Opened {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// Opens the file, whose constructors run meanwhile and may raise. Null: the loader has refused it.
fn open(ctx: &mut Ctx, file: &CString) -> Result<*mut c_void> {
    if ctx.extension::<Opened>().failed.borrow().contains(file) {
        return Err(load_error(ctx, file.as_bytes(), "a static constructor has failed before"));
    }
    // A constructor that lets other threads run holds the loader's lock: who waits for that must not hold the VM's.
    let me = ctx.thread().id;
    while ctx.extension::<Opened>().by.get().is_some_and(|thread| thread != me) {
        let (kernel, seconds) = (ctx.named_class("Kernel")?.value(), ctx.float(0.001));
        crate::own::call(ctx, kernel, "sleep", &[seconds])?;
    }
    let outer = ctx.extension::<Opened>().by.replace(Some(me));
    // Global, as with CRuby: extensions use functions of others that were loaded before them.
    // SAFETY: a C string. The shim sees to exits out of constructors.
    let shim = |handle: &mut *mut c_void| unsafe { rbl_enter_open(file.as_ptr(), handle) };
    let handle = cross(ctx, Call::NONE, std::ptr::null_mut(), shim);
    ctx.extension::<Opened>().by.set(outer);
    if handle.is_err() {
        ctx.extension::<Opened>().failed.borrow_mut().insert(file.clone());
    }
    handle
}

/// Loads the extension at `path`.
///
/// # Errors
/// LoadError, or what its initialization raised.
pub fn load(ctx: &mut Ctx, path: &[u8]) -> Result<()> {
    if !has_mark(path) {
        let text = String::from_utf8_lossy(path).into_owned();
        return Err(ctx.raise_error("LoadError", &format!("{text}: extensions for another Ruby cannot be loaded")));
    }
    claim(ctx, path)?;
    let Ok(file) = CString::new(path) else { return Err(load_error(ctx, path, "cannot load such file")) };
    let handle = open(ctx, &file)?;
    if handle.is_null() {
        let message = loader_message();
        return Err(load_error(ctx, path, &message));
    }
    let symbol = |name: *const c_char| -> *mut c_void {
        // SAFETY: a handle that was just opened, and a C string.
        unsafe { libc::dlsym(handle, name) }
    };
    let mark = symbol(c"rubellite_abi_version".as_ptr()).cast::<c_uint>();
    let version = if mark.is_null() {
        noted_version(&std::fs::read(std::ffi::OsStr::from_bytes(path)).unwrap_or_default()).unwrap_or(0)
    } else {
        // SAFETY: the header defines it as an unsigned int.
        unsafe { *mark }
    };
    if version != ABI_VERSION {
        let text =
            format!("compiled with headers of version {version}, this is version {ABI_VERSION}: compile it anew");
        return Err(load_error(ctx, path, &text));
    }
    let name = init_name(path);
    let init = symbol(name.as_ptr());
    if init.is_null() {
        let text = format!("dlsym: undefined symbol: {}", name.to_string_lossy());
        return Err(load_error(ctx, path, &text));
    }
    ctx.extension::<crate::define::Defined>().ractor_safe.set(false);
    // SAFETY: the initialization function, which takes nothing; the shim calls it behind a tag.
    let init = unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn()>(init) };
    // SAFETY: as above.
    cross(ctx, Call::NONE, (), |()| unsafe { rbl_enter_init(init) })
}

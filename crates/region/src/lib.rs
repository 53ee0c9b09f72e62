//! The contract of `include/rubellite/region.h`: regions for code written in C. The header is the documentation of each
//! function; here is how they rest on `Ctx::outside_calling`, and why their unsafe parts hold.
//!
//! A Rust program that embeds the VM loads or links the C code, and gives it the context with [`enter`]. Programs that
//! load it at run time are linked with `-rdynamic`, so that it finds these functions.
//!
//! Invariant: a C function that returned `EXIT` left an exit pending, and one that returned `DONE` did not: `settle`
//! sees to it.

use rubellite_vm::outside::Region;
use rubellite_vm::vmlock::Kind;
use rubellite_vm::{Ctx, Ends, Leave, Pending, Result, Unwind};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};

/// `RUBELLITE_DONE`.
pub const DONE: c_int = 0;
/// `RUBELLITE_EXIT`.
pub const EXIT: c_int = 1;
/// `RUBELLITE_STOPPED`.
pub const STOPPED: c_int = 2;

/// `rubellite_ctx`: a `Ctx`.
#[repr(C)]
pub struct Context {
    _opaque: [u8; 0],
}

/// `rubellite_region`: a `Region`.
#[repr(C)]
pub struct RawRegion {
    _opaque: [u8; 0],
}

pub type Work = unsafe extern "C" fn(*mut RawRegion, *mut c_void) -> c_int;
pub type Callback = unsafe extern "C" fn(*mut Context, *mut c_void) -> c_int;
pub type Cleanup = unsafe extern "C" fn(*mut Context, *mut c_void, c_int);
type UnblockFn = unsafe extern "C" fn(*mut c_void);

/// The values below any function's address that stand for ready-made unblock functions.
const FLAG: usize = 1;
const FD: usize = 2;
const PROCESS: usize = 3;

/// Calls a C function with the context of the thread, and turns what it returns into a `Result`.
///
/// # Errors
/// The exit that it left pending.
pub fn enter(ctx: &mut Ctx, function: impl FnOnce(*mut Context) -> c_int) -> Result<()> {
    let status = function((&raw mut *ctx).cast());
    settle(ctx, status)
}

/// Makes status and pending exit agree.
fn settle(ctx: &mut Ctx, status: c_int) -> Result<()> {
    let pending = !matches!(ctx.pending(), Pending::None);
    match (status, pending) {
        (DONE, false) => Ok(()),
        (_, true) => Err(Unwind),
        (_, false) => Err(ctx.runtime_error("a native function failed and raised nothing")),
    }
}

fn status(outcome: Result<()>) -> c_int {
    if outcome.is_ok() { DONE } else { EXIT }
}

/// A pointer of the C code's that its functions get in whatever thread they run.
#[derive(Clone, Copy)]
struct Argument(*mut c_void);

// SAFETY: nothing is done with it here but passing it on; the header says which functions run beside each other.
unsafe impl Send for Argument {}
// SAFETY: as above.
unsafe impl Sync for Argument {}

impl Argument {
    fn get(self) -> *mut c_void {
        self.0
    }
}

/// See the header. `unblock` is null, one of the three small values, or a `rubellite_unblock`.
///
/// # Safety
/// `ctx` was given to the calling thread by this crate and is still valid; functions and arguments are as the header
/// wants them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rubellite_without_lock(
    ctx: *mut Context,
    work: Work,
    work_argument: *mut c_void,
    unblock: *const c_void,
    unblock_argument: *mut c_void,
    cleanup: Option<Cleanup>,
    cleanup_argument: *mut c_void,
) -> c_int {
    // SAFETY: the caller's context, which nobody else uses before this returns.
    let rust_ctx = unsafe { &mut *ctx.cast::<Ctx>() };
    let outcome = run(rust_ctx, work, Argument(work_argument), unblock, Argument(unblock_argument));
    let Some(cleanup) = cleanup else { return status(outcome) };
    // The cleanup may run Ruby code, and what it raises goes before.
    let exit = outcome.is_err().then(|| rust_ctx.pending_to_value());
    // SAFETY: the function and its argument go together; the lock is held.
    unsafe { cleanup(ctx, cleanup_argument, status(outcome)) };
    // SAFETY: as above; the reference of before is not used any more.
    let rust_ctx = unsafe { &mut *ctx.cast::<Ctx>() };
    if let (Some(exit), Pending::None) = (exit, rust_ctx.pending()) {
        rust_ctx.rethrow(exit);
    }
    status(if matches!(rust_ctx.pending(), Pending::None) { Ok(()) } else { Err(Unwind) })
}

fn run(
    ctx: &mut Ctx,
    work: Work,
    work_argument: Argument,
    unblock: *const c_void,
    unblock_argument: Argument,
) -> Result<()> {
    let function = (unblock as usize > PROCESS).then(|| {
        // SAFETY: neither null nor one of the small values: the header says that it is a function of this type.
        unsafe { std::mem::transmute::<*const c_void, UnblockFn>(unblock) }
    });
    let call = || {
        if let Some(function) = function {
            // SAFETY: the function and its argument go together, while the work runs.
            unsafe { function(unblock_argument.get()) };
        }
    };
    // SAFETY: the argument of this kind is a `rubellite_flag`, an aligned C int that lives as long as the call.
    let flag = (unblock as usize == FLAG).then(|| unsafe { AtomicI32::from_ptr(unblock_argument.get().cast()) });
    let set = || flag.iter().for_each(|flag| flag.store(1, SeqCst));
    let ends = match unblock as usize {
        0 => Ends::Never,
        FLAG => Ends::Fn(&set),
        FD | PROCESS => Ends::Signal,
        _ => Ends::Fn(&call),
    };
    loop {
        flag.iter().for_each(|flag| flag.store(0, SeqCst));
        ctx.before_wait()?;
        let done = ctx.outside_calling(Leave::new(Kind::Long, ends).quiet(), |region, _| {
            // SAFETY: the region is valid until the work returns, on this thread.
            Some(unsafe { work((&raw mut *region).cast(), work_argument.get()) })
        })?;
        ctx.after_wait()?;
        match done {
            Some(STOPPED) | None => {}
            // The work cannot have raised: that takes a callback, whose exit would have been passed on.
            Some(code) => return settle(ctx, code),
        }
    }
}

/// See the header.
///
/// # Safety
/// Called by the work that got the region, on its thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rubellite_with_lock(region: *mut RawRegion, call: Callback, argument: *mut c_void) -> c_int {
    // SAFETY: the pointer that `run` made; the work does not use it otherwise during this call. The two lifetimes are
    // those of frames below this one.
    let region = unsafe { &mut *region.cast::<Region<'_, '_>>() };
    let argument = Argument(argument);
    status(region.with_lock(|ctx| {
        // SAFETY: the function and its argument go together.
        enter(ctx, |ctx| unsafe { call(ctx, argument.get()) })
    }))
}

/// See the header.
///
/// # Safety
/// As `rubellite_with_lock`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rubellite_interrupted(region: *const RawRegion) -> c_int {
    // SAFETY: as in `rubellite_with_lock`.
    let region = unsafe { &*region.cast::<Region<'_, '_>>() };
    c_int::from(region.interrupted())
}

/// See the header.
///
/// # Safety
/// `ctx` is the caller's valid context; the strings end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rubellite_raise(ctx: *mut Context, class: *const c_char, message: *const c_char) -> c_int {
    // SAFETY: the caller's.
    let (ctx, class, message) = unsafe { (&mut *ctx.cast::<Ctx>(), CStr::from_ptr(class), CStr::from_ptr(message)) };
    let class = ctx.error_class_of_text(&class.to_string_lossy());
    let exception = ctx.new_error(class, &message.to_string_lossy());
    let _: Unwind = ctx.raise(exception);
    EXIT
}

/// See the header.
///
/// # Safety
/// As `rubellite_raise`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rubellite_eval(ctx: *mut Context, source: *const c_char) -> c_int {
    // SAFETY: the caller's.
    let (ctx, source) = unsafe { (&mut *ctx.cast::<Ctx>(), CStr::from_ptr(source)) };
    status(ctx.run_source(source.to_bytes(), "(native)", false).map(drop))
}

/// See the header.
///
/// # Safety
/// `ctx` is the caller's valid context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rubellite_check(ctx: *mut Context) -> c_int {
    // SAFETY: the caller's.
    status(unsafe { &mut *ctx.cast::<Ctx>() }.check_interrupts())
}

//! The two ways between Rust and C.
//!
//! From C into Rust: [`enter`] gets the context of the native thread, runs the body and turns what it returns into a
//! status. The shim jumps when that is 1. From Rust into C: [`cross`] tells the shim the context and what the C code
//! sees of its call, and takes both back afterwards. In between lies C code only, so that no jump crosses a frame of
//! Rust.
//!
//! Invariant: `Running::ctx` is the context of the calling native thread while it holds the lock and C code runs, and
//! null otherwise. A fiber may be left while C code waits for it: `enter` puts back what the C code that called it had,
//! whichever fiber ran meanwhile.

use rubellite_vm::object::OutOfMemory;
use rubellite_vm::outside::Region;
use rubellite_vm::{Ctx, Result, Unwind, Value};
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What C code has while it runs with the lock.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Running {
    pub ctx: *mut Ctx,
    /// Null while Rust runs.
    pub tag: *mut Tag,
    /// The block of the method or block function.
    pub block: Value,
    /// The Proc of the block function that runs, or nil.
    pub proc: Value,
    pub keywords: c_int,
    /// What `rb_errinfo` says, the last exception that C code of this thread has stopped. `exits` keeps it alive.
    pub errinfo: Value,
    /// `$!` of the code in Ruby that has called the C code, nil where no `rescue` runs. While there is one C code does
    /// not change `$!`. `cross` keeps it alive.
    pub outer: Value,
}

/// `struct rbl_tag` of the shim.
#[repr(C)]
pub struct Tag {
    frame: usize,
    address: usize,
    pub stack: usize,
}

/// `struct rbl_thread` of the shim.
#[repr(C)]
pub struct ThreadState {
    pub now: Running,
    /// The region that the thread is in, while it is outside the lock.
    pub region: *mut u8,
    /// The collector that calls mark functions.
    pub marker: *mut u8,
    /// The context that this native thread has had last, for handlers of signals that come while no C code runs. It
    /// may be gone: whoever uses it looks first whether the machine stack is that context's.
    pub home: *mut Ctx,
    /// The shim's: the file that the loader is opening for this thread.
    opening: *mut u8,
    /// Whether C code is left because its frames have come to the end of the machine stack: no exit is pending.
    pub overflowed: c_int,
}

unsafe extern "C" {
    fn rbl_state() -> *mut c_void;
    fn rbl_no_lock() -> !;
}

/// The state of the calling native thread. It lives as long as the thread, and nobody else looks at it.
pub fn state<'a>() -> &'a mut ThreadState {
    // SAFETY: the address of a thread-local variable of the shim, whose layout is this struct's; references to it are
    // short-lived and never overlap, because nothing is called while one is used.
    unsafe { &mut *rbl_state().cast::<ThreadState>() }
}

/// For the checked mode: the context of the calling native thread, if it holds the lock and no collection is under way,
/// during which it is not known what lives. None in the other modes.
#[inline(always)]
pub fn checked<'a>() -> Option<&'a Ctx> {
    if crate::check::is_on() { between_collections() } else { None }
}

#[cold]
fn between_collections<'a>() -> Option<&'a Ctx> {
    let thread = state();
    let collects = !thread.marker.is_null() || rubellite_vm::profile::is_sweeping(thread.home);
    // SAFETY: the context of this thread, which holds the lock while C code runs.
    (!thread.now.ctx.is_null() && !collects).then(|| unsafe { &*thread.now.ctx })
}

/// Locks whether or not a holder panicked: no invariant is broken half-way.
pub fn open<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `body` for C code that has called. 0: its result was written to `out`, unless that is null. 1: an exit is
/// pending.
pub fn enter<R>(out: *mut R, body: impl FnOnce(&mut Ctx) -> Result<R>) -> c_int {
    // SAFETY: the state of this native thread, which a fiber never leaves; references to it are short-lived.
    let thread = unsafe { rbl_state() }.cast::<ThreadState>();
    // SAFETY: as above.
    let saved = unsafe { (*thread).now };
    let ctx = saved.ctx;
    if ctx.is_null() {
        // SAFETY: it ends the process.
        unsafe { rbl_no_lock() }
    }
    // SAFETY: that context, which nobody borrows meanwhile.
    if unsafe { (*ctx).native_stack_spent() } {
        state().overflowed = 1;
        return 1;
    }
    run(saved, out, body)
}

/// Called by the shim where a way into C ends that has been left with `overflowed`: makes the exit.
#[unsafe(no_mangle)]
pub extern "C" fn rbl_overflowed() {
    let thread = state();
    thread.overflowed = 0;
    run(thread.now, null_mut(), |ctx| Err::<(), _>(ctx.stack_overflow()));
}

/// Runs `body` for C code that has `saved`, with the lock.
#[inline(always)]
fn run<R>(saved: Running, out: *mut R, body: impl FnOnce(&mut Ctx) -> Result<R>) -> c_int {
    // SAFETY: as in `enter`.
    let thread = unsafe { rbl_state() }.cast::<ThreadState>();
    let ctx = saved.ctx;
    // SAFETY: as above.
    unsafe { (*thread).now.tag = null_mut() };
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the invariant of this module: the context of this thread, which holds the lock. Whoever crossed into
        // C gave its borrow up for the length of the crossing.
        let ctx = unsafe { &mut *ctx };
        crate::opened::take_over(ctx);
        body(ctx)
    }));
    // SAFETY: as above.
    unsafe { (*thread).now = Running { errinfo: (*thread).now.errinfo, ..saved } };
    match outcome {
        Ok(Ok(value)) => {
            if !out.is_null() {
                // SAFETY: the shim passes the address of a variable of this type.
                unsafe { out.write(value) };
            }
            0
        }
        Ok(Err(Unwind)) => 1,
        Err(payload) => {
            // SAFETY: as above.
            panicked(unsafe { &mut *ctx }, &*payload);
            1
        }
    }
}

/// Runs `body` for C code that has called; `None` when it leaves the work to [`enter`]. `body` may not allocate, raise
/// or run Ruby code, so that nothing has to be put back afterwards.
#[inline(always)]
pub fn light<R>(out: *mut R, body: impl FnOnce(&Ctx) -> Option<R>, slow: impl FnOnce(&mut Ctx) -> Result<R>) -> c_int {
    // SAFETY: the state of this native thread; the reference ends with the statement.
    let ctx = unsafe { (*rbl_state().cast::<ThreadState>()).now.ctx };
    if !ctx.is_null() {
        // SAFETY: the context of this thread, which holds the lock while C code runs.
        if let Some(value) = body(unsafe { &*ctx }) {
            // SAFETY: the shim passes the address of a variable of this type.
            unsafe { out.write(value) };
            return 0;
        }
    }
    enter_to_read(out, slow)
}

/// [`enter`] for what only looks at something. Functions that run outside the lock call these: CRuby lets them read
/// strings, numbers and encodings. The lock is taken for the length of `body` there. A native thread that is none of
/// the VM's ends the process all the same.
pub fn enter_to_read<R>(out: *mut R, body: impl FnOnce(&mut Ctx) -> Result<R>) -> c_int {
    let thread = state();
    if !thread.now.ctx.is_null() || thread.region.is_null() {
        return enter(out, body);
    }
    read_outside(out, body)
}

#[cold]
fn read_outside<R>(out: *mut R, body: impl FnOnce(&mut Ctx) -> Result<R>) -> c_int {
    struct Here<T>(T);
    // SAFETY: the region calls it on this native thread.
    unsafe impl<T> Send for Here<T> {}
    let region = state().region;
    let here = Here((out, body));
    let call = move |ctx: &mut Ctx| {
        let here = here;
        let Here((out, body)) = here;
        let thread = state();
        let saved = (thread.now, thread.region);
        (thread.now.ctx, thread.region) = (std::ptr::from_mut(ctx), null_mut());
        let status = enter(out, body);
        (state().now, state().region) = saved;
        if status == 0 { Ok(()) } else { Err(Unwind) }
    };
    // SAFETY: the region that `thread::outside` has put there, on this thread; the work does not use it otherwise
    // during this call.
    let outcome = unsafe { &mut *region.cast::<Region<'_, '_>>() }.with_lock_to_read(call);
    c_int::from(outcome.is_err())
}

#[cold]
fn panicked(ctx: &mut Ctx, payload: &(dyn std::any::Any + Send)) {
    if payload.is::<OutOfMemory>() {
        ctx.no_memory();
        return;
    }
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or(payload.downcast_ref::<&str>().copied())
        .unwrap_or("panic");
    ctx.raise_error("fatal", &format!("[BUG] {text}"));
}

/// What C code sees of the call that it is in.
pub struct Call {
    pub block: Value,
    /// See [`Running`].
    pub proc: Value,
    pub keywords: bool,
}

impl Call {
    pub const NONE: Call = Call { block: Value::NIL, proc: Value::NIL, keywords: false };

    /// What the C code that runs now has.
    pub fn inherited() -> Call {
        let now = state().now;
        Call { block: now.block, proc: now.proc, keywords: now.keywords != 0 }
    }
}

/// Calls into C with a function of the shim that lays a tag, which returns 0, or 1 when the C code has left with an
/// exit.
///
/// # Errors
/// That exit, which is pending.
#[inline(always)]
pub fn cross<R>(ctx: &mut Ctx, call: Call, out: R, shim: impl FnOnce(&mut R) -> c_int) -> Result<R> {
    let result = cross_amid(ctx, call, out, shim);
    crate::opened::leave(ctx);
    crate::data::free_later(ctx);
    result
}

/// [`cross`] in the middle of an allocation or a collection: no free function of an extension runs afterwards.
///
/// # Errors
/// As there.
#[inline(always)]
pub fn cross_amid<R>(ctx: &mut Ctx, call: Call, out: R, shim: impl FnOnce(&mut R) -> c_int) -> Result<R> {
    ctx.check_native_stack()?;
    let errinfo = ctx.errinfo();
    let home = std::ptr::from_mut(ctx);
    // SAFETY: the state of this native thread, which a fiber never leaves.
    let thread = unsafe { rbl_state() }.cast::<ThreadState>();
    // SAFETY: as above; nobody else looks at it meanwhile.
    let saved = unsafe {
        let saved = (*thread).now;
        if (*thread).home.is_null() {
            crate::altstack::prepare();
        }
        (*thread).home = home;
        // What C code has stopped further out is no `rescue`.
        let outer = if saved.outer.is_nil() && errinfo == saved.errinfo { Value::NIL } else { errinfo };
        (*thread).now = Running {
            ctx: home,
            block: call.block,
            proc: call.proc,
            keywords: c_int::from(call.keywords),
            outer,
            ..saved
        };
        saved
    };
    let mut out = out;
    let status = shim(&mut out);
    // SAFETY: as above. An exit that leaves the C code is Ruby's affair: the last exception is again what it was.
    unsafe {
        let own = if status == 0 { (*thread).now.errinfo } else { saved.errinfo };
        (*thread).now = Running { errinfo: own, ..saved };
    }
    ctx.set_errinfo(errinfo);
    if status == 0 { Ok(out) } else { Err(Unwind) }
}

/// Forgets the context while the lock is away; gives what `back` needs.
pub fn leave() -> Running {
    let saved = state().now;
    state().now.ctx = null_mut();
    saved
}

/// Has the lock again.
pub fn back(saved: Running) {
    state().now = saved;
}

/// Functions that the shim calls. Each gives its result behind the last argument and a status.
macro_rules! api {
    ($($body:tt)*) => { $crate::state::api_by! { enter; $($body)* } };
}
pub(crate) use api;

/// The same for functions that only look at something, which work that runs outside the lock may call, too.
macro_rules! api_to_read {
    ($($body:tt)*) => { $crate::state::api_by! { enter_to_read; $($body)* } };
}
pub(crate) use api_to_read;

macro_rules! api_by {
    ($way:ident; $(
        $(#[$doc:meta])* fn $name:ident($ctx:ident $(, $arg:ident: $ty:ty)* $(,)?) $(-> $ret:ty)? $body:block
    )*) => { $(
        $(#[$doc])*
        /// # Safety
        /// Called by the shim, with the lock; values are living objects or immediates, addresses point at what the C
        /// declaration says.
        #[unsafe(no_mangle)]
        #[allow(clippy::too_many_arguments, clippy::not_unsafe_ptr_arg_deref)]
        pub unsafe extern "C" fn $name(
            $($arg: $ty,)* out: *mut $crate::state::api_by!(@ret $($ret)?)
        ) -> std::ffi::c_int {
            if let Some(ctx) = $crate::state::checked() {
                #[allow(unused_imports)]
                use $crate::check::{Argument, MayBeValue, NoValue};
                let arguments = [$((stringify!($arg), (&Argument($arg)).value())),*];
                $crate::check::arguments(ctx, stringify!($name), &arguments);
            }
            type Returned = rubellite_vm::Result<$crate::state::api_by!(@ret $($ret)?)>;
            $crate::state::$way(out, |$ctx: &mut rubellite_vm::Ctx| -> Returned {
                let _ = &$ctx;
                $body
            })
        }
    )* };
    (@ret) => { () };
    (@ret $ret:ty) => { $ret };
}
pub(crate) use api_by;

//! The lock: leaving it for work in C, coming back for callbacks, waiting for descriptors and time; threads and
//! mutexes.
//!
//! `rb_thread_call_without_gvl` is `Ctx::outside_calling`. Unlike the work of `region.h` its function runs once. While
//! it runs the native thread has no context, so that a call of the VM out of it ends the process with a message and
//! does not corrupt anything; the region lies in the thread's state for `rb_thread_call_with_gvl`. An exit out of such
//! a callback ends the function: the shim jumps to where the region began, over frames of C, and the exit goes on from
//! there.

use crate::state::{Call, Running, api, api_to_read, back, cross, leave, state};
use rubellite_vm::outside::{Region, Stop};
use rubellite_vm::thread::interrupt_bits;
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Ctx, Ends, Leave, Result, Unwind, Value};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::time::{Duration, Instant};

type Work = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
type UnblockFunction = unsafe extern "C" fn(*mut c_void);

unsafe extern "C" {
    fn rbl_enter_work(function: Work, data: *mut c_void, out: *mut *mut c_void) -> c_int;
    fn rbl_enter(function: unsafe extern "C" fn(Value) -> Value, argument: Value, out: *mut Value) -> c_int;
}

/// `RUBY_UBF_IO` and `RUBY_UBF_PROCESS`.
const BY_SIGNAL: usize = usize::MAX;
const INTR_FAIL: c_int = 1;
const PENDING_INTR_FAIL: c_int = 8;

/// How long functions take is learnt by their addresses.
static SITES: [RegionSite; 64] = [const { RegionSite::new("work of an extension") }; 64];

fn site(function: Work) -> &'static RegionSite {
    &SITES[(function as usize >> 4) % SITES.len()]
}

/// Addresses of the extension's that its functions get in whatever thread they run.
#[derive(Clone, Copy)]
struct Address(*mut c_void);

// SAFETY: nothing is done with it here but passing it on; the extension answers for what its functions do beside each
// other.
unsafe impl Send for Address {}
// SAFETY: as above.
unsafe impl Sync for Address {}

impl Address {
    fn get(self) -> *mut c_void {
        self.0
    }
}

/// What the C code had that calls, which comes back with the lock.
struct Carried(Running);

// SAFETY: it stays on its native thread: regions do.
unsafe impl Send for Carried {}

/// Whether a raise, a kill or a signal waits for the thread. That its turn is over or machine code is ready ends no
/// work, and a nudge was for what it waited for before.
fn is_called_off(ctx: &Ctx) -> bool {
    let thread = &ctx.thread().lock_thread;
    thread.interrupt.take(interrupt_bits::NUDGE);
    thread.pending_wake_bits() != 0
}

/// Runs `work` outside the lock. `None`: an interrupt was there already, and it has not run.
fn outside(
    ctx: &mut Ctx,
    work: Work,
    data: *mut c_void,
    unblock: *const c_void,
    unblock_data: *mut c_void,
    quiet: bool,
) -> Result<Option<*mut c_void>> {
    let (data, unblock_data) = (Address(data), Address(unblock_data));
    let function = (unblock as usize != BY_SIGNAL && !unblock.is_null()).then(|| {
        // SAFETY: neither null nor the value that stands for a signal: a function of this type, by its declaration.
        unsafe { std::mem::transmute::<*const c_void, UnblockFunction>(unblock) }
    });
    let call = || {
        if let Some(function) = function {
            // SAFETY: the function and its argument go together, while the work runs.
            unsafe { function(unblock_data.get()) };
        }
    };
    let ends = match unblock as usize {
        0 => Ends::Never,
        BY_SIGNAL => Ends::Signal,
        _ => Ends::Fn(&call),
    };
    let kind = Kind::Short(site(work));
    let body = move |region: &mut Region<'_, '_>, _: &Stop<'_>| {
        let carried = Carried(leave());
        let outer = std::mem::replace(&mut state().region, std::ptr::from_mut(region).cast());
        let mut out = null_mut();
        // SAFETY: work and data go together; the shim calls it behind a tag, to which an exit out of a callback jumps.
        unsafe { rbl_enter_work(work, data.get(), &raw mut out) };
        state().region = outer;
        let Carried(now) = carried;
        back(now);
        Some(Address(out))
    };
    // Whether it is begun anew after an interrupt that raises nothing is the function's own contract: each call is one
    // stay outside.
    if !quiet {
        ctx.before_wait()?;
    }
    let outcome = ctx.outside_calling(Leave::new(kind, ends).quiet(), body)?;
    if !quiet {
        ctx.after_wait()?;
    }
    Ok(outcome.map(Address::get))
}

/// Calls `function` with the lock from a function that runs outside it. 1: an exit is pending, the function has to end.
///
/// # Safety
/// Called by the shim, on a native thread whose work runs outside the lock.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_thread_call_with_gvl(function: Work, data: *mut c_void, out: *mut *mut c_void) -> c_int {
    let region = state().region.cast::<Region<'_, '_>>();
    if region.is_null() {
        let text = if state().now.ctx.is_null() {
            "[BUG] rb_thread_call_with_gvl() is called by non-ruby thread"
        } else {
            "[BUG] rb_thread_call_with_gvl: called by a thread which has GVL."
        };
        rubellite_vm::complain!("{text}");
        std::process::abort();
    }
    let data = Address(data);
    // SAFETY: the region that `outside` has put there, on this thread; the work does not use it otherwise during this
    // call.
    let outcome = unsafe { &mut *region }.with_lock(move |ctx| {
        let outer = std::mem::replace(&mut state().region, null_mut());
        // SAFETY: function and data go together; the shim calls it behind a tag.
        let outcome = cross(ctx, Call::NONE, null_mut(), |out| unsafe { rbl_enter_work(function, data.get(), out) });
        state().region = outer;
        outcome.map(Address)
    });
    match outcome {
        Ok(result) => {
            // SAFETY: the shim's variable.
            unsafe { out.write(result.get()) };
            0
        }
        Err(Unwind) => 1,
    }
}

/// poll(2) for one descriptor. The events that came, 0 when the time is over.
fn wait_for(
    ctx: &mut Ctx,
    fd: c_int,
    events: i16,
    deadline: Option<Instant>,
) -> Result<std::result::Result<i16, c_int>> {
    loop {
        ctx.before_wait()?;
        let mut polls = [libc::pollfd { fd, events, revents: 0 }];
        let outcome = ctx.poll_quietly(&mut polls, deadline);
        ctx.after_wait()?;
        match outcome {
            Ok(0) if deadline.is_some_and(|deadline| ctx.now() >= deadline) => return Ok(Ok(0)),
            Ok(0) => {}
            Ok(_) => return Ok(Ok(polls[0].revents)),
            Err(libc::EINTR) => {}
            Err(errno) => return Ok(Err(errno)),
        }
    }
}

fn set_errno(errno: c_int) {
    // SAFETY: the address of this thread's errno.
    unsafe { *libc::__errno_location() = errno };
}

fn deadline_of(ctx: &Ctx, timeout: *const libc::timeval) -> Option<Instant> {
    if timeout.is_null() {
        return None;
    }
    // SAFETY: the C code's variable.
    let timeout = unsafe { *timeout };
    Some(
        ctx.now()
            + Duration::from_secs(timeout.tv_sec.max(0) as u64)
            + Duration::from_micros(timeout.tv_usec.max(0) as u64),
    )
}

/// `RB_WAITFD_*` are poll(2)'s bits.
fn poll_events(events: c_int) -> i16 {
    events as i16 & (libc::POLLIN | libc::POLLOUT | libc::POLLPRI)
}

fn happened(wanted: c_int, events: i16) -> c_int {
    let mut came = c_int::from(events) & wanted;
    if events & (libc::POLLERR | libc::POLLHUP | libc::POLLNVAL) != 0 {
        came |= wanted & c_int::from(libc::POLLIN | libc::POLLOUT);
    }
    came
}

/// Sleeps; forever without a time.
fn sleep(ctx: &mut Ctx, time: Option<Duration>) -> Result<()> {
    let kernel = ctx.named_class("Kernel")?.value();
    match time {
        Some(time) => {
            let seconds = ctx.float(time.as_secs_f64());
            crate::own::call(ctx, kernel, "sleep", &[seconds]).map(drop)
        }
        None => crate::own::call(ctx, kernel, "sleep", &[]).map(drop),
    }
}

api! {
    fn rbl_thread_call_without_gvl(
        ctx, work: Work, data: *mut c_void, unblock: *const c_void, unblock_data: *mut c_void,
    ) -> *mut c_void {
        loop {
            if let Some(result) = outside(ctx, work, data, unblock, unblock_data, false)? {
                return Ok(result);
            }
        }
    }

    fn rbl_thread_call_without_gvl2(
        ctx, work: Work, data: *mut c_void, unblock: *const c_void, unblock_data: *mut c_void,
    ) -> *mut c_void {
        if is_called_off(ctx) {
            return Ok(null_mut());
        }
        Ok(outside(ctx, work, data, unblock, unblock_data, true)?.unwrap_or(null_mut()))
    }

    fn rbl_thread_blocking_region(
        ctx, work: Work, data: *mut c_void, unblock: *const c_void, unblock_data: *mut c_void,
    ) -> *mut c_void {
        loop {
            if let Some(result) = outside(ctx, work, data, unblock, unblock_data, false)? {
                return Ok(result);
            }
        }
    }

    fn rbl_nogvl(
        ctx, work: Work, data: *mut c_void, unblock: *const c_void, unblock_data: *mut c_void, flags: c_int,
    ) -> *mut c_void {
        if flags & INTR_FAIL != 0 {
            let held_back = flags & PENDING_INTR_FAIL != 0 && rubellite_core_thread::anything_waits(ctx)?;
            if held_back || is_called_off(ctx) {
                return Ok(null_mut());
            }
            return Ok(outside(ctx, work, data, unblock, unblock_data, true)?.unwrap_or(null_mut()));
        }
        loop {
            if let Some(result) = outside(ctx, work, data, unblock, unblock_data, false)? {
                return Ok(result);
            }
        }
    }

    fn rbl_thread_check_ints(ctx) {
        ctx.check_interrupts()
    }

    fn rbl_thread_interrupted(ctx, _thread: Value) -> c_int {
        Ok(c_int::from(is_called_off(ctx)))
    }

    fn rbl_thread_schedule(ctx) {
        ctx.yield_lock()
    }

    fn rbl_thread_wait_for(ctx, time: libc::timeval) {
        let whole = Duration::from_secs(time.tv_sec.max(0) as u64);
        sleep(ctx, Some(whole + Duration::from_micros(time.tv_usec.max(0) as u64)))
    }

    fn rbl_thread_sleep(ctx, seconds: c_int) {
        sleep(ctx, Some(Duration::from_secs(seconds.max(0) as u64)))
    }

    fn rbl_thread_sleep_forever(ctx) {
        sleep(ctx, None)
    }

    fn rbl_wait_for_single_fd(ctx, fd: c_int, events: c_int, timeout: *const libc::timeval) -> c_int {
        let deadline = deadline_of(ctx, timeout);
        match wait_for(ctx, fd, poll_events(events), deadline)? {
            Ok(came) if came & libc::POLLNVAL != 0 => {
                set_errno(libc::EBADF);
                Ok(-1)
            }
            Ok(came) => Ok(happened(events, came)),
            Err(errno) => {
                set_errno(errno);
                Ok(-1)
            }
        }
    }

    fn rbl_thread_wait_fd(ctx, fd: c_int) -> c_int {
        wait_for(ctx, fd, libc::POLLIN, None)?.ok();
        Ok(1)
    }

    fn rbl_thread_fd_writable(ctx, fd: c_int) -> c_int {
        wait_for(ctx, fd, libc::POLLOUT, None)?.ok();
        Ok(1)
    }

    /// poll(2) for several descriptors, with a time in milliseconds; negative: for ever.
    fn rbl_c_poll(ctx, polls: *mut libc::pollfd, count: usize, milliseconds: i64) -> c_int {
        // SAFETY: the shim's array.
        let polls = unsafe { std::slice::from_raw_parts_mut(polls, count) };
        let deadline = u64::try_from(milliseconds).ok().map(|wait| ctx.now() + Duration::from_millis(wait));
        loop {
            ctx.before_wait()?;
            let outcome = ctx.poll_quietly(polls, deadline);
            ctx.after_wait()?;
            match outcome {
                Ok(0) if deadline.is_some_and(|deadline| ctx.now() >= deadline) => return Ok(0),
                Ok(0) | Err(libc::EINTR) => {}
                Ok(ready) => return Ok(ready as c_int),
                Err(errno) => {
                    set_errno(errno);
                    return Ok(-1);
                }
            }
        }
    }

    /// A thread that runs a C function.
    fn rbl_thread_create(ctx, function: Work, data: *mut c_void) -> Value {
        let halves = |word: usize| [Value::fixnum((word >> 1) as i64), Value::fixnum((word & 1) as i64)];
        let words = [function as usize, data as usize].map(halves);
        let words = rubellite_vm::object::Array::from_slice(ctx, &words.concat()).value();
        let block = rubellite_vm::object::Proc::native(ctx, run_thread, words, 0, false);
        let class = ctx.named_class("Thread")?.value();
        let name = ctx.intern("new");
        ctx.call_with_block(class, name, &[], block)
    }
}

api_to_read! {
    fn rbl_thread_alone(ctx) -> c_int {
        Ok(c_int::from(ctx.threads().count() <= 1))
    }
}

fn run_thread(ctx: &mut Ctx, words: Value, _args: rubellite_vm::Args) -> Result {
    let Some(words) = rubellite_vm::object::Array::try_of(words) else { return Ok(Value::NIL) };
    let word = |i| words.get(i).and_then(Value::as_fixnum).unwrap_or(0) as usize;
    let (function, data) = (word(0) << 1 | word(1), word(2) << 1 | word(3));
    // SAFETY: `rb_thread_create` has put the address there, and nobody else sees the Array.
    let function = unsafe { std::mem::transmute::<usize, unsafe extern "C" fn(Value) -> Value>(function) };
    // SAFETY: function and data go together; the shim calls it behind a tag.
    cross(ctx, Call::NONE, Value::NIL, |out| unsafe { rbl_enter(function, Value::from_bits(data as u64), out) })
}

/// Whether the calling native thread has the lock and runs C code.
#[unsafe(no_mangle)]
pub extern "C" fn rbl_has_lock() -> c_int {
    c_int::from(!state().now.ctx.is_null())
}

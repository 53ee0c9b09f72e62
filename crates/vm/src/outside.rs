//! The door out of the lock: `Ctx::outside`, which runs work outside it as a `Leave` says, and `outside_calling` for
//! work that comes back for callbacks (`Region::with_lock`).
//!
//! Invariant: nothing of the VM gets outside. The work is `Send`, and so are the callbacks and what they return; a
//! `Value` is not, so that neither a capture nor a local variable of the work can hold one while the lock is away. A
//! `Region` stays on its native thread.
//!
//! What is built on it lies elsewhere: sizes from which work leaves the lock in `rubellite_core_thread::outside`, work
//! that is left behind when its wait ends early in `apart` beside it, waits for descriptors in the IO part. poll(2) has
//! a way of its own (`Ctx::poll_quietly`), since one signal ends it for sure.

pub use crate::stop::{Offer, Stop};
use crate::thread::Activity;
use crate::thread_events::ThreadEvent;
use crate::{Ctx, Pending, Result, Unwind};
use rubellite_vmlock::{Kind, LockThread, RegionGuard, Unblock};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Instant;

/// How work outside the lock ends early when somebody interrupts its thread. The work then says `None`.
#[derive(Clone, Copy)]
pub enum Ends<'a> {
    /// It does not: interrupts wait for it. For what takes less than some 20 ms, or cannot be stopped.
    Never,
    /// It asks its `Stop` now and then.
    Flag,
    /// It waits in one system call, which a signal ends with EINTR.
    Signal,
    /// Anything else: called by the interrupting thread, behind the `Stop`. It must neither enter the VM nor take the
    /// lock.
    Fn(&'a (dyn Fn() + Sync)),
}

impl Ends<'_> {
    /// The unblock function of `Fn`: sets the flag first.
    fn set_and_call(self, flag: &AtomicBool) -> impl Fn() + Sync {
        move || {
            flag.store(true, SeqCst);
            if let Ends::Fn(function) = self {
                function();
            }
        }
    }

    fn unblock<'u>(self, flag: &'u AtomicBool, set_and_call: &'u (dyn Fn() + Sync)) -> Unblock<'u> {
        match self {
            Ends::Never => Unblock::None,
            Ends::Flag => Unblock::Flag(flag),
            Ends::Signal => Unblock::Signal,
            Ends::Fn(_) => Unblock::Fn(set_and_call),
        }
    }
}

/// Interrupts are handled before the work and behind it. One that raises is the outcome, and the work's result is
/// dropped; after one that raises nothing, work that said `None` is begun anew. What it had done so far it keeps in
/// what it borrows.
pub struct Handled;

/// Interrupts are left to the caller, who calls `before_wait` and `after_wait` where Ruby code may run. `None`: the
/// work said so, or an interrupt came before it began. Work that nothing ends runs in any case.
pub struct Quiet;

/// Who handles the interrupts: `Handled` or `Quiet`.
pub trait Mode {
    /// What a way out with a result of type `R` gives. An `Err` of a quiet one is what a callback raised.
    type Outcome<R>;

    const QUIET: bool;

    /// Makes one stay outside or several.
    fn stay<R>(ctx: &mut Ctx, once: impl FnMut(&mut Ctx) -> Result<Option<R>>) -> Self::Outcome<R>;
}

impl Mode for Handled {
    type Outcome<R> = Result<R>;

    const QUIET: bool = false;

    #[inline]
    fn stay<R>(ctx: &mut Ctx, mut once: impl FnMut(&mut Ctx) -> Result<Option<R>>) -> Result<R> {
        loop {
            ctx.before_wait()?;
            let outcome = once(ctx)?;
            ctx.after_wait()?;
            if let Some(result) = outcome {
                return Ok(result);
            }
        }
    }
}

impl Mode for Quiet {
    type Outcome<R> = Result<Option<R>>;

    const QUIET: bool = true;

    #[inline]
    fn stay<R>(ctx: &mut Ctx, mut once: impl FnMut(&mut Ctx) -> Result<Option<R>>) -> Result<Option<R>> {
        once(ctx)
    }
}

/// How a thread leaves the lock.
pub struct Leave<'a, M: Mode = Handled> {
    kind: Kind,
    ends: Ends<'a>,
    activity: Activity,
    offered: bool,
    mode: PhantomData<M>,
}

impl<'a> Leave<'a> {
    /// For work of this kind that ends early in this way. The thread counts as asleep meanwhile (`Thread#status`).
    pub fn new(kind: Kind, ends: Ends<'a>) -> Leave<'a> {
        Leave { kind, ends, activity: Activity::Blocked, offered: false, mode: PhantomData }
    }

    /// Interrupts are left to the caller.
    pub fn quiet(self) -> Leave<'a, Quiet> {
        Leave { kind: self.kind, ends: self.ends, activity: self.activity, offered: self.offered, mode: PhantomData }
    }

    /// The scheduler of a non-blocking fiber may have the work done elsewhere: what it keeps in what it borrows may
    /// change hands, one thread at a time. Other fibers run meanwhile, so this is for work during which CRuby lets
    /// them run too.
    pub fn offered(self) -> Leave<'a> {
        Leave { offered: true, ..self }
    }
}

impl<M: Mode> Leave<'_, M> {
    /// The thread counts as running meanwhile: it computes, or what it waits for is none of the program's business.
    /// What computes and does not end early keeps the lock under a fixed schedule: how long it takes must not
    /// decide who runs next.
    pub fn running(self) -> Self {
        Leave { activity: Activity::Running, ..self }
    }
}

/// Work that runs once, whenever that is.
pub fn once<R>(work: impl FnOnce() -> R) -> impl FnMut(&Stop<'_>) -> Option<R> {
    let mut work = Some(work);
    move |_| work.take().map(|work| work())
}

/// A thread's stay outside the lock, for work that comes back.
pub struct Region<'r, 'g> {
    guard: &'r mut RegionGuard<'g>,
    ctx: NonNull<Ctx>,
    /// The stack pointer that the collector knows: what lies beyond it belongs to the work.
    sp: usize,
    /// A callback ended with an exit, which is pending.
    left: bool,
}

impl Region<'_, '_> {
    /// Whether an interrupt has come that ends waits, however the region ends early.
    pub fn interrupted(&self) -> bool {
        self.guard.interrupted()
    }

    /// Takes the lock back, handles interrupts that came meanwhile, runs `call` and leaves the lock again. `Err`: the
    /// exit of `call` (or of an interrupt) is pending; the work should come to its end, further callbacks are
    /// refused in the same way, and the call that began the region passes the exit on instead of the work's result.
    ///
    /// # Errors
    /// `Unwind`, as above.
    pub fn with_lock<R: Send>(&mut self, call: impl FnOnce(&mut Ctx) -> Result<R> + Send) -> Result<R> {
        self.locked(|ctx| ctx.after_wait().and_then(|()| call(ctx)))
    }

    /// The same for `call` that only looks at something: interrupts wait until the work is over.
    ///
    /// # Errors
    /// The exit of `call`, as above.
    pub fn with_lock_to_read<R: Send>(&mut self, call: impl FnOnce(&mut Ctx) -> Result<R> + Send) -> Result<R> {
        self.locked(call)
    }

    fn locked<R: Send>(&mut self, call: impl FnOnce(&mut Ctx) -> Result<R> + Send) -> Result<R> {
        if self.left {
            return Err(Unwind);
        }
        let (ctx, sp) = (self.ctx, self.sp);
        let outcome = self.guard.with_lock(|| {
            // SAFETY: `call_outside` holds the `&mut Ctx` for as long as the region lives and does not use it
            // before the work is over; this native thread holds the lock for the length of the callback.
            let ctx = unsafe { &mut *ctx.as_ptr() };
            ctx.set_activity(Activity::Running);
            ctx.tell_event(ThreadEvent::Returns);
            let outcome = call(ctx);
            if outcome.is_ok() {
                // An exit that the callback has left behind and not passed on would end up in somebody else's call.
                debug_assert!(matches!(ctx.pending, Pending::None), "a callback succeeded with an exit pending");
            }
            ctx.tell_event(ThreadEvent::Leaves);
            ctx.set_activity(Activity::Blocked);
            ctx.leaving_at(sp);
            outcome
        });
        self.left = outcome.is_err();
        outcome
    }
}

impl Ctx {
    /// Leaves the lock as `leave` says, runs `work`, takes the lock again. The work looks at its `Stop` if it ends by
    /// that, and says `None` when it has ended early; `Handled` and `Quiet` say what becomes of it then. Work that
    /// runs once is wrapped by `once`.
    ///
    /// # Errors
    /// What an interrupt raised, unless the leave is quiet.
    #[inline]
    pub fn outside<M: Mode, R: Send>(
        &mut self,
        leave: Leave<'_, M>,
        mut work: impl FnMut(&Stop<'_>) -> Option<R> + Send,
    ) -> M::Outcome<R> {
        let mut offered = leave.offered;
        M::stay(self, |ctx| {
            if std::mem::take(&mut offered)
                && let Some(result) = ctx.offer(&leave, &mut work)?
            {
                return Ok(Some(result));
            }
            Ok(ctx.work_outside(&leave, &mut work))
        })
    }

    /// The same for work that calls back into the VM: it also says `None` when a callback has failed.
    ///
    /// # Errors
    /// As above, and what a callback raised; the work's result is then dropped.
    pub fn outside_calling<M: Mode, R: Send>(
        &mut self,
        leave: Leave<'_, M>,
        mut work: impl FnMut(&mut Region<'_, '_>, &Stop<'_>) -> Option<R> + Send,
    ) -> M::Outcome<R> {
        M::stay(self, |ctx| ctx.call_outside(&leave, &mut work))
    }

    /// poll(2) outside the lock, see `LockThread::poll`. Handles no interrupts, which end it with EINTR: the
    /// caller calls `before_wait` and `after_wait` around it, where Ruby code may run.
    pub fn poll_quietly(
        &mut self,
        fds: &mut [libc::pollfd],
        deadline: Option<Instant>,
    ) -> std::result::Result<usize, i32> {
        self.set_activity(Activity::Blocked);
        let outcome = self.leaving(|thread| thread.poll(fds, deadline));
        self.set_activity(Activity::Running);
        outcome
    }

    /// Offers work to whoever may have it done elsewhere: the result if it was.
    fn offer<M: Mode, R: Send>(
        &mut self,
        leave: &Leave<'_, M>,
        work: &mut (impl FnMut(&Stop<'_>) -> Option<R> + Send),
    ) -> Result<Option<R>> {
        let offer = self.vm().hooks().offer;
        // Not on the stack, which has to hold still while another thread works.
        let mut result = Box::new(None);
        offer(self, leave.kind, matches!(leave.ends, Ends::Signal), &mut |stop| *result = work(stop))?;
        Ok(*result)
    }

    #[inline]
    fn work_outside<M: Mode, R: Send>(
        &mut self,
        leave: &Leave<'_, M>,
        work: &mut (impl FnMut(&Stop<'_>) -> Option<R> + Send),
    ) -> Option<R> {
        let running = leave.activity == Activity::Running;
        if running && matches!(leave.ends, Ends::Never) && self.vm().lock.is_controlled() {
            return work(&Stop::NEVER);
        }
        let flag = AtomicBool::new(false);
        let set_and_call = leave.ends.set_and_call(&flag);
        let unblock = leave.ends.unblock(&flag, &set_and_call);
        if !running {
            self.set_activity(leave.activity);
        }
        let outcome = self.leaving(|thread| match leave.ends {
            Ends::Never if M::QUIET => Ok(thread.region(leave.kind, || work(&Stop::NEVER))),
            _ => thread.blocking(leave.kind, unblock, || work(&Stop::of(&flag))),
        });
        if !running {
            self.set_activity(Activity::Running);
        }
        outcome.ok().flatten()
    }

    fn call_outside<M: Mode, R: Send>(
        &mut self,
        leave: &Leave<'_, M>,
        work: &mut (impl FnMut(&mut Region<'_, '_>, &Stop<'_>) -> Option<R> + Send),
    ) -> Result<Option<R>> {
        let flag = AtomicBool::new(false);
        let set_and_call = leave.ends.set_and_call(&flag);
        let unblock = leave.ends.unblock(&flag, &set_and_call);
        self.tell_event(ThreadEvent::Leaves);
        self.set_activity(Activity::Blocked);
        let thread = self.thread.clone();
        let ctx = NonNull::from(&mut *self);
        let outcome = rubellite_gc::stack::spill_and_sp(|sp| {
            let sp = sp as usize;
            // SAFETY: the exclusive borrow of `self` is not used otherwise until this closure has returned.
            unsafe { (*ctx.as_ptr()).leaving_at(sp) };
            thread.lock_thread.blocking_with(leave.kind, unblock, |guard| {
                let mut region = Region { guard, ctx, sp, left: false };
                let result = work(&mut region, &Stop::of(&flag));
                (result, region.left)
            })
        });
        self.set_activity(Activity::Running);
        self.tell_event(ThreadEvent::Returns);
        match outcome {
            Ok((result, true)) => {
                drop(result);
                Err(Unwind)
            }
            Ok((result, false)) => Ok(result),
            Err(_) => Ok(None),
        }
    }

    /// Runs `f`, in which the lock may be left: spills registers and notes the stack pointer for the collector.
    pub(crate) fn leaving<R>(&mut self, f: impl FnOnce(&LockThread) -> R) -> R {
        self.tell_event(ThreadEvent::Leaves);
        let result = self.leaving_untold(f);
        self.tell_event(ThreadEvent::Returns);
        result
    }

    /// `leaving` for a point where the lock is left only if somebody waits.
    pub(crate) fn leaving_if_asked<R>(&mut self, f: impl FnOnce(&LockThread) -> R) -> R {
        if self.tells_of_switch() { self.leaving(f) } else { self.leaving_untold(f) }
    }

    pub(crate) fn leaving_untold<R>(&mut self, f: impl FnOnce(&LockThread) -> R) -> R {
        let thread = self.thread.clone();

        rubellite_gc::stack::spill_and_sp(|sp| {
            self.leaving_at(sp as usize);
            f(&thread.lock_thread)
        })
    }
}

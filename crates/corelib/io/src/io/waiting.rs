//! Waiting for descriptors: who waits for an IO, how they are woken, and how a close makes them give up.
//!
//! States of a waiter, which is on its IO's list all the time:
//! - *polling*: in poll(2), or in another system call on the descriptor, outside the lock.
//! - *following*: parked, because another waiter polls for the same events of the same IO. When that one leaves the
//!   list, the longest follower is nudged and polls. So what arrives wakes one thread and not all of them, and a close
//!   hands each follower straight to the lock's queue, without a signal.
//! - *evicted*: the IO was closed or reopened; it is nudged, leaves, and raises IOError.
//!
//! A close waits for those that were polling, because only they hold the descriptor in the kernel. Whoever of them
//! leaves last closes the descriptors (a *deferred close*) and wakes the closing thread, which is parked and nudges the
//! followers when it goes on; they raise while it does. So a number is not reused under a waiter, an
//! interrupted close loses no descriptor, and a thousand followers do not hold the close up.
//!
//! Invariants: the lists are changed with the VM lock held; no Ruby code runs while its thread is on a list
//! (interrupts are handled before and after), so a signal handler may close the IO that its thread waits for.
//!
//! Not chosen: one thread that polls for all (a reactor). Every waiter has its native thread anyway, and each
//! event would cost a second wake-up.

use super::state::{IoState, closed_elsewhere, new_closed_elsewhere};
use rubellite_core_object::errno;
use rubellite_core_thread::io_waiter::IoWaiter;
use rubellite_core_thread::scheduler;
use rubellite_vm::outside::once;
use rubellite_vm::thread::{Activity, ThreadState, interrupt_bits};
use rubellite_vm::vmlock::list::WaitList;
use rubellite_vm::vmlock::{Entry, Kind, ParkResult};
use rubellite_vm::{Ctx, Ends, Leave, Result, Unwind, Value};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// What a wait on a descriptor came to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Waited {
    /// These poll bits are set.
    Ready(i16),
    TimedOut,
}

/// Those who wait for an IO.
#[derive(Default)]
pub struct IoWaiters {
    list: WaitList<Rc<IoWaiter>>,
    /// Events for which somebody polls whom others follow.
    polled: Cell<i16>,
    /// How many of the list are evicted while they poll.
    evicted: Cell<usize>,
    /// Descriptors that an IO has given up, to be closed when the evicted have left.
    deferred_closes: RefCell<Vec<i32>>,
    /// Fibers that wait by way of their schedulers. They make no system call on the descriptor.
    pub fibers: rubellite_core_thread::Waiters,
    /// Threads that wait for such a close.
    closers: WaitList<Arc<ThreadState>>,
}

/// How one stay on the list ended.
enum Stay {
    Polled(std::result::Result<i16, i32>),
    /// The buffer has something: nobody needs to poll.
    Buffered,
    Evicted,
}

/// Waits until the descriptor is ready for `events` (poll bits) or the deadline passes. IOError when the IO is closed
/// meanwhile.
pub fn wait(ctx: &mut Ctx, io: &Rc<IoState>, fd: i32, events: i16, deadline: Option<Instant>) -> Result<Waited> {
    if let Some(scheduler) = scheduler::current(ctx)
        && !io.object.get().is_nil()
    {
        return wait_in_fiber(ctx, scheduler, io, fd, events, deadline);
    }
    loop {
        ctx.before_wait()?;
        if !io.owns(fd) {
            return Err(closed_elsewhere(ctx));
        }
        match stay(ctx, io, fd, events, deadline) {
            Stay::Evicted => return Err(evicted(ctx)),
            Stay::Polled(Ok(revents)) if revents != 0 => {
                ctx.after_wait()?;
                return Ok(Waited::Ready(revents));
            }
            Stay::Buffered => return Ok(Waited::Ready(libc::POLLIN)),
            Stay::Polled(Ok(_)) => {
                ctx.after_wait()?;
                if deadline.is_some_and(|at| at <= Instant::now()) {
                    return Ok(Waited::TimedOut);
                }
            }
            Stay::Polled(Err(libc::EINTR)) => ctx.after_wait()?,
            Stay::Polled(Err(e)) => return Err(errno::fail(ctx, e, "")),
        }
    }
}

/// What a thread raises that has lost its descriptor to a close: the exit that was asked of it meanwhile, else IOError.
/// A thread that is killed before its socket is closed dies and raises nothing.
fn evicted(ctx: &mut Ctx) -> Unwind {
    match ctx.after_wait() {
        Ok(()) => closed_elsewhere(ctx),
        Err(unwind) => unwind,
    }
}

/// `wait` of a fiber whose scheduler does the waiting.
fn wait_in_fiber(
    ctx: &mut Ctx,
    scheduler: Value,
    io: &Rc<IoState>,
    fd: i32,
    events: i16,
    deadline: Option<Instant>,
) -> Result<Waited> {
    let object = io.object.get();
    let ready = io
        .waiters
        .fibers
        .enter(ctx, object, object, |ctx| scheduler::io_poll(ctx, scheduler, object, events, deadline))?;
    std::hint::black_box(object);
    ctx.check_interrupts()?;
    if !io.owns(fd) {
        return Err(closed_elsewhere(ctx));
    }
    Ok(if ready == 0 { Waited::TimedOut } else { Waited::Ready(ready) })
}

fn stay(ctx: &mut Ctx, io: &IoState, fd: i32, events: i16, deadline: Option<Instant>) -> Stay {
    let waiters = &io.waiters;
    let simple = matches!(events, libc::POLLIN | libc::POLLOUT | libc::POLLPRI);
    let follows = simple && waiters.polled.get() & events != 0;
    let me = IoWaiter::own(ctx, fd, if simple { events } else { 0 }, follows);
    if simple {
        waiters.polled.set(waiters.polled.get() | events);
    }
    let stay = waiters.list.enter(me.clone(), || {
        if me.follows.get() {
            match follow(ctx, &me, deadline) {
                Some(stay) => return stay,
                None if events == libc::POLLIN && io.has_buffered() => return Stay::Buffered,
                None => {}
            }
        }
        let mut poll = [libc::pollfd { fd, events, revents: 0 }];
        match ctx.poll_quietly(&mut poll, deadline) {
            Ok(_) if poll[0].revents & libc::POLLNVAL != 0 => Stay::Polled(Err(libc::EBADF)),
            Ok(_) => Stay::Polled(Ok(poll[0].revents)),
            Err(e) => Stay::Polled(Err(e)),
        }
    });
    let evicted = leave(ctx, io, &me);
    me.keep(ctx);
    if evicted { Stay::Evicted } else { stay }
}

/// Parks behind the waiter that polls for the same. `None`: it is this one's turn to poll.
fn follow(ctx: &mut Ctx, me: &IoWaiter, deadline: Option<Instant>) -> Option<Stay> {
    loop {
        let parked = ctx.park_quietly(deadline, Activity::Sleeping);
        if me.evicted.get() {
            return Some(Stay::Evicted);
        }
        if !me.follows.get() {
            // Other interrupts than the nudge end the poll as soon as it begins.
            ctx.thread().lock_thread.interrupt.take(interrupt_bits::NUDGE);
            return None;
        }
        match parked {
            ParkResult::Unparked => {}
            ParkResult::TimedOut => return Some(Stay::Polled(Ok(0))),
            ParkResult::Interrupted => return Some(Stay::Polled(Err(libc::EINTR))),
        }
    }
}

/// After the waiter is off the list: takes its nudge, lets the next one poll, and finishes a close. True: evicted.
fn leave(ctx: &mut Ctx, io: &IoState, me: &IoWaiter) -> bool {
    let waiters = &io.waiters;
    if ctx.interrupted() {
        ctx.thread().lock_thread.interrupt.take(interrupt_bits::NUDGE);
    }
    let events = me.events.get();
    if events != 0 && !me.follows.get() {
        match waiters.list.find(|other| other.events.get() == events && other.follows.get() && !other.evicted.get()) {
            Some(next) => {
                next.follows.set(false);
                next.nudge();
            }
            None => waiters.polled.set(waiters.polled.get() & !events),
        }
    }
    if !me.evicted.get() {
        return false;
    }
    if me.follows.get() {
        return true;
    }
    waiters.evicted.set(waiters.evicted.get() - 1);
    if waiters.evicted.get() == 0 {
        close_deferred(io);
        while let Some(closer) = waiters.closers.pop_front() {
            ctx.wake(&closer);
        }
    }
    true
}

/// Runs a system call on the IO's descriptor outside the lock, with the thread on the list. `None`: an interrupt
/// that raised nothing came before it began.
pub fn on_list<T: Send>(
    ctx: &mut Ctx,
    io: &Rc<IoState>,
    fd: i32,
    kind: Kind,
    call: impl FnOnce() -> T + Send,
) -> Result<Option<T>> {
    ctx.before_wait()?;
    if !io.owns(fd) {
        return Err(closed_elsewhere(ctx));
    }
    let me = IoWaiter::own(ctx, fd, 0, false);
    let outcome = io.waiters.list.enter(me.clone(), || ctx.outside(Leave::new(kind, Ends::Signal).quiet(), once(call)));
    // What the call has done counts more than the close that came meanwhile: it may have taken bytes.
    let lost = leave(ctx, io, &me);
    me.keep(ctx);
    let outcome = outcome?;
    if lost && outcome.is_none() {
        return Err(evicted(ctx));
    }
    Ok(outcome)
}

/// `on_list` for a system call on descriptors of two IOs, a close of either of which ends it.
pub fn on_both_lists<T: Send>(
    ctx: &mut Ctx,
    sides: [(&Rc<IoState>, i32); 2],
    kind: Kind,
    call: impl FnOnce() -> T + Send,
) -> Result<Option<T>> {
    ctx.before_wait()?;
    if sides.iter().any(|(io, fd)| !io.owns(*fd)) {
        return Err(closed_elsewhere(ctx));
    }
    let me = sides.map(|(_, fd)| IoWaiter::new(ctx, fd, 0, false));
    let entries = sides.iter().map(|(io, _)| &io.waiters.list).zip(me.iter().cloned());
    let outcome = WaitList::enter_all(entries, || ctx.outside(Leave::new(kind, Ends::Signal).quiet(), once(call)));
    let mut lost = false;
    for ((io, _), me) in sides.iter().zip(&me) {
        lost |= leave(ctx, io, me);
    }
    let outcome = outcome?;
    if lost && outcome.is_none() {
        return Err(evicted(ctx));
    }
    Ok(outcome)
}

/// poll(2) on descriptors of several IOs, one each, which may close meanwhile. `polls` may have more entries, and must
/// have one. `Ok(0)`: the deadline has passed.
pub fn wait_all(
    ctx: &mut Ctx,
    ios: &[Rc<IoState>],
    polls: &mut [libc::pollfd],
    deadline: Option<Instant>,
) -> Result<usize> {
    loop {
        ctx.before_wait()?;
        if ios.iter().zip(&*polls).any(|(io, poll)| !io.owns(poll.fd)) {
            return Err(closed_elsewhere(ctx));
        }
        let me: Vec<Rc<IoWaiter>> =
            polls.iter().take(ios.len()).map(|poll| IoWaiter::new(ctx, poll.fd, 0, false)).collect();
        let entries = ios.iter().map(|io| &io.waiters.list).zip(me.iter().cloned());
        let outcome = WaitList::enter_all(entries, || ctx.poll_quietly(polls, deadline));
        let mut lost = false;
        for (io, me) in ios.iter().zip(&me) {
            lost |= leave(ctx, io, me);
        }
        if lost {
            return Err(evicted(ctx));
        }
        ctx.after_wait()?;
        match outcome {
            Ok(0) if deadline.is_none_or(|at| at > Instant::now()) => {}
            Ok(n) => return Ok(n),
            Err(libc::EINTR) => {}
            Err(e) => return Err(errno::fail(ctx, e, "select(2)")),
        }
    }
}

/// Takes descriptors away from those who wait for them: each raises IOError. `fds` are numbers of this IO. With
/// `close` the IO has given them up already, and they are closed when the last waiter that polls has left. Returns
/// after that. An interrupt ends this wait, and not the closing.
pub fn evict(ctx: &mut Ctx, io: &Rc<IoState>, fds: &[i32], close: bool) -> Result<()> {
    let waiters = &io.waiters;
    if !waiters.fibers.is_empty() {
        let error = new_closed_elsewhere(ctx);
        scheduler::interrupt_all(ctx, &waiters.fibers, error)?;
    }
    if waiters.list.is_empty() {
        // Nobody else closes a number of ours: an error says that the program has done so behind our back.
        let failed = close && fds.iter().fold(false, |failed, fd| close_fd(*fd).is_err() | failed);
        return if failed { Err(errno::fail(ctx, libc::EBADF, "")) } else { Ok(()) };
    }
    if close {
        waiters.deferred_closes.borrow_mut().extend_from_slice(fds);
    }
    // A nudge changes no list: it wakes a thread, which waits for the lock.
    waiters.list.each(|waiter| {
        if fds.contains(&waiter.fd.get()) && !waiter.evicted.replace(true) && !waiter.follows.get() {
            waiters.evicted.set(waiters.evicted.get() + 1);
            waiter.nudge();
        }
    });
    if waiters.evicted.get() == 0 {
        close_deferred(io);
    }
    let outcome = await_deferred_close(ctx, waiters);
    // They queue behind the others, so that this thread goes on first.
    waiters.list.each(|waiter| {
        if waiter.evicted.get() && waiter.follows.get() {
            waiter.thread.lock_thread.interrupt_as(interrupt_bits::NUDGE, Entry::Normal);
        }
    });
    outcome
}

fn await_deferred_close(ctx: &mut Ctx, waiters: &IoWaiters) -> Result<()> {
    while waiters.evicted.get() > 0 {
        let me = ctx.thread().clone();
        ctx.before_wait()?;
        waiters.closers.enter(me, || ctx.park_quietly(None, Activity::Sleeping));
        ctx.after_wait()?;
    }
    Ok(())
}

/// Closes the descriptors that no waiter uses any more.
fn close_deferred(io: &IoState) {
    close_all(io.waiters.deferred_closes.take());
}

fn close_all(fds: Vec<i32>) {
    for fd in fds {
        let _ = close_fd(fd);
    }
}

/// EBADF is an error; any other leaves the descriptor closed all the same.
fn close_fd(fd: i32) -> std::result::Result<(), ()> {
    // SAFETY: the descriptor was an IO's own, which has given it up; nobody waits for it any more.
    let failed = unsafe { libc::close(fd) } != 0 && errno::last() == libc::EBADF;
    if failed { Err(()) } else { Ok(()) }
}

impl IoWaiters {
    /// In the child of a fork those who waited are gone. Descriptors that a close of the parent has left to
    /// them are closed here, too.
    pub fn forget(&self) {
        self.list.forget();
        self.closers.forget();
        self.polled.set(0);
        self.evicted.set(0);
        close_all(self.deferred_closes.take());
    }
}

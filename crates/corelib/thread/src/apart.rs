//! Work that cannot be stopped, on a native thread of its own: the calling thread waits outside the lock, and an
//! interrupt leaves the work behind, which ends by itself; its result is then dropped.
//!
//! Invariant: who waits is woken once, by the answer, by the end of the working thread (a `Giver` that is dropped) or
//! by an interrupt.

use crate::outside::BYTES_MIN;
use rubellite_vm::object::{Str, under_this_ceiling};
use rubellite_vm::outside::{Stop, once};
use rubellite_vm::vmlock::{Kind, spawn_native};
use rubellite_vm::{Ctx, Ends, Leave, Result};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

enum State<R> {
    Working,
    Done(R),
    /// The working thread has ended without a result: it had no memory.
    Lost,
}

struct Shared<R> {
    state: Mutex<State<R>>,
    changed: Condvar,
}

impl<R> Shared<R> {
    fn state(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end of the work: takes its result to whoever waits. Nobody listens when the work was left behind.
pub struct Giver<R>(Arc<Shared<R>>);

impl<R> Giver<R> {
    pub fn give(self, result: R) {
        *self.0.state() = State::Done(result);
    }
}

impl<R> Drop for Giver<R> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        if matches!(*state, State::Working) {
            *state = State::Lost;
        }
        drop(state);
        self.0.changed.notify_one();
    }
}

/// The end of the thread that waits for the work.
pub struct Awaited<R>(Arc<Shared<R>>);

/// How a wait has ended.
pub enum Outcome<R> {
    Done(R),
    /// The deadline has passed.
    Late,
    /// The working thread has ended without a result.
    Lost,
}

/// The two ends of work that somebody else does.
pub fn pair<R>() -> (Giver<R>, Awaited<R>) {
    let shared = Arc::new(Shared { state: Mutex::new(State::Working), changed: Condvar::new() });
    (Giver(shared.clone()), Awaited(shared))
}

impl<R: Send> Awaited<R> {
    /// Waits outside the lock.
    ///
    /// # Errors
    /// What an interrupt raised; the work is then left behind.
    pub fn wait(self, ctx: &mut Ctx, deadline: Option<Instant>) -> Result<Outcome<R>> {
        // With the state locked once, the flag was set before the wait looks at it or when the wait has begun.
        let wake = || {
            drop(self.0.state());
            self.0.changed.notify_one();
        };
        ctx.outside(Leave::new(Kind::Long, Ends::Fn(&wake)), |stop| self.sleep(stop, deadline))
    }

    /// `None`: it was asked to stop.
    fn sleep(&self, stop: &Stop<'_>, deadline: Option<Instant>) -> Option<Outcome<R>> {
        let mut state = self.0.state();
        loop {
            match std::mem::replace(&mut *state, State::Working) {
                State::Done(result) => return Some(Outcome::Done(result)),
                State::Lost => return Some(Outcome::Lost),
                State::Working if stop.requested() => return None,
                State::Working => {}
            }
            state = match deadline.map(|at| at.saturating_duration_since(Instant::now())) {
                None => self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => return Some(Outcome::Late),
                Some(left) => self.0.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }
}

/// Runs `work` on the bytes of a string: on a thread of its own, as `run`, when they are many.
///
/// # Errors
/// As `run`.
pub fn on_bytes<R: Send + 'static>(
    ctx: &mut Ctx,
    s: Str,
    name: &str,
    stack_bytes: usize,
    work: impl FnOnce(&[u8]) -> R + Send + 'static,
) -> Result<R> {
    if s.len() < BYTES_MIN {
        return Ok(work(s.bytes(ctx)));
    }
    let shared = s.share(ctx);
    run(ctx, name, stack_bytes, move || work(&shared))
}

/// Runs `work` on a native thread of its own, called `name` where the system shows it, with so many bytes of stack, and
/// waits for it outside the lock. Where the system has no thread it runs on the calling one. Starting a thread costs
/// some 30 us: this is for work of some ten milliseconds and more.
///
/// # Errors
/// What an interrupt raised: the work is left behind. NoMemoryError when the thread has ended without a result.
pub fn run<R: Send + 'static>(
    ctx: &mut Ctx,
    name: &str,
    stack_bytes: usize,
    work: impl FnOnce() -> R + Send + 'static,
) -> Result<R> {
    let (giver, awaited) = pair();
    let work = Arc::new(Mutex::new(Some(under_this_ceiling(work))));
    let take = |work: &Mutex<Option<_>>| work.lock().unwrap_or_else(PoisonError::into_inner).take();
    let theirs = work.clone();
    let body = move || {
        if let Some(work) = take(&theirs) {
            // The waiting thread takes the result on its stack before it has the lock, where the gaps in it would look
            // like references.
            giver.give(Box::new(work()));
        }
    };
    if !spawn_native(name, stack_bytes, body)
        && let Some(work) = take(&work)
    {
        return ctx.outside(Leave::new(Kind::Long, Ends::Never).running(), once(work));
    }
    match awaited.wait(ctx, None)? {
        Outcome::Done(result) => Ok(*result),
        Outcome::Late | Outcome::Lost => Err(ctx.no_memory()),
    }
}

//! Events of threads (`ThreadEvent`): an extension in C may have a hook called when a thread begins, gives the lock
//! away, has it again, and ends. Also the jobs of extensions that run at the safepoint for which the bit JOB asks.
//!
//! Invariant: both are called by the thread itself, with the lock, but for `ThreadEventHook::wants`. A thread is told
//! `Leaves` and `Returns` in pairs. What the hook does between must not switch threads.

use crate::{Ctx, Result};
use rubellite_value::Value;
use rubellite_vmlock::{LockThread, ThreadId};

/// What happens to a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadEvent {
    /// It has been made by the thread that runs, and has not begun.
    Born,
    /// It has the lock for the first time.
    Begins,
    /// It is about to leave the lock, or to give it to somebody who waits.
    Leaves,
    /// It has the lock again.
    Returns,
    /// It is about to end.
    Ends,
}

/// Who is told of events of threads.
#[derive(Clone, Copy)]
pub struct ThreadEventHook {
    /// Of the thread of the lock whose Thread object this is.
    pub event: fn(&mut Ctx, &LockThread, Value, ThreadEvent),
    /// A new thread (the bits of its Thread object) is about to ask for the lock for the first time. Called on its
    /// native thread, without the lock: before that the lock does not know it.
    pub wants: fn(ThreadId, u64),
}

pub type JobHook = fn(&mut Ctx) -> Result<()>;

impl Ctx {
    /// Who is told of events of threads from now on.
    pub fn set_thread_event_hook(&self, hook: ThreadEventHook) {
        self.vm().thread_event_hook.set(Some(hook));
    }

    /// What runs at the safepoints that JOB asks for, beside finalizers.
    pub fn set_job_hook(&self, hook: JobHook) {
        self.vm().job_hook.set(Some(hook));
    }

    pub fn job_hook(&self) -> Option<JobHook> {
        self.vm().job_hook.get()
    }

    /// Who is to be told that a new thread wants the lock, and the bits of its object.
    pub(crate) fn told_of_wants(&self, value: Value) -> Option<(fn(ThreadId, u64), u64)> {
        self.vm().thread_event_hook.get().filter(|_| value.is_heap()).map(|hook| (hook.wants, value.bits()))
    }

    /// Tells of the running thread.
    #[inline]
    pub(crate) fn tell_event(&mut self, event: ThreadEvent) {
        if self.vm().thread_event_hook.get().is_some() {
            let thread = self.thread.clone();
            self.tell_event_of(&thread.lock_thread, thread.value.get(), event);
        }
    }

    #[cold]
    pub(crate) fn tell_event_of(&mut self, thread: &LockThread, value: Value, event: ThreadEvent) {
        if let Some(hook) = self.vm().thread_event_hook.get() {
            let pending = self.take_pending();
            (hook.event)(self, thread, value, event);
            let _ = self.set_pending(pending);
        }
    }

    /// Whether somebody is told of events and a thread waits for the lock, so that it may be given away now.
    pub(crate) fn tells_of_switch(&self) -> bool {
        self.vm().thread_event_hook.get().is_some() && self.vm().lock.census().queued > 0
    }
}

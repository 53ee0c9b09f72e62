//! Regions: work of native methods outside the lock, with callbacks into Ruby. What may leave the lock, and why the
//! compiler can tell, is `rubellite_vm::outside`'s business; here are the forms for embedding programs and extensions.

use crate::{Error, Scope};
use rubellite_vm::vmlock::Kind;
use rubellite_vm::{Ends, Leave, Unwind, outside};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// How somebody else ends work outside the lock: `Thread#kill`, `Thread#raise`, Timeout, a time limit, the end of the
/// VM. All but `None` also set the region's flag or make its system call return, and the work then says `None`.
#[derive(Clone, Copy)]
pub enum Unblock<'a> {
    /// It is not ended: interrupts take effect behind it. For what cannot be stopped, or takes only milliseconds.
    None,
    /// The work looks at `Region::interrupted` now and then, or hands `Region::flag` to something that does.
    Flag,
    /// The work waits for a descriptor in one system call (read, write, accept, poll ...). A signal without effect of
    /// its own is sent until the work is over; the call returns EINTR (`ErrorKind::Interrupted`), and must not be
    /// repeated by the work: `Read::read` is right, `Read::read_to_end` goes on by itself.
    Fd,
    /// The work waits for a child process: as `Fd`, for waitpid(2). `Child::wait` repeats the call by itself and cannot
    /// be ended so.
    Process,
    /// Anything else: called by the interrupting thread, once per interrupt. It must not enter the VM.
    Fn(&'a (dyn Fn() + Sync)),
}

/// A native method's stay outside the lock. It belongs to its native thread.
pub struct Region<'w, 'r, 'g> {
    inner: &'w mut outside::Region<'r, 'g>,
    flag: &'w AtomicBool,
    /// What a callback ended with.
    error: Option<Error>,
}

impl Region<'_, '_, '_> {
    /// Whether somebody interrupts the thread: the work should then say `None`. Cheap enough for every few thousand
    /// steps.
    pub fn interrupted(&self) -> bool {
        self.flag.load(SeqCst) || self.inner.interrupted()
    }

    /// The flag that `Unblock::Flag` and `Unblock::Fn` set, for code that runs elsewhere or is written in C.
    pub fn flag(&self) -> &AtomicBool {
        self.flag
    }

    /// Takes the lock back, runs `call` in the VM and leaves the lock again. Interrupts that came meanwhile are handled
    /// first. `None`: one of them raised, or `call` failed. Its error is kept and is what `Scope::blocking`
    /// returns; the work only has to end, which `?` does, and gets `None` for every further callback. An error that
    /// it wants to deal with is `call`'s to return as a value. As everywhere, the lock costs others their time:
    /// calls back should be few.
    ///
    /// Values stay inside: what `call` captures and returns must be `Send`. An `Any` is, and keeps its object alive.
    pub fn with_lock<R: Send>(&mut self, call: impl FnOnce(&mut Scope) -> Result<R, Error> + Send) -> Option<R> {
        if self.error.is_some() {
            return None;
        }
        match self.inner.with_lock(|ctx| Ok(call(&mut Scope { ctx }))) {
            Ok(Ok(result)) => Some(result),
            Ok(Err(error)) => {
                self.error = Some(error);
                None
            }
            // The exit is pending.
            Err(Unwind) => None,
        }
    }
}

impl Scope<'_> {
    /// Runs `work` outside the lock, beside the other threads of the VM, until it says `Some`. When somebody interrupts
    /// the thread, `unblock` ends the work, which then says `None`. An interrupt that raises (or kills) is this
    /// call's error, and the work's result, if it came to one, is dropped; after one that turns out to be harmless
    /// (a signal with a handler, say) the work is begun again. What it has done so far it keeps in what it borrows.
    ///
    /// The work cannot touch the VM: it is `Send`, and values and scopes are not. `Region::with_lock` is the way back
    /// in.
    ///
    /// ```compile_fail,E0277
    /// # use rubellite::{Error, Scope, Unblock, rubellite_vm::Value};
    /// fn wrong(scope: &mut Scope) -> Result<(), Error> {
    ///     let value = Value::NIL;
    ///     scope.blocking(Unblock::None, move |_| Some(drop(value)))
    /// }
    /// ```
    ///
    /// # Errors
    /// What interrupts and callbacks raised; `TimedOut`, `Killed`.
    pub fn blocking<R: Send>(
        &mut self,
        unblock: Unblock<'_>,
        mut work: impl FnMut(&mut Region<'_, '_, '_>) -> Option<R> + Send,
    ) -> Result<R, Error> {
        let ends = match unblock {
            Unblock::None => Ends::Never,
            Unblock::Flag => Ends::Flag,
            Unblock::Fd | Unblock::Process => Ends::Signal,
            Unblock::Fn(function) => Ends::Fn(function),
        };
        let outcome = self.ctx.outside_calling(Leave::new(Kind::Long, ends), |inner, stop| {
            let mut region = Region { inner, flag: stop.flag(), error: None };
            let result = work(&mut region);
            match region.error {
                Some(error) => Some(Err(error)),
                None => result.map(Ok),
            }
        });
        outcome.unwrap_or_else(|Unwind| Err(self.take_error()))
    }
}

//! Regions: work of native methods outside the lock, with callbacks into Ruby. What may leave the lock, and why the compiler
//! can tell, is `rubellite_vm::region`'s business; here are the forms for embedding programs and extensions.

use crate::{Error, Scope};
use rubellite_vm::vmlock::{self, Kind};
use rubellite_vm::{Unwind, region};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// How somebody else ends work outside the lock: `Thread#kill`, `Thread#raise`, Timeout, a time limit, the end of the VM. All
/// but `None` also set the region's flag or make its system call return, and the work then says `None`.
#[derive(Clone, Copy)]
pub enum Unblock<'a> {
    /// It is not ended: interrupts take effect behind it. For what cannot be stopped, or takes only milliseconds.
    None,
    /// The work looks at `Region::interrupted` now and then, or hands `Region::flag` to something that does.
    Flag,
    /// The work waits for a descriptor in one system call (read, write, accept, poll ...). A signal without effect of its own is
    /// sent until the work is over; the call returns EINTR (`ErrorKind::Interrupted`), and must not be repeated by the
    /// work: `Read::read` is right, `Read::read_to_end` goes on by itself.
    Fd,
    /// The work waits for a child process: as `Fd`, for waitpid(2). `Child::wait` repeats the call by itself and cannot be
    /// ended so.
    Process,
    /// Anything else: called by the interrupting thread, once per interrupt. It must not enter the VM.
    Fn(&'a (dyn Fn() + Sync)),
}

/// A native method's stay outside the lock. It belongs to its native thread.
pub struct Region<'w, 'r, 'g> {
    inner: &'w mut region::Region<'r, 'g>,
    flag: &'w AtomicBool,
    /// What a callback ended with.
    error: Option<Error>,
}

impl Region<'_, '_, '_> {
    /// Whether somebody interrupts the thread: the work should then say `None`. Cheap enough for every few thousand steps.
    pub fn interrupted(&self) -> bool {
        self.flag.load(SeqCst) || self.inner.interrupted()
    }

    /// The flag that `Unblock::Flag` and `Unblock::Fn` set, for code that runs elsewhere or is written in C.
    pub fn flag(&self) -> &AtomicBool {
        self.flag
    }

    /// Takes the lock back, runs `call` in the VM and leaves the lock again. Interrupts that came meanwhile are handled first.
    /// `None`: one of them raised, or `call` failed. Its error is kept and is what `Scope::blocking` returns; the
    /// work only has to end, which `?` does, and gets `None` for every further callback. An error that it
    /// wants to deal with is `call`'s to return as a value. As everywhere, the lock costs others their time: calls
    /// back should be few.
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
    /// Runs `work` outside the lock, beside the other threads of the VM, until it says `Some`. When somebody interrupts the
    /// thread, `unblock` ends the work, which then says `None`. An interrupt that raises (or kills) is this call's error, and
    /// the work's result, if it came to one, is dropped; after one that turns out to be harmless (a signal with a
    /// handler, say) the work is begun again. What it has done so far it keeps in what it borrows.
    ///
    /// The work cannot touch the VM: it is `Send`, and values and scopes are not. `Region::with_lock` is the way back in.
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
    pub fn blocking<R: Send>(&mut self, unblock: Unblock<'_>, mut work: impl FnMut(&mut Region<'_, '_, '_>) -> Option<R> + Send) -> Result<R, Error> {
        loop {
            let flag = AtomicBool::new(false);
            let set_and_call = || {
                flag.store(true, SeqCst);
                if let Unblock::Fn(function) = unblock {
                    function();
                }
            };
            let how = match unblock {
                Unblock::None => vmlock::Unblock::None,
                Unblock::Flag => vmlock::Unblock::Flag(&flag),
                Unblock::Fd | Unblock::Process => vmlock::Unblock::Signal,
                Unblock::Fn(_) => vmlock::Unblock::Fn(&set_and_call),
            };
            let outcome = self.ctx.blocking_with(Kind::Long, how, |inner| {
                let mut region = Region { inner, flag: &flag, error: None };
                let result = work(&mut region);
                (result, region.error)
            });
            match outcome {
                Ok(Some((_, Some(error)))) => return Err(error),
                Ok(Some((Some(result), None))) => return Ok(result),
                Ok(Some((None, None)) | None) => {}
                Err(Unwind) => return Err(self.take_error()),
            }
        }
    }
}

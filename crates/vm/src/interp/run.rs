//! Entering the interpreter loop and leaving it: `run` for native code that calls Ruby, `run_above` for compiled code
//! that was left in the middle. Here the compiled code of a frame is preferred to the loop, and panics of native code
//! become exceptions.

use crate::Result;
use crate::ctx::Ctx;
use crate::frame::{Frame, frame_flags};
use crate::jit::Entered;
use crate::thread::Activity;
use crate::unwind::Pending;
use crate::vm::loop_mode;
use rubellite_gc::reserve;
use rubellite_value::Value;

/// How a run of the loop begins.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Start {
    /// In the topmost frame, which was just pushed.
    Entry,
    /// In the topmost frame, where it stands.
    Resume,
    /// With an exit under way.
    Unwinding,
}

impl Ctx {
    /// Runs from the topmost frame until it returns to native code.
    ///
    /// Exhausted memory leaves native code by a panic that carries `OutOfMemory`; it becomes a
    /// NoMemoryError at the call that caused it. Any other panic is a bug of ours and becomes a `fatal`.
    pub(crate) fn run(&mut self) -> Result {
        if self.native_stack_low() || reserve::is_spent() {
            self.runs_short()?;
        }
        self.run_from(self.frame, Start::Entry)
    }

    /// The machine stack, or memory: recursion through native methods may come to no safepoint.
    #[cold]
    #[inline(never)]
    fn runs_short(&mut self) -> Result<()> {
        let stack = self.native_stack_low();
        if !stack && self.recover_memory() {
            return Ok(());
        }
        // The frame that was pushed for this run is given up.
        self.frame = self.frame.wrapping_sub(1);
        Err(if stack { self.stack_overflow() } else { self.no_memory() })
    }

    /// Runs from the topmost frame until `entry`, which is that or one below it and has the FINISH flag, returns.
    fn run_from(&mut self, entry: *mut Frame, mut start: Start) -> Result {
        loop {
            let mode = self.vm().loop_mode.get();
            let run = match mode {
                loop_mode::PLAIN => Ctx::run_loop::<{ loop_mode::PLAIN }>,
                loop_mode::TRACED => Ctx::run_loop::<{ loop_mode::TRACED }>,
                _ => Ctx::run_loop::<{ loop_mode::RACES }>,
            };
            let fresh = start == Start::Entry && mode != loop_mode::TRACED;
            let begin = |ctx: &mut Ctx| match if fresh { ctx.compiled_start(entry) } else { None } {
                None => run(ctx, entry, start),
                Some(compiled) => match ctx.enter_compiled(compiled, entry) {
                    Entered::Finished(value) => Ok(value),
                    Entered::Failed => run(ctx, entry, Start::Unwinding),
                    Entered::Left | Entered::Returned => run(ctx, entry, Start::Resume),
                },
            };
            match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| begin(self))) {
                Err(payload) => {
                    self.panicked(&*payload);
                    start = Start::Unwinding;
                }
                Ok(Err(_)) if matches!(self.pending, Pending::Retrace) => {
                    self.pending = Pending::None;
                    start = Start::Resume;
                }
                Ok(result) => return result,
            }
        }
    }

    /// For compiled code, which has called `entry` and is left in it or above: runs until it returns. None: compiled
    /// code is to be left as well, since something is pending or there is little room on the machine stack; the
    /// interpreter below goes on.
    pub(crate) fn run_above(&mut self, entry: *mut Frame) -> Option<Value> {
        let here = 0u8;
        let here = &raw const here as usize;
        let (used, left) = (self.native_base.saturating_sub(here), here.saturating_sub(self.native_limit));
        if used > left || !matches!(self.pending, Pending::None) || self.panic.is_some() {
            return None;
        }
        debug_assert!(self.frame >= entry);
        // SAFETY: the frame is live.
        unsafe { (*entry).flags |= frame_flags::FINISH };
        self.run_from(entry, Start::Resume).ok()
    }

    /// Turns a panic of native code into a pending exception of the running Ruby frame.
    #[cold]
    fn panicked(&mut self, payload: &(dyn std::any::Any + Send)) {
        // SAFETY: the frame that entered the loop runs code and is below every native frame left behind.
        while unsafe { (*self.frame).is_native() } {
            self.frame = self.frame.wrapping_sub(1);
        }
        // It may have come out of work outside the lock.
        self.set_activity(Activity::Running);
        if crate::object::is_out_of_memory(payload) {
            self.no_memory();
            return;
        }
        // Before boot has made it there is the superclass.
        let class = crate::Class::try_of(self.vm().fatal.get()).unwrap_or_else(|| self.error_class("Exception"));
        let error = self.new_error(class, &format!("[BUG] {}", crate::object::panic_text(payload)));
        self.raise(error);
    }
}

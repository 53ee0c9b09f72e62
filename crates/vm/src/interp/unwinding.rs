//! Unwinding: an exit is pending (exception, `throw`, `break`, `return`, kill), and frames are popped until one has a
//! catch entry for it or is its target. Also what is special about the return of some frames. The exit itself lies in
//! `Ctx::pending` (`unwind.rs`).

use crate::ctx::Ctx;
use crate::frame::{Frame, frame_flags};
use crate::object::{Env, Exception};
use crate::unwind::Pending;
use rubellite_bytecode::{CatchEntry, CatchKind, ISeqKind, Op};
use rubellite_value::{Tag, Value};

/// Where an exit came to rest.
pub(crate) enum Landing {
    /// A frame of this run goes on at its (changed) pc.
    Continue,
    /// The run's first frame returned this value.
    Return(Value),
    /// Nobody in this run takes it.
    Leave,
}

impl Ctx {
    /// Returns `value` from a frame that has something special about its return. `Some`: leave the loop.
    #[cold]
    pub(crate) fn return_special(&mut self, value: Value) -> Option<Value> {
        // SAFETY: the topmost frame is live; its caller's frame is the one below.
        unsafe {
            let frame = &*self.frame;
            let mut value = value;
            if frame.has(frame_flags::NEW) {
                value = frame.self_value();
            }
            if frame.has(frame_flags::TO_STR) && !value.has_tag(Tag::String) {
                let receiver = frame.self_value();
                value = self.default_string(receiver);
            }
            let (flags, dst) = (frame.flags, frame.dst);
            self.frame = self.frame.sub(1);
            if flags & frame_flags::FINISH != 0 {
                return Some(value);
            }
            let caller = &mut *self.frame;
            if flags & frame_flags::BRANCH != 0 {
                // `pc` is behind the EXT word of the fused comparison.
                let (ext, branch) = (*caller.pc.sub(1), *caller.pc.sub(2));
                if value.truthy() == (branch.x & 1 != 0) {
                    caller.pc = caller.pc.offset(ext.bc() as isize);
                }
            } else if flags & frame_flags::DISCARD == 0 {
                *caller.base.add(dst as usize) = value;
            }
        }
        None
    }

    /// Pops frames down to `entry` until somebody takes the pending exit.
    #[cold]
    #[inline(never)]
    pub(crate) fn unwind_to(&mut self, entry: *mut Frame) -> Landing {
        if matches!(self.pending, Pending::Retrace) {
            return Landing::Leave;
        }
        loop {
            // Argument binding may fail after the callee's frame was left: the top frame is always a frame of this run.
            let frame = self.frame;
            debug_assert!(frame >= entry);
            if self.land_in(frame) {
                return Landing::Continue;
            }
            // SAFETY: the frame is live.
            let (finish, block) = unsafe { ((*frame).has(frame_flags::FINISH), (*frame).has(frame_flags::BLOCK)) };
            if let Pending::Return { target, value } = self.pending
                && target == frame
            {
                self.pending = Pending::None;
                if self.vm().traced.get() != 0 && self.trace_return(frame, value).is_err() {
                    continue;
                }
                return match self.return_special_or_plain(value) {
                    Some(value) => Landing::Return(value),
                    None => Landing::Continue,
                };
            }
            if self.vm().traced.get() != 0 {
                // The block that breaks returns what it breaks with. An exception out of the hook takes the exit's
                // place.
                let value = match self.pending {
                    Pending::Break { value, .. } if block => value,
                    _ => Value::NIL,
                };
                let _ = self.trace_return(frame, value);
            }
            self.frame = frame.wrapping_sub(1);
            if finish || frame == entry {
                return Landing::Leave;
            }
        }
    }

    /// Returns from the top frame by the ordinary rules.
    fn return_special_or_plain(&mut self, value: Value) -> Option<Value> {
        self.return_special(value)
    }

    /// Whether `frame` takes the exit: a matching catch entry, or the target of a break.
    fn land_in(&mut self, frame: *mut Frame) -> bool {
        // SAFETY: the frame is live and runs code.
        let f = unsafe { &mut *frame };
        if let Pending::Break { home, value } = self.pending
            && home == frame
        {
            self.pending = Pending::None;
            // SAFETY: `pc` is behind the call that was given the block.
            unsafe {
                let call = *f.pc.sub(1);
                *f.base.add(call.a as usize) = value;
            }
            return true;
        }
        if let Pending::Loop { home, next, value } = self.pending
            && let Some(entry) = find_entry(f, |kind| kind == loop_exit(next)).filter(|_| home == frame)
        {
            self.pending = Pending::None;
            // SAFETY: handler and register belong to the frame's verified code.
            unsafe { go_on(f, entry, value) };
            return true;
        }
        if matches!(self.pending, Pending::Kill) && self.thread.is_abandoned() {
            return false;
        }
        let is_exception = matches!(self.pending, Pending::Raise(_));
        let Some(entry) = find_entry(f, |kind| kind == CatchKind::Ensure || is_exception && kind == CatchKind::Rescue)
        else {
            return false;
        };
        let (value, before) = (self.pending_to_value(), self.errinfo);
        if Exception::try_of(value).is_some() {
            self.errinfo = value;
        }
        // SAFETY: handler and registers belong to the frame's verified code.
        unsafe {
            *f.base.add(entry.reg as usize + 1) = before;
            go_on(f, entry, value);
        }
        true
    }

    /// `break` out of a block: finds the call that was given the block. From a class body also `next`, and out of a
    /// loop.
    pub(crate) fn begin_break(&mut self, value: Value, next: bool) {
        let mut at = self.frame;
        // SAFETY: the running frame is live, and so are the frames below; a class body breaks out of the block around
        // it.
        while unsafe { (*at).has(frame_flags::CLASS) } && at > self.stack.frames {
            at = at.wrapping_sub(1);
            // SAFETY: as above.
            if find_entry(unsafe { &*at }, |kind| kind == loop_exit(next)).is_some() {
                self.pending = Pending::Loop { home: at, next, value };
                return;
            }
        }
        if next {
            self.pending = Pending::Return { target: at, value };
            return;
        }
        // SAFETY: as above.
        let frame = unsafe { &*at };
        if frame.has(frame_flags::LAMBDA) {
            self.pending = Pending::Return { target: at, value };
            return;
        }
        if !frame.has(frame_flags::BLOCK) {
            return self.local_jump_error("break from proc-closure", "break", value);
        }
        let (home, id) = (frame.home, frame.home_id);
        if self.frame_alive(home, id) && self.passing_block(home, frame) {
            self.pending = Pending::Break { home, value };
        } else {
            self.local_jump_error("break from proc-closure", "break", value);
        }
    }

    /// Whether the call that `home` is making was given the block that `frame` runs.
    fn passing_block(&self, home: *mut Frame, frame: &Frame) -> bool {
        // SAFETY: `home` is live; its pc is behind the call that it is making.
        unsafe {
            let h = &*home;
            if h.code.is_null() {
                return false;
            }
            let call = *h.pc.sub(1);
            let code = &*h.code;
            match call.op {
                Op::Call | Op::Super | Op::Yield => {
                    code.sites[call.c as usize].block != 0 && h.id != 0 && h.block_code == frame.code
                }
                _ => false,
            }
        }
    }

    /// `return` inside a block or lambda: finds the frame that returns.
    pub(crate) fn begin_return(&mut self, value: Value) {
        let mut at = self.frame;
        let mut in_class = false;
        loop {
            // SAFETY: `at` is the running frame, a live frame below it or one found alive.
            let frame = unsafe { &*at };
            if frame.has(frame_flags::CLASS) {
                // `lambda { class A; proc { return }.call; end }` returns from the lambda.
                in_class = true;
                at = at.wrapping_sub(1);
                if at < self.stack.frames {
                    break;
                }
            } else if frame.has(frame_flags::EVAL) {
                // The code that the eval belongs to returns.
                match self.frame_of_eval(at) {
                    Some(below) => at = below,
                    None => break,
                }
            } else if frame.has(frame_flags::LAMBDA)
                || (!frame.has(frame_flags::BLOCK) && (!in_class || frame.has(frame_flags::METHOD)))
            {
                // Blocks of a file end it, evals in them do not.
                if self.lambda_above_program(at) || self.eval_in_block_of_program(at) {
                    break;
                }
                self.pending = Pending::Return { target: at, value };
                return;
            } else if frame.has(frame_flags::BLOCK) && self.frame_alive(frame.returns, frame.returns_id) {
                at = frame.returns;
            } else {
                break;
            }
        }
        // A block of a method of the prelude, which ends its loop so.
        // SAFETY: the running frame is live.
        if self.is_internal(unsafe { &*self.frame }) {
            return self.local_jump_error("unexpected break", "break", value);
        }
        self.local_jump_error("unexpected return", "return", value);
        // SAFETY: as above; the frame runs code.
        let ends_script = unsafe { &*(*self.frame).code }.iseq.home == ISeqKind::Main;
        if let Some(exception) = self.pending_exception().filter(|_| ends_script) {
            let name = self.internal("__ends_script");
            self.ivar_set(exception, name, Value::TRUE);
        }
    }

    /// Whether `target` is that of a file and a lambda runs above it, which `return` of the file's blocks does not
    /// pass.
    fn lambda_above_program(&self, target: *mut Frame) -> bool {
        // SAFETY: `target` is live, and so are the frames from it to the running one.
        unsafe {
            if !runs_program(&*target) {
                return false;
            }
            let mut at = self.frame;
            while at > target && !(*at).has(frame_flags::LAMBDA) {
                at = at.wrapping_sub(1);
            }
            at > target
        }
    }

    /// Whether `target` is that of a file and an eval runs above it that a block of the file has called.
    fn eval_in_block_of_program(&self, target: *mut Frame) -> bool {
        // SAFETY: `target` is live, and so are the frames from it to the running one, and those of evals that they
        // found.
        unsafe {
            if !runs_program(&*target) {
                return false;
            }
            let mut at = self.frame;
            while at > target {
                let block = if (*at).has(frame_flags::EVAL) { self.frame_of_eval(at) } else { None };
                if block.is_some_and(|block| (*block).has(frame_flags::BLOCK) && (*block).returns == target) {
                    return true;
                }
                at = at.wrapping_sub(1);
            }
        }
        false
    }

    /// The frame whose variables an eval sees; where that has ended, the one that has those of the variables that still
    /// runs, and for an eval that sees none, that of the code that called it.
    pub(crate) fn frame_of_eval(&self, eval: *mut Frame) -> Option<*mut Frame> {
        // SAFETY: `eval` is a live frame, and so are those below it.
        unsafe {
            if self.frame_alive((*eval).home, (*eval).home_id) {
                return Some((*eval).home);
            }
            let mut chain = Vec::new(); // tidy: environments of a live frame
            let mut env = (*eval).env;
            // Variables of the eval itself come first.
            if (&*(*eval).code).iseq.env_size > 0 && env.has_tag(Tag::Env) {
                env = Env::known(env).parent();
            }
            while env.has_tag(Tag::Env) {
                chain.push(env);
                env = Env::known(env).parent();
            }
            let mut at = eval.wrapping_sub(1);
            while at >= self.stack.frames {
                let frame = &*at;
                let ruby = !frame.is_native() && !frame.code.is_null() && !self.is_internal(frame);
                if ruby && (chain.is_empty() || chain.contains(&frame.env)) {
                    return Some(at);
                }
                at = at.wrapping_sub(1);
            }
        }
        None
    }

    pub(crate) fn local_jump_error(&mut self, message: &str, reason: &str, value: Value) {
        let class = self.error_class("LocalJumpError");
        let exception = self.new_error(class, message);
        let (reason_ivar, value_ivar) = (self.internal("__reason"), self.internal("__exit_value"));
        let reason = self.intern_str(reason);
        self.ivar_set(exception, reason_ivar, Value::symbol(reason));
        self.ivar_set(exception, value_ivar, value);
        self.raise(exception);
    }
}

/// Whether the frame runs the code of a file.
fn runs_program(frame: &Frame) -> bool {
    // SAFETY: the code of a live frame is live.
    !frame.code.is_null() && matches!(unsafe { &*frame.code }.iseq.kind, ISeqKind::Main | ISeqKind::Top)
}

/// What catches `break` or `next` out of a class body.
fn loop_exit(next: bool) -> CatchKind {
    if next { CatchKind::Next } else { CatchKind::Break }
}

/// Execution goes on at the handler of `entry`.
///
/// # Safety
/// The entry belongs to the code of the frame, which is live.
unsafe fn go_on(frame: &mut Frame, entry: CatchEntry, value: Value) {
    // SAFETY: verified code has its handlers and registers within bounds.
    unsafe {
        *frame.base.add(entry.reg as usize) = value;
        frame.pc = (*frame.code).insns.as_ptr().add(entry.handler as usize);
    }
}

/// The innermost catch entry of a kind asked for that covers the instruction at which `frame` stands.
fn find_entry(frame: &Frame, fits: impl Fn(CatchKind) -> bool) -> Option<CatchEntry> {
    if frame.code.is_null() {
        return None;
    }
    // SAFETY: a frame's code is live, and its pc points into it.
    let (code, at) = unsafe {
        let code = &*frame.code;
        (code, frame.pc.offset_from(code.insns.as_ptr()) - 1)
    };
    let at = at.max(0) as u32;
    code.iseq.catches.iter().find(|e| e.start <= at && at < e.end && fits(e.kind)).copied()
}

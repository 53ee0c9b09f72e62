//! Tracing: events, hooks, and when they are reported.
//!
//! While nobody traces, nothing is checked on the fast paths: there are two copies of the interpreter loop,
//! and only the traced one reports. The moment tracing begins, the epochs of all names are bumped, so that every
//! call site misses; a miss in the plain loop while tracing is on leaves it for the traced one
//! ([`Pending::Retrace`]) and does the call again there, and sites stay unfilled. The native method that switches
//! tracing on leaves the plain loop that called it in the same way, so that the next line is
//! reported already. The traced loop goes back to the plain one when it sees that tracing is off.
//!
//! The VM's own Ruby code shows as native methods; what it does inside is not reported. Events that happen while a
//! hook runs are not reported on that thread. Deliberately elsewhere: the class TracePoint and `set_trace_func`.

use crate::births::Birth;
use crate::code::Code;
use crate::ctx::Ctx;
use crate::frame::{Frame, frame_flags};
use crate::method::{Method, MethodBody};
use crate::object::{Array, Binding, Str};
use crate::unwind::Pending;
use crate::{Encoding, Result, Unwind};
use rubellite_bytecode::{ISeq, Insn, Lines, Op};
use rubellite_value::{Sym, Value};
use std::ptr::NonNull;
use std::sync::Arc;

/// Bits of events.
pub mod events {
    pub const LINE: u32 = 1;
    pub const CLASS: u32 = 2;
    pub const END: u32 = 4;
    pub const CALL: u32 = 8;
    pub const RETURN: u32 = 16;
    pub const C_CALL: u32 = 32;
    pub const C_RETURN: u32 = 64;
    pub const RAISE: u32 = 128;
    pub const B_CALL: u32 = 256;
    pub const B_RETURN: u32 = 512;
    pub const THREAD_BEGIN: u32 = 1024;
    pub const THREAD_END: u32 = 2048;
    pub const FIBER_SWITCH: u32 = 4096;
    pub const SCRIPT_COMPILED: u32 = 8192;
    pub const RESCUE: u32 = 16384;
}

/// Called for each event; the event itself is [`Ctx::trace_event`].
pub type HookFn = fn(&mut Ctx, Value) -> Result<()>;

/// What made a hook.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum HookKind {
    TracePoint,
    /// `set_trace_func` and `Thread#set_trace_func`: one for each ractor and one for each thread.
    Function,
    /// `Thread#add_trace_func`
    AddedFunction,
}

/// Somebody who wants to hear of events.
#[derive(Clone)]
pub struct Hook {
    pub kind: HookKind,
    /// The object that `function` is called with.
    pub owner: Value,
    pub function: HookFn,
    pub events: u32,
    /// Code whose events are wanted, all that lies in it included; none: all.
    pub target: Option<Arc<ISeq>>,
    /// The method whose `call` and `return` are wanted, where others may have the code: the target was made of a block.
    pub bmethod: Option<Method>,
    /// The only line whose `line` events are wanted.
    pub line: Option<i32>,
    /// The only thread whose events are wanted.
    pub thread: Option<u64>,
    /// The ractor whose events are reported: the one that asked.
    pub ractor: u32,
}

/// An event under report.
#[derive(Copy, Clone)]
pub struct TraceEvent {
    /// One of [`events`].
    pub event: u32,
    pub line: i32,
    /// The code whose file and line the event has, or nil.
    pub place: Value,
    pub self_value: Value,
    /// Return value, exception or source, by event.
    pub value: Value,
    /// The running code: nil for native methods.
    pub code: Value,
    /// The method entry, or nil.
    pub method: Value,
    pub callee: Option<Sym>,
    /// The running code is a lambda.
    pub lambda: bool,
    frame: *mut Frame,
}

impl TraceEvent {
    pub fn method(&self) -> Option<Method> {
        if self.method.is_nil() { None } else { Some(Method::known(self.method)) }
    }

    /// Whether the event is reported before the instruction at which the frame stands: it has begun no statement.
    pub(crate) fn is_before_code_of(&self, frame: &Frame) -> bool {
        self.event & (events::LINE | events::CALL | events::B_CALL | events::CLASS) != 0
            && std::ptr::eq(self.frame, frame)
    }

    pub(crate) fn trace(&self, mut mark: impl FnMut(Value)) {
        [self.place, self.self_value, self.value, self.code, self.method].into_iter().for_each(&mut mark);
    }
}

impl Ctx {
    /// Whether one of these events has a hook.
    #[inline]
    pub(crate) fn traces(&self, events: u32) -> bool {
        self.vm().traced.get() & events != 0
    }

    /// Whether anything is reported.
    pub fn is_traced(&self) -> bool {
        self.vm().traced.get() != 0
    }

    /// Adds a hook.
    pub fn add_hook(&mut self, hook: Hook) {
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { self.vm().trace_hooks.get_mut() }.push(hook);
        self.update_traced();
    }

    /// Removes the hooks that `unwanted` holds for.
    pub fn remove_hooks(&mut self, unwanted: impl Fn(&Hook) -> bool) {
        // SAFETY: the lock is held; the borrow ends with the statement, and `unwanted` runs no Ruby code.
        unsafe { self.vm().trace_hooks.get_mut() }.retain(|hook| !unwanted(hook));
        self.update_traced();
    }

    /// The hooks as they are now.
    pub fn hooks(&self) -> Vec<Hook> {
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { self.vm().trace_hooks.get() }.clone()
    }

    fn update_traced(&mut self) {
        // SAFETY: as above.
        let wanted = unsafe { self.vm().trace_hooks.get() }.iter().fold(0, |all, hook| all | hook.events);
        let before = self.vm().traced.replace(wanted);
        self.update_loop_mode();
        // Operators of core classes are calls of native methods like any other while those are reported.
        let operators = if wanted & (events::C_CALL | events::C_RETURN) != 0 { u32::MAX } else { 0 };
        self.vm().redefined.set(self.vm().redefined_by_program.get() | operators);
        self.note_definition();
        if before == 0 && wanted != 0 {
            // SAFETY: as above.
            unsafe { self.vm().method_epochs.get_mut() }.bump_all();
        }
    }

    /// The event that is being reported to a hook of this thread.
    pub fn trace_event(&self) -> Option<&TraceEvent> {
        self.trace_event.as_ref()
    }

    /// Runs `body`, whose events are reported although a hook runs.
    pub fn with_reentry<T>(&mut self, body: impl FnOnce(&mut Ctx) -> Result<T>) -> Result<T> {
        let saved = self.trace_event.take();
        // The hook's event stays reachable for the collector on this thread's machine stack.
        let result = body(self);
        self.trace_event = std::hint::black_box(saved);
        result
    }

    /// For native methods that switched tracing on: leaves the plain loop that called them. `value` is their result.
    pub fn begin_tracing(&mut self, value: Value) -> Result {
        let native = self.frame;
        // SAFETY: the running frame is live; below a native frame that is not the first lies its caller's.
        unsafe {
            if native <= self.stack.frames || !(*native).is_native() {
                return Ok(value);
            }
            let caller = &*native.sub(1);
            if caller.is_native() || caller.code.is_null() || self.is_internal(caller) {
                return Ok(value);
            }
            // The caller waits behind its call, whose first operand is the register of the result.
            let call = *caller.pc.sub(1);
            if !matches!(call.op, Op::Call | Op::Yield | Op::Super) {
                return Ok(value);
            }
            *caller.base.add(call.a as usize) = value;
        }
        self.pending = Pending::Retrace;
        Err(Unwind)
    }

    /// A call site missed in the plain loop while tracing is on: the call is done again in the traced loop.
    #[cold]
    pub(crate) fn leave_plain_loop(&mut self, frame: *mut Frame) -> Unwind {
        // SAFETY: the frame is the running one; its saved pc is behind the call.
        unsafe { (*frame).pc = (*frame).pc.sub(1) };
        self.pending = Pending::Retrace;
        Unwind
    }

    // -- reporting ------------------------------------------------------------------------

    /// Reports an event to the hooks that want it.
    #[cold]
    #[inline(never)]
    fn report(&mut self, event: TraceEvent) -> Result<()> {
        if self.trace_event.is_some() || self.native_stack_low() {
            return Ok(());
        }
        let (thread, ractor) = (self.thread.id, self.ractor_id());
        let heard = |hook: &Hook| {
            hook.ractor == ractor && hook.events & event.event != 0 && hook.thread.is_none_or(|t| t == thread)
        };
        // The newest hook comes first, those with a target come after all others.
        let wanted: Vec<Hook> = self.hooks().into_iter().rev().filter(heard).collect();
        let (targeted, general): (Vec<Hook>, Vec<Hook>) = wanted.into_iter().partition(|h| h.target.is_some());
        let chosen: Vec<Hook> = general.into_iter().chain(targeted.into_iter().filter(|h| hits(h, &event))).collect();
        if chosen.is_empty() {
            return Ok(());
        }
        let owners = Array::new(self);
        for hook in &chosen {
            owners.push(self, hook.owner);
        }
        let pending = std::mem::replace(&mut self.pending, Pending::None);
        let (errinfo, sp) = (std::mem::replace(&mut self.errinfo, Value::NIL), self.sp);
        self.sp = self.window_top();
        self.trace_event = Some(event);
        let mut outcome = Ok(());
        for (i, hook) in chosen.iter().enumerate() {
            outcome = (hook.function)(self, owners.get(i).unwrap_or(Value::NIL));
            if outcome.is_err() {
                break;
            }
        }
        self.trace_event = None;
        self.sp = sp;
        self.errinfo = errinfo;
        let pending = std::hint::black_box(pending);
        if outcome.is_ok() {
            self.pending = pending;
        }
        outcome
    }

    /// The event of a frame of Ruby code.
    fn frame_event(&self, event: u32, frame: *mut Frame, line: i32, value: Value) -> TraceEvent {
        // SAFETY: the caller passes a live frame.
        let f = unsafe { &*frame };
        let code = f.code().map_or(Value::NIL, Code::value);
        TraceEvent {
            event,
            line,
            place: code,
            self_value: f.self_value(),
            value,
            code,
            method: f.method,
            callee: self.callee_of(frame),
            lambda: f.has(frame_flags::LAMBDA),
            frame,
        }
    }

    /// The event of a native method; it has the place of its caller.
    fn native_event(&self, event: u32, frame: *mut Frame, value: Value) -> TraceEvent {
        // SAFETY: the caller passes a live frame.
        let f = unsafe { &*frame };
        let caller = self.ruby_frame();
        TraceEvent {
            event,
            line: caller.map_or(0, Frame::line),
            place: caller.and_then(Frame::code).map_or(Value::NIL, Code::value),
            self_value: f.self_value(),
            value,
            code: Value::NIL,
            method: f.method,
            callee: self.callee_of(frame),
            lambda: false,
            frame: std::ptr::null_mut(),
        }
    }

    /// The name that the method of `frame` was called by, as far as the calling code tells.
    fn callee_of(&self, frame: *mut Frame) -> Option<Sym> {
        // SAFETY: the caller passes a live frame; below it, if it is not the first, lies its caller's.
        let (f, caller) = unsafe { (&*frame, if frame > self.stack.frames { Some(&*frame.sub(1)) } else { None }) };
        let method = f.method()?.resolved();
        if f.is_native() && f.has(frame_flags::ALIASED) {
            return Some(Sym(f.home_id as u32));
        }
        let own = method.name();
        let Some(caller) = caller.filter(|c| !c.code.is_null() && !c.is_native() && !f.has(frame_flags::FINISH)) else {
            return Some(own);
        };
        // SAFETY: the caller's pc is behind the call that it is making.
        let (call, code) = unsafe { (*caller.pc.sub(1), &*caller.code) };
        if call.op != Op::Call || f.has(frame_flags::BLOCK) {
            return Some(own);
        }
        let name = code.sites[call.c as usize].name;
        let found = self.dispatch_class(f.self_value()).find_method(self, name).method;
        Some(if found.is_some_and(|m| m.resolved() == method) { name } else { own })
    }

    /// Before an instruction of the traced loop; `fresh`: the frame was just entered.
    #[inline(never)]
    pub(crate) fn trace_step(&mut self, frame: *mut Frame, pc: *const Insn, fresh: bool) -> Result<()> {
        if self.vm().traced.get() == 0 {
            self.pending = Pending::Retrace;
            return Err(Unwind);
        }
        // SAFETY: the frame is the running one; hooks see it as if it had begun the instruction.
        let f = unsafe { &mut *frame };
        f.pc = pc.wrapping_add(1);
        let outcome = self.report_step(frame, pc, fresh);
        f.pc = if matches!(self.pending, Pending::Retrace) { pc } else { f.pc };
        outcome
    }

    fn report_step(&mut self, frame: *mut Frame, pc: *const Insn, fresh: bool) -> Result<()> {
        // SAFETY: the frame is live and runs code, which the pc points into.
        let (code, offset, internal) =
            unsafe { (&*(*frame).code, pc.offset_from((*(*frame).code).insns.as_ptr()), self.is_internal(&*frame)) };
        if self.enters(frame, fresh, internal || offset >= code.iseq.body as isize) {
            let wanted = self.hooked_events(frame);
            self.report_entry(frame)?;
            // What hooks of the entry enable begins behind the first instruction.
            if wanted & (events::LINE | events::RESCUE) == 0 {
                return Ok(());
            }
        }
        if internal || !self.traces(events::LINE | events::RESCUE) {
            return Ok(());
        }
        for line in lines_at(&code.iseq.rescues, offset) {
            let event = self.frame_event(events::RESCUE, frame, line, self.errinfo);
            self.report(event)?;
        }
        for line in lines_at(&code.iseq.statements, offset) {
            let event = self.frame_event(events::LINE, frame, line, Value::NIL);
            self.report(event)?;
        }
        Ok(())
    }

    /// Whether the entry of `frame` is to be reported now: where its body begins. Defaults of parameters run before.
    fn enters(&mut self, frame: *mut Frame, fresh: bool, in_body: bool) -> bool {
        // SAFETY: the frame is live.
        let flags = unsafe { &mut (*frame).flags };
        if !in_body {
            *flags |= frame_flags::ENTERING;
            return false;
        }
        let entering = fresh || *flags & frame_flags::ENTERING != 0;
        *flags &= !frame_flags::ENTERING;
        entering
    }

    /// The events that hooks want of the code of `frame`, whatever their thread.
    fn hooked_events(&self, frame: *mut Frame) -> u32 {
        let ractor = self.ractor_id();
        // SAFETY: the caller passes a live frame.
        let code = unsafe { (*frame).code() };
        let concerned = |hook: &&Hook| {
            hook.target.as_ref().is_none_or(|target| code.as_ref().is_some_and(|code| target.contains(code.iseq())))
        };
        // SAFETY: the lock is held, and nothing below changes the list.
        let hooks = unsafe { self.vm().trace_hooks.get() };
        hooks.iter().filter(|hook| hook.ractor == ractor).filter(concerned).fold(0, |events, hook| events | hook.events)
    }

    /// `call`, `b_call` or `class` of a frame that was just pushed.
    fn report_entry(&mut self, frame: *mut Frame) -> Result<()> {
        // SAFETY: the frame is live.
        let (flags, internal) = unsafe { ((*frame).flags, self.is_internal(&*frame)) };
        if internal {
            return if flags & frame_flags::METHOD != 0 {
                self.report_native(events::C_CALL, frame, Value::NIL)
            } else {
                Ok(())
            };
        }
        // SAFETY: `frame` is the running frame.
        let line = unsafe { (*frame).code() }.map_or(0, |c| c.iseq().line);
        for event in [
            (frame_flags::METHOD | frame_flags::BMETHOD, events::CALL),
            (frame_flags::BLOCK, events::B_CALL),
            (frame_flags::CLASS, events::CLASS),
        ] {
            if flags & event.0 != 0 && self.traces(event.1) {
                let event = self.frame_event(event.1, frame, line, Value::NIL);
                self.report(event)?;
            }
        }
        Ok(())
    }

    /// `return`, `b_return` or `end` of the running frame, which is about to be popped.
    #[inline(never)]
    pub(crate) fn trace_return(&mut self, frame: *mut Frame, value: Value) -> Result<()> {
        // An exit that goes on makes no object.
        let raises = !matches!(self.pending, Pending::None);
        // SAFETY: the frame is live.
        let (flags, internal, line) = unsafe { ((*frame).flags, self.is_internal(&*frame), (*frame).line()) };
        if internal {
            if flags & frame_flags::METHOD != 0 {
                self.report_native(events::C_RETURN, frame, value)?;
            }
            return self.trace_new_return(frame, raises);
        }
        for event in [
            (frame_flags::BLOCK, events::B_RETURN),
            (frame_flags::METHOD | frame_flags::BMETHOD, events::RETURN),
            (frame_flags::CLASS, events::END),
        ] {
            if flags & event.0 != 0 && self.traces(event.1) {
                let event = self.frame_event(event.1, frame, line, value);
                self.report(event)?;
            }
        }
        self.trace_new_return(frame, raises)
    }

    /// `c_call` or `c_return`, unless the VM's own Ruby code calls.
    pub(crate) fn report_native(&mut self, event: u32, frame: *mut Frame, value: Value) -> Result<()> {
        if !self.traces(event) {
            return Ok(());
        }
        // SAFETY: the frame is live; below a frame that is not the first lies its caller's.
        let (method, by_internal) =
            unsafe { ((*frame).method(), frame > self.stack.frames && self.is_internal(&*frame.sub(1))) };
        // What the VM's own Ruby code calls by itself has no name for programs.
        if by_internal || method.is_some_and(|method| self.is_internal_symbol(method.name())) {
            return Ok(());
        }
        let event = self.native_event(event, frame, value);
        // SAFETY: the frame stays live while the hooks run.
        unsafe { (*frame).flags |= frame_flags::UNSEEN };
        let outcome = self.report(event);
        // SAFETY: as above.
        unsafe { (*frame).flags &= !frame_flags::UNSEEN };
        outcome
    }

    /// `c_return` of the running native method, with its value or an exit under way.
    pub(crate) fn trace_native_return(&mut self, frame: *mut Frame, result: Result) -> Result {
        match result {
            Ok(value) => {
                self.report_native(events::C_RETURN, frame, value)?;
                Ok(value)
            }
            Err(unwind) if matches!(self.pending, Pending::Retrace) => Err(unwind),
            // SAFETY: the frame is the running one.
            Err(unwind) if unsafe { (*frame).has(frame_flags::RETURNED) } => Err(unwind),
            Err(unwind) => {
                self.report_native(events::C_RETURN, frame, Value::NIL)?;
                Err(unwind)
            }
        }
    }

    /// `raise`. The method that raises has returned then.
    #[cold]
    pub(crate) fn trace_raise(&mut self, exception: Value) {
        let native = self.frame;
        // SAFETY: the running frame is live.
        let is_native = native >= self.stack.frames && unsafe { (*native).is_native() };
        let raises = is_native && self.callee_name().is_some_and(|n| matches!(self.sym_bytes(n), b"raise" | b"fail"));
        if raises {
            if self.report_native(events::C_RETURN, native, Value::NIL).is_err() {
                return;
            }
            // SAFETY: as above. What has returned is not in the hooks' backtraces.
            unsafe { (*native).flags |= frame_flags::RETURNED | frame_flags::UNSEEN };
        }
        // Whoever raises looks whether the exception has a backtrace.
        if self.trace_look_at_backtrace(exception).is_err() {
            return;
        }
        if let Some(frame) = self.ruby_frame_ptr() {
            // SAFETY: the frame is live.
            let line = unsafe { (*frame).line() };
            let event = self.frame_event(events::RAISE, frame, line, exception);
            // An exception out of the hook takes the place of this one.
            let _ = self.report(event);
        }
        if raises {
            // SAFETY: the frame stays live while the hooks run.
            unsafe { (*native).flags &= !frame_flags::UNSEEN };
        }
    }

    fn trace_look_at_backtrace(&mut self, exception: Value) -> Result<()> {
        if !self.traces(events::C_CALL | events::C_RETURN) || self.native_stack_low() {
            return Ok(());
        }
        let backtrace = self.intern("backtrace");
        let found = self.dispatch_class(exception).find_method(self, backtrace);
        let Some(method) = found.method.filter(|method| matches!(method.body(), MethodBody::Native { .. })) else {
            return Ok(());
        };
        let base = self.window_top();
        if (self.values_limit as usize).saturating_sub(base as usize) < 64 * size_of::<Value>() {
            return Ok(());
        }
        // SAFETY: the check above leaves room for the receiver.
        unsafe { *base = exception };
        let saved = self.sp;
        let outcome = self.trace_stand_in(base, method, found.pos, 0);
        self.sp = saved;
        outcome
    }

    /// `thread_begin` and `thread_end` of the running thread.
    pub fn trace_thread(&mut self, begins: bool) -> Result<()> {
        let event = if begins { events::THREAD_BEGIN } else { events::THREAD_END };
        if !self.traces(event) {
            return Ok(());
        }
        let thread = self.thread.value.get();
        self.report(TraceEvent { event, self_value: thread, ..nowhere() })
    }

    /// `script_compiled`; `source`: of an eval.
    pub fn trace_script(&mut self, iseq: &Arc<ISeq>, source: Option<(&[u8], Encoding)>) -> Result<()> {
        if !self.traces(events::SCRIPT_COMPILED) {
            return Ok(());
        }
        let value = match source {
            Some((bytes, encoding)) => Str::new(self, bytes, encoding).value(),
            None => Value::NIL,
        };
        let code = Code::new(self, iseq.clone()).value();
        let event = self.event_of_caller(events::SCRIPT_COMPILED);
        self.report(TraceEvent { value, code, ..event })
    }

    /// `fiber_switch`: another fiber of this thread goes on.
    #[inline]
    pub(crate) fn trace_fiber_switch(&mut self) -> Result<()> {
        if self.traces(events::FIBER_SWITCH) { self.report_fiber_switch() } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn report_fiber_switch(&mut self) -> Result<()> {
        let self_value = self.thread.value.get();
        let event = self.event_of_caller(events::FIBER_SWITCH);
        self.report(TraceEvent { self_value, ..event })
    }

    /// Whether an exception that comes out of another fiber is reported anew.
    pub(crate) fn traces_fibers(&self) -> bool {
        self.traces(events::FIBER_SWITCH | events::RAISE)
    }

    /// An event at the place of the innermost Ruby code, if there is any.
    fn event_of_caller(&self, event: u32) -> TraceEvent {
        match self.ruby_frame_ptr() {
            Some(frame) => {
                // SAFETY: the frame is live.
                let line = unsafe { (*frame).line() };
                self.frame_event(event, frame, line, Value::NIL)
            }
            None => TraceEvent { event, ..nowhere() },
        }
    }

    /// `c_return` of a method that just switched tracing on (`set_trace_func`).
    pub fn trace_own_return(&mut self, value: Value) -> Result<()> {
        self.report_native(events::C_RETURN, self.frame, value)
    }

    /// The Binding of the event's code; `None` for native methods and threads.
    pub fn trace_binding(&mut self) -> Option<Binding> {
        let frame = self.trace_event.as_ref()?.frame;
        if frame.is_null() {
            return None;
        }
        let binding = self.binding_of_frame(frame);
        self.add_register_locals(binding, frame);
        Some(binding)
    }
}

fn nowhere() -> TraceEvent {
    TraceEvent {
        event: 0,
        line: 0,
        place: Value::NIL,
        self_value: Value::NIL,
        value: Value::NIL,
        code: Value::NIL,
        method: Value::NIL,
        callee: None,
        lambda: false,
        frame: std::ptr::null_mut(),
    }
}

/// The lines that a table has for the instruction at `offset`.
fn lines_at(table: &Lines, offset: isize) -> impl Iterator<Item = i32> + '_ {
    let pc = offset as u32;
    let near = table.near(pc).skip_while(move |(start, _)| *start < pc);
    near.take_while(move |(start, _)| *start == pc).map(|(_, line)| line)
}

/// Whether an event lies in the target of a hook.
fn hits(hook: &Hook, event: &TraceEvent) -> bool {
    if event.code.is_nil() || hook.line.is_some_and(|line| event.event == events::LINE && line != event.line) {
        return false;
    }
    let of_method = event.event & (events::CALL | events::RETURN) != 0;
    if of_method && hook.bmethod.is_some_and(|wanted| event.method().is_none_or(|m| m.resolved() != wanted)) {
        return false;
    }
    hook.target.as_ref().is_some_and(|target| target.contains(Code::known(event.code).iseq()))
}

/// Where objects are made; see `births`.
impl Ctx {
    /// Begins to note where objects are made; `end_births` as often ends it.
    pub fn begin_births(&mut self) {
        self.want_births(1);
    }

    pub fn end_births(&mut self) {
        self.want_births(-1);
    }

    fn want_births(&mut self, change: isize) {
        // SAFETY: the lock is held; the borrows end with their statements.
        let births = unsafe { self.vm().births.get_mut() };
        births.wanted = births.wanted.saturating_add_signed(change);
        self.trace_allocations();
    }

    /// Sees to it that the heap shows each allocation while somebody wants it.
    pub(crate) fn trace_allocations(&mut self) {
        // SAFETY: as above.
        let wanted = unsafe { self.vm().births.get() }.wanted > 0 || self.hears_of_new();
        // SAFETY: as above.
        unsafe { self.vm().heap.get_mut() }.set_traced(wanted);
    }

    /// Forgets what has been noted.
    pub fn forget_births(&mut self) {
        // SAFETY: as above.
        unsafe { self.vm().births.get_mut() }.known.clear();
    }

    /// Where the object was made, if that was noted.
    pub fn birth_of(&self, object: Value) -> Option<Birth> {
        if !object.is_heap() {
            return None;
        }
        // SAFETY: as above.
        unsafe { self.vm().births.get() }.known.get(&(object.as_ptr::<u8>() as usize)).cloned()
    }

    /// Notes where a cell is taken, which is no object yet.
    pub(crate) fn note_birth(&mut self, cell: NonNull<u8>) {
        // SAFETY: as above.
        if unsafe { self.vm().births.get() }.wanted == 0 {
            return;
        }
        let Some((code, line, method)) = self.running_code() else { return };
        let class = method.and_then(|method| method.owner().name(self).map(Box::from));
        let method = method.map(|method| String::from_utf8_lossy(self.sym_bytes(method.name())).into());
        let birth =
            Birth { script: code.iseq().script.clone(), line, class, method, generation: self.heap_stat().count };
        // SAFETY: as above.
        unsafe { self.vm().births.get_mut() }.known.insert(cell.as_ptr() as usize, birth);
    }

    /// The innermost code of the program that runs, its line, and the innermost method, which may be a native one.
    pub fn running_code(&self) -> Option<(Code, i32, Option<Method>)> {
        let at = self.ruby_frame_ptr()?;
        // SAFETY: frames up to the current one are live, and so is their code.
        let (frame, innermost) = unsafe { (&*at, if self.frame >= at { &*self.frame } else { &*at }) };
        let method = innermost.method().or(frame.method()).map(|method| method.resolved());
        Some((frame.code()?, frame.line(), method))
    }
}

/// The events that code and its blocks can have by themselves; `line`: only `line` events of that line count.
pub fn possible_events(iseq: &ISeq, line: Option<i32>) -> u32 {
    fn collect(iseq: &rubellite_bytecode::ISeq, line: Option<i32>) -> u32 {
        use rubellite_bytecode::ISeqKind;
        let own = match iseq.kind {
            ISeqKind::Method => events::CALL | events::RETURN,
            ISeqKind::Block | ISeqKind::Lambda => events::B_CALL | events::B_RETURN,
            ISeqKind::Class => events::CLASS | events::END,
            _ => 0,
        };
        let lines = iseq.statements.iter().any(|(_, at)| line.is_none_or(|wanted| wanted == at));
        let own = if line.is_some() { 0 } else { own };
        iseq.children.iter().fold(own | if lines { events::LINE } else { 0 }, |all, child| all | collect(child, line))
    }
    collect(iseq, line)
}

//! Method calls, once the method is known: `prepare_call` looks at what the method's body is (Ruby code, a native
//! function, an attribute, an alias ...), and runs it or pushes its frame. Also what goes with a call: the frames
//! themselves, `Class#new`, trace events of calls, and backtraces of calls whose arguments do not fit. Finding the
//! method is `class/lookup.rs`; binding arguments to parameters is `bind`.

use super::{ArgInfo, Args, Invoked, bind::Strictness};
use crate::class::Class;
use crate::code::{Code, CodeData};
use crate::ctx::Ctx;
use crate::frame::{BlockHandler, Frame, frame_flags};
use crate::method::{Method, MethodBody};
use crate::object::{Env, Hash};
use crate::unwind::Pending;
use crate::vm::loop_mode;
use crate::{NativeFn, Result, Unwind};
use rubellite_value::{Sym, Value};

impl Ctx {
    /// Prepares the call of `method` with the window at `base`. `flags` and `dst` go to a frame that is pushed.
    pub(crate) fn prepare_call(
        &mut self,
        base: *mut Value,
        method: Method,
        pos: u32,
        info: &ArgInfo,
        block: BlockHandler,
        dst: u16,
        flags: u16,
    ) -> Result<Invoked> {
        match method.body() {
            MethodBody::Code { code, cref } => {
                self.push_code_frame(base, *code, method, pos, *cref, info, block, dst, flags)?;
                Ok(Invoked::Frame)
            }
            MethodBody::Native { function, arity, .. } => {
                let flat = self.flatten(base, info)?;
                let positional = flat.argc - (flat.keywords && arity.keywords) as usize;
                if let Err(unwind) = self.check_arity(positional, *arity) {
                    self.record_callee(method);
                    return Err(unwind);
                }
                let run = if self.vm().traced.get() == 0 { Ctx::run_native::<false> } else { Ctx::run_native::<true> };
                run(self, base, method, pos, *function, flat.argc, flat.keywords, flat.spilled, block)
                    .map(Invoked::Value)
            }
            MethodBody::C { function, enter } => {
                let flat = self.flatten(base, info)?;
                if let Err(unwind) = self.check_arity(flat.argc, function.arity()) {
                    self.record_callee(method);
                    return Err(unwind);
                }
                let run = if self.vm().traced.get() == 0 { Ctx::run_native::<false> } else { Ctx::run_native::<true> };
                run(self, base, method, pos, *enter, flat.argc, flat.keywords, flat.spilled, block).map(Invoked::Value)
            }
            MethodBody::AttrReader(name) => self.read_attribute(base, method, *name, pos, info).map(Invoked::Value),
            MethodBody::AttrWriter(name) => self.write_attribute(base, method, *name, pos, info).map(Invoked::Value),
            MethodBody::Proc(proc) => self.prepare_bmethod(base, *proc, method, pos, info, block, dst, flags),
            MethodBody::Alias(original) => {
                let pos = self.alias_position(base, *original, pos);
                if self.vm().loop_mode.get() == loop_mode::TRACED {
                    self.thread.traced_alias.set(Some(method.name()));
                }
                let prepared = self.prepare_call(base, *original, pos, info, block, dst, flags);
                self.thread.traced_alias.set(None);
                let prepared = prepared?;
                if matches!(prepared, Invoked::Frame) {
                    // SAFETY: the current frame is the one that was pushed.
                    let frame = unsafe { &mut *self.frame };
                    frame.flags |= frame_flags::ALIASED;
                    frame.argc = method.name().0;
                }
                Ok(prepared)
            }
            MethodBody::ZSuper | MethodBody::Refined => self.prepare_next(base, method, pos, info, block, dst, flags),
            MethodBody::New => self.prepare_new(base, info, block, dst, flags),
            MethodBody::Send => self.prepare_send(base, info, block, dst, flags),
            MethodBody::ProcCall => {
                // SAFETY: the window begins with the receiver, a Proc.
                let proc = unsafe { *base };
                self.prepare_block(proc, base, info, &super::Override { block, ..super::Override::NONE }, dst, flags)
            }
            MethodBody::Missing => self.prepare_missing_named(base, method.name(), info, block, dst, flags),
            MethodBody::Undef => {
                // SAFETY: the window begins with the receiver.
                Err(self.undefined_method(unsafe { *base }, method.name(), false))
            }
        }
    }

    /// A call of what `attr_reader` has defined.
    fn read_attribute(&mut self, base: *mut Value, method: Method, name: Sym, pos: u32, info: &ArgInfo) -> Result {
        let flat = self.flatten(base, info)?;
        self.check_arity(flat.argc, crate::class::Arity::NONE)?;
        // SAFETY: the window begins with the receiver.
        let value = self.ivar_read(unsafe { *base }, name)?.defined().unwrap_or(Value::NIL);
        self.trace_accessor(base, method, pos, 0, value)?;
        Ok(value)
    }

    /// A call of what `attr_writer` has defined.
    fn write_attribute(&mut self, base: *mut Value, method: Method, name: Sym, pos: u32, info: &ArgInfo) -> Result {
        let flat = self.flatten(base, info)?;
        self.check_arity(flat.argc, crate::class::Arity::ONE)?;
        // SAFETY: receiver and one argument lie in the window.
        let (receiver, value) = unsafe { (*base, *base.add(1)) };
        self.check_frozen(receiver)?;
        self.check_ivar_write(receiver)?;
        self.ivar_set(receiver, name, value);
        self.trace_accessor(base, method, pos, 1, value)?;
        Ok(value)
    }

    /// Where the original of an alias found at `pos` stands in the receiver's ancestry: there or further up, since
    /// a module may be there twice.
    fn alias_position(&self, base: *mut Value, original: Method, pos: u32) -> u32 {
        // SAFETY: the window begins with the receiver.
        let class = self.dispatch_class(unsafe { *base });
        class.place_of(self, original.owner(), pos).map_or(pos, |place| place as u32)
    }

    /// The method of the same name further up (an entry that only changes visibility).
    #[allow(clippy::too_many_arguments)]
    fn prepare_next(
        &mut self,
        base: *mut Value,
        method: Method,
        pos: u32,
        info: &ArgInfo,
        block: BlockHandler,
        dst: u16,
        flags: u16,
    ) -> Result<Invoked> {
        // SAFETY: the window begins with the receiver.
        let receiver = unsafe { *base };
        let class = self.dispatch_class(receiver);
        // A refinement stands before what lies at its place.
        let refines = Class::try_of(method.owner().data(self).refined_class()).is_some();
        let start =
            if refines { pos as usize } else { class.place_of(self, method.owner(), pos).unwrap_or(pos as usize) + 1 };
        let found = class.find_method_from(self, method.name(), start);
        match found.method {
            Some(next) => self.prepare_call(base, next, found.pos, info, block, dst, flags),
            None => Err(self.undefined_method(receiver, method.name(), false)),
        }
    }

    /// Pushes a frame for method code and binds its arguments.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn push_code_frame(
        &mut self,
        base: *mut Value,
        code: Code,
        method: Method,
        pos: u32,
        cref: Value,
        info: &ArgInfo,
        block: BlockHandler,
        dst: u16,
        flags: u16,
    ) -> Result<()> {
        // SAFETY: the method keeps its code.
        let data = unsafe { &*code.ready(self) };
        self.check_room(base, data)?;
        let start = match self.bind(data, base, info, block, Strictness::Method) {
            Ok(start) => start,
            Err(unwind) => {
                self.blame_callee(code, method, pos);
                return Err(unwind);
            }
        };
        let frame =
            self.push_frame(base, data, start, method.value(), pos, cref, block, dst, flags | frame_flags::METHOD);
        self.enter_scope(frame, data, Value::NIL);
        Ok(())
    }

    /// Whether the stacks have room for a frame of `code` at `base`.
    #[inline(always)]
    pub(crate) fn check_room(&mut self, base: *mut Value, code: &CodeData) -> Result<()> {
        if !self.has_room(base, code) {
            return Err(self.stack_overflow());
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn has_room(&self, base: *mut Value, code: &CodeData) -> bool {
        let room = (self.values_limit as usize).saturating_sub(base as usize) / size_of::<Value>();
        room >= code.register_count as usize + 64 && self.frame.wrapping_add(2) < self.frames_limit
    }

    /// Pushes a frame; the caller has checked the room.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    pub(crate) fn push_frame(
        &mut self,
        base: *mut Value,
        code: &CodeData,
        start: usize,
        method: Value,
        pos: u32,
        cref: Value,
        block: BlockHandler,
        dst: u16,
        flags: u16,
    ) -> *mut Frame {
        let frame = self.frame.wrapping_add(1);
        // SAFETY: `check_room` left room for the frame and for its registers. `home` and `home_id` are only read in
        // block frames, `block_code` only once `id` is set, `argc` only in native frames: they stay stale here.
        unsafe {
            (*frame).pc = code.insns.as_ptr().add(start);
            (*frame).base = base;
            (*frame).code = code;
            (*frame).env = Value::NIL;
            (*frame).block = block;
            (*frame).method = method;
            (*frame).cref = cref;
            (*frame).id = 0;
            (*frame).svar = Value::NIL;
            (*frame).pos = pos;
            (*frame).dst = dst;
            (*frame).flags = flags;
        }
        self.frame = frame;
        frame
    }

    /// Sets non-parameter locals to nil and makes the environment of a pushed frame.
    #[inline(always)]
    pub(crate) fn enter_scope(&mut self, frame: *mut Frame, code: &CodeData, parent: Value) {
        // SAFETY: the frame was just pushed; its registers fit.
        unsafe {
            let base = (*frame).base;
            for i in code.first_local..code.local_end {
                *base.add(i as usize) = Value::NIL;
            }
            (*frame).env = parent;
            if code.env_size > 0 {
                let env = Env::new(self, code.env_size as usize, parent);
                Env::known(env).set_owner(self, code.cell.get());
                (*frame).env = env;
            }
        }
    }

    /// Runs a native method in a frame of its own, so that backtraces show it. `TRACE`: reports it to trace hooks.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    pub(crate) fn run_native<const TRACE: bool>(
        &mut self,
        base: *mut Value,
        method: Method,
        pos: u32,
        function: NativeFn,
        argc: usize,
        keywords: bool,
        spilled: Value,
        block: BlockHandler,
    ) -> Result {
        let frame = self.frame.wrapping_add(1);
        if frame.wrapping_add(1) >= self.frames_limit || self.native_stack_low() {
            return Err(self.stack_overflow());
        }
        let saved = self.sp;
        let window = if spilled.is_nil() { argc } else { 0 };
        // SAFETY: the limit was checked; the fields that native frames do not use stay stale and are never read.
        unsafe {
            (*frame).pc = std::ptr::null();
            (*frame).base = base;
            (*frame).code = std::ptr::null();
            (*frame).block = block;
            (*frame).method = method.value();
            (*frame).id = 0;
            (*frame).pos = pos;
            (*frame).flags = frame_flags::NATIVE;
            (*frame).argc = window as u32;
            self.sp = base.add(window + 1);
        }
        self.frame = frame;
        // SAFETY: the window stays in place below `sp` while the method runs; a spilled list is kept by `spilled`.
        let args = unsafe {
            let ptr = if spilled.is_nil() {
                base.add(1).cast_const()
            } else {
                crate::object::Array::known(spilled).slice(self).as_ptr()
            };
            Args::new(ptr, argc, keywords, block)
        };
        if TRACE && let Some(alias) = self.thread.traced_alias.take() {
            // SAFETY: the frame was written above.
            unsafe {
                (*frame).flags |= frame_flags::ALIASED;
                (*frame).home_id = u64::from(alias.0);
            }
        }
        if TRACE && self.report_native(crate::trace::events::C_CALL, frame, Value::NIL).is_err() {
            self.frame = frame.wrapping_sub(1);
            self.sp = saved;
            return Err(Unwind);
        }
        // SAFETY: the window begins with the receiver.
        let mut result = function(self, unsafe { *base }, args);
        if TRACE {
            result = self.trace_native_return(frame, result);
        }
        std::hint::black_box(spilled);
        self.frame = frame.wrapping_sub(1);
        self.sp = saved;
        result
    }

    /// `c_call` and `c_return` of an attribute's method, which runs without a frame.
    #[inline]
    fn trace_accessor(&mut self, base: *mut Value, method: Method, pos: u32, argc: usize, value: Value) -> Result<()> {
        if self.vm().loop_mode.get() == loop_mode::PLAIN {
            return Ok(());
        }
        if self.vm().loop_mode.get() == loop_mode::RACES {
            // SAFETY: the window begins with the receiver.
            self.race_accessor(unsafe { *base }, method.body());
        }
        // The value is already there.
        let outcome = self.trace_stand_in(base, method, pos, argc);
        std::hint::black_box(value);
        outcome
    }

    /// `c_call` and `c_return` of a method that has no native body to run: one of nothing but events stands in.
    pub(crate) fn trace_stand_in(&mut self, base: *mut Value, method: Method, pos: u32, argc: usize) -> Result<()> {
        if !self.traces(crate::trace::events::C_CALL | crate::trace::events::C_RETURN) {
            return Ok(());
        }
        self.run_native::<true>(base, method, pos, accessor, argc, false, Value::NIL, Value::NIL).map(drop)
    }

    /// An event of `Class#new`, which has no frame. `base`: a window that begins with the class.
    fn trace_new(&mut self, event: u32, base: *mut Value, argc: usize, value: Value) -> Result<()> {
        if !self.traces(event) {
            return Ok(());
        }
        let new = self.intern("new");
        let class = Class::known(self.classes().class.get());
        let Some(method) = class.find_method(self, new).method else { return Ok(()) };
        let frame = self.frame.wrapping_add(1);
        if frame.wrapping_add(1) >= self.frames_limit {
            return Err(self.stack_overflow());
        }
        let saved = self.sp;
        // SAFETY: the limit was checked; native frames use no other fields.
        unsafe {
            (*frame).pc = std::ptr::null();
            (*frame).base = base;
            (*frame).code = std::ptr::null();
            (*frame).block = Value::NIL;
            (*frame).method = method.value();
            (*frame).id = 0;
            (*frame).pos = 0;
            (*frame).flags = frame_flags::NATIVE;
            (*frame).argc = argc as u32;
            self.sp = base.add(argc + 1);
        }
        self.frame = frame;
        let outcome = self.report_native(event, frame, value);
        self.frame = frame.wrapping_sub(1);
        self.sp = saved;
        outcome
    }

    /// `c_return` of `Class#new` when `frame`, the running one, is that of an `initialize` that it has called and that
    /// is about to be popped; nothing for others.
    pub(crate) fn trace_new_return(&mut self, frame: *mut Frame, raises: bool) -> Result<()> {
        // SAFETY: the frame is live; it is put back as it was, with the first word of its window.
        unsafe {
            if !(*frame).has(frame_flags::NEW) || !self.traces(crate::trace::events::C_RETURN) {
                return Ok(());
            }
            let (base, top, whole) = ((*frame).base, (*frame).top(), std::ptr::read(frame));
            let object = *base;
            *base = self.class_of(object);
            self.frame = frame.wrapping_sub(1);
            let value = if raises { Value::NIL } else { object };
            let outcome =
                self.trace_new(crate::trace::events::C_RETURN, base, top.offset_from(base) as usize - 1, value);
            self.frame = frame;
            std::ptr::write(frame, whole);
            *base = std::hint::black_box(object);
            outcome
        }
    }

    /// `Class#new`: allocates, then calls `initialize` in a frame whose result is the new object.
    fn prepare_new(
        &mut self,
        base: *mut Value,
        info: &ArgInfo,
        block: BlockHandler,
        dst: u16,
        flags: u16,
    ) -> Result<Invoked> {
        // SAFETY: the window begins with the receiver, the class.
        let class = Class::known(unsafe { *base });
        let traced = self.vm().loop_mode.get() == loop_mode::TRACED;
        if traced {
            self.trace_new(crate::trace::events::C_CALL, base, info.argc, Value::NIL)?;
        }
        let object = self.allocate(class)?;
        let initialize = self.names().initialize;
        let found = self.dispatch_class(object).find_method(self, initialize);
        // SAFETY: as above; the receiver's word is reused.
        unsafe { *base = object };
        let Some(method) = found.method else {
            return match self.prepare_missing(
                base,
                found,
                initialize,
                info,
                block,
                dst,
                flags | frame_flags::NEW,
                true,
                false,
            )? {
                Invoked::Value(_) => Ok(Invoked::Value(object)),
                Invoked::Frame => Ok(Invoked::Frame),
            };
        };
        match self.prepare_call(base, method, found.pos, info, block, dst, flags | frame_flags::NEW)? {
            Invoked::Value(_) => {
                if traced {
                    // SAFETY: as above.
                    unsafe { *base = class.value() };
                    self.trace_new(crate::trace::events::C_RETURN, base, 0, object)?;
                }
                Ok(Invoked::Value(object))
            }
            Invoked::Frame => Ok(Invoked::Frame),
        }
    }

    /// `Class#allocate`
    pub fn allocate(&mut self, class: Class) -> Result {
        if class.is_singleton() {
            return Err(self.type_error("can't create instance of singleton class"));
        }
        if !class.is_initialized(self) {
            return Err(self.type_error("can't instantiate uninitialized class"));
        }
        match class.alloc_fn(self) {
            Some(alloc) => alloc(self, class.value()),
            None => crate::class::no_allocator(self, class.value()),
        }
    }

    /// Argument errors of a call show the callee as the innermost level: adds it to the recorded backtrace.
    #[cold]
    fn blame_callee(&mut self, code: Code, method: Method, pos: u32) {
        let Pending::Raise(exception) = self.pending else { return };
        let _ = pos;
        if code.iseq().script.is_internal() {
            return self.record_callee(method);
        }
        self.prepend_position(exception, code.value(), method.value(), frame_flags::METHOD);
    }

    /// The same for a block whose parameters do not fit.
    #[cold]
    pub(super) fn blame_block(&mut self, code: &CodeData, method: Value) {
        let Pending::Raise(exception) = self.pending else { return };
        if code.iseq.script.is_internal() || self.class_of(exception) != self.error_class("ArgumentError").value() {
            return;
        }
        self.prepend_position(exception, code.cell.get(), method, frame_flags::BLOCK);
    }

    #[cold]
    fn record_callee(&mut self, method: Method) {
        let Pending::Raise(exception) = self.pending else { return };
        self.prepend_position(exception, Value::NIL, method.value(), frame_flags::NATIVE);
    }

    fn prepend_position(&mut self, exception: Value, code: Value, method: Value, kind: u16) {
        // SAFETY: the current frame is live.
        if code.is_nil() && self.frame >= self.stack.frames && self.is_internal(unsafe { &*self.frame }) {
            return; // What the prelude calls does not show.
        }
        let Some(e) = crate::object::Exception::try_of(exception) else { return };
        let Some(mut positions) = e.positions() else { return };
        positions.insert(0, crate::object::exception::Position { code, method, pc: 0, kind });
        e.set_positions(self, positions);
    }

    /// Calls method `name` of `receiver`'s superclass part: used by natives that extend an inherited one.
    pub fn call_super(&mut self, receiver: Value, owner: Class, name: Sym, args: Args) -> Result {
        let class = self.dispatch_class(receiver);
        let at = class.mro(self).iter().position(|m| *m == owner).map_or(0, |p| p + 1);
        let found = class.find_method_from(self, name, at);
        match found.method {
            Some(method) => self.call_method(method, found.pos, receiver, args),
            None => {
                let target = self.describe(receiver);
                let text = self.sym_str(name);
                Err(self.name_error(
                    "NoMethodError",
                    &format!("super: no superclass method '{text}' for {target}"),
                    receiver,
                    name,
                ))
            }
        }
    }

    /// The same with a Hash of keywords alone.
    pub fn call_super_with_keywords(&mut self, receiver: Value, owner: Class, name: Sym, keywords: Hash) -> Result {
        let window = [keywords.value()];
        // SAFETY: the array outlives the call.
        let args = unsafe { Args::new(window.as_ptr(), 1, true, Value::NIL) };
        self.call_super(receiver, owner, name, args)
    }
}

/// Stands in for an attribute's method while its events are reported.
fn accessor(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if let Some(value) = args.get(0) {
        return Ok(value);
    }
    // SAFETY: this runs in a native frame, the topmost one.
    let method = unsafe { (*ctx.frame).method() };
    match method.map(|m| *m.resolved().body()) {
        Some(MethodBody::AttrReader(name)) => Ok(ctx.ivar_get(recv, name).defined().unwrap_or(Value::NIL)),
        _ => Ok(Value::NIL),
    }
}

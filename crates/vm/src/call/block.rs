//! Blocks: yielding to them, calling Procs, and making a Proc of a block when somebody asks for an object. A block is
//! passed as a *handler* (`BlockHandler`), most often the address of the frame that made it, so that a literal block
//! costs nothing until it becomes a Proc.

use super::{ArgInfo, Args, CallKind, Invoked, bind::Strictness};
use crate::code::{Code, CodeData, site_flags};
use crate::ctx::Ctx;
use crate::frame::{BlockHandler, Frame, as_frame_block, frame_flags};
use crate::method::Method;
use crate::object::proc::{Captured, ProcBody};
use crate::object::{Array, Proc};
use crate::{Result, Unwind};
use rubellite_bytecode::ISeqKind;
use rubellite_value::{Sym, Tag, Value};

/// Changes to the scope that a block runs in (instance_eval, class_exec, define_method).
#[derive(Copy, Clone)]
pub(crate) struct Override {
    pub self_value: Option<Value>,
    pub cref: Option<Value>,
    pub method: Option<(Method, u32)>,
    pub lambda: bool,
    /// The block given to the block itself.
    pub block: BlockHandler,
}

impl Override {
    pub const NONE: Override =
        Override { self_value: None, cref: None, method: None, lambda: false, block: Value::NIL };
}

impl Ctx {
    /// What the literal block of `frame`'s current call captures.
    #[inline(always)]
    pub(crate) fn captured_by_frame(&mut self, frame: *mut Frame) -> (*const CodeData, Captured) {
        let id = self.frame_id(frame);
        // SAFETY: a frame block's frame is suspended in the call that passes the block, hence live.
        let f = unsafe { &*frame };
        let passes_on = f.has(frame_flags::BLOCK) && !f.has(frame_flags::LAMBDA);
        let (returns, returns_id) = if passes_on {
            (f.returns, f.returns_id)
        } else if f.has(frame_flags::EVAL) {
            self.left_by_eval(frame)
        } else {
            (frame, id)
        };
        let captured = Captured {
            self_value: f.self_value(),
            env: f.env,
            cref: f.cref,
            method: f.method,
            block: f.block,
            home: frame,
            home_id: id,
            returns,
            returns_id,
            pos: f.pos,
        };
        (f.block_code, captured)
    }

    /// The frame, and its id, that `return` in a block leaves which was written in the eval that `eval` runs.
    #[cold]
    #[inline(never)]
    fn left_by_eval(&mut self, eval: *mut Frame) -> (*mut Frame, u64) {
        let mut at = eval;
        // SAFETY: `at` is a live frame: the eval or one below it.
        while unsafe { (*at).has(frame_flags::EVAL) } {
            let Some(below) = self.frame_of_eval(at) else { break };
            at = below;
        }
        // SAFETY: as above.
        let f = unsafe { &*at };
        if f.has(frame_flags::BLOCK) && !f.has(frame_flags::LAMBDA) {
            (f.returns, f.returns_id)
        } else {
            (at, self.frame_id(at))
        }
    }

    /// Prepares a call of `handler` with the window at `base` (`base[0]` is scratch).
    pub(crate) fn prepare_block(
        &mut self,
        handler: BlockHandler,
        base: *mut Value,
        info: &ArgInfo,
        how: &Override,
        dst: u16,
        flags: u16,
    ) -> Result<Invoked> {
        if let Some(frame) = as_frame_block(handler) {
            let (code, captured) = self.captured_by_frame(frame);
            self.push_block_frame(base, code, &captured, info, how, how.lambda, dst, flags)?;
            return Ok(Invoked::Frame);
        }
        let proc = match Proc::try_of(handler) {
            Some(proc) => proc,
            None => {
                let native = flags & frame_flags::FINISH != 0;
                let message = if native { "no block given" } else { "no block given (yield)" };
                self.local_jump_error(message, "noreason", Value::NIL);
                return Err(Unwind);
            }
        };
        match *proc.body() {
            ProcBody::Code(code) => {
                let captured = proc.captured();
                let lambda = how.lambda || proc.is_lambda();
                self.push_block_frame(base, code.data_ptr(), &captured, info, how, lambda, dst, flags)?;
                Ok(Invoked::Frame)
            }
            ProcBody::Symbol(name) => {
                self.prepare_symbol_block(base, name, proc.captured().cref, info, how.block, dst, flags)
            }
            ProcBody::Method(method) => {
                // SAFETY: the window's first word is scratch.
                unsafe { *base = method };
                let call = self.names().call;
                let found = self.dispatch_class(method).find_method(self, call);
                match found.method {
                    Some(m) => self.prepare_call(base, m, found.pos, info, how.block, dst, flags),
                    None => Err(self.undefined_method(method, call, false)),
                }
            }
            ProcBody::Native(function, data, arity) => {
                let flat = self.flatten(base, info)?;
                if proc.is_lambda() && arity >= 0 && flat.argc != arity as usize {
                    return Err(self.arity_error(flat.argc, arity as usize, Some(arity as usize)));
                }
                let saved = self.sp;
                // SAFETY: the window lies below the new `sp`, so it stays in place during the call.
                let result = unsafe {
                    self.sp = base.add(flat.argc + 1).max(self.sp);
                    let ptr = if flat.spilled.is_nil() {
                        base.add(1).cast_const()
                    } else {
                        Array::known(flat.spilled).slice(self).as_ptr()
                    };
                    let args = Args::new(ptr, flat.argc, flat.keywords, how.block);
                    function(self, data, args)
                };
                std::hint::black_box(flat.spilled);
                self.sp = saved;
                result.map(Invoked::Value)
            }
        }
    }

    /// Pushes the frame of a block. Part of each of its callers: what a call needs whose arguments are the parameters
    /// is here, all else in `bind_block`.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    pub(crate) fn push_block_frame(
        &mut self,
        base: *mut Value,
        code: *const CodeData,
        captured: &Captured,
        info: &ArgInfo,
        how: &Override,
        lambda: bool,
        dst: u16,
        flags: u16,
    ) -> Result<()> {
        // SAFETY: the handler or Proc keeps the code alive.
        let code = unsafe { &*code };
        self.check_room(base, code)?;
        // SAFETY: the window's first word is scratch.
        unsafe { *base = how.self_value.unwrap_or(captured.self_value) };
        let plain = code.simple && info.flags & site_flags::COMPLEX == 0;
        let fits = info.argc == code.required as usize && (lambda || info.argc != 1 || !code.iseq.params.excess_comma);
        let start = if plain && fits {
            0
        } else {
            let method = how.method.map_or(captured.method, |(method, _)| method.value());
            self.bind_block(base, code, method, info, how.block, lambda)?
        };
        let (method, pos) = how.method.map_or((captured.method, captured.pos), |(m, p)| (m.value(), p));
        let mut flags = flags | frame_flags::BLOCK;
        if lambda {
            flags |= frame_flags::LAMBDA;
        }
        if how.method.is_some() {
            flags |= frame_flags::BMETHOD;
        }
        let cref = how.cref.unwrap_or(captured.cref);
        let frame = self.push_frame(base, code, start, method, pos, cref, captured.block, dst, flags);
        // SAFETY: just pushed.
        unsafe {
            (*frame).home = captured.home;
            (*frame).home_id = captured.home_id;
            (*frame).returns = captured.returns;
            (*frame).returns_id = captured.returns_id;
        }
        self.enter_scope(frame, code, captured.env);
        Ok(())
    }

    /// Binds the arguments of a block that are not just its parameters; where its code begins.
    #[inline(never)]
    fn bind_block(
        &mut self,
        base: *mut Value,
        code: &CodeData,
        method: Value,
        info: &ArgInfo,
        block: BlockHandler,
        lambda: bool,
    ) -> Result<usize> {
        let kinds = info.flags & site_flags::COMPLEX;
        if !lambda && code.simple {
            if kinds == 0 && (info.argc != 1 || code.required == 0) {
                // Missing arguments are nil, surplus ones are overwritten by locals.
                for i in info.argc..code.required as usize {
                    // SAFETY: the registers fit.
                    unsafe { *base.add(1 + i) = Value::NIL };
                }
                return Ok(0);
            }
            let spread = match kinds {
                0 => self.spread_in_place(code, base),
                site_flags::SPLAT => self.spread_splat_in_place(code, base, info),
                _ => false,
            };
            if spread {
                return Ok(0);
            }
        }
        if code.iseq.params.packed && kinds == 0 && info.argc == 1 {
            // SAFETY: the registers were checked to fit; the lone argument is in its place.
            unsafe { *base.add(2) = Value::NIL };
            return Ok(0);
        }
        let strict = if lambda && !self.yields_packed(base, info) { Strictness::Method } else { Strictness::Proc };
        let bound = self.bind(code, base, info, block, strict);
        bound.inspect_err(|_| self.blame_block(code, method))
    }

    /// A lone argument for several required parameters: an Array is spread over the registers; an immediate
    /// is the first. False: the general way decides.
    #[inline]
    fn spread_in_place(&mut self, code: &CodeData, base: *mut Value) -> bool {
        // SAFETY: the window holds one argument, and the registers were checked to fit.
        unsafe {
            let lone = *base.add(1);
            let required = code.required as usize;
            if lone.has_tag(Tag::Array) && (required > 1 || code.iseq.params.excess_comma) {
                let list = Array::known(lone);
                for i in 0..required {
                    *base.add(1 + i) = list.get(i).unwrap_or(Value::NIL);
                }
                return true;
            }
            if lone.is_immediate() {
                for i in 1..required {
                    *base.add(1 + i) = Value::NIL;
                }
                return true;
            }
        }
        false
    }

    /// `yield(*list)` to required parameters alone. False: the general way decides, and nothing was done.
    #[inline]
    fn spread_splat_in_place(&mut self, code: &CodeData, base: *mut Value, info: &ArgInfo) -> bool {
        let required = code.required as usize;
        // SAFETY: the window holds the arguments behind the receiver.
        let Some((list, 0)) = self.plain_splat(unsafe { base.add(1) }, info) else { return false };
        if list.len() == 1 && (required > 1 || code.iseq.params.excess_comma) {
            return false; // The one element may be an Array to spread.
        }
        for i in 0..required {
            // SAFETY: the registers were checked to fit.
            unsafe { *base.add(1 + i) = list.get(i).unwrap_or(Value::NIL) };
        }
        true
    }

    /// Whether code of the VM's own yields the Array into which it has packed several yielded values: a lambda then
    /// takes them as a block does that is none.
    #[cold]
    fn yields_packed(&self, base: *mut Value, info: &ArgInfo) -> bool {
        if info.argc != 1 || info.flags & site_flags::COMPLEX != 0 || self.frame < self.stack.frames {
            return false;
        }
        // SAFETY: the current frame is live; a packed frame has two parameters; the window holds one argument.
        unsafe {
            let frame = &*self.frame;
            let packed = !frame.is_native() && !frame.code.is_null() && (&*frame.code).iseq.params.packed;
            packed && (*frame.base.add(2)).truthy() && (*base.add(1)).has_tag(Tag::Array)
        }
    }

    /// `&:name`: the first argument is the receiver.
    #[allow(clippy::too_many_arguments)]
    fn prepare_symbol_block(
        &mut self,
        base: *mut Value,
        name: Sym,
        cref: Value,
        info: &ArgInfo,
        block: BlockHandler,
        dst: u16,
        flags: u16,
    ) -> Result<Invoked> {
        let flat = self.flatten(base, info)?;
        if flat.argc == 0 {
            return Err(self.argument_error("no receiver given"));
        }
        if !flat.spilled.is_nil() {
            let list = Array::known(flat.spilled);
            let receiver = list.get(0).unwrap_or(Value::NIL);
            let rest = list.subseq(self, 1, flat.argc - 1).value();
            let arguments = Array::known(rest).slice(self);
            // tidy: rooted by `rest`
            let result = self.call_full(receiver, name, &arguments.to_vec(), flat.keywords, block, CallKind::Public);
            std::hint::black_box(rest);
            return result.map(Invoked::Value);
        }
        // SAFETY: the window holds `argc` arguments; they move down by one onto the scratch word.
        unsafe {
            std::ptr::copy(base.add(1), base, flat.argc);
        }
        let info = ArgInfo::plain(flat.argc - 1, flat.keywords);
        // SAFETY: as above.
        let receiver = unsafe { *base };
        let class = self.dispatch_class(receiver);
        let refined = self.find_refined(cref, class, name);
        let found = refined.unwrap_or_else(|| class.find_method(self, name));
        match found.method {
            // What a refinement puts there is called whatever its visibility.
            Some(m) if refined.is_some() || m.visibility() == crate::method::Visibility::Public => {
                self.prepare_call(base, m, found.pos, &info, block, dst, flags)
            }
            _ => self.prepare_missing(base, found, name, &info, block, dst, flags, true, false),
        }
    }

    /// A method made by define_method: the block runs as a lambda with the receiver as self.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn prepare_bmethod(
        &mut self,
        base: *mut Value,
        proc: Proc,
        method: Method,
        pos: u32,
        info: &ArgInfo,
        block: BlockHandler,
        dst: u16,
        flags: u16,
    ) -> Result<Invoked> {
        // SAFETY: the window begins with the receiver.
        let receiver = unsafe { *base };
        if !self.may_call_body(proc) {
            return Err(self.raise_error("RuntimeError", "defined with an un-shareable Proc in a different Ractor"));
        }
        match proc.body() {
            ProcBody::Code(_) => {
                let how = Override {
                    self_value: Some(receiver),
                    cref: None,
                    method: Some((method, pos)),
                    lambda: true,
                    block,
                };
                self.prepare_block(proc.value(), base, info, &how, dst, flags)
            }
            _ => self.prepare_block(proc.value(), base, info, &Override { block, ..Override::NONE }, dst, flags),
        }
    }

    // -- from native code -----------------------------------------------------------------

    /// `yield` with the given values.
    #[inline]
    pub fn yield_values(&mut self, block: BlockHandler, args: &[Value]) -> Result {
        self.invoke_block(block, args, false, &Override::NONE)
    }

    /// `yield value`
    #[inline]
    pub fn yield_one(&mut self, block: BlockHandler, value: Value) -> Result {
        self.invoke_block(block, &[value], false, &Override::NONE)
    }

    /// Calls a block or Proc with a block of its own; `keywords`: the last argument is a Hash of keywords.
    pub fn call_block_full(
        &mut self,
        handler: BlockHandler,
        args: &[Value],
        keywords: bool,
        block: BlockHandler,
    ) -> Result {
        self.invoke_block(handler, args, keywords, &Override { block, ..Override::NONE })
    }

    /// The same with the arguments in a list.
    pub fn call_block_list(
        &mut self,
        handler: BlockHandler,
        args: crate::object::TempArray,
        keywords: bool,
        block: BlockHandler,
    ) -> Result {
        // SAFETY: the hidden list cannot change; `args` on this frame keeps it alive, and the callee copies
        // the slice to the VM stack before anything else.
        let slice = unsafe { &*std::ptr::from_ref(args.slice(self)) };
        let result = self.call_block_full(handler, slice, keywords, block);
        std::hint::black_box(args);
        result
    }

    /// Runs the block with another self (`instance_exec`) and, when given, another lexical class.
    pub fn yield_with_self(
        &mut self,
        handler: BlockHandler,
        self_value: Value,
        cref_module: Option<Value>,
        args: Args,
    ) -> Result {
        let cref = match cref_module {
            Some(module) => {
                let parent = self.block_cref(handler);
                Some(crate::object::Cref::new(self, module, parent, true))
            }
            None => None,
        };
        let how = Override { self_value: Some(self_value), cref, method: None, lambda: false, block: args.block };
        self.invoke_block(handler, args.slice(), args.has_keywords(), &how)
    }

    /// Runs the block with another self and with `module` as the place of definitions. nil: the singleton class
    /// of self, made when something is defined.
    pub fn yield_in_scope(
        &mut self,
        handler: BlockHandler,
        self_value: Value,
        module: Value,
        args: &[Value],
        keywords: bool,
    ) -> Result {
        let parent = self.block_cref(handler);
        let cref = crate::object::Cref::new(self, module, parent, true);
        let how =
            Override { self_value: Some(self_value), cref: Some(cref), method: None, lambda: false, block: Value::NIL };
        self.invoke_block(handler, args, keywords, &how)
    }

    /// Runs the block of `refine`: self and place of definitions are the refinement, `active` is in force.
    pub fn yield_with_refinements(&mut self, handler: BlockHandler, refinement: Value, active: Value) -> Result {
        let parent = self.block_cref(handler);
        let cref = crate::object::Cref::new(self, refinement, parent, true);
        crate::object::Cref::known(cref).set_refinements(self, active);
        let how =
            Override { self_value: Some(refinement), cref: Some(cref), method: None, lambda: false, block: Value::NIL };
        self.invoke_block(handler, &[refinement], false, &how)
    }

    fn block_cref(&mut self, handler: BlockHandler) -> Value {
        match as_frame_block(handler) {
            // SAFETY: a frame block's frame is live.
            Some(frame) => unsafe { (*frame).cref },
            None => Proc::try_of(handler).map_or(Value::NIL, |p| p.captured().cref),
        }
    }

    fn invoke_block(&mut self, handler: BlockHandler, args: &[Value], keywords: bool, how: &Override) -> Result {
        let base = self.push_window(Value::NIL, args)?;
        let saved = self.sp;
        // SAFETY: `push_window` checked that the window fits.
        self.sp = unsafe { base.add(args.len() + 1) };
        let info = ArgInfo::plain(args.len(), keywords);
        let result = match self.prepare_block(handler, base, &info, how, 0, frame_flags::FINISH) {
            Ok(Invoked::Value(value)) => Ok(value),
            Ok(Invoked::Frame) => self.run(),
            Err(unwind) => Err(unwind),
        };
        self.sp = saved;
        result
    }

    // -- Procs ----------------------------------------------------------------------------

    /// The block as a Proc, or nil. A frame's literal block is made into an object once.
    pub fn block_to_value(&mut self, handler: BlockHandler) -> Value {
        match as_frame_block(handler) {
            Some(frame) => self.proc_of_frame(frame, false),
            None => handler,
        }
    }

    /// A Proc of the literal block that `frame` is passing. The method's own block is made an object as well,
    /// because the Proc may outlive the frame.
    fn proc_of_frame(&mut self, frame: *mut Frame, lambda: bool) -> Value {
        // SAFETY: a frame block's frame is live.
        let own = unsafe { (*frame).block };
        let own = self.block_to_value(own);
        // SAFETY: as above.
        unsafe { (*frame).block = own };
        let (code, captured) = self.captured_by_frame(frame);
        // SAFETY: the suspended frame keeps the code alive.
        let code = Code::known(unsafe { (*code).cell.get() });
        let klass = self.classes().proc.get();
        Proc::new(self, klass, ProcBody::Code(code), captured, lambda).value()
    }

    /// A lambda of child code in the running frame (`-> {}`), or a lambda of a literal block (`lambda {}`).
    pub(crate) fn make_lambda(&mut self, frame: *mut Frame, code: Code) -> Value {
        // SAFETY: the caller passes a live frame.
        let own = unsafe { (*frame).block };
        let own = self.block_to_value(own);
        // SAFETY: as above.
        unsafe { (*frame).block = own };
        let (_, captured) = self.captured_by_frame(frame);
        let klass = self.classes().proc.get();
        // The block of `END {}` is none.
        let lambda = code.iseq().kind == ISeqKind::Lambda;
        Proc::new(self, klass, ProcBody::Code(code), captured, lambda).value()
    }

    /// `lambda(&block)`: a literal block becomes a lambda, a Proc stays what it is.
    pub fn block_to_lambda(&mut self, handler: BlockHandler) -> Value {
        match as_frame_block(handler) {
            Some(frame) => self.proc_of_frame(frame, true),
            None => handler,
        }
    }

    /// Whether the handler is a literal block (not yet an object).
    pub fn is_literal_block(&self, handler: BlockHandler) -> bool {
        as_frame_block(handler).is_some()
    }

    /// The block argument of a call (`&value`) as a handler.
    pub(crate) fn block_argument(&mut self, value: Value) -> Result<BlockHandler> {
        if value.is_nil() || value.has_tag(Tag::Proc) || as_frame_block(value).is_some() {
            return Ok(value);
        }
        let to_proc = self.names().to_proc;
        if self.vm().refinements_used.get() {
            let cref = self.ruby_frame().map_or(Value::NIL, |f| f.cref);
            let class = self.dispatch_class(value);
            if let Some(found) = self.find_refined(cref, class, to_proc)
                && let Some(method) = found.method
            {
                let proc = self.call_method(method, found.pos, value, Args::none())?;
                return self.checked_proc(value, proc);
            }
            if let (Some(name), true) =
                (self.pinned(value), crate::object::Cref::try_of(cref).is_some_and(|c| !c.refinements().is_nil()))
            {
                let klass = self.classes().proc.get();
                let at = Captured { cref, ..Captured::nowhere() };
                return Ok(Proc::new(self, klass, ProcBody::Symbol(name), at, true).value());
            }
        }
        if let Some(name) = value.as_symbol() {
            return Ok(self.symbol_proc(name));
        }
        match self.check_call(value, to_proc, &[])? {
            Some(proc) => self.checked_proc(value, proc),
            None => Err(self.conversion_error(value, "Proc")),
        }
    }

    /// What `value.to_proc` gave must be a Proc.
    fn checked_proc(&mut self, value: Value, proc: Value) -> Result {
        if proc.has_tag(Tag::Proc) {
            return Ok(proc);
        }
        let (class, got) = (self.real_class(value).inspect(self), self.real_class(proc).inspect(self));
        Err(self.type_error(&format!("can't convert {class} into Proc ({class}#to_proc gives {got})")))
    }

    /// The Proc of a symbol, one per VM and name.
    pub fn symbol_proc(&mut self, name: Sym) -> Value {
        self.pin_symbol(name);
        // SAFETY: the lock is held; the borrow ends with the statement.
        if let Some(proc) = unsafe { self.vm().symbol_procs.get() }.get(&name) {
            return *proc;
        }
        let klass = self.classes().proc.get();
        let proc = Proc::new(self, klass, ProcBody::Symbol(name), Captured::nowhere(), true).value();
        // SAFETY: as above.
        unsafe { self.vm().symbol_procs.get_mut() }.insert(name, proc);
        proc
    }

    /// How many parameters a block of Ruby code has that is no lambda and has required ones alone.
    pub fn plain_block_arity(&self, handler: BlockHandler) -> Option<u16> {
        if let Some(frame) = as_frame_block(handler) {
            // SAFETY: a frame block's frame is live, and so is its code.
            return plain_count(unsafe { &(&*(*frame).block_code).iseq.params });
        }
        match Proc::try_of(handler).filter(|proc| !proc.is_lambda())?.body() {
            ProcBody::Code(code) => plain_count(&code.iseq().params),
            _ => None,
        }
    }

    /// How many arguments a block takes (`Proc#arity` of it).
    pub fn block_arity(&mut self, handler: BlockHandler) -> i32 {
        if let Some(frame) = as_frame_block(handler) {
            // SAFETY: a frame block's frame is live, and so is its code.
            let params = unsafe { &(&*(*frame).block_code).iseq.params };
            return proc_arity(params);
        }
        match Proc::try_of(handler) {
            Some(proc) if proc.is_lambda() => proc.lambda_arity(),
            Some(proc) => match proc.body() {
                ProcBody::Code(code) => proc_arity(&code.iseq().params),
                _ => proc.lambda_arity(),
            },
            None => 0,
        }
    }
}

/// The number of parameters when there are no others than required ones.
fn plain_count(params: &rubellite_bytecode::Params) -> Option<u16> {
    (params.is_simple() && !params.excess_comma).then_some(params.required)
}

/// `Proc#arity` of a block that is no lambda: optional arguments do not count as required.
pub(crate) fn proc_arity(params: &rubellite_bytecode::Params) -> i32 {
    let required_keyword = params.keywords.iter().any(|k| k.required);
    let min = (params.required + params.post) as i32 + required_keyword as i32;
    if params.rest { -min - 1 } else { min }
}

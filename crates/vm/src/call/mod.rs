//! Calling methods and blocks: from native code, and the parts that the interpreter shares.
//!
//! A call is prepared in a window of the value stack (receiver, arguments) and ends in one of two ways
//! ([`Invoked`]): a native method has run and there is a value, or a frame of Ruby code was pushed
//! which the interpreter loop goes on with. Native callers push that frame with the FINISH flag and run a
//! loop of their own; the interpreter just continues: Ruby-to-Ruby calls do not recurse natively.

mod args;
mod bind;
mod block;
mod method;
mod missing;
mod source;

pub use args::Args;
pub(crate) use bind::ArgInfo;
pub(crate) use block::Override;
pub(crate) use missing::Missing;

use crate::class::{Class, Found};
use crate::code::site_flags;
use crate::ctx::Ctx;
use crate::frame::{BlockHandler, frame_flags};
use crate::method::{Method, MethodBody, Visibility};
use crate::object::Hash;
use crate::warning::Category;
use crate::{Result, Unwind};
use rubellite_value::{Header, Sym, Tag, Value};

/// What a prepared call came to.
pub(crate) enum Invoked {
    Value(Value),
    /// A frame was pushed.
    Frame,
}

/// How names are found and who may call.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum CallKind {
    /// Visibility does not matter (`send`, calls by the VM).
    Any,
    /// Explicit receiver: public only.
    Public,
}

impl Ctx {
    /// Calls `receiver.name(*args)`, whatever its visibility.
    pub fn call(&mut self, receiver: Value, name: Sym, args: &[Value]) -> Result {
        self.call_full(receiver, name, args, false, Value::NIL, CallKind::Any)
    }

    /// The same by text.
    pub fn call_name(&mut self, receiver: Value, name: &'static str, args: &[Value]) -> Result {
        let name = self.intern(name);
        self.call(receiver, name, args)
    }

    /// Calls with a block (a Proc, a handler from `Args::block`, or nil).
    pub fn call_with_block(&mut self, receiver: Value, name: Sym, args: &[Value], block: BlockHandler) -> Result {
        self.call_full(receiver, name, args, false, block, CallKind::Any)
    }

    /// Calls with the arguments, keywords and block of a native method (delegation).
    pub fn call_args(&mut self, receiver: Value, name: Sym, args: Args) -> Result {
        self.call_full(receiver, name, args.slice(), args.has_keywords(), args.block, CallKind::Any)
    }

    /// The class whose methods an object has that is hidden from programs: C code still calls them.
    #[cold]
    fn class_behind(&self, hidden: Value) -> Class {
        let classes = self.classes();
        let class = match hidden.header().map(Header::tag) {
            Some(Tag::String) => &classes.string,
            Some(Tag::Array) => &classes.array,
            Some(Tag::Hash) => &classes.hash,
            Some(Tag::Bignum) => &classes.integer,
            Some(Tag::Float) => &classes.float,
            Some(Tag::Regexp) => &classes.regexp,
            Some(Tag::Range) => &classes.range,
            _ => &classes.object,
        };
        class.class()
    }

    /// The general call. `keywords`: the last argument is a Hash of keywords.
    pub fn call_full(
        &mut self,
        receiver: Value,
        name: Sym,
        args: &[Value],
        keywords: bool,
        block: BlockHandler,
        kind: CallKind,
    ) -> Result {
        let class = Class::try_of(self.class_of(receiver)).unwrap_or_else(|| self.class_behind(receiver));
        let found = class.find_method(self, name);
        if let Some(MethodBody::Native { function, arity, leaf }) = found.method.map(|method| *method.body()) {
            let fits = leaf.allows(args.len() as u16) && arity.accepts(args.len());
            if fits && !keywords && block.is_nil() && kind == CallKind::Any && self.vm().traced.get() == 0 {
                // SAFETY: the slice outlives the call.
                let args = unsafe { Args::new(args.as_ptr(), args.len(), false, Value::NIL) };
                return function(self, receiver, args);
            }
        }
        let base = self.push_window(receiver, args)?;
        let saved = self.sp;
        // SAFETY: `push_window` checked that the window fits.
        self.sp = unsafe { base.add(args.len() + 1) };
        let info = ArgInfo::plain(args.len(), keywords);
        let result = match found.method {
            Some(method) if kind == CallKind::Any || method.visibility() == Visibility::Public => {
                self.invoke_window(base, method, found.pos, &info, block)
            }
            _ => self.invoke_missing(base, found, name, &info, block, kind),
        };
        self.sp = saved;
        result
    }

    fn invoke_missing(
        &mut self,
        base: *mut Value,
        found: Found,
        name: Sym,
        info: &ArgInfo,
        block: BlockHandler,
        kind: CallKind,
    ) -> Result {
        let explicit = kind == CallKind::Public;
        match self.prepare_missing(base, found, name, info, block, 0, frame_flags::FINISH, explicit, false)? {
            Invoked::Value(value) => Ok(value),
            Invoked::Frame => self.run(),
        }
    }

    /// Calls a method entry with arguments that lie on a stack. `keywords`: the last one is a Hash of keywords.
    pub fn call_entry(
        &mut self,
        method: Method,
        pos: u32,
        receiver: Value,
        args: &[Value],
        keywords: bool,
        block: BlockHandler,
    ) -> Result {
        // SAFETY: the slice outlives the call.
        let args = unsafe { Args::new(args.as_ptr(), args.len(), keywords, block) };
        self.call_method(method, pos, receiver, args)
    }

    /// Calls a method entry on `receiver`.
    pub fn call_method(&mut self, method: Method, pos: u32, receiver: Value, args: Args) -> Result {
        let base = self.push_window(receiver, args.slice())?;
        let saved = self.sp;
        // SAFETY: `push_window` checked that the window fits.
        self.sp = unsafe { base.add(args.len() + 1) };
        let info = ArgInfo::plain(args.len(), args.has_keywords());
        let result = self.invoke_window(base, method, pos, &info, args.block);
        self.sp = saved;
        result
    }

    fn invoke_window(
        &mut self,
        base: *mut Value,
        method: Method,
        pos: u32,
        info: &ArgInfo,
        block: BlockHandler,
    ) -> Result {
        match self.prepare_call(base, method, pos, info, block, 0, frame_flags::FINISH)? {
            Invoked::Value(value) => Ok(value),
            Invoked::Frame => self.run(),
        }
    }

    /// Copies receiver and arguments to the top of the value stack; does not move `sp`.
    fn push_window(&mut self, receiver: Value, args: &[Value]) -> Result<*mut Value> {
        let base = self.window_top();
        if (self.values_limit as usize).saturating_sub(base as usize) < (args.len() + 64) * size_of::<Value>()
            || self.native_stack_low()
        {
            return Err(self.stack_overflow());
        }
        // SAFETY: the check above leaves room for receiver and arguments.
        unsafe {
            *base = receiver;
            std::ptr::copy(args.as_ptr(), base.add(1), args.len());
        }
        Ok(base)
    }

    /// The first word of the value stack that neither the running frame nor native code uses.
    #[inline]
    pub(crate) fn window_top(&self) -> *mut Value {
        if self.frame < self.stack.frames {
            return self.sp;
        }
        // SAFETY: the current frame is live.
        let top = unsafe { (*self.frame).top() };
        top.max(self.sp)
    }

    /// Whether `receiver` answers to `name` (respond_to? with respond_to_missing?).
    pub fn respond_to(&mut self, receiver: Value, name: Sym, include_private: bool) -> Result<bool> {
        let class = self.dispatch_class(receiver);
        let respond_to = self.names().respond_to;
        let responder = class.find_method(self, respond_to).method;
        if responder.is_some_and(|m| !matches!(m.body(), MethodBody::Native { .. })) {
            let args = [Value::symbol(name), Value::from_bool(include_private)];
            let count = match responder.map(|m| m.arity()) {
                Some(1) => {
                    if let Some(responder) = responder.filter(|_| include_private) {
                        self.warn_old_responder(receiver, class, responder, name)?;
                    }
                    1
                }
                Some(required @ (3.. | ..-3)) => {
                    let required = if required < 0 { -required - 1 } else { required };
                    return Err(
                        self.argument_error(&format!("respond_to? must accept 1 or 2 arguments (requires {required})"))
                    );
                }
                _ => 1 + include_private as usize,
            };
            return Ok(self.call(receiver, respond_to, &args[..count])?.truthy());
        }
        self.responds(receiver, name, include_private)
    }

    /// Says that a program's `respond_to?` takes no second parameter.
    #[cold]
    fn warn_old_responder(&mut self, receiver: Value, class: Class, responder: Method, name: Sym) -> Result<()> {
        if !self.warns_of(Category::Deprecated) {
            return Ok(());
        }
        let owner = if class.is_singleton() {
            format!("{}.", self.any_to_s(receiver))
        } else {
            format!("{}#", class.inspect(self))
        };
        let name = self.inspect(Value::symbol(name))?;
        let text =
            format!("{owner}respond_to?({name}) uses the deprecated method signature, which takes one parameter");
        self.warn_category(&text, Category::Deprecated)?;
        let code = match responder.resolved().body() {
            MethodBody::Code { code, .. } => Some(*code),
            MethodBody::Proc(proc) => match proc.body() {
                crate::object::proc::ProcBody::Code(code) => Some(*code),
                _ => None,
            },
            _ => None,
        };
        let Some(iseq) = code.map(|code| code.iseq().clone()) else { return Ok(()) };
        self.warn_raw(&format!("{}:{}: warning: respond_to? is defined here\n", iseq.script.path, iseq.line))
    }

    /// `receiver.respond_to?(name)` as a program would write it.
    pub fn respond_to_public(&mut self, receiver: Value, name: Sym) -> Result<bool> {
        let responder = self.names().respond_to;
        if self.overridden(receiver, responder) {
            return Ok(self.call(receiver, responder, &[Value::symbol(name)])?.truthy());
        }
        self.responds(receiver, name, false)
    }

    /// `Kernel#respond_to?` itself.
    pub fn responds(&mut self, receiver: Value, name: Sym, include_private: bool) -> Result<bool> {
        let class = self.dispatch_class(receiver);
        if let Some(method) = class.find_method(self, name).method
            && (include_private || method.visibility() == Visibility::Public)
            && !method.is_unimplemented()
        {
            return Ok(true);
        }
        let missing = self.names().respond_to_missing;
        match class.find_method(self, missing).method {
            Some(m) if !matches!(m.body(), MethodBody::Native { .. }) => {
                Ok(self.call(receiver, missing, &[Value::symbol(name), Value::from_bool(include_private)])?.truthy())
            }
            _ => Ok(false),
        }
    }

    /// Calls the method if the receiver has it (any visibility), or if its `method_missing` takes the call.
    pub fn check_call(&mut self, receiver: Value, name: Sym, args: &[Value]) -> Result<Option<Value>> {
        let class = self.dispatch_class(receiver);
        let promised = self.defines_hook(receiver, self.names().respond_to);
        if promised && !self.respond_to(receiver, name, true)? {
            return Ok(None);
        }
        if class.find_method(self, name).method.is_some() {
            return self.call(receiver, name, args).map(Some);
        }
        self.check_missing(receiver, name, args, promised)
    }

    /// `check_call` of a method that is not there: `method_missing` of the program may stand in for it, unless its
    /// `respond_to_missing?` says no. Any NoMethodError that it raises counts as "not there", unless the receiver
    /// claimed to respond.
    #[cold]
    fn check_missing(
        &mut self,
        receiver: Value,
        name: Sym,
        args: &[Value],
        mut promised: bool,
    ) -> Result<Option<Value>> {
        let (respond_to_missing, method_missing) = (self.names().respond_to_missing, self.names().method_missing);
        if self.defines_hook(receiver, respond_to_missing) {
            if !self.call(receiver, respond_to_missing, &[Value::symbol(name), Value::TRUE])?.truthy() {
                return Ok(None);
            }
            promised = true;
        }
        if !self.defines_hook(receiver, method_missing) {
            return Ok(None);
        }
        if promised {
            return self.call(receiver, name, args).map(Some);
        }
        let no_method = self.error_class("NoMethodError").value();
        self.rescue(no_method, |ctx| ctx.call(receiver, name, args).map(Some), |_, _| Ok(None))
    }

    /// Whether the program defines `name` for `value`; a value without any such method (a BasicObject) does not.
    fn defines_hook(&self, value: Value, name: Sym) -> bool {
        let found = self.dispatch_class(value).find_method(self, name);
        found.method.is_some_and(|m| !matches!(m.resolved().body(), MethodBody::Native { .. }))
    }

    /// Whether the program defines `name` for `value` itself: hooks are only called then.
    pub fn overridden(&self, value: Value, name: Sym) -> bool {
        let found = self.dispatch_class(value).find_method(self, name);
        found.method.is_none_or(|m| !matches!(m.resolved().body(), MethodBody::Native { .. }))
    }

    /// Whether calling `name` on `value` reaches a method of the program, or none.
    pub fn is_replaced(&self, value: Value, name: Sym) -> bool {
        let found = self.dispatch_class(value).find_method(self, name);
        found.method.is_none_or(|method| !method.resolved().body().is_of_core())
    }

    /// The class of an object as messages name it: by its `to_s` when the program defines one.
    pub fn class_title(&mut self, object: Value) -> String {
        let class = self.real_class(object);
        let to_s = self.names().to_s;
        if self.overridden(class.value(), to_s) {
            match self.call(class.value(), to_s, &[]) {
                Ok(title) => {
                    if let Some(title) = crate::object::Str::try_of(title) {
                        return title.to_lossy(self).into_owned();
                    }
                }
                Err(_) => self.clear_pending(),
            }
        }
        class.inspect(self)
    }

    /// Whether calling `name` on `value` reaches a method written in Rust by us (not redefined by the program).
    pub fn is_builtin(&self, value: Value, name: Sym) -> bool {
        let found = self.dispatch_class(value).find_method(self, name);
        found.method.is_some_and(|m| {
            matches!(
                m.resolved().body(),
                MethodBody::Native { .. } | MethodBody::New | MethodBody::Send | MethodBody::ProcCall
            )
        })
    }
}

/// Expands an argument window for a native method: splats and keywords become plain arguments. Returns
/// the new count and whether the last argument is a keyword Hash. A list too long for the stack is
/// returned as a hidden Array instead.
pub(crate) struct Flat {
    pub argc: usize,
    pub keywords: bool,
    pub spilled: Value,
}

/// Longest argument list that is laid out on the value stack.
const STACK_ARGS_MAX: usize = 4096;

impl Ctx {
    #[inline]
    pub(crate) fn flatten(&mut self, base: *mut Value, info: &ArgInfo) -> Result<Flat> {
        if info.flags & site_flags::COMPLEX == 0 {
            return Ok(Flat { argc: info.argc, keywords: false, spilled: Value::NIL });
        }
        self.flatten_complex(base, info)
    }

    fn flatten_complex(&mut self, base: *mut Value, info: &ArgInfo) -> Result<Flat> {
        // SAFETY: the window holds `argc` words behind the receiver.
        let window = unsafe { base.add(1) };
        let keyword_hash = self.keyword_hash(window, info)?;
        let positional = info.argc - info.keyword_words();
        if info.flags & site_flags::SPLAT == 0 {
            let mut argc = positional;
            if let Some(hash) = keyword_hash {
                // SAFETY: the keyword words were part of the window, so at least one word is there.
                unsafe { *window.add(argc) = hash };
                argc += 1;
            }
            return Ok(Flat { argc, keywords: keyword_hash.is_some(), spilled: Value::NIL });
        }
        // SAFETY: the window holds the arguments of a splat call.
        let (list, before) = unsafe { info.splat(window) };
        let (keyword_hash, count) = self.take_flagged_hash(list, keyword_hash, info)?;
        self.lay_out(window, before, list, count, keyword_hash)
    }

    /// `before` words of the window, `count` elements of `list` and the keywords.
    fn lay_out(
        &mut self,
        window: *mut Value,
        before: usize,
        list: crate::object::Array,
        count: usize,
        keywords: Option<Value>,
    ) -> Result<Flat> {
        let total = before + count + keywords.is_some() as usize;
        let room = (self.values_limit as usize).saturating_sub(window as usize) / size_of::<Value>();
        if total > STACK_ARGS_MAX || total + 64 > room {
            let spilled = if before == 0 {
                list.subseq(self, 0, count.min(list.len()))
            } else {
                // SAFETY: the window holds that many words.
                let spilled =
                    crate::object::Array::from_slice(self, unsafe { std::slice::from_raw_parts(window, before) });
                for i in 0..count.min(list.len()) {
                    spilled.push(self, list.get(i).unwrap_or(Value::NIL));
                }
                spilled
            };
            for _ in spilled.len()..before + count {
                spilled.push(self, Value::NIL);
            }
            if let Some(hash) = keywords {
                spilled.push(self, hash);
            }
            return Ok(Flat { argc: total, keywords: keywords.is_some(), spilled: spilled.value() });
        }
        let items = list.slice(self);
        let present = count.min(items.len());
        // SAFETY: the window holds the words before the list.
        let window = unsafe { window.add(before) };
        // SAFETY: the room was checked above; the items of an Array do not lie on the value stack.
        unsafe { std::ptr::copy_nonoverlapping(items.as_ptr(), window, present) };
        for i in present..count {
            // SAFETY: as above.
            unsafe { *window.add(i) = Value::NIL };
        }
        if let Some(hash) = keywords {
            // SAFETY: as above.
            unsafe { *window.add(count) = hash };
        }
        Ok(Flat { argc: total, keywords: keywords.is_some(), spilled: Value::NIL })
    }

    /// The keywords of a call as one Hash; none when there are no keywords or they are empty.
    pub(crate) fn keyword_hash(&mut self, window: *mut Value, info: &ArgInfo) -> Result<Option<Value>> {
        if info.flags & site_flags::KEYWORDS != 0 && info.flags & site_flags::KEYWORD_SPLAT == 0 {
            let hash = Hash::new(self);
            let first = info.argc - info.keywords.len();
            for (i, name) in info.keywords.iter().enumerate() {
                // SAFETY: keyword values are the last words of the window.
                let value = unsafe { *window.add(first + i) };
                hash.insert(self, Value::symbol(*name), value)?;
            }
            return Ok(Some(hash.value()));
        }
        if info.flags & site_flags::KEYWORD_SPLAT != 0 {
            let hash = self.splatted_keywords(window, info)?;
            if info.flags & site_flags::FRESH_KEYWORDS != 0 {
                return Ok(hash);
            }
            return Ok(hash.map(|hash| self.own_keywords(hash)));
        }
        Ok(None)
    }

    /// What the callee gets of the caller's Hash: a copy of its class, with its default.
    pub(crate) fn own_keywords(&mut self, hash: Value) -> Value {
        // A Hash of keywords that are literals has no class.
        let class = if self.class_of(hash) == Value::HIDDEN {
            self.classes().hash.get()
        } else {
            self.real_class(hash).value()
        };
        Hash::known(hash).dup_in(self, class).value()
    }

    /// The Hash of `**hash`, the caller's own unless the site says that it is fresh; none when it is empty.
    pub(crate) fn splatted_keywords(&mut self, window: *mut Value, info: &ArgInfo) -> Result<Option<Value>> {
        // SAFETY: the keyword Hash is the last word of the window.
        let slot = unsafe { &mut *window.add(info.argc - 1) };
        if !slot.is_nil() && !slot.has_tag(Tag::Hash) {
            *slot = self.to_hash(*slot)?.value();
        }
        Ok(Hash::try_of(*slot).filter(|hash| !hash.is_empty()).map(Hash::value))
    }

    /// A splat whose last element is a Hash flagged by ruby2_keywords passes it as keywords.
    pub(crate) fn take_flagged_hash(
        &mut self,
        list: crate::object::Array,
        keywords: Option<Value>,
        info: &ArgInfo,
    ) -> Result<(Option<Value>, usize)> {
        let count = list.len();
        if keywords.is_some() || count == 0 || info.flags & (site_flags::KEYWORDS | site_flags::KEYWORD_SPLAT) != 0 {
            return Ok((keywords, count));
        }
        let last = list.get(count - 1).unwrap_or(Value::NIL);
        match Hash::try_of(last) {
            Some(hash) if hash.is_ruby2_keywords() => {
                if hash.is_empty() {
                    return Ok((None, count - 1));
                }
                Ok((Some(hash.dup(self).value()), count - 1))
            }
            _ => Ok((None, count)),
        }
    }

    /// Raises unless `count` positional arguments fit.
    #[inline]
    pub(crate) fn check_arity(&mut self, count: usize, arity: crate::class::Arity) -> std::result::Result<(), Unwind> {
        if arity.accepts(count) {
            Ok(())
        } else {
            Err(self.arity_error(count, arity.min as usize, arity.max.map(usize::from)))
        }
    }
}

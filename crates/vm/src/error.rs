//! Raising exceptions: cold constructors, recording of backtraces, CRuby's wording of common errors.

use crate::class::Class;
use crate::ctx::Ctx;
use crate::frame::{Frame, frame_flags};
use crate::method::Method;
use crate::object::exception::{Position, Positions};
use crate::object::{Chilled, Exception, Str};
use crate::unwind::Pending;
use crate::warning::Category;
use crate::{Encoding, Unwind};
use rubellite_bytecode::Op;
use rubellite_value::{Sym, Value};

impl Ctx {
    /// The exception class called `name` (also `"Errno::ENOENT"`).
    pub fn error_class(&self, name: &'static str) -> Class {
        self.error_class_at(name.split("::").map(|part| self.intern(part)))
    }

    /// The exception class that a text from elsewhere names.
    pub fn error_class_of_text(&self, name: &str) -> Class {
        self.error_class_at(name.split("::").map(|part| self.intern_str(part)))
    }

    fn error_class_at(&self, path: impl Iterator<Item = Sym>) -> Class {
        let mut at = self.classes().object.class();
        for sym in path {
            match at.own_const(self, sym).and_then(|e| Class::try_of(e.value)) {
                Some(class) => at = class,
                None => return self.classes().standard_error.class(),
            }
        }
        at
    }

    /// A new exception, not raised yet.
    pub fn new_error(&mut self, class: Class, message: &str) -> Value {
        let text = Str::new(self, message.as_bytes(), Encoding::UTF_8).value();
        Exception::new(self, class.value(), text).value()
    }

    /// Raises the named class of exception.
    #[cold]
    pub fn raise_error(&mut self, class: &'static str, message: &str) -> Unwind {
        let class = self.error_class(class);
        let exception = self.new_error(class, message);
        self.raise(exception)
    }

    /// Raises `exception`: its cause is `$!` unless it has one, its backtrace is recorded when it has none.
    #[cold]
    pub fn raise(&mut self, exception: Value) -> Unwind {
        if let Some(e) = Exception::try_of(exception) {
            let cause = self.errinfo;
            if e.cause().is_undef() && !cause.is_nil() && !e.is_frozen() && !e.is_in_causes(cause) {
                e.settle_cause(self, cause);
            }
            self.record_backtrace(e, 0);
        }
        self.make_pending(exception)
    }

    /// Raises without touching the cause.
    #[cold]
    pub fn raise_again(&mut self, exception: Value) -> Unwind {
        if let Some(e) = Exception::try_of(exception) {
            self.record_backtrace(e, 0);
        }
        self.make_pending(exception)
    }

    fn make_pending(&mut self, exception: Value) -> Unwind {
        if self.vm().debug.get().truthy() && self.tell_raised(exception).is_err() {
            return Unwind;
        }
        self.pending = Pending::Raise(exception);
        if self.traces(crate::trace::events::RAISE) {
            self.trace_raise(exception);
        }
        Unwind
    }

    /// Runs native code whose exceptions nobody sees: `$DEBUG` does not tell of them.
    pub fn untold<T>(&mut self, body: impl FnOnce(&mut Ctx) -> T) -> T {
        let telling = std::mem::replace(&mut self.telling, true);
        let result = body(self);
        self.telling = telling;
        result
    }

    /// What `$DEBUG` shows of an exception. What its `to_s` raises takes its place.
    #[cold]
    fn tell_raised(&mut self, exception: Value) -> crate::Result<()> {
        let exit = self.error_class("SystemExit").value();
        if self.telling || self.native_stack_low() || self.is_a(exception, exit) {
            return Ok(());
        }
        self.untold(|ctx| ctx.describe_raised(exception))
    }

    fn describe_raised(&mut self, exception: Value) -> crate::Result<()> {
        let message = self.to_s(exception)?;
        let class = self.real_class(exception).inspect(self);
        let head = match self.source_location() {
            (Some(file), 0) => format!("Exception '{class}' at {file} - "),
            (Some(file), line) => format!("Exception '{class}' at {file}:{line} - "),
            (None, _) => format!("Exception '{class}' - "),
        };
        let text = Str::new(self, head.as_bytes(), message.encoding());
        text.append_str(self, message);
        text.append(self, b"\n");
        (self.vm().hooks().complain)(self, text)
    }

    /// Gives an exception that has no backtrace and is not frozen that of the running code, `skip` levels left out.
    pub fn record_backtrace(&mut self, e: Exception, skip: usize) {
        if !e.has_backtrace() && !e.is_frozen() {
            let positions = self.positions(skip, usize::MAX);
            e.set_positions(self, positions);
        }
    }

    /// The call stack from the innermost frame outwards, `skip` levels left out.
    pub fn positions(&self, skip: usize, max: usize) -> Positions {
        // A native method that the prelude calls does not show: it is no level to leave out.
        // SAFETY: the current frame is live, if there is one.
        let native = self.frame >= self.stack.frames && unsafe { (*self.frame).is_native() };
        let hidden = native && self.called_by_prelude(self.frame, self.stack.frames);
        let skip = skip.saturating_sub(usize::from(hidden));
        let mut list = self.walk(self.frame, self.stack.frames, max.saturating_add(skip), |_, _| {});
        drop(list.drain(..skip.min(list.len())));
        list
    }

    /// The call stack of another fiber or thread whose frames are `bottom..=top`.
    pub(crate) fn positions_from(&self, top: *mut Frame, bottom: *mut Frame) -> Positions {
        self.walk(top, bottom, usize::MAX, |_, _| {})
    }

    /// The whole call stack, and with each level its frame.
    pub(crate) fn positions_with_frames(&self) -> (Positions, Vec<*mut Frame>) {
        let mut frames = Vec::new();
        let list = self.walk(self.frame, self.stack.frames, usize::MAX, |level, frame| {
            frames.truncate(level);
            frames.push(frame);
        });
        frames.truncate(list.len());
        (list, frames)
    }

    /// `note` gets the number of each level and its frame; a number that comes again means another one.
    fn walk(
        &self,
        top: *mut Frame,
        bottom: *mut Frame,
        max: usize,
        mut note: impl FnMut(usize, *mut Frame),
    ) -> Positions {
        let frames = (top as usize + size_of::<Frame>()).saturating_sub(bottom as usize) / size_of::<Frame>();
        let mut list = Positions::with_capacity(frames.min(max));
        // How many of these levels no method of the prelude swallows.
        let mut kept = 0;
        let mut at = top;
        while at >= bottom && list.len() < max {
            // SAFETY: frames from the first to the current one are live: the stack is this thread's, or that of a
            // fiber or thread that does not run while the lock is held here.
            let frame = unsafe { &*at };
            if frame.has(frame_flags::UNSEEN) {
                at = at.wrapping_sub(1);
                continue;
            }
            // Natives and methods of its own that the prelude calls are part of the prelude's method.
            let called = self.called_by_prelude(at, bottom);
            let shows = !called || self.iterates(at);
            if self.is_internal(frame) {
                if let Some(p) = self.internal_position(frame).filter(|_| shows) {
                    while list.len() > kept && list.last().is_some_and(|inner| inner.code.is_nil()) {
                        list.pop();
                    }
                    if !self.is_nameless(&p) {
                        if let Some(each) = self.each_within(frame) {
                            note(list.len(), at);
                            list.push(Position { method: each.value(), ..p });
                        }
                        note(list.len(), at);
                        list.push(p);
                    }
                }
            } else if !frame.is_native() || shows {
                note(list.len(), at);
                list.push(self.position(frame));
            }
            if called && shows {
                kept = list.len();
            }
            at = at.wrapping_sub(1);
        }
        list.truncate(max);
        list
    }

    /// Whether the method of the live frame `at`, which the prelude calls, is one that CRuby calls, too, and shows: the
    /// `each` that a method of Enumerable goes through, what an enumerator runs, the `each` of an enumerator that is
    /// asked for its values one by one, or the method of ARGF that one of Kernel stands for.
    fn iterates(&self, at: *mut Frame) -> bool {
        // SAFETY: who calls it asks for frames only that have a live caller.
        let (frame, caller) = unsafe { (&*at, &*at.sub(1)) };
        let (Some(method), Some(by)) = (frame.method(), caller.method()) else { return false };
        let (classes, each) = (self.classes(), self.names().each);
        if by.owner() == classes.enumerable.class() {
            return method.name() == each;
        }
        if by.owner() == classes.kernel.class() {
            // `gets` is ARGF's.
            return method.owner() != by.owner() && method.name() == by.name();
        }
        let enumerator = classes.enumerator.class();
        if by.owner() != enumerator {
            return false;
        }
        if method.owner() == enumerator && method.name() == each {
            // The block that a fiber of external iteration begins with calls it.
            return !caller.has(frame_flags::METHOD) && self.is_internal_symbol(by.name());
        }
        by.name() == each && !self.is_internal_symbol(method.name())
    }

    /// The `each` that would run if the method of a frame were not a faster form of one of Enumerable, while its block
    /// runs.
    fn each_within(&self, frame: &Frame) -> Option<Method> {
        let method = frame.method().filter(|method| method.stands_in())?;
        let code = frame.code()?;
        let insn = code.iseq().insns.get(frame.offset().checked_sub(1)? as usize)?;
        if insn.op != Op::Yield {
            return None;
        }
        self.dispatch_class(frame.self_value()).each_of_stand_in(self, method)
    }

    /// Whether the caller of the live frame `at`, on a stack that begins at `bottom`, is the VM's own Ruby code.
    fn called_by_prelude(&self, at: *mut Frame, bottom: *mut Frame) -> bool {
        // SAFETY: below a live frame that is not the first lies the frame of its caller.
        at > bottom && self.is_internal(unsafe { &*at.sub(1) })
    }

    /// Whether the position is that of a part of the runtime in Ruby that has no name for programs: what shows is the
    /// native method that calls it.
    fn is_nameless(&self, position: &Position) -> bool {
        !position.method.is_nil() && self.is_internal_symbol(Method::known(position.method).name())
    }

    fn position(&self, frame: &Frame) -> Position {
        let reported = self.trace_event().is_some_and(|event| event.is_before_code_of(frame));
        Position {
            code: frame.code().map_or(Value::NIL, |c| c.value()),
            method: frame.method,
            pc: frame.offset(),
            kind: frame.flags | if reported { frame_flags::AT_STATEMENT } else { 0 },
        }
    }

    /// A method of the prelude shows as a native one: without code, at the line of its caller. Its blocks do not show.
    fn internal_position(&self, frame: &Frame) -> Option<Position> {
        if frame.has(frame_flags::METHOD) && frame.method().is_some() {
            Some(Position { code: Value::NIL, pc: 0, ..self.position(frame) })
        } else {
            None
        }
    }

    // -- wording --------------------------------------------------------------------------

    #[cold]
    pub fn type_error(&mut self, message: &str) -> Unwind {
        self.raise_error("TypeError", message)
    }

    /// FloatDomainError for a NaN or an infinity that should have been a number.
    #[cold]
    pub fn float_domain_error(&mut self, f: f64) -> Unwind {
        let text = if f.is_nan() {
            "NaN"
        } else if f > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        };
        self.raise_error("FloatDomainError", text)
    }

    #[cold]
    pub fn argument_error(&mut self, message: &str) -> Unwind {
        self.raise_error("ArgumentError", message)
    }

    #[cold]
    pub fn range_error(&mut self, message: &str) -> Unwind {
        self.raise_error("RangeError", message)
    }

    #[cold]
    pub fn index_error(&mut self, message: &str) -> Unwind {
        self.raise_error("IndexError", message)
    }

    /// NoMemoryError: what the program asks for cannot be had.
    #[cold]
    pub fn no_memory(&mut self) -> Unwind {
        self.raise_error("NoMemoryError", "failed to allocate memory")
    }

    /// ArgumentError: more elements than an Array may have.
    #[cold]
    pub fn array_too_big(&mut self) -> Unwind {
        self.argument_error("array size too big")
    }

    /// ArgumentError for a number that is to be the length of a String.
    #[cold]
    pub fn string_size_error(&mut self) -> Unwind {
        self.argument_error("negative string size (or size too big)")
    }

    /// ArgumentError for a String that is to be handed to the system or a library as a C string.
    #[cold]
    pub fn null_byte_error(&mut self) -> Unwind {
        self.argument_error("string contains null byte")
    }

    /// TypeError of `initialize_copy`.
    #[cold]
    pub fn copy_of_other_class_error(&mut self) -> Unwind {
        self.type_error("initialize_copy should take same class object")
    }

    #[cold]
    pub fn runtime_error(&mut self, message: &str) -> Unwind {
        self.raise_error("RuntimeError", message)
    }

    #[cold]
    pub fn zero_division(&mut self) -> Unwind {
        self.raise_error("ZeroDivisionError", "divided by 0")
    }

    #[cold]
    pub fn not_implemented(&mut self, message: &str) -> Unwind {
        self.raise_error("NotImplementedError", message)
    }

    /// "name() function is unimplemented on this machine"
    pub fn unimplemented_function(&mut self, name: &str) -> Unwind {
        self.not_implemented(&format!("{name}() function is unimplemented on this machine"))
    }

    /// "wrong number of arguments (given 1, expected 2)"; `max` none: "2+".
    #[cold]
    pub fn arity_error(&mut self, given: usize, min: usize, max: Option<usize>) -> Unwind {
        let expected = match max {
            Some(max) if max == min => format!("{min}"),
            Some(max) => format!("{min}..{max}"),
            None => format!("{min}+"),
        };
        self.argument_error(&format!("wrong number of arguments (given {given}, expected {expected})"))
    }

    /// How messages name an object: "nil", "true", "false", "an instance of Foo", "class Foo", "module Foo".
    pub fn describe(&self, object: Value) -> String {
        match object {
            Value::NIL => "nil".into(),
            Value::TRUE => "true".into(),
            Value::FALSE => "false".into(),
            _ if object == self.vm().main_object.get() => "main".into(),
            _ => match Class::try_of(object) {
                Some(c) if c.is_module() => format!("module {}", c.inspect(self)),
                Some(c) => format!("class {}", c.inspect(self)),
                None if self.dispatch_class(object).is_singleton() => self.any_to_s(object),
                None => format!("an instance of {}", self.real_class(object).inspect(self)),
            },
        }
    }

    /// How conversion errors name an object: special constants by value, others by class.
    pub fn describe_for_conversion(&mut self, object: Value) -> String {
        match object {
            Value::NIL => "nil".into(),
            Value::TRUE => "true".into(),
            Value::FALSE => "false".into(),
            _ => self.class_title(object),
        }
    }

    /// "wrong argument type X (expected Y)"
    #[cold]
    pub fn wrong_argument_type(&mut self, object: Value, expected: &str) -> Unwind {
        if let Some(error) = self.moved_error(object) {
            return error;
        }
        let class = self.describe_for_conversion(object);
        self.type_error(&format!("wrong argument type {class} (expected {expected})"))
    }

    /// What an object says to any method that has been moved to another ractor; `None`: it has not. It may have moved
    /// while a method of it ran.
    #[cold]
    pub fn moved_error(&mut self, object: Value) -> Option<Unwind> {
        let moved = self.real_class(object).inspect(self) == "Ractor::MovedObject";
        if moved { self.call_name(object, "size", &[]).err() } else { None }
    }

    /// "no implicit conversion of X into Y"
    #[cold]
    pub fn conversion_error(&mut self, object: Value, target: &str) -> Unwind {
        let from = self.describe_for_conversion(object);
        self.type_error(&format!("no implicit conversion of {from} into {target}"))
    }

    /// Raises Encoding::CompatibilityError for a string in whose encoding bytes below 0x80 are no ASCII characters.
    #[inline]
    pub fn check_ascii_compatible(&mut self, string: Str) -> crate::Result<()> {
        if string.encoding().is_ascii_compatible() { Ok(()) } else { Err(self.ascii_incompatible(string)) }
    }

    #[cold]
    fn ascii_incompatible(&mut self, string: Str) -> Unwind {
        let message = format!("ASCII incompatible encoding: {}", string.encoding().name());
        self.raise_error("Encoding::CompatibilityError", &message)
    }

    /// Raises FrozenError when the object is frozen (immediates are).
    #[inline]
    pub fn check_frozen(&mut self, object: Value) -> crate::Result<()> {
        match object.header() {
            Some(header) if !header.frozen() => match Str::try_of(object) {
                Some(string) if string.guarded() => self.thaw(string),
                _ => Ok(()),
            },
            _ => Err(self.frozen_error(object)),
        }
    }

    /// A chilled string is about to be changed: warns, and lets later changes pass. A locked one raises.
    #[cold]
    fn thaw(&mut self, string: Str) -> crate::Result<()> {
        if string.locked() {
            return Err(self.raise_error("RuntimeError", "can't modify string; temporarily locked"));
        }
        let Some(chilled) = string.chilled() else { return Ok(()) };
        string.set_chilled(None);
        if !self.warns_of(Category::Deprecated) {
            return Ok(());
        }
        let text = match chilled {
            Chilled::Literal if self.noted_place(string.value()).is_some() => {
                let place = self.place_text(string.value());
                format!("literal string will be frozen in the future\n{place}: info: the string was created here")
            }
            Chilled::Literal => "literal string will be frozen in the future (run with --debug-frozen-string-literal for more information)".into(),
            Chilled::SymbolToS => format!("string returned by :{}.to_s will be frozen in the future", string.to_lossy(self)),
        };
        self.warn_category(&text, Category::Deprecated)
    }

    /// "can't modify frozen String: \"abc\""
    #[cold]
    pub fn frozen_error(&mut self, object: Value) -> Unwind {
        let class = self.class_title(object);
        // `inspect` itself may try to modify the object.
        let operation = self.intern("frozen_error");
        let text = match self.guard_recursion(
            operation,
            object,
            Value::NIL,
            |_| Ok(" ...".to_string()),
            |ctx| ctx.inspect(object),
        ) {
            Ok(text) => text,
            Err(unwind) => return unwind,
        };
        let error = self.error_class("FrozenError");
        let made = match self.noted_place(object) {
            Some(_) => format!(", created at {}", self.place_text(object)),
            None => String::new(),
        };
        let exception = self.new_error(error, &format!("can't modify frozen {class}: {text}{made}"));
        let receiver = self.internal("__receiver");
        self.ivar_set(exception, receiver, object);
        self.raise(exception)
    }

    /// The noted place of a string as text.
    fn place_text(&mut self, string: Value) -> String {
        let place = self.noted_place(string).and_then(Str::try_of);
        place.map_or(String::new(), |place| place.to_lossy(self).into_owned())
    }

    /// `object.inspect` as text for messages.
    pub fn inspect(&mut self, object: Value) -> crate::Result<String> {
        let text = self.inspect_str(object)?;
        Ok(text.to_lossy(self).into_owned())
    }

    /// How a NoMethodError names its receiver: as `describe`, but by the `name` that a class defines for itself.
    fn describe_receiver(&mut self, receiver: Value) -> String {
        let class = match Class::try_of(receiver) {
            Some(class) => class,
            None if receiver.is_immediate() || receiver == self.vm().main_object.get() => {
                return self.describe(receiver);
            }
            None => self.real_class(receiver),
        };
        let name = self.names().name;
        if class.is_singleton() || self.is_builtin(class.value(), name) || self.is_internal_call() {
            return self.describe(receiver);
        }
        let pending = self.pending_to_value();
        let given = self.call(class.value(), name, &[]).ok().and_then(Str::try_of);
        self.rethrow(pending);
        let Some(text) = given else { return self.describe(receiver) };
        let text = text.to_lossy(self).into_owned();
        match Class::try_of(receiver) {
            Some(c) if c.is_module() => format!("module {text}"),
            Some(_) => format!("class {text}"),
            None => format!("an instance of {text}"),
        }
    }

    /// Whether errors must not run Ruby code now: the stack is nearly used up.
    fn is_internal_call(&self) -> bool {
        self.native_stack_low() || self.frame.wrapping_add(64) >= self.frames_limit
    }

    /// NameError or NoMethodError for a call that found nothing.
    #[cold]
    pub fn undefined_method(&mut self, receiver: Value, name: Sym, vcall: bool) -> Unwind {
        let target = self.describe_receiver(receiver);
        let name_text = self.sym_str(name);
        let (class, message) = if vcall {
            ("NameError", format!("undefined local variable or method '{name_text}' for {target}"))
        } else {
            ("NoMethodError", format!("undefined method '{name_text}' for {target}"))
        };
        self.name_error(class, &message, receiver, name)
    }

    /// A NameError (or subclass) with name and receiver.
    #[cold]
    pub fn name_error(&mut self, class: &'static str, message: &str, receiver: Value, name: Sym) -> Unwind {
        let class = self.error_class(class);
        let exception = self.new_error(class, message);
        let (receiver_ivar, name_ivar) = (self.internal("__receiver"), self.internal("__name"));
        self.ivar_set(exception, receiver_ivar, receiver);
        self.ivar_set(exception, name_ivar, Value::symbol(name));
        self.raise(exception)
    }

    /// SystemStackError when the machine stack is nearly used up: for native code that recurses over data.
    #[inline(always)]
    pub fn check_native_stack(&mut self) -> crate::Result<()> {
        if self.native_stack_low() { Err(self.stack_overflow()) } else { Ok(()) }
    }

    /// "stack level too deep"
    #[cold]
    pub fn stack_overflow(&mut self) -> Unwind {
        let class = self.error_class("SystemStackError");
        let limit = std::mem::replace(&mut self.native_limit, 0);
        let exception = self.new_error(class, "stack level too deep");
        self.native_limit = limit;
        // No stack is left to tell of it.
        self.untold(|ctx| ctx.raise(exception))
    }
}

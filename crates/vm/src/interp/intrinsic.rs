//! Intrinsics: rare operations for which the compiler emits one instruction with a number (`Op::Intrinsic`), such as
//! backquotes, `rescue` with a list of classes, and the steps of pattern matching.

use crate::Result;
use crate::class::{Class, Found};

use crate::ctx::Ctx;
use crate::frame::Frame;
use crate::object::{Array, Env, Hash, Str};
use rubellite_bytecode::{Insn, Intrinsic};
use rubellite_value::{Sym, Tag, Value};
use std::sync::atomic::Ordering;

impl Ctx {
    /// Counts that the running code went a way, if coverage counts.
    fn count_branch(&self, frame: *mut Frame, index: Value) {
        if !self.vm().coverage_runs.get() {
            return;
        }
        // SAFETY: the frame is running.
        let code = unsafe { (*frame).code() };
        let branches = code.as_ref().and_then(|code| code.iseq().script.branches.get());
        if let (Some(branches), Some(index)) = (branches, index.as_fixnum()) {
            branches.counts[index as usize].fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn intrinsic(&mut self, frame: *mut Frame, insn: Insn) -> Result {
        // SAFETY: register operands lie within the running frame.
        let args = unsafe { std::slice::from_raw_parts((*frame).base.add(insn.b as usize), insn.c as usize) };
        let arg = |i: usize| args.get(i).copied().unwrap_or(Value::NIL);
        // SAFETY: the compiler only writes numbers of the enumeration; the verifier checks them.
        let what = unsafe { std::mem::transmute::<u8, Intrinsic>(insn.x) };
        match what {
            Intrinsic::AtExit => {
                let kernel = self.classes().kernel.get();
                let name = self.intern("at_exit");
                self.call_with_block(kernel, name, &[], arg(0))
            }
            Intrinsic::RescueMatch => self.rescue_match(arg(0), arg(1)).map(Value::from_bool),
            Intrinsic::RescueMatchAny => self.rescue_match_any(Array::known(arg(0)), arg(1)),
            // SAFETY: the frame is the running one.
            Intrinsic::XString => self.run_command(unsafe { (*frame).self_value() }, args),
            Intrinsic::RaiseSyntaxError => {
                let text = Str::known(arg(0)).to_lossy(self).into_owned();
                Err(self.raise_error("SyntaxError", &text))
            }
            Intrinsic::MatchLastLine => {
                let line = self.last_line();
                let op = self.names().op_match;
                self.call(arg(0), op, &[line])
            }
            Intrinsic::CountBranch => {
                self.count_branch(frame, arg(0));
                Ok(Value::NIL)
            }
            Intrinsic::LastMatch => Ok(self.last_match()),
            Intrinsic::Raise => {
                let name = self.names().new;
                let exception = self.call(arg(1), name, &[arg(0)])?;
                Err(self.raise(exception))
            }
            Intrinsic::ToProc => {
                let handler = self.block_argument(arg(0))?;
                Ok(self.block_to_value(handler))
            }
            Intrinsic::Warn => {
                let text = Str::known(arg(0)).to_lossy(self).into_owned();
                self.warn_verbose(&text)?;
                Ok(Value::NIL)
            }
            Intrinsic::SetData => Ok(Value::NIL),
            Intrinsic::GetFar | Intrinsic::SetFar => {
                let [depth, slot] = [arg(0), arg(1)].map(|number| number.as_fixnum().unwrap_or(0) as usize);
                // SAFETY: the running frame is live; code that names a captured variable runs with an environment that
                // has it, so many levels out.
                let env = Env::known((0..depth).fold(unsafe { (*frame).env }, |env, _| Env::known(env).parent()));
                if what == Intrinsic::GetFar {
                    return Ok(env.get(slot));
                }
                env.set(self, slot, arg(2));
                Ok(arg(2))
            }
            Intrinsic::Freeze
            | Intrinsic::MakeShareable
            | Intrinsic::MakeShareableCopy
            | Intrinsic::EnsureShareable => self.intrinsic_of_literals(what, args),
            _ => self.intrinsic_of_patterns(frame, what, args),
        }
    }

    /// What a command in backticks gives, whose text is made of the parts.
    fn run_command(&mut self, me: Value, parts: &[Value]) -> Result {
        let text = match parts {
            // A command without interpolation is its frozen literal.
            [literal] => *literal,
            _ => self.concat_strings(parts.as_ptr(), parts.len(), rubellite_encoding::Encoding::UTF_8)?,
        };
        let name = self.names().op_backtick;
        self.call(me, name, &[text])
    }

    /// Whether one of the classes behind a splat is what was raised.
    fn rescue_match_any(&mut self, list: Array, raised: Value) -> Result {
        let mut i = 0;
        while let Some(class) = list.get(i) {
            if self.rescue_match(class, raised)? {
                return Ok(Value::TRUE);
            }
            i += 1;
        }
        Ok(Value::FALSE)
    }

    /// What `# shareable_constant_value` makes of a literal.
    fn intrinsic_of_literals(&mut self, what: Intrinsic, args: &[Value]) -> Result {
        let arg = |i: usize| args.get(i).copied().unwrap_or(Value::NIL);
        match what {
            Intrinsic::Freeze => {
                if let Some(header) = arg(0).header() {
                    header.set(rubellite_value::flags::FROZEN);
                }
                Ok(arg(0))
            }
            Intrinsic::MakeShareable => self.make_shareable(arg(0), false),
            Intrinsic::MakeShareableCopy => self.make_shareable(arg(0), true),
            Intrinsic::EnsureShareable => {
                if !self.shareable(arg(0)) {
                    let path = Str::known(arg(1)).to_lossy(self).into_owned();
                    return Err(self.isolation_error(&format!("cannot assign unshareable object to {path}")));
                }
                Ok(arg(0))
            }
            _ => unnamed(),
        }
    }

    /// What `case ... in` is made of.
    fn intrinsic_of_patterns(&mut self, frame: *mut Frame, what: Intrinsic, args: &[Value]) -> Result {
        let arg = |i: usize| args.get(i).copied().unwrap_or(Value::NIL);
        match what {
            Intrinsic::NoMatchingPattern => {
                let text = self.no_match_text(args)?;
                Err(self.raise_error("NoMatchingPatternError", &text))
            }
            Intrinsic::NoMatchingPatternKey => self.no_matching_key(arg(0), arg(1), arg(2)),
            Intrinsic::CaseEq => {
                let op = self.names().op_case_eq;
                Ok(Value::from_bool(self.call(arg(0), op, &[arg(1)])?.truthy()))
            }
            Intrinsic::Deconstruct => {
                let name = self.names().deconstruct;
                let Some(list) = self.deconstructed(frame, arg(0), name, &[])? else { return Ok(Value::FALSE) };
                if list.has_tag(Tag::Array) { Ok(list) } else { Err(self.type_error("deconstruct must return Array")) }
            }
            Intrinsic::DeconstructKeys => self.deconstruct_keys(frame, arg(0), arg(1)),
            Intrinsic::NamedCapture => self.named_capture(arg(0), arg(1)),
            Intrinsic::HashExcept => self.pattern_rest(Hash::known(arg(0)), Array::known(arg(1))),
            Intrinsic::IsA => Ok(Value::from_bool(self.is_a(arg(0), arg(1)))),
            Intrinsic::HashEmpty => match Hash::try_of(arg(0)) {
                Some(hash) if self.is_plain_hash(hash) => Ok(Value::from_bool(hash.is_empty())),
                Some(hash) => self.call_name(hash.value(), "empty?", &[]).map(|empty| Value::from_bool(empty.truthy())),
                None => Ok(Value::FALSE),
            },
            Intrinsic::SubArray => {
                let (from, len) =
                    (arg(1).as_fixnum().unwrap_or(0).max(0) as usize, arg(2).as_fixnum().unwrap_or(0).max(0) as usize);
                Ok(Array::known(arg(0)).subseq(self, from, len).value())
            }
            Intrinsic::ArrayLength => Ok(self.int(Array::known(arg(0)).len() as i64)),
            Intrinsic::HashFetch => self.pattern_value(Hash::known(arg(0)), arg(1)),
            Intrinsic::HashDup => Ok(Hash::known(arg(0)).dup(self).value()),
            _ => unnamed(),
        }
    }

    /// The message of a failed pattern: the value, and why it failed when the compiler says so.
    fn no_match_text(&mut self, args: &[Value]) -> Result<String> {
        let mut text = self.inspect(args[0])?;
        if let Some(format) = args.get(1).and_then(|f| Str::try_of(*f)) {
            let format = format.to_lossy(self).into_owned();
            text.push_str(": ");
            for (i, piece) in format.split("%p").enumerate() {
                if i > 0 {
                    let value = args.get(1 + i).copied().unwrap_or(Value::NIL);
                    text.push_str(&self.inspect(value)?);
                }
                text.push_str(piece);
            }
        }
        Ok(text)
    }

    fn rescue_match(&mut self, class: Value, exception: Value) -> Result<bool> {
        if !Class::is(class) {
            return Err(self.type_error("class or module required for rescue clause"));
        }
        // Traces see the call that asks the class.
        if !self.is_traced() && self.is_builtin(class, self.names().op_case_eq) {
            return Ok(self.is_a(exception, class));
        }
        let op = self.names().op_case_eq;
        Ok(self.call(class, op, &[exception])?.truthy())
    }

    /// Whether no subclass can have methods of its own in place of the Hash's.
    fn is_plain_hash(&self, hash: Hash) -> bool {
        self.dispatch_class(hash.value()).value() == self.classes().hash.get()
    }

    /// The value that a pattern's key stands for; undefined without the key. A subclass is asked by `key?` and `[]`.
    fn pattern_value(&mut self, hash: Hash, key: Value) -> Result {
        if self.is_plain_hash(hash) {
            return Ok(hash.get(self, key)?.unwrap_or(Value::UNDEF));
        }
        let (has, at) = (self.names().key_p, self.names().op_aref);
        if !self.call(hash.value(), has, &[key])?.truthy() {
            return Ok(Value::UNDEF);
        }
        self.call(hash.value(), at, &[key])
    }

    /// What `**rest` of a pattern stands for: a copy without the keys of the pattern.
    fn pattern_rest(&mut self, hash: Hash, keys: Array) -> Result {
        let is_plain = self.is_plain_hash(hash);
        let dup = self.names().dup;
        let rest = if is_plain { hash.dup(self).value() } else { self.call(hash.value(), dup, &[])? };
        let mut i = 0;
        while let Some(key) = keys.get(i) {
            match Hash::try_of(rest).filter(|_| is_plain) {
                Some(rest) => rest.delete(self, key).map(drop)?,
                None => self.call_name(rest, "delete", &[key]).map(drop)?,
            }
            i += 1;
        }
        Ok(rest)
    }

    /// What `object` answers to `deconstruct` or `deconstruct_keys`, the refined one if a refinement is active in
    /// `frame`; `None` when it has no such public method.
    fn deconstructed(&mut self, frame: *mut Frame, object: Value, name: Sym, args: &[Value]) -> Result<Option<Value>> {
        if self.may_be_refined(name) {
            let class = self.dispatch_class(object);
            // SAFETY: the frame is the running one.
            let cref = unsafe { (*frame).cref };
            if let Some(Found { method: Some(method), pos, .. }) = self.find_refined(cref, class, name) {
                // SAFETY: the slice outlives the call.
                let args = unsafe { crate::Args::new(args.as_ptr(), args.len(), false, Value::NIL) };
                return self.call_method(method, pos, object, args).map(Some);
            }
        }
        if !self.respond_to_public(object, name)? {
            return Ok(None);
        }
        self.call(object, name, args).map(Some)
    }

    fn deconstruct_keys(&mut self, frame: *mut Frame, object: Value, keys: Value) -> Result {
        let name = self.names().deconstruct_keys;
        // A method of the program may change what it is told; those of the core only read.
        let keys = match Array::try_of(keys) {
            Some(list) if !self.is_builtin(object, name) => list.dup(self).value(),
            _ => keys,
        };
        let Some(hash) = self.deconstructed(frame, object, name, &[keys])? else { return Ok(Value::FALSE) };
        if hash.has_tag(Tag::Hash) { Ok(hash) } else { Err(self.type_error("deconstruct_keys must return Hash")) }
    }

    fn no_matching_key(&mut self, value: Value, hash: Value, key: Value) -> Result {
        let text = self.inspect(value)?;
        let key_text = self.inspect(key)?;
        let class = self.error_class("NoMatchingPatternKeyError");
        let exception = self.new_error(class, &format!("{text}: key not found: {key_text}"));
        let (matchee, key_ivar) = (self.internal("__matchee"), self.internal("__key"));
        self.ivar_set(exception, matchee, hash);
        self.ivar_set(exception, key_ivar, key);
        Err(self.raise(exception))
    }

    fn named_capture(&mut self, matched: Value, name: Value) -> Result {
        if matched.is_nil() {
            return Ok(Value::NIL);
        }
        let op = self.names().op_aref;
        self.call(matched, op, &[name])
    }
}

/// An intrinsic that the parts of the table do not share out: there is none.
#[cold]
fn unnamed() -> Result {
    debug_assert!(false, "an intrinsic without a meaning");
    Ok(Value::NIL)
}

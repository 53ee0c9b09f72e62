//! The slow paths of operators: what `+`, `<`, `==`, `[]` and the like do when the interpreter loop cannot answer at
//! once, up to a call of the method.

use crate::call::{ArgInfo, Args, Invoked};
use crate::code::{CodeData, Site, Target};
use crate::ctx::Ctx;
use crate::frame::frame_flags;
use crate::method::{Method, Visibility};
use crate::object::{Array, Float, Hash, Str, integer};
use crate::vm::basic_op;
use crate::{NativeFn, Result};
use rubellite_bytecode::{Insn, Op};
use rubellite_value::{Tag, Value};

/// Floored division; none when the quotient is no fixnum.
#[inline(always)]
pub(super) fn floor_div(a: i64, b: i64) -> Option<Value> {
    let q = a.wrapping_div(b);
    let q = if (a % b != 0) && ((a < 0) != (b < 0)) { q - 1 } else { q };
    Value::try_fixnum(q)
}

/// Modulo with the sign of the divisor.
#[inline(always)]
pub(super) fn floor_mod(a: i64, b: i64) -> Value {
    let r = a.wrapping_rem(b);
    Value::fixnum(if r != 0 && ((r < 0) != (b < 0)) { r + b } else { r })
}

#[inline(always)]
pub(super) fn shift_left(a: i64, by: i64) -> Option<Value> {
    if (0..62).contains(&by) {
        let shifted = a << by;
        if shifted >> by == a { Value::try_fixnum(shifted) } else { None }
    } else {
        None
    }
}

/// Operators that the loops of the VM's own Ruby code count with. Equality is not among them: there it compares
/// elements.
fn counts(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Mod
            | Op::Lt
            | Op::Le
            | Op::Gt
            | Op::Ge
            | Op::BrLt
            | Op::BrLe
            | Op::BrGt
            | Op::BrGe
    )
}

impl Ctx {
    /// Whether no program has redefined an operator of Integer.
    pub fn integer_operators_intact(&self) -> bool {
        self.vm().redefined.get() & basic_op::INTEGER == 0
    }

    /// Whether `<=>` is the built-in one for this number or plain String; false for everything else.
    #[inline]
    pub fn order_intact(&self, value: Value) -> bool {
        let bit = if value.is_fixnum() {
            basic_op::INTEGER
        } else if value.is_flonum() {
            basic_op::FLOAT
        } else if value.has_tag(Tag::String) && self.is_plain(value, self.classes().string.get()) {
            basic_op::STRING
        } else {
            return false;
        };
        self.vm().redefined.get() & bit == 0
    }

    /// `==` of two numbers; none when something else is among them, or a program has redefined their operators.
    #[inline]
    pub(crate) fn numbers_equal(&mut self, a: Value, b: Value) -> Option<bool> {
        let number = |v: Value| v.is_fixnum() || v.is_flonum() || v.has_tag(Tag::Bignum) || v.has_tag(Tag::Float);
        if a.is_fixnum() && b.is_fixnum() && self.integer_operators_intact() {
            return Some(a == b);
        }
        if number(a) && number(b) { self.numeric_binary(Op::Eq, a, b).map(Value::truthy) } else { None }
    }

    /// The same of Integer and Float.
    pub fn number_operators_intact(&self) -> bool {
        self.vm().redefined.get() & (basic_op::INTEGER | basic_op::FLOAT) == 0
    }

    /// Whether the running code may take the built-in operators of a class: no program has redefined one, or the code
    /// is the VM's own, whose loops count and collect whatever a program does to Integer and Array.
    #[inline(always)]
    fn basic(&self, class: u32) -> bool {
        self.vm().redefined.get() & class == 0 || self.in_own_code()
    }

    /// Mixed and big numbers without a call; none for anything else.
    fn numeric_binary(&mut self, op: Op, a: Value, b: Value) -> Option<Value> {
        let counting =
            |ctx: &mut Ctx| integer::is_integer(a) && integer::is_integer(b) && counts(op) && ctx.in_own_code();
        if !self.number_operators_intact() && !counting(self) {
            return None;
        }
        if integer::is_integer(a) && integer::is_integer(b) {
            return match op {
                Op::Add => Some(integer::add(self, a, b)),
                Op::Sub => Some(integer::sub(self, a, b)),
                // Long ones are left to the methods, which work outside the lock.
                Op::Mul | Op::Div | Op::Mod if integer::is_long(a, b) => None,
                Op::Mul => Some(integer::mul(self, a, b)),
                Op::Div => integer::div_floor(self, a, b),
                Op::Mod => integer::modulo(self, a, b),
                Op::Lt | Op::BrLt => Some(Value::from_bool(integer::cmp(a, b).is_lt())),
                Op::Le | Op::BrLe => Some(Value::from_bool(integer::cmp(a, b).is_le())),
                Op::Gt | Op::BrGt => Some(Value::from_bool(integer::cmp(a, b).is_gt())),
                Op::Ge | Op::BrGe => Some(Value::from_bool(integer::cmp(a, b).is_ge())),
                Op::Eq | Op::BrEq => Some(Value::from_bool(integer::equal(a, b))),
                Op::Neq | Op::BrNeq => Some(Value::from_bool(!integer::equal(a, b))),
                _ => None,
            };
        }
        let (x, y) = (self.plain_float(a)?, self.plain_float(b)?);
        Some(match op {
            Op::Add => self.float(x + y),
            Op::Sub => self.float(x - y),
            Op::Mul => self.float(x * y),
            Op::Div => self.float(x / y),
            Op::Lt | Op::BrLt => Value::from_bool(x < y),
            Op::Le | Op::BrLe => Value::from_bool(x <= y),
            Op::Gt | Op::BrGt => Value::from_bool(x > y),
            Op::Ge | Op::BrGe => Value::from_bool(x >= y),
            Op::Eq | Op::BrEq => Value::from_bool(x == y),
            Op::Neq | Op::BrNeq => Value::from_bool(x != y),
            _ => return None,
        })
    }

    /// A Float, or a fixnum that a float represents exactly.
    pub(crate) fn plain_float(&self, v: Value) -> Option<f64> {
        if v.is_flonum() {
            return Some(v.as_flonum_unchecked());
        }
        match v.as_fixnum() {
            Some(n) if n.unsigned_abs() <= 1 << 53 => Some(n as f64),
            Some(_) => None,
            None => Float::try_of(v).map(Float::get),
        }
    }

    /// Equality that needs no call: identical immediates, strings.
    #[inline]
    pub fn fast_equal(&self, a: Value, b: Value) -> Option<bool> {
        if a.is_heap() {
            if a.has_tag(Tag::String)
                && self.vm().redefined.get() & basic_op::STRING == 0
                && self.is_plain(a, self.classes().string.get())
            {
                if b.has_tag(Tag::String) {
                    return Some(a == b || Str::known(a).equal(self, Str::known(b)));
                }
                return if b.is_immediate() { Some(false) } else { None };
            }
            return None;
        }
        let redefined = self.vm().redefined.get();
        if redefined & (basic_op::SYMBOL | basic_op::SPECIAL) != 0 {
            return None;
        }
        if a.is_symbol() || a.is_nil() || a == Value::TRUE || a == Value::FALSE {
            return Some(a == b);
        }
        // A number asks what it does not know, which denies it.
        let denies = b.is_symbol()
            || b.is_nil()
            || b == Value::TRUE
            || b == Value::FALSE
            || (b.has_tag(Tag::String)
                && redefined & basic_op::STRING == 0
                && self.is_plain(b, self.classes().string.get()));
        let own = if a.is_fixnum() { basic_op::INTEGER } else { basic_op::FLOAT };
        (denies && (a.is_fixnum() || a.is_flonum()) && redefined & own == 0).then_some(false)
    }

    /// Whether the heap object's class is exactly `class`: no subclass or singleton redefines its operators.
    #[inline(always)]
    fn is_plain(&self, object: Value, class: Value) -> bool {
        object.header().is_some_and(|h| h.klass.get() == class)
    }

    /// `<<` of a plain Array or String that may be changed; false: the method decides.
    #[inline(always)]
    pub(crate) fn fast_append(&mut self, recv: Value, item: Value) -> bool {
        let Some(header) = recv.header() else { return false };
        if header.tag() == Tag::String {
            return self.fast_join(recv, item);
        }
        if header.tag() != Tag::Array
            || header.klass.get() != self.classes().array.get()
            || header.has(rubellite_value::flags::FROZEN)
            || !self.basic(basic_op::ARRAY)
        {
            return false;
        }
        Array::known(recv).push(self, item);
        true
    }

    /// Whether `recv << item` is the built-in one of a String or an Array that is frozen: the operator refuses by
    /// itself, without a level in the backtrace.
    #[cold]
    fn refuses_append(&self, recv: Value, item: Value) -> bool {
        let Some(header) = recv.header().filter(|header| header.frozen()) else { return false };
        let (klass, classes) = (header.klass.get(), self.classes());
        match header.tag() {
            Tag::String => klass == classes.string.get() && self.basic(basic_op::STRING) && item.has_tag(Tag::String),
            Tag::Array => klass == classes.array.get() && self.basic(basic_op::ARRAY),
            _ => false,
        }
    }

    /// `<<` of Strings, as far as nothing is to be converted, checked or told.
    fn fast_join(&mut self, recv: Value, item: Value) -> bool {
        let (string, other) = (Str::known(recv), Str::try_of(item));
        let Some(other) = other.filter(|_| string.header().klass.get() == self.classes().string.get()) else {
            return false;
        };
        self.basic(basic_op::STRING) && !self.looks_for_races() && string.append_plainly(self, other)
    }

    #[inline(always)]
    pub(crate) fn fast_aref(&mut self, recv: Value, index: Value) -> Option<Value> {
        let Some(header) = recv.header() else { return self.bit_of(recv, index) };
        match header.tag() {
            Tag::Array
                if index.is_fixnum()
                    && header.klass.get() == self.classes().array.get()
                    && self.basic(basic_op::ARRAY) =>
            {
                Some(Array::known(recv).at(index.as_fixnum_unchecked()).unwrap_or(Value::NIL))
            }
            Tag::Hash if header.klass.get() == self.classes().hash.get() && self.basic(basic_op::HASH) => {
                let hash = Hash::known(recv);
                let found = if let Some(sym) = index.as_symbol() {
                    hash.get_sym(self, sym)
                } else if index.is_fixnum() || index.has_tag(Tag::String) {
                    hash.get(self, index).ok()?
                } else {
                    return None;
                };
                // A default proc, or a `default` of the program, is called by the method.
                let plain =
                    |hash: Hash| self.vm().redefined.get() & basic_op::HASH == 0 && hash.default_proc().is_none();
                found.or_else(|| plain(hash).then(|| hash.default_value()))
            }
            _ => None,
        }
    }

    /// A bit of a small Integer.
    fn bit_of(&self, number: Value, index: Value) -> Option<Value> {
        let (number, index) = (number.as_fixnum()?, index.as_fixnum()?);
        let bit = if index < 0 { 0 } else { number >> index.min(63) & 1 };
        (self.vm().redefined.get() & basic_op::INTEGER == 0).then(|| Value::fixnum(bit))
    }

    /// `recv[index] = value`
    #[inline]
    pub(crate) fn aset(&mut self, recv: Value, index: Value, value: Value, site: u16) -> Result<Invoked> {
        if let Some(header) = recv.header()
            && !header.frozen()
        {
            match header.tag() {
                Tag::Array if header.klass.get() == self.classes().array.get() && self.basic(basic_op::ARRAY) => {
                    if let Some(i) = index.as_fixnum() {
                        let array = Array::known(recv);
                        if i >= 0 && (i as usize) <= array.len() {
                            array.set(self, i as usize, value);
                            return Ok(Invoked::Value(value));
                        }
                    }
                }
                Tag::Hash if header.klass.get() == self.classes().hash.get() && self.basic(basic_op::HASH) => {
                    let hash = Hash::known(recv);
                    if !hash.is_iterating() && (index.is_fixnum() || index.is_symbol()) {
                        hash.insert(self, index, value)?;
                        return Ok(Invoked::Value(value));
                    }
                }
                _ => {}
            }
        }
        let (frame, window) = self.scratch(&[recv, index, value])?;
        // SAFETY: the running frame's code holds the site.
        let site = unsafe { &(&*(*frame).code).sites[site as usize] };
        self.call_operator(site, window, 2, 0, frame_flags::DISCARD)
    }

    /// Lays receiver and arguments out above the running frame's registers.
    fn scratch(&mut self, words: &[Value]) -> Result<(*mut crate::frame::Frame, *mut Value)> {
        let frame = self.frame;
        // SAFETY: the frame is the running one.
        let window = unsafe { (*frame).top() };
        if (self.values_limit as usize).saturating_sub(window as usize) < 128 * size_of::<Value>() {
            return Err(self.stack_overflow());
        }
        for (i, word) in words.iter().enumerate() {
            // SAFETY: the room was checked.
            unsafe { *window.add(i) = *word };
        }
        // SAFETY: as above.
        self.sp = unsafe { window.add(words.len() + 1) };
        Ok((frame, window))
    }

    /// Calls a site's method with a window that lies outside the frame's registers.
    #[inline]
    fn call_operator(&mut self, site: &Site, window: *mut Value, argc: usize, dst: u16, flags: u16) -> Result<Invoked> {
        // SAFETY: the window begins with the receiver.
        let receiver = unsafe { *window };
        let klass = self.class_of(receiver);
        if site.klass.get() == klass && site.is_current(self) {
            match site.target.get() {
                Target::Leaf => {
                    // SAFETY: a Leaf target's `direct` was made from a NativeFn; the window holds the arguments.
                    let (function, args) = unsafe {
                        (
                            std::mem::transmute::<*const (), NativeFn>(site.direct.get()),
                            Args::new(window.add(1), argc, false, Value::NIL),
                        )
                    };
                    return function(self, receiver, args).map(Invoked::Value);
                }
                Target::Native => {
                    // SAFETY: a Native target's `direct` was made from a NativeFn.
                    let function = unsafe { std::mem::transmute::<*const (), NativeFn>(site.direct.get()) };
                    return self
                        .run_native::<false>(
                            window,
                            site.method(),
                            site.pos.get(),
                            function,
                            argc,
                            false,
                            Value::NIL,
                            Value::NIL,
                        )
                        .map(Invoked::Value);
                }
                Target::SimpleCode => return self.enter_simple(site, window, dst, flags),
                _ => {
                    return self.prepare_call(
                        window,
                        site.method(),
                        site.pos.get(),
                        &ArgInfo::plain(argc, false),
                        Value::NIL,
                        dst,
                        flags,
                    );
                }
            }
        }
        self.call_operator_slow(site, window, argc, dst, flags)
    }

    #[inline(never)]
    fn call_operator_slow(
        &mut self,
        site: &Site,
        window: *mut Value,
        argc: usize,
        dst: u16,
        flags: u16,
    ) -> Result<Invoked> {
        // SAFETY: the window begins with the receiver; the running frame is live.
        let (receiver, cref) = unsafe { (*window, (*self.frame).cref) };
        let class = self.dispatch_class(receiver);
        let info = ArgInfo::plain(argc, false);
        if self.may_be_refined(site.name)
            && let Some(found) = self.find_refined(cref, class, site.name)
        {
            let callable = |method: &Method| {
                method.visibility() == Visibility::Public || site.flags & crate::code::site_flags::SELF_CALL != 0
            };
            if let Some(method) = found.method.filter(callable) {
                return self.prepare_call(window, method, found.pos, &info, Value::NIL, dst, flags);
            }
            return self.prepare_missing(window, found, site.name, &info, Value::NIL, dst, flags, true, false);
        }
        let found = class.find_method(self, site.name);
        match found.method {
            Some(method)
                if method.visibility() == Visibility::Public
                    || site.flags & crate::code::site_flags::SELF_CALL != 0 =>
            {
                self.fill_operator(site, class, found, cref);
                self.prepare_call(window, method, found.pos, &info, Value::NIL, dst, flags)
            }
            _ => self.prepare_missing(window, found, site.name, &info, Value::NIL, dst, flags, true, false),
        }
    }

    /// A binary operator that the loop could not do.
    #[inline(never)]
    pub(crate) fn binary_slow(&mut self, op: Op, a: Value, b: Value, site: u16, dst: u16) -> Result<Invoked> {
        if op == Op::Neq
            && let Some(unlike) = self.not_identical(a, b, site)
        {
            return Ok(Invoked::Value(Value::from_bool(unlike)));
        }
        if let Some(value) = self.numeric_binary(op, a, b) {
            return Ok(Invoked::Value(value));
        }
        if op == Op::Shl && self.refuses_append(a, b) {
            return Err(self.frozen_error(a));
        }
        self.operator_call(&[a, b], site, dst, 0)
    }

    /// `a != b` where the site knows that the object is compared by identity.
    #[inline]
    fn not_identical(&self, a: Value, b: Value, site: u16) -> Option<bool> {
        // SAFETY: the running frame's code holds the site.
        let site = unsafe { &(&*(*self.frame).code).sites[site as usize] };
        let known = site.target.get() == Target::NotIdentical
            && site.klass.get() == self.class_of(a)
            && site.is_current(self)
            && site.equality_epoch() == self.method_epoch(self.names().op_eq);
        known.then_some(a != b)
    }

    /// A unary operator.
    #[inline(never)]
    pub(crate) fn unary_slow(&mut self, value: Value, site: u16, dst: u16) -> Result<Invoked> {
        self.operator_call(&[value], site, dst, 0)
    }

    /// Where a comparison that begins a run leads; None: it is to be made.
    ///
    /// # Safety
    /// `insn` is an instruction of `code` that begins a run.
    #[inline(never)]
    pub(crate) unsafe fn case_target(&self, code: &CodeData, insn: *const Insn, value: Value) -> Option<*const Insn> {
        // SAFETY: by contract.
        let pc = unsafe { insn.offset_from(code.insns.as_ptr()) } as usize;
        let case = code.case(self, pc)?;
        let Some(way) = case.way(self, value) else {
            case.note_undecided();
            return None;
        };
        Some(&raw const code.insns[case.take(way)])
    }

    /// A fused comparison that the loop could not do.
    #[inline(never)]
    pub(crate) fn branch_slow(&mut self, op: Op, a: Value, b: Value, site: u16) -> Result<Invoked> {
        let equal = match op {
            Op::BrEq => self.fast_equal(a, b),
            Op::BrNeq => self.fast_equal(a, b).map(|e| !e).or_else(|| self.not_identical(a, b, site)),
            _ => None,
        };
        if let Some(equal) = equal {
            return Ok(Invoked::Value(Value::from_bool(equal)));
        }
        if let Some(value) = self.numeric_binary(op, a, b) {
            return Ok(Invoked::Value(value));
        }
        self.operator_call(&[a, b], site, 0, frame_flags::BRANCH)
    }

    /// Calls the operator's method.
    fn operator_call(&mut self, words: &[Value], site: u16, dst: u16, flags: u16) -> Result<Invoked> {
        let (frame, window) = self.scratch(words)?;
        // SAFETY: the running frame's code holds the site.
        let site = unsafe { &(&*(*frame).code).sites[site as usize] };
        self.call_operator(site, window, words.len() - 1, dst, flags)
    }

    /// `"literal".freeze` and `-"literal"` where the program has methods of its own for them.
    #[cold]
    #[inline(never)]
    pub(crate) fn frozen_string_slow(&mut self, literal: Value, site: u16, dst: u16) -> Result<Invoked> {
        let string = self.fresh_string(literal, false);
        self.operator_call(&[string], site, dst, 0)
    }

    /// Interpolation of an object that is no String.
    #[inline(never)]
    pub(crate) fn to_str_slow(&mut self, value: Value, site: u16, dst: u16) -> Result<Invoked> {
        if let Some(sym) = value.as_symbol()
            && self.is_builtin(value, self.names().to_s)
        {
            let text = Str::of_symbol(self, sym);
            return Ok(Invoked::Value(text.value()));
        }
        let (frame, window) = self.scratch(&[value])?;
        // SAFETY: the running frame's code holds the site.
        let site = unsafe { &(&*(*frame).code).sites[site as usize] };
        match self.call_operator(site, window, 0, dst, frame_flags::TO_STR)? {
            Invoked::Value(text) if text.has_tag(Tag::String) => Ok(Invoked::Value(text)),
            Invoked::Value(_) => Ok(Invoked::Value(self.default_string(value))),
            Invoked::Frame => Ok(Invoked::Frame),
        }
    }

    /// The text of an object whose to_s gives no String.
    pub(crate) fn default_string(&mut self, value: Value) -> Value {
        let text = self.any_to_s(value);
        Str::utf8(self, &text).value()
    }
}

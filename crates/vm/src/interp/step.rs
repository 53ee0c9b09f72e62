//! One instruction for compiled code, without the loop. Where compiled code leaves an instruction to the interpreter it
//! writes the operands to the frame's registers, sets `pc` behind the instruction and calls `step`, which does the same
//! as the loop.

use crate::call::{Args, Invoked};
use crate::code::{CodeData, Site, Target, site_flags};
use crate::ctx::Ctx;
use crate::frame::{Frame, frame_flags};
use crate::object::{Array, Env, Hash, Object};
use crate::vm::{basic_op, loop_mode};
use crate::{NativeFn, Result};
use rubellite_bytecode::{Insn, Op};
use rubellite_value::{Tag, Value};

impl Ctx {
    /// The length of a receiver that is no Array any more: it has been moved to another ractor while its elements were
    /// walked over, and says so.
    #[cold]
    pub(crate) fn len_of_other(&mut self, receiver: Value) -> Result {
        self.call_name(receiver, "size", &[])
    }

    /// Runs one instruction of the topmost frame. Its result is for register `a`, or decides a fused comparison.
    /// Instructions that jump otherwise, leave the frame or open a class are none of those.
    pub(crate) fn step(&mut self, frame: *mut Frame, insn: &Insn) -> Result<Invoked> {
        // SAFETY: the frame runs verified code, so that operands lie within its registers and tables, and an
        // instruction of two words is followed by its second.
        let (base, code, ext) = unsafe { ((*frame).base, &*(*frame).code, &*std::ptr::from_ref(insn).add(1)) };
        // SAFETY: as above.
        let r = |i: u16| unsafe { *base.add(i as usize) };
        // SAFETY: as above.
        let at = |i: u16| unsafe { base.add(i as usize) };
        let value = match insn.op {
            Op::Call => return self.step_call(frame, code, insn),
            Op::Yield => return self.yield_site(frame, &code.sites[insn.c as usize], at(insn.b), insn.a),
            Op::Super => return self.call_super_site(frame, &code.sites[insn.c as usize], at(insn.b), insn.a),
            Op::Primitive => self.step_primitive(frame, code, insn)?,
            Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Mod
            | Op::Lt
            | Op::Le
            | Op::Gt
            | Op::Ge
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Shr => {
                return self.binary_slow(insn.op, r(insn.b), r(insn.c), ext.a, insn.a);
            }
            Op::Shl if self.fast_append(r(insn.b), r(insn.c)) => r(insn.b),
            Op::Shl => return self.binary_slow(insn.op, r(insn.b), r(insn.c), ext.a, insn.a),
            Op::Eq | Op::Neq => match self.fast_equal(r(insn.b), r(insn.c)) {
                Some(equal) => Value::from_bool(equal == (insn.op == Op::Eq)),
                None => return self.binary_slow(insn.op, r(insn.b), r(insn.c), ext.a, insn.a),
            },
            Op::AddInt | Op::SubInt => {
                let op = if insn.op == Op::AddInt { Op::Add } else { Op::Sub };
                return self.binary_slow(op, r(insn.b), Value::fixnum(insn.c as i16 as i64), ext.a, insn.a);
            }
            Op::Not
                if r(insn.b).is_immediate()
                    && self.vm().redefined.get() & (basic_op::SPECIAL | basic_op::INTEGER) == 0 =>
            {
                Value::from_bool(!r(insn.b).truthy())
            }
            Op::Not | Op::Neg => return self.unary_slow(r(insn.b), ext.a, insn.a),
            Op::ARef => return self.step_aref(insn, r(insn.b), r(insn.c), ext.a),
            Op::ASet => return self.aset(r(insn.a), r(insn.b), r(insn.c), ext.a),
            Op::BrLt | Op::BrLe | Op::BrGt | Op::BrGe | Op::BrEq | Op::BrNeq => {
                let rhs = if insn.x & 2 != 0 { Value::fixnum(insn.b as i16 as i64) } else { r(insn.b) };
                return self.branch_slow(insn.op, r(insn.a), rhs, ext.a);
            }
            Op::BrWhen => return self.branch_slow(Op::BrEq, code.literal(insn.a as usize), r(insn.b), ext.a),
            Op::ToStr => {
                let value = r(insn.b);
                if !(value.has_tag(Tag::String)
                    || (value.is_fixnum() && self.vm().redefined.get() & basic_op::INTEGER_TO_S == 0))
                {
                    return self.to_str_slow(value, ext.a, insn.a);
                }
                value
            }
            _ => self.step_plain(frame, code, insn)?,
        };
        Ok(Invoked::Value(value))
    }

    fn step_call(&mut self, frame: *mut Frame, code: &CodeData, insn: &Insn) -> Result<Invoked> {
        let site = &code.sites[insn.c as usize];
        // SAFETY: see `step`; the window begins with the receiver.
        let (window, receiver) = unsafe { ((*frame).base.add(insn.b as usize), *(*frame).base.add(insn.b as usize)) };
        if site.klass.get() != self.class_of(receiver) || !site.is_current(self) {
            return self.call_site_miss(frame, site, window, insn.a);
        }
        let value = match site.target.get() {
            Target::SimpleCode => {
                let block = self.passed_block(frame, site, window)?;
                // SAFETY: a SimpleCode target's `direct` points at the cached method's code.
                let callee = unsafe { &*site.direct.get().cast::<CodeData>() };
                self.check_room(window, callee)?;
                let (method, cref) = (site.method.get(), site.cref.get());
                let new = self.push_frame(
                    window,
                    callee,
                    0,
                    method,
                    site.pos.get(),
                    cref,
                    block,
                    insn.a,
                    frame_flags::METHOD,
                );
                self.enter_scope(new, callee, Value::NIL);
                return Ok(Invoked::Frame);
            }
            Target::Placed => {
                self.call_placed(frame, site, window, insn.a)?;
                return Ok(Invoked::Frame);
            }
            Target::Leaf => self.step_native(site, window, false, Value::NIL)?,
            Target::Native => {
                let block = self.passed_block(frame, site, window)?;
                // SAFETY: see `step`.
                self.sp = unsafe { (*frame).top() };
                self.step_native(site, window, true, block)?
            }
            Target::AttrReader => {
                self.tell_attribute(receiver, site);
                self.attr_get(receiver, site)?
            }
            Target::AttrWriter => {
                // SAFETY: the argument lies behind the receiver.
                let value = unsafe { *window.add(1) };
                self.tell_attribute(receiver, site);
                self.attr_set(receiver, site, value)?;
                value
            }
            _ => return self.call_site(frame, site, window, insn.a),
        };
        Ok(Invoked::Value(value))
    }

    /// Where races are looked for.
    #[inline]
    fn tell_attribute(&mut self, receiver: Value, site: &Site) {
        if self.vm().loop_mode.get() == loop_mode::RACES {
            self.race_accessor(receiver, site.method().body());
        }
    }

    #[inline]
    fn passed_block(&mut self, frame: *mut Frame, site: &Site, window: *mut Value) -> Result {
        if site.flags & site_flags::BLOCK_ARG == 0 && site.block == 0 {
            Ok(Value::NIL)
        } else {
            self.site_block(frame, site, window)
        }
    }

    /// The native function of a `Leaf` or `Native` site.
    fn step_native(&mut self, site: &Site, window: *mut Value, framed: bool, block: Value) -> Result {
        // SAFETY: `direct` of such a site was made from a NativeFn; the window holds receiver and arguments.
        unsafe {
            let function: NativeFn = std::mem::transmute::<*const (), NativeFn>(site.direct.get());
            if framed {
                return self.run_native::<false>(
                    window,
                    site.method(),
                    site.pos.get(),
                    function,
                    site.argc as usize,
                    false,
                    Value::NIL,
                    block,
                );
            }
            function(self, *window, Args::new(window.add(1), site.argc as usize, false, Value::NIL))
        }
    }

    fn step_primitive(&mut self, frame: *mut Frame, code: &CodeData, insn: &Insn) -> Result {
        let site = &code.sites[insn.c as usize];
        // SAFETY: see `step`.
        let window = unsafe { (*frame).base.add(insn.b as usize) };
        match site.target.get() {
            Target::Leaf => self.step_native(site, window, false, Value::NIL),
            Target::Native => {
                let block = self.passed_block(frame, site, window)?;
                // SAFETY: see `step`.
                self.sp = unsafe { (*frame).top() };
                self.step_native(site, window, true, block)
            }
            _ => self.call_primitive(frame, site, window),
        }
    }

    fn step_aref(&mut self, insn: &Insn, recv: Value, index: Value, site: u16) -> Result<Invoked> {
        let fresh = insn.x != 0 && Hash::try_of(recv).is_some_and(Hash::is_identity);
        if let Some(value) = if fresh { None } else { self.fast_aref(recv, index) } {
            return Ok(Invoked::Value(value));
        }
        let index = if insn.x == 0 { index } else { self.fresh_string(index, insn.x & 2 != 0) };
        self.binary_slow(Op::ARef, recv, index, site, insn.a)
    }

    /// Variables and constants.
    fn step_plain(&mut self, frame: *mut Frame, code: &CodeData, insn: &Insn) -> Result {
        // SAFETY: see `step`.
        let (base, me, cref, operand) =
            unsafe { ((*frame).base, *(*frame).base, (*frame).cref, *(*frame).base.add(insn.a as usize)) };
        let name = |index: u16| code.names[index as usize];
        match insn.op {
            Op::GetIvar => {
                let cache = &code.caches[insn.c as usize];
                if me.header().is_some_and(|header| header.tag() == Tag::Object && header.shape() == cache.shape.get())
                {
                    return Ok(Object::known(me).slot(cache.slot.get() as usize));
                }
                self.get_ivar_slow(me, name(insn.b), cache)
            }
            Op::SetIvar => {
                let cache = &code.caches[insn.c as usize];
                match me.header() {
                    Some(header)
                        if header.tag() == Tag::Object && header.shape() == cache.shape.get() && !header.frozen() =>
                    {
                        Object::known(me).set_slot(self, cache.slot.get() as usize, operand);
                        header.set_shape(cache.next_shape.get());
                    }
                    _ => self.set_ivar_slow(me, name(insn.b), operand, cache)?,
                }
                Ok(operand)
            }
            Op::GetGlobal => {
                self.check_global(name(insn.b))?;
                self.get_global(name(insn.b))
            }
            Op::SetGlobal => {
                self.check_global(name(insn.b))?;
                self.set_global(name(insn.b), operand)?;
                Ok(operand)
            }
            Op::GetCvar => self.get_cvar(cref, name(insn.b)),
            Op::SetCvar => self.set_cvar(cref, name(insn.b), operand).map(|()| operand),
            Op::GetConst => {
                let cache = &code.caches[insn.c as usize];
                if cache.key.get() == cref && cache.current.get().is_some_and(|epoch| epoch.get() == cache.epoch.get())
                {
                    return Ok(cache.value.get());
                }
                self.get_const_slow(cref, name(insn.b), cache)
            }
            Op::GetConstFrom | Op::GetConstTop => {
                let cache = &code.caches[insn.c as usize];
                let (from, keyed) =
                    if insn.op == Op::GetConstFrom { (operand, true) } else { (self.classes().object.get(), false) };
                let current = cache.current.get().is_some_and(|epoch| epoch.get() == cache.epoch.get());
                if current && (!keyed || cache.key.get() == from) {
                    return Ok(cache.value.get());
                }
                self.const_from_cached(from, name(insn.b), cache)
            }
            Op::GetEnv | Op::SetEnv => Ok(self.step_env(frame, insn, operand)),
            Op::SelfLen => match Array::try_of(me) {
                Some(list) => Ok(Value::fixnum(list.len() as i64)),
                None => self.len_of_other(me),
            },
            Op::SelfAt => {
                // SAFETY: see `step`.
                let index = unsafe { *base.add(insn.b as usize) }.as_fixnum().unwrap_or(-1) as usize;
                Ok(Array::try_of(me).and_then(|list| list.get(index)).unwrap_or(Value::NIL))
            }
            _ => self.step_aggregate(frame, code, insn),
        }
    }

    /// Reads or writes a captured variable.
    #[inline]
    fn step_env(&mut self, frame: *mut Frame, insn: &Insn, operand: Value) -> Value {
        let slot = insn.b as usize;
        // SAFETY: see `step`; code that names a captured variable runs with an environment that has it, so many levels
        // out.
        unsafe {
            let env = Env::of_unchecked((*frame).env).up(insn.x as usize);
            if insn.op == Op::GetEnv {
                return env.get_unchecked(slot);
            }
            env.set_unchecked(self, slot, operand);
        }
        operand
    }

    /// Literals, aggregates, blocks, definitions and the rest.
    fn step_aggregate(&mut self, frame: *mut Frame, code: &CodeData, insn: &Insn) -> Result {
        // SAFETY: see `step`.
        let (base, operand, second) =
            unsafe { ((*frame).base, *(*frame).base.add(insn.a as usize), (*frame).base.add(insn.b as usize)) };
        // SAFETY: only instructions whose `b` and `c` are registers ask.
        let r = |index: u16| unsafe { *base.add(index as usize) };
        let count = insn.c as usize;
        match insn.op {
            Op::NewString => Ok(self.new_string_literal(code, *insn)),
            Op::FrozenString => Ok(code.literal(insn.literal())),
            Op::DupLiteral => Ok(self.copy_literal(code.literal(insn.literal()))),
            Op::LoadConst => Ok(code.literal(insn.literal())),
            Op::NewArray => Ok(self.array_from(second, count)),
            Op::NewHash => self.hash_from(second, count),
            Op::ArrayPush => {
                self.array_push_all(operand, second, count);
                Ok(operand)
            }
            Op::ArrayConcat => self.array_concat_splat(operand, r(insn.b)).map(|()| operand),
            Op::SplatArray => self.splat_array(r(insn.b), insn.x != 0),
            Op::HashStore => self.hash_store_all(operand, second, count).map(|()| operand),
            Op::HashMerge => self.hash_merge_op(operand, r(insn.b), insn.x).map(|()| operand),
            Op::NewRange => self.new_range_checked(r(insn.b), r(insn.c), insn.x != 0),
            Op::StrCat => self.interpolated(second, count, code.iseq.script.encoding),
            Op::Intern => self.intern_string(r(insn.b)),
            Op::NewRegexp => self.dynamic_regexp(second, count, insn.x, code.iseq.script.encoding),
            Op::ExpandArray => self.expand_array(operand, second, count, insn.x).map(|()| operand),
            Op::GetMatch => Ok(self.get_match_part(*insn)),
            Op::SetErrInfo => {
                self.errinfo = operand;
                Ok(operand)
            }
            Op::SetConst => {
                self.set_const_checked(r(insn.b), code.names[insn.c as usize], operand)?;
                Ok(operand)
            }
            // SAFETY: the frame is the running one.
            Op::LoadCref => self.const_target(unsafe { (*frame).cref }),
            Op::LoadObject => Ok(self.classes().object.get()),
            Op::GetBlock => Ok(self.method_block(frame, insn.x != 0)),
            Op::Lambda => {
                let child = code.child(self, insn.b as usize);
                Ok(self.make_lambda(frame, child))
            }
            Op::Defined => self.defined_check(frame, *insn),
            Op::Intrinsic => {
                // SAFETY: see `step`.
                self.sp = unsafe { (*frame).top() };
                self.intrinsic(frame, *insn)
            }
            _ => unreachable!("{:?} is no single step", insn.op),
        }
    }
}

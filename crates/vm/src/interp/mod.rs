//! The interpreter loop.
//!
//! `run` executes from the topmost frame until a frame with the FINISH flag returns. Its local variables (`pc`, `base`,
//! `frame`) cache the running frame; `save!` writes pc back before anything that may raise, call, collect or switch
//! threads; `load!` re-reads them after the running frame changed. A handler that fails breaks out of the dispatch
//! block, and the end of the loop looks for a catch entry. Elsewhere: slow paths of operators (`ops.rs`), variables and
//! constants (`vars.rs`), definitions (`define.rs`), what is told of variables where races are looked for
//! (`races/hooks.rs`), unwinding (`unwinding.rs`), rare operations (`intrinsic.rs`).

mod autoload;
mod calls;
mod constants;
mod define;
pub(crate) mod defined;
mod intrinsic;
mod literals;
mod once;
mod ops;
mod placed;
mod run;
mod step;
mod unused_block;
mod unwinding;
mod vars;
mod warn;

pub use unused_block::UnusedBlocks;

use crate::call::{Args, Invoked};
use crate::code::{CodeData, Target, site_flags};
use crate::ctx::Ctx;
use crate::frame::{Frame, frame_flags};
use crate::jit::Entered;
use crate::object::{Array, Env, Hash, Object};
use crate::races::Kind;
use crate::vm::{basic_op, loop_mode};
use crate::{NativeFn, Result, Unwind};
use rubellite_bytecode::{Insn, Op};
use rubellite_value::{FIXNUM_MAX, FIXNUM_MIN, Tag, Value};
use run::Start;

/// `$op` on two fixnums as raw words, or the slow path.
macro_rules! both_fixnum {
    ($a:expr, $b:expr) => {
        $a.bits() & $b.bits() & 1 != 0
    };
}

impl Ctx {
    #[allow(clippy::cognitive_complexity)]
    fn run_loop<const MODE: u8>(&mut self, entry: *mut Frame, start: Start) -> Result {
        if start == Start::Unwinding {
            match self.unwind_to(entry) {
                unwinding::Landing::Continue => {}
                unwinding::Landing::Return(value) => return Ok(value),
                unwinding::Landing::Leave => return Err(Unwind),
            }
        }
        let mut frame: *mut Frame = self.frame;
        // SAFETY: in the whole loop `frame` is the live topmost frame; `pc` stays within its verified
        // code, whose register operands lie within `base..base + register_count`, which was checked
        // against the stack when the frame was pushed; table operands are within the tables of the same code.
        unsafe {
            let mut pc: *const Insn = (*frame).pc;
            let mut base: *mut Value = (*frame).base;

            macro_rules! r {
                ($i:expr) => {
                    *base.add($i as usize)
                };
            }
            macro_rules! save {
                () => {
                    (*frame).pc = pc
                };
            }
            macro_rules! load {
                () => {
                    frame = self.frame;
                    pc = (*frame).pc;
                    base = (*frame).base;
                };
            }
            // In the loop that looks for races: tells of an access.
            macro_rules! race {
                ($tell:expr) => {
                    if MODE == loop_mode::RACES {
                        save!();
                        $tell;
                    }
                };
            }
            // A conditional jump must stay a branch, which the processor predicts: a conditional move would make the
            // next instruction's address wait for the comparison. The empty assembly text is what the
            // compiler may not move.
            macro_rules! jump {
                ($word:expr) => {{
                    std::arch::asm!("", options(nomem, nostack, preserves_flags));
                    pc = pc.offset($word.bc() as isize);
                }};
            }
            macro_rules! code {
                () => {
                    (&*(*frame).code)
                };
            }
            macro_rules! poll {
                ($fail:lifetime) => {
                    if self.interrupted() {
                        save!();
                        self.sp = base.add(code!().register_count as usize);
                        if self.safepoint_slow().is_err() {
                            break $fail;
                        }
                    }
                };
            }
            // The value or a failure of the running instruction.
            macro_rules! tri {
                ($fail:lifetime, $e:expr) => {{
                    save!();
                    match $e {
                        Ok(value) => value,
                        Err(Unwind) => break $fail,
                    }
                }};
            }
            // Goes on in compiled code where there is some for the place where the running frame stands. Frames whose
            // return is special return like the others, but to here.
            macro_rules! compiled {
                ($fail:lifetime, $slot:expr) => {
                    if MODE != loop_mode::TRACED {
                        save!();
                        if let Some(compiled) = $slot {
                            match self.enter_compiled(compiled, frame) {
                                Entered::Returned => {
                                    load!();
                                }
                                Entered::Left => {
                                    load!();
                                    // Nowhere else: code of the VM's own relies on where safepoints are.
                                    if pc == (&(*(*frame).code).insns).as_ptr() {
                                        poll!($fail);
                                    }
                                }
                                Entered::Finished(value) => return Ok(value),
                                Entered::Failed => break $fail,
                            }
                        }
                    }
                };
            }
            macro_rules! invoked {
                ($fail:lifetime, $dst:expr, $e:expr) => {{
                    save!();
                    match $e {
                        Ok(Invoked::Value(value)) => {
                            r!($dst) = value;
                        }
                        Ok(Invoked::Frame) => {
                            load!();
                            poll!($fail);
                            compiled!($fail, self.compiled_start(frame));
                        }
                        Err(Unwind) => break $fail,
                    }
                }};
            }
            // A binary operator: the fast path gives Some, else the site of the EXT word is called.
            macro_rules! binary {
                ($fail:lifetime, $insn:expr, $fast:expr) => {{
                    let (lhs, rhs) = (r!($insn.b), r!($insn.c));
                    let ext = &*pc;
                    pc = pc.add(1);
                    let fast: Option<Value> = $fast(lhs, rhs);
                    if let Some(value) = fast {
                        r!($insn.a) = value;
                    } else {
                        save!();
                        match self.binary_slow($insn.op, lhs, rhs, ext.a, $insn.a) {
                            Ok(Invoked::Value(value)) => r!($insn.a) = value,
                            Ok(Invoked::Frame) => {
                                load!();
                                compiled!($fail, self.compiled_start(frame));
                            }
                            Err(Unwind) => break $fail,
                        }
                    }
                }};
            }
            // Of two Integers by what stands there; of two Floats by the operator, where there is one.
            macro_rules! arithmetic {
                ($fail:lifetime, $insn:expr, |$a:ident, $b:ident| $integers:expr $(, $floats:tt)?) => {
                    binary!($fail, $insn, |$a: Value, $b: Value| {
                        if int_ok!($a, $b) {
                            return $integers;
                        }
                        $(if float_pair!($a, $b) {
                            return Value::try_flonum($a.as_flonum_unchecked() $floats $b.as_flonum_unchecked());
                        })?
                        None
                    })
                };
            }
            // The words of two Integers are in the order of what they stand for.
            macro_rules! order {
                ($fail:lifetime, $insn:expr, $cmp:tt) => {
                    binary!($fail, $insn, |a: Value, b: Value| {
                        if int_ok!(a, b) {
                            Some(Value::from_bool((a.bits() as i64) $cmp (b.bits() as i64)))
                        } else if float_pair!(a, b) {
                            Some(Value::from_bool(a.as_flonum_unchecked() $cmp b.as_flonum_unchecked()))
                        } else {
                            None
                        }
                    })
                };
            }
            macro_rules! compare_branch {
                ($fail:lifetime, $next:lifetime, $insn:expr, $cmp:tt) => {
                    compare_branch!($fail, $next, $insn, $cmp, false)
                };
                // `identity`: symbols, nil and true are compared by their words.
                ($fail:lifetime, $next:lifetime, $insn:expr, $cmp:tt, $identity:expr) => {{
                    let lhs = r!($insn.a);
                    let rhs = if $insn.x & 2 != 0 { Value::fixnum($insn.b as i16 as i64) } else { r!($insn.b) };
                    let ext = &*pc;
                    pc = pc.add(1);
                    let truth = if both_fixnum!(lhs, rhs) && self.vm().redefined.get() & basic_op::INTEGER == 0 {
                        (lhs.bits() as i64) $cmp (rhs.bits() as i64)
                    } else if lhs.is_flonum() && rhs.is_flonum() && self.vm().redefined.get() & basic_op::FLOAT == 0 {
                        lhs.as_flonum_unchecked() $cmp rhs.as_flonum_unchecked()
                    } else if $identity
                        && lhs.is_unique()
                        && self.vm().redefined.get() & (basic_op::SYMBOL | basic_op::SPECIAL) == 0
                    {
                        (lhs.bits() as i64) $cmp (rhs.bits() as i64)
                    } else {
                        save!();
                        match self.branch_slow($insn.op, lhs, rhs, ext.a) {
                            Ok(Invoked::Value(value)) => value.truthy(),
                            Ok(Invoked::Frame) => {
                                load!();
                                continue $next;
                            }
                            Err(Unwind) => break $fail,
                        }
                    };
                    if truth == ($insn.x & 1 != 0) {
                        jump!(ext);
                    }
                }};
            }
            macro_rules! float_pair {
                ($a:expr, $b:expr) => {
                    $a.is_flonum() && $b.is_flonum() && self.vm().redefined.get() & basic_op::FLOAT == 0
                };
            }
            macro_rules! int_ok {
                ($a:expr, $b:expr) => {
                    both_fixnum!($a, $b) && self.vm().redefined.get() & basic_op::INTEGER == 0
                };
            }

            // The traced loop: a frame above the one of the last instruction was just entered.
            let mut last_frame =
                if MODE == loop_mode::TRACED && start == Start::Entry { frame.wrapping_sub(1) } else { frame };

            'dispatch: loop {
                'fail: {
                    if MODE == loop_mode::TRACED {
                        let fresh = frame > last_frame;
                        last_frame = frame;
                        if self.trace_step(frame, pc, fresh).is_err() {
                            break 'fail;
                        }
                    }
                    // Its fields are read where they are needed: a copy would be taken apart in front of every
                    // instruction.
                    let insn = &*pc;
                    pc = pc.add(1);
                    match insn.op {
                        Op::Nop | Op::Ext => {}
                        Op::Move => r!(insn.a) = r!(insn.b),
                        Op::LoadNil => r!(insn.a) = Value::NIL,
                        Op::LoadTrue => r!(insn.a) = Value::TRUE,
                        Op::LoadFalse => r!(insn.a) = Value::FALSE,
                        Op::LoadUndef => r!(insn.a) = Value::UNDEF,
                        Op::LoadInt => r!(insn.a) = Value::fixnum(insn.bc() as i64),
                        Op::LoadConst => r!(insn.a) = code!().literal(insn.literal()),
                        Op::FrozenString => {
                            let literal = code!().literal(insn.literal());
                            let ext = &*pc;
                            pc = pc.add(1);
                            if self.vm().redefined.get() & basic_op::STRING_FREEZE == 0 {
                                r!(insn.a) = literal;
                            } else {
                                invoked!('fail, insn.a, self.frozen_string_slow(literal, ext.a, insn.a));
                            }
                        }
                        Op::NewString => {
                            save!();
                            r!(insn.a) = self.new_string_literal(code!(), *insn);
                        }
                        Op::DupLiteral => {
                            save!();
                            r!(insn.a) = self.copy_literal(code!().literal(insn.literal()));
                        }
                        // Code that names a captured variable runs with an environment that has it, so many levels out.
                        Op::GetEnv => {
                            let env = Env::of_unchecked((*frame).env).up(insn.x as usize);
                            race!(self.race_local(frame, env.value(), insn.b, Kind::Read));
                            r!(insn.a) = env.get_unchecked(insn.b as usize);
                        }
                        Op::SetEnv => {
                            let env = Env::of_unchecked((*frame).env).up(insn.x as usize);
                            race!(self.race_local(frame, env.value(), insn.b, Kind::Write));
                            env.set_unchecked(self, insn.b as usize, r!(insn.a));
                        }
                        Op::GetIvar => {
                            let me = r!(0);
                            race!(self.race_ivar(frame, me, code!().names[insn.b as usize], Kind::Read));
                            let cache = code!().caches.get_unchecked(insn.c as usize);
                            if me.has_tag(Tag::Object) && me.header_unchecked().shape() == cache.shape.get() {
                                r!(insn.a) = Object::of_unchecked(me).slot(cache.slot.get() as usize);
                            } else {
                                r!(insn.a) = tri!('fail, self.get_ivar_slow(me, code!().names[insn.b as usize], cache));
                            }
                        }
                        Op::SetIvar => {
                            let me = r!(0);
                            race!(self.race_ivar(frame, me, code!().names[insn.b as usize], Kind::Write));
                            let cache = code!().caches.get_unchecked(insn.c as usize);
                            if me.has_tag(Tag::Object)
                                && me.header_unchecked().shape() == cache.shape.get()
                                && !me.header_unchecked().frozen()
                            {
                                let header = me.header_unchecked();
                                Object::of_unchecked(me).set_slot(self, cache.slot.get() as usize, r!(insn.a));
                                header.set_shape(cache.next_shape.get());
                            } else {
                                tri!('fail, self.set_ivar_slow(me, code!().names[insn.b as usize], r!(insn.a), cache));
                            }
                        }
                        Op::GetGlobal => {
                            let name = code!().names[insn.b as usize];
                            race!(self.race_global(frame, name, Kind::Read));
                            tri!('fail, self.check_global(name));
                            r!(insn.a) = tri!('fail, self.get_global(name));
                        }
                        Op::SetGlobal => {
                            let name = code!().names[insn.b as usize];
                            race!(self.race_global(frame, name, Kind::Write));
                            tri!('fail, self.check_global(name));
                            tri!('fail, self.set_global(name, r!(insn.a)));
                        }
                        Op::GetCvar => {
                            let name = code!().names[insn.b as usize];
                            race!(self.race_cvar(frame, (*frame).cref, name, Kind::Read));
                            r!(insn.a) = tri!('fail, self.get_cvar((*frame).cref, name));
                        }
                        Op::SetCvar => {
                            let name = code!().names[insn.b as usize];
                            race!(self.race_cvar(frame, (*frame).cref, name, Kind::Write));
                            tri!('fail, self.set_cvar((*frame).cref, name, r!(insn.a)));
                        }
                        Op::GetConst => {
                            let cache = code!().caches.get_unchecked(insn.c as usize);
                            let name = *code!().names.get_unchecked(insn.b as usize);
                            if cache.key.get() == (*frame).cref
                                && cache.current.get().is_some_and(|e| e.get() == cache.epoch.get())
                            {
                                r!(insn.a) = cache.value.get();
                            } else {
                                r!(insn.a) = tri!('fail, self.get_const_slow((*frame).cref, name, cache));
                            }
                        }
                        Op::GetConstFrom => {
                            let cache = code!().caches.get_unchecked(insn.c as usize);
                            if cache.key.get() == r!(insn.a)
                                && cache.current.get().is_some_and(|e| e.get() == cache.epoch.get())
                            {
                                r!(insn.a) = cache.value.get();
                            } else {
                                let name = *code!().names.get_unchecked(insn.b as usize);
                                r!(insn.a) = tri!('fail, self.const_from_cached(r!(insn.a), name, cache));
                            }
                        }
                        Op::GetConstTop => {
                            let cache = code!().caches.get_unchecked(insn.c as usize);
                            if cache.current.get().is_some_and(|e| e.get() == cache.epoch.get()) {
                                r!(insn.a) = cache.value.get();
                            } else {
                                let name = *code!().names.get_unchecked(insn.b as usize);
                                r!(insn.a) =
                                    tri!('fail, self.const_from_cached(self.classes().object.get(), name, cache));
                            }
                        }
                        Op::SetConst => {
                            let name = code!().names[insn.c as usize];
                            tri!('fail, self.set_const_checked(r!(insn.b), name, r!(insn.a)));
                        }
                        Op::LoadCref => r!(insn.a) = tri!('fail, self.const_target((*frame).cref)),
                        Op::LoadObject => r!(insn.a) = self.classes().object.get(),
                        Op::GetMatch => {
                            save!();
                            r!(insn.a) = self.get_match_part(*insn);
                        }
                        Op::SetErrInfo => self.errinfo = r!(insn.a),

                        Op::NewArray => {
                            save!();
                            r!(insn.a) = self.array_from(base.add(insn.b as usize), insn.c as usize);
                        }
                        Op::NewHash => {
                            let hash = tri!('fail, self.hash_from(base.add(insn.b as usize), insn.c as usize));
                            r!(insn.a) = hash;
                        }
                        Op::ArrayPush => {
                            save!();
                            self.array_push_all(r!(insn.a), base.add(insn.b as usize), insn.c as usize);
                        }
                        Op::ArrayConcat => {
                            race!(self.race_spread(r!(insn.b)));
                            tri!('fail, self.array_concat_splat(r!(insn.a), r!(insn.b)));
                        }
                        Op::SplatArray => {
                            race!(self.race_spread(r!(insn.b)));
                            let array = tri!('fail, self.splat_array(r!(insn.b), insn.x != 0));
                            r!(insn.a) = array;
                        }
                        Op::HashStore => {
                            tri!('fail, self.hash_store_all(r!(insn.a), base.add(insn.b as usize), insn.c as usize))
                        }
                        Op::HashMerge => tri!('fail, self.hash_merge_op(r!(insn.a), r!(insn.b), insn.x)),
                        Op::NewRange => {
                            let range = tri!('fail, self.new_range_checked(r!(insn.b), r!(insn.c), insn.x != 0));
                            r!(insn.a) = range;
                        }
                        Op::StrCat => {
                            let encoding = code!().iseq.script.encoding;
                            let string =
                                tri!('fail, self.interpolated(base.add(insn.b as usize), insn.c as usize, encoding));
                            r!(insn.a) = string;
                        }
                        Op::ToStr => {
                            let value = r!(insn.b);
                            let ext = &*pc;
                            pc = pc.add(1);
                            // StrCat writes the digits of a fixnum by itself.
                            if value.has_tag(Tag::String)
                                || (value.is_fixnum() && self.vm().redefined.get() & basic_op::INTEGER_TO_S == 0)
                            {
                                r!(insn.a) = value;
                            } else {
                                invoked!('fail, insn.a, self.to_str_slow(value, ext.a, insn.a));
                            }
                        }
                        Op::Intern => {
                            let symbol = tri!('fail, self.intern_string(r!(insn.b)));
                            r!(insn.a) = symbol;
                        }
                        Op::NewRegexp => {
                            let (parts, encoding) = (base.add(insn.b as usize), code!().iseq.script.encoding);
                            let regexp = tri!('fail, self.dynamic_regexp(parts, insn.c as usize, insn.x, encoding));
                            r!(insn.a) = regexp;
                        }
                        Op::Once => {
                            let ext = &*pc;
                            pc = pc.add(1);
                            let cache = &code!().caches[insn.b as usize];
                            let claimed = cache.value.get().is_undef() && tri!('fail, self.claim_once(cache));
                            let cached = cache.value.get();
                            r!(insn.c) = Value::from_bool(claimed);
                            if !cached.is_undef() {
                                r!(insn.a) = cached;
                                jump!(ext);
                            }
                        }
                        Op::OnceSet => {
                            if r!(insn.c).truthy() {
                                self.settle_once(code!().cell.get(), &code!().caches[insn.b as usize], r!(insn.a));
                            }
                        }
                        Op::ExpandArray => {
                            race!(self.race_spread(r!(insn.a)));
                            let to = base.add(insn.b as usize);
                            tri!('fail, self.expand_array(r!(insn.a), to, insn.c as usize, insn.x));
                        }

                        Op::Jump => pc = pc.offset(insn.bc() as isize),
                        Op::JumpIf => {
                            if r!(insn.a).truthy() {
                                jump!(insn);
                            }
                        }
                        Op::JumpUnless => {
                            if !r!(insn.a).truthy() {
                                jump!(insn);
                            }
                        }
                        Op::JumpNil => {
                            if r!(insn.a).is_nil() {
                                jump!(insn);
                            }
                        }
                        Op::JumpNotNil => {
                            if !r!(insn.a).is_nil() {
                                jump!(insn);
                            }
                        }
                        Op::JumpGiven => {
                            if !r!(insn.a).is_undef() {
                                jump!(insn);
                            }
                        }
                        Op::Loop => {
                            let slot = insn.a as usize;
                            pc = pc.offset(insn.bc() as isize);
                            poll!('fail);
                            if slot != 0 {
                                compiled!('fail, self.compiled_entry((*frame).code, slot, frame));
                            }
                        }

                        Op::Return => {
                            let value = r!(insn.a);
                            if MODE == loop_mode::TRACED {
                                tri!('fail, self.trace_return(frame, value));
                            }
                            let flags = (*frame).flags;
                            const SPECIAL: u16 = frame_flags::FINISH
                                | frame_flags::BRANCH
                                | frame_flags::NEW
                                | frame_flags::DISCARD
                                | frame_flags::TO_STR;
                            if flags & SPECIAL == 0 {
                                let dst = (*frame).dst;
                                frame = frame.sub(1);
                                self.frame = frame;
                                pc = (*frame).pc;
                                base = (*frame).base;
                                r!(dst) = value;
                            } else if let Some(value) = self.return_special(value) {
                                return Ok(value);
                            } else {
                                load!();
                            }
                        }
                        Op::ReturnFar => {
                            save!();
                            self.begin_return(r!(insn.a));
                            break 'fail;
                        }
                        Op::Break => {
                            save!();
                            self.begin_break(r!(insn.a), insn.x == 1);
                            break 'fail;
                        }
                        Op::Rethrow => {
                            save!();
                            let value = r!(insn.a);
                            self.rethrow(value);
                            break 'fail;
                        }

                        Op::Call => {
                            let site = code!().sites.get_unchecked(insn.c as usize);
                            let window = base.add(insn.b as usize);
                            let klass = self.class_of(*window);
                            if MODE == loop_mode::TRACED {
                                invoked!('fail, insn.a, self.call_site_lookup(frame, site, window, insn.a));
                            } else if site.klass.get() == klass && site.is_current(self) {
                                match site.target.get() {
                                    Target::SimpleCode => {
                                        save!();
                                        let callee = &*site.direct.get().cast::<CodeData>();
                                        let block = if site.flags & site_flags::BLOCK_ARG == 0 && site.block == 0 {
                                            Value::NIL
                                        } else {
                                            tri!('fail, self.site_block(frame, site, window))
                                        };
                                        if self.check_room(window, callee).is_err() {
                                            break 'fail;
                                        }
                                        let method = site.method.get();
                                        let cref = site.cref.get();
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
                                        frame = new;
                                        pc = (*frame).pc;
                                        base = window;
                                        poll!('fail);
                                        compiled!('fail, self.compiled_entry((*frame).code, 0, frame));
                                    }
                                    Target::Leaf => {
                                        let function: NativeFn =
                                            std::mem::transmute::<*const (), NativeFn>(site.direct.get());
                                        let args = Args::new(window.add(1), site.argc as usize, false, Value::NIL);
                                        r!(insn.a) = tri!('fail, function(self, *window, args));
                                    }
                                    Target::Native => {
                                        save!();
                                        let block = if site.flags & site_flags::BLOCK_ARG == 0 && site.block == 0 {
                                            Value::NIL
                                        } else {
                                            tri!('fail, self.site_block(frame, site, window))
                                        };
                                        let function: NativeFn =
                                            std::mem::transmute::<*const (), NativeFn>(site.direct.get());
                                        self.sp = base.add(code!().register_count as usize);
                                        match self.run_native::<false>(
                                            window,
                                            site.method(),
                                            site.pos.get(),
                                            function,
                                            site.argc as usize,
                                            false,
                                            Value::NIL,
                                            block,
                                        ) {
                                            Ok(value) => r!(insn.a) = value,
                                            Err(Unwind) => break 'fail,
                                        }
                                    }
                                    Target::Placed => {
                                        tri!('fail, self.call_placed(frame, site, window, insn.a));
                                        load!();
                                        poll!('fail);
                                        compiled!('fail, self.compiled_start(frame));
                                    }
                                    Target::AttrReader => {
                                        let me = *window;
                                        race!(self.race_accessor(me, site.method().body()));
                                        r!(insn.a) = tri!('fail, self.attr_get(me, site));
                                    }
                                    Target::AttrWriter => {
                                        let (me, value) = (*window, *window.add(1));
                                        race!(self.race_accessor(me, site.method().body()));
                                        tri!('fail, self.attr_set(me, site, value));
                                        r!(insn.a) = value;
                                    }
                                    _ => {
                                        invoked!('fail, insn.a, self.call_site(frame, site, window, insn.a));
                                    }
                                }
                            } else {
                                invoked!('fail, insn.a, self.call_site_miss(frame, site, window, insn.a));
                            }
                        }
                        Op::Primitive => {
                            let site = code!().sites.get_unchecked(insn.c as usize);
                            let window = base.add(insn.b as usize);
                            let recv = *window;
                            race!(self.race_primitive(site, window, recv, None));
                            match site.target.get() {
                                Target::Leaf => {
                                    let function: NativeFn =
                                        std::mem::transmute::<*const (), NativeFn>(site.direct.get());
                                    let args = Args::new(window.add(1), site.argc as usize, false, Value::NIL);
                                    r!(insn.a) = tri!('fail, function(self, *window, args));
                                }
                                Target::Native => {
                                    save!();
                                    let block = if site.flags & site_flags::BLOCK_ARG == 0 && site.block == 0 {
                                        Value::NIL
                                    } else {
                                        tri!('fail, self.site_block(frame, site, window))
                                    };
                                    let function: NativeFn =
                                        std::mem::transmute::<*const (), NativeFn>(site.direct.get());
                                    self.sp = base.add(code!().register_count as usize);
                                    let argc = site.argc as usize;
                                    match self.run_native::<false>(
                                        window,
                                        site.method(),
                                        0,
                                        function,
                                        argc,
                                        false,
                                        Value::NIL,
                                        block,
                                    ) {
                                        Ok(value) => r!(insn.a) = value,
                                        Err(Unwind) => break 'fail,
                                    }
                                }
                                _ => r!(insn.a) = tri!('fail, self.call_primitive(frame, site, window)),
                            }
                            race!(self.race_primitive(site, window, recv, Some(r!(insn.a))));
                        }
                        Op::Super => {
                            let site = code!().sites.get_unchecked(insn.c as usize);
                            let window = base.add(insn.b as usize);
                            invoked!('fail, insn.a, self.call_super_site(frame, site, window, insn.a));
                        }
                        Op::Yield => {
                            let site = code!().sites.get_unchecked(insn.c as usize);
                            invoked!('fail, insn.a, self.yield_site(frame, site, base.add(insn.b as usize), insn.a));
                        }
                        Op::GetBlock => {
                            save!();
                            r!(insn.a) = self.method_block(frame, insn.x != 0);
                        }
                        Op::Lambda => {
                            save!();
                            let child = code!().child(self, insn.b as usize);
                            r!(insn.a) = self.make_lambda(frame, child);
                        }

                        // One tag bit is taken off, so the words add up to a tagged sum.
                        Op::Add => arithmetic!('fail, insn, |a, b| {
                            (a.bits() as i64).checked_add((b.bits() - 1) as i64).map(|w| Value::from_bits(w as u64))
                        }, +),
                        Op::Sub => arithmetic!('fail, insn, |a, b| {
                            (a.bits() as i64).checked_sub((b.bits() - 1) as i64).map(|w| Value::from_bits(w as u64))
                        }, -),
                        Op::Mul => arithmetic!('fail, insn, |a, b| {
                            a.as_fixnum_unchecked().checked_mul(b.as_fixnum_unchecked()).and_then(Value::try_fixnum)
                        }, *),
                        Op::Div => binary!('fail, insn, |a: Value, b: Value| {
                            if int_ok!(a, b) && b.bits() != 1 {
                                ops::floor_div(a.as_fixnum_unchecked(), b.as_fixnum_unchecked())
                            } else if float_pair!(a, b) {
                                Value::try_flonum(a.as_flonum_unchecked() / b.as_flonum_unchecked())
                            } else {
                                None
                            }
                        }),
                        Op::Mod => binary!('fail, insn, |a: Value, b: Value| {
                            (int_ok!(a, b) && b.bits() != 1)
                                .then(|| ops::floor_mod(a.as_fixnum_unchecked(), b.as_fixnum_unchecked()))
                        }),
                        Op::And => arithmetic!('fail, insn, |a, b| Some(Value::from_bits(a.bits() & b.bits()))),
                        Op::Or => arithmetic!('fail, insn, |a, b| Some(Value::from_bits(a.bits() | b.bits()))),
                        Op::Xor => arithmetic!('fail, insn, |a, b| Some(Value::from_bits((a.bits() ^ b.bits()) | 1))),
                        Op::Shl => {
                            race!(self.race_append(r!(insn.b)));
                            binary!('fail, insn, |a: Value, b: Value| if int_ok!(a, b) {
                                ops::shift_left(a.as_fixnum_unchecked(), b.as_fixnum_unchecked())
                            } else if self.fast_append(a, b) {
                                Some(a)
                            } else {
                                None
                            })
                        }
                        Op::Shr => binary!('fail, insn, |a: Value, b: Value| {
                            (int_ok!(a, b) && b.as_fixnum_unchecked() >= 0)
                                .then(|| Value::fixnum(a.as_fixnum_unchecked() >> b.as_fixnum_unchecked().min(63)))
                        }),
                        Op::AddInt | Op::SubInt => {
                            let lhs = r!(insn.b);
                            let ext = &*pc;
                            pc = pc.add(1);
                            let n = insn.c as i16 as i64;
                            let n = if insn.op == Op::AddInt { n } else { -n };
                            if lhs.is_fixnum() && self.vm().redefined.get() & basic_op::INTEGER == 0 {
                                if let Some(sum) = (lhs.bits() as i64).checked_add(n << 1) {
                                    r!(insn.a) = Value::from_bits(sum as u64);
                                    continue 'dispatch;
                                }
                            } else if lhs.is_flonum()
                                && self.vm().redefined.get() & basic_op::FLOAT == 0
                                && let Some(sum) = Value::try_flonum(lhs.as_flonum_unchecked() + n as f64)
                            {
                                r!(insn.a) = sum;
                                continue 'dispatch;
                            }
                            save!();
                            let rhs = Value::fixnum(insn.c as i16 as i64);
                            let op = if insn.op == Op::AddInt { Op::Add } else { Op::Sub };
                            match self.binary_slow(op, lhs, rhs, ext.a, insn.a) {
                                Ok(Invoked::Value(value)) => r!(insn.a) = value,
                                Ok(Invoked::Frame) => {
                                    load!();
                                }
                                Err(Unwind) => break 'fail,
                            }
                        }
                        Op::Eq => binary!('fail, insn, |a: Value, b: Value| {
                            if int_ok!(a, b) || float_pair!(a, b) {
                                Some(Value::from_bool(a == b))
                            } else {
                                self.fast_equal(a, b).map(Value::from_bool)
                            }
                        }),
                        Op::Neq => binary!('fail, insn, |a: Value, b: Value| {
                            if int_ok!(a, b) || float_pair!(a, b) {
                                Some(Value::from_bool(a != b))
                            } else {
                                self.fast_equal(a, b).map(|equal| Value::from_bool(!equal))
                            }
                        }),
                        Op::Lt => order!('fail, insn, <),
                        Op::Le => order!('fail, insn, <=),
                        Op::Gt => order!('fail, insn, >),
                        Op::Ge => order!('fail, insn, >=),
                        Op::Not => {
                            let value = r!(insn.b);
                            let ext = &*pc;
                            pc = pc.add(1);
                            if value.is_immediate()
                                && self.vm().redefined.get() & (basic_op::SPECIAL | basic_op::INTEGER) == 0
                            {
                                r!(insn.a) = Value::from_bool(!value.truthy());
                            } else {
                                invoked!('fail, insn.a, self.unary_slow(value, ext.a, insn.a));
                            }
                        }
                        Op::Neg => {
                            let value = r!(insn.b);
                            let ext = &*pc;
                            pc = pc.add(1);
                            if value.is_fixnum()
                                && value.as_fixnum_unchecked() != FIXNUM_MIN
                                && self.vm().redefined.get() & basic_op::INTEGER == 0
                            {
                                r!(insn.a) = Value::fixnum(-value.as_fixnum_unchecked());
                            } else {
                                invoked!('fail, insn.a, self.unary_slow(value, ext.a, insn.a));
                            }
                        }
                        Op::SelfLen => {
                            race!(self.race_spread(r!(0)));
                            r!(insn.a) = match Array::try_of(r!(0)) {
                                Some(list) => Value::fixnum(list.len() as i64),
                                None => {
                                    save!();
                                    tri!('fail, self.len_of_other(r!(0)))
                                }
                            };
                        }
                        Op::SelfAt => {
                            race!(self.race_self_at(r!(0), r!(insn.b)));
                            let at = r!(insn.b).as_fixnum().unwrap_or(-1) as usize;
                            r!(insn.a) = Array::try_of(r!(0)).and_then(|list| list.get(at)).unwrap_or(Value::NIL);
                        }
                        Op::ARef => {
                            let (recv, index) = (r!(insn.b), r!(insn.c));
                            race!(self.race_aref(recv, index));
                            let ext = &*pc;
                            pc = pc.add(1);
                            // A literal key is no key of a Hash that compares by identity.
                            let fresh = insn.x != 0 && Hash::try_of(recv).is_some_and(Hash::is_identity);
                            if let Some(value) = if fresh { None } else { self.fast_aref(recv, index) } {
                                r!(insn.a) = value;
                            } else {
                                save!();
                                let index = if insn.x == 0 { index } else { self.fresh_string(index, insn.x & 2 != 0) };
                                match self.binary_slow(Op::ARef, recv, index, ext.a, insn.a) {
                                    Ok(Invoked::Value(value)) => r!(insn.a) = value,
                                    Ok(Invoked::Frame) => {
                                        load!();
                                    }
                                    Err(Unwind) => break 'fail,
                                }
                            }
                        }
                        Op::ASet => {
                            let (recv, index, value) = (r!(insn.a), r!(insn.b), r!(insn.c));
                            race!(self.race_aset(recv, index));
                            let ext = &*pc;
                            pc = pc.add(1);
                            save!();
                            match self.aset(recv, index, value, ext.a) {
                                Ok(Invoked::Value(_)) => {}
                                Ok(Invoked::Frame) => {
                                    load!();
                                }
                                Err(Unwind) => break 'fail,
                            }
                        }
                        Op::BrLt => compare_branch!('fail, 'dispatch, insn, <),
                        Op::BrLe => compare_branch!('fail, 'dispatch, insn, <=),
                        Op::BrGt => compare_branch!('fail, 'dispatch, insn, >),
                        Op::BrGe => compare_branch!('fail, 'dispatch, insn, >=),
                        Op::BrEq => compare_branch!('fail, 'dispatch, insn, ==, true),
                        Op::BrNeq => compare_branch!('fail, 'dispatch, insn, !=, true),
                        Op::BrWhen => {
                            let (lhs, rhs) = (code!().literal(insn.a as usize), r!(insn.b));
                            if insn.c != 0
                                && let Some(target) = self.case_target(code!(), pc.sub(1), rhs)
                            {
                                pc = target;
                                continue 'dispatch;
                            }
                            let ext = &*pc;
                            pc = pc.add(1);
                            let truth = if int_ok!(lhs, rhs)
                                || lhs.is_unique()
                                    && self.vm().redefined.get() & (basic_op::SYMBOL | basic_op::SPECIAL) == 0
                            {
                                lhs == rhs
                            } else {
                                save!();
                                match self.branch_slow(Op::BrEq, lhs, rhs, ext.a) {
                                    Ok(Invoked::Value(value)) => value.truthy(),
                                    Ok(Invoked::Frame) => {
                                        load!();
                                        continue 'dispatch;
                                    }
                                    Err(Unwind) => break 'fail,
                                }
                            };
                            if truth == (insn.x & 1 != 0) {
                                jump!(ext);
                            }
                        }

                        Op::DefMethod => {
                            let child = code!().method_child(self, insn.c as usize);
                            let name = code!().names[insn.b as usize];
                            r!(insn.a) = tri!('fail, self.define_method(frame, name, child));
                        }
                        Op::DefSingleton => {
                            let child = code!().method_child(self, insn.c as usize);
                            let name = code!().names[insn.b as usize];
                            r!(insn.a) = tri!('fail, self.define_singleton(frame, r!(insn.a), name, child));
                        }
                        Op::DefClass => {
                            let name = code!().names[insn.b as usize];
                            let class = tri!('fail, self.open_class(frame, r!(insn.a), r!(insn.a + 1), name, insn.x));
                            let child = code!().child(self, insn.c as usize);
                            tri!('fail, self.push_class_body(frame, class, child, insn.a));
                            load!();
                        }
                        Op::SClass => {
                            let class = tri!('fail, self.open_singleton(r!(insn.a)));
                            let child = code!().child(self, insn.b as usize);
                            tri!('fail, self.push_class_body(frame, class, child, insn.a));
                            load!();
                        }
                        Op::Alias => tri!('fail, self.alias_in_scope(frame, r!(insn.a), r!(insn.b))),
                        Op::AliasGlobal => {
                            let (new, old) = (code!().names[insn.a as usize], code!().names[insn.b as usize]);
                            self.alias_global(new, old);
                        }
                        Op::Undef => tri!('fail, self.undef_in_scope(frame, r!(insn.a))),
                        Op::Defined => r!(insn.a) = tri!('fail, self.defined_check(frame, *insn)),
                        Op::Intrinsic => {
                            save!();
                            self.sp = base.add(code!().register_count as usize);
                            let value = tri!('fail, self.intrinsic(frame, *insn));
                            r!(insn.a) = value;
                        }
                    }
                    continue 'dispatch;
                }
                // An exit is pending: find who takes it.
                match self.unwind_to(entry) {
                    unwinding::Landing::Continue => {
                        load!();
                    }
                    unwinding::Landing::Return(value) => return Ok(value),
                    unwinding::Landing::Leave => return Err(Unwind),
                }
            }
        }
    }
}

const _: () = assert!(FIXNUM_MAX > 0 && FIXNUM_MIN < 0);

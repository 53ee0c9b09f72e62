//! The race detector's functions for compiled code. In front of an access to a variable, compiled code asks whether the
//! access tells the detector anything new; the question needs no frames and writes nothing. Only if it does, the frame
//! is made and the access is told from where the frame stands. The variable's name, and whether the code is the
//! program's, are known when the code is made.

use super::{Kind, Part};
use crate::class::NativeFn;
use crate::code::CodeData;
use crate::ctx::Ctx;
use crate::frame::Frame;
use crate::jit::{EXIT, guarded, step};
use crate::object::{Array, Hash, fast_hash};
use rubellite_bytecode::{Insn, Op};
use rubellite_value::{Sym, Tag, Value};

/// A variable by name and how it is accessed, in one word.
#[must_use]
pub fn named_access(name: u32, kind: Kind) -> u64 {
    u64::from(name) << 8 | kind as u64
}

fn of_access(access: u64) -> (u32, Kind) {
    ((access >> 8) as u32, Kind::of_number(access))
}

impl Ctx {
    /// What an observed native method does, where all that is told of it is that it accesses its receiver as a whole.
    #[must_use]
    pub fn observed_whole(&self, method: Value) -> Option<(NativeFn, Kind)> {
        let observed = self.races()?.observed.get(&method.bits())?;
        observed.observer.whole.map(|kind| (observed.function, kind))
    }

    /// Whether a primitive is observed, and if it accesses its first operand as a whole and no more is told, how.
    #[must_use]
    pub fn observed_primitive(&self, method: Value) -> Option<Option<Kind>> {
        self.races()?.primitives.get(&method.bits()).map(|observer| observer.whole)
    }

    /// Whether the access to a container as a whole tells nothing new.
    #[inline(always)]
    fn knows_whole(&self, object: Value, kind: Kind) -> bool {
        let Some(header) = object.header() else { return true };
        if header.frozen() && matches!(kind, Kind::AllRead | Kind::SizeRead) {
            return true;
        }
        header.tag() != Tag::Object && self.knows(object, |record, slot, now| record.whole().is_known(slot, now, kind))
    }

    fn knows_entry(&mut self, hash: Value, key: Value, writes: bool) -> bool {
        let (kind, of_container) =
            if writes { (Kind::Write, Kind::ElementWrite) } else { (Kind::Read, Kind::ElementRead) };
        let Some(number) = (if key.as_fixnum().is_some() { Some(key.bits()) } else { self.number_of_plain_key(key) })
        else {
            return false;
        };
        let Some(races) = self.races() else { return true };
        if !races.concurrent {
            return true;
        }
        let (slot, variable) =
            (self.thread.race_slot.get(), super::Variable { object: hash.bits(), part: Part::Element(number) });
        let Some(now) = races.now.get(slot as usize).copied().filter(|_| races.watcher.is_none()) else { return false };
        let told = races.shadow.get(hash.bits()).is_some_and(|record| record.whole().is_known(slot, now, of_container))
            && races.variables.get(&variable).is_some_and(|accesses| accesses.is_known(slot, now, kind));
        // A new key adds an entry.
        told && (!writes
            || fast_hash(self, key).is_some()
                && Hash::try_of(hash).is_some_and(|table| table.contains(self, key).unwrap_or(false)))
    }

    /// Of a key that is asked nothing.
    fn number_of_plain_key(&self, key: Value) -> Option<u64> {
        (!key.is_nil() && fast_hash(self, key).is_some()).then(|| self.key_number(key))
    }
}

/// Whether an access to an instance variable of an object, or to a slot of an environment, tells nothing new. `access`:
/// see `named_access`.
///
/// # Safety
/// The context is the running thread's, the word that of a value.
pub unsafe extern "C" fn race_knows_named(ctx: *mut Ctx, object: u64, access: u64) -> u64 {
    // SAFETY: by contract.
    let (ctx, object) = unsafe { (&*ctx, Value::from_bits(object)) };
    let (name, kind) = of_access(access);
    let known = match object.header() {
        Some(header) if matches!(header.tag(), Tag::Object | Tag::Env) => ctx.knows_named(object, name, kind),
        Some(header) => header.frozen(),
        None => true,
    };
    u64::from(known)
}

/// Whether an access to an element of an Array or a Hash tells nothing new; what is neither has none.
///
/// # Safety
/// As for `race_knows_named`.
pub unsafe extern "C" fn race_knows_element(ctx: *mut Ctx, recv: u64, index: u64, writes: u64) -> u64 {
    // SAFETY: by contract.
    let (ctx, recv, index, writes) =
        unsafe { (&mut *ctx, Value::from_bits(recv), Value::from_bits(index), writes != 0) };
    let Some(header) = recv.header() else { return 1 };
    let known = match header.tag() {
        Tag::Array | Tag::Hash if header.frozen() && !writes => true,
        Tag::Array => match index.as_fixnum() {
            Some(at) if (0..Array::known(recv).len() as i64).contains(&at) => {
                let (kind, whole) =
                    if writes { (Kind::Write, Kind::ElementWrite) } else { (Kind::Read, Kind::ElementRead) };
                ctx.knows_element(recv, at as usize, kind, whole)
            }
            _ => false,
        },
        Tag::Hash => ctx.knows_entry(recv, index, writes),
        _ => true,
    };
    u64::from(known)
}

/// Whether an access to a container as a whole tells nothing new.
///
/// # Safety
/// As for `race_knows_named`.
pub unsafe extern "C" fn race_knows_whole(ctx: *mut Ctx, object: u64, kind: u64) -> u64 {
    // SAFETY: by contract.
    unsafe { u64::from((*ctx).knows_whole(Value::from_bits(object), Kind::of_number(kind))) }
}

/// The same of an access to an Array as a whole by an instruction, which means something else for other operands.
///
/// # Safety
/// As for `race_knows_named`.
pub unsafe extern "C" fn race_knows_array(ctx: *mut Ctx, object: u64, kind: u64) -> u64 {
    // SAFETY: by contract.
    unsafe { if Value::from_bits(object).has_tag(Tag::Array) { race_knows_whole(ctx, object, kind) } else { 1 } }
}

/// Tells of what `race_knows_named` did not know.
///
/// # Safety
/// As for `jit::step`.
pub unsafe extern "C" fn race_tell_named(ctx: *mut Ctx, frame: *mut Frame, object: u64, access: u64) -> u64 {
    // SAFETY: by contract.
    let (ctx, object) = unsafe { (&mut *ctx, Value::from_bits(object)) };
    ctx.frame = frame;
    let (name, kind) = of_access(access);
    guarded(ctx, |ctx| {
        if object.has_tag(Tag::Env) {
            ctx.race_access(object, Part::Local(name), kind);
        } else if object.header().is_some_and(|header| !header.frozen()) {
            ctx.race_access(object, Part::Ivar(Sym(name)), kind);
        }
        Ok(Value::NIL)
    })
}

/// Tells of what `race_knows_element` did not know.
///
/// # Safety
/// As for `jit::step`.
pub unsafe extern "C" fn race_tell_element(
    ctx: *mut Ctx,
    frame: *mut Frame,
    recv: u64,
    index: u64,
    writes: u64,
) -> u64 {
    // SAFETY: by contract.
    let (ctx, recv, index) = unsafe { (&mut *ctx, Value::from_bits(recv), Value::from_bits(index)) };
    ctx.frame = frame;
    guarded(ctx, |ctx| {
        if writes != 0 {
            ctx.race_aset_of(recv, index)
        } else {
            ctx.race_aref_of(recv, index)
        }
        Ok(Value::NIL)
    })
}

/// Tells of what `race_knows_whole` did not know.
///
/// # Safety
/// As for `jit::step`.
pub unsafe extern "C" fn race_tell_whole(ctx: *mut Ctx, frame: *mut Frame, object: u64, kind: u64) -> u64 {
    // SAFETY: by contract.
    let (ctx, object) = unsafe { (&mut *ctx, Value::from_bits(object)) };
    ctx.frame = frame;
    guarded(ctx, |ctx| {
        ctx.race_whole(object, Kind::of_number(kind));
        Ok(Value::NIL)
    })
}

/// Runs an instruction that accesses a global or class variable, or a primitive that is observed, and tells of it.
///
/// # Safety
/// As for `jit::step`.
pub unsafe extern "C" fn race_step(ctx: *mut Ctx, frame: *mut Frame, insn: *const Insn) -> u64 {
    // SAFETY: by contract; operands lie within the frame's registers and tables.
    unsafe {
        let (insn, code): (&Insn, &CodeData) = (&*insn, &*(*frame).code);
        let of_primitive = (insn.op == Op::Primitive).then(|| {
            let window = (*frame).base.add(insn.b as usize);
            (&code.sites[insn.c as usize], window, *window)
        });
        (*ctx).frame = frame;
        let told = guarded(&mut *ctx, |ctx| {
            match of_primitive {
                Some((site, window, recv)) => ctx.race_primitive(site, window, recv, None),
                None => ctx.race_variable(frame, insn.op, code.names[insn.b as usize]),
            }
            Ok(Value::NIL)
        });
        let word = if told == EXIT { EXIT } else { step(ctx, frame, insn) };
        match of_primitive {
            Some((site, window, recv)) if word != EXIT => guarded(&mut *ctx, |ctx| {
                let result = Value::from_bits(word);
                ctx.race_primitive(site, window, recv, Some(result));
                Ok(std::hint::black_box(result))
            }),
            _ => word,
        }
    }
}

//! Offsets and bits that machine code needs to know: where fields lie in the context, in frames, arrays, strings and
//! other objects. The compiler (crate `jit`) reads them from here, so that a change of a layout changes the code.

use crate::class::Class;
use crate::code::CodeData;
use crate::ctx::Ctx;
use crate::frame::Frame;
use crate::method::{MethodBody, Visibility};
use crate::object::members::record_info;
use crate::object::{Array, Object, RArray, REnv, RString, Struct};
use crate::vm::basic_op;
use rubellite_value::{Sym, Tag, Value, flags};
use std::cell::Cell;
use std::mem::offset_of;

/// Operators of these classes are the built-in ones while compiled code runs.
pub const ASSUMED: u32 = basic_op::INTEGER
    | basic_op::FLOAT
    | basic_op::STRING
    | basic_op::ARRAY
    | basic_op::HASH
    | basic_op::SYMBOL
    | basic_op::SPECIAL
    | basic_op::STRING_FREEZE;

/// Offsets in the context.
pub mod ctx {
    use super::*;
    pub const INTERRUPT: i32 = offset_of!(Ctx, interrupt) as i32;
    pub const FRAME: i32 = offset_of!(Ctx, frame) as i32;
    pub const VALUES_LIMIT: i32 = offset_of!(Ctx, values_limit) as i32;
    pub const FRAMES_LIMIT: i32 = offset_of!(Ctx, frames_limit) as i32;
    pub const NATIVE_LIMIT: i32 = offset_of!(Ctx, native_limit) as i32;
}

/// Offsets in a frame, and its size.
pub mod frame {
    use super::*;
    pub const PC: i32 = offset_of!(Frame, pc) as i32;
    pub const BASE: i32 = offset_of!(Frame, base) as i32;
    pub const CODE: i32 = offset_of!(Frame, code) as i32;
    pub const ENV: i32 = offset_of!(Frame, env) as i32;
    pub const BLOCK: i32 = offset_of!(Frame, block) as i32;
    pub const METHOD: i32 = offset_of!(Frame, method) as i32;
    pub const CREF: i32 = offset_of!(Frame, cref) as i32;
    pub const ID: i32 = offset_of!(Frame, id) as i32;
    pub const BLOCK_CODE: i32 = offset_of!(Frame, block_code) as i32;
    pub const SVAR: i32 = offset_of!(Frame, svar) as i32;
    /// `pos`, `dst` and `flags` are one word, lowest first.
    pub const POS_DST_FLAGS: i32 = offset_of!(Frame, pos) as i32;
    pub const FLAGS: i32 = offset_of!(Frame, flags) as i32;
    pub const SIZE: i64 = size_of::<Frame>() as i64;
}

const _: () = assert!(
    frame::POS_DST_FLAGS % 8 == 0
        && offset_of!(Frame, dst) as i32 == frame::POS_DST_FLAGS + 4
        && frame::FLAGS == frame::POS_DST_FLAGS + 6
);

// Compiled code fills these as neighbouring words.
const _: () = {
    use frame::{BLOCK, CODE, CREF, ENV, ID, METHOD, POS_DST_FLAGS, SVAR};
    let words = [CODE, ENV, BLOCK, METHOD, CREF, ID, SVAR, POS_DST_FLAGS];
    let mut i = 1;
    while i < words.len() {
        assert!(words[i] == words[i - 1] + 8);
        i += 1;
    }
};

/// What is added to the address of a frame for the handler of the literal block that it passes.
pub const FRAME_BLOCK: u64 = crate::frame::FRAME_BLOCK;

/// Offsets in objects. Their headers are a word of flags and the class.
pub mod object {
    use super::*;
    use crate::object::cow_buf::CowBuf;
    use crate::object::{Struct, hash};
    pub const CLASS: i32 = 8;
    pub const SLOTS: i32 = 16;
    pub const FLOAT: i32 = crate::object::float_offset() as i32;
    pub const ENV_PARENT: i32 = REnv::PARENT as i32;
    pub const ENV_SLOTS: i32 = REnv::SLOTS as i32;
    /// Of Arrays and Strings.
    pub const BUFFER_WORD: i32 = (RArray::BUFFER + CowBuf::<Value>::WORD) as i32;
    pub const BUFFER_REP: i32 = (RArray::BUFFER + CowBuf::<Value>::REP) as i32;
    const _: () = assert!(
        RString::BUFFER == RArray::BUFFER
            && CowBuf::<u8>::WORD == CowBuf::<Value>::WORD
            && CowBuf::<u8>::REP == CowBuf::<Value>::REP
    );
    /// Of Hashes, and of their entries.
    pub const HASH_ENTRIES: i32 = hash::place::ENTRIES as i32;
    pub const HASH_COUNT: i32 = hash::place::COUNT as i32;
    pub const ENTRY_KEY: i32 = hash::place::KEY as i32;
    pub const ENTRY_VALUE: i32 = hash::place::VALUE as i32;
    /// Bytes of an entry.
    pub const ENTRY_SIZE: i64 = hash::place::SIZE as i64;
    /// Of instances of Struct and Data classes.
    pub const STRUCT_SLOTS: i32 = Struct::SLOTS as i32;
    pub const ARRAY_OWNER: i32 = (RArray::BUFFER + CowBuf::<Value>::OWNER) as i32;
}

/// In a word of compiled code: something was defined, or an operator redefined, since what the code stands on was
/// looked at. The word is 0 otherwise.
pub const STALE: u64 = 1 << 63;

/// What the word's code stands on has been found to hold: the word is 0 until the next definition.
pub fn note_fresh(ctx: &Ctx, word: &'static Cell<u64>) {
    let vm = ctx.vm();
    word.set(0);
    let mut fresh = vm.fresh.take();
    fresh.push(word);
    vm.fresh.set(fresh);
}

/// Whether a program has redefined an operator that compiled code takes for the built-in one.
pub fn are_operators_redefined(ctx: &Ctx) -> bool {
    ctx.vm().redefined.get() & ASSUMED != 0
}

/// The inline slots that instances of a class have which are of a shape: if that has more variables the last one holds
/// an address.
pub fn expected_room(ctx: &Ctx, class: Value, shape: u32) -> Option<u16> {
    let room = Object::room(Class::try_of(class)?.data(ctx).ivar_hint as usize);
    // SAFETY: the lock is held; the borrow ends with the statement.
    let count = unsafe { ctx.vm().shapes.get() }.len(shape);
    Some(if count > room as usize { room - 1 } else { room })
}

/// The members of a Struct or Data class, and the header of its instances without shape and other flags than that of
/// slots outside the cell.
pub fn record(ctx: &Ctx, class: Value) -> Option<(Array, u64)> {
    let members = Array::try_of(record_info(ctx, Class::try_of(class)?)?.get(0)?)?;
    let count = members.len();
    let boxed = if count > Struct::INLINE_MAX { Struct::BOXED } else { 0 };
    Some((members, Tag::Struct as u64 | (count as u64) << flags::AUX_SHIFT | boxed))
}

/// The bits of a header that [`record`] names.
pub const RECORD_MASK: u64 = flags::TAG_MASK | flags::AUX_MASK | Struct::BOXED;

/// Whether the slots of instances with such a header lie outside the cell.
pub fn is_boxed(header: u64) -> bool {
    header & Struct::BOXED != 0
}

/// The registers of a live frame.
///
/// # Safety
/// The frame is live and runs code.
pub unsafe fn registers<'a>(frame: *mut Frame) -> &'a [Value] {
    // SAFETY: by contract.
    unsafe { std::slice::from_raw_parts((*frame).base, (&*(*frame).code).register_count as usize) }
}

/// Words of a stack, of which nothing but the tags is looked at.
pub type Words = Vec<Value>; // tidy: the stack holds them

/// Words of the value stack from the registers of a live frame on, also those that nobody uses now.
///
/// # Safety
/// The frame is live and belongs to the running fiber.
pub unsafe fn words_from(ctx: &Ctx, frame: *mut Frame, count: usize) -> Words {
    // SAFETY: by contract; the stack is mapped up to its limit.
    unsafe {
        let base = (*frame).base;
        let room = (ctx.values_limit as usize).saturating_sub(base as usize) / size_of::<Value>();
        std::slice::from_raw_parts(base, count.min(room)).to_vec()
    }
}

/// The lexical scope of a live frame.
///
/// # Safety
/// The frame is live.
pub unsafe fn scope(frame: *mut Frame) -> Value {
    // SAFETY: by contract.
    unsafe { (*frame).cref }
}

/// The code of the literal block that a live frame was given, if it was given one.
///
/// # Safety
/// The frame is live and runs code.
pub unsafe fn given_block<'a>(frame: *mut Frame) -> Option<&'a CodeData> {
    // SAFETY: a frame whose literal block is passed is suspended in the call that passes it.
    unsafe { crate::frame::as_frame_block((*frame).block).map(|home| &*(*home).block_code) }
}

/// The lexical scope of the code that a frame runs, and of the literal block that it was given.
///
/// # Safety
/// The frame is live and runs code.
pub unsafe fn scopes(frame: *mut Frame) -> (Value, Option<Value>) {
    // SAFETY: as for `given_block`.
    unsafe { ((*frame).cref, crate::frame::as_frame_block((*frame).block).map(|home| (*home).cref)) }
}

/// Whether there was ever a second ractor.
pub fn has_ractors(ctx: &Ctx) -> bool {
    ctx.vm().ractors.get()
}

/// The address of the byte that says whether there was ever a second ractor.
pub fn ractors_address(ctx: &Ctx) -> *const bool {
    ctx.vm().ractors.as_ptr()
}

impl Ctx {
    /// The counter of a method name, which changes when a method of the name is defined, and what it says now.
    pub fn method_counter(&self, name: Sym) -> (*const u32, u32) {
        let epoch = self.method_epoch_ref(name);
        (epoch.address(), epoch.get())
    }

    /// What `Kernel#respond_to?` says of instances of a class as long as the counters of the name and of
    /// `respond_to_missing?` stay. None: a method of the program decides, or refinements do.
    pub fn response(&self, class: Value, name: Sym) -> Option<bool> {
        if self.may_be_refined(name) || self.may_be_refined(self.names().respond_to_missing) {
            return None;
        }
        let class = Class::try_of(class)?;
        if let Some(method) = class.find_method(self, name).method
            && method.visibility() == Visibility::Public
            && !method.is_unimplemented()
        {
            return Some(true);
        }
        match class.find_method(self, self.names().respond_to_missing).method {
            Some(method) if !matches!(method.body(), MethodBody::Native { .. }) => None,
            _ => Some(false),
        }
    }

    /// The slot of an instance variable in objects of a shape, and the shape after it was written. None: they do not
    /// have it.
    pub fn variable_place(&mut self, shape: u32, name: Sym, write: bool) -> (Option<usize>, u32) {
        // SAFETY: the lock is held; the borrow ends with the function, which runs nothing else.
        let shapes = unsafe { self.vm().shapes.get_mut() };
        match shapes.slot(shape, name) {
            None if write => (Some(shapes.len(shape)), shapes.with(shape, name)),
            slot => (slot, shape),
        }
    }
}

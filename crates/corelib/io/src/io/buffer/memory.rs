//! IO::Buffer: the memory behind a buffer, and how its bytes are reached.
//!
//! A slice does not point into its parent: it remembers a range and the parent's version, which changes whenever the
//! parent's memory goes or moves. A buffer on a String asks the String each time; a slice of one on a frozen String
//! lies on that itself. So no pointer outlives its memory, and bytes are only touched while nothing else runs (`with`,
//! `with_mut`).

use rubellite_core_object::errno;
use rubellite_vm::object::{Data, NativeData, Str};
use rubellite_vm::{Ctx, Result, Unwind, Value};
use std::cell::{Cell, RefCell};

pub const EXTERNAL: u32 = 1;
pub const INTERNAL: u32 = 2;
pub const MAPPED: u32 = 4;
pub const SHARED: u32 = 8;
pub const LOCKED: u32 = 32;
pub const PRIVATE: u32 = 64;
pub const READONLY: u32 = 128;
pub const FILE: u32 = 256;
/// The flags that programs may give.
pub const GIVEN: u32 = EXTERNAL | INTERNAL | MAPPED | SHARED | LOCKED | PRIVATE | READONLY;
pub const PAGE_SIZE: usize = 4096;
pub const DEFAULT_SIZE: usize = 64 * 1024;

/// Where the bytes lie.
#[derive(Default)]
pub enum Memory {
    #[default]
    Null,
    Owned(Vec<u8>),
    Mapped(Mapping),
    /// Memory of somebody else, who keeps it as long as the buffer lies on it.
    External(*mut u8, usize),
    /// A String object, which is frozen or locked as long as the buffer lies on it.
    Text(Str),
    /// A range of a String that is frozen.
    TextPart {
        text: Str,
        from: usize,
        len: usize,
    },
    /// A range of another buffer, as long as that has this version.
    Slice {
        parent: Value,
        version: u32,
        from: usize,
        len: usize,
    },
}

/// Pages of our own, unmapped when dropped.
pub struct Mapping {
    base: *mut u8,
    len: usize,
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the pages were mapped by `Mapping::new` with this length; nobody points into them any more.
        unsafe { libc::munmap(self.base.cast(), self.len) };
    }
}

impl Mapping {
    /// mmap(2) of a file, or of fresh memory (`fd` -1): errno when the system refuses.
    pub fn new(len: usize, protection: i32, flags: i32, fd: i32, offset: i64) -> std::result::Result<Mapping, i32> {
        // SAFETY: a fresh mapping at an address that the system chooses.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), len, protection, flags, fd, offset) };
        if base == libc::MAP_FAILED { Err(errno::last()) } else { Ok(Mapping { base: base.cast(), len }) }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Takes over the bytes of another one, as far as there is room.
    pub fn copy_from(&mut self, other: &Mapping) {
        // SAFETY: both mappings are live and do not overlap.
        unsafe { std::ptr::copy_nonoverlapping(other.base, self.base, self.len.min(other.len)) };
    }

    /// Grows or shrinks it; it may move.
    pub fn resize(&mut self, len: usize) -> std::result::Result<(), i32> {
        // SAFETY: the mapping is ours and nobody points into it.
        let base = unsafe { libc::mremap(self.base.cast(), self.len, len, libc::MREMAP_MAYMOVE) };
        if base == libc::MAP_FAILED {
            return Err(errno::last());
        }
        (self.base, self.len) = (base.cast(), len);
        Ok(())
    }
}

/// The state of an IO::Buffer.
#[derive(Default)]
pub struct Buffer {
    pub memory: RefCell<Memory>,
    pub flags: Cell<u32>,
    pub version: Cell<u32>,
}

impl NativeData for Buffer {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        match &*self.memory.borrow() {
            Memory::Text(text) | Memory::TextPart { text, .. } => visit(text.value()),
            Memory::Slice { parent, .. } => visit(*parent),
            _ => {}
        }
    }

    fn memory_size(&self) -> usize {
        match &*self.memory.borrow() {
            Memory::Owned(bytes) => bytes.capacity(),
            Memory::Mapped(mapping) if !self.has(FILE) => mapping.len(),
            _ => 0,
        }
    }
}

impl Buffer {
    pub fn has(&self, flag: u32) -> bool {
        self.flags.get() & flag != 0
    }

    /// Forgets the memory; slices of it become invalid.
    pub fn take(&self) -> Memory {
        self.version.set(self.version.get().wrapping_add(1));
        self.memory.take()
    }

    pub fn put(&self, memory: Memory, flags: u32) {
        self.version.set(self.version.get().wrapping_add(1));
        *self.memory.borrow_mut() = memory;
        self.flags.set(flags);
    }

    pub fn is_null(&self) -> bool {
        matches!(*self.memory.borrow(), Memory::Null)
    }

    pub fn is_slice(&self) -> bool {
        matches!(*self.memory.borrow(), Memory::Slice { .. } | Memory::Text(_) | Memory::TextPart { .. })
    }
}

/// The state of a buffer: TypeError for anything else.
pub fn state(ctx: &mut Ctx, value: Value) -> Result<&Buffer> {
    if Data::state_of::<Buffer>(ctx, value).is_none() {
        let class = ctx.describe_for_conversion(value);
        return Err(ctx.type_error(&format!("wrong argument type {class} (expected IO::Buffer)")));
    }
    match Data::state_of::<Buffer>(ctx, value) {
        Some(buffer) => Ok(buffer),
        None => Err(Unwind),
    }
}

/// Bytes in the buffer, also of an invalid slice.
pub fn size(ctx: &Ctx, value: Value) -> usize {
    match Data::state_of::<Buffer>(ctx, value).map(|b| b.memory.borrow()).as_deref() {
        None | Some(Memory::Null) => 0,
        Some(Memory::Owned(bytes)) => bytes.len(),
        Some(Memory::Mapped(mapping)) => mapping.len,
        Some(Memory::External(_, len)) => *len,
        Some(Memory::Text(text)) => text.len(),
        Some(Memory::Slice { len, .. } | Memory::TextPart { len, .. }) => *len,
    }
}

/// First byte and length, for immediate use; `None`: a slice of what is gone.
fn span(ctx: &Ctx, value: Value) -> Option<(*mut u8, usize)> {
    let buffer = Data::state_of::<Buffer>(ctx, value)?;
    match &mut *buffer.memory.borrow_mut() {
        Memory::Null => Some((std::ptr::NonNull::dangling().as_ptr(), 0)),
        Memory::Owned(bytes) => Some((bytes.as_mut_ptr(), bytes.len())),
        Memory::Mapped(mapping) => Some((mapping.base, mapping.len)),
        Memory::External(base, len) => Some((*base, *len)),
        Memory::Text(text) => {
            let bytes = text.bytes(ctx);
            Some((bytes.as_ptr().cast_mut(), bytes.len()))
        }
        Memory::TextPart { text, from, len } => {
            let bytes = text.bytes(ctx).get(*from..from.checked_add(*len)?)?;
            Some((bytes.as_ptr().cast_mut(), bytes.len()))
        }
        Memory::Slice { parent, version, from, len } => {
            let whole = Data::state_of::<Buffer>(ctx, *parent)?;
            let (base, size) = span(ctx, *parent).filter(|_| whole.version.get() == *version && !whole.is_null())?;
            if from.checked_add(*len)? > size {
                return None;
            }
            // SAFETY: the range lies within the parent's bytes.
            Some((unsafe { base.add(*from) }, *len))
        }
    }
}

/// Whether the memory is still there.
pub fn valid(ctx: &Ctx, value: Value) -> bool {
    span(ctx, value).is_some()
}

/// The address that `inspect` shows.
pub fn address(ctx: &Ctx, value: Value) -> usize {
    match Data::state_of::<Buffer>(ctx, value) {
        Some(buffer) if !buffer.is_null() => span(ctx, value).map_or(0, |(base, _)| base as usize),
        _ => 0,
    }
}

/// InvalidatedError for a buffer whose bytes are gone, TypeError for what is no buffer.
#[cold]
fn gone(ctx: &mut Ctx, value: Value) -> Unwind {
    match state(ctx, value) {
        Ok(_) => ctx.raise_error("IO::Buffer::InvalidatedError", "Buffer has been invalidated!"),
        Err(unwind) => unwind,
    }
}

/// Calls `look` with the bytes. InvalidatedError when they are gone.
#[inline]
pub fn with<R>(ctx: &mut Ctx, value: Value, look: impl FnOnce(&[u8]) -> R) -> Result<R> {
    match span(ctx, value) {
        // SAFETY: the memory is live now, and `look` cannot run Ruby code or reach the buffer.
        Some((base, len)) => Ok(look(unsafe { std::slice::from_raw_parts(base, len) })),
        None => Err(gone(ctx, value)),
    }
}

/// Calls `look` with the bytes of two buffers, which may overlap.
pub fn with_both<R>(ctx: &mut Ctx, a: Value, b: Value, look: impl FnOnce(&[u8], &[u8]) -> R) -> Result<R> {
    let Some((left, left_len)) = span(ctx, a) else { return Err(gone(ctx, a)) };
    let Some((right, right_len)) = span(ctx, b) else { return Err(gone(ctx, b)) };
    // SAFETY: as in `with`; nothing writes.
    Ok(unsafe { look(std::slice::from_raw_parts(left, left_len), std::slice::from_raw_parts(right, right_len)) })
}

/// Calls `change` with the bytes. AccessError for a read-only buffer, InvalidatedError when they are gone.
#[inline]
pub fn with_mut<R>(ctx: &mut Ctx, value: Value, change: impl FnOnce(&mut [u8]) -> R) -> Result<R> {
    check_writable(ctx, value)?;
    match span(ctx, value) {
        // SAFETY: as in `with`; nobody else looks at the bytes meanwhile.
        Some((base, len)) => Ok(change(unsafe { std::slice::from_raw_parts_mut(base, len) })),
        None => Err(ctx.raise_error("IO::Buffer::InvalidatedError", "Buffer is invalid!")),
    }
}

/// AccessError unless the bytes may be changed. A String below them has them for itself afterwards.
#[inline]
pub fn check_writable(ctx: &mut Ctx, value: Value) -> Result<()> {
    match Data::state_of::<Buffer>(ctx, value) {
        Some(buffer)
            if !buffer.has(READONLY) && matches!(*buffer.memory.borrow(), Memory::Owned(_) | Memory::Mapped(_)) =>
        {
            Ok(())
        }
        _ => check_writable_text(ctx, value),
    }
}

fn check_writable_text(ctx: &mut Ctx, value: Value) -> Result<()> {
    let readonly = state(ctx, value)?.has(READONLY);
    let text = text_behind(ctx, value);
    if readonly || text.is_some_and(|text| text.header().frozen()) {
        return Err(ctx.raise_error("IO::Buffer::AccessError", "Buffer is not writable!"));
    }
    if let Some(text) = text {
        let _ = text.bytes_mut(ctx);
    }
    Ok(())
}

/// Where bytes come from that go into a buffer.
#[derive(Copy, Clone)]
pub enum Source {
    Buffer(Value),
    Text(Str),
}

impl Source {
    fn span(self, ctx: &Ctx) -> Option<(*const u8, usize)> {
        match self {
            Source::Buffer(value) => span(ctx, value).map(|(base, len)| (base.cast_const(), len)),
            Source::Text(text) => Some((text.bytes(ctx).as_ptr(), text.len())),
        }
    }

    pub fn len(self, ctx: &mut Ctx) -> Result<usize> {
        match (self, self.span(ctx)) {
            (_, Some((_, len))) => Ok(len),
            (Source::Buffer(value), None) => Err(gone(ctx, value)),
            (Source::Text(_), None) => Ok(0),
        }
    }
}

/// Copies `len` bytes, which may overlap. The buffer is writable; the answer is whether both ranges exist.
pub fn copy(ctx: &mut Ctx, target: (Value, usize), source: (Source, usize), len: usize) -> bool {
    match (span(ctx, target.0), source.0.span(ctx)) {
        // SAFETY: both spans are live memory, which nothing moves meanwhile.
        (Some(to), Some(from)) => unsafe { copy_inside((to, target.1), (from, source.1), len) },
        _ => false,
    }
}

/// Copies between two spans, each with the position to begin at, if `len` bytes lie in both.
///
/// # Safety
/// The spans are live memory.
unsafe fn copy_inside(
    (to, start): ((*mut u8, usize), usize),
    (from, first): ((*const u8, usize), usize),
    len: usize,
) -> bool {
    let inside = |at: usize, all: usize| at.checked_add(len).is_some_and(|end| end <= all);
    if !inside(first, from.1) || !inside(start, to.1) {
        return false;
    }
    // SAFETY: both ranges lie in the spans.
    unsafe { std::ptr::copy(from.0.add(first), to.0.add(start), len) };
    true
}

/// Copies `len` bytes (or all that the source has) into memory that is plainly writable, and says how many. None, and
/// nothing is copied, where a check is left to make or fails.
pub fn copy_now(ctx: &mut Ctx, target: (Value, usize), source: (Source, usize), len: Option<usize>) -> Option<usize> {
    let from = source.0.span(ctx)?;
    let len = len.or_else(|| from.1.checked_sub(source.1))?;
    let buffer = Data::state_of::<Buffer>(ctx, target.0).filter(|buffer| !buffer.has(READONLY))?;
    let to = match &mut *buffer.memory.borrow_mut() {
        Memory::Owned(bytes) => (bytes.as_mut_ptr(), bytes.len()),
        Memory::Mapped(mapping) => (mapping.base, mapping.len),
        _ => return None,
    };
    // SAFETY: both spans are live memory, which nothing moves meanwhile.
    unsafe { copy_inside((to, target.1), (from, source.1), len) }.then_some(len)
}

/// The String that a buffer lies on, also through slices.
fn text_behind(ctx: &Ctx, value: Value) -> Option<Str> {
    let mut value = value;
    loop {
        let next = match &*Data::state_of::<Buffer>(ctx, value)?.memory.borrow() {
            Memory::Text(text) | Memory::TextPart { text, .. } => return Some(*text),
            Memory::Slice { parent, .. } => *parent,
            _ => return None,
        };
        value = next;
    }
}

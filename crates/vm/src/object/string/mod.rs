//! String: layout, creation and byte-level operations. Characters, comparison and hashing are `text.rs`; the buffer
//! is `cow_buf.rs`; the methods are `corelib`'s.
//!
//! A string is bytes, an encoding and what is known about the bytes in that encoding (the code range). The encoding
//! and the code range lie in the header's 16-bit number. Nothing here checks for frozen strings.
//!
//! Invariant: a known code range is true of the bytes and the encoding. Every operation that changes either one
//! adjusts or forgets it; `bytes_mut` forgets it beforehand.

mod interned;
mod native;
mod text;

pub use text::CodeRange;

use super::cow_buf::{CowBuf, OutOfMemory, SharedBytes};
use super::handle::{handle, layout};
use crate::Encoding;
use crate::ctx::{Ctx, header};
use rubellite_gc::SizeClass;
use rubellite_value::{Flag, Header, Sym, Tag, Value, flags};
use std::borrow::Cow;
use std::cell::UnsafeCell;
use std::mem::ManuallyDrop;
use std::ops::Range;

/// The cell of a string. 48 bytes.
#[repr(C)]
pub struct RString {
    header: Header,
    buf: UnsafeCell<CowBuf<u8>>,
}

layout!(RString, Tag::String);

handle! {
    /// A String.
    Str "String": RString, Tag::String
}

/// The string came from a literal without a magic comment: the first change warns.
const CHILLED_LITERAL: Flag = flags::TYPE_0;
/// The string came from Symbol#to_s: the first change warns.
const CHILLED_SYMBOL: Flag = flags::TYPE_1;
/// Something in progress fills the string, or lies on its bytes: changes are refused.
const LOCKED: Flag = flags::TYPE_2;
/// The buffer is the string's own and ends with a NUL behind the bytes, and code in C may have its address: nothing is
/// known about the bytes unless the string is frozen. Extensions in C read this bit.
pub const TERMINATED: Flag = flags::TYPE_3;
/// The string is that of its content in the table of interned ones: it has no singleton class.
pub(crate) const INTERNED: Flag = flags::AUX_TOP;

/// Why a string that is not frozen warns when it is changed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Chilled {
    Literal,
    SymbolToS,
}

impl RString {
    pub(crate) const BUFFER: usize = std::mem::offset_of!(RString, buf);

    pub(crate) fn memory_size(&self) -> usize {
        // SAFETY: the borrow ends here, and the VM lock is held.
        unsafe { &*self.buf.get() }.memory_size()
    }
}

impl Str {
    /// The largest length a string may have.
    pub const MAX_LEN: usize = isize::MAX as usize;

    // -- making ---------------------------------------------------------------------------

    /// A new String with a copy of `bytes`.
    #[inline]
    pub fn new(ctx: &mut Ctx, bytes: &[u8], encoding: Encoding) -> Str {
        let klass = ctx.classes().string.get();
        Str::new_in(ctx, klass, bytes, encoding)
    }

    /// A new String with the text of a symbol.
    pub fn of_symbol(ctx: &mut Ctx, sym: Sym) -> Str {
        let bytes: *const [u8] = ctx.sym_bytes(sym);
        let encoding = ctx.sym_encoding(sym);
        // SAFETY: the text of a symbol is never freed or moved.
        Str::new(ctx, unsafe { &*bytes }, encoding)
    }

    /// The same in class `klass`.
    #[inline]
    pub fn new_in(ctx: &mut Ctx, klass: Value, bytes: &[u8], encoding: Encoding) -> Str {
        Str::make(ctx, klass, CowBuf::from_slice(bytes), encoding)
    }

    /// A new String in UTF-8.
    #[inline]
    pub fn utf8(ctx: &mut Ctx, text: &str) -> Str {
        Str::new(ctx, text.as_bytes(), Encoding::UTF_8)
    }

    /// A new String in US-ASCII; `text` must be ASCII.
    #[inline]
    pub fn ascii(ctx: &mut Ctx, text: &str) -> Str {
        debug_assert!(text.is_ascii());
        let string = Str::new(ctx, text.as_bytes(), Encoding::US_ASCII);
        string.set_code_range(Some(CodeRange::SevenBit));
        string
    }

    /// The decimal digits of a number.
    pub fn decimal(ctx: &mut Ctx, number: i64) -> Str {
        Str::ascii(ctx, itoa::Buffer::new().format(number))
    }

    /// A new String in BINARY (ASCII-8BIT).
    #[inline]
    pub fn binary(ctx: &mut Ctx, bytes: &[u8]) -> Str {
        Str::new(ctx, bytes, Encoding::BINARY)
    }

    /// A new String that takes over the memory of `bytes`.
    pub fn from_vec(ctx: &mut Ctx, bytes: Vec<u8>, encoding: Encoding) -> Str {
        let klass = ctx.classes().string.get();
        Str::make(ctx, klass, CowBuf::from_vec(bytes), encoding)
    }

    /// A new string of class `klass` that shares `bytes`.
    pub fn from_shared(ctx: &mut Ctx, klass: Value, bytes: &SharedBytes, encoding: Encoding) -> Str {
        Str::make(ctx, klass, bytes.to_buf(), encoding)
    }

    /// A new empty String with room for `cap` bytes.
    pub fn with_capacity(ctx: &mut Ctx, cap: usize, encoding: Encoding) -> Result<Str, OutOfMemory> {
        let klass = ctx.classes().string.get();
        let mut buf = CowBuf::new();
        buf.try_reserve(cap)?;
        Ok(Str::make(ctx, klass, buf, encoding))
    }

    #[inline(always)]
    fn make(ctx: &mut Ctx, klass: Value, buf: CowBuf<u8>, encoding: Encoding) -> Str {
        let owned = buf.capacity();
        // SAFETY: the buffer is the cell's from then on.
        let string = Str::make_by(ctx, klass, encoding, |to| unsafe { ManuallyDrop::new(buf).write_to(to) });
        if owned > CowBuf::<u8>::INLINE {
            ctx.note_leaf(owned as isize);
        }
        string
    }

    /// A new String whose buffer `fill` writes into the cell itself, once it is there.
    #[inline(always)]
    fn make_by(ctx: &mut Ctx, klass: Value, encoding: Encoding, fill: impl FnOnce(*mut CowBuf<u8>)) -> Str {
        let class = const { SizeClass::of::<RString>() };
        Str(ctx.alloc_bytes(class, |cell| {
            let cell = cell.cast::<RString>();
            let header = header(Tag::String, klass);
            // SAFETY: no memory depends on the number of a String; the cell is fresh and has room for one.
            unsafe {
                header.set_aux(text::encoding_bits(encoding));
                (&raw mut (*cell).header).write(header);
                fill(UnsafeCell::raw_get(&raw const (*cell).buf));
            }
        }))
    }

    /// Whether all bytes lie in the buffer itself, and nobody else has its address.
    #[inline(always)]
    fn has_inline_buffer(self) -> bool {
        // SAFETY: the VM lock is held, and nothing writes to the buffer while it is looked at.
        let buf = unsafe { &*self.raw().buf.get() };
        buf.is_inline() && !self.header().has(TERMINATED)
    }

    /// A new String with the same bytes, encoding and code range; long bytes are shared.
    pub fn dup(self, ctx: &mut Ctx) -> Str {
        let klass = ctx.classes().string.get();
        self.dup_in(ctx, klass)
    }

    /// The same in class `klass`.
    pub fn dup_in(self, ctx: &mut Ctx, klass: Value) -> Str {
        let range = self.cached_code_range();
        let copy = if self.has_inline_buffer() {
            // SAFETY: the buffer is inline, for a collection changes none, and `to` that of a fresh cell.
            Str::make_by(ctx, klass, self.encoding(), |to| unsafe { (*self.raw().buf.get()).write_to(to) })
        } else {
            let buf = self.edit_sharing(ctx, |buf| buf.share(0..buf.len()));
            Str::make(ctx, klass, buf, self.encoding())
        };
        copy.set_code_range(range);
        copy
    }

    /// A new String with the bytes of `range`, which must exist; long ones are shared.
    pub fn substring(self, ctx: &mut Ctx, range: Range<usize>) -> Str {
        let klass = ctx.classes().string.get();
        self.substring_in(ctx, klass, range)
    }

    /// The same in class `klass`.
    pub fn substring_in(self, ctx: &mut Ctx, klass: Value, range: Range<usize>) -> Str {
        let ascii = self.cached_code_range().filter(|known| *known == CodeRange::SevenBit);
        let part = if range.len() <= CowBuf::<u8>::INLINE {
            assert!(range.start <= range.end && range.end <= self.len());
            // SAFETY: the bytes are there, whose string this function holds; a collection changes none; `to` is the
            // buffer of a fresh cell.
            Str::make_by(ctx, klass, self.encoding(), |to| unsafe {
                CowBuf::write_inline(to, &(&*self.raw().buf.get()).as_slice()[range]);
            })
        } else {
            let buf = self.edit_sharing(ctx, |buf| buf.share(range));
            Str::make(ctx, klass, buf, self.encoding())
        };
        part.set_code_range(ascii);
        part
    }

    // -- reading --------------------------------------------------------------------------

    /// The bytes. The slice must not be held across anything that takes `&mut Ctx`.
    #[inline(always)]
    pub fn bytes(self, _ctx: &Ctx) -> &[u8] {
        // SAFETY: writers take `&mut Ctx`, which the borrow of `ctx` excludes.
        unsafe { &*self.raw().buf.get() }.as_slice()
    }

    /// The length in bytes.
    #[inline(always)]
    pub fn len(self) -> usize {
        // SAFETY: the borrow ends here, and nobody else runs while we hold the VM lock.
        unsafe { &*self.raw().buf.get() }.len()
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn byte(self, index: usize) -> Option<u8> {
        // SAFETY: the borrow ends here, and nobody else runs while we hold the VM lock.
        unsafe { &*self.raw().buf.get() }.as_slice().get(index).copied()
    }

    /// The text, when the bytes are UTF-8 (whatever the encoding says).
    pub fn as_str(self, ctx: &Ctx) -> Option<&str> {
        std::str::from_utf8(self.bytes(ctx)).ok()
    }

    /// The text for messages: what is not UTF-8 is replaced.
    pub fn to_lossy(self, ctx: &Ctx) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(ctx))
    }

    /// The bytes as a buffer that nobody changes, for use outside the VM lock. Does not copy.
    pub fn share(self, ctx: &mut Ctx) -> SharedBytes {
        self.edit_sharing(ctx, SharedBytes::of)
    }

    /// Whether the bytes are held by others, too: a change then copies them.
    pub fn is_shared(self, _ctx: &Ctx) -> bool {
        // SAFETY: the borrow ends here, and nobody else runs while we hold the VM lock.
        unsafe { &*self.raw().buf.get() }.is_shared()
    }

    /// How many bytes fit without another block.
    pub fn capacity(self) -> usize {
        // SAFETY: the borrow ends here, and nobody else runs while we hold the VM lock.
        let buf = unsafe { &*self.raw().buf.get() };
        buf.capacity().max(buf.len())
    }

    pub fn chilled(self) -> Option<Chilled> {
        let header = self.header();
        if header.has(CHILLED_LITERAL) {
            Some(Chilled::Literal)
        } else if header.has(CHILLED_SYMBOL) {
            Some(Chilled::SymbolToS)
        } else {
            None
        }
    }

    /// Whether a change needs a check: the string is frozen, chilled or locked.
    #[inline(always)]
    pub fn guarded(self) -> bool {
        self.header().has(flags::FROZEN | CHILLED_LITERAL | CHILLED_SYMBOL | LOCKED)
    }

    pub fn locked(self) -> bool {
        self.header().has(LOCKED)
    }

    /// Refuses changes until it is unlocked. Whoever locks checks first that nobody else did.
    pub fn set_locked(self, locked: bool) {
        self.header().put(LOCKED, locked);
    }

    pub fn set_chilled(self, chilled: Option<Chilled>) {
        self.header().put(CHILLED_LITERAL, chilled == Some(Chilled::Literal));
        self.header().put(CHILLED_SYMBOL, chilled == Some(Chilled::SymbolToS));
    }

    // -- writing --------------------------------------------------------------------------

    /// Runs `f` on the buffer. `f` neither allocates cells nor runs Ruby: it has no `Ctx`.
    #[inline(always)]
    fn edit<R>(self, ctx: &mut Ctx, f: impl FnOnce(&mut CowBuf<u8>) -> R) -> R {
        self.header().clear(TERMINATED);
        // SAFETY: `&mut Ctx` excludes every slice that was lent, and `f` cannot reach the string.
        let buf = unsafe { &mut *self.raw().buf.get() };
        let before = buf.capacity();
        let result = f(buf);
        let after = buf.capacity();
        if after != before {
            ctx.note_leaf(after as isize - before as isize);
        }
        result
    }

    /// `edit` for what makes this string share its buffer with others. The memory stays taken until all of them are
    /// gone.
    fn edit_sharing<R>(self, ctx: &mut Ctx, f: impl FnOnce(&mut CowBuf<u8>) -> R) -> R {
        self.header().clear(TERMINATED);
        // SAFETY: as in `edit`.
        let buf = unsafe { &mut *self.raw().buf.get() };
        let before = buf.capacity();
        let result = f(buf);
        let after = buf.capacity();
        if after < before {
            ctx.note_shared(before - after, true);
        } else if after > before {
            ctx.note_leaf((after - before) as isize);
        }
        result
    }

    /// Makes room for `extra` more bytes; for sizes that the program chose.
    pub fn try_reserve(self, ctx: &mut Ctx, extra: usize) -> Result<(), OutOfMemory> {
        self.edit(ctx, |buf| buf.try_reserve(extra))
    }

    /// Appends bytes in this string's encoding.
    #[inline]
    pub fn append(self, ctx: &mut Ctx, bytes: &[u8]) {
        self.note_appended(bytes);
        self.edit(ctx, |buf| buf.extend(bytes));
    }

    #[inline]
    pub fn push_byte(self, ctx: &mut Ctx, byte: u8) {
        self.note_appended(&[byte]);
        self.edit(ctx, |buf| buf.push(byte));
    }

    /// Appends the bytes of `other` (perhaps the same string). Which encoding the result has is the caller's
    /// decision; the code ranges are combined when the encodings are equal.
    pub fn append_str(self, ctx: &mut Ctx, other: Str) {
        // A known range stays known: reading the appended part once spares reading the whole each time.
        if self.cached_code_range().is_some() {
            other.code_range(ctx);
        }
        let range = self.range_after_append(other);
        if other == self {
            self.edit(ctx, |buf| buf.extend_from_within(0..buf.len()));
        } else {
            // SAFETY: the other string's buffer is not touched while this one is extended.
            let bytes = unsafe { &*other.raw().buf.get() }.as_slice();
            self.edit(ctx, |buf| buf.extend(bytes));
        }
        self.set_code_range(range);
    }

    /// `<<` of a string that goes behind this one as it is. False, with nothing done: a check, another encoding or an
    /// error may come of it.
    #[inline]
    pub fn append_plainly(self, ctx: &mut Ctx, other: Str) -> bool {
        let plain = !self.guarded() && self.keeps_encoding(ctx, other);
        if plain {
            self.append_str(ctx, other);
        }
        plain
    }

    /// Replaces the bytes of `range`, which must exist, by `bytes`; the code range stays known only for ASCII.
    pub fn splice(self, ctx: &mut Ctx, range: Range<usize>, bytes: &[u8]) {
        let ascii = self.cached_code_range() == Some(CodeRange::SevenBit) && bytes.is_ascii();
        self.edit(ctx, |buf| if range.end == 0 { buf.prepend(bytes) } else { buf.splice(range, bytes) });
        self.set_code_range(ascii.then_some(CodeRange::SevenBit));
    }

    /// The same with the bytes of another string, perhaps the same one.
    pub fn splice_str(self, ctx: &mut Ctx, range: Range<usize>, other: Str) {
        // A frozen window stays as it is while this string changes, even if both are one.
        let bytes = other.edit_sharing(ctx, |buf| buf.freeze());
        self.splice(ctx, range, bytes.as_slice());
    }

    /// Drops bytes at the front, in O(1).
    pub fn remove_front(self, ctx: &mut Ctx, count: usize) {
        self.forget_unless_ascii();
        self.edit(ctx, |buf| buf.remove_front(count));
    }

    #[inline]
    pub fn truncate(self, ctx: &mut Ctx, len: usize) {
        self.forget_unless_ascii();
        self.edit(ctx, |buf| buf.truncate(len));
    }

    pub fn clear(self, ctx: &mut Ctx) {
        self.edit(ctx, CowBuf::clear);
        self.set_code_range(None);
    }

    /// Replaces all bytes; the encoding stays.
    pub fn set_bytes(self, ctx: &mut Ctx, bytes: &[u8]) {
        self.edit(ctx, |buf| {
            buf.truncate(0);
            buf.extend(bytes);
        });
        self.set_code_range(None);
    }

    /// Replaces all bytes by a vector, taking over its memory; the encoding stays.
    pub fn set_vec(self, ctx: &mut Ctx, bytes: Vec<u8>) {
        self.edit(ctx, |buf| *buf = CowBuf::from_vec(bytes));
        self.set_code_range(None);
    }

    /// Takes over the bytes, the encoding and the code range of `other`; long bytes are shared.
    pub fn replace(self, ctx: &mut Ctx, other: Str) {
        if other == self {
            return;
        }
        let bytes = other.edit_sharing(ctx, |buf| buf.share(0..buf.len()));
        self.edit(ctx, |buf| *buf = bytes);
        // SAFETY: as in `make`.
        unsafe { self.header().set_aux(other.header().aux()) };
        self.header().clear(INTERNED);
    }

    /// The bytes for changes in place. Forgets the code range.
    pub fn bytes_mut(self, _ctx: &mut Ctx) -> &mut [u8] {
        self.set_code_range(None);
        self.header().clear(TERMINATED);
        // SAFETY: `&mut Ctx` is borrowed for as long as the slice lives, so nobody else reads or writes.
        unsafe { &mut *self.raw().buf.get() }.as_mut_slice()
    }

    /// Sets the length, filling up with `fill`.
    pub fn set_len(self, ctx: &mut Ctx, len: usize, fill: u8) {
        self.set_code_range(None);
        self.edit(ctx, |buf| {
            buf.truncate(len);
            buf.extend_fill(len - buf.len(), fill);
        });
    }

    /// Gives unused memory back.
    pub fn shrink(self, ctx: &mut Ctx) {
        self.edit(ctx, CowBuf::shrink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_small() {
        assert_eq!(size_of::<RString>(), 48);
    }
}

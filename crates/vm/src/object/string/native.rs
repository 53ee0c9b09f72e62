//! String: what code in C asks for, an address that stays and a NUL behind the bytes.

use super::{CowBuf, OutOfMemory, Str, TERMINATED};
use crate::Encoding;
use crate::ctx::Ctx;

impl Str {
    /// A new String whose bytes are those of C code where they lie, until it is changed.
    ///
    /// # Safety
    /// `len` bytes lie there as long as any string that has them, with one more that can be read.
    pub unsafe fn of_everlasting(ctx: &mut Ctx, bytes: *const u8, len: usize, encoding: Encoding) -> Str {
        let klass = ctx.classes().string.get();
        // SAFETY: by contract.
        Str::make(ctx, klass, unsafe { CowBuf::of_everlasting(bytes, len) }, encoding)
    }

    /// The address of the bytes of C code's own, where a NUL lies behind them.
    fn everlasting(self) -> Option<*mut u8> {
        // SAFETY: as above.
        let buf = unsafe { &*self.raw().buf.get() };
        let bytes = buf.as_slice();
        // SAFETY: `of_everlasting` was told that one more can be read, and windows lie within its bytes.
        let ends = buf.is_everlasting() && unsafe { *bytes.as_ptr().add(bytes.len()) } == 0;
        ends.then(|| bytes.as_ptr().cast_mut())
    }

    /// The address of the bytes, which stay there until the string is changed, with a NUL behind them. Whoever has it
    /// may write to the bytes of a string that is not frozen, so nothing is known about those from now on.
    pub fn terminated(self, ctx: &mut Ctx) -> Result<*mut u8, OutOfMemory> {
        if !self.header().has(TERMINATED) {
            if let Some(bytes) = self.everlasting() {
                return Ok(bytes);
            }
            self.edit(ctx, |buf| buf.try_terminate())?;
            if !self.header().frozen() {
                self.set_code_range(None);
            }
            self.header().set(TERMINATED);
        }
        // SAFETY: the borrow ends here, and nobody else runs while we hold the VM lock.
        Ok(unsafe { &*self.raw().buf.get() }.as_slice().as_ptr().cast_mut())
    }

    /// Makes the bytes the string's own, for code in C that writes to them. What it has written behind them before
    /// stays there: the length is told afterwards.
    pub fn for_writing(self, ctx: &mut Ctx) -> Result<(), OutOfMemory> {
        if !self.header().has(TERMINATED) {
            return self.make_room(ctx, self.len());
        }
        self.set_code_range(None);
        self.header().set(TERMINATED);
        Ok(())
    }

    /// Makes room for `capacity` bytes and the NUL, keeping what lies behind the bytes where there is room for it.
    pub fn make_room(self, ctx: &mut Ctx, capacity: usize) -> Result<(), OutOfMemory> {
        let extra = capacity.saturating_sub(self.len()).checked_add(1).ok_or(OutOfMemory)?;
        self.set_code_range(None);
        self.edit(ctx, |buf| buf.try_reserve(extra))
    }

    /// Sets the length after code in C has written to the buffer. The bytes between the old length and the new one are
    /// whatever is there.
    pub fn set_written_len(self, ctx: &mut Ctx, len: usize) -> Result<(), OutOfMemory> {
        let before = self.len();
        let mut behind = Vec::new();
        if len > before {
            if len == self.capacity() {
                // The NUL has no room: the buffer may move, which takes along what it knows of alone.
                // SAFETY: so many bytes lie in the buffer, and the C code says that it has written them.
                let written = unsafe {
                    std::slice::from_raw_parts((*self.raw().buf.get()).as_slice().as_ptr().add(before), len - before)
                };
                behind.extend_from_slice(written);
            }
            self.make_room(ctx, len)?;
        }
        self.set_code_range(None);
        self.edit(ctx, |buf| {
            if len <= before {
                buf.truncate(len);
            } else {
                // SAFETY: `make_room` made the buffer the string's own, with room for so many bytes, of which any value
                // is one.
                unsafe { buf.assume_len(len) };
                if !behind.is_empty() {
                    let start = buf.as_slice().as_ptr().cast_mut();
                    // SAFETY: as above; nobody else has the buffer.
                    unsafe { std::ptr::copy_nonoverlapping(behind.as_ptr(), start.add(before), behind.len()) };
                }
            }
            buf.try_terminate()
        })
    }
}

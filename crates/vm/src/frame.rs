//! Frames and the VM stack of one fiber.
//!
//! Frames lie in an array of their own beside the value stack; both are reserved as one mapping that
//! the kernel fills page by page, never move, and are given back when the fiber ends. A frame is
//! identified by its address and, once a block has been made in it, by an `id` that is never used again,
//! so that a `break` or `return` out of a block finds out whether its home still runs.

use crate::code::{Code, CodeData};
use crate::method::Method;
use crate::placement::{FRAMES_AT, PAGE, VALUES_AT};
use rubellite_bytecode::Insn;
use rubellite_value::Value;
use std::ptr::NonNull;

/// Frame flags.
pub mod frame_flags {
    /// Returning from this frame leaves the interpreter loop.
    pub const FINISH: u16 = 1;
    /// The returned value decides a fused compare-and-branch of the caller.
    pub const BRANCH: u16 = 2;
    /// `initialize` called by `new`: the result is the receiver.
    pub const NEW: u16 = 4;
    pub const BLOCK: u16 = 8;
    pub const LAMBDA: u16 = 16;
    pub const METHOD: u16 = 32;
    pub const CLASS: u16 = 64;
    pub const TOP: u16 = 128;
    pub const EVAL: u16 = 256;
    pub const NATIVE: u16 = 512;
    /// Body of `define_method`.
    pub const BMETHOD: u16 = 1024;
    /// The result is dropped.
    pub const DISCARD: u16 = 2048;
    /// In a recorded level of a backtrace alone: the code stands before the statement whose event is reported.
    pub const AT_STATEMENT: u16 = 4096;
    /// In a live frame, which never has the other meaning: its `c_call` or `c_return` is being reported, and it does
    /// not show.
    pub const UNSEEN: u16 = 4096;
    /// Interpolation: a result that is no String is replaced by the default text.
    pub const TO_STR: u16 = 8192;
    /// A native method whose `c_return` was reported already.
    pub const RETURNED: u16 = 16384;
    /// In a frame of code: its `call` or `b_call` is reported where the body begins, behind the defaults of parameters.
    pub const ENTERING: u16 = 16384;
    /// The method was found by the name of an alias, which `argc` holds, and `home_id` of native frames (while traced).
    pub const ALIASED: u16 = 32768;
}

/// How a method call gets its block: nil, a Proc, or the address of a frame tagged with 4 whose current
/// call has a literal block.
pub type BlockHandler = Value;

#[repr(C, align(16))]
pub struct Frame {
    /// The next instruction; null in native frames.
    pub(crate) pc: *const Insn,
    /// R[0], self. For native frames: the receiver in the argument window.
    pub(crate) base: *mut Value,
    pub(crate) code: *const CodeData,
    pub(crate) env: Value,
    pub(crate) block: BlockHandler,
    /// A `Method`, or nil.
    pub(crate) method: Value,
    pub(crate) cref: Value,
    /// 0 until a block is made in this frame.
    pub(crate) id: u64,
    /// `$~` (a MatchData) or an Array of [`$~`, `$_`]; nil when neither is set.
    pub(crate) svar: Value,
    /// Index of the method's owner in the mro of self's class, for `super`.
    pub(crate) pos: u32,
    /// Register of the caller that takes the result.
    pub(crate) dst: u16,
    pub(crate) flags: u16,
    /// Blocks: the frame in which the block was written. Evals: that of the code whose variables they see.
    pub(crate) home: *mut Frame,
    pub(crate) home_id: u64,
    /// Blocks: the frame that `return` in the block leaves, which may outlive `home`.
    pub(crate) returns: *mut Frame,
    pub(crate) returns_id: u64,
    /// Code of the literal block of the call that this frame is making.
    pub(crate) block_code: *const CodeData,
    /// Argument count of native frames; of others the number of the alias by which they were called, if they were
    /// (`ALIASED`).
    pub(crate) argc: u32,
}

impl Frame {
    #[inline(always)]
    pub fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    #[inline(always)]
    pub fn is_native(&self) -> bool {
        self.flags & frame_flags::NATIVE != 0
    }

    #[inline(always)]
    pub(crate) fn self_value(&self) -> Value {
        // SAFETY: `base` points at the window of this frame, whose first word is self.
        unsafe { *self.base }
    }

    pub fn code(&self) -> Option<Code> {
        // SAFETY: a frame's code is kept reachable by the frame, which is a root.
        if self.code.is_null() { None } else { Some(Code::known(unsafe { (*self.code).cell.get() })) }
    }

    pub fn method(&self) -> Option<Method> {
        if self.method.is_nil() { None } else { Some(Method::known(self.method)) }
    }

    /// The first word above what this frame uses of the value stack.
    pub(crate) fn top(&self) -> *mut Value {
        // SAFETY: stays within the stack: pushing the frame checked it.
        unsafe {
            if self.code.is_null() {
                self.base.add(self.argc as usize + 1)
            } else {
                self.base.add((*self.code).register_count as usize)
            }
        }
    }

    /// Index of the next instruction, at least 1; 0 in native frames.
    pub fn offset(&self) -> u32 {
        // SAFETY: as in `code`.
        if self.code.is_null() { 0 } else { unsafe { (*self.code).offset_of(self.pc) } }
    }

    pub fn line(&self) -> i32 {
        // SAFETY: as in `code`.
        if self.code.is_null() { 0 } else { unsafe { (*self.code).line_at(self.pc) } }
    }
}

/// Tag of a block handler that is a frame's literal block.
pub(crate) const FRAME_BLOCK: u64 = 4;

/// The handler for the literal block that `frame` is passing.
#[inline(always)]
pub(crate) fn frame_block(frame: *mut Frame) -> BlockHandler {
    // SAFETY: the low bits are those of no heap cell.
    unsafe { Value::from_bits(frame as u64 | FRAME_BLOCK) }
}

/// The frame of a handler made by [`frame_block`].
#[inline(always)]
pub(crate) fn as_frame_block(handler: BlockHandler) -> Option<*mut Frame> {
    let bits = handler.bits();
    // Frames are 16-byte aligned, so the low four bits are exactly the tag; nil, true and undef are small numbers.
    if bits & 15 == FRAME_BLOCK && bits > 4096 { Some((bits & !15) as *mut Frame) } else { None }
}

/// Where the stacks of one fiber lie.
#[derive(Copy, Clone)]
pub struct Bounds {
    pub values: *mut Value,
    pub values_limit: *mut Value,
    pub frames: *mut Frame,
    pub frames_limit: *mut Frame,
}

/// The stacks of one fiber: the mapping itself.
pub struct Stack {
    mapping: NonNull<u8>,
    bytes: usize,
    pub bounds: Bounds,
}

impl Stack {
    /// Reserves stacks for `values` words and `frames` frames; `None` when the system refuses.
    pub fn new(values: usize, frames: usize) -> Option<Stack> {
        let values_at = (FRAMES_AT + frames * size_of::<Frame>()).next_multiple_of(PAGE) + VALUES_AT;
        let bytes = (values_at + values * size_of::<Value>()).next_multiple_of(PAGE);
        // SAFETY: a fresh anonymous mapping; the arguments are well formed.
        let mapping = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if mapping == libc::MAP_FAILED {
            return None;
        }
        let mapping = NonNull::new(mapping.cast::<u8>())?;
        // SAFETY: all offsets lie within the mapping, whose base is page aligned.
        unsafe {
            let frames_base = mapping.add(FRAMES_AT).cast::<Frame>().as_ptr();
            let values_base = mapping.add(values_at).cast::<Value>().as_ptr();
            Some(Stack {
                mapping,
                bytes,
                bounds: Bounds {
                    values: values_base,
                    values_limit: values_base.add(values),
                    frames: frames_base,
                    frames_limit: frames_base.add(frames),
                },
            })
        }
    }
}

impl Stack {
    /// The page aligned room before the first frame, `FRAMES_AT` bytes.
    pub(crate) fn head(&self) -> NonNull<u8> {
        self.mapping
    }

    /// Gives the memory behind the first page of frames and the first two of values, of which one is nearly full from
    /// the beginning, back to the system, if it was used; the content of both stacks is not needed any more.
    pub fn shrink(&mut self) {
        let values_page = (self.bounds.values as usize - self.mapping.addr().get()) & !(PAGE - 1);
        for (from, to) in [(PAGE, values_page), (values_page + 2 * PAGE, self.bytes)] {
            if from < to {
                // SAFETY: the range is page aligned and lies in the mapping, which holds no live data.
                unsafe { give_back(self.mapping.add(from).as_ptr(), self.mapping.add(from).as_ptr(), to - from) };
            }
        }
    }
}

/// Gives `bytes` of memory at `start` back to the system if `first`, the page of it that is used first, holds anything
/// but zeros. Looking costs far less than the system call.
///
/// # Safety
/// All is page aligned and lies in one private anonymous mapping, whose content nobody needs; `first` lies in the
/// range.
pub(crate) unsafe fn give_back(first: *mut u8, start: *mut u8, bytes: usize) {
    // SAFETY: a readable page by contract.
    let page = unsafe { std::slice::from_raw_parts(first.cast::<u64>(), PAGE / size_of::<u64>()) };
    if page.iter().any(|word| *word != 0) {
        // SAFETY: by contract.
        unsafe { libc::madvise(start.cast(), bytes, libc::MADV_DONTNEED) };
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `new` with this length and nobody points into it any more.
        unsafe { libc::munmap(self.mapping.as_ptr().cast(), self.bytes) };
    }
}

//! Where a thread is that has not come to a safepoint for a while: in a native method that holds the lock. A sampler, which is no thread of
//! the VM, reads four words of that thread's memory; the thread itself says later, at its next safepoint, what they mean.
//!
//! The words are read by the kernel (process_vm_readv), which refuses addresses that are not mapped: the other thread may do
//! anything meanwhile, its fiber's stack included. They are numbers until the thread has found them on its own stack; nothing is followed
//! before.

use crate::ctx::Ctx;
use crate::frame::{Frame, frame_flags};
use crate::object::exception::Positions;
use rubellite_bytecode::Op;
use rubellite_value::Sym;
use rubellite_vmlock::LockThread;
use std::mem::{MaybeUninit, offset_of};

/// The Ruby frame that called a native method, as it was at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glimpse {
    frame: usize,
    pc: usize,
    code: usize,
}

/// What a `Glimpse` turned out to be.
pub struct Glimpsed {
    /// The stack from the calling frame outwards.
    pub positions: Positions,
    /// The name by which the native method was called.
    pub callee: Option<Sym>,
    /// The method still runs.
    pub is_running: bool,
}

/// Reads a value of plain words from an address that may not be mapped.
fn read<T: Copy>(address: usize) -> Option<MaybeUninit<T>> {
    let mut value = MaybeUninit::<T>::uninit();
    let local = libc::iovec { iov_base: value.as_mut_ptr().cast(), iov_len: size_of::<T>() };
    let remote = libc::iovec { iov_base: std::ptr::with_exposed_provenance_mut(address), iov_len: size_of::<T>() };
    // SAFETY: the kernel writes at most `iov_len` bytes into the value, and checks the address that it reads from.
    let count = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    (count == size_of::<T>() as isize).then_some(value)
}

pub(crate) fn word(address: usize) -> Option<usize> {
    // SAFETY: the word was read as a whole.
    read::<usize>(address).map(|value| unsafe { value.assume_init() })
}

/// The words, if that thread runs a native method that Ruby code has called. For any thread of the process; costs two system calls.
pub fn glimpse(thread: &LockThread) -> Option<Glimpse> {
    let ctx = thread.data() as usize;
    if ctx == 0 {
        return None;
    }
    let native = word(ctx + offset_of!(Ctx, frame))?;
    let frame = native.checked_sub(size_of::<Frame>())?;
    // The calling frame, and that of the native method above it.
    let both = read::<[Words; 2]>(frame)?;
    // SAFETY: they were read as a whole, and all bits are words.
    let [caller, native] = unsafe { both.assume_init() };
    let flags = native[offset_of!(Frame, flags) / WORD] >> (offset_of!(Frame, flags) % WORD * 8);
    let (pc, code) = (caller[offset_of!(Frame, pc) / WORD], caller[offset_of!(Frame, code) / WORD]);
    (flags & usize::from(frame_flags::NATIVE) != 0 && pc != 0 && code != 0).then_some(Glimpse { frame, pc, code })
}

const WORD: usize = size_of::<usize>();
/// A frame as words.
type Words = [usize; size_of::<Frame>() / WORD];

impl Ctx {
    /// What a glimpse at this thread saw. `None`: that frame is gone, or its code is another's now.
    pub fn recognize(&self, glimpse: Glimpse) -> Option<Glimpsed> {
        let (top, bottom) = (self.frame as usize, self.stack.frames as usize);
        let aligned = glimpse.frame.checked_sub(bottom).is_some_and(|offset| offset.is_multiple_of(size_of::<Frame>()));
        if !aligned || glimpse.frame > top {
            return None;
        }
        let frame = self.frame.wrapping_byte_sub(top - glimpse.frame);
        // SAFETY: one of this thread's frames, between the first and the running one.
        let code = unsafe { (*frame).code };
        if code as usize != glimpse.code {
            return None;
        }
        // SAFETY: a live frame keeps its code.
        let code = unsafe { &*code };
        let offset = glimpse.pc.checked_sub(code.insns.as_ptr() as usize)?;
        let at = offset / size_of::<rubellite_bytecode::Insn>();
        if at == 0 || at > code.insns.len() || !offset.is_multiple_of(size_of::<rubellite_bytecode::Insn>()) {
            return None;
        }
        let call = code.insns[at - 1];
        let callee = (call.op == Op::Call).then(|| code.sites[call.c as usize].name);
        // SAFETY: as above.
        let internal = self.is_internal(unsafe { &*frame });
        let mut positions = self.positions_from(frame, self.stack.frames);
        if let Some(first) = positions.first_mut().filter(|_| !internal) {
            first.pc = at as u32;
        }
        // SAFETY: as above.
        let (native, pc) = unsafe { ((*self.frame).is_native(), (*frame).pc) };
        let is_running = native && frame.wrapping_add(1) == self.frame && pc as usize == glimpse.pc;
        Some(Glimpsed { positions, callee: callee.filter(|_| !internal), is_running })
    }
}

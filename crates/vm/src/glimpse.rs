//! A sampler's look at a thread that has not come to a safepoint for a while, because it is in a native method that
//! holds the lock. The sampler, which is no thread of the VM, reads some words of that thread's memory; the thread
//! itself says later, at its next safepoint, what they mean.
//!
//! The words are read by the kernel (process_vm_readv), which refuses addresses that are not mapped: the other thread
//! may do anything meanwhile, its fiber's stack included. They are numbers until the thread has found them on its own
//! stack; nothing is followed before. The method that called the native one may have returned by then: the innermost
//! caller that is still there says where it called.

use crate::ctx::Ctx;
use crate::frame::{Bounds, Frame, frame_flags};
use crate::object::exception::Positions;
use crate::thread::ThreadState;
use rubellite_bytecode::Op;
use rubellite_value::Sym;
use rubellite_vmlock::LockThread;
use std::mem::{MaybeUninit, offset_of};

/// How many frames are read.
const FRAMES: usize = 8;

/// The innermost frames of a thread as they were at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glimpse {
    /// Those of Ruby code, the innermost first.
    levels: [Level; FRAMES],
    count: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Level {
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

/// The words, if that thread runs a native method with a frame that Ruby code has called; those without one are short.
/// For any thread of the process; costs three system calls.
pub fn glimpse(thread: &LockThread) -> Option<Glimpse> {
    let ctx = thread.data() as usize;
    if ctx == 0 {
        return None;
    }
    let top = word(ctx + offset_of!(Ctx, frame))?;
    let bottom = word(ctx + offset_of!(Ctx, stack) + offset_of!(Bounds, frames))?;
    let size = size_of::<Frame>();
    let count = (top.checked_sub(bottom)? / size + 1).min(FRAMES);
    // They end with the running one, and so lie where others may have lain: what is not there any more is not looked
    // at.
    let frames = read::<[Words; FRAMES]>(top.checked_sub((FRAMES - 1) * size)?).or_else(|| read_few(top, count))?;
    // SAFETY: they were read as a whole, or are zero, and all bits are words.
    let frames = unsafe { frames.assume_init() };
    let mut seen = Glimpse { levels: [Level::default(); FRAMES], count: 0 };
    for (depth, words) in frames.iter().rev().take(count).enumerate() {
        let flags = words[offset_of!(Frame, flags) / WORD] >> (offset_of!(Frame, flags) % WORD * 8);
        let (pc, code) = (words[offset_of!(Frame, pc) / WORD], words[offset_of!(Frame, code) / WORD]);
        if flags & usize::from(frame_flags::NATIVE) != 0 {
            continue;
        }
        // The innermost is Ruby code: it comes to a safepoint soon.
        if depth == 0 {
            return None;
        }
        if pc != 0 && code != 0 {
            seen.levels[seen.count] = Level { frame: top - depth * size, pc, code };
            seen.count += 1;
        }
    }
    (seen.count > 0).then_some(seen)
}

/// The topmost `count` frames, where so many as usual do not lie in one piece of memory; the others are zero.
fn read_few(top: usize, count: usize) -> Option<MaybeUninit<[Words; FRAMES]>> {
    let mut frames = [Words::default(); FRAMES];
    for depth in 0..count {
        let words = read::<Words>(top - depth * size_of::<Frame>())?;
        // SAFETY: they were read as a whole, and all bits are words.
        frames[FRAMES - 1 - depth] = unsafe { words.assume_init() };
    }
    Some(MaybeUninit::new(frames))
}

const WORD: usize = size_of::<usize>();
/// A frame as words.
type Words = [usize; size_of::<Frame>() / WORD];

impl Ctx {
    /// What a glimpse at this thread saw. `None`: those frames are gone.
    pub fn recognize(&self, glimpse: Glimpse) -> Option<Glimpsed> {
        let levels = glimpse.levels[..glimpse.count].iter().enumerate();
        let (depth, pc, frame, at) = levels
            .filter_map(|(depth, level)| self.find_level(level).map(|(frame, at)| (depth, level.pc, frame, at)))
            .next()?;
        // SAFETY: a live frame of Ruby code, which keeps its code.
        let code = unsafe { &*(*frame).code };
        let call = code.insns[at - 1];
        let site = (call.op == Op::Call).then(|| &code.sites[call.c as usize]);
        // SAFETY: as above.
        let internal = self.is_internal(unsafe { &*frame });
        let mut positions = self.positions_from(frame, self.stack.frames);
        if let Some(first) = positions.first_mut().filter(|_| !internal) {
            first.pc = at as u32;
        }
        let above = frame.wrapping_add(1);
        // SAFETY: as above; the frame above it is one of this thread's, too, if it is not above the running one.
        let is_running =
            depth == 0 && above <= self.frame && unsafe { (*above).is_native() && (*frame).pc as usize == pc };
        Some(Glimpsed { positions, callee: site.map(|site| site.name).filter(|_| !internal), is_running })
    }

    /// What a glimpse at a living thread saw, which may be another one.
    pub fn recognize_of_thread(&self, state: &ThreadState, glimpse: Glimpse) -> Option<Glimpsed> {
        let ctx = state.ctx_ptr()?.as_ptr();
        // SAFETY: the context lives while its pointer is set, and does not run unless it is this one: the lock is held
        // here.
        if std::ptr::eq(ctx, self) { self.recognize(glimpse) } else { unsafe { &*ctx }.recognize(glimpse) }
    }

    /// The frame, if it is still there, and where it was in its code: behind the instruction that ran.
    fn find_level(&self, level: &Level) -> Option<(*mut Frame, usize)> {
        let (top, bottom) = (self.frame as usize, self.stack.frames as usize);
        let aligned = level.frame.checked_sub(bottom).is_some_and(|offset| offset.is_multiple_of(size_of::<Frame>()));
        if !aligned || level.frame > top {
            return None;
        }
        let frame = self.frame.wrapping_byte_sub(top - level.frame);
        // SAFETY: one of this thread's frames, between the first and the running one.
        let (code, native) = unsafe { ((*frame).code, (*frame).is_native()) };
        if native || code as usize != level.code {
            return None;
        }
        // SAFETY: a live frame keeps its code.
        let insns = unsafe { &(*code).insns };
        let offset = level.pc.checked_sub(insns.as_ptr() as usize)?;
        let at = offset / size_of::<rubellite_bytecode::Insn>();
        (at > 0 && at <= insns.len() && offset.is_multiple_of(size_of::<rubellite_bytecode::Insn>()))
            .then_some((frame, at))
    }
}

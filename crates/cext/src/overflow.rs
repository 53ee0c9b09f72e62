//! The end of the machine stack in C code of an extension: SystemStackError instead of the end of the process.
//!
//! Three places look. `cross` raises where little is left. `enter` leaves the C code where next to nothing is: no error
//! can be made there, so it is made at the tag that the shim jumps to. And what C code takes without any call of the
//! interface ends in a fault, whose handler, on a stack of its own (`altstack`), lets the thread go on in `rbl_jump`
//! and above the frames that are given up. That is done for code of extensions and of the libraries that it calls
//! alone: while Rust runs there is no tag, and the shim and the allocator lie in the command. What the C code had taken
//! (memory, locks) stays taken, as with any exit.

use crate::state::state;
use std::ffi::c_void;

/// A call writes so far below the stack pointer, and what looks for the guard page before it is needed.
const BELOW: usize = 4096;
/// `rbl_jump` begins so far below the frames that stay, which may use what is right below them.
const RED_ZONE: usize = 512;

unsafe extern "C" {
    fn rbl_jump() -> !;
    /// Where the code of the command begins and ends; the linker knows.
    static __executable_start: u8;
    static etext: u8;
}

/// Called by the handler of a fault at `address`: whether the thread can go on.
pub fn recover(address: usize, context: *mut c_void) -> bool {
    let thread = state();
    let now = thread.now;
    if now.ctx.is_null() || now.tag.is_null() || !thread.marker.is_null() {
        return false;
    }
    // SAFETY: the context of this native thread, which holds the lock while C code runs, and the tag that the last way
    // into C has laid down; what the system passes to a handler.
    let (end, kept, registers) =
        unsafe { ((*now.ctx).native_stack_end(), (*now.tag).stack, Registers::of(context.cast())) };
    let command = &raw const __executable_start as usize..&raw const etext as usize;
    let (at, stack) = registers.get();
    if stack >= end || address >= end || address.saturating_add(BELOW) < stack || command.contains(&at) {
        return false;
    }
    thread.overflowed = 1;
    registers.set(rbl_jump as *const () as usize, (kept & !15) - RED_ZONE);
    true
}

/// The registers of the code that a signal has interrupted.
struct Registers<'a>(&'a mut libc::ucontext_t);

impl Registers<'_> {
    /// # Safety
    /// The context of the handler that runs.
    unsafe fn of(context: *mut libc::ucontext_t) -> Self {
        // SAFETY: by contract.
        Registers(unsafe { &mut *context })
    }
}

#[cfg(target_arch = "x86_64")]
impl Registers<'_> {
    /// The next instruction and the stack pointer.
    fn get(&self) -> (usize, usize) {
        let all = &self.0.uc_mcontext.gregs;
        (all[libc::REG_RIP as usize] as usize, all[libc::REG_RSP as usize] as usize)
    }

    /// As if a function were called: with a place for the address that it does not return to, and the direction that
    /// string instructions have there.
    fn set(self, at: usize, stack: usize) {
        let all = &mut self.0.uc_mcontext.gregs;
        all[libc::REG_RIP as usize] = at as i64;
        all[libc::REG_RSP as usize] = (stack - 8) as i64;
        all[libc::REG_EFL as usize] &= !0x400;
    }
}

#[cfg(target_arch = "aarch64")]
impl Registers<'_> {
    /// The next instruction and the stack pointer.
    fn get(&self) -> (usize, usize) {
        (self.0.uc_mcontext.pc as usize, self.0.uc_mcontext.sp as usize)
    }

    fn set(self, at: usize, stack: usize) {
        self.0.uc_mcontext.pc = at as u64;
        self.0.uc_mcontext.sp = stack as u64;
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
impl Registers<'_> {
    /// Not known: no stack pointer is below the end.
    fn get(&self) -> (usize, usize) {
        (0, usize::MAX)
    }

    fn set(self, _at: usize, _stack: usize) {}
}

//! Stacks for handlers of signals, of the native threads that run C code: the handler of a fault at the end of a
//! machine stack has no room there. One lives as long as its thread. What the handler does is in `overflow`.

use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr::null_mut;

const BYTES: usize = 64 * 1024;

/// A stack for handlers of signals, of a native thread that has none otherwise.
struct HandlerStack(*mut c_void);

impl Drop for HandlerStack {
    fn drop(&mut self) {
        let none = libc::stack_t { ss_sp: null_mut(), ss_flags: libc::SS_DISABLE, ss_size: BYTES };
        // SAFETY: the thread ends, and nothing runs on the stack.
        unsafe {
            libc::sigaltstack(&none, null_mut());
            libc::munmap(self.0, BYTES);
        }
    }
}

thread_local! {
    static OWN: RefCell<Option<HandlerStack>> = const { RefCell::new(None) };
}

/// Before C code runs on this native thread for the first time.
#[cold]
pub fn prepare() {
    // SAFETY: plain calls; the memory is given back when the thread ends.
    let made = unsafe {
        let mut now: libc::stack_t = std::mem::zeroed();
        if libc::sigaltstack(std::ptr::null(), &mut now) != 0 || now.ss_flags & libc::SS_DISABLE == 0 {
            return;
        }
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_STACK;
        let memory = libc::mmap(null_mut(), BYTES, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
        if memory == libc::MAP_FAILED {
            return;
        }
        let stack = libc::stack_t { ss_sp: memory, ss_flags: 0, ss_size: BYTES };
        libc::sigaltstack(&stack, null_mut());
        HandlerStack(memory)
    };
    OWN.with_borrow_mut(|own| *own = Some(made));
}

//! What C code writes into an `rb_io_t`: the descriptor and the mode of an IO that it has opened (`MakeOpenFile`) or
//! closed itself. The structure is a copy, so it is compared with what it was when C code calls next, and when the C
//! code that has asked for it returns.

use rubellite_core_io::io::state::{self as io_state, IoState, mode};
use rubellite_vm::object::Data;
use rubellite_vm::{Ctx, Extension, Result, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The beginning of `rb_io_t`.
#[repr(C)]
struct File {
    own: Value,
    stdio: *mut c_void,
    fd: c_int,
    mode: c_int,
}

/// An IO whose structure C code has, and what this said.
struct Asked {
    io: Value,
    file: *const File,
    fd: c_int,
    mode: c_int,
    /// Where the stack of the C code was.
    stack: usize,
}

/// By the machine stack of the C code: that of a fiber that waits keeps what it has asked for.
#[derive(Default)]
struct Files(RefCell<HashMap<usize, Vec<Asked>>>);

impl Extension for Files {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}

    fn prune(&mut self, alive: &dyn Fn(Value) -> bool) {
        let mut files = self.0.borrow_mut();
        files.values_mut().for_each(|list| list.retain(|asked| alive(asked.io)));
        files.retain(|_, list| !list.is_empty());
    }
}

/// Whether any C code has a structure.
static ANY: AtomicBool = AtomicBool::new(false);

/// The page that the machine stack in use ends in.
fn stack_of(ctx: &Ctx, here: usize) -> usize {
    here.saturating_sub(ctx.native_stack_left()) >> 12
}

/// Notes that C code has the structure of `io`.
///
/// # Safety
/// `file` is that structure, which lives as long as the IO.
pub unsafe fn note(ctx: &Ctx, io: Value, file: *const c_void) {
    let here = 0u8;
    let stack = &raw const here as usize;
    let file = file.cast::<File>();
    // SAFETY: by contract.
    let (fd, mode) = unsafe { ((*file).fd, (*file).mode) };
    let mut files = ctx.extension::<Files>().0.borrow_mut();
    let list = files.entry(stack_of(ctx, stack)).or_default();
    list.retain(|asked| !std::ptr::eq(asked.file, file) || asked.stack > stack);
    list.push(Asked { io, file, fd, mode, stack });
    ANY.store(true, Relaxed);
}

/// C code calls: its IO objects are what it has made of them.
#[inline(always)]
pub fn take_over(ctx: &Ctx) {
    if ANY.load(Relaxed) {
        compare(ctx, false);
    }
}

/// C code has returned: it has no structure any longer.
#[inline(always)]
pub fn leave(ctx: &Ctx) {
    if ANY.load(Relaxed) {
        compare(ctx, true);
    }
}

#[cold]
#[inline(never)]
fn compare(ctx: &Ctx, over: bool) {
    let here = 0u8;
    let stack = &raw const here as usize;
    let mut files = ctx.extension::<Files>().0.borrow_mut();
    if let Some(list) = files.get_mut(&stack_of(ctx, stack)) {
        for asked in &mut *list {
            // SAFETY: the structure lives as long as the IO, which the collector has not found dead.
            let (fd, mode) = unsafe { ((*asked.file).fd, (*asked.file).mode) };
            if (fd, mode) != (asked.fd, asked.mode) {
                (asked.fd, asked.mode) = (fd, mode);
                if let Some(state) = io_state::try_state(ctx, asked.io) {
                    adopt(&state, fd, mode);
                }
            }
        }
        if over {
            list.retain(|asked| asked.stack > stack);
        }
    }
    files.retain(|_, list| !list.is_empty());
    ANY.store(!files.is_empty(), Relaxed);
}

/// The state has this descriptor, which C code has opened, or none, for C code has closed it.
fn adopt(state: &IoState, fd: c_int, bits: c_int) {
    for (bit, of_state) in [(1, mode::READ), (2, mode::WRITE), (0x40, mode::APPEND), (4, mode::BINARY), (8, mode::SYNC)]
    {
        state.set(of_state, bits & bit != 0);
    }
    if fd < 0 {
        state.wbuf.borrow_mut().clear();
        state.clear_read();
        state.write_fd.set(-1);
        state.fd.set(-1);
    } else if fd != state.fd.get() {
        state.fd.set(fd);
        state.examine();
    }
}

/// Gives an object that was allocated the state of an IO without a descriptor. One that has a descriptor is closed
/// first.
pub fn make(ctx: &mut Ctx, io: Value) -> Result<()> {
    if let Some(state) = io_state::try_state(ctx, io) {
        return if state.closed() { Ok(()) } else { rubellite_core_io::io::device::close(ctx, &state) };
    }
    match Data::try_of(io) {
        Some(data) => io_state::attach_known(ctx, data, IoState::new(-1, 0)),
        None => return Err(io_state::io_error(ctx, "uninitialized stream")),
    }
    Ok(())
}

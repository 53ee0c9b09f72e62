//! Random bytes of the kernel, without a system call where it lends its generator (getrandom of the vDSO, Linux 6.11).
//!
//! The kernel's function keeps its key in a page of ours that it asks to be mapped in its own way: a forked child finds
//! the page empty, and the key is thrown away whenever the kernel has reseeded or the machine was copied. The page is
//! used by the holder of the VM lock only. Where there is no such function, nothing is returned.

use rubellite_vm::{Extension, Value};
use std::cell::OnceCell;
use std::ffi::{c_uint, c_void};

type Function = unsafe extern "C" fn(*mut c_void, usize, c_uint, *mut c_void, usize) -> isize;

/// What the function says about the state that it wants.
#[repr(C)]
#[derive(Default)]
struct Wanted {
    size: u32,
    protection: i32,
    flags: i32,
    reserved: [u32; 13],
}

struct Lent {
    function: Function,
    state: *mut c_void,
    size: usize,
}

#[derive(Default)]
pub(super) struct KernelGenerator(OnceCell<Option<Lent>>);

impl Extension for KernelGenerator {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

impl KernelGenerator {
    /// Fills the begin of `out`: how many bytes; 0 when the system call has to be asked.
    pub fn fill(&self, out: &mut [u8]) -> usize {
        let Some(lent) = self.0.get_or_init(Lent::new) else { return 0 };
        // SAFETY: a live buffer with its length, and the state that was made for this function.
        let n = unsafe { (lent.function)(out.as_mut_ptr().cast(), out.len(), 0, lent.state, lent.size) };
        usize::try_from(n).unwrap_or(0)
    }
}

impl Lent {
    fn new() -> Option<Lent> {
        // SAFETY: names that end with 0. The library is part of every process and never leaves it.
        let address = unsafe {
            let library = libc::dlopen(c"linux-vdso.so.1".as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
            if library.is_null() {
                return None;
            }
            libc::dlsym(library, c"__vdso_getrandom".as_ptr())
        };
        if address.is_null() {
            return None;
        }
        // SAFETY: the kernel's interface fixes the type of the function with this name.
        let function: Function = unsafe { std::mem::transmute(address) };
        let mut wanted = Wanted::default();
        // SAFETY: with no buffer and this size the function writes what it wants to the structure, which is as large as
        // it says.
        let answer = unsafe { function(std::ptr::null_mut(), 0, 0, (&raw mut wanted).cast(), usize::MAX) };
        let size = wanted.size as usize;
        // A state must lie within a page.
        if answer != 0 || size == 0 || size > 4096 {
            return None;
        }
        // SAFETY: a new mapping at an address of the kernel's choice.
        let state = unsafe { libc::mmap(std::ptr::null_mut(), 4096, wanted.protection, wanted.flags, -1, 0) };
        (state != libc::MAP_FAILED).then_some(Lent { function, state, size })
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // SAFETY: mapped in `new`, and nobody else knows the address.
        unsafe { libc::munmap(self.state, 4096) };
    }
}

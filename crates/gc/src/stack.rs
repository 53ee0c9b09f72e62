//! The machine stack of the current thread, for the conservative scan: where it is, and
//! how to get register contents onto it. Which stacks are scanned, and when, is the VM's
//! business; fibers' stacks it knows itself.
//!
//! AddressSanitizer may move local variables to a "fake stack", where no scan finds them:
//! such builds must run with `ASAN_OPTIONS=detect_stack_use_after_return=0`.

#[cfg(all(target_os = "linux", not(miri)))]
use std::sync::OnceLock;

/// Spills the callee-saved registers onto the stack and calls `f` with a stack pointer
/// below them. Every word that the callers hold lies between that and the stack's upper
/// end (caller-saved registers are spilled by the call itself) until `f` returns.
#[inline(never)]
pub fn spill_and_sp<R>(f: impl FnOnce(*const usize) -> R) -> R {
    let mut registers = [0usize; SPILLED];
    // SAFETY: writes inside `registers` only.
    unsafe { spill(registers.as_mut_ptr()) };
    let sp = stack_pointer().min(registers.as_ptr());
    let result = below(f, sp);
    // Keeps the array alive, on the stack, until the scan is over.
    std::hint::black_box(&registers);
    result
}

/// The same without frames in between, for switches of fibers: a return from each frame that lies between a switch and
/// the Ruby code is one that the processor does not foresee. What the caller's frame holds must be rooted elsewhere, or
/// lie there before and unchanged; and whoever goes on in it must drop what a collection has found there.
#[inline(always)]
pub fn spill_here<R>(f: impl FnOnce(*const usize) -> R) -> R {
    let mut registers = [0usize; SPILLED];
    // SAFETY: writes inside `registers` only.
    unsafe { spill(registers.as_mut_ptr()) };
    let result = f(stack_pointer().min(registers.as_ptr()));
    std::hint::black_box(&registers);
    result
}

/// Calls `f` in a frame of its own: were it part of the caller's, its variables would lie above `sp`, in what is taken
/// to hold still while `f` runs. So would its result, which would go where the caller wants it as soon as it is there:
/// with the gaps between its fields, that hold what earlier calls have left, and while `f` still waits for the lock.
#[inline(never)]
fn below<R>(f: impl FnOnce(*const usize) -> R, sp: *const usize) -> R {
    let result = f(sp);
    // Looked at where it is: it has a place here, and is copied from there.
    std::hint::black_box(&result);
    result
}

#[cfg(target_arch = "x86_64")]
const SPILLED: usize = 6;
#[cfg(target_arch = "aarch64")]
const SPILLED: usize = 20;

/// # Safety
/// `to` must point to `SPILLED` writable words.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn spill(to: *mut usize) {
    // SAFETY: stores into the caller's array.
    unsafe {
        std::arch::asm!(
            "mov [{0}], rbx",
            "mov [{0} + 8], rbp",
            "mov [{0} + 16], r12",
            "mov [{0} + 24], r13",
            "mov [{0} + 32], r14",
            "mov [{0} + 40], r15",
            in(reg) to,
            options(nostack, preserves_flags),
        );
    }
}

/// The low halves of v8 to v15 are callee-saved too, and a compiler may keep a word there.
///
/// # Safety
/// `to` must point to `SPILLED` writable words.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
unsafe fn spill(to: *mut usize) {
    // SAFETY: stores into the caller's array.
    unsafe {
        std::arch::asm!(
            "stp x19, x20, [{0}]",
            "stp x21, x22, [{0}, #16]",
            "stp x23, x24, [{0}, #32]",
            "stp x25, x26, [{0}, #48]",
            "stp x27, x28, [{0}, #64]",
            "stp x29, x30, [{0}, #80]",
            "stp d8, d9, [{0}, #96]",
            "stp d10, d11, [{0}, #112]",
            "stp d12, d13, [{0}, #128]",
            "stp d14, d15, [{0}, #144]",
            in(reg) to,
            options(nostack, preserves_flags),
        );
    }
}

/// The current stack pointer.
#[inline(always)]
pub fn stack_pointer() -> *const usize {
    let sp: *const usize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reads a register.
    unsafe {
        std::arch::asm!("mov {}, rsp", out(reg) sp, options(nomem, nostack, preserves_flags));
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: reads a register.
    unsafe {
        std::arch::asm!("mov {}, sp", out(reg) sp, options(nomem, nostack, preserves_flags));
    }
    sp
}

/// Reads a word of a stack. Assembly, because AddressSanitizer would report the gaps
/// between variables that a conservative scan reads.
///
/// # Safety
/// `address` must be readable and aligned.
#[inline(always)]
pub(crate) unsafe fn read_word(address: *const usize) -> usize {
    let word: usize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the caller's address is readable.
    unsafe {
        std::arch::asm!(
            "mov {}, [{}]",
            lateout(reg) word,
            in(reg) address,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the caller's address is readable.
    unsafe {
        std::arch::asm!(
            "ldr {}, [{}]",
            lateout(reg) word,
            in(reg) address,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    word
}

/// The aligned words in `low..high`.
///
/// # Safety
/// The range must be readable as long as the iterator is used.
#[inline]
pub unsafe fn words(low: *const usize, high: *const usize) -> impl Iterator<Item = usize> {
    let first = (low as usize).next_multiple_of(size_of::<usize>()) as *const usize;
    let count = (high as usize).saturating_sub(first as usize) / size_of::<usize>();
    // SAFETY: the word lies in the range that the caller vouches for.
    (0..count).map(move |i| unsafe { read_word(first.wrapping_add(i)) })
}

/// Lowest and highest address of the current native thread's stack, as the system
/// reserved it: the low end may never have been touched. Thread-local variables, which
/// the system places above the frames, are not part of it. `None` if it cannot be told.
#[cfg(not(target_vendor = "apple"))]
pub fn bounds() -> Option<(*const usize, *const usize)> {
    let mut attr = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let mut low = std::ptr::null_mut();
    let mut bytes = 0;
    // SAFETY: `attr` is initialised by the first call before the others use it.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attr.as_mut_ptr()) != 0 {
            return None;
        }
        let failed = libc::pthread_attr_getstack(attr.as_ptr(), &mut low, &mut bytes);
        libc::pthread_attr_destroy(attr.as_mut_ptr());
        if failed != 0 {
            return None;
        }
    }
    let low = low as *const usize;
    let high = low.wrapping_byte_add(bytes);
    let (here, variables) = (stack_pointer(), lowest_thread_local());
    Some((low, if here < variables && variables < high { variables } else { high }))
}

/// Where the thread-local variables of the current native thread begin that were there when the process started; null
/// if that cannot be told. They have the same places, relative to each other, in every thread.
#[cfg(all(target_os = "linux", not(miri)))]
fn lowest_thread_local() -> *const usize {
    thread_local! {
        static ANCHOR: u8 = const { 0 };
    }
    static DISTANCE: OnceLock<usize> = OnceLock::new();
    ANCHOR.with(|anchor| {
        let anchor: *const u8 = anchor;
        anchor.wrapping_sub(*DISTANCE.get_or_init(|| distance_to_lowest(anchor))).cast()
    })
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn lowest_thread_local() -> *const usize {
    std::ptr::null()
}

/// How far below `anchor`, a thread-local variable of this module, the variables of all modules begin.
#[cfg(all(target_os = "linux", not(miri)))]
fn distance_to_lowest(anchor: *const u8) -> usize {
    /// Variables of a module that was loaded later may lie anywhere.
    const APART_MAX: usize = 1 << 20;

    unsafe extern "C" fn visit(info: *mut libc::dl_phdr_info, size: usize, lowest: *mut libc::c_void) -> libc::c_int {
        if size >= size_of::<libc::dl_phdr_info>() {
            // SAFETY: the loader's record, which is that long, and the caller's variable.
            unsafe {
                let (block, lowest) = ((*info).dlpi_tls_data as usize, lowest.cast::<usize>());
                if block < *lowest && *lowest - block < APART_MAX {
                    *lowest = block;
                }
            }
        }
        0
    }
    let mut lowest = anchor as usize;
    // SAFETY: `visit` gets the variable, and does nothing else.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut lowest).cast()) };
    anchor as usize - lowest
}

/// Lowest and highest address of the current native thread's stack. `None` if it cannot
/// be told.
#[cfg(target_vendor = "apple")]
pub fn bounds() -> Option<(*const usize, *const usize)> {
    // SAFETY: both only read what the system knows of the current thread.
    let (high, bytes) = unsafe {
        let thread = libc::pthread_self();
        (libc::pthread_get_stackaddr_np(thread), libc::pthread_get_stacksize_np(thread))
    };
    let high = high as *const usize;
    Some((high.wrapping_byte_sub(bytes), high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locals_lie_within_the_bounds() {
        let local = 0usize;
        let (low, high) = bounds().unwrap();
        let address = &raw const local;
        assert!(low < address && address < high);
        spill_and_sp(|sp| assert!(low < sp && sp < address));
    }

    #[test]
    #[cfg(all(target_os = "linux", not(miri)))]
    fn thread_local_variables_lie_outside() {
        thread_local! {
            static HERE: usize = const { 1 };
        }
        let outside = || {
            let (low, high) = bounds().unwrap();
            HERE.with(|here| !(low..high).contains(&std::ptr::from_ref(here)))
        };
        assert!(outside());
        assert!(std::thread::spawn(outside).join().unwrap());
    }

    #[test]
    fn other_threads_have_other_bounds() {
        let here = bounds().unwrap().0 as usize;
        let there = std::thread::spawn(|| bounds().unwrap().0 as usize).join().unwrap();
        assert_ne!(here, there);
    }
}

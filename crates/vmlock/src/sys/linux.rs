//! Linux: futex parker, monotonic clock, the processor a thread runs on (the `rseq`
//! area that the C library registers), and the signal that interrupts system calls.

use super::handler::take_signal;
use super::{NativeThread, Park};
use crate::policy::Slices;
use std::cell::Cell;
use std::sync::Once;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32};

/// Nanoseconds of the monotonic clock.
#[inline]
pub fn now_ns() -> u64 {
    clock_ns(libc::CLOCK_MONOTONIC)
}

/// Nanoseconds of processor time of the calling thread.
pub fn thread_cpu_ns() -> u64 {
    clock_ns(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Nanoseconds of processor time of the calling thread, and how often it has given the processor up by itself.
pub fn thread_usage() -> (u64, u64) {
    // SAFETY: the structure is plain numbers, and the kernel fills it; the call does not fail with these arguments.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_THREAD, &mut usage);
        usage
    };
    let ns = |time: libc::timeval| time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000;
    (ns(usage.ru_utime) + ns(usage.ru_stime), usage.ru_nvcsw as u64)
}

#[inline]
fn clock_ns(clock: libc::clockid_t) -> u64 {
    let mut ts = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `ts` is a valid place for the answer; the clocks that are asked for always exist.
    unsafe { libc::clock_gettime(clock, &mut ts) };
    ts.tv_sec as u64 * 1_000_000_000 + ts.tv_nsec as u64
}

/// Does the processor's counter go on evenly, and alike on all processors? The kernel finds out for itself.
pub fn counter_is_steady() -> bool {
    let source = || std::fs::read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    cfg!(target_arch = "aarch64") || source().is_ok_and(|name| name.trim() == "tsc")
}

/// A thread bound to one processor, and where it might run before. Threads of a process that has more processors than a
/// `cpu_set_t` has bits are not bound.
pub struct Binding {
    thread: libc::pid_t,
    to: libc::cpu_set_t,
    before: libc::cpu_set_t,
}

impl Binding {
    /// Binds a thread that lives. `None`: it may not run there, or not be bound.
    pub fn new(native: &Native, processor: u32) -> Option<Binding> {
        let thread = native.id;
        let processor = processor as usize;
        let before = processors_of(thread)?;
        // SAFETY: the sets are plain bits, and the number is below their size.
        let (allowed, to) = unsafe {
            let mut to: libc::cpu_set_t = std::mem::zeroed();
            let allowed = processor < libc::CPU_SETSIZE as usize
                && libc::CPU_ISSET(processor, &before)
                && libc::CPU_COUNT(&before) > 1;
            if allowed {
                libc::CPU_SET(processor, &mut to);
            }
            (allowed, to)
        };
        let binding = Binding { thread, to, before };
        (allowed && binding.apply(&binding.to)).then_some(binding)
    }

    /// Lets the thread, which lives, run where it might before, unless somebody else has bound it meanwhile.
    pub fn undo(self) {
        // SAFETY: the sets are plain bits.
        if processors_of(self.thread).is_some_and(|now| unsafe { libc::CPU_EQUAL(&now, &self.to) }) {
            self.apply(&self.before);
        }
    }

    fn apply(&self, processors: &libc::cpu_set_t) -> bool {
        // SAFETY: the kernel reads the set, whose size it is told.
        unsafe { libc::sched_setaffinity(self.thread, size_of::<libc::cpu_set_t>(), processors) == 0 }
    }
}

/// Where a thread may run.
fn processors_of(thread: libc::pid_t) -> Option<libc::cpu_set_t> {
    // SAFETY: the set is plain bits; the kernel fills at most its size, which it is told.
    unsafe {
        let mut processors: libc::cpu_set_t = std::mem::zeroed();
        (libc::sched_getaffinity(thread, size_of::<libc::cpu_set_t>(), &mut processors) == 0).then_some(processors)
    }
}

/// Lets another thread of this processor run.
pub fn yield_cpu() {
    // SAFETY: no arguments.
    unsafe { libc::sched_yield() };
}

/// One futex word: empty, asleep, or holding a token.
#[derive(Default)]
pub struct Parker {
    word: AtomicU32,
}

const EMPTY: u32 = 0;
const ASLEEP: u32 = 1;
const TOKEN: u32 = 2;

impl Park for Parker {
    fn park(&self, deadline_ns: Option<u64>) {
        if self.word.compare_exchange(EMPTY, ASLEEP, Acquire, Acquire).is_ok() {
            self.sleep(deadline_ns);
        }
        // Asleep or token, it is empty now; the token's writer is seen.
        self.word.swap(EMPTY, Acquire);
    }

    fn unpark(&self) {
        if self.word.swap(TOKEN, Release) == ASLEEP {
            // SAFETY: the address is that of a live u32; waking touches no memory.
            unsafe {
                libc::syscall(libc::SYS_futex, self.word.as_ptr(), libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG, 1)
            };
        }
    }
}

impl Parker {
    /// Sleeps while the word is ASLEEP, until an absolute time.
    fn sleep(&self, deadline_ns: Option<u64>) {
        let at = deadline_ns.map(|ns| libc::timespec {
            tv_sec: (ns / 1_000_000_000).min(i64::MAX as u64) as libc::time_t,
            tv_nsec: (ns % 1_000_000_000) as libc::c_long,
        });
        let timeout = at.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        // SAFETY: the futex word is live, `timeout` is null or points at `at`, which outlives the call.
        unsafe {
            libc::syscall(
                libc::SYS_futex,
                self.word.as_ptr(),
                libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG,
                ASLEEP,
                timeout,
                std::ptr::null::<u32>(),
                libc::FUTEX_BITSET_MATCH_ANY,
            )
        };
    }
}

/// A native thread: its handle for signals and its `rseq` processor number.
#[derive(Clone, Copy)]
pub struct Native {
    handle: libc::pthread_t,
    id: libc::pid_t,
    processor: Option<*const AtomicU32>,
}

// SAFETY: the handle is a number; the pointer is read atomically, and only while the thread
// lives (the contract of `NativeThread`).
unsafe impl Send for Native {}
// SAFETY: as above.
unsafe impl Sync for Native {}

impl NativeThread for Native {
    fn current() -> Self {
        // SAFETY: changes the calling thread's timer slack, to 1 ns; no pointers.
        unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1 as libc::c_ulong, 0, 0, 0) };
        // A thread inherits the slices of the one that started it.
        use_slices(Slices::Usual);
        // SAFETY: both always succeed for the calling thread.
        let (handle, id) = unsafe { (libc::pthread_self(), libc::gettid()) };
        Native { handle, id, processor: rseq_processor() }
    }

    fn is_current(&self) -> bool {
        // SAFETY: always succeeds for the calling thread.
        self.handle == unsafe { libc::pthread_self() }
    }

    fn shares_processor(&self) -> bool {
        let (Some(theirs), Some(mine)) = (self.processor, rseq_processor()) else { return false };
        // SAFETY: both areas belong to live threads: the caller, and by contract the other one.
        unsafe { (*theirs).load(Relaxed) == (*mine).load(Relaxed) }
    }

    fn processor(&self) -> Option<u32> {
        // SAFETY: the area belongs to a live thread, by contract.
        self.processor.map(|number| unsafe { (*number).load(Relaxed) })
    }

    fn signal(&self) {
        install_handler();
        // SAFETY: the thread lives, so its handle is valid; the signal has a handler by now.
        unsafe { libc::pthread_kill(self.handle, libc::SIGVTALRM) };
    }

    fn set_name(&self, name: &str) {
        // 15 bytes and a NUL, with which it ends early, too.
        let mut text = [0u8; 16];
        let used = name.len().min(15);
        text[..used].copy_from_slice(&name.as_bytes()[..used]);
        // SAFETY: the thread lives, so its handle is valid; the text ends with NUL.
        unsafe { libc::pthread_setname_np(self.handle, text.as_ptr().cast()) };
    }
}

/// The slice that a thread which mostly waits asks of the kernel: it then runs soon after it wakes, also
/// where several threads share a processor. Linux 6.12 and later; earlier ones ignore it.
const SHORT_SLICE_NS: u64 = 100_000;
/// The slice of a thread that lets others go first. Beside 2 and 4 threads that compress, slow round trips were rarer
/// with 20 ms than with 6, 50 or 100: 0.9 and 0.5 % took more than 0.5 ms, with the usual 2.8 ms 1.5 and 0.9 %. With 10
/// ms the p99 is 0.17 to 0.40 ms in each of four cells, and other processes that compute take less at a time.
const LONG_SLICE_NS: u64 = 10_000_000;

/// `struct sched_attr`, first version with utilisation limits.
#[repr(C)]
#[derive(Default)]
struct SchedAttr {
    size: u32,
    policy: u32,
    flags: u64,
    nice: i32,
    priority: u32,
    runtime_ns: u64,
    deadline_ns: u64,
    period_ns: u64,
    util_min: u32,
    util_max: u32,
}

impl SchedAttr {
    const SIZE: u32 = size_of::<SchedAttr>() as u32;

    /// The calling thread's. `None`: the kernel does not tell.
    fn own() -> Option<SchedAttr> {
        let mut attr = SchedAttr::default();
        // SAFETY: the kernel fills at most SIZE bytes of `attr`.
        let known = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attr, Self::SIZE, 0) } == 0;
        known.then_some(SchedAttr { size: Self::SIZE, flags: 0, ..attr })
    }

    /// Are these slices that `use_slices` asked for?
    fn is_ours(&self) -> bool {
        let chosen = self.runtime_ns == SHORT_SLICE_NS || self.runtime_ns == LONG_SLICE_NS;
        chosen && self.policy == libc::SCHED_OTHER as u32
    }

    /// Gives them to the calling thread. A refusal changes nothing.
    fn apply(&self) {
        // SAFETY: the kernel reads SIZE bytes of `attr`.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, std::ptr::from_ref(self), 0) };
    }
}

/// Asks for such slices for the calling thread; the usual ones are left to whoever asked for others.
pub fn use_slices(slices: Slices) {
    let Some(attr) = SchedAttr::own().filter(|attr| attr.is_ours() || attr.policy == libc::SCHED_OTHER as u32) else {
        return;
    };
    let runtime_ns = match slices {
        Slices::Usual if !attr.is_ours() => return,
        Slices::Usual => 0,
        Slices::Short => SHORT_SLICE_NS,
        Slices::Long | Slices::Turns => LONG_SLICE_NS,
    };
    SchedAttr { policy: libc::SCHED_OTHER as u32, runtime_ns, ..attr }.apply();
}

thread_local! {
    /// The first entry of the `poll` that this thread is in or about to enter; null: none.
    static POLLED: Cell<*mut libc::pollfd> = const { Cell::new(std::ptr::null_mut()) };
}

/// A descriptor number that is never open: poll(2) answers POLLNVAL for it at once.
const NO_DESCRIPTOR: libc::c_int = libc::c_int::MAX;
/// Whether SIGVTALRM runs `spoil_poll`.
static SPOILS: AtomicBool = AtomicBool::new(false);

/// The handler of SIGVTALRM. Its arrival alone ends a system call that has begun; one that is about to begin would
/// not notice. The kernel reads poll's array when the call begins, so an entry spoilt before ends it at once.
extern "C" fn spoil_poll(_: libc::c_int) {
    let first = POLLED.get();
    if !first.is_null() {
        // SAFETY: `poll` sets the pointer to an array that lives on this thread's stack until it clears it; the
        // handler runs on this thread, so the array is not being left.
        unsafe { std::ptr::write_volatile(&raw mut (*first).fd, NO_DESCRIPTOR) };
    }
}

/// poll(2) that `Native::signal` ends whenever it comes after `stop` was asked: no signal is lost between
/// the question and the system call. Returns the number of ready entries, or errno; EINTR when `stop` says so
/// or a signal came. `fds` must not be empty; its `fd`s are as before afterwards.
pub fn poll(fds: &mut [libc::pollfd], deadline_ns: Option<u64>, stop: impl FnOnce() -> bool) -> Result<usize, i32> {
    let Some(fd) = fds.first().map(|first| first.fd) else { return Ok(0) };
    install_handler();
    POLLED.set(fds.as_mut_ptr());
    let outcome = if stop() { Err(libc::EINTR) } else { poll_until(fds, deadline_ns) };
    POLLED.set(std::ptr::null_mut());
    let spoilt = fds[0].fd != fd;
    fds[0].fd = fd;
    if spoilt { Err(libc::EINTR) } else { outcome }
}

fn poll_until(fds: &mut [libc::pollfd], deadline_ns: Option<u64>) -> Result<usize, i32> {
    let left = deadline_ns.map(|at_ns| {
        let ns = at_ns.saturating_sub(now_ns());
        libc::timespec { tv_sec: (ns / 1_000_000_000) as libc::time_t, tv_nsec: (ns % 1_000_000_000) as libc::c_long }
    });
    let timeout = left.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: the slice is valid for its length; `timeout` is null or points at `left`, which outlives the call.
    let n = unsafe { libc::ppoll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, timeout, std::ptr::null()) };
    usize::try_from(n).map_err(|_| std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINTR))
}

/// Does a signal end every `poll` of this process, however early it comes?
pub fn signal_ends_poll() -> bool {
    SPOILS.load(Relaxed)
}

/// Takes the signal, once.
fn install_handler() {
    static ONCE: Once = Once::new();
    // SAFETY: the handler stores to the array that its own thread polls.
    ONCE.call_once(|| SPOILS.store(unsafe { take_signal(spoil_poll) }, Relaxed));
}

/// The address of the calling thread's `rseq` processor number, if the C library
/// registered one.
fn rseq_processor() -> Option<*const AtomicU32> {
    use std::sync::OnceLock;
    static OFFSET: OnceLock<Option<isize>> = OnceLock::new();
    let offset = (*OFFSET.get_or_init(|| {
        // SAFETY: the names are C strings; glibc documents the symbols as a `ptrdiff_t` and an `unsigned`.
        unsafe {
            let offset = libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_offset".as_ptr()).cast::<isize>();
            let size = libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_size".as_ptr()).cast::<u32>();
            let registered = !offset.is_null() && !size.is_null() && *size > 0;
            registered.then(|| *offset)
        }
    }))?;
    let base = thread_pointer()?;
    // SAFETY: the area lies at that offset from the thread pointer; the number is its second field.
    Some(unsafe { base.offset(offset).add(4) }.cast())
}

#[cfg(target_arch = "x86_64")]
fn thread_pointer() -> Option<*const u8> {
    let pointer: *const u8;
    // SAFETY: the ABI puts the thread pointer at fs:0; reading it changes nothing.
    unsafe { std::arch::asm!("mov {}, fs:0", out(reg) pointer, options(nostack, preserves_flags, readonly)) };
    Some(pointer)
}

#[cfg(target_arch = "aarch64")]
fn thread_pointer() -> Option<*const u8> {
    let pointer: *const u8;
    // SAFETY: reads the thread register, which changes nothing.
    unsafe { std::arch::asm!("mrs {}, tpidr_el0", out(reg) pointer, options(nostack, preserves_flags, nomem)) };
    Some(pointer)
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn thread_pointer() -> Option<*const u8> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_left_before_the_park_ends_it() {
        let parker = Parker::default();
        parker.unpark();
        parker.park(None);
        let before = now_ns();
        parker.park(Some(before + 2_000_000));
        assert!(now_ns() >= before + 2_000_000, "the first park took the token");
    }

    #[test]
    fn sleeps_and_work_are_counted() {
        let (used_ns, sleeps) = thread_usage();
        (0..3).for_each(|_| std::thread::sleep(std::time::Duration::from_micros(50)));
        assert!(thread_usage().1 >= sleeps + 3);
        while thread_usage().0 < used_ns + 2_000_000 {}
    }

    #[test]
    fn a_binding_ends_with_what_was_before() {
        // SAFETY: no arguments.
        let thread = || unsafe { libc::gettid() };
        // SAFETY: the number is below the size of the set.
        let has = |set: &libc::cpu_set_t, number| unsafe { libc::CPU_ISSET(number, set) };
        let numbers = |set: libc::cpu_set_t| {
            (0..libc::CPU_SETSIZE as usize).filter(|number| has(&set, *number)).collect::<Vec<_>>()
        };
        let here = || numbers(processors_of(thread()).unwrap());
        let before = here();
        let Some(last) = before.last().copied().filter(|_| before.len() > 1) else { return };
        let binding = Binding::new(&Native::current(), last as u32).expect("it may run there");
        assert_eq!(here(), [last]);
        std::thread::scope(|scope| scope.spawn(|| binding.undo()).join()).unwrap();
        assert_eq!(here(), before, "undone by another thread");
        // Somebody else binds the thread meanwhile: that stays.
        let binding = Binding::new(&Native::current(), last as u32).expect("it may run there");
        let other = Binding { thread: thread(), to: processors_of(thread()).unwrap(), before: binding.before };
        // SAFETY: the set is plain bits, and the number is below its size.
        let first = unsafe {
            let mut first: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(before[0], &mut first);
            first
        };
        assert!(other.apply(&first));
        binding.undo();
        assert_eq!(here(), [before[0]]);
        assert!(other.apply(&other.before));
        assert!(
            Binding::new(&Native::current(), libc::CPU_SETSIZE as u32).is_none()
                && Binding::new(&Native::current(), u32::MAX).is_none()
        );
        assert_eq!(here(), before);
    }

    #[test]
    fn the_processor_is_known_and_ones_own() {
        if rseq_processor().is_some() {
            assert!(Native::current().shares_processor());
        }
    }
}

//! Native threads that start whole or not at all. A thread of the standard library maps memory for its stack-overflow
//! handler once it runs, and ends the process when there is none; these have no such handler.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// What stack sizes are rounded up to.
const PAGE_BYTES: usize = 4096;
/// The kernel's limit on names of threads.
const NAME_BYTES_MAX: usize = 15;

struct Start {
    /// Shown where the system has a way to set it.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code))]
    name: Vec<u8>,
    body: Box<dyn FnOnce() + Send>,
}

/// Runs `body` on a detached native thread with this many bytes of stack. `name`: as the system shows it, at most 15
/// bytes of it; empty: that of the starting thread. A panic ends that thread alone. False: the system has no thread or
/// no memory for it, and `body` is dropped.
pub fn spawn_native(name: &str, stack_bytes: usize, body: impl FnOnce() + Send + 'static) -> bool {
    let mut name: Vec<u8> = name.bytes().filter(|byte| *byte != 0).take(NAME_BYTES_MAX).collect();
    if !name.is_empty() {
        name.push(0);
    }
    let start = Box::into_raw(Box::new(Start { name, body: Box::new(body) }));
    let bytes = stack_bytes.max(libc::PTHREAD_STACK_MIN).next_multiple_of(PAGE_BYTES);
    // SAFETY: the attributes are initialised before they are used and destroyed after; `start` belongs to the new
    // thread if there is one.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        let mut thread: libc::pthread_t = std::mem::zeroed();
        let ready = libc::pthread_attr_init(&mut attributes) == 0;
        let started = ready
            && libc::pthread_attr_setstacksize(&mut attributes, bytes) == 0
            && libc::pthread_attr_setdetachstate(&mut attributes, libc::PTHREAD_CREATE_DETACHED) == 0
            && libc::pthread_create(&mut thread, &attributes, run, start.cast()) == 0;
        if ready {
            libc::pthread_attr_destroy(&mut attributes);
        }
        if !started {
            drop(Box::from_raw(start));
        }
        started
    }
}

/// Blocks all signals for the running native thread: they are for the threads of the program.
pub fn block_signals() {
    // SAFETY: the set is ours.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_BLOCK, &all, std::ptr::null_mut());
    }
}

/// How many bodies have not ended, and those who wait until none is left.
#[derive(Default)]
struct Gate {
    inside: Mutex<usize>,
    empty: Condvar,
}

impl Gate {
    fn enter(self: &Arc<Self>) -> Inside {
        *self.inside.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Inside(Arc::clone(self))
    }

    fn wait(&self) {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        while *inside > 0 {
            inside = self.empty.wait(inside).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Leaves the gate when dropped: a body holds it to its end, also when it panics or never starts.
struct Inside(Arc<Gate>);

impl Drop for Inside {
    fn drop(&mut self) {
        *self.0.inside.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.empty.notify_all();
    }
}

/// A body that runs on a native thread of its own.
pub struct NativeJoin(Arc<Gate>);

impl NativeJoin {
    /// Waits until the body has ended.
    pub fn join(self) {
        self.0.wait();
    }

    /// `join` for one that stays.
    pub fn wait(&self) {
        self.0.wait();
    }
}

/// `spawn_native` for a body whose end somebody waits for. `None`: it was not started, and is dropped.
pub fn spawn_joined(name: &str, stack_bytes: usize, body: impl FnOnce() + Send + 'static) -> Option<NativeJoin> {
    let gate = Arc::<Gate>::default();
    let inside = gate.enter();
    let started = spawn_native(name, stack_bytes, move || {
        let _inside = inside;
        body();
    });
    started.then_some(NativeJoin(gate))
}

/// Runs `work` on the calling thread and on up to `helpers` native threads, as many as the system gives, and returns
/// when all have ended.
pub fn with_helpers(name: &str, stack_bytes: usize, helpers: usize, work: &(dyn Fn() + Sync)) {
    struct AwaitAll(Arc<Gate>);
    impl Drop for AwaitAll {
        fn drop(&mut self) {
            self.0.wait();
        }
    }
    let all = AwaitAll(Arc::default());
    // SAFETY: only the lifetime changes. The helpers use `work` while they are inside the gate, and this function does
    // not end, by return or panic, before `all` is dropped, which waits until nobody is.
    let shared = unsafe { std::mem::transmute::<&(dyn Fn() + Sync), &'static (dyn Fn() + Sync)>(work) };
    for _ in 0..helpers {
        let inside = all.0.enter();
        spawn_native(name, stack_bytes, move || {
            let _inside = inside;
            shared();
        });
    }
    work();
}

extern "C" fn run(start: *mut libc::c_void) -> *mut libc::c_void {
    // SAFETY: made by `spawn_native` for this thread alone.
    let start = *unsafe { Box::from_raw(start.cast::<Start>()) };
    #[cfg(target_os = "linux")]
    if !start.name.is_empty() {
        // SAFETY: the name ends with a zero byte.
        unsafe { libc::prctl(libc::PR_SET_NAME, start.name.as_ptr(), 0, 0, 0) };
    }
    // The panic has been reported where it began.
    let _ = catch_unwind(AssertUnwindSafe(start.body));
    null_mut()
}

#[cfg(test)]
mod tests {
    use super::{spawn_joined, spawn_native, with_helpers};
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::sync::mpsc::channel;

    #[test]
    fn runs_the_body_and_survives_its_panic() {
        let (sender, receiver) = channel();
        assert!(spawn_native("worker", 64 << 10, move || {
            let name = std::fs::read_to_string("/proc/thread-self/comm").unwrap();
            sender.send(name).unwrap();
            std::panic::resume_unwind(Box::new("ends this thread alone"));
        }));
        assert_eq!(receiver.recv().unwrap().trim_end(), "worker");
        assert!(receiver.recv().is_err());
    }

    #[test]
    fn joins_wait_for_the_end_also_after_a_panic() {
        let (sender, receiver) = channel();
        let joined = spawn_joined("", 64 << 10, move || sender.send(1).unwrap()).expect("a thread");
        joined.join();
        assert_eq!(receiver.try_recv(), Ok(1));
        spawn_joined("", 64 << 10, || std::panic::resume_unwind(Box::new("ends"))).expect("a thread").join();
        assert!(spawn_joined("", usize::MAX >> 2, || ()).is_none());
    }

    #[test]
    fn helpers_share_what_the_caller_borrows() {
        let (turns, next) = (AtomicUsize::new(0), AtomicUsize::new(0));
        with_helpers("helper", 64 << 10, 3, &|| {
            while next.fetch_add(1, SeqCst) < 1000 {
                turns.fetch_add(1, SeqCst);
            }
        });
        assert_eq!(turns.into_inner(), 1000);
        let alone = AtomicUsize::new(0);
        with_helpers("", usize::MAX >> 2, 3, &|| {
            alone.fetch_add(1, SeqCst);
        });
        assert_eq!(alone.into_inner(), 1, "without threads the caller works alone");
    }

    #[test]
    fn drops_the_body_when_there_is_no_thread() {
        let (sender, receiver) = channel::<()>();
        assert!(!spawn_native("", usize::MAX >> 2, move || sender.send(()).unwrap()));
        assert!(receiver.recv().is_err());
    }
}

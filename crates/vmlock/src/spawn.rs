//! Native threads that start whole or not at all. A thread of the standard library maps memory for its stack-overflow handler
//! once it runs, and ends the process when there is none; these have no such handler.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

/// What stack sizes are rounded up to.
const PAGE_BYTES: usize = 4096;
/// The kernel's limit on names of threads.
const NAME_BYTES_MAX: usize = 15;

struct Start {
    name: Vec<u8>,
    body: Box<dyn FnOnce() + Send>,
}

/// Runs `body` on a detached native thread with this many bytes of stack. `name`: as the system shows it, at most 15 bytes of it;
/// empty: that of the starting thread. A panic ends that thread alone. False: the system has no thread or no memory for it, and
/// `body` is dropped.
pub fn spawn_native(name: &str, stack_bytes: usize, body: impl FnOnce() + Send + 'static) -> bool {
    let mut name: Vec<u8> = name.bytes().filter(|byte| *byte != 0).take(NAME_BYTES_MAX).collect();
    if !name.is_empty() {
        name.push(0);
    }
    let start = Box::into_raw(Box::new(Start { name, body: Box::new(body) }));
    let bytes = stack_bytes.max(libc::PTHREAD_STACK_MIN).next_multiple_of(PAGE_BYTES);
    // SAFETY: the attributes are initialised before they are used and destroyed after; `start` belongs to the new thread
    // if there is one.
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
    use super::spawn_native;
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
    fn drops_the_body_when_there_is_no_thread() {
        let (sender, receiver) = channel::<()>();
        assert!(!spawn_native("", usize::MAX >> 2, move || sender.send(()).unwrap()));
        assert!(receiver.recv().is_err());
    }
}

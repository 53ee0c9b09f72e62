//! Time limits: a thread of the host's own that watches a call and ends it.

use rubellite_vm::thread::ThreadState;
use rubellite_vm::vmlock::{NativeJoin, spawn_joined};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// Once the time is over, the call is ended again this often: its ensure clauses have no more time than that.
const AGAIN: Duration = Duration::from_millis(50);

/// Bytes of stack of the thread that watches.
const WATCHER_BYTES: usize = 256 << 10;

/// Watches until it is ended.
pub struct Watch {
    done: Arc<(Mutex<bool>, Condvar)>,
    target: Arc<ThreadState>,
    watcher: Option<NativeJoin>,
}

impl Watch {
    /// Ends what the thread does in the VM from `deadline` on. Without another native thread there is no limit.
    pub fn start(target: Arc<ThreadState>, deadline: Instant) -> Watch {
        let done = Arc::new((Mutex::new(false), Condvar::new()));
        let (theirs, thread) = (Arc::clone(&done), Arc::clone(&target));
        let watcher = spawn_joined("time limit", WATCHER_BYTES, move || watch(&theirs, &thread, deadline));
        Watch { done, target, watcher }
    }

    /// The call is over: its thread may go on.
    pub fn end(mut self) {
        *self.done.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = true;
        self.done.1.notify_one();
        if let Some(watcher) = self.watcher.take() {
            watcher.join();
        }
        self.target.renew();
    }
}

fn watch(done: &(Mutex<bool>, Condvar), target: &ThreadState, deadline: Instant) {
    let mut over = done.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut wait = deadline.saturating_duration_since(Instant::now());
    while !*over {
        let (guard, timeout) = done.1.wait_timeout(over, wait).unwrap_or_else(|poisoned| poisoned.into_inner());
        over = guard;
        if !*over && timeout.timed_out() {
            target.expire();
            wait = AGAIN;
        } else {
            wait = deadline.saturating_duration_since(Instant::now());
        }
    }
}

//! Work outside the lock that a fork must not cut off: functions of the C library that hold its locks, as `getaddrinfo`
//! does. Such a lock stays locked in the child for good. A fork waits for them, but not for long: they may ask a server
//! for seconds, and have no lock while they wait for its answer.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a fork waits at most.
const PATIENCE: Duration = Duration::from_millis(10);

/// How many such works go on in this process; the C library's locks are the process's, too.
static WORKS: Mutex<usize> = Mutex::new(0);
static NONE_LEFT: Condvar = Condvar::new();

/// While it lives, forks wait.
pub struct Delicate(());

impl Delicate {
    pub fn begin() -> Delicate {
        *works() += 1;
        Delicate(())
    }
}

impl Drop for Delicate {
    fn drop(&mut self) {
        let mut works = works();
        *works = works.saturating_sub(1);
        if *works == 0 {
            NONE_LEFT.notify_all();
        }
    }
}

fn works() -> MutexGuard<'static, usize> {
    WORKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While it lives, no such work begins or ends.
pub struct AtRest(MutexGuard<'static, usize>);

/// Waits for the works.
pub fn at_rest() -> AtRest {
    let (mut works, deadline) = (works(), Instant::now() + PATIENCE);
    while *works > 0 {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        works = NONE_LEFT.wait_timeout(works, left).unwrap_or_else(PoisonError::into_inner).0;
    }
    AtRest(works)
}

impl AtRest {
    /// In the child of a fork there are none.
    pub fn after_fork(&mut self) {
        *self.0 = 0;
    }
}

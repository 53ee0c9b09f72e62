//! The threads that a transition of the lock wakes. They are noted while the mutex is held and woken when it is free
//! again: a thread that is woken may run at once, and would then wait for the mutex.

use crate::core::thread::LockThread;
use crate::sys::Park;
use std::sync::Arc;

/// Whom to wake once the mutex is free.
#[derive(Default)]
pub(crate) struct Wakes {
    pub next: Option<Arc<LockThread>>,
    /// The giver goes on where the next is bound to wake up.
    pub beside_giver: bool,
    pub timekeeper: Option<Arc<LockThread>>,
}

impl Wakes {
    /// Wakes them.
    pub fn send(self) {
        if let Some(next) = self.next.as_ref().filter(|_| self.beside_giver) {
            next.policy.unbind();
        }
        for thread in [self.next, self.timekeeper].into_iter().flatten() {
            thread.parker.unpark();
        }
    }
}

//! Waiting for descriptors outside the lock. An interrupt ends the wait with one signal, whenever it comes; see
//! `sys` for how. Which descriptors, and who else waits for them, is the embedder's business.

use crate::core::region::Kind;
use crate::core::thread::LockThread;
use crate::core::unblock::Unblock;
use crate::sys;
use std::time::Instant;

impl LockThread {
    /// poll(2) outside the lock until a descriptor is ready, the deadline passes (0) or an interrupt that ends waits
    /// comes (EINTR). Returns the number of ready entries, or errno. `fds` must not be empty: an entry
    /// with the descriptor -1 stands for none.
    pub fn poll(&self, fds: &mut [libc::pollfd], deadline: Option<Instant>) -> Result<usize, i32> {
        let deadline_ns = deadline.map(sys::instant_ns);
        let work = || sys::poll(fds, deadline_ns, || self.pending_wake_bits() != 0);
        self.blocking(Kind::Long, Unblock::Poll, work).unwrap_or(Err(libc::EINTR))
    }
}

//! Parking: how mutexes, queues and condition variables built on the lock wait.
//! A parked thread that is unparked by a running one moves straight into the lock's
//! queue and is woken once, when it is its turn. The transitions are in `lock`.

/// Why `LockThread::park` returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParkResult {
    /// `LockThread::unpark` was called, during the park or since the last one.
    Unparked,
    /// The deadline passed.
    TimedOut,
    /// An interrupt that ends waits is pending.
    Interrupted,
}

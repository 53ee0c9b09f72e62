//! Settings of one lock. Those that may change while it runs have a setter on
//! `VmLock` or `LockThread`.

use std::time::Duration;

/// Settings of a `VmLock`. The defaults were measured on two cores; see the
/// `figures` example.
#[derive(Clone, Debug)]
pub struct Config {
    /// How long a thread may run while another waits.
    pub slice: Duration,
    /// How long a priority grant lasts before it counts as a normal one, and how
    /// long its holder is safe from other priority requests.
    pub priority_slice: Duration,
    /// How long a waiter spins before it sleeps, after it asked for priority or was
    /// preempted for one. Zero switches spinning off.
    pub spin: Duration,
    /// A spinning waiter steals a lent lock when it has seen one region for this long.
    pub steal_age: Duration,
    /// A sleeping waiter that watches a lent lock looks again after this long.
    pub watch_interval: Duration,
    /// Priority time that may be used ahead of normal time while normal threads wait.
    /// Above it there is no priority until half of it has been repaid.
    pub priority_burst: Duration,
    /// The share of the time, in percent, that the priority class may use for long
    /// while normal threads wait. At 100 there is no limit.
    pub priority_share_percent: u32,
    /// After so many short turns in a row the next but one is woken together with the next; see `spin`. Never where
    /// the process has one processor: nobody could spin beside the holder.
    pub ahead_after: u32,
    /// A thread that parks spins before it sleeps when so many of its parks were short of late; see `spin`.
    pub spin_parked_after: u32,
    /// Threads that mostly wait ask the kernel for short slices, where it grants them: they then
    /// run soon after they wake, also where several threads share a processor. Threads that compute let such threads go first: they
    /// yield now and then, and ask for long slices while they compute outside the lock.
    pub short_kernel_slices: bool,
    /// Threads that compute take turns on one processor, where slices last for milliseconds and nobody else wants it.
    pub rotate_on_one_processor: bool,
    /// A thread that held the lock for less than this in the last 100 ms goes before
    /// other priority threads. Zero switches the rule off.
    pub light: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            slice: Duration::from_millis(5),
            priority_slice: Duration::from_millis(1),
            spin: Duration::from_micros(30),
            steal_age: Duration::from_micros(1),
            watch_interval: Duration::from_micros(100),
            priority_burst: Duration::from_millis(10),
            priority_share_percent: 60,
            ahead_after: 32,
            spin_parked_after: 4,
            short_kernel_slices: true,
            rotate_on_one_processor: true,
            light: Duration::from_micros(100),
        }
    }
}

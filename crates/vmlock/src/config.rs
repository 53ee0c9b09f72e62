//! Settings of one lock. Those that may change while it runs have a setter on
//! `VmLock` or `LockThread`.

use crate::policy::Mechanisms;
use crate::sys;
use std::time::Duration;

/// Times that are set are at most this (some 19 hours), so that sums with the clock stay in range.
const LONGEST_NS: u64 = 1 << 46;

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
    /// A thread that parks spins before it sleeps when so many of its parks were short of late (at most 8 count); see
    /// `spin`.
    pub spin_parked_after: u32,
    /// What the policy does beyond the plain rules.
    pub mechanisms: Mechanisms,
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
            mechanisms: Mechanisms::default(),
            light: Duration::from_micros(100),
        }
    }
}

impl Config {
    /// The defaults with the plain policy: no mechanism beyond the core's own rules.
    pub fn plain() -> Config {
        Config { mechanisms: Mechanisms::PLAIN, ..Config::default() }
    }
}

/// A setting in nanoseconds.
pub(crate) fn setting_ns(time: Duration) -> u64 {
    sys::duration_ns(time).min(LONGEST_NS)
}

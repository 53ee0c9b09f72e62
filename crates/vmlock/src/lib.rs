//! A virtual machine lock for any interpreter that runs on native threads.
//!
//! One thread at a time runs the interpreter. A thread that waits in the kernel
//! or works natively leaves the lock; a thread that comes back from such a wait
//! takes it at the holder's next safepoint. With nobody waiting, every operation
//! is one compare-and-swap. The crate knows nothing of what the interpreter runs.
//!
//! # Use
//! A toy interpreter: a counter that only the holder of the lock may touch, two threads that compute and one that
//! sleeps now and then.
//!
//! ```
//! use rubellite_vmlock::{Config, Kind, LockThread, RegionSite, VmLock};
//! use std::cell::Cell;
//! use std::sync::Arc;
//! use std::thread;
//! use std::time::Duration;
//!
//! /// What the lock guards.
//! struct Machine(Cell<u64>);
//! // SAFETY: only the holder of the lock opens the cell.
//! unsafe impl Sync for Machine {}
//!
//! static PARSE: RegionSite = RegionSite::new("parse");
//!
//! fn interpret(me: &LockThread, machine: &Machine, steps: u64, sleepy: bool) {
//!     for step in 1..=steps {
//!         machine.0.set(machine.0.get() + 1); // an instruction
//!         if me.interrupt.pending() {
//!             me.safepoint_slow(); // the slice is over, or somebody is back from a wait
//!         }
//!         if sleepy && step % 1000 == 0 {
//!             me.region(Kind::Long, || thread::sleep(Duration::from_micros(100))); // others run meanwhile
//!             me.region(Kind::Short(&PARSE), || "12".parse::<u64>().unwrap()); // costs a few ns if nobody waits
//!         }
//!     }
//! }
//!
//! let lock = VmLock::new(Config { slice: Duration::from_millis(1), ..Config::default() });
//! let machine = Arc::new(Machine(Cell::new(0)));
//! let threads = ["computes", "computes too", "sleeps"].map(|name| {
//!     let (lock, machine) = (Arc::clone(&lock), Arc::clone(&machine));
//!     thread::spawn(move || {
//!         let me = lock.attach(name);
//!         me.acquire();
//!         interpret(&me, &machine, 20_000, name == "sleeps");
//!         me.release();
//!         me.detach();
//!     })
//! });
//! threads.into_iter().for_each(|thread| thread.join().unwrap());
//! assert_eq!(machine.0.get(), 60_000); // no step was lost
//! assert!(lock.totals().runs >= 3);
//! ```
//!
//! # Contract with the embedder
//! The lock changes hands only inside calls that the embedder makes itself:
//! `acquire`, `release`, `safepoint_slow`, `yield_now`, regions and `park`. Before
//! each of them the thread must have published whatever another thread may look
//! at (spilled registers, its stack pointer for a collector, its program
//! counter), and after each it must reread what another thread may have changed.
//! `Thread` operations other than `interrupt`, `unpark` and the readers belong to
//! the native thread that attached it.
//!
//! # Figures
//! On two cores of a virtual machine, where an atomic read-modify-write costs 8 ns (`examples/figures.rs` prints them):
//! acquire and release 16 ns, a short region 11 ns, a poll 0.25 ns; a long region 70 ns with both cores loaded, nearly
//! all of it the two stamps of its thread's account (135 ns when they were readings of the clock). A priority request
//! beside 1, 2, 4, 8 threads that compute waits 1.7 to 3 us at the median, 5 to 15 us at p99. Two to eight such threads
//! leave 0.3 to 0.9 % of the time between their turns, all on one processor. Regions of 1 us leave both sides half of
//! the time; from 10 us on they overlap with the other's work (30 us: 91 % of their own rate, the other keeps 91 %). A
//! hundred chatty threads leave one that computes 38 %.
//!
//! # Tests
//! `tests/model` compiles these sources a second time on a simulated system and runs them under random
//! schedules; `tests/loom` under every schedule with few preemptions, memory orders included; `tests/stress`
//! for a while on the real one.
//!
//! # Where things are
//! The lock is a `core`, which is right, and a `policy`, which is fast: the core asks it where there is a choice, and
//! never knows how the answer came about.
//!
//! | file | what |
//! |---|---|
//! | `core/word` | the lock's one word, its states and the arithmetic on them |
//! | `core/lock` | `VmLock`: the states, all transitions and the invariants; what lies under the mutex |
//! | `core/transitions` | taking, handing over, giving way, and that somebody keeps the time |
//! | `core/thread` | `LockThread`: what one native thread may do, and the fast paths |
//! | `core/takeover` | how a turn begins, and who uses the time until it does |
//! | `core/wait` | how a waiter sleeps, keeps the time and steals |
//! | `core/queue` | slots of the attached threads and the two queues |
//! | `core/region`, `park`, `unblock` | leaving the lock, and being called back |
//! | `core/fork` | the lock in the child of a fork |
//! | `core/interrupt` | the word that a safepoint polls |
//! | `core/stats`, `trace`, `schedule` | counters, the event hook, the decision hook |
//! | `core/observe` | what every thread does at one moment |
//! | `policy` | the six questions that the core asks, and who answers them |
//! | `policy/mechanism` | a switch for each mechanism |
//! | `policy/fairness` | who may go first, and for how long, so that nobody starves |
//! | `policy/spin` | waiting awake |
//! | `policy/wake_ahead` | threads that are awake before their turn comes, where turns are short |
//! | `policy/affinity` | on which processor threads that compute take turns |
//! | `policy/kernel_slices` | which slices to ask of the kernel, and when to yield |
//! | `policy/score`, `crowding`, `yields` | what several of them remember in the same way |
//! | `poll` | waiting for descriptors outside the lock |
//! | `spawn` | native threads that start whole or not at all |
//! | `list` | an intrusive list for the embedder's wait queues |
//! | `config` | the settings |
//! | `sys` | the operating system: what a port must promise, one file per system, time stamps in `sys/clock` |

mod config;
mod core;
pub mod list;
mod policy;
mod poll;
mod spawn;
mod sys;
#[cfg(test)]
mod tests;

pub use config::Config;
pub use core::designated::{designate_next, holds_designated};
pub use core::holds::{AskedHook, Hold};
pub use core::interrupt::InterruptWord;
pub use core::lock::{Census, VmLock};
pub use core::observe::{Doing, Glance, monotonic_ns};
pub use core::park::ParkResult;
pub use core::region::{Kind, RegionGuard, RegionPass, RegionSite};
pub use core::schedule::{Decision, Schedule, SeededSchedule, SwitchPoint};
pub use core::stats::{Reason, ThreadStats, Wait};
pub use core::thread::{Entry, LockThread, ThreadId};
pub use core::trace::{Event, EventKind, Trace};
pub use core::unblock::{Interrupted, Unblock};
pub use policy::{Bound, Crowding, Limits, Mechanism, Mechanisms, Pause, Score, spin};
pub use spawn::{NativeJoin, block_signals, spawn_joined, spawn_native, with_helpers};
pub use sys::{Parker, interrupt_here};

//! A virtual machine lock for any interpreter that runs on native threads.
//!
//! One thread at a time runs the interpreter. A thread that waits in the kernel
//! or works natively leaves the lock; a thread that comes back from such a wait
//! takes it at the holder's next safepoint. With nobody waiting, every operation
//! is one compare-and-swap. The crate knows nothing of what the interpreter runs.
//!
//! # Use
//! ```
//! use rubellite_vmlock::{Config, Kind, RegionSite, VmLock};
//!
//! let lock = VmLock::new(Config::default());
//! let thread = lock.attach("main");
//! thread.acquire();
//! if thread.interrupt.pending() {
//!     let _bits = thread.safepoint_slow(); // at back-edges and calls
//! }
//! static INFLATE: RegionSite = RegionSite::new("inflate");
//! let n = thread.region(Kind::Short(&INFLATE), || 6 * 7); // outside the lock
//! assert_eq!(n, 42);
//! thread.release();
//! thread.detach();
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
//! On two cores of a virtual machine, where an atomic read-modify-write costs 8 ns (`examples/figures.rs`
//! prints them): acquire and release 16 ns, a short region 11 ns, a long one 16 ns, a poll 0.25 ns. A priority
//! request beside 1, 2, 4, 8 threads that compute waits 1.7 to 3 us at the median, 5 to 15 us at p99. Eight
//! such threads get 96 to 100 % of a processor together. Regions of 1 us leave both sides half of the time; from
//! 10 us on they overlap with the other's work (30 us: 91 % of their own rate, the other keeps 91 %). A hundred
//! chatty threads leave one that computes 46 %.
//!
//! # Tests
//! `tests/model` compiles these sources a second time on a simulated system and runs them under random
//! schedules; `tests/loom` under every schedule with few preemptions, memory orders included; `tests/stress`
//! for a while on the real one.
//!
//! # Where things are
//! | file | what |
//! |---|---|
//! | `word` | the lock's one word, its states and the arithmetic on them |
//! | `lock` | `VmLock`: the state machine and every transition |
//! | `thread` | `LockThread`: what one native thread may do |
//! | `wait` | how a waiter spins, sleeps, keeps the time and steals |
//! | `queue` | slots of the attached threads and the two queues |
//! | `fairness` | who may go first, and for how long |
//! | `region`, `park`, `poll`, `unblock` | leaving the lock, and being called back |
//! | `interrupt` | the word that a safepoint polls |
//! | `stats`, `trace`, `schedule` | counters, the event hook, the decision hook |
//! | `list` | an intrusive list for the embedder's wait queues |
//! | `sys` | the operating system: one trait, one file per system |

mod config;
mod fairness;
mod interrupt;
pub mod list;
mod lock;
mod park;
mod poll;
mod queue;
mod region;
mod schedule;
mod stats;
mod sys;
mod thread;
mod trace;
mod unblock;
mod wait;
mod word;

pub use config::Config;
pub use interrupt::InterruptWord;
pub use lock::{Census, VmLock};
pub use park::ParkResult;
pub use region::{Kind, RegionGuard, RegionPass, RegionSite};
pub use schedule::{Decision, Schedule, SeededSchedule, SwitchPoint};
pub use stats::{Reason, ThreadStats, Wait};
pub use sys::Parker;
pub use thread::{Entry, LockThread, ThreadId};
pub use trace::{Event, EventKind, Trace};
pub use unblock::{Interrupted, Unblock};

//! Rubellite as a library: Ruby virtual machines inside a Rust program.
//!
//! ```
//! use rubellite::Vm;
//!
//! let vm = Vm::new()?;
//! let sum: i64 = vm.eval("[1, 2, 3].sum")?;
//! assert_eq!(sum, 6);
//!
//! vm.define("Host", "greet", |scope, args| {
//!     let name: String = scope.get(args, 0)?;
//!     Ok(format!("Hello {name}"))
//! })?;
//! let words: Vec<String> = vm.eval("%w[Ada Grace].map { |name| Host.greet(name) }")?;
//! assert_eq!(words, ["Hello Ada", "Hello Grace"]);
//!
//! let error = vm.eval::<()>("def risky = raise(ArgumentError, 'no'); risky").unwrap_err();
//! let exception = error.exception().unwrap();
//! assert_eq!((exception.class.as_str(), exception.message.as_str()), ("ArgumentError", "no"));
//! assert!(exception.backtrace[0].starts_with("(eval):1:in 'Object#risky'"));
//! # Ok::<(), rubellite::Error>(())
//! ```
//!
//! # Threads
//! A `Vm` is a handle that any thread may use and clone. Whoever enters becomes a thread of the VM, takes its lock, and
//! shares the time with the VM's other threads by the rules of the lock; between calls it is outside.
//!
//! ```
//! # use rubellite::Vm;
//! let vm = Vm::new()?;
//! vm.eval::<()>("COUNTS = Queue.new")?;
//! std::thread::scope(|scope| {
//!     for i in 0..4 {
//!         let vm = vm.clone();
//!         scope.spawn(move || vm.eval::<()>(&format!("COUNTS << {i}")));
//!     }
//! });
//! assert_eq!(vm.eval::<Vec<i64>>("Array.new(4) { COUNTS.pop }.sort")?, [0, 1, 2, 3]);
//! # Ok::<(), rubellite::Error>(())
//! ```
//!
//! # Limits
//! ```
//! # use rubellite::{Error, Vm};
//! # use std::time::Duration;
//! let vm = Vm::builder().time_limit(Duration::from_millis(50)).memory_limit(64 << 20).build()?;
//! assert!(matches!(vm.eval::<()>("loop { }"), Err(Error::TimedOut)));
//! let error = vm.eval::<()>("a = []; loop { a << 'x' * 100_000 }").unwrap_err();
//! assert!(matches!(error, Error::TimedOut) || error.exception().unwrap().class == "NoMemoryError");
//! assert_eq!(vm.eval::<i64>("1 + 1")?, 2);
//! # Ok::<(), rubellite::Error>(())
//! ```
//!
//! Limits hold programs that are wrong, not ones that attack. A single allocation beyond the memory limit is refused,
//! and so is source text that cannot be compiled within it; `GC.disable` keeps garbage only up to half of it. What Ruby
//! code has no part in is not counted: threads' stacks (a VM's threads are native ones), files, sockets.
//!
//! # What a VM isolates
//! Objects, classes, global variables, `$LOAD_PATH`, threads, finalizers, `at_exit` and `exit` are the VM's own. The
//! process is shared, and so are files, descriptors (by number, too: `IO.for_fd(1)`), standard input and output,
//! sockets, the working directory, the environment, the mask of new files, signals and their traps, child processes,
//! resource limits, priorities, users and groups. `exit!`, `exec` and `Process.kill` end or replace the process of the
//! host. [`Builder::isolated`] takes away all that changes the process, not the use of files and sockets, which the
//! host limits by the means of the system.
//!
//! ```
//! # use rubellite::Vm;
//! let vm = Vm::builder().isolated().build()?;
//! let error = vm.eval::<()>("exit!").unwrap_err();
//! assert_eq!(error.exception().unwrap().message, "exit! reaches the host's process");
//! # Ok::<(), rubellite::Error>(())
//! ```
//!
//! # Outside the lock
//! A native method keeps every other thread of the VM from running while it computes. `Scope::blocking` lets go of the
//! lock for the length of a closure, which cannot take a Ruby value with it, and ends the closure when somebody
//! interrupts the thread; see [`Unblock`] and [`Region`], and the guide in `docs/regions.md`.
//!
//! ```
//! # use rubellite::{Unblock, Vm};
//! let vm = Vm::new()?;
//! vm.eval::<()>("STEPS = []")?;
//! vm.define("Host", "sum", |scope, args| {
//!     let n: u64 = scope.get(args, 0)?;
//!     let steps = scope.constant("STEPS")?;
//!     scope.blocking(Unblock::Flag, |region| {
//!         let mut sum = 0;
//!         for i in 0..n {
//!             if i % 1000 == 0 {
//!                 region.with_lock(|scope| scope.call::<()>(&steps, "push", (i,)))?;
//!             }
//!             if region.interrupted() {
//!                 return None;
//!             }
//!             sum += i;
//!         }
//!         Some(sum)
//!     })
//! })?;
//! assert_eq!(vm.eval::<u64>("Host.sum(2500)")?, 3_123_750);
//! assert_eq!(vm.eval::<Vec<u64>>("STEPS")?, [0, 1000, 2000]);
//! # Ok::<(), rubellite::Error>(())
//! ```
//!
//! Values cross by conversion (`FromRuby`, `IntoRuby`) or as `Any`, which keeps the object alive. Several VMs live in
//! one process; a value of one is refused by the other. The examples of this crate show a scripted program, worker
//! threads on one VM, and a VM per tenant with limits.

#![forbid(unsafe_code)]

mod error;
mod limit;
mod region;
mod scope;
#[cfg(doctest)]
mod soundness;
mod value;
mod vm;

pub use error::{Error, Exception};
pub use region::{Region, Unblock};
/// The crate of the VM, for extensions: contexts, class tables, layouts of objects.
pub use rubellite_vm;
pub use scope::Scope;
pub use value::{Any, Bytes, FromRuby, IntoArgs, IntoRuby, Symbol};
pub use vm::{Builder, Library, Session, Vm};

use rubellite_vm::placement::OwnedCtx;
use rubellite_vm::{Ctx, VmConfig, VmHandle};

/// A bare VM with all core classes whose main thread is the calling thread, and its context: for the command line,
/// which has a process to itself. Programs that embed Ruby use `Vm`.
///
/// # Errors
/// `OutOfMemory`, `Boot`.
pub fn boot(config: VmConfig) -> Result<(VmHandle, OwnedCtx), Error> {
    let (handle, mut ctx) = boot_without_extensions(config)?;
    rubellite_cext::register(&mut ctx);
    Ok((handle, ctx))
}

/// `boot`, without a way to load extensions in C.
fn boot_without_extensions(config: VmConfig) -> Result<(VmHandle, OwnedCtx), Error> {
    let (handle, mut ctx) = VmHandle::new(config, rubellite_corelib::hooks()).ok_or(Error::OutOfMemory)?;
    if rubellite_corelib::boot(&mut ctx).is_err() {
        let report = ctx.take_exception().map(|e| rubellite_core_object::report(&mut ctx, e, false).0);
        return Err(Error::Boot(String::from_utf8_lossy(&report.unwrap_or_default()).into_owned()));
    }
    rubellite_stdlib::register_all(&mut ctx);
    rubellite_openssl::register(&mut ctx);
    #[cfg(feature = "jit")]
    if rubellite_jit::define(&mut ctx).is_err() {
        return Err(Error::Boot("Rubellite::JIT".to_string()));
    }
    Ok((handle, ctx))
}

/// `RUBELLITE_STRESS=gc,steps,switch`: collect at every allocation; make a step of a collection at every allocation;
/// switch threads at every safepoint.
pub fn stress_from_environment(ctx: &mut Ctx) {
    let Ok(list) = std::env::var("RUBELLITE_STRESS") else { return };
    for word in list.split(',') {
        match word {
            "gc" => ctx.set_gc_stress(true),
            "steps" => ctx.set_gc_step_stress(true),
            "switch" => ctx.thread().lock_thread.interrupt(rubellite_vm::thread::interrupt_bits::STRESS),
            _ => {}
        }
    }
}

//! `Vm` and its builder: making a VM, entering it from any thread, ending it.
//!
//! The VM's main thread is a native thread that does nothing but live: it has the Thread object `Thread.main`, and runs
//! the `at_exit` blocks when the last handle is dropped. The host's threads come and go as threads beside it.

use crate::error::Error;
use crate::limit::Watch;
use crate::scope::Scope;
use crate::value::{FromRuby, IntoRuby, Kept};
use rubellite_core_process as process;
use rubellite_core_process::program;
use rubellite_core_thread as concurrency;
use rubellite_vm::placement::OwnedCtx;
use rubellite_vm::thread::ThreadState;
use rubellite_vm::vmlock::VmLock;
use rubellite_vm::{Ctx, VmConfig, VmHandle};
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::{JoinHandle, ThreadId};
use std::time::{Duration, Instant};

/// Machine stack of the VM's main thread.
const MAIN_STACK_BYTES: usize = 16 << 20;

/// A Ruby virtual machine with all core classes: a heap, a lock, and threads of its own. Several live in one process
/// and know nothing of each other. Clones are handles of the same VM, from any thread; the VM ends when the last one is
/// dropped, after its `at_exit` blocks have run and its Ruby threads have ended.
#[derive(Clone)]
pub struct Vm(Arc<Shared>);

/// What the end of a VM may take by default.
const CLOSE_LIMIT: Duration = Duration::from_secs(5);

struct Shared {
    handle: Arc<VmHandle>,
    lock: Arc<VmLock>,
    inside: Arc<InsideSet>,
    main: Arc<ThreadState>,
    closing: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    time_limit: Option<Duration>,
    close_limit: Duration,
}

/// The native threads that hold or have held the VM's lock through this crate and have not left.
#[derive(Default)]
pub(crate) struct InsideSet(Mutex<HashSet<ThreadId>>);

/// Notes that the calling native thread is inside, until it is dropped. `new`: it was not before.
pub(crate) struct Inside {
    set: Arc<InsideSet>,
    new: bool,
}

impl Inside {
    pub fn enter(set: &Arc<InsideSet>) -> Inside {
        let new = set.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(std::thread::current().id());
        Inside { set: Arc::clone(set), new }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        if self.new {
            self.set.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).remove(&std::thread::current().id());
        }
    }
}

/// Settings of a VM.
#[derive(Default)]
pub struct Builder {
    config: VmConfig,
    load_path: Vec<PathBuf>,
    arguments: Vec<String>,
    time_limit: Option<Duration>,
    close_limit: Option<Duration>,
    isolated: bool,
    stack_bytes: Option<usize>,
    stdout: Option<Box<dyn Write + Send>>,
    libraries: Vec<(&'static str, Library)>,
}

/// Makes the classes of an extension; called by the first `require` of it.
pub type Library = fn(&mut Ctx) -> rubellite_vm::Result<()>;

impl Builder {
    /// How long a thread of the VM runs while others wait for its lock; 5 ms by default.
    pub fn slice(mut self, slice: Duration) -> Self {
        self.config.lock.slice = slice;
        self
    }

    /// Bytes that living Ruby objects may occupy. An allocation that finds more raises NoMemoryError at the next
    /// safepoint; as the heap is looked at when it is collected, it may pass the limit for a moment by as much as it
    /// holds. By default there is no limit.
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.config.memory_limit = bytes;
        self
    }

    /// How long one `eval`, `enter` ... may take. When the time is over, Ruby code unwinds as if its thread were
    /// killed, and the call returns `Error::TimedOut`. Ensure clauses have 50 ms more; then they are left, too. By
    /// default there is no limit.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// How long the end of the VM (the last drop of `Vm`) may take for `at_exit` blocks, finalizers and the ensure
    /// clauses of threads. What runs then is left as at the time limit. 5 s by default.
    pub fn close_limit(mut self, limit: Duration) -> Self {
        self.close_limit = Some(limit);
        self
    }

    /// Takes away what would reach the process beyond the VM: programs get a SecurityError where they end it (`exit!`),
    /// replace it (`exec`), start others (`fork`, `spawn`, `system`, backquotes, pipes to commands), send signals
    /// or trap them, wait for children, change the working directory, the mask of new files, limits, priorities,
    /// users and groups, or the environment. See the documentation of the crate on what a VM isolates. By default
    /// all of it is there.
    pub fn isolated(mut self) -> Self {
        self.isolated = true;
        self
    }

    /// A directory for `$LOAD_PATH`, before those of the standard library.
    pub fn load_path(mut self, dir: impl Into<PathBuf>) -> Self {
        self.load_path.push(dir.into());
        self
    }

    /// An extension written in Rust: `require "name"` finds it without a file.
    pub fn library(mut self, name: &'static str, load: Library) -> Self {
        self.libraries.push((name, load));
        self
    }

    /// ARGV.
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = String>) -> Self {
        self.arguments = arguments.into_iter().collect();
        self
    }

    /// Bytes of machine stack of the VM's main thread, which runs `at_exit` blocks. The host's threads bring their own.
    pub fn stack_bytes(mut self, bytes: usize) -> Self {
        self.stack_bytes = Some(bytes);
        self
    }

    /// Where `$stdout` goes: `puts` and the like write there. By default the process's standard output.
    pub fn stdout(mut self, out: impl Write + Send + 'static) -> Self {
        self.stdout = Some(Box::new(out));
        self
    }

    /// Makes the VM.
    ///
    /// # Errors
    /// `OutOfMemory`, `Boot`.
    pub fn build(self) -> Result<Vm, Error> {
        let (ready, made) = mpsc::channel();
        let closing = Arc::new(AtomicBool::new(false));
        let theirs = Arc::clone(&closing);
        let stack = self.stack_bytes.unwrap_or(MAIN_STACK_BYTES);
        let close_limit = self.close_limit.unwrap_or(CLOSE_LIMIT);
        let Builder { config, load_path, arguments, time_limit, stdout, libraries, isolated, .. } = self;
        let settings = Settings { load_path, arguments, libraries, isolated };
        let work = move || live(config, &settings, &theirs, &ready);
        let thread = std::thread::Builder::new().name("ruby main".into()).stack_size(stack).spawn(work);
        let thread = thread.map_err(|_| Error::OutOfMemory)?;
        let (handle, main, inside, lock) = made.recv().unwrap_or(Err(Error::OutOfMemory))?;
        let vm =
            Vm(Arc::new(Shared { handle, lock, inside, main, closing, thread: Some(thread), time_limit, close_limit }));
        if isolated {
            vm.enter(|scope| scope.run_internal(include_str!("isolated.rb"), "isolated"))?;
        }
        if let Some(out) = stdout {
            vm.enter(|scope| redirect(scope, out))?;
        }
        Ok(vm)
    }
}

/// What the main thread hands to whoever builds.
type Made = Result<(Arc<VmHandle>, Arc<ThreadState>, Arc<InsideSet>, Arc<VmLock>), Error>;

/// What the main thread makes of a fresh VM.
struct Settings {
    load_path: Vec<PathBuf>,
    arguments: Vec<String>,
    libraries: Vec<(&'static str, Library)>,
    isolated: bool,
}

/// Libraries that an isolated VM does not load: they reach the process by other ways.
const NOT_ISOLATED: [&str; 2] = ["pty", "fiddle"];

/// In the place of such a library.
fn refuse_library(ctx: &mut Ctx) -> rubellite_vm::Result<()> {
    Err(ctx.raise_error("SecurityError", "the library reaches the host's process"))
}

/// The life of the VM's main thread.
fn live(config: VmConfig, settings: &Settings, closing: &AtomicBool, ready: &mpsc::Sender<Made>) {
    let boot = if settings.isolated { crate::boot_without_extensions } else { crate::boot };
    let (handle, mut ctx) = match boot(config) {
        Ok((handle, ctx)) => (Arc::new(handle), ctx),
        Err(error) => return drop(ready.send(Err(error))),
    };
    let dirs: Vec<Vec<u8>> =
        settings.load_path.iter().map(|dir| std::os::unix::ffi::OsStrExt::as_bytes(dir.as_os_str()).to_vec()).collect();
    if program::set_load_path(&mut ctx, &dirs).is_err()
        || rubellite_stdlib::announce_error_helpers(&mut ctx, true, true, true).is_err()
    {
        ctx.clear_pending();
    }
    program::set_arguments(
        &mut ctx,
        &settings.arguments.iter().map(|arg| arg.clone().into_bytes()).collect::<Vec<_>>(),
    );
    for name in NOT_ISOLATED.iter().filter(|_| settings.isolated) {
        rubellite_core_load::register(&mut ctx, name, refuse_library);
    }
    for (name, load) in &settings.libraries {
        rubellite_core_load::register(&mut ctx, name, *load);
    }
    let inside = Arc::clone(&ctx.extension::<Kept>().inside);
    let lock = Arc::clone(ctx.vm().lock());
    let _ = ready.send(Ok((handle, ctx.thread().clone(), inside, lock)));
    while !closing.load(SeqCst) {
        // What is sent to Thread.main (by abort_on_exception, say) has nobody to go to.
        if ctx.park(None).is_err() {
            ctx.clear_pending();
        }
    }
    process::exit::finish(&mut ctx, Ok(()), program::report);
    ctx.finish_thread();
}

/// `$stdout` becomes an object that writes to `out`.
fn redirect(scope: &mut Scope, out: Box<dyn Write + Send>) -> Result<(), Error> {
    let out = Mutex::new(out);
    let write = scope.lambda(move |scope, args| {
        let bytes: crate::Bytes = scope.get(args, 0)?;
        let written = out.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).write_all(&bytes.0);
        written.map_err(|error| scope.error("IOError", &error.to_string()))
    });
    let output = scope.run_internal(include_str!("output.rb"), "output")?;
    let output: Any = scope.call(&output, "new", (write,))?;
    scope.set_global("$stdout", output)
}

use crate::Any;

impl Vm {
    /// A VM with default settings.
    ///
    /// # Errors
    /// As `Builder::build`.
    pub fn new() -> Result<Vm, Error> {
        Builder::default().build()
    }

    /// Settings for a VM.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Runs `work` with the calling thread as a thread of the VM, which holds its lock meanwhile as Ruby threads do: at
    /// safepoints of Ruby code others take turns. For many small calls one `enter` around them, or a `Session`,
    /// is cheaper than each its own.
    ///
    /// # Errors
    /// What `work` returns; `Inside` when the calling thread is in this VM already; `OutOfMemory`; `TimedOut`.
    pub fn enter<R>(&self, work: impl FnOnce(&mut Scope) -> Result<R, Error>) -> Result<R, Error> {
        self.attach()?.enter(work)
    }

    /// Evaluates source at toplevel and converts its value: see `Scope::eval`.
    ///
    /// # Errors
    /// As `enter` and `Scope::eval`.
    pub fn eval<T: FromRuby>(&self, source: &str) -> Result<T, Error> {
        self.enter(|scope| scope.eval(source))
    }

    /// Defines a singleton method in Rust: see `Scope::define`.
    ///
    /// # Errors
    /// As `enter` and `Scope::define`.
    pub fn define<F, R>(&self, module: &str, method: &str, function: F) -> Result<(), Error>
    where
        F: Fn(&mut Scope, &[Any]) -> Result<R, Error> + Send + Sync + 'static,
        R: IntoRuby,
    {
        self.enter(|scope| scope.define(module, method, function))
    }

    /// Makes the calling thread a thread of the VM until the session is dropped: entering is then a matter of taking
    /// the lock.
    ///
    /// # Errors
    /// `Inside`, `OutOfMemory`.
    pub fn attach(&self) -> Result<Session, Error> {
        let inside = Inside::enter(&self.0.inside);
        if !inside.new {
            return Err(Error::Inside);
        }
        let name = std::thread::current().name().unwrap_or("host").to_owned();
        let mut ctx = self.0.handle.attach(&name).ok_or(Error::OutOfMemory)?;
        concurrency::adopt(&mut ctx);
        ctx.leave();
        Ok(Session { ctx: Some(ctx), vm: self.clone(), time_limit: self.0.time_limit, _inside: inside })
    }

    /// How long a thread runs while others wait, from now on.
    pub fn set_slice(&self, slice: Duration) {
        self.0.lock.set_slice(slice);
    }

    /// The VM's lock: its counters, its trace hook.
    pub fn lock(&self) -> &Arc<VmLock> {
        &self.0.lock
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.closing.store(true, SeqCst);
        self.main.lock_thread.unpark();
        if let Some(thread) = self.thread.take() {
            let watch = Instant::now()
                .checked_add(self.close_limit)
                .map(|deadline| Watch::start(Arc::clone(&self.main), deadline));
            let _ = thread.join();
            if let Some(watch) = watch {
                watch.end();
            }
        }
    }
}

/// A native thread of the host as a thread of the VM. It stays on that thread.
pub struct Session {
    ctx: Option<OwnedCtx>,
    vm: Vm,
    time_limit: Option<Duration>,
    _inside: Inside,
}

impl Session {
    /// Runs `work` inside the VM: see `Vm::enter`.
    ///
    /// # Errors
    /// What `work` returns; `TimedOut`.
    pub fn enter<R>(&mut self, work: impl FnOnce(&mut Scope) -> Result<R, Error>) -> Result<R, Error> {
        let Some(ctx) = self.ctx.as_mut() else { return Err(Error::Inside) };
        let deadline = self.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        ctx.come_back();
        let back = Back(ctx);
        Scope { ctx: &mut *back.0 }.within(deadline, work)
    }

    /// Evaluates source at toplevel: see `Scope::eval`.
    ///
    /// # Errors
    /// As `enter` and `Scope::eval`.
    pub fn eval<T: FromRuby>(&mut self, source: &str) -> Result<T, Error> {
        self.enter(|scope| scope.eval(source))
    }

    /// The time that one call may take from now on in this session; `None`: no limit.
    pub fn set_time_limit(&mut self, limit: Option<Duration>) {
        self.time_limit = limit;
    }

    /// The VM.
    pub fn vm(&self) -> &Vm {
        &self.vm
    }
}

/// Leaves the lock when dropped, also while a panic of the host's code unwinds.
struct Back<'a>(&'a mut Ctx);

impl Drop for Back<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(mut ctx) = self.ctx.take() {
            ctx.come_back();
            concurrency::release(&mut ctx);
            ctx.finish_thread();
        }
    }
}

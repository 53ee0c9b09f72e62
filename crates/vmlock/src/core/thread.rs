//! `LockThread`: what one native thread may do with the lock. The fast paths are
//! here, one compare-and-swap each; every contended path is a transition in `lock`.

use crate::config::setting_ns;
use crate::core::interrupt::InterruptWord;
use crate::core::lock::VmLock;
use crate::core::park::{Deadline, ParkResult};
use crate::core::region::{Kind, RegionGuard, RegionPass};
use crate::core::stats::{Counters, Phase, Reason, ThreadStats};
use crate::core::unblock::{Interrupted, Unblock, UnblockSlot};
use crate::core::word;
use crate::policy;
use crate::sys::{self, AtomicBool, AtomicI32, AtomicU32, AtomicU64, Mutex, NativeThread, Parker};
use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use std::time::{Duration, Instant};

/// Names a thread in events and schedules: its slot, reused after it is detached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadId(pub u32);

/// How a thread queues for the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Behind the others.
    Normal,
    /// It comes back from a wait: the holder gives way at its next safepoint, within the
    /// fairness rules.
    Priority,
}

/// One native thread's part of a `VmLock`. Made by `VmLock::attach`, or by
/// `VmLock::prepare` and `bind` when others must be able to interrupt it before it runs.
#[repr(align(128))]
pub struct LockThread {
    /// Polled at safepoints; see the type.
    pub interrupt: InterruptWord,
    /// The slot in the lock's table; `word::OWNERS` while not bound.
    id: AtomicU32,
    pub(crate) lock: Arc<VmLock>,
    pub(crate) counters: Counters,
    /// Set by whoever hands the lock to this thread; the thread waits for it.
    pub(crate) granted: AtomicBool,
    /// When that was.
    pub(crate) granted_ns: AtomicU64,
    /// An `unpark` that no `park` has taken yet. Under the internal mutex.
    pub(crate) unparked: AtomicBool,
    /// The result of the present park. Under the internal mutex.
    pub(crate) park_result: AtomicU32,
    /// What it remembers for the policy.
    pub(crate) policy: policy::OfThread,
    /// Its part is over; it is not bound again.
    pub(crate) detached: AtomicBool,
    /// Its turn comes in a moment: it was taken over, or the thread was woken ahead of it.
    pub(crate) comes_soon: AtomicBool,
    /// Set by a sleeping thief: the region that this thread is in was long.
    pub(crate) proved_long: AtomicBool,
    /// Zero: the lock's.
    pub(crate) slice_ns: AtomicU64,
    /// With TIMEKEEPER: when to.
    pub(crate) timekeeper_due_ns: AtomicU64,
    pub(crate) priority: AtomicI32,
    /// How many measurements of it are under way.
    pub(crate) measured: AtomicU32,
    pub(crate) wake_mask: AtomicU32,
    pub(crate) parker: Parker,
    pub(crate) unblock: Mutex<UnblockSlot>,
    data: AtomicU64,
    pub(crate) name: Mutex<String>,
}

impl LockThread {
    pub(crate) fn new(lock: Arc<VmLock>, name: &str) -> Self {
        LockThread {
            interrupt: InterruptWord::new(),
            id: AtomicU32::new(word::OWNERS),
            lock,
            counters: Counters::default(),
            granted: AtomicBool::new(false),
            granted_ns: AtomicU64::new(0),
            unparked: AtomicBool::new(false),
            park_result: AtomicU32::new(0),
            policy: policy::OfThread::default(),
            detached: AtomicBool::new(false),
            comes_soon: AtomicBool::new(false),
            proved_long: AtomicBool::new(false),
            slice_ns: AtomicU64::new(0),
            timekeeper_due_ns: AtomicU64::new(0),
            priority: AtomicI32::new(0),
            measured: AtomicU32::new(0),
            wake_mask: AtomicU32::new(InterruptWord::EMBEDDER),
            parker: Parker::default(),
            unblock: Mutex::default(),
            data: AtomicU64::new(0),
            name: Mutex::new(name.to_owned()),
        }
    }

    /// Ties a prepared thread to the calling native thread. Nothing else of it may be
    /// called before, `interrupt` and the readers excepted.
    pub fn bind(self: &Arc<Self>) {
        self.lock.bind(self);
    }

    /// Queues a prepared thread at once, before its native thread has come: under a schedule its place
    /// does not depend on how fast the system starts it. Called by the thread that starts it, with
    /// the lock; without a schedule it does nothing. If the native thread cannot be started,
    /// `detach` takes it back.
    pub fn announce(self: &Arc<Self>) {
        self.lock.announce(self);
    }

    /// Ends the thread's part; it must not hold the lock. Also done when the native
    /// thread ends. Doing it twice is allowed; binding it again does nothing.
    pub fn detach(&self) {
        self.lock.detach(self);
    }

    /// Takes the lock, waiting as long as it takes.
    #[inline]
    pub fn acquire(&self) {
        self.acquire_as(Entry::Normal);
    }

    /// `acquire` with a choice of queue: `Priority` after a wait in the kernel, for I/O say.
    #[inline]
    pub fn acquire_as(&self, entry: Entry) {
        if !self.try_acquire() {
            self.lock.acquire_slow(self, entry);
        }
    }

    /// Takes the lock if nobody has it.
    #[inline]
    pub fn try_acquire(&self) -> bool {
        let free = self.lock.word.load(Relaxed);
        let held = word::with(free, word::HELD, self.slot(), false);
        let taken =
            word::is_free_and_fast(free) && self.lock.word.compare_exchange(free, held, Acquire, Relaxed).is_ok();
        if taken {
            self.counters.runs.add(1);
            if self.counters.is_outside() {
                self.counters.begin_now(Phase::Held);
            }
        }
        taken
    }

    /// Gives the lock up, to the next waiter if there is one.
    #[inline]
    pub fn release(&self) {
        self.release_for(Reason::Release);
    }

    #[inline]
    pub(crate) fn release_for(&self, reason: Reason) {
        debug_assert!(self.holds(), "released by a thread that does not hold the lock");
        let held = self.lock.word.load(Relaxed);
        if word::is_waited_or_slow(held)
            || self.lock.word.compare_exchange(held, word::freed(held), Release, Relaxed).is_err()
        {
            self.lock.release_slow(self, reason);
        }
    }

    /// Does this thread hold the lock, and is not in a region?
    pub fn holds(&self) -> bool {
        let now = self.lock.word.load(Relaxed);
        word::state(now) == word::HELD && word::owner(now) == self.slot()
    }

    /// To be called when `interrupt.pending()`: gives way if a waiter is due, and takes the
    /// lock back. Returns the embedder's bits that are set; they stay set until
    /// `interrupt.take`.
    #[cold]
    #[inline(never)]
    pub fn safepoint_slow(&self) -> u32 {
        let bits = self.interrupt.bits() & InterruptWord::LOCK;
        let early = || bits == InterruptWord::TIMEKEEPER && sys::stamp_ns() < self.timekeeper_due_ns.load(Relaxed);
        if bits != 0 && !early() {
            self.lock.give_way(self);
        }
        self.interrupt.bits() & InterruptWord::EMBEDDER
    }

    /// Lets another waiter run first, if there is one.
    #[inline]
    pub fn yield_now(&self) {
        if word::is_waited_or_slow(self.lock.word.load(Relaxed)) {
            self.lock.yield_slow(self);
        }
    }

    /// Runs `work` outside the lock.
    #[inline]
    pub fn region<R>(&self, kind: Kind, work: impl FnOnce() -> R) -> R {
        let _back = RegionGuard::new(self, kind);
        work()
    }

    /// `region` as a guard. It takes the lock back when it is dropped.
    #[inline]
    pub fn region_guard(&self, kind: Kind) -> RegionGuard<'_> {
        RegionGuard::new(self, kind)
    }

    /// Runs `work` outside the lock in such a way that `interrupt` ends it through `unblock`.
    /// When an interrupt that ends waits is already pending, `work` does not run.
    pub fn blocking<R>(&self, kind: Kind, unblock: Unblock<'_>, work: impl FnOnce() -> R) -> Result<R, Interrupted> {
        self.blocking_with(kind, unblock, |_| work())
    }

    /// `blocking` for work that calls back into the interpreter (`RegionGuard::with_lock`).
    pub fn blocking_with<R>(
        &self,
        kind: Kind,
        unblock: Unblock<'_>,
        work: impl FnOnce(&mut RegionGuard<'_>) -> R,
    ) -> Result<R, Interrupted> {
        let registered = self.register_unblock(unblock)?;
        Ok(work(&mut RegionGuard::registered(&registered, self, kind)))
    }

    /// Leaves the lock. Every pass must go to `leave_region`, on this native thread; regions do
    /// not nest. `region` does both and is the one to prefer.
    #[inline]
    pub fn enter_region(&self, kind: Kind) -> RegionPass {
        match kind {
            Kind::Short(site) if !self.lock.predictors.predicts_long(site) => {
                debug_assert!(self.holds(), "region of a thread that does not hold the lock");
                // Publishes what this thread did. Sequentially consistent: it pairs with the watcher
                // that stops watching and then looks at the word.
                let held = self.lock.word.fetch_add(word::LEND, SeqCst);
                let lent = held.wrapping_add(word::LEND);
                let pass = RegionPass { lent, entered_ns: 0, site: Some(site) };
                if word::is_waited_or_slow(held) { self.lock.lent_slow(self, pass) } else { pass }
            }
            Kind::Short(site) => self.lock.enter_predicted(self, site),
            Kind::Long => {
                // While the account is still this thread's own.
                self.counters.begin_now(Phase::Outside);
                self.release_for(Reason::Region);
                RegionPass { lent: 0, entered_ns: 0, site: None }
            }
        }
    }

    /// Takes the lock back at the end of a region.
    #[inline]
    pub fn leave_region(&self, pass: RegionPass) {
        let lent = pass.lent;
        if lent == 0 || self.lock.word.compare_exchange(lent, lent - word::UNLEND, Acquire, Relaxed).is_err() {
            self.lock.leave_region_slow(self, pass);
        }
    }

    /// Leaves the lock and sleeps until `unpark`, the deadline, or an interrupt that ends waits;
    /// returns with the lock held. One `unpark` is remembered: if it came since the last
    /// park, the thread does not sleep at all. After a deadline it comes back with priority. The deadline is
    /// on the time of `VmLock::now`.
    pub fn park(&self, deadline: Option<Instant>) -> ParkResult {
        let deadline = deadline.map(|at| match self.lock.on_schedule_ns(at) {
            Some(clock_ns) => Deadline::Clock(clock_ns),
            None => Deadline::Real(sys::instant_ns(at)),
        });
        self.lock.park(self, deadline)
    }

    /// Ends the thread's `park`, or its next one. From any thread, with or without the lock.
    pub fn unpark(&self) {
        self.lock.unpark(self, Entry::Normal);
    }

    /// `unpark` with a choice of queue: `Priority` when what it waited for came from outside.
    pub fn unpark_as(&self, entry: Entry) {
        self.lock.unpark(self, entry);
    }

    /// Takes an `unpark` back: what the thread would be woken for is gone. The caller holds the lock. The thread sleeps
    /// on as if nothing had happened, and its deadline stays. False, and nothing is changed: it has been woken already,
    /// or for another reason too, or it did not sleep.
    pub fn stay_parked(&self) -> bool {
        self.lock.stay_parked(self)
    }

    /// Sets bits of the embedder and ends what the thread waits for: its `park`, or its region
    /// through its unblock function. Bits outside the wake mask are only set. From any thread, with
    /// or without the lock.
    pub fn interrupt(&self, bits: u32) {
        self.interrupt_as(bits, Entry::Priority);
    }

    /// `interrupt` with a choice of queue for a thread that is parked: `Normal` when many are
    /// interrupted at once and the caller is to go on before them.
    pub fn interrupt_as(&self, bits: u32, entry: Entry) {
        self.interrupt.set(bits);
        if bits & self.wake_mask.load(SeqCst) != 0 {
            self.lock.end_park(self, entry);
            self.end_region();
        }
    }

    /// Which embedder bits end a wait; all at first. Only the thread itself changes it.
    pub fn set_wake_mask(&self, bits: u32) {
        self.wake_mask.store(bits & InterruptWord::EMBEDDER, SeqCst);
    }

    /// The pending bits that end waits.
    pub fn pending_wake_bits(&self) -> u32 {
        self.interrupt.bits() & self.wake_mask.load(SeqCst)
    }

    /// This thread's own slice; `None`: the lock's.
    pub fn set_slice(&self, slice: Option<Duration>) {
        self.slice_ns.store(slice.map_or(0, |s| setting_ns(s).max(1)), Relaxed);
    }

    /// How long it may run at present while others wait: its own slice or the lock's, and its priority.
    pub fn slice(&self) -> Duration {
        Duration::from_nanos(self.lock.slice_of(self))
    }

    /// Each step doubles or halves the slice; kept within -3 and 3.
    pub fn set_priority(&self, priority: i32) {
        self.priority.store(priority.clamp(-3, 3), Relaxed);
    }

    /// See `set_priority`.
    pub fn priority(&self) -> i32 {
        self.priority.load(Relaxed)
    }

    /// A word of the embedder's own, for schedules and traces that map back to its thread.
    pub fn data(&self) -> u64 {
        self.data.load(Relaxed)
    }

    /// See `data`.
    pub fn set_data(&self, data: u64) {
        self.data.store(data, Relaxed);
    }

    /// The name given to it.
    pub fn name(&self) -> String {
        sys::lock(&self.name).clone()
    }

    /// Renames it, and its native thread.
    pub fn set_name(&self, name: &str) {
        if let Some(native) = sys::lock(&self.unblock).native {
            native.set_name(name);
        }
        let mut own = sys::lock(&self.name);
        name.clone_into(&mut own);
        self.lock.tell_name(self, name);
    }

    /// Keeps what others may lock of it from changing, for a fork.
    pub(crate) fn at_rest(&self) -> impl Sized {
        (sys::lock(&self.unblock), sys::lock(&self.name))
    }

    /// Its slot while it is bound.
    pub fn id(&self) -> ThreadId {
        ThreadId(self.slot())
    }

    /// The lock it belongs to.
    pub fn vm_lock(&self) -> &Arc<VmLock> {
        &self.lock
    }

    /// Its counters now.
    pub fn stats(&self) -> ThreadStats {
        self.counters.read(sys::now_ns())
    }

    #[inline(always)]
    pub(crate) fn slot(&self) -> u32 {
        self.id.load(Relaxed)
    }

    pub(crate) fn set_slot(&self, slot: u32) {
        self.id.store(slot, Relaxed);
    }
}

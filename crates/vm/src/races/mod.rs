//! Data races: two accesses of different threads to the same variable, at least one of them a write, that nothing
//! orders.
//!
//! Order is "happens before" (Lamport): that of a thread's own steps, and from whatever one thread does to let another
//! go on (releasing a mutex, putting something into a queue, starting a thread) to what the other does afterwards.
//! Vector clocks keep it (`clock`). The fibers of a thread are ordered: they take turns.
//!
//! While this is on an interpreter loop of its own runs (`interp`'s `run_loop` with MODE = RACES), which tells of every
//! access to a variable; other loops have no trace of it. Compiled code is made to tell then, too (`compiled`). Native
//! methods that synchronize, and those of containers, get entries in the method tables whose function is `observed`: it
//! tells before and behind the original. Deliberately elsewhere: which methods these are, and how a race is shown
//! (`corelib/lock/src/races`).
//!
//! Everything here is keyed by addresses of objects, which do not move; what is dead after a marking is forgotten
//! (`prune`), before its cell can become another object.

mod clock;
mod compiled;
mod hooks;
mod shadow;

pub use clock::Kind;
use clock::{Access, Accesses, Clock, Slot};
pub use compiled::*;
use shadow::{Place, Record, Shadow};

use crate::call::Args;
use crate::class::{Class, Leaf, NativeFn};
use crate::ctx::Ctx;
use crate::frame::Frame;
use crate::method::{Method, MethodBody};
use crate::object::binding::env_names;
use crate::object::exception::Position;
use crate::object::{Env, Str};
use crate::thread::ThreadState;
use crate::vm::loop_mode;
use crate::{Result, Unwind};
use rubellite_value::{Sym, Tag, Value};
use rubellite_vmlock::LockThread;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Of so many objects variables are kept, and so many others; when there are more all are forgotten, and races may be
/// missed.
const VARIABLES_MAX: usize = 8 << 20;
/// Levels of Ruby code that a stack is told apart by.
const LEVELS_COMPARED: usize = 8;
/// Levels that are kept of a stack.
const LEVELS_KEPT: usize = 24;
/// Elements of an Array up to here are kept by index.
const INDICES: i64 = 1 << 22;
/// A thread without a slot.
pub(crate) const NO_SLOT: u32 = u32::MAX;

/// What a variable is, within its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    Ivar(Sym),
    /// A slot of an environment.
    Local(u32),
    /// Of no object.
    Global(Sym),
    /// Of the class that has it.
    ClassVariable(Sym),
    /// An element of an Array.
    Index(u32),
    /// An element of a Hash or Set, by the hash of its key, or of an Array behind the last `Index`.
    Element(u64),
    /// A container as a whole: all elements, and how many there are.
    Container,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Variable {
    object: u64,
    part: Part,
}

/// One side of a race.
#[derive(Clone)]
pub struct Side {
    pub kind: Kind,
    /// From the innermost level outwards.
    pub stack: Arc<[Position]>,
    /// The name of its thread, as the lock knows it.
    pub thread: String,
}

/// A race.
pub struct Race {
    pub part: Part,
    /// The name of the variable, as far as its object and part tell: `@balance of Account`, `$count`, `local variable
    /// total`.
    pub variable: String,
    pub earlier: Side,
    pub later: Side,
}

/// Called with each race whose pair of places is new.
pub type Reporter = fn(&mut Ctx, &Race);
/// Called with every access that is looked at, for whoever records a run: the variable's object and part, and how it is
/// accessed.
pub type Watcher = fn(&mut Ctx, Value, Part, Kind);

/// What is told of around a native method: before it with its receiver and arguments, behind it with its result as well
/// if it returns, or when it raises.
#[derive(Clone, Copy, Default)]
pub struct Observer {
    pub before: Option<fn(&mut Ctx, Value, Args)>,
    pub after: Option<fn(&mut Ctx, Value, Args, Value)>,
    pub failed: Option<fn(&mut Ctx, Value, Args)>,
    /// All that `before` tells is that the receiver is accessed as a whole, and how.
    pub whole: Option<Kind>,
}

#[derive(Clone, Copy)]
struct Observed {
    function: NativeFn,
    observer: Observer,
}

/// A thread, for as long as its slot is its own.
struct Tenant {
    from_clock: u32,
    thread: Arc<LockThread>,
}

/// All that is known.
pub(crate) struct Races {
    /// There has been more than one thread: what came before is ordered before everything later.
    concurrent: bool,
    clocks: Vec<Clock>,
    /// By slot: the clock of the thread itself.
    now: Vec<u32>,
    tenants: Vec<Vec<Tenant>>,
    /// Slots of threads that have ended, with their last clock.
    free: Vec<(Slot, u32)>,
    /// By Thread object: the slot of a living one, the last clock of one that has ended, what was sent to it.
    slots: FxHashMap<u64, Slot>,
    ended: FxHashMap<u64, Clock>,
    mail: FxHashMap<u64, Clock>,
    /// By object, or by an odd number for what is none.
    syncs: FxHashMap<u64, Clock>,
    /// Variables that lie with their objects, and the others.
    shadow: Shadow,
    variables: FxHashMap<Variable, Accesses>,
    stacks: Vec<Arc<[Position]>>, // tidy: marked by `trace`
    stack_numbers: FxHashMap<u64, u32>,
    observed: FxHashMap<u64, Observed>,
    told: FxHashSet<(u64, u64)>,
    reporter: Reporter,
    watcher: Option<Watcher>,
    pub(crate) primitives: FxHashMap<u64, Observer>,
}

impl Races {
    pub(crate) fn trace(&self, mut mark: impl FnMut(Value)) {
        for position in self.stacks.iter().flat_map(|stack| stack.iter()) {
            [position.code, position.method].into_iter().for_each(&mut mark);
        }
    }

    /// After marking: what is dead is forgotten.
    pub(crate) fn prune(&mut self, alive: &dyn Fn(Value) -> bool) {
        // SAFETY: even numbers are words of objects that were alive at the last marking or made since, and were not
        // swept.
        let lives = |word: u64| word == 0 || word & 1 == 1 || alive(unsafe { Value::from_bits(word) });
        self.shadow.prune(lives);
        self.variables.retain(|variable, _| lives(variable.object));
        self.syncs.retain(|object, _| lives(*object));
        self.slots.retain(|object, _| lives(*object));
        self.ended.retain(|object, _| lives(*object));
        self.mail.retain(|object, _| lives(*object));
    }

    fn known(&self, variable: &Variable, place: Place) -> Option<&Accesses> {
        if place != Place::Apart {
            let record = self.shadow.get(variable.object)?;
            let near = record.get(place);
            if near.is_some() || !record.is_full() {
                return near;
            }
        }
        self.variables.get(variable)
    }

    fn kept(&mut self, variable: Variable, place: Place) -> &mut Accesses {
        match self.shadow.kept(variable.object, place) {
            Some(accesses) => accesses,
            None => self.variables.entry(variable).or_default(),
        }
    }

    /// Notes an access, made by a thread whose clock is there.
    fn note(&mut self, variable: Variable, place: Place, new: Access) -> Option<Access> {
        if self.shadow.len() >= VARIABLES_MAX || self.variables.len() >= VARIABLES_MAX {
            self.shadow.clear();
            self.variables.clear();
        }
        // Taken out for the time that the accesses are borrowed.
        let clock = std::mem::take(&mut self.clocks[new.slot as usize]);
        let race = self.kept(variable, place).note(new, &clock);
        self.clocks[new.slot as usize] = clock;
        race
    }

    fn name_of(&self, slot: Slot, clock: u32) -> String {
        let tenant = self.tenants[slot as usize].iter().rev().find(|tenant| tenant.from_clock <= clock);
        tenant.map_or(String::new(), |tenant| tenant.thread.name())
    }

    /// The slot of a thread that begins after `after`, if anything.
    fn take_slot(&mut self, after: Option<Slot>, thread: &ThreadState) -> Slot {
        let known = after.map_or(Clock::default(), |slot| self.clocks[slot as usize].clone());
        // The slot of a thread whose end is ordered before this beginning can be used again, and nothing is lost.
        let reused =
            self.free.iter().position(|(slot, last)| known.get(*slot) >= *last).map(|at| self.free.swap_remove(at).0);
        let slot = reused.unwrap_or_else(|| {
            self.clocks.push(Clock::default());
            self.now.push(0);
            self.tenants.push(Vec::new());
            self.clocks.len() as Slot - 1
        });
        let mut clock = known;
        let from_clock = clock.get(slot) + 1;
        clock.set(slot, from_clock);
        self.now[slot as usize] = from_clock;
        self.clocks[slot as usize] = clock;
        self.tenants[slot as usize].push(Tenant { from_clock, thread: Arc::clone(&thread.lock_thread) });
        self.slots.insert(thread.value.get().bits(), slot);
        thread.race_slot.set(slot);
        slot
    }

    fn advance(&mut self, slot: Slot) {
        let clock = &mut self.clocks[slot as usize];
        let next = clock.get(slot).saturating_add(1);
        clock.set(slot, next);
        self.now[slot as usize] = next;
    }
}

impl Ctx {
    /// Begins to look for races. To be done before the program's code runs, while there is one thread.
    pub fn start_races(&mut self, reporter: Reporter) {
        let races = Races {
            concurrent: false,
            clocks: Vec::new(),
            now: Vec::new(),
            tenants: Vec::new(),
            free: Vec::new(),
            slots: FxHashMap::default(),
            ended: FxHashMap::default(),
            mail: FxHashMap::default(),
            syncs: FxHashMap::default(),
            shadow: Shadow::new(),
            variables: FxHashMap::default(),
            stacks: Vec::new(),
            stack_numbers: FxHashMap::default(),
            observed: FxHashMap::default(),
            told: FxHashSet::default(),
            reporter,
            watcher: None,
            primitives: FxHashMap::default(),
        };
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { *self.vm().races.get_mut() = Some(Box::new(races)) };
        self.update_loop_mode();
        self.race_slot();
    }

    /// Whether races are looked for.
    pub fn looks_for_races(&self) -> bool {
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { self.vm().races.get() }.is_some()
    }

    /// Tells of every access as well.
    pub fn watch_accesses(&mut self, watcher: Watcher) {
        if let Some(races) = self.races() {
            races.watcher = Some(watcher);
        }
    }

    /// Which interpreter loop runs from now on.
    pub(crate) fn update_loop_mode(&self) {
        let traced = self.vm().traced.get() != 0;
        let mode = if traced {
            loop_mode::TRACED
        } else if self.looks_for_races() {
            loop_mode::RACES
        } else {
            loop_mode::PLAIN
        };
        self.vm().loop_mode.set(mode);
    }

    #[allow(clippy::mut_from_ref)]
    fn races(&self) -> Option<&mut Races> {
        // SAFETY: the lock is held, and what is done with it calls nothing that comes here again.
        unsafe { self.vm().races.get_mut() }.as_deref_mut()
    }

    /// The slot of the running thread.
    fn race_slot(&self) -> Slot {
        let slot = self.thread.race_slot.get();
        if slot != NO_SLOT {
            return slot;
        }
        self.races().map_or(NO_SLOT, |races| races.take_slot(None, &self.thread))
    }

    // -- order ------------------------------------------------------------------------------

    /// What this thread did until now is ordered before what others do after `race_acquire` of the key: an object's
    /// word, or an odd number.
    pub fn race_release(&self, key: u64) {
        let slot = self.race_slot();
        let Some(races) = self.races() else { return };
        races.syncs.entry(key).or_default().join(&races.clocks[slot as usize]);
        races.advance(slot);
    }

    /// See `race_release`.
    pub fn race_acquire(&self, key: u64) {
        let slot = self.race_slot();
        let Some(races) = self.races() else { return };
        if let Some(clock) = races.syncs.get(&key) {
            races.clocks[slot as usize].join(clock);
        }
    }

    /// A thread is about to start: all that its starter did is ordered before.
    pub(crate) fn race_fork(&self, child: &ThreadState) {
        let slot = self.race_slot();
        let Some(races) = self.races() else { return };
        races.concurrent = true;
        races.take_slot(Some(slot), child);
        races.advance(slot);
    }

    /// The running thread ends.
    pub(crate) fn race_end(&self, thread: &ThreadState) {
        let slot = thread.race_slot.replace(NO_SLOT);
        let Some(races) = self.races().filter(|_| slot != NO_SLOT) else { return };
        let clock = races.clocks[slot as usize].clone();
        races.free.push((slot, clock.get(slot)));
        races.slots.remove(&thread.value.get().bits());
        races.ended.insert(thread.value.get().bits(), clock);
    }

    /// This thread may have seen that `thread` has ended: if so, what that one did is ordered before.
    pub fn race_observe_end(&self, thread: Value) {
        if self.races().is_some_and(|races| races.ended.contains_key(&thread.bits())) {
            self.race_observe_thread(thread);
        }
    }

    /// This thread has seen that `thread` has ended, or that it sleeps: what that one did is ordered before.
    pub fn race_observe_thread(&self, thread: Value) {
        let slot = self.race_slot();
        let Some(races) = self.races() else { return };
        if let Some(clock) = races.ended.get(&thread.bits()) {
            races.clocks[slot as usize].join(clock);
        } else if let Some(other) = races.slots.get(&thread.bits()).copied().filter(|other| *other != slot) {
            let clock = races.clocks[other as usize].clone();
            races.clocks[slot as usize].join(&clock);
            races.advance(other);
        }
    }

    /// The process ends: the other threads have ended, and what they did is ordered before what this one does now.
    pub fn race_observe_ended(&self) {
        let slot = self.race_slot();
        let Some(races) = self.races() else { return };
        races.ended.values().for_each(|clock| races.clocks[slot as usize].join(clock));
    }

    /// What this thread did until now is ordered before what `thread` does after `race_take_mail`.
    pub fn race_send(&self, thread: Value) {
        let slot = self.race_slot();
        let Some(races) = self.races() else { return };
        races.mail.entry(thread.bits()).or_default().join(&races.clocks[slot as usize]);
        races.advance(slot);
    }

    /// This thread goes on because others wanted it to, or may have.
    pub fn race_take_mail(&self) {
        if !self.looks_for_races() {
            return;
        }
        let slot = self.race_slot();
        let Some(races) = self.races() else { return };
        if let Some(clock) = races.mail.remove(&self.thread.value.get().bits()) {
            races.clocks[slot as usize].join(&clock);
        }
    }

    // -- accesses ---------------------------------------------------------------------------

    /// An access of the running thread, from the place where its frame stands.
    pub fn race_access(&mut self, object: Value, part: Part, kind: Kind) {
        let slot = self.race_slot();
        let Some(races) = self.races().filter(|races| races.concurrent) else { return };
        if let Some(watch) = races.watcher {
            watch(self, object, part, kind);
        }
        let Some(races) = self.races() else { return };
        let variable = Variable { object: if matches!(part, Part::Global(_)) { 0 } else { object.bits() }, part };
        let (place, now) = (Place::of(object, part), races.now[slot as usize]);
        if races.known(&variable, place).is_some_and(|accesses| accesses.is_known(slot, now, kind)) {
            return;
        }
        let stack = self.stack_number();
        let Some(races) = self.races() else { return };
        let new = Access { slot, clock: now, stack, kind };
        let race = races.note(variable, place, new);
        if let Some(old) = race {
            self.found(object, part, old, new);
        }
    }

    /// An access to one element: to the element, and to the container of which all elements may be asked for.
    pub fn race_element(&mut self, object: Value, key: Value, writes: bool) {
        let (kind, of_container) =
            if writes { (Kind::Write, Kind::ElementWrite) } else { (Kind::Read, Kind::ElementRead) };
        let part = match key.as_fixnum() {
            Some(at @ 0..INDICES) if object.has_tag(Tag::Array) => {
                if self.knows_element(object, at as usize, kind, of_container) {
                    return;
                }
                Part::Index(at as u32)
            }
            Some(_) => Part::Element(key.bits()),
            None => Part::Element(self.key_number(key)),
        };
        self.race_access(object, part, kind);
        self.race_access(object, Part::Container, of_container);
    }

    /// Whether `known`, asked with what is kept of the object and with the slot and clock of this thread, says that an
    /// access tells nothing new. A faster form of what `race_access` asks.
    #[inline(always)]
    fn knows(&self, object: Value, known: impl FnOnce(&Record, Slot, u32) -> bool) -> bool {
        let Some(races) = self.races() else { return true };
        if !races.concurrent {
            return true;
        }
        let slot = self.thread.race_slot.get();
        match (races.now.get(slot as usize), races.shadow.get(object.bits())) {
            (Some(now), Some(record)) if races.watcher.is_none() => known(record, slot, *now),
            _ => false,
        }
    }

    #[inline(always)]
    fn knows_element(&self, array: Value, at: usize, kind: Kind, of_container: Kind) -> bool {
        self.knows(array, |record, slot, now| {
            record.element(at).is_some_and(|element| element.is_known(slot, now, kind))
                && record.whole().is_known(slot, now, of_container)
        })
    }

    /// Of an instance variable of a plain object, or a variable of an environment.
    #[inline(always)]
    fn knows_named(&self, object: Value, name: u32, kind: Kind) -> bool {
        self.knows(object, |record, slot, now| {
            record.named(name).is_some_and(|accesses| accesses.is_known(slot, now, kind))
        })
    }

    /// Keys that are equal have the same number; those whose `hash` would be a program's go by identity.
    fn key_number(&self, key: Value) -> u64 {
        match Str::try_of(key) {
            Some(text) => {
                let mut hasher = FxHasher::default();
                text.bytes(self).hash(&mut hasher);
                hasher.finish() << 1
            }
            None => crate::object::fast_hash(self, key).unwrap_or(key.bits()),
        }
    }

    /// A number for the stack of the running thread.
    fn stack_number(&mut self) -> u32 {
        let mut hasher = FxHasher::default();
        let (mut frame, bottom, mut levels): (*mut Frame, _, _) = (self.frame, self.stack.frames, 0);
        while frame >= bottom && levels < LEVELS_COMPARED {
            // SAFETY: it lies between the first frame and the running one.
            let f = unsafe { &*frame };
            if !f.is_native() {
                (f.code as usize, f.pc as usize).hash(&mut hasher);
                levels += 1;
            } else {
                f.method.bits().hash(&mut hasher);
            }
            frame = frame.wrapping_sub(1);
        }
        let hash = hasher.finish();
        let Some(races) = self.races() else { return 0 };
        if let Some(number) = races.stack_numbers.get(&hash) {
            return *number;
        }
        let positions: Vec<Position> = self.positions(0, LEVELS_KEPT).iter().copied().collect();
        let Some(races) = self.races() else { return 0 };
        let number = races.stacks.len() as u32;
        races.stacks.push(positions.into());
        races.stack_numbers.insert(hash, number);
        number
    }

    /// Reports a race, unless one between the same places was reported.
    #[cold]
    fn found(&mut self, object: Value, part: Part, old: Access, new: Access) {
        let Some(races) = self.races() else { return };
        let place = |stack: u32| {
            let ruby = races.stacks[stack as usize].iter().find(|position| !position.code.is_nil());
            ruby.map_or(0, |position| position.code.bits() ^ (position.line() as u64) << 48)
        };
        let (one, other) = (place(old.stack), place(new.stack));
        if !races.told.insert((one.min(other), one.max(other))) {
            return;
        }
        let side = |access: Access| Side {
            kind: access.kind,
            stack: Arc::clone(&races.stacks[access.stack as usize]),
            thread: races.name_of(access.slot, access.clock),
        };
        let (earlier, later, reporter) = (side(old), side(new), races.reporter);
        let variable = self.name_of_variable(object, part);
        reporter(self, &Race { part, variable, earlier, later });
    }

    /// The name of a variable.
    pub fn name_of_variable(&mut self, object: Value, part: Part) -> String {
        match part {
            Part::Ivar(name) => {
                let of = match Class::try_of(object) {
                    Some(class) => class.inspect(self),
                    None => self.real_class(object).inspect(self),
                };
                format!("{} of {of}", self.sym_str(name))
            }
            Part::Local(slot) => match self.name_of_local(object, slot) {
                Some(name) => format!("local variable {name}"),
                None => "a local variable".into(),
            },
            Part::Global(name) => self.sym_str(name),
            Part::ClassVariable(name) => {
                let of = Class::try_of(object).map_or(String::new(), |class| class.inspect(self));
                format!("{} of {of}", self.sym_str(name))
            }
            Part::Index(index) => format!("element {index} of an object of {}", self.real_class(object).inspect(self)),
            Part::Element(_) => format!("an element of an object of {}", self.real_class(object).inspect(self)),
            Part::Container => format!("an object of {}", self.real_class(object).inspect(self)),
        }
    }

    fn name_of_local(&self, env: Value, slot: u32) -> Option<String> {
        let owner = env.has_tag(Tag::Env).then(|| Env::known(env).owner()).filter(|owner| owner.has_tag(Tag::Code))?;
        let names = env_names(crate::code::Code::known(owner).iseq());
        let name = names.get(slot as usize).filter(|name| !name.bytes().is_empty())?;
        Some(String::from_utf8_lossy(name.bytes()).into_owned())
    }

    // -- native methods ---------------------------------------------------------------------

    /// Observes a native method of a class under this name, if the class itself has one. One that is observed already
    /// stays as it is.
    pub fn observe_method(&mut self, class: Class, name: &str, observer: Observer) {
        let name = self.intern_str(name);
        let Some(method) = class.own_method(self, name) else { return };
        let MethodBody::Native { function, arity, .. } = *method.resolved().body() else { return };
        if std::ptr::fn_addr_eq(function, observed as NativeFn) {
            return;
        }
        let body = MethodBody::Native { function: observed, arity, leaf: Leaf::Never };
        let entry = Method::new(self, name, method.owner(), method.visibility(), body);
        entry.set_core_like(method);
        self.pin(entry.value());
        class.put_method(self, name, entry);
        if let Some(races) = self.races() {
            races.observed.insert(entry.value().bits(), Observed { function, observer });
        }
    }

    /// The native methods that a class itself has.
    pub fn native_methods_of(&self, class: Class) -> Vec<String> {
        let is_native = |name: &Sym| {
            class
                .own_method(self, *name)
                .is_some_and(|method| matches!(method.resolved().body(), MethodBody::Native { .. }))
        };
        class.own_method_names(self).into_iter().filter(is_native).map(|name| self.sym_str(name)).collect()
    }

    /// Observes a primitive, by its name.
    pub fn observe_primitive(&mut self, name: &str, observer: Observer) {
        let Some(entry) = self.primitive_entry(name) else { return };
        if let Some(races) = self.races() {
            races.primitives.insert(entry.value().bits(), observer);
        }
    }
}

/// Stands in for a native method that is observed.
fn observed(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    // SAFETY: no leaf: it runs in a frame of its own.
    let method = unsafe { (*ctx.frame).method };
    let Some(Observed { function, observer }) =
        ctx.races().and_then(|races| races.observed.get(&method.bits()).copied())
    else {
        return Err(ctx.raise_error("RuntimeError", "[BUG] an observed method is not known"));
    };
    if let Some(before) = observer.before {
        before(ctx, recv, args);
    }
    let result = function(ctx, recv, args);
    match (observer.after, result) {
        (Some(after), Ok(value)) => {
            after(ctx, recv, args, value);
            Ok(std::hint::black_box(value))
        }
        (_, Ok(value)) => Ok(value),
        (_, Err(Unwind)) => {
            if let Some(failed) = observer.failed {
                failed(ctx, recv, args);
            }
            Err(Unwind)
        }
    }
}

//! The collector's view of the VM: roots, tracing and freeing by type, weak tables.

use crate::class::Class;
use crate::code::Code;
use crate::ctx::Ctx;
use crate::fiber::{Registers, Slot};
use crate::heap_events;
use crate::method::Method;
use crate::object::{Cref, Env, Exception, Object, Proc, TempArray};
use crate::roots::{mark_fiber, mark_stacks};
use crate::unwind::{RUnwind, Unwind};
use crate::vm::Vm;
use rubellite_gc::{CellStat, Heap, HeapHooks, HeapStat, Marker, Part, Protected, SizeClass, WeakView, reserve};
use rubellite_value::{Header, Tag, Value};
use std::collections::HashSet;
use std::ptr::NonNull;

/// The types into whose objects references are stored without the write barrier, so that each minor collection traces
/// the old ones: what extensions in C keep, and what is written while frames are left. Native data is, too, where its
/// type does not [tell of its stores](crate::object::NativeData::tells_stores).
const UNPROTECTED: [Tag; 3] = [Tag::CData, Tag::Binding, Tag::Unwind];

/// What of a collection is run.
#[derive(Clone, Copy)]
enum Stage {
    /// A full collection, at once.
    Full,
    /// A minor one if that is enough, at once.
    Young,
    /// What the heap finds due.
    Due,
    /// The beginning of a full one in steps.
    Begin,
    /// Its next step.
    Step,
}

/// A walk over the objects that lets others run does so after this many blocks: some 0.3 ms.
const STAGE_BLOCKS: usize = 32;

/// The hooks that a VM's heap is made with.
pub(crate) fn heap_hooks() -> HeapHooks {
    let mut needs_drop = [false; Tag::COUNT];
    let owners = [
        Tag::Object,
        Tag::Class,
        Tag::Module,
        Tag::String,
        Tag::Regexp,
        Tag::Array,
        Tag::Hash,
        Tag::Bignum,
        Tag::MatchData,
        Tag::Exception,
        Tag::Struct,
        Tag::Data,
        Tag::CData,
        Tag::Env,
        Tag::Code,
    ];
    for tag in owners {
        needs_drop[tag as usize] = true;
    }
    let mut protected = [Protected::All; Tag::COUNT];
    for tag in UNPROTECTED {
        protected[tag as usize] = Protected::None;
    }
    protected[Tag::Data as usize] = Protected::With(crate::object::TELLS_STORES);
    let mut leaf = [false; Tag::COUNT];
    for tag in [Tag::String, Tag::Bignum] {
        leaf[tag as usize] = true;
    }
    HeapHooks { trace, trace_part, many: crate::object::many, drop: release, needs_drop, leaf, protected }
}

/// Marks what the cell refers to.
///
/// # Safety
/// `cell` is a live cell.
unsafe fn trace(cell: *mut Header, marker: &mut Marker) {
    // SAFETY: a cell lies there by contract.
    let value = unsafe { Value::from_ptr(cell) };
    // SAFETY: live by contract.
    let header = unsafe { &*cell };
    marker.mark(header.klass.get());
    if header.tag() == Tag::CData {
        // SAFETY: the tag names the layout.
        return unsafe { &*value.as_ptr::<crate::object::RCData>() }.mark(marker);
    }
    if marker.is_in_steps()
        && let Some(cell) = NonNull::new(cell)
        && let Some(generation) = crate::object::long_generation(value)
        && marker.trace_in_parts(cell, generation)
    {
        return;
    }
    let mark = |v: Value| marker.mark(v);
    match header.tag() {
        Tag::Object => Object::known(value).trace(mark),
        Tag::Class | Tag::Module => Class::known(value).trace(mark),
        Tag::Proc => Proc::known(value).trace(mark),
        Tag::Env => Env::known(value).trace(mark),
        Tag::Cref => Cref::known(value).trace(mark),
        Tag::Code => Code::known(value).trace(mark),
        Tag::MethodEntry => Method::known(value).trace(mark),
        Tag::Exception => Exception::known(value).trace(mark),
        Tag::Unwind => RUnwind::trace(value, mark),
        _ => crate::object::trace_layout(value, mark),
    }
}

/// Marks what the next elements of a long object refer to; false if they were the last ones.
///
/// # Safety
/// The part names a live cell, an Array's or a Hash's.
unsafe fn trace_part(part: &mut Part, marker: &mut Marker) -> bool {
    // SAFETY: by contract.
    let value = unsafe { Value::from_ptr(part.cell.as_ptr()) };
    crate::object::trace_part(value, part, marker)
}

/// Frees what the cell owns; returns the malloc bytes given back.
///
/// # Safety
/// `cell` is being swept.
unsafe fn release(cell: *mut Header) -> usize {
    // SAFETY: a cell lies there by contract.
    let value = unsafe { Value::from_ptr(cell) };
    // SAFETY: the cell's content is intact until this returns.
    let header = unsafe { &*cell };
    match header.tag() {
        Tag::Object => Object::known(value).release(),
        // SAFETY: swept once.
        Tag::Class | Tag::Module => return unsafe { Class::known(value).release() },
        Tag::Env => Env::known(value).release(),
        // SAFETY: swept once.
        Tag::Code => return unsafe { Code::known(value).release() },
        Tag::Exception => Exception::known(value).release(),
        // SAFETY: swept once.
        _ => return unsafe { crate::object::release_layout(value) },
    }
    0
}

impl Ctx {
    /// Runs a full collection. The calling thread holds the lock; all others are at safepoints or outside.
    pub fn collect_garbage(&mut self) {
        self.collect(Stage::Full);
    }

    /// Runs what is due of a collection: a minor one, a full one, or a step of one.
    pub fn collect_due(&mut self) {
        self.collect(Stage::Due);
    }

    /// Runs a minor collection, or a full one if the heap finds that necessary.
    pub fn collect_young(&mut self) {
        self.collect(Stage::Young);
    }

    /// [`collect_garbage`](Ctx::collect_garbage) with safepoints between its steps, so that other threads wait for none
    /// longer than for one of these.
    ///
    /// # Errors
    /// What an interrupt raises: the next collection begins anew then.
    pub fn collect_in_steps(&mut self) -> Result<(), Unwind> {
        // SAFETY: the lock is held; the borrow ends with the statement.
        if self.symbols_are_many() || !unsafe { self.vm().heap.get() }.takes_steps() {
            self.collect_garbage();
            return Ok(());
        }
        while !self.sweep_some() {
            self.check_interrupts()?;
        }
        self.collect(Stage::Begin);
        while !self.collect(Stage::Step) {
            self.check_interrupts()?;
        }
        Ok(())
    }

    /// True if the stage is done: for `Due` and `Step`, if a collection has ended.
    #[inline(never)]
    fn collect(&mut self, stage: Stage) -> bool {
        if self.in_gc {
            return true;
        }
        self.in_gc = true;
        self.tell_of(heap_events::ENTER, Value::NIL);
        let swept = match stage {
            Stage::Full | Stage::Young => self.sweep(Heap::finish_sweep),
            Stage::Due => self.sweep(Heap::sweep_some),
            Stage::Begin | Stage::Step => true,
        };
        if !swept {
            self.tell_of(heap_events::EXIT, Value::NIL);
            self.in_gc = false;
            return false;
        }
        // SAFETY: the lock is held; the borrow ends with the statement.
        if !unsafe { self.vm().heap.get() }.is_marking() {
            self.tell_of(heap_events::START, Value::NIL);
        }
        let at_once = self.symbols_are_many();
        let (mut ended, mut symbol_bytes) = (true, 0);
        rubellite_gc::stack::spill_and_sp(|sp| {
            self.leaving_at(sp as usize);
            // SAFETY: used in this function alone.
            let vm = unsafe { self.vm_apart() };
            let this: *mut Ctx = self;
            // SAFETY: the lock is held and the collector calls back only what is below.
            let heap = unsafe { vm.heap.get_mut() };
            heap.set_context(this.cast_const().cast());
            let roots = &mut |marker: &mut Marker| mark_all(vm, this, marker);
            let weak = &mut |weak: &WeakView| {
                prune_all(vm, &|v: Value| weak.is_alive(v));
                symbol_bytes = sweep_symbols(vm, weak);
            };
            match stage {
                Stage::Full => heap.collect_full(roots, weak),
                Stage::Young => heap.collect(roots, weak),
                Stage::Due => ended = heap.collect_some(at_once, roots, weak),
                Stage::Step => ended = heap.step(roots, weak),
                Stage::Begin => {
                    heap.begin_steps();
                    ended = false;
                }
            }
            heap.note_swept(symbol_bytes);
        });
        if ended {
            self.tell_of_dead();
        }
        self.tell_of(heap_events::EXIT, Value::NIL);
        self.in_gc = false;
        if !ended {
            return false;
        }
        self.vm().recently_found.forget();
        if !reserve::is_spent() {
            // It may have been spent long ago.
            reserve::restore();
        }
        let limit = self.vm().memory_limit;
        if limit != 0 && self.used_bytes() > limit {
            // What is dead still counts until it is swept: a safepoint looks closer.
            self.thread.lock_thread.interrupt.set(crate::thread::interrupt_bits::LIMIT);
        }
        true
    }

    /// Whether so many dynamic symbols were made that it is time to free those that nobody knows any more, which takes
    /// a full collection at once.
    fn symbols_are_many(&self) -> bool {
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { self.vm().symbols.get() }.are_many()
    }

    /// `collect_garbage`, and sweeps everything: what dead objects hold of the system (descriptors) is free afterwards.
    pub fn collect_and_sweep(&mut self) {
        self.collect_garbage();
        let outer = std::mem::replace(&mut self.in_gc, true);
        self.sweep_rest();
        self.in_gc = outer;
    }

    /// Sweeps some of what the last collection has left; true if nothing is left.
    fn sweep_some(&mut self) -> bool {
        let outer = std::mem::replace(&mut self.in_gc, true);
        let done = outer || self.sweep(Heap::sweep_some);
        self.in_gc = outer;
        done
    }

    /// Sweeps what the last collection has left.
    pub(crate) fn sweep_rest(&mut self) {
        self.sweep(Heap::finish_sweep);
    }

    fn sweep(&mut self, sweep: fn(&mut Heap) -> bool) -> bool {
        self.sweeping = true;
        // SAFETY: the lock is held; the borrow ends with the statement.
        let done = sweep(unsafe { self.vm().heap.get_mut() });
        self.sweeping = false;
        done
    }

    fn used_bytes(&self) -> usize {
        let stat = self.heap_stat();
        stat.live_cell_bytes + stat.allocated_cell_bytes + stat.malloc_bytes
    }

    /// Whether living objects occupy more than the limit. Collects, and sweeps everything, when it seems so.
    pub fn memory_exceeded(&mut self) -> bool {
        let limit = self.vm().memory_limit;
        if limit == 0 || self.used_bytes() <= limit {
            return false;
        }
        self.collect_and_sweep();
        self.thread.lock_thread.interrupt.take(crate::thread::interrupt_bits::LIMIT);
        self.used_bytes() > limit
    }

    /// After an allocation that took the last reserve of address space: collects, gives back what nobody uses, and
    /// takes the reserve again. False: there is no room for it, and the program is to be told while there is memory
    /// left for that.
    pub fn recover_memory(&mut self) -> bool {
        if !reserve::is_spent() {
            return true;
        }
        self.collect_and_sweep();
        reserve::settle();
        reserve::restore()
    }

    /// Counters of the heap.
    pub fn heap_stat(&self) -> HeapStat {
        // SAFETY: the lock is held.
        unsafe { self.vm().heap.get() }.stat()
    }

    /// Figures of the heap's cells by size, the smallest first.
    pub fn cell_stats(&self) -> [CellStat; SizeClass::COUNT] {
        // SAFETY: the lock is held.
        unsafe { self.vm().heap.get() }.cell_stats()
    }

    /// Bytes of an object's cell; 0 for immediates.
    pub fn cell_bytes_of(&self, value: Value) -> usize {
        // SAFETY: the lock is held.
        if value.is_heap() { unsafe { self.vm().heap.get() }.cell_bytes(value.bits() as usize) } else { 0 }
    }

    /// Whether the object has survived a collection, so that minor ones do not look at it.
    pub fn is_old(&self, value: Value) -> bool {
        value.header().is_some_and(|header| header.has(rubellite_value::flags::OLD))
    }

    /// Calls `visit` with every live object that Ruby code may see.
    pub fn each_object(&mut self, visit: &mut dyn FnMut(Value)) {
        // SAFETY: the lock is held; `visit` allocates nothing by contract.
        unsafe { self.vm().heap.get_mut() }.each_object(&mut |cell| show(cell, visit));
    }

    /// The same, some milliseconds' worth of objects at a time, with a safepoint after each: objects that others make
    /// meanwhile may be left out. Those for which `visit` answers true are appended to the list.
    pub fn each_object_in_stages(
        &mut self,
        list: TempArray,
        visit: &dyn Fn(&Ctx, Value) -> bool,
    ) -> Result<(), Unwind> {
        // SAFETY: the lock is held, and the borrow ends here.
        let blocks = unsafe { self.vm().heap.get_mut() }.object_blocks();
        for some in blocks.chunks(STAGE_BLOCKS) {
            let mut found: Vec<Value> = Vec::new(); // tidy: no collection happens until they are in the list
            let this: *const Ctx = self;
            let mut look = |object| {
                // SAFETY: the walk runs nothing but this closure, which only reads.
                if visit(unsafe { &*this }, object) {
                    found.push(object);
                }
            };
            // SAFETY: the lock is held; the closure allocates no object.
            unsafe { self.vm().heap.get_mut() }.each_object_in(some, &mut |cell| show(cell, &mut look));
            self.without_collecting(|ctx| list.array().extend(ctx, &found));
            self.check_interrupts()?;
        }
        Ok(())
    }

    /// Calls `visit` with the cell of all code that is linked and not the VM's own.
    pub fn each_code(&mut self, visit: &mut dyn FnMut(crate::code::Code)) {
        // SAFETY: the lock is held; `visit` allocates nothing by contract.
        unsafe { self.vm().heap.get_mut() }.each_object(&mut |cell| {
            // SAFETY: the heap hands out live cells.
            let value = unsafe { Value::from_ptr(cell.as_ptr()) };
            if let Some(code) = crate::code::Code::try_of(value).filter(|code| !code.iseq().script.is_internal()) {
                visit(code);
            }
        });
    }

    /// Links all code that lies in linked code, so that [`each_code`](Ctx::each_code) shows methods and blocks that
    /// nobody has run yet.
    pub fn link_inner_code(&mut self) {
        self.without_collecting(|ctx| {
            let mut left: Vec<crate::code::Code> = Vec::new();
            ctx.each_code(&mut |code| left.push(code));
            while let Some(code) = left.pop() {
                for index in 0..code.iseq().children.len() {
                    if let Some(child) = code.link_child(ctx, index) {
                        left.push(child);
                    }
                }
            }
        });
    }

    /// Bytes of a heap object: its cell and what it owns in malloc memory; 0 for immediates.
    pub fn memory_size_of(&self, value: Value) -> usize {
        if !value.is_heap() {
            return 0;
        }
        // SAFETY: the lock is held.
        unsafe { self.vm().heap.get() }.cell_bytes(value.bits() as usize) + crate::object::layout_memory_size(value)
    }

    /// The objects that Ruby code may see and that `value` refers to directly, its class first; each once.
    pub fn reachable_from(&mut self, value: Value) -> crate::object::Array {
        let mut found: Vec<Value> = Vec::new(); // tidy: all of them are kept alive by `value`
        let mut known = HashSet::new();
        self.each_reference(value, &mut |other| {
            if known.insert(other.bits()) {
                found.push(other);
            }
        });
        crate::object::Array::from_slice(self, &found)
    }

    /// Calls `visit`, which allocates nothing, for each reference of `value` to an object that Ruby code may see, to
    /// its class first.
    pub fn each_reference(&self, value: Value, visit: &mut dyn FnMut(Value)) {
        let mut add = |v: Value| {
            let internal = v.header().is_none_or(|h| {
                !h.klass.get().is_heap()
                    || matches!(
                        h.tag(),
                        Tag::Env | Tag::Cref | Tag::Code | Tag::MethodEntry | Tag::Unwind | Tag::IClass
                    )
            });
            if !internal {
                visit(v);
            }
        };
        if let Some(header) = value.header() {
            add(self.real_class(value).value());
            match header.tag() {
                Tag::Object => Object::known(value).trace(&mut add),
                Tag::Class | Tag::Module => Class::known(value).trace(&mut add),
                Tag::Exception => Exception::known(value).trace(&mut add),
                Tag::Proc => Proc::known(value).trace(&mut add),
                _ => crate::object::trace_layout(value, &mut add),
            }
        }
    }

    /// Whether the word is an immediate or an object: extensions in C hand over addresses of their own where values are
    /// taken.
    pub fn is_value(&self, word: Value) -> bool {
        // SAFETY: the lock is held.
        let cell = || unsafe { self.vm().heap.get() }.find_cell(word.bits() as usize);
        !word.is_heap() || cell().is_some_and(|cell| cell.as_ptr() as u64 == word.bits())
    }

    /// Live cells by type tag.
    pub fn count_cells(&mut self) -> [usize; Tag::COUNT] {
        // SAFETY: the lock is held.
        unsafe { self.vm().heap.get_mut() }.count_by_tag()
    }

    /// A step of a full collection at every allocation, with checks that no store is missed.
    pub fn set_gc_step_stress(&mut self, on: bool) {
        // SAFETY: the lock is held.
        unsafe { self.vm().heap.get_mut() }.set_stress_steps(on);
    }

    /// Collect at every allocation.
    pub fn set_gc_stress(&mut self, on: bool) {
        // SAFETY: the lock is held.
        unsafe { self.vm().heap.get_mut() }.set_stress(on);
    }

    /// Turns automatic collection off or on; returns whether it was off. Where memory is limited, it stays on from half
    /// of the limit upwards: garbage shall not fail a program that keeps little.
    pub fn set_gc_disabled(&self, disabled: bool) -> bool {
        self.vm().gc_disabled.replace(disabled)
    }

    /// Runs `work`, which may allocate, without any collection: the values that it refers to may lie where none is
    /// found.
    pub fn without_collecting<R>(&mut self, work: impl FnOnce(&mut Ctx) -> R) -> R {
        let before = self.vm().gc_held.replace(true);
        let result = work(self);
        self.vm().gc_held.set(before);
        result
    }

    /// Whether an automatic collection may run now.
    pub(crate) fn may_collect(&self) -> bool {
        let vm = self.vm();
        !vm.gc_held.get() && (!vm.gc_disabled.get() || vm.memory_limit != 0 && self.used_bytes() > vm.memory_limit / 2)
    }
}

/// Shows a cell that holds an object, if Ruby code may see that.
fn show(cell: NonNull<Header>, visit: &mut dyn FnMut(Value)) {
    // SAFETY: the heap hands out live cells.
    let value = unsafe { Value::from_ptr(cell.as_ptr()) };
    if heap_events::is_visible(value) {
        visit(value);
    }
}

fn mark_all(vm: &Vm, current: *mut Ctx, marker: &mut Marker) {
    // SAFETY: the lock is held, and nothing that marks makes symbols; `sweep_symbols` brings them back.
    marker.lend_symbols(std::mem::take(&mut unsafe { vm.symbols.get_mut() }.marks));
    for (_, class) in vm.classes.all() {
        marker.mark(class.get());
    }
    for v in [&vm.fatal, &vm.verbose, &vm.debug, &vm.main_object, &vm.no_elements, &vm.toplevel_binding] {
        marker.mark(v.get());
    }
    // SAFETY: the lock is held by the collecting thread; nobody else borrows any table now, and the
    // contexts of living threads stay valid while their states are on the list.
    unsafe {
        marker.mark_slice(vm.pinned.get());
        vm.defined_texts.trace(|v| marker.mark(v));
        for hook in vm.trace_hooks.get().iter() {
            marker.mark(hook.owner);
            hook.bmethod.into_iter().for_each(|method| marker.mark(method.value()));
        }
        let globals = vm.globals.get();
        globals
            .values
            .values()
            .chain(globals.traces.values())
            .chain(globals.of_ractors.values())
            .for_each(|v| marker.mark(*v));
        vm.symbol_procs.get().values().for_each(|v| marker.mark(*v));
        for extension in vm.extensions.get().values() {
            extension.trace(&mut |v| marker.mark(v));
            extension.trace_words(&mut |word| marker.mark_maybe(word));
        }
        vm.races.get().iter().for_each(|races| races.trace(|v| marker.mark(v)));
        for thread in vm.threads.get().living() {
            marker.mark(thread.value.get());
            let Some(ctx) = thread.ctx_ptr() else { continue };
            let collects = ctx.as_ptr() == current;
            let ctx = if collects { &*current } else { ctx.as_ref() };
            ctx.mark_roots(marker);
            mark_stacks(marker, ctx, collects);
        }
    }
    mark_generic_ivars(vm, marker);
    if marker.is_in_steps() {
        // SAFETY: as above.
        unsafe { vm.symbols.get_mut() }.marks = marker.take_symbols();
    }
}

/// Instance variables in the side table and suspended fibers live as long as their owners: repeated until nothing new
/// is found.
fn mark_generic_ivars(vm: &Vm, marker: &mut Marker) {
    // SAFETY: as in `mark_all`.
    let table = unsafe { vm.generic_ivars.get() };
    // SAFETY: as above.
    let slots = unsafe { vm.threads.get() }.fibers.slots();
    // SAFETY: a slot is taken off the table before it is freed.
    let slots = slots.map(|slot| unsafe { slot.as_ref() });
    let mut fibers: Vec<(&Slot, &Registers)> = slots.filter_map(|slot| Some((slot, slot.suspended()?))).collect();
    let mut waiting: Vec<(Value, &[Value])> = table.entries().collect(); // tidy: addresses, not references
    while marker.drain() {
        let before = waiting.len();
        waiting.retain(|(owner, slots)| {
            let alive = marker.is_marked(*owner);
            if alive {
                marker.mark_slice(slots);
            }
            !alive
        });
        let fibers_before = fibers.len();
        fibers.retain(|(slot, fiber)| {
            let alive = fiber.fiber.is_nil() || marker.is_marked(fiber.fiber);
            if alive {
                mark_fiber(marker, slot, fiber);
            }
            !alive
        });
        if waiting.len() == before && fibers.len() == fibers_before {
            return;
        }
    }
}

fn prune_all(vm: &Vm, alive: &dyn Fn(Value) -> bool) {
    // SAFETY: as in `mark_all`.
    unsafe {
        vm.generic_ivars.get_mut().retain(alive);
        vm.object_ids.get_mut().retain(alive);
        vm.threads.get_mut().fibers.prune(alive);
        vm.extensions.get_mut().values_mut().for_each(|e| e.prune(alive));
        vm.races.get_mut().iter_mut().for_each(|races| races.prune(alive));
        vm.births.get_mut().prune(alive);
    }
    prune_classes(vm, alive);
}

/// Frees the symbols that a full marking has not met. Bytes given back.
fn sweep_symbols(vm: &Vm, weak: &WeakView) -> usize {
    // SAFETY: as in `mark_all`.
    let symbols = unsafe { vm.symbols.get_mut() };
    let (marks, judged) = weak.take_symbols();
    if let Some(marks) = marks {
        symbols.marks = marks;
    }
    if judged { symbols.sweep() } else { 0 }
}

/// Takes dead classes off the lists of living ones.
fn prune_classes(vm: &Vm, alive: &dyn Fn(Value) -> bool) {
    // SAFETY: as in `mark_all`.
    let modules = unsafe { vm.modules.get_mut() };
    let before = modules.len();
    modules.retain(|m| alive(m.value()));
    if modules.len() == before {
        return;
    }
    modules.iter().for_each(|m| m.prune(alive));
}

//! Marking: the work list and the operations that root and trace hooks use. Which
//! objects to start from is decided by the VM, what an object refers to by its trace
//! hook.

use std::ptr::NonNull;

use rubellite_value::{Header, Sym, Value, flags};

use crate::chunk::{Age, grow_old, is_marked, is_old, set_aged, set_mark};
use crate::chunk_table::ChunkTable;
use crate::header::{self, TAG_FREE};
use crate::heap::{ClassBlocks, Heap};
use crate::protection::Protection;
use crate::stack;
use crate::symbols::SymbolMarks;
use std::cell::RefCell;

/// Objects between being taken off the work list and being traced: their first line is
/// fetched meanwhile.
///
/// Measured with a million objects in random order: 30 ns per object with 4, 20 with 8,
/// 16 with 16, 10 with 32; no difference for objects in order.
const IN_FLIGHT: usize = 32;

/// Marks values during a collection. Roots and trace hooks are given one.
pub struct Marker {
    /// Marked objects that are not yet traced.
    work: Vec<NonNull<Header>>,
    work_max: usize,
    /// A marked object did not fit on the work list.
    overflowed: bool,
    /// How many objects may still be traced before marking pauses, and whether it had to.
    left: usize,
    paused: bool,
    /// The program runs between the steps of this marking, see `steps`.
    in_steps: bool,
    /// There was no memory to list something that is to be traced again: all that is marked is, then.
    pub(crate) lost: bool,
    /// Long objects that are traced in parts, and where to go on.
    long: Vec<Part>,
    trace_part: unsafe fn(&mut Part, &mut Marker) -> bool,
    /// Objects that were traced in steps and are stored into without the write barrier.
    unguarded: Vec<NonNull<Header>>,
    /// Check every reference (stress mode).
    checked: bool,
    /// The heap's address table and blocks, which do not change while marking.
    table: *const ChunkTable,
    classes: *const [ClassBlocks],
    trace: unsafe fn(*mut Header, &mut Marker),
    /// As in [`HeapHooks`](crate::HeapHooks).
    protection: Protection,
    /// Objects become old.
    generational: bool,
    /// Old objects that are not protected.
    unprotected: Vec<NonNull<Header>>,
    /// There was no room to list some of them.
    incomplete: bool,
    /// A protected old object is being traced: what it refers to becomes old, too.
    aging: bool,
    /// Every reference that is shown must be marked already.
    verifies: bool,
    marked: u64,
    /// The VM's dynamic symbols.
    symbols: SymbolMarks,
    /// The context of the thread that collects, for mark functions that read; the VM's to cast.
    context: *const (),
}

/// How far a long object is traced.
pub struct Part {
    pub cell: NonNull<Header>,
    /// How many of its elements are.
    pub at: usize,
    /// A number that tells whether these are still the same; the object's to say.
    pub generation: u32,
}

/// Elements of a part: some 50 us.
pub const PART: usize = 4 << 10;
/// What tracing it counts for, in objects.
const PART_OBJECTS: usize = 1 << 10;

/// Buffers that outlive a collection so that they are not allocated anew.
#[derive(Default)]
pub(crate) struct MarkBuffers {
    pub work: Vec<NonNull<Header>>,
    /// Old objects that are not protected.
    pub unprotected: Vec<NonNull<Header>>,
    /// They are not all of them, so that only a full collection can come next.
    pub incomplete: bool,
    /// As in [`Marker`].
    pub unguarded: Vec<NonNull<Header>>,
    pub long: Vec<Part>,
}

impl MarkBuffers {
    /// With nothing but what the next collection has to know.
    pub fn without_work(self) -> MarkBuffers {
        MarkBuffers { unprotected: self.unprotected, incomplete: self.incomplete, ..MarkBuffers::default() }
    }
}

/// A marking between two steps.
pub(crate) struct Suspended {
    pub buffers: MarkBuffers,
    /// Looks at the roots so far.
    pub looks: usize,
}

/// Limits and checks of one marking.
pub(crate) struct MarkOptions {
    pub work_max: usize,
    pub checked: bool,
    pub generational: bool,
    /// How many objects are traced before marking pauses; `None`: it does not.
    pub step: Option<usize>,
}

impl Marker {
    pub(crate) fn new(heap: &Heap, options: MarkOptions, buffers: MarkBuffers) -> Marker {
        Marker {
            work: buffers.work,
            work_max: options.work_max,
            overflowed: false,
            left: options.step.unwrap_or(usize::MAX),
            paused: false,
            in_steps: options.step.is_some(),
            unguarded: buffers.unguarded,
            lost: false,
            long: buffers.long,
            trace_part: heap.hooks.trace_part,
            checked: options.checked,
            table: &heap.table,
            classes: &heap.classes,
            trace: heap.hooks.trace,
            protection: Protection::new(&heap.hooks.protected),
            generational: options.generational,
            unprotected: buffers.unprotected,
            incomplete: buffers.incomplete,
            aging: false,
            verifies: false,
            marked: 0,
            symbols: SymbolMarks::default(),
            context: heap.context,
        }
    }

    /// The context of the thread that collects; null before [`Heap::set_context`].
    pub fn context(&self) -> *const () {
        self.context
    }

    /// Marks the VM's dynamic symbols, too. To be called before anything else; [`WeakView::take_symbols`] gives them
    /// back.
    pub fn lend_symbols(&mut self, mut symbols: SymbolMarks) {
        symbols.forget_marks();
        self.symbols = symbols;
    }

    /// Takes the symbols back: marking in steps does so at the end of each look at the roots, as a table of its own is
    /// not to be had between them.
    pub fn take_symbols(&mut self) -> SymbolMarks {
        std::mem::take(&mut self.symbols)
    }

    /// Whether the program runs between the steps of this marking. Such a one does not say which symbols live.
    pub fn is_in_steps(&self) -> bool {
        self.in_steps
    }

    pub(crate) fn into_buffers(mut self) -> MarkBuffers {
        self.work.clear();
        self.unguarded.clear();
        self.long.clear();
        // A once deep graph must not hold its work list for ever.
        self.work.shrink_to(1 << 16);
        self.suspend()
    }

    /// The lists as they are, for the next step.
    pub(crate) fn suspend(self) -> MarkBuffers {
        MarkBuffers {
            work: self.work,
            unprotected: self.unprotected,
            incomplete: self.incomplete,
            unguarded: self.unguarded,
            long: self.long,
        }
    }

    /// From here on so many objects are traced before marking pauses.
    pub(crate) fn allow(&mut self, objects: usize) {
        self.left = objects;
        self.paused = false;
    }

    /// Marks `value` if it is a heap object or a symbol; other immediates are ignored.
    #[inline]
    pub fn mark(&mut self, value: Value) {
        if let Some(cell) = header::heap_cell(value) {
            // SAFETY: a value that is no immediate points to an object of this heap.
            unsafe { self.mark_header(cell) }
        } else if let Some(sym) = value.as_symbol() {
            self.symbols.mark(sym);
        }
    }

    /// Keeps a symbol by its number.
    #[inline]
    pub fn mark_symbol(&mut self, sym: Sym) {
        self.symbols.mark(sym);
    }

    /// The dynamic symbols that `word` may mean.
    pub fn symbols_in(&self, word: usize) -> impl Iterator<Item = Sym> {
        self.symbols.in_word(word)
    }

    /// Marks an object.
    ///
    /// # Safety
    /// `cell` must be an object of this heap.
    #[inline]
    pub unsafe fn mark_header(&mut self, cell: NonNull<Header>) {
        if self.checked {
            self.check(cell);
        }
        // SAFETY: the caller gives a cell of this heap.
        let is_new = unsafe { set_mark(cell) };
        // What was traced as a young one before is traced again as an old one.
        // SAFETY: as above.
        if is_new | (self.aging && unsafe { set_aged(cell) }) {
            assert!(!self.verifies, "{cell:p} was stored into an old object without the write barrier");
            self.marked += u64::from(is_new);
            self.push(cell);
        }
    }

    #[inline(always)]
    fn push(&mut self, cell: NonNull<Header>) {
        if self.work.len() < self.work.capacity() && self.work.len() < self.work_max {
            self.work.push(cell);
        } else {
            self.push_slow(cell);
        }
    }

    /// Marks every value of a slice.
    #[inline]
    pub fn mark_slice(&mut self, values: &[Value]) {
        for &value in values {
            self.mark(value);
        }
    }

    /// Marks the object that `word` points to or into, or the symbols that it may mean: for words that may or
    /// may not be references.
    #[inline]
    pub fn mark_maybe(&mut self, word: usize) {
        if let Some(cell) = self.find(word) {
            // SAFETY: `find` gives objects of this heap.
            unsafe { self.mark_header(cell) }
        } else {
            self.symbols.mark_word(word);
        }
    }

    /// Marks conservatively from every aligned word in `low..high`: a machine stack.
    ///
    /// # Safety
    /// The range must be readable and not be written meanwhile.
    pub unsafe fn mark_range(&mut self, low: *const usize, high: *const usize) {
        // SAFETY: the caller vouches for the range.
        unsafe { stack::words(low, high) }.for_each(|word| self.mark_maybe(word));
    }

    /// The object that `word` points to or into, if it does.
    #[inline]
    pub fn find(&self, word: usize) -> Option<NonNull<Header>> {
        // SAFETY: the table belongs to the heap that made this marker and outlives it.
        unsafe { (*self.table).find_cell(word) }
    }

    /// Whether everything is checked that can be: stress mode.
    pub fn is_checked(&self) -> bool {
        self.checked
    }

    /// Whether `value` is marked already (immediates are). Meaningful for decisions while
    /// marking, such as ephemerons; when marking is over ask [`WeakView`].
    #[inline]
    pub fn is_marked(&self, value: Value) -> bool {
        // SAFETY: a value that is no immediate points to an object of this heap.
        header::heap_cell(value).is_none_or(|cell| unsafe { is_marked(cell) })
    }

    /// Objects marked so far in this collection.
    pub fn marked_objects(&self) -> u64 {
        self.marked
    }

    /// Traces until everything is marked that the marked objects reach; false if marking pauses before that. Root hooks
    /// need not call it; one that implements ephemerons does, between its rounds, of which there are no more when
    /// this is false.
    pub fn drain(&mut self) -> bool {
        self.drain_list();
        while std::mem::take(&mut self.overflowed) {
            // There is no memory for a list to go on from later.
            self.allow(usize::MAX);
            self.drain_list();
            self.trace_marked();
        }
        !self.paused
    }

    fn drain_list(&mut self) {
        loop {
            self.drain_work();
            if self.left == 0 {
                break;
            }
            let Some(part) = self.long.pop() else { return };
            self.left = self.left.saturating_sub(PART_OBJECTS);
            self.trace_long(part);
        }
        self.paused |= !self.work.is_empty() || !self.long.is_empty();
    }

    fn drain_work(&mut self) {
        let mut ring = [NonNull::dangling(); IN_FLIGHT];
        let (mut oldest, mut newest) = (0usize, 0usize);
        while self.left > 0 {
            if let Some(cell) = self.work.pop() {
                prefetch(cell.as_ptr());
                ring[newest % IN_FLIGHT] = cell;
                newest += 1;
                if newest - oldest < IN_FLIGHT {
                    continue;
                }
            } else if oldest == newest {
                return;
            }
            let cell = ring[oldest % IN_FLIGHT];
            oldest += 1;
            self.left -= 1;
            self.trace_object(cell);
        }
        (oldest..newest).for_each(|at| self.push(ring[at % IN_FLIGHT]));
    }

    fn trace_long(&mut self, mut part: Part) {
        // SAFETY: a marked object of this heap.
        unsafe {
            self.aging = is_old(part.cell) && self.protection.covers(part.cell.as_ptr());
            if (self.trace_part)(&mut part, self) {
                self.long.push(part);
            }
        }
        self.aging = false;
    }

    /// For trace hooks: traces the object in parts of [`PART`] elements, between which the program may run. False: it
    /// must be traced as a whole.
    #[inline]
    pub fn trace_in_parts(&mut self, cell: NonNull<Header>, generation: u32) -> bool {
        let divides = self.in_steps && !self.verifies;
        if divides {
            self.long.push(Part { cell, at: 0, generation });
        }
        divides
    }

    /// Traces one marked object again or for the first time.
    #[inline]
    fn trace_object(&mut self, cell: NonNull<Header>) {
        if self.generational {
            // SAFETY: the cell is an object of this heap.
            unsafe {
                let age = grow_old(cell);
                let protected = self.protection.covers(cell.as_ptr());
                if age != Age::Young {
                    if protected {
                        (*cell.as_ptr()).set(flags::OLD);
                        self.aging = true;
                    } else if age == Age::Aged {
                        self.list_unprotected(cell);
                    }
                }
                if self.in_steps {
                    if protected {
                        (*cell.as_ptr()).set(flags::OLD);
                    } else if self.unguarded.try_reserve(1).is_ok() {
                        self.unguarded.push(cell);
                    } else {
                        self.lost = true;
                    }
                }
            }
        }
        // SAFETY: the cell is an object of the heap whose hooks these are.
        unsafe { (self.trace)(cell.as_ptr(), self) }
        self.aging = false;
    }

    fn list_unprotected(&mut self, cell: NonNull<Header>) {
        if self.unprotected.len() < self.work_max && self.unprotected.try_reserve(1).is_ok() {
            self.unprotected.push(cell);
        } else {
            self.incomplete = true;
        }
    }

    /// Goes on from old objects that may refer to new ones: those that are given and those of unprotected types. What
    /// they have adopted is marked as if it had been met in them.
    pub(crate) fn trace_old(&mut self, changed: impl Iterator<Item = NonNull<Header>>, adopted: &[NonNull<Header>]) {
        changed.for_each(|cell| self.push(cell));
        self.aging = true;
        // SAFETY: objects of this heap: what lived when it was listed is not swept before a collection has marked.
        adopted.iter().for_each(|cell| unsafe { self.mark_header(*cell) });
        self.aging = false;
        for i in 0..self.unprotected.len() {
            self.push(self.unprotected[i]);
        }
    }

    /// Goes on from objects that the barrier has marked.
    pub(crate) fn trace_shaded(&mut self, shaded: Vec<NonNull<Header>>) {
        shaded.into_iter().for_each(|cell| self.push(cell));
    }

    /// Goes on, in steps, from what may refer to unmarked objects although it was traced: the objects that are given,
    /// and those into which is stored without the write barrier.
    pub(crate) fn trace_again(&mut self, changed: impl Iterator<Item = NonNull<Header>>) {
        changed.for_each(|cell| self.push(cell));
        for i in 0..self.unguarded.len() {
            // SAFETY: a marked object of this heap.
            unsafe { (self.trace)(self.unguarded[i].as_ptr(), self) }
        }
        self.overflowed |= self.lost;
    }

    /// Traces every marked object again: the way out when the work list was full. Each
    /// round traces at least what the round before could not, so it ends.
    #[cold]
    fn trace_marked(&mut self) {
        // SAFETY: the heap that made this marker is borrowed as long as it marks.
        let classes = unsafe { &*self.classes };
        for block in classes.iter().flat_map(|class| &class.blocks) {
            // SAFETY: blocks of a class are initialised.
            let cells = unsafe { (**block).each_cell() };
            for cell in cells {
                // SAFETY: `each_cell` gives cells of the heap.
                if unsafe { is_marked(cell) } {
                    self.trace_object(cell);
                    self.drain_list();
                }
            }
        }
    }

    /// Checks that marked objects refer to marked ones, which a missing write barrier breaks.
    pub(crate) fn verify(&mut self) {
        self.verifies = true;
        // SAFETY: the heap that made this marker is borrowed as long as it marks.
        let classes = unsafe { &*self.classes };
        for block in classes.iter().flat_map(|class| &class.blocks) {
            // SAFETY: blocks of a class are initialised.
            let cells = unsafe { (**block).each_cell() };
            // SAFETY: `each_cell` gives cells of the heap, and a marked one is an object.
            cells
                .filter(|cell| unsafe { is_marked(*cell) })
                .for_each(|cell| unsafe { (self.trace)(cell.as_ptr(), self) });
        }
        self.verifies = false;
    }

    #[cold]
    #[inline(never)]
    fn push_slow(&mut self, cell: NonNull<Header>) {
        let grown = self.work.len() < self.work_max && self.work.try_reserve(self.work.len().max(1024)).is_ok();
        if grown {
            self.work.push(cell);
        } else {
            // It stays marked; the collection finds it by walking the marked cells.
            self.overflowed = true;
        }
    }

    #[cold]
    fn check(&self, cell: NonNull<Header>) {
        // SAFETY: as in `mark_maybe`.
        let found = unsafe { (*self.table).find_cell(cell.as_ptr() as usize) };
        assert!(found == Some(cell), "a reference to {cell:p}, which is no object, was marked");
    }
}

/// What survived, for weak references: given to the weak hook when marking is over and
/// before anything is freed.
pub struct WeakView {
    symbols: RefCell<Option<SymbolMarks>>,
    /// Which symbols live is known.
    judges_symbols: bool,
}

impl WeakView {
    pub(crate) fn new(symbols: Option<SymbolMarks>, full: bool) -> WeakView {
        WeakView { judges_symbols: full && symbols.is_some(), symbols: RefCell::new(symbols) }
    }

    /// The symbols that the marking was lent, unless they were given back before, and whether all that live are marked.
    pub fn take_symbols(&self) -> (Option<SymbolMarks>, bool) {
        (self.symbols.take(), self.judges_symbols)
    }

    /// Whether `value` survives this collection. Immediates do, but for dynamic symbols that a full one has not met.
    #[inline]
    pub fn is_alive(&self, value: Value) -> bool {
        if let Some(sym) = value.as_symbol() {
            return !self.judges_symbols || self.symbols.borrow().as_ref().is_none_or(|symbols| symbols.survives(sym));
        }
        // SAFETY: nothing was freed yet, so a value that was valid when the collection
        // began still points to a cell.
        header::heap_cell(value).is_none_or(|cell| unsafe { is_marked(cell) })
    }

    /// The same for a cell.
    ///
    /// # Safety
    /// `cell` must have been an object of this heap when the collection began.
    #[inline]
    pub unsafe fn is_alive_cell(&self, cell: NonNull<Header>) -> bool {
        // SAFETY: the caller's promise; nothing was freed since.
        unsafe {
            debug_assert!(header::tag(cell.as_ptr()) != TAG_FREE);
            is_marked(cell)
        }
    }
}

#[inline(always)]
fn prefetch(cell: *const Header) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch is a hint and cannot fault.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(cell.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch is a hint and cannot fault.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{}]", in(reg) cell, options(nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = cell;
}

//! The execution context: what native code and the interpreter see of the VM and of the current thread.
//!
//! One `Ctx` belongs to one native thread and holds the registers of the fiber that it runs. Holding
//! `&mut Ctx` means holding the VM lock.

use crate::class::Class;
use crate::epoch::EpochRef;
use crate::frame::{Bounds, Frame, Stack, frame_flags};
use crate::guards::Guards;
use crate::names::Names;
use crate::roots::Kept;
use crate::thread::ThreadState;
use crate::unwind::Pending;
use crate::vm::{CoreClasses, Vm};
use rubellite_bytecode::{Origin, Text, is_internal_name};
use rubellite_gc::{Heap, Marker, SizeClass, reserve};
use rubellite_value::{Header, Sym, Tag, Value};
use std::io::Write;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::Arc;

/// The execution context of one thread. What compiled code reads stands first: its addresses there are short.
#[repr(C)]
pub struct Ctx {
    /// The raw interrupt word of this thread: non-zero when a safepoint has something to do.
    pub(crate) interrupt: *const u32,
    /// The running frame.
    pub(crate) frame: *mut Frame,
    pub(crate) values_limit: *mut Value,
    pub(crate) frames_limit: *mut Frame,
    /// Below this machine stack address native recursion is refused.
    pub(crate) native_limit: usize,
    /// First free word of the value stack while native code runs.
    pub(crate) sp: *mut Value,
    pub(crate) vm: NonNull<Vm>,
    /// The non-local exit under way.
    pub(crate) pending: Pending,
    /// `$!`
    pub(crate) errinfo: Value,
    /// Highest address of the machine stack of this fiber.
    pub(crate) native_base: usize,
    /// Stack pointer at the moment the lock was left.
    pub(crate) native_sp: usize,
    /// What the collector has found on the stacks since then.
    pub(crate) kept: Kept,
    pub(crate) next_frame_id: u64,
    /// Tags of active `catch` calls.
    pub(crate) catch_tags: Vec<Value>, // tidy: traced as roots
    /// The VM stack of the running fiber.
    pub(crate) stack: Bounds,
    /// The VM stack of the root fiber, at whose head the context lies: `placement` ends both.
    pub(crate) root_stack: ManuallyDrop<Stack>,
    /// Where the registers of the running fiber go when it is left; made at the thread's first switch.
    pub(crate) slot: *mut crate::fiber::Slot,
    /// The root fiber's.
    pub(crate) root_slot: Option<Box<crate::fiber::Slot>>,
    pub(crate) thread: Arc<ThreadState>,
    /// Objects under inspection, comparison ...
    pub(crate) recursion: Guards,
    /// The running fiber's object, or nil in the root fiber.
    pub(crate) fiber: Value,
    /// The root fiber's object, once somebody has asked for it; nil before.
    pub(crate) root_fiber: Value,
    /// In the child of a fork: the fiber that forked, which counts as the root; nil for the root itself.
    pub(crate) forked_fiber: Value,
    /// What crosses the fiber switch under way.
    pub(crate) switch: crate::fiber::Switch,
    /// The thread is at a point where it would wait, or has just waited: `Ctx::take_at_wait`.
    pub(crate) waiting: bool,
    /// `$DEBUG` does not tell of exceptions, as while it tells of one.
    pub(crate) telling: bool,
    pub(crate) in_gc: bool,
    /// The collection under way sweeps, and does not mark.
    pub(crate) sweeping: bool,
    /// Why `method_missing` was called last.
    pub(crate) missing: crate::call::Missing,
    /// A panic that native code called by compiled code has ended with.
    pub(crate) panic: Option<Box<dyn std::any::Any + Send>>,
    /// The event that a trace hook of this thread is looking at.
    pub(crate) trace_event: Option<crate::trace::TraceEvent>,
    /// The allocation ceiling that the native thread had before it came into this VM.
    pub(crate) outer_ceiling: usize,
}

/// A heap layout: a `#[repr(C)]` struct whose first field is a [`Header`].
///
/// # Safety
/// The type is `#[repr(C)]`, begins with a `Header`, is at most 256 bytes, and the collector's trace and drop
/// functions know its `TAG`.
pub unsafe trait Layout: Sized {
    const TAG: Tag;
}

impl Ctx {
    #[inline(always)]
    pub fn vm(&self) -> &Vm {
        // SAFETY: a VM outlives every thread attached to it.
        unsafe { self.vm.as_ref() }
    }

    /// The VM, for what needs `&mut self` meanwhile.
    ///
    /// # Safety
    /// The reference is not kept beyond the running function.
    #[inline(always)]
    pub(crate) unsafe fn vm_apart<'a>(&self) -> &'a Vm {
        // SAFETY: a VM outlives every thread attached to it.
        unsafe { self.vm.as_ref() }
    }

    #[inline(always)]
    pub fn classes(&self) -> &CoreClasses {
        &self.vm().classes
    }

    #[inline(always)]
    pub fn names(&self) -> &Names {
        &self.vm().names
    }

    pub fn thread(&self) -> &Arc<ThreadState> {
        &self.thread
    }

    // -- allocation -----------------------------------------------------------------------

    /// Puts `init` into a fresh heap cell. May collect garbage before it does; values that `init` itself
    /// refers to are on the machine stack and so survive.
    #[inline]
    pub fn alloc<T: Layout>(&mut self, init: T) -> Value {
        let class = const { SizeClass::of::<T>() };
        // SAFETY: the lock is held; the borrow ends with the statement.
        let (cell, slow) = match unsafe { self.vm().heap.get_mut() }.alloc(class) {
            Some(cell) => (cell.cast::<T>(), false),
            None => (self.alloc_slow(class).cast::<T>(), true),
        };
        // SAFETY: the cell is fresh, unshared and large enough for T.
        unsafe { cell.write(init) };
        // SAFETY: a cell with a header lies there now.
        let object = unsafe { Value::from_ptr(cell.as_ptr()) };
        if slow {
            self.tell_of_new(object);
        }
        object
    }

    /// A fresh cell of a size class that `fill` gives its content, header included.
    pub(crate) fn alloc_bytes(&mut self, class: SizeClass, fill: impl FnOnce(*mut u8)) -> Value {
        // SAFETY: the lock is held; the borrow ends with the statement.
        let (cell, slow) = match unsafe { self.vm().heap.get_mut() }.alloc(class) {
            Some(cell) => (cell, false),
            None => (self.alloc_slow(class), true),
        };
        fill(cell.as_ptr());
        // SAFETY: a cell with a header lies there now.
        let object = unsafe { Value::from_ptr(cell.as_ptr()) };
        if slow {
            self.tell_of_new(object);
        }
        object
    }

    /// A safepoint when memory outside of cells has grown enough for a collection, which it makes: for work that lets
    /// go of long texts and makes no cells meanwhile.
    ///
    /// # Errors
    /// What an interrupt raises.
    #[inline]
    pub fn collect_if_due(&mut self) -> crate::Result<()> {
        // SAFETY: the lock is held; the borrow ends with the statement.
        if unsafe { self.vm().heap.get() }.should_collect() && self.may_collect() {
            self.collect_due();
            return self.check_interrupts();
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn alloc_slow(&mut self, class: SizeClass) -> NonNull<u8> {
        // SAFETY: used in this function alone.
        let vm = unsafe { self.vm_apart() };
        // SAFETY: as in `alloc`.
        let heap = || unsafe { vm.heap.get_mut() };
        let (spent, traced) = (reserve::is_spent(), heap().is_traced());
        if !self.in_gc && (!spent && !traced || heap().should_collect()) && self.may_collect() {
            self.collect_due();
            if let Some(cell) = heap().alloc(class) {
                return cell;
            }
        }
        let mut cell = heap().alloc_grow(class);
        if cell.is_err() && !self.in_gc && reserve::spend(0) {
            cell = heap().alloc_grow(class);
        }
        if reserve::is_spent() {
            // The next safepoint sees what can be done.
            self.thread.lock_thread.interrupt.set(crate::thread::interrupt_bits::LIMIT);
        }
        match cell {
            Ok(cell) => {
                if traced {
                    self.note_birth(cell);
                }
                cell
            }
            // What is raised takes its memory from the heap's reserve.
            Err(_) if !self.in_gc && heap().take_reserve() => crate::object::OutOfMemory.unwind(),
            Err(_) => {
                let _ = writeln!(std::io::stderr(), "[FATAL] failed to allocate memory");
                std::process::exit(1);
            }
        }
    }

    /// To be called after a reference to `child` was stored in the heap object `parent`.
    #[inline(always)]
    pub fn write_barrier(&self, parent: Value, child: Value) {
        // SAFETY: `parent` is a live heap cell by contract.
        unsafe { rubellite_gc::write_barrier(parent.as_ptr::<Header>(), child) };
    }

    /// To be called where references are stored in the heap object `parent`, with no allocation in between: the write
    /// barrier for stores that nobody sees one by one, and for small objects, where it is cheaper to ask nothing of
    /// the value.
    #[inline(always)]
    pub fn will_change(&self, parent: Value) {
        // SAFETY: `parent` is a live heap cell by contract.
        unsafe { rubellite_gc::will_change(parent.as_ptr::<Header>()) };
    }

    /// To be called before elements of the Array `parent` change their places: the collector may have looked at some of
    /// them only.
    #[inline(always)]
    pub fn will_reorder(&self, parent: Value) {
        // SAFETY: `parent` is a live heap cell by contract.
        unsafe { rubellite_gc::will_reorder(parent.as_ptr::<Header>()) };
    }

    /// From now on references are stored in the heap object `parent` without the write barrier.
    pub fn expose(&self, parent: Value) {
        // SAFETY: `parent` is a live heap cell by contract.
        unsafe { rubellite_gc::expose(parent.as_ptr::<Header>()) };
    }

    /// To be called after references to `children` were stored in a call site or an inline cache of the running frame's
    /// code.
    pub(crate) fn cached_in_running_code(&self, children: &[Value]) {
        // SAFETY: the running frame and its code are live.
        let cell = unsafe { (*(*self.frame).code).cell.get() };
        children.iter().for_each(|child| self.write_barrier(cell, *child));
    }

    /// Tells the collector's pacing about malloc memory that objects own (negative: given back).
    #[inline]
    pub fn note_malloc(&self, delta: isize) {
        self.note(delta, Heap::note_malloc, Heap::note_free);
    }

    /// The same for what was taken in many short blocks.
    pub(crate) fn note_short_blocks(&self, bytes: usize) {
        self.note(bytes as isize, Heap::note_short_blocks, Heap::note_free);
    }

    /// The same for the bytes of a String or a big Integer, which hold no references.
    #[inline]
    pub(crate) fn note_leaf(&self, delta: isize) {
        self.note(delta, Heap::note_leaf, Heap::note_leaf_free);
    }

    #[inline(always)]
    fn note(&self, delta: isize, taken: fn(&mut Heap, usize), freed: fn(&mut Heap, usize)) {
        // SAFETY: the lock is held; the borrow ends with the statement.
        let heap = unsafe { self.vm().heap.get_mut() };
        let change = if delta >= 0 { taken } else { freed };
        change(heap, delta.unsigned_abs());
        if delta >= LARGE && self.vm().memory_limit != 0 {
            self.thread.lock_thread.interrupt.set(crate::thread::interrupt_bits::LIMIT);
        }
    }

    /// Tells it about malloc memory that an object now shares with others. `leaf`: it holds no references.
    pub(crate) fn note_shared(&self, bytes: usize, leaf: bool) {
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { self.vm().heap.get_mut() }.note_shared(bytes, leaf);
    }

    // -- symbols --------------------------------------------------------------------------

    /// The symbol of a name that the runtime's own code spells, which is found by the address of its text.
    #[inline]
    pub fn intern(&self, name: &'static str) -> Sym {
        self.vm().spelled.find(name).unwrap_or_else(|| self.vm().spelled.keep(name, self.intern_str(name)))
    }

    pub fn intern_str(&self, name: &str) -> Sym {
        self.intern_bytes(name.as_bytes(), crate::Encoding::UTF_8)
    }

    pub fn intern_bytes(&self, name: &[u8], encoding: crate::Encoding) -> Sym {
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { self.vm().symbols.get_mut() }.intern(name, encoding)
    }

    /// The symbol of a name as a value: the collector frees one that is new here when nothing refers to it any more.
    /// Ask [`Ctx::pinned`] for its number if that is kept.
    pub fn dynamic_symbol(&self, name: &[u8], encoding: crate::Encoding) -> Value {
        // SAFETY: the lock is held; the borrow ends with the statement.
        let (sym, new) = unsafe { self.vm().symbols.get_mut() }.intern_dynamic(name, encoding);
        if new {
            self.note_malloc(crate::symbols::Symbols::cost(name.len()) as isize);
        }
        Value::symbol(sym)
    }

    /// The number of a Symbol, to keep: the symbol lives as long as the VM from now on.
    #[inline]
    pub fn pinned(&self, value: Value) -> Option<Sym> {
        value.as_symbol().inspect(|sym| self.pin_symbol(*sym))
    }

    /// Lets the symbol live as long as the VM. Whoever keeps a number that may be a dynamic symbol's where no marking
    /// looks calls it.
    #[inline]
    pub fn pin_symbol(&self, sym: Sym) {
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { self.vm().symbols.get_mut() }.pin(sym);
    }

    pub fn intern_text(&self, text: &Text) -> Sym {
        self.intern_bytes(text.bytes(), text.encoding())
    }

    /// The internal symbol of a name that the runtime has for itself (`__filter`, `@__size`).
    pub fn internal(&self, name: &str) -> Sym {
        debug_assert!(is_internal_name(name.as_bytes()), "{name}");
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { self.vm().symbols.get_mut() }.intern_internal(name.as_bytes())
    }

    /// Whether `name` is an internal symbol: no program can spell it, and none gets to see it.
    pub fn is_internal_symbol(&self, name: Sym) -> bool {
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { self.vm().symbols.get_mut() }.is_internal(name)
    }

    /// The symbol that a name in a code object means.
    pub(crate) fn intern_in_code(&self, text: &Text, internal: bool) -> Sym {
        if internal && is_internal_name(text.bytes()) {
            // SAFETY: the lock is held; the borrow ends with the statement.
            return unsafe { self.vm().symbols.get_mut() }.intern_internal(text.bytes());
        }
        self.intern_text(text)
    }

    /// The symbol if it exists already.
    pub fn find_symbol(&self, name: &[u8], encoding: crate::Encoding) -> Option<Sym> {
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { self.vm().symbols.get() }.find(name, encoding)
    }

    /// Bytes of a symbol. They are lent as `self` is: nothing collects meanwhile.
    pub fn sym_bytes(&self, sym: Sym) -> &[u8] {
        // SAFETY: the lock is held; a symbol's bytes are boxed, and freed by a collection, which takes `&mut Ctx`.
        unsafe { &*(self.vm().symbols.get().bytes(sym) as *const [u8]) }
    }

    pub fn sym_encoding(&self, sym: Sym) -> crate::Encoding {
        // SAFETY: the lock is held.
        unsafe { self.vm().symbols.get() }.encoding(sym)
    }

    /// A symbol's name for messages, in UTF-8 whatever encoding it has.
    pub fn sym_str(&self, sym: Sym) -> String {
        let bytes = self.sym_bytes(sym);
        match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => readable(bytes, self.sym_encoding(sym)),
        }
    }

    /// Whether the number is a symbol's.
    pub fn symbol_exists(&self, sym: Sym) -> bool {
        // SAFETY: the lock is held.
        unsafe { self.vm().symbols.get() }.exists(sym)
    }

    /// One more than the largest number of a symbol.
    pub fn symbol_count(&self) -> usize {
        // SAFETY: the lock is held.
        unsafe { self.vm().symbols.get() }.limit()
    }

    // -- epochs ---------------------------------------------------------------------------

    #[inline]
    pub(crate) fn method_epoch_ref(&self, name: Sym) -> EpochRef {
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { self.vm().method_epochs.get_mut() }.at(name)
    }

    /// The epoch of a name that a call site has.
    #[inline(always)]
    pub(crate) fn known_method_epoch(&self, name: Sym) -> u32 {
        // SAFETY: the lock is held; the borrow ends with the statement. A site's name got its counter when the site was
        // linked.
        unsafe { self.vm().method_epochs.get().known(name) }
    }

    #[inline]
    pub(crate) fn method_epoch(&self, name: Sym) -> u32 {
        self.method_epoch_ref(name).get()
    }

    /// Compiled code looks again at what it stands on.
    pub(crate) fn note_definition(&self) {
        let vm = self.vm();
        vm.definitions.set(vm.definitions.get() + 1);
        let mut fresh = vm.fresh.take();
        fresh.drain(..).for_each(|word| word.set(crate::jit::STALE));
        vm.fresh.set(fresh);
    }

    /// How often something has been defined: what was found by looking up methods holds as long as it stays.
    pub fn definitions(&self) -> u64 {
        self.vm().definitions.get() as u64
    }

    pub(crate) fn bump_method_epoch(&self, name: Sym) {
        self.note_definition();
        // SAFETY: as above.
        unsafe { self.vm().method_epochs.get_mut() }.bump(name);
        if name == self.names().each {
            // SAFETY: as above.
            unsafe { self.vm().stand_in_names.get() }
                .iter()
                .for_each(|name| unsafe { self.vm().method_epochs.get_mut() }.bump(*name));
        }
    }

    pub(crate) fn const_epoch_ref(&self, name: Sym) -> EpochRef {
        // SAFETY: as above.
        unsafe { self.vm().const_epochs.get_mut() }.at(name)
    }

    pub(crate) fn const_epoch(&self, name: Sym) -> u32 {
        self.const_epoch_ref(name).get()
    }

    pub(crate) fn bump_const_epoch(&self, name: Sym) {
        self.note_definition();
        // SAFETY: as above.
        unsafe { self.vm().const_epochs.get_mut() }.bump(name);
    }

    // -- classes --------------------------------------------------------------------------

    /// The class that methods of `value` are looked up in (its singleton class when it has one).
    #[inline(always)]
    pub fn class_of(&self, value: Value) -> Value {
        if value.is_heap() {
            // SAFETY: `is_heap` holds.
            return unsafe { value.header_unchecked() }.klass.get();
        }
        self.class_of_immediate(value)
    }

    /// The same as a handle.
    #[inline(always)]
    pub fn dispatch_class(&self, value: Value) -> Class {
        Class::known(self.class_of(value))
    }

    #[inline]
    pub fn class_of_immediate(&self, value: Value) -> Value {
        let classes = self.classes();
        if value.is_fixnum() {
            classes.integer.get()
        } else if value.is_flonum() {
            classes.float.get()
        } else if value.is_symbol() {
            classes.symbol.get()
        } else {
            match value {
                Value::NIL => classes.nil.get(),
                Value::TRUE => classes.true_class.get(),
                _ => classes.false_class.get(),
            }
        }
    }

    /// `Kernel#class`: the class without singleton classes.
    pub fn real_class(&self, value: Value) -> Class {
        self.dispatch_class(value).real(self)
    }

    /// `value.is_a?(module)`
    #[inline]
    pub fn is_a(&self, value: Value, module: Value) -> bool {
        self.dispatch_class(value).inherits(self, module)
    }

    /// "#<Foo>"-like text without running Ruby code: `Kernel#to_s` of the object.
    pub fn any_to_s(&self, value: Value) -> String {
        let class = self.real_class(value).inspect(self);
        format!("#<{class}:0x{:016x}>", value.bits())
    }

    // -- frames ---------------------------------------------------------------------------

    /// The innermost frame of Ruby code: the caller of a native method.
    pub fn ruby_frame(&self) -> Option<&Frame> {
        self.ruby_frame_ptr().map(|f| {
            // SAFETY: frames between the stack's first and the current one are live.
            unsafe { &*f }
        })
    }

    /// The name of the native method that runs now.
    pub fn callee_name(&self) -> Option<Sym> {
        if self.frame < self.stack.frames {
            return None;
        }
        // SAFETY: the current frame is live.
        let frame = unsafe { &*self.frame };
        frame.method().map(crate::Method::name)
    }

    /// The native method that runs now: its entry, where its owner stands in the ancestry of the receiver's class, and
    /// the receiver.
    #[inline]
    pub fn running_native(&self) -> Option<(crate::Method, u32, Value)> {
        if self.frame < self.stack.frames {
            return None;
        }
        // SAFETY: the current frame is live.
        let frame = unsafe { &*self.frame };
        if frame.is_native() { frame.method().map(|method| (method, frame.pos, frame.self_value())) } else { None }
    }

    /// Whether the code that called the running native is the body of a class or module.
    pub fn in_class_body(&self) -> bool {
        self.direct_frame().is_some_and(|frame| frame.has(frame_flags::CLASS))
    }

    /// Whether the code that called the running native is the body of a method of the program, not the VM's own code.
    pub fn called_in_method_body(&self) -> bool {
        self.direct_frame().is_some_and(|frame| frame.has(frame_flags::METHOD) && !self.is_internal(frame))
    }

    /// The innermost frame of Ruby code, the VM's own included: the very caller of a native method.
    pub(crate) fn direct_frame(&self) -> Option<&Frame> {
        // SAFETY: the frame is live.
        self.frame_from(|_| true).map(|at| unsafe { &*at })
    }

    pub(crate) fn ruby_frame_ptr(&self) -> Option<*mut Frame> {
        self.frame_from(|origin| !origin.is_internal())
    }

    /// The frame of the calling code that has a `$~` and a `$_`: the program's, or that of a library of the runtime.
    pub(crate) fn match_frame_ptr(&self) -> Option<*mut Frame> {
        let mut at = self.frame;
        while at >= self.stack.frames {
            // SAFETY: between the stack's first frame and the current one all are live.
            let frame = unsafe { &*at };
            let code = if frame.is_native() { std::ptr::null() } else { frame.code };
            // SAFETY: a frame with code keeps it alive.
            match unsafe { code.as_ref() } {
                Some(code) if code.iseq.script.reading.origin != Origin::Core => return Some(at),
                // A block of the core's own works for the method that it is written in, whoever calls it.
                Some(_) if self.has_home_below(at, frame) => at = frame.home,
                _ => at = at.wrapping_sub(1),
            }
        }
        None
    }

    /// Whether the frame is that of a block whose home lies below it on the same stack.
    fn has_home_below(&self, at: *mut Frame, frame: &Frame) -> bool {
        frame.has(frame_flags::BLOCK)
            && (self.stack.frames..at).contains(&frame.home)
            && self.frame_alive(frame.home, frame.home_id)
    }

    /// The innermost frame of Ruby code of which `wanted` says that its origin is the right one.
    #[inline(always)]
    pub(crate) fn frame_from(&self, wanted: impl Fn(Origin) -> bool) -> Option<*mut Frame> {
        let mut at = self.frame;
        while at >= self.stack.frames {
            // SAFETY: between the stack's first frame and the current one all are live.
            let frame = unsafe { &*at };
            if !frame.is_native() && !frame.code.is_null() {
                // SAFETY: a frame with code keeps it alive.
                let code = unsafe { &*frame.code };
                if wanted(code.iseq.script.reading.origin) {
                    return Some(at);
                }
            }
            at = at.wrapping_sub(1);
        }
        None
    }

    /// Whether the frame runs the VM's own Ruby code (the prelude), which backtraces and callers do not see.
    pub(crate) fn is_internal(&self, frame: &Frame) -> bool {
        // SAFETY: a frame with code keeps it alive; native frames have none.
        !frame.is_native() && !frame.code.is_null() && unsafe { &*frame.code }.iseq.script.is_internal()
    }

    /// Whether the innermost frame runs the VM's own Ruby code, whose operators, constants and variables are not the
    /// program's.
    #[cold]
    #[inline(never)]
    pub(crate) fn in_own_code(&self) -> bool {
        // SAFETY: between the stack's first frame and the current one all are live.
        self.frame >= self.stack.frames && self.is_internal(unsafe { &*self.frame })
    }

    /// The id of `frame`, given now if it has none.
    #[inline]
    pub(crate) fn frame_id(&mut self, frame: *mut Frame) -> u64 {
        // SAFETY: `frame` is a live frame of this stack.
        let frame = unsafe { &mut *frame };
        if frame.id == 0 {
            self.next_frame_id += 1;
            frame.id = self.next_frame_id;
            frame.block_code = std::ptr::null();
        }
        frame.id
    }

    /// Whether `frame` is live on this fiber's stack and is the activation that had `id`.
    pub(crate) fn frame_alive(&self, frame: *mut Frame, id: u64) -> bool {
        // SAFETY: the range check shows that the frame lies in this fiber's frame array, below the top.
        frame >= self.stack.frames && frame <= self.frame && id != 0 && unsafe { (*frame).id } == id
    }

    /// Bytes of the machine stack until it is nearly used up.
    pub fn native_stack_left(&self) -> usize {
        let here = 0u8;
        (&raw const here as usize).saturating_sub(self.native_limit)
    }

    /// Whether even of what is kept for the end of the machine stack half is used up: no error can be made here.
    #[inline(always)]
    pub fn native_stack_spent(&self) -> bool {
        let here = 0u8;
        (&raw const here as usize).wrapping_add(crate::fiber::FIBER_RESERVE / 2) < self.native_limit
    }

    /// Where the end of the machine stack begins.
    pub fn native_stack_end(&self) -> usize {
        self.native_limit
    }

    /// Whether the machine stack is nearly used up.
    #[inline(always)]
    pub(crate) fn native_stack_low(&self) -> bool {
        let here = 0u8;
        (&raw const here as usize) < self.native_limit
    }

    pub(crate) fn mark_roots(&self, marker: &mut Marker) {
        self.pending.trace(|v| marker.mark(v));
        marker.mark(self.errinfo);
        marker.mark(self.fiber);
        if let Some(event) = &self.trace_event {
            event.trace(|v| marker.mark(v));
        }
        marker.mark(self.root_fiber);
        marker.mark(self.forked_fiber);
        self.switch.trace(|v| marker.mark(v));
        marker.mark_slice(&self.catch_tags);
        self.recursion.trace(|v| marker.mark(v));
    }
}

/// One piece of malloc memory from which on a memory limit is looked at.
const LARGE: isize = 1 << 20;

/// The class word of a new object's header.
#[inline(always)]
pub fn header(tag: Tag, klass: Value) -> Header {
    Header::new(tag, klass)
}

/// Text of an encoding as UTF-8, with a sign for each part that has no meaning there.
#[cold]
fn readable(bytes: &[u8], encoding: crate::Encoding) -> String {
    use rubellite_encoding::transcode::{EncodeOptions, encode};
    let options = EncodeOptions { replace_invalid: true, replace_undefined: true, ..EncodeOptions::default() };
    let converted = encode(bytes, encoding, crate::Encoding::UTF_8, &options, None);
    String::from_utf8_lossy(converted.as_deref().unwrap_or(bytes)).into_owned()
}

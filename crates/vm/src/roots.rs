//! Stacks as roots: the VM stack and the machine stack of each thread and fiber.
//!
//! A thread that waits and a fiber that is suspended change neither. So what a collection finds there is kept until
//! they go on: with thousands of them most of a collection went into reading the same words again.

use crate::ctx::Ctx;
use crate::fiber::{Registers, Slot};
use crate::frame::{Bounds, Frame, frame_flags};
use rubellite_gc::Marker;
use rubellite_gc::stack::words;
use rubellite_value::{Header, Sym, Value};
use std::cell::Cell;
use std::ptr::NonNull;

/// What looks at roots.
trait Roots {
    fn value(&mut self, value: Value);

    /// # Safety
    /// As for `Marker::mark_range`.
    unsafe fn range(&mut self, low: *const usize, high: *const usize);
}

impl Roots for Marker {
    #[inline(always)]
    fn value(&mut self, value: Value) {
        self.mark(value);
    }

    unsafe fn range(&mut self, low: *const usize, high: *const usize) {
        // SAFETY: by contract.
        unsafe { self.mark_range(low, high) }
    }
}

/// Notes roots instead of marking them.
struct Notes<'m> {
    marker: &'m Marker,
    cells: Vec<NonNull<Header>>,
    symbols: Vec<Sym>,
    /// Every word as it was, in stress mode.
    words: Vec<usize>,
}

impl Notes<'_> {
    fn word(&mut self, word: usize) {
        if self.marker.is_checked() {
            self.words.push(word);
        }
        match self.marker.find(word) {
            Some(cell) => self.cells.push(cell),
            None => self.symbols.extend(self.marker.symbols_in(word)),
        }
    }
}

impl Roots for Notes<'_> {
    fn value(&mut self, value: Value) {
        self.word(value.bits() as usize);
    }

    unsafe fn range(&mut self, low: *const usize, high: *const usize) {
        // SAFETY: by contract.
        unsafe { words(low, high) }.for_each(|word| self.word(word));
    }
}

/// What a collection has found on the stacks of a thread since it left the lock, or of a fiber since it was suspended.
struct Known {
    /// The objects that they refer to, each once.
    cells: Box<[NonNull<Header>]>,
    /// The dynamic symbols that they mean, each once.
    symbols: Box<[Sym]>,
    /// As `Notes::words`.
    words: Box<[usize]>,
}

impl Known {
    /// Panics if the stacks refer to something else now. Words may change, for work outside the lock has buffers there
    /// and moves what the registers held; others may be left over from earlier calls, and have become addresses of
    /// new objects by chance.
    fn check(&self, now: &Known, marker: &Marker) {
        assert_eq!(self.words.len(), now.words.len(), "the stacks of a waiting thread or fiber have grown");
        let is_new = |word: usize| marker.find(word).is_some_and(|cell| self.cells.binary_search(&cell).is_err());
        let changed = self.words.iter().zip(&now.words).position(|(was, is)| was != is && is_new(*is));
        if let Some(i) = changed {
            let (was, is, count) = (self.words[i], now.words[i], self.words.len());
            panic!(
                "the stacks of a waiting thread or fiber have changed: word {i} of {count} was {was:x} and is {is:x}"
            );
        }
    }
}

/// What is known of stacks, for as long as they hold still.
#[derive(Default)]
pub(crate) struct Kept(Cell<Option<Known>>);

impl Kept {
    /// The stacks are about to change.
    #[inline]
    pub(crate) fn forget(&mut self) {
        if self.0.get_mut().is_some() {
            self.0.take();
        }
    }

    /// Marks what the stacks refer to.
    fn mark(&self, marker: &mut Marker, stacks: &Stacks) {
        let known = match self.0.take() {
            None => stacks.read(marker),
            // Noted before checks were switched on.
            Some(known) if marker.is_checked() && known.words.is_empty() => stacks.read(marker),
            // Between steps dead objects are still there, and work outside the lock may copy words left over that are
            // their addresses.
            Some(known) if marker.is_checked() && !marker.is_in_steps() => {
                known.check(&stacks.read(marker), marker);
                known
            }
            Some(known) => known,
        };
        for cell in &known.cells {
            // SAFETY: objects of this heap, found while the stacks referred to them, which they still do.
            unsafe { marker.mark_header(*cell) };
        }
        known.symbols.iter().for_each(|sym| marker.mark_symbol(*sym));
        self.0.set(Some(known));
    }
}

impl Ctx {
    /// To be called with the stack pointer whenever the lock may be left next.
    #[inline]
    pub(crate) fn leaving_at(&mut self, sp: usize) {
        self.native_sp = sp;
        self.kept.forget();
    }
}

/// Marks what the stacks of a thread refer to. `collects`: it is the one that collects.
pub(crate) fn mark_stacks(marker: &mut Marker, ctx: &Ctx, collects: bool) {
    let stacks =
        Stacks { vm: ctx.stack, frame: ctx.frame, sp: ctx.sp, native_sp: ctx.native_sp, native_base: ctx.native_base };
    if collects { stacks.visit(marker) } else { ctx.kept.mark(marker, &stacks) }
}

/// Marks what a suspended fiber refers to: its registers, which are those of `slot`, and its stacks.
pub(crate) fn mark_fiber(marker: &mut Marker, slot: &Slot, fiber: &Registers) {
    marker.mark(fiber.errinfo);
    marker.mark_slice(&fiber.catch_tags);
    if let Some(event) = &fiber.hooked {
        event.trace(|v| marker.mark(v));
    }
    fiber.recursion.trace(|v| marker.mark(v));
    let stacks = Stacks {
        vm: fiber.stack,
        frame: fiber.frame,
        sp: fiber.sp,
        native_sp: fiber.native_sp,
        native_base: fiber.native_base,
    };
    slot.kept.mark(marker, &stacks);
}

/// The VM stack and the machine stack of a fiber that is suspended, or of a thread that is outside the lock or
/// collects: they hold still, and the machine stack stays mapped meanwhile.
struct Stacks {
    vm: Bounds,
    frame: *mut Frame,
    sp: *mut Value,
    native_sp: usize,
    native_base: usize,
}

impl Stacks {
    fn visit(&self, roots: &mut impl Roots) {
        visit_stack(roots, &self.vm, self.frame, self.sp);
        // SAFETY: the machine stack holds still from this pointer on, as said at the type.
        unsafe { roots.range(self.native_sp as *const usize, self.native_base as *const usize) };
    }

    fn read(&self, marker: &Marker) -> Known {
        let mut notes = Notes { marker, cells: Vec::new(), symbols: Vec::new(), words: Vec::new() };
        self.visit(&mut notes);
        let Notes { mut cells, mut symbols, words, .. } = notes;
        cells.sort_unstable();
        cells.dedup();
        symbols.sort_unstable();
        symbols.dedup();
        Known { cells: cells.into_boxed_slice(), symbols: symbols.into_boxed_slice(), words: words.into_boxed_slice() }
    }
}

/// Visits the values and frames of one fiber's VM stack.
fn visit_stack(roots: &mut impl Roots, stack: &Bounds, top_frame: *mut Frame, sp: *mut Value) {
    if top_frame < stack.frames {
        return;
    }
    // SAFETY: frames from the first to `top_frame` are live; their windows lie in the value stack. Words
    // above a frame's live registers may be stale, which the conservative marking accepts.
    unsafe {
        // A native method called from Ruby leaves `sp` at its caller's window: what lies above its arguments is stale.
        let callers = if (*top_frame).is_native() && top_frame > stack.frames {
            (*top_frame.sub(1)).top()
        } else {
            std::ptr::null_mut()
        };
        let top = if sp == callers { (*top_frame).top() } else { (*top_frame).top().max(sp) }.min(stack.values_limit);
        roots.range(stack.values.cast(), top.cast());
        let mut at = stack.frames;
        while at <= top_frame {
            let frame = &*at;
            roots.value(frame.method);
            if crate::frame::as_frame_block(frame.block).is_none() {
                roots.value(frame.block);
            }
            if frame.flags & frame_flags::NATIVE == 0 {
                roots.value(frame.env);
                roots.value(frame.cref);
                roots.value(frame.svar);
                if !frame.code.is_null() {
                    roots.value((*frame.code).cell.get());
                }
                if frame.id != 0 && !frame.block_code.is_null() {
                    roots.value((*frame.block_code).cell.get());
                }
            }
            at = at.add(1);
        }
    }
}

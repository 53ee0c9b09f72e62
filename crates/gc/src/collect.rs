//! A collection: marks what is reachable, lets the VM look after its weak references,
//! and leaves every block to be swept.

use std::time::Instant;

use crate::barrier::Listed;
use crate::chunk::UNSWEPT;
use crate::heap::Heap;
use crate::marker::{MarkBuffers, MarkOptions, Marker, WeakView};

impl Heap {
    /// Collects. `roots` marks everything that is reachable from outside the heap; `weak`
    /// then drops or clears weak references to objects that do not survive (they can still be
    /// read while it runs). Neither may allocate. Generational heaps decide by themselves whether a minor collection is
    /// enough; in stress mode every other one is minor, and is verified.
    ///
    /// A collection in steps that has begun is brought to its end instead.
    pub fn collect(&mut self, roots: &mut dyn FnMut(&mut Marker), weak: &mut dyn FnMut(&WeakView)) {
        if self.is_marking() {
            return self.finish_steps(roots, weak);
        }
        self.finish_sweep();
        let minor = self.minor_suffices() && !(self.config.stress && self.counters.collections.is_multiple_of(2));
        self.collect_generation(minor, roots, weak);
    }

    /// Whether a minor collection is enough. Everything is swept.
    pub(crate) fn minor_suffices(&mut self) -> bool {
        // SAFETY: the barrier state is the heap's own and the heap is borrowed.
        let complete = !self.mark_buffers.incomplete && !unsafe { self.barrier.as_ref() }.is_incomplete();
        self.pacing.minor_suffices(self.counters.collections > 0) && complete
    }

    /// A full collection, also in generational mode.
    pub fn collect_full(&mut self, roots: &mut dyn FnMut(&mut Marker), weak: &mut dyn FnMut(&WeakView)) {
        self.drop_steps();
        self.finish_sweep();
        self.collect_generation(false, roots, weak);
    }

    /// Everything is swept.
    pub(crate) fn collect_generation(
        &mut self,
        minor: bool,
        roots: &mut dyn FnMut(&mut Marker),
        weak: &mut dyn FnMut(&WeakView),
    ) {
        let started = Instant::now();
        let mut marker = self.begin_marking(minor);
        roots(&mut marker);
        marker.drain();
        if minor && self.config.stress {
            marker.verify();
        }
        self.end_marking(marker, minor, weak);
        self.counters.mark_time += started.elapsed();
    }

    /// Everything is marked that lives.
    pub(crate) fn end_marking(&mut self, mut marker: Marker, minor: bool, weak: &mut dyn FnMut(&WeakView)) {
        self.forget_free_runs();
        // SAFETY: the barrier state is the heap's own and the heap is borrowed.
        unsafe { self.barrier.as_mut() }.forget_dead();
        let in_steps = marker.is_in_steps();
        let view = WeakView::new((!in_steps).then(|| marker.take_symbols()), !minor);
        self.mark_buffers = marker.into_buffers();
        weak(&view);
        self.begin_sweep(minor, in_steps);
        self.counters.collections += 1;
        self.counters.minor_collections += u64::from(minor);
    }

    /// A marker, which for a minor collection goes on from the old objects that may refer to new ones.
    fn begin_marking(&mut self, minor: bool) -> Marker {
        let (buffers, listed) = self.begin_generation(minor);
        let mut marker = Marker::new(self, self.mark_options(None), buffers);
        if minor {
            // SAFETY: the barrier state is the heap's own and the heap is borrowed.
            let exposed = unsafe { self.barrier.as_ref() }.exposed(true);
            marker.trace_old(listed.remembered.into_iter().chain(exposed), &listed.adopted);
        }
        marker
    }

    /// Clears all marks, for a minor collection all but those of the old objects. What has survived the collection
    /// before is to become old.
    pub(crate) fn begin_generation(&mut self, minor: bool) -> (MarkBuffers, Listed) {
        // SAFETY: the barrier state is the heap's own and the heap is borrowed.
        let listed = unsafe { self.barrier.as_mut() }.take_listed();
        let mut buffers = std::mem::take(&mut self.mark_buffers);
        if !minor {
            buffers.unprotected.clear();
            buffers.incomplete = false;
        }
        self.clear_marks(minor);
        (buffers, listed)
    }

    pub(crate) fn mark_options(&self, step: Option<usize>) -> MarkOptions {
        let checked = self.config.stress || self.config.stress_steps || cfg!(debug_assertions);
        MarkOptions { work_max: self.config.mark_stack_max, checked, generational: self.config.generational, step }
    }

    fn clear_marks(&mut self, but_old: bool) {
        for block in self.classes.iter().flat_map(|class| &class.blocks) {
            // SAFETY: blocks of a class are initialised and the heap's own.
            let block = unsafe { &mut **block };
            if but_old {
                if block.is_settled() {
                    continue;
                }
                for ((aged, marks), old) in block.aged.iter_mut().zip(&mut block.marks).zip(&block.old) {
                    (*aged, *marks) = (*marks & !old, *old);
                }
            } else {
                block.aged = block.marks;
                block.marks.fill(0);
                block.old.fill(0);
            }
        }
    }

    /// Makes every block unswept and counts the survivors.
    fn begin_sweep(&mut self, minor: bool, in_steps: bool) {
        let (mut live_cells, mut live_bytes) = (0, 0);
        for class in &mut self.classes {
            class.unswept_at = 0;
            for &block in &class.blocks {
                // SAFETY: blocks of a class are initialised and the heap's own.
                let block = unsafe { &mut *block };
                let marked = if minor && block.is_settled() {
                    debug_assert_eq!(block.live_cells as usize, block.marked_cells());
                    block.live_cells as usize
                } else {
                    block.all_old = block.marks == block.old;
                    block.marked_cells()
                };
                block.swept_to = UNSWEPT;
                live_cells += marked;
                live_bytes += marked * block.cell_bytes as usize;
            }
        }
        self.pacing.collected(live_cells, live_bytes, minor, in_steps);
    }

    /// The work list's memory is kept between collections; this gives it back.
    pub fn release_buffers(&mut self) {
        self.mark_buffers = std::mem::take(&mut self.mark_buffers).without_work();
    }
}

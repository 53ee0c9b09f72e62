//! A collection: marks what is reachable, lets the VM look after its weak references,
//! and leaves every block to be swept.

use std::time::Instant;

use crate::heap::Heap;
use crate::marker::{MarkBuffers, MarkOptions, Marker, WeakView};

impl Heap {
    /// Collects. `roots` marks everything that is reachable from outside the heap; `weak`
    /// then drops or clears weak references to objects that do not survive (they can still be
    /// read while it runs). Neither may allocate. Generational heaps decide by themselves whether a minor collection is
    /// enough.
    pub fn collect(&mut self, roots: &mut dyn FnMut(&mut Marker), weak: &mut dyn FnMut(&WeakView)) {
        let minor = self.config.generational && !self.full_collection_is_due();
        self.collect_generation(minor, roots, weak);
    }

    /// A full collection, also in generational mode.
    pub fn collect_full(&mut self, roots: &mut dyn FnMut(&mut Marker), weak: &mut dyn FnMut(&WeakView)) {
        self.collect_generation(false, roots, weak);
    }

    fn full_collection_is_due(&self) -> bool {
        let old = self.pacing.live_cell_bytes + self.pacing.malloc_bytes;
        let floor = self.full_live_bytes.max(self.config.min_heap);
        self.counters.collections == 0 || old as f64 > floor as f64 * self.config.growth_factor
    }

    fn collect_generation(&mut self, minor: bool, roots: &mut dyn FnMut(&mut Marker), weak: &mut dyn FnMut(&WeakView)) {
        self.finish_sweep();
        let started = Instant::now();
        self.forget_free_runs();
        let mut marker = self.begin_marking(minor);
        roots(&mut marker);
        marker.drain();
        self.mark_buffers = marker.into_buffers();
        weak(&WeakView::new());
        self.begin_sweep(minor);
        self.counters.collections += 1;
        self.counters.minor_collections += u64::from(minor);
        self.counters.mark_time += started.elapsed();
    }

    /// A marker. For a full collection the marks are cleared, for a minor one the old
    /// objects are traced that may refer to new ones.
    fn begin_marking(&mut self, minor: bool) -> Marker {
        // SAFETY: the barrier state is the heap's own and the heap is borrowed.
        let remembered = unsafe { self.barrier.as_mut() }.take_remembered();
        let mut buffers = std::mem::take(&mut self.mark_buffers);
        if !minor {
            buffers.unprotected.clear();
            self.clear_marks();
        }
        let options =
            MarkOptions { work_max: self.config.mark_stack_max, checked: self.config.stress || cfg!(debug_assertions), generational: self.config.generational };
        let mut marker = Marker::new(self, options, buffers);
        if minor {
            let unprotected = marker.take_unprotected();
            for cell in remembered.into_iter().chain(unprotected) {
                marker.trace_object(cell);
            }
        }
        marker
    }

    fn clear_marks(&mut self) {
        for block in self.classes.iter().flat_map(|class| &class.blocks) {
            // SAFETY: blocks of a class are initialised and the heap's own.
            unsafe { (**block).marks.fill(0) };
        }
    }

    /// Makes every block unswept and counts the survivors.
    fn begin_sweep(&mut self, minor: bool) {
        let mut live_bytes = 0;
        for class in &mut self.classes {
            class.unswept_at = 0;
            for &block in &class.blocks {
                // SAFETY: blocks of a class are initialised and the heap's own.
                let block = unsafe { &mut *block };
                block.swept = false;
                live_bytes += block.marked_cells() * block.cell_bytes as usize;
            }
        }
        self.pacing.collected(live_bytes);
        if !minor {
            self.full_live_bytes = live_bytes + self.pacing.malloc_bytes;
        }
    }

    /// The work list's memory is kept between collections; this gives it back.
    pub fn release_buffers(&mut self) {
        let unprotected = std::mem::take(&mut self.mark_buffers.unprotected);
        self.mark_buffers = MarkBuffers { work: Vec::new(), unprotected };
    }
}

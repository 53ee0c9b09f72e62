//! A collection: marks what is reachable, lets the VM look after its weak references,
//! and leaves every block to be swept.

use std::time::Instant;

use crate::chunk::UNSWEPT;
use crate::heap::Heap;
use crate::marker::{MarkBuffers, MarkOptions, Marker, WeakView};

impl Heap {
    /// Collects. `roots` marks everything that is reachable from outside the heap; `weak`
    /// then drops or clears weak references to objects that do not survive (they can still be
    /// read while it runs). Neither may allocate. Generational heaps decide by themselves whether a minor collection is
    /// enough; in stress mode every other one is minor, and is verified.
    pub fn collect(&mut self, roots: &mut dyn FnMut(&mut Marker), weak: &mut dyn FnMut(&WeakView)) {
        self.finish_sweep();
        let suffices = self.pacing.minor_suffices(self.counters.collections > 0);
        let minor = suffices && !(self.config.stress && self.counters.collections.is_multiple_of(2));
        self.collect_generation(minor, roots, weak);
    }

    /// A full collection, also in generational mode.
    pub fn collect_full(&mut self, roots: &mut dyn FnMut(&mut Marker), weak: &mut dyn FnMut(&WeakView)) {
        self.finish_sweep();
        self.collect_generation(false, roots, weak);
    }

    /// Everything is swept.
    fn collect_generation(&mut self, minor: bool, roots: &mut dyn FnMut(&mut Marker), weak: &mut dyn FnMut(&WeakView)) {
        let started = Instant::now();
        self.forget_free_runs();
        let mut marker = self.begin_marking(minor);
        roots(&mut marker);
        marker.drain();
        if minor && self.config.stress {
            marker.verify();
        }
        // SAFETY: the barrier state is the heap's own and the heap is borrowed.
        unsafe { self.barrier.as_mut() }.forget_dead();
        let symbols = marker.take_symbols();
        self.mark_buffers = marker.into_buffers();
        weak(&WeakView::new(symbols, minor));
        self.begin_sweep(minor);
        self.counters.collections += 1;
        self.counters.minor_collections += u64::from(minor);
        self.counters.mark_time += started.elapsed();
    }

    /// A marker. For a full collection all marks are cleared, for a minor one all but those of the old objects, and those are
    /// traced that may refer to new ones. What has survived the collection before becomes old.
    fn begin_marking(&mut self, minor: bool) -> Marker {
        // SAFETY: the barrier state is the heap's own and the heap is borrowed.
        let remembered = unsafe { self.barrier.as_mut() }.take_remembered();
        let mut buffers = std::mem::take(&mut self.mark_buffers);
        if !minor {
            buffers.unprotected.clear();
        }
        self.clear_marks(minor);
        let options =
            MarkOptions { work_max: self.config.mark_stack_max, checked: self.config.stress || cfg!(debug_assertions), generational: self.config.generational };
        let mut marker = Marker::new(self, options, buffers);
        if minor {
            // SAFETY: as above.
            let exposed = unsafe { self.barrier.as_ref() }.exposed();
            marker.trace_old(remembered.into_iter().chain(exposed));
        }
        marker
    }

    fn clear_marks(&mut self, but_old: bool) {
        for block in self.classes.iter().flat_map(|class| &class.blocks) {
            // SAFETY: blocks of a class are initialised and the heap's own.
            let block = unsafe { &mut **block };
            if but_old {
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
    fn begin_sweep(&mut self, minor: bool) {
        let mut live_bytes = 0;
        for class in &mut self.classes {
            class.unswept_at = 0;
            for &block in &class.blocks {
                // SAFETY: blocks of a class are initialised and the heap's own.
                let block = unsafe { &mut *block };
                block.swept_to = UNSWEPT;
                live_bytes += block.marked_cells() * block.cell_bytes as usize;
            }
        }
        self.pacing.collected(live_bytes, minor);
    }

    /// The work list's memory is kept between collections; this gives it back.
    pub fn release_buffers(&mut self) {
        let unprotected = std::mem::take(&mut self.mark_buffers.unprotected);
        self.mark_buffers = MarkBuffers { work: Vec::new(), unprotected };
    }
}

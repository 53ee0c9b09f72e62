//! Full collections of large heaps, in steps: the program runs between them, so that no thread waits for the lock as
//! long as all that lives takes to mark. Each step takes place where a collection would: when so much was allocated
//! since the one before. First what the last collection has left is swept, then objects are traced, some more than the
//! program can make meanwhile. When none is left, the roots are looked at, and again when what they led to is traced,
//! until one look finds so little that the step can end the collection.
//!
//! What the program changes between the steps is the task of `barrier`. New objects are not marked: one that is
//! reachable at the end is found from the roots. Nothing is swept while marking goes on, so no cell changes hands.
//!
//! Which dynamic symbols live is not known afterwards, for stores of symbols have no barrier: full collections at once
//! free them.

use std::time::Instant;

use crate::heap::Heap;
use crate::marker::{Marker, Suspended, WeakView};

/// A step traces at least and at most so many objects, and so many after a look at the roots: some 16 ns each, 100 with
/// cold caches.
const LEAST: usize = 2 << 10;
const MOST: usize = 24 << 10;
/// With so many looks at the roots that found too much the next one ends the collection.
const LOOKS: usize = 8;
/// A step of sweeping drops so many objects: some 0.1 us each.
const STEP_DROPS: usize = 8 << 10;
/// Objects that a step traces where the heap checks itself.
const CHECKED: usize = 64;

impl Heap {
    /// Does what is due when everything is swept: a minor collection, a full one, or a step of one. True if a
    /// collection has ended. `roots` and `weak` are those of [`collect`](Heap::collect); `at_once`: a full
    /// collection takes no steps.
    pub fn collect_some(
        &mut self,
        at_once: bool,
        roots: &mut dyn FnMut(&mut Marker),
        weak: &mut dyn FnMut(&WeakView),
    ) -> bool {
        if self.config.stress {
            self.collect(roots, weak);
            return true;
        }
        if self.is_marking() {
            return self.step(roots, weak);
        }
        if !self.config.stress_steps && self.minor_suffices() {
            self.collect_generation(true, roots, weak);
        } else if at_once || !self.takes_steps() {
            self.collect_generation(false, roots, weak);
        } else {
            self.begin_steps();
            return false;
        }
        true
    }

    /// Whether full collections of this heap are made in steps.
    pub fn takes_steps(&self) -> bool {
        self.config.generational && (self.config.stress_steps || self.pacing.live_cell_bytes >= self.config.steps_from)
    }

    /// Whether a collection has begun to mark and not ended.
    #[inline]
    pub fn is_marking(&self) -> bool {
        self.steps.is_some()
    }

    /// Begins a full collection in steps, in place of one that has begun.
    pub fn begin_steps(&mut self) {
        let started = Instant::now();
        self.drop_steps();
        self.finish_sweep();
        let (buffers, _) = self.begin_generation(false);
        // SAFETY: the barrier state is the heap's own and the heap is borrowed.
        unsafe { self.barrier.as_mut() }.marking = true;
        self.steps = Some(Box::new(Suspended { buffers, looks: 0 }));
        self.pacing.begin_steps();
        self.counters.mark_time += started.elapsed();
    }

    /// Gives up a collection that has begun: the next one begins anew.
    pub(crate) fn drop_steps(&mut self) {
        let Some(steps) = self.steps.take() else { return };
        self.mark_buffers = steps.buffers.without_work();
        self.stop_shading();
    }

    /// Ends a collection that has begun, in one last step.
    pub(crate) fn finish_steps(&mut self, roots: &mut dyn FnMut(&mut Marker), weak: &mut dyn FnMut(&WeakView)) {
        while self.is_marking() {
            self.step_of(usize::MAX, roots, weak);
        }
    }

    /// The next step; true if it ends the collection.
    pub fn step(&mut self, roots: &mut dyn FnMut(&mut Marker), weak: &mut dyn FnMut(&WeakView)) -> bool {
        let objects = match () {
            () if self.config.stress_steps => CHECKED,
            () if self.pacing.is_pressed() => usize::MAX,
            () => self.pacing.objects_due(LEAST, MOST),
        };
        self.step_of(objects, roots, weak)
    }

    fn step_of(&mut self, objects: usize, roots: &mut dyn FnMut(&mut Marker), weak: &mut dyn FnMut(&WeakView)) -> bool {
        let started = Instant::now();
        let Some(mut steps) = self.steps.take() else { return true };
        // SAFETY: the barrier state is the heap's own and the heap is borrowed.
        let barrier = unsafe { self.barrier.as_mut() };
        let shaded = std::mem::take(&mut barrier.shaded);
        let mut marker = Marker::new(self, self.mark_options(Some(objects)), std::mem::take(&mut steps.buffers));
        marker.lost = barrier.lost;
        marker.trace_shaded(shaded);
        let mut ends = marker.drain();
        if ends {
            steps.looks += 1;
            marker.allow(if steps.looks > LOOKS { usize::MAX } else { objects });
            // SAFETY: as above.
            let barrier = unsafe { self.barrier.as_mut() };
            let remembered = barrier.take_listed().remembered;
            marker.trace_again(remembered.into_iter().chain(barrier.exposed(false)));
            roots(&mut marker);
            ends = marker.drain();
        }
        if ends {
            if self.config.stress_steps {
                marker.verify();
            }
            self.stop_shading();
            self.end_marking(marker, false, weak);
        } else {
            // SAFETY: as above.
            unsafe { self.barrier.as_mut() }.lost = marker.lost;
            steps.buffers = marker.suspend();
            self.steps = Some(steps);
            self.pacing.next_step();
        }
        self.counters.mark_time += started.elapsed();
        ends
    }

    fn stop_shading(&mut self) {
        // SAFETY: the barrier state is the heap's own and the heap is borrowed.
        let barrier = unsafe { self.barrier.as_mut() };
        (barrier.marking, barrier.lost) = (false, false);
        barrier.shaded = Vec::new();
    }

    /// Sweeps some of what the last collection has left; true if nothing is left.
    pub fn sweep_some(&mut self) -> bool {
        let drops = if self.config.stress || self.pacing.is_pressed_to_sweep() { usize::MAX } else { STEP_DROPS };
        let done = self.sweep_until(drops);
        if !done {
            self.pacing.next_sweep();
        }
        done
    }
}

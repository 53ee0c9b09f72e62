//! Events of the heap, for extensions that watch it: an object is made, an object is found dead, the steps of a
//! collection.
//!
//! While new objects are listened to the heap takes its slow path at every allocation, as for `births`. While dead ones
//! are, each collection reports them before anything is swept, and sweeps at once. Nothing is paid otherwise.
//!
//! A listener runs in the middle of an allocation or of a collection. What it makes itself is not reported and starts
//! no collection, and no exit leaves it.

use crate::Ctx;
use rubellite_value::{Tag, Value};
use std::cell::Cell;

/// An object has been made.
pub const NEW: u32 = 1;
/// An object is dead, and about to be freed.
pub const FREED: u32 = 1 << 1;
/// Marking begins.
pub const START: u32 = 1 << 2;
pub const END_MARK: u32 = 1 << 3;
pub const END_SWEEP: u32 = 1 << 4;
/// The collector is entered, for all of a collection or for a step of one.
pub const ENTER: u32 = 1 << 5;
/// It is left again.
pub const EXIT: u32 = 1 << 6;

/// What events are told to; the object is nil for those of collections.
pub type Listener = fn(&mut Ctx, u32, Value);

#[derive(Default)]
pub(crate) struct HeapEvents {
    wanted: Cell<u32>,
    listener: Cell<Option<Listener>>,
    /// A listener runs.
    telling: Cell<bool>,
}

/// Whether programs may see such objects.
pub(crate) fn is_visible(value: Value) -> bool {
    value.header().is_some_and(|header| {
        let internal =
            matches!(header.tag(), Tag::Env | Tag::Cref | Tag::Code | Tag::MethodEntry | Tag::Unwind | Tag::IClass);
        !internal && header.klass.get().is_heap()
    })
}

impl Ctx {
    /// Tells the events in `wanted` to `listener` from now on, and no others.
    pub fn listen_to_heap(&mut self, wanted: u32, listener: Listener) {
        let events = &self.vm().heap_events;
        events.wanted.set(wanted);
        events.listener.set(Some(listener));
        self.trace_allocations();
    }

    /// Whether the event is listened to, and no listener runs.
    #[inline]
    pub(crate) fn hears(&self, event: u32) -> bool {
        let events = &self.vm().heap_events;
        events.wanted.get() & event != 0 && !events.telling.get()
    }

    /// Whether somebody wants to see each allocation.
    pub(crate) fn hears_of_new(&self) -> bool {
        self.vm().heap_events.wanted.get() & NEW != 0
    }

    pub(crate) fn tell_of(&mut self, event: u32, object: Value) {
        if !self.hears(event) {
            return;
        }
        let Some(listener) = self.vm().heap_events.listener.get() else { return };
        self.vm().heap_events.telling.set(true);
        self.without_collecting(|ctx| listener(ctx, event, object));
        self.vm().heap_events.telling.set(false);
    }

    /// After an allocation that took the slow path.
    #[cold]
    #[inline(never)]
    pub(crate) fn tell_of_new(&mut self, object: Value) {
        if self.hears(NEW) && !self.in_gc && is_visible(object) {
            self.tell_of(NEW, object);
        }
    }

    /// After marking: tells of the dead objects, and sweeps when somebody wants to know of them or of the sweep's end.
    pub(crate) fn tell_of_dead(&mut self) {
        self.tell_of(END_MARK, Value::NIL);
        if self.hears(FREED) {
            // tidy: dead objects, which no collection frees before the end of this function
            let mut dead: Vec<Value> = Vec::new();
            // SAFETY: the lock is held; the borrow ends with the statement.
            unsafe { self.vm().heap.get_mut() }.each_dead(&mut |cell| {
                // SAFETY: the heap hands out cells with objects.
                dead.push(unsafe { Value::from_ptr(cell.as_ptr()) });
            });
            for object in dead {
                // A listener that makes objects all the same makes the heap sweep.
                // SAFETY: as above.
                let still = unsafe { self.vm().heap.get() }.is_unswept(object.as_ptr());
                if still && is_visible(object) {
                    self.tell_of(FREED, object);
                }
            }
        }
        if self.hears(FREED | END_SWEEP) {
            self.sweep_rest();
            self.tell_of(END_SWEEP, Value::NIL);
        }
    }
}

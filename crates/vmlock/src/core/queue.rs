//! The slots of the attached threads and the two queues that run through them. All of
//! it lies under the lock's internal mutex. Which queue a thread joins and who leaves it
//! first is `fairness`'s business.

use crate::core::stats::Reason;
use crate::core::takeover::PATIENCE_NS;
use crate::core::thread::{Entry, LockThread};
use crate::policy::Usage;
use crate::sys::Native;
use std::sync::Arc;

/// The end of a queue.
const END: u32 = u32::MAX;

/// Where an attached thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It holds the lock, is in a region, or has not asked for it.
    Away,
    /// In this queue.
    Queued(Entry),
    /// In `park`, and in no queue.
    Parked { forever: Forever },
}

/// Of a park: it has no deadline.
pub type Forever = bool;

/// Whether a thread that waits looks at the lock by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sleep {
    /// It will look again before it sleeps.
    Awake,
    /// It is in its parker, or about to be.
    Asleep,
    /// Somebody is waking it so that it looks.
    Waking,
}

/// One attached thread.
pub struct Slot {
    pub thread: Arc<LockThread>,
    /// None: it was announced, and its native thread has not come yet.
    pub native: Option<Native>,
    /// It was queued by `announce`, and has not asked for the lock itself.
    pub announced: bool,
    /// When its park ends on the clock of the schedule.
    pub wake_at_ns: Option<u64>,
    pub place: Place,
    pub sleep: Sleep,
    /// What is left of a slice that a priority request cut short.
    pub slice_left_ns: u64,
    pub usage: Usage,
    /// It is in `park` and was queued by `unpark`, from a park without a deadline or not. None: it is not, or has
    /// noticed.
    pub unparked_from: Option<Forever>,
    /// It queued because its slice had ended.
    pub rotates: bool,
    /// While it sleeps in a queue: when it will wake to keep the time of the turn before its own.
    pub wakes_ns: Option<u64>,
    /// When it queued.
    pub queued_ns: u64,
    /// Since when it has been woken for turns that others took over, and has not run; anew after it was patient.
    pub overtaken_ns: Option<u64>,
    /// When the lock was taken from it in the midst of a region, and why.
    pub lost: Option<(u64, Reason)>,
    /// Orders the threads by age.
    serial: u64,
    prev: u32,
    next: u32,
}

impl Slot {
    /// It has been overtaken for long enough.
    pub fn was_patient(&self, now_ns: u64) -> bool {
        self.overtaken_ns.is_some_and(|ns| now_ns.saturating_sub(ns) >= PATIENCE_NS)
    }
}

#[derive(Default)]
struct Queue {
    ends: Option<(u32, u32)>,
    len: usize,
}

/// The slots and the queues.
#[derive(Default)]
pub struct Table {
    slots: Vec<Option<Slot>>,
    vacant: Vec<u32>,
    serial: u64,
    attached: usize,
    /// The holder is about to be removed, and counts as gone.
    pub departing: bool,
    priority: Queue,
    normal: Queue,
    /// Queued threads that are not asleep.
    awake: usize,
    pub parked: usize,
    pub parked_forever: usize,
}

impl Table {
    /// Makes a slot. `None` when there are `limit` already.
    pub fn insert(&mut self, thread: Arc<LockThread>, native: Option<Native>, limit: u32) -> Option<u32> {
        let id = match self.vacant.pop() {
            Some(id) => id,
            None if self.slots.len() < limit as usize => {
                self.slots.push(None);
                (self.slots.len() - 1) as u32
            }
            None => return None,
        };
        self.serial += 1;
        self.attached += 1;
        self.slots[id as usize] = Some(Slot {
            thread,
            native,
            announced: false,
            wake_at_ns: None,
            place: Place::Away,
            sleep: Sleep::Awake,
            slice_left_ns: 0,
            unparked_from: None,
            usage: Usage::default(),
            rotates: false,
            wakes_ns: None,
            queued_ns: 0,
            overtaken_ns: None,
            lost: None,
            serial: self.serial,
            prev: END,
            next: END,
        });
        Some(id)
    }

    /// Every attached thread, by its slot, and where it is.
    pub fn places(&self) -> impl Iterator<Item = (u32, Place, &LockThread)> {
        self.slots
            .iter()
            .enumerate()
            .filter_map(|(id, slot)| slot.as_ref().map(|slot| (id as u32, slot.place, &*slot.thread)))
    }

    /// Takes a slot away; it is in no queue.
    pub fn remove(&mut self, id: u32) -> Option<Slot> {
        let slot = self.slots.get_mut(id as usize)?.take()?;
        debug_assert_eq!(slot.place, Place::Away);
        self.vacant.push(id);
        self.attached -= 1;
        Some(slot)
    }

    /// The parked thread whose time on the schedule's clock comes first, the oldest of several.
    pub fn first_to_wake(&self) -> Option<(u64, u32)> {
        let parked = self.slots.iter().enumerate().filter_map(|(id, slot)| {
            let slot = slot.as_ref().filter(|slot| matches!(slot.place, Place::Parked { .. }))?;
            Some((slot.wake_at_ns?, slot.serial, id as u32))
        });
        parked.min().map(|(at_ns, _, id)| (at_ns, id))
    }

    /// Attached threads that are neither queued nor parked: the holder, and whoever is outside.
    pub fn away(&self) -> usize {
        self.attached - usize::from(self.departing) - self.parked - self.len(Entry::Normal) - self.len(Entry::Priority)
    }

    /// Forgets every thread but one.
    pub fn keep_only(&mut self, survivor: u32) {
        let mut kept = self.slots.get_mut(survivor as usize).and_then(Option::take);
        if let Some(slot) = &mut kept {
            slot.place = Place::Away;
            slot.sleep = Sleep::Awake;
        }
        self.slots.iter_mut().for_each(|slot| drop(slot.take()));
        self.vacant = (0..self.slots.len() as u32).filter(|id| *id != survivor).collect();
        self.attached = usize::from(kept.is_some());
        if let Some(place) = self.slots.get_mut(survivor as usize) {
            *place = kept;
        }
        (self.priority, self.normal) = (Queue::default(), Queue::default());
        (self.awake, self.parked, self.parked_forever) = (0, 0, 0);
    }

    pub fn get(&self, id: u32) -> Option<&Slot> {
        self.slots.get(id as usize)?.as_ref()
    }

    pub fn get_mut(&mut self, id: u32) -> Option<&mut Slot> {
        self.slots.get_mut(id as usize)?.as_mut()
    }

    pub fn attached(&self) -> usize {
        self.attached
    }

    /// The attached threads, oldest first.
    pub fn threads(&self) -> Vec<Arc<LockThread>> {
        let mut slots: Vec<&Slot> = self.slots.iter().flatten().collect();
        slots.sort_by_key(|slot| slot.serial);
        slots.into_iter().map(|slot| Arc::clone(&slot.thread)).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.priority.len + self.normal.len == 0
    }

    pub fn len(&self, entry: Entry) -> usize {
        self.queue(entry).len
    }

    /// Is there a queued thread that will look before it sleeps?
    pub fn anyone_awake(&self) -> bool {
        self.awake > 0
    }

    /// The head of the priority queue, or else of the normal one.
    pub fn first(&self) -> Option<u32> {
        self.front(Entry::Priority).or(self.front(Entry::Normal))
    }

    pub fn front(&self, entry: Entry) -> Option<u32> {
        self.queue(entry).ends.map(|(head, _)| head)
    }

    /// One queue from its head.
    pub fn iter(&self, entry: Entry) -> impl Iterator<Item = u32> {
        let mut at = self.front(entry).unwrap_or(END);
        std::iter::from_fn(move || {
            let slot = self.get(at)?;
            Some(std::mem::replace(&mut at, slot.next))
        })
    }

    /// Puts a thread that is in no queue at the end of one, or at its head.
    pub fn enqueue(&mut self, id: u32, entry: Entry, at_head: bool) {
        let ends = self.queue(entry).ends;
        let Some(slot) = self.get_mut(id) else { return };
        debug_assert_eq!(slot.place, Place::Away);
        slot.place = Place::Queued(entry);
        let awake = slot.sleep != Sleep::Asleep;
        let ends = match ends {
            None => {
                (slot.prev, slot.next) = (END, END);
                (id, id)
            }
            Some((head, tail)) if at_head => {
                (slot.prev, slot.next) = (END, head);
                self.link(head, |slot| slot.prev = id);
                (id, tail)
            }
            Some((head, tail)) => {
                (slot.prev, slot.next) = (tail, END);
                self.link(tail, |slot| slot.next = id);
                (head, id)
            }
        };
        let queue = self.queue_mut(entry);
        queue.ends = Some(ends);
        queue.len += 1;
        self.awake += usize::from(awake);
    }

    /// Takes a queued thread out of its queue.
    pub fn dequeue(&mut self, id: u32) {
        let Some(slot) = self.get_mut(id) else { return };
        let Place::Queued(entry) = slot.place else { return };
        slot.place = Place::Away;
        slot.unparked_from = None;
        let (prev, next, awake) = (slot.prev, slot.next, slot.sleep != Sleep::Asleep);
        self.link(prev, |slot| slot.next = next);
        self.link(next, |slot| slot.prev = prev);
        let queue = self.queue_mut(entry);
        queue.len -= 1;
        queue.ends = match queue.ends {
            Some((head, tail)) if queue.len > 0 => {
                Some((if head == id { next } else { head }, if tail == id { prev } else { tail }))
            }
            _ => None,
        };
        self.awake -= usize::from(awake);
    }

    /// A thread that is in no queue is parked now.
    pub fn park(&mut self, id: u32, forever: Forever) {
        let Some(slot) = self.get_mut(id) else { return };
        debug_assert_eq!(slot.place, Place::Away);
        slot.place = Place::Parked { forever };
        self.parked += 1;
        self.parked_forever += usize::from(forever);
    }

    /// Notes whether a thread looks by itself.
    pub fn set_sleep(&mut self, id: u32, sleep: Sleep) {
        let Some(slot) = self.get_mut(id) else { return };
        slot.wakes_ns = None;
        let was = std::mem::replace(&mut slot.sleep, sleep);
        if matches!(slot.place, Place::Queued(_)) {
            self.awake -= usize::from(was != Sleep::Asleep);
            self.awake += usize::from(sleep != Sleep::Asleep);
        }
    }

    /// Notes that a queued thread sleeps, until its turn is due if it wakes by itself then.
    pub fn sleep_until(&mut self, id: u32, due_ns: Option<u64>) {
        self.set_sleep(id, Sleep::Asleep);
        if let Some(slot) = self.get_mut(id) {
            slot.wakes_ns = due_ns;
        }
    }

    /// Notes whether a queued thread waits because its slice had ended.
    pub fn set_rotates(&mut self, id: u32, rotates: bool) {
        if let Some(slot) = self.get_mut(id) {
            slot.rotates = rotates;
        }
    }

    fn link(&mut self, id: u32, change: impl FnOnce(&mut Slot)) {
        if let Some(slot) = self.get_mut(id) {
            change(slot);
        }
    }

    fn queue(&self, entry: Entry) -> &Queue {
        match entry {
            Entry::Normal => &self.normal,
            Entry::Priority => &self.priority,
        }
    }

    fn queue_mut(&mut self, entry: Entry) -> &mut Queue {
        match entry {
            Entry::Normal => &mut self.normal,
            Entry::Priority => &mut self.priority,
        }
    }
}

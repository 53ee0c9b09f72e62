//! Who may go first, and for how long, so that no thread starves: neither one that computes beside many that come back
//! from I/O, nor the other way round. Pure arithmetic on what lies under the internal mutex; the transitions that
//! follow from it are in `lock`.
//!
//! The rules:
//! - **Slices.** Normal waiters take turns; each runs for a slice while others wait. A thread whose slice was cut short
//!   for a priority request keeps the rest of it and its place at the head. One that came back with priority itself
//!   goes on after the others that did, until its slice is over.
//! - **Inheritance.** Who is woken by a thread that came back with priority has it, too.
//! - **Class cap.** Priority time while normal threads wait is a debt that normal time repays. Above the burst there is
//!   no priority until a tenth of the burst is repaid: many short waits instead of few long ones.
//! - **Heavy threads** get no priority: those that used more than their fair share, 1/(N+1) of the last 100 ms.
//! - **Light lane.** A thread that hardly used the lock goes before other priority threads, within twice the burst.
//! - **Late turns.** Where other processes use the processors a turn may begin milliseconds after it was given. That
//!   time is nobody's, the slice begins with the turn, and nobody goes before the holder for as long again.
//! - **No preemption among priority threads** in the first priority slice of one, except of a heavier by a light one.
//!
//! Rejected: ordering by virtual time (erratic: p99 up to 40 ms), and strict priority (100
//! chatty threads left a CPU-bound one 0-1 %).

use super::mechanism::Mechanism;
use crate::config::{Config, setting_ns};
use crate::core::queue::{Slot, Table};
use crate::core::takeover::LATE_NS;
use crate::core::thread::Entry;

/// For how long use of the lock is remembered.
const MEMORY_NS: f64 = 1e8;
/// How far into the priority queue the light lane looks.
const LIGHT_LOOK: usize = 16;
/// The part of the burst that may be owed where priority comes back.
const BACK: f64 = 0.9;

/// How much a thread used the lock lately.
#[derive(Clone, Copy, Default)]
pub struct Usage {
    ns: f64,
    at_ns: u64,
}

impl Usage {
    /// The remembered nanoseconds, faded to `now`.
    pub fn at(&self, now_ns: u64) -> f64 {
        let age = now_ns.saturating_sub(self.at_ns) as f64;
        self.ns * (1.0 - age / MEMORY_NS).max(0.0)
    }

    pub fn add(&mut self, ns: u64, now_ns: u64) {
        self.ns = self.at(now_ns) + ns as f64;
        self.at_ns = now_ns;
    }
}

/// The holder's turn.
#[derive(Clone, Copy, Default)]
pub struct Turn {
    /// From when on its time counts.
    pub since_ns: u64,
    /// The end of its slice.
    pub deadline_ns: u64,
    /// It was chosen for its priority.
    pub by_priority: bool,
    /// Until then other priority threads do not preempt it.
    pub protected_until_ns: u64,
    /// It was asked to give way already.
    pub asked: bool,
    /// The holder was asleep when it got the lock.
    pub asleep: bool,
    /// How much later it began, or was overtaken, where that is long: nobody has used the lock in that time.
    pub late_ns: u64,
}

impl Turn {
    /// The holder begins its turn, or another thread takes it over: if that is `much` later than it was given, the
    /// slice begins now and is kept for as long.
    pub fn begins_late(&mut self, now_ns: u64, much: u64) {
        let late_ns = now_ns.saturating_sub(self.since_ns);
        if late_ns < much {
            return;
        }
        self.late_ns = late_ns;
        self.deadline_ns += late_ns;
        self.protected_until_ns = (now_ns + late_ns).min(self.deadline_ns);
        self.asked = false;
    }
}

/// The account of the priority class, and the limits.
pub struct Fairness {
    debt_ns: f64,
    throttled: bool,
    /// When the queues became empty.
    idle_since_ns: u64,
    burst_ns: f64,
    /// Where more than the burst was owed, there is priority again when no more than this is.
    back_ns: f64,
    light_ns: f64,
    skips_stuck: bool,
    /// Nanoseconds of debt that one of normal time repays; none: no limit to priority.
    repay: Option<f64>,
    pub priority_slice_ns: u64,
}

impl Fairness {
    pub fn new(config: &Config) -> Self {
        let mechanisms = config.mechanisms.ablated();
        let has = |mechanism| mechanisms.has(mechanism);
        let share = f64::from(config.priority_share_percent.min(100)) / 100.0;
        Fairness {
            debt_ns: 0.0,
            throttled: false,
            idle_since_ns: 0,
            burst_ns: setting_ns(config.priority_burst) as f64,
            back_ns: setting_ns(config.priority_burst) as f64 * BACK,
            light_ns: if has(Mechanism::LightLane) { setting_ns(config.light) as f64 } else { 0.0 },
            skips_stuck: has(Mechanism::SkipStuck),
            repay: (share < 1.0).then(|| share / (1.0 - share)),
            priority_slice_ns: setting_ns(config.priority_slice),
        }
    }

    /// Closes the account of a turn at `now`. Returns its length.
    pub fn close(&mut self, turn: &mut Turn, holder: u32, table: &mut Table, now_ns: u64) -> u64 {
        let held_ns = now_ns.saturating_sub(turn.since_ns);
        let used_ns = held_ns.saturating_sub(turn.late_ns);
        (turn.since_ns, turn.late_ns) = (now_ns, 0);
        if let Some(slot) = table.get_mut(holder) {
            slot.usage.add(used_ns, now_ns);
        }
        if let Some(repay) = self.repay {
            if !turn.by_priority {
                self.debt_ns = (self.debt_ns - used_ns as f64 * repay).max(0.0);
            } else if table.len(Entry::Normal) > 0 {
                self.debt_ns += used_ns as f64;
            }
            if self.debt_ns > self.burst_ns {
                self.throttled = true;
            } else if self.debt_ns <= self.back_ns {
                self.throttled = false;
            }
        }
        held_ns
    }

    /// The queues became empty: time repays from now on.
    pub fn idle(&mut self, now_ns: u64) {
        self.idle_since_ns = now_ns;
    }

    /// The first waiter came.
    pub fn busy(&mut self, now_ns: u64) {
        self.debt_ns = (self.debt_ns - now_ns.saturating_sub(self.idle_since_ns) as f64).max(0.0);
        if self.debt_ns <= self.back_ns {
            self.throttled = false;
        }
    }

    /// The queue that a thread may join when it asks for `entry`.
    pub fn admit(&self, table: &Table, id: u32, entry: Entry, now_ns: u64) -> Entry {
        let waiting = table.len(Entry::Normal);
        let heavy = || table.get(id).is_some_and(|slot| slot.usage.at(now_ns) > MEMORY_NS / (waiting + 2) as f64);
        if entry == Entry::Priority && waiting > 0 && heavy() { Entry::Normal } else { entry }
    }

    /// The next thread, and whether its priority chose it.
    pub fn pick(&self, turn: &Turn, table: &Table, now_ns: u64) -> Option<(u32, bool)> {
        let priority = self.first_priority(table, now_ns).filter(|id| self.allowed(turn, table, *id, now_ns));
        if let Some(id) = priority {
            return Some((id, true));
        }
        let normal = table.front(Entry::Normal).map(|id| (id, false));
        normal.or_else(|| table.front(Entry::Priority).map(|id| (id, true)))
    }

    /// When the holder should be asked to give way, if nothing changes until then.
    pub fn alarm_ns(&self, turn: &Turn, holder: u32, table: &Table, now_ns: u64) -> Option<u64> {
        if turn.asked || table.is_empty() {
            return None;
        }
        let Some(id) = self.first_priority(table, now_ns) else { return Some(turn.deadline_ns) };
        let when = if self.protected(turn, holder, table, id, now_ns) {
            turn.protected_until_ns
        } else if self.allowed(turn, table, id, now_ns) {
            now_ns
        } else {
            now_ns + self.pay_ns(turn, now_ns)
        };
        Some(turn.deadline_ns.min(when))
    }

    /// Does a waiting priority thread go before the holder now?
    pub fn outranked(&self, turn: &Turn, holder: u32, table: &Table, now_ns: u64) -> bool {
        self.first_priority(table, now_ns)
            .is_some_and(|id| !self.protected(turn, holder, table, id, now_ns) && self.allowed(turn, table, id, now_ns))
    }

    /// May a thread that comes back with priority use the time in which the holder wakes up? The holder is not
    /// protected: it cannot run yet.
    pub fn may_take_over(&self, turn: &Turn, holder: u32, table: &Table, id: u32, now_ns: u64) -> bool {
        let lighter = self.is_light(table, holder, 0, now_ns) && !self.is_light(table, id, 0, now_ns);
        turn.asleep && !lighter && self.allowed(turn, table, id, now_ns)
    }

    /// The head of the priority queue, or the first light thread near it. A head that was woken, and has not run for
    /// long, waits for a processor, on which another thread may be taking over one turn of it after the other: then it
    /// is the one behind it.
    fn first_priority(&self, table: &Table, now_ns: u64) -> Option<u32> {
        let head = table.front(Entry::Priority)?;
        if table.len(Entry::Priority) == 1 {
            return Some(head);
        }
        let near = || table.iter(Entry::Priority).take(LIGHT_LOOK);
        let light = near().find(|id| self.is_light(table, *id, 0, now_ns));
        let overtaken = |slot: &Slot| slot.overtaken_ns.is_some_and(|ns| now_ns.saturating_sub(ns) >= LATE_NS);
        let stuck = |id: u32| table.get(id).is_some_and(|slot| overtaken(slot) && !slot.was_patient(now_ns));
        let runs = || near().find(|id| !(self.skips_stuck && stuck(*id)));
        Some(light.or_else(runs).unwrap_or(head))
    }

    fn protected(&self, turn: &Turn, holder: u32, table: &Table, id: u32, now_ns: u64) -> bool {
        let held_ns = now_ns.saturating_sub(turn.since_ns).saturating_sub(turn.late_ns);
        let lighter = self.is_light(table, id, 0, now_ns) && !self.is_light(table, holder, held_ns, now_ns);
        now_ns < turn.protected_until_ns && (turn.late_ns > 0 || turn.by_priority && !lighter)
    }

    fn is_light(&self, table: &Table, id: u32, more_ns: u64, now_ns: u64) -> bool {
        table.get(id).is_some_and(|slot| slot.usage.at(now_ns) + (more_ns as f64) < self.light_ns)
    }

    fn allowed(&self, turn: &Turn, table: &Table, id: u32, now_ns: u64) -> bool {
        if !self.throttled || self.repay.is_none() || turn.by_priority && table.len(Entry::Normal) == 0 {
            return true;
        }
        let owed = self.owed_ns(turn, now_ns);
        owed <= self.back_ns || self.is_light(table, id, 0, now_ns) && owed <= 2.0 * self.burst_ns
    }

    /// The debt, less what the running normal thread has repaid.
    fn owed_ns(&self, turn: &Turn, now_ns: u64) -> f64 {
        let paid = if turn.by_priority {
            0.0
        } else {
            now_ns.saturating_sub(turn.since_ns + turn.late_ns) as f64 * self.repay.unwrap_or(0.0)
        };
        self.debt_ns - paid
    }

    /// How long until the running normal thread has repaid enough.
    fn pay_ns(&self, turn: &Turn, now_ns: u64) -> u64 {
        let left = (self.owed_ns(turn, now_ns) - self.back_ns).max(0.0);
        (left / self.repay.unwrap_or(1.0)) as u64 + 1000
    }
}

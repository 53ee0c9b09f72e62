//! Whose turn may be taken over.

use crate::config::Config;
use crate::core::lock::VmLock;
use crate::core::takeover::{CHANCE_NS, PATIENCE_NS};
use crate::core::thread::Entry;
use crate::core::word;
use crate::policy::{Mechanisms, Turn};
use crate::sys;
use std::sync::atomic::Ordering::SeqCst;

/// A sleeper has been overtaken since the time 0, and is given a turn at `given_ns`. Is it taken over at `now_ns`, and
/// since when has the sleeper been overtaken then?
fn taken_over(given_ns: u64, now_ns: u64) -> (bool, Option<u64>) {
    let lock = VmLock::new(Config { mechanisms: Mechanisms::STANDARD, ..Config::default() });
    let (sleeper, other) = (lock.prepare("sleeper"), lock.prepare("other"));
    let mut inner = sys::lock(&lock.inner);
    lock.insert(&mut inner, &sleeper);
    lock.insert(&mut inner, &other);
    let slot = inner.table.get_mut(sleeper.slot()).unwrap();
    slot.overtaken_ns = Some(0);
    // Neither is light.
    slot.usage.add(10_000_000, now_ns);
    inner.table.get_mut(other.slot()).unwrap().usage.add(10_000_000, now_ns);
    inner.turn = Turn {
        since_ns: given_ns,
        deadline_ns: given_ns + 5_000_000,
        by_priority: true,
        asleep: true,
        ..Turn::default()
    };
    lock.word.store(word::with(word::FREE, word::HELD, sleeper.slot(), false) | word::GIVEN, SeqCst);
    let taken = lock.take_over(&mut inner, &other, Entry::Priority, now_ns);
    (taken, inner.table.get(sleeper.slot()).unwrap().overtaken_ns)
}

#[test]
fn a_sleeper_is_overtaken_for_a_while_and_then_has_a_chance() {
    assert_eq!(taken_over(0, PATIENCE_NS - 1), (true, Some(0)));
    assert_eq!(taken_over(PATIENCE_NS, PATIENCE_NS), (false, Some(0)));
    let late = PATIENCE_NS + CHANCE_NS;
    assert_eq!(taken_over(PATIENCE_NS, late - 1), (false, Some(0)));
    assert_eq!(taken_over(PATIENCE_NS, late), (true, Some(late)), "it did not take it, and is patient anew");
}

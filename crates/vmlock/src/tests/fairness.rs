//! The arithmetic of the fairness rule: bursts, debts, shares, protection and the light lane.

use crate::config::Config;
use crate::core::lock::VmLock;
use crate::core::queue::Table;
use crate::core::takeover::{LATE_NS, PATIENCE_NS};
use crate::core::thread::Entry;
use crate::core::word::OWNERS;
use crate::policy::{Fairness, Mechanisms, Turn, Usage};
use std::sync::Arc;
use std::time::Duration;

const MS: u64 = 1_000_000;

/// A rule with a burst of 10 ms and a share of 60 %, and threads of a lock that it knows nothing of.
struct Scene {
    rule: Fairness,
    table: Table,
    lock: Arc<VmLock>,
    turn: Turn,
}

impl Scene {
    fn new(change: impl FnOnce(&mut Config)) -> Scene {
        let mut config = Config { mechanisms: Mechanisms::STANDARD, ..Config::default() };
        change(&mut config);
        let lock = VmLock::new(config.clone());
        Scene { rule: Fairness::new(&config), table: Table::default(), lock, turn: Turn::default() }
    }

    /// A thread that used the lock for so long of late.
    fn thread(&mut self, used_ns: u64, now_ns: u64) -> u32 {
        let id = self.table.insert(self.lock.prepare("t"), None, OWNERS).unwrap();
        self.table.get_mut(id).unwrap().usage.add(used_ns, now_ns);
        id
    }

    fn queue(&mut self, used_ns: u64, entry: Entry, now_ns: u64) -> u32 {
        let id = self.thread(used_ns, now_ns);
        self.table.enqueue(id, entry, false);
        id
    }

    /// The holder's turn lasts until then.
    fn run(&mut self, holder: u32, by_priority: bool, until_ns: u64) {
        self.turn.by_priority = by_priority;
        self.rule.close(&mut self.turn, holder, &mut self.table, until_ns);
    }

    fn next(&self, now_ns: u64) -> Option<(u32, bool)> {
        self.rule.pick(&self.turn, &self.table, now_ns)
    }
}

#[test]
fn use_fades_in_a_straight_line() {
    let mut usage = Usage::default();
    usage.add(40 * MS, 100 * MS);
    assert_eq!(usage.at(100 * MS), 4e7);
    assert!((usage.at(125 * MS) - 3e7).abs() < 1.0);
    assert_eq!(usage.at(200 * MS), 0.0);
    assert_eq!(usage.at(99 * MS), 4e7, "a clock that is read late");
    usage.add(10 * MS, 150 * MS);
    assert!((usage.at(150 * MS) - 3e7).abs() < 1.0, "half of the old and the new");
}

#[test]
fn priority_goes_first_until_its_burst_is_used_up_and_a_tenth_of_it_repaid() {
    let mut scene = Scene::new(|_| ());
    let now = 1000 * MS;
    let waiting = scene.queue(50 * MS, Entry::Normal, now);
    let chatty = scene.queue(5 * MS, Entry::Priority, now);
    let holder = scene.thread(0, now);
    scene.turn.since_ns = now;
    assert_eq!(scene.next(now), Some((chatty, true)));
    scene.run(holder, true, now + 10 * MS);
    assert_eq!(scene.next(now + 10 * MS), Some((chatty, true)), "as much as the burst");
    scene.run(holder, true, now + 11 * MS);
    assert_eq!(scene.next(now + 11 * MS), Some((waiting, false)), "more");
    // 11 ms are owed; normal time repays one and a half times as much.
    scene.turn.by_priority = false;
    let repaid = now + 11 * MS + 2 * MS * 2 / 3 + 10;
    assert_eq!(scene.next(repaid - 20), Some((waiting, false)));
    assert_eq!(scene.next(repaid), Some((chatty, true)), "9 ms are left, by the normal turn that is on");
    scene.run(holder, false, repaid);
    assert_eq!(scene.next(repaid), Some((chatty, true)), "and when it is over");
}

#[test]
fn priority_time_while_nobody_else_waits_is_free() {
    let mut scene = Scene::new(|_| ());
    let chatty = scene.queue(0, Entry::Priority, 0);
    let holder = scene.thread(0, 0);
    scene.run(holder, true, 500 * MS);
    scene.queue(0, Entry::Normal, 500 * MS);
    assert_eq!(scene.next(500 * MS), Some((chatty, true)));
}

#[test]
fn idle_time_repays_and_a_full_share_has_no_limit() {
    let mut scene = Scene::new(|_| ());
    scene.queue(0, Entry::Normal, 0);
    let chatty = scene.queue(20 * MS, Entry::Priority, 0);
    let holder = scene.thread(0, 0);
    scene.run(holder, true, 30 * MS);
    assert!(scene.next(30 * MS) != Some((chatty, true)));
    scene.rule.idle(30 * MS);
    scene.rule.busy(51 * MS);
    assert_eq!(scene.next(51 * MS), Some((chatty, true)), "30 less 21 is a tenth less than the burst");

    let mut free = Scene::new(|config| config.priority_share_percent = 100);
    free.queue(0, Entry::Normal, 0);
    let chatty = free.queue(20 * MS, Entry::Priority, 0);
    let holder = free.thread(0, 0);
    free.run(holder, true, 10_000 * MS);
    assert_eq!(free.next(10_000 * MS), Some((chatty, true)));
}

#[test]
fn who_used_more_than_a_fair_share_queues_like_anybody_else() {
    let mut scene = Scene::new(|_| ());
    let heavy = scene.thread(60 * MS, 0);
    let modest = scene.thread(30 * MS, 0);
    let admit = |scene: &Scene, id| scene.rule.admit(&scene.table, id, Entry::Priority, 0);
    assert_eq!(admit(&scene, heavy), Entry::Priority, "nobody is kept from running");
    scene.queue(0, Entry::Normal, 0);
    assert_eq!([admit(&scene, heavy), admit(&scene, modest)], [Entry::Normal, Entry::Priority], "half of 100 ms");
    for _ in 0..2 {
        scene.queue(0, Entry::Normal, 0);
    }
    assert_eq!(admit(&scene, modest), Entry::Normal, "a quarter");
    assert_eq!(scene.rule.admit(&scene.table, modest, Entry::Normal, 0), Entry::Normal);
}

#[test]
fn a_light_thread_goes_before_others_and_past_the_cap() {
    let mut scene = Scene::new(|_| ());
    let waiting = scene.queue(0, Entry::Normal, 0);
    let first = scene.queue(MS, Entry::Priority, 0);
    let light = scene.queue(0, Entry::Priority, 0);
    let holder = scene.thread(50 * MS, 0);
    assert_eq!(scene.next(0), Some((light, true)));
    scene.run(holder, true, 15 * MS);
    assert_eq!(scene.next(15 * MS), Some((light, true)), "within twice the burst");
    scene.run(holder, true, 21 * MS);
    assert_eq!(scene.next(21 * MS), Some((waiting, false)), "beyond it");

    let mut plain = Scene::new(|config| config.mechanisms = Mechanisms::PLAIN);
    let first_there = plain.queue(MS, Entry::Priority, 0);
    plain.queue(0, Entry::Priority, 0);
    assert_eq!(plain.next(0), Some((first_there, true)), "in their order without the lane");
    assert_ne!(first, light);
}

#[test]
fn a_priority_turn_is_safe_from_others_for_its_slice_unless_they_are_lighter() {
    let mut scene = Scene::new(|_| ());
    let holder = scene.thread(5 * MS, 0);
    scene.turn = Turn { by_priority: true, deadline_ns: 5 * MS, protected_until_ns: MS, ..Turn::default() };
    scene.queue(4 * MS, Entry::Priority, 0);
    let outranked = |scene: &Scene, now| scene.rule.outranked(&scene.turn, holder, &scene.table, now);
    assert_eq!([outranked(&scene, MS - 1), outranked(&scene, MS)], [false, true]);
    assert_eq!(scene.rule.alarm_ns(&scene.turn, holder, &scene.table, 0), Some(MS));
    scene.queue(0, Entry::Priority, 0);
    assert!(outranked(&scene, 0), "a light one");
    scene.turn.asked = true;
    assert_eq!(scene.rule.alarm_ns(&scene.turn, holder, &scene.table, 0), None, "once");
}

#[test]
fn the_holder_is_asked_at_the_end_of_its_slice_or_when_enough_is_repaid() {
    let mut scene = Scene::new(|_| ());
    let holder = scene.thread(0, 0);
    scene.turn.deadline_ns = 5 * MS;
    let alarm = |scene: &Scene, now| scene.rule.alarm_ns(&scene.turn, holder, &scene.table, now);
    assert_eq!(alarm(&scene, 0), None, "nobody waits");
    scene.queue(0, Entry::Normal, 0);
    assert_eq!(alarm(&scene, 0), Some(5 * MS));
    scene.queue(30 * MS, Entry::Priority, 0);
    assert_eq!(alarm(&scene, 0), Some(0), "at once");
    scene.run(holder, true, 11 * MS);
    scene.turn = Turn { since_ns: 11 * MS, deadline_ns: 100 * MS, ..Turn::default() };
    let at = alarm(&scene, 11 * MS).unwrap();
    let repaid = 11 * MS + 2 * MS * 2 / 3;
    assert!((repaid..repaid + 2000).contains(&at), "2 ms at one and a half times: {at}");
}

#[test]
fn a_woken_head_that_does_not_run_is_passed_over() {
    let mut scene = Scene::new(|config| config.light = Duration::ZERO);
    let head = scene.queue(0, Entry::Priority, 0);
    let second = scene.queue(0, Entry::Priority, 0);
    scene.table.get_mut(head).unwrap().overtaken_ns = Some(0);
    assert_eq!(scene.next(LATE_NS - 1), Some((head, true)));
    assert_eq!(scene.next(LATE_NS), Some((second, true)));
    scene.table.get_mut(second).unwrap().overtaken_ns = Some(0);
    assert_eq!(scene.next(LATE_NS), Some((head, true)), "all of them: in their order");
    scene.table.get_mut(second).unwrap().overtaken_ns = None;
    assert_eq!(scene.next(PATIENCE_NS - 1), Some((second, true)));
    assert_eq!(scene.next(PATIENCE_NS), Some((head, true)), "not for ever");
}

#[test]
fn the_turn_of_a_sleeper_is_taken_unless_it_is_the_lighter_one() {
    let mut scene = Scene::new(|_| ());
    let (light, heavy, other) = (scene.thread(0, 0), scene.thread(20 * MS, 0), scene.thread(20 * MS, 0));
    let may = |scene: &Scene, holder, id| scene.rule.may_take_over(&scene.turn, holder, &scene.table, id, 0);
    assert!(!may(&scene, heavy, light), "it is awake");
    scene.turn.asleep = true;
    assert!(may(&scene, heavy, light) && may(&scene, heavy, other) && !may(&scene, light, heavy));
}

#[test]
fn the_time_before_a_late_turn_is_nobodys_and_its_holder_keeps_it_for_as_long() {
    let mut scene = Scene::new(|_| ());
    let holder = scene.thread(0, 0);
    scene.queue(0, Entry::Normal, 0);
    scene.queue(0, Entry::Priority, 0);
    let given = Turn { since_ns: 100 * MS, deadline_ns: 105 * MS, asleep: true, ..Turn::default() };
    let begun = |late: u64| {
        let mut turn = given;
        turn.begins_late(100 * MS + late, MS);
        turn
    };
    scene.turn = begun(MS - 1);
    assert_eq!((scene.turn.late_ns, scene.turn.deadline_ns), (0, 105 * MS), "soon enough");
    assert!(scene.rule.outranked(&scene.turn, holder, &scene.table, 101 * MS));
    scene.turn = begun(4 * MS);
    assert_eq!((scene.turn.late_ns, scene.turn.deadline_ns), (4 * MS, 109 * MS), "a whole slice is left");
    let outranked = |scene: &Scene, now| scene.rule.outranked(&scene.turn, holder, &scene.table, now);
    assert_eq!([outranked(&scene, 108 * MS - 1), outranked(&scene, 108 * MS)], [false, true]);
    assert_eq!(scene.rule.alarm_ns(&scene.turn, holder, &scene.table, 104 * MS), Some(108 * MS));
    scene.run(holder, false, 106 * MS);
    assert_eq!(scene.table.get(holder).unwrap().usage.at(106 * MS), 2e6, "what it used");
    scene.turn = begun(40 * MS);
    assert_eq!(scene.turn.protected_until_ns, scene.turn.deadline_ns, "no longer than its slice");
}

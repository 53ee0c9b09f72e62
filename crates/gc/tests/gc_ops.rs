//! A random sequence of operations on a graph of objects, compared with a model of the
//! graph in ordinary collections: what is reachable in the model must be there and
//! unchanged, and after two full collections nothing else may be.

mod common;

use std::collections::{HashMap, HashSet};
use std::ptr::NonNull;

use common::*;
use rubellite_gc::{Heap, HeapConfig, Marker, SizeClass};
use rubellite_value::{Tag, Value};

const ROOTS: usize = 24;

struct ModelNode {
    tag: Tag,
    slots: Vec<Option<u64>>,
}

struct World {
    heap: Heap,
    roots: Vec<Option<NonNull<Node>>>,
    /// Nodes by id; unreachable ones are taken out by `check`.
    model: HashMap<u64, ModelNode>,
    model_roots: Vec<Option<u64>>,
    random: Random,
    next_id: u64,
}

impl World {
    fn new(config: HeapConfig, seed: u64) -> World {
        World {
            heap: Heap::new(config, hooks()),
            roots: vec![None; ROOTS],
            model: HashMap::new(),
            model_roots: vec![None; ROOTS],
            random: Random(seed * 0x9e37_79b9 + 1),
            next_id: 1,
        }
    }

    fn collect(&mut self, full: bool) {
        let roots = self.roots.clone();
        let mut mark = |marker: &mut Marker| mark_roots(&roots, marker);
        match full {
            true => self.heap.collect_full(&mut mark, &mut |_| {}),
            false => self.heap.collect(&mut mark, &mut |_| {}),
        }
    }

    fn allocate(&mut self) {
        let class = SizeClass::for_bytes(1 + self.random.below(256));
        let tag = [PLAIN, PLAIN, OWNING, ORDINARY][self.random.below(4)];
        let payload = self.random.below(3000);
        let id = self.next_id;
        self.next_id += 1;
        let roots = self.roots.clone();
        let mut mark = |marker: &mut Marker| mark_roots(&roots, marker);
        let node = new_node(&mut self.heap, &mut mark, tag, id, class, payload);
        let at = self.random.below(ROOTS);
        // Most new nodes keep what the root held alive, so chains grow.
        let slots = slot_count(class);
        let mut model = ModelNode { tag, slots: vec![None; slots] };
        let extend = slots > 0 && self.random.below(4) > 0;
        if extend && let (Some(old), Some(old_id)) = (self.roots[at], self.model_roots[at]) {
            set_slot(node, slots - 1, value_of(old));
            model.slots[slots - 1] = Some(old_id);
        }
        self.model.insert(id, model);
        self.roots[at] = Some(node);
        self.model_roots[at] = Some(id);
    }

    /// A random reachable node.
    fn pick(&mut self) -> Option<NonNull<Node>> {
        let at = self.random.below(ROOTS);
        let mut node = self.roots[at]?;
        for _ in 0..self.random.below(12) {
            let slots = self.model[&id(node)].slots.len();
            if slots == 0 {
                break;
            }
            let at = self.random.below(slots);
            match node_of(slot(node, at)) {
                Some(next) => node = next,
                None => break,
            }
        }
        Some(node)
    }

    fn connect(&mut self) {
        let (Some(from), Some(to)) = (self.pick(), self.pick()) else { return };
        let slots = self.model[&id(from)].slots.len();
        if slots == 0 {
            return;
        }
        let at = self.random.below(slots);
        let cut = self.random.below(4) == 0;
        let value: Value = if cut { Value::NIL } else { value_of(to) };
        set_slot(from, at, value);
        self.model.get_mut(&id(from)).unwrap().slots[at] = (!cut).then(|| id(to));
    }

    fn reverse(&mut self) {
        let Some(node) = self.pick() else { return };
        reverse_slots(node);
        self.model.get_mut(&id(node)).unwrap().slots.reverse();
    }

    fn forget_root(&mut self) {
        let at = self.random.below(ROOTS);
        self.roots[at] = None;
        self.model_roots[at] = None;
    }

    /// Walks model and heap side by side.
    fn check(&mut self) {
        let mut seen = HashSet::new();
        let mut work: Vec<(NonNull<Node>, u64)> = Vec::new();
        for (node, expected) in self.roots.iter().zip(&self.model_roots) {
            work.extend(node.zip(*expected));
        }
        while let Some((node, expected)) = work.pop() {
            assert_eq!(id(node), expected, "another object lies there");
            let model = &self.model[&expected];
            assert_eq!(tag(node), model.tag);
            let interior = node.as_ptr() as usize + 17;
            assert_eq!(self.heap.find_cell(interior), Some(node.cast()));
            if !seen.insert(expected) {
                continue;
            }
            for (at, expected) in model.slots.iter().enumerate() {
                match (node_of(slot(node, at)), expected) {
                    (Some(child), Some(expected)) => work.push((child, *expected)),
                    (child, expected) => assert!(child.is_none() && expected.is_none()),
                }
            }
        }
        self.model.retain(|id, _| seen.contains(id));
    }

    /// After full collections exactly the model's objects are left.
    fn check_exact(&mut self) {
        self.collect(true);
        self.check();
        let mut found = HashSet::new();
        self.heap.each_object(&mut |cell| assert!(found.insert(id(cell.cast()))));
        assert_eq!(found, self.model.keys().copied().collect());
        let stat = self.heap.stat();
        assert_eq!(stat.total_allocated_objects - stat.total_freed_objects, found.len() as u64);
    }

    fn step(&mut self) {
        match self.random.below(1000) {
            0..600 => self.allocate(),
            600..975 => self.connect(),
            975..985 => self.reverse(),
            985..997 => self.forget_root(),
            997..999 => self.collect(false),
            _ => assert!(self.heap.finish_sweep()),
        }
    }

    fn run(&mut self, steps: usize) {
        for step in 0..steps {
            self.step();
            if step % 5000 == 4999 {
                self.check();
            }
        }
        self.check_exact();
        self.roots.fill(None);
        self.model_roots.fill(None);
        self.check_exact();
        assert_eq!(self.heap.stat().malloc_bytes, 0);
    }
}

fn mark_roots(roots: &[Option<NonNull<Node>>], marker: &mut Marker) {
    for node in roots.iter().flatten() {
        // Half exactly, half as a conservative scan would find them.
        match id(*node) % 2 {
            0 => marker.mark(value_of(*node)),
            _ => marker.mark_maybe(node.as_ptr() as usize + 9),
        }
    }
}

/// How many seeds are tried; `GC_OPS_SEEDS` asks for more.
fn seeds() -> std::ops::Range<u64> {
    let count = std::env::var("GC_OPS_SEEDS").ok().and_then(|text| text.parse().ok());
    1..count.unwrap_or(5) + 1
}

#[test]
fn random_graph() {
    for seed in seeds() {
        World::new(small_config(), seed).run(60_000);
    }
}

#[test]
fn random_graph_generational() {
    let config = HeapConfig { generational: true, ..small_config() };
    for seed in seeds() {
        let mut world = World::new(config, seed);
        world.run(60_000);
        assert!(world.heap.stat().minor_count > 0);
    }
}

#[test]
fn random_graph_with_a_tiny_work_list() {
    for generational in [false, true] {
        let config = HeapConfig { mark_stack_max: 5, generational, ..small_config() };
        World::new(config, 7).run(20_000);
    }
}

#[test]
fn random_graph_collecting_at_every_allocation() {
    for generational in [false, true] {
        let config = HeapConfig { stress: true, generational, ..small_config() };
        World::new(config, 8).run(6_000);
    }
}

#[test]
fn random_graph_with_a_step_at_every_allocation() {
    for seed in seeds() {
        let config = HeapConfig { stress_steps: true, ..small_config() };
        World::new(config, seed).run(20_000);
    }
}

#[test]
fn random_graph_in_steps() {
    for seed in seeds() {
        let config = HeapConfig { steps_from: 0, ..small_config() };
        let mut world = World::new(config, seed);
        world.run(60_000);
        assert!(world.heap.stat().count > 10);
    }
}

#[test]
fn random_graph_with_failing_allocations() {
    let mut world = World::new(small_config(), 9);
    let class = SizeClass::for_bytes(64);
    for n in 1..200 {
        world.heap.fail_allocation_at(n);
        for count in 1.. {
            let cell = match world.heap.alloc(class) {
                Some(cell) => cell,
                None => {
                    world.collect(false);
                    match world.heap.alloc_grow(class) {
                        Ok(cell) => cell,
                        Err(_) => {
                            assert_eq!(count, n);
                            break;
                        }
                    }
                }
            };
            assert!(count < n);
            init(cell, PLAIN, 0, class, 0);
        }
        world.run(200);
    }
}

//! Behaviour of the heap, one property a test.

mod common;

use std::collections::HashSet;
use std::ptr::NonNull;

use common::*;
use rubellite_gc::{Heap, HeapConfig, Marker, OutOfMemory, SizeClass, expose, stack};
use rubellite_value::{Header, Value};

const SMALL: SizeClass = SizeClass::for_bytes(48);

fn heap() -> Heap {
    Heap::new(small_config(), hooks())
}

fn no_roots(_: &mut Marker) {}

#[test]
fn cells_are_aligned_distinct_and_of_the_class_asked_for() {
    let mut heap = heap();
    let mut spans = Vec::new();
    for &bytes in &SizeClass::SIZES {
        let class = SizeClass::for_bytes(usize::from(bytes));
        for _ in 0..3000 {
            let cell = heap.alloc_grow(class).unwrap();
            init(cell, PLAIN, 0, class, 0);
            spans.push((cell.as_ptr() as usize, usize::from(bytes)));
        }
    }
    spans.sort_unstable();
    assert!(spans.iter().all(|(start, _)| start % 16 == 0));
    assert!(spans.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0));
}

#[test]
fn garbage_is_reused_and_the_heap_does_not_grow() {
    let mut heap = heap();
    for id in 0..2_000_000 {
        new_node(&mut heap, &mut no_roots, PLAIN, id, SMALL, 0);
    }
    let stat = heap.stat();
    assert!(stat.count > 10);
    assert!(stat.heap_allocated_pages * (64 << 10) <= 2 * (256 << 10), "{stat:?}");
    assert_eq!(stat.total_allocated_objects, 2_000_000);
}

#[test]
fn malloc_memory_alone_makes_a_collection_due() {
    let mut heap = heap();
    let mut most = 0;
    for id in 0..2_000 {
        new_node(&mut heap, &mut no_roots, OWNING, id, SMALL, 100_000);
        most = most.max(heap.stat().malloc_bytes);
    }
    assert!(heap.stat().count > 100);
    assert!(most < 2 << 20, "{most} bytes were held at once");
}

#[test]
fn garbage_malloc_memory_is_freed_long_before_the_next_collection() {
    let config = HeapConfig { min_heap: 64 << 20, min_long: 64 << 20, ..HeapConfig::default() };
    let mut heap = Heap::new(config, hooks());
    for id in 0..600 {
        new_node(&mut heap, &mut no_roots, OWNING, id, SMALL, 100_000);
    }
    heap.collect(&mut no_roots, &mut |_| {});
    let before = heap.stat().malloc_bytes;
    for id in 0..300 {
        new_node(&mut heap, &mut no_roots, OWNING, id, SMALL, 100_000);
    }
    let stat = heap.stat();
    assert_eq!(stat.count, 1);
    assert!(stat.malloc_bytes < before, "{stat:?}");
}

#[test]
fn memory_given_back_by_living_objects_does_not_count() {
    let mut heap = heap();
    for _ in 0..1000 {
        heap.note_malloc(100_000);
        heap.note_free(100_000);
    }
    assert!(!heap.should_collect());
    assert_eq!(heap.stat().malloc_bytes, 0);
    heap.note_malloc(10 << 20);
    assert!(heap.should_collect());
}

/// A collection is not due after `first` bytes of malloc memory, and is with `rest` more.
#[track_caller]
fn due_with_the_rest(heap: &mut Heap, first: usize, rest: usize) {
    heap.note_malloc(first);
    assert!(!heap.should_collect());
    heap.note_malloc(rest);
    assert!(heap.should_collect());
}

#[test]
fn long_blocks_have_a_least_budget_of_their_own() {
    let mut heap = Heap::new(HeapConfig { min_long: 16 << 20, young_most: usize::MAX, ..small_config() }, hooks());
    due_with_the_rest(&mut heap, 15 << 20, 1 << 20);
    heap.collect(&mut no_roots, &mut |_| {});
    // However many leaves survive: to collect costs no more.
    heap.note_leaf(64 << 20);
    heap.collect(&mut no_roots, &mut |_| {});
    due_with_the_rest(&mut heap, 15 << 20, 1 << 20);
    // What is marked costs: it allows more when it survives.
    heap.note_malloc(64 << 20);
    heap.collect(&mut no_roots, &mut |_| {});
    heap.note_leaf(17 << 20);
    assert!(!heap.should_collect());
    heap.note_malloc(43 << 20);
    assert!(heap.should_collect());
    // Many short blocks are as many bytes of cells.
    let mut heap = Heap::new(HeapConfig { min_long: 16 << 20, ..small_config() }, hooks());
    heap.note_malloc(1 << 20);
    (0..200).for_each(|_| heap.note_malloc(1000));
    assert!(!heap.should_collect());
    (0..100).for_each(|_| heap.note_malloc(1000));
    assert!(heap.should_collect());
}

#[test]
fn many_living_cells_allow_more_long_blocks() {
    let mut heap = Heap::new(HeapConfig { min_long: 16 << 20, ..small_config() }, hooks());
    let mut living: Vec<_> = (0..100_000).map(|_| init(heap.alloc_grow(SMALL).unwrap(), PLAIN, 0, SMALL, 0)).collect();
    let mut roots = |marker: &mut Marker| living.iter_mut().for_each(|node| marker.mark(value_of(*node)));
    heap.collect(&mut roots, &mut |_| {});
    due_with_the_rest(&mut heap, 30 << 20, 10 << 20);
}

#[test]
fn short_blocks_that_survive_allow_more() {
    let mut heap = heap();
    (0..1000).for_each(|_| heap.note_malloc(10_000));
    heap.collect(&mut no_roots, &mut |_| {});
    (0..500).for_each(|_| heap.note_malloc(10_000));
    assert!(!heap.should_collect());
    (0..200).for_each(|_| heap.note_malloc(10_000));
    assert!(heap.should_collect());
}

#[test]
fn what_is_new_is_looked_at_before_it_is_much() {
    let mut heap = Heap::new(HeapConfig { young_most: 1 << 20, ..small_config() }, hooks());
    (0..5000).for_each(|_| heap.note_malloc(10_000));
    heap.collect(&mut no_roots, &mut |_| {});
    (0..100).for_each(|_| heap.note_malloc(10_000));
    assert!(!heap.should_collect());
    (0..10).for_each(|_| heap.note_malloc(10_000));
    assert!(heap.should_collect());
}

/// A heap with a full collection in steps that has traced `old`, a node with one slot, and not yet ended.
fn heap_in_steps() -> (Heap, NonNull<Node>, Vec<NonNull<Node>>) {
    let mut heap = Heap::new(HeapConfig { steps_from: 0, ..small_config() }, hooks());
    let first = init(heap.alloc_grow(SMALL).unwrap(), PLAIN, 0, SMALL, 0);
    // A list that is longer than what one step traces.
    let mut list = vec![first];
    for id in 1..100_000 {
        let node = init(heap.alloc_grow(SMALL).unwrap(), PLAIN, id, SMALL, 0);
        set_slot(list[list.len() - 1], 0, value_of(node));
        list.push(node);
    }
    heap.collect_full(&mut |marker| marker.mark(value_of(first)), &mut |_| {});
    heap.begin_steps();
    assert!(!heap.step(&mut |marker| marker.mark(value_of(first)), &mut |_| {}));
    assert!(heap.is_marking());
    (heap, first, list)
}

/// Ends the collection; how many steps that took.
fn end_steps(heap: &mut Heap, roots: &[Value]) -> usize {
    (1..).find(|_| heap.step(&mut |marker| marker.mark_slice(roots), &mut |_| {})).unwrap()
}

#[test]
fn a_full_collection_takes_steps_and_frees_what_is_dead() {
    let (mut heap, first, list) = heap_in_steps();
    // What was not reached is cut off.
    set_slot(list[99_000], 0, Value::NIL);
    assert!(end_steps(&mut heap, &[value_of(first)]) > 3);
    assert!(!heap.is_marking());
    assert_eq!(heap.count_by_tag()[PLAIN as usize], 99_001);
}

#[test]
fn what_moves_to_a_traced_object_between_steps_lives() {
    let (mut heap, first, list) = heap_in_steps();
    // The only reference to the end of the list moves from where nobody has looked to where all is traced.
    let new = init(heap.alloc_grow(SMALL).unwrap(), PLAIN, 100_000, SMALL, 0);
    set_slot(list[50_000], 0, Value::NIL);
    set_slot(new, 0, value_of(list[60_000]));
    set_slot(first, 0, value_of(new));
    end_steps(&mut heap, &[value_of(first)]);
    heap.finish_sweep();
    assert_eq!(id(node_of(slot(node_of(slot(first, 0)).unwrap(), 0)).unwrap()), 60_000);
    assert!(heap.find_cell(list[99_999].as_ptr() as usize).is_some());
    assert!(heap.count_by_tag()[PLAIN as usize] >= 40_002);
}

#[test]
fn what_is_stored_into_an_old_object_between_steps_outlives_minor_collections() {
    let (mut heap, first, _) = heap_in_steps();
    // The second one that finds it: it is old.
    end_steps(&mut heap, &[value_of(first)]);
    heap.finish_sweep();
    heap.begin_steps();
    let mut roots = |marker: &mut Marker| marker.mark(value_of(first));
    assert!(!heap.step(&mut roots, &mut |_| {}));
    let new = init(heap.alloc_grow(SMALL).unwrap(), PLAIN, 7, SMALL, 0);
    set_slot(first, 0, value_of(new));
    end_steps(&mut heap, &[value_of(first)]);
    let minor = heap.stat().minor_count;
    for _ in 0..2 {
        heap.collect(&mut roots, &mut |_| {});
        heap.finish_sweep();
        assert!(heap.find_cell(new.as_ptr() as usize).is_some());
    }
    assert_eq!(heap.stat().minor_count, minor + 2);
}

#[test]
fn elements_that_change_places_while_their_object_is_traced_in_parts_live() {
    const LARGE: SizeClass = SizeClass::for_bytes(256);
    let mut heap = Heap::new(HeapConfig { stress_steps: true, ..small_config() }, hooks());
    let long = init(heap.alloc_grow(LARGE).unwrap(), PLAIN, 0, LARGE, 0);
    assert!(slot_count(LARGE) > LONG);
    for at in 0..slot_count(LARGE) {
        let child = init(heap.alloc_grow(SMALL).unwrap(), PLAIN, 1 + at as u64, SMALL, 0);
        set_slot(long, at, value_of(child));
    }
    heap.begin_steps();
    // The first step has the object, each of the next ones a part of it.
    for _ in 0..3 {
        assert!(!heap.step(&mut |marker| marker.mark(value_of(long)), &mut |_| {}));
    }
    reverse_slots(long);
    end_steps(&mut heap, &[value_of(long)]);
    assert_eq!(heap.count_by_tag()[PLAIN as usize], 1 + slot_count(LARGE));
}

#[test]
fn a_collection_in_steps_can_be_ended_at_once_or_given_up() {
    let (mut heap, first, _) = heap_in_steps();
    heap.collect(&mut |marker| marker.mark(value_of(first)), &mut |_| {});
    assert!(!heap.is_marking());
    assert_eq!(heap.count_by_tag()[PLAIN as usize], 100_000);
    let (mut heap, _, list) = heap_in_steps();
    heap.collect_full(&mut |marker| marker.mark(value_of(list[99_999])), &mut |_| {});
    assert!(!heap.is_marking());
    assert_eq!(heap.count_by_tag()[PLAIN as usize], 1);
}

#[test]
#[should_panic(expected = "without the write barrier")]
fn checked_steps_find_stores_without_the_write_barrier() {
    let (mut heap, first, _) = heap_in_steps();
    heap.set_stress_steps(true);
    let child = heap.alloc_grow(SMALL).unwrap();
    store_without_barrier(first, 0, value_of(init(child, PLAIN, 2, SMALL, 0)));
    end_steps(&mut heap, &[value_of(first)]);
}

#[test]
fn a_disabled_heap_grows_instead_of_asking_for_a_collection() {
    let mut heap = heap();
    heap.disable();
    heap.set_stress(true);
    for _ in 0..100_000 {
        init(heap.alloc(SMALL).unwrap(), PLAIN, 0, SMALL, 0);
    }
    heap.enable();
    assert_eq!(heap.alloc(SMALL), None);
    heap.set_stress(false);
    assert_eq!(heap.alloc(SMALL), None, "the budget is spent");
    heap.collect(&mut no_roots, &mut |_| {});
    assert!(heap.alloc(SMALL).is_some());
    assert_eq!(heap.stat().count, 1);
}

#[test]
fn ephemerons_can_be_marked_in_rounds() {
    for mark_stack_max in [usize::MAX, 0] {
        let config = HeapConfig { mark_stack_max, ..small_config() };
        let mut heap = Heap::new(config, hooks());
        let nodes: Vec<Value> =
            (0..5).map(|id| value_of(new_node(&mut heap, &mut no_roots, PLAIN, id, SMALL, 0))).collect();
        // 0 refers to 1; while 1 lives so does 2, while 2 lives so does 3, while 4 lives, 4.
        set_slot(node_of(nodes[0]).unwrap(), 0, nodes[1]);
        let table = [(nodes[2], nodes[3]), (nodes[1], nodes[2]), (nodes[4], nodes[4])];
        let mut mark = |marker: &mut Marker| {
            marker.mark(nodes[0]);
            loop {
                marker.drain();
                let before = marker.marked_objects();
                for (_, value) in table.iter().filter(|(key, _)| marker.is_marked(*key)).copied().collect::<Vec<_>>() {
                    marker.mark(value);
                }
                if marker.marked_objects() == before {
                    break;
                }
            }
        };
        let mut alive = Vec::new();
        heap.collect(&mut mark, &mut |view| {
            alive = nodes.iter().map(|&node| view.is_alive(node)).collect();
        });
        assert_eq!(alive, [true, true, true, true, false]);
    }
}

#[test]
fn the_weak_hook_tells_the_dead_from_the_living() {
    let mut heap = heap();
    let kept = new_node(&mut heap, &mut no_roots, PLAIN, 1, SMALL, 0);
    let dropped = new_node(&mut heap, &mut no_roots, OWNING, 2, SMALL, 10);
    let mut told = Vec::new();
    heap.collect(&mut |marker| marker.mark(value_of(kept)), &mut |view| {
        told.push(view.is_alive(value_of(kept)));
        told.push(view.is_alive(value_of(dropped)));
        told.push(view.is_alive(Value::NIL));
    });
    assert_eq!(told, [true, false, true]);
    // The dead object is not swept yet, but nobody shall find it.
    assert_eq!(heap.find_cell(dropped.as_ptr() as usize), None);
    assert_eq!(heap.find_cell(kept.as_ptr() as usize), Some(kept.cast()));
}

#[test]
fn a_long_list_does_not_overflow_the_machine_stack() {
    let mut heap = Heap::new(HeapConfig::default(), hooks());
    let mut head: Option<NonNull<Node>> = None;
    for id in 0..1_000_000 {
        let mut roots = |marker: &mut Marker| head.iter().for_each(|&n| marker.mark(value_of(n)));
        let node = new_node(&mut heap, &mut roots, PLAIN, id, SMALL, 0);
        if let Some(next) = head {
            set_slot(node, 0, value_of(next));
        }
        head = Some(node);
    }
    let head = head.unwrap();
    heap.collect(&mut |marker| marker.mark(value_of(head)), &mut |_| {});
    assert_eq!(heap.count_by_tag()[PLAIN as usize], 1_000_000);
}

#[inline(never)]
fn scan_own_stack(heap: &mut Heap) {
    let (_, high) = stack::bounds().unwrap();
    stack::spill_and_sp(|sp| {
        // SAFETY: between the stack pointer and the upper end lies this thread's stack.
        heap.collect(&mut |marker| unsafe { marker.mark_range(sp, high) }, &mut |_| {});
    });
}

#[test]
fn objects_on_the_machine_stack_survive() {
    let mut heap = heap();
    let nodes: [NonNull<Node>; 20] =
        std::array::from_fn(|id| new_node(&mut heap, &mut no_roots, OWNING, id as u64, SMALL, 100));
    scan_own_stack(&mut heap);
    heap.finish_sweep();
    let seen: HashSet<u64> = std::hint::black_box(&nodes).iter().map(|&node| id(node)).collect();
    assert_eq!(seen.len(), 20);
    assert_eq!(heap.count_by_tag()[OWNING as usize], 20);
}

#[test]
fn random_words_are_not_taken_for_objects() {
    let mut heap = heap();
    let node = new_node(&mut heap, &mut no_roots, PLAIN, 1, SMALL, 0);
    let chunk = node.as_ptr() as usize & !((2 << 20) - 1);
    assert_eq!(heap.find_cell(chunk), None, "metadata");
    assert_eq!(heap.find_cell(node.as_ptr() as usize + SMALL.bytes()), None, "a free cell");
    assert_eq!(heap.find_cell(chunk + (2 << 20)), None, "behind the chunk");
    let mut random = Random(3);
    for _ in 0..100_000 {
        assert_eq!(heap.find_cell(random.below(chunk)), None);
    }
    for bits in [0, 4, 8, usize::MAX, usize::MAX - 7] {
        assert_eq!(heap.find_cell(bits), None);
    }
}

#[test]
fn a_dropped_heap_drops_its_objects() {
    // The payloads are released by the drop hook; a leak shows under a leak checker, a
    // double free at once.
    let mut heap = heap();
    for id in 0..10_000 {
        new_node(&mut heap, &mut no_roots, OWNING, id, SMALL, 50);
    }
}

#[test]
fn an_injected_failure_fails_both_attempts_and_then_passes() {
    let mut heap = heap();
    heap.fail_allocation_at(3);
    for _ in 0..2 {
        init(heap.alloc(SMALL).unwrap(), PLAIN, 0, SMALL, 0);
    }
    assert_eq!(heap.alloc(SMALL), None);
    assert_eq!(heap.alloc_grow(SMALL), Err(OutOfMemory));
    assert!(heap.alloc(SMALL).is_some());
}

#[test]
fn unused_memory_goes_back_to_the_free_blocks() {
    let mut heap = heap();
    let mut nodes = Vec::new();
    for id in 0..200_000 {
        let cell = heap.alloc_grow(SMALL).unwrap();
        nodes.push(init(cell, PLAIN, id, SMALL, 0));
    }
    assert!(heap.stat().heap_allocated_pages > 100);
    let kept = nodes[0];
    heap.collect(&mut |marker| marker.mark(value_of(kept)), &mut |_| {});
    heap.finish_sweep();
    assert_eq!(heap.stat().heap_allocated_pages, 1);
    let big = SizeClass::for_bytes(256);
    for id in 0..50_000 {
        init(heap.alloc_grow(big).unwrap(), PLAIN, id, big, 0);
    }
    assert_eq!(id(kept), 0);
}

#[test]
fn blocks_that_nobody_used_keep_their_free_cells_and_lose_their_dead() {
    let mut heap = heap();
    let nodes: Vec<NonNull<Node>> = (0..4000)
        .map(|id| {
            let cell = heap.alloc_grow(SMALL).unwrap();
            heap.note_malloc(10);
            init(cell, OWNING, id, SMALL, 10)
        })
        .collect();
    // SAFETY: a node is a cell.
    let value = |node: NonNull<Node>| unsafe { Value::from_ptr(node.as_ptr().cast::<Header>()) };
    let survivors = |modulus: usize| nodes.iter().copied().step_by(modulus).map(value);
    for modulus in [2, 2, 2, 10, 10] {
        heap.collect_full(
            &mut |marker: &mut Marker| survivors(modulus).for_each(|node| marker.mark(node)),
            &mut |_| {},
        );
        heap.finish_sweep();
        assert_eq!(heap.stat().malloc_bytes, 4000 / modulus * 10);
    }
    let pages = heap.stat().heap_allocated_pages;
    let mut taken: HashSet<usize> = nodes.iter().step_by(10).map(|node| node.as_ptr() as usize).collect();
    for id in 0..3600 {
        let node = init(heap.alloc_grow(SMALL).unwrap(), PLAIN, id, SMALL, 0);
        assert!(taken.insert(node.as_ptr() as usize));
    }
    assert_eq!(heap.stat().heap_allocated_pages, pages);
}

#[test]
fn a_block_that_is_swept_in_part_keeps_what_is_allocated_in_it() {
    let mut heap = heap();
    let payload = |number: usize| if number.is_multiple_of(50) { 40_000 } else { 100 };
    let mut kept: Vec<(NonNull<Node>, usize)> = Vec::new();
    for round in 0..40 {
        let mut taken: HashSet<usize> = kept.iter().map(|(node, _)| node.as_ptr() as usize).collect();
        // Fewer than a block holds, so that a collection finds one swept in part; steps ahead of need now and then.
        for at in 0..300 + 40 * round {
            let number = 10_000 * round + at;
            let cell = heap.alloc(SMALL).unwrap_or_else(|| heap.alloc_grow(SMALL).unwrap());
            heap.note_malloc(payload(number));
            let node = init(cell, OWNING, number as u64, SMALL, payload(number));
            assert!(taken.insert(node.as_ptr() as usize), "a cell in use was handed out");
            if at % 5 == round % 5 {
                kept.push((node, number));
            }
        }
        // SAFETY: a node is a cell.
        let nodes: Vec<Value> =
            kept.iter().map(|(node, _)| unsafe { Value::from_ptr(node.as_ptr().cast::<Header>()) }).collect();
        heap.collect_full(&mut |marker: &mut Marker| nodes.iter().for_each(|node| marker.mark(*node)), &mut |_| {});
        assert!(kept.iter().all(|(node, number)| id(*node) == *number as u64));
        let mut at = 0;
        kept.retain(|_| {
            at += 1;
            at % 3 != round % 3
        });
    }
    // SAFETY: a node is a cell.
    let nodes: Vec<Value> =
        kept.iter().map(|(node, _)| unsafe { Value::from_ptr(node.as_ptr().cast::<Header>()) }).collect();
    heap.collect_full(&mut |marker: &mut Marker| nodes.iter().for_each(|node| marker.mark(*node)), &mut |_| {});
    heap.finish_sweep();
    assert_eq!(heap.stat().malloc_bytes, kept.iter().map(|(_, number)| payload(*number)).sum::<usize>());
}

#[test]
fn what_dies_in_the_part_of_a_block_that_was_swept_first_is_freed() {
    let mut heap = heap();
    let node = |heap: &mut Heap, number: u64| {
        heap.note_malloc(10);
        let cell = heap.alloc(SMALL).unwrap_or_else(|| heap.alloc_grow(SMALL).unwrap());
        init(cell, OWNING, number, SMALL, 10)
    };
    let nodes: Vec<NonNull<Node>> = (0..1000).map(|number| node(&mut heap, number)).collect();
    // SAFETY: a node is a cell.
    let survivors: Vec<Value> =
        nodes.iter().step_by(10).map(|node| unsafe { Value::from_ptr(node.as_ptr().cast::<Header>()) }).collect();
    let collect = |heap: &mut Heap| {
        heap.collect_full(&mut |marker: &mut Marker| survivors.iter().for_each(|node| marker.mark(*node)), &mut |_| {})
    };
    collect(&mut heap);
    // In cells of the first stretch; then a step ahead of need sweeps the second one, whose cells nobody takes.
    for number in 0..5 {
        node(&mut heap, number);
    }
    heap.note_malloc(1 << 20);
    heap.note_free(1 << 20);
    node(&mut heap, 5);
    collect(&mut heap);
    heap.finish_sweep();
    assert_eq!(heap.stat().malloc_bytes, survivors.len() * 10);
}

#[test]
fn a_heap_can_move_to_another_thread() {
    let mut heap = heap();
    let node = new_node(&mut heap, &mut no_roots, PLAIN, 5, SMALL, 0).as_ptr() as usize;
    let heap = std::thread::spawn(move || {
        let mut heap = heap;
        for id in 0..100_000 {
            let mut roots = |marker: &mut Marker| marker.mark_maybe(node);
            new_node(&mut heap, &mut roots, PLAIN, id, SMALL, 0);
        }
        heap
    });
    let heap = heap.join().unwrap();
    assert!(heap.find_cell(node).is_some());
}

#[test]
fn old_objects_keep_their_new_children_in_minor_collections() {
    let config = HeapConfig { generational: true, ..small_config() };
    let mut heap = Heap::new(config, hooks());
    let old = new_node(&mut heap, &mut no_roots, PLAIN, 1, SMALL, 0);
    let stack = new_node(&mut heap, &mut no_roots, ORDINARY, 2, SMALL, 0);
    let mut roots = |marker: &mut Marker| marker.mark_slice(&[value_of(old), value_of(stack)]);
    for _ in 0..2 {
        heap.collect_full(&mut roots, &mut |_| {});
    }
    let children: Vec<Value> =
        (0..3).map(|id| value_of(new_node(&mut heap, &mut roots, PLAIN, 10 + id, SMALL, 0))).collect();
    set_slot(old, 0, children[0]);
    set_slot(stack, 0, children[1]);
    assert_eq!(heap.stat().remembered_objects, 1);
    heap.collect(&mut roots, &mut |view| {
        assert!(view.is_alive(children[0]) && view.is_alive(children[1]));
        assert!(!view.is_alive(children[2]));
    });
    assert_eq!(heap.stat().minor_count, 1);
    assert_eq!(heap.stat().remembered_objects, 0);
    set_slot(old, 0, Value::NIL);
    heap.collect(&mut roots, &mut |view| assert!(view.is_alive(children[0]), "it is old"));
    heap.collect_full(&mut roots, &mut |view| assert!(!view.is_alive(children[0])));
}

#[test]
fn objects_become_old_when_they_survive_a_second_collection_or_an_old_one_refers_to_them() {
    let mut heap = Heap::new(HeapConfig { generational: true, ..small_config() }, hooks());
    let parent = new_node(&mut heap, &mut no_roots, PLAIN, 1, SMALL, 0);
    let mut roots = |marker: &mut Marker| marker.mark(value_of(parent));
    let seldom = value_of(new_node(&mut heap, &mut roots, PLAIN, 2, SMALL, 0));
    heap.collect_full(&mut |marker| marker.mark_slice(&[value_of(parent), seldom]), &mut |_| {});
    heap.collect(&mut roots, &mut |view| assert!(!view.is_alive(seldom), "it survived once"));
    assert_eq!(heap.stat().minor_count, 1);
    let child = new_node(&mut heap, &mut roots, PLAIN, 3, SMALL, 0);
    let grandchild = value_of(new_node(
        &mut heap,
        &mut |marker| marker.mark_slice(&[value_of(parent), value_of(child)]),
        PLAIN,
        4,
        SMALL,
        0,
    ));
    set_slot(child, 0, grandchild);
    set_slot(parent, 0, value_of(child));
    heap.collect(&mut roots, &mut |_| {});
    heap.collect(&mut no_roots, &mut |view| assert!(view.is_alive(grandchild), "the parent is old"));
    assert_eq!(heap.stat().minor_count, 3);
    heap.collect_full(&mut no_roots, &mut |view| {
        assert!(!view.is_alive(value_of(parent)) && !view.is_alive(grandchild))
    });
}

#[test]
fn a_long_old_object_adopts_what_is_stored_until_tracing_it_costs_less() {
    const LARGE: SizeClass = SizeClass::for_bytes(256);
    let mut heap = Heap::new(HeapConfig { generational: true, ..small_config() }, hooks());
    let long = new_node(&mut heap, &mut no_roots, PLAIN, 1, LARGE, 0);
    let adopts = slot_count(LARGE) / 4;
    assert!(slot_count(LARGE) > MANY && adopts > 2);
    let mut roots = |marker: &mut Marker| marker.mark(value_of(long));
    for _ in 0..3 {
        heap.collect_full(&mut roots, &mut |_| {});
    }
    let mut children = Vec::new();
    for slot in 0..adopts {
        let child = new_node(&mut heap, &mut roots, PLAIN, 10 + slot as u64, SMALL, 0);
        let grandchild = value_of(new_node(&mut heap, &mut roots, PLAIN, 100 + slot as u64, SMALL, 0));
        set_slot(child, 0, grandchild);
        set_slot(long, slot, value_of(child));
        children.extend([value_of(child), grandchild]);
    }
    assert_eq!(heap.stat().remembered_objects, adopts);
    let forgotten = children[0];
    store_without_barrier(long, 0, Value::NIL);
    // They are old at once, like all that old objects refer to; also the one that was forgotten.
    heap.collect(&mut no_roots, &mut |view| assert!(children.iter().all(|child| view.is_alive(*child))));
    heap.collect(&mut no_roots, &mut |view| assert!(children.iter().all(|child| view.is_alive(*child))));
    assert_eq!((heap.stat().minor_count, heap.stat().remembered_objects), (2, 0));
    // So many that the object itself is remembered.
    for slot in 0..adopts + 3 {
        let child = value_of(new_node(&mut heap, &mut roots, PLAIN, 200 + slot as u64, SMALL, 0));
        set_slot(long, slot, child);
        children.push(child);
    }
    assert_eq!(heap.stat().remembered_objects, adopts + 1);
    heap.collect(&mut no_roots, &mut |view| assert!(children.iter().all(|child| view.is_alive(*child))));
    heap.collect_full(&mut roots, &mut |view| {
        assert!(!view.is_alive(forgotten) && !view.is_alive(children[2]));
        assert!(children.iter().rev().take(adopts + 3).all(|child| view.is_alive(*child)));
    });
}

#[test]
fn what_old_unprotected_objects_refer_to_lives_without_the_barrier() {
    let mut heap = Heap::new(HeapConfig { generational: true, ..small_config() }, hooks());
    let open = new_node(&mut heap, &mut no_roots, ORDINARY, 1, SMALL, 0);
    let mut roots = |marker: &mut Marker| marker.mark(value_of(open));
    for _ in 0..3 {
        heap.collect_full(&mut roots, &mut |_| {});
    }
    for id in 0..3 {
        let child = value_of(new_node(&mut heap, &mut roots, PLAIN, 10 + id, SMALL, 0));
        store_without_barrier(open, 0, child);
        heap.collect(&mut roots, &mut |view| assert!(view.is_alive(child)));
        store_without_barrier(open, 0, Value::NIL);
        heap.collect(&mut roots, &mut |view| assert!(!view.is_alive(child)));
    }
    assert_eq!(heap.stat().minor_count, 6);
    assert_eq!(heap.stat().remembered_objects, 0);
}

#[test]
fn objects_are_protected_once_they_have_the_flag_of_their_type() {
    let mut heap = Heap::new(HeapConfig { generational: true, ..small_config() }, hooks());
    let open = new_node(&mut heap, &mut no_roots, ORDINARY, 1, SMALL, 0);
    let mut roots = |marker: &mut Marker| marker.mark(value_of(open));
    let child_of =
        |heap: &mut Heap, id| value_of(new_node(heap, &mut |marker| marker.mark(value_of(open)), PLAIN, id, SMALL, 0));
    for _ in 0..3 {
        heap.collect_full(&mut roots, &mut |_| {});
    }
    // SAFETY: a living node.
    unsafe { (*open.as_ptr()).header.set(TOLD) };
    let child = child_of(&mut heap, 2);
    store_without_barrier(open, 0, child);
    heap.collect(&mut roots, &mut |view| assert!(view.is_alive(child), "it is on the list still"));
    heap.collect_full(&mut roots, &mut |_| {});
    let told = child_of(&mut heap, 3);
    set_slot(open, 0, told);
    assert_eq!(heap.stat().remembered_objects, 1);
    heap.collect(&mut roots, &mut |view| assert!(view.is_alive(told)));
    let untold = child_of(&mut heap, 4);
    store_without_barrier(open, 0, untold);
    heap.collect(&mut roots, &mut |view| assert!(!view.is_alive(untold), "nobody was told"));
    store_without_barrier(open, 0, Value::NIL);
}

#[test]
fn unprotected_objects_for_which_the_list_has_no_room_are_traced_by_full_collections() {
    let mut heap = Heap::new(HeapConfig { generational: true, mark_stack_max: 2, ..small_config() }, hooks());
    let mut open: Vec<NonNull<Node>> = Vec::new();
    for id in 0..5 {
        let roots: Vec<Value> = open.iter().map(|node| value_of(*node)).collect();
        open.push(new_node(&mut heap, &mut |marker| marker.mark_slice(&roots), ORDINARY, id, SMALL, 0));
    }
    let kept: Vec<Value> = open.iter().map(|node| value_of(*node)).collect();
    let mut roots = |marker: &mut Marker| marker.mark_slice(&kept);
    for _ in 0..3 {
        heap.collect_full(&mut roots, &mut |_| {});
    }
    let full = heap.stat().count;
    for id in 0..3 {
        let child = value_of(new_node(&mut heap, &mut roots, PLAIN, 10 + id, SMALL, 0));
        open.iter().for_each(|node| store_without_barrier(*node, 0, Value::NIL));
        store_without_barrier(open[id as usize + 2], 0, child);
        heap.collect(&mut roots, &mut |view| assert!(view.is_alive(child), "{id}"));
    }
    assert_eq!((heap.stat().count, heap.stat().minor_count), (full + 3, 0));
}

#[test]
fn what_exposed_objects_refer_to_lives_without_the_barrier() {
    let mut heap = Heap::new(HeapConfig { generational: true, ..small_config() }, hooks());
    let open = new_node(&mut heap, &mut no_roots, PLAIN, 1, SMALL, 0);
    let mut roots = |marker: &mut Marker| marker.mark(value_of(open));
    // SAFETY: the node is alive.
    unsafe { expose(open.as_ptr().cast()) };
    for _ in 0..3 {
        heap.collect_full(&mut roots, &mut |_| {});
    }
    let child = value_of(new_node(&mut heap, &mut roots, PLAIN, 2, SMALL, 0));
    store_without_barrier(open, 0, child);
    heap.collect(&mut roots, &mut |view| assert!(view.is_alive(child)));
    assert_eq!(heap.stat().minor_count, 1);
    heap.collect_full(&mut no_roots, &mut |view| assert!(!view.is_alive(child)));
    heap.collect_full(&mut no_roots, &mut |_| {});
}

#[test]
fn a_large_program_is_collected_by_minor_collections_until_its_survivors_have_grown() {
    let mut heap = Heap::new(HeapConfig { generational: true, ..small_config() }, hooks());
    let mut old: Vec<Value> = Vec::new();
    for id in 0..50_000 {
        let node = new_node(&mut heap, &mut |marker| marker.mark_slice(&old), PLAIN, id, SMALL, 0);
        old.push(value_of(node));
    }
    for _ in 0..2 {
        heap.collect_full(&mut |marker| marker.mark_slice(&old), &mut |_| {});
    }
    let before = heap.stat();
    for id in 0..500_000 {
        new_node(&mut heap, &mut |marker| marker.mark_slice(&old), ORDINARY, id, SMALL, 0);
    }
    let after = heap.stat();
    assert!(after.count > before.count + 5);
    assert_eq!(after.count - before.count, after.minor_count - before.minor_count);
    let mut kept = old.clone();
    for id in 0..200_000 {
        let node = new_node(&mut heap, &mut |marker| marker.mark_slice(&kept), ORDINARY, id, SMALL, 0);
        kept.push(value_of(node));
    }
    let end = heap.stat();
    assert!(end.count - end.minor_count > before.count - before.minor_count);
}

#[test]
#[should_panic(expected = "without the write barrier")]
fn stress_mode_finds_stores_without_the_write_barrier() {
    let mut heap = Heap::new(HeapConfig { generational: true, stress: true, ..small_config() }, hooks());
    let old = new_node(&mut heap, &mut no_roots, PLAIN, 1, SMALL, 0);
    let mut roots = |marker: &mut Marker| marker.mark(value_of(old));
    heap.collect_full(&mut roots, &mut |_| {});
    heap.collect_full(&mut roots, &mut |_| {});
    if heap.stat().count.is_multiple_of(2) {
        // The next one would not be minor.
        heap.collect_full(&mut roots, &mut |_| {});
    }
    let child = heap.alloc_grow(SMALL).unwrap();
    store_without_barrier(old, 0, value_of(init(child, PLAIN, 2, SMALL, 0)));
    heap.collect(&mut roots, &mut |_| {});
}

#[test]
#[should_panic(expected = "which is no object, was marked")]
fn stress_mode_finds_references_to_freed_cells() {
    let mut heap = Heap::new(HeapConfig { stress: true, ..small_config() }, hooks());
    let node = new_node(&mut heap, &mut no_roots, PLAIN, 1, SMALL, 0);
    heap.collect(&mut no_roots, &mut |_| {});
    heap.collect(&mut |marker| marker.mark(value_of(node)), &mut |_| {});
}

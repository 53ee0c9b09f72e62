//! Prints what allocation, marking, sweeping and the address test cost. Run in release:
//! `cargo run --release -p rubellite-gc --example gc_bench`.

use std::hint::black_box;
use std::ptr::NonNull;
use std::time::Instant;

use rubellite_gc::{Heap, HeapConfig, HeapHooks, Marker, Protected, SizeClass, write_barrier};
use rubellite_value::{Header, Tag, Value};

/// A tree node of 32 bytes: the least object.
#[repr(C)]
struct Node {
    header: Header,
    left: Value,
    right: Value,
}

const NODE: SizeClass = SizeClass::of::<Node>();

unsafe fn trace(cell: *mut Header, marker: &mut Marker) {
    // SAFETY: every object here is a `Node`.
    let node = unsafe { &*cell.cast::<Node>() };
    marker.mark(node.left);
    marker.mark(node.right);
}

unsafe fn trace_part(_: &mut rubellite_gc::Part, _: &mut Marker) -> bool {
    false
}

unsafe fn many(_: *mut Header) -> usize {
    0
}

unsafe fn no_drop(_: *mut Header) -> usize {
    0
}

fn heap(config: HeapConfig) -> Heap {
    let off = [false; Tag::COUNT];
    let protected = [Protected::None; Tag::COUNT];
    Heap::new(config, HeapHooks { trace, trace_part, many, drop: no_drop, needs_drop: off, leaf: off, protected })
}

fn init(cell: NonNull<u8>, left: Value, right: Value) -> Value {
    let node = cell.cast::<Node>().as_ptr();
    // SAFETY: a fresh cell of the class for `Node`.
    unsafe { node.write(Node { header: Header::new(Tag::Object, Value::NIL), left, right }) };
    // SAFETY: as above.
    unsafe { Value::from_ptr(node) }
}

fn new_node(heap: &mut Heap, left: Value, right: Value, roots: &[Value]) -> Value {
    let cell = match heap.alloc(NODE) {
        Some(cell) => cell,
        None => collect_and_alloc(heap, left, right, roots),
    };
    init(cell, left, right)
}

#[cold]
#[inline(never)]
fn collect_and_alloc(heap: &mut Heap, left: Value, right: Value, roots: &[Value]) -> NonNull<u8> {
    let mut mark = |marker: &mut Marker| {
        marker.mark_slice(&[left, right]);
        marker.mark_slice(roots);
    };
    heap.collect(&mut mark, &mut |_| {});
    heap.alloc_grow(NODE).expect("memory")
}

fn tree(heap: &mut Heap, depth: u32, roots: &mut Vec<Value>) -> Value {
    if depth == 0 {
        return new_node(heap, Value::NIL, Value::NIL, roots);
    }
    let left = tree(heap, depth - 1, roots);
    roots.push(left);
    let right = tree(heap, depth - 1, roots);
    roots.pop();
    new_node(heap, left, right, roots)
}

/// Resident memory of the process in MiB.
fn resident_mib() -> f64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: f64 = statm.split(' ').nth(1).and_then(|n| n.parse().ok()).unwrap_or(0.0);
    pages * 4096.0 / (1 << 20) as f64
}

fn ns_each(started: Instant, count: u64) -> f64 {
    started.elapsed().as_nanos() as f64 / count as f64
}

fn short_lived() {
    let mut heap = heap(HeapConfig::default());
    let count = 100_000_000;
    for round in 0..2 {
        let started = Instant::now();
        for _ in 0..count {
            black_box(new_node(&mut heap, Value::NIL, Value::NIL, &[]));
        }
        let each = ns_each(started, count);
        println!("short-lived objects, round {round}: {each:.2} ns each, all included");
    }
    let stat = heap.stat();
    println!("  sweeping: {:.2} ns each", stat.sweep_time_ns as f64 / (2 * count) as f64);
}

fn marking(depth: u32) {
    let mut heap = heap(HeapConfig { min_heap: 1 << 40, ..HeapConfig::default() });
    let started = Instant::now();
    let root = tree(&mut heap, depth, &mut Vec::new());
    let objects = (2u64 << depth) - 1;
    println!("{objects} objects: build {:.2} ns each", ns_each(started, objects));
    for _ in 0..2 {
        let started = Instant::now();
        heap.collect(&mut |marker| marker.mark(root), &mut |_| {});
        let marked = ns_each(started, objects);
        let started = Instant::now();
        heap.finish_sweep();
        println!("  mark {marked:.2} ns, sweep {:.2} ns each", ns_each(started, objects));
    }
    heap.collect(&mut |_| {}, &mut |_| {});
    let started = Instant::now();
    heap.finish_sweep();
    println!("  sweep dead {:.2} ns each", ns_each(started, objects));
}

/// Live objects in random order, half of the cells free.
fn shuffled(count: usize) {
    let mut heap = heap(HeapConfig { min_heap: 1 << 40, ..HeapConfig::default() });
    let mut nodes: Vec<Value> = (0..count).map(|_| new_node(&mut heap, Value::NIL, Value::NIL, &[])).collect();
    let mut seed = 1u64;
    for at in (1..count).rev() {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        nodes.swap(at, (seed >> 33) as usize % (at + 1));
    }
    nodes.truncate(count / 2);
    for at in 1..nodes.len() {
        let parent = nodes[(at - 1) / 2].as_ptr::<Node>();
        // SAFETY: all are living nodes.
        unsafe {
            match at % 2 {
                1 => (*parent).left = nodes[at],
                _ => (*parent).right = nodes[at],
            }
        }
    }
    let root = nodes[0];
    let live = nodes.len() as u64;
    for _ in 0..2 {
        let started = Instant::now();
        heap.collect(&mut |marker| marker.mark(root), &mut |_| {});
        let marked = ns_each(started, live);
        let started = Instant::now();
        heap.finish_sweep();
        println!("{live} shuffled: mark {marked:.2} ns, sweep {:.2} ns each", ns_each(started, live));
    }
    let started = Instant::now();
    for _ in 0..live {
        black_box(new_node(&mut heap, Value::NIL, Value::NIL, &[]));
    }
    println!("  filling single free cells: {:.2} ns each", ns_each(started, live));
}

fn address_test() {
    let mut heap = heap(HeapConfig { min_heap: 1 << 40, ..HeapConfig::default() });
    let nodes: Vec<Value> = (0..1_000_000).map(|_| new_node(&mut heap, Value::NIL, Value::NIL, &[])).collect();
    let count = 50_000_000;
    let mut seed = 7u64;
    let started = Instant::now();
    for _ in 0..count {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        black_box(heap.find_cell(black_box(seed >> 16) as usize));
    }
    println!("find_cell, random words: {:.2} ns each", ns_each(started, count));
    let started = Instant::now();
    for _ in 0..20 {
        for node in &nodes {
            black_box(heap.find_cell(node.bits() as usize + 9));
        }
    }
    println!("find_cell, interior pointers: {:.2} ns each", ns_each(started, 20_000_000));
}

fn barrier(config: HeapConfig, name: &str) {
    let mut heap = heap(config);
    let parents: Vec<Value> = (0..1000).map(|_| new_node(&mut heap, Value::NIL, Value::NIL, &[])).collect();
    heap.collect(&mut |marker| marker.mark_slice(&parents), &mut |_| {});
    let child = new_node(&mut heap, Value::NIL, Value::NIL, &parents);
    let rounds = 100_000;
    let started = Instant::now();
    for _ in 0..rounds {
        for parent in &parents {
            // SAFETY: parent and child are living nodes.
            unsafe { write_barrier(parent.as_ptr(), black_box(child)) };
        }
    }
    println!("write barrier ({name}): {:.2} ns each", ns_each(started, rounds * 1000));
}

fn stack_scan() {
    let mut heap = heap(HeapConfig::default());
    let node = new_node(&mut heap, Value::NIL, Value::NIL, &[]);
    // One word in 16 is a reference, the others look like numbers and addresses.
    let words: Vec<usize> = (0..1usize << 20)
        .map(|at| if at % 16 == 0 { node.bits() as usize } else { at.wrapping_mul(0x9e37_79b9_7f4a) })
        .collect();
    let ends = words.as_ptr_range();
    let started = Instant::now();
    // SAFETY: the range is a vector's.
    let mut mark = |marker: &mut Marker| unsafe { marker.mark_range(ends.start, ends.end) };
    heap.collect(&mut mark, &mut |_| {});
    println!("conservative scan: {:.2} ns per word", ns_each(started, 1 << 20));
}

/// Many short-lived trees beside one that stays.
fn binary_trees(config: HeapConfig, name: &str) {
    let mut heap = heap(config);
    let max_depth = 18;
    let started = Instant::now();
    let mut roots = Vec::new();
    let long_lived = tree(&mut heap, max_depth, &mut roots);
    roots.push(long_lived);
    for depth in (4..=max_depth).step_by(4) {
        for _ in 0..1 << (max_depth - depth + 4) {
            black_box(tree(&mut heap, depth, &mut roots));
        }
    }
    let stat = heap.stat();
    let objects = stat.total_allocated_objects;
    println!(
        "binary trees {max_depth} ({name}): {:.2} s, {objects} objects, {:.2} ns each; {} collections \
         ({} minor), mark {:.0} ms, sweep {:.0} ms, {} MiB in blocks, {:.0} MiB resident",
        started.elapsed().as_secs_f64(),
        ns_each(started, objects),
        stat.count,
        stat.minor_count,
        stat.mark_time_ns as f64 / 1e6,
        stat.sweep_time_ns as f64 / 1e6,
        stat.heap_allocated_pages / 16,
        resident_mib(),
    );
}

fn main() {
    short_lived();
    for depth in [12, 16, 21] {
        marking(depth);
    }
    shuffled(2_000_000);
    address_test();
    stack_scan();
    barrier(HeapConfig::default(), "full");
    barrier(HeapConfig { generational: true, ..HeapConfig::default() }, "generational");
    binary_trees(HeapConfig::default(), "full");
    binary_trees(HeapConfig { generational: true, ..HeapConfig::default() }, "generational");
}

//! Objects for the tests: nodes with references and a payload in malloc memory, and the
//! hooks that trace and drop them.

#![allow(dead_code)]

use std::ptr::NonNull;

use rubellite_gc::{Heap, HeapConfig, HeapHooks, Marker, Part, Protected, SizeClass, will_reorder, write_barrier};
use rubellite_value::{Flag, Header, Tag, Value, flags};

/// Nodes without a payload.
pub const PLAIN: Tag = Tag::Object;
/// Nodes that own a payload.
pub const OWNING: Tag = Tag::String;
/// Nodes without a payload that are written without a write barrier, unless they have [`TOLD`].
pub const ORDINARY: Tag = Tag::Env;
pub const TOLD: Flag = flags::TYPE_3;

/// A node. `slots` of its references follow the fixed part.
#[repr(C)]
pub struct Node {
    pub header: Header,
    pub id: u64,
    pub payload: *mut Vec<u8>,
    pub slots: [Value; 0],
}

const FIXED_BYTES: usize = size_of::<Node>();

/// References that fit into a node of `class`.
pub fn slot_count(class: SizeClass) -> usize {
    (class.bytes() - FIXED_BYTES) / 8
}

pub fn value_of(node: NonNull<Node>) -> Value {
    // SAFETY: a node is a cell.
    unsafe { Value::from_ptr(node.as_ptr()) }
}

pub fn node_of(value: Value) -> Option<NonNull<Node>> {
    value.is_heap().then(|| NonNull::new(value.as_ptr()).unwrap())
}

/// The slot count is kept where the shape belongs.
fn slots_of(node: *mut Node) -> (*mut Value, usize) {
    // SAFETY: the tests give living nodes.
    unsafe {
        let count = (*node).header.shape() as usize;
        ((&raw mut (*node).slots).cast::<Value>(), count)
    }
}

unsafe fn trace(cell: *mut Header, marker: &mut Marker) {
    let (slots, count) = slots_of(cell.cast());
    if count >= LONG && marker.trace_in_parts(NonNull::new(cell).unwrap(), 0) {
        return;
    }
    // SAFETY: a node has `count` initialised slots.
    marker.mark_slice(unsafe { std::slice::from_raw_parts(slots, count) });
}

/// Nodes of at least so many slots are traced in parts.
pub const LONG: usize = 12;
const PART: usize = 3;

unsafe fn trace_part(part: &mut Part, marker: &mut Marker) -> bool {
    let (slots, count) = slots_of(part.cell.as_ptr().cast());
    let to = (part.at + PART).min(count);
    for at in part.at..to {
        // SAFETY: a node has `count` initialised slots.
        marker.mark(unsafe { *slots.add(at) });
    }
    part.at = to;
    to < count
}

unsafe fn release(cell: *mut Header) -> usize {
    // SAFETY: only called for dead nodes of tag OWNING, which own their payload.
    let payload = unsafe { Box::from_raw((*cell.cast::<Node>()).payload) };
    assert!(payload.iter().all(|&byte| byte == 7), "payload was damaged");
    payload.len()
}

/// Nodes with more slots than this adopt.
pub const MANY: usize = 24;

/// # Safety
/// A living node.
unsafe fn many(cell: *mut Header) -> usize {
    // SAFETY: by contract.
    let slots = unsafe { (*cell).shape() } as usize;
    if slots > MANY { slots } else { 0 }
}

pub fn hooks() -> HeapHooks {
    let mut needs_drop = [false; Tag::COUNT];
    needs_drop[OWNING as usize] = true;
    let mut protected = [Protected::None; Tag::COUNT];
    protected[PLAIN as usize] = Protected::All;
    protected[OWNING as usize] = Protected::All;
    protected[ORDINARY as usize] = Protected::With(TOLD);
    HeapHooks { trace, trace_part, many, drop: release, needs_drop, leaf: needs_drop, protected }
}

pub fn small_config() -> HeapConfig {
    HeapConfig { min_heap: 256 << 10, min_long: 256 << 10, ..HeapConfig::default() }
}

/// Makes the cell a node.
pub fn init(cell: NonNull<u8>, tag: Tag, id: u64, class: SizeClass, payload: usize) -> NonNull<Node> {
    let node = cell.cast::<Node>();
    let count = slot_count(class);
    // SAFETY: a fresh cell of `class`, which holds the fixed part and `count` slots.
    unsafe {
        assert_eq!((*node.as_ptr()).header.word(), 0, "cell not zeroed");
        (*node.as_ptr()).id = id;
        (*node.as_ptr()).payload =
            if tag == OWNING { Box::into_raw(Box::new(vec![7; payload])) } else { std::ptr::null_mut() };
        let slots = (&raw mut (*node.as_ptr()).slots).cast::<Value>();
        (0..count).for_each(|slot| slots.add(slot).write(Value::NIL));
        (*node.as_ptr()).header = Header::new(tag, Value::NIL);
        (*node.as_ptr()).header.set_shape(count as u32);
    }
    node
}

pub fn id(node: NonNull<Node>) -> u64 {
    // SAFETY: the tests give living nodes.
    unsafe { (*node.as_ptr()).id }
}

pub fn tag(node: NonNull<Node>) -> Tag {
    // SAFETY: the tests give living nodes.
    unsafe { (*node.as_ptr()).header.tag() }
}

pub fn slot(node: NonNull<Node>, slot: usize) -> Value {
    let (slots, count) = slots_of(node.as_ptr());
    assert!(slot < count);
    // SAFETY: in range.
    unsafe { *slots.add(slot) }
}

pub fn set_slot(node: NonNull<Node>, slot: usize, value: Value) {
    store_without_barrier(node, slot, value);
    // SAFETY: the node is living.
    if tag(node) != ORDINARY || unsafe { (*node.as_ptr()).header.has(TOLD) } {
        // SAFETY: the node is living.
        unsafe { write_barrier(node.as_ptr().cast(), value) };
    }
}

/// Turns the slots of a node round.
pub fn reverse_slots(node: NonNull<Node>) {
    let (slots, count) = slots_of(node.as_ptr());
    // SAFETY: the node is living and has `count` slots.
    unsafe {
        will_reorder(node.as_ptr().cast());
        std::slice::from_raw_parts_mut(slots, count).reverse();
    }
}

/// What no program may do to a node that is not ORDINARY.
pub fn store_without_barrier(node: NonNull<Node>, slot: usize, value: Value) {
    let (slots, count) = slots_of(node.as_ptr());
    assert!(slot < count);
    // SAFETY: in range; the node is living.
    unsafe { *slots.add(slot) = value };
}

/// Allocates a node; collects with `roots` if that is due.
pub fn new_node(
    heap: &mut Heap,
    roots: &mut dyn FnMut(&mut Marker),
    tag: Tag,
    id: u64,
    class: SizeClass,
    payload: usize,
) -> NonNull<Node> {
    let cell = heap.alloc(class).unwrap_or_else(|| {
        if heap.takes_steps() {
            if heap.is_marking() || heap.sweep_some() {
                heap.collect_some(false, roots, &mut |_| {});
            }
        } else {
            heap.collect(roots, &mut |_| {});
        }
        heap.alloc_grow(class).unwrap()
    });
    let node = init(cell, tag, id, class, payload);
    if tag == OWNING {
        heap.note_malloc(payload);
    }
    node
}

/// A small random number generator (xorshift).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }
}

//! The heap of Rubellite: a non-moving, size-class mark-sweep collector.
//!
//! One [`Heap`] belongs to one VM; there are no statics. Every call happens with
//! the VM lock held, so there is one mutator at a time and no locking in here.
//!
//! ```text
//! chunk   2 MiB, aligned to 2 MiB, from mmap
//!   block 0        metadata: chunk header, then one `BlockMeta` per block
//!   blocks 1..=31  64 KiB each: cells of one size class, nothing else
//! ```
//!
//! Mark bits lie in the metadata, outside the objects: marking an object that is
//! already marked touches no object memory, and a forked child shares the pages of
//! objects that it only reads. Metadata of neighbouring blocks is adjacent and not
//! at the same offset of every block, because equal offsets in 64 KiB-aligned
//! memory share the same few cache sets.
//!
//! A cycle:
//!
//! 1. [`Heap::alloc`] pops cells by bumping through runs of free cells. When the budget (see `pacing`) is spent it
//!    returns `None`: a collection is due.
//! 2. The VM calls [`Heap::collect`] with its roots. What was left unswept is swept, marks are cleared, the roots are
//!    marked, the work list is drained, the weak hook runs, and every block becomes unswept.
//! 3. Allocation sweeps lazily, at most a block at a time, as it needs cells; of a block in which many objects own
//!    memory a stretch.
//!
//! Full collections of large heaps mark in steps, between which the program runs; see `steps`.
//!
//! Invariants:
//!
//! - The low five bits of `Header::flags` are the type tag; 0 means "free cell". A cell is on a free run exactly if its
//!   tag is 0 and its block is swept up to there.
//! - While marking runs every block is swept, so a cell with a tag is an object.
//! - A mark bit is set only for a live object; it stays set until the next collection clears it, that of an old object
//!   until the next full one. See `barrier`.
//! - Trace hooks see reachable objects only. Drop hooks touch no other cell.
//!
//! Rejected: transparent huge pages for chunks (building a heap of 128 MiB took 80 ns per
//! object instead of 17, marking gained 1 ns of 10); a block's metadata inside the block (a
//! cell's offset would no longer be a multiple of its size, and the cache sets, see above).
//!
//! How the VM allocates:
//!
//! ```
//! use rubellite_gc::{Heap, HeapConfig, HeapHooks, Marker, Part, Protected, SizeClass, write_barrier};
//! use rubellite_value::{Header, Tag, Value};
//!
//! #[repr(C)]
//! struct Pair {
//!     header: Header,
//!     left: Value,
//!     right: Value,
//! }
//! const PAIR: SizeClass = SizeClass::of::<Pair>();
//!
//! unsafe fn trace(cell: *mut Header, marker: &mut Marker) {
//!     let pair = unsafe { &*cell.cast::<Pair>() };
//!     marker.mark_slice(&[pair.header.klass.get(), pair.left, pair.right]);
//! }
//! unsafe fn trace_part(_: &mut Part, _: &mut Marker) -> bool {
//!     false
//! }
//! unsafe fn many(_: *mut Header) -> usize {
//!     0
//! }
//! unsafe fn drop_nothing(_: *mut Header) -> usize {
//!     0
//! }
//!
//! fn pair(heap: &mut Heap, left: Value, right: Value, roots: &[Value]) -> Value {
//!     let cell = heap.alloc(PAIR).unwrap_or_else(|| {
//!         let mut mark = |marker: &mut Marker| {
//!             marker.mark_slice(roots);
//!             marker.mark_slice(&[left, right]);
//!         };
//!         heap.collect(&mut mark, &mut |_weak| {});
//!         heap.alloc_grow(PAIR).expect("memory")
//!     });
//!     let header = Header::new(Tag::Object, Value::NIL);
//!     unsafe { cell.cast::<Pair>().write(Pair { header, left, right }) };
//!     // SAFETY: the cell has just got its header.
//!     unsafe { Value::from_ptr(cell.as_ptr()) }
//! }
//!
//! let off = [false; Tag::COUNT];
//! let protected = [Protected::None; Tag::COUNT];
//! let hooks = HeapHooks { trace, trace_part, many, drop: drop_nothing, needs_drop: off, leaf: off, protected };
//! let mut heap = Heap::new(HeapConfig::default(), hooks);
//! let first = pair(&mut heap, Value::NIL, Value::NIL, &[]);
//! let second = pair(&mut heap, first, Value::NIL, &[]);
//! unsafe {
//!     (*first.as_ptr::<Pair>()).right = second;
//!     write_barrier(first.as_ptr(), second);
//! }
//! assert_eq!(heap.count_by_tag()[Tag::Object as usize], 2);
//! ```
//!
//! Symbols that a VM makes at run time are collected along with objects: numbers instead of cells, see `symbols`. The
//! VM lends their marks to each marking, and frees what a full one has not met.
//!
//! What lives elsewhere: what an object looks like and how it is traced (`vm`), when
//! a collection may happen and what the roots are (`vm`), malloc memory (whoever owns
//! it; it is only counted here).

mod barrier;
mod chunk;
mod chunk_table;
mod collect;
mod config;
mod header;
mod heap;
mod inspect;
mod marker;
mod pacing;
mod poison;
mod protection;
pub mod reserve;
mod size_class;
pub mod stack;
mod steps;
mod sweep;
mod symbols;

pub use barrier::{expose, will_change, will_reorder, write_barrier};
pub use config::{HeapConfig, HeapHooks, KEPT, OutOfMemory};
pub use heap::Heap;
pub use inspect::{CellStat, HeapStat};
pub use marker::{Marker, PART, Part, WeakView};
pub use protection::Protected;
pub use size_class::SizeClass;
pub use symbols::SymbolMarks;

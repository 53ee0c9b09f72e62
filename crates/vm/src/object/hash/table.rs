//! The table of a Hash: entries in insertion order and an open-addressing index. It knows nothing of the VM and runs
//! no code of others: whoever searches compares keys outside and continues the probe.
//!
//! Memory is one block: `cap` entries, then (from more than eight entries on) `2 * cap` slots of 32 bits rounded up
//! to a power of two. A slot holds an entry's position + 1; 0 is a free slot. A deleted entry stays in its place
//! with the key UNDEF until the table is rebuilt, so positions are stable for iteration, and slots never need
//! to be freed one by one: a probe steps over slots of deleted entries.
//!
//! Invariants: `first <= len <= cap`; no live entry lies before `first`; `live` counts the live ones; every entry of an
//! indexed table that was appended since the last rebuild has exactly one slot; at least half of the slots are free.
//!
//! A long table is doubled in stages, between which others may use it: first the block becomes larger, behind the
//! entries and the index as they are; then the new index is made where it will lie; the last stage doubles `cap`. Who
//! finds a growth under way goes on with it. `generation` changes whenever positions or slots change their meaning,
//! also when the table becomes another one, but not on deletion.

use super::super::ceiling::fits;
use super::super::cow_buf::OutOfMemory;
use rubellite_value::Value;
use std::alloc::{self, Layout};
use std::ptr;

/// Tables up to this many entries have no index and are searched from the front.
pub(super) const LINEAR_MAX: u32 = 8;
const FIRST_CAP: u32 = 4;
/// A table of this many entries is doubled in stages: at once it would take some two milliseconds.
const LONG: u32 = 1 << 18;
/// Slots that a stage frees, and entries that one files: a fifth of a millisecond.
const FREED: usize = 1 << 16;
const FILED: usize = 1 << 14;
/// No growth is under way.
const RESTS: u32 = u32::MAX;

#[derive(Copy, Clone)]
#[repr(C)]
pub(super) struct Entry {
    pub hash: u64,
    pub key: Value,
    pub value: Value,
}

impl Entry {
    #[inline(always)]
    pub fn live(&self) -> bool {
        !self.key.is_undef()
    }
}

/// 32 bytes.
pub(super) struct Table {
    block: *mut Entry,
    cap: u32,
    /// Entries in use, deleted ones included.
    len: u32,
    live: u32,
    /// Position of the first entry that may be live.
    first: u32,
    generation: u32,
    /// The stages of a growth that are done; `RESTS`: none is under way. From its beginning on the block has the
    /// layout of `2 * cap`.
    growth: u32,
}

/// Where a search continues.
#[derive(Copy, Clone)]
pub(super) struct Probe {
    at: u32,
    hash: u64,
}

impl Table {
    /// Where things are, for compiled code.
    pub const BLOCK: usize = std::mem::offset_of!(Table, block);
    pub const LEN: usize = std::mem::offset_of!(Table, len);

    pub const fn new() -> Table {
        Table { block: ptr::null_mut(), cap: 0, len: 0, live: 0, first: 0, generation: 0, growth: RESTS }
    }

    /// Live entries.
    #[inline(always)]
    pub fn live(&self) -> usize {
        self.live as usize
    }

    #[inline(always)]
    pub fn generation(&self) -> u32 {
        self.generation
    }

    #[inline(always)]
    pub fn entries(&self) -> &[Entry] {
        if self.block.is_null() {
            return &[];
        }
        // SAFETY: the block begins with `len` initialised entries.
        unsafe { std::slice::from_raw_parts(self.block, self.len as usize) }
    }

    #[inline(always)]
    fn entries_mut(&mut self) -> &mut [Entry] {
        if self.block.is_null() {
            return &mut [];
        }
        // SAFETY: the block begins with `len` initialised entries.
        unsafe { std::slice::from_raw_parts_mut(self.block, self.len as usize) }
    }

    /// Slots of the index, 0 when there is none.
    #[inline(always)]
    fn slot_count(cap: u32) -> usize {
        if cap <= LINEAR_MAX { 0 } else { (cap as usize * 2).next_power_of_two() }
    }

    #[inline(always)]
    fn slots(&self) -> *mut u32 {
        // SAFETY: the block has `cap` entries at least.
        unsafe { self.slots_behind(self.cap) }
    }

    /// Where the index of a table of `cap` entries lies.
    ///
    /// # Safety
    /// The block has the layout of at least so many.
    #[inline(always)]
    unsafe fn slots_behind(&self, cap: u32) -> *mut u32 {
        // SAFETY: by contract.
        unsafe { self.block.add(cap as usize).cast() }
    }

    /// The capacity whose layout the block has.
    fn block_cap(&self) -> u32 {
        if self.growth == RESTS { self.cap } else { self.cap * 2 }
    }

    fn layout(cap: u32) -> Layout {
        let size = cap as usize * size_of::<Entry>() + Self::slot_count(cap) * 4;
        // SAFETY: at most 2^32 entries of 24 bytes and 2^34 slots of 4 bytes: far below the largest size.
        unsafe { Layout::from_size_align_unchecked(size, align_of::<Entry>()) }
    }

    /// Bytes of malloc memory. What a growth under way adds counts when it is over.
    pub fn memory_size(&self) -> usize {
        Self::memory_size_of(self.cap)
    }

    /// The same for a table of the capacity `cap`.
    pub fn memory_size_of(cap: u32) -> usize {
        Self::layout(cap).size()
    }

    #[inline(always)]
    pub fn capacity(&self) -> u32 {
        self.cap
    }

    // -- search ---------------------------------------------------------------------------

    /// Begins a search for keys with the hash value `hash`.
    #[inline(always)]
    pub fn probe(&self, hash: u64) -> Probe {
        if self.cap <= LINEAR_MAX {
            return Probe { at: self.first, hash };
        }
        Probe { at: (hash >> 32) as u32 & (Self::slot_count(self.cap) - 1) as u32, hash }
    }

    /// The position of the next live entry whose hash value is the probe's. The probe is valid as long as
    /// the generation stays.
    #[inline(always)]
    pub fn candidate(&self, probe: &mut Probe) -> Option<usize> {
        if self.cap <= LINEAR_MAX { self.candidate_linear(probe) } else { self.candidate_indexed(probe) }
    }

    #[inline(always)]
    fn candidate_linear(&self, probe: &mut Probe) -> Option<usize> {
        let entries = self.entries();
        while let Some(entry) = entries.get(probe.at as usize) {
            probe.at += 1;
            if entry.hash == probe.hash && entry.live() {
                return Some(probe.at as usize - 1);
            }
        }
        None
    }

    #[inline(always)]
    fn candidate_indexed(&self, probe: &mut Probe) -> Option<usize> {
        let mask = (Self::slot_count(self.cap) - 1) as u32;
        let slots = self.slots();
        loop {
            // SAFETY: `at` is at most `mask`, so the slot exists.
            let slot = unsafe { *slots.add(probe.at as usize) };
            if slot == 0 {
                return None;
            }
            probe.at = (probe.at + 1) & mask;
            // SAFETY: a slot that is not free names an entry in use.
            let entry = unsafe { &*self.block.add(slot as usize - 1) };
            if entry.hash == probe.hash && entry.live() {
                return Some(slot as usize - 1);
            }
        }
    }

    #[inline(always)]
    pub fn entry(&self, at: usize) -> Option<&Entry> {
        self.entries().get(at).filter(|entry| entry.live())
    }

    /// The first live entry at `at` or behind it.
    #[inline]
    pub fn next_live(&self, at: usize) -> Option<usize> {
        let at = at.max(self.first as usize);
        let rest = self.entries().get(at..)?;
        rest.iter().position(Entry::live).map(|n| at + n)
    }

    // -- change ---------------------------------------------------------------------------

    /// Appends an entry whose key is not in the table.
    #[inline]
    pub fn append(&mut self, entry: Entry) -> Result<(), OutOfMemory> {
        if self.len == self.cap {
            self.grow()?;
        }
        // SAFETY: `len < cap`, so the place exists.
        unsafe { self.block.add(self.len as usize).write(entry) };
        self.len += 1;
        self.live += 1;
        if self.cap > LINEAR_MAX {
            self.index_entry(entry.hash, self.len);
        }
        Ok(())
    }

    /// Puts position + 1 into the first free slot of a hash value.
    #[inline]
    fn index_entry(&mut self, hash: u64, number: u32) {
        // SAFETY: the index lies there.
        unsafe { Self::file(self.slots(), Self::slot_count(self.cap), hash, number) }
    }

    /// # Safety
    /// At `slots` lies an index of `count` slots, some of them free.
    #[inline(always)]
    unsafe fn file(slots: *mut u32, count: usize, hash: u64, number: u32) {
        let mask = count - 1;
        let mut at = (hash >> 32) as usize & mask;
        // SAFETY: `at` is at most `mask`; some slots are free, so the loop ends.
        unsafe {
            while *slots.add(at) != 0 {
                at = (at + 1) & mask;
            }
            *slots.add(at) = number;
        }
    }

    pub fn set_value(&mut self, at: usize, value: Value) {
        if let Some(entry) = self.entries_mut().get_mut(at) {
            entry.value = value;
        }
    }

    /// Deletes the entry at a position. Positions of others stay.
    pub fn delete_at(&mut self, at: usize) -> Option<(Value, Value)> {
        let entry = self.entries_mut().get_mut(at).filter(|entry| entry.live())?;
        let pair = (entry.key, entry.value);
        (entry.key, entry.value) = (Value::UNDEF, Value::NIL);
        self.live -= 1;
        if at == self.first as usize {
            let next = self.entries()[at + 1..].iter().position(Entry::live);
            self.first = next.map_or(self.len, |n| (at + 1 + n) as u32);
        }
        Some(pair)
    }

    /// Forgets all entries and gives the memory back.
    pub fn clear(&mut self) {
        self.become_other(Table::new());
    }

    /// Takes over another table's entries. Searches that are under way in this one see that it is another.
    pub fn become_other(&mut self, mut other: Table) {
        other.generation = self.generation.wrapping_add(1);
        *self = other;
    }

    /// Deletes all entries but keeps positions, for a table that is being iterated.
    pub fn delete_all(&mut self) {
        for entry in self.entries_mut() {
            (entry.key, entry.value) = (Value::UNDEF, Value::NIL);
        }
        self.live = 0;
        self.first = self.len;
    }

    /// Whether a rebuild would throw deleted entries away.
    pub fn has_holes(&self) -> bool {
        self.live < self.len
    }

    /// Makes room: by throwing deleted entries away when they are many, else with a larger block.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> Result<(), OutOfMemory> {
        let wanted = (self.live as u64 + self.live as u64 / 2).max(FIRST_CAP as u64);
        let cap = if wanted <= self.cap as u64 { self.cap as u64 } else { self.cap.max(FIRST_CAP / 2) as u64 * 2 };
        self.rebuild(u32::try_from(cap).ok().filter(|cap| *cap < u32::MAX / 2).ok_or(OutOfMemory)?)
    }

    /// Makes room for `cap` entries in all.
    pub fn reserve(&mut self, cap: usize) -> Result<(), OutOfMemory> {
        let cap = u32::try_from(cap).ok().filter(|cap| *cap < u32::MAX / 2).ok_or(OutOfMemory)?;
        if cap <= self.cap { Ok(()) } else { self.rebuild(cap) }
    }

    /// Moves the live entries to the front of a new block (which may be the old one) and indexes them anew.
    fn rebuild(&mut self, cap: u32) -> Result<(), OutOfMemory> {
        debug_assert!(cap >= self.live && cap > 0);
        if cap > self.cap && !self.block.is_null() && !self.has_holes() {
            self.enlarge(cap)?;
            (self.cap, self.growth) = (cap, RESTS);
        } else if cap != self.cap {
            let mut fresh = Table { block: Self::allocate(cap)?, cap, ..Table::new() };
            let mut len = 0;
            for entry in self.entries().iter().filter(|entry| entry.live()) {
                // SAFETY: the new block has room for all live entries.
                unsafe { fresh.block.add(len).write(*entry) };
                len += 1;
            }
            fresh.generation = self.generation;
            fresh.len = len as u32;
            *self = fresh;
        } else {
            let mut len = 0;
            let entries = self.entries_mut();
            for at in 0..entries.len() {
                if entries[at].live() {
                    entries[len] = entries[at];
                    len += 1;
                }
            }
            self.len = len as u32;
            // Positions are others now.
            self.growth = if self.growth == RESTS { RESTS } else { 0 };
        }
        (self.live, self.first) = (self.len, 0);
        self.generation = self.generation.wrapping_add(1);
        self.index_all();
        Ok(())
    }

    /// Gives the block the layout of a larger capacity. Of a long one the allocator moves pages and no entries.
    fn enlarge(&mut self, cap: u32) -> Result<(), OutOfMemory> {
        let wanted = Self::layout(cap).size();
        if !fits(wanted) {
            return Err(OutOfMemory);
        }
        // SAFETY: the block was allocated with this layout; the new size is not zero, and far below the largest.
        let block = unsafe { alloc::realloc(self.block.cast(), Self::layout(self.block_cap()), wanted) };
        if block.is_null() {
            return Err(OutOfMemory);
        }
        self.block = block.cast();
        Ok(())
    }

    /// Whether the next entry doubles a long table. One with many holes is rebuilt in its place.
    #[inline(always)]
    pub fn grows_long(&self) -> bool {
        self.len == self.cap && self.cap >= LONG && !self.has_holes() && self.cap < u32::MAX / 4
    }

    /// Begins to double a table for which `grows_long` holds, unless that is under way.
    pub fn begin_growth(&mut self) -> Result<(), OutOfMemory> {
        if self.growth == RESTS {
            self.enlarge(self.cap * 2)?;
            self.growth = 0;
        }
        Ok(())
    }

    /// The next stage of a growth. False: none is under way any more.
    pub fn go_on_growing(&mut self) -> bool {
        if self.growth == RESTS {
            return false;
        }
        let (stage, cap) = (self.growth as usize, self.cap * 2);
        let count = Self::slot_count(cap);
        // SAFETY: the block has this layout since the growth began.
        let slots = unsafe { self.slots_behind(cap) };
        let freeing = count.div_ceil(FREED);
        self.growth += 1;
        if stage < freeing {
            let from = stage * FREED;
            // SAFETY: slots of the new index, which nobody reads yet.
            unsafe { ptr::write_bytes(slots.add(from), 0, FREED.min(count - from)) };
            return true;
        }
        let from = (stage - freeing) * FILED;
        let end = (from + FILED).min(self.len as usize);
        for (entry, number) in self.entries()[from..end].iter().zip(from as u32 + 1..) {
            // SAFETY: all slots of the new index were freed, and there are more of them than entries.
            unsafe { Self::file(slots, count, entry.hash, number) };
        }
        if end < self.len as usize {
            return true;
        }
        (self.cap, self.growth) = (cap, RESTS);
        self.generation = self.generation.wrapping_add(1);
        false
    }

    fn index_all(&mut self) {
        if self.cap <= LINEAR_MAX {
            return;
        }
        // SAFETY: the index has `slot_count` slots.
        unsafe { ptr::write_bytes(self.slots(), 0, Self::slot_count(self.cap)) };
        for at in 0..self.len as usize {
            let hash = self.entries()[at].hash;
            self.index_entry(hash, at as u32 + 1);
        }
    }

    fn allocate(cap: u32) -> Result<*mut Entry, OutOfMemory> {
        if !fits(Self::layout(cap).size()) {
            return Err(OutOfMemory);
        }
        // SAFETY: the layout's size is not zero, because `cap` is not.
        let block = unsafe { alloc::alloc(Self::layout(cap)) };
        if block.is_null() { Err(OutOfMemory) } else { Ok(block.cast()) }
    }

    /// A copy with the same live entries.
    pub fn copy(&self) -> Result<Table, OutOfMemory> {
        if self.live == 0 {
            return Ok(Table::new());
        }
        let mut copy = Table::new();
        if self.has_holes() {
            copy.block = Self::allocate(self.live)?;
            copy.cap = self.live;
            for entry in self.entries().iter().filter(|entry| entry.live()) {
                // SAFETY: the block has room for all live entries.
                unsafe { copy.block.add(copy.len as usize).write(*entry) };
                copy.len += 1;
            }
            copy.live = copy.len;
            copy.index_all();
            return Ok(copy);
        }
        copy.block = Self::allocate(self.cap)?;
        // SAFETY: both blocks have the same layout; entries behind `len` are copied as plain bytes.
        unsafe { ptr::copy_nonoverlapping(self.block.cast::<u8>(), copy.block.cast(), Self::layout(self.cap).size()) };
        (copy.cap, copy.len, copy.live) = (self.cap, self.len, self.live);
        Ok(copy)
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        if !self.block.is_null() {
            // SAFETY: the block was allocated with this layout and nobody else knows it.
            unsafe { alloc::dealloc(self.block.cast(), Self::layout(self.block_cap())) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(key: u64, bits: u32) -> u64 {
        // Few distinct values, so that collisions are common.
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) << 32
    }

    fn find(table: &Table, key: u64, bits: u32) -> Option<usize> {
        let mut probe = table.probe(hash(key, bits));
        while let Some(at) = table.candidate(&mut probe) {
            if table.entries()[at].key == Value::fixnum(key as i64) {
                return Some(at);
            }
        }
        None
    }

    fn pairs(table: &Table) -> Vec<(i64, i64)> {
        let number = |v: Value| v.as_fixnum().unwrap_or(-1);
        table.entries().iter().filter(|e| e.live()).map(|e| (number(e.key), number(e.value))).collect()
    }

    /// Random operations against an association list.
    fn run(seed: u64, keys: u64, bits: u32) {
        let mut table = Table::new();
        let mut model: Vec<(i64, i64)> = Vec::new();
        let mut x = seed;
        for step in 0..3000 {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let key = (x >> 33) % keys;
            let at = find(&table, key, bits);
            let known = model.iter().position(|(k, _)| *k == key as i64);
            assert_eq!(at.is_some(), known.is_some());
            match ((x >> 20) % 8, at, known) {
                (0..=4, Some(at), Some(known)) => {
                    table.set_value(at, Value::fixnum(step));
                    model[known].1 = step;
                }
                (0..=4, ..) => {
                    let (k, v) = (Value::fixnum(key as i64), Value::fixnum(step));
                    assert!(table.append(Entry { hash: hash(key, bits), key: k, value: v }).is_ok());
                    model.push((key as i64, step));
                }
                (5 | 6, Some(at), Some(known)) => {
                    assert!(table.delete_at(at).is_some());
                    model.remove(known);
                }
                (7, ..) if step % 5 == 0 => match table.next_live(0) {
                    Some(at) => {
                        assert_eq!(table.delete_at(at).map(|p| p.0), Some(Value::fixnum(model[0].0)));
                        model.remove(0);
                    }
                    None => assert!(model.is_empty()),
                },
                (7, ..) if step % 31 == 0 => {
                    let Ok(copy) = table.copy() else { panic!("no memory") };
                    table = copy;
                }
                (7, ..) if step % 501 == 0 => {
                    table.clear();
                    model.clear();
                }
                _ => {}
            }
            assert_eq!(table.live(), model.len());
            if step % 16 == 0 {
                assert_eq!(pairs(&table), model);
            }
        }
    }

    #[test]
    fn behaves_like_an_association_list() {
        for seed in 1..8 {
            run(seed, 6, 30);
            run(seed, 40, 3);
            run(seed, 500, 30);
        }
    }

    #[test]
    fn a_table_grows_in_stages_while_entries_go() {
        let mut table = Table::new();
        let entry = |i: u64| Entry { hash: hash(i, 31), key: Value::fixnum(i as i64), value: Value::NIL };
        for i in 0..40_000 {
            assert!(table.append(entry(i)).is_ok());
        }
        let full = table.capacity() as u64;
        for i in 40_000..full {
            assert!(table.append(entry(i)).is_ok());
        }
        let generation = table.generation();
        assert!(table.begin_growth().is_ok());
        assert!(table.go_on_growing());
        assert!(table.delete_at(7).is_some() && table.delete_at(full as usize - 1).is_some());
        let mut stages = 1;
        while table.go_on_growing() {
            stages += 1;
            // Who comes in between finds what was there, and goes on where the other is.
            assert_eq!(find(&table, 8, 31), Some(8));
            assert!(table.begin_growth().is_ok());
        }
        assert!(stages > 4, "{stages}");
        assert_ne!(table.generation(), generation);
        assert_eq!(table.capacity() as u64, full * 2);
        for i in full..full * 2 {
            assert!(table.append(entry(i)).is_ok());
        }
        for i in 0..full * 2 {
            let gone = i == 7 || i == full - 1;
            assert_eq!(find(&table, i, 31), (!gone).then_some(i as usize), "{i}");
        }
        assert_eq!(table.live() as u64, full * 2 - 2);
    }

    #[test]
    fn a_table_may_change_while_it_grows() {
        let entry = |i: u64| Entry { hash: hash(i, 31), key: Value::fixnum(i as i64), value: Value::NIL };
        let full = || {
            let mut table = Table::new();
            (0..1 << 15).for_each(|i| assert!(table.append(entry(i)).is_ok()));
            assert_eq!(table.capacity(), 1 << 15);
            assert!(table.begin_growth().is_ok());
            assert!((0..3).all(|_| table.go_on_growing()));
            table
        };
        // It becomes another one.
        let mut table = full();
        let Ok(copy) = table.copy() else { panic!("no memory") };
        table.become_other(copy);
        assert!(!table.go_on_growing());
        assert_eq!((table.capacity(), find(&table, 63, 31)), (1 << 15, Some(63)));
        // Its entries move to the front, and others are added, before it goes on.
        let mut table = full();
        (0..1 << 14).for_each(|at| assert!(table.delete_at(at).is_some()));
        (1 << 15..5 << 13).for_each(|i| assert!(table.append(entry(i)).is_ok()));
        while table.go_on_growing() {}
        assert_eq!(table.capacity(), 1 << 16);
        for i in 0..5 << 13 {
            assert_eq!(find(&table, i, 31), i.checked_sub(1 << 14).map(|at| at as usize), "{i}");
        }
        // It is enlarged at once.
        let mut table = full();
        assert!(table.reserve(1 << 18).is_ok());
        assert!(!table.go_on_growing());
        (0..1 << 15).for_each(|i| assert_eq!(find(&table, i, 31), Some(i as usize)));
        // It goes.
        drop(full());
    }

    #[test]
    fn shifting_is_amortised() {
        let mut table = Table::new();
        for i in 0..200_000u64 {
            let (k, v) = (Value::fixnum(i as i64), Value::NIL);
            assert!(table.append(Entry { hash: hash(i, 31), key: k, value: v }).is_ok());
            if i >= 100 {
                let at = table.next_live(0);
                assert_eq!(at.and_then(|at| table.delete_at(at)).map(|p| p.0), Some(Value::fixnum(i as i64 - 100)));
            }
        }
        assert!(table.memory_size() < 20_000, "{}", table.memory_size());
    }

    #[test]
    fn tables_are_small() {
        assert_eq!(size_of::<Table>(), 32);
    }
}

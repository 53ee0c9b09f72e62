//! Hash: layout and primitive operations. The table is `table.rs`; the methods are `corelib`'s.
//!
//! Searching may call `hash` and `eql?` of keys, and these may change the very hash that is searched. So no
//! reference into the table lives across such a call, and a search begins anew when the table's generation has changed.
//! The receiver of `eql?` is the key that is looked up.
//!
//! Nothing here checks for frozen hashes, dups string keys, or refuses a new key during iteration
//! (`is_iterating`): callers do. Iteration goes by position (`next_entry`) between `iter_enter` and
//! `iter_leave`; positions survive deletion, and insertion too unless the table is rebuilt by it.

mod table;

use super::array::Array;
use super::cow_buf::OutOfMemory;
use super::float::Float;
use super::handle::{handle, layout};
use super::hashing::{hash_word, of_number};
use super::integer::Bignum;
use super::string::Str;
use crate::Result;
use crate::ctx::{Ctx, header};
use rubellite_gc::Marker;
use rubellite_value::{Flag, Header, Sym, Tag, Value, flags};
use std::cell::{Cell, UnsafeCell};
use table::{Entry, Table};

/// The cell of a hash. 64 bytes.
#[repr(C)]
pub struct RHash {
    header: Header,
    table: UnsafeCell<Table>,
    /// The default value, or the default proc when `PROC_DEFAULT` is set.
    default: Cell<Value>,
    /// How many iterations are under way.
    iter_lev: Cell<u32>,
}

layout!(RHash, Tag::Hash);

handle! {
    /// A Hash.
    Hash "Hash": RHash, Tag::Hash
}

const PROC_DEFAULT: Flag = flags::TYPE_0;
const IDENTITY: Flag = flags::TYPE_1;
const RUBY2_KEYWORDS: Flag = flags::TYPE_2;
/// How many values are copied out of a table at once.
const GATHERED: usize = 64;
/// Entries that `rehash` files between two safepoints.
const REFILE_STEPS: usize = 1024;

impl RHash {
    pub(crate) fn trace<F: FnMut(Value)>(&self, mut visit: F) {
        visit(self.default.get());
        // SAFETY: the collector runs while nobody changes objects.
        for entry in unsafe { &*self.table.get() }.entries() {
            visit(entry.key);
            visit(entry.value);
        }
    }

    /// The generation and the number of positions, for the collector.
    pub(crate) fn extent(&self) -> (u32, usize) {
        // SAFETY: as in `trace`.
        let table = unsafe { &*self.table.get() };
        (table.generation(), table.entries().len())
    }

    /// Shows the entries at some positions, of which those that are no longer there are left out, and in front of the
    /// first the default.
    pub(crate) fn trace_some<F: FnMut(Value)>(&self, positions: std::ops::Range<usize>, mut visit: F) {
        if positions.start == 0 {
            visit(self.default.get());
        }
        // SAFETY: as in `trace`.
        for entry in unsafe { &*self.table.get() }.entries().get(positions).unwrap_or_default() {
            visit(entry.key);
            visit(entry.value);
        }
    }

    pub(crate) fn memory_size(&self) -> usize {
        // SAFETY: the borrow ends here, and the VM lock is held.
        unsafe { &*self.table.get() }.memory_size()
    }
}

/// Where compiled code finds the entries of a Hash: the address of the first one, their number with the deleted ones,
/// whose keys are undef, and the bytes of one, with its key and value.
pub(crate) mod place {
    use super::{Entry, RHash, Table};
    use std::mem::offset_of;
    pub const ENTRIES: usize = offset_of!(RHash, table) + Table::BLOCK;
    pub const COUNT: usize = offset_of!(RHash, table) + Table::LEN;
    pub const SIZE: usize = size_of::<Entry>();
    pub const KEY: usize = offset_of!(Entry, key);
    pub const VALUE: usize = offset_of!(Entry, value);
}

/// One entry found by iteration.
#[derive(Copy, Clone)]
pub struct HashEntry {
    /// Where it lies; iteration continues at `position + 1`.
    pub position: usize,
    pub key: Value,
    pub value: Value,
}

/// The hash of keys whose `hash` cannot run Ruby code: what `hash` of these values gives, too.
#[inline]
pub fn fast_hash(ctx: &Ctx, key: Value) -> Option<u64> {
    let seed = ctx.hash_seed();
    if key.is_flonum() {
        return Some(Float::hash(ctx, key.as_flonum_unchecked()));
    }
    let Some(header) = key.header() else {
        return Some(hash_word(seed, key.bits()));
    };
    match header.tag() {
        Tag::String => Some(Str::known(key).hash(ctx)),
        Tag::Float => Some(Float::hash(ctx, Float::known(key).get())),
        Tag::Bignum => Some(Bignum::known(key).hash(ctx)),
        _ => None,
    }
}

/// `key.eql?(other)`, when that cannot run Ruby code.
#[inline]
pub fn fast_eql(ctx: &Ctx, key: Value, other: Value) -> Option<bool> {
    if key == other {
        return Some(true);
    }
    if key.is_flonum() {
        return Some(Float::value_of(other) == Some(key.as_flonum_unchecked()));
    }
    let Some(header) = key.header() else {
        return Some(false);
    };
    match header.tag() {
        Tag::String if header.klass.get() == ctx.classes().string.get() => {
            Some(Str::try_of(other).is_some_and(|other| Str::known(key).equal(ctx, other)))
        }
        Tag::Float => Some(Float::value_of(other) == Some(Float::known(key).get())),
        Tag::Bignum => Some(Bignum::try_of(other).is_some_and(|other| Bignum::known(key).equal(other))),
        _ => None,
    }
}

impl Hash {
    /// A new empty Hash. It owns no table yet.
    #[inline]
    pub fn new(ctx: &mut Ctx) -> Hash {
        let klass = ctx.classes().hash.get();
        Hash::new_in(ctx, klass)
    }

    /// The same in class `klass` (0: hidden from Ruby).
    #[inline]
    pub fn new_in(ctx: &mut Ctx, klass: Value) -> Hash {
        let cell = RHash {
            header: header(Tag::Hash, klass),
            table: UnsafeCell::new(Table::new()),
            default: Cell::new(Value::NIL),
            iter_lev: Cell::new(0),
        };
        Hash(ctx.alloc(cell))
    }

    /// A new Hash with room for `cap` entries.
    pub fn with_capacity(ctx: &mut Ctx, cap: usize) -> Hash {
        let hash = Hash::new(ctx);
        if cap > 0 {
            hash.edit(ctx, |table| table.reserve(cap)).unwrap_or_else(|oom| oom.unwind());
        }
        hash
    }

    /// Makes room for `cap` entries in all; for sizes that the program chose.
    pub fn try_reserve(self, ctx: &mut Ctx, cap: usize) -> std::result::Result<(), OutOfMemory> {
        self.edit(ctx, |table| table.reserve(cap))
    }

    /// A new hash of class `klass` with the same entries, default and identity mode.
    pub fn dup_in(self, ctx: &mut Ctx, klass: Value) -> Hash {
        let copy = Hash::new_in(ctx, klass);
        copy.replace_entries(ctx, self);
        copy.set_default(ctx, self.raw().default.get());
        copy.header().put(PROC_DEFAULT, self.header().has(PROC_DEFAULT));
        copy
    }

    /// `dup_in` for the class Hash.
    pub fn dup(self, ctx: &mut Ctx) -> Hash {
        let klass = ctx.classes().hash.get();
        self.dup_in(ctx, klass)
    }

    /// Takes over a copy of the entries of `other` and its identity mode.
    pub fn replace_entries(self, ctx: &mut Ctx, other: Hash) {
        if other == self {
            return;
        }
        let copy = other.table(ctx).copy().unwrap_or_else(|oom| oom.unwind());
        for entry in copy.entries() {
            ctx.write_barrier(self.0, entry.key);
            ctx.write_barrier(self.0, entry.value);
        }
        self.edit(ctx, |table| table.become_other(copy));
        self.header().put(IDENTITY, other.is_identity());
    }

    // -- access to the table --------------------------------------------------------------

    #[inline(always)]
    fn table(self, _ctx: &Ctx) -> &Table {
        // SAFETY: writers take `&mut Ctx`, which the borrow of `ctx` excludes.
        unsafe { &*self.raw().table.get() }
    }

    /// Runs `f` on the table. `f` neither allocates cells nor runs Ruby: it has no `Ctx`.
    #[inline(always)]
    fn edit<R>(self, ctx: &mut Ctx, f: impl FnOnce(&mut Table) -> R) -> R {
        // SAFETY: `&mut Ctx` excludes every reference that was lent, and `f` cannot reach the hash.
        let table = unsafe { &mut *self.raw().table.get() };
        let before = table.capacity();
        let result = f(table);
        if table.capacity() != before {
            ctx.note_malloc(table.memory_size() as isize - Table::memory_size_of(before) as isize);
        }
        result
    }

    // -- lookup ---------------------------------------------------------------------------

    #[inline(always)]
    pub fn len(self) -> usize {
        // SAFETY: the borrow ends here, and nobody else runs while we hold the VM lock.
        unsafe { &*self.raw().table.get() }.live()
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The hash value under which this hash files `key`. May call `key.hash`.
    #[inline]
    pub fn hash_of_key(self, ctx: &mut Ctx, key: Value) -> Result<u64> {
        if self.is_identity() {
            return Ok(hash_word(ctx.hash_seed(), key.bits()));
        }
        match fast_hash(ctx, key) {
            Some(hash) => Ok(hash),
            None => {
                let hash = ctx.hash_of(key)?;
                Ok(of_number(ctx.hash_seed(), hash))
            }
        }
    }

    /// The value of `key`, if it is there, where that can be said without running Ruby code.
    pub fn get_plainly(self, ctx: &Ctx, key: Value) -> Option<Option<Value>> {
        if self.is_empty() {
            return Some(None);
        }
        let identity = self.is_identity();
        let hash = if identity { hash_word(ctx.hash_seed(), key.bits()) } else { fast_hash(ctx, key)? };
        let table = self.table(ctx);
        let mut probe = table.probe(hash);
        while let Some(at) = table.candidate(&mut probe) {
            let other = table.entries()[at].key;
            if if identity { key == other } else { fast_eql(ctx, key, other)? } {
                return Some(Some(table.entries()[at].value));
            }
        }
        Some(None)
    }

    /// The position of `key`, whose hash value is `hash`. May call `key.eql?`.
    #[inline]
    fn find(self, ctx: &mut Ctx, key: Value, hash: u64) -> Result<Option<usize>> {
        let mut probe = self.table(ctx).probe(hash);
        let identity = self.is_identity();
        while let Some(at) = self.table(ctx).candidate(&mut probe) {
            let other = self.table(ctx).entries()[at].key;
            let known = if identity { Some(key == other) } else { fast_eql(ctx, key, other) };
            match known {
                Some(true) => return Ok(Some(at)),
                Some(false) => {}
                None => return self.find_slow(ctx, key, hash),
            }
        }
        Ok(None)
    }

    /// `find` with calls of `eql?`: the table may change meanwhile.
    #[inline(never)]
    fn find_slow(self, ctx: &mut Ctx, key: Value, hash: u64) -> Result<Option<usize>> {
        'again: loop {
            let generation = self.table(ctx).generation();
            let mut probe = self.table(ctx).probe(hash);
            while let Some(at) = self.table(ctx).candidate(&mut probe) {
                let other = self.table(ctx).entries()[at].key;
                let equal = match fast_eql(ctx, key, other) {
                    Some(equal) => equal,
                    None => ctx.eql(key, other)?,
                };
                if self.table(ctx).generation() != generation {
                    continue 'again;
                }
                // The entry may have been deleted meanwhile.
                if equal && self.table(ctx).entry(at).is_some() {
                    return Ok(Some(at));
                }
            }
            return Ok(None);
        }
    }

    /// The value of `key`; the default is the caller's business.
    #[inline]
    pub fn get(self, ctx: &mut Ctx, key: Value) -> Result<Option<Value>> {
        if self.is_empty() {
            return Ok(None);
        }
        let hash = self.hash_of_key(ctx, key)?;
        let at = self.find(ctx, key, hash)?;
        Ok(at.map(|at| self.table(ctx).entries()[at].value))
    }

    /// The stored key that equals `key`, and its value.
    pub fn get_pair(self, ctx: &mut Ctx, key: Value) -> Result<Option<(Value, Value)>> {
        let hash = self.hash_of_key(ctx, key)?;
        let at = self.find(ctx, key, hash)?;
        Ok(at.map(|at| self.table(ctx).entries()[at]).map(|entry| (entry.key, entry.value)))
    }

    /// The position of a key, for `entry_at` and `set_value_at`.
    pub fn position(self, ctx: &mut Ctx, key: Value) -> Result<Option<usize>> {
        let hash = self.hash_of_key(ctx, key)?;
        self.find(ctx, key, hash)
    }

    #[inline]
    pub fn contains(self, ctx: &mut Ctx, key: Value) -> Result<bool> {
        Ok(self.get(ctx, key)?.is_some())
    }

    /// The value of a symbol: a lookup that never runs Ruby, for keyword arguments.
    #[inline]
    pub fn get_sym(self, ctx: &Ctx, key: Sym) -> Option<Value> {
        let key = Value::symbol(key);
        let table = self.table(ctx);
        let mut probe = table.probe(hash_word(ctx.hash_seed(), key.bits()));
        while let Some(at) = table.candidate(&mut probe) {
            if table.entries()[at].key == key {
                return Some(table.entries()[at].value);
            }
        }
        None
    }

    // -- change ---------------------------------------------------------------------------

    /// Stores a value under a key. A new key goes to the end.
    #[inline]
    pub fn insert(self, ctx: &mut Ctx, key: Value, value: Value) -> Result<()> {
        let hash = self.hash_of_key(ctx, key)?;
        match self.find(ctx, key, hash)? {
            Some(at) => self.edit(ctx, |table| table.set_value(at, value)),
            None => {
                if self.table(ctx).grows_long() {
                    self.grow_in_stages(ctx);
                    // Another thread may have stored the key meanwhile.
                    return self.insert(ctx, key, value);
                }
                self.edit(ctx, |table| table.append(Entry { hash, key, value })).unwrap_or_else(|oom| oom.unwind());
                ctx.write_barrier(self.0, key);
            }
        }
        ctx.write_barrier(self.0, value);
        Ok(())
    }

    /// The key as a String that is stored as a frozen copy; none for what is stored as it is, as Strings of subclasses
    /// are.
    pub fn copied_key(self, ctx: &Ctx, key: Value) -> Option<Str> {
        let string = Str::try_of(key).filter(|string| !string.header().has(flags::FROZEN) && !self.is_identity())?;
        (ctx.real_class(key).value() == ctx.classes().string.get()).then_some(string)
    }

    /// Adds a key unless it is there; whether it was added. A string is copied and frozen first. `value`: of a new key.
    pub fn add(self, ctx: &mut Ctx, key: Value, value: Value) -> Result<bool> {
        let hash = self.hash_of_key(ctx, key)?;
        if self.find(ctx, key, hash)?.is_some() {
            return Ok(false);
        }
        let own = self.copied_key(ctx, key).map_or(key, |string| ctx.frozen_key(string).value());
        if self.table(ctx).grows_long() {
            self.insert(ctx, own, value)?;
            return Ok(true);
        }
        self.edit(ctx, |table| table.append(Entry { hash, key: own, value })).unwrap_or_else(|oom| oom.unwind());
        ctx.write_barrier(self.0, own);
        ctx.write_barrier(self.0, value);
        Ok(true)
    }

    /// Doubles a long table. Others run meanwhile, if they wait; no interrupt is handled, for a store is not cut in
    /// two.
    #[cold]
    #[inline(never)]
    fn grow_in_stages(self, ctx: &mut Ctx) {
        self.edit(ctx, Table::begin_growth).unwrap_or_else(|oom| oom.unwind());
        while self.edit(ctx, Table::go_on_growing) {
            if ctx.interrupted() {
                ctx.give_way();
            }
        }
    }

    /// Stores a value under a key that is already there; says whether it was.
    pub fn update_existing(self, ctx: &mut Ctx, key: Value, value: Value) -> Result<bool> {
        let hash = self.hash_of_key(ctx, key)?;
        let Some(at) = self.find(ctx, key, hash)? else { return Ok(false) };
        self.edit(ctx, |table| table.set_value(at, value));
        ctx.write_barrier(self.0, value);
        Ok(true)
    }

    /// Stores a pair as `[]=` does: a String key is copied and frozen, and a Hash that is being gone through takes no
    /// new one.
    pub fn store(self, ctx: &mut Ctx, key: Value, value: Value) -> Result<()> {
        if self.is_iterating() {
            if !self.update_existing(ctx, key, value)? {
                return Err(ctx.runtime_error("can't add a new key into hash during iteration"));
            }
            return Ok(());
        }
        if let Some(string) = self.copied_key(ctx, key) {
            if self.update_existing(ctx, key, value)? {
                return Ok(());
            }
            let own = ctx.frozen_key(string);
            return self.insert(ctx, own.value(), value);
        }
        self.insert(ctx, key, value)
    }

    /// Deletes a key and gives its value.
    pub fn delete(self, ctx: &mut Ctx, key: Value) -> Result<Option<Value>> {
        Ok(self.delete_pair(ctx, key)?.map(|(_, value)| value))
    }

    /// Deletes a key and gives the stored key and its value.
    pub fn delete_pair(self, ctx: &mut Ctx, key: Value) -> Result<Option<(Value, Value)>> {
        if self.is_empty() {
            return Ok(None);
        }
        let hash = self.hash_of_key(ctx, key)?;
        let at = self.find(ctx, key, hash)?;
        Ok(at.and_then(|at| self.take(ctx, |_| Some(at))))
    }

    /// Deletes the entry that `place` finds. What became empty gives a large table back.
    fn take(self, ctx: &mut Ctx, place: impl FnOnce(&Table) -> Option<usize>) -> Option<(Value, Value)> {
        const KEPT: u32 = 64;
        let iterating = self.is_iterating();
        self.edit(ctx, |table| {
            let pair = place(table).and_then(|at| table.delete_at(at));
            if pair.is_some() && table.live() == 0 && table.capacity() > KEPT && !iterating {
                table.clear();
            }
            pair
        })
    }

    /// Deletes the first entry, in O(1) amortised.
    pub fn shift(self, ctx: &mut Ctx) -> Option<(Value, Value)> {
        self.take(ctx, |table| table.next_live(0))
    }

    /// Deletes all entries. Iterations under way come to their end.
    pub fn clear(self, ctx: &mut Ctx) {
        let iterating = self.is_iterating();
        self.edit(ctx, |table| if iterating { table.delete_all() } else { table.clear() });
    }

    /// Files every entry anew under its key's present hash value; of keys that have become equal the
    /// first keeps its place and the last gives the value. Other threads may run now and then.
    pub fn rehash(self, ctx: &mut Ctx) -> Result<()> {
        self.refile(ctx, self.is_identity())
    }

    /// Switches to comparing keys by identity (`Hash#compare_by_identity`).
    pub fn compare_by_identity(self, ctx: &mut Ctx) -> Result<()> {
        if self.is_identity() { Ok(()) } else { self.refile(ctx, true) }
    }

    fn refile(self, ctx: &mut Ctx, identity: bool) -> Result<()> {
        let fresh = Hash::new_in(ctx, Value::HIDDEN);
        fresh.header().put(IDENTITY, identity);
        self.copy_one_by_one(ctx, fresh, true)?;
        let same = self.has_entries_of(ctx, fresh);
        if !same && self.len() >= REFILE_STEPS {
            // Another thread has changed it, or keys have become equal: once more without letting anybody in.
            fresh.clear(ctx);
            self.copy_one_by_one(ctx, fresh, false)?;
        }
        let table = fresh.edit(ctx, |table| std::mem::replace(table, Table::new()));
        if !same {
            for entry in table.entries() {
                ctx.write_barrier(self.0, entry.key);
                ctx.write_barrier(self.0, entry.value);
            }
        }
        self.edit(ctx, |own| own.become_other(table));
        self.header().put(IDENTITY, identity);
        Ok(())
    }

    /// Whether both have the same entries in the same order.
    fn has_entries_of(self, ctx: &Ctx, other: Hash) -> bool {
        let live = |hash: Hash| hash.table(ctx).entries().iter().filter(|entry| entry.live());
        self.len() == other.len() && live(self).zip(live(other)).all(|(a, b)| a.key == b.key && a.value == b.value)
    }

    fn copy_one_by_one(self, ctx: &mut Ctx, to: Hash, polled: bool) -> Result<()> {
        let mut position = 0;
        let mut copied = 0;
        while let Some(entry) = self.next_entry(ctx, position) {
            // No new keys while `hash` and `eql?` of the keys run.
            self.iter_enter();
            let inserted = to.insert(ctx, entry.key, entry.value);
            self.iter_leave();
            inserted?;
            position = entry.position + 1;
            copied += 1;
            if polled && copied % REFILE_STEPS == 0 {
                ctx.check_interrupts()?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    pub fn is_identity(self) -> bool {
        self.header().has(IDENTITY)
    }

    // -- iteration ------------------------------------------------------------------------

    /// The first entry at `position` or behind it.
    #[inline]
    pub fn next_entry(self, ctx: &Ctx, position: usize) -> Option<HashEntry> {
        let table = self.table(ctx);
        let position = table.next_live(position)?;
        let entry = table.entries()[position];
        Some(HashEntry { position, key: entry.key, value: entry.value })
    }

    /// [`next_entry`](Self::next_entry) for mark functions, which have no context.
    pub fn next_entry_marking(self, _marker: &Marker, position: usize) -> Option<HashEntry> {
        // SAFETY: there is a marker during a collection alone, when nobody changes a table.
        let table = unsafe { &*self.raw().table.get() };
        let position = table.next_live(position)?;
        let entry = table.entries()[position];
        Some(HashEntry { position, key: entry.key, value: entry.value })
    }

    /// The entry at a position, when it is still there.
    #[inline]
    pub fn entry_at(self, ctx: &Ctx, position: usize) -> Option<HashEntry> {
        let entry = self.table(ctx).entry(position)?;
        Some(HashEntry { position, key: entry.key, value: entry.value })
    }

    /// Replaces the value at a position that `next_entry` gave, when the entry is still there.
    pub fn set_value_at(self, ctx: &mut Ctx, position: usize, value: Value) {
        self.edit(ctx, |table| {
            if table.entry(position).is_some() {
                table.set_value(position, value);
            }
        });
        ctx.write_barrier(self.0, value);
    }

    /// Deletes the entry at a position, when it is still there.
    pub fn delete_at(self, ctx: &mut Ctx, position: usize) -> Option<(Value, Value)> {
        self.edit(ctx, |table| table.delete_at(position))
    }

    /// Begins an iteration: while it lasts, callers refuse new keys.
    #[inline]
    pub fn iter_enter(self) {
        self.raw().iter_lev.set(self.raw().iter_lev.get().saturating_add(1));
    }

    /// Ends an iteration.
    #[inline]
    pub fn iter_leave(self) {
        debug_assert!(self.is_iterating());
        self.raw().iter_lev.set(self.raw().iter_lev.get().saturating_sub(1));
    }

    /// Those under way are of the object that it was before it moved.
    pub(crate) fn forget_iterations(self) {
        self.raw().iter_lev.set(0);
    }

    #[inline(always)]
    pub fn is_iterating(self) -> bool {
        self.raw().iter_lev.get() > 0
    }

    /// A new Array of the keys.
    pub fn keys(self, ctx: &mut Ctx) -> Array {
        self.gather(ctx, 1, false, |entry, out| out[0] = entry.key)
    }

    /// The same of a hash that nobody else knows: others run meanwhile, if they wait.
    pub fn keys_of_hidden(self, ctx: &mut Ctx) -> Array {
        self.gather(ctx, 1, true, |entry, out| out[0] = entry.key)
    }

    /// A new Array of the values.
    pub fn values(self, ctx: &mut Ctx) -> Array {
        self.gather(ctx, 1, false, |entry, out| out[0] = entry.value)
    }

    /// Each key, followed by its value.
    pub fn keys_and_values(self, ctx: &mut Ctx) -> Array {
        self.gather(ctx, 2, false, |entry, out| (out[0], out[1]) = (entry.key, entry.value))
    }

    /// The `width` values that `pick` writes for each entry. `gives_way`: others may run meanwhile, for they cannot
    /// change it.
    fn gather(self, ctx: &mut Ctx, width: usize, gives_way: bool, pick: impl Fn(&Entry, &mut [Value])) -> Array {
        let list = Array::with_capacity(ctx, self.len() * width);
        let mut some = [Value::NIL; GATHERED];
        let mut position = 0;
        loop {
            let mut filled = 0;
            let entries = self.table(ctx).entries();
            while filled + width <= GATHERED && position < entries.len() {
                let entry = &entries[position];
                position += 1;
                if entry.live() {
                    pick(entry, &mut some[filled..filled + width]);
                    filled += width;
                }
            }
            if filled == 0 {
                return list;
            }
            list.extend(ctx, &some[..filled]);
            if gives_way && ctx.interrupted() {
                ctx.give_way();
            }
        }
    }

    // -- defaults and flags ---------------------------------------------------------------

    /// The default value; nil when there is a default proc.
    #[inline]
    pub fn default_value(self) -> Value {
        if self.header().has(PROC_DEFAULT) { Value::NIL } else { self.raw().default.get() }
    }

    #[inline]
    pub fn default_proc(self) -> Option<Value> {
        if self.header().has(PROC_DEFAULT) { Some(self.raw().default.get()) } else { None }
    }

    /// Sets the default value and forgets the default proc.
    pub fn set_default(self, ctx: &mut Ctx, value: Value) {
        self.header().clear(PROC_DEFAULT);
        self.raw().default.set(value);
        ctx.write_barrier(self.0, value);
    }

    /// Sets the default proc and forgets the default value.
    pub fn set_default_proc(self, ctx: &mut Ctx, proc: Value) {
        self.header().set(PROC_DEFAULT);
        self.raw().default.set(proc);
        ctx.write_barrier(self.0, proc);
    }

    /// Whether the hash collected keywords in a `ruby2_keywords` method.
    pub fn is_ruby2_keywords(self) -> bool {
        self.header().has(RUBY2_KEYWORDS)
    }

    pub fn set_ruby2_keywords(self, on: bool) {
        self.header().put(RUBY2_KEYWORDS, on);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_small() {
        assert_eq!(size_of::<RHash>(), 64);
    }
}

//! ObjectSpace::WeakMap and ObjectSpace::WeakKeyMap: tables that do not keep their members alive.
//!
//! The tables register with the VM, which calls `prune` after marking: entries with dead members go before
//! the heap reuses their cells. A WeakMap compares by identity and holds neither keys nor values; a WeakKeyMap
//! compares by `eql?` and holds its values.

use super::super::support::{string, value_list};
use hashbrown::HashTable;
use rubellite_vm::class::{Arity, ClassDef, method};
use rubellite_vm::object::{Array, Data, NativeData, integer};
use rubellite_vm::{Args, Ctx, Extension, Result, Value, primitive};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::hash::BuildHasher;
use std::rc::{Rc, Weak};

pub static WEAK_MAP: ClassDef = ClassDef {
    name: "ObjectSpace::WeakMap",
    methods: &[
        method("[]", Arity::ONE, map_get),
        method("[]=", Arity::exact(2), map_set),
        method("delete", Arity::ONE, map_delete),
        method("include?", Arity::ONE, map_include_p),
        method("member?", Arity::ONE, map_include_p),
        method("key?", Arity::ONE, map_include_p),
        method("keys", Arity::NONE, map_keys),
        method("values", Arity::NONE, map_values),
        method("size", Arity::NONE, map_size),
        method("length", Arity::NONE, map_size),
        method("inspect", Arity::NONE, map_inspect),
    ],
    alloc: Some(allocate_map),
    primitives: &[primitive("weak_map_pairs", Arity::NONE, map_pairs)],
    ..ClassDef::EMPTY
};

pub static WEAK_KEY_MAP: ClassDef = ClassDef {
    name: "ObjectSpace::WeakKeyMap",
    methods: &[
        method("[]", Arity::ONE, key_map_get),
        method("[]=", Arity::exact(2), key_map_set),
        method("delete", Arity::ONE, key_map_delete),
        method("getkey", Arity::ONE, key_map_getkey),
        method("key?", Arity::ONE, key_map_key_p),
        method("clear", Arity::NONE, key_map_clear),
        method("inspect", Arity::NONE, key_map_inspect),
    ],
    alloc: Some(allocate_key_map),
    ..ClassDef::EMPTY
};

/// An entry; in a WeakMap the hash is that of the key's identity.
#[derive(Copy, Clone)]
struct Entry {
    hash: u64,
    key: Value,
    value: Value,
}

/// Entries in the order in which they came, and where those with a hash are.
#[derive(Default)]
struct Entries {
    /// Deleted ones leave a gap until there are too many of them.
    list: Vec<Option<Entry>>,
    gaps: usize,
    index: HashTable<usize>,
}

/// Fewer gaps are left alone.
const GAPS_MIN: usize = 16;

impl Entries {
    fn len(&self) -> usize {
        self.list.len() - self.gaps
    }

    fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.list.iter().flatten()
    }

    /// Where an entry is that `is_same` accepts, among those with the hash.
    fn position(&self, hash: u64, mut is_same: impl FnMut(&Entry) -> bool) -> Option<usize> {
        self.index.find(hash, |at| self.list[*at].is_some_and(|e| e.hash == hash && is_same(&e))).copied()
    }

    fn push(&mut self, entry: Entry) {
        self.list.push(Some(entry));
        let (at, list) = (self.list.len() - 1, &self.list);
        self.index.insert_unique(entry.hash, at, |at| list[*at].map_or(0, |e| e.hash));
    }

    fn remove(&mut self, at: usize) {
        let Some(entry) = self.list[at] else { return };
        if let Ok(found) = self.index.find_entry(entry.hash, |i| *i == at) {
            found.remove();
        }
        self.list[at] = None;
        self.gaps += 1;
        if self.gaps > GAPS_MIN.max(self.list.len() / 2) {
            self.retain(|_| true);
        }
    }

    /// Drops entries, and closes the gaps if there were any.
    fn retain(&mut self, keep: impl Fn(&Entry) -> bool) {
        let before = self.list.len();
        self.list.retain(|e| e.as_ref().is_some_and(&keep));
        if self.list.len() == before {
            return;
        }
        self.gaps = 0;
        self.index.clear();
        if self.list.len() < self.list.capacity() / 4 {
            self.list.shrink_to_fit();
            self.index = HashTable::with_capacity(self.list.len());
        }
        let list = &self.list;
        for at in 0..list.len() {
            let hash = |at: &usize| list[*at].map_or(0, |e| e.hash);
            self.index.insert_unique(hash(&at), at, hash);
        }
    }

    fn clear(&mut self) {
        *self = Entries::default();
    }
}

type Table = Rc<RefCell<Entries>>;

/// All weak tables of a VM.
#[derive(Default)]
struct Registry(RefCell<Vec<(Weak<RefCell<Entries>>, bool)>>);

impl Extension for Registry {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}

    fn prune(&mut self, alive: &dyn Fn(Value) -> bool) {
        self.0.get_mut().retain(|(table, weak_values)| match table.upgrade() {
            Some(table) => {
                table.borrow_mut().retain(|e| alive(e.key) && (!*weak_values || alive(e.value)));
                true
            }
            None => false,
        });
    }
}

struct WeakMap(Table);

impl NativeData for WeakMap {}

struct WeakKeyMap(Table);

impl NativeData for WeakKeyMap {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        self.0.borrow().iter().for_each(|e| visit(e.value));
    }
}

fn register(ctx: &Ctx, weak_values: bool) -> Table {
    let table = Table::default();
    ctx.extension::<Registry>().0.borrow_mut().push((Rc::downgrade(&table), weak_values));
    table
}

fn allocate_map(ctx: &mut Ctx, class: Value) -> Result {
    let table = register(ctx, true);
    Ok(Data::new(ctx, class, WeakMap(table)).value())
}

fn allocate_key_map(ctx: &mut Ctx, class: Value) -> Result {
    let table = register(ctx, false);
    Ok(Data::new(ctx, class, WeakKeyMap(table)).value())
}

fn table_of(ctx: &mut Ctx, recv: Value) -> Result<Table> {
    let table = Data::state_of::<WeakMap>(ctx, recv).map(|m| m.0.clone());
    match table.or_else(|| Data::state_of::<WeakKeyMap>(ctx, recv).map(|m| m.0.clone())) {
        Some(table) => Ok(table),
        None => Err(ctx.type_error("uninitialized weak map")),
    }
}

/// Whether two keys of a WeakMap are the same: identity, and equal value for floats.
fn same(ctx: &Ctx, a: Value, b: Value) -> bool {
    a == b || ctx.float_value(a).is_some_and(|x| ctx.float_value(b).is_some_and(|y| x.to_bits() == y.to_bits()))
}

/// The hash of what `same` compares.
fn identity_hash(ctx: &Ctx, key: Value) -> u64 {
    rustc_hash::FxBuildHasher.hash_one(ctx.float_value(key).map_or(key.bits(), f64::to_bits))
}

fn position(ctx: &Ctx, table: &Table, key: Value) -> Option<usize> {
    table.borrow().position(identity_hash(ctx, key), |e| same(ctx, e.key, key))
}

fn find(ctx: &Ctx, table: &Table, key: Value) -> Option<Entry> {
    let at = position(ctx, table, key)?;
    table.borrow().list[at]
}

fn map_get(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    Ok(find(ctx, &table, args.at(0)).map_or(Value::NIL, |e| e.value))
}

fn map_set(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    ctx.check_frozen(recv)?;
    let (key, value) = (args.at(0), args.at(1));
    let known = position(ctx, &table, key);
    let mut entries = table.borrow_mut();
    match known {
        Some(at) => entries.list[at] = entries.list[at].map(|entry| Entry { value, ..entry }),
        None => entries.push(Entry { hash: identity_hash(ctx, key), key, value }),
    }
    Ok(value)
}

/// `delete(key) -> value or nil`, `delete(key) { |key| }`
fn map_delete(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let Some(at) = position(ctx, &table, args.at(0)) else {
        return if args.has_block() { ctx.yield_one(args.block, args.at(0)) } else { Ok(Value::NIL) };
    };
    let value = table.borrow().list[at].map_or(Value::NIL, |e| e.value);
    table.borrow_mut().remove(at);
    Ok(value)
}

fn map_include_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    Ok(Value::from_bool(find(ctx, &table, args.at(0)).is_some()))
}

fn map_keys(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let count = table.borrow().len();
    let list = Array::with_capacity(ctx, count);
    let keys: Vec<Value> = table.borrow().iter().map(|e| e.key).collect(); // tidy: pushed without collecting
    list.extend(ctx, &keys);
    Ok(list.value())
}

fn map_values(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let count = table.borrow().len();
    let list = Array::with_capacity(ctx, count);
    let values: Vec<Value> = table.borrow().iter().map(|e| e.value).collect(); // tidy: pushed without collecting
    list.extend(ctx, &values);
    Ok(list.value())
}

/// `[[key, value], ...]`
fn map_pairs(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let list = Array::new(ctx);
    let mut i = 0;
    loop {
        let Some(entry) = table.borrow().list.get(i).copied() else { break };
        if let Some(entry) = entry {
            let pair = value_list(ctx, &[entry.key, entry.value]);
            list.push(ctx, pair);
        }
        i += 1;
    }
    Ok(list.value())
}

fn map_size(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let n = table.borrow().len() as i64;
    Ok(ctx.int(n))
}

fn map_inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let head = ctx.any_to_s(recv);
    let mut out = head[..head.len() - 1].to_string();
    let (mut i, mut separator) = (0, ": ");
    loop {
        let Some(entry) = table.borrow().list.get(i).copied() else { break };
        i += 1;
        let Some(entry) = entry else { continue };
        out += std::mem::replace(&mut separator, ", ");
        for (part, arrow) in [(entry.key, " => "), (entry.value, "")] {
            let text = if part.is_immediate() { ctx.inspect(part)? } else { ctx.any_to_s(part) };
            out += &text;
            out += arrow;
        }
    }
    out.push('>');
    Ok(string(ctx, &out))
}

// -- WeakKeyMap

/// The entry whose key is `eql?` to `key`.
fn find_eql(ctx: &mut Ctx, table: &Table, hash: u64, key: Value) -> Result<Option<Entry>> {
    // `eql?` may run Ruby code, which may change the table.
    let mut candidates: SmallVec<[usize; 4]> = SmallVec::new();
    candidates.extend(table.borrow().index.iter_hash(hash).copied());
    for at in candidates {
        let Some(entry) = table.borrow().list.get(at).copied().flatten() else { continue };
        if entry.hash == hash && ctx.eql(key, entry.key)? {
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

/// Where the very entry is that `find_eql` has found.
fn position_of(table: &Table, entry: Entry) -> Option<usize> {
    table.borrow().position(entry.hash, |e| e.key == entry.key)
}

fn key_map_get(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let hash = ctx.hash_of(args.at(0))?;
    Ok(find_eql(ctx, &table, hash, args.at(0))?.map_or(Value::NIL, |e| e.value))
}

fn key_map_set(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let (key, value) = (args.at(0), args.at(1));
    if key.is_immediate() || integer::is_integer(key) || ctx.float_value(key).is_some() {
        return Err(ctx.argument_error("WeakKeyMap keys must be garbage collectable"));
    }
    let hash = ctx.hash_of(key)?;
    let known = find_eql(ctx, &table, hash, key)?.and_then(|known| position_of(&table, known));
    let mut entries = table.borrow_mut();
    match known {
        Some(at) => entries.list[at] = entries.list[at].map(|entry| Entry { value, ..entry }),
        None => entries.push(Entry { hash, key, value }),
    }
    drop(entries);
    ctx.write_barrier(recv, value);
    Ok(value)
}

/// `delete(key) -> value or nil`, `delete(key) { |key| }`
fn key_map_delete(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let hash = ctx.hash_of(args.at(0))?;
    match find_eql(ctx, &table, hash, args.at(0))? {
        Some(entry) => {
            if let Some(at) = position_of(&table, entry) {
                table.borrow_mut().remove(at);
            }
            Ok(entry.value)
        }
        None if args.has_block() => ctx.yield_one(args.block, args.at(0)),
        None => Ok(Value::NIL),
    }
}

fn key_map_getkey(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let hash = ctx.hash_of(args.at(0))?;
    Ok(find_eql(ctx, &table, hash, args.at(0))?.map_or(Value::NIL, |e| e.key))
}

fn key_map_key_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let hash = ctx.hash_of(args.at(0))?;
    Ok(Value::from_bool(find_eql(ctx, &table, hash, args.at(0))?.is_some()))
}

fn key_map_clear(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    table.borrow_mut().clear();
    Ok(recv)
}

fn key_map_inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let head = ctx.any_to_s(recv);
    let n = table.borrow().len();
    Ok(string(ctx, &format!("{} size={n}>", &head[..head.len() - 1])))
}

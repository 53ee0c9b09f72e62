//! ObjectSpace::WeakMap and ObjectSpace::WeakKeyMap: tables that do not keep their members alive.
//!
//! The tables register with the VM, which calls `prune` after marking: entries with dead members go before
//! the heap reuses their cells. A WeakMap compares by identity and holds neither keys nor values; a WeakKeyMap
//! compares by `eql?` and holds its values.

use super::super::support::{string, value_list};
use rubellite_vm::class::{Arity, ClassDef, method};
use rubellite_vm::object::{Array, Data, NativeData, integer};
use rubellite_vm::{Args, Ctx, Extension, Result, Value, primitive};
use std::cell::RefCell;
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

/// An entry; the hash is 0 in a WeakMap.
#[derive(Copy, Clone)]
struct Entry {
    hash: u64,
    key: Value,
    value: Value,
}

type Table = Rc<RefCell<Vec<Entry>>>;

/// All weak tables of a VM.
#[derive(Default)]
struct Registry(RefCell<Vec<(Weak<RefCell<Vec<Entry>>>, bool)>>);

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

fn find(ctx: &Ctx, table: &Table, key: Value) -> Option<Entry> {
    table.borrow().iter().find(|e| same(ctx, e.key, key)).copied()
}

fn map_get(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    Ok(find(ctx, &table, args.at(0)).map_or(Value::NIL, |e| e.value))
}

fn map_set(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    ctx.check_frozen(recv)?;
    let (key, value) = (args.at(0), args.at(1));
    let mut entries = table.borrow_mut();
    match entries.iter_mut().find(|e| same(ctx, e.key, key)) {
        Some(entry) => entry.value = value,
        None => entries.push(Entry { hash: 0, key, value }),
    }
    Ok(value)
}

/// `delete(key) -> value or nil`, `delete(key) { |key| }`
fn map_delete(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let found = find(ctx, &table, args.at(0));
    match found {
        Some(entry) => {
            table.borrow_mut().retain(|e| e.key != entry.key);
            Ok(entry.value)
        }
        None if args.has_block() => ctx.yield_one(args.block, args.at(0)),
        None => Ok(Value::NIL),
    }
}

fn map_include_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    Ok(Value::from_bool(find(ctx, &table, args.at(0)).is_some()))
}

fn map_keys(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let list = Array::with_capacity(ctx, table.borrow().len());
    let keys: Vec<Value> = table.borrow().iter().map(|e| e.key).collect(); // tidy: pushed without collecting
    list.extend(ctx, &keys);
    Ok(list.value())
}

fn map_values(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let table = table_of(ctx, recv)?;
    let list = Array::with_capacity(ctx, table.borrow().len());
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
        let Some(entry) = table.borrow().get(i).copied() else { break };
        let pair = value_list(ctx, &[entry.key, entry.value]);
        list.push(ctx, pair);
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
    let mut i = 0;
    loop {
        let Some(entry) = table.borrow().get(i).copied() else { break };
        out += if i == 0 { ": " } else { ", " };
        for (part, arrow) in [(entry.key, " => "), (entry.value, "")] {
            let text = if part.is_immediate() { ctx.inspect(part)? } else { ctx.any_to_s(part) };
            out += &text;
            out += arrow;
        }
        i += 1;
    }
    out.push('>');
    Ok(string(ctx, &out))
}

// -- WeakKeyMap

/// The entry whose key is `eql?` to `key`.
fn find_eql(ctx: &mut Ctx, table: &Table, hash: u64, key: Value) -> Result<Option<Entry>> {
    let mut i = 0;
    loop {
        let Some(entry) = table.borrow().get(i).copied() else { return Ok(None) };
        if entry.hash == hash && ctx.eql(key, entry.key)? {
            return Ok(Some(entry));
        }
        i += 1;
    }
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
    let known = find_eql(ctx, &table, hash, key)?;
    let mut entries = table.borrow_mut();
    match known.and_then(|k| entries.iter_mut().find(|e| e.key == k.key)) {
        Some(entry) => entry.value = value,
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
            table.borrow_mut().retain(|e| e.key != entry.key);
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

//! Set: the class and its natives. The elements are the keys of a hidden Hash, which the set's native state holds;
//! methods that yield per element are `set.rb`,
//! `set_subclass.rb` is what subclasses have.

use super::array::append_nested;
use super::hash::each_entry;
use super::util::{hash_value, recursive_hash};
use rubellite_vm::object::hashing::hash_word;
use rubellite_vm::object::{Array, Data, Hash, NativeData, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, flags, method, primitive, private_method};
use std::cell::Cell;

/// The state of a set: its hidden Hash.
struct SetState {
    table: Cell<Value>,
}

impl NativeData for SetState {
    fn tells_stores() -> bool {
        true
    }

    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.table.get());
    }

    fn frozen_shareable(&self) -> bool {
        true
    }

    fn exchange_references(&self, exchange: &dyn Fn(Value) -> Value) -> bool {
        self.table.set(exchange(self.table.get()));
        true
    }
}

pub static SET: ClassDef = ClassDef {
    name: "Set",
    superclass: "Object",
    includes: &["Enumerable"],
    alloc: Some(allocate),
    singleton_methods: &[method("[]", Arity::ANY, literal)],
    methods: &[
        private_method("initialize_copy", Arity::ONE, initialize_copy),
        method("add", Arity::ONE, add).tries(try_add),
        method("<<", Arity::ONE, add).tries(try_add),
        method("add?", Arity::ONE, add_p).tries(try_add_p),
        method("delete", Arity::ONE, delete),
        method("delete?", Arity::ONE, delete_p),
        method("include?", Arity::ONE, include_p).tries(try_include),
        method("member?", Arity::ONE, include_p).tries(try_include),
        method("===", Arity::ONE, include_p).tries(try_include),
        method("size", Arity::NONE, size).leaf(0),
        method("length", Arity::NONE, size).leaf(0),
        method("empty?", Arity::NONE, empty_p).leaf(0),
        method("clear", Arity::NONE, clear),
        method("to_a", Arity::NONE, to_a),
        method("==", Arity::ONE, op_eq),
        method("eql?", Arity::ONE, op_eq),
        method("hash", Arity::NONE, hash),
        method("inspect", Arity::NONE, inspect),
        method("to_s", Arity::NONE, inspect),
        method("freeze", Arity::NONE, freeze),
        method("reset", Arity::NONE, reset),
        method("compare_by_identity", Arity::NONE, compare_by_identity),
        method("compare_by_identity?", Arity::NONE, compare_by_identity_p),
    ],
    primitives: &[
        primitive("set_add_list", Arity::ONE, add_list),
        primitive("set_p", Arity::NONE, is_set),
        primitive("set_table", Arity::NONE, hidden_table).leaf(0),
        primitive("set_iterating_p", Arity::NONE, iterating_p),
        primitive("set_delete_at", Arity::ONE, delete_at),
        primitive("set_replace", Arity::ONE, replace_by_set),
        primitive("set_subset_p", Arity::ONE, subset_p),
        primitive("set_remove_list", Arity::ONE, remove_list),
        primitive("set_toggle", Arity::ONE, toggle),
        primitive("set_common", Arity::ONE, common),
        primitive("set_meets_p", Arity::ONE, meets_p),
    ],
    ruby: concat!(include_str!("set.rb"), include_str!("set_subclass.rb")),
    ..ClassDef::EMPTY
};

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    let table = Hash::new_in(ctx, Value::HIDDEN).value();
    Ok(Data::new(ctx, class, SetState { table: Cell::new(table) }).value())
}

/// The hidden Hash of a set; none for anything else.
pub fn table_of(ctx: &Ctx, value: Value) -> Option<Hash> {
    let state: &SetState = Data::state_of(ctx, value)?;
    Hash::try_of(state.table.get())
}

/// Fills a fresh set from a Hash whose values are all true: how a set lies in a dump.
pub fn fill(ctx: &mut Ctx, set: Value, entries: Hash) -> Result<()> {
    let own = table(ctx, set)?;
    if entries.is_identity() {
        own.compare_by_identity(ctx)?;
    }
    each_entry(ctx, entries, |ctx, item, value| {
        if value != Value::TRUE {
            let class = ctx.real_class(value).inspect(ctx);
            return Err(ctx.runtime_error(&format!("expect true as Set value: {class}")));
        }
        insert(ctx, own, item)?;
        Ok(true)
    })
}

/// The receiver's table.
fn table(ctx: &mut Ctx, recv: Value) -> Result<Hash> {
    match table_of(ctx, recv) {
        Some(table) => Ok(table),
        None => Err(ctx.moved_error(recv).unwrap_or_else(|| ctx.type_error("uninitialized Set"))),
    }
}

fn writable(ctx: &mut Ctx, recv: Value) -> Result<Hash> {
    ctx.check_frozen(recv)?;
    table(ctx, recv)
}

fn insert(ctx: &mut Ctx, table: Hash, item: Value) -> Result<()> {
    if !table.is_iterating() {
        table.add(ctx, item, Value::TRUE)?;
    } else if !table.contains(ctx, item)? {
        return Err(ctx.runtime_error("can't add a new item into set during iteration"));
    }
    Ok(())
}

/// `Set[*items]`
fn literal(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let set = allocate(ctx, recv)?;
    let table = table(ctx, set)?;
    for i in 0..args.len() {
        insert(ctx, table, args.at(i))?;
    }
    Ok(set)
}

fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    replace_by_set(ctx, recv, args)
}

/// Takes over the elements of another set.
fn replace_by_set(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let own = writable(ctx, recv)?;
    if recv == args.at(0) {
        return Ok(recv);
    }
    if own.is_iterating() {
        return Err(ctx.runtime_error("cannot replace set during iteration"));
    }
    let other = table(ctx, args.at(0))?;
    own.replace_entries(ctx, other);
    Ok(recv)
}

/// Adds the elements of an Array or a set.
fn add_list(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let own = writable(ctx, recv)?;
    if let Some(list) = Array::try_of(args.at(0)) {
        let mut i = 0;
        while let Some(item) = list.get(i) {
            insert(ctx, own, item)?;
            i += 1;
            rubellite_core_thread::outside::poll(ctx, i)?;
        }
        return Ok(recv);
    }
    let other = table(ctx, args.at(0))?;
    if other != own {
        each_entry(ctx, other, |ctx, item, _| insert(ctx, own, item).map(|()| true))?;
    }
    Ok(recv)
}

/// Removes the elements of an Array or a set.
fn remove_list(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let own = writable(ctx, recv)?;
    if let Some(list) = Array::try_of(args.at(0)) {
        let mut i = 0;
        while let Some(item) = list.get(i) {
            own.delete(ctx, item)?;
            i += 1;
            rubellite_core_thread::outside::poll(ctx, i)?;
        }
        return Ok(recv);
    }
    let other = table(ctx, args.at(0))?;
    walk(ctx, other, |ctx, item| own.delete(ctx, item).map(|_| true))?;
    Ok(recv)
}

/// Removes those elements of another set that are here, and adds the others.
fn toggle(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (own, other) = (writable(ctx, recv)?, table(ctx, args.at(0))?);
    walk(ctx, other, |ctx, item| {
        if own.delete(ctx, item)?.is_none() {
            insert(ctx, own, item)?;
        }
        Ok(true)
    })?;
    Ok(recv)
}

/// The smaller of two tables, and the other one; of equally long ones the second counts as the smaller.
fn by_size(a: Hash, b: Hash) -> (Hash, Hash) {
    if b.len() > a.len() { (a, b) } else { (b, a) }
}

/// A new set of the receiver's class with the elements that both have.
fn common(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (less, more) = by_size(table(ctx, recv)?, table(ctx, args.at(0))?);
    let class = ctx.real_class(recv).value();
    let result = allocate(ctx, class)?;
    let into = table(ctx, result)?;
    walk(ctx, less, |ctx, item| {
        if more.contains(ctx, item)? {
            insert(ctx, into, item)?;
        }
        Ok(true)
    })?;
    Ok(result)
}

/// Whether two sets have an element in common.
fn meets_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (less, more) = by_size(table(ctx, recv)?, table(ctx, args.at(0))?);
    let mut found = false;
    walk(ctx, less, |ctx, item| {
        found = more.contains(ctx, item)?;
        Ok(!found)
    })?;
    Ok(Value::from_bool(found))
}

/// Visits elements, as `each` does: what is called meanwhile adds none.
fn walk(ctx: &mut Ctx, table: Hash, mut visit: impl FnMut(&mut Ctx, Value) -> Result<bool>) -> Result<()> {
    table.iter_enter();
    let outcome = each_entry(ctx, table, |ctx, item, _| visit(ctx, item));
    if table.is_iterating() {
        table.iter_leave();
    }
    outcome
}

fn is_set(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(table_of(ctx, recv).is_some()))
}

// -- iteration ------------------------------------------------------------------------------

/// The hidden Hash, for iteration in Ruby, which goes by its positions.
fn hidden_table(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(table(ctx, recv)?.value())
}

fn iterating_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(table(ctx, recv)?.is_iterating()))
}

fn delete_at(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let position = args.at(0).as_fixnum().unwrap_or(0).max(0) as usize;
    writable(ctx, recv)?.delete_at(ctx, position);
    Ok(Value::NIL)
}

// -- elements -------------------------------------------------------------------------------

fn add(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = writable(ctx, recv)?;
    insert(ctx, table, args.at(0))?;
    Ok(recv)
}

fn add_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let table = writable(ctx, recv)?;
    let before = table.len();
    insert(ctx, table, args.at(0))?;
    Ok(if table.len() == before { Value::NIL } else { recv })
}

/// A new element goes into a table of this size at most without a frame: a longer one grows in stages.
const SHORT: usize = 1 << 16;

/// Whether the element was added, if nothing of the program is called and nothing is raised.
fn added(ctx: &mut Ctx, recv: Value, item: Value) -> Result<Option<bool>> {
    let frozen = recv.header().is_none_or(|header| header.frozen());
    let Some(table) = table_of(ctx, recv).filter(|table| !frozen && table.len() < SHORT) else { return Ok(None) };
    match table.get_plainly(ctx, item).map(|found| found.is_some()) {
        Some(true) => Ok(Some(false)),
        Some(false) if !table.is_iterating() => table.add(ctx, item, Value::TRUE).map(Some),
        _ => Ok(None),
    }
}

fn try_add(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(added(ctx, recv, args.at(0))?.map_or(Value::UNDEF, |_| recv))
}

fn try_add_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(added(ctx, recv, args.at(0))?.map_or(Value::UNDEF, |added| if added { recv } else { Value::NIL }))
}

fn try_include(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let found = table_of(ctx, recv).and_then(|table| table.get_plainly(ctx, args.at(0)));
    Ok(found.map_or(Value::UNDEF, |found| Value::from_bool(found.is_some())))
}

fn delete(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    writable(ctx, recv)?.delete(ctx, args.at(0))?;
    Ok(recv)
}

fn delete_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let removed = writable(ctx, recv)?.delete(ctx, args.at(0))?;
    Ok(removed.map_or(Value::NIL, |_| recv))
}

fn include_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    Ok(Value::from_bool(table(ctx, recv)?.contains(ctx, args.at(0))?))
}

fn size(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(table(ctx, recv)?.len() as i64))
}

fn empty_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(table(ctx, recv)?.is_empty()))
}

fn clear(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    writable(ctx, recv)?.clear(ctx);
    Ok(recv)
}

fn to_a(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(table(ctx, recv)?.keys(ctx).value())
}

fn freeze(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let table = Data::state_of::<SetState>(ctx, recv).map_or(Value::NIL, |state| state.table.get());
    for value in [recv, table] {
        if let Some(header) = value.header() {
            header.set(flags::FROZEN);
        }
    }
    Ok(recv)
}

fn reset(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let table = writable(ctx, recv)?;
    if table.is_iterating() {
        return Err(ctx.runtime_error("reset during iteration"));
    }
    table.rehash(ctx)?;
    Ok(recv)
}

fn compare_by_identity(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let own = table(ctx, recv)?;
    if own.is_identity() {
        return Ok(recv);
    }
    let own = writable(ctx, recv)?;
    if own.is_iterating() {
        return Err(ctx.runtime_error("compare_by_identity during iteration"));
    }
    own.compare_by_identity(ctx)?;
    Ok(recv)
}

fn compare_by_identity_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(table(ctx, recv)?.is_identity()))
}

// -- comparison -----------------------------------------------------------------------------

/// Whether every element of `a` is in `b`.
fn included(ctx: &mut Ctx, a: Hash, b: Hash) -> Result<bool> {
    let mut all = true;
    each_entry(ctx, a, |ctx, item, _| {
        all = b.contains(ctx, item)?;
        Ok(all)
    })?;
    Ok(all)
}

fn op_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if recv == args.at(0) {
        return Ok(Value::TRUE);
    }
    let (a, Some(b)) = (table(ctx, recv)?, table_of(ctx, args.at(0))) else { return Ok(Value::FALSE) };
    if a.len() != b.len() || a.is_identity() != b.is_identity() {
        return Ok(Value::FALSE);
    }
    let name = ctx.names().op_eq;
    let same = ctx.guard_recursion(name, recv, args.at(0), |_| Ok(true), |ctx| included(ctx, a, b))?;
    Ok(Value::from_bool(same))
}

/// Whether the argument, a set, has every element of the receiver.
fn subset_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (a, b) = (table(ctx, recv)?, table(ctx, args.at(0))?);
    Ok(Value::from_bool(a.len() <= b.len() && included(ctx, a, b)?))
}

fn hash(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (table, seed) = (table(ctx, recv)?, ctx.hash_seed());
    let start = hash_word(seed, table.len() as u64 ^ 0x5e7);
    let total = recursive_hash(ctx, recv, |ctx| {
        let mut total = start;
        each_entry(ctx, table, |ctx, item, _| {
            total = total.wrapping_add(hash_word(seed, super::array::word_of(ctx, item)?));
            Ok(true)
        })?;
        Ok(total)
    })?;
    Ok(hash_value(total))
}

/// `Set[1, 2]`
fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (table, name) = (table(ctx, recv)?, ctx.names().inspect);
    let class = ctx.real_class(recv).inspect(ctx);
    let again = format!("{class}[...]");
    let text = ctx.guard_recursion(
        name,
        recv,
        Value::NIL,
        |ctx| Ok(Str::utf8(ctx, &again)),
        |ctx| {
            let text = Str::utf8(ctx, &class);
            text.append(ctx, b"[");
            let mut first = true;
            each_entry(ctx, table, |ctx, item, _| {
                if !std::mem::replace(&mut first, false) {
                    text.append(ctx, b", ");
                }
                append_nested(ctx, text, item)?;
                Ok(true)
            })?;
            text.append(ctx, b"]");
            Ok(text)
        },
    )?;
    Ok(text.value())
}

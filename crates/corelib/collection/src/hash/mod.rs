//! Hash: the class and its table of methods. Storage is `vm::object::hash`; methods that yield per entry are `hash.rb`.
//!
//! Iteration in Ruby goes by position between `hash_enter` and `hash_leave`; while it lasts new keys are refused.

mod compare;
mod entries;

use super::array::append_nested;
use super::util::{append_inspect, append_shown};
use rubellite_encoding::CodeRange;
use rubellite_vm::object::{Array, Hash, Proc, Str};
use rubellite_vm::{
    Args, Arity, ClassDef, Ctx, Encoding, Result, Tag, Value, flags, method, primitive, private_method,
};

pub static HASH: ClassDef = ClassDef {
    name: "Hash",
    superclass: "Object",
    includes: &["Enumerable"],
    alloc: Some(allocate),
    singleton_methods: &[
        method("[]", Arity::ANY, literal),
        method("try_convert", Arity::ONE, try_convert),
        method("ruby2_keywords_hash?", Arity::ONE, ruby2_keywords_hash_p),
        method("ruby2_keywords_hash", Arity::ONE, ruby2_keywords_hash),
    ],
    methods: &[
        private_method("initialize", Arity::range(0, 1).with_keywords(), initialize),
        private_method("initialize_copy", Arity::ONE, replace),
        method("replace", Arity::ONE, replace),
        // Private natives of the Ruby part.
        // Lookup.
        method("[]", Arity::ONE, aref),
        method("key?", Arity::ONE, key_p).tries(try_key),
        method("has_key?", Arity::ONE, key_p).tries(try_key),
        method("include?", Arity::ONE, key_p).tries(try_key),
        method("member?", Arity::ONE, key_p).tries(try_key),
        method("value?", Arity::ONE, value_p),
        method("has_value?", Arity::ONE, value_p),
        method("key", Arity::ONE, key),
        method("dig", Arity::at_least(1), dig).tries(try_dig),
        method("fetch", Arity::range(1, 2), fetch).tries(try_fetch),
        method("values_at", Arity::ANY, values_at),
        method("assoc", Arity::ONE, assoc),
        method("rassoc", Arity::ONE, rassoc),
        method("keys", Arity::NONE, keys),
        method("values", Arity::NONE, values),
        method("to_a", Arity::NONE, to_a),
        method("size", Arity::NONE, size).leaf(0),
        method("length", Arity::NONE, size).leaf(0),
        method("empty?", Arity::NONE, empty_p).leaf(0),
        // Change.
        method("[]=", Arity::exact(2), aset),
        method("store", Arity::exact(2), aset),
        method("delete", Arity::ONE, delete),
        method("shift", Arity::NONE, shift),
        method("clear", Arity::NONE, clear),
        method("compact", Arity::NONE, compact),
        method("compact!", Arity::NONE, compact_bang),
        method("rehash", Arity::NONE, rehash),
        method("except", Arity::ANY, except),
        method("slice", Arity::ANY, slice),
        method("invert", Arity::NONE, invert),
        method("freeze", Arity::NONE, freeze),
        // Defaults and modes.
        method("default", Arity::range(0, 1), default),
        method("default=", Arity::ONE, set_default),
        method("default_proc", Arity::NONE, default_proc),
        method("default_proc=", Arity::ONE, set_default_proc),
        method("compare_by_identity", Arity::NONE, compare_by_identity),
        method("compare_by_identity?", Arity::NONE, compare_by_identity_p),
        // Comparing and converting.
        method("==", Arity::ONE, compare::op_eq),
        method("eql?", Arity::ONE, compare::eql_p),
        method("hash", Arity::NONE, compare::hash),
        method("<=", Arity::ONE, compare::subset_p),
        method(">=", Arity::ONE, compare::superset_p),
        method("<", Arity::ONE, compare::proper_subset_p),
        method(">", Arity::ONE, compare::proper_superset_p),
        method("inspect", Arity::NONE, inspect),
        method("to_s", Arity::NONE, inspect),
        method("to_hash", Arity::NONE, to_hash),
        method("to_proc", Arity::NONE, to_proc),
    ],
    primitives: &[
        primitive("hash_enter", Arity::NONE, entries::enter).leaf(0),
        primitive("hash_leave", Arity::NONE, entries::leave).leaf(0),
        primitive("hash_next", Arity::ONE, entries::next).leaf(1),
        primitive("hash_key", Arity::ONE, entries::key_at).leaf(1),
        primitive("hash_value", Arity::ONE, entries::value_at).leaf(1),
        primitive("hash_set_value", Arity::exact(2), entries::set_value_at),
        primitive("hash_delete_at", Arity::ONE, entries::delete_at),
        primitive("hash_len", Arity::NONE, size).leaf(0),
        primitive("hash_get", Arity::exact(2), entries::get_or),
        primitive("hash_pair", Arity::ONE, entries::pair_of).leaf(1),
        primitive("hash_plain_copy", Arity::NONE, entries::plain_copy),
        primitive("hash_same_copy", Arity::NONE, entries::same_copy),
        primitive("hash_all_values", Arity::NONE, values),
        primitive("hash_put_values", Arity::ONE, entries::put_values),
        primitive("hash_keys_and_values", Arity::NONE, keys_and_values),
        primitive("hash_update", Arity::ONE, update),
        primitive("hash_to_h", Arity::NONE, to_h),
    ],
    ruby: include_str!("../hash.rb"),
    ..ClassDef::EMPTY
};

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Hash::new_in(ctx, class).value())
}

fn writable(ctx: &mut Ctx, hash: Hash) -> Result<Hash> {
    ctx.check_frozen(hash.value())?;
    Ok(hash)
}

/// Every entry by position, for loops that may run Ruby code.
pub fn each_entry(
    ctx: &mut Ctx,
    hash: Hash,
    mut visit: impl FnMut(&mut Ctx, Value, Value) -> Result<bool>,
) -> Result<()> {
    let (mut position, mut visited) = (0, 0);
    while let Some(entry) = hash.next_entry(ctx, position) {
        if !visit(ctx, entry.key, entry.value)? {
            return Ok(());
        }
        position = entry.position + 1;
        visited += 1;
        rubellite_core_thread::outside::poll(ctx, visited)?;
    }
    Ok(())
}

// -- making ---------------------------------------------------------------------------------

/// `Hash[other_hash]`, `Hash[pairs]`, `Hash[key, value, ...]`
fn literal(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let hash = Hash::new_in(ctx, recv);
    if args.len() == 1 {
        if let Some(other) = ctx.check_hash(args.at(0))? {
            hash.replace_entries(ctx, other);
            if other.is_identity() {
                let plain = Hash::new_in(ctx, recv);
                each_entry(ctx, hash, |ctx, k, v| plain.store(ctx, k, v).map(|()| true))?;
                return Ok(plain.value());
            }
            return Ok(hash.value());
        }
        if let Some(pairs) = ctx.check_array(args.at(0))? {
            return literal_pairs(ctx, hash, pairs);
        }
    }
    if !args.len().is_multiple_of(2) {
        return Err(ctx.argument_error("odd number of arguments for Hash"));
    }
    for i in (0..args.len()).step_by(2) {
        hash.store(ctx, args.at(i), args.at(i + 1))?;
    }
    Ok(hash.value())
}

fn literal_pairs(ctx: &mut Ctx, hash: Hash, pairs: Array) -> Result {
    let mut i = 0;
    while let Some(item) = pairs.get(i) {
        let Some(pair) = ctx.check_array(item)? else {
            let class = ctx.describe_for_conversion(item);
            return Err(ctx.argument_error(&format!("wrong element type {class} at {i} (expected array)")));
        };
        if !(1..=2).contains(&pair.len()) {
            return Err(ctx.argument_error(&format!("invalid number of elements ({} for 1..2)", pair.len())));
        }
        hash.store(ctx, pair.get(0).unwrap_or(Value::NIL), pair.get(1).unwrap_or(Value::NIL))?;
        i += 1;
    }
    Ok(hash.value())
}

fn try_convert(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(ctx.check_hash(args.at(0))?.map_or(Value::NIL, Hash::value))
}

fn ruby2_keywords_hash_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    match Hash::try_of(args.at(0)) {
        Some(hash) => Ok(Value::from_bool(hash.is_ruby2_keywords())),
        None => Err(wrong_type(ctx, args.at(0))),
    }
}

fn wrong_type(ctx: &mut Ctx, value: Value) -> rubellite_vm::Unwind {
    let class = ctx.describe_for_conversion(value);
    ctx.type_error(&format!("wrong argument type {class} (expected Hash)"))
}

fn ruby2_keywords_hash(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let Some(hash) = Hash::try_of(args.at(0)) else { return Err(wrong_type(ctx, args.at(0))) };
    let klass = ctx.real_class(hash.value()).value();
    let copy = hash.dup_in(ctx, klass);
    ctx.ivar_copy(hash.value(), copy.value());
    copy.set_ruby2_keywords(true);
    Ok(copy.value())
}

/// `Hash.new(default = nil, capacity: 0) { |hash, key| ... }`
fn initialize(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let hash = writable(ctx, hash)?;
    let plain = args.positional();
    args.check_keywords(ctx, &["capacity"])?;
    if let Some(capacity) = args.keyword(ctx, "capacity") {
        let capacity = ctx.to_int(capacity)?;
        if capacity > 0 && hash.is_empty() && hash.try_reserve(ctx, (capacity as usize).min(1 << 24)).is_err() {
            return Err(ctx.no_memory());
        }
    }
    if args.has_block() {
        if !plain.is_empty() {
            return Err(ctx.arity_error(plain.len(), 0, Some(0)));
        }
        let proc = ctx.block_to_value(args.block);
        check_default_proc(ctx, proc)?;
        hash.set_default_proc(ctx, proc);
    } else {
        hash.set_default(ctx, plain.at(0));
    }
    Ok(hash.value())
}

/// A lambda for a default proc must take two arguments.
fn check_default_proc(ctx: &mut Ctx, proc: Value) -> Result<()> {
    let Some(p) = Proc::try_of(proc) else { return Ok(()) };
    let arity = p.lambda_arity();
    if p.is_lambda() && arity != 2 && !(-3..0).contains(&arity) {
        let arity = if arity < 0 { -arity - 1 } else { arity };
        return Err(ctx.type_error(&format!("default_proc takes two arguments (2 for {arity})")));
    }
    Ok(())
}

fn replace(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let hash = writable(ctx, hash)?;
    let other = ctx.to_hash(args.at(0))?;
    if hash == other {
        return Ok(hash.value());
    }
    if hash.is_iterating() {
        return Err(ctx.runtime_error("can't replace hash during iteration"));
    }
    hash.replace_entries(ctx, other);
    match other.default_proc() {
        Some(proc) => hash.set_default_proc(ctx, proc),
        None => hash.set_default(ctx, other.default_value()),
    }
    Ok(hash.value())
}

fn freeze(_ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    hash.header().set(flags::FROZEN);
    Ok(hash.value())
}

// -- lookup ---------------------------------------------------------------------------------

/// The value for a key that is not there.
pub fn default_for(ctx: &mut Ctx, hash: Hash, key: Value) -> Result {
    let name = ctx.intern("default");
    if !ctx.is_builtin(hash.value(), name) {
        return ctx.call(hash.value(), name, &[key]);
    }
    match hash.default_proc() {
        Some(proc) => {
            let call = ctx.names().call;
            ctx.call(proc, call, &[hash.value(), key])
        }
        None => Ok(hash.default_value()),
    }
}

pub fn aref(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    value_or_default(ctx, hash, args.at(0))
}

/// What `[]` of Hash itself gives.
pub fn value_or_default(ctx: &mut Ctx, hash: Hash, key: Value) -> Result {
    match hash.get(ctx, key)? {
        Some(value) => Ok(value),
        None => default_for(ctx, hash, key),
    }
}

fn key_p(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    Ok(Value::from_bool(hash.contains(ctx, args.at(0))?))
}

fn try_key(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    Ok(hash.get_plainly(ctx, args.at(0)).map_or(Value::UNDEF, |found| Value::from_bool(found.is_some())))
}

/// The first entry whose value equals `value`.
fn find_value(ctx: &mut Ctx, hash: Hash, value: Value) -> Result<Option<(Value, Value)>> {
    let mut found = None;
    each_entry(ctx, hash, |ctx, k, v| {
        if v == value || ctx.equal(v, value)? {
            found = Some((k, v));
            return Ok(false);
        }
        Ok(true)
    })?;
    Ok(found)
}

fn value_p(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    Ok(Value::from_bool(find_value(ctx, hash, args.at(0))?.is_some()))
}

fn key(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    Ok(find_value(ctx, hash, args.at(0))?.map_or(Value::NIL, |(k, _)| k))
}

fn rassoc(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    match find_value(ctx, hash, args.at(0))? {
        Some((k, v)) => Ok(Array::from_slice(ctx, &[k, v]).value()),
        None => Ok(Value::NIL),
    }
}

fn assoc(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let wanted = args.at(0);
    let mut found = if hash.is_identity() { None } else { hash.get_pair(ctx, wanted)? };
    if found.is_none() {
        each_entry(ctx, hash, |ctx, k, v| {
            if ctx.equal(k, wanted)? {
                found = Some((k, v));
            }
            Ok(found.is_none())
        })?;
    }
    Ok(found.map_or(Value::NIL, |(k, v)| Array::from_slice(ctx, &[k, v]).value()))
}

/// Through Hashes and Arrays that are no more than that, to what is there.
pub fn try_dig(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let mut object = recv;
    for i in 0..args.len() {
        let (key, class) = (args.at(i), object.header().map(|header| header.klass.get()));
        let core = ctx.classes();
        let found = match class {
            _ if i > 0 && !ctx.is_builtin(object, ctx.names().dig) => None,
            Some(class) if class == core.hash.get() => {
                Hash::try_of(object).and_then(|hash| hash.get_plainly(ctx, key).flatten())
            }
            Some(class) if class == core.array.get() => {
                let at = key.as_fixnum().and_then(|at| usize::try_from(at).ok());
                at.zip(Array::try_of(object)).and_then(|(at, list)| list.get(at))
            }
            _ => None,
        };
        match found {
            Some(found) => object = found,
            None => return Ok(Value::UNDEF),
        }
    }
    Ok(object)
}

fn dig(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let found = value_or_default(ctx, hash, args.at(0))?;
    super::array::dig_into(ctx, found, args.from(1))
}

/// Characters of a key that a message shows; a longer one ends in dots.
const SHOWN_KEY: usize = 65;

/// KeyError "key not found: :a" with receiver and key.
pub fn key_error(ctx: &mut Ctx, recv: Value, key: Value) -> rubellite_vm::Unwind {
    let text = match ctx.inspect(key) {
        Ok(text) => text,
        Err(unwind) => return unwind,
    };
    let text = match text.char_indices().nth(SHOWN_KEY) {
        Some(_) => text.chars().take(SHOWN_KEY - 3).chain("...".chars()).collect(),
        None => text,
    };
    let class = ctx.error_class("KeyError");
    let exception = ctx.new_error(class, &format!("key not found: {text}"));
    let (receiver, name) = (ctx.internal("__receiver"), ctx.internal("__key"));
    ctx.ivar_set(exception, receiver, recv);
    ctx.ivar_set(exception, name, key);
    ctx.raise(exception)
}

/// Of a key that is there, or with a default value.
fn try_fetch(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    Ok(match hash.get_plainly(ctx, args.at(0)) {
        Some(Some(value)) => value,
        Some(None) => args.get(1).unwrap_or(Value::UNDEF),
        None => Value::UNDEF,
    })
}

fn fetch(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    if args.has_block() && args.len() == 2 {
        ctx.warn("block supersedes default value argument")?;
    }
    if let Some(value) = hash.get(ctx, args.at(0))? {
        return Ok(value);
    }
    if args.has_block() {
        return ctx.yield_one(args.block, args.at(0));
    }
    match args.get(1) {
        Some(default) => Ok(default),
        None => Err(key_error(ctx, hash.value(), args.at(0))),
    }
}

fn values_at(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let result = Array::with_capacity(ctx, args.len());
    for i in 0..args.len() {
        let value = aref(ctx, hash, args.from(i))?;
        result.push(ctx, value);
    }
    Ok(result.value())
}

fn keys(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    Ok(hash.keys(ctx).value())
}

fn keys_and_values(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    Ok(hash.keys_and_values(ctx).value())
}

fn values(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    Ok(hash.values(ctx).value())
}

fn to_a(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    let list = Array::with_capacity(ctx, hash.len());
    each_entry(ctx, hash, |ctx, k, v| {
        let pair = Array::from_slice(ctx, &[k, v]);
        list.push(ctx, pair.value());
        Ok(true)
    })?;
    Ok(list.value())
}

fn size(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    Ok(ctx.int(hash.len() as i64))
}

fn empty_p(_ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    Ok(Value::from_bool(hash.is_empty()))
}

// -- change ---------------------------------------------------------------------------------

fn aset(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let hash = writable(ctx, hash)?;
    hash.store(ctx, args.at(0), args.at(1))?;
    Ok(args.at(1))
}

fn delete(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let hash = writable(ctx, hash)?;
    match hash.delete(ctx, args.at(0))? {
        Some(value) => Ok(value),
        None if args.has_block() => ctx.yield_one(args.block, args.at(0)),
        None => Ok(Value::NIL),
    }
}

fn shift(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    let hash = writable(ctx, hash)?;
    match hash.shift(ctx) {
        Some((k, v)) => Ok(Array::from_slice(ctx, &[k, v]).value()),
        None => Ok(Value::NIL),
    }
}

fn clear(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    writable(ctx, hash)?.clear(ctx);
    Ok(hash.value())
}

/// `compact -> hash`: a copy, of the same class, without the nil values.
fn compact(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    let class = ctx.real_class(hash.value()).value();
    let copy = hash.dup_in(ctx, class);
    ctx.ivar_copy(hash.value(), copy.value());
    delete_nils(ctx, copy);
    Ok(copy.value())
}

fn delete_nils(ctx: &mut Ctx, hash: Hash) {
    let mut position = 0;
    while let Some(entry) = hash.next_entry(ctx, position) {
        if entry.value.is_nil() {
            hash.delete_at(ctx, entry.position);
        }
        position = entry.position + 1;
    }
}

fn compact_bang(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    let hash = writable(ctx, hash)?;
    let before = hash.len();
    delete_nils(ctx, hash);
    Ok(if hash.len() == before { Value::NIL } else { hash.value() })
}

fn rehash(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    if hash.is_iterating() {
        return Err(ctx.runtime_error("rehash during iteration"));
    }
    writable(ctx, hash)?.rehash(ctx)?;
    Ok(hash.value())
}

fn except(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let copy = entries::bare_copy(ctx, hash);
    for i in 0..args.len() {
        copy.delete(ctx, args.at(i))?;
    }
    Ok(copy.value())
}

fn slice(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let copy = entries::empty_like(ctx, hash)?;
    for i in 0..args.len() {
        if let Some(value) = hash.get(ctx, args.at(i))? {
            copy.store(ctx, args.at(i), value)?;
        }
    }
    Ok(copy.value())
}

fn invert(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    let result = Hash::new(ctx);
    each_entry(ctx, hash, |ctx, k, v| result.store(ctx, v, k).map(|()| true))?;
    Ok(result.value())
}

/// `update(other)` without a block.
fn update(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let hash = writable(ctx, hash)?;
    let other = ctx.to_hash(args.at(0))?;
    each_entry(ctx, other, |ctx, k, v| hash.store(ctx, k, v).map(|()| true))?;
    Ok(hash.value())
}

// -- defaults and modes ---------------------------------------------------------------------

fn default(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    match (hash.default_proc(), args.get(0)) {
        (Some(_), None) => Ok(Value::NIL),
        (Some(proc), Some(key)) => {
            let call = ctx.names().call;
            ctx.call(proc, call, &[hash.value(), key])
        }
        (None, _) => Ok(hash.default_value()),
    }
}

fn set_default(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    writable(ctx, hash)?.set_default(ctx, args.at(0));
    Ok(args.at(0))
}

fn default_proc(_ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    Ok(hash.default_proc().unwrap_or(Value::NIL))
}

fn set_default_proc(ctx: &mut Ctx, hash: Hash, args: Args) -> Result {
    let hash = writable(ctx, hash)?;
    let value = args.at(0);
    if value.is_nil() {
        hash.set_default(ctx, Value::NIL);
        return Ok(value);
    }
    let to_proc = ctx.names().to_proc;
    let converted = if value.has_tag(Tag::Proc) { Some(value) } else { ctx.check_call(value, to_proc, &[])? };
    match converted {
        Some(proc) if proc.has_tag(Tag::Proc) => {
            check_default_proc(ctx, proc)?;
            hash.set_default_proc(ctx, proc);
            Ok(proc)
        }
        None | Some(Value::NIL) => {
            let class = ctx.real_class(value).inspect(ctx);
            Err(ctx.type_error(&format!("wrong default_proc type {class} (expected Proc)")))
        }
        Some(other) => Err(ctx.bad_conversion(value, other, "Proc", "to_proc")),
    }
}

fn compare_by_identity(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    if hash.is_identity() {
        return Ok(hash.value());
    }
    writable(ctx, hash)?;
    if hash.is_iterating() {
        return Err(ctx.runtime_error("compare_by_identity during iteration"));
    }
    hash.compare_by_identity(ctx)?;
    Ok(hash.value())
}

fn compare_by_identity_p(_ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    Ok(Value::from_bool(hash.is_identity()))
}

// -- converting -----------------------------------------------------------------------------

/// `{name: 1, "a" => 2, :"b c" => 3}`
fn inspect(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    let text = Str::ascii(ctx, "");
    append_hash(ctx, text, hash)?;
    Ok(text.value())
}

/// Appends the text of `inspect`; what is in it is written in place.
pub fn append_hash(ctx: &mut Ctx, text: Str, hash: Hash) -> Result<()> {
    if hash.is_empty() {
        text.append(ctx, b"{}");
        return Ok(());
    }
    let name = ctx.names().inspect;
    let again = |ctx: &mut Ctx| {
        text.append(ctx, b"{...}");
        Ok(())
    };
    ctx.guard_recursion(name, hash.value(), Value::NIL, again, |ctx| {
        text.append(ctx, b"{");
        let mut first = true;
        each_entry(ctx, hash, |ctx, key, value| {
            if !std::mem::replace(&mut first, false) {
                text.append(ctx, b", ");
            }
            inspect_key(ctx, text, key)?;
            append_nested(ctx, text, value)?;
            Ok(true)
        })?;
        text.append(ctx, b"}");
        Ok(())
    })
}

/// A key with what stands between it and its value.
fn inspect_key(ctx: &mut Ctx, text: Str, key: Value) -> Result<()> {
    let Some(sym) = key.as_symbol() else {
        append_nested(ctx, text, key)?;
        text.append(ctx, b" => ");
        return Ok(());
    };
    let name = Str::of_symbol(ctx, sym);
    let as_it_is = name.is_ascii_only(ctx) || name.encoding() == rubellite_core_text::inspect_encoding(ctx);
    if as_it_is && is_label(ctx.sym_bytes(sym), name.encoding()) {
        append_shown(ctx, text, name)?;
        text.append(ctx, b": ");
        return Ok(());
    }
    append_inspect(ctx, text, name.value())?;
    text.append(ctx, b": ");
    Ok(())
}

/// Whether a symbol can be written as a label without quotes.
fn is_label(name: &[u8], encoding: Encoding) -> bool {
    let body = match name.last() {
        Some(b'?' | b'!') => &name[..name.len() - 1],
        _ => name,
    };
    let is_part = |c: &[u8]| c.len() > 1 || c[0].is_ascii_alphanumeric() || c[0] == b'_' || !c[0].is_ascii();
    let starts = body.first().is_some_and(|c| !c.is_ascii_digit());
    match name.is_ascii() {
        true => starts && body.iter().all(|c| c.is_ascii_alphanumeric() || *c == b'_'),
        false => starts && encoding.code_range(name) != CodeRange::Broken && encoding.chars(body).all(is_part),
    }
}

fn to_hash(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(recv)
}

/// `to_h` without a block: a plain Hash.
fn to_h(ctx: &mut Ctx, hash: Hash, _args: Args) -> Result {
    if ctx.real_class(hash.value()).value() == ctx.classes().hash.get() {
        return Ok(hash.value());
    }
    Ok(hash.dup(ctx).value())
}

/// A lambda that looks up.
fn to_proc(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Proc::native(
        ctx,
        |ctx, hash, args| {
            let name = ctx.names().op_aref;
            ctx.call(hash, name, &[args.at(0)])
        },
        recv,
        1,
        true,
    ))
}

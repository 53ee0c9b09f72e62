//! What goes from one ractor to another: shareable objects as they are, others copied or moved with all that they refer
//! to.

use super::state::error;
use rubellite_core_thread::outside;
use rubellite_vm::growing::Roomy;
use rubellite_vm::object::{Array, Data, Hash, Proc};
use rubellite_vm::{Class, Ctx, Pending, Result, Tag, Unwind, Value, flags};
use rustc_hash::{FxHashMap, FxHashSet};

/// Old objects and what takes their places.
type Replacements = FxHashMap<u64, Value>; // tidy: an Array beside it keeps them

/// A message as the receiver gets it.
pub fn message(ctx: &mut Ctx, object: Value, moves: bool) -> Result {
    if ctx.shareable(object) {
        return Ok(object);
    }
    if moves { move_graph(ctx, object) } else { copy_graph(ctx, object) }
}

// tidy: the object refers to them
fn unshared_references(ctx: &Ctx, object: Value) -> Vec<Value> {
    let mut list = Vec::new(); // tidy: the object refers to them
    ctx.references(object, &mut |value| {
        if !ctx.shareable(value) {
            list.push(value);
        }
    });
    list
}

fn exchange_all(ctx: &mut Ctx, list: Array, map: &Replacements) -> Result<()> {
    for i in 0..list.len() {
        let object = list.get(i).unwrap_or(Value::NIL);
        ctx.exchange_references(object, &|value| map.get(&value.bits()).copied().unwrap_or(value))?;
    }
    Ok(())
}

/// `Ractor.make_shareable(copy: true)` and messages: clones of the object and of all unshareable ones that it refers
/// to.
pub fn copy_graph(ctx: &mut Ctx, root: Value) -> Result {
    let (originals, copies) = (Array::new(ctx), Array::new(ctx));
    let mut map = Replacements::default();
    let first = clone_for(ctx, root)?;
    map.insert(root.bits(), first);
    originals.push(ctx, root);
    copies.push(ctx, first);
    let mut at = 0;
    while at < copies.len() {
        let copy = copies.get(at).unwrap_or(Value::NIL);
        let references = unshared_references(ctx, copy);
        if !references.is_empty() && !exchangeable(copy) {
            return Err(refused(ctx, copy, "copy"));
        }
        for original in references {
            map.room_for(1);
            if let std::collections::hash_map::Entry::Vacant(e) = map.entry(original.bits()) {
                let clone = clone_for(ctx, original)?;
                e.insert(clone);
                originals.push(ctx, original);
                copies.push(ctx, clone);
                outside::poll(ctx, copies.len())?;
            }
        }
        at += 1;
        outside::poll(ctx, at)?;
    }
    exchange_all(ctx, copies, &map)?;
    std::hint::black_box(originals);
    Ok(first)
}

/// Whether what the object refers to can be exchanged.
fn exchangeable(object: Value) -> bool {
    match object.header().map(|h| h.tag()) {
        Some(Tag::Data) => Data::try_of(object).is_some_and(Data::exchangeable),
        Some(Tag::Proc | Tag::Method | Tag::Binding) => false,
        _ => true,
    }
}

fn refused(ctx: &mut Ctx, object: Value, what: &str) -> Unwind {
    let class = ctx.real_class(object).inspect(ctx);
    error(ctx, "Ractor::Error", &format!("can not {what} {class} object."))
}

/// Whether the object has no class: the table of a Set.
fn is_hidden(ctx: &Ctx, object: Value) -> bool {
    Class::try_of(ctx.class_of(object)).is_none()
}

fn clone_for(ctx: &mut Ctx, object: Value) -> Result {
    if let Some(table) = Hash::try_of(object).filter(|_| is_hidden(ctx, object)) {
        let class = ctx.class_of(object);
        return Ok(table.dup_in(ctx, class).value());
    }
    if object.has_tag(Tag::Proc) {
        return Err(refused(ctx, object, "copy"));
    }
    let copy = match ctx.call_name(object, "clone", &[]) {
        Ok(copy) => copy,
        Err(Unwind) => return Err(not_cloned(ctx, object)),
    };
    if copy == object {
        return Err(error(ctx, "Ractor::Error", "#clone returned self"));
    }
    Ok(copy)
}

/// A StandardError of `clone` says that the object cannot be copied; all else goes on.
fn not_cloned(ctx: &mut Ctx, object: Value) -> Unwind {
    let standard = ctx.error_class("StandardError").value();
    match ctx.take_pending() {
        Pending::Raise(exception) if ctx.is_a(exception, standard) => {
            let class = ctx.real_class(object).inspect(ctx);
            error(ctx, "Ractor::Error", &format!("can't clone unshareable instance of {class}"))
        }
        other => ctx.set_pending(other),
    }
}

/// Moves the object and all unshareable ones that it refers to. Nothing has moved when it fails.
fn move_graph(ctx: &mut Ctx, root: Value) -> Result {
    let husk = ctx.named_class("Ractor::MovedObject")?;
    let originals = Array::from_slice(ctx, &[root]);
    let mut seen = FxHashSet::from_iter([root.bits()]);
    let mut at = 0;
    while at < originals.len() {
        let object = originals.get(at).unwrap_or(Value::NIL);
        if !movable(ctx, object) {
            return Err(refused(ctx, object, "move"));
        }
        for value in unshared_references(ctx, object) {
            seen.room_for(1);
            if seen.insert(value.bits()) {
                originals.push(ctx, value);
            }
        }
        at += 1;
    }
    let moved = Array::with_capacity(ctx, originals.len());
    let mut map = Replacements::default();
    map.room_for(originals.len());
    for i in 0..originals.len() {
        let old = originals.get(i).unwrap_or(Value::NIL);
        let new = ctx.move_object(old, husk);
        moved.push(ctx, new);
        map.insert(old.bits(), new);
    }
    exchange_all(ctx, moved, &map)?;
    std::hint::black_box(originals);
    Ok(moved.get(0).unwrap_or(Value::NIL))
}

fn movable(ctx: &Ctx, object: Value) -> bool {
    match object.header().map(|h| h.tag()) {
        Some(Tag::Data) => {
            rubellite_core_io::io::state::try_state(ctx, object).is_some()
                || Data::try_of(object).is_some_and(Data::exchangeable)
        }
        Some(Tag::Proc | Tag::Method | Tag::Binding) => false,
        _ => true,
    }
}

// -- making shareable ------------------------------------------------------------------------

/// `Ractor.make_shareable(object)`: freezes it and all that it refers to.
///
/// # Errors
/// Ractor::Error, Ractor::IsolationError, and what `freeze` raises. What was frozen by then stays frozen.
pub fn make_shareable(ctx: &mut Ctx, root: Value) -> Result {
    if ctx.shareable(root) {
        return Ok(root);
    }
    let visited = Array::from_slice(ctx, &[root]);
    let mut seen = FxHashSet::from_iter([root.bits()]);
    let mut at = 0;
    while at < visited.len() {
        let object = visited.get(at).unwrap_or(Value::NIL);
        at += 1;
        outside::poll(ctx, at)?;
        if !freeze(ctx, object)? {
            continue;
        }
        for value in unshared_references(ctx, object) {
            seen.room_for(1);
            if seen.insert(value.bits()) {
                visited.push(ctx, value);
                outside::poll(ctx, visited.len())?;
            }
        }
    }
    for i in 0..visited.len() {
        ctx.set_shareable(visited.get(i).unwrap_or(Value::NIL));
    }
    Ok(root)
}

/// Freezes one object; says whether what it refers to is still to be made shareable.
fn freeze(ctx: &mut Ctx, object: Value) -> Result<bool> {
    if let Some(proc) = Proc::try_of(object) {
        ctx.make_proc_shareable(proc, None)?;
        return Ok(true);
    }
    if rubellite_core_object::method_object::is_method_object(ctx, object) {
        if ctx.refers_to_shareable(object) {
            ctx.freeze_shareable(object);
            return Ok(false);
        }
        let text = ctx.inspect(object)?;
        return Err(error(
            ctx,
            "Ractor::Error",
            &format!("can not make shareable object for {text} because it refers unshareable objects"),
        ));
    }
    let is_frozen = || object.header().is_none_or(|h| h.has(flags::FROZEN));
    if !ctx.may_be_shareable(object) {
        let text = ctx.inspect(object)?;
        return Err(error(ctx, "Ractor::Error", &format!("can not make shareable object for {text}")));
    }
    if is_hidden(ctx, object) {
        if let Some(header) = object.header() {
            header.set(flags::FROZEN);
        }
        return Ok(true);
    }
    if !is_frozen() {
        let name = ctx.names().freeze;
        ctx.call(object, name, &[])?;
        if !is_frozen() {
            return Err(error(ctx, "Ractor::Error", "#freeze does not freeze object correctly"));
        }
    }
    Ok(!ctx.shareable(object))
}

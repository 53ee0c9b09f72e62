//! ObjectSpace: walking the heap, finalizers, objects by id.
//!
//! Finalizers are kept beside the heap. After a collection the procs of dead objects move to a list; they run at the
//! next safepoint of the main thread that looks at that list, after `GC.start`, and at exit.

use crate::method_object::receiver_of;
use rubellite_vm::class::{Arity, Class, ClassDef, method};
use rubellite_vm::object::proc::ProcBody;
use rubellite_vm::object::{Array, Hash, Int, Proc, TempArray};
use rubellite_vm::vmlock::LockThread;
use rubellite_vm::warning::Category;
use rubellite_vm::{Args, Ctx, Extension, Result, Sym, Tag, Value, flags, primitive};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

pub static OBJECT_SPACE: ClassDef = ClassDef {
    name: "ObjectSpace",
    superclass: "",
    module_functions: &[
        method("garbage_collect", Arity::NONE.with_keywords(), super::gc::start),
        method("count_objects", Arity::range(0, 1), count_objects),
        method("define_finalizer", Arity::range(1, 2), define_finalizer),
        method("undefine_finalizer", Arity::ONE, undefine_finalizer),
        method("_id2ref", Arity::ONE, id2ref),
    ],
    primitives: &[primitive("object_space_each_object", Arity::range(0, 1), list_objects)],
    ruby: include_str!("object_space.rb"),
    ..ClassDef::EMPTY
};

/// Finalizers by object, and those whose object is gone.
#[derive(Default)]
struct Finalizers(RefCell<Tables>);

/// An object, its id and its finalizers.
struct Finalized {
    /// Weak.
    object: Value,
    id: i64,
    procs: Vec<Value>, // tidy: traced below
}

#[derive(Default)]
struct Tables {
    /// By the address of the object.
    living: BTreeMap<u64, Finalized>,
    due: Vec<(i64, Vec<Value>)>, // tidy: traced below
    /// Who is told that finalizers are due.
    notify: Option<Arc<LockThread>>,
}

impl Extension for Finalizers {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        let tables = self.0.borrow();
        tables.living.values().for_each(|finalized| finalized.procs.iter().for_each(|p| mark(*p)));
        tables.due.iter().for_each(|(_, procs)| procs.iter().for_each(|p| mark(*p)));
    }

    fn prune(&mut self, alive: &dyn Fn(Value) -> bool) {
        let tables = self.0.get_mut();
        let dead: Vec<u64> = tables
            .living
            .iter()
            .filter(|(_, finalized)| !alive(finalized.object))
            .map(|(address, _)| *address)
            .collect();
        for address in &dead {
            tables.due.extend(tables.living.remove(address).map(|finalized| (finalized.id, finalized.procs)));
        }
        if let (false, Some(thread)) = (dead.is_empty(), &tables.notify) {
            thread.interrupt.set(rubellite_vm::thread::interrupt_bits::JOB);
        }
    }
}

/// A copy of an object has its finalizers.
pub fn copy_finalizers(ctx: &mut Ctx, from: Value, to: Value) {
    if !from.header().is_some_and(|h| h.has(flags::FINALIZER)) {
        return;
    }
    let id = ctx.object_id(to);
    let mut tables = ctx.extension::<Finalizers>().0.borrow_mut();
    if let Some(finalized) = tables.living.get(&from.bits()) {
        let procs = finalized.procs.clone(); // tidy: traced in the table
        tables.living.insert(to.bits(), Finalized { object: to, id, procs });
        if let Some(header) = to.header() {
            header.set(flags::FINALIZER);
        }
    }
}

/// Runs the finalizers of objects that were collected.
pub fn run_pending_finalizers(ctx: &mut Ctx) -> Result<()> {
    loop {
        let next = ctx.extension::<Finalizers>().0.borrow_mut().due.pop();
        match next {
            // Whoever collects runs them; they are the main ractor's.
            Some((id, procs)) => ctx.as_main_ractor(|ctx| run(ctx, id, &procs))?,
            None => return Ok(()),
        }
    }
}

/// Runs every finalizer: the program ends.
pub fn run_all_finalizers(ctx: &mut Ctx) -> Result<()> {
    run_pending_finalizers(ctx)?;
    loop {
        let next = ctx.extension::<Finalizers>().0.borrow_mut().living.pop_first();
        match next {
            Some((_, finalized)) => run(ctx, finalized.id, &finalized.procs)?,
            None => return Ok(()),
        }
    }
}

/// An exception in a finalizer is reported as a warning and goes no further.
fn run(ctx: &mut Ctx, id: i64, procs: &[Value]) -> Result<()> {
    // The table no longer keeps them: no collection until they are in the Array.
    let procs = ctx.without_collecting(|ctx| Array::from_slice(ctx, procs));
    let id = ctx.int(id);
    for i in 0..procs.len() {
        let proc = procs.get(i).unwrap_or(Value::NIL);
        let call = ctx.names().call;
        if ctx.call(proc, call, &[id]).is_err() {
            let Some(exception) = ctx.take_exception() else { return Err(rubellite_vm::Unwind) };
            if !ctx.vm().verbose.get().is_nil() {
                let shown = ctx.inspect(proc).unwrap_or_default();
                let report =
                    String::from_utf8_lossy(&super::super::exception::report(ctx, exception, false).0).into_owned();
                let place = match ctx.source_location() {
                    (Some(file), line) => format!("{file}:{line}: "),
                    _ => crate::program_name::text(ctx).map_or(String::new(), |name| format!("{name}: ")),
                };
                ctx.warn_raw(&format!("{place}warning: Exception in finalizer {shown}\n{report}"))?;
            }
        }
    }
    Ok(())
}

/// The metaclass of a class that no program has got hold of: it has no singleton class of its own.
fn is_hidden_metaclass(ctx: &Ctx, object: Value) -> bool {
    let Some(class) = Class::try_of(object).filter(|class| class.is_singleton()) else { return false };
    let own = ctx.dispatch_class(object);
    class.attached(ctx).has_tag(Tag::Class) && !(own.is_singleton() && own.attached(ctx) == object)
}

/// The object that a Proc or Method works on.
fn receiver_of_callable(ctx: &Ctx, callable: Value) -> Option<Value> {
    match Proc::try_of(callable) {
        Some(proc) => matches!(proc.body(), ProcBody::Code(_)).then(|| proc.captured().self_value),
        None => receiver_of(ctx, callable),
    }
}

/// The living objects that programs see, those alone that are instances of `module` if it is given.
///
/// # Errors
/// What another thread raises in the running one meanwhile.
pub fn living_objects(ctx: &mut Ctx, module: Option<Value>) -> Result<TempArray> {
    let found = TempArray::new(ctx);
    ctx.each_object_in_stages(found, &|ctx, object| {
        !is_hidden_metaclass(ctx, object) && module.is_none_or(|m| ctx.is_a(object, m))
    })?;
    Ok(found)
}

/// `object_space_each_object(module = nil) -> array`: the living objects, for `each_object`.
fn list_objects(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let module = args.non_nil(0);
    if let Some(module) = module
        && !Class::is(module)
    {
        return Err(ctx.type_error("class or module required"));
    }
    Ok(living_objects(ctx, module)?.into_array(ctx).value())
}

/// CRuby's names for the types of objects.
const TYPES: [(&str, &[Tag]); 16] = [
    ("T_OBJECT", &[Tag::Object, Tag::Exception]),
    ("T_CLASS", &[Tag::Class]),
    ("T_MODULE", &[Tag::Module]),
    ("T_FLOAT", &[Tag::Float]),
    ("T_STRING", &[Tag::String]),
    ("T_REGEXP", &[Tag::Regexp]),
    ("T_ARRAY", &[Tag::Array]),
    ("T_HASH", &[Tag::Hash]),
    ("T_STRUCT", &[Tag::Struct, Tag::Range]),
    ("T_BIGNUM", &[Tag::Bignum]),
    ("T_DATA", &[Tag::Data, Tag::CData, Tag::Proc, Tag::Binding, Tag::Method]),
    ("T_MATCH", &[Tag::MatchData]),
    ("T_COMPLEX", &[Tag::Complex]),
    ("T_RATIONAL", &[Tag::Rational]),
    ("T_IMEMO", &[Tag::Env, Tag::Cref, Tag::Code, Tag::MethodEntry, Tag::Unwind]),
    ("T_ICLASS", &[Tag::IClass]),
];

/// CRuby's name for the type of an object on the heap; none for other values.
pub fn type_name(object: Value) -> Option<&'static str> {
    let tag = object.header()?.tag();
    TYPES.iter().find(|(_, tags)| tags.contains(&tag)).map(|(name, _)| *name)
}

/// `count_objects(hash = {}) -> hash`: what else the hash holds becomes 0.
fn count_objects(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let hash = match args.get(0) {
        None => Hash::new(ctx),
        Some(given) => match Hash::try_of(given) {
            Some(hash) => {
                // Without new objects, which would be counted.
                let mut position = 0;
                while let Some(entry) = hash.next_entry(ctx, position) {
                    hash.set_value_at(ctx, entry.position, Value::fixnum(0));
                    position = entry.position + 1;
                }
                hash
            }
            None => return Err(ctx.type_error("non-hash given")),
        },
    };
    let counts = ctx.count_cells();
    let of = |tags: &[Tag]| tags.iter().map(|t| counts[*t as usize]).sum::<usize>() as i64;
    let total = counts.iter().skip(1).sum::<usize>() as i64;
    let rows = [("TOTAL", total), ("FREE", 0)].into_iter();
    for (name, count) in rows.chain(TYPES.map(|(name, tags)| (name, of(tags)))) {
        let (key, value) = (Value::symbol(ctx.intern(name)), ctx.int(count));
        hash.insert(ctx, key, value)?;
    }
    Ok(hash.value())
}

/// `define_finalizer(object, callable) -> [0, callable]`
fn define_finalizer(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let object = args.at(0);
    let callable = match args.get(1) {
        Some(callable) => {
            let call = ctx.names().call;
            if !ctx.respond_to(callable, call, true)? {
                let class = ctx.real_class(callable).value();
                let class = String::from_utf8_lossy(ctx.to_s(class)?.bytes(ctx)).into_owned();
                return Err(ctx.argument_error(&format!("wrong type argument {class} (should be callable)")));
            }
            callable
        }
        None if args.has_block() => ctx.block_to_value(args.block),
        None => return Err(ctx.argument_error("tried to create Proc object without a block")),
    };
    let Some(header) = object.header().filter(|h| !matches!(h.tag(), Tag::Float | Tag::Bignum)) else {
        let class = ctx.real_class(object).inspect(ctx);
        return Err(ctx.argument_error(&format!("cannot define finalizer for {class}")));
    };
    if header.frozen() {
        return Err(ctx.frozen_error(object));
    }
    if receiver_of_callable(ctx, callable) == Some(object) {
        ctx.warn("finalizer references object to be finalized")?;
    }
    header.set(flags::FINALIZER);
    let id = ctx.object_id(object);
    let main = ctx.threads().main.as_ref().map(|t| t.lock_thread.clone());
    // One that equals a known finalizer is not added again; the known one is returned.
    let mut i = 0;
    loop {
        let known = ctx
            .extension::<Finalizers>()
            .0
            .borrow()
            .living
            .get(&object.bits())
            .and_then(|finalized| finalized.procs.get(i).copied());
        let Some(known) = known else { break };
        if ctx.equal(known, callable)? {
            return Ok(Array::from_slice(ctx, &[Value::fixnum(0), known]).value());
        }
        i += 1;
    }
    {
        let mut tables = ctx.extension::<Finalizers>().0.borrow_mut();
        tables.notify = main;
        tables.living.entry(object.bits()).or_insert(Finalized { object, id, procs: Vec::new() }).procs.push(callable);
    }
    Ok(Array::from_slice(ctx, &[Value::fixnum(0), callable]).value())
}

/// `undefine_finalizer(object) -> object`
fn undefine_finalizer(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let object = args.at(0);
    if object.header().is_some_and(|h| h.frozen()) {
        return Err(ctx.frozen_error(object));
    }
    ctx.extension::<Finalizers>().0.borrow_mut().living.remove(&object.bits());
    if let Some(header) = object.header() {
        header.clear(flags::FINALIZER);
    }
    Ok(object)
}

/// `_id2ref(id) -> object`
fn id2ref(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    ctx.warn_category("ObjectSpace._id2ref is deprecated", Category::Deprecated)?;
    let integer = ctx.to_integer(args.at(0))?;
    let id = integer.as_fixnum().or_else(|| Int::try_of(integer).and_then(|i| i.to_i64()));
    let known = match id {
        Some(4) => return Ok(Value::NIL),
        Some(20) => return Ok(Value::TRUE),
        Some(0) => return Ok(Value::FALSE),
        Some(n) if n & 1 == 1 => return Ok(ctx.int(n >> 1)),
        Some(n) => ctx.object_by_id(n),
        None => Err(false),
    };
    if let (Err(_), Some(n)) = (known, id) {
        let named = |sym: Sym| ctx.symbol_exists(sym) && !ctx.is_internal_symbol(sym);
        let given = |value: &Value| value.is_flonum() || value.as_symbol().is_some_and(named);
        if let Some(value) = Value::immediate(n as u64).filter(given) {
            return Ok(value);
        }
    }
    match known {
        Ok(object) => Ok(object),
        Err(was_given) => {
            let text = ctx.inspect(integer)?;
            let why = if was_given { "is a recycled object" } else { "is not an id value" };
            Err(ctx.range_error(&format!("{text} {why}")))
        }
    }
}

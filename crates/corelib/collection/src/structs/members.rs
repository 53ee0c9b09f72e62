//! Members of Struct and Data classes: where they are kept, the accessors, making of the classes.

use rubellite_vm::class::{Class, Leaf};
use rubellite_vm::method::{Method, MethodBody, Visibility};
pub use rubellite_vm::object::members::record_info;
use rubellite_vm::object::members::{NEAR, READERS, WRITERS};
use rubellite_vm::object::{Array, Str, Struct};
use rubellite_vm::{Args, Arity, Ctx, MethodDef, NativeFn, Result, Sym, Value, flags};

/// The Array of member symbols of a record class or of one of its superclasses.
pub fn members_of(ctx: &mut Ctx, class: Class) -> Result<Array> {
    match record_info(ctx, class) {
        Some(info) => ctx.expect(info.get(0).unwrap_or(Value::NIL)),
        None => Err(ctx.type_error("uninitialized struct")),
    }
}

/// The members of an instance's class.
pub fn members(ctx: &mut Ctx, recv: Value) -> Result<Array> {
    let class = ctx.real_class(recv);
    members_of(ctx, class)
}

/// The position of a member.
pub fn position(ctx: &Ctx, members: Array, name: Sym) -> Option<usize> {
    members.slice(ctx).iter().position(|m| *m == Value::symbol(name))
}

/// Member names from the arguments of `Struct.new` and `Data.define`: symbols without repetition, none that names a
/// setter.
pub fn collect_names(ctx: &mut Ctx, args: Args, kind: &str) -> Result<Array> {
    let names = Array::with_capacity(ctx, args.len());
    for i in 0..args.len() {
        let name = ctx.to_symbol(args.at(i))?;
        let bytes = ctx.sym_bytes(name);
        if bytes.ends_with(b"=") && !matches!(bytes, b"==" | b"===" | b"!=" | b"<=" | b">=") {
            let text = ctx.sym_str(name);
            return Err(ctx.argument_error(&format!("invalid {kind} member: {text}")));
        }
        let name = Value::symbol(name);
        if names.contains_identical(ctx, name) {
            let text = ctx.sym_str(name.as_symbol().unwrap_or(Sym(0)));
            return Err(ctx.argument_error(&format!("duplicate member: {text}")));
        }
        names.push(ctx, name);
    }
    names.header().set(flags::FROZEN);
    Ok(names)
}

/// A new record class below `parent`, with readers and, when `writers`, writers.
pub fn make_class(ctx: &mut Ctx, parent: Value, names: Array, setting: Value, writers: bool) -> Result<Class> {
    let parent = ctx.expect(parent)?;
    let class = Class::new_class(ctx, Some(parent));
    let info = Array::from_slice(ctx, &[names.value(), setting]);
    class.set_extra(ctx, info.value());
    class.set_alloc(ctx, Some(allocate));
    for i in 0..names.len() {
        let Some(name) = names.get(i).and_then(Value::as_symbol) else { continue };
        if i < NEAR {
            define(ctx, class, name, Arity::NONE, READERS[i], Leaf::UpTo(0));
        } else {
            far_accessor(ctx, class, name, i, "__far_reader")?;
        }
        if writers {
            let mut text = ctx.sym_bytes(name).to_vec();
            text.push(b'=');
            let writer = ctx.intern_bytes(&text, ctx.sym_encoding(name));
            if i < NEAR {
                define(ctx, class, writer, Arity::ONE, WRITERS[i], Leaf::UpTo(1));
            } else {
                far_accessor(ctx, class, writer, i, "__far_writer")?;
            }
        }
    }
    Ok(class)
}

/// Accessors of members behind those that have a function of their own are blocks made in Ruby.
fn far_accessor(ctx: &mut Ctx, class: Class, name: Sym, index: usize, maker: &str) -> Result<()> {
    let index = ctx.int(index as i64);
    let owner = ctx.classes().struct_class.get();
    let maker = ctx.internal(maker);
    ctx.call(owner, maker, &[class.value(), Value::symbol(name), index])?;
    Ok(())
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    let own = ctx.expect(class)?;
    let len = members_of(ctx, own)?.len();
    if len > Struct::MAX_LEN {
        return Err(ctx.argument_error("too many members"));
    }
    Ok(Struct::new(ctx, class, len).value())
}

fn define(ctx: &mut Ctx, class: Class, name: Sym, arity: Arity, function: NativeFn, leaf: Leaf) {
    let method = Method::new(ctx, name, class, Visibility::Public, MethodBody::Native { function, arity, leaf });
    class.set_method(ctx, name, method);
}

/// Defines singleton methods of a record class, and Class#new by the names `makers`.
pub fn define_singletons(ctx: &mut Ctx, class: Class, makers: &[&'static str], methods: &[MethodDef]) {
    let Some(singleton) = Class::singleton_class(ctx, class.value()) else { return };
    for name in makers {
        let name = ctx.intern(name);
        let method = Method::new(ctx, name, singleton, Visibility::Public, MethodBody::New);
        singleton.set_method(ctx, name, method);
    }
    for def in methods {
        ctx.define_native(singleton, def);
    }
}

/// Calls `inherited` and evaluates the block in the class.
pub fn finish_class(ctx: &mut Ctx, parent: Value, class: Class, block: Value) -> Result<()> {
    let inherited = ctx.names().inherited;
    ctx.call(parent, inherited, &[class.value()])?;
    if !block.is_nil() {
        let name = ctx.intern("class_eval");
        ctx.call_with_block(class.value(), name, &[], block)?;
    }
    Ok(())
}

/// A member's name as `inspect` shows it.
pub fn append_name(ctx: &mut Ctx, text: Str, name: Value) -> Result<()> {
    let Some(sym) = name.as_symbol() else { return Ok(()) };
    let bytes = ctx.sym_bytes(sym);
    let plain = bytes.first().is_some_and(|c| c.is_ascii_alphabetic() || *c == b'_' || !c.is_ascii())
        && bytes.iter().all(|c| c.is_ascii_alphanumeric() || *c == b'_' || !c.is_ascii());
    if plain {
        let piece = Str::of_symbol(ctx, sym);
        return super::super::util::append(ctx, text, piece);
    }
    super::super::util::append_inspect(ctx, text, name)
}

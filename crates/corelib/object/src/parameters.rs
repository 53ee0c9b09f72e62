//! Parameters and places of methods and procs as their objects report them.

use super::signatures;
use rubellite_bytecode::ISeq;
use rubellite_vm::class::Class;
use rubellite_vm::code::Code;
use rubellite_vm::object::proc::ProcBody;
use rubellite_vm::object::{Array, Proc};
use rubellite_vm::{Ctx, Extension, Method, MethodBody, Value};
use rustc_hash::FxHashSet;
use std::cell::RefCell;

/// The paths of the parts of the core classes that are written in Ruby.
#[derive(Default)]
struct CoreScripts(RefCell<FxHashSet<String>>);

impl Extension for CoreScripts {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// Code under this path belongs to a class of the core: it has no place in a file.
pub fn note_core_script(ctx: &Ctx, path: String) {
    ctx.extension::<CoreScripts>().0.borrow_mut().insert(path);
}

/// A parameter: its kind and its name, empty when it has none.
pub struct Parameter {
    pub kind: &'static str,
    pub name: String,
}

fn nameless(kind: &'static str) -> Parameter {
    Parameter { kind, name: String::new() }
}

/// Parameters of code, as its source has them.
pub fn of_code(code: Code) -> Vec<Parameter> {
    of_iseq(code.iseq(), false)
}

/// Parameters of code; those of a block need not be given.
pub fn of_iseq(iseq: &ISeq, block: bool) -> Vec<Parameter> {
    let described =
        iseq.params.described.iter().map(|(kind, name)| (if block && *kind == "req" { "opt" } else { *kind }, name));
    described
        .map(|(kind, name)| Parameter {
            kind,
            name: name.as_ref().map_or(String::new(), |n| String::from_utf8_lossy(n.bytes()).into_owned()),
        })
        .collect()
}

fn of_arity(arity: i32) -> Vec<Parameter> {
    if arity < 0 {
        let mut list: Vec<Parameter> = (0..-arity - 1).map(|_| nameless("req")).collect();
        list.push(nameless("rest"));
        return list;
    }
    (0..arity).map(|_| nameless("req")).collect()
}

/// Parameters of a method in C: so many, or any number.
fn of_native(arity: i32) -> Vec<Parameter> {
    of_arity(arity.max(-1))
}

/// `Method#arity` of a method with these parameters. Optional keywords count as an optional argument.
fn arity_of(list: &[Parameter]) -> i32 {
    let required = list.iter().filter(|p| p.kind == "req").count() as i32;
    if list.iter().any(|p| matches!(p.kind, "opt" | "rest" | "key" | "keyrest")) { -required - 1 } else { required }
}

/// The number that a native method gives, or one of the core that is written in Ruby here and not in CRuby.
fn native_arity(ctx: &Ctx, method: Method) -> Option<i32> {
    match method.body() {
        MethodBody::Native { arity, .. } => Some(arity.number()),
        MethodBody::C { function, .. } => Some(function.arity().number()),
        MethodBody::Code { code, .. } if is_core(ctx, *code) => Some(code.iseq().params.arity()),
        _ => None,
    }
}

/// What Ruby tells of a core method that it has in Ruby.
fn documented(ctx: &Ctx, method: Method) -> Option<Vec<Parameter>> {
    let owner = method.owner();
    let (class, sign) = if owner.is_singleton() { (Class::try_of(owner.attached(ctx))?, '.') } else { (owner, '#') };
    let list = signatures::of(&format!("{}{sign}{}", class.name(ctx)?, ctx.sym_str(method.name())))?;
    Some(list.into_iter().map(|(kind, name)| Parameter { kind, name: name.to_string() }).collect())
}

/// `Method#arity`.
pub fn arity_of_method(ctx: &Ctx, method: Method) -> i32 {
    let method = method.resolved();
    match native_arity(ctx, method) {
        Some(arity) => documented(ctx, method).map_or(arity.max(-1), |list| arity_of(&list)),
        None => method.arity(),
    }
}

/// Whether the method sets a member of a Struct: its parameter has a name.
fn writes_member(ctx: &Ctx, method: Method) -> bool {
    let record = ctx.classes().struct_class.get();
    let above = |class: &Class| class.superclass(ctx);
    ctx.sym_bytes(method.name()).ends_with(b"=")
        && method.owner().value() != record
        && std::iter::successors(Some(method.owner()), above).any(|class| class.value() == record)
}

/// Parameters of a method.
pub fn of_method(ctx: &Ctx, method: Method) -> Vec<Parameter> {
    let method = method.resolved();
    if let Some(arity) = native_arity(ctx, method) {
        if writes_member(ctx, method) {
            return vec![Parameter { kind: "req", name: "_".to_string() }];
        }
        return documented(ctx, method).unwrap_or_else(|| of_native(arity));
    }
    match method.body() {
        MethodBody::Code { code, .. } => of_code(*code),
        MethodBody::AttrReader(_) => Vec::new(),
        MethodBody::AttrWriter(_) => vec![nameless("req")],
        MethodBody::Proc(proc) => of_proc(ctx, *proc, true),
        MethodBody::New | MethodBody::Send | MethodBody::ProcCall | MethodBody::Missing => vec![nameless("rest")],
        _ => Vec::new(),
    }
}

/// Parameters of a proc; those that a block need not get are optional unless `lambda`.
pub fn of_proc(ctx: &Ctx, proc: Proc, lambda: bool) -> Vec<Parameter> {
    let mut list = match proc.body() {
        ProcBody::Code(code) => of_code(*code),
        ProcBody::Symbol(_) => vec![nameless("req"), nameless("rest")],
        ProcBody::Method(_) => match super::method_object::entry_of_proc(ctx, proc) {
            Some(method) => of_method(ctx, method),
            None => vec![nameless("rest")],
        },
        ProcBody::Native(_, _, arity) => of_arity(*arity),
    };
    if !lambda {
        for parameter in &mut list {
            if parameter.kind == "req" {
                parameter.kind = "opt";
            }
        }
    }
    list
}

/// `[[:req, :a], [:rest]]`
pub fn to_array(ctx: &mut Ctx, list: &[Parameter]) -> Value {
    let result = Array::new(ctx);
    for parameter in list {
        let pair = Array::new(ctx);
        let kind = Value::symbol(ctx.intern(parameter.kind));
        pair.push(ctx, kind);
        if !parameter.name.is_empty() {
            let name = Value::symbol(ctx.intern_str(&parameter.name));
            pair.push(ctx, name);
        }
        result.push(ctx, pair.value());
    }
    result.value()
}

/// "(a, b=..., *c, d:, e: ..., **f, &g)"
pub fn signature(list: &[Parameter]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut forwards = false;
    for (i, parameter) in list.iter().enumerate() {
        let name = parameter.name.as_str();
        let or = |fallback: &str| if name.is_empty() { fallback.to_string() } else { name.to_string() };
        let starred =
            |sign: &str| if name.is_empty() || name == sign { sign.to_string() } else { format!("{sign}{name}") };
        parts.push(match parameter.kind {
            "req" => or("_"),
            "opt" => format!("{}=...", or("_")),
            "keyreq" => format!("{}:", or("_")),
            "key" => format!("{}: ...", or("_")),
            "rest" => {
                let follows = |k: usize, kind: &str, name: &str| {
                    list.get(i + k).is_some_and(|p| p.kind == kind && p.name == name)
                };
                if name == "*" && follows(1, "keyrest", "**") && follows(2, "block", "&") {
                    forwards = true;
                    "...".to_string()
                } else {
                    starred("*")
                }
            }
            "keyrest" if forwards => continue,
            "block" if forwards => continue,
            "keyrest" => starred("**"),
            "block" => starred("&"),
            "nokey" => "**nil".to_string(),
            "noblock" => "&nil".to_string(),
            _ => or("_"),
        });
    }
    format!("({})", parts.join(", "))
}

/// File and line of code. The VM's own is native code to the program, but for that of libraries: those are files
/// elsewhere.
pub fn place_of_code(ctx: &Ctx, code: Code) -> Option<(String, i32)> {
    if is_core(ctx, code) { None } else { Some((code.iseq().script.path.clone(), code.iseq().line)) }
}

fn is_core(ctx: &Ctx, code: Code) -> bool {
    let script = &code.iseq().script;
    script.is_internal() && ctx.extension::<CoreScripts>().0.borrow().contains(&script.path)
}

/// File and line of a method written in Ruby.
pub fn place_of_method(ctx: &Ctx, method: Method) -> Option<(String, i32)> {
    let method = method.resolved();
    match method.body() {
        MethodBody::AttrReader(_) | MethodBody::AttrWriter(_) => {
            method.owner().data(ctx).attribute_place(method.name()).map(|(script, line)| (script.path.clone(), *line))
        }
        MethodBody::Code { code, .. } => place_of_code(ctx, *code),
        MethodBody::Proc(proc) => place_of_proc(ctx, *proc),
        _ => None,
    }
}

/// File and line of a proc written in Ruby.
pub fn place_of_proc(ctx: &Ctx, proc: Proc) -> Option<(String, i32)> {
    match proc.body() {
        ProcBody::Code(code) => place_of_code(ctx, *code),
        _ => None,
    }
}

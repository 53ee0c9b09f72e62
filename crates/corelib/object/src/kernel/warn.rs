//! `Kernel#warn` and the module Warning with its categories.

use super::super::exception::backtrace;
use rubellite_vm::class::{Arity, Class, ClassDef, method};
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Args, Ctx, Encoding, Extension, Result, Sym, Value};
use std::cell::Cell;

pub static WARN: ClassDef = ClassDef {
    name: "Kernel",
    superclass: "",
    module_functions: &[method("warn", Arity::ANY.with_keywords(), warn)],
    ..ClassDef::EMPTY
};

pub static WARNING: ClassDef = ClassDef {
    name: "Warning",
    superclass: "",
    methods: &[method("warn", Arity::ONE.with_keywords(), warning_warn)],
    singleton_methods: &[
        method("[]", Arity::ONE, category_get),
        method("[]=", Arity::exact(2), category_set),
        method("categories", Arity::NONE, categories),
    ],
    setup: Some(extend_self),
    ..ClassDef::EMPTY
};

/// Names of the categories and whether they are on at first.
const CATEGORIES: [(&str, bool); 4] =
    [("deprecated", false), ("experimental", true), ("performance", false), ("strict_unused_block", false)];

/// Which categories are on.
struct Enabled([Cell<bool>; CATEGORIES.len()]);

impl Default for Enabled {
    fn default() -> Enabled {
        Enabled(CATEGORIES.map(|(_, on)| Cell::new(on)))
    }
}

impl Extension for Enabled {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

fn extend_self(ctx: &mut Ctx, warning: Class) -> Result<()> {
    if let Some(singleton) = Class::singleton_class(ctx, warning.value()) {
        let _ = singleton.include(ctx, warning);
    }
    Ok(())
}

/// Turns a category on or off; for the command line.
pub fn set_category(ctx: &Ctx, name: &str, on: bool) -> bool {
    match CATEGORIES.iter().position(|(n, _)| *n == name) {
        Some(i) => {
            switch(ctx, i, on);
            true
        }
        None => false,
    }
}

fn switch(ctx: &Ctx, i: usize, on: bool) {
    ctx.extension::<Enabled>().0[i].set(on);
    if CATEGORIES[i].0 == "strict_unused_block" {
        ctx.vm().unused_blocks.strict.set(on);
    }
}

fn category_index(ctx: &mut Ctx, category: Value) -> Result<usize> {
    let Some(sym) = category.as_symbol() else {
        return Err(super::super::support::wrong_type(ctx, category, "Symbol"));
    };
    let text = ctx.sym_str(sym);
    match CATEGORIES.iter().position(|(name, _)| *name == text) {
        Some(i) => Ok(i),
        None => Err(ctx.argument_error(&format!("unknown category: {text}"))),
    }
}

/// `Warning[category] -> true or false`
fn category_get(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let i = category_index(ctx, args.at(0))?;
    Ok(Value::from_bool(ctx.extension::<Enabled>().0[i].get()))
}

/// `Warning[category] = flag`
fn category_set(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let i = category_index(ctx, args.at(0))?;
    switch(ctx, i, args.at(1).truthy());
    Ok(args.at(1))
}

/// `Warning.categories -> array`
fn categories(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let names: Vec<Sym> = CATEGORIES.iter().map(|(name, _)| ctx.intern(name)).collect();
    Ok(super::super::support::symbol_list(ctx, &names))
}

/// `Warning.warn(message, category: nil) -> nil`: writes to `$stderr`.
fn warning_warn(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let text = args.at(0);
    let text: Str = ctx.expect(text)?;
    if let Some(category) = args.keyword(ctx, "category").filter(|c| !c.is_nil()) {
        let i = category_index(ctx, category)?;
        if !ctx.extension::<Enabled>().0[i].get() {
            return Ok(Value::NIL);
        }
    }
    (ctx.vm().hooks().complain)(ctx, text)?;
    Ok(Value::NIL)
}

/// `warn(message, ..., uplevel: nil, category: nil) -> nil`
fn warn(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    args.check_keywords(ctx, &["category", "uplevel"])?;
    let category = args.keyword(ctx, "category").filter(|c| !c.is_nil());
    let uplevel = args.keyword(ctx, "uplevel").filter(|u| !u.is_nil());
    let positional = args.positional();
    let category = match category {
        Some(category) => {
            let category = category_symbol(ctx, category)?;
            category_index(ctx, category)?;
            Some(category)
        }
        None => None,
    };
    if ctx.vm().verbose.get().is_nil() || positional.is_empty() {
        return Ok(Value::NIL);
    }
    if let Some(category) = category {
        let i = category_index(ctx, category)?;
        if !ctx.extension::<Enabled>().0[i].get() {
            return Ok(Value::NIL);
        }
    }
    let out = Str::new(ctx, b"", Encoding::UTF_8);
    if let Some(level) = uplevel {
        let prefix = place(ctx, level)?;
        out.append(ctx, prefix.as_bytes());
    }
    let lines = Array::new(ctx);
    flatten(ctx, positional.slice(), lines, 0)?;
    if lines.is_empty() {
        return Ok(Value::NIL);
    }
    for i in 0..lines.len() {
        let line = ctx.to_s(lines.get(i).unwrap_or(Value::NIL))?;
        out.append_str(ctx, line);
        if line.bytes(ctx).last() != Some(&b'\n') {
            out.append(ctx, b"\n");
        }
    }
    // A `Warning.warn` of the program that calls super ends here: it must not be called again.
    if recv == ctx.error_class("Warning").value() {
        (ctx.vm().hooks().complain)(ctx, out)?;
        return Ok(Value::NIL);
    }
    ctx.deliver_warning(out.value(), category)
}

/// A category as a Symbol, by `to_sym`.
fn category_symbol(ctx: &mut Ctx, category: Value) -> Result {
    if category.as_symbol().is_some() {
        return Ok(category);
    }
    let name = ctx.names().to_sym;
    match ctx.check_call(category, name, &[])? {
        Some(symbol) if symbol.as_symbol().is_some() => Ok(symbol),
        Some(other) => Err(ctx.bad_conversion(category, other, "Symbol", "to_sym")),
        None => Err(ctx.conversion_error(category, "Symbol")),
    }
}

/// The lines of `warn` as `puts` takes them: Arrays are spread.
fn flatten(ctx: &mut Ctx, values: &[Value], lines: Array, depth: usize) -> Result<()> {
    for value in values {
        match Array::try_of(*value) {
            Some(inner) if depth < 1000 => {
                let inner: Vec<Value> = inner.slice(ctx).to_vec(); // tidy: rooted by the arguments
                flatten(ctx, &inner, lines, depth + 1)?;
            }
            _ => lines.push(ctx, *value),
        }
    }
    Ok(())
}

/// "FILE:LINE: warning: " of the caller `level` levels up.
fn place(ctx: &mut Ctx, level: Value) -> Result<String> {
    let n = ctx.to_int(level)?;
    if n < 0 {
        return Err(ctx.argument_error(&format!("negative level ({n})")));
    }
    let positions = ctx.positions(1, usize::MAX);
    let levels = backtrace::levels(ctx, &positions);
    Ok(match levels.get(n as usize) {
        Some(level) => format!("{}:{}: warning: ", level.path, level.line),
        None => "warning: ".to_string(),
    })
}

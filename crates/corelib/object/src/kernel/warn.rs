//! `Kernel#warn` and the module Warning with its categories.

use super::super::exception::backtrace;
use rubellite_vm::class::{Arity, Class, ClassDef, method};
use rubellite_vm::object::{Array, Str};
use rubellite_vm::warning::Category;
use rubellite_vm::{Args, Ctx, Encoding, Result, Sym, Value};

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

fn extend_self(ctx: &mut Ctx, warning: Class) -> Result<()> {
    if let Some(singleton) = Class::singleton_class(ctx, warning.value()) {
        let _ = singleton.include(ctx, warning);
    }
    Ok(())
}

fn category_of(ctx: &mut Ctx, value: Value) -> Result<Category> {
    let Some(sym) = value.as_symbol() else {
        return Err(super::super::support::wrong_type(ctx, value, "Symbol"));
    };
    let text = ctx.sym_str(sym);
    Category::named(&text).ok_or_else(|| ctx.argument_error(&format!("unknown category: {text}")))
}

/// `Warning[category] -> true or false`
fn category_get(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let category = category_of(ctx, args.at(0))?;
    Ok(Value::from_bool(ctx.category_is_on(category)))
}

/// `Warning[category] = flag`
fn category_set(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let category = category_of(ctx, args.at(0))?;
    ctx.switch_category(category, args.at(1).truthy());
    Ok(args.at(1))
}

/// `Warning.categories -> array`
fn categories(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let names: Vec<Sym> = Category::ALL.iter().map(|category| ctx.intern(category.name())).collect();
    Ok(super::super::support::symbol_list(ctx, &names))
}

/// `Warning.warn(message, category: nil) -> nil`: writes to `$stderr`.
fn warning_warn(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let text = args.at(0);
    let text: Str = ctx.expect(text)?;
    ctx.check_ascii_compatible(text)?;
    if let Some(category) = args.keyword(ctx, "category").filter(|c| !c.is_nil()) {
        let category = category_of(ctx, category)?;
        if !ctx.category_is_on(category) {
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
            category_of(ctx, category)?;
            Some(category)
        }
        None => None,
    };
    if ctx.vm().verbose.get().is_nil() || positional.is_empty() {
        return Ok(Value::NIL);
    }
    if let Some(category) = category {
        let category = category_of(ctx, category)?;
        if !ctx.category_is_on(category) {
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

//! Module: `class_eval`, `class_exec`; the text form is shared with `instance_eval`.

use rubellite_vm::class::{Arity, MethodDef, method};
use rubellite_vm::object::Str;
use rubellite_vm::{Args, Class, Ctx, Result, Value};

pub static METHODS: &[MethodDef] = &[
    method("module_eval", Arity::ANY, class_eval),
    method("class_eval", Arity::ANY, class_eval),
    method("module_exec", Arity::ANY, class_exec),
    method("class_exec", Arity::ANY, class_exec),
];

/// Runs a block with a module as self and as the place of definitions.
pub fn yield_in_module(ctx: &mut Ctx, module: Value, block: Value, args: &[Value], keywords: bool) -> Result {
    ctx.yield_in_scope(block, module, module, args, keywords)
}

/// `class_eval { |module| }`, `class_eval(string, file, line)`
fn class_eval(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if args.has_block() {
        if !args.is_empty() {
            return Err(ctx.arity_error(args.len(), 0, Some(0)));
        }
        return yield_in_module(ctx, recv, args.block, &[recv], false);
    }
    let module = ctx.expect::<Class>(recv)?;
    eval_string(ctx, recv, args, Some(module))
}

/// `class_exec(...) { |...| }`
fn class_exec(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if !args.has_block() {
        return Err(ctx.raise_error("LocalJumpError", "no block given"));
    }
    yield_in_module(ctx, recv, args.block, args.slice(), args.has_keywords())
}

/// Evaluates the source text of the arguments with another self and place of definitions, which is the singleton class
/// of self when none is given.
pub fn eval_string(ctx: &mut Ctx, recv: Value, args: Args, definee: Option<Class>) -> Result {
    if args.is_empty() {
        return Err(ctx.argument_error("wrong number of arguments (given 0, expected 1..3)"));
    }
    if args.len() > 3 {
        return Err(ctx.arity_error(args.len(), 1, Some(3)));
    }
    let source = ctx.to_str(args.at(0))?;
    check_source(ctx, source)?;
    let (path, line) = eval_place(ctx, args.get(1), args.get(2))?;
    let (bytes, encoding) = (source.bytes(ctx).to_vec(), source.encoding());
    ctx.eval_with_self(&bytes, &path, line, encoding, recv, definee)
}

/// Code cannot be in an encoding whose ASCII characters are not their bytes.
pub fn check_source(ctx: &mut Ctx, source: Str) -> Result<()> {
    if source.encoding().is_ascii_compatible() { Ok(()) } else { Err(ctx.argument_error("invalid source encoding")) }
}

/// The path of code that is evaluated in evaluated code grows by each level; every level keeps its own.
const EVAL_PATH_MAX: usize = 32 << 10;

/// File and line of evaluated code: given, or "(eval at FILE:LINE)".
pub fn eval_place(ctx: &mut Ctx, file: Option<Value>, line: Option<Value>) -> Result<(String, i32)> {
    let path = match file.filter(|f| !f.is_nil()) {
        Some(file) => Some(ctx.to_str(file)?.to_lossy(ctx).into_owned()),
        None => None,
    };
    let line = match line {
        Some(line) => ctx.to_c_int(line)?,
        None => 1,
    };
    match path {
        Some(path) => Ok((path, line)),
        None => Ok(match ctx.source_location() {
            (Some(file), _) if file.len() > EVAL_PATH_MAX => return Err(ctx.stack_overflow()),
            (Some(file), at) => (format!("(eval at {file}:{at})"), line),
            _ => ("(eval)".to_string(), line),
        }),
    }
}

//! What the VM asks of the crates above it.

use rubellite_compiler as compiler;
use rubellite_vm::{CompileRequest, Ctx, Hooks, Result, Value};
use std::sync::Arc;

/// The hooks for a VM with this core library.
pub fn hooks() -> Hooks {
    Hooks {
        compile,
        new_regexp: crate::text::new_regexp,
        encoding_object: crate::text::encoding_object,
        match_part: crate::text::match_part,
        autoload: crate::system::autoload,
    }
}

/// Compiles source text and gives the parser's warnings; a syntax error is raised as SyntaxError.
fn compile(ctx: &mut Ctx, request: CompileRequest) -> Result<Arc<rubellite_bytecode::ISeq>> {
    let scopes: Vec<compiler::EvalScope> = request.scopes.into_iter().map(|locals| compiler::EvalScope { locals }).collect();
    let options = compiler::Options {
        path: request.path,
        first_line: request.line,
        kind: request.kind,
        scopes: &scopes,
        encoding: request.encoding,
        in_method: request.in_method,
        method_params: request.method_params,
        frozen_string_literal: ctx.frozen_string_literal_default(),
        verbose: ctx.vm().verbose.get() == Value::TRUE,
        ..compiler::Options::default()
    };
    match compiler::compile(request.source, &options) {
        Ok(program) => {
            give_warnings(ctx, &program.warnings, request.path)?;
            Ok(program.iseq)
        }
        Err(error) => {
            let class = ctx.error_class(match error.level {
                compiler::ErrorLevel::Syntax => "SyntaxError",
                compiler::ErrorLevel::Argument => "ArgumentError",
                compiler::ErrorLevel::Load => "LoadError",
            });
            let exception = ctx.new_error(class, &error.message);
            let path_ivar = ctx.intern("__path");
            let path = rubellite_vm::object::Str::utf8(ctx, request.path).value();
            ctx.ivar_set(exception, path_ivar, path);
            Err(ctx.raise(exception))
        }
    }
}

pub fn give_warnings(ctx: &mut Ctx, warnings: &[compiler::Warning], path: &str) -> Result<()> {
    let level = ctx.vm().verbose.get();
    for warning in warnings {
        if level.is_nil() || (warning.verbose_only && level != Value::TRUE) {
            continue;
        }
        ctx.warn_raw(&format!("{path}:{}: warning: {}\n", warning.line, warning.message))?;
    }
    Ok(())
}

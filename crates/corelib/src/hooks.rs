//! What the VM asks of the crates above it.

use rubellite_compiler as compiler;
use rubellite_vm::{CompileRequest, Ctx, Encoding, Hooks, MatchPart, Result, Value};
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

/// Compiles source text; a syntax error is raised as SyntaxError.
fn compile(ctx: &mut Ctx, request: CompileRequest) -> Result<Arc<rubellite_bytecode::ISeq>> {
    let scopes: Vec<compiler::EvalScope> = request.scopes.into_iter().map(|locals| compiler::EvalScope { locals }).collect();
    let options = compiler::Options {
        path: request.path,
        first_line: request.line,
        kind: request.kind,
        scopes: &scopes,
        encoding: request.encoding,
        ..compiler::Options::default()
    };
    match compiler::compile(request.source, &options) {
        Ok(program) => Ok(program.iseq),
        Err(error) => {
            let class = ctx.error_class("SyntaxError");
            let exception = ctx.new_error(class, &error.message);
            Err(ctx.raise(exception))
        }
    }
}

#[allow(unused)]
fn unused(_: Encoding, _: MatchPart, _: Value) {}

//! What the VM asks of the crates above it.

use rubellite_bytecode::{Const, ISeq, Op, Text};
use rubellite_compiler as compiler;
use rubellite_core_thread::{apart, outside};
use rubellite_vm::object::{Array, Str, fits};
use rubellite_vm::{Class, CompileRequest, Ctx, Hooks, Result, Unwind, Value};
use std::sync::Arc;

/// The hooks for a VM with this core library.
pub fn hooks() -> Hooks {
    Hooks {
        compile,
        new_regexp: rubellite_core_text::new_regexp,
        regexp_piece: rubellite_core_text::regexp_piece_encoding,
        joined_regexp: rubellite_core_text::joined_regexp,
        encoding_object: rubellite_core_encoding::encoding_object,
        match_part: rubellite_core_text::match_part,
        autoload: rubellite_core_load::autoload,
        autoload_pending: rubellite_core_load::autoload_pending,
        autoload_wait: rubellite_core_load::autoload_wait,
        autoload_done: rubellite_core_load::autoload_done,
        complain: rubellite_core_io::io::write::complain,
        stderr_is_terminal: rubellite_core_process::program::on_terminal,
        run_signals: rubellite_core_process::signal::run_pending,
        look: rubellite_core_lock::look,
        reap_child: |ctx, pid, flags| rubellite_core_process::wait::reap(ctx, pid, flags).map(drop),
        dump_pieces: rubellite_core_marshal::dump_pieces,
        ractor_ended: rubellite_core_ractor::ended,
        ractor_lead: rubellite_core_ractor::lead_of_current,
        end_child: rubellite_core_process::spawn::end_child,
        offer: rubellite_core_thread::operation::offload,
        fiber_waits: |ctx| rubellite_core_thread::scheduler::current(ctx).is_some(),
    }
}

/// Bytes that the parser and the compiler take for each byte of source at most: 50 for short assignments, 70 for lists
/// of integers.
const COMPILE_BYTES: usize = 64;

/// Sources from this length on, some ten milliseconds of parsing and compiling, are compiled outside the lock.
const APART_BYTES: usize = 1 << 17;

/// Parser and compiler do not stop by themselves: on a thread of their own an interrupt leaves them behind.
fn compile_apart(
    ctx: &mut Ctx,
    source: &[u8],
    around: Option<&Arc<ISeq>>,
    options: &compiler::Options,
) -> Result<std::result::Result<compiler::Program, compiler::SyntaxError>> {
    let (source, path, scopes) = (source.to_vec(), options.path.to_string(), options.scopes.to_vec());
    let (params, around) = (options.method_params.cloned(), around.cloned());
    let compiler::Options {
        first_line,
        kind,
        frozen_string_literal,
        note_literals,
        encoding,
        command_line,
        verbose,
        in_method,
        origin,
        branches,
        ..
    } = options.clone();
    apart::run(ctx, "compile", COMPILE_STACK, move || {
        let options = compiler::Options {
            path: &path,
            first_line,
            kind,
            scopes: &scopes,
            frozen_string_literal,
            note_literals,
            encoding,
            command_line,
            verbose,
            in_method,
            method_params: params.as_ref(),
            around: around.as_deref(),
            stack_bytes: 0,
            origin,
            branches,
        };
        compiler::compile(&source, &options)
    })
}

/// The compiler takes a thread with more for source that may nest deeply.
const COMPILE_STACK: usize = 1 << 20;

/// Compiles source text and gives the parser's warnings; a syntax error is raised as SyntaxError.
fn compile(ctx: &mut Ctx, request: CompileRequest) -> Result<Arc<ISeq>> {
    if !fits(request.source.len().saturating_mul(COMPILE_BYTES)) {
        return Err(ctx.no_memory());
    }
    let scopes: Vec<compiler::EvalScope> =
        request.scopes.into_iter().map(|locals| compiler::EvalScope { locals }).collect();
    let options = compiler::Options {
        path: request.path,
        first_line: request.line,
        kind: request.kind,
        scopes: &scopes,
        encoding: request.encoding,
        in_method: request.in_method,
        method_params: request.method_params,
        around: request.around.map(|iseq| &**iseq),
        // Strings that parts of the runtime give to programs are the program's own, whatever it says about its
        // literals.
        frozen_string_literal: if request.origin.is_internal() {
            Some(false)
        } else {
            ctx.frozen_string_literal_default()
        },
        note_literals: ctx.notes_literals() && !request.origin.is_internal(),
        verbose: ctx.vm().verbose.get() == Value::TRUE,
        // Until then only the Ruby parts of the core are compiled: no native thread is made for one.
        stack_bytes: if ctx.booted() { ctx.native_stack_left() } else { usize::MAX },
        origin: request.origin,
        branches: !request.origin.is_internal() && ctx.vm().counts_branches.get(),
        ..compiler::Options::default()
    };
    let compiled = match request.source.len() {
        ..APART_BYTES => compiler::compile(request.source, &options),
        _ if request.origin.is_internal() => compiler::compile(request.source, &options),
        _ => compile_apart(ctx, request.source, request.around, &options)?,
    };
    match compiled {
        Ok(program) => {
            if !request.origin.is_internal() {
                give_warnings(ctx, &program.warnings, request.path)?;
            }
            check_regexps(ctx, &program.iseq)?;
            Ok(program.iseq)
        }
        Err(error) => {
            if !request.origin.is_internal() {
                give_warnings(ctx, &error.warnings, request.path)?;
            }
            let class = ctx.error_class(match error.level {
                compiler::ErrorLevel::Syntax | compiler::ErrorLevel::Code => "SyntaxError",
                compiler::ErrorLevel::Argument => "ArgumentError",
                compiler::ErrorLevel::Load => "LoadError",
                compiler::ErrorLevel::Memory => return Err(ctx.no_memory()),
            });
            let exception = refusal_of(ctx, class, &error.message, request.path);
            if error.level == compiler::ErrorLevel::Code {
                let path = Str::utf8(ctx, request.path).value();
                let trace = Array::from_slice(ctx, &[path]).value();
                ctx.call_name(exception, "set_backtrace", &[trace])?;
            }
            Err(ctx.raise(exception))
        }
    }
}

/// An error about a source text; it remembers the text's path (`SyntaxError#path`).
pub fn refusal_of(ctx: &mut Ctx, class: Class, message: &str, path: &str) -> Value {
    let exception = ctx.new_error(class, message);
    let ivar = ctx.internal("__path");
    let path = Str::utf8(ctx, path).value();
    ctx.ivar_set(exception, ivar, path);
    exception
}

/// Raises the SyntaxError of the first regexp literal that the regexp compiler refuses: the parser reads their syntax
/// only in part.
pub fn check_regexps(ctx: &mut Ctx, iseq: &ISeq) -> Result<()> {
    let mut left = vec![iseq];
    for step in 0.. {
        let Some(iseq) = left.pop() else { break };
        check_own_regexps(ctx, iseq)?;
        if ctx.booted() {
            outside::poll(ctx, step)?;
        }
        left.extend(iseq.children.iter().rev().map(|child| &**child));
    }
    Ok(())
}

fn check_own_regexps(ctx: &mut Ctx, iseq: &ISeq) -> Result<()> {
    for (index, constant) in iseq.consts.iter().enumerate() {
        let Const::Regexp(text, flags) = constant else { continue };
        if text.bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b' ') {
            continue;
        }
        let pc = iseq.insns.iter().position(|insn| insn.op == Op::LoadConst && insn.literal() == index);
        let line = pc.map_or(iseq.line, |pc| iseq.line_at(pc));
        match rubellite_core_text::new_regexp(ctx, text.bytes(), text.encoding(), *flags) {
            Ok(regexp) => {
                let verbose = !ctx.vm().verbose.get().is_nil();
                for warning in rubellite_core_text::warnings_about(ctx, regexp).into_iter().filter(|_| verbose) {
                    ctx.warn_raw(&format!("{}:{line}: warning: {warning}\n", iseq.script.path))?;
                }
            }
            Err(_) => return Err(refused_regexp(ctx, iseq, line, None)),
        }
    }
    for (pc, insn) in iseq.insns.iter().enumerate().filter(|(_, insn)| insn.op == Op::NewRegexp) {
        for text in own_pieces(iseq, pc) {
            let piece = Str::new(ctx, text.bytes(), text.encoding());
            if rubellite_core_text::regexp_piece_encoding(ctx, piece, insn.x).is_err() {
                return Err(refused_regexp(ctx, iseq, iseq.line_at(pc), Some(text)));
            }
        }
    }
    Ok(())
}

/// The pieces of a regexp with interpolation that the program itself writes: what the last instruction to fill their
/// registers loads.
fn own_pieces(iseq: &ISeq, pc: usize) -> Vec<&Text> {
    let insn = iseq.insns[pc];
    let mut left: Vec<u16> = (insn.b..insn.b + insn.c).collect();
    let mut pieces = Vec::new();
    for before in iseq.insns[..pc].iter().rev().filter(|before| matches!(before.op, Op::LoadConst | Op::ToStr)) {
        if left.is_empty() {
            break;
        }
        let Some(place) = left.iter().position(|reg| *reg == before.a) else { continue };
        left.swap_remove(place);
        if let (Op::LoadConst, Some(Const::Str(text))) = (before.op, iseq.consts.get(before.literal())) {
            pieces.push(text);
        }
    }
    pieces.reverse();
    pieces
}

/// The SyntaxError for a literal that the pending exception has refused. Of escapes that cannot be read only
/// RegexpError names the pattern itself.
#[cold]
fn refused_regexp(ctx: &mut Ctx, iseq: &ISeq, line: i32, piece: Option<&Text>) -> Unwind {
    let Some(refusal) = ctx.take_exception() else { return Unwind };
    let message = match ctx.call_name(refusal, "message", &[]) {
        Ok(message) => Str::try_of(message).map(|text| text.to_lossy(ctx).into_owned()).unwrap_or_default(),
        Err(exit) => return exit,
    };
    let path = &iseq.script.path;
    let shown = piece.map_or(String::new(), |text| format!(": /{}/", String::from_utf8_lossy(text.bytes())));
    let class = ctx.error_class("SyntaxError");
    let exception = refusal_of(ctx, class, &format!("{path}:{line}: {message}{shown}"), path);
    ctx.raise(exception)
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

//! The compiler: Ruby source through Prism to a register [`ISeq`].
//!
//! The only user of the parser's tree; it knows nothing of the VM. The passes: parse, report errors
//! (`diagnostics`), find captured variables (`scope`), then one walk that emits code. `asm` knows
//! instructions and labels, `compiler` the frame around the walk; each other module lowers one
//! topic of the language: `literals`, `calls`, `assign`, `multi`, `cond`, `loops`, `rescue`,
//! `pattern`, `params`, `defs`, `defined`. `spot` compiles once more to find what an instruction was made of.

#![forbid(unsafe_code)]

mod arms;
mod asm;
mod assign;
mod branches;
mod calls;
mod compiler;
mod cond;
mod defined;
mod defs;
mod diagnostics;
mod expr;
mod literals;
mod loops;
mod multi;
mod opassign;
mod params;
mod pattern;
mod rescue;
mod scope;
mod sharing;
mod source;
mod spot;

use rubellite_bytecode::{Encoding, ISeq, ISeqKind, Origin, Params, Text};
use std::sync::Arc;

pub use diagnostics::{ErrorLevel, SyntaxError, Warning};
pub use rubellite_bytecode::CommandLine;
pub use spot::{Point, spot};

/// How to compile a source text.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    pub path: &'a str,
    pub first_line: i32,
    /// `Main`, `Top` or `Eval`.
    pub kind: ISeqKind,
    /// For `Eval`: the environments that the code sees, innermost first.
    pub scopes: &'a [EvalScope],
    /// The command line's default for string literals.
    pub frozen_string_literal: Option<bool>,
    /// String literals note where they were made.
    pub note_literals: bool,
    /// Encoding of the source unless a magic comment says otherwise.
    pub encoding: Encoding,
    pub command_line: CommandLine,
    /// Report warnings that only `-w` shows.
    pub verbose: bool,
    /// For `Eval`: the code runs inside a method, so that it may yield.
    pub in_method: bool,
    /// For `Eval` in a method: what a `super` without arguments passes on.
    pub method_params: Option<&'a Params>,
    /// For `Eval`: the code that it belongs to, whose name and depth in blocks it has.
    pub around: Option<&'a ISeq>,
    /// How much of the machine stack the caller can spare beside what every native function has. `usize::MAX`: the
    /// source is one of ours, known to nest little, and is compiled on the caller's stack.
    pub stack_bytes: usize,
    /// A part of the runtime may call primitives.
    pub origin: Origin,
    /// The code counts its branches.
    pub branches: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            path: "-e",
            first_line: 1,
            kind: ISeqKind::Main,
            scopes: &[],
            frozen_string_literal: None,
            note_literals: false,
            encoding: Encoding::UTF_8,
            command_line: CommandLine::default(),
            verbose: false,
            in_method: false,
            method_params: None,
            around: None,
            stack_bytes: 0,
            origin: Origin::Program,
            branches: false,
        }
    }
}

/// One environment that an eval sees: the name of each slot, empty for slots without a name. Anonymous
/// parameters are named `*`, `**` and `&`.
#[derive(Clone, Debug, Default)]
pub struct EvalScope {
    pub locals: Vec<Text>,
}

/// A compiled source text.
#[derive(Debug)]
pub struct Program {
    pub iseq: Arc<ISeq>,
    pub warnings: Vec<Warning>,
    /// Offset of the first byte after the `__END__` line.
    pub data_offset: Option<usize>,
}

/// Compiles `source`. Errors are what Ruby raises for it: see [`SyntaxError`].
pub fn compile(source: &[u8], options: &Options) -> Result<Program, SyntaxError> {
    let compiled = with_stack(source, options.stack_bytes, || compile_here(source, options));
    compiled.unwrap_or_else(|| {
        Err(SyntaxError::new("failed to allocate memory".into(), options.first_line, ErrorLevel::Memory))
    })
}

/// Runs a walk of the syntax tree of `source` where the stack is large enough for it; `None` when the system has no
/// such stack.
fn with_stack<T: Send>(source: &[u8], stack_bytes: usize, walk: impl Fn() -> T + Sync) -> Option<T> {
    if stack_bytes == usize::MAX {
        return Some(walk());
    }
    let fits = |bound: usize| {
        let is_short = bound <= INLINE_NESTING && bound * LEVEL_BYTES <= stack_bytes.saturating_add(SPARE_BYTES);
        is_short || bound.saturating_mul(2 * LEVEL_BYTES) <= stack_bytes.min(INLINE_BYTES_MAX)
    };
    if fits(source.len()) {
        return Some(walk());
    }
    let bound = nesting_bound(source);
    if fits(bound) {
        return Some(walk());
    }
    // Twice what it can need, which for a usual file is a few MiB; where address space is limited and has no room for
    // that, what it can need.
    [2 * LEVEL_BYTES, LEVEL_BYTES].into_iter().find_map(|level| {
        let stack = (bound + INLINE_NESTING).saturating_mul(level).min(STACK_BYTES_MAX);
        std::thread::scope(|scope| {
            let worker = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, &walk);
            match worker.map(|worker| worker.join()) {
                Ok(Ok(result)) => Some(result),
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(_) => None,
            }
        })
    })
}

/// Source is compiled on the caller's stack if that is large enough: each level takes so many bytes at most, and every
/// caller has so many to spare for source that can nest no deeper than this. A thread of its own costs as much as to
/// compile a short file.
const INLINE_NESTING: usize = 200;
const LEVEL_BYTES: usize = 1024;
const SPARE_BYTES: usize = 24 * 1024;
/// What deep source has touched of the caller's stack stays in memory.
const INLINE_BYTES_MAX: usize = 8 << 20;
/// More than the deepest source takes that the parser accepts.
const STACK_BYTES_MAX: usize = 4 << 30;

/// No syntax tree of `source` is deeper than this: every level takes a word or a punctuation byte.
fn nesting_bound(source: &[u8]) -> usize {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() | (byte == b'_') | (byte >= 0x80);
    let begins = |pair: &[u8]| is_word(pair[1]) & !is_word(pair[0]);
    let words = source.windows(2).filter(|pair| begins(pair)).count();
    let marks = source.iter().filter(|byte| !is_word(**byte) & !byte.is_ascii_whitespace()).count();
    source.first().map_or(0, |first| is_word(*first) as usize) + words + marks
}

fn compile_here(source: &[u8], options: &Options) -> Result<Program, SyntaxError> {
    let parse_options = source::parse_options(source, options);
    let result = ruby_prism::parse_with_options(source, &parse_options);
    let info = source::Source::new(source, &result, options);
    let mut warnings = diagnostics::warnings(&result, &info);
    if let Some(error) = diagnostics::error(&result, &info) {
        warnings.retain(|warning| options.verbose || !warning.verbose_only);
        return Err(SyntaxError { warnings, ..error });
    }
    let compiler::Compiled { iseq, warnings: found, .. } = compiler::compile_program(&result, info, options, None)?;
    warnings.extend(found);
    warnings.retain(|warning| options.verbose || !warning.verbose_only);
    Ok(Program { iseq: Arc::new(iseq), warnings, data_offset: source::data_offset(&result) })
}

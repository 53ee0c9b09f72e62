//! The source text around a compilation: its lines, encoding and the options of the parser.

use crate::Options;
use rubellite_bytecode::{Encoding, ISeqKind, Params, Reading, Script, SourceText, Text};
use ruby_prism::{CommandLineFlag, ParseOptions, ParseResult, Scope, ScopeForwardingFlag, Version};
use std::sync::{Arc, OnceLock};

/// What the walk needs to know of the source.
pub struct Source<'pr> {
    pub bytes: &'pr [u8],
    line_offsets: &'pr [u32],
    pub first_line: i32,
    pub encoding: Encoding,
    pub script: Arc<Script>,
    /// A part of the runtime that is written in Ruby.
    pub internal: bool,
}

impl<'pr> Source<'pr> {
    pub fn new(bytes: &'pr [u8], result: &ParseResult<'pr>, options: &Options) -> Self {
        let encoding = encoding_comment(bytes)
            .and_then(|name| find_encoding(&name))
            .unwrap_or_else(|| given_encoding(bytes, options));
        let frozen = magic(result, &[b"frozen_string_literal", b"frozen-string-literal"]).and_then(|value| match value
            .to_ascii_lowercase()
            .as_str()
        {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        });
        let script = Arc::new(Script {
            path: options.path.to_string(),
            text: SourceText::new(bytes),
            first_line: options.first_line,
            frozen_string_literal: frozen,
            encoding,
            reading: Reading {
                kind: options.kind,
                frozen_string_literal: options.frozen_string_literal,
                encoding: options.encoding,
                command_line: options.command_line,
                origin: options.origin,
                branches: options.branches,
            },
            real_path: OnceLock::new(),
            branches: OnceLock::new(),
        });
        Source {
            bytes,
            line_offsets: result.line_offsets(),
            first_line: options.first_line,
            encoding,
            script,
            internal: options.origin.is_internal(),
        }
    }

    /// Line number of a byte offset.
    pub fn line(&self, offset: u32) -> i32 {
        let index = self.line_offsets.partition_point(|start| *start <= offset);
        self.first_line.wrapping_add(index as i32 - 1)
    }

    /// Line number and column in bytes.
    pub fn position(&self, offset: u32) -> (i32, u32) {
        let index = self.line_offsets.partition_point(|start| *start <= offset).max(1) - 1;
        (self.first_line.wrapping_add(index as i32), offset - self.line_offsets[index])
    }

    pub fn line_count(&self) -> usize {
        self.line_offsets.len()
    }

    /// Offset of the start of line `index`, counted from 0; the end of the source after the last.
    pub fn line_start(&self, index: usize) -> usize {
        self.line_offsets.get(index).map_or(self.bytes.len(), |start| *start as usize)
    }

    pub fn text(&self, bytes: &[u8]) -> Text {
        let encoding = if bytes.is_ascii() { Encoding::US_ASCII } else { self.encoding };
        Text::new(bytes, encoding)
    }
}

/// The value of the first magic comment with one of these names, when it precedes the code.
fn magic(result: &ParseResult, names: &[&[u8]]) -> Option<String> {
    result
        .magic_comments()
        .find(|comment| names.iter().any(|name| comment.key().eq_ignore_ascii_case(name)))
        .map(|comment| String::from_utf8_lossy(comment.value()).into_owned())
}

/// The encoding of a source without a comment: a byte order mark shows UTF-8.
fn given_encoding(source: &[u8], options: &Options) -> Encoding {
    if source.starts_with(b"\xEF\xBB\xBF") { Encoding::UTF_8 } else { options.encoding }
}

/// The encoding that the comment on the first line asks for (the second, after `#!`): `coding` in any
/// wrapping, then `:` or `=` and a name.
fn encoding_comment(source: &[u8]) -> Option<String> {
    let source = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source);
    let mut lines = source.split(|byte| *byte == b'\n');
    let first = lines.next()?;
    let line = if first.starts_with(b"#!") { lines.next()? } else { first };
    let comment = line.trim_ascii_start().strip_prefix(b"#")?;
    let mut rest = comment;
    while let Some(at) = rest.to_ascii_lowercase().windows(6).position(|window| window == b"coding") {
        rest = &rest[at + 6..];
        let after = rest.trim_ascii_start();
        let Some(value) = after.strip_prefix(b":").or(after.strip_prefix(b"=")) else { continue };
        let name: Vec<u8> = value
            .trim_ascii_start()
            .iter()
            .copied()
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
            .collect();
        return String::from_utf8(name).ok().filter(|name| !name.is_empty());
    }
    None
}

fn find_encoding(name: &str) -> Option<Encoding> {
    let name = name.to_ascii_lowercase();
    // The suffixes that editors add.
    let name = name.strip_suffix("-unix").or(name.strip_suffix("-dos")).or(name.strip_suffix("-mac")).unwrap_or(&name);
    Encoding::find(name.as_bytes())
}

/// Whether the first line is a `#!` for this runtime: the parser, which knows `ruby` only, would look for another one.
fn names_rubellite(source: &[u8]) -> bool {
    let line = source.split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.starts_with(b"#!") && line.windows(9).any(|part| part == b"rubellite")
}

/// The parser's options for `source` and `options`.
pub fn parse_options(source: &[u8], options: &Options) -> ParseOptions {
    let command_line = &options.command_line;
    let flags = [
        (command_line.split, CommandLineFlag::A),
        (command_line.execute, CommandLineFlag::E),
        (command_line.chomp, CommandLineFlag::L),
        (command_line.each_line, CommandLineFlag::N),
        (command_line.print, CommandLineFlag::P),
        (command_line.skip_to_shebang, CommandLineFlag::X),
    ];
    let mut result = ruby_prism::Options::default()
        .filepath(&options.path.replace('\0', ""))
        .line(options.first_line)
        .version(Version::CRuby4_0)
        .frozen_string_literal(options.frozen_string_literal)
        .command_line(flags.into_iter().filter(|(on, _)| *on).map(|(_, flag)| flag).collect())
        .main_script(options.kind == ISeqKind::Main && !names_rubellite(source));
    result = result.encoding(given_encoding(source, options).name());
    if options.kind == ISeqKind::Eval {
        // The parser wants the outermost scope first, and the eval's own last.
        let nothing = crate::EvalScope::default();
        let scopes = options.scopes.iter().rev().chain(std::iter::once(&nothing)).enumerate();
        result = result
            .scopes(scopes.map(|(i, scope)| eval_scope(scope, options.method_params.filter(|_| i == 0))).collect());
    }
    result.build()
}

/// A scope around an eval; `params` are those of its method, when it is that of a method.
fn eval_scope(scope: &crate::EvalScope, params: Option<&Params>) -> Scope {
    let named = |name: &[u8]| scope.locals.iter().any(|local| *local.bytes() == *name);
    let block = params.is_some_and(|p| {
        p.described.iter().any(|(kind, name)| *kind == "block" && name.as_ref().is_none_or(|n| *n.bytes() == *b"&"))
    });
    let forwarding = [
        (named(b"*"), ScopeForwardingFlag::Positionals),
        (named(b"**"), ScopeForwardingFlag::Keywords),
        (named(b"&") || block, ScopeForwardingFlag::Block),
        (params.is_some_and(|p| p.forwards_all), ScopeForwardingFlag::All),
    ];
    Scope::default()
        .locals(scope.locals.iter().map(|local| local.bytes().to_vec()).filter(|name| !name.is_empty()).collect())
        .forwarding(forwarding.into_iter().filter(|(on, _)| *on).map(|(_, flag)| flag).collect())
}

/// Offset of the data after `__END__`.
pub fn data_offset(result: &ParseResult) -> Option<usize> {
    let location = result.data_loc()?;
    let text = location.as_slice();
    let line_end = text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |newline| newline + 1);
    Some(location.start() as usize + line_end)
}

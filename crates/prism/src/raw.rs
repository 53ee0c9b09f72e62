//! Calls into Prism's C library.
//!
//! The library takes options as bytes and gives its result in a buffer of its own, which is freed here. It recurses
//! with the nesting of the source and accepts it to a fixed depth: sources that may nest deeply are parsed on a thread
//! with a stack that is large enough.

use crate::{Options, Wanted};
use std::ffi::{CString, c_char};

/// What a name is looked at for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    Local,
    Constant,
    MethodName,
}

#[repr(C)]
struct Buffer {
    _opaque: [u8; 0],
}

type Serializer = unsafe extern "C" fn(*mut Buffer, *const u8, usize, *const c_char);

// SAFETY: declared as in the headers of the library (serialize.h, buffer.h) in the version that Cargo.toml pins.
unsafe extern "C" {
    fn pm_buffer_new() -> *mut Buffer;
    fn pm_buffer_free(buffer: *mut Buffer);
    fn pm_buffer_value(buffer: *const Buffer) -> *const u8;
    fn pm_buffer_length(buffer: *const Buffer) -> usize;
    fn pm_serialize_parse(buffer: *mut Buffer, source: *const u8, size: usize, data: *const c_char);
    fn pm_serialize_lex(buffer: *mut Buffer, source: *const u8, size: usize, data: *const c_char);
    fn pm_serialize_parse_lex(buffer: *mut Buffer, source: *const u8, size: usize, data: *const c_char);
    fn pm_serialize_parse_success_p(source: *const u8, size: usize, data: *const c_char) -> bool;
}

/// What the parser writes for `wanted`, in its own format. `None`: the system has no stack for it.
pub fn serialize(source: &[u8], options: &Options, wanted: Wanted) -> Option<Vec<u8>> {
    let function: Serializer = match wanted {
        Wanted::Tree => pm_serialize_parse,
        Wanted::Tokens | Wanted::Facts => pm_serialize_lex,
        Wanted::TreeAndTokens => pm_serialize_parse_lex,
    };
    let data = packed(options);
    on_large_stack(source, || call(function, source, &data))
}

fn call(function: Serializer, source: &[u8], data: &[u8]) -> Vec<u8> {
    // SAFETY: the buffer is live from `pm_buffer_new` to `pm_buffer_free`; source and data are live and unchanged
    // meanwhile; data has the layout that the library reads (`packed`); the bytes are copied before the buffer is
    // freed.
    unsafe {
        let buffer = pm_buffer_new();
        assert!(!buffer.is_null(), "no memory for a syntax tree");
        function(buffer, source.as_ptr(), source.len(), data.as_ptr().cast());
        let bytes = match pm_buffer_length(buffer) {
            0 => Vec::new(),
            len => std::slice::from_raw_parts(pm_buffer_value(buffer), len).to_vec(),
        };
        pm_buffer_free(buffer);
        bytes
    }
}

/// Whether the source is without errors. `None`: the system has no stack for the parser.
pub fn valid(source: &[u8], options: &Options) -> Option<bool> {
    let data = packed(options);
    on_large_stack(source, || {
        // SAFETY: source and data are live and unchanged meanwhile; data has the layout that the library reads
        // (`packed`).
        unsafe { pm_serialize_parse_success_p(source.as_ptr(), source.len(), data.as_ptr().cast()) }
    })
}

/// Whether `name`, in the encoding of that name, is what is asked for; `None` for an encoding that the parser does not
/// read.
pub fn query(query: Query, name: &[u8], encoding: &str) -> Option<bool> {
    let encoding = CString::new(encoding).ok()?;
    let function = match query {
        Query::Local => ruby_prism_sys::pm_string_query_local,
        Query::Constant => ruby_prism_sys::pm_string_query_constant,
        Query::MethodName => ruby_prism_sys::pm_string_query_method_name,
    };
    // The library looks at what lies behind a name that seems to end, as far as operators are long.
    let ended = [name, &[0; 4]].concat();
    // SAFETY: `ended` and `encoding` are live and end with a NUL.
    let answer = unsafe { function(ended.as_ptr(), name.len(), encoding.as_ptr()) };
    match answer {
        ruby_prism_sys::PM_STRING_QUERY_TRUE => Some(true),
        ruby_prism_sys::PM_STRING_QUERY_FALSE => Some(false),
        _ => None,
    }
}

/// The options in the layout that the library reads.
fn packed(options: &Options) -> Vec<u8> {
    let mut data = Vec::new();
    text(&mut data, &options.filepath);
    data.extend(options.line.to_ne_bytes());
    text(&mut data, &options.encoding);
    let frozen = match options.frozen_string_literal {
        None => 0,
        Some(true) => 1,
        Some(false) => -1i8 as u8,
    };
    data.extend([frozen, options.command_line, options.version as u8]);
    data.extend([options.encoding_locked, options.main_script, options.partial_script].map(u8::from));
    // Neither frozen objects, which the Ruby half makes, nor comments attached to nodes.
    data.extend([0, 0]);
    data.extend((options.scopes.len() as u32).to_ne_bytes());
    for scope in &options.scopes {
        data.extend((scope.locals.len() as u32).to_ne_bytes());
        data.push(scope.forwarding);
        for local in &scope.locals {
            text(&mut data, local);
        }
    }
    data
}

fn text(data: &mut Vec<u8>, text: &[u8]) {
    data.extend((text.len() as u32).to_ne_bytes());
    data.extend(text);
}

/// Source that can nest no deeper than this is parsed where the caller is.
const INLINE_NESTING: usize = 200;
/// More than what the parser takes for a level.
const LEVEL_BYTES: usize = 2048;
/// More than the deepest source takes that the parser accepts.
const STACK_BYTES_MAX: usize = 4 << 30;

/// `None`: the system has no such stack.
fn on_large_stack<T: Send>(source: &[u8], parse: impl Fn() -> T + Sync) -> Option<T> {
    let bound = nesting_bound(source);
    if bound <= INLINE_NESTING {
        return Some(parse());
    }
    let stack = bound.saturating_mul(LEVEL_BYTES).clamp(1 << 20, STACK_BYTES_MAX);
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, &parse);
        match worker.map(|worker| worker.join()) {
            Ok(Ok(result)) => Some(result),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => None,
        }
    })
}

/// No tree of `source` is deeper than the number of its words and marks.
fn nesting_bound(source: &[u8]) -> usize {
    let mut bound = 0;
    let mut in_word = false;
    for byte in source {
        let word = byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        bound += !(byte.is_ascii_whitespace() || word && in_word) as usize;
        in_word = word;
    }
    bound
}

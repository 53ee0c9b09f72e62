//! Texts of exceptions: decorated messages, full messages with backtrace and causes, the report of an uncaught
//! exception.

use super::{backtrace_of, shown_backtrace, stderr_is_tty};
use rubellite_vm::object::{Array, Exception, Hash, Str};
use rubellite_vm::{Args, CallKind, Ctx, Encoding, Result, Tag, Value};

const UNDERLINE: &[u8] = b"\x1b[1;4m";
const BOLD: &[u8] = b"\x1b[1m";
const RESET: &[u8] = b"\x1b[m";

/// How a full message is laid out.
#[derive(Copy, Clone)]
struct Style {
    highlight: bool,
    /// The innermost level last.
    reverse: bool,
    /// Methods of the exception that fail are taken to give nothing.
    lenient: bool,
    /// The keywords that `detailed_message` gets.
    options: Value,
}

impl Style {
    fn or_none<T>(self, ctx: &mut Ctx, outcome: Result<Option<T>>) -> Result<Option<T>> {
        if outcome.is_err() && self.lenient {
            ctx.clear_pending();
            return Ok(None);
        }
        outcome
    }
}

/// `detailed_message(highlight: false, **) -> string`
pub fn detailed_message(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let highlight = highlight_option(ctx, args.keywords())?.unwrap_or(false);
    let name = ctx.names().message;
    let message = ctx.call(recv, name, &[])?;
    let class = ctx.real_class(recv);
    let runtime = ctx.error_class("RuntimeError");
    let text = Str::try_of(message);
    let encoding = text.map_or(Encoding::UTF_8, Str::encoding);
    let bytes = text.map_or(Vec::new(), |t| t.bytes(ctx).to_vec());
    let out = decorate(&bytes, &class.inspect(ctx), class == runtime, highlight);
    Ok(Str::new(ctx, &out, encoding).value())
}

/// Text whose lines are bold, but for those that are empty.
pub fn embolden(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let (line, end) = line.strip_suffix(b"\n").map_or((line, &b""[..]), |line| (line, b"\n"));
        out.extend_from_slice(&if line.is_empty() { end.to_vec() } else { [BOLD, line, RESET, end].concat() });
    }
    out
}

/// `highlight:` of the keywords: none when it is absent or nil.
fn highlight_option(ctx: &mut Ctx, keywords: Option<Hash>) -> Result<Option<bool>> {
    let Some(keywords) = keywords else { return Ok(None) };
    let key = ctx.intern("highlight");
    match keywords.get_sym(ctx, key) {
        None | Some(Value::NIL) => Ok(None),
        Some(Value::TRUE) => Ok(Some(true)),
        Some(Value::FALSE) => Ok(Some(false)),
        Some(other) => {
            let text = ctx.inspect(other)?;
            Err(ctx.argument_error(&format!("expected true or false as highlight: {text}")))
        }
    }
}

/// The message with the name of the class behind its first line.
fn decorate(message: &[u8], class: &str, runtime_error: bool, highlight: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let mark = |out: &mut Vec<u8>, code: &[u8]| {
        if highlight {
            out.extend_from_slice(code);
        }
    };
    if message.is_empty() {
        mark(&mut out, UNDERLINE);
        out.extend_from_slice(if runtime_error { b"unhandled exception" } else { class.as_bytes() });
        mark(&mut out, RESET);
        return out;
    }
    let (first, rest) = match message.iter().position(|b| *b == b'\n') {
        Some(end) => (&message[..end], &message[end + 1..]),
        None => (message, &message[..0]),
    };
    mark(&mut out, BOLD);
    out.extend_from_slice(first);
    if !class.starts_with('#') {
        out.extend_from_slice(b" (");
        mark(&mut out, UNDERLINE);
        out.extend_from_slice(class.as_bytes());
        mark(&mut out, RESET);
        mark(&mut out, BOLD);
        out.extend_from_slice(b")");
        mark(&mut out, RESET);
    }
    if rest.is_empty() {
        return out;
    }
    out.push(b'\n');
    for (i, line) in rest.split(|b| *b == b'\n').enumerate() {
        if i > 0 {
            out.push(b'\n');
        }
        if !line.is_empty() {
            mark(&mut out, BOLD);
            out.extend_from_slice(line);
            mark(&mut out, RESET);
        }
    }
    out
}

/// `full_message(highlight: bool, order: :top or :bottom) -> string`
pub fn full_message(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let keywords = args.keywords();
    let highlight = highlight_option(ctx, keywords)?.unwrap_or_else(stderr_is_tty);
    let reverse = order_option(ctx, keywords)?;
    let options = match keywords {
        Some(given) => given.dup(ctx),
        None => Hash::new(ctx),
    };
    let key = Value::symbol(ctx.intern("highlight"));
    options.insert(ctx, key, Value::from_bool(highlight))?;
    let (out, encoding) = full_text(ctx, recv, Style { highlight, reverse, lenient: false, options: options.value() })?;
    Ok(Str::new(ctx, &out, encoding).value())
}

fn order_option(ctx: &mut Ctx, keywords: Option<Hash>) -> Result<bool> {
    let Some(keywords) = keywords else { return Ok(false) };
    let key = ctx.intern("order");
    match keywords.get_sym(ctx, key) {
        None | Some(Value::NIL) => Ok(false),
        Some(order) => {
            let sym = ctx.to_symbol(order)?;
            match ctx.sym_bytes(sym) {
                b"top" => Ok(false),
                b"bottom" => Ok(true),
                _ => {
                    let text = ctx.inspect(order)?;
                    Err(ctx.argument_error(&format!("expected :top or :bottom as order: {text}")))
                }
            }
        }
    }
}

/// The whole text, in the encoding of the exception's message.
fn full_text(ctx: &mut Ctx, exception: Value, style: Style) -> Result<(Vec<u8>, Encoding)> {
    let mut out = Vec::new();
    let mut shown = vec![exception]; // tidy: rooted by the exception at the head of the chain
    let (message, encoding) = detailed(ctx, exception, style)?.unzip();
    let encoding = encoding.filter(|encoding| encoding.is_ascii_compatible()).unwrap_or(Encoding::UTF_8);
    let trace = trace_of(ctx, exception, style)?;
    if style.reverse {
        let (bold, reset) = if style.highlight { (BOLD, RESET) } else { (&b""[..], &b""[..]) };
        out.extend_from_slice(&[bold, b"Traceback", reset, b" (most recent call last):\n"].concat());
        causes(ctx, &mut out, exception, style, &mut shown)?;
        backtrace_lines(ctx, &mut out, exception, trace, true);
        head(ctx, &mut out, exception, trace, &message, style.highlight);
    } else {
        head(ctx, &mut out, exception, trace, &message, style.highlight);
        backtrace_lines(ctx, &mut out, exception, trace, false);
        causes(ctx, &mut out, exception, style, &mut shown)?;
    }
    Ok((out, if message.is_some_and(|message| !message.is_ascii()) { encoding } else { Encoding::UTF_8 }))
}

/// The exception's own detailed message and its encoding; its class's name when that gives nothing.
fn detailed(ctx: &mut Ctx, exception: Value, style: Style) -> Result<Option<(Vec<u8>, Encoding)>> {
    let name = ctx.names().detailed_message;
    if !ctx.respond_to(exception, name, true)? {
        return Ok(None);
    }
    let text = ctx
        .call_full(exception, name, &[style.options], true, Value::NIL, CallKind::Any)
        .and_then(|text| ctx.check_str(text));
    Ok(style.or_none(ctx, text)?.map(|t| (t.bytes(ctx).to_vec(), t.encoding())))
}

/// The backtrace that the exception shows; `backtrace` may be redefined.
fn trace_of(ctx: &mut Ctx, exception: Value, style: Style) -> Result<Option<Array>> {
    let list = shown_backtrace(ctx, exception).map(Array::try_of);
    style.or_none(ctx, list)
}

fn head(
    ctx: &mut Ctx,
    out: &mut Vec<u8>,
    exception: Value,
    trace: Option<Array>,
    message: &Option<Vec<u8>>,
    highlight: bool,
) {
    match trace.and_then(Array::first).and_then(Str::try_of) {
        Some(place) => {
            out.extend_from_slice(place.bytes(ctx));
            out.extend_from_slice(b": ");
        }
        None => out.extend_from_slice(here(ctx).as_bytes()),
    }
    match message {
        Some(message) if !message.is_empty() => out.extend_from_slice(message),
        _ => {
            let class = ctx.real_class(exception);
            let unhandled = message.is_some() && class == ctx.error_class("RuntimeError");
            out.extend_from_slice(&decorate(b"", &class.inspect(ctx), unhandled, highlight));
        }
    }
    out.push(b'\n');
}

/// "FILE:LINE:in 'METHOD': " of the running code, for exceptions that were never raised.
fn here(ctx: &Ctx) -> String {
    let (Some(file), line) = ctx.source_location() else {
        // Before and after the main script there is its name alone, outside the blocks of other threads nothing.
        if ctx.threads().main.as_ref().is_some_and(|main| main.id != ctx.thread().id) {
            return String::new();
        }
        return crate::program_name::text(ctx).map_or(String::new(), |name| format!("{name}: "));
    };
    let callee = ctx.callee_name();
    match callee {
        _ if line == 0 => format!("{file}: "),
        Some(name) => format!("{file}:{line}:in '{}': ", ctx.sym_str(name)),
        None => format!("{file}:{line}: "),
    }
}

/// Levels of a very deep stack that are shown at its beginning and end.
const TRACE_HEAD: usize = 9;
const TRACE_TAIL: usize = 4;

fn backtrace_lines(ctx: &mut Ctx, out: &mut Vec<u8>, exception: Value, trace: Option<Array>, reverse: bool) {
    let Some(trace) = trace else { return };
    let len = trace.len();
    let width = if len <= 1 { 0 } else { (len - 1).to_string().len() };
    let overflow = ctx.error_class("SystemStackError");
    let most = TRACE_HEAD + TRACE_TAIL + 5;
    let skip = match super::backtrace::shown_levels(ctx) {
        Some(levels) if len > levels + 2 => Some((levels + 1, len - levels - 1)),
        Some(_) => None,
        None if ctx.real_class(exception) == overflow && len > most => Some((TRACE_HEAD, len - most + 5)),
        None => None,
    };
    let mut i = 1;
    while i < len {
        if let Some((start, count)) = skip
            && i == start
        {
            out.extend_from_slice(format!("\t ... {count} levels...\n").as_bytes());
            i += count;
            continue;
        }
        if let Some(line) = trace.get(if reverse { len - i } else { i }).and_then(Str::try_of) {
            out.push(b'\t');
            if reverse {
                out.extend_from_slice(format!("{:>width$}: ", len - i).as_bytes());
            }
            out.extend_from_slice(b"from ");
            out.extend_from_slice(line.bytes(ctx));
            out.push(b'\n');
        }
        i += 1;
    }
}

// tidy: a chain of causes, each kept by the one before
fn causes(ctx: &mut Ctx, out: &mut Vec<u8>, exception: Value, style: Style, shown: &mut Vec<Value>) -> Result<()> {
    let Some(cause) = Exception::try_of(exception).map(Exception::cause).filter(|c| c.has_tag(Tag::Exception)) else {
        return Ok(());
    };
    if shown.contains(&cause) {
        return Ok(());
    }
    shown.push(cause);
    let message = detailed(ctx, cause, style)?.map(|(message, _)| message);
    let trace = trace_of(ctx, cause, style)?;
    if style.reverse {
        causes(ctx, out, cause, style, shown)?;
        backtrace_lines(ctx, out, cause, trace, true);
        head(ctx, out, cause, trace, &message, style.highlight);
    } else {
        head(ctx, out, cause, trace, &message, style.highlight);
        backtrace_lines(ctx, out, cause, trace, false);
        causes(ctx, out, cause, style, shown)?;
    }
    Ok(())
}

/// What the command line prints for an exception that nobody caught, and its encoding. Where the exception's own
/// methods fail it does without.
pub fn report(ctx: &mut Ctx, exception: Value, highlight: bool) -> (Vec<u8>, Encoding) {
    let options = Hash::new(ctx);
    let key = Value::symbol(ctx.intern("highlight"));
    let outcome = options.insert(ctx, key, Value::from_bool(highlight)).and_then(|()| {
        full_text(ctx, exception, Style { highlight, reverse: false, lenient: true, options: options.value() })
    });
    match outcome {
        Ok(text) => text,
        Err(_) => {
            ctx.clear_pending();
            let class = ctx.real_class(exception).inspect(ctx);
            let place = match Array::try_of(backtrace_of(ctx, exception)).and_then(Array::first).and_then(Str::try_of) {
                Some(text) => format!("{}: ", text.to_lossy(ctx)),
                None => String::new(),
            };
            ([place.as_bytes(), &decorate(b"", &class, false, highlight), b"\n"].concat(), Encoding::UTF_8)
        }
    }
}

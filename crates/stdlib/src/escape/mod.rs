//! `cgi/escape` and `erb/escape`: escaping for HTML and for URLs. The text is `html.rs` and `url.rs`.

mod html;
mod url;

use rubellite_core_load as load;
use rubellite_vm::object::Str;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Value, method};

static CGI_ESCAPE: ClassDef = ClassDef {
    name: "CGI::Escape",
    superclass: "",
    methods: &[
        method("escapeHTML", Arity::exact(1), escape_html),
        method("unescapeHTML", Arity::exact(1), unescape_html),
        method("escape", Arity::exact(1), escape),
        method("unescape", Arity::range(1, 2), unescape),
        method("escapeURIComponent", Arity::exact(1), escape_component),
        method("escape_uri_component", Arity::exact(1), escape_component),
        method("unescapeURIComponent", Arity::range(1, 2), unescape_component),
        method("unescape_uri_component", Arity::range(1, 2), unescape_component),
    ],
    ..ClassDef::EMPTY
};

static ERB_ESCAPE: ClassDef = ClassDef {
    name: "ERB::Escape",
    superclass: "",
    module_functions: &[method("html_escape", Arity::exact(1), html_escape)],
    ..ClassDef::EMPTY
};

pub fn register(ctx: &mut Ctx) {
    load::register_for_older(ctx, "cgi/escape", load_cgi);
    load::register_extension(ctx, "cgi/escape", load_cgi);
    load::register_extension(ctx, "erb/escape", load_erb);
}

fn load_cgi(ctx: &mut Ctx) -> Result<()> {
    ctx.run_internal("class CGI; module Util; end; module Escape; end; end", "cgi/escape")?;
    ctx.install(&CGI_ESCAPE)?;
    ctx.run_internal(include_str!("cgi.rb"), "cgi/escape")?;
    Ok(())
}

fn load_erb(ctx: &mut Ctx) -> Result<()> {
    ctx.run_internal("class ERB; end", "erb/escape")?;
    ctx.install(&ERB_ESCAPE)?;
    Ok(())
}

/// A new string of the receiver's encoding, or a copy when nothing had to be changed.
fn result(ctx: &mut Ctx, text: Str, changed: Option<Vec<u8>>) -> Str {
    match changed {
        Some(bytes) => Str::from_vec(ctx, bytes, text.encoding()),
        None => text.dup(ctx),
    }
}

/// `CGI.escapeHTML(string)`
fn escape_html(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let text = ctx.to_str(args.at(0))?;
    if !text.encoding().is_ascii_compatible() {
        return general(ctx, recv, "__escapeHTML", args);
    }
    let changed = html::escape(text.bytes(ctx));
    Ok(result(ctx, text, changed).value())
}

/// `ERB::Escape.html_escape(object)`: the object's text; a string without special characters itself.
fn html_escape(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let text = ctx.to_s(args.at(0))?;
    Ok(match html::escape(text.bytes(ctx)) {
        Some(bytes) => Str::from_vec(ctx, bytes, text.encoding()).value(),
        None => text.value(),
    })
}

/// `CGI.unescapeHTML(string)`
fn unescape_html(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let text = ctx.to_str(args.at(0))?;
    if !text.encoding().is_ascii_compatible() {
        return general(ctx, recv, "__unescapeHTML", args);
    }
    let changed = html::unescape(text.bytes(ctx), text.encoding());
    Ok(result(ctx, text, changed).value())
}

/// Encodings that do not extend ASCII: by way of UTF-8, in Ruby.
fn general(ctx: &mut Ctx, recv: Value, name: &str, args: Args) -> Result {
    let name = ctx.internal(name);
    ctx.call(recv, name, args.slice())
}

/// `CGI.escape(string)`: a space becomes "+".
fn escape(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let text = ctx.to_str(args.at(0))?;
    let changed = url::escape(text.bytes(ctx), true);
    Ok(result(ctx, text, changed).value())
}

/// `CGI.escapeURIComponent(string)`
fn escape_component(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let text = ctx.to_str(args.at(0))?;
    let changed = url::escape(text.bytes(ctx), false);
    Ok(result(ctx, text, changed).value())
}

/// `CGI.unescape(string, encoding = @@accept_charset)`
fn unescape(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    decode(ctx, recv, args, true)
}

/// `CGI.unescapeURIComponent(string, encoding = @@accept_charset)`
fn unescape_component(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    decode(ctx, recv, args, false)
}

/// The encoding asked for, if the bytes are valid in it; else the string's own.
fn decode(ctx: &mut Ctx, recv: Value, args: Args, plus: bool) -> Result {
    let text = ctx.to_str(args.at(0))?;
    let encoding = match args.get(1) {
        Some(given) => rubellite_core_text::to_encoding(ctx, given)?,
        None => accept_charset(ctx, recv)?,
    };
    let changed = url::unescape(text.bytes(ctx), plus);
    let decoded = result(ctx, text, changed);
    let own = text.encoding();
    decoded.set_encoding(encoding);
    if encoding != own && !decoded.is_valid(ctx) {
        decoded.set_encoding(own);
    }
    Ok(decoded.value())
}

fn accept_charset(ctx: &mut Ctx, recv: Value) -> Result<Encoding> {
    let name = ctx.intern("@@accept_charset");
    let charset = ctx.cvar_get(ctx.dispatch_class(recv), name)?;
    rubellite_core_text::to_encoding(ctx, charset)
}

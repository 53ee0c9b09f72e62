//! `rdiscount`: RDiscount, Markdown to HTML, rendered outside the lock.
//!
//! Parsing is pulldown-cmark's (CommonMark with tables, footnotes, strikethrough); `html.rs` writes the HTML in
//! Discount's layout and with its extensions; `document.rs` cuts long documents into pieces and lets interrupts
//! through. The class itself is `rdiscount.rb`.

mod document;
mod html;
mod inline;

use document::{Document, Part, STACK};
use html::Flags;
use rubellite_core_thread::apart;
use rubellite_vm::object::Str;
use rubellite_vm::outside::once;
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Ends, Leave, Result, Tag, Value, method};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub fn register(ctx: &mut Ctx) {
    rubellite_core_load::register(ctx, "rdiscount", load);
    // Somebody else's rdiscount.rb, which asks for its native half.
    rubellite_core_load::register_extension(ctx, "rdiscount", load_native);
}

static RDISCOUNT: ClassDef = ClassDef {
    name: "RDiscount",
    methods: &[method("to_html", Arity::ANY, to_html), method("toc_content", Arity::ANY, toc_content)],
    ..ClassDef::EMPTY
};

static SITE: RegionSite = RegionSite::new("markdown");

fn load(ctx: &mut Ctx) -> Result<()> {
    load_native(ctx)?;
    ctx.run_internal(include_str!("rdiscount.rb"), "rdiscount")?;
    Ok(())
}

fn load_native(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&RDISCOUNT)?;
    Ok(())
}

/// `to_html -> string`
fn to_html(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    render(ctx, recv, Part::Html)
}

/// `toc_content -> string`: the table of contents, with `generate_toc`.
fn toc_content(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    render(ctx, recv, Part::Contents)
}

fn render(ctx: &mut Ctx, recv: Value, part: Part) -> Result {
    let text = ctx.call_name(recv, "text", &[])?;
    if !text.has_tag(Tag::String) {
        let what = if text.is_nil() { "nil".to_string() } else { ctx.describe(text) };
        return Err(ctx.type_error(&format!("wrong argument type {what} (expected String)")));
    }
    let flags = flags(ctx, recv)?;
    let string: Str = ctx.expect(text)?;
    let encoding = string.encoding();
    let document = Document { source: string.share(ctx), flags, part };
    let quit = Arc::new(AtomicBool::new(false));
    let html = if document.is_short() {
        ctx.outside(Leave::new(Kind::Short(&SITE), Ends::Never), once(|| document.render(&quit)))?
    } else {
        let theirs = quit.clone();
        let html = apart::run(ctx, "markdown", STACK, move || document.render(&theirs));
        // Left behind, it ends at the next piece.
        quit.store(html.is_err(), Relaxed);
        html?
    };
    Ok(Str::from_vec(ctx, html, encoding).value())
}

fn flags(ctx: &mut Ctx, recv: Value) -> Result<Flags> {
    let mut is = |name: &'static str| -> Result<bool> { Ok(ctx.call_name(recv, name, &[])?.truthy()) };
    Ok(Flags {
        smart: is("smart")?,
        filter_styles: is("filter_styles")?,
        filter_html: is("filter_html")?,
        footnotes: is("footnotes")?,
        generate_toc: is("generate_toc")?,
        no_image: is("no_image")?,
        no_links: is("no_links")?,
        no_tables: is("no_tables")?,
        strict: is("strict")?,
        autolink: is("autolink")?,
        safelink: is("safelink")?,
        no_pseudo_protocols: is("no_pseudo_protocols")?,
        no_superscript: is("no_superscript")?,
        no_strikethrough: is("no_strikethrough")?,
    })
}

//! Array: text and other classes.

use super::super::util::{append, append_inspect};
use rubellite_core_thread::outside::poll;
use rubellite_encoding::CodeRange;
use rubellite_vm::object::{Array, Grow, Hash, Str};
use rubellite_vm::warning::Category;
use rubellite_vm::{Args, Ctx, Encoding, Result, Tag, Value};

/// How many strings are joined between two safepoints.
const PIECE: usize = 1 << 14;

/// The text of `inspect`.
pub fn inspect(ctx: &mut Ctx, ary: Array) -> Result<Str> {
    let text = Str::ascii(ctx, "");
    append_array(ctx, text, ary)?;
    Ok(text)
}

/// Appends `value.inspect` as a part of a larger one. Arrays and Hashes are written in place as long as no program has
/// its own `inspect` between, so that deep nesting makes one text, not one for each level.
pub fn append_nested(ctx: &mut Ctx, text: Str, value: Value) -> Result<()> {
    let name = ctx.names().inspect;
    if let Some(inner) = Array::try_of(value)
        && ctx.is_builtin(value, name)
    {
        return append_array(ctx, text, inner);
    }
    if let Some(inner) = Hash::try_of(value)
        && ctx.is_builtin(value, name)
    {
        return crate::hash::append_hash(ctx, text, inner);
    }
    append_inspect(ctx, text, value)
}

/// Appends the text of `inspect`.
fn append_array(ctx: &mut Ctx, text: Str, ary: Array) -> Result<()> {
    if ary.is_empty() {
        text.append(ctx, b"[]");
        return Ok(());
    }
    ctx.check_native_stack()?;
    let name = ctx.names().inspect;
    let again = |ctx: &mut Ctx| {
        text.append(ctx, b"[...]");
        Ok(())
    };
    ctx.guard_recursion(name, ary.value(), Value::NIL, again, |ctx| {
        text.append(ctx, b"[");
        let mut i = 0;
        while let Some(item) = ary.get(i) {
            if i > 0 {
                text.append(ctx, b", ");
            }
            append_nested(ctx, text, item)?;
            i += 1;
            poll(ctx, i)?;
        }
        text.append(ctx, b"]");
        Ok(())
    })
}

pub fn inspect_method(ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    Ok(inspect(ctx, ary)?.value())
}

pub fn to_a(ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    if ctx.real_class(ary.value()) != super::class(ctx) {
        return Ok(ary.dup(ctx).value());
    }
    Ok(ary.value())
}

pub fn entries(ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    Ok(ary.dup(ctx).value())
}

pub fn to_ary(_ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(recv)
}

/// `join(separator = $,)`
pub fn join(ctx: &mut Ctx, ary: Array, args: Args) -> Result {
    let separator = match args.non_nil(0) {
        Some(separator) => separator,
        None => {
            let name = ctx.intern("$,");
            let separator = ctx.get_global(name)?;
            if !separator.is_nil() {
                ctx.warn_category("$, is set to non-nil value", Category::Deprecated)?;
            }
            separator
        }
    };
    join_with(ctx, ary, separator)
}

pub fn join_with(ctx: &mut Ctx, ary: Array, separator: Value) -> Result {
    if ary.is_empty() {
        return Ok(Str::ascii(ctx, "").value());
    }
    let separator = if separator.is_nil() { None } else { Some(ctx.to_str(separator)?) };
    if let Some(text) = join_strings(ctx, ary, separator)? {
        return Ok(text.value());
    }
    let text = Str::ascii(ctx, "");
    let mut state = Joining { text, separator, first: true };
    // The first element that is no String is asked for its text before anything is joined, which it may change.
    let first_other = ary.slice(ctx).iter().copied().find(|item| !item.has_tag(Tag::String));
    if let Some(item) = first_other {
        ctx.check_str(item)?;
    }
    join_into(ctx, &mut state, ary)?;
    Ok(text.value())
}

/// A list of strings in one encoding, written at once; none for other lists.
fn join_strings(ctx: &mut Ctx, ary: Array, separator: Option<Str>) -> Result<Option<Str>> {
    let Some(encoding) = ary.first().and_then(Str::try_of).map(Str::encoding) else { return Ok(None) };
    let same = |item: &Value| Str::try_of(*item).filter(|text| text.encoding() == encoding);
    if separator
        .is_some_and(|text| text.encoding() != encoding && !(encoding.is_ascii_compatible() && text.is_ascii_only(ctx)))
    {
        return Ok(None);
    }
    let items = ary.slice(ctx);
    let between = separator.map_or(0, Str::len);
    let mut len = between.saturating_mul(items.len() - 1);
    let mut ascii = separator.is_none_or(|text| text.cached_code_range() == Some(CodeRange::SevenBit));
    for item in items {
        let Some(text) = same(item) else { return Ok(None) };
        len = len.saturating_add(text.len());
        ascii &= text.cached_code_range() == Some(CodeRange::SevenBit);
    }
    let mut bytes = Vec::new();
    if !bytes.try_make_room(len) {
        return Err(ctx.no_memory());
    }
    let mut i = 0;
    // The list may change at a safepoint.
    while let Some(item) = ary.get(i) {
        let Some(text) = same(&item) else { return Ok(None) };
        if let Some(separator) = separator.filter(|_| i > 0) {
            bytes.extend_from_slice(separator.bytes(ctx));
        }
        bytes.extend_from_slice(text.bytes(ctx));
        i += 1;
        if i % PIECE == 0 {
            ctx.check_interrupts()?;
            ascii = false;
        }
    }
    let text = Str::from_vec(ctx, bytes, encoding);
    text.set_code_range(ascii.then_some(CodeRange::SevenBit));
    Ok(Some(text))
}

struct Joining {
    text: Str,
    separator: Option<Str>,
    /// Nothing was written yet: a string in front decides about the encoding.
    first: bool,
}

fn join_into(ctx: &mut Ctx, state: &mut Joining, ary: Array) -> Result<()> {
    let name = ctx.names().join;
    ctx.guard_recursion(
        name,
        ary.value(),
        Value::NIL,
        |ctx| Err(ctx.argument_error("recursive array join")),
        |ctx| {
            let mut i = 0;
            while let Some(item) = ary.get(i) {
                if i > 0
                    && let Some(separator) = state.separator
                {
                    append(ctx, state.text, separator)?;
                }
                join_item(ctx, state, item)?;
                i += 1;
                poll(ctx, i)?;
            }
            Ok(())
        },
    )
}

fn join_item(ctx: &mut Ctx, state: &mut Joining, item: Value) -> Result<()> {
    let plain = |ctx: &Ctx| state.text.encoding().is_ascii_compatible() && ctx.is_builtin(item, ctx.names().to_s);
    if let Some(n) = item.as_fixnum().filter(|_| plain(ctx)) {
        let mut digits = itoa::Buffer::new();
        if state.first && state.text.is_empty() {
            state.text.set_encoding(Encoding::US_ASCII);
        }
        state.first = false;
        state.text.append(ctx, digits.format(n).as_bytes());
        return Ok(());
    }
    let piece = match (Str::try_of(item), Array::try_of(item)) {
        (Some(string), _) => string,
        (_, Some(list)) => {
            state.first = false;
            return join_into(ctx, state, list);
        }
        _ => match joined_text(ctx, item)? {
            Ok(text) => text,
            // Its to_ary may give a new Array each time.
            Err(nested) => {
                state.first = false;
                let name = ctx.names().join;
                let refuse = |ctx: &mut Ctx| Err(ctx.argument_error("recursive array join"));
                return ctx.guard_recursion(name, item, Value::NIL, refuse, |ctx| join_into(ctx, state, nested));
            }
        },
    };
    if state.first {
        state.first = false;
        if state.text.is_empty() {
            state.text.set_encoding(piece.encoding());
        }
    }
    append(ctx, state.text, piece)
}

/// What stands for an element: by to_str, to_ary, to_s in this order.
fn joined_text(ctx: &mut Ctx, item: Value) -> Result<std::result::Result<Str, Array>> {
    if let Some(text) = ctx.check_str(item)? {
        return Ok(Ok(text));
    }
    if let Some(nested) = ctx.check_array(item)? {
        return Ok(Err(nested));
    }
    ctx.to_s(item).map(Ok)
}

/// `to_h` without a block.
pub fn to_h(ctx: &mut Ctx, ary: Array, _args: Args) -> Result {
    let hash = Hash::with_capacity(ctx, ary.len());
    let mut i = 0;
    while let Some(item) = ary.get(i) {
        let Some(pair) = ctx.check_array(item)? else {
            let class = ctx.real_class(item).inspect(ctx);
            return Err(ctx.type_error(&format!("wrong element type {class} at {i} (expected array)")));
        };
        if pair.len() != 2 {
            return Err(ctx.argument_error(&format!("wrong array length at {i} (expected 2, was {})", pair.len())));
        }
        let (key, value) = (pair.get(0).unwrap_or(Value::NIL), pair.get(1).unwrap_or(Value::NIL));
        hash.store(ctx, key, value)?;
        i += 1;
        poll(ctx, i)?;
    }
    Ok(hash.value())
}

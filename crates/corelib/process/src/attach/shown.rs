//! How `dump --locals` shows the value of a variable: without running any Ruby code, and in little room.

use rubellite_core_lock::quoted;
use rubellite_vm::object::{Array, Bignum, Float, Hash, Str};
use rubellite_vm::{Class, Ctx, Value};

/// How many bytes of a String or a Symbol are shown.
const TEXT_BYTES: usize = 60;
/// How many elements of an Array or a Hash are shown.
const ELEMENTS: usize = 5;

/// Numbers, names and the beginnings of texts and containers; of other objects the class and the address.
pub fn shown(ctx: &Ctx, value: Value) -> String {
    if let Some(list) = Array::try_of(value) {
        let elements = list.slice(ctx).iter().take(ELEMENTS).map(|element| plain(ctx, *element)).collect();
        return some("[", elements, list.len(), "]");
    }
    if let Some(table) = Hash::try_of(value) {
        let entries =
            std::iter::successors(table.next_entry(ctx, 0), |entry| table.next_entry(ctx, entry.position + 1));
        let entries =
            entries.take(ELEMENTS).map(|entry| format!("{}{}", key(ctx, entry.key), plain(ctx, entry.value))).collect();
        return some("{", entries, table.len(), "}");
    }
    plain(ctx, value)
}

/// `[1, 2, ... 3 more]`
fn some(open: &str, mut shown: Vec<String>, count: usize, close: &str) -> String {
    if count > shown.len() {
        shown.push(format!("... {} more", count - shown.len()));
    }
    format!("{open}{}{close}", shown.join(", "))
}

fn key(ctx: &Ctx, key: Value) -> String {
    match key.as_symbol() {
        Some(symbol) => format!("{}: ", beginning(ctx.sym_bytes(symbol))),
        None => format!("{} => ", plain(ctx, key)),
    }
}

fn plain(ctx: &Ctx, value: Value) -> String {
    if let Some(number) = value.as_fixnum() {
        return number.to_string();
    }
    if let Some(symbol) = value.as_symbol() {
        return format!(":{}", beginning(ctx.sym_bytes(symbol)));
    }
    match value {
        Value::NIL | Value::TRUE | Value::FALSE => return ctx.describe(value),
        _ => {}
    }
    if let Some(number) = Float::value_of(value) {
        return format!("{number:?}");
    }
    if let Some(number) = Bignum::try_of(value) {
        return format!("an Integer of {} words", number.word_count());
    }
    if let Some(text) = Str::try_of(value) {
        return quoted(&beginning(text.bytes(ctx)));
    }
    match Class::try_of(value) {
        Some(class) => class.inspect(ctx),
        None => ctx.any_to_s(value),
    }
}

fn beginning(bytes: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(&bytes[..bytes.len().min(TEXT_BYTES)]).into_owned();
    if bytes.len() > TEXT_BYTES {
        text = format!("{}... ({} bytes)", text.trim_end_matches('\u{fffd}'), bytes.len());
    }
    text
}

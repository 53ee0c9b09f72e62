//! StringScanner: what the last match left behind.

use super::{Scanner, extract};
use rubellite_core_numeric::kernel::integer_of_text;
use rubellite_vm::object::{Array, Hash, Int, Regexp, Str};
use rubellite_vm::{Args, Ctx, Result, Value, flags};

impl Scanner {
    /// Number of groups of the last match, the whole one included.
    fn group_count(&self) -> usize {
        if !self.grouped.get() {
            return 1;
        }
        let captures = self.captures.take();
        let count = captures.as_ref().map_or(1, |r| r.len());
        self.captures.set(captures);
        count
    }

    /// Where a group of the last match lies in the string.
    fn group(&self, index: usize) -> Option<(usize, usize)> {
        if index == 0 || self.whole.get().is_none() {
            return self.whole.get();
        }
        if !self.grouped.get() {
            return None;
        }
        let captures = self.captures.take();
        let span = captures.as_ref().and_then(|r| r.get(index));
        self.captures.set(captures);
        span.map(|(start, end)| (self.base.get() + start, self.base.get() + end))
    }

    fn group_text(&self, ctx: &mut Ctx, string: Str, index: usize) -> Value {
        match self.group(index) {
            Some((start, end)) => extract(ctx, string, start, end),
            None => Value::NIL,
        }
    }

    /// The group that an Integer, a Symbol or a String names; none when it took no part in the match.
    fn resolve(&self, ctx: &mut Ctx, specifier: Value) -> Result<Option<(usize, usize)>> {
        if self.whole.get().is_none() {
            return Ok(None);
        }
        let name = match (specifier.as_symbol(), Str::try_of(specifier)) {
            (Some(symbol), _) => ctx.sym_bytes(symbol).to_vec(),
            (_, Some(text)) => text.bytes(ctx).to_vec(),
            _ => {
                let index = ctx.to_int(specifier)?;
                let count = self.group_count() as i64;
                let index = if index < 0 { index + count } else { index };
                return Ok(if (0..count).contains(&index) { self.group(index as usize) } else { None });
            }
        };
        let groups = self.named_groups(ctx, &name);
        if groups.is_empty() {
            let name = String::from_utf8_lossy(&name).into_owned();
            return Err(ctx.index_error(&format!("undefined group name reference: {name}")));
        }
        Ok(groups.iter().rev().find_map(|group| self.group(*group as usize)))
    }

    fn named_groups(&self, ctx: &Ctx, name: &[u8]) -> Vec<u32> {
        let state = Regexp::try_of(self.regex.get()).and_then(|re| re.state(ctx));
        let names = state.map_or(&[][..], |state| &state.names);
        names.iter().find(|(known, _)| ctx.sym_bytes(*known) == name).map_or(Vec::new(), |(_, groups)| groups.clone())
    }
}

pub fn matched_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, _) = Scanner::of(ctx, recv)?;
    Ok(Value::from_bool(scanner.whole.get().is_some()))
}

pub fn matched(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    Ok(scanner.group_text(ctx, string, 0))
}

pub fn matched_size(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, _) = Scanner::of(ctx, recv)?;
    Ok(scanner.whole.get().map_or(Value::NIL, |(start, end)| Value::fixnum((end - start) as i64)))
}

/// `scanner[group] -> string or nil`
pub fn op_aref(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    match scanner.resolve(ctx, args.at(0))? {
        Some((start, end)) => Ok(extract(ctx, string, start, end)),
        None => Ok(Value::NIL),
    }
}

/// `integer_at(group, base = 10) -> integer or nil`: the group as `String#to_i` reads it, nil when it is empty.
pub fn integer_at(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    let base = if args.len() > 1 { ctx.to_int(args.at(1))? } else { 10 };
    let Some((start, end)) = scanner.resolve(ctx, args.at(0))? else { return Ok(Value::NIL) };
    let end = end.min(string.len());
    if start >= end {
        return Ok(Value::NIL);
    }
    if base == 1 || !(-36..=36).contains(&base) {
        return Err(ctx.argument_error(&format!("invalid radix {base}")));
    }
    let text = string.bytes(ctx)[start..end].to_vec();
    let number = integer_of_text(ctx, text, base as i32, false)?;
    Ok(number.unwrap_or(Int::ZERO).into_value(ctx))
}

/// `size -> number of groups, the whole match included, or nil`
pub fn size(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, _) = Scanner::of(ctx, recv)?;
    if scanner.whole.get().is_none() {
        return Ok(Value::NIL);
    }
    Ok(Value::fixnum(scanner.group_count() as i64))
}

pub fn captures(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    if scanner.whole.get().is_none() {
        return Ok(Value::NIL);
    }
    let list = Array::new(ctx);
    for index in 1..scanner.group_count() {
        let text = scanner.group_text(ctx, string, index);
        list.push(ctx, text);
    }
    Ok(list.value())
}

pub fn values_at(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    if scanner.whole.get().is_none() {
        return Ok(Value::NIL);
    }
    let list = Array::new(ctx);
    for i in 0..args.len() {
        let text = match scanner.resolve(ctx, args.at(i))? {
            Some((start, end)) => extract(ctx, string, start, end),
            None => Value::NIL,
        };
        list.push(ctx, text);
    }
    Ok(list.value())
}

/// `named_captures -> hash`: of several groups with one name the last that matched.
pub fn named_captures(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    let hash = Hash::new(ctx);
    let Some(state) = Regexp::try_of(scanner.regex.get()).and_then(|re| re.state(ctx)) else { return Ok(hash.value()) };
    let names = state.names.clone();
    for (name, groups) in names.iter() {
        let span = groups.iter().rev().find_map(|group| scanner.group(*group as usize));
        let text = match span {
            Some((start, end)) => extract(ctx, string, start, end),
            None => Value::NIL,
        };
        let key = Str::of_symbol(ctx, *name);
        key.header().set(flags::FROZEN);
        hash.insert(ctx, key.value(), text)?;
    }
    Ok(hash.value())
}

pub fn pre_match(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    Ok(match scanner.whole.get() {
        Some((start, _)) => extract(ctx, string, 0, start),
        None => Value::NIL,
    })
}

pub fn post_match(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (scanner, string) = Scanner::of(ctx, recv)?;
    Ok(match scanner.whole.get() {
        Some((_, end)) => extract(ctx, string, end, string.len()),
        None => Value::NIL,
    })
}

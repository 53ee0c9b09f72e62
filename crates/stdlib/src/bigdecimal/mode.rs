//! BigDecimal's modes: which results raise, how is rounded, and the limit of digits. They belong to the running fiber,
//! as `Thread#[]` does; until somebody changes one, nothing is looked up.

use super::number::Rounding;
use rubellite_vm::object::{Hash, Str};
use rubellite_vm::{Args, Ctx, Extension, Result, Sym, Value};
use std::cell::Cell;

pub const INFINITY: u16 = 1;
pub const NAN: u16 = 2;
pub const UNDERFLOW: u16 = 4;
pub const ZERO_DIVIDE: u16 = 16;
pub const ALL: u16 = 255;
pub const ROUND_MODE: i64 = 256;

/// The modes of one fiber.
#[derive(Copy, Clone)]
pub struct Modes {
    /// The results that raise.
    pub exceptions: u16,
    pub rounding: Rounding,
    /// Digits of results, 0 for no limit.
    pub limit: u64,
}

const DEFAULT: Modes = Modes { exceptions: 0, rounding: Rounding::HalfUp, limit: 0 };

#[derive(Default)]
struct Changed(Cell<bool>);

impl Extension for Changed {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

const KEY: &str = "__bigdecimal_modes__";

fn thread(ctx: &mut Ctx) -> Result<(Value, Sym)> {
    let class = ctx.named_class("Thread")?.value();
    Ok((ctx.call_name(class, "current", &[])?, ctx.intern(KEY)))
}

pub fn get(ctx: &mut Ctx) -> Result<Modes> {
    if !ctx.extension::<Changed>().0.get() {
        return Ok(DEFAULT);
    }
    let (thread, key) = thread(ctx)?;
    let packed = ctx.call_name(thread, "[]", &[Value::symbol(key)])?;
    Ok(match packed.as_fixnum() {
        Some(n) => Modes {
            exceptions: (n & 255) as u16,
            rounding: Rounding::from_number(n >> 8 & 15).unwrap_or(Rounding::HalfUp),
            limit: (n >> 12) as u64,
        },
        None => DEFAULT,
    })
}

pub fn set(ctx: &mut Ctx, modes: Modes) -> Result<()> {
    ctx.extension::<Changed>().0.set(true);
    let packed = modes.exceptions as i64 | (modes.rounding as i64) << 8 | (modes.limit as i64) << 12;
    let (thread, key) = thread(ctx)?;
    ctx.call_name(thread, "[]=", &[Value::symbol(key), Value::fixnum(packed)])?;
    Ok(())
}

/// A rounding mode by its number or its name.
pub fn rounding(ctx: &mut Ctx, value: Value) -> Result<Rounding> {
    let found = match value.as_symbol() {
        Some(name) => match ctx.sym_str(name).as_str() {
            "up" => Some(Rounding::Up),
            "down" | "truncate" => Some(Rounding::Down),
            "half_up" | "default" => Some(Rounding::HalfUp),
            "half_down" => Some(Rounding::HalfDown),
            "half_even" | "banker" => Some(Rounding::HalfEven),
            "ceiling" | "ceil" => Some(Rounding::Ceiling),
            "floor" => Some(Rounding::Floor),
            _ => None,
        },
        None => Rounding::from_number(ctx.to_int(value)?),
    };
    match found {
        Some(mode) => Ok(mode),
        None => Err(invalid(ctx, value)),
    }
}

#[cold]
fn invalid(ctx: &mut Ctx, value: Value) -> rubellite_vm::Unwind {
    match ctx.to_s(value) {
        Ok(text) => {
            let text = text.to_lossy(ctx).into_owned();
            ctx.argument_error(&format!("invalid rounding mode ({text})"))
        }
        Err(unwind) => unwind,
    }
}

/// The rounding mode that `half:` asks for.
pub fn half(ctx: &mut Ctx, options: Hash, default: Rounding) -> Result<Rounding> {
    let key = ctx.intern("half");
    let Some(value) = options.get_sym(ctx, key).filter(|v| !v.is_nil()) else { return Ok(default) };
    let text = match value.as_symbol() {
        Some(name) => ctx.sym_str(name),
        None => match ctx.check_str(value)? {
            Some(text) => text.to_lossy(ctx).into_owned(),
            None => return Err(invalid(ctx, value)),
        },
    };
    match text.to_ascii_lowercase().as_str() {
        "up" => Ok(Rounding::HalfUp),
        "down" => Ok(Rounding::HalfDown),
        "even" => Ok(Rounding::HalfEven),
        _ => {
            let text = Str::utf8(ctx, &text).value();
            Err(invalid(ctx, text))
        }
    }
}

/// `BigDecimal.mode(which[, value]) -> Integer`
pub fn mode(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let which = ctx.to_int(args.at(0))?;
    let value = args.at(1);
    let mut modes = get(ctx)?;
    if which & ALL as i64 != 0 {
        if value.is_nil() {
            return Ok(Value::fixnum(modes.exceptions as i64));
        }
        if value != Value::TRUE && value != Value::FALSE {
            return Err(ctx.argument_error("second argument must be true or false"));
        }
        let bits = which as u16 & (INFINITY | NAN | UNDERFLOW | ZERO_DIVIDE);
        modes.exceptions = if value == Value::TRUE { modes.exceptions | bits } else { modes.exceptions & !bits };
        set(ctx, modes)?;
        return Ok(Value::fixnum(modes.exceptions as i64));
    }
    if which == ROUND_MODE {
        if !value.is_nil() {
            modes.rounding = rounding(ctx, value)?;
            set(ctx, modes)?;
        }
        return Ok(Value::fixnum(modes.rounding as i64));
    }
    Err(ctx.type_error("first argument for BigDecimal.mode invalid"))
}

/// `BigDecimal.limit([digits]) -> Integer`, the limit before.
pub fn limit(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let modes = get(ctx)?;
    if let Some(value) = args.non_nil(0) {
        let limit = ctx.to_int(value)?;
        if limit < 0 {
            return Err(ctx.argument_error("argument must be positive"));
        }
        set(ctx, Modes { limit: (limit as u64).min(1 << 40), ..modes })?;
    }
    Ok(Value::fixnum(modes.limit as i64))
}

/// Runs the block; afterwards the part of the modes that `keep` copies is as before.
fn saved(ctx: &mut Ctx, args: Args, keep: fn(&mut Modes, &Modes)) -> Result {
    let before = get(ctx)?;
    let result = ctx.yield_one(args.block, Value::NIL);
    let pending = result.is_err();
    if !pending {
        let mut now = get(ctx)?;
        keep(&mut now, &before);
        set(ctx, now)?;
    }
    result
}

pub fn save_exception_mode(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    saved(ctx, args, |now, before| now.exceptions = before.exceptions)
}

pub fn save_rounding_mode(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    saved(ctx, args, |now, before| now.rounding = before.rounding)
}

pub fn save_limit(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    saved(ctx, args, |now, before| now.limit = before.limit)
}

//! Passwords of texts: an argument, what the block of the call gives, or what is typed at the terminal.

use crate::ffi::pkey::{PASSWORD_MAX, Password};
use crate::support::{ERROR, bool, bytes, fail};
use rubellite_vm::{Args, Ctx, Result, Unwind, Value};

/// Runs `f` with the source of passwords. An exception in the block counts as no password; other exits are passed on.
pub fn with_password<R>(ctx: &mut Ctx, pass: Value, args: Args, f: impl FnOnce(&mut Password) -> R) -> Result<R> {
    if !pass.is_nil() {
        let given = bytes(ctx, pass)?;
        if given.len() > PASSWORD_MAX {
            return Err(fail(ctx, ERROR, &format!("password must not be longer than {PASSWORD_MAX} bytes")));
        }
        return Ok(f(&mut Password { given: Some(given), ask: None }));
    }
    if !args.has_block() {
        return Ok(f(&mut Password { given: None, ask: None }));
    }
    let mut left = false;
    let mut ask = |writing: bool| {
        if left {
            return None;
        }
        match ask_block(ctx, args.block, writing) {
            Ok(answer) => answer,
            Err(_) => {
                left = ctx.take_exception().is_none();
                None
            }
        }
    };
    let result = f(&mut Password { given: None, ask: Some(&mut ask) });
    if left { Err(Unwind) } else { Ok(result) }
}

fn ask_block(ctx: &mut Ctx, block: Value, writing: bool) -> Result<Option<Vec<u8>>> {
    loop {
        let answer = ctx.yield_one(block, bool(writing))?;
        if answer.is_nil() {
            return Ok(None);
        }
        let answer = bytes(ctx, answer)?;
        if answer.len() <= PASSWORD_MAX {
            return Ok(Some(answer));
        }
        ctx.warn(&format!("password must not be longer than {PASSWORD_MAX} bytes"))?;
    }
}

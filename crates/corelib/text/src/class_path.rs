//! Paths of classes, "A::B", as dumps and extensions in C name them: plain constants, each held by the one before it.

use crate::shown;
use rubellite_vm::class::Class;
use rubellite_vm::{Ctx, Encoding, Result, Sym, Value};

/// The class or module at this path; files of autoloads are loaded. ArgumentError for what is not there, with the path
/// as far as it was read, and TypeError for what is neither.
pub fn class_at(ctx: &mut Ctx, path: &[u8]) -> Result {
    if path.is_empty() || path[0] == b'#' {
        let text = String::from_utf8_lossy(path).into_owned();
        return Err(ctx.argument_error(&format!("can't retrieve anonymous class {text}")));
    }
    let encoding = if path.is_ascii() { Encoding::US_ASCII } else { Encoding::UTF_8 };
    let mut at = ctx.classes().object.get();
    let mut start = 0;
    while start < path.len() {
        let end = path[start..].iter().position(|b| *b == b':').map_or(path.len(), |n| start + n);
        let last = end == path.len();
        let well_formed = last || path.get(end + 1) == Some(&b':');
        let next = if last || !well_formed { end } else { end + 2 };
        let found = match ctx.find_symbol(&path[start..end], encoding).filter(|_| well_formed) {
            Some(name) => {
                let owner = ctx.expect(at)?;
                constant(ctx, owner, name)?
            }
            None => None,
        };
        let Some(value) = found else {
            let text = shown(ctx, &path[..next]);
            return Err(ctx.argument_error(&format!("undefined class/module {text}")));
        };
        if !Class::is(value) {
            let text = shown(ctx, path);
            return Err(ctx.type_error(&format!("{text} does not refer to class/module")));
        }
        (at, start) = (value, next);
    }
    Ok(at)
}

/// A path as messages show it.
fn shown(ctx: &Ctx, path: &[u8]) -> String {
    let encoding = if str::from_utf8(path).is_ok() { Encoding::UTF_8 } else { Encoding::BINARY };
    shown::shown(ctx, path, encoding)
}

/// The constant that `owner` itself holds.
fn constant(ctx: &mut Ctx, owner: Class, name: Sym) -> Result<Option<Value>> {
    let Some(entry) = owner.own_const(ctx, name).cloned() else { return Ok(None) };
    if !entry.flags.autoload {
        return Ok(Some(entry.value));
    }
    if !ctx.load_autoload(owner, name, &entry)? {
        return Ok(None);
    }
    Ok(owner.own_const(ctx, name).filter(|e| !e.flags.autoload).map(|e| e.value))
}

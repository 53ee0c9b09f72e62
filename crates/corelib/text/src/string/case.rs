//! String: case mapping.

use crate::common::modify;
use rubellite_core_thread::outside;
use rubellite_encoding::{CaseError, CaseOp, CaseOptions, Encoding, map_case_until};
use rubellite_vm::object::{Str, copied};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

static SITE: RegionSite = RegionSite::new("String#upcase");

pub static STRING_CASE: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[
        method("upcase", Arity::ANY, upcase),
        method("upcase!", Arity::ANY, upcase_bang),
        method("downcase", Arity::ANY, downcase),
        method("downcase!", Arity::ANY, downcase_bang),
        method("swapcase", Arity::ANY, swapcase),
        method("swapcase!", Arity::ANY, swapcase_bang),
        method("capitalize", Arity::ANY, capitalize),
        method("capitalize!", Arity::ANY, capitalize_bang),
    ],
    ..ClassDef::EMPTY
};

/// The options of a case mapping.
pub fn case_options(ctx: &mut Ctx, args: Args, op: CaseOp) -> Result<CaseOptions> {
    let mut options = CaseOptions::default();
    if args.is_empty() {
        return Ok(options);
    }
    let mut names = (0..args.len()).map(|i| args.at(i).as_symbol().map(|name| ctx.sym_str(name)));
    let (first, second) = (names.next().flatten(), names.next());
    drop(names);
    let problem = match (first.as_deref(), second.as_ref().map(Option::as_deref)) {
        _ if args.len() > 2 => "too many options",
        (Some("turkic"), None | Some(Some("lithuanian"))) | (Some("lithuanian"), None | Some(Some("turkic"))) => {
            options.turkic = second.is_some() || first.as_deref() == Some("turkic");
            options.lithuanian = second.is_some() || !options.turkic;
            return Ok(options);
        }
        (Some("turkic" | "lithuanian"), Some(_)) => "invalid second option",
        (_, Some(_)) => "too many options",
        (Some("ascii"), None) => {
            options.ascii = true;
            return Ok(options);
        }
        (Some("fold"), None) if op == CaseOp::Downcase => {
            options.fold = true;
            return Ok(options);
        }
        (Some("fold"), None) => "option :fold only allowed for downcasing",
        _ => "invalid option",
    };
    Err(ctx.argument_error(problem))
}

/// The mapped bytes.
pub fn mapped(ctx: &mut Ctx, s: Str, args: Args, op: CaseOp) -> Result<Vec<u8>> {
    // Binary text has no letters beyond ASCII.
    if args.is_empty() && (s.encoding() == Encoding::BINARY || s.is_ascii_only(ctx)) {
        return outside::on_bytes(ctx, s, &SITE, |bytes, _| Some(mapped_ascii(bytes, op)));
    }
    let options = case_options(ctx, args, op)?;
    if !options.ascii && s.encoding().is_dummy() {
        return Err(ctx.raise_error(
            "Encoding::CompatibilityError",
            &format!("incompatible encoding with this operation: {}", s.encoding().name()),
        ));
    }
    // ASCII letters are found in broken UTF-8, and in other encodings whose characters are bytes.
    let bytewise = s.encoding().max_len() == 1 || options.ascii && s.encoding().is_utf8_family();
    if !bytewise && !s.is_valid(ctx) {
        return Err(ctx.argument_error(CaseError::MESSAGE));
    }
    let encoding = s.encoding();
    match outside::on_bytes(ctx, s, &SITE, |bytes, stop| {
        map_case_until(encoding, bytes, op, options, &|| stop.requested())
    })? {
        Ok(bytes) => Ok(bytes),
        Err(_) => Err(ctx.argument_error(CaseError::MESSAGE)),
    }
}

fn mapped_ascii(bytes: &[u8], op: CaseOp) -> Vec<u8> {
    let mut mapped = copied(bytes);
    match op {
        CaseOp::Upcase => mapped.make_ascii_uppercase(),
        CaseOp::Downcase => mapped.make_ascii_lowercase(),
        CaseOp::Swapcase => mapped.iter_mut().filter(|byte| byte.is_ascii_alphabetic()).for_each(|byte| *byte ^= 0x20),
        CaseOp::Capitalize => {
            mapped.make_ascii_lowercase();
            if let Some(first) = mapped.first_mut() {
                first.make_ascii_uppercase();
            }
        }
    }
    mapped
}

fn copy(ctx: &mut Ctx, s: Str, args: Args, op: CaseOp) -> Result {
    let encoding = s.encoding();
    let ascii = s.cached_code_range().filter(|r| *r == rubellite_encoding::CodeRange::SevenBit && args.is_empty());
    let bytes = mapped(ctx, s, args, op)?;
    let result = Str::from_vec(ctx, bytes, encoding);
    result.set_code_range(ascii);
    Ok(result.value())
}

fn in_place(ctx: &mut Ctx, string: Str, args: Args, op: CaseOp) -> Result {
    let s = modify(ctx, string)?;
    let bytes = mapped(ctx, s, args, op)?;
    if bytes == s.bytes(ctx) {
        return Ok(Value::NIL);
    }
    // Another thread may have frozen it meanwhile.
    let s = modify(ctx, string)?;
    s.set_vec(ctx, bytes);
    Ok(string.value())
}

fn upcase(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    copy(ctx, string, args, CaseOp::Upcase)
}

fn upcase_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    in_place(ctx, string, args, CaseOp::Upcase)
}

fn downcase(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    copy(ctx, string, args, CaseOp::Downcase)
}

fn downcase_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    in_place(ctx, string, args, CaseOp::Downcase)
}

fn swapcase(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    copy(ctx, string, args, CaseOp::Swapcase)
}

fn swapcase_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    in_place(ctx, string, args, CaseOp::Swapcase)
}

fn capitalize(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    copy(ctx, string, args, CaseOp::Capitalize)
}

fn capitalize_bang(ctx: &mut Ctx, string: Str, args: Args) -> Result {
    in_place(ctx, string, args, CaseOp::Capitalize)
}

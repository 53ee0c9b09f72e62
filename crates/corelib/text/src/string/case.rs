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
    if args.len() > 2 {
        return Err(ctx.argument_error("too many options"));
    }
    for i in 0..args.len() {
        let v = args.at(i);
        let Some(sym) = v.as_symbol() else {
            let class = ctx.describe_for_conversion(v);
            return Err(ctx.type_error(&format!("wrong argument type {class} (expected Symbol)")));
        };
        let name = ctx.sym_str(sym);
        let problem = match (name.as_str(), i) {
            ("ascii", 0) if args.len() > 1 => Some("too many options"),
            ("ascii", 0) => {
                options.ascii = true;
                None
            }
            ("fold", 0) if op != CaseOp::Downcase => Some("option :fold only allowed for downcasing"),
            ("fold", 0) if args.len() > 1 => Some("too many options"),
            ("fold", 0) => {
                options.fold = true;
                None
            }
            ("turkic", 0) => {
                options.turkic = true;
                None
            }
            ("lithuanian", 0) => {
                options.lithuanian = true;
                None
            }
            ("lithuanian", _) if options.turkic => {
                options.lithuanian = true;
                None
            }
            ("turkic", _) if options.lithuanian => {
                options.turkic = true;
                None
            }
            ("ascii" | "fold" | "turkic" | "lithuanian", _) if options.turkic || options.lithuanian => {
                Some("invalid second argument: use only Lithuanian with Turkic")
            }
            (_, 0) => Some("invalid option: "),
            _ => Some("invalid second argument: use only Turkic with Lithuanian"),
        };
        match problem {
            Some("invalid option: ") => return Err(ctx.argument_error(&format!("invalid option: {name}"))),
            Some("invalid second argument: use only Lithuanian with Turkic") if options.lithuanian => {
                return Err(ctx.argument_error("invalid second argument: use only Turkic with Lithuanian"));
            }
            Some(message) => return Err(ctx.argument_error(message)),
            None => {}
        }
    }
    Ok(options)
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

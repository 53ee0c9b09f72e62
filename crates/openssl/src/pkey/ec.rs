//! OpenSSL::PKey::EC, its groups and points.

use super::rsa::key_text;
use super::{ERROR, PKEY, class_of, export_public, export_traditional, immutable, no_arguments, of, of_kind, read_any};
use crate::bn::{self, arithmetic};
use crate::ffi::asn1::{OBJ_nid2sn, OBJ_sn2nid, UNDEF};
use crate::ffi::pkey::{self, EC_GROUP, EC_KEY, EC_POINT, EVP_PKEY};
use crate::ffi::{Owned, Text, bio};
use crate::support::{
    self, Shared, binary, bytes, c_string, check, clear_errors, empty, ensure, fail, get, holds, is_kind, ivar,
    outside, put, set_ivar, source, want_empty, wrap, wrap_in,
};
use rubellite_vm::object::Array;
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method};

pub const EC: &str = "OpenSSL::PKey::EC";
const GROUP: &str = "OpenSSL::PKey::EC::Group";
const POINT: &str = "OpenSSL::PKey::EC::Point";
const GROUP_ERROR_NAME: &str = "OpenSSL::PKey::EC::Group::Error";
const POINT_ERROR_NAME: &str = "OpenSSL::PKey::EC::Point::Error";

const NAMED_CURVE: i32 = 1;
const COMPRESSED: i32 = 2;
const UNCOMPRESSED: i32 = 4;
const HYBRID: i32 = 6;

static SITE: RegionSite = RegionSite::new("OpenSSL::PKey::EC");

pub static EC_CLASS: ClassDef = ClassDef {
    name: EC,
    superclass: PKEY,
    methods: &[
        method("initialize", Arity::range(0, 2), initialize),
        method("group", Arity::NONE, group),
        method("group=", Arity::ONE, immutable),
        method("private_key", Arity::NONE, private_key),
        method("private_key=", Arity::ONE, immutable),
        method("public_key", Arity::NONE, public_key),
        method("public_key=", Arity::ONE, immutable),
        method("private?", Arity::NONE, private_p),
        method("private_key?", Arity::NONE, private_p),
        method("public?", Arity::NONE, public_p),
        method("public_key?", Arity::NONE, public_p),
        method("generate_key!", Arity::NONE, immutable),
        method("generate_key", Arity::NONE, immutable),
        method("check_key", Arity::NONE, check_key),
        method("export", Arity::range(0, 2), export),
        method("to_pem", Arity::range(0, 2), export),
        method("to_der", Arity::NONE, to_der),
    ],
    singleton_methods: &[
        method("builtin_curves", Arity::NONE, builtin_curves),
        method("generate", Arity::ONE, generate),
    ],
    setup: Some(|ctx, class| {
        class.set_const(ctx, "NAMED_CURVE", Value::fixnum(NAMED_CURVE.into()));
        class.set_const(ctx, "EXPLICIT_CURVE", Value::fixnum(0));
        Ok(())
    }),
    ..ClassDef::EMPTY
};

pub static GROUP_CLASS: ClassDef = ClassDef {
    name: GROUP,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(1, 4), group_initialize),
        method("initialize_copy", Arity::ONE, group_initialize_copy),
        method("eql?", Arity::ONE, group_equal),
        method("==", Arity::ONE, group_equal),
        method("generator", Arity::NONE, generator),
        method("set_generator", Arity::exact(3), set_generator),
        method("order", Arity::NONE, order),
        method("cofactor", Arity::NONE, cofactor),
        method("curve_name", Arity::NONE, curve_name),
        method("asn1_flag", Arity::NONE, asn1_flag),
        method("asn1_flag=", Arity::ONE, set_asn1_flag),
        method("point_conversion_form", Arity::NONE, point_conversion_form),
        method("point_conversion_form=", Arity::ONE, set_point_conversion_form),
        method("seed", Arity::NONE, seed),
        method("seed=", Arity::ONE, set_seed),
        method("degree", Arity::NONE, degree),
        method("to_pem", Arity::NONE, group_to_pem),
        method("to_der", Arity::NONE, group_to_der),
        method("to_text", Arity::NONE, group_to_text),
    ],
    ..ClassDef::EMPTY
};

pub static POINT_CLASS: ClassDef = ClassDef {
    name: POINT,
    alloc: Some(empty),
    methods: &[
        method("initialize", Arity::range(1, 2), point_initialize),
        method("initialize_copy", Arity::ONE, point_initialize_copy),
        method("eql?", Arity::ONE, point_equal),
        method("==", Arity::ONE, point_equal),
        method("infinity?", Arity::NONE, infinity_p),
        method("on_curve?", Arity::NONE, on_curve_p),
        method("make_affine!", Arity::NONE, make_affine_bang),
        method("invert!", Arity::NONE, invert_bang),
        method("set_to_infinity!", Arity::NONE, set_to_infinity_bang),
        method("to_octet_string", Arity::ONE, to_octet_string),
        method("add", Arity::ONE, add),
        method("mul", Arity::range(1, 3), mul),
    ],
    ..ClassDef::EMPTY
};

pub static GROUP_ERROR: ClassDef = ClassDef { name: GROUP_ERROR_NAME, superclass: support::ERROR, ..ClassDef::EMPTY };
pub static POINT_ERROR: ClassDef = ClassDef { name: POINT_ERROR_NAME, superclass: support::ERROR, ..ClassDef::EMPTY };

// -- keys ---------------------------------------------------------------------------------

/// A key without its parts, of a group or of the name of a curve.
fn of_group(ctx: &mut Ctx, value: Value) -> Result<Owned<EC_KEY>> {
    if is_kind(ctx, value, GROUP)? {
        let group = group_of(ctx, value)?;
        let key = check(ctx, pkey::EC_KEY_new(), ERROR, "")?;
        ensure(ctx, pkey::EC_KEY_set_group(&key, &group) == 1, ERROR, "")?;
        return Ok(key);
    }
    let name = c_string(ctx, value)?;
    let nid = OBJ_sn2nid(Text::from(&*name));
    ensure(ctx, nid != UNDEF, ERROR, "invalid curve name")?;
    let key = check(ctx, pkey::EC_KEY_new_by_curve_name(nid), ERROR, "")?;
    pkey::EC_KEY_set_asn1_flag(&key, NAMED_CURVE);
    pkey::EC_KEY_set_conv_form(&key, UNCOMPRESSED);
    Ok(key)
}

fn assigned(ctx: &mut Ctx, key: Owned<EC_KEY>) -> Result<Owned<EVP_PKEY>> {
    check(ctx, pkey::of_part(key), ERROR, "EVP_PKEY_assign_EC_KEY")
}

/// `EC.generate(group_or_name) -> key`
fn generate(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(class) = class_of(recv) else { return Err(ctx.type_error("class required")) };
    let key = of_group(ctx, args.at(0))?;
    let done = outside(ctx, &SITE, || pkey::EC_KEY_generate_key(&key))?;
    ensure(ctx, done == 1, ERROR, "EC_KEY_generate_key")?;
    let key = assigned(ctx, key)?;
    Ok(wrap_in(ctx, class.value(), key))
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<EVP_PKEY>(ctx, recv)?;
    if args.at(0).is_nil() {
        return Err(no_arguments(ctx, EC));
    }
    let key = if is_kind(ctx, args.at(0), GROUP)? {
        let key = of_group(ctx, args.at(0))?;
        assigned(ctx, key)?
    } else {
        let text = key_text(ctx, args.at(0))?;
        match read_any(ctx, &text, args.at(1), args)? {
            Some(key) => of_kind(ctx, key, pkey::EC_TYPE)?,
            None => {
                clear_errors(ctx);
                let name = binary(ctx, &text);
                let key = of_group(ctx, name)?;
                assigned(ctx, key)?
            }
        }
    };
    put(ctx, recv, key)?;
    Ok(recv)
}

/// Runs `f` with the part of the key that is the curve's.
fn with_key<R>(ctx: &mut Ctx, recv: Value, f: impl FnOnce(&mut Ctx, &EC_KEY) -> Result<R>) -> Result<R> {
    let key = of(ctx, recv)?;
    let part = check(ctx, pkey::EVP_PKEY_get0_EC_KEY(&key), ERROR, "failed to get EC_KEY from EVP_PKEY")?;
    f(ctx, part)
}

fn group(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    with_key(ctx, recv, |ctx, key| match pkey::EC_KEY_get0_group(key) {
        Some(group) => new_group(ctx, group),
        None => Ok(Value::NIL),
    })
}

fn private_key(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    with_key(ctx, recv, |ctx, key| match pkey::EC_KEY_get0_private_key(key) {
        Some(number) => bn::new(ctx, number),
        None => Ok(Value::NIL),
    })
}

fn public_key(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    with_key(ctx, recv, |ctx, key| match (pkey::EC_KEY_get0_public_key(key), pkey::EC_KEY_get0_group(key)) {
        (Some(point), Some(group)) => new_point(ctx, point, group),
        _ => Ok(Value::NIL),
    })
}

fn private_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    with_key(ctx, recv, |_, key| Ok(support::bool(pkey::EC_KEY_get0_private_key(key).is_some())))
}

fn public_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    with_key(ctx, recv, |_, key| Ok(support::bool(pkey::EC_KEY_get0_public_key(key).is_some())))
}

/// Whether it can be written and has its private part.
fn exportable(ctx: &mut Ctx, recv: Value) -> Result<bool> {
    with_key(ctx, recv, |ctx, key| {
        ensure(ctx, pkey::EC_KEY_get0_public_key(key).is_some(), ERROR, "can't export - no public key set")?;
        Ok(pkey::EC_KEY_get0_private_key(key).is_some())
    })
}

fn export(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if exportable(ctx, recv)? { export_traditional(ctx, recv, args, false) } else { export_public(ctx, recv, false) }
}

fn to_der(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if exportable(ctx, recv)? { export_traditional(ctx, recv, args, true) } else { export_public(ctx, recv, true) }
}

fn check_key(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let key = of(ctx, recv)?;
    let private = private_p(ctx, recv, Args::none())?.truthy();
    let operation = check(ctx, pkey::context(&key), ERROR, "EVP_PKEY_CTX_new")?;
    if private {
        ensure(ctx, pkey::EVP_PKEY_check(&operation) == 1, ERROR, "EVP_PKEY_check")?;
    } else {
        ensure(ctx, pkey::EVP_PKEY_public_check(&operation) == 1, ERROR, "EVP_PKEY_public_check")?;
    }
    Ok(Value::TRUE)
}

fn builtin_curves(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let list = Array::new(ctx);
    for (nid, comment) in pkey::curves() {
        let name = support::text(ctx, OBJ_nid2sn(nid));
        let comment = comment.map_or(Value::NIL, |comment| binary(ctx, &comment));
        let pair = Array::from_slice(ctx, &[name, comment]).value();
        list.push(ctx, pair);
    }
    Ok(list.value())
}

// -- groups -------------------------------------------------------------------------------

fn group_of(ctx: &mut Ctx, value: Value) -> Result<Shared<EC_GROUP>> {
    if !holds::<EC_GROUP>(ctx, value) && is_kind(ctx, value, GROUP)? {
        return Err(fail(ctx, GROUP_ERROR_NAME, "EC_GROUP is not initialized"));
    }
    get(ctx, value)
}

fn new_group(ctx: &mut Ctx, group: &EC_GROUP) -> Result {
    let copy = check(ctx, pkey::EC_GROUP_dup(group), GROUP_ERROR_NAME, "EC_GROUP_dup")?;
    wrap(ctx, GROUP, copy)
}

fn group_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<EC_GROUP>(ctx, recv)?;
    let group = match args.len() {
        1 if is_kind(ctx, args.at(0), GROUP)? => {
            let other = group_of(ctx, args.at(0))?;
            check(ctx, pkey::EC_GROUP_dup(&other), GROUP_ERROR_NAME, "EC_GROUP_dup")?
        }
        1 => read_group(ctx, args.at(0))?,
        4 => curve(ctx, args)?,
        given => return Err(ctx.argument_error(&format!("wrong number of arguments (given {given}, expected 1 or 4)"))),
    };
    put(ctx, recv, group)?;
    Ok(recv)
}

fn read_group(ctx: &mut Ctx, value: Value) -> Result<Owned<EC_GROUP>> {
    let text = source(ctx, value)?;
    if let Some(group) = pkey::read_group(&text) {
        clear_errors(ctx);
        return Ok(group);
    }
    let value = binary(ctx, &text);
    let name = c_string(ctx, value)?;
    let nid = OBJ_sn2nid(Text::from(&*name));
    clear_errors(ctx);
    let shown = name.to_string_lossy().into_owned();
    ensure(ctx, nid != UNDEF, GROUP_ERROR_NAME, &format!("unknown curve name ({shown})"))?;
    let found = pkey::EC_GROUP_new_by_curve_name(nid);
    let group = check(ctx, found, GROUP_ERROR_NAME, &format!("unable to create curve ({shown})"))?;
    pkey::EC_GROUP_set_asn1_flag(&group, NAMED_CURVE);
    pkey::EC_GROUP_set_point_conversion_form(&group, UNCOMPRESSED);
    Ok(group)
}

/// `Group.new(:GFp, p, a, b)`
fn curve(ctx: &mut Ctx, args: Args) -> Result<Owned<EC_GROUP>> {
    let Some(field) = args.at(0).as_symbol() else {
        return Err(ctx.argument_error("unknown argument, must be :GFp or :GF2m"));
    };
    let (p, a, b) = (bn::of(ctx, args.at(1))?, bn::of(ctx, args.at(2))?, bn::of(ctx, args.at(3))?);
    let context = arithmetic(ctx)?;
    let group = match ctx.sym_bytes(field) {
        b"GFp" => pkey::EC_GROUP_new_curve_GFp(&p, &a, &b, &context),
        b"GF2m" => pkey::EC_GROUP_new_curve_GF2m(&p, &a, &b, &context),
        _ => return Err(ctx.argument_error("unknown symbol, must be :GFp or :GF2m")),
    };
    check(ctx, group, GROUP_ERROR_NAME, "EC_GROUP_new_by_GF*")
}

fn group_initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<EC_GROUP>(ctx, recv)?;
    let other = group_of(ctx, args.at(0))?;
    let copy = check(ctx, pkey::EC_GROUP_dup(&other), GROUP_ERROR_NAME, "EC_GROUP_dup")?;
    put(ctx, recv, copy)?;
    Ok(recv)
}

fn group_equal(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (a, b, context) = (group_of(ctx, recv)?, group_of(ctx, args.at(0))?, arithmetic(ctx)?);
    match pkey::EC_GROUP_cmp(&a, &b, &context) {
        0 => Ok(Value::TRUE),
        1 => Ok(Value::FALSE),
        _ => Err(fail(ctx, GROUP_ERROR_NAME, "EC_GROUP_cmp")),
    }
}

fn generator(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let group = group_of(ctx, recv)?;
    match pkey::EC_GROUP_get0_generator(&group) {
        Some(point) => new_point(ctx, point, &group),
        None => Ok(Value::NIL),
    }
}

fn set_generator(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (group, point) = (group_of(ctx, recv)?, point_of(ctx, args.at(0))?);
    let (order, cofactor) = (bn::of(ctx, args.at(1))?, bn::of(ctx, args.at(2))?);
    ensure(
        ctx,
        pkey::EC_GROUP_set_generator(&group, &point, &order, &cofactor) == 1,
        GROUP_ERROR_NAME,
        "EC_GROUP_set_generator",
    )?;
    Ok(recv)
}

fn order(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (group, out, context) = (group_of(ctx, recv)?, bn::fresh(ctx)?, arithmetic(ctx)?);
    ensure(ctx, pkey::EC_GROUP_get_order(&group, &out, &context) == 1, GROUP_ERROR_NAME, "EC_GROUP_get_order")?;
    wrap(ctx, bn::BN, out)
}

fn cofactor(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (group, out, context) = (group_of(ctx, recv)?, bn::fresh(ctx)?, arithmetic(ctx)?);
    ensure(ctx, pkey::EC_GROUP_get_cofactor(&group, &out, &context) == 1, GROUP_ERROR_NAME, "EC_GROUP_get_cofactor")?;
    wrap(ctx, bn::BN, out)
}

fn curve_name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let group = group_of(ctx, recv)?;
    let nid = pkey::EC_GROUP_get_curve_name(&group);
    Ok(if nid == UNDEF { Value::NIL } else { support::text(ctx, OBJ_nid2sn(nid)) })
}

fn asn1_flag(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let group = group_of(ctx, recv)?;
    Ok(Value::fixnum(pkey::EC_GROUP_get_asn1_flag(&group).into()))
}

fn set_asn1_flag(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let group = group_of(ctx, recv)?;
    let flag = ctx.to_c_int(args.at(0))?;
    pkey::EC_GROUP_set_asn1_flag(&group, flag);
    Ok(args.at(0))
}

fn point_conversion_form(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let group = group_of(ctx, recv)?;
    let name = match pkey::EC_GROUP_get_point_conversion_form(&group) {
        UNCOMPRESSED => "uncompressed",
        COMPRESSED => "compressed",
        HYBRID => "hybrid",
        other => {
            return Err(fail(
                ctx,
                GROUP_ERROR_NAME,
                &format!("unsupported point conversion form: {other}, this module should be updated"),
            ));
        }
    };
    Ok(Value::symbol(ctx.intern(name)))
}

fn form(ctx: &mut Ctx, value: Value) -> Result<i32> {
    let name = value.as_symbol().map(|name| ctx.sym_str(name));
    match name.as_deref() {
        Some("uncompressed") => Ok(UNCOMPRESSED),
        Some("compressed") => Ok(COMPRESSED),
        Some("hybrid") => Ok(HYBRID),
        _ => {
            let shown = ctx.inspect(value)?;
            let text =
                format!("unsupported point conversion form {shown} (expected :compressed, :uncompressed, or :hybrid)");
            Err(ctx.argument_error(&text))
        }
    }
}

fn set_point_conversion_form(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let group = group_of(ctx, recv)?;
    let form = form(ctx, args.at(0))?;
    pkey::EC_GROUP_set_point_conversion_form(&group, form);
    Ok(args.at(0))
}

fn seed(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let group = group_of(ctx, recv)?;
    Ok(group.seed().map_or(Value::NIL, |seed| binary(ctx, seed)))
}

fn set_seed(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let group = group_of(ctx, recv)?;
    let seed = bytes(ctx, args.at(0))?;
    ensure(ctx, group.set_seed(&seed), GROUP_ERROR_NAME, "EC_GROUP_set_seed")?;
    Ok(args.at(0))
}

fn degree(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let group = group_of(ctx, recv)?;
    Ok(Value::fixnum(pkey::EC_GROUP_get_degree(&group).into()))
}

fn group_to_pem(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let group = group_of(ctx, recv)?;
    let text = check(ctx, bio::written(|out| pkey::PEM_write_bio_ECPKParameters(out, &group) == 1), ERROR, "")?;
    Ok(support::string(ctx, text))
}

fn group_to_der(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let group = group_of(ctx, recv)?;
    let der = check(ctx, group.der(), ERROR, "")?;
    Ok(support::string(ctx, der))
}

fn group_to_text(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let group = group_of(ctx, recv)?;
    let text = check(ctx, bio::written(|out| pkey::ECPKParameters_print(out, &group, 0) == 1), GROUP_ERROR_NAME, "")?;
    Ok(support::string(ctx, text))
}

// -- points -------------------------------------------------------------------------------

fn point_of(ctx: &mut Ctx, value: Value) -> Result<Shared<EC_POINT>> {
    if !holds::<EC_POINT>(ctx, value) && is_kind(ctx, value, POINT)? {
        return Err(fail(ctx, POINT_ERROR_NAME, "EC_POINT is not initialized"));
    }
    get(ctx, value)
}

/// A point with its group.
fn both(ctx: &mut Ctx, value: Value) -> Result<(Shared<EC_POINT>, Shared<EC_GROUP>)> {
    let point = point_of(ctx, value)?;
    let group = ivar(ctx, value, "@group");
    Ok((point, group_of(ctx, group)?))
}

fn new_point(ctx: &mut Ctx, point: &EC_POINT, group: &EC_GROUP) -> Result {
    let copy = check(ctx, pkey::EC_POINT_dup(point, group), POINT_ERROR_NAME, "EC_POINT_dup")?;
    let object = wrap(ctx, POINT, copy)?;
    let group = new_group(ctx, group)?;
    set_ivar(ctx, object, "@group", group);
    Ok(object)
}

fn fresh_point(ctx: &mut Ctx, group: &EC_GROUP) -> Result<Owned<EC_POINT>> {
    check(ctx, pkey::EC_POINT_new(group), POINT_ERROR_NAME, "EC_POINT_new")
}

fn point_initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<EC_POINT>(ctx, recv)?;
    if is_kind(ctx, args.at(0), POINT)? {
        if args.len() != 1 {
            return Err(ctx.argument_error("invalid second argument"));
        }
        return point_initialize_copy(ctx, recv, args);
    }
    let group = group_of(ctx, args.at(0))?;
    let point = match args.get(1) {
        None => fresh_point(ctx, &group)?,
        Some(number) if is_kind(ctx, number, bn::BN)? => {
            let (number, context) = (bn::of(ctx, number)?, arithmetic(ctx)?);
            check(ctx, pkey::point_of(&group, &number, &context), POINT_ERROR_NAME, "EC_POINT_bn2point")?
        }
        Some(octets) => {
            let octets = bytes(ctx, octets)?;
            let (point, context) = (fresh_point(ctx, &group)?, arithmetic(ctx)?);
            ensure(ctx, pkey::set_octets(&group, &point, &octets, &context), POINT_ERROR_NAME, "EC_POINT_oct2point")?;
            point
        }
    };
    put(ctx, recv, point)?;
    set_ivar(ctx, recv, "@group", args.at(0));
    Ok(recv)
}

fn point_initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    want_empty::<EC_POINT>(ctx, recv)?;
    let (point, _) = both(ctx, args.at(0))?;
    let group = ivar(ctx, args.at(0), "@group");
    let group = ctx.call_name(group, "dup", &[])?;
    let handle = group_of(ctx, group)?;
    let copy = check(ctx, pkey::EC_POINT_dup(&point, &handle), POINT_ERROR_NAME, "EC_POINT_dup")?;
    put(ctx, recv, copy)?;
    set_ivar(ctx, recv, "@group", group);
    Ok(recv)
}

fn point_equal(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let ((a, group), (b, other)) = (both(ctx, recv)?, both(ctx, args.at(0))?);
    let context = arithmetic(ctx)?;
    match pkey::EC_GROUP_cmp(&group, &other, &context) {
        0 => {}
        1 => return Ok(Value::FALSE),
        _ => return Err(fail(ctx, GROUP_ERROR_NAME, "EC_GROUP_cmp")),
    }
    match pkey::EC_POINT_cmp(&group, &a, &b, &context) {
        0 => Ok(Value::TRUE),
        1 => Ok(Value::FALSE),
        _ => Err(fail(ctx, POINT_ERROR_NAME, "EC_POINT_cmp")),
    }
}

fn told(ctx: &mut Ctx, answer: i32, message: &str) -> Result {
    match answer {
        1 => Ok(Value::TRUE),
        0 => Ok(Value::FALSE),
        _ => Err(fail(ctx, POINT_ERROR_NAME, message)),
    }
}

fn infinity_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (point, group) = both(ctx, recv)?;
    told(ctx, pkey::EC_POINT_is_at_infinity(&group, &point), "EC_POINT_is_at_infinity")
}

fn on_curve_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let ((point, group), context) = (both(ctx, recv)?, arithmetic(ctx)?);
    told(ctx, pkey::EC_POINT_is_on_curve(&group, &point, &context), "EC_POINT_is_on_curve")
}

fn make_affine_bang(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    both(ctx, recv)?;
    ctx.warn("OpenSSL::PKey::EC::Point#make_affine! is deprecated")?;
    Ok(recv)
}

fn invert_bang(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let ((point, group), context) = (both(ctx, recv)?, arithmetic(ctx)?);
    ensure(ctx, pkey::EC_POINT_invert(&group, &point, &context) == 1, POINT_ERROR_NAME, "EC_POINT_invert")?;
    Ok(recv)
}

fn set_to_infinity_bang(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let (point, group) = both(ctx, recv)?;
    ensure(ctx, pkey::EC_POINT_set_to_infinity(&group, &point) == 1, POINT_ERROR_NAME, "EC_POINT_set_to_infinity")?;
    Ok(recv)
}

fn to_octet_string(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (point, group) = both(ctx, recv)?;
    let (form, context) = (form(ctx, args.at(0))?, arithmetic(ctx)?);
    let octets = check(ctx, pkey::octets(&group, &point, form, &context), POINT_ERROR_NAME, "EC_POINT_point2oct")?;
    Ok(support::string(ctx, octets))
}

/// A new point of the same group.
fn in_group(ctx: &mut Ctx, recv: Value, point: Owned<EC_POINT>) -> Result {
    let object = wrap(ctx, POINT, point)?;
    let group = ivar(ctx, recv, "@group");
    set_ivar(ctx, object, "@group", group);
    Ok(object)
}

fn add(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let ((a, group), b) = (both(ctx, recv)?, point_of(ctx, args.at(0))?);
    let (out, context) = (fresh_point(ctx, &group)?, arithmetic(ctx)?);
    ensure(ctx, pkey::EC_POINT_add(&group, &out, &a, &b, &context) == 1, POINT_ERROR_NAME, "EC_POINT_add")?;
    in_group(ctx, recv, out)
}

/// `mul(number, generator_number = nil) -> point`
fn mul(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (point, group) = both(ctx, recv)?;
    if Array::is(args.at(0)) || args.len() > 2 {
        return Err(ctx.not_implemented("OpenSSL::PKey::EC::Point#mul with arrays is no longer supported"));
    }
    let by = bn::of(ctx, args.at(0))?;
    let generator = match args.non_nil(1) {
        Some(number) => Some(bn::of(ctx, number)?),
        None => None,
    };
    let (out, context) = (fresh_point(ctx, &group)?, arithmetic(ctx)?);
    let n = generator.as_ref().map(|number| &***number);
    ensure(ctx, pkey::EC_POINT_mul(&group, &out, n, &point, &by, &context) == 1, POINT_ERROR_NAME, "")?;
    in_group(ctx, recv, out)
}

//! OpenSSL::BN: big numbers of the library. What may take long (powers, primes) runs outside the lock.

use crate::ffi::bn::{self, BIGNUM, BN_CTX, Big};
use crate::ffi::{Owned, Text};
use crate::support::{self, Shared, bytes, c_string, check, ensure, fail, get, is_kind, outside, wrap, wrap_in};
use rubellite_vm::object::{Array, Int, Str};
use rubellite_vm::vmlock::RegionSite;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Value, method};

pub const BN: &str = "OpenSSL::BN";
pub const ERROR: &str = "OpenSSL::BNError";

static SITE: RegionSite = RegionSite::new("OpenSSL::BN");

pub static BN_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

pub static BN_CLASS: ClassDef = ClassDef {
    name: BN,
    alloc: Some(allocate),
    methods: &[
        method("initialize", Arity::range(1, 2), initialize),
        method("initialize_copy", Arity::ONE, copy),
        method("copy", Arity::ONE, copy),
        method("num_bytes", Arity::NONE, num_bytes),
        method("num_bits", Arity::NONE, num_bits),
        method("+@", Arity::NONE, op_uplus),
        method("-@", Arity::NONE, op_uminus),
        method("abs", Arity::NONE, abs),
        method("+", Arity::ONE, |ctx, recv: Value, args| plain(ctx, recv, args, bn::BN_add)),
        method("-", Arity::ONE, |ctx, recv: Value, args| plain(ctx, recv, args, bn::BN_sub)),
        method("*", Arity::ONE, |ctx, recv: Value, args| two(ctx, recv, args, bn::BN_mul)),
        method("sqr", Arity::NONE, sqr),
        method("/", Arity::ONE, op_divide),
        method("%", Arity::ONE, |ctx, recv: Value, args| two(ctx, recv, args, rest)),
        method("**", Arity::ONE, |ctx, recv: Value, args| two(ctx, recv, args, bn::BN_exp)),
        method("gcd", Arity::ONE, |ctx, recv: Value, args| two(ctx, recv, args, bn::BN_gcd)),
        method("mod_sqr", Arity::ONE, |ctx, recv: Value, args| two(ctx, recv, args, bn::BN_mod_sqr)),
        method("mod_sqrt", Arity::ONE, |ctx, recv: Value, args| two(ctx, recv, args, bn::mod_sqrt)),
        method("mod_inverse", Arity::ONE, |ctx, recv: Value, args| two(ctx, recv, args, bn::mod_inverse)),
        method("mod_add", Arity::exact(2), |ctx, recv: Value, args| three(ctx, recv, args, bn::BN_mod_add)),
        method("mod_sub", Arity::exact(2), |ctx, recv: Value, args| three(ctx, recv, args, bn::BN_mod_sub)),
        method("mod_mul", Arity::exact(2), |ctx, recv: Value, args| three(ctx, recv, args, bn::BN_mod_mul)),
        method("mod_exp", Arity::exact(2), |ctx, recv: Value, args| three(ctx, recv, args, bn::BN_mod_exp)),
        method("cmp", Arity::ONE, cmp),
        method("<=>", Arity::ONE, cmp),
        method("ucmp", Arity::ONE, ucmp),
        method("eql?", Arity::ONE, eql_p),
        method("hash", Arity::NONE, hash),
        method("==", Arity::ONE, op_equal),
        method("===", Arity::ONE, op_equal),
        method("zero?", Arity::NONE, |ctx, recv: Value, _| ask(ctx, recv, |n| bn::BN_is_zero(n) != 0)),
        method("one?", Arity::NONE, |ctx, recv: Value, _| ask(ctx, recv, |n| bn::BN_is_one(n) != 0)),
        method("odd?", Arity::NONE, |ctx, recv: Value, _| ask(ctx, recv, |n| bn::BN_is_odd(n) != 0)),
        method("negative?", Arity::NONE, |ctx, recv: Value, _| {
            ask(ctx, recv, |n| bn::BN_is_zero(n) == 0 && bn::BN_is_negative(n) != 0)
        }),
        method("prime?", Arity::range(0, 1), prime_p),
        method("prime_fasttest?", Arity::range(0, 2), prime_p),
        method("set_bit!", Arity::ONE, |ctx, recv: Value, args| {
            change(ctx, recv, args, |n, bit| bn::BN_set_bit(n, bit))
        }),
        method("clear_bit!", Arity::ONE, |ctx, recv: Value, args| {
            change(ctx, recv, args, |n, bit| bn::BN_clear_bit(n, bit))
        }),
        method("mask_bits!", Arity::ONE, |ctx, recv: Value, args| {
            change(ctx, recv, args, |n, bit| bn::BN_mask_bits(n, bit))
        }),
        method("lshift!", Arity::ONE, |ctx, recv: Value, args| {
            change(ctx, recv, args, |n, by| bn::BN_lshift(n, n, by))
        }),
        method("rshift!", Arity::ONE, |ctx, recv: Value, args| {
            change(ctx, recv, args, |n, by| bn::BN_rshift(n, n, by))
        }),
        method("bit_set?", Arity::ONE, bit_set_p),
        method("<<", Arity::ONE, |ctx, recv: Value, args| shift(ctx, recv, args, bn::BN_lshift)),
        method(">>", Arity::ONE, |ctx, recv: Value, args| shift(ctx, recv, args, bn::BN_rshift)),
        method("get_flags", Arity::ONE, get_flags),
        method("set_flags", Arity::ONE, set_flags),
        method("to_s", Arity::range(0, 1), to_s),
        method("to_i", Arity::NONE, to_i),
        method("to_int", Arity::NONE, to_i),
        method("to_bn", Arity::NONE, |_, recv: Value, _| Ok(recv)),
        method("coerce", Arity::ONE, coerce),
    ],
    singleton_methods: &[
        method("rand", Arity::range(1, 3), rand),
        method("pseudo_rand", Arity::range(1, 3), rand),
        method("rand_range", Arity::ONE, rand_range),
        method("pseudo_rand_range", Arity::ONE, rand_range),
        method("generate_prime", Arity::range(1, 4), generate_prime),
    ],
    setup: Some(|ctx, class| {
        class.set_const(ctx, "CONSTTIME", Value::fixnum(4));
        Ok(())
    }),
    ..ClassDef::EMPTY
};

/// A new object with a copy of the number.
pub fn new(ctx: &mut Ctx, number: &BIGNUM) -> Result {
    let copy = check(ctx, bn::BN_dup(number), ERROR, "BN_dup")?;
    wrap(ctx, BN, copy)
}

/// The number of an object of this class, or of an Integer: TypeError for anything else.
pub fn of(ctx: &mut Ctx, value: Value) -> Result<Shared<BIGNUM>> {
    match try_of(ctx, value)? {
        Some(number) => Ok(number),
        None => Err(ctx.type_error("Cannot convert into OpenSSL::BN")),
    }
}

fn try_of(ctx: &mut Ctx, value: Value) -> Result<Option<Shared<BIGNUM>>> {
    if is_kind(ctx, value, BN)? {
        return get(ctx, value).map(Some);
    }
    match support::integer(value) {
        Some(int) => {
            let number = fresh(ctx)?;
            set(ctx, &number, &int)?;
            Ok(Some(Shared::new(number)))
        }
        None => Ok(None),
    }
}

pub fn fresh(ctx: &mut Ctx) -> Result<Big> {
    check(ctx, bn::BN_new(), ERROR, "")
}

fn context(ctx: &mut Ctx) -> Result<Owned<BN_CTX>> {
    match bn::BN_CTX_new() {
        Some(context) => Ok(context),
        None => Err(fail(ctx, "RuntimeError", "Cannot init BN_CTX")),
    }
}

/// A context for arithmetic.
pub fn arithmetic(ctx: &mut Ctx) -> Result<Owned<BN_CTX>> {
    context(ctx)
}

fn set(ctx: &mut Ctx, number: &BIGNUM, int: &Int) -> Result<()> {
    let bytes: Vec<u8> = int.magnitude_words().iter().flat_map(|word| word.to_le_bytes()).collect();
    ensure(ctx, number.set_little_endian(&bytes), ERROR, "BN_bin2bn")?;
    bn::BN_set_negative(number, int.is_negative().into());
    Ok(())
}

/// The number as an Integer.
pub fn to_integer(ctx: &mut Ctx, number: &BIGNUM) -> Value {
    Int::from_words(bn::BN_is_negative(number) != 0, &number.words()).into_value(ctx)
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    let number = fresh(ctx)?;
    Ok(wrap_in(ctx, class, number))
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let base = match args.get(1) {
        Some(base) => ctx.to_c_int(base)?,
        None => 10,
    };
    let given = args.at(0);
    if given.is_nil() {
        return Err(ctx.argument_error("invalid argument"));
    }
    ctx.check_frozen(recv)?;
    let number = get::<BIGNUM>(ctx, recv)?;
    if let Some(int) = support::integer(given) {
        set(ctx, &number, &int)?;
        return Ok(recv);
    }
    if is_kind(ctx, given, BN)? {
        let other = get::<BIGNUM>(ctx, given)?;
        ensure(ctx, bn::BN_copy(&number, &other).is_some(), ERROR, "")?;
        return Ok(recv);
    }
    let done = match base {
        0 => number.set_mpi(&bytes(ctx, given)?),
        2 => number.set_bytes(&bytes(ctx, given)?),
        10 => number.set_decimal(Text::from(&*c_string(ctx, given)?)),
        16 => number.set_hexadecimal(Text::from(&*c_string(ctx, given)?)),
        _ => return Err(ctx.argument_error(&format!("invalid radix {base}"))),
    };
    ensure(ctx, done, ERROR, "")?;
    Ok(recv)
}

fn copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    ctx.check_frozen(recv)?;
    if recv == args.at(0) {
        return Ok(recv);
    }
    let (number, other) = (get::<BIGNUM>(ctx, recv)?, of(ctx, args.at(0))?);
    ensure(ctx, bn::BN_copy(&number, &other).is_some(), ERROR, "")?;
    Ok(recv)
}

fn to_s(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let base = match args.get(0) {
        Some(base) => ctx.to_c_int(base)?,
        None => 10,
    };
    let number = get::<BIGNUM>(ctx, recv)?;
    let text = match base {
        0 => number.mpi(),
        2 => number.bytes(),
        10 => check(ctx, bn::BN_bn2dec(&number), ERROR, "")?.bytes().to_vec(),
        16 => check(ctx, bn::BN_bn2hex(&number), ERROR, "")?.bytes().to_vec(),
        _ => return Err(ctx.argument_error(&format!("invalid radix {base}"))),
    };
    Ok(Str::from_vec(ctx, text, Encoding::BINARY).value())
}

fn to_i(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = get::<BIGNUM>(ctx, recv)?;
    Ok(to_integer(ctx, &number))
}

fn coerce(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    let this = if Str::is(other) {
        to_s(ctx, recv, Args::none())?
    } else if support::integer(other).is_some() {
        to_i(ctx, recv, args)?
    } else if is_kind(ctx, other, BN)? {
        recv
    } else {
        return Err(ctx.type_error("Don't know how to coerce"));
    };
    Ok(Array::from_slice(ctx, &[other, this]).value())
}

fn ask(ctx: &mut Ctx, recv: Value, question: fn(&BIGNUM) -> bool) -> Result {
    let number = get::<BIGNUM>(ctx, recv)?;
    Ok(support::bool(question(&number)))
}

/// A new object of the receiver's class.
fn result(ctx: &mut Ctx, recv: Value, number: Big) -> Value {
    let class = ctx.real_class(recv).value();
    wrap_in(ctx, class, number)
}

fn plain(ctx: &mut Ctx, recv: Value, args: Args, operation: extern "C" fn(&BIGNUM, &BIGNUM, &BIGNUM) -> i32) -> Result {
    let (a, b) = (get::<BIGNUM>(ctx, recv)?, of(ctx, args.at(0))?);
    let out = fresh(ctx)?;
    ensure(ctx, operation(&out, &a, &b) > 0, ERROR, "")?;
    Ok(result(ctx, recv, out))
}

type Two = extern "C" fn(&BIGNUM, &BIGNUM, &BIGNUM, &BN_CTX) -> i32;
type Three = extern "C" fn(&BIGNUM, &BIGNUM, &BIGNUM, &BIGNUM, &BN_CTX) -> i32;

/// Numbers from so many bits on are worked on outside the lock.
const LONG: i32 = 512;

fn is_long(numbers: &[&Big]) -> bool {
    numbers.iter().any(|number| bn::BN_num_bits(number) >= LONG)
}

/// A copy that no other thread sees.
fn own(ctx: &mut Ctx, number: &Shared<BIGNUM>) -> Result<Big> {
    check(ctx, bn::BN_dup(number), ERROR, "BN_dup")
}

fn two(ctx: &mut Ctx, recv: Value, args: Args, operation: Two) -> Result {
    let (a, b) = (get::<BIGNUM>(ctx, recv)?, of(ctx, args.at(0))?);
    let (out, context) = (fresh(ctx)?, context(ctx)?);
    let done = if is_long(&[&a, &b]) {
        let (a, b) = (own(ctx, &a)?, own(ctx, &b)?);
        outside(ctx, &SITE, || operation(&out, &a, &b, &context))?
    } else {
        operation(&out, &a, &b, &context)
    };
    ensure(ctx, done > 0, ERROR, "")?;
    Ok(result(ctx, recv, out))
}

fn three(ctx: &mut Ctx, recv: Value, args: Args, operation: Three) -> Result {
    let (a, b, m) = (get::<BIGNUM>(ctx, recv)?, of(ctx, args.at(0))?, of(ctx, args.at(1))?);
    let (out, context) = (fresh(ctx)?, context(ctx)?);
    let done = if is_long(&[&a, &b, &m]) {
        let (a, b, m) = (own(ctx, &a)?, own(ctx, &b)?, own(ctx, &m)?);
        outside(ctx, &SITE, || operation(&out, &a, &b, &m, &context))?
    } else {
        operation(&out, &a, &b, &m, &context)
    };
    ensure(ctx, done > 0, ERROR, "")?;
    Ok(result(ctx, recv, out))
}

extern "C" fn rest(out: &BIGNUM, a: &BIGNUM, b: &BIGNUM, context: &BN_CTX) -> i32 {
    bn::BN_div(None, Some(out), a, b, context)
}

fn sqr(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = get::<BIGNUM>(ctx, recv)?;
    let (out, context) = (fresh(ctx)?, context(ctx)?);
    ensure(ctx, bn::BN_sqr(&out, &number, &context) > 0, ERROR, "")?;
    Ok(result(ctx, recv, out))
}

fn op_divide(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (a, b) = (get::<BIGNUM>(ctx, recv)?, of(ctx, args.at(0))?);
    let (quotient, rest, context) = (fresh(ctx)?, fresh(ctx)?, context(ctx)?);
    ensure(ctx, bn::BN_div(Some(&quotient), Some(&rest), &a, &b, &context) != 0, ERROR, "")?;
    let quotient = result(ctx, recv, quotient);
    let rest = result(ctx, recv, rest);
    Ok(Array::from_slice(ctx, &[quotient, rest]).value())
}

fn change(ctx: &mut Ctx, recv: Value, args: Args, operation: fn(&BIGNUM, i32) -> i32) -> Result {
    ctx.check_frozen(recv)?;
    let number = get::<BIGNUM>(ctx, recv)?;
    let by = ctx.to_c_int(args.at(0))?;
    ensure(ctx, operation(&number, by) > 0, ERROR, "")?;
    Ok(recv)
}

fn shift(ctx: &mut Ctx, recv: Value, args: Args, operation: extern "C" fn(&BIGNUM, &BIGNUM, i32) -> i32) -> Result {
    let by = ctx.to_c_int(args.at(0))?;
    let number = get::<BIGNUM>(ctx, recv)?;
    let out = fresh(ctx)?;
    ensure(ctx, operation(&out, &number, by) > 0, ERROR, "")?;
    Ok(result(ctx, recv, out))
}

fn bit_set_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let bit = ctx.to_c_int(args.at(0))?;
    let number = get::<BIGNUM>(ctx, recv)?;
    Ok(support::bool(bn::BN_is_bit_set(&number, bit) != 0))
}

fn num_bits(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = get::<BIGNUM>(ctx, recv)?;
    Ok(Value::fixnum(bn::BN_num_bits(&number).into()))
}

fn num_bytes(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = get::<BIGNUM>(ctx, recv)?;
    Ok(Value::fixnum(((bn::BN_num_bits(&number) + 7) / 8).into()))
}

fn op_uplus(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = get::<BIGNUM>(ctx, recv)?;
    new(ctx, &number)
}

fn op_uminus(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = get::<BIGNUM>(ctx, recv)?;
    let negative = bn::BN_is_negative(&number);
    let copy = check(ctx, bn::BN_dup(&number), ERROR, "BN_dup")?;
    bn::BN_set_negative(&copy, (negative == 0).into());
    wrap(ctx, BN, copy)
}

fn abs(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let number = get::<BIGNUM>(ctx, recv)?;
    if bn::BN_is_negative(&number) != 0 { op_uminus(ctx, recv, args) } else { op_uplus(ctx, recv, args) }
}

fn cmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (other, number) = (of(ctx, args.at(0))?, get::<BIGNUM>(ctx, recv)?);
    Ok(Value::fixnum(bn::BN_cmp(&number, &other).into()))
}

fn ucmp(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let (other, number) = (of(ctx, args.at(0))?, get::<BIGNUM>(ctx, recv)?);
    Ok(Value::fixnum(bn::BN_ucmp(&number, &other).into()))
}

fn op_equal(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let number = get::<BIGNUM>(ctx, recv)?;
    let other = try_of(ctx, args.at(0))?;
    Ok(support::bool(other.is_some_and(|other| bn::BN_cmp(&number, &other) == 0)))
}

fn eql_p(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if is_kind(ctx, args.at(0), BN)? { op_equal(ctx, recv, args) } else { Ok(Value::FALSE) }
}

fn hash(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = get::<BIGNUM>(ctx, recv)?;
    let bytes = support::string(ctx, number.bytes());
    ctx.call_name(bytes, "hash", &[])
}

fn prime_p(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let number = get::<BIGNUM>(ctx, recv)?;
    let (number, context) = (own(ctx, &number)?, context(ctx)?);
    let prime = outside(ctx, &SITE, || number.check_prime(&context))?;
    ensure(ctx, prime >= 0, ERROR, "BN_check_prime")?;
    Ok(support::bool(prime != 0))
}

fn get_flags(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let number = get::<BIGNUM>(ctx, recv)?;
    let flags = ctx.to_c_int(args.at(0))?;
    Ok(Value::fixnum(bn::BN_get_flags(&number, flags).into()))
}

fn set_flags(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let number = get::<BIGNUM>(ctx, recv)?;
    ctx.check_frozen(recv)?;
    let flags = ctx.to_c_int(args.at(0))?;
    bn::BN_set_flags(&number, flags);
    Ok(Value::NIL)
}

/// `rand(bits, fill = 0, odd = false) -> bn`
fn rand(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let top = match args.get(1) {
        Some(fill) => ctx.to_c_int(fill)?,
        None => 0,
    };
    let bits = ctx.to_c_int(args.at(0))?;
    let out = check(ctx, bn::BN_new(), ERROR, "BN_new")?;
    let odd = args.at(2) == Value::TRUE;
    ensure(ctx, bn::BN_rand(&out, bits, top, odd.into()) > 0, ERROR, "BN_rand")?;
    Ok(wrap_in(ctx, recv, out))
}

fn rand_range(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let range = of(ctx, args.at(0))?;
    let out = check(ctx, bn::BN_new(), ERROR, "BN_new")?;
    ensure(ctx, bn::BN_rand_range(&out, &range) > 0, ERROR, "BN_rand_range")?;
    Ok(wrap_in(ctx, recv, out))
}

/// `generate_prime(bits, safe = true, add = nil, rem = nil) -> bn`
fn generate_prime(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let bits = ctx.to_c_int(args.at(0))?;
    let safe = args.get(1) != Some(Value::FALSE);
    let (mut add, mut rem) = (None, None);
    if let Some(value) = args.non_nil(2) {
        let number = of(ctx, value)?;
        add = Some(own(ctx, &number)?);
        if let Some(value) = args.non_nil(3) {
            let number = of(ctx, value)?;
            rem = Some(own(ctx, &number)?);
        }
    }
    let out = fresh(ctx)?;
    let done = outside(ctx, &SITE, || out.generate_prime(bits, safe, add.as_deref(), rem.as_deref()))?;
    ensure(ctx, done, ERROR, "")?;
    Ok(wrap_in(ctx, recv, out))
}

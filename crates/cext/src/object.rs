//! Objects in general, types and numbers.

use crate::call::sym;
use crate::state::{api, api_to_read, light};
use rubellite_vm::object::{Exception, Float, Int, Range, Str, Struct};
use rubellite_vm::{Class, Ctx, Method, MethodBody, Result, Tag, Value};
use std::ffi::{c_char, c_int, c_long, c_longlong, c_ulong, c_ulonglong};

/// `enum ruby_value_type`.
pub mod types {
    pub const OBJECT: u8 = 1;
    pub const STRUCT: u8 = 9;
    pub const DATA: u8 = 12;
    pub const IMEMO: u8 = 26;
}

/// What `rb_type` says of each tag.
#[unsafe(no_mangle)]
pub static rbl_cell_types: [u8; 32] = {
    let mut table = [0; 32];
    let mut i = 0;
    while i < 32 {
        table[i] = i as u8;
        i += 1;
    }
    table[Tag::Exception as usize] = types::OBJECT;
    table[Tag::Range as usize] = types::STRUCT;
    table[Tag::Proc as usize] = types::DATA;
    table[Tag::Method as usize] = types::DATA;
    table[Tag::Data as usize] = types::DATA;
    table[Tag::Binding as usize] = types::DATA;
    table[Tag::Env as usize] = types::IMEMO;
    table[Tag::Cref as usize] = types::IMEMO;
    table[Tag::Code as usize] = types::IMEMO;
    table[Tag::MethodEntry as usize] = types::IMEMO;
    table[Tag::Unwind as usize] = types::IMEMO;
    table
};

/// Whether programs never see the object: it has no class.
fn is_hidden(object: Value) -> bool {
    object.header().is_some_and(|header| !header.klass.get().is_heap())
}

/// The name of a type for messages, as CRuby has it.
fn type_name(kind: c_int) -> &'static str {
    match kind {
        1 => "Object",
        2 => "Class",
        3 => "Module",
        4 => "Float",
        5 => "String",
        6 => "Regexp",
        7 => "Array",
        8 => "Hash",
        9 => "Struct",
        10 => "Integer",
        11 => "File",
        12 => "Data",
        13 => "MatchData",
        14 => "Complex",
        15 => "Rational",
        17 => "nil",
        18 => "true",
        19 => "false",
        20 => "Symbol",
        21 => "Integer",
        28 => "iClass",
        _ => "unknown",
    }
}

fn class(ctx: &mut Ctx, value: Value) -> Result<Class> {
    match Class::try_of(value) {
        Some(class) => Ok(class),
        None => Err(ctx.type_error("class or module required")),
    }
}

/// An Integer by `to_int`, as `NUM2LONG` and its kin convert.
fn integer_of(ctx: &mut Ctx, value: Value) -> Result<Int> {
    if let Some(n) = Int::try_of(value) {
        return Ok(n);
    }
    if value.is_nil() {
        return Err(ctx.type_error("no implicit conversion from nil to integer"));
    }
    if let Some(f) = Float::value_of(value) {
        return match Int::from_f64(f) {
            Some(n) => Ok(n),
            None => Err(ctx.float_domain_error(f)),
        };
    }
    let n = ctx.to_integer(value)?;
    Int::try_of(n).ok_or_else(|| ctx.type_error("no implicit conversion to integer"))
}

fn out_of_range(ctx: &mut Ctx, value: Value, target: &str) -> rubellite_vm::Unwind {
    if let Some(f) = Float::value_of(value) {
        return ctx.float_out_of_range(f, if target.ends_with("long long") { target } else { "integer" });
    }
    ctx.range_error(&format!("bignum too big to convert into '{target}'"))
}

/// A Float that no integer is made of.
fn is_endless(value: Value) -> bool {
    Float::value_of(value).is_some_and(|f| !f.is_finite())
}

/// What an unsigned number is not converted from, in the words of its own.
fn check_unsigned(ctx: &mut Ctx, value: Value) -> Result<()> {
    if value.is_nil() { Err(ctx.type_error("no implicit conversion of nil into Integer")) } else { Ok(()) }
}

/// What `long long` is not converted from, in the words of its own.
fn check_long_long(ctx: &mut Ctx, value: Value) -> Result<()> {
    let from = match value {
        Value::NIL => "nil",
        Value::TRUE | Value::FALSE => "boolean",
        _ if value.has_tag(Tag::String) => "string",
        _ => return Ok(()),
    };
    Err(ctx.type_error(&format!("no implicit conversion from {from}")))
}

fn to_i64(ctx: &mut Ctx, value: Value, target: &str) -> Result<i64> {
    if let Some(n) = value.as_fixnum() {
        return Ok(n);
    }
    if is_endless(value) {
        return Err(out_of_range(ctx, value, target));
    }
    match integer_of(ctx, value)?.to_i64() {
        Some(n) => Ok(n),
        None => Err(out_of_range(ctx, value, target)),
    }
}

/// Negative numbers are taken modulo 2^64, as far as they fit into 64 bits.
pub(crate) fn to_u64(ctx: &mut Ctx, value: Value, target: &str) -> Result<u64> {
    if let Some(n) = value.as_fixnum() {
        return Ok(n as u64);
    }
    if is_endless(value) {
        return Err(out_of_range(ctx, value, target));
    }
    let n = integer_of(ctx, value)?;
    match n.to_u64().or(n.to_i64().map(|n| n as u64)) {
        Some(n) => Ok(n),
        // One whose magnitude would fit.
        None if n.is_negative() && n.magnitude_words().iter().skip(1).all(|word| *word == 0) => {
            Err(ctx.range_error(&format!("bignum out of range of {target}")))
        }
        None => Err(out_of_range(ctx, value, target)),
    }
}

fn narrow<T: TryFrom<i64>>(ctx: &mut Ctx, n: i64, target: &str) -> Result<T> {
    T::try_from(n).map_err(|_| {
        ctx.range_error(&format!("integer {n} too {} to convert to '{target}'", if n < 0 { "small" } else { "big" }))
    })
}

fn to_unsigned(ctx: &mut Ctx, value: Value) -> Result<c_ulong> {
    check_unsigned(ctx, value)?;
    let n = to_i64(ctx, value, "unsigned long")?;
    if n < i64::from(i32::MIN) {
        return Err(ctx.range_error(&format!("integer {n} too small to convert to 'unsigned int'")));
    }
    if n > i64::from(u32::MAX) {
        return Err(ctx.range_error(&format!("integer {n} too big to convert to 'unsigned int'")));
    }
    Ok(n as c_ulong)
}

fn class_behind(ctx: &Ctx, object: Value) -> Value {
    if is_hidden(object) { Value::FALSE } else { ctx.real_class(object).value() }
}

/// # Safety
/// As for the functions of `api!`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_obj_class(object: Value, out: *mut Value) -> c_int {
    light(out, |ctx| Some(class_behind(ctx, object)), |ctx| Ok(class_behind(ctx, object)))
}

/// # Safety
/// As for the functions of `api!`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_obj_is_kind_of(object: Value, wanted: Value, out: *mut Value) -> c_int {
    let told = |ctx: &Ctx, wanted: Value| Value::from_bool(!is_hidden(object) && ctx.is_a(object, wanted));
    light(
        out,
        |ctx| Class::try_of(wanted).map(|wanted| told(ctx, wanted.value())),
        |ctx| {
            let wanted = class(ctx, wanted)?.value();
            Ok(told(ctx, wanted))
        },
    )
}

api! {
    fn rbl_class_real(ctx, class: Value) -> Value {
        Ok(Class::try_of(class).map_or(class, |class| class.real(ctx).value()))
    }

    fn rbl_class_superclass(ctx, class: Value) -> Value {
        crate::own::call(ctx, class, "superclass", &[])
    }

    fn rbl_class_get_superclass(ctx, class: Value) -> Value {
        let found = Class::try_of(class).and_then(|class| class.superclass(ctx));
        Ok(found.map_or(Value::FALSE, |class| class.real(ctx).value()))
    }

    fn rbl_obj_is_instance_of(ctx, object: Value, wanted: Value) -> Value {
        let wanted = class(ctx, wanted)?;
        Ok(Value::from_bool(!is_hidden(object) && ctx.real_class(object) == wanted))
    }

    fn rbl_respond_to(ctx, object: Value, id: usize) -> c_int {
        Ok(c_int::from(ctx.respond_to(object, sym(id), false)?))
    }

    fn rbl_obj_respond_to(ctx, object: Value, id: usize, private: c_int) -> c_int {
        Ok(c_int::from(ctx.respond_to(object, sym(id), private != 0)?))
    }

    fn rbl_method_boundp(ctx, class: Value, id: usize, exclude: c_int) -> c_int {
        let Some(class) = Class::try_of(class) else { return Ok(0) };
        let found = class.find_method(ctx, sym(id)).method;
        // BOUND_PRIVATE: 1.
        let is_public = |method: Method| method.visibility() == rubellite_vm::Visibility::Public;
        let bound = found.is_some_and(|method| exclude & 1 == 0 || is_public(method));
        Ok(c_int::from(bound))
    }

    fn rbl_method_basic_definition_p(ctx, class: Value, id: usize) -> c_int {
        let Some(class) = Class::try_of(class) else { return Ok(0) };
        let found = class.find_method(ctx, sym(id)).method;
        let is_own = |method: Method| {
            !matches!(method.resolved().body(), MethodBody::Code { .. } | MethodBody::Proc(_) | MethodBody::C { .. })
        };
        Ok(c_int::from(found.is_some_and(is_own)))
    }

    fn rbl_obj_dup(ctx, object: Value) -> Value {
        crate::own::call(ctx, object, "dup", &[])
    }

    fn rbl_check_frozen(ctx, object: Value) {
        ctx.check_frozen(object)
    }

    fn rbl_inspect(ctx, object: Value) -> Value {
        ctx.inspect_str(object).map(Str::value)
    }

    fn rbl_any_to_s(ctx, object: Value) -> Value {
        let text = ctx.any_to_s(object);
        Ok(Str::utf8(ctx, &text).value())
    }

    fn rbl_equal(ctx, a: Value, b: Value) -> Value {
        if a == b {
            return Ok(Value::TRUE);
        }
        Ok(Value::from_bool(ctx.equal(a, b)?))
    }

    fn rbl_eql(ctx, a: Value, b: Value) -> c_int {
        if a == b {
            return Ok(1);
        }
        Ok(c_int::from(ctx.eql(a, b)?))
    }

    fn rbl_obj_hide(ctx, object: Value) -> Value {
        if let Some(header) = object.header() {
            header.klass.set(Value::FALSE);
        }
        Ok(object)
    }

    fn rbl_obj_reveal(ctx, object: Value, class: Value) -> Value {
        if let Some(header) = object.header() {
            header.klass.set(class);
            ctx.write_barrier(object, class);
        }
        Ok(object)
    }

    // The copy is made by the function below, when it is known for whom.
    fn rbl_singleton_class_clone(ctx, object: Value) -> Value {
        Ok(ctx.dispatch_class(object).value())
    }

    // After `rb_singleton_class_clone` and `rb_obj_reveal`: the object gets a singleton class of its own, like that
    // which it was shown with.
    fn rbl_singleton_class_attached(ctx, class: Value, object: Value) {
        let Some(class) = Class::try_of(class).filter(|class| class.is_singleton()) else { return Ok(()) };
        let original = class.attached(ctx);
        let Some(header) = object.header().filter(|_| original != object) else { return Ok(()) };
        let plain = ctx.class_of(original);
        header.klass.set(plain);
        ctx.write_barrier(object, plain);
        rubellite_core_object::copy_singleton(ctx, original, object)
    }

    fn rbl_check_type(ctx, value: Value, kind: c_int) {
        // SAFETY: a function of the header's that looks at the value alone.
        let own = unsafe { rbl_type(value) };
        let is_typed = kind == c_int::from(types::DATA) && crate::data::is_typed_data(value);
        if own == kind && !is_typed { Ok(()) } else { Err(unexpected(ctx, value, kind)) }
    }

    fn rbl_unexpected_type(ctx, value: Value, kind: c_int) {
        Err(unexpected(ctx, value, kind))
    }

}

// -- numbers ------------------------------------------------------------------------------

/// A number that is an immediate is made without the runtime, on whatever native thread; what needs a cell of the heap
/// needs the lock.
fn number(out: *mut Value, immediate: Option<Value>, allocate: impl FnOnce(&mut Ctx) -> Value) -> c_int {
    match immediate {
        Some(value) => {
            // SAFETY: the shim's variable.
            unsafe { out.write(value) };
            0
        }
        None => crate::state::enter(out, |ctx| Ok(allocate(ctx))),
    }
}

fn signed(n: i64, out: *mut Value) -> c_int {
    number(out, Value::try_fixnum(n), |ctx| ctx.int(n))
}

fn unsigned(n: u64, out: *mut Value) -> c_int {
    number(out, i64::try_from(n).ok().and_then(Value::try_fixnum), |ctx| ctx.uint(n))
}

/// # Safety
/// Called by the shim.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_int2big(n: isize, out: *mut Value) -> c_int {
    signed(n as i64, out)
}

/// # Safety
/// Called by the shim.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_int2inum(n: isize, out: *mut Value) -> c_int {
    signed(n as i64, out)
}

/// # Safety
/// Called by the shim.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_ll2inum(n: c_longlong, out: *mut Value) -> c_int {
    signed(n, out)
}

/// # Safety
/// Called by the shim.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_uint2big(n: usize, out: *mut Value) -> c_int {
    unsigned(n as u64, out)
}

/// # Safety
/// Called by the shim.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_uint2inum(n: usize, out: *mut Value) -> c_int {
    unsigned(n as u64, out)
}

/// # Safety
/// Called by the shim.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_ull2inum(n: c_ulonglong, out: *mut Value) -> c_int {
    unsigned(n, out)
}

/// # Safety
/// Called by the shim.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_float_new(n: f64, out: *mut Value) -> c_int {
    number(out, Value::try_flonum(n), |ctx| ctx.float(n))
}

api_to_read! {
    fn rbl_num2long(ctx, value: Value) -> c_long {
        to_i64(ctx, value, "long")
    }

    fn rbl_num2ulong(ctx, value: Value) -> c_ulong {
        check_unsigned(ctx, value)?;
        to_u64(ctx, value, "unsigned long")
    }

    fn rbl_num2ll(ctx, value: Value) -> c_longlong {
        check_long_long(ctx, value)?;
        to_i64(ctx, value, "long long")
    }

    fn rbl_num2ull(ctx, value: Value) -> c_ulonglong {
        check_unsigned(ctx, value)?;
        to_u64(ctx, value, "unsigned long long")
    }

    fn rbl_num2int(ctx, value: Value) -> c_long {
        let n = to_i64(ctx, value, "long")?;
        Ok(c_long::from(narrow::<i32>(ctx, n, "int")?))
    }

    fn rbl_fix2int(ctx, value: Value) -> c_long {
        let n = to_i64(ctx, value, "long")?;
        Ok(c_long::from(narrow::<i32>(ctx, n, "int")?))
    }

    fn rbl_num2uint(ctx, value: Value) -> c_ulong {
        to_unsigned(ctx, value)
    }

    fn rbl_fix2uint(ctx, value: Value) -> c_ulong {
        to_unsigned(ctx, value)
    }

    fn rbl_num2short(ctx, value: Value) -> i16 {
        let n = to_i64(ctx, value, "long")?;
        narrow::<i16>(ctx, n, "short")
    }

    fn rbl_fix2short(ctx, value: Value) -> i16 {
        let n = to_i64(ctx, value, "long")?;
        narrow::<i16>(ctx, n, "short")
    }

    fn rbl_num2ushort(ctx, value: Value) -> u16 {
        check_unsigned(ctx, value)?;
        let n = to_i64(ctx, value, "unsigned long")?;
        if n < i64::from(i16::MIN) || n > i64::from(u16::MAX) {
            let how = if n < 0 { "small" } else { "big" };
            return Err(ctx.range_error(&format!("integer {n} too {how} to convert to 'unsigned short'")));
        }
        Ok(n as u16)
    }

    fn rbl_big2ll(ctx, value: Value) -> c_longlong {
        to_i64(ctx, value, "long long")
    }

    fn rbl_big2ull(ctx, value: Value) -> c_ulonglong {
        to_u64(ctx, value, "unsigned long long")
    }

    fn rbl_big2long(ctx, value: Value) -> c_long {
        to_i64(ctx, value, "long")
    }

    fn rbl_big2ulong(ctx, value: Value) -> c_ulong {
        to_u64(ctx, value, "unsigned long")
    }

    fn rbl_big_sign(ctx, value: Value) -> c_int {
        Ok(c_int::from(!Int::try_of(value).is_some_and(|n| n.is_negative())))
    }

    fn rbl_bigzero_p(ctx, value: Value) -> c_int {
        Ok(c_int::from(Int::try_of(value).is_some_and(|n| n.is_zero())))
    }

    /// The magnitude's words, the lowest first: `out_words` gets up to `count` of them; gives how many there are.
    fn rbl_int_words(ctx, value: Value, out_words: *mut u64, count: usize, negative: *mut c_int) -> usize {
        let n = integer_of(ctx, value)?;
        let words = n.magnitude_words();
        // SAFETY: the shim's variables.
        unsafe {
            *negative = c_int::from(n.is_negative());
            for (i, word) in words.iter().take(count).enumerate() {
                *out_words.add(i) = *word;
            }
        }
        Ok(words.iter().rposition(|word| *word != 0).map_or(0, |at| at + 1))
    }

    fn rbl_float_value(ctx, value: Value) -> f64 {
        Ok(Float::value_of(value).unwrap_or(0.0))
    }

    fn rbl_num2dbl(ctx, value: Value) -> f64 {
        let no_float = match value {
            Value::NIL => "nil",
            Value::TRUE => "true",
            Value::FALSE => "false",
            _ if value.has_tag(Tag::String) => "string",
            _ => "",
        };
        if !no_float.is_empty() {
            return Err(ctx.type_error(&format!("no implicit conversion to float from {no_float}")));
        }
        if value.is_heap() && ctx.float_value(value).is_none() && Int::try_of(value).is_none() {
            let (name, numeric) = (ctx.names().to_f, ctx.named_class("Numeric")?.value());
            if !ctx.is_a(value, numeric)
                && let Some(converted) = ctx.check_call(value, name, &[])?
                && let Some(f) = Float::value_of(converted)
            {
                return Ok(f);
            }
        }
        ctx.to_float(value)
    }
}

api! {
    fn rbl_big2dbl(ctx, value: Value) -> f64 {
        let Some(n) = Int::try_of(value) else { return Ok(0.0) };
        let f = n.to_f64();
        if f.is_infinite() {
            ctx.warn("out of Float range")?;
        }
        Ok(f)
    }

    fn rbl_dbl2big(ctx, f: f64) -> Value {
        match Int::from_f64(f) {
            Some(n) => Ok(n.into_value(ctx)),
            None => Err(ctx.float_domain_error(f)),
        }
    }

    fn rbl_int_from_words(ctx, words: *const u64, count: usize, negative: c_int) -> Value {
        // SAFETY: the shim's array.
        let words = unsafe { std::slice::from_raw_parts(words, count) };
        Ok(Int::from_words(negative != 0, words).into_value(ctx))
    }

    fn rbl_cstr_to_inum(ctx, text: *const c_char, base: c_int, strict: c_int) -> Value {
        // SAFETY: a C string.
        let bytes = unsafe { std::ffi::CStr::from_ptr(text) }.to_bytes();
        let string = Str::new(ctx, bytes, rubellite_vm::Encoding::BINARY);
        parse_int(ctx, string, base, strict != 0)
    }

    fn rbl_str_to_inum(ctx, string: Value, base: c_int, strict: c_int) -> Value {
        let string = ctx.to_str(string)?;
        ctx.check_ascii_compatible(string)?;
        parse_int(ctx, string, base, strict != 0)
    }

    fn rbl_big2str(ctx, value: Value, base: c_int) -> Value {
        let base = ctx.int(i64::from(base));
        crate::own::call(ctx, value, "to_s", &[base])
    }

    fn rbl_fix2str(ctx, value: Value, base: c_int) -> Value {
        let base = ctx.int(i64::from(base));
        crate::own::call(ctx, value, "to_s", &[base])
    }

    fn rbl_to_int(ctx, value: Value) -> Value {
        ctx.to_integer(value)
    }

    fn rbl_cmpint(ctx, value: Value, a: Value, b: Value) -> c_int {
        if value.is_nil() {
            let left = ctx.real_class(a).inspect(ctx);
            let is_short = b.is_immediate() || b.has_tag(Tag::Float);
            let right = if is_short { ctx.inspect(b)? } else { ctx.real_class(b).inspect(ctx) };
            return Err(ctx.argument_error(&format!("comparison of {left} with {right} failed")));
        }
        if let Some(n) = Int::try_of(value) {
            return Ok(if n.is_negative() { -1 } else { c_int::from(!n.is_zero()) });
        }
        let zero = Value::fixnum(0);
        if ctx.call_name(value, ">", &[zero])?.truthy() {
            return Ok(1);
        }
        Ok(if ctx.call_name(value, "<", &[zero])?.truthy() { -1 } else { 0 })
    }

    // -- others ---------------------------------------------------------------------------

    fn rbl_exc_new_str(ctx, class: Value, message: Value) -> Value {
        let message = ctx.to_str(message)?.value();
        let Some(class) = Class::try_of(class) else { return Err(ctx.type_error("exception class expected")) };
        let object = ctx.allocate(class)?;
        let name = ctx.names().initialize;
        ctx.call(object, name, &[message])?;
        Ok(object)
    }

    fn rbl_is_exception(ctx, value: Value) -> c_int {
        Ok(c_int::from(Exception::try_of(value).is_some()))
    }

    /// A member of a Data object by its place, whatever methods its class has: 0 when the object is none. The place may
    /// be out of range: 2.
    fn rbl_c_data_member(ctx, object: Value, at: c_long, member: *mut Value) -> c_int {
        let data = ctx.error_class("Data").value();
        let Some(record) = Struct::try_of(object).filter(|record| ctx.is_a(record.value(), data)) else { return Ok(0) };
        let place = if at < 0 { at + record.len() as c_long } else { at };
        let Some(found) = usize::try_from(place).ok().and_then(|place| record.get(place)) else { return Ok(2) };
        // SAFETY: the shim's variable.
        unsafe { member.write(found) };
        Ok(1)
    }

    fn rbl_struct_size(ctx, object: Value) -> Value {
        match Struct::try_of(object) {
            Some(object) => Ok(Value::fixnum(object.len() as i64)),
            None if Range::try_of(object).is_some() => Ok(Value::fixnum(3)),
            None => ctx.call_name(object, "size", &[]),
        }
    }

    /// The ends of a Range or of what answers as one.
    fn rbl_range_values(ctx, range: Value, low: *mut Value, high: *mut Value, exclusive: *mut c_int) -> c_int {
        let (begin, end, excludes) = if let Some(range) = Range::try_of(range) {
            (range.begin(), range.end(), range.exclude_end())
        } else {
            let sequence = ctx.named_class("Enumerator::ArithmeticSequence").map(|class| class.value());
            if sequence.is_err() {
                ctx.clear_pending();
            }
            if sequence.is_ok_and(|class| ctx.is_a(range, class)) {
                return Ok(0);
            }
            let (begin, end, exclude) = (ctx.intern("begin"), ctx.intern("end"), ctx.intern("exclude_end?"));
            let Some(low) = ctx.check_call(range, begin, &[])? else { return Ok(0) };
            let Some(high) = ctx.check_call(range, end, &[])? else { return Ok(0) };
            let Some(excludes) = ctx.check_call(range, exclude, &[])? else { return Ok(0) };
            (low, high, excludes.truthy())
        };
        // SAFETY: addresses of the C code's variables.
        unsafe {
            *low = begin;
            *high = end;
            *exclusive = c_int::from(excludes);
        }
        Ok(1)
    }

    fn rbl_binding_new(ctx) -> Value {
        match ctx.caller_binding() {
            Some(binding) => Ok(binding.value()),
            None => Err(ctx.runtime_error("Can't create Binding from C level Proc")),
        }
    }

    fn rbl_sourceline(ctx) -> c_int {
        Ok(ctx.source_location().1)
    }

    fn rbl_sourcefile(ctx) -> *const c_char {
        match ctx.source_location().0 {
            Some(path) => {
                let text = Str::utf8(ctx, &path).value();
                Ok(crate::keep_text(ctx, text))
            }
            None => Ok(std::ptr::null()),
        }
    }

    fn rbl_backref_get(ctx) -> Value {
        Ok(ctx.last_match())
    }

    fn rbl_backref_set(ctx, value: Value) {
        ctx.set_last_match(value);
        Ok(())
    }

    fn rbl_lastline_get(ctx) -> Value {
        Ok(ctx.last_line())
    }

    fn rbl_lastline_set(ctx, value: Value) {
        ctx.set_last_line(value);
        Ok(())
    }

    fn rbl_obj_id(ctx, object: Value) -> Value {
        crate::own::call(ctx, object, "__id__", &[])
    }

    fn rbl_memory_id(ctx, object: Value) -> Value {
        crate::own::call(ctx, object, "__id__", &[])
    }

    fn rbl_eval_string(ctx, source: *const c_char) -> Value {
        // SAFETY: a C string.
        let source = unsafe { std::ffi::CStr::from_ptr(source) }.to_bytes();
        let text = Str::new(ctx, source, rubellite_vm::Encoding::UTF_8).value();
        // The frame of the method or the block that called into C; outside of any the program's own.
        let binding = match ctx.caller_binding() {
            Some(binding) => binding.value(),
            None if ctx.vm().toplevel_binding.get().is_nil() => ctx.make_toplevel_binding(),
            None => ctx.vm().toplevel_binding.get(),
        };
        crate::own::call(ctx, binding, "eval", &[text])
    }

    fn rbl_stat_new(ctx, found: *const libc::stat) -> Value {
        // SAFETY: the extension's variable.
        Ok(rubellite_core_io::file::stat::of_system(ctx, unsafe { *found }))
    }

    /// Whether the object is an IO.
    fn rbl_is_io(ctx, object: Value) -> c_int {
        if rubellite_core_io::io::state::try_state(ctx, object).is_some() {
            return Ok(1);
        }
        // One that is not open yet.
        let class = ctx.named_class("IO")?.value();
        Ok(c_int::from(ctx.is_a(object, class)))
    }

    fn rbl_warn_message(ctx, message: Value) {
        let text = ctx.to_s(message)?.to_lossy(ctx).into_owned();
        ctx.warn(&text)
    }

    /// The value of `$VERBOSE`, and of `$DEBUG`.
    fn rbl_verbose_get(ctx, debug: c_int) -> Value {
        Ok(if debug != 0 { ctx.vm().debug.get() } else { ctx.vm().verbose.get() })
    }
}

unsafe extern "C" {
    fn rbl_type(value: Value) -> c_int;
}

fn unexpected(ctx: &mut Ctx, value: Value, kind: c_int) -> rubellite_vm::Unwind {
    let text = ctx.describe_for_conversion(value);
    ctx.type_error(&format!("wrong argument type {text} (expected {})", type_name(kind)))
}

/// A base of 0 or -1 is the prefix's or ten, below that it is what holds without a prefix.
fn parse_int(ctx: &mut Ctx, string: Str, base: c_int, strict: bool) -> Result {
    let base = if base == -1 { 0 } else { base };
    if base != 0 && !(2..=36).contains(&base.unsigned_abs()) {
        return Err(ctx.argument_error(&format!("invalid radix {}", base.unsigned_abs())));
    }
    let bytes = string.bytes(ctx).to_vec();
    match Int::parse(&bytes, base, strict) {
        Some(n) => Ok(n.into_value(ctx)),
        None => {
            let text = ctx.inspect(string.value())?;
            Err(ctx.argument_error(&format!("invalid value for Integer(): {text}")))
        }
    }
}

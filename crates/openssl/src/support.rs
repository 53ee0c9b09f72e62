//! What the classes have in common: objects that hold a structure of the library, conversions, errors.

use crate::ffi::{self, Foreign, Owned, bio, err};
use rubellite_core_io::io;
use rubellite_core_thread::{Waiters, wait_on, wake_all};
use rubellite_vm::object::{Array, Data, Int, NativeData, Str};
use rubellite_vm::outside::once;
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Args, Class, Ctx, Encoding, Ends, Extension, Leave, Result, Unwind, Value};
use std::cell::Cell;
use std::ffi::CString;
use std::rc::Rc;
use std::sync::Arc;

/// The structure of an object; whoever uses it holds a share of it, so that another thread may give the object a new
/// one meanwhile.
pub type Shared<T> = Arc<Owned<T>>;

/// The state of an object that holds a structure of the library.
struct Held<T: Foreign>(Rc<Slot<T>>);

struct Slot<T: Foreign> {
    shared: Shared<T>,
    /// The thread that works on the structure outside the lock; 0: none.
    out: Cell<u64>,
    /// Threads that wait for it.
    waiters: Waiters,
}

impl<T: Foreign> Held<T> {
    fn new(owned: Owned<T>) -> Held<T> {
        Held(Rc::new(Slot { shared: Arc::new(owned), out: Cell::new(0), waiters: Waiters::default() }))
    }
}

impl<T: Foreign + 'static> NativeData for Held<T> {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        self.0.waiters.trace(visit);
    }
}

/// The allocator of classes whose instances get their structure in `initialize`.
pub fn empty(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new_empty(ctx, class).value())
}

/// A new object of the class called `class`.
pub fn wrap<T: Foreign + 'static>(ctx: &mut Ctx, class: &'static str, owned: Owned<T>) -> Result {
    let class = ctx.named_class(class)?.value();
    Ok(wrap_in(ctx, class, owned))
}

pub fn wrap_in<T: Foreign + 'static>(ctx: &mut Ctx, class: Value, owned: Owned<T>) -> Value {
    Data::new(ctx, class, Held::new(owned)).value()
}

/// Gives an object its structure.
pub fn put<T: Foreign + 'static>(ctx: &mut Ctx, object: Value, owned: Owned<T>) -> Result<()> {
    match Data::try_of(object) {
        Some(data) => data.install(ctx, Held::new(owned)),
        None => return Err(ctx.wrong_argument_type(object, T::NAME)),
    }
    Ok(())
}

/// Whether the object has a structure of this type.
pub fn holds<T: Foreign + 'static>(ctx: &Ctx, object: Value) -> bool {
    Data::state_of::<Held<T>>(ctx, object).is_some()
}

/// TypeError when the object has been initialised already.
pub fn want_empty<T: Foreign + 'static>(ctx: &mut Ctx, object: Value) -> Result<()> {
    if holds::<T>(ctx, object) {
        let class = ctx.real_class(object).inspect(ctx);
        return Err(ctx.type_error(&format!("{class} already initialized")));
    }
    ctx.check_frozen(object)
}

/// The structure of an object: TypeError when it is something else, RuntimeError when it has none yet. Waits while
/// another thread works on it outside the lock.
pub fn get<T: Foreign + 'static>(ctx: &mut Ctx, object: Value) -> Result<Shared<T>> {
    Ok(slot::<T>(ctx, object)?.shared.clone())
}

fn slot<T: Foreign + 'static>(ctx: &mut Ctx, object: Value) -> Result<Rc<Slot<T>>> {
    loop {
        let Some(held) = Data::state_of::<Held<T>>(ctx, object) else { return Err(none_of::<T>(ctx, object)) };
        let slot = held.0.clone();
        let out = slot.out.get();
        if out == 0 || out == ctx.thread().id + 1 {
            return Ok(slot);
        }
        wait_on(ctx, &slot.waiters, object, None)?;
    }
}

#[cold]
fn none_of<T: Foreign>(ctx: &mut Ctx, object: Value) -> Unwind {
    if Data::try_of(object).is_some_and(|data| data.is_empty(ctx)) {
        let what = T::NAME.rsplit_once('/').map_or(T::NAME, |(_, name)| name.trim_start_matches("EVP_"));
        return ctx.runtime_error(&format!("{what} wasn't initialized!"));
    }
    ctx.wrong_argument_type(object, T::NAME)
}

/// Runs `f` while other threads that want the structure wait. Callbacks of this thread may use it.
pub fn exclusively<T: Foreign + 'static, R>(
    ctx: &mut Ctx,
    object: Value,
    f: impl FnOnce(&mut Ctx, &Owned<T>) -> Result<R>,
) -> Result<R> {
    let slot = slot::<T>(ctx, object)?;
    let before = slot.out.replace(ctx.thread().id + 1);
    let outcome = f(ctx, &slot.shared);
    slot.out.set(before);
    if before == 0 && !slot.waiters.is_empty() {
        let woken = wake_all(ctx, &slot.waiters);
        if outcome.is_ok() {
            woken?;
        }
    }
    outcome
}

/// Work on the structure of an object outside the lock.
pub fn outside_with<T: Foreign + 'static, R: Send>(
    ctx: &mut Ctx,
    object: Value,
    site: &'static RegionSite,
    work: impl FnOnce(&Owned<T>) -> R + Send,
) -> Result<R> {
    exclusively::<T, R>(ctx, object, |ctx, owned| {
        ctx.outside(Leave::new(Kind::Short(site), Ends::Never), once(|| work(owned)))
    })
}

/// Long work outside the lock that nothing ends: the longest takes seconds.
pub fn outside<R: Send>(ctx: &mut Ctx, site: &'static RegionSite, work: impl FnOnce() -> R + Send) -> Result<R> {
    ctx.outside(Leave::new(Kind::Short(site), Ends::Never), once(work))
}

// -- errors -------------------------------------------------------------------------------

pub const ERROR: &str = "OpenSSL::OpenSSLError";

/// Raises an error of the library: the message, the reason of the last error in the library's queue, and all of the
/// queue in `errors`.
#[cold]
pub fn fail(ctx: &mut Ctx, class: &'static str, message: &str) -> Unwind {
    let exception = new_error(ctx, class, message);
    ctx.raise(exception)
}

#[cold]
pub fn new_error(ctx: &mut Ctx, class: &'static str, message: &str) -> Value {
    let mut text = message.to_string();
    if let Some(reason) = err::last_reason() {
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&reason);
    }
    let errors = queue(ctx);
    let class = ctx.error_class(class);
    let exception = ctx.new_error(class, &text);
    let name = ctx.intern("@errors");
    ctx.ivar_set(exception, name, errors);
    exception
}

/// Empties the library's queue of errors into an Array; in debug mode each is told.
fn queue(ctx: &mut Ctx) -> Value {
    let list = Array::new(ctx);
    for line in err::take_all() {
        if debugging(ctx) {
            let _ = ctx.warn(&format!("error on stack: {line}"));
        }
        let line = Str::binary(ctx, line.as_bytes()).value();
        list.push(ctx, line);
    }
    list.value()
}

/// Forgets what is in the library's queue.
pub fn clear_errors(ctx: &mut Ctx) {
    if err::first() != 0 {
        queue(ctx);
    }
}

/// The value, or the error of the library.
pub fn check<T>(ctx: &mut Ctx, value: Option<T>, class: &'static str, message: &str) -> Result<T> {
    match value {
        Some(value) => Ok(value),
        None => Err(fail(ctx, class, message)),
    }
}

/// An error of the library unless it succeeded.
pub fn ensure(ctx: &mut Ctx, done: bool, class: &'static str, message: &str) -> Result<()> {
    if done { Ok(()) } else { Err(fail(ctx, class, message)) }
}

// -- conversions --------------------------------------------------------------------------

/// The bytes of a String, or of what `to_str` gives.
pub fn bytes(ctx: &mut Ctx, value: Value) -> Result<Vec<u8>> {
    let string = ctx.to_str(value)?;
    Ok(string.bytes(ctx).to_vec())
}

/// The same as a C string: ArgumentError when it holds a NUL.
pub fn c_string(ctx: &mut Ctx, value: Value) -> Result<CString> {
    match CString::new(bytes(ctx, value)?) {
        Ok(text) => Ok(text),
        Err(_) => Err(ctx.null_byte_error()),
    }
}

/// A String without an encoding.
pub fn binary(ctx: &mut Ctx, bytes: &[u8]) -> Value {
    Str::binary(ctx, bytes).value()
}

pub fn string(ctx: &mut Ctx, bytes: Vec<u8>) -> Value {
    Str::from_vec(ctx, bytes, Encoding::BINARY).value()
}

pub fn text(ctx: &mut Ctx, text: Option<ffi::Text>) -> Value {
    text.map_or(Value::NIL, |text| binary(ctx, text.bytes()))
}

/// What `to_der` of the object gives.
pub fn to_der(ctx: &mut Ctx, object: Value) -> Result<Vec<u8>> {
    let der = ctx.call_name(object, "to_der", &[])?;
    bytes(ctx, der)
}

/// `to_der` of the object when it has that, else its bytes.
pub fn der_or_bytes(ctx: &mut Ctx, object: Value) -> Result<Vec<u8>> {
    let name = ctx.intern("to_der");
    if ctx.respond_to(object, name, false)? { to_der(ctx, object) } else { bytes(ctx, object) }
}

/// The bytes of a String, or all that can be read of an IO.
pub fn source(ctx: &mut Ctx, object: Value) -> Result<Vec<u8>> {
    if io::state::try_state(ctx, object).is_some() {
        let text = ctx.call_name(object, "read", &[])?;
        return bytes(ctx, text);
    }
    bytes(ctx, object)
}

/// A memory stream of the bytes.
pub fn stream<'a>(ctx: &mut Ctx, bytes: &'a [u8]) -> Result<bio::Source<'a>> {
    let bio = bio::Source::new(bytes);
    check(ctx, bio, ERROR, "BIO_new_mem_buf")
}

/// TypeError unless the object is one of the class.
pub fn check_kind(ctx: &mut Ctx, object: Value, class: &'static str) -> Result<()> {
    let module = ctx.named_class(class)?.value();
    if ctx.is_a(object, module) {
        return Ok(());
    }
    let got = ctx.real_class(object).inspect(ctx);
    Err(ctx.type_error(&format!("wrong argument ({got})!  (Expected kind of {class})")))
}

pub fn is_kind(ctx: &mut Ctx, object: Value, class: &'static str) -> Result<bool> {
    let module = ctx.named_class(class)?.value();
    Ok(ctx.is_a(object, module))
}

/// The Array: TypeError for anything else.
pub fn array(ctx: &mut Ctx, value: Value) -> Result<Array> {
    match Array::try_of(value) {
        Some(list) => Ok(list),
        None => Err(ctx.wrong_argument_type(value, "Array")),
    }
}

/// All that `each` of the object gives.
pub fn enumerated(ctx: &mut Ctx, value: Value) -> Result<Array> {
    if let Some(list) = Array::try_of(value) {
        return Ok(list);
    }
    let each = Value::symbol(ctx.intern("each"));
    let items = ctx.call_name(value, "to_enum", &[each])?;
    let list = ctx.call_name(items, "to_a", &[])?;
    array(ctx, list)
}

/// Seconds since 1970 of an Integer or a Time.
pub fn seconds(ctx: &mut Ctx, time: Value) -> Result<i64> {
    let kernel = ctx.named_class("Kernel")?.value();
    let whole = ctx.call_name(kernel, "Integer", &[time])?;
    ctx.to_int(whole)
}

/// The Integer; `to_int` is not asked.
pub fn integer(value: Value) -> Option<Int> {
    Int::try_of(value)
}

pub fn bool(value: bool) -> Value {
    Value::from_bool(value)
}

/// The keywords of a call: ArgumentError when one of the first `required` is missing or one is unknown. UNDEF: not
/// given.
pub fn keywords<const N: usize>(
    ctx: &mut Ctx,
    args: Args,
    names: [&'static str; N],
    required: usize,
) -> Result<[Value; N]> {
    let mut found = [Value::UNDEF; N];
    let mut missing = Vec::new();
    for (i, name) in names.iter().enumerate() {
        match args.keyword(ctx, name) {
            Some(value) => found[i] = value,
            None if i < required => missing.push(format!(":{name}")),
            None => {}
        }
    }
    if !missing.is_empty() {
        let word = if missing.len() == 1 { "keyword" } else { "keywords" };
        return Err(ctx.argument_error(&format!("missing {word}: {}", missing.join(", "))));
    }
    args.check_keywords(ctx, &names)?;
    Ok(found)
}

/// Runs `f` with each of the Array's items.
pub fn each(ctx: &mut Ctx, list: Array, mut f: impl FnMut(&mut Ctx, Value) -> Result<()>) -> Result<()> {
    let mut at = 0;
    while let Some(item) = list.get(at) {
        f(ctx, item)?;
        at += 1;
    }
    Ok(())
}

/// Sets a constant for each entry.
pub fn constants(ctx: &mut Ctx, class: Class, table: &[(&str, i64)]) {
    for (name, value) in table {
        let value = ctx.int(*value);
        class.set_const(ctx, name, value);
    }
}

/// The instance variable of an object, nil when it has none.
pub fn ivar(ctx: &Ctx, object: Value, name: &'static str) -> Value {
    let name = ctx.intern(name);
    let value = ctx.ivar_get(object, name);
    if value.is_undef() { Value::NIL } else { value }
}

pub fn set_ivar(ctx: &Ctx, object: Value, name: &'static str, value: Value) {
    let name = ctx.intern(name);
    ctx.ivar_set(object, name, value);
}

/// `OpenSSL.debug` of a VM.
#[derive(Default)]
pub struct Debug(pub Cell<bool>);

impl Extension for Debug {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

pub fn debugging(ctx: &Ctx) -> bool {
    ctx.extension::<Debug>().0.get()
}

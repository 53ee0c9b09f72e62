//! What a native method takes as its receiver, and how a function over it becomes a row of a method table.
//!
//! A native method is a function `fn(&mut Ctx, R, Args) -> Result` for any [`Receiver`] `R`: a handle such as `Array`,
//! or a plain `Value` for methods that serve several types. A table holds functions of one shape, [`NativeFn`]. The one
//! between them, made by [`native`], looks at the receiver's tag on every call, so that a handle never names an object
//! of another layout, whatever class the method was bound to. It costs a comparison with a header that the call has
//! just read, and nothing where the receiver is a `Value`.

use crate::call::Args;
use crate::class::NativeFn;
use crate::ctx::Ctx;
use crate::object::{Float, Int};
use crate::{Result, Unwind};
use rubellite_value::{Sym, Value};

/// A type that a native method may take as its receiver, and that a value may be expected to be of.
pub trait Receiver: Sized {
    /// What messages call the type.
    const NAME: &'static str;

    /// The value as this type, when it is of it.
    fn receive(value: Value) -> Option<Self>;
}

impl Receiver for Value {
    const NAME: &'static str = "Object";

    #[inline(always)]
    fn receive(value: Value) -> Option<Value> {
        Some(value)
    }
}

impl Receiver for Sym {
    const NAME: &'static str = "Symbol";

    #[inline(always)]
    fn receive(value: Value) -> Option<Sym> {
        value.as_symbol()
    }
}

/// The number of a Float.
impl Receiver for f64 {
    const NAME: &'static str = "Float";

    #[inline(always)]
    fn receive(value: Value) -> Option<f64> {
        if value.is_flonum() { Some(value.as_flonum_unchecked()) } else { Float::try_of(value).map(Float::get) }
    }
}

/// The function of a table for a native method `F`, which must be a function item or a closure that captures nothing.
pub(crate) const fn native<R, F>(_method: F) -> NativeFn
where
    R: Receiver,
    F: Fn(&mut Ctx, R, Args) -> Result + Copy + 'static,
{
    const { assert!(size_of::<F>() == 0, "a native method captures nothing") };
    |ctx, recv, args| {
        // SAFETY: F has no size, so that there is nothing to read, and that it is inhabited shows the one given to
        // `native`.
        let method: F = unsafe { std::mem::zeroed() };
        match R::receive(recv) {
            Some(receiver) => method(ctx, receiver, args.by_fields()),
            None => Err(mismatch::<R>(ctx, recv)),
        }
    }
}

impl Receiver for Int {
    const NAME: &'static str = "Integer";

    #[inline(always)]
    fn receive(value: Value) -> Option<Int> {
        Int::try_of(value)
    }
}

#[cold]
#[inline(never)]
fn mismatch<R: Receiver>(ctx: &mut Ctx, value: Value) -> Unwind {
    ctx.wrong_argument_type(value, R::NAME)
}

impl Ctx {
    /// The value as what it is expected to be: a handle, a number, a symbol.
    ///
    /// # Errors
    /// TypeError "wrong argument type X (expected Y)" when it is something else.
    #[inline]
    pub fn expect<R: Receiver>(&mut self, value: Value) -> Result<R> {
        R::receive(value).ok_or_else(|| mismatch::<R>(self, value))
    }
}

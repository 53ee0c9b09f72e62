//! Native data: an object whose state is a Rust value of some library (an IO, a Thread, a Time ...).
//!
//! The cell owns a boxed value of any type that implements [`NativeData`]; the type is checked at each access.
//! A cell may be empty: between allocation and initialisation of an object of a native class.
//! Interior mutability is the type's own matter.

use super::handle::{handle, layout};
use crate::ctx::{Ctx, header};
use rubellite_value::{Flag, Header, Tag, Value, flags};
use std::any::{Any, TypeId};
use std::cell::UnsafeCell;

/// The state's type tells of its stores.
pub(crate) const TELLS_STORES: Flag = flags::TYPE_0;

/// State that lives in a native object.
///
/// A type that holds values shows each of them in `trace`, and whoever stores a value in it afterwards calls
/// `Ctx::write_barrier`. Its `drop` runs during a sweep: it must not touch other objects.
pub trait NativeData: Any + Kinded {
    /// Whether really every store of a value into such a state is followed by `Ctx::write_barrier`, before anything is
    /// allocated. Minor collections do not look at old objects of such a type.
    fn tells_stores() -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Shows the values it holds to the collector.
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        let _ = visit;
    }

    /// Whether several ractors may see a frozen object with this state that refers to shareable objects only.
    fn frozen_shareable(&self) -> bool {
        false
    }

    /// Exchanges the values it holds for what `exchange` gives for them. `false`: they cannot be exchanged.
    fn exchange_references(&self, exchange: &dyn Fn(Value) -> Value) -> bool {
        let _ = exchange;
        false
    }

    /// Bytes of memory that it owns beside itself.
    fn memory_size(&self) -> usize {
        0
    }
}

/// The identity of a type in two machine words, which come in registers: those of `Any` come in memory, where both are
/// read at once before the processor has written them.
pub trait Kinded {
    fn kind(&self) -> (u64, u64);
}

impl<T: Any> Kinded for T {
    fn kind(&self) -> (u64, u64) {
        kind_of::<T>()
    }
}

fn kind_of<T: Any>() -> (u64, u64) {
    // SAFETY: both are 16 bytes that are initialised.
    let [one, other] = unsafe { std::mem::transmute::<TypeId, [u64; 2]>(TypeId::of::<T>()) };
    (one, other)
}

/// The cell of a native object. 32 bytes.
#[repr(C)]
pub struct RData {
    header: Header,
    payload: UnsafeCell<Option<Box<dyn NativeData>>>,
}

layout!(RData, Tag::Data);

handle! {
    /// An object with native state.
    Data "Data": RData, Tag::Data
}

impl RData {
    pub(crate) fn trace<F: FnMut(Value)>(&self, mut visit: F) {
        // SAFETY: the collector runs while nobody changes objects.
        if let Some(payload) = unsafe { &*self.payload.get() } {
            payload.trace(&mut visit);
        }
    }

    pub(crate) fn memory_size(&self) -> usize {
        // SAFETY: the borrow ends here, and the VM lock is held.
        unsafe { &*self.payload.get() }.as_ref().map_or(0, |payload| size_of_val(&**payload) + payload.memory_size())
    }
}

impl Data {
    /// A new object of class `klass` that holds `state`. The values in `state` must be kept alive by the
    /// caller until this returns.
    pub fn new<T: NativeData>(ctx: &mut Ctx, klass: Value, state: T) -> Data {
        let data = Data::new_empty(ctx, klass);
        data.install(ctx, state);
        data
    }

    /// A new object without state: what the allocator of a native class makes.
    pub fn new_empty(ctx: &mut Ctx, klass: Value) -> Data {
        Data(ctx.alloc(RData { header: header(Tag::Data, klass), payload: UnsafeCell::new(None) }))
    }

    /// Gives the object its state. The old state, if any, is dropped.
    pub fn install<T: NativeData>(self, ctx: &mut Ctx, state: T) {
        ctx.note_malloc((size_of::<T>() + state.memory_size()) as isize);
        state.trace(&mut |child| ctx.write_barrier(self.0, child));
        // SAFETY: `&mut Ctx` excludes every reference that `get` lent.
        let old = unsafe { (*self.raw().payload.get()).replace(Box::new(state)) };
        drop(old);
        let header = &self.raw().header;
        debug_assert!(T::tells_stores() || !header.has(TELLS_STORES), "a state of another kind");
        if T::tells_stores() {
            header.set(TELLS_STORES);
        }
    }

    /// The state, when the object holds one of type `T`.
    #[inline]
    pub fn get<'a, T: NativeData>(self, _ctx: &'a Ctx) -> Option<&'a T> {
        // SAFETY: `install` and `take` need `&mut Ctx`, which the borrow of `ctx` excludes.
        let payload: &'a dyn NativeData = unsafe { &*self.raw().payload.get() }.as_deref()?;
        // SAFETY: two types never have the same identity.
        (payload.kind() == kind_of::<T>()).then(|| unsafe { &*std::ptr::from_ref(payload).cast::<T>() })
    }

    /// The state of any value, when it is native data of type `T`.
    #[inline]
    pub fn state_of<T: NativeData>(ctx: &Ctx, value: Value) -> Option<&T> {
        Data::try_of(value)?.get(ctx)
    }

    /// Whether the object has state of type `T`.
    pub fn holds<T: NativeData>(self, ctx: &Ctx) -> bool {
        self.get::<T>(ctx).is_some()
    }

    pub(crate) fn exchange_references(self, ctx: &Ctx, exchange: &dyn Fn(Value) -> Value) -> bool {
        // SAFETY: the borrow ends here, and the VM lock is held.
        let Some(state) = (unsafe { &*self.raw().payload.get() }) else { return false };
        let done = state.exchange_references(exchange);
        state.trace(&mut |child| ctx.write_barrier(self.0, child));
        done
    }

    /// Whether the values it holds can be exchanged for others.
    pub fn exchangeable(self) -> bool {
        // SAFETY: the borrow ends here, and the VM lock is held.
        unsafe { &*self.raw().payload.get() }.as_ref().is_some_and(|state| state.exchange_references(&|value| value))
    }

    pub(crate) fn frozen_shareable(self) -> bool {
        // SAFETY: the borrow ends here, and the VM lock is held.
        unsafe { &*self.raw().payload.get() }.as_ref().is_some_and(|state| state.frozen_shareable())
    }

    pub fn is_empty(self, _ctx: &Ctx) -> bool {
        // SAFETY: the borrow ends here.
        unsafe { &*self.raw().payload.get() }.is_none()
    }

    /// Takes the state out, leaving the object empty.
    pub fn take<T: NativeData>(self, ctx: &mut Ctx) -> Option<Box<T>> {
        self.get::<T>(ctx)?;
        // SAFETY: `&mut Ctx` excludes every reference that `get` lent.
        let payload = unsafe { (*self.raw().payload.get()).take() }?;
        (payload as Box<dyn Any>).downcast().ok()
    }
}

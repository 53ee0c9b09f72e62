//! Values outside the VM: `Any`, which keeps a Ruby object alive, and the conversions.

use crate::vm::InsideSet;
use crate::{Error, Scope};
use rubellite_vm::object::{Array, Hash, Str};
use rubellite_vm::{Ctx, Extension, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash as Hashed;
use std::sync::{Arc, Mutex};

/// A Ruby object that lives as long as this handle, or a clone of it. It can be sent to other threads; to look at it a
/// `Scope` of its VM is needed.
#[derive(Clone)]
pub struct Any(Arc<Slot>);

struct Slot {
    index: usize,
    heap: Arc<Returned>,
}

/// Slots that nobody uses any more, until the VM hears of it.
#[derive(Default)]
pub(crate) struct Returned(Mutex<Vec<usize>>);

impl Drop for Slot {
    fn drop(&mut self) {
        self.heap.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(self.index);
    }
}

impl std::fmt::Debug for Any {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Any({})", self.0.index)
    }
}

/// The objects that the host keeps, with the VM.
#[derive(Default)]
pub(crate) struct Kept {
    slots: RefCell<Vec<Value>>,
    vacant: RefCell<Vec<usize>>,
    pub returned: Arc<Returned>,
    /// The native threads that are inside the VM through this crate.
    pub inside: Arc<InsideSet>,
}

impl Extension for Kept {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        self.slots.borrow().iter().for_each(|value| mark(*value));
    }
}

impl Kept {
    pub fn keep(ctx: &Ctx, value: Value) -> Any {
        let kept = ctx.extension::<Kept>();
        let (mut slots, mut vacant) = (kept.slots.borrow_mut(), kept.vacant.borrow_mut());
        if vacant.is_empty() {
            let mut returned = kept.returned.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            returned.iter().for_each(|index| slots[*index] = Value::NIL);
            std::mem::swap(&mut *vacant, &mut *returned);
        }
        let index = match vacant.pop() {
            Some(index) => {
                slots[index] = value;
                index
            }
            None => {
                slots.push(value);
                slots.len() - 1
            }
        };
        Any(Arc::new(Slot { index, heap: Arc::clone(&kept.returned) }))
    }

    pub fn get(ctx: &Ctx, any: &Any) -> Result<Value, Error> {
        let kept = ctx.extension::<Kept>();
        let own = Arc::ptr_eq(&kept.returned, &any.0.heap);
        let value = kept.slots.borrow().get(any.0.index).copied();
        value.filter(|_| own).ok_or(Error::OtherVm)
    }
}

/// What a Ruby value can become.
pub trait FromRuby: Sized {
    /// # Errors
    /// `Conversion` when the value has no such form; nothing is called that would make one (`to_s`, `to_i` ...).
    fn from_ruby(value: &Any, scope: &mut Scope) -> Result<Self, Error>;
}

/// What can become a Ruby value.
pub trait IntoRuby {
    /// # Errors
    /// `OtherVm` for a value of another VM; what Ruby code raises that the conversion runs (`hash` of keys).
    fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error>;
}

/// Arguments of a call: `()`, a tuple of up to six values, or a list.
pub trait IntoArgs {
    /// # Errors
    /// As `IntoRuby::into_ruby`.
    fn into_args(self, scope: &mut Scope) -> Result<Vec<Any>, Error>;
}

/// The name of a Symbol.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub String);

/// The bytes of a String, whatever its encoding; becomes a binary String.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bytes(pub Vec<u8>);

fn wrong(scope: &mut Scope, value: Value, wanted: &'static str) -> Error {
    let got = scope.ctx.real_class(value).inspect(scope.ctx);
    Error::Conversion { wanted, got }
}

impl FromRuby for Any {
    fn from_ruby(value: &Any, _: &mut Scope) -> Result<Any, Error> {
        Ok(value.clone())
    }
}

impl IntoRuby for Any {
    fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error> {
        Kept::get(scope.ctx, &self).map(|_| self)
    }
}

impl IntoRuby for &Any {
    fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error> {
        self.clone().into_ruby(scope)
    }
}

/// Any value: it is ignored.
impl FromRuby for () {
    fn from_ruby(_: &Any, _: &mut Scope) -> Result<(), Error> {
        Ok(())
    }
}

impl IntoRuby for () {
    fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error> {
        Ok(Kept::keep(scope.ctx, Value::NIL))
    }
}

/// As Ruby decides in conditions: everything but nil and false is true.
impl FromRuby for bool {
    fn from_ruby(value: &Any, scope: &mut Scope) -> Result<bool, Error> {
        Ok(Kept::get(scope.ctx, value)?.truthy())
    }
}

impl IntoRuby for bool {
    fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error> {
        Ok(Kept::keep(scope.ctx, Value::from_bool(self)))
    }
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl FromRuby for $t {
            fn from_ruby(value: &Any, scope: &mut Scope) -> Result<$t, Error> {
                let value = Kept::get(scope.ctx, value)?;
                let found = rubellite_vm::object::Int::try_of(value).and_then(|n| {
                    let signed = n.to_i64().and_then(|n| <$t>::try_from(n).ok());
                    signed.or_else(|| n.to_u64().and_then(|n| <$t>::try_from(n).ok()))
                });
                found.ok_or_else(|| wrong(scope, value, stringify!($t)))
            }
        }

        impl IntoRuby for $t {
            fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error> {
                let number = rubellite_vm::object::Int::from(self as i128).into_value(scope.ctx);
                Ok(Kept::keep(scope.ctx, number))
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 u8 u16 u32 u64 isize usize);

/// Floats, and integers as the nearest one.
impl FromRuby for f64 {
    fn from_ruby(value: &Any, scope: &mut Scope) -> Result<f64, Error> {
        let value = Kept::get(scope.ctx, value)?;
        let integer = || rubellite_vm::object::Int::try_of(value).map(|n| n.to_f64());
        scope.ctx.float_value(value).or_else(integer).ok_or_else(|| wrong(scope, value, "f64"))
    }
}

impl IntoRuby for f64 {
    fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error> {
        let number = scope.ctx.float(self);
        Ok(Kept::keep(scope.ctx, number))
    }
}

/// The text of a String in UTF-8 or of a Symbol.
impl FromRuby for String {
    fn from_ruby(value: &Any, scope: &mut Scope) -> Result<String, Error> {
        let value = Kept::get(scope.ctx, value)?;
        let text = match (Str::try_of(value), value.as_symbol()) {
            (Some(text), _) => text.as_str(scope.ctx).map(str::to_owned),
            (None, Some(name)) => Some(scope.ctx.sym_str(name)),
            _ => None,
        };
        text.ok_or_else(|| wrong(scope, value, "String"))
    }
}

impl IntoRuby for &str {
    fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error> {
        let text = Str::utf8(scope.ctx, self).value();
        Ok(Kept::keep(scope.ctx, text))
    }
}

impl IntoRuby for String {
    fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error> {
        self.as_str().into_ruby(scope)
    }
}

impl FromRuby for Bytes {
    fn from_ruby(value: &Any, scope: &mut Scope) -> Result<Bytes, Error> {
        let value = Kept::get(scope.ctx, value)?;
        let bytes = Str::try_of(value).map(|text| Bytes(text.bytes(scope.ctx).to_vec()));
        bytes.ok_or_else(|| wrong(scope, value, "Bytes"))
    }
}

impl IntoRuby for Bytes {
    fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error> {
        let text = Str::binary(scope.ctx, &self.0).value();
        Ok(Kept::keep(scope.ctx, text))
    }
}

impl FromRuby for Symbol {
    fn from_ruby(value: &Any, scope: &mut Scope) -> Result<Symbol, Error> {
        let value = Kept::get(scope.ctx, value)?;
        let name = value.as_symbol().map(|name| Symbol(scope.ctx.sym_str(name)));
        name.ok_or_else(|| wrong(scope, value, "Symbol"))
    }
}

impl IntoRuby for Symbol {
    fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error> {
        let name = Value::symbol(scope.ctx.intern_str(&self.0));
        Ok(Kept::keep(scope.ctx, name))
    }
}

/// nil is `None`.
impl<T: FromRuby> FromRuby for Option<T> {
    fn from_ruby(value: &Any, scope: &mut Scope) -> Result<Option<T>, Error> {
        if Kept::get(scope.ctx, value)?.is_nil() { Ok(None) } else { T::from_ruby(value, scope).map(Some) }
    }
}

impl<T: IntoRuby> IntoRuby for Option<T> {
    fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error> {
        match self {
            Some(value) => value.into_ruby(scope),
            None => ().into_ruby(scope),
        }
    }
}

/// An Array.
impl<T: FromRuby> FromRuby for Vec<T> {
    fn from_ruby(value: &Any, scope: &mut Scope) -> Result<Vec<T>, Error> {
        let value = Kept::get(scope.ctx, value)?;
        let Some(list) = Array::try_of(value) else { return Err(wrong(scope, value, "Vec")) };
        let mut out = Vec::with_capacity(list.len());
        let mut index = 0;
        while let Some(item) = list.get(index) {
            let item = Kept::keep(scope.ctx, item);
            out.push(T::from_ruby(&item, scope)?);
            index += 1;
        }
        Ok(out)
    }
}

impl<T: IntoRuby> IntoRuby for Vec<T> {
    fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error> {
        let list = Array::with_capacity(scope.ctx, self.len());
        let kept = Kept::keep(scope.ctx, list.value());
        for item in self {
            let item = item.into_ruby(scope)?;
            let item = Kept::get(scope.ctx, &item)?;
            list.push(scope.ctx, item);
        }
        Ok(kept)
    }
}

fn pairs<K: FromRuby, V: FromRuby>(value: &Any, scope: &mut Scope, mut take: impl FnMut(K, V)) -> Result<(), Error> {
    let value = Kept::get(scope.ctx, value)?;
    let Some(hash) = Hash::try_of(value) else {
        return Err(wrong(scope, value, "map"));
    };
    let list = hash.keys(scope.ctx);
    let list_kept = Kept::keep(scope.ctx, list.value());
    for i in 0..list.len() {
        let key = list.get(i).unwrap_or(Value::NIL);
        let item = hash.get(scope.ctx, key).map_err(|_| scope.take_error())?.unwrap_or(Value::NIL);
        let (key, item) = (Kept::keep(scope.ctx, key), Kept::keep(scope.ctx, item));
        take(K::from_ruby(&key, scope)?, V::from_ruby(&item, scope)?);
    }
    drop(list_kept);
    Ok(())
}

fn hash<K: IntoRuby, V: IntoRuby>(pairs: impl Iterator<Item = (K, V)>, scope: &mut Scope) -> Result<Any, Error> {
    let hash = Hash::new(scope.ctx);
    let kept = Kept::keep(scope.ctx, hash.value());
    for (key, item) in pairs {
        let (key, item) = (key.into_ruby(scope)?, item.into_ruby(scope)?);
        let (key_value, item_value) = (Kept::get(scope.ctx, &key)?, Kept::get(scope.ctx, &item)?);
        hash.insert(scope.ctx, key_value, item_value).map_err(|_| scope.take_error())?;
    }
    Ok(kept)
}

impl<K: FromRuby + Eq + Hashed, V: FromRuby> FromRuby for HashMap<K, V> {
    fn from_ruby(value: &Any, scope: &mut Scope) -> Result<Self, Error> {
        let mut map = HashMap::new();
        pairs(value, scope, |key, item| drop(map.insert(key, item)))?;
        Ok(map)
    }
}

impl<K: IntoRuby, V: IntoRuby> IntoRuby for HashMap<K, V> {
    fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error> {
        hash(self.into_iter(), scope)
    }
}

impl<K: FromRuby + Ord, V: FromRuby> FromRuby for BTreeMap<K, V> {
    fn from_ruby(value: &Any, scope: &mut Scope) -> Result<Self, Error> {
        let mut map = BTreeMap::new();
        pairs(value, scope, |key, item| drop(map.insert(key, item)))?;
        Ok(map)
    }
}

impl<K: IntoRuby, V: IntoRuby> IntoRuby for BTreeMap<K, V> {
    fn into_ruby(self, scope: &mut Scope) -> Result<Any, Error> {
        hash(self.into_iter(), scope)
    }
}

impl<T: IntoRuby> IntoArgs for Vec<T> {
    fn into_args(self, scope: &mut Scope) -> Result<Vec<Any>, Error> {
        self.into_iter().map(|item| item.into_ruby(scope)).collect()
    }
}

impl IntoArgs for () {
    fn into_args(self, _: &mut Scope) -> Result<Vec<Any>, Error> {
        Ok(Vec::new())
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        impl<$($name: IntoRuby),*> IntoArgs for ($($name,)*) {
            #[allow(non_snake_case)]
            fn into_args(self, scope: &mut Scope) -> Result<Vec<Any>, Error> {
                let ($($name,)*) = self;
                Ok(vec![$($name.into_ruby(scope)?),*])
            }
        }
    )*};
}

tuples! { A; A B; A B C; A B C D; A B C D E; A B C D E F; }

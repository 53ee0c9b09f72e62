//! The arguments of a call while `bind` deals them out to the parameters: positional ones come from the call window or
//! from the Array of a splat, keywords from a Hash or from the window.

use crate::ctx::Ctx;
use crate::object::{Array, Hash};
use rubellite_value::{Sym, Value};
use smallvec::SmallVec;

/// Where positional arguments come from: the window, or the Array of a splat, then perhaps a Hash made of keywords.
pub(super) struct Source {
    pub window: *mut Value,
    pub window_len: usize,
    pub list: Option<Array>,
    pub list_len: usize,
    /// The list was made for this call.
    pub fresh: bool,
    pub extra: Value,
}

impl Source {
    pub fn len(&self) -> usize {
        self.window_len + self.list_len + !self.extra.is_undef() as usize
    }

    /// Argument `i`, or nil behind the last.
    pub fn get(&self, i: usize) -> Value {
        if i < self.window_len {
            // SAFETY: within the window.
            return unsafe { *self.window.add(i) };
        }
        if i < self.window_len + self.list_len {
            return self.list.and_then(|l| l.get(i - self.window_len)).unwrap_or(Value::NIL);
        }
        if i == self.window_len + self.list_len && !self.extra.is_undef() { self.extra } else { Value::NIL }
    }
}

#[derive(Copy, Clone)]
pub(super) enum Keywords<'a> {
    None,
    /// Made for this call.
    Hash(Value),
    /// The caller's own, not empty: to be read only.
    Lent(Value),
    Literal(&'a [Sym], *const Value),
}

impl Keywords<'_> {
    pub fn is_given(&self) -> bool {
        !matches!(self, Keywords::None)
    }

    /// What a keyword rest without a name takes, of which the keyword parameters took `taken`, where no Hash has to be
    /// made.
    pub fn lent(&self, taken: usize) -> Option<Value> {
        match self {
            Keywords::Lent(hash) if taken == 0 && !Hash::known(*hash).is_ruby2_keywords() => Some(*hash),
            Keywords::Hash(hash) if taken == 0 => Some(*hash),
            _ => (taken == self.len()).then_some(Value::NIL),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Keywords::None => 0,
            Keywords::Hash(hash) | Keywords::Lent(hash) => Hash::known(*hash).len(),
            Keywords::Literal(names, _) => names.len(),
        }
    }

    pub fn get(&self, ctx: &mut Ctx, name: Sym) -> Value {
        match self {
            Keywords::None => Value::UNDEF,
            Keywords::Hash(hash) | Keywords::Lent(hash) => {
                Hash::known(*hash).get_sym(ctx, name).unwrap_or(Value::UNDEF)
            }
            Keywords::Literal(names, values) => match names.iter().rposition(|n| *n == name) {
                // SAFETY: one value per name lies in the window.
                Some(i) => unsafe { *values.add(i) },
                None => Value::UNDEF,
            },
        }
    }

    // tidy: values of the window or of a Hash that the window keeps
    pub fn pairs(&self, ctx: &Ctx) -> SmallVec<[(Value, Value); 8]> {
        match self {
            Keywords::None => SmallVec::new(),
            Keywords::Hash(hash) | Keywords::Lent(hash) => {
                let hash = Hash::known(*hash);
                let mut list = SmallVec::new();
                let mut position = 0;
                while let Some(entry) = hash.next_entry(ctx, position) {
                    list.push((entry.key, entry.value));
                    position = entry.position + 1;
                }
                list
            }
            Keywords::Literal(names, values) => {
                // SAFETY: one value per name lies in the window.
                let values = unsafe { std::slice::from_raw_parts(*values, names.len()) };
                names.iter().zip(values).map(|(name, value)| (Value::symbol(*name), *value)).collect()
            }
        }
    }
}

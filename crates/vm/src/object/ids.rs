//! Object ids: small numbers given when they are first asked for.

use crate::ctx::Ctx;
use rubellite_value::{Value, flags};
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct ObjectIds {
    by_object: FxHashMap<Value, i64>, // tidy: weak, pruned after marking
    by_id: FxHashMap<i64, Value>,     // tidy: as above
    last: i64,
}

impl ObjectIds {
    /// The id of a heap object: a multiple of 8, in the order of asking.
    pub fn id_of(&mut self, object: Value) -> i64 {
        if let Some(id) = self.by_object.get(&object) {
            return *id;
        }
        if self.by_object.try_reserve(1).is_err() || self.by_id.try_reserve(1).is_err() {
            super::OutOfMemory.unwind()
        }
        // 8 is nil's.
        self.last = self.last.max(8) + 8;
        self.by_object.insert(object, self.last);
        self.by_id.insert(self.last, object);
        if let Some(header) = object.header() {
            header.set(flags::HAS_ID);
        }
        self.last
    }

    /// The living object with this id.
    pub fn object(&self, id: i64) -> Option<Value> {
        self.by_id.get(&id).copied()
    }

    /// Whether the id was ever given out.
    pub fn was_given(&self, id: i64) -> bool {
        id > 0 && id <= self.last && id % 8 == 0
    }

    pub(crate) fn retain(&mut self, alive: &dyn Fn(Value) -> bool) {
        self.by_object.retain(|object, _| alive(*object));
        self.by_id.retain(|_, object| alive(*object));
    }
}

impl Ctx {
    /// `object_id`: immediates have fixed ids, heap objects get one when it is first asked for.
    pub fn object_id(&self, value: Value) -> i64 {
        if let Some(n) = value.as_fixnum() {
            return n.wrapping_mul(2).wrapping_add(1);
        }
        match value {
            Value::NIL => 4,
            Value::TRUE => 20,
            Value::FALSE => 0,
            _ if value.is_immediate() => {
                // The number stands for this symbol for ever.
                self.pinned(value);
                value.bits() as i64
            }
            // SAFETY: the lock is held; the borrow ends with the statement.
            _ => unsafe { self.vm().object_ids.get_mut() }.id_of(value),
        }
    }

    /// The living heap object with this id; `Err(true)`: it was given out once and the object is gone.
    pub fn object_by_id(&self, id: i64) -> std::result::Result<Value, bool> {
        // SAFETY: as above.
        let ids = unsafe { self.vm().object_ids.get() };
        ids.object(id).ok_or(ids.was_given(id))
    }
}

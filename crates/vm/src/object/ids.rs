//! Object ids: small numbers given when they are first asked for.

use rubellite_value::{Value, flags};
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct ObjectIds {
    by_object: FxHashMap<u64, i64>,
    by_id: FxHashMap<i64, u64>,
    last: i64,
}

impl ObjectIds {
    /// The id of a heap object: a multiple of 8, in the order of asking.
    pub fn id_of(&mut self, object: Value) -> i64 {
        if let Some(id) = self.by_object.get(&object.bits()) {
            return *id;
        }
        self.last += 8;
        self.by_object.insert(object.bits(), self.last);
        self.by_id.insert(self.last, object.bits());
        if let Some(header) = object.header() {
            header.set(flags::HAS_ID);
        }
        self.last
    }

    /// The living object with this id.
    pub fn object(&self, id: i64) -> Option<Value> {
        self.by_id.get(&id).map(|bits| Value::from_bits(*bits))
    }

    /// Whether the id was ever given out.
    pub fn was_given(&self, id: i64) -> bool {
        id > 0 && id <= self.last && id % 8 == 0
    }

    pub(crate) fn retain(&mut self, alive: &dyn Fn(Value) -> bool) {
        self.by_object.retain(|object, _| alive(Value::from_bits(*object)));
        self.by_id.retain(|_, object| alive(Value::from_bits(*object)));
    }
}

//! Objects that go over to another ractor: what they refer to is exchanged for what was copied or moved with them. The
//! content of a moved object gets a new cell, the old one becomes a husk.

use crate::Encoding;
use crate::Result;
use crate::class::Class;
use crate::ctx::Ctx;
use crate::object::{Array, Data, Exception, Hash, Range, Str, Struct};
use rubellite_gc::SizeClass;
use rubellite_value::{Tag, Value, flags};

impl Ctx {
    /// Moves the content of `object` to a new cell and returns that. The old cell is from now on a frozen, empty object
    /// of the class `husk`, to which all references to the old object lead. Its `object_id` and finalizers stay
    /// with it.
    pub fn move_object(&mut self, object: Value, husk: Class) -> Value {
        let Some(header) = object.header() else { return object };
        let (tag, klass) = (header.tag(), header.klass.get());
        let bytes = self.cell_bytes(object);
        let new = self.alloc_bytes(SizeClass::for_bytes(bytes), |cell| {
            // SAFETY: both cells have `bytes` bytes; no object has pointers into its own cell but environments, which
            // do not move.
            unsafe { std::ptr::copy_nonoverlapping(object.as_ptr::<u8>(), cell, bytes) }
        });
        debug_assert!(tag != Tag::Env);
        if let Some(header) = new.header() {
            header.clear(flags::HAS_ID | flags::FINALIZER | flags::OLD);
        }
        if let Some(hash) = Hash::try_of(new) {
            hash.forget_iterations();
        }
        if header.has(flags::GENERIC_IVARS) {
            // SAFETY: the lock is held; the borrow ends with the statement.
            unsafe { self.vm().generic_ivars.get_mut() }.hand_over(object, new);
        }
        if let Some(singleton) =
            Class::try_of(klass).filter(|class| class.is_singleton() && class.attached(self) == object)
        {
            singleton.set_attached(self, new);
        }
        let kept = header.word() & (flags::HAS_ID | flags::FINALIZER | flags::OLD).bit();
        // A native method that moved its receiver in a block goes on with an empty object of the old layout.
        if let Some(empty) = self.empty_like(tag) {
            // SAFETY: what the old cell owned belongs to the new one; an empty object owns nothing, and both are cells
            // of one layout.
            unsafe {
                std::ptr::copy_nonoverlapping(
                    empty.as_ptr::<u8>(),
                    object.as_ptr::<u8>(),
                    bytes.min(self.cell_bytes(empty)),
                )
            };
        }
        if let Some(header) = object.header() {
            // Without slots: nothing behind the header is looked at.
            // SAFETY: an object without slots fits into every cell.
            unsafe { header.set_word(Tag::Object as u64 | kept | flags::FROZEN.bit()) };
            header.klass.set(husk.value());
            self.write_barrier(object, husk.value());
        }
        new
    }

    /// An empty object of a layout that owns memory; none for those whose lengths are in the header.
    fn empty_like(&mut self, tag: Tag) -> Option<Value> {
        Some(match tag {
            Tag::Array => Array::new(self).value(),
            Tag::Hash => Hash::new(self).value(),
            Tag::String => Str::new(self, b"", Encoding::BINARY).value(),
            Tag::Data => {
                let klass = self.classes().object.get();
                Data::new_empty(self, klass).value()
            }
            Tag::Exception => {
                let klass = self.classes().object.get();
                Exception::new(self, klass, Value::NIL).value()
            }
            Tag::Range => {
                let klass = self.classes().object.get();
                Range::new_empty(self, klass).value()
            }
            _ => return None,
        })
    }

    fn cell_bytes(&self, object: Value) -> usize {
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { self.vm().heap.get_mut() }.cell_bytes(object.bits() as usize)
    }

    /// Exchanges everything that `object` refers to, see `Ctx::references`, for what `exchange` gives for it. Frozen
    /// objects are no exception.
    ///
    /// # Errors
    /// What the `hash` methods of keys raise.
    pub fn exchange_references(&mut self, object: Value, exchange: &dyn Fn(Value) -> Value) -> Result<()> {
        let Some(header) = object.header() else { return Ok(()) };
        for (name, value) in self.ivar_pairs(object) {
            self.ivar_set(object, name, exchange(value));
        }
        match header.tag() {
            Tag::Array => {
                let list = Array::known(object);
                for i in 0..list.len() {
                    let value = exchange(list.get(i).unwrap_or(Value::NIL));
                    list.set(self, i, value);
                }
            }
            Tag::Hash => self.exchange_entries(Hash::known(object), exchange)?,
            Tag::Struct => {
                let members = Struct::known(object);
                for i in 0..members.len() {
                    let value = exchange(members.get(i).unwrap_or(Value::NIL));
                    members.set(self, i, value);
                }
            }
            Tag::Range => {
                let range = Range::known(object);
                range.init(self, exchange(range.begin()), exchange(range.end()), range.exclude_end());
            }
            Tag::Exception => {
                let e = Exception::known(object);
                e.set_message(self, exchange(e.message()));
                e.set_cause(self, exchange(e.cause()));
                e.set_backtrace_value(self, exchange(e.backtrace_value()));
            }
            Tag::Data => {
                Data::known(object).exchange_references(self, exchange);
            }
            _ => {}
        }
        Ok(())
    }

    fn exchange_entries(&mut self, hash: Hash, exchange: &dyn Fn(Value) -> Value) -> Result<()> {
        let default = exchange(hash.default_value());
        if hash.default_proc().is_none() {
            hash.set_default(self, default);
        }
        let entries = hash.keys_and_values(self);
        hash.clear(self);
        for i in (0..entries.len()).step_by(2) {
            let (key, value) = (entries.get(i).unwrap_or(Value::NIL), entries.get(i + 1).unwrap_or(Value::NIL));
            hash.insert(self, exchange(key), exchange(value))?;
        }
        Ok(())
    }
}

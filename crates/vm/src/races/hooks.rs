//! What the interpreter's loop tells the race detector: accesses of the running frame to variables. Variables of the
//! VM's own Ruby code are not told, since programs do not see them; what that code does to containers is.

use super::{Kind, Part};
use crate::code::Site;
use crate::ctx::Ctx;
use crate::frame::Frame;
use crate::method::MethodBody;
use crate::object::{Array, Hash, fast_hash};
use rubellite_bytecode::Op;
use rubellite_value::{Sym, Tag, Value};

impl Ctx {
    /// Whether the code that runs is the program's.
    #[inline]
    fn is_programs(&self, frame: *mut Frame) -> bool {
        // SAFETY: the frame is the running one and runs code.
        unsafe { !(&*(*frame).code).iseq.script.is_internal() }
    }

    /// An instance variable of self, or of the object of an accessor.
    #[inline(never)]
    pub(crate) fn race_ivar(&mut self, frame: *mut Frame, object: Value, name: Sym, kind: Kind) {
        if object.has_tag(Tag::Object) && self.knows_named(object, name.0, kind) {
            return;
        }
        let frozen = object.header().is_none_or(|header| header.frozen());
        if !frozen && self.is_programs(frame) {
            self.race_access(object, Part::Ivar(name), kind);
        }
    }

    /// A call of an accessor without a frame.
    #[inline(never)]
    pub(crate) fn race_accessor(&mut self, object: Value, body: &MethodBody) {
        let (name, kind) = match *body {
            MethodBody::AttrReader(name) => (name, Kind::Read),
            MethodBody::AttrWriter(name) => (name, Kind::Write),
            _ => return,
        };
        if object.has_tag(Tag::Object) && self.knows_named(object, name.0, kind) {
            return;
        }
        if object.header().is_some_and(|header| !header.frozen()) {
            self.race_access(object, Part::Ivar(name), kind);
        }
    }

    /// A variable of an environment.
    #[inline(never)]
    pub(crate) fn race_local(&mut self, frame: *mut Frame, env: Value, slot: u16, kind: Kind) {
        if !self.knows_named(env, u32::from(slot), kind) && self.is_programs(frame) {
            self.race_access(env, Part::Local(u32::from(slot)), kind);
        }
    }

    /// A global variable. Computed ones belong to threads or frames, or guard themselves.
    #[inline(never)]
    pub(crate) fn race_global(&mut self, frame: *mut Frame, name: Sym, kind: Kind) {
        if self.is_programs(frame)
            && let Some(name) = self.plain_global(name)
        {
            self.race_access(Value::NIL, Part::Global(name), kind);
        }
    }

    #[inline(never)]
    pub(crate) fn race_cvar(&mut self, frame: *mut Frame, cref: Value, name: Sym, kind: Kind) {
        if !self.is_programs(frame) {
            return;
        }
        match self.cvar_base(cref) {
            Ok(class) => {
                let owner = class.cvar_owner(self, name).unwrap_or(class);
                self.race_access(owner.value(), Part::ClassVariable(name), kind);
            }
            // The access itself raises again.
            Err(_) => self.clear_pending(),
        }
    }

    /// `recv[index]`, where it is an Array or a Hash.
    #[inline(never)]
    pub(crate) fn race_aref(&mut self, recv: Value, index: Value) {
        let Some(header) = recv.header() else { return };
        match header.tag() {
            Tag::Array if !header.frozen() => self.race_array_index(Array::known(recv), index, false),
            Tag::Hash if !header.frozen() && header.klass.get() == self.classes().hash.get() => {
                self.race_element(recv, index, false)
            }
            _ => {}
        }
    }

    /// `race_aref`, for native methods.
    pub fn race_aref_of(&mut self, recv: Value, index: Value) {
        self.race_aref(recv, index);
    }

    /// `race_aset`, for native methods.
    pub fn race_aset_of(&mut self, recv: Value, index: Value) {
        self.race_aset(recv, index);
    }

    fn race_array_index(&mut self, array: Array, index: Value, writes: bool) {
        let Some(given) = index.as_fixnum() else { return };
        let len = array.len() as i64;
        let at = if given < 0 { given + len } else { given };
        if writes && at >= len {
            self.race_access(array.value(), Part::Container, Kind::Add);
        } else if given < 0 || at >= len {
            self.race_access(array.value(), Part::Container, Kind::SizeRead);
        }
        if let Some(key) = Value::try_fixnum(at) {
            self.race_element(array.value(), key, writes);
        }
    }

    /// `recv[index] = value`, likewise.
    #[inline(never)]
    pub(crate) fn race_aset(&mut self, recv: Value, index: Value) {
        let Some(header) = recv.header() else { return };
        match header.tag() {
            Tag::Array => self.race_array_index(Array::known(recv), index, true),
            Tag::Hash if header.klass.get() == self.classes().hash.get() => self.race_store(recv, index),
            _ => {}
        }
    }

    /// A container is accessed as a whole.
    pub fn race_whole(&mut self, container: Value, kind: Kind) {
        let frozen = container.header().is_none_or(|header| header.frozen());
        if !frozen || !matches!(kind, Kind::AllRead | Kind::SizeRead) {
            self.race_access(container, Part::Container, kind);
        }
    }

    /// An instruction that accesses a global or class variable.
    pub(crate) fn race_variable(&mut self, frame: *mut Frame, op: Op, name: Sym) {
        let kind = if matches!(op, Op::SetGlobal | Op::SetCvar) { Kind::Write } else { Kind::Read };
        match op {
            Op::GetGlobal | Op::SetGlobal => self.race_global(frame, name, kind),
            // SAFETY: the frame is the running one.
            _ => self.race_cvar(frame, unsafe { (*frame).cref }, name, kind),
        }
    }

    /// A key of a Hash is stored. A new one changes what `each` meets.
    pub fn race_store(&mut self, hash: Value, key: Value) {
        let Some(table) = Hash::try_of(hash) else { return };
        // Where asking might call a program's method the key counts as new.
        let known = !key.is_nil() && fast_hash(self, key).is_some() && table.contains(self, key).unwrap_or(false);
        if !known {
            self.race_access(hash, Part::Container, Kind::Add);
        }
        self.race_element(hash, key, true);
    }

    /// `array << value`, where it is an Array.
    #[inline(never)]
    pub(crate) fn race_append(&mut self, recv: Value) {
        if recv.has_tag(Tag::Array) {
            self.race_access(recv, Part::Container, Kind::Add);
        }
    }

    /// An Array is taken apart, or the VM's own Ruby code asks for its length: all of it is read.
    #[inline(never)]
    pub(crate) fn race_spread(&mut self, value: Value) {
        if value.header().is_some_and(|header| header.tag() == Tag::Array && !header.frozen()) {
            self.race_access(value, Part::Container, Kind::AllRead);
        }
    }

    /// The VM's own Ruby code reads an element of self.
    #[inline(never)]
    pub(crate) fn race_self_at(&mut self, array: Value, index: Value) {
        if array.header().is_some_and(|header| header.tag() == Tag::Array && !header.frozen()) {
            self.race_element(array, index, false);
        }
    }

    /// Before a primitive, and behind it: of those that are observed. Behind it the first operand's register may hold
    /// the result.
    #[inline(never)]
    pub(crate) fn race_primitive(&mut self, site: &Site, window: *mut Value, recv: Value, result: Option<Value>) {
        let Some(observer) = self.races().and_then(|races| races.primitives.get(&site.method.get().bits()).copied())
        else {
            return;
        };
        // SAFETY: the operands lie in the window of the running instruction.
        let args = unsafe { crate::call::Args::new(window.add(1), site.argc as usize, false, Value::NIL) };
        match (result, observer.before, observer.after) {
            (None, Some(before), _) => before(self, recv, args),
            (Some(value), _, Some(after)) => after(self, recv, args, value),
            _ => {}
        }
    }
}

//! Which objects several ractors may see.
//!
//! Shareable are numbers, symbols, true, false and nil, classes and modules, ractors and ports, and frozen objects that
//! refer to shareable ones only. What was found shareable stays so, and keeps a flag.

use crate::ctx::Ctx;
use crate::object::{CData, Data, Exception, trace_layout};
use rubellite_value::{Tag, Value, flags};
use rustc_hash::FxHashSet;

impl Ctx {
    /// `Ractor.shareable?`
    pub fn shareable(&self, value: Value) -> bool {
        self.settled(value).unwrap_or_else(|| self.shareable_graph(value))
    }

    /// What the object alone tells; none when it depends on others.
    fn settled(&self, value: Value) -> Option<bool> {
        let Some(header) = value.header() else { return Some(true) };
        if header.has(flags::SHAREABLE) {
            return Some(true);
        }
        match header.tag() {
            Tag::Class | Tag::Module | Tag::Float | Tag::Bignum | Tag::MethodEntry => Some(true),
            Tag::Proc | Tag::Method | Tag::Binding => Some(false),
            Tag::Data if !Data::known(value).frozen_shareable() => Some(false),
            Tag::CData if !CData::known(value).cell().frozen_shareable() => Some(false),
            Tag::Rational | Tag::Complex => None,
            _ if header.frozen() => None,
            _ => Some(false),
        }
    }

    fn shareable_graph(&self, root: Value) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![root]; // tidy: reachable from the root, and nothing is collected meanwhile
        seen.insert(root);
        while let Some(object) = open.pop() {
            let mut shared = true;
            self.references(object, &mut |value| match self.settled(value) {
                Some(answer) => shared &= answer,
                None if seen.insert(value) => open.push(value),
                None => {}
            });
            if !shared {
                return false;
            }
        }
        for object in seen {
            if let Some(header) = object.header() {
                header.set(flags::SHAREABLE);
            }
        }
        true
    }

    /// Shows what an object refers to as Ruby sees it: instance variables, elements, members, defaults.
    pub fn references(&self, object: Value, visit: &mut dyn FnMut(Value)) {
        for (_, value) in self.ivar_pairs(object) {
            visit(value);
        }
        if let Some(e) = Exception::try_of(object) {
            for value in [e.message(), e.cause(), e.backtrace_value()] {
                visit(value.defined().unwrap_or(Value::NIL));
            }
        }
        trace_layout(object, visit);
    }

    /// Flags an object as shareable: of a class whose objects are by their nature, or one that was just made so.
    pub fn set_shareable(&self, object: Value) {
        if let Some(header) = object.header() {
            header.set(flags::SHAREABLE);
        }
    }

    /// Freezes an object that is shareable then.
    pub fn freeze_shareable(&self, object: Value) {
        if let Some(header) = object.header() {
            header.set(flags::FROZEN | flags::SHAREABLE);
        }
    }

    /// Whether a frozen object of this kind may be shareable.
    pub fn may_be_shareable(&self, object: Value) -> bool {
        match object.header().map(|h| h.tag()) {
            Some(Tag::Proc | Tag::Method | Tag::Binding) => false,
            Some(Tag::Data) => Data::known(object).frozen_shareable(),
            Some(Tag::CData) => CData::known(object).cell().frozen_shareable(),
            _ => true,
        }
    }

    /// Whether the object refers to shareable ones only.
    pub fn refers_to_shareable(&self, object: Value) -> bool {
        let mut all = true;
        self.references(object, &mut |value| all &= self.shareable(value));
        all
    }
}

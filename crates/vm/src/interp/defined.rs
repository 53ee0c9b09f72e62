//! `defined?`: what it answers for variables, constants, methods, `yield` and `super`.

use crate::class::Class;
use crate::ctx::Ctx;
use crate::frame::Frame;
use crate::method::Visibility;
use crate::object::Str;
use crate::{Encoding, Result};
use rubellite_bytecode::Insn;
use rubellite_value::{Value, flags};
use std::cell::Cell;

/// What `defined_check` answers.
const TEXTS: [&str; 7] =
    ["instance-variable", "global-variable", "class variable", "constant", "method", "yield", "super"];

/// The Strings that were made for them; nil: none yet.
pub(crate) struct Texts([Cell<Value>; TEXTS.len()]);

impl Default for Texts {
    fn default() -> Self {
        Texts([const { Cell::new(Value::NIL) }; TEXTS.len()])
    }
}

impl Texts {
    pub(crate) fn trace(&self, mark: impl FnMut(Value)) {
        self.0.iter().map(Cell::get).for_each(mark);
    }
}

impl Ctx {
    pub(crate) fn defined_check(&mut self, frame: *mut Frame, insn: Insn) -> Result {
        // SAFETY: the frame is the running one.
        let f = unsafe { &*frame };
        // SAFETY: register operands lie within the frame.
        let operand = unsafe { *f.base.add(insn.c as usize) };
        // SAFETY: the frame's code is live.
        let name = unsafe { &*f.code }.names.get(insn.b as usize).copied().unwrap_or(rubellite_value::Sym(0));
        let me = f.self_value();
        let text = match insn.x {
            0 => (!self.ivar_get(me, name).is_undef()).then_some("instance-variable"),
            1 => self.global_defined(name).then_some("global-variable"),
            2 => self.cvar_class(f.cref).and_then(|class| class.cvar_owner(self, name)).map(|_| "class variable"),
            3 => self.const_defined_lexically(f.cref, name)?.then_some("constant"),
            4 | 5 => {
                let scope = if insn.x == 5 { self.classes().object.get() } else { operand };
                match Class::try_of(scope) {
                    Some(class) => self
                        .visible_const(class, name, Some(false))?
                        .filter(|(_, e)| !e.flags.private)
                        .map(|_| "constant"),
                    None => None,
                }
            }
            6 => self.method_defined(operand, name, false, me)?.then_some("method"),
            7 => self.method_defined(me, name, true, me)?.then_some("method"),
            8 => (!f.block.is_nil()).then_some("yield"),
            9 => match f.method() {
                Some(method) => {
                    let class = self.dispatch_class(me);
                    self.find_super(class, &method, f.pos).method.map(|_| "super")
                }
                None => None,
            },
            10 | 11 => {
                let part = if insn.x == 10 {
                    crate::vm::MatchPart::Group(insn.b as usize)
                } else {
                    crate::vm::MatchPart::Special(insn.b as u8)
                };
                let matched = self.last_match();
                let defined = !matched.is_nil()
                    && ((insn.x == 11 && insn.b == 0) || !(self.vm().hooks().match_part)(self, matched, part).is_nil());
                defined.then_some("global-variable")
            }
            _ => None,
        };
        Ok(match text {
            Some(text) => self.defined_text(text),
            None => Value::NIL,
        })
    }

    /// The String for what `defined?` finds of this kind of variable, or nil: there is none yet.
    pub(crate) fn known_defined_text(&self, kind: usize) -> Value {
        self.vm().defined_texts.0[kind].get()
    }

    /// The frozen String for what `defined?` has found, which is always the same one.
    fn defined_text(&mut self, text: &'static str) -> Value {
        let Some(index) = TEXTS.iter().position(|known| *known == text) else { return Value::NIL };
        let known = self.vm().defined_texts.0[index].get();
        if !known.is_nil() {
            return known;
        }
        let string = Str::new(self, text.as_bytes(), Encoding::US_ASCII);
        string.header().set(flags::FROZEN);
        let string = self.interned(string).value();
        self.vm().defined_texts.0[index].set(string);
        string
    }

    fn method_defined(
        &mut self,
        receiver: Value,
        name: rubellite_value::Sym,
        self_call: bool,
        caller: Value,
    ) -> Result<bool> {
        let class = self.dispatch_class(receiver);
        let refined = self.find_refined_by_caller(class, name).and_then(|found| found.method);
        if let Some(method) = refined.or_else(|| class.find_method(self, name).method) {
            return Ok(match method.visibility() {
                Visibility::Public => true,
                Visibility::Private => self_call,
                Visibility::Protected => self_call || self.lets_in(method, caller),
            });
        }
        self.respond_missing(receiver, name, self_call)
    }

    fn respond_missing(&mut self, receiver: Value, name: rubellite_value::Sym, private: bool) -> Result<bool> {
        let (missing, responder) = (self.names().respond_to_missing, self.names().respond_to);
        // Whether there is a `respond_to_missing?` is what `respond_to?` of the program says.
        if !self.overridden(receiver, missing) && !self.overridden(receiver, responder) {
            return Ok(false);
        }
        match self.check_call(receiver, missing, &[Value::symbol(name), Value::from_bool(private)])? {
            Some(answer) => Ok(answer.truthy()),
            None => Ok(false),
        }
    }
}

//! Bindings of code whose locals the compiler has left in registers, because nothing in it looked as if it made a
//! binding: they are given copies of the values, which they keep for themselves.

use super::{env_owners, is_plain_name};
use crate::Ctx;
use crate::code::Code;
use crate::frame::{Frame, frame_flags};
use crate::object::binding::env_names;
use crate::object::{Array, Binding, Env};
use rubellite_bytecode::{ISeq, ISeqKind, Insn, Lines, Local, Op, Params, Place, Text};
use rubellite_value::{Tag, Value};
use std::sync::Arc;

impl Ctx {
    /// Copies the locals that live in registers, of the code in `frame` and of what is around it as far as it is
    /// running, to an environment that the binding has for itself. `frame` is live or null.
    pub(crate) fn add_register_locals(&mut self, binding: Binding, frame: *mut Frame) {
        let owners = env_owners(binding.parts().env);
        let mut seen: Vec<Text> = Vec::new();
        let mut locals: Vec<Local> = Vec::new();
        let values = Array::new_in(self, Value::HIDDEN);
        let mut at = frame;
        let mut around = None;
        while !at.is_null() {
            // SAFETY: the frame is live: the caller says so, or it was checked.
            let f = unsafe { &*at };
            let Some(code) = f.code() else { break };
            around.get_or_insert_with(|| code.iseq().clone());
            // Variables of code farther in hide those farther out.
            let hidden = seen.clone();
            for local in &code.iseq().locals {
                let Place::Reg(reg) = local.place else { continue };
                if !is_plain_name(local.name.bytes()) || hidden.iter().any(|name| name.bytes() == local.name.bytes()) {
                    continue;
                }
                // SAFETY: the frame's registers hold its locals.
                let value = unsafe { *f.base.add(reg as usize) };
                values.push(self, value.defined().unwrap_or(Value::NIL));
                locals.push(Local { name: local.name.clone(), place: Place::Env(locals.len() as u16) });
                seen.push(local.name.clone());
            }
            if let Some(owner) = owners.iter().find(|owner| Arc::ptr_eq(owner.iseq(), code.iseq())) {
                seen.extend(env_names(owner.iseq()));
            }
            at = if f.has(frame_flags::BLOCK) && self.frame_alive(f.home, f.home_id) {
                f.home
            } else {
                std::ptr::null_mut()
            };
        }
        let Some(around) = around.filter(|_| !locals.is_empty()) else { return };
        let scope = Code::new(self, Arc::new(scope_of_locals(&around, locals)));
        let parts = binding.parts();
        let env = Env::new(self, values.len(), parts.env);
        Env::known(env).set_owner(self, scope.value());
        for slot in 0..values.len() {
            Env::known(env).set(self, slot, values.get(slot).unwrap_or(Value::NIL));
        }
        let scopes = Array::from_slice_in(self, Value::HIDDEN, &[scope.value()]);
        if parts.scopes.has_tag(Tag::Array) {
            scopes.concat(self, Array::known(parts.scopes));
        }
        binding.extend(self, env, scopes.value());
    }
}

/// Code that stands for a scope with these locals in an environment; it is never run.
pub(super) fn scope_of_locals(around: &ISeq, locals: Vec<Local>) -> ISeq {
    ISeq {
        kind: ISeqKind::Eval,
        name: around.name.clone(),
        script: around.script.clone(),
        serial: around.serial,
        line: around.line,
        block_level: around.block_level,
        home: around.home,
        params: Params::default(),
        register_count: 1,
        local_end: 1,
        env_size: locals.len() as u16,
        locals: locals.into(),
        insns: [Insn::abc(Op::Return, 0, 0, 0)].into(),
        lines: Lines::default(),
        statements: Lines::default(),
        rescues: Lines::default(),
        body: 0,
        consts: Default::default(),
        names: Box::default(),
        sites: Box::default(),
        children: Default::default(),
        catches: Default::default(),
        cache_count: 0,
        case_count: 0,
        uses_block: false,
    }
}

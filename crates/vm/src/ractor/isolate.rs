//! Blocks cut off from the scopes they were written in, so that another ractor may run them.
//!
//! What a block uses of the scopes around it is read off its code: the environments that it and the blocks in it reach
//! beyond their own.

use crate::Result;
use crate::ctx::Ctx;
use crate::object::binding::env_names;
use crate::object::proc::ProcBody;
use crate::object::{Env, Proc};
use rubellite_bytecode::{ISeq, ISeqKind, Intrinsic, Op};
use rubellite_value::{Tag, Value};

/// A variable of an outer scope: how many environments further out than the block's own, and which of them.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Outer {
    depth: usize,
    slot: usize,
}

/// What a block uses of the scopes around it, in the order of the code.
#[derive(Default)]
struct Uses {
    read: Vec<Outer>,
    written: Vec<Outer>,
    yields: bool,
}

impl Uses {
    fn of(iseq: &ISeq) -> Uses {
        let mut uses = Uses::default();
        each_access(iseq, 0, &mut |access| match access {
            Access::Variable { outer: Some(outer), write } => {
                let list = if write { &mut uses.written } else { &mut uses.read };
                if !list.contains(&outer) {
                    list.push(outer);
                }
            }
            Access::Variable { outer: None, .. } => {}
            Access::Block => uses.yields = true,
        });
        uses
    }
}

enum Access {
    /// `None`: a variable of the code itself or of a block in it.
    Variable { outer: Option<Outer>, write: bool },
    /// `yield`, or the block of the method as a value.
    Block,
}

/// Shows each access to a variable in an environment, and each use of the method's block, in the code and the blocks in
/// it. `inner` is how many environments lie between the code and the one in question.
fn each_access(iseq: &ISeq, inner: usize, show: &mut dyn FnMut(Access)) {
    let inner = inner + usize::from(iseq.env_size > 0);
    for (at, insn) in iseq.insns.iter().enumerate() {
        match insn.op {
            Op::GetEnv | Op::SetEnv => {
                let outer = (insn.x as usize).checked_sub(inner).map(|depth| Outer { depth, slot: insn.b as usize });
                show(Access::Variable { outer, write: insn.op == Op::SetEnv });
            }
            Op::Intrinsic if insn.x == Intrinsic::GetFar as u8 || insn.x == Intrinsic::SetFar as u8 => {
                let number = |before: usize| iseq.insns[at - before].bc().max(0) as usize;
                let outer = number(1).checked_sub(inner).map(|depth| Outer { depth, slot: number(2) });
                show(Access::Variable { outer, write: insn.x == Intrinsic::SetFar as u8 });
            }
            Op::Yield | Op::GetBlock => show(Access::Block),
            _ => {}
        }
    }
    for child in iseq.children.iter().filter(|child| matches!(child.kind, ISeqKind::Block | ISeqKind::Lambda)) {
        each_access(child, inner, show);
    }
}

/// Whether the variable in `slot` of the environment that `owner` makes is set in more than one place.
fn reassigned(owner: &ISeq, slot: usize) -> bool {
    let mut sets = 0;
    count_sets(owner, 0, slot, &mut sets);
    sets > 1
}

fn count_sets(iseq: &ISeq, level: usize, slot: usize, sets: &mut usize) {
    *sets += iseq
        .insns
        .iter()
        .filter(|insn| insn.op == Op::SetEnv && insn.x as usize == level && insn.b as usize == slot)
        .count();
    for child in iseq.children.iter().filter(|child| matches!(child.kind, ISeqKind::Block | ISeqKind::Lambda)) {
        count_sets(child, level + usize::from(child.env_size > 0), slot, sets);
    }
}

impl Ctx {
    /// A copy of a block for a ractor: it uses nothing around it, and `self_value` is its self.
    ///
    /// # Errors
    /// IsolationError when it uses variables of outer scopes or `yield`.
    pub fn isolated_proc(&mut self, proc: Proc, self_value: Value) -> Result<Proc> {
        let klass = self.classes().proc.get();
        let copy = proc.copy(self, klass, proc.is_lambda());
        copy.set_self(self, self_value);
        if let ProcBody::Code(code) = copy.body() {
            let uses = Uses::of(code.iseq());
            let mut outer = uses.read.clone();
            outer.extend(uses.written.iter().filter(|w| !uses.read.contains(w)));
            let env = copy.captured().env;
            self.refuse_outer("isolate a Proc", env, &outer, uses.yields)?;
            let env = self.isolated_env(env, &[])?;
            copy.isolate(self, env);
        }
        self.set_shareable(copy.value());
        Ok(copy)
    }

    /// Makes a Proc shareable: variables of outer scopes that it reads keep their values in it. `self_value`: its new
    /// self.
    ///
    /// # Errors
    /// IsolationError when its self is not shareable, when it assigns such variables, when one may be assigned again or
    /// refers to what is not shareable; RuntimeError for Procs that have no Ruby code.
    pub fn make_proc_shareable(&mut self, proc: Proc, self_value: Option<Value>) -> Result<()> {
        if let Some(new) = self_value {
            proc.set_self(self, new);
        }
        match proc.body() {
            ProcBody::Symbol(_) => {}
            ProcBody::Code(code) => {
                if !self.shareable(proc.captured().self_value) {
                    let text = self.inspect(proc.value())?;
                    return Err(self.isolation_error(&format!("Proc's self is not shareable: {text}")));
                }
                let uses = Uses::of(code.iseq());
                let env = proc.captured().env;
                self.refuse_outer("make a Proc shareable", env, &uses.written, uses.yields)?;
                let env = self.isolated_env(env, &uses.read)?;
                proc.isolate(self, env);
            }
            _ => return Err(self.raise_error("RuntimeError", "not supported yet")),
        }
        self.freeze_shareable(proc.value());
        Ok(())
    }

    fn refuse_outer(&mut self, what: &str, env: Value, outer: &[Outer], yields: bool) -> Result<()> {
        if outer.is_empty() {
            return if yields {
                Err(self.isolation_error(&format!("can not {what} because it uses 'yield'.")))
            } else {
                Ok(())
            };
        }
        let names: Vec<String> = outer.iter().filter_map(|at| variable_name(env, *at)).collect();
        let list = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
        let end = if yields { " and uses 'yield'." } else { "." };
        Err(self.isolation_error(&format!("can not {what} because it accesses outer variables{list}{end}")))
    }

    /// A copy of a chain of environments in which only the variables of `keep` have their values.
    fn isolated_env(&mut self, env: Value, keep: &[Outer]) -> Result {
        if !env.has_tag(Tag::Env) {
            return Ok(env);
        }
        let below: Vec<Outer> =
            keep.iter().filter(|at| at.depth > 0).map(|at| Outer { depth: at.depth - 1, ..*at }).collect();
        let source = Env::known(env);
        let parent = self.isolated_env(source.parent(), &below)?;
        let owner = source.owner();
        let size = if owner.has_tag(Tag::Code) { crate::code::Code::known(owner).iseq().env_size as usize } else { 0 };
        let copy = Env::new(self, size, parent);
        Env::known(copy).set_owner(self, owner);
        Env::known(copy).set_isolated();
        for at in keep.iter().filter(|at| at.depth == 0 && at.slot < size) {
            let value = source.get(at.slot);
            let name = variable_name(env, *at);
            if reassigned(crate::code::Code::known(owner).iseq(), at.slot) {
                let name = name.unwrap_or_default();
                return Err(self.isolation_error(&format!(
                    "cannot make a shareable Proc because the outer variable '{name}' may be reassigned."
                )));
            }
            if !self.shareable(value) {
                let text = self.inspect(value)?;
                let from = name.map_or("a hidden variable".to_string(), |name| format!("variable '{name}'"));
                let message =
                    format!("cannot make a shareable Proc because it can refer unshareable object {text} from {from}");
                return Err(self.isolation_error(&message));
            }
            Env::known(copy).set(self, at.slot, value);
        }
        Ok(copy)
    }

    /// Refuses code of an eval that uses variables from outside an isolated block. `env` is the environment it runs in.
    pub(crate) fn check_isolated_eval(&mut self, iseq: &ISeq, env: Value) -> Result<()> {
        let (mut at, mut depth) = (env, 0);
        while at.has_tag(Tag::Env) && !Env::known(at).isolated() {
            at = Env::known(at).parent();
            depth += 1;
        }
        if !at.has_tag(Tag::Env) {
            return Ok(());
        }
        let uses = Uses::of(iseq);
        let Some(outer) = uses.read.iter().chain(&uses.written).find(|outer| outer.depth >= depth) else {
            return Ok(());
        };
        let name = variable_name(env, *outer).unwrap_or_default();
        Err(self.raise_error("SyntaxError", &format!("can not access variable '{name}' from isolated Proc")))
    }
}

fn variable_name(env: Value, at: Outer) -> Option<String> {
    let mut env = env;
    for _ in 0..at.depth {
        env = env.has_tag(Tag::Env).then(|| Env::known(env).parent())?;
    }
    let owner = env.has_tag(Tag::Env).then(|| Env::known(env).owner()).filter(|owner| owner.has_tag(Tag::Code))?;
    let names = env_names(crate::code::Code::known(owner).iseq());
    let name = names.get(at.slot).filter(|name| !name.bytes().is_empty())?;
    Some(String::from_utf8_lossy(name.bytes()).into_owned())
}

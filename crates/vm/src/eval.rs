//! Running source: scripts, eval with bindings.

use crate::class::Class;
use crate::code::Code;
use crate::ctx::Ctx;
use crate::frame::{Frame, as_frame_block, frame_flags};
use crate::method::MethodBody;
use crate::object::binding::{Binding, BindingParts, Home, env_names, scope_codes};
use crate::object::{Array, Cref, Env, Proc};
use crate::vm::CompileRequest;
use crate::{Encoding, Result};
use rubellite_bytecode::{ISeq, ISeqKind, Local, Op, Origin, Place, Text};
use rubellite_value::{Sym, Tag, Value};
use std::sync::Arc;

mod registers;

/// Where code is run.
#[derive(Copy, Clone)]
struct Scope {
    self_value: Value,
    env: Value,
    cref: Value,
    method: Value,
    pos: u32,
    block: Value,
    flags: u16,
    home: Home,
}

impl Ctx {
    /// `--enable=frozen-string-literal` and its opposite; none: literals are chilled.
    pub fn frozen_string_literal_default(&self) -> Option<bool> {
        self.vm().frozen_string_literal_default.get()
    }

    pub fn set_frozen_string_literal_default(&self, default: Option<bool>) {
        self.vm().frozen_string_literal_default.set(default);
    }

    /// `--debug-frozen-string-literal`: whether string literals note where they were made.
    pub fn notes_literals(&self) -> bool {
        self.vm().notes_literals.get()
    }

    pub fn set_notes_literals(&self, on: bool) {
        self.vm().notes_literals.set(on);
    }

    /// Compiles and runs a file's source at toplevel (`require`, `load`, the main script).
    pub fn run_source(&mut self, source: &[u8], path: &str, main: bool) -> Result {
        let kind = if main { ISeqKind::Main } else { ISeqKind::Top };
        let request = CompileRequest { main, ..CompileRequest::program(source, path, kind) };
        let iseq = (self.vm().hooks().compile)(self, request)?;
        self.trace_script(&iseq, None)?;
        self.run_toplevel(iseq, None)
    }

    /// Compiles and runs a part of the runtime that is written in Ruby, under the path `<internal:NAME>`.
    pub fn run_internal(&mut self, source: &str, name: &str) -> Result {
        let iseq = self.compile_internal(source, name)?;
        self.trace_script(&iseq, None)?;
        self.run_toplevel(iseq, None)
    }

    /// The same as the body of a class: its methods become public ones of `class`.
    pub fn run_internal_in(&mut self, source: &str, name: &str, class: Class) -> Result {
        let iseq = self.compile_internal(source, name)?;
        let code = Code::link(self, iseq);
        let object = self.classes().object.get();
        let around = Cref::new(self, object, Value::NIL, false);
        let cref = Cref::new(self, class.value(), around, false);
        let scope = Scope {
            self_value: class.value(),
            env: Value::NIL,
            cref,
            method: Value::NIL,
            pos: 0,
            block: Value::NIL,
            flags: frame_flags::TOP,
            home: Home::NONE,
        };
        self.run_code(code, scope).map(|(value, _)| value)
    }

    fn compile_internal(&mut self, source: &str, name: &str) -> Result<Arc<ISeq>> {
        let path = format!("<internal:{name}>");
        let origin = if self.booted() { Origin::Library } else { Origin::Core };
        let request = CompileRequest { origin, ..CompileRequest::program(source.as_bytes(), &path, ISeqKind::Top) };
        let iseq = (self.vm().hooks().compile)(self, request)?;
        self.check_primitives(&iseq);
        Ok(iseq)
    }

    /// Runs toplevel code. `wrap`: a module that stands in for Object as the place of definitions (`load(file, true)`),
    /// and the object that is self instead of main.
    pub fn run_toplevel(&mut self, iseq: Arc<ISeq>, wrap: Option<(Value, Value)>) -> Result {
        let code = Code::link(self, iseq);
        let object = self.classes().object.get();
        let mut cref = Cref::new(self, object, Value::NIL, false);
        if let Some((module, _)) = wrap {
            cref = Cref::new(self, module, cref, false);
        }
        Cref::known(cref).set_visibility(if self.vm().booted.get() {
            crate::Visibility::Private
        } else {
            crate::Visibility::Public
        });
        let main = wrap.map_or(self.vm().main_object.get(), |(_, object)| object);
        if code.iseq().kind == ISeqKind::Main && self.vm().booted.get() {
            return self.run_main(code, cref);
        }
        let scope = Scope {
            self_value: main,
            env: Value::NIL,
            cref,
            method: Value::NIL,
            pos: 0,
            block: Value::NIL,
            flags: frame_flags::TOP,
            home: Home::NONE,
        };
        self.run_code(code, scope).map(|(value, _)| value)
    }

    /// Runs the main script, whose captured variables TOPLEVEL_BINDING sees.
    fn run_main(&mut self, code: Code, cref: Value) -> Result {
        let main = self.vm().main_object.get();
        let scope = Scope {
            self_value: main,
            env: Value::NIL,
            cref,
            method: Value::NIL,
            pos: 0,
            block: Value::NIL,
            flags: frame_flags::TOP,
            home: Home::NONE,
        };
        let toplevel = self.vm().toplevel_binding.get();
        if code.data().env_size > 0 && toplevel.has_tag(Tag::Binding) {
            // Files required before may have given it variables, which the script does not see.
            let before = Binding::known(toplevel).parts();
            return self.eval_keeping(
                Binding::known(toplevel),
                code,
                Scope { env: before.env, ..scope },
                before.scopes,
            );
        }
        self.run_code(code, scope).map(|(value, _)| value)
    }

    /// Makes TOPLEVEL_BINDING; the main script adds its variables when it runs.
    pub fn make_toplevel_binding(&mut self) -> Value {
        let object = self.classes().object.get();
        let cref = Cref::new(self, object, Value::NIL, false);
        let parts = BindingParts {
            self_value: self.vm().main_object.get(),
            env: Value::NIL,
            scopes: Array::new(self).value(),
            cref,
            method: Value::NIL,
            block: Value::NIL,
            pos: 0,
            line: 1,
            code: Value::NIL,
            home: Home::NONE,
        };
        let klass = self.classes().binding.get();
        let binding = Binding::new(self, klass, parts).value();
        self.vm().toplevel_binding.set(binding);
        binding
    }

    /// Runs code in a scope; also returns the environment it ran in.
    fn run_code(&mut self, code: Code, scope: Scope) -> Result<(Value, Value)> {
        let base = self.window_top();
        let data = code.data();
        self.check_room(base, data)?;
        // SAFETY: the room was checked.
        unsafe { *base = scope.self_value };
        let saved = self.sp;
        let flags = scope.flags | frame_flags::FINISH;
        let frame = self.push_frame(base, data, 0, scope.method, scope.pos, scope.cref, scope.block, 0, flags);
        self.enter_scope(frame, data, scope.env);
        // SAFETY: just pushed.
        let env = unsafe {
            ((*frame).home, (*frame).home_id) = (scope.home.frame, scope.home.id);
            (*frame).env
        };
        let result = self.run();
        self.sp = saved;
        result.map(|value| (value, env))
    }

    /// Whether another native method has called the one that runs. What `send` calls is called by the caller of `send`.
    pub fn called_by_native(&self) -> bool {
        let caller = self.frame.wrapping_sub(1);
        if caller < self.stack.frames {
            return false;
        }
        // SAFETY: below a live frame that is not the first lies the frame of its caller.
        let method = unsafe { (*caller).method().filter(|_| (*caller).is_native()) };
        method.is_some_and(|method| !matches!(self.sym_bytes(method.resolved().name()), b"send" | b"__send__"))
    }

    /// A Binding of the calling Ruby code.
    pub fn caller_binding(&mut self) -> Option<Binding> {
        let frame = self.ruby_frame_ptr()?;
        let binding = self.binding_of_frame(frame);
        self.add_register_locals(binding, frame);
        Some(binding)
    }

    pub(crate) fn binding_of_frame(&mut self, frame: *mut Frame) -> Binding {
        // SAFETY: the frame is live.
        let own = unsafe { (*frame).block };
        let block = self.block_to_value(own);
        // SAFETY: as above.
        unsafe { (*frame).block = block };
        let codes = self.scopes_of_frame(frame);
        // Ruby code must not come across the codes in it.
        let list = Array::new_in(self, Value::HIDDEN);
        for code in codes {
            list.push(self, code.value());
        }
        let home = Home { frame, id: self.frame_id(frame) };
        // SAFETY: as above.
        let f = unsafe { &*frame };
        let parts = BindingParts {
            self_value: f.self_value(),
            env: f.env,
            scopes: list.value(),
            cref: f.cref,
            method: f.method,
            block,
            pos: f.pos,
            line: f.line(),
            code: f.code().map_or(Value::NIL, |c| c.value()),
            home,
        };
        let klass = self.classes().binding.get();
        Binding::new(self, klass, parts)
    }

    /// Codes that own the environments of `frame`'s chain, innermost first.
    fn scopes_of_frame(&self, frame: *mut Frame) -> Vec<Code> {
        // SAFETY: the frame is live.
        let f = unsafe { &*frame };
        env_owners(f.env)
    }

    /// `Proc#binding`. Of locals that no block captures it has copies, where the code around the block still runs.
    pub fn proc_binding(&mut self, proc: Proc) -> Option<Binding> {
        let captured = proc.captured();
        let code = match proc.body() {
            crate::object::proc::ProcBody::Code(code) => *code,
            _ => return None,
        };
        let list = Array::new(self);
        for owner in env_owners(captured.env) {
            list.push(self, owner.value());
        }
        let parts = BindingParts {
            self_value: captured.self_value,
            env: captured.env,
            scopes: list.value(),
            cref: captured.cref,
            method: captured.method,
            block: captured.block,
            pos: captured.pos,
            line: code.iseq().line,
            code: code.value(),
            home: Home { frame: captured.home, id: captured.home_id },
        };
        let klass = self.classes().binding.get();
        let binding = Binding::new(self, klass, parts);
        if self.frame_alive(captured.home, captured.home_id) {
            self.add_register_locals(binding, captured.home);
        }
        Some(binding)
    }

    /// Evaluates source with the variables of a binding.
    pub fn eval_in_binding(
        &mut self,
        binding: Binding,
        source: &[u8],
        path: &str,
        line: i32,
        encoding: Encoding,
    ) -> Result {
        self.eval_keeping_using(binding, source, path, line, encoding, false)
    }

    /// The same; `keeps_using`: later evals in the binding see the refinements that `using` activates in the source.
    pub fn eval_keeping_using(
        &mut self,
        binding: Binding,
        source: &[u8],
        path: &str,
        line: i32,
        encoding: Encoding,
        keeps_using: bool,
    ) -> Result {
        let parts = binding.parts();
        let scopes = scope_codes(self, parts.scopes);
        let names: Vec<Vec<Text>> = scopes.iter().map(|c| env_names(c.iseq())).collect();
        // A method whose code has no environment is known by its entry alone.
        let entry = match scopes.last() {
            None if parts.method.has_tag(Tag::MethodEntry) => {
                match crate::Method::known(parts.method).resolved().body() {
                    MethodBody::Code { code, .. } => Some(*code),
                    _ => None,
                }
            }
            last => last.copied(),
        };
        let method_params = entry
            .as_ref()
            .map(|code| code.iseq())
            .filter(|iseq| iseq.kind == ISeqKind::Method)
            .map(|iseq| &iseq.params);
        let in_method = !parts.method.is_nil() || !parts.block.is_nil();
        let around = Code::try_of(parts.code);
        let around = around.as_ref().map(Code::iseq);
        let request = CompileRequest {
            source,
            path,
            line,
            kind: ISeqKind::Eval,
            scopes: names,
            encoding,
            in_method,
            method_params,
            around,
            main: false,
            origin: Origin::Program,
        };
        let iseq = (self.vm().hooks().compile)(self, request)?;
        self.check_isolated_eval(&iseq, parts.env)?;
        self.trace_script(&iseq, Some((source, encoding)))?;
        let keeps = iseq.env_size > 0;
        let code = Code::link(self, iseq);
        // `private` in the source ends with it, and `using`, unless the binding keeps that.
        let cref = Cref::try_of(parts.cref).map_or(parts.cref, |scope| {
            let scope = scope.copy(self);
            if keeps_using {
                scope.set_binding(self, binding.value());
            }
            scope.value()
        });
        let BindingParts { self_value, env, method, pos, block, home, .. } = parts;
        let scope = Scope { self_value, env, cref, method, pos, block, flags: frame_flags::EVAL, home };
        if keeps {
            return self.eval_keeping(binding, code, scope, parts.scopes);
        }
        self.run_code(code, scope).map(|(value, _)| value)
    }

    /// An eval that defines variables: its environment becomes the binding's innermost, also when it fails.
    fn eval_keeping(&mut self, binding: Binding, code: Code, scope: Scope, scopes: Value) -> Result {
        let env = Env::new(self, code.data().env_size as usize, scope.env);
        self.extend_binding(binding, env, code, scopes);
        let base = self.window_top();
        let data = code.data();
        self.check_room(base, data)?;
        // SAFETY: the room was checked.
        unsafe { *base = scope.self_value };
        let saved = self.sp;
        let frame = self.push_frame(
            base,
            data,
            0,
            scope.method,
            scope.pos,
            scope.cref,
            scope.block,
            0,
            scope.flags | frame_flags::FINISH,
        );
        for i in data.first_local..data.local_end {
            // SAFETY: the registers fit.
            unsafe { *base.add(i as usize) = Value::NIL };
        }
        // SAFETY: just pushed.
        unsafe {
            (*frame).env = env;
            ((*frame).home, (*frame).home_id) = (scope.home.frame, scope.home.id);
        }
        let result = self.run();
        self.sp = saved;
        result
    }

    /// Evaluates source with another self (`instance_eval`, `class_eval` with a string). Definitions go to `definee`
    /// or, without one, to the singleton class of self.
    pub fn eval_with_self(
        &mut self,
        source: &[u8],
        path: &str,
        line: i32,
        encoding: Encoding,
        self_value: Value,
        definee: Option<Class>,
    ) -> Result {
        let Some(binding) = self.caller_binding() else { return Ok(Value::NIL) };
        let parts = binding.parts();
        let cref = match definee {
            Some(module) => Cref::new(self, module.value(), parts.cref, false),
            None => Cref::new_for_receiver(self, self_value, parts.cref),
        };
        let klass = self.classes().binding.get();
        let inner = Binding::new(self, klass, BindingParts { self_value, cref, ..parts });
        self.eval_in_binding(inner, source, path, line, encoding)
    }

    /// Names and values of a binding's variables, innermost first, each name once.
    // tidy: values of environments that the binding keeps
    pub fn binding_locals(&mut self, binding: Binding) -> Vec<(rubellite_value::Sym, Value)> {
        let parts = binding.parts();
        // tidy: values of environments that the binding keeps
        let mut found: Vec<(rubellite_value::Sym, Value)> = Vec::new();
        let mut env = parts.env;
        for code in scope_codes(self, parts.scopes) {
            for local in &code.iseq().locals {
                if let Place::Env(slot) = local.place
                    && is_plain_name(local.name.bytes())
                {
                    let sym = self.intern_text(&local.name);
                    if !found.iter().any(|(s, _)| *s == sym) {
                        found.push((sym, Env::known(env).get(slot as usize)));
                    }
                }
            }
            env = Env::known(env).parent();
        }
        found
    }

    /// Sets a variable of a binding; false when there is none of that name.
    pub fn binding_local_set(&mut self, binding: Binding, name: rubellite_value::Sym, value: Value) -> bool {
        let parts = binding.parts();
        let mut env = parts.env;
        for code in scope_codes(self, parts.scopes) {
            let slot = env_names(code.iseq())
                .iter()
                .position(|text| text.bytes()[..] == *self.sym_bytes(name) && self.intern_text(text) == name);
            if let Some(slot) = slot {
                Env::known(env).set(self, slot, value);
                return true;
            }
            env = Env::known(env).parent();
        }
        false
    }

    /// Defines a variable that a binding does not have: an environment of its own becomes the binding's innermost, as
    /// if an eval had assigned it.
    pub fn binding_local_define(&mut self, binding: Binding, name: rubellite_value::Sym, value: Value) -> Result<()> {
        let parts = binding.parts();
        let around = match scope_codes(self, parts.scopes).into_iter().next() {
            Some(code) => code.iseq().clone(),
            None => {
                let request = CompileRequest::program(b"", "(binding)", ISeqKind::Eval);
                (self.vm().hooks().compile)(self, request)?
            }
        };
        // No source: a name may be a word of the language.
        let text = Text::new(self.sym_bytes(name), self.sym_encoding(name));
        let scope = registers::scope_of_locals(&around, vec![Local { name: text, place: Place::Env(0) }]);
        let code = Code::new(self, Arc::new(scope));
        let env = Env::new(self, 1, parts.env);
        self.extend_binding(binding, env, code, parts.scopes);
        self.binding_local_set(binding, name, value);
        Ok(())
    }

    /// Puts an environment and its code in front of those of a binding.
    fn extend_binding(&mut self, binding: Binding, env: Value, code: Code, scopes: Value) {
        Env::known(env).set_owner(self, code.value());
        let list = Array::from_slice_in(self, Value::HIDDEN, &[code.value()]);
        if scopes.has_tag(Tag::Array) {
            list.concat(self, Array::known(scopes));
        }
        binding.extend(self, env, list.value());
    }

    /// Gives the calling code a scope of its own, so that a change of it does not reach methods that it has defined.
    /// The code around a block has the block's.
    pub fn renew_caller_cref(&mut self) -> Option<Cref> {
        let frame = self.ruby_frame_ptr()?;
        // SAFETY: the frame is live.
        let old = unsafe { (*frame).cref };
        let copy = Cref::try_of(old)?.copy(self);
        let mut at = frame;
        while at >= self.stack.frames {
            // SAFETY: between the stack's first frame and the current one all are live, and this thread runs.
            let around = unsafe { &mut *at };
            if at == frame || around.cref == old && around.method().is_none() {
                around.cref = copy.value();
            }
            if at == frame && !around.has(frame_flags::BLOCK) {
                break;
            }
            at = at.wrapping_sub(1);
        }
        Some(copy)
    }

    /// The module that the calling code defines methods in, and its lexical scope.
    pub fn caller_cref(&self) -> Option<Cref> {
        self.ruby_frame().and_then(|f| Cref::try_of(f.cref))
    }

    /// The scope whose default visibility the calling code sets: none in the body of a method. Class bodies of the VM's
    /// own Ruby code count too.
    pub fn definition_scope(&self) -> Option<Cref> {
        let direct = self.direct_frame()?;
        if direct.has(frame_flags::CLASS) || !self.is_internal(direct) {
            return self.visibility_scope(direct);
        }
        if direct.has(frame_flags::METHOD) { None } else { self.visibility_scope(self.ruby_frame()?) }
    }

    /// The scope whose default visibility counts for definitions in `frame`: none in bodies of methods and in blocks
    /// that were written there, unless the block is evaluated in a scope of its own (`class_eval`).
    pub(crate) fn visibility_scope(&self, frame: &Frame) -> Option<Cref> {
        let scope = Cref::try_of(frame.cref)?;
        if frame.has(frame_flags::METHOD) {
            return None;
        }
        // The method whose code the block is part of; the body of one made by `define_method` was written somewhere
        // itself.
        let mut method = frame.method().filter(|_| frame.has(frame_flags::BLOCK));
        while let Some(around) = method {
            method = match around.resolved().body() {
                MethodBody::Code { cref, .. } => return (*cref != frame.cref).then_some(scope),
                MethodBody::Proc(block) => crate::Method::try_of(block.captured().method),
                _ => None,
            };
        }
        Some(scope)
    }

    /// The method that the calling Ruby code belongs to.
    pub fn caller_method(&self) -> Option<crate::Method> {
        self.ruby_frame().and_then(Frame::method)
    }

    /// The name by which the calling Ruby code's method was called: that of the call, if the call is one in Ruby code,
    /// else that of the definition.
    pub fn called_name(&self) -> Option<Sym> {
        let method = self.caller_method()?;
        Some(self.name_of_call(self.home_frame(self.ruby_frame_ptr()?), method))
    }

    /// The same of the method whose code calls a primitive.
    pub fn own_called_name(&self) -> Option<Sym> {
        let frame = self.frame_from(|_| true)?;
        // SAFETY: the frame is live.
        let method = unsafe { (*frame).method()? };
        Some(self.name_of_call(frame, method))
    }

    /// The name by which `method` was called, whose code runs in `frame`.
    fn name_of_call(&self, frame: *mut Frame, method: crate::Method) -> Sym {
        // SAFETY: frames from the first to the current one are live, and a home that is alive is one of them; a frame
        // with code is behind the call that it makes.
        unsafe {
            let (running, caller) = (&*frame, frame.wrapping_sub(1));
            if running.has(frame_flags::ALIASED) {
                return Sym(running.argc);
            }
            if !running.has(frame_flags::METHOD | frame_flags::BMETHOD)
                || caller < self.stack.frames
                || (*caller).is_native()
                || (*caller).code.is_null()
            {
                return method.name();
            }
            let call = *(*caller).pc.sub(1);
            let sites = &(*(*caller).code).sites;
            let named = match (call.op, (*caller).method()) {
                (Op::Call, _) => sites.get(call.c as usize).map(|site| site.name),
                (Op::Ext, _) => sites.get(call.a as usize).map(|site| site.name),
                (Op::Super, Some(calling)) => Some(calling.name()),
                _ => None,
            };
            let Some(name) = named else { return method.name() };
            let found = self.dispatch_class(running.self_value()).find_method(self, name).method;
            let same = call.op == Op::Super || found.is_some_and(|found| found.resolved() == method.resolved());
            if same { name } else { method.name() }
        }
    }

    /// The block of the calling Ruby code's method.
    pub fn caller_block(&self) -> Value {
        self.ruby_frame().map_or(Value::NIL, |f| f.block)
    }

    /// The method of the Ruby code that called this native method, the VM's own Ruby code included.
    pub fn direct_caller_method(&self) -> Option<crate::Method> {
        self.direct_frame().and_then(Frame::method)
    }

    /// The block of the Ruby code that called this native method, the VM's own Ruby code included.
    pub fn direct_caller_block(&self) -> Value {
        self.direct_frame().map_or(Value::NIL, |frame| frame.block)
    }

    /// `self` of the Ruby code that called this native method, the VM's own Ruby code included.
    pub fn direct_caller_self(&self) -> Value {
        self.direct_frame().map_or(Value::NIL, Frame::self_value)
    }

    /// `self` of the calling Ruby code.
    pub fn caller_self(&self) -> Value {
        self.ruby_frame().map_or(Value::NIL, Frame::self_value)
    }

    /// Whether the handler stands for a frame's literal block (it cannot outlive the call).
    pub fn is_frame_block(&self, handler: Value) -> bool {
        as_frame_block(handler).is_some()
    }
}

/// The codes that own the environments of a chain.
fn env_owners(env: Value) -> Vec<Code> {
    let mut owners = Vec::new();
    let mut at = env;
    while at.has_tag(Tag::Env) {
        let env = Env::known(at);
        if env.owner().has_tag(Tag::Code) {
            owners.push(Code::known(env.owner()));
        }
        at = env.parent();
    }
    owners
}

/// Whether a program can name such a local: compiler-made ones have names that no identifier has.
pub fn is_plain_name(name: &[u8]) -> bool {
    !matches!(name, [b'_', b'1'..=b'9'])
        && name.first().is_some_and(|c| c.is_ascii_lowercase() || *c == b'_' || !c.is_ascii())
}

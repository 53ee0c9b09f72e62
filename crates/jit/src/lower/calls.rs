//! Calls of methods: which of the interpreter's call sites lead where, guards on the receiver's class, and calls from
//! machine code to machine code. What a site leads to is copied when code is made, for sites change with every call
//! that goes elsewhere.

use super::frames::Activation;
use super::inline::{CROWD, DEPTH_MAX};
use super::memory::Cached;
use super::registers::Type;
use super::{Lower, Point, plain};
use crate::assume::{Key, Way};
use crate::decode::REGISTERS;
use crate::unit::{CLASSES_MAX, Reason, seen};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value as Word, types};
use rubellite_bytecode::Insn;
use rubellite_value::{Sym, Value};
use rubellite_vm::code::{CodeData, Site, Target, site_flags};
use rubellite_vm::frame::frame_flags;
use rubellite_vm::jit::{self, Native};
use rubellite_vm::object::Proc;
use rubellite_vm::races::Kind;
use rubellite_vm::{Ctx, MethodBody};

/// Words of the value stack that a unit, a callee's registers and what follows them take at most.
const ROOM: usize = REGISTERS + 128 + 64;

/// Parameters of a method that is called with the elements of an Array by compiled code.
const SPREAD_MAX: u16 = 16;

/// The nibble of a keyword that is not given in the plan of a placed call.
const ABSENT: u32 = 15;

/// The class of which `new` makes an instance before it calls the method.
pub(crate) type Made = Option<Value>;

/// What a call leads to for receivers of one class.
pub(crate) struct Callee {
    pub class: Value,
    /// What is called, and how.
    pub key: Key,
    /// The counter of definitions of the name, and where it stands.
    pub epoch: (*const u32, u32),
    pub cref: Value,
    /// The Proc of which the method was made by `define_method`, and its code.
    pub body: Option<(Proc, &'static CodeData)>,
    /// Where the epoch of `==` stood when `!=` was found to ask for identity.
    equal: u32,
    /// The scope whose refinements were asked.
    scope: Option<Value>, // tidy: kept by the unit's roots
    /// What `new` calls on what it makes.
    initialize: Option<Box<(Callee, Site)>>,
    cached: Cached,
    /// The instance variable of an attribute.
    variable: Option<Sym>,
    pub native: Option<Native>,
    /// Where races are looked for: how a native method accesses its receiver, which is told before `native` is called.
    pub told: Option<Kind>,
}

impl Callee {
    /// What a site leads to, if its cache is filled.
    pub fn of(ctx: &Ctx, site: &Site) -> Option<Callee> {
        if site.klass.get().is_undef() || !site.is_current(ctx) || site.target.get() == Target::Refined {
            return None;
        }
        let attribute = matches!(site.target.get(), Target::AttrReader | Target::AttrWriter);
        let variable = match site.method().body() {
            MethodBody::AttrReader(name) | MethodBody::AttrWriter(name) if attribute => Some(*name),
            _ => None,
        };
        let native = matches!(site.target.get(), Target::Leaf | Target::Native).then(|| Native::of(site));
        let observed = native.as_ref().and_then(|_| ctx.observed_whole(site.method.get()));
        let body = if site.target.get() == Target::Proc { jit::body_of(&site.method()) } else { None };
        Some(Callee {
            class: site.klass.get(),
            key: Key::of(site),
            epoch: (site.epoch_address(ctx), site.epoch.get()),
            cref: body.map_or(site.cref.get(), |(proc, _)| proc.captured().cref),
            body,
            equal: site.equality_epoch(),
            scope: None,
            initialize: None,
            cached: if attribute { (site.shape(), site.attr_slot(), site.next_shape()) } else { (u32::MAX, 0, 0) },
            variable,
            native: native
                .map(|native| Native { function: observed.map_or(native.function, |observed| observed.0), ..native }),
            told: observed.map(|observed| observed.1),
        })
    }

    /// The code of a method in Ruby.
    pub fn code(&self) -> &'static CodeData {
        // SAFETY: `direct` of such a site points at code that the method keeps, which the unit keeps.
        self.body.map_or_else(|| unsafe { &*self.key.direct.cast::<CodeData>() }, |(_, code)| code)
    }
}

impl Lower<'_> {
    /// `R[a] = R[b].name(...)`
    pub(super) fn call(&mut self, insn: Insn, next: usize) {
        let context = self.at.context;
        let offset = self.contexts[context].offset;
        let (a, b) = (insn.a as usize + offset, insn.b as usize + offset);
        let site = &self.code(context).sites[insn.c as usize];
        let scope = self.vm.may_be_refined(site.name).then(|| self.expected_scope()).flatten();
        let callees = self.callees_in(site, scope, Some(b));
        let next = Point { context, pc: next };
        // What was never called leaves the code the first times, and others than the only class that was seen; after
        // that nothing is expected.
        let learns = !self.unit.is_wary() && callees.len() <= 1;
        if callees.is_empty() {
            return match site.klass.get().is_undef() && self.unit.classes(self.key()).is_empty() {
                true if learns => self.leave(Reason::Class),
                true => self.step_new_class(a),
                false => self.step_call(site, a),
            };
        }
        self.assume();
        if let Some(scope) = scope {
            self.expect_scope(scope);
        }
        let before = self.state.clone();
        self.crowded = callees.len() > CROWD;
        for callee in &callees {
            let (other, uncompiled) =
                (if learns { self.exit_block(Reason::Class) } else { self.b.create_block() }, self.b.create_block());
            self.expect_callee(callee, site, b, other);
            self.has_entry = false;
            self.call_known(callee, site, a, b, uncompiled);
            if !self.done {
                self.go(next);
            }
            self.restore(before.clone());
            if self.has_entry {
                self.start_cold(uncompiled);
                self.step_to(a);
                self.go(next);
                self.restore(before.clone());
            }
            if learns {
                self.done = true;
                return;
            }
            self.start(other);
        }
        self.crowded = false;
        if callees.len() < CLASSES_MAX && self.unit.classes(self.key()).len() < CLASSES_MAX {
            self.step_new_class(a);
        } else {
            self.step_to(a);
        }
        self.go(next);
    }

    /// Goes on if the register holds a receiver for which the site still leads to the callee. What the code stands on
    /// has been looked at.
    pub(super) fn expect_callee(&mut self, callee: &Callee, site: &Site, register: usize, other: Block) {
        self.class_or(register, callee.class, other);
        self.stand_on(callee, site);
    }

    /// The code stands on it that the site leads to the callee for receivers of the class.
    pub(super) fn stand_on(&mut self, callee: &Callee, site: &Site) {
        let way = callee.scope.map_or(Way::Call, Way::Refined);
        self.assumptions.add_callee(site, (callee.class, way), callee.key, callee.epoch);
        [callee.class, callee.key.method, callee.cref].into_iter().for_each(|value| self.keep(value));
    }

    /// What the site leads to, as far as compiled code calls it by itself. `receiver`: its register, of which more than
    /// its class may be known.
    pub(super) fn callees(&mut self, site: &Site, receiver: Option<usize>) -> Vec<Callee> {
        self.callees_in(site, None, receiver)
    }

    /// The same for a call of a method that refinements have, in a scope that is looked at. None: where they may decide
    /// nothing is known.
    fn callees_in(&mut self, site: &Site, scope: Option<Value>, receiver: Option<usize>) -> Vec<Callee> {
        let known = self.unit.classes(self.key());
        let seen = Some(site.klass.get()).filter(|class| scope.is_some() && !class.is_undef());
        let mut callees: Vec<Callee> =
            if scope.is_none() { Callee::of(self.vm, site).into_iter().collect() } else { Vec::new() };
        for class in seen.into_iter().chain(known).take(CLASSES_MAX) {
            if callees.iter().all(|callee| callee.class != class) {
                let resolved = match scope {
                    Some(scope) => self.vm.resolve_refined(site, class, scope),
                    None => self.vm.resolve_site(site, class),
                };
                let callee = resolved.and_then(|resolved| Callee::of(self.vm, &resolved));
                callees.extend(callee.map(|callee| Callee { scope, ..callee }));
            }
        }
        if let Some(class) = receiver.and_then(|register| self.state.known[register]) {
            callees.iter_mut().for_each(|callee| self.find_initialize(callee, site, class));
        }
        // For numbers compiled code takes what is no object.
        let great = self.unit.seen(self.key()) & seen::OTHER != 0;
        let [integer, float] = [self.vm.classes().integer.get(), self.vm.classes().float.get()];
        callees
            .retain(|callee| self.calls_directly(callee, site) && !(great && [integer, float].contains(&callee.class)));
        callees.truncate(CLASSES_MAX);
        callees
    }

    pub(super) fn calls_directly(&self, callee: &Callee, site: &Site) -> bool {
        if self.spreads(callee, site) {
            return true;
        }
        let general = site_flags::COMPLEX
            & !if callee.key.target == Target::Placed || callee.initialize.is_some() {
                site_flags::KEYWORDS
            } else {
                0
            };
        if site.flags & general != 0 {
            return false;
        }
        if site.flags & site_flags::BLOCK_ARG != 0 {
            return match callee.key.target {
                Target::SimpleCode | Target::Native => true,
                Target::Placed => !callee.code().iseq.params.block,
                _ => false,
            };
        }
        if site.block != 0 && self.code(self.at.context).linked_child(site.block as usize - 1).is_none() {
            return false;
        }
        match callee.key.target {
            Target::SimpleCode | Target::Native => true,
            Target::Leaf => site.block == 0,
            Target::NotIdentical => site.block == 0 && callee.equal == self.vm.method_counter(self.vm.names().op_eq).1,
            Target::AttrReader | Target::AttrWriter => callee.variable.is_some(),
            Target::Placed => !callee.code().iseq.params.block || site.block == 0,
            // In other ractors than that of the Proc the interpreter decides.
            Target::Proc if callee.body.is_some() => {
                let code = callee.code();
                site.block == 0 && code.simple && code.required == site.argc && !jit::has_ractors(self.vm)
            }
            Target::Proc => {
                site.block == 0
                    && rubellite_vm::Method::try_of(callee.key.method)
                        .is_some_and(|method| matches!(method.body(), MethodBody::ProcCall))
            }
            _ => callee.initialize.is_some() || self.is_send(callee) && site.argc > 0,
        }
    }

    /// Whether the elements of an Array are arguments for required parameters alone, at a site without a block.
    fn spreads(&self, callee: &Callee, site: &Site) -> bool {
        let plain = site.flags & (site_flags::COMPLEX | site_flags::BLOCK_ARG) == site_flags::SPLAT && site.block == 0;
        let method =
            rubellite_vm::Method::try_of(callee.key.method).filter(|_| plain && callee.key.target == Target::Other);
        method.is_some_and(|method| matches!(method.body(), MethodBody::Code { .. }))
            && callee.code().simple
            && (site.argc - 1..=SPREAD_MAX).contains(&callee.code().required)
    }

    /// Calls a method whose last arguments are the elements of an Array, if there are as many as it takes.
    fn call_spread(&mut self, callee: &Callee, site: &Site, a: usize, b: usize, other: Block) {
        let (before, required) = (site.argc as usize - 1, callee.code().required as usize);
        if b + required >= REGISTERS {
            return self.step_to(a);
        }
        let entry = self.entry_or(callee, other);
        self.flush();
        self.flush_operands();
        self.store_window(b, site.argc as usize);
        let ctx = self.ctx;
        let place = self.b.ins().iadd_imm_s(self.base, 8 * (b + 1 + before) as i64);
        let count = self.integer((required - before) as i64);
        let done = self.ask(jit::spread as *const (), &[ctx, place, count]);
        self.continue_if(done, other);
        (b..=b + required).for_each(|register| self.state.clean[register] = true);
        let result = a - self.contexts[self.at.context].offset;
        let word = self.enter_code(callee, site, entry, b, (result, 0), None);
        self.define(a, word);
    }

    fn is_send(&self, callee: &Callee) -> bool {
        rubellite_vm::Method::try_of(callee.key.method).is_some_and(|method| matches!(method.body(), MethodBody::Send))
    }

    /// Has the interpreter's functions make the running call.
    fn step_call(&mut self, site: &Site, a: usize) {
        if site.klass.get().is_undef() || !jit::is_plain_send(site, site.method.get()) {
            return self.step_to(a);
        }
        let word = self.step_by(jit::step_send as *const ());
        self.define(a, word);
    }

    /// Calls what `send` with a literal name leads to; whether it was a call that compiled code does by itself.
    fn call_sent(&mut self, callee: &Callee, site: &Site, a: usize, b: usize, other: Block) -> bool {
        self.is_send(callee) && self.call_named(callee.class, site, a, b, other, false)
    }

    /// Calls the method whose literal name is the first argument, with the others in a window behind the registers of
    /// the running code: the operands stay as they are for exits in front of the call.
    pub(super) fn call_named(
        &mut self,
        class: Value,
        site: &Site,
        a: usize,
        b: usize,
        other: Block,
        public: bool,
    ) -> bool {
        let Some(name) = self.literal_symbol(b + 1) else { return false };
        let context = self.at.context;
        let window = self.contexts[context].offset + self.code(context).register_count as usize;
        let Some(sent) = self.vm.resolve_sent(site, class, name, public) else { return false };
        let Some(callee) = Callee::of(self.vm, &sent) else { return false };
        let registers = match callee.key.target {
            Target::SimpleCode | Target::Placed => callee.code().register_count as usize,
            Target::Proc if callee.body.is_some() => callee.code().register_count as usize,
            Target::Native | Target::Leaf | Target::AttrReader | Target::AttrWriter => sent.argc as usize + 1,
            _ => return false,
        };
        if window + registers + 8 >= REGISTERS || !self.calls_directly(&callee, &sent) {
            return false;
        }
        let (counter, stands) = callee.epoch;
        self.assumptions.add_counter(counter, stands);
        [callee.key.method, callee.cref].into_iter().for_each(|value| self.keep(value));
        self.copy(b, window);
        for i in 0..sent.argc as usize {
            self.copy(b + 2 + i, window + 1 + i);
        }
        self.call_known(&callee, &sent, a, window, other);
        true
    }

    /// Calls a method that was made of a Proc.
    fn call_body(&mut self, callee: &Callee, a: usize, b: usize, other: Block) {
        let at = self.address(jit::ractors_address(self.vm));
        let several = self.b.ins().load(types::I8, plain(), at, 0);
        self.exit_if(several, Reason::Changed);
        if self.inline_body(callee, a, b) {
            return;
        }
        let entry = self.entry_or(callee, other);
        self.flush();
        self.flush_operands();
        self.store_window(b, callee.code().required as usize);
        let frame = self.calling_frame();
        let window = self.b.ins().iadd_imm_s(self.base, 8 * b as i64);
        let result = a - self.contexts[self.at.context].offset;
        let (ctx, method) = (self.ctx, self.value(callee.key.method));
        let (pos, dst) = (self.integer(callee.key.pos as i64), self.integer(result as i64));
        let new = self.ask(jit::push_body as *const (), &[ctx, frame, window, method, pos, dst]);
        self.propagate(new);
        let word = self.run(entry, new, window);
        self.define(a, word);
    }

    /// Finds what `new` of a class calls, if that is what the site leads to.
    fn find_initialize(&mut self, callee: &mut Callee, site: &Site, class: Value) {
        if callee.key.target != Target::Other || site.block != 0 || self.vm.class_of(class) != callee.class {
            return;
        }
        if !rubellite_vm::Method::try_of(callee.key.method)
            .is_some_and(|method| matches!(method.body(), MethodBody::New))
        {
            return;
        }
        let Some(resolved) = self.vm.resolve_new(site, class) else { return };
        let Some(initialize) = Callee::of(self.vm, &resolved) else { return };
        let nothing = matches!(initialize.key.target, Target::Native | Target::Leaf)
            && resolved.argc == 0
            && resolved.method().owner().value() == self.vm.classes().basic_object.get();
        let code = matches!(initialize.key.target, Target::SimpleCode | Target::Placed)
            && self.calls_directly(&initialize, &resolved);
        if nothing || code {
            callee.initialize = Some(Box::new((initialize, resolved)));
        }
    }

    /// `new` of the class in the register.
    fn call_new(
        &mut self,
        class: Value,
        (initialize, site): &(Callee, Site),
        around: &Site,
        a: usize,
        b: usize,
        other: Block,
    ) {
        self.assumptions.add_callee(around, (class, Way::New), initialize.key, initialize.epoch);
        [class, initialize.key.method, initialize.cref].into_iter().for_each(|value| self.keep(value));
        if initialize.native.is_some() {
            self.make(class, b);
            return self.copy(b, a);
        }
        self.call_code(initialize, site, a, b, other, Some(class));
    }

    /// `R[b]` = a new instance of the class.
    pub(super) fn make(&mut self, class: Value, b: usize) {
        if self.is_protected() {
            self.flush();
        }
        let frame = self.calling_frame();
        let (ctx, word) = (self.ctx, self.value(class));
        let object = self.ask(jit::allocate as *const (), &[ctx, frame, word]);
        self.propagate(object);
        self.define(b, object);
        self.state.classes[b] = Some(class);
        self.state.objects[b] = true;
    }

    /// Moves the arguments of a placed call to their registers, of which the caller's window is the beginning.
    pub(super) fn place_arguments(&mut self, callee: &Callee, site: &Site, b: usize) {
        let params = &callee.code().iseq.params;
        let given = site.argc as usize - site.keywords(self.vm).len();
        let positional = params.required as usize + params.optional as usize;
        let keywords: Vec<_> = (0..params.keywords.len())
            .map(|i| match callee.key.plan >> (4 * i) & 15 {
                ABSENT => None,
                from => Some(self.take(b + 1 + given + from as usize)),
            })
            .collect();
        for i in given..positional {
            self.constant(b + 1 + i, Value::NIL);
        }
        for (i, taken) in keywords.into_iter().enumerate() {
            let to = b + 1 + positional + i;
            match taken {
                Some(taken) => self.put(to, taken),
                None => self.constant(to, Value::UNDEF),
            }
        }
        if params.block {
            self.constant(b + 1 + positional + params.keywords.len(), Value::NIL);
        }
    }

    /// Goes on if the register holds an instance of the class, else in the block.
    pub(super) fn class_or(&mut self, register: usize, class: Value, other: Block) {
        if self.state.classes[register] == Some(class) {
            return;
        }
        let classes = self.vm.classes();
        let [integer, float, symbol] = [&classes.integer, &classes.float, &classes.symbol].map(|class| class.get());
        let special =
            [(&classes.nil, Value::NIL), (&classes.true_class, Value::TRUE), (&classes.false_class, Value::FALSE)];
        let special = special.into_iter().find(|(known, _)| known.get() == class).map(|(_, value)| value);
        if class == integer && self.state.types[register] == Type::Integer
            || class == float && self.state.types[register] == Type::Float
        {
            return;
        }
        if let Some(known) = self.state.known[register].filter(|known| known.is_heap()) {
            // A class, which may have got a class of its own.
            let word = self.value(known);
            let found = self.b.ins().load(types::I64, plain(), word, jit::object::CLASS);
            self.keep(class);
            let fits = self.is_word(found, class.bits());
            return self.continue_if(fits, other);
        }
        let word = self.get(register);
        let fits = if class == integer {
            self.b.ins().band_imm_s(word, 1)
        } else if class == float {
            let tag = self.b.ins().band_imm_s(word, 3);
            self.b.ins().icmp_imm_s(IntCC::Equal, tag, 2)
        } else if class == symbol {
            let tag = self.b.ins().band_imm_s(word, 0xff);
            self.b.ins().icmp_imm_s(IntCC::Equal, tag, 0x0c)
        } else if let Some(value) = special {
            self.b.ins().icmp_imm_s(IntCC::Equal, word, value.bits() as i64)
        } else {
            self.object_or(register, other);
            self.state.objects[register] = true;
            let found = self.b.ins().load(types::I64, plain(), word, jit::object::CLASS);
            self.keep(class);
            self.is_word(found, class.bits())
        };
        self.continue_if(fits, other);
        if class == integer {
            self.state.types[register] = Type::Integer;
        }
        self.state.classes[register] = Some(class);
    }

    /// Whether instances of the class are objects, all of them.
    pub(super) fn has_objects(&self, class: Value) -> bool {
        let classes = self.vm.classes();
        let immediates = [
            &classes.integer,
            &classes.float,
            &classes.symbol,
            &classes.nil,
            &classes.true_class,
            &classes.false_class,
        ];
        immediates.into_iter().all(|immediate| immediate.get() != class)
    }

    /// Calls what is known; the block is for calls that turn out to be the interpreter's.
    pub(super) fn call_known(&mut self, callee: &Callee, site: &Site, a: usize, b: usize, other: Block) {
        if let (Some(initialize), Some(class)) = (&callee.initialize, self.state.known[b]) {
            return self.call_new(class, initialize, site, a, b, other);
        }
        match callee.key.target {
            Target::Proc if callee.body.is_some() => self.call_body(callee, a, b, other),
            Target::Proc => {
                let word = self.step_by(jit::step_proc_call as *const ());
                self.define(a, word);
            }
            Target::SimpleCode | Target::Placed => self.call_code(callee, site, a, b, other, None),
            Target::Other if self.spreads(callee, site) => self.call_spread(callee, site, a, b, other),
            Target::Other if self.call_sent(callee, site, a, b, other) => {}
            Target::Other if jit::is_plain_send(site, callee.key.method) => self.step_call(site, a),
            Target::NotIdentical => self.not_identical(a, b),
            Target::AttrReader | Target::AttrWriter => {
                let write = callee.key.target == Target::AttrWriter;
                let Some(name) = callee.variable else { return self.step_to(a) };
                if self.races {
                    let object = self.get(b);
                    self.tell_named(object, name.0, write);
                }
                let places = self.places(callee.cached, None, Some(callee.class), name, write);
                if !write {
                    let word = self.read_variable(b, &places, name);
                    self.define(a, word);
                } else {
                    self.write_variable(b, &places, name, b + 1);
                    self.copy(b + 1, a);
                }
            }
            _ if site.flags & site_flags::BLOCK_ARG != 0 => {
                self.tell_receiver(callee, b);
                let handler = self.hand_on(site, b);
                let word = self.native_given(callee, site, b, handler);
                self.define(a, word);
            }
            _ => {
                self.tell_receiver(callee, b);
                if !self.builtin(callee, site, a, b, other) {
                    self.call_native_method(callee, site, a, b);
                }
            }
        }
    }

    /// Whether an exception out of the running instruction may be caught in the unit's code.
    pub(super) fn is_protected(&self) -> bool {
        let mut context = self.at.context;
        loop {
            if !self.code(context).iseq.catches.is_empty() {
                return true;
            }
            match self.contexts[context].caller {
                Some(caller) => context = caller.context,
                None => return false,
            }
        }
    }

    /// The literal block that a site passes.
    pub(super) fn literal_block(&self, site: &Site) -> Option<&'static CodeData> {
        let code = self.code(self.at.context);
        if site.block == 0 { None } else { code.linked_child(site.block as usize - 1) }
    }

    /// Calls a method in Ruby, with its result in a register.
    pub(super) fn call_code(&mut self, callee: &Callee, site: &Site, a: usize, b: usize, other: Block, made: Made) {
        if self.passed(site).is_some_and(|passed| self.inline_method(callee, site, passed, a, b, made)) {
            return;
        }
        let handler = self.hand_on(site, b);
        let flags = if made.is_some() { frame_flags::NEW } else { 0 };
        let entry = self.entry_or(callee, other);
        if let Some(class) = made {
            self.make(class, b);
        }
        let result = a - self.contexts[self.at.context].offset;
        let word = self.enter_code(callee, site, entry, b, (result, flags), handler);
        if made.is_none() {
            return self.define(a, word);
        }
        // Compiled code returns what the method does; the object is what was written to the window.
        let object = self.b.ins().load(types::I64, plain(), self.base, 8 * b as i32);
        self.define(a, object);
    }

    /// Pushes the frame of a method in Ruby and enters its code at an address. `result`, `flags`: what the interpreter
    /// does with the value when it finishes the method itself and then goes on with the caller. `handler`: of the
    /// block that is handed on; `None`: the literal one of the site, or none.
    pub(super) fn enter_code(
        &mut self,
        callee: &Callee,
        site: &Site,
        entry: Word,
        b: usize,
        (result, flags): (usize, u16),
        handler: Option<Word>,
    ) -> Word {
        let code = callee.code();
        if callee.key.target == Target::Placed {
            self.place_arguments(callee, site, b);
        }
        self.flush();
        self.flush_operands();
        self.store_window(b, code.first_local as usize - 1);
        let frame = self.calling_frame();
        let block = handler.or_else(|| self.literal_block(site).map(|block| self.pass_block(frame, block)));
        let env = (code.env_size > 0).then(|| {
            let nil = self.value(Value::NIL);
            self.new_env(code, nil, frame)
        });
        let new = self.b.ins().iadd_imm_s(frame, jit::frame::SIZE);
        let window = self.b.ins().iadd_imm_s(self.base, 8 * b as i64);
        let pc = self.address(&raw const code.insns[callee.key.start]);
        self.keep(callee.key.method);
        self.keep(callee.cref);
        let (method, pos, flags) = (callee.key.method, callee.key.pos, frame_flags::METHOD | flags);
        self.fill_frame(new, &Activation { code, method, cref: callee.cref, pos, dst: result as u16, flags });
        use jit::frame::{BASE, BLOCK, ENV, PC};
        for (at, word) in [(BLOCK, block), (ENV, env), (PC, Some(pc)), (BASE, Some(window))] {
            if let Some(word) = word {
                self.b.ins().store(plain(), word, new, at);
            }
        }
        let ctx = self.ctx;
        self.b.ins().store(plain(), new, ctx, jit::ctx::FRAME);
        self.run(entry, new, window)
    }

    /// The result of compiled code that runs on a frame that was pushed.
    fn run(&mut self, entry: Word, frame: Word, window: Word) -> Word {
        let ctx = self.ctx;
        let call = self.b.ins().call_indirect(self.entry_signature, entry, &[ctx, frame, window]);
        let word = self.b.inst_results(call)[0];
        let word = self.finished(word, frame);
        self.state.forget();
        word
    }

    /// The result of compiled code that was called with the frame; what it has left to the interpreter is finished by
    /// that.
    fn finished(&mut self, word: Word, callee: Word) -> Word {
        let (left, done) = (self.b.create_block(), self.b.create_block());
        self.b.append_block_param(done, types::I64);
        let exit = self.b.ins().icmp_imm_s(IntCC::Equal, word, jit::EXIT as i64);
        self.b.ins().brif(exit, left, &[], done, &[word.into()]);
        self.start_cold(left);
        let ctx = self.ctx;
        let word = self.ask(jit::finish as *const (), &[ctx, callee]);
        self.propagate(word);
        self.b.ins().jump(done, &[word.into()]);
        self.start(done);
        self.b.block_params(done)[0]
    }

    /// At the entry: leaves unless the stacks have room for all registers that a unit may use, for those of a callee,
    /// and for the frames; and if something was defined since, or, where a method or block begins, an interrupt
    /// waits. Each of these makes a word negative.
    pub(super) fn begin_unit(&mut self, beginning: bool) {
        let ctx = self.ctx;
        let limit = |lower: &mut Self, at: i32| lower.b.ins().load(types::I64, plain(), ctx, at);
        let values = limit(self, jit::ctx::VALUES_LIMIT);
        let values = self.b.ins().isub(values, self.base);
        let values = self.b.ins().iadd_imm_s(values, -((8 * ROOM) as i64));
        let frames = limit(self, jit::ctx::FRAMES_LIMIT);
        let frames = self.b.ins().isub(frames, self.frame);
        let frames = self.b.ins().iadd_imm_s(frames, -((DEPTH_MAX as i64 + 3) * jit::frame::SIZE + 1));
        let stack = self.b.ins().get_stack_pointer(types::I64);
        let native = limit(self, jit::ctx::NATIVE_LIMIT);
        let native = self.b.ins().isub(stack, native);
        let mut words = self.staleness();
        if beginning {
            let word = self.b.ins().load(types::I64, plain(), ctx, jit::ctx::INTERRUPT);
            let interrupts = self.b.ins().uload32(plain(), word, 0);
            let interrupts = self.b.ins().ineg(interrupts);
            words = self.b.ins().bor(words, interrupts);
        }
        if let Some(ticks) = self.tick() {
            words = self.b.ins().bor(words, ticks);
        }
        for word in [values, frames, native] {
            words = self.b.ins().bor(words, word);
        }
        let leaves = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, words, 0);
        self.exit_if(leaves, Reason::Begin);
        self.state.assumed = true;
    }

    /// The address of a method's compiled code; goes to the block if there is none.
    pub(super) fn entry_or(&mut self, callee: &Callee, other: Block) -> Word {
        let code = callee.code();
        self.keep(code.cell.get());
        let slot = code.places.iter().position(|place| *place as usize == callee.key.start).unwrap_or(0);
        let word = self.address(self.jit.unit(code, slot).entry(&self.jit.words).as_ptr());
        let entry = self.b.ins().load(types::I64, plain(), word, 0);
        self.continue_if(entry, other);
        self.has_entry = true;
        entry
    }

    /// The handler of a literal block that a frame passes.
    pub(super) fn pass_block(&mut self, frame: Word, block: &CodeData) -> Word {
        self.keep(block.cell.get());
        let id = self.b.ins().load(types::I64, plain(), frame, jit::frame::ID);
        let (fresh, on) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(id, on, &[], fresh, &[]);
        self.start_cold(fresh);
        let ctx = self.ctx;
        self.call_native(jit::give_id as *const (), &[ctx, frame], false);
        self.b.ins().jump(on, &[]);
        self.start(on);
        let block = self.address(std::ptr::from_ref(block));
        self.b.ins().store(plain(), block, frame, jit::frame::BLOCK_CODE);
        self.b.ins().bor_imm_s(frame, jit::FRAME_BLOCK as i64)
    }

    /// A new environment for code that is entered; `frame` is the topmost meanwhile.
    pub(super) fn new_env(&mut self, code: &CodeData, parent: Word, frame: Word) -> Word {
        let ctx = self.ctx;
        self.b.ins().store(plain(), frame, ctx, jit::ctx::FRAME);
        let code = self.address(std::ptr::from_ref(code));
        let env = self.ask(jit::new_env as *const (), &[ctx, code, parent]);
        self.propagate(env);
        env
    }

    /// `R[a] = yield ...`
    pub(super) fn yield_to_block(&mut self, insn: Insn) {
        if self.inline_block(insn) {
            return;
        }
        let a = insn.a as usize + self.contexts[self.at.context].offset;
        let site = &self.code(self.at.context).sites[insn.c as usize];
        if site.flags & (site_flags::COMPLEX | site_flags::BLOCK_ARG) != 0 || site.block != 0 {
            return self.step_to(a);
        }
        let word = self.step_by(jit::step_yield as *const ());
        self.define(a, word);
    }
}

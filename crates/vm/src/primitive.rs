//! Primitives: native functions that only the runtime's own Ruby code can call, as `Primitive.array_len(self)`.
//!
//! The compiler makes an instruction of such a call, linking resolves its name. A primitive belongs to the VM and to no
//! class: it is in no method table, so programs neither see nor redefine it, and its receiver, the first
//! operand, needs no method of any name. The function has the form of a native method, and backtraces do
//! not show its frame.

use crate::NativeFn;
use crate::call::{ArgInfo, Args};
use crate::class::{Arity, Class, Leaf};
use crate::code::{CodeData, Site, Target, site_flags};
use crate::ctx::Ctx;
use crate::frame::Frame;
use crate::method::{Method, MethodBody, Visibility};
use crate::receiver::{Receiver, native};
use crate::{Result, Unwind};
use rubellite_bytecode::{ISeq, Op, Text};
use rubellite_value::Value;
use rustc_hash::FxHashMap;

/// One primitive of a table; names begin with that of the class (`array_len`).
#[derive(Copy, Clone)]
pub struct PrimitiveDef {
    pub name: &'static str,
    /// Of the operands behind the first.
    pub arity: Arity,
    pub function: NativeFn,
    pub leaf: Leaf,
}

impl PrimitiveDef {
    /// The same, a leaf when it is called with at most so many arguments.
    pub const fn leaf(self, most: u8) -> PrimitiveDef {
        PrimitiveDef { leaf: Leaf::UpTo(most), ..self }
    }
}

/// A primitive over a [`Receiver`], as [`method`](crate::method) makes a row of a method table.
pub const fn primitive<R, F>(name: &'static str, arity: Arity, function: F) -> PrimitiveDef
where
    R: Receiver,
    F: Fn(&mut Ctx, R, Args) -> Result + Copy + 'static,
{
    PrimitiveDef { name, arity, function: native(function), leaf: Leaf::Never }
}

/// The primitives of a VM.
#[derive(Default)]
pub struct Primitives {
    table: Vec<Primitive>, // tidy: the method entries are pinned
    by_name: FxHashMap<&'static str, u32>,
}

#[derive(Copy, Clone)]
struct Primitive {
    def: PrimitiveDef,
    /// What its frame shows as its method.
    method: Method,
}

impl Ctx {
    /// Adds primitives to the VM's table. Those of a library that is loaded again are there already.
    pub fn define_primitives(&mut self, defs: &[PrimitiveDef]) {
        for def in defs {
            if self.find_primitive(def.name).is_some() {
                continue;
            }
            let (name, owner) = (self.intern(def.name), Class::known(self.classes().basic_object.get()));
            let body = MethodBody::Native { function: def.function, arity: def.arity, leaf: def.leaf };
            let method = Method::new(self, name, owner, Visibility::Private, body);
            self.pin(method.value());
            // SAFETY: the lock is held; the borrow ends with the block.
            let primitives = unsafe { self.vm().primitives.get_mut() };
            primitives.by_name.insert(def.name, primitives.table.len() as u32);
            primitives.table.push(Primitive { def: *def, method });
        }
    }

    /// What the frame of a primitive shows as its method.
    pub(crate) fn primitive_entry(&self, name: &str) -> Option<Method> {
        self.find_primitive(name).map(|primitive| primitive.method)
    }

    /// The function of a primitive; none if there is no such primitive.
    pub fn primitive_function(&self, name: &str) -> Option<NativeFn> {
        self.find_primitive(name).map(|primitive| primitive.def.function)
    }

    fn find_primitive(&self, name: &str) -> Option<Primitive> {
        // SAFETY: the lock is held; the borrow ends with the function.
        let primitives = unsafe { self.vm().primitives.get_mut() };
        primitives.by_name.get(name).map(|index| primitives.table[*index as usize])
    }

    /// The primitive that an internal source means; one that is not there is a bug of ours.
    fn named_primitive(&self, name: &Text, iseq: &ISeq) -> Primitive {
        let found = std::str::from_utf8(name.bytes()).ok().and_then(|name| self.find_primitive(name));
        found.unwrap_or_else(|| {
            panic!("{}: no primitive is called {}", iseq.script.path, String::from_utf8_lossy(name.bytes()))
        })
    }

    /// Looks all primitives up that `iseq` and the code objects within it call: a name that is not there shows when the
    /// source is loaded, not when the code that calls it first runs.
    pub(crate) fn check_primitives(&self, iseq: &ISeq) {
        for insn in iseq.insns.iter().filter(|insn| insn.op == Op::Primitive) {
            let site = &iseq.sites[insn.c as usize];
            let primitive = self.named_primitive(&iseq.names[site.name as usize], iseq);
            let fixed = !site.splat && !site.keyword_splat && site.keywords.is_empty();
            assert!(
                !fixed || primitive.def.arity.accepts(site.argc as usize),
                "{}: arguments of {}",
                iseq.script.path,
                primitive.def.name
            );
        }
        iseq.children.iter().for_each(|child| self.check_primitives(child));
    }

    /// Part of linking: sites of primitives lead to their functions for good.
    pub(crate) fn bind_primitives(&self, code: &CodeData) {
        for insn in code.insns.iter().filter(|insn| insn.op == Op::Primitive) {
            let name = &code.iseq.names[code.iseq.sites[insn.c as usize].name as usize];
            let site = &code.sites[insn.c as usize];
            let primitive = self.named_primitive(name, &code.iseq);
            let simple = site.flags & site_flags::COMPLEX == 0 && primitive.def.arity.accepts(site.argc as usize);
            let blockless = site.flags & site_flags::BLOCK_ARG == 0 && site.block == 0;
            site.target.set(match simple {
                true if blockless && primitive.def.leaf.allows(site.argc) => Target::Leaf,
                true => Target::Native,
                false => Target::Other,
            });
            site.direct.set(primitive.def.function as *const ());
            site.method.set(primitive.method.value());
        }
    }

    /// A call of a primitive whose arguments are not all plain ones.
    #[inline(never)]
    pub(crate) fn call_primitive(&mut self, frame: *mut Frame, site: &Site, window: *mut Value) -> Result {
        let block = self.site_block(frame, site, window)?;
        let info = ArgInfo::new(site.argc as usize, site.flags, site.keywords(self));
        self.leave_room(frame, window, site);
        let MethodBody::Native { function, arity, .. } = *site.method().body() else { return Err(Unwind) };
        let flat = self.flatten(window, &info)?;
        self.check_arity(flat.argc - (flat.keywords && arity.keywords) as usize, arity)?;
        self.run_native::<false>(window, site.method(), 0, function, flat.argc, flat.keywords, flat.spilled, block)
    }
}

//! Making a VM: heap, tables, the first classes.

use crate::cell::VmCell;
use crate::class::Class;
use crate::ctx::Ctx;
use crate::names::Names;
use crate::object::{Array, Object};
use crate::placement::OwnedCtx;
use crate::symbols::Symbols;
use crate::vm::{CoreClasses, Hooks, Vm};
use crate::{Encoding, thread};
use rubellite_gc::{Heap, HeapConfig};
use rubellite_value::{Tag, Value};
use rubellite_vmlock::{Config, VmLock};
use std::cell::Cell;
use std::ptr::NonNull;

/// Settings of a VM that must be known before it is made.
#[derive(Default)]
pub struct VmConfig {
    pub lock: Config,
    pub heap: HeapConfig,
    /// Bytes that objects may occupy; zero: no limit.
    pub memory_limit: usize,
    /// The key of hash values; by default a different one in each VM.
    pub hash_seed: Option<u64>,
    /// Compiles hot code.
    pub compiler: Option<crate::jit::Compiler>,
}

/// Owns a VM. Dropping it frees the VM; all its threads must have ended.
pub struct VmHandle(NonNull<Vm>);

// SAFETY: a Vm is Send and Sync; the handle only owns it.
unsafe impl Send for VmHandle {}
// SAFETY: as above.
unsafe impl Sync for VmHandle {}

impl VmHandle {
    /// A VM with its first classes; the calling thread is its main thread and holds the lock.
    ///
    /// # Errors
    /// `None` when memory for the stacks cannot be reserved.
    pub fn new(config: VmConfig, hooks: Hooks) -> Option<(VmHandle, OwnedCtx)> {
        let VmConfig { lock, heap, memory_limit, hash_seed, compiler } = config;
        let hash_seed = hash_seed.unwrap_or_else(random_seed);
        let mut symbols = Symbols::new(hash_seed);
        let names = first_names(&mut symbols);
        let vm = NonNull::from(Box::leak(Box::new(Vm {
            lock: VmLock::new(lock),
            heap: VmCell::new(Heap::new(heap, crate::gc::heap_hooks())),
            symbols: VmCell::new(symbols),
            spelled: Default::default(),
            method_epochs: VmCell::new(Default::default()),
            recently_found: Default::default(),
            defined_texts: Default::default(),
            sym_lists: VmCell::new(Default::default()),
            definitions: Cell::new(0),
            fresh: Cell::default(),
            const_epochs: VmCell::new(Default::default()),
            shapes: VmCell::new(Default::default()),
            generic_ivars: VmCell::new(Default::default()),
            globals: VmCell::new(Default::default()),
            modules: VmCell::new(Vec::new()),
            traced: Cell::new(0),
            loop_mode: Cell::new(crate::vm::loop_mode::PLAIN),
            races: VmCell::new(None),
            births: VmCell::new(crate::births::Births::default()),
            heap_events: Default::default(),
            trace_hooks: VmCell::new(Vec::new()),
            pinned: VmCell::new(Vec::new()),
            object_ids: VmCell::new(Default::default()),
            threads: VmCell::new(Default::default()),
            classes: CoreClasses::default(),
            names,
            primitives: VmCell::new(Default::default()),
            redefined: Cell::new(0),
            redefined_by_program: Cell::new(0),
            identity: Cell::new([Value::NIL; 2]),
            booted: Cell::new(false),
            fatal: Cell::new(Value::NIL),
            thread_event_hook: Cell::new(None),
            job_hook: Cell::new(None),
            gc_disabled: Cell::new(false),
            gc_held: Cell::new(false),
            memory_limit,
            hooks,
            compiler,
            refinements_used: Cell::new(false),
            refinement_lists: Cell::new(0),
            refined_names: VmCell::new(rustc_hash::FxHashSet::default()),
            ractors: Cell::new(false),
            verbose: Cell::new(Value::FALSE),
            counts_branches: Cell::new(false),
            counts_leap_seconds: Cell::new(None),
            coverage_runs: Cell::new(false),
            debug: Cell::new(Value::FALSE),
            unused_blocks: Default::default(),
            warning_categories: Default::default(),
            main_object: Cell::new(Value::NIL),
            no_elements: Cell::new(Value::NIL),
            extensions: VmCell::new(Default::default()),
            stand_in_names: VmCell::new(Default::default()),
            symbol_procs: VmCell::new(Default::default()),
            hash_seed,
            frozen_string_literal_default: Cell::new(None),
            notes_literals: Cell::new(false),
            toplevel_binding: Cell::new(Value::NIL),
        })));
        let mut ctx = thread::attach_main(vm)?;
        ctx.make_first_classes();
        Some((VmHandle(vm), ctx))
    }

    pub fn vm(&self) -> NonNull<Vm> {
        self.0
    }
}

impl Drop for VmHandle {
    fn drop(&mut self) {
        // SAFETY: made by Box::leak in `new`; nobody uses the VM any more, by contract.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// The key of hash values, different in each VM.
/// The names that the VM uses itself.
fn first_names(symbols: &mut Symbols) -> Names {
    Names::new(|text| match rubellite_bytecode::is_internal_name(text.as_bytes()) {
        true => symbols.intern_internal(text.as_bytes()),
        false => symbols.intern(text.as_bytes(), Encoding::UTF_8),
    })
}

fn random_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

impl Ctx {
    fn make_first_classes(&mut self) {
        // SAFETY: used in this function alone.
        let classes = &unsafe { self.vm_apart() }.classes;
        let basic = Class::new_class(self, None);
        let object = Class::new_class(self, Some(basic));
        classes.basic_object.set(basic.value());
        classes.object.set(object.value());
        let module = Class::new_class(self, Some(object));
        classes.module.set(module.value());
        let class = Class::new_class(self, Some(module));
        classes.class.set(class.value());
        for c in [basic, object, module, class] {
            c.header().klass.set(class.value());
        }
        for c in [basic, object, module, class] {
            c.complete_metaclass(self);
        }
        for (name, c) in [("BasicObject", basic), ("Object", object), ("Module", module), ("Class", class)] {
            object.set_const(self, name, c.value());
        }
        let kernel = Class::new_module(self, module.value());
        classes.kernel.set(kernel.value());
        object.set_const(self, "Kernel", kernel.value());
        let _ = object.include(self, kernel);
        object.set_alloc(self, Some(allocate_object));
        basic.set_alloc(self, Some(allocate_object));
        self.make_named_classes();
        let main = Object::new(self, object.value(), 3);
        self.vm().main_object.set(main);
        let nothing = Array::new(self);
        nothing.header().set(rubellite_value::flags::FROZEN);
        self.vm().no_elements.set(nothing.value());
    }

    /// The other classes that the VM names, with their superclasses; the core library fills them.
    fn make_named_classes(&mut self) {
        // SAFETY: used in this function alone.
        let classes = &unsafe { self.vm_apart() }.classes;
        let object = classes.object.class();
        for (name, cell) in classes.all() {
            if !cell.get().is_nil() {
                continue;
            }
            let class = match name {
                "Comparable" | "Enumerable" => {
                    let klass = classes.module.get();
                    Class::new_module(self, klass)
                }
                _ => {
                    let parent = match name {
                        "Integer" | "Float" | "Rational" | "Complex" => classes.numeric.get(),
                        "StandardError" => classes.exception.get(),
                        "File" => classes.io.get(),
                        "Refinement" => classes.module.get(),
                        _ => object.value(),
                    };
                    Class::new_class(self, Some(Class::known(parent)))
                }
            };
            cell.set(class.value());
            object.set_const(self, name, class.value());
        }
    }

    /// Whether the core classes are complete.
    pub fn booted(&self) -> bool {
        self.vm().booted.get()
    }

    /// Says that the core classes are complete: from now on redefinitions of operators count and hooks are called.
    pub fn finish_boot(&mut self) {
        self.keep_core_classes();
        self.vm().booted.set(true);
    }

    pub fn set_hooks_used(&self, refinements: bool) {
        self.vm().refinements_used.set(refinements);
    }

    /// The number of a new list of active refinements.
    pub(crate) fn next_refinements(&self) -> u32 {
        let lists = &self.vm().refinement_lists;
        lists.set(lists.get().wrapping_add(1).max(1));
        lists.get()
    }
}

impl Class {
    /// Whether instances have no layout of their own.
    pub(crate) fn makes_plain_objects(self, ctx: &Ctx) -> bool {
        self.alloc_fn(ctx).is_some_and(|alloc| std::ptr::fn_addr_eq(alloc, allocate_object as crate::class::AllocFn))
    }
}

/// Instances without layout of their own.
fn allocate_object(ctx: &mut Ctx, class: Value) -> crate::Result {
    let hint = Class::known(class).data(ctx).ivar_hint as usize;
    debug_assert!(class.has_tag(Tag::Class));
    Ok(Object::new(ctx, class, hint))
}

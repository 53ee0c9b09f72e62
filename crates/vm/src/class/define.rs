//! Registration of core and library classes: const tables that name every method, and their installation.

use super::{AllocFn, Class};
use crate::call::Args;
use crate::ctx::Ctx;
use crate::method::{Method, MethodBody, Visibility};
use crate::primitive::PrimitiveDef;
use crate::receiver::{Receiver, native};
use crate::vm::Extension;
use crate::{Result, Unwind};
use rubellite_value::{Sym, Tag, Value};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A method written in Rust, as the interpreter calls it; see [`Receiver`].
pub type NativeFn = fn(&mut Ctx, Value, Args) -> Result;

/// How many positional arguments a native method takes. Keywords count as one trailing Hash
/// only for methods that do not read them with `Args::keywords`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Arity {
    pub min: u16,
    /// `None`: any number.
    pub max: Option<u16>,
    /// The method reads keywords itself: they do not count as an argument.
    pub keywords: bool,
}

impl Arity {
    pub const NONE: Arity = Arity::exact(0);
    pub const ONE: Arity = Arity::exact(1);
    pub const ANY: Arity = Arity::at_least(0);

    pub const fn exact(n: u16) -> Arity {
        Arity { min: n, max: Some(n), keywords: false }
    }

    pub const fn range(min: u16, max: u16) -> Arity {
        Arity { min, max: Some(max), keywords: false }
    }

    pub const fn at_least(min: u16) -> Arity {
        Arity { min, max: None, keywords: false }
    }

    /// The same, for a method that takes keywords.
    pub const fn with_keywords(self) -> Arity {
        Arity { keywords: true, ..self }
    }

    /// Whether so many arguments are allowed.
    #[inline]
    pub fn accepts(self, argc: usize) -> bool {
        argc >= self.min as usize && self.max.is_none_or(|max| argc <= max as usize)
    }

    /// `Method#arity`.
    pub const fn number(self) -> i32 {
        match self.max {
            Some(max) if max == self.min && !self.keywords => self.min as i32,
            Some(_) if !self.keywords => -1,
            _ => -(self.min as i32) - 1,
        }
    }
}

#[derive(Copy, Clone)]
pub struct MethodDef {
    pub name: &'static str,
    pub arity: Arity,
    pub function: NativeFn,
    pub visibility: Visibility,
    pub leaf: Leaf,
}

/// Up to how many arguments a native method is a leaf: it does not call methods, wait or look at its frame, so that it
/// runs without one. It raises nothing, or what backtraces show in the caller, as writers of members do.
#[derive(Copy, Clone)]
pub enum Leaf {
    Never,
    UpTo(u8),
    /// The method is none, but this function does for most receivers and arguments, as a leaf, what the method would
    /// do. For others it gives undef and has done nothing.
    Tries(NativeFn),
}

impl Leaf {
    #[inline]
    pub fn allows(self, argc: u16) -> bool {
        matches!(self, Leaf::UpTo(most) if argc <= most as u16)
    }
}

impl MethodDef {
    /// The same, a leaf when it is called with at most so many arguments.
    pub const fn leaf(self, most: u8) -> MethodDef {
        MethodDef { leaf: Leaf::UpTo(most), ..self }
    }

    /// The same, which compiled code calls without a frame where `function` can do it: see [`Leaf::Tries`].
    pub const fn tries<R, F>(self, function: F) -> MethodDef
    where
        R: Receiver,
        F: Fn(&mut Ctx, R, Args) -> Result + Copy + 'static,
    {
        MethodDef { leaf: Leaf::Tries(native(function)), ..self }
    }
}

/// A public method. `function` takes the context, a [`Receiver`] and the arguments; it is a function item or a closure
/// that captures nothing.
pub const fn method<R, F>(name: &'static str, arity: Arity, function: F) -> MethodDef
where
    R: Receiver,
    F: Fn(&mut Ctx, R, Args) -> Result + Copy + 'static,
{
    MethodDef { name, arity, function: native(function), visibility: Visibility::Public, leaf: Leaf::Never }
}

pub const fn private_method<R, F>(name: &'static str, arity: Arity, function: F) -> MethodDef
where
    R: Receiver,
    F: Fn(&mut Ctx, R, Args) -> Result + Copy + 'static,
{
    MethodDef { visibility: Visibility::Private, ..method(name, arity, function) }
}

pub const fn protected_method<R, F>(name: &'static str, arity: Arity, function: F) -> MethodDef
where
    R: Receiver,
    F: Fn(&mut Ctx, R, Args) -> Result + Copy + 'static,
{
    MethodDef { visibility: Visibility::Protected, ..method(name, arity, function) }
}

/// Alias of [`method`] for the table of a module whose functions are also singleton methods.
pub const fn constant_method<R, F>(name: &'static str, arity: Arity, function: F) -> MethodDef
where
    R: Receiver,
    F: Fn(&mut Ctx, R, Args) -> Result + Copy + 'static,
{
    method(name, arity, function)
}

/// A method that this system does not offer: it raises NotImplementedError, and `respond_to?` denies it (documented
/// with `Object#respond_to?`).
pub const fn unimplemented(name: &'static str, arity: Arity) -> MethodDef {
    MethodDef { name, arity, function: not_offered, visibility: Visibility::Public, leaf: Leaf::Never }
}

/// The function of methods that this system does not offer.
#[inline(never)]
pub(crate) fn not_offered(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let name = ctx.callee_name().map_or(String::new(), |name| ctx.sym_str(name));
    Err(ctx.unimplemented_function(&name))
}

/// A class or module of the core or of a library.
pub struct ClassDef {
    /// `"Foo"` or `"Foo::Bar"`.
    pub name: &'static str,
    /// Name of the superclass; empty: a module.
    pub superclass: &'static str,
    pub includes: &'static [&'static str],
    pub alloc: Option<AllocFn>,
    /// No `allocate` and no `new` (Integer, Symbol ...).
    pub no_new: bool,
    pub methods: &'static [MethodDef],
    pub singleton_methods: &'static [MethodDef],
    /// Methods that are private instance methods and public singleton methods (`module_function`).
    pub module_functions: &'static [MethodDef],
    /// What the Ruby parts of this class, or of others, are built on.
    pub primitives: &'static [PrimitiveDef],
    /// Ruby source that completes the class, run after all native methods of all classes exist; empty: none.
    pub ruby: &'static str,
    /// Further set-up: constants, aliases.
    pub setup: Option<fn(&mut Ctx, Class) -> Result<()>>,
}

impl ClassDef {
    pub const EMPTY: ClassDef = ClassDef {
        name: "",
        superclass: "Object",
        includes: &[],
        alloc: None,
        no_new: false,
        methods: &[],
        singleton_methods: &[],
        module_functions: &[],
        primitives: &[],
        ruby: "",
        setup: None,
    };
}

/// The top-level classes and modules of the core by name.
#[derive(Default)]
struct CoreClasses(RefCell<FxHashMap<Sym, Value>>); // tidy: traced as roots

impl Extension for CoreClasses {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        self.0.borrow().values().copied().for_each(mark);
    }
}

/// Methods that are private whatever their definition says.
const ALWAYS_PRIVATE: &[&str] =
    &["initialize", "initialize_copy", "initialize_clone", "initialize_dup", "respond_to_missing?"];

/// The allocator of classes whose instances cannot be made by themselves: TypeError.
pub fn no_allocator(ctx: &mut Ctx, class: Value) -> Result {
    let name = Class::known(class).inspect(ctx);
    Err(ctx.type_error(&format!("allocator undefined for {name}")))
}

impl Class {
    /// `undef_method`, without hooks, as part of a set-up.
    pub fn undefine(self, ctx: &mut Ctx, name: &str) {
        let name = ctx.intern_str(name);
        let undef = Method::new(ctx, name, self, Visibility::Public, MethodBody::Undef);
        self.set_method(ctx, name, undef);
    }
}

impl Ctx {
    /// Creates (or reopens) the class and installs its native methods. Ruby parts are run by the caller.
    pub fn install(&mut self, def: &ClassDef) -> Result<Class> {
        let class = self.open_def(def)?;
        if let Some(alloc) = def.alloc {
            class.set_alloc(self, Some(alloc));
        }
        for name in def.includes {
            let module = self.named_class(name)?;
            class.include(self, module).map_err(|_| Unwind)?;
        }
        self.define_primitives(def.primitives);
        for m in def.methods {
            self.define_native(class, m);
        }
        if !(def.singleton_methods.is_empty() && def.module_functions.is_empty()) {
            let singleton = Class::singleton_class(self, class.value()).ok_or(Unwind)?;
            for m in def.singleton_methods.iter().chain(def.module_functions) {
                self.define_native(singleton, m);
            }
            for m in def.module_functions {
                self.define_native(class, &MethodDef { visibility: Visibility::Private, ..*m });
            }
        }
        if def.no_new {
            let singleton = Class::singleton_class(self, class.value()).ok_or(Unwind)?;
            singleton.undefine(self, "new");
            if def.alloc.is_none() {
                class.set_alloc(self, Some(no_allocator));
            }
        }
        if let Some(setup) = def.setup {
            setup(self, class)?;
        }
        Ok(class)
    }

    fn open_def(&mut self, def: &ClassDef) -> Result<Class> {
        let (owner, last) = match def.name.rsplit_once("::") {
            Some((owner, last)) => (self.named_class(owner)?, last),
            None => (self.classes().object.class(), def.name),
        };
        let sym = self.intern(last);
        // A constant whose autoload has brought us here is not there yet.
        if let Some(entry) = owner.own_const(self, sym).filter(|entry| !entry.flags.autoload) {
            let value = entry.value;
            // A definition without a superclass adds to what is there, be it a class or a module.
            let adds = def.superclass.is_empty();
            if !(value.has_tag(Tag::Class) || adds && Class::is(value)) {
                let kind = if adds { "module" } else { "class" };
                let class = self.real_class(value).inspect(self);
                return Err(self.type_error(&format!("{} is not a {kind} ({class})", def.name)));
            }
            let class = Class::known(value);
            if !adds {
                let superclass = self.named_class(def.superclass)?;
                if class.superclass(self) != Some(superclass) {
                    return Err(self.type_error(&format!("superclass mismatch for class {}", def.name)));
                }
            }
            return Ok(class);
        }
        let class = if def.superclass.is_empty() {
            let klass = self.classes().module.get();
            Class::new_module(self, klass)
        } else {
            let superclass = self.named_class(def.superclass)?;
            Class::new_class(self, Some(superclass))
        };
        owner.set_const(self, last, class.value());
        Ok(class)
    }

    /// Remembers the classes of the core, which the libraries find also when the program has removed their constants.
    pub(crate) fn keep_core_classes(&mut self) {
        let object = self.classes().object.class();
        let names = object.own_const_names(self);
        let entry = |name: Sym| Some((name, object.own_const(self, name)?.value));
        let classes = names.into_iter().filter_map(entry).filter(|(_, value)| Class::is(*value));
        let classes: Vec<(Sym, Value)> = classes.collect(); // tidy: constants of Object, nothing is collected meanwhile
        self.extension::<CoreClasses>().0.borrow_mut().extend(classes);
    }

    /// The class or module called `"A::B"`. NameError when the program has removed it, TypeError when it has put
    /// something else there.
    pub fn named_class(&mut self, path: &'static str) -> Result<Class> {
        let object = self.classes().object.get();
        let mut at = Class::known(object);
        for part in path.split("::") {
            let name = self.intern(part);
            let kept = if at.value() == object {
                self.extension::<CoreClasses>().0.borrow().get(&name).copied()
            } else {
                None
            };
            let Some(value) = kept.or_else(|| at.own_const(self, name).map(|entry| entry.value)) else {
                return Err(self.name_error("NameError", &format!("uninitialized constant {path}"), object, name));
            };
            if !Class::is(value) {
                return Err(self.type_error(&format!("{path} is not a class")));
            }
            at = Class::known(value);
        }
        Ok(at)
    }

    /// Defines one native method.
    pub fn define_native(&mut self, class: Class, def: &MethodDef) {
        let sym: Sym = self.intern(def.name);
        let body = MethodBody::Native { function: def.function, arity: def.arity, leaf: def.leaf };
        let visibility = if ALWAYS_PRIVATE.contains(&def.name) { Visibility::Private } else { def.visibility };
        let method = Method::new(self, sym, class, visibility, body);
        class.set_method(self, sym, method);
    }
}

//! Classes, modules, methods, constants and variables.

use crate::call::sym;
use crate::state::{Call, api, cross};
use rubellite_vm::class::ConstEntry;
use rubellite_vm::object::{Complex, Exception, Rational};
use rubellite_vm::vm::GlobalHooks;
use rubellite_vm::{CFunction, Class, Ctx, Extension, MethodBody, Result, Sym, Tag, Value, Visibility};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_void};

type Getter = unsafe extern "C" fn(usize, *mut Value) -> Value;
type Setter = unsafe extern "C" fn(Value, usize, *mut Value);
type Alloc = unsafe extern "C" fn(Value) -> Value;

/// What extensions have defined beside methods.
#[derive(Default)]
pub struct Defined {
    /// Allocators by class; `None`: the class has been made to have none.
    allocators: RefCell<HashMap<u64, Option<Alloc>>>,
    globals: RefCell<HashMap<Sym, Global>>,
    /// Methods that are defined now may be called by any ractor.
    pub ractor_safe: Cell<bool>,
    /// Addresses of variables in C that are roots.
    addresses: RefCell<HashMap<usize, usize>>,
}

#[derive(Clone, Copy)]
struct Global {
    data: *mut Value,
    getter: Option<Getter>,
    setter: Option<Setter>,
    /// It has no variable: what reads it is all that there is.
    is_virtual: bool,
}

impl Extension for Defined {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        // SAFETY: addresses of variables that live until they are unregistered: `rb_gc_register_address` says so.
        let read = |address: usize| unsafe { *(address as *const Value) };
        self.addresses.borrow().keys().for_each(|address| mark_word(read(*address), mark));
        self.globals.borrow().values().filter(|global| !global.data.is_null()).for_each(|global| mark_word(read(global.data as usize), mark));
    }

    fn prune(&mut self, alive: &dyn Fn(Value) -> bool) {
        // SAFETY: a class that was alive when the collection began.
        self.allocators.borrow_mut().retain(|class, _| alive(unsafe { Value::from_bits(*class) }));
    }
}

fn mark_word(value: Value, mark: &mut dyn FnMut(Value)) {
    mark(value);
}

unsafe extern "C" {
    fn rbl_enter(function: Alloc, argument: Value, out: *mut Value) -> c_int;
    fn rbl_enter_getter(function: Getter, id: usize, data: *mut Value, out: *mut Value) -> c_int;
    fn rbl_enter_setter(function: Setter, value: Value, id: usize, data: *mut Value) -> c_int;
}

/// The text of a C string; empty for null.
///
/// # Safety
/// It ends with a NUL.
pub unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: by contract.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// A class or module, or TypeError.
pub fn class_of_argument(ctx: &mut Ctx, value: Value) -> Result<Class> {
    match Class::try_of(value) {
        Some(class) => Ok(class),
        None => {
            let text = ctx.inspect(value)?;
            Err(ctx.type_error(&format!("{text} is not a class/module")))
        }
    }
}

fn object_class(ctx: &Ctx) -> Value {
    ctx.classes().object.get()
}

fn body(ctx: &Ctx, function: *const c_void, argc: c_int) -> MethodBody {
    let ractor_safe = ctx.extension::<Defined>().ractor_safe.get();
    MethodBody::C { function: CFunction { address: function.cast(), argc: argc as i8, ractor_safe }, enter: crate::call::method }
}

fn define(ctx: &mut Ctx, class: Value, name: Sym, function: *const c_void, argc: c_int, visibility: Visibility) -> Result<()> {
    if !(-2..=15).contains(&argc) {
        return Err(ctx.argument_error(&format!("arity out of range: {argc} for -2..15")));
    }
    let class = class_of_argument(ctx, class)?;
    let name_text = ctx.sym_bytes(name);
    let private = matches!(name_text, b"initialize" | b"initialize_copy" | b"initialize_clone" | b"initialize_dup" | b"respond_to_missing?");
    let visibility = if private { Visibility::Private } else { visibility };
    let not_implemented = std::ptr::eq(function, rb_f_notimplement as *const c_void);
    let body = if not_implemented {
        MethodBody::Native {
            function: rubellite_vm::unimplemented("", rubellite_vm::Arity::ANY).function,
            arity: rubellite_vm::Arity::ANY,
            leaf: rubellite_vm::class::Leaf::Never,
        }
    } else {
        body(ctx, function, argc)
    };
    ctx.add_method(class, name, visibility, body).map(drop)
}

unsafe extern "C" {
    fn rb_f_notimplement(argc: c_int, argv: *const Value, object: Value, marker: Value) -> Value;
}

fn define_singleton(ctx: &mut Ctx, object: Value, name: Sym, function: *const c_void, argc: c_int) -> Result<()> {
    let Some(singleton) = Class::singleton_class(ctx, object) else { return Err(ctx.type_error("can't define singleton")) };
    define(ctx, singleton.value(), name, function, argc, Visibility::Public)
}

/// The class `name` in `outer`, made when it is not there.
fn class_under(ctx: &mut Ctx, outer: Value, name: Sym, superclass: Value) -> Result {
    let owner = class_of_argument(ctx, outer)?;
    let top = outer == object_class(ctx);
    if let Some((_, entry)) = ctx.visible_const(owner, name, Some(top))?.filter(|(found, _)| *found == owner || top) {
        let value = loaded(ctx, owner, name, &entry)?;
        if !value.is_undef() {
            if !value.has_tag(Tag::Class) {
                let (label, class) = (owner.qualify(ctx, &ctx.sym_str(name)), ctx.real_class(value).inspect(ctx));
                return Err(ctx.type_error(&format!("{label} is not a class ({class})")));
            }
            let parent = Class::try_of(value).and_then(|class| real_superclass(ctx, class));
            let parent = parent.map_or(Value::NIL, Class::value);
            if parent != superclass && superclass.bits() != 0 {
                return Err(ctx.type_error(&format!("superclass mismatch for class {}", ctx.sym_str(name))));
            }
            return Ok(value);
        }
    }
    if superclass.bits() == 0 {
        let label = owner.qualify(ctx, &ctx.sym_str(name));
        return Err(ctx.argument_error(&format!("no super class for '{label}'")));
    }
    ctx.check_inheritable(superclass)?;
    let class = Class::new_class(ctx, Class::try_of(superclass));
    ctx.set_const_checked(outer, name, class.value())?;
    ctx.call_inherited(class)?;
    Ok(class.value())
}

fn real_superclass(ctx: &Ctx, class: Class) -> Option<Class> {
    class.superclass(ctx).map(|class| class.real(ctx))
}

/// The value of a constant, whose autoload runs first; undef when that defined nothing.
fn loaded(ctx: &mut Ctx, owner: Class, name: Sym, entry: &ConstEntry) -> Result {
    if entry.flags.autoload {
        ctx.load_autoload(owner, name, entry)?;
        let again = ctx.visible_const(owner, name, Some(false))?;
        return Ok(again.map_or(Value::UNDEF, |(_, entry)| if entry.flags.autoload { Value::UNDEF } else { entry.value }));
    }
    Ok(entry.value)
}

fn module_under(ctx: &mut Ctx, outer: Value, name: Sym) -> Result {
    let owner = class_of_argument(ctx, outer)?;
    let top = outer == object_class(ctx);
    if let Some((_, entry)) = ctx.visible_const(owner, name, Some(top))?.filter(|(found, _)| *found == owner || top) {
        let value = loaded(ctx, owner, name, &entry)?;
        if !value.is_undef() {
            if !value.has_tag(Tag::Module) {
                let (label, class) = (owner.qualify(ctx, &ctx.sym_str(name)), ctx.real_class(value).inspect(ctx));
                return Err(ctx.type_error(&format!("{label} is not a module ({class})")));
            }
            return Ok(value);
        }
    }
    let klass = ctx.classes().module.get();
    let module = Class::new_module(ctx, klass);
    ctx.set_const_checked(outer, name, module.value())?;
    Ok(module.value())
}

/// What classes with an allocator in C have.
fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    let mut at = Class::try_of(class);
    while let Some(found) = at {
        let function = ctx.extension::<Defined>().allocators.borrow().get(&found.value().bits()).copied();
        if let Some(Some(function)) = function {
            // SAFETY: an allocator takes the class; the shim calls it behind a tag.
            let object = cross(ctx, Call::NONE, Value::NIL, |out| unsafe { rbl_enter(function, class, out) })?;
            let fits = Class::try_of(ctx.class_of(object)).map(|klass| klass.real(ctx)) == Class::try_of(class);
            return if fits { Ok(object) } else { Err(ctx.type_error("wrong instance allocation")) };
        }
        at = found.superclass(ctx);
    }
    rubellite_vm::no_allocator(ctx, class)
}

fn global(ctx: &Ctx, name: Sym) -> Option<Global> {
    ctx.extension::<Defined>().globals.borrow().get(&name).copied()
}

fn get_global(ctx: &mut Ctx, name: Sym) -> Result {
    let Some(global) = global(ctx, name) else { return Ok(Value::NIL) };
    match global.getter {
        // SAFETY: getter and variable go together.
        Some(getter) => cross(ctx, Call::NONE, Value::NIL, |out| unsafe { rbl_enter_getter(getter, name.0 as usize, global.data, out) }),
        None if global.data.is_null() => Ok(if global.is_virtual { Value::FALSE } else { Value::NIL }),
        // SAFETY: the variable lives as long as the extension.
        None => Ok(unsafe { *global.data }),
    }
}

fn set_global(ctx: &mut Ctx, name: Sym, value: Value) -> Result<()> {
    let Some(global) = global(ctx, name) else { return Ok(()) };
    match global.setter {
        // SAFETY: as above.
        Some(setter) => cross(ctx, Call::NONE, (), |()| unsafe { rbl_enter_setter(setter, value, name.0 as usize, global.data) }),
        None => {
            if !global.data.is_null() {
                // SAFETY: as above.
                unsafe { *global.data = value };
            }
            Ok(())
        }
    }
}

unsafe extern "C" {
    fn rb_gvar_readonly_setter(value: Value, id: usize, data: *mut Value);
}

fn define_global(ctx: &mut Ctx, name: &str, global: Global, read_only: bool) {
    let name = if name.starts_with('$') { name.to_string() } else { format!("${name}") };
    let symbol = ctx.intern(&name);
    let read_only = read_only || global.setter.is_some_and(|setter| std::ptr::fn_addr_eq(setter, rb_gvar_readonly_setter as Setter));
    ctx.extension::<Defined>().globals.borrow_mut().insert(symbol, global);
    ctx.hook_global(&name, GlobalHooks { get: get_global, set: if read_only { None } else { Some(set_global) } });
}

/// Exceptions keep the message and the backtrace, which CRuby has in variables that only C code can name.
fn exception_part(ctx: &Ctx, object: Value, name: Sym) -> Option<(Exception, bool)> {
    let exception = Exception::try_of(object)?;
    match ctx.sym_bytes(name) {
        b"mesg" => Some((exception, true)),
        b"bt" => Some((exception, false)),
        _ => None,
    }
}

/// What C code sees of an instance variable.
fn variable(ctx: &Ctx, object: Value, name: Sym) -> Option<Value> {
    match exception_part(ctx, object, name) {
        Some((exception, true)) => exception.message().defined(),
        Some((exception, false)) => Some(exception.backtrace_value()),
        None => ctx.ivar_get(object, name).defined(),
    }
}

/// The variables of an exception that only C code can name.
fn hidden_pairs(ctx: &Ctx, object: Value) -> Vec<(Sym, Value)> {
    let Some(exception) = Exception::try_of(object) else { return Vec::new() };
    let message = exception.message().defined().unwrap_or(Value::NIL);
    vec![(ctx.intern("mesg"), message), (ctx.intern("bt"), exception.backtrace_value())] // tidy: rooted by the exception
}

fn set_variable(ctx: &Ctx, object: Value, name: Sym, value: Value) {
    match exception_part(ctx, object, name) {
        Some((exception, true)) => exception.set_message(ctx, value),
        Some((exception, false)) => exception.set_backtrace_value(ctx, value),
        None => ctx.ivar_set(object, name, value),
    }
}

/// Writes the variable of that name, or nil; `name` is `None` where no symbol has the name.
///
/// # Safety
/// As for the functions of `api!`, or called by a mark function.
unsafe fn read_variable(object: Value, name: impl Fn(&Ctx) -> Option<Sym>, out: *mut Value) -> c_int {
    let read = |ctx: &Ctx| name(ctx).and_then(|name| variable(ctx, object, name)).unwrap_or(Value::NIL);
    if let Some(value) = crate::data::reading(read) {
        // SAFETY: the shim's variable.
        unsafe { out.write(value) };
        return 0;
    }
    crate::state::enter(out, |ctx| Ok(read(ctx)))
}

/// Mark functions may call it.
///
/// # Safety
/// See `read_variable`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_ivar_get(object: Value, name: usize, out: *mut Value) -> c_int {
    // SAFETY: by contract.
    unsafe { read_variable(object, |_| Some(sym(name)), out) }
}

/// Mark functions may call it.
///
/// # Safety
/// See `read_variable`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_attr_get(object: Value, name: usize, out: *mut Value) -> c_int {
    // SAFETY: by contract.
    unsafe { read_variable(object, |_| Some(sym(name)), out) }
}

/// Mark functions may call it.
///
/// # Safety
/// See `read_variable`; `name` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_iv_get(object: Value, name: *const c_char, out: *mut Value) -> c_int {
    // SAFETY: by contract.
    let name = unsafe { text(name) };
    // SAFETY: by contract.
    unsafe { read_variable(object, |ctx| ctx.find_symbol(name.as_bytes(), rubellite_vm::Encoding::UTF_8), out) }
}

/// Rational and Complex: programs cannot allocate one, and C code fills in the parts of what it has allocated, which lie as in CRuby.
fn is_number_of_two(ctx: &Ctx, class: Value) -> bool {
    class == ctx.classes().rational.get() || class == ctx.classes().complex.get()
}

api! {
    fn rbl_define_method(ctx, class: Value, name: *const c_char, function: *const c_void, argc: c_int) {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        define(ctx, class, name, function, argc, Visibility::Public)
    }

    fn rbl_define_method_id(ctx, class: Value, name: usize, function: *const c_void, argc: c_int) {
        define(ctx, class, sym(name), function, argc, Visibility::Public)
    }

    fn rbl_define_private_method(ctx, class: Value, name: *const c_char, function: *const c_void, argc: c_int) {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        define(ctx, class, name, function, argc, Visibility::Private)
    }

    fn rbl_define_protected_method(ctx, class: Value, name: *const c_char, function: *const c_void, argc: c_int) {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        define(ctx, class, name, function, argc, Visibility::Protected)
    }

    fn rbl_define_singleton_method(ctx, object: Value, name: *const c_char, function: *const c_void, argc: c_int) {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        define_singleton(ctx, object, name, function, argc)
    }

    fn rbl_define_module_function(ctx, module: Value, name: *const c_char, function: *const c_void, argc: c_int) {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        define(ctx, module, name, function, argc, Visibility::Private)?;
        define_singleton(ctx, module, name, function, argc)
    }

    fn rbl_define_global_function(ctx, name: *const c_char, function: *const c_void, argc: c_int) {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        let kernel = ctx.named_class("Kernel")?.value();
        define(ctx, kernel, name, function, argc, Visibility::Private)?;
        define_singleton(ctx, kernel, name, function, argc)
    }

    fn rbl_define_alias(ctx, class: Value, new: *const c_char, old: *const c_char) {
        // SAFETY: C strings.
        let (new, old) = unsafe { (ctx.intern(&text(new)), ctx.intern(&text(old))) };
        let class = class_of_argument(ctx, class)?;
        ctx.alias_method(class, new, old)
    }

    fn rbl_alias(ctx, class: Value, new: usize, old: usize) {
        let class = class_of_argument(ctx, class)?;
        ctx.alias_method(class, sym(new), sym(old))
    }

    fn rbl_undef_method(ctx, class: Value, name: *const c_char) {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        let class = class_of_argument(ctx, class)?;
        ctx.check_frozen_class(class)?;
        let undef = rubellite_vm::Method::new(ctx, name, class, Visibility::Public, MethodBody::Undef);
        class.set_method(ctx, name, undef);
        Ok(())
    }

    fn rbl_undef(ctx, class: Value, name: usize) {
        let class = class_of_argument(ctx, class)?;
        ctx.undef_method(class, sym(name))
    }

    fn rbl_attr(ctx, class: Value, name: usize, read: c_int, write: c_int, _visibility: c_int) {
        let name = Value::symbol(sym(name));
        if read != 0 {
            ctx.call_name(class, "attr_reader", &[name])?;
        }
        if write != 0 {
            ctx.call_name(class, "attr_writer", &[name])?;
        }
        Ok(())
    }

    fn rbl_define_attr(ctx, class: Value, name: *const c_char, read: c_int, write: c_int) {
        // SAFETY: a C string.
        let name = Value::symbol(ctx.intern(&unsafe { text(name) }));
        if read != 0 {
            ctx.call_name(class, "attr_reader", &[name])?;
        }
        if write != 0 {
            ctx.call_name(class, "attr_writer", &[name])?;
        }
        Ok(())
    }

    fn rbl_define_class(ctx, name: *const c_char, superclass: Value) -> Value {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        let object = object_class(ctx);
        let class = class_under(ctx, object, name, superclass)?;
        Ok(ctx.pin(class))
    }

    fn rbl_define_class_under(ctx, outer: Value, name: *const c_char, superclass: Value) -> Value {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        let class = class_under(ctx, outer, name, superclass)?;
        Ok(ctx.pin(class))
    }

    fn rbl_define_class_id_under(ctx, outer: Value, name: usize, superclass: Value) -> Value {
        let class = class_under(ctx, outer, sym(name), superclass)?;
        Ok(ctx.pin(class))
    }

    fn rbl_define_class_id(ctx, _name: usize, superclass: Value) -> Value {
        ctx.check_inheritable(superclass)?;
        let class = Class::new_class(ctx, Class::try_of(superclass)).value();
        Ok(class)
    }

    fn rbl_define_module(ctx, name: *const c_char) -> Value {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        let object = object_class(ctx);
        let module = module_under(ctx, object, name)?;
        Ok(ctx.pin(module))
    }

    fn rbl_define_module_under(ctx, outer: Value, name: *const c_char) -> Value {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        let module = module_under(ctx, outer, name)?;
        Ok(ctx.pin(module))
    }

    fn rbl_define_module_id_under(ctx, outer: Value, name: usize) -> Value {
        let module = module_under(ctx, outer, sym(name))?;
        Ok(ctx.pin(module))
    }

    fn rbl_define_module_id(ctx, _name: usize) -> Value {
        let klass = ctx.classes().module.get();
        Ok(Class::new_module(ctx, klass).value())
    }

    fn rbl_class_new(ctx, superclass: Value) -> Value {
        ctx.check_inheritable(superclass)?;
        Ok(Class::new_class(ctx, Class::try_of(superclass)).value())
    }

    fn rbl_module_new(ctx) -> Value {
        let klass = ctx.classes().module.get();
        Ok(Class::new_module(ctx, klass).value())
    }

    fn rbl_singleton_class(ctx, object: Value) -> Value {
        match Class::exposed_singleton_class(ctx, object) {
            Some(class) => Ok(class.value()),
            None => Err(ctx.type_error("can't define singleton")),
        }
    }

    fn rbl_include_module(ctx, class: Value, module: Value) {
        ctx.call_name(class, "include", &[module]).map(drop)
    }

    fn rbl_prepend_module(ctx, class: Value, module: Value) {
        ctx.call_name(class, "prepend", &[module]).map(drop)
    }

    fn rbl_extend_object(ctx, object: Value, module: Value) {
        ctx.call_name(object, "extend", &[module]).map(drop)
    }

    fn rbl_define_alloc_func(ctx, class: Value, function: Alloc) {
        let class = class_of_argument(ctx, class)?;
        ctx.extension::<Defined>().allocators.borrow_mut().insert(class.value().bits(), Some(function));
        class.set_alloc(ctx, Some(allocate));
        Ok(())
    }

    fn rbl_undef_alloc_func(ctx, class: Value) {
        let class = class_of_argument(ctx, class)?;
        ctx.extension::<Defined>().allocators.borrow_mut().insert(class.value().bits(), None);
        class.set_alloc(ctx, Some(rubellite_vm::no_allocator));
        Ok(())
    }

    fn rbl_get_alloc_func(ctx, class: Value) -> Option<Alloc> {
        let mut at = Some(class_of_argument(ctx, class)?);
        while let Some(found) = at {
            if let Some(function) = ctx.extension::<Defined>().allocators.borrow().get(&found.value().bits()).copied() {
                return Ok(function);
            }
            at = found.superclass(ctx);
        }
        let class = class_of_argument(ctx, class)?;
        if is_number_of_two(ctx, class.value()) {
            return Ok(Some(rb_native_alloc as Alloc));
        }
        let refuses = class.alloc_fn(ctx).is_none_or(|alloc| std::ptr::fn_addr_eq(alloc, rubellite_vm::no_allocator as rubellite_vm::class::AllocFn));
        Ok(if refuses { None } else { Some(rb_native_alloc as Alloc) })
    }

    /// An instance as the nearest ancestor makes it that has an allocator of the VM's own.
    fn rbl_native_alloc(ctx, class: Value) -> Value {
        if class == ctx.classes().rational.get() {
            return Ok(Rational::new(ctx, Value::fixnum(0), Value::fixnum(1)).value());
        }
        if is_number_of_two(ctx, class) {
            return Ok(Complex::new(ctx, Value::fixnum(0), Value::fixnum(0)).value());
        }
        let mut at = Some(class_of_argument(ctx, class)?);
        while let Some(found) = at {
            let own = !ctx.extension::<Defined>().allocators.borrow().contains_key(&found.value().bits());
            if let Some(alloc) = found.data(ctx).alloc.filter(|_| own) {
                return alloc(ctx, class);
            }
            at = found.superclass(ctx);
        }
        rubellite_vm::no_allocator(ctx, class)
    }

    fn rbl_obj_alloc(ctx, class: Value) -> Value {
        let class = class_of_argument(ctx, class)?;
        ctx.allocate(class)
    }

    fn rbl_ext_ractor_safe(ctx, safe: bool) {
        ctx.extension::<Defined>().ractor_safe.set(safe);
        Ok(())
    }

    // -- constants ------------------------------------------------------------------------

    fn rbl_define_const(ctx, class: Value, name: *const c_char, value: Value) {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        ctx.set_const_checked(class, name, value)
    }

    fn rbl_define_global_const(ctx, name: *const c_char, value: Value) {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        let object = object_class(ctx);
        ctx.set_const_checked(object, name, value)
    }

    fn rbl_const_set(ctx, class: Value, name: usize, value: Value) {
        ctx.set_const_checked(class, sym(name), value)
    }

    fn rbl_const_get(ctx, class: Value, name: usize) -> Value {
        let class = class_of_argument(ctx, class)?;
        ctx.const_get(class, sym(name), true)
    }

    fn rbl_const_get_from(ctx, class: Value, name: usize) -> Value {
        ctx.const_from(class, sym(name))
    }

    fn rbl_const_get_at(ctx, class: Value, name: usize) -> Value {
        let class = class_of_argument(ctx, class)?;
        ctx.const_get(class, sym(name), false)
    }

    fn rbl_const_defined(ctx, class: Value, name: usize) -> c_int {
        let class = class_of_argument(ctx, class)?;
        Ok(c_int::from(ctx.visible_const(class, sym(name), Some(true))?.is_some()))
    }

    fn rbl_const_defined_at(ctx, class: Value, name: usize) -> c_int {
        let class = class_of_argument(ctx, class)?;
        Ok(c_int::from(class.own_const(ctx, sym(name)).is_some()))
    }

    fn rbl_const_defined_from(ctx, class: Value, name: usize) -> c_int {
        let class = class_of_argument(ctx, class)?;
        let object = object_class(ctx);
        let found = ctx.visible_const(class, sym(name), Some(true))?.map(|(owner, _)| owner.value());
        Ok(c_int::from(found.is_some_and(|owner| owner != object || class.value() == object)))
    }

    fn rbl_path2class(ctx, path: *const c_char) -> Value {
        // SAFETY: a C string.
        let path = unsafe { text(path) };
        path_to_class(ctx, &path)
    }

    fn rbl_path_to_class(ctx, path: Value) -> Value {
        let path = ctx.to_str(path)?.to_lossy(ctx).into_owned();
        path_to_class(ctx, &path)
    }

    // -- variables ------------------------------------------------------------------------

    fn rbl_ivar_set(ctx, object: Value, name: usize, value: Value) -> Value {
        ctx.check_frozen(object)?;
        set_variable(ctx, object, sym(name), value);
        Ok(value)
    }

    fn rbl_ivar_defined(ctx, object: Value, name: usize) -> Value {
        Ok(Value::from_bool(variable(ctx, object, sym(name)).is_some()))
    }

    fn rbl_ivar_count(ctx, object: Value) -> usize {
        Ok(hidden_pairs(ctx, object).len() + ctx.ivar_pairs(object).len())
    }

    /// Writes names as symbols and values of `room` variables behind each other, and gives the number of variables.
    fn rbl_c_ivar_pairs(ctx, object: Value, out: *mut [Value; 2], room: usize) -> usize {
        let mut pairs = hidden_pairs(ctx, object); // tidy: rooted by the object
        if let Some(class) = Class::try_of(object) {
            pairs.extend(class.own_cvar_names(ctx).into_iter().filter_map(|name| Some((name, class.own_cvar(ctx, name)?))));
        }
        pairs.extend(ctx.ivar_pairs(object));
        for (i, (name, value)) in pairs.iter().take(room).enumerate() {
            // SAFETY: the shim's array has room for so many.
            unsafe { out.add(i).write([Value::symbol(*name), *value]) };
        }
        Ok(pairs.len())
    }

    fn rbl_iv_set(ctx, object: Value, name: *const c_char, value: Value) -> Value {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        ctx.check_frozen(object)?;
        set_variable(ctx, object, name, value);
        Ok(value)
    }

    fn rbl_copy_generic_ivar(ctx, to: Value, from: Value) {
        ctx.ivar_copy(from, to);
        Ok(())
    }

    fn rbl_cvar_get(ctx, class: Value, name: usize) -> Value {
        let class = class_of_argument(ctx, class)?;
        ctx.cvar_get(class, sym(name))
    }

    fn rbl_cvar_set(ctx, class: Value, name: usize, value: Value) {
        let class = class_of_argument(ctx, class)?;
        ctx.cvar_set(class, sym(name), value)
    }

    fn rbl_cvar_defined(ctx, class: Value, name: usize) -> Value {
        let class = class_of_argument(ctx, class)?;
        let known = class.cvar_owner(ctx, sym(name)).is_some() || ctx.ivar_get(class.value(), sym(name)).defined().is_some();
        Ok(Value::from_bool(known))
    }

    fn rbl_cv_get(ctx, class: Value, name: *const c_char) -> Value {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        let class = class_of_argument(ctx, class)?;
        ctx.cvar_get(class, name)
    }

    fn rbl_cv_set(ctx, class: Value, name: *const c_char, value: Value) {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        let class = class_of_argument(ctx, class)?;
        ctx.cvar_set(class, name, value)
    }

    fn rbl_define_class_variable(ctx, class: Value, name: *const c_char, value: Value) {
        // SAFETY: a C string.
        let name = ctx.intern(&unsafe { text(name) });
        let class = class_of_argument(ctx, class)?;
        ctx.cvar_set(class, name, value)
    }

    fn rbl_gv_get(ctx, name: *const c_char) -> Value {
        // SAFETY: a C string.
        let name = unsafe { text(name) };
        let name = ctx.intern(&if name.starts_with('$') { name } else { format!("${name}") });
        ctx.get_global(name)
    }

    fn rbl_gv_set(ctx, name: *const c_char, value: Value) -> Value {
        // SAFETY: a C string.
        let name = unsafe { text(name) };
        let name = ctx.intern(&if name.starts_with('$') { name } else { format!("${name}") });
        ctx.set_global(name, value)?;
        Ok(value)
    }

    fn rbl_define_variable(ctx, name: *const c_char, data: *mut Value) {
        // SAFETY: a C string.
        let name = unsafe { text(name) };
        define_global(ctx, &name, Global { data, getter: None, setter: None, is_virtual: false }, false);
        Ok(())
    }

    fn rbl_define_readonly_variable(ctx, name: *const c_char, data: *const Value) {
        // SAFETY: a C string.
        let name = unsafe { text(name) };
        define_global(ctx, &name, Global { data: data.cast_mut(), getter: None, setter: None, is_virtual: false }, true);
        Ok(())
    }

    fn rbl_define_hooked_variable(ctx, name: *const c_char, data: *mut Value, getter: Option<Getter>, setter: Option<Setter>) {
        // SAFETY: a C string.
        let name = unsafe { text(name) };
        define_global(ctx, &name, Global { data, getter, setter, is_virtual: false }, false);
        Ok(())
    }

    fn rbl_define_virtual_variable(ctx, name: *const c_char, getter: Option<Getter>, setter: Option<Setter>) {
        // SAFETY: a C string.
        let name = unsafe { text(name) };
        define_global(ctx, &name, Global { data: std::ptr::null_mut(), getter, setter, is_virtual: true }, setter.is_none());
        Ok(())
    }

    fn rbl_alias_variable(ctx, new: usize, old: usize) {
        ctx.alias_global(sym(new), sym(old));
        Ok(())
    }

    fn rbl_gc_register_address(ctx, address: usize) {
        *ctx.extension::<Defined>().addresses.borrow_mut().entry(address).or_insert(0) += 1;
        Ok(())
    }

    fn rbl_global_variable(ctx, address: usize) {
        *ctx.extension::<Defined>().addresses.borrow_mut().entry(address).or_insert(0) += 1;
        Ok(())
    }

    fn rbl_gc_unregister_address(ctx, address: usize) {
        let mut addresses = ctx.extension::<Defined>().addresses.borrow_mut();
        if let Some(count) = addresses.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                addresses.remove(&address);
            }
        }
        Ok(())
    }

    fn rbl_gc_register_mark_object(ctx, object: Value) {
        if object.is_heap() {
            ctx.pin(object);
        }
        ctx.pinned(object);
        Ok(())
    }
}

unsafe extern "C" {
    fn rb_native_alloc(class: Value) -> Value;
}

fn path_to_class(ctx: &mut Ctx, path: &str) -> Result {
    if path.is_empty() || path.starts_with('#') {
        return Err(ctx.argument_error(&format!("can't retrieve anonymous class {path}")));
    }
    let mut at = object_class(ctx);
    let mut so_far = String::new();
    for part in path.split("::") {
        let Some(owner) = Class::try_of(at) else {
            return Err(ctx.type_error(&format!("{so_far} does not refer to class/module")));
        };
        so_far = if so_far.is_empty() { part.to_string() } else { format!("{so_far}::{part}") };
        let name = ctx.intern(part);
        let top = at == object_class(ctx);
        if ctx.visible_const(owner, name, Some(top))?.is_none() {
            return Err(ctx.argument_error(&format!("undefined class/module {so_far}")));
        }
        at = ctx.const_get(owner, name, top)?;
    }
    if !Class::is(at) {
        return Err(ctx.type_error(&format!("{so_far} does not refer to class/module")));
    }
    Ok(at)
}

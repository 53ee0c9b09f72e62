//! Classes, modules, methods, allocators and constants. Variables are in `variable`.

use crate::call::sym;
use crate::state::{Call, api, cross};
use rubellite_vm::class::ConstEntry;
use rubellite_vm::object::{Complex, Rational};
use rubellite_vm::{CFunction, Class, Ctx, Extension, MethodBody, Result, Sym, Tag, Value, Visibility};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_void};

type Alloc = unsafe extern "C" fn(Value) -> Value;

/// What extensions have defined beside methods.
#[derive(Default)]
pub struct Defined {
    /// Allocators by class; `None`: the class has been made to have none.
    allocators: RefCell<HashMap<u64, Option<Alloc>>>,
    /// Methods that are defined now may be called by any ractor.
    pub ractor_safe: Cell<bool>,
}

impl Extension for Defined {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}

    fn prune(&mut self, alive: &dyn Fn(Value) -> bool) {
        // SAFETY: a class that was alive when the collection began.
        self.allocators.borrow_mut().retain(|class, _| alive(unsafe { Value::from_bits(*class) }));
    }
}

unsafe extern "C" {
    fn rbl_enter(function: Alloc, argument: Value, out: *mut Value) -> c_int;
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
    MethodBody::C {
        function: CFunction { address: function.cast(), argc: argc as i8, ractor_safe },
        enter: crate::call::method,
    }
}

fn define(
    ctx: &mut Ctx,
    class: Value,
    name: Sym,
    function: *const c_void,
    argc: c_int,
    visibility: Visibility,
) -> Result<()> {
    if !(-2..=15).contains(&argc) {
        return Err(ctx.argument_error(&format!("arity out of range: {argc} for -2..15")));
    }
    let class = class_of_argument(ctx, class)?;
    let name_text = ctx.sym_bytes(name);
    let private = matches!(
        name_text,
        b"initialize" | b"initialize_copy" | b"initialize_clone" | b"initialize_dup" | b"respond_to_missing?"
    );
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
    let Some(singleton) = Class::singleton_class(ctx, object) else {
        return Err(ctx.type_error("can't define singleton"));
    };
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
        return Ok(
            again.map_or(Value::UNDEF, |(_, entry)| if entry.flags.autoload { Value::UNDEF } else { entry.value })
        );
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

/// Rational and Complex: programs cannot allocate one, and C code fills in the parts of what it has allocated, which
/// lie as in CRuby.
fn is_number_of_two(ctx: &Ctx, class: Value) -> bool {
    class == ctx.classes().rational.get() || class == ctx.classes().complex.get()
}

fn module_of_argument(ctx: &mut Ctx, value: Value) -> Result {
    if value.has_tag(Tag::Module) {
        return Ok(value);
    }
    let text = ctx.describe_for_conversion(value);
    Err(ctx.type_error(&format!("wrong argument type {text} (expected Module)")))
}

api! {
    fn rbl_define_method(ctx, class: Value, name: *const c_char, function: *const c_void, argc: c_int) {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
        define(ctx, class, name, function, argc, Visibility::Public)
    }

    fn rbl_define_method_id(ctx, class: Value, name: usize, function: *const c_void, argc: c_int) {
        define(ctx, class, sym(name), function, argc, Visibility::Public)
    }

    fn rbl_define_private_method(ctx, class: Value, name: *const c_char, function: *const c_void, argc: c_int) {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
        define(ctx, class, name, function, argc, Visibility::Private)
    }

    fn rbl_define_protected_method(ctx, class: Value, name: *const c_char, function: *const c_void, argc: c_int) {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
        define(ctx, class, name, function, argc, Visibility::Protected)
    }

    fn rbl_define_singleton_method(ctx, object: Value, name: *const c_char, function: *const c_void, argc: c_int) {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
        define_singleton(ctx, object, name, function, argc)
    }

    fn rbl_define_module_function(ctx, module: Value, name: *const c_char, function: *const c_void, argc: c_int) {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
        define(ctx, module, name, function, argc, Visibility::Private)?;
        define_singleton(ctx, module, name, function, argc)
    }

    fn rbl_define_global_function(ctx, name: *const c_char, function: *const c_void, argc: c_int) {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
        let kernel = ctx.named_class("Kernel")?.value();
        define(ctx, kernel, name, function, argc, Visibility::Private)?;
        define_singleton(ctx, kernel, name, function, argc)
    }

    fn rbl_define_alias(ctx, class: Value, new: *const c_char, old: *const c_char) {
        // SAFETY: C strings.
        let (new, old) = unsafe { (ctx.intern_str(&text(new)), ctx.intern_str(&text(old))) };
        let class = class_of_argument(ctx, class)?;
        ctx.alias_method(class, new, old)
    }

    fn rbl_alias(ctx, class: Value, new: usize, old: usize) {
        let class = class_of_argument(ctx, class)?;
        ctx.alias_method(class, sym(new), sym(old))
    }

    fn rbl_undef_method(ctx, class: Value, name: *const c_char) {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
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
            crate::own::call(ctx, class, "attr_reader", &[name])?;
        }
        if write != 0 {
            crate::own::call(ctx, class, "attr_writer", &[name])?;
        }
        Ok(())
    }

    fn rbl_define_attr(ctx, class: Value, name: *const c_char, read: c_int, write: c_int) {
        // SAFETY: a C string.
        let name = Value::symbol(ctx.intern_str(&unsafe { text(name) }));
        if read != 0 {
            crate::own::call(ctx, class, "attr_reader", &[name])?;
        }
        if write != 0 {
            crate::own::call(ctx, class, "attr_writer", &[name])?;
        }
        Ok(())
    }

    fn rbl_define_class(ctx, name: *const c_char, superclass: Value) -> Value {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
        let object = object_class(ctx);
        let class = class_under(ctx, object, name, superclass)?;
        Ok(ctx.pin(class))
    }

    fn rbl_define_class_under(ctx, outer: Value, name: *const c_char, superclass: Value) -> Value {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
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
        let name = ctx.intern_str(&unsafe { text(name) });
        let object = object_class(ctx);
        let module = module_under(ctx, object, name)?;
        Ok(ctx.pin(module))
    }

    fn rbl_define_module_under(ctx, outer: Value, name: *const c_char) -> Value {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
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
        let module = module_of_argument(ctx, module)?;
        crate::own::call(ctx, module, "append_features", &[class]).map(drop)
    }

    fn rbl_prepend_module(ctx, class: Value, module: Value) {
        let module = module_of_argument(ctx, module)?;
        crate::own::call(ctx, module, "prepend_features", &[class]).map(drop)
    }

    fn rbl_extend_object(ctx, object: Value, module: Value) {
        let module = module_of_argument(ctx, module)?;
        crate::own::call(ctx, module, "extend_object", &[object]).map(drop)
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
        let none: rubellite_vm::class::AllocFn = rubellite_vm::no_allocator;
        let refuses = class.alloc_fn(ctx).is_none_or(|alloc| std::ptr::fn_addr_eq(alloc, none));
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
            if let Some(alloc) = found.own_alloc(ctx).filter(|_| own) {
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
        let name = ctx.intern_str(&unsafe { text(name) });
        ctx.set_const_checked(class, name, value)
    }

    fn rbl_define_global_const(ctx, name: *const c_char, value: Value) {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
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
        rubellite_core_text::class_at(ctx, path.as_bytes())
    }

    fn rbl_path_to_class(ctx, path: Value) -> Value {
        let path = ctx.to_str(path)?.bytes(ctx).to_vec();
        rubellite_core_text::class_at(ctx, &path)
    }

}

unsafe extern "C" {
    fn rb_native_alloc(class: Value) -> Value;
}

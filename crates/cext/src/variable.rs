//! Variables: of objects, classes and the program, and addresses of C variables that are roots.

use crate::call::sym;
use crate::define::{class_of_argument, text};
use crate::state::{Call, api, cross};
use rubellite_vm::object::Exception;
use rubellite_vm::vm::GlobalHooks;
use rubellite_vm::{Class, Ctx, Extension, Result, Sym, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{c_char, c_int};

type Getter = unsafe extern "C" fn(usize, *mut Value) -> Value;
type Setter = unsafe extern "C" fn(Value, usize, *mut Value);

/// What extensions have in C variables.
#[derive(Default)]
struct Variables {
    globals: RefCell<HashMap<Sym, Global>>,
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
impl Extension for Variables {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}

    /// Extensions register variables of IDs and of numbers, too.
    fn trace_words(&self, mark: &mut dyn FnMut(usize)) {
        // SAFETY: addresses of variables that live until they are unregistered: `rb_gc_register_address` says so.
        let read = |address: usize| unsafe { *(address as *const usize) };
        self.addresses.borrow().keys().for_each(|address| mark(read(*address)));
        self.globals
            .borrow()
            .values()
            .filter(|global| !global.data.is_null())
            .for_each(|global| mark(read(global.data as usize)));
    }
}

unsafe extern "C" {
    fn rbl_enter_getter(function: Getter, id: usize, data: *mut Value, out: *mut Value) -> c_int;
    fn rbl_enter_setter(function: Setter, value: Value, id: usize, data: *mut Value) -> c_int;
}

fn global(ctx: &Ctx, name: Sym) -> Option<Global> {
    ctx.extension::<Variables>().globals.borrow().get(&name).copied()
}

fn get_global(ctx: &mut Ctx, name: Sym) -> Result {
    let Some(global) = global(ctx, name) else { return Ok(Value::NIL) };
    match global.getter {
        // SAFETY: getter and variable go together.
        Some(getter) => cross(ctx, Call::NONE, Value::NIL, |out| unsafe {
            rbl_enter_getter(getter, name.0 as usize, global.data, out)
        }),
        None if global.data.is_null() => Ok(if global.is_virtual { Value::FALSE } else { Value::NIL }),
        // SAFETY: the variable lives as long as the extension.
        None => Ok(unsafe { *global.data }),
    }
}

fn set_global(ctx: &mut Ctx, name: Sym, value: Value) -> Result<()> {
    let Some(global) = global(ctx, name) else { return Ok(()) };
    match global.setter {
        Some(setter) => {
            let (name, data) = (name.0 as usize, global.data);
            // SAFETY: as above.
            cross(ctx, Call::NONE, (), |()| unsafe { rbl_enter_setter(setter, value, name, data) })
        }
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
    let symbol = ctx.intern_str(&name);
    let read_only = read_only
        || global.setter.is_some_and(|setter| std::ptr::fn_addr_eq(setter, rb_gvar_readonly_setter as Setter));
    ctx.extension::<Variables>().globals.borrow_mut().insert(symbol, global);
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
    // tidy: rooted by the exception
    vec![(ctx.intern("mesg"), message), (ctx.intern("bt"), exception.backtrace_value())]
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
    crate::state::enter_to_read(out, |ctx| Ok(read(ctx)))
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

api! {
    fn rbl_ivar_set(ctx, object: Value, name: usize, value: Value) -> Value {
        ctx.check_frozen(object)?;
        set_variable(ctx, object, sym(name), value);
        Ok(value)
    }

    /// Of the shim's own: frozen objects have it, too.
    fn rbl_c_ivar_keep(ctx, object: Value, name: usize, value: Value) {
        set_variable(ctx, object, sym(name), value);
        Ok(())
    }

    fn rbl_ivar_defined(ctx, object: Value, name: usize) -> Value {
        Ok(Value::from_bool(variable(ctx, object, sym(name)).is_some()))
    }

    fn rbl_ivar_count(ctx, object: Value) -> usize {
        Ok(hidden_pairs(ctx, object).len() + ctx.ivar_pairs(object).len())
    }

    /// Writes IDs and values of `room` variables behind each other, and gives the number of variables.
    fn rbl_c_ivar_pairs(ctx, object: Value, out: *mut [usize; 2], room: usize) -> usize {
        let mut pairs = hidden_pairs(ctx, object); // tidy: rooted by the object
        if let Some(class) = Class::try_of(object) {
            let pair = |name: Sym| Some((name, class.own_cvar(ctx, name)?));
            pairs.extend(class.own_cvar_names(ctx).into_iter().filter_map(pair));
        }
        pairs.extend(ctx.ivar_pairs(object));
        for (i, (name, value)) in pairs.iter().take(room).enumerate() {
            // SAFETY: the shim's array has room for so many.
            unsafe { out.add(i).write([name.0 as usize, value.bits() as usize]) };
        }
        Ok(pairs.len())
    }

    fn rbl_iv_set(ctx, object: Value, name: *const c_char, value: Value) -> Value {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
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
        let name = sym(name);
        let known = class.cvar_owner(ctx, name).is_some() || ctx.ivar_get(class.value(), name).defined().is_some();
        Ok(Value::from_bool(known))
    }

    /// The value, and the class that is the nearest to have one.
    fn rbl_cvar_find(ctx, class: Value, name: usize, owner: *mut Value) -> Value {
        let class = class_of_argument(ctx, class)?;
        let value = ctx.cvar_get(class, sym(name))?;
        let found = class.cvar_owner(ctx, sym(name)).unwrap_or(class);
        // SAFETY: the extension's variable.
        unsafe { owner.write(found.value()) };
        Ok(value)
    }

    fn rbl_cv_get(ctx, class: Value, name: *const c_char) -> Value {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
        let class = class_of_argument(ctx, class)?;
        ctx.cvar_get(class, name)
    }

    fn rbl_cv_set(ctx, class: Value, name: *const c_char, value: Value) {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
        let class = class_of_argument(ctx, class)?;
        ctx.cvar_set(class, name, value)
    }

    fn rbl_define_class_variable(ctx, class: Value, name: *const c_char, value: Value) {
        // SAFETY: a C string.
        let name = ctx.intern_str(&unsafe { text(name) });
        let class = class_of_argument(ctx, class)?;
        ctx.cvar_set(class, name, value)
    }

    fn rbl_gv_get(ctx, name: *const c_char) -> Value {
        // SAFETY: a C string.
        let name = unsafe { text(name) };
        let name = ctx.intern_str(&if name.starts_with('$') { name } else { format!("${name}") });
        ctx.get_global(name)
    }

    fn rbl_gv_set(ctx, name: *const c_char, value: Value) -> Value {
        // SAFETY: a C string.
        let name = unsafe { text(name) };
        let name = ctx.intern_str(&if name.starts_with('$') { name } else { format!("${name}") });
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
        let global = Global { data: data.cast_mut(), getter: None, setter: None, is_virtual: false };
        define_global(ctx, &name, global, true);
        Ok(())
    }

    fn rbl_define_hooked_variable(
        ctx, name: *const c_char, data: *mut Value, getter: Option<Getter>, setter: Option<Setter>,
    ) {
        // SAFETY: a C string.
        let name = unsafe { text(name) };
        define_global(ctx, &name, Global { data, getter, setter, is_virtual: false }, false);
        Ok(())
    }

    fn rbl_define_virtual_variable(ctx, name: *const c_char, getter: Option<Getter>, setter: Option<Setter>) {
        // SAFETY: a C string.
        let name = unsafe { text(name) };
        let global = Global { data: std::ptr::null_mut(), getter, setter, is_virtual: true };
        define_global(ctx, &name, global, setter.is_none());
        Ok(())
    }

    fn rbl_alias_variable(ctx, new: usize, old: usize) {
        ctx.alias_global(sym(new), sym(old));
        Ok(())
    }

    fn rbl_gc_register_address(ctx, address: usize) {
        *ctx.extension::<Variables>().addresses.borrow_mut().entry(address).or_insert(0) += 1;
        Ok(())
    }

    fn rbl_global_variable(ctx, address: usize) {
        *ctx.extension::<Variables>().addresses.borrow_mut().entry(address).or_insert(0) += 1;
        Ok(())
    }

    fn rbl_gc_unregister_address(ctx, address: usize) {
        let mut addresses = ctx.extension::<Variables>().addresses.borrow_mut();
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

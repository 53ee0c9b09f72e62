//! Exits as C code sees them: the states of `rb_protect`, what `rb_jump_tag` goes on with, and `rb_errinfo`.

use crate::state::{Call, api, api_to_read, cross, enter};
use rubellite_vm::{Ctx, Extension, Pending, Result, Unwind, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{c_char, c_int};

const TAG_RETURN: c_int = 1;
const TAG_BREAK: c_int = 2;
const TAG_RAISE: c_int = 6;
const TAG_THROW: c_int = 7;
const TAG_FATAL: c_int = 8;

/// What is kept of exits, by thread.
#[derive(Default)]
struct Kept {
    /// What `rb_protect` has stopped and nobody has gone on with.
    stopped: RefCell<BTreeMap<u64, Value>>,
    /// What `rb_errinfo` says.
    errinfo: RefCell<BTreeMap<u64, Value>>,
}

impl Extension for Kept {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        self.stopped.borrow().values().copied().for_each(&mut *mark);
        self.errinfo.borrow().values().copied().for_each(mark);
    }
}

/// Sets what `rb_errinfo` says, and keeps it alive. It is `$!`, too, unless a `rescue` in Ruby around the C code has
/// its own.
fn note_errinfo(ctx: &mut Ctx, error: Value) {
    let outer = crate::state::state().now.outer;
    ctx.set_errinfo(if outer.is_nil() && error.bits() != 0 { error } else { outer });
    let thread = ctx.thread().id;
    let mut table = ctx.extension::<Kept>().errinfo.borrow_mut();
    if error.is_heap() {
        table.insert(thread, error);
    } else {
        table.remove(&thread);
    }
    crate::state::state().now.errinfo = error;
}

/// `struct rbl_saved`: what holds before a body that may fail.
#[repr(C)]
pub struct Saved {
    errinfo: Value,
    /// What `rb_errinfo` said.
    own: Value,
}

fn stop(ctx: &mut Ctx) -> c_int {
    let state = match ctx.pending() {
        Pending::Raise(_) => TAG_RAISE,
        Pending::Throw { .. } => TAG_THROW,
        Pending::Break { .. } | Pending::Loop { .. } => TAG_BREAK,
        Pending::Return { .. } => TAG_RETURN,
        Pending::Kill | Pending::None | Pending::Retrace => TAG_FATAL,
    };
    let exit = ctx.pending_to_value();
    if state == TAG_RAISE {
        note_errinfo(ctx, exit);
    }
    let thread = ctx.thread().id;
    ctx.extension::<Kept>().stopped.borrow_mut().insert(thread, exit);
    state
}

/// # Safety
/// Called by the shim with the lock.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_protect_begin(saved: *mut Saved) {
    let now = crate::state::state().now;
    if now.ctx.is_null() {
        // Without the lock: this ends the process.
        enter(std::ptr::null_mut::<()>(), |_| Ok(()));
    }
    // SAFETY: the context of this thread, which holds the lock while C code runs; the address of the shim's variable.
    unsafe { saved.write(Saved { errinfo: (*now.ctx).errinfo(), own: now.errinfo }) };
}

/// The state of the exit that ended a protected body, which is kept for `rb_jump_tag`.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_protect_failed(_saved: *mut Saved) -> c_int {
    let mut state = TAG_RAISE;
    enter(&raw mut state, |ctx| Ok(stop(ctx)));
    state
}

/// Makes the exit pending again that a protected body was left by.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_jump_tag(state: c_int) {
    enter(std::ptr::null_mut::<()>(), |ctx| {
        let thread = ctx.thread().id;
        let exit = ctx.extension::<Kept>().stopped.borrow_mut().remove(&thread);
        if state == TAG_RAISE {
            let error = crate::state::state().now.errinfo;
            note_errinfo(ctx, Value::NIL);
            if rubellite_vm::object::Exception::try_of(error).is_some() {
                return Err(ctx.rethrow(error));
            }
        }
        match exit {
            Some(exit) => Err(ctx.rethrow(exit)),
            None => Err(ctx.runtime_error(&format!("rb_jump_tag({state}) without an exit to go on with"))),
        }
    });
}

/// Takes the pending exit as a value for the length of a cleanup.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_exit_take(saved: *mut Saved) -> Value {
    let mut exit = Value::NIL;
    // SAFETY: the address of the shim's variable.
    let errinfo = unsafe { (*saved).errinfo };
    enter(&raw mut exit, |ctx| {
        let error = ctx.pending_exception();
        let exit = ctx.pending_to_value();
        match error {
            Some(error) => note_errinfo(ctx, error),
            None => ctx.set_errinfo(errinfo),
        }
        Ok(exit)
    });
    exit
}

/// # Safety
/// As above; `exit` comes from `rbl_exit_take`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_exit_restore(saved: *mut Saved, exit: Value) {
    enter(std::ptr::null_mut::<()>(), |ctx| {
        // SAFETY: the address of the shim's variable.
        let saved = unsafe { &*saved };
        note_errinfo(ctx, saved.own);
        ctx.set_errinfo(saved.errinfo);
        Err(ctx.rethrow(exit))
    });
}

/// Takes the pending exception if it is one of the classes: 0, and it is `$!`. 1: the exit goes on.
///
/// # Safety
/// As above; `classes` has `count` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_rescue(
    _saved: *mut Saved,
    classes: *const Value,
    count: c_int,
    error: *mut Value,
) -> c_int {
    enter(error, |ctx| {
        let Some(exception) = ctx.pending_exception() else { return Err(Unwind) };
        // SAFETY: by contract.
        let classes = unsafe { crate::call::arguments(count, classes) };
        if !classes.iter().all(|class| rubellite_vm::Class::is(*class)) {
            ctx.take_exception();
            return Err(ctx.type_error("class or module required"));
        }
        if !classes.iter().any(|class| ctx.is_a(exception, *class)) {
            return Err(Unwind);
        }
        ctx.take_exception();
        note_errinfo(ctx, exception);
        Ok(exception)
    })
}

/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_rescued(saved: *mut Saved) {
    enter(std::ptr::null_mut::<()>(), |ctx| {
        // SAFETY: the address of the shim's variable.
        let saved = unsafe { &*saved };
        note_errinfo(ctx, saved.own);
        ctx.set_errinfo(saved.errinfo);
        Ok(())
    });
}

/// # Safety
/// As above; `name` ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_raise_unimplemented(name: *const c_char) {
    enter(std::ptr::null_mut::<()>(), |ctx| {
        // SAFETY: by contract.
        let name = unsafe { std::ffi::CStr::from_ptr(name) }.to_string_lossy().into_owned();
        Err(ctx.not_implemented(&format!("{name} is not implemented by Rubellite")))
    });
}

/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_raise_frozen(object: Value) {
    enter(std::ptr::null_mut::<()>(), |ctx| Err(ctx.frozen_error(object)));
}

/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_raise_arity(argc: c_int, min: c_int, max: c_int) {
    enter(std::ptr::null_mut::<()>(), |ctx| {
        Err(ctx.arity_error(argc as usize, min as usize, usize::try_from(max).ok()))
    });
}

api! {
    /// `rb_exc_raise`; `raise` is that ID.
    fn rbl_c_exc_raise(ctx, exception: Value, kernel: Value, raise: usize) {
        if rubellite_vm::object::Exception::try_of(exception).is_none() {
            return Err(ctx.type_error("exception object expected"));
        }
        // What `rb_protect` has stopped and nobody has cleared is the cause.
        let (stopped, before) = (crate::state::state().now.errinfo, ctx.errinfo());
        if stopped.is_heap() && stopped != exception && crate::state::state().now.outer.is_nil() {
            ctx.set_errinfo(stopped);
        }
        let name = crate::call::sym(raise);
        let outcome = crate::own::call_with_block(ctx, kernel, name, &[exception], false, Value::NIL).map(drop);
        ctx.set_errinfo(before);
        outcome
    }
}

api_to_read! {
    fn rbl_errinfo(ctx) -> Value {
        let error = crate::state::state().now.errinfo;
        Ok(if error.is_heap() { error } else { Value::NIL })
    }
}

api! {
    fn rbl_set_errinfo(ctx, error: Value) {
        if !error.is_nil() && rubellite_vm::object::Exception::try_of(error).is_none() {
            return Err(ctx.type_error("assigning non-exception to $!"));
        }
        note_errinfo(ctx, error);
        Ok(())
    }

    fn rbl_throw_obj(ctx, tag: Value, value: Value) {
        let kernel = ctx.named_class("Kernel")?.value();
        crate::own::call(ctx, kernel, "throw", &[tag, value]).map(drop)
    }

    fn rbl_catch_obj(ctx, tag: Value, function: crate::call::BlockFunction, data: Value) -> Value {
        let block = crate::call::block_proc(ctx, function, data, false, -1);
        let kernel = ctx.named_class("Kernel")?.value();
        let name = ctx.intern("catch");
        crate::own::call_with_block(ctx, kernel, name, &[tag], false, block)
    }

    fn rbl_set_end_proc(ctx, function: unsafe extern "C" fn(Value), data: Value) {
        let [data, rest] = crate::call::held(ctx, data);
        let address = function as usize as i64;
        let words = [Value::fixnum(address >> 1), Value::fixnum(address & 1), data, rest];
        let words = rubellite_vm::object::Array::from_slice(ctx, &words).value();
        let block = rubellite_vm::object::Proc::native(ctx, end_proc, words, 0, false);
        let kernel = ctx.named_class("Kernel")?.value();
        let name = ctx.intern("at_exit");
        crate::own::call_with_block(ctx, kernel, name, &[], false, block).map(drop)
    }

    fn rbl_exec_recursive(
        ctx, function: unsafe extern "C" fn(Value, Value, c_int) -> Value, object: Value, argument: Value,
    ) -> Value {
        recursive(ctx, function, object, Value::NIL, argument)
    }

    fn rbl_exec_recursive_paired(
        ctx,
        function: unsafe extern "C" fn(Value, Value, c_int) -> Value,
        object: Value,
        paired: Value,
        argument: Value,
    ) -> Value {
        recursive(ctx, function, object, paired, argument)
    }

}

unsafe extern "C" {
    fn rbl_enter3(
        function: unsafe extern "C" fn(Value, Value, c_int) -> Value,
        a: Value,
        b: Value,
        c: usize,
        out: *mut Value,
    ) -> c_int;
    fn rbl_enter_void(function: unsafe extern "C" fn(Value), argument: Value) -> c_int;
}

fn end_proc(ctx: &mut Ctx, words: Value, _args: rubellite_vm::Args) -> Result {
    let Some(words) = rubellite_vm::object::Array::try_of(words) else { return Ok(Value::NIL) };
    let word = |i| words.get(i).unwrap_or(Value::NIL);
    let address = (word(0).as_fixnum().unwrap_or(0) << 1 | word(1).as_fixnum().unwrap_or(0)) as usize;
    // SAFETY: `rb_set_end_proc` has put the address there, and nobody else sees the Array.
    let function = unsafe { std::mem::transmute::<usize, unsafe extern "C" fn(Value)>(address) };
    // SAFETY: the function and its argument go together.
    cross(ctx, Call::NONE, (), |()| unsafe { rbl_enter_void(function, crate::call::given([word(2), word(3)])) })?;
    Ok(Value::NIL)
}

/// Calls of `rb_exec_recursive` under way: thread, function, object, paired object.
#[derive(Default)]
struct Recursion(RefCell<Vec<(u64, usize, u64, u64)>>);

impl Extension for Recursion {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

fn recursive(
    ctx: &mut Ctx,
    function: unsafe extern "C" fn(Value, Value, c_int) -> Value,
    object: Value,
    paired: Value,
    argument: Value,
) -> Result {
    let key = (ctx.thread().id, function as usize, object.bits(), paired.bits());
    let again = ctx.extension::<Recursion>().0.borrow().contains(&key);
    if !again {
        ctx.extension::<Recursion>().0.borrow_mut().push(key);
    }
    // SAFETY: the function and its arguments go together.
    let outcome = cross(ctx, Call::inherited(), Value::NIL, |out| unsafe {
        rbl_enter3(function, object, argument, usize::from(again), out)
    });
    if !again {
        ctx.extension::<Recursion>().0.borrow_mut().retain(|known| *known != key);
    }
    outcome
}

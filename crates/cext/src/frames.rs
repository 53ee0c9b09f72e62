//! Frames as profilers and debuggers see them (`rb_profile_*`, `rb_debug_inspector_*`).
//!
//! Profilers ask in the handlers of signals, without a context: `ThreadState::home` says then whose frames they are.
//! What a frame is called is asked later, with the lock.

use crate::state::{api, state};
use rubellite_bytecode::ISeq;
use rubellite_core_object::exception::backtrace;
use rubellite_core_object::{parameters, runtime};
use rubellite_core_process::crash;
use rubellite_vm::code::Code;
use rubellite_vm::object::{Array, Str};
use rubellite_vm::profile::{self, Profiled};
use rubellite_vm::{Ctx, Value};
use std::ffi::{CStr, c_char, c_int, c_long};
use std::sync::Arc;

/// Places for as many frames as the C code has room for.
///
/// # Safety
/// `values` has `limit` places, `lines` too or is null.
unsafe fn places<'a>(limit: c_int, values: *mut Value, lines: *mut c_int) -> (&'a mut [Value], &'a mut [i32]) {
    let count = usize::try_from(limit).unwrap_or(0);
    // SAFETY: by contract.
    unsafe {
        let lines = if lines.is_null() { &mut [][..] } else { std::slice::from_raw_parts_mut(lines, count) };
        (std::slice::from_raw_parts_mut(values, count), lines)
    }
}

/// The frames of the calling thread. Allocates nothing and keeps `errno`.
///
/// # Safety
/// Called by C code or by the handler of a signal that has interrupted anything; `values` and `lines` as in [`places`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_c_profile_frames(
    start: c_int,
    limit: c_int,
    values: *mut Value,
    lines: *mut c_int,
) -> c_int {
    let now = state();
    let interrupted = now.now.ctx.is_null();
    let ctx = if interrupted { now.home } else { now.now.ctx };
    if ctx.is_null() || limit <= 0 {
        return 0;
    }
    // SAFETY: the address of the thread's own variable, which the calls of the kernel below would change.
    let errno = unsafe { *libc::__errno_location() };
    // SAFETY: by contract, and `ctx` is the context of this native thread; see `ThreadState::home`.
    let count = unsafe {
        let (values, lines) = places(limit, values, lines);
        profile::frames(ctx, interrupted, usize::try_from(start).unwrap_or(0), values, lines)
    };
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = errno };
    count as c_int
}

unsafe extern "C" {
    fn rbl_c_additions(descriptor: c_int);
}

/// Lets a crash of the process be reported with what is known here.
pub fn join_reports() {
    let find = || {
        let thread = state();
        if thread.now.ctx.is_null() { thread.home.cast_const() } else { thread.now.ctx.cast_const() }
    };
    // SAFETY: a function of the shim that writes to the descriptor.
    let add = |descriptor| unsafe { rbl_c_additions(descriptor) };
    crash::Extensions { find, add, recover: crate::overflow::recover }.install();
}

/// The report of `rb_bug`.
///
/// # Safety
/// A C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_c_bug(message: *const c_char) {
    // SAFETY: by contract.
    crash::report_bug(unsafe { CStr::from_ptr(message) }.to_bytes());
}

fn text(ctx: &mut Ctx, text: Option<String>) -> Value {
    text.map_or(Value::NIL, |text| Str::utf8(ctx, &text).value())
}

/// The name of the method that a frame belongs to; none outside of methods.
fn method_name(ctx: &Ctx, frame: &Profiled) -> Option<String> {
    use rubellite_bytecode::ISeqKind;
    if let Some(method) = frame.method {
        return Some(ctx.sym_str(method.resolved().name()));
    }
    let iseq = frame.code?.iseq().clone();
    (iseq.home == ISeqKind::Method).then(|| String::from_utf8_lossy(iseq.name.bytes()).into_owned())
}

fn base_label(ctx: &Ctx, frame: &Profiled) -> Option<String> {
    use rubellite_bytecode::ISeqKind;
    let iseq = frame.code?.iseq().clone();
    Some(match iseq.home {
        ISeqKind::Main => "<main>".into(),
        ISeqKind::Top => "<top (required)>".into(),
        _ => method_name(ctx, frame).unwrap_or_else(|| String::from_utf8_lossy(iseq.name.bytes()).into_owned()),
    })
}

/// What stands before the base label: "block in ".
fn prefix(frame: &Profiled) -> String {
    match frame.code.map_or(0, |code| code.iseq().block_level) {
        0 => String::new(),
        1 => "block in ".into(),
        n => format!("block ({n} levels) in "),
    }
}

/// The class that owns the method, and whether it is a singleton class.
fn owner(ctx: &Ctx, frame: &Profiled) -> Option<(String, bool)> {
    let owner = frame.method?.owner();
    let singleton = owner.is_singleton();
    if !singleton {
        return Some((owner.inspect(ctx), false));
    }
    let object = owner.attached(ctx);
    let shown = match rubellite_vm::Class::try_of(object) {
        Some(class) => class.inspect(ctx),
        None => format!("#<{}:0x{:016x}>", ctx.real_class(object).inspect(ctx), object.bits()),
    };
    Some((shown, singleton))
}

fn qualified(ctx: &Ctx, frame: &Profiled) -> Option<String> {
    let name = method_name(ctx, frame)?;
    Some(match owner(ctx, frame) {
        Some((class, singleton)) => format!("{class}{}{name}", if singleton { '.' } else { '#' }),
        None => name,
    })
}

fn iseq(ctx: &mut Ctx, value: Value) -> rubellite_vm::Result<Arc<ISeq>> {
    match runtime::compiled_code(ctx, value) {
        Some(iseq) => Ok(iseq),
        None => Err(ctx.type_error("uninitialized InstructionSequence")),
    }
}

/// A part of a frame as a String; nil for what is no frame.
fn part(ctx: &mut Ctx, frame: Value, of: impl FnOnce(&Ctx, &Profiled) -> Option<String>) -> Value {
    let found = profile::profiled(frame).and_then(|frame| of(ctx, &frame));
    text(ctx, found)
}

/// A part that the code itself has: the String is frozen.
fn own_part(ctx: &mut Ctx, frame: Value, of: impl FnOnce(&Ctx, &Profiled) -> Option<String>) -> Value {
    let found = part(ctx, frame, of);
    if let Some(header) = found.header() {
        header.set(rubellite_vm::flags::FROZEN);
    }
    found
}

api! {
    fn rbl_c_profile_thread_frames(
        ctx, thread: Value, start: c_int, limit: c_int, values: *mut Value, lines: *mut c_int,
    ) -> c_int {
        let state = ctx.threads().living().find(|state| state.value.get() == thread).cloned();
        let Some(state) = state.filter(|_| limit > 0) else { return Ok(0) };
        // SAFETY: the C code's own arrays.
        let (values, lines) = unsafe { places(limit, values, lines) };
        Ok(ctx.frames_of_thread(&state, usize::try_from(start).unwrap_or(0), values, lines) as c_int)
    }

    fn rbl_profile_frame_path(ctx, frame: Value) -> Value {
        Ok(own_part(ctx, frame, |_, frame| Some(frame.code?.iseq().script.path.clone())))
    }

    fn rbl_profile_frame_absolute_path(ctx, frame: Value) -> Value {
        Ok(own_part(ctx, frame, |_, frame| match frame.code {
            Some(code) if code.iseq().script.reading.kind == rubellite_bytecode::ISeqKind::Eval => None,
            Some(code) => backtrace::real_path_of(&code.iseq().script),
            None => Some("<cfunc>".into()),
        }))
    }

    fn rbl_profile_frame_base_label(ctx, frame: Value) -> Value {
        Ok(own_part(ctx, frame, base_label))
    }

    fn rbl_profile_frame_label(ctx, frame: Value) -> Value {
        Ok(own_part(ctx, frame, |ctx, frame| Some(prefix(frame) + &base_label(ctx, frame)?)))
    }

    fn rbl_profile_frame_full_label(ctx, frame: Value) -> Value {
        Ok(part(ctx, frame, |ctx, frame| {
            let name = qualified(ctx, frame).or_else(|| base_label(ctx, frame))?;
            Some(prefix(frame) + &name)
        }))
    }

    fn rbl_profile_frame_method_name(ctx, frame: Value) -> Value {
        Ok(own_part(ctx, frame, method_name))
    }

    fn rbl_profile_frame_qualified_method_name(ctx, frame: Value) -> Value {
        Ok(part(ctx, frame, qualified))
    }

    fn rbl_profile_frame_classpath(ctx, frame: Value) -> Value {
        Ok(part(ctx, frame, |ctx, frame| Some(owner(ctx, frame)?.0)))
    }

    fn rbl_profile_frame_singleton_method_p(ctx, frame: Value) -> Value {
        let found = profile::profiled(frame).and_then(|frame| owner(ctx, &frame));
        Ok(Value::from_bool(found.is_some_and(|(_, singleton)| singleton)))
    }

    fn rbl_profile_frame_first_lineno(_ctx, frame: Value) -> Value {
        let code = profile::profiled(frame).and_then(|frame| frame.code);
        Ok(code.map_or(Value::NIL, |code| Value::fixnum(code.iseq().line.into())))
    }

    /// Without a call that the trace point itself would report.
    fn rbl_c_tracepoint_enabled(ctx, point: Value) -> Value {
        rubellite_core_object::trace_point::is_enabled(ctx, point).map(Value::from_bool)
    }

    fn rbl_c_tracepoint_disable(ctx, point: Value) {
        rubellite_core_object::trace_point::stop(ctx, point)
    }

    /// The levels of the call stack as an Array: the Locations, then self, class and depth of each level.
    fn rbl_c_inspect_levels(ctx) -> Value {
        let (positions, levels) = ctx.inspected();
        let list = Array::new(ctx);
        let locations = backtrace::locations(ctx, &positions);
        list.push(ctx, locations);
        for level in levels {
            for part in [level.self_value, level.class, Value::fixnum(level.depth as i64)] {
                list.push(ctx, part);
            }
        }
        Ok(list.value())
    }

    fn rbl_c_binding_at(ctx, depth: c_long) -> Value {
        Ok(ctx.binding_at_depth(usize::try_from(depth).unwrap_or(0)))
    }

    /// The InstructionSequence of a level; nil for native methods.
    fn rbl_c_iseq_at(ctx, depth: c_long) -> Value {
        let code = ctx.code_at_depth(usize::try_from(depth).unwrap_or(0));
        Ok(code.map_or(Value::NIL, |code| runtime::instruction_sequence(ctx, code.iseq().clone())))
    }

    /// The InstructionSequence of a cell that `rb_objspace_each_objects` has shown.
    fn rbl_iseqw_new(ctx, code: Value) -> Value {
        match Code::try_of(code) {
            Some(code) => Ok(runtime::instruction_sequence(ctx, code.iseq().clone())),
            None => Err(ctx.type_error("not compiled code")),
        }
    }

    /// Its address for C code is that of the InstructionSequence.
    fn rbl_iseqw_to_iseq(ctx, value: Value) -> Value {
        iseq(ctx, value)?;
        Ok(value)
    }

    fn rbl_iseq_realpath(ctx, value: Value) -> Value {
        let iseq = iseq(ctx, value)?;
        let path = backtrace::real_path_of(&iseq.script);
        Ok(text(ctx, path))
    }

    fn rbl_iseq_type(ctx, value: Value) -> Value {
        let iseq = iseq(ctx, value)?;
        Ok(Value::symbol(ctx.intern(runtime::kind_name(&iseq))))
    }

    fn rbl_iseq_parameters(ctx, value: Value, is_proc: c_int) -> Value {
        let iseq = iseq(ctx, value)?;
        let list = parameters::of_iseq(&iseq, is_proc != 0);
        Ok(parameters::to_array(ctx, &list))
    }

    /// The first and the last line.
    fn rbl_c_iseq_lines(ctx, value: Value, lines: *mut [c_int; 2]) {
        let iseq = iseq(ctx, value)?;
        // SAFETY: the shim's variable.
        unsafe { lines.write([iseq.line, iseq.last_line()]) };
        Ok(())
    }

    fn rbl_debug_inspector_current_depth(ctx) -> Value {
        Ok(Value::fixnum(ctx.frame_depth() as i64))
    }
}

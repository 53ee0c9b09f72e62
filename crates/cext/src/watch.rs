//! Events of the heap for C code: trace points and event hooks on `RUBY_INTERNAL_EVENT_*`.
//!
//! Here is who wants which events; the VM tells of them (`heap_events`), and the shim calls the C functions
//! (`debug.c`).

use crate::state::{Call, api, cross_amid};
use rubellite_vm::heap_events as events;
use rubellite_vm::object::Str;
use rubellite_vm::{Ctx, Extension, Pending, Value};
use std::cell::RefCell;
use std::ffi::{c_int, c_uint, c_void};

/// `RUBY_INTERNAL_EVENT_*` and what the VM calls it.
const FLAGS: [(u32, u32); 7] = [
    (0x0010_0000, events::NEW),
    (0x0020_0000, events::FREED),
    (0x0040_0000, events::START),
    (0x0080_0000, events::END_MARK),
    (0x0100_0000, events::END_SWEEP),
    (0x0200_0000, events::ENTER),
    (0x0400_0000, events::EXIT),
];

/// A C function that is to be called, and what with.
#[derive(Clone, Copy)]
struct Watcher {
    /// The trace point, or nil for an event hook.
    point: Value, // tidy: traced by `Watchers`
    function: *mut c_void,
    /// What the function gets besides: the data of a trace point is an address, that of a hook an object.
    data: Value, // tidy: as above
    /// `RUBY_INTERNAL_EVENT_*`
    flags: u32,
    /// `rb_event_hook_flag_t`
    how: c_uint,
    /// The thread whose events alone it gets, or nil.
    thread: Value, // tidy: as above
    enabled: bool,
}

#[derive(Default)]
struct Watchers {
    all: RefCell<Vec<Watcher>>,
}

impl Extension for Watchers {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        for watcher in self.all.borrow().iter().filter(|watcher| watcher.enabled) {
            mark(watcher.point);
            mark(watcher.thread);
            if watcher.point.is_nil() {
                mark(watcher.data);
            }
        }
    }

    fn prune(&mut self, alive: &dyn Fn(Value) -> bool) {
        self.all.get_mut().retain(|watcher| watcher.enabled || alive(watcher.point));
    }
}

unsafe extern "C" {
    /// Calls the function about an event, behind a tag.
    fn rbl_report(function: *mut c_void, point: Value, data: Value, flag: c_uint, how: c_uint, object: Value) -> c_int;
}

/// Listens to what somebody wants.
fn listen(ctx: &mut Ctx) {
    let flags = ctx
        .extension::<Watchers>()
        .all
        .borrow()
        .iter()
        .filter(|watcher| watcher.enabled)
        .fold(0, |all, watcher| all | watcher.flags);
    let wanted = FLAGS.iter().filter(|(flag, _)| flags & flag != 0).fold(0, |all, (_, event)| all | event);
    ctx.listen_to_heap(wanted, tell);
}

fn tell(ctx: &mut Ctx, event: u32, object: Value) {
    let Some((flag, _)) = FLAGS.iter().find(|(_, known)| *known == event) else { return };
    let thread = ctx.thread().value.get();
    let concerned = |watcher: &&Watcher| {
        watcher.enabled && watcher.flags & flag != 0 && (watcher.thread.is_nil() || watcher.thread == thread)
    };
    // tidy: what is enabled is alive, and nothing is collected while it is told
    let list: Vec<Watcher> = ctx.extension::<Watchers>().all.borrow().iter().filter(concerned).copied().collect();
    let pending = ctx.take_pending();
    for Watcher { point, function, data, how, .. } in list {
        // SAFETY: the extension's function, which gets what it has asked for.
        let report = |(): &mut ()| unsafe { rbl_report(function, point, data, *flag, how, object) };
        let called = crate::check::amid_dead(|| cross_amid(ctx, Call::NONE, (), report));
        if called.is_err() {
            // Nothing can be raised in the middle of an allocation.
            ctx.clear_pending();
        }
    }
    if !matches!(pending, Pending::None) {
        let _ = ctx.set_pending(pending);
    }
}

/// Where the running Ruby code is, as the shim gets it.
#[repr(C)]
pub struct Place {
    path: Value, // tidy: on the machine stack of the C code
    line: c_int,
    method: Value, // tidy: as above
    class: Value,  // tidy: as above
}

api! {
    /// A trace point or, where that is nil, a hook.
    #[allow(clippy::too_many_arguments)]
    fn rbl_c_watch(ctx, point: Value, function: *mut c_void, data: Value, flags: c_uint, how: c_uint, thread: Value) {
        let watcher = Watcher { point, function, data, flags, how, thread, enabled: point.is_nil() };
        ctx.extension::<Watchers>().all.borrow_mut().push(watcher);
        listen(ctx);
        Ok(())
    }

    /// Turns a trace point on or off: whether it has events of the heap.
    fn rbl_c_watch_set(ctx, point: Value, on: c_int) -> c_int {
        let mut found = 0;
        for watcher in ctx.extension::<Watchers>().all.borrow_mut().iter_mut() {
            if watcher.point == point {
                watcher.enabled = on != 0;
                found = 1;
            }
        }
        if found != 0 {
            listen(ctx);
        }
        Ok(found)
    }

    /// Whether a trace point on events of the heap is enabled.
    fn rbl_c_watch_enabled(ctx, point: Value) -> c_int {
        let watchers = ctx.extension::<Watchers>().all.borrow();
        Ok(c_int::from(watchers.iter().any(|watcher| watcher.point == point && watcher.enabled)))
    }

    /// Takes hooks away: those with this function and thread and, unless it is undefined, with this object. How many.
    fn rbl_c_watch_remove(ctx, function: *mut c_void, data: Value, thread: Value) -> c_int {
        let mut count = 0;
        ctx.extension::<Watchers>().all.borrow_mut().retain(|watcher| {
            let same = watcher.point.is_nil() && watcher.function == function && watcher.thread == thread;
            let gone = same && (data == Value::UNDEF || watcher.data == data);
            count += c_int::from(gone);
            !gone
        });
        if count > 0 {
            listen(ctx);
        }
        Ok(count)
    }

    /// Where the program is: the path of the running code, or nil.
    fn rbl_c_place(ctx, place: *mut Place) {
        let running = ctx.running_code();
        let mut found = Place { path: Value::NIL, line: 0, method: Value::NIL, class: Value::NIL };
        if let Some((code, line, method)) = running {
            found.path = Str::utf8(ctx, &code.iseq().script.path).value();
            found.line = line;
            if let Some(method) = method {
                found.method = Value::symbol(method.name());
                found.class = method.owner().value();
            }
        }
        // SAFETY: the shim's variable.
        unsafe { place.write(found) };
        Ok(())
    }
}

//! IO.select: waits for several descriptors with poll(2).

use super::open;
use super::state::{self, IoState};
use super::{device, waiting};
use rubellite_core_object::errno;
use rubellite_core_thread::scheduler;
use rubellite_vm::object::{Array, TempArray};
use rubellite_vm::{Args, Ctx, Result, Value};
use std::rc::Rc;
use std::time::Instant;

/// One of the three lists of `select`: the objects as given, their descriptors.
struct Wanted {
    objects: TempArray,
    ios: Vec<Rc<IoState>>,
    fds: Vec<i32>,
    events: i16,
}

/// `IO.select(read, write = nil, error = nil, timeout = nil)`
pub fn select(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    if let Some(scheduler) = scheduler::current(ctx)
        && let Some(ready) = scheduler::io_select(ctx, scheduler, args.slice())?
    {
        return Ok(ready);
    }
    let deadline = match args.non_nil(3) {
        // Elsewhere that is a RangeError.
        Some(value) if ctx.float_value(value) == Some(f64::INFINITY) => None,
        Some(value) => {
            let duration = rubellite_core_thread::interval::duration_of(ctx, value)?;
            Instant::now().checked_add(duration)
        }
        None => None,
    };
    // On the machine stack, not in a Vec: the collector must see the arrays of objects.
    let lists = [
        collect(ctx, args.at(0), libc::POLLIN)?,
        collect(ctx, args.at(1), libc::POLLOUT)?,
        collect(ctx, args.at(2), libc::POLLPRI)?,
    ];
    let buffered = lists[0].ios.iter().any(|io| io.has_buffered());
    let mut polls: Vec<libc::pollfd> = Vec::new();
    for list in &lists {
        polls.extend(list.fds.iter().map(|fd| libc::pollfd { fd: *fd, events: list.events, revents: 0 }));
    }
    let ios: Vec<Rc<IoState>> = lists.iter().flat_map(|list| list.ios.iter().cloned()).collect();
    if polls.is_empty() {
        polls.push(libc::pollfd { fd: -1, events: 0, revents: 0 });
    }
    let ready = device::poll_many(&mut polls).map_err(|e| errno::fail(ctx, e, "select(2)"))?;
    let at_once = buffered || deadline.is_some_and(|at| at <= Instant::now());
    if ready == 0 && !at_once {
        waiting::wait_all(ctx, &ios, &mut polls, deadline)?;
    } else {
        ctx.check_interrupts()?;
    }
    gather(ctx, &lists, &polls, buffered)
}

fn collect(ctx: &mut Ctx, value: Value, events: i16) -> Result<Wanted> {
    let objects = TempArray::new(ctx);
    let (mut ios, mut fds) = (Vec::new(), Vec::new());
    if !value.is_nil() {
        let Some(list) = Array::try_of(value) else {
            let class = ctx.describe_for_conversion(value);
            return Err(ctx.type_error(&format!("wrong argument type {class} (expected Array)")));
        };
        let mut i = 0;
        while let Some(object) = list.get(i) {
            let io = open::to_io(ctx, object)?;
            let io_state = state::open_state(ctx, io)?;
            if events == libc::POLLOUT {
                fds.push(io_state.out_fd());
            } else {
                fds.push(io_state.fd.get());
            }
            ios.push(io_state);
            objects.push(ctx, object);
            i += 1;
        }
    }
    Ok(Wanted { objects, ios, fds, events })
}

/// The three lists of ready objects, or nil when there are none.
fn gather(ctx: &mut Ctx, lists: &[Wanted], polls: &[libc::pollfd], buffered: bool) -> Result {
    let out = Array::new(ctx);
    let mut at = 0;
    let mut any = false;
    for (i, list) in lists.iter().enumerate() {
        let ready = Array::new(ctx);
        for k in 0..list.objects.len() {
            let revents = polls.get(at).map_or(0, |p| p.revents);
            at += 1;
            if revents & libc::POLLNVAL != 0 {
                return Err(errno::fail(ctx, libc::EBADF, "select(2)"));
            }
            let wanted = list.events | if i < 2 { libc::POLLHUP | libc::POLLERR } else { 0 };
            if revents & wanted != 0 || buffered && i == 0 && list.ios.get(k).is_some_and(|io| io.has_buffered()) {
                ready.push(ctx, list.objects.get(k).unwrap_or(Value::NIL));
                any = true;
            }
        }
        out.push(ctx, ready.value());
    }
    Ok(if any { out.value() } else { Value::NIL })
}

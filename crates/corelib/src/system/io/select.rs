//! IO.select: waits for several descriptors with poll(2).

use super::open;
use super::state;
use crate::system::errno;
use rubellite_vm::object::{Array, TempArray};
use rubellite_vm::vmlock::{Kind, Unblock};
use rubellite_vm::{Args, Ctx, Result, Value};
use std::time::Instant;

/// One of the three lists of `select`: the objects as given, their descriptors.
struct Wanted {
    objects: TempArray,
    fds: Vec<i32>,
    events: i16,
}

/// `IO.select(read, write = nil, error = nil, timeout = nil)`
pub fn select(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let deadline = match args.non_nil(3) {
        Some(value) => {
            let duration = crate::system::process::clock::duration_of(ctx, value)?;
            Instant::now().checked_add(duration)
        }
        None => None,
    };
    let mut lists = Vec::new();
    let mut buffered = false;
    for (i, events) in [libc::POLLIN, libc::POLLOUT, libc::POLLPRI].into_iter().enumerate() {
        let wanted = collect(ctx, args.at(i), events)?;
        if i == 0 {
            buffered = ready_buffers(ctx, &wanted)?.iter().any(|b| *b);
        }
        lists.push(wanted);
    }
    let mut polls: Vec<libc::pollfd> = Vec::new();
    for list in &lists {
        polls.extend(list.fds.iter().map(|fd| libc::pollfd { fd: *fd, events: list.events, revents: 0 }));
    }
    let deadline = if buffered { Some(Instant::now()) } else { deadline };
    let polls = wait(ctx, polls, deadline)?;
    gather(ctx, &lists, &polls, buffered)
}

fn collect(ctx: &mut Ctx, value: Value, events: i16) -> Result<Wanted> {
    let objects = TempArray::new(ctx);
    let mut fds = Vec::new();
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
                if events == libc::POLLIN {
                    state::check_readable(ctx, &io_state)?;
                }
                fds.push(io_state.fd.get());
            }
            objects.push(ctx, object);
            i += 1;
        }
    }
    Ok(Wanted { objects, fds, events })
}

/// Which of the readers have something in their buffers.
fn ready_buffers(ctx: &mut Ctx, list: &Wanted) -> Result<Vec<bool>> {
    let mut ready = Vec::new();
    for i in 0..list.objects.len() {
        let object = list.objects.get(i).unwrap_or(Value::NIL);
        let io = open::to_io(ctx, object)?;
        let io_state = state::open_state(ctx, io)?;
        let has = !io_state.rbuf.borrow().is_empty();
        ready.push(has);
    }
    Ok(ready)
}

fn wait(ctx: &mut Ctx, mut polls: Vec<libc::pollfd>, deadline: Option<Instant>) -> Result<Vec<libc::pollfd>> {
    if poll(&mut polls, 0).is_ok_and(|n| n > 0) {
        return Ok(polls);
    }
    loop {
        let timeout_ms = match deadline {
            None => -1,
            Some(at) => at.saturating_duration_since(Instant::now()).as_micros().div_ceil(1000).min(i32::MAX as u128) as i32,
        };
        if timeout_ms == 0 {
            ctx.check_interrupts()?;
            return Ok(polls);
        }
        let mut own = polls.clone();
        let outcome = ctx.try_blocking(Kind::Long, Unblock::Signal, move || {
            let n = poll(&mut own, timeout_ms);
            (own, n)
        })?;
        match outcome {
            Some((done, Ok(n))) if n > 0 => return Ok(done),
            Some((_, Ok(_))) | Some((_, Err(libc::EINTR))) | None => {
                ctx.check_interrupts()?;
                if deadline.is_some_and(|d| d <= Instant::now()) {
                    return Ok(polls);
                }
            }
            Some((_, Err(e))) => return Err(errno::fail(ctx, e, "select(2)")),
        }
    }
}

fn poll(polls: &mut [libc::pollfd], timeout_ms: i32) -> std::result::Result<i32, i32> {
    // SAFETY: the slice is valid for its length.
    let n = unsafe { libc::poll(polls.as_mut_ptr(), polls.len() as libc::nfds_t, timeout_ms) };
    if n < 0 { Err(errno::last()) } else { Ok(n) }
}

/// The three lists of ready objects, or nil when there are none.
fn gather(ctx: &mut Ctx, lists: &[Wanted], polls: &[libc::pollfd], buffered: bool) -> Result {
    let out = Array::new(ctx);
    let mut at = 0;
    let mut any = false;
    for (i, list) in lists.iter().enumerate() {
        let ready = Array::new(ctx);
        let in_buffer = if buffered && i == 0 { ready_buffers(ctx, list)? } else { Vec::new() };
        for k in 0..list.objects.len() {
            let revents = polls.get(at).map_or(0, |p| p.revents);
            at += 1;
            if revents & libc::POLLNVAL != 0 {
                return Err(errno::fail(ctx, libc::EBADF, "select(2)"));
            }
            let wanted = list.events | if i < 2 { libc::POLLHUP | libc::POLLERR } else { 0 };
            if revents & wanted != 0 || in_buffer.get(k) == Some(&true) {
                ready.push(ctx, list.objects.get(k).unwrap_or(Value::NIL));
                any = true;
            }
        }
        out.push(ctx, ready.value());
    }
    Ok(if any { out.value() } else { Value::NIL })
}

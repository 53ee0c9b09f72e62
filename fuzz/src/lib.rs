//! What the fuzz targets share: a VM that outlives its inputs for the libraries, a fresh one per program, and a mutator
//! that moves whole lines.

use rubellite_vm::object::Str;
use rubellite_vm::placement::OwnedCtx;
use rubellite_vm::{Value, VmConfig, VmHandle};
use std::cell::RefCell;

/// A VM, and the lambda that takes the inputs.
struct Host {
    _vm: VmHandle,
    ctx: OwnedCtx,
    lambda: Value,
}

thread_local! {
    static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
}

/// Calls the Ruby lambda `source` with the input; any Ruby exception is a fine answer.
pub fn call(source: &str, input: &[u8]) {
    HOST.with(|host| {
        let mut host = host.borrow_mut();
        let host = host.get_or_insert_with(|| {
            let (vm, mut ctx) = boot();
            let guarded =
                format!("body = ({source})\n->(input) {{ begin; body.(input); rescue StandardError, ScriptError, SystemStackError, NoMemoryError; end; nil }}");
            let lambda = ctx.run_source(guarded.as_bytes(), "fuzz.rb", false).unwrap_or_else(|_| panic!("the target's lambda does not compile"));
            let lambda = ctx.pin(lambda);
            Host { _vm: vm, ctx, lambda }
        });
        let text = Str::binary(&mut host.ctx, input).value();
        let lambda = host.lambda;
        if host.ctx.call_name(lambda, "call", &[text]).is_err() {
            panic!("an exception passed the lambda");
        }
    });
}

fn boot() -> (VmHandle, OwnedCtx) {
    rubellite::boot(VmConfig::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs `program` in a thread of a fresh VM and ends it when its time is over. A VM whose threads refuse to end is left
/// to them.
pub fn run_program(program: &[u8]) {
    let (vm, mut ctx) = boot();
    let text = Str::utf8(&mut ctx, &String::from_utf8_lossy(program)).value();
    let Ok(runner) = ctx.run_source(RUNNER.as_bytes(), "runner.rb", false) else {
        panic!("the runner does not compile")
    };
    let runner = ctx.pin(runner);
    // Whatever comes out is fine.
    if ctx.call_name(runner, "call", &[text]).is_err() {
        ctx.clear_pending();
    }
    if ctx.threads().count() == 1 {
        ctx.finish_thread();
        drop(vm);
    } else {
        ctx.leave();
        std::mem::forget((vm, ctx));
    }
}

/// Takes files, processes and output away, then runs a program for at most 150 ms.
const RUNNER: &str = include_str!("runner.rb");

/// Deletes, doubles, swaps or moves a line: what is left often still parses.
pub fn mutate_lines(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let text = data[..size].to_vec();
    let mut lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let mut random = seed as usize | 1;
    let mut pick = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        if below == 0 { 0 } else { random % below }
    };
    if lines.len() > 1 {
        for _ in 0..1 + pick(3) {
            let (from, to) = (pick(lines.len()), pick(lines.len()));
            match pick(4) {
                0 if lines.len() > 1 => drop(lines.remove(from)),
                1 => lines.insert(to, lines[from]),
                2 => lines.swap(from, to),
                _ => {
                    let line = lines.remove(from);
                    lines.insert(to.min(lines.len()), line);
                }
            }
        }
    }
    let mut at = 0;
    for line in lines {
        let room = max_size.min(data.len()) - at;
        let taken = line.len().min(room);
        data[at..at + taken].copy_from_slice(&line[..taken]);
        at += taken;
    }
    at
}

//! Statistics.

use crate::state::Jit;
use crate::unit::{Exit, Unit};
use rubellite_vm::Ctx;
use rubellite_vm::complain;

/// Writes what was compiled and where compiled code was left, if `--jit-stats` was given.
pub fn report(ctx: &Ctx) {
    if !ctx.vm().compiler().is_some_and(|compiler| compiler.report) {
        return;
    }
    let jit = Jit::of(ctx);
    let units = jit.units.borrow();
    let words: usize = units.values().map(|unit| unit.words.get()).sum();
    complain!(
        "jit: {} units in {} compilations ({} refused, {} postponed, {} retired), {words} words of bytecode, {} bytes of code, {:.1} ms",
        units.len(),
        jit.compiled.get(),
        jit.refused.get(),
        jit.budget.postponed.get(),
        jit.retired.get(),
        jit.bytes.get(),
        jit.nanoseconds.get() as f64 / 1e6
    );
    let mut list: Vec<&Unit> = units.values().map(|unit| &**unit).collect();
    list.sort_by_key(|unit| std::cmp::Reverse(unit.nanoseconds.get()));
    for unit in list.iter().take(30) {
        let (words, bytes, times) = (unit.words.get(), unit.bytes.get(), unit.compiles.get());
        let retired = if unit.retired.get() { ", retired" } else { "" };
        complain!(
            "jit:   {}: {words} words, {bytes} bytes, compiled {times} times, {} us{retired}",
            unit.name,
            unit.nanoseconds.get() / 1000
        );
    }
    let mut exits = Vec::new();
    jit.each_exit(|exit| {
        if exit.count.get() > 0 {
            exits.push((exit.count.get(), describe(exit)));
        }
    });
    exits.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    complain!("jit: {} exits at {} places", exits.iter().map(|(count, _)| count).sum::<u64>(), exits.len());
    for (count, text) in exits.iter().take(30) {
        complain!("jit:   {count} {text}");
    }
}

fn describe(exit: &Exit) -> String {
    // SAFETY: units live as long as the VM.
    let unit = unsafe { &*exit.unit };
    format!("{:?} at {} in {}", exit.reason, exit.place, unit.name)
}

//! `--jit-stats`: what was compiled, and where compiled code was left most often.

use crate::state::Jit;
use crate::unit::{Exit, Reason, Unit};
use rubellite_vm::Ctx;
use rubellite_vm::complain;
use rustc_hash::FxHashMap;

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
    let (mut exits, mut steps) = (FxHashMap::default(), FxHashMap::default());
    let places = jit.places.borrow();
    jit.each_exit(|exit| {
        if exit.count.get() > 0 {
            let list = if matches!(exit.reason, Reason::Step) { &mut steps } else { &mut exits };
            *list.entry(describe(exit, places.get(exit.place as usize).map_or("", String::as_str))).or_insert(0u64) +=
                exit.count.get();
        }
    });
    show("exits", exits);
    show("instructions done by functions of the interpreter", steps);
}

/// Writes how many there were, and those of the most frequent places.
fn show(what: &str, counts: FxHashMap<String, u64>) {
    let mut counts: Vec<(u64, String)> = counts.into_iter().map(|(text, count)| (count, text)).collect();
    counts.sort_by(|one, other| other.cmp(one));
    complain!("jit: {} {what} at {} places", counts.iter().map(|(count, _)| count).sum::<u64>(), counts.len());
    for (count, text) in counts.iter().take(30) {
        complain!("jit:   {count} {text}");
    }
}

fn describe(exit: &Exit, place: &str) -> String {
    // SAFETY: units live as long as the VM.
    let unit = unsafe { &*exit.unit };
    match exit.reason {
        Reason::Step => format!("{place} in {}", unit.name),
        reason => format!("{reason:?} at {place} in {}", unit.name),
    }
}

//! What the threads of a VM do at one moment: their stacks, their part of the lock, the mutexes that they hold and wait for; as text and as
//! JSON.

use rubellite_core_lock::quoted;
use rubellite_core_object::exception::backtrace::levels;
use rubellite_core_thread::thread::state::try_data;
use rubellite_vm::thread::{Activity, ThreadState};
use rubellite_vm::vmlock::{Doing, ThreadStats, monotonic_ns};
use rubellite_vm::{Ctx, Value};
use std::collections::HashMap;
use std::fmt::Write;
use std::time::Duration;

/// A thread.
struct View {
    number: u64,
    name: String,
    /// What it did before it was looked at.
    doing: &'static str,
    since_ms: f64,
    stats: ThreadStats,
    stack: Vec<String>,
    /// The words of the mutexes and monitors that it holds, and of the mutex that it waits for.
    holds: Vec<u64>,
    waits_for: Option<u64>,
    native_id: i64,
}

fn views(main: &ThreadState) -> Option<Vec<View>> {
    let mut doing = HashMap::new();
    main.lock_thread.vm_lock().observe(|glance| {
        doing.insert(glance.thread, (glance.doing, glance.since_ns));
    });
    let now_ns = monotonic_ns();
    let mut views = main.look_from_outside(|ctx| {
        let states = ctx.threads().living();
        states.map(|state| view(ctx, state, doing.get(&state.lock_thread.id()).copied().unwrap_or((Doing::Outside, now_ns)), now_ns)).collect::<Vec<View>>()
    })?;
    views.sort_by_key(|view| view.number);
    Some(views)
}

fn view(ctx: &Ctx, state: &ThreadState, (doing, since_ns): (Doing, u64), now_ns: u64) -> View {
    let positions = ctx.thread_positions(state);
    let data = try_data(ctx, state.value.get());
    let held = data.as_ref().and_then(|data| data.held.try_borrow().ok().map(|held| held.iter().map(|mutex| mutex.bits()).collect()));
    let waits_for = data.as_ref().map(|data| data.waits_for.get()).filter(|mutex: &Value| !mutex.is_nil()).map(Value::bits);
    View {
        number: state.id,
        name: state.lock_thread.name(),
        doing: said(doing, state.activity()),
        since_ms: now_ns.saturating_sub(since_ns) as f64 / 1e6,
        stats: state.lock_thread.stats(),
        stack: levels(ctx, &positions).iter().map(|level| level.text()).collect(),
        holds: held.unwrap_or_default(),
        waits_for,
        native_id: data.map_or(0, |data| data.native_id.get()),
    }
}

fn said(doing: Doing, activity: Activity) -> &'static str {
    match doing {
        Doing::Holding => "runs",
        Doing::Handed => "waits for a processor",
        Doing::Waiting => "waits for the lock",
        Doing::Parked | Doing::Outside => match activity {
            Activity::Running => "comes back",
            Activity::Blocked => "outside",
            Activity::Sleeping => "sleeps",
            Activity::SleepingForever => "waits for a thread",
        },
    }
}

/// The thread that holds a mutex.
fn holder(views: &[View], mutex: u64) -> Option<&View> {
    views.iter().find(|view| view.holds.contains(&mutex))
}

/// All threads with their stacks.
pub fn dump(main: &ThreadState, json: bool) -> Option<String> {
    let views = views(main)?;
    let mut out = String::new();
    if json {
        list(&mut out, &views, |out, view| {
            let stack: Vec<String> = view.stack.iter().map(|level| quoted(level)).collect();
            let holds: Vec<String> = view.holds.iter().map(|mutex| format!("\"{mutex:#x}\"")).collect();
            let _ = write!(out, ",\"holds\":[{}],\"stack\":[{}]", holds.join(","), stack.join(","));
            if let Some(mutex) = view.waits_for {
                let held_by = holder(&views, mutex).map_or("null".into(), |holder| quoted(&holder.name));
                let _ = write!(out, ",\"waits_for\":\"{mutex:#x}\",\"held_by\":{held_by}");
            }
        });
        return Some(out);
    }
    let _ = writeln!(out, "process {}, {} threads", std::process::id(), views.len());
    for view in &views {
        let _ = writeln!(out, "\n{} ({}), native thread {}: {} for {:.1} ms", view.name, view.number, view.native_id, view.doing, view.since_ms);
        for mutex in &view.holds {
            let waiting = views.iter().filter(|other| other.waits_for == Some(*mutex)).map(|other| other.name.as_str()).collect::<Vec<_>>();
            let waiting = if waiting.is_empty() { String::new() } else { format!(", for which wait: {}", waiting.join(", ")) };
            let _ = writeln!(out, "  holds mutex {mutex:#x}{waiting}");
        }
        if let Some(mutex) = view.waits_for {
            let by = holder(&views, mutex).map_or(String::new(), |holder| format!(", which {} holds", holder.name));
            let _ = writeln!(out, "  waits for mutex {mutex:#x}{by}");
        }
        for level in &view.stack {
            let _ = writeln!(out, "    {level}");
        }
    }
    Some(out)
}

/// A JSON array with an object for each thread, to which `more` adds.
fn list(out: &mut String, views: &[View], more: impl Fn(&mut String, &View)) {
    out.push('[');
    for (i, view) in views.iter().enumerate() {
        out.push_str(if i == 0 { "\n" } else { ",\n" });
        let _ = write!(out, "{{\"thread\":{},\"name\":{},\"native_id\":{}", view.number, quoted(&view.name), view.native_id);
        let _ = write!(out, ",\"doing\":\"{}\",\"since_ms\":{:.3}", view.doing, view.since_ms);
        more(out, view);
        out.push('}');
    }
    out.push_str("\n]\n");
}

/// What the threads have done in the meantime, who waited most first.
pub fn top(main: &ThreadState, json: bool, pause: Duration) -> Option<String> {
    let began_ns = monotonic_ns();
    let before: HashMap<u64, ThreadStats> = views(main)?.into_iter().map(|view| (view.number, view.stats)).collect();
    std::thread::sleep(pause);
    let mut views = views(main)?;
    let elapsed_ns = (monotonic_ns() - began_ns).max(1) as f64;
    for view in &mut views {
        let earlier = before.get(&view.number).cloned().unwrap_or_default();
        view.stats.held_ns -= earlier.held_ns.min(view.stats.held_ns);
        view.stats.waited_ns -= earlier.waited_ns.min(view.stats.waited_ns);
        view.stats.waits -= earlier.waits.min(view.stats.waits);
        view.stats.runs -= earlier.runs.min(view.stats.runs);
    }
    views.sort_by_key(|view| (std::cmp::Reverse((view.stats.waited_ns, view.stats.held_ns)), view.number));
    let share = |ns: u64| ns as f64 / elapsed_ns;
    let at = |view: &View| view.stack.first().cloned().unwrap_or_default();
    let mut out = String::new();
    if json {
        list(&mut out, &views, |out, view| {
            let stats = &view.stats;
            let _ =
                write!(out, ",\"ran\":{:.4},\"waited\":{:.4},\"waits\":{},\"runs\":{}", share(stats.held_ns), share(stats.waited_ns), stats.waits, stats.runs);
            let _ = write!(out, ",\"at\":{}", quoted(&at(view)));
        });
        return Some(out);
    }
    let (ran, waited) = views.iter().fold((0, 0), |sums, view| (sums.0 + view.stats.held_ns, sums.1 + view.stats.waited_ns));
    let percent = |ns: u64| format!("{:.1} %", 100.0 * share(ns));
    let _ =
        writeln!(out, "process {}, {} threads; the lock is held {}, threads wait for it {}", std::process::id(), views.len(), percent(ran), percent(waited));
    let _ = writeln!(out, "{:>8} {:>8} {:>7}  {:22} {:28} at", "waited", "ran", "waits", "does", "thread");
    for view in &views {
        let stats = &view.stats;
        let (waited, ran) = (percent(stats.waited_ns), percent(stats.held_ns));
        let _ = writeln!(out, "{waited:>8} {ran:>8} {:>7}  {:22} {:28} {}", stats.waits, view.doing, view.name, at(view));
    }
    Some(out)
}

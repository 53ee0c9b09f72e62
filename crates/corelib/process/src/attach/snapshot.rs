//! What the threads of a VM do at one moment: their stacks, their part of the lock, the mutexes that they hold and wait
//! for; as text and as JSON, and as lines of words for the screen of `top` (`look`, `stack`).

use super::one_word;
use super::shown::shown;
use rubellite_core_lock::quoted;
use rubellite_core_object::exception::backtrace::{levels, levels_within};
use rubellite_core_object::program_name;
use rubellite_core_thread::is_mutex;
use rubellite_core_thread::thread::state::try_data;
use rubellite_vm::thread::{Activity, ThreadState};
use rubellite_vm::vmlock::{Doing, ThreadId, ThreadStats, monotonic_ns};
use rubellite_vm::{Ctx, Value};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

/// How many threads are looked at while the lock is held: a program with a thousand of them waits for no more than
/// that.
const BATCH: usize = 64;
/// Levels of a stack among which the first that lies in a file is sought.
const LEVELS: usize = 8;

/// A thread.
struct View {
    number: u64,
    name: String,
    /// What it did before it was looked at.
    doing: &'static str,
    since_ms: f64,
    stats: ThreadStats,
    stack: Vec<String>,
    /// Local variables: the level of the stack, the name and the value.
    variables: Vec<(usize, String, String)>,
    /// The words of the mutexes and monitors that it holds, and of the mutex that it waits for.
    holds: Vec<u64>,
    waits_for: Option<u64>,
    /// The word of the queue that it waits for.
    queue: Option<u64>,
    native_id: i64,
}

/// What the lock knows of its threads at a moment.
struct Seen {
    /// And since when, in nanoseconds of the monotonic clock.
    doing: HashMap<ThreadId, (Doing, u64)>,
    holder: Option<ThreadId>,
    now_ns: u64,
}

impl Seen {
    fn new(main: &ThreadState) -> Seen {
        let mut seen = Seen { doing: HashMap::new(), holder: None, now_ns: 0 };
        main.lock_thread.vm_lock().observe(|glance| {
            seen.doing.insert(glance.thread, (glance.doing, glance.since_ns));
            if matches!(glance.doing, Doing::Holding | Doing::Handed) {
                seen.holder = Some(glance.thread);
            }
        });
        seen.now_ns = monotonic_ns();
        seen
    }

    fn of(&self, state: &ThreadState) -> (Doing, u64) {
        self.doing.get(&state.lock_thread.id()).copied().unwrap_or((Doing::Outside, self.now_ns))
    }
}

fn views(main: &ThreadState, locals: bool) -> Option<Vec<View>> {
    let seen = Seen::new(main);
    let mut views = main.look_from_outside(|ctx| {
        let states = ctx.threads().living();
        let views = states.map(|state| {
            let mut view = view(ctx, state, seen.of(state), seen.now_ns);
            if locals {
                ctx.each_thread_variable(state, |level, name, value| {
                    let text = value.map_or("(in a register of compiled code)".into(), |value| shown(ctx, value));
                    view.variables.push((level, String::from_utf8_lossy(name).into_owned(), text));
                });
            }
            view
        });
        views.collect::<Vec<View>>()
    })?;
    views.sort_by_key(|view| view.number);
    Some(views)
}

fn view(ctx: &Ctx, state: &ThreadState, doing: (Doing, u64), now_ns: u64) -> View {
    let stack = levels(ctx, &ctx.thread_positions(state)).iter().map(|level| level.text()).collect();
    view_with(ctx, state, doing, now_ns, stack)
}

fn view_with(ctx: &Ctx, state: &ThreadState, (doing, since_ns): (Doing, u64), now_ns: u64, stack: Vec<String>) -> View {
    let data = try_data(ctx, state.value.get());
    let held = data
        .as_ref()
        .and_then(|data| data.held.try_borrow().ok().map(|held| held.iter().map(|mutex| mutex.bits()).collect()));
    let blocker = data.as_ref().map(|data| data.waits_for.get()).filter(|blocker: &Value| !blocker.is_nil());
    let (waits_for, queue) = match blocker {
        Some(mutex) if is_mutex(ctx, mutex) => (Some(mutex.bits()), None),
        queue => (None, queue.map(Value::bits)),
    };
    View {
        number: state.id,
        name: state.lock_thread.name(),
        doing: said(doing, state.activity()),
        since_ms: now_ns.saturating_sub(since_ns) as f64 / 1e6,
        stats: state.lock_thread.stats(),
        stack,
        variables: Vec::new(),
        holds: held.unwrap_or_default(),
        waits_for,
        queue,
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

/// All threads with their stacks; `locals`: with their local variables, too.
pub fn dump(main: &ThreadState, json: bool, locals: bool) -> Option<String> {
    let views = views(main, locals)?;
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
            if let Some(queue) = view.queue {
                let _ = write!(out, ",\"queue\":\"{queue:#x}\"");
            }
            if locals {
                let of = |level: usize| view.variables.iter().filter(move |variable| variable.0 == level);
                let pairs = |level| {
                    of(level)
                        .map(|(_, name, text)| format!("{}:{}", quoted(name), quoted(text)))
                        .collect::<Vec<_>>()
                        .join(",")
                };
                let levels: Vec<String> = (0..view.stack.len()).map(|level| format!("{{{}}}", pairs(level))).collect();
                let _ = write!(out, ",\"locals\":[{}]", levels.join(","));
            }
        });
        return Some(out);
    }
    let _ = writeln!(out, "process {}, {} threads", std::process::id(), views.len());
    for view in &views {
        let _ = writeln!(
            out,
            "\n{} ({}), native thread {}: {} for {:.1} ms",
            view.name, view.number, view.native_id, view.doing, view.since_ms
        );
        for mutex in &view.holds {
            let waiting = views
                .iter()
                .filter(|other| other.waits_for == Some(*mutex))
                .map(|other| other.name.as_str())
                .collect::<Vec<_>>();
            let waiting =
                if waiting.is_empty() { String::new() } else { format!(", for which wait: {}", waiting.join(", ")) };
            let _ = writeln!(out, "  holds mutex {mutex:#x}{waiting}");
        }
        if let Some(mutex) = view.waits_for {
            let by = holder(&views, mutex).map_or(String::new(), |holder| format!(", which {} holds", holder.name));
            let _ = writeln!(out, "  waits for mutex {mutex:#x}{by}");
        }
        if let Some(queue) = view.queue {
            let others = views.iter().filter(|other| other.queue == Some(queue)).count() - 1;
            let others = match others {
                0 => String::new(),
                1 => ", as another thread does".into(),
                _ => format!(", as {others} others do"),
            };
            let _ = writeln!(out, "  waits for queue {queue:#x}{others}");
        }
        for (number, level) in view.stack.iter().enumerate() {
            let _ = writeln!(out, "    {level}");
            for (_, name, text) in view.variables.iter().filter(|variable| variable.0 == number) {
                let _ = writeln!(out, "        {name} = {}", one_word(text));
            }
        }
    }
    Some(out)
}

/// A JSON array with an object for each thread, to which `more` adds.
fn list(out: &mut String, views: &[View], more: impl Fn(&mut String, &View)) {
    out.push('[');
    for (i, view) in views.iter().enumerate() {
        out.push_str(if i == 0 { "\n" } else { ",\n" });
        let _ = write!(
            out,
            "{{\"thread\":{},\"name\":{},\"native_id\":{}",
            view.number,
            quoted(&view.name),
            view.native_id
        );
        let _ = write!(out, ",\"doing\":\"{}\",\"since_ms\":{:.3}", view.doing, view.since_ms);
        more(out, view);
        out.push('}');
    }
    out.push_str("\n]\n");
}

/// What the threads have done in the meantime, who waited most first.
pub fn top(main: &ThreadState, json: bool, pause: Duration) -> Option<String> {
    let began_ns = monotonic_ns();
    let living = |ctx: &Ctx| ctx.threads().living().cloned().collect::<Vec<_>>();
    let before: HashMap<u64, ThreadStats> =
        main.look_from_outside(living)?.iter().map(|state| (state.id, state.lock_thread.stats())).collect();
    std::thread::sleep(pause);
    let (states, seen) = (main.look_from_outside(living)?, Seen::new(main));
    let mut views = briefs(main, &states, &seen)?;
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
    let (holder, owners) = (running(&states, &seen), owners(&views));
    let names: HashMap<u64, &str> = views.iter().map(|view| (view.number, view.name.as_str())).collect();
    let behind = |view: &View| names.get(&behind(view, &owners, holder)).copied();
    let mut out = String::new();
    if json {
        list(&mut out, &views, |out, view| {
            let stats = &view.stats;
            let _ = write!(
                out,
                ",\"ran\":{:.4},\"waited\":{:.4},\"waits\":{},\"runs\":{}",
                share(stats.held_ns),
                share(stats.waited_ns),
                stats.waits,
                stats.runs
            );
            let _ =
                write!(out, ",\"behind\":{},\"at\":{}", behind(view).map_or("null".into(), quoted), quoted(&at(view)));
        });
        return Some(out);
    }
    let (ran, waited) =
        views.iter().fold((0, 0), |sums, view| (sums.0 + view.stats.held_ns, sums.1 + view.stats.waited_ns));
    let percent = |ns: u64| format!("{:.1} %", 100.0 * share(ns));
    let _ = writeln!(
        out,
        "process {}, {} threads; the lock is held {}, threads wait for it {}",
        std::process::id(),
        views.len(),
        percent(ran),
        percent(waited)
    );
    let _ =
        writeln!(out, "{:>8} {:>8} {:>7}  {:22} {:24} {:18} at", "waited", "ran", "waits", "does", "thread", "behind");
    for view in &views {
        let stats = &view.stats;
        let (waited, ran) = (percent(stats.waited_ns), percent(stats.held_ns));
        let behind = behind(view);
        // A thread that waits for what another one holds waits for a mutex, as the screen says.
        let does = if view.waits_for.is_some() && behind.is_some() { "waits for a mutex" } else { view.doing };
        let (name, behind) = (&view.name, behind.unwrap_or(""));
        let _ = writeln!(out, "{waited:>8} {ran:>8} {:>7}  {does:22} {name:24} {behind:18} {}", stats.waits, at(view));
    }
    Some(out)
}

/// A line about the process and a line for each thread, words separated by tabs: raw counters, of which whoever asks
/// makes differences.
///
/// `process PID NOW COLLECTIONS COLLECTING HEAP PROGRAM`; `NUMBER NATIVE DOING SINCE HELD WAITED WAITS MUTEX BEHIND
/// NAME AT`: times are in nanoseconds, the heap in bytes, BEHIND is the number of the thread that holds what this one
/// waits for, 0: none.
pub fn look(main: &ThreadState) -> Option<String> {
    let seen = Seen::new(main);
    let now_ns = seen.now_ns;
    let (states, head) = main.look_from_outside(|ctx| {
        let heap = ctx.heap_stat();
        let (collecting_ns, bytes) = (
            heap.mark_time_ns + heap.sweep_time_ns,
            heap.live_cell_bytes + heap.allocated_cell_bytes + heap.malloc_bytes,
        );
        let program = one_word(&program_name::text(ctx).unwrap_or_default());
        let head =
            format!("process\t{}\t{now_ns}\t{}\t{collecting_ns}\t{bytes}\t{program}\n", std::process::id(), heap.count);
        (ctx.threads().living().cloned().collect::<Vec<_>>(), head)
    })?;
    let mut views = briefs(main, &states, &seen)?;
    let holder = running(&states, &seen);
    let owners = owners(&views);
    views.sort_by_key(|view| view.number);
    let mut out = head;
    for view in &views {
        let behind = behind(view, &owners, holder);
        let (stats, mutex) = (&view.stats, view.waits_for.unwrap_or(0));
        let at = view.stack.first().map_or("", String::as_str);
        let _ = write!(out, "{}\t{}\t{}\t{}", view.number, view.native_id, view.doing, (view.since_ms * 1e6) as u64);
        let _ = write!(out, "\t{}\t{}\t{}", stats.held_ns, stats.waited_ns, stats.waits);
        let _ = writeln!(out, "\t{mutex:#x}\t{behind}\t{}\t{}", one_word(&view.name), one_word(at));
    }
    Some(out)
}

/// The number of the thread that has the lock, 0: none.
fn running(states: &[Arc<ThreadState>], seen: &Seen) -> u64 {
    seen.holder
        .and_then(|holder| states.iter().find(|state| state.lock_thread.id() == holder))
        .map_or(0, |state| state.id)
}

/// By mutex: the number of the thread that holds it.
fn owners(views: &[View]) -> HashMap<u64, u64> {
    views.iter().flat_map(|view| view.holds.iter().map(|mutex| (*mutex, view.number))).collect()
}

/// The number of the thread that holds what this one waits for, 0: none.
fn behind(view: &View, owners: &HashMap<u64, u64>, holder: u64) -> u64 {
    match view.waits_for {
        Some(mutex) => owners.get(&mutex).copied().unwrap_or(0),
        None if view.doing == said(Doing::Waiting, Activity::Running) => holder,
        None => 0,
    }
}

/// The threads with the innermost lines of their stacks. The lock is held for some of them at a time.
fn briefs(main: &ThreadState, states: &[Arc<ThreadState>], seen: &Seen) -> Option<Vec<View>> {
    let mut views = Vec::with_capacity(states.len());
    for batch in states.chunks(BATCH) {
        main.look_from_outside(|ctx| {
            let living = batch.iter().filter(|state| state.ctx_ptr().is_some());
            views.extend(living.map(|state| brief(ctx, state, seen.of(state), seen.now_ns)));
        })?;
    }
    Some(views)
}

/// A thread with the innermost line of its stack.
fn brief(ctx: &Ctx, state: &Arc<ThreadState>, doing: (Doing, u64), now_ns: u64) -> View {
    let positions = ctx.thread_positions(state);
    let known = levels_within(ctx, &positions, 0..positions.len().min(LEVELS));
    let at = known.iter().find(|level| !level.path.is_empty()).map(|level| level.text());
    view_with(ctx, state, doing, now_ns, at.into_iter().collect())
}

/// The stack of a thread, a line for each level. `None`: there is no such thread.
pub fn stack(main: &ThreadState, number: u64) -> Option<String> {
    main.look_from_outside(|ctx| {
        let state = ctx.threads().living().find(|state| state.id == number)?;
        let stack = levels(ctx, &ctx.thread_positions(state));
        let lines: Vec<String> = stack.iter().map(|level| level.text().replace('\n', " ")).collect();
        Some(format!("{}\n", lines.join("\n")))
    })?
}

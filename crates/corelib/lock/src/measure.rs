//! `Rubellite::Lock.measure`: what a piece of work of one thread did with the lock, and behind whom its longest wait
//! was spent.
//!
//! The counters are those that the lock keeps anyway. While something is measured the lock keeps its last turns as well
//! (`vmlock`'s `holds`), and a thread that is handed the lock looks where the one before it stands, which does not run
//! then (`look`): at its next safepoint, when the turn was long or when it is measured itself. In which native method
//! the last holder was when it was asked to give way is noted then, and told in the place of where it gave way. The
//! turns that lie in a wait, added up by thread, say behind whom it was spent. Nothing of this is paid while nothing is
//! measured.

use rubellite_core_object::exception::backtrace::levels_within;
use rubellite_vm::glimpse::{Glimpse, glimpse};
use rubellite_vm::object::exception::Position;
use rubellite_vm::object::{Array, Str};
use rubellite_vm::thread::{ThreadState, interrupt_bits};
use rubellite_vm::vmlock::{AskedHook, Hold, LockThread, ThreadId, ThreadStats, monotonic_ns};
use rubellite_vm::{Args, Ctx, Encoding, Extension, Result, Value};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

/// How many places of last holders are kept.
const PLACES_KEPT: usize = 256;
/// Entries of threads beyond which those that have ended are looked for.
const ENTRIES_MANY: usize = 64;
/// Levels of a stack that are looked at for one that lies in a file.
const LEVELS: usize = 8;

/// A measurement that has not ended.
struct Measuring {
    number: i64,
    began_ns: u64,
    before: ThreadStats,
    longest: Option<Longest>,
}

/// The longest wait of a measurement.
#[derive(Clone)]
struct Longest {
    ns: u64,
    /// The thread that held the lock for the largest part of it, and for how long.
    behind: Option<(String, u64)>,
    /// Where that thread stood when it gave the lock away.
    place: Option<String>,
}

/// The place where a holder stood when it gave the lock away.
struct Place {
    thread: Arc<LockThread>,
    at_ns: u64,
    text: String,
}

#[derive(Default)]
struct State {
    /// By thread, the outermost first.
    running: HashMap<u64, (Arc<LockThread>, Vec<Measuring>)>,
    last_number: i64,
    places: VecDeque<Place>,
    asked: Option<Arc<Asked>>,
}

/// The holder that was asked to give way last, by its slot: when, and what it was at.
type Asked = Mutex<Option<(ThreadId, u64, Glimpse)>>;

/// Notes it; what somebody else looks at now is left as it is.
fn asked_hook(asked: &Arc<Asked>) -> AskedHook {
    let asked = Arc::clone(asked);
    Arc::new(move |thread, now_ns| {
        if let Ok(mut asked) = asked.try_lock() {
            *asked = glimpse(thread).map(|seen| (thread.id(), now_ns, seen));
        }
    })
}

#[derive(Default)]
struct Measures(RefCell<State>);

impl Extension for Measures {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// `start_measure -> Integer`: begins to measure the running thread.
pub fn start_measure(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let thread = Arc::clone(ctx.thread());
    let state = &mut *ctx.extension::<Measures>().0.borrow_mut();
    let asked = state.asked.get_or_insert_default();
    ctx.vm().lock().begin_measuring(&thread.lock_thread, interrupt_bits::LOOK, &asked_hook(asked));
    if state.running.len() > ENTRIES_MANY {
        forget_ended(ctx, state);
    }
    state.last_number += 1;
    let number = state.last_number;
    let measuring = Measuring { number, began_ns: monotonic_ns(), before: thread.lock_thread.stats(), longest: None };
    state.running.entry(thread.id).or_insert_with(|| (Arc::clone(&thread.lock_thread), Vec::new())).1.push(measuring);
    Ok(Value::fixnum(number))
}

/// `read_measure(number) -> Array or nil`: what was measured so far: `[wall_ns, held_ns, waited_ns, outside_ns, waits,
/// longest_wait_ns, behind, behind_ns, place]`, the last three nil where there was no wait. `read_measure(number,
/// true)` ends the measurement, and those in it that were not ended. nil: it has ended, or is another thread's.
pub fn read_measure(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    explain_wait(ctx);
    let thread = Arc::clone(ctx.thread());
    let number = args.at(0).as_fixnum();
    let (stats, now_ns) = (thread.lock_thread.stats(), monotonic_ns());
    let found = {
        let state = &mut *ctx.extension::<Measures>().0.borrow_mut();
        let Some((_, list)) = state.running.get_mut(&thread.id) else { return Ok(Value::NIL) };
        let Some(at) = list.iter().position(|measuring| Some(measuring.number) == number) else {
            return Ok(Value::NIL);
        };
        let found = result_of(&list[at], &stats, now_ns);
        if args.at(1).truthy() {
            list.drain(at..).for_each(|_| ctx.vm().lock().end_measuring(&thread.lock_thread));
            if list.is_empty() {
                state.running.remove(&thread.id);
            }
            if state.running.is_empty() {
                state.places = VecDeque::new();
            }
        }
        found
    };
    let list = Array::new(ctx);
    for number in found.0 {
        list.push(ctx, Value::fixnum(number.min(i64::MAX as u64 >> 2) as i64));
    }
    let (behind, behind_ns) = found.1.as_ref().and_then(|longest| longest.behind.clone()).unzip();
    let place = found.1.and_then(|longest| longest.place);
    let text = |ctx: &mut Ctx, text: Option<String>| {
        text.map_or(Value::NIL, |text| Str::new(ctx, text.as_bytes(), Encoding::UTF_8).value())
    };
    let behind = text(ctx, behind);
    list.push(ctx, behind);
    list.push(ctx, behind_ns.map_or(Value::NIL, |ns| Value::fixnum(ns.min(i64::MAX as u64 >> 2) as i64)));
    let place = text(ctx, place);
    list.push(ctx, place);
    Ok(list.value())
}

fn result_of(measuring: &Measuring, now: &ThreadStats, now_ns: u64) -> ([u64; 6], Option<Longest>) {
    let before = &measuring.before;
    let numbers = [
        now_ns.saturating_sub(measuring.began_ns),
        now.held_ns.saturating_sub(before.held_ns),
        now.waited_ns.saturating_sub(before.waited_ns),
        now.outside_ns.saturating_sub(before.outside_ns),
        now.waits.saturating_sub(before.waits),
        measuring.longest.as_ref().map_or(0, |longest| longest.ns),
    ];
    (numbers, measuring.longest.clone())
}

/// At a safepoint of a thread that was handed the lock: keeps where the last holder stands, and explains the wait.
#[cold]
pub fn look(ctx: &mut Ctx) {
    if let Some(hold) = ctx.vm().lock().last_hold() {
        note_place(ctx, &hold);
    }
    explain_wait(ctx);
}

fn note_place(ctx: &Ctx, hold: &Hold) {
    if !hold.is_fresh() || Arc::ptr_eq(&hold.thread, &ctx.thread().lock_thread) {
        return;
    }
    let asked = ctx.extension::<Measures>().0.borrow().asked.as_ref().and_then(|asked| asked.try_lock().ok()?.take());
    let asked = asked
        .filter(|(thread, at_ns, _)| *thread == hold.thread.id() && *at_ns >= hold.from_ns && *at_ns <= hold.to_ns);
    let Some(thread) = state_of(ctx, &hold.thread) else { return };
    let native = asked.and_then(|(_, _, seen)| ctx.recognize_of_thread(&thread, seen));
    let Some(text) = native
        .and_then(|seen| place_of(ctx, &seen.positions))
        .or_else(|| place_of(ctx, &ctx.thread_positions(&thread)))
    else {
        return;
    };
    let state = &mut *ctx.extension::<Measures>().0.borrow_mut();
    if state.places.len() == PLACES_KEPT {
        state.places.pop_front();
    }
    state.places.push_back(Place { thread: Arc::clone(&hold.thread), at_ns: hold.to_ns, text });
}

fn state_of(ctx: &Ctx, thread: &Arc<LockThread>) -> Option<Arc<ThreadState>> {
    ctx.threads().living().find(|state| Arc::ptr_eq(&state.lock_thread, thread)).cloned()
}

/// `file.rb:42`: the innermost line of Ruby code.
fn place_of(ctx: &Ctx, positions: &[Position]) -> Option<String> {
    let known = levels_within(ctx, positions, 0..positions.len().min(LEVELS));
    let level =
        positions.iter().zip(known).find(|(position, level)| !position.code.is_nil() && !level.path.is_empty())?.1;
    Some(format!("{}:{}", level.path, level.line))
}

/// The last wait of this thread, if it is the longest of a measurement.
fn explain_wait(ctx: &Ctx) {
    let thread = ctx.thread();
    let Some(wait) = thread.lock_thread.stats().last_wait else { return };
    let is_longest = |measuring: &Measuring| {
        wait.at_ns > measuring.began_ns && measuring.longest.as_ref().is_none_or(|longest| longest.ns < wait.ns)
    };
    let measures = &ctx.extension::<Measures>().0;
    if !measures.borrow().running.get(&thread.id).is_some_and(|(_, list)| list.iter().any(is_longest)) {
        return;
    }
    let longest = longest_of(ctx, &measures.borrow(), wait.at_ns.saturating_sub(wait.ns), wait.at_ns, wait.ns);
    if let Some((_, list)) = measures.borrow_mut().running.get_mut(&thread.id) {
        list.iter_mut()
            .filter(|measuring| is_longest(measuring))
            .for_each(|measuring| measuring.longest = Some(longest.clone()));
    }
}

/// Adds up who held the lock during a wait.
fn longest_of(ctx: &Ctx, state: &State, from_ns: u64, to_ns: u64, ns: u64) -> Longest {
    let mut shares: Vec<(Hold, u64)> = Vec::new();
    for hold in ctx.vm().lock().holds_since(from_ns) {
        let part_ns = hold.to_ns.min(to_ns).saturating_sub(hold.from_ns.max(from_ns));
        match shares.iter_mut().find(|(known, _)| Arc::ptr_eq(&known.thread, &hold.thread)) {
            // The place is that of its last turn of some length.
            Some((known, sum_ns)) => {
                *sum_ns += part_ns;
                if part_ns > 0 {
                    *known = hold;
                }
            }
            None => shares.push((hold, part_ns)),
        }
    }
    let worst = shares.into_iter().filter(|(_, sum_ns)| *sum_ns > 0).max_by_key(|(_, sum_ns)| *sum_ns);
    let place = worst.as_ref().and_then(|(hold, _)| {
        let of_thread =
            |place: &&Place| Arc::ptr_eq(&place.thread, &hold.thread) && place.at_ns >= from_ns && place.at_ns <= to_ns;
        state.places.iter().rev().find(of_thread).map(|place| place.text.clone())
    });
    Longest {
        ns,
        behind: worst.map(|(hold, sum_ns)| (super::report::short_path(&hold.thread.name()).to_string(), sum_ns)),
        place,
    }
}

/// A fiber that is not resumed again leaves its measurement open: it ends with the thread.
fn forget_ended(ctx: &Ctx, state: &mut State) {
    let lives = |id: &u64| ctx.threads().living().any(|thread| thread.id == *id);
    state.running.retain(|id, (thread, list)| {
        let stays = lives(id);
        if !stays {
            list.iter().for_each(|_| ctx.vm().lock().end_measuring(thread));
        }
        stays
    });
}

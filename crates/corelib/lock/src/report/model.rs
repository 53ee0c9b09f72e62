//! What a lock report knows: the time line of each thread, the places at which the lock was held, and the longest
//! waits. Everything is in nanoseconds of the monotonic clock. What grows with the length of a run is bounded: time
//! lines lose their shortest stretches, and of the waits the longest stay. Of each thread that has ended a line is
//! left.
//!
//! The sampler looks every few milliseconds (`look`). Whoever holds the lock then is asked where it is and answers at
//! its next safepoint (`answer`); until then the sample has no place. A wait is explained when all samples taken during
//! it have their places.

use rubellite_vm::glimpse::Glimpse;
use rubellite_vm::thread::VISITOR;
use rubellite_vm::vmlock::{Doing, Glance, LockThread, ThreadId, ThreadStats};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// A wait that is longer counts as long, and is explained.
pub const LONG_WAIT_NS: u64 = 5_000_000;
/// How many of the longest waits are kept.
const WORST_MAX: usize = 200;
/// Stretches of all time lines together.
const STRETCHES_MAX: usize = 60_000;
/// A wait whose samples have no place after this time is explained without them.
const PATIENCE_NS: u64 = 1_000_000_000;
/// Samples that are kept for waits which have not ended.
const SAMPLES_MAX: usize = 1 << 20;

/// A line of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    /// Empty: no line, as for a thread that waits for a processor.
    pub path: String,
    pub line: i32,
    /// The method, as backtraces show it.
    pub label: String,
}

/// Where a thread is: the line of Ruby code, and the native method that it has called, if that comes to no safepoint.
pub struct Answer {
    pub spot: Spot,
    pub operation: Option<String>,
}

/// What is known of a `Spot`.
#[derive(Default)]
pub struct Place {
    /// Time for which the lock was held there.
    pub held_ns: u64,
    /// Of it: while others waited.
    pub contended_ns: u64,
    /// Time that all threads together waited meanwhile.
    pub behind_ns: u64,
    /// Long waits of which it had the largest part.
    pub long_waits: u64,
    /// The longest time for which a thread was there without coming to a safepoint.
    pub stretch_ns: u64,
    /// A native method that was called there and did not give way.
    pub operation: Option<String>,
    /// The part of `held_ns` in which that was a native method.
    pub native_ns: u64,
}

pub type PlaceId = usize;
/// Where a thread is that was handed the lock and does not run yet.
pub const NO_PROCESSOR: PlaceId = 0;
pub type LineId = usize;

/// A part of a thread's time line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub from_ns: u64,
    pub to_ns: u64,
    pub doing: Doing,
}

/// A thread.
pub struct Line {
    pub name: String,
    /// None: it has ended.
    thread: Option<Arc<LockThread>>,
    bound_ns: u64,
    /// When it was seen last.
    seen_ns: u64,
    pub stretches: Vec<Stretch>,
    /// Time for which it was seen parked.
    parked_ns: u64,
    /// The counters when the report began, and at the end.
    before: ThreadStats,
    after: ThreadStats,
    asked: Option<Asked>,
    /// Its last answer, and when it came.
    answered: Option<(u64, PlaceId)>,
    wait: Option<OngoingWait>,
}

/// A question that a thread has not answered yet.
struct Asked {
    at_ns: u64,
    /// The first sample that the answer is for.
    first_sample: u64,
    hint: Option<Glimpse>,
}

/// The wait that a thread is in.
struct OngoingWait {
    /// As its account says.
    since_ns: u64,
    first_sample: u64,
    /// It is long already, and the thread has been asked where it waits.
    is_long: bool,
}

/// One look at the holder.
struct Sample {
    at_ns: u64,
    ns: u64,
    holder: LineId,
    waiting: u64,
    place: Option<PlaceId>,
}

/// More threads than the lock can serve.
pub struct Crowd {
    pub threads: usize,
    /// How many threads keep the lock busy.
    pub useful: f64,
    pub waited_ns: u64,
    /// Their time without that parked.
    pub all_ns: u64,
}

/// A long wait.
#[derive(Clone, Debug)]
pub struct LongWait {
    pub line: LineId,
    pub from_ns: u64,
    pub to_ns: u64,
    /// Where the waiting thread was, once it has said so.
    pub at: Option<PlaceId>,
    /// Who held the lock longest meanwhile, where, and for how long.
    pub behind: Option<(LineId, Option<PlaceId>, u64)>,
    samples: std::ops::Range<u64>,
}

impl LongWait {
    pub fn ns(&self) -> u64 {
        self.to_ns - self.from_ns
    }
}

pub struct Model {
    pub began_ns: u64,
    pub last_ns: u64,
    pub lines: Vec<Line>,
    /// Lines by the slots of their threads.
    slots: Vec<Option<LineId>>,
    /// The lines of threads that have not ended.
    living: Vec<LineId>,
    stretches: usize,
    pub spots: Vec<Spot>,
    pub places: Vec<Place>,
    known: HashMap<Spot, PlaceId>,
    samples: VecDeque<Sample>,
    /// The number of the first of them.
    first_sample: u64,
    /// Waits that have ended and are not explained yet.
    open: Vec<LongWait>,
    pub worst: Vec<LongWait>,
    pub long_waits: u64,
    stretch_min_ns: u64,
    pub looks: u64,
}

/// What the sampler has to do after a look.
#[derive(Default)]
pub struct Due {
    /// Who is to be asked: the holder, and threads whose wait is long: they will say where they are when it has ended.
    pub ask: Vec<Arc<LockThread>>,
    /// The holder behind which others wait, of which a glimpse may tell more than its answer.
    pub holder: Option<(LineId, Arc<LockThread>)>,
}

impl Model {
    pub fn new(now_ns: u64) -> Model {
        Model {
            began_ns: now_ns,
            last_ns: now_ns,
            lines: Vec::new(),
            slots: Vec::new(),
            living: Vec::new(),
            stretches: 0,
            spots: vec![Spot { path: String::new(), line: 0, label: "waiting for a processor".into() }],
            places: vec![Place::default()],
            known: HashMap::new(),
            samples: VecDeque::new(),
            first_sample: 0,
            open: Vec::new(),
            worst: Vec::new(),
            long_waits: 0,
            stretch_min_ns: 0,
            looks: 0,
        }
    }

    /// Takes in what all threads do at `now_ns`. `thread_of` finds a thread that has no line yet.
    pub fn look(
        &mut self,
        now_ns: u64,
        glances: &[Glance],
        thread_of: impl Fn(ThreadId) -> Option<Arc<LockThread>>,
    ) -> Due {
        let mut due = Due::default();
        let ns = now_ns.saturating_sub(self.last_ns);
        self.looks += 1;
        let waiting = glances.iter().filter(|glance| glance.doing == Doing::Waiting).count() as u64;
        let mut holder = None;
        for glance in glances {
            let Some(line) = self.line_of(glance, now_ns, &thread_of) else { continue };
            self.note_stretch(line, glance, now_ns);
            if glance.doing == Doing::Parked {
                self.lines[line].parked_ns += ns;
            }
            if matches!(glance.doing, Doing::Holding | Doing::Handed) {
                holder = Some((line, glance.doing));
            }
            self.note_wait(line, glance, now_ns, &mut due);
        }
        self.last_ns = now_ns;
        self.note_ended(now_ns);
        if let Some((holder, doing)) = holder {
            let number = self.next_sample();
            let mut sample = Sample { at_ns: now_ns, ns, holder, waiting, place: None };
            if doing == Doing::Handed {
                self.settle_at(&mut sample, NO_PROCESSOR);
            }
            self.samples.push_back(sample);
            let line = &mut self.lines[holder];
            if doing == Doing::Holding {
                due.holder = line.thread.clone().filter(|_| waiting > 0).map(|thread| (holder, thread));
                // A thread that had nothing to say, as it had not begun, is asked again.
                line.asked.get_or_insert(Asked { at_ns: now_ns, first_sample: number, hint: None });
                due.ask.extend(line.thread.clone());
            }
        }
        self.explain(now_ns, PATIENCE_NS);
        due
    }

    fn next_sample(&self) -> u64 {
        self.first_sample + self.samples.len() as u64
    }

    fn line_of(
        &mut self,
        glance: &Glance,
        now_ns: u64,
        thread_of: impl Fn(ThreadId) -> Option<Arc<LockThread>>,
    ) -> Option<LineId> {
        let slot = glance.thread.0 as usize;
        if let Some(line) = self.slots.get(slot).copied().flatten()
            && self.lines[line].bound_ns == glance.bound_ns
        {
            self.lines[line].seen_ns = now_ns;
            return Some(line);
        }
        let thread = thread_of(glance.thread).filter(|thread| thread.name() != VISITOR)?;
        self.lines.push(Line {
            name: thread.name(),
            before: if glance.bound_ns < self.began_ns { thread.stats() } else { ThreadStats::default() },
            thread: Some(thread),
            bound_ns: glance.bound_ns,
            seen_ns: now_ns,
            stretches: Vec::new(),
            parked_ns: 0,
            after: ThreadStats::default(),
            asked: None,
            answered: None,
            wait: None,
        });
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, None);
        }
        let line = self.lines.len() - 1;
        self.slots[slot] = Some(line);
        self.living.push(line);
        Some(line)
    }

    /// Continues the time line. The lock's accounts know when what the thread does now began, unless they leave that
    /// out.
    fn note_stretch(&mut self, line: LineId, glance: &Glance, now_ns: u64) {
        let last_ns = self.last_ns.min(now_ns);
        let began_ns = glance.since_ns.clamp(last_ns, now_ns);
        let line = &mut self.lines[line];
        let from_ns = match line.stretches.last_mut() {
            Some(last) if last.doing == glance.doing && glance.since_ns <= last_ns => {
                last.to_ns = now_ns;
                return;
            }
            Some(last) => {
                last.to_ns = last.to_ns.max(began_ns);
                last.to_ns
            }
            None => line.bound_ns.clamp(self.began_ns.min(now_ns), now_ns),
        };
        line.stretches.push(Stretch { from_ns, to_ns: now_ns, doing: glance.doing });
        self.stretches += 1;
    }

    fn note_wait(&mut self, line: LineId, glance: &Glance, now_ns: u64, due: &mut Due) {
        let first_sample = self.next_sample();
        let since_ns = (glance.doing == Doing::Waiting).then_some(glance.since_ns);
        let known = &mut self.lines[line];
        if let Some(wait) = known.wait.as_mut().filter(|wait| Some(wait.since_ns) == since_ns) {
            if !wait.is_long && now_ns.saturating_sub(wait.since_ns) >= LONG_WAIT_NS {
                wait.is_long = true;
                due.ask.extend(known.thread.clone());
            }
            return;
        }
        if let Some(wait) = known.wait.take() {
            // It ended between two looks: the account says when what came then began.
            let to_ns = glance.since_ns.clamp(self.last_ns.min(now_ns), now_ns);
            self.end_wait(line, wait, to_ns);
        }
        self.lines[line].wait = since_ns.map(|since_ns| OngoingWait { since_ns, first_sample, is_long: false });
    }

    fn end_wait(&mut self, line: LineId, wait: OngoingWait, to_ns: u64) {
        let from_ns = wait.since_ns.max(self.began_ns);
        if to_ns.saturating_sub(from_ns) >= LONG_WAIT_NS {
            self.long_waits += 1;
            let at = self.lines[line].answered.filter(|(at_ns, _)| *at_ns >= from_ns).map(|(_, place)| place);
            self.open.push(LongWait {
                line,
                from_ns,
                to_ns,
                at,
                behind: None,
                samples: wait.first_sample..self.next_sample(),
            });
        }
    }

    /// Threads that were not seen in this look have ended.
    fn note_ended(&mut self, now_ns: u64) {
        let (living, ended): (Vec<LineId>, Vec<LineId>) =
            std::mem::take(&mut self.living).into_iter().partition(|line| self.lines[*line].seen_ns == now_ns);
        self.living = living;
        for id in ended {
            let line = &mut self.lines[id];
            line.asked = None;
            if let Some(thread) = line.thread.take() {
                line.after = thread.stats();
                // It may have been named after it was seen first.
                line.name = thread.name();
            }
            let (wait, seen_ns) = (line.wait.take(), line.seen_ns);
            if let Some(wait) = wait {
                self.end_wait(id, wait, seen_ns);
            }
        }
        if self.stretches > STRETCHES_MAX {
            self.thin_out();
        }
    }

    /// Drops the shortest stretches, until half of the room is free.
    fn thin_out(&mut self) {
        while self.stretches > STRETCHES_MAX / 2 {
            self.stretch_min_ns = (self.stretch_min_ns * 2).max(1_000_000);
            let min_ns = self.stretch_min_ns;
            self.stretches = 0;
            for line in &mut self.lines {
                let last = line.stretches.last().copied();
                line.stretches.retain(|stretch| stretch.to_ns - stretch.from_ns >= min_ns || Some(*stretch) == last);
                self.stretches += line.stretches.len();
            }
            // Lines of one stretch each cannot get shorter.
            if self.stretches <= self.lines.len() {
                return;
            }
        }
    }

    fn line_of_thread(&self, thread: &Arc<LockThread>) -> Option<LineId> {
        let line = self.slots.get(thread.id().0 as usize).copied().flatten()?;
        self.lines[line].thread.as_ref().is_some_and(|known| Arc::ptr_eq(known, thread)).then_some(line)
    }

    /// What a glimpse at the holder saw: in which native method it is.
    pub fn hint(&mut self, line: LineId, hint: Glimpse) {
        if let Some(asked) = &mut self.lines[line].asked {
            asked.hint = Some(hint);
        }
    }

    /// The hint for a thread that is about to answer.
    pub fn take_hint(&mut self, thread: &Arc<LockThread>) -> Option<Glimpse> {
        let line = self.line_of_thread(thread)?;
        self.lines[line].asked.as_mut()?.hint.take()
    }

    /// The thread is, or was when it was asked, at this spot.
    pub fn answer(&mut self, thread: &Arc<LockThread>, answer: Answer, now_ns: u64) {
        let Some(line) = self.line_of_thread(thread) else { return };
        let place = self.place_of(answer.spot);
        self.lines[line].answered = Some((now_ns, place));
        if let Some(asked) = self.lines[line].asked.take() {
            let from = asked.first_sample.saturating_sub(self.first_sample) as usize;
            let mut samples = std::mem::take(&mut self.samples);
            let (mut stretch_ns, mut all_ns) = (0, 0);
            for sample in samples.iter_mut().skip(from).filter(|sample| sample.holder == line && sample.place.is_none())
            {
                self.settle_at(sample, place);
                all_ns += sample.ns;
                stretch_ns += if sample.at_ns > asked.at_ns { sample.ns } else { 0 };
            }
            self.samples = samples;
            let known = &mut self.places[place];
            known.native_ns += if answer.operation.is_some() { all_ns } else { 0 };
            known.stretch_ns = known.stretch_ns.max(stretch_ns);
            if known.operation.is_none() || stretch_ns == known.stretch_ns && answer.operation.is_some() {
                known.operation = answer.operation;
            }
        }
        // What it waited for last has brought it here.
        if let Some(wait) = self.open.iter_mut().rev().find(|wait| wait.line == line) {
            wait.at.get_or_insert(place);
        }
    }

    /// The sample was taken there.
    fn settle_at(&mut self, sample: &mut Sample, place: PlaceId) {
        sample.place = Some(place);
        let known = &mut self.places[place];
        known.held_ns += sample.ns;
        known.contended_ns += if sample.waiting > 0 { sample.ns } else { 0 };
        known.behind_ns += sample.ns * sample.waiting;
    }

    fn place_of(&mut self, spot: Spot) -> PlaceId {
        if let Some(place) = self.known.get(&spot) {
            return *place;
        }
        self.places.push(Place::default());
        self.spots.push(spot.clone());
        self.known.insert(spot, self.places.len() - 1);
        self.places.len() - 1
    }

    /// Explains the waits whose samples have their places, or will not get them, and forgets samples that no wait
    /// needs.
    pub fn explain(&mut self, now_ns: u64, patience_ns: u64) {
        for mut wait in std::mem::take(&mut self.open) {
            let range = wait.samples.start.saturating_sub(self.first_sample) as usize
                ..wait.samples.end.saturating_sub(self.first_sample) as usize;
            let samples = || self.samples.iter().skip(range.start).take(range.end.saturating_sub(range.start));
            if samples().any(|sample| sample.place.is_none()) && now_ns - wait.to_ns.min(now_ns) < patience_ns {
                self.open.push(wait);
                continue;
            }
            let mut shares: HashMap<(LineId, Option<PlaceId>), u64> = HashMap::new();
            samples().for_each(|sample| *shares.entry((sample.holder, sample.place)).or_default() += sample.ns);
            let largest = shares.into_iter().max_by_key(|(who, ns)| (*ns, std::cmp::Reverse(*who)));
            wait.behind = largest.map(|((line, place), ns)| (line, place, ns.min(wait.ns())));
            if let Some(place) = wait.behind.and_then(|(_, place, _)| place) {
                self.places[place].long_waits += 1;
            }
            self.worst.push(wait);
        }
        if self.worst.len() > WORST_MAX * 2 || patience_ns == 0 {
            self.worst.sort_by_key(|wait| std::cmp::Reverse(wait.ns()));
            self.worst.truncate(WORST_MAX);
        }
        let needed = self.open.iter().map(|wait| wait.samples.start);
        let needed = needed
            .chain(self.living.iter().filter_map(|line| Some(self.lines[*line].wait.as_ref()?.first_sample)))
            .min();
        while let Some(sample) = self.samples.front() {
            let answered = sample.place.is_some() || now_ns.saturating_sub(sample.at_ns) > PATIENCE_NS;
            let wanted = needed.is_some_and(|needed| self.first_sample >= needed) && self.samples.len() <= SAMPLES_MAX;
            if wanted || !answered {
                break;
            }
            self.samples.pop_front();
            self.first_sample += 1;
        }
    }

    /// The last look: waits that are on end now, and everything is explained.
    pub fn finish(&mut self, now_ns: u64) {
        for id in 0..self.lines.len() {
            if let Some(wait) = self.lines[id].wait.take() {
                self.end_wait(id, wait, now_ns);
            }
            if let Some(thread) = self.lines[id].thread.clone() {
                self.lines[id].after = thread.stats();
                self.lines[id].name = thread.name();
            }
        }
        self.explain(now_ns, 0);
    }

    /// The threads that use the lock for a hundredth of the time or more, if there are more of them than keep it busy.
    ///
    /// Each needs the lock for `held` of the time that it does not wait. By the utilization law (Denning and Buzen,
    /// "The Operational Analysis of Queueing Network Models", ACM Computing Surveys 10, 1978) the lock is busy all
    /// the time with (held + outside) / held threads; more of them do not get more done, and wait for each other.
    /// Time that a thread is parked does not count: it has nothing to do.
    pub fn crowd(&self) -> Option<Crowd> {
        let elapsed_ns = self.last_ns.saturating_sub(self.began_ns);
        let (mut threads, mut held_ns, mut outside_ns, mut waited_ns) = (0, 0u64, 0u64, 0u64);
        for line in &self.lines {
            let stats = self.stats(line);
            if stats.held_ns.saturating_mul(100) >= elapsed_ns {
                threads += 1;
                held_ns += stats.held_ns;
                waited_ns += stats.waited_ns;
                outside_ns += stats.outside_ns.saturating_sub(line.parked_ns);
            }
        }
        let useful = (held_ns + outside_ns) as f64 / held_ns.max(1) as f64;
        let busy = held_ns.saturating_mul(10) >= elapsed_ns.saturating_mul(8);
        let waits = waited_ns.saturating_mul(4) >= held_ns + outside_ns + waited_ns;
        let crowded = busy && waits && threads as f64 >= useful.ceil() + 1.0;
        crowded.then_some(Crowd { threads, useful, waited_ns, all_ns: held_ns + outside_ns + waited_ns })
    }

    /// A thread's counters since the report began. What an ended thread was outside after its end does not count.
    pub fn stats(&self, line: &Line) -> ThreadStats {
        let mut stats = line.after.clone();
        stats.runs = stats.runs.saturating_sub(line.before.runs);
        stats.waits = stats.waits.saturating_sub(line.before.waits);
        stats.held_ns = stats.held_ns.saturating_sub(line.before.held_ns);
        stats.waited_ns = stats.waited_ns.saturating_sub(line.before.waited_ns);
        let life_ns = line.seen_ns.saturating_sub(line.bound_ns.max(self.began_ns));
        stats.outside_ns = stats
            .outside_ns
            .saturating_sub(line.before.outside_ns)
            .min(life_ns.saturating_sub(stats.held_ns + stats.waited_ns));
        stats
    }
}

//! The report as text: a sentence that says what to do, the threads that waited most, the lines that held the lock, the
//! longest waits.

use super::model::{Crowd, LONG_WAIT_NS, Line, LineId, LongWait, Model, NO_PROCESSOR, PlaceId};
use super::short_path;
use rubellite_vm::vmlock::ThreadStats;
use std::fmt::Write;

/// Rows of each part of the table.
const THREADS_SHOWN: usize = 20;
const PLACES_SHOWN: usize = 10;
const WAITS_SHOWN: usize = 10;
/// Room for a thread's name.
const NAME_WIDTH: usize = 28;

/// Milliseconds with three digits or so.
pub fn ms(ns: u64) -> String {
    match ns {
        0 => "0".into(),
        1..10_000_000 => format!("{:.2}", ns as f64 / 1e6),
        10_000_000..100_000_000 => format!("{:.1}", ns as f64 / 1e6),
        _ => format!("{:.0}", ns as f64 / 1e6),
    }
}

pub fn percent(part: u64, whole: u64) -> String {
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    if share < 10.0 && share > 0.0 { format!("{share:.1} %") } else { format!("{share:.0} %") }
}

impl Model {
    pub fn elapsed_ns(&self) -> u64 {
        self.last_ns.saturating_sub(self.began_ns)
    }

    /// The name of a thread; threads without one have the place of their block.
    pub fn name(&self, line: LineId) -> String {
        let name = &self.lines[line].name;
        if name.is_empty() { format!("thread {}", line + 1) } else { short_path(name).to_string() }
    }

    /// `file.rb:42`
    pub fn place(&self, place: PlaceId) -> String {
        if self.spots[place].path.is_empty() {
            return self.spots[place].label.clone();
        }
        format!("{}:{}", short_path(&self.spots[place].path), self.spots[place].line)
    }

    /// The threads, who waited most first.
    pub fn by_wait(&self) -> Vec<(LineId, ThreadStats)> {
        let mut rows: Vec<(LineId, ThreadStats)> =
            self.lines.iter().map(|line: &Line| self.stats(line)).enumerate().collect();
        rows.sort_by_key(|(line, stats)| (std::cmp::Reverse(stats.waited_ns), *line));
        rows
    }

    /// The places behind which threads waited, most first.
    pub fn by_blame(&self) -> Vec<PlaceId> {
        let mut places: Vec<PlaceId> = (0..self.places.len()).collect();
        places.sort_by_key(|id| (std::cmp::Reverse((self.places[*id].behind_ns, self.places[*id].held_ns)), *id));
        places
    }

    /// The longest waits, longest first.
    pub fn by_length(&self) -> Vec<&LongWait> {
        let mut waits: Vec<&LongWait> = self.worst.iter().collect();
        waits.sort_by_key(|wait| (std::cmp::Reverse(wait.ns()), wait.from_ns));
        waits
    }

    /// What to do, in a sentence or two.
    pub fn advice(&self) -> String {
        let cause = self.cause();
        self.crowd().map_or(cause.clone(), |crowd| format!("{cause} {}", crowd_text(&crowd)))
    }

    /// What threads waited for.
    fn cause(&self) -> String {
        let waited_ns: u64 = self.by_wait().iter().map(|(_, stats)| stats.waited_ns).sum();
        let elapsed_ns = self.elapsed_ns();
        let threshold = ms(LONG_WAIT_NS).trim_end_matches(".00").to_string();
        let blamed = self.by_blame().first().copied().filter(|place| self.places[*place].behind_ns > 0);
        let Some(place) = blamed.filter(|_| self.long_waits > 0) else {
            let total = format!("together threads waited {} ms for the lock in {} ms", ms(waited_ns), ms(elapsed_ns));
            return format!(
                "No wait for the lock took longer than {threshold} ms; {total}: there is nothing to do here."
            );
        };
        let known = &self.places[place];
        let behind = match known.long_waits {
            0 => format!(
                "{} of the time that threads waited was behind it",
                percent(known.behind_ns, waited_ns.max(known.behind_ns))
            ),
            1 => format!("1 wait of over {threshold} ms was behind it"),
            count => format!("{count} waits of over {threshold} ms were behind it"),
        };
        if place == NO_PROCESSOR {
            return format!(
                "{}: threads were handed the lock and had no processor to run on for {} of the time. Other work keeps the processors busy.",
                capitalized(&behind.replace("behind it", "behind such threads")),
                percent(known.held_ns, elapsed_ns)
            );
        }
        let held = format!(
            "`{}` held the lock {} of the time; {behind}",
            self.place(place),
            percent(known.held_ns, elapsed_ns)
        );
        if let Some(operation) =
            known.operation.as_ref().filter(|_| known.native_ns * 2 > known.held_ns && known.stretch_ns > 0)
        {
            return format!(
                "{held}. `{operation}` there does not give way while it runs, for {} ms and more: do it in smaller parts, or in another process.",
                ms(known.stretch_ns)
            );
        }
        let computing = self.lines.iter().filter(|line| self.stats(line).held_ns * 20 > elapsed_ns).count();
        match computing {
            0 | 1 => format!(
                "{held}. It gives way when its slice ends: shorter slices (Rubellite::Lock.slice=) let others in sooner."
            ),
            _ => format!(
                "{held}. {computing} threads compute and take turns: run fewer of them, or give them shorter slices (Rubellite::Lock.slice=)."
            ),
        }
    }
}

/// What the number of threads means.
fn crowd_text(crowd: &Crowd) -> String {
    let (threads, waited) = (crowd.threads, percent(crowd.waited_ns, crowd.all_ns));
    let useful = match crowd.useful.ceil() as u64 {
        0 | 1 => "one keeps".to_string(),
        count => format!("{count} keep"),
    };
    format!(
        "Too many threads: the {threads} that use the lock wait for it {waited} of their time, and {useful} it busy."
    )
}

fn capitalized(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// A name that fits into its column, from its end.
fn fitting(name: &str) -> String {
    let count = name.chars().count();
    if count <= NAME_WIDTH {
        name.to_string()
    } else {
        format!("...{}", name.chars().skip(count - NAME_WIDTH + 3).collect::<String>())
    }
}

/// The whole report.
pub fn table(model: &Model) -> String {
    let mut out = String::from("\n-- lock report ");
    let _ = writeln!(out, "of {} ms, {} looks --\n{}\n", ms(model.elapsed_ns()), model.looks, model.advice());
    threads(model, &mut out);
    places(model, &mut out);
    waits(model, &mut out);
    out
}

fn threads(model: &Model, out: &mut String) {
    let rows = model.by_wait();
    let _ = writeln!(
        out,
        "{:NAME_WIDTH$} {:>10} {:>10} {:>10} {:>8}  longest wait",
        "thread", "waited ms", "ran ms", "outside ms", "waits"
    );
    for (line, stats) in rows.iter().take(THREADS_SHOWN) {
        let longest = model.worst.iter().filter(|wait| wait.line == *line).max_by_key(|wait| wait.ns());
        let longest = match (longest, stats.longest_wait) {
            (Some(wait), _) => format!("{} ms {}", ms(wait.ns()), behind(model, wait)),
            (None, Some(wait)) if stats.waits > 0 => format!("{} ms", ms(wait.ns)),
            _ => "-".into(),
        };
        row(out, &fitting(&model.name(*line)), stats, &longest);
    }
    if rows.len() > THREADS_SHOWN {
        let mut others = ThreadStats::default();
        rows[THREADS_SHOWN..].iter().for_each(|(_, stats)| others.add(stats));
        row(out, &format!("{} others", rows.len() - THREADS_SHOWN), &others, "");
    }
}

fn row(out: &mut String, name: &str, stats: &ThreadStats, longest: &str) {
    let text = format!(
        "{name:NAME_WIDTH$} {:>10} {:>10} {:>10} {:>8}  {longest}",
        ms(stats.waited_ns),
        ms(stats.held_ns),
        ms(stats.outside_ns),
        stats.waits
    );
    let _ = writeln!(out, "{}", text.trim_end());
}

/// `behind worker at app.rb:12`
fn behind(model: &Model, wait: &LongWait) -> String {
    match wait.behind {
        Some((line, Some(NO_PROCESSOR), _)) => format!("behind {}, which had no processor", model.name(line)),
        Some((line, Some(place), _)) => format!("behind {} at {}", model.name(line), model.place(place)),
        Some((line, None, _)) => format!("behind {}", model.name(line)),
        None => String::new(),
    }
}

fn places(model: &Model, out: &mut String) {
    let blamed: Vec<PlaceId> =
        model.by_blame().into_iter().filter(|place| model.places[*place].behind_ns > 0).take(PLACES_SHOWN).collect();
    if blamed.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "\n{:>10} {:>10} {:>10}  the lines that held the lock while others waited (sampled)",
        "held", "behind ms", "long waits"
    );
    for id in blamed {
        let place = &model.places[id];
        let held = percent(place.held_ns, model.elapsed_ns());
        let method = if id == NO_PROCESSOR { String::new() } else { format!(" in {}", model.spots[id].label) };
        let operation = place
            .operation
            .as_ref()
            .filter(|_| place.native_ns * 2 > place.held_ns)
            .map_or(String::new(), |name| format!(" ({name})"));
        let _ = writeln!(
            out,
            "{held:>10} {:>10} {:>10}  {}{method}{operation}",
            ms(place.behind_ns),
            place.long_waits,
            model.place(id)
        );
    }
}

fn waits(model: &Model, out: &mut String) {
    if model.long_waits == 0 {
        return;
    }
    let _ = writeln!(
        out,
        "\n{:>10} {:>10}  the longest of {} waits of over {} ms",
        "at ms",
        "ms",
        model.long_waits,
        LONG_WAIT_NS / 1_000_000
    );
    for wait in model.by_length().into_iter().take(WAITS_SHOWN) {
        let at = wait.at.map_or(String::new(), |place| format!(" at {}", model.place(place)));
        let began = wait.from_ns.saturating_sub(model.began_ns);
        let _ = writeln!(
            out,
            "{:>10} {:>10}  {}{at} {}",
            ms(began),
            ms(wait.ns()),
            model.name(wait.line),
            behind(model, wait)
        );
    }
}

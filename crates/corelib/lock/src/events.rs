//! Lock events as text: the JSON array form of the Trace Event Format, which Perfetto and Chrome's viewer open. Each
//! thread is a track on which slices follow each other: `runs` (it has the lock), `waits` (it queues for it), `outside`
//! or `parked`. Slices are written as begin and end events, so that a file that breaks off shows what was open; the
//! format lets the closing bracket of the array be missing.

use super::stats::reason_name;
use rubellite_vm::vmlock::{Event, EventKind, Reason, ThreadId};
use std::collections::HashMap;
use std::fmt::Write;

/// What the hook hands to the writer.
pub enum Record {
    Event(Event),
    Named(ThreadId, String),
    /// How many events did not find room.
    Lost(u64),
}

/// A thread's track.
struct Track {
    /// Stands for the thread in the file; never used again, as slots of the lock are.
    number: u32,
    label: String,
    /// The name of the open slice.
    open: Option<&'static str>,
    /// A short region is open within the slice.
    region: bool,
}

/// The text of a trace, record by record.
pub struct Formatter {
    pid: u32,
    started_ns: u64,
    last_ns: u64,
    tracks: HashMap<u32, Track>,
    next_number: u32,
    empty: bool,
}

impl Formatter {
    /// Times in the file count from `started_ns` (monotonic clock).
    pub fn new(pid: u32, started_ns: u64) -> Formatter {
        Formatter { pid, started_ns, last_ns: started_ns, tracks: HashMap::new(), next_number: 1, empty: true }
    }

    /// The beginning of the file.
    pub fn header(&mut self, out: &mut String, program: &str) {
        out.push('[');
        self.metadata(out, 0, "process_name", program);
    }

    /// The end of the file: what is open ends at `now_ns`.
    pub fn footer(&mut self, out: &mut String, now_ns: u64) {
        let mut open: Vec<u32> = self.tracks.keys().copied().collect();
        open.sort_unstable();
        for id in open {
            self.close(out, id, now_ns, "");
        }
        out.push_str("\n]\n");
    }

    pub fn record(&mut self, out: &mut String, record: &Record) {
        match record {
            Record::Event(event) => self.event(out, event),
            Record::Named(id, name) => self.rename(out, id.0, name),
            Record::Lost(count) => self.instant(out, 0, self.last_ns, "events lost", &format!("\"count\":{count}")),
        }
    }

    fn event(&mut self, out: &mut String, event: &Event) {
        let (id, at_ns) = (event.thread.0, event.at_ns);
        self.last_ns = self.last_ns.max(at_ns);
        match event.kind {
            EventKind::Attach => self.attach(out, id, at_ns),
            EventKind::Detach => {
                self.close(out, id, at_ns, "");
                self.tracks.remove(&id);
            }
            EventKind::Wait { holder, priority } => {
                self.close(out, id, at_ns, "");
                let args = format!("\"behind\":{},\"priority\":{priority}", quoted(self.label(holder.0)));
                self.open(out, id, at_ns, "waits", "thread_state_runnable", &args);
            }
            EventKind::Run { from, waited_ns } => {
                self.close(out, id, at_ns, "");
                let args = match from {
                    Some((giver, reason)) => {
                        let giver = quoted(self.label(giver.0));
                        format!(
                            "\"from\":{giver},\"because\":\"{}\",\"waited_us\":{}",
                            reason_name(reason),
                            micros(waited_ns)
                        )
                    }
                    None => "\"from\":null".to_string(),
                };
                self.open(out, id, at_ns, "runs", "thread_state_running", &args);
            }
            EventKind::Stop { reason, held_ns } => {
                let args = format!("\"stopped_by\":\"{}\",\"held_us\":{}", reason_name(reason), micros(held_ns));
                self.close(out, id, at_ns, &args);
                let (name, color) = if reason == Reason::Park {
                    ("parked", "thread_state_sleeping")
                } else {
                    ("outside", "thread_state_iowait")
                };
                let args = format!("\"left_by\":\"{}\"", reason_name(reason));
                self.open(out, id, at_ns, name, color, &args);
            }
            EventKind::Enter { site } => self.enter(out, id, at_ns, site.unwrap_or("region")),
            EventKind::Leave => self.leave(out, id, at_ns),
            EventKind::Preempt { priority } => {
                self.instant(out, self.number(id), at_ns, "asked to give way", &format!("\"priority\":{priority}"));
            }
            EventKind::StayParked => {
                self.close(out, id, at_ns, "");
                self.open(out, id, at_ns, "parked", "thread_state_sleeping", "");
            }
            EventKind::Unpark => self.instant(out, self.number(id), at_ns, "woken", ""),
        }
    }

    fn attach(&mut self, out: &mut String, id: u32, at_ns: u64) {
        let number = self.next_number;
        self.next_number += 1;
        let label = format!("thread {number}");
        self.tracks.insert(id, Track { number, label, open: None, region: false });
        self.open(out, id, at_ns, "outside", "thread_state_iowait", "\"left_by\":\"start\"");
    }

    fn rename(&mut self, out: &mut String, id: u32, name: &str) {
        let number = self.number(id);
        let label = if name.is_empty() { format!("thread {number}") } else { name.to_string() };
        if let Some(track) = self.tracks.get_mut(&id) {
            track.label.clone_from(&label);
        }
        self.metadata(out, number, "thread_name", &label);
    }

    fn number(&self, id: u32) -> u32 {
        self.tracks.get(&id).map_or(0, |track| track.number)
    }

    fn label(&self, id: u32) -> &str {
        self.tracks.get(&id).map_or("", |track| &track.label)
    }

    fn open(&mut self, out: &mut String, id: u32, at_ns: u64, name: &'static str, color: &str, args: &str) {
        let Some(track) = self.tracks.get_mut(&id) else { return };
        track.open = Some(name);
        let number = track.number;
        self.begin(out, "B", number, at_ns);
        let _ = write!(out, ",\"name\":\"{name}\",\"cat\":\"lock\",\"cname\":\"{color}\",\"args\":{{{args}}}}}");
    }

    /// Ends the open slice, and the region in it.
    fn close(&mut self, out: &mut String, id: u32, at_ns: u64, args: &str) {
        self.leave(out, id, at_ns);
        let Some(track) = self.tracks.get_mut(&id) else { return };
        let Some(name) = track.open.take() else { return };
        let number = track.number;
        self.begin(out, "E", number, at_ns);
        let _ = write!(out, ",\"name\":\"{name}\",\"args\":{{{args}}}}}");
    }

    fn enter(&mut self, out: &mut String, id: u32, at_ns: u64, site: &str) {
        self.leave(out, id, at_ns);
        let Some(track) = self.tracks.get_mut(&id) else { return };
        track.region = true;
        let number = track.number;
        self.begin(out, "B", number, at_ns);
        let _ =
            write!(out, ",\"name\":{},\"cat\":\"region\",\"cname\":\"thread_state_uninterruptible\"}}", quoted(site));
    }

    fn leave(&mut self, out: &mut String, id: u32, at_ns: u64) {
        let Some(track) = self.tracks.get_mut(&id).filter(|track| track.region) else { return };
        track.region = false;
        let number = track.number;
        self.begin(out, "E", number, at_ns);
        out.push('}');
    }

    fn instant(&mut self, out: &mut String, number: u32, at_ns: u64, name: &str, args: &str) {
        self.begin(out, "i", number, at_ns);
        let _ = write!(out, ",\"s\":\"t\",\"name\":\"{name}\",\"cat\":\"lock\",\"args\":{{{args}}}}}");
    }

    fn metadata(&mut self, out: &mut String, number: u32, what: &str, name: &str) {
        self.separate(out);
        let _ = write!(
            out,
            "{{\"ph\":\"M\",\"pid\":{},\"tid\":{number},\"name\":\"{what}\",\"args\":{{\"name\":{}}}}}",
            self.pid,
            quoted(name)
        );
    }

    fn begin(&mut self, out: &mut String, phase: &str, number: u32, at_ns: u64) {
        self.separate(out);
        let ts = micros(at_ns.saturating_sub(self.started_ns));
        let _ = write!(out, "{{\"ph\":\"{phase}\",\"pid\":{},\"tid\":{number},\"ts\":{ts}", self.pid);
    }

    fn separate(&mut self, out: &mut String) {
        out.push_str(if std::mem::take(&mut self.empty) { "\n" } else { ",\n" });
    }
}

/// Microseconds with three decimals, as the format counts time.
fn micros(ns: u64) -> String {
    format!("{}.{:03}", ns / 1000, ns % 1000)
}

/// A JSON string.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => drop(write!(out, "\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

//! What the screen of `top` shows: two looks at a process, and what its threads did between them.

use std::cmp::Reverse;
use std::collections::HashMap;

/// The state that the process gives to a thread which waits for the lock.
const WAITS: &str = "waits for the lock";

/// A look at a process: counters since it began. Times are in nanoseconds.
#[derive(Default, Clone)]
pub struct Look {
    pub now_ns: u64,
    pub collections: u64,
    pub collecting_ns: u64,
    pub heap_bytes: u64,
    pub program: String,
    pub threads: Vec<Thread>,
}

#[derive(Default, Clone)]
pub struct Thread {
    pub number: u64,
    pub doing: String,
    held_ns: u64,
    waited_ns: u64,
    waits: u64,
    /// The mutex that it waits for.
    pub mutex: Option<String>,
    /// The number of the thread that holds what it waits for; 0: none.
    behind: u64,
    pub name: String,
    pub at: String,
}

/// A thread between two looks.
#[derive(Clone)]
pub struct Row {
    pub number: u64,
    pub name: String,
    pub doing: String,
    /// Parts of the time.
    pub ran: f64,
    pub waited: f64,
    pub waits: u64,
    pub behind: String,
    pub at: String,
}

/// Sums over all threads.
#[derive(Default)]
pub struct Summary {
    pub held: f64,
    pub waited: f64,
    /// Threads that wait for the lock now.
    pub queue: usize,
    pub collections: u64,
    pub new_collections: u64,
    pub collecting: f64,
    pub heap_bytes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Lock,
    Wait,
    Name,
}

impl Order {
    pub fn said(self) -> &'static str {
        match self {
            Order::Lock => "share of the lock",
            Order::Wait => "time waited",
            Order::Name => "name",
        }
    }
}

/// Reads the answer to the question `look`. `None`: it is none.
pub fn parse(text: &str) -> Option<Look> {
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next()?.split('\t').collect();
    let ["process", _, now_ns, collections, collecting_ns, heap_bytes, program] = head[..] else { return None };
    Some(Look {
        now_ns: now_ns.parse().ok()?,
        collections: collections.parse().ok()?,
        collecting_ns: collecting_ns.parse().ok()?,
        heap_bytes: heap_bytes.parse().ok()?,
        program: program.to_string(),
        threads: lines.map(thread).collect::<Option<Vec<Thread>>>()?,
    })
}

fn thread(line: &str) -> Option<Thread> {
    let words: Vec<&str> = line.split('\t').collect();
    let [number, _native, doing, _since, held, waited, waits, mutex, behind, name, at] = words[..] else { return None };
    Some(Thread {
        number: number.parse().ok()?,
        doing: doing.to_string(),
        held_ns: held.parse().ok()?,
        waited_ns: waited.parse().ok()?,
        waits: waits.parse().ok()?,
        mutex: Some(mutex.to_string()).filter(|mutex| mutex != "0x0"),
        behind: behind.parse().ok()?,
        name: name.to_string(),
        at: at.to_string(),
    })
}

/// What the threads of `now` did since `before`.
pub fn rows(before: &Look, now: &Look) -> Vec<Row> {
    let elapsed_ns = now.now_ns.saturating_sub(before.now_ns).max(1) as f64;
    let earlier: HashMap<u64, &Thread> = before.threads.iter().map(|thread| (thread.number, thread)).collect();
    let names: HashMap<u64, &str> = now.threads.iter().map(|thread| (thread.number, thread.name.as_str())).collect();
    let share = |now: u64, before: u64| (now.saturating_sub(before) as f64 / elapsed_ns).min(1.0);
    let none = Thread::default();
    let row = |thread: &Thread| {
        let old = earlier.get(&thread.number).copied().unwrap_or(&none);
        let who = names.get(&thread.behind).copied().unwrap_or("");
        Row {
            number: thread.number,
            name: thread.name.clone(),
            doing: if thread.mutex.is_some() { "waits for a mutex".into() } else { thread.doing.clone() },
            ran: share(thread.held_ns, old.held_ns),
            waited: share(thread.waited_ns, old.waited_ns),
            waits: thread.waits.saturating_sub(old.waits),
            behind: who.to_string(),
            at: thread.at.clone(),
        }
    };
    now.threads.iter().map(row).collect()
}

pub fn summary(before: &Look, now: &Look, rows: &[Row]) -> Summary {
    let elapsed_ns = now.now_ns.saturating_sub(before.now_ns).max(1) as f64;
    Summary {
        held: rows.iter().map(|row| row.ran).sum::<f64>().min(1.0),
        waited: rows.iter().map(|row| row.waited).sum(),
        queue: now.threads.iter().filter(|thread| thread.doing == WAITS).count(),
        collections: now.collections,
        new_collections: now.collections.saturating_sub(before.collections),
        collecting: now.collecting_ns.saturating_sub(before.collecting_ns) as f64 / elapsed_ns,
        heap_bytes: now.heap_bytes,
    }
}

/// Sorts rows; whatever is equal stands by number.
pub fn sort(rows: &mut [Row], order: Order) {
    // Parts of a thousand, so that rows with nothing to tell do not jump about.
    let part = |share: f64| (share * 1000.0) as u64;
    match order {
        Order::Lock => rows.sort_by_key(|row| (Reverse((part(row.ran), part(row.waited))), row.number)),
        Order::Wait => rows.sort_by_key(|row| (Reverse((part(row.waited), part(row.ran))), row.number)),
        Order::Name => rows.sort_by(|a, b| (&a.name, a.number).cmp(&(&b.name, b.number))),
    }
}

/// A place in the program with the last two parts of its path.
pub fn short(at: &str) -> &str {
    let path_end = at.find(":in ").unwrap_or(at.len());
    let start = at[..path_end].rmatch_indices('/').nth(1).map_or(0, |(slash, _)| slash + 1);
    &at[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "process\t7\t1000\t3\t50\t4096\tprogram.rb\n";

    #[test]
    fn looks_are_read_and_subtracted() {
        let before = parse(&format!("{HEAD}1\t70\truns\t5\t100\t0\t2\t0x0\t0\tmain\t/a/b/c.rb:4:in 'x'\n")).unwrap();
        let now =
            "process\t7\t2000\t5\t150\t8192\tprogram.rb\n1\t70\truns\t5\t600\t0\t2\t0x0\t0\tmain\t/a/b/c.rb:4:in 'x'
2\t71\twaits for the lock\t5\t0\t900\t1\t0x0\t1\tother\t\n3\t72\twaits for a thread\t5\t0\t0\t0\t0x10\t2\tthird\t\n";
        let now = parse(now).unwrap();
        let mut found = rows(&before, &now);
        sort(&mut found, Order::Wait);
        assert_eq!(found.iter().map(|row| row.number).collect::<Vec<_>>(), [2, 1, 3]);
        assert_eq!((found[1].ran, found[1].waits, found[0].waited), (0.5, 0, 0.9));
        assert_eq!(
            (found[0].behind.as_str(), found[2].behind.as_str(), found[2].doing.as_str()),
            ("main", "other", "waits for a mutex")
        );
        sort(&mut found, Order::Name);
        assert_eq!(found[0].name, "main");
        let sums = summary(&before, &now, &found);
        assert_eq!((sums.queue, sums.new_collections, sums.collecting), (1, 2, 0.1));
    }

    #[test]
    fn what_is_no_look_is_none() {
        for text in ["", "error", "process\t1\n", &format!("{HEAD}1\t2\n"), &HEAD.replace("1000", "x")] {
            assert!(parse(text).is_none());
        }
    }

    #[test]
    fn places_are_short() {
        assert_eq!(short("/a/b/c.rb:4:in 'A/b#x'"), "b/c.rb:4:in 'A/b#x'");
        assert_eq!(short("c.rb:4"), "c.rb:4");
    }
}

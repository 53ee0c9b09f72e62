//! A profile as the process tells it (`rubellite_core_process::attach::profile` has the lines), and what it says by
//! each clock.

use std::collections::HashMap;

/// By what time is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    Wall,
    Processor,
    /// For which the lock was held.
    Held,
    /// That others waited for it, behind the stack that held it.
    Waited,
}

impl Clock {
    pub const ALL: [Clock; 4] = [Clock::Wall, Clock::Processor, Clock::Held, Clock::Waited];

    /// As `--clock` knows it.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Wall => "wall",
            Clock::Processor => "processor",
            Clock::Held => "held",
            Clock::Waited => "waited",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Clock::Wall => "wall clock",
            Clock::Processor => "processor",
            Clock::Held => "lock held",
            Clock::Waited => "waited behind",
        }
    }
}

#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Frame {
    pub label: String,
    /// Empty: no line of the program.
    pub path: String,
    pub line: u32,
}

#[derive(Clone, Default)]
pub struct Thread {
    pub native_id: u64,
    pub name: String,
}

/// A part of a thread's time, in microseconds.
#[derive(Clone, Copy)]
pub struct Stretch {
    pub thread: usize,
    pub from_us: u64,
    pub wall_us: u64,
    pub processor_us: u64,
    pub state: usize,
    pub node: usize,
}

/// Time of a stack; `leaf`: a frame on top of it.
#[derive(Clone, Copy)]
pub struct Weight {
    pub thread: usize,
    pub node: usize,
    pub leaf: Option<usize>,
    pub us: u64,
}

/// Numbers of frames, nodes and threads are places in these lists; the first of each stands for none.
#[derive(Default)]
pub struct Profile {
    pub pid: u64,
    pub interval_us: u64,
    pub program: String,
    pub frames: Vec<Frame>,
    /// Caller and frame.
    pub nodes: Vec<(usize, usize)>,
    pub threads: Vec<Thread>,
    pub stretches: Vec<Stretch>,
    waits: HashMap<(usize, usize, usize, usize), u64>,
    pub elapsed_us: u64,
    pub looks: u64,
    /// Processor time of the sampler.
    pub cost_us: u64,
    /// It has told its end.
    pub complete: bool,
    /// Frames for what a thread does that runs no code, by the state's number.
    states: [usize; STATES.len()],
}

/// What a thread does in the states that the process numbers.
pub const STATES: [&str; 5] =
    ["(runs)", "(waits for the lock)", "(sleeps)", "(outside: input, output, native work)", "(waits for a processor)"];
const RUNS: usize = 0;
const HANDED: usize = 4;

impl Profile {
    /// Reads lines; what is cut off or makes no sense is left out.
    pub fn read(text: &str) -> Profile {
        let mut profile = Profile {
            frames: vec![Frame::default()],
            nodes: vec![(0, 0)],
            threads: vec![Thread::default()],
            ..Profile::default()
        };
        text.split_inclusive('\n').filter(|line| line.ends_with('\n')).for_each(|line| {
            let _ = profile.take(line.trim_end_matches('\n'));
        });
        let known = (profile.threads.len(), profile.nodes.len());
        profile
            .stretches
            .retain(|stretch| stretch.thread < known.0 && stretch.node < known.1 && stretch.state < STATES.len());
        profile
            .waits
            .retain(|(waiter, at, holder, behind), _| (*waiter).max(*holder) < known.0 && (*at).max(*behind) < known.1);
        if !profile.complete {
            profile.elapsed_us =
                profile.stretches.iter().map(|stretch| stretch.from_us + stretch.wall_us).max().unwrap_or(0);
        }
        for (state, label) in STATES.iter().enumerate() {
            profile.states[state] = profile.frame(Frame { label: label.to_string(), ..Frame::default() });
        }
        profile
    }

    fn take(&mut self, line: &str) -> Option<()> {
        let words: Vec<&str> = line.split('\t').collect();
        let number = |word: &str| word.parse::<usize>().ok();
        match words[..] {
            ["P", pid, interval, program] => {
                (self.pid, self.interval_us, self.program) =
                    (pid.parse().ok()?, interval.parse().ok()?, program.to_string())
            }
            ["F", id, line, path, label] if number(id)? == self.frames.len() => {
                self.frames.push(Frame {
                    label: label.to_string(),
                    path: path.to_string(),
                    line: line.parse().unwrap_or(0),
                });
            }
            ["N", id, parent, frame] if number(id)? == self.nodes.len() => {
                let (parent, frame) = (number(parent)?, number(frame)?);
                // A caller stands before what it calls.
                self.nodes.push(if parent < self.nodes.len() && frame < self.frames.len() {
                    (parent, frame)
                } else {
                    (0, 0)
                });
            }
            ["T", id, _, native, name] => {
                let id = number(id).filter(|id| *id <= 1 << 24)?;
                self.threads.resize(self.threads.len().max(id + 1), Thread::default());
                self.threads[id] = Thread { native_id: native.parse().unwrap_or(0), name: name.to_string() };
            }
            ["S", thread, from, wall, processor, state, node] => self.stretches.push(Stretch {
                thread: number(thread)?,
                from_us: from.parse().ok()?,
                wall_us: wall.parse().ok()?,
                processor_us: processor.parse().ok()?,
                state: number(state)?,
                node: number(node)?,
            }),
            ["W", waiter, at, holder, behind, us] => {
                let key = (number(waiter)?, number(at)?, number(holder)?, number(behind)?);
                *self.waits.entry(key).or_default() += us.parse::<u64>().ok()?;
            }
            ["E", elapsed, looks, cost] => {
                (self.elapsed_us, self.looks, self.cost_us) =
                    (elapsed.parse().ok()?, looks.parse().ok()?, cost.parse().ok()?);
                self.complete = true;
            }
            _ => return None,
        }
        Some(())
    }

    fn frame(&mut self, frame: Frame) -> usize {
        let found = self.frames.iter().position(|known| *known == frame);
        found.unwrap_or_else(|| {
            self.frames.push(frame);
            self.frames.len() - 1
        })
    }

    /// The frame on top of the stack of a thread in this state.
    pub fn leaf(&self, state: usize) -> Option<usize> {
        (state != RUNS).then(|| self.states[state])
    }

    /// Stacks with their times, the largest first.
    pub fn weights(&mut self, clock: Clock) -> Vec<Weight> {
        let mut sums: HashMap<(usize, usize, Option<usize>), u64> = HashMap::new();
        if clock == Clock::Waited {
            let mut behind: HashMap<(usize, usize), usize> = HashMap::new();
            for ((waiter, at, holder, node), us) in self.waits.clone() {
                let leaf = *behind.entry((waiter, at)).or_insert_with(|| {
                    let place = self.frames[self.nodes[at].1].clone();
                    let label = format!("behind it: {} in {}", self.threads[waiter].name, place.label);
                    self.frames.push(Frame { label, ..place });
                    self.frames.len() - 1
                });
                *sums.entry((holder, node, Some(leaf))).or_default() += us;
            }
        }
        for stretch in &self.stretches {
            let (leaf, us) = match clock {
                Clock::Wall => (self.leaf(stretch.state), stretch.wall_us),
                Clock::Processor => (None, stretch.processor_us),
                Clock::Held if [RUNS, HANDED].contains(&stretch.state) => (self.leaf(stretch.state), stretch.wall_us),
                _ => continue,
            };
            *sums.entry((stretch.thread, stretch.node, leaf)).or_default() += us;
        }
        let weights = sums.into_iter().filter(|(_, us)| *us > 0);
        let mut weights: Vec<Weight> =
            weights.map(|((thread, node, leaf), us)| Weight { thread, node, leaf, us }).collect();
        weights.sort_by_key(|weight| (std::cmp::Reverse(weight.us), weight.thread, weight.node, weight.leaf));
        weights
    }

    /// The frames of a stack, the outermost first.
    pub fn stack(&self, node: usize, leaf: Option<usize>) -> Vec<usize> {
        let mut stack: Vec<usize> = leaf.into_iter().collect();
        let mut at = node;
        while at != 0 {
            stack.push(self.nodes[at].1);
            at = self.nodes[at].0;
        }
        stack.reverse();
        stack
    }

    /// The line at the end of a stack: of the holder where others waited.
    pub fn line(&self, node: usize) -> String {
        let frame = &self.frames[self.nodes[node].1];
        let short =
            frame.path.rmatch_indices('/').nth(1).map_or(frame.path.as_str(), |(slash, _)| &frame.path[slash + 1..]);
        if node == 0 { "(no Ruby code)".into() } else { format!("{short}:{} in {}", frame.line, frame.label) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "P\t7\t10000\tx.rb\nF\t1\t3\t/a/x.rb\tObject#run\nF\t2\t9\t/a/x.rb\tObject#wait\nN\t1\t0\t1\nN\t2\t1\t2
T\t1\t1\t70\tmain\nT\t2\t2\t71\tother\nS\t1\t0\t30\t20\t0\t1\nS\t2\t0\t30\t0\t1\t2\nS\t1\t30\t10\t0\t2\t1\nW\t2\t2\t1\t1\t30\n";

    #[test]
    fn each_clock_counts_what_it_should() {
        let mut profile = Profile::read(TEXT);
        assert_eq!((profile.elapsed_us, profile.complete), (40, false));
        let mut told = |clock| {
            let weights = profile.weights(clock);
            let stack = |weight: &Weight| {
                profile
                    .stack(weight.node, weight.leaf)
                    .iter()
                    .map(|f| profile.frames[*f].label.clone())
                    .collect::<Vec<_>>()
            };
            weights.iter().map(|weight| (stack(weight).join(";"), weight.us)).collect::<Vec<_>>()
        };
        assert_eq!(told(Clock::Held), [("Object#run".to_string(), 30)]);
        assert_eq!(told(Clock::Processor), [("Object#run".to_string(), 20)]);
        assert_eq!(told(Clock::Waited), [("Object#run;behind it: other in Object#wait".to_string(), 30)]);
        assert_eq!(told(Clock::Wall).iter().map(|(_, us)| us).sum::<u64>(), 70);
    }

    #[test]
    fn what_is_cut_off_is_left_out() {
        for end in 0..TEXT.len() {
            let mut profile = Profile::read(&TEXT[..end]);
            Clock::ALL.into_iter().for_each(|clock| drop(profile.weights(clock)));
        }
        let mut wild =
            Profile::read("S\t9\t0\t1\t1\t9\t9\nN\t1\t5\t5\nW\t1\t1\t1\t1\t1\nE\tx\nT\t99999999999\t1\t1\tx\n");
        assert!(Clock::ALL.into_iter().all(|clock| wild.weights(clock).is_empty()));
    }
}

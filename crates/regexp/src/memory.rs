//! Failures that a search remembers, so that backtracking patterns take time linear in the text.
//!
//! Where no back-reference and the like is in the way, what follows a check point depends on nothing but the place.
//! Outside of look-ahead and atomic groups a point that is reached again must therefore fail again, because a search
//! ends with its first success. Inside of them there is another outcome: the group's content has matched from there,
//! and
//!
//! - of a look-ahead nothing else is asked, so it holds again;
//! - behind an atomic group the match has failed afterwards, and no other way through the group may be tried.
//!
//! A point tells these from failures by whether it lay on the way to the group's end. That way is the `log`: what is
//! entered is pushed, and popped again when the engine backtracks over it. A group whose outcome is known is left by
//! failing at every point up to its begin (`leaving`); the last alternative of a look-ahead, a `Final`, then makes it
//! hold. Each way is left once for each step that led into it, so this costs no more than the steps.
//!
//! A point that is reached again while it still lies on the way is the end of a repetition that matched nothing. The
//! engine ends such a loop by itself, in the order of its alternatives, so the point lets it pass.
//!
//! What follows a point in a counted repeat depends on the place and on the iteration. A point before the repeat sets
//! its counter to 0, one behind each iteration adds 1, the way back undoes both; points in it have a row of marks for
//! each count.

use crate::points::{Kind, Point, Traits};

/// Bits of memory for failures at check points.
const MEMORY_LIMIT: usize = 1 << 30;

/// A bit for each check point at each position.
struct Marks(Vec<u64>);

impl Marks {
    fn has(&self, (word, bit): (usize, u64)) -> bool {
        self.0[word] & bit != 0
    }

    fn set(&mut self, (word, bit): (usize, u64)) {
        self.0[word] |= bit;
    }

    fn clear(&mut self, (word, bit): (usize, u64)) {
        self.0[word] &= !bit;
    }
}

/// The mark of a point at a position: word and bit.
type Place = (usize, u64);

/// A point on the way that is being tried.
struct Step {
    number: usize,
    /// Its mark, which is open from here on; none where nothing is remembered or it was open before.
    opened: Option<Place>,
    /// The mark, opened or not.
    place: Option<Place>,
    /// What the point's counter was before.
    count: usize,
}

/// The marks of a point: from this row on one row for each combination of the counts of its counters.
#[derive(Copy, Clone)]
struct Rows {
    first: usize,
    counter: Option<usize>,
}

pub(crate) struct Memory<'a> {
    traits: &'a Traits,
    /// For each check point its rows of marks, or none where nothing may be remembered.
    rows: Vec<Option<Rows>>,
    /// How many iterations of each counted repeat have ended on the way that is being tried.
    counts: Vec<usize>,
    stride: usize,
    reached: Marks,
    /// Points from which the content of their group has matched.
    passed: Marks,
    /// Points on the way that is being tried.
    open: Marks,
    log: Vec<Step>,
    /// The group that is left at once.
    leaving: Option<usize>,
}

impl Memory<'_> {
    pub(crate) fn new(traits: &Traits, len: usize) -> Memory<'_> {
        let stride = len / 64 + 1;
        let fits = |rows: usize| rows.saturating_mul(stride) <= MEMORY_LIMIT / 64;
        let mut memory = Memory {
            traits,
            rows: Vec::new(),
            counts: vec![0; traits.counters.len()],
            stride,
            reached: Marks(Vec::new()),
            passed: Marks(Vec::new()),
            open: Marks(Vec::new()),
            log: Vec::new(),
            leaving: None,
        };
        // Where memory for each count would be too much, what lies in counted repeats is left out.
        let layout = [true, false].map(|counted| memory.layout(counted));
        let Some((rows, total)) = layout.into_iter().find(|(_, total)| traits.remembers() && fits(*total)) else {
            return memory;
        };
        let marks = |needed: bool| Marks(vec![0; if needed { total * stride } else { 0 }]);
        (memory.reached, memory.passed, memory.open) = (marks(true), marks(traits.tracked), marks(traits.tracked));
        memory.rows = rows;
        memory
    }

    /// The rows of all points, and how many there are.
    fn layout(&self, counted: bool) -> (Vec<Option<Rows>>, usize) {
        // The point in front is reached once for each start position anyway.
        let (mut total, mut rows) = (0usize, vec![None]);
        for (index, point) in self.traits.points.iter().enumerate() {
            let remembers = index > 0
                && point.repeatable
                && matches!(point.kind, Kind::Plain | Kind::Iteration)
                && (counted || point.counter.is_none());
            rows.push(remembers.then_some(Rows { first: total, counter: point.counter }));
            if remembers {
                total = total.saturating_add(
                    self.counters(point.counter).fold(1, |product, (counts, _)| product.saturating_mul(counts)),
                );
            }
        }
        (rows, total)
    }

    /// Of a counter and those around it, how many counts there are and which it is.
    fn counters(&self, innermost: Option<usize>) -> impl Iterator<Item = (usize, usize)> {
        let counter = |index: Option<usize>| index.and_then(|index| Some((index, self.traits.counters.get(index)?)));
        std::iter::successors(counter(innermost), move |(_, known)| counter(known.outer))
            .map(|(index, known)| (known.counts, self.counts[index].min(known.counts - 1)))
    }

    fn point(&self, number: usize) -> Option<Point> {
        self.traits.points.get(number.checked_sub(1)?).copied()
    }

    /// The mark of a point at a position, by the counts that run.
    fn place(&self, number: usize, position: usize) -> Option<Place> {
        let rows = self.rows.get(number).copied().flatten()?;
        let (row, _) = self
            .counters(rows.counter)
            .fold((0, 1), |(row, weight), (counts, count)| (row + count * weight, weight * counts));
        Some(((rows.first + row) * self.stride + position / 64, 1 << (position % 64)))
    }

    /// Notes that a point is reached; false where it must fail.
    pub(crate) fn enter(&mut self, number: usize, position: usize) -> bool {
        let Some(point) = self.point(number) else { return true };
        if let Some(group) = self.leaving {
            let done = point.kind == Kind::Final && point.group == group;
            if done {
                self.leaving = None;
            }
            return done;
        }
        match (point.kind, point.counter) {
            (Kind::Plain, _) => self.enter_plain(point.group, number, position, 0),
            (Kind::Repeat, Some(counter)) => {
                let count = std::mem::replace(&mut self.counts[counter], 0);
                self.log.push(Step { number, opened: None, place: None, count });
                true
            }
            (Kind::Iteration, Some(counter)) => {
                let count = self.counts[counter];
                self.counts[counter] += 1;
                let passes = self.enter_plain(point.group, number, position, count);
                if !passes {
                    self.counts[counter] = count;
                }
                passes
            }
            (Kind::End, _) => {
                self.pass(point.group);
                true
            }
            (Kind::Final, _) => false,
            _ => {
                self.log.push(Step { number, opened: None, place: None, count: 0 });
                true
            }
        }
    }

    fn enter_plain(&mut self, group: usize, number: usize, position: usize, count: usize) -> bool {
        let place = self.place(number, position);
        let mut opened = None;
        if let Some(place) = place {
            let again = self.traits.tracked && self.open.has(place);
            if self.reached.has(place) && !again {
                if group > 0 && self.passed.has(place) {
                    self.pass(group);
                    self.leaving = Some(group);
                }
                return false;
            }
            self.reached.set(place);
            if self.traits.tracked && !again {
                self.open.set(place);
                opened = Some(place);
            }
        }
        if self.traits.tracked {
            self.log.push(Step { number, opened, place, count });
        }
        true
    }

    /// The engine backtracks over a point. What lies in a look-ahead that has ended is no longer in the log.
    pub(crate) fn retract(&mut self, number: usize) {
        if self.log.last().is_some_and(|step| step.number == number) {
            self.pop();
        }
        let Some(group) = self.leaving else { return };
        let begin = self.point(number).is_some_and(|point| point.group == group && point.kind == Kind::Begin);
        if begin && self.is_atomic(group) {
            self.leaving = None;
        }
    }

    fn pop(&mut self) {
        let Some(step) = self.log.pop() else { return };
        if let Some(place) = step.opened {
            self.open.clear(place);
        }
        if let Some(Point { kind: Kind::Repeat | Kind::Iteration, counter: Some(counter), .. }) =
            self.point(step.number)
        {
            self.counts[counter] = step.count;
        }
    }

    fn is_atomic(&self, group: usize) -> bool {
        !self.traits.points.iter().any(|point| point.kind == Kind::Final && point.group == group)
    }

    /// The content of a group matches on the way that is being tried. What is in an atomic group stays on that way.
    fn pass(&mut self, group: usize) {
        let begin = self.log.iter().rposition(|step| {
            self.point(step.number).is_some_and(|point| point.kind == Kind::Begin && point.group == group)
        });
        let begin = begin.unwrap_or(0);
        for step in &self.log[begin..] {
            if let Some(place) = step.place {
                self.passed.set(place);
            }
        }
        if !self.is_atomic(group) {
            while self.log.len() > begin {
                self.pop();
            }
        }
    }
}

//! Failures that a search remembers, so that backtracking patterns take time linear in the text.
//!
//! Where no back-reference and the like is in the way, what follows a check point depends on nothing but the place.
//! Outside of look-ahead and atomic groups a point that is reached again must therefore fail again, because a search
//! ends with its first success. Inside of them there is another outcome: the group's content has matched from there, and
//!
//! - of a look-ahead nothing else is asked, so it holds again;
//! - behind an atomic group the match has failed afterwards, and no other way through the group may be tried.
//!
//! A point tells these from failures by whether it lay on the way to the group's end. That way is the `log`: what is entered is
//! pushed, and popped again when the engine backtracks over it. A group whose outcome is known is left by failing at every point
//! up to its begin (`leaving`); the last alternative of a look-ahead, a `Final`, then makes it hold. Each way is left
//! once for each step that led into it, so this costs no more than the steps.
//!
//! A point that is reached again while it still lies on the way is the end of a repetition that matched nothing. The engine
//! ends such a loop by itself, in the order of its alternatives, so the point lets it pass.

use crate::rewrite::{Kind, Point, Traits};

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

/// A point on the way that is being tried.
struct Step {
    number: usize,
    position: usize,
    /// It lay on the way before.
    again: bool,
}

pub(crate) struct Memory<'a> {
    traits: &'a Traits,
    /// For each check point its row of marks, or none where nothing may be remembered.
    rows: Vec<Option<usize>>,
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
        // The point in front is reached once for each start position anyway.
        let (mut row, mut rows) = (0, vec![None]);
        for (index, point) in traits.points.iter().enumerate() {
            let remembers = index > 0 && point.repeatable && point.kind == Kind::Plain;
            rows.push(remembers.then_some(row));
            row += remembers as usize;
        }
        if !traits.is_linear() || row.saturating_mul(stride) > MEMORY_LIMIT / 64 {
            rows.clear();
            row = 0;
        }
        let marks = |needed: bool| Marks(vec![0; if needed { row * stride } else { 0 }]);
        let (reached, passed, open) = (marks(true), marks(traits.tracked), marks(traits.tracked));
        Memory { traits, rows, stride, reached, passed, open, log: Vec::new(), leaving: None }
    }

    fn point(&self, number: usize) -> Option<Point> {
        self.traits.points.get(number.checked_sub(1)?).copied()
    }

    /// The mark of a point at a position.
    fn place(&self, number: usize, position: usize) -> Option<(usize, u64)> {
        let row = self.rows.get(number).copied().flatten()?;
        Some((row * self.stride + position / 64, 1 << (position % 64)))
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
        match point.kind {
            Kind::Plain => self.enter_plain(point.group, number, position),
            Kind::Begin => {
                self.log.push(Step { number, position, again: false });
                true
            }
            Kind::End => {
                self.pass(point.group);
                true
            }
            Kind::Final => false,
        }
    }

    fn enter_plain(&mut self, group: usize, number: usize, position: usize) -> bool {
        let mut again = false;
        if let Some(place) = self.place(number, position) {
            again = self.traits.tracked && self.open.has(place);
            if self.reached.has(place) && !again {
                if group > 0 && self.passed.has(place) {
                    self.pass(group);
                    self.leaving = Some(group);
                }
                return false;
            }
            self.reached.set(place);
            if self.traits.tracked {
                self.open.set(place);
            }
        }
        if self.traits.tracked {
            self.log.push(Step { number, position, again });
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
        if let Some(place) = self.place(step.number, step.position).filter(|_| !step.again) {
            self.open.clear(place);
        }
    }

    fn is_atomic(&self, group: usize) -> bool {
        !self.traits.points.iter().any(|point| point.kind == Kind::Final && point.group == group)
    }

    /// The content of a group matches on the way that is being tried. What is in an atomic group stays on that way.
    fn pass(&mut self, group: usize) {
        let begin = self.log.iter().rposition(|step| self.point(step.number).is_some_and(|point| point.kind == Kind::Begin && point.group == group));
        let begin = begin.unwrap_or(0);
        for step in &self.log[begin..] {
            if let Some(place) = self.place(step.number, step.position) {
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

//! What `branches` has found: constructs with several ways on, their arms and the counters of these. Code that is
//! compiled several times (bodies of `ensure`) counts as one.

use rubellite_bytecode::{Branch, BranchArm, Branches};
use rustc_hash::FxHashMap;

/// First line, column in bytes, last line, column behind the end.
pub type Place = [i32; 4];

/// The arms of a construct: what each is called, and where it lies.
pub type Arms = Vec<(&'static str, Place)>;

/// A construct whose arms are counted; `None` when nobody counts.
pub type Point = Option<usize>;

/// The branches found so far.
#[derive(Default)]
pub struct Found {
    list: Vec<Branch>,
    /// By what the construct is, and where.
    known: FxHashMap<(&'static str, Place), usize>,
    counters: u32,
}

impl Found {
    /// The number of a construct, which is new or was found before.
    pub fn declare(&mut self, kind: &'static str, place: Place, arms: Arms) -> usize {
        let next = self.list.len();
        let index = *self.known.entry((kind, place)).or_insert(next);
        if index == next {
            let first = self.counters;
            self.counters += arms.len() as u32;
            let arms = arms
                .into_iter()
                .zip(first..)
                .map(|((kind, place), counter)| BranchArm { kind, place, counter })
                .collect();
            self.list.push(Branch { kind, place, arms });
        }
        index
    }

    /// The counter of an arm of a construct.
    pub fn counter(&self, construct: usize, arm: usize) -> Option<u32> {
        Some(self.list.get(construct)?.arms.get(arm)?.counter)
    }

    pub fn finish(self) -> Branches {
        Branches { list: self.list, counts: (0..self.counters).map(|_| Default::default()).collect() }
    }
}

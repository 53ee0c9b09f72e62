//! Vector clocks, and what is kept of the accesses to one variable.
//!
//! After Flanagan and Freund, "FastTrack: Efficient and Precise Dynamic Race Detection" (PLDI 2009): an access is the
//! epoch of its thread, a clock and a slot. Of earlier accesses only those stay that the next one may still be
//! unordered with: most variables have one or two. Beside reading and writing there are kinds of access to containers,
//! with a table of what conflicts with what; with it the rule that lets an access take the place of older ones is the
//! same for all.

/// Who, by a small number.
pub(super) type Slot = u32;

/// A vector clock: how far each thread had come that this one knows of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock(Vec<u32>);

impl Clock {
    #[inline(always)]
    pub fn get(&self, slot: Slot) -> u32 {
        self.0.get(slot as usize).copied().unwrap_or(0)
    }

    pub fn set(&mut self, slot: Slot, to: u32) {
        if self.0.len() <= slot as usize {
            self.0.resize(slot as usize + 1, 0);
        }
        self.0[slot as usize] = to;
    }

    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
    }
}

/// How a variable is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    Read,
    Write,
    /// Of a container: one element is read or written, whichever; what the element itself has to say is a variable of
    /// its own.
    ElementRead,
    ElementWrite,
    /// All elements are read, as `each` does, or change or move, as `sort!` does.
    AllRead,
    AllWrite,
    /// Its size is asked for.
    SizeRead,
    /// Something is added or taken in one step: such operations do not conflict with each other.
    Add,
}

impl Kind {
    /// The kinds, as bits, that this one conflicts with where they are not ordered.
    const fn conflicts(self) -> u8 {
        const fn bit(kind: Kind) -> u8 {
            1 << kind as u8
        }
        match self {
            Kind::Read => bit(Kind::Write),
            Kind::Write => bit(Kind::Read) | bit(Kind::Write),
            Kind::ElementRead => bit(Kind::AllWrite),
            Kind::ElementWrite => bit(Kind::AllRead) | bit(Kind::AllWrite),
            Kind::AllRead => bit(Kind::ElementWrite) | bit(Kind::AllWrite) | bit(Kind::Add),
            Kind::AllWrite => {
                bit(Kind::ElementRead)
                    | bit(Kind::ElementWrite)
                    | bit(Kind::AllRead)
                    | bit(Kind::AllWrite)
                    | bit(Kind::SizeRead)
                    | bit(Kind::Add)
            }
            Kind::SizeRead => bit(Kind::AllWrite) | bit(Kind::Add),
            Kind::Add => bit(Kind::AllRead) | bit(Kind::AllWrite) | bit(Kind::SizeRead),
        }
    }

    fn conflicts_with(self, other: Kind) -> bool {
        self.conflicts() >> other as u8 & 1 != 0
    }

    /// Whatever conflicts with `other` conflicts with this, too.
    #[inline(always)]
    fn covers(self, other: Kind) -> bool {
        Kind::COVERED[self as usize] >> other as u8 & 1 != 0
    }

    const ALL: [Kind; 8] = [
        Kind::Read,
        Kind::Write,
        Kind::ElementRead,
        Kind::ElementWrite,
        Kind::AllRead,
        Kind::AllWrite,
        Kind::SizeRead,
        Kind::Add,
    ];

    /// By kind: those that it covers, as bits.
    const COVERED: [u8; 8] = {
        let mut table = [0; 8];
        let (mut one, mut other) = (0, 0);
        while one < 8 {
            if Kind::ALL[other].conflicts() & !Kind::ALL[one].conflicts() == 0 {
                table[one] |= 1 << other;
            }
            other += 1;
            if other == 8 {
                (one, other) = (one + 1, 0);
            }
        }
        table
    };

    /// The kind of which a number was made; the lowest three bits say it.
    pub(super) fn of_number(number: u64) -> Kind {
        Kind::ALL[(number & 7) as usize]
    }

    /// For reports.
    pub fn verb(self) -> &'static str {
        match self {
            Kind::Read | Kind::ElementRead => "read",
            Kind::Write | Kind::ElementWrite => "write",
            Kind::AllRead => "read of all elements",
            Kind::AllWrite => "change of the whole",
            Kind::SizeRead => "read of the size",
            Kind::Add => "change of the size",
        }
    }
}

/// One access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub slot: Slot,
    pub clock: u32,
    /// The number of its stack.
    pub stack: u32,
    pub kind: Kind,
}

/// What is kept of a variable's accesses. Most variables have one, which is laid out small.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    /// Of the first access; 0: there is none.
    clock: u32,
    /// Its slot and, in the lowest eight bits, its kind.
    by: u32,
    stack: u32,
    /// Which variable of its object this is, where that is to be told.
    pub name: u32,
    #[expect(clippy::box_collection, reason = "a word where there are none, which is nearly always")]
    more: Option<Box<Vec<Access>>>,
}

/// A slot and a kind in one word.
#[inline(always)]
const fn by(slot: Slot, kind: Kind) -> u32 {
    slot << 8 | kind as u32
}

impl Accesses {
    pub fn is_empty(&self) -> bool {
        self.clock == 0
    }

    fn first(&self) -> Option<Access> {
        let kind = Kind::of_number(self.by.into());
        (self.clock != 0).then_some(Access { slot: self.by >> 8, clock: self.clock, stack: self.stack, kind })
    }

    fn put_first(&mut self, access: Access) {
        (self.clock, self.by, self.stack) = (access.clock, by(access.slot, access.kind), access.stack);
    }

    fn iter(&self) -> impl Iterator<Item = Access> {
        self.first().into_iter().chain(self.more.iter().flat_map(|more| more.iter().copied()))
    }

    /// Whether the thread of this slot has accessed it since its clock came to `now`, so that another access of the
    /// kind tells nothing new.
    #[inline(always)]
    pub fn is_known(&self, slot: Slot, now: u32, kind: Kind) -> bool {
        let first =
            self.clock == now && self.by >> 8 == slot && Kind::COVERED[(self.by & 7) as usize] >> kind as u8 & 1 != 0;
        first || self.more.is_some() && self.is_known_of_more(slot, now, kind)
    }

    #[inline(never)]
    fn is_known_of_more(&self, slot: Slot, now: u32, kind: Kind) -> bool {
        self.iter().any(|access| access.slot == slot && access.clock == now && access.kind.covers(kind))
    }

    /// Adds an access, and drops those whose place it takes. Returns an earlier one of another thread that conflicts
    /// and is not ordered.
    pub fn note(&mut self, new: Access, clock: &Clock) -> Option<Access> {
        let Some(first) = self.first() else {
            self.put_first(new);
            return None;
        };
        let ordered = |old: &Access| old.slot == new.slot || old.clock <= clock.get(old.slot);
        let race = self.iter().find(|old| new.kind.conflicts_with(old.kind) && !ordered(old));
        let replaced = |old: &Access| ordered(old) && new.kind.covers(old.kind);
        if let Some(more) = &mut self.more {
            more.retain(|old| !replaced(old));
        }
        if replaced(&first) {
            self.put_first(new);
        } else {
            self.more.get_or_insert_default().push(new);
        }
        if self.more.as_ref().is_some_and(|more| more.is_empty()) {
            self.more = None;
        }
        race
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(of: &[u32]) -> Clock {
        Clock(of.to_vec())
    }

    fn access(slot: Slot, clock: u32, kind: Kind) -> Access {
        Access { slot, clock, stack: 0, kind }
    }

    #[test]
    fn an_unordered_write_races_with_reads_and_writes() {
        for (first, second, races) in [
            (Kind::Read, Kind::Read, false),
            (Kind::Read, Kind::Write, true),
            (Kind::Write, Kind::Read, true),
            (Kind::Write, Kind::Write, true),
            (Kind::Add, Kind::Add, false),
            (Kind::Add, Kind::SizeRead, true),
            (Kind::ElementWrite, Kind::ElementWrite, false),
            (Kind::ElementWrite, Kind::AllRead, true),
            (Kind::AllRead, Kind::AllRead, false),
            (Kind::ElementRead, Kind::Add, false),
            (Kind::ElementRead, Kind::AllWrite, true),
        ] {
            let mut accesses = Accesses::default();
            assert_eq!(accesses.note(access(0, 1, first), &clock(&[1])), None);
            assert_eq!(accesses.note(access(1, 1, second), &clock(&[0, 1])).is_some(), races, "{first:?} {second:?}");
            let mut accesses = Accesses::default();
            accesses.note(access(0, 1, first), &clock(&[1]));
            assert_eq!(accesses.note(access(1, 1, second), &clock(&[1, 1])), None, "ordered {first:?} {second:?}");
        }
    }

    #[test]
    fn what_is_ordered_before_a_write_is_forgotten() {
        let mut accesses = Accesses::default();
        accesses.note(access(0, 1, Kind::Read), &clock(&[1]));
        accesses.note(access(1, 1, Kind::Read), &clock(&[0, 1]));
        accesses.note(access(2, 1, Kind::Write), &clock(&[1, 1, 1]));
        assert_eq!(accesses.iter().count(), 1);
        assert!(accesses.is_known(2, 1, Kind::Read));
        assert!(!accesses.is_known(2, 2, Kind::Read));
    }

    #[test]
    fn reads_of_several_threads_stay_until_a_write() {
        let mut accesses = Accesses::default();
        accesses.note(access(0, 1, Kind::Read), &clock(&[1]));
        accesses.note(access(1, 1, Kind::Read), &clock(&[0, 1]));
        let race = accesses.note(access(0, 2, Kind::Write), &clock(&[2]));
        assert_eq!(race, Some(access(1, 1, Kind::Read)));
    }
}

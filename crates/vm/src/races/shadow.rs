//! What is kept of the variables of objects, found by the object's address.
//!
//! Cells of the heap lie at least 32 bytes apart and do not move. A page of this table has a word for each 32 bytes of
//! 2 MiB: the number of the record of the object that begins there, or 0. So an object that is known is found by two
//! loads, one that is new costs the filling of a record that lies behind the last one, and after a marking the pages
//! are walked in the order of addresses.
//!
//! A record has room for the variables that most objects have: two by name, or a container as a whole; more by name, or
//! the elements of an Array, follow in a vector. Variables that have no place here (elements of a Hash, those of
//! classes) are kept by `Races` in a table.

use super::Part;
use super::clock::Accesses;
use rubellite_value::{Tag, Value};
use rustc_hash::FxHashMap;

const PAGE_SHIFT: u32 = 21;
const CELL_SHIFT: u32 = 5;
const WORDS: usize = 1 << (PAGE_SHIFT - CELL_SHIFT);
/// Pages that are found without the table.
const WAYS: usize = 64;
/// Up to this number the variables of an object are found by looking at each.
const NAMED_MAX: usize = 16;

/// Where the accesses of a variable are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// With its object, by name.
    Named(u32),
    /// With its object: a container as a whole.
    Whole,
    /// With its Array.
    Index(usize),
    /// In the table of the others.
    Apart,
}

impl Place {
    /// Instance variables of plain objects and local variables of environments go by name: these have nothing else.
    #[inline(always)]
    pub fn of(object: Value, part: Part) -> Place {
        match part {
            Part::Local(slot) => Place::Named(slot),
            Part::Ivar(name) if object.has_tag(Tag::Object) => Place::Named(name.0),
            Part::Container if !object.has_tag(Tag::Object) => Place::Whole,
            Part::Index(at) => Place::Index(at as usize),
            _ => Place::Apart,
        }
    }
}

/// What is kept of an object.
#[derive(Default)]
pub(super) struct Record {
    object: u64,
    /// The first of the variables by name, or the whole container.
    near: [Accesses; 2],
    /// The others, or the elements of an Array as far as they were accessed.
    far: Vec<Accesses>,
}

impl Record {
    #[inline(always)]
    pub fn named(&self, name: u32) -> Option<&Accesses> {
        // A name is told apart from none by the accesses: an empty place knows of none.
        let [one, other] = &self.near;
        if one.name == name {
            return Some(one);
        }
        if other.name == name {
            return Some(other);
        }
        self.far.iter().find(|accesses| accesses.name == name)
    }

    #[inline(always)]
    pub fn whole(&self) -> &Accesses {
        &self.near[0]
    }

    #[inline(always)]
    pub fn element(&self, at: usize) -> Option<&Accesses> {
        self.far.get(at)
    }

    pub fn get(&self, place: Place) -> Option<&Accesses> {
        match place {
            Place::Named(name) => self.named(name),
            Place::Whole => Some(self.whole()),
            Place::Index(at) => self.element(at),
            Place::Apart => None,
        }
    }

    /// Variables that have no room here may be kept apart.
    pub fn is_full(&self) -> bool {
        self.far.len() >= NAMED_MAX
    }

    /// The place, made where it is new; none where the variable has no room here.
    fn kept(&mut self, place: Place) -> Option<&mut Accesses> {
        match place {
            Place::Named(name) => self.kept_named(name),
            Place::Whole => Some(&mut self.near[0]),
            Place::Index(at) => {
                if self.far.len() <= at {
                    self.far.resize_with(at + 1, Accesses::default);
                }
                Some(&mut self.far[at])
            }
            Place::Apart => None,
        }
    }

    fn kept_named(&mut self, name: u32) -> Option<&mut Accesses> {
        let is_its = |accesses: &Accesses| accesses.is_empty() || accesses.name == name;
        let near = self.near.iter().position(is_its);
        let accesses = match near {
            Some(at) => &mut self.near[at],
            None => {
                let at = self.far.iter().position(is_its).unwrap_or(self.far.len());
                if at == NAMED_MAX {
                    return None;
                }
                if at == self.far.len() {
                    self.far.push(Accesses::default());
                }
                &mut self.far[at]
            }
        };
        accesses.name = name;
        Some(accesses)
    }
}

/// See the module.
pub(super) struct Shadow {
    /// By the upper bits of addresses: the number of the page.
    numbers: FxHashMap<u64, u32>,
    pages: Vec<Box<[u32]>>,
    /// Upper bits and page number of the last pages that were asked for, by the lowest of these bits.
    ways: [(u64, u32); WAYS],
    /// The first one belongs to nobody.
    records: Vec<Record>,
    free: Vec<u32>,
}

impl Shadow {
    pub fn new() -> Shadow {
        Shadow {
            numbers: FxHashMap::default(),
            pages: Vec::new(),
            ways: [(u64::MAX, 0); WAYS],
            records: vec![Record::default()],
            free: Vec::new(),
        }
    }

    /// Objects of which something is kept.
    pub fn len(&self) -> usize {
        self.records.len() - 1 - self.free.len()
    }

    pub fn clear(&mut self) {
        *self = Shadow::new();
    }

    #[inline(always)]
    pub fn get(&self, object: u64) -> Option<&Record> {
        let upper = object >> PAGE_SHIFT;
        let (known, page) = self.ways[upper as usize % WAYS];
        let page = if known == upper { page } else { *self.numbers.get(&upper)? };
        let number = self.pages.get(page as usize)?[(object >> CELL_SHIFT) as usize % WORDS];
        (number != 0).then(|| &self.records[number as usize])
    }

    /// The place of a variable; none where it has no room here.
    pub fn kept(&mut self, object: u64, place: Place) -> Option<&mut Accesses> {
        if place == Place::Apart {
            return None;
        }
        let upper = object >> PAGE_SHIFT;
        let way = &mut self.ways[upper as usize % WAYS];
        if way.0 != upper {
            let next = self.pages.len() as u32;
            let page = *self.numbers.entry(upper).or_insert(next);
            if page == next {
                self.pages.push(vec![0; WORDS].into_boxed_slice());
            }
            *way = (upper, page);
        }
        let word = &mut self.pages[way.1 as usize][(object >> CELL_SHIFT) as usize % WORDS];
        if *word == 0 {
            *word = self.free.pop().unwrap_or_else(|| {
                self.records.push(Record::default());
                self.records.len() as u32 - 1
            });
            self.records[*word as usize].object = object;
        }
        let record = &mut self.records[*word as usize];
        debug_assert_eq!(record.object, object, "two objects in one cell");
        record.kept(place)
    }

    /// Forgets the objects that are dead.
    pub fn prune(&mut self, lives: impl Fn(u64) -> bool) {
        for word in self.pages.iter_mut().flat_map(|page| page.iter_mut()).filter(|word| **word != 0) {
            let record = &mut self.records[*word as usize];
            if !lives(record.object) {
                *record = Record::default();
                self.free.push(*word);
                *word = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::clock::{Access, Clock, Kind};
    use super::*;

    fn note(shadow: &mut Shadow, object: u64, place: Place) -> bool {
        let clock = Clock::default();
        let access = Access { slot: 0, clock: 1, stack: 0, kind: Kind::Write };
        shadow.kept(object, place).is_some_and(|accesses| accesses.note(access, &clock).is_none())
    }

    fn knows(shadow: &Shadow, object: u64, place: Place) -> bool {
        shadow
            .get(object)
            .and_then(|record| record.get(place))
            .is_some_and(|accesses| accesses.is_known(0, 1, Kind::Write))
    }

    #[test]
    fn what_was_noted_is_found_and_nothing_else() {
        let mut shadow = Shadow::new();
        for object in (0..4_000u64).map(|n| 0x7000_0000_0000 + n * 4128) {
            assert!(!knows(&shadow, object, Place::Named(0)), "a name of no variable");
            for name in 0..NAMED_MAX as u32 + 2 {
                assert!(note(&mut shadow, object, Place::Named(name)));
            }
            assert!(!note(&mut shadow, object, Place::Named(99)), "no room");
            assert!((0..NAMED_MAX as u32 + 2).all(|name| knows(&shadow, object, Place::Named(name))));
            assert!(!knows(&shadow, object, Place::Named(99)));
            assert!(!knows(&shadow, object + 32, Place::Named(0)), "the next cell");
        }
        assert_eq!(shadow.len(), 4_000);
    }

    #[test]
    fn elements_and_the_whole_are_apart() {
        let mut shadow = Shadow::new();
        assert!(note(&mut shadow, 64, Place::Index(3)));
        assert!(knows(&shadow, 64, Place::Index(3)));
        assert!(![Place::Index(2), Place::Index(4), Place::Whole].iter().any(|place| knows(&shadow, 64, *place)));
        assert!(note(&mut shadow, 64, Place::Whole));
        assert!(knows(&shadow, 64, Place::Whole));
    }

    #[test]
    fn cells_of_dead_objects_begin_anew() {
        let mut shadow = Shadow::new();
        for object in (1..100u64).map(|n| n << 16) {
            assert!(note(&mut shadow, object, Place::Named(7)));
        }
        shadow.prune(|object| object >> 16 & 1 == 1);
        assert_eq!(shadow.len(), 50);
        assert!(knows(&shadow, 3 << 16, Place::Named(7)) && !knows(&shadow, 2 << 16, Place::Named(7)));
        let records = shadow.records.len();
        assert!(note(&mut shadow, 2 << 16, Place::Index(1)));
        assert_eq!(shadow.records.len(), records, "the record is used again");
        assert!(!knows(&shadow, 2 << 16, Place::Whole));
    }
}

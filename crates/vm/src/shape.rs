//! Shapes: which instance variables an object has, and in which slot each lies.
//!
//! A shape is a node of a tree; its path from the root names the variables in the order in which they
//! were first set, and the n-th has slot n. Objects that get the same variables in the same order share
//! a shape, so that an inline cache holds (shape, slot). Shapes live as long as the VM.

use rubellite_value::Sym;
use rustc_hash::FxHashMap;

/// Index into the shape table. 0 is the root: no variables.
pub type ShapeId = u32;

struct Shape {
    parent: ShapeId,
    /// Meaningless for the root.
    name: Sym,
    /// Number of variables; the last one has slot `len - 1`.
    len: u32,
    /// Its index in `Shapes::indexes`, once a shape with many variables was asked.
    index: Option<u32>,
}

pub struct Shapes {
    shapes: Vec<Shape>,
    /// The shape that has a name after all variables of another one.
    children: FxHashMap<(ShapeId, Sym), ShapeId>,
    /// Slots by name. Shapes that grow out of each other share one: for each of them, the slots below its length
    /// count.
    indexes: Vec<FxHashMap<Sym, u32>>,
    /// The latest answers of [`Shapes::slot`], which never change, for places in programs that see many shapes.
    answers: Box<[Answer; ANSWERS]>,
}

/// That a shape has a name in a slot, or `NO_SLOT`.
#[derive(Copy, Clone)]
struct Answer {
    shape: ShapeId,
    name: Sym,
    slot: u32,
}

const ANSWERS: usize = 512;
const NO_SLOT: u32 = u32::MAX;

impl Default for Shapes {
    fn default() -> Shapes {
        let root = Shape { parent: 0, name: Sym(u32::MAX), len: 0, index: None };
        let answers = Box::new([Answer { shape: 0, name: Sym(u32::MAX), slot: NO_SLOT }; ANSWERS]);
        Shapes { shapes: vec![root], children: FxHashMap::default(), indexes: Vec::new(), answers }
    }
}

const LINEAR_MAX: u32 = 8;

impl Shapes {
    /// Number of variables of `id`.
    pub fn len(&self, id: ShapeId) -> usize {
        self.shapes[id as usize].len as usize
    }

    /// The slot of `name` in `id`.
    #[inline]
    pub fn slot(&mut self, id: ShapeId, name: Sym) -> Option<usize> {
        let place = (id.wrapping_mul(31) ^ name.0) as usize % ANSWERS;
        let answer = self.answers[place];
        if answer.shape == id && answer.name == name {
            return (answer.slot != NO_SLOT).then_some(answer.slot as usize);
        }
        let slot = self.find_slot(id, name);
        self.answers[place] = Answer { shape: id, name, slot: slot.map_or(NO_SLOT, |slot| slot as u32) };
        slot
    }

    fn find_slot(&mut self, id: ShapeId, name: Sym) -> Option<usize> {
        let len = self.shapes[id as usize].len;
        if len <= LINEAR_MAX {
            let mut at = id;
            while at != 0 {
                let shape = &self.shapes[at as usize];
                if shape.name == name {
                    return Some(shape.len as usize - 1);
                }
                at = shape.parent;
            }
            return None;
        }
        let index = self.index(id);
        self.indexes[index as usize].get(&name).filter(|slot| **slot < len).map(|slot| *slot as usize)
    }

    /// The number of the index of `id`, which is made if it has none.
    fn index(&mut self, id: ShapeId) -> u32 {
        if let Some(index) = self.shapes[id as usize].index {
            return index;
        }
        let index = self.indexes.len() as u32;
        self.indexes.push(self.names(id).into_iter().zip(0..).collect());
        self.shapes[id as usize].index = Some(index);
        index
    }

    /// The shape that has `name`, which is none of them, after all variables of `id`.
    pub fn with(&mut self, id: ShapeId, name: Sym) -> ShapeId {
        if let Some(child) = self.children.get(&(id, name)) {
            return *child;
        }
        let child = self.shapes.len() as ShapeId;
        let parent = &self.shapes[id as usize];
        // The first shape that grows out of one whose variables are all that the index has goes on with it.
        let index = parent.index.filter(|index| self.indexes[*index as usize].len() == parent.len as usize);
        if let Some(index) = index {
            self.indexes[index as usize].insert(name, parent.len);
        }
        let len = parent.len + 1;
        self.shapes.push(Shape { parent: id, name, len, index });
        self.children.insert((id, name), child);
        child
    }

    /// The variables of `id` in slot order.
    pub fn names(&self, id: ShapeId) -> Vec<Sym> {
        let mut names = Vec::with_capacity(self.len(id));
        let mut at = id;
        while at != 0 {
            let shape = &self.shapes[at as usize];
            names.push(shape.name);
            at = shape.parent;
        }
        names.reverse();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_that_grow_out_of_each_other_share_an_index_and_keep_their_own_variables() {
        let mut shapes = Shapes::default();
        let line: Vec<ShapeId> = (0..40)
            .scan(0, |id, n| {
                shapes.slot(*id, Sym(n));
                *id = shapes.with(*id, Sym(n));
                Some(*id)
            })
            .collect();
        assert_eq!(shapes.indexes.len(), 1);
        let branch = shapes.with(line[19], Sym(100));
        for (n, id) in line.iter().enumerate() {
            assert_eq!(shapes.slot(*id, Sym(n as u32)), Some(n));
            assert_eq!(shapes.slot(*id, Sym(n as u32 + 1)), None);
            assert_eq!(shapes.slot(*id, Sym(100)), None);
            assert_eq!(shapes.with(if n == 0 { 0 } else { line[n - 1] }, Sym(n as u32)), *id);
        }
        assert_eq!(
            (shapes.slot(branch, Sym(100)), shapes.slot(branch, Sym(19)), shapes.slot(branch, Sym(20))),
            (Some(20), Some(19), None)
        );
        assert_eq!(shapes.indexes.len(), 2);
    }
}

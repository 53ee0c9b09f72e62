//! Shapes: which instance variables an object has, and in which slot each lies.
//!
//! A shape is a node of a tree; its path from the root names the variables in the order in which they
//! were first set, and the n-th has slot n. Objects that get the same variables in the same order share
//! a shape, so that an inline cache holds (shape, slot). Shapes live as long as the VM.

use rubellite_value::Sym;
use std::collections::HashMap;

/// Index into the shape table. 0 is the root: no variables.
pub type ShapeId = u32;

struct Shape {
    parent: ShapeId,
    /// Meaningless for the root.
    name: Sym,
    /// Number of variables; the last one has slot `len - 1`.
    len: u32,
    children: Vec<(Sym, ShapeId)>,
    /// Slots by name, made when a shape with many variables is asked.
    index: Option<HashMap<Sym, u32>>,
}

pub struct Shapes {
    shapes: Vec<Shape>,
}

impl Default for Shapes {
    fn default() -> Shapes {
        Shapes { shapes: vec![Shape { parent: 0, name: Sym(u32::MAX), len: 0, children: Vec::new(), index: None }] }
    }
}

const LINEAR_MAX: u32 = 8;

impl Shapes {
    /// Number of variables of `id`.
    pub fn len(&self, id: ShapeId) -> usize {
        self.shapes[id as usize].len as usize
    }

    /// The slot of `name` in `id`.
    pub fn slot(&mut self, id: ShapeId, name: Sym) -> Option<usize> {
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
        if self.shapes[id as usize].index.is_none() {
            let index = self.names(id).into_iter().enumerate().map(|(slot, name)| (name, slot as u32)).collect();
            self.shapes[id as usize].index = Some(index);
        }
        self.shapes[id as usize].index.as_ref()?.get(&name).map(|slot| *slot as usize)
    }

    /// The shape that has `name` after all variables of `id`.
    pub fn with(&mut self, id: ShapeId, name: Sym) -> ShapeId {
        if let Some((_, child)) = self.shapes[id as usize].children.iter().find(|(n, _)| *n == name) {
            return *child;
        }
        let child = self.shapes.len() as ShapeId;
        let len = self.shapes[id as usize].len + 1;
        self.shapes.push(Shape { parent: id, name, len, children: Vec::new(), index: None });
        self.shapes[id as usize].children.push((name, child));
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

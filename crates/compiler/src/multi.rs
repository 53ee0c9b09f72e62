//! Multiple assignment and destructuring. Order: parts of the targets, then the right side, then the
//! assignments, each from left to right.

use crate::asm::Reg;
use crate::assign::Target;
use crate::compiler::Compiler;
use rubellite_bytecode::{Insn, Op};
use ruby_prism::*;

/// `ExpandArray` counts the values after the splat in seven bits.
const MAX_AFTER: usize = 127;

impl<'pr> Compiler<'pr> {
    pub fn multi_write(&mut self, node: &MultiWriteNode<'pr>, dst: Option<Reg>) {
        let target = self.prepare_multi(node.lefts(), node.rest(), node.rights());
        let values: Option<Vec<Node>> = node.value().as_array_node().map(|n| n.elements().iter().collect());
        match values {
            Some(values) if values.len() <= 32 && !values.iter().any(|n| matches!(n, Node::SplatNode { .. })) => {
                self.parallel(&target, &values, dst)
            }
            _ => {
                let value = match dst {
                    Some(dst) => {
                        self.into(&node.value(), dst);
                        dst
                    }
                    None => self.operand_before(&node.value(), &[]),
                };
                self.assign(&target, value);
            }
        }
    }

    /// `a, b = 1, 2`: no Array unless the value of the whole is wanted.
    fn parallel(&mut self, target: &Target<'pr>, values: &[Node<'pr>], dst: Option<Reg>) {
        let Target::Multi { before, rest, after } = target else { return };
        let first = self.consecutive(values);
        if let Some(dst) = dst {
            self.asm.emit(Op::NewArray, dst, first, values.len() as u16);
        }
        let count = values.len();
        let nil = (count < before.len() + after.len()).then(|| self.nil_temp());
        let value = |index: usize| if index < count { first + index as u16 } else { nil.unwrap_or(0) };
        for (index, target) in before.iter().enumerate() {
            self.assign(target, value(index));
        }
        let after_start = match rest {
            Some(rest) => {
                let start = before.len().min(count);
                let end = count.saturating_sub(after.len()).max(start);
                if let Some(rest) = rest {
                    let mark = self.asm.mark();
                    let array = self.asm.temp();
                    self.asm.emit(Op::NewArray, array, first + start as u16, (end - start) as u16);
                    self.assign(rest, array);
                    self.asm.release(mark);
                }
                end
            }
            None => before.len(),
        };
        for (index, target) in after.iter().enumerate() {
            self.assign(target, value(after_start + index));
        }
    }

    /// Spreads the Array (or what becomes one) in R[value] over targets.
    pub fn spread(
        &mut self,
        before: &[Target<'pr>],
        rest: &Option<Option<Box<Target<'pr>>>>,
        after: &[Target<'pr>],
        value: Reg,
    ) {
        if after.len() > MAX_AFTER {
            return self.fail("too many targets after a splat");
        }
        let mark = self.asm.mark();
        let first = self.asm.mark() as u16;
        let count = before.len() + rest.is_some() as usize + after.len();
        for _ in 0..count.max(1) {
            self.asm.temp();
        }
        let x = after.len() as u8 | if rest.is_some() { 0x80 } else { 0 };
        self.asm.push(Insn::xabc(Op::ExpandArray, x, value, first, before.len() as u16));
        let rest = rest.iter().map(|rest| rest.as_deref());
        let targets = before.iter().map(Some).chain(rest).chain(after.iter().map(Some));
        for (index, target) in targets.enumerate() {
            if let Some(target) = target {
                // Where there are more than registers the assembler refuses them all.
                self.assign(target, first.wrapping_add(index as u16));
            }
        }
        self.asm.release(mark);
    }

    /// Destructures R[value] into a pattern of parameters.
    pub fn destructure(&mut self, node: &MultiTargetNode<'pr>, value: Reg) {
        let mark = self.asm.mark();
        let target = self.prepare_multi(node.lefts(), node.rest(), node.rights());
        self.assign(&target, value);
        self.asm.release(mark);
    }
}

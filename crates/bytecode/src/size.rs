//! How many bytes code objects take: what a collector's pacing counts.

use crate::{ISeq, ISeqKind};

impl ISeq {
    /// Bytes that this code object takes, without those inside it. The code of an eval has its source text, too.
    fn own_size(&self) -> usize {
        let tables = size_of_val(&*self.insns)
            + size_of_val(&*self.consts)
            + size_of_val(&*self.names)
            + size_of_val(&*self.sites)
            + size_of_val(&*self.locals)
            + size_of_val(&*self.children)
            + size_of_val(&*self.params.described);
        let text = if self.serial == 0 && self.kind == ISeqKind::Eval { self.script.text.kept_size() } else { 0 };
        size_of::<ISeq>() + tables + self.lines.memory_size() + self.statements.memory_size() + text
    }

    /// Bytes that this code object takes, and those inside it for whose index `counts` is true with all that they hold.
    /// It stays the same as long as the code object lives.
    pub fn memory_size(&self, counts: impl Fn(usize) -> bool) -> usize {
        let mut bytes = self.own_size();
        // Code objects nest deeper than the stack of a fiber.
        let mut left: Vec<&ISeq> = Vec::new();
        left.extend(self.children.iter().enumerate().filter(|(index, _)| counts(*index)).map(|(_, child)| &**child));
        while let Some(iseq) = left.pop() {
            bytes += iseq.own_size();
            left.extend(iseq.children.iter().map(|child| &**child));
        }
        bytes
    }
}

//! The warning of a block that the called method never looks at (`-w`, or the category strict_unused_block).
//!
//! Without the strict category it is a matter of names: where any method that uses its block has the same name, the
//! call may be meant for that one, and nothing is said, even if that one is compiled but not defined yet. A method is
//! reported once per form of passing the block.

use crate::ctx::Ctx;
use crate::method::{Method, MethodBody};
use crate::warning::Category;
use crate::{Result, cell::VmCell};
use rubellite_bytecode::{ISeq, ISeqKind};
use rubellite_value::{Sym, Value};
use rustc_hash::FxHashSet;

/// Methods of the core that take a block and that CRuby writes in Ruby, which makes their names count as ones of
/// methods that use blocks.
const CORE_NAMES: [&str; 18] = [
    "collect",
    "each",
    "enable",
    "filter",
    "find",
    "find_index",
    "for_fd",
    "loop",
    "map",
    "new",
    "open",
    "select",
    "synchronize",
    "tap",
    "then",
    "times",
    "trace",
    "yield_self",
];

/// What the warning of unused blocks remembers.
pub struct UnusedBlocks {
    /// Names of methods that use their block.
    users: VmCell<FxHashSet<Sym>>,
}

impl Default for UnusedBlocks {
    fn default() -> UnusedBlocks {
        UnusedBlocks { users: VmCell::new(FxHashSet::default()) }
    }
}

impl Ctx {
    /// Remembers the names of the methods in `script` that use their block. They count from when the script is compiled
    /// on, whether or not it comes to define them.
    pub fn note_block_users(&mut self, script: &ISeq) {
        if script.script.is_internal() || self.category_is_on(Category::StrictUnusedBlock) {
            return;
        }
        // Code objects nest deeper than the stack of a fiber.
        let mut left = vec![script];
        while let Some(iseq) = left.pop() {
            if iseq.kind == ISeqKind::Method && iseq.uses_block {
                let name = self.intern_in_code(&iseq.name, false);
                // SAFETY: the lock is held; the borrow ends with the statement.
                unsafe { self.vm().unused_blocks.users.get_mut() }.insert(name);
            }
            left.extend(iseq.children.iter().map(|child| &**child));
        }
    }

    /// Warns where `method`, about to be called with a block, does not use it. `as_argument`: the block was passed by
    /// `&`.
    #[inline]
    pub(super) fn check_block_use(&mut self, method: Method, as_argument: bool) -> Result<()> {
        let wanted = self.vm().verbose.get() == Value::TRUE || self.category_is_on(Category::StrictUnusedBlock);
        if wanted { self.warn_unused_block(method, as_argument) } else { Ok(()) }
    }

    #[cold]
    fn warn_unused_block(&mut self, method: Method, as_argument: bool) -> Result<()> {
        let method = method.resolved();
        let MethodBody::Code { code, .. } = method.body() else { return Ok(()) };
        let iseq = code.iseq();
        let name = method.name();
        if iseq.uses_block
            || name == self.names().initialize
            || iseq.script.is_internal()
            || method.block_reported(as_argument)
        {
            return Ok(());
        }
        if !self.category_is_on(Category::StrictUnusedBlock) && self.uses_blocks_elsewhere(name) {
            return Ok(());
        }
        method.set_block_reported(as_argument);
        let label = method.owner().qualify(self, &self.sym_str(name));
        let (path, line) = (&iseq.script.path, iseq.line);
        self.warn(&format!("the block passed to '{label}' defined at {path}:{line} may be ignored"))
    }

    fn uses_blocks_elsewhere(&self, name: Sym) -> bool {
        // SAFETY: the lock is held; the borrow ends with the statement.
        unsafe { self.vm().unused_blocks.users.get() }.contains(&name)
            || CORE_NAMES.contains(&self.sym_str(name).as_str())
    }
}

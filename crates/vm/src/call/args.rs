//! The arguments of one call of a native method: what its function gets as `args: Args`. They lie on the VM stack.

use crate::Result;
use crate::ctx::Ctx;
use crate::frame::BlockHandler;
use crate::object::Hash;
use rubellite_value::{Sym, Tag, Value};

/// The arguments of one native call: a window on the VM stack, so they are roots while the call runs.
/// Keywords arrive as a last Hash, marked by `has_keywords`.
#[derive(Copy, Clone)]
pub struct Args {
    ptr: *const Value,
    len: u32,
    keywords: bool,
    pub block: BlockHandler,
}

impl Args {
    /// # Safety
    /// `ptr..ptr + len` stays valid and unmoved for the whole call.
    #[inline(always)]
    pub(crate) unsafe fn new(ptr: *const Value, len: usize, keywords: bool, block: BlockHandler) -> Args {
        Args { ptr, len: len as u32, keywords, block }
    }

    /// The same, copied field by field: a copy of two words at once waits until the processor has written both, which a
    /// caller has just put there.
    #[inline(always)]
    pub(crate) fn by_fields(&self) -> Args {
        // SAFETY: references to initialised fields.
        unsafe {
            Args {
                ptr: (&raw const self.ptr).read_volatile(),
                len: (&raw const self.len).read_volatile(),
                keywords: (&raw const self.keywords).read_volatile(),
                block: (&raw const self.block).read_volatile(),
            }
        }
    }

    /// No arguments.
    pub fn none() -> Args {
        Args { ptr: std::ptr::NonNull::dangling().as_ptr(), len: 0, keywords: false, block: Value::NIL }
    }

    /// Number of arguments, a keyword Hash included.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Argument `i`, if it was given.
    #[inline(always)]
    pub fn get(&self, i: usize) -> Option<Value> {
        if i < self.len as usize { Some(self.at(i)) } else { None }
    }

    /// Argument `i`, which the arity guarantees to be there; nil otherwise.
    #[inline(always)]
    pub fn at(&self, i: usize) -> Value {
        // SAFETY: bounds are checked; the window lives as long as the call (see `new`).
        if i < self.len as usize { unsafe { *self.ptr.add(i) } } else { Value::NIL }
    }

    /// Argument `i`, or `None` when it is absent or nil.
    pub fn non_nil(&self, i: usize) -> Option<Value> {
        self.get(i).filter(|v| !v.is_nil())
    }

    #[inline]
    pub fn slice(&self) -> &[Value] {
        // SAFETY: see `new`.
        unsafe { std::slice::from_raw_parts(self.ptr, self.len as usize) }
    }

    /// The arguments from `start` on, with the same block and keywords.
    pub fn from(&self, start: usize) -> Args {
        let start = start.min(self.len as usize);
        // SAFETY: stays within the window.
        Args { ptr: unsafe { self.ptr.add(start) }, len: self.len - start as u32, ..*self }
    }

    pub fn has_keywords(&self) -> bool {
        self.keywords
    }

    /// The keyword Hash, when keywords were passed.
    pub fn keywords(&self) -> Option<Hash> {
        if self.keywords && self.len > 0 {
            let last = self.at(self.len as usize - 1);
            if last.has_tag(Tag::Hash) { Some(Hash::known(last)) } else { None }
        } else {
            None
        }
    }

    /// The positional arguments alone.
    pub fn positional(&self) -> Args {
        if self.keywords { Args { len: self.len.saturating_sub(1), keywords: false, ..*self } } else { *self }
    }

    /// The value of one keyword.
    pub fn keyword(&self, ctx: &mut Ctx, name: &'static str) -> Option<Value> {
        let hash = self.keywords()?;
        let sym: Sym = ctx.intern(name);
        hash.get_sym(ctx, sym)
    }

    /// ArgumentError "unknown keywords: :x, :y" for keywords that are not among the known ones.
    pub fn check_keywords(&self, ctx: &mut Ctx, known: &[&str]) -> Result<()> {
        let Some(hash) = self.keywords() else { return Ok(()) };
        let (mut unknown, mut position) = (Vec::new(), 0);
        while let Some(entry) = hash.next_entry(ctx, position) {
            position = entry.position + 1;
            if !entry.key.as_symbol().is_some_and(|sym| known.iter().any(|name| ctx.sym_bytes(sym) == name.as_bytes()))
            {
                unknown.push(ctx.inspect(entry.key)?);
            }
        }
        match unknown.len() {
            0 => Ok(()),
            1 => Err(ctx.argument_error(&format!("unknown keyword: {}", unknown[0]))),
            _ => Err(ctx.argument_error(&format!("unknown keywords: {}", unknown.join(", ")))),
        }
    }

    pub fn with_block(&self, block: BlockHandler) -> Args {
        Args { block, ..*self }
    }

    #[inline(always)]
    pub fn has_block(&self) -> bool {
        !self.block.is_nil()
    }
}

//! Data of extensions in C: an address with what the extension says about it. Type and address are its own to change.
//!
//! The cell lies as C sees it. Its functions are called by [`CDataHooks`], which are set when a VM takes on extensions:
//! marking and freeing happen without a `Ctx`, so that the hooks are found here. What they do is the extension's.

use super::handle::{handle, layout};
use crate::Result;
use crate::ctx::{Ctx, header};
use rubellite_gc::Marker;
use rubellite_value::{Header, Tag, Value};
use std::cell::Cell;
use std::ffi::c_void;
use std::sync::OnceLock;

/// The cell of such an object. 40 bytes.
#[repr(C)]
pub struct RCData {
    header: Header,
    /// Typed: the address of its type. Untyped: the function that marks it.
    pub kind: Cell<*mut c_void>,
    /// Typed: 1. Untyped: the function that frees it.
    pub flag: Cell<*mut c_void>,
    pub data: Cell<*mut c_void>,
}

layout!(RCData, Tag::CData);

handle! {
    /// An object of an extension in C.
    CData "Data": RCData, Tag::CData
}

/// What the collector asks of the extensions' side.
pub struct CDataHooks {
    /// Shows what the object refers to.
    pub mark: fn(&RCData, &mut Marker),
    /// The object is dead: frees its data now, which is true, or soon. It may not enter the VM. A later sweep asks
    /// again for what is to be freed soon, whose cell stays: other objects' functions may look at it and write to it.
    pub free: fn(&RCData) -> bool,
    /// Bytes of memory that it owns.
    pub size: fn(&RCData) -> usize,
    /// Whether other ractors may see it when it is frozen.
    pub shareable: fn(&RCData) -> bool,
    /// What Digest::Base does with an object or a class of an extension's.
    pub digest: fn(&mut Ctx, Value, DigestStep) -> Result,
}

/// A method of Digest::Base.
#[derive(Clone, Copy)]
pub enum DigestStep {
    /// The receiver is the class.
    Allocate,
    Copy(Value),
    Reset,
    Update(Value),
    Finish,
    DigestLength,
    BlockLength,
}

static HOOKS: OnceLock<CDataHooks> = OnceLock::new();

impl CDataHooks {
    /// Sets the hooks of this process, which stay.
    pub fn install(self) {
        HOOKS.get_or_init(|| self);
    }
}

impl RCData {
    pub(crate) fn mark(&self, marker: &mut Marker) {
        if let Some(hooks) = HOOKS.get() {
            (hooks.mark)(self, marker);
        }
    }

    pub(crate) fn free(&self) -> bool {
        let freed = HOOKS.get().is_none_or(|hooks| (hooks.free)(self));
        if !freed {
            // Nobody sees it any more, and what it referred to may be gone.
            self.header.klass.set(Value::FALSE);
            // SAFETY: data of an extension, without variables now.
            unsafe { self.header.set_word(Tag::CData as u64) };
        }
        freed
    }

    pub(crate) fn frozen_shareable(&self) -> bool {
        HOOKS.get().is_some_and(|hooks| (hooks.shareable)(self))
    }

    pub(crate) fn memory_size(&self) -> usize {
        HOOKS.get().map_or(0, |hooks| (hooks.size)(self))
    }
}

/// Does it in the extension whose object or class `recv` is. `None` where no extension has been loaded.
pub fn digest_step(ctx: &mut Ctx, recv: Value, step: DigestStep) -> Option<Result> {
    HOOKS.get().map(|hooks| (hooks.digest)(ctx, recv, step))
}

impl CData {
    /// A new object; see [`RCData`] for the words.
    pub fn new(ctx: &mut Ctx, klass: Value, kind: *mut c_void, flag: *mut c_void, data: *mut c_void) -> CData {
        let cell = RCData {
            header: header(Tag::CData, klass),
            kind: Cell::new(kind),
            flag: Cell::new(flag),
            data: Cell::new(data),
        };
        CData(ctx.alloc(cell))
    }

    /// The words of the cell.
    pub fn cell(&self) -> &RCData {
        self.raw()
    }
}

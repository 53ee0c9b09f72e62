//! References that C code stores into objects without the runtime: the write barrier, and addresses to write through.
//!
//! Whatever gives C code an address behind which it may store references into an object calls [`unprotected`], and
//! nothing else does. Such are the writable elements of an Array (`RARRAY_PTR`, `RARRAY_PTR_USE`), what
//! `rb_gc_writebarrier_unprotect` names, and data whose type does not promise barriers (`RUBY_TYPED_WB_PROTECTED`). The
//! constant address of an Array's elements is a load in the headers and comes by no function. Instance variables,
//! members of structs, entries of hashes and constants have no address in this interface: they are stored by the
//! runtime, with its own barrier.

use rubellite_vm::{Ctx, Tag, Value};

/// From here on references may be stored into `object`, a heap object, at any time and without a write barrier, for as
/// long as it lives.
///
/// Data needs no more: minor collections look at all of it. Called with the lock, before the address is given out; it
/// neither allocates nor runs Ruby code.
pub fn unprotected(ctx: &Ctx, object: Value) {
    if !object.has_tag(Tag::CData) {
        ctx.expose(object);
    }
}

//! Rubellite embedded: one VM with its core library.

use rubellite_vm::{Ctx, VmHandle};

/// A VM with all core classes; the calling thread is its main thread.
pub fn new_vm() -> Option<(VmHandle, Box<Ctx>)> {
    let (handle, mut ctx) = VmHandle::new(Default::default(), Default::default(), rubellite_corelib::hooks())?;
    if rubellite_corelib::boot(&mut ctx).is_err() {
        let text = ctx.pending_exception().map(|e| ctx.inspect(e).unwrap_or_default());
        eprintln!("boot failed: {text:?}");
        return None;
    }
    Some((handle, ctx))
}

//! Rubellite embedded: one VM with its core library.

#![forbid(unsafe_code)]

use rubellite_vm::{Ctx, VmConfig, VmHandle};

/// A VM with all core classes; the calling thread is its main thread.
pub fn new_vm(config: VmConfig) -> Option<(VmHandle, Box<Ctx>)> {
    let (handle, mut ctx) = VmHandle::new(config, rubellite_corelib::hooks())?;
    if rubellite_corelib::boot(&mut ctx).is_err() {
        let text = ctx.take_exception().map(|e| rubellite_corelib::object::report(&mut ctx, e, false));
        eprintln!("boot failed: {}", String::from_utf8_lossy(&text.unwrap_or_default()));
        return None;
    }
    rubellite_stdlib::register_all(&mut ctx);
    Some((handle, ctx))
}

/// `RUBELLITE_STRESS=gc,switch`: collect at every allocation, switch threads at every safepoint.
pub fn stress_from_environment(ctx: &mut Ctx) {
    let Ok(list) = std::env::var("RUBELLITE_STRESS") else { return };
    for word in list.split(',') {
        match word {
            "gc" => ctx.set_gc_stress(true),
            "switch" => ctx.thread().lock_thread.interrupt(rubellite_vm::thread::interrupt_bits::STRESS),
            _ => {}
        }
    }
}

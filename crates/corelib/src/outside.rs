//! Long native work without the VM lock: what depends on the size of its input runs in a region above a size, and looks now
//! and then whether somebody interrupts its thread.

use rubellite_vm::object::Str;
use rubellite_vm::vmlock::{Kind, RegionSite, Unblock};
use rubellite_vm::{Ctx, Result};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Strings from this length on are worked on outside the lock: about 0.1 ms of the fastest work, against less than a
/// microsecond for sharing the bytes and leaving.
pub const BYTES_MIN: usize = 1 << 17;

/// Whether work should give up. It answers quickly: asking every few thousand steps costs nothing.
pub struct Stop<'a>(Option<&'a AtomicBool>);

impl Stop<'_> {
    #[inline]
    pub fn requested(&self) -> bool {
        self.0.is_some_and(|flag| flag.load(Relaxed))
    }

    /// The same in a loop of small steps: asks every 65,536th.
    #[inline]
    pub fn requested_at(&self, step: usize) -> bool {
        step & 0xffff == 0xffff && self.requested()
    }
}

/// Runs `work` outside the lock. It returns `None` when it was asked to stop; after an interrupt that raises nothing it
/// begins anew.
pub fn run<R: Send>(ctx: &mut Ctx, site: &'static RegionSite, work: impl Fn(&Stop) -> Option<R> + Send + Sync) -> Result<R> {
    loop {
        let flag = AtomicBool::new(false);
        let attempt = || work(&Stop(Some(&flag)));
        match ctx.try_blocking(Kind::Short(site), Unblock::Flag(&flag), attempt)? {
            Some(Some(result)) => return Ok(result),
            _ => ctx.check_interrupts()?,
        }
    }
}

/// Runs `work` on the bytes of a string: outside the lock, on shared bytes, when they are many.
pub fn on_bytes<R: Send>(ctx: &mut Ctx, s: Str, site: &'static RegionSite, work: impl Fn(&[u8], &Stop) -> Option<R> + Send + Sync) -> Result<R> {
    if s.len() < BYTES_MIN {
        if let Some(result) = work(s.bytes(ctx), &Stop(None)) {
            return Ok(result);
        }
    }
    let shared = s.share(ctx);
    run(ctx, site, |stop| work(&shared, stop))
}

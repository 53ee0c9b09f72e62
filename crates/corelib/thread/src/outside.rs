//! Long native work: without the VM lock, where what depends on the size of its input runs in a region above a size and looks now
//! and then whether somebody interrupts its thread; with it, where loops are safepoints now and then.

use crate::operation::{Ends, offload};
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
    /// For work that nobody stops.
    pub const NEVER: Stop<'static> = Stop(None);

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

/// `Ctx::blocking_until_done` for work that the scheduler of a non-blocking fiber may have done elsewhere: what it keeps in what it
/// borrows may change hands, one thread at a time. Other fibers run meanwhile, so this is for work during which CRuby
/// lets them run too.
pub fn until_done<R: Send>(ctx: &mut Ctx, kind: Kind, mut work: impl FnMut(&AtomicBool) -> Option<R> + Send) -> Result<R> {
    match offload(ctx, kind, Ends::ByFlag, &mut work)? {
        Some(result) => Ok(result),
        None => ctx.blocking_until_done(kind, work),
    }
}

/// `until_done` for work that runs once and cannot be stopped.
pub fn once<R: Send>(ctx: &mut Ctx, kind: Kind, work: impl FnOnce() -> R + Send) -> Result<R> {
    let mut work = Some(work);
    until_done(ctx, kind, |_| work.take().map(|work| work()))
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

/// Steps of work under the lock between two safepoints: a few microseconds, so that an interrupt or a thread whose turn it is need not
/// wait longer.
pub const POLL: usize = 1024;

/// For loops of many small steps that need the lock: a safepoint every `POLL` steps.
#[inline]
pub fn poll(ctx: &mut Ctx, step: usize) -> Result<()> {
    if step % POLL == POLL - 1 { ctx.check_interrupts() } else { Ok(()) }
}

/// Runs `work` on so many bytes that belong to nobody else: outside the lock when they are many.
pub fn sized<R: Send>(ctx: &mut Ctx, len: usize, site: &'static RegionSite, work: impl Fn(&Stop) -> Option<R> + Send + Sync) -> Result<R> {
    if len < BYTES_MIN
        && let Some(result) = work(&Stop(None))
    {
        return Ok(result);
    }
    run(ctx, site, work)
}

/// Runs `work` on the bytes of a string: outside the lock, on shared bytes, when they are many.
pub fn on_bytes<R: Send>(ctx: &mut Ctx, s: Str, site: &'static RegionSite, work: impl Fn(&[u8], &Stop) -> Option<R> + Send + Sync) -> Result<R> {
    if s.len() < BYTES_MIN
        && let Some(result) = work(s.bytes(ctx), &Stop(None))
    {
        return Ok(result);
    }
    let shared = s.share(ctx);
    run(ctx, site, |stop| work(&shared, stop))
}

/// The same on two strings: what counts is the length of both together.
pub fn on_both<R: Send>(
    ctx: &mut Ctx,
    (a, b): (Str, Str),
    site: &'static RegionSite,
    work: impl Fn(&[u8], &[u8], &Stop) -> Option<R> + Send + Sync,
) -> Result<R> {
    if a.len() + b.len() < BYTES_MIN
        && let Some(result) = work(a.bytes(ctx), b.bytes(ctx), &Stop(None))
    {
        return Ok(result);
    }
    let (a, b) = (a.share(ctx), b.share(ctx));
    run(ctx, site, |stop| work(&a, &b, stop))
}

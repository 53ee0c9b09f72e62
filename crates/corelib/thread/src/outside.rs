//! Long native work: without the VM lock, where what depends on the size of its input leaves it above a size and looks
//! now and then whether somebody interrupts its thread; with it, where loops are safepoints now and then. The door
//! itself is `Ctx::outside`.

use rubellite_vm::object::Str;
pub use rubellite_vm::outside::Stop;
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Ctx, Ends, Leave, Result};

/// Strings from this length on are worked on outside the lock: about 0.1 ms of the fastest work, against less than a
/// microsecond for sharing the bytes and leaving.
pub const BYTES_MIN: usize = 1 << 17;

/// Steps of work under the lock between two safepoints: a few microseconds, so that an interrupt or a thread whose turn
/// it is need not wait longer.
pub const POLL: usize = 1024;

/// For loops of many small steps that need the lock: a safepoint every `POLL` steps. `step` goes up or down by one each
/// time: of one that goes by twos the right one may never come.
#[inline]
pub fn poll(ctx: &mut Ctx, step: usize) -> Result<()> {
    if step % POLL == POLL - 1 { ctx.check_interrupts() } else { Ok(()) }
}

fn ended_by_flag(site: &'static RegionSite) -> Leave<'static> {
    Leave::new(Kind::Short(site), Ends::Flag)
}

/// Runs `work` on so many bytes that belong to nobody else: outside the lock when they are many.
pub fn sized<R: Send>(
    ctx: &mut Ctx,
    len: usize,
    site: &'static RegionSite,
    work: impl Fn(&Stop) -> Option<R> + Send + Sync,
) -> Result<R> {
    if len < BYTES_MIN
        && let Some(result) = work(&Stop::NEVER)
    {
        return Ok(result);
    }
    ctx.outside(ended_by_flag(site), work)
}

/// Runs `work` on the bytes of a string: outside the lock, on shared bytes, when they are many.
pub fn on_bytes<R: Send>(
    ctx: &mut Ctx,
    s: Str,
    site: &'static RegionSite,
    work: impl Fn(&[u8], &Stop) -> Option<R> + Send + Sync,
) -> Result<R> {
    if s.len() < BYTES_MIN
        && let Some(result) = work(s.bytes(ctx), &Stop::NEVER)
    {
        return Ok(result);
    }
    let shared = s.share(ctx);
    ctx.outside(ended_by_flag(site), |stop| work(&shared, stop))
}

/// The same on two strings: what counts is the length of both together.
pub fn on_both<R: Send>(
    ctx: &mut Ctx,
    (a, b): (Str, Str),
    site: &'static RegionSite,
    work: impl Fn(&[u8], &[u8], &Stop) -> Option<R> + Send + Sync,
) -> Result<R> {
    if a.len() + b.len() < BYTES_MIN
        && let Some(result) = work(a.bytes(ctx), b.bytes(ctx), &Stop::NEVER)
    {
        return Ok(result);
    }
    let (a, b) = (a.share(ctx), b.share(ctx));
    ctx.outside(ended_by_flag(site), |stop| work(&a, &b, stop))
}

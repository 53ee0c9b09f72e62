//! Time stamps for the account of a thread, taken from the processor's own counter where the system
//! trusts it: a third of the cost of the clock. They lie on the scale of `now_ns` and within some
//! microseconds of it; nothing may wait for one.
//!
//! Stamps are reckoned from an anchor, a moment at which counter and clock were read together, and from the rate
//! between two anchors. An anchor serves for four times as long as the distance from which its rate was measured, at
//! most a second, so that an error of a reading is never more than quadrupled and no drift adds up. The four numbers
//! are written under an odd sequence number and read again when it has changed. A child that was forked just
//! then finds it odd for ever, and reads the clock.
//!
//! Rejected: counters for the sums and a conversion when somebody asks; the slow paths have the clock in hand
//! already, and would read both.

use super::os::{counter_is_steady, now_ns};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64, fence};

/// Counter and clock belong together if the counter went on by no more than this around the clock's reading.
const SAME_MOMENT_TICKS: u64 = 4_000;
/// A rate is measured over at least this.
const RATE_NS: u64 = 1_000_000;
/// An anchor serves no longer than this.
const SPAN_NS: u64 = 1_000_000_000;
/// The sequence number that says: this machine has no such counter.
const NEVER: u32 = u32::MAX;

/// The counter's relation to the clock; it is the machine's, not a lock's.
static ANCHOR: Anchor = Anchor {
    sequence: AtomicU32::new(0),
    ticks: AtomicU64::new(0),
    ns: AtomicU64::new(0),
    rate: AtomicU64::new(0),
    span_ticks: AtomicU64::new(0),
};

struct Anchor {
    sequence: AtomicU32,
    ticks: AtomicU64,
    ns: AtomicU64,
    /// Nanoseconds per tick, times 2^32.
    rate: AtomicU64,
    /// For how long it serves; zero: it has no rate yet.
    span_ticks: AtomicU64,
}

/// Nanoseconds, as `now_ns`, but cheaper and only nearly right.
#[inline]
pub fn stamp_ns() -> u64 {
    ANCHOR.stamp_ns().unwrap_or_else(|| ANCHOR.renew())
}

impl Anchor {
    /// The present moment, if the anchor serves for it.
    #[inline]
    fn stamp_ns(&self) -> Option<u64> {
        let sequence = self.sequence.load(Acquire);
        if sequence & 1 == 1 {
            return None;
        }
        let past = ticks()?.wrapping_sub(self.ticks.load(Relaxed));
        let ns = self.ns.load(Relaxed).wrapping_add(scaled(past, self.rate.load(Relaxed)));
        let serves = past < self.span_ticks.load(Relaxed);
        fence(Acquire);
        (serves && self.sequence.load(Relaxed) == sequence).then_some(ns)
    }

    /// Reads the clock, and makes a new anchor of it if nobody else does.
    #[cold]
    fn renew(&self) -> u64 {
        let sequence = self.sequence.load(Relaxed);
        if sequence & 1 == 1 {
            return now_ns();
        }
        if sequence == 0 && !(ticks().is_some() && counter_is_steady()) {
            self.sequence.store(NEVER, Relaxed);
            return now_ns();
        }
        let before = ticks().unwrap_or(0);
        let ns = now_ns();
        let around = ticks().unwrap_or(0).wrapping_sub(before);
        let distance_ns = ns.saturating_sub(self.ns.load(Relaxed));
        let first = sequence == 0;
        if around > SAME_MOMENT_TICKS || !first && distance_ns < RATE_NS {
            return ns;
        }
        // The number stays below NEVER.
        let odd = (sequence + 1) & (NEVER >> 1);
        if self.sequence.compare_exchange(sequence, odd, Acquire, Relaxed).is_ok() {
            fence(Release);
            let distance = before.wrapping_add(around / 2).wrapping_sub(self.ticks.load(Relaxed));
            let rate = rate(distance_ns, distance).filter(|_| !first);
            let span_ns = distance_ns.saturating_mul(4).min(SPAN_NS);
            self.span_ticks.store(
                rate.map_or(0, |rate| (u128::from(span_ns) << 32).checked_div(u128::from(rate)).unwrap_or(0) as u64),
                Relaxed,
            );
            self.rate.store(rate.unwrap_or(0), Relaxed);
            self.ticks.store(before.wrapping_add(around / 2), Relaxed);
            self.ns.store(ns, Relaxed);
            // Never zero again, which means: no anchor yet.
            self.sequence.store(odd.wrapping_add(1).max(2), Release);
        }
        ns
    }
}

#[inline(always)]
fn scaled(ticks: u64, rate: u64) -> u64 {
    ((u128::from(ticks) * u128::from(rate)) >> 32) as u64
}

/// Nanoseconds per tick, times 2^32; nothing when the counter did not go on like a clock (a machine that slept).
fn rate(ns: u64, ticks: u64) -> Option<u64> {
    let rate = u64::try_from((u128::from(ns) << 32).checked_div(u128::from(ticks))?).ok()?;
    // Counters of 1 MHz to 20 GHz.
    (1 << 27..1 << 42).contains(&rate).then_some(rate)
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn ticks() -> Option<u64> {
    // SAFETY: every processor of this architecture has the counter; reading it changes nothing.
    Some(unsafe { std::arch::x86_64::_rdtsc() })
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn ticks() -> Option<u64> {
    let ticks: u64;
    // SAFETY: reads the virtual counter, which programs may read on Linux and which changes nothing.
    unsafe { std::arch::asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nostack, preserves_flags, nomem)) };
    Some(ticks)
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline(always)]
fn ticks() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn stamps_keep_to_the_clock() {
        let mut worst_ns = 0;
        for round in 0..400 {
            let before_ns = now_ns();
            let stamp = stamp_ns();
            let after_ns = now_ns();
            worst_ns = worst_ns.max(before_ns.saturating_sub(stamp)).max(stamp.saturating_sub(after_ns));
            if round % 4 == 0 {
                std::thread::sleep(Duration::from_micros(500));
            }
        }
        assert!(worst_ns < 50_000, "{worst_ns} ns away from the clock");
    }

    #[test]
    fn threads_that_read_stamps_agree() {
        let threads = std::array::from_fn::<_, 4, _>(|_| {
            std::thread::spawn(|| {
                for _ in 0..20_000 {
                    let (stamp, clock_ns) = (stamp_ns(), now_ns());
                    assert!(stamp < clock_ns + 50_000, "{} ns ahead", stamp - clock_ns);
                }
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }

    #[test]
    fn a_rate_is_refused_when_the_counter_leapt() {
        assert_eq!(rate(1_000_000, 2_000_000), Some(1 << 31));
        assert_eq!(rate(1_000_000, 0), None);
        assert_eq!(rate(1_000_000, u64::MAX - 5), None);
    }
}

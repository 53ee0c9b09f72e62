//! The lock's one word: its layout, its states and the arithmetic on them. Who may
//! make which transition is `lock`'s business.
//!
//! ```text
//! 63            32 31                 8 7..5  4      3     2      1..0
//! region number    owner's slot         -     GIVEN  SLOW  WAITED state
//! ```

/// Nobody has the lock. Then nobody waits for it either.
pub const FREE: u64 = 0;
/// The owner runs the interpreter.
pub const HELD: u64 = 1;
/// The owner is in a short region; a waiter may steal the lock.
pub const LENT: u64 = 2;
/// A thread that holds the internal mutex is passing the lock on.
pub const MOVING: u64 = 3;
const STATE: u64 = 3;
/// The queues are not empty: whoever leaves must look at them.
pub const WAITED: u64 = 4;
/// A trace or a schedule is installed: every fast path is closed.
pub const SLOW: u64 = 8;
/// With HELD: the owner was handed the lock and has not seen it yet. Until it takes this bit away its turn may be
/// taken over.
pub const GIVEN: u64 = 16;

const OWNER_SHIFT: u32 = 8;
const OWNER: u64 = 0xff_ffff << OWNER_SHIFT;
const REGION_SHIFT: u32 = 32;
/// What entering a region adds: HELD becomes LENT, and the region gets the next number.
pub const LEND: u64 = (1 << REGION_SHIFT) + (LENT - HELD);
/// What leaving it subtracts.
pub const UNLEND: u64 = LENT - HELD;
/// Slots are below this.
pub const OWNERS: u32 = 0xff_ffff;

#[inline(always)]
pub fn state(word: u64) -> u64 {
    word & STATE
}

#[inline(always)]
pub fn owner(word: u64) -> u32 {
    ((word & OWNER) >> OWNER_SHIFT) as u32
}

/// The number of the region that is on, or was on last.
#[inline(always)]
pub fn region(word: u64) -> u64 {
    word >> REGION_SHIFT
}

/// Free, and no reason to take the slow path.
#[inline(always)]
pub fn is_free_and_fast(word: u64) -> bool {
    word & (STATE | WAITED | SLOW) == FREE
}

#[inline(always)]
pub fn is_waited_or_slow(word: u64) -> bool {
    word & (WAITED | SLOW) != 0
}

/// The same word with another owner and state; the region number and SLOW stay.
#[inline(always)]
pub fn with(word: u64, state: u64, owner: u32, waited: bool) -> u64 {
    (word & !(STATE | WAITED | GIVEN | OWNER)) | state | (owner as u64) << OWNER_SHIFT | if waited { WAITED } else { 0 }
}

/// The same word, nobody's.
#[inline(always)]
pub fn freed(word: u64) -> u64 {
    word & !(STATE | WAITED | GIVEN | OWNER)
}

/// The word without what others may set at any time.
#[inline(always)]
pub fn bare(word: u64) -> u64 {
    word & !(WAITED | SLOW)
}

/// The owner and what it does with the lock, without what others may set at any time.
#[inline(always)]
pub fn holder(word: u64) -> u64 {
    word & (STATE | GIVEN | OWNER)
}

/// `holder` of the word while the thread with that slot holds the lock and has begun its turn. It is not 0.
pub fn held_by(slot: u32) -> u64 {
    with(0, HELD, slot, false)
}

/// Handed to that thread, which has not begun its turn.
#[inline(always)]
pub fn is_given(word: u64) -> bool {
    word & (STATE | GIVEN) == HELD | GIVEN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lending_and_taking_back_keeps_owner_and_flags() {
        let held = with(SLOW, HELD, 77, true);
        let lent = held.wrapping_add(LEND);
        assert_eq!((state(lent), owner(lent), region(lent)), (LENT, 77, 1));
        assert!(is_waited_or_slow(lent));
        assert_eq!(lent - UNLEND, with(1 << 32 | SLOW, HELD, 77, true));
        assert_eq!(freed(lent) & !SLOW, 1 << 32);
    }

    #[test]
    fn the_region_number_wraps() {
        let last = with(u64::MAX << 32, HELD, 1, false).wrapping_add(LEND);
        assert_eq!((state(last), owner(last), region(last)), (LENT, 1, 0));
    }
}

//! How much address space is reserved where a limit (RLIMIT_AS, `ulimit -v`) makes it scarce. Stacks are reserved for
//! the deepest recursion and touched as far as a program goes; without a limit the rest costs nothing, under one it is
//! missing elsewhere.

pub use rubellite_gc::reserve::trim;

use rubellite_gc::reserve;
use std::sync::OnceLock;

/// How many bytes of address space the process may have; `usize::MAX` without a limit.
pub fn limit() -> usize {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the structure is ours.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) } == 0;
    if known && limit.rlim_cur != libc::RLIM_INFINITY { limit.rlim_cur as usize } else { usize::MAX }
}

/// What is told of a new limit.
static ON_LIMIT: OnceLock<fn()> = OnceLock::new();

/// The limit is another one: the allocator gives up what it has set aside of the address space, and what is spent last
/// is kept, unless it is already.
pub fn limited_anew() {
    if limit() != usize::MAX
        && let Some(limited) = ON_LIMIT.get()
    {
        limited();
    }
    reserve::hold(limit(), None);
}

/// `wanted` bytes, but no more than this part of a limit.
pub fn portion(wanted: usize, part: usize) -> usize {
    wanted.min(limit() / part)
}

/// Below this limit the C library's allocator gets along with one arena: each reserves 64 MiB.
const SCARCE: usize = 2 << 30;

/// To be called before there is a second thread. `trim` gives memory that the allocator keeps back to the system;
/// `limited` tells it of a limit that a program sets.
pub fn prepare(trim: fn(), limited: fn()) {
    ON_LIMIT.get_or_init(|| limited);
    reserve::hold(limit(), Some(trim));
    #[cfg(target_env = "gnu")]
    if limit() < SCARCE {
        // SAFETY: a setting of the C library's allocator.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

//! What the parts of the runtime that order threads agree upon for the race detector (`Ctx::race_release`,
//! `corelib/lock/src/races`).

/// The key of signals that the process sends to itself. Odd, as that of no object is.
pub const SIGNALS: u64 = 3;
/// The key of finalizers.
pub const FINALIZERS: u64 = 13;

//! Unit tests that need the real system below the lock; the models compile the other sources a second time, their unit
//! tests included.

mod fairness;
mod spin;
mod takeover;

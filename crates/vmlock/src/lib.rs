//! vmlock

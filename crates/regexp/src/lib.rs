//! regexp

//! corelib

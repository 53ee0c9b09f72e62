//! rubellite

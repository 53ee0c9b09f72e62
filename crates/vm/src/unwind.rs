//! Non-local exits.

use rubellite_value::Value;

/// The mark of a non-local exit under way. It carries nothing: the pending exception, throw, break or
/// return lies in the `Ctx` until somebody catches it, so that a `Result` stays two registers wide.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Unwind;

/// What everything that may run Ruby code returns.
pub type Result<T = Value> = std::result::Result<T, Unwind>;

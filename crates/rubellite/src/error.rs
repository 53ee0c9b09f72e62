//! Errors: a Ruby exception as a Rust error, and what else can end a call.

use crate::Any;
use std::fmt;

/// Why a call into the VM did not come to a value.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Ruby code raised an exception that nobody rescued.
    Exception(Exception),
    /// `exit` with this status.
    Exit(i32),
    /// The time allowed for the call is over. Its `ensure` clauses have run.
    TimedOut,
    /// The thread was killed by Ruby code.
    Killed,
    /// A value that has no form of the wanted type: what was wanted, and the class of the value.
    Conversion { wanted: &'static str, got: String },
    /// The calling native thread is inside this VM already: use the `Scope` that it has.
    Inside,
    /// A value of another VM.
    OtherVm,
    /// The VM, or a stack for another thread, cannot be made.
    OutOfMemory,
    /// Making the VM failed; the report of the exception.
    Boot(String),
}

/// A Ruby exception.
#[derive(Debug)]
pub struct Exception {
    /// The name of its class: `"ArgumentError"`.
    pub class: String,
    pub message: String,
    /// Its backtrace, innermost first, as Ruby shows it: `"a.rb:3:in 'Foo#bar'"`.
    pub backtrace: Vec<String>,
    /// The exception object.
    pub object: Any,
}

impl Error {
    /// The Ruby exception, if it is one.
    pub fn exception(&self) -> Option<&Exception> {
        match self {
            Error::Exception(exception) => Some(exception),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Exception(exception) => exception.fmt(f),
            Error::Exit(status) => write!(f, "exit with status {status}"),
            Error::TimedOut => f.write_str("the time allowed for the call is over"),
            Error::Killed => f.write_str("the thread was killed"),
            Error::Conversion { wanted, got } => write!(f, "{got} cannot be made a {wanted}"),
            Error::Inside => f.write_str("the calling thread is inside this VM already"),
            Error::OtherVm => f.write_str("the value belongs to another VM"),
            Error::OutOfMemory => f.write_str("out of memory"),
            Error::Boot(report) => write!(f, "the VM cannot be made: {report}"),
        }
    }
}

/// The first line as Ruby reports it, then the rest of the backtrace.
impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(first) = self.backtrace.first() {
            write!(f, "{first}: ")?;
        }
        write!(f, "{} ({})", self.message, self.class)?;
        self.backtrace.iter().skip(1).try_for_each(|line| write!(f, "\n\tfrom {line}"))
    }
}

impl std::error::Error for Error {}

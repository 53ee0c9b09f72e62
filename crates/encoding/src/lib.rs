//! Encodings, character classes, case mapping and transcoding over plain byte slices.
//!
//! This crate knows nothing of the VM: it has no `Value`, raises nothing and allocates only
//! what it returns. Regular expressions are `rubellite-regexp`.

#![forbid(unsafe_code)]

mod capital;
mod case;
mod chars;
mod compat;
mod ctype;
mod list;
mod scan;
mod tables;
pub mod transcode;
mod unicode;

pub use case::{CaseError, CaseOp, CaseOptions, casecmp_ascii, casecmp_fold_until, map_case, map_case_until};
pub use chars::{CharLen, Chars, CodePointError};
pub use compat::{Side, compatible};
pub use ctype::{CType, is_ctype, is_printable};
pub use list::{Encoding, Family};
pub use scan::{CodeRange, ascii_prefix_len, is_ascii};
pub use unicode::{NormalizationForm, grapheme_clusters_until, is_normalized, normalize_until};

/// An empty vector with room for so many bytes. Where the system has none it unwinds with what the VM takes for
/// exhausted memory; what `Vec` does itself ends the process.
fn room(len: usize) -> Vec<u8> {
    let mut out = Vec::new();
    if out.try_reserve_exact(len).is_err() {
        std::panic::resume_unwind(Box::new("out of memory"));
    }
    out
}

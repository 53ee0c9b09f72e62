//! Errors about encodings that do not go together.

use rubellite_vm::{Ctx, Encoding, Unwind};

/// How messages name an encoding.
pub fn encoding_label(encoding: Encoding) -> &'static str {
    if encoding == Encoding::BINARY { "BINARY (ASCII-8BIT)" } else { encoding.name() }
}

#[cold]
pub fn incompatible(ctx: &mut Ctx, a: Encoding, b: Encoding) -> Unwind {
    let message = format!("incompatible character encodings: {} and {}", encoding_label(a), encoding_label(b));
    ctx.raise_error("Encoding::CompatibilityError", &message)
}

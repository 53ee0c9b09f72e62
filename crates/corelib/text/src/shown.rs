//! Texts as messages show them: what cannot be printed has escapes.

use crate::{default_external, default_internal};
use rubellite_encoding::{Encoding, is_printable};
use rubellite_vm::Ctx;
use std::fmt::Write;

/// The letter behind the backslash for a control character that has one.
pub fn control_letter(code: u32) -> Option<u8> {
    Some(match code {
        0x0A => b'n',
        0x0D => b'r',
        0x09 => b't',
        0x0C => b'f',
        0x0B => b'v',
        0x08 => b'b',
        0x07 => b'a',
        0x1B => b'e',
        _ => return None,
    })
}

/// A text written in ASCII, without quotes: what cannot be printed there has escapes.
pub fn escaped(bytes: &[u8], encoding: Encoding) -> String {
    let mut out = String::new();
    let mut pos = 0;
    // Writing to a String does not fail.
    while pos < bytes.len() {
        let Ok((code, len)) = encoding.code_point(&bytes[pos..]) else {
            let len = encoding.min_len().min(bytes.len() - pos);
            bytes[pos..pos + len].iter().for_each(|byte| _ = write!(out, "\\x{byte:02X}"));
            pos += len;
            continue;
        };
        pos += len;
        match code {
            0x20..0x7F => out.push(code as u8 as char),
            0 => out.push_str("\\0"),
            0x7F => out.push_str("\\c?"),
            _ if let Some(letter) = control_letter(code) => out.extend(['\\', letter as char]),
            _ if encoding.is_unicode() && code > 0xFFFF => _ = write!(out, "\\u{{{code:X}}}"),
            _ if encoding.is_unicode() => _ = write!(out, "\\u{code:04X}"),
            _ if code > 0xFF => _ = write!(out, "\\x{{{code:X}}}"),
            _ => _ = write!(out, "\\x{code:02X}"),
        }
    }
    out
}

/// A text as messages show it: as it is when all of it can be printed where the program writes, with escapes otherwise.
pub fn shown(ctx: &Ctx, bytes: &[u8], encoding: Encoding) -> String {
    if is_shown_plain(ctx, bytes, encoding) {
        String::from_utf8_lossy(bytes).into_owned()
    } else {
        escaped(bytes, encoding)
    }
}

/// Whether all of a text can be printed where the program writes.
pub fn is_shown_plain(ctx: &Ctx, bytes: &[u8], encoding: Encoding) -> bool {
    let output = default_internal(ctx).unwrap_or_else(|| default_external(ctx));
    let mut rest = bytes;
    while !rest.is_empty() {
        match encoding.code_point(rest) {
            Ok((code, len)) if is_printable(code, encoding) => rest = &rest[len..],
            _ => return false,
        }
    }
    bytes.is_ascii() || encoding == output
}

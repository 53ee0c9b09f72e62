//! Encodings: their structures for C code, and characters.

use crate::state::{api, api_to_read};
use rubellite_core_encoding::object as encodings;
use rubellite_encoding::{CType, CharLen, CodePointError, Encoding, is_ctype};
use rubellite_vm::object::{Regexp, Str};
use rubellite_vm::{Ctx, Result, Value};
use std::ffi::{CString, c_char, c_int, c_uint};
use std::sync::OnceLock;

/// `OnigEncodingType`.
#[repr(C)]
pub struct Structure {
    name: *const c_char,
    max_len: c_int,
    min_len: c_int,
    index: c_int,
    ascii_compatible: c_int,
    dummy: c_int,
    flags: c_uint,
    is_mbc_newline: unsafe extern "C" fn(*const u8, *const u8, *const Structure) -> c_int,
    is_code_ctype: unsafe extern "C" fn(c_uint, c_uint, *const Structure) -> c_int,
}

unsafe extern "C" {
    fn rbl_c_mbc_newline(start: *const u8, end: *const u8, encoding: *const Structure) -> c_int;
    fn rbl_c_code_ctype(code: c_uint, kind: c_uint, encoding: *const Structure) -> c_int;
}

// SAFETY: the structures never change, and the names they point at stay.
unsafe impl Send for Structure {}
// SAFETY: as above.
unsafe impl Sync for Structure {}

fn structures() -> &'static [Structure] {
    static ALL: OnceLock<Vec<Structure>> = OnceLock::new();
    ALL.get_or_init(|| {
        let make = |encoding: Encoding| Structure {
            name: CString::new(encoding.name()).unwrap_or_default().into_raw(),
            max_len: encoding.max_len() as c_int,
            min_len: encoding.min_len() as c_int,
            index: encoding.index() as c_int,
            ascii_compatible: c_int::from(encoding.is_ascii_compatible()),
            dummy: c_int::from(encoding.is_dummy()),
            flags: 0,
            is_mbc_newline: rbl_c_mbc_newline,
            is_code_ctype: rbl_c_code_ctype,
        };
        Encoding::all().map(make).collect()
    })
}

/// All structures, by index.
///
/// # Safety
/// Called by the shim with its variables.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_c_encodings(first: *mut *const Structure, count: *mut usize) -> c_int {
    let all = structures();
    // SAFETY: by contract.
    unsafe {
        *first = all.as_ptr();
        *count = all.len();
    }
    0
}

fn structure(encoding: Encoding) -> *const Structure {
    &raw const structures()[encoding.index()]
}

/// # Safety
/// It is null or one of ours.
pub unsafe fn encoding_of(structure: *const Structure) -> Encoding {
    if structure.is_null() {
        return Encoding::BINARY;
    }
    // SAFETY: by contract.
    Encoding::from_index(unsafe { (*structure).index } as usize).unwrap_or(Encoding::BINARY)
}

/// # Safety
/// The bytes between the addresses can be read.
pub unsafe fn range<'a>(start: *const c_char, end: *const c_char) -> &'a [u8] {
    if start >= end {
        return &[];
    }
    // SAFETY: by contract.
    unsafe { std::slice::from_raw_parts(start.cast(), end as usize - start as usize) }
}

/// The encoding of a String, Symbol, Regexp, IO or Encoding.
fn index_of(ctx: &mut Ctx, value: Value) -> Result<c_int> {
    if let Some(string) = Str::try_of(value) {
        return Ok(string.encoding().index() as c_int);
    }
    if let Some(name) = value.as_symbol() {
        return Ok(ctx.sym_encoding(name).index() as c_int);
    }
    if let Some(encoding) = encodings::try_encoding(ctx, value) {
        return Ok(encoding.index() as c_int);
    }
    if Regexp::try_of(value).is_some() {
        let encoding = crate::own::call(ctx, value, "encoding", &[])?;
        return Ok(encodings::try_encoding(ctx, encoding).map_or(-1, |encoding| encoding.index() as c_int));
    }
    if rubellite_core_io::io::state::try_state(ctx, value).is_some() {
        for name in ["internal_encoding", "external_encoding"] {
            let encoding = crate::own::call(ctx, value, name, &[])?;
            if let Some(encoding) = encodings::try_encoding(ctx, encoding) {
                return Ok(encoding.index() as c_int);
            }
        }
    }
    Ok(-1)
}

fn locale(ctx: &mut Ctx, name: &str) -> Result<Encoding> {
    let class = ctx.named_class("Encoding")?.value();
    let name = Str::ascii(ctx, name).value();
    let found = crate::own::call(ctx, class, "find", &[name])?;
    Ok(encodings::try_encoding(ctx, found).unwrap_or(Encoding::UTF_8))
}

fn find(ctx: &mut Ctx, name: *const c_char) -> Option<Encoding> {
    // SAFETY: a C string.
    let name = unsafe { crate::define::text(name) };
    if let Some(encoding) = Encoding::find(name.as_bytes()) {
        return Some(encoding);
    }
    match &*name.to_ascii_lowercase() {
        "external" => Some(encodings::default_external(ctx)),
        "internal" => encodings::default_internal(ctx),
        "locale" | "filesystem" => {
            let found = locale(ctx, "locale");
            if found.is_err() {
                ctx.clear_pending();
            }
            found.ok()
        }
        _ => None,
    }
}

/// The bytes of a character. Halves of surrogate pairs are none, and written all the same.
fn put(encoding: Encoding, code: u32) -> std::result::Result<Vec<u8>, CodePointError> {
    let mut bytes = Vec::new();
    if !encoding.is_unicode() || !(0xD800..=0xDFFF).contains(&code) {
        return encoding.encode_code_point(code, &mut bytes).map(|_| bytes);
    }
    if encoding.min_len() == 1 {
        return Ok(vec![0xED, 0x80 | (code >> 6 & 0x3F) as u8, 0x80 | (code & 0x3F) as u8]);
    }
    encoding.encode_code_point(u32::from(b'A'), &mut bytes)?;
    let big = bytes.last() == Some(&b'A');
    let word = if big { code.to_be_bytes() } else { code.to_le_bytes() };
    let width = bytes.len();
    Ok(if big { word[4 - width..].to_vec() } else { word[..width].to_vec() })
}

fn index_or_none(encoding: Option<Encoding>) -> c_int {
    encoding.map_or(-1, |encoding| encoding.index() as c_int)
}

api_to_read! {
    fn rbl_locale_encoding(ctx) -> *const Structure {
        Ok(structure(locale(ctx, "locale")?))
    }

    fn rbl_locale_encindex(ctx) -> c_int {
        Ok(locale(ctx, "locale")?.index() as c_int)
    }
}

api! {
    fn rbl_filesystem_encoding(ctx) -> *const Structure {
        Ok(structure(locale(ctx, "filesystem")?))
    }

    fn rbl_filesystem_encindex(ctx) -> c_int {
        Ok(locale(ctx, "filesystem")?.index() as c_int)
    }
}

api_to_read! {
    fn rbl_default_external_encoding(ctx) -> *const Structure {
        Ok(structure(encodings::default_external(ctx)))
    }

    fn rbl_default_internal_encoding(ctx) -> *const Structure {
        Ok(encodings::default_internal(ctx).map_or(std::ptr::null(), structure))
    }

    fn rbl_enc_find(ctx, name: *const c_char) -> *const Structure {
        Ok(structure(find(ctx, name).unwrap_or(Encoding::BINARY)))
    }

    fn rbl_enc_find_index(ctx, name: *const c_char) -> c_int {
        Ok(index_or_none(find(ctx, name)))
    }
}

api! {
    fn rbl_c_encoding_index(ctx, value: Value) -> c_int {
        index_of(ctx, value)
    }

    fn rbl_enc_from_encoding(ctx, structure: *const Structure) -> Value {
        if structure.is_null() {
            return Ok(Value::NIL);
        }
        // SAFETY: one of ours.
        let encoding = unsafe { encoding_of(structure) };
        Ok(encodings::encoding_object(ctx, encoding))
    }

    fn rbl_to_encoding(ctx, value: Value) -> *const Structure {
        Ok(structure(encodings::to_encoding(ctx, value)?))
    }

    fn rbl_find_encoding(ctx, value: Value) -> *const Structure {
        if encodings::try_encoding(ctx, value).is_none() {
            ctx.to_str(value)?;
        }
        let found = encodings::to_encoding(ctx, value);
        if found.is_err() {
            ctx.clear_pending();
        }
        Ok(found.map_or(std::ptr::null(), structure))
    }

    fn rbl_to_encoding_index(ctx, value: Value) -> c_int {
        let found = encodings::to_encoding(ctx, value);
        if found.is_err() {
            ctx.clear_pending();
        }
        Ok(found.map_or(-1, |encoding| encoding.index() as c_int))
    }

    fn rbl_enc_set_index(ctx, value: Value, index: c_int) {
        ctx.check_frozen(value)?;
        let Some(encoding) = usize::try_from(index).ok().and_then(Encoding::from_index) else {
            return Err(ctx.raise_error("EncodingError", &format!("encoding index out of bound: {index}")));
        };
        match Str::try_of(value) {
            Some(string) => string.set_encoding(encoding),
            None if index_of(ctx, value)? >= 0 => {}
            None => return Err(ctx.argument_error("cannot set encoding on non-encoding capable object")),
        }
        Ok(())
    }

    fn rbl_enc_associate_index(ctx, value: Value, index: c_int) -> Value {
        let Some(encoding) = usize::try_from(index).ok().and_then(Encoding::from_index) else {
            return Err(ctx.raise_error("EncodingError", &format!("encoding index out of bound: {index}")));
        };
        match Str::try_of(value) {
            Some(string) => {
                ctx.check_frozen(value)?;
                if string.encoding() != encoding {
                    string.set_encoding(encoding);
                }
            }
            None if Regexp::try_of(value).is_some() => ctx.check_frozen(value)?,
            None if value.is_symbol() => return Err(ctx.frozen_error(value)),
            None => return Err(ctx.argument_error("cannot set encoding on non-encoding capable object")),
        }
        Ok(value)
    }

    fn rbl_enc_dummy_p(ctx, structure: *const Structure) -> c_int {
        // SAFETY: one of ours.
        Ok(unsafe { (*structure).dummy })
    }

    fn rbl_enc_compatible(ctx, a: Value, b: Value) -> *const Structure {
        let class = ctx.named_class("Encoding")?.value();
        let found = crate::own::call(ctx, class, "compatible?", &[a, b])?;
        Ok(encodings::try_encoding(ctx, found).map_or(std::ptr::null(), structure))
    }

    fn rbl_enc_check(ctx, a: Value, b: Value) -> *const Structure {
        let class = ctx.named_class("Encoding")?.value();
        let found = crate::own::call(ctx, class, "compatible?", &[a, b])?;
        if let Some(encoding) = encodings::try_encoding(ctx, found) {
            return Ok(structure(encoding));
        }
        let name = |ctx: &mut Ctx, value| -> Result<String> {
            let index = index_of(ctx, value)?;
            let encoding = usize::try_from(index).ok().and_then(Encoding::from_index);
            Ok(encoding.map_or(String::new(), |encoding| crate::text::label(encoding).to_string()))
        };
        let (a, b) = (name(ctx, a)?, name(ctx, b)?);
        Err(ctx.raise_error("Encoding::CompatibilityError", &format!("incompatible character encodings: {a} and {b}")))
    }

    // -- characters -----------------------------------------------------------------------
}

api_to_read! {
    fn rbl_enc_mbclen(ctx, start: *const c_char, end: *const c_char, structure: *const Structure) -> c_int {
        // SAFETY: the C code's bytes.
        let (bytes, encoding) = unsafe { (range(start, end), encoding_of(structure)) };
        Ok(if bytes.is_empty() { 0 } else { encoding.step_len(bytes) as c_int })
    }

    fn rbl_enc_precise_mbclen(ctx, start: *const c_char, end: *const c_char, structure: *const Structure) -> c_int {
        // SAFETY: as above.
        let (bytes, encoding) = unsafe { (range(start, end), encoding_of(structure)) };
        if bytes.is_empty() {
            return Ok(-2);
        }
        Ok(match encoding.char_len(bytes) {
            CharLen::Valid(len) => len as c_int,
            CharLen::Invalid(_) => -1,
            CharLen::NeedMore => -2,
        })
    }

    fn rbl_enc_codepoint_len(
        ctx, start: *const c_char, end: *const c_char, len: *mut c_int, structure: *const Structure,
    ) -> c_uint {
        // SAFETY: as above.
        let (bytes, encoding) = unsafe { (range(start, end), encoding_of(structure)) };
        if bytes.is_empty() {
            return Err(ctx.argument_error("empty string"));
        }
        match encoding.code_point(bytes) {
            Ok((code, used)) => {
                if !len.is_null() {
                    // SAFETY: the C code's variable.
                    unsafe { *len = used as c_int };
                }
                Ok(code)
            }
            Err(_) => Err(ctx.argument_error(&format!("invalid byte sequence in {}", encoding.name()))),
        }
    }

    fn rbl_enc_codepoint(ctx, start: *const c_char, end: *const c_char, structure: *const Structure) -> c_uint {
        // SAFETY: as above.
        let (bytes, encoding) = unsafe { (range(start, end), encoding_of(structure)) };
        match encoding.code_point(bytes) {
            Ok((code, _)) => Ok(code),
            Err(_) => Err(ctx.argument_error(&format!("invalid byte sequence in {}", encoding.name()))),
        }
    }

    fn rbl_c_mbc_to_codepoint(ctx, start: *const c_char, end: *const c_char, structure: *const Structure) -> c_int {
        // SAFETY: as above.
        let (bytes, encoding) = unsafe { (range(start, end), encoding_of(structure)) };
        let first = || c_int::from(bytes.first().copied().unwrap_or(0));
        Ok(encoding.code_point(bytes).map_or_else(|_| first(), |(code, _)| code as c_int))
    }

    fn rbl_enc_codelen(ctx, code: c_int, structure: *const Structure) -> c_int {
        // SAFETY: one of ours.
        let encoding = unsafe { encoding_of(structure) };
        match put(encoding, code as u32) {
            Ok(bytes) => Ok(bytes.len() as c_int),
            // Some encodings say so of whatever they are given.
            Err(_) if encoding.max_len() == 1 => Ok(1),
            Err(_) if encoding.min_len() > 1 => Ok(4),
            // Onigmo's numbers for what is too big for any character and for what is none, which callers look for.
            Err(_) => {
                let end = if encoding.is_unicode() { 0x11_0000 } else { 1u64 << (8 * encoding.max_len()) };
                Ok(if u64::from(code as u32) >= end { -401 } else { -400 })
            }
        }
    }
}

api! {
    fn rbl_c_code_to_mbc(ctx, code: c_int, target: *mut u8, structure: *const Structure) -> c_int {
        // SAFETY: one of ours.
        let encoding = unsafe { encoding_of(structure) };
        let Ok(bytes) = put(encoding, code as u32) else { return Ok(0) };
        // SAFETY: the C code has room for a character.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), target, bytes.len()) };
        Ok(bytes.len() as c_int)
    }

    fn rbl_c_ctype(ctx, code: c_int, kind: c_int, structure: *const Structure) -> c_int {
        // SAFETY: one of ours.
        let encoding = unsafe { encoding_of(structure) };
        let kind = match kind {
            1 => CType::Alpha,
            2 => CType::Blank,
            3 => CType::Cntrl,
            4 => CType::Digit,
            5 => CType::Graph,
            6 => CType::Lower,
            7 => CType::Print,
            8 => CType::Punct,
            9 => CType::Space,
            10 => CType::Upper,
            11 => CType::XDigit,
            12 => CType::Word,
            13 => CType::Alnum,
            14 => return Ok(c_int::from((0..128).contains(&code))),
            _ => return Ok(c_int::from(code == 10)),
        };
        Ok(c_int::from(is_ctype(encoding, code as u32, kind)))
    }

    fn rbl_c_left_char_head(
        ctx, start: *const c_char, at: *const c_char, end: *const c_char, structure: *const Structure,
    ) -> *mut c_char {
        // SAFETY: the C code's bytes.
        let (bytes, encoding) = unsafe { (range(start, end), encoding_of(structure)) };
        let pos = (at as usize).saturating_sub(start as usize);
        let head = if pos >= bytes.len() { pos } else { encoding.left_adjust(bytes, pos) };
        Ok(start.wrapping_add(head).cast_mut())
    }
}

api_to_read! {
    fn rbl_enc_strlen(ctx, start: *const c_char, end: *const c_char, structure: *const Structure) -> std::ffi::c_long {
        // SAFETY: as above.
        let (bytes, encoding) = unsafe { (range(start, end), encoding_of(structure)) };
        Ok(encoding.char_count(bytes, None) as std::ffi::c_long)
    }
}

api! {
    fn rbl_enc_nth(
        ctx, start: *const c_char, end: *const c_char, nth: std::ffi::c_long, structure: *const Structure,
    ) -> *mut c_char {
        // SAFETY: as above.
        let (bytes, encoding) = unsafe { (range(start, end), encoding_of(structure)) };
        let offset = encoding.byte_offset(bytes, None, nth.max(0) as usize).unwrap_or(bytes.len());
        Ok(start.wrapping_add(offset.min(bytes.len())).cast_mut())
    }

    fn rbl_enc_uint_chr(ctx, code: c_uint, structure: *const Structure) -> Value {
        // SAFETY: one of ours.
        let encoding = unsafe { encoding_of(structure) };
        let (code, encoding) = (Value::fixnum(i64::from(code)), encodings::encoding_object(ctx, encoding));
        crate::own::call(ctx, code, "chr", &[encoding])
    }
}

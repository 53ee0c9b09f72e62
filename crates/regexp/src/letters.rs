//! Kinds and cases of letters where the engine's own tables of encodings lack them: encodings of one byte a character
//! get tables of their own, which are made of the engine's. Which table others have is in `engine.rs`, and what those
//! of Japanese lack in `wide_letters.rs`.
//!
//! The engine's functions are not told the encoding: each of ours is compiled once for each encoding. All is made once,
//! before the first pattern is compiled, and read only from then on.

use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use onig_sys as onig;
use rubellite_encoding::{CaseOp, CaseOptions, Encoding, map_case};

pub(crate) type Table = *mut onig::OnigEncodingType;

/// The encodings of one byte a character of which CRuby knows letters beyond ASCII.
const SINGLE: [Encoding; 26] = [
    Encoding::ISO_8859_1,
    Encoding::ISO_8859_2,
    Encoding::ISO_8859_3,
    Encoding::ISO_8859_4,
    Encoding::ISO_8859_5,
    Encoding::ISO_8859_6,
    Encoding::ISO_8859_7,
    Encoding::ISO_8859_8,
    Encoding::ISO_8859_9,
    Encoding::ISO_8859_10,
    Encoding::ISO_8859_11,
    Encoding::ISO_8859_13,
    Encoding::ISO_8859_14,
    Encoding::ISO_8859_15,
    Encoding::ISO_8859_16,
    Encoding::KOI8_R,
    Encoding::KOI8_U,
    Encoding::TIS_620,
    Encoding::WINDOWS_874,
    Encoding::WINDOWS_1250,
    Encoding::WINDOWS_1251,
    Encoding::WINDOWS_1252,
    Encoding::WINDOWS_1253,
    Encoding::WINDOWS_1254,
    Encoding::WINDOWS_1255,
    Encoding::WINDOWS_1256,
];
const COUNT: usize = SINGLE.len();
const SHARP_S: u8 = 0xdf;

/// The engine's table that is nearest to an encoding of one byte a character.
fn nearest(enc: Encoding) -> Option<Table> {
    use onig::*;
    Some(match enc {
        Encoding::ISO_8859_1 => &raw mut OnigEncodingISO_8859_1,
        Encoding::ISO_8859_2 => &raw mut OnigEncodingISO_8859_2,
        Encoding::ISO_8859_3 => &raw mut OnigEncodingISO_8859_3,
        Encoding::ISO_8859_4 => &raw mut OnigEncodingISO_8859_4,
        Encoding::ISO_8859_5 => &raw mut OnigEncodingISO_8859_5,
        Encoding::ISO_8859_6 => &raw mut OnigEncodingISO_8859_6,
        Encoding::ISO_8859_7 => &raw mut OnigEncodingISO_8859_7,
        Encoding::ISO_8859_8 => &raw mut OnigEncodingISO_8859_8,
        Encoding::ISO_8859_9 => &raw mut OnigEncodingISO_8859_9,
        Encoding::ISO_8859_10 => &raw mut OnigEncodingISO_8859_10,
        Encoding::ISO_8859_11 | Encoding::TIS_620 => &raw mut OnigEncodingISO_8859_11,
        Encoding::ISO_8859_13 => &raw mut OnigEncodingISO_8859_13,
        Encoding::ISO_8859_14 => &raw mut OnigEncodingISO_8859_14,
        Encoding::ISO_8859_15 => &raw mut OnigEncodingISO_8859_15,
        Encoding::ISO_8859_16 => &raw mut OnigEncodingISO_8859_16,
        Encoding::KOI8_R => &raw mut OnigEncodingKOI8_R,
        Encoding::WINDOWS_1251 => &raw mut OnigEncodingCP1251,
        _ if kinds(enc).is_some() => &raw mut OnigEncodingISO_8859_1,
        _ => return None,
    })
}

/// The kinds of the bytes from 0x80 on, as CRuby has them, a letter of [`classes`] for each.
fn kinds(enc: Encoding) -> Option<&'static [u8; 128]> {
    Some(match enc {
        Encoding::WINDOWS_874 => {
            b"cccccccccccccccccccccccccccccccc aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\
              aaaaaaaaaaaaaaaaaaaaaaaaaaa....aaaaaaaaaaaaaaaaaaaaaaaaaaaaa...."
        }
        Encoding::WINDOWS_1250 => {
            b"+.ccccccccUcUUUU.ccccccccclcllll !+U+U++++U!+!+U++1l+l+!+ll!U1ll\
              UUUUUUUUUUUUUUUUUUUUUUU+UUUUUUUllllllllllllllllllllllll+lllllll+"
        }
        Encoding::WINDOWS_1252 => {
            b"+.ccccccccUcU.U..ccccccccclcl.lU !++++++++l!+!++++11+l+!+1l!111!\
              UUUUUUUUUUUUUUUUUUUUUUU+UUUUUUUllllllllllllllllllllllll+llllllll"
        }
        Encoding::WINDOWS_1253 => {
            b"cccccccccccccccccccccccccccccccc !U+..++++.!+!.!++11+lU!UUU!U1UU\
              lUUUUUUUUUUUUUUUUU.UUUUUUUUUlllllllllllllllllllllllllllllllllll."
        }
        Encoding::WINDOWS_1254 => {
            b"ccccccccccUcUccccccccccccclclccU !++++++++l!+!++++11+l+!+1l!111!\
              UUUUUUUUUUUUUUUUUUUUUUU+UUUUUUUllllllllllllllllllllllll+llllllll"
        }
        Encoding::WINDOWS_1255 => {
            b"cccccccccccccccccccccccccccccccc .+++++++++!+!++++11+l+!+1+!111.\
              ...............................!aaaaaaaaaaaaaaaaaaaaaaaaaaa....."
        }
        Encoding::WINDOWS_1256 => {
            b"cccccccccccccccccccccccccccccccc ...+.......!!.............!...!\
              .aaaaaaaaaaaaaaaaaaaaaaaaaa.....aaaaaaaaaaaaaaaaaaa............."
        }
        Encoding::KOI8_U => {
            b"++++++++++++++++++++++++++ ++1!++++ll+ll+++++l+++++UU+UU+++++U++\
              llllllllllllllllllllllllllllllllUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU"
        }
        _ => return None,
    })
}

/// The classes that a byte of a kind is in, a bit for each number of the engine.
fn classes(kind: u8) -> u32 {
    use onig::*;
    const SHOWN: u32 = 1 << OnigEncCtype_ONIGENC_CTYPE_PRINT | 1 << OnigEncCtype_ONIGENC_CTYPE_GRAPH;
    const WORD: u32 = SHOWN | 1 << OnigEncCtype_ONIGENC_CTYPE_WORD;
    const LETTER: u32 = WORD | 1 << OnigEncCtype_ONIGENC_CTYPE_ALPHA | 1 << OnigEncCtype_ONIGENC_CTYPE_ALNUM;
    match kind {
        b'U' => LETTER | 1 << OnigEncCtype_ONIGENC_CTYPE_UPPER,
        b'l' => LETTER | 1 << OnigEncCtype_ONIGENC_CTYPE_LOWER,
        b'a' => LETTER,
        b'1' => WORD,
        b'+' => SHOWN,
        b'!' => SHOWN | 1 << OnigEncCtype_ONIGENC_CTYPE_PUNCT,
        b'c' => 1 << OnigEncCtype_ONIGENC_CTYPE_CNTRL,
        b' ' => {
            1 << OnigEncCtype_ONIGENC_CTYPE_PRINT
                | 1 << OnigEncCtype_ONIGENC_CTYPE_SPACE
                | 1 << OnigEncCtype_ONIGENC_CTYPE_BLANK
        }
        _ => 0,
    }
}

/// What is known of an encoding of one byte a character.
struct Letters {
    kinds: Option<&'static [u8; 128]>,
    /// The engine's own answer, for ASCII and where there are no kinds.
    class: ClassOf,
    lower: [u8; 256],
    pairs: Vec<Pair>,
    has_sharp_s: bool,
}

type ClassOf = unsafe extern "C" fn(onig::OnigCodePoint, onig::OnigCtype) -> c_int;

/// Two codes that differ in case alone, as the engine lays them out.
#[repr(C)]
struct Pair {
    from: onig::OnigCodePoint,
    to: onig::OnigCodePoint,
}

unsafe extern "C" {
    fn onigenc_apply_all_case_fold_with_map(
        size: c_int,
        map: *const Pair,
        has_sharp_s: c_int,
        flag: onig::OnigCaseFoldType,
        call: onig::OnigApplyAllCaseFoldFunc,
        arg: *mut c_void,
    ) -> c_int;
    fn onigenc_get_case_fold_codes_by_str_with_map(
        size: c_int,
        map: *const Pair,
        has_sharp_s: c_int,
        flag: onig::OnigCaseFoldType,
        p: *const u8,
        end: *const u8,
        items: *mut onig::OnigCaseFoldCodeItem,
    ) -> c_int;
}

impl Letters {
    fn of(enc: Encoding) -> Option<Letters> {
        // SAFETY: the library's tables are only read.
        let class = unsafe { (*nearest(enc)?).is_code_ctype }?;
        let lower = std::array::from_fn(|b| lower(enc, b as u8));
        let pairs =
            (0x80..=0xff).filter(|b| lower[*b] as usize != *b).map(|b| Pair { from: b as u32, to: lower[b].into() });
        let upper = map_case(enc, &[SHARP_S], CaseOp::Upcase, CaseOptions::default());
        let has_sharp_s = upper.is_ok_and(|upper| upper == b"SS");
        Some(Letters { kinds: kinds(enc), class, lower, pairs: pairs.collect(), has_sharp_s })
    }
}

/// The lower case of a byte, itself where that is no other character of the same encoding.
fn lower(enc: Encoding, b: u8) -> u8 {
    // The methods of String change ASCII only in these.
    match (enc, b) {
        (Encoding::KOI8_R | Encoding::KOI8_U, 0xe0..) => return b - 0x20,
        (Encoding::KOI8_R | Encoding::KOI8_U, 0xb3) | (Encoding::KOI8_U, 0xb4 | 0xb6 | 0xb7 | 0xbd) => return b - 0x10,
        _ => {}
    }
    match map_case(enc, &[b], CaseOp::Downcase, CaseOptions::default()).as_deref() {
        Ok([lower]) if lower.is_ascii() == b.is_ascii() => *lower,
        _ => b,
    }
}

/// Tables that only the engine looks at, through pointers.
struct Tables {
    letters: [Option<Letters>; COUNT],
    tables: Vec<UnsafeCell<onig::OnigEncodingType>>,
}

// SAFETY: written while they are made, by one thread (OnceLock), and by the engine's initialization, which is under
// another; read only from then on.
unsafe impl Send for Tables {}
// SAFETY: as above.
unsafe impl Sync for Tables {}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let functions = functions();
        let tables = SINGLE.iter().zip(functions).map(|(enc, functions)| {
            let nearest = nearest(*enc).unwrap_or(&raw mut onig::OnigEncodingASCII);
            // SAFETY: the library's tables are only read.
            let mut table = unsafe { nearest.read() };
            table.mbc_case_fold = Some(functions.fold);
            table.apply_all_case_fold = Some(functions.all_folds);
            table.get_case_fold_codes_by_str = Some(functions.folds_of);
            table.is_code_ctype = Some(functions.is_class);
            UnsafeCell::new(table)
        });
        Tables { tables: tables.collect(), letters: SINGLE.map(Letters::of) }
    })
}

/// The table of an encoding whose characters have one byte each.
pub(crate) fn table(enc: Encoding) -> Option<Table> {
    // Their letters are at the same places.
    let enc = if enc == Encoding::WINDOWS_1257 { Encoding::ISO_8859_13 } else { enc };
    let at = SINGLE.iter().position(|single| *single == enc)?;
    tables().tables.get(at).map(UnsafeCell::get)
}

struct Functions {
    fold: unsafe extern "C" fn(onig::OnigCaseFoldType, *mut *const u8, *const u8, *mut u8) -> c_int,
    all_folds: unsafe extern "C" fn(onig::OnigCaseFoldType, onig::OnigApplyAllCaseFoldFunc, *mut c_void) -> c_int,
    folds_of:
        unsafe extern "C" fn(onig::OnigCaseFoldType, *const u8, *const u8, *mut onig::OnigCaseFoldCodeItem) -> c_int,
    is_class: ClassOf,
}

/// The functions of each encoding of [`SINGLE`].
fn functions() -> [Functions; COUNT] {
    macro_rules! all {
        ($($at:literal)*) => {
            [$(Functions {
                fold: fold::<$at>,
                all_folds: all_folds::<$at>,
                folds_of: folds_of::<$at>,
                is_class: is_class::<$at>,
            }),*]
        };
    }
    all!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25)
}

fn letters<const AT: usize>() -> Option<&'static Letters> {
    tables().letters[AT].as_ref()
}

unsafe extern "C" fn fold<const AT: usize>(
    flag: onig::OnigCaseFoldType,
    pp: *mut *const u8,
    _: *const u8,
    to: *mut u8,
) -> c_int {
    // SAFETY: the engine passes a place in a text that has not ended.
    let b = unsafe { **pp };
    // SAFETY: the byte behind is in the text, or its end.
    unsafe { *pp = (*pp).add(1) };
    let letters = letters::<AT>();
    let several = flag & onig::INTERNAL_ONIGENC_CASE_FOLD_MULTI_CHAR != 0;
    if b == SHARP_S && several && letters.is_some_and(|letters| letters.has_sharp_s) {
        // SAFETY: there is room for the longest folded character of any encoding, some ten bytes.
        unsafe { to.cast::<[u8; 2]>().write(*b"ss") };
        return 2;
    }
    let folds = flag & onig::ONIGENC_CASE_FOLD_ASCII_ONLY == 0 || b.is_ascii();
    let lower = letters.filter(|_| folds).map_or(b, |letters| letters.lower[b as usize]);
    // SAFETY: as above.
    unsafe { to.write(lower) };
    1
}

unsafe extern "C" fn all_folds<const AT: usize>(
    flag: onig::OnigCaseFoldType,
    call: onig::OnigApplyAllCaseFoldFunc,
    arg: *mut c_void,
) -> c_int {
    let Some(letters) = letters::<AT>() else { return 0 };
    let (size, map) = (letters.pairs.len() as c_int, letters.pairs.as_ptr());
    // SAFETY: the pairs are as many as is said; the rest comes from the engine.
    unsafe { onigenc_apply_all_case_fold_with_map(size, map, letters.has_sharp_s.into(), flag, call, arg) }
}

unsafe extern "C" fn folds_of<const AT: usize>(
    flag: onig::OnigCaseFoldType,
    p: *const u8,
    end: *const u8,
    items: *mut onig::OnigCaseFoldCodeItem,
) -> c_int {
    let Some(letters) = letters::<AT>() else { return 0 };
    let (size, map) = (letters.pairs.len() as c_int, letters.pairs.as_ptr());
    // SAFETY: as in `all_folds`.
    unsafe { onigenc_get_case_fold_codes_by_str_with_map(size, map, letters.has_sharp_s.into(), flag, p, end, items) }
}

unsafe extern "C" fn is_class<const AT: usize>(code: onig::OnigCodePoint, class: onig::OnigCtype) -> c_int {
    let Some(letters) = letters::<AT>() else { return 0 };
    match (letters.kinds, code) {
        (Some(kinds), 0x80..=0xff) => (classes(kinds[code as usize - 0x80]) >> class & 1) as c_int,
        // SAFETY: the engine's own function takes any number.
        _ => unsafe { (letters.class)(code, class) },
    }
}

//! The case of wide letters in the encodings of Japanese, Latin, Greek and Cyrillic ones, and the kind of their narrow
//! Katakana, which the engine's tables lack. Its functions are replaced by ours once, before the first pattern is
//! compiled; those ask the replaced ones for all other characters.

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use onig_sys as onig;

use crate::letters::Table;

/// The rows of JIS X 0208 that hold letters with case: the row, its capitals, how far behind these the small ones are.
const ROWS: [(u8, std::ops::RangeInclusive<u8>, u8); 3] = [(3, 33..=58, 32), (6, 1..=24, 32), (7, 1..=33, 48)];

/// A layout of the characters of JIS X 0208 in two bytes.
trait Layout {
    fn table() -> Table;
    /// Row and cell of a character, if the bytes may be one.
    fn place(bytes: [u8; 2]) -> Option<(u8, u8)>;
    fn bytes(row: u8, cell: u8) -> [u8; 2];
    /// Where the functions that ours stand in front of are kept.
    fn replaced() -> &'static OnceLock<Replaced>;
    /// Whether a code of one byte is narrow Katakana.
    fn is_narrow(code: u32) -> bool;
}

struct EucJp;
struct ShiftJis;

impl Layout for EucJp {
    fn table() -> Table {
        &raw mut onig::OnigEncodingEUC_JP
    }

    fn place([high, low]: [u8; 2]) -> Option<(u8, u8)> {
        Some((high.checked_sub(0xa0)?, low.checked_sub(0xa0)?))
    }

    fn bytes(row: u8, cell: u8) -> [u8; 2] {
        [row + 0xa0, cell + 0xa0]
    }

    fn replaced() -> &'static OnceLock<Replaced> {
        static REPLACED: OnceLock<Replaced> = OnceLock::new();
        &REPLACED
    }

    fn is_narrow(_: u32) -> bool {
        false
    }
}

impl Layout for ShiftJis {
    fn table() -> Table {
        &raw mut onig::OnigEncodingSJIS
    }

    fn place([high, low]: [u8; 2]) -> Option<(u8, u8)> {
        let pair = high.checked_sub(0x81).filter(|pair| *pair < 0x1f)? * 2;
        match low {
            0x40..=0x7e => Some((pair + 1, low - 0x3f)),
            0x80..=0x9e => Some((pair + 1, low - 0x40)),
            0x9f..=0xfc => Some((pair + 2, low - 0x9e)),
            _ => None,
        }
    }

    fn bytes(row: u8, cell: u8) -> [u8; 2] {
        let high = 0x81 + (row - 1) / 2;
        match (row % 2, cell) {
            (1, ..64) => [high, cell + 0x3f],
            (1, _) => [high, cell + 0x40],
            _ => [high, cell + 0x9e],
        }
    }

    fn replaced() -> &'static OnceLock<Replaced> {
        static REPLACED: OnceLock<Replaced> = OnceLock::new();
        &REPLACED
    }

    fn is_narrow(code: u32) -> bool {
        (0xa1..=0xdf).contains(&code)
    }
}

type Fold = unsafe extern "C" fn(onig::OnigCaseFoldType, *mut *const u8, *const u8, *mut u8) -> c_int;
type AllFolds = unsafe extern "C" fn(onig::OnigCaseFoldType, onig::OnigApplyAllCaseFoldFunc, *mut c_void) -> c_int;
type FoldsOf =
    unsafe extern "C" fn(onig::OnigCaseFoldType, *const u8, *const u8, *mut onig::OnigCaseFoldCodeItem) -> c_int;
type IsClass = unsafe extern "C" fn(onig::OnigCodePoint, onig::OnigCtype) -> c_int;

/// The engine's own functions.
struct Replaced {
    fold: Fold,
    all_folds: AllFolds,
    folds_of: FoldsOf,
    is_class: IsClass,
}

/// Puts our functions into the engine's tables.
///
/// # Safety
///
/// No pattern has been compiled, and no other thread uses the engine.
pub(crate) unsafe fn extend() {
    // SAFETY: what is asked for here.
    unsafe {
        extend_table::<EucJp>();
        extend_table::<ShiftJis>();
    }
}

/// As [`extend`].
unsafe fn extend_table<L: Layout>() {
    // SAFETY: the table is the library's own, which nobody else uses.
    let table = unsafe { &mut *L::table() };
    let (Some(fold), Some(all_folds)) = (table.mbc_case_fold, table.apply_all_case_fold) else { return };
    let (Some(folds_of), Some(is_class)) = (table.get_case_fold_codes_by_str, table.is_code_ctype) else { return };
    if L::replaced().set(Replaced { fold, all_folds, folds_of, is_class }).is_ok() {
        table.mbc_case_fold = Some(self::fold::<L>);
        table.apply_all_case_fold = Some(self::all_folds::<L>);
        table.get_case_fold_codes_by_str = Some(self::folds_of::<L>);
        table.is_code_ctype = Some(self::is_class::<L>);
    }
}

/// The small letter for a capital.
fn lower<L: Layout>(bytes: [u8; 2]) -> Option<[u8; 2]> {
    let (row, cell) = L::place(bytes)?;
    let (_, _, far) = ROWS.iter().find(|(letters, capitals, _)| *letters == row && capitals.contains(&cell))?;
    Some(L::bytes(row, cell + far))
}

/// The capital for a small letter.
fn upper<L: Layout>(bytes: [u8; 2]) -> Option<[u8; 2]> {
    let (row, cell) = L::place(bytes)?;
    let capital = |(letters, capitals, far): &(u8, std::ops::RangeInclusive<u8>, u8)| {
        cell.checked_sub(*far).filter(|cell| *letters == row && capitals.contains(cell))
    };
    Some(L::bytes(row, ROWS.iter().find_map(capital)?))
}

/// The two bytes at a place in a text, if it does not end there.
///
/// # Safety
///
/// What is between the pointers can be read.
unsafe fn pair(p: *const u8, end: *const u8) -> Option<[u8; 2]> {
    // SAFETY: both bytes are before the end.
    (end.addr().saturating_sub(p.addr()) >= 2).then(|| unsafe { [*p, *p.add(1)] })
}

fn code(bytes: [u8; 2]) -> onig::OnigCodePoint {
    u16::from_be_bytes(bytes).into()
}

unsafe extern "C" fn fold<L: Layout>(
    flag: onig::OnigCaseFoldType,
    pp: *mut *const u8,
    end: *const u8,
    to: *mut u8,
) -> c_int {
    // SAFETY: the engine passes a place in a text and its end.
    let bytes = unsafe { pair(*pp, end) }.filter(|_| flag & onig::ONIGENC_CASE_FOLD_ASCII_ONLY == 0);
    if let Some(lower) = bytes.and_then(lower::<L>) {
        // SAFETY: both bytes were before the end; there is room for the longest folded character.
        unsafe {
            *pp = (*pp).add(2);
            to.cast::<[u8; 2]>().write(lower);
        }
        return 2;
    }
    let Some(replaced) = L::replaced().get() else { return 0 };
    // SAFETY: what the engine has passed.
    unsafe { (replaced.fold)(flag, pp, end, to) }
}

unsafe extern "C" fn all_folds<L: Layout>(
    flag: onig::OnigCaseFoldType,
    call: onig::OnigApplyAllCaseFoldFunc,
    arg: *mut c_void,
) -> c_int {
    let (Some(replaced), Some(each)) = (L::replaced().get(), call) else { return 0 };
    // SAFETY: what the engine has passed.
    let result = unsafe { (replaced.all_folds)(flag, call, arg) };
    if result != 0 || flag & onig::ONIGENC_CASE_FOLD_ASCII_ONLY != 0 {
        return result;
    }
    for (row, capitals, far) in ROWS {
        for cell in capitals {
            let (capital, small) = (code(L::bytes(row, cell)), code(L::bytes(row, cell + far)));
            for (from, mut to) in [(capital, small), (small, capital)] {
                // SAFETY: the function is the engine's; it reads one code.
                let result = unsafe { each(from, &mut to, 1, arg) };
                if result != 0 {
                    return result;
                }
            }
        }
    }
    0
}

unsafe extern "C" fn folds_of<L: Layout>(
    flag: onig::OnigCaseFoldType,
    p: *const u8,
    end: *const u8,
    items: *mut onig::OnigCaseFoldCodeItem,
) -> c_int {
    // SAFETY: the engine passes a place in a text and its end.
    let bytes = unsafe { pair(p, end) }.filter(|_| flag & onig::ONIGENC_CASE_FOLD_ASCII_ONLY == 0);
    if let Some(other) = bytes.and_then(|bytes| lower::<L>(bytes).or_else(|| upper::<L>(bytes))) {
        // SAFETY: the engine has room for more than one item.
        unsafe { items.write(onig::OnigCaseFoldCodeItem { byte_len: 2, code_len: 1, code: [code(other), 0, 0] }) };
        return 1;
    }
    let Some(replaced) = L::replaced().get() else { return 0 };
    // SAFETY: what the engine has passed.
    unsafe { (replaced.folds_of)(flag, p, end, items) }
}

unsafe extern "C" fn is_class<L: Layout>(code: onig::OnigCodePoint, class: onig::OnigCtype) -> c_int {
    use onig::*;
    if L::is_narrow(code) && class <= OnigEncCtype_ONIGENC_CTYPE_ASCII {
        let among =
            [OnigEncCtype_ONIGENC_CTYPE_WORD, OnigEncCtype_ONIGENC_CTYPE_PRINT, OnigEncCtype_ONIGENC_CTYPE_GRAPH];
        return among.contains(&class).into();
    }
    let Some(replaced) = L::replaced().get() else { return 0 };
    // SAFETY: the engine's own function takes any number.
    unsafe { (replaced.is_class)(code, class) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_the_other_case() {
        assert_eq!(lower::<ShiftJis>([0x82, 0x60]), Some([0x82, 0x81]));
        assert_eq!(upper::<ShiftJis>([0x82, 0x9a]), Some([0x82, 0x79]));
        assert_eq!(lower::<ShiftJis>([0x83, 0x9f]), Some([0x83, 0xbf]));
        assert_eq!(lower::<ShiftJis>([0x84, 0x4f]), Some([0x84, 0x80]));
        assert_eq!(upper::<ShiftJis>([0x84, 0x91]), Some([0x84, 0x60]));
        assert_eq!(lower::<ShiftJis>([0x82, 0x81]), None);
        assert_eq!(lower::<ShiftJis>([0x82, 0x5f]), None);
        assert_eq!(lower::<EucJp>([0xa3, 0xc1]), Some([0xa3, 0xe1]));
        assert_eq!(upper::<EucJp>([0xa7, 0xf1]), Some([0xa7, 0xc1]));
        assert_eq!(upper::<EucJp>([0xa3, 0xc1]), None);
        assert_eq!(lower::<EucJp>([0x41, 0x42]), None);
    }

    #[test]
    fn places_come_back() {
        for row in 1..=61 {
            for cell in 1..=94 {
                assert_eq!(ShiftJis::place(ShiftJis::bytes(row, cell)), Some((row, cell)));
                assert_eq!(EucJp::place(EucJp::bytes(row, cell)), Some((row, cell)));
            }
        }
    }
}

//! The Japanese conversions that pass no code points: between EUC-JP and Shift_JIS, and the
//! stateful ISO-2022-JP family.

use super::step::{StepResult, invalid};
use crate::{CharLen, Encoding};

/// EUC-JP to Shift_JIS.
pub(super) fn euc_to_sjis(input: &[u8], out: &mut Vec<u8>) -> StepResult {
    let CharLen::Valid(len) = Encoding::EUC_JP.char_len(input) else {
        return invalid(Encoding::EUC_JP, input);
    };
    match input[..len] {
        [b] => out.push(b),
        [0x8E, kana @ 0xA1..=0xDF] => out.push(kana),
        [row @ 0xA1..=0xFE, cell] if len == 2 => {
            let (row, cell) = (row - 0xA1, cell - 0xA1);
            let lead = row / 2;
            out.push(if lead < 0x1F { 0x81 + lead } else { 0xC1 + lead });
            out.push(match (row % 2, cell) {
                (0, 0..=0x3E) => 0x40 + cell,
                (0, _) => 0x41 + cell,
                (_, _) => 0x9F + cell,
            });
        }
        _ => return StepResult::Undefined(len),
    }
    StepResult::Consumed(len)
}

/// Shift_JIS to EUC-JP.
pub(super) fn sjis_to_euc(input: &[u8], out: &mut Vec<u8>) -> StepResult {
    let CharLen::Valid(len) = Encoding::SHIFT_JIS.char_len(input) else {
        return invalid(Encoding::SHIFT_JIS, input);
    };
    match input[..len] {
        [b @ 0..0x80] => out.push(b),
        [kana] => out.extend([0x8E, kana]),
        [lead @ ..0xF0, trail] => {
            let row = 2 * if lead < 0xA0 { lead - 0x81 } else { lead - 0xC1 };
            let (row, cell) = match trail {
                0x9F.. => (row + 1, trail - 0x9F),
                0x80.. => (row, trail - 0x41),
                _ => (row, trail - 0x40),
            };
            out.extend([0xA1 + row, 0xA1 + cell]);
        }
        _ => return StepResult::Undefined(len),
    }
    StepResult::Consumed(len)
}

/// EUC-JP to the stateless form: a charset byte before each two-byte character.
pub(super) fn euc_to_stateless(input: &[u8], out: &mut Vec<u8>) -> StepResult {
    let CharLen::Valid(len) = Encoding::EUC_JP.char_len(input) else {
        return invalid(Encoding::EUC_JP, input);
    };
    match input[..len] {
        [b] => out.push(b),
        [a @ 0xA1..=0xFE, b] => out.extend([0x92, a, b]),
        _ => return StepResult::Undefined(len),
    }
    StepResult::Consumed(len)
}

/// The stateless form to EUC-JP.
pub(super) fn stateless_to_euc(input: &[u8], out: &mut Vec<u8>) -> StepResult {
    let enc = Encoding::STATELESS_ISO_2022_JP;
    match input {
        [b @ 0..0x80, ..] => {
            out.push(*b);
            StepResult::Consumed(1)
        }
        [0x90 | 0x92, a @ 0xA1..=0xFE, b @ 0xA1..=0xFE, ..] => {
            out.extend([*a, *b]);
            StepResult::Consumed(3)
        }
        [0x90 | 0x92] | [0x90 | 0x92, 0xA1..=0xFE] => StepResult::NeedMore,
        [0x90 | 0x92, 0xA1..=0xFE, ..] => StepResult::Invalid { error: 2, readagain: 1 },
        [0x90 | 0x92, ..] => StepResult::Invalid { error: 1, readagain: 1 },
        _ => invalid(enc, input),
    }
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Charset {
    Ascii,
    Roman,
    Kana,
    Jis1978,
    Jis1983,
}

impl Charset {
    fn escape(self) -> &'static [u8] {
        match self {
            Charset::Ascii => b"\x1B(B",
            Charset::Roman => b"\x1B(J",
            Charset::Kana => b"\x1B(I",
            Charset::Jis1978 => b"\x1B$@",
            Charset::Jis1983 => b"\x1B$B",
        }
    }
}

/// Reads ISO-2022-JP into the stateless form, or the Microsoft variants into CP51932.
pub(super) struct JisDecoder {
    charset: Charset,
    microsoft: bool,
    /// Kana by shift-out, in the Microsoft variants.
    shifted: bool,
}

impl JisDecoder {
    pub(super) fn new(microsoft: bool) -> JisDecoder {
        JisDecoder { charset: Charset::Ascii, microsoft, shifted: false }
    }

    pub(super) fn convert(&mut self, input: &[u8], out: &mut Vec<u8>) -> StepResult {
        match input[0] {
            0x1B => self.escape(input),
            0x0E | 0x0F if self.microsoft => {
                self.shifted = input[0] == 0x0E;
                StepResult::Consumed(1)
            }
            b @ 0xA1..=0xDF if self.microsoft => {
                out.extend([0x8E, b]);
                StepResult::Consumed(1)
            }
            0x0E | 0x0F | 0x80.. => StepResult::Invalid { error: 1, readagain: 0 },
            b if self.shifted || self.charset == Charset::Kana => match b {
                0x21..=0x5F => {
                    out.extend([0x8E, b | 0x80]);
                    StepResult::Consumed(1)
                }
                _ => StepResult::Invalid { error: 1, readagain: 0 },
            },
            b => match self.charset {
                Charset::Jis1978 | Charset::Jis1983 => self.double(b, input, out),
                _ => {
                    out.push(b);
                    StepResult::Consumed(1)
                }
            },
        }
    }

    fn double(&self, b: u8, input: &[u8], out: &mut Vec<u8>) -> StepResult {
        if !matches!(b, 0x21..=0x7E) {
            return StepResult::Invalid { error: 1, readagain: 0 };
        }
        match input.get(1) {
            None => StepResult::NeedMore,
            Some(&c @ 0x21..=0x7E) => {
                if !self.microsoft {
                    out.push(if self.charset == Charset::Jis1978 { 0x90 } else { 0x92 });
                }
                out.extend([b | 0x80, c | 0x80]);
                StepResult::Consumed(2)
            }
            Some(_) => StepResult::Invalid { error: 1, readagain: 1 },
        }
    }

    fn escape(&mut self, input: &[u8]) -> StepResult {
        let known = [Charset::Ascii, Charset::Roman, Charset::Jis1978, Charset::Jis1983, Charset::Kana];
        let known = &known[..if self.microsoft { 5 } else { 4 }];
        for len in 1..=3 {
            let Some(prefix) = input.get(..len) else {
                return StepResult::NeedMore;
            };
            match known.iter().find(|c| c.escape().starts_with(prefix)) {
                None => {
                    return StepResult::Invalid { error: len - 1, readagain: 1 };
                }
                Some(&charset) if len == 3 => self.charset = charset,
                Some(_) => {}
            }
        }
        StepResult::Consumed(3)
    }
}

/// Writes ISO-2022-JP from the stateless form, or the Microsoft variants from CP51932.
pub(super) struct JisEncoder {
    charset: Charset,
    microsoft: bool,
    /// CP50220: half-width kana become full-width ones.
    widen_kana: bool,
}

impl JisEncoder {
    pub(super) fn new(microsoft: bool, widen_kana: bool) -> JisEncoder {
        JisEncoder { charset: Charset::Ascii, microsoft, widen_kana }
    }

    pub(super) fn convert(&mut self, input: &[u8], out: &mut Vec<u8>) -> StepResult {
        let enc = if self.microsoft { Encoding::CP51932 } else { Encoding::STATELESS_ISO_2022_JP };
        let CharLen::Valid(len) = enc.char_len(input) else {
            return invalid(enc, input);
        };
        match input[..len] {
            [b] => {
                self.switch(Charset::Ascii, out);
                out.push(b);
            }
            [0x8E, kana] if self.widen_kana => return self.widened(kana, &input[2..], out),
            [0x8E, kana] => {
                self.switch(Charset::Kana, out);
                out.push(kana & 0x7F);
            }
            [0x90, a, b] if !self.microsoft => self.double(Charset::Jis1978, a, b, out),
            [0x92, a, b] if !self.microsoft => self.double(Charset::Jis1983, a, b, out),
            [a, b] if self.microsoft => self.double(Charset::Jis1983, a, b, out),
            _ => return StepResult::Undefined(len),
        }
        StepResult::Consumed(len)
    }

    pub(super) fn finish(&mut self, rest: &[u8], out: &mut Vec<u8>) {
        if let [0x8E, kana] = rest {
            let wide = WIDE_KANA[kana.wrapping_sub(0xA1) as usize & 0x3F];
            self.double(Charset::Jis1983, wide.0, wide.1, out);
        }
        self.switch(Charset::Ascii, out);
    }

    fn switch(&mut self, charset: Charset, out: &mut Vec<u8>) {
        if self.charset != charset {
            self.charset = charset;
            out.extend_from_slice(charset.escape());
        }
    }

    fn double(&mut self, charset: Charset, a: u8, b: u8, out: &mut Vec<u8>) {
        self.switch(charset, out);
        out.extend([a & 0x7F, b & 0x7F]);
    }

    /// A half-width kana in full width, joined with a sound mark that follows.
    fn widened(&mut self, kana: u8, rest: &[u8], out: &mut Vec<u8>) -> StepResult {
        if !matches!(kana, 0xA1..=0xDF) {
            self.switch(Charset::Kana, out);
            out.push(kana & 0x7F);
            return StepResult::Consumed(2);
        }
        let (a, b) = WIDE_KANA[(kana - 0xA1) as usize];
        let voiced = matches!(kana, 0xB6..=0xC4 | 0xCA..=0xCE);
        if voiced || kana == 0xB3 {
            if matches!(rest, [] | [0x8E]) {
                return StepResult::NeedMore;
            }
            let joined = match rest {
                [0x8E, 0xDE, ..] if kana == 0xB3 => Some(0xF4),
                [0x8E, 0xDE, ..] => Some(b + 1),
                [0x8E, 0xDF, ..] if matches!(kana, 0xCA..=0xCE) => Some(b + 2),
                _ => None,
            };
            if let Some(joined) = joined {
                self.double(Charset::Jis1983, a, joined, out);
                return StepResult::Consumed(4);
            }
        }
        self.double(Charset::Jis1983, a, b, out);
        StepResult::Consumed(2)
    }
}

/// Full-width counterparts (EUC bytes) of the half-width kana 0xA1 to 0xDF.
#[rustfmt::skip]
static WIDE_KANA: [(u8, u8); 64] = [
    (0xA1, 0xA3), (0xA1, 0xD6), (0xA1, 0xD7), (0xA1, 0xA2), (0xA1, 0xA6), (0xA5, 0xF2), (0xA5, 0xA1), (0xA5, 0xA3),
    (0xA5, 0xA5), (0xA5, 0xA7), (0xA5, 0xA9), (0xA5, 0xE3), (0xA5, 0xE5), (0xA5, 0xE7), (0xA5, 0xC3), (0xA1, 0xBC),
    (0xA5, 0xA2), (0xA5, 0xA4), (0xA5, 0xA6), (0xA5, 0xA8), (0xA5, 0xAA), (0xA5, 0xAB), (0xA5, 0xAD), (0xA5, 0xAF),
    (0xA5, 0xB1), (0xA5, 0xB3), (0xA5, 0xB5), (0xA5, 0xB7), (0xA5, 0xB9), (0xA5, 0xBB), (0xA5, 0xBD), (0xA5, 0xBF),
    (0xA5, 0xC1), (0xA5, 0xC4), (0xA5, 0xC6), (0xA5, 0xC8), (0xA5, 0xCA), (0xA5, 0xCB), (0xA5, 0xCC), (0xA5, 0xCD),
    (0xA5, 0xCE), (0xA5, 0xCF), (0xA5, 0xD2), (0xA5, 0xD5), (0xA5, 0xD8), (0xA5, 0xDB), (0xA5, 0xDE), (0xA5, 0xDF),
    (0xA5, 0xE0), (0xA5, 0xE1), (0xA5, 0xE2), (0xA5, 0xE4), (0xA5, 0xE6), (0xA5, 0xE8), (0xA5, 0xE9), (0xA5, 0xEA),
    (0xA5, 0xEB), (0xA5, 0xEC), (0xA5, 0xED), (0xA5, 0xEF), (0xA5, 0xF3), (0xA1, 0xAB), (0xA1, 0xAC), (0xA1, 0xA1),
];

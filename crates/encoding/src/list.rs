//! The table of all encodings: names, aliases, family and dummy flag, in the order of
//! `Encoding.list`. What a family's bytes mean is `chars.rs`; conversions are `transcode`.

use std::fmt;

/// One of the encodings of the fixed table, by its index. The index is the one that
/// `Encoding.list` shows, so ASCII-8BIT is 0, UTF-8 is 1 and US-ASCII is 2.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Encoding(u8);

/// How an encoding arranges bytes into characters. Encodings of one family differ only in
/// their conversion tables and, for single bytes, in their character classes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Family {
    SingleByte,
    UsAscii,
    Utf8,
    Cesu8,
    Utf16Be,
    Utf16Le,
    Utf32Be,
    Utf32Le,
    EucJp,
    EucKr,
    EucTw,
    ShiftJis,
    Big5,
    Cp949,
    Gbk,
    Gb18030,
    EmacsMule,
}

pub(crate) struct Entry {
    name: &'static str,
    aliases: &'static [&'static str],
    family: Family,
    dummy: bool,
}

impl Encoding {
    /// Number of encodings in the table.
    pub const COUNT: usize = ENCODINGS.len();

    fn entry(self) -> &'static Entry {
        &ENCODINGS[self.0 as usize]
    }

    /// Position in `Encoding.list`, below [`Encoding::COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The encoding at a position of the table.
    pub fn from_index(index: usize) -> Option<Encoding> {
        (index < Self::COUNT).then_some(Encoding(index as u8))
    }

    /// Every encoding, in table order.
    pub fn all() -> impl Iterator<Item = Encoding> {
        (0..Self::COUNT).map(|i| Encoding(i as u8))
    }

    /// Looks a name or alias up without regard to ASCII case. The dynamic names `locale`,
    /// `external`, `filesystem` and `internal` are the caller's.
    pub fn find(name: &[u8]) -> Option<Encoding> {
        Self::all().find(|e| {
            let entry = e.entry();
            entry.name.as_bytes().eq_ignore_ascii_case(name)
                || entry.aliases.iter().any(|a| a.as_bytes().eq_ignore_ascii_case(name))
        })
    }

    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The aliases, without the name itself.
    pub fn aliases(self) -> &'static [&'static str] {
        self.entry().aliases
    }

    /// Name, then aliases, as `Encoding#names` lists them (dynamic names excepted).
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name()).chain(self.aliases().iter().copied())
    }

    pub fn family(self) -> Family {
        self.entry().family
    }

    /// `Encoding#dummy?`: known by name, but strings of it are handled as bytes.
    pub fn is_dummy(self) -> bool {
        self.entry().dummy
    }

    /// `Encoding#ascii_compatible?`: bytes below 0x80 stand for ASCII characters.
    pub fn is_ascii_compatible(self) -> bool {
        !self.entry().dummy && self.min_len() == 1
    }

    /// UTF-8, CESU-8, UTF-16 and UTF-32 in all their variants, also those without a byte order, whose strings
    /// are handled as bytes.
    pub fn is_unicode(self) -> bool {
        use Family::*;
        let no_order = self == Encoding::UTF_16 || self == Encoding::UTF_32;
        no_order || matches!(self.family(), Utf8 | Cesu8 | Utf16Be | Utf16Le | Utf32Be | Utf32Le)
    }

    /// UTF-8 and the variants that share its byte structure.
    pub fn is_utf8_family(self) -> bool {
        self.family() == Family::Utf8
    }

    /// Every character is one byte.
    pub fn is_single_byte(self) -> bool {
        matches!(self.family(), Family::SingleByte | Family::UsAscii)
    }

    /// Bytes of the shortest character.
    pub fn min_len(self) -> usize {
        match self.family() {
            Family::Utf16Be | Family::Utf16Le => 2,
            Family::Utf32Be | Family::Utf32Le => 4,
            _ => 1,
        }
    }

    /// Bytes of the longest character.
    pub fn max_len(self) -> usize {
        use Family::*;
        match self.family() {
            SingleByte | UsAscii => 1,
            EucKr | ShiftJis | Big5 | Cp949 | Gbk => 2,
            EucJp => 3,
            Utf8 | Utf16Be | Utf16Le | Utf32Be | Utf32Le | EucTw | Gb18030 | EmacsMule => 4,
            Cesu8 => 6,
        }
    }

    /// What `Encoding#inspect` returns.
    pub fn inspect(self) -> String {
        if self == Encoding::BINARY {
            return "#<Encoding:BINARY (ASCII-8BIT)>".to_string();
        }
        let dummy = if self.is_dummy() { " (dummy)" } else { "" };
        format!("#<Encoding:{}{dummy}>", self.name())
    }
}

impl Default for Encoding {
    fn default() -> Self {
        Encoding::UTF_8
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Encoding {
    pub const BINARY: Encoding = Encoding(0);
    pub const UTF_8: Encoding = Encoding(1);
    pub const US_ASCII: Encoding = Encoding(2);
    pub const UTF_16BE: Encoding = Encoding(3);
    pub const UTF_16LE: Encoding = Encoding(4);
    pub const UTF_32BE: Encoding = Encoding(5);
    pub const UTF_32LE: Encoding = Encoding(6);
    pub const UTF_16: Encoding = Encoding(7);
    pub const UTF_32: Encoding = Encoding(8);
    pub const UTF8_MAC: Encoding = Encoding(9);
    pub const EUC_JP: Encoding = Encoding(10);
    pub const WINDOWS_31J: Encoding = Encoding(11);
    pub const BIG5: Encoding = Encoding(12);
    pub const BIG5_HKSCS: Encoding = Encoding(13);
    pub const BIG5_UAO: Encoding = Encoding(14);
    pub const CESU_8: Encoding = Encoding(15);
    pub const CP949: Encoding = Encoding(16);
    pub const EMACS_MULE: Encoding = Encoding(17);
    pub const EUC_KR: Encoding = Encoding(18);
    pub const EUC_TW: Encoding = Encoding(19);
    pub const GB18030: Encoding = Encoding(20);
    pub const GBK: Encoding = Encoding(21);
    pub const ISO_8859_1: Encoding = Encoding(22);
    pub const ISO_8859_2: Encoding = Encoding(23);
    pub const ISO_8859_3: Encoding = Encoding(24);
    pub const ISO_8859_4: Encoding = Encoding(25);
    pub const ISO_8859_5: Encoding = Encoding(26);
    pub const ISO_8859_6: Encoding = Encoding(27);
    pub const ISO_8859_7: Encoding = Encoding(28);
    pub const ISO_8859_8: Encoding = Encoding(29);
    pub const ISO_8859_9: Encoding = Encoding(30);
    pub const ISO_8859_10: Encoding = Encoding(31);
    pub const ISO_8859_11: Encoding = Encoding(32);
    pub const ISO_8859_13: Encoding = Encoding(33);
    pub const ISO_8859_14: Encoding = Encoding(34);
    pub const ISO_8859_15: Encoding = Encoding(35);
    pub const ISO_8859_16: Encoding = Encoding(36);
    pub const KOI8_R: Encoding = Encoding(37);
    pub const KOI8_U: Encoding = Encoding(38);
    pub const SHIFT_JIS: Encoding = Encoding(39);
    pub const WINDOWS_1250: Encoding = Encoding(40);
    pub const WINDOWS_1251: Encoding = Encoding(41);
    pub const WINDOWS_1252: Encoding = Encoding(42);
    pub const WINDOWS_1253: Encoding = Encoding(43);
    pub const WINDOWS_1254: Encoding = Encoding(44);
    pub const WINDOWS_1257: Encoding = Encoding(45);
    pub const IBM437: Encoding = Encoding(46);
    pub const IBM720: Encoding = Encoding(47);
    pub const IBM737: Encoding = Encoding(48);
    pub const IBM775: Encoding = Encoding(49);
    pub const CP850: Encoding = Encoding(50);
    pub const IBM852: Encoding = Encoding(51);
    pub const CP852: Encoding = Encoding(52);
    pub const IBM855: Encoding = Encoding(53);
    pub const CP855: Encoding = Encoding(54);
    pub const IBM857: Encoding = Encoding(55);
    pub const IBM860: Encoding = Encoding(56);
    pub const IBM861: Encoding = Encoding(57);
    pub const IBM862: Encoding = Encoding(58);
    pub const IBM863: Encoding = Encoding(59);
    pub const IBM864: Encoding = Encoding(60);
    pub const IBM865: Encoding = Encoding(61);
    pub const IBM866: Encoding = Encoding(62);
    pub const IBM869: Encoding = Encoding(63);
    pub const WINDOWS_1258: Encoding = Encoding(64);
    pub const GB1988: Encoding = Encoding(65);
    pub const MACCENTEURO: Encoding = Encoding(66);
    pub const MACCROATIAN: Encoding = Encoding(67);
    pub const MACCYRILLIC: Encoding = Encoding(68);
    pub const MACGREEK: Encoding = Encoding(69);
    pub const MACICELAND: Encoding = Encoding(70);
    pub const MACROMAN: Encoding = Encoding(71);
    pub const MACROMANIA: Encoding = Encoding(72);
    pub const MACTHAI: Encoding = Encoding(73);
    pub const MACTURKISH: Encoding = Encoding(74);
    pub const MACUKRAINE: Encoding = Encoding(75);
    pub const CP950: Encoding = Encoding(76);
    pub const CP951: Encoding = Encoding(77);
    pub const IBM037: Encoding = Encoding(78);
    pub const STATELESS_ISO_2022_JP: Encoding = Encoding(79);
    pub const EUCJP_MS: Encoding = Encoding(80);
    pub const CP51932: Encoding = Encoding(81);
    pub const EUC_JIS_2004: Encoding = Encoding(82);
    pub const GB2312: Encoding = Encoding(83);
    pub const GB12345: Encoding = Encoding(84);
    pub const ISO_2022_JP: Encoding = Encoding(85);
    pub const ISO_2022_JP_2: Encoding = Encoding(86);
    pub const CP50220: Encoding = Encoding(87);
    pub const CP50221: Encoding = Encoding(88);
    pub const WINDOWS_1256: Encoding = Encoding(89);
    pub const WINDOWS_1255: Encoding = Encoding(90);
    pub const TIS_620: Encoding = Encoding(91);
    pub const WINDOWS_874: Encoding = Encoding(92);
    pub const MACJAPANESE: Encoding = Encoding(93);
    pub const UTF_7: Encoding = Encoding(94);
    pub const UTF8_DOCOMO: Encoding = Encoding(95);
    pub const SJIS_DOCOMO: Encoding = Encoding(96);
    pub const UTF8_KDDI: Encoding = Encoding(97);
    pub const SJIS_KDDI: Encoding = Encoding(98);
    pub const ISO_2022_JP_KDDI: Encoding = Encoding(99);
    pub const STATELESS_ISO_2022_JP_KDDI: Encoding = Encoding(100);
    pub const UTF8_SOFTBANK: Encoding = Encoding(101);
    pub const SJIS_SOFTBANK: Encoding = Encoding(102);
}

#[rustfmt::skip]
pub(crate) static ENCODINGS: [Entry; 103] = [
    Entry { name: "ASCII-8BIT", aliases: &["BINARY"], family: Family::SingleByte, dummy: false },
    Entry { name: "UTF-8", aliases: &["CP65001"], family: Family::Utf8, dummy: false },
    Entry { name: "US-ASCII", aliases: &["ASCII", "ANSI_X3.4-1968", "646"], family: Family::UsAscii, dummy: false },
    Entry { name: "UTF-16BE", aliases: &["UCS-2BE"], family: Family::Utf16Be, dummy: false },
    Entry { name: "UTF-16LE", aliases: &[], family: Family::Utf16Le, dummy: false },
    Entry { name: "UTF-32BE", aliases: &["UCS-4BE"], family: Family::Utf32Be, dummy: false },
    Entry { name: "UTF-32LE", aliases: &["UCS-4LE"], family: Family::Utf32Le, dummy: false },
    Entry { name: "UTF-16", aliases: &[], family: Family::SingleByte, dummy: true },
    Entry { name: "UTF-32", aliases: &[], family: Family::SingleByte, dummy: true },
    Entry { name: "UTF8-MAC", aliases: &["UTF-8-MAC", "UTF-8-HFS"], family: Family::Utf8, dummy: false },
    Entry { name: "EUC-JP", aliases: &["eucJP"], family: Family::EucJp, dummy: false },
    Entry { name: "Windows-31J", aliases: &["CP932", "csWindows31J", "SJIS", "PCK"], family: Family::ShiftJis, dummy: false },
    Entry { name: "Big5", aliases: &[], family: Family::Big5, dummy: false },
    Entry { name: "Big5-HKSCS", aliases: &["Big5-HKSCS:2008"], family: Family::Big5, dummy: false },
    Entry { name: "Big5-UAO", aliases: &[], family: Family::Big5, dummy: false },
    Entry { name: "CESU-8", aliases: &[], family: Family::Cesu8, dummy: false },
    Entry { name: "CP949", aliases: &[], family: Family::Cp949, dummy: false },
    Entry { name: "Emacs-Mule", aliases: &[], family: Family::EmacsMule, dummy: false },
    Entry { name: "EUC-KR", aliases: &["eucKR"], family: Family::EucKr, dummy: false },
    Entry { name: "EUC-TW", aliases: &["eucTW"], family: Family::EucTw, dummy: false },
    Entry { name: "GB18030", aliases: &[], family: Family::Gb18030, dummy: false },
    Entry { name: "GBK", aliases: &["CP936"], family: Family::Gbk, dummy: false },
    Entry { name: "ISO-8859-1", aliases: &["ISO8859-1"], family: Family::SingleByte, dummy: false },
    Entry { name: "ISO-8859-2", aliases: &["ISO8859-2"], family: Family::SingleByte, dummy: false },
    Entry { name: "ISO-8859-3", aliases: &["ISO8859-3"], family: Family::SingleByte, dummy: false },
    Entry { name: "ISO-8859-4", aliases: &["ISO8859-4"], family: Family::SingleByte, dummy: false },
    Entry { name: "ISO-8859-5", aliases: &["ISO8859-5"], family: Family::SingleByte, dummy: false },
    Entry { name: "ISO-8859-6", aliases: &["ISO8859-6"], family: Family::SingleByte, dummy: false },
    Entry { name: "ISO-8859-7", aliases: &["ISO8859-7"], family: Family::SingleByte, dummy: false },
    Entry { name: "ISO-8859-8", aliases: &["ISO8859-8"], family: Family::SingleByte, dummy: false },
    Entry { name: "ISO-8859-9", aliases: &["ISO8859-9"], family: Family::SingleByte, dummy: false },
    Entry { name: "ISO-8859-10", aliases: &["ISO8859-10"], family: Family::SingleByte, dummy: false },
    Entry { name: "ISO-8859-11", aliases: &["ISO8859-11"], family: Family::SingleByte, dummy: false },
    Entry { name: "ISO-8859-13", aliases: &["ISO8859-13"], family: Family::SingleByte, dummy: false },
    Entry { name: "ISO-8859-14", aliases: &["ISO8859-14"], family: Family::SingleByte, dummy: false },
    Entry { name: "ISO-8859-15", aliases: &["ISO8859-15"], family: Family::SingleByte, dummy: false },
    Entry { name: "ISO-8859-16", aliases: &["ISO8859-16"], family: Family::SingleByte, dummy: false },
    Entry { name: "KOI8-R", aliases: &["CP878"], family: Family::SingleByte, dummy: false },
    Entry { name: "KOI8-U", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "Shift_JIS", aliases: &[], family: Family::ShiftJis, dummy: false },
    Entry { name: "Windows-1250", aliases: &["CP1250"], family: Family::SingleByte, dummy: false },
    Entry { name: "Windows-1251", aliases: &["CP1251"], family: Family::SingleByte, dummy: false },
    Entry { name: "Windows-1252", aliases: &["CP1252"], family: Family::SingleByte, dummy: false },
    Entry { name: "Windows-1253", aliases: &["CP1253"], family: Family::SingleByte, dummy: false },
    Entry { name: "Windows-1254", aliases: &["CP1254"], family: Family::SingleByte, dummy: false },
    Entry { name: "Windows-1257", aliases: &["CP1257"], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM437", aliases: &["CP437"], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM720", aliases: &["CP720"], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM737", aliases: &["CP737"], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM775", aliases: &["CP775"], family: Family::SingleByte, dummy: false },
    Entry { name: "CP850", aliases: &["IBM850"], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM852", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "CP852", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM855", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "CP855", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM857", aliases: &["CP857"], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM860", aliases: &["CP860"], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM861", aliases: &["CP861"], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM862", aliases: &["CP862"], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM863", aliases: &["CP863"], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM864", aliases: &["CP864"], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM865", aliases: &["CP865"], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM866", aliases: &["CP866"], family: Family::SingleByte, dummy: false },
    Entry { name: "IBM869", aliases: &["CP869"], family: Family::SingleByte, dummy: false },
    Entry { name: "Windows-1258", aliases: &["CP1258"], family: Family::SingleByte, dummy: false },
    Entry { name: "GB1988", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "macCentEuro", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "macCroatian", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "macCyrillic", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "macGreek", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "macIceland", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "macRoman", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "macRomania", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "macThai", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "macTurkish", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "macUkraine", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "CP950", aliases: &[], family: Family::Big5, dummy: false },
    Entry { name: "CP951", aliases: &[], family: Family::Big5, dummy: false },
    Entry { name: "IBM037", aliases: &["ebcdic-cp-us"], family: Family::SingleByte, dummy: true },
    Entry { name: "stateless-ISO-2022-JP", aliases: &[], family: Family::EmacsMule, dummy: false },
    Entry { name: "eucJP-ms", aliases: &["euc-jp-ms"], family: Family::EucJp, dummy: false },
    Entry { name: "CP51932", aliases: &[], family: Family::EucJp, dummy: false },
    Entry { name: "EUC-JIS-2004", aliases: &["EUC-JISX0213"], family: Family::EucJp, dummy: false },
    Entry { name: "GB2312", aliases: &["EUC-CN", "eucCN"], family: Family::EucKr, dummy: false },
    Entry { name: "GB12345", aliases: &[], family: Family::EucKr, dummy: false },
    Entry { name: "ISO-2022-JP", aliases: &["ISO2022-JP"], family: Family::SingleByte, dummy: true },
    Entry { name: "ISO-2022-JP-2", aliases: &["ISO2022-JP2"], family: Family::SingleByte, dummy: true },
    Entry { name: "CP50220", aliases: &[], family: Family::SingleByte, dummy: true },
    Entry { name: "CP50221", aliases: &[], family: Family::SingleByte, dummy: true },
    Entry { name: "Windows-1256", aliases: &["CP1256"], family: Family::SingleByte, dummy: false },
    Entry { name: "Windows-1255", aliases: &["CP1255"], family: Family::SingleByte, dummy: false },
    Entry { name: "TIS-620", aliases: &[], family: Family::SingleByte, dummy: false },
    Entry { name: "Windows-874", aliases: &["CP874"], family: Family::SingleByte, dummy: false },
    Entry { name: "MacJapanese", aliases: &["MacJapan"], family: Family::ShiftJis, dummy: false },
    Entry { name: "UTF-7", aliases: &["CP65000"], family: Family::SingleByte, dummy: true },
    Entry { name: "UTF8-DoCoMo", aliases: &[], family: Family::Utf8, dummy: false },
    Entry { name: "SJIS-DoCoMo", aliases: &[], family: Family::ShiftJis, dummy: false },
    Entry { name: "UTF8-KDDI", aliases: &[], family: Family::Utf8, dummy: false },
    Entry { name: "SJIS-KDDI", aliases: &[], family: Family::ShiftJis, dummy: false },
    Entry { name: "ISO-2022-JP-KDDI", aliases: &[], family: Family::SingleByte, dummy: true },
    Entry { name: "stateless-ISO-2022-JP-KDDI", aliases: &[], family: Family::EmacsMule, dummy: false },
    Entry { name: "UTF8-SoftBank", aliases: &[], family: Family::Utf8, dummy: false },
    Entry { name: "SJIS-SoftBank", aliases: &[], family: Family::ShiftJis, dummy: false },
];

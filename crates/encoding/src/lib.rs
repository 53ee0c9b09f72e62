//! Encodings (being written).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Encoding(u8);
impl Encoding {
    pub const BINARY: Encoding = Encoding(0);
    pub const UTF_8: Encoding = Encoding(1);
    pub const US_ASCII: Encoding = Encoding(2);
    pub fn ascii_compatible(self) -> bool { true }
    pub const fn index(self) -> u8 { self.0 }
    pub const fn from_index(n: u8) -> Encoding { Encoding(n) }
}

//! Literals and aggregates: strings, arrays, hashes, ranges, splats, destructuring.

use crate::code::CodeData;
use crate::ctx::Ctx;
use crate::object::{Array, Chilled, Hash, Range, Str};
use crate::{Encoding, Result};
use rubellite_bytecode::{Insn, regexp_flags};
use rubellite_encoding::{CodeRange, Side};
use rubellite_value::{Tag, Value};

/// Room for an integer of usual size.
const DIGITS: usize = 8;

impl Ctx {
    #[inline]
    pub(crate) fn new_string_literal(&mut self, code: &CodeData, insn: Insn) -> Value {
        let template = code.literal(insn.literal());
        if insn.x > 1 { self.noted_string(template, insn.x & 1 != 0) } else { self.fresh_string(template, insn.x == 1) }
    }

    /// The same of a literal that notes where it is made.
    #[cold]
    fn noted_string(&mut self, template: Value, chilled: bool) -> Value {
        let string = self.fresh_string(template, chilled);
        if let (Some(string), Some(place)) = (Str::try_of(string), self.noted_place(template)) {
            self.note_place(string, place);
        }
        string
    }

    /// Notes in a string where the program made it.
    pub(crate) fn note_place(&mut self, string: Str, place: Value) {
        let name = self.internal("__made_at");
        self.ivar_set(string.value(), name, place);
    }

    /// Where the program made a string, if that was noted.
    pub(crate) fn noted_place(&mut self, string: Value) -> Option<Value> {
        let name = self.internal("__made_at");
        self.ivar_get(string, name).defined()
    }

    /// What a String literal gives each time that it is evaluated.
    pub(crate) fn fresh_string(&mut self, template: Value, chilled: bool) -> Value {
        let string = Str::known(template).dup(self);
        if chilled {
            string.set_chilled(Some(Chilled::Literal));
        }
        string.value()
    }

    /// What an Array or Hash literal of constants gives each time.
    pub(crate) fn copy_literal(&mut self, template: Value) -> Value {
        match Array::try_of(template) {
            Some(list) => list.dup(self).value(),
            None => Hash::known(template).dup(self).value(),
        }
    }

    pub(crate) fn array_from(&mut self, first: *const Value, count: usize) -> Value {
        // SAFETY: the registers lie within the running frame.
        let items = unsafe { std::slice::from_raw_parts(first, count) };
        Array::from_slice(self, items).value()
    }

    pub(crate) fn array_push_all(&mut self, array: Value, first: *const Value, count: usize) {
        // SAFETY: as above.
        let items = unsafe { std::slice::from_raw_parts(first, count) };
        Array::known(array).extend(self, items);
    }

    pub(crate) fn hash_from(&mut self, first: *const Value, count: usize) -> Result {
        let hash = Hash::with_capacity(self, count / 2).value();
        self.hash_store_all(hash, first, count)?;
        Ok(hash)
    }

    pub(crate) fn hash_store_all(&mut self, hash: Value, first: *const Value, count: usize) -> Result<()> {
        for i in (0..count).step_by(2) {
            // SAFETY: the registers lie within the running frame.
            let (key, value) = unsafe { (*first.add(i), *first.add(i + 1)) };
            let key = self.hash_key(hash, key);
            Hash::known(hash).insert(self, key, value)?;
        }
        Ok(())
    }

    /// String keys are stored as frozen copies.
    pub fn hash_key(&mut self, hash: Value, key: Value) -> Value {
        let copied = Hash::known(hash).copied_key(self, key);
        copied.map_or(key, |string| self.frozen_key(string).value())
    }

    /// `*value` in an argument list or array literal, appended to `array`.
    pub(crate) fn array_concat_splat(&mut self, array: Value, value: Value) -> Result<()> {
        let list = self.splat_array(value, false)?;
        Array::known(array).concat(self, Array::known(list));
        Ok(())
    }

    /// `[*value]`
    pub(crate) fn splat_array(&mut self, value: Value, fresh: bool) -> Result {
        if value.has_tag(Tag::Array) {
            return Ok(if fresh { Array::known(value).dup(self).value() } else { value });
        }
        if value.is_nil() {
            return Ok(if fresh { Array::new(self).value() } else { self.vm().no_elements.get() });
        }
        let to_a = self.names().to_a;
        match self.check_call(value, to_a, &[])? {
            None | Some(Value::NIL) => Ok(Array::from_slice(self, &[value]).value()),
            Some(array) if array.has_tag(Tag::Array) => {
                Ok(if fresh { Array::known(array).dup(self).value() } else { array })
            }
            Some(other) => {
                let (class, got) = (self.real_class(value).inspect(self), self.real_class(other).inspect(self));
                Err(self.type_error(&format!("can't convert {class} into Array ({class}#to_a gives {got})")))
            }
        }
    }

    /// `**value` merged into the keyword Hash; `x` is the instruction's: 1 where only a Hash is taken.
    pub(crate) fn hash_merge_op(&mut self, hash: Value, value: Value, x: u8) -> Result<()> {
        if x != 0 && !value.is_nil() && Hash::try_of(value).is_none() {
            let class = self.describe_for_conversion(value);
            return Err(self.type_error(&format!("wrong argument type {class} (expected Hash)")));
        }
        if value.is_nil() {
            return Ok(());
        }
        let other = self.to_hash(value)?;
        let mut position = 0;
        while let Some(entry) = other.next_entry(self, position) {
            position = entry.position + 1;
            let key = self.hash_key(hash, entry.key);
            Hash::known(hash).insert(self, key, entry.value)?;
        }
        Ok(())
    }

    /// A Range, whose ends must be comparable.
    pub fn new_range_checked(&mut self, low: Value, high: Value, exclusive: bool) -> Result {
        self.check_range_ends(low, high)?;
        Ok(Range::new(self, low, high, exclusive).value())
    }

    /// Refuses ends that cannot be compared: "bad value for range".
    pub fn check_range_ends(&mut self, low: Value, high: Value) -> Result<()> {
        if (low.is_fixnum() && high.is_fixnum()) || low.is_nil() || high.is_nil() {
            return Ok(());
        }
        let order = self.call(low, self.names().op_cmp, &[high])?;
        if order.is_nil() { Err(self.argument_error("bad value for range")) } else { Ok(()) }
    }

    /// Interpolation: parts joined. A lone part is put behind an empty string of the source.
    pub(crate) fn interpolated(&mut self, first: *const Value, count: usize, source: Encoding) -> Result {
        // SAFETY: the first register holds a part.
        let encoding = if count == 1 { source } else { self.part_encoding(unsafe { *first }) };
        self.concat_strings(first, count, encoding)
    }

    fn part_encoding(&self, part: Value) -> Encoding {
        match part.as_symbol() {
            Some(symbol) => self.sym_encoding(symbol),
            None => Str::try_of(part).map_or(Encoding::US_ASCII, Str::encoding),
        }
    }

    /// Strings, fixnums, symbols, true, false and nil joined, beginning with an empty string in `encoding`.
    pub(super) fn concat_strings(&mut self, first: *const Value, count: usize, encoding: Encoding) -> Result {
        // SAFETY: the registers lie within the running frame.
        let parts = unsafe { std::slice::from_raw_parts(first, count) };
        let total = parts.iter().map(|p| Str::try_of(*p).map_or(DIGITS, Str::len)).sum();
        let Ok(result) = Str::with_capacity(self, total, encoding) else { return Err(self.no_memory()) };
        for part in parts {
            match part.as_fixnum() {
                Some(number) => {
                    let mut buffer = itoa::Buffer::new();
                    let digits = buffer.format(number).as_bytes();
                    if result.encoding().is_ascii_compatible() {
                        result.append(self, digits);
                    } else {
                        let digits = Str::new(self, digits, Encoding::US_ASCII);
                        self.append_part(result, digits, false)?;
                    }
                }
                None => {
                    let part = self.text_of_part(*part);
                    self.append_part(result, part, false)?;
                }
            }
        }
        Ok(result.value())
    }

    /// A part as a String: what `to_s` makes of a fixnum, a symbol, true, false or nil.
    fn text_of_part(&mut self, value: Value) -> Str {
        if let Some(string) = Str::try_of(value) {
            return string;
        }
        if let Some(number) = value.as_fixnum() {
            return Str::ascii(self, itoa::Buffer::new().format(number));
        }
        match value.as_symbol() {
            Some(symbol) => Str::of_symbol(self, symbol),
            None if value.is_nil() => Str::ascii(self, ""),
            None => Str::ascii(self, if value.truthy() { "true" } else { "false" }),
        }
    }

    /// Appends a part of an interpolation: the encoding changes only for what is not ASCII, or if it was US-ASCII and
    /// does not `stay`; raises Encoding::CompatibilityError.
    fn append_part(&mut self, to: Str, part: Str, stay: bool) -> Result<()> {
        let (a, b) = (to.encoding(), part.encoding());
        if a != b {
            let ascii = a.is_ascii_compatible() && b.is_ascii_compatible();
            let plain = |side: Side| side.empty || side.range == Some(CodeRange::SevenBit);
            let changes = if ascii { !plain(part.side(self)) } else { !part.is_empty() };
            if changes && !(to.is_empty() || ascii && plain(to.side(self))) {
                let message =
                    format!("incompatible character encodings: {} and {}", encoding_label(a), encoding_label(b));
                return Err(self.raise_error("Encoding::CompatibilityError", &message));
            }
            if changes || a == Encoding::US_ASCII && !stay {
                to.set_encoding(b);
            }
        }
        to.append_str(self, part);
        Ok(())
    }

    pub(crate) fn intern_string(&mut self, string: Value) -> Result {
        let string = Str::known(string);
        if !string.is_valid(self) {
            let text = self.inspect(string.value())?;
            return Err(self.raise_error(
                "EncodingError",
                &format!("invalid symbol in encoding {} :{text}", string.encoding().name()),
            ));
        }
        Ok(self.dynamic_symbol(string.bytes(self), string.encoding()))
    }

    /// A Regexp of pieces. Each is read by itself: characters beyond ASCII, escapes of such and properties fix the
    /// encoding of the whole, and two pieces must not fix different ones. Begins with an empty string in the
    /// encoding that a flag names, or in that of the source.
    pub(crate) fn dynamic_regexp(&mut self, first: *const Value, count: usize, flags: u8, source: Encoding) -> Result {
        // SAFETY: the registers lie within the running frame.
        let parts = unsafe { std::slice::from_raw_parts(first, count) };
        let total = parts.iter().map(|p| Str::try_of(*p).map_or(DIGITS, Str::len)).sum();
        let encoding = regexp_flags::encoding(flags).unwrap_or(source);
        let Ok(whole) = Str::with_capacity(self, total, encoding) else { return Err(self.no_memory()) };
        let mut fixed: Option<Encoding> = None;
        for part in parts {
            let piece = self.text_of_part(*part);
            if let Some(asked) = (self.vm().hooks().regexp_piece)(self, piece, flags)? {
                if let Some(before) = fixed.filter(|before| *before != asked) {
                    let message =
                        format!("encoding mismatch in dynamic regexp : {} and {}", before.name(), asked.name());
                    return Err(self.raise_error("RegexpError", &message));
                }
                fixed = Some(asked);
            }
            self.append_part(whole, piece, true)?;
        }
        // Escapes of bytes in ASCII make a pattern of bytes.
        let own = if whole.encoding() == Encoding::US_ASCII { Encoding::BINARY } else { whole.encoding() };
        let (bytes, encoding) = (whole.share(self), fixed.unwrap_or(own));
        (self.vm().hooks().joined_regexp)(self, &bytes, encoding, flags)
    }

    /// Destructuring of `value` over registers from `first` on.
    pub(crate) fn expand_array(&mut self, value: Value, first: *mut Value, before: usize, spec: u8) -> Result<()> {
        let (after, splat) = ((spec & 0x7f) as usize, spec & 0x80 != 0);
        let list = match self.check_array(value)? {
            Some(list) => list,
            None => Array::from_slice(self, &[value]),
        };
        let len = list.len();
        let at = |i: usize| if i < len { list.get(i).unwrap_or(Value::NIL) } else { Value::NIL };
        // What allocates comes first; registers are roots, the list is on the machine stack.
        let middle = if splat { len.saturating_sub(before + after) } else { 0 };
        let rest = if splat { Some(list.subseq(self, before.min(len), middle).value()) } else { None };
        // SAFETY: the registers lie within the running frame.
        unsafe {
            for i in 0..before {
                *first.add(i) = at(i);
            }
            if let Some(rest) = rest {
                *first.add(before) = rest;
            }
            let start = if splat { (before + middle).max(before.min(len)) } else { before };
            for i in 0..after {
                *first.add(before + splat as usize + i) = at(start.max(before) + i);
            }
        }
        std::hint::black_box(list);
        Ok(())
    }
}

/// How compatibility errors name an encoding.
fn encoding_label(encoding: Encoding) -> String {
    if encoding == Encoding::BINARY { "BINARY (ASCII-8BIT)".into() } else { encoding.name().into() }
}

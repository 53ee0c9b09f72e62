//! Implicit conversions with CRuby's wording, hashing and equality of any object.

use crate::Result;
use crate::ctx::Ctx;
use crate::object::{Array, Float, Hash, Int, Str, hashing, integer};
use rubellite_value::{Sym, Tag, Value};

impl Ctx {
    // -- integers -------------------------------------------------------------------------

    /// An Integer (fixnum or big) by to_int.
    pub fn to_integer(&mut self, value: Value) -> Result {
        if integer::is_integer(value) {
            return Ok(value);
        }
        if let Some(f) = self.float_value(value) {
            return match Int::from_f64(f) {
                Some(int) => Ok(int.into_value(self)),
                None => Err(self.float_domain_error(f)),
            };
        }
        if value.has_tag(Tag::String) || matches!(value, Value::NIL | Value::TRUE | Value::FALSE) {
            return Err(self.conversion_error(value, "Integer"));
        }
        let name = self.names().to_int;
        match self.check_call(value, name, &[])? {
            Some(int) if integer::is_integer(int) => Ok(int),
            Some(other) => Err(self.bad_conversion(value, other, "Integer", "to_int")),
            None => Err(self.conversion_error(value, "Integer")),
        }
    }

    /// A machine integer by to_int; RangeError "bignum too big to convert into 'long'" beyond 64 bits.
    pub fn to_int(&mut self, value: Value) -> Result<i64> {
        if let Some(n) = value.as_fixnum() {
            return Ok(n);
        }
        if value.is_nil() {
            return Err(self.type_error("no implicit conversion from nil to integer"));
        }
        if let Some(f) = self.float_value(value) {
            return self.float_to_int(f);
        }
        let int = self.to_integer(value)?;
        match int.as_fixnum().or_else(|| Int::try_of(int).and_then(|i| i.to_i64())) {
            Some(n) => Ok(n),
            None => Err(self.range_error("bignum too big to convert into 'long'")),
        }
    }

    /// `to_int` for what must fit a C int; RangeError "integer 4294967296 too big to convert to 'int'" otherwise.
    pub fn to_c_int(&mut self, value: Value) -> Result<i32> {
        let n = self.to_int(value)?;
        match i32::try_from(n) {
            Ok(n) => Ok(n),
            Err(_) => Err(self
                .range_error(&format!("integer {n} too {} to convert to 'int'", if n < 0 { "small" } else { "big" }))),
        }
    }

    /// The same for a C unsigned int; a negative number down to a C int's least is taken by its bits.
    pub fn to_c_uint(&mut self, value: Value) -> Result<u32> {
        if value.is_nil() {
            return Err(self.conversion_error(value, "Integer"));
        }
        let int = self.to_integer(value)?;
        match Int::try_of(int).and_then(|n| n.to_i64()) {
            Some(n) if n < i64::from(i32::MIN) => {
                Err(self.range_error(&format!("integer {n} too small to convert to 'unsigned int'")))
            }
            Some(n) if n > i64::from(u32::MAX) => {
                Err(self.range_error(&format!("integer {n} too big to convert to 'unsigned int'")))
            }
            Some(n) => Ok(n as u32),
            None => Err(self.range_error("bignum too big to convert into 'unsigned long'")),
        }
    }

    /// A machine integer of a float; RangeError "float 1e+100 out of range of integer" beyond 64 bits.
    fn float_to_int(&mut self, f: f64) -> Result<i64> {
        if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&f) {
            return Ok(f as i64);
        }
        Err(self.float_out_of_range(f, "integer"))
    }

    /// "float 1e+100 out of range of integer"
    #[cold]
    pub fn float_out_of_range(&mut self, f: f64, target: &str) -> crate::Unwind {
        let text = match () {
            _ if f.is_nan() => "NaN".to_string(),
            _ if f.is_infinite() => if f > 0.0 { "Inf" } else { "-Inf" }.to_string(),
            // Ten significant digits, without trailing zeros.
            _ => {
                let text = format!("{f:.9e}");
                let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
                let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
                format!("{mantissa}e+{:02}", exponent.parse::<i32>().unwrap_or(0))
            }
        };
        self.range_error(&format!("float {text} out of range of {target}"))
    }

    /// The float of a Float.
    #[inline]
    pub fn float_value(&self, value: Value) -> Option<f64> {
        if value.is_flonum() { Some(value.as_flonum_unchecked()) } else { Float::try_of(value).map(Float::get) }
    }

    /// The nearest double of an Integer; a warning under -w where there is none.
    pub fn int_to_f64(&mut self, int: &Int) -> Result<f64> {
        let f = int.to_f64();
        if f.is_infinite() {
            self.warn_verbose("Integer out of Float range")?;
        }
        Ok(f)
    }

    /// A double from any Numeric (to_f); TypeError for anything else, as Float arguments are taken.
    pub fn to_float(&mut self, value: Value) -> Result<f64> {
        if let Some(f) = self.float_value(value) {
            return Ok(f);
        }
        if let Some(n) = value.as_fixnum() {
            return Ok(n as f64);
        }
        if let Some(int) = Int::try_of(value) {
            return self.int_to_f64(&int);
        }
        let numeric = self.classes().numeric.get();
        if value.is_immediate() || !self.is_a(value, numeric) {
            let from = self.describe_for_conversion(value);
            return Err(self.type_error(&format!("can't convert {from} into Float")));
        }
        let name = self.names().to_f;
        let Some(result) = self.check_call(value, name, &[])? else {
            let from = self.describe_for_conversion(value);
            return Err(self.type_error(&format!("can't convert {from} into Float")));
        };
        match self.float_value(result) {
            Some(f) => Ok(f),
            None => Err(self.bad_conversion(value, result, "Float", "to_f")),
        }
    }

    /// "can't convert X into Y (X#m gives Z)"
    #[cold]
    pub fn bad_conversion(&mut self, value: Value, got: Value, target: &str, method: &str) -> crate::Unwind {
        let (class, got) = (self.describe_for_conversion(value), self.describe_for_conversion(got));
        self.type_error(&format!("can't convert {class} into {target} ({class}#{method} gives {got})"))
    }

    // -- strings, symbols -----------------------------------------------------------------

    /// A String by to_str.
    pub fn to_str(&mut self, value: Value) -> Result<Str> {
        match self.str_by(value, false)? {
            Some(string) => Ok(string),
            None => Err(self.conversion_error(value, "String")),
        }
    }

    /// A String by to_str, or none when the object does not convert.
    pub fn check_str(&mut self, value: Value) -> Result<Option<Str>> {
        self.str_by(value, true)
    }

    fn str_by(&mut self, value: Value, or_nil: bool) -> Result<Option<Str>> {
        if value.has_tag(Tag::String) {
            return Ok(Some(Str::known(value)));
        }
        if value.is_immediate() {
            return Ok(None);
        }
        let name = self.names().to_str;
        Ok(self.converted(value, name, Tag::String, "String", or_nil)?.map(Str::known))
    }

    /// What the conversion `name` gives: a value of that tag. None when the object has no such method, and for nil
    /// where that says "no".
    fn converted(&mut self, value: Value, name: Sym, tag: Tag, target: &str, or_nil: bool) -> Result<Option<Value>> {
        match self.check_call(value, name, &[])? {
            None => Ok(None),
            Some(Value::NIL) if or_nil => Ok(None),
            Some(result) if result.has_tag(tag) => Ok(Some(result)),
            Some(other) => {
                let method = self.sym_str(name);
                Err(self.bad_conversion(value, other, target, &method))
            }
        }
    }

    /// A String by to_s, as interpolation makes it.
    pub fn to_s(&mut self, value: Value) -> Result<Str> {
        if value.has_tag(Tag::String) {
            return Ok(Str::known(value));
        }
        let name = self.names().to_s;
        let text = self.call(value, name, &[])?;
        if text.has_tag(Tag::String) { Ok(Str::known(text)) } else { Ok(Str::known(self.default_string(value))) }
    }

    /// `value.inspect`, made a string as interpolation makes one.
    pub fn inspect_str(&mut self, value: Value) -> Result<Str> {
        let name = self.names().inspect;
        let shown = self.call(value, name, &[])?;
        self.to_s(shown)
    }

    /// A symbol from a Symbol or String, to keep: "X is not a symbol nor a string".
    pub fn to_symbol(&mut self, value: Value) -> Result<Sym> {
        if let Some(sym) = self.pinned(value) {
            return Ok(sym);
        }
        match self.check_str(value)? {
            Some(string) => {
                let symbol = self.intern_string(string.value())?;
                Ok(self.pinned(symbol).unwrap_or(Sym(0)))
            }
            None => {
                let text = self.inspect(value)?;
                Err(self.type_error(&format!("{text} is not a symbol nor a string")))
            }
        }
    }

    // -- collections ----------------------------------------------------------------------

    /// An Array by to_ary.
    pub fn to_ary(&mut self, value: Value) -> Result<Array> {
        match self.array_by(value, false)? {
            Some(array) => Ok(array),
            None => Err(self.conversion_error(value, "Array")),
        }
    }

    /// The Array that `value` is or converts to by to_ary; none when it does not convert.
    pub fn check_array(&mut self, value: Value) -> Result<Option<Array>> {
        self.array_by(value, true)
    }

    fn array_by(&mut self, value: Value, or_nil: bool) -> Result<Option<Array>> {
        if value.has_tag(Tag::Array) {
            return Ok(Some(Array::known(value)));
        }
        let name = self.names().to_ary;
        if value.is_immediate() && self.dispatch_class(value).find_method(self, name).method.is_none() {
            return Ok(None);
        }
        Ok(self.converted(value, name, Tag::Array, "Array", or_nil)?.map(Array::known))
    }

    /// A Hash by to_hash.
    pub fn to_hash(&mut self, value: Value) -> Result<Hash> {
        match self.hash_by(value, false)? {
            Some(hash) => Ok(hash),
            None => Err(self.conversion_error(value, "Hash")),
        }
    }

    pub fn check_hash(&mut self, value: Value) -> Result<Option<Hash>> {
        self.hash_by(value, true)
    }

    fn hash_by(&mut self, value: Value, or_nil: bool) -> Result<Option<Hash>> {
        if value.has_tag(Tag::Hash) {
            return Ok(Some(Hash::known(value)));
        }
        if value.is_immediate() {
            return Ok(None);
        }
        let name = self.names().to_hash;
        Ok(self.converted(value, name, Tag::Hash, "Hash", or_nil)?.map(Hash::known))
    }

    // -- equality and hashing -------------------------------------------------------------

    /// `a == b`
    pub fn equal(&mut self, a: Value, b: Value) -> Result<bool> {
        if a == b && !a.is_flonum() && !a.has_tag(Tag::Float) && a.is_immediate() {
            return Ok(true);
        }
        if let Some(equal) = self.fast_equal(a, b).or_else(|| self.numbers_equal(a, b)) {
            return Ok(equal);
        }
        let name = self.names().op_eq;
        Ok(self.call(a, name, &[b])?.truthy())
    }

    /// `a.eql?(b)` for two Hash keys.
    pub fn eql(&mut self, a: Value, b: Value) -> Result<bool> {
        if a == b {
            return Ok(true);
        }
        if a.is_immediate() && b.is_immediate() {
            return Ok(false);
        }
        let name = self.names().eql_p;
        Ok(self.call(a, name, &[b])?.truthy())
    }

    /// `key.hash` for a Hash key.
    pub fn hash_of(&mut self, key: Value) -> Result<u64> {
        let name = self.names().hash;
        let hash = self.call(key, name, &[])?;
        match hash.as_fixnum() {
            Some(n) => Ok(n as u64),
            None => match Int::try_of(hash) {
                Some(int) => Ok(int.low_u64()),
                None => {
                    let int = self.to_integer(hash)?;
                    Ok(Int::try_of(int).map_or(0, |i| i.low_u64()))
                }
            },
        }
    }

    /// What the method `hash` of a key gives whose hash value is known without it (`fast_hash`): tables that ask a
    /// method for it file such keys alike.
    pub fn hash_number(&self, hash: u64) -> Value {
        Value::fixnum(hashing::number(self.hash_seed(), hash))
    }

    /// The key of every hash value of this VM.
    #[inline(always)]
    pub fn hash_seed(&self) -> u64 {
        self.vm().hash_seed
    }

    /// Runs `body` unless `object` is already being worked on by `operation` in this fiber; then `again`.
    pub fn guard_recursion<T>(
        &mut self,
        operation: Sym,
        object: Value,
        partner: Value,
        again: impl FnOnce(&mut Ctx) -> Result<T>,
        body: impl FnOnce(&mut Ctx) -> Result<T>,
    ) -> Result<T> {
        self.check_native_stack()?;
        let entry = (operation, object, partner);
        if self.recursion.contains(&entry) {
            return again(self);
        }
        let depth = self.recursion.push(entry);
        let result = body(self);
        self.recursion.truncate(depth);
        let value = result?;
        // On the way out of deep nesting texts of texts are made, and no cell.
        self.collect_if_due()?;
        Ok(value)
    }

    /// `hash` of a collection begins; whether it is within no other in this fiber.
    pub fn begin_hash(&mut self) -> bool {
        self.recursion.hashes += 1;
        self.recursion.hashes == 1
    }

    pub fn end_hash(&mut self) {
        self.recursion.hashes -= 1;
    }
}

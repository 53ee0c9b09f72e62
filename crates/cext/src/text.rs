//! Strings, symbols and IDs.

use crate::call::sym;
use crate::state::{api, api_to_read, light};
use rubellite_core_encoding::object as encodings;
use rubellite_core_object::name_string;
use rubellite_vm::object::{CodeRange, OutOfMemory, Str};
use rubellite_vm::{Ctx, Encoding, Result, Tag, Value};
use std::ffi::{c_char, c_int, c_long};

/// A String, or TypeError.
pub fn str_of(ctx: &mut Ctx, value: Value) -> Result<Str> {
    match Str::try_of(value) {
        Some(string) => Ok(string),
        None => {
            let text = ctx.describe_for_conversion(value);
            Err(ctx.type_error(&format!("wrong argument type {text} (expected String)")))
        }
    }
}

/// A String that may be changed.
pub fn changeable(ctx: &mut Ctx, value: Value) -> Result<Str> {
    let string = str_of(ctx, value)?;
    if string.guarded() {
        if string.locked() {
            return Err(ctx.runtime_error("can't modify string; temporarily locked"));
        }
        ctx.check_frozen(value)?;
    }
    Ok(string)
}

fn memory<T>(ctx: &mut Ctx, outcome: std::result::Result<T, OutOfMemory>) -> Result<T> {
    outcome.map_err(|_| ctx.no_memory())
}

/// # Safety
/// `ptr` has `len` bytes, or is null.
pub unsafe fn bytes<'a>(ptr: *const c_char, len: c_long) -> &'a [u8] {
    if ptr.is_null() || len <= 0 {
        return &[];
    }
    // SAFETY: by contract.
    unsafe { std::slice::from_raw_parts(ptr.cast(), len as usize) }
}

/// # Safety
/// It ends with a NUL.
unsafe fn c_bytes<'a>(ctx: &mut Ctx, ptr: *const c_char) -> Result<&'a [u8]> {
    if ptr.is_null() {
        return Err(ctx.argument_error("NULL pointer given"));
    }
    // SAFETY: by contract.
    Ok(unsafe { std::ffi::CStr::from_ptr(ptr) }.to_bytes())
}

/// A new String of `len` bytes, of zeros when `ptr` is null.
///
/// # Safety
/// As `bytes`.
unsafe fn new(ctx: &mut Ctx, class: Value, ptr: *const c_char, len: c_long, encoding: Encoding) -> Result {
    if len < 0 {
        return Err(ctx.string_size_error());
    }
    if ptr.is_null() && len > 0 {
        let room = Str::with_capacity(ctx, len as usize + 1, encoding);
        let string = memory(ctx, room)?;
        string.set_len(ctx, len as usize, 0);
        if let Some(header) = string.value().header() {
            header.klass.set(class);
            ctx.write_barrier(string.value(), class);
        }
        return Ok(string.value());
    }
    // SAFETY: by contract.
    Ok(Str::new_in(ctx, class, unsafe { bytes(ptr, len) }, encoding).value())
}

fn string_class(ctx: &Ctx) -> Value {
    ctx.classes().string.get()
}

/// US-ASCII when the bytes allow it and nothing else was asked for.
fn external(ctx: &mut Ctx, bytes: &[u8]) -> Result {
    let encoding = encodings::default_external(ctx);
    in_encoding(ctx, bytes, encoding)
}

fn in_encoding(ctx: &mut Ctx, bytes: &[u8], encoding: Encoding) -> Result {
    let encoding = if encoding == Encoding::US_ASCII && !bytes.is_ascii() { Encoding::BINARY } else { encoding };
    let string = Str::new(ctx, bytes, encoding).value();
    let Some(internal) = encodings::default_internal(ctx) else { return Ok(string) };
    if internal == encoding || encoding == Encoding::BINARY || (bytes.is_ascii() && encoding.is_ascii_compatible()) {
        return Ok(string);
    }
    let target = encodings::encoding_object(ctx, internal);
    crate::own::call(ctx, string, "encode", &[target])
}

fn append(ctx: &mut Ctx, string: Value, bytes: &[u8]) -> Result {
    let text = changeable(ctx, string)?;
    let reserve = text.try_reserve(ctx, bytes.len() + 1);
    memory(ctx, reserve)?;
    text.append(ctx, bytes);
    Ok(string)
}

/// What messages call an encoding.
pub fn label(encoding: Encoding) -> &'static str {
    if encoding == Encoding::BINARY { "BINARY (ASCII-8BIT)" } else { encoding.name() }
}

/// `text << piece`: the result has the encoding that both share.
fn append_string(ctx: &mut Ctx, text: Str, piece: Str) -> Result<()> {
    let (a, b) = (text.encoding(), piece.encoding());
    if a != b && !piece.is_empty() {
        match rubellite_encoding::compatible(text.side(ctx), piece.side(ctx)) {
            Some(encoding) => text.set_encoding(encoding),
            None => {
                let message = format!("incompatible character encodings: {} and {}", label(a), label(b));
                return Err(ctx.raise_error("Encoding::CompatibilityError", &message));
            }
        }
    }
    text.append_str(ctx, piece);
    Ok(())
}

/// The number of a symbol that C code passes as an ID.
fn id_of(ctx: &mut Ctx, value: Value) -> Result<usize> {
    let name = ctx.to_symbol(value)?;
    Ok(name.0 as usize)
}

fn symbol_name(ctx: &Ctx, id: usize) -> *const c_char {
    if ctx.symbol_exists(sym(id)) { crate::keep_bytes(ctx, ctx.sym_bytes(sym(id))) } else { std::ptr::null() }
}

/// # Safety
/// As for the functions of `api!`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_id2name(id: usize, out: *mut *const c_char) -> c_int {
    light(out, |ctx| Some(symbol_name(ctx, id)), |ctx| Ok(symbol_name(ctx, id)))
}

/// # Safety
/// As for the functions of `api!`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_class2name(class: Value, out: *mut *const c_char) -> c_int {
    let named = |ctx: &Ctx| rubellite_vm::Class::try_of(class).map(|class| class_name(ctx, class.real(ctx)));
    light(out, named, |ctx| {
        if let Some(name) = named(ctx) {
            return Ok(name);
        }
        let name = ctx.call_name(class, "to_s", &[])?;
        Ok(crate::keep_text(ctx, name))
    })
}

/// # Safety
/// As for the functions of `api!`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_obj_classname(object: Value, out: *mut *const c_char) -> c_int {
    light(out, |ctx| Some(class_name(ctx, ctx.real_class(object))), |ctx| Ok(class_name(ctx, ctx.real_class(object))))
}

api! {
    fn rbl_str_new(ctx, ptr: *const c_char, len: c_long) -> Value {
        let class = string_class(ctx);
        // SAFETY: the C code's bytes.
        unsafe { new(ctx, class, ptr, len, Encoding::BINARY) }
    }

    /// The bytes stay where they are. A null address is that many zeros.
    fn rbl_c_str_static(ctx, ptr: *const c_char, len: c_long, index: c_int) -> Value {
        let encoding = Encoding::from_index(index as usize).unwrap_or(Encoding::BINARY);
        if ptr.is_null() || len <= 0 {
            let class = string_class(ctx);
            // SAFETY: the C code's bytes.
            return unsafe { new(ctx, class, ptr, len, encoding) };
        }
        // SAFETY: the C code says that its bytes lie there for ever; CRuby reads the one behind them, too.
        Ok(unsafe { Str::of_everlasting(ctx, ptr.cast(), len as usize, encoding) }.value())
    }

    fn rbl_str_new_with_class(ctx, object: Value, ptr: *const c_char, len: c_long) -> Value {
        let class = ctx.real_class(object).value();
        let encoding = Str::try_of(object).map_or(Encoding::BINARY, Str::encoding);
        // SAFETY: as above.
        unsafe { new(ctx, class, ptr, len, encoding) }
    }

    fn rbl_usascii_str_new(ctx, ptr: *const c_char, len: c_long) -> Value {
        let class = string_class(ctx);
        // SAFETY: as above.
        unsafe { new(ctx, class, ptr, len, Encoding::US_ASCII) }
    }

    fn rbl_utf8_str_new(ctx, ptr: *const c_char, len: c_long) -> Value {
        let class = string_class(ctx);
        // SAFETY: as above.
        unsafe { new(ctx, class, ptr, len, Encoding::UTF_8) }
    }

    fn rbl_str_new_cstr(ctx, ptr: *const c_char) -> Value {
        // SAFETY: a C string.
        let bytes = unsafe { c_bytes(ctx, ptr)? };
        Ok(Str::new(ctx, bytes, Encoding::BINARY).value())
    }

    fn rbl_usascii_str_new_cstr(ctx, ptr: *const c_char) -> Value {
        // SAFETY: a C string.
        let bytes = unsafe { c_bytes(ctx, ptr)? };
        Ok(Str::new(ctx, bytes, Encoding::US_ASCII).value())
    }

    fn rbl_utf8_str_new_cstr(ctx, ptr: *const c_char) -> Value {
        // SAFETY: a C string.
        let bytes = unsafe { c_bytes(ctx, ptr)? };
        Ok(Str::new(ctx, bytes, Encoding::UTF_8).value())
    }

    fn rbl_external_str_new(ctx, ptr: *const c_char, len: c_long) -> Value {
        // SAFETY: the C code's bytes.
        external(ctx, unsafe { bytes(ptr, len) })
    }

    fn rbl_external_str_new_cstr(ctx, ptr: *const c_char) -> Value {
        // SAFETY: a C string.
        let bytes = unsafe { c_bytes(ctx, ptr)? };
        external(ctx, bytes)
    }

    /// The same in the encoding of that number.
    fn rbl_str_in_encoding(ctx, ptr: *const c_char, len: c_long, index: c_int) -> Value {
        // SAFETY: the C code's bytes.
        let bytes = unsafe { bytes(ptr, len) };
        in_encoding(ctx, bytes, Encoding::from_index(index as usize).unwrap_or(Encoding::BINARY))
    }

    /// A new String in the encoding of that number.
    fn rbl_str_new_index(ctx, ptr: *const c_char, len: c_long, index: c_int) -> Value {
        let class = string_class(ctx);
        // SAFETY: the C code's bytes.
        unsafe { new(ctx, class, ptr, len, Encoding::from_index(index as usize).unwrap_or(Encoding::BINARY)) }
    }

    /// The String that is one for its content, in the encoding of that number.
    fn rbl_str_interned_index(ctx, ptr: *const c_char, len: c_long, index: c_int) -> Value {
        // SAFETY: as above.
        let bytes = unsafe { bytes(ptr, len) };
        Ok(ctx.interned_bytes(bytes, Encoding::from_index(index as usize).unwrap_or(Encoding::BINARY)).value())
    }

    fn rbl_str_buf_new(ctx, capacity: c_long) -> Value {
        if capacity < 0 {
            return Err(ctx.string_size_error());
        }
        let string = Str::with_capacity(ctx, capacity as usize + 1, Encoding::BINARY);
        Ok(memory(ctx, string)?.value())
    }

    fn rbl_str_tmp_new(ctx, len: c_long) -> Value {
        let class = string_class(ctx);
        // SAFETY: no bytes are given.
        let string = unsafe { new(ctx, class, std::ptr::null(), len, Encoding::BINARY)? };
        if let Some(header) = string.header() {
            header.klass.set(Value::FALSE);
        }
        Ok(string)
    }
}

api_to_read! {
    /// The address of the bytes; see `Str::terminated`.
    fn rbl_str_terminated_ptr(ctx, string: Value) -> *mut c_char {
        let string = str_of(ctx, string)?;
        let address = string.terminated(ctx);
        Ok(memory(ctx, address)?.cast())
    }
}

api! {
    fn rbl_str_modify(ctx, string: Value) {
        let text = changeable(ctx, string)?;
        let own = text.for_writing(ctx);
        memory(ctx, own)
    }

    fn rbl_str_modify_expand(ctx, string: Value, extra: c_long) {
        if extra < 0 {
            return Err(ctx.argument_error("negative expanding string size"));
        }
        let text = changeable(ctx, string)?;
        let Some(capacity) = text.len().checked_add(extra as usize).filter(|size| *size < Str::MAX_LEN) else {
            return Err(ctx.argument_error("string size too big"));
        };
        let room = text.make_room(ctx, capacity);
        memory(ctx, room)
    }

    fn rbl_str_set_len(ctx, string: Value, len: c_long) {
        let text = changeable(ctx, string)?;
        if len < 0 || len as usize > text.capacity() {
            return Err(ctx.runtime_error(&format!("probable buffer overflow: {len} for {}", text.capacity())));
        }
        let done = text.set_written_len(ctx, len as usize);
        memory(ctx, done)?;
        let unit = text.encoding().min_len();
        if unit > 1 && text.capacity() >= len as usize + unit {
            let address = text.terminated(ctx);
            let address = memory(ctx, address)?;
            // SAFETY: there is room for that many bytes behind the string.
            unsafe { std::ptr::write_bytes(address.add(len as usize), 0, unit) };
        }
        Ok(())
    }

    fn rbl_str_resize(ctx, string: Value, len: c_long) -> Value {
        if len < 0 {
            return Err(ctx.string_size_error());
        }
        let text = str_of(ctx, string)?;
        if len as usize != text.len() {
            let text = changeable(ctx, string)?;
            let done = text.set_written_len(ctx, len as usize);
            memory(ctx, done)?;
        }
        Ok(string)
    }

    fn rbl_str_capacity(ctx, string: Value) -> usize {
        Ok(str_of(ctx, string)?.capacity())
    }

    fn rbl_str_cat(ctx, string: Value, ptr: *const c_char, len: c_long) -> Value {
        if len < 0 {
            return Err(ctx.string_size_error());
        }
        let own = str_of(ctx, string)?.bytes(ctx).as_ptr_range();
        let inside = own.contains(&ptr.cast());
        // SAFETY: the C code's bytes; bytes of the string itself are copied first.
        let bytes = unsafe { bytes(ptr, len) };
        if inside { append(ctx, string, &bytes.to_vec()) } else { append(ctx, string, bytes) }
    }

    fn rbl_str_cat_cstr(ctx, string: Value, ptr: *const c_char) -> Value {
        // SAFETY: a C string.
        let bytes = unsafe { c_bytes(ctx, ptr)? }.to_vec();
        append(ctx, string, &bytes)
    }

    fn rbl_str_append(ctx, string: Value, other: Value) -> Value {
        let other = ctx.to_str(other)?;
        let text = changeable(ctx, string)?;
        append_string(ctx, text, other)?;
        Ok(string)
    }

    fn rbl_str_buf_append(ctx, string: Value, other: Value) -> Value {
        let other = ctx.to_str(other)?;
        let text = changeable(ctx, string)?;
        append_string(ctx, text, other)?;
        Ok(string)
    }

    fn rbl_str_dup(ctx, string: Value) -> Value {
        let text = str_of(ctx, string)?;
        let class = ctx.real_class(string).value();
        let copy = text.dup_in(ctx, class);
        Ok(copy.value())
    }

    fn rbl_str_resurrect(ctx, string: Value) -> Value {
        Ok(str_of(ctx, string)?.dup(ctx).value())
    }

    fn rbl_str_new_frozen(ctx, string: Value) -> Value {
        let text = str_of(ctx, string)?;
        if text.header().frozen() {
            return Ok(string);
        }
        let hidden = text.header().klass.get().bits() == 0;
        let class = if hidden { string_class(ctx) } else { ctx.real_class(string).value() };
        let copy = text.dup_in(ctx, class);
        copy.header().set(rubellite_vm::flags::FROZEN);
        Ok(copy.value())
    }

    fn rbl_str_new_shared(ctx, string: Value) -> Value {
        let text = str_of(ctx, string)?;
        let class = ctx.real_class(string).value();
        Ok(text.dup_in(ctx, class).value())
    }

    fn rbl_str_subseq(ctx, string: Value, start: c_long, len: c_long) -> Value {
        let text = str_of(ctx, string)?;
        let (start, end) = (start.max(0) as usize, (start + len).max(0) as usize);
        let end = end.min(text.len());
        Ok(text.substring(ctx, start.min(end)..end).value())
    }

    fn rbl_str_drop_bytes(ctx, string: Value, len: c_long) -> Value {
        let text = changeable(ctx, string)?;
        let count = (len.max(0) as usize).min(text.len());
        text.remove_front(ctx, count);
        Ok(string)
    }

    fn rbl_str_update(ctx, string: Value, start: c_long, len: c_long, value: Value) {
        let (start, len) = (ctx.int(start), ctx.int(len));
        crate::own::call(ctx, string, "[]=", &[start, len, value]).map(drop)
    }

    fn rbl_str_cmp(ctx, a: Value, b: Value) -> c_int {
        let order = crate::own::call(ctx, a, "<=>", &[b])?;
        Ok(order.as_fixnum().unwrap_or(0) as c_int)
    }
}

api_to_read! {
    fn rbl_str_hash(ctx, string: Value) -> usize {
        Ok(ctx.hash_of(string)? as usize)
    }
}

api! {
    fn rbl_str_hash_cmp(ctx, a: Value, b: Value) -> c_int {
        let same = ctx.eql(a, b)?;
        Ok(c_int::from(!same))
    }
}

api_to_read! {
    fn rbl_str_strlen(ctx, string: Value) -> c_long {
        let length = crate::own::call(ctx, string, "length", &[])?;
        Ok(length.as_fixnum().unwrap_or(0))
    }
}

api! {
    /// The code range as the header's bits say it.
    fn rbl_enc_str_coderange(ctx, string: Value) -> c_int {
        let text = str_of(ctx, string)?;
        Ok(match text.code_range(ctx) {
            CodeRange::SevenBit => 1 << 20,
            CodeRange::Valid => 2 << 20,
            CodeRange::Broken => 3 << 20,
        })
    }

    fn rbl_enc_str_asciionly_p(ctx, string: Value) -> c_int {
        let text = str_of(ctx, string)?;
        Ok(c_int::from(text.encoding().is_ascii_compatible() && text.is_ascii_only(ctx)))
    }

    fn rbl_str_locktmp(ctx, string: Value) -> Value {
        let text = str_of(ctx, string)?;
        if text.header().frozen() {
            return Err(ctx.frozen_error(string));
        }
        if text.locked() {
            return Err(ctx.runtime_error("temporal locking already locked string"));
        }
        text.set_locked(true);
        Ok(string)
    }

    fn rbl_str_unlocktmp(ctx, string: Value) -> Value {
        let text = str_of(ctx, string)?;
        if text.header().frozen() {
            return Err(ctx.frozen_error(string));
        }
        if !text.locked() {
            return Err(ctx.runtime_error("temporal unlocking already unlocked string"));
        }
        text.set_locked(false);
        Ok(string)
    }

    fn rbl_obj_as_string(ctx, object: Value) -> Value {
        Ok(ctx.to_s(object)?.value())
    }

    fn rbl_check_string_type(ctx, object: Value) -> Value {
        Ok(ctx.check_str(object)?.map_or(Value::NIL, Str::value))
    }

    fn rbl_str_to_str(ctx, object: Value) -> Value {
        Ok(ctx.to_str(object)?.value())
    }
}

api_to_read! {
    fn rbl_string_value(ctx, object: *mut Value) -> Value {
        // SAFETY: the address of the C code's variable.
        let value = unsafe { *object };
        if value.has_tag(Tag::String) {
            return Ok(value);
        }
        let string = ctx.to_str(value)?.value();
        // SAFETY: as above.
        unsafe { *object = string };
        Ok(string)
    }

    fn rbl_string_value_ptr(ctx, object: *mut Value) -> *mut c_char {
        // SAFETY: as above.
        let string = ctx.to_str(unsafe { *object })?;
        // SAFETY: as above.
        unsafe { *object = string.value() };
        let address = string.terminated(ctx);
        Ok(memory(ctx, address)?.cast())
    }

    fn rbl_string_value_cstr(ctx, object: *mut Value) -> *mut c_char {
        // SAFETY: as above.
        let string = ctx.to_str(unsafe { *object })?;
        // SAFETY: as above.
        unsafe { *object = string.value() };
        if string.encoding().min_len() > 1 {
            let unit = string.encoding().min_len();
            if string.bytes(ctx).chunks(unit).any(|unit| unit.iter().all(|byte| *byte == 0)) {
                return Err(ctx.argument_error("string contains null char"));
            }
            let range = string.cached_code_range();
            // The character that ends the string has several bytes.
            let len = string.len();
            let room = string.make_room(ctx, len + unit);
            memory(ctx, room)?;
            let address = string.terminated(ctx);
            let address = memory(ctx, address)?;
            // SAFETY: there is room for that many bytes behind the string.
            unsafe { std::ptr::write_bytes(address.add(len), 0, unit) };
            let _ = range;
            return Ok(address.cast());
        }
        if string.bytes(ctx).contains(&0) {
            return Err(ctx.null_byte_error());
        }
        let address = string.terminated(ctx);
        Ok(memory(ctx, address)?.cast())
    }
}

// -- symbols ------------------------------------------------------------------------------

// The symbol of an ID is no object of the heap and lives as long as the VM: a new one may be made outside the lock.
api_to_read! {
    fn rbl_intern(ctx, name: *const c_char) -> usize {
        // SAFETY: a C string.
        let bytes = unsafe { c_bytes(ctx, name)? };
        Ok(ctx.intern_bytes(bytes, Encoding::US_ASCII).0 as usize)
    }

    fn rbl_intern2(ctx, name: *const c_char, len: c_long) -> usize {
        // SAFETY: the C code's bytes.
        let bytes = unsafe { bytes(name, len) };
        let encoding = if bytes.is_ascii() { Encoding::US_ASCII } else { Encoding::BINARY };
        Ok(ctx.intern_bytes(bytes, encoding).0 as usize)
    }

    fn rbl_intern_index(ctx, name: *const c_char, len: c_long, index: c_int) -> usize {
        // SAFETY: as above.
        let bytes = unsafe { bytes(name, len) };
        let encoding = Encoding::from_index(index as usize).unwrap_or(Encoding::BINARY);
        let string = Str::new(ctx, bytes, encoding).value();
        id_of(ctx, string)
    }

    fn rbl_find_index(ctx, name: *const c_char, len: c_long, index: c_int) -> usize {
        // SAFETY: as above.
        let bytes = unsafe { bytes(name, len) };
        let encoding = Encoding::from_index(index as usize).unwrap_or(Encoding::BINARY);
        Ok(found_id(ctx, bytes, encoding))
    }

    fn rbl_intern_str(ctx, string: Value) -> usize {
        id_of(ctx, string)
    }

    fn rbl_to_id(ctx, value: Value) -> usize {
        id_of(ctx, value)
    }

    fn rbl_sym2id(ctx, value: Value) -> usize {
        match ctx.pinned(value) {
            Some(name) => Ok(name.0 as usize),
            None => {
                let text = ctx.describe_for_conversion(value);
                Err(ctx.type_error(&format!("wrong argument type {text} (expected Symbol)")))
            }
        }
    }

    fn rbl_to_symbol(ctx, value: Value) -> Value {
        let name = id_of(ctx, value)?;
        Ok(Value::symbol(sym(name)))
    }

    fn rbl_id2sym(ctx, id: usize) -> Value {
        Ok(Value::symbol(sym(id)))
    }

    fn rbl_check_id(ctx, name: *mut Value) -> usize {
        // SAFETY: the address of the C code's variable.
        let value = unsafe { *name };
        if let Some(symbol) = ctx.pinned(value) {
            return Ok(symbol.0 as usize);
        }
        let Some(string) = ctx.check_str(value)? else {
            let text = ctx.inspect(value)?;
            return Err(ctx.type_error(&format!("{text} is not a symbol nor a string")));
        };
        // SAFETY: as above.
        unsafe { *name = string.value() };
        let (bytes, encoding) = (string.bytes(ctx).to_vec(), string.encoding());
        Ok(found_id(ctx, &bytes, encoding))
    }
}

api! {
    fn rbl_str_intern(ctx, string: Value) -> Value {
        crate::own::call(ctx, string, "to_sym", &[])
    }

    fn rbl_id2str(ctx, id: usize) -> Value {
        if !ctx.symbol_exists(sym(id)) {
            return Ok(Value::FALSE);
        }
        crate::own::call(ctx, Value::symbol(sym(id)), "name", &[])
    }

    fn rbl_sym2str(ctx, symbol: Value) -> Value {
        crate::own::call(ctx, symbol, "name", &[])
    }

    fn rbl_sym_to_s(ctx, symbol: Value) -> Value {
        crate::own::call(ctx, symbol, "to_s", &[])
    }

    /// What a class that overrides nothing says as `to_s`.
    fn rbl_class_path(ctx, class: Value) -> Value {
        match rubellite_vm::Class::try_of(class) {
            Some(class) => Ok(Str::utf8(ctx, &class.inspect(ctx)).value()),
            None => ctx.call_name(class, "to_s", &[]),
        }
    }

    /// The name, the same String each time, or nil.
    fn rbl_class_path_cached(ctx, class: Value) -> Value {
        Ok(rubellite_vm::Class::try_of(class).map_or(Value::NIL, |class| name_string(ctx, class)))
    }
}

/// The ID of a symbol that exists; 0 if there is none.
fn found_id(ctx: &Ctx, name: &[u8], encoding: Encoding) -> usize {
    let Some(found) = ctx.find_symbol(name, encoding) else { return 0 };
    ctx.pin_symbol(found);
    found.0 as usize
}

/// The name of a class as a C string, which stays; its methods are not asked.
fn class_name(ctx: &Ctx, class: rubellite_vm::Class) -> *const c_char {
    match class.name(ctx) {
        Some(name) if !class.is_singleton() => crate::keep_bytes(ctx, name.as_bytes()),
        _ => crate::keep_bytes(ctx, class.inspect(ctx).as_bytes()),
    }
}

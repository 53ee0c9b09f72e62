//! Open modes: mode strings, flag integers, the keywords of `File.open` and friends, encodings in them.

use super::decode::Decoder;
use super::state::{IoState, Newline, mode};
use rubellite_core_text::string::character_options;
use rubellite_vm::object::Hash;
use rubellite_vm::{Ctx, Encoding, Result, Unwind, Value};

/// How to open something.
#[derive(Copy, Clone)]
pub struct OpenMode {
    /// open(2) flags without O_CLOEXEC.
    pub flags: i32,
    pub binary: bool,
    pub text: bool,
    pub external: Option<Encoding>,
    pub internal: Option<Encoding>,
    /// An internal encoding was named, if only to say "none".
    pub internal_given: bool,
    /// `BOM|utf-8`
    pub bom: bool,
    pub newline: Newline,
    pub options: Value,
    pub perm: u32,
    pub path: Value,
    pub autoclose: bool,
    pub sync: bool,
}

impl Default for OpenMode {
    fn default() -> OpenMode {
        OpenMode {
            flags: libc::O_RDONLY,
            binary: false,
            text: false,
            external: None,
            internal: None,
            internal_given: false,
            bom: false,
            newline: Newline::None,
            options: Value::NIL,
            perm: 0o666,
            path: Value::NIL,
            autoclose: true,
            sync: false,
        }
    }
}

impl OpenMode {
    pub fn readable(&self) -> bool {
        self.flags & libc::O_ACCMODE != libc::O_WRONLY
    }

    pub fn writable(&self) -> bool {
        self.flags & libc::O_ACCMODE != libc::O_RDONLY
    }

    /// The mode bits of an IO's state.
    pub fn state_bits(&self) -> u32 {
        let mut bits = 0;
        if self.readable() {
            bits |= mode::READ;
        }
        if self.writable() {
            bits |= mode::WRITE;
        }
        if self.flags & libc::O_APPEND != 0 {
            bits |= mode::APPEND;
        }
        if self.binary {
            bits |= mode::BINARY | mode::BINMODE_CALLED;
        }
        if !self.autoclose {
            bits |= mode::KEEP_OPEN;
        }
        if self.sync {
            bits |= mode::SYNC;
        }
        bits
    }

    /// External and internal encoding, with the defaults at this moment. A binary file is not transcoded; no external
    /// encoding means the default one, whatever it is when something is read.
    pub fn encodings(&self, ctx: &mut Ctx) -> Result<(Option<Encoding>, Option<Encoding>)> {
        let given = self.external.or((self.binary && !self.text && !self.internal_given).then_some(Encoding::BINARY));
        let external = match given {
            Some(external) => external,
            None => default_external(ctx)?,
        };
        let internal = match (self.internal_given, external) {
            (_, Encoding::BINARY) => None,
            (true, _) => self.internal,
            (false, _) => default_internal(ctx)?,
        };
        Ok(match internal {
            Some(internal) if internal != external => (Some(external), Some(internal)),
            Some(_) => (Some(external), None),
            None => (given, None),
        })
    }

    /// Gives an IO its encodings and line end conversion.
    pub fn apply(&self, ctx: &mut Ctx, io: &IoState) -> Result<()> {
        let (external, internal) = self.encodings(ctx)?;
        io.external.set(external);
        io.internal.set(internal);
        io.newline.set(self.newline);
        io.convert_options.set(self.options);
        refresh_decoder(ctx, io)
    }
}

/// Makes the decoder that the IO's encodings now ask for.
pub fn refresh_decoder(ctx: &mut Ctx, io: &IoState) -> Result<()> {
    let options = character_options(ctx, Hash::try_of(io.convert_options.get()))?;
    let external = match io.external.get() {
        Some(encoding) => encoding,
        None => default_external(ctx)?,
    };
    *io.decoder.borrow_mut() = Decoder::for_io(io, external, options);
    Ok(())
}

/// `Encoding.default_external`
pub fn default_external(ctx: &mut Ctx) -> Result<Encoding> {
    Ok(rubellite_core_encoding::default_external(ctx))
}

/// `Encoding.default_internal`
pub fn default_internal(ctx: &mut Ctx) -> Result<Option<Encoding>> {
    Ok(rubellite_core_encoding::default_internal(ctx))
}

/// An Encoding from an Encoding object or a name.
pub fn encoding_of(ctx: &mut Ctx, value: Value) -> Result<Encoding> {
    let class = ctx.classes().encoding.get();
    if !value.is_immediate() && ctx.is_a(value, class) {
        return rubellite_core_text::to_encoding(ctx, value);
    }
    let name = ctx.to_str(value)?;
    if !name.encoding().is_ascii_compatible() {
        return Err(ctx.argument_error("invalid encoding name (non ASCII)"));
    }
    let text = name.bytes(ctx).to_vec();
    match find_encoding(ctx, &text)? {
        Some(encoding) => Ok(encoding),
        None => {
            let text = String::from_utf8_lossy(&text).into_owned();
            Err(ctx.argument_error(&format!("unknown encoding name - {text}")))
        }
    }
}

fn find_encoding(ctx: &mut Ctx, name: &[u8]) -> Result<Option<Encoding>> {
    match name.to_ascii_lowercase().as_slice() {
        b"external" | b"filesystem" => default_external(ctx).map(Some),
        b"locale" => Ok(Some(Encoding::UTF_8)),
        b"internal" => default_internal(ctx),
        _ => Ok(Encoding::find(name)),
    }
}

/// The Encoding object, or nil.
pub fn encoding_object(ctx: &mut Ctx, encoding: Option<Encoding>) -> Value {
    match encoding {
        Some(encoding) => (ctx.vm().hooks().encoding_object)(ctx, encoding),
        None => Value::NIL,
    }
}

/// Reads "r+b:utf-8:utf-16" into `into`.
pub fn parse_mode_string(ctx: &mut Ctx, text: &[u8], into: &mut OpenMode) -> Result<()> {
    let (access, encodings) = match text.iter().position(|b| *b == b':') {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let Some(flags) = access_flags(access, into) else {
        let text = String::from_utf8_lossy(text).into_owned();
        return Err(ctx.argument_error(&format!("invalid access mode {text}")));
    };
    into.flags = flags;
    if let Some(encodings) = encodings {
        parse_encodings(ctx, encodings, into)?;
    }
    Ok(())
}

fn access_flags(access: &[u8], into: &mut OpenMode) -> Option<i32> {
    let (first, rest) = access.split_first()?;
    let mut flags = match first {
        b'r' => libc::O_RDONLY,
        b'w' => libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC,
        b'a' => libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND,
        _ => return None,
    };
    for c in rest {
        match c {
            b'+' => flags = flags & !libc::O_ACCMODE | libc::O_RDWR,
            b'b' if !into.text => into.binary = true,
            b't' if !into.binary => {
                into.text = true;
                into.newline = Newline::Universal;
            }
            b'x' if *first == b'w' => flags |= libc::O_EXCL,
            _ => return None,
        }
    }
    Some(flags)
}

/// Reads "external:internal", either of which may be missing; "BOM|" before the first.
pub fn parse_encodings(ctx: &mut Ctx, text: &[u8], into: &mut OpenMode) -> Result<()> {
    let (external, internal) = match text.iter().rposition(|b| *b == b':') {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let external = strip_bom(ctx, external, into)?;
    if !(external.is_empty() || external == b"-") {
        into.external = named_encoding(ctx, external)?;
    }
    if let Some(internal) = internal {
        into.internal_given = true;
        into.internal = None;
        if internal != b"-" {
            into.internal = named_encoding(ctx, internal)?;
        }
    }
    Ok(())
}

fn strip_bom<'a>(ctx: &mut Ctx, name: &'a [u8], into: &mut OpenMode) -> Result<&'a [u8]> {
    if name.len() > 4 && name[..4].eq_ignore_ascii_case(b"BOM|") {
        let rest = &name[4..];
        if rest.len() >= 3 && rest[..3].eq_ignore_ascii_case(b"utf") {
            into.bom = true;
        } else {
            let text = String::from_utf8_lossy(rest).into_owned();
            ctx.warn(&format!("BOM with non-UTF encoding {text} is nonsense"))?;
        }
        return Ok(rest);
    }
    Ok(name)
}

/// An unknown name is a warning and no encoding.
pub fn named_encoding(ctx: &mut Ctx, name: &[u8]) -> Result<Option<Encoding>> {
    let found = find_encoding(ctx, name)?;
    if found.is_none() {
        let text = String::from_utf8_lossy(name).into_owned();
        ctx.warn(&format!("Unsupported encoding {text} ignored"))?;
    }
    Ok(found)
}

/// Reads the keywords that say something about encodings, for streams that are no files.
pub fn encodings_of(ctx: &mut Ctx, keywords: Hash) -> Result<OpenMode> {
    let mut mode = OpenMode::default();
    parse_keywords(ctx, keywords, &mut mode, false)?;
    Ok(mode)
}

/// ArgumentError for an encoding without ASCII where the IO is no binary one.
#[cold]
pub fn needs_binmode(ctx: &mut Ctx) -> Unwind {
    ctx.argument_error("ASCII incompatible encoding needs binmode")
}

/// Reads the mode argument (a String, an Integer or nil) and the keywords of an opening method.
pub fn parse(ctx: &mut Ctx, mode_arg: Value, perm: Value, keywords: Option<Hash>) -> Result<OpenMode> {
    let mut mode = OpenMode::default();
    let mut given = mode_arg;
    if let Some(hash) = keywords
        && let Some(keyword) = lookup(ctx, hash, "mode")
    {
        if !given.is_nil() {
            return Err(ctx.argument_error("mode specified twice"));
        }
        given = keyword;
    }
    let mut mode_text_encodings = false;
    if !given.is_nil() {
        mode_text_encodings = parse_mode_value(ctx, given, &mut mode)?;
    }
    if let Some(hash) = keywords {
        parse_keywords(ctx, hash, &mut mode, mode_text_encodings)?;
        if let Some(keyword) = lookup(ctx, hash, "perm") {
            if !perm.is_nil() {
                return Err(ctx.argument_error("perm specified twice"));
            }
            mode.perm = ctx.to_c_uint(keyword)?;
        }
    }
    if !perm.is_nil() {
        mode.perm = ctx.to_c_uint(perm)?;
    }
    let wide = mode.external.is_some_and(|external| !external.is_ascii_compatible());
    if wide && mode.readable() && !mode.binary && mode.encodings(ctx)?.1.is_none() {
        return Err(needs_binmode(ctx));
    }
    Ok(mode)
}

/// Returns whether the mode names encodings.
fn parse_mode_value(ctx: &mut Ctx, given: Value, mode: &mut OpenMode) -> Result<bool> {
    if given.is_fixnum() {
        mode.flags = ctx.to_c_int(given)?;
        return Ok(false);
    }
    if let Some(string) = ctx.check_str(given)? {
        let text = string.bytes(ctx).to_vec();
        parse_mode_string(ctx, &text, mode)?;
        return Ok(text.contains(&b':'));
    }
    let to_int = ctx.names().to_int;
    if ctx.respond_to(given, to_int, true)? {
        mode.flags = ctx.to_c_int(given)?;
        return Ok(false);
    }
    Err(ctx.conversion_error(given, "String"))
}

fn lookup(ctx: &mut Ctx, hash: Hash, name: &'static str) -> Option<Value> {
    let sym = ctx.intern(name);
    hash.get_sym(ctx, sym).filter(|v| !v.is_nil())
}

fn parse_keywords(ctx: &mut Ctx, hash: Hash, mode: &mut OpenMode, has_encodings: bool) -> Result<()> {
    if let Some(flags) = lookup(ctx, hash, "flags") {
        mode.flags |= ctx.to_c_int(flags)?;
    }
    let binmode = lookup(ctx, hash, "binmode");
    let textmode = lookup(ctx, hash, "textmode");
    if let Some(text) = textmode {
        if mode.text {
            return Err(ctx.argument_error("textmode specified twice"));
        }
        if mode.binary {
            return Err(ctx.argument_error("both textmode and binmode specified"));
        }
        mode.text = text.truthy();
        let universal = ctx.intern("universal_newline");
        if mode.text && hash.get_sym(ctx, universal) != Some(Value::FALSE) {
            mode.newline = Newline::Universal;
        }
    }
    if let Some(binary) = binmode {
        if mode.binary {
            return Err(ctx.argument_error("binmode specified twice"));
        }
        if mode.text {
            return Err(ctx.argument_error("both textmode and binmode specified"));
        }
        mode.binary = binary.truthy();
    }
    parse_encoding_keywords(ctx, hash, mode, has_encodings)?;
    parse_newline_keywords(ctx, hash, mode)?;
    if let Some(path) = lookup(ctx, hash, "path") {
        mode.path = ctx.to_str(path)?.value();
    }
    let autoclose = ctx.intern("autoclose");
    if let Some(value) = hash.get_sym(ctx, autoclose) {
        mode.autoclose = value.truthy();
    }
    mode.sync = lookup(ctx, hash, "sync").is_some_and(Value::truthy);
    for name in ["invalid", "undef", "replace", "xml", "fallback"] {
        if lookup(ctx, hash, name).is_some() {
            mode.options = hash.value();
        }
    }
    Ok(())
}

fn parse_encoding_keywords(ctx: &mut Ctx, hash: Hash, mode: &mut OpenMode, has_encodings: bool) -> Result<()> {
    let external = lookup(ctx, hash, "external_encoding");
    let internal_sym = ctx.intern("internal_encoding");
    let internal = hash.get_sym(ctx, internal_sym);
    let both = lookup(ctx, hash, "encoding");
    if has_encodings && (external.is_some() || internal.is_some() || both.is_some()) {
        return Err(ctx.argument_error("encoding specified twice"));
    }
    if let Some(both) = both {
        if external.is_some() || internal.is_some_and(|v| !v.is_nil()) {
            let text = ctx.inspect(both)?;
            ctx.warn(&format!(
                "Ignoring encoding parameter '{}': {} is used",
                text.trim_matches('"'),
                if external.is_some() { "external_encoding" } else { "internal_encoding" }
            ))?;
        } else {
            parse_encoding_value(ctx, both, mode)?;
        }
    }
    if let Some(external) = external {
        match ctx.check_str(external)? {
            Some(text) => {
                let text = text.bytes(ctx).to_vec();
                let name = strip_bom(ctx, &text, mode)?;
                if name != b"-" {
                    mode.external = named_encoding(ctx, name)?;
                }
            }
            None => mode.external = Some(encoding_of(ctx, external)?),
        }
    }
    if let Some(internal) = internal {
        mode.internal_given = true;
        mode.internal = match internal {
            Value::NIL => None,
            _ => match ctx.check_str(internal)? {
                Some(text) if text.bytes(ctx) == b"-" => None,
                _ => Some(encoding_of(ctx, internal)?),
            },
        };
    }
    Ok(())
}

/// `encoding:`: "ext:int" or an Encoding.
pub fn parse_encoding_value(ctx: &mut Ctx, value: Value, mode: &mut OpenMode) -> Result<()> {
    match ctx.check_str(value)? {
        Some(text) => {
            let text = text.bytes(ctx).to_vec();
            parse_encodings(ctx, &text, mode)
        }
        None => {
            mode.external = Some(encoding_of(ctx, value)?);
            Ok(())
        }
    }
}

fn parse_newline_keywords(ctx: &mut Ctx, hash: Hash, mode: &mut OpenMode) -> Result<()> {
    for (name, kind) in [
        ("universal_newline", Newline::Universal),
        ("crlf_newline", Newline::Crlf),
        ("cr_newline", Newline::Cr),
        ("lf_newline", Newline::Lf),
    ] {
        if lookup(ctx, hash, name).is_some_and(Value::truthy) {
            if mode.binary {
                return Err(ctx.argument_error("newline decorator with binary mode"));
            }
            mode.newline = kind;
        }
    }
    if let Some(value) = lookup(ctx, hash, "newline") {
        if mode.binary {
            return Err(ctx.argument_error("newline decorator with binary mode"));
        }
        let Some(sym) = value.as_symbol() else {
            return Err(ctx.argument_error("unexpected value for newline option"));
        };
        mode.newline = match ctx.sym_bytes(sym) {
            b"universal" => Newline::Universal,
            b"crlf" => Newline::Crlf,
            b"cr" => Newline::Cr,
            b"lf" => Newline::Lf,
            _ => {
                let text = ctx.sym_str(sym);
                return Err(ctx.argument_error(&format!("unexpected value for newline option: {text}")));
            }
        };
    }
    Ok(())
}

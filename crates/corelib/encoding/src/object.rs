//! Encoding: the objects, the constants, the defaults.

use rubellite_encoding::{Encoding, Side, compatible};
use rubellite_vm::object::{Array, Data, Hash, NativeData, Regexp, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Extension, Result, Tag, Value, method};
use std::cell::{Cell, RefCell};

pub static ENCODING: ClassDef = ClassDef {
    name: "Encoding",
    superclass: "Object",
    no_new: true,
    methods: &[
        method("_dump", Arity::range(0, 1), name),
        method("name", Arity::NONE, name),
        method("to_s", Arity::NONE, name),
        method("inspect", Arity::NONE, inspect),
        method("names", Arity::NONE, names),
        method("dummy?", Arity::NONE, dummy_p),
        method("ascii_compatible?", Arity::NONE, ascii_compatible_p),
    ],
    singleton_methods: &[
        method("_load", Arity::ONE, load),
        method("list", Arity::NONE, list),
        method("name_list", Arity::NONE, name_list),
        method("aliases", Arity::NONE, aliases),
        method("find", Arity::ONE, find),
        method("compatible?", Arity::exact(2), compatible_p),
        method("default_external", Arity::NONE, get_default_external),
        method("default_external=", Arity::ONE, set_default_external),
        method("default_internal", Arity::NONE, get_default_internal),
        method("default_internal=", Arity::ONE, set_default_internal),
        method("locale_charmap", Arity::NONE, locale_charmap),
    ],
    setup: Some(set_constants),
    ..ClassDef::EMPTY
};

/// Which encoding an object of class Encoding is.
struct State(Encoding);

impl NativeData for State {
    fn tells_stores() -> bool {
        true
    }

    fn frozen_shareable(&self) -> bool {
        true
    }
}

/// The Encoding objects and the defaults of a VM.
struct Encodings {
    objects: RefCell<Vec<Value>>, // tidy: traced by the extension
    external: Cell<Encoding>,
    internal: Cell<Option<Encoding>>,
    /// The name that the system gives to the encoding of its locale.
    charmap: String,
    locale: Encoding,
}

impl Default for Encodings {
    fn default() -> Encodings {
        let charmap = system_charmap();
        let locale = match charmap.as_str() {
            "ANSI_X3.4-1968" => Encoding::US_ASCII,
            name => Encoding::find(name.as_bytes()).unwrap_or(Encoding::US_ASCII),
        };
        Encodings {
            objects: RefCell::default(),
            external: Cell::new(locale),
            internal: Cell::new(None),
            charmap,
            locale,
        }
    }
}

impl Extension for Encodings {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        self.objects.borrow().iter().for_each(|v| mark(*v));
    }
}

/// What the environment's locale calls its characters.
fn system_charmap() -> String {
    // SAFETY: the locale is made and freed here; the name is copied before that.
    unsafe {
        let locale = libc::newlocale(libc::LC_CTYPE_MASK, c"".as_ptr(), std::ptr::null_mut());
        if locale.is_null() {
            return "ANSI_X3.4-1968".into();
        }
        let name = std::ffi::CStr::from_ptr(libc::nl_langinfo_l(libc::CODESET, locale)).to_string_lossy().into_owned();
        libc::freelocale(locale);
        name
    }
}

fn set_constants(ctx: &mut Ctx, class: Class) -> Result<()> {
    let mut objects = Vec::with_capacity(Encoding::COUNT); // tidy: pinned as they are made
    for encoding in Encoding::all() {
        let object = Data::new(ctx, class.value(), State(encoding)).value();
        ctx.pin(object);
        if let Some(header) = object.header() {
            header.set(rubellite_vm::flags::FROZEN);
        }
        objects.push(object);
        for name in encoding.names() {
            for constant in constant_names(name) {
                class.set_const(ctx, &constant, object);
            }
        }
    }
    *ctx.extension::<Encodings>().objects.borrow_mut() = objects;
    let version = Str::ascii(ctx, "17.0.0").value();
    if let Some(header) = version.header() {
        header.set(rubellite_vm::flags::FROZEN);
    }
    class.set_const(ctx, "UNICODE_VERSION", version);
    Ok(())
}

/// The constants for a name: as it is written when that has capitals, its first letter as one, and in capitals.
fn constant_names(name: &str) -> Vec<String> {
    let plain = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let Some(first) = plain.chars().next().filter(char::is_ascii_alphabetic) else { return Vec::new() };
    let capitalized = first.to_ascii_uppercase().to_string() + &plain[1..];
    let capitals = plain.to_ascii_uppercase();
    let has_capitals = name.contains(|c: char| c.is_ascii_uppercase());
    if capitals == capitalized || !has_capitals { vec![capitals] } else { vec![capitalized, capitals] }
}

/// The Encoding object.
pub fn encoding_object(ctx: &mut Ctx, encoding: Encoding) -> Value {
    let objects = ctx.extension::<Encodings>().objects.borrow();
    objects.get(encoding.index()).copied().unwrap_or(Value::NIL)
}

/// The encoding of an Encoding object.
pub fn try_encoding(ctx: &Ctx, v: Value) -> Option<Encoding> {
    Data::state_of::<State>(ctx, v).map(|state| state.0)
}

fn own(ctx: &Ctx, recv: Value) -> Encoding {
    try_encoding(ctx, recv).unwrap_or(Encoding::BINARY)
}

pub fn default_external(ctx: &Ctx) -> Encoding {
    ctx.extension::<Encodings>().external.get()
}

pub fn default_internal(ctx: &Ctx) -> Option<Encoding> {
    ctx.extension::<Encodings>().internal.get()
}

/// An encoding by name, dynamic names included; `Ok(None)` for "internal" without a default.
fn lookup(ctx: &Ctx, name: &[u8]) -> Option<Option<Encoding>> {
    let state = ctx.extension::<Encodings>();
    let is = |dynamic: &str| name.eq_ignore_ascii_case(dynamic.as_bytes());
    if is("external") {
        Some(Some(state.external.get()))
    } else if is("locale") {
        Some(Some(state.locale))
    } else if is("filesystem") {
        Some(Some(state.external.get()))
    } else if is("internal") {
        Some(state.internal.get())
    } else {
        Encoding::find(name).map(Some)
    }
}

/// What a dump holds of an encoding: its name. `Marshal` finds the encoding.
fn load(_ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(args.at(0))
}

/// An encoding from an Encoding or a name; ArgumentError for an unknown name.
pub fn to_encoding(ctx: &mut Ctx, v: Value) -> Result<Encoding> {
    if let Some(encoding) = try_encoding(ctx, v) {
        return Ok(encoding);
    }
    let name = ctx.to_str(v)?;
    if !name.encoding().is_ascii_compatible() {
        return Err(ctx.argument_error("invalid encoding name (non ASCII)"));
    }
    match lookup(ctx, name.bytes(ctx)).flatten() {
        Some(encoding) => Ok(encoding),
        None => {
            let shown = ctx.to_s(v)?.to_lossy(ctx).into_owned();
            Err(ctx.argument_error(&format!("unknown encoding name - {shown}")))
        }
    }
}

/// An encoding and its name, or just a name that no encoding has.
pub fn encoding_or_name(ctx: &mut Ctx, v: Value) -> Result<(Option<Encoding>, String)> {
    if let Some(encoding) = try_encoding(ctx, v) {
        return Ok((Some(encoding), encoding.name().to_string()));
    }
    let name = ctx.to_str(v)?;
    let text = name.to_lossy(ctx).into_owned();
    let found = lookup(ctx, name.bytes(ctx)).flatten();
    Ok((found, found.map_or(text, |e| e.name().to_string())))
}

fn ascii(ctx: &mut Ctx, text: &str) -> Value {
    Str::ascii(ctx, text).value()
}

fn name(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let name = own(ctx, recv).name();
    let name = ascii(ctx, name);
    if let Some(name) = Str::try_of(name) {
        name.header().set(rubellite_vm::flags::FROZEN);
    }
    Ok(name)
}

fn inspect(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let text = own(ctx, recv).inspect();
    Ok(ascii(ctx, &text))
}

/// The dynamic names of an encoding.
fn dynamic_names(ctx: &Ctx, encoding: Encoding) -> Vec<&'static str> {
    let state = ctx.extension::<Encodings>();
    let mut names = Vec::new();
    if state.locale == encoding {
        names.push("locale");
    }
    if state.external.get() == encoding {
        names.extend(["external", "filesystem"]);
    }
    if state.internal.get() == Some(encoding) {
        names.push("internal");
    }
    names
}

fn string_list<'a>(ctx: &mut Ctx, names: impl Iterator<Item = &'a str>) -> Value {
    let list = Array::new(ctx);
    for name in names {
        let name = ascii(ctx, name);
        list.push(ctx, name);
    }
    list.value()
}

fn names(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    let encoding = own(ctx, recv);
    let dynamic = dynamic_names(ctx, encoding);
    Ok(string_list(ctx, encoding.names().chain(dynamic)))
}

fn dummy_p(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    Ok(Value::from_bool(own(ctx, recv).is_dummy()))
}

fn ascii_compatible_p(ctx: &mut Ctx, recv: Value, _: Args) -> Result {
    Ok(Value::from_bool(own(ctx, recv).is_ascii_compatible()))
}

fn list(ctx: &mut Ctx, _: Value, _: Args) -> Result {
    let list = Array::new(ctx);
    for encoding in Encoding::all() {
        let object = encoding_object(ctx, encoding);
        list.push(ctx, object);
    }
    Ok(list.value())
}

const DYNAMIC: [&str; 4] = ["locale", "external", "filesystem", "internal"];

fn name_list(ctx: &mut Ctx, _: Value, _: Args) -> Result {
    Ok(string_list(ctx, Encoding::all().flat_map(|e| e.names()).chain(DYNAMIC)))
}

fn aliases(ctx: &mut Ctx, _: Value, _: Args) -> Result {
    let hash = Hash::new(ctx);
    for encoding in Encoding::all() {
        let dynamic = dynamic_names(ctx, encoding);
        for alias in encoding.aliases().iter().copied().chain(dynamic) {
            let (key, value) = (ascii(ctx, alias), ascii(ctx, encoding.name()));
            let key = ctx.hash_key(hash.value(), key);
            hash.insert(ctx, key, value)?;
        }
    }
    Ok(hash.value())
}

fn find(ctx: &mut Ctx, _: Value, args: Args) -> Result {
    let v = args.at(0);
    if try_encoding(ctx, v).is_some() {
        return Ok(v);
    }
    if let Some(name) = Str::try_of(v)
        && lookup(ctx, name.bytes(ctx)) == Some(None)
    {
        return Ok(Value::NIL);
    }
    let encoding = to_encoding(ctx, v)?;
    Ok(encoding_object(ctx, encoding))
}

/// What an object contributes to a question of compatibility; nothing for one without encoding.
fn side(ctx: &Ctx, v: Value) -> Option<Side> {
    if let Some(sym) = v.as_symbol() {
        let mut side = Side::string(ctx.sym_encoding(sym), ctx.sym_bytes(sym));
        side.range = None;
        return Some(side);
    }
    if let Some(s) = Str::try_of(v) {
        return Some(s.side(ctx));
    }
    if let Some(re) = Regexp::try_of(v) {
        return re.state(ctx).map(|state| Side::object(state.encoding));
    }
    if v.has_tag(Tag::Data) {
        return try_encoding(ctx, v).map(Side::object);
    }
    None
}

fn compatible_p(ctx: &mut Ctx, _: Value, args: Args) -> Result {
    let (Some(a), Some(b)) = (side(ctx, args.at(0)), side(ctx, args.at(1))) else { return Ok(Value::NIL) };
    Ok(match compatible(a, b) {
        Some(encoding) => encoding_object(ctx, encoding),
        None => Value::NIL,
    })
}

fn get_default_external(ctx: &mut Ctx, _: Value, _: Args) -> Result {
    let encoding = default_external(ctx);
    Ok(encoding_object(ctx, encoding))
}

fn set_default_external(ctx: &mut Ctx, _: Value, args: Args) -> Result {
    if ctx.vm().verbose.get() == Value::TRUE {
        ctx.warn("setting Encoding.default_external")?;
    }
    if args.at(0).is_nil() {
        return Err(ctx.argument_error("default external can not be nil"));
    }
    let encoding = to_encoding(ctx, args.at(0))?;
    ctx.extension::<Encodings>().external.set(encoding);
    Ok(args.at(0))
}

fn get_default_internal(ctx: &mut Ctx, _: Value, _: Args) -> Result {
    Ok(match default_internal(ctx) {
        Some(encoding) => encoding_object(ctx, encoding),
        None => Value::NIL,
    })
}

fn set_default_internal(ctx: &mut Ctx, _: Value, args: Args) -> Result {
    if ctx.vm().verbose.get() == Value::TRUE {
        ctx.warn("setting Encoding.default_internal")?;
    }
    let encoding = match args.non_nil(0) {
        Some(v) => Some(to_encoding(ctx, v)?),
        None => None,
    };
    ctx.extension::<Encodings>().internal.set(encoding);
    Ok(args.at(0))
}

fn locale_charmap(ctx: &mut Ctx, _: Value, _: Args) -> Result {
    let name = ctx.extension::<Encodings>().charmap.clone();
    Ok(ascii(ctx, &name))
}

//! `require`, `load`, `require_relative`, `autoload`: where libraries are found and which have been loaded.
//!
//! A feature is a file of the load path, a native library that was registered, or one of the names that are built
//! in. A library may be registered in three ways: in place of the library's files (`register`), in place of those of
//! another Ruby's library only (`register_for_older`), or as the native half of what its files begin
//! (`register_extension`). While a file is being loaded it is on the list of loads under way; another thread that
//! requires it waits until it is done.

mod features;
pub mod gems;
mod library;
pub mod paths;
mod reading;

use features::{Known, is_loaded, provide};
use rubellite_bytecode::ISeqKind;
use rubellite_core_io::file::path::{dirname, expand, get_path, path_string, real};
use rubellite_core_object::exception::backtrace;
use rubellite_core_object::slot::Slot;
use rubellite_core_thread::{Waiters, wait_on, wake_all};
use rubellite_vm::object::{Array, Exception, Str};
use rubellite_vm::{
    Args, Arity, Class, ClassDef, CompileRequest, Ctx, Encoding, Extension, GlobalHooks, Pending, Result, Sym, Unwind,
    Value, method,
};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

/// Every class of this part.
pub static DEFS: &[&ClassDef] = &[&KERNEL_LOAD];

static KERNEL_LOAD: ClassDef = ClassDef {
    name: "Kernel",
    superclass: "",
    module_functions: &[
        method("require", Arity::exact(1), kernel_require),
        method("require_relative", Arity::exact(1), require_relative),
        method("load", Arity::range(1, 2), kernel_load),
    ],
    setup: Some(setup),
    ..ClassDef::EMPTY
};

/// Makes a library that is written in Rust.
pub type NativeLibrary = fn(&mut Ctx) -> Result<()>;

/// Loads extensions in C.
#[derive(Clone, Copy)]
pub struct NativeLoader {
    /// Whether the file is an extension that was compiled for this Ruby.
    pub accepts: fn(&[u8]) -> bool,
    pub load: fn(&mut Ctx, &[u8]) -> Result<()>,
}

/// Names that count as loaded from the start.
const BUILT_IN: &[&str] = &[
    "enumerator.so",
    "thread.rb",
    "fiber.so",
    "rational.so",
    "complex.so",
    "ruby2_keywords.rb",
    "set.rb",
    "monitor.so",
    "io/wait.so",
];

#[derive(Default)]
pub struct Loader {
    load_path: Slot,
    features: Slot,
    index: features::Index,
    natives: RefCell<HashMap<&'static str, Native>>,
    /// What is native in CRuby too, by feature without ".so": found behind all files, as in the directory of the
    /// architecture.
    extensions: RefCell<HashMap<&'static str, NativeLibrary>>,
    loading: RefCell<HashMap<Vec<u8>, Loading>>,
    /// Who waits for the end of an autoload, by module (its bits) and name of the constant.
    autoload_waiters: RefCell<HashMap<(u64, Sym), Rc<Waiters>>>,
    /// Directories of the standard library: registered libraries stand before the files in them.
    pub standard: RefCell<Vec<Vec<u8>>>,
    /// Whether these are Ruby 4.0's, before whose files only some of the registered libraries stand.
    pub current: Cell<bool>,
    /// The directory that holds the libraries of all versions and the gems.
    pub prefix: RefCell<Option<Vec<u8>>>,
    /// What entries of `$LOAD_PATH` are without symbolic links.
    real_dirs: RefCell<HashMap<Vec<u8>, Vec<u8>>>,
    native_loader: Cell<Option<NativeLoader>>,
    gems: gems::Gems,
}

#[derive(Copy, Clone)]
struct Native {
    library: NativeLibrary,
    /// It stands for files of other versions of Ruby only.
    for_older: bool,
}

impl Native {
    fn found(self, name: &'static str) -> Library {
        // What stands for a file in Ruby may have a native half of the same name.
        Library { name, suffix: if self.for_older { ".rb" } else { ".so" }, load: self.library }
    }
}

/// A registered library that was found.
struct Library {
    name: &'static str,
    /// What it counts as in `$LOADED_FEATURES`.
    suffix: &'static str,
    load: NativeLibrary,
}

impl Library {
    fn key(&self) -> Vec<u8> {
        [self.name, self.suffix].concat().into_bytes()
    }
}

struct Loading {
    thread: u64,
    /// The fiber that loads; nil: the root fiber.
    fiber: Value,
    waiters: Rc<Waiters>,
}

impl Extension for Loader {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.load_path.get());
        self.gems.trace(mark);
        for entry in self.loading.borrow().values() {
            mark(entry.fiber);
            entry.waiters.trace(mark);
        }
        self.autoload_waiters.borrow().values().for_each(|waiters| waiters.trace(mark));
        mark(self.features.get());
        self.index.trace(mark);
    }
}

/// Where a feature was found.
enum Found {
    File(Vec<u8>),
    /// A file that is an extension in C.
    Extension(Vec<u8>),
    Native(Library),
    /// It is loaded already, or built in.
    Provided,
}

/// Registers a library of our own under the name that `require` takes ("stringio", "io/console").
pub fn register(ctx: &mut Ctx, name: &'static str, library: NativeLibrary) {
    ctx.extension::<Loader>().natives.borrow_mut().insert(name, Native { library, for_older: false });
}

/// The same for a library whose files of Ruby 4.0 run here, while those of other versions do not.
pub fn register_for_older(ctx: &mut Ctx, name: &'static str, library: NativeLibrary) {
    ctx.extension::<Loader>().natives.borrow_mut().insert(name, Native { library, for_older: true });
}

/// Registers the native half of a library under CRuby's name for it without ".so" ("date_core", "json/ext/parser").
pub fn register_extension(ctx: &mut Ctx, name: &'static str, library: NativeLibrary) {
    ctx.extension::<Loader>().extensions.borrow_mut().insert(name, library);
}

/// Makes `require` load extensions in C.
pub fn set_native_loader(ctx: &mut Ctx, native_loader: NativeLoader) {
    ctx.extension::<Loader>().native_loader.set(Some(native_loader));
}

/// Makes `$LOAD_PATH` and `$LOADED_FEATURES`.
fn setup(ctx: &mut Ctx, _kernel: Class) -> Result<()> {
    let load_path = Array::new(ctx).value();
    ctx.extension::<Loader>().load_path.set(load_path);
    let features = Array::new(ctx);
    ctx.extension::<Loader>().features.set(features.value());
    for name in BUILT_IN {
        let name = Str::utf8(ctx, name).value();
        features.push(ctx, name);
    }
    library::register_all(ctx);
    ctx.hook_global("$:", GlobalHooks { get: |ctx, _| Ok(self::load_path(ctx)), set: None });
    ctx.hook_global("$\"", GlobalHooks { get: |ctx, _| Ok(self::features(ctx)), set: None });
    for (new, old) in [("$-I", "$:"), ("$LOAD_PATH", "$:"), ("$LOADED_FEATURES", "$\"")] {
        let (new, old) = (ctx.intern(new), ctx.intern(old));
        ctx.alias_global(new, old);
    }
    let singleton = Class::singleton_class(ctx, load_path).ok_or(Unwind)?;
    ctx.define_native(singleton, &method("resolve_feature_path", Arity::exact(1), resolve_feature_path));
    Ok(())
}

pub fn load_path(ctx: &Ctx) -> Value {
    ctx.extension::<Loader>().load_path.get()
}

pub fn features(ctx: &Ctx) -> Value {
    ctx.extension::<Loader>().features.get()
}

fn is_file(path: &[u8]) -> bool {
    std::fs::metadata(std::ffi::OsStr::from_bytes(path)).is_ok_and(|m| !m.is_dir())
}

/// The entries of `$LOAD_PATH`, expanded; those that are symbolic links by what they mean.
fn search_dirs(ctx: &mut Ctx) -> Result<Vec<Vec<u8>>> {
    let mut dirs = Vec::new();
    let Some(list) = Array::try_of(load_path(ctx)) else { return Ok(dirs) };
    let mut i = 0;
    while let Some(entry) = list.get(i) {
        let bytes = get_path(ctx, entry)?.bytes(ctx).to_vec();
        let full = if bytes.first() == Some(&b'/') { bytes } else { expand(ctx, &bytes, None, true)? };
        dirs.push(real_dir(ctx, full));
        i += 1;
    }
    Ok(dirs)
}

/// The directory without symbolic links, as found when it was asked for first, also if there was none; those of the
/// standard library stay.
fn real_dir(ctx: &Ctx, dir: Vec<u8>) -> Vec<u8> {
    let loader = ctx.extension::<Loader>();
    if loader.standard.borrow().contains(&dir) {
        return dir;
    }
    if let Some(known) = loader.real_dirs.borrow().get(&dir) {
        return known.clone();
    }
    let found = real(&dir).unwrap_or_else(|_| dir.clone());
    loader.real_dirs.borrow_mut().insert(dir, found.clone());
    found
}

/// Whether the path names a place by itself and is not searched for.
fn is_explicit(path: &[u8]) -> bool {
    matches!(path.first(), Some(b'/' | b'~')) || path.starts_with(b"./") || path.starts_with(b"../")
}

fn strip_extension(feature: &[u8]) -> (&[u8], bool) {
    if let Some(stem) = feature.strip_suffix(b".rb") {
        return (stem, true);
    }
    for ext in [&b".so"[..], b".o", b".dll"] {
        if let Some(stem) = feature.strip_suffix(ext) {
            return (stem, false);
        }
    }
    (feature, true)
}

/// Where a feature is.
fn find_feature(ctx: &mut Ctx, feature: &[u8]) -> Result<Option<Found>> {
    let (stem, ruby) = strip_extension(feature);
    let explicit_ext = stem.len() != feature.len();
    if is_explicit(feature) {
        let with_ext = if explicit_ext { feature.to_vec() } else { [feature, b".rb"].concat() };
        if is_loaded(ctx, &with_ext) {
            return Ok(Some(Found::Provided));
        }
        let full = expand(ctx, feature, None, true)?;
        return Ok(explicit_file(ctx, &full, explicit_ext));
    }
    let dirs = search_dirs(ctx)?;
    let known = features::known(ctx, stem, &dirs);
    match (known, explicit_ext, ruby) {
        (Some(Known::Ruby), false, _) | (Some(Known::Ruby), true, true) | (Some(Known::Native), true, false) => {
            return Ok(Some(Found::Provided));
        }
        // What stands for the files of an older library has its native half in itself.
        (Some(Known::Ruby), true, false)
            if whole(ctx, stem).is_some_and(|(_, native)| native.for_older) && !is_current(ctx) =>
        {
            return Ok(Some(Found::Provided));
        }
        (_, true, false) => return Ok(find_native(ctx, stem, &dirs)),
        _ => {}
    }
    let standard = ctx.extension::<Loader>().standard.borrow().clone();
    let native = whole(ctx, stem);
    for dir in &dirs {
        if let Some((name, native)) =
            native.filter(|(_, native)| !(native.for_older && is_current(ctx)) && standard.contains(dir))
        {
            return Ok(Some(Found::Native(native.found(name))));
        }
        let full = [&dir[..], b"/", stem, b".rb"].concat();
        if is_file(&full) {
            let full = rubellite_core_io::file::path::normalize(&full);
            return Ok(Some(if is_loaded(ctx, &full) { Found::Provided } else { Found::File(full) }));
        }
        // An extension in C that was installed takes the place of a library that is native here, if its directory comes
        // first.
        if (native.is_none() || !standard.contains(dir))
            && ruby
            && !explicit_ext
            && let Some(found) = extension_in(ctx, dir, stem)
        {
            return Ok(Some(found));
        }
    }
    match native.map(|(name, native)| Found::Native(native.found(name))) {
        Some(found) => Ok(Some(found)),
        None if known.is_some() && !explicit_ext => Ok(Some(Found::Provided)),
        None if !explicit_ext && extension(ctx, stem).is_some() => Ok(find_native(ctx, stem, &dirs)),
        None => Ok(None),
    }
}

/// Whether the library is Ruby 4.0's.
pub fn is_current(ctx: &Ctx) -> bool {
    ctx.extension::<Loader>().current.get()
}

/// What "x.so" means: an extension in C in a directory of the load path before those of the standard library, the
/// native half of a library, a library that has no other, an extension in one of the other directories.
fn find_native(ctx: &mut Ctx, stem: &[u8], dirs: &[Vec<u8>]) -> Option<Found> {
    let half = extension(ctx, stem).map(|(name, load)| Library { name, suffix: ".so", load });
    let mut ours = half.or_else(|| whole(ctx, stem).map(|(name, native)| native.found(name)));
    let standard = ctx.extension::<Loader>().standard.borrow().clone();
    for dir in dirs {
        if ours.is_some() && standard.contains(dir) {
            return ours.take().map(Found::Native);
        }
        if let Some(found) = extension_in(ctx, dir, stem) {
            return Some(found);
        }
    }
    ours.map(Found::Native)
}

/// An extension in C in a directory, if it is one for this Ruby.
fn extension_in(ctx: &mut Ctx, dir: &[u8], stem: &[u8]) -> Option<Found> {
    let full = [dir, b"/", stem, b".so"].concat();
    if !is_file(&full) {
        return None;
    }
    let full = rubellite_core_io::file::path::normalize(&full);
    if is_loaded(ctx, &full) {
        return Some(Found::Provided);
    }
    let loader = ctx.extension::<Loader>().native_loader.get()?;
    (loader.accepts)(&full).then_some(Found::Extension(full))
}

fn extension(ctx: &Ctx, stem: &[u8]) -> Option<(&'static str, NativeLibrary)> {
    let extensions = ctx.extension::<Loader>().extensions.borrow();
    extensions.get_key_value(std::str::from_utf8(stem).ok()?).map(|(name, library)| (*name, *library))
}

fn whole(ctx: &Ctx, stem: &[u8]) -> Option<(&'static str, Native)> {
    let natives = ctx.extension::<Loader>().natives.borrow();
    natives.get_key_value(std::str::from_utf8(stem).ok()?).map(|(name, native)| (*name, *native))
}

fn explicit_file(ctx: &mut Ctx, full: &[u8], explicit_ext: bool) -> Option<Found> {
    let with_ext = if explicit_ext { full.to_vec() } else { [full, b".rb"].concat() };
    if explicit_ext && !full.ends_with(b".rb") {
        return None;
    }
    if is_loaded(ctx, &with_ext) {
        return Some(Found::Provided);
    }
    if is_file(&with_ext) {
        return Some(Found::File(with_ext));
    }
    None
}

/// Notes a feature that another library has brought.
///
/// # Errors
/// `$LOADED_FEATURES` is frozen.
pub fn count_as_loaded(ctx: &mut Ctx, feature: &str) -> Result<()> {
    let being_loaded = ctx.extension::<Loader>().loading.borrow().contains_key(feature.as_bytes());
    if being_loaded { Ok(()) } else { provide(ctx, feature.as_bytes(), feature.as_bytes()) }
}

/// Requires a feature; true when it was loaded now.
pub fn require(ctx: &mut Ctx, feature: &[u8]) -> Result<bool> {
    // A library is the main ractor's, whoever asked for it.
    ctx.as_main_ractor(|ctx| require_here(ctx, feature))
}

fn require_here(ctx: &mut Ctx, feature: &[u8]) -> Result<bool> {
    match find_feature(ctx, feature)? {
        Some(Found::Provided) => Ok(false),
        Some(Found::Native(library)) => {
            let key = library.key();
            load_once(ctx, &key, &key.clone(), |ctx| (library.load)(ctx))
        }
        Some(Found::File(path)) => {
            let key = real(&path).unwrap_or_else(|_| path.clone());
            if features::is_real_loaded(ctx, &key) {
                return Ok(false);
            }
            load_once(ctx, &key, &path.clone(), |ctx| load_file(ctx, &path, None))
        }
        Some(Found::Extension(path)) => {
            let key = real(&path).unwrap_or_else(|_| path.clone());
            if features::is_real_loaded(ctx, &key) {
                return Ok(false);
            }
            load_once(ctx, &key, &path.clone(), |ctx| load_extension(ctx, &path))
        }
        None => {
            let (stem, _) = strip_extension(feature);
            if is_explicit(feature) && !feature.ends_with(b".rb") {
                let native = [stem, b".so"].concat();
                let native = expand(ctx, &native, None, true)?;
                if is_file(&native) {
                    if is_loaded(ctx, &native) {
                        return Ok(false);
                    }
                    let key = real(&native).unwrap_or_else(|_| native.clone());
                    return load_once(ctx, &key, &native.clone(), |ctx| load_extension(ctx, &native));
                }
            }
            Err(load_error(ctx, feature))
        }
    }
}

/// Loads an extension in C; its methods are defined while a frame of ours is the innermost.
fn load_extension(ctx: &mut Ctx, path: &[u8]) -> Result<()> {
    match ctx.extension::<Loader>().native_loader.get() {
        Some(loader) => (loader.load)(ctx, path),
        None => Err(refuse_native(ctx, path)),
    }
}

/// The file is an extension of CRuby's: no feature is missing, so the error names none.
#[cold]
fn refuse_native(ctx: &mut Ctx, path: &[u8]) -> Unwind {
    let text = String::from_utf8_lossy(path).into_owned();
    ctx.raise_error("LoadError", &format!("{text}: extensions for another Ruby cannot be loaded"))
}

/// Makes a constant of Object load a feature when it is first used.
///
/// # Errors
/// What `Object.autoload` raises.
pub fn announce(ctx: &mut Ctx, constant: &'static str, feature: &str) -> Result<()> {
    let (object, name) = (ctx.classes().object.get(), ctx.intern(constant));
    let feature = Str::ascii(ctx, feature).value();
    ctx.call_name(object, "autoload", &[Value::symbol(name), feature])?;
    rubellite_core_object::announced(ctx, name);
    Ok(())
}

/// Whether the file of an autoload is still to be loaded: it is not loaded, nor is this thread or fiber loading it.
pub fn autoload_pending(ctx: &mut Ctx, path: &str) -> Result<bool> {
    let key = match find_feature(ctx, path.as_bytes())? {
        Some(Found::Provided) => return Ok(false),
        Some(Found::Native(library)) => {
            let key = library.key();
            if is_loaded(ctx, &key) {
                return Ok(false);
            }
            key
        }
        Some(Found::File(path) | Found::Extension(path)) => {
            let key = real(&path).unwrap_or(path);
            if features::is_real_loaded(ctx, &key) {
                return Ok(false);
            }
            key
        }
        None => return Ok(true),
    };
    let loading = ctx.extension::<Loader>().loading.borrow();
    Ok(loading.get(&key).is_none_or(|entry| !ctx.is_loader(entry.thread, entry.fiber)))
}

/// In the child of a fork: what other threads were loading nobody loads any more.
pub fn after_fork(ctx: &mut Ctx) {
    let me = ctx.thread().id;
    ctx.extension::<Loader>().loading.borrow_mut().retain(|_, entry| entry.thread == me);
    ctx.extension::<Loader>().autoload_waiters.borrow_mut().clear();
    ctx.forget_autoloads_of_others();
}

/// Waits until another thread or fiber has loaded the file of an autoload. It may return early.
pub fn autoload_wait(ctx: &mut Ctx, owner: u64, name: Sym) -> Result<()> {
    let waiters = ctx.extension::<Loader>().autoload_waiters.borrow_mut().entry((owner, name)).or_default().clone();
    wait_on(ctx, &waiters, Value::NIL, None).map(drop)
}

/// Wakes who waits for the end of an autoload.
pub fn autoload_done(ctx: &mut Ctx, owner: u64, name: Sym) -> Result<()> {
    let waiters = ctx.extension::<Loader>().autoload_waiters.borrow_mut().remove(&(owner, name));
    waiters.map_or(Ok(()), |waiters| wake_all(ctx, &waiters))
}

/// Runs `body` unless `key` is loaded or being loaded; other threads wait for it.
fn load_once(ctx: &mut Ctx, key: &[u8], provides: &[u8], body: impl FnOnce(&mut Ctx) -> Result<()>) -> Result<bool> {
    let thread = ctx.thread().id;
    loop {
        if is_loaded(ctx, provides) {
            return Ok(false);
        }
        let loader = ctx.extension::<Loader>();
        let mut loading = loader.loading.borrow_mut();
        match loading.get_mut(key) {
            None => {
                let fiber = ctx.current_fiber();
                loading.insert(key.to_vec(), Loading { thread, fiber, waiters: Rc::default() });
                break;
            }
            // Another fiber of this thread can only be waited for with a scheduler's help.
            Some(entry) if ctx.is_loader(entry.thread, entry.fiber) => {
                drop(loading);
                if ctx.vm().verbose.get() == Value::TRUE {
                    let path = String::from_utf8_lossy(provides).into_owned();
                    let mut message = format!("loading in progress, circular require considered harmful - {path}");
                    let positions = ctx.positions(0, usize::MAX);
                    backtrace::levels(ctx, &positions)
                        .iter()
                        .for_each(|level| message += &format!("\n\tfrom {}", level.text()));
                    ctx.warn(&message)?;
                }
                return Ok(false);
            }
            Some(entry) => {
                let waiters = entry.waiters.clone();
                drop(loading);
                wait_on(ctx, &waiters, Value::NIL, None)?;
            }
        }
    }
    let outcome = body(ctx).and_then(|()| provide(ctx, provides, key));
    let entry = ctx.extension::<Loader>().loading.borrow_mut().remove(key);
    if let Some(entry) = entry.filter(|entry| !entry.waiters.is_empty()) {
        return ctx.ensure(|_| outcome.map(|()| true), |ctx| wake_all(ctx, &entry.waiters));
    }
    outcome.map(|()| true)
}

/// Reads, compiles and runs a file. `wrap`: the module that definitions go to, and self.
pub fn load_file(ctx: &mut Ctx, path: &[u8], wrap: Option<(Value, Value)>) -> Result<()> {
    let name = String::from_utf8_lossy(path).into_owned();
    let Some(source) = reading::read_source(ctx, path)? else { return Err(load_error(ctx, path)) };
    let request = CompileRequest::program(&source, &name, ISeqKind::Top);
    let iseq = (ctx.vm().hooks().compile)(ctx, request)?;
    backtrace::note_real_path(&iseq.script);
    if !rubellite_core_object::runtime::keeps_lines(ctx) {
        iseq.script.leave_source();
    }
    ctx.trace_script(&iseq, None)?;
    ctx.run_toplevel(iseq, wrap)?;
    Ok(())
}

/// "cannot load such file -- x"
#[cold]
pub fn load_error(ctx: &mut Ctx, feature: &[u8]) -> Unwind {
    load_error_in(ctx, feature, Encoding::UTF_8)
}

fn load_error_in(ctx: &mut Ctx, feature: &[u8], encoding: Encoding) -> Unwind {
    let message = Str::new(ctx, &[b"cannot load such file -- ", feature].concat(), encoding);
    let class = ctx.error_class("LoadError").value();
    let exception = Exception::new(ctx, class, message.value()).value();
    let path = Str::new(ctx, feature, encoding).value();
    let ivar = ctx.intern("@path");
    ctx.ivar_set(exception, ivar, path);
    ctx.raise(exception)
}

/// What a load of `feature` gives. An error that its file is not there has a message in the path's own encoding.
fn with_path_encoding(ctx: &mut Ctx, feature: Str, loaded: Result) -> Result {
    let encoding = feature.encoding();
    if loaded.is_ok() || encoding == Encoding::UTF_8 || feature.is_ascii_only(ctx) || !encoding.is_ascii_compatible() {
        return loaded;
    }
    let (class, ivar) = (ctx.error_class("LoadError").value(), ctx.intern("@path"));
    let Pending::Raise(error) = *ctx.pending() else { return loaded };
    let path = ctx.ivar_get(error, ivar);
    let bytes = feature.bytes(ctx).to_vec();
    if !ctx.is_a(error, class) || Str::try_of(path).is_none_or(|path| path.bytes(ctx) != bytes) {
        return loaded;
    }
    ctx.clear_pending();
    Err(load_error_in(ctx, &bytes, encoding))
}

fn kernel_require(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let path = get_path(ctx, args.at(0))?;
    let feature = path.bytes(ctx).to_vec();
    let loaded = seen_by_hooks(ctx, |ctx| require(ctx, &feature).map(Value::from_bool));
    with_path_encoding(ctx, path, loaded)
}

fn require_relative(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let feature = get_path(ctx, args.at(0))?.bytes(ctx).to_vec();
    // Text that is evaluated without a path of its own is in no directory.
    let script = ctx.source_script().filter(|script| !script.path.starts_with("(eval at "));
    let Some(script) = script else {
        return Err(ctx.raise_error("LoadError", "cannot infer basepath"));
    };
    let base = match script.real_path.get() {
        Some(path) => path.as_bytes().to_vec(),
        None => real(script.path.as_bytes()).unwrap_or_else(|_| script.path.as_bytes().to_vec()),
    };
    let base = dirname(&base, 1).to_vec();
    let full = expand(ctx, &feature, Some(&base), true)?;
    seen_by_hooks(ctx, |ctx| require(ctx, &full).map(Value::from_bool))
}

/// What is loaded may switch tracing on, as debuggers do: the code that asked for it is traced from here on, too.
fn seen_by_hooks(ctx: &mut Ctx, load: impl FnOnce(&mut Ctx) -> Result) -> Result {
    let untraced = ctx.hooks().is_empty();
    let value = load(ctx)?;
    if untraced && !ctx.hooks().is_empty() { ctx.begin_tracing(value) } else { Ok(value) }
}

/// `load(file, wrap = false)`
fn kernel_load(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let path = get_path(ctx, args.at(0))?;
    let loaded = load_of(ctx, path, args);
    with_path_encoding(ctx, path, loaded)
}

fn load_of(ctx: &mut Ctx, name: Str, args: Args) -> Result {
    let name = name.bytes(ctx).to_vec();
    let wrap = match args.at(1) {
        Value::NIL | Value::FALSE => None,
        module if module.has_tag(rubellite_vm::Tag::Module) => Some(module),
        _ => {
            let klass = ctx.classes().module.get();
            Some(Class::new_module(ctx, klass).value())
        }
    };
    // The code runs as a copy of main that the module extends.
    let wrap = match wrap {
        Some(module) => {
            let main = ctx.vm().main_object.get();
            let copy = rubellite_core_object::clone(ctx, main, Args::none())?;
            let singleton = Class::singleton_class(ctx, copy).ok_or(Unwind)?;
            let extension = ctx.expect(module)?;
            if singleton.include(ctx, extension).is_err() {
                return Err(ctx.argument_error("cyclic include detected"));
            }
            Some((module, copy))
        }
        None => None,
    };
    let path = find_for_load(ctx, &name)?;
    match path {
        Some(path) => seen_by_hooks(ctx, |ctx| load_file(ctx, &path, wrap).map(|()| Value::TRUE)),
        None => Err(load_error(ctx, &name)),
    }
}

fn find_for_load(ctx: &mut Ctx, name: &[u8]) -> Result<Option<Vec<u8>>> {
    if !is_explicit(name) {
        for dir in search_dirs(ctx)? {
            let full = [&dir[..], b"/", name].concat();
            if is_file(&full) {
                return Ok(Some(full));
            }
        }
    }
    let full = expand(ctx, name, None, true)?;
    Ok(is_file(&full).then_some(full))
}

/// `$LOAD_PATH.resolve_feature_path(feature)`: `[:rb, path]`, `[:so, name]` or nil.
fn resolve_feature_path(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let feature = get_path(ctx, args.at(0))?.bytes(ctx).to_vec();
    let (stem, _) = strip_extension(&feature);
    if is_explicit(&feature) {
        let full = expand(ctx, &feature, None, true)?;
        let with_ext = if full.ends_with(b".rb") { full } else { [&full[..], b".rb"].concat() };
        return if is_file(&with_ext) { resolved(ctx, "rb", &with_ext) } else { Ok(Value::NIL) };
    }
    for dir in search_dirs(ctx)? {
        let full = [&dir[..], b"/", stem, b".rb"].concat();
        if is_file(&full) {
            return resolved(ctx, "rb", &full);
        }
    }
    match find_feature(ctx, &feature)? {
        Some(Found::Native(library)) => resolved(ctx, library.suffix.trim_start_matches('.'), library.name.as_bytes()),
        Some(Found::Extension(path)) => resolved(ctx, "so", &path),
        Some(Found::Provided) if !feature.is_empty() => {
            let name = [stem, b".rb"].concat();
            if is_loaded(ctx, &name) {
                resolved(ctx, "rb", &name)
            } else {
                resolved(ctx, "so", &[stem, b".so"].concat())
            }
        }
        _ => Ok(Value::NIL),
    }
}

fn resolved(ctx: &mut Ctx, kind: &'static str, path: &[u8]) -> Result {
    let path = path_string(ctx, path);
    let kind = Value::symbol(ctx.intern(kind));
    Ok(Array::from_slice(ctx, &[kind, path]).value())
}

/// Requires the file of an autoload through `Kernel#require`, which the program may have replaced.
pub fn autoload(ctx: &mut Ctx, path: &str) -> Result<bool> {
    let main = ctx.vm().main_object.get();
    let text = path_string(ctx, path.as_bytes());
    Ok(ctx.call_name(main, "require", &[text])?.truthy())
}

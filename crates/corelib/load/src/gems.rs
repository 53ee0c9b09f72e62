//! RubyGems, which programs find loaded from the start. It takes longer to load than most programs run, so it is loaded
//! when the first thing happens that it could have a part in:
//!
//! - `Gem` or `gem` is used, or one of its files or Bundler's is required;
//! - a feature is required that nothing on `$LOAD_PATH` has: it may lie in an installed gem;
//! - a feature of the library is required that belongs to a default gem of which a newer version is installed.
//!
//! Everything else that is required RubyGems would leave to the loader. It only notes which default gems are active
//! then; the features are remembered here and it is told when it comes (`gem_replay.rb`). From then on its `require` is
//! in charge, which finds the loader's own as `gem_original_require`.
//!
//! States: off (no RubyGems, or `--disable=gems`), lazy, loaded. While it is being loaded, what the loading thread
//! requires is left to the loader; other threads wait.

use super::{Found, Loader, find_feature, is_explicit, load_once, strip_extension};
use rubellite_core_object::slot::Slot;
use rubellite_vm::object::{Array, Hash, Str};
use rubellite_vm::{Args, Arity, Ctx, Result, Value, private_method};
use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const PRELUDE: &str = "gem_prelude";

/// What RubyGems asks for its directories, by the values of the start.
const VARIABLES: [&str; 5] = ["GEM_HOME", "GEM_PATH", "GEM_SPEC_CACHE", "HOME", "XDG_DATA_HOME"];

/// Directories that Debian's RubyGems looks at besides its own, for each version of Ruby or for all.
const SYSTEM: [&str; 4] =
    ["/var/lib/gems", "/usr/local/lib/ruby/gems", "/usr/lib/ruby/gems", "/usr/share/rubygems-integration"];

#[derive(Copy, Clone, PartialEq, Eq, Default)]
enum State {
    #[default]
    Off,
    Lazy,
    Loaded,
}

#[derive(Default)]
pub struct Gems {
    state: Cell<State>,
    /// Its main file, as the load path had it at the start.
    path: RefCell<Vec<u8>>,
    /// The values of `VARIABLES` at the start.
    environment: RefCell<[Option<OsString>; VARIABLES.len()]>,
    /// Features of the library that were required before RubyGems came.
    required: RefCell<Vec<Vec<u8>>>,
    /// Whether a newer version of some default gem is installed, once it has been asked.
    newer: Cell<Option<bool>>,
    /// The `Kernel#require` that RubyGems brought.
    require: Slot,
    /// Whether one of the program's own has stayed in front of it.
    is_wrapped: Cell<bool>,
}

impl Gems {
    pub fn trace(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.require.get());
    }
}

/// What RubyGems asks of this Ruby under the name of its engine, also where a program loads it by itself.
pub fn register_defaults(ctx: &mut Ctx) {
    super::register(ctx, "rubygems/defaults/ruby", defaults);
}

fn defaults(ctx: &mut Ctx) -> Result<()> {
    ctx.run_internal(include_str!("gem_defaults.rb"), PRELUDE).map(drop)
}

/// The same under the name that a command was given for its engine.
fn register_defaults_of_engine(ctx: &mut Ctx) -> Result<()> {
    let name = ctx.intern("RUBY_ENGINE");
    let engine = ctx.named_class("Object")?.own_const(ctx, name).and_then(|entry| Str::try_of(entry.value));
    let engine = engine.map(|name| String::from_utf8_lossy(name.bytes(ctx)).into_owned());
    if let Some(engine) = engine.filter(|engine| engine != "ruby") {
        // Names of libraries live as long as the process, and it has one such name.
        super::register(ctx, Box::leak(format!("rubygems/defaults/{engine}").into_boxed_str()), defaults);
    }
    Ok(())
}

/// Makes `Gem` and `gem` load RubyGems when they are first used, if it is installed, and `RbConfig`, which RubyGems
/// brings, its library. To programs all are loaded from the start. `helpers`: features that count as required then.
///
/// # Errors
/// Whatever the definition of the two raises.
pub fn announce(ctx: &mut Ctx, helpers: &[&str]) -> Result<()> {
    super::announce(ctx, "RbConfig", "rbconfig")?;
    let dirs = super::search_dirs(ctx)?;
    let Some(path) = dirs.iter().map(|dir| [&dir[..], b"/rubygems.rb"].concat()).find(|path| super::is_file(path))
    else {
        return Ok(());
    };
    let gems = &ctx.extension::<Loader>().gems;
    *gems.path.borrow_mut() = path;
    *gems.environment.borrow_mut() = environment();
    gems.state.set(State::Lazy);
    register_defaults_of_engine(ctx)?;
    super::register(ctx, "gem_prelude", load);
    ctx.run_internal(include_str!("gem_prelude.rb"), PRELUDE)?;
    rubellite_core_object::announced(ctx, ctx.intern("Gem"));
    let kernel = ctx.named_class("Kernel")?;
    let (name, original) = (ctx.intern("require"), ctx.intern("gem_original_require"));
    // Backtraces name it after the method that it stands for.
    ctx.define_native(kernel, &private_method("require", Arity::exact(1), original_require));
    ctx.alias_method(kernel, original, name)?;
    ctx.define_native(kernel, &private_method("require", Arity::exact(1), require));
    let first = helpers.iter().map(|name| name.as_bytes().to_vec());
    ctx.extension::<Loader>().gems.required.borrow_mut().extend(first);
    // What a distribution adds to RubyGems runs before any program. Where it belongs to the library itself it can wait
    // with it.
    let standard = ctx.extension::<Loader>().standard.borrow().clone();
    let adds = |dir: &Vec<u8>| {
        !standard.contains(dir) && super::is_file(&[&dir[..], b"/rubygems/defaults/operating_system.rb"].concat())
    };
    if dirs.iter().any(adds) { ctx.run_internal("::Gem", PRELUDE).map(drop) } else { Ok(()) }
}

fn environment() -> [Option<OsString>; VARIABLES.len()] {
    VARIABLES.map(std::env::var_os)
}

/// The environment as RubyGems would have seen it at the start, as a Hash; nil if it is the same now.
fn former_environment(ctx: &mut Ctx) -> Result {
    let former = ctx.extension::<Loader>().gems.environment.borrow().clone();
    if former == environment() {
        return Ok(Value::NIL);
    }
    let hash = Hash::new(ctx);
    for (name, value) in VARIABLES.iter().zip(former) {
        let key = super::path_string(ctx, name.as_bytes());
        let value = value.map_or(Value::NIL, |value| super::path_string(ctx, value.as_bytes()));
        hash.insert(ctx, key, value)?;
    }
    Ok(hash.value())
}

/// Loads RubyGems as the first use of `Gem` does, so that other threads that use it wait.
fn bring(ctx: &mut Ctx) -> Result<()> {
    let (object, name) = (ctx.named_class("Object")?, ctx.intern("Gem"));
    if let Some(entry) = object.own_const(ctx, name).filter(|entry| entry.flags.autoload).cloned() {
        ctx.load_autoload(object, name, &entry)?;
    }
    // Where this comes from that first use, it has not been done.
    load(ctx)
}

/// Loads RubyGems, unless this thread is about it.
fn load(ctx: &mut Ctx) -> Result<()> {
    let path = ctx.extension::<Loader>().gems.path.borrow().clone();
    if ctx.extension::<Loader>().gems.state.get() != State::Lazy || is_being_loaded(ctx, &path) {
        return Ok(());
    }
    load_once(ctx, &path, &path, |ctx| {
        let theirs = own_require(ctx)?;
        super::load_file(ctx, &path, None)?;
        let features = std::mem::take(&mut *ctx.extension::<Loader>().gems.required.borrow_mut());
        let list = Array::new(ctx);
        for feature in features {
            let text = super::path_string(ctx, &feature);
            list.push(ctx, text);
        }
        let environment = former_environment(ctx)?;
        let replay = ctx.run_internal(include_str!("gem_replay.rb"), PRELUDE)?;
        let brought = ctx.call_name(replay, "call", &[list.value(), theirs, environment])?;
        let gems = &ctx.extension::<Loader>().gems;
        gems.require.set(brought);
        gems.is_wrapped.set(!theirs.is_nil());
        gems.state.set(State::Loaded);
        Ok(())
    })
    .map(drop)
}

/// The `Kernel#require` that the program has put in place of the loader's, which RubyGems is given instead of it; nil
/// for none.
fn own_require(ctx: &mut Ctx) -> Result {
    let kernel = ctx.named_class("Kernel")?;
    let (require, original) = (ctx.intern("require"), ctx.intern("gem_original_require"));
    if kernel.own_method(ctx, require).is_none_or(|own| own.is_core()) {
        return Ok(Value::NIL);
    }
    let mut theirs = ctx.call_name(kernel.value(), "instance_method", &[Value::symbol(require)])?;
    // Modules may have been put in front of Kernel.
    while ctx.call_name(theirs, "owner", &[])? != kernel.value() {
        theirs = ctx.call_name(theirs, "super_method", &[])?;
    }
    // What has an alias is replaced without a warning: nothing is lost here.
    ctx.alias_method(kernel, require, require)?;
    ctx.alias_method(kernel, require, original)?;
    Ok(theirs)
}

/// Whether the current thread is loading RubyGems.
fn is_being_loaded(ctx: &Ctx, path: &[u8]) -> bool {
    let loading = ctx.extension::<Loader>().loading.borrow();
    loading.get(path).is_some_and(|entry| ctx.is_loader(entry.thread, entry.fiber))
}

/// `Kernel#require`: what RubyGems may have a part in it is asked for.
fn require(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let loaded = super::seen_by_hooks(ctx, |ctx| require_feature(ctx, recv, args.at(0)));
    match Str::try_of(args.at(0)) {
        Some(feature) => super::with_path_encoding(ctx, feature, loaded),
        None => loaded,
    }
}

fn require_feature(ctx: &mut Ctx, recv: Value, feature: Value) -> Result {
    let path = rubellite_core_io::file::path::get_path(ctx, feature)?.bytes(ctx).to_vec();
    match ctx.extension::<Loader>().gems.state.get() {
        State::Off => return super::require(ctx, &path).map(Value::from_bool),
        State::Loaded => {}
        State::Lazy => {
            let busy = is_being_loaded(ctx, &ctx.extension::<Loader>().gems.path.borrow());
            if busy || !concerns_gems(ctx, &path)? {
                return super::require(ctx, &path).map(Value::from_bool);
            }
            let name = ctx.intern("require");
            let is_in_front = ctx.is_builtin(recv, name);
            ctx.as_main_ractor(bring)?;
            // It counts as loaded from the start.
            if strip_extension(&path).0 == b"rubygems" {
                return Ok(Value::FALSE);
            }
            if is_in_front && !ctx.extension::<Loader>().gems.is_wrapped.get() {
                return ctx.call_name(recv, "require", &[feature]);
            }
        }
    }
    let require = ctx.extension::<Loader>().gems.require.get();
    ctx.call_name(require, "bind_call", &[recv, feature])
}

/// Whether RubyGems would do more about a feature than the loader does.
fn concerns_gems(ctx: &mut Ctx, feature: &[u8]) -> Result<bool> {
    let (stem, _) = strip_extension(feature);
    if matches!(stem, b"rubygems" | b"bundler") || stem.starts_with(b"rubygems/") || stem.starts_with(b"bundler/") {
        return Ok(true);
    }
    // By its path, which may lead through symbolic links.
    if is_explicit(feature) && stem.ends_with(b"/rubygems") {
        let full = super::expand(ctx, &[stem, b".rb"].concat(), None, true)?;
        return Ok(super::real(&full).is_ok_and(|path| path == *ctx.extension::<Loader>().gems.path.borrow()));
    }
    // Where nothing can be added to `$LOADED_FEATURES`, RubyGems cannot be loaded.
    if is_explicit(feature) || super::features(ctx).header().is_some_and(|header| header.frozen()) {
        return Ok(false);
    }
    let library = match find_feature(ctx, feature)? {
        Some(Found::Provided) => return Ok(false),
        Some(Found::Native(..)) => true,
        Some(Found::File(path) | Found::Extension(path)) => {
            let standard = ctx.extension::<Loader>().standard.borrow();
            standard.iter().any(|dir| path.strip_prefix(&dir[..]).is_some_and(|rest| rest.first() == Some(&b'/')))
        }
        None => return Ok(true),
    };
    if library {
        if is_newer_installed(ctx) {
            return Ok(true);
        }
        ctx.extension::<Loader>().gems.required.borrow_mut().push(feature.to_vec());
    }
    Ok(false)
}

/// Whether a default gem is installed in a newer version than the library's. Where that is not certain the answer is
/// yes.
fn is_newer_installed(ctx: &Ctx) -> bool {
    let gems = &ctx.extension::<Loader>().gems;
    if let Some(known) = gems.newer.get() {
        return known;
    }
    let (library, version) = match super::paths::Library::of(ctx) {
        super::paths::Library::Own(library) => (library, super::paths::VERSION.to_string()),
        super::paths::Library::Older { dir, version } => {
            (dir.parent().unwrap_or(&dir).to_path_buf(), version.unwrap_or_else(|| super::paths::VERSION.to_string()))
        }
    };
    let home = library.join("gems").join(&version);
    let defaults: Vec<(String, Option<Vec<u64>>)> = specifications(&home.join("specifications/default"));
    let newer = homes(home, &version).iter().any(|home| {
        specifications(&home.join("specifications")).iter().any(|(name, version)| {
            let default = defaults.iter().find(|(default, _)| default == name);
            default.is_some_and(|(_, default)| version.is_none() || default.is_none() || version > default)
        })
    });
    gems.newer.set(Some(newer));
    newer
}

/// Where RubyGems may look for gems.
fn homes(own: PathBuf, version: &str) -> Vec<PathBuf> {
    let mut homes = vec![own];
    for list in ["GEM_HOME", "GEM_PATH"].iter().filter_map(std::env::var_os) {
        homes.extend(std::env::split_paths(&list));
    }
    let user = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let data = std::env::var_os("XDG_DATA_HOME").map_or_else(|| user.join(".local/share"), PathBuf::from);
    for dir in [user.join(".gem"), data.join("gem")] {
        homes.extend([version, &super::paths::abi(version)].map(|version| dir.join("ruby").join(version)));
    }
    for dir in SYSTEM {
        homes.extend([version, "all"].map(|name| Path::new(dir).join(name)));
    }
    homes
}

/// Names and versions of the specifications in a directory; no version where its order is not plain.
fn specifications(dir: &Path) -> Vec<(String, Option<Vec<u64>>)> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".gemspec").map(str::to_string));
    names.filter_map(|name| name_and_version(&name).map(|(name, version)| (name.to_string(), version))).collect()
}

/// The parts of "name-1.2.3" and "name-1.2.3-platform".
fn name_and_version(full_name: &str) -> Option<(&str, Option<Vec<u64>>)> {
    let begins = |at: usize| full_name[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let at = full_name.match_indices('-').map(|(at, _)| at).find(|at| begins(*at))?;
    let version = full_name[at + 1..].split('-').next().unwrap_or_default();
    let parts: Option<Vec<u64>> = version.split('.').map(|part| part.parse().ok()).collect();
    Some((&full_name[..at], parts))
}

/// `gem_original_require(feature)`: the loader's `require`, by the name by which RubyGems calls it.
fn original_require(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let feature = rubellite_core_io::file::path::get_path(ctx, args.at(0))?;
    let path = feature.bytes(ctx).to_vec();
    let loaded = super::seen_by_hooks(ctx, |ctx| super::require(ctx, &path).map(Value::from_bool));
    super::with_path_encoding(ctx, feature, loaded)
}

#[cfg(test)]
mod tests {
    use super::name_and_version;

    #[test]
    fn names_and_versions() {
        let version = |text| name_and_version(text).and_then(|(_, version)| version);
        assert!(version("a-b-1.10.0") > version("a-b-1.9"));
        assert_eq!(name_and_version("net-http-0.9.1"), Some(("net-http", Some(vec![0, 9, 1]))));
        assert_eq!(name_and_version("x-0.1.0-x86_64-linux"), Some(("x", Some(vec![0, 1, 0]))));
        assert_eq!(name_and_version("x-1.0.rc1"), Some(("x", None)));
        assert_eq!(name_and_version("x"), None);
    }
}

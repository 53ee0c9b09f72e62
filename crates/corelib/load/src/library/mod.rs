//! Libraries that `require` finds without a file: small ones that belong to the system part. Larger ones are the stdlib
//! crate's.

mod etc;
mod etc_constants;

use crate::{self as load, register};
use rubellite_vm::object::{Hash, Str};
use rubellite_vm::{Class, Ctx, Result, Value};
use std::ffi::{OsStr, OsString};
use std::path::Path;

pub fn register_all(ctx: &mut Ctx) {
    register(ctx, "rbconfig", rbconfig);
    register(ctx, "rbconfig/sizeof", |ctx| ruby(ctx, "rbconfig/sizeof", include_str!("sizeof.rb")));
    register(ctx, "etc", etc::load);
    register(ctx, "timeout", |ctx| ruby(ctx, "timeout", include_str!("timeout.rb")));
    register(ctx, "fcntl", fcntl);
    load::register_for_older(ctx, "monitor", |ctx| ruby(ctx, "monitor_mixin", include_str!("monitor_mixin.rb")));
    load::gems::register_defaults(ctx);
    // Programs find it without `require`, as RubyGems uses it. This fails only for lack of memory.
    let _ = load::announce(ctx, "MonitorMixin", "monitor");
}

/// Runs a library that is written in Ruby.
fn ruby(ctx: &mut Ctx, name: &str, source: &str) -> Result<()> {
    ctx.run_internal(source, name)?;
    Ok(())
}

/// Where the headers of the C interface lie that this executable was compiled with.
const HEADERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cext/include");

/// The name under which the executable was started, when it is one that it has in its own directory (`ruby`, a link to
/// it), else its first name. What starts `RbConfig.ruby` gets the same Ruby either way.
fn installed_name(executable: &Path) -> String {
    let started = std::env::args_os().next().and_then(|word| Path::new(&word).file_name().map(OsStr::to_os_string));
    let is_link =
        |name: &OsString| std::fs::canonicalize(executable.with_file_name(name)).is_ok_and(|path| path == executable);
    let name = started.filter(is_link).or_else(|| executable.file_name().map(OsStr::to_os_string));
    name.unwrap_or_default().to_string_lossy().into_owned()
}

/// RbConfig, beginning with what the place of the executable and of the library say.
fn rbconfig(ctx: &mut Ctx) -> Result<()> {
    let executable = std::env::current_exe().unwrap_or_default();
    let text = |path: Option<&Path>| path.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
    let bindir = executable.parent();
    let name = installed_name(&executable);
    let mut config = vec![
        ("bindir", text(bindir)),
        ("ruby_install_name", name),
        ("arch", rubellite_core_object::runtime::constants::platform()),
    ];
    match load::paths::Library::of(ctx) {
        load::paths::Library::Own(library) => {
            config.push(("ruby_version", load::paths::abi(load::paths::VERSION)));
            // A library that is named may lie anywhere; else it and the executable belong to one installation.
            let named = std::env::var_os("RUBELLITE_LIBRARY").is_some();
            config
                .push(("prefix", text(if named { bindir.and_then(Path::parent) } else { library.ancestors().nth(2) })));
            config.push(("rubylibprefix", text(Some(&library))));
        }
        // Features and gems are those of another Ruby, whose version names the directories.
        load::paths::Library::Older { dir, version } => {
            config.push(("ruby_version", version.unwrap_or_else(|| load::paths::abi(load::paths::VERSION))));
            config.push(("prefix", text(bindir.and_then(Path::parent))));
            config.push(("rubylibprefix", text(dir.parent())));
            config.push(("rubylibdir", text(Some(&dir))));
            config.push(("rubyarchdir", text(Some(&dir))));
            config.push(("sitedir", "/usr/local/lib/site_ruby".to_string()));
            for key in ["vendordir", "vendorlibdir", "vendorarchdir"] {
                config.push((key, "/usr/lib/ruby/vendor_ruby".to_string()));
            }
        }
    }
    let hash = Hash::new(ctx);
    for (key, text) in config {
        let (key, text) = (Str::utf8(ctx, key).value(), Str::utf8(ctx, &text).value());
        hash.insert(ctx, key, text)?;
    }
    let klass = ctx.classes().module.get();
    let module = Class::new_module(ctx, klass);
    ctx.named_class("Object")?.set_const(ctx, "RbConfig", module.value());
    module.set_const(ctx, "CONFIG", hash.value());
    let headers = Str::utf8(ctx, HEADERS).value();
    module.set_const(ctx, "HEADERS", headers);
    ruby(ctx, "rbconfig", include_str!("rbconfig.rb"))
}

/// Fcntl: the constants of fcntl(2).
fn fcntl(ctx: &mut Ctx) -> Result<()> {
    let klass = ctx.classes().module.get();
    let module = Class::new_module(ctx, klass);
    let numbers = [
        ("F_DUPFD", libc::F_DUPFD),
        ("F_GETFD", libc::F_GETFD),
        ("F_SETFD", libc::F_SETFD),
        ("F_GETFL", libc::F_GETFL),
        ("F_SETFL", libc::F_SETFL),
        ("F_GETLK", libc::F_GETLK),
        ("F_SETLK", libc::F_SETLK),
        ("F_SETLKW", libc::F_SETLKW),
        ("FD_CLOEXEC", libc::FD_CLOEXEC),
        ("F_UNLCK", libc::F_UNLCK),
        ("F_RDLCK", libc::F_RDLCK),
        ("F_WRLCK", libc::F_WRLCK),
        ("F_DUPFD_CLOEXEC", libc::F_DUPFD_CLOEXEC),
        ("F_GETPIPE_SZ", libc::F_GETPIPE_SZ),
        ("F_SETPIPE_SZ", libc::F_SETPIPE_SZ),
        ("O_CREAT", libc::O_CREAT),
        ("O_EXCL", libc::O_EXCL),
        ("O_NOCTTY", libc::O_NOCTTY),
        ("O_TRUNC", libc::O_TRUNC),
        ("O_APPEND", libc::O_APPEND),
        ("O_NONBLOCK", libc::O_NONBLOCK),
        ("O_NDELAY", libc::O_NDELAY),
        ("O_RDONLY", libc::O_RDONLY),
        ("O_RDWR", libc::O_RDWR),
        ("O_WRONLY", libc::O_WRONLY),
        ("O_ACCMODE", libc::O_ACCMODE),
    ];
    for (name, value) in numbers {
        module.set_const(ctx, name, Value::fixnum(value as i64));
    }
    let version = Str::utf8(ctx, "1.3.0").value();
    module.set_const(ctx, "VERSION", version);
    ctx.named_class("Object")?.set_const(ctx, "Fcntl", module.value());
    Ok(())
}

/// A Hash with symbols as keys and Strings as values.
fn text_hash(ctx: &mut Ctx, pairs: &[(&str, String)]) -> Result<Hash> {
    let hash = Hash::new(ctx);
    for (name, text) in pairs {
        let key = Value::symbol(ctx.intern_str(name));
        let text = Str::utf8(ctx, text).value();
        hash.insert(ctx, key, text)?;
    }
    Ok(hash)
}

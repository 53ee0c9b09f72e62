//! Where libraries lie: `-I`, RUBYLIB, the directories for additions, the library of Ruby.
//!
//! Ruby 4.0's library lies in `lib/rubellite` of the installation that the executable belongs to, and is found from
//! where the executable is: `PREFIX/bin/rubellite` has `PREFIX/lib/rubellite`, and what is built in a target directory
//! has the one there. Within it `4.0.0` holds features, `gems/4.0.0` gems, `site_ruby` and `vendor_ruby` additions.
//! RUBELLITE_LIBRARY names another; where there is none, the library of the newest Ruby that the system has installed
//! takes its place.

use super::Loader;
use rubellite_core_io::file::path::path_string;
use rubellite_vm::Ctx;
use rubellite_vm::object::Array;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Directory of all installed Rubies' libraries on Debian and relatives.
const INSTALLED: &str = "/usr/lib/ruby";

/// The version of the library, which names its directories.
pub const VERSION: &str = "4.0.0";

/// What RubyGems, Bundler and mkmf name directories by that hold compiled extensions: as CRuby marks the interface of a
/// version that is not its release by a `+` and a number. The number here changes when extensions have to be compiled
/// anew.
pub fn abi(version: &str) -> String {
    format!("{version}+rubellite2")
}

/// Whose library is used.
pub enum Library {
    /// Ruby 4.0's, in this directory with those of all versions and the gems.
    Own(PathBuf),
    /// That of another Ruby, whose features are in `dir`.
    Older { dir: PathBuf, version: Option<String> },
}

impl Library {
    pub fn of(ctx: &Ctx) -> Library {
        let loader = ctx.extension::<Loader>();
        if let Some(prefix) = &*loader.prefix.borrow() {
            return Library::Own(PathBuf::from(std::ffi::OsStr::from_bytes(prefix)));
        }
        let dirs = loader.standard.borrow();
        let mut dirs = dirs.iter().map(|dir| PathBuf::from(std::ffi::OsStr::from_bytes(dir)));
        let dir = dirs.find(|dir| dir.join("optparse.rb").exists()).unwrap_or_else(|| PathBuf::from(INSTALLED));
        let name = dir.file_name().map(|name| name.to_string_lossy().into_owned());
        let version = name.filter(|name| name.starts_with(|c: char| c.is_ascii_digit()));
        Library::Older { dir, version }
    }
}

/// Fills `$LOAD_PATH`: `first` (from `-I`), RUBYLIB, then the standard library.
pub fn setup(ctx: &mut Ctx, first: &[Vec<u8>]) {
    let mut dirs: Vec<Vec<u8>> = first.to_vec();
    if let Some(list) = std::env::var_os("RUBYLIB") {
        dirs.extend(split(list.as_bytes()));
    }
    let loader = ctx.extension::<Loader>();
    let (additions, standard) = match std::env::var_os("RUBELLITE_STDLIB") {
        Some(list) => (Vec::new(), split(list.as_bytes())),
        None => match own_library() {
            Some(prefix) => {
                let arch = rubellite_core_object::runtime::constants::platform();
                let of = |dir: &str| prefix.join(dir).into_os_string().into_vec();
                let mut additions = Vec::new();
                for kind in ["site_ruby", "vendor_ruby"] {
                    additions.extend([
                        of(&format!("{kind}/{VERSION}")),
                        of(&format!("{kind}/{VERSION}/{arch}")),
                        of(kind),
                    ]);
                }
                let standard = vec![of(VERSION), of(&format!("{VERSION}/{arch}"))];
                loader.current.set(true);
                *loader.prefix.borrow_mut() = Some(prefix.into_os_string().into_vec());
                (additions, standard)
            }
            None => (Vec::new(), newest_installed()),
        },
    };
    loader.standard.borrow_mut().clone_from(&standard);
    let given = dirs.len();
    dirs.extend(additions);
    dirs.extend(standard);
    let Some(list) = Array::try_of(super::load_path(ctx)) else { return };
    // RubyGems puts its directories before the entries that have this mark.
    let mark = ctx.intern("@gem_prelude_index");
    for (i, dir) in dirs.into_iter().enumerate() {
        let text = path_string(ctx, &dir);
        list.push(ctx, text);
        if i >= given {
            ctx.ivar_set(text, mark, text);
        }
    }
}

fn split(list: &[u8]) -> Vec<Vec<u8>> {
    list.split(|b| *b == b':').filter(|d| !d.is_empty()).map(<[u8]>::to_vec).collect()
}

/// The directory that RUBELLITE_LIBRARY names (empty: none), or that belongs to the executable.
pub fn own_library() -> Option<PathBuf> {
    let is_library = |dir: &PathBuf| dir.join(VERSION).is_dir();
    if let Some(named) = std::env::var_os("RUBELLITE_LIBRARY") {
        return std::fs::canonicalize(named).ok().filter(is_library);
    }
    let executable = std::env::current_exe().ok()?;
    // Programs that are built for tests lie a directory deeper.
    let dir = executable.ancestors().skip(2).take(2).map(|dir: &Path| dir.join("lib/rubellite")).find(is_library)?;
    std::fs::canonicalize(dir).ok()
}

/// The library of the newest Ruby that the system has.
fn newest_installed() -> Vec<Vec<u8>> {
    let mut versions: Vec<(Vec<u32>, String)> = Vec::new();
    let entries = std::fs::read_dir(INSTALLED).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let parts: Option<Vec<u32>> = name.split('.').map(|p| p.parse().ok()).collect();
        if let Some(parts) = parts {
            versions.push((parts, name));
        }
    }
    versions.sort();
    let Some((_, newest)) = versions.pop() else { return Vec::new() };
    [format!("{INSTALLED}/vendor_ruby/{newest}"), format!("{INSTALLED}/vendor_ruby"), format!("{INSTALLED}/{newest}")]
        .into_iter()
        .map(String::into_bytes)
        .collect()
}

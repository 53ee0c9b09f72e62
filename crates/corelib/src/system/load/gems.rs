//! Libraries in installed gems. What nothing on `$LOAD_PATH` has is looked for in the newest version of each installed gem, and the
//! directory that has it joins `$LOAD_PATH`; dependencies need nothing more, as their features are found in the same way.
//! Which versions go together, and everything else that is asked of `Gem`, is up to RubyGems, which `Gem` loads.

use super::Loader;
use rubellite_vm::{Ctx, Result};
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// Directories whose entries hold gems, one for each version of Ruby or for all.
const PARENTS: [&str; 4] = ["/usr/share/rubygems-integration", "/var/lib/gems", "/usr/lib/ruby/gems", "/usr/local/lib/ruby/gems"];

const PRELUDE: &str = "gem_prelude";

/// Makes `Gem` and `gem` load RubyGems when they are first used, if it is installed, and `RbConfig`, which RubyGems brings,
/// its library. To programs all are loaded from the start.
///
/// # Errors
/// Whatever the definition of the two raises.
pub fn announce(ctx: &mut Ctx) -> Result<()> {
    super::announce(ctx, "RbConfig", "rbconfig")?;
    if rubygems(ctx).is_none() {
        return Ok(());
    }
    super::register(ctx, "gem_prelude", |ctx| match rubygems(ctx) {
        Some(path) => super::load_once(ctx, &path, &path, |ctx| super::load_file(ctx, &path, None)).map(drop),
        None => Ok(()),
    });
    ctx.run_internal(include_str!("gem_prelude.rb"), PRELUDE).map(drop)
}

/// RubyGems, where the standard library or what came with it lies.
fn rubygems(ctx: &Ctx) -> Option<Vec<u8>> {
    let dirs = ctx.extension::<Loader>().standard.borrow();
    dirs.iter().map(|dir| [&dir[..], b"/rubygems.rb"].concat()).find(|path| super::is_file(path))
}

/// The directories of features of installed gems, of each name the newest version only.
pub fn directories() -> Vec<Vec<u8>> {
    let mut newest: BTreeMap<String, (Vec<u64>, Vec<PathBuf>)> = BTreeMap::new();
    for home in homes() {
        for entry in std::fs::read_dir(home.join("gems")).into_iter().flatten().flatten() {
            let full_name = entry.file_name().to_string_lossy().into_owned();
            let Some((name, version)) = name_and_version(&full_name) else { continue };
            if newest.get(name).is_none_or(|(known, _)| *known < version) {
                let specification = home.join("specifications").join(format!("{full_name}.gemspec"));
                let paths = require_paths(&std::fs::read_to_string(specification).unwrap_or_default());
                newest.insert(name.to_string(), (version, paths.iter().map(|path| entry.path().join(path)).collect()));
            }
        }
    }
    newest.into_values().flat_map(|(_, paths)| paths).map(|path| path.into_os_string().into_vec()).collect()
}

/// GEM_HOME, GEM_PATH and where packages of the system put gems.
fn homes() -> Vec<PathBuf> {
    let named = ["GEM_HOME", "GEM_PATH"].iter().filter_map(std::env::var_os);
    let mut homes: Vec<PathBuf> = named.flat_map(|list| std::env::split_paths(&list).collect::<Vec<_>>()).collect();
    for parent in PARENTS {
        homes.extend(std::fs::read_dir(Path::new(parent)).into_iter().flatten().flatten().map(|entry| entry.path()));
    }
    homes
}

/// The parts of "name-1.2.3".
fn name_and_version(full_name: &str) -> Option<(&str, Vec<u64>)> {
    let (name, version) = full_name.rsplit_once('-')?;
    let version: Vec<u64> = version.split('.').map_while(|part| part.parse().ok()).collect();
    (!version.is_empty()).then_some((name, version))
}

/// The directories of features that a gemspec names, as RubyGems writes it.
fn require_paths(specification: &str) -> Vec<String> {
    let list = specification.lines().find_map(|line| line.trim_start().strip_prefix("s.require_paths = ["));
    let named: Vec<String> = list.into_iter().flat_map(|list| list.split('"').skip(1).step_by(2)).map(str::to_string).collect();
    if named.is_empty() { vec!["lib".to_string()] } else { named }
}

#[cfg(test)]
mod tests {
    #[test]
    fn versions_have_an_order() {
        let version = |text| super::name_and_version(text).map(|(_, version)| version);
        assert!(version("a-b-1.10.0") > version("a-b-1.9"));
        assert!(version("a").is_none() && version("a-b").is_none());
    }

    #[test]
    fn specifications_name_directories() {
        let text = "  s.name = \"x\".freeze\n  s.require_paths = [\"lib/x\".freeze, \"lib\".freeze]\n";
        assert_eq!(super::require_paths(text), ["lib/x", "lib"]);
        assert_eq!(super::require_paths(""), ["lib"]);
    }
}

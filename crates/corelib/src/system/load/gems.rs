//! Libraries in installed gems: when nothing on `$LOAD_PATH` has a feature, the newest gem whose `lib` has it is put
//! there, as RubyGems does. Dependencies need nothing more, as their features are found in the same way.

use crate::system::file::path::path_string;
use rubellite_vm::Ctx;
use rubellite_vm::object::Array;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Where gems of all Ruby versions lie on Debian and relatives.
const SHARED: &str = "/usr/share/rubygems-integration/all";

/// Puts the gem that has the feature (without extension) at the end of `$LOAD_PATH`; whether there is one.
pub fn activate(ctx: &mut Ctx, stem: &[u8]) -> bool {
    if stem.is_empty() || stem.contains(&0) {
        return false;
    }
    let file = PathBuf::from(std::ffi::OsString::from_vec([stem, b".rb"].concat()));
    let mut best: Option<(Vec<u64>, PathBuf)> = None;
    for root in roots(ctx) {
        for entry in std::fs::read_dir(root.join("gems")).into_iter().flatten().flatten() {
            let lib = entry.path().join("lib");
            let version = version(&entry.file_name().to_string_lossy());
            if best.as_ref().is_none_or(|(known, _)| *known < version) && lib.join(&file).is_file() {
                best = Some((version, lib));
            }
        }
    }
    let (Some((_, lib)), Some(list)) = (best, Array::try_of(super::load_path(ctx))) else { return false };
    let text = path_string(ctx, lib.as_os_str().as_bytes());
    list.push(ctx, text);
    true
}

/// The numbers at the end of "name-1.2.3".
fn version(name: &str) -> Vec<u64> {
    let text = name.rsplit_once('-').map_or("", |(_, version)| version);
    text.split('.').map_while(|part| part.parse().ok()).collect()
}

/// GEM_HOME, GEM_PATH and the directories of the installed Ruby.
fn roots(ctx: &Ctx) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> =
        ["GEM_HOME", "GEM_PATH"].iter().filter_map(std::env::var_os).flat_map(|list| std::env::split_paths(&list).collect::<Vec<_>>()).collect();
    let standard = ctx.extension::<super::Loader>().standard.borrow();
    if let Some(version) = standard.last().and_then(|dir| Path::new(std::ffi::OsStr::from_bytes(dir)).file_name()) {
        roots.extend([Path::new("/var/lib/gems").join(version), Path::new("/usr/share/rubygems-integration").join(version)]);
        roots.extend([PathBuf::from(SHARED), Path::new("/usr/lib/ruby/gems").join(version)]);
    }
    roots
}

#[cfg(test)]
mod tests {
    #[test]
    fn versions_have_an_order() {
        assert!(super::version("a-b-1.10.0") > super::version("a-b-1.9"));
        assert!(super::version("a").is_empty());
    }
}

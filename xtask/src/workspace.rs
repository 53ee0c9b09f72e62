//! Where things lie: the workspace, the binary under test, staging directories.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The directory that holds the workspace's `Cargo.toml`.
pub fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

pub fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The Ruby under test: the named one, or the workspace's own release build.
pub fn ruby(named: Option<&str>) -> Result<PathBuf, String> {
    match named {
        Some(name) if !name.contains('/') => Ok(PathBuf::from(name)),
        Some(name) => std::path::absolute(name).map_err(|error| format!("{name}: {error}")),
        None => {
            let built = target_dir().join("release/rubellite");
            if built.exists() {
                return Ok(built);
            }
            Err(format!("{} is missing: run `cargo build --release`, or name another with --ruby", built.display()))
        }
    }
}

/// Whether `--ruby` names another Ruby than this project's, about which the lists of expected failures say nothing.
pub fn is_foreign(named: Option<&str>) -> bool {
    named.is_some_and(|name| Path::new(name).file_name().is_none_or(|name| name != "rubellite"))
}

/// A directory of its own below the system's temporary directory, removed on drop. Programs run from there, so that
/// a Ruby that lives in a container sees them too.
pub struct Staging {
    pub dir: PathBuf,
}

impl Staging {
    pub fn new(purpose: &str) -> Result<Staging, String> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("rubellite-{purpose}-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let dir = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        Ok(Staging { dir })
    }

    /// Copies one file to `place` inside the staging directory and returns its path there.
    pub fn copy(&self, from: &Path, place: &Path) -> Result<PathBuf, String> {
        self.write(place, &std::fs::read(from).map_err(|error| format!("{}: {error}", from.display()))?)
    }

    pub fn write(&self, place: &Path, content: &[u8]) -> Result<PathBuf, String> {
        let path = self.dir.join(place);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        }
        std::fs::write(&path, content).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    /// Copies a whole tree to `place` (symbolic links as what they point to).
    pub fn copy_tree(&self, from: &Path, place: &Path) -> Result<PathBuf, String> {
        for file in files_below(from, &|_| true) {
            let inside = file.strip_prefix(from).unwrap_or(&file);
            let copy = self.copy(&file, &place.join(inside))?;
            if let Ok(metadata) = std::fs::metadata(&file) {
                let _ = std::fs::set_permissions(&copy, metadata.permissions());
            }
        }
        Ok(self.dir.join(place))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// Every file below `dir` (or `dir` itself when it is a file) that `wanted` accepts, sorted.
pub fn files_below(dir: &Path, wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    if dir.is_file() {
        return if wanted(dir) { vec![dir.to_path_buf()] } else { Vec::new() };
    }
    let mut files = Vec::new();
    let Ok(entries) = std::fs::read_dir(dir) else {
        return files;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy() == ".git";
        if path.is_dir() && !hidden {
            files.extend(files_below(&path, wanted));
        } else if path.is_file() && wanted(&path) {
            files.push(path);
        }
    }
    files.sort();
    files
}

pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

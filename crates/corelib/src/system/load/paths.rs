//! Where libraries lie: RUBYLIB, `-I`, the pure-Ruby standard library of an installed Ruby, installed gems.

use super::Loader;
use crate::system::file::path::path_string;
use rubellite_vm::Ctx;
use rubellite_vm::object::Array;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Directory of all installed Rubies' libraries on Debian and relatives.
const INSTALLED: &str = "/usr/lib/ruby";

/// Fills `$LOAD_PATH`: `first` (from `-I`), RUBYLIB, then the standard library.
pub fn setup(ctx: &mut Ctx, first: &[Vec<u8>]) {
    let mut dirs: Vec<Vec<u8>> = first.to_vec();
    if let Some(list) = std::env::var_os("RUBYLIB") {
        dirs.extend(list.as_bytes().split(|b| *b == b':').filter(|d| !d.is_empty()).map(<[u8]>::to_vec));
    }
    let standard = standard_dirs();
    *ctx.extension::<Loader>().standard.borrow_mut() = standard.clone();
    dirs.extend(standard);
    let Some(list) = Array::try_of(super::load_path(ctx)) else { return };
    for dir in dirs {
        let text = path_string(ctx, &dir);
        list.push(ctx, text);
    }
}

/// The directories of the standard library: RUBELLITE_STDLIB, or the newest installed Ruby's.
fn standard_dirs() -> Vec<Vec<u8>> {
    if let Some(list) = std::env::var_os("RUBELLITE_STDLIB") {
        return list.into_vec().split(|b| *b == b':').filter(|d| !d.is_empty()).map(<[u8]>::to_vec).collect();
    }
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

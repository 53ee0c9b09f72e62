//! Files that are no text: pictures of the documents and the compiler's profile, and nothing that a build or a
//! crash has left behind.

use std::path::Path;

use super::Problem;

/// Endings of binary files that people add on purpose.
const KINDS: [&str; 2] = [".png", ".profdata"];

pub fn check(file: &Path, contents: &[u8]) -> Option<Problem> {
    let name = file.to_string_lossy();
    let known = KINDS.iter().any(|kind| name.ends_with(kind));
    (!known && std::str::from_utf8(contents).is_err())
        .then(|| Problem::error(file, 0, "a binary file: only pictures and the profile belong here"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_behind_files_are_found() {
        assert!(check(Path::new("core"), b"\x7fELF\x02\xFF").is_some());
        assert!(check(Path::new("docs/a.png"), b"\x89PNG\xFF").is_none());
        assert!(check(Path::new("core"), "caf\u{e9}".as_bytes()).is_none());
    }
}

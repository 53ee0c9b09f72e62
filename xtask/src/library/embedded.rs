//! The file system within the memory of a module that wasi-vfs has packed. Its records are those of C, with words of 32
//! bits:
//!
//! ```text
//! link    { parent: *link, node: *node }                 the root's parent is null
//! node    { is_dir: bool, count, data: *u8 or *entry }   count: bytes of a file, entries of a directory
//! entry   { link: *link, name: *char, next: *entry }
//! ```
//!
//! Nothing says where the root is: the name of a file that is known to exist is looked for, then the entry that points
//! to it, and from there the links lead up.

use std::collections::HashSet;

/// A name that the library has.
const KNOWN: &[u8] = b"optparse.rb\0";
/// Deeper trees and more files than any installation has.
const DEPTH_MAX: usize = 64;
const FILES_MAX: usize = 100_000;

/// A file with its absolute path.
pub struct File {
    pub path: String,
    pub content: Vec<u8>,
}

/// All files below the root.
///
/// # Errors
/// No root is found, or a record is none.
pub fn files(memory: &[u8]) -> Result<Vec<File>, String> {
    let memory = Memory(memory);
    let root = memory.root().ok_or("no file system in the module's memory")?;
    let (mut files, mut seen) = (Vec::new(), HashSet::new());
    memory.walk(root, "", 0, &mut seen, &mut files)?;
    Ok(files)
}

struct Memory<'a>(&'a [u8]);

impl Memory<'_> {
    fn word(&self, at: usize) -> Option<usize> {
        let bytes: [u8; 4] = self.0.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(u32::from_le_bytes(bytes) as usize)
    }

    fn root(&self) -> Option<usize> {
        let names =
            self.0.windows(KNOWN.len()).enumerate().filter(|(at, found)| at.is_multiple_of(4) && *found == KNOWN);
        names.map(|(at, _)| at).find_map(|name| self.root_of(name))
    }

    /// The node that the links of some entry with this name lead up to.
    fn root_of(&self, name: usize) -> Option<usize> {
        let words = (4..self.0.len()).step_by(4).filter(|at| self.word(*at) == Some(name));
        words.into_iter().find_map(|at| {
            let mut link = self.word(at - 4).filter(|link| *link != 0)?;
            for _ in 0..DEPTH_MAX {
                let parent = self.word(link)?;
                if parent == 0 {
                    return self.word(link + 4).filter(|node| *node != 0 && self.0.get(*node) == Some(&1));
                }
                link = parent;
            }
            None
        })
    }

    fn name(&self, at: usize) -> Option<String> {
        let rest = self.0.get(at..)?;
        let text = &rest[..rest.iter().position(|byte| *byte == 0)?];
        let name = std::str::from_utf8(text).ok()?;
        (!name.is_empty() && !name.contains('/') && name != "." && name != "..").then(|| name.to_string())
    }

    fn walk(
        &self,
        node: usize,
        path: &str,
        depth: usize,
        seen: &mut HashSet<usize>,
        files: &mut Vec<File>,
    ) -> Result<(), String> {
        let broken = || format!("the record of {path:?} is broken");
        let (Some(is_dir), Some(count), Some(data)) =
            (self.0.get(node).copied(), self.word(node + 4), self.word(node + 8))
        else {
            return Err(broken());
        };
        if is_dir == 0 {
            let content =
                if count == 0 { Some(&[][..]) } else { data.checked_add(count).and_then(|end| self.0.get(data..end)) };
            files.push(File { path: path.to_string(), content: content.ok_or_else(broken)?.to_vec() });
            return if files.len() <= FILES_MAX { Ok(()) } else { Err(broken()) };
        }
        // A directory has one place: one that is seen twice contains itself.
        if is_dir != 1 || depth > DEPTH_MAX || !seen.insert(node) {
            return Err(broken());
        }
        let (mut entry, mut entries) = (data, 0);
        while entry != 0 && entries < count {
            let link = self.word(entry).filter(|link| *link != 0).ok_or_else(broken)?;
            let name = self.word(entry + 4).and_then(|at| self.name(at)).ok_or_else(broken)?;
            let child = self.word(link + 4).ok_or_else(broken)?;
            self.walk(child, &format!("{path}/{name}"), depth + 1, seen, files)?;
            entry = self.word(entry + 8).ok_or_else(broken)?;
            entries += 1;
        }
        if entry == 0 && entries == count { Ok(()) } else { Err(broken()) }
    }
}

#[cfg(test)]
mod tests {
    use super::files;

    /// A root with the directory "d", in which "optparse.rb" contains "1".
    fn memory() -> Vec<u8> {
        let mut memory = vec![0; 256];
        let mut words = |at: usize, values: &[u32]| {
            for (i, value) in values.iter().enumerate() {
                memory[at + 4 * i..at + 4 * i + 4].copy_from_slice(&value.to_le_bytes());
            }
        };
        words(16, &[0, 24]); // the root's link and node
        words(24, &[1, 1, 36]);
        words(36, &[48, 128, 0]); // its entry
        words(48, &[16, 56]); // the directory
        words(56, &[1, 1, 68]);
        words(68, &[80, 132, 0]);
        words(80, &[48, 88]); // the file
        words(88, &[0, 1, 160]);
        memory[128] = b'd';
        memory[132..143].copy_from_slice(b"optparse.rb");
        memory[160] = b'1';
        memory
    }

    #[test]
    fn files_are_found() {
        let found = files(&memory()).unwrap();
        assert_eq!((found.len(), &found[0].path[..], &found[0].content[..]), (1, "/d/optparse.rb", &b"1"[..]));
    }

    #[test]
    fn broken_records_are_refused() {
        let broken = |at: usize, byte: u8| {
            let mut memory = memory();
            memory[at] = byte;
            files(&memory).is_err()
        };
        assert!(files(&[0; 64]).is_err());
        assert!(broken(60, 2), "more entries than there are");
        assert!(broken(92, 255), "content beyond the end");
        assert!(broken(84, 24), "a directory within itself");
        assert!(broken(128, b'/'), "a name that is a path");
    }
}

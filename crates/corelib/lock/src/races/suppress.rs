//! Races that are known: a file with a pattern on each line. A race is not reported when a pattern fits its variable
//! (`@count of Cache`), or a level of one of the two stacks: its file (`*/lib/cache.rb`), file and line
//! (`cache.rb:12`), or method (`Cache#fetch`). `*` stands for any text; a file's name may leave out its directories.
//! Lines that are empty or begin with `#` say nothing.

use rubellite_core_object::exception::backtrace::Level;

#[derive(Default)]
pub struct Suppressions(Vec<String>);

impl Suppressions {
    /// # Errors
    /// The file cannot be read.
    pub fn read(path: &str) -> Result<Suppressions, String> {
        let text = std::fs::read(path).map_err(|error| format!("{} -- {path}", crate::report::system_text(&error)))?;
        let text = String::from_utf8_lossy(&text);
        let patterns = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(Suppressions(patterns.map(str::to_string).collect()))
    }

    pub fn cover<'a>(&self, variable: &str, mut levels: impl Iterator<Item = &'a Level>) -> bool {
        if self.0.is_empty() {
            return false;
        }
        self.fits(variable)
            || levels.any(|level| {
                self.fits(&level.label)
                    || self.fits_path(&level.path)
                    || self.fits_path(&format!("{}:{}", level.path, level.line))
            })
    }

    fn fits(&self, text: &str) -> bool {
        self.0.iter().any(|pattern| matches(pattern.as_bytes(), text.as_bytes()))
    }

    fn fits_path(&self, path: &str) -> bool {
        let rests = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
        std::iter::once(path).chain(rests).any(|rest| self.fits(rest))
    }
}

/// `*` stands for any text.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, t));
            p += 1;
        } else if pattern.get(p) == Some(&text[t]) {
            (p, t) = (p + 1, t + 1);
        } else if let Some((at, from)) = star {
            star = Some((at, from + 1));
            (p, t) = (at + 1, from + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, text, fits) in [
            ("cache.rb", "cache.rb", true),
            ("cache.rb", "cache.rb:1", false),
            ("cache.rb:*", "cache.rb:12", true),
            ("*/lib/*.rb", "/a/lib/b.rb", true),
            ("*a*b", "xaxbxb", true),
            ("*a*b", "xaxbx", false),
            ("", "", true),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), text.as_bytes()), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn directories_may_be_left_out() {
        let list = Suppressions(vec!["cache.rb:3".into()]);
        assert!(list.fits_path("/x/y/cache.rb:3"));
        assert!(!list.fits_path("/x/y/my_cache.rb:3"));
    }
}

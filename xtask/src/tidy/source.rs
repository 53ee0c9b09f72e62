//! A file cut into lines of code and comment. The lexer knows Rust's comments, strings, raw strings and characters;
//! for other languages a line's comment begins at its first `#` after a space or at its start.

use std::path::{Path, PathBuf};

pub struct Line {
    /// The line as it stands.
    pub text: String,
    /// Its code; strings and characters are emptied.
    pub code: String,
    pub comment: String,
}

pub struct Source {
    pub path: PathBuf,
    pub lines: Vec<Line>,
}

impl Source {
    pub fn new(path: &Path, text: &str) -> Source {
        let rust = path.extension().is_some_and(|extension| extension == "rs");
        let lines = if rust { Lexer::default().lines(text) } else { text.lines().map(plain_line).collect() };
        Source { path: path.to_path_buf(), lines }
    }
}

fn plain_line(text: &str) -> Line {
    let at =
        text.char_indices().find(|(at, c)| *c == '#' && (*at == 0 || text[..*at].ends_with(' '))).map(|(at, _)| at);
    let (code, comment) = text.split_at(at.unwrap_or(text.len()));
    Line { text: text.to_string(), code: code.to_string(), comment: comment.to_string() }
}

#[derive(Default)]
enum Mode {
    #[default]
    Code,
    /// Nested this deep.
    BlockComment(usize),
    String,
    /// Closed by a quote and this many `#`.
    RawString(usize),
}

#[derive(Default)]
struct Lexer {
    mode: Mode,
}

impl Lexer {
    fn lines(mut self, text: &str) -> Vec<Line> {
        text.lines().map(|line| self.line(line)).collect()
    }

    fn line(&mut self, text: &str) -> Line {
        let mut line = Line { text: text.to_string(), code: String::new(), comment: String::new() };
        let chars: Vec<char> = text.chars().collect();
        let mut at = 0;
        while at < chars.len() {
            let rest = &chars[at..];
            at += match self.mode {
                Mode::Code if rest.starts_with(&['/', '/']) => {
                    line.comment.extend(rest);
                    break;
                }
                Mode::Code => self.code(rest, &mut line),
                Mode::BlockComment(depth) => self.block_comment(rest, depth, &mut line),
                Mode::String => match rest {
                    ['\\', _, ..] => 2,
                    ['"', ..] => self.end_string(&mut line),
                    _ => 1,
                },
                Mode::RawString(hashes) => {
                    let closes = rest[0] == '"' && rest[1..].iter().take_while(|c| **c == '#').count() >= hashes;
                    if closes { self.end_string(&mut line) + hashes } else { 1 }
                }
            };
        }
        line
    }

    fn end_string(&mut self, line: &mut Line) -> usize {
        self.mode = Mode::Code;
        line.code.push('"');
        1
    }

    fn block_comment(&mut self, rest: &[char], depth: usize, line: &mut Line) -> usize {
        match rest {
            ['*', '/', ..] => {
                self.mode = if depth == 1 { Mode::Code } else { Mode::BlockComment(depth - 1) };
                2
            }
            ['/', '*', ..] => {
                self.mode = Mode::BlockComment(depth + 1);
                2
            }
            _ => {
                line.comment.push(rest[0]);
                1
            }
        }
    }

    fn code(&mut self, rest: &[char], line: &mut Line) -> usize {
        let word_before = line.code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        match rest {
            ['/', '*', ..] => {
                self.mode = Mode::BlockComment(1);
                2
            }
            ['r', '"' | '#', ..] if !word_before || line.code.ends_with('b') || line.code.ends_with('c') => {
                let hashes = rest[1..].iter().take_while(|c| **c == '#').count();
                if rest.get(1 + hashes) == Some(&'"') {
                    self.mode = Mode::RawString(hashes);
                    line.code.push('"');
                    return hashes + 2;
                }
                line.code.push('r');
                1
            }
            ['"', ..] => {
                self.mode = Mode::String;
                line.code.push('"');
                1
            }
            ['\'', '\\', ..] => {
                // An escaped character ends at the next quote after the escaped one.
                let end = rest.iter().skip(3).position(|c| *c == '\'').map_or(rest.len(), |at| at + 4);
                line.code.push_str("' '");
                end
            }
            ['\'', _, '\'', ..] => {
                line.code.push_str("' '");
                3
            }
            _ => {
                line.code.push(rest[0]);
                1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Line> {
        Source::new(Path::new("a.rs"), text).lines
    }

    #[test]
    fn strings_and_comments_are_not_code() {
        let found = lines("let a = \"unsafe { // }\"; // unsafe {\nlet b = 'x'; /* c\nd */ e('\\'', r#\"f\"#)");
        assert_eq!(found[0].code, "let a = \"\"; ");
        assert_eq!(found[0].comment, "// unsafe {");
        assert_eq!(found[1].code, "let b = ' '; ");
        assert_eq!(found[2].code, " e(' ', \"\")");
    }

    #[test]
    fn lifetimes_are_code() {
        assert_eq!(lines("fn f<'a>(x: &'a str)")[0].code, "fn f<'a>(x: &'a str)");
    }
}

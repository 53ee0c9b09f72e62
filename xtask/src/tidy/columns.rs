//! Lines of Rust, C and Ruby have at most 120 columns. What rustfmt leaves longer is a string, or lies in a macro:
//! strings of Rust may be as long as they are, the rest is broken by hand, strings of C and Ruby too, which join what
//! stands side by side. Left alone are tables of data in Rust, what lies below `spec`, and the lines of tests that say
//! what is expected: that stands on the line of its statement.

use super::Problem;
use super::source::{Line, Source};
use crate::workspace;

const COLUMNS_MAX: usize = 120;
const EXTENSIONS: &[&str] = &["rs", "c", "cc", "h", "def", "rb"];
/// How a line of a test says what is expected (`tests/README.md`).
const EXPECTATIONS: &[&str] = &["# => ", "# raises ", "# prints: ", "# stderr: "];

pub fn check(source: &Source) -> Vec<Problem> {
    let known = EXTENSIONS.iter().any(|extension| workspace::has_extension(&source.path, extension));
    let table = source.path.components().any(|part| part.as_os_str() == "tables");
    if !known || table || source.path.starts_with("spec") {
        return Vec::new();
    }
    let test = source.path.starts_with("tests");
    let long = source.lines.iter().enumerate().filter(|(_, line)| is_long(line) && !(test && expects(line)));
    long.map(|(index, _)| Problem::error(&source.path, index + 1, format!("more than {COLUMNS_MAX} columns"))).collect()
}

/// Only lines of Rust are cut into code and strings: in other languages all that stands there counts.
fn is_long(line: &Line) -> bool {
    let whole = line.text.chars().count();
    let without_strings = line.code.chars().count() + line.comment.chars().count();
    whole > COLUMNS_MAX && (without_strings == whole || without_strings > COLUMNS_MAX)
}

fn expects(line: &Line) -> bool {
    EXPECTATIONS.iter().any(|mark| line.text.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn code_and_comments_are_broken_and_strings_are_not() {
        let wide = "x".repeat(121);
        let found = |text: &str| check(&Source::new(Path::new("a.rs"), text)).len();
        assert_eq!(found(&format!("// {wide}\n")), 1);
        assert_eq!(found(&format!("    {wide}!(a);\n")), 1);
        assert_eq!(found(&format!("    say(\"{wide}\");\n")), 0);
        assert_eq!(found(&format!("    say(\"{wide}\", {wide});\n")), 1);
        assert_eq!(found("// short\n"), 0);
        assert!(check(&Source::new(Path::new("tables/a.rs"), &wide)).is_empty());
    }

    #[test]
    fn lines_of_c_and_ruby_are_broken_and_expectations_are_not() {
        let wide = "x".repeat(121);
        let found = |path: &str, text: &str| check(&Source::new(Path::new(path), text)).len();
        for path in ["a.c", "a.h", "a.def", "a.rb", "tests/a.rb"] {
            assert_eq!(found(path, &format!("say(\"{wide}\")\nshort\n")), 1, "{path}");
            assert_eq!(found(path, &format!("# {wide}\n")), 1, "{path}");
        }
        assert_eq!(found("tests/a.rb", &format!("{wide} # => 1\n{wide} # raises Odd: x\n# stderr: {wide}\n")), 0);
        assert_eq!(found("a.rb", &format!("{wide} # => 1\n")), 1);
        assert_eq!(found("a.rb", &format!("\"{}\"\n", "ä".repeat(118))), 0);
        assert_eq!(found("spec/a.rb", &wide) + found("a.md", &wide), 0);
    }
}

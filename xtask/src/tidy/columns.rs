//! Lines of Rust have at most 120 columns. What rustfmt leaves longer is a string, or lies in a macro: strings may be
//! as long as they are, the rest is broken by hand. Tables of data are left alone.

use super::Problem;
use super::source::Source;

const COLUMNS_MAX: usize = 120;

pub fn check(source: &Source) -> Vec<Problem> {
    if source.path.components().any(|part| part.as_os_str() == "tables") {
        return Vec::new();
    }
    let long = source.lines.iter().enumerate().filter(|(_, line)| {
        let whole = line.text.chars().count();
        let without_strings = line.code.chars().count() + line.comment.chars().count();
        whole > COLUMNS_MAX && (without_strings == whole || without_strings > COLUMNS_MAX)
    });
    long.map(|(index, _)| Problem::error(&source.path, index + 1, format!("more than {COLUMNS_MAX} columns"))).collect()
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
}

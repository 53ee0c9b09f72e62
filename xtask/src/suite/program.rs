//! A test file: what it expects, and the program that is run in its stead. Lines keep their numbers.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `EXPR # => INSPECTED`
    Value(String),
    /// `EXPR # raises CLASS: MESSAGE`
    Raises(String),
}

#[derive(Clone, Debug)]
pub struct Check {
    pub line: usize,
    pub source: String,
    pub kind: Kind,
}

#[derive(Default, Debug)]
pub struct Program {
    pub checks: Vec<Check>,
    pub stdout: Vec<String>,
    /// `# prints: ?`: nothing is expected yet, `--fill` will write it.
    pub stdout_open: bool,
    pub stderr: Option<String>,
    pub status: i32,
    /// Lowest version of Ruby that behaves so.
    pub needs: Option<(u32, u32)>,
    /// Gems without which the program cannot run.
    pub gems: Vec<String>,
    pub flags: Vec<String>,
    pub argv: Vec<String>,
    pub stdin: String,
    pub limit: f64,
    pub rewritten: String,
}

impl Program {
    /// The error names the line at fault.
    pub fn parse(source: &str) -> Result<Program, String> {
        let mut program = Program::default();
        for (index, text) in source.lines().enumerate() {
            let line = index + 1;
            program.directive(text).map_err(|reason| format!("{line}: {reason}"))?;
            match check_on(text, line).map_err(|reason| format!("{line}: {reason}"))? {
                Some(check) => {
                    program.rewritten.push_str(&rewrite(&check));
                    program.checks.push(check);
                }
                None => program.rewritten.push_str(text),
            }
            program.rewritten.push('\n');
        }
        Ok(program)
    }

    fn directive(&mut self, text: &str) -> Result<(), String> {
        if let Some((_, expected)) = comment(text, "prints:") {
            if expected == "?" {
                self.stdout_open = true;
            } else {
                self.stdout.push(expected.to_string());
            }
            return Ok(());
        }
        let Some((name, value)) = text.strip_prefix("# ").and_then(|text| text.split_once(':')) else {
            return Ok(());
        };
        let value = value.trim();
        match name {
            "needs" => {
                let version =
                    value.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
                self.needs = Some(version.ok_or("a version such as 4.0 is needed")?);
            }
            "gems" => self.gems = value.split_whitespace().map(str::to_string).collect(),
            "status" => self.status = value.parse().map_err(|_| "a number is needed")?,
            "timeout" => self.limit = value.parse().map_err(|_| "a number of seconds is needed")?,
            "stderr" => self.stderr = Some(value.to_string()),
            "flags" => self.flags = value.split_whitespace().map(str::to_string).collect(),
            "argv" => self.argv = value.split_whitespace().map(str::to_string).collect(),
            "stdin" => {
                self.stdin.push_str(value);
                self.stdin.push('\n');
            }
            _ => {}
        }
        Ok(())
    }
}

/// The code before and the text after the last comment that begins with `# KEYWORD`.
fn comment<'a>(text: &'a str, keyword: &str) -> Option<(&'a str, &'a str)> {
    let marker = format!("# {keyword}");
    let at = text.rfind(&marker)?;
    let before = &text[..at];
    if !(before.is_empty() || before.ends_with(' ')) {
        return None;
    }
    let after = &text[at + marker.len()..];
    if !(after.is_empty() || after.starts_with(' ')) {
        return None;
    }
    Some((before.trim_end(), after.strip_prefix(' ').unwrap_or(after).trim_end()))
}

fn check_on(text: &str, line: usize) -> Result<Option<Check>, String> {
    let (source, kind) = if let Some((source, expected)) = comment(text, "=>") {
        (source, Kind::Value(expected.trim().to_string()))
    } else if let Some((source, expected)) = comment(text, "raises") {
        (source, Kind::Raises(expected.trim().to_string()))
    } else {
        return Ok(None);
    };
    let source = source.trim_start();
    if source.is_empty() && matches!(kind, Kind::Value(_)) {
        return Err("an expectation needs a statement on its line: alone it is never checked".to_string());
    }
    if source.is_empty() || source.starts_with('#') {
        return Ok(None);
    }
    let continues = ["end", "}", ")", "]", ".", "|", "&&", "||"].iter().any(|start| {
        source
            .strip_prefix(start)
            .is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
    });
    if continues {
        return Err("an expectation needs a statement that begins on its line; give the value a name first".to_string());
    }
    Ok(Some(Check { line, source: source.to_string(), kind }))
}

fn rewrite(check: &Check) -> String {
    let Check { line, source, kind } = check;
    match kind {
        Kind::Value(_) => format!("::Expect.value({line}, ({source}))"),
        Kind::Raises(_) => format!("::Expect.raised({line}) {{ {source} }}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_line_becomes_a_call() {
        let program = Program::parse("a = 1 # => 1\nb\n").unwrap();
        assert_eq!(program.rewritten, "::Expect.value(1, (a = 1))\nb\n");
        assert_eq!(program.checks[0].kind, Kind::Value("1".into()));
    }

    #[test]
    fn a_line_that_raises_becomes_a_block() {
        let program = Program::parse("Integer('x') # raises ArgumentError: bad").unwrap();
        assert_eq!(program.rewritten, "::Expect.raised(1) { Integer('x') }\n");
    }

    #[test]
    fn the_end_of_a_statement_is_refused() {
        assert!(Program::parse("[1].map do |x|\n  x\nend # => [1]").is_err());
        assert!(Program::parse("ending # => 1").is_ok());
        assert!(Program::parse("[1]\n# => [1]").is_err());
    }

    #[test]
    fn directives_are_read() {
        let program =
            Program::parse("# needs: 4.0\n# status: 3\n# stdin: a\nputs 1 # prints: 1\n# prints:   a\n# prints:\n")
                .unwrap();
        assert_eq!((program.needs, program.status, program.stdin.as_str()), (Some((4, 0)), 3, "a\n"));
        assert_eq!(program.stdout, ["1", "  a", ""]);
    }
}

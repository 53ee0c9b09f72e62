//! `--fill`: writes the answers of the Ruby that ran into expectations that are still empty (`# =>`, `# raises`,
//! `# prints: ?`). It never changes one that says something.

use std::path::Path;

use super::program::{Kind, Program};
use super::verdict::{Report, normal};

pub fn fill(path: &Path, program: &Program, report: &Report) -> Result<(), String> {
    let source = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut filled = String::new();
    let mut unanswered = 0;
    for (index, text) in source.lines().enumerate() {
        let line = index + 1;
        let check = program.checks.iter().find(|check| check.line == line);
        let empty = check.is_some_and(|check| match &check.kind {
            Kind::Value(expected) | Kind::Raises(expected) => expected.is_empty(),
        });
        if let (true, Some(answer)) = (empty, report.answers.get(&line)) {
            filled.push_str(&format!("{} {}\n", text.trim_end(), normal(answer)));
        } else if text.trim() == "# prints: ?" {
            let mut lines = report.stdout.lines().skip(program.stdout.len()).peekable();
            while let Some(line) = lines.next() {
                filled.push_str(format!("# prints: {line}").trim_end());
                if lines.peek().is_some() {
                    filled.push('\n');
                }
            }
            filled.push('\n');
        } else {
            filled.push_str(text);
            filled.push('\n');
        }
        unanswered += usize::from(empty && !report.answers.contains_key(&line));
    }
    if unanswered > 0 {
        let first = report.stderr.lines().next().unwrap_or_default();
        println!("{}: {unanswered} checks gave no answer: {first}", path.display());
    }
    if filled != source {
        std::fs::write(path, filled).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

//! Compiles every Ruby file named on the command line (folders are searched) and verifies the result.
//! Prints each failure and a summary; `--dump` prints the code, `--calls` names and lines of calls, `--errors` the
//! syntax errors too.

use rubellite_compiler::{Options, compile};
use std::path::{Path, PathBuf};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let mut files = Vec::new();
    for argument in arguments.iter().filter(|argument| !argument.starts_with("--")) {
        collect(Path::new(argument), &mut files);
    }
    let (mut compiled, mut refused, mut faulty, mut bytes, mut insns) = (0, 0, 0, 0, 0);
    let started = std::time::Instant::now();
    for file in &files {
        let Ok(source) = std::fs::read(file) else { continue };
        let path = file.to_string_lossy();
        bytes += source.len();
        match compile(&source, &Options { path: &path, verbose: true, ..Options::default() }) {
            Ok(program) => {
                compiled += 1;
                insns += count(&program.iseq);
                if has("--dump") {
                    print!("{}", rubellite_bytecode::disassemble(&program.iseq));
                }
                if has("--calls") {
                    calls(&program.iseq);
                }
                if has("--warnings") {
                    for warning in &program.warnings {
                        println!(
                            "{path}:{}: warning: {}{}",
                            warning.line,
                            warning.message,
                            if warning.verbose_only { " (verbose)" } else { "" }
                        );
                    }
                }
                let faults = rubellite_bytecode::verify(&program.iseq);
                faulty += !faults.is_empty() as usize;
                faults.iter().for_each(|fault| println!("{fault}"));
            }
            Err(error) => {
                refused += 1;
                if has("--errors") || !error.message.contains("syntax error") {
                    print!("{}", error.message);
                    println!();
                }
            }
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    eprintln!(
        "{} files, {compiled} compiled, {refused} refused, {faulty} faulty; {insns} instructions, {bytes} bytes, {seconds:.2} s",
        files.len()
    );
    std::process::exit((faulty > 0) as i32);
}

/// Prints name and line of every call.
fn calls(iseq: &rubellite_bytecode::ISeq) {
    use rubellite_bytecode::Op;
    for (pc, insn) in iseq.insns.iter().enumerate() {
        let site = match insn.op {
            Op::Call => insn.c,
            Op::Ext if iseq.insns[pc - 1].op != Op::Once => insn.a,
            _ => continue,
        };
        let name = &iseq.names[iseq.sites[site as usize].name as usize];
        println!(
            "{} {}",
            String::from_utf8_lossy(name.bytes()),
            iseq.line_at(pc.saturating_sub((insn.op == Op::Ext) as usize))
        );
    }
    iseq.children.iter().for_each(|child| calls(child));
}

fn count(iseq: &rubellite_bytecode::ISeq) -> usize {
    iseq.insns.len() + iseq.children.iter().map(|child| count(child)).sum::<usize>()
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return;
    }
    let Ok(entries) = std::fs::read_dir(path) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() || path.extension().is_some_and(|extension| extension == "rb") {
            collect(&path, files);
        }
    }
}

//! Makes the shim: C functions for all declarations of the headers, and the list of symbols that the command exports.
//!
//! A declaration is a line of a header. Its function is written in C in the shim, or in Rust (`rbl_x` for `rb_x`,
//! behind a wrapper that jumps when it fails), or calls a core class's method (`shim/sends.def`), or else raises
//! NotImplementedError.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

struct Function {
    result: String,
    name: String,
    args: Vec<String>,
    variadic: bool,
    /// It never returns.
    leaves: bool,
}

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    let include = root.join("include/ruby-4.0.0");
    for dir in ["include/ruby-4.0.0/ruby", "include/ruby-4.0.0/ruby.h", "shim", "src"] {
        println!("cargo:rerun-if-changed={}", root.join(dir).display());
    }
    let (mut functions, mut variables) = (BTreeMap::new(), BTreeSet::new());
    for header in files(&include, "h") {
        read_header(&read_c(&header), &mut functions, &mut variables);
    }
    let shim = files(&root.join("shim"), "c");
    let in_c: BTreeSet<String> = shim.iter().flat_map(|file| defined_in_c(&read_c(file))).collect();
    let in_rust: BTreeSet<String> = files(&root.join("src"), "rs")
        .iter()
        .flat_map(|file| defined_in_rust(&fs::read_to_string(file).unwrap()))
        .collect();
    let sends = read_sends(&fs::read_to_string(root.join("shim/sends.def")).unwrap());

    let mut wrappers = String::from("#include \"rbl.h\"\n");
    let mut table = String::from(
        "/// The functions of the interface, and whether each is implemented.\npub static FUNCTIONS: &[(&str, bool)] = &[\n",
    );
    for function in functions.values() {
        let name = &function.name;
        let rust = format!("rbl_{}", name.strip_prefix("rb_").unwrap_or(name));
        let done = if in_c.contains(name) {
            true
        } else if in_rust.contains(&rust) && !function.variadic {
            wrap(&mut wrappers, function, &rust);
            true
        } else if let Some(method) = sends.get(name) {
            send(&mut wrappers, function, method);
            true
        } else {
            stub(&mut wrappers, function);
            false
        };
        writeln!(table, "    (\"{name}\", {done}),").unwrap();
    }
    table.push_str("];\n");
    fs::write(out.join("functions.rs"), table).unwrap();
    let wrappers_path = out.join("wrappers.c");
    write_if_changed(&wrappers_path, &wrappers);

    let names: Vec<&String> = functions.keys().chain(&variables).collect();
    write_names(&names, &out.join("symbols.list"), &include.join("rubellite.ld"));
    println!("cargo:symbols={}", out.join("symbols.list").display());
    println!("cargo:include={}", root.join("include").display());
    compile(&[include, root.join("shim")], &shim, &wrappers_path);
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static:+whole-archive=rubellite_shim");
}

/// The names of the interface as the linker takes them: what the runtime exports, and what probes of extconf.rb are
/// linked against, which has the names and nothing behind them.
fn write_names(names: &[&String], exported: &Path, provided: &Path) {
    let mut symbols = String::from("{\n");
    let mut script = String::from("/* The names of the interface, for probes that are linked and not run. */\n");
    for name in names {
        writeln!(symbols, "  {name};").unwrap();
        writeln!(script, "PROVIDE({name} = 0);").unwrap();
    }
    symbols.push_str("};\n");
    write_if_changed(exported, &symbols);
    write_if_changed(provided, &script);
}

/// Compiles the shim into a library, which the crate links whole.
fn compile(include: &[PathBuf], shim: &[PathBuf], wrappers: &Path) {
    let mut build = cc::Build::new();
    build.includes(include).files(shim).file(wrappers).std("gnu11").opt_level(2).cargo_metadata(false);
    build
        .flag("-Wall")
        .flag("-Wextra")
        .flag("-Wno-unused-parameter")
        .flag("-Wno-clobbered")
        .flag("-fno-strict-aliasing")
        .flag("-fexceptions");
    build.compile("rubellite_shim");
}

fn write_if_changed(path: &Path, text: &str) {
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        fs::write(path, text).unwrap();
    }
}

fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The text of a file in C; parameters that go on behind a comma, in an indented line, are on their function's line.
fn read_c(path: &Path) -> String {
    fs::read_to_string(path).unwrap().replace(",\n    ", ", ")
}

/// Whether the name belongs to the interface.
fn is_ours(name: &str) -> bool {
    ["rb_", "ruby_", "rbl_"].iter().any(|prefix| name.starts_with(prefix))
}

fn read_header(text: &str, functions: &mut BTreeMap<String, Function>, variables: &mut BTreeSet<String>) {
    for line in text.lines() {
        let leaves = line.starts_with("RBL_NORETURN ");
        let line = line.strip_prefix("RBL_NORETURN ").unwrap_or(line);
        if let Some(variable) = line.strip_prefix("extern ").and_then(|rest| rest.strip_suffix(';')) {
            let name = variable.split('[').next().unwrap().rsplit([' ', '*']).next().unwrap();
            if is_ours(name) {
                variables.insert(name.to_string());
            }
            continue;
        }
        let skip = ["typedef", "static", "#", " ", "}", "extern", "struct {"].iter().any(|word| line.starts_with(word));
        let Some(body) = line.strip_suffix(");").filter(|_| !skip) else { continue };
        let Some((head, args)) = body.split_once('(') else { continue };
        let at = head.rfind([' ', '*']).map_or(0, |at| at + 1);
        let (result, name) = head.split_at(at);
        if !is_ours(name) || result.is_empty() {
            continue;
        }
        let mut args = split_args(args);
        let variadic = args.last().is_some_and(|arg| arg == "...");
        if args == ["void"] {
            args.clear();
        }
        functions.insert(
            name.to_string(),
            Function { result: result.trim().to_string(), name: name.to_string(), args, variadic, leaves },
        );
    }
}

/// Arguments between commas that are not inside parentheses.
fn split_args(text: &str) -> Vec<String> {
    let (mut args, mut depth, mut current) = (Vec::new(), 0, String::new());
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                args.push(std::mem::take(&mut current).trim().to_string());
                continue;
            }
            _ => {}
        }
        current.push(c);
    }
    args.push(current.trim().to_string());
    args
}

/// Functions whose definition begins a line.
fn defined_in_c(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (i, line) in lines.iter().enumerate() {
        let starts = line.starts_with(|c: char| c.is_ascii_alphabetic());
        let opens =
            lines.get(i + 1).is_some_and(|next| next.starts_with('{')) || line.ends_with('{') || line.ends_with('}');
        if !starts || !opens || line.starts_with("static") {
            continue;
        }
        let Some((head, _)) = line.split_once('(') else { continue };
        let name = head.rsplit([' ', '*']).next().unwrap();
        if is_ours(name) {
            names.push(name.to_string());
        }
    }
    names
}

fn defined_in_rust(text: &str) -> Vec<String> {
    let starts = text.lines().filter_map(|line| line.trim_start().split("fn rbl_").nth(1));
    starts.filter_map(|rest| rest.split(['(', '<']).next()).map(|name| format!("rbl_{name}")).collect()
}

fn read_sends(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| line.split_once(' ').unwrap())
        .map(|(name, method)| (name.to_string(), method.trim().to_string()))
        .collect()
}

/// The declaration of argument `i`.
fn declare(arg: &str, i: usize) -> String {
    match arg.find("(*") {
        Some(at) => format!("{}a{i}{}", &arg[..at + 2], &arg[at + 2..]),
        None => format!("{arg} a{i}"),
    }
}

fn signature(function: &Function) -> String {
    let args: Vec<String> = function
        .args
        .iter()
        .enumerate()
        .map(|(i, arg)| if arg == "..." { arg.clone() } else { declare(arg, i) })
        .collect();
    let args = if args.is_empty() { "void".to_string() } else { args.join(", ") };
    format!("{} ({})({args})", function.result, function.name)
}

fn passed(function: &Function) -> String {
    (0..function.args.len()).map(|i| format!("a{i}, ")).collect()
}

fn wrap(text: &mut String, function: &Function, rust: &str) {
    let declared: Vec<String> = function.args.iter().enumerate().map(|(i, arg)| declare(arg, i)).collect();
    let separator = if declared.is_empty() { "" } else { ", " };
    let result =
        if function.result == "void" { "void".to_string() } else { function.result.replace("const VALUE", "VALUE") };
    writeln!(text, "int {rust}({}{separator}{result} *out);", declared.join(", ")).unwrap();
    if function.leaves {
        writeln!(text, "{} {{ {rust}({}0); rbl_jump(); }}", signature(function), passed(function)).unwrap();
    } else if function.result == "void" {
        writeln!(text, "{} {{ if ({rust}({}0)) rbl_jump(); }}", signature(function), passed(function)).unwrap();
    } else {
        writeln!(
            text,
            "{} {{ {result} out; if ({rust}({}&out)) rbl_jump(); return out; }}",
            signature(function),
            passed(function)
        )
        .unwrap();
    }
}

fn send(text: &mut String, function: &Function, method: &str) {
    let mut words = method.split(' ');
    let method = words.next().unwrap();
    let check = match (words.next(), words.next()) {
        (Some(class), Some(name)) => format!("MUST_BE(a0, \"{class}\", \"{name}\"); "),
        _ => String::new(),
    };
    let rest: String = (1..function.args.len()).map(|i| format!("a{i}, ")).collect();
    let count = function.args.len() - 1;
    let list = if count == 0 { "0".to_string() } else { format!("(VALUE[]){{{}}}", rest.trim_end_matches(", ")) };
    let call = format!("rbl_own(a0, id, {count}, {list}, 0)");
    let call = match function.result.as_str() {
        "void" => format!("{call};"),
        "VALUE" => format!("return {call};"),
        "int" | "bool" => format!("return RTEST({call});"),
        other => panic!("{}: no way to give a {other}", function.name),
    };
    writeln!(
        text,
        "{} {{ {check}static ID id; if (!id) id = rb_intern2(\"{method}\", {}); {call} }}",
        signature(function),
        method.len()
    )
    .unwrap();
}

fn stub(text: &mut String, function: &Function) {
    writeln!(text, "{} {{ rbl_unimplemented(\"{}\"); }}", signature(function), function.name).unwrap();
}

//! Running a program: what the options set, finding and compiling the source, the end.

use super::options::Options;
use rubellite_bytecode::ISeqKind;
use rubellite_compiler::{CommandLine, ErrorLevel, Program};
use rubellite_core_io::{file, last_line};
use rubellite_core_lock::{races, report, trace};
use rubellite_core_object::runtime::constants::set_engine;
use rubellite_core_process::attach::profile;
use rubellite_core_process::program;
use rubellite_core_process::{crash, exit, signal};
use rubellite_core_thread::schedule;
use rubellite_core_thread::schedule::Plan;
use rubellite_vm::complain;
use rubellite_vm::placement::with_placed_stack;
use rubellite_vm::warning::Category;
use rubellite_vm::{Ctx, Encoding, Result, Value, VmConfig};
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// The program's text and where it came from.
struct Source {
    text: Vec<u8>,
    name: Vec<u8>,
    from_stdin: bool,
}

/// Runs the program. Returns the exit status; a death by signal does not return.
pub fn run(options: Options, name: &[u8]) -> i32 {
    let config = VmConfig { hash_seed: options.schedule.map(Plan::hash_seed), ..VmConfig::default() };
    let config = super::jit::configure(config, &options);
    let (_vm, mut ctx) = match rubellite::boot(config) {
        Ok(made) => made,
        Err(error) => {
            complain!("rubellite: {error}");
            return 1;
        }
    };
    let ctx = &mut *ctx;
    signal::install_defaults(ctx);
    crash::install(ctx);
    let end = match with_placed_stack(|| start(ctx, options, name)) {
        Ok(Some(status)) => exit::End::Status(status),
        Ok(None) => exit::finish(ctx, Ok(()), program::report),
        Err(unwind) => exit::finish(ctx, Err(unwind), program::report),
    };
    super::jit::report(ctx);
    match end {
        exit::End::Status(0) if races::any_found(ctx) => std::process::exit(1),
        exit::End::Status(status) => std::process::exit(status & 0xff),
        exit::End::Signal(signal) => {
            signal::die(signal);
            std::process::exit(128 + signal)
        }
    }
}

/// Everything up to the end of the main script. `Some(status)`: nothing was run.
fn start(ctx: &mut Ctx, mut options: Options, name: &[u8]) -> Result<Option<i32>> {
    for warning in &options.warnings {
        complain!("{}: {warning}", String::from_utf8_lossy(name));
    }
    for dir in options.directories.clone() {
        if std::env::set_current_dir(std::ffi::OsStr::from_bytes(&dir)).is_err() {
            return fail(name, &format!("Can't chdir to {}", String::from_utf8_lossy(&dir)), "fatal");
        }
    }
    if shows_and_ends(ctx, &options) {
        return Ok(Some(0));
    }
    let source = match find_source(&mut options, name) {
        Ok(source) => source,
        Err(message) => {
            let status = fail(name, &message, "LoadError");
            if let Some(command) = message.strip_prefix("No such file or directory -- ").and_then(super::command::meant)
            {
                complain!("Did you mean the subcommand?  rubellite {command}");
            }
            return status;
        }
    };
    if options.scripts.is_empty()
        && let Err(message) = options.read_shebang(&source.text)
    {
        return fail(name, &message, "RuntimeError");
    }
    // The script's own `#!` line may have asked for them.
    if options.switches
        && let Err(message) = program::take_switches(ctx, &mut options.arguments)
    {
        return fail(name, &message, "NameError");
    }
    if let Err(message) = apply(ctx, &mut options) {
        return fail(name, &message, "RuntimeError");
    }
    let engine = options.engine.clone().or_else(|| std::env::var("RUBELLITE_ENGINE").ok());
    if let Some(engine) = engine.filter(|name| !name.is_empty() && name.is_ascii()) {
        set_engine(ctx, &engine)?;
    }
    if options.source_encoding.is_some() && ctx.vm().verbose.get() == Value::TRUE {
        let name = String::from_utf8_lossy(name);
        complain!("{name}: warning: -K is specified; it is for 1.8 compatibility and may cause odd behavior");
    }
    prepare(ctx, &options, &source)?;
    if let Err(message) = start_tools(ctx, &mut options, name) {
        return fail(name, &message, "RuntimeError");
    }
    // What only shows the program runs nothing.
    let shown = options.check || !options.dump.is_empty();
    for library in options.require.iter().filter(|_| !shown) {
        let text = program::text(ctx, library);
        let main = ctx.vm().main_object.get();
        ctx.call_name(main, "require", &[text])?;
    }
    run_main(ctx, &options, &source, name)
}

/// What is asked of the command itself, and not of a program. True: that was all.
fn shows_and_ends(ctx: &mut Ctx, options: &Options) -> bool {
    if options.version || options.show_version {
        super::print(&format!("{}\n", program::constant_text(ctx, "RUBY_DESCRIPTION")));
        if options.version {
            return true;
        }
    }
    if options.capi {
        for (name, done) in rubellite_cext::FUNCTIONS {
            super::print(&format!("{name}\t{}\n", if *done { "implemented" } else { "raises NotImplementedError" }));
        }
        return true;
    }
    if options.copyright {
        super::print(&format!("{}\n", program::constant_text(ctx, "RUBY_COPYRIGHT")));
        return true;
    }
    (options.show_version || options.verbose) && options.scripts.is_empty() && options.file.is_none()
}

/// What the program finds: its name, its arguments, its libraries.
fn prepare(ctx: &mut Ctx, options: &Options, source: &Source) -> Result<()> {
    program::set_name(ctx, &source.name);
    program::set_arguments(ctx, &options.arguments);
    program::set_load_path(ctx, &options.include)?;
    let helps = |feature: &str| !options.is_disabled(feature) && !options.is_disabled("gems");
    if !options.is_disabled("gems") {
        let helpers = [
            ("error_highlight", "error_highlight"),
            ("did_you_mean", "did_you_mean"),
            ("syntax_suggest", "syntax_suggest/core_ext"),
        ];
        let helpers: Vec<&str> =
            helpers.into_iter().filter(|(name, _)| helps(name)).map(|(_, feature)| feature).collect();
        program::announce_gems(ctx, &helpers)?;
    }
    rubellite_stdlib::announce_error_helpers(
        ctx,
        helps("error_highlight"),
        helps("did_you_mean"),
        helps("syntax_suggest"),
    )
}

/// What watches the program. Errors: a message.
fn start_tools(ctx: &mut Ctx, options: &mut Options, name: &[u8]) -> std::result::Result<(), String> {
    rubellite::stress_from_environment(ctx);
    if let Some(plan) = options.schedule.take() {
        schedule::start(ctx, plan);
    }
    if let Some(suppress) = &options.races {
        races::start(ctx, suppress.as_deref())?;
    }
    // The name of the file says what is written: a page is the lock report's.
    let (page, trace) = options
        .trace_lock
        .as_ref()
        .map_or((None, None), |path| if is_page(path) { (Some(path), None) } else { (None, Some(path)) });
    if let Some(path) = trace
        && let Err(error) = trace::start(ctx, std::path::Path::new(path))
    {
        return Err(format!("{} -- {path}", report::system_text(&error)));
    }
    if page.is_some() && options.lock_report.as_ref().is_some_and(Option::is_some) {
        return Err("--trace-lock and --lock-report both name a page".into());
    }
    if let Some(page) = page.map(|page| Some(page.clone())).or(options.lock_report.clone()) {
        report::start(ctx, page.as_deref())?;
    } else if let Some(page) = report::from_environment() {
        // The environment is not the program's: it runs, whatever is wrong with the report.
        if let Err(reason) = report::start(ctx, page.as_deref()) {
            complain!("{}: warning: RUBELLITE_LOCK_REPORT: {reason}", String::from_utf8_lossy(name));
        }
    }
    if let Some((rate, path)) = &options.profile_to {
        profile::start(ctx, std::path::Path::new(path), *rate)?;
    }
    Ok(())
}

fn is_page(path: &str) -> bool {
    path.ends_with(".html") || path.ends_with(".htm")
}

fn fail(name: &[u8], message: &str, class: &str) -> Result<Option<i32>> {
    complain!("{}: {message} ({class})", String::from_utf8_lossy(name));
    Ok(Some(1))
}

fn find_source(options: &mut Options, name: &[u8]) -> std::result::Result<Source, String> {
    if !options.scripts.is_empty() {
        let mut text = options.scripts.join(&b'\n');
        text.push(b'\n');
        return Ok(Source { text, name: b"-e".to_vec(), from_stdin: false });
    }
    let path = match options.file.clone() {
        Some(path) if path != b"-" && !path.is_empty() => path,
        _ => {
            let mut text = Vec::new();
            std::io::stdin().read_to_end(&mut text).map_err(|e| e.to_string())?;
            return Ok(Source { text, name: b"-".to_vec(), from_stdin: true });
        }
    };
    let warns = (options.level == Some(2)).then_some(name);
    let path = if options.search_path { search(&path, warns) } else { path };
    let shown = String::from_utf8_lossy(&path).into_owned();
    match std::fs::read(std::ffi::OsStr::from_bytes(&path)) {
        Ok(text) => Ok(Source { text, name: path, from_stdin: false }),
        Err(error) => {
            let text = rubellite_core_object::errno::text(error.raw_os_error().unwrap_or(0));
            Err(format!("{text} -- {shown}"))
        }
    }
}

/// Longer paths than this are no paths.
const PATH_MAX: usize = 4096;

/// `-S`: the file in RUBYPATH, among the programs of Ruby's library, or in PATH, unless it is there as it is. A `~` at
/// the begin of a directory is HOME. `warns`: the name of the command, which complains of paths that are too long.
fn search(path: &[u8], warns: Option<&[u8]>) -> Vec<u8> {
    if path.contains(&b'/') || file_exists(path) {
        return path.to_vec();
    }
    let complain = |dir: &[u8]| {
        let Some(name) = warns else { return };
        let [name, dir, file] = [name, dir, path].map(String::from_utf8_lossy);
        complain!("{name}: warning: openpath: pathname too long (ignored)\n\tDirectory \"{dir}\"\n\tFile \"{file}\"");
    };
    let listed = |variable: &str| std::env::var_os(variable).unwrap_or_default().into_vec();
    let split = |list: Vec<u8>| list.split(|b| *b == b':').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let own = program::library_programs().map(|dir| dir.into_os_string().into_vec());
    let dirs = split(listed("RUBYPATH")).into_iter().chain(own).chain(split(listed("PATH")));
    for dir in dirs {
        let full = match dir.strip_prefix(b"~") {
            Some(rest) if rest.is_empty() || rest.starts_with(b"/") => [&listed("HOME")[..], rest, b"/", path].concat(),
            _ => [&dir[..], b"/", path].concat(),
        };
        if full.len() >= PATH_MAX {
            complain(&dir);
        } else if file_exists(&full) {
            return full;
        }
    }
    path.to_vec()
}

fn file_exists(path: &[u8]) -> bool {
    std::path::Path::new(std::ffi::OsStr::from_bytes(path)).is_file()
}

/// Sets what the options say, before any Ruby code of the program runs.
fn apply(ctx: &mut Ctx, options: &mut Options) -> std::result::Result<(), String> {
    match options.level {
        Some(0) => ctx.vm().verbose.set(Value::NIL),
        Some(1) => ctx.vm().verbose.set(Value::FALSE),
        Some(_) => ctx.vm().verbose.set(Value::TRUE),
        None => {}
    }
    if options.level == Some(2) {
        ctx.switch_category(Category::Deprecated, true);
    }
    if options.level == Some(0) {
        ctx.switch_category(Category::Deprecated, false);
        ctx.switch_category(Category::Experimental, false);
    }
    for (category, on) in &options.categories {
        ctx.switch_category(*category, *on);
    }
    if let Some(levels) = options.backtrace_limit {
        program::limit_backtraces(ctx, levels);
    }
    if options.debug {
        ctx.vm().debug.set(Value::TRUE);
        ctx.vm().verbose.set(Value::TRUE);
    }
    for (which, name) in [("default_external", &options.external), ("default_internal", &options.internal)] {
        if let Some(name) = name
            && !program::set_default_encoding(ctx, which, name)
        {
            return Err(format!("unknown encoding name - {name}"));
        }
    }
    if options.internal.is_some() {
        program::convert_standard_streams(ctx);
    }
    ctx.set_frozen_string_literal_default(options.frozen_string_literal);
    ctx.set_notes_literals(options.note_literals);
    apply_line_switches(ctx, options);
    Ok(())
}

/// `-0 -F -l -n -p -a -i`
fn apply_line_switches(ctx: &mut Ctx, options: &Options) {
    if let Some(separator) = &options.record_separator {
        let value = match separator {
            Some(bytes) => program::text(ctx, bytes),
            None => Value::NIL,
        };
        program::set_global(ctx, "$/", value);
    }
    if let Some(pattern) = &options.field_separator {
        let source = program::text(ctx, pattern);
        let class = ctx.classes().regexp.get();
        let new = ctx.names().new;
        match ctx.call(class, new, &[source]) {
            Ok(regexp) => program::set_global(ctx, "$;", regexp),
            Err(_) => ctx.clear_pending(),
        }
    }
    if options.chomp {
        let separator = program::text(ctx, b"\n");
        program::set_global(ctx, "$\\", separator);
    }
    if options.loop_lines && last_line::define(ctx).is_err() {
        ctx.clear_pending();
    }
    for (name, on) in [("$-p", options.print_lines), ("$-l", options.chomp), ("$-a", options.split)] {
        program::set_global(ctx, name, Value::from_bool(on));
    }
    if let Some(extension) = &options.in_place {
        let text = program::text(ctx, extension);
        let argf = ctx.error_class("Object");
        let name = ctx.intern("ARGF");
        let set = ctx.const_get(argf, name, false).and_then(|argf| ctx.call_name(argf, "inplace_mode=", &[text]));
        if set.is_err() {
            ctx.clear_pending();
        }
    }
}

/// None: what is wrong with a program that is only checked has been told.
fn compile(ctx: &mut Ctx, options: &Options, source: &Source, command: &[u8]) -> Result<Option<Program>> {
    let name = String::from_utf8_lossy(&source.name).into_owned();
    let compile_options = rubellite_compiler::Options {
        path: &name,
        kind: ISeqKind::Main,
        frozen_string_literal: options.frozen_string_literal,
        note_literals: options.note_literals,
        encoding: options.source_encoding.and_then(|name| Encoding::find(name.as_bytes())).unwrap_or(Encoding::UTF_8),
        verbose: ctx.vm().verbose.get() == Value::TRUE,
        stack_bytes: ctx.native_stack_left(),
        command_line: CommandLine {
            split: options.split,
            execute: !options.scripts.is_empty(),
            chomp: options.chomp,
            each_line: options.loop_lines,
            print: options.print_lines,
            skip_to_shebang: options.skip_to_shebang && options.scripts.is_empty(),
        },
        ..rubellite_compiler::Options::default()
    };
    match rubellite_compiler::compile(&source.text, &compile_options) {
        Ok(program) => {
            rubellite_corelib::give_warnings(ctx, &program.warnings, &name)?;
            rubellite_corelib::check_regexps(ctx, &program.iseq)?;
            Ok(Some(program))
        }
        Err(error) if options.check && matches!(error.level, ErrorLevel::Syntax | ErrorLevel::Code) => {
            let (first, rest) = error.message.split_once('\n').unwrap_or((&error.message, ""));
            complain!("{}: {first} (SyntaxError)\n{rest}", String::from_utf8_lossy(command));
            Ok(None)
        }
        Err(error) => {
            let class = match error.level {
                ErrorLevel::Syntax | ErrorLevel::Code => "SyntaxError",
                ErrorLevel::Argument => "ArgumentError",
                ErrorLevel::Load => "LoadError",
                ErrorLevel::Memory => "NoMemoryError",
            };
            let class = ctx.error_class(class);
            let exception = rubellite_corelib::refusal_of(ctx, class, &error.message, &name);
            Err(ctx.raise(exception))
        }
    }
}

fn run_main(ctx: &mut Ctx, options: &Options, source: &Source, name: &[u8]) -> Result<Option<i32>> {
    let Some(compiled) = compile(ctx, options, source, name)? else { return Ok(Some(1)) };
    if options.check || options.dump.iter().any(|d| d == "syntax") {
        super::print("Syntax OK\n");
        return Ok(Some(0));
    }
    let mut dumped = false;
    for what in &options.dump {
        dumped |= dump(what, &compiled);
    }
    if dumped {
        return Ok(Some(0));
    }
    if let Some(offset) = compiled.data_offset {
        let rest = source.from_stdin.then(|| &source.text[offset.min(source.text.len())..]);
        let path = file::path::expand(ctx, &source.name, None, false)?;
        program::define_data(ctx, &path, &source.name, offset, rest)?;
    }
    rubellite_core_object::exception::backtrace::note_real_path(&compiled.iseq.script);
    ctx.trace_script(&compiled.iseq, None)?;
    ctx.run_toplevel(compiled.iseq, None)?;
    Ok(None)
}

/// Shows the program in a way; false: it is not known.
fn dump(what: &str, compiled: &Program) -> bool {
    match what {
        "insns" => super::print(&rubellite_bytecode::disassemble(&compiled.iseq)),
        // The parser tells nothing of its steps.
        "yydebug" => {}
        _ => {
            complain!("rubellite: warning: don't know how to dump '{what}',");
            complain!("rubellite: warning: but only [version, copyright, usage, help, yydebug, syntax, insns].");
            return false;
        }
    }
    true
}

//! Texts of `-h`, `--help`, `--version` and `--copyright`.

use super::command::COMMANDS;
use super::options::Options;

/// Options in the order of the help: switch, text, shown by `-h` too.
const SWITCHES: &[(&str, &str, bool)] = &[
    ("-0[octal]", "Set input record separator ($/)", true),
    ("-a", "Split each input line ($_) into fields ($F)", true),
    ("-c", "Check syntax (no execution)", true),
    ("-Cdirpath", "Execute program in specified directory", true),
    ("-d", "Set debugging flag ($DEBUG) to true", true),
    ("-e 'code'", "Execute given Ruby code; multiple -e allowed", true),
    ("-Eex[:in]", "Set default external and internal encodings", true),
    ("-Fpattern", "Set input field separator ($;); used with -a", true),
    ("-h", "Print short help message; use --help for the long one", true),
    ("-i[extension]", "Set ARGF in-place mode", true),
    ("-Idirpath", "Add specified directory to load paths ($LOAD_PATH)", true),
    ("-l", "Set output record separator ($\\) to $/", true),
    ("-n", "Run program in gets loop", true),
    ("-p", "Like -n, with printing added", true),
    ("-rlibrary", "Require the given library", true),
    ("-s", "Define global variables using switches following program path", true),
    ("-S", "Search directories found in the PATH environment variable", true),
    ("-v", "Print version; set $VERBOSE to true", true),
    ("-w", "Synonym for -W1", true),
    ("-W[level=2|:category]", "Set warning flag ($-W): 0 silent, 1 moderate, 2 verbose", true),
    ("-x[dirpath]", "Execute Ruby code starting from a #!ruby line", true),
    ("--backtrace-limit=num", "Set backtrace limit", false),
    ("--capi", "List the functions of the C interface, and which of them are implemented", false),
    ("--copyright", "Print copyright", false),
    ("--disable=features", "Disable features (gems, rubyopt, frozen-string-literal, ...)", false),
    ("--dump=insns", "Print the bytecode of the program", false),
    ("--dump=asm", "Run the program and print the machine code of what is compiled", false),
    ("--enable=features", "Enable features", false),
    ("--engine=name", "Set RUBY_ENGINE, by which gems choose (ruby; also by the variable RUBELLITE_ENGINE)", false),
    ("--external-encoding=encoding", "Set default external encoding", false),
    ("--help", "Print long help message; use -h for short message", false),
    ("--internal-encoding=encoding", "Set default internal encoding", false),
    ("--jit[=words]", "Compile hot code; words: on, off, threshold=N, mem=MB, stats (also in RUBELLITE_JIT)", false),
    ("--jit-mem=mb", "Megabytes of machine code at most", false),
    ("--jit-stats", "Print what was compiled, and where compiled code was left", false),
    ("--jit-threshold=n", "Compile methods after so many calls", false),
    (
        "--lock-report[=file.html]",
        "At the end tell which threads waited for the VM lock, and which lines held it",
        false,
    ),
    (
        "--races[=file]",
        "Tell where threads touch a variable and nothing orders them (see also: rubellite races)",
        false,
    ),
    (
        "--schedule=seed",
        "Fix every thread switch: the same seed, the same interleaving (see also: rubellite explore)",
        false,
    ),
    (
        "--trace-lock=file",
        "Write who held the VM lock when, and why it changed hands, for Perfetto or chrome://tracing; into file.html the lock report",
        false,
    ),
    ("--verbose", "Set $VERBOSE to true; ignore input from $stdin", false),
    ("--version", "Print version", false),
];

fn usage(name: &[u8], long: bool) -> String {
    let mut text = format!("Usage: {} [options] [--] [filepath] [arguments]\n", String::from_utf8_lossy(name));
    for (switch, meaning, short) in SWITCHES {
        if *short || long {
            let gap = if switch.len() > 14 { format!("\n{:18}", "") } else { format!("{:1$}", "", 16 - switch.len()) };
            text.push_str(&format!("  {switch}{gap}{meaning}\n"));
        }
    }
    text.push_str("\nSubcommands, each with --help:\n");
    COMMANDS.iter().for_each(|command| text.push_str(&format!("  rubellite {:10}{}\n", command.name, command.summary)));
    text
}

/// What is printed instead of running a program.
pub fn immediate(options: &Options, name: &[u8]) -> Option<String> {
    if options.help || options.long_help {
        return Some(usage(name, options.long_help));
    }
    None
}

//! Options of the command line, of RUBYOPT and of a script's first line.

use rubellite_core_process::attach::RATE_MAX;
use rubellite_core_thread::schedule::Plan;
use rubellite_vm::warning::Category;

/// A setting of the warning level: 0 silent, 1 moderate, 2 verbose.
pub type Level = u8;

#[derive(Clone, Default, Debug)]
pub struct Options {
    /// `-e`, each a line.
    pub scripts: Vec<Vec<u8>>,
    /// The program file; `-` is standard input.
    pub file: Option<Vec<u8>>,
    pub arguments: Vec<Vec<u8>>,
    pub include: Vec<Vec<u8>>,
    pub require: Vec<Vec<u8>>,
    pub directories: Vec<Vec<u8>>,
    pub check: bool,
    pub debug: bool,
    pub level: Option<Level>,
    /// `-W:category`, `-W:no-category`
    pub categories: Vec<(Category, bool)>,
    /// `-v`: print the version first.
    pub show_version: bool,
    /// `--verbose`
    pub verbose: bool,
    pub loop_lines: bool,
    pub print_lines: bool,
    pub chomp: bool,
    pub split: bool,
    pub field_separator: Option<Vec<u8>>,
    pub in_place: Option<Vec<u8>>,
    /// `-0`: the record separator; `Some(None)`: none (`-0777`).
    pub record_separator: Option<Option<Vec<u8>>>,
    pub skip_to_shebang: bool,
    pub search_path: bool,
    /// `-s`
    pub switches: bool,
    pub external: Option<String>,
    pub internal: Option<String>,
    /// `-K`: the encoding of the program itself.
    pub source_encoding: Option<&'static str>,
    pub dump: Vec<String>,
    pub frozen_string_literal: Option<bool>,
    /// String literals note where they were made.
    pub note_literals: bool,
    pub backtrace_limit: Option<i64>,
    /// `--schedule=SEED[,SWITCHES]`
    pub schedule: Option<Plan>,
    /// `--trace-lock=FILE`
    pub trace_lock: Option<String>,
    /// `--engine=NAME`: RUBY_ENGINE.
    pub engine: Option<String>,
    /// `--lock-report[=FILE.html]`
    pub lock_report: Option<Option<String>>,
    /// `--races[=FILE]`: a file of races that are not reported.
    pub races: Option<Option<String>>,
    /// `--profile-to=LOOKS:SOCKET`: how `record` starts programs.
    pub profile_to: Option<(f64, String)>,
    /// Words of switches of the JIT.
    pub jit: Vec<String>,
    pub disabled: Vec<String>,
    /// Features that the command line enables, whatever RUBYOPT says.
    pub enabled: Vec<String>,
    pub version: bool,
    pub copyright: bool,
    /// `--capi`
    pub capi: bool,
    pub help: bool,
    pub long_help: bool,
    /// Messages about options that are read but unknown in detail.
    pub warnings: Vec<String>,
}

/// Where options stand; some are allowed in some places only.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Place {
    CommandLine,
    Environment,
    Script,
}

/// Options with a value that other Rubies do not have.
const OWN: [&str; 4] = ["engine", "profile-to", "schedule", "trace-lock"];

const FEATURES: [&str; 8] =
    ["gems", "error_highlight", "did_you_mean", "syntax_suggest", "rubyopt", "frozen_string_literal", "jit", "yjit"];

impl Options {
    /// Reads the command line; `args[0]` is the program.
    pub fn parse(args: &[Vec<u8>]) -> Result<Options, String> {
        let mut options = Options::default();
        let rest = options.read(&args[1.min(args.len())..], Place::CommandLine)?;
        let mut rest = rest.into_iter();
        if options.scripts.is_empty() {
            options.file = rest.next();
        }
        options.arguments = rest.collect();
        if !options.is_disabled("rubyopt") {
            options.read_environment()?;
        }
        Ok(options)
    }

    pub fn is_disabled(&self, feature: &str) -> bool {
        self.disabled.iter().any(|f| f == feature)
    }

    fn read_environment(&mut self) -> Result<(), String> {
        let Some(text) = std::env::var_os("RUBYOPT") else { return Ok(()) };
        let text = std::os::unix::ffi::OsStringExt::into_vec(text);
        let mut words = split_words(&text);
        // The first word may lack its dash.
        if let Some(word) = words.first_mut().filter(|word| !word.starts_with(b"-")) {
            word.insert(0, b'-');
        }
        let mut first = Options::default();
        first.read(&words, Place::Environment)?;
        // What the command line says wins; what it names comes first.
        self.include.append(&mut first.include);
        self.require.append(&mut first.require);
        first.categories.append(&mut self.categories);
        self.categories = first.categories;
        self.level = self.level.or(first.level);
        self.debug |= first.debug;
        self.show_version |= first.show_version;
        self.external = self.external.take().or(first.external);
        self.internal = self.internal.take().or(first.internal);
        self.source_encoding = self.source_encoding.or(first.source_encoding);
        self.frozen_string_literal = self.frozen_string_literal.or(first.frozen_string_literal);
        self.note_literals |= first.note_literals;
        self.backtrace_limit = self.backtrace_limit.or(first.backtrace_limit);
        first.jit.append(&mut self.jit);
        self.jit = first.jit;
        let enabled = &self.enabled;
        self.disabled.extend(first.disabled.into_iter().filter(|feature| !enabled.contains(feature)));
        self.warnings.append(&mut first.warnings);
        Ok(())
    }

    /// Options on a script's `#!` line, when it names ruby.
    pub fn read_shebang(&mut self, source: &[u8]) -> Result<(), String> {
        let names_ruby = |line: &[u8]| {
            line.starts_with(b"#!") && (find(line, b"ruby").is_some() || find(line, b"rubellite").is_some())
        };
        // A line for another program: the one for Ruby comes later, as with -x.
        let first = source.split(|b| *b == b'\n').next().unwrap_or_default();
        self.skip_to_shebang |= first.len() > 2 && first.starts_with(b"#!") && !names_ruby(first);
        // With -x the line is the one at which the program begins.
        let begins = |line: &&[u8]| !self.skip_to_shebang || names_ruby(line);
        let line = source.split(|b| *b == b'\n').find(begins).unwrap_or_default();
        let Some(rest) = line.strip_prefix(b"#!") else { return Ok(()) };
        let Some(at) = find(rest, b"ruby").or_else(|| find(rest, b"rubellite")) else { return Ok(()) };
        let words = split_words(&rest[at..]);
        self.read(&words[1.min(words.len())..], Place::Script).map(|_| ())
    }

    /// Reads options up to the first word that is none; returns that word and what follows.
    fn read(&mut self, args: &[Vec<u8>], place: Place) -> Result<Vec<Vec<u8>>, String> {
        let mut i = 0;
        while i < args.len() {
            let arg = &args[i];
            if arg == b"--" {
                i += 1;
                break;
            }
            if let Some(long) = arg.strip_prefix(b"--") {
                i += 1;
                let long = String::from_utf8_lossy(long).into_owned();
                self.read_long(&long, args, &mut i, place)?;
                continue;
            }
            if arg.first() != Some(&b'-') || arg.len() == 1 {
                break;
            }
            i += 1;
            self.read_short(&arg[1..], args, &mut i, place)?;
        }
        Ok(args[i.min(args.len())..].to_vec())
    }

    fn read_long(&mut self, option: &str, args: &[Vec<u8>], i: &mut usize, place: Place) -> Result<(), String> {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (option, None),
        };
        if place == Place::Environment && ["capi", "copyright", "dump", "help", "version", "yydebug"].contains(&name) {
            return Err(format!("invalid switch in RUBYOPT: --{name}"));
        }
        let mut needed = |name: &str| match &value {
            Some(value) => Ok(value.clone()),
            None => {
                let next = args.get(*i).map(|v| String::from_utf8_lossy(v).into_owned());
                *i += 1;
                // What is taken for a value of an option that only this Ruby has looks like one.
                next.filter(|next| !OWN.contains(&name) || !next.starts_with('-') || next == "-")
                    .ok_or_else(|| format!("missing argument for --{name}"))
            }
        };
        if let Some(words) = super::jit::words(name, value.as_deref()) {
            super::jit::check(&words)?;
            self.jit.push(words);
            return Ok(());
        }
        match name {
            "version" => self.version = true,
            "capi" => self.capi = true,
            "copyright" => self.copyright = true,
            "verbose" => {
                self.verbose = true;
                self.level = Some(2);
            }
            "help" => self.long_help = true,
            "disable" => self.features(&needed(name)?, false),
            "enable" => self.features(&needed(name)?, true),
            "encoding" => self.encodings("--encoding", &needed(name)?)?,
            "external-encoding" => set_once("default_external", &mut self.external, &needed(name)?)?,
            "internal-encoding" => set_once("default_internal", &mut self.internal, &needed(name)?)?,
            "dump" => {
                let value = needed(name)?;
                let (asm, texts): (Vec<&str>, Vec<&str>) = value.split(',').partition(|word| *word == "asm");
                // The program runs: only code that is hot is compiled.
                self.jit.extend(asm.into_iter().map(str::to_string));
                self.dump.extend(texts.into_iter().map(str::to_string));
            }
            "backtrace-limit" => self.backtrace_limit = Some(backtrace_limit(&needed(name)?)?),
            "engine" => self.engine = Some(needed(name)?),
            "schedule" => self.schedule = Some(needed(name)?.parse()?),
            "trace-lock" => self.trace_lock = Some(needed(name)?),
            "lock-report" => self.lock_report = Some(value.clone()),
            "races" => self.races = Some(value.clone()),
            "profile-to" => self.profile_to = Some(profile_to(&needed(name)?)?),
            "parser" => known_parser(&needed(name)?)?,
            "crash-report" | "debug-level" => {
                needed(name)?;
            }
            "yydebug" => self.dump.push(name.to_string()),
            "debug" => self.debug(value.as_deref()),
            "debug-frozen-string-literal" => self.note_literals = true,
            "rjit" | "zjit" => {}
            _ => self.long_flag(name)?,
        }
        Ok(())
    }

    /// `--debug`; with a value it is about features, and not about the whole program.
    fn debug(&mut self, features: Option<&str>) {
        self.debug |= features.is_none();
        self.note_literals |= features.is_none_or(|list| {
            list.split(',')
                .map(|name| name.replace('_', "-"))
                .any(|name| name == "all" || name == "frozen-string-literal")
        });
    }

    /// `--enable-FEATURE`, `--disable-FEATURE`; switches of other Rubies' JIT compilers mean nothing here.
    fn long_flag(&mut self, name: &str) -> Result<(), String> {
        match name.split_once('-') {
            Some(("enable", feature)) => self.features(feature, true),
            Some(("disable", feature)) => self.features(feature, false),
            Some(("yjit" | "zjit" | "rjit", _)) => {}
            _ => return Err(format!("invalid option --{name}  (-h will show valid options)")),
        }
        Ok(())
    }

    /// `--enable`, `--disable`: features by their names or by what they alone begin with.
    fn features(&mut self, list: &str, on: bool) {
        for feature in list.split(',') {
            let name = feature.replace('-', "_");
            let begins: Vec<&str> = FEATURES.into_iter().filter(|known| known.starts_with(name.as_str())).collect();
            let chosen = match FEATURES.into_iter().find(|known| *known == name) {
                Some(known) => vec![known],
                None if name == "all" => FEATURES.to_vec(),
                None if begins.len() == 1 => begins,
                None => {
                    let (what, which) = (
                        if on { "enable" } else { "disable" },
                        if begins.is_empty() { "unknown" } else { "ambiguous" },
                    );
                    self.warnings.push(format!("warning: {which} argument for --{what}: '{feature}'"));
                    self.warnings.push(format!("warning: features are [{}].", FEATURES.join(", ")));
                    vec![]
                }
            };
            for name in chosen {
                match name {
                    "frozen_string_literal" => self.frozen_string_literal = Some(on),
                    // `all` does not mean what is no part of the language.
                    "jit" | "yjit" if list != "all" => self.jit.push(if on { "on" } else { "off" }.to_string()),
                    _ => {}
                }
                self.disabled.retain(|f| f != name);
                self.enabled.retain(|f| f != name);
                if on { &mut self.enabled } else { &mut self.disabled }.push(name.to_string());
            }
        }
    }

    /// `EXTERNAL:INTERNAL`, of which either may be empty.
    fn encodings(&mut self, option: &str, value: &str) -> Result<(), String> {
        let mut names = value.splitn(3, ':');
        let (external, internal) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
        if let Some(extra) = names.next() {
            return Err(format!("extra argument for {option}: {extra}"));
        }
        for (which, slot, name) in
            [("default_external", &mut self.external, external), ("default_internal", &mut self.internal, internal)]
        {
            if !name.is_empty() {
                set_once(which, slot, name)?;
            }
        }
        Ok(())
    }

    /// One word of bundled options.
    fn read_short(&mut self, word: &[u8], args: &[Vec<u8>], i: &mut usize, place: Place) -> Result<(), String> {
        let mut at = 0;
        while at < word.len() {
            let c = word[at];
            at += 1;
            let rest = &word[at..];
            if place == Place::Environment && !b"EIdvwWrKUT".contains(&c) {
                return Err(format!("invalid switch in RUBYOPT: -{}", c as char));
            }
            let mut value = |what: &str| {
                if rest.is_empty() {
                    let next = args.get(*i).cloned();
                    *i += 1;
                    next.ok_or_else(|| what.to_string())
                } else {
                    Ok(rest.to_vec())
                }
            };
            match c {
                b'e' | b'I' | b'r' | b'C' | b'X' | b'E' => return self.short_with_value(c, &mut value),
                b'F' => {
                    if !rest.is_empty() {
                        self.field_separator = Some(rest.to_vec());
                    }
                    return Ok(());
                }
                b'i' => {
                    self.in_place = Some(rest.to_vec());
                    return Ok(());
                }
                b'x' => {
                    self.skip_to_shebang = true;
                    if !rest.is_empty() {
                        self.directories.push(rest.to_vec());
                    }
                    return Ok(());
                }
                b'W' => {
                    let used = self.warning_level(rest);
                    at += used;
                }
                b'K' => {
                    self.kanji(rest.first().copied());
                    at += usize::from(!rest.is_empty());
                }
                b'0' => at += self.record_separator_digits(rest),
                _ => self.flag(c)?,
            }
        }
        Ok(())
    }

    /// A switch whose value is the rest of its word or the next one.
    fn short_with_value(
        &mut self,
        c: u8,
        value: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<(), String> {
        match c {
            b'e' => self.scripts.push(value("no code specified for -e")?),
            b'I' => {
                if let Ok(list) = value("") {
                    self.include.extend(list.split(|b| *b == b':').map(<[u8]>::to_vec));
                }
            }
            b'r' => self.require.extend(value("")),
            b'E' => {
                let list = value("missing argument for -E")?;
                self.encodings("-E", &String::from_utf8_lossy(&list))?;
            }
            _ => self.directories.push(value("Can't chdir")?),
        }
        Ok(())
    }

    fn flag(&mut self, c: u8) -> Result<(), String> {
        match c {
            b'c' => self.check = true,
            b'd' => self.debug = true,
            b'n' => self.loop_lines = true,
            b'p' => {
                self.loop_lines = true;
                self.print_lines = true;
            }
            b'l' => self.chomp = true,
            b'a' => self.split = true,
            b's' => self.switches = true,
            b'S' => self.search_path = true,
            b'U' => set_once("default_internal", &mut self.internal, "UTF-8")?,
            b'v' => {
                self.show_version = true;
                self.set_level(2);
            }
            b'w' => self.set_level(2),
            b'h' => self.help = true,
            b'y' => self.dump.push("yydebug".to_string()),
            b'\r' => {}
            _ => {
                let shown = if c.is_ascii_graphic() { (c as char).to_string() } else { format!("\\x{c:02X}") };
                return Err(format!("invalid option -{shown}  (-h will show valid options)"));
            }
        }
        Ok(())
    }

    /// `-W`, `-W0` to `-W2`, `-W:category`; returns the bytes used.
    fn warning_level(&mut self, rest: &[u8]) -> usize {
        match rest.first() {
            Some(b':') => {
                let category = String::from_utf8_lossy(&rest[1..]);
                let (name, on) = match category.strip_prefix("no-") {
                    Some(name) => (name, false),
                    None => (&*category, true),
                };
                match Category::named(name) {
                    Some(category) => self.categories.push((category, on)),
                    None => self.warnings.push(format!("warning: unknown warning category: '{name}'")),
                }
                rest.len()
            }
            Some(c @ b'0'..=b'7') => {
                self.set_level((c - b'0').min(2));
                1
            }
            _ => {
                self.set_level(2);
                0
            }
        }
    }

    /// A level sets categories, too, in the order of the switches.
    fn set_level(&mut self, level: Level) {
        self.level = Some(level);
        self.categories.push((Category::Deprecated, level == 2));
        self.categories.push((Category::Experimental, level > 0));
    }

    fn kanji(&mut self, code: Option<u8>) {
        let name = match code {
            Some(b'U' | b'u') => "UTF-8",
            Some(b'E' | b'e') => "EUC-JP",
            Some(b'S' | b's') => "Windows-31J",
            Some(b'N' | b'n' | b'A' | b'a') => "ASCII-8BIT",
            _ => return,
        };
        self.source_encoding = Some(name);
        self.external.get_or_insert_with(|| name.to_string());
    }

    /// `-0[octal]`; returns the bytes used.
    fn record_separator_digits(&mut self, rest: &[u8]) -> usize {
        let digits: Vec<u8> = rest.iter().copied().take_while(|b| (b'0'..=b'7').contains(b)).take(3).collect();
        let code = digits.iter().fold(0u32, |n, d| n * 8 + (d - b'0') as u32);
        self.record_separator = Some(match code {
            0 if !digits.is_empty() => Some(Vec::new()),
            0 => Some(vec![0]),
            0o400.. => None,
            code => Some(vec![code as u8]),
        });
        digits.len()
    }
}

/// An encoding may be named again, and no other.
fn set_once(which: &str, slot: &mut Option<String>, name: &str) -> Result<(), String> {
    match slot {
        Some(set) if !set.eq_ignore_ascii_case(name) => Err(format!("{which} already set to {set}")),
        Some(_) => Ok(()),
        None => {
            *slot = Some(name.to_string());
            Ok(())
        }
    }
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|w| w == word)
}

fn split_words(text: &[u8]) -> Vec<Vec<u8>> {
    text.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).map(<[u8]>::to_vec).collect()
}

/// There is one parser; both names of CRuby's are known.
fn known_parser(name: &str) -> Result<(), String> {
    if ["prism", "parse.y"].contains(&name) { Ok(()) } else { Err(format!("unknown parser {name}")) }
}

/// The value of `--backtrace-limit`; -1: none.
fn backtrace_limit(value: &str) -> Result<i64, String> {
    if value.is_empty() {
        return Err("missing argument for --backtrace-limit".to_string());
    }
    value.parse().ok().filter(|levels| *levels >= -1).ok_or_else(|| "wrong limit for backtrace length".to_string())
}

/// The value of `--profile-to`.
fn profile_to(value: &str) -> Result<(f64, String), String> {
    let split = value.split_once(':').and_then(|(rate, path)| Some((rate.parse().ok()?, path.to_string())));
    split
        .filter(|(rate, _)| (1.0..=RATE_MAX).contains(rate))
        .ok_or_else(|| format!("wrong value for --profile-to: {value}"))
}

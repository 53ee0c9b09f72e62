//! What `spawn`, `system`, `exec` and `popen` run: command, environment, redirections, options. Everything that may
//! allocate or raise happens here, in the parent; the child only makes system calls (`run_in_child`).

use rubellite_core_io::file::path::{get_path, to_cstring};
use rubellite_core_io::io::mode::{OpenMode, parse_mode_string};
use rubellite_core_io::io::{open, state};
use rubellite_core_object::errno;
use rubellite_vm::object::{Array, Hash, copied};
use rubellite_vm::{Args, Ctx, Result, Value};
use std::ffi::CString;

/// Where a descriptor of the child comes from.
enum Source {
    /// A descriptor of the parent.
    Parent(i32),
    /// A descriptor of the child, after the others are in place.
    Child(i32),
    Open {
        path: CString,
        flags: i32,
        perm: u32,
    },
    Close,
}

/// A process to be started.
#[derive(Default)]
pub struct Plan {
    /// Files to try, in order.
    programs: Vec<CString>,
    argv: Vec<CString>,
    /// "NAME=value"; none: the parent's.
    env: Option<Vec<CString>>,
    redirects: Vec<(i32, Source)>,
    chdir: Option<CString>,
    umask: Option<u32>,
    process_group: Option<i32>,
    user: Option<libc::uid_t>,
    group: Option<libc::gid_t>,
    unset_others: bool,
    /// The names of `ONCE` among the options.
    given: Vec<String>,
    /// Descriptors above 2 that are not redirected are closed.
    close_others: bool,
    /// The program was looked for in PATH: files that cannot be run do not count.
    searched: bool,
    limits: Vec<(u32, libc::rlimit)>,
    /// `exception:` of `system`.
    pub exception: Option<bool>,
    /// The command for messages.
    pub shown: String,
}

/// Characters that need a shell; so does `=` in the first word.
const SHELL_CHARACTERS: &[u8] = b"*?{}[]<>()~&|\\$;'`\"\n#";

/// Words that only a shell knows.
const SHELL_WORDS: &[&str] = &[
    "!", ".", ":", "break", "case", "continue", "do", "done", "elif", "else", "esac", "eval", "exec", "exit", "export",
    "fi", "for", "if", "in", "readonly", "return", "set", "shift", "then", "times", "trap", "unset", "until", "while",
];

/// Options that must not be given both with the command and beside it.
const ONCE: &[&str] = &["pgroup", "unsetenv_others", "chdir", "umask", "close_others", "uid", "gid", "exception"];

impl Plan {
    /// Reads `([env,] command..., [options])`, where one word is a line for the shell.
    pub fn parse(ctx: &mut Ctx, args: &[Value]) -> Result<Plan> {
        Plan::parse_with(ctx, args, true, None, None)
    }

    /// The same, with more options, of which those that are no business of a process are left out, and an environment
    /// in place of the arguments' own.
    pub fn parse_with(
        ctx: &mut Ctx,
        args: &[Value],
        line: bool,
        more: Option<Hash>,
        env: Option<Hash>,
    ) -> Result<Plan> {
        let mut plan = Plan::default();
        let (mut args, mut options, mut own_env) = (args, None, None);
        if let [rest @ .., last] = args {
            options = hash_arg(ctx, *last)?;
            args = if options.is_some() { rest } else { args };
        }
        if let [first, rest @ ..] = args {
            own_env = hash_arg(ctx, *first)?;
            args = if own_env.is_some() { rest } else { args };
        }
        let [first, words @ ..] = args else { return Err(ctx.arity_error(0, 1, None)) };
        let (program, name) = program_and_name(ctx, *first)?;
        let mut argv = vec![name.clone().unwrap_or_else(|| program.clone())];
        for word in words {
            argv.push(word_of(ctx, *word)?);
        }
        if let Some(options) = options {
            plan.read_options(ctx, options, false)?;
        }
        if let Some(more) = more {
            plan.read_options(ctx, more, true)?;
        }
        plan.read_env(ctx, env.or(own_env))?;
        plan.shown = program.to_string_lossy().into_owned();
        if line && argv.len() == 1 && name.is_none() {
            plan.read_line(ctx, program)?;
        } else {
            plan.argv = argv;
            plan.find_program(ctx, program.as_bytes())?;
        }
        Ok(plan)
    }

    fn read_env(&mut self, ctx: &mut Ctx, given: Option<Hash>) -> Result<()> {
        let unset_others = self.unset_others;
        if given.is_none() && !unset_others {
            return Ok(());
        }
        let mut all: Vec<(Vec<u8>, Vec<u8>)> = if unset_others { Vec::new() } else { crate::env::all() };
        if let Some(hash) = given {
            let entries = hash.keys_and_values(ctx);
            let mut i = 0;
            while let (Some(name), Some(value)) = (entries.get(i), entries.get(i + 1)) {
                i += 2;
                let name = ctx.to_str(name)?.bytes(ctx).to_vec();
                if name.contains(&b'=') {
                    let shown = String::from_utf8_lossy(&name).into_owned();
                    return Err(ctx.argument_error(&format!("environment name contains a equal : {shown}")));
                }
                to_cstring(ctx, &name)?;
                all.retain(|(n, _)| *n != name);
                if !value.is_nil() {
                    let value = ctx.to_str(value)?.bytes(ctx).to_vec();
                    to_cstring(ctx, &value)?;
                    all.push((name, value));
                }
            }
        }
        let mut list = Vec::new();
        for (name, value) in all {
            list.push(to_cstring(ctx, &[&name[..], b"=", &value].concat())?);
        }
        self.env = Some(list);
        Ok(())
    }

    /// One string: words, or a line for the shell.
    fn read_line(&mut self, ctx: &mut Ctx, script: CString) -> Result<()> {
        let line = script.as_bytes();
        let words: Vec<&[u8]> = line.split(|b| matches!(b, b' ' | b'\t')).filter(|w| !w.is_empty()).collect();
        if needs_shell(line, &words) {
            self.programs.push(c"/bin/sh".to_owned());
            self.argv = vec![c"sh".to_owned(), c"-c".to_owned(), script];
            return Ok(());
        }
        let Some(first) = words.first() else {
            self.shown.clear();
            self.programs.push(c"".to_owned());
            self.argv.push(c"".to_owned());
            return Ok(());
        };
        self.shown = String::from_utf8_lossy(first).into_owned();
        for word in &words {
            self.argv.push(to_cstring(ctx, word)?);
        }
        self.find_program(ctx, first)
    }

    /// The files that may be the program: itself with a slash, else one per directory of PATH.
    fn find_program(&mut self, ctx: &mut Ctx, program: &[u8]) -> Result<()> {
        if program.contains(&b'/') || program.is_empty() {
            self.programs.push(to_cstring(ctx, program)?);
            return Ok(());
        }
        self.searched = true;
        let own = self
            .env
            .as_ref()
            .and_then(|env| env.iter().find_map(|e| e.as_bytes().strip_prefix(b"PATH=").map(<[u8]>::to_vec)));
        let path = own
            .or_else(|| crate::env::lookup(c"PATH"))
            .unwrap_or_else(|| b"/usr/local/bin:/usr/ucb:/usr/bin:/bin:.".to_vec());
        for dir in path.split(|b| *b == b':') {
            let dir = if dir.is_empty() { &b"."[..] } else { dir };
            self.programs.push(to_cstring(ctx, &[dir, b"/", program].concat())?);
        }
        Ok(())
    }

    // -- options ------------------------------------------------------------------------------

    /// `lenient`: what no process has is somebody else's.
    fn read_options(&mut self, ctx: &mut Ctx, options: Hash, lenient: bool) -> Result<()> {
        let entries = options.keys_and_values(ctx);
        let mut i = 0;
        while let (Some(key), Some(value)) = (entries.get(i), entries.get(i + 1)) {
            i += 2;
            let name = key.as_symbol().map(|sym| ctx.sym_str(sym));
            if let Some(name) = name.as_deref().filter(|name| ONCE.contains(name)) {
                if self.given.iter().any(|given| given == name) {
                    return Err(ctx.argument_error(&format!("{name} option specified twice")));
                }
                self.given.push(name.to_string());
            }
            match name.as_deref() {
                None if lenient && !is_descriptor(ctx, key) => {}
                None if !is_descriptor(ctx, key) => return Err(ctx.argument_error("wrong exec option")),
                Some("in" | "out" | "err") | None => self.redirect(ctx, key, value)?,
                Some("unsetenv_others") => self.unset_others = boolean(ctx, value, "unsetenv_others")?,
                Some("close_others") => self.close_others = boolean(ctx, value, "close_others")?,
                Some("chdir") => {
                    let dir = get_path(ctx, value)?.bytes(ctx).to_vec();
                    self.chdir = Some(to_cstring(ctx, &dir)?);
                }
                Some("umask") => self.umask = Some(ctx.to_c_uint(value)?),
                Some("pgroup") => self.process_group = process_group(ctx, value)?,
                Some("exception") => self.exception = Some(boolean(ctx, value, "exception")?),
                Some("uid") => self.user = Some(super::ids::user_id(ctx, value)?),
                Some("gid") => self.group = Some(super::ids::group_id(ctx, value)?),
                Some(other) => match other.strip_prefix("rlimit_").and_then(super::limit::resource) {
                    Some(resource) => self.limits.push((resource, super::limit::pair_of(ctx, value)?)),
                    None if lenient => {}
                    None => return Err(ctx.argument_error(&format!("wrong exec option symbol: {other}"))),
                },
            }
        }
        Ok(())
    }

    /// Only `system` has an exception option.
    pub fn refuse_exception(&self, ctx: &mut Ctx) -> Result<()> {
        match self.exception {
            Some(_) => Err(ctx.argument_error("exception option is not allowed")),
            None => Ok(()),
        }
    }

    /// Puts `source` at the child's descriptor.
    pub fn connect(&mut self, target: i32, source: i32) {
        self.redirects.push((target, Source::Parent(source)));
    }

    /// Is this the number of something in the child?
    pub fn covers(&self, fd: i32) -> bool {
        self.redirects.iter().any(|(target, _)| *target == fd)
    }

    /// A duplicate at a number that stands for nothing in the child, closed on exec. Only async-signal-safe calls.
    pub fn aside(&self, fd: i32) -> std::result::Result<i32, i32> {
        let mut least = 0;
        loop {
            // SAFETY: plain system calls; the copy is ours.
            let copy = unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, least) };
            if copy < 0 {
                // There is no number as high as that.
                return Err(if errno::last() == libc::EINVAL { libc::EMFILE } else { errno::last() });
            }
            if !self.covers(copy) {
                return Ok(copy);
            }
            // SAFETY: as above.
            unsafe { libc::close(copy) };
            least = copy + 1;
        }
    }

    /// Checks the redirections as a whole, and makes those to other descriptors of the child lead to the last one of
    /// their chain. `connected`: what `connect` will add.
    pub fn check_redirects(&mut self, ctx: &mut Ctx, connected: &[i32]) -> Result<()> {
        let mut seen = connected.to_vec();
        for (target, _) in &self.redirects {
            if seen.contains(target) {
                return Err(ctx.argument_error(&format!("fd {target} specified twice")));
            }
            seen.push(*target);
        }
        for i in 0..self.redirects.len() {
            let (_, Source::Child(first)) = self.redirects[i] else { continue };
            let (mut last, mut steps) = (first, 0);
            loop {
                match self.redirects.iter().find(|(target, _)| *target == last) {
                    Some((_, Source::Child(next))) => last = *next,
                    Some((_, Source::Parent(_) | Source::Open { .. })) => break,
                    None if connected.contains(&last) => break,
                    Some((_, Source::Close)) | None => {
                        return Err(ctx.argument_error(&format!("child fd {first} is not redirected")));
                    }
                }
                steps += 1;
                if steps > self.redirects.len() {
                    return Err(ctx.argument_error(&format!("cyclic child fd redirection from {first}")));
                }
            }
            self.redirects[i].1 = Source::Child(last);
        }
        Ok(())
    }

    fn redirect(&mut self, ctx: &mut Ctx, key: Value, value: Value) -> Result<()> {
        let Some(list) = Array::try_of(key) else {
            let source = self.source(ctx, key, value)?;
            let target = descriptor(ctx, key)?;
            self.redirects.push((target, source));
            return Ok(());
        };
        let source = self.source(ctx, key, value)?;
        let mut targets = Vec::new();
        while let Some(one) = list.get(targets.len()) {
            targets.push(descriptor(ctx, one)?);
        }
        let [first, rest @ ..] = &targets[..] else { return Ok(()) };
        for other in rest {
            self.redirects
                .push((*other, if matches!(source, Source::Close) { Source::Close } else { Source::Child(*first) }));
        }
        self.redirects.push((*first, source));
        Ok(())
    }

    /// What `value` puts at the descriptors of `key`.
    fn source(&mut self, ctx: &mut Ctx, key: Value, value: Value) -> Result<Source> {
        if let Some(sym) = value.as_symbol() {
            return match ctx.sym_bytes(sym) {
                b"close" => Ok(Source::Close),
                b"in" | b"out" | b"err" => Ok(Source::Parent(descriptor(ctx, value)?)),
                _ => {
                    let name = ctx.sym_str(sym);
                    Err(ctx.argument_error(&format!("wrong exec redirect symbol: {name}")))
                }
            };
        }
        if let Some(list) = Array::try_of(value) {
            let first = list.get(0).unwrap_or(Value::NIL);
            if list.len() == 2 && first.as_symbol().is_some_and(|s| ctx.sym_bytes(s) == b"child") {
                let from = descriptor(ctx, list.get(1).unwrap_or(Value::NIL))?;
                return Ok(Source::Child(from));
            }
            return self.open_list(ctx, list);
        }
        if value.has_tag(rubellite_vm::Tag::String) {
            let path = get_path(ctx, value)?.bytes(ctx).to_vec();
            let flags =
                if only_output(ctx, key)? { libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC } else { libc::O_RDONLY };
            return Ok(Source::Open { path: to_cstring(ctx, &path)?, flags, perm: 0o644 });
        }
        if value.is_fixnum() {
            return Ok(Source::Parent(descriptor(ctx, value)?));
        }
        match open::check_io(ctx, value)? {
            Some(io) => Ok(Source::Parent(descriptor_of_io(ctx, io)?)),
            None => Err(ctx.argument_error("wrong exec redirect action")),
        }
    }

    /// `[path, mode = RDONLY, permissions = 0644]`
    fn open_list(&mut self, ctx: &mut Ctx, list: Array) -> Result<Source> {
        let path = get_path(ctx, list.get(0).unwrap_or(Value::NIL))?.bytes(ctx).to_vec();
        let flags = match list.get(1).unwrap_or(Value::NIL) {
            Value::NIL => libc::O_RDONLY,
            mode if mode.has_tag(rubellite_vm::Tag::String) => {
                let text = ctx.to_str(mode)?.bytes(ctx).to_vec();
                to_cstring(ctx, &text)?;
                let mut parsed = OpenMode::default();
                parse_mode_string(ctx, &text, &mut parsed)?;
                parsed.flags
            }
            mode => ctx.to_c_int(mode)?,
        };
        let perm = match list.get(2).unwrap_or(Value::NIL) {
            Value::NIL => 0o644,
            perm => ctx.to_c_uint(perm)?,
        };
        Ok(Source::Open { path: to_cstring(ctx, &path)?, flags, perm })
    }
}

/// May this be the left side of a redirection?
fn is_descriptor(ctx: &mut Ctx, key: Value) -> bool {
    let class = ctx.classes().io.get();
    key.is_fixnum() || Array::try_of(key).is_some() || key.is_heap() && ctx.is_a(key, class)
}

/// Are all descriptors of `key` 1 or 2, so that a path stands for a file to be written?
fn only_output(ctx: &mut Ctx, key: Value) -> Result<bool> {
    let Some(list) = Array::try_of(key) else { return Ok(matches!(descriptor(ctx, key)?, 1 | 2)) };
    let mut i = 0;
    while let Some(one) = list.get(i) {
        if !matches!(descriptor(ctx, one)?, 1 | 2) {
            return Ok(false);
        }
        i += 1;
    }
    Ok(true)
}

/// A Hash or what becomes one; commands and their arguments are not asked.
fn hash_arg(ctx: &mut Ctx, value: Value) -> Result<Option<Hash>> {
    if value.has_tag(rubellite_vm::Tag::String) || value.has_tag(rubellite_vm::Tag::Array) {
        Ok(None)
    } else {
        ctx.check_hash(value)
    }
}

/// `command` or `[command, name]`.
fn program_and_name(ctx: &mut Ctx, first: Value) -> Result<(CString, Option<CString>)> {
    let Some(pair) = ctx.check_array(first)? else { return Ok((word_of(ctx, first)?, None)) };
    if pair.len() != 2 {
        return Err(ctx.argument_error("wrong first argument"));
    }
    let (program, name) = (pair.get(0).unwrap_or(Value::NIL), pair.get(1).unwrap_or(Value::NIL));
    Ok((word_of(ctx, program)?, Some(word_of(ctx, name)?)))
}

fn word_of(ctx: &mut Ctx, value: Value) -> Result<CString> {
    let bytes = copied(ctx.to_str(value)?.bytes(ctx));
    to_cstring(ctx, &bytes)
}

fn process_group(ctx: &mut Ctx, value: Value) -> Result<Option<i32>> {
    Ok(match value {
        Value::NIL | Value::FALSE => None,
        Value::TRUE => Some(0),
        _ => {
            let group = ctx.to_c_int(value)?;
            if group < 0 {
                return Err(ctx.argument_error(&format!("negative process group ID : {group}")));
            }
            Some(group)
        }
    })
}

/// `true`, `false` or nil; `name` is the option's.
pub fn boolean(ctx: &mut Ctx, value: Value, name: &str) -> Result<bool> {
    match value {
        Value::NIL | Value::FALSE => Ok(false),
        Value::TRUE => Ok(true),
        other => {
            let text = ctx.inspect(other)?;
            Err(ctx.argument_error(&format!("expected true or false as {name}: {text}")))
        }
    }
}

/// A descriptor: a number, `:in`, `:out`, `:err`, an IO.
fn descriptor(ctx: &mut Ctx, value: Value) -> Result<i32> {
    if value.is_fixnum() {
        let fd = ctx.to_c_int(value)?;
        return if fd < 0 { Err(ctx.argument_error("negative file descriptor")) } else { Ok(fd) };
    }
    let name = value.as_symbol().map(|sym| ctx.sym_str(sym));
    match name.as_deref() {
        Some("in") => return Ok(0),
        Some("out") => return Ok(1),
        Some("err") => return Ok(2),
        Some(_) => {}
        None => {
            if let Some(io) = open::check_io(ctx, value)? {
                return descriptor_of_io(ctx, io);
            }
        }
    }
    Err(ctx.argument_error("wrong exec redirect"))
}

/// The one descriptor of an IO: which of two would be meant is not clear.
fn descriptor_of_io(ctx: &mut Ctx, io: Value) -> Result<i32> {
    let io = state::open_state(ctx, io)?;
    let both = io.fd.get() >= 0 && io.fd.get() != io.out_fd();
    if both { Err(ctx.argument_error("duplex IO redirection")) } else { Ok(io.out_fd()) }
}

fn needs_shell(line: &[u8], words: &[&[u8]]) -> bool {
    if line.iter().any(|b| SHELL_CHARACTERS.contains(b)) {
        return true;
    }
    let Some(first) = words.first() else { return false };
    first.contains(&b'=') || std::str::from_utf8(first).is_ok_and(|w| SHELL_WORDS.contains(&w))
}

/// Pointers to C strings with a null at the end.
struct Pointers(Vec<*const libc::c_char>);

impl Pointers {
    fn new(list: &[CString]) -> Pointers {
        Pointers(list.iter().map(|s| s.as_ptr()).chain([std::ptr::null()]).collect())
    }
}

/// A step of a child whose failure is told by another name than the program's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Chdir,
    ProcessGroup,
    Limit,
    Group,
    User,
    /// Giving a descriptor its number.
    Duplicate,
    /// Closing one.
    Close,
    /// Opening the file of this redirection.
    Redirect(usize),
}

impl Place {
    /// Those that need no more than their name.
    const PLAIN: [Place; 7] =
        [Place::Chdir, Place::ProcessGroup, Place::Limit, Place::Group, Place::User, Place::Duplicate, Place::Close];

    /// One number for errno and place, for the pipe on which the child reports.
    pub fn join(e: i32, place: Option<Place>) -> i32 {
        let place = match place {
            None => 0,
            Some(Place::Redirect(i)) => i + 1 + Place::PLAIN.len(),
            Some(plain) => 1 + Place::PLAIN.iter().position(|p| *p == plain).unwrap_or(0),
        };
        e | (place as i32) << 16
    }

    pub fn split(both: i32) -> (i32, Option<Place>) {
        let place = match (both >> 16) as usize {
            0 => None,
            i => Some(Place::PLAIN.get(i - 1).copied().unwrap_or_else(|| Place::Redirect(i - 1 - Place::PLAIN.len()))),
        };
        (both & 0xffff, place)
    }
}

/// A plan with its pointer lists, ready for the child.
pub struct Ready<'a> {
    plan: &'a Plan,
    argv: Pointers,
    env: Option<Pointers>,
    /// What failed before the program was begun.
    pub failed_in: Option<Place>,
    /// Room for the child's duplicates of descriptors.
    copies: Vec<i32>,
}

impl Plan {
    /// What an error of the child's is about.
    pub fn subject(&self, place: Option<Place>) -> String {
        let redirect = |i: usize| match self.redirects.get(i) {
            Some((_, Source::Open { path, .. })) => Some(path),
            _ => None,
        };
        let name = match place {
            None => None,
            Some(Place::Duplicate) => return "dup2".to_string(),
            Some(Place::Close) => return "close".to_string(),
            Some(Place::ProcessGroup) => return "setpgid".to_string(),
            Some(Place::Limit) => return "setrlimit".to_string(),
            Some(Place::Group) => return "setgid".to_string(),
            Some(Place::User) => return "setuid".to_string(),
            Some(Place::Chdir) => self.chdir.as_ref(),
            Some(Place::Redirect(i)) => redirect(i),
        };
        name.map_or_else(|| self.shown.clone(), |name| name.to_string_lossy().into_owned())
    }

    pub fn ready(&self) -> Ready<'_> {
        Ready {
            plan: self,
            argv: Pointers::new(&self.argv),
            env: self.env.as_deref().map(Pointers::new),
            failed_in: None,
            copies: vec![-1; self.redirects.len()],
        }
    }
}

/// Few programs can deal with standard streams that do not block, which pipes of Ruby's are.
fn block_on_standard_streams() {
    for fd in 0..=2 {
        // SAFETY: plain system calls, which a signal handler may make.
        unsafe {
            let flags = libc::fcntl(fd, libc::F_GETFL);
            if flags >= 0 && flags & libc::O_NONBLOCK != 0 {
                libc::fcntl(fd, libc::F_SETFL, flags & !libc::O_NONBLOCK);
            }
        }
    }
}

impl Ready<'_> {
    /// Makes this process the planned one; returns errno when that fails. Only async-signal-safe calls.
    pub fn exec(&mut self) -> i32 {
        match self.prepare() {
            Err(e) => e,
            // SAFETY: whoever calls this wants to be replaced.
            Ok(()) => unsafe { self.exec_first() },
        }
    }

    fn prepare(&mut self) -> std::result::Result<(), i32> {
        // SAFETY: all pointers lead to C strings of the plan; the calls are plain system calls.
        unsafe {
            if let Some(group) = self.plan.process_group {
                self.check(Place::ProcessGroup, libc::setpgid(0, group))?;
            }
            for (resource, limit) in &self.plan.limits {
                self.check(Place::Limit, libc::setrlimit(*resource as _, limit))?;
            }
            self.place_descriptors()?;
            block_on_standard_streams();
            if let Some(mask) = self.plan.umask {
                libc::umask(mask as libc::mode_t);
            }
            if let Some(dir) = &self.plan.chdir {
                self.check(Place::Chdir, libc::chdir(dir.as_ptr()))?;
            }
            if let Some(group) = self.plan.group {
                self.check(Place::Group, libc::setgid(group))?;
            }
            if let Some(user) = self.plan.user {
                self.check(Place::User, libc::setuid(user))?;
            }
        }
        Ok(())
    }

    fn check(&mut self, place: Place, result: i32) -> std::result::Result<(), i32> {
        if result == 0 {
            return Ok(());
        }
        self.failed_in = Some(place);
        Err(errno::last())
    }

    /// # Safety
    /// To be called in a process that may be replaced.
    unsafe fn exec_first(&self) -> i32 {
        let mut error = libc::ENOENT;
        for program in &self.plan.programs {
            // SAFETY: null-terminated lists of C strings.
            unsafe {
                match &self.env {
                    Some(env) => libc::execve(program.as_ptr(), self.argv.0.as_ptr(), env.0.as_ptr()),
                    None => libc::execv(program.as_ptr(), self.argv.0.as_ptr()),
                };
            }
            match errno::last() {
                libc::ENOENT | libc::ENAMETOOLONG => {}
                libc::ENOTDIR if !self.plan.searched => error = libc::ENOTDIR,
                libc::ENOTDIR => {}
                libc::ENOEXEC => return self.exec_script(program),
                e @ (libc::EACCES | libc::EISDIR) if !self.plan.searched => error = e,
                libc::EACCES | libc::EISDIR => {}
                e => return e,
            }
        }
        error
    }

    /// A file that the kernel does not know how to run is a script of the shell's.
    fn exec_script(&self, script: &CString) -> i32 {
        let rest = self.plan.argv.iter().skip(1).map(|word| word.as_ptr());
        let argv: Vec<*const libc::c_char> =
            [c"sh".as_ptr(), script.as_ptr()].into_iter().chain(rest).chain([std::ptr::null()]).collect();
        // SAFETY: null-terminated lists of C strings of the plan.
        unsafe {
            match &self.env {
                Some(env) => libc::execve(c"/bin/sh".as_ptr(), argv.as_ptr(), env.0.as_ptr()),
                None => libc::execv(c"/bin/sh".as_ptr(), argv.as_ptr()),
            };
        }
        errno::last()
    }

    /// Descriptors whose numbers are to stand for others are first copied out of the way, then everything goes to its
    /// number.
    fn place_descriptors(&mut self) -> std::result::Result<(), i32> {
        if self.plan.close_others {
            // What goes to a number below loses the flag again.
            // SAFETY: a plain system call.
            unsafe { libc::syscall(libc::SYS_close_range, 3u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
        }
        // Whatever fails and is not told otherwise.
        self.failed_in = Some(Place::Duplicate);
        let check = |result: i32| if result < 0 { Err(errno::last()) } else { Ok(result) };
        for (i, (_, source)) in self.plan.redirects.iter().enumerate() {
            // SAFETY: plain system calls; the path is a C string.
            self.copies[i] = unsafe {
                match source {
                    Source::Parent(fd) if self.plan.covers(*fd) => self.plan.aside(*fd)?,
                    Source::Parent(fd) => *fd,
                    Source::Open { path, flags, perm } => {
                        let fd = libc::open(path.as_ptr(), flags | libc::O_CLOEXEC, *perm);
                        if fd < 0 {
                            let e = errno::last();
                            self.failed_in = Some(Place::Redirect(i));
                            return Err(e);
                        }
                        if self.plan.covers(fd) {
                            let copy = self.plan.aside(fd)?;
                            libc::close(fd);
                            copy
                        } else {
                            fd
                        }
                    }
                    Source::Child(_) | Source::Close => -1,
                }
            };
        }
        for (i, (target, source)) in self.plan.redirects.iter().enumerate() {
            if self.copies[i] >= 0 {
                // SAFETY: plain system calls.
                unsafe {
                    check(libc::dup2(self.copies[i], *target))?;
                    // A parent's descriptor may go to several numbers.
                    if !matches!(source, Source::Parent(fd) if *fd == self.copies[i]) {
                        libc::close(self.copies[i]);
                    }
                }
            }
        }
        for (target, source) in &self.plan.redirects {
            // SAFETY: plain system calls.
            unsafe {
                match source {
                    Source::Child(from) => {
                        check(libc::dup2(*from, *target))?;
                    }
                    Source::Close if libc::close(*target) != 0 => {
                        self.failed_in = Some(Place::Close);
                        return Err(errno::last());
                    }
                    _ => {}
                }
            }
        }
        self.failed_in = None;
        Ok(())
    }
}

/// The plan of `Args`, checked.
pub fn parse_args(ctx: &mut Ctx, args: Args) -> Result<Plan> {
    let mut plan = Plan::parse(ctx, args.slice())?;
    plan.check_redirects(ctx, &[])?;
    Ok(plan)
}

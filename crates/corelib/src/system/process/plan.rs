//! What `spawn`, `system`, `exec` and `popen` run: command, environment, redirections, options. Everything that may
//! allocate or raise happens here, in the parent; the child only makes system calls (`run_in_child`).

use crate::system::errno;
use crate::system::file::path::{get_path, to_cstring};
use crate::system::io::mode::{OpenMode, parse_mode_string};
use crate::system::io::{device, open, state};
use rubellite_vm::object::{Array, Hash};
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
    /// Descriptors above 2 that are not redirected are closed.
    close_others: bool,
    /// The program was looked for in PATH: files that cannot be run do not count.
    searched: bool,
    limits: Vec<(u32, libc::rlimit)>,
    /// `exception: true` of `system`.
    pub exception: bool,
    /// The command for messages.
    pub shown: String,
}

/// Characters that need a shell; `#` and `=` only where a shell would see them as special.
const SHELL_CHARACTERS: &[u8] = b"*?{}[]<>()~&|\\$;'`\"\n%";

/// Words that only a shell knows.
const SHELL_WORDS: &[&str] = &[
    "!", ".", ":", "break", "case", "continue", "do", "done", "elif", "else", "esac", "eval", "exec", "exit", "export", "fi", "for", "if", "in", "readonly",
    "return", "set", "shift", "then", "times", "trap", "unset", "until", "while",
];

impl Plan {
    /// Reads `([env,] command..., [options])`.
    pub fn parse(ctx: &mut Ctx, args: &[Value]) -> Result<Plan> {
        let mut plan = Plan::default();
        let mut args = args;
        let mut env = None;
        if args.len() > 1 {
            if let Some(hash) = hash_arg(ctx, args[0])? {
                env = Some(hash);
                args = &args[1..];
            }
        }
        let mut options = None;
        if let [rest @ .., last] = args {
            if !rest.is_empty() || env.is_some() {
                if let Some(hash) = hash_arg(ctx, *last)? {
                    options = Some(hash);
                    args = rest;
                }
            }
        }
        if args.is_empty() {
            return Err(ctx.arity_error(0, 1, None));
        }
        if args.len() == 1 && Hash::try_of(args[0]).is_some() {
            return Err(ctx.arity_error(0, 1, None));
        }
        let mut unset_others = false;
        if let Some(options) = options {
            unset_others = plan.read_options(ctx, options)?;
        }
        plan.read_env(ctx, env, unset_others)?;
        plan.read_command(ctx, args)?;
        Ok(plan)
    }

    fn read_env(&mut self, ctx: &mut Ctx, given: Option<Hash>, unset_others: bool) -> Result<()> {
        if given.is_none() && !unset_others {
            return Ok(());
        }
        let mut all: Vec<(Vec<u8>, Vec<u8>)> = if unset_others { Vec::new() } else { crate::system::env::all() };
        if let Some(hash) = given {
            let pairs = ctx.call_name(hash.value(), "to_a", &[])?;
            let pairs = Array::of(pairs);
            let mut i = 0;
            while let Some(pair) = pairs.get(i).and_then(Array::try_of) {
                i += 1;
                let (name, value) = (pair.get(0).unwrap_or(Value::NIL), pair.get(1).unwrap_or(Value::NIL));
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

    fn read_command(&mut self, ctx: &mut Ctx, args: &[Value]) -> Result<()> {
        let (program, name) = match ctx.check_array(args[0])? {
            Some(pair) => {
                if pair.len() != 2 {
                    return Err(ctx.argument_error("wrong first argument"));
                }
                let (program, name) = (pair.get(0).unwrap_or(Value::NIL), pair.get(1).unwrap_or(Value::NIL));
                let program = get_path(ctx, program)?.bytes(ctx).to_vec();
                (program, Some(ctx.to_str(name)?.bytes(ctx).to_vec()))
            }
            None => (get_path(ctx, args[0])?.bytes(ctx).to_vec(), None),
        };
        self.shown = String::from_utf8_lossy(&program).into_owned();
        if args.len() == 1 && name.is_none() {
            return self.read_line(ctx, &program);
        }
        self.argv.push(to_cstring(ctx, name.as_deref().unwrap_or(&program))?);
        for argument in &args[1..] {
            let bytes = ctx.to_str(*argument)?.bytes(ctx).to_vec();
            self.argv.push(to_cstring(ctx, &bytes)?);
        }
        self.find_program(ctx, &program)
    }

    /// One string: words, or a line for the shell.
    fn read_line(&mut self, ctx: &mut Ctx, line: &[u8]) -> Result<()> {
        let words: Vec<&[u8]> = line.split(|b| b.is_ascii_whitespace()).filter(|w| !w.is_empty()).collect();
        if needs_shell(line, &words) {
            self.programs.push(c"/bin/sh".to_owned());
            self.argv = vec![c"sh".to_owned(), c"-c".to_owned(), to_cstring(ctx, line)?];
            return Ok(());
        }
        let Some(first) = words.first() else {
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
        let own = self.env.as_ref().and_then(|env| env.iter().find_map(|e| e.as_bytes().strip_prefix(b"PATH=").map(<[u8]>::to_vec)));
        let path = own.or_else(|| crate::system::env::lookup(c"PATH")).unwrap_or_else(|| b"/usr/local/bin:/usr/ucb:/usr/bin:/bin:.".to_vec());
        for dir in path.split(|b| *b == b':') {
            let dir = if dir.is_empty() { &b"."[..] } else { dir };
            self.programs.push(to_cstring(ctx, &[dir, b"/", program].concat())?);
        }
        Ok(())
    }

    // -- options ------------------------------------------------------------------------------

    /// Returns `unsetenv_others`.
    fn read_options(&mut self, ctx: &mut Ctx, options: Hash) -> Result<bool> {
        let mut unset_others = false;
        let pairs = ctx.call_name(options.value(), "to_a", &[])?;
        let pairs = Array::of(pairs);
        let mut i = 0;
        while let Some(pair) = pairs.get(i).and_then(Array::try_of) {
            i += 1;
            let (key, value) = (pair.get(0).unwrap_or(Value::NIL), pair.get(1).unwrap_or(Value::NIL));
            let name = key.as_symbol().map(|sym| ctx.sym_str(sym));
            match name.as_deref() {
                Some("in" | "out" | "err") | None => self.redirect(ctx, key, value)?,
                Some("unsetenv_others") => unset_others = boolean(ctx, value, "unsetenv_others")?,
                Some("close_others") => self.close_others = boolean(ctx, value, "close_others")?,
                Some("chdir") => {
                    let dir = get_path(ctx, value)?.bytes(ctx).to_vec();
                    self.chdir = Some(to_cstring(ctx, &dir)?);
                }
                Some("umask") => self.umask = Some(ctx.to_int(value)? as u32),
                Some("pgroup") => self.process_group = process_group(ctx, value)?,
                Some("exception") => self.exception = value.truthy(),
                Some("new_pgroup") => {}
                Some("uid") => self.user = Some(super::ids::user_id(ctx, value)?),
                Some("gid") => self.group = Some(super::ids::group_id(ctx, value)?),
                Some(other) => match other.strip_prefix("rlimit_").and_then(super::limit::resource) {
                    Some(resource) => self.limits.push((resource, super::limit::pair_of(ctx, value)?)),
                    None => return Err(ctx.argument_error(&format!("wrong exec option symbol: {other}"))),
                },
            }
        }
        Ok(unset_others)
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

    /// Checks the redirections as a whole, and makes those to other descriptors of the child lead to the last one of their
    /// chain. `connected`: what `connect` will add.
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
                    Some((_, Source::Close)) | None => return Err(ctx.argument_error(&format!("child fd {first} is not redirected"))),
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
        if let Some(list) = Array::try_of(key) {
            let mut i = 0;
            let first = match list.get(0) {
                Some(first) => descriptor(ctx, first, "redirect")?,
                None => return Ok(()),
            };
            while let Some(one) = list.get(i) {
                let target = descriptor(ctx, one, "redirect")?;
                let source = match self.redirects.last() {
                    Some((_, Source::Close)) if i > 0 => Source::Close,
                    _ if i > 0 => Source::Child(first),
                    _ => self.source(ctx, target, value)?,
                };
                self.redirects.push((target, source));
                i += 1;
            }
            return Ok(());
        }
        let target = descriptor(ctx, key, "redirect")?;
        let source = self.source(ctx, target, value)?;
        self.redirects.push((target, source));
        Ok(())
    }

    fn source(&mut self, ctx: &mut Ctx, target: i32, value: Value) -> Result<Source> {
        if let Some(sym) = value.as_symbol() {
            if ctx.sym_bytes(sym) == b"close" {
                return Ok(Source::Close);
            }
        }
        if let Some(list) = Array::try_of(value) {
            let first = list.get(0).unwrap_or(Value::NIL);
            if first.as_symbol().is_some_and(|s| ctx.sym_bytes(s) == b"child") {
                let from = descriptor(ctx, list.get(1).unwrap_or(Value::NIL), "redirect")?;
                return Ok(Source::Child(from));
            }
            return self.open_source(ctx, first, list.get(1), list.get(2), target);
        }
        if value.is_symbol() || value.is_fixnum() {
            return Ok(Source::Parent(descriptor(ctx, value, "redirect")?));
        }
        if !value.has_tag(rubellite_vm::Tag::String) {
            let to_path = ctx.intern("to_path");
            let is_io = state::try_state(ctx, value).is_some();
            if is_io || value.is_immediate() || !ctx.respond_to(value, to_path, true)? {
                return match open::check_io(ctx, value)? {
                    Some(io) => {
                        let fd = descriptor_of_io(ctx, io)?;
                        let io = state::open_state(ctx, io)?;
                        if io.has(state::mode::WRITE) {
                            device::flush(ctx, &io)?;
                        }
                        Ok(Source::Parent(fd))
                    }
                    None => Err(ctx.argument_error("wrong exec redirect action")),
                };
            }
        }
        self.open_source(ctx, value, None, None, target)
    }

    fn open_source(&mut self, ctx: &mut Ctx, path: Value, mode: Option<Value>, perm: Option<Value>, target: i32) -> Result<Source> {
        let bytes = get_path(ctx, path)?.bytes(ctx).to_vec();
        let flags = match mode {
            None | Some(Value::NIL) if target == 0 => libc::O_RDONLY,
            None | Some(Value::NIL) if target == 1 || target == 2 => libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC,
            None | Some(Value::NIL) => libc::O_RDONLY,
            Some(mode) if mode.is_fixnum() => mode.as_fixnum_unchecked() as i32,
            Some(mode) => {
                let text = ctx.to_str(mode)?.bytes(ctx).to_vec();
                let mut parsed = OpenMode::default();
                parse_mode_string(ctx, &text, &mut parsed)?;
                parsed.flags
            }
        };
        let perm = match perm {
            Some(perm) if !perm.is_nil() => ctx.to_int(perm)? as u32,
            _ => 0o644,
        };
        Ok(Source::Open { path: to_cstring(ctx, &bytes)?, flags, perm })
    }
}

/// A Hash or what becomes one; commands and their arguments are not asked.
fn hash_arg(ctx: &mut Ctx, value: Value) -> Result<Option<Hash>> {
    if value.has_tag(rubellite_vm::Tag::String) || value.has_tag(rubellite_vm::Tag::Array) { Ok(None) } else { ctx.check_hash(value) }
}

fn process_group(ctx: &mut Ctx, value: Value) -> Result<Option<i32>> {
    Ok(match value {
        Value::NIL | Value::FALSE => None,
        Value::TRUE => Some(0),
        _ => {
            let group = ctx.to_int(value)? as i32;
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
fn descriptor(ctx: &mut Ctx, value: Value, what: &str) -> Result<i32> {
    if let Some(n) = value.as_fixnum() {
        if n < 0 {
            return Err(ctx.argument_error("negative file descriptor"));
        }
        return Ok(n as i32);
    }
    if let Some(sym) = value.as_symbol() {
        return match ctx.sym_bytes(sym) {
            b"in" => Ok(0),
            b"out" => Ok(1),
            b"err" => Ok(2),
            _ => Err(ctx.argument_error(&format!("wrong exec {what} action"))),
        };
    }
    match open::check_io(ctx, value)? {
        Some(io) => descriptor_of_io(ctx, io),
        None => Err(ctx.argument_error(&format!("wrong exec {what} action"))),
    }
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
    if words.iter().any(|w| w.first() == Some(&b'#')) {
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
    /// Giving a descriptor its number.
    Duplicate,
    /// Closing one.
    Close,
    /// Opening the file of this redirection.
    Redirect(usize),
}

impl Place {
    /// One number for errno and place, for the pipe on which the child reports.
    pub fn join(e: i32, place: Option<Place>) -> i32 {
        let place = match place {
            None => 0,
            Some(Place::Chdir) => 1,
            Some(Place::Duplicate) => 2,
            Some(Place::Close) => 3,
            Some(Place::Redirect(i)) => i as i32 + 4,
        };
        e | place << 16
    }

    pub fn split(both: i32) -> (i32, Option<Place>) {
        let place = match both >> 16 {
            0 => None,
            1 => Some(Place::Chdir),
            2 => Some(Place::Duplicate),
            3 => Some(Place::Close),
            i => Some(Place::Redirect(i as usize - 4)),
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

impl Ready<'_> {
    /// Makes this process the planned one; returns errno when that fails. Only async-signal-safe calls.
    pub fn exec(&mut self) -> i32 {
        // SAFETY: all pointers lead to C strings of the plan; the calls are plain system calls.
        unsafe {
            if let Some(group) = self.plan.process_group {
                if libc::setpgid(0, group) != 0 {
                    return errno::last();
                }
            }
            if let Err(e) = self.place_descriptors() {
                return e;
            }
            for (resource, limit) in &self.plan.limits {
                if libc::setrlimit(*resource as _, limit) != 0 {
                    return errno::last();
                }
            }
            if let Some(mask) = self.plan.umask {
                libc::umask(mask as libc::mode_t);
            }
            if let Some(dir) = &self.plan.chdir {
                if libc::chdir(dir.as_ptr()) != 0 {
                    self.failed_in = Some(Place::Chdir);
                    return errno::last();
                }
            }
            if self.plan.group.is_some_and(|group| libc::setgid(group) != 0) || self.plan.user.is_some_and(|user| libc::setuid(user) != 0) {
                return errno::last();
            }
            self.exec_first()
        }
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
                libc::ENOENT | libc::ENOTDIR => {}
                libc::ENAMETOOLONG if self.plan.searched => {}
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
        let argv: Vec<*const libc::c_char> = [c"sh".as_ptr(), script.as_ptr()].into_iter().chain(rest).chain([std::ptr::null()]).collect();
        // SAFETY: null-terminated lists of C strings of the plan.
        unsafe {
            match &self.env {
                Some(env) => libc::execve(c"/bin/sh".as_ptr(), argv.as_ptr(), env.0.as_ptr()),
                None => libc::execv(c"/bin/sh".as_ptr(), argv.as_ptr()),
            };
        }
        errno::last()
    }

    /// Descriptors whose numbers are to stand for others are first copied out of the way, then everything goes to its number.
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
                    let flags = libc::fcntl(*target, libc::F_GETFL);
                    if *target <= 2 && flags >= 0 && flags & libc::O_NONBLOCK != 0 {
                        libc::fcntl(*target, libc::F_SETFL, flags & !libc::O_NONBLOCK);
                    }
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
                    Source::Close => {
                        if libc::close(*target) != 0 {
                            self.failed_in = Some(Place::Close);
                            return Err(errno::last());
                        }
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

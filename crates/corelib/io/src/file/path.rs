//! File: operations on path names that do not look at files (`expand_path`, `join`, `basename` ...), and paths as
//! arguments. `realpath` is here too.

use rubellite_core_object::errno;
use rubellite_encoding::transcode::{EncodeOptions, encode};
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Args, Arity, Ctx, Encoding, MethodDef, Result, Value, method};
use std::ffi::CString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

pub const SINGLETON: &[MethodDef] = &[
    method("expand_path", Arity::range(1, 2), expand_path_method),
    method("absolute_path", Arity::range(1, 2), absolute_path_method),
    method("absolute_path?", Arity::exact(1), absolute_path_p),
    method("realpath", Arity::range(1, 2), realpath_method),
    method("realdirpath", Arity::range(1, 2), realdirpath_method),
    method("basename", Arity::range(1, 2), basename_method),
    method("dirname", Arity::range(1, 2), dirname_method),
    method("extname", Arity::exact(1), extname_method),
    method("split", Arity::exact(1), split_method),
    method("join", Arity::ANY, join_method),
    method("path", Arity::exact(1), path_method),
];

/// A path argument: a String, or what `to_path` or `to_str` gives. No NUL bytes.
pub fn get_path(ctx: &mut Ctx, value: Value) -> Result<Str> {
    let path = get_path_named(ctx, value, "path name")?;
    Ok(for_the_system(ctx, path))
}

/// `get_path` for arguments that messages call otherwise.
fn get_path_named(ctx: &mut Ctx, value: Value, what: &str) -> Result<Str> {
    let path = get_path_unchecked(ctx, value)?;
    if !path.encoding().is_ascii_compatible() {
        let name = path.encoding().name();
        let text = ctx.inspect(path.value())?;
        let class = "Encoding::CompatibilityError";
        return Err(ctx.raise_error(class, &format!("path name must be ASCII-compatible ({name}): {text}")));
    }
    if memchr::memchr(0, path.bytes(ctx)).is_some() {
        return Err(ctx.argument_error(&format!("{what} contains null byte")));
    }
    Ok(path)
}

/// Where names are converted when they are read, they are converted back when they are used.
fn for_the_system(ctx: &mut Ctx, path: Str) -> Str {
    let (encoding, names) = (path.encoding(), rubellite_core_encoding::default_external(ctx));
    if encoding == names
        || matches!(encoding, Encoding::US_ASCII | Encoding::BINARY)
        || rubellite_core_encoding::default_internal(ctx).is_none()
        || path.bytes(ctx).is_ascii()
    {
        return path;
    }
    match encode(path.bytes(ctx), encoding, names, &EncodeOptions::default(), None) {
        Ok(bytes) => Str::from_vec(ctx, bytes, names),
        Err(_) => path,
    }
}

fn get_path_unchecked(ctx: &mut Ctx, value: Value) -> Result<Str> {
    if let Some(string) = Str::try_of(value) {
        return Ok(string);
    }
    let to_path = ctx.intern("to_path");
    let value = match value.is_immediate() {
        true => value,
        false => ctx.check_call(value, to_path, &[])?.unwrap_or(value),
    };
    ctx.to_str(value)
}

/// The bytes of a path argument.
pub fn path_bytes(ctx: &mut Ctx, value: Value) -> Result<PathBytes> {
    let path = get_path(ctx, value)?;
    Ok(PathBytes::of(ctx, path))
}

/// The bytes of a path, and the encoding that messages about it have.
pub struct PathBytes {
    pub bytes: Vec<u8>,
    pub encoding: Encoding,
}

impl PathBytes {
    pub fn of(ctx: &Ctx, path: Str) -> PathBytes {
        PathBytes { bytes: path.bytes(ctx).to_vec(), encoding: path.encoding() }
    }

    /// A path that the system gave.
    pub fn of_system(bytes: Vec<u8>) -> PathBytes {
        PathBytes { bytes, encoding: Encoding::UTF_8 }
    }
}

impl std::ops::Deref for PathBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl errno::Named for PathBytes {
    fn name(&self) -> (&[u8], Encoding) {
        (&self.bytes, self.encoding)
    }
}

/// The path of an argument that may also be an open IO: `File::Stat`-like questions take both.
pub fn to_cstring(ctx: &mut Ctx, path: &[u8]) -> Result<CString> {
    match CString::new(path) {
        Ok(name) => Ok(name),
        Err(_) => Err(ctx.null_byte_error()),
    }
}

/// A String of a path that the system gave: names have the default external encoding.
pub fn path_string(ctx: &mut Ctx, path: &[u8]) -> Value {
    let encoding = rubellite_core_encoding::default_external(ctx);
    Str::new(ctx, path, encoding).value()
}

/// The working directory.
pub fn current_dir(ctx: &mut Ctx) -> Result<Vec<u8>> {
    match std::env::current_dir() {
        Ok(dir) => Ok(dir.into_os_string().into_vec()),
        Err(e) => Err(errno::fail(ctx, e.raw_os_error().unwrap_or(0), "getcwd")),
    }
}

/// The home directory of a user, or of the process when `user` is empty.
pub fn home_dir(ctx: &mut Ctx, user: &[u8]) -> Result<Vec<u8>> {
    if user.is_empty() {
        if let Some(home) = std::env::var_os("HOME") {
            return Ok(home.into_vec());
        }
        // SAFETY: plain calls; the entry is copied before anything else may change it.
        unsafe {
            let entry = libc::getpwuid(libc::getuid());
            if !entry.is_null() {
                return Ok(std::ffi::CStr::from_ptr((*entry).pw_dir).to_bytes().to_vec());
            }
        }
        return Err(ctx.argument_error("couldn't find HOME environment -- expanding '~'"));
    }
    let name = to_cstring(ctx, user)?;
    // SAFETY: as above.
    unsafe {
        let entry = libc::getpwnam(name.as_ptr());
        if !entry.is_null() {
            return Ok(std::ffi::CStr::from_ptr((*entry).pw_dir).to_bytes().to_vec());
        }
    }
    let user = String::from_utf8_lossy(user).into_owned();
    Err(ctx.argument_error(&format!("user {user} doesn't exist")))
}

/// `File.expand_path` on bytes; `tilde`: `~` means a home directory.
pub fn expand(ctx: &mut Ctx, path: &[u8], base: Option<&[u8]>, tilde: bool) -> Result<Vec<u8>> {
    // Leading slashes of an absolute path stay as many as they are, also those of a base that `..` does not climb out
    // of.
    let leading = |path: &[u8]| path.iter().take_while(|b| **b == b'/').count();
    let mut slashes = leading(path);
    let start = if tilde && path.first() == Some(&b'~') {
        let end = path.iter().position(|b| *b == b'/').unwrap_or(path.len());
        let mut home = home_dir(ctx, &path[1..end])?;
        if home.first() != Some(&b'/') {
            return Err(ctx.argument_error(if end == 1 { "non-absolute home" } else { "non-absolute home of user" }));
        }
        home.extend_from_slice(&path[end..]);
        home
    } else if path.first() == Some(&b'/') {
        path.to_vec()
    } else {
        let mut full = match base {
            Some(base) => expand(ctx, base, None, tilde)?,
            None => current_dir(ctx)?,
        };
        slashes = if climbs_to_root(&full, path) { 1 } else { leading(&full) };
        full.push(b'/');
        full.extend_from_slice(path);
        full
    };
    let mut full = vec![b'/'; slashes.saturating_sub(1)];
    full.extend_from_slice(&normalize(&start));
    Ok(full)
}

/// Whether the `..` of a relative path reach the root on the way from `base`.
fn climbs_to_root(base: &[u8], path: &[u8]) -> bool {
    let parts = |path: &'_ [u8]| path.split(|b| *b == b'/').filter(|part| !part.is_empty() && *part != b".").count();
    let mut depth = parts(base);
    path.split(|b| *b == b'/').any(|part| {
        match part {
            b"" | b"." => return false,
            b".." => depth = depth.saturating_sub(1),
            _ => depth += 1,
        }
        part == b".." && depth == 0
    })
}

/// Removes `.`, `..` and doubled slashes of an absolute path.
pub fn normalize(path: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(path.len());
    for part in path.split(|b| *b == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                let cut = out.iter().rposition(|b| *b == b'/').unwrap_or(0);
                out.truncate(cut);
            }
            _ => {
                out.push(b'/');
                out.extend_from_slice(part);
            }
        }
    }
    if out.is_empty() {
        out.push(b'/');
    }
    out
}

fn expand_method(ctx: &mut Ctx, args: Args, tilde: bool) -> Result {
    let path = get_path(ctx, args.at(0))?;
    let encoding = path.encoding();
    let bytes = path.bytes(ctx).to_vec();
    let base = match args.non_nil(1) {
        Some(base) => Some(path_bytes(ctx, base)?),
        None => None,
    };
    let full = expand(ctx, &bytes, base.as_deref(), tilde)?;
    let home = tilde && bytes.first() == Some(&b'~');
    if home || (base.is_none() && bytes.first() != Some(&b'/')) {
        // The directory in front has the file system's encoding.
        let system = rubellite_core_text::default_external(ctx);
        if !system.is_ascii_compatible() {
            return Err(rubellite_core_text::incompatible(ctx, encoding, system));
        }
    }
    let encoding = if home && bytes.is_ascii() { Encoding::UTF_8 } else { encoding };
    let encoding = if encoding == Encoding::US_ASCII && !full.is_ascii() { Encoding::UTF_8 } else { encoding };
    Ok(Str::from_vec(ctx, full, encoding).value())
}

fn expand_path_method(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    expand_method(ctx, args, true)
}

fn absolute_path_method(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    expand_method(ctx, args, false)
}

fn absolute_path_p(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let path = get_path(ctx, args.at(0))?;
    Ok(Value::from_bool(path.byte(0) == Some(b'/')))
}

/// realpath(3) of an absolute path.
pub fn real(path: &[u8]) -> std::result::Result<Vec<u8>, i32> {
    let path = std::path::Path::new(std::ffi::OsStr::from_bytes(path));
    std::fs::canonicalize(path)
        .map(|p| p.into_os_string().into_vec())
        .map_err(|e| e.raw_os_error().unwrap_or(libc::ENOENT))
}

/// The path of the arguments `(path, base = working directory)`, absolute but not resolved.
fn absolute_argument(ctx: &mut Ctx, args: Args) -> Result<PathBytes> {
    let PathBytes { bytes, encoding } = path_bytes(ctx, args.at(0))?;
    if bytes.first() == Some(&b'/') {
        return Ok(PathBytes { bytes, encoding });
    }
    let mut full = match args.non_nil(1) {
        Some(base) => {
            let base = path_bytes(ctx, base)?;
            expand(ctx, &base, None, false)?
        }
        None => current_dir(ctx)?,
    };
    full.push(b'/');
    full.extend_from_slice(&bytes);
    Ok(PathBytes { bytes: full, encoding })
}

/// A resolved path as the program named it: in its encoding where that can be.
fn resolved(ctx: &mut Ctx, path: &[u8], encoding: Encoding) -> Value {
    let converted = match encoding {
        _ if path.is_ascii() => Some(path.to_vec()),
        Encoding::UTF_8 => None,
        _ => encode(path, Encoding::UTF_8, encoding, &EncodeOptions::default(), None).ok(),
    };
    match converted {
        Some(bytes) => Str::from_vec(ctx, bytes, encoding).value(),
        None => path_string(ctx, path),
    }
}

/// What a link of /proc stands for may have no name: the link is the path then.
fn nameless(path: &[u8]) -> std::result::Result<Vec<u8>, i32> {
    std::fs::metadata(std::ffi::OsStr::from_bytes(path)).map_err(|_| libc::ENOENT)?;
    Ok([&real(dirname(path, 1))?[..], b"/", base_part(path)].concat())
}

fn realpath_method(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let full = absolute_argument(ctx, args)?;
    if args.non_nil(1).is_none() && full.ends_with(b"/") && path_bytes(ctx, args.at(0))?.is_empty() {
        return Err(errno::fail_at(ctx, libc::ENOENT, "rb_check_realpath_internal", b""));
    }
    let found = match real(&full) {
        Err(libc::ENOTDIR) => real(&normalize(&full)),
        Err(libc::ENOENT) => nameless(&full),
        found => found,
    };
    match found {
        Ok(path) => Ok(Str::new(ctx, &path, full.encoding).value()),
        Err(libc::ENOTDIR) => Err(errno::fail_at(ctx, libc::ENOTDIR, "realpath_rec", first_failing(&full))),
        Err(e) => {
            let named = as_named(ctx, args)?;
            Err(errno::fail_at(ctx, e, "rb_check_realpath_internal", &named))
        }
    }
}

/// The path as the program gave it, behind the directory that it gave.
fn as_named(ctx: &mut Ctx, args: Args) -> Result<PathBytes> {
    let path = path_bytes(ctx, args.at(0))?;
    let Some(base) = args.non_nil(1).filter(|_| path.first() != Some(&b'/')) else { return Ok(path) };
    let mut named = path_bytes(ctx, base)?;
    if !named.ends_with(b"/") {
        named.bytes.push(b'/');
    }
    named.bytes.extend_from_slice(&path);
    Ok(named)
}

/// The path up to the first part that is not there.
fn first_failing(path: &[u8]) -> &[u8] {
    let ends = path.iter().enumerate().filter(|(at, byte)| *at > 0 && **byte == b'/').map(|(at, _)| at);
    let is_there = |end: &usize| std::fs::symlink_metadata(std::ffi::OsStr::from_bytes(&path[..*end])).is_ok();
    ends.chain([path.len()]).find(|end| !is_there(end)).map_or(path, |end| &path[..end])
}

/// Like realpath, but the last part need not exist.
fn realdirpath_method(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let PathBytes { bytes: full, encoding } = absolute_argument(ctx, args)?;
    let mut path = b"/".to_vec();
    match follow(&full, &mut path, true, &mut Vec::new()) {
        Ok(()) => Ok(resolved(ctx, &path, encoding)),
        Err((e, at)) => Err(errno::fail_at(ctx, e, "realpath_rec", &at)),
    }
}

/// Resolves `path` part by part onto `resolved`; `..` takes a part off whatever it is. The last part of what is `last`
/// need not exist. `links` are those under way. The error says where it was found.
fn follow(
    path: &[u8],
    resolved: &mut Vec<u8>,
    last: bool,
    links: &mut Vec<Vec<u8>>,
) -> std::result::Result<(), (i32, Vec<u8>)> {
    let mut rest = path;
    loop {
        let start = rest.iter().position(|byte| *byte != b'/').unwrap_or(rest.len());
        let end = rest[start..].iter().position(|byte| *byte == b'/').map_or(rest.len(), |len| start + len);
        let name = &rest[start..end];
        rest = &rest[end..];
        match name {
            b"" => return Ok(()),
            b"." => {}
            b".." => {
                let parent = resolved.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
                resolved.truncate(parent.max(1));
            }
            _ => {
                let mut tested = resolved.clone();
                if tested != b"/" {
                    tested.push(b'/');
                }
                tested.extend_from_slice(name);
                if links.contains(&tested) {
                    return Err((libc::ELOOP, tested));
                }
                let file = std::ffi::OsStr::from_bytes(&tested);
                let code = |e: std::io::Error| e.raw_os_error().unwrap_or(libc::ENOENT);
                let link = match std::fs::symlink_metadata(file) {
                    Ok(data) if data.is_symlink() => {
                        std::fs::read_link(file).map(|target| Some(target.into_os_string().into_vec()))
                    }
                    Ok(_) => Ok(None),
                    Err(e) => Err(e),
                };
                match link.map_err(code) {
                    Ok(Some(target)) => {
                        if target.first() == Some(&b'/') {
                            *resolved = b"/".to_vec();
                        }
                        links.push(tested);
                        follow(&target, resolved, last && rest.is_empty(), links)?;
                        links.pop();
                    }
                    Err(e) if e != libc::ENOENT || !last || !rest.is_empty() => return Err((e, tested)),
                    Ok(None) | Err(_) => *resolved = tested,
                }
            }
        }
    }
}

/// The last part of a path, without trailing slashes.
pub fn base_part(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|b| *b != b'/').map_or(0, |i| i + 1);
    if end == 0 {
        return if path.is_empty() { path } else { &path[..1] };
    }
    let start = path[..end].iter().rposition(|b| *b == b'/').map_or(0, |i| i + 1);
    &path[start..end]
}

fn basename_method(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let suffix = match args.get(1) {
        // It has the rules of a path.
        Some(v) => {
            let text = ctx.to_str(v)?.value();
            Some(get_path_named(ctx, text, "string")?)
        }
        None => None,
    };
    let path = get_path(ctx, args.at(0))?;
    let base = base_part(path.bytes(ctx)).to_vec();
    let mut len = base.len();
    if let Some(suffix) = suffix {
        let suffix = suffix.bytes(ctx);
        if suffix == b".*" {
            // What is only dots up to the last one has no suffix.
            if let Some(dot) = base.iter().rposition(|b| *b == b'.').filter(|i| base[..*i].iter().any(|b| *b != b'.')) {
                len = dot;
            }
        } else if base.len() > suffix.len()
            && base.ends_with(suffix)
            && path.encoding().left_adjust(&base, base.len() - suffix.len()) == base.len() - suffix.len()
        {
            len -= suffix.len();
        }
    }
    Ok(Str::new(ctx, &base[..len], path.encoding()).value())
}

/// The path without its last `level` parts.
pub fn dirname(path: &[u8], level: usize) -> &[u8] {
    let mut at = path;
    for _ in 0..level {
        let end = at.iter().rposition(|b| *b != b'/').map_or(0, |i| i + 1);
        if end == 0 {
            return if path.first() == Some(&b'/') { b"/" } else { b"." };
        }
        match at[..end].iter().rposition(|b| *b == b'/') {
            None => return b".",
            Some(slash) => {
                let stop = at[..slash].iter().rposition(|b| *b != b'/').map_or(0, |i| i + 1);
                if stop == 0 {
                    return b"/";
                }
                at = &at[..stop];
            }
        }
    }
    at
}

fn dirname_method(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let level = match args.get(1) {
        Some(v) => ctx.to_c_int(v)?,
        None => 1,
    };
    if level < 0 {
        return Err(ctx.argument_error(&format!("negative level: {level}")));
    }
    let path = get_path(ctx, args.at(0))?;
    let bytes = path.bytes(ctx).to_vec();
    let doubled = bytes.iter().take_while(|b| **b == b'/').count();
    let trimmed = if doubled > 1 { &bytes[doubled - 1..] } else { &bytes[..] };
    let dir = if level == 0 { trimmed } else { dirname(trimmed, level as usize) };
    Ok(Str::new(ctx, dir, path.encoding()).value())
}

/// The extension with its dot, or nothing.
pub fn extension(path: &[u8]) -> &[u8] {
    let base = base_part(path);
    let start = base.iter().take_while(|b| **b == b'.').count();
    match base[start..].iter().rposition(|b| *b == b'.') {
        Some(dot) if start + dot > 0 => &base[start + dot..],
        _ => b"",
    }
}

fn extname_method(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let path = get_path(ctx, args.at(0))?;
    let ext = extension(path.bytes(ctx)).to_vec();
    Ok(Str::new(ctx, &ext, path.encoding()).value())
}

fn split_method(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let path = get_path(ctx, args.at(0))?.value();
    let dir = ctx.call_name(recv, "dirname", &[path])?;
    let base = ctx.call_name(recv, "basename", &[path])?;
    Ok(Array::from_slice(ctx, &[dir, base]).value())
}

fn path_method(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let path = get_path(ctx, args.at(0))?;
    Ok(path.dup(ctx).value())
}

/// `join(*parts)`: one slash between parts; Arrays are joined inside.
fn join_method(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let list = Array::from_slice(ctx, args.slice());
    let mut encoding = Encoding::US_ASCII;
    let joined = join_list(ctx, list, &mut encoding)?;
    let encoding = if args.is_empty() { Encoding::US_ASCII } else { encoding };
    Ok(Str::from_vec(ctx, joined, encoding).value())
}

fn join_list(ctx: &mut Ctx, list: Array, encoding: &mut Encoding) -> Result<Vec<u8>> {
    let mut out: Vec<u8> = Vec::new();
    let operation = ctx.intern("join");
    let mut i = 0;
    while let Some(part) = list.get(i) {
        let text = match Array::try_of(part) {
            Some(inner) => {
                let mut nested = *encoding;
                let text = ctx.guard_recursion(
                    operation,
                    inner.value(),
                    Value::NIL,
                    |ctx| Err(ctx.argument_error("recursive array")),
                    |ctx| join_list(ctx, inner, &mut nested),
                )?;
                *encoding = nested;
                text
            }
            None => {
                let string = get_path_named(ctx, part, "string")?;
                if i == 0 || !string.is_ascii_only(ctx) || *encoding == Encoding::US_ASCII {
                    *encoding = string.encoding();
                }
                string.bytes(ctx).to_vec()
            }
        };
        if i == 0 {
            out = text;
        } else if text.first() == Some(&b'/') {
            while out.last() == Some(&b'/') {
                out.pop();
            }
            out.extend_from_slice(&text);
        } else {
            if out.last() != Some(&b'/') {
                out.push(b'/');
            }
            out.extend_from_slice(&text);
        }
        i += 1;
    }
    Ok(out)
}

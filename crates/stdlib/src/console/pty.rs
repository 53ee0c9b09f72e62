//! PTY: pseudo-terminals. Starting programs on them is `pty.rb`.

use rubellite_core_io::io::state;
use rubellite_core_io::io::state::{IoState, mode};
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Value, primitive};
use std::ffi::CStr;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};

static PTY: ClassDef = ClassDef {
    name: "PTY",
    superclass: "",
    singleton_methods: &[],
    primitives: &[primitive("pty_open", Arity::NONE, open_pair)],
    ..ClassDef::EMPTY
};

pub fn load(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&PTY)?;
    ctx.run_internal(include_str!("pty.rb"), "pty")?;
    Ok(())
}

/// A new pair of descriptors with the path of the second, if there can be one.
fn new_pair() -> Option<(OwnedFd, OwnedFd, Vec<u8>)> {
    let mut name = [0 as libc::c_char; 64];
    // SAFETY: descriptors are new and ours; the name's buffer is as long as said and holds a C string on success.
    unsafe {
        let fd = libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC);
        if fd < 0 {
            return None;
        }
        let master = OwnedFd::from_raw_fd(fd);
        if libc::grantpt(fd) < 0 || libc::unlockpt(fd) < 0 || libc::ptsname_r(fd, name.as_mut_ptr(), name.len()) != 0 {
            return None;
        }
        let slave = libc::open(name.as_ptr(), libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC);
        if slave < 0 {
            return None;
        }
        Some((master, OwnedFd::from_raw_fd(slave), CStr::from_ptr(name.as_ptr()).to_bytes().to_vec()))
    }
}

/// `[master, slave]` as IO and File.
fn open_pair(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let Some((master, slave, path)) = new_pair() else {
        return Err(ctx.runtime_error("can't get Master/Slave device"));
    };
    let shown = [b"masterpty:".as_slice(), &path].concat();
    let io = ctx.classes().io.get();
    let file = ctx.named_class("File")?.value();
    let master = wrap(ctx, io, master, &shown, mode::SYNC);
    let slave = wrap(ctx, file, slave, &path, mode::SYNC);
    Ok(Array::from_slice(ctx, &[master, slave]).value())
}

fn wrap(ctx: &mut Ctx, class: Value, fd: OwnedFd, path: &[u8], bits: u32) -> Value {
    let path = Str::new(ctx, path, Encoding::UTF_8);
    debug_assert!(fd.as_raw_fd() >= 0);
    let state = IoState::new(fd.into_raw_fd(), mode::READ | mode::WRITE | bits);
    state.path.set(path.value());
    state::wrap(ctx, class, state)
}

//! Reading the file of a library or program.

use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Ctx, Ends, Leave, Result};
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::os::fd::FromRawFd;

static SOURCE_SITE: RegionSite = RegionSite::new("reading source");

/// What a file holds. It may be a pipe that nobody writes to: an interrupt ends the wait for it.
pub fn read_source(ctx: &mut Ctx, path: &[u8]) -> Result<Option<Vec<u8>>> {
    let Ok(name) = CString::new(path) else { return Ok(None) };
    let mut file = None;
    let mut source = Vec::new();
    let read = ctx.outside(Leave::new(Kind::Short(&SOURCE_SITE), Ends::Signal), |_| {
        let file = match &mut file {
            Some(file) => file,
            None => match open_once(&name) {
                Ok(opened) => file.insert(opened),
                Err(error) if error.kind() == ErrorKind::Interrupted => return None,
                Err(error) => return Some(Err(error)),
            },
        };
        match read_on(file, &mut source) {
            Err(error) if error.kind() == ErrorKind::Interrupted => None,
            outcome => Some(outcome),
        }
    })?;
    Ok(read.ok().map(|()| source))
}

/// Opens a file to read it. What a signal ends is not tried again.
fn open_once(name: &CStr) -> std::io::Result<File> {
    // SAFETY: the name ends with a NUL.
    let fd = unsafe { libc::open(name.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
    if fd < 0 {
        return Err(Error::last_os_error());
    }
    // SAFETY: the descriptor was just opened and is nobody else's.
    Ok(unsafe { File::from_raw_fd(fd) })
}

/// Appends the rest of a file, or what comes before a signal ends a read.
fn read_on(file: &mut File, source: &mut Vec<u8>) -> std::io::Result<()> {
    let size = file.metadata().map_or(0, |metadata| metadata.len() as usize);
    source.reserve(size.saturating_sub(source.len()) + 1);
    loop {
        let filled = source.len();
        let room = match source.capacity() - filled {
            0 => 1 << 12,
            spare => spare.min(1 << 20),
        };
        source.resize(filled + room, 0);
        let outcome = file.read(&mut source[filled..]);
        source.truncate(filled + *outcome.as_ref().unwrap_or(&0));
        if outcome? == 0 {
            return Ok(());
        }
    }
}

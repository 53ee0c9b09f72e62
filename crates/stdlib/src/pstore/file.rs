//! The file of a PStore: opening it under its lock, reading what changed, committing. Plain Rust that runs outside the
//! VM lock.
//!
//! # Commit in place
//! Old data of N bytes becomes new data of M bytes, under an exclusive lock:
//! 1. What is new behind the old end and the record that takes everything back (`undo.rs`) are written behind max(N,
//!    M). The old data is untouched: whoever reads the file sees it.
//! 2. The regions that differ are overwritten. A process that dies here leaves the record; the next one to open the
//!    file puts the old bytes back.
//! 3. The file is cut to M bytes. The record is gone: this is the moment of the commit.
//!
//! A signal cannot end a write in the middle of a page. So when everything that differs, with what is new behind the
//! end, lies within a page, it is written at once without a record, and this is the moment of the commit; and when the
//! last region reaches to the old end and its page has room for what step 1 writes, both are one write. An error in any
//! step takes the earlier ones back. Overwriting needs no room on the disk, so a full disk shows itself in step 1.
//!
//! # Another file at the path
//! `replace` renames a new file over the path under the lock of the old one. Whoever opened the old one before and gets
//! its lock after that must see it: either the path leads to another file now, or, which costs nothing to ask, the
//! stamp of the file has changed, since losing a name changes the ctime.
//!
//! # Seeing that nothing changed
//! Under the lock nobody who keeps to it writes. Between two transactions others may have; they are noticed by device,
//! inode, size, mtime and ctime, of which ctime cannot be set by programs. A time stamp says nothing about a change in
//! the tick in which it was taken, unless the kernel gives an inode whose time was asked for a new one at the next
//! change (Linux from 6.13 on, `Kernel`). Otherwise a stamp is trusted only when it was old enough when it was taken;
//! before that the bytes are read and compared.

use super::undo;
use rubellite_vm::object::SharedBytes;
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Kernels mark changes with the time of the last timer tick, of which there are at least 100 a second.
const TICK: Duration = Duration::from_millis(20);
/// Some file systems keep seconds only, or two of them.
const COARSE_TICK: Duration = Duration::from_millis(2500);
const PAGE: usize = 4096;
/// `Marshal.dump({})`
const EMPTY: &[u8] = b"\x04\x08{\x00";
/// Files are compared in pieces of this size.
const PIECE: usize = 1 << 16;

/// What tells one state of a file from another without reading it.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Stamp {
    place: (u64, u64),
    size: u64,
    mtime: (i64, i64),
    ctime: (i64, i64),
}

impl Stamp {
    fn of(meta: &Metadata) -> Stamp {
        let (mtime, ctime) = ((meta.mtime(), meta.mtime_nsec()), (meta.ctime(), meta.ctime_nsec()));
        Stamp { place: (meta.dev(), meta.ino()), size: meta.size(), mtime, ctime }
    }

    /// Whether a later change is certain to give another stamp.
    fn is_final(&self, fine: bool) -> bool {
        // A round number may come from a file system that rounds.
        if fine && self.ctime.1 % 1000 != 0 {
            return true;
        }
        let tick = if self.ctime.1 == 0 { COARSE_TICK } else { TICK };
        let changed = Duration::new(self.ctime.0.max(0) as u64, self.ctime.1 as u32);
        SystemTime::now().duration_since(UNIX_EPOCH).is_ok_and(|now| now > changed + tick)
    }
}

/// The data of the file as one object saw it last.
#[derive(Clone)]
pub struct Seen {
    pub data: SharedBytes,
    stamp: Stamp,
    /// The stamp alone tells whether the file has changed since.
    trusted: bool,
    /// The file system gives fresh stamps (`Kernel`).
    fine: bool,
}

/// A file under its lock.
pub struct Locked {
    file: File,
    /// The data, without a record behind it.
    pub data: SharedBytes,
    /// The data is the object's last one: it need not be checked again.
    pub unchanged: bool,
    stamp: Stamp,
    trusted: bool,
    fine: bool,
}

/// Why a file was not opened.
pub enum Refused {
    /// There is none, and it is only to be read.
    Missing,
    /// Somebody else holds the lock: wait for it outside (`wait`).
    Busy(File),
    Failed(io::Error),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::Failed(error)
    }
}

/// Opens the file, for writing also when there is none yet, and takes its lock if it is free. `waited` is a file whose
/// lock was waited for.
pub fn open(
    path: &Path,
    read_only: bool,
    kernel: Kernel,
    seen: Option<&Seen>,
    waited: Option<File>,
) -> Result<Locked, Refused> {
    let mut waited = waited;
    loop {
        let file = match waited.take() {
            Some(file) => file,
            None => {
                let file = open_unlocked(path, read_only)?;
                let taken = if read_only { file.try_lock_shared() } else { file.try_lock() };
                match taken {
                    Ok(()) => file,
                    Err(TryLockError::WouldBlock) => return Err(Refused::Busy(file)),
                    Err(TryLockError::Error(error)) => return Err(error.into()),
                }
            }
        };
        let meta = file.metadata()?;
        if seen.is_some_and(|seen| seen.trusted && seen.fine && seen.stamp == Stamp::of(&meta)) {
            return Ok(look(file, &meta, read_only, kernel, seen)?);
        }
        // Somebody may have put another file in its place before the lock was taken.
        match std::fs::metadata(path) {
            Ok(now) if (now.dev(), now.ino()) == (meta.dev(), meta.ino()) => {
                return Ok(look(file, &meta, read_only, kernel, seen)?);
            }
            Ok(_) => continue,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error.into()),
        }
    }
}

fn open_unlocked(path: &Path, read_only: bool) -> Result<File, Refused> {
    let mut options = OpenOptions::new();
    options.read(true).write(!read_only).create(!read_only).mode(0o666);
    match options.open(path) {
        Ok(file) => Ok(file),
        Err(error) if read_only && error.kind() == io::ErrorKind::NotFound => Err(Refused::Missing),
        Err(error) => Err(error.into()),
    }
}

/// Waits for the lock; a signal ends it with `Interrupted`.
pub fn wait(file: &File, read_only: bool) -> io::Result<()> {
    if read_only { file.lock_shared() } else { file.lock() }
}

/// Takes the data from memory if the file is as it was, else from the file.
fn look(file: File, meta: &Metadata, read_only: bool, kernel: Kernel, seen: Option<&Seen>) -> io::Result<Locked> {
    let stamp = Stamp::of(meta);
    if let Some(seen) = seen.filter(|seen| seen.stamp == stamp)
        && (seen.trusted || same_bytes(&file, &seen.data)?)
    {
        let trusted = seen.trusted || stamp.is_final(seen.fine);
        return Ok(Locked { file, data: seen.data.clone(), unchanged: true, stamp, trusted, fine: seen.fine });
    }
    let bytes = read_all(&file, meta.len())?;
    let data = match undo::decode(&bytes) {
        None => bytes,
        Some(undo) => {
            if !read_only {
                for region in &undo.regions {
                    file.write_all_at(&undo.old[region.clone()], region.start as u64)?;
                }
                file.set_len(undo.old.len() as u64)?;
            }
            undo.old
        }
    };
    let stamp = if read_only { stamp } else { Stamp::of(&file.metadata()?) };
    // What has a record behind it is another file than its data says.
    let fine = match seen {
        Some(seen) if seen.stamp.place.0 == stamp.place.0 => seen.fine,
        _ => kernel.fine_time_of(&file),
    };
    let trusted = stamp.size == data.len() as u64 && stamp.is_final(fine);
    Ok(Locked { file, data: SharedBytes::from_vec(data), unchanged: false, stamp, trusted, fine })
}

fn read_all(file: &File, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(size).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?];
    let mut at = 0;
    while at < bytes.len() {
        match file.read_at(&mut bytes[at..], at as u64) {
            Ok(0) => break,
            Ok(n) => at += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(at);
    Ok(bytes)
}

fn same_bytes(file: &File, data: &[u8]) -> io::Result<bool> {
    let mut piece = vec![0; PIECE.min(data.len())];
    let mut at = 0;
    while at < data.len() {
        let len = piece.len().min(data.len() - at);
        let n = file.read_at(&mut piece[..len], at as u64)?;
        if n == 0 || piece[..n] != data[at..at + n] {
            return Ok(false);
        }
        at += n;
    }
    Ok(true)
}

/// What is known about the running kernel.
#[derive(Copy, Clone)]
pub struct Kernel {
    /// Its file systems can give a file whose times were asked for a fresh time stamp at the next change.
    fine_time: bool,
}

impl Kernel {
    pub fn running() -> Kernel {
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let mut parts = release.split(['.', '-']).map(|part| part.trim().parse::<u32>().unwrap_or(0));
        let version = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
        Kernel { fine_time: version >= (6, 13) }
    }

    /// Whether this file gets such stamps: ext4, xfs, btrfs and tmpfs give them.
    fn fine_time_of(self, file: &File) -> bool {
        const SYSTEMS: [i64; 4] = [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994];
        if !self.fine_time {
            return false;
        }
        let mut info = std::mem::MaybeUninit::<libc::statfs>::uninit();
        // SAFETY: the descriptor is open while `file` lives, and the structure is ours.
        let done = unsafe { libc::fstatfs(file.as_raw_fd(), info.as_mut_ptr()) } == 0;
        // SAFETY: a call that succeeded has filled the structure.
        done && SYSTEMS.contains(&{ unsafe { info.assume_init() }.f_type })
    }
}

impl Locked {
    /// Puts `new`, marshalled data, in the place of the data, whole or not at all, and gives what was seen.
    pub fn commit(&mut self, new: &SharedBytes) -> io::Result<Seen> {
        let new = with_end(new);
        let mut old = self.data.clone();
        if old.is_empty() {
            // No data is no object to be read before what is written behind it: an empty Hash is.
            self.file.write_all_at(EMPTY, 0)?;
            old = SharedBytes::copy_of(EMPTY);
        }
        if let Err(error) = self.overwrite(&old, &new) {
            self.take_back(&old, &new);
            return Err(error);
        }
        self.finish(new)
    }

    fn finish(&mut self, data: SharedBytes) -> io::Result<Seen> {
        self.stamp = Stamp::of(&self.file.metadata()?);
        Ok(Seen { data, stamp: self.stamp, trusted: self.stamp.is_final(self.fine), fine: self.fine })
    }

    fn overwrite(&self, old: &[u8], new: &[u8]) -> io::Result<()> {
        let mut regions = undo::differences(old, new);
        let added = old.len().min(new.len())..new.len();
        let first = regions.first().map_or(added.start, |region| region.start);
        let last = if added.is_empty() { regions.last().map_or(first, |region| region.end) } else { added.end };
        if within_page(first, last) {
            self.file.write_all_at(&new[first..last], first as u64)?;
            if new.len() < old.len() {
                self.file.set_len(new.len() as u64)?;
            }
            return Ok(());
        }
        let record = undo::encode(old, new.len(), &regions);
        let mut start = old.len();
        let tail = regions.pop_if(|region| {
            region.end == old.len() && within_page(region.start, old.len().max(new.len()) + record.len())
        });
        if let Some(tail) = tail {
            start = tail.start;
        }
        let behind = [new.get(start..).unwrap_or(&[]), &record].concat();
        self.file.write_all_at(&behind, start as u64)?;
        for region in &regions {
            self.file.write_all_at(&new[region.clone()], region.start as u64)?;
        }
        self.file.set_len(new.len() as u64)
    }

    /// After an error: the old bytes again. What cannot be written stays in the record.
    fn take_back(&self, old: &[u8], new: &[u8]) {
        let regions = undo::differences(old, new);
        let restored =
            regions.iter().all(|region| self.file.write_all_at(&old[region.clone()], region.start as u64).is_ok());
        if restored {
            let _ = self.file.set_len(old.len() as u64);
        }
    }

    /// Writes `new` to a file of its own and puts it in the place of this one; with `durable` it lies on the disk
    /// before.
    pub fn replace(&mut self, path: &Path, new: &SharedBytes, unique: &str, durable: bool) -> io::Result<Seen> {
        let new = with_end(new);
        // The file itself, also when the path is a symbolic link to it.
        let target = std::fs::canonicalize(path)?;
        let mut name = target.clone().into_os_string();
        name.push(unique);
        let temporary = PathBuf::from(name);
        match self.write_and_rename(&temporary, &target, &new, durable) {
            Ok(file) => {
                self.file = file;
                self.finish(new)
            }
            Err(error) => {
                let _ = std::fs::remove_file(&temporary);
                Err(error)
            }
        }
    }

    fn write_and_rename(&self, temporary: &Path, target: &Path, new: &[u8], durable: bool) -> io::Result<File> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(temporary)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::Error(error) => error,
            TryLockError::WouldBlock => io::Error::from(io::ErrorKind::WouldBlock),
        })?;
        file.set_permissions(self.file.metadata()?.permissions())?;
        file.write_all_at(new, 0)?;
        if durable {
            file.sync_all()?;
        }
        std::fs::rename(temporary, target)?;
        if let Some(directory) = target.parent().filter(|_| durable) {
            // The name is in place; that it lasts is up to the directory.
            let _ = File::open(directory).and_then(|directory| directory.sync_all());
        }
        Ok(file)
    }

    /// What a transaction that wrote nothing saw.
    pub fn seen(&self) -> Seen {
        Seen { data: self.data.clone(), stamp: self.stamp, trusted: self.trusted, fine: self.fine }
    }
}

/// Whether no page boundary lies between the bytes of this range.
fn within_page(start: usize, end: usize) -> bool {
    start >= end || start / PAGE == (end - 1) / PAGE
}

/// The bytes to be written for `data`.
fn with_end(data: &SharedBytes) -> SharedBytes {
    if undo::ends_like_a_record(data) { SharedBytes::from_vec([data, &b"0"[..]].concat()) } else { data.clone() }
}

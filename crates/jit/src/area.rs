//! Memory for machine code. One range of addresses is mapped twice, once to be written and once to be run, so that no
//! page is both.
//!
//! A forked child shares the pages with its parent. It may run what is there, since nothing that was written is ever
//! changed; what the child compiles itself goes to an area of its own.

use std::os::fd::{FromRawFd, OwnedFd};
use std::ptr::NonNull;

/// The mappings and how much of them is used.
pub struct Area {
    writable: NonNull<u8>,
    runnable: NonNull<u8>,
    size: usize,
    used: usize,
    /// The part from the beginning that is not looked at through the writable mapping any more.
    left: usize,
    process: u32,
}

// SAFETY: the mappings belong to the area, which is used by the holder of a VM's lock alone.
unsafe impl Send for Area {}

/// Code begins at multiples of this.
const ALIGNMENT: usize = 32;

/// Pages are left so many bytes at a time.
const LEAVE: usize = 64 << 10;

impl Area {
    /// Reserves `size` bytes; `None` when the system gives no memory that may be run.
    pub fn new(size: usize) -> Option<Area> {
        let size = size.max(4096).next_multiple_of(4096);
        // SAFETY: a new file without a name, of which the descriptor is ours.
        let file = unsafe {
            let fd = libc::memfd_create(c"rubellite-jit".as_ptr(), libc::MFD_CLOEXEC);
            if fd < 0 {
                return None;
            }
            OwnedFd::from_raw_fd(fd)
        };
        let fd = std::os::fd::AsRawFd::as_raw_fd(&file);
        // SAFETY: as above.
        if unsafe { libc::ftruncate(fd, size as libc::off_t) } != 0 {
            return None;
        }
        let map = |protection| {
            // SAFETY: a fresh mapping of the file, whose length it has.
            let at = unsafe {
                libc::mmap(std::ptr::null_mut(), size, protection, libc::MAP_SHARED | libc::MAP_NORESERVE, fd, 0)
            };
            if at == libc::MAP_FAILED { None } else { NonNull::new(at.cast::<u8>()) }
        };
        let writable = map(libc::PROT_READ | libc::PROT_WRITE)?;
        let Some(runnable) = map(libc::PROT_READ | libc::PROT_EXEC) else {
            // SAFETY: mapped above with this size.
            unsafe { libc::munmap(writable.as_ptr().cast(), size) };
            return None;
        };
        Some(Area { writable, runnable, size, used: 0, left: 0, process: std::process::id() })
    }

    /// Whether the area may be written by this process.
    pub fn is_own(&self) -> bool {
        self.process == std::process::id()
    }

    /// Copies code into the area and returns the address at which it runs; `None` when it is full.
    pub fn put(&mut self, code: &[u8]) -> Option<usize> {
        let end = self.used + code.len().next_multiple_of(ALIGNMENT);
        if end > self.size {
            return None;
        }
        // SAFETY: the stretch lies within the mapping and was not given out before.
        let at = unsafe {
            std::ptr::copy_nonoverlapping(code.as_ptr(), self.writable.as_ptr().add(self.used), code.len());
            self.runnable.as_ptr().add(self.used) as usize
        };
        self.used = end;
        self.leave();
        Some(at)
    }

    /// Takes pages that are full out of the writable mapping: they stay where they run, and count once as memory of the
    /// process.
    fn leave(&mut self) {
        let full = self.used & !(LEAVE - 1);
        if full > self.left {
            // SAFETY: the stretch lies within the mapping, which is shared: the file keeps what was written.
            unsafe {
                libc::madvise(self.writable.as_ptr().add(self.left).cast(), full - self.left, libc::MADV_DONTNEED)
            };
            self.left = full;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Area;

    #[test]
    fn refuses_what_does_not_fit() {
        let mut area = Area::new(4096).unwrap();
        let first = area.put(&[0xc3; 100]).unwrap();
        let second = area.put(&[0xc3; 100]).unwrap();
        assert_eq!(second - first, 128);
        assert_eq!(area.put(&[0xc3; 4096]), None);
        assert_eq!(area.used, 256);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn full_pages_stay_in_one_mapping() {
        let mut area = Area::new(1 << 20).unwrap();
        let at = area.put(&[0xc3; 4 * super::LEAVE]).unwrap();
        let resident = |at: *const u8| {
            let mut words = [0; 16 * 8];
            let map = std::fs::File::open("/proc/self/pagemap").unwrap();
            std::os::unix::fs::FileExt::read_exact_at(&map, &mut words, at as u64 / 4096 * 8).unwrap();
            // The highest bit of a page's word: it is there.
            words.chunks(8).filter(|word| word[7] & 0x80 != 0).count()
        };
        let written = area.writable.as_ptr().cast_const();
        assert_eq!(resident(written), 0);
        // SAFETY: the code lies where it runs.
        assert_eq!(unsafe { *(at as *const u8) }, 0xc3);
        // SAFETY: as above.
        assert_eq!(unsafe { *written }, 0xc3);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn runs_what_was_put() {
        let mut area = Area::new(4096).unwrap();
        let at = area.put(&[0xb8, 42, 0, 0, 0, 0xc3]).unwrap(); // mov eax, 42; ret
        // SAFETY: the bytes are a function of this type.
        let function = unsafe { std::mem::transmute::<usize, extern "C" fn() -> i32>(at) };
        assert_eq!(function(), 42);
    }
}

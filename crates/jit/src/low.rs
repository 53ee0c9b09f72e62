//! Memory at low addresses, where the system has some, for words that machine code names by their addresses: such an
//! address takes five or six bytes in the code instead of ten.

use std::cell::{Cell, RefCell};
use std::ptr::NonNull;

/// Values that compiled code names by their addresses: close together, so that what a large program uses of them lies
/// in few lines of the processor's caches. They stay where they are as long as the VM lives.
pub struct Low<T> {
    chunks: RefCell<Vec<NonNull<T>>>,
    count: Cell<usize>,
}

/// Bytes that are mapped at once; what is not used of them takes addresses alone.
const CHUNK: usize = 64 << 10;

impl<T> Default for Low<T> {
    fn default() -> Low<T> {
        Low { chunks: RefCell::default(), count: Cell::new(0) }
    }
}

impl<T> Low<T> {
    /// Values of one chunk. They are never dropped.
    const PER_CHUNK: usize = {
        assert!(!std::mem::needs_drop::<T>() && size_of::<T>() <= CHUNK && align_of::<T>() <= 64);
        CHUNK / size_of::<T>()
    };

    /// Keeps another value.
    pub fn put(&self, value: T) -> &'static T {
        let mut chunks = self.chunks.borrow_mut();
        let (chunk, at) = (self.count.get() / Self::PER_CHUNK, self.count.get() % Self::PER_CHUNK);
        if at == 0 {
            chunks.push(map().cast());
        }
        self.count.set(self.count.get() + 1);
        // SAFETY: within the chunk, which stays there; what is compiled runs only while the VM lives.
        unsafe {
            let at = chunks[chunk].add(at);
            at.write(value);
            at.as_ref()
        }
    }

    /// Shows all values.
    pub fn each(&self, mut show: impl FnMut(&T)) {
        let chunks = self.chunks.borrow();
        for number in 0..self.count.get() {
            // SAFETY: so many have been written.
            show(unsafe { chunks[number / Self::PER_CHUNK].add(number % Self::PER_CHUNK).as_ref() });
        }
    }
}

impl<T> Drop for Low<T> {
    fn drop(&mut self) {
        for chunk in self.chunks.get_mut() {
            // SAFETY: mapped with this size, and nobody runs code that names what lies there.
            unsafe { libc::munmap(chunk.as_ptr().cast(), CHUNK) };
        }
    }
}

/// Pages for one chunk, where 32 bits reach if there are such.
fn map() -> NonNull<u8> {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    let low = libc::MAP_32BIT;
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
    let low = 0;
    for flags in [low, 0] {
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | flags);
        // SAFETY: new pages.
        let at = unsafe { libc::mmap(std::ptr::null_mut(), CHUNK, protection, flags, -1, 0) };
        if at != libc::MAP_FAILED
            && let Some(at) = NonNull::new(at.cast())
        {
            return at;
        }
    }
    std::alloc::handle_alloc_error(std::alloc::Layout::new::<[u8; CHUNK]>())
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, Low};

    #[test]
    fn values_stay_where_they_are() {
        let low = Low::default();
        let count = 3 * CHUNK / 8 + 5;
        let all: Vec<&u64> = (0..count as u64).map(|number| low.put(number)).collect();
        assert!(all.iter().enumerate().all(|(number, at)| **at == number as u64));
        let mut next = 0;
        low.each(|number| {
            assert_eq!(*number, next);
            next += 1;
        });
        assert_eq!(next, count as u64);
    }

    #[test]
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    fn addresses_are_low() {
        let low = Low::default();
        assert!(u32::try_from(std::ptr::from_ref(low.put(1_u64)) as u64).is_ok());
    }
}

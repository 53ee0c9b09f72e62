//! Size classes: which cell sizes exist. Which type uses which is the VM's business.

/// The size of a cell, chosen at compile time with [`SizeClass::of`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeClass(u8);

impl SizeClass {
    /// Cell sizes in bytes, ascending; all are multiples of 16.
    pub const SIZES: [u16; 7] = [32, 48, 64, 96, 128, 192, 256];
    /// How many size classes there are.
    pub const COUNT: usize = Self::SIZES.len();
    /// The largest object. Bigger ones keep their payload in malloc memory.
    pub const MAX_BYTES: usize = 256;

    /// The class for an object of type `T`; larger than 256 bytes does not compile.
    pub const fn of<T>() -> SizeClass {
        const {
            assert!(size_of::<T>() <= Self::MAX_BYTES, "object too large for a cell");
            assert!(align_of::<T>() <= 16, "cells are aligned to 16 bytes");
            Self::for_bytes(size_of::<T>())
        }
    }

    /// The smallest class that holds `bytes`. Panics (at compile time in a `const`)
    /// above [`SizeClass::MAX_BYTES`].
    pub const fn for_bytes(bytes: usize) -> SizeClass {
        assert!(bytes <= Self::MAX_BYTES, "object too large for a cell");
        let mut index = 0;
        while (Self::SIZES[index] as usize) < bytes {
            index += 1;
        }
        SizeClass(index as u8)
    }

    /// The cell size in bytes.
    #[inline(always)]
    pub const fn bytes(self) -> usize {
        Self::SIZES[self.0 as usize] as usize
    }

    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn all() -> impl Iterator<Item = SizeClass> {
        (0..Self::COUNT as u8).map(SizeClass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_class_that_fits() {
        assert_eq!(SizeClass::for_bytes(1).bytes(), 32);
        assert_eq!(SizeClass::for_bytes(32).bytes(), 32);
        assert_eq!(SizeClass::for_bytes(33).bytes(), 48);
        assert_eq!(SizeClass::for_bytes(256).bytes(), 256);
        assert_eq!(SizeClass::of::<[u64; 5]>().bytes(), 48);
    }

    #[test]
    #[should_panic(expected = "too large")]
    fn too_large() {
        SizeClass::for_bytes(257);
    }
}

//! The macro that declares a typed handle for a heap layout.
//!
//! A handle is one word, a [`Value`](crate::Value) whose tag was checked. It carries no lifetime: like every
//! value it keeps its object alive only while it lies on a stack that the collector scans or in a
//! traced object. What a handle lends (slices, references) is tied to a borrow of the `Ctx` instead, so
//! that it cannot outlive anything that may allocate, run Ruby or leave the lock.

macro_rules! handle {
    ($(#[$attr:meta])* $name:ident: $layout:ty, $tag:expr) => {
        $(#[$attr])*
        #[repr(transparent)]
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        pub struct $name($crate::Value);

        impl $name {
            /// The handle of a value that is known to have this layout.
            #[inline(always)]
            pub fn of(value: $crate::Value) -> $name {
                debug_assert!(value.has_tag($tag), "{value:?}");
                $name(value)
            }

            /// The handle, when the value has this layout.
            #[inline(always)]
            pub fn try_of(value: $crate::Value) -> Option<$name> {
                if value.has_tag($tag) { Some($name(value)) } else { None }
            }

            #[inline(always)]
            pub fn value(self) -> $crate::Value {
                self.0
            }

            #[inline(always)]
            pub fn header<'a>(self) -> &'a $crate::Header {
                // SAFETY: a handle is only made from the address of a cell.
                unsafe { self.0.header_unchecked() }
            }

            #[allow(dead_code)]
            #[inline(always)]
            fn raw<'a>(self) -> &'a $layout {
                // SAFETY: a handle is only made for a cell with the tag of this layout, and whoever
                // holds it keeps the cell alive.
                unsafe { &*self.0.as_ptr::<$layout>() }
            }
        }

        impl From<$name> for $crate::Value {
            #[inline(always)]
            fn from(handle: $name) -> $crate::Value {
                handle.0
            }
        }
    };
}

macro_rules! layout {
    ($layout:ty, $tag:expr) => {
        // SAFETY: the type is `#[repr(C)]` and begins with a header; its size is asserted here.
        unsafe impl $crate::ctx::Layout for $layout {
            const TAG: $crate::Tag = $tag;
        }

        const _: () = assert!(std::mem::size_of::<$layout>() <= 256);
    };
}

pub(crate) use {handle, layout};

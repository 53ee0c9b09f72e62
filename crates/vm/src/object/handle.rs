//! The macro that declares a typed handle for a heap layout.
//!
//! A handle is one word, a [`Value`](crate::Value) whose tag was checked. It carries no lifetime: like every
//! value it keeps its object alive only while it lies on a stack that the collector scans or in a
//! traced object. What a handle lends (slices, references) is tied to a borrow of the `Ctx` instead, so
//! that it cannot outlive anything that may allocate, run Ruby or leave the lock.

macro_rules! handle {
    ($(#[$attr:meta])* $name:ident $type_name:literal: $layout:ty, $($tag:path)|+) => {
        $(#[$attr])*
        #[repr(transparent)]
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        pub struct $name($crate::Value);

        impl $name {
            /// The handle of a value of this layout, unlooked at.
            ///
            /// # Safety
            /// The value is the address of a living cell of this layout.
            #[allow(dead_code)]
            #[inline(always)]
            pub(crate) unsafe fn of_unchecked(value: $crate::Value) -> $name {
                debug_assert!($name::is(value), "{value:?}");
                $name(value)
            }

            /// The handle of a value that has this layout unless the VM itself is wrong.
            #[allow(dead_code)]
            #[inline(always)]
            pub(crate) fn known(value: $crate::Value) -> $name {
                match $name::try_of(value) {
                    Some(handle) => handle,
                    None => $crate::object::other_layout(value, stringify!($name)),
                }
            }

            /// The handle, when the value has this layout.
            #[inline(always)]
            pub fn try_of(value: $crate::Value) -> Option<$name> {
                if $name::is(value) { Some($name(value)) } else { None }
            }

            /// Whether the value has this layout.
            #[inline(always)]
            pub fn is(value: $crate::Value) -> bool {
                value.header().is_some_and(|header| matches!(header.tag(), $($tag)|+))
            }

            #[inline(always)]
            pub fn value(self) -> $crate::Value {
                self.0
            }

            #[inline(always)]
            pub fn header(&self) -> &$crate::Header {
                // SAFETY: a handle is only made for a cell, and every cell begins with a header.
                unsafe { &*self.0.as_ptr::<$crate::Header>() }
            }

            #[allow(dead_code)]
            #[inline(always)]
            fn raw(&self) -> &$layout {
                // SAFETY: a handle is only made for a cell with the tag of this layout, and whoever
                // holds it keeps the cell alive.
                unsafe { &*self.0.as_ptr::<$layout>() }
            }
        }

        impl $crate::Receiver for $name {
            const NAME: &'static str = $type_name;

            #[inline(always)]
            fn receive(value: $crate::Value) -> Option<$name> {
                $name::try_of(value)
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

/// A value has another layout than all that led to it says.
#[cold]
#[inline(never)]
pub(crate) fn other_layout(value: crate::Value, name: &str) -> ! {
    panic!("{value:?} is no {name}")
}

//! Lists of the library's structures.

use super::{Foreign, Owned};
use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

/// A list that somebody owns.
#[repr(C)]
pub struct Stack<T>(UnsafeCell<[u8; 0]>, PhantomData<*mut T>);

/// A list whose items are given up with it.
#[repr(transparent)]
pub struct OwnedStack<T: Foreign>(NonNull<Stack<T>>);

/// A list of items that somebody else owns.
#[repr(transparent)]
pub struct LooseStack<T>(NonNull<Stack<T>>);

unsafe extern "C" {
    fn OPENSSL_sk_new_null() -> *mut c_void;
    fn OPENSSL_sk_num(stack: *const c_void) -> c_int;
    fn OPENSSL_sk_value(stack: *const c_void, at: c_int) -> *mut c_void;
    fn OPENSSL_sk_push(stack: *mut c_void, item: *const c_void) -> c_int;
    fn OPENSSL_sk_pop(stack: *mut c_void) -> *mut c_void;
    fn OPENSSL_sk_free(stack: *mut c_void);
}

impl<T> Stack<T> {
    fn raw(&self) -> *mut c_void {
        std::ptr::from_ref(self).cast_mut().cast()
    }

    pub fn len(&self) -> usize {
        // SAFETY: the list lives.
        unsafe { OPENSSL_sk_num(self.raw()) }.max(0) as usize
    }

    pub fn get(&self, at: usize) -> Option<&T> {
        // SAFETY: an index that is too large gives null; items live as long as the list.
        unsafe { OPENSSL_sk_value(self.raw(), at as c_int).cast::<T>().as_ref() }
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len()).filter_map(|at| self.get(at))
    }
}

impl<T: Foreign> Stack<T> {
    /// The last item, which is no longer the list's.
    ///
    /// # Safety
    /// The list owns its items.
    pub unsafe fn pop(&self) -> Option<Owned<T>> {
        // SAFETY: as the caller says.
        unsafe { Owned::from_raw(OPENSSL_sk_pop(self.raw()).cast()) }
    }
}

impl<T: Foreign> OwnedStack<T> {
    pub fn new() -> Option<OwnedStack<T>> {
        // SAFETY: a new list is nobody else's.
        NonNull::new(unsafe { OPENSSL_sk_new_null() }.cast()).map(OwnedStack)
    }

    pub fn push(&self, item: Owned<T>) -> bool {
        let raw = item.into_raw();
        // SAFETY: the list takes the item over.
        let done = unsafe { OPENSSL_sk_push(self.raw(), raw.cast()) } > 0;
        if !done {
            // SAFETY: it has not.
            drop(unsafe { Owned::from_raw(raw) });
        }
        done
    }

    /// # Safety
    /// The list and its items become this one's; or it is null.
    pub unsafe fn from_raw(raw: *mut Stack<T>) -> Option<OwnedStack<T>> {
        NonNull::new(raw).map(OwnedStack)
    }

    /// The list's address; whoever takes it gives up the list and its items.
    pub fn into_raw(self) -> *mut Stack<T> {
        let raw = self.0.as_ptr();
        std::mem::forget(self);
        raw
    }
}

impl<T: Foreign> Deref for OwnedStack<T> {
    type Target = Stack<T>;

    fn deref(&self) -> &Stack<T> {
        // SAFETY: it lives until it is dropped.
        unsafe { self.0.as_ref() }
    }
}

impl<T: Foreign> Drop for OwnedStack<T> {
    fn drop(&mut self) {
        // SAFETY: list and items are this one's.
        unsafe {
            while self.pop().is_some() {}
            OPENSSL_sk_free(self.0.as_ptr().cast());
        }
    }
}

impl<T> LooseStack<T> {
    pub fn new() -> Option<LooseStack<T>> {
        // SAFETY: a new list is nobody else's.
        NonNull::new(unsafe { OPENSSL_sk_new_null() }.cast()).map(LooseStack)
    }

    /// Adds an item, which must outlive the list.
    ///
    /// # Safety
    /// It does.
    pub unsafe fn push(&self, item: &T) -> bool {
        // SAFETY: as the caller says.
        unsafe { OPENSSL_sk_push(self.raw(), std::ptr::from_ref(item).cast()) > 0 }
    }
}

impl<T> Deref for LooseStack<T> {
    type Target = Stack<T>;

    fn deref(&self) -> &Stack<T> {
        // SAFETY: it lives until it is dropped.
        unsafe { self.0.as_ref() }
    }
}

impl<T> Drop for LooseStack<T> {
    fn drop(&mut self) {
        // SAFETY: the list alone is this one's.
        unsafe { OPENSSL_sk_free(self.0.as_ptr().cast()) }
    }
}

//! An intrusive list for the embedder's wait queues: who waits for this mutex, for
//! this descriptor. Entering and leaving cost the same however long the list is, and
//! an empty list is three words. Waking a thread is `LockThread::unpark`'s business.
//!
//! Invariant: a node lies in the frame of `WaitList::enter` that made it, and is in
//! the list only while that frame lives. So every pointer in the list is to a live node.

use std::cell::Cell;
use std::ptr;

/// A list of values, each of which stays for the length of a call. Not `Sync`: an
/// embedder that shares it must hold its `VmLock` for every operation. Inside the
/// closure of `enter` the lock may be left, if it is held again at the end.
pub struct WaitList<T> {
    head: Cell<*const Node<T>>,
    tail: Cell<*const Node<T>>,
    len: Cell<usize>,
}

struct Node<T> {
    value: T,
    linked: Cell<bool>,
    prev: Cell<*const Node<T>>,
    next: Cell<*const Node<T>>,
}

/// Takes its node out when the frame ends, also by a panic.
struct Linked<'a, T> {
    list: &'a WaitList<T>,
    node: &'a Node<T>,
}

impl<T> Drop for Linked<'_, T> {
    fn drop(&mut self) {
        self.list.unlink(self.node);
    }
}

impl<T> Default for WaitList<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> WaitList<T> {
    /// An empty list.
    pub const fn new() -> Self {
        WaitList { head: Cell::new(ptr::null()), tail: Cell::new(ptr::null()), len: Cell::new(0) }
    }

    /// Puts `value` at the end while `wait` runs. Whoever pops it takes it out earlier.
    pub fn enter<R>(&self, value: T, wait: impl FnOnce() -> R) -> R {
        let node = Node { value, linked: Cell::new(false), prev: Cell::new(ptr::null()), next: Cell::new(ptr::null()) };
        self.link(&node);
        let _linked = Linked { list: self, node: &node };
        wait()
    }

    /// `enter` for several lists at once, each with a value of its own.
    pub fn enter_all<'a, R>(entries: impl IntoIterator<Item = (&'a Self, T)>, wait: impl FnOnce() -> R) -> R
    where
        T: 'a,
    {
        let (lists, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
        let node = |value| Node { value, linked: Cell::new(false), prev: Cell::new(ptr::null()), next: Cell::new(ptr::null()) };
        // The nodes do not move any more: the list is complete before the first is linked, and borrowed then.
        let nodes: Box<[Node<T>]> = values.into_iter().map(node).collect();
        let linked: Vec<Linked<'_, T>> = lists
            .into_iter()
            .zip(&*nodes)
            .map(|(list, node)| {
                list.link(node);
                Linked { list, node }
            })
            .collect();
        let result = wait();
        drop(linked);
        result
    }

    /// Takes the longest waiting value out.
    pub fn pop_front(&self) -> Option<T>
    where
        T: Clone,
    {
        let node = Self::live(self.head.get())?;
        let value = node.value.clone();
        self.unlink(node);
        Some(value)
    }

    /// The longest waiting value.
    pub fn front(&self) -> Option<T>
    where
        T: Clone,
    {
        Self::live(self.head.get()).map(|node| node.value.clone())
    }

    /// The longest waiting value of those that `wanted` accepts.
    pub fn find(&self, wanted: impl Fn(&T) -> bool) -> Option<T>
    where
        T: Clone,
    {
        let mut at = self.head.get();
        while let Some(node) = Self::live(at) {
            if wanted(&node.value) {
                return Some(node.value.clone());
            }
            at = node.next.get();
        }
        None
    }

    /// All values, the longest waiting first, at this moment.
    pub fn snapshot(&self) -> Vec<T>
    where
        T: Clone,
    {
        let mut values = Vec::with_capacity(self.len());
        let mut at = self.head.get();
        while let Some(node) = Self::live(at) {
            values.push(node.value.clone());
            at = node.next.get();
        }
        values
    }

    /// Empties the list without touching what was in it: in the child of a fork the waiting threads are gone.
    pub fn forget(&self) {
        self.head.set(ptr::null());
        self.tail.set(ptr::null());
        self.len.set(0);
    }

    /// Shows every value, the longest waiting first. `visit` must not change the list.
    pub fn each(&self, mut visit: impl FnMut(&T)) {
        let mut at = self.head.get();
        while let Some(node) = Self::live(at) {
            visit(&node.value);
            at = node.next.get();
        }
    }

    /// Takes out every value that `stays` says no to. Their nodes must still be readable: for the child of a fork, which has
    /// the memory of threads that it does not have.
    pub fn retain(&self, mut stays: impl FnMut(&T) -> bool) {
        let mut at = self.head.get();
        while let Some(node) = Self::live(at) {
            at = node.next.get();
            if !stays(&node.value) {
                self.unlink(node);
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len.get()
    }

    /// Is nobody there?
    pub fn is_empty(&self) -> bool {
        self.len.get() == 0
    }

    fn live<'a>(node: *const Node<T>) -> Option<&'a Node<T>> {
        // SAFETY: a pointer in the list is null or to a node whose frame lives (the file's
        // invariant); the callers do not keep the reference beyond their own call, during which the
        // frame cannot end: the list is not Sync.
        unsafe { node.as_ref() }
    }

    fn link(&self, node: &Node<T>) {
        node.prev.set(self.tail.get());
        match Self::live(self.tail.get()) {
            Some(tail) => tail.next.set(node),
            None => self.head.set(node),
        }
        self.tail.set(node);
        node.linked.set(true);
        self.len.set(self.len.get() + 1);
    }

    fn unlink(&self, node: &Node<T>) {
        if !node.linked.replace(false) {
            return;
        }
        match Self::live(node.prev.get()) {
            Some(prev) => prev.next.set(node.next.get()),
            None => self.head.set(node.next.get()),
        }
        match Self::live(node.next.get()) {
            Some(next) => next.prev.set(node.prev.get()),
            None => self.tail.set(node.prev.get()),
        }
        self.len.set(self.len.get() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::WaitList;

    #[test]
    fn values_stay_for_the_length_of_a_call_and_leave_from_anywhere() {
        let list = WaitList::new();
        list.enter(1, || {
            list.enter(2, || {
                list.enter(3, || assert_eq!((list.snapshot(), list.len()), (vec![1, 2, 3], 3)));
                assert_eq!(list.snapshot(), [1, 2]);
                assert_eq!(list.pop_front(), Some(1));
                assert_eq!(list.front(), Some(2));
            });
            assert!(list.is_empty());
            list.enter(4, || assert_eq!(list.snapshot(), [4]));
        });
        assert_eq!(list.pop_front(), None);
    }

    #[test]
    fn several_lists_at_once() {
        let lists = [WaitList::new(), WaitList::new()];
        WaitList::enter_all(lists.iter().zip([1, 2]), || {
            assert_eq!((lists[0].front(), lists[1].pop_front()), (Some(1), Some(2)));
        });
        assert!(lists.iter().all(WaitList::is_empty));
    }

    #[test]
    fn a_panic_takes_its_value_out() {
        let list = WaitList::new();
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            list.enter("gone", || std::panic::resume_unwind(Box::new(())));
        }));
        assert!(caught.is_err() && list.is_empty());
    }
}

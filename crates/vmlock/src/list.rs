//! An intrusive list for the embedder's wait queues: who waits for this mutex, for
//! this descriptor. Entering and leaving cost the same however long the list is, and
//! an empty list is three words. Waking a thread is `LockThread::unpark`'s business.
//!
//! A value that is woken may stay in the list, as one of the called, until its call ends: then the wake can be taken
//! back.
//!
//! Invariant: a node lies in the frame of `WaitList::enter` that made it, and is in
//! the list only while that frame lives. So every pointer in the list is to a live node.

use std::cell::Cell;
use std::ptr;

/// A list of values, each of which stays for the length of a call. Not `Sync`: an
/// embedder that shares it must hold its `VmLock` for every operation. Inside the
/// closure of `enter` the lock may be left, if it is held again at the end.
pub struct WaitList<T> {
    waiting: Chain<T>,
    called: Chain<T>,
}

struct Chain<T> {
    head: Cell<*const Node<T>>,
    tail: Cell<*const Node<T>>,
    len: Cell<usize>,
}

/// Where a node is. A whole word, because others change it on the stack of a thread that waits, which a collector may
/// read word by word: bytes left over beside a single one could be an object's address with it.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
enum Linked {
    No,
    Waiting,
    Called,
}

struct Node<T> {
    value: T,
    linked: Cell<Linked>,
    prev: Cell<*const Node<T>>,
    next: Cell<*const Node<T>>,
}

/// Takes its node out when the frame ends, also by a panic.
struct Entered<'a, T> {
    list: &'a WaitList<T>,
    node: &'a Node<T>,
}

impl<T> Node<T> {
    fn new(value: T) -> Self {
        Node { value, linked: Cell::new(Linked::No), prev: Cell::new(ptr::null()), next: Cell::new(ptr::null()) }
    }
}

impl<T> Drop for Entered<'_, T> {
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
        WaitList { waiting: Chain::new(), called: Chain::new() }
    }

    /// Puts `value` at the end while `wait` runs. Whoever pops it takes it out earlier.
    pub fn enter<R>(&self, value: T, wait: impl FnOnce() -> R) -> R {
        let node = Node::new(value);
        self.waiting.push_back(&node);
        node.linked.set(Linked::Waiting);
        let _entered = Entered { list: self, node: &node };
        wait()
    }

    /// `enter` for several lists at once, each with a value of its own.
    pub fn enter_all<'a, R>(entries: impl IntoIterator<Item = (&'a Self, T)>, wait: impl FnOnce() -> R) -> R
    where
        T: 'a,
    {
        let (lists, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
        // The nodes do not move any more: the list is complete before the first is linked, and borrowed then.
        let nodes: Box<[Node<T>]> = values.into_iter().map(Node::new).collect();
        let entered: Vec<Entered<'_, T>> = lists
            .into_iter()
            .zip(&*nodes)
            .map(|(list, node)| {
                list.waiting.push_back(node);
                node.linked.set(Linked::Waiting);
                Entered { list, node }
            })
            .collect();
        let result = wait();
        drop(entered);
        result
    }

    /// Takes the longest waiting value out.
    pub fn pop_front(&self) -> Option<T>
    where
        T: Clone,
    {
        let node = live(self.waiting.head.get())?;
        let value = node.value.clone();
        self.unlink(node);
        Some(value)
    }

    /// Takes the longest waiting value out if `may` says so of it, but remembers it as called until its call ends.
    pub fn call_front(&self, may: impl FnOnce(&T) -> bool) -> Option<T>
    where
        T: Clone,
    {
        let node = live(self.waiting.head.get()).filter(|node| may(&node.value))?;
        self.waiting.unlink(node);
        self.called.push_back(node);
        node.linked.set(Linked::Called);
        Some(node.value.clone())
    }

    /// The value that was called last goes back to the front, if `may` says so of it. False: it does not, or nobody is
    /// called.
    pub fn uncall_last(&self, may: impl FnOnce(&T) -> bool) -> bool {
        let Some(node) = live(self.called.tail.get()).filter(|node| may(&node.value)) else { return false };
        self.called.unlink(node);
        self.waiting.push_front(node);
        node.linked.set(Linked::Waiting);
        true
    }

    /// How many are called and have not left yet.
    pub fn called(&self) -> usize {
        self.called.len.get()
    }

    /// The longest waiting value.
    pub fn front(&self) -> Option<T>
    where
        T: Clone,
    {
        live(self.waiting.head.get()).map(|node| node.value.clone())
    }

    /// The longest waiting value of those that `wanted` accepts.
    pub fn find(&self, wanted: impl Fn(&T) -> bool) -> Option<T>
    where
        T: Clone,
    {
        let mut at = self.waiting.head.get();
        while let Some(node) = live(at) {
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
        let mut at = self.waiting.head.get();
        while let Some(node) = live(at) {
            values.push(node.value.clone());
            at = node.next.get();
        }
        values
    }

    /// Empties the list without touching what was in it: in the child of a fork the waiting threads are gone.
    pub fn forget(&self) {
        self.waiting.forget();
        self.called.forget();
    }

    /// Shows every value, the longest waiting first, the called ones before them. `visit` must not change the list.
    pub fn each(&self, mut visit: impl FnMut(&T)) {
        for chain in [&self.called, &self.waiting] {
            let mut at = chain.head.get();
            while let Some(node) = live(at) {
                visit(&node.value);
                at = node.next.get();
            }
        }
    }

    /// Takes out every value that `stays` says no to. Their nodes must still be readable: for the child of a fork,
    /// which has the memory of threads that it does not have.
    pub fn retain(&self, mut stays: impl FnMut(&T) -> bool) {
        for chain in [&self.called, &self.waiting] {
            let mut at = chain.head.get();
            while let Some(node) = live(at) {
                at = node.next.get();
                if !stays(&node.value) {
                    self.unlink(node);
                }
            }
        }
    }

    /// How many wait, those who are called not counted.
    pub fn len(&self) -> usize {
        self.waiting.len.get()
    }

    /// Does nobody wait?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn unlink(&self, node: &Node<T>) {
        match node.linked.replace(Linked::No) {
            Linked::No => {}
            Linked::Waiting => self.waiting.unlink(node),
            Linked::Called => self.called.unlink(node),
        }
    }
}

fn live<'a, T>(node: *const Node<T>) -> Option<&'a Node<T>> {
    // SAFETY: a pointer in the list is null or to a node whose frame lives (the file's
    // invariant); the callers do not keep the reference beyond their own call, during which the
    // frame cannot end: the list is not Sync.
    unsafe { node.as_ref() }
}

impl<T> Chain<T> {
    const fn new() -> Self {
        Chain { head: Cell::new(ptr::null()), tail: Cell::new(ptr::null()), len: Cell::new(0) }
    }

    fn forget(&self) {
        self.head.set(ptr::null());
        self.tail.set(ptr::null());
        self.len.set(0);
    }

    fn push_back(&self, node: &Node<T>) {
        self.link(node, self.tail.get(), ptr::null());
    }

    fn push_front(&self, node: &Node<T>) {
        self.link(node, ptr::null(), self.head.get());
    }

    fn link(&self, node: &Node<T>, prev: *const Node<T>, next: *const Node<T>) {
        node.prev.set(prev);
        node.next.set(next);
        self.join(prev, node);
        self.join(node, next);
        self.len.set(self.len.get() + 1);
    }

    fn unlink(&self, node: &Node<T>) {
        self.join(node.prev.get(), node.next.get());
        self.len.set(self.len.get() - 1);
    }

    /// Makes two nodes neighbours; null: the end.
    fn join(&self, prev: *const Node<T>, next: *const Node<T>) {
        live(prev).map_or(&self.head, |prev| &prev.next).set(next);
        live(next).map_or(&self.tail, |next| &next.prev).set(prev);
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
    fn who_is_called_may_be_put_back_to_the_front() {
        let list = WaitList::new();
        let shown = || {
            let mut all = Vec::new();
            list.each(|value| all.push(*value));
            all
        };
        list.enter(1, || {
            list.enter(2, || {
                list.enter(3, || {
                    assert_eq!((list.call_front(|_| true), list.call_front(|_| true)), (Some(1), Some(2)));
                    assert_eq!((list.called(), list.len(), shown()), (2, 1, vec![1, 2, 3]));
                    assert!(!list.uncall_last(|value| *value != 2));
                    assert!(list.uncall_last(|value| *value == 2));
                    assert_eq!((list.called(), list.snapshot()), (1, vec![2, 3]));
                    assert!(list.uncall_last(|_| true));
                    assert!(!list.uncall_last(|_| true));
                    assert_eq!(list.snapshot(), [1, 2, 3]);
                    assert_eq!((list.call_front(|_| true), list.call_front(|_| true)), (Some(1), Some(2)));
                });
                assert_eq!((list.called(), shown()), (2, vec![1, 2]));
            });
            assert_eq!((list.called(), list.len(), shown()), (1, 0, vec![1]));
            list.retain(|_| false);
            assert_eq!(list.called(), 0);
        });
        assert_eq!(shown(), []);
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

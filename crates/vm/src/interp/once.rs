//! Code whose value is made once for all threads: regexps with `/o`, and `END {}`.
//!
//! States of its cache: open; claimed by a thread, which evaluates the code (`key` holds its id); done (`value` is
//! there for good). A claim ends with the value, or open again when the code is left without one. Threads that come
//! meanwhile wait and look again. The one that holds the claim does not wait for itself: what it evaluates inside is
//! its own and not kept.

use crate::Result;
use crate::code::Cache;
use crate::ctx::Ctx;
use crate::thread::ThreadState;
use crate::vm::Extension;
use rubellite_value::Value;
use std::cell::RefCell;
use std::sync::Arc;

/// The threads that wait for a value, whichever it is.
#[derive(Default)]
struct Waiting {
    list: RefCell<Vec<Arc<ThreadState>>>,
}

impl Extension for Waiting {
    fn trace(&self, _mark: &mut dyn FnMut(Value)) {}
}

impl Ctx {
    /// Claims the code, or answers false: the value is there, or this thread is evaluating the code already. Waits
    /// while another one does.
    #[cold]
    pub(super) fn claim_once(&mut self, cache: &Cache) -> Result<bool> {
        let me = Value::fixnum(self.thread().id as i64);
        loop {
            let owner = cache.key.get();
            if !cache.value.get().is_undef() || owner == me {
                return Ok(false);
            }
            // A thread that was lost by a fork gives nothing back.
            if owner.is_undef() || !self.threads().living().any(|t| Value::fixnum(t.id as i64) == owner) {
                cache.key.set(me);
                return Ok(true);
            }
            let state = self.thread().clone();
            self.extension::<Waiting>().list.borrow_mut().push(state.clone());
            let outcome = self.park_for_thread(None);
            self.extension::<Waiting>().list.borrow_mut().retain(|t| t.id != state.id);
            outcome?;
        }
    }

    /// Ends a claim with the value, or without one (undef).
    #[cold]
    pub(super) fn settle_once(&mut self, code: Value, cache: &Cache, value: Value) {
        cache.key.set(Value::UNDEF);
        cache.value.set(value);
        self.write_barrier(code, value);
        let waiting = self.extension::<Waiting>().list.take();
        waiting.iter().for_each(|state| self.wake(state));
    }
}

//! The assumptions of compiled code: what calls lead to, what constants are, and that nobody has redefined an operator.
//! (Types, classes and shapes are no assumptions: the code looks at them each time.)
//!
//! All code of one compilation has a word, which the VM makes stale whenever a method, a constant or an operator is
//! defined. Compiled code looks at the word when it begins, and behind whatever may run Ruby. Where the word is stale
//! the assumptions are checked one by one; most often something else was defined, and the word is fresh again until the
//! next definition.

use crate::low::Low;
use rubellite_value::Value;
use rubellite_vm::code::{Site, Target};
use rubellite_vm::jit::{STALE, are_operators_redefined, note_fresh};
use rubellite_vm::{Ctx, MethodBody};
use std::cell::{Cell, RefCell};

/// The assumptions of one compilation.
pub struct Assumptions {
    /// 0: nothing was defined since they were found to hold; else `STALE`.
    pub word: &'static Cell<u64>,
    /// The code is to be left, since it is to be made anew.
    doubted: Cell<bool>,
    list: RefCell<Vec<Assumption>>,
}

/// What holds as long as the counter for a name stands.
struct Assumption {
    counter: *const u32,
    stands: Cell<u32>,
    /// None: whatever is defined under the name counts.
    callee: Option<Callee>,
}

/// What a call leads to.
struct Callee {
    /// A site of the unit's code, or of code that was inlined.
    site: *const Site,
    class: Value, // tidy: kept by the code of the unit
    way: Way,
    key: Key,
}

/// What is called at a site.
#[derive(Copy, Clone)]
pub enum Way {
    /// A method of the receiver.
    Call,
    /// The same, where the refinements of a scope decide.
    Refined(Value), // tidy: kept by the code of the unit
    /// The `initialize` that `new` calls.
    New,
    /// What `super` leads to, in a frame of the method that was found at a place among the ancestors.
    Super(Value, u32), // tidy: kept by the code of the unit
}

/// What two lookups have in common that find the same method to be called in the same way.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Key {
    pub target: Target,
    pub method: Value, // tidy: kept by the code of the unit
    pub pos: u32,
    pub direct: *const (),
    /// Where code whose arguments are placed begins, and which keyword goes where.
    pub start: usize,
    pub plan: u32,
}

impl Key {
    /// Of a site that leads somewhere.
    pub fn of(site: &Site) -> Key {
        let target = site.target.get();
        let (start, plan) = if target == Target::Placed { site.plan() } else { (0, 0) };
        let is_code = || target == Target::Other && matches!(site.method().body(), MethodBody::Code { .. });
        let leads = matches!(target, Target::SimpleCode | Target::Placed | Target::Native | Target::Leaf) || is_code();
        let direct = if leads { site.direct.get() } else { std::ptr::null() };
        Key { target, method: site.method.get(), pos: site.pos.get(), direct, start: start as usize, plan }
    }
}

impl Assumptions {
    /// For code that is made now.
    pub fn new(ctx: &Ctx, words: &Low<Cell<u64>>) -> Assumptions {
        let word = words.put(Cell::new(0));
        note_fresh(ctx, word);
        Assumptions { word, doubted: Cell::new(false), list: RefCell::default() }
    }

    /// Nothing of the counter's name is defined: a constant, or any method.
    pub fn add_counter(&self, counter: *const u32, stands: u32) {
        self.add(Assumption { counter, stands: Cell::new(stands), callee: None });
    }

    /// The site leads where it does now, for receivers of the class, or instances of it that `new` makes. `counter`: of
    /// the name that is called.
    pub fn add_callee(
        &self,
        site: *const Site,
        (class, way): (Value, Way),
        key: Key,
        (counter, stands): (*const u32, u32),
    ) {
        let callee = Callee { site, class, way, key };
        self.add(Assumption { counter, stands: Cell::new(stands), callee: Some(callee) });
    }

    fn add(&self, assumption: Assumption) {
        self.list.borrow_mut().push(assumption);
    }

    /// Whether all of them hold still. If so the code may go on until the next definition.
    pub fn hold(&self, ctx: &mut Ctx) -> bool {
        if self.doubted.get() || are_operators_redefined(ctx) {
            return false;
        }
        let hold = self.list.borrow().iter().all(|assumption| assumption.holds(ctx));
        if hold && !self.are_fresh() {
            note_fresh(ctx, self.word);
        }
        hold
    }

    /// They hold no more, for code that is to be left.
    pub fn doubt(&self) {
        self.doubted.set(true);
        self.word.set(STALE);
    }

    /// The code is to be left, whatever was defined.
    pub fn are_doubted(&self) -> bool {
        self.doubted.get()
    }

    /// They are looked at again.
    pub fn trust(&self) {
        self.doubted.set(false);
    }

    /// Whether nothing was defined since they were looked at.
    pub fn are_fresh(&self) -> bool {
        self.word.get() == 0
    }
}

impl Assumption {
    fn holds(&self, ctx: &mut Ctx) -> bool {
        // SAFETY: counters lie where they are as long as the VM lives.
        let now = unsafe { *self.counter };
        if now == self.stands.get() {
            return true;
        }
        let holds = self.callee.as_ref().is_some_and(|target| target.holds(ctx));
        if holds {
            self.stands.set(now);
        }
        holds
    }
}

impl Callee {
    /// Looks the method up again.
    fn holds(&self, ctx: &mut Ctx) -> bool {
        // SAFETY: the code that runs keeps that to which the site belongs.
        let site = unsafe { &*self.site };
        let resolved = match self.way {
            Way::Call => ctx.resolve_site(site, self.class),
            Way::Refined(scope) => ctx.resolve_refined(site, self.class, scope),
            Way::New => ctx.resolve_new(site, self.class),
            Way::Super(method, pos) => ctx.resolve_super(site, self.class, method, pos),
        };
        resolved.is_some_and(|resolved| Key::of(&resolved) == self.key)
    }
}

//! Linked code: an ISeq with its literal objects, call sites and inline caches.
//!
//! A code cell owns its data in a box whose address never changes, so that frames and call sites
//! point straight at it. Children are linked when they are first used, methods when they are first called: most
//! methods of a large program never are, and until then they are code objects alone.

pub mod case;

use crate::ctx::{Ctx, Layout};
use crate::epoch::EpochRef;
use crate::method::Method;
use crate::object::{TempArray, handle};
use case::Case;
use rubellite_bytecode::{CallSite, Const, ISeq, Insn, Text};
use rubellite_value::{Header, Sym, Tag, Value};
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell};
use std::ops::Deref;
use std::sync::Arc;

/// Bits of `Site::flags`.
pub mod site_flags {
    pub const SPLAT: u16 = 1;
    pub const KEYWORD_SPLAT: u16 = 2;
    pub const KEYWORDS: u16 = 4;
    pub const BLOCK_ARG: u16 = 8;
    pub const SELF_CALL: u16 = 16;
    pub const VCALL: u16 = 32;
    pub const ZSUPER: u16 = 64;
    pub const FRESH_KEYWORDS: u16 = 128;
    pub const FRESH_SPLAT: u16 = 256;
    /// Anything that the direct paths cannot do.
    pub const COMPLEX: u16 = SPLAT | KEYWORD_SPLAT | KEYWORDS;
}

/// What a filled call cache leads to.
#[repr(u8)]
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Target {
    Empty,
    /// Code whose parameters are all required, given in the right number, positionally.
    SimpleCode,
    /// Code whose arguments go where the site's plan says (`interp/placed.rs`).
    Placed,
    /// A native method that takes the given number of arguments.
    Native,
    /// A native method that runs without a frame.
    Leaf,
    /// `!=` of an object whose `==` is identity, while the epoch of `==` is the noted one.
    NotIdentical,
    AttrReader,
    AttrWriter,
    /// `Proc#call`, or a method made of a Proc.
    Proc,
    /// What is called where the noted refinements are active: the general path.
    Refined,
    /// Anything else: the general path.
    Other,
}

/// A call site with its inline cache: one line of the processor's cache, since large programs run most of their sites
/// once in a while. So two words serve each target in its own way; methods name what they hold: `attr_slot`, `plan`,
/// `equality_epoch`, `refinements`, `super_caller`.
#[repr(align(64))]
pub struct Site {
    pub name: Sym,
    pub argc: u16,
    pub flags: u16,
    /// Literal block: child index plus one; 0: none.
    pub block: u16,
    pub target: Cell<Target>,
    /// The epoch of the name when the cache was filled.
    pub epoch: Cell<u32>,
    /// The class whose instances call `method`, and where that stands among the class's ancestors.
    pub klass: Cell<Value>,
    pub method: Cell<Value>,
    pub pos: Cell<u32>,
    /// `SimpleCode`, `Placed`: the code; `Native`, `Leaf`: the function. Attributes: see `shape`.
    pub direct: Cell<*const ()>,
    /// Lexical scope of the cached method's definition. `super`: see `super_caller`.
    pub cref: Cell<Value>,
    /// What they are `target` decides.
    words: [Cell<u32>; 2],
    keywords: SymList,
}

const _: () = assert!(size_of::<Site>() == 64);

/// A list of names among those of the VM.
#[derive(Copy, Clone)]
struct SymList(u32);

/// The lists of names that call sites share: most keywords are given in the same order at many places.
#[derive(Default)]
pub(crate) struct SymLists {
    lists: Vec<Box<[Sym]>>,
    numbers: FxHashMap<Box<[Sym]>, u32>,
}

impl SymLists {
    fn number(&mut self, list: Box<[Sym]>) -> SymList {
        if list.is_empty() {
            return SymList(0);
        }
        let lists = &mut self.lists;
        SymList(*self.numbers.entry(list).or_insert_with_key(|list| {
            lists.push(list.clone());
            lists.len() as u32
        }))
    }
}

/// An inline cache of an instance variable, constant or once-expression.
pub struct Cache {
    pub key: Cell<Value>,
    pub value: Cell<Value>,
    pub epoch: Cell<u32>,
    pub slot: Cell<u32>,
    pub shape: Cell<u32>,
    pub next_shape: Cell<u32>,
    /// Constants: the epoch of the name as it is now.
    pub current: Cell<Option<EpochRef>>,
}

impl Cache {
    fn new() -> Cache {
        Cache {
            key: Cell::new(Value::UNDEF),
            value: Cell::new(Value::UNDEF),
            epoch: Cell::new(u32::MAX),
            slot: Cell::new(0),
            shape: Cell::new(u32::MAX),
            next_shape: Cell::new(0),
            current: Cell::new(None),
        }
    }
}

/// The instructions of the code object that lies beside them in [`CodeData`]: linked code adds nothing to them.
pub struct Insns {
    first: *const Insn,
    len: usize,
}

impl Deref for Insns {
    type Target = [Insn];

    #[inline(always)]
    fn deref(&self) -> &[Insn] {
        // SAFETY: the code object, which lies in the same data, keeps them and never changes.
        unsafe { std::slice::from_raw_parts(self.first, self.len) }
    }
}

type Literals = Box<[Value]>; // tidy: traced by RCode

/// What frames point at. What each call looks at comes first, within one line of the processor's cache.
#[repr(C, align(64))]
pub struct CodeData {
    pub insns: Insns,
    /// What is at the first of `places`.
    pub start: crate::jit::Slot,
    pub register_count: u32,
    /// Registers `first_local..local_end` are set to nil at entry.
    pub first_local: u16,
    pub local_end: u16,
    pub env_size: u16,
    pub required: u16,
    /// Only required positional parameters.
    pub simple: bool,
    /// Required and optional parameters, rest, keywords, block: neither post nor keyword rest, except one without a
    /// name.
    pub in_place: bool,
    /// Keywords that arrive in the rest parameter are flagged (`ruby2_keywords`).
    pub ruby2_keywords: Cell<bool>,
    pub sites: Box<[Site]>,
    pub cell: Cell<Value>,

    pub caches: Box<[Cache]>,
    /// Runs of comparisons with literals that have run.
    pub(crate) cases: Box<[OnceCell<Box<Case>>]>,
    pub names: Box<[Sym]>,
    consts: Literals,
    pub iseq: Arc<ISeq>,

    children: Box<[Cell<Value>]>, // tidy: traced by RCode
    /// Where compiled code may be entered: the beginning, the beginnings for given optional arguments, loops.
    pub places: Box<[u32]>,
    /// What is at the other ones of `places`.
    pub later_slots: Box<[crate::jit::Slot]>,
    pub kept: crate::jit::Kept,
    /// Method or class name symbol.
    pub name: Sym,
}

const _: () = assert!(std::mem::offset_of!(CodeData, caches) == 64);

#[repr(C)]
pub struct RCode {
    header: Header,
    /// Null until it is linked.
    data: Cell<*mut CodeData>,
    iseq: Arc<ISeq>,
}

// SAFETY: repr(C), begins with a Header, 32 bytes.
unsafe impl Layout for RCode {
    const TAG: Tag = Tag::Code;
}

handle! {
    /// Handle of linked code.
    Code "Code": RCode, Tag::Code
}

/// Where the cell of some code, if it is one, has the address of its data.
pub(crate) fn data_word(cell: Value) -> usize {
    cell.bits() as usize + std::mem::offset_of!(RCode, data)
}

/// CRuby's number for code among its internal objects. Extensions that look for code read it in the first word.
const NUMBER_OF_CODE: u16 = 7;

fn code_header() -> Header {
    let header = Header::new(Tag::Code, Value::FALSE);
    // SAFETY: nothing depends on the number of a Code.
    unsafe { header.set_aux(NUMBER_OF_CODE) };
    header
}

impl Code {
    /// Code that is linked when it is first run. The collector hears of its bytes and those of the code inside it.
    pub fn new(ctx: &mut Ctx, iseq: Arc<ISeq>) -> Code {
        let bytes = counted_size(&iseq, |_| true);
        let code = Code::inner(ctx, iseq);
        ctx.note_short_blocks(bytes);
        code
    }

    /// Code inside of other code, with which it was counted.
    fn inner(ctx: &mut Ctx, iseq: Arc<ISeq>) -> Code {
        Code(ctx.alloc(RCode { header: code_header(), data: Cell::new(std::ptr::null_mut()), iseq }))
    }

    /// Links `iseq`, a script or a text that is evaluated: makes its literal objects and empty caches.
    pub fn link(ctx: &mut Ctx, iseq: Arc<ISeq>) -> Code {
        ctx.note_block_users(&iseq);
        let code = Code::new(ctx, iseq);
        code.ready(ctx);
        code
    }

    /// Its data; links it if nobody has run it yet.
    #[inline]
    pub(crate) fn ready(self, ctx: &mut Ctx) -> *const CodeData {
        if !self.is_linked() {
            self.make_data(ctx);
        }
        self.data_ptr()
    }

    #[cold]
    #[inline(never)]
    fn make_data(self, ctx: &mut Ctx) {
        let iseq = self.iseq().clone();
        let internal = iseq.script.is_internal();
        let names: Box<[Sym]> = iseq.names.iter().map(|t| ctx.intern_in_code(t, internal)).collect();
        let sites = iseq.sites.iter().map(|s| link_site(ctx, s, &names)).collect();
        let name = ctx.intern_in_code(&iseq.name, internal);
        let consts = ctx.literals(&iseq.consts, internal);
        if self.is_linked() {
            // A literal took the lock away, and another thread came first.
            return;
        }
        let first_local = 1 + iseq.params.register_count();
        let (places, start, later_slots) = crate::jit::slots(ctx, &iseq.insns, &iseq.params.opt_table);
        let data = Box::new(CodeData {
            insns: Insns { first: iseq.insns.as_ptr(), len: iseq.insns.len() },
            places,
            start,
            later_slots,
            kept: Default::default(),
            register_count: iseq.register_count as u32,
            first_local,
            local_end: iseq.local_end.max(first_local),
            env_size: iseq.env_size,
            required: iseq.params.required,
            simple: iseq.params.is_simple(),
            in_place: iseq.params.post == 0
                && (iseq.params.anonymous_keyword_rest
                    || iseq.params.keyword_rest == rubellite_bytecode::KeywordRest::None)
                && !iseq.params.no_block,
            cell: Cell::new(self.0),
            consts,
            names,
            sites,
            caches: (0..iseq.cache_count).map(|_| Cache::new()).collect(),
            cases: (0..iseq.case_count).map(|_| OnceCell::new()).collect(),
            children: iseq.children.iter().map(|_| Cell::new(Value::NIL)).collect(),
            iseq,
            name,
            ruby2_keywords: Cell::new(false),
        });
        if internal {
            ctx.bind_primitives(&data);
        }
        let bytes = data.memory_size();
        // SAFETY: a handle is only made from a value with the Code tag.
        unsafe { (*self.0.as_ptr::<RCode>()).data.set(Box::into_raw(data)) };
        for literal in &self.data().consts {
            ctx.write_barrier(self.0, *literal);
        }
        ctx.note_malloc(bytes as isize);
    }

    /// Whether it has been linked.
    #[inline(always)]
    pub fn is_linked(self) -> bool {
        !self.data_ptr().is_null()
    }

    /// Null until it is linked.
    #[inline(always)]
    pub(crate) fn data_ptr(self) -> *const CodeData {
        // SAFETY: a handle is only made from a value with the Code tag.
        unsafe { (*self.0.as_ptr::<RCode>()).data.get() }
    }

    /// The data of code that is linked: that has run, or is about to.
    #[inline(always)]
    pub(crate) fn data(&self) -> &CodeData {
        assert!(self.is_linked(), "code that is not linked");
        // SAFETY: the data lives as long as the cell, which the caller keeps reachable.
        unsafe { &*self.data_ptr() }
    }

    /// Marks code with a rest parameter and no keywords as taking flagged keywords (`ruby2_keywords`); false: it cannot
    /// be.
    pub fn mark_ruby2_keywords(self, ctx: &mut Ctx) -> bool {
        let params = &self.iseq().params;
        let fits = params.rest
            && params.keywords.is_empty()
            && params.keyword_rest == rubellite_bytecode::KeywordRest::None
            && params.post == 0;
        if fits {
            self.ready(ctx);
            self.data().ruby2_keywords.set(true);
        }
        fits
    }

    pub fn iseq(&self) -> &Arc<ISeq> {
        // SAFETY: a handle is only made from a value with the Code tag; the cell, which the caller keeps reachable,
        // keeps the code object.
        unsafe { &(*self.0.as_ptr::<RCode>()).iseq }
    }

    pub(crate) fn trace(self, mut mark: impl FnMut(Value)) {
        if !self.is_linked() {
            return;
        }
        let data = self.data();
        data.consts.iter().for_each(|v| mark(*v));
        data.children.iter().for_each(|c| mark(c.get()));
        data.kept.trace(&mut mark);
        for site in &data.sites {
            mark(site.klass.get());
            mark(site.method.get());
        }
        for cache in &data.caches {
            if cache.current.get().is_some_and(|epoch| epoch.get() != cache.epoch.get()) {
                // A constant that has changed since: its old value is not kept alive.
                cache.key.set(Value::NIL);
                cache.value.set(Value::NIL);
            }
            mark(cache.key.get());
            mark(cache.value.get());
        }
    }

    /// Frees the data and gives the code object up; returns the malloc bytes given back.
    ///
    /// # Safety
    /// The cell is being swept.
    pub(crate) unsafe fn release(self) -> usize {
        // SAFETY: nobody looks at the cell any more, whose fields are dropped once; the data, if there is some, was
        // made by Box::into_raw when it was linked.
        unsafe {
            let cell = self.0.as_ptr::<RCode>();
            let data = (*cell).data.get();
            let iseq = std::ptr::read(&raw const (*cell).iseq);
            if data.is_null() {
                return counted_size(&iseq, |_| true);
            }
            let data = Box::from_raw(data);
            // Code inside it that was made goes by itself.
            data.memory_size() + counted_size(&iseq, |index| data.children[index].get().is_nil())
        }
    }
}

/// Bytes of a program's code and of the code inside it for whose index `counts` is true: what the collector's pacing
/// counts. The runtime's own code stays.
fn counted_size(iseq: &ISeq, counts: impl Fn(usize) -> bool) -> usize {
    if iseq.script.is_internal() { 0 } else { iseq.memory_size(counts) }
}

impl Code {
    /// Links the child `index`; none when it is linked already.
    pub(crate) fn link_child(self, ctx: &mut Ctx, index: usize) -> Option<Code> {
        self.ready(ctx);
        // SAFETY: the data lives as long as the cell, which `self` keeps.
        let data = unsafe { &*self.data_ptr() };
        let fresh = data.linked_child(index).is_none();
        fresh.then(|| data.child(ctx, index))
    }
}

impl CodeData {
    /// Its bytes, as far as they stay the same.
    fn memory_size(&self) -> usize {
        size_of::<CodeData>()
            + size_of_val(&*self.sites)
            + size_of_val(&*self.caches)
            + size_of_val(&*self.names)
            + size_of_val(&*self.consts)
            + size_of_val(&*self.children)
    }

    /// The run of comparisons that begins with the instruction.
    pub fn case(&self, ctx: &Ctx, pc: usize) -> Option<&Case> {
        let number = (self.insns[pc].c as usize).checked_sub(1)?;
        Some(
            self.cases[number]
                .get_or_init(|| Box::new(Case::read(ctx, &self.insns, |literal| self.literal(literal), pc))),
        )
    }

    /// What is at one of `places`.
    #[inline(always)]
    pub fn slot(&self, number: usize) -> &crate::jit::Slot {
        if number == 0 { &self.start } else { &self.later_slots[number - 1] }
    }

    /// Whether there is compiled code for one of its places.
    pub fn is_compiled(&self) -> bool {
        self.start.is_compiled() || self.later_slots.iter().any(crate::jit::Slot::is_compiled)
    }

    /// The linked child `index`.
    #[inline]
    pub(crate) fn child(&self, ctx: &mut Ctx, index: usize) -> Code {
        let known = self.children[index].get();
        let code = if known.is_nil() { self.new_child(ctx, index) } else { Code::known(known) };
        code.ready(ctx);
        code
    }

    /// The child `index`, which may not be linked yet.
    pub(crate) fn method_child(&self, ctx: &mut Ctx, index: usize) -> Code {
        let known = self.children[index].get();
        if known.is_nil() { self.new_child(ctx, index) } else { Code::known(known) }
    }

    fn new_child(&self, ctx: &mut Ctx, index: usize) -> Code {
        let code = Code::inner(ctx, self.iseq.children[index].clone());
        self.children[index].set(code.value());
        ctx.write_barrier(self.cell.get(), code.value());
        code
    }

    /// The child `index`, if it is linked.
    pub fn linked_child(&self, index: usize) -> Option<&CodeData> {
        let known = Code::try_of(self.children[index].get())?;
        // SAFETY: the children live as long as this code; null is none.
        unsafe { known.data_ptr().as_ref() }
    }

    #[inline(always)]
    pub fn literal(&self, index: usize) -> Value {
        // SAFETY: the verifier bounds the index.
        unsafe { *self.consts.get_unchecked(index) }
    }

    pub(crate) fn line_at(&self, pc: *const Insn) -> i32 {
        self.iseq.line_at(self.offset_of(pc) as usize - 1)
    }

    /// How many instructions lie before `pc`, at least 1.
    pub(crate) fn offset_of(&self, pc: *const Insn) -> u32 {
        // SAFETY: `pc` points into this code's instructions or just behind them.
        let offset = unsafe { pc.offset_from(self.insns.as_ptr()) };
        offset.max(1) as u32
    }
}

impl Site {
    /// The method that the site leads to. It must have a target.
    pub fn method(&self) -> Method {
        // SAFETY: a site has a target only together with the method that it stands for, and its code keeps both alive.
        unsafe { Method::of_unchecked(self.method.get()) }
    }

    /// Names of the keywords that are given, which come last among the arguments.
    #[inline]
    pub fn keywords(&self, ctx: &Ctx) -> &'static [Sym] {
        if self.flags & site_flags::KEYWORDS == 0 {
            return &[];
        }
        // SAFETY: the lock is held; lists are never changed or removed while the VM lives, and code does not outlive
        // it.
        unsafe { &*std::ptr::from_ref::<[Sym]>(&ctx.vm().sym_lists.get().lists[self.keywords.0 as usize - 1]) }
    }

    /// Whether the methods of the name are as they were when the cache was filled.
    #[inline(always)]
    pub fn is_current(&self, ctx: &Ctx) -> bool {
        self.epoch.get() == ctx.known_method_epoch(self.name)
    }

    /// Where the epoch of the name lies, for compiled code.
    pub fn epoch_address(&self, ctx: &Ctx) -> *const u32 {
        ctx.method_epoch_ref(self.name).address()
    }

    /// Attributes: the shape that has the variable in `attr_slot`; `u32::MAX`: none yet.
    #[inline(always)]
    pub fn shape(&self) -> u32 {
        self.direct.get() as usize as u32
    }

    /// Attributes: the slot of the variable in objects of `shape`.
    #[inline(always)]
    pub fn attr_slot(&self) -> u32 {
        self.words[0].get()
    }

    /// Attribute writers: the shape that an object of `shape` has afterwards.
    #[inline(always)]
    pub fn next_shape(&self) -> u32 {
        self.words[1].get()
    }

    /// Attributes: nothing is known of shapes yet.
    #[inline]
    pub(crate) fn forget_shape(&self) {
        self.direct.set(u32::MAX as usize as *const ());
    }

    #[inline]
    pub(crate) fn set_attr(&self, shape: u32, slot: u32, next_shape: u32) {
        self.direct.set(shape as usize as *const ());
        self.set_words(slot, next_shape);
    }

    /// `Placed`: where the code begins, and the plan of its keywords.
    #[inline(always)]
    pub fn plan(&self) -> (u32, u32) {
        (self.words[0].get(), self.words[1].get())
    }

    pub(crate) fn set_plan(&self, start: u32, plan: u32) {
        self.set_words(start, plan);
    }

    /// `NotIdentical`: the epoch of `==` when the cache was filled.
    #[inline(always)]
    pub fn equality_epoch(&self) -> u32 {
        self.words[1].get()
    }

    pub(crate) fn set_equality_epoch(&self, epoch: u32) {
        self.words[1].set(epoch);
    }

    /// `Refined`: the number of the refinements that are active where the site leads there.
    #[inline(always)]
    pub(crate) fn refinements(&self) -> u32 {
        self.words[0].get()
    }

    pub(crate) fn set_refinements(&self, number: u32) {
        self.words[0].set(number);
    }

    /// Sites of `super`: the method that calls, and where it stands among the ancestors.
    #[inline]
    pub fn super_caller(&self) -> (Value, u32) {
        (self.cref.get(), self.words[0].get())
    }

    #[inline]
    pub(crate) fn set_super_caller(&self, method: Value, pos: u32) {
        self.cref.set(method);
        self.words[0].set(pos);
    }

    #[inline]
    fn set_words(&self, first: u32, second: u32) {
        self.words[0].set(first);
        self.words[1].set(second);
    }

    /// A site of a call whose cache is empty. `block` is the number of the literal block, from 1 on. The name has an
    /// epoch.
    fn new(name: Sym, argc: u16, flags: u16, block: u16, keywords: SymList) -> Site {
        Site {
            name,
            argc,
            flags,
            block,
            target: Cell::new(Target::Empty),
            epoch: Cell::new(u32::MAX),
            klass: Cell::new(Value::UNDEF),
            method: Cell::new(Value::NIL),
            pos: Cell::new(0),
            direct: Cell::new(std::ptr::null()),
            cref: Cell::new(Value::NIL),
            words: [Cell::new(0), Cell::new(0)],
            keywords,
        }
    }

    /// A site of a call with the same arguments of one's own method of another name.
    pub(crate) fn of_name(&self, ctx: &Ctx, name: Sym) -> Site {
        ctx.method_epoch(name);
        Site::new(name, self.argc, self.flags | site_flags::SELF_CALL, self.block, self.keywords)
    }

    /// A site of the call that `send` makes: of all arguments but the first, which is the name.
    pub(crate) fn sends(&self, ctx: &Ctx, name: Sym) -> Site {
        // A counter is there from now on.
        ctx.method_epoch(name);
        let flags = self.flags & !(site_flags::VCALL | site_flags::KEYWORDS) | site_flags::SELF_CALL;
        Site::new(name, self.argc - 1, flags, self.block, SymList(0))
    }

    /// A site of the same call whose cache is empty.
    pub(crate) fn empty(&self) -> Site {
        Site::new(self.name, self.argc, self.flags, self.block, self.keywords)
    }
}

fn link_site(ctx: &mut Ctx, site: &CallSite, names: &[Sym]) -> Site {
    let mut flags = 0;
    let mut put = |on: bool, flag: u16| {
        if on {
            flags |= flag;
        }
    };
    put(site.splat, site_flags::SPLAT);
    put(site.splat_fresh, site_flags::FRESH_SPLAT);
    put(site.keyword_splat, site_flags::KEYWORD_SPLAT);
    put(site.keyword_splat_fresh, site_flags::FRESH_KEYWORDS);
    put(!site.keywords.is_empty(), site_flags::KEYWORDS);
    put(site.block_arg, site_flags::BLOCK_ARG);
    put(site.self_call, site_flags::SELF_CALL);
    put(site.vcall, site_flags::VCALL);
    put(site.zsuper, site_flags::ZSUPER);
    let name = names.get(site.name as usize).copied().unwrap_or(Sym(0));
    // A counter is there from now on.
    ctx.method_epoch(name);
    let keywords = site.keywords.iter().map(|n| names[*n as usize]).collect();
    // SAFETY: the lock is held; the borrow ends with the statement.
    let keywords = unsafe { ctx.vm().sym_lists.get_mut() }.number(keywords);
    Site::new(name, site.argc, flags, site.block, keywords)
}

/// How many literals are kept on the machine's stack while the others are made: a first call then makes no object that
/// the program has not asked for.
const FEW_LITERALS: usize = 32;

impl Ctx {
    /// The objects for the literals of code that is being linked. The caller puts them where they are traced.
    fn literals(&mut self, list: &[Const], internal: bool) -> Literals {
        if list.len() <= FEW_LITERALS {
            let mut few = [Value::NIL; FEW_LITERALS];
            for (place, k) in few.iter_mut().zip(list) {
                *place = self.literal(k, internal);
            }
            return few[..list.len()].into();
        }
        let many = TempArray::with_capacity(self, list.len());
        for k in list {
            let literal = self.literal(k, internal);
            many.push(self, literal);
        }
        many.slice(self).into()
    }

    /// The object for a literal; `internal`: in a part of the runtime.
    pub(crate) fn literal(&mut self, k: &Const, internal: bool) -> Value {
        use crate::object::{Complex, Int, Range, Rational};
        match k {
            Const::Nil => Value::NIL,
            Const::True => Value::TRUE,
            Const::False => Value::FALSE,
            Const::Int(n) => self.int(*n),
            Const::BigInt(digits) => {
                crate::object::Int::parse(digits.as_bytes(), 10, true).map_or(Value::NIL, |i| i.into_value(self))
            }
            Const::Float(f) => self.float(*f),
            Const::Symbol(text) => Value::symbol(self.intern_in_code(text, internal)),
            Const::Str(text) => self.shared_literal(text),
            Const::Noted(text, place) => self.noted_literal(text, place),
            Const::Rational(num, den) => {
                let (num, den) = (self.literal(num, internal), self.literal(den, internal));
                match (Int::try_of(num), Int::try_of(den)) {
                    (Some(n), Some(d)) => Rational::reduce(self, &n, &d).map_or(Value::NIL, Rational::value),
                    _ => Rational::new(self, num, den).value(),
                }
            }
            Const::Imaginary(imag) => {
                let imag = self.literal(imag, internal);
                Complex::new(self, Value::fixnum(0), imag).value()
            }
            Const::Range(low, high, exclusive) => {
                let (low, high) = (self.literal(low, internal), self.literal(high, internal));
                Range::new(self, low, high, *exclusive).value()
            }
            Const::Regexp(text, options) => {
                (self.vm().hooks().new_regexp)(self, text.bytes(), text.encoding(), *options).unwrap_or_else(|_| {
                    // The parser has checked literals; what Onigmo and Oniguruma judge differently surfaces at use.
                    self.clear_pending();
                    Value::NIL
                })
            }
            Const::SymbolArray(texts) => {
                let array = crate::object::Array::new(self);
                for text in texts {
                    let sym = Value::symbol(self.intern_in_code(text, internal));
                    array.push(self, sym);
                }
                array.header().set(rubellite_value::flags::FROZEN);
                array.value()
            }
            Const::Array(items) => {
                let list = crate::object::Array::new_in(self, Value::HIDDEN);
                for item in items {
                    let item = self.literal(item, internal);
                    list.push(self, item);
                }
                list.value()
            }
            Const::Hash(items) => {
                let hash = crate::object::Hash::new_in(self, Value::HIDDEN);
                for pair in items.chunks_exact(2) {
                    let (key, value) = (self.literal(&pair[0], internal), self.literal(&pair[1], internal));
                    // Constants hash and compare without calls.
                    let _ = hash.insert(self, key, value);
                }
                hash.value()
            }
            Const::Encoding(encoding) => (self.vm().hooks().encoding_object)(self, *encoding),
        }
    }

    /// A frozen String that is the same for all literals of this content. Its code range is known, and so is that of
    /// each String that is made of it.
    fn shared_literal(&mut self, text: &Text) -> Value {
        let string = self.interned_bytes(text.bytes(), text.encoding());
        string.code_range(self);
        string.value()
    }

    /// A frozen String of its own that says where it was made.
    fn noted_literal(&mut self, text: &Text, place: &Text) -> Value {
        let string = crate::object::Str::new(self, text.bytes(), text.encoding());
        let place = crate::object::Str::new(self, place.bytes(), place.encoding());
        self.note_place(string, place.value());
        string.header().set(rubellite_value::flags::FROZEN);
        string.value()
    }
}

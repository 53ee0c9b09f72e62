//! Random: generators, `Kernel#rand`. The algorithm is `mt.rs`; numbers of a wanted size are `draw.rs`.

mod draw;
mod kernel;
mod mt;

pub use draw::{Source, below, limited, own_source, with_own};

use draw::{draw_kernel, draw_number};
use kernel::KernelGenerator;
use mt::Twister;
use rubellite_vm::object::{Array, Data, Int, NativeData, Str};
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Extension, Result, Unwind, Value, method, private_method};
use std::cell::{Cell, RefCell};

pub static FORMATTER: ClassDef = ClassDef {
    name: "Random::Formatter",
    superclass: "",
    methods: &[
        method("random_number", Arity::range(0, 1), random_number),
        method("rand", Arity::range(0, 1), random_number),
    ],
    setup: Some(give_to_random),
    ..ClassDef::EMPTY
};

pub static RANDOM: ClassDef = ClassDef {
    name: "Random",
    superclass: "Object",
    alloc: Some(allocate),
    methods: &[
        private_method("initialize", Arity::range(0, 1), initialize),
        private_method("initialize_copy", Arity::ONE, initialize_copy),
        method("rand", Arity::range(0, 1), rand),
        method("bytes", Arity::ONE, bytes),
        method("seed", Arity::NONE, seed),
        method("==", Arity::ONE, op_eq),
        private_method("state", Arity::NONE, state),
        private_method("left", Arity::NONE, left),
        private_method("marshal_dump", Arity::NONE, marshal_dump),
        private_method("marshal_load", Arity::ONE, marshal_load),
    ],
    singleton_methods: &[
        method("srand", Arity::range(0, 1), srand),
        method("rand", Arity::range(0, 1), class_rand),
        method("bytes", Arity::ONE, class_bytes),
        method("seed", Arity::NONE, class_seed),
        method("new_seed", Arity::NONE, new_seed),
        method("urandom", Arity::ONE, urandom),
    ],
    ..ClassDef::EMPTY
};

/// Lets Random and its objects have the methods of Random::Formatter, which is made after it.
fn give_to_random(ctx: &mut Ctx, formatter: Class) -> Result<()> {
    let random = ctx.classes().random.class();
    let singleton = Class::singleton_class(ctx, random.value()).ok_or(Unwind)?;
    for class in [random, singleton] {
        class.include(ctx, formatter).map_err(|_| Unwind)?;
    }
    Ok(())
}

/// A generator and the seed that it began with.
pub(super) struct Generator {
    twister: RefCell<Twister>,
    seed: Cell<Value>,
}

impl NativeData for Generator {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.seed.get());
    }
}

impl Generator {
    fn new(seed: Value) -> Generator {
        let twister = seeded(&Int::try_of(seed).unwrap_or(Int::ZERO));
        Generator { twister: RefCell::new(twister), seed: Cell::new(seed) }
    }
}

/// The generator for the magnitude of a seed. Of several words a highest one of 1 is left out: it guards the
/// leading zeros of random seeds.
fn seeded(seed: &Int) -> Twister {
    let mut words: Vec<u32> = seed.magnitude_words().iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect();
    while words.last() == Some(&0) {
        words.pop();
    }
    match words[..] {
        [] => Twister::from_word(0),
        [word] => Twister::from_word(word),
        [ref rest @ .., 1] => Twister::from_words(rest),
        _ => Twister::from_words(&words),
    }
}

/// The generator of `Kernel#rand`, made at first use.
#[derive(Default)]
pub(super) struct DefaultGenerator(RefCell<Option<Generator>>);

impl Extension for DefaultGenerator {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        if let Some(generator) = &*self.0.borrow() {
            mark(generator.seed.get());
        }
    }
}

/// Runs `body` with the default generator.
pub(super) fn with_default<T>(ctx: &mut Ctx, body: impl FnOnce(&Generator) -> T) -> Result<T> {
    if let Some(generator) = &*ctx.extension::<DefaultGenerator>().0.borrow() {
        return Ok(body(generator));
    }
    let generator = Generator::new(random_seed(ctx)?);
    let result = body(&generator);
    *ctx.extension::<DefaultGenerator>().0.borrow_mut() = Some(generator);
    Ok(result)
}

/// To be called in the child of a fork: it gets a new seed at the next use.
pub fn forget_default(ctx: &mut Ctx) {
    *ctx.extension::<DefaultGenerator>().0.borrow_mut() = None;
}

// -- seeds ----------------------------------------------------------------------------

/// Bytes from the operating system.
fn system_bytes(ctx: &mut Ctx, out: &mut [u8]) -> Result<()> {
    let mut filled = ctx.extension::<KernelGenerator>().fill(out);
    while filled < out.len() {
        let rest = &mut out[filled..];
        // SAFETY: `rest` is a live buffer of the length that is passed.
        let n = unsafe { libc::getrandom(rest.as_mut_ptr().cast(), rest.len(), 0) };
        match usize::try_from(n) {
            Ok(n) if n > 0 => filled += n,
            _ if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => ctx.check_interrupts()?,
            _ => return Err(ctx.runtime_error("failed to get urandom")),
        }
    }
    Ok(())
}

/// A new seed of 128 bits; a guard word keeps leading zeros.
fn random_seed(ctx: &mut Ctx) -> Result {
    let mut bytes = [0; 16];
    match rubellite_core_thread::schedule::next_seed(ctx) {
        Some(seed) => bytes[..8].copy_from_slice(&seed.to_le_bytes()),
        None => system_bytes(ctx, &mut bytes)?,
    }
    let (low, high) = bytes.split_at(8);
    let word = |b: &[u8]| b.iter().rev().fold(0u64, |n, b| n << 8 | *b as u64);
    let (low, high) = (word(low), word(high));
    let guard = (high >> 32 <= 1) as u64;
    let words = [low, high, guard];
    Ok(Int::from_words(false, &words[..2 + guard as usize]).into_value(ctx))
}

fn new_seed(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    random_seed(ctx)
}

fn seed_argument(ctx: &mut Ctx, args: &Args) -> Result {
    match args.get(0) {
        Some(seed) => ctx.to_integer(seed),
        None => random_seed(ctx),
    }
}

/// `srand(seed)`: seeds the default generator anew, and gives the old seed.
pub fn srand(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let seed = seed_argument(ctx, &args)?;
    let old = with_default(ctx, |generator| generator.seed.get())?;
    let default = ctx.extension::<DefaultGenerator>();
    *default.0.borrow_mut() = Some(Generator::new(seed));
    Ok(old)
}

fn class_seed(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    with_default(ctx, |generator| generator.seed.get())
}

// -- objects --------------------------------------------------------------------------

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new(ctx, class, Generator::new(Value::fixnum(0))).value())
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    ctx.check_frozen(recv)?;
    let seed = seed_argument(ctx, &args)?;
    if let Some(data) = Data::try_of(recv) {
        data.install(ctx, Generator::new(seed));
    }
    Ok(recv)
}

fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    ctx.check_frozen(recv)?;
    let copy = Data::state_of::<Generator>(ctx, args.at(0))
        .map(|g| Generator { twister: g.twister.clone(), seed: g.seed.clone() });
    match (copy, Data::try_of(recv)) {
        (Some(copy), Some(data)) => {
            data.install(ctx, copy);
            Ok(recv)
        }
        _ => Err(ctx.copy_of_other_class_error()),
    }
}

fn seed(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Data::state_of::<Generator>(ctx, recv).map_or(Value::NIL, |g| g.seed.get()))
}

fn op_eq(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let other = args.at(0);
    if ctx.real_class(recv) != ctx.real_class(other) {
        return Ok(Value::FALSE);
    }
    let (Some(a), Some(b)) = (Data::state_of::<Generator>(ctx, recv), Data::state_of::<Generator>(ctx, other)) else {
        return Ok(Value::FALSE);
    };
    let same = *a.twister.borrow() == *b.twister.borrow();
    let (a, b) = (a.seed.get(), b.seed.get());
    Ok(Value::from_bool(same && ctx.equal(a, b)?))
}

/// The words of the state as one Integer, lowest first.
fn state(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let Some(generator) = Data::state_of::<Generator>(ctx, recv) else { return Ok(Value::NIL) };
    let words: Vec<u64> = {
        let twister = generator.twister.borrow();
        twister.dump().0.chunks(2).map(|w| w[0] as u64 | (w[1] as u64) << 32).collect()
    };
    Ok(Int::from_words(false, &words).into_value(ctx))
}

fn left(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let left = Data::state_of::<Generator>(ctx, recv).map_or(0, |g| g.twister.borrow().dump().1);
    Ok(Value::fixnum(left as i64))
}

fn marshal_dump(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let dump = [state(ctx, recv, args)?, left(ctx, recv, args)?, seed(ctx, recv, args)?];
    Ok(Array::from_slice(ctx, &dump).value())
}

fn marshal_load(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    ctx.check_frozen(recv)?;
    let dump = ctx.to_ary(args.at(0))?;
    let (Some(state), Some(left), Some(seed), 3) = (dump.get(0), dump.get(1), dump.get(2), dump.len()) else {
        return Err(ctx.argument_error("wrong dump data"));
    };
    let (state, left) = (ctx.to_integer(state)?, ctx.to_int(left)?);
    let words: Vec<u32> = Int::try_of(state)
        .map(|n| n.magnitude_words().iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect())
        .unwrap_or_default();
    let twister = usize::try_from(left).ok().and_then(|left| Twister::load(&words, left));
    let Some(twister) = twister else {
        return Err(ctx.argument_error("wrong value"));
    };
    let seed = ctx.to_integer(seed)?;
    if let Some(data) = Data::try_of(recv) {
        data.install(ctx, Generator { twister: RefCell::new(twister), seed: Cell::new(seed) });
    }
    Ok(recv)
}

// -- numbers --------------------------------------------------------------------------

fn rand(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    draw_number(ctx, Source::Object(recv), args.get(0))
}

fn class_rand(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    draw_number(ctx, Source::Default, args.get(0))
}

pub fn kernel_rand(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    draw_kernel(ctx, args.get(0))
}

/// `Random::Formatter#random_number`: limits that make no sense count as none.
fn random_number(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let source = Source::of(ctx, recv);
    draw::draw_lenient(ctx, source, args.get(0))
}

fn byte_count(ctx: &mut Ctx, value: Value) -> Result<usize> {
    let n = ctx.to_integer(value)?;
    let n = ctx.to_int(n)?;
    usize::try_from(n).map_err(|_| ctx.string_size_error())
}

/// Random bytes of a generator, four from each word.
fn bytes_of(ctx: &mut Ctx, source: Source, count: usize) -> Result {
    let mut out = Vec::new();
    super::format::reserve(ctx, &mut out, count)?;
    while out.len() < count {
        let end = count.min(out.len() + (1 << 17));
        with_own(ctx, source, |twister| {
            while out.len() < end {
                let word = twister.next_u32().to_le_bytes();
                let n = (end - out.len()).min(4);
                out.extend_from_slice(&word[..n]);
            }
        })?;
        if out.len() < count {
            // The generator belongs to whoever holds the lock: about once in a millisecond another thread may.
            ctx.check_interrupts()?;
        }
    }
    Ok(Str::from_vec(ctx, out, rubellite_encoding::Encoding::BINARY).value())
}

fn bytes(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let count = byte_count(ctx, args.at(0))?;
    bytes_of(ctx, Source::Object(recv), count)
}

fn class_bytes(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let count = byte_count(ctx, args.at(0))?;
    bytes_of(ctx, Source::Default, count)
}

fn urandom(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    let count = byte_count(ctx, args.at(0))?;
    let mut out = Vec::new();
    super::format::reserve(ctx, &mut out, count)?;
    while out.len() < count {
        let from = out.len();
        out.resize(count.min(from + (1 << 20)), 0);
        system_bytes(ctx, &mut out[from..])?;
        ctx.check_interrupts()?;
    }
    Ok(Str::from_vec(ctx, out, rubellite_encoding::Encoding::BINARY).value())
}

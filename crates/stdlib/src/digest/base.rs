//! Digest::Base and its classes: an object that owns the state of a function.
//!
//! While a large input is digested outside the lock, the state is taken out of its object; another thread that comes
//! meanwhile waits its turn. An update that an exception or a kill ends leaves the state as it was before.

use super::algorithm::Algorithm;
use rubellite_vm::object::{CData, Data, DigestStep, NativeData, Str, digest_step};
use rubellite_vm::vmlock::{Kind, RegionSite};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Ends, Leave, Result, Value, method, private_method};
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// Inputs from here on are digested outside the lock: 2 to 7 us.
const OUTSIDE_MIN: usize = 4 << 10;
/// The stop flag is looked at after so many bytes: at most 2 ms.
const STEP: usize = 1 << 20;

static SITE: RegionSite = RegionSite::new("digest");

struct DigestState(RefCell<Option<Algorithm>>);

impl NativeData for DigestState {}

static BASE: ClassDef = ClassDef {
    name: "Digest::Base",
    superclass: "Digest::Class",
    alloc: Some(abstract_base),
    methods: &[
        method("initialize_copy", Arity::ONE, initialize_copy),
        method("reset", Arity::NONE, reset),
        method("update", Arity::ONE, update),
        method("<<", Arity::ONE, update),
        private_method("finish", Arity::NONE, finish),
        method("digest_length", Arity::NONE, digest_length),
        method("block_length", Arity::NONE, block_length),
    ],
    ..ClassDef::EMPTY
};

type Allocator = fn(&mut Ctx, Value) -> Result;

const CLASSES: &[(&str, Allocator)] = &[
    ("Digest::MD5", |ctx, class| allocate(ctx, class, Algorithm::Md5(Default::default()))),
    ("Digest::SHA1", |ctx, class| allocate(ctx, class, Algorithm::Sha1(Default::default()))),
    ("Digest::SHA256", |ctx, class| allocate(ctx, class, Algorithm::Sha256(Default::default()))),
    ("Digest::SHA384", |ctx, class| allocate(ctx, class, Algorithm::Sha384(Default::default()))),
    ("Digest::SHA512", |ctx, class| allocate(ctx, class, Algorithm::Sha512(Default::default()))),
    ("Digest::RMD160", |ctx, class| allocate(ctx, class, Algorithm::Rmd160(Default::default()))),
];

pub fn load(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&BASE)?;
    for &(name, alloc) in CLASSES {
        ctx.install(&ClassDef { name, superclass: "Digest::Base", alloc: Some(alloc), ..ClassDef::EMPTY })?;
    }
    Ok(())
}

fn allocate(ctx: &mut Ctx, class: Value, algorithm: Algorithm) -> Result {
    Ok(Data::new(ctx, class, DigestState(RefCell::new(Some(algorithm)))).value())
}

fn abstract_base(ctx: &mut Ctx, class: Value) -> Result {
    if class == ctx.named_class("Digest::Base")?.value() {
        return Err(ctx.not_implemented("Digest::Base is an abstract class"));
    }
    match digest_step(ctx, class, DigestStep::Allocate) {
        Some(outcome) => outcome,
        None => Err(ctx.runtime_error("Digest::Base cannot be directly inherited in Ruby")),
    }
}

/// The step done where the function is an extension's; `None` where it is one of ours.
fn elsewhere(ctx: &mut Ctx, recv: Value, step: DigestStep) -> Option<Result> {
    CData::try_of(recv).and_then(|_| digest_step(ctx, recv, step))
}

/// Whether the object has a function of ours whose methods the program has not redefined.
pub fn is_plain(ctx: &Ctx, object: Value) -> bool {
    let builtin = |name: &'static str| ctx.is_builtin(object, ctx.intern(name));
    Data::state_of::<DigestState>(ctx, object).is_some() && builtin("reset") && builtin("update") && builtin("finish")
}

/// The digest of one string, by a copy of the object's function that has taken nothing in.
pub fn digest_of(ctx: &mut Ctx, object: Value, string: Str) -> Result<Vec<u8>> {
    let mut algorithm = with(ctx, object, |algorithm| algorithm.clone())?;
    algorithm.reset();
    feed(ctx, &mut algorithm, string)?;
    Ok(algorithm.finish())
}

/// The digest of what the object has taken in, which stays in it.
pub fn digest_so_far(ctx: &mut Ctx, object: Value) -> Result<Vec<u8>> {
    with(ctx, object, |algorithm| algorithm.clone().finish())
}

/// A look at the function, when no thread works on it.
fn with<R>(ctx: &mut Ctx, object: Value, f: impl FnOnce(&mut Algorithm) -> R) -> Result<R> {
    loop {
        let Some(state) = Data::state_of::<DigestState>(ctx, object) else {
            return Err(ctx.type_error("uninitialized digest"));
        };
        if let Some(algorithm) = state.0.borrow_mut().as_mut() {
            return Ok(f(algorithm));
        }
        ctx.park(Some(Instant::now() + Duration::from_millis(1)))?;
    }
}

fn feed(ctx: &mut Ctx, algorithm: &mut Algorithm, string: Str) -> Result<()> {
    if string.len() < OUTSIDE_MIN {
        algorithm.update(string.bytes(ctx));
        return Ok(());
    }
    let bytes = string.share(ctx);
    let mut rest = &bytes[..];
    ctx.outside(Leave::new(Kind::Short(&SITE), Ends::Flag), |stop| {
        while !rest.is_empty() {
            if stop.requested() {
                return None;
            }
            let (piece, behind) = rest.split_at(rest.len().min(STEP));
            algorithm.update(piece);
            rest = behind;
        }
        Some(())
    })
}

fn initialize_copy(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if let Some(outcome) = elsewhere(ctx, recv, DigestStep::Copy(args.at(0))) {
        return outcome;
    }
    if recv == args.at(0) {
        return Ok(recv);
    }
    ctx.check_frozen(recv)?;
    if CData::try_of(args.at(0)).is_some() {
        return Err(ctx.type_error("different algorithms"));
    }
    let copy = with(ctx, args.at(0), |algorithm| algorithm.clone())?;
    let same = with(ctx, recv, |algorithm| {
        let same = algorithm.is_like(&copy);
        if same {
            *algorithm = copy;
        }
        same
    })?;
    if same { Ok(recv) } else { Err(ctx.type_error("different algorithms")) }
}

/// `reset -> digest`
fn reset(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if let Some(outcome) = elsewhere(ctx, recv, DigestStep::Reset) {
        return outcome;
    }
    with(ctx, recv, Algorithm::reset)?;
    Ok(recv)
}

/// `update(string) -> digest`
fn update(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if let Some(outcome) = elsewhere(ctx, recv, DigestStep::Update(args.at(0))) {
        return outcome;
    }
    let string = ctx.to_str(args.at(0))?;
    if string.len() < OUTSIDE_MIN {
        // The bytes are read under the lock: nothing can change them meanwhile.
        let bytes = string.share(ctx);
        with(ctx, recv, |algorithm| algorithm.update(&bytes))?;
        return Ok(recv);
    }
    let before = with(ctx, recv, |algorithm| algorithm.clone())?;
    let mut algorithm = before.clone();
    put(ctx, recv, None);
    let outcome = feed(ctx, &mut algorithm, string);
    put(ctx, recv, Some(if outcome.is_ok() { algorithm } else { before }));
    outcome?;
    Ok(recv)
}

fn put(ctx: &Ctx, object: Value, algorithm: Option<Algorithm>) {
    if let Some(state) = Data::state_of::<DigestState>(ctx, object) {
        *state.0.borrow_mut() = algorithm;
    }
}

/// `finish -> string`: the digest; the state begins anew.
fn finish(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if let Some(outcome) = elsewhere(ctx, recv, DigestStep::Finish) {
        return outcome;
    }
    let digest = with(ctx, recv, Algorithm::finish)?;
    Ok(Str::from_vec(ctx, digest, Encoding::BINARY).value())
}

fn digest_length(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if let Some(outcome) = elsewhere(ctx, recv, DigestStep::DigestLength) {
        return outcome;
    }
    Ok(Value::fixnum(with(ctx, recv, |algorithm| algorithm.digest_length())? as i64))
}

fn block_length(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    if let Some(outcome) = elsewhere(ctx, recv, DigestStep::BlockLength) {
        return outcome;
    }
    Ok(Value::fixnum(with(ctx, recv, |algorithm| algorithm.block_length())? as i64))
}

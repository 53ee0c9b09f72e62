//! `digest/bubblebabble`: digests as words that can be spoken (Antti Huima, "The Bubble Babble Binary Data Encoding").

use rubellite_vm::object::Str;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Result, Value, method};

const VOWELS: &[u8; 6] = b"aeiouy";
const CONSONANTS: &[u8; 17] = b"bcdfghklmnprstvzx";

static MODULE: ClassDef = ClassDef {
    name: "Digest",
    superclass: "",
    module_functions: &[method("bubblebabble", Arity::ONE, of_string)],
    ..ClassDef::EMPTY
};

static CLASS: ClassDef = ClassDef {
    name: "Digest::Class",
    singleton_methods: &[method("bubblebabble", Arity::ANY, of_class)],
    ..ClassDef::EMPTY
};

static INSTANCE: ClassDef = ClassDef {
    name: "Digest::Instance",
    superclass: "",
    methods: &[method("bubblebabble", Arity::NONE, of_instance)],
    ..ClassDef::EMPTY
};

pub fn load(ctx: &mut Ctx) -> Result<()> {
    for def in [&MODULE, &CLASS, &INSTANCE] {
        ctx.install(def)?;
    }
    Ok(())
}

/// Each pair of bytes gives five letters; a checksum runs through the vowels.
fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut text = vec![b'x'];
    let mut seed = 1usize;
    let mut pairs = bytes.chunks_exact(2);
    for pair in &mut pairs {
        let (a, b) = (pair[0] as usize, pair[1] as usize);
        text.extend_from_slice(&syllable(a, seed));
        text.extend_from_slice(&[CONSONANTS[b >> 4], b'-', CONSONANTS[b & 15]]);
        seed = (seed * 5 + a * 7 + b) % 36;
    }
    match pairs.remainder() {
        [last] => text.extend_from_slice(&syllable(*last as usize, seed)),
        _ => text.extend_from_slice(&[VOWELS[seed % 6], CONSONANTS[16], VOWELS[seed / 6]]),
    }
    text.push(b'x');
    text
}

fn syllable(byte: usize, seed: usize) -> [u8; 3] {
    [VOWELS[((byte >> 6) + seed) % 6], CONSONANTS[(byte >> 2) & 15], VOWELS[((byte & 3) + seed / 6) % 6]]
}

fn encoded(ctx: &mut Ctx, digest: Value) -> Result {
    let digest = ctx.to_str(digest)?;
    let text = encode(digest.bytes(ctx));
    Ok(Str::from_vec(ctx, text, Encoding::BINARY).value())
}

/// `Digest.bubblebabble(string) -> string`
fn of_string(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    encoded(ctx, args.at(0))
}

/// `Digest::X.bubblebabble(string, ...) -> string`
fn of_class(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.intern("digest");
    let digest = ctx.call_args(recv, name, args)?;
    encoded(ctx, digest)
}

/// `bubblebabble -> string`
fn of_instance(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let digest = ctx.call_name(recv, "digest", &[])?;
    encoded(ctx, digest)
}

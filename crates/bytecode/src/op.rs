//! The instruction set: one list with operands and meaning.
//!
//! Every instruction is 8 bytes: opcode, a small operand `x`, three 16-bit operands `a b c`.
//! `bc` is `b` and `c` read as one signed 32-bit number (b = low half). Jump offsets count instructions
//! from the one *after* the jump (for two-word instructions: after the EXT word). `k` operands
//! index `ISeq::consts`, `n` operands `ISeq::names`, `s` operands `ISeq::sites`, `i` operands inline caches
//! (numbered from 0 by the compiler, `ISeq::cache_count` in all), `ch` operands `ISeq::children`.
//! "+EXT" means that the next word is [`Op::Ext`] and belongs to the instruction.

macro_rules! ops {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        /// Opcodes. `R[n]` is register n.
        #[repr(u8)]
        #[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
        pub enum Op { $($(#[doc = $doc])* $name,)* }

        impl Op {
            pub const ALL: &'static [Op] = &[$(Op::$name,)*];
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];
        }
    };
}

ops! {
    /// Does nothing.
    Nop,
    /// Second word of a two-word instruction: a = site, bc = jump offset.
    Ext,

    // -- moves and literals
    /// R[a] = R[b]
    Move,
    /// R[a] = nil
    LoadNil,
    /// R[a] = true
    LoadTrue,
    /// R[a] = false
    LoadFalse,
    /// R[a] = undef ("no value": absent keyword)
    LoadUndef,
    /// R[a] = Integer bc
    LoadInt,
    /// R[a] = literal object bc (k): shared and immutable (symbol, float, big integer, range, frozen string ...)
    LoadConst,
    /// R[a] = new String from literal bc (k); x bit 0: a "chilled" literal that warns when modified; bit 1: with the
    /// literal's note of where it was made
    NewString,
    /// R[a] = frozen string literal bc (k); where String's `freeze` or `-@` is redefined, what the method of the site
    /// gives for
    /// a new String +EXT
    FrozenString,
    /// R[a] = fresh copy of the Array or Hash literal bc (k)
    DupLiteral,
    /// R[a] = captured variable: environment x levels out, slot b
    GetEnv,
    /// environment x levels out, slot b = R[a]
    SetEnv,
    /// R[a] = instance variable b (n) of self; cache c (i)
    GetIvar,
    /// instance variable b (n) of self = R[a]; cache c (i)
    SetIvar,
    /// R[a] = global b (n)
    GetGlobal,
    /// global b (n) = R[a]
    SetGlobal,
    /// R[a] = class variable b (n)
    GetCvar,
    /// class variable b (n) = R[a]
    SetCvar,
    /// R[a] = constant b (n) by lexical lookup; cache c (i)
    GetConst,
    /// R[a] = constant b (n) of R[a] (`X::Y`); cache c (i); raises TypeError when R[a] is not a module
    GetConstFrom,
    /// R[a] = constant b (n) of Object (`::X`); cache c (i)
    GetConstTop,
    /// constant c (n) of module R[b] = R[a]
    SetConst,
    /// R[a] = the module that lexically encloses (cref), where `X = 1` defines
    LoadCref,
    /// R[a] = Object (for `::X = 1`, `class ::X`)
    LoadObject,
    /// R[a] = $1.. when b >= 1 (number b); b = 0: by kind x: 0 `$~`, 1 `$&`, 2 "$`", 3 `$'`, 4 `$+`
    GetMatch,
    /// `$!` = R[a] (restores it when a rescue clause is left)
    SetErrInfo,

    // -- aggregates
    /// R[a] = Array of R[b..b+c]
    NewArray,
    /// R[a] = Hash of c/2 pairs R[b], R[b+1] ...
    NewHash,
    /// Array R[a] << R[b]..R[b+c-1]
    ArrayPush,
    /// Array R[a] concat splat of R[b] (to_a; nil is empty; no to_a: one element)
    ArrayConcat,
    /// R[a] = splat of R[b] as an Array; x=1: always a fresh one
    SplatArray,
    /// Hash R[a] stores c/2 pairs R[b] ...
    HashStore,
    /// Hash R[a] merges keywords of R[b] (to_hash; nil is empty), for `**`; x=1: only a Hash, for `super` alone
    HashMerge,
    /// R[a] = Range R[b]..R[c]; x=1: excluding the end
    NewRange,
    /// R[a] = String of the strings R[b..b+c] (already strings: see ToStr)
    StrCat,
    /// R[a] = R[b].to_s for interpolation (falls back to the default inspection when to_s gives no String); +EXT site
    /// of :to_s
    ToStr,
    /// R[a] = symbol of the string R[b]
    Intern,
    /// R[a] = Regexp of the concatenated strings R[b..b+c]; x = RegexpFlags bits
    NewRegexp,
    /// once cache b (i): if it is filled R[a] = cached value and jump by the next word's offset; waits for a thread
    /// that is filling it;
    /// R[c] = whether it was claimed here; +EXT
    Once,
    /// if R[c]: fills once cache b (i) with R[a], or gives the claim back if that is undef
    OnceSet,
    /// spreads R[a] (by to_ary) over R[b..]: c values before, x & 0x7f after, x & 0x80: with a splat Array between
    ExpandArray,

    // -- jumps
    /// jump bc
    Jump,
    /// jump bc if R[a] is true
    JumpIf,
    /// jump bc unless R[a] is true
    JumpUnless,
    /// jump bc if R[a] is nil
    JumpNil,
    /// jump bc if R[a] is not nil
    JumpNotNil,
    /// jump bc if R[a] is not undef (a keyword was given)
    JumpGiven,
    /// backward jump bc with a safepoint; a: the number of the place that it goes to, among those where compiled code
    /// may be entered
    Loop,

    // -- leaving
    /// return R[a] from this frame (also `next` in a block and the value of a class body)
    Return,
    /// `return R[a]` inside a block: unwinds to the method (in a lambda: returns from it)
    ReturnFar,
    /// `break R[a]` inside a block: ends the call that was given the block; in a class body: leaves what is around the
    /// class, a
    /// block or a loop; x=1: `next R[a]` in a class body
    Break,
    /// raise the exception in R[a] again, or go on with the non-local exit in R[a] (end of an ensure or rescue clause
    /// that does not match)
    Rethrow,

    // -- calls
    /// R[a] = R[b].site c(args)
    Call,
    /// R[a] = super(args) at window b, site c; R[b] = self
    Super,
    /// R[a] = yield args at window b (R[b] is scratch), site c
    Yield,
    /// R[a] = the primitive that site c names, of the operands R[b], R[b+1] ...: the first one is its receiver;
    /// internal sources only
    Primitive,
    /// R[a] = the block of this method (in a block: of the method around) as a Proc, or nil; x=1: as a handler only
    /// good for passing on as a block argument
    GetBlock,
    /// R[a] = lambda of child b (a child of kind Block is the body of `END {}`)
    Lambda,

    // -- operators with fast paths; EXT names the site for everything else
    /// R[a] = R[b] + R[c]; +EXT
    Add,
    /// R[a] = R[b] - R[c]; +EXT
    Sub,
    /// R[a] = R[b] * R[c]; +EXT
    Mul,
    /// R[a] = R[b] / R[c]; +EXT
    Div,
    /// R[a] = R[b] % R[c]; +EXT
    Mod,
    /// R[a] = R[b] & R[c]; +EXT
    And,
    /// R[a] = R[b] | R[c]; +EXT
    Or,
    /// R[a] = R[b] ^ R[c]; +EXT
    Xor,
    /// R[a] = R[b] << R[c]; +EXT
    Shl,
    /// R[a] = R[b] >> R[c]; +EXT
    Shr,
    /// R[a] = R[b] + signed c; +EXT
    AddInt,
    /// R[a] = R[b] - signed c; +EXT
    SubInt,
    /// R[a] = R[b] == R[c]; +EXT
    Eq,
    /// R[a] = R[b] != R[c]; +EXT
    Neq,
    /// R[a] = R[b] < R[c]; +EXT
    Lt,
    /// R[a] = R[b] <= R[c]; +EXT
    Le,
    /// R[a] = R[b] > R[c]; +EXT
    Gt,
    /// R[a] = R[b] >= R[c]; +EXT
    Ge,
    /// R[a] = !R[b]; +EXT
    Not,
    /// R[a] = -R[b]; +EXT
    Neg,
    /// R[a] = R[b][R[c]]; +EXT; x bit 0: R[c] is the literal of a String that only a method sees as a fresh one,
    /// "chilled" with x bit 1
    ARef,
    /// R[a][R[b]] = R[c]; +EXT (the value of the expression is R[c])
    ASet,
    /// compare R[a] < operand and jump: x bit 0 = jump when the comparison is this (1 true, 0 false); x bit 1 = operand
    /// is signed b, else R[b]; +EXT site and offset
    BrLt,
    /// the same with <=
    BrLe,
    /// the same with >
    BrGt,
    /// the same with >=
    BrGe,
    /// the same with ==
    BrEq,
    /// the same with !=
    BrNeq,
    /// literal a (k) === R[b]: jump when that is x (1 true, 0 false); c: number, from 1, of the run of such comparisons
    /// that begins here, or 0;
    /// +EXT site and offset
    BrWhen,

    // -- definitions
    /// defines method b (n) with child c in the default definee; R[a] = its symbol
    DefMethod,
    /// defines singleton method b (n) with child c on R[a]; R[a] = its symbol
    DefSingleton,
    /// opens class or module b (n) and runs child c: R[a] = where (undef: lexical scope), R[a+1] = superclass or undef;
    /// x bit 0: module; result in R[a]
    DefClass,
    /// opens the singleton class of R[a] and runs child b; result in R[a]
    SClass,
    /// alias method R[a] (new name symbol) for R[b] (old name symbol) in the default definee
    Alias,
    /// alias global a (n) for global b (n)
    AliasGlobal,
    /// undef method R[a] (symbol) in the default definee
    Undef,

    // -- the rest
    /// R[a] = description String when defined, else nil; x = DefinedKind, b (n) = name or number, c = register of
    /// receiver or module
    Defined,
    /// R[a] = number of elements of self, an Array; internal sources only
    SelfLen,
    /// R[a] = element R[b] (a fixnum) of self, an Array, or nil; internal sources only
    SelfAt,
    /// R[a] = intrinsic x (Intrinsic) of R[b..b+c]
    Intrinsic,
}

/// One instruction.
#[repr(C, align(8))]
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Insn {
    pub op: Op,
    pub x: u8,
    pub a: u16,
    pub b: u16,
    pub c: u16,
}

impl Insn {
    pub const fn abc(op: Op, a: u16, b: u16, c: u16) -> Insn {
        Insn { op, x: 0, a, b, c }
    }

    pub const fn xabc(op: Op, x: u8, a: u16, b: u16, c: u16) -> Insn {
        Insn { op, x, a, b, c }
    }

    /// An instruction whose `b` and `c` are one signed number.
    pub const fn wide(op: Op, x: u8, a: u16, bc: i32) -> Insn {
        Insn { op, x, a, b: bc as u16, c: (bc >> 16) as u16 }
    }

    #[inline(always)]
    pub const fn bc(self) -> i32 {
        ((self.c as u32) << 16 | self.b as u32) as i32
    }

    /// The literal that `b` and `c` stand for as one number.
    #[inline(always)]
    pub const fn literal(self) -> usize {
        self.bc() as u32 as usize
    }
}

//! ISeq, the code object: instructions with their tables of literals, names, call sites, catch entries and lines.

use crate::lines::Lines;
use crate::{Encoding, Insn};
use std::hash::{DefaultHasher, Hasher};
use std::ops::Deref;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use thin_vec::ThinVec;

/// Bytes with an encoding: a name or a string literal. Short ones, which most names are, lie in place.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Text(Form);

/// Texts of one length have one form, and what lies behind the bytes of a short one is zero: equal texts are equal.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    Short { encoding: Encoding, len: u8, bytes: [u8; SHORT] },
    Long(Box<(Box<[u8]>, Encoding)>),
}

/// As many bytes as make a text two words.
const SHORT: usize = 13;

const _: () = assert!(size_of::<Text>() == 16);

impl Text {
    pub fn new(text: &[u8], encoding: Encoding) -> Text {
        if text.len() > SHORT {
            return Text(Form::Long(Box::new((text.into(), encoding))));
        }
        let mut bytes = [0; SHORT];
        bytes[..text.len()].copy_from_slice(text);
        Text(Form::Short { encoding, len: text.len() as u8, bytes })
    }

    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Form::Short { len, bytes, .. } => &bytes[..usize::from(*len)],
            Form::Long(long) => &long.0,
        }
    }

    pub fn encoding(&self) -> Encoding {
        match &self.0 {
            Form::Short { encoding, .. } => *encoding,
            Form::Long(long) => long.1,
        }
    }
}

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} ({:?})", String::from_utf8_lossy(self.bytes()), self.encoding())
    }
}

/// What every code object of one source text shares.
#[derive(Debug)]
pub struct Script {
    /// As given (`__FILE__`, backtraces).
    pub path: String,
    /// The text, for highlighted error reports and tools.
    pub text: SourceText,
    pub first_line: i32,
    /// The `# frozen_string_literal:` magic comment, when given.
    pub frozen_string_literal: Option<bool>,
    /// Source encoding (`__ENCODING__`).
    pub encoding: Encoding,
    pub reading: Reading,
    /// The full path of the file, links resolved, as it was when the file was read.
    pub real_path: OnceLock<Box<str>>,
    /// Its branches, if the code counts them.
    pub branches: OnceLock<Branches>,
}

/// The text of a script. Where a file has it, it is read again when somebody asks: hardly anybody does, and the files
/// of a large program have megabytes.
#[derive(Debug)]
pub struct SourceText(Mutex<Kept>);

#[derive(Debug)]
enum Kept {
    Here(Arc<[u8]>),
    /// The file at the script's full path has it, as long as it has so many bytes with this hash.
    InFile(usize, u64),
}

impl SourceText {
    pub fn new(text: &[u8]) -> SourceText {
        SourceText(Mutex::new(Kept::Here(text.into())))
    }

    /// Bytes of the text, as far as it is kept in memory.
    pub(crate) fn kept_size(&self) -> usize {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Kept::Here(text) => text.len(),
            Kept::InFile(..) => 0,
        }
    }
}

fn hash_of(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text);
    hasher.finish()
}

/// Where a program may go on in several ways, and how often it went which.
#[derive(Debug, Default)]
pub struct Branches {
    pub list: Vec<Branch>,
    /// By [`BranchArm::counter`].
    pub counts: Box<[AtomicU64]>,
}

/// A construct with several ways on.
#[derive(Debug)]
pub struct Branch {
    /// As `Coverage` calls it.
    pub kind: &'static str,
    /// First line, column in bytes, last line, column behind the end.
    pub place: [i32; 4],
    pub arms: Vec<BranchArm>,
}

/// One of the ways.
#[derive(Debug)]
pub struct BranchArm {
    pub kind: &'static str,
    pub place: [i32; 4],
    pub counter: u32,
}

/// How a source text was read: what it takes, besides the text, to compile it again.
#[derive(Copy, Clone, Debug)]
pub struct Reading {
    /// `Main`, `Top` or `Eval`.
    pub kind: ISeqKind,
    /// The command line's default for string literals.
    pub frozen_string_literal: Option<bool>,
    /// Encoding of the source unless a magic comment says otherwise.
    pub encoding: Encoding,
    pub command_line: CommandLine,
    pub origin: Origin,
    /// The code counts its branches.
    pub branches: bool,
}

/// Whose code a source text is.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    #[default]
    Program,
    /// The part of the core that is written in Ruby: its matches are those of the program that calls it, as in methods
    /// in native code.
    Core,
    /// The part of a library of the runtime that is written in Ruby: its matches are its own.
    Library,
}

impl Origin {
    /// Whether it is a part of the runtime.
    pub fn is_internal(self) -> bool {
        self != Origin::Program
    }
}

/// Command line switches that change how the main script is read.
#[derive(Copy, Clone, Debug, Default)]
pub struct CommandLine {
    /// `-a`
    pub split: bool,
    /// `-e`
    pub execute: bool,
    /// `-l`
    pub chomp: bool,
    /// `-n`
    pub each_line: bool,
    /// `-p`
    pub print: bool,
    /// `-x`
    pub skip_to_shebang: bool,
}

impl Script {
    /// The source text; none when its file is not what was read any more.
    pub fn source(&self) -> Option<Arc<[u8]>> {
        let (length, hash) = match &*self.text.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Kept::Here(text) => return Some(text.clone()),
            Kept::InFile(length, hash) => (*length, *hash),
        };
        let text = std::fs::read(&**self.real_path.get()?).ok()?;
        (text.len() == length && hash_of(&text) == hash).then(|| text.into())
    }

    /// Gives the source text up, which the file at the full path has.
    pub fn leave_source(&self) {
        let mut kept = self.text.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Kept::Here(text), Some(_)) = (&*kept, self.real_path.get()) {
            *kept = Kept::InFile(text.len(), hash_of(text));
        }
    }

    /// Whether it is Ruby code of the runtime itself, which has no file, may call primitives and has names of its own
    /// ([`is_internal_name`]). Programs cannot make such code, whatever path they give to theirs.
    pub fn is_internal(&self) -> bool {
        self.reading.origin.is_internal()
    }
}

/// Whether `name` in the runtime's own code is a name of its own, which no program can spell: it begins with two
/// underscores (behind the `@` of an instance variable) and a letter. Names that also end with them are Ruby's
/// (`__method__`).
pub fn is_internal_name(name: &[u8]) -> bool {
    let name = name.strip_prefix(b"@").unwrap_or(name);
    matches!(name, [b'_', b'_', first, ..] if first.is_ascii_alphabetic()) && !name.ends_with(b"__")
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ISeqKind {
    /// The main script (`<main>`).
    Main,
    /// A required or loaded file (`<top (required)>`).
    Top,
    Eval,
    Method,
    /// A block; also the body of `END {}`.
    Block,
    /// `-> {}`
    Lambda,
    /// A class, module or singleton class body.
    Class,
}

/// Where a local variable lives.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    Reg(u16),
    Env(u16),
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: Text,
    pub place: Place,
}

#[derive(Clone, Debug)]
pub struct Keyword {
    /// Index into `ISeq::names`.
    pub name: u16,
    /// A keyword without a default. An optional keyword that was not given arrives as undef and the
    /// prologue fills it (`JumpGiven`).
    pub required: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum KeywordRest {
    #[default]
    None,
    /// `**opts` or anonymous `**`: a register holds the Hash.
    Named,
    /// `**nil`: keywords are refused.
    Refused,
}

/// Parameters, in the order of their registers from `R[1]`.
#[derive(Clone, Debug, Default)]
pub struct Params {
    pub required: u16,
    /// Entry points for 0, 1, ... given optional arguments (`optional + 1` of them); empty when there are none.
    pub opt_table: ThinVec<u32>,
    pub optional: u16,
    pub rest: bool,
    /// The rest has no name (`*`, `...`): nothing but calls and literals read it, so it may be the caller's own Array,
    /// or a frozen one.
    pub anonymous_rest: bool,
    pub post: u16,
    pub keywords: ThinVec<Keyword>,
    pub keyword_rest: KeywordRest,
    /// The keyword rest has no name (`**`, `...`): it may be the caller's own Hash; nil stands for no keywords.
    pub anonymous_keyword_rest: bool,
    /// `&block`: a register holds the Proc or nil. False for a block parameter of a method that is only ever
    /// passed on (`&`, `...`, `&block` used as `f(&block)` alone): it is read by `GetBlock`.
    pub block: bool,
    /// Block with one required parameter and a trailing comma, `|a,|`: takes the first of an array.
    pub excess_comma: bool,
    /// Parameters as `Method#parameters` reports them: kind ("req", "opt", "rest", "keyreq", "key", "keyrest",
    /// "nokey", "block", "noblock") and name.
    pub described: ThinVec<(&'static str, Option<Text>)>,
    /// `...`: rest and keyword rest (each has its register) and the block (see `block`).
    pub forwards_all: bool,
    /// The method takes a rest argument flagged by ruby2_keywords at run time; unused by the compiler.
    pub ruby2_keywords: bool,
    /// Block that uses numbered parameters (`_1`: highest number) or `it` (1 with `it` set).
    pub numbered: u8,
    pub it: bool,
    /// `&nil`: a block is refused.
    pub no_block: bool,
    /// Prelude block `|*x, __many|`: the rest register takes what one block parameter of `Enumerable` takes (a lone
    /// argument as it is, several as an Array, none as nil), and the register behind it is true when there was not
    /// exactly one.
    pub packed: bool,
}

impl Params {
    /// Gives room back that is not needed.
    pub fn shrink(&mut self) {
        self.opt_table.shrink_to_fit();
        self.keywords.shrink_to_fit();
        self.described.shrink_to_fit();
    }

    /// Only required positional parameters.
    pub fn is_simple(&self) -> bool {
        self.optional == 0
            && !self.rest
            && self.post == 0
            && self.keywords.is_empty()
            && self.keyword_rest == KeywordRest::None
            && !self.block
            && !self.no_block
    }

    /// How many registers the parameters take.
    pub fn register_count(&self) -> u16 {
        self.required
            + self.optional
            + self.rest as u16
            + self.post
            + self.keywords.len() as u16
            + (self.keyword_rest == KeywordRest::Named) as u16
            + self.block as u16
            + self.packed as u16
    }

    /// `Method#arity`: of a method or lambda.
    pub fn arity(&self) -> i32 {
        let required_keyword = self.keywords.iter().any(|k| k.required);
        let fixed = (self.required + self.post) as i32;
        if self.optional > 0
            || self.rest
            || (!required_keyword && (!self.keywords.is_empty() || self.keyword_rest == KeywordRest::Named))
        {
            let count = fixed + required_keyword as i32;
            if self.optional > 0 || self.rest || !required_keyword { -count - 1 } else { count }
        } else {
            fixed + required_keyword as i32
        }
    }
}

/// How a call passes its arguments. Layout of the window after the receiver:
/// positional values (the last of them an Array of the further ones when `splat`), then keyword values (in the order of
/// `keywords`) or one Hash (when `keyword_splat`), then the block argument when `block_arg`.
#[derive(Clone, Debug, Default)]
pub struct CallSite {
    /// Method name (n); meaningless for Yield and Super.
    pub name: u16,
    /// Registers of positional arguments and keyword values or hash; without the block argument.
    pub argc: u16,
    /// Names (n) of literal keywords; their values are the last of `argc`.
    pub keywords: Names,
    /// The last positional one is an Array, whose elements are arguments.
    pub splat: bool,
    /// The Array of `splat` is fresh and may be taken over.
    pub splat_fresh: bool,
    /// The last of `argc` is a Hash of keywords (or nil); `**h` with or without literal keywords.
    pub keyword_splat: bool,
    /// The Hash of `keyword_splat` is fresh and may be taken over.
    pub keyword_splat_fresh: bool,
    /// `R[b+1+argc]` is a block argument (Proc, nil, Symbol, Method or a handler from GetBlock).
    pub block_arg: bool,
    /// Literal block: index of the child, from 1 on; 0: there is none.
    pub block: u16,
    /// The receiver is implicit or the literal `self`: private methods may be called.
    pub self_call: bool,
    /// An identifier that may be a local variable or a call: NameError instead of NoMethodError.
    pub vcall: bool,
    /// `super` without argument list.
    pub zsuper: bool,
    /// Assignment form (`a.b = 1`, `a[1] = 2`): what the method returns is not used.
    pub assignment: bool,
}

const _: () = assert!(size_of::<CallSite>() == 24);

/// A list of names (n) that is nearly always empty, and then a word.
#[derive(Clone, Debug, Default)]
#[allow(clippy::box_collection)] // One word where there is nearly always none.
pub struct Names(Option<Box<Vec<u16>>>);

impl Names {
    pub fn push(&mut self, name: u16) {
        self.0.get_or_insert_default().push(name);
    }
}

impl From<Vec<u16>> for Names {
    fn from(list: Vec<u16>) -> Names {
        Names((!list.is_empty()).then(|| Box::new(list)))
    }
}

impl Deref for Names {
    type Target = [u16];

    fn deref(&self) -> &[u16] {
        self.0.as_ref().map_or(&[], |list| list)
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CatchKind {
    /// Catches exceptions only.
    Rescue,
    /// Catches every unwinding (exceptions, throw, break, return from blocks, thread kill).
    Ensure,
    /// Where `break` out of a class body in a `while` loop goes on; R[reg] = its value.
    Break,
    /// Where `next` out of a class body in a `while` loop goes on.
    Next,
}

/// When an unwinding leaves an instruction in `start..end`, `R[reg]` is set to the exception (for Ensure:
/// possibly an opaque token of another unwinding), `R[reg + 1]` to `$!` as it was, and execution goes on at `handler`.
/// The first entry that fits wins: inner ones come first.
#[derive(Copy, Clone, Debug)]
pub struct CatchEntry {
    pub start: u32,
    pub end: u32,
    pub handler: u32,
    pub kind: CatchKind,
    pub reg: u16,
}

/// Regexp literal flags.
pub mod regexp_flags {
    use rubellite_encoding::Encoding;

    pub const IGNORECASE: u8 = 1;
    pub const EXTENDED: u8 = 2;
    pub const MULTILINE: u8 = 4;
    pub const FIXED_ENCODING: u8 = 16;
    /// `/n`
    pub const NO_ENCODING: u8 = 32;
    /// `/e`, with `FIXED_ENCODING`
    pub const EUC_JP: u8 = 64;
    /// `/s`, with `FIXED_ENCODING`; `FIXED_ENCODING` alone is `/u`
    pub const WINDOWS_31J: u8 = 128;

    /// The encoding that a flag names; none if no flag does.
    pub fn encoding(flags: u8) -> Option<Encoding> {
        match flags {
            _ if flags & EUC_JP != 0 => Some(Encoding::EUC_JP),
            _ if flags & WINDOWS_31J != 0 => Some(Encoding::WINDOWS_31J),
            _ if flags & FIXED_ENCODING != 0 => Some(Encoding::UTF_8),
            _ if flags & NO_ENCODING != 0 => Some(Encoding::BINARY),
            _ => None,
        }
    }
}

/// A literal object.
#[derive(Clone, PartialEq, Debug)]
pub enum Const {
    Nil,
    True,
    False,
    Int(i64),
    /// Decimal digits with an optional minus sign.
    BigInt(String),
    Float(f64),
    Symbol(Text),
    /// A frozen (shared) string, or the template of NewString.
    Str(Text),
    /// The same of a string that says where it was made: "file:line".
    Noted(Text, Text),
    /// Numerator and denominator: Int or BigInt each.
    Rational(Box<Const>, Box<Const>),
    /// Imaginary part of a pure imaginary literal.
    Imaginary(Box<Const>),
    /// Literal range of Int, nil or Str.
    Range(Box<Const>, Box<Const>, bool),
    /// Source and regexp_flags.
    Regexp(Text, u8),
    /// Frozen array of symbols (names of keywords in patterns, ...).
    SymbolArray(Vec<Text>),
    /// The template of an Array literal whose elements are constants.
    Array(Vec<Const>),
    /// The template of a Hash literal whose keys and values, in turn, are constants.
    Hash(Vec<Const>),
    /// `__ENCODING__`
    Encoding(Encoding),
}

#[repr(u8)]
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum DefinedKind {
    /// b = name; instance variable
    Ivar = 0,
    Global,
    Cvar,
    /// lexical constant
    Const,
    /// constant b of module R[c]
    ConstFrom,
    /// `::X`
    ConstTop,
    /// method b callable on R[c] with an explicit receiver (private does not count)
    Method,
    /// method b callable on self
    SelfCall,
    /// a block was given ("yield")
    Yield,
    /// "super"
    Super,
    /// $1: b = number
    NthRef,
    /// $& and friends: b = kind as in GetMatch
    BackRef,
}

macro_rules! intrinsics {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        /// Operations too rare for an opcode. Operands are R[b..b+c].
        #[repr(u8)]
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        pub enum Intrinsic { $($(#[doc = $doc])* $name,)* }

        impl Intrinsic {
            pub const ALL: &'static [Intrinsic] = &[$(Intrinsic::$name,)*];
        }
    };
}

intrinsics! {
    /// (value) or (value, format, x, y, z): raise NoMatchingPatternError; the format's `%p` stand for the inspections
    /// of x, y, z
    NoMatchingPattern,
    /// (value, hash, key symbol): raise NoMatchingPatternKeyError
    NoMatchingPatternKey,
    /// (pattern class or object, value) -> bool: `pattern === value`; used where no site is worth it
    CaseEq,
    /// (object) -> Array, result of #deconstruct checked ("deconstruct must return Array"), or false when it does not
    /// respond
    Deconstruct,
    /// (object, keys Array or nil) -> Hash from #deconstruct_keys checked, or false when it does not respond
    DeconstructKeys,
    /// (proc) registers an END block, once per place
    AtExit,
    /// (rescue list element, exception) -> bool: class or module required ("class or module required for rescue
    /// clause")
    RescueMatch,
    /// (array of rescue list elements, exception) -> bool
    RescueMatchAny,
    /// (string) -> result of calling `` ` `` with it
    XString,
    /// (array) -> [] of symbols etc.: freeze R[b]
    Freeze,
    /// (value) -> `Ractor.make_shareable(value)`
    MakeShareable,
    /// (value) -> `Ractor.make_shareable(value, copy: true)`
    MakeShareableCopy,
    /// (value, String with the path of a constant) -> value; raises Ractor::IsolationError when it is not shareable
    EnsureShareable,
    /// (value) -> raises SyntaxError/ScriptError with message R[b]
    RaiseSyntaxError,
    /// (regexp) -> matches `$_`, for `if /re/`
    MatchLastLine,
    /// () -> `$~` or nil
    LastMatch,
    /// (match or nil, name symbol) -> named capture
    NamedCapture,
    /// (hash, array of keys) -> new Hash without them, for `**rest` in patterns
    HashExcept,
    /// (object, module) -> bool
    IsA,
    /// (value) -> true when it is a Hash without elements
    HashEmpty,
    /// (array, index from, length) -> subarray
    SubArray,
    /// (array) -> length
    ArrayLength,
    /// (hash, key) -> value or undef when missing
    HashFetch,
    /// (message String, class) raise
    Raise,
    /// (object) -> dup'd keyword hash for `**` parameters
    HashDup,
    /// (value) -> checks Proc/nil/convertible for &arg early; returns the Proc
    ToProc,
    /// (object, value...) multiple use: warn with message R[b] in verbose mode
    Warn,
    /// Data position: registers DATA for the main script
    SetData,
    /// (environments outwards, slot) -> captured variable; the first is loaded by the instruction before. For those
    /// that lie
    /// further out than GETENV can say
    GetFar,
    /// (environments outwards, slot, value) -> value; likewise
    SetFar,
    /// (number of a counter) counts in the script's branches while `Coverage` runs
    CountBranch,
}

/// A unit of code: script, method body, block, class body. A large program has tens of thousands, most of which never
/// run: what many of them lack is a word each that points to nothing.
#[derive(Debug)]
pub struct ISeq {
    pub kind: ISeqKind,
    /// Method name; `<class:Foo>`, `<module:Foo>` or `singleton class`; or empty. For blocks: of the enclosing method.
    pub name: Text,
    pub script: Arc<Script>,
    /// Its number among the code objects of the script, in the order in which they are begun.
    pub serial: u32,
    pub line: i32,
    /// How many blocks deep the code lies in its method, class body or script; 0: it is no block.
    pub block_level: u16,
    /// Kind of the code around all those blocks (its own when it is no block).
    pub home: ISeqKind,
    pub params: Params,
    /// All locals with names in declaration order, for binding and eval. Hidden slots of the environment are
    /// missing; captured anonymous parameters are named `*`, `**`, `&`: `local_variables` leaves them out.
    pub locals: Box<[Local]>,
    /// Registers, self and temporaries included.
    pub register_count: u16,
    /// Registers `1 + params.register_count() .. local_end` are other locals: set to nil at entry, like the
    /// registers of optional parameters that were not given and the slots of the environment.
    pub local_end: u16,
    /// Slots of this scope's environment; 0: it has none.
    pub env_size: u16,
    pub insns: Box<[Insn]>,
    /// Where the body begins, behind the defaults of parameters and their copies into the environment.
    pub body: u32,
    /// From pc on, the line.
    pub lines: Lines,
    /// Where a statement begins on a line of its own, for `line` events.
    pub statements: Lines,
    /// Where a rescue clause that matched begins, for `rescue` events.
    pub rescues: Lines,
    pub consts: ThinVec<Const>,
    pub names: Box<[Text]>,
    pub sites: Box<[CallSite]>,
    pub children: ThinVec<Arc<ISeq>>,
    pub catches: ThinVec<CatchEntry>,
    pub cache_count: u16,
    /// Runs of comparisons with literals, see `Op::BrWhen`.
    pub case_count: u16,
    /// The block or method body uses `yield`, `super` or a block parameter of the method (for unused-block warnings).
    pub uses_block: bool,
}

const _: () = assert!(size_of::<ISeq>() == 240, "with the counts of an `Arc` it fills a block of 256 bytes");

impl Drop for ISeq {
    /// Code objects nest deeper than the stack of a fiber.
    fn drop(&mut self) {
        let mut left = std::mem::take(&mut self.children);
        while let Some(child) = left.pop() {
            if let Some(mut child) = Arc::into_inner(child) {
                left.extend(std::mem::take(&mut child.children));
            }
        }
    }
}

impl ISeq {
    /// The line of the statement that begins with the instruction at `pc`. At the entry it is the first statement's,
    /// whatever the code does before it with parameters that have no defaults.
    pub fn statement_at(&self, pc: u32) -> Option<i32> {
        if pc == 0 && self.params.opt_table.is_empty() {
            return self.statements.iter().next().map(|(_, line)| line);
        }
        self.statements.near(pc).take_while(|(at, _)| *at <= pc).find(|(at, _)| *at == pc).map(|(_, line)| line)
    }

    /// The last line that any instruction has, those of blocks, methods and class bodies inside included.
    pub fn last_line(&self) -> i32 {
        let mut last = self.line;
        let mut left = vec![self];
        while let Some(iseq) = left.pop() {
            last = iseq.lines.iter().map(|(_, line)| line).max().unwrap_or(iseq.line).max(last);
            left.extend(iseq.children.iter().map(|child| &**child));
        }
        last
    }

    /// Whether the code is `inner` or holds it in a block, method or class body.
    pub fn contains(&self, inner: &ISeq) -> bool {
        std::ptr::eq(self, inner) || self.children.iter().any(|child| child.contains(inner))
    }

    /// The line of the instruction at `pc`.
    pub fn line_at(&self, pc: usize) -> i32 {
        let pc = pc as u32;
        self.lines.near(pc).take_while(|(start, _)| *start <= pc).last().map_or(self.line, |(_, line)| line)
    }
}

//! StringIO: state. What `dup` shares (string, position, line number, encoding, access mode) is [`Shared`]; which sides
//! are open is each object's own.
//!
//! The string lies in a hidden Array of one element that every sharer shows to the collector: so a change through one
//! of them is seen for all.

use rubellite_vm::object::{Data, NativeData, Str, TempArray};
use rubellite_vm::{Ctx, Encoding, Result, Value};
use std::cell::Cell;
use std::rc::Rc;

/// Bits of the access mode.
pub mod bits {
    pub const READ: u8 = 1;
    pub const WRITE: u8 = 2;
    pub const READ_WRITE: u8 = READ | WRITE;
    pub const APPEND: u8 = 4;
}

pub struct Shared {
    string: TempArray,
    /// May lie behind the end of the string.
    pub pos: Cell<usize>,
    pub lineno: Cell<i64>,
    pub flags: Cell<u8>,
    /// `None`: the string's own.
    pub encoding: Cell<Option<Encoding>>,
}

/// One object's view of the shared state.
#[derive(Clone)]
pub struct Stream {
    pub shared: Rc<Shared>,
    /// Open sides of the object; the shared flags must allow them too.
    pub own: Rc<Cell<u8>>,
}

pub struct StringIo {
    pub stream: Stream,
}

impl NativeData for StringIo {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.stream.shared.string.array().value());
    }

    fn memory_size(&self) -> usize {
        size_of::<Shared>()
    }
}

pub fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    Ok(Data::new_empty(ctx, class).value())
}

impl StringIo {
    /// Gives a fresh object its state; one that has it keeps it.
    pub fn install(ctx: &mut Ctx, object: Value) {
        let Some(data) = Data::try_of(object).filter(|data| !data.holds::<StringIo>(ctx)) else { return };
        let string = TempArray::from_slice(ctx, &[Value::NIL]);
        let shared =
            Shared { string, pos: Cell::new(0), lineno: Cell::new(0), flags: Cell::new(0), encoding: Cell::new(None) };
        let stream = Stream { shared: Rc::new(shared), own: Rc::new(Cell::new(0)) };
        data.install(ctx, StringIo { stream });
    }
}

impl Stream {
    pub fn try_of(ctx: &Ctx, object: Value) -> Option<Stream> {
        Data::state_of::<StringIo>(ctx, object).map(|io| io.stream.clone())
    }

    /// IOError "uninitialized stream" before `initialize`.
    pub fn of(ctx: &mut Ctx, object: Value) -> Result<Stream> {
        match Stream::try_of(ctx, object) {
            Some(stream) => Ok(stream),
            None => Err(ctx.raise_error("IOError", "uninitialized stream")),
        }
    }

    /// The same for what changes the object: FrozenError.
    pub fn changeable(ctx: &mut Ctx, object: Value) -> Result<Stream> {
        ctx.check_frozen(object)?;
        Stream::of(ctx, object)
    }

    pub fn readable(ctx: &mut Ctx, object: Value) -> Result<Stream> {
        let stream = Stream::of(ctx, object)?;
        if stream.allows(bits::READ) { Ok(stream) } else { Err(ctx.raise_error("IOError", "not opened for reading")) }
    }

    pub fn writable(ctx: &mut Ctx, object: Value) -> Result<Stream> {
        let stream = Stream::changeable(ctx, object)?;
        if stream.allows(bits::WRITE) { Ok(stream) } else { Err(ctx.raise_error("IOError", "not opened for writing")) }
    }

    pub fn allows(&self, side: u8) -> bool {
        self.own.get() & self.shared.flags.get() & side != 0
    }

    pub fn is_closed(&self) -> bool {
        !self.allows(bits::READ_WRITE)
    }

    /// The string, or nil for a stream that swallows everything.
    pub fn value(&self) -> Value {
        self.shared.string.get(0).unwrap_or(Value::NIL)
    }

    pub fn string(&self) -> Option<Str> {
        Str::try_of(self.value())
    }

    pub fn set_string(&self, ctx: &mut Ctx, string: Value) {
        self.shared.string.set(ctx, 0, string);
    }

    pub fn pos(&self) -> usize {
        self.shared.pos.get()
    }

    /// The encoding of what is read; none without a string and a name.
    pub fn encoding(&self) -> Option<Encoding> {
        self.shared.encoding.get().or(self.string().map(Str::encoding))
    }

    /// The string when something is left to read.
    pub fn rest(&self) -> Option<Str> {
        self.string().filter(|s| self.pos() < s.len())
    }

    pub fn at_end(&self) -> bool {
        self.rest().is_none()
    }

    /// Part of the string (clipped at its end) in `encoding`.
    pub fn part(&self, ctx: &mut Ctx, start: usize, len: usize, encoding: Encoding) -> Value {
        let Some(string) = self.string() else { return Value::NIL };
        let end = start.saturating_add(len).min(string.len());
        if end <= start {
            return Str::new(ctx, b"", encoding).value();
        }
        let part = string.substring(ctx, start..end);
        part.set_encoding(encoding);
        part.value()
    }

    /// IOError when the string cannot be changed.
    pub fn check_modifiable(&self, ctx: &mut Ctx) -> Result<()> {
        match self.string() {
            Some(string) if string.header().frozen() => Err(ctx.raise_error("IOError", "not modifiable string")),
            Some(string) => ctx.check_frozen(string.value()),
            None => Ok(()),
        }
    }
}

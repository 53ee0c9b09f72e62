//! What an IO object holds: descriptors, mode, buffers, encodings.
//!
//! Invariant: `rbuf` holds bytes as they came; while there is a decoder (transcoding, newline conversion), `cbuf` holds
//! what it has made of them. The write buffer holds encoded bytes. The state is shared by reference count, so that
//! methods can keep it while Ruby code runs; everything in it is opened by the holder of the VM lock only.

use rubellite_vm::object::{Data, Exception, NativeData, Str, copied};
use rubellite_vm::thread::ThreadState;
use rubellite_vm::{Ctx, Encoding, Extension, Result, Unwind, Value, flags};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use super::decode::{Decoder, Writer};
use super::waiting::IoWaiters;
use rubellite_vm::vmlock::list::WaitList;

/// Bits of `IoState::mode`.
pub mod mode {
    pub const READ: u32 = 1;
    pub const WRITE: u32 = 2;
    pub const APPEND: u32 = 4;
    pub const BINARY: u32 = 8;
    /// `IO#sync`
    pub const SYNC: u32 = 16;
    /// A terminal: every write is shown at once, whatever `sync` is.
    pub const TTY: u32 = 32;
    /// The descriptor is known to be non-blocking.
    pub const NONBLOCK: u32 = 64;
    /// A regular file (or a directory): reads and writes do not wait for others.
    pub const REGULAR: u32 = 128;
    /// `autoclose = false`
    pub const KEEP_OPEN: u32 = 256;
    /// One of the three standard streams.
    pub const STANDARD: u32 = 512;
    /// `binmode` was called or asked for by name.
    pub const BINMODE_CALLED: u32 = 2048;
    /// The file knows no RWF_NOWAIT (a terminal, a FIFO with a name).
    pub const NO_NOWAIT: u32 = 4096;
    /// The address family of a socket in eight bits, once it is known; 0 before.
    pub const FAMILY_SHIFT: u32 = 13;
    pub const FAMILY: u32 = 0xff << FAMILY_SHIFT;
    /// A socket, for all that is known: recv and send are cheaper there than preadv2 and pwritev2.
    pub const SOCKET: u32 = 1 << 21;
}

/// Pieces from this length on are not copied where that can be avoided.
pub const LONG: usize = 1 << 16;

/// Bytes that nobody has read yet.
#[derive(Default)]
pub struct ReadBuf {
    pub data: Vec<u8>,
    pub pos: usize,
    /// How many bytes have been taken from it, ever: says whether its front is still the same.
    pub consumed: u64,
}

impl ReadBuf {
    pub fn bytes(&self) -> &[u8] {
        &self.data[self.pos..]
    }

    pub fn len(&self) -> usize {
        self.data.len() - self.pos
    }

    pub fn is_empty(&self) -> bool {
        self.pos == self.data.len()
    }

    pub fn consume(&mut self, n: usize) {
        self.pos += n;
        self.consumed = self.consumed.wrapping_add(n as u64);
        if self.pos >= self.data.len() {
            self.data.clear();
            self.pos = 0;
        }
    }

    /// Moves the content to the front, for more to come behind it.
    pub fn compact(&mut self) {
        if self.pos > 0 {
            self.data.drain(..self.pos);
            self.pos = 0;
        }
    }

    /// Takes `n` bytes from the front.
    pub fn take(&mut self, n: usize) -> Vec<u8> {
        let n = n.min(self.len());
        if self.pos == 0 && n == self.data.len() {
            self.consumed = self.consumed.wrapping_add(n as u64);
            return std::mem::take(&mut self.data);
        }
        let rest = self.len() - n;
        if self.pos == 0 && n >= LONG && rest <= n / 8 {
            // The few bytes behind a long piece are moved, and not the piece.
            let rest = copied(&self.data[n..]);
            self.consumed = self.consumed.wrapping_add(n as u64);
            self.data.truncate(n);
            return std::mem::replace(&mut self.data, rest);
        }
        let out = copied(&self.bytes()[..n]);
        self.consume(n);
        out
    }

    pub fn clear(&mut self) {
        self.consumed = self.consumed.wrapping_add(self.len() as u64);
        self.data.clear();
        self.pos = 0;
    }

    /// Puts bytes before everything else.
    pub fn unread(&mut self, bytes: &[u8]) {
        self.consumed = self.consumed.wrapping_sub(bytes.len() as u64);
        if bytes.len() <= self.pos {
            self.pos -= bytes.len();
            self.data[self.pos..self.pos + bytes.len()].copy_from_slice(bytes);
        } else {
            let mut data = bytes.to_vec();
            data.extend_from_slice(self.bytes());
            self.data = data;
            self.pos = 0;
        }
    }
}

pub struct IoState {
    pub fd: Cell<i32>,
    /// A second descriptor for writing (`popen` with "r+"); -1: the same.
    pub write_fd: Cell<i32>,
    pub mode: Cell<u32>,
    pub rbuf: RefCell<ReadBuf>,
    /// Decoded bytes, while there is a decoder.
    pub cbuf: RefCell<ReadBuf>,
    pub wbuf: RefCell<Vec<u8>>,
    /// The bytes that `cbuf` was made of, and perhaps more before them.
    pub raw_text: RefCell<Vec<u8>>,
    /// `cbuf.consumed` behind the characters that were put back into it.
    pushed_to: Cell<u64>,
    pub lineno: Cell<i64>,
    /// The path as a String, or nil.
    pub path: Cell<Value>,
    /// The process behind a pipe; 0: none.
    pub pid: Cell<i32>,
    pub external: Cell<Option<Encoding>>,
    pub internal: Cell<Option<Encoding>>,
    pub newline: Cell<Newline>,
    /// `invalid:`, `undef:`, `replace:` ... for writing and reading, a Hash or nil.
    pub convert_options: Cell<Value>,
    pub decoder: RefCell<Option<Box<Decoder>>>,
    /// While text is written to an encoding with states.
    pub writer: RefCell<Option<Box<Writer>>>,
    /// The opening quote of `xml: :attr` has been written.
    pub quoted: Cell<bool>,
    pub timeout: Cell<Value>,
    /// The IO object, for the hooks of a fiber scheduler, or nil. It is alive while a method of it runs.
    pub object: Cell<Value>,
    /// Threads that wait for these descriptors.
    pub waiters: IoWaiters,
    /// The thread that writes to the descriptor; 0: none.
    pub flusher: Cell<u64>,
    /// It has taken bytes out of the write buffer that a flush has to wait for.
    pub draining: Cell<bool>,
    /// Threads that close the IO and want that one to stop.
    pub closing: Cell<u32>,
    /// How often that has been wanted.
    pub closes: Cell<u32>,
    /// Threads that wait for it.
    pub flush_queue: WaitList<Arc<ThreadState>>,
}

/// Conversion of line ends.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Newline {
    #[default]
    None,
    /// CRLF and CR become LF when reading.
    Universal,
    /// LF becomes CRLF when writing.
    Crlf,
    /// LF becomes CR when writing.
    Cr,
    /// CRLF becomes LF when writing.
    Lf,
}

/// What the object's cell holds.
pub struct IoCell(pub Rc<IoState>);

impl NativeData for IoCell {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.0.path.get());
        visit(self.0.timeout.get());
        visit(self.0.convert_options.get());
        self.0.waiters.fibers.trace(visit);
    }

    fn memory_size(&self) -> usize {
        size_of::<IoState>() + self.0.rbuf.borrow().data.capacity() + self.0.wbuf.borrow().capacity()
    }
}

impl IoState {
    pub fn new(fd: i32, mode: u32) -> IoState {
        IoState {
            fd: Cell::new(fd),
            write_fd: Cell::new(-1),
            mode: Cell::new(mode),
            rbuf: RefCell::default(),
            cbuf: RefCell::default(),
            wbuf: RefCell::default(),
            raw_text: RefCell::default(),
            pushed_to: Cell::new(0),
            lineno: Cell::new(0),
            path: Cell::new(Value::NIL),
            pid: Cell::new(0),
            external: Cell::new(None),
            internal: Cell::new(None),
            newline: Cell::new(Newline::None),
            convert_options: Cell::new(Value::NIL),
            decoder: RefCell::new(None),
            writer: RefCell::new(None),
            quoted: Cell::new(false),
            timeout: Cell::new(Value::NIL),
            object: Cell::new(Value::NIL),
            waiters: IoWaiters::default(),
            flusher: Cell::new(0),
            draining: Cell::new(false),
            closing: Cell::new(0),
            closes: Cell::new(0),
            flush_queue: WaitList::new(),
        }
    }

    pub fn has(&self, bits: u32) -> bool {
        self.mode.get() & bits != 0
    }

    pub fn set(&self, bits: u32, on: bool) {
        let old = self.mode.get();
        self.mode.set(if on { old | bits } else { old & !bits });
    }

    pub fn closed(&self) -> bool {
        self.fd.get() < 0 && self.write_fd.get() < 0
    }

    /// The buffer that characters and lines are taken from.
    pub fn text(&self) -> &RefCell<ReadBuf> {
        if self.decoder.borrow().is_some() { &self.cbuf } else { &self.rbuf }
    }

    /// Can something be read without asking the descriptor?
    pub fn has_buffered(&self) -> bool {
        !self.rbuf.borrow().is_empty() || !self.cbuf.borrow().is_empty()
    }

    /// How many bytes of the file the decoded text stands for, while only line ends are decoded: CRLF has become
    /// one character, everything else is what it was.
    pub fn text_in_bytes(&self) -> usize {
        if self.internal.get().is_some() {
            return 0;
        }
        let raw = self.raw_text.borrow();
        let mut at = raw.len();
        let mut pushed = 0;
        for _ in 0..self.cbuf.borrow().len() {
            match &raw[..at] {
                [.., b'\r', b'\n'] => at -= 2,
                [_, ..] => at -= 1,
                [] => pushed += 1,
            }
        }
        raw.len() - at + pushed
    }

    /// Is what will be read next put back into the decoded text?
    fn text_is_pushed_back(&self) -> bool {
        let cbuf = self.cbuf.borrow();
        !cbuf.is_empty() && self.pushed_to.get().wrapping_sub(cbuf.consumed) as i64 > 0
    }

    /// Puts characters back before the text.
    pub fn push_text_back(&self, bytes: &[u8]) {
        if self.decoder.borrow().is_some() && !self.text_is_pushed_back() {
            self.pushed_to.set(self.cbuf.borrow().consumed);
        }
        self.text().borrow_mut().unread(bytes);
    }

    /// Makes bytes of decoded text again, where that is possible.
    fn give_text_back(&self) {
        if self.text_is_pushed_back() {
            return;
        }
        let (bytes, text) = (self.text_in_bytes(), self.cbuf.borrow().len());
        let mut raw = self.raw_text.borrow_mut();
        if text > 0 && bytes > 0 && bytes <= raw.len() {
            let from = raw.len() - bytes;
            self.rbuf.borrow_mut().unread(&raw[from..]);
            self.cbuf.borrow_mut().clear();
            raw.clear();
        }
    }

    /// Forgets what was read ahead.
    pub fn clear_read(&self) {
        self.rbuf.borrow_mut().clear();
        self.cbuf.borrow_mut().clear();
    }

    /// Is it one of this IO's descriptors?
    pub fn owns(&self, fd: i32) -> bool {
        fd >= 0 && (fd == self.fd.get() || fd == self.write_fd.get())
    }

    /// The descriptor that writes go to.
    pub fn out_fd(&self) -> i32 {
        if self.write_fd.get() >= 0 { self.write_fd.get() } else { self.fd.get() }
    }

    /// Looks at what kind of thing the descriptor is.
    pub fn examine(&self) {
        let fd = self.fd.get();
        let kind = file_type(fd);
        let regular = matches!(kind, libc::S_IFREG | libc::S_IFDIR | libc::S_IFBLK);
        self.set(mode::REGULAR, regular);
        self.set(mode::SOCKET, kind == libc::S_IFSOCK);
        if !regular {
            // SAFETY: plain queries on a descriptor.
            let (tty, flags) =
                unsafe { (kind == libc::S_IFCHR && libc::isatty(fd) == 1, libc::fcntl(fd, libc::F_GETFL)) };
            self.set(mode::TTY, tty);
            self.set(mode::NONBLOCK, flags >= 0 && flags & libc::O_NONBLOCK != 0);
        }
    }
}

/// The file type bits (S_IFMT) of a descriptor; zero if there is none to ask about.
pub(super) fn file_type(fd: i32) -> u32 {
    // SAFETY: a plain query; the stat buffer is ours, and all zeroes is valid.
    unsafe {
        let mut st: libc::stat = std::mem::zeroed();
        if libc::fstat(fd, &mut st) == 0 { st.st_mode & libc::S_IFMT } else { 0 }
    }
}

impl Drop for IoState {
    fn drop(&mut self) {
        if self.has(mode::KEEP_OPEN | mode::STANDARD) {
            return;
        }
        write_out(self.out_fd(), &std::mem::take(&mut *self.wbuf.borrow_mut()));
        for fd in [self.fd.get(), self.write_fd.get()] {
            if fd > 2 {
                // SAFETY: the descriptor belongs to this object alone.
                unsafe { libc::close(fd) };
            }
        }
    }
}

/// Writes all it can, without the help of a VM (at the end of an object or of the process).
pub fn write_out(fd: i32, mut bytes: &[u8]) {
    while !bytes.is_empty() && fd >= 0 {
        // SAFETY: the slice is valid for its length.
        let n = unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
        if n > 0 {
            bytes = &bytes[n as usize..];
            continue;
        }
        match rubellite_core_object::errno::last() {
            libc::EINTR => {}
            libc::EAGAIN => {
                let mut poll = libc::pollfd { fd, events: libc::POLLOUT, revents: 0 };
                // SAFETY: one valid pollfd.
                if unsafe { libc::poll(&mut poll, 1, 10_000) } <= 0 {
                    return;
                }
            }
            _ => return,
        }
    }
}

/// IO objects with buffered output, so that the end of the process can flush them, and the standard streams.
#[derive(Default)]
pub struct IoTable {
    /// Weak.
    pub open: RefCell<HashSet<Value>>, // tidy: weak, pruned after marking
    pub stdin: Cell<Option<Value>>,
    pub stdout: Cell<Option<Value>>,
    pub stderr: Cell<Option<Value>>,
    /// The warning of IO::Buffer comes once.
    pub buffer_warned: Cell<bool>,
}

impl Extension for IoTable {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        for v in [&self.stdin, &self.stdout, &self.stderr] {
            mark(v.get().unwrap_or(Value::NIL));
        }
    }

    fn prune(&mut self, alive: &dyn Fn(Value) -> bool) {
        self.open.borrow_mut().retain(|io| alive(*io));
    }
}

/// The state of an IO object that may be closed. IOError "uninitialized stream" when there is none.
pub fn state(ctx: &mut Ctx, io: Value) -> Result<Rc<IoState>> {
    match Data::state_of::<IoCell>(ctx, io) {
        Some(cell) => Ok(cell.0.clone()),
        None => Err(io_error(ctx, "uninitialized stream")),
    }
}

/// The state if the object is an IO that has been initialized.
pub fn try_state(ctx: &Ctx, io: Value) -> Option<Rc<IoState>> {
    Data::state_of::<IoCell>(ctx, io).map(|cell| cell.0.clone())
}

/// The state of an IO that may be closed, for what is refused to a frozen one.
pub fn thawed(ctx: &mut Ctx, io: Value) -> Result<Rc<IoState>> {
    ctx.check_frozen(io)?;
    state(ctx, io)
}

/// The state of an open IO: FrozenError when it is frozen, IOError "closed stream" when it is closed.
pub fn open_state(ctx: &mut Ctx, io: Value) -> Result<Rc<IoState>> {
    ctx.check_frozen(io)?;
    open_or_frozen(ctx, io)
}

/// The state of an open IO that may be frozen, for those who look at nothing but its descriptor.
pub fn open_or_frozen(ctx: &mut Ctx, io: Value) -> Result<Rc<IoState>> {
    let state = state(ctx, io)?;
    if state.closed() { Err(io_error(ctx, "closed stream")) } else { Ok(state) }
}

/// The state of an IO that is open for reading.
pub fn readable(ctx: &mut Ctx, io: Value) -> Result<Rc<IoState>> {
    let state = open_state(ctx, io)?;
    check_readable(ctx, &state)?;
    Ok(state)
}

/// The state of an IO that is open for reading, for methods that read bytes: IOError when characters have been
/// decoded and not read.
pub fn byte_readable(ctx: &mut Ctx, io: Value) -> Result<Rc<IoState>> {
    let state = readable(ctx, io)?;
    state.give_text_back();
    if state.cbuf.borrow().is_empty() {
        Ok(state)
    } else {
        Err(io_error(ctx, "byte oriented read for character buffered IO"))
    }
}

pub fn check_readable(ctx: &mut Ctx, state: &Rc<IoState>) -> Result<()> {
    if state.closed() {
        return Err(io_error(ctx, "closed stream"));
    }
    if !state.has(mode::READ) || state.fd.get() < 0 {
        return Err(io_error(ctx, "not opened for reading"));
    }
    if !state.wbuf.borrow().is_empty() {
        super::device::flush(ctx, state)?;
    }
    Ok(())
}

/// The state of an IO that is open for writing.
pub fn writable(ctx: &mut Ctx, io: Value) -> Result<Rc<IoState>> {
    let state = open_state(ctx, io)?;
    if !state.has(mode::WRITE) {
        return Err(io_error(ctx, "not opened for writing"));
    }
    if state.has(mode::REGULAR) && !state.rbuf.borrow().is_empty() {
        super::device::unread_to_file(&state);
    }
    Ok(state)
}

#[cold]
pub fn io_error(ctx: &mut Ctx, message: &str) -> Unwind {
    ctx.raise_error("IOError", message)
}

/// The message of those whose IO another thread has closed: one frozen String, since they may be many.
#[derive(Default)]
struct ClosedElsewhere(Cell<Option<Value>>);

impl Extension for ClosedElsewhere {
    fn trace(&self, mark: &mut dyn FnMut(Value)) {
        self.0.get().into_iter().for_each(mark);
    }
}

/// The IOError of a thread that used the IO while another one closed it.
#[cold]
pub fn new_closed_elsewhere(ctx: &mut Ctx) -> Value {
    let known = ctx.extension::<ClosedElsewhere>().0.get();
    let message = known.unwrap_or_else(|| {
        let message = Str::new(ctx, b"stream closed in another thread", Encoding::US_ASCII);
        message.header().set(flags::FROZEN);
        ctx.extension::<ClosedElsewhere>().0.set(Some(message.value()));
        message.value()
    });
    let class = ctx.error_class("IOError");
    Exception::new(ctx, class.value(), message).value()
}

/// Raises it.
#[cold]
pub fn closed_elsewhere(ctx: &mut Ctx) -> Unwind {
    let error = new_closed_elsewhere(ctx);
    ctx.raise(error)
}

/// Makes an IO object around a descriptor.
pub fn wrap(ctx: &mut Ctx, klass: Value, state: IoState) -> Value {
    let data = Data::new_empty(ctx, klass);
    attach(ctx, data, state);
    data.value()
}

/// Gives an allocated object its state.
pub fn attach(ctx: &mut Ctx, io: Data, state: IoState) {
    state.examine();
    attach_known(ctx, io, state);
}

/// `attach` for a descriptor of which the mode bits say already what it is.
pub fn attach_known(ctx: &mut Ctx, io: Data, state: IoState) {
    state.object.set(io.value());
    io.install(ctx, IoCell(Rc::new(state)));
    ctx.extension::<IoTable>().open.borrow_mut().insert(io.value());
}

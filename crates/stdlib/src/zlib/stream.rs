//! One deflate or inflate stream: the compressor's state, input that waits and output that nobody has taken. Uses
//! nothing of the VM but shared bytes and is `Send`, so that its run loop works outside the lock.
//!
//! Whole buffers take a shorter way, `whole.rs`; several cores at once are `parallel.rs`.
//!
//! Input waits in two parts: `input`, and behind it the rest of a long string that an interrupt ended, which is shared
//! and not copied.
//!
//! Invariant: whatever ends a run early (a stop flag, a full output, an error), every byte of input has either been
//! consumed by the compressor or still waits, in order.

use libz_rs_sys as z;
use rubellite_vm::object::{SharedBytes, fits};
use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The stop flag is looked at after so much input at the latest: some 20 ms of the slowest level.
const INPUT_STEP: usize = 128 << 10;
/// The same for output: some 5 ms of inflating.
const OUTPUT_STEP: usize = 1 << 20;
/// With so much room the decompressor takes its slow loop.
const SLOW_ROOM: usize = 128;
/// What it says when it has forgotten what was wrong.
const FORGOTTEN: &str = "repeated call with bad state";
const OUTPUT_FIRST: usize = 1 << 10;
/// After so much input the stream knows how its output grows.
const RATIO_INPUT_MIN: usize = 8 << 10;
/// Shorter rests are copied.
const BACKLOG_MIN: usize = 64 << 10;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Deflate,
    Inflate,
}

/// How a run ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Input is used up or the stream has ended.
    Done,
    /// The stop flag was seen.
    Stopped,
    /// As much output waits as was asked for.
    Full,
    Failed(Failure),
    NoMemory,
}

/// An error of the compressor: its number and its words.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    pub code: i32,
    pub message: Option<&'static str>,
}

/// `Z_NO_FLUSH` and its kin, as the program gives them.
pub mod flush {
    pub const NONE: i32 = 0;
    pub const SYNC: i32 = 2;
    pub const FINISH: i32 = 4;
}

pub struct Stream {
    raw: Box<z::z_stream>,
    kind: Kind,
    /// Input that waits.
    pub input: Vec<u8>,
    /// What waits behind it, from the offset on.
    backlog: Option<(SharedBytes, usize)>,
    output: Vec<u8>,
    /// Where the output begins that nobody has taken.
    taken: usize,
    /// The end of the stream was reached.
    pub finished: bool,
    /// Something was fed and the end was not reached.
    pub in_stream: bool,
    /// Inflate: which framing and window.
    window_bits: i32,
    /// Inflate: what was wrong when it failed.
    wrong: Option<&'static str>,
}

// SAFETY: the compressor's state is plain memory that only this value points to.
unsafe impl Send for Stream {}

impl Stream {
    /// A compressor; the arguments are `deflateInit2`'s.
    pub fn deflate(level: i32, window_bits: i32, memory_level: i32, strategy: i32) -> Result<Stream, Failure> {
        let mut raw = Box::new(z::z_stream::default());
        // SAFETY: the structure is ours, fresh and does not move: it is boxed.
        let code = unsafe {
            z::deflateInit2_(
                &mut *raw,
                level,
                z::Z_DEFLATED,
                window_bits,
                memory_level,
                strategy,
                z::zlibVersion(),
                STREAM_SIZE,
            )
        };
        Stream::made(raw, Kind::Deflate, window_bits, code)
    }

    /// A decompressor; the argument is `inflateInit2`'s.
    pub fn inflate(window_bits: i32) -> Result<Stream, Failure> {
        let mut raw = Box::new(z::z_stream::default());
        // SAFETY: as in `deflate`.
        let code = unsafe { z::inflateInit2_(&mut *raw, window_bits, z::zlibVersion(), STREAM_SIZE) };
        Stream::made(raw, Kind::Inflate, window_bits, code)
    }

    fn made(raw: Box<z::z_stream>, kind: Kind, window_bits: i32, code: i32) -> Result<Stream, Failure> {
        if code != z::Z_OK {
            // Nothing was made, so nothing has to be ended.
            return Err(failure(code, &raw));
        }
        Ok(Stream {
            raw,
            kind,
            input: Vec::new(),
            backlog: None,
            output: Vec::new(),
            taken: 0,
            finished: false,
            in_stream: false,
            window_bits,
            wrong: None,
        })
    }

    /// A second stream in the same state.
    pub fn copy(&self) -> Result<Stream, Failure> {
        let mut raw = Box::new(z::z_stream::default());
        let source = (&raw const *self.raw).cast_mut();
        // SAFETY: both structures are live; the source is only read.
        let code = unsafe {
            match self.kind {
                Kind::Deflate => z::deflateCopy(&mut *raw, source),
                Kind::Inflate => z::inflateCopy(&mut *raw, source),
            }
        };
        let mut copy = Stream::made(raw, self.kind, self.window_bits, code)?;
        copy.input.clone_from(&self.input);
        copy.backlog.clone_from(&self.backlog);
        copy.output.extend_from_slice(self.waiting_output());
        copy.finished = self.finished;
        copy.in_stream = self.in_stream;
        copy.wrong = self.wrong;
        Ok(copy)
    }

    // -- the run loop ---------------------------------------------------------------------

    /// Feeds what waits and `source`, whose front is cut off as it is consumed, until no input is left, the end of the
    /// stream, `limit` bytes of output, or until `stop` is set. The caller `keep`s what is left of `source`.
    pub fn run(&mut self, source: &mut &[u8], flush: i32, limit: usize, stop: &AtomicBool) -> Outcome {
        // What is fed before the last part must not end the stream.
        let more = if self.kind == Kind::Deflate { flush::NONE } else { flush::SYNC };
        if !self.input.is_empty() {
            let mut waiting = std::mem::take(&mut self.input);
            let mut rest = &waiting[..];
            let last = self.backlog.is_none() && source.is_empty();
            let outcome = self.feed(&mut rest, if last { flush } else { more }, limit, stop);
            let used = waiting.len() - rest.len();
            waiting.drain(..used);
            self.input = waiting;
            if last || outcome != Outcome::Done || self.finished {
                return outcome;
            }
        }
        if let Some((bytes, from)) = self.backlog.take() {
            let mut rest = &bytes[from..];
            let last = source.is_empty();
            let outcome = self.feed(&mut rest, if last { flush } else { more }, limit, stop);
            if !rest.is_empty() {
                let from = bytes.len() - rest.len();
                self.backlog = Some((bytes, from));
            }
            if last || outcome != Outcome::Done || self.finished {
                return outcome;
            }
        }
        self.feed(source, flush, limit, stop)
    }

    fn feed(&mut self, source: &mut &[u8], flush: i32, limit: usize, stop: &AtomicBool) -> Outcome {
        let mut progress = false;
        loop {
            if stop.load(Relaxed) {
                return Outcome::Stopped;
            }
            if self.filled() >= limit {
                return Outcome::Full;
            }
            if !self.make_room(source.len()) {
                return Outcome::NoMemory;
            }
            let piece = &source[..source.len().min(INPUT_STEP)];
            let last = piece.len() == source.len();
            let fresh = self.raw.total_in == 0;
            let (code, consumed, room_left) = self.step(piece, if last { flush } else { flush::NONE });
            *source = &source[consumed..];
            match code {
                z::Z_STREAM_END => {
                    self.in_stream = false;
                    self.finished = true;
                    return Outcome::Done;
                }
                z::Z_OK | z::Z_BUF_ERROR => self.in_stream = true,
                code => return Outcome::Failed(self.failed(code, fresh.then_some(piece))),
            }
            if room_left && (source.is_empty() || consumed == 0) {
                // Stuck at once is an error; after a round that ended on a full buffer it only means that this was all.
                let stuck = code == z::Z_BUF_ERROR && (flush == flush::FINISH || !progress);
                return if stuck { Outcome::Failed(failure(code, &self.raw)) } else { Outcome::Done };
            }
            progress = true;
        }
    }

    /// The failure of a step. The decompressor forgets what was wrong when it finds it in its fast loop, which needs
    /// some room: what began with this `piece` is inflated again without room. Elsewhere it is almost always the
    /// distance.
    #[cold]
    fn failed(&mut self, code: i32, piece: Option<&[u8]>) -> Failure {
        let mut failure = failure(code, &self.raw);
        if self.kind == Kind::Inflate && failure.message == Some(FORGOTTEN) {
            let wrong = self.wrong.or_else(|| Stream::inflate(self.window_bits).ok()?.search(piece?));
            failure.message = wrong.or(Some("invalid distance too far back"));
        }
        self.wrong = failure.message;
        failure
    }

    /// What is wrong with the input.
    fn search(mut self, mut piece: &[u8]) -> Option<&'static str> {
        loop {
            self.output.clear();
            self.output.try_reserve(SLOW_ROOM).ok()?;
            let (code, consumed, room_left) = self.step_within(piece, flush::SYNC, SLOW_ROOM);
            piece = &piece[consumed..];
            match code {
                z::Z_OK | z::Z_BUF_ERROR if !room_left || consumed > 0 => {}
                code => return failure(code, &self.raw).message,
            }
        }
    }

    /// One call of the compressor: its answer, the input used, whether room for output is left.
    fn step(&mut self, piece: &[u8], flush: i32) -> (i32, usize, bool) {
        self.step_within(piece, flush, OUTPUT_STEP)
    }

    fn step_within(&mut self, piece: &[u8], flush: i32, room_max: usize) -> (i32, usize, bool) {
        let spare = self.output.spare_capacity_mut();
        let room = spare.len().min(room_max);
        self.raw.next_in = piece.as_ptr();
        self.raw.avail_in = piece.len() as u32;
        self.raw.next_out = spare.as_mut_ptr().cast();
        self.raw.avail_out = room as u32;
        // SAFETY: the stream is initialised; input and output are live for the lengths given.
        let code = unsafe {
            match self.kind {
                Kind::Deflate => z::deflate(&mut *self.raw, flush),
                Kind::Inflate => z::inflate(&mut *self.raw, flush),
            }
        };
        let written = room - self.raw.avail_out as usize;
        let consumed = piece.len() - self.raw.avail_in as usize;
        let filled = self.output.len() + written;
        // SAFETY: the compressor has written so many bytes behind the old length.
        unsafe { self.output.set_len(filled) };
        (code, consumed, written < room)
    }

    /// Makes room for a step of output. False when memory is short.
    fn make_room(&mut self, input: usize) -> bool {
        if self.taken == self.output.len() {
            self.output.clear();
            self.taken = 0;
        } else if self.taken > self.output.len() / 2 {
            self.output.drain(..self.taken);
            self.taken = 0;
        }
        if self.output.capacity() > self.output.len() {
            return true;
        }
        let guess = if self.kind == Kind::Inflate { self.inflated(input) } else { input / 2 };
        let want = guess.clamp(OUTPUT_FIRST, OUTPUT_STEP).max(self.output.len() / 2);
        fits(want) && self.output.try_reserve_exact(want).is_ok()
    }

    /// How much output so much input makes, as far as the stream tells: a little more than before.
    fn inflated(&self, input: usize) -> usize {
        let (before, made) = (self.raw.total_in as usize, self.raw.total_out as usize);
        if before < RATIO_INPUT_MIN {
            return input.saturating_mul(4);
        }
        let expected = input as u128 * made as u128 / before as u128;
        usize::try_from(expected + expected / 8).unwrap_or(usize::MAX)
    }

    /// Keeps input that a run has left over: the last `len` bytes of `source`.
    pub fn keep(&mut self, source: &SharedBytes, len: usize) {
        let from = source.len() - len;
        if len >= BACKLOG_MIN && self.backlog.is_none() {
            self.backlog = Some((source.clone(), from));
        } else {
            self.input = self.take_input();
            self.input.extend_from_slice(&source[from..]);
        }
    }

    /// Bytes of input that wait.
    pub fn waiting_input(&self) -> usize {
        self.input.len() + self.backlog.as_ref().map_or(0, |(bytes, from)| bytes.len() - from)
    }

    /// Takes all input that waits.
    pub fn take_input(&mut self) -> Vec<u8> {
        let mut all = std::mem::take(&mut self.input);
        if let Some((bytes, from)) = self.backlog.take() {
            all.extend_from_slice(&bytes[from..]);
        }
        all
    }

    // -- output ---------------------------------------------------------------------------

    /// Bytes of output that wait.
    pub fn filled(&self) -> usize {
        self.output.len() - self.taken
    }

    pub fn waiting_output(&self) -> &[u8] {
        &self.output[self.taken..]
    }

    /// Takes all output.
    pub fn take_output(&mut self) -> Vec<u8> {
        let mut all = std::mem::take(&mut self.output);
        all.drain(..std::mem::take(&mut self.taken));
        if all.len() < all.capacity() / 2 {
            all.shrink_to_fit();
        }
        all
    }

    /// Takes at most `len` bytes from the front.
    pub fn take_front(&mut self, len: usize) -> Vec<u8> {
        if len >= self.filled() {
            return self.take_output();
        }
        let front = self.output[self.taken..self.taken + len].to_vec();
        self.taken += len;
        front
    }

    /// Appends bytes that did not come from the compressor.
    pub fn append_output(&mut self, bytes: &[u8]) {
        self.output.extend_from_slice(bytes);
    }

    /// Puts bytes in front of the output.
    pub fn unread(&mut self, bytes: &[u8]) {
        if self.taken >= bytes.len() {
            self.taken -= bytes.len();
            self.output[self.taken..self.taken + bytes.len()].copy_from_slice(bytes);
        } else {
            self.output.splice(..self.taken, bytes.iter().copied());
            self.taken = 0;
        }
    }

    /// Makes room for `len` bytes of output in advance.
    pub fn reserve_output(&mut self, len: usize) -> bool {
        fits(len) && self.output.try_reserve_exact(len).is_ok()
    }

    // -- the rest of the interface --------------------------------------------------------

    pub fn reset(&mut self) -> Result<(), Failure> {
        // SAFETY: the stream is initialised.
        let code = unsafe {
            match self.kind {
                Kind::Deflate => z::deflateReset(&mut *self.raw),
                Kind::Inflate => z::inflateReset(&mut *self.raw),
            }
        };
        self.input.clear();
        self.backlog = None;
        self.output.clear();
        self.taken = 0;
        self.finished = false;
        self.in_stream = false;
        self.wrong = None;
        self.check(code)
    }

    pub fn set_dictionary(&mut self, dictionary: &[u8]) -> Result<(), Failure> {
        let len = u32::try_from(dictionary.len()).map_err(|_| Failure { code: z::Z_STREAM_ERROR, message: None })?;
        // SAFETY: the stream is initialised and the dictionary is live for its length.
        let code = unsafe {
            match self.kind {
                Kind::Deflate => z::deflateSetDictionary(&mut *self.raw, dictionary.as_ptr(), len),
                Kind::Inflate => z::inflateSetDictionary(&mut *self.raw, dictionary.as_ptr(), len),
            }
        };
        self.check(code)
    }

    /// `deflateParams`: what was fed so far is compressed with the old ones.
    pub fn params(&mut self, level: i32, strategy: i32) -> Result<(), Failure> {
        loop {
            self.make_room(OUTPUT_FIRST);
            let spare = self.output.spare_capacity_mut();
            let room = spare.len().min(OUTPUT_STEP);
            self.raw.next_in = [].as_ptr();
            self.raw.avail_in = 0;
            self.raw.next_out = spare.as_mut_ptr().cast();
            self.raw.avail_out = room as u32;
            // SAFETY: the stream is initialised; the output is live for the length given.
            let code = unsafe { z::deflateParams(&mut *self.raw, level, strategy) };
            let written = room - self.raw.avail_out as usize;
            let filled = self.output.len() + written;
            // SAFETY: the compressor has written so many bytes behind the old length.
            unsafe { self.output.set_len(filled) };
            if code != z::Z_BUF_ERROR || written < room {
                return self.check(code);
            }
        }
    }

    /// Looks for a point from which inflating can go on. True when one was found; input behind it waits then.
    pub fn sync(&mut self, source: &[u8]) -> Result<bool, Failure> {
        let waiting = self.take_input();
        for (piece, behind) in [(&waiting[..], source), (source, &[][..])] {
            if piece.is_empty() {
                continue;
            }
            self.raw.next_in = piece.as_ptr();
            self.raw.avail_in = piece.len().min(u32::MAX as usize) as u32;
            // SAFETY: the stream is an initialised decompressor, its input live.
            let code = unsafe { z::inflateSync(&mut *self.raw) };
            let rest = self.raw.avail_in as usize;
            match code {
                z::Z_OK => {
                    self.input = [&piece[piece.len() - rest..], behind].concat();
                    return Ok(true);
                }
                z::Z_DATA_ERROR => {}
                code => return self.check(code).map(|()| false),
            }
        }
        Ok(false)
    }

    pub fn sync_point(&mut self) -> Result<bool, Failure> {
        // SAFETY: the stream is an initialised decompressor.
        match unsafe { z::inflateSyncPoint(&mut *self.raw) } {
            1 => Ok(true),
            code => self.check(code).map(|()| false),
        }
    }

    pub fn total_in(&self) -> u64 {
        self.raw.total_in
    }

    pub fn total_out(&self) -> u64 {
        self.raw.total_out
    }

    pub fn data_type(&self) -> i32 {
        self.raw.data_type
    }

    /// The checksum of what went through, or the one of the dictionary that is needed.
    pub fn adler(&self) -> u32 {
        self.raw.adler as u32
    }

    /// Bytes of memory held.
    pub fn memory_size(&self) -> usize {
        let state = if self.kind == Kind::Deflate { 256 << 10 } else { 48 << 10 };
        state + self.input.capacity() + self.output.capacity()
    }

    fn check(&self, code: i32) -> Result<(), Failure> {
        if code == z::Z_OK { Ok(()) } else { Err(failure(code, &self.raw)) }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the stream is initialised and ended once.
        unsafe {
            match self.kind {
                Kind::Deflate => z::deflateEnd(&mut *self.raw),
                Kind::Inflate => z::inflateEnd(&mut *self.raw),
            };
        }
    }
}

const STREAM_SIZE: i32 = size_of::<z::z_stream>() as i32;

fn failure(code: i32, raw: &z::z_stream) -> Failure {
    let message = if raw.msg.is_null() {
        None
    } else {
        // SAFETY: messages of the compressor are static C strings.
        unsafe { CStr::from_ptr(raw.msg) }.to_str().ok()
    };
    Failure { code, message }
}

//! Psych::Emitter: writes events as YAML to an IO-like object.
//!
//! libyaml's emitter writes into a buffer of ours; what has gathered there after an event is handed to `io.write`, so
//! that no Ruby runs inside libyaml.

use super::utf8;
use rubellite_vm::object::{Array, Data, NativeData, Str};
use rubellite_vm::outside::once;
use rubellite_vm::vmlock::Kind;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Encoding, Ends, Leave, Result, Value, method, private_method};
use std::cell::{Cell, UnsafeCell};
use std::ffi::{CString, c_void};
use std::mem::MaybeUninit;

pub static EMITTER: ClassDef = ClassDef {
    name: "Psych::Emitter",
    superclass: "Psych::Handler",
    alloc: Some(allocate),
    methods: &[
        private_method("initialize", Arity::range(1, 2), initialize),
        method("start_stream", Arity::ONE, start_stream),
        method("end_stream", Arity::NONE, end_stream),
        method("start_document", Arity::exact(3), start_document),
        method("end_document", Arity::ONE, end_document),
        method("scalar", Arity::exact(6), scalar),
        method("start_sequence", Arity::exact(4), start_sequence),
        method("end_sequence", Arity::NONE, end_sequence),
        method("start_mapping", Arity::exact(4), start_mapping),
        method("end_mapping", Arity::NONE, end_mapping),
        method("alias", Arity::ONE, alias),
        method("canonical", Arity::NONE, canonical),
        method("canonical=", Arity::ONE, set_canonical),
        method("indentation", Arity::NONE, indentation),
        method("indentation=", Arity::ONE, set_indentation),
        method("line_width", Arity::NONE, line_width),
        method("line_width=", Arity::ONE, set_line_width),
    ],
    ..ClassDef::EMPTY
};

/// The state of an emitter. The buffer is boxed, so that libyaml can be told its address once.
struct Emitter {
    emitter: UnsafeCell<Box<MaybeUninit<unsafe_libyaml::yaml_emitter_t>>>,
    buffer: *mut Vec<u8>,
    io: Cell<Value>,
    canonical: Cell<bool>,
    indentation: Cell<i32>,
    line_width: Cell<i32>,
    /// Bytes of scalars that libyaml may not have written yet.
    pending: Cell<usize>,
    /// It writes outside the lock.
    writes: Cell<bool>,
}

/// So many bytes of scalars are written outside the lock: libyaml takes some milliseconds for them.
const LONG_SCALAR: usize = 64 << 10;

/// What is written outside the lock.
struct Writing {
    emitter: *mut unsafe_libyaml::yaml_emitter_t,
    event: *mut unsafe_libyaml::yaml_event_t,
}

// SAFETY: while `Emitter::writes` is set nobody else touches the emitter, and the event is the caller's own.
unsafe impl Send for Writing {}

impl Writing {
    /// # Safety
    /// Emitter and event are initialised, and nobody else uses them.
    unsafe fn run(self) -> bool {
        // SAFETY: by contract.
        unsafe { unsafe_libyaml::yaml_emitter_emit(self.emitter, self.event).ok }
    }
}

impl NativeData for Emitter {
    fn trace(&self, visit: &mut dyn FnMut(Value)) {
        visit(self.io.get());
    }
}

impl Drop for Emitter {
    fn drop(&mut self) {
        // SAFETY: `allocate` initialised the emitter and made the buffer from a box; both end here.
        unsafe {
            unsafe_libyaml::yaml_emitter_delete(self.ptr());
            drop(Box::from_raw(self.buffer));
        }
    }
}

impl Emitter {
    fn ptr(&self) -> *mut unsafe_libyaml::yaml_emitter_t {
        // SAFETY: the borrow ends here; the box does not move.
        unsafe { (*self.emitter.get()).as_mut_ptr() }
    }
}

/// libyaml's writer: appends to the buffer.
unsafe fn write(data: *mut c_void, bytes: *mut u8, size: u64) -> i32 {
    // SAFETY: `data` is the emitter's buffer, which nobody else uses while libyaml runs; libyaml's bytes are valid.
    unsafe { (*data.cast::<Vec<u8>>()).extend_from_slice(std::slice::from_raw_parts(bytes, size as usize)) };
    1
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    let buffer = Box::into_raw(Box::<Vec<u8>>::default());
    let state = Emitter {
        emitter: UnsafeCell::new(Box::new(MaybeUninit::zeroed())),
        buffer,
        io: Cell::new(Value::NIL),
        canonical: Cell::new(false),
        indentation: Cell::new(2),
        line_width: Cell::new(0),
        pending: Cell::new(0),
        writes: Cell::new(false),
    };
    // SAFETY: the memory is ours; the buffer lives as long as the emitter.
    unsafe {
        let _ = unsafe_libyaml::yaml_emitter_initialize(state.ptr());
        unsafe_libyaml::yaml_emitter_set_unicode(state.ptr(), true);
        unsafe_libyaml::yaml_emitter_set_indent(state.ptr(), 2);
        unsafe_libyaml::yaml_emitter_set_output(state.ptr(), write, buffer.cast());
    }
    Ok(Data::new(ctx, class, state).value())
}

fn state(ctx: &mut Ctx, recv: Value) -> Result<&Emitter> {
    if Data::state_of::<Emitter>(ctx, recv).is_none() {
        return Err(ctx.type_error("uninitialized Psych::Emitter"));
    }
    if Data::state_of::<Emitter>(ctx, recv).is_some_and(|state| state.writes.get()) {
        return Err(ctx.raise_error("ThreadError", "another thread writes with this Psych::Emitter"));
    }
    match Data::state_of::<Emitter>(ctx, recv) {
        Some(state) => Ok(state),
        None => Err(rubellite_vm::Unwind),
    }
}

fn initialize(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    if let Some(options) = args.get(1) {
        for (name, setter) in [("line_width", set_width as fn(&Emitter, i64)), ("indentation", set_indent)] {
            let value = ctx.call_name(options, name, &[])?;
            let n = ctx.to_int(value)?;
            setter(state(ctx, recv)?, n);
        }
        let canonical = ctx.call_name(options, "canonical", &[])? == Value::TRUE;
        make_canonical(state(ctx, recv)?, canonical);
    }
    let io = args.at(0);
    state(ctx, recv)?.io.set(io);
    ctx.write_barrier(recv, io);
    Ok(recv)
}

fn set_width(state: &Emitter, n: i64) {
    let n = n.clamp(-1, i32::MAX as i64) as i32;
    state.line_width.set(n);
    // SAFETY: the emitter is initialised.
    unsafe { unsafe_libyaml::yaml_emitter_set_width(state.ptr(), n) }
}

fn set_indent(state: &Emitter, n: i64) {
    let n = if (2..10).contains(&n) { n as i32 } else { 2 };
    state.indentation.set(n);
    // SAFETY: the emitter is initialised.
    unsafe { unsafe_libyaml::yaml_emitter_set_indent(state.ptr(), n) }
}

fn make_canonical(state: &Emitter, on: bool) {
    state.canonical.set(on);
    // SAFETY: the emitter is initialised.
    unsafe { unsafe_libyaml::yaml_emitter_set_canonical(state.ptr(), on) }
}

/// Emits one event that `make` fills in (false: it cannot), and writes what is ready to the IO.
fn emit(ctx: &mut Ctx, recv: Value, make: impl FnOnce(*mut unsafe_libyaml::yaml_event_t) -> bool) -> Result {
    let state = state(ctx, recv)?;
    let mut event = MaybeUninit::<unsafe_libyaml::yaml_event_t>::zeroed();
    if !make(event.as_mut_ptr()) {
        return Err(ctx.runtime_error("invalid YAML event"));
    }
    let writing = Writing { emitter: state.ptr(), event: event.as_mut_ptr() };
    let written = if state.pending.get() < LONG_SCALAR {
        // SAFETY: emitter and event are initialised; the emitter takes the event over.
        unsafe { writing.run() }
    } else {
        write_outside(ctx, recv, writing)?
    };
    let state = self::state(ctx, recv)?;
    // SAFETY: the emitter is initialised, and libyaml does not run now. Its problem is a constant text.
    let problem = unsafe {
        if written {
            None
        } else {
            let emitter = &*state.ptr();
            let at = emitter.problem;
            Some(if at.is_null() {
                String::new()
            } else {
                std::ffi::CStr::from_ptr(at.cast()).to_string_lossy().into_owned()
            })
        }
    };
    // SAFETY: libyaml does not run now.
    let ready = unsafe { std::mem::take(&mut *state.buffer) };
    if ready.len() >= state.pending.get() / 2 {
        state.pending.set(0);
    }
    let io = state.io.get();
    if let Some(problem) = problem {
        return Err(ctx.runtime_error(&problem));
    }
    if !ready.is_empty() {
        let text = Str::from_vec(ctx, ready, Encoding::UTF_8).value();
        ctx.call_name(io, "write", &[text])?;
    }
    Ok(recv)
}

/// `Writing::run` outside the lock; the emitter refuses other calls meanwhile.
fn write_outside(ctx: &mut Ctx, recv: Value, writing: Writing) -> Result<bool> {
    state(ctx, recv)?.writes.set(true);
    // SAFETY: emitter and event are initialised, and the emitter is marked as busy. The event lives in the caller's
    // frame, which waits.
    let outcome = ctx.outside(Leave::new(Kind::Long, Ends::Never).running(), once(move || unsafe { writing.run() }));
    if let Some(state) = Data::state_of::<Emitter>(ctx, recv) {
        state.writes.set(false);
    }
    outcome
}

/// A String argument in UTF-8; TypeError for what is none.
fn string(ctx: &mut Ctx, value: Value) -> Result<Vec<u8>> {
    let Some(string) = Str::try_of(value) else {
        let class = ctx.describe_for_conversion(value);
        return Err(ctx.type_error(&format!("wrong argument type {class} (expected String)")));
    };
    let string = utf8(ctx, string)?;
    Ok(string.bytes(ctx).to_vec())
}

/// A String or nil as a C string.
fn optional(ctx: &mut Ctx, value: Value) -> Result<Option<CString>> {
    if value.is_nil() {
        return Ok(None);
    }
    match CString::new(string(ctx, value)?) {
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(ctx.null_byte_error()),
    }
}

/// A part of a tag directive, which need only be convertible to a String.
fn directive_text(ctx: &mut Ctx, value: Value) -> Result<CString> {
    let value = ctx.to_str(value)?.value();
    Ok(optional(ctx, value)?.unwrap_or_default())
}

fn pointer(text: &Option<CString>) -> *const u8 {
    text.as_ref().map_or(std::ptr::null(), |t| t.as_ptr().cast())
}

fn start_stream(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let Some(encoding) = args.at(0).as_fixnum() else {
        let class = ctx.describe_for_conversion(args.at(0));
        return Err(ctx.type_error(&format!("wrong argument type {class} (expected Integer)")));
    };
    let encoding = match encoding {
        1 => unsafe_libyaml::YAML_UTF8_ENCODING,
        2 => unsafe_libyaml::YAML_UTF16LE_ENCODING,
        3 => unsafe_libyaml::YAML_UTF16BE_ENCODING,
        _ => unsafe_libyaml::YAML_ANY_ENCODING,
    };
    // SAFETY: the event is ours.
    emit(ctx, recv, |event| unsafe { unsafe_libyaml::yaml_stream_start_event_initialize(event, encoding).ok })
}

fn end_stream(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    // SAFETY: the event is ours.
    emit(ctx, recv, |event| unsafe { unsafe_libyaml::yaml_stream_end_event_initialize(event).ok })
}

fn array(ctx: &mut Ctx, value: Value) -> Result<Array> {
    match Array::try_of(value) {
        Some(array) => Ok(array),
        None => {
            let class = ctx.describe_for_conversion(value);
            Err(ctx.type_error(&format!("wrong argument type {class} (expected Array)")))
        }
    }
}

/// `start_document(version, tags, implicit)`
fn start_document(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let version = array(ctx, args.at(0))?;
    let mut directive = MaybeUninit::<unsafe_libyaml::yaml_version_directive_t>::zeroed();
    let versioned = !version.is_empty();
    if versioned {
        let major = ctx.to_int(version.get(0).unwrap_or(Value::NIL))? as i32;
        let minor = ctx.to_int(version.get(1).unwrap_or(Value::NIL))? as i32;
        // SAFETY: the directive is ours; it is two numbers.
        unsafe {
            (*directive.as_mut_ptr()).major = major;
            (*directive.as_mut_ptr()).minor = minor;
        }
    }
    let mut texts: Vec<(CString, CString)> = Vec::new();
    if args.at(1).truthy() {
        let tags = array(ctx, args.at(1))?;
        // A conversion may add tags, which are none of this document's.
        for i in 0..tags.len() {
            let Some(pair) = tags.get(i) else { break };
            let pair = array(ctx, pair)?;
            if pair.len() < 2 {
                return Err(ctx.runtime_error("tag tuple must be of length 2"));
            }
            let handle = directive_text(ctx, pair.get(0).unwrap_or(Value::NIL))?;
            let prefix = directive_text(ctx, pair.get(1).unwrap_or(Value::NIL))?;
            texts.push((handle, prefix));
        }
    }
    let mut directives: Vec<unsafe_libyaml::yaml_tag_directive_t> = Vec::with_capacity(texts.len());
    for (handle, prefix) in &texts {
        // SAFETY: a directive is two pointers, which are set here; the texts outlive the call, and libyaml copies them.
        unsafe {
            let mut tag = MaybeUninit::<unsafe_libyaml::yaml_tag_directive_t>::zeroed().assume_init();
            tag.handle = handle.as_ptr().cast_mut().cast();
            tag.prefix = prefix.as_ptr().cast_mut().cast();
            directives.push(tag);
        }
    }
    let implicit = args.at(2).truthy();
    let range = directives.as_mut_ptr_range();
    let (start, end) =
        if texts.is_empty() { (std::ptr::null_mut(), std::ptr::null_mut()) } else { (range.start, range.end) };
    let version = if versioned { directive.as_mut_ptr() } else { std::ptr::null_mut() };
    // SAFETY: the event is ours; the directives are copied.
    emit(ctx, recv, |event| unsafe {
        unsafe_libyaml::yaml_document_start_event_initialize(event, version, start, end, implicit).ok
    })
}

fn end_document(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let implicit = args.at(0).truthy();
    // SAFETY: the event is ours.
    emit(ctx, recv, |event| unsafe { unsafe_libyaml::yaml_document_end_event_initialize(event, implicit).ok })
}

/// `scalar(value, anchor, tag, plain, quoted, style)`
fn scalar(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let value = string(ctx, args.at(0))?;
    let anchor = optional(ctx, args.at(1))?;
    let tag = optional(ctx, args.at(2))?;
    let (plain, quoted) = (args.at(3).truthy(), args.at(4).truthy());
    let style = match ctx.to_int(args.at(5))? {
        1 => unsafe_libyaml::YAML_PLAIN_SCALAR_STYLE,
        2 => unsafe_libyaml::YAML_SINGLE_QUOTED_SCALAR_STYLE,
        3 => unsafe_libyaml::YAML_DOUBLE_QUOTED_SCALAR_STYLE,
        4 => unsafe_libyaml::YAML_LITERAL_SCALAR_STYLE,
        5 => unsafe_libyaml::YAML_FOLDED_SCALAR_STYLE,
        _ => unsafe_libyaml::YAML_ANY_SCALAR_STYLE,
    };
    let Ok(len) = i32::try_from(value.len()) else { return Err(ctx.argument_error("string too big")) };
    let state = state(ctx, recv)?;
    state.pending.set(state.pending.get().saturating_add(value.len()));
    // SAFETY: the event is ours; texts are valid for the call, and libyaml copies them.
    emit(ctx, recv, |event| unsafe {
        unsafe_libyaml::yaml_scalar_event_initialize(
            event,
            pointer(&anchor),
            pointer(&tag),
            value.as_ptr(),
            len,
            plain,
            quoted,
            style,
        )
        .ok
    })
}

/// `start_sequence(anchor, tag, implicit, style)`
fn start_sequence(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let anchor = optional(ctx, args.at(0))?;
    let tag = optional(ctx, args.at(1))?;
    let implicit = args.at(2).truthy();
    let style = match ctx.to_int(args.at(3))? {
        1 => unsafe_libyaml::YAML_BLOCK_SEQUENCE_STYLE,
        2 => unsafe_libyaml::YAML_FLOW_SEQUENCE_STYLE,
        _ => unsafe_libyaml::YAML_ANY_SEQUENCE_STYLE,
    };
    // SAFETY: as in `scalar`.
    emit(ctx, recv, |event| unsafe {
        unsafe_libyaml::yaml_sequence_start_event_initialize(event, pointer(&anchor), pointer(&tag), implicit, style).ok
    })
}

fn end_sequence(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    // SAFETY: the event is ours.
    emit(ctx, recv, |event| unsafe { unsafe_libyaml::yaml_sequence_end_event_initialize(event).ok })
}

/// `start_mapping(anchor, tag, implicit, style)`
fn start_mapping(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let anchor = optional(ctx, args.at(0))?;
    let tag = optional(ctx, args.at(1))?;
    let implicit = args.at(2).truthy();
    let style = match ctx.to_int(args.at(3))? {
        1 => unsafe_libyaml::YAML_BLOCK_MAPPING_STYLE,
        2 => unsafe_libyaml::YAML_FLOW_MAPPING_STYLE,
        _ => unsafe_libyaml::YAML_ANY_MAPPING_STYLE,
    };
    // SAFETY: as in `scalar`.
    emit(ctx, recv, |event| unsafe {
        unsafe_libyaml::yaml_mapping_start_event_initialize(event, pointer(&anchor), pointer(&tag), implicit, style).ok
    })
}

fn end_mapping(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    // SAFETY: the event is ours.
    emit(ctx, recv, |event| unsafe { unsafe_libyaml::yaml_mapping_end_event_initialize(event).ok })
}

fn alias(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let anchor = optional(ctx, args.at(0))?;
    if anchor.is_none() {
        return Err(ctx.runtime_error("invalid YAML event"));
    }
    // SAFETY: as in `scalar`; the anchor is there.
    emit(ctx, recv, |event| unsafe { unsafe_libyaml::yaml_alias_event_initialize(event, pointer(&anchor)).ok })
}

fn canonical(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::from_bool(state(ctx, recv)?.canonical.get()))
}

fn set_canonical(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    make_canonical(state(ctx, recv)?, args.at(0) == Value::TRUE);
    Ok(args.at(0))
}

fn indentation(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(state(ctx, recv)?.indentation.get() as i64))
}

fn set_indentation(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let n = ctx.to_int(args.at(0))?;
    set_indent(state(ctx, recv)?, n);
    Ok(args.at(0))
}

fn line_width(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    Ok(Value::fixnum(state(ctx, recv)?.line_width.get() as i64))
}

fn set_line_width(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let n = ctx.to_int(args.at(0))?;
    set_width(state(ctx, recv)?, n);
    Ok(args.at(0))
}

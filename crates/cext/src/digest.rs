//! Objects of Digest::Base whose functions are an extension's (`ruby/digest.h`).
//!
//! Such an object is typed data, the memory that the functions work on; they run with the lock, as whatever is written
//! in C. Digest::Base itself lies in the library, which comes here when the object or the class is an extension's.

use crate::data::{digest_state, new_digest_state};
use crate::state::{Call, cross};
use rubellite_vm::object::{CData, DigestStep, Str};
use rubellite_vm::{Class, Ctx, Encoding, Result, Unwind, Value};
use std::ffi::{c_int, c_void};

/// `rb_digest_metadata_t`.
#[repr(C)]
pub struct Metadata {
    api_version: c_int,
    digest_len: usize,
    block_len: usize,
    ctx_size: usize,
    init: *const c_void,
    update: *const c_void,
    finish: *const c_void,
}

const API_VERSION: c_int = 3;

/// What the library asks of an object or a class.
///
/// # Errors
/// Digest::Base's of a class without metadata or with wrong ones, what the functions raise.
pub fn step(ctx: &mut Ctx, recv: Value, step: DigestStep) -> Result {
    match step {
        DigestStep::Allocate => allocate(ctx, recv),
        DigestStep::Copy(from) => copy(ctx, recv, from),
        DigestStep::Reset => reset(ctx, recv),
        DigestStep::Update(string) => update(ctx, recv, string),
        DigestStep::Finish => finish(ctx, recv),
        DigestStep::DigestLength => {
            let len = of_object(ctx, recv)?.digest_len;
            Ok(ctx.uint(len as u64))
        }
        DigestStep::BlockLength => {
            let len = of_object(ctx, recv)?.block_len;
            Ok(ctx.uint(len as u64))
        }
    }
}

/// The metadata of a class, its own or of the next one above that has some.
fn of_class(ctx: &mut Ctx, class: Class) -> Result<&'static Metadata> {
    let name = ctx.intern("metadata");
    let mut above = Some(class);
    let found = loop {
        let Some(at) = above else {
            return Err(ctx.runtime_error("Digest::Base cannot be directly inherited in Ruby"));
        };
        if let Some(value) = ctx.ivar_get(at.value(), name).defined() {
            break (at, value);
        }
        above = at.superclass(ctx);
    };
    let (owner, value) = found;
    let words =
        CData::try_of(value).filter(|data| data.cell().flag.get() as usize != 1).map(|data| data.cell().data.get());
    let Some(address) = words.filter(|address| !address.is_null()) else {
        let (name, above) = (class.inspect(ctx), owner.inspect(ctx));
        let whose = if owner == class { name } else { format!("{name}({above})") };
        return Err(ctx.type_error(&format!("{whose}::metadata is not initialized properly")));
    };
    // SAFETY: untyped data in this variable is the extension's metadata, which live as long as it does, and extensions
    // are never unloaded.
    let metadata = unsafe { &*address.cast::<Metadata>() };
    if metadata.api_version != API_VERSION {
        return Err(ctx.runtime_error("Incompatible digest API version"));
    }
    Ok(metadata)
}

fn of_object(ctx: &mut Ctx, object: Value) -> Result<&'static Metadata> {
    let class = ctx.real_class(object);
    of_class(ctx, class)
}

/// The memory of an object.
fn memory(ctx: &mut Ctx, object: Value) -> Result<*mut c_void> {
    match digest_state(object) {
        Some(data) => Ok(data),
        None => Err(wrong_data(ctx, object)),
    }
}

#[cold]
fn wrong_data(ctx: &mut Ctx, object: Value) -> Unwind {
    let text = ctx.describe_for_conversion(object);
    ctx.type_error(&format!("wrong argument type {text} (expected digest)"))
}

unsafe extern "C" {
    fn rbl_enter_digest_init(function: *const c_void, data: *mut c_void, out: *mut c_int) -> c_int;
    fn rbl_enter_digest_update(function: *const c_void, data: *mut c_void, bytes: *const u8, len: usize) -> c_int;
    fn rbl_enter_digest_finish(function: *const c_void, data: *mut c_void, digest: *mut u8) -> c_int;
}

fn begin(ctx: &mut Ctx, metadata: &Metadata, data: *mut c_void) -> Result<()> {
    // SAFETY: the extension's function and memory of the size that it has asked for.
    let done = cross(ctx, Call::NONE, 0, |out| unsafe { rbl_enter_digest_init(metadata.init, data, out) })?;
    if done == 1 { Ok(()) } else { Err(ctx.runtime_error("Digest initialization failed.")) }
}

fn allocate(ctx: &mut Ctx, class: Value) -> Result {
    let Some(handle) = Class::try_of(class) else { return Err(wrong_data(ctx, class)) };
    if handle == ctx.named_class("Digest::Base")? {
        return Err(ctx.not_implemented("Digest::Base is an abstract class"));
    }
    let metadata = of_class(ctx, handle)?;
    let object = new_digest_state(ctx, class, metadata.ctx_size)?;
    let data = memory(ctx, object)?;
    begin(ctx, metadata, data)?;
    Ok(object)
}

fn copy(ctx: &mut Ctx, recv: Value, from: Value) -> Result {
    if recv == from {
        return Ok(recv);
    }
    ctx.check_frozen(recv)?;
    let base = ctx.named_class("Digest::Base")?.value();
    if CData::try_of(from).is_none() && ctx.is_a(from, base) {
        return Err(ctx.type_error("different algorithms"));
    }
    let (mine, theirs) = (of_object(ctx, recv)?, of_object(ctx, from)?);
    if !std::ptr::eq(mine, theirs) {
        return Err(ctx.type_error("different algorithms"));
    }
    let (target, source) = (memory(ctx, recv)?, memory(ctx, from)?);
    // SAFETY: two objects' memory, each of this size.
    unsafe { std::ptr::copy_nonoverlapping(source.cast::<u8>(), target.cast::<u8>(), mine.ctx_size) };
    Ok(recv)
}

fn reset(ctx: &mut Ctx, recv: Value) -> Result {
    let metadata = of_object(ctx, recv)?;
    let data = memory(ctx, recv)?;
    begin(ctx, metadata, data)?;
    Ok(recv)
}

fn update(ctx: &mut Ctx, recv: Value, string: Value) -> Result {
    let string = ctx.to_str(string)?;
    let metadata = of_object(ctx, recv)?;
    let data = memory(ctx, recv)?;
    // The function may come back to the VM and change the String.
    let bytes = string.share(ctx);
    // SAFETY: the extension's function, its memory, and bytes that live until it returns.
    cross(ctx, Call::NONE, (), |_| unsafe {
        rbl_enter_digest_update(metadata.update, data, bytes.as_ptr(), bytes.len())
    })?;
    Ok(recv)
}

/// The digest; the function begins anew.
fn finish(ctx: &mut Ctx, recv: Value) -> Result {
    let metadata = of_object(ctx, recv)?;
    let data = memory(ctx, recv)?;
    let mut digest = vec![0u8; metadata.digest_len];
    // SAFETY: the extension's function, its memory, and room for the digest.
    cross(ctx, Call::NONE, (), |_| unsafe { rbl_enter_digest_finish(metadata.finish, data, digest.as_mut_ptr()) })?;
    begin(ctx, metadata, data)?;
    Ok(Str::from_vec(ctx, digest, Encoding::BINARY).value())
}

//! Transfers of the IO classes that a fiber's scheduler does (`io_read`, `io_write` and their positioned forms): its
//! hooks take an IO::Buffer. What else a scheduler does for IO objects is in the crate of threads.

use super::buffer;
use rubellite_core_thread::scheduler::{Transfer, knows, transfer};
use rubellite_vm::{Ctx, Result, Value};

/// Reads up to `want` bytes, at `offset` of the file if there is one, if the scheduler does that.
pub fn io_read(
    ctx: &mut Ctx,
    scheduler: Value,
    io: Value,
    want: usize,
    offset: Option<i64>,
) -> Result<Option<Transfer<Vec<u8>>>> {
    let (hook, room) = (if offset.is_some() { "io_pread" } else { "io_read" }, want.max(1));
    if !knows(ctx, scheduler, hook)? {
        return Ok(None);
    }
    let memory = buffer::of_bytes(ctx, vec![0; room]);
    Ok(Some(match transfer(ctx, scheduler, hook, io, memory, offset)? {
        Ok(n) => Ok(buffer::take_bytes(ctx, memory, n)),
        Err(e) => Err(e),
    }))
}

/// Writes some of `bytes`, at `offset` of the file if there is one, if the scheduler does that.
pub fn io_write(
    ctx: &mut Ctx,
    scheduler: Value,
    io: Value,
    bytes: &[u8],
    offset: Option<i64>,
) -> Result<Option<Transfer<usize>>> {
    let hook = if offset.is_some() { "io_pwrite" } else { "io_write" };
    if !knows(ctx, scheduler, hook)? {
        return Ok(None);
    }
    let memory = buffer::of_bytes(ctx, bytes.to_vec());
    let done = transfer(ctx, scheduler, hook, io, memory, offset)?;
    buffer::take_bytes(ctx, memory, 0);
    Ok(Some(done.map(|n| n.min(bytes.len()))))
}

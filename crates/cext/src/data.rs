//! Objects with data of C code, as the collector sees them, and what C code asks of the collector.
//!
//! Mark functions run during a collection, on the thread that collects: it notes its marker for them. Free functions
//! that may not run at any time wait in a list until C code is left the next time. What is still there when the VM ends
//! is not freed: the process ends.

use crate::state::{api, back, leave, open, state};
use rubellite_vm::object::{CData, CDataHooks, DigestStep, RCData};
use rubellite_vm::{Ctx, Result, Tag, Value};
use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

type DataFunction = unsafe extern "C" fn(*mut c_void);

/// `rb_data_type_t`.
#[repr(C)]
pub struct DataType {
    name: *const c_char,
    mark: *mut c_void,
    free: *mut c_void,
    size: Option<unsafe extern "C" fn(*const c_void) -> usize>,
    compact: *mut c_void,
    reserved: *mut c_void,
    parent: *const DataType,
    data: *mut c_void,
    flags: usize,
}

/// `typed_flag` of typed data.
const TYPED: *mut c_void = std::ptr::without_provenance_mut(1);
/// `flag` of a dead object whose free function has yet to be called, and of one whose function has been called. Neither
/// is the address of a function.
const WAITS: *mut c_void = std::ptr::without_provenance_mut(2);
const FREED: *mut c_void = std::ptr::without_provenance_mut(3);
/// `RUBY_DEFAULT_FREE`.
const DEFAULT_FREE: *mut c_void = usize::MAX as *mut c_void;
const WB_PROTECTED: usize = 1 << 40;
const DECL_MARKING: usize = 1 << 41;
const FROZEN_SHAREABLE: usize = rubellite_vm::flags::SHAREABLE.bit() as usize;
const FROZEN_SHAREABLE_NO_REC: usize = rubellite_vm::flags::FINALIZER.bit() as usize;

/// A free function with the cell of its data, to be called by a thread that holds the lock.
struct Later(usize, usize);

static LATER: Mutex<Vec<Later>> = Mutex::new(Vec::new());
static ANY_LATER: AtomicBool = AtomicBool::new(false);

/// Tells the collector what to do with such objects, and the library what does the steps of digests.
pub fn install_hooks(digest: fn(&mut Ctx, Value, DigestStep) -> Result) {
    CDataHooks { mark, free, size, shareable, digest }.install();
}

fn is_typed(cell: &RCData) -> bool {
    cell.flag.get() == TYPED
}

fn data_type(cell: &RCData) -> &DataType {
    // SAFETY: typed data has the address of its type, which lives as long as the extension.
    unsafe { &*cell.kind.get().cast::<DataType>() }
}

/// Whether the extension promises a write barrier for what it stores in the data.
fn is_protected(cell: &RCData) -> bool {
    is_typed(cell) && data_type(cell).flags & WB_PROTECTED != 0
}

fn shareable(cell: &RCData) -> bool {
    is_typed(cell) && data_type(cell).flags & (FROZEN_SHAREABLE | FROZEN_SHAREABLE_NO_REC) != 0
}

fn mark(cell: &RCData, marker: &mut rubellite_vm::Marker) {
    let data = cell.data.get();
    if data.is_null() || matches!(cell.flag.get(), WAITS | FREED) {
        return;
    }
    let function = if is_typed(cell) { data_type(cell).mark } else { cell.kind.get() };
    if function.is_null() {
        return;
    }
    if is_typed(cell) && data_type(cell).flags & DECL_MARKING != 0 {
        return mark_declared(function.cast(), data, marker);
    }
    let saved = std::mem::replace(&mut state().marker, std::ptr::from_mut(marker).cast());
    // The collection may have been begun by C code, whose context is in use: what needs one ends the process, with a
    // message.
    let now = leave();
    // SAFETY: the extension's mark function for its data; it calls `rb_gc_mark` and its like alone.
    unsafe { std::mem::transmute::<*mut c_void, DataFunction>(function)(data) };
    back(now);
    state().marker = saved;
}

/// Marks the fields whose offsets the type lists.
fn mark_declared(mut offset: *const usize, data: *mut c_void, marker: &mut rubellite_vm::Marker) {
    // SAFETY: the list ends with SIZE_MAX, and each offset is that of a VALUE in the data.
    unsafe {
        while *offset != usize::MAX {
            let value = *data.byte_add(*offset).cast::<Value>();
            marker.mark_maybe(value.bits() as usize);
            offset = offset.add(1);
        }
    }
}

/// Frees at once what needs no function of the extension's. Whatever does waits, also where the extension says that the
/// function may run during a sweep: many tell the collector then what they have freed. The cell stays until then, for
/// functions of trees of objects follow addresses from one to the other: what is freed with another object says so in
/// its cell by a null.
fn free(cell: &RCData) -> bool {
    let data = cell.data.get();
    match cell.flag.get() {
        WAITS => return false,
        FREED => return true,
        _ if data.is_null() => return true,
        _ => {}
    }
    let function = if is_typed(cell) { data_type(cell).free } else { cell.flag.get() };
    if function.is_null() {
        return true;
    }
    if function == DEFAULT_FREE {
        // SAFETY: the extension says that the data is of `xmalloc` and its own.
        unsafe { libc::free(data) };
        return true;
    }
    cell.flag.set(WAITS);
    open(&LATER).push(Later(function as usize, std::ptr::from_ref(cell) as usize));
    ANY_LATER.store(true, Ordering::Relaxed);
    false
}

fn size(cell: &RCData) -> usize {
    let data = cell.data.get();
    if data.is_null() || !is_typed(cell) {
        return 0;
    }
    // SAFETY: the extension's function for its data.
    data_type(cell).size.map_or(0, |size| unsafe { size(data) })
}

/// Calls the free functions that have waited.
#[inline(always)]
pub fn free_later(ctx: &mut Ctx) {
    if ANY_LATER.load(Ordering::Relaxed) {
        free_all(ctx);
    }
}

#[cold]
fn free_all(ctx: &mut Ctx) {
    ANY_LATER.store(false, Ordering::Relaxed);
    let list = std::mem::take(&mut *open(&LATER));
    let saved = state().now;
    state().now.ctx = std::ptr::from_mut(ctx);
    for Later(function, cell) in list {
        // SAFETY: a cell that sweeps keep as long as it says WAITS.
        let cell = unsafe { &*(cell as *const RCData) };
        let data = cell.data.replace(null_mut());
        if !data.is_null() {
            // SAFETY: the extension's free function for its data, called once, with the lock.
            crate::check::amid_dead(|| unsafe { std::mem::transmute::<usize, DataFunction>(function)(data) });
        }
        cell.flag.set(FREED);
    }
    state().now = saved;
}

fn check_class(ctx: &mut Ctx, class: Value) -> Result<()> {
    if class.bits() == 0 || class.has_tag(Tag::Class) {
        return Ok(());
    }
    let text = ctx.describe_for_conversion(class);
    Err(ctx.type_error(&format!("wrong argument type {text} (expected Class)")))
}

fn wrap(ctx: &mut Ctx, class: Value, kind: *mut c_void, flag: *mut c_void, data: *mut c_void) -> Result {
    check_class(ctx, class)?;
    free_later(ctx);
    let object = CData::new(ctx, class, kind, flag, data);
    if !is_protected(object.cell()) {
        crate::barrier::unprotected(ctx, object.value());
    }
    Ok(object.value())
}

fn zeroed(ctx: &mut Ctx, size: usize) -> Result<*mut c_void> {
    // SAFETY: a plain allocation.
    let data = unsafe { libc::calloc(1, size.max(1)) };
    if data.is_null() {
        return Err(ctx.no_memory());
    }
    ctx.note_malloc(size as isize);
    Ok(data)
}

/// What C code reads of an Enumerator, of which it has a declaration of its own: the receiver, the method's ID, the
/// arguments as an Array or false. Programs have been seen to read no more.
#[derive(Default)]
#[repr(C)]
struct EnumeratorWords {
    receiver: Cell<u64>,
    method: Cell<usize>,
    arguments: Cell<u64>,
    /// More than any version of CRuby has behind them.
    rest: [usize; 9],
    /// Whose words they are: a copy of an Enumerator comes with the holder of the first one.
    owner: Cell<u64>,
}

/// These words, which live as long as the Enumerator.
fn enumerator_words(ctx: &mut Ctx, object: Value) -> Result<Option<*mut c_void>> {
    let enumerator = ctx.named_class("Enumerator")?.value();
    let names = (ctx.names().enum_receiver, ctx.names().enum_method, ctx.names().enum_args);
    let read = |ctx: &Ctx, name| ctx.ivar_get(object, name).defined();
    let (true, Some(receiver), Some(method)) = (ctx.is_a(object, enumerator), read(ctx, names.0), read(ctx, names.1))
    else {
        return Ok(None);
    };
    let (Some(method), arguments) = (ctx.pinned(method), read(ctx, names.2)) else { return Ok(None) };
    let kept = ctx.intern("words for C code");
    let own = read(ctx, kept).and_then(CData::try_of).map(|holder| holder.cell().data.get());
    // SAFETY: memory of such words, which the holder keeps.
    let own = own.filter(|data| unsafe { &*data.cast::<EnumeratorWords>() }.owner.get() == object.bits());
    let data = match own {
        Some(data) => data,
        None => {
            let holder = wrap(ctx, Value::FALSE, null_mut(), DEFAULT_FREE, null_mut())?;
            let data = zeroed(ctx, size_of::<EnumeratorWords>())?;
            CData::try_of(holder).inspect(|holder| holder.cell().data.set(data));
            ctx.ivar_set(object, kept, holder);
            data
        }
    };
    // SAFETY: memory of this size, made above by the first who asked, which the holder keeps.
    let words = unsafe { &*data.cast::<EnumeratorWords>() };
    let arguments =
        arguments.filter(|list| rubellite_vm::object::Array::try_of(*list).is_some_and(|list| !list.is_empty()));
    words.owner.set(object.bits());
    words.receiver.set(receiver.bits());
    words.method.set(method.0 as usize);
    words.arguments.set(arguments.unwrap_or(Value::FALSE).bits());
    Ok(Some(data))
}

unsafe extern "C" {
    static rbl_digest_type: DataType;
}

/// An object of Digest::Base with zeroed memory of that size.
///
/// # Errors
/// NoMemoryError.
pub fn new_digest_state(ctx: &mut Ctx, class: Value, size: usize) -> Result {
    let object = wrap(ctx, class, (&raw const rbl_digest_type).cast_mut().cast(), TYPED, null_mut())?;
    let data = zeroed(ctx, size)?;
    if let Some(cell) = CData::try_of(object) {
        cell.cell().data.set(data);
    }
    Ok(object)
}

/// The memory of such an object.
pub fn digest_state(object: Value) -> Option<*mut c_void> {
    let data = typed(object).filter(|data| data.cell().kind.get().cast_const().cast() == &raw const rbl_digest_type)?;
    Some(data.cell().data.get()).filter(|data| !data.is_null())
}

/// # Safety
/// `kind` is null or the address of a type.
unsafe fn type_name(kind: *const DataType) -> String {
    // SAFETY: by contract; names are C strings.
    unsafe { if kind.is_null() { String::new() } else { crate::define::text((*kind).name) } }
}

/// # Safety
/// Both are null or addresses of types.
unsafe fn inherits(mut kind: *const DataType, wanted: *const DataType) -> bool {
    while !kind.is_null() {
        if kind == wanted {
            return true;
        }
        // SAFETY: by contract.
        kind = unsafe { (*kind).parent };
    }
    false
}

fn typed(value: Value) -> Option<CData> {
    CData::try_of(value).filter(|data| is_typed(data.cell()))
}

/// Whether the value is typed data.
pub fn is_typed_data(value: Value) -> bool {
    typed(value).is_some()
}

/// What a mark function may read of the VM. `None` where no mark function runs. `work` allocates nothing and makes no
/// symbol.
pub fn reading<R>(work: impl FnOnce(&Ctx) -> R) -> Option<R> {
    let ctx = current_marker()?.context().cast::<Ctx>();
    // SAFETY: the context of the thread that collects, which is this one; it waits for the marker and changes nothing
    // meanwhile.
    Some(work(unsafe { ctx.as_ref()? }))
}

/// The collection whose mark function runs on this thread.
pub fn current_marker<'a>() -> Option<&'a rubellite_vm::Marker> {
    let marker = state().marker.cast::<rubellite_vm::Marker>();
    // SAFETY: it lives while its mark function runs, and changes in `mark_value` alone.
    (!marker.is_null()).then(|| unsafe { &*marker })
}

fn mark_value(value: Value) {
    let marker = state().marker.cast::<rubellite_vm::Marker>();
    if !marker.is_null() {
        // SAFETY: the marker of the collection that has called the mark function which calls this.
        unsafe { &mut *marker }.mark_maybe(value.bits() as usize);
    }
}

/// # Safety
/// Called by a mark function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_gc_mark(value: Value, _out: *mut ()) -> c_int {
    mark_value(value);
    0
}

/// # Safety
/// Called by a mark function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_gc_mark_movable(value: Value, _out: *mut ()) -> c_int {
    mark_value(value);
    0
}

/// # Safety
/// Called by a mark function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_gc_mark_maybe(value: Value, _out: *mut ()) -> c_int {
    mark_value(value);
    0
}

/// # Safety
/// Called by a mark function; the words between the addresses can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_gc_mark_locations(start: *const Value, end: *const Value, _out: *mut ()) -> c_int {
    let mut at = start;
    while at < end {
        // SAFETY: by contract.
        mark_value(unsafe { *at });
        at = at.wrapping_add(1);
    }
    0
}

/// # Safety
/// Called by anybody.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_gc_location(value: Value, out: *mut Value) -> c_int {
    // SAFETY: the shim's variable.
    unsafe { out.write(value) };
    0
}

/// # Safety
/// Called by anybody.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_during_gc(out: *mut c_int) -> c_int {
    // SAFETY: the shim's variable.
    unsafe { out.write(c_int::from(!state().marker.is_null() || rubellite_vm::profile::is_collecting(state().home))) };
    0
}

/// Whether the collection that runs sweeps. Calls nothing.
///
/// # Safety
/// Called by anybody, also in the handler of a signal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_c_sweeping() -> c_int {
    c_int::from(state().marker.is_null() && rubellite_vm::profile::is_sweeping(state().home))
}

/// The data of typed data of that type, or of one that inherits from it.
fn data_of(value: Value, kind: *const DataType) -> Option<*mut c_void> {
    // SAFETY: addresses of types.
    typed(value).filter(|data| unsafe { inherits(data_type(data.cell()), kind) }).map(|data| data.cell().data.get())
}

/// Needs no context where the type is right: mark functions may call it.
///
/// # Safety
/// As for the functions of `api!`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_check_typeddata(value: Value, kind: *const DataType, out: *mut *mut c_void) -> c_int {
    if let Some(data) = data_of(value, kind) {
        // SAFETY: the shim's variable.
        unsafe { out.write(data) };
        return 0;
    }
    crate::state::enter(out, |ctx| {
        // SAFETY: addresses of types.
        let wanted = unsafe { type_name(kind) };
        let text = match typed(value) {
            // SAFETY: as above.
            Some(data) => unsafe { type_name(data_type(data.cell())) },
            None => ctx.describe_for_conversion(value),
        };
        Err(ctx.type_error(&format!("wrong argument type {text} (expected {wanted})")))
    })
}

/// Needs no context.
///
/// # Safety
/// As for the functions of `api!`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_typeddata_is_kind_of(value: Value, kind: *const DataType, out: *mut c_int) -> c_int {
    // SAFETY: the shim's variable.
    unsafe { out.write(c_int::from(data_of(value, kind).is_some())) };
    0
}

/// Counts memory of `xmalloc` for the collector's pacing, when the calling thread has the lock.
#[unsafe(no_mangle)]
pub extern "C" fn rbl_note_memory(delta: isize) {
    let ctx = state().now.ctx;
    if !ctx.is_null() && state().marker.is_null() {
        // SAFETY: the context of this thread, which has the lock and runs C code.
        unsafe { &*ctx }.note_malloc(delta);
    }
}

/// Says that `parent` holds a reference to `child` now. Needs no frame; immediates are allowed on both sides. Work that
/// runs outside the lock may store what others keep alive: its own frames keep nothing.
///
/// # Safety
/// Called by the shim, with the lock; values are living objects or immediates.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rbl_gc_writebarrier(parent: Value, child: Value, out: *mut ()) -> c_int {
    let ctx = state().now.ctx;
    if ctx.is_null() {
        // Mark functions that store have no context, and what they store is marked by them.
        if !state().marker.is_null() {
            return 0;
        }
        return crate::state::enter_to_read(out, |ctx| {
            if parent.is_heap() && child.is_heap() {
                ctx.write_barrier(parent, child);
            }
            Ok(())
        });
    }
    if parent.is_heap() && child.is_heap() {
        // SAFETY: the context of this thread, which holds the lock while C code runs.
        unsafe { &*ctx }.write_barrier(parent, child);
    }
    0
}

api! {
    fn rbl_gc_writebarrier_unprotect(ctx, object: Value) {
        if object.is_heap() {
            crate::barrier::unprotected(ctx, object);
        }
        Ok(())
    }

    fn rbl_data_object_wrap(ctx, class: Value, data: *mut c_void, mark: *mut c_void, free: *mut c_void) -> Value {
        wrap(ctx, class, mark, free, data)
    }

    fn rbl_data_object_zalloc(ctx, class: Value, size: usize, mark: *mut c_void, free: *mut c_void) -> Value {
        let object = wrap(ctx, class, mark, free, null_mut())?;
        let data = zeroed(ctx, size)?;
        if let Some(cell) = CData::try_of(object) {
            cell.cell().data.set(data);
        }
        Ok(object)
    }

    fn rbl_data_typed_object_wrap(ctx, class: Value, data: *mut c_void, kind: *const DataType) -> Value {
        wrap(ctx, class, kind.cast_mut().cast(), TYPED, data)
    }

    fn rbl_data_typed_object_zalloc(ctx, class: Value, size: usize, kind: *const DataType) -> Value {
        let object = wrap(ctx, class, kind.cast_mut().cast(), TYPED, null_mut())?;
        let data = zeroed(ctx, size)?;
        if let Some(cell) = CData::try_of(object) {
            cell.cell().data.set(data);
        }
        Ok(object)
    }

    fn rbl_typeddata_inherited_p(ctx, kind: *const DataType, wanted: *const DataType) -> c_int {
        // SAFETY: as above.
        Ok(c_int::from(unsafe { inherits(kind, wanted) }))
    }

    /// The living objects, whichever programs can see, as an Array.
    fn rbl_c_objects(ctx) -> Value {
        let mut found: Vec<Value> = Vec::new(); // tidy: no collection happens until they are in the Array
        ctx.link_inner_code();
        ctx.each_object(&mut |object| found.push(object));
        ctx.each_code(&mut |code| found.push(code.value()));
        Ok(ctx.without_collecting(|ctx| rubellite_vm::object::Array::from_slice(ctx, &found)).value())
    }

    fn rbl_obj_memsize_of(ctx, object: Value) -> usize {
        Ok(ctx.memory_size_of(object))
    }

    fn rbl_runtime_data(ctx, object: Value) -> *mut c_void {
        if let Some(status) = rubellite_core_process::wait::status_address(ctx, object) {
            return Ok(status);
        }
        if let Some(words) = enumerator_words(ctx, object)? {
            return Ok(words);
        }
        let class = ctx.describe_for_conversion(object);
        Err(ctx.type_error(&format!("{class} has no data for C code")))
    }

    fn rbl_gc(ctx) {
        ctx.collect_and_sweep();
        free_later(ctx);
        Ok(())
    }

    fn rbl_gc_start(ctx) -> Value {
        ctx.collect_and_sweep();
        free_later(ctx);
        Ok(Value::NIL)
    }

    fn rbl_gc_enable(ctx) -> Value {
        Ok(Value::from_bool(ctx.set_gc_disabled(false)))
    }

    fn rbl_gc_disable(ctx) -> Value {
        Ok(Value::from_bool(ctx.set_gc_disabled(true)))
    }

    fn rbl_obj_freeze_inline(ctx, object: Value) {
        freeze(object);
        Ok(())
    }

    /// Calls no method: a `freeze` in C ends with it.
    fn rbl_obj_freeze(ctx, object: Value) -> Value {
        freeze(object);
        Ok(object)
    }
}

/// An object that is frozen becomes shareable when its type says so.
fn freeze(object: Value) {
    let Some(header) = object.header() else { return };
    if let Some(string) = rubellite_vm::object::Str::try_of(object) {
        string.set_chilled(None);
    }
    header.set(rubellite_vm::flags::FROZEN);
    if typed(object).is_some_and(|data| data_type(data.cell()).flags & FROZEN_SHAREABLE != 0) {
        header.set(rubellite_vm::flags::SHAREABLE);
    }
}

//! Calls in both directions: methods and blocks that are C functions, and what C code calls.

use crate::state::{Call, api, cross, state};
use rubellite_vm::object::{Array, Proc, TempArray};
use rubellite_vm::{Args, CallKind, Class, Ctx, MethodBody, Result, Sym, Unwind, Value};
use std::ffi::{c_int, c_void};

pub type BlockFunction = unsafe extern "C" fn(Value, Value, c_int, *const Value, Value) -> Value;

unsafe extern "C" {
    fn rbl_enter_method(
        function: *const c_void,
        argc: c_int,
        receiver: Value,
        n: c_int,
        args: *const Value,
        list: Value,
        out: *mut Value,
    ) -> c_int;
    fn rbl_enter_block(
        function: BlockFunction,
        yielded: Value,
        data: Value,
        argc: c_int,
        argv: *const Value,
        block: Value,
        out: *mut Value,
    ) -> c_int;
}

/// The ID as a symbol.
pub fn sym(id: usize) -> Sym {
    Sym(id as u32)
}

/// The arguments that C code has laid out.
///
/// # Safety
/// `argv` points at `argc` values.
pub unsafe fn arguments<'a>(argc: c_int, argv: *const Value) -> &'a [Value] {
    if argc <= 0 || argv.is_null() {
        return &[];
    }
    // SAFETY: by contract.
    let list = unsafe { std::slice::from_raw_parts(argv, argc as usize) };
    if let Some(ctx) = crate::state::checked() {
        crate::check::list(ctx, list);
    }
    list
}

/// What a method entry of an extension runs: the C function of the entry that the running frame belongs to.
pub fn method(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let body = ctx.running_native().map(|(method, _, _)| *method.resolved().body());
    let Some(MethodBody::C { function, .. }) = body else { return Err(ctx.runtime_error("not a method in C")) };
    if !function.ractor_safe && ctx.ractor_id() != 1 {
        let name = ctx.callee_name().map_or(String::new(), |name| ctx.sym_str(name));
        return Err(ctx.raise_error(
            "Ractor::UnsafeError",
            &format!("ractor unsafe method called from not main ractor: '{name}'"),
        ));
    }
    let list = if function.argc == -2 { Array::from_slice(ctx, args.slice()).value() } else { Value::NIL };
    let call = Call { block: args.block, proc: Value::NIL, keywords: args.has_keywords() };
    cross(ctx, call, Value::NIL, |out| {
        // SAFETY: the entry's function takes so many arguments, which lie on the VM stack; the shim calls it behind a
        // tag.
        unsafe {
            rbl_enter_method(
                function.address.cast(),
                c_int::from(function.argc),
                recv,
                args.len() as c_int,
                args.slice().as_ptr(),
                list,
                out,
            )
        }
    })
}

/// A word of an extension as objects may hold it: an address that is no object's as two numbers.
pub fn held(ctx: &Ctx, data: Value) -> [Value; 2] {
    if ctx.is_value(data) {
        return [data, Value::NIL];
    }
    [data.bits() >> 32, data.bits() & 0xffff_ffff].map(|half| Value::fixnum(half as i64))
}

/// What `held` was given.
pub fn given([first, second]: [Value; 2]) -> Value {
    match first.as_fixnum().zip(second.as_fixnum()) {
        // SAFETY: the extension's own word, which goes to its function alone.
        Some((high, low)) => unsafe { Value::from_bits((high as u64) << 32 | low as u64) },
        None => first,
    }
}

/// A Proc that runs a C function with `data`.
pub fn block_proc(ctx: &mut Ctx, function: BlockFunction, data: Value, lambda: bool, arity: i32) -> Value {
    // The block of the method that made it is its own block.
    let outer = state().now.block;
    let outer = ctx.block_to_value(outer);
    let address = Value::fixnum(function as usize as i64 >> 1);
    let low = Value::fixnum(function as usize as i64 & 1);
    let [data, rest] = held(ctx, data);
    let words = Array::from_slice(ctx, &[address, low, data, rest, outer]);
    let proc = Proc::native(ctx, run_block, words.value(), arity, lambda);
    words.push(ctx, proc);
    proc
}

/// Calls the C function of such a Proc.
fn run_block(ctx: &mut Ctx, words: Value, args: Args) -> Result {
    let Some(words) = Array::try_of(words) else { return Ok(Value::NIL) };
    let word = |i| words.get(i).unwrap_or(Value::NIL);
    let address = (word(0).as_fixnum().unwrap_or(0) << 1 | word(1).as_fixnum().unwrap_or(0)) as usize;
    // SAFETY: `block_proc` has put the address there, and nobody else sees the Array.
    let function = unsafe { std::mem::transmute::<usize, BlockFunction>(address) };
    let (data, outer) = (given([word(2), word(3)]), word(4));
    let block = ctx.block_to_value(args.block);
    let yielded = args.get(0).unwrap_or(Value::NIL);
    cross(ctx, Call { block: outer, proc: word(5), keywords: args.has_keywords() }, Value::NIL, |out| {
        // SAFETY: the function and its data go together; the shim calls it behind a tag.
        unsafe { rbl_enter_block(function, yielded, data, args.len() as c_int, args.slice().as_ptr(), block, out) }
    })
}

/// Calls with keywords as `kw_splat` of the C functions says.
fn call_kw(
    ctx: &mut Ctx,
    receiver: Value,
    id: usize,
    args: &[Value],
    keywords: c_int,
    block: Value,
    kind: CallKind,
) -> Result {
    if keywords == 0 {
        return ctx.call_full(receiver, sym(id), args, false, block, kind);
    }
    let Some((last, rest)) = args.split_last() else {
        return ctx.call_full(receiver, sym(id), args, false, block, kind);
    };
    let last = ctx.to_hash(*last)?.value();
    let mut all = rest.to_vec(); // tidy: rooted by the caller's arguments
    all.push(last);
    let result = ctx.call_full(receiver, sym(id), &all, true, block, kind);
    std::hint::black_box(last);
    result
}

fn current_block(ctx: &mut Ctx) -> Result {
    let block = state().now.block;
    if block.is_nil() {
        return Err(no_block(ctx));
    }
    Ok(block)
}

fn no_block(ctx: &mut Ctx) -> Unwind {
    ctx.raise_error("LocalJumpError", "no block given")
}

fn given_block(ctx: &mut Ctx, block: Value) -> Result {
    if block.is_nil() || Proc::try_of(block).is_some() {
        return Ok(block);
    }
    ctx.call_name(block, "to_proc", &[])
}

fn call_super(ctx: &mut Ctx, args: &[Value], keywords: bool) -> Result {
    let Some((method, pos, receiver)) = ctx.running_native() else {
        return Err(ctx.runtime_error("super called outside of method"));
    };
    let name = method.name();
    let class = Class::try_of(ctx.class_of(receiver)).ok_or(Unwind)?;
    let found = class.find_method_from(ctx, name, pos as usize + 1);
    let block = state().now.block;
    match found.method {
        Some(next) => ctx.call_entry(next, found.pos, receiver, args, keywords, block),
        None if ctx.overridden(receiver, ctx.names().method_missing) => {
            let mut all = vec![Value::symbol(name)]; // tidy: rooted by the caller's arguments
            all.extend_from_slice(args);
            let missing = ctx.names().method_missing;
            ctx.call_full(receiver, missing, &all, keywords, block, CallKind::Any)
        }
        None => {
            let target = ctx.describe(receiver);
            let text = ctx.sym_str(name);
            Err(ctx.name_error(
                "NoMethodError",
                &format!("super: no superclass method '{text}' for {target}"),
                receiver,
                name,
            ))
        }
    }
}

/// `body` calls a method with a block that is a C function; `break` out of the block ends the call.
fn with_c_block(
    ctx: &mut Ctx,
    function: Option<BlockFunction>,
    data: Value,
    body: impl FnOnce(&mut Ctx, Value) -> Result,
) -> Result {
    let block = match function {
        Some(function) => block_proc(ctx, function, data, false, -1),
        None => state().now.block,
    };
    let outcome = body(ctx, block);
    // `rb_iter_break` throws the Proc of the call that it ends.
    if outcome.is_err()
        && let rubellite_vm::Pending::Throw { tag, value } = *ctx.pending()
        && tag == block
        && function.is_some()
    {
        ctx.clear_pending();
        return Ok(value);
    }
    outcome
}

api! {
    fn rbl_funcallv(ctx, receiver: Value, id: usize, argc: c_int, argv: *const Value) -> Value {
        // SAFETY: the C code's own arguments.
        ctx.call(receiver, sym(id), unsafe { arguments(argc, argv) })
    }

    /// `how`: 1 passes the block of the running method on, 2 says that the last argument is a Hash of keywords.
    fn rbl_c_own(ctx, receiver: Value, id: usize, argc: c_int, argv: *const Value, how: c_int) -> Value {
        let block = if how & 1 != 0 { state().now.block } else { Value::NIL };
        // SAFETY: as above.
        let args = unsafe { arguments(argc, argv) };
        crate::own::call_with_block(ctx, receiver, sym(id), args, how & 2 != 0, block)
    }

    fn rbl_funcallv_kw(ctx, receiver: Value, id: usize, argc: c_int, argv: *const Value, keywords: c_int) -> Value {
        // SAFETY: as above.
        call_kw(ctx, receiver, id, unsafe { arguments(argc, argv) }, keywords, Value::NIL, CallKind::Any)
    }

    fn rbl_funcallv_public(ctx, receiver: Value, id: usize, argc: c_int, argv: *const Value) -> Value {
        // SAFETY: as above.
        call_kw(ctx, receiver, id, unsafe { arguments(argc, argv) }, 0, Value::NIL, CallKind::Public)
    }

    fn rbl_funcallv_public_kw(
        ctx, receiver: Value, id: usize, argc: c_int, argv: *const Value, keywords: c_int,
    ) -> Value {
        // SAFETY: as above.
        call_kw(ctx, receiver, id, unsafe { arguments(argc, argv) }, keywords, Value::NIL, CallKind::Public)
    }

    fn rbl_funcall_passing_block(ctx, receiver: Value, id: usize, argc: c_int, argv: *const Value) -> Value {
        let block = state().now.block;
        // SAFETY: as above.
        call_kw(ctx, receiver, id, unsafe { arguments(argc, argv) }, 0, block, CallKind::Public)
    }

    fn rbl_funcall_passing_block_kw(
        ctx, receiver: Value, id: usize, argc: c_int, argv: *const Value, keywords: c_int,
    ) -> Value {
        let block = state().now.block;
        // SAFETY: as above.
        call_kw(ctx, receiver, id, unsafe { arguments(argc, argv) }, keywords, block, CallKind::Public)
    }

    fn rbl_funcall_with_block(ctx, receiver: Value, id: usize, argc: c_int, argv: *const Value, block: Value) -> Value {
        let block = given_block(ctx, block)?;
        // SAFETY: as above.
        call_kw(ctx, receiver, id, unsafe { arguments(argc, argv) }, 0, block, CallKind::Public)
    }

    fn rbl_funcall_with_block_kw(
        ctx, receiver: Value, id: usize, argc: c_int, argv: *const Value, block: Value, keywords: c_int,
    ) -> Value {
        let block = given_block(ctx, block)?;
        // SAFETY: as above.
        call_kw(ctx, receiver, id, unsafe { arguments(argc, argv) }, keywords, block, CallKind::Public)
    }

    fn rbl_check_funcall(ctx, receiver: Value, id: usize, argc: c_int, argv: *const Value) -> Value {
        // SAFETY: as above.
        Ok(ctx.check_call(receiver, sym(id), unsafe { arguments(argc, argv) })?.unwrap_or(Value::UNDEF))
    }

    fn rbl_check_funcall_kw(
        ctx, receiver: Value, id: usize, argc: c_int, argv: *const Value, keywords: c_int,
    ) -> Value {
        if !ctx.respond_to(receiver, sym(id), true)? {
            return Ok(Value::UNDEF);
        }
        // SAFETY: as above.
        call_kw(ctx, receiver, id, unsafe { arguments(argc, argv) }, keywords, Value::NIL, CallKind::Any)
    }

    fn rbl_call_super(ctx, argc: c_int, argv: *const Value) -> Value {
        // SAFETY: as above.
        call_super(ctx, unsafe { arguments(argc, argv) }, false)
    }

    fn rbl_call_super_kw(ctx, argc: c_int, argv: *const Value, keywords: c_int) -> Value {
        // SAFETY: as above.
        call_super(ctx, unsafe { arguments(argc, argv) }, keywords != 0)
    }

    fn rbl_apply(ctx, receiver: Value, id: usize, list: Value) -> Value {
        let list = ctx.to_ary(list)?;
        let args = TempArray::from_slice(ctx, &list.slice(ctx).to_vec()); // tidy: rooted by `list`
        let slice = args.slice(ctx).to_vec(); // tidy: rooted by `args`
        let result = ctx.call(receiver, sym(id), &slice);
        std::hint::black_box((list, args));
        result
    }

    // -- blocks ---------------------------------------------------------------------------

    fn rbl_block_given_p(ctx) -> c_int {
        Ok(c_int::from(!state().now.block.is_nil()))
    }

    fn rbl_keyword_given_p(ctx) -> c_int {
        Ok(c_int::from(state().now.keywords != 0))
    }

    fn rbl_need_block(ctx) {
        if state().now.block.is_nil() { Err(no_block(ctx)) } else { Ok(()) }
    }

    fn rbl_block_proc(ctx) -> Value {
        let block = state().now.block;
        if block.is_nil() {
            return Err(ctx.argument_error("tried to create Proc object without a block"));
        }
        let proc = ctx.block_to_value(block);
        Ok(proc)
    }

    fn rbl_block_lambda(ctx) -> Value {
        let block = state().now.block;
        if block.is_nil() {
            return Err(ctx.argument_error("tried to create Proc object without a block"));
        }
        Ok(ctx.block_to_lambda(block))
    }

    fn rbl_yield(ctx, value: Value) -> Value {
        let block = current_block(ctx)?;
        if value.is_undef() { ctx.yield_values(block, &[]) } else { ctx.yield_one(block, value) }
    }

    fn rbl_yield_values2(ctx, argc: c_int, argv: *const Value) -> Value {
        let block = current_block(ctx)?;
        // SAFETY: the C code's own arguments.
        ctx.yield_values(block, unsafe { arguments(argc, argv) })
    }

    fn rbl_yield_values_kw(ctx, argc: c_int, argv: *const Value, keywords: c_int) -> Value {
        let block = current_block(ctx)?;
        // SAFETY: as above.
        ctx.call_block_full(block, unsafe { arguments(argc, argv) }, keywords != 0, Value::NIL)
    }

    fn rbl_yield_splat(ctx, list: Value) -> Value {
        let Some(list) = ctx.check_array(list)? else { return Err(ctx.argument_error("not an array")) };
        let block = current_block(ctx)?;
        let args = list.slice(ctx).to_vec(); // tidy: rooted by `list`
        let result = ctx.yield_values(block, &args);
        std::hint::black_box(list);
        result
    }

    fn rbl_yield_splat_kw(ctx, list: Value, keywords: c_int) -> Value {
        let Some(list) = ctx.check_array(list)? else { return Err(ctx.argument_error("not an array")) };
        let block = current_block(ctx)?;
        let args = list.slice(ctx).to_vec(); // tidy: rooted by `list`
        let result = ctx.call_block_full(block, &args, keywords != 0, Value::NIL);
        std::hint::black_box(list);
        result
    }

    fn rbl_yield_block(ctx, _yielded: Value, _data: Value, argc: c_int, argv: *const Value, inner: Value) -> Value {
        let block = current_block(ctx)?;
        let keywords = state().now.keywords != 0;
        // SAFETY: as above.
        ctx.call_block_full(block, unsafe { arguments(argc, argv) }, keywords, inner)
    }

    fn rbl_block_call(
        ctx, receiver: Value, id: usize, argc: c_int, argv: *const Value, function: Option<BlockFunction>, data: Value,
    ) -> Value {
        // SAFETY: as above.
        let args = unsafe { arguments(argc, argv) };
        with_c_block(ctx, function, data, |ctx, block| {
            ctx.call_full(receiver, sym(id), args, false, block, CallKind::Any)
        })
    }

    fn rbl_block_call_kw(
        ctx,
        receiver: Value,
        id: usize,
        argc: c_int,
        argv: *const Value,
        function: Option<BlockFunction>,
        data: Value,
        keywords: c_int,
    ) -> Value {
        // SAFETY: as above.
        let args = unsafe { arguments(argc, argv) };
        with_c_block(ctx, function, data, |ctx, block| {
            call_kw(ctx, receiver, id, args, keywords, block, CallKind::Any)
        })
    }

    /// Ends the call whose block is the C function that runs.
    fn rbl_iter_break_value(ctx, value: Value) {
        let proc = state().now.proc;
        if proc.is_nil() {
            return Err(ctx.raise_error("LocalJumpError", "break from proc-closure"));
        }
        Err(ctx.set_pending(rubellite_vm::Pending::Throw { tag: proc, value }))
    }

    fn rbl_proc_new(ctx, function: BlockFunction, data: Value) -> Value {
        Ok(block_proc(ctx, function, data, false, -1))
    }

    fn rbl_proc_call(ctx, proc: Value, list: Value) -> Value {
        let list = ctx.to_ary(list)?;
        let args = list.slice(ctx).to_vec(); // tidy: rooted by `list`
        let result = ctx.call_block_full(proc, &args, false, Value::NIL);
        std::hint::black_box(list);
        result
    }

    fn rbl_proc_call_kw(ctx, proc: Value, list: Value, keywords: c_int) -> Value {
        let list = ctx.to_ary(list)?;
        let args = list.slice(ctx).to_vec(); // tidy: rooted by `list`
        let result = ctx.call_block_full(proc, &args, keywords != 0, Value::NIL);
        std::hint::black_box(list);
        result
    }

    fn rbl_proc_call_with_block(ctx, proc: Value, argc: c_int, argv: *const Value, block: Value) -> Value {
        // SAFETY: as above.
        ctx.call_block_full(proc, unsafe { arguments(argc, argv) }, false, block)
    }

    fn rbl_proc_call_with_block_kw(
        ctx, proc: Value, argc: c_int, argv: *const Value, block: Value, keywords: c_int,
    ) -> Value {
        // SAFETY: as above.
        ctx.call_block_full(proc, unsafe { arguments(argc, argv) }, keywords != 0, block)
    }

    fn rbl_proc_arity(ctx, proc: Value) -> c_int {
        let arity = ctx.call_name(proc, "arity", &[])?;
        Ok(arity.as_fixnum().unwrap_or(-1) as c_int)
    }

    fn rbl_obj_is_proc(ctx, value: Value) -> Value {
        Ok(Value::from_bool(Proc::try_of(value).is_some()))
    }

    fn rbl_class_new_instance(ctx, argc: c_int, argv: *const Value, class: Value) -> Value {
        new_instance(ctx, argc, argv, class, false)
    }

    fn rbl_class_new_instance_kw(ctx, argc: c_int, argv: *const Value, class: Value, keywords: c_int) -> Value {
        new_instance(ctx, argc, argv, class, keywords != 0)
    }

    fn rbl_class_new_instance_pass_kw(ctx, argc: c_int, argv: *const Value, class: Value) -> Value {
        let keywords = state().now.keywords != 0;
        new_instance(ctx, argc, argv, class, keywords)
    }

    fn rbl_obj_call_init(ctx, object: Value, argc: c_int, argv: *const Value) {
        let (block, keywords) = (state().now.block, state().now.keywords != 0);
        let name = ctx.names().initialize;
        // SAFETY: as above.
        ctx.call_full(object, name, unsafe { arguments(argc, argv) }, keywords, block, CallKind::Any).map(drop)
    }

    fn rbl_obj_call_init_kw(ctx, object: Value, argc: c_int, argv: *const Value, keywords: c_int) {
        let (block, name) = (state().now.block, ctx.names().initialize);
        // SAFETY: as above.
        ctx.call_full(object, name, unsafe { arguments(argc, argv) }, keywords != 0, block, CallKind::Any).map(drop)
    }

    fn rbl_frame_this_func(ctx) -> usize {
        Ok(ctx.running_native().map_or(0, |(method, _, _)| method.resolved().name().0 as usize))
    }

    fn rbl_current_receiver(ctx) -> Value {
        match ctx.running_native() {
            Some((_, _, receiver)) => Ok(receiver),
            None => Err(ctx.raise_error("RuntimeError", "no self, no life")),
        }
    }

    fn rbl_frame_callee(ctx) -> usize {
        Ok(ctx.called_name().or(ctx.callee_name()).map_or(0, |name| name.0 as usize))
    }

    fn rbl_frame_method_id_and_class(ctx, id: *mut usize, class: *mut Value) -> c_int {
        let Some((method, _, _)) = ctx.running_native() else { return Ok(0) };
        // SAFETY: addresses of the C code's variables, or null.
        unsafe {
            if !id.is_null() {
                id.write(method.name().0 as usize);
            }
            if !class.is_null() {
                class.write(method.owner().value());
            }
        }
        Ok(1)
    }

    fn rbl_obj_instance_eval(ctx, argc: c_int, argv: *const Value, object: Value) -> Value {
        let (block, name) = (state().now.block, ctx.intern("instance_eval"));
        // SAFETY: as above.
        ctx.call_full(object, name, unsafe { arguments(argc, argv) }, false, block, CallKind::Any)
    }

    fn rbl_obj_instance_exec(ctx, argc: c_int, argv: *const Value, object: Value) -> Value {
        let (block, name) = (state().now.block, ctx.intern("instance_exec"));
        // SAFETY: as above.
        ctx.call_full(object, name, unsafe { arguments(argc, argv) }, false, block, CallKind::Any)
    }

    fn rbl_mod_module_eval(ctx, argc: c_int, argv: *const Value, module: Value) -> Value {
        let (block, name) = (state().now.block, ctx.intern("module_eval"));
        // SAFETY: as above.
        ctx.call_full(module, name, unsafe { arguments(argc, argv) }, false, block, CallKind::Any)
    }

    fn rbl_mod_module_exec(ctx, argc: c_int, argv: *const Value, module: Value) -> Value {
        let (block, name) = (state().now.block, ctx.intern("module_exec"));
        // SAFETY: as above.
        ctx.call_full(module, name, unsafe { arguments(argc, argv) }, false, block, CallKind::Any)
    }
}

/// `class.new(*args)`; the method's block goes along.
fn new_instance(ctx: &mut Ctx, argc: c_int, argv: *const Value, class: Value, keywords: bool) -> Result {
    let Some(handle) = Class::try_of(class) else {
        let text = ctx.describe(class);
        return Err(ctx.type_error(&format!("{text} is no class")));
    };
    let object = ctx.allocate(handle)?;
    let (block, name) = (state().now.block, ctx.names().initialize);
    // SAFETY: the C code's own arguments.
    ctx.call_full(object, name, unsafe { arguments(argc, argv) }, keywords, block, CallKind::Any)?;
    Ok(object)
}

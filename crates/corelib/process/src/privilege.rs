//! Process::Sys and what Process::UID and Process::GID (`process.rb`) are made of: setuid(2) and its relatives.

use super::ids::{check, group_id, user_id};
use rubellite_core_object::errno;
use rubellite_vm::object::Array;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, unimplemented};

pub static SYS: ClassDef = ClassDef {
    name: "Process::Sys",
    superclass: "",
    module_functions: &[
        method("setuid", Arity::ONE, setuid),
        method("seteuid", Arity::ONE, seteuid),
        method("setreuid", Arity::exact(2), setreuid),
        method("setresuid", Arity::exact(3), setresuid),
        method("setgid", Arity::ONE, setgid),
        method("setegid", Arity::ONE, setegid),
        method("setregid", Arity::exact(2), setregid),
        method("setresgid", Arity::exact(3), setresgid),
        // Calls of other systems.
        unimplemented("setruid", Arity::ONE),
        unimplemented("setrgid", Arity::ONE),
        unimplemented("issetugid", Arity::NONE),
    ],
    ..ClassDef::EMPTY
};

/// Calls that take ids of users or groups, by number or name, and give nil.
macro_rules! setters {
    ($($name:ident: $id:ident, $call:ident($($arg:ident $at:literal),*);)*) => {
        $(fn $name(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
            $(let $arg = $id(ctx, args.at($at))?;)*
            // SAFETY: a plain call.
            check(ctx, unsafe { libc::$call($($arg),*) })?;
            Ok(Value::NIL)
        })*
    };
}

setters! {
    setuid: user_id, setuid(id 0);
    seteuid: user_id, seteuid(id 0);
    setreuid: user_id, setreuid(real 0, effective 1);
    setresuid: user_id, setresuid(real 0, effective 1, saved 2);
    setgid: group_id, setgid(id 0);
    setegid: group_id, setegid(id 0);
    setregid: group_id, setregid(real 0, effective 1);
    setresgid: group_id, setresgid(real 0, effective 1, saved 2);
}

/// `process_user_id(id or name) -> id`
pub fn user_id_of(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(Value::fixnum(user_id(ctx, args.at(0))? as i64))
}

/// `process_group_id(id or name) -> id`
pub fn group_id_of(ctx: &mut Ctx, _recv: Value, args: Args) -> Result {
    Ok(Value::fixnum(group_id(ctx, args.at(0))? as i64))
}

/// `process_ids -> [[real, effective, saved] of the user, the same of the group]`
pub fn ids(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let mut ids = [[0; 3]; 2];
    let [[real, effective, saved], [real_group, effective_group, saved_group]] = &mut ids;
    // SAFETY: the places are ours.
    let results =
        unsafe { [libc::getresuid(real, effective, saved), libc::getresgid(real_group, effective_group, saved_group)] };
    if results.contains(&-1) {
        return Err(errno::fail(ctx, errno::last(), ""));
    }
    let list = Array::new(ctx);
    for of_one in ids {
        let words = of_one.map(|id| Value::fixnum(id as i64));
        let words = Array::from_slice(ctx, &words).value();
        list.push(ctx, words);
    }
    Ok(list.value())
}

/// `initgroups(user name, group) -> [group, ...]`
pub fn initgroups(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = ctx.to_str(args.at(0))?;
    let name = rubellite_core_io::file::path::to_cstring(ctx, &name.bytes(ctx).to_vec())?;
    let group = group_id(ctx, args.at(1))?;
    // SAFETY: a C string.
    check(ctx, unsafe { libc::initgroups(name.as_ptr(), group) })?;
    super::ids::groups(ctx, recv, Args::none())
}

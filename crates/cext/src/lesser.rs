//! Functions of CRuby's headers that hardly any extension calls: the status of the last process, names of classes that
//! no constant gives, finalizers of copies, objects that an extension vouches for.

use crate::state::api;
use rubellite_vm::{Class, Ctx, Result, Value};
use std::ffi::c_int;

fn class_of_argument(ctx: &mut Ctx, class: Value) -> Result<Class> {
    match Class::try_of(class) {
        Some(class) => Ok(class),
        None => Err(ctx.type_error("class or module required")),
    }
}

api! {
    /// `$?` of a process that the extension has waited for itself.
    fn rbl_last_status_set(ctx, status: c_int, pid: c_int) {
        rubellite_core_process::wait::set_last_status(ctx, pid, status);
        Ok(())
    }

    fn rbl_set_class_path_string(ctx, class: Value, outer: Value, name: Value) {
        let (class, outer) = (class_of_argument(ctx, class)?, class_of_argument(ctx, outer)?);
        let name = ctx.to_str(name)?.to_lossy(ctx).into_owned();
        if outer.value() == ctx.classes().object.get() {
            class.set_own_name(ctx, &name);
            return Ok(());
        }
        let path = format!("{}::{name}", outer.inspect(ctx));
        if outer.has_permanent_name(ctx) {
            class.set_own_name(ctx, &path);
        } else {
            class.set_temporary_name(ctx, Some(&path));
        }
        Ok(())
    }

    fn rbl_gc_copy_finalizer(ctx, copy: Value, object: Value) {
        rubellite_core_object::runtime::copy_finalizers(ctx, object, copy);
        Ok(())
    }

    /// The object is shareable from now on, for the extension says so.
    fn rbl_obj_set_shareable(ctx, object: Value) -> Value {
        ctx.set_shareable(object);
        Ok(object)
    }
}

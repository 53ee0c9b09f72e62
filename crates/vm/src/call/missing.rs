//! Calls that find no method they may call: method_missing, and the errors when that is the built-in one.

use super::{ArgInfo, Invoked};
use crate::class::Found;
use crate::code::site_flags;
use crate::ctx::Ctx;
use crate::frame::BlockHandler;
use crate::method::{MethodBody, Visibility};
use crate::unwind::Pending;
use crate::{Result, Unwind};
use rubellite_value::{Sym, Value};

/// Why a call came to `method_missing`.
#[derive(Copy, Clone)]
pub(crate) struct Missing {
    /// That of the method which the call must not reach; `None` where there is no such method.
    visibility: Option<Visibility>,
    /// There is a receiver in the source.
    explicit: bool,
    /// The call looks like a local variable.
    vcall: bool,
}

impl Default for Missing {
    fn default() -> Missing {
        Missing { visibility: None, explicit: true, vcall: false }
    }
}

impl Ctx {
    /// A call for which `found` is nothing or not visible. `explicit`: there is a receiver in the source.
    #[allow(clippy::too_many_arguments)]
    #[cold]
    pub(crate) fn prepare_missing(
        &mut self,
        base: *mut Value,
        found: Found,
        name: Sym,
        info: &ArgInfo,
        block: BlockHandler,
        dst: u16,
        flags: u16,
        explicit: bool,
        vcall: bool,
    ) -> Result<Invoked> {
        // SAFETY: the window begins with the receiver.
        let receiver = unsafe { *base };
        let class = self.dispatch_class(receiver);
        let missing = self.names().method_missing;
        let handler = class.find_method(self, missing);
        match handler.method {
            Some(m) if !matches!(m.body(), MethodBody::Native { .. }) => {
                self.missing = Missing { visibility: found.method.map(|m| m.visibility()), explicit, vcall };
                self.prepare_missing_named(base, name, info, block, dst, flags)
            }
            default => {
                // Who calls an undefined `method_missing` names what is missing.
                let named = default.is_none() && name == missing;
                if named && info.argc == 0 {
                    return Err(self.argument_error("no method name given"));
                }
                // SAFETY: the arguments are behind the receiver.
                let name = named.then(|| unsafe { *base.add(1) }.as_symbol()).flatten().unwrap_or(name);
                // The method that raises is seen to have returned.
                if let Some(method) = default {
                    self.trace_stand_in(base, method, handler.pos, 0)?;
                }
                let unwind = self.no_such_method(receiver, found, name, explicit, vcall);
                self.note_arguments(base, info)?;
                Err(unwind)
            }
        }
    }

    /// Keeps the arguments of the failed call with its NoMethodError (`NoMethodError#args`).
    fn note_arguments(&mut self, base: *mut Value, info: &ArgInfo) -> Result<()> {
        let Some(exception) = self.pending_exception() else { return Ok(()) };
        self.clear_pending();
        let flat = self.flatten(base, info)?;
        let list = if flat.spilled.is_nil() {
            // SAFETY: flattened arguments lie in the window.
            let words = unsafe { std::slice::from_raw_parts(base.add(1), flat.argc) };
            crate::object::Array::from_slice(self, words).value()
        } else {
            flat.spilled
        };
        self.keep_arguments(exception, list);
        self.set_pending(crate::unwind::Pending::Raise(exception));
        Ok(())
    }

    /// Calls method_missing with the name put before the arguments.
    pub(crate) fn prepare_missing_named(
        &mut self,
        base: *mut Value,
        name: Sym,
        info: &ArgInfo,
        block: BlockHandler,
        dst: u16,
        flags: u16,
    ) -> Result<Invoked> {
        // SAFETY: the window begins with the receiver.
        let receiver = unsafe { *base };
        let class = self.dispatch_class(receiver);
        let missing = self.names().method_missing;
        let found = class.find_method(self, missing);
        let Some(method) = found.method else { return Err(self.undefined_method(receiver, name, false)) };
        let shifted = self.shift_window(base, name, info)?;
        self.prepare_call(base, method, found.pos, &shifted, block, dst, flags)
    }

    /// `send`: takes the name off the arguments and calls the method, whatever its visibility.
    pub(crate) fn prepare_send(
        &mut self,
        base: *mut Value,
        info: &ArgInfo,
        block: BlockHandler,
        dst: u16,
        flags: u16,
    ) -> Result<Invoked> {
        // SAFETY: the window begins with the receiver; behind it lie `argc` words.
        let (receiver, window) = unsafe { (*base, base.add(1)) };
        let splat = info.flags & site_flags::SPLAT != 0;
        let whole = splat && info.before_splat() == 0;
        let name = if whole {
            // SAFETY: the window holds the arguments of a splat call.
            unsafe { info.splat(window) }.0.get(0)
        } else {
            // SAFETY: as above.
            (info.argc > info.keyword_words()).then(|| unsafe { *window })
        };
        let Some(name) = name else { return Err(self.argument_error("no method name given")) };
        let name = self.to_symbol(name)?;
        let shorter = if let Some(count) = self.spread_splat(window, info, 1, &[]) {
            ArgInfo::plain(count, false)
        } else if whole {
            // SAFETY: as above.
            let (list, _) = unsafe { info.splat(window) };
            let rest = list.subseq(self, 1, list.len() - 1);
            // SAFETY: as above.
            unsafe { *window = rest.value() };
            *info
        } else {
            // SAFETY: the words behind the first move down by one.
            unsafe { std::ptr::copy(window.add(1), window, info.argc - 1) };
            ArgInfo::new(info.argc - 1, info.flags, info.keywords)
        };
        let class = self.dispatch_class(receiver);
        let refined = if self.may_be_refined(name) {
            let cref = self.ruby_frame().map_or(Value::NIL, |f| f.cref);
            self.find_refined(cref, class, name)
        } else {
            None
        };
        let found = refined.unwrap_or_else(|| class.find_method(self, name));
        match found.method {
            Some(method) => self.prepare_call(base, method, found.pos, &shorter, block, dst, flags),
            None => self.prepare_missing(base, found, name, &shorter, block, dst, flags, false, false),
        }
    }

    /// Makes room for the name as first argument.
    fn shift_window<'a>(&mut self, base: *mut Value, name: Sym, info: &ArgInfo<'a>) -> Result<ArgInfo<'a>> {
        if (self.values_limit as usize).saturating_sub(base as usize) < (info.argc + 64) * size_of::<Value>() {
            return Err(self.stack_overflow());
        }
        // SAFETY: room for one more word was checked.
        unsafe {
            let window = base.add(1);
            if info.flags & site_flags::SPLAT != 0 && info.before_splat() == 0 {
                if let Some(count) = self.spread_splat(window, info, 0, &[Value::symbol(name)]) {
                    return Ok(ArgInfo::plain(count, false));
                }
                let list = crate::object::Array::known(*window);
                let longer = crate::object::Array::new(self);
                longer.push(self, Value::symbol(name));
                longer.concat(self, list);
                *window = longer.value();
                return Ok(*info);
            }
            std::ptr::copy(window, window.add(1), info.argc);
            *window = Value::symbol(name);
            self.sp = self.sp.max(window.add(info.argc + 1));
        }
        Ok(ArgInfo::new(info.argc + 1, info.flags, info.keywords))
    }

    /// The NoMethodError or NameError of a call that `found` does not serve.
    #[cold]
    pub fn no_such_method(&mut self, receiver: Value, found: Found, name: Sym, explicit: bool, vcall: bool) -> Unwind {
        self.missing_error(
            receiver,
            name,
            Missing { visibility: found.method.map(|m| m.visibility()), explicit, vcall },
        )
    }

    /// The error of `BasicObject#method_missing` itself: of the call that led to the program's `method_missing` and on
    /// by `super`.
    pub fn method_missing_error(&mut self, receiver: Value, name: Sym, args: &[Value]) -> Unwind {
        let unwind = self.missing_error(receiver, name, self.missing);
        if let Pending::Raise(exception) = self.pending {
            let list = crate::object::Array::from_slice(self, args).value();
            self.keep_arguments(exception, list);
        }
        unwind
    }

    fn keep_arguments(&mut self, exception: Value, list: Value) {
        let args = self.internal("__args");
        self.ivar_set(exception, args, list);
    }

    fn missing_error(&mut self, receiver: Value, name: Sym, missing: Missing) -> Unwind {
        let Missing { visibility, explicit, vcall } = missing;
        if let (Some(visibility), true) = (visibility, explicit) {
            let kind = match visibility {
                Visibility::Private => "private",
                Visibility::Protected => "protected",
                Visibility::Public => return self.undefined_method(receiver, name, vcall),
            };
            let (target, text) = (self.describe(receiver), self.sym_str(name));
            return self.name_error(
                "NoMethodError",
                &format!("{kind} method '{text}' called for {target}"),
                receiver,
                name,
            );
        }
        let unwind = self.undefined_method(receiver, name, vcall);
        if let (Pending::Raise(exception), false, false) = (self.pending, explicit, vcall) {
            let private_call = self.internal("__private_call");
            self.ivar_set(exception, private_call, Value::TRUE);
        }
        unwind
    }
}

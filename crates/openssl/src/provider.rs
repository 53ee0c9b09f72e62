//! OpenSSL::Provider: sets of algorithms that can be loaded.

use crate::ffi::conf::{self, OSSL_PROVIDER};
use crate::ffi::{Owned, Text};
use crate::support::{self, binary, c_string, check, fail};
use rubellite_vm::object::{Data, NativeData};
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, Value, method, no_allocator};
use std::cell::RefCell;

const ERROR: &str = "OpenSSL::Provider::ProviderError";

pub static PROVIDER: ClassDef = ClassDef {
    name: "OpenSSL::Provider",
    alloc: Some(no_allocator),
    methods: &[
        method("unload", Arity::NONE, unload),
        method("name", Arity::NONE, name),
        method("inspect", Arity::NONE, inspect),
    ],
    singleton_methods: &[method("load", Arity::ONE, load), method("provider_names", Arity::NONE, provider_names)],
    ..ClassDef::EMPTY
};

pub static PROVIDER_ERROR: ClassDef = ClassDef { name: ERROR, superclass: support::ERROR, ..ClassDef::EMPTY };

/// A loaded provider: the collector does not unload it.
struct Loaded(RefCell<Option<Owned<OSSL_PROVIDER>>>);

impl NativeData for Loaded {}

impl Drop for Loaded {
    fn drop(&mut self) {
        if let Some(provider) = self.0.borrow_mut().take() {
            provider.into_raw();
        }
    }
}

fn load(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let name = c_string(ctx, args.at(0))?;
    let message = format!("Failed to load {} provider", name.to_string_lossy());
    let provider = check(ctx, conf::load_provider(Text::from(&*name)), ERROR, &message)?;
    Ok(Data::new(ctx, recv, Loaded(RefCell::new(Some(provider)))).value())
}

fn provider_names(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    let names = check(ctx, conf::provider_names(), ERROR, "Failed to load provider names")?;
    Ok(crate::digest::names(ctx, names))
}

fn text(ctx: &Ctx, recv: Value) -> Option<Vec<u8>> {
    let loaded = Data::state_of::<Loaded>(ctx, recv)?.0.borrow();
    Some(conf::OSSL_PROVIDER_get0_name(loaded.as_deref()?).map_or(Vec::new(), |name| name.bytes().to_vec()))
}

fn unload(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let loaded = Data::state_of::<Loaded>(ctx, recv).and_then(|loaded| loaded.0.borrow_mut().take());
    let Some(provider) = loaded else { return Err(fail(ctx, ERROR, "Provider already unloaded.")) };
    drop(provider);
    Ok(Value::TRUE)
}

fn name(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    match text(ctx, recv) {
        Some(name) => Ok(binary(ctx, &name)),
        None => Err(fail(ctx, ERROR, "Provider already unloaded.")),
    }
}

fn inspect(ctx: &mut Ctx, recv: Value, _args: Args) -> Result {
    let class = ctx.real_class(recv).inspect(ctx);
    let text = match text(ctx, recv) {
        Some(name) => format!("#<{class} name=\"{}\">", String::from_utf8_lossy(&name)),
        None => format!("#<{class} unloaded provider>"),
    };
    Ok(binary(ctx, text.as_bytes()))
}

//! The constants that say which Ruby this is.

use super::super::exception::frozen;
use rubellite_vm::class::{Class, ClassDef};
use rubellite_vm::object::Str;
use rubellite_vm::{Ctx, Encoding, Result, Value};

pub static CONSTANTS: ClassDef =
    ClassDef { name: "Object", superclass: "BasicObject", setup: Some(define), ..ClassDef::EMPTY };

/// The version of the language.
const VERSION: &str = "4.0.0";
const RELEASE_DATE: &str = "2025-12-25";
/// What programs take this Ruby for: gems choose by the name, and take for "ruby" what relies on the lock.
const ENGINE: &str = "ruby";
const NAME: &str = "rubellite";
const NAME_VERSION: &str = env!("CARGO_PKG_VERSION");
const COPYRIGHT: &str = "rubellite - Copyright (C) the Rubellite authors";

/// "x86_64-linux"
pub fn platform() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

/// What `--version` prints.
pub fn description() -> String {
    format!("{NAME} {NAME_VERSION} (ruby {VERSION}) [{}]", platform())
}

fn define(ctx: &mut Ctx, object: Class) -> Result<()> {
    let texts = [
        ("RUBY_VERSION", VERSION.to_string()),
        ("RUBY_RELEASE_DATE", RELEASE_DATE.to_string()),
        ("RUBY_PLATFORM", platform()),
        ("RUBY_COPYRIGHT", COPYRIGHT.to_string()),
        ("RUBY_DESCRIPTION", description()),
        ("RUBY_REVISION", "0".repeat(40)),
    ];
    // The module Ruby repeats them without their prefix.
    let klass = ctx.classes().module.get();
    let ruby = Class::new_module(ctx, klass);
    object.set_const(ctx, "Ruby", ruby.value());
    for (name, text) in texts {
        set_text(ctx, object, ruby, name, &text);
    }
    set_both(ctx, object, ruby, "RUBY_PATCHLEVEL", Value::fixnum(0));
    set_engine_in(ctx, object, ruby, ENGINE);
    Ok(())
}

/// Sets RUBY_ENGINE, before any program runs, and its version: that of the language when it is "ruby", as there.
pub fn set_engine(ctx: &mut Ctx, name: &str) -> Result<()> {
    let object = ctx.classes().object.get();
    if let (Some(object), ruby) = (Class::try_of(object), ctx.named_class("Ruby")?) {
        set_engine_in(ctx, object, ruby, name);
    }
    Ok(())
}

fn set_engine_in(ctx: &mut Ctx, object: Class, ruby: Class, name: &str) {
    set_text(ctx, object, ruby, "RUBY_ENGINE", name);
    set_text(ctx, object, ruby, "RUBY_ENGINE_VERSION", if name == ENGINE { VERSION } else { NAME_VERSION });
}

/// `Rubellite::VERSION`
pub fn define_version(ctx: &mut Ctx, rubellite: Class) -> Result<()> {
    let version = frozen(Str::new(ctx, NAME_VERSION.as_bytes(), Encoding::US_ASCII).value());
    rubellite.set_const(ctx, "VERSION", version);
    Ok(())
}

fn set_text(ctx: &mut Ctx, object: Class, ruby: Class, name: &str, text: &str) {
    let value = frozen(Str::new(ctx, text.as_bytes(), Encoding::US_ASCII).value());
    set_both(ctx, object, ruby, name, value);
}

fn set_both(ctx: &mut Ctx, object: Class, ruby: Class, name: &str, value: Value) {
    object.set_const(ctx, name, value);
    ruby.set_const(ctx, name.trim_start_matches("RUBY_"), value);
}

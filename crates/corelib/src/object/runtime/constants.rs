//! The constants that say which Ruby this is.

use super::super::exception::frozen;
use rubellite_vm::class::{Class, ClassDef};
use rubellite_vm::object::Str;
use rubellite_vm::{Ctx, Encoding, Result, Value};

pub static CONSTANTS: ClassDef = ClassDef { name: "Object", superclass: "BasicObject", setup: Some(define), ..ClassDef::EMPTY };

/// The version of the language.
const VERSION: &str = "4.0.0";
const RELEASE_DATE: &str = "2025-12-25";
const ENGINE: &str = "rubellite";
const ENGINE_VERSION: &str = env!("CARGO_PKG_VERSION");
const COPYRIGHT: &str = "rubellite - Copyright (C) the Rubellite authors";

/// "x86_64-linux"
pub fn platform() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

/// What `--version` prints.
pub fn description() -> String {
    format!("{ENGINE} {ENGINE_VERSION} (ruby {VERSION}) [{}]", platform())
}

fn define(ctx: &mut Ctx, object: Class) -> Result<()> {
    let texts = [
        ("RUBY_VERSION", VERSION.to_string()),
        ("RUBY_RELEASE_DATE", RELEASE_DATE.to_string()),
        ("RUBY_PLATFORM", platform()),
        ("RUBY_COPYRIGHT", COPYRIGHT.to_string()),
        ("RUBY_ENGINE", ENGINE.to_string()),
        ("RUBY_ENGINE_VERSION", ENGINE_VERSION.to_string()),
        ("RUBY_DESCRIPTION", description()),
        ("RUBY_REVISION", "0".repeat(40)),
    ];
    // The module Ruby repeats them without their prefix.
    let klass = ctx.classes().module.get();
    let ruby = Class::new_module(ctx, klass);
    object.set_const(ctx, "Ruby", ruby.value());
    for (name, text) in texts {
        let value = frozen(Str::new(ctx, text.as_bytes(), Encoding::US_ASCII).value());
        set_both(ctx, object, ruby, name, value);
    }
    set_both(ctx, object, ruby, "RUBY_PATCHLEVEL", Value::fixnum(0));
    Ok(())
}

fn set_both(ctx: &mut Ctx, object: Class, ruby: Class, name: &str, value: Value) {
    object.set_const(ctx, name, value);
    ruby.set_const(ctx, name.trim_start_matches("RUBY_"), value);
}

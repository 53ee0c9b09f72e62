//! JSON: writing. Options and `JSON::State` are `state.rs`, the walk over the objects is `writer.rs`, the text of
//! strings and numbers `text.rs`.

mod state;
mod text;
mod writer;

use rubellite_vm::{Args, Arity, ClassDef, Ctx, MethodDef, Result, Value, method};
use state::Options;
use writer::Writer;

const TO_JSON: &[MethodDef] = &[method("to_json", Arity::ANY.with_keywords(), to_json)];

macro_rules! generator_methods {
    ($($name:literal)*) => {
        &[$(ClassDef {
            name: concat!("JSON::Ext::Generator::GeneratorMethods::", $name),
            superclass: "",
            methods: TO_JSON,
            ..ClassDef::EMPTY
        }),*]
    };
}

/// The modules that give the core classes `to_json`.
static METHODS: &[ClassDef] =
    generator_methods!("Object" "Hash" "Array" "Integer" "Float" "String" "TrueClass" "FalseClass" "NilClass");

static GENERATOR: ClassDef = ClassDef { name: "JSON::Ext::Generator", superclass: "", ..ClassDef::EMPTY };
static GENERATOR_METHODS: ClassDef =
    ClassDef { name: "JSON::Ext::Generator::GeneratorMethods", superclass: "", ..ClassDef::EMPTY };

pub fn install(ctx: &mut Ctx) -> Result<()> {
    for def in [&GENERATOR, &state::STATE, &GENERATOR_METHODS] {
        ctx.install(def)?;
    }
    for def in METHODS {
        ctx.install(def)?;
    }
    ctx.run_internal(include_str!("../generator.rb"), "json").map(drop)
}

/// `object.to_json(state = nil, *)`
fn to_json(ctx: &mut Ctx, recv: Value, args: Args) -> Result {
    let given = args.at(0);
    let options = if given.is_nil() { Options::default() } else { Options::from_value(ctx, given)? };
    Writer::new(options).asked().text(ctx, recv, false)
}

/// Whether the `to_json` that `value` has is the one above.
fn has_own_to_json(ctx: &Ctx, value: Value) -> bool {
    let name = ctx.intern("to_json");
    ctx.is_builtin(value, name)
}

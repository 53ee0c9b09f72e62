//! `json`: reading (`parse`) and writing (`generate`) JSON, the native halves of the library's json. Where the library
//! is that of an older Ruby, the module's own functions are `json.rb`, the conversions of further classes `add/*.rb`.

mod generate;
mod parse;

use rubellite_core_load as load;
use rubellite_vm::{ClassDef, Ctx, Result};

/// Files of the library that ours stands for as a whole.
const WITHIN: [&str; 3] = ["json/ext", "json/common", "json/version"];

/// What the halves are in, when they are required before json/ext.
static EXT: ClassDef = ClassDef { name: "JSON::Ext", superclass: "", ..ClassDef::EMPTY };

pub fn register(ctx: &mut Ctx) {
    load::register_extension(ctx, "json/ext/parser", |ctx| {
        if !load::is_current(ctx) {
            return load::require(ctx, b"json").map(drop);
        }
        load::require(ctx, b"json/common")?;
        ctx.install(&EXT)?;
        parse::install(ctx)
    });
    load::register_extension(ctx, "json/ext/generator", |ctx| {
        if !load::is_current(ctx) {
            return load::require(ctx, b"json").map(drop);
        }
        load::require(ctx, b"json/common")?;
        ctx.install(&EXT)?;
        generate::install(ctx)?;
        load::require(ctx, b"json/ext/generator/state").map(drop)
    });
    load::register_for_older(ctx, "json", load_json);
    for name in WITHIN {
        load::register_for_older(ctx, name, |ctx| load::require(ctx, b"json").map(|_| ()));
    }
    load::register_for_older(ctx, "json/generic_object", |ctx| {
        ruby(ctx, "json/generic_object", include_str!("generic_object.rb"))
    });
    load::register_for_older(ctx, "json/add/bigdecimal", |ctx| {
        ruby(ctx, "json/add/bigdecimal", include_str!("add/bigdecimal.rb"))
    });
    load::register_for_older(ctx, "json/add/complex", |ctx| {
        ruby(ctx, "json/add/complex", include_str!("add/complex.rb"))
    });
    load::register_for_older(ctx, "json/add/core", |ctx| ruby(ctx, "json/add/core", include_str!("add/core.rb")));
    load::register_for_older(ctx, "json/add/date", |ctx| ruby(ctx, "json/add/date", include_str!("add/date.rb")));
    load::register_for_older(ctx, "json/add/date_time", |ctx| {
        ruby(ctx, "json/add/date_time", include_str!("add/date_time.rb"))
    });
    load::register_for_older(ctx, "json/add/exception", |ctx| {
        ruby(ctx, "json/add/exception", include_str!("add/exception.rb"))
    });
    load::register_for_older(ctx, "json/add/ostruct", |ctx| {
        ruby(ctx, "json/add/ostruct", include_str!("add/ostruct.rb"))
    });
    load::register_for_older(ctx, "json/add/range", |ctx| ruby(ctx, "json/add/range", include_str!("add/range.rb")));
    load::register_for_older(ctx, "json/add/rational", |ctx| {
        ruby(ctx, "json/add/rational", include_str!("add/rational.rb"))
    });
    load::register_for_older(ctx, "json/add/regexp", |ctx| ruby(ctx, "json/add/regexp", include_str!("add/regexp.rb")));
    load::register_for_older(ctx, "json/add/set", |ctx| ruby(ctx, "json/add/set", include_str!("add/set.rb")));
    load::register_for_older(ctx, "json/add/string", |ctx| ruby(ctx, "json/add/string", include_str!("add/string.rb")));
    load::register_for_older(ctx, "json/add/struct", |ctx| ruby(ctx, "json/add/struct", include_str!("add/struct.rb")));
    load::register_for_older(ctx, "json/add/symbol", |ctx| ruby(ctx, "json/add/symbol", include_str!("add/symbol.rb")));
    load::register_for_older(ctx, "json/add/time", |ctx| ruby(ctx, "json/add/time", include_str!("add/time.rb")));
}

fn ruby(ctx: &mut Ctx, name: &str, source: &str) -> Result<()> {
    ctx.run_internal(source, name)?;
    Ok(())
}

fn load_json(ctx: &mut Ctx) -> Result<()> {
    ruby(ctx, "json", include_str!("errors.rb"))?;
    parse::install(ctx)?;
    generate::install(ctx)?;
    ruby(ctx, "json", include_str!("json.rb"))?;
    WITHIN.iter().try_for_each(|name| load::count_as_loaded(ctx, &format!("{name}.rb")))
}

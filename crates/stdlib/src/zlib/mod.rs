//! `zlib`: deflate and inflate streams, gzip files, checksums.
//!
//! Compression runs outside the lock and can be interrupted at any moment. `stream.rs` is the engine, `zstream.rs` an
//! object that owns one, `deflate.rs` the two classes of streams, `gzip/` the files; strings are compressed as a whole
//! by `whole.rs`, on several cores by `parallel.rs`.

mod checksum;
mod deflate;
mod gzip;
mod parallel;
mod stream;
mod whole;
mod zstream;

use rubellite_vm::object::Str;
use rubellite_vm::{Args, Arity, Class, ClassDef, Ctx, Encoding, Result, Value, method};

pub fn register(ctx: &mut Ctx) {
    rubellite_core_load::register(ctx, "zlib", load);
}

static ZLIB: ClassDef = ClassDef {
    name: "Zlib",
    superclass: "",
    module_functions: &[
        method("zlib_version", Arity::NONE, zlib_version),
        method("adler32", Arity::range(0, 2), checksum::adler32_method),
        method("adler32_combine", Arity::exact(3), checksum::adler32_combine),
        method("crc32", Arity::range(0, 2), checksum::crc32_method),
        method("crc32_combine", Arity::exact(3), checksum::crc32_combine),
        method("crc_table", Arity::NONE, checksum::crc_table),
    ],
    singleton_methods: &[
        method("deflate", Arity::range(1, 2).with_keywords(), deflate::deflate_string),
        method("inflate", Arity::ONE, deflate::inflate_string),
        method("gzip", Arity::ONE.with_keywords(), gzip::whole::gzip),
        method("gunzip", Arity::ONE, gzip::whole::gunzip),
    ],
    setup: Some(constants),
    ..ClassDef::EMPTY
};

const ERRORS: &[(&str, &str)] = &[
    ("Zlib::Error", "StandardError"),
    ("Zlib::StreamEnd", "Zlib::Error"),
    ("Zlib::NeedDict", "Zlib::Error"),
    ("Zlib::DataError", "Zlib::Error"),
    ("Zlib::StreamError", "Zlib::Error"),
    ("Zlib::MemError", "Zlib::Error"),
    ("Zlib::BufError", "Zlib::Error"),
    ("Zlib::VersionError", "Zlib::Error"),
    ("Zlib::InProgressError", "Zlib::Error"),
];

const CONSTANTS: &[(&str, i64)] = &[
    ("BINARY", 0),
    ("ASCII", 1),
    ("TEXT", 1),
    ("UNKNOWN", 2),
    ("NO_COMPRESSION", 0),
    ("BEST_SPEED", 1),
    ("BEST_COMPRESSION", 9),
    ("DEFAULT_COMPRESSION", -1),
    ("FILTERED", 1),
    ("HUFFMAN_ONLY", 2),
    ("RLE", 3),
    ("FIXED", 4),
    ("DEFAULT_STRATEGY", 0),
    ("MAX_WBITS", 15),
    ("DEF_MEM_LEVEL", 8),
    ("MAX_MEM_LEVEL", 9),
    ("NO_FLUSH", 0),
    ("SYNC_FLUSH", 2),
    ("FULL_FLUSH", 3),
    ("FINISH", 4),
    ("OS_CODE", 3),
    ("OS_MSDOS", 0),
    ("OS_AMIGA", 1),
    ("OS_VMS", 2),
    ("OS_UNIX", 3),
    ("OS_VMCMS", 4),
    ("OS_ATARI", 5),
    ("OS_OS2", 6),
    ("OS_MACOS", 7),
    ("OS_ZSYSTEM", 8),
    ("OS_CPM", 9),
    ("OS_TOPS20", 10),
    ("OS_WIN32", 11),
    ("OS_QDOS", 12),
    ("OS_RISCOS", 13),
    ("OS_UNKNOWN", 255),
];

fn load(ctx: &mut Ctx) -> Result<()> {
    ctx.install(&ZLIB)?;
    for &(name, superclass) in ERRORS {
        ctx.install(&ClassDef { name, superclass, ..ClassDef::EMPTY })?;
    }
    for class in [&zstream::ZSTREAM, &deflate::DEFLATE, &deflate::INFLATE] {
        ctx.install(class)?;
    }
    gzip::load(ctx)
}

fn constants(ctx: &mut Ctx, zlib: Class) -> Result<()> {
    for &(name, value) in CONSTANTS {
        zlib.set_const(ctx, name, Value::fixnum(value));
    }
    let version = Str::new(ctx, b"3.2.3", Encoding::UTF_8);
    zlib.set_const(ctx, "VERSION", version.value());
    let version = Str::new(ctx, version_text().as_bytes(), Encoding::UTF_8);
    zlib.set_const(ctx, "ZLIB_VERSION", version.value());
    Ok(())
}

fn version_text() -> &'static str {
    // SAFETY: a static C string.
    unsafe { std::ffi::CStr::from_ptr(libz_rs_sys::zlibVersion()) }.to_str().unwrap_or("1.3.0")
}

fn zlib_version(ctx: &mut Ctx, _recv: Value, _args: Args) -> Result {
    Ok(Str::new(ctx, version_text().as_bytes(), Encoding::UTF_8).value())
}

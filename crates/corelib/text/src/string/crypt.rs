//! String: `crypt`, by the C library of the system.

use rubellite_core_numeric::integer::outside::{Effort, compute};
use rubellite_vm::object::Str;
use rubellite_vm::{Args, Arity, ClassDef, Ctx, Result, method};
use std::ffi::{CStr, CString, c_char};

pub static STRING_CRYPT: ClassDef = ClassDef {
    name: "String",
    superclass: "Object",
    methods: &[method("crypt", Arity::ONE, crypt)],
    ..ClassDef::EMPTY
};

type CryptFn = unsafe extern "C" fn(*const c_char, *const c_char, *mut u64) -> *mut c_char;

/// Words of the work space of `crypt_r`, larger than the `crypt_data` of any C library.
const SPACE: usize = 1 << 15;

/// `crypt_r(3)`, wherever the system keeps it.
fn find_crypt() -> Option<CryptFn> {
    for library in [c"libcrypt.so.1", c"libcrypt.so.2", c"libcrypt.so"] {
        // SAFETY: both take names that end with a zero byte; a library that is found stays open.
        let symbol = unsafe {
            let handle = libc::dlopen(library.as_ptr(), libc::RTLD_NOW);
            if handle.is_null() {
                continue;
            }
            libc::dlsym(handle, c"crypt_r".as_ptr())
        };
        if !symbol.is_null() {
            // SAFETY: the symbol `crypt_r` of this library has this type.
            return Some(unsafe { std::mem::transmute::<*mut libc::c_void, CryptFn>(symbol) });
        }
    }
    None
}

fn crypt(ctx: &mut Ctx, s: Str, args: Args) -> Result {
    let salt = ctx.to_str(args.at(0))?;
    for string in [s, salt] {
        if string.encoding().min_len() > 1 {
            return Err(ctx.argument_error(&format!("wide char encoding: {}", string.encoding().name())));
        }
    }
    if salt.len() < 2 || salt.bytes(ctx)[..2].contains(&0) {
        return Err(ctx.argument_error("salt too short (need >=2 bytes)"));
    }
    let (Ok(key), Ok(setting)) = (CString::new(s.bytes(ctx)), CString::new(salt.bytes(ctx))) else {
        return Err(ctx.null_byte_error());
    };
    let Some(function) = find_crypt() else { return Err(ctx.unimplemented_function("crypt")) };
    // The salt may ask for rounds without end; only plain ones are surely short.
    let effort = if setting.as_bytes().starts_with(b"$") { Effort::VeryLong } else { Effort::Long };
    let hash = compute(ctx, effort, move || {
        let mut space = vec![0u64; SPACE];
        // SAFETY: both strings end with a zero byte, the work space is zeroed and large enough; the result lies in it.
        unsafe {
            let result = function(key.as_ptr(), setting.as_ptr(), space.as_mut_ptr());
            if result.is_null() { None } else { Some(CStr::from_ptr(result).to_bytes().to_vec()) }
        }
    })?;
    match hash {
        Some(hash) if !hash.starts_with(b"*") => Ok(Str::binary(ctx, &hash).value()),
        _ => Err(ctx.raise_error("Errno::EINVAL", "Invalid argument - crypt")),
    }
}

//! Configuration files and providers.

use super::bio::BIO;
use super::stack::{LooseStack, Stack};
use super::{Owned, OwnedText, Text, borrowed, foreign};
use std::ffi::{c_char, c_int, c_long, c_void};
use std::ptr::null_mut;

foreign! {
    CONF "OpenSSL/CONF" NCONF_free;
}

foreign! {
    OSSL_PROVIDER "OpenSSL/Provider" OSSL_PROVIDER_unload;
}

borrowed! { CONF_TEXT; }

#[repr(C)]
pub struct CONF_VALUE {
    section: *const c_char,
    name: *const c_char,
    value: *const c_char,
}

unsafe extern "C" {
    fn NCONF_new(method: *mut c_void) -> Option<Owned<CONF>>;
    fn NCONF_load_bio(conf: &CONF, bio: &BIO, line: *mut c_long) -> c_int;
    pub safe fn NCONF_get_string<'a>(conf: &'a CONF, section: Option<Text>, name: Text) -> Option<Text<'a>>;
    pub safe fn NCONF_get_section<'a>(conf: &'a CONF, section: Text) -> Option<&'a Stack<CONF_VALUE>>;
    safe fn NCONF_get_section_names(conf: &CONF) -> Option<LooseStack<CONF_TEXT>>;
    pub safe fn CONF_get1_default_config_file() -> Option<OwnedText>;

    fn OSSL_PROVIDER_load(library: *mut c_void, name: Text) -> Option<Owned<OSSL_PROVIDER>>;
    pub safe fn OSSL_PROVIDER_get0_name(provider: &OSSL_PROVIDER) -> Option<Text<'_>>;
    fn OSSL_PROVIDER_do_all(
        library: *mut c_void,
        f: unsafe extern "C" fn(*mut OSSL_PROVIDER, *mut c_void) -> c_int,
        arg: *mut c_void,
    ) -> c_int;
}

pub fn new() -> Option<Owned<CONF>> {
    // SAFETY: the default method.
    unsafe { NCONF_new(null_mut()) }
}

/// Reads the stream; the line of an error, or 0 when that is not known.
pub fn load(conf: &CONF, bio: &BIO) -> Result<(), c_long> {
    let mut line = -1;
    // SAFETY: the place is ours.
    if unsafe { NCONF_load_bio(conf, bio, &mut line) } == 1 { Ok(()) } else { Err(line.max(0)) }
}

fn text(at: *const c_char) -> Option<Vec<u8>> {
    // SAFETY: a text of the configuration ends with a NUL and lives as long.
    (!at.is_null()).then(|| unsafe { std::ffi::CStr::from_ptr(at) }.to_bytes().to_vec())
}

pub fn sections(conf: &CONF) -> Vec<Vec<u8>> {
    let Some(names) = NCONF_get_section_names(conf) else { return Vec::new() };
    names.iter().filter_map(|name| text(std::ptr::from_ref(name).cast())).collect()
}

/// Name and value of each entry of a section.
pub fn entries(section: &Stack<CONF_VALUE>) -> Vec<(Option<Vec<u8>>, Option<Vec<u8>>)> {
    section.iter().map(|entry| (text(entry.name), text(entry.value))).collect()
}

pub fn load_provider(name: Text) -> Option<Owned<OSSL_PROVIDER>> {
    // SAFETY: the default library context.
    unsafe { OSSL_PROVIDER_load(null_mut(), name) }
}

unsafe extern "C" fn push_name(provider: *mut OSSL_PROVIDER, list: *mut c_void) -> c_int {
    // SAFETY: the library passes a living provider, and the list that `provider_names` has given it.
    unsafe {
        if let Some(name) = OSSL_PROVIDER_get0_name(&*provider) {
            (*list.cast::<Vec<Vec<u8>>>()).push(name.bytes().to_vec());
        }
    }
    1
}

pub fn provider_names() -> Option<Vec<Vec<u8>>> {
    let mut list: Vec<Vec<u8>> = Vec::new();
    // SAFETY: the function is called with the list before the call returns.
    (unsafe { OSSL_PROVIDER_do_all(null_mut(), push_name, (&raw mut list).cast()) } == 1).then_some(list)
}

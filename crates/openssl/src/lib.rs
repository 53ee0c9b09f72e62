//! `openssl.so`: the native half of Ruby's `openssl` library on the system's OpenSSL 3. The Ruby half is Ruby's own.
//!
//! One file for each of Ruby's classes; `ffi` declares what is called of the library, `support` is what the classes
//! share. Work that takes long leaves the VM lock; a structure that changes meanwhile is taken out of its object.

use openssl_sys as _;

mod asn1;
mod bn;
mod cipher;
mod config;
mod constants;
mod digest;
mod ffi;
mod hmac;
mod kdf;
mod module;
mod ns_spki;
mod ocsp;
mod pkcs12;
mod pkcs7;
mod pkey;
mod provider;
mod random;
mod ssl;
mod support;
mod timestamp;
mod x509;

use rubellite_core_load as load;
use rubellite_vm::object::Str;
use rubellite_vm::{ClassDef, Ctx, Result};

/// Makes the library known to `require`.
pub fn register(ctx: &mut Ctx) {
    load::register_extension(ctx, "openssl", load);
}

/// The classes in the order in which they need each other.
const CLASSES: &[&ClassDef] = &[
    &module::OPENSSL,
    &module::OPENSSL_ERROR,
    &asn1::ASN1,
    &asn1::ASN1_ERROR,
    &asn1::DATA,
    &asn1::PRIMITIVE,
    &asn1::CONSTRUCTIVE,
    &bn::BN_ERROR,
    &bn::BN_CLASS,
    &cipher::CIPHER,
    &cipher::CIPHER_ERROR,
    &cipher::AUTH_TAG_ERROR,
    &config::CONFIG_ERROR,
    &config::CONFIG,
    &digest::DIGEST,
    &digest::DIGEST_ERROR,
    &hmac::HMAC_ERROR,
    &hmac::HMAC,
    &kdf::KDF,
    &kdf::KDF_ERROR,
    &pkey::MODULE,
    &pkey::PKEY_ERROR,
    &pkey::PKEY_CLASS,
    &pkey::rsa::RSA_CLASS,
    &pkey::dsa::DSA_CLASS,
    &pkey::dh::DH_CLASS,
    &pkey::ec::EC_CLASS,
    &pkey::ec::GROUP_CLASS,
    &pkey::ec::GROUP_ERROR,
    &pkey::ec::POINT_CLASS,
    &pkey::ec::POINT_ERROR,
    &provider::PROVIDER,
    &provider::PROVIDER_ERROR,
    &random::RANDOM,
    &random::RANDOM_ERROR,
    &ns_spki::NETSCAPE,
    &ns_spki::SPKI_ERROR,
    &ns_spki::SPKI,
    &ocsp::OCSP,
    &ocsp::OCSP_ERROR,
    &ocsp::REQUEST,
    &ocsp::RESPONSE,
    &ocsp::BASIC_RESPONSE,
    &ocsp::SINGLE_RESPONSE,
    &ocsp::CERTIFICATE_ID,
    &pkcs12::PKCS12_CLASS,
    &pkcs12::PKCS12_ERROR,
    &pkcs7::PKCS7_CLASS,
    &pkcs7::PKCS7_ERROR,
    &pkcs7::SIGNER_CLASS,
    &pkcs7::RECIPIENT_CLASS,
    &timestamp::TIMESTAMP,
    &timestamp::TIMESTAMP_ERROR,
    &timestamp::REQUEST,
    &timestamp::RESPONSE,
    &timestamp::TOKEN_INFO,
    &timestamp::FACTORY,
    &x509::X509,
    &x509::attribute::ATTRIBUTE_ERROR,
    &x509::attribute::ATTRIBUTE_CLASS,
    &x509::certificate::CERTIFICATE_ERROR,
    &x509::certificate::CERTIFICATE_CLASS,
    &x509::crl::CRL_ERROR,
    &x509::crl::CRL_CLASS,
    &x509::extension::EXTENSION_ERROR,
    &x509::extension::FACTORY_CLASS,
    &x509::extension::EXTENSION_CLASS,
    &x509::name::NAME_ERROR,
    &x509::name::NAME_CLASS,
    &x509::request::REQUEST_ERROR,
    &x509::request::REQUEST_CLASS,
    &x509::revoked::REVOKED_ERROR,
    &x509::revoked::REVOKED_CLASS,
    &x509::store::STORE_ERROR,
    &x509::store::STORE_CLASS,
    &x509::context::CONTEXT_CLASS,
    &ssl::MODULE,
    &ssl::SSL_ERROR,
    &ssl::WAIT_READABLE,
    &ssl::WAIT_WRITABLE,
    &ssl::session::SESSION_CLASS,
    &ssl::session::SESSION_ERROR,
    &ssl::context::CONTEXT_CLASS,
    &ssl::socket::SOCKET_CLASS,
];

fn load(ctx: &mut Ctx) -> Result<()> {
    if !ffi::init() {
        return Err(ctx.runtime_error("OPENSSL_init_ssl"));
    }
    let main = ctx.named_class("Object")?.value();
    let name = Str::utf8(ctx, "digest").value();
    ctx.call_name(main, "require", &[name])?;
    for class in CLASSES {
        ctx.install(class)?;
    }
    asn1::load(ctx)?;
    ctx.run_internal(include_str!("native.rb"), "openssl")?;
    Ok(())
}

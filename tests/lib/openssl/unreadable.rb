# What cannot be read is told of with what was looked for: the attempts before the last one leave nothing in the
# message.
require "openssl"
include OpenSSL
X509::Certificate.new("x") # raises OpenSSL::X509::CertificateError: PEM_read_bio_X509: no start line (Expecting: CERTIFICATE)
X509::Certificate.new("\x30\x82\x01") # raises OpenSSL::X509::CertificateError: PEM_read_bio_X509: no start line (Expecting: CERTIFICATE)
X509::CRL.new("x") # raises OpenSSL::X509::CRLError: PEM_read_bio_X509_CRL: no start line (Expecting: X509 CRL)
X509::Request.new("x") # raises OpenSSL::X509::RequestError: PEM_read_bio_X509_REQ: no start line (Expecting: CERTIFICATE REQUEST)
PKey.read("x") # raises OpenSSL::PKey::PKeyError: Could not parse PKey
Timestamp::Request.new("x") # raises OpenSSL::Timestamp::TimestampError: Error when decoding the timestamp request: not enough data
begin
  PKey.read("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
rescue PKey::PKeyError => error
  error.message # => "Could not parse PKey"
end
key = PKey::RSA.new(2048)
locked = key.to_pem(Cipher.new("aes-128-cbc"), "secret")
PKey.read(locked, "wrong") # raises OpenSSL::PKey::PKeyError: Could not parse PKey
PKey.read(locked, "secret").n == key.n # => true
begin
  PKey::RSA.new(locked, "wrong")
rescue PKey::PKeyError => error
  error.message # => "Neither PUB key nor PRIV key"
end
PKCS7.new("x") rescue $!.message # => "Could not parse the PKCS7: no start line (Expecting: PKCS7)"
OpenSSL.errors # => []

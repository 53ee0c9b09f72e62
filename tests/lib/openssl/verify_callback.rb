# The callback of a store is asked by whatever verifies against the store.
require "openssl"

key = OpenSSL::PKey::RSA.new(2048)
name = OpenSSL::X509::Name.parse("/CN=signer")
cert = OpenSSL::X509::Certificate.new
cert.version = 2
cert.serial = 1
cert.subject = cert.issuer = name
cert.public_key = key.public_key
cert.not_before = Time.now - 60
cert.not_after = Time.now + 600
extensions = OpenSSL::X509::ExtensionFactory.new(cert, cert)
cert.add_extension(extensions.create_extension("keyUsage", "digitalSignature", true))
cert.add_extension(extensions.create_extension("extendedKeyUsage", "timeStamping", true))
cert.sign(key, "SHA256")

flags = OpenSSL::PKCS7::DETACHED | OpenSSL::PKCS7::BINARY
signed = OpenSSL::PKCS7.sign(cert, key, "data", [], flags)

store = OpenSSL::X509::Store.new
signed.verify([cert], store, "data", flags) # => false
signed.error_string # => "certificate verify error"

asked = []
store.verify_callback = ->(accepted, context) {
  asked << [accepted, context.error_string, context.current_cert == cert]
  true
}
signed.verify([cert], store, "data", flags) # => true
asked.first # => [false, "self-signed certificate", true]
asked.map(&:first).uniq # => [false, true]
signed.verify([cert], store, "other", flags) # => false
signed.error_string # => "digest failure"

# One that verifies itself, against the same store.
inner = []
store.verify_callback = ->(accepted, context) do
  if inner.empty?
    inner << :began
    inner << signed.verify([cert], store, "data", flags)
  end
  true
end
signed.verify([cert], store, "data", flags) # => true
inner # => [:began, true]

# Threads that verify against the same store meanwhile are not asked for each other.
store.verify_callback = ->(*) { Thread.pass; true }
4.times.map { Thread.new { 10.times.map { signed.verify([cert], store, "data", flags) }.uniq } }.map(&:value) # => [[true], [true], [true], [true]]

# An exception counts as no.
store.verify_callback = ->(*) { raise "no" }
$VERBOSE = nil
signed.verify([cert], store, "data", flags) # => false
store.verify_callback = nil
signed.verify([cert], store, "data", flags) # => false

# Timestamps.
request = OpenSSL::Timestamp::Request.new
request.algorithm = "SHA256"
request.message_imprint = OpenSSL::Digest.digest("SHA256", "data")
request.policy_id = "1.2.3.4.5"
request.nonce = 42
factory = OpenSSL::Timestamp::Factory.new
factory.gen_time = Time.now
factory.serial_number = 1
factory.allowed_digests = ["sha256"]
response = factory.create_timestamp(key, cert, request)
response.verify(request, store) # raises OpenSSL::Timestamp::TimestampError
store.verify_callback = ->(*) { true }
response.verify(request, store).equal?(response) # => true

# Answers about certificates.
id = OpenSSL::OCSP::CertificateId.new(cert, cert)
answer = OpenSSL::OCSP::BasicResponse.new
answer.add_status(id, OpenSSL::OCSP::V_CERTSTATUS_GOOD, 0, nil, -300, 500, [])
answer.sign(cert, key, [])
store.verify_callback = nil
answer.verify([cert], store) # => false
store.verify_callback = ->(*) { true }
answer.verify([cert], store) # => true

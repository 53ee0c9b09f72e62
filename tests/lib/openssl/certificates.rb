# needs: 4.0
require_relative "fixtures/authority"
include OpenSSL
authority = Authority.new
certificate, key = authority.issue("www.example.org", serial: 77)
certificate.subject # => #<OpenSSL::X509::Name CN=www.example.org,O=Test,C=CH>
certificate.subject.to_a # => [["C", "CH", 19], ["O", "Test", 12], ["CN", "www.example.org", 12]]
certificate.issuer.to_s(X509::Name::RFC2253) # => "CN=Test CA,O=Test,C=CH"
[certificate.serial, certificate.version, certificate.signature_algorithm] # => [#<OpenSSL::BN:0xXX>, 2, "ecdsa-with-SHA256"]
certificate.verify(authority.key) # => true
certificate.verify(key) # => false
certificate.check_private_key(key) # => true
certificate.extensions.map(&:to_s) # => ["subjectAltName = DNS:www.example.org, IP Address:127.0.0.1"]
certificate.extensions.first.then { [it.oid, it.value, it.critical?] } # => ["subjectAltName", "DNS:www.example.org, IP Address:127.0.0.1", false]
authority.certificate.extensions.map { [it.oid, it.critical?] } # => [["basicConstraints", true], ["keyUsage", true], ["subjectKeyIdentifier", false]]
authority.certificate.subject_key_identifier.bytesize # => 20
certificate.ca_issuer_uris # => nil
read = X509::Certificate.new(certificate.to_pem)
read == certificate # => true
X509::Certificate.new(certificate.to_der).to_pem == certificate.to_pem # => true
X509::Certificate.load(certificate.to_pem + authority.certificate.to_pem).size # => 2
X509::Certificate.new("nonsense") # raises OpenSSL::X509::CertificateError
certificate.not_after - certificate.not_before # => 3660.0
SSL.verify_certificate_identity(certificate, "www.example.org") # => true
SSL.verify_certificate_identity(certificate, "example.org") # => false
SSL.verify_certificate_identity(certificate, "127.0.0.1") # => true

store = authority.store
store.verify(certificate) # => true
[store.error, store.error_string, store.chain.size] # => [0, "ok", 2]
store.verify(Authority.new("Other").issue("other").first) # => false
store.error_string # => "self-signed certificate"
expired, = authority.issue("old", from: -3600, to: -1800)
store.verify(expired) # => false
[store.error == X509::V_ERR_CERT_HAS_EXPIRED, store.error_string] # => [true, "certificate has expired"]
store.time = Time.now - 2400
store.verify(expired) # => false
seen = []
store.verify(certificate) { |ok, context| seen << [ok, context.error_depth, context.current_cert.subject.to_s]; true } # => true
seen.first # => [false, 1, "/C=CH/O=Test/CN=Test CA"]
store.add_cert(authority.certificate).equal?(store) # => true
X509::Store.new.add_file("no such file") # raises OpenSSL::X509::StoreError

crl = X509::CRL.new
crl.issuer = authority.certificate.subject
crl.version = 1
crl.last_update = Time.now - 10
crl.next_update = Time.now + 100
revoked = X509::Revoked.new
revoked.serial = 77
revoked.time = Time.now - 5
revoked.add_extension(X509::Extension.new("CRLReason", ASN1::Enumerated(1)))
crl.add_revoked(revoked)
crl.sign(authority.key, "SHA256")
crl.verify(authority.key) # => true
X509::CRL.new(crl.to_pem).revoked.map { [it.serial, it.extensions.map(&:to_s)] } # => [[#<OpenSSL::BN:0xXX>, ["CRLReason = Key Compromise"]]]
strict = authority.store
strict.add_crl(crl)
strict.flags = X509::V_FLAG_CRL_CHECK
strict.verify(certificate) # => false
strict.error_string # => "certificate revoked"
strict.verify(authority.issue("fine", serial: 78).first) # => true

request = X509::Request.new
request.version = 0
request.subject = X509::Name.new([["CN", "new"], ["O", "Test", ASN1::UTF8STRING]])
request.public_key = key
extension = X509::Extension.new("basicConstraints", "CA:FALSE")
request.add_attribute(X509::Attribute.new("extReq", ASN1::Set([ASN1::Sequence([extension])])))
request.sign(key, "SHA256")
request.verify(request.public_key) # => true
request.attributes.map(&:oid) # => ["extReq"]
X509::Request.new(request.to_der).subject # => #<OpenSSL::X509::Name O=Test,CN=new>
X509::Name.parse_rfc2253("CN=a,O=b").to_a # => [["O", "b", 12], ["CN", "a", 12]]
X509::Name.parse("/CN=a") <=> X509::Name.parse("/CN=b") # => -1
X509::Name.parse("/CN=a").eql?(X509::Name.parse("/CN=a")) # => true
X509::Name.parse("/CN=\u00e9").to_utf8 # => "CN=é"
X509::Name.parse("/none=a") # raises OpenSSL::X509::NameError: X509_NAME_add_entry_by_txt: invalid field name (name=none)
X509::ExtensionFactory.new.create_extension("basicConstraints", "nonsense") # raises OpenSSL::X509::ExtensionError

bundle = PKCS12.create("password", "name", key, certificate, [authority.certificate])
opened = PKCS12.new(bundle.to_der, "password")
[opened.key.private_to_der == key.private_to_der, opened.certificate == certificate, opened.ca_certs.size] # => [true, true, 1]
PKCS12.new(bundle.to_der, "wrong") # raises OpenSSL::PKCS12::PKCS12Error
signed = PKCS7.sign(certificate, key, "text", [], PKCS7::DETACHED)
signed.type # => :signed
PKCS7.new(signed.to_der).verify([certificate], authority.store, "text", PKCS7::NOVERIFY) # => true
PKCS7.new(signed.to_der).verify([certificate], authority.store, "other", PKCS7::NOVERIFY) # => false
rsa = PKey::RSA.new(2048)
holder = X509::Certificate.new
holder.subject = holder.issuer = X509::Name.parse("/CN=holder")
holder.public_key = rsa
holder.serial = 5
holder.not_before = Time.now
holder.not_after = Time.now + 100
holder.sign(rsa, "SHA256")
letter = PKCS7.encrypt([holder], "secret", "aes-128-cbc")
PKCS7.read_smime(PKCS7.write_smime(letter)).decrypt(rsa, holder) # => "secret"
letter.recipients.map { it.serial.to_i } # => [5]
spki = Netscape::SPKI.new
spki.public_key = rsa
spki.challenge = "word"
spki.sign(rsa, "SHA256")
Netscape::SPKI.new(spki.to_pem).verify(rsa) # => true

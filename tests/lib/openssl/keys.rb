# needs: 4.0
require "openssl"
include OpenSSL
rsa = PKey::RSA.new(2048)
rsa.private? # => true
rsa.public_key.private? # => false
[rsa.n.num_bits, rsa.e.to_i, rsa.oid] # => [2048, 65537, "rsaEncryption"]
signature = rsa.sign("SHA256", "data")
rsa.public_key.verify("SHA256", signature, "data") # => true
rsa.verify("SHA256", signature, "other") # => false
rsa.verify("SHA256", "nonsense", "data") # => false
pss = rsa.sign_pss("SHA256", "data", salt_length: :max, mgf1_hash: "SHA256")
rsa.verify_pss("SHA256", pss, "data", salt_length: :auto, mgf1_hash: "SHA256") # => true
rsa.private_decrypt(rsa.public_encrypt("secret", PKey::RSA::PKCS1_OAEP_PADDING), PKey::RSA::PKCS1_OAEP_PADDING) # => "secret"
rsa.decrypt(rsa.encrypt("secret", { "rsa_padding_mode" => "oaep" }), { "rsa_padding_mode" => "oaep" }) # => "secret"
rsa.public_encrypt("x" * 300) # raises OpenSSL::PKey::PKeyError
locked = rsa.to_pem(Cipher.new("aes-256-cbc"), "password")
locked.lines.first # => "-----BEGIN RSA PRIVATE KEY-----\n"
PKey.read(locked, "password").n == rsa.n # => true
PKey.read(locked, "wrong one") # raises OpenSSL::PKey::PKeyError
PKey::RSA.new(locked, "wrong one") # raises OpenSSL::PKey::PKeyError
PKey.read(rsa.private_to_der).compare?(rsa) # => true
PKey.read(rsa.private_to_pem(Cipher.new("aes-128-cbc"), "pass word")) { "pass word" }.private? # => true
PKey.read(rsa.public_to_pem).private? # => false
PKey::RSA.new(rsa.public_to_der).compare?(rsa) # => true
PKey.read("nonsense") # raises OpenSSL::PKey::PKeyError
rsa.inspect[/\A#<OpenSSL::PKey::RSA/] # => "#<OpenSSL::PKey::RSA"
rsa.params.keys.sort # => ["d", "dmp1", "dmq1", "e", "iqmp", "n", "p", "q"]
(rsa.public_key.sign("SHA256", "x")) # raises ArgumentError: private key is needed

ec = PKey::EC.generate("prime256v1")
ec.group.curve_name # => "prime256v1"
ec.group.degree # => 256
ec.check_key # => true
ec.dsa_verify_asn1(OpenSSL::Digest.digest("SHA256", "data"), ec.dsa_sign_asn1(OpenSSL::Digest.digest("SHA256", "data"))) # => true
ec.verify("SHA256", ec.sign("SHA256", "data"), "data") # => true
ec.verify_raw(nil, ec.sign_raw(nil, OpenSSL::Digest.digest("SHA256", "data")), OpenSSL::Digest.digest("SHA256", "data")) # => true
other = PKey::EC.generate("prime256v1")
ec.dh_compute_key(other.public_key) == other.dh_compute_key(ec.public_key) # => true
ec.derive(other) == other.derive(ec) # => true
ec.public_key.to_octet_string(:compressed).bytesize # => 33
ec.public_key.on_curve? # => true
PKey::EC::Point.new(ec.group, ec.public_key.to_bn) == ec.public_key # => true
ec.group.generator.mul(ec.private_key) == ec.public_key # => true
ec.group.order.num_bits # => 256
ec.group.generator.mul(ec.group.order).infinity? # => true
PKey.read(ec.to_pem).compare?(ec) # => true
ec.compare?(other) # => false
PKey::EC.generate("no such curve") # raises OpenSSL::PKey::PKeyError: invalid curve name
PKey::EC.builtin_curves.map(&:first).include?("secp384r1") # => true
PKey::EC::Group.new("secp384r1") == PKey::EC::Group.new("secp384r1") # => true
ec.compare?(rsa) # raises TypeError

ed = PKey.generate_key("ED25519")
[ed.class, ed.oid] # => [OpenSSL::PKey::PKey, "ED25519"]
ed.sign(nil, "data").bytesize # => 64
ed.verify(nil, ed.sign(nil, "data"), "data") # => true
PKey.read(ed.private_to_pem).raw_private_key == ed.raw_private_key # => true
PKey.new_raw_public_key("ED25519", ed.raw_public_key).verify(nil, ed.sign(nil, "x"), "x") # => true
ed.sign("SHA256", "x") # raises OpenSSL::PKey::PKeyError
x = PKey.generate_key("X25519")
y = PKey.generate_key("X25519")
x.derive(y) == y.derive(x) # => true

dh =
  PKey::DH.new("-----BEGIN DH PARAMETERS-----\nMIIBCAKCAQEA//////////+t+FRYortKmq/cViAnPTzx2LnFg84tNpWp4TZBFGQz\n" \
               "+8yTnc4kmz75fS/jY2MMddj2gbICrsRhetPfHtXV/WVhJDP1H18GbtCFY2VVPe0a\n" \
               "87VXE15/V8k1mE8McODmi3fipona8+/och3xWKE2rec1MKzKT0g6eXq8CrGCsyT7\n" \
               "YdEIqUuyyOP7uWrat2DX9GgdT0Kj3jlN9K5W7edjcrsZCwenyO4KbXCeAvzhzffi\n" \
               "7MA0BM0oNC9hkXL+nOmFg/+OTxIy7vKBg8P+OxtMb61zO7X8vC7CIAXFjvGDfRaD\n" \
               "ssbzSibBsu/6iGtCOGEoXJf//////////wIBAg==\n-----END DH PARAMETERS-----\n")
dh.p.num_bits # => 2048
one = PKey.generate_key(dh)
two = PKey.generate_key(dh)
one.compute_key(two.pub_key) == two.compute_key(one.pub_key) # => true
dh.public? # => false

# A JSON Web Token by hand.
token = [{ alg: "RS256" }, { sub: "ada" }].map { [it.to_s].pack("m0") }.join(".")
token += "." + [rsa.sign("SHA256", token)].pack("m0")
head, body, proof = token.split(".")
rsa.public_key.verify("SHA256", proof.unpack1("m"), "#{head}.#{body}") # => true

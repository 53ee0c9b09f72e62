apps_require "json/jwt", "jwt", "signet/oauth_2/client", "rotp", "aws-sigv4"

k = OpenSSL::PKey::EC.generate("prime256v1"); j = JSON::JWT.new(a: 1).sign(k, :ES256); p JSON::JWT.decode(j.to_s, k)[:a]
told { JSON::JWT.decode(j.to_s, OpenSSL::PKey::EC.generate("prime256v1")) }
r = OpenSSL::PKey::RSA.new(2048)
e = JSON::JWT.new(a: 2).encrypt(r.public_key, :"RSA-OAEP", :A256GCM)
p JSON::JWT.decode(e.to_s, r).class
p ROTP::TOTP.new("base32secret3232").at(0), ROTP::HOTP.new("base32secret3232").at(3),
  ROTP::TOTP.new("base32secret3232", issuer: "I").provisioning_uri("a@b")
s = Aws::Sigv4::Signer.new(service: "s", region: "r", access_key_id: "a", secret_access_key: "b")
p s.sign_request(http_method: "GET", url: "https://h/p?q=1", headers: { "X-Amz-Date" => "20240101T000000Z" }).headers

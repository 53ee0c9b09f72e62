apps_require "jwt"

rsa = OpenSSL::PKey::RSA.new(2048)
[["secret", "HS256"], ["secret", "HS512"]].each do |key, algorithm|
  token = JWT.encode({ user: 1, exp: 4_000_000_000 }, key, algorithm)
  puts token, JWT.decode(token, key, true, algorithm: algorithm).to_json
end
token = JWT.encode({ "a" => [1, nil] }, rsa, "RS256")
puts JWT.decode(token, rsa.public_key, true, algorithm: "RS256").to_json
ec = OpenSSL::PKey::EC.generate("prime256v1")
puts JWT.decode(JWT.encode({ "b" => 2 }, ec, "ES256"), ec, true, algorithm: "ES256").to_json
[[token + "x", rsa.public_key, "RS256"], ["a.b", "k", "HS256"],
 [JWT.encode({ exp: 1 }, "k", "HS256"), "k", "HS256"]].each do |text, key, algorithm|
  JWT.decode(text, key, true, algorithm: algorithm)
rescue JWT::DecodeError => error
  puts "#{error.class}: #{error.message}"
end

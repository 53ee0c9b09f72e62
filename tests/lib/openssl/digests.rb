require "openssl"
OpenSSL::Digest.new("SHA256").hexdigest("abc") # => "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
OpenSSL::Digest.hexdigest("SHA1", "abc") # => "a9993e364706816aba3e25717850c26c9cd0d89d"
OpenSSL::Digest::SHA512.new.digest("abc").unpack1("H16") # => "ddaf35a193617aba"
OpenSSL::Digest::MD5.base64digest("abc") # => "kAFQmDzST7DWlj99KOF/cg=="
digest = OpenSSL::Digest.new("SHA256")
digest << "a" << "bc"
digest.hexdigest # => "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
digest.update("").hexdigest == OpenSSL::Digest.hexdigest("SHA256", "abc") # => true
[digest.name, digest.digest_length, digest.block_length] # => ["SHA256", 32, 64]
copy = digest.dup
copy << "d"
copy.hexdigest == digest.hexdigest # => false
digest.reset.hexdigest # => "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
digest # => #<OpenSSL::Digest: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855>
OpenSSL::Digest.new(OpenSSL::Digest.new("MD5")).name # => "MD5"
OpenSSL::Digest.new("no such digest") # raises OpenSSL::Digest::DigestError
OpenSSL::Digest.new(1) # raises TypeError
OpenSSL::Digest("SHA384") # => OpenSSL::Digest::SHA384
OpenSSL::HMAC.hexdigest("SHA256", "key", "The quick brown fox jumps over the lazy dog") # => "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
hmac = OpenSSL::HMAC.new("key", "SHA1")
hmac << "The quick brown fox " << "jumps over the lazy dog"
hmac.hexdigest # => "de7c9b85b8b78aa6bc8a7a36f70a90701c9db4d9"
hmac.inspect == hmac.to_s # => true
hmac == OpenSSL::HMAC.new("key", "SHA1").update("The quick brown fox jumps over the lazy dog") # => true
hmac == OpenSSL::HMAC.new("other", "SHA1") # => false
hmac.reset.update("x").hexdigest == OpenSSL::HMAC.hexdigest("SHA1", "key", "x") # => true
OpenSSL::HMAC.base64digest("SHA1", "key", "x") # => "KgDo6DQ9+GxMGIsmPuyjMa+jFUg="
OpenSSL.fixed_length_secure_compare("abc", "abc") # => true
OpenSSL.fixed_length_secure_compare("abc", "abcd") # raises ArgumentError: inputs must be of equal length
OpenSSL.secure_compare("abc", "abcd") # => false
OpenSSL.secure_compare("abc", "abc") # => true
OpenSSL::KDF.pbkdf2_hmac("password", salt: "salt", iterations: 2, length: 20, hash: "SHA1").unpack1("H*") # => "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"
OpenSSL::PKCS5.pbkdf2_hmac("password", "salt", 1, 20, "SHA1").unpack1("H*") # => "0c60c80f961f0e71f3a9b524af6012062fe037a6"
OpenSSL::KDF.scrypt("password", salt: "NaCl", N: 1024, r: 8, p: 16, length: 64).unpack1("H40") # => "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cb"
OpenSSL::KDF.hkdf(["0b" * 22].pack("H*"), salt: "salt", info: "info", length: 42, hash: "SHA256").unpack1("H*") # => "de7387f74207b9e97806df0a7b39f85da38fda14496545f9d0578f345b3ec9042016c93d09c35b255ea7"
OpenSSL::KDF.pbkdf2_hmac("password", salt: "salt") # raises ArgumentError
OpenSSL::KDF.scrypt("password", salt: "", N: 3, r: 1, p: 1, length: 64) # raises OpenSSL::KDF::KDFError
OpenSSL::Random.random_bytes(20).bytesize # => 20
OpenSSL::Random.random_bytes(20) == OpenSSL::Random.random_bytes(20) # => false
OpenSSL::Random.status? # => true

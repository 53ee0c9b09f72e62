# needs: 4.0
require "openssl"
cipher = OpenSSL::Cipher.new("aes-256-cbc").encrypt
[cipher.name, cipher.key_len, cipher.iv_len, cipher.block_size, cipher.authenticated?] # => ["AES-256-CBC", 32, 16, 16, false]
cipher.key = "k" * 32
cipher.iv = "i" * 16
sealed = cipher.update("attack at dawn, or later") + cipher.final
sealed.unpack1("H*") # => "fad437eb45c16a8147923971cee3c3ef7b550601fa227657fcb63e8783d1edb5"
plain = OpenSSL::Cipher.new("AES-256-CBC").decrypt
plain.key = "k" * 32
plain.iv = "i" * 16
plain.update(sealed) + plain.final # => "attack at dawn, or later"
plain.reset
plain.update(sealed[0, 17])
plain.final # raises OpenSSL::Cipher::CipherError: cipher final failed: wrong final block length
cipher.key = "short" # raises ArgumentError: key must be 32 bytes
cipher.iv = "short" # raises ArgumentError: iv must be 16 bytes
cipher.update("") # => ""
OpenSSL::Cipher.new("none such") # raises OpenSSL::Cipher::CipherError
OpenSSL::Cipher.new("aes-128-ecb").random_key.bytesize # => 16
OpenSSL::Cipher.ciphers.include?("aes-128-gcm") # => true
OpenSSL::Cipher::AES.new(192, :CTR).name # => "AES-192-CTR"
OpenSSL::Cipher::AES256.new("CBC").name # => "AES-256-CBC"
buffer = +""
cipher.reset
cipher.update("x" * 16, buffer).equal?(buffer) # => true
buffer.bytesize # => 16

# Authenticated: what ActiveSupport's message encryptor does.
key = "K" * 32
seal = OpenSSL::Cipher.new("aes-256-gcm").encrypt
seal.authenticated? # => true
seal.iv_len # => 12
seal.key = key
seal.iv = "n" * 12
seal.auth_data = "header"
sealed = seal.update("message") << seal.final
tag = seal.auth_tag
[sealed.unpack1("H*"), tag.unpack1("H*"), seal.auth_tag(4).bytesize] # => ["7943024b3d5fa8", "e5566c8d564f153da4584dd24ba3b3d9", 4]
open = lambda do |tag, data = "header"|
  cipher = OpenSSL::Cipher.new("aes-256-gcm").decrypt
  cipher.key = key
  cipher.iv = "n" * 12
  cipher.auth_tag = tag
  cipher.auth_data = data
  cipher.update(sealed) << cipher.final
end
open.(tag) # => "message"
open.("\0" * 16) # raises OpenSSL::Cipher::AuthTagError: AEAD authentication tag verification failed
open.(tag, "other") # raises OpenSSL::Cipher::AuthTagError
seal.iv_len = 16 # => 16
seal.iv_len # => 16

ccm = OpenSSL::Cipher.new("aes-128-ccm").encrypt
ccm.iv_len = 8
ccm.auth_tag_len = 8
ccm.key = "k" * 16
ccm.iv = "i" * 8
ccm.ccm_data_len = 5
ccm.auth_data = "aad"
sealed = ccm.update("hello") + ccm.final
[sealed, ccm.auth_tag].map { it.unpack1("H*") } # => ["115efcdcb9", "202db703c2f5fff7"]
chacha = OpenSSL::Cipher.new("chacha20-poly1305").encrypt
chacha.key = "k" * 32
chacha.iv = "i" * 12
(chacha.update("hello") + chacha.final).unpack1("H*") # => "9be2657e40"
chacha.auth_tag.unpack1("H*") # => "ecb57fd8490c9ff1e7b771f68dd742d0"
OpenSSL::Cipher.new("aes-128-cbc").auth_tag # raises OpenSSL::Cipher::CipherError

require_relative "fixtures/authority"
OpenSSL::OCSP::Request.new.add_nonce("").to_der.bytesize # => 43
OpenSSL::OCSP::BasicResponse.new.add_nonce("").class # => OpenSSL::OCSP::BasicResponse
certificate, key = Authority.new.issue("ada")
bundle = OpenSSL::PKCS12.create("p", "n", key, certificate)
bundle.set_mac("p", "")
OpenSSL::PKCS12.new(bundle.to_der, "p").key.compare?(key) # => true

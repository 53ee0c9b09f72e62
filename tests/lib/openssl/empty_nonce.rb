require "openssl"
OpenSSL::OCSP::Request.new.add_nonce("").to_der.bytesize # => 43
OpenSSL::OCSP::BasicResponse.new.add_nonce("").class # => OpenSSL::OCSP::BasicResponse

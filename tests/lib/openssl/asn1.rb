# needs: 4.0
require "openssl"
include OpenSSL
der = ASN1::Sequence([ASN1::Integer(1), ASN1::UTF8String("é"), ASN1::Null(nil), ASN1::Boolean(true)]).to_der
der.unpack1("H*") # => "300c0201010c02c3a905000101ff"
tree = ASN1.decode(der)
tree.class # => OpenSSL::ASN1::Sequence
tree.value.map { [it.class, it.value] } # => [[OpenSSL::ASN1::Integer, #<OpenSSL::BN:0xXX>], [OpenSSL::ASN1::UTF8String, "\xC3\xA9"], [OpenSSL::ASN1::Null, nil], [OpenSSL::ASN1::Boolean, true]]
tree.value.map { [it.tag, it.tag_class, it.tagging, it.indefinite_length] } # => [[2, :UNIVERSAL, nil, false], [12, :UNIVERSAL, nil, false], [5, :UNIVERSAL, nil, false], [1, :UNIVERSAL, nil, false]]
tree.to_der == der # => true
ASN1.decode(der + "\x05\x00") # raises OpenSSL::ASN1::ASN1Error
ASN1.decode_all("\x05\x00\x01\x01\xff").map(&:class) # => [OpenSSL::ASN1::Null, OpenSSL::ASN1::Boolean]
ASN1.traverse(der) do |depth, offset, header, length, constructed, tag_class, tag|
  puts [depth, offset, header, length, constructed, tag_class, tag].inspect
end
# prints: [0, 0, 2, 12, true, :UNIVERSAL, 16]
# prints: [1, 2, 2, 1, false, :UNIVERSAL, 2]
# prints: [1, 5, 2, 2, false, :UNIVERSAL, 12]
# prints: [1, 9, 2, 0, false, :UNIVERSAL, 5]
# prints: [1, 11, 2, 1, false, :UNIVERSAL, 1]
ASN1::ObjectId("sha256").oid # => "2.16.840.1.101.3.4.2.1"
ASN1::ObjectId("1.2.840.113549.1.1.11").then { [it.sn, it.ln] } # => ["RSA-SHA256", "sha256WithRSAEncryption"]
ASN1::ObjectId("2.5.4.3").to_der.unpack1("H*") # => "0603550403"
ASN1::ObjectId("no such") .to_der # raises OpenSSL::ASN1::ASN1Error
ASN1::Integer(-129).to_der.unpack1("H*") # => "0202ff7f"
ASN1.decode(ASN1::Integer(2**100).to_der).value # => #<OpenSSL::BN:0xXX>
ASN1::BitString("\x05\x40").to_der.unpack1("H*") # => "0303000540"
ASN1::OctetString("abc").to_der.unpack1("H*") # => "0403616263"
ASN1::Enumerated(3).to_der.unpack1("H*") # => "0a0103"
ASN1::UTCTime(Time.at(0)).to_der # => "\x17\r700101000000Z"
ASN1.decode(ASN1::UTCTime(Time.at(1_000_000_000)).to_der).value # => 2001-09-09 01:46:40 UTC
ASN1.decode(ASN1::GeneralizedTime(Time.at(1_000_000_000)).to_der).value.to_i # => 1000000000
ASN1::Integer.new(5, 2, :EXPLICIT).to_der.unpack1("H*") # => "a203020105"
ASN1::Integer.new(5, 2, :IMPLICIT).to_der.unpack1("H*") # => "820105"
ASN1::ASN1Data.new("raw", 40, :PRIVATE).to_der.unpack1("H*") # => "df2803726177"
ASN1.decode("\xa2\x03\x02\x01\x05").value.first.value # => #<OpenSSL::BN:0xXX>
ASN1::Constructive.new([ASN1::OctetString("a"), ASN1::OctetString("b"), ASN1::EndOfContent.new], 4, nil, :UNIVERSAL).tap { it.indefinite_length = true }.to_der.unpack1("H*") # => "24800401610401620000"
ASN1::Set([ASN1::PrintableString("b"), ASN1::IA5String("a")]).to_der # => "1\x06\x13\x01b\x16\x01a"
ASN1.decode("") # raises OpenSSL::ASN1::ASN1Error
ASN1.decode("\x30\x05\x02\x01") # raises OpenSSL::ASN1::ASN1Error
ASN1.decode(nil) # raises TypeError
ASN1::UTCTime("x").to_der # raises ArgumentError
ASN1::Sequence([1]).to_der # raises TypeError
deep = "\x05\x00".b
200.times { deep = ASN1::Sequence([ASN1.decode(deep)]).to_der }
deep.bytesize > 600 # => true
ASN1.decode(ASN1::Sequence([ASN1.decode(deep)]).to_der) # raises OpenSSL::ASN1::ASN1Error: nesting depth 201 exceeds limit

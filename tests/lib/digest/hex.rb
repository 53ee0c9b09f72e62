require "digest"
Digest::MD5.hexdigest("abc") # => "900150983cd24fb0d6963f7d28e17f72"
Digest::SHA1.hexdigest("abc") # => "a9993e364706816aba3e25717850c26c9cd0d89d"
Digest::SHA256.hexdigest("abc") # => "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
Digest::SHA512.hexdigest("")[0, 16] # => "cf83e1357eefb8bd"
Digest::SHA256.digest("a").size # => 32
Digest::MD5.base64digest("abc") # => "kAFQmDzST7DWlj99KOF/cg=="
d = Digest::SHA256.new
d << "a" << "bc"
d.hexdigest == Digest::SHA256.hexdigest("abc") # => true
d.reset.update("x").to_s[0, 8] # => "2d711642"
Digest::SHA384.new.digest_length # => 48
Digest::MD5.new == Digest::MD5.new # => true

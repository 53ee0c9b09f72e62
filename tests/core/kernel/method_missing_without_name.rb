# What is called without a name, or with one that is none.
1.instance_eval { method_missing } # raises ArgumentError: no method name given
1.instance_eval { method_missing("foo") } # raises ArgumentError: method name must be a Symbol but String is given
Warning.warn("\0a".dup.force_encoding("UTF-16BE")) # raises Encoding::CompatibilityError: ASCII incompatible encoding: UTF-16BE
Math.const_defined?("\xC3") # raises EncodingError: invalid symbol in encoding UTF-8 :"\xC3"
Marshal.dump(ARGF) # raises TypeError: no _dump_data is defined for class ARGF.class
"a".scrub("?") { "b" } # raises ArgumentError: both of block and replacement given
"a\x81".scrub("\x81") # raises ArgumentError: replacement must be valid byte sequence '"\x81"'
(..3).step(2).to_a # raises TypeError: nil can't be coerced into Integer

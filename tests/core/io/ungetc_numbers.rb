# What ungetc says of numbers that are no characters.
r, w = IO.pipe
def answer(io, number, encoding = "utf-8")
  (io.set_encoding(encoding); io.ungetc(number)) rescue "#{$!.class}: #{$!.message}"
end
answer(r, 2**40) # => "RangeError: integer 1099511627776 too big to convert to 'unsigned int'"
answer(r, 2**32) # => "RangeError: integer 4294967296 too big to convert to 'unsigned int'"
answer(r, 2**32 - 1) # => "RangeError: invalid codepoint 0xFFFFFFFF in UTF-8"
answer(r, 2**31) # => "RangeError: 2147483648 out of char range"
answer(r, 2**64) # => "RangeError: bignum too big to convert into 'unsigned long'"
answer(r, -1) # => "RangeError: invalid codepoint 0xFFFFFFFF in UTF-8"
answer(r, -2) # => "RangeError: invalid codepoint 0xFFFFFFFE in UTF-8"
answer(r, -3) # => "RangeError: 4294967293 out of char range"
answer(r, -2**31 - 1) # => "RangeError: integer -2147483649 too small to convert to 'unsigned int'"
answer(r, 0x110000) # => "RangeError: 1114112 out of char range"
answer(r, 0xd800) # => "RangeError: invalid codepoint 0xD800 in UTF-8"
answer(r, 300, "us-ascii") # => "RangeError: 300 out of char range"
answer(r, -1, "us-ascii") # => "RangeError: 4294967295 out of char range"
answer(r, 0xffff, "euc-jp") # => "RangeError: invalid codepoint 0xFFFF in EUC-JP"
(2**32 - 1).chr("utf-8") # raises RangeError: invalid codepoint 0xFFFFFFFF in UTF-8
(2**32 - 3).chr("utf-8") # raises RangeError: 4294967293 out of char range
w.close
r.close

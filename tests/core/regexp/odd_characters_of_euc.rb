# Characters that an encoding allows are matched though no table has them.
odd = "\x8E\xFE".dup.force_encoding("EUC-JP")
odd.valid_encoding? # => true
Regexp.new(Regexp.escape(odd)).match?(odd) # => true
Regexp.new(Regexp.escape(odd)).match?("a".encode("EUC-JP")) # => false
odd.sub(Regexp.new(odd), "x") # => "x"

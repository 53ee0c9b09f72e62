# Arguments that `Dir.glob` and `Dir[]` refuse.
Dir.glob("*", 1 << 40) # raises RangeError: integer 1099511627776 too big to convert to 'int'
Dir.glob("*", flag: 1) # raises ArgumentError: unknown keyword: :flag
Dir["*", flags: 1] # raises ArgumentError: unknown keyword: :flags
Dir.glob("*".encode("UTF-16LE")) # raises Encoding::CompatibilityError: incompatible character encodings: UTF-16LE and US-ASCII
File.fnmatch("a", "a", 1 << 40) # raises RangeError: integer 1099511627776 too big to convert to 'int'

# Interpolated strings begin with the encoding of their first part;
# a lone part comes behind an empty string of the source.
binary, japanese, ascii, wide = "a".b, "x".encode("EUC-JP"), "a".encode("US-ASCII"), "a".encode("UTF-16LE")
high, empty = "\xff".b, "".b
def encoding = yield.encoding.to_s
encoding { "#{binary}x" } # => "ASCII-8BIT"
encoding { "x#{binary}" } # => "UTF-8"
encoding { "#{1}#{binary}" } # => "ASCII-8BIT"
encoding { "#{binary}#{1}" } # => "ASCII-8BIT"
encoding { "#{binary}#{binary}" } # => "ASCII-8BIT"
encoding { "#{binary}é" } # => "UTF-8"
encoding { "#{binary}" } # => "UTF-8"
encoding { "#{empty}x" } # => "ASCII-8BIT"
encoding { "#{empty}#{binary}" } # => "ASCII-8BIT"
encoding { "#{empty}é" } # => "UTF-8"
encoding { "é#{empty}" } # => "UTF-8"
encoding { "#{ascii}" } # => "UTF-8"
encoding { "#{ascii}x" } # => "UTF-8"
encoding { "#{ascii}#{ascii}" } # => "US-ASCII"
encoding { "#{ascii}#{binary}" } # => "ASCII-8BIT"
encoding { "#{1}" } # => "UTF-8"
encoding { "#{1}#{2}" } # => "US-ASCII"
encoding { "#{1}x" } # => "UTF-8"
encoding { "#{10**30}#{binary}" } # => "ASCII-8BIT"
encoding { "#{:a}#{binary}" } # => "ASCII-8BIT"
encoding { "#{nil}" } # => "UTF-8"
encoding { "#{japanese}x" } # => "EUC-JP"
encoding { "x#{japanese}" } # => "UTF-8"
encoding { "#{japanese}#{binary}" } # => "EUC-JP"
encoding { "#{high}x" } # => "ASCII-8BIT"
encoding { "x#{high}" } # => "ASCII-8BIT"
"#{high}é" # raises Encoding::CompatibilityError: incompatible character encodings: BINARY (ASCII-8BIT) and UTF-8
encoding { "#{wide}" } # => "UTF-16LE"
encoding { "#{nil}#{wide}" } # => "UTF-16LE"
"#{wide}x" # raises Encoding::CompatibilityError: incompatible character encodings: UTF-16LE and UTF-8
"x#{wide}" # raises Encoding::CompatibilityError: incompatible character encodings: UTF-8 and UTF-16LE
encoding { "#{binary} #{binary}" } # => "ASCII-8BIT"
encoding { :"#{high}x" } # => "ASCII-8BIT"
encoding { :"#{binary}x" } # => "US-ASCII"
encoding { /#{binary}x/ } # => "US-ASCII"
encoding { /#{high}x/ } # => "ASCII-8BIT"
encoding { "lit" "#{binary}" "é" } # => "UTF-8"

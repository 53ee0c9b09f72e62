# What `inspect` gives is in the encoding of the regexp, with escapes for characters of other encodings.
japanese = Regexp.new("\xa4\xa2".dup.force_encoding("EUC-JP"))
/a/.inspect.encoding.to_s # => "US-ASCII"
/a/n.inspect.encoding.to_s # => "US-ASCII"
/a/u.inspect.encoding.to_s # => "UTF-8"
/a/e.inspect.encoding.to_s # => "EUC-JP"
/é/.inspect.encoding.to_s # => "UTF-8"
Regexp.new("a".b).inspect.encoding.to_s # => "US-ASCII"
Regexp.new("\xff".b).inspect.encoding.to_s # => "ASCII-8BIT"
Regexp.union("a".b).inspect.encoding.to_s # => "US-ASCII"
japanese.inspect.encoding.to_s # => "EUC-JP"
japanese.inspect # => "/\\x{A4A2}/"
/\xff/n.inspect # => "/\\xff/n"

# A property without an end is none.
sources = ['\p', '\p{', '\P{', '\p{a', '[\p{']
sources.map { |source| Regexp.new(source.dup.force_encoding("EUC-JP")).class rescue $!.class } # => [Regexp, RegexpError, RegexpError, RegexpError, RegexpError]

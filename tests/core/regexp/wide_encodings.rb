# Regexp.escape and Regexp.union in encodings whose units are more than a byte;
# encodings without a structure have no regexps.
def escaped(text, encoding) = Regexp.escape(text.encode(encoding)).encode("UTF-8")
wide = %w[UTF-16BE UTF-16LE UTF-32BE UTF-32LE]
wide.map { |encoding| escaped("a|b+", encoding) }.uniq # => ["a\\|b\\+"]
wide.map { |encoding| escaped("\t[x] #é", encoding) }.uniq # => ["\\t\\[x\\]\\ \\#é"]
wide.map { |encoding| Regexp.escape("|".encode(encoding)).encoding.to_s } == wide # => true
Regexp.escape("\u{7c00}\u{5b}".encode("UTF-16BE")).bytes # => [124, 0, 0, 92, 0, 91]
Regexp.escape("\u{7c00}".encode("UTF-16LE")).bytes # => [0, 124]
wide.map { |encoding| Regexp.new(Regexp.escape("|".encode(encoding)) + "+".encode(encoding)).match?("a||".encode(encoding)) }.uniq # => [true]
wide.map { |encoding| Regexp.union("|".encode(encoding), "x".encode(encoding)).match?("ax".encode(encoding)) }.uniq # => [true]
wide.map { |encoding| "a|b".encode(encoding).split("|".encode(encoding)).size }.uniq # => [2]
Regexp.escape("\xd8".b.force_encoding("UTF-16BE")).bytes # => [216]
def refused(encoding)
  Regexp.new("a".dup.force_encoding(encoding))
rescue RegexpError => error
  error.message.b
end
refused("ISO-2022-JP") # => "can't make regexp with dummy encoding: /a/"
refused("UTF-7") # => "can't make regexp with dummy encoding: /a/"
refused("UTF-16")[0, 37] # => "can't make regexp with dummy encoding"

# encoding: utf-8
# A pattern with anything that must be escaped shows all that is not ASCII as escapes, too.
/é/.inspect # => "/é/"
/é\//.inspect # => "/\\u00E9\\//"
Regexp.new("é/").inspect # => "/\\u00E9\\//"
Regexp.new("\u{1f600}\n").inspect # => "/\\u{1F600}\n/"
Regexp.new("\\é/").inspect # => "/\\é\\//"
Regexp.new("a\u0300\t").inspect # => "/a\\u0300\t/"
Regexp.new("é\x7f").inspect # => "/\\u00E9\\x7F/"
Regexp.new("a é").inspect # => "/a é/"
/é\//.to_s # => "(?-mix:é\\/)"
Regexp.new("é/(") # raises RegexpError: end pattern with unmatched parenthesis: /\u00E9\/(/
Regexp.new("é(") # raises RegexpError: end pattern with unmatched parenthesis: /é(/
/a/.send(:initialize, "b") # raises FrozenError: can't modify frozen Regexp: /a/
/a#{1}/.send(:initialize, "b") # raises FrozenError: can't modify frozen Regexp: /a1/
Regexp.new("a").send(:initialize, "b") # raises TypeError: already initialized regexp

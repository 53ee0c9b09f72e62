# Strings that all share have no singleton class; a chilled one warns.
(-"text").singleton_class # raises TypeError: can't define singleton
text = -"text"
class << text; end # raises TypeError: can't define singleton
def text.name; end # raises TypeError: can't define singleton
text.define_singleton_method(:name) { } # raises TypeError: can't define singleton
("te" + "xt").freeze.singleton_class.frozen? # => true

require "stringio"
def warned
  before, $stderr = $stderr, StringIO.new
  yield
  $stderr.string[/literal string will be frozen|string returned by :\w+\.to_s will be frozen/]
ensure
  $stderr = before
end
Warning[:deprecated] = true
warned { "chilled".singleton_class } # => "literal string will be frozen"
warned { def (s = "chilled").name; end } # => "literal string will be frozen"
warned { String.new.singleton_class } # => nil

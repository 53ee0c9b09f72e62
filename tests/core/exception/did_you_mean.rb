def text = yield.then { nil } rescue $!.detailed_message(highlight: false, error_highlight: false)
def found = text { [].frist }[/Did.*/m]
found # => "Did you mean?  first"
text { { foo: 1, bar: 2 }.fetch(:fo) } # => "key not found: :fo (KeyError)\nDid you mean?  :foo"
text { Strin } # => "uninitialized constant Strin (NameError)\nDid you mean?  String\n               STDIN"
(ObjectSpace.garbage_colect rescue $!.detailed_message(highlight: false, error_highlight: false))[/Did.*/] # => "Did you mean?  garbage_collect"
def with_locals
  quantity = 1
  [quantity].each { quantitty }
rescue NameError => e
  e.detailed_message(highlight: false, error_highlight: false)
end
with_locals # => "undefined local variable or method 'quantitty' for main (NameError)\nDid you mean?  quantity"
(prinft("x") rescue $!.detailed_message(highlight: false, error_highlight: false)[/Did.*/]) # => "Did you mean?  printf"
([].frist rescue $!.message) # => "undefined method 'frist' for an instance of Array"
([].frist rescue $!.detailed_message(highlight: false, error_highlight: false, did_you_mean: false)) # => "undefined method 'frist' for an instance of Array (NoMethodError)"
([].qqqqqqqqq rescue $!.detailed_message(highlight: false, error_highlight: false)) # => "undefined method 'qqqqqqqqq' for an instance of Array (NoMethodError)"
([].frist rescue $!.detailed_message(highlight: true).lines.last) # => "\e[1mDid you mean?  first\e[m"
DidYouMean::SpellChecker.new(dictionary: %w[email fail eval]).correct("meail") # => ["email"]
DidYouMean::Levenshtein.distance("kitten", "sitting") # => 3
DidYouMean::JaroWinkler.distance("martha", "marhta").round(4) # => 0.9611

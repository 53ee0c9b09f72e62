# The joiners of Unicode are word characters of the bracket.
"a\u200Cb"[/[[:word:]]+/] == "a\u200Cb" # => true
"\u200D".match?(/[[:word:]a]/) # => true
"\u200D".match?(/[^[:word:]]/) # => false
"\u200D".match?(/(?a)[[:word:]]/) # => false
"\u17F0".match?(/[[:word:]]/) # => false
"-".match?(/[[:word:]]/) # => false

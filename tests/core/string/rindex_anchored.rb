# `\G` is where a backward search begins, and nowhere else.
"abcabc".rindex(/\Gb/) # => nil
"abcabc".rindex(/\Gb/, 4) # => 4
"abcabc".rindex(/\Gc/, 2) # => 2
"abcabc".byterindex(/\Gb/, 4) # => 4
["abcabc".rindex(/\G/), "abcabc".rindex(/\G/, 3), "abc".rindex(/\G\z/)] # => [6, 3, 3]
"abcabc".rpartition(/\G/) # => ["abcabc", "", ""]

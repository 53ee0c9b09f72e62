# encoding: US-ASCII
# Escaped bytes that US-ASCII does not have, in a source of that encoding.
mark = /\357\273\277/
mark.encoding # => #<Encoding:US-ASCII>
mark.fixed_encoding? # => false
mark.inspect # => "/\\357\\273\\277/"
mark =~ "\u{feff}x" # => 0
mark =~ "x\u{feff}".b # => 1
mark =~ "abc" # => nil
"\u{feff}x".sub(mark, "") # => "x"
/[\x80-\xff]/.encoding # => #<Encoding:BINARY (ASCII-8BIT)>
/\C-a\cb\0\101/ =~ "\x01\x02\0A" # => 0
/(.)\1\377/ =~ "aa\xFF".b # => 0
Regexp.new('\351'.dup.force_encoding("US-ASCII")).encoding # => #<Encoding:US-ASCII>
Regexp.new('\xe9'.dup.force_encoding("US-ASCII")).encoding # => #<Encoding:US-ASCII>
Regexp.new('\351').encoding # => #<Encoding:US-ASCII>
Regexp.new("\\351".dup.force_encoding("UTF-8")) # raises RegexpError: too short escaped multibyte character: /\351/

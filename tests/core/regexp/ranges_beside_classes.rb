# A class is neither the begin nor the end of a range.
Regexp.new('[\w-a]') # raises RegexpError: unmatched range specifier in char-class: /[\w-a]/
Regexp.new('[\s-~]') # raises RegexpError: unmatched range specifier in char-class: /[\s-~]/
Regexp.new('[^\d-9]') # raises RegexpError: unmatched range specifier in char-class: /[^\d-9]/
Regexp.new('[+-\w]') # raises RegexpError: char-class value at end of range: /[+-\w]/
Regexp.new('[1-\w]') # raises RegexpError: char-class value at end of range: /[1-\w]/
"a-b" =~ /[\d-]/ # => 1
"a-b" =~ /[-\d]/ # => 1
"a-b"[/[a-c\w]+/] # => "a"
"+"[/[*-,\d]/] # => "+"

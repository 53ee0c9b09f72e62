s = +"aaa"
s.gsub!(/a/) { s.clear; "b" } # raises RuntimeError: string modified
s.frozen? # => false

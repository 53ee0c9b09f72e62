# What only `-w` warns of.
# flags: -w
def doubts(source)
  said = []
  Warning.singleton_class.define_method(:warn) { |text, **| said << text[/warning: (.*)/, 1] }
  Regexp.new(source)
  said
ensure
  Warning.singleton_class.remove_method(:warn)
end
doubts('[aa]') # => ["character class has duplicated range: /[aa]/"]
doubts('[\w\d]') # => ["character class has duplicated range: /[\\w\\d]/"]
doubts('[a-cb-d]') # => ["character class has duplicated range: /[a-cb-d]/"]
doubts('[[:^alpha:]0]') # => ["character class has duplicated range: /[[:^alpha:]0]/"]
doubts('[a[^b]]') # => ["character class has duplicated range: /[a[^b]]/"]
doubts('[a-zA-Z0-9_]') # => []
doubts('[^\s\S]') # => []
doubts('[a-z&&[b]]') # => []
doubts('(?x) # [aa]') # => []
doubts('\q[\A]') # => ["Unknown escape \\q is ignored: /\\q[\\A]/", "Unknown escape \\A is ignored: /\\q[\\A]/"]
doubts('\R\X\K\o') # => []
doubts('\pL') # => ["invalid Unicode Property \\p: /\\pL/"]

# However deep classes lie within each other.
Fiber.new { Regexp.new("[" * 4000 + "a" + "]" * 4000) =~ "a" }.resume # => 0

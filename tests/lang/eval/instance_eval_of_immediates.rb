# Numbers, symbols, nil, true and false: constants of their class are seen; class variables are those around.
class Integer
  SEEN = 1
end
class TrueClass
  SEEN = 2
end
1.instance_eval("SEEN") # => 1
true.instance_eval("SEEN") # => 2
1.instance_eval("MADE = 1") # raises TypeError: can't define singleton
:a.instance_eval("class Inner; end") # raises TypeError: can't define singleton
1.instance_eval("def m; end") # raises TypeError
true.instance_eval("MADE = 3")
TrueClass::MADE # => 3
nil.instance_eval("def made_here = 4")
nil.made_here # => 4
class Around
  @@x = 5
  def self.read = [1, true, :a, nil].map { |value| value.instance_eval("@@x") }
end
Around.read # => [5, 5, 5, 5]

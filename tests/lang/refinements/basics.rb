module Loud
  refine String do
    def shout = upcase + "!"
    def length = 42
  end
  refine Integer do
    def +(o) = "#{self}+#{o}"
  end
end
"a".respond_to?(:shout) # => false
"a".shout # raises NoMethodError: undefined method 'shout' for an instance of String
module Scope
  using Loud
  R = ["a".shout, "abc".length, 1 + 2, %w[a b].map(&:shout), "abc".send(:length)]
end
Scope::R # => ["A!", 42, "1+2", ["A!", "B!"], 42]
"abc".length # => 3
1 + 2 # => 3

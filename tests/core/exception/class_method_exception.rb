# `raise` asks the class for `exception`, which does what `new` does without calling it.
class WithNew < StandardError
  def self.new(*) = raise("not called")
end
raise WithNew, "text" # raises WithNew: text
raise WithNew # raises WithNew: WithNew
WithNew.exception("text") # => #<WithNew: text>

class WithBlock < StandardError
  def initialize(a, b: 1) = super("#{a} #{b} #{yield}")
end
WithBlock.exception(1) { 3 } # => #<WithBlock: 1 1 3>
WithBlock.exception(b: 2) { 3 } # => #<WithBlock: {b: 2} 1 3>

class RuntimeError
  def initialize(text) = super("my #{text}")
end
raise "text" # raises RuntimeError: my text
RuntimeError.new("text") # => #<RuntimeError: my text>
raise cause: 1 # raises ArgumentError: only cause is given with no arguments
raise cause: nil # raises ArgumentError: only cause is given with no arguments

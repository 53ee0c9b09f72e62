# A method's block that inner scopes only pass on, and that the method itself uses as an object elsewhere.
def kind(&b) = b.class

def after(&block)
  [1].each { kind(&block) }
  block
end
after {}.class # => Proc
after # => nil

def assigned(&block)
  seen = [1].map { [2].map { kind(&block) } }
  block = 5
  [seen, block]
end
assigned {} # => [[[Proc]], 5]

def in_a_loop(&block)
  for _ in [1] do seen = kind(&block) end
  [seen, block.class]
end
in_a_loop {} # => [Proc, Proc]
in_a_loop # => [NilClass, NilClass]

def in_a_lambda(&block)
  [-> { kind(&block) }.(), block.class]
end
in_a_lambda {} # => [Proc, Proc]


def in_both_blocks(&block)
  [1].map { kind(&block) } + [1].map { block.class }
end
in_both_blocks {} # => [Proc, Proc]

def or_written(&block)
  [1].each { kind(&block) }
  block ||= 4
  block.class
end
or_written {} # => Proc
or_written # => Integer

def shadowed(&block)
  inner = [1].map { |_; block| block = :to_s.to_proc; kind(&block) }
  [inner, block.class]
end
shadowed {} # => [[Proc], Proc]

def in_a_hash(&block)
  [1].each { kind(&block) }
  {block:}[:block].call
end
in_a_hash { 3 } # => 3

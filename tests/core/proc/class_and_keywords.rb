# A Proc is shown with what its class calls itself; what cannot take flagged keywords says why.
Named = Class.new(Proc) { def self.to_s = "a name" }
Named.new {}.to_s[/\A#<a name:0x\h+ /] ? 1 : 0 # => 1
def many(*) = 1
said = []
Warning.singleton_class.define_method(:warn) { |text, **| said << text[/\((.*)\)/, 1] }
method(:many).to_proc.ruby2_keywords
:many.to_proc.ruby2_keywords
proc { |*a, k: 1| }.ruby2_keywords
proc { |*a| }.ruby2_keywords
Module.new do
  attr_reader :plain
  ruby2_keywords :plain
end
said # => ["proc created from method", "proc not defined in Ruby", "proc accepts keywords or post arguments or proc does not accept argument splat", "method not defined in Ruby"]
